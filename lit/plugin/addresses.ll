; In front of code generation, addresses in the innermost loops of Farkas are a frozen base, a counter and a constant.
;
; RUN: %opt -passes=farkas-finish -S %s -o - | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Loads that are a constant apart share a base; the store has its own.
; CHECK-LABEL: @row(
; CHECK: entry.loop_crit_edge:
; CHECK: [[A:%.*]] = freeze ptr
; CHECK: [[B:%.*]] = freeze ptr
; CHECK: loop:
; CHECK: [[K:%.*]] = phi i64 [ 0,
; CHECK: getelementptr i8, ptr [[B]], i64
; CHECK: [[BYTES:%.*]] = mul i64 [[K]], 8
; CHECK: [[AT:%.*]] = getelementptr i8, ptr [[A]], i64 [[BYTES]]
; CHECK: load double, ptr [[AT]]
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr [[AT]], i64 16
; CHECK: load double, ptr [[NEXT]]
; CHECK: store double
define void @row(ptr noalias %a, ptr noalias %b, i64 %first, i64 %skew, i64 %n) {
entry:
  %start = call i64 @llvm.smax.i64(i64 %first, i64 %skew)
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %j = add i64 %start, %k
  %i = sub i64 %j, %skew
  %p = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %p
  %i2 = add i64 %i, 2
  %p2 = getelementptr double, ptr %a, i64 %i2
  %y = load double, ptr %p2
  %sum = fadd double %x, %y
  %q = getelementptr double, ptr %b, i64 %j
  store double %sum, ptr %q
  %k.next = add i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0

end:
  ret void
}

; Other loops stay as they are.
; CHECK-LABEL: @other(
; CHECK-NOT: freeze
; CHECK: ret void
define void @other(ptr %a, i64 %first, i64 %n) {
entry:
  %start = add i64 %first, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %j = add i64 %start, %k
  %p = getelementptr double, ptr %a, i64 %j
  store double 1.0, ptr %p
  %k.next = add i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

; Variables on the stack and operands of calls stay what they are; a loop that several blocks enter is left alone.
; CHECK-LABEL: @calls(
; CHECK-NOT: freeze
; CHECK: ret void
define void @calls(i64 %n, i1 %c) {
entry:
  %slot = alloca double
  br i1 %c, label %one, label %two

one:
  br label %loop

two:
  br label %loop

loop:
  %k = phi i64 [ 0, %one ], [ 1, %two ], [ %k.next, %loop ]
  call void @llvm.lifetime.start.p0(ptr %slot)
  store double 1.0, ptr %slot
  call void @llvm.lifetime.end.p0(ptr %slot)
  %k.next = add i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0

end:
  ret void
}

; CHECK-LABEL: @variable(
; CHECK: call void @llvm.lifetime.start.p0(ptr %slot)
; CHECK: store double 1.000000e+00, ptr %slot
define void @variable(i64 %n) {
entry:
  %slot = alloca double
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  call void @llvm.lifetime.start.p0(ptr %slot)
  store double 1.0, ptr %slot
  call void @llvm.lifetime.end.p0(ptr %slot)
  %k.next = add i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0

end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"farkas.done"}
