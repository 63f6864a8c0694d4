// The kernels of test/kernels on the device: one thread for each iteration of the parallel loops.

#pragma once

#include "common.cuh"

namespace device {

__device__ static int first() { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ static int second() { return (int)(blockIdx.y * blockDim.y + threadIdx.y); }
__device__ static int third() { return (int)(blockIdx.z * blockDim.z + threadIdx.z); }
__device__ static size_t at(int i, int j, int n) { return (size_t)i * n + j; }
__device__ static size_t at(int i, int j, int k, int n) { return ((size_t)i * n + j) * n + k; }

template <typename T>
__global__ void gemm(int n, T alpha, T beta, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  T sum = C[at(i, j, n)] * beta;
  for (int k = 0; k < n; k++)
    sum += alpha * A[at(i, k, n)] * B[at(k, j, n)];
  C[at(i, j, n)] = sum;
}

template <typename T>
__global__ void scaled_product(int n, T alpha, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  T sum = 0;
  for (int k = 0; k < n; k++)
    sum += alpha * A[at(i, k, n)] * B[at(k, j, n)];
  C[at(i, j, n)] = sum;
}

template <typename T>
__global__ void added_product(int n, T beta, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  T sum = C[at(i, j, n)] * beta;
  for (int k = 0; k < n; k++)
    sum += A[at(i, k, n)] * B[at(k, j, n)];
  C[at(i, j, n)] = sum;
}

template <typename T> __global__ void product(int n, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  T sum = 0;
  for (int k = 0; k < n; k++)
    sum += A[at(i, k, n)] * B[at(k, j, n)];
  C[at(i, j, n)] = sum;
}

template <typename T> __global__ void syrk(int n, T alpha, T beta, const T *__restrict__ A, T *__restrict__ C) {
  int i = second(), j = first();
  if (i >= n || j > i)
    return;
  T sum = C[at(i, j, n)] * beta;
  for (int k = 0; k < n; k++)
    sum += alpha * A[at(i, k, n)] * A[at(j, k, n)];
  C[at(i, j, n)] = sum;
}

template <typename T>
__global__ void syr2k(int n, T alpha, T beta, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C) {
  int i = second(), j = first();
  if (i >= n || j > i)
    return;
  T sum = C[at(i, j, n)] * beta;
  for (int k = 0; k < n; k++)
    sum += A[at(j, k, n)] * alpha * B[at(i, k, n)] + B[at(j, k, n)] * alpha * A[at(i, k, n)];
  C[at(i, j, n)] = sum;
}

// Gathers what later rows scatter into C[i][j] in the sequential loops, so that elements do not depend on each other.
template <typename T>
__global__ void symm(int n, T alpha, T beta, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  T sum = 0;
  for (int k = 0; k < i; k++)
    sum += B[at(k, j, n)] * A[at(i, k, n)];
  T value = beta * C[at(i, j, n)] + alpha * B[at(i, j, n)] * A[at(i, i, n)] + alpha * sum;
  for (int k = i + 1; k < n; k++)
    value += alpha * B[at(k, j, n)] * A[at(k, i, n)];
  C[at(i, j, n)] = value;
}

// Into another array, because every row needs the old values of those below.
template <typename T> __global__ void trmm(int n, T alpha, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ result) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  T sum = B[at(i, j, n)];
  for (int k = i + 1; k < n; k++)
    sum += A[at(k, i, n)] * B[at(k, j, n)];
  result[at(i, j, n)] = alpha * sum;
}

template <typename T> __global__ void doitgen(int n, const T *__restrict__ A, const T *__restrict__ C4, T *__restrict__ sums) {
  int r = third(), q = second(), p = first();
  if (r >= n || q >= n || p >= n)
    return;
  T sum = 0;
  for (int s = 0; s < n; s++)
    sum += A[at(r, q, s, n)] * C4[at(s, p, n)];
  sums[at(r, q, p, n)] = sum;
}

template <typename T> __global__ void copy_cube(int n, const T *__restrict__ from, T *__restrict__ to) {
  int i = third(), j = second(), k = first();
  if (i < n && j < n && k < n)
    to[at(i, j, k, n)] = from[at(i, j, k, n)];
}

// y = A x
template <typename T> __global__ void rows_times(int n, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y) {
  int i = first();
  if (i >= n)
    return;
  T sum = 0;
  for (int j = 0; j < n; j++)
    sum += A[at(i, j, n)] * x[j];
  y[i] = sum;
}

// y = A^T x
template <typename T> __global__ void columns_times(int n, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y) {
  int j = first();
  if (j >= n)
    return;
  T sum = 0;
  for (int i = 0; i < n; i++)
    sum += A[at(i, j, n)] * x[i];
  y[j] = sum;
}

template <typename T> __global__ void mvt_rows(int n, const T *__restrict__ A, const T *__restrict__ y, T *__restrict__ x) {
  int i = first();
  if (i >= n)
    return;
  T sum = x[i];
  for (int j = 0; j < n; j++)
    sum += A[at(i, j, n)] * y[j];
  x[i] = sum;
}

template <typename T> __global__ void mvt_columns(int n, const T *__restrict__ A, const T *__restrict__ y, T *__restrict__ x) {
  int i = first();
  if (i >= n)
    return;
  T sum = x[i];
  for (int j = 0; j < n; j++)
    sum += A[at(j, i, n)] * y[j];
  x[i] = sum;
}

template <typename T>
__global__ void gemver_update(int n, const T *__restrict__ u1, const T *__restrict__ v1, const T *__restrict__ u2, const T *__restrict__ v2,
                              T *__restrict__ A) {
  int i = second(), j = first();
  if (i < n && j < n)
    A[at(i, j, n)] = A[at(i, j, n)] + u1[i] * v1[j] + u2[i] * v2[j];
}

template <typename T>
__global__ void gemver_x(int n, T beta, const T *__restrict__ A, const T *__restrict__ y, const T *__restrict__ z, T *__restrict__ x) {
  int i = first();
  if (i >= n)
    return;
  T sum = x[i];
  for (int j = 0; j < n; j++)
    sum += beta * A[at(j, i, n)] * y[j];
  x[i] = sum + z[i];
}

template <typename T> __global__ void gemver_w(int n, T alpha, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ w) {
  int i = first();
  if (i >= n)
    return;
  T sum = w[i];
  for (int j = 0; j < n; j++)
    sum += alpha * A[at(i, j, n)] * x[j];
  w[i] = sum;
}

template <typename T>
__global__ void gesummv(int n, T alpha, T beta, const T *__restrict__ A, const T *__restrict__ B, const T *__restrict__ x,
                        T *__restrict__ y) {
  int i = first();
  if (i >= n)
    return;
  T left = 0, right = 0;
  for (int j = 0; j < n; j++) {
    left += A[at(i, j, n)] * x[j];
    right += B[at(i, j, n)] * x[j];
  }
  y[i] = alpha * left + beta * right;
}

template <typename T> __global__ void column_mean(int n, const T *__restrict__ D, T *__restrict__ mean) {
  int j = first();
  if (j >= n)
    return;
  T sum = 0;
  for (int i = 0; i < n; i++)
    sum += D[at(i, j, n)];
  mean[j] = sum / (T)n;
}

template <typename T> __global__ void subtract_mean(int n, const T *__restrict__ mean, T *__restrict__ D) {
  int i = second(), j = first();
  if (i < n && j < n)
    D[at(i, j, n)] -= mean[j];
}

template <typename T> __global__ void covariance(int n, const T *__restrict__ D, T *__restrict__ S) {
  int i = second(), j = first();
  if (i > j || j >= n)
    return;
  T sum = 0;
  for (int k = 0; k < n; k++)
    sum += D[at(k, i, n)] * D[at(k, j, n)];
  sum /= (T)n - 1;
  S[at(i, j, n)] = sum;
  S[at(j, i, n)] = sum;
}

template <typename T>
__global__ void column_deviation(int n, const T *__restrict__ D, const T *__restrict__ mean, T *__restrict__ deviation) {
  int j = first();
  if (j >= n)
    return;
  T sum = 0;
  for (int i = 0; i < n; i++)
    sum += (D[at(i, j, n)] - mean[j]) * (D[at(i, j, n)] - mean[j]);
  T root = sqrt(sum / (T)n);
  deviation[j] = root <= (T)0.1 ? (T)1 : root;
}

template <typename T>
__global__ void standardise(int n, T root, const T *__restrict__ mean, const T *__restrict__ deviation, T *__restrict__ D) {
  int i = second(), j = first();
  if (i < n && j < n)
    D[at(i, j, n)] = (D[at(i, j, n)] - mean[j]) / (root * deviation[j]);
}

template <typename T> __global__ void correlation(int n, const T *__restrict__ D, T *__restrict__ S) {
  int i = second(), j = first();
  if (i > j || j >= n)
    return;
  if (i == j) {
    S[at(i, i, n)] = 1;
    return;
  }
  T sum = 0;
  for (int k = 0; k < n; k++)
    sum += D[at(k, i, n)] * D[at(k, j, n)];
  S[at(i, j, n)] = sum;
  S[at(j, i, n)] = sum;
}

template <typename T> __global__ void jacobi1d(int n, const T *__restrict__ A, T *__restrict__ B) {
  int i = first();
  if (i >= 1 && i < n - 1)
    B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
}

template <typename T> __global__ void jacobi2d(int n, const T *__restrict__ A, T *__restrict__ B) {
  int i = second(), j = first();
  if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
    B[at(i, j, n)] = (T)0.2 * (A[at(i, j, n)] + A[at(i, j - 1, n)] + A[at(i, j + 1, n)] + A[at(i - 1, j, n)] + A[at(i + 1, j, n)]);
}

template <typename T> __global__ void heat3d(int n, const T *__restrict__ A, T *__restrict__ B) {
  int i = third(), j = second(), k = first();
  if (i < 1 || i >= n - 1 || j < 1 || j >= n - 1 || k < 1 || k >= n - 1)
    return;
  T middle = A[at(i, j, k, n)];
  B[at(i, j, k, n)] = (T)0.125 * (A[at(i + 1, j, k, n)] - 2 * middle + A[at(i - 1, j, k, n)]) +
                      (T)0.125 * (A[at(i, j + 1, k, n)] - 2 * middle + A[at(i, j - 1, k, n)]) +
                      (T)0.125 * (A[at(i, j, k + 1, n)] - 2 * middle + A[at(i, j, k - 1, n)]) + middle;
}

template <typename T> __global__ void fdtd2d_ey(int n, int t, const T *__restrict__ hz, T *__restrict__ ey) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  if (i == 0)
    ey[at(i, j, n)] = (T)t;
  else
    ey[at(i, j, n)] = ey[at(i, j, n)] - (T)0.5 * (hz[at(i, j, n)] - hz[at(i - 1, j, n)]);
}

template <typename T> __global__ void fdtd2d_ex(int n, const T *__restrict__ hz, T *__restrict__ ex) {
  int i = second(), j = first();
  if (i < n && j >= 1 && j < n)
    ex[at(i, j, n)] = ex[at(i, j, n)] - (T)0.5 * (hz[at(i, j, n)] - hz[at(i, j - 1, n)]);
}

template <typename T> __global__ void fdtd2d_hz(int n, const T *__restrict__ ex, const T *__restrict__ ey, T *__restrict__ hz) {
  int i = second(), j = first();
  if (i < n - 1 && j < n - 1)
    hz[at(i, j, n)] =
        hz[at(i, j, n)] - (T)0.7 * (ex[at(i, j + 1, n)] - ex[at(i, j, n)] + ey[at(i + 1, j, n)] - ey[at(i, j, n)]);
}

// The points with 2 i + j = wave need only points of earlier waves of this step and of later waves of the step before.
template <typename T> __global__ void seidel2d(int n, int wave, int low, int high, T *A) {
  int i = low + first();
  if (i > high)
    return;
  int j = wave - 2 * i;
  A[at(i, j, n)] = (A[at(i - 1, j - 1, n)] + A[at(i - 1, j, n)] + A[at(i - 1, j + 1, n)] + A[at(i, j - 1, n)] + A[at(i, j, n)] +
                    A[at(i, j + 1, n)] + A[at(i + 1, j - 1, n)] + A[at(i + 1, j, n)] + A[at(i + 1, j + 1, n)]) / 9;
}

template <typename T>
__global__ void adi_columns(int n, T a, T b, const T *__restrict__ u, T *__restrict__ v, T *__restrict__ p, T *__restrict__ q) {
  int i = first();
  if (i < 1 || i >= n - 1)
    return;
  T before_p = 0, before_q = 1, above = 1;
  v[at(0, i, n)] = 1;
  p[at(i, 0, n)] = before_p;
  q[at(i, 0, n)] = before_q;
  for (int j = 1; j < n - 1; j++) {
    T divisor = a * before_p + b;
    before_q = (-a * u[at(j, i - 1, n)] + (1 + 2 * a) * u[at(j, i, n)] - a * u[at(j, i + 1, n)] - a * before_q) / divisor;
    before_p = -a / divisor;
    p[at(i, j, n)] = before_p;
    q[at(i, j, n)] = before_q;
  }
  v[at(n - 1, i, n)] = above;
  for (int j = n - 2; j >= 1; j--) {
    above = p[at(i, j, n)] * above + q[at(i, j, n)];
    v[at(j, i, n)] = above;
  }
}

template <typename T>
__global__ void adi_rows(int n, T a, T b, const T *__restrict__ v, T *__restrict__ u, T *__restrict__ p, T *__restrict__ q) {
  int i = first();
  if (i < 1 || i >= n - 1)
    return;
  T before_p = 0, before_q = 1, after = 1;
  u[at(i, 0, n)] = 1;
  p[at(i, 0, n)] = before_p;
  q[at(i, 0, n)] = before_q;
  for (int j = 1; j < n - 1; j++) {
    T divisor = a * before_p + b;
    before_q = (-a * v[at(i - 1, j, n)] + (1 + 2 * a) * v[at(i, j, n)] - a * v[at(i + 1, j, n)] - a * before_q) / divisor;
    before_p = -a / divisor;
    p[at(i, j, n)] = before_p;
    q[at(i, j, n)] = before_q;
  }
  u[at(i, n - 1, n)] = after;
  for (int j = n - 2; j >= 1; j--) {
    after = p[at(i, j, n)] * after + q[at(i, j, n)];
    u[at(i, j, n)] = after;
  }
}

// Column k of a decomposition below its pivot.
template <typename T> __global__ void scale_column(int n, int k, T *A) {
  int i = k + 1 + first();
  if (i < n)
    A[at(i, k, n)] /= A[at(k, k, n)];
}

template <typename T> __global__ void lu_update(int n, int k, T *A) {
  int i = k + 1 + second(), j = k + 1 + first();
  if (i < n && j < n)
    A[at(i, j, n)] -= A[at(i, k, n)] * A[at(k, j, n)];
}

template <typename T> __global__ void cholesky_pivot(int n, int k, T *A) {
  if (first() == 0)
    A[at(k, k, n)] = sqrt(A[at(k, k, n)]);
}

template <typename T> __global__ void cholesky_update(int n, int k, T *A) {
  int i = k + 1 + second(), j = k + 1 + first();
  if (i < n && j <= i)
    A[at(i, j, n)] -= A[at(i, k, n)] * A[at(j, k, n)];
}

template <typename T> __global__ void gramschmidt_norm(int n, int k, const T *__restrict__ A, T *__restrict__ R) {
  if (first() != 0)
    return;
  T norm = 0;
  for (int i = 0; i < n; i++)
    norm += A[at(i, k, n)] * A[at(i, k, n)];
  R[at(k, k, n)] = sqrt(norm);
}

template <typename T>
__global__ void gramschmidt_column(int n, int k, const T *__restrict__ A, const T *__restrict__ R, T *__restrict__ Q) {
  int i = first();
  if (i < n)
    Q[at(i, k, n)] = A[at(i, k, n)] / R[at(k, k, n)];
}

template <typename T> __global__ void gramschmidt_update(int n, int k, const T *__restrict__ Q, T *__restrict__ A, T *__restrict__ R) {
  int j = k + 1 + first();
  if (j >= n)
    return;
  T sum = 0;
  for (int i = 0; i < n; i++)
    sum += Q[at(i, k, n)] * A[at(i, j, n)];
  R[at(k, j, n)] = sum;
  for (int i = 0; i < n; i++)
    A[at(i, j, n)] -= Q[at(i, k, n)] * sum;
}

// Distances are positive: no thread writes row or column k, which the others read.
template <typename T> __global__ void apsp(int n, int k, T *path) {
  int i = second(), j = first();
  if (i >= n || j >= n)
    return;
  T through = path[at(i, k, n)] + path[at(k, j, n)];
  if (!(path[at(i, j, n)] < through) && i != k && j != k)
    path[at(i, j, n)] = through;
}

template <typename T> __global__ void filter_right(int n, T a, T b, const T *__restrict__ in, T *__restrict__ ya) {
  int i = first();
  if (i >= n)
    return;
  T before = 0, previous = 0;
  for (int j = 0; j < n; j++) {
    T value = a * in[at(i, j, n)] + b * previous + (T)0.1 * before;
    ya[at(i, j, n)] = value;
    before = previous;
    previous = value;
  }
}

template <typename T> __global__ void filter_left(int n, T a, T b, const T *__restrict__ in, T *__restrict__ yb) {
  int i = first();
  if (i >= n)
    return;
  T previous = 0, input = 0;
  for (int j = n - 1; j >= 0; j--) {
    previous = a * input + b * previous;
    yb[at(i, j, n)] = previous;
    input = in[at(i, j, n)];
  }
}

template <typename T> __global__ void filter_down(int n, T a, T b, const T *__restrict__ out, T *__restrict__ ya) {
  int j = first();
  if (j >= n)
    return;
  T previous = 0;
  for (int i = 0; i < n; i++) {
    previous = a * out[at(i, j, n)] + b * previous;
    ya[at(i, j, n)] = previous;
  }
}

template <typename T> __global__ void filter_up(int n, T a, T b, const T *__restrict__ out, T *__restrict__ yb) {
  int j = first();
  if (j >= n)
    return;
  T previous = 0;
  for (int i = n - 1; i >= 0; i--) {
    previous = a * out[at(i, j, n)] + b * previous;
    yb[at(i, j, n)] = previous;
  }
}

template <typename T> __global__ void filter_sum(int n, const T *__restrict__ ya, const T *__restrict__ yb, T *__restrict__ out) {
  int i = second(), j = first();
  if (i < n && j < n)
    out[at(i, j, n)] = ya[at(i, j, n)] + yb[at(i, j, n)];
}

__global__ void copy(size_t count, const double *__restrict__ from, double *__restrict__ to) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] = from[i];
}

__global__ void nothing() {}

} // namespace device
