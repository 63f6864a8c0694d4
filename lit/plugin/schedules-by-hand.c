// Regions are written with their schedules, and take those that are given by hand, if these are legal.
// RUN: rm -rf %t && mkdir -p %t/hand
// RUN: %clang -O2 -gline-tables-only -mllvm -farkas-export=%t/out -c %s -o /dev/null
// RUN: FileCheck %s --check-prefix=EXPORTED --input-file=%t/out/product.2.3.st
// RUN: FileCheck %s --check-prefix=PROGRAM --input-file=%t/out/product.2.3.scop
// RUN: test -f %t/out/sums.8.3-11.3.st

// The plan is taken as it is, and with other tiles.
// RUN: cp %t/out/product.2.3.st %t/hand
// RUN: %clang -O2 -gline-tables-only -mllvm -farkas-import=%t/hand -c %s -o /dev/null -Rpass=farkas -Werror 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: sed 's@/32@/64@' %t/out/product.2.3.st > %t/hand/product.2.3.st
// RUN: %clang -O2 -gline-tables-only -mllvm -farkas-import=%t/hand -mllvm -farkas-print=plan -c %s -o /dev/null -Rpass=farkas -Werror 2>&1 | FileCheck %s --check-prefixes=TAKEN,TILES

// What is not legal, or no schedule, is not taken, and a warning says why.
// RUN: sed 's/\[(c3)\]/[(-c3)]/' %t/out/sums.8.3-11.3.st > %t/hand/sums.8.3-11.3.st
// RUN: echo 'domain: "{' > %t/hand/product.2.3.st
// RUN: %clang -O2 -gline-tables-only -mllvm -farkas-import=%t/hand -c %s -o /dev/null -Rpass=farkas 2>&1 | FileCheck %s --check-prefix=REFUSED

// A loop of a region may have its own.
// RUN: rm %t/hand/*
// RUN: printf 'domain: "[p0] -> { S0[i, j] : 0 <= i < p0 and 0 <= j < p0 }"\nchild:\n  schedule: "[p0] -> [{ S0[i, j] -> [(j)] }, { S0[i, j] -> [(i)] }]"\n' > %t/hand/sums.11.3.st
// RUN: %clang -O2 -gline-tables-only -mllvm -farkas-import=%t/hand -mllvm -farkas-print=ast -c %s -o /dev/null -Rpass=farkas -Werror 2>&1 | FileCheck %s --check-prefix=ALONE

typedef double Matrix[512];
#line 1
void product(int n, Matrix *restrict a, Matrix *restrict b, Matrix *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
void sums(int n, Matrix *a, double *s, double *t) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s[i] += a[j][i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      t[i] += a[i][j];
}

// EXPORTED: # The plan.
// EXPORTED: # S0 is at {{.*}}schedules-by-hand.c:5:17
// EXPORTED: domain: "[p0] -> { S0[c0, c1, c2] :
// EXPORTED: options: "{ full_tiles[(4), (4), (1)]; separate[(2)] }"

// PROGRAM: program
// PROGRAM: statement S0

// TILES: floor((c0)/64)
// TAKEN: schedules-by-hand.c:2:3: remark: loop nest transformed: loops in an order by hand

// REFUSED: warning: schedule not taken: {{.*}}product.2.3.st:2:1: found unexpected end of stream
// REFUSED: schedules-by-hand.c:2:3: remark: loop nest transformed: interchanged loops
// REFUSED: warning: schedule not taken: {{.*}}sums.8.3-11.3.st: dependence S1[1, 0] -> S1[1, 1] is of negative distance in member 1 of a permutable band, for p0 = 2 (S1 is at {{.*}}schedules-by-hand.c:13:12)

// ALONE: for (int c0 = 0; c0 < p0; c0 += 1)
// ALONE-NEXT: for (int c1 = 0; c1 < p0; c1 += 1)
// ALONE-NEXT: S0(c1, c0);
// ALONE: schedules-by-hand.c:11:3: remark: loop nest transformed: loops in an order by hand
