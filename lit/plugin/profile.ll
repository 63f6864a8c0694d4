; Functions that a profile knows to be cold, or never called, are left alone; and so are those that are to be small.
;
; RUN: %opt -passes=farkas -disable-output -pass-remarks=farkas -pass-remarks-missed=farkas %s 2>&1 | FileCheck %s
;
; CHECK: loop nest transformed
; CHECK: loop nest left as it is: the function is marked cold
; CHECK: loop nest left as it is: the profile says that the function is never called
; CHECK: loop nest left as it is: the function is marked optsize
; CHECK: loop nest left as it is: the function is marked minsize

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @hot(i64 range(i64 0, 1000) %n, ptr noalias %a) !prof !0 {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %inside = icmp slt i64 %j, %n
  br i1 %inside, label %body, label %outer.end

body:
  %at = getelementptr [1000 x double], ptr %a, i64 %j, i64 %i
  %x = load double, ptr %at
  %y = fadd double %x, 1.0
  store double %y, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

define void @cold(i64 range(i64 0, 1000) %n, ptr noalias %a) cold {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %inside = icmp slt i64 %j, %n
  br i1 %inside, label %body, label %outer.end

body:
  %at = getelementptr [1000 x double], ptr %a, i64 %j, i64 %i
  %x = load double, ptr %at
  %y = fadd double %x, 1.0
  store double %y, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

define void @never(i64 range(i64 0, 1000) %n, ptr noalias %a) !prof !1 {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %inside = icmp slt i64 %j, %n
  br i1 %inside, label %body, label %outer.end

body:
  %at = getelementptr [1000 x double], ptr %a, i64 %j, i64 %i
  %x = load double, ptr %at
  %y = fadd double %x, 1.0
  store double %y, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

define void @size(i64 range(i64 0, 1000) %n, ptr noalias %a) optsize {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %inside = icmp slt i64 %j, %n
  br i1 %inside, label %body, label %outer.end

body:
  %at = getelementptr [1000 x double], ptr %a, i64 %j, i64 %i
  %x = load double, ptr %at
  %y = fadd double %x, 1.0
  store double %y, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

define void @small(i64 range(i64 0, 1000) %n, ptr noalias %a) minsize optsize {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %inside = icmp slt i64 %j, %n
  br i1 %inside, label %body, label %outer.end

body:
  %at = getelementptr [1000 x double], ptr %a, i64 %j, i64 %i
  %x = load double, ptr %at
  %y = fadd double %x, 1.0
  store double %y, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"function_entry_count", i64 0}
