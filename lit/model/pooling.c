// The largest element of each window of two by two, in a scalar: LLVM unrolls the window completely, and makes vectors along the row.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: pooling: loop
// CHECK: scalar slot [[SLOT:.*]]: float
// CHECK: read: {{.*}} -> [[SLOT]][]
void pooling(int h, int w, const float *in, float *out) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w / 2; x++) {
      float most = in[2 * y * w + 2 * x];
      for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
          float own = in[(2 * y + dy) * w + 2 * x + dx];
          if (own > most)
            most = own;
        }
      out[y * (w / 2) + x] = most;
    }
}
