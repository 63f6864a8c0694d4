; The last iteration of a counter of two bits, in which four buffers have no number: which one it is is found in 64 bits.
;
; RUN: %opt -passes='farkas<unprofitable=true>' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @last(
; CHECK: [[WIDE:%.*]] = zext i2 %last to i64
; CHECK: [[TURN:%.*]] = urem i64 [[WIDE]], 4
; CHECK: icmp eq i64 [[TURN]], 1
; CHECK: icmp eq i64 [[TURN]], 2
; CHECK: icmp eq i64 [[TURN]], 3
define ptr @last(i2 %last, ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %d) {
entry:
  br label %steps

steps:
  %t = phi i2 [ 0, %entry ], [ %t.next, %latch ]
  %first = phi ptr [ %a, %entry ], [ %second, %latch ]
  %second = phi ptr [ %b, %entry ], [ %third, %latch ]
  %third = phi ptr [ %c, %entry ], [ %fourth, %latch ]
  %fourth = phi ptr [ %d, %entry ], [ %first, %latch ]
  br label %elements

elements:
  %i = phi i64 [ 0, %steps ], [ %i.next, %elements ]
  %from = getelementptr double, ptr %first, i64 %i
  %to = getelementptr double, ptr %second, i64 %i
  %value = load double, ptr %from
  %sum = fadd double %value, 1.0
  store double %sum, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %is.last = icmp eq i64 %i.next, 1000
  br i1 %is.last, label %latch, label %elements

latch:
  %t.next = add i2 %t, 1
  %is.end = icmp eq i2 %t, %last
  br i1 %is.end, label %exit, label %steps

exit:
  ret ptr %second
}
