//! Smoothing of a grid, down its columns: rows of a fixed length in a `Vec`, of which as many are used as it has.
mod kernel;

/// The length of a row.
const ROW: usize = 1500;

struct Rows {
    now: Vec<[f64; ROW]>,
    next: Vec<[f64; ROW]>,
}

#[inline(never)]
fn smooth(steps: usize, now: &mut Vec<[f64; ROW]>, next: &mut Vec<[f64; ROW]>) {
    for _ in 0..steps {
        for j in 1..ROW - 1 {
            for i in 1..now.len() - 1 {
                next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
            }
        }
        for j in 1..ROW - 1 {
            for i in 1..now.len() - 1 {
                now[i][j] = next[i][j];
            }
        }
    }
}

impl kernel::Kernel for Rows {
    fn new(n: usize) -> Self {
        let row = |i| std::array::from_fn(|j| kernel::datum(1, i, j));
        let now: Vec<[f64; ROW]> = (0..n + 2).map(row).collect();
        Rows { next: now.clone(), now }
    }

    fn compute(&mut self) {
        smooth(10, &mut self.now, &mut self.next);
    }

    fn results(&self) -> Vec<&[f64]> {
        vec![self.now.as_flattened(), self.next.as_flattened()]
    }
}

fn main() {
    kernel::run::<Rows>();
}
