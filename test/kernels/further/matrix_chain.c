// The costs of products of chains of matrices, by dynamic programming over intervals.
#ifndef N
#define N 400
#endif
#include "further.h"

static DATA *Costs, *Sizes;

static NOINLINE void chains(int n, DATA *restrict costs, const DATA *restrict sizes) {
  for (int length = 1; length < n; length++)
    for (int i = 0; i + length < n; i++) {
      int j = i + length;
      DATA best = (DATA)1e30;
      for (int k = i; k < j; k++) {
        DATA cost = costs[i * n + k] + costs[(k + 1) * n + j] + sizes[i] * sizes[k + 1] * sizes[j + 1];
        if (cost < best)
          best = cost;
      }
      costs[i * n + j] = best;
    }
}

static void initialise(void) {
  Costs = allocate(sizeof(DATA) * (size_t)size * (size_t)size);
  Sizes = allocate(sizeof(DATA) * (size_t)(size + 1));
  for (int i = 0; i <= size; i++)
    Sizes[i] = (DATA)(1 + i * 37 % 89);
}
static void compute(void) { chains(size, Costs, Sizes); }
static void report(void) {
  for (int i = 0; i < size * size; i++)
    output_number((double)Costs[i]);
}
