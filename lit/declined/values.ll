; What keeps loop nests from being modelled that C cannot say.
;
; RUN: %scop %s 2>&1 | FileCheck %s --implicit-check-not=remark

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK: remark: {{.*}}: loop nest left as it is: nothing in it is kept: there are no stores and no results
define void @empty(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: call of plain with operand bundles
define void @bundles(i64 %n, ptr %a) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %x = call double @plain(i64 %i) [ "kcfi"(i32 1) ]
  %at = getelementptr double, ptr %a, i64 %i
  store double %x, ptr %at
  %next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: instruction with effects that are not modelled
define void @effects(i64 %n, ptr %a, ptr %list) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %x = va_arg ptr %list, double
  %at = getelementptr double, ptr %a, i64 %i
  store double %x, ptr %at
  %next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

declare double @plain(i64) memory(none) nounwind willreturn
