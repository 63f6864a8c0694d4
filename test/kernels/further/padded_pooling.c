// Sums and maxima of the neighbours that pixels have within an image: by a window of any size, and by one of three with a stride of two.
#ifndef N
#define N 400
#endif
#include "further.h"

static DATA *In, *Sums, *Maxima, *Halves;
static int Side;

static NOINLINE void sums(int h, int w, int side, int pad, const DATA *restrict in, DATA *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      DATA sum = 0;
      for (int a = 0; a < side; a++) {
        int row = y + a - pad;
        if (row < 0 || row >= h)
          continue;
        for (int b = 0; b < side; b++) {
          int column = x + b - pad;
          if (column >= 0 && column < w)
            sum += in[row * w + column];
        }
      }
      out[y * w + x] = sum;
    }
}

static NOINLINE void maxima(int h, int w, int side, int pad, const DATA *restrict in, DATA *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      DATA best = 0;
      for (int a = 0; a < side; a++)
        for (int b = 0; b < side; b++) {
          int row = y + a - pad, column = x + b - pad;
          if (row >= 0 && row < h && column >= 0 && column < w)
            best = in[row * w + column] > best ? in[row * w + column] : best;
        }
      out[y * w + x] = best;
    }
}

static NOINLINE void halves(int h, int w, int below, int across, const DATA *restrict in, DATA *restrict out) {
  for (int y = 0; y < below; y++)
    for (int x = 0; x < across; x++) {
      DATA sum = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          int row = 2 * y + a - 1, column = 2 * x + b - 1;
          if (row >= 0 && row < h && column >= 0 && column < w)
            sum += in[row * w + column];
        }
      out[y * across + x] = sum;
    }
}

static void initialise(void) {
  Side = 3 + size % 4;
  In = filled(1, size, size + 3);
  Sums = filled(2, size, size + 3);
  Maxima = filled(3, size, size + 3);
  Halves = filled(4, size, size + 3);
}
static void compute(void) {
  sums(size, size + 3, Side, Side / 2, In, Sums);
  maxima(size, size + 3, Side, Side / 2, In, Maxima);
  halves(size, size + 3, size / 2, (size + 3) / 2, In, Halves);
}
static void report(void) {
  output(Sums, (size_t)size * (size_t)(size + 3));
  output(Maxima, (size_t)size * (size_t)(size + 3));
  output(Halves, (size_t)size * (size_t)(size + 3));
}
