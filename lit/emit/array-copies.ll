; Copies of a temporary row: behind the guard they are allocated, and the original runs where there is no memory. The row is copied back from that of the
; last iteration, and the memory is given back. Accesses that are known to be aligned to more than an element are where the row is in a line.
;
; RUN: %opt -passes='farkas<verify=true>' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @row(
; CHECK: br i1 {{%.*}}, label %farkas.memory, label %[[ORIGINAL:.*]], !farkas.guard
; CHECK: farkas.memory:
; The bytes of a row, in an odd number of lines.
; CHECK: [[BYTES:%.*]] = mul i64 8, [[N:%.*]]
; CHECK: [[ROUNDED:%.*]] = add i64 [[BYTES]], 63
; CHECK-NEXT: [[LINES:%.*]] = lshr i64 [[ROUNDED]], 6
; CHECK-NEXT: [[ODD:%.*]] = or i64 [[LINES]], 1
; CHECK-NEXT: [[SIZE:%.*]] = mul i64 [[ODD]], 64
; CHECK-NEXT: [[ALL:%.*]] = mul i64 [[SIZE]], 32
; CHECK-NEXT: [[END:%.*]] = add i64 64, [[ALL]]
; CHECK-NEXT: icmp ule i64 [[END]], 16777216
; CHECK: br i1 {{%.*}}, label %farkas.allocate, label %[[ORIGINAL]]
; CHECK: farkas.allocate:
; CHECK-NEXT: [[MEMORY:%.*]] = call noalias ptr @malloc(i64 [[END]])
; CHECK-NEXT: [[IS_THERE:%.*]] = icmp ne ptr [[MEMORY]], null
; CHECK-NEXT: br i1 [[IS_THERE]], label %farkas.start, label %[[ORIGINAL]],
; The last copy.
; CHECK: [[LAST:%.*]] = add i64 -1, [[N]]
; CHECK: [[COPY:%.*]] = and i64 [[LAST]], 31
; CHECK: [[DISTANCE:%.*]] = mul i64 [[COPY]], [[SIZE]]
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 1 {{%.*}}, ptr align 1 {{%.*}}, i64 {{%.*}}, i1 false)
; CHECK-NEXT: call void @free(ptr [[MEMORY]])
define void @row(i64 %n, ptr noalias %a, ptr noalias %x, ptr noalias %t) "target-cpu"="x86-64-v3" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %rows, label %exit

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %behind ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %column.end ]
  %t.j = getelementptr double, ptr %t, i64 %j
  store double 0.0, ptr %t.j
  br label %sum

sum:
  %k = phi i64 [ 0, %columns ], [ %k.next, %sum ]
  %x.row = mul i64 %i, %n
  %x.index = add i64 %x.row, %k
  %x.ik = getelementptr double, ptr %x, i64 %x.index
  %x.value = load double, ptr %x.ik
  %a.row = mul i64 %k, %n
  %a.index = add i64 %a.row, %j
  %a.kj = getelementptr double, ptr %a, i64 %a.index
  %a.value = load double, ptr %a.kj
  %product = fmul double %x.value, %a.value
  %before = load double, ptr %t.j
  %after = fadd double %before, %product
  store double %after, ptr %t.j
  %k.next = add nuw nsw i64 %k, 1
  %k.end = icmp eq i64 %k.next, %n
  br i1 %k.end, label %column.end, label %sum

column.end:
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %n
  br i1 %j.end, label %copy, label %columns

copy:
  %l = phi i64 [ 0, %column.end ], [ %l.next, %copy ]
  %t.l = getelementptr double, ptr %t, i64 %l
  %value = load double, ptr %t.l
  %y.row = mul i64 %i, %n
  %y.index = add i64 %y.row, %l
  %x.il = getelementptr double, ptr %x, i64 %y.index
  store double %value, ptr %x.il
  %l.next = add nuw nsw i64 %l, 1
  %l.end = icmp eq i64 %l.next, %n
  br i1 %l.end, label %behind, label %copy

behind:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %n
  br i1 %i.end, label %exit, label %rows

exit:
  ret void
}

; A module that has an allocator of its own has no other one.
; RUN: sed -e 's/@row(/@other(/' %s > %t.ll
; RUN: echo 'define ptr @malloc(i64 %%n) { ret ptr null }' >> %t.ll
; RUN: %opt -passes='farkas<verify=true>' -S %t.ll | FileCheck %s --check-prefix=OWN
; Nor is one called where that is asked for.
; RUN: sed -e 's/@row(/@other(/' %s > %t.option.ll
; RUN: %opt -passes='farkas<verify=true;allocate=false>' -S %t.option.ll | FileCheck %s --check-prefix=OWN
; Nor has a kernel of an operating system one.
; RUN: sed -e 's/@row(/@other(/; s/"target-cpu"/noredzone "target-cpu"/' %s > %t.kernel.ll
; RUN: %opt -passes='farkas<verify=true>' -S %t.kernel.ll | FileCheck %s --check-prefix=OWN
; OWN-LABEL: @other(
; OWN-NOT: call {{.*}}@malloc
