; What is between markers is cut out only where any thread may execute it. Otherwise it stays in place, without markers.
; RUN: %opt -S -passes=farkas-threads,verify -pass-remarks-missed=farkas %s 2>%t | FileCheck %s
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n8:16:32:64-S128"

@of_thread = thread_local global [64 x double] zeroinitializer

declare double @sqrt(double) memory(errnomem: write) nounwind willreturn
declare void @use(i64)
declare ptr @llvm.threadlocal.address.p0(ptr)

; A call that sets the variable `errno` of its thread.
; REMARK: stays on one thread: a call may set errno, or other variables of the thread
; CHECK-LABEL: define void @errno(
; CHECK-NOT: asm
; CHECK: phi i64 [ 0, %entry{{.*}} ]
; CHECK: icmp slt i64 %next, %last
; CHECK-NOT: asm
define void @errno(i64 %last, ptr %a) {
entry:
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  %end = extractvalue { i64, i64 } %pair, 1
  br label %loop

loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %at
  %y = call double @sqrt(double %x)
  store double %y, ptr %at
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %exit

exit:
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret void
}

; A call that may throw.
; REMARK: stays on one thread: it may throw
; CHECK-LABEL: define void @throws(
; CHECK-NOT: asm
; CHECK: call void @use
define void @throws(i64 %last) {
entry:
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  %end = extractvalue { i64, i64 } %pair, 1
  call void @use(i64 %end)
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret void
}

; The loop is entered by ways that do not come from the marker.
; REMARK: stays on one thread: it is entered in several places
; CHECK-LABEL: define void @two_entries(
; CHECK-NOT: asm
; CHECK: ret void
define void @two_entries(i64 %last, i1 %c, ptr %a) {
entry:
  br label %begin

begin:
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  br label %inside

inside:
  %next = phi i64 [ %first, %begin ], [ %other, %again ]
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  store i64 %next, ptr %a
  br i1 %c, label %again, label %exit

again:
  %other = load i64, ptr %a
  br label %inside

exit:
  ret void
}

; The end is gone.
; REMARK: stays on one thread: it has no end
; CHECK-LABEL: define i64 @no_end(
; CHECK-NEXT: ret i64 0
define i64 @no_end(i64 %last) {
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  ret i64 %first
}

; A value of the last iteration is used behind the loop.
; REMARK: stays on one thread: it computes a value that is used behind it
; CHECK-LABEL: define double @live_out(
; CHECK-NOT: asm
; CHECK: ret double %x
define double @live_out(i64 %last, ptr %a) {
entry:
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  %end = extractvalue { i64, i64 } %pair, 1
  br label %loop

loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %at
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %exit

exit:
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret double %x
}

; A variable that is neither handed to other threads nor private may be a part of a private one.
; REMARK: stays on one thread: it is not known which variables its iterations share
; CHECK-LABEL: define void @unknown(
; CHECK-NEXT: %v = alloca i64, align 8
; CHECK-NOT: asm
; CHECK: store volatile i64 0, ptr %v
define void @unknown(i64 %last) {
  %v = alloca i64
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  store volatile i64 %first, ptr %v
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret void
}

; REMARK: stays on one thread: it accesses variables of the thread
; CHECK-LABEL: define void @direct(
; CHECK: store i64 0, ptr @of_thread
define void @direct(i64 %last) {
  %pair = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 %last) "farkas-threads"="static"
  %first = extractvalue { i64, i64 } %pair, 0
  store i64 %first, ptr @of_thread
  call void asm sideeffect "", "r,~{memory}"(i64 %first) "farkas-threads"="end"
  ret void
}

; REMARK-NOT: stays on one thread
