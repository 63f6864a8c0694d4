#define MAX(a, b) ((a) > (b) ? (a) : (b))

void unbounded(int items, int capacity, const int *weight, const int *value, int *best) {
  for (int i = 0; i < items; i++)
    for (int c = weight[i]; c <= capacity; c++)
      best[c] = MAX(best[c], best[c - weight[i]] + value[i]);
}
