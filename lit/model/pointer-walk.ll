; A pointer that walks: its phi leads back to itself, in which the search for declared row sizes once went round for ever.
; RUN: %scop %s 2>&1 | FileCheck %s

; CHECK: walk: loop
; CHECK: write: {{.*}} -> w[
define void @walk(i64 %n, ptr %w) {
entry:
  br label %header

header:
  %i = phi i64 [ %i.next, %body ], [ 0, %entry ]
  %p = phi ptr [ %p.next, %body ], [ %w, %entry ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %v = load double, ptr %p
  %d = fmul double %v, 2.0
  %q = getelementptr inbounds i8, ptr %p, i64 8
  store double %d, ptr %q
  %p.next = getelementptr inbounds i8, ptr %p, i64 16
  %i.next = add nsw i64 %i, 1
  br label %header

exit:
  ret void
}
