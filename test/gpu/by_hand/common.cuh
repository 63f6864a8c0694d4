// What all of by_hand has: checked calls, launches, data on the device, and time.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <functional>
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
