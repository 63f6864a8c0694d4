#include <vector>

using Matrix = std::vector<std::vector<double>>;

void multiply(Matrix &c, const Matrix &a, const Matrix &b) {
  for (std::size_t i = 0; i < c.size(); i++)
    for (std::size_t j = 0; j < b[0].size(); j++)
      for (std::size_t k = 0; k < b.size(); k++)
        c[i][j] += a[i][k] * b[k][j];
}
