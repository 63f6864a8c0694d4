; What is promised of a loaded value holds where it is loaded, and not where the load is in front of the nest and not executed:
; users get zero there, though the value "is not zero".
; RUN: %opt -passes=farkas -S %s | FileCheck %s

; for (i = 0; i < l; i++)
;   for (j = 0, m = *q; j < n / m; j++)
;     a[j][i] *= 2;
define void @f(i64 %n, i64 %l, ptr noalias %q, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %l, 0
  br i1 %some, label %outer, label %exit

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %m = load i64, ptr %q, align 8, !noundef !0, !range !1
  %count = udiv i64 %n, %m
  br label %header

header:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %more = icmp ult i64 %j, %count
  br i1 %more, label %body, label %outer.end

body:
  %p = getelementptr inbounds [100 x double], ptr %a, i64 %j, i64 %i
  %old = load double, ptr %p, align 8
  %new = fmul double %old, 2.000000e+00
  store double %new, ptr %p, align 8
  %j.next = add nuw i64 %j, 1
  br label %header

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %l
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

!0 = !{}
!1 = !{i64 1, i64 0}

; CHECK-LABEL: define void @f(
; CHECK: %[[M:[0-9]+]] = load i64, ptr %q, align 8, !noundef
; CHECK: %[[PHI:[0-9]+]] = phi i64 [ %[[M]], {{.*}} ], [ 0,
; CHECK: %[[DIVISOR:umax[0-9]*]] = call i64 @llvm.umax.i64(i64 %[[PHI]], i64 1)
; CHECK-NEXT: udiv i64 %n, %[[DIVISOR]]
; CHECK: load i64, ptr %q, align 8, !range
