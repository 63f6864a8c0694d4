// Functions whose accesses are instrumented are left alone; what undefined behaviour is reported by declines for what it calls.
//
// RUN: %clang -O2 -Rpass-missed=farkas -fsanitize=address -c %s -o /dev/null 2>&1 | FileCheck %s -DKIND=address
// RUN: %clang -O2 -Rpass-missed=farkas -fsanitize=memory -c %s -o /dev/null 2>&1 | FileCheck %s -DKIND=memory
// RUN: %clang -O2 -Rpass-missed=farkas -fsanitize=thread -c %s -o /dev/null 2>&1 | FileCheck %s -DKIND=thread
// RUN: %clang -O2 -Rpass-missed=farkas -fsanitize=undefined -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: %clang -O2 -Rpass=farkas -fsanitize=address -c %s -o /dev/null -DATTRIBUTE='__attribute__((no_sanitize("address")))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXEMPT
//
// CHECK: loop nest left as it is: the function is marked sanitize_[[KIND]]
// UNDEFINED: loop nest left as it is: call of __ubsan_handle_{{.*}}, which may access memory
// EXEMPT: loop nest transformed

#ifndef ATTRIBUTE
#define ATTRIBUTE
#endif

ATTRIBUTE void f(int n, double (*restrict a)[64], double (*restrict b)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
}
