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

; What is divided by may be poison, which must not be looked at before it is known that the original would.
; CHECK: remark: {{.*}}: loop nest left as it is: a value that is needed before the loop cannot be computed there
define void @poisoned_divisor(i64 noundef %n, i64 %m, ptr noalias %a) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %outer.next, %outer.latch ]
  %outer.more = icmp ult i64 %i, %n
  br i1 %outer.more, label %between, label %exit

between:
  %bound = udiv i64 %n, %m
  br label %inner

inner:
  %j = phi i64 [ 0, %between ], [ %next, %body ]
  %more = icmp ult i64 %j, %bound
  br i1 %more, label %body, label %outer.latch

body:
  %at = getelementptr [100 x double], ptr %a, i64 %i, i64 %j
  store double 0.0, ptr %at
  %next = add nuw nsw i64 %j, 1
  br label %inner

outer.latch:
  %outer.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

; A variable of the LLVM type `token` is in no model.
; CHECK: remark: {{.*}}: loop nest left as it is: value of type token
define void @token(i64 %n, ptr %a) convergent {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %t = call token @llvm.experimental.convergence.anchor()
  %at = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

; A pair is carried around the loop, for which there are no scalar slots.
; CHECK: remark: {{.*}}: loop nest left as it is: a value of type { double, i64 } is carried between statements
define void @pair(i64 %n, ptr %a) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %pair = phi { double, i64 } [ zeroinitializer, %entry ], [ %new, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr double, ptr %a, i64 %i
  %x = extractvalue { double, i64 } %pair, 0
  store double %x, ptr %at
  %y = fadd double %x, 1.0
  %new = insertvalue { double, i64 } %pair, double %y, 0
  %next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

; The indices are in a variable that is not there before the loop.
; CHECK: remark: {{.*}}: loop nest left as it is: an access to x whose subscript is not affine may overlap y
define void @local(i64 %n, ptr %y, ptr %x) {
entry:
  %index = alloca [64 x i32]
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @llvm.lifetime.start.p0(ptr %index)
  %at = getelementptr i32, ptr %index, i64 %i
  %number = load i32, ptr %at
  call void @llvm.lifetime.end.p0(ptr %index)
  %wide = sext i32 %number to i64
  %from = getelementptr double, ptr %x, i64 %wide
  %value = load double, ptr %from
  %to = getelementptr double, ptr %y, i64 %i
  store double %value, ptr %to
  %next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

declare token @llvm.experimental.convergence.anchor()
declare double @plain(i64) memory(none) nounwind willreturn
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
