// Weighted sums of a window of bytes. What is planned for them is in test/plans/blur.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// LLVM unrolls the window, and computes in 16 bits.
// CHECK: blurred: loop
void blurred(int rows, int cols, const unsigned char *restrict in, unsigned char *restrict out) {
  static const int weights[5] = {1, 4, 6, 4, 1};
  for (int i = 2; i < rows - 2; i++)
    for (int j = 2; j < cols - 2; j++) {
      int sum = 0;
      for (int u = 0; u < 5; u++)
        for (int v = 0; v < 5; v++)
          sum += weights[u] * weights[v] * in[(i + u - 2) * cols + j + v - 2];
      out[i * cols + j] = (sum + 128) >> 8;
    }
}
