/* The nearest centre of each sample, to which the sample is added. */
void nearest(int n, int k, int d, const float *restrict x, const float *restrict centre, float *restrict sum,
             int *restrict count) {
  for (int i = 0; i < n; i++) {
    float best = 1e30f;
    int at = 0;
    for (int c = 0; c < k; c++) {
      float distance = 0;
      for (int j = 0; j < d; j++) {
        float difference = x[i * d + j] - centre[c * d + j];
        distance += difference * difference;
      }
      if (distance < best) {
        best = distance;
        at = c;
      }
    }
    count[at]++;
    for (int j = 0; j < d; j++)
      sum[at * d + j] += x[i * d + j];
  }
}
