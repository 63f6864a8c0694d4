// A convolution of images of several channels by small windows, as in neural networks.
#ifndef N
#define N 57
#endif
#include "further.h"

enum { OUTPUTS = 17, CHANNELS = 13, WINDOW = 3 };

static DATA *Images, *Weights, *Result;

static NOINLINE void convolve(int outputs, int channels, int height, int width, int window,
                              const DATA *restrict weights, const DATA *restrict images, DATA *restrict result) {
  int rows = height - window + 1, columns = width - window + 1;
  for (int k = 0; k < outputs; k++)
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++) {
        DATA sum = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < window; r++)
            for (int s = 0; s < window; s++)
              sum += weights[((k * channels + c) * window + r) * window + s] *
                     images[(c * height + y + r) * width + x + s];
        result[(k * rows + y) * columns + x] = sum;
      }
}

static void initialise(void) {
  size_t image = (size_t)(size + WINDOW) * (size_t)(size + WINDOW), window = WINDOW * WINDOW;
  Images = allocate(sizeof(DATA) * CHANNELS * image);
  Weights = allocate(sizeof(DATA) * OUTPUTS * CHANNELS * window);
  Result = allocate(sizeof(DATA) * OUTPUTS * image);
  for (size_t i = 0; i < CHANNELS * image; i++)
    Images[i] = (DATA)datum(1, (int)i, 0);
  for (size_t i = 0; i < OUTPUTS * CHANNELS * window; i++)
    Weights[i] = (DATA)datum(2, (int)i, 0);
}
static void compute(void) {
  convolve(OUTPUTS, CHANNELS, size + 2, size + 1, WINDOW, Weights, Images, Result);
}
static void report(void) {
  for (int i = 0; i < OUTPUTS * size * (size - 1); i++)
    output_number((double)Result[i]);
}
