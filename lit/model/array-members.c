// Rows that are members of structures, such as `std::array`, are rows like those of two-dimensional arrays: where it is not certain that
// they are not overrun, that is assumed.
//
// RUN: %model %s 2>&1 | FileCheck %s

struct row {
  double v[64];
};

// CHECK: sums: loop
// CHECK: assumptions: [n, steps] -> { : n <= 0; : n > 0 and steps <= 64 }
// CHECK: array to: memory, 8 bytes, [][64]
// CHECK: read: {{.*}} -> from[(r), (t + i)]
void sums(int n, int steps, const struct row *restrict from, struct row *restrict to) {
  for (int r = 0; r < n; r++)
    for (int t = 0; t < steps; t++) {
      double a = 0;
      for (int i = 0; i + t < steps; i++)
        a += from[r].v[i + t];
      to[r].v[t] = a;
    }
}

struct sample {
  float weight[10];
  float sum;
};

// CHECK: weigh: loop
// CHECK: array s: memory, 4 bytes, [][11]
// CHECK: write: {{.*}} -> s[(i), (10)]
void weigh(int n, int m, struct sample *restrict s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[i].sum += s[i].weight[j];
}
