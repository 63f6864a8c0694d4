#include <vector>

struct Matrix {
  int rows, columns;
  std::vector<double> values;
  double &operator()(int i, int j) { return values[i * columns + j]; }
};

void multiply(Matrix &c, Matrix &a, Matrix &b) {
  for (int i = 0; i < c.rows; i++)
    for (int j = 0; j < c.columns; j++)
      for (int k = 0; k < a.columns; k++)
        c(i, j) += a(i, k) * b(k, j);
}
