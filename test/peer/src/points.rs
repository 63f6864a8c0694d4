//! The points of operands, one by one: the second oracle.

use crate::random::Operand;

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
        }
    }

    /// Whether a point belongs to operand `k`.
    pub fn has(&self, k: usize, x: &[i64]) -> bool {
        let Some(tables) = &self.tables else {
            return self.operands[k].contains(&self.params, x);
        };
        let mut index = 0;
        for v in x {
            if v.abs() > self.radius {
                return false;
            }
            index = index * (2 * self.radius + 1) as usize + (v + self.radius) as usize;
        }
        tables[k][index]
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
