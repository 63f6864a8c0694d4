// What the drivers of `scripts/bench real` share: deterministic data, and a line for each case.
//
// A driver includes this header and calls MEASURE once for each case. A line has the case's name, the seconds of a call (processor time,
// the least of several), and a hash of what the call computed.

#ifndef FARKAS_REAL_DRIVER_H
#define FARKAS_REAL_DRIVER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A case is called again and again for so many seconds, and at least so often.
#define LEAST_SECONDS 0.01
#define LEAST_CALLS 3
// No call is taken to be shorter: the clock has steps.
#define LEAST_TIME 1e-8

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t hash_of(const void *memory, size_t bytes) {
  const unsigned char *byte = memory;
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

// Zeros, from the beginning of a cache line on.
static void *allocate(size_t bytes) {
  const size_t line = 64, lines = bytes / line + 1;
  return memset(aligned_alloc(line, lines * line), 0, lines * line);
}

// A value between 0 and 1, neither of them: dense operands have no zeros.
static double datum(unsigned salt, unsigned i) {
  unsigned mixed = salt * 2654435761u + i * 40503u + 12345u;
  mixed ^= mixed >> 13;
  return (double)(1 + mixed % 4093u) / 4096;
}

// Measures `call`, with `prepare` before each time, and hashes the memory that is computed.
#define MEASURE(prepare, call, memory, bytes, ...)                                                                                         \
  do {                                                                                                                                     \
    double least = 1e9, total = 0;                                                                                                         \
    for (int calls = 0; calls < LEAST_CALLS || total < LEAST_SECONDS; calls++) {                                                           \
      prepare;                                                                                                                             \
      double begin = now();                                                                                                                \
      call;                                                                                                                                \
      double seconds = now() - begin;                                                                                                      \
      least = seconds < least ? seconds : least;                                                                                           \
      total += seconds;                                                                                                                    \
    }                                                                                                                                      \
    printf(__VA_ARGS__);                                                                                                                   \
    printf("\t%.9f\t%016llx\n", least < LEAST_TIME ? LEAST_TIME : least, (unsigned long long)hash_of(memory, bytes));                      \
  } while (0)

#endif
