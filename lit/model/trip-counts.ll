; Trip counts by a profile, for loops that are left from their header and from their latch, and none without one.
;
; RUN: %scop %s 2>&1 | FileCheck %s
;
; CHECK: weighted: loop
; CHECK: domain: {{.*}} S0[i, j]
; CHECK: trip counts: 10, 100
; CHECK: rotated: loop
; CHECK: trip counts: 8
; CHECK: without: loop
; CHECK-NOT: trip counts

define void @weighted(i64 range(i64 0, 1000) %n, ptr noalias %a) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %inner, label %exit, !prof !0

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %outside = icmp sge i64 %j, %n
  br i1 %outside, label %outer.end, label %body, !prof !1

body:
  %at = getelementptr [1000 x double], ptr %a, i64 %j, i64 %i
  %x = load double, ptr %at
  %y = fadd double %x, 1.0
  store double %y, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

define void @rotated(i64 range(i64 1, 1000) %n, ptr noalias %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr double, ptr %a, i64 %i
  store double 1.0, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit, !prof !2

exit:
  ret void
}

define void @without(i64 range(i64 1, 1000) %n, ptr noalias %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr double, ptr %a, i64 %i
  store double 1.0, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

!0 = !{!"branch_weights", i32 100, i32 10}
!1 = !{!"branch_weights", i32 3, i32 299}
!2 = !{!"branch_weights", i32 70, i32 10}
