// Loads of what does not change are done in front of the nest, under the condition that the original is executed.
//
// RUN: %model %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -farkas-unprofitable=true -mllvm -print-after=farkas -mllvm -filter-print-funcs=fields -c \
// RUN:   -fno-discard-value-names -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CODE

struct matrix { long n, m; double *data; };

// The bound of the outermost loop is read in any case; the rest if there are iterations. Types tell that nothing of it is
// written.
// CHECK: fields: loop
// CHECK: hoisted load %[[N:[0-9]*]]{{$}}
// CHECK-NEXT: hoisted load %[[M:[0-9]*]]: {{.*}} -> { : p0 > 0 }
// CHECK-NEXT: hoisted load %[[D:[0-9]*]]: {{.*}} -> { : p0 > 0 and p1 > 0 }
// CHECK-NEXT: # array A0: %[[D]], outermost extent
// CHECK: array A0: memory, 8 bytes
// CHECK-NOT: may alias
// CODE: {{^}}entry:
// CODE: load i64, ptr %a
// CODE: br i1 %{{[0-9]*}}, label %[[THEN:[0-9]*]], label %[[ELSE:[0-9]*]]
// CODE: {{^}}[[THEN]]:
// CODE-NEXT: load i64, ptr
// CODE-NEXT: br label %[[ELSE]]
// CODE: {{^}}[[ELSE]]:
// CODE: phi i64 [ {{.*}}, %[[THEN]] ], [ 0, %entry
// The original keeps its own loads.
// CODE: {{^}}for.cond:
// CODE: load i64, ptr %a
void fields(struct matrix *a) {
  for (long i = 0; i < a->n; i++)
    for (long j = 0; j < a->m; j++)
      a->data[i * 1024 + j] = 0;
}

// What is written may be anything: that it is not what is read in front is checked.
// CHECK: bytes: loop
// CHECK: hoisted load %[[N:[0-9]*]]{{$}}
// CHECK-NEXT: hoisted load %[[D:[0-9]*]]: {{.*}} -> { : p0 > 0 }
// CHECK: # array L0: %a, outermost extent {{.*}} -> { [(0)] }
// CHECK: may alias: A0, L0
// CHECK: may alias: A0, L1
struct bytes { long n; unsigned char *data; };
void bytes(struct bytes *a) {
  for (long i = 0; i < a->n; i++)
    a->data[i] = 0;
}

// A row, a pointer to a pointer.
// CHECK: row: loop
// CHECK: hoisted load
// CHECK: read: {{.*}} S0[i, j] -> A0[(j)]
void row(int n, double *const *rows, double *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j] += rows[3][j] * i;
}

// A byte that may be where a later one of the loads reads: that is not known when the first iteration starts.
// CHECK: invariant-loads.c:[[@LINE+5]]:{{.*}}: remark: loop nest left as it is: rows of a may overlap a value that the loop loads
struct two { long n; unsigned char *x, *y; };
void late(struct two *a) {
  for (long i = 0; i < 100; i++) {
    a->x[i] = 0;
    a->y[i] = 1;
  }
}

// A load that may be executed in no iteration, which data decide, stays where it is.
// CHECK: maybe: loop
// CHECK-NOT: hoisted load
// CHECK: read: {{.*}} -> where[(0)]
// CHECK: may write: {{.*}} -> a[o0]
void maybe(int n, double *restrict a, const double *restrict b, const int *restrict where) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0)
      a[where[0]] = b[i];
}

// The others are done in front nevertheless.
// CHECK: most: loop
// CHECK: hoisted load
// CHECK-NOT: hoisted load
// CHECK: read: {{.*}} -> where[(0)]
// CHECK: may write: {{.*}} -> a[o0]
struct counted { long n; };
void most(const struct counted *restrict s, double *restrict a, const double *restrict b, const int *restrict where) {
  for (long i = 0; i < s->n; i++)
    if (b[i] > 0)
      a[where[0]] = b[i];
}

// The header of an inner loop is executed where the loop is entered, whatever its unsigned bound is.
// CHECK: transposed: loop
// CHECK: hoisted load {{.*}}: {{.*}} { : n > 0 }
// CHECK: domain: {{.*}} S0[i, j] : 0 <= i < n and 0 <= j < p0 }
struct sizes { unsigned long rows, columns; };
void transposed(const struct sizes *s, unsigned long n, const double *restrict a, double *restrict b) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < s->columns; j++)
      b[j * n + i] = a[i * 64 + j];
}
