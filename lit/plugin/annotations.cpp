// Annotations work in C++ as in C, on members and templates, too. A copy of a function that was inlined has none.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O2 -std=c++20 -gline-tables-only -I%S/../../pass/include -mllvm -farkas-target=zen4 -Rpass=farkas -Rpass-missed=farkas -fno-caret-diagnostics -c %s -o %t/with.o 2>&1 | FileCheck %s
// RUN: clang -O2 -fno-addrsig -std=c++20 -I%S/../../pass/include -c %s -o %t/annotated.o
// RUN: clang -O2 -fno-addrsig -std=c++20 -I%S/../../pass/include -DFARKAS_H -DFARKAS_OFF= "-DFARKAS_TILE(...)=" "-DFARKAS_PLAN(steps)=" -c %s -o %t/plain.o
// RUN: cmp %t/annotated.o %t/plain.o
#include <farkas.h>

struct Image {
  double pixels[2000][2000];
  FARKAS_PLAN("interchange 0 1; tile 16 64") void add(const double *row);
  FARKAS_OFF void subtract(const double *row);
  template <typename T> FARKAS_PLAN("reverse 0; reverse 1; tile 8") void smooth(T *row);
};
void Image::add(const double *__restrict row) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      pixels[j][i] += row[j];
}
void Image::subtract(const double *__restrict row) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      pixels[j][i] -= row[j];
}
template <typename T> void Image::smooth(T *row) {
  for (int i = 1; i < 2000; i++)
    row[i] += row[i - 1] + pixels[0][i];
}
template void Image::smooth(double *);
[[clang::annotate("farkas: tile 8 8 8")]] inline void inlined(double (*a)[2000]) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      a[j][i] *= 2;
}
void caller(Image &image) { inlined(image.pixels); }

// CHECK: annotations.cpp:16:3: remark: loop nest transformed: loops in an order by hand
// CHECK: annotations.cpp:21:3: remark: loop nest left as it is: an annotation asks for that
// CHECK: warning: annotation not taken: Image::smooth, loop at {{.*}}annotations.cpp:26:3: `reverse 1` is about no band of the tree
// CHECK: warning: annotation not taken: inlined, loop at {{.*}}annotations.cpp:31:3: `tile 8 8 8` is about no band of the tree
// CHECK-NOT: loop at
// CHECK: annotations.cpp:31:3: remark: loop nest transformed: interchanged loops
