// A loop of which each iteration reads what only later ones overwrite has lanes: all of these load before they store. Nothing tells LLVM
// that iterations are apart, or that what is read is not what is written.
//
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-target=zen3 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-target=zen3 -Rpass=farkas -Rpass-missed=farkas -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK

// The offset is checked not to be negative, as iterations would wait for earlier ones.
// REMARK: anti-dependences.c:[[# @LINE + 15]]:5: remark: loop nest transformed: 8 vector lanes, where
// CHECK-LABEL: define internal {{.*}}@knapsack.farkas.0(
// CHECK: {{^[0-9]+:.*$}}
// CHECK: phi i64
// CHECK: load <8 x i32>, ptr {{%[0-9]+}}, align 4, !tbaa ![[#]]{{$}}
// CHECK-NOT: store
// CHECK: load <8 x i32>, ptr {{%[0-9]+}}, align 4, !tbaa ![[#]]{{$}}
// CHECK-NOT: load
// CHECK: call void @llvm.masked.store{{.*}}, !tbaa ![[#]]{{$}}
// CHECK-NOT: parallel_accesses
void knapsack(int n, int W, int *dp, const int *weights, const int *values) {
  for (int i = 0; i < n; i++) {
    int weight = weights[i];
    int value = values[i];
    // Only the inner loop is known when it starts.
    for (int w = W; w >= weight; w--) {
      int t = dp[w - weight] + value;
      if (t > dp[w])
        dp[w] = t;
    }
  }
}

// All of a window is read before any lane stores.
// REMARK: anti-dependences.c:[[# @LINE + 2]]:3: remark: loop nest transformed: unrolled and jammed {{[0-9]+}}, 8 vector lanes, where
void window(int n, int r, float *x, const float *w) {
  for (int i = 0; i < n - r; i++) {
    float s = 0;
    for (int j = 0; j < r; j++)
      s += w[j] * x[i + j];
    x[i] = s;
  }
}

// LLVM compares the distance of two accesses with the length of its vectors.
// REMARK-NOT: anti-dependences.c:[[# @LINE + 2]]:3: remark: loop nest transformed
void reached(int W, int p, unsigned char *dp) {
  for (int w = W; w >= p; w--)
    if (dp[w - p])
      dp[w] = 1;
}

// Each iteration waits for an earlier one.
// REMARK: anti-dependences.c:[[# @LINE + 2]]:3: remark: loop nest left as it is: no gain expected
void recurrence(int W, int p, int *dp) {
  for (int w = p; w < W; w++)
    dp[w] += dp[w - p];
}
