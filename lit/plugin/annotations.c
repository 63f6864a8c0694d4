// Annotations of functions ask for an order, for sizes of tiles, or for none of that.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O2 -gline-tables-only -I%S/../../pass/include -mllvm -farkas-target=zen4 -mllvm -farkas-print=ast -Rpass=farkas -Rpass-missed=farkas -fno-caret-diagnostics -c %s -o %t/with.o 2>&1 | FileCheck %s
//
// Without the plugin, nothing of them is in the program. Only the linker's table of addresses that count is longer.
// RUN: clang -O2 -fno-addrsig -I%S/../../pass/include -c %s -o %t/annotated.o
// RUN: clang -O2 -fno-addrsig -I%S/../../pass/include -DFARKAS_H -DFARKAS_OFF= "-DFARKAS_TILE(...)=" "-DFARKAS_PLAN(steps)=" "-DFARKAS_LOOP(number, request)=" "-DFARKAS_LINE(line, request)=" -c %s -o %t/plain.o
// RUN: cmp %t/annotated.o %t/plain.o
//
// Nor is it with the plugin, which leaves what is forbidden as the compiler would have it.
// RUN: clang -O2 -fno-addrsig -I%S/../../pass/include -DONLY_OFF -c %s -o %t/off.o
// RUN: %clang -O2 -fno-addrsig -I%S/../../pass/include -DONLY_OFF -c %s -o %t/off.plugin.o
// RUN: cmp %t/off.o %t/off.plugin.o
//
// Loops without debug locations have no lines.
// RUN: %clang -O2 -I%S/../../pass/include -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-LINES
#include <farkas.h>
typedef double Matrix[2000];

FARKAS_OFF void off(Matrix *restrict c, Matrix *restrict a, Matrix *restrict b) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      for (int k = 0; k < 2000; k++)
        c[i][j] += a[i][k] * b[k][j];
}
#ifndef ONLY_OFF
FARKAS_TILE(24, 40, 136) void sizes(Matrix *restrict c, Matrix *restrict a, Matrix *restrict b) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      for (int k = 0; k < 2000; k++)
        c[i][j] += a[i][k] * b[k][j];
}
FARKAS_PLAN("interchange 1 2; tile 50 40 500")
void steps(Matrix *restrict c, Matrix *restrict a, Matrix *restrict b) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      for (int k = 0; k < 2000; k++)
        c[i][j] += a[i][k] * b[k][j];
}
// What is asked for would change results.
FARKAS_PLAN("reverse 1") void illegal(int n, Matrix *a) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 1999; j++)
      a[i][j] = a[i - 1][j] + a[i][j - 1] + a[i][j];
}
// What names a loop counts there, and what does not on the others.
FARKAS_OFF FARKAS_LOOP(2, "interchange 0 1") FARKAS_LINE(55, "tile 8 8 8")
void each(int n, Matrix *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] *= 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j];
}
// A loop inside is no part of the nest around it.
FARKAS_LINE(65, "off") void inside(int n, int m, Matrix *restrict a, Matrix *restrict b) {
  for (int t = 0; t < m; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[j][i] += 1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        b[j][i] += t;
  }
}
FARKAS_PLAN("unroll 4") FARKAS_LOOP(3, "off") FARKAS_LINE(9, "off") FARKAS_LOOP(x, "off") FARKAS_TILE(-)
void wrong(int n, Matrix *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] *= 2;
}
__attribute__((annotate("farkas: off all"))) int without_loops(int n) { return n; }
__attribute__((annotate("not for farkas: off all"))) int for_others(int n) { return n; }
#endif

// CHECK: annotations.c:21:3: remark: loop nest left as it is: an annotation asks for that
// CHECK-NOT: annotations.c:21:3
// CHECK: annotations.c:28:3: remark: loop nest transformed: interchanged loops, tiled 24 x 40 x 136
// CHECK: c0 <= 39;
// CHECK: c1 <= 49;
// CHECK: c2 <= 3;
// CHECK: annotations.c:35:3: remark: loop nest transformed: loops in an order by hand
// CHECK: warning: annotation not taken: illegal, loop at {{.*}}annotations.c:42:3: dependence S0[0, 0] -> S0[0, 1] is not executed in order, for p0 = 2147483647 (S0 is at {{.*}}annotations.c:44:15)
// CHECK: annotations.c:42:3: remark: loop nest transformed: wavefronts
// CHECK: annotations.c:49:3: remark: loop nest left as it is: an annotation asks for that
// CHECK: annotations.c:52:3: remark: loop nest transformed: loops in an order by hand
// CHECK: warning: annotation not taken: each, loop at {{.*}}annotations.c:55:3: `tile 8 8 8` is about no band of the tree
// CHECK: annotations.c:61:3: remark: loop nest left as it is: annotations ask for different things of its loops
// CHECK: annotations.c:62:5: remark: loop nest transformed: interchanged loops
// CHECK: annotations.c:65:5: remark: loop nest left as it is: an annotation asks for that
// CHECK: warning: annotation of wrong: `unroll 4` is no step: expected {{.*}}; `off` and `tile-sizes SIZES` are the other requests
// CHECK: warning: annotation of wrong: `loop x` names no loop: expected `loop N:` or `line N:` with a positive number
// CHECK: warning: annotation of wrong: '-' has no tile size: expected at least one positive number
// CHECK: warning: annotation of wrong: there is no loop 3: it has 1 outermost loop
// CHECK: warning: annotation of wrong: no loop begins at line 9
// CHECK: annotations.c:72:3: remark: loop nest transformed: interchanged loops
// CHECK: warning: annotation of without_loops: `off all` is no step
// CHECK-NOT: for_others

// NO-LINES: warning: annotation of each: no loop is known to begin at line 55: -gline-tables-only says where loops begin
