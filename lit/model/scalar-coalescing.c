// A variable that is carried around several loops is one scalar slot, where it has one value at a time.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK-LABEL: {{^# }}sum: loop
// CHECK: {{^# scalar slot s: i32 from 0$}}
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement [[S:.*]]
// CHECK-NEXT: domain: [n] -> { [[S]][i, j] : 0 <= i < n and 0 <= j < n }
// CHECK-NEXT: schedule
// CHECK-NEXT: read, reduction sum i32: [n] -> { [[S]][i, j] -> s[]
// CHECK-NEXT: read: [n] -> { [[S]][i, j] -> a[(j), (i)]
// CHECK-NEXT: write, reduction sum i32: [n] -> { [[S]][i, j] -> s[]
// CHECK-NOT: statement
// CHECK-NOT: kill
// CHECK: live out %{{.*}}: s
int sum(int n, int (*restrict a)[2000]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += a[j][i];
  return s;
}

// A difference is a sum with what is negative, and both may come by turns. What is subtracted may be computed in any way.
// CHECK-LABEL: {{^# }}differences: loop
// CHECK: {{^# scalar slot s: i32 from %start$}}
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement [[S:.*]]
// CHECK: read, reduction sum i32: {{.*}} -> s[]
// CHECK: write, reduction sum i32: {{.*}} -> s[]
// CHECK-NOT: statement
int differences(int n, int start, int (*restrict a)[2000], int (*restrict b)[2000]) {
  int s = start;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s += a[j][i];
      s -= b[j][i] - a[i][j];
    }
  return s;
}

// What is subtracted from is another matter: signs take turns.
// CHECK-LABEL: {{^# }}alternating: loop
// CHECK: {{^# scalar slot s: i32 from 0$}}
// CHECK-NOT: reduction
// CHECK: live out
int alternating(int n, int (*restrict a)[2000]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s = a[j][i] - s;
  return s;
}

// The phi behind a condition, which on the other way has what the loop's phi had.
// CHECK-LABEL: {{^# }}condition: loop
// CHECK: {{^# scalar slot s: i32 from 1$}}
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement [[S:.*]]
// CHECK-NEXT: domain: [n] -> { [[S]][i, j, k] : 0 <= i < n and j >= 0 and j < k <= 99 }
// CHECK: read, reduction sum i32: {{.*}} -> s[]
// CHECK: write, reduction sum i32: {{.*}} -> s[]
// CHECK-NOT: statement
int condition(int n, int (*restrict a)[100][100]) {
  int s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++)
      for (int k = 0; k < 100; k++)
        if (k > j)
          s += a[k][j][i];
  return s;
}

// An update under a condition on data.
// CHECK-LABEL: {{^# }}on_data: loop
// CHECK: {{^# scalar slot s: i32 from 0$}}
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement [[S:.*]]
// CHECK: read, reduction sum i32: {{.*}} -> s[]
// CHECK: write, reduction sum i32: {{.*}} -> s[]
// CHECK-NOT: statement
// CHECK: live out
int on_data(int n, int (*restrict a)[2000], int (*restrict b)[2000]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[j][i] > 0)
        s += a[j][i];
      else if (b[j][i] < -5)
        s -= a[i][j];
  return s;
}

// A condition on the sum so far.
// CHECK-LABEL: {{^# }}saturating: loop
// CHECK: {{^# scalar slot s: i32 from 0$}}
// CHECK-NOT: reduction
// CHECK: live out
int saturating(int n, int (*restrict a)[2000]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (s < 1000)
        s += a[j][i];
  return s;
}

// Sums on one way and products on another.
// CHECK-LABEL: {{^# }}two_kinds: loop
// CHECK: {{^# scalar slot s: i32 from 1$}}
// CHECK-NOT: reduction
// CHECK: live out
int two_kinds(int n, int (*restrict a)[2000], int (*restrict b)[2000]) {
  int s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[j][i] > 0)
        s += a[j][i];
      else
        s *= a[i][j];
  return s;
}

// In the element that it is stored to in the end, which is another one in another iteration.
// CHECK-LABEL: {{^# }}placed: loop
// CHECK: {{^# scalar slot s: i32 in y$}}
// CHECK-NOT: {{^# scalar slot}}
// CHECK: read, reduction sum i32: {{.*}} -> y[(i)]
void placed(int n, int (*restrict a)[100][100], int *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < 100; j++)
      for (int k = 0; k < 100; k++)
        s += a[k][j][i];
    y[i] = s;
  }
}

// Both values are of interest at once, that before the inner loop and the new one.
// CHECK-LABEL: {{^# }}old: loop
// CHECK-DAG: {{^# scalar slot s: i32 from 1$}}
// CHECK-DAG: {{^# scalar slot s_1: i32$}}
// CHECK: live out
int old(int n, int (*restrict a)[2000], int (*restrict b)[2000]) {
  int s = 1;
  for (int i = 0; i < n; i++) {
    int before = s;
    for (int j = 0; j < 2000; j++)
      s += a[j][i];
    for (int j = 0; j < 2000; j++)
      b[j][i] = before;
  }
  return s;
}

// Two variables that hand their values on stay two, each of them one.
// CHECK-LABEL: {{^# }}handed: loop
// CHECK-DAG: {{^# scalar slot p: i32 from 0$}}
// CHECK-DAG: {{^# scalar slot q: i32 from 1$}}
// CHECK-NOT: {{^# scalar slot}}
// CHECK: live out
int handed(int n, int *restrict b) {
  int p = 0, q = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 10; j++) {
      int next = p + q;
      p = q;
      q = next;
      b[10 * i + j] = p;
    }
  return q;
}

// The sum of the last iteration alone: each begins anew.
// CHECK-LABEL: {{^# }}anew: loop
// CHECK: {{^# scalar slot s: i32 from 5$}}
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK-NEXT: schedule
// CHECK-NEXT: write: [n] -> { S0[i] -> s[]
// CHECK: live out
int anew(int n, int (*restrict a)[2000]) {
  int s = 5;
  for (int i = 0; i < n; i++) {
    s = 0;
    for (int j = 0; j < 2000; j++)
      s += a[j][i];
  }
  return s;
}
