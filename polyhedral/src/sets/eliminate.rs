//! Exact integer projection.
//!
//! To project out variables, they and every division that depends on them become *unknowns*: existentially quantified
//! integers, a division with its two bounds as constraints. Unknowns are then eliminated until none is left:
//!
//! 1. An equality with unknowns is brought, by unimodular changes of unknowns (Euclid's algorithm), to contain a
//!    single one: `g u = e`. Then `u = floor(e / g)`, a new explicit division, and `g floor(e / g) = e` remains.
//! 2. An unknown without lower or without upper bounds goes away with all its constraints.
//! 3. A lower bound `-l <= a u` and an upper bound `b u <= k` with `a = 1` or `b = 1` leave an integer between them
//!    exactly if `-b l <= a k`. If this is so for all pairs, Fourier-Motzkin elimination is exact.
//! 4. If `e - a + 1 <= a u <= e`, or less, then `u = floor(e / a)`, if there is no other unknown in `e`.
//! 5. If `u` has a value then the largest of its lower bounds, rounded up, is one. If there is a single lower (upper)
//!    bound, without other unknowns, then `u = -floor(l / a)`, a new division.
//! 6. Otherwise all unknowns that are left go to parametric integer programming, which says for which values of the other
//!    variables they exist ([`lexmin::project`]). Mostly that gives few conjunctions, but its cuts may go on for long.
//! 7. Where they do, the Omega test (Pugh, "A practical algorithm for exact array dependence analysis", 1992): the *dark
//!    shadow*, where the bounds are so far apart that there is an integer between them, united with *splinters*, in
//!    each of which `a u` is a fixed small distance from a lower bound: an equality, which step 1 eliminates.
//!
//! Every step has one unknown less than the one before, so this ends.

use super::conj::Conj;
use super::lexmin;
use super::row;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;

/// The work units after which a projection by parametric integer programming is given up for the Omega test.
const PARAMETRIC_TRIAL: u64 = 100_000;

/// The number of additional rows that a projection which leaves locals puts up with to eliminate one of them.
const MAX_GROWTH: i64 = 2;

impl Conj {
    /// The exact integer projection onto the other variables: variables `first .. first + count` are removed, and so are
    /// the locals, as far as steps 1 to 3 get. What is left of them are locals of the result.
    pub fn project(&self, first: usize, count: usize, b: &Budget) -> Outcome<Conj> {
        let n_kept = self.n_vars() - count;
        let (mut conj, mut unknowns) = self.with_unknowns_first(first, count);
        loop {
            match simple_step(conj, unknowns, MAX_GROWTH, b)? {
                Simple::Empty => return Ok(Conj::empty(n_kept)),
                Simple::Done(done) => return Ok(done),
                Simple::Smaller(smaller, left) => (conj, unknowns) = (smaller, left),
                Simple::Stuck(stuck, left) => {
                    return Ok(with_locals_last(&stuck, left));
                }
            }
        }
    }

    /// The same conjunction with a division for each local that bounds leave no choice (step 4), as long as these bounds do not
    /// depend on variable `avoided`. The other locals stay.
    pub(crate) fn define_locals(&self, avoided: usize, b: &Budget) -> Outcome<Conj> {
        let n = self.n_vars();
        if self.n_locals() == 0 {
            return Ok(self.clone());
        }
        let (mut conj, mut unknowns) = self.with_unknowns_first(n, 0);
        loop {
            b.spend((unknowns * conj.ineqs.len() + 1) as u64)?;
            let dependent = conj.dependent_divs(|var| var == unknowns + avoided);
            let first_div = conj.n_cols() - conj.n_divs();
            let is_free = |row: &Row, unknown: usize| {
                row.iter().enumerate().all(|(col, x)| {
                    x.is_zero()
                        || match col {
                            0 => true,
                            col if col <= unknowns => col == 1 + unknown,
                            col if col < first_div => col != 1 + unknowns + avoided,
                            col => !dependent[col - first_div],
                        }
                })
            };
            let defined = (0..unknowns).find_map(|unknown| {
                let (bound, _) = conj
                    .all_floor_bounds(unknown)
                    .find(|(bound, _)| is_free(&conj.ineqs[*bound], unknown))?;
                Some((unknown, bound))
            });
            let Some((unknown, bound)) = defined else { break };
            conj = substitute_bound(&conj, unknown, bound);
            unknowns -= 1;
        }
        Ok(with_locals_last(&conj, unknowns))
    }

    /// The exact integer projection onto the other variables: variables `first .. first + count` are removed, and so are
    /// the locals. The result is a union. Its conjunctions are simplified; they may overlap.
    pub fn eliminate(&self, first: usize, count: usize, b: &Budget) -> Outcome<Vec<Conj>> {
        let (conj, unknowns) = self.with_unknowns_first(first, count);
        let mut todo = vec![(conj, unknowns)];
        let mut done: Vec<Conj> = Vec::new();
        let mut split = false;
        while let Some((conj, unknowns)) = todo.pop() {
            match step(conj, unknowns, b)? {
                Step::Empty => {}
                Step::Done(conj) => {
                    if !(split && (done.contains(&conj) || conj.is_empty(b)?)) {
                        done.push(conj);
                    }
                }
                Step::Cases(cases) => {
                    split |= cases.len() > 1;
                    todo.extend(cases.into_iter().rev());
                }
            }
        }
        Ok(done)
    }

    /// A superset of the projection, by rational Fourier-Motzkin elimination: variables `first .. first + count` are
    /// removed, and so are the locals and the divisions that depend on any of them.
    pub fn eliminate_rational(&self, first: usize, count: usize, b: &Budget) -> Outcome<Conj> {
        let n_vars = self.n_vars() - count;
        let (mut conj, mut unknowns) = self.with_unknowns_first(first, count);
        while unknowns > 0 {
            b.spend(conj.ineqs.len() as u64 + 1)?;
            if let Some(i) = conj.eqs.iter().position(|e| !row::is_zero(&e[1..1 + unknowns])) {
                let pivot = conj.eqs.swap_remove(i);
                let col = (1..1 + unknowns)
                    .find(|&c| !pivot[c].is_zero())
                    .expect("the equality has an unknown");
                for row in conj.eqs.iter_mut().chain(&mut conj.ineqs) {
                    row::eliminate(row, &pivot, col);
                }
                conj.drop_unused_vars(col - 1, 1);
            } else {
                let u = (0..unknowns)
                    .min_by_key(|&u| Bounds::of(&conj, u).growth())
                    .expect("there is an unknown");
                conj = fourier_motzkin(conj, u);
            }
            unknowns -= 1;
            if !conj.simplify_keeping(unknowns) {
                return Ok(Conj::empty(n_vars));
            }
            conj = conj.remove_redundancies_keeping(unknowns, b)?;
        }
        Ok(conj)
    }

    /// An upper bound `a x <= e` of variable `var` and a lower bound `a x >= e - a + 1`, or a larger one: `x` can only be
    /// `floor(e / a)`. The indices of the two inequalities.
    pub(crate) fn floor_bounds(&self, var: usize) -> Option<(usize, usize)> {
        self.all_floor_bounds(var).next()
    }

    /// All pairs of [floor bounds](Conj::floor_bounds).
    fn all_floor_bounds(&self, var: usize) -> impl Iterator<Item = (usize, usize)> {
        let col = 1 + var;
        let opposite = move |i: usize, j: usize| {
            let (x, y) = (&self.ineqs[i], &self.ineqs[j]);
            let room = &x[0] + &y[0];
            room < -&x[col] && x[1..].iter().zip(&y[1..]).all(|(a, b)| (a + b).is_zero())
        };
        let uppers = (0..self.ineqs.len()).filter(move |&i| self.ineqs[i][col].is_neg());
        uppers.filter_map(move |i| {
            (0..self.ineqs.len())
                .find(|&j| self.ineqs[j][col].is_pos() && opposite(i, j))
                .map(|j| (i, j))
        })
    }

    /// The same constraints with variables `first .. first + count`, the locals, and the divisions that depend on these,
    /// turned into variables in front of all others. Returns how many these are. They occur in no numerator.
    fn with_unknowns_first(&self, first: usize, count: usize) -> (Conj, usize) {
        let visible = self.n_vars();
        let dependent = self.dependent_divs(|v| (first..first + count).contains(&v) || v >= visible);
        let n_new = dependent.iter().filter(|d| **d).count();
        let unknowns = count + self.n_locals + n_new;
        let n_vars = self.n_vars + n_new;
        let n_kept_divs = self.divs.len() - n_new;
        let mut cols = vec![0];
        cols.extend((0..self.n_vars).map(|v| match v {
            v if v < first => 1 + unknowns + v,
            v if v < first + count => 1 + v - first,
            v if v < visible => 1 + unknowns + v - count,
            local => 1 + count + local - visible,
        }));
        let (mut next_unknown, mut next_div) = (1 + count + self.n_locals, 1 + n_vars);
        for &dep in &dependent {
            let next = if dep { &mut next_unknown } else { &mut next_div };
            cols.push(*next);
            *next += 1;
        }
        let map = |row: &Row| row::spread(row, &cols, 1 + n_vars + n_kept_divs);
        let mut out = Conj::universe(n_vars);
        out.changed();
        out.divs = self
            .divs
            .iter()
            .zip(&dependent)
            .filter(|(_, dep)| !**dep)
            .map(|(d, _)| super::Div {
                num: map(&d.num),
                den: d.den.clone(),
            })
            .collect();
        out.eqs = self.eqs.iter().map(map).collect();
        out.ineqs = self.ineqs.iter().map(map).collect();
        for (d, _) in dependent.iter().enumerate().filter(|(_, dep)| **dep) {
            out.ineqs.extend(self.div_bounds(d).iter().map(map));
        }
        (out, unknowns)
    }
}

/// The conjunction with its first `unknowns` variables as locals.
fn with_locals_last(conj: &Conj, unknowns: usize) -> Conj {
    let n_kept = conj.n_vars - unknowns;
    let mut out = conj.remap(conj.n_vars, |v| if v < unknowns { n_kept + v } else { v - unknowns });
    out.n_locals = unknowns;
    out.simplify();
    out
}

/// The result of one of the steps 1 to 3.
enum Simple {
    /// There is no point.
    Empty,
    /// There are no unknowns any more.
    Done(Conj),
    /// There are fewer of them now.
    Smaller(Conj, usize),
    /// These steps lead no further.
    Stuck(Conj, usize),
}

/// Eliminates at least one of the first `unknowns` variables of `conj` by an equality or by an exact Fourier-Motzkin
/// elimination that leaves no more than `max_growth` additional rows.
fn simple_step(mut conj: Conj, mut unknowns: usize, max_growth: i64, b: &Budget) -> Outcome<Simple> {
    loop {
        b.spend((conj.eqs.len() + conj.ineqs.len() + 1) as u64)?;
        if !solve_equalities(&mut conj, &mut unknowns) || !conj.simplify_keeping(unknowns) {
            return Ok(Simple::Empty);
        }
        if conj.eqs.iter().all(|e| row::is_zero(&e[1..1 + unknowns])) {
            break;
        }
    }
    if unknowns == 0 {
        return Ok(Simple::Done(conj));
    }
    let bounds: Vec<Bounds> = (0..unknowns).map(|u| Bounds::of(&conj, u)).collect();
    let exact = (0..unknowns)
        .filter(|&u| bounds[u].exact)
        .min_by_key(|&u| bounds[u].growth());
    let Some(u) = exact.filter(|&u| bounds[u].growth() <= max_growth) else {
        return Ok(match only_bound(&conj, &bounds) {
            Some((u, bound)) => Simple::Smaller(substitute_bound(&conj, u, bound), unknowns - 1),
            None => Simple::Stuck(conj, unknowns),
        });
    };
    let growth = bounds[u].growth();
    let mut conj = fourier_motzkin(conj, u);
    if !conj.simplify_keeping(unknowns - 1) {
        return Ok(Simple::Empty);
    }
    if growth > 0 {
        conj = conj.remove_redundancies_keeping(unknowns - 1, b)?;
    }
    Ok(Simple::Smaller(conj, unknowns - 1))
}

/// The result of one step of elimination.
enum Step {
    /// There is no point.
    Empty,
    /// There are no unknowns any more.
    Done(Conj),
    /// The union of these, each with its number of unknowns.
    Cases(Vec<(Conj, usize)>),
}

/// Eliminates at least one of the first `unknowns` variables of `conj`, or finds that there are none.
fn step(conj: Conj, unknowns: usize, b: &Budget) -> Outcome<Step> {
    let (conj, unknowns) = match simple_step(conj, unknowns, i64::MAX, b)? {
        Simple::Empty => return Ok(Step::Empty),
        Simple::Done(conj) => return Ok(Step::Done(conj)),
        Simple::Smaller(conj, unknowns) => return Ok(Step::Cases(vec![(conj, unknowns)])),
        Simple::Stuck(conj, unknowns) => (conj, unknowns),
    };
    // Splitting is costly: find out first what is really needed.
    let mut conj = conj
        .detect_equalities_keeping(unknowns, b)?
        .remove_redundancies_keeping(unknowns, b)?;
    if conj.is_plainly_empty() {
        return Ok(Step::Empty);
    }
    if conj.eqs.iter().any(|e| !row::is_zero(&e[1..1 + unknowns])) {
        return Ok(Step::Cases(vec![(conj, unknowns)]));
    }
    let bounds: Vec<Bounds> = (0..unknowns).map(|u| Bounds::of(&conj, u)).collect();
    if let Some(u) = (0..unknowns).find(|&u| bounds[u].exact) {
        conj = fourier_motzkin(conj, u);
        return Ok(Step::Cases(vec![(conj, unknowns - 1)]));
    }
    // An unknown without a choice is a division.
    for u in 0..unknowns {
        if let Some((i, _)) = conj.floor_bounds(u)
            && conj.ineqs[i][1..1 + unknowns]
                .iter()
                .enumerate()
                .all(|(k, x)| k == u || x.is_zero())
        {
            return Ok(Step::Cases(vec![(substitute_bound(&conj, u, i), unknowns - 1)]));
        }
    }
    if let Some((u, bound)) = only_bound(&conj, &bounds) {
        return Ok(Step::Cases(vec![(substitute_bound(&conj, u, bound), unknowns - 1)]));
    }
    if let Ok(cases) = b.trial(PARAMETRIC_TRIAL, |b| lexmin::project(&conj, unknowns, b))? {
        return Ok(Step::Cases(cases.into_iter().map(|conj| (conj, 0)).collect()));
    }
    let u = (0..unknowns)
        .min_by_key(|&u| bounds[u].n_splinters(&conj, u))
        .expect("there is an unknown");
    let cases = omega(&conj, u, &bounds[u], b)?;
    Ok(Step::Cases(
        cases.into_iter().map(|(conj, used)| (conj, unknowns - used)).collect(),
    ))
}

/// An unknown that has a single lower or a single upper bound, without other unknowns in it, and that bound. The unknown
/// may be taken to be as low or as high as it says.
fn only_bound(conj: &Conj, bounds: &[Bounds]) -> Option<(usize, usize)> {
    let unknowns = bounds.len();
    let is_free = |u: usize, i: usize| (0..unknowns).all(|k| k == u || conj.ineqs[i][1 + k].is_zero());
    bounds.iter().enumerate().find_map(|(u, bounds)| {
        [&bounds.lower, &bounds.upper]
            .into_iter()
            .find_map(|side| match side[..] {
                [i] if is_free(u, i) => Some((u, i)),
                _ => None,
            })
    })
}

/// Eliminates unknowns by equalities, until none of those has an unknown. False if there is no solution.
fn solve_equalities(conj: &mut Conj, unknowns: &mut usize) -> bool {
    // The columns of unknowns that are eliminated go together: one after the other, all rows would move each time.
    let mut eliminated = vec![false; 1 + *unknowns];
    if !eliminate_by_equalities(conj, *unknowns, &mut eliminated) {
        return false;
    }
    if eliminated.contains(&true) {
        let is_kept = |col: &usize| eliminated.get(*col) != Some(&true);
        let kept: Vec<usize> = (0..conj.n_cols()).filter(is_kept).collect();
        *unknowns -= conj.n_cols() - kept.len();
        conj.keep_columns(&kept);
    }
    true
}

/// The same, but the columns of what is eliminated stay. Notes which these are.
fn eliminate_by_equalities(conj: &mut Conj, unknowns: usize, eliminated: &mut [bool]) -> bool {
    loop {
        if !conj.eqs.iter_mut().all(|r| row::normalize_eq(r)) {
            return false;
        }
        let n_unknown = |e: &Row| e[1..1 + unknowns].iter().filter(|x| !x.is_zero()).count();
        let unit = conj
            .eqs
            .iter()
            .enumerate()
            .filter_map(|(i, e)| {
                let col = (1..1 + unknowns).find(|&c| e[c].is_unit())?;
                Some((e.iter().filter(|x| !x.is_zero()).count(), i, col))
            })
            .min();
        if let Some((_, i, col)) = unit {
            let pivot = conj.eqs.swap_remove(i);
            for row in conj.eqs.iter_mut().chain(&mut conj.ineqs) {
                row::eliminate(row, &pivot, col);
            }
            eliminated[col] = true;
            continue;
        }
        let Some(i) = (0..conj.eqs.len())
            .filter(|&i| n_unknown(&conj.eqs[i]) > 0)
            .min_by_key(|&i| n_unknown(&conj.eqs[i]))
        else {
            return true;
        };
        if n_unknown(&conj.eqs[i]) > 1 {
            euclid_step(conj, i, unknowns);
            continue;
        }
        // g u + e = 0: u = floor(-e / g).
        let mut eq = conj.eqs.swap_remove(i);
        let col = (1..1 + unknowns)
            .find(|&c| !eq[c].is_zero())
            .expect("the equality has an unknown");
        if eq[col].is_pos() {
            eq = row::negated(&eq);
        }
        let g = -std::mem::take(&mut eq[col]);
        let div = conj.add_div(eq.clone(), g.clone());
        let div = conj.div_col(div);
        eq.resize(conj.n_cols(), Int::ZERO);
        eq[div] -= &g;
        conj.eqs.push(eq);
        for row in conj.eqs.iter_mut().chain(&mut conj.ineqs) {
            let x = std::mem::take(&mut row[col]);
            row[div] += x;
        }
        eliminated[col] = true;
    }
}

/// Makes the coefficients of the unknowns in an equality smaller by a unimodular change of unknowns.
fn euclid_step(conj: &mut Conj, eq: usize, unknowns: usize) {
    let coefs: Vec<Int> = conj.eqs[eq][1..1 + unknowns].to_vec();
    let small = (0..unknowns)
        .filter(|&u| !coefs[u].is_zero())
        .min_by_key(|&u| coefs[u].abs())
        .expect("the equality has unknowns");
    for other in (0..unknowns).filter(|&u| u != small && !coefs[u].is_zero()) {
        // With u_small = u'_small - t u_other the coefficient of u_other becomes its remainder.
        let t = coefs[other].div_floor(&coefs[small]);
        for row in conj.eqs.iter_mut().chain(&mut conj.ineqs) {
            if !row[1 + small].is_zero() {
                let x = &row[1 + small] * &t;
                row[1 + other] -= x;
            }
        }
    }
}

/// The inequalities that bound an unknown which is in no equality.
struct Bounds {
    /// Those with a positive coefficient.
    lower: Vec<usize>,
    /// Those with a negative coefficient.
    upper: Vec<usize>,
    /// Whether Fourier-Motzkin elimination is exact.
    exact: bool,
}

impl Bounds {
    /// More than the number of splinters that the cheaper side has: the sum of its coefficients.
    fn n_splinters(&self, conj: &Conj, var: usize) -> Int {
        let sum = |side: &[usize]| side.iter().fold(Int::ZERO, |n, &i| n + conj.ineqs[i][1 + var].abs());
        sum(&self.lower).min(sum(&self.upper))
    }

    fn of(conj: &Conj, var: usize) -> Bounds {
        let col = 1 + var;
        let side = |sign: i32| -> Vec<usize> {
            (0..conj.ineqs.len())
                .filter(|&i| conj.ineqs[i][col].sign() == sign)
                .collect()
        };
        let (lower, upper) = (side(1), side(-1));
        let unit = |rows: &[usize]| rows.iter().all(|&i| conj.ineqs[i][col].abs().is_one());
        // One side all ±1 is what every pair having a ±1 comes down to.
        let exact = unit(&lower) || unit(&upper);
        Bounds { lower, upper, exact }
    }

    /// How many more rows Fourier-Motzkin elimination leaves.
    fn growth(&self) -> i64 {
        let (l, u) = (self.lower.len() as i64, self.upper.len() as i64);
        l * u - l - u
    }
}

/// The combination of a lower bound and an upper bound of column `col` that is free of it.
fn combination(lower: &Row, upper: &Row, col: usize) -> Row {
    let (a, c) = (&lower[col], -&upper[col]);
    let g = a.gcd(&c);
    let mut row = lower.clone();
    row::scale(&mut row, &c.div_exact(&g));
    row::add_scaled(&mut row, &a.div_exact(&g), upper);
    row
}

/// A combination of two bounds as [`combination`] that leaves room for an integer between them: with the coefficients `a`
/// and `b`, room of `(a - 1)(b - 1)` does.
fn dark_combination(lower: &Row, upper: &Row, col: usize) -> Row {
    let (a, c) = (&lower[col], -&upper[col]);
    let mut row = lower.clone();
    row::scale(&mut row, &c);
    row::add_scaled(&mut row, a, upper);
    row[0] -= &(a - &Int::ONE) * &(&c - &Int::ONE);
    row
}

/// Fourier-Motzkin elimination of variable `var`, which is in no equality and no numerator.
fn fourier_motzkin(conj: Conj, var: usize) -> Conj {
    with_combinations(conj, var, combination)
}

/// The values of the other variables for which the bounds of `var` are far enough apart to have an integer between them.
fn dark_shadow(conj: Conj, var: usize) -> Conj {
    with_combinations(conj, var, dark_combination)
}

fn with_combinations(mut conj: Conj, var: usize, combine: fn(&Row, &Row, usize) -> Row) -> Conj {
    let Bounds { lower, upper, .. } = Bounds::of(&conj, var);
    conj.changed();
    let col = 1 + var;
    let mut combined = Vec::with_capacity(lower.len() * upper.len());
    for &l in &lower {
        for &u in &upper {
            combined.push(combine(&conj.ineqs[l], &conj.ineqs[u], col));
        }
    }
    conj.ineqs.retain(|r| r[col].is_zero());
    conj.ineqs.extend(combined);
    conj.drop_unused_vars(var, 1);
    conj
}

/// Unknown `u` made equal to the bound `ineqs[bound]`, rounded.
fn substitute_bound(conj: &Conj, u: usize, bound: usize) -> Conj {
    let col = 1 + u;
    let mut conj = conj.clone();
    conj.changed();
    // a u + l >= 0 with a > 0: u = -floor(l / a). -a u + l >= 0: u = floor(l / a).
    let mut num = conj.ineqs[bound].clone();
    let a = std::mem::take(&mut num[col]);
    let div = conj.add_div(num, a.abs());
    let div = conj.div_col(div);
    for row in &mut conj.ineqs {
        let x = std::mem::take(&mut row[col]);
        if a.is_pos() {
            row[div] -= x;
        } else {
            row[div] += x;
        }
    }
    conj.drop_unused_vars(u, 1);
    conj
}

/// The dark shadow of unknown `u` and its splinters, each with the number of unknowns that are gone already.
///
/// A pair of bounds that leaves enough room wherever there are rational solutions needs no splinters.
fn omega(conj: &Conj, u: usize, bounds: &Bounds, b: &Budget) -> Outcome<Vec<(Conj, usize)>> {
    let col = 1 + u;
    let (mut shadow, _) = fourier_motzkin(conj.clone(), u).simplex(b)?;
    let mut lower_reach = vec![None; bounds.lower.len()];
    let mut upper_reach = vec![None; bounds.upper.len()];
    for (i, &l) in bounds.lower.iter().enumerate() {
        for (j, &k) in bounds.upper.iter().enumerate() {
            let (x, y) = (conj.ineqs[l][col].abs(), conj.ineqs[k][col].abs());
            if x.is_one() || y.is_one() {
                continue;
            }
            let mut room = dark_combination(&conj.ineqs[l], &conj.ineqs[k], col);
            room.remove(col);
            if !shadow.implies(&room, b)? {
                // Without that room, x u is at most (x y - x - y) / y above its lower bound.
                let excess = &(&x * &y) - &x - &y;
                lower_reach[i] = lower_reach[i].clone().max(Some(excess.div_floor(&y)));
                upper_reach[j] = upper_reach[j].clone().max(Some(excess.div_floor(&x)));
            }
        }
    }
    let count = |reach: &[Option<Int>]| reach.iter().flatten().fold(Int::ZERO, |n, r| n + r + Int::ONE);
    let splinters = if count(&lower_reach) <= count(&upper_reach) {
        bounds.lower.iter().zip(lower_reach)
    } else {
        bounds.upper.iter().zip(upper_reach)
    };
    let mut cases = vec![(dark_shadow(conj.clone(), u), 1)];
    for (&i, reach) in splinters {
        let Some(reach) = reach else { continue };
        let mut distance = Int::ZERO;
        while distance <= reach {
            b.spend((conj.n_cols() * (conj.ineqs.len() + conj.eqs.len() + 1)) as u64)?;
            let mut eq = conj.ineqs[i].clone();
            eq[0] -= &distance;
            let mut splinter = conj.clone();
            splinter.add_eq(eq);
            cases.push((splinter, 0));
            distance += Int::ONE;
        }
    }
    Ok(cases)
}
