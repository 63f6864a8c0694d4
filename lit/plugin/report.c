// A page on the loop nests of a module: what was done, or why nothing was, with the lines of the source.
// RUN: rm -rf %t && mkdir -p %t/src && cp %s %t/src/k.c && cd %t
// RUN: %clang -O2 -g -mllvm -farkas-report=pages/new -c src/k.c -o with.o -Werror
// RUN: ls -A pages/new | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --input-file=pages/new/src_k.c.html

// The code is the same as without it, and the page the same in each compilation.
// RUN: %clang -O2 -g -c src/k.c -o without.o
// RUN: cmp with.o without.o
// RUN: cp pages/new/src_k.c.html first.html
// RUN: %clang -O2 -g -mllvm -farkas-report=pages/new -c src/k.c -o with.o
// RUN: cmp pages/new/src_k.c.html first.html

// Without debug information there are neither places nor sources. A module without loops has no page.
// RUN: %clang -O2 -mllvm -farkas-report=pages/plain -c src/k.c -o /dev/null
// RUN: FileCheck %s --check-prefix=PLAIN --implicit-check-not=Source --input-file=pages/plain/src_k.c.html
// RUN: %clang -O2 -DEMPTY -mllvm -farkas-report=pages/none -c src/k.c -o /dev/null
// RUN: not ls pages/none

// Plans that are not carried out, and limits.
// RUN: %clang -O2 -g -mllvm -farkas-report=pages/limit -mllvm -farkas-limit=0 -c src/k.c -o /dev/null
// RUN: FileCheck %s --check-prefix=LIMIT --input-file=pages/limit/src_k.c.html

// What cannot be written has one warning.
// RUN: touch file
// RUN: %clang -O2 -mllvm -farkas-report=file -c src/k.c -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING

#ifndef EMPTY
typedef double Matrix[512];
void *step(void *);
void product(int n, Matrix *a, Matrix *restrict b, Matrix *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}
int length(void *list) {
  int n = 0;
  for (; list; list = step(list))
    n++;
  return n;
}
void one_order(double *a) {
  for (int i = 0; i < 1000; i++)
    a[i + 1] = a[i] * 0.5;
}
#endif

// FILES-NOT: {{.}}
// FILES: {{^}}src_k.c.html{{$}}
// FILES-NOT: {{.}}

// CHECK: <title>Loop nests of src/k.c</title>
// CHECK: <p>3 in all: 1 transformed, 1 left alone, 1 without a model.</p>
// CHECK: <a href="#r1">1. product</a>
// CHECK-NEXT: <span class="place">src/k.c:[[#LINE:]]:3</span></td><td><span class="badge done">transformed</span></td><td class="number">{{[0-9.]+}} ×</td>
// CHECK: <a href="#r2">2. length</a>
// CHECK-NEXT: <span class="place">src/k.c:[[#LINE+8]]:3</span></td><td><span class="badge declined">no model</span></td><td class="number">–</td>
// CHECK: <section id="r1"
// CHECK: interchanged loops, tiled 32 x 32 x 512 (i, k, j)
// CHECK: <dt>Expected gain</dt>
// CHECK: <dt>Runs where</dt>
// CHECK-NEXT: <dd>n &gt;= {{.*}}</dd>
// CHECK: <dt>Checked before</dt>
// CHECK-NEXT: <dd>that {{.*}} comparison
// CHECK: <h3>Source</h3>
// CHECK-NEXT: >[[#LINE]]    for (int i = 0; i &lt; n; i++)
// CHECK-NEXT: {{^}}[[#LINE+1]]      for (int j = 0; j &lt; n; j++) {
// CHECK-NEXT: {{^}}[[#LINE+2]]        for (int k = 0; k &lt; n; k++)
// CHECK-NEXT: {{^}}[[#LINE+3]]          c[i][j] += a[i][k] * b[k][j];
// CHECK-NEXT: {{^}}[[#LINE+4]]      }</pre>
// CHECK: <h3>Model</h3>
// CHECK: statement S0
// CHECK: <h3>Instances and dependences</h3>
// CHECK: flow, S0 to S0: [{{.*}}] -&gt; { S0[
// CHECK: <title>Instances of S0 in the original order, 64 points
// CHECK: <title>Instances of S0 in the new order, 64 points
// CHECK: <h3>Schedule trees</h3>
// CHECK: <title>the original order: a tree of one node</title>
// CHECK: <title>the new order: a tree of {{[0-9]+}} nodes</title>
// CHECK: <h3>Loops</h3>
// CHECK: <h3>Candidates</h3>
// CHECK: original: {{.*}} cycles
// CHECK: * {{.*}}| chosen
// CHECK: <section id="r2"
// CHECK: call of step, which may access memory
// CHECK: <section id="r3"
// CHECK: <h3>Model</h3>

// PLAIN: <a href="#r1">1. product</a>
// PLAIN-NEXT: </td>

// LIMIT: 0 transformed, 2 left alone, 1 without a model
// LIMIT: region 1 is above the limit
// LIMIT: <h3>Candidates</h3>

// WARNING: warning: report not written: file: {{.*}}
// WARNING-NOT: report not written
