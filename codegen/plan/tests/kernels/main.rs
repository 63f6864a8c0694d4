//! Plans with kernels for a device: what is mapped, what the checker accepts and refuses, when they pay, and the corpus.
#![forbid(unsafe_code)]

mod corpus;
mod mapping;
mod prices;
mod refusals;

use farkas_polyhedral::program::Program;

/// `for (i) for (j) { Z: C[i][j] = 0; for (k) S: C[i][j] += A[i][k] * B[k][j]; }`
const PRODUCT: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array A: memory, 8 bytes, [][n]
  array B: memory, 8 bytes, [][n]
  array C: memory, 8 bytes, [][n]
  statement Z
    domain: [n] -> { Z[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { Z[i, j] -> [i, j, 0, 0] }
    write: [n] -> { Z[i, j] -> C[i, j] }
  statement S
    domain: [n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    schedule: { S[i, j, k] -> [i, j, 1, k] }
    read: [n] -> { S[i, j, k] -> A[i, k] }
    read: [n] -> { S[i, j, k] -> B[k, j] }
    read: [n] -> { S[i, j, k] -> C[i, j] }
    write: [n] -> { S[i, j, k] -> C[i, j] }
";

/// The same, of which it is known that a sum and its product may be rounded together.
fn fused_product() -> String {
    format!("{PRODUCT}    multiply-add f64: (access 0) * (access 1) + access 2 -> access 3\n")
}

/// `for (i) for (j) s[i] += A[i][j];`
const ROWS: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array A: memory, 8 bytes, [][n]
  array s: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> A[i, j] }
    read: [n] -> { S[i, j] -> s[i] }
    write: [n] -> { S[i, j] -> s[i] }
";

/// `for (t) { for (i) B[i] = A[i - 1] + A[i + 1]; for (i) A[i] = B[i]; }`
const STENCIL: &str = "program
  context: [n, m] -> { : }
  assumptions: [n, m] -> { : }
  array A: memory, 8 bytes, []
  array B: memory, 8 bytes, []
  statement S
    domain: [n, m] -> { S[t, i] : 0 <= t < m and 0 < i < n }
    schedule: { S[t, i] -> [t, 0, i] }
    read: [n, m] -> { S[t, i] -> A[i - 1] }
    read: [n, m] -> { S[t, i] -> A[i + 1] }
    write: [n, m] -> { S[t, i] -> B[i] }
  statement T
    domain: [n, m] -> { T[t, i] : 0 <= t < m and 0 < i < n }
    schedule: { T[t, i] -> [t, 1, i] }
    read: [n, m] -> { T[t, i] -> B[i] }
    write: [n, m] -> { T[t, i] -> A[i] }
";

/// `for (i) { S: t = a[i]; T: b[i] = t; }`; `t` is not used afterwards.
const COPY: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array t: scalar slot, 8 bytes
  array a: memory, 8 bytes, []
  array b: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [0, i, 0] }
    read: [n] -> { S[i] -> a[i] }
    write: [n] -> { S[i] -> t[] }
  statement T
    domain: [n] -> { T[i] : 0 <= i < n }
    schedule: { T[i] -> [0, i, 1] }
    read: [n] -> { T[i] -> t[] }
    write: [n] -> { T[i] -> b[i] }
  kill: { end[] -> t[] }
    schedule: { end[] -> [1, 0, 0] }
";

fn program(text: &str) -> Program {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}
