; Copies of a statement by unrolling access elements of their own, which LLVM is told by alias scopes: only then does it keep the
; elements of a register tile in registers, as rows of a parametric length might overlap otherwise.
; RUN: %opt -passes='farkas<unprofitable;target=x86-64-v3>' -S %s | FileCheck %s
; RUN: %opt -passes='function(farkas<unprofitable;target=x86-64-v3>),default<O2>' -S %s | FileCheck %s --check-prefix=LLVM

; for (i = 0; i < n; i++)
;   for (j = 0; j < n; j++)
;     for (k = 0; k < n; k++)
;       c[i * n + j] += a[i * n + k] * b[j * n + k];
define void @product(i64 %n, ptr noalias %a, ptr noalias %b, ptr noalias %c) {
entry:
  br label %loop.i

loop.i:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end.j ]
  %more.i = icmp slt i64 %i, %n
  br i1 %more.i, label %loop.j, label %exit

loop.j:
  %j = phi i64 [ 0, %loop.i ], [ %j.next, %end.k ]
  %more.j = icmp slt i64 %j, %n
  br i1 %more.j, label %loop.k, label %end.j

loop.k:
  %k = phi i64 [ 0, %loop.j ], [ %k.next, %body ]
  %more.k = icmp slt i64 %k, %n
  br i1 %more.k, label %body, label %end.k

body:
  %row.i = mul nsw i64 %i, %n
  %row.j = mul nsw i64 %j, %n
  %at.a = add nsw i64 %row.i, %k
  %at.b = add nsw i64 %row.j, %k
  %at.c = add nsw i64 %row.i, %j
  %p.a = getelementptr inbounds double, ptr %a, i64 %at.a
  %p.b = getelementptr inbounds double, ptr %b, i64 %at.b
  %p.c = getelementptr inbounds double, ptr %c, i64 %at.c
  %v.a = load double, ptr %p.a, align 8
  %v.b = load double, ptr %p.b, align 8
  %v.c = load double, ptr %p.c, align 8
  %product = fmul double %v.a, %v.b
  %sum = fadd double %v.c, %product
  store double %sum, ptr %p.c, align 8
  %k.next = add nuw nsw i64 %k, 1
  br label %loop.k

end.k:
  %j.next = add nuw nsw i64 %j, 1
  br label %loop.j

end.j:
  %i.next = add nuw nsw i64 %i, 1
  br label %loop.i

exit:
  ret void
}

; There are eight vectors in a full tile, and four where columns are left over.
; CHECK-COUNT-12: noalias.scope.decl
; CHECK: store <4 x double> {{.*}}, !alias.scope ![[OWN:[0-9]+]], !noalias ![[OTHERS:[0-9]+]]

; Where rows are left over, there is code without masks for vectors that are full.
; CHECK: farkas.full
; CHECK: store <4 x double>
; CHECK: farkas.partial
; CHECK: farkas.masked
; CHECK: call void @llvm.masked.store

; CHECK-DAG: ![[OWN]] = !{![[COPY:[0-9]+]], ![[C:[0-9]+]]}
; CHECK-DAG: ![[COPY]] = distinct !{![[COPY]], ![[DOMAIN:[0-9]+]]}
; CHECK-DAG: ![[DOMAIN]] = distinct !{![[DOMAIN]], !"farkas.copies"}
; Not with itself, and not with what is left over of its own row.
; CHECK-DAG: ![[OTHERS]] = !{![[A:[0-9]+]], ![[B:[0-9]+]], {{(![0-9]+, ){9}![0-9]+}}}

; The eight vectors of sums are values of the innermost loop.
; LLVM-COUNT-8: phi <4 x double>
