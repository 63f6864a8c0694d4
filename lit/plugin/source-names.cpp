// Containers by their names, library functions that were inlined at their calls, and one remark for each nest of the source.
//
// RUN: %clang -O3 -g -Rpass=farkas -Rpass-missed=farkas -Rpass-analysis=farkas -fno-caret-diagnostics -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %clang -O3 -g -Rpass-missed=farkas -fno-caret-diagnostics -mllvm -farkas-remarks=all -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL

#include <cstddef>
#include <numeric>
#include <vector>

using Rows = std::vector<std::vector<double>>;

// ALL: stl_algobase.h:{{.*}}: remark: loop nest left as it is: no gain expected: each loop has a single statement
// CHECK: source-names.cpp:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}} (i, k, j), unrolled and jammed 4 x 4 (i, k), where a.size() >= 6 and b[0].size() >= 12 and b.size() >= 12, or b[0].size() >= 48 and b.size() >= 48, or a.size() >= 96 and b.size() >= 96, or a.size() >= 24 and b[0].size() >= 24
// CHECK: remark: checked before the loop nest: that the sizes are not negative (b.size() >= 0 and b[0].size() >= 0 and a.size() >= 0), and that the rows of a, the rows of c and the rows of b do not overlap
void product(Rows &c, const Rows &a, const Rows &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < b[0].size(); j++)
      for (std::size_t k = 0; k < b.size(); k++)
        c[i][j] += a[i][k] * b[k][j];
}

struct Matrix {
  int n;
  std::vector<double> values;
  double &operator()(int i, int j) { return values[i * n + j]; }
  const double &operator()(int i, int j) const { return values[i * n + j]; }
};

// CHECK: source-names.cpp:[[@LINE+3]]:3: remark: loop nest transformed: {{.*}} where c.n >= 6
// CHECK: remark: checked before the loop nest: that a.values, c.values and b.values do not overlap
void product(Matrix &c, const Matrix &a, const Matrix &b) {
  for (int i = 0; i < c.n; i++)
    for (int j = 0; j < c.n; j++)
      for (int k = 0; k < c.n; k++)
        c(i, j) += a(i, k) * b(k, j);
}

// No loop of this is the user's but those of the constructors and destructors, which are one order only, or in calls.
// CHECK: source-names.cpp:[[#]]:{{.*}}: remark: loop nest in _M_deallocate left as it is: call of operator delete, which may access memory [-Rpass-missed=farkas]
double corner(int n) {
  Rows rows(n, std::vector<double>(n));
  return rows[0][0];
}

// A function is named as the source names it.
namespace place {
void record(const double &value);
}
// CHECK: source-names.cpp:[[@LINE+3]]:{{.*}}: remark: loop nest left as it is: call of place::record, which may access memory
void observe(const std::vector<double> &values) {
  for (std::size_t i = 0; i < values.size(); i++)
    place::record(values[i]);
}
