; Loops under a `vector` mark become vector code, each instruction of a statement once for all lanes.
; RUN: %opt -passes='farkas<unprofitable;vectorize=force;target=x86-64-v3>' -S %s | FileCheck %s

; for (i = 0; i < n; i++)
;   for (j = 0; j < m; j++)
;     s[i] += a[i * m + j] * x[j];
; The sum of each row stays in order. Lanes are rows: `s` is consecutive, `a` apart, `x` the same for all of them.
define void @rows(i64 %n, i64 %m, ptr noalias %a, ptr noalias %x, ptr noalias %s) {
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
  %row = mul nsw i64 %i, %m
  %at = add nsw i64 %row, %j
  %p.a = getelementptr inbounds double, ptr %a, i64 %at
  %v.a = load double, ptr %p.a, align 8, !tbaa !0
  %p.x = getelementptr inbounds double, ptr %x, i64 %j
  %v.x = load double, ptr %p.x, align 8, !tbaa !0
  %product = fmul nnan double %v.a, %v.x
  %p.s = getelementptr inbounds double, ptr %s, i64 %i
  %v.s = load double, ptr %p.s, align 8, !tbaa !0
  %sum = fadd double %v.s, %product
  store double %sum, ptr %p.s, align 8, !tbaa !0
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

; CHECK-LABEL: define void @rows(
; CHECK: farkas.for{{.*}}:
; CHECK: farkas.body{{.*}}:
; Four iterations in a block: a row of `a` for each lane, transposed in registers.
; CHECK: farkas.body{{.*}}:
; CHECK: %[[R0:[0-9a-z.]+]] = load <4 x double>, ptr %{{.*}}, align 8, !tbaa !{{[0-9]+}}, !alias.scope !{{[0-9]+}}, !noalias
; CHECK: %[[R1:[0-9a-z.]+]] = load <4 x double>
; CHECK: %[[R2:[0-9a-z.]+]] = load <4 x double>
; CHECK: %[[R3:[0-9a-z.]+]] = load <4 x double>
; CHECK: %[[L0:[0-9a-z.]+]] = shufflevector <4 x double> %[[R0]], <4 x double> %[[R2]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK: shufflevector <4 x double> %[[R0]], <4 x double> %[[R2]], <4 x i32> <i32 2, i32 3, i32 6, i32 7>
; CHECK: %[[L1:[0-9a-z.]+]] = shufflevector <4 x double> %[[R1]], <4 x double> %[[R3]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK: shufflevector <4 x double> %[[R1]], <4 x double> %[[R3]], <4 x i32> <i32 2, i32 3, i32 6, i32 7>
; CHECK: %[[C0:[0-9a-z.]+]] = shufflevector <4 x double> %[[L0]], <4 x double> %[[L1]], <4 x i32> <i32 0, i32 4, i32 2, i32 6>
; CHECK: %[[C1:[0-9a-z.]+]] = shufflevector <4 x double> %[[L0]], <4 x double> %[[L1]], <4 x i32> <i32 1, i32 5, i32 3, i32 7>
; CHECK: fmul nnan <4 x double> %[[C0]]
; CHECK: store <4 x double>
; CHECK: fmul nnan <4 x double> %[[C1]]
; CHECK: store <4 x double>
; CHECK: store <4 x double>
; CHECK: store <4 x double>
; CHECK-NOT: store
; CHECK: br label %farkas.for{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
; The iterations that fill no block.
; CHECK: farkas.body{{.*}}:
; CHECK: %[[A0:[0-9a-z.]+]] = load double, ptr %{{.*}}, align 8, !tbaa ![[TBAA:[0-9]+]], !alias.scope ![[A:[0-9]+]], !noalias
; CHECK: insertelement <4 x double> poison, double %[[A0]], i32 0
; CHECK: load double, ptr %{{.*}}, align 8, !tbaa ![[TBAA]], !alias.scope ![[A]]
; CHECK: insertelement <4 x double> %{{.*}}, i32 3
; CHECK: %[[X:[0-9a-z.]+]] = load double, ptr %{{.*}}, align 8, !tbaa
; CHECK: %[[ONE:[0-9a-z.]+]] = insertelement <4 x double> poison, double %[[X]], i32 0
; CHECK: %[[ALL:[0-9a-z.]+]] = shufflevector <4 x double> %[[ONE]], <4 x double> poison, <4 x i32> zeroinitializer
; CHECK: %[[P:[0-9a-z.]+]] = fmul nnan <4 x double> %{{.*}}, %[[ALL]]
; The sums are in a register along the loop, and are stored behind it.
; CHECK: %[[S:[0-9a-z.]+]] = load <4 x double>, ptr %farkas.kept
; CHECK: %[[SUM:[0-9a-z.]+]] = fadd <4 x double> %[[S]], %[[P]]
; CHECK: store <4 x double> %[[SUM]], ptr %farkas.kept
; CHECK: br label %farkas.for{{.*}}, !llvm.loop !{{[0-9]+}}
; The rest of the rows: a mask leaves out the other lanes. Those that are apart repeat the first one.
; CHECK: farkas.masked:
; CHECK: icmp ult <4 x i64> <i64 0, i64 1, i64 2, i64 3>,
; CHECK: call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %{{.*}}, <4 x i1> %{{.*}}, <4 x double> poison), !tbaa
; CHECK: %[[ON:[0-9a-z.]+]] = icmp ugt i64 %{{.*}}, 1
; CHECK: select i1 %[[ON]], i64 %{{.*}}, i64 0
; CHECK: farkas.end
; CHECK: call void @llvm.masked.store.v4f64.p0(<4 x double> %{{.*}}, ptr align 8 %{{.*}}, <4 x i1> %{{.*}})

; A call without a vector form: the loop stays one.
define void @calls(i64 %n, ptr noalias %x, ptr noalias %s) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more.i = icmp slt i64 %i, %n
  br i1 %more.i, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %more.j = icmp slt i64 %j, %n
  br i1 %more.j, label %body, label %outer.end

body:
  %p.x = getelementptr inbounds double, ptr %x, i64 %j
  %v.x = load double, ptr %p.x, align 8
  %p.s = getelementptr inbounds double, ptr %s, i64 %i
  %v.s = load double, ptr %p.s, align 8
  %v = call double @twice(double %v.s, double %v.x)
  store double %v, ptr %p.s, align 8
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

; CHECK-LABEL: define void @calls(
; CHECK-NOT: x double>
; CHECK: ret void

declare double @twice(double, double) nounwind willreturn memory(none)

; CHECK: ![[LOOP]] = distinct !{![[LOOP]], !{{[0-9]+}}, ![[VECTORIZED:[0-9]+]]}
; CHECK: ![[VECTORIZED]] = !{!"llvm.loop.isvectorized", i32 1}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"types"}
