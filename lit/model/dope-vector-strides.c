// Steps in memory that are parameters: rows of the larger step, on which elements are the smaller one apart. That these do
// not overlap is assumed.
// RUN: %model %s 2>&1 | FileCheck %s

struct view {
  char *base;
  long steps[2];
};

static inline double *at(const struct view *v, long i, long j) {
  return (double *)(v->base + i * v->steps[0] + j * v->steps[1]);
}

// CHECK: add: loop
// CHECK: assumptions: {{.*}}[[ROW:p[0-9]+]]) mod 8) = 0
// CHECK: array A0: memory, {{.*}}, [][floor(({{p[0-9]+}})/8)]
// CHECK: write: {{.*}} -> A0[(j), (1 + i)]
void add(long n, long m, struct view *restrict a, struct view *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      *at(a, i + 1, j) = *at(a, i, j) + *at(b, i, j);
}
