//! The points of operands, one by one: the second oracle.

use crate::random::Operand;
use std::cell::OnceCell;

/// Operands at some parameter values, and a box of points around 0.
pub struct Points<'a> {
    operands: &'a [Operand],
    /// The numbers of dimensions of `A`, `B` and `C`.
    tuples: [usize; 3],
    /// The values of all parameters.
    pub params: [i64; 3],
    radius: i64,
    /// For each operand, whether each point of the box belongs to it, if the operands have no others.
    tables: Option<Vec<Vec<bool>>>,
    /// For the first operand, a relation of `A` with itself: for `k` from 1 to `radius`, which points of the box have a
    /// path of `k` steps between them; and in the first place, which have a path at all.
    paths: OnceCell<Vec<Vec<bool>>>,
}

impl<'a> Points<'a> {
    /// The operands at `params`. If `bounded`, all their points are within `radius`, and are computed here.
    pub fn new(
        operands: &'a [Operand],
        tuples: [usize; 3],
        params: [i64; 3],
        radius: i64,
        bounded: bool,
    ) -> Points<'a> {
        let table = |operand: &Operand| {
            let mut table = Vec::new();
            each(operand.n(), radius, &mut |x| {
                table.push(operand.contains(&params, x));
                false
            });
            table
        };
        Points {
            tables: (bounded && !operands.iter().any(Operand::is_function))
                .then(|| operands.iter().map(table).collect()),
            operands,
            tuples,
            params,
            radius,
            paths: OnceCell::new(),
        }
    }

    /// Whether a point belongs to operand `k`.
    pub fn has(&self, k: usize, x: &[i64]) -> bool {
        let Some(tables) = &self.tables else {
            return self.operands[k].contains(&self.params, x);
        };
        self.index(x).is_some_and(|index| tables[k][index])
    }

    /// The number of a point of the box.
    fn index(&self, x: &[i64]) -> Option<usize> {
        x.iter().try_fold(0, |index, v| {
            let inside = v.abs() <= self.radius;
            inside.then(|| index * (2 * self.radius + 1) as usize + (v + self.radius) as usize)
        })
    }

    fn paths(&self) -> &[Vec<bool>] {
        let tables = self.tables.as_ref().expect("operands within a box");
        self.paths.get_or_init(|| {
            let n = (2 * self.radius + 1).pow(self.tuples[0] as u32) as usize;
            let step = &tables[0];
            let mut closure = step.clone();
            for via in 0..n {
                for from in (0..n).filter(|from| closure[from * n + via]).collect::<Vec<_>>() {
                    for to in 0..n {
                        closure[from * n + to] |= closure[via * n + to];
                    }
                }
            }
            let mut paths = vec![closure, step.clone()];
            for k in 1..self.radius as usize {
                let mut longer = vec![false; n * n];
                for pair in (0..n * n).filter(|pair| paths[k][*pair]) {
                    let (from, via) = (pair / n, pair % n);
                    for to in 0..n {
                        longer[from * n + to] |= step[via * n + to];
                    }
                }
                paths.push(longer);
            }
            paths
        })
    }

    /// Whether there is a path of the first operand, a relation within a box, from one point to another.
    pub fn has_path(&self, xy: &[i64]) -> bool {
        self.index(xy).is_some_and(|pair| self.paths()[0][pair])
    }

    /// The same, of `steps` steps, which are no more than the radius of the box.
    pub fn has_path_of(&self, steps: i64, xy: &[i64]) -> bool {
        steps > 0 && self.index(xy).is_some_and(|pair| self.paths()[steps as usize][pair])
    }

    /// Whether there is any path of `steps` steps.
    pub fn has_paths_of(&self, steps: i64) -> bool {
        steps > 0 && self.paths()[steps as usize].contains(&true)
    }

    /// The value of operand `k`, a function.
    pub fn value<N: Copy + Into<i128>>(&self, k: usize, x: &[N]) -> Option<Vec<i128>> {
        self.operands[k].value(&self.params, x)
    }

    /// Whether a value of a function belongs to operand `k`.
    pub fn has_value(&self, k: usize, y: &[i128]) -> bool {
        self.operands[k].contains(&self.params, y)
    }

    /// The number of dimensions of operand `k`.
    pub fn n(&self, k: usize) -> usize {
        self.operands[k].n()
    }

    /// The number of dimensions of `A`, `B` or `C`.
    pub fn tuple(&self, k: usize) -> usize {
        self.tuples[k]
    }

    /// Whether a condition holds for one of the points of the box with `n` dimensions.
    pub fn some(&self, n: usize, holds: &mut dyn FnMut(&[i64]) -> bool) -> bool {
        each(n, self.radius, holds)
    }
}

/// Visits all points with `n` dimensions between `-radius` and `radius`, in lexicographic order, until `stop` says so.
pub fn each(n: usize, radius: i64, stop: &mut dyn FnMut(&[i64]) -> bool) -> bool {
    let mut point = vec![-radius; n];
    loop {
        if stop(&point) {
            return true;
        }
        let Some(k) = point.iter().rposition(|v| *v < radius) else {
            return false;
        };
        point[k] += 1;
        point[k + 1..].fill(-radius);
    }
}
