void layers(int samples, int in, int width, int out, float x[samples][in], float v[width][in], float w[out][width], float y[samples][out], float row[width]) {
  for (int s = 0; s < samples; s++) {
    for (int j = 0; j < width; j++) {
      float sum = 0;
      for (int i = 0; i < in; i++)
        sum += v[j][i] * x[s][i];
      row[j] = sum > 0 ? sum : 0;
    }
    for (int k = 0; k < out; k++) {
      y[s][k] = 0;
      for (int j = 0; j < width; j++)
        y[s][k] += w[k][j] * row[j];
    }
  }
}
