// The greatest byte in a window of any shape; where the window leaves the image, the image stays as it is.
#ifndef N
#define N 700
#endif
#include "further.h"

static unsigned char *From, *To, *Window;
static int Side;

static NOINLINE void dilate(int n, int m, int size, unsigned char (*from)[m], unsigned char (*to)[m], unsigned char (*window)[size]) {
  int half = size / 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (i < half || j < half || i >= n - half || j >= m - half) {
        to[i][j] = from[i][j];
        continue;
      }
      unsigned char greatest = 0;
      for (int p = 0; p < size; p++)
        for (int q = 0; q < size; q++)
          if (window[p][q]) {
            unsigned char value = from[i + p - half][j + q - half];
            greatest = value > greatest ? value : greatest;
          }
      to[i][j] = greatest;
    }
}

static void initialise(void) {
  From = bytes(1, size, size + 3);
  To = bytes(2, size, size + 3);
  Side = 5 + size % 3;
  Window = bytes(3, Side, Side);
  for (int i = 0; i < Side * Side; i++)
    Window[i] = Window[i] % 3 != 0;
}
static void compute(void) { dilate(size, size + 3, Side, (void *)From, (void *)To, (void *)Window); }
static void report(void) { output_bytes(To, (size_t)size * (size_t)(size + 3)); }
