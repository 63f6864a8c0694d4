// The kernels of test/kernels on the host: their data, and what is launched.

#pragma once

#include "kernels.cuh"

template <typename T> static Program<T> gemm(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3);
  return {[=] { launch2(device::gemm<T>, n, n, n, (T)1.5, (T)1.25, A, B, C); }, {C}};
}

template <typename T> static Program<T> two_products(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3), *E = data.matrix(n, 4);
  T *between = data.zeros((size_t)n * n);
  auto work = [=] {
    launch2(device::scaled_product<T>, n, n, n, (T)1.5, A, B, between);
    launch2(device::added_product<T>, n, n, n, (T)1.25, between, C, E);
  };
  return {work, {between, E}};
}

template <typename T> static Program<T> three_products(Data<T> &data, int n, int) {
  size_t count = (size_t)n * n;
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3), *D = data.matrix(n, 4);
  T *E = data.zeros(count), *F = data.zeros(count), *G = data.zeros(count);
  auto work = [=] {
    launch2(device::product<T>, n, n, n, A, B, E);
    launch2(device::product<T>, n, n, n, C, D, F);
    launch2(device::product<T>, n, n, n, E, F, G);
  };
  return {work, {E, F, G}};
}

template <typename T> static Program<T> syrk(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *C = data.matrix(n, 2);
  return {[=] { launch2(device::syrk<T>, n, n, n, (T)1.5, (T)1.25, A, C); }, {C}};
}

template <typename T> static Program<T> syr2k(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3);
  return {[=] { launch2(device::syr2k<T>, n, n, n, (T)1.5, (T)1.25, A, B, C); }, {C}};
}

template <typename T> static Program<T> symm(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *C = data.matrix(n, 3);
  return {[=] { launch2(device::symm<T>, n, n, n, (T)1.5, (T)1.25, A, B, C); }, {C}};
}

template <typename T> static Program<T> trmm(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2), *result = data.zeros((size_t)n * n);
  auto work = [=] {
    launch2(device::trmm<T>, n, n, n, (T)1.5, A, B, result);
    CHECKED(cudaMemcpyAsync(B, result, (size_t)n * n * sizeof(T), cudaMemcpyDeviceToDevice));
  };
  return {work, {B}};
}

template <typename T> static Program<T> doitgen(Data<T> &data, int n, int) {
  T *A = data.cube(n), *C4 = data.matrix(n, 1), *sums = data.zeros((size_t)n * n * n);
  auto work = [=] {
    launch3(device::doitgen<T>, n, n, n, n, A, C4, sums);
    launch3(device::copy_cube<T>, n, n, n, n, sums, A);
  };
  return {work, {A}};
}

template <typename T> static Program<T> atax(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *x = data.vector(n, 2), *y = data.zeros(n), *t = data.zeros(n);
  auto work = [=] {
    launch1(device::rows_times<T>, n, n, A, x, t);
    launch1(device::columns_times<T>, n, n, A, t, y);
  };
  return {work, {y, t}};
}

template <typename T> static Program<T> bicg(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *p = data.vector(n, 2), *r = data.vector(n, 3), *s = data.zeros(n), *q = data.zeros(n);
  auto work = [=] {
    launch1(device::columns_times<T>, n, n, A, r, s);
    launch1(device::rows_times<T>, n, n, A, p, q);
  };
  return {work, {s, q}};
}

template <typename T> static Program<T> mvt(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *x1 = data.vector(n, 2), *x2 = data.vector(n, 3), *ya = data.vector(n, 4), *yb = data.vector(n, 5);
  auto work = [=] {
    launch1(device::mvt_rows<T>, n, n, A, ya, x1);
    launch1(device::mvt_columns<T>, n, n, A, yb, x2);
  };
  return {work, {x1, x2}};
}

template <typename T> static Program<T> gemver(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 1), *u1 = data.vector(n, 2), *v1 = data.vector(n, 3), *u2 = data.vector(n, 4), *v2 = data.vector(n, 5);
  T *x = data.zeros(n), *y = data.vector(n, 6), *z = data.vector(n, 7), *w = data.zeros(n);
  auto work = [=] {
    launch2(device::gemver_update<T>, n, n, n, u1, v1, u2, v2, A);
    launch1(device::gemver_x<T>, n, n, (T)1.25, A, y, z, x);
    launch1(device::gemver_w<T>, n, n, (T)1.5, A, x, w);
  };
  return {work, {x, w, A}};
}

template <typename T> static Program<T> gesummv(Data<T> &data, int n, int) {
  T *A = data.matrix(n, 2), *B = data.matrix(n, 3), *x = data.vector(n, 1), *y = data.zeros(n);
  return {[=] { launch1(device::gesummv<T>, n, n, (T)1.5, (T)1.25, A, B, x, y); }, {y}};
}

template <typename T> static Program<T> covariance(Data<T> &data, int n, int) {
  T *D = data.matrix(n, 1), *S = data.zeros((size_t)n * n), *mean = data.zeros(n);
  auto work = [=] {
    launch1(device::column_mean<T>, n, n, D, mean);
    launch2(device::subtract_mean<T>, n, n, n, mean, D);
    launch2(device::covariance<T>, n, n, n, D, S);
  };
  return {work, {S}};
}

template <typename T> static Program<T> correlation(Data<T> &data, int n, int) {
  T *D = data.matrix(n, 1), *S = data.zeros((size_t)n * n), *mean = data.zeros(n), *deviation = data.zeros(n);
  auto work = [=] {
    launch1(device::column_mean<T>, n, n, D, mean);
    launch1(device::column_deviation<T>, n, n, D, mean, deviation);
    launch2(device::standardise<T>, n, n, n, (T)sqrt((double)n), mean, deviation, D);
    launch2(device::correlation<T>, n, n, n, D, S);
  };
  return {work, {S}};
}

template <typename T> static Program<T> jacobi1d(Data<T> &data, int n, int steps) {
  T *A = data.vector(n, 1), *B = data.vector(n, 2);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch1(device::jacobi1d<T>, n, n, A, B);
      launch1(device::jacobi1d<T>, n, n, B, A);
    }
  };
  return {work, {A, B}};
}

template <typename T> static Program<T> jacobi2d(Data<T> &data, int n, int steps) {
  T *A = data.matrix(n, 1), *B = data.matrix(n, 2);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch2(device::jacobi2d<T>, n, n, n, A, B);
      launch2(device::jacobi2d<T>, n, n, n, B, A);
    }
  };
  return {work, {A, B}};
}

template <typename T> static Program<T> heat3d(Data<T> &data, int n, int steps) {
  T *A = data.cube(n), *B = data.cube(n);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch3(device::heat3d<T>, n, n, n, n, A, B);
      launch3(device::heat3d<T>, n, n, n, n, B, A);
    }
  };
  return {work, {A, B}};
}

template <typename T> static Program<T> fdtd2d(Data<T> &data, int n, int steps) {
  T *ex = data.matrix(n, 1), *ey = data.matrix(n, 2), *hz = data.matrix(n, 3);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch2(device::fdtd2d_ey<T>, n, n, n, t, hz, ey);
      launch2(device::fdtd2d_ex<T>, n, n, n, hz, ex);
      launch2(device::fdtd2d_hz<T>, n, n, n, ex, ey, hz);
    }
  };
  return {work, {ex, ey, hz}};
}

template <typename T> static Program<T> seidel2d(Data<T> &data, int n, int steps) {
  T *A = data.matrix(n, 1);
  auto work = [=] {
    for (int t = 0; t < steps; t++)
      for (int wave = 3; wave <= 3 * (n - 2); wave++) {
        // 1 <= j = wave - 2 i <= n - 2
        int low = std::max(1, (wave - (n - 2) + 1) / 2), high = std::min(n - 2, (wave - 1) / 2);
        launch1(device::seidel2d<T>, high - low + 1, n, wave, low, high, A);
      }
  };
  return {work, {A}};
}

template <typename T> static Program<T> adi(Data<T> &data, int n, int steps) {
  size_t count = (size_t)n * n;
  T *u = data.matrix(n, 1), *v = data.zeros(count), *p = data.zeros(count), *q = data.zeros(count);
  auto work = [=] {
    for (int t = 0; t < steps; t++) {
      launch1(device::adi_columns<T>, n, n, (T)-0.25, (T)1.5, u, v, p, q);
      launch1(device::adi_rows<T>, n, n, (T)-0.25, (T)1.5, v, u, p, q);
    }
  };
  return {work, {u, v}};
}

template <typename T> static Program<T> lu(Data<T> &data, int n, int) {
  T *A = data.dominant(n);
  auto work = [=] {
    for (int k = 0; k < n - 1; k++) {
      launch1(device::scale_column<T>, n - k - 1, n, k, A);
      launch2(device::lu_update<T>, n - k - 1, n - k - 1, n, k, A);
    }
  };
  return {work, {A}};
}

template <typename T> static Program<T> cholesky(Data<T> &data, int n, int) {
  T *A = data.matrix_of(n, [=](int i, int j) { return datum<T>(1, std::max(i, j), std::min(i, j)) + (i == j ? (T)n : 0); });
  auto work = [=] {
    for (int k = 0; k < n; k++) {
      launch(device::cholesky_pivot<T>, dim3(1), dim3(1), n, k, A);
      launch1(device::scale_column<T>, n - k - 1, n, k, A);
      launch2(device::cholesky_update<T>, n - k - 1, n - k - 1, n, k, A);
    }
  };
  return {work, {A}};
}

template <typename T> static Program<T> gramschmidt(Data<T> &data, int n, int) {
  T *A = data.dominant(n), *R = data.zeros((size_t)n * n), *Q = data.zeros((size_t)n * n);
  auto work = [=] {
    for (int k = 0; k < n; k++) {
      launch(device::gramschmidt_norm<T>, dim3(1), dim3(1), n, k, A, R);
      launch1(device::gramschmidt_column<T>, n, n, k, A, R, Q);
      launch1(device::gramschmidt_update<T>, n - k - 1, n, k, Q, A, R);
    }
  };
  return {work, {R, Q, A}};
}

template <typename T> static Program<T> apsp(Data<T> &data, int n, int) {
  T *path = data.matrix_of(n, [](int i, int j) { return (T)(1 + (i * 7 + j * 13) % 97); });
  auto work = [=] {
    for (int k = 0; k < n; k++)
      launch2(device::apsp<T>, n, n, n, k, path);
  };
  return {work, {path}};
}

template <typename T> static Program<T> filter(Data<T> &data, int n, int) {
  size_t count = (size_t)n * n;
  T *in = data.matrix(n, 1), *out = data.zeros(count), *ya = data.zeros(count), *yb = data.zeros(count);
  T a = (T)0.5, b = (T)0.25;
  auto work = [=] {
    launch1(device::filter_right<T>, n, n, a, b, in, ya);
    launch1(device::filter_left<T>, n, n, a, b, in, yb);
    launch2(device::filter_sum<T>, n, n, n, ya, yb, out);
    launch1(device::filter_down<T>, n, n, a, b, out, ya);
    launch1(device::filter_up<T>, n, n, a, b, out, yb);
    launch2(device::filter_sum<T>, n, n, n, ya, yb, out);
  };
  return {work, {out}};
}
