; IR that the model has no place for is declined with a reason, and the module comes out as it went in.
;
; RUN: opt -S -o %t.without.ll %s
; RUN: %opt -passes=farkas -S -o %t.with.ll %s
; RUN: cmp %t.without.ll %t.with.ll
; RUN: %scop %s 2>&1 | FileCheck %s --implicit-check-not=context

; CHECK: remark: {{.*}}: loop nest left as it is: a loop is entered from several places
define void @several_entries(ptr %a, i64 %n, i1 %c) {
entry:
  br i1 %c, label %one, label %two
one:
  br label %loop
two:
  br label %loop
loop:
  %i = phi i64 [ 0, %one ], [ 1, %two ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An irreducible cycle inside a loop.
; CHECK: remark: {{.*}}: loop nest left as it is: control flow is irreducible
define void @irreducible(ptr %a, i64 %n, i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr double, ptr %a, i64 %i
  br i1 %c, label %left, label %right
left:
  store double 0.0, ptr %p
  br i1 %d, label %right, label %latch
right:
  store double 1.0, ptr %p
  br i1 %d, label %left, label %latch
latch:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: a loop has several ways back to its start
define void @several_latches(ptr %a, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %one ], [ %next, %two ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %exit
body:
  br i1 %c, label %one, label %two
one:
  store double 1.0, ptr %p
  br label %loop
two:
  br label %loop
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: a loop never ends
define void @endless(ptr %a) {
entry:
  br label %loop
loop:
  store double 0.0, ptr %a
  br label %loop
}

; CHECK: remark: {{.*}}: loop nest left as it is: access in address space 3
define void @address_space(ptr addrspace(3) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr addrspace(3) %a, i64 %i
  store double 0.0, ptr addrspace(3) %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: scalable vector
define void @scalable(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store <vscale x 2 x double> zeroinitializer, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: integer of 128 bits in a subscript, bound or condition
define void @wide(ptr %a, i128 %n) {
entry:
  br label %loop
loop:
  %i = phi i128 [ 0, %entry ], [ %next, %loop ]
  store double 0.0, ptr %a
  %next = add nsw i128 %i, 1
  %more = icmp slt i128 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: access of type i7
define void @odd_type(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %a, i64 %i
  store i7 0, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: stack memory is allocated in the loop
define void @stack(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = alloca double
  store double 0.0, ptr %x
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: atomic access
define void @atomic(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr %a, i64 1 monotonic
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The counter is used where an error leads, and control may come there from behind the loop as well.
; CHECK: remark: {{.*}}: loop nest left as it is: an error in the loop may lead to where what follows it may lead, too
define void @shared_error(ptr %a, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %bad = icmp sge i64 %i, %m
  br i1 %bad, label %error, label %body
body:
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %late = icmp eq i64 %n, %m
  br i1 %late, label %error, label %done
error:
  call void @fail(i64 %i)
  unreachable
done:
  ret void
}

declare void @fail(i64) noreturn
declare void @may_throw() memory(none) willreturn
declare i32 @personality(...)
declare double @barrier(double) convergent memory(none) nounwind willreturn
declare double @endless_call(double) memory(none) nounwind

; CHECK: remark: {{.*}}: loop nest left as it is: a block ends in invoke
define void @exceptions(ptr %a, i64 %n) personality ptr @personality {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  invoke void @may_throw() to label %go unwind label %pad
go:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

; CHECK: remark: {{.*}}: loop nest left as it is: call of barrier, which is convergent
define void @convergent(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  %x = call double @barrier(double 1.0)
  store double %x, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: call of endless_call, which may not return
define void @no_return(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  %x = call double @endless_call(double 1.0)
  store double %x, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: the address of a label is taken in the function
define void @labels(ptr %a, i64 %n, ptr %to) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  indirectbr ptr %to, [label %one]
one:
  store ptr blockaddress(@labels, %one), ptr %a
  ret void
}

; CHECK: remark: {{.*}}: loop nest left as it is: the function is marked naked
define void @naked(ptr %a, i64 %n) naked {
entry:
  br label %loop
loop:
  br i1 true, label %loop, label %exit
exit:
  unreachable
}

; The pass manager skips such functions by itself.
; CHECK-NOT: remark
define void @not_optimized(ptr %a, i64 %n) noinline optnone {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
