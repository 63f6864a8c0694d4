//! y += A' x, column by column, with iterators over the vectors and an index into the matrix.
mod kernel;

struct Iterators {
    n: usize,
    a: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

#[inline(never)]
fn product(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for (j, y) in y.iter_mut().enumerate() {
        for (i, x) in x.iter().enumerate() {
            *y += a[i * n + j] * x;
        }
    }
}

impl kernel::Kernel for Iterators {
    fn new(n: usize) -> Self {
        let vector = |salt| (0..n).map(|i| kernel::datum(salt, i, 0)).collect();
        let a = (0..n * n).map(|at| kernel::datum(1, at / n, at % n)).collect();
        let (x, y) = (vector(2), vector(3));
        Iterators { n, a, x, y }
    }

    fn compute(&mut self) {
        product(self.n, &self.a, &self.x, &mut self.y);
    }

    fn results(&self) -> Vec<&[f64]> {
        vec![&self.y]
    }
}

fn main() {
    kernel::run::<Iterators>();
}
