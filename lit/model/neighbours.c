// A window without its middle, on bytes, and a choice by the middle. What is planned for it is in test/plans/neighbours.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// The middle is left out by a condition on both counters, which LLVM makes a test of `u | v`. It is between two of its neighbours, so that it is
// loaded in any case.
// CHECK: around: loop
// CHECK: statement S3
// CHECK-NEXT: domain: [rows, cols] -> { S3[i, j, u = 2, v] {{.*}}; S3[i, j, u = 0, v] {{.*}}; S3[i, j, u = 1, v = 2] {{.*}}; S3[i, j, u = 1, v = 0] :
// CHECK: statement S6
// CHECK: conditional in original: access 1
void around(int rows, int cols, const unsigned char *restrict in, unsigned char *restrict out) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < cols - 1; j++) {
      int sum = 0;
      for (int u = -1; u <= 1; u++)
        for (int v = -1; v <= 1; v++)
          if (u || v)
            sum += in[(i + u) * cols + j + v] & 1;
      out[i * cols + j] = sum == 3 || (sum == 2 && (in[i * cols + j] & 1));
    }
}
