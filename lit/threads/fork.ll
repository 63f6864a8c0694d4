; A loop under a `parallel` mark stays in its function, between markers, until the passes on functions are through. Then it is
; cut out, with a microtask that deals out its iterations, and a decision in its place. Where there is one thread, the loop runs without
; markers.
; RUN: %opt -S -passes='farkas<parallel=force>' %s | FileCheck %s --check-prefix=MARKED
; RUN: %opt -S -passes='function(farkas<parallel=force>,sroa),farkas-threads,verify' %s | FileCheck %s
; RUN: %opt -disable-output -passes='function(farkas<parallel=force>,sroa),farkas-threads' -pass-remarks-missed=farkas %s 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: sed 's/^; OPENMP //' %s | %opt -S -passes='function(farkas<parallel=force>,sroa),farkas-threads' | FileCheck %s --check-prefix=STRONG
; RUN: sed 's/p:64:64/p:32:32/' %s | %opt -S -passes='function(farkas<parallel=force>,sroa),farkas-threads,verify' | FileCheck %s --check-prefix=NARROW
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n8:16:32:64-S128"

; REMARK: parallel loops run on threads if the program is linked with -fopenmp, and on one thread if it is not

; STRONG-NOT: extern_weak
; STRONG: declare void @__kmpc_fork_call

; NARROW-NOT: asm
; NARROW-NOT: kmpc

; MARKED-LABEL: define void @scale(
; MARKED: farkas.start:
; MARKED: br i1 true, label %farkas.several, label %farkas.single
; MARKED: farkas.several:
; MARKED: asm sideeffect "", "=r,0"(i64 0) [[TEAM:#[0-9]+]]
; MARKED: br i1 {{.*}}, label %farkas.team, label %farkas.single
; MARKED: farkas.team:
; MARKED: call void asm sideeffect "", "r,~{memory}"(ptr %a) [[SHARED:#[0-9]+]]
; MARKED: [[PAIR:%.*]] = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 [[LAST:%.*]]) [[BEGIN:#[0-9]+]]
; MARKED: [[FROM:%.*]] = extractvalue { i64, i64 } [[PAIR]], 0
; MARKED: farkas.for
; MARKED: farkas.end:
; MARKED: call void asm sideeffect "", "r,~{memory}"(i64 [[FROM]]) [[END:#[0-9]+]]
; MARKED: preds = {{.*}}, %farkas.single
; MARKED-NOT: asm
; MARKED: {{^}}}
; MARKED-DAG: attributes [[TEAM]] = { convergent nomerge nounwind "farkas-threads"="team" }
; MARKED-DAG: attributes [[SHARED]] = { convergent nomerge nounwind "farkas-threads"="shared" }
; MARKED-DAG: attributes [[BEGIN]] = { convergent nomerge nounwind "farkas-threads"="static" }
; MARKED-DAG: attributes [[END]] = { convergent nomerge nounwind "farkas-threads"="end" }

; CHECK: @.farkas.place = private unnamed_addr constant { i32, i32, i32, i32, ptr } { i32 0, i32 2, i32 0, i32 22, ptr @.farkas.place.name }
; CHECK-LABEL: define void @scale(
; CHECK-NOT: asm
; CHECK: br i1 {{.*}}, label %farkas.team, label %farkas.single
; CHECK: [[MAY:%.*]] = icmp sgt i64
; CHECK-NEXT: br i1 [[MAY]], label %farkas.ask, label %farkas.alone
; CHECK: farkas.ask:
; CHECK-NEXT: [[TEAM:%.*]] = call i1 @farkas.has_team()
; CHECK-NEXT: br i1 [[TEAM]], label %farkas.fork, label %farkas.alone
; CHECK: farkas.fork:
; CHECK-NEXT: call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @.farkas.place, i32 2, ptr @scale.farkas.0.threads, ptr [[VALUES:%.*]], i64 [[LAST:%.*]])
; CHECK: farkas.alone:
; CHECK-NEXT: call void @scale.farkas.0(i64 0, i64 [[LAST]], ptr [[VALUES]])

; CHECK-LABEL: define internal void @scale.farkas.0(i64 %0, i64 %1, ptr %2)
; CHECK-SAME: [[CHUNK:#[0-9]+]]
; CHECK-NOT: asm
; CHECK: load double, {{.*}} !llvm.access.group
; CHECK: ret void

; CHECK-LABEL: define internal void @scale.farkas.0.threads(ptr %0, ptr %1, ptr %2, i64 %3)
; CHECK: store i64 0, ptr %lower
; CHECK: store i64 %3, ptr %upper
; CHECK: [[THREAD:%.*]] = load i32, ptr %0
; CHECK: call void @__kmpc_for_static_init_8(ptr @.farkas.place, i32 [[THREAD]], i32 34, ptr %is.last, ptr %lower, ptr %upper, ptr %stride, i64 1, i64 1)
; CHECK: call void @scale.farkas.0(i64 %first, i64 {{%.*}}, ptr %2)
; CHECK: call void @__kmpc_for_static_fini(ptr @.farkas.place, i32 [[THREAD]])
; CHECK-NEXT: ret void

; CHECK: declare extern_weak void @__kmpc_for_static_init_8
; CHECK-LABEL: define internal i1 @farkas.has_team()
; CHECK: icmp ne ptr @__kmpc_fork_call, null
; CHECK: call i32 @omp_in_parallel()
; CHECK: call i32 @omp_get_max_threads()
; CHECK: declare extern_weak void @__kmpc_fork_call(ptr, i32, ptr, ...)
; CHECK: attributes [[CHUNK]] = { noinline nounwind {{.*}}"target-cpu"="x86-64-v3"

define void @scale(i64 %n, ptr noalias %a) "target-cpu"="x86-64-v3" {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %at, align 8
  %y = fmul double %x, 3.0
  store double %y, ptr %at, align 8
  %next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

; OPENMP !llvm.module.flags = !{!0}
; OPENMP !0 = !{i32 7, !"openmp", i32 51}
