; What accesses and operations say of themselves, the clones say too, where it still holds.
;
; RUN: %opt -S -passes='farkas<unprofitable>' %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @add(
; CHECK: farkas.start:
; CHECK: [[X:%.*]] = load double, {{.*}}, align 4, !tbaa ![[TBAA:[0-9]+]], !alias.scope {{.*}}, !llvm.access.group ![[GROUPS:[0-9]+]]
; CHECK: fadd reassoc nnan double
; A ratio holds for any order, a count of calls does not.
; CHECK: select i1 {{.*}} !prof ![[RATIO:[0-9]+]]
; CHECK: call double @llvm.fabs.f64(double %{{[0-9]+}}){{$}}
; CHECK: store double {{.*}}, align 4, !tbaa ![[TBAA]], !alias.scope {{.*}}, !nontemporal
; The new loop has to make progress, as the original; it is not told to be the one that the original's group is parallel in.
; CHECK: br label %farkas.for{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK-DAG: ![[RATIO]] = !{!"branch_weights", i32 3, i32 5}
; CHECK-DAG: ![[GROUPS]] = !{![[OLD:[0-9]+]], ![[NEW:[0-9]+]]}
; CHECK-DAG: ![[LOOP]] = distinct !{![[LOOP]], ![[DONE:[0-9]+]], ![[PROGRESS:[0-9]+]], ![[UNROLL:[0-9]+]], ![[PARALLEL:[0-9]+]]}
; CHECK-DAG: ![[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: ![[UNROLL]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses", ![[NEW]]}

define void @add(i64 range(i64 0, 1000) %n, ptr noalias %a, ptr noalias %b) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %from = getelementptr double, ptr %b, i64 %i
  %x = load double, ptr %from, align 4, !tbaa !0, !llvm.access.group !4
  %y = fadd reassoc nnan double %x, 1.0
  %big = fcmp ogt double %y, 2.0
  %z = select i1 %big, double %y, double 3.0, !prof !5
  %w = call double @llvm.fabs.f64(double %z), !prof !6
  %to = getelementptr double, ptr %a, i64 %i
  store double %w, ptr %to, align 4, !tbaa !0, !nontemporal !7
  %next = add nuw nsw i64 %i, 1
  br label %header, !llvm.loop !8

exit:
  ret void
}

declare double @llvm.fabs.f64(double)

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = distinct !{}
!5 = !{!"branch_weights", i32 3, i32 5}
!6 = !{!"branch_weights", i32 40}
!7 = !{i32 1}
!8 = distinct !{!8, !9, !10, !11}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = !{!"llvm.loop.parallel_accesses", !4}
