; Rows that fill no register tile go around the loop that they would be jammed into, and their branches are as likely as not: registers
; are for full tiles.
; RUN: %opt -passes='farkas<target=zen4;print=ast>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=AST
; RUN: %opt -passes='farkas<target=zen4>' -S %s | FileCheck %s

; AST:      // remainder
; AST-NEXT: for (int [[I:c[0-9]+]] = 4 * {{c[0-9]+}}; [[I]] <= 4 * {{c[0-9]+}} + 3; [[I]] += 1) {
; AST-NEXT:   // remainder
; AST-NEXT:   for (int [[K:c[0-9]+]] = 4 * (n / 4);
; AST-NEXT:     // parallel
; AST-NEXT:     for (int [[J:c[0-9]+]] =
; AST-NEXT:       S0([[I]], [[J]], [[K]]);

; CHECK: br i1 {{.*}}, !prof ![[WEIGHTS:[0-9]+]]
; CHECK: ![[WEIGHTS]] = !{!"branch_weights", i32 1, i32 1}

; for (i = 0; i < n; i++)
;   for (j = 0; j < n; j++)
;     for (k = 0; k < n; k++)
;       c[i * n + j] += a[i * n + k] * b[k * n + j];
define void @product(i64 %n, ptr noalias %c, ptr noalias %a, ptr noalias %b) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %rows, label %end

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = mul nsw i64 %i, %n
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.end ]
  %in = add nsw i64 %row, %j
  %to = getelementptr inbounds double, ptr %c, i64 %in
  br label %sum

sum:
  %k = phi i64 [ 0, %columns ], [ %k.next, %sum ]
  %ik = add nsw i64 %row, %k
  %left = getelementptr inbounds double, ptr %a, i64 %ik
  %x = load double, ptr %left
  %kn = mul nsw i64 %k, %n
  %kj = add nsw i64 %kn, %j
  %right = getelementptr inbounds double, ptr %b, i64 %kj
  %y = load double, ptr %right
  %xy = fmul double %x, %y
  %old = load double, ptr %to
  %new = fadd double %old, %xy
  store double %new, ptr %to
  %k.next = add nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %sum, label %columns.end

columns.end:
  %j.next = add nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %columns, label %rows.end

rows.end:
  %i.next = add nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %rows, label %end

end:
  ret void
}
