// Subscripts that are remainders modulo a power of two. What is planned for them is in test/plans/remainders.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Two buffers by turns, which is tiled over time.
// CHECK: by_turns: loop
// CHECK: read: {{.*}} -> u[(((t) mod 2)), (i), (1 + j)]
// CHECK: write: {{.*}} -> u[(((1 + t) mod 2)), (1 + i), (1 + j)]
void by_turns(int n, int steps, double (*u)[1000][1000]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[(t + 1) % 2][i][j] = 0.25 * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]);
}

// Four buffers.
// CHECK: of_four: loop
// CHECK: read: {{.*}} -> u[(((t) mod 4)), (i)]
// CHECK: write: {{.*}} -> u[(((3 + t) mod 4)), (i)]
void of_four(int n, int steps, float (*u)[5000]) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++)
      u[(t + 3) & 3][i] = u[t & 3][i] * 0.5f + u[(t + 1) & 3][i] + u[(t + 2) & 3][i];
}

// Every other element, in rows that begin with the first one or the second: any element may be accessed.
// CHECK: red: loop
// CHECK: may write: {{.*}} -> u[o0]
void red(int n, double *restrict u, double *restrict v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[i * 2000 + (i & 1) + 2 * j] = v[i * 2000 + (i & 1) + 2 * j + 1] * 0.5;
}
