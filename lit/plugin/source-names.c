// Remarks name things as the source does where that is true: members of structures, global variables, expressions, counters, and of
// variables with the same name the one that is meant.
//
// RUN: %clang -O3 -g -Rpass=farkas -Rpass-analysis=farkas -fno-caret-diagnostics -c %s -o /dev/null 2>&1 | FileCheck %s

struct matrix {
  long rows, cols;
  double *data;
};
struct pair {
  struct matrix left, right;
};

// CHECK: tiled 32 x 32 x 512 (i, k, j), unrolled and jammed 4 x 4 (i, k), where p->left.rows >= 6 and p->right.cols >= 6, or
// CHECK: that p->left.data, c->data and p->right.data do not overlap
void members(struct matrix *c, const struct pair *p) {
  for (long i = 0; i < p->left.rows; i++)
    for (long j = 0; j < p->right.cols; j++)
      for (long k = 0; k < p->left.cols; k++)
        c->data[i * p->right.cols + j] += p->left.data[i * p->left.cols + k] * p->right.data[k * p->right.cols + j];
}

double table[300][300], other[300][300];
int size;
// CHECK: where size >= 24;
// CHECK: that size <= 300 (1 comparison)
void globals(void) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      table[j][i] += other[j][i] * 2;
}

// CHECK: where m * m >= 8;
// CHECK: that the size is not negative (m * m >= 0), that m * m <= 1000, and that b and a do not overlap
void expressions(double (*a)[1000], double (*b)[1000], int m) {
  for (int t = 0; t < 3; t++) {
    int n = m * m;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
  }
}

// Two variables of one name.
// CHECK: where n (line [[@LINE+5]]) >= 24 and n (line [[@LINE+2]]) >= 6, or
// CHECK: that n (line [[@LINE+4]]) <= 1000
void shadowed(int n, double (*a)[1000], double (*b)[1000], int *q) {
  int m = n;
  {
    int n = *q;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[j][i] += b[j][i] * 2;
  }
}

// The argument has another value than `n` where the loop is.
// CHECK: where n >= 24 and p1 >= 6, or
void changed(int n, double (*a)[1000], double (*b)[1000], int *q) {
  long columns = n;
  n = q[0];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < columns; j++)
      a[j][i] += b[j][i] * 2;
}

// What is loaded may be another value than in memory.
// CHECK: where p0 >= 24
void stored(const struct pair *p, struct matrix *m, double (*a)[1000], double (*b)[1000]) {
  long n = p->left.rows * 2;
  m->rows = 0;
  for (long i = 0; i < n / 2; i++)
    for (long j = 0; j < n / 2; j++)
      a[j][i] += b[j][i] * 2;
}

// An argument of a function that was inlined before is in scope there only.
static double corner(int k, double (*x)[1000]) { return k ? x[k][k] : 0; }
// CHECK: where rows >= 24
// CHECK: that b and a do not overlap
void after(int rows, double (*a)[1000], double (*b)[1000]) {
  double s = corner(rows, b);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      a[j][i] += b[j][i] * s;
}

// The counter of a loop around.
void call(void);
// CHECK: where t >= {{[0-9]+}} and n >= {{[0-9]+}}
void around(int n, double (*a)[1000], double (*b)[1000]) {
  for (int t = 0; t < 100; t++) {
    call();
    for (int i = 0; i < t; i++)
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
  }
}
