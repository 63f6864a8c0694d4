; Iterations on threads accumulate in copies, which begin with the neutral element. Chunks combine them in turns, in the order of their
; iterations. A maximum begins with the value in front of the loop.
; RUN: %opt -S -passes='farkas<parallel=force>' %s | FileCheck %s --check-prefix=MARKED
; RUN: %opt -S -passes='function(farkas<parallel=force>,sroa),farkas-threads,verify' %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n8:16:32:64-S128"

; MARKED-LABEL: define i32 @sum(
; MARKED: farkas.some:
; MARKED: [[BEFORE:%.*]] = load i32, ptr [[SLOT:%s[0-9]+]]
; MARKED: store i32 [[BEFORE]], ptr [[ALL:%farkas.all]]
; MARKED: asm sideeffect "", "r,~{memory}"(ptr [[ALL]]) [[SHARED:#[0-9]+]]
; MARKED: [[PAIR:%.*]] = call { i64, i64 } asm sideeffect "", "=r,=r,0,1,~{memory}"(i64 0, i64 {{.*}})
; MARKED: [[FIRST:%.*]] = extractvalue { i64, i64 } [[PAIR]], 0
; MARKED: [[LAST:%.*]] = extractvalue { i64, i64 } [[PAIR]], 1
; MARKED: store i32 0, ptr [[COPY:%.*]]
; MARKED: farkas.for
; MARKED: farkas.end:
; MARKED: asm sideeffect "", "r,r,~{memory}"(ptr %farkas.turn, i64 [[FIRST]]) [[TURN:#[0-9]+]]
; MARKED-DAG: load i32, ptr [[ALL]]
; MARKED-DAG: load i32, ptr [[COPY]]
; MARKED: [[SUM:%.*]] = add i32
; MARKED: store i32 [[SUM]], ptr [[ALL]]
; MARKED: [[NEXT:%.*]] = add nsw i64 [[LAST]], 1
; MARKED: asm sideeffect "", "r,r,~{memory}"(ptr %farkas.turn, i64 [[NEXT]]) [[PASS:#[0-9]+]]
; MARKED: asm sideeffect "", "r,~{memory}"(i64 [[FIRST]]) [[END:#[0-9]+]]
; MARKED: [[RESULT:%.*]] = load i32, ptr [[ALL]]
; MARKED: store i32 [[RESULT]], ptr [[SLOT]]

; CHECK-LABEL: define internal void @sum.farkas.0(
; CHECK: call void @farkas.turn(ptr [[TURN:%.*]], i64 %{{.*}})
; CHECK: call void @farkas.pass(ptr [[TURN]], i64 %{{.*}})
; CHECK: ret void

; CHECK-LABEL: define internal void @farkas.turn(ptr %0, i64 %1)
; CHECK: [[NOW:%.*]] = load atomic i64, ptr %0 acquire, align 8
; CHECK: icmp eq i64 [[NOW]], %1

; CHECK-LABEL: define internal void @farkas.pass(ptr %0, i64 %1)
; CHECK: store atomic i64 %1, ptr %0 release, align 8

; CHECK-LABEL: define internal void @greatest.farkas.0(
; CHECK: call i32 @llvm.smax.i32(
; CHECK: call void @farkas.turn(
; CHECK: call i32 @llvm.smax.i32(
; CHECK: call void @farkas.pass(

define i32 @sum(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 5, %entry ], [ %s.next, %loop ]
  %address = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %address
  %s.next = add nsw i32 %s, %x
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

define i32 @greatest(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 5, %entry ], [ %s.next, %loop ]
  %address = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %address
  %s.next = call i32 @llvm.smax.i32(i32 %s, i32 %x)
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
