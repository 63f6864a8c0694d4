// What every kernel of this folder shares: deterministic data, timing and output.
//
// A kernel file includes this header, names its default size with `#ifndef N`, and defines
//   initialise()  fills the arrays,
//   compute()     runs the kernel once,
//   report()      passes every output array to `output`.
// The program's first argument: `time` prints the seconds of compute() on the processor, `wall` those on the clock on the wall of a
// second call, which finds threads that the first one has started, and says where each begins and ends on standard error, `checksum` a hash of all output bits, `dump` every output value in
// hexadecimal floating point, so that equal text means equal bits. Kernels that know their size at run time only, as those in C++,
// have it from the second, in `size`.

#ifndef FARKAS_TEST_KERNEL_H
#define FARKAS_TEST_KERNEL_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef DATA
#define DATA double
#endif

// An array extent that is legal also for size 0.
#define EXTENT(n) ((n) > 0 ? (n) : 1)

#ifndef N
#define N 1024
#endif

#define NOINLINE __attribute__((noinline))

static int size = N;
static int dumping;
static uint64_t hash = 14695981039346656037u;

// A value in [0, 1) that depends on all three numbers.
static inline DATA datum(int salt, int i, int j) {
  unsigned mixed = (unsigned)salt * 2654435761u + (unsigned)i * 40503u + (unsigned)j * 9973u + 12345u;
  mixed ^= mixed >> 13;
  return (DATA)(mixed % 4093u) / (DATA)4096;
}

static inline void *allocate(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, 64, bytes > 0 ? bytes : 1) != 0) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  memset(memory, 0, bytes);
  return memory;
}

static void output(const DATA *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (dumping)
      printf("%a\n", (double)values[i]);
    unsigned char bytes[sizeof(DATA)];
    memcpy(bytes, &values[i], sizeof(DATA));
    for (size_t b = 0; b < sizeof(DATA); b++)
      hash = (hash ^ bytes[b]) * 1099511628211u;
  }
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void initialise(void);
static void compute(void);
static void report(void);

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "time";
  if (argc > 2)
    size = atoi(argv[2]);
  int is_wall = strcmp(mode, "wall") == 0;
  // Time on the processor: what else runs on the machine does not count.
  clockid_t clock = is_wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
  double start, stop;
  for (int call = 0; call <= is_wall; call++) {
    initialise();
    if (is_wall)
      fprintf(stderr, "compute\n");
    start = seconds(clock);
    compute();
    stop = seconds(clock);
    if (is_wall)
      fprintf(stderr, "computed\n");
  }
  if (is_wall || strcmp(mode, "time") == 0) {
    report();
    // The hash goes to standard error so that no work is dead.
    fprintf(stderr, "%016llx\n", (unsigned long long)hash);
    printf("%.9f\n", stop - start);
  } else if (strcmp(mode, "checksum") == 0) {
    report();
    printf("%016llx\n", (unsigned long long)hash);
  } else if (strcmp(mode, "dump") == 0) {
    dumping = 1;
    report();
  } else {
    fprintf(stderr, "usage: %s time|wall|checksum|dump\n", argv[0]);
    return 2;
  }
  return 0;
}

#endif
