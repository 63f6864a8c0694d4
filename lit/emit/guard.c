// The comparison of sizes hides them from LLVM by inline assembly that does nothing: what is known of the function's effects stays.
//
// RUN: %clang -O3 --target=x86_64-linux-gnu -mllvm -farkas-target=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 --target=aarch64-linux-gnu -mllvm -farkas-target=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s
//
// Not all backends take such assembly.
// RUN: %clang -O3 --target=avr -mllvm -farkas-target=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %clang -O3 --target=spirv64 -mllvm -farkas-target=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN

// CHECK: define {{.*}}@product({{.*}} #[[OWN:[0-9]+]]
// CHECK: call i64 asm "", "=r,0"(i64 {{.*}}) #[[ASM:[0-9]+]]
// CHECK: attributes #[[OWN]] = { nofree nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK: attributes #[[ASM]] = { nocallback nofree nosync nounwind willreturn memory(none) }
//
// PLAIN: define {{.*}}@product(
// PLAIN-NOT: asm
// PLAIN: {{fmul|fmuladd}}
void product(long long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long long i = 0; i < n; i++)
    for (long long j = 0; j < n; j++)
      for (long long k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
