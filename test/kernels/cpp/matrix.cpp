// A class of matrices with sizes of its own, and what is computed with it down the columns: a product with a transposed matrix
// and a symmetric update.
#include "../kernel.h"
#include <vector>

namespace {
class Matrix {
public:
  Matrix() = default;
  Matrix(int salt, size_t rows, size_t columns) : rows_(rows), columns_(columns), data_(rows * columns) {
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < columns; j++)
        (*this)(i, j) = datum(salt, i, j);
  }
  size_t rows() const { return rows_; }
  size_t columns() const { return columns_; }
  DATA &operator()(size_t i, size_t j) { return data_[i * columns_ + j]; }
  DATA operator()(size_t i, size_t j) const { return data_[i * columns_ + j]; }
  const std::vector<DATA> &data() const { return data_; }

private:
  size_t rows_ = 0, columns_ = 0;
  std::vector<DATA> data_;
};
} // namespace

static Matrix A, B, C;

static NOINLINE void add_transposed_product(Matrix &C, const Matrix &A, const Matrix &B) {
  for (size_t j = 0; j < C.columns(); j++)
    for (size_t i = 0; i < C.rows(); i++)
      for (size_t k = 0; k < A.rows(); k++)
        C(i, j) += A(k, i) * B(k, j);
}

static void initialise() {
  A = Matrix(1, size, size);
  B = Matrix(2, size, size);
  C = Matrix(3, size, size);
}
static void compute() { add_transposed_product(C, A, B); }
static void report() { output(C.data().data(), C.data().size()); }
