// advice: use arrays with subscripts in place of pointers that are loaded in the loop
struct node {
  struct node *next;
  double value;
};
void f(int n, double (*restrict a)[1000], struct node *const *restrict lists, const double *restrict values) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
#ifdef ADVISED
      a[j][i] += values[j];
#else
      a[j][i] += lists[j]->next->value;
#endif
}
