// A tile is as wide as a strip: a vector has 64 bytes, of which half would have nothing to do in tiles of 32 columns.
//
// RUN: %clang -O3 -march=icelake-server -Rpass=farkas -S %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: loop nest transformed: interchanged loops, tiled 64 x 512, 64 vector lanes
void transposed(int n, int m, unsigned char *restrict b, const unsigned char *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j * n + i] = a[i * m + j];
}
