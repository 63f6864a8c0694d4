// C += A B over std::vector, whose elements a lambda finds.
#include "../kernel.h"
#include <vector>

using Matrix = std::vector<DATA>;

static Matrix A, B, C;

static NOINLINE void gemm(int n, const Matrix &A, const Matrix &B, Matrix &C) {
  auto at = [n](auto &matrix, int i, int j) -> auto & { return matrix[i * n + j]; };
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        at(C, i, j) += at(A, i, k) * at(B, k, j);
}

static void initialise() {
  for (Matrix *matrix : {&A, &B, &C})
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        matrix->push_back(datum(matrix == &A ? 1 : matrix == &B ? 2 : 3, i, j));
}
static void compute() { gemm(size, A, B, C); }
static void report() { output(C.data(), C.size()); }
