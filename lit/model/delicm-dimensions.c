// Scalars that are kept in elements of arrays with many dimensions.
// RUN: %model %s 2>&1 | FileCheck %s

// An address takes some four instructions for each dimension.
// CHECK: contraction: loop
// CHECK: scalar slot s: double in C
void contraction(int n, double A[n][n][n][n], double B[n][n][n][n], double C[n][n][n][n]) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c < n; c++)
        for (int d = 0; d < n; d++) {
          double s = 0;
          for (int e = 0; e < n; e++)
            for (int f = 0; f < n; f++)
              s += A[a][e][b][f] * B[e][c][f][d];
          C[a][b][c][d] = s;
        }
}
