// Scalars that live in elements of arrays or are loaded again, and parts of blocks that are executed apart.
#include <stdio.h>

#define N 40

#define KERNEL __attribute__((noinline)) static void

KERNEL sums(int n, double (*A)[N], double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[j][i] * x[j];
    y[i] = s / 3;
  }
}

KERNEL updates(int n, double (*A)[N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = A[i][j];
      for (int k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / (A[j][j] + 40);
    }
    for (int j = i; j < n; j++) {
      double w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
}

KERNEL needed(int n, double (*A)[N], double (*B)[N], double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 1;
    for (int j = 0; j < n; j++) {
      s += A[j][i];
      t += B[j][i] * s;
    }
    y[i] = y[i] * t + s;
  }
}

KERNEL looked_at(int n, double (*A)[N], double *y) {
  for (int i = 0; i < n; i++) {
    double s = 1;
    for (int j = 0; j < n; j++)
      s += A[j][i] * y[j];
    y[i] = s / 50;
  }
}

KERNEL elsewhere(int n, int m, double (*A)[N], double *y) {
  for (int i = 0; i < n; i++) {
    double s = 1;
    for (int j = 0; j < m; j++)
      s += A[j][i] * y[j + 1];
    y[i] = s;
  }
}

KERNEL forwarded(int n, double (*A)[N], double *x) {
  for (int i = 0; i < n; i++) {
    double v = 2 * x[i] + x[i + 1];
    for (int j = 0; j < n; j++)
      A[j][i] *= v;
  }
}

KERNEL overwritten(int n, int k, double (*A)[N]) {
  for (int i = 0; i < n; i++) {
    double v = A[k][i];
    for (int j = 0; j < n; j++)
      A[j][i] += v;
  }
}

KERNEL swapped(int n, double *a, double *b) {
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < n; i++) {
      double v = a[i], w = b[i];
      a[i] = w + r;
      b[i] = v;
    }
}

KERNEL apart(int n, double (*A)[N], double (*B)[N], double *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[j][i] += x[i];
      B[i][j] = B[i][j] * 2 + j;
    }
}

KERNEL in_order(int n, double (*A)[N], double (*B)[N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      double v = A[j - 1][i] + A[j][i];
      A[j][i] = i - j;
      B[j][i] = v * B[j - 1][i - 1];
    }
}

KERNEL chosen(int n, int m, double (*A)[N], double (*B)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double v;
      if (j < m) {
        v = B[j][i];
        B[j][i] = j;
      } else {
        v = 3;
        B[j][i] += i;
      }
      A[j][i] = v * 2;
    }
}

KERNEL sometimes(int n, int m, double (*A)[N], double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[j][i];
    if (i >= m)
      y[i] = s;
  }
}

KERNEL on_data(int n, double (*A)[N], double *y, double *z) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = z[i];
    for (int j = 0; j < n; j++) {
      double v = A[j][i];
      if (v > t)
        z[i] = v;
      s += v;
    }
    y[i] = s + t;
  }
}

KERNEL nested(int n, double (*A)[N], double (*B)[N]) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) {
      double t = s;
      for (int k = 0; k < 5; k++)
        t += A[k][j];
      B[j][i] = t;
      s += t / 9;
    }
    A[i][i] = s;
  }
}

KERNEL integers(int n, unsigned char (*A)[N], unsigned char *y) {
  for (int i = 0; i < n; i++) {
    unsigned char s = i;
    for (int j = 0; j < n; j++)
      s = s * 3 + A[j][i];
    y[2 * i] = s;
    y[2 * i + 1] = ~s;
  }
}

struct __attribute__((packed)) odd {
  double d;
};

KERNEL misaligned(int n, double (*A)[N], struct odd *p) {
  for (int i = 0; i < n; i++) {
    double s = i;
    for (int j = 0; j < n; j++)
      s += A[j][i];
    p[i].d = s;
  }
}

KERNEL local(int n, double (*A)[N], double (*B)[N]) {
  for (int i = 0; i < n; i++) {
    double t[N];
    for (int j = 0; j < n; j++)
      t[j] = B[j][i] + i;
    for (int j = 0; j < n; j++) {
      double u[3] = {1, t[j]};
      for (int k = 0; k < 3; k++)
        u[k] += k;
      A[j][i] = t[n - 1 - j] * u[(i + j) % 3];
    }
  }
}

static double A[N][N], B[N][N], x[2 * N], y[2 * N];
static unsigned char bytes[N][N], counts[2 * N];
static struct odd odds[N];

static void fill(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = (i * 7 + j * 3) % 11 - 4.5;
      B[i][j] = (i * 5 + j) % 13 - 6.25;
      bytes[i][j] = i * 31 + j;
    }
  for (int i = 0; i < 2 * N; i++) {
    x[i] = i % 5 - 1.75;
    y[i] = i % 7 + 0.125;
  }
}

static void show(const char *name) {
  unsigned long hash = 5381;
  const unsigned char *parts[] = {(void *)A, (void *)B, (void *)x, (void *)y, (void *)counts, (void *)odds};
  unsigned long sizes[] = {sizeof A, sizeof B, sizeof x, sizeof y, sizeof counts, sizeof odds};
  for (int p = 0; p < 6; p++)
    for (unsigned long k = 0; k < sizes[p]; k++)
      hash = hash * 33 + parts[p][k];
  printf("%s %lx\n", name, hash);
  fill();
}

int main(void) {
  fill();
  for (int n = 0; n <= N; n += n < 4 ? 1 : 9) {
    double(*volatile a)[N] = A, (*volatile b)[N] = B;
    double *volatile u = x, *volatile v = y;
    sums(n, a, u, v), show("sums");
    sums(n, a, u, u), show("sums in place");
    sums(n, a, u, a[3]), show("sums in a row");
    updates(n, a), show("updates");
    needed(n, a, b, v), show("needed");
    looked_at(n, a, v), show("looked at");
    elsewhere(n, n / 2, a, v), show("elsewhere");
    forwarded(n, a, u), show("forwarded");
    forwarded(n, a, a[1]), show("forwarded from a row");
    overwritten(n, n / 2, a), show("overwritten");
    swapped(n, u, v), show("swapped");
    swapped(n, u, u + 1), show("swapped in place");
    apart(n, a, b, u), show("apart");
    in_order(n, a, b), show("in order");
    chosen(n, n / 3, a, b), show("chosen");
    sometimes(n, n / 4, a, v), show("sometimes");
    on_data(n, a, u, v), show("on data");
    nested(n, a, b), show("nested");
    integers(n, bytes, counts), show("integers");
    misaligned(n, a, odds), show("misaligned");
    local(n, a, b), show("local");
  }
}
