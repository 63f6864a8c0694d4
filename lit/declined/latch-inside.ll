; RUN: %scop %s 2>&1 | FileCheck %s

; The block that ends an iteration of the outer loop is in the inner loop: the scalar's next value is computed several times
; while this one is still used.
; CHECK: remark: {{.*}}: loop nest left as it is: a scalar is carried around a loop whose iteration ends inside an inner loop
define double @latch_inside(ptr noalias %a, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %inner ]
  %s = phi double [ 1.0, %entry ], [ %s.next, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp sge i64 %i, %n
  br i1 %done, label %exit, label %pre
pre:
  br label %inner
inner:
  %j = phi i64 [ 0, %pre ], [ %j.next, %inner ]
  %p = getelementptr inbounds double, ptr %a, i64 %j
  %x = load double, ptr %p
  %s.next = fadd double %s, %x
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %n
  br i1 %more, label %inner, label %outer
exit:
  ret double %s
}
