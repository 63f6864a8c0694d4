; Rows of wavefronts are lanes, which hand on what they access along the loop.
; RUN: %opt -passes='farkas<unprofitable;vectorize=force;target=x86-64-v3>' -S %s | FileCheck %s

; for (i = 0; i < n; i++)
;   for (j = 0; j < m; j++)
;     a[i + 1][j + 1] = a[i][j + 1] + a[i + 1][j];
; Four vectors of four rows. The left neighbour is the value of the iteration before, the upper one that of the lane before.
define void @sums(i64 %n, i64 %m, i64 %w, ptr noalias %a) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more.i = icmp slt i64 %i, %n
  br i1 %more.i, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %more.j = icmp slt i64 %j, %m
  br i1 %more.j, label %body, label %outer.end

body:
  %i.next.row = add nuw nsw i64 %i, 1
  %j.next.column = add nuw nsw i64 %j, 1
  %above = mul nsw i64 %i, %w
  %p.above = getelementptr inbounds double, ptr %a, i64 %above
  %p.up = getelementptr inbounds double, ptr %p.above, i64 %j.next.column
  %up = load double, ptr %p.up, align 8
  %row = mul nsw i64 %i.next.row, %w
  %p.row = getelementptr inbounds double, ptr %a, i64 %row
  %p.left = getelementptr inbounds double, ptr %p.row, i64 %j
  %left = load double, ptr %p.left, align 8
  %sum = fadd double %up, %left
  %p.own = getelementptr inbounds double, ptr %p.row, i64 %j.next.column
  store double %sum, ptr %p.own, align 8
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

; CHECK-LABEL: define void @sums(
; What the first iteration finds in registers is loaded before the loop.
; CHECK: farkas.kept{{.*}}:
; CHECK: load double
; CHECK: farkas.body{{.*}}:
; Only lane 0 of the strip loads its upper neighbour.
; CHECK: %[[L0:[0-9a-z.]+]] = load <4 x double>, ptr %[[R0:farkas.shifted[0-9]*]]
; CHECK: %[[S0:[0-9a-z.]+]] = shufflevector <4 x double> %[[L0]], <4 x double> poison, <4 x i32> <i32 7, i32 0, i32 1, i32 2>
; CHECK: %[[U:[0-9a-z.]+]] = load double
; CHECK: %[[U0:[0-9a-z.]+]] = insertelement <4 x double> %[[S0]], double %[[U]], i32 0
; CHECK: %[[V0:[0-9a-z.]+]] = fadd <4 x double> %[[U0]], %[[L0]]
; CHECK-NOT: load double
; The next vector takes the last lane of this one.
; CHECK: %[[L1:[0-9a-z.]+]] = load <4 x double>, ptr %[[R1:farkas.shifted[0-9]*]]
; CHECK: %[[U1:[0-9a-z.]+]] = shufflevector <4 x double> %[[L1]], <4 x double> %[[L0]], <4 x i32> <i32 7, i32 0, i32 1, i32 2>
; CHECK-NOT: load double
; CHECK: %[[V1:[0-9a-z.]+]] = fadd <4 x double> %[[U1]], %[[L1]]
; CHECK-NOT: load double
; All values grow older.
; CHECK: store <4 x double> %[[V0]], ptr %[[R0]]
; CHECK: store <4 x double> %[[V1]], ptr %[[R1]]
