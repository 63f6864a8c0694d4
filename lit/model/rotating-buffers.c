// Buffers that take turns in the iterations of a loop are one array. The first subscript says which buffer it is.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK-LABEL: {{^# }}relaxation: loop
// CHECK: # array now: %next, %now by turns, outermost extent
// CHECK: array now: memory, 8 bytes, []*[n]
// CHECK: read: {{.*}} S0[t, i] -> now[(((1 + t) mod 2)), (i)]
// CHECK: write: {{.*}} S0[t, i] -> now[(((t) mod 2)), (1 + i)]
// CHECK: # may alias: now, now
void relaxation(int steps, int n, double *now, double *next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    double *swap = now;
    now = next;
    next = swap;
  }
}

// Three of them, and the address of the last one is used behind the loop.
// CHECK-LABEL: {{^# }}wave: loop
// CHECK: # array now: %now, %next, %before by turns, outermost extent
// CHECK: read: {{.*}} S0[t, i] -> now[(((t) mod 3)), (1 + i)]
// CHECK: read: {{.*}} S0[t, i] -> now[(((2 + t) mod 3)), (1 + i)]
// CHECK: write: {{.*}} S0[t, i] -> now[(((1 + t) mod 3)), (1 + i)]
// CHECK: # live out %now{{.*}}: in iteration
double *wave(int steps, int n, double *restrict before, double *restrict now, double *restrict next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 2 * now[i] - before[i] + 0.1 * (now[i + 1] - 2 * now[i] + now[i - 1]);
    double *first = before;
    before = now;
    now = next;
    next = first;
  }
  return now;
}

// What accesses a buffer in front of the loop accesses a row of the array.
// CHECK-LABEL: {{^# }}with_start: loop
// CHECK: # array now: %next, %now by turns, outermost extent
// CHECK: write: {{.*}} S0[i] -> now[(1), (i)]
// CHECK: read: {{.*}} S1[t, [[I:.*]]] -> now[(((1 + t) mod 2)), ([[I]])]
void with_start(int steps, int n, double *restrict now, double *restrict next) {
  for (int i = 0; i < n; i++)
    now[i] = i;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    double *swap = now;
    now = next;
    next = swap;
  }
}

// A buffer that does not come back is in no rotation.
// CHECK: rotating-buffers.c:[[#@LINE + 4]]:{{.*}} loop nest left as it is: the address of an access changes in a way that is not a subscript
void once(int steps, int n, double *now, double *next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    now = next;
  }
}

// Rows of a table, each of which is made of the one before: swapped, and by the remainder of the row's number.
// CHECK-LABEL: {{^# }}rows: loop
// CHECK: read: {{.*}} S1[i, j] -> row[(((1 + i) mod 2)), (j)]
// CHECK: read: {{.*}} S1[i, j] -> row[(((i) mod 2)), (j)]
// CHECK: write: {{.*}} S1[i, j] -> row[(((i) mod 2)), (1 + j)]
int rows(int m, int n, const int *restrict first, const int *restrict second, int *above, int *row) {
  for (int i = 0; i < m; i++) {
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int least = above[j - 1] + (first[i] != second[j]);
      least = above[j] + 1 < least ? above[j] + 1 : least;
      row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
    }
    int *swap = above;
    above = row;
    row = swap;
  }
  return above[n];
}

// CHECK-LABEL: {{^# }}rows_by_parity: loop
// CHECK: write: {{.*}} S1[i, j] -> row[(((1 + i) mod 2)), (1 + j)]
int rows_by_parity(int m, int n, const int *restrict first, const int *restrict second, int row[restrict 2][5000]) {
  for (int i = 1; i <= m; i++) {
    row[i % 2][0] = i;
    for (int j = 1; j <= n; j++) {
      int least = row[(i - 1) % 2][j - 1] + (first[i] != second[j]);
      least = row[(i - 1) % 2][j] + 1 < least ? row[(i - 1) % 2][j] + 1 : least;
      row[i % 2][j] = row[i % 2][j - 1] + 1 < least ? row[i % 2][j - 1] + 1 : least;
    }
  }
  return row[m % 2][n];
}
