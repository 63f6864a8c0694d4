// Smoothing of a grid, down its columns, over std::span and std::array.
#include "../kernel.h"
#include <array>
#include <span>
#include <vector>

constexpr size_t row = 1500;
using Row = std::array<DATA, row>;

static std::vector<Row> now, next;

static NOINLINE void smooth(int steps, std::span<Row> now, std::span<Row> next) {
  for (int t = 0; t < steps; t++) {
    for (size_t j = 1; j + 1 < row; j++)
      for (size_t i = 1; i + 1 < now.size(); i++)
        next[i][j] = DATA(0.25) * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
    for (size_t j = 1; j + 1 < row; j++)
      for (size_t i = 1; i + 1 < now.size(); i++)
        now[i][j] = next[i][j];
  }
}

static void initialise() {
  now.resize(size);
  for (int i = 0; i < size; i++)
    for (size_t j = 0; j < row; j++)
      now[i][j] = datum(1, i, (int)j);
  next = now;
}
static void compute() { smooth(10, now, next); }
static void report() {
  for (auto *grid : {&now, &next})
    for (const Row &line : *grid)
      output(line.data(), row);
}
