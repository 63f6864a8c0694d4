//! y += A' x, column by column, with an iterator over the rows of the matrix: there are as many as their length goes into its
//! own, unless that is zero.
mod kernel;

struct Chunks {
    n: usize,
    a: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

#[inline(never)]
fn product(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for (j, y) in y.iter_mut().enumerate() {
        for (row, x) in a.chunks_exact(n).zip(x) {
            *y += row[j] * x;
        }
    }
}

impl kernel::Kernel for Chunks {
    fn new(n: usize) -> Self {
        let vector = |salt| (0..n).map(|i| kernel::datum(salt, i, 0)).collect();
        let a = (0..n * n).map(|at| kernel::datum(1, at / n, at % n)).collect();
        let (x, y) = (vector(2), vector(3));
        Chunks { n, a, x, y }
    }

    fn compute(&mut self) {
        product(self.n.max(1), &self.a, &self.x, &mut self.y);
    }

    fn results(&self) -> Vec<&[f64]> {
        vec![&self.y]
    }
}

fn main() {
    kernel::run::<Chunks>();
}
