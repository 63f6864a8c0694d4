// Rows whose length is a product of parameters.
//
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen3 -mllvm -farkas-print=scop -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s

// The subscript in a row goes up to the product: the rows are no planes of `h` rows of `w` elements.
// CHECK: planes: loop
// CHECK: array out: memory, 4 bytes, [][p{{[0-9]+}}]
// CHECK: remark: loop nest transformed: {{.*}}8 vector lanes
void planes(int n, int k, int h, int w, const float *restrict a, const float *restrict in, float *restrict out) {
  int size = h * w;
  for (int i = 0; i < n; i++)
    for (int p = 0; p < size; p++) {
      float s = 0;
      for (int j = 0; j < k; j++)
        s += a[i * k + j] * in[j * size + p];
      out[i * size + p] = s;
    }
}

// A square and all of its elements in a row: no assumption would make these one shape but that `n * n <= n`. The product is transformed by itself.
// CHECK: power: loop
// CHECK: array t: memory, 8 bytes, []
// CHECK: remark: loop nest left as it is
// CHECK: power: loop
// CHECK: array t: memory, 8 bytes, [][n]
// CHECK: remark: loop nest transformed: {{.*}}4 vector lanes
void power(int n, int p, const double *restrict a, double *restrict r, double *restrict t) {
  for (int e = 0; e < p; e++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double s = 0;
        for (int k = 0; k < n; k++)
          s += r[i * n + k] * a[k * n + j];
        t[i * n + j] = s;
      }
    for (int i = 0; i < n * n; i++)
      r[i] = t[i];
  }
}
