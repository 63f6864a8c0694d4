// What keeps a loop nest from being modelled, as it is said to the author of C.
//
// RUN: clang -O2 -c -o %t.without.o %s
// RUN: %clang -O2 -c -o %t.with.o %s
// RUN: cmp %t.without.o %t.with.o
// RUN: %model %s 2>&1 | FileCheck %s --implicit-check-not=remark --implicit-check-not=context

double read(void);
void write(double *);

// CHECK: source.c:[[@LINE+4]]:{{.*}}: remark: loop nest left as it is: call of write, which may access memory
void call(int n, double *a) {
  for (int i = 0; i < n; i++) {
    a[i] = 0;
    write(a);
  }
}

// CHECK: source.c:[[@LINE+3]]:{{.*}}: remark: loop nest left as it is: call through a pointer
void pointer(int n, double *a, double (*f)(double)) {
  for (int i = 0; i < n; i++)
    a[i] = f(a[i]);
}

// CHECK: remark: loop nest left as it is: a loop is left from several places (break, return)
void leave(int n, double *a) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 5)
      break;
    a[i] = 0;
  }
}

// CHECK: remark: loop nest left as it is: the number of iterations of a loop is not known when it starts
void list(double *a) {
  for (int i = 0; a[i] > 0; i++)
    a[i] = 0;
}

// The condition could be assumed, and then there is this:
// CHECK: remark: loop nest left as it is: the number of iterations of a loop is not known when it starts
void data(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      for (int j = 0; b[j] > 0; j++)
        b[j] = 2;
}

// CHECK: remark: loop nest left as it is: an access to a whose subscript is not affine may overlap b
void square(long n, double *a, double *b) {
  for (long i = 0; i < n; i++)
    a[i * i] = b[i];
}

// CHECK: remark: loop nest left as it is: an access to a whose subscript is not affine may overlap p
void indirect(int n, int *a, const int *p) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      a[p[i]] = 0;
}

// CHECK: remark: loop nest left as it is: the address of an access changes in a way that is not a subscript
void exchanged(int n, double **restrict a) {
  for (int i = 0; i < n; i++) {
    double *row = a[i];
    a[i] = a[2 * n - i];
    a[2 * n - i] = row;
    a[i][0] = 0;
  }
}

// CHECK: remark: loop nest left as it is: a loop is left in the middle of an iteration under a condition
void cases(int n, double *restrict a, const int *restrict p) {
  for (int i = 0;; i++)
    switch (p[i]) {
    case 3: a[i] = 1; break;
    case 7: a[i] = 2; break;
    case 12: a[i] = 3; a[i + 1] = 4; break;
    case 44: return;
    default: a[i] = 5;
    }
}

// CHECK: remark: loop nest left as it is: volatile access
void set_hidden(int n, struct { double x[9]; } volatile *a) {
  for (int i = 0; i < n; i++)
    a[i] = a[i + 1];
}

// CHECK: remark: loop nest left as it is: volatile access
void hidden(int n, volatile double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0;
}

// CHECK: remark: loop nest left as it is: atomic access
void shared(int n, _Atomic int *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0;
}

// CHECK: remark: loop nest left as it is: inline assembly
void assembly(int n, double *a) {
  for (int i = 0; i < n; i++) {
    a[i] = 0;
    __asm__("nop");
  }
}

void abort(void);
void fail(int) __attribute__((noreturn));

// CHECK: source.c:[[@LINE+3]]:{{.*}}: remark: loop nest left as it is: whether an error occurs depends on data or on a condition that is not affine
void error_on_data(int n, double *restrict a, const int *restrict p) {
  for (int i = 0; i < n; i++) {
    if (p[i] > 7)
      abort();
    a[i] = 0;
  }
}

// CHECK: remark: loop nest left as it is: it always ends in an error
void error(double *restrict a) {
  for (int i = 0; i < 10; i++) {
    if (i == 7)
      abort();
    a[i] = 0;
  }
}
