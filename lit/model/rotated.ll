; Loops that are left from their latch.
;
; RUN: %scop %s 2>&1 | FileCheck %s

; The sum before the last iteration is used after the loop: a second scalar slot, since the latch has overwritten the first one.
; CHECK: live_out: loop
; CHECK: scalar slot sum: double from 0.0
; CHECK: scalar slot sum_1: double{{$}}
; CHECK: domain: [n] -> { S0[i = 0] : n <= 1; S0[i] : 0 <= i < n and n >= 2 }
; CHECK: read: {{.*}} -> sum[]
; CHECK: write: {{.*}} -> sum[]
; CHECK: write: {{.*}} -> sum_1[]
; CHECK: live out %sum: sum_1
define double @live_out(ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %ext = zext nneg i32 %i to i64
  %p = getelementptr inbounds double, ptr %a, i64 %ext
  %x = load double, ptr %p
  %sum.next = fadd double %sum, %x
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %sum
}

; A pointer that runs through an array is a subscript, too.
; CHECK: pointer: loop
; CHECK: array a: memory, 4 bytes, []{{$}}
; CHECK: write: {{.*}} -> a[(p)]
define void @pointer(ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %p.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 0, ptr %p
  %p.next = getelementptr inbounds i32, ptr %p, i64 1
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Two sums that change places: each phi's scalar slot is read before any is written.
; CHECK: swap: loop
; CHECK: statement S0
; CHECK-DAG: read: {{.*}} -> x[]
; CHECK-DAG: read: {{.*}} -> y[]
; CHECK: write: {{.*}} -> x[]
; CHECK: write: {{.*}} -> y[]
define double @swap(double %u, double %v, i32 %n) {
entry:
  br label %loop
loop:
  %x = phi double [ %u, %entry ], [ %y, %latch ]
  %y = phi double [ %v, %entry ], [ %x, %latch ]
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %latch, label %exit
latch:
  %next = add nuw nsw i32 %i, 1
  br label %loop
exit:
  ret double %x
}

; A value of a frozen instruction is not computed twice.
; CHECK: frozen: loop
; CHECK: scalar slot f: i32
define void @frozen(ptr noalias %a, ptr noalias %b, i32 %u, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %f = freeze i32 %u
  %ext = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %ext
  store i32 %f, ptr %p
  %c = icmp slt i32 %i, 7
  br i1 %c, label %then, label %latch
then:
  %q = getelementptr inbounds i32, ptr %b, i64 %ext
  store i32 %f, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
