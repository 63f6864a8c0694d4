; What lane 0 computes for all lanes has no flags where lane 0 may not use it: it would be poison for all of them.
; RUN: %opt -passes='farkas<unprofitable;vectorize=force;target=x86-64-v3>' -S %s | FileCheck %s

; for (i = 0; i < n; i++)
;   for (j = 0; j < n; j++)
;     if (c[j * n + i] > 0)
;       s[i] = s[i] * a[x[j] + i];
; The address of `a` is computed in any case, and used under the condition.
define void @offsets(i64 %n, ptr noalias %c, ptr noalias %x, ptr noalias %a, ptr noalias %s) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %more.i = icmp slt i64 %i, %n
  br i1 %more.i, label %inner, label %exit

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %latch ]
  %more.j = icmp slt i64 %j, %n
  br i1 %more.j, label %body, label %outer.end

body:
  %row = mul nsw i64 %j, %n
  %at = add nsw i64 %row, %i
  %p.c = getelementptr inbounds double, ptr %c, i64 %at
  %v.c = load double, ptr %p.c, align 8
  %p.x = getelementptr inbounds i64, ptr %x, i64 %j
  %v.x = load i64, ptr %p.x, align 8
  %at.a = add nsw i64 %v.x, %i
  %p.a = getelementptr inbounds double, ptr %a, i64 %at.a
  %p.s = getelementptr inbounds double, ptr %s, i64 %i
  %holds = fcmp ogt double %v.c, 0.0
  br i1 %holds, label %then, label %latch

then:
  %v.a = load double, ptr %p.a, align 8
  %v.s = load double, ptr %p.s, align 8
  %product = fmul double %v.s, %v.a
  store double %product, ptr %p.s, align 8
  br label %latch

latch:
  %j.next = add nuw nsw i64 %j, 1
  br label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  br label %outer

exit:
  ret void
}

; CHECK-LABEL: define void @offsets(
; CHECK: farkas.body{{[0-9]*}}:
; Every lane loads of `c`.
; CHECK: %[[C:[0-9a-z.]+]] = getelementptr inbounds double, ptr %c,
; CHECK: load <4 x double>, ptr %[[C]]
; CHECK: %[[AT:[0-9a-z.]+]] = add i64 %{{[0-9]+}}, %
; CHECK: %[[A:[0-9a-z.]+]] = getelementptr double, ptr %a, i64 %[[AT]]
; CHECK: call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %[[A]]
