// The kernels of test/kernels in plain CUDA: one thread per iteration of the parallel loops, without shared memory, tiles or register
// blocks. They are what the generated GPU code has to beat, and cuBLAS and the machine's own rates are what it is measured by.
//
//   nvcc -O3 -arch=sm_90 by_hand.cu -o by_hand -lcublas      (or with -DNO_CUBLAS and no library)
//
//   by_hand KERNEL double|float N [STEPS]        KERNEL TYPE N by-hand MILLISECONDS CHECK
//   by_hand cublas-gemm|cublas-syrk TYPE N       MODE TYPE N MILLISECONDS TFLOPS
//   by_hand bandwidth|launch|alloc
//
// CHECK is the sum of the absolute values of all outputs; `KERNEL dump | check` prints the same for a run on the processor.

#include <cuda_runtime.h>
#ifndef NO_CUBLAS
#include <cublas_v2.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#define CHECKED(call)                                                                                          \
  do {                                                                                                         \
    cudaError_t error = (call);                                                                                \
    if (error != cudaSuccess) {                                                                                \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                \
      exit(1);                                                                                                 \
    }                                                                                                          \
  } while (0)

static const int RUNS = 5;
using Work = std::function<void()>;

// Launches. The last extent is the contiguous one.

template <typename Kernel, typename... Arguments>
static void launch(Kernel kernel, dim3 grid, dim3 block, Arguments... arguments) {
  kernel<<<grid, block>>>(arguments...);
  CHECKED(cudaGetLastError());
}

static unsigned blocks(int extent, int block) { return (unsigned)((extent + block - 1) / block); }

template <typename Kernel, typename... Arguments>
static void launch1(Kernel kernel, int count, Arguments... arguments) {
  if (count > 0)
    launch(kernel, dim3(blocks(count, 256)), dim3(256), arguments...);
}

template <typename Kernel, typename... Arguments>
static void launch2(Kernel kernel, int rows, int columns, Arguments... arguments) {
  if (rows > 0 && columns > 0)
    launch(kernel, dim3(blocks(columns, 32), blocks(rows, 8)), dim3(32, 8), arguments...);
}

template <typename Kernel, typename... Arguments>
static void launch3(Kernel kernel, int planes, int rows, int columns, Arguments... arguments) {
  if (planes > 0 && rows > 0 && columns > 0)
    launch(kernel, dim3(blocks(columns, 32), blocks(rows, 4), blocks(planes, 2)), dim3(32, 4, 2), arguments...);
}

// Data.

template <typename T> static T datum(int salt, int i, int j) {
  unsigned mixed = (unsigned)salt * 2654435761u + (unsigned)i * 40503u + (unsigned)j * 9973u + 12345u;
  mixed ^= mixed >> 13;
  return (T)(mixed % 4093u) / (T)4096;
}

// The arrays of one kernel on the device, each with a second copy to start again from.
template <typename T> class Data {
public:
  template <typename Value> T *matrix_of(int n, Value value) {
    std::vector<T> values((size_t)n * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        values[(size_t)i * n + j] = value(i, j);
    return add(values);
  }

  T *matrix(int n, int salt) {
    return matrix_of(n, [=](int i, int j) { return datum<T>(salt, i, j); });
  }

  // Large on the diagonal, for the decompositions.
  T *dominant(int n) {
    return matrix_of(n, [=](int i, int j) { return datum<T>(1, i, j) + (i == j ? (T)n : 0); });
  }

  T *vector(int n, int salt) {
    std::vector<T> values(n);
    for (int i = 0; i < n; i++)
      values[i] = datum<T>(salt, i, 0);
    return add(values);
  }

  T *cube(int n) {
    std::vector<T> values((size_t)n * n * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          values[((size_t)i * n + j) * n + k] = datum<T>(i, j, k);
    return add(values);
  }

  T *zeros(size_t count) { return add(std::vector<T>(count, 0)); }

  void reset() {
    for (const Array &array : arrays)
      CHECKED(cudaMemcpy(array.values, array.initial, array.count * sizeof(T), cudaMemcpyDeviceToDevice));
    CHECKED(cudaDeviceSynchronize());
  }

  double sum(const std::vector<T *> &outputs) {
    double total = 0;
    for (T *output : outputs)
      for (const Array &array : arrays)
        if (array.values == output) {
          std::vector<T> values(array.count);
          CHECKED(cudaMemcpy(values.data(), output, array.count * sizeof(T), cudaMemcpyDeviceToHost));
          for (T value : values)
            total += fabs((double)value);
        }
    return total;
  }

private:
  struct Array {
    T *values, *initial;
    size_t count;
  };
  std::vector<Array> arrays;

  T *add(const std::vector<T> &values) {
    Array array = {nullptr, nullptr, values.size()};
    CHECKED(cudaMalloc((void **)&array.values, values.size() * sizeof(T)));
    CHECKED(cudaMalloc((void **)&array.initial, values.size() * sizeof(T)));
    CHECKED(cudaMemcpy(array.initial, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    arrays.push_back(array);
    return array.values;
  }
};

// One kernel ready to run: what launches it, and its outputs in the order of the kernel's report().
template <typename T> struct Program {
  Work work;
  std::vector<T *> outputs;
};

// Time.

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static double event_milliseconds(const Work &prepare, const Work &work, int warm_ups) {
  cudaEvent_t start, stop;
  CHECKED(cudaEventCreate(&start));
  CHECKED(cudaEventCreate(&stop));
  std::vector<double> times;
  for (int run = 0; run < warm_ups + RUNS; run++) {
    prepare();
    CHECKED(cudaEventRecord(start));
    work();
    CHECKED(cudaEventRecord(stop));
    CHECKED(cudaEventSynchronize(stop));
    float elapsed;
    CHECKED(cudaEventElapsedTime(&elapsed, start, stop));
    if (run >= warm_ups)
      times.push_back(elapsed);
  }
  CHECKED(cudaEventDestroy(start));
  CHECKED(cudaEventDestroy(stop));
  return median(times);
}

static double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static double wall_seconds(const Work &work) {
  std::vector<double> times;
  for (int run = 0; run <= RUNS; run++) {
    CHECKED(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    work();
    CHECKED(cudaDeviceSynchronize());
    if (run > 0)
      times.push_back(seconds_since(start));
  }
  return median(times);
}

// The kernels on the device.

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

// The kernels on the host.

template <typename T> static Program<T> gemm(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3);
  return {[=] { launch2(device::gemm<T>, n, n, n, (T)1.5, (T)1.25, A, B, C); }, {C}};
}

template <typename T> static Program<T> two_products(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3), *E = data.matrix(n, 4);
  T *between = data.zeros((size_t)n * n);
  auto work = [=] {
    launch2(device::scaled_product<T>, n, n, n, (T)1.5, A, B, between);
    launch2(device::added_product<T>, n, n, n, (T)1.25, between, C, E);
  };
  return {work, {between, E}};
}

template <typename T> static Program<T> three_products(Data<T> &data, int n, int) {
  size_t count = (size_t)n * n;
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3), *D = data.matrix(n, 4);
  T *E = data.zeros(count), *F = data.zeros(count), *G = data.zeros(count);
  auto work = [=] {
    launch2(device::product<T>, n, n, n, A, B, E);
    launch2(device::product<T>, n, n, n, C, D, F);
    launch2(device::product<T>, n, n, n, E, F, G);
  };
  return {work, {E, F, G}};
}

template <typename T> static Program<T> syrk(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *C = data.matrix(n, 2);
  return {[=] { launch2(device::syrk<T>, n, n, n, (T)1.5, (T)1.25, A, C); }, {C}};
}

template <typename T> static Program<T> syr2k(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3);
  return {[=] { launch2(device::syr2k<T>, n, n, n, (T)1.5, (T)1.25, A, B, C); }, {C}};
}

template <typename T> static Program<T> symm(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3);
  return {[=] { launch2(device::symm<T>, n, n, n, (T)1.5, (T)1.25, A, B, C); }, {C}};
}

template <typename T> static Program<T> trmm(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *result = data.zeros((size_t)n * n);
  auto work = [=] {
    launch2(device::trmm<T>, n, n, n, (T)1.5, A, B, result);
    CHECKED(cudaMemcpyAsync(B, result, (size_t)n * n * sizeof(T), cudaMemcpyDeviceToDevice));
  };
  return {work, {B}};
}

template <typename T> static Program<T> doitgen(Data<T> &data, int n, int) {
  T *A = data.cube(n), *C4 = data.matrix(n, 1), *sums = data.zeros((size_t)n * n * n);
  auto work = [=] {
    launch3(device::doitgen<T>, n, n, n, n, A, C4, sums);
    launch3(device::copy_cube<T>, n, n, n, n, sums, A);
  };
  return {work, {A}};
}

template <typename T> static Program<T> atax(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *x = data.vector(n, 2), *y = data.zeros(n), *t = data.zeros(n);
  auto work = [=] {
    launch1(device::rows_times<T>, n, n, A, x, t);
    launch1(device::columns_times<T>, n, n, A, t, y);
  };
  return {work, {y, t}};
}

template <typename T> static Program<T> bicg(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *p = data.vector(n, 2), *r = data.vector(n, 3), *s = data.zeros(n), *q = data.zeros(n);
  auto work = [=] {
    launch1(device::columns_times<T>, n, n, A, r, s);
    launch1(device::rows_times<T>, n, n, A, p, q);
  };
  return {work, {s, q}};
}

template <typename T> static Program<T> mvt(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *x1 = data.vector(n, 2), *x2 = data.vector(n, 3), *ya = data.vector(n, 4), *yb = data.vector(n, 5);
  auto work = [=] {
    launch1(device::mvt_rows<T>, n, n, A, ya, x1);
    launch1(device::mvt_columns<T>, n, n, A, yb, x2);
  };
  return {work, {x1, x2}};
}

template <typename T> static Program<T> gemver(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *u1 = data.vector(n, 2), *v1 = data.vector(n, 3), *u2 = data.vector(n, 4), *v2 = data.vector(n, 5);
  T *x = data.zeros(n), *y = data.vector(n, 6), *z = data.vector(n, 7), *w = data.zeros(n);
  auto work = [=] {
    launch2(device::gemver_update<T>, n, n, n, u1, v1, u2, v2, A);
    launch1(device::gemver_x<T>, n, n, (T)1.25, A, y, z, x);
    launch1(device::gemver_w<T>, n, n, (T)1.5, A, x, w);
  };
  return {work, {x, w, A}};
}

template <typename T> static Program<T> gesummv(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 2), *B = data.matrix(n, 3), *x = data.vector(n, 1), *y = data.zeros(n);
  return {[=] { launch1(device::gesummv<T>, n, n, (T)1.5, (T)1.25, A, B, x, y); }, {y}};
}

template <typename T> static Program<T> covariance(Data<T> &data, int n, int) {
  T *D = data.matrix(n, 1), *S = data.zeros((size_t)n * n), *mean = data.zeros(n);
  auto work = [=] {
    launch1(device::column_mean<T>, n, n, D, mean);
    launch2(device::subtract_mean<T>, n, n, n, mean, D);
    launch2(device::covariance<T>, n, n, n, D, S);
  };
  return {work, {S}};
}

template <typename T> static Program<T> correlation(Data<T> &data, int n, int) {
  T *D = data.matrix(n, 1), *S = data.zeros((size_t)n * n), *mean = data.zeros(n), *deviation = data.zeros(n);
  auto work = [=] {
    launch1(device::column_mean<T>, n, n, D, mean);
    launch1(device::column_deviation<T>, n, n, D, mean, deviation);
    launch2(device::standardise<T>, n, n, n, (T)sqrt((double)n), mean, deviation, D);
    launch2(device::correlation<T>, n, n, n, D, S);
  };
  return {work, {S}};
}

template <typename T> static Program<T> jacobi1d(Data<T> &data, int n, int steps) {
  T *A = data.vector(n, 1), *B = data.vector(n, 2);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch1(device::jacobi1d<T>, n, n, A, B);
      launch1(device::jacobi1d<T>, n, n, B, A);
    }
  };
  return {work, {A, B}};
}

template <typename T> static Program<T> jacobi2d(Data<T> &data, int n, int steps) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch2(device::jacobi2d<T>, n, n, n, A, B);
      launch2(device::jacobi2d<T>, n, n, n, B, A);
    }
  };
  return {work, {A, B}};
}

template <typename T> static Program<T> heat3d(Data<T> &data, int n, int steps) {
  T *A = data.cube(n), *B = data.cube(n);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch3(device::heat3d<T>, n, n, n, n, A, B);
      launch3(device::heat3d<T>, n, n, n, n, B, A);
    }
  };
  return {work, {A, B}};
}

template <typename T> static Program<T> fdtd2d(Data<T> &data, int n, int steps) {
  T *ex = data.matrix(n, 1), *ey = data.matrix(n, 2), *hz = data.matrix(n, 3);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch2(device::fdtd2d_ey<T>, n, n, n, t, hz, ey);
      launch2(device::fdtd2d_ex<T>, n, n, n, hz, ex);
      launch2(device::fdtd2d_hz<T>, n, n, n, ex, ey, hz);
    }
  };
  return {work, {ex, ey, hz}};
}

template <typename T> static Program<T> seidel2d(Data<T> &data, int n, int steps) {
  T *A = data.matrix(n, 1);
  auto work = [=] {
    for (int t = 0; t < steps; t++)
      for (int wave = 3; wave <= 3 * (n - 2); wave++) {
        // 1 <= j = wave - 2 i <= n - 2
        int low = std::max(1, (wave - (n - 2) + 1) / 2), high = std::min(n - 2, (wave - 1) / 2);
        launch1(device::seidel2d<T>, high - low + 1, n, wave, low, high, A);
      }
  };
  return {work, {A}};
}

template <typename T> static Program<T> adi(Data<T> &data, int n, int steps) {
  size_t count = (size_t)n * n;
  T *u = data.matrix(n, 1), *v = data.zeros(count), *p = data.zeros(count), *q = data.zeros(count);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch1(device::adi_columns<T>, n, n, (T)-0.25, (T)1.5, u, v, p, q);
      launch1(device::adi_rows<T>, n, n, (T)-0.25, (T)1.5, v, u, p, q);
    }
  };
  return {work, {u, v}};
}

template <typename T> static Program<T> lu(Data<T> &data, int n, int) {
  T *A = data.dominant(n);
  auto work = [=] {
    for (int k = 0; k < n - 1; k++) {
      launch1(device::scale_column<T>, n - k - 1, n, k, A);
      launch2(device::lu_update<T>, n - k - 1, n - k - 1, n, k, A);
    }
  };
  return {work, {A}};
}

template <typename T> static Program<T> cholesky(Data<T> &data, int n, int) {
  T *A = data.matrix_of(n, [=](int i, int j) { return datum<T>(1, std::max(i, j), std::min(i, j)) + (i == j ? (T)n : 0); });
  auto work = [=] {
    for (int k = 0; k < n; k++) {
      launch(device::cholesky_pivot<T>, dim3(1), dim3(1), n, k, A);
      launch1(device::scale_column<T>, n - k - 1, n, k, A);
      launch2(device::cholesky_update<T>, n - k - 1, n - k - 1, n, k, A);
    }
  };
  return {work, {A}};
}

template <typename T> static Program<T> gramschmidt(Data<T> &data, int n, int) {
  T *A = data.dominant(n), *R = data.zeros((size_t)n * n), *Q = data.zeros((size_t)n * n);
  auto work = [=] {
    for (int k = 0; k < n; k++) {
      launch(device::gramschmidt_norm<T>, dim3(1), dim3(1), n, k, A, R);
      launch1(device::gramschmidt_column<T>, n, n, k, A, R, Q);
      launch1(device::gramschmidt_update<T>, n - k - 1, n, k, Q, A, R);
    }
  };
  return {work, {R, Q, A}};
}

template <typename T> static Program<T> apsp(Data<T> &data, int n, int) {
  T *path = data.matrix_of(n, [](int i, int j) { return (T)(1 + (i * 7 + j * 13) % 97); });
  auto work = [=] {
    for (int k = 0; k < n; k++)
      launch2(device::apsp<T>, n, n, n, k, path);
  };
  return {work, {path}};
}

template <typename T> static Program<T> filter(Data<T> &data, int n, int) {
  size_t count = (size_t)n * n;
  T *in = data.matrix(n, 1), *out = data.zeros(count), *ya = data.zeros(count), *yb = data.zeros(count);
  T a = (T)0.5, b = (T)0.25;
  auto work = [=] {
    launch1(device::filter_right<T>, n, n, a, b, in, ya);
    launch1(device::filter_left<T>, n, n, a, b, in, yb);
    launch2(device::filter_sum<T>, n, n, n, ya, yb, out);
    launch1(device::filter_down<T>, n, n, a, b, out, ya);
    launch1(device::filter_up<T>, n, n, a, b, out, yb);
    launch2(device::filter_sum<T>, n, n, n, ya, yb, out);
  };
  return {work, {out}};
}

// Each kernel with its number of time steps in test/kernels.
template <typename T> struct Entry {
  Program<T> (*make)(Data<T> &, int n, int steps);
  int steps;
};

template <typename T> static int run_kernel(const char *name, const char *type, int n, int steps) {
  static const std::map<std::string, Entry<T>> kernels = {
      {"2mm", {two_products<T>, 0}},
      {"3mm", {three_products<T>, 0}},
      {"adi", {adi<T>, 20}},
      {"apsp", {apsp<T>, 0}},
      {"atax", {atax<T>, 0}},
      {"bicg", {bicg<T>, 0}},
      {"cholesky", {cholesky<T>, 0}},
      {"correlation", {correlation<T>, 0}},
      {"covariance", {covariance<T>, 0}},
      {"doitgen", {doitgen<T>, 0}},
      {"fdtd2d", {fdtd2d<T>, 60}},
      {"filter", {filter<T>, 0}},
      {"gemm", {gemm<T>, 0}},
      {"gemm_ikj", {gemm<T>, 0}},
      {"gemver", {gemver<T>, 0}},
      {"gesummv", {gesummv<T>, 0}},
      {"gramschmidt", {gramschmidt<T>, 0}},
      {"heat3d", {heat3d<T>, 60}},
      {"jacobi1d", {jacobi1d<T>, 1000}},
      {"jacobi2d", {jacobi2d<T>, 100}},
      {"lu", {lu<T>, 0}},
      {"mvt", {mvt<T>, 0}},
      {"seidel2d", {seidel2d<T>, 40}},
      {"symm", {symm<T>, 0}},
      {"syr2k", {syr2k<T>, 0}},
      {"syrk", {syrk<T>, 0}},
      {"trmm", {trmm<T>, 0}},
  };
  auto found = kernels.find(name);
  if (found == kernels.end()) {
    // Their parallel loops are too short or too irregular for a thread per iteration.
    for (const char *sequential : {"durbin", "trisolv", "nussinov", "ludcmp"})
      if (strcmp(name, sequential) == 0) {
        printf("%s none\n", name);
        return 0;
      }
    fprintf(stderr, "unknown kernel %s\n", name);
    return 2;
  }
  Data<T> data;
  Program<T> program = found->second.make(data, n, steps > 0 ? steps : found->second.steps);
  double milliseconds = event_milliseconds([&] { data.reset(); }, program.work, 1);
  printf("%s %s %d by-hand %.6f %.9e\n", name, type, n, milliseconds, data.sum(program.outputs));
  return 0;
}

// cuBLAS on the same data. Its matrices are by columns: it sees the transpose of each of ours.

#ifndef NO_CUBLAS

static void blas_checked(cublasStatus_t status, const char *what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    fprintf(stderr, "%s: %s\n", what, cublasGetStatusString(status));
    exit(1);
  }
}

static cublasStatus_t blas_gemm(cublasHandle_t handle, int n, double alpha, const double *A, const double *B, double beta, double *C) {
  return cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, B, n, A, n, &beta, C, n);
}

static cublasStatus_t blas_gemm(cublasHandle_t handle, int n, float alpha, const float *A, const float *B, float beta, float *C) {
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, B, n, A, n, &beta, C, n);
}

static cublasStatus_t blas_syrk(cublasHandle_t handle, int n, double alpha, const double *A, double beta, double *C) {
  return cublasDsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, n, &alpha, A, n, &beta, C, n);
}

static cublasStatus_t blas_syrk(cublasHandle_t handle, int n, float alpha, const float *A, float beta, float *C) {
  return cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, n, &alpha, A, n, &beta, C, n);
}

template <typename T> static int run_blas(const char *name, const char *type, int n) {
  bool is_gemm = strcmp(name, "cublas-gemm") == 0;
  Data<T> data;
  T *A = data.matrix(n, 1), *B = is_gemm ? data.matrix(n, 2) : nullptr, *C = data.matrix(n, is_gemm ? 3 : 2);
  cublasHandle_t handle;
  blas_checked(cublasCreate(&handle), "cublasCreate");
  Work work = [=] {
    if (is_gemm)
      blas_checked(blas_gemm(handle, n, (T)1.5, A, B, (T)1.25, C), name);
    else
      blas_checked(blas_syrk(handle, n, (T)1.5, A, (T)1.25, C), name);
  };
  double milliseconds = event_milliseconds([&] { data.reset(); }, work, 2);
  double operations = is_gemm ? 2.0 * n * n * n : (double)n * n * (n + 1);
  printf("%s %s %d %.6f %.3f\n", name, type, n, milliseconds, operations / milliseconds * 1e-9);
  // To compare with the CHECK of gemm and syrk.
  fprintf(stderr, "%s check %.9e\n", name, data.sum({C}));
  blas_checked(cublasDestroy(handle), "cublasDestroy");
  return 0;
}

#endif

// The machine.

static void *host_memory(size_t bytes) {
  void *memory = nullptr;
  if (posix_memalign(&memory, 4096, bytes) != 0) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  // So that no page is missing yet when time is taken.
  memset(memory, 1, bytes);
  return memory;
}

static void print_rate(const char *what, double bytes, double seconds) {
  printf("bandwidth %s %.3f GB/s\n", what, bytes / seconds * 1e-9);
}

static void transfer_rates(const char *kind, void *host, void *device_memory, size_t bytes) {
  std::string size = std::to_string(bytes >> 20) + "MiB-" + kind;
  double to = wall_seconds([=] { CHECKED(cudaMemcpy(device_memory, host, bytes, cudaMemcpyHostToDevice)); });
  print_rate(("host-to-device-" + size).c_str(), (double)bytes, to);
  double from = wall_seconds([=] { CHECKED(cudaMemcpy(host, device_memory, bytes, cudaMemcpyDeviceToHost)); });
  print_rate(("device-to-host-" + size).c_str(), (double)bytes, from);
}

static int run_bandwidth() {
  const size_t bytes = (size_t)1 << 30, transfer = (size_t)256 << 20, small = (size_t)8 << 20;
  const size_t count = bytes / sizeof(double);
  double *from, *to;
  CHECKED(cudaMalloc((void **)&from, bytes));
  CHECKED(cudaMalloc((void **)&to, bytes));
  CHECKED(cudaMemset(from, 1, bytes));
  CHECKED(cudaMemset(to, 2, bytes));
  Work none = [] { CHECKED(cudaDeviceSynchronize()); };
  double copied = event_milliseconds(none, [=] { CHECKED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); }, 1);
  print_rate("device-to-device-1GiB-memcpy", 2.0 * bytes, copied * 1e-3);
  unsigned grid = (unsigned)(count / 256);
  double by_kernel = event_milliseconds(none, [=] { launch(device::copy, dim3(grid), dim3(256), count, from, to); }, 1);
  print_rate("device-to-device-1GiB-kernel", 2.0 * bytes, by_kernel * 1e-3);
  void *pageable = host_memory(transfer), *pinned;
  CHECKED(cudaMallocHost(&pinned, transfer));
  memset(pinned, 1, transfer);
  transfer_rates("pageable", pageable, to, transfer);
  transfer_rates("pinned", pinned, to, transfer);
  transfer_rates("pageable", pageable, to, small);
  CHECKED(cudaFreeHost(pinned));
  free(pageable);
  CHECKED(cudaFree(from));
  CHECKED(cudaFree(to));
  return 0;
}

static int run_launch() {
  const int queued = 10000, waited = 2000;
  double in_a_row = wall_seconds([=] {
    for (int i = 0; i < queued; i++)
      launch(device::nothing, dim3(1), dim3(1));
  });
  double one_by_one = wall_seconds([=] {
    for (int i = 0; i < waited; i++) {
      launch(device::nothing, dim3(1), dim3(1));
      CHECKED(cudaDeviceSynchronize());
    }
  });
  printf("launch back-to-back %.3f us\n", in_a_row / queued * 1e6);
  printf("launch synchronized %.3f us\n", one_by_one / waited * 1e6);
  return 0;
}

// The first of each pair of calls is timed alone, then the second.
static void print_pair(const char *what, const Work &first, const Work &second) {
  std::vector<double> firsts, seconds;
  for (int run = 0; run <= 4 * RUNS; run++) {
    auto start = std::chrono::steady_clock::now();
    first();
    double middle = seconds_since(start);
    second();
    double end = seconds_since(start);
    if (run > 0) {
      firsts.push_back(middle);
      seconds.push_back(end - middle);
    }
  }
  printf("alloc %s 64MiB %.3f + %.3f us\n", what, median(firsts) * 1e6, median(seconds) * 1e6);
}

static int run_alloc() {
  const size_t bytes = (size_t)64 << 20;
  CHECKED(cudaFree(nullptr));
  void *memory = nullptr, *host = host_memory(bytes);
  print_pair("cudaMalloc+cudaFree", [&] { CHECKED(cudaMalloc(&memory, bytes)); }, [&] { CHECKED(cudaFree(memory)); });
  print_pair("cudaHostRegister+cudaHostUnregister", [&] { CHECKED(cudaHostRegister(host, bytes, cudaHostRegisterDefault)); },
             [&] { CHECKED(cudaHostUnregister(host)); });
  free(host);
  return 0;
}

template <typename T> static int run(const char *name, const char *type, int n, int steps) {
  if (strcmp(name, "cublas-gemm") == 0 || strcmp(name, "cublas-syrk") == 0) {
#ifndef NO_CUBLAS
    return run_blas<T>(name, type, n);
#else
    fprintf(stderr, "built without cuBLAS\n");
    return 2;
#endif
  }
  return run_kernel<T>(name, type, n, steps);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "bandwidth") == 0)
    return run_bandwidth();
  if (strcmp(mode, "launch") == 0)
    return run_launch();
  if (strcmp(mode, "alloc") == 0)
    return run_alloc();
  int n = argc > 3 ? atoi(argv[3]) : 0, steps = argc > 4 ? atoi(argv[4]) : 0;
  if (n > 0 && strcmp(argv[2], "double") == 0)
    return run<double>(mode, "double", n, steps);
  if (n > 0 && strcmp(argv[2], "float") == 0)
    return run<float>(mode, "float", n, steps);
  fprintf(stderr, "usage: by_hand KERNEL|cublas-gemm|cublas-syrk double|float N [STEPS], or by_hand bandwidth|launch|alloc\n");
  return 2;
}
