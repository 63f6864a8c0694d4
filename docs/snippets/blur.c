static int clamp(int i, int low, int high) { return i < low ? low : i > high ? high : i; }

void blur(int h, int w, int r, const float in[h][w], const float weight[2 * r + 1], float out[h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int i = -r; i <= r; i++)
        sum += weight[i + r] * in[clamp(y + i, 0, h - 1)][x];
      out[y][x] = sum;
    }
}
