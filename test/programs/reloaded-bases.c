// Two nests over the same arrays, whose addresses are loaded for each nest: each array is one array of the model.
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  long n, m;
  double *data, *mean, *square;
};

// All loads are inside of the region, under the condition that the loops are entered.
__attribute__((noinline)) void inside(struct matrix *s) {
  long n = s->n, m = s->m;
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      s->mean[j] += s->data[i * m + j];
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      s->square[j] += s->data[i * m + j] * s->mean[j];
}

// The first loads are before the region, and the second ones inside.
__attribute__((noinline)) void before(struct matrix *s) {
  long n = s->n, m = s->m;
  double *data = s->data, *mean = s->mean;
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      mean[j] += data[i * m + j];
  double *again = s->data, *mean_again = s->mean, *square = s->square;
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      square[j] += again[i * m + j] * mean_again[j];
}

int main(void) {
  struct matrix s = {120, 90, malloc(120 * 90 * sizeof(double)), calloc(90, sizeof(double)), calloc(90, sizeof(double))};
  for (long k = 0; k < 120 * 90; k++)
    s.data[k] = k % 17;
  inside(&s);
  before(&s);
  double sum = 0;
  for (long j = 0; j < 90; j++)
    sum += s.mean[j] + s.square[j];
  printf("%.17g\n", sum);
  return 0;
}
