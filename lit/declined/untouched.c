// A function that is declined comes out of the whole pipeline as it would without the plugin, with debug information and
// at every level.
//
// RUN: clang -O1 -g -c -o %t.1.without.o %s
// RUN: %clang -O1 -g -c -o %t.1.with.o %s
// RUN: cmp %t.1.without.o %t.1.with.o
// RUN: clang -O3 -mavx2 -S -emit-llvm -o %t.3.without.ll %s
// RUN: %clang -O3 -mavx2 -S -emit-llvm -o %t.3.with.ll %s
// RUN: cmp %t.3.without.ll %t.3.with.ll

struct list { struct list *next; double value; };

double walk(struct list *l) {
  double sum = 0;
  for (; l; l = l->next)
    sum += l->value;
  return sum;
}

int find(const char *text, char c) {
  for (int i = 0; text[i]; i++)
    if (text[i] == c)
      return i;
  return -1;
}

void scatter(int n, double *a, const int *where, const double *b) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0)
      a[where[i]] += b[i];
}

void histogram(int n, const unsigned char *in, unsigned *restrict out) {
  for (int i = 0; i < n; i++)
    out[in[i]]++;
}

// Declined, or not worth a change, after loads have been done in front of the loop for a try.
struct shape { int n, m; double *restrict data; int *where; };

void gather(struct shape *s, double *x) {
  for (int i = 0; i < s->n; i++)
    for (int j = 0; x[j] > 0; j++)
      x[j] = s->data[i] + s->where[s->m];
}

double sum(const struct shape *s) {
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += s->data[i];
  return sum;
}
