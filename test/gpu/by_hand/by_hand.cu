// The kernels of test/kernels in plain CUDA: one thread per iteration of the parallel loops, without shared memory, tiles or register
// blocks. They are what the generated GPU code has to beat, and cuBLAS and the machine's own rates are what it is measured by.
//
//   nvcc -O3 -arch=sm_90 by_hand.cu -o by_hand -lcublas      (or with -DNO_CUBLAS and no library)
//
//   by_hand KERNEL double|float N [STEPS]        KERNEL TYPE N by-hand MILLISECONDS CHECK
//   by_hand cublas-gemm|cublas-syrk TYPE N       MODE TYPE N MILLISECONDS TFLOPS
//   by_hand bandwidth|launch|alloc
//
// CHECK is the sum of the absolute values of all outputs, which the program of the kernel writes with `dump`.

#include "machine.cuh"
#include "programs.cuh"

#include <cstring>
#include <map>
#include <string>

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
