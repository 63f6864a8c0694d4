; The limit counts the regions of a compilation, over functions and over positions in the pipeline; those above it are left
; as they are, and say so.
;
; RUN: %opt -passes='farkas<unprofitable>' -farkas-limit=0 -pass-remarks=farkas -pass-remarks-missed=farkas \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: %opt -passes='farkas<unprofitable>' -farkas-limit=0 -S %s | FileCheck %s --check-prefix=UNTOUCHED
; RUN: %opt -passes='farkas<unprofitable>' -farkas-limit=2 -pass-remarks=farkas -pass-remarks-missed=farkas \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWO
; RUN: %opt -passes='farkas<unprofitable;limit=2;only-func=f>,farkas<unprofitable;limit=2>' -pass-remarks=farkas \
; RUN:   -pass-remarks-missed=farkas -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWO
; RUN: %opt -passes='farkas<unprofitable>' -pass-remarks=farkas -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ALL
; RUN: not %opt -passes=farkas -farkas-limit=-1 -disable-output %s 2>&1 | FileCheck %s --check-prefix=WRONG
;
; NONE-COUNT-3: remark: {{.*}}: loop nest left as it is: region {{[123]}} is above the limit
; UNTOUCHED-NOT: farkas{{[.]}}
; TWO: loop nest transformed: {{.*}} (region 1, in f)
; TWO: loop nest transformed: {{.*}} (region 2, in f)
; TWO: loop nest left as it is: region 3 is above the limit
; ALL-COUNT-3: loop nest transformed: {{[^(]*$}}
; WRONG: '-1' is no limit: expected a number of regions

define void @f(ptr noalias %a, i64 %n) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 1.0, ptr %p
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i.next, 100
  br i1 %more, label %first, label %between

between:
  fence seq_cst
  br label %second

second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %q = getelementptr double, ptr %a, i64 %j
  store double 2.0, ptr %q
  %j.next = add nsw i64 %j, 1
  %again = icmp slt i64 %j.next, 100
  br i1 %again, label %second, label %done

done:
  ret void
}

define void @g(ptr noalias %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 1.0, ptr %p
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i.next, 100
  br i1 %more, label %loop, label %done

done:
  ret void
}
