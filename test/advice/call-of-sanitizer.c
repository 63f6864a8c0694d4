// advice:
// flags: -fsanitize=signed-integer-overflow
void f(int n, int (*a)[1000], const int (*b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
}
