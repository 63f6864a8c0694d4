//! Simplification of a conjunction by row operations, without a solver.
//!
//! Equalities are brought into reduced echelon form, with coefficients ±1 as pivots where there are any: a division
//! with such a pivot goes away, what is left of it are its two bounds. Numerators of divisions are reduced modulo the
//! denominator, so that equal divisions are recognised. Inequalities are divided by the common divisor of their
//! coefficients, with the constant rounded down (tightened); of parallel ones the tightest stays; two opposite ones
//! that leave no room become an equality, as do two that only leave a variable the value of a division. The facts that
//! define the divisions take part as if they were inequalities.
//!
//! For example `{ j : j = q and 2 q <= 5 }` with `q = floor(i / 2)` becomes `{ j : j <= 2 and 0 <= i - 2 j <= 1 }`.

use super::conj::{Conj, Div, reduce_div};
use super::row;
use crate::int::Int;
use crate::linalg::{Row, content, zeros};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Most conjunctions have no more rows.
const FEW: usize = 16;

/// Finds parallel inequalities, of which the first `n_own` are the conjunction's own and the others facts about its
/// divisions: says for each whether it is the tightest of its direction, facts winning against equals, and which of
/// them leave no room to an opposite one. None if two opposite ones contradict each other.
fn parallel_rows(rows: &[Row], n_own: usize) -> Option<(SmallVec<[bool; FEW]>, Vec<usize>)> {
    // A linear hash: that of an opposite row is its negation.
    let hash = |row: &Row| {
        let mut factor = 1u64;
        row[1..].iter().fold(0u64, |sum, x| {
            factor = factor
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            sum.wrapping_add(factor.wrapping_mul(x.to_i64().unwrap_or(0) as u64))
        })
    };
    let hashes: SmallVec<[u64; FEW]> = rows
        .iter()
        .map(|row| {
            let hash = hash(row);
            hash.min(hash.wrapping_neg())
        })
        .collect();
    let pairs = pairs_of_equals(&hashes);
    let mut tightest = SmallVec::from_elem(true, rows.len());
    let mut equalities = Vec::new();
    for &(i, j) in pairs.iter().filter(|&&(i, j)| rows[i][1..] == rows[j][1..]) {
        // The second comes later: a fact if the first is one.
        let looser = match rows[i][0].cmp(&rows[j][0]) {
            Ordering::Less => j,
            Ordering::Greater => i,
            Ordering::Equal if i < n_own && j >= n_own => i,
            Ordering::Equal => j,
        };
        tightest[looser] = false;
    }
    for &(i, j) in pairs.iter().filter(|&&(i, j)| tightest[i] && tightest[j]) {
        if rows[i][1..].iter().zip(&rows[j][1..]).all(|(a, b)| *a == -b) {
            let room = &rows[i][0] + &rows[j][0];
            if room.is_neg() {
                return None;
            }
            if room.is_zero() {
                equalities.push(i);
            }
        }
    }
    equalities.sort_unstable();
    Some((tightest, equalities))
}

/// The positions of equal numbers: pairs, the first one before the second.
fn pairs_of_equals(numbers: &[u64]) -> SmallVec<[(usize, usize); FEW]> {
    if numbers.len() <= FEW {
        let before = |j: usize| (0..j).filter(move |&i| numbers[i] == numbers[j]);
        return (0..numbers.len())
            .flat_map(|j| before(j).map(move |i| (i, j)))
            .collect();
    }
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_unstable_by_key(|&i| (numbers[i], i));
    let groups = order.chunk_by(|a, b| numbers[*a] == numbers[*b]);
    let pairs = |group: &[usize]| -> Vec<(usize, usize)> {
        (0..group.len())
            .flat_map(|y| (0..y).map(move |x| (x, y)))
            .map(|(x, y)| (group[x], group[y]))
            .collect()
    };
    groups.filter(|group| group.len() > 1).flat_map(pairs).collect()
}

/// What a pass found out.
#[derive(PartialEq, Eq)]
enum Pass {
    /// The conjunction is empty.
    Empty,
    /// The rows have changed in a way that makes another pass worth its while.
    Changed,
    /// Nothing is left to do.
    Done,
}

impl Conj {
    /// Simplifies without changing the set. False if the conjunction is plainly empty; it then is [`Conj::empty`].
    pub fn simplify(&mut self) -> bool {
        self.simplify_keeping(0)
    }

    /// The same as [`Conj::simplify`], except that the first `frozen` variables do not take the place of divisions, and
    /// do not get into numerators of divisions.
    pub(super) fn simplify_keeping(&mut self, frozen: usize) -> bool {
        if self.simple && frozen == 0 {
            return !self.is_plainly_empty();
        }
        // Every pass that reports a change has removed a division, or added an equality that does not follow from the
        // others, or has brought a numerator closer to normal form.
        let n_passes = 64 + 2 * (self.n_cols() + self.eqs.len() + self.ineqs.len());
        for _ in 0..n_passes {
            match self.pass(frozen) {
                Pass::Empty => {
                    *self = Conj::empty(self.n_vars());
                    return false;
                }
                Pass::Changed => {}
                Pass::Done => {
                    self.simple = frozen == 0;
                    return true;
                }
            }
        }
        debug_assert!(false, "no fixpoint {self:?}");
        // What is left to do is no more than cosmetic.
        self.simple = frozen == 0;
        true
    }

    fn pass(&mut self, frozen: usize) -> Pass {
        if !self.normalize_rows() {
            return Pass::Empty;
        }
        let Some((pivots, changed)) = self.reduce_equalities(frozen) else {
            return Pass::Empty;
        };
        if changed && !self.normalize_rows() {
            return Pass::Empty;
        }
        if self.reduce_divs() {
            return Pass::Changed;
        }
        self.reduce_inequalities(&pivots)
    }

    /// Divides rows by their common divisors and drops those that always hold. False if one never holds.
    fn normalize_rows(&mut self) -> bool {
        let solvable =
            self.eqs.iter_mut().all(|r| row::normalize_eq(r)) && self.ineqs.iter_mut().all(|r| row::normalize_ineq(r));
        if solvable {
            self.eqs.retain(|r| !row::is_zero(r));
            self.ineqs.retain(|r| !row::is_zero(&r[1..]));
        }
        solvable
    }

    /// Brings the equalities into reduced echelon form and removes their pivots from all other rows. The columns of the
    /// pivots, and whether rows have changed; none if there is no solution.
    fn reduce_equalities(&mut self, frozen: usize) -> Option<(SmallVec<[usize; FEW]>, bool)> {
        let mut pivots = SmallVec::new();
        let mut changed = false;
        let mut done = 0;
        while done < self.eqs.len() {
            // Rows that have a pivot ±1 come first, so that others are not scaled before.
            let next = (done..self.eqs.len())
                .find(|&i| self.eqs[i][1..].iter().any(|x| x.is_unit()))
                .unwrap_or(done);
            self.eqs.swap(done, next);
            if !row::normalize_eq(&mut self.eqs[done]) {
                return None;
            }
            if row::is_zero(&self.eqs[done]) {
                self.eqs.swap_remove(done);
                continue;
            }
            if let Some(div) = self.removable_div(done, frozen) {
                self.remove_div_by(done, div);
                // All rows may have changed, those before too.
                changed = true;
                pivots.clear();
                done = 0;
                continue;
            }
            let (pivot, changed_by_it) = self.eliminate_pivot(done, frozen);
            pivots.push(pivot);
            changed |= changed_by_it;
            done += 1;
        }
        Some((pivots, changed))
    }

    /// A division that equality `eq` expresses with coefficient ±1 in terms that every later division which uses it
    /// may contain.
    fn removable_div(&self, eq: usize, frozen: usize) -> Option<usize> {
        let eq = &self.eqs[eq];
        if !row::is_zero(&eq[1..1 + frozen]) {
            return None;
        }
        (0..self.divs.len()).rev().find(|&d| {
            let col = self.div_col(d);
            if !eq[col].is_unit() {
                return false;
            }
            let first_user = self
                .divs
                .iter()
                .position(|k| !k.num[col].is_zero())
                .unwrap_or(self.divs.len());
            row::is_zero(&eq[self.div_col(first_user)..])
        })
    }

    /// Uses equality `eq` to replace division `div`, of which the bounds become inequalities. Both go away.
    fn remove_div_by(&mut self, eq: usize, div: usize) {
        let bounds = self.div_bounds(div);
        let pivot = self.eqs.swap_remove(eq);
        let col = self.div_col(div);
        self.ineqs.extend(bounds);
        for row in self.rows_mut() {
            row::eliminate(row, &pivot, col);
        }
        self.remove_div(div);
    }

    /// Removes a division that nothing uses.
    fn remove_div(&mut self, div: usize) {
        let col = self.div_col(div);
        self.divs.remove(div);
        for row in self.rows_mut() {
            row.remove(col);
        }
    }

    /// Picks a pivot for equality `eq` and removes it from all other rows. Its column, and whether other rows have changed.
    fn eliminate_pivot(&mut self, eq: usize, frozen: usize) -> (usize, bool) {
        let col = self.pivot_column(&self.eqs[eq]);
        let pivot = std::mem::take(&mut self.eqs[eq]);
        let mut changed = false;
        let (before, after) = self.eqs.split_at_mut(eq);
        for row in before.iter_mut().chain(&mut after[1..]).chain(&mut self.ineqs) {
            changed |= row::eliminate(row, &pivot, col);
        }
        // Numerators only take what has no divisions: those would be flattened into what was replaced.
        let unit = pivot[col].is_unit();
        if unit && row::is_zero(&pivot[1..1 + frozen]) && row::is_zero(&pivot[1 + self.n_vars..]) {
            for div in &mut self.divs {
                row::eliminate(&mut div.num, &pivot, col);
            }
        }
        self.eqs[eq] = pivot;
        (col, changed)
    }

    /// The column that an equality is used to eliminate: the last variable with coefficient ±1, or else with the
    /// smallest coefficient. A variable that a division in the equality depends on is not eliminated, as `x` by
    /// `x = 2 floor(x / 2)`: there the division is, so that the bounds of `x` stay what they are.
    fn pivot_column(&self, eq: &[Int]) -> usize {
        let vars = 1..1 + self.n_vars;
        if self.divs.is_empty()
            && let Some(unit) = vars.clone().rev().find(|&c| eq[c].is_unit())
        {
            return unit;
        }
        let divs = 1 + self.n_vars..eq.len();
        let mut involved = vec![false; eq.len()];
        for d in (0..self.divs.len()).rev() {
            let col = self.div_col(d);
            if involved[col] || !eq[col].is_zero() {
                for (c, x) in self.divs[d].num.iter().enumerate().skip(1) {
                    involved[c] |= !x.is_zero();
                }
            }
        }
        let best = |cols: std::ops::Range<usize>| {
            cols.filter(|&c| !eq[c].is_zero() && !involved[c])
                .reduce(|best, c| if eq[c].abs() <= eq[best].abs() { c } else { best })
        };
        match best(vars) {
            Some(var) if divs.is_empty() || eq[var].abs().is_one() => var,
            // The last division of an equality is involved in no other of its divisions.
            var => best(divs).or(var).expect("an equality has a coefficient"),
        }
    }

    /// Brings all divisions into normal form, merges equal ones and drops those that are not used. Whether the other
    /// rows or their columns have changed.
    pub(super) fn reduce_divs(&mut self) -> bool {
        let mut changed = false;
        let mut d = 0;
        while d < self.divs.len() {
            changed |= self.normalize_div(d);
            let same = (0..d).find(|&e| self.divs[e] == self.divs[d]);
            let zero = row::is_zero(&self.divs[d].num);
            if same.is_none() && !zero {
                d += 1;
                continue;
            }
            let col = self.div_col(d);
            let target = same.map(|e| self.div_col(e));
            for row in self.rows_mut() {
                let x = std::mem::take(&mut row[col]);
                if let Some(target) = target {
                    row[target] += x;
                }
            }
            self.remove_div(d);
            changed = true;
        }
        for d in (0..self.divs.len()).rev() {
            let col = self.div_col(d);
            if self.rows_mut().all(|r| r[col].is_zero()) {
                self.remove_div(d);
                changed = true;
            }
        }
        changed
    }

    /// Brings division `d` into normal form: not the floor of a floor plus an integer, coefficients in
    /// `(-den/2, den/2]`, the first of them positive, the constant in `[0, den)`, no common divisor. Whether other
    /// rows have changed.
    fn normalize_div(&mut self, d: usize) -> bool {
        if self.is_normal_div(d) {
            return false;
        }
        let Div { mut num, mut den } = self.divs[d].clone();
        let plain = 1 + self.n_vars;
        let col = plain + d;
        // floor(floor(n / m) + e) / den) = floor((n + m e) / (m den))
        while let Some(inner) = (plain..col).rev().find(|&c| num[c].is_one()) {
            let Div {
                num: inner_num,
                den: inner_den,
            } = &self.divs[inner - plain];
            num[inner] = Int::ZERO;
            row::scale(&mut num, inner_den);
            row::add_scaled(&mut num, &Int::ONE, inner_num);
            den = &den * inner_den;
        }
        reduce_div(&mut num, &mut den);
        let mut shift = zeros(num.len());
        let mut negate = false;
        // Split off what is a multiple of the denominator.
        let split = |num: &mut Row, shift: &mut Row| {
            for (i, x) in num.iter_mut().enumerate() {
                let mut rest = x.mod_floor(&den);
                if i > 0 && &rest + &rest > den {
                    rest -= &den;
                }
                shift[i] += (&*x - &rest).div_exact(&den);
                *x = rest;
            }
        };
        split(&mut num, &mut shift);
        if num[1..].iter().find(|x| !x.is_zero()).is_some_and(Int::is_neg) {
            // floor(-n / den) = -floor((n + den - 1) / den)
            num = row::negated(&num);
            num[0] += &den;
            num[0] -= Int::ONE;
            negate = true;
            let mut more = zeros(num.len());
            split(&mut num, &mut more);
            row::add_scaled(&mut shift, &Int::from(-1), &more);
        }
        if !negate && row::is_zero(&shift) {
            self.divs[d] = Div { num, den };
            return false;
        }
        // The old division is ±q + shift.
        for row in self.rows_mut() {
            if !row[col].is_zero() {
                let factor = row[col].clone();
                if negate {
                    row[col] = -&factor;
                }
                row::add_scaled(row, &factor, &shift);
            }
        }
        self.divs[d] = Div { num, den };
        true
    }

    /// Whether division `d` is in normal form.
    fn is_normal_div(&self, d: usize) -> bool {
        let Div { num, den } = &self.divs[d];
        let plain = 1 + self.n_vars;
        let in_range = |x: &Int| !x.is_zero() && x + x <= *den && -(x + x) < *den;
        let mut coefficients = num[1..].iter().filter(|x| !x.is_zero());
        !num[plain..plain + d].iter().any(Int::is_one)
            && !num[0].is_neg()
            && num[0] < *den
            && coefficients.clone().next().is_none_or(Int::is_pos)
            && coefficients.all(in_range)
            && (den.is_one() || content(&num[1..]).gcd(den).is_one())
    }

    /// Keeps the tightest of parallel inequalities, drops those that the facts about divisions imply, and finds
    /// opposite ones. `pivots` are the columns of the equalities' pivots.
    fn reduce_inequalities(&mut self, pivots: &[usize]) -> Pass {
        let n_own = self.ineqs.len();
        let mut rows = std::mem::take(&mut self.ineqs);
        for d in 0..self.divs.len() {
            for mut row in self.div_bounds(d) {
                for (eq, &col) in self.eqs.iter().zip(pivots) {
                    row::eliminate(&mut row, eq, col);
                }
                if !row::normalize_ineq(&mut row) {
                    return Pass::Empty;
                }
                if !row::is_zero(&row[1..]) {
                    rows.push(row);
                }
            }
        }
        let (keep, equalities) = match parallel_rows(&rows, n_own) {
            Some(found) => found,
            None => return Pass::Empty,
        };
        let mut equalities: Vec<Row> = equalities.into_iter().map(|i| rows[i].clone()).collect();
        rows.truncate(n_own);
        if !keep[..n_own].iter().all(|keep| *keep) {
            let mut keep = keep.into_iter();
            rows.retain(|_| keep.next() == Some(true));
        }
        self.ineqs = rows;
        if equalities.is_empty() {
            equalities.extend(self.variable_that_is_a_division());
        }
        if equalities.is_empty() {
            return Pass::Done;
        }
        self.eqs.extend(equalities);
        Pass::Changed
    }

    /// The equality of a variable with a division, if its bounds say that it is one of those that are there.
    fn variable_that_is_a_division(&self) -> Option<Row> {
        if self.divs.is_empty() {
            return None;
        }
        (0..self.n_vars).find_map(|var| {
            let (upper, _) = self.floor_bounds(var)?;
            let mut num = self.ineqs[upper].clone();
            let den = -std::mem::take(&mut num[1 + var]);
            let last = self.divs.len();
            let mut probe = Conj {
                divs: self.divs.clone(),
                ..Conj::universe(self.n_vars)
            };
            probe.rows_mut().for_each(|row| row.push(Int::ZERO));
            num.push(Int::ZERO);
            probe.divs.push(Div { num, den });
            let mut value = zeros(probe.n_cols());
            value[probe.div_col(last)] = Int::ONE;
            probe.eqs.push(value);
            probe.normalize_div(last);
            let same = (0..last).find(|&d| probe.divs[d] == probe.divs[last])?;
            let mut eq = probe.eqs.pop()?;
            let x = eq.pop()?;
            eq[self.div_col(same)] += x;
            eq[1 + var] -= Int::ONE;
            Some(eq)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, pairs_of_equals};

    #[test]
    fn equals_are_found_among_few_and_many() {
        for n in [0, 1, 5, FEW, FEW + 1, 3 * FEW] {
            let numbers: Vec<u64> = (0..n as u64).map(|k| k * k % 7).collect();
            let mut found: Vec<(usize, usize)> = pairs_of_equals(&numbers).to_vec();
            found.sort_unstable();
            let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let expected: Vec<(usize, usize)> = all.filter(|&(i, j)| numbers[i] == numbers[j]).collect();
            assert_eq!(found, expected);
        }
    }
}
