// C = A B over vectors of vectors, with their sizes in the loops.
#include "../kernel.h"
#include <vector>

using Matrix = std::vector<std::vector<DATA>>;

static Matrix A, B, C;

static NOINLINE void multiply(const Matrix &A, const Matrix &B, Matrix &C) {
  for (size_t i = 0; i < A.size(); i++)
    for (size_t j = 0; j < B[0].size(); j++) {
      DATA sum = 0;
      for (size_t k = 0; k < B.size(); k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
}

static Matrix filled(int which) {
  Matrix matrix;
  for (int i = 0; i < size; i++) {
    matrix.emplace_back();
    for (int j = 0; j < size; j++)
      matrix.back().push_back(datum(which, i, j));
  }
  return matrix;
}

static void initialise() {
  A = filled(1);
  B = filled(2);
  C = filled(3);
}
static void compute() { multiply(A, B, C); }
static void report() {
  for (const std::vector<DATA> &row : C)
    output(row.data(), row.size());
}
