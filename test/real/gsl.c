// The GNU Scientific Library: matrix products and solves by its own BLAS, factorizations, statistics, filters, interpolation.
#include "driver.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_interp2d.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_movstat.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_wavelet.h>
#include <gsl/gsl_wavelet2d.h>

static void fill(double *into, unsigned salt, size_t count) {
  for (size_t i = 0; i < count; i++)
    into[i] = datum(salt, (unsigned)i);
}

// A matrix whose diagonal is large.
static void dominant(gsl_matrix *matrix) {
  const size_t n = matrix->size1;
  fill(matrix->data, 1, n * n);
  for (size_t i = 0; i < n; i++)
    matrix->data[i * n + i] += (double)n;
}

static void symmetric(gsl_matrix *matrix) {
  dominant(matrix);
  for (size_t i = 0; i < matrix->size1; i++)
    for (size_t j = 0; j < i; j++)
      gsl_matrix_set(matrix, i, j, gsl_matrix_get(matrix, j, i));
}

#define MATRIX(prepare, call, name) MEASURE(prepare, call, c->data, sizeof(double) * n * n, name " %zu", n)
#define VECTOR(prepare, call, name) MEASURE(prepare, call, y->data, sizeof(double) * n, name " %zu", n)

static void dense(size_t n) {
  gsl_matrix *a = gsl_matrix_alloc(n, n), *b = gsl_matrix_alloc(n, n), *c = gsl_matrix_alloc(n, n), *d = gsl_matrix_alloc(n, n);
  gsl_vector *x = gsl_vector_alloc(n), *y = gsl_vector_alloc(n), *z = gsl_vector_alloc(n);
  gsl_permutation *p = gsl_permutation_alloc(n);
  gsl_vector_view scales = gsl_vector_subvector(y, 0, n - 1);
  int sign;
  dominant(a);
  fill(b->data, 2, n * n);
  fill(x->data, 3, n);
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.5, a, b, 0.5, c), "dgemm NN");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1.5, a, b, 0.5, c), "dgemm NT");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.5, a, b, 0.5, c), "dgemm TN");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dsyrk(CblasLower, CblasNoTrans, 1.5, a, 0.5, c), "dsyrk");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dsyr2k(CblasLower, CblasNoTrans, 1.5, a, b, 0.5, c), "dsyr2k");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dsymm(CblasLeft, CblasLower, 1.5, a, b, 0.5, c), "dsymm");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dtrmm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1.5, a, c), "dtrmm");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dtrsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, 1.5, a, c), "dtrsm");
  VECTOR(fill(y->data, 5, n), gsl_blas_dgemv(CblasNoTrans, 1.5, a, x, 0.5, y), "dgemv N");
  VECTOR(fill(y->data, 5, n), gsl_blas_dgemv(CblasTrans, 1.5, a, x, 0.5, y), "dgemv T");
  VECTOR(fill(y->data, 5, n), gsl_blas_dsymv(CblasLower, 1.5, a, x, 0.5, y), "dsymv");
  VECTOR(fill(y->data, 5, n), gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, a, y), "dtrsv");
  MATRIX(fill(c->data, 4, n * n), gsl_blas_dger(1.5, x, x, c), "dger");
  MATRIX(dominant(c), gsl_linalg_LU_decomp(c, p, &sign), "LU");
  MATRIX(symmetric(c), gsl_linalg_cholesky_decomp1(c), "Cholesky");
  MATRIX(dominant(c), gsl_linalg_QR_decomp(c, y), "QR");
  MATRIX(dominant(c), gsl_linalg_hessenberg_decomp(c, y), "Hessenberg");
  MATRIX(symmetric(c), gsl_linalg_symmtd_decomp(c, &scales.vector), "tridiagonal");
  // Larger ones take too long.
  if (n <= 200) {
    MATRIX(dominant(c), gsl_linalg_SV_decomp(c, d, y, z), "SVD");
    MATRIX(dominant(c), gsl_linalg_SV_decomp_jacobi(c, d, y), "SVD by Jacobi");
    gsl_eigen_symmv_workspace *w = gsl_eigen_symmv_alloc(n);
    VECTOR(symmetric(c), gsl_eigen_symmv(c, y, d, w), "eigenvectors");
    gsl_eigen_symmv_free(w);
  }
  MATRIX(memcpy(c->data, b->data, sizeof(double) * n * n), gsl_matrix_transpose(c), "transpose");
  MATRIX(memcpy(c->data, b->data, sizeof(double) * n * n), gsl_matrix_add(c, a), "matrix add");
  gsl_matrix_free(a), gsl_matrix_free(b), gsl_matrix_free(c), gsl_matrix_free(d);
  gsl_vector_free(x), gsl_vector_free(y), gsl_vector_free(z);
  gsl_permutation_free(p);
}

#define SERIES(prepare, call, name) MEASURE(prepare, call, out, sizeof(double) * n, name " %zu", n)

static void series(size_t n) {
  double *in = allocate(sizeof(double) * 2 * n), *other = allocate(sizeof(double) * n), *out = allocate(sizeof(double) * 2 * n);
  fill(in, 1, 2 * n), fill(other, 2, n);
  SERIES(, out[0] = gsl_stats_variance(in, 1, n), "variance");
  SERIES(, out[0] = gsl_stats_covariance(in, 1, other, 1, n), "covariance");
  SERIES(, out[0] = gsl_stats_kurtosis(in, 1, n), "kurtosis");
  SERIES(, out[0] = gsl_stats_lag1_autocorrelation(in, 1, n), "autocorrelation");
  SERIES(, out[0] = gsl_stats_max(in, 1, n), "maximum");
  SERIES(memcpy(out, in, sizeof(double) * n), gsl_sort(out, 1, n), "sort");
  SERIES(memcpy(out, in, sizeof(double) * 2 * n), gsl_fft_complex_radix2_forward(out, 1, n), "Fourier transform");
  gsl_wavelet *wavelet = gsl_wavelet_alloc(gsl_wavelet_daubechies, 4);
  gsl_wavelet_workspace *space = gsl_wavelet_workspace_alloc(n);
  SERIES(memcpy(out, in, sizeof(double) * n), gsl_wavelet_transform_forward(wavelet, out, 1, n, space), "wavelet transform");
  gsl_wavelet_workspace_free(space), gsl_wavelet_free(wavelet);
  gsl_movstat_workspace *window = gsl_movstat_alloc(21);
  gsl_vector_view from = gsl_vector_view_array(in, n), to = gsl_vector_view_array(out, n);
  SERIES(, gsl_movstat_mean(GSL_MOVSTAT_END_PADVALUE, &from.vector, &to.vector, window), "moving mean");
  SERIES(, gsl_movstat_max(GSL_MOVSTAT_END_PADVALUE, &from.vector, &to.vector, window), "moving maximum");
  gsl_movstat_free(window);
  SERIES(, for (size_t i = 0; i < n; i++) out[i] = gsl_poly_eval(other, 20, in[i]), "polynomials");
  free(in), free(other), free(out);
}

int main(void) {
  const size_t sizes[] = {4, 10, 30, 100, 200, 400};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    dense(sizes[k]);
  series(256), series(16384);
}
