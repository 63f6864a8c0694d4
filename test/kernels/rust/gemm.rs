//! C += A B over slices: each index is checked against the length of its slice.
mod kernel;

struct Gemm {
    n: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

#[inline(never)]
fn gemm(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

impl kernel::Kernel for Gemm {
    fn new(n: usize) -> Self {
        let matrix = |salt| (0..n * n).map(|at| kernel::datum(salt, at / n, at % n)).collect();
        let (a, b, c) = (matrix(1), matrix(2), matrix(3));
        Gemm { n, a, b, c }
    }

    fn compute(&mut self) {
        gemm(self.n, &self.a, &self.b, &mut self.c);
    }

    fn results(&self) -> Vec<&[f64]> {
        vec![&self.c]
    }
}

fn main() {
    kernel::run::<Gemm>();
}
