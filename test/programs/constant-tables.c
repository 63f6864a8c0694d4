// Subscripts by elements of constant arrays: in order, by steps, in rows, of few bits, with and without a sign, and of arrays that are not
// constant after all.
#include <stdint.h>
#include <stdio.h>

#define LOOP __attribute__((noinline)) static void
#define N 40

static const int dy[8] = {-1, -1, -1, 0, 1, 1, 1, 0}, dx[8] = {-1, 0, 1, 1, 1, 0, -1, -1};
static const int8_t steps[6] = {3, -2, 0, 2, -3, 1};
static const uint8_t bytes[4] = {0, 255, 130, 7};
static const long directions[5][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
static const struct {
  int x;
  short y, z;
} corners[4] = {{0, 0, 9}, {1, 0, 9}, {1, 1, 9}, {0, 1, 9}};
static const __int128 numbers[4] = {-1, 0, 1, -2};
static int order[4] = {2, 0, 3, 1};

// All neighbours of an element.
LOOP neighbours(int rows, int cols, const double (*restrict a)[N], double (*restrict b)[N]) {
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < cols - 1; x++) {
      double s = 0;
      for (int k = 0; k < 8; k++)
        s += (k + 1) * a[y + dy[k]][x + dx[k]];
      b[y][x] = s;
    }
}
// In place: what was written is read again.
LOOP in_place(int rows, int cols, double (*restrict a)[N]) {
  for (int y = 1; y < rows - 1; y++)
    for (int x = 1; x < cols - 1; x++)
      for (int k = 0; k < 8; k += 2)
        a[y][x] += 0.125 * a[y + dy[k]][x + dx[k]];
}
// Stored where the table says.
LOOP streamed(int rows, int cols, const double (*restrict f)[N][N], double (*restrict g)[N][N]) {
  for (int k = 0; k < 5; k++)
    for (int y = 1; y < rows - 1; y++)
      for (int x = 1; x < cols - 1; x++)
        g[k][y + directions[k][1]][x + directions[k][0]] = f[k][y][x] * (k + 2);
}
LOOP collided(int rows, int cols, double (*restrict f)[N][N], double (*restrict u)[N]) {
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < cols; x++) {
      double m = 0, v = 0;
      for (int k = 0; k < 5; k++) {
        m += f[k][y][x];
        v += f[k][y][x] * directions[k][0];
      }
      u[y][x] = v;
      for (int k = 0; k < 5; k++)
        f[k][y][x] -= 0.5 * (f[k][y][x] - 0.25 * m * (1 + directions[k][0] + 2 * directions[k][1]));
    }
}
// Small numbers, backwards, and some of them only.
LOOP narrow(long n, double *restrict a, const double *restrict b) {
  for (long i = 4; i < n - 4; i++)
    for (long k = 4; k > 0; k--)
      a[i + steps[k]] = 0.5 * a[i] + b[i + steps[k + 1]];
}
LOOP unsigned_bytes(long n, long m, double *restrict a, const double (*restrict b)[N]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < 4; k++)
        a[bytes[k] + i] += b[j][i] * (k + 1);
}
LOOP members(int rows, int cols, double (*restrict a)[N], const double (*restrict b)[N]) {
  for (int y = 0; y < rows - 1; y++)
    for (int x = 0; x < cols - 1; x++)
      for (int k = 0; k < 4; k++)
        a[y + corners[k].y][x + corners[k].x] += b[y][x] * (k + 0.5);
}
// Numbers that take more than 64 bits, read without a sign.
LOOP wide(int n, long *restrict a) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      for (int j = 0; j < 4; j++)
        a[4 * i + 4 + k + (int)((unsigned __int128)numbers[k] >> 62)] += a[4 * i + j + 16] * (k + 1);
}
// The table is changed in between.
LOOP variable(long n, double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 4; k++)
      a[4 * i + order[k]] = b[i] + k;
  order[0] ^= 1;
}

static long counts[4 * N + 40];
static double a[N][N], b[N][N], f[5][N][N], g[5][N][N], line[4 * N + 300];

int main(void) {
  for (int size = 1; size <= N; size += size < 8 ? 1 : 8) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = (i * 7 + j * 3) % 11 / 8.;
        b[i][j] = (i * 5 + j) % 13 / 4.;
        for (int k = 0; k < 5; k++)
          f[k][i][j] = (i + j * 2 + k) % 7, g[k][i][j] = k;
      }
    for (int i = 0; i < 4 * N + 300; i++)
      line[i] = i % 9;
    for (int i = 0; i < 4 * N + 40; i++)
      counts[i] = i * 7 % 13;
    int rows = size, cols = size;
    neighbours(rows, cols, a, b);
    in_place(rows, cols, a);
    streamed(rows, cols, f, g);
    collided(rows, cols, g, b);
    narrow(size, line, &b[0][0]);
    unsigned_bytes(size, cols, line, b);
    members(rows, cols, a, b);
    variable(size, line, &b[0][0]);
    wide(size, counts);
    double s = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        s = s * 0.9 + a[i][j] + 2 * b[i][j];
        for (int k = 0; k < 5; k++)
          s += g[k][i][j] * (k + 3);
      }
    for (int i = 0; i < 4 * N + 300; i++)
      s = s * 0.99 + line[i];
    for (int i = 0; i < 4 * N + 40; i++)
      s = s * 0.99 + (double)(counts[i] % 1000);
    printf("%.17g\n", s);
  }
}
