; What the code between markers takes with it, and what it leaves behind.
; RUN: %opt -S -passes=farkas-threads,verify %s | FileCheck %s

target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n8:16:32:64-S128"

@of_thread = thread_local global [64 x double] zeroinitializer

declare ptr @llvm.threadlocal.address.p0(ptr)

; The address of a variable of the thread is that of the thread that forks.
; CHECK-LABEL: define void @thread_local(
; CHECK: [[ADDRESS:%.*]] = call ptr @llvm.threadlocal.address.p0(ptr @of_thread)
; CHECK: store ptr [[ADDRESS]], ptr %gep_
define void @thread_local(i64 %last) {
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  %p = call ptr @llvm.threadlocal.address.p0(ptr @of_thread)
  store i64 %first, ptr %p
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret void
}

; A private variable moves, with addresses in it that were computed in front. A shared one stays where it is.
; CHECK-LABEL: define i64 @variables(
; CHECK-NOT: %private = alloca
; CHECK: %shared = alloca [4 x i64]
; CHECK: load i64, ptr %shared
define i64 @variables(i64 %last) {
  %private = alloca [4 x i64], !farkas.private !0
  %shared = alloca [4 x i64]
  %second = getelementptr i64, ptr %private, i64 1
  %third = getelementptr i64, ptr %second, i64 1
  call void asm sideeffect "", "r,~{memory}"(ptr %shared) "farkas-threads"="shared"
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  store volatile i64 %first, ptr %third
  %x = load volatile i64, ptr %third
  %at = getelementptr i64, ptr %shared, i64 %x
  store i64 %x, ptr %at
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  %y = load i64, ptr %shared
  ret i64 %y
}

; What is computed inside of what is known outside, and used behind, is computed in front.
; CHECK-LABEL: define i64 @hoisted(
; CHECK: [[TWICE:%.*]] = shl i64 %n, 1
; CHECK: [[SUM:%.*]] = add i64 [[TWICE]], 5
; CHECK: ret i64 [[SUM]]
define i64 @hoisted(i64 %last, i64 %n, ptr %a) {
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  %twice = shl i64 %n, 1
  %sum = add i64 %twice, 5
  %at = getelementptr i64, ptr %a, i64 %first
  store i64 %sum, ptr %at
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret i64 %sum
}

; Numbers are no poison.
; CHECK-LABEL: define void @frozen(
; CHECK-NOT: freeze
; CHECK: call void @frozen.farkas.0(
define void @frozen(i64 %last, ptr %a) {
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %well.defined = freeze { i64, i64 } %pair
  %some = extractvalue { i64, i64 } %well.defined, 0
  %first = freeze i64 %some
  %end = extractvalue { i64, i64 } %pair, 1
  %at = getelementptr i64, ptr %a, i64 %first
  store i64 %end, ptr %at
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret void
}

; There is one team: markers inside go away, and parts of uneven iterations go round all threads.
; CHECK-LABEL: define void @nested(
define void @nested(i64 %last, ptr %a) {
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="cyclic"
  %first = extractvalue { i64, i64 } %pair, 0
  %inner = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 7) "farkas-threads"="static"
  %inner.first = extractvalue { i64, i64 } %inner, 0
  %at = getelementptr i64, ptr %a, i64 %first
  store i64 %inner.first, ptr %at
  call void asm sideeffect "", "r,~{memory}"(i64 %inner.first) "farkas-threads"="end"
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret void
}

; Whether there are several threads is asked at run time, if there is anything to fork.
; CHECK-LABEL: define i1 @asked(
; CHECK: [[TEAM:%.*]] = call i1 @farkas.has_team()
; CHECK: [[NUMBER:%.*]] = zext i1 [[TEAM]] to i64
; CHECK: icmp ne i64 [[NUMBER]], 0
define i1 @asked(i64 %last, ptr %a) {
  %answer = call i64 asm sideeffect "", "=r,0"(i64 0) "farkas-threads"="team"
  %team = icmp ne i64 %answer, 0
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  store i64 %first, ptr %a
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret i1 %team
}

; CHECK-LABEL: define i1 @nothing_to_fork(
; CHECK-NEXT: icmp ne i64 0, 0
define i1 @nothing_to_fork() {
  %answer = call i64 asm sideeffect "", "=r,0"(i64 0) "farkas-threads"="team"
  %team = icmp ne i64 %answer, 0
  ret i1 %team
}

; What was cut out comes behind.
; CHECK-LABEL: define internal void @thread_local.farkas.0(
; CHECK-NOT: @of_thread
; CHECK: ret void
; CHECK-LABEL: define internal void @variables.farkas.0(i64 %0, ptr %1)
; CHECK: %private = alloca [4 x i64]
; CHECK: [[SECOND:%.*]] = getelementptr i64, ptr %private, i64 1
; CHECK: [[THIRD:%.*]] = getelementptr i64, ptr [[SECOND]], i64 1
; CHECK: store volatile i64 %0, ptr [[THIRD]]
; CHECK-LABEL: define internal void @nested.farkas.0(
; CHECK-NOT: asm
; CHECK: store i64 0, ptr
; CHECK-LABEL: define internal void @nested.farkas.0.threads(
; CHECK: [[THREADS:%.*]] = call i32 @omp_get_num_threads()
; CHECK: [[WIDE:%.*]] = sext i32 [[THREADS]] to i64
; CHECK: [[PARTS:%.*]] = mul nsw i64 [[WIDE]], 32
; CHECK: [[SIZE:%.*]] = sdiv i64 %3, [[PARTS]]
; CHECK: [[PART:%.*]] = add nsw i64 [[SIZE]], 1
; CHECK: call void @__kmpc_for_static_init_8({{.*}}, i32 33, {{.*}}, i64 1, i64 [[PART]])

!0 = !{}
