; What may be moved out of a function, and what may not.
;
; RUN: %opt -passes=farkas-outline,verify -S %s -o - | FileCheck %s
; A second run finds nothing to do.
; RUN: %opt -passes=farkas-outline,farkas-outline,verify -S %s -o - | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$shared = comdat any

; CHECK-LABEL: define i64 @count(
; CHECK: br i1 %pays, label %[[CALL:.*]], label %old{{$}}
; CHECK: [[CALL]]:
; CHECK: [[FAILS:%.*]] = call preserve_mostcc i1 @count.farkas.0(ptr %a, i64 %n, ptr %{{.*}})
; CHECK: br i1 [[FAILS]], label %old, label %end
; CHECK-NOT: new:
; CHECK: ret i64
define i64 @count(i64 %n, ptr %a) {
entry:
  %pays = icmp sgt i64 %n, 9
  br i1 %pays, label %checks, label %old, !farkas.guard !0

checks:
  %apart = icmp ne ptr %a, null
  br i1 %apart, label %new, label %old, !farkas.guard !0

new:
  %i = phi i64 [ 0, %checks ], [ %i.next, %new ]
  %at = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %end, !llvm.loop !1

old:
  store i64 %n, ptr %a
  br label %end

end:
  %result = phi i64 [ %i.next, %new ], [ %n, %old ]
  ret i64 %result
}

; What a linker may drop takes its new code along.
; CHECK-LABEL: define void @shared(
; CHECK: call preserve_mostcc void @shared.farkas.0(
define void @shared(i64 %n, ptr %a) comdat {
entry:
  %pays = icmp sgt i64 %n, 9
  br i1 %pays, label %new, label %end, !farkas.guard !0

new:
  %i = phi i64 [ 0, %entry ], [ %i.next, %new ]
  %at = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %end, !llvm.loop !1

end:
  ret void
}

; A hook at the beginning of a function may change registers.
; CHECK-LABEL: define void @hooked(
; CHECK: call void @hooked.farkas.0(
define void @hooked(i64 %n, ptr %a) "fentry-call"="true" {
entry:
  %pays = icmp sgt i64 %n, 9
  br i1 %pays, label %new, label %end, !farkas.guard !0

new:
  %i = phi i64 [ 0, %entry ], [ %i.next, %new ]
  %at = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %end, !llvm.loop !1

end:
  ret void
}

; A section is chosen for all of the function's code.
; CHECK-LABEL: define void @pinned(
; CHECK-NOT: call
; CHECK: ret void
define void @pinned(i64 %n, ptr %a) section ".init.text" {
entry:
  %pays = icmp sgt i64 %n, 9
  br i1 %pays, label %new, label %end, !farkas.guard !0

new:
  %i = phi i64 [ 0, %entry ], [ %i.next, %new ]
  %at = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %end, !llvm.loop !1

end:
  ret void
}

; Calls in a handler of exceptions say which one they are in.
; CHECK-LABEL: define void @handler(
; CHECK-NOT: call
; CHECK: ret void
define void @handler(i64 %n, ptr %a) personality ptr @__CxxFrameHandler3 {
entry:
  %pays = icmp sgt i64 %n, 9
  br i1 %pays, label %new, label %end, !farkas.guard !0

new:
  %i = phi i64 [ 0, %entry ], [ %i.next, %new ]
  %at = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %end, !llvm.loop !1

end:
  ret void
}

; Loops of the original that were looked at are no new code.
; CHECK-LABEL: define void @original(
; CHECK-NOT: call
; CHECK: ret void
define void @original(i64 %n, ptr %a) {
entry:
  %pays = icmp sgt i64 %n, 9
  br i1 %pays, label %new, label %end, !farkas.guard !0

new:
  %i = phi i64 [ 0, %entry ], [ %i.next, %new ]
  %at = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %new, label %end, !llvm.loop !3

end:
  ret void
}

; CHECK: define internal preserve_mostcc i1 @count.farkas.0(
; CHECK: define internal preserve_mostcc void @shared.farkas.0({{.*}} comdat($shared)
; CHECK: define internal void @hooked.farkas.0(
; CHECK-NOT: define

declare i32 @__CxxFrameHandler3(...)

!0 = !{}
!1 = distinct !{!1, !2}
!2 = !{!"farkas.done", !"new"}
!3 = distinct !{!3, !4}
!4 = !{!"farkas.done"}
