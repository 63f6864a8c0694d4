// What the machine can do: cuBLAS on the data of the kernels, and its rates.

#pragma once

#include "kernels.cuh"

#ifndef NO_CUBLAS
#include <cublas_v2.h>
#endif

#include <cstring>
#include <string>

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
