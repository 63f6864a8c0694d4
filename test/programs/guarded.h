// What programs share that show what new code reads: numbers, and memory beside pages that cannot be read.

#ifndef FARKAS_TEST_GUARDED_H
#define FARKAS_TEST_GUARDED_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 1 << 16 };

static unsigned long state = 1;
static unsigned next(unsigned below) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return (unsigned)(state >> 33) % below;
}

// Bytes that end in front of a page that cannot be read, or begin behind one.
static void *bytes(size_t size, int at_end) {
  size_t inside = (size + PAGE - 1) / PAGE * PAGE;
  char *all = mmap(0, inside + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + PAGE, inside, PROT_READ | PROT_WRITE))
    abort();
  return all + PAGE + (at_end ? inside - size : 0);
}

// Prints a hash of what is there.
__attribute__((unused)) static void show(const char *name, const void *memory, size_t size) {
  unsigned long hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)memory)[i]) * 1099511628211u;
  printf("%s %016lx\n", name, hash);
}

#define NEST __attribute__((noinline)) static void

#endif
