// Two nests over the same vectors, whose elements' addresses are loaded for each nest.
#include <cstdio>
#include <vector>

__attribute__((noinline)) void column_means(const std::vector<double> &a, long n, long m, std::vector<double> &mean,
                                            std::vector<double> &square) {
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      mean[j] += a[i * m + j];
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      square[j] += a[i * m + j] * mean[j];
}

int main() {
  long n = 120, m = 90;
  std::vector<double> a(n * m), mean(m), square(m);
  for (long k = 0; k < n * m; k++)
    a[k] = k % 17;
  column_means(a, n, m, mean, square);
  double sum = 0;
  for (long j = 0; j < m; j++)
    sum += mean[j] + square[j];
  std::printf("%.17g\n", sum);
}
