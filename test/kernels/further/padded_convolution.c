// Convolutions of several channels with a window of any size, beyond whose border images are zero: channel by channel, and pixel by pixel.
#ifndef N
#define N 60
#endif
#include "further.h"

static DATA *In, *Weights, *Planes, *Pixels;
static int Side, Channels;

static NOINLINE void planes(int co, int ci, int h, int w, int side, int pad, const DATA *restrict in, const DATA *restrict weights,
                            DATA *restrict out) {
  for (int o = 0; o < co; o++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        DATA sum = 0;
        for (int c = 0; c < ci; c++)
          for (int a = 0; a < side; a++)
            for (int b = 0; b < side; b++) {
              int row = y + a - pad, column = x + b - pad;
              if (row >= 0 && row < h && column >= 0 && column < w)
                sum += in[(c * h + row) * w + column] * weights[((o * ci + c) * side + a) * side + b];
            }
        out[(o * h + y) * w + x] = sum;
      }
}

static NOINLINE void pixels(int co, int ci, int h, int w, const DATA in[restrict h][w][ci], const DATA weights[restrict 3][3][ci][co],
                            DATA out[restrict h][w][co]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int o = 0; o < co; o++) {
        DATA sum = 0;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++) {
            int row = y + a - 1, column = x + b - 1;
            if (row < 0 || row >= h || column < 0 || column >= w)
              continue;
            for (int c = 0; c < ci; c++)
              sum += in[row][column][c] * weights[a][b][c][o];
          }
        out[y][x][o] = sum > 0 ? sum : 0;
      }
}

static void initialise(void) {
  Side = 3 + size % 3;
  Channels = 16 - size % 2;
  In = filled(1, size, (size + 3) * Channels);
  Weights = filled(2, Channels * Channels, 25);
  Planes = filled(3, size, (size + 3) * Channels);
  Pixels = filled(4, size, (size + 3) * Channels);
}
static void compute(void) {
  planes(Channels, Channels, size, size + 3, Side, Side / 2, In, Weights, Planes);
  pixels(Channels, Channels, size, size + 3, (void *)In, (void *)Weights, (void *)Pixels);
}
static void report(void) {
  output(Planes, (size_t)size * (size_t)(size + 3) * Channels);
  output(Pixels, (size_t)size * (size_t)(size + 3) * Channels);
}
