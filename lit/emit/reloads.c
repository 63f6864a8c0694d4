// The bytes that are stored may be those of the structures, as far as LLVM knows: it loads bases and bounds again in each iteration, and
// vectorizes nothing. New code has them in front of the loops, in the order of the original.
//
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-target=zen4 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-target=zen4 -Rpass=farkas -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK

struct image {
  int width, height;
  unsigned char *pixels;
};

// REMARK: reloads.c:[[# @LINE + 6]]:3: remark: loop nest transformed: hoisted loads, where
// CHECK-LABEL: define {{.*}}@halve(
// Elements between others are loaded with them.
// CHECK: load <64 x i8>
// CHECK: store <32 x i8>
void halve(const struct image *a, struct image *b) {
  for (int y = 0; y < b->height; y++)
    for (int x = 0; x < b->width; x++)
      b->pixels[y * b->width + x] = (a->pixels[2 * y * a->width + 2 * x] + a->pixels[2 * y * a->width + 2 * x + 1]) >> 1;
}
