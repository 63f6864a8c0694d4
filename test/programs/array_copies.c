// Temporary rows that each iteration of a loop fills and uses anew. With an argument: one nest, in a process that has no memory for copies if the
// second one says so.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { N = 131 };

typedef struct {
  double a[N][N], b[N][N], x[N][N], y[N][N];
  // The fourth element of the row is at the beginning of a cache line.
  double before[5] __attribute__((aligned(64))), row[N + 3], other[N], r[N];
  int rows[N];
} Operands;

#define OPERANDS                                                                                                                  \
  int n, int half, double (*a)[N], double (*b)[N], double (*x)[N], double (*y)[N], double *row, const double *other, double *r, \
      int *rows

// A row is copied back to where it came from.
static void product_in_place(OPERANDS) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      row[j] = 0;
      for (int k = 0; k < n; k++)
        row[j] += x[i][k] * a[k][j];
    }
    for (int j = 0; j < n; j++)
      x[i][j] = row[j];
  }
}

// Two layers, with a local row of which nobody sees anything afterwards.
static void layers(OPERANDS) {
  double hidden[N];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double s = other[j];
      for (int k = 0; k < n; k++)
        s += a[j][k] * x[i][k];
      hidden[j] = s > 0 ? s : 0;
    }
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += b[j][k] * hidden[k];
      y[i][j] = s;
    }
  }
}

// A scalar is handed on beside the row, of which the first element is set by itself.
static void normalized(OPERANDS) {
  for (int i = 0; i < n; i++) {
    double most = x[i][0];
    row[0] = 1;
    for (int j = 1; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[j][k] * x[i][k];
      row[j] = s;
      most = s > most ? s : most;
    }
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        y[i][k] += (row[j] - most) * b[j][k];
  }
}

// Rows that begin at another element, and are filled backward.
static void backward(OPERANDS) {
  for (int i = n - 1; i >= 2; i--) {
    for (int j = n - 2; j >= 1; j--) {
      row[j] = other[j];
      for (int k = 0; k < n; k++)
        row[j] += a[k][j] * x[i][k];
    }
    double s = 0;
    for (int j = 1; j < n - 1; j++)
      s += row[j] * x[i][j];
    r[i] = s;
  }
}

// Each row is shorter than the next one: the last one has all elements.
static void growing(OPERANDS) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      row[j] = 0;
      for (int k = 0; k < n; k++)
        row[j] += a[j][k] * x[i][k];
    }
    for (int j = 0; j <= i; j++)
      y[i][j] = row[j];
  }
}

// Each row is longer than the next one: elements are left by different iterations.
static void shrinking(OPERANDS) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n - i; j++) {
      row[j] = 0;
      for (int k = 0; k < n; k++)
        row[j] += a[j][k] * x[i][k];
    }
    for (int j = 0; j < n - i; j++)
      y[i][j] = row[j];
  }
}

// Some iterations leave the row as it is.
static void conditional(OPERANDS) {
  for (int i = 0; i < n; i++) {
    if (other[i] > 1)
      for (int j = 0; j < n; j++) {
        row[j] = 0;
        for (int k = 0; k < n; k++)
          row[j] += a[j][k] * x[i][k];
      }
    for (int j = 0; j < n; j++)
      y[i][j] = row[j];
  }
}

// The last iteration may write elements that no other one does.
static void partly(OPERANDS) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < half; j++) {
      row[j] = 0;
      for (int k = 0; k < n; k++)
        row[j] += a[j][k] * x[i][k];
    }
    for (int j = 0; j < half; j++)
      y[i][j] = row[j];
    if (i == n - 1)
      for (int j = 0; j < half; j++)
        if (other[j] > 0)
          row[half + j] = other[j];
  }
}

// Addresses of the row are used for more than accesses.
static void addresses(OPERANDS) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      row[j] = 0;
      for (int k = 0; k < n; k++)
        row[j] += a[j][k] * x[i][k];
    }
    for (int j = 0; j < n; j++) {
      y[i][j] = &row[j] < &other[0] ? row[j] : -row[j];
      b[i][j] = &row[j] - row;
    }
  }
}

// An element of the row is known to be aligned to more than its size.
static void aligned(OPERANDS) {
  half /= 4;
  typedef double Aligned __attribute__((aligned(64)));
  double *from = row + 3;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 8 * half; j++) {
      from[j] = 0;
      for (int k = 0; k < n; k++)
        from[j] += a[j][k] * x[i][k];
    }
    for (int j = 0; j < half; j++) {
      y[i][8 * j] = *(Aligned *)&from[8 * j];
      for (int k = 1; k < 8; k++)
        y[i][8 * j + k] = from[8 * j + k];
    }
  }
}

// A tridiagonal system for each row. Each element waits for the one before, in two rows.
static void tridiagonal(OPERANDS) {
  double factors[N];
  if (n < 1)
    return;
  for (int i = 0; i < n; i++) {
    factors[0] = 0.25;
    row[0] = x[i][0];
    for (int j = 1; j < n; j++) {
      double pivot = 1 / (4 - factors[j - 1]);
      factors[j] = pivot;
      row[j] = (x[i][j] + row[j - 1]) * pivot;
    }
    y[i][n - 1] = row[n - 1];
    for (int j = n - 2; j >= 0; j--)
      y[i][j] = row[j] + factors[j] * y[i][j + 1];
  }
}

// Whole numbers, in two rows, one of which is made of the other one.
static void whole(OPERANDS) {
  int first[N];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      first[j] = (int)x[i][j] + j;
    for (int j = 0; j < n; j++) {
      rows[j] = 0;
      for (int k = 0; k < n; k++)
        rows[j] += first[k] * (int)a[j][k];
    }
    for (int j = 0; j < n; j++)
      y[i][j] = rows[j];
  }
}

typedef struct {
  const char *name;
  void (*run)(OPERANDS);
} Nest;

static const Nest nests[] = {
    {"product_in_place", product_in_place}, {"layers", layers},       {"normalized", normalized},   {"backward", backward},
    {"growing", growing},                   {"shrinking", shrinking}, {"conditional", conditional}, {"whole", whole},
    {"partly", partly},                     {"addresses", addresses}, {"aligned", aligned},
    {"tridiagonal", tridiagonal},
};

static double value(int i, int j) { return (i * 7 + j * 13) % 11 - 4; }

static void run(const Nest *nest, int n, Operands *o) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      o->a[i][j] = value(i, j) / 8;
      o->b[i][j] = value(j, 2 * i) / 8;
      o->x[i][j] = value(i + 3, 5 * j);
      o->y[i][j] = 1;
    }
    o->row[i] = value(i, 1);
    o->other[i] = value(1, i);
    o->r[i] = 2;
    o->rows[i] = 3;
  }
  nest->run(n, n / 2, o->a, o->b, o->x, o->y, o->row, o->other, o->r, o->rows);
  unsigned long long sum = 0;
  for (size_t k = 0; k < sizeof *o; k++)
    sum = sum * 31 + ((unsigned char *)o)[k];
  printf("%s %d: %llx\n", nest->name, n, sum);
}

// Whatever the allocator has is taken, and the stack has what it may need.
static void *volatile taken;

static __attribute__((noinline)) void exhaust_memory(void) {
  volatile char stack[1 << 19];
  for (size_t k = 0; k < sizeof stack; k += 4096)
    stack[k] = 0;
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_AS, &none);
  setrlimit(RLIMIT_DATA, &none);
  for (size_t size = 1 << 20; size > 0; size /= 2)
    while ((taken = malloc(size)))
      ;
}

int main(int argc, char **argv) {
  static Operands o;
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc > 2)
    exhaust_memory();
  const int sizes[] = {0, 1, 2, 3, 8, 31, 32, 33, 64, 70, 100, N};
  for (size_t k = 0; k < sizeof nests / sizeof *nests; k++)
    if (argc < 2 || !strcmp(argv[1], nests[k].name))
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        run(&nests[k], sizes[s], &o);
}
