// advice:
void *malloc(unsigned long);
void free(void *);
void f(int n, double (*a)[1000], const double (*b)[1000]) {
  for (int i = 0; i < n; i++) {
    double *t = malloc(sizeof(double) * n);
    for (int j = 0; j < n; j++)
      t[j] = b[j][i] * 2;
    for (int j = 0; j < n; j++)
      a[j][i] += t[j];
    free(t);
  }
}
