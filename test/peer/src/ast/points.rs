//! The integer points of conjunctions, one by one, on plain numbers.
//!
//! The bounds of each unknown in terms of those before it come from Fourier-Motzkin elimination over the rationals; they may
//! be too wide, and every point that is found is tested by the constraints themselves. Nothing here shares code with the
//! sets, but for reading their rows.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Conj;
use std::collections::{BTreeMap, BTreeSet};

/// Why points are not enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointsError {
    /// There are more than the limit, or finding them takes too long.
    #[error("too many points")]
    TooMany,
    /// There are infinitely many.
    #[error("infinitely many points")]
    Unbounded,
    /// A number does not fit.
    #[error("a number that does not fit")]
    TooLarge,
}

/// The points of a union of conjunctions of which the first variables have the values `fixed`: the values of the others,
/// sorted. At most `limit` candidates are looked at.
///
/// # Errors
///
/// Why they are not enumerated.
pub fn points(pieces: &[Conj], fixed: &[i64], limit: &mut u64) -> Result<BTreeSet<Vec<i64>>, PointsError> {
    let mut found = BTreeSet::new();
    for piece in pieces {
        let n_vars = piece.n_vars() - fixed.len();
        let system = System::new(piece, fixed)?;
        let mut search = Search {
            levels: system.levels(),
            system: &system,
            n_vars,
            limit,
            values: Vec::with_capacity(system.n),
            found: &mut found,
        };
        search.from(0)?;
    }
    Ok(found)
}

/// `[1 | unknowns]`.
type Row = Vec<i128>;

/// Constraints on variables, locals and divisions, in this order.
struct System {
    n: usize,
    /// The number of variables and locals.
    n_free: usize,
    /// Numerators and denominators of divisions.
    divs: Vec<(Row, i128)>,
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

impl System {
    fn new(conj: &Conj, fixed: &[i64]) -> Result<System, PointsError> {
        let n = conj.n_cols() - 1 - fixed.len();
        let row = |row: &[Int]| -> Result<Row, PointsError> {
            let number = |x: &Int| x.to_i64().map(i128::from).ok_or(PointsError::TooLarge);
            let numbers: Row = row.iter().map(number).collect::<Result<_, _>>()?;
            let mut out = vec![numbers[0]];
            for (value, factor) in fixed.iter().zip(&numbers[1..]) {
                out[0] += i128::from(*value) * factor;
            }
            out.extend(&numbers[1 + fixed.len()..]);
            // Numerators of divisions may end before the last columns.
            out.resize(1 + n, 0);
            Ok(out)
        };
        let mut divs = Vec::new();
        for div in conj.divs() {
            let den = div.den.to_i64().ok_or(PointsError::TooLarge)?;
            divs.push((row(&div.num)?, i128::from(den)));
        }
        Ok(System {
            n,
            n_free: n - divs.len(),
            divs,
            eqs: conj.eqs().iter().map(|r| row(r)).collect::<Result<_, _>>()?,
            ineqs: conj.ineqs().iter().map(|r| row(r)).collect::<Result<_, _>>()?,
        })
    }

    /// The bounds of every unknown.
    fn levels(&self) -> Vec<Level> {
        let mut levels: Vec<Level> = (0..self.n).map(|k| Level::strided(k, &self.eqs)).collect();
        let mut eqs = self.eqs.clone();
        let mut ineqs: Vec<(Row, u128)> = Vec::new();
        let all = self
            .ineqs
            .iter()
            .cloned()
            .chain(self.divs.iter().enumerate().flat_map(|(k, (num, den))| {
                // 0 <= num - den q <= den - 1
                let mut low = num.clone();
                low[1 + self.n_free + k] -= den;
                let mut high: Row = low.iter().map(|x| -x).collect();
                high[0] += den - 1;
                [low, high]
            }));
        for (k, row) in all.enumerate() {
            ineqs.push((row, 1u128.checked_shl(k as u32).unwrap_or(0)));
        }
        let mut n_combined = 0;
        for (k, level) in levels.iter_mut().enumerate().rev() {
            let col = 1 + k;
            level.eqs = eqs.iter().filter(|row| row[col] != 0).cloned().collect();
            let own = ineqs.iter().filter(|(row, _)| row[col] != 0);
            level.ineqs = own.map(|(row, _)| row.clone()).collect();
            let pivot = level.eqs.iter().min_by_key(|row| row[col].abs()).cloned();
            if let Some(pivot) = pivot {
                let sign = pivot[col].signum();
                let substituted = |row: &Row| match row[col] {
                    0 => Some(row.clone()),
                    factor => combined(row, pivot[col].abs(), &pivot, -factor * sign),
                };
                let reduced = eqs.iter().filter_map(substituted).map(|row| {
                    let divisor = row.iter().fold(0, |g, x| gcd(g, *x)).max(1);
                    row.into_iter().map(|x| x / divisor).collect::<Row>()
                });
                eqs = reduced.filter(|row| row.iter().any(|x| *x != 0)).collect();
                ineqs = ineqs
                    .iter()
                    .filter_map(|(row, own)| Some((tight(substituted(row)?), *own)))
                    .collect();
            } else {
                n_combined += 1;
                let (involved, mut kept): (Vec<_>, Vec<_>) = ineqs.into_iter().partition(|(row, _)| row[col] != 0);
                let (lower, upper): (Vec<_>, Vec<_>) = involved.into_iter().partition(|(row, _)| row[col] > 0);
                // Where there are many, what comes from more constraints than this is left out: it is implied by others
                // (Chernikov), or nearly so, as parallel ones have been merged.
                let limit = if lower.len() * upper.len() > 100 {
                    n_combined + 1
                } else {
                    128
                };
                for (low, from) in &lower {
                    for (high, to) in &upper {
                        if (from | to).count_ones() <= limit
                            && let Some(row) = combined(low, -high[col], high, low[col])
                        {
                            kept.push((tight(row), from | to));
                        }
                    }
                }
                ineqs = kept;
            }
            ineqs = strongest(ineqs);
        }
        levels
    }

    /// Whether the values, which are those of variables and locals, satisfy all constraints.
    fn holds(&self, values: &[i128]) -> bool {
        let mut all = values.to_vec();
        for (num, den) in &self.divs {
            all.push(value(num, &all).div_euclid(*den));
        }
        self.eqs.iter().all(|row| value(row, &all) == 0) && self.ineqs.iter().all(|row| value(row, &all) >= 0)
    }
}

/// The value of a row in which only the first unknowns occur.
fn value(row: &[i128], values: &[i128]) -> i128 {
    row[0] + row[1..].iter().zip(values).map(|(a, b)| a * b).sum::<i128>()
}

/// `a x + b y`, none where a number does not fit: a bound that is not used.
fn combined(x: &Row, a: i128, y: &Row, b: i128) -> Option<Row> {
    let entry = |(x, y): (&i128, &i128)| {
        let sum = x.checked_mul(a)?.checked_add(y.checked_mul(b)?)?;
        (sum.unsigned_abs() < 1 << 100).then_some(sum)
    };
    x.iter().zip(y).map(entry).collect()
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The inequality with coefficients that have no common divisor, and the constant that integers leave.
fn tight(mut row: Row) -> Row {
    let divisor = row[1..].iter().fold(0, |g, x| gcd(g, *x));
    if divisor > 1 {
        row[0] = row[0].div_euclid(divisor);
        row[1..].iter_mut().for_each(|x| *x /= divisor);
    }
    row
}

/// Of parallel inequalities only the strongest, without those that say nothing.
fn strongest(ineqs: Vec<(Row, u128)>) -> Vec<(Row, u128)> {
    let mut best: BTreeMap<Row, (i128, u128)> = BTreeMap::new();
    for (row, from) in ineqs {
        let constant = row[0];
        if constant >= 0 && row[1..].iter().all(|x| *x == 0) {
            continue;
        }
        let entry = best.entry(row[1..].to_vec()).or_insert((constant, from));
        let fewer = if from.count_ones() < entry.1.count_ones() {
            from
        } else {
            entry.1
        };
        *entry = (constant.min(entry.0), fewer);
    }
    let row = |(coefficients, (constant, from)): (Row, (i128, u128))| ([vec![constant], coefficients].concat(), from);
    best.into_iter().map(row).collect()
}

/// What is known of an unknown from those before it.
#[derive(Default)]
struct Level {
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
    /// Rows whose value, with this unknown, is divisible by a number.
    divisible: Vec<(Row, i128)>,
}

impl Level {
    /// Where equalities have multiples of a number after the unknown.
    fn strided(k: usize, eqs: &[Row]) -> Level {
        let stride = |row: &Row| {
            let later = row[2 + k..].iter().fold(0, |g, x| gcd(g, *x));
            (row[1 + k] != 0 && later > 1).then(|| (row[..2 + k].to_vec(), later))
        };
        Level {
            divisible: eqs.iter().filter_map(stride).collect(),
            ..Level::default()
        }
    }

    /// The least and the largest value and the step between them; none if there is none.
    fn range(&self, values: &[i128]) -> Result<Option<(i128, i128, i128)>, PointsError> {
        let k = values.len();
        let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
        let bound_below = |bound: i128, low: &mut Option<i128>| *low = Some(low.map_or(bound, |l| l.max(bound)));
        let bound_above = |bound: i128, high: &mut Option<i128>| *high = Some(high.map_or(bound, |h| h.min(bound)));
        for row in &self.eqs {
            let (rest, factor) = (-value(row, values), row[1 + k]);
            if rest % factor != 0 {
                return Ok(None);
            }
            bound_below(rest / factor, &mut low);
            bound_above(rest / factor, &mut high);
        }
        for row in &self.ineqs {
            // factor x >= rest
            let (rest, factor) = (-value(row, values), row[1 + k]);
            match factor > 0 {
                true => bound_below(-(-rest).div_euclid(factor), &mut low),
                false => bound_above((-rest).div_euclid(-factor), &mut high),
            }
        }
        let (Some(mut low), Some(high)) = (low, high) else {
            return Err(PointsError::Unbounded);
        };
        let mut step = 1;
        for (row, modulus) in &self.divisible {
            let (rest, factor) = (-value(row, values), row[1 + k]);
            let common = gcd(factor, *modulus);
            if rest % common != 0 {
                return Ok(None);
            }
            let modulus = modulus / common;
            if modulus > step {
                let residue = (rest / common) * inverse(factor / common, modulus);
                low += (residue - low).rem_euclid(modulus);
                step = modulus;
            }
        }
        Ok((low <= high).then_some((low, high, step)))
    }
}

/// `x` with `a x = 1` modulo `modulus`, for an `a` that has no divisor in common with it.
fn inverse(a: i128, modulus: i128) -> i128 {
    let (mut r, mut next_r) = (modulus, a.rem_euclid(modulus));
    let (mut t, mut next_t) = (0, 1);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    t.rem_euclid(modulus)
}

struct Search<'a> {
    levels: Vec<Level>,
    system: &'a System,
    n_vars: usize,
    limit: &'a mut u64,
    values: Vec<i128>,
    found: &'a mut BTreeSet<Vec<i64>>,
}

impl Search<'_> {
    /// Goes through the values of unknown `k` and later ones. True if there is a point.
    fn from(&mut self, k: usize) -> Result<bool, PointsError> {
        if k == self.system.n_free {
            *self.limit = self.limit.checked_sub(1).ok_or(PointsError::TooMany)?;
            let holds = self.system.holds(&self.values);
            if holds {
                let point = self.values[..self.n_vars].iter().map(|v| i64::try_from(*v));
                let point = point.collect::<Result<_, _>>().map_err(|_| PointsError::TooLarge)?;
                self.found.insert(point);
            }
            return Ok(holds);
        }
        let Some((low, high, step)) = self.levels[k].range(&self.values)? else {
            return Ok(false);
        };
        let mut any = false;
        let mut value = low;
        while value <= high {
            *self.limit = self.limit.checked_sub(1).ok_or(PointsError::TooMany)?;
            self.values.push(value);
            any |= self.from(k + 1)?;
            self.values.pop();
            if any && k >= self.n_vars {
                // One value of the locals is enough.
                break;
            }
            value += step;
        }
        Ok(any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farkas_polyhedral::sets::Set;

    fn check(text: &str, fixed: &[i64], expected: &[&[i64]]) {
        let set: Set = text.parse().unwrap();
        let found = points(set.pieces(), fixed, &mut 10_000).unwrap();
        assert_eq!(found.iter().map(|p| &p[..]).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn points_of_sets() {
        check("[n] -> { [i, j] : 0 <= i < n and 2j = i }", &[3], &[&[0, 0], &[2, 1]]);
        check(
            "[n] -> { [i] : 0 <= i < n or i = 7 or i = 1 }",
            &[2],
            &[&[0], &[1], &[7]],
        );
        check(
            "{ [i] : exists a : i = 100000000 a and 0 <= a <= 2 }",
            &[],
            &[&[0], &[100000000], &[200000000]],
        );
        check(
            "{ [i] : exists (a, b : 2i = 3a + 5b and 0 <= a, b and i <= 6) }",
            &[],
            &[&[0], &[3], &[4], &[5], &[6]],
        );
        check("{ [i] : i mod 3 = 1 and -4 <= i <= 4 }", &[], &[&[-2], &[1], &[4]]);
        check(
            "{ [i, j] : 0 <= i <= 1 and 3j <= i + 4 and 2j >= i + 1 }",
            &[],
            &[&[0, 1], &[1, 1]],
        );
        check("{ [] }", &[], &[&[]]);
    }

    #[test]
    fn what_is_not_enumerated() {
        let error = |text: &str| points(text.parse::<Set>().unwrap().pieces(), &[], &mut 100).unwrap_err();
        assert_eq!(error("{ [i] : i >= 0 }"), PointsError::Unbounded);
        assert_eq!(error("{ [i] : 0 <= i < 1000 }"), PointsError::TooMany);
    }
}
