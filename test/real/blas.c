// The reference BLAS, level 2 and 3: all routines of real numbers in all variants, at several sizes.
#include "driver.h"

#ifndef REAL
#define REAL double
#define ROUTINE(name) d##name##_
#define LETTER "d"
#endif

typedef const int *Int;
typedef const REAL *Real;
typedef const char *Char;

void ROUTINE(gemv)(Char, Int, Int, Real, Real, Int, Real, Int, Real, REAL *, Int);
void ROUTINE(gbmv)(Char, Int, Int, Int, Int, Real, Real, Int, Real, Int, Real, REAL *, Int);
void ROUTINE(symv)(Char, Int, Real, Real, Int, Real, Int, Real, REAL *, Int);
void ROUTINE(sbmv)(Char, Int, Int, Real, Real, Int, Real, Int, Real, REAL *, Int);
void ROUTINE(spmv)(Char, Int, Real, Real, Real, Int, Real, REAL *, Int);
void ROUTINE(trmv)(Char, Char, Char, Int, Real, Int, REAL *, Int);
void ROUTINE(tbmv)(Char, Char, Char, Int, Int, Real, Int, REAL *, Int);
void ROUTINE(tpmv)(Char, Char, Char, Int, Real, REAL *, Int);
void ROUTINE(trsv)(Char, Char, Char, Int, Real, Int, REAL *, Int);
void ROUTINE(tbsv)(Char, Char, Char, Int, Int, Real, Int, REAL *, Int);
void ROUTINE(tpsv)(Char, Char, Char, Int, Real, REAL *, Int);
void ROUTINE(ger)(Int, Int, Real, Real, Int, Real, Int, REAL *, Int);
void ROUTINE(syr)(Char, Int, Real, Real, Int, REAL *, Int);
void ROUTINE(spr)(Char, Int, Real, Real, Int, REAL *);
void ROUTINE(syr2)(Char, Int, Real, Real, Int, Real, Int, REAL *, Int);
void ROUTINE(spr2)(Char, Int, Real, Real, Int, Real, Int, REAL *);
void ROUTINE(gemm)(Char, Char, Int, Int, Int, Real, Real, Int, Real, Int, Real, REAL *, Int);
void ROUTINE(symm)(Char, Char, Int, Int, Real, Real, Int, Real, Int, Real, REAL *, Int);
void ROUTINE(syrk)(Char, Char, Int, Int, Real, Real, Int, Real, REAL *, Int);
void ROUTINE(syr2k)(Char, Char, Int, Int, Real, Real, Int, Real, Int, Real, REAL *, Int);
void ROUTINE(trmm)(Char, Char, Char, Char, Int, Int, Real, Real, Int, REAL *, Int);
void ROUTINE(trsm)(Char, Char, Char, Char, Int, Int, Real, Real, Int, REAL *, Int);

// What routines call if an argument is wrong; the library's own one takes the Fortran runtime.
void xerbla_(Char routine, Int argument) {
  fprintf(stderr, "%.6s: argument %d is wrong\n", routine, *argument);
  exit(1);
}

static const char *const UPLO[] = {"U", "L"}, *const TRANS[] = {"N", "T"}, *const DIAG[] = {"N", "U"}, *const SIDE[] = {"L", "R"};

// The operands: `a` is not changed. `c` is what is computed.
static REAL *a, *b, *c, *x, *y;
static const REAL alpha = (REAL)1.5, beta = (REAL)0.5;
static const int one = 1;

static void fill(REAL *into, unsigned salt, size_t count) {
  for (size_t i = 0; i < count; i++)
    into[i] = (REAL)datum(salt, (unsigned)i);
}

#define LEVEL2(call, ...) MEASURE(fill(y, 5, n), call, y, sizeof(REAL) * n, LETTER __VA_ARGS__)
#define UPDATE(call, ...) MEASURE(fill(c, 3, (size_t)n * n), call, c, sizeof(REAL) * n * n, LETTER __VA_ARGS__)
#define LEVEL3(call, ...) MEASURE(fill(c, 3, (size_t)n * n), call, c, sizeof(REAL) * n * n, LETTER __VA_ARGS__)

static void level2(int n) {
  const int band = n < 16 ? n - 1 : 16, rows = 2 * band + 1;
  for (int t = 0; t < 2; t++) {
    LEVEL2(ROUTINE(gemv)(TRANS[t], &n, &n, &alpha, a, &n, x, &one, &beta, y, &one), "gemv %s %d", TRANS[t], n);
    LEVEL2(ROUTINE(gbmv)(TRANS[t], &n, &n, &band, &band, &alpha, a, &rows, x, &one, &beta, y, &one), "gbmv %s %d", TRANS[t], n);
  }
  for (int u = 0; u < 2; u++) {
    const int height = band + 1;
    LEVEL2(ROUTINE(symv)(UPLO[u], &n, &alpha, a, &n, x, &one, &beta, y, &one), "symv %s %d", UPLO[u], n);
    LEVEL2(ROUTINE(sbmv)(UPLO[u], &n, &band, &alpha, a, &height, x, &one, &beta, y, &one), "sbmv %s %d", UPLO[u], n);
    LEVEL2(ROUTINE(spmv)(UPLO[u], &n, &alpha, a, x, &one, &beta, y, &one), "spmv %s %d", UPLO[u], n);
    for (int t = 0; t < 2; t++)
      for (int d = 0; d < 2; d++) {
        const char *uplo = UPLO[u], *trans = TRANS[t], *diag = DIAG[d];
        LEVEL2(ROUTINE(trmv)(uplo, trans, diag, &n, a, &n, y, &one), "trmv %s%s%s %d", uplo, trans, diag, n);
        LEVEL2(ROUTINE(tbmv)(uplo, trans, diag, &n, &band, a, &height, y, &one), "tbmv %s%s%s %d", uplo, trans, diag, n);
        LEVEL2(ROUTINE(tpmv)(uplo, trans, diag, &n, a, y, &one), "tpmv %s%s%s %d", uplo, trans, diag, n);
        LEVEL2(ROUTINE(trsv)(uplo, trans, diag, &n, b, &n, y, &one), "trsv %s%s%s %d", uplo, trans, diag, n);
        LEVEL2(ROUTINE(tbsv)(uplo, trans, diag, &n, &band, b, &height, y, &one), "tbsv %s%s%s %d", uplo, trans, diag, n);
        LEVEL2(ROUTINE(tpsv)(uplo, trans, diag, &n, b, y, &one), "tpsv %s%s%s %d", uplo, trans, diag, n);
      }
    UPDATE(ROUTINE(syr)(UPLO[u], &n, &alpha, x, &one, c, &n), "syr %s %d", UPLO[u], n);
    UPDATE(ROUTINE(spr)(UPLO[u], &n, &alpha, x, &one, c), "spr %s %d", UPLO[u], n);
    UPDATE(ROUTINE(syr2)(UPLO[u], &n, &alpha, x, &one, a, &one, c, &n), "syr2 %s %d", UPLO[u], n);
    UPDATE(ROUTINE(spr2)(UPLO[u], &n, &alpha, x, &one, a, &one, c), "spr2 %s %d", UPLO[u], n);
  }
  UPDATE(ROUTINE(ger)(&n, &n, &alpha, x, &one, a, &one, c, &n), "ger %d", n);
}

static void level3(int n) {
  for (int s = 0; s < 2; s++)
    for (int t = 0; t < 2; t++) {
      const char *first = TRANS[s], *second = TRANS[t], *side = SIDE[s], *uplo = UPLO[s];
      LEVEL3(ROUTINE(gemm)(first, second, &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n), "gemm %s%s %d", first, second, n);
      LEVEL3(ROUTINE(symm)(side, UPLO[t], &n, &n, &alpha, a, &n, b, &n, &beta, c, &n), "symm %s%s %d", side, UPLO[t], n);
      LEVEL3(ROUTINE(syrk)(uplo, second, &n, &n, &alpha, a, &n, &beta, c, &n), "syrk %s%s %d", uplo, second, n);
      LEVEL3(ROUTINE(syr2k)(uplo, second, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n), "syr2k %s%s %d", uplo, second, n);
      for (int u = 0; u < 2; u++)
        for (int d = 0; d < 2; d++) {
          const char *half = UPLO[u], *diag = DIAG[d];
          LEVEL3(ROUTINE(trmm)(side, half, second, diag, &n, &n, &alpha, a, &n, c, &n), "trmm %s%s%s%s %d", side, half, second, diag, n);
          LEVEL3(ROUTINE(trsm)(side, half, second, diag, &n, &n, &alpha, b, &n, c, &n), "trsm %s%s%s%s %d", side, half, second, diag, n);
        }
    }
}

int main(int argc, char **argv) {
  // Level 2 or 3, and the sizes.
  const int level = argc > 1 ? atoi(argv[1]) : 3;
  for (int k = 2; k < argc; k++) {
    const int n = atoi(argv[k]);
    const size_t count = (size_t)n * n + 64 * n;
    a = allocate(sizeof(REAL) * count), b = allocate(sizeof(REAL) * count), c = allocate(sizeof(REAL) * count);
    x = allocate(sizeof(REAL) * n), y = allocate(sizeof(REAL) * n);
    fill(a, 1, count), fill(b, 2, count), fill(x, 4, n);
    // Solves stay finite, whatever the layout: with a triangle of ones, they are differences of neighbours.
    for (size_t i = 0; i < count; i++)
      b[i] = (REAL)(1 + b[i] / (16 * n));
    if (level == 2)
      level2(n);
    else
      level3(n);
    free(a), free(b), free(c), free(x), free(y);
  }
}
