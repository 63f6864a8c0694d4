// A matrix product as kernels: the host's code, and the PTX.
//
// RUN: %clang -O2 -mllvm -farkas-gpu=force -Rpass=farkas -S -emit-llvm %s -o - 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -farkas-gpu=force -mllvm -farkas-gpu-arch=sm_90 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ARCH
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CPU --implicit-check-not=farkas_gpu

// CHECK: product.c:[[@LINE+24]]:{{.*}} loop nest transformed: kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 4 points each, {{.*}} in shared memory
// The original is planned for the CPU, too.
// CHECK: product.c:[[@LINE+22]]:{{.*}} loop nest transformed: interchanged loops

// The constants are the modules of both kernels, with bounds of launches.
// CHECK: @farkas.ptx{{.*}} = private unnamed_addr constant {{.*}}.version 6.0\0A.target sm_70{{.*}}.visible .entry farkas_kernel({{.*}}.reqntid 32, 8, 1
// CHECK: @farkas.ptx{{.*}} = private unnamed_addr constant {{.*}}.reqntid 16, 16, 1{{.*}}.shared{{.*}}bar.sync{{.*}}ld.global.nc{{.*}}st.shared{{.*}}ld.shared{{.*}}st.global
// ARCH: .target sm_90
// CPU: define

// CHECK-LABEL: define {{.*}} @product(
// CHECK: [[REGION:%.*]] = tail call ptr @farkas_gpu_begin(i32 2)
// Without a GPU, the original runs.
// CHECK: icmp eq ptr [[REGION]], null
// `C` is copied in and out, and written as a whole; `A` and `B` are copied in only.
// CHECK: call i64 @farkas_gpu_array(ptr{{.*}} [[REGION]], ptr {{.*}}, i64 {{.*}}, i32 8, i32 3, ptr nonnull
// CHECK: call i64 @farkas_gpu_array(ptr{{.*}} [[REGION]], ptr {{.*}}, i64 {{.*}}, i32 8, i32 1, ptr null)
// CHECK: call i64 @farkas_gpu_array(ptr{{.*}} [[REGION]], ptr {{.*}}, i64 {{.*}}, i32 8, i32 1, ptr null)
// CHECK: call void @farkas_gpu_launch(ptr{{.*}} [[REGION]], ptr {{.*}}@farkas.ptx
// CHECK: call void @farkas_gpu_launch(ptr{{.*}} [[REGION]], ptr {{.*}}@farkas.ptx
// CHECK: [[FAILED:%.*]] = {{.*}}call i32 @farkas_gpu_end(ptr{{.*}} [[REGION]])
// CHECK: icmp {{eq|ne}} i32 [[FAILED]], 0
// CHECK-NOT: llvm.nvvm
void product(long n, double (*restrict C)[n], double (*restrict A)[n], double (*restrict B)[n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      C[i][j] = 0;
      for (long k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
