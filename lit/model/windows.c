// Windows of sizes that are known at run time. What is planned for them is in test/plans/windows.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// The window is cut at borders, and its interior is split off.
// CHECK: dilation: loop
// CHECK: statement S2i
void dilation(int rows, int cols, int r, const unsigned char *restrict in, unsigned char *restrict out) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      unsigned char most = 0;
      for (int u = i < r ? 0 : i - r; u <= (i + r >= rows ? rows - 1 : i + r); u++)
        for (int v = j < r ? 0 : j - r; v <= (j + r >= cols ? cols - 1 : j + r); v++)
          if (in[u * cols + v] > most)
            most = in[u * cols + v];
      out[i * cols + j] = most;
    }
}

// The sums of a window are in scalars, and a mean comes between two passes over it.
// CHECK: correlation: loop
void correlation(int w, int h, int tw, int th, const float *restrict image, const float *restrict window, float *restrict out) {
  for (int y = 0; y <= h - th; y++)
    for (int x = 0; x <= w - tw; x++) {
      float mean = 0;
      for (int j = 0; j < th; j++)
        for (int i = 0; i < tw; i++)
          mean += image[(y + j) * w + x + i];
      mean /= tw * th;
      float both = 0, own = 0;
      for (int j = 0; j < th; j++)
        for (int i = 0; i < tw; i++) {
          float d = image[(y + j) * w + x + i] - mean;
          both += d * window[j * tw + i];
          own += d * d;
        }
      out[y * (w - tw + 1) + x] = both / own;
    }
}

// LLVM makes vectors of short windows, but not where both a border and conditions on data are in the loop.
// CHECK: masked: loop
void masked(int rows, int cols, unsigned char (*restrict in)[cols], unsigned char (*restrict out)[cols], unsigned char (*restrict used)[5]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      if (i < 2 || j < 2 || i >= rows - 2 || j >= cols - 2) {
        out[i][j] = in[i][j];
        continue;
      }
      unsigned char most = 0;
      for (int u = 0; u < 5; u++)
        for (int v = 0; v < 5; v++)
          if (used[u][v]) {
            unsigned char here = in[i + u - 2][j + v - 2];
            most = here > most ? here : most;
          }
      out[i][j] = most;
    }
}

// LLVM makes vectors of a short window with padding, and gathers its weights, as conditions leave lanes out.
// CHECK: padded: loop
// CHECK: statement S4i
void padded(int h, int w, const float in[restrict h][w], const float k[restrict 3][3], float out[restrict h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          if (y + a >= 1 && y + a <= h && x + b >= 1 && x + b <= w)
            s += in[y + a - 1][x + b - 1] * k[a][b];
      out[y][x] = s;
    }
}

// Of several channels, the window stays in one statement.
// CHECK: channels: loop
// CHECK-NOT: statement S{{[0-9]+}}i
void channels(int co, int ci, int h, int w, const float in[restrict ci][h][w], const float k[restrict co][ci][3][3], float out[restrict co][h][w]) {
  for (int o = 0; o < co; o++)
    for (int c = 0; c < ci; c++)
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
          for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
              if (y + a >= 1 && y + a <= h && x + b >= 1 && x + b <= w)
                out[o][y][x] += in[c][y + a - 1][x + b - 1] * k[o][c][a][b];
}
