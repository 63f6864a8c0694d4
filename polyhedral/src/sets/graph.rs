//! Functions from their graphs.
//!
//! A conjunction over `[x | y]` of which every value of `x` has at most one `y` is the graph of a function. With `y`, the
//! divisions that depend on it and variables that are quantified existentially as *unknowns*, its constraints mostly say
//! which one:
//!
//! 1. An equality with an unknown of coefficient 1 or -1 is solved for it. Others are brought to this form by unimodular
//!    changes of unknowns (Euclid's algorithm), or to have a single unknown, `g u = e`; then `u = floor(e / g)`.
//! 2. `e - a + 1 <= a u <= e` says that `u = floor(e / a)`.
//!
//! Nothing has to be solved for this. Where it leaves a `y` open, it is found out whether there is only one. If so, all other
//! unknowns are projected out. With a common multiple `m` of all denominators and `y = m t + r`, one case for each remainder
//! `r`, no division depends on `t`; which is then its largest lower bound, rounded up.
//!
//! In `{ [n] -> [y] : n <= y <= n + 1 and y mod 2 = 0 }` the unknowns are `y` and `q = floor(y / 2)`; from `y = 2 q` and
//! `n <= 2 q <= n + 1` follows `q = floor((n + 1) / 2)`.

use super::cases::Cases;
use super::row;
use super::{Aff, Conj, Div, Expr, Map, MapSpace, MultiAff, Set, Tuple};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, unit, zeros};

/// The function of which `map` is the graph; none if some element has two images.
pub(super) fn function(map: &Map, b: &Budget) -> Outcome<Option<Cases<MultiAff>>> {
    let mut out = Cases::none();
    for piece in map.pieces() {
        b.spend(1)?;
        if let Some((function, domain)) = read_off(map.space(), piece) {
            let domain = match domain {
                Some(conj) => Set::from_conj(map.space().domain_space(), conj),
                None => Map::from_pieces(map.space().clone(), vec![piece.clone()]).domain(b)?,
            };
            if !out.unite(domain, function, b)? {
                return Ok(None);
            }
            continue;
        }
        let graph = Map::from_pieces(map.space().clone(), vec![piece.clone()]).detect_equalities(b)?;
        let function = graph.pieces().first().and_then(|piece| read_off(map.space(), piece));
        match function {
            Some((function, _)) => {
                if !out.unite(graph.domain(b)?, function, b)? {
                    return Ok(None);
                }
            }
            None if graph.is_empty(b)? => {}
            None if graph.is_single_valued(b)? => {
                for (domain, function) in by_remainders(&graph, b)?.iter() {
                    if !out.unite(domain.clone(), function.clone(), b)? {
                        return Ok(None);
                    }
                }
            }
            None => return Ok(None),
        }
    }
    Ok(Some(out))
}

/// The function of which a conjunction is the graph, if the constraints show it, and where it has a value, if they show that
/// as well.
fn read_off(space: &MapSpace, piece: &Conj) -> Option<(MultiAff, Option<Conj>)> {
    let domain_space = space.domain_space();
    let (values, domain) = Unknowns::of(piece, domain_space.n_vars(), space.range.n()).solve()?;
    let affs = values
        .into_iter()
        .map(|value| Aff::from_expr(domain_space.clone(), value))
        .collect();
    Some((MultiAff::new(domain_space, space.range.clone(), affs), domain))
}

/// A conjunction over `[1 | known | unknown | divs]`, of which no division depends on an unknown.
#[derive(Clone)]
struct Unknowns {
    conj: Conj,
    known: usize,
    /// What the variables that are asked for are, over the same columns.
    values: Vec<Row>,
}

impl Unknowns {
    /// The variables from `known` on, locals, and the divisions that depend on them, as unknowns; asked for are the first `n_values`
    /// of them.
    fn of(conj: &Conj, known: usize, n_values: usize) -> Unknowns {
        let dependent = conj.dependent_divs(|v| v >= known);
        let n_all = conj.n_vars() + conj.n_locals();
        let n_vars = n_all + dependent.iter().filter(|d| **d).count();
        let mut cols: Vec<usize> = (0..=n_all).collect();
        let (mut next_unknown, mut next_div) = (1 + n_all, 1 + n_vars);
        for &dep in &dependent {
            let next = if dep { &mut next_unknown } else { &mut next_div };
            cols.push(*next);
            *next += 1;
        }
        let place = |row: &[Int]| {
            let mut out = zeros(conj.n_cols());
            for (x, &col) in row.iter().zip(&cols) {
                out[col] = x.clone();
            }
            out
        };
        let mut out = Conj::universe(n_vars);
        for (div, _) in conj.divs().iter().zip(&dependent).filter(|(_, dep)| !**dep) {
            out.divs.push(Div {
                num: place(&div.num),
                den: div.den.clone(),
            });
        }
        for eq in conj.eqs() {
            out.add_eq(place(eq));
        }
        for ineq in conj.ineqs() {
            out.add_ineq(place(ineq));
        }
        for (div, _) in dependent.iter().enumerate().filter(|(_, dep)| **dep) {
            for bound in conj.div_bounds(div) {
                out.add_ineq(place(&bound));
            }
        }
        let values = (0..n_values).map(|k| unit(out.n_cols(), 1 + known + k)).collect();
        Unknowns {
            conj: out,
            known,
            values,
        }
    }

    /// The columns of unknowns.
    fn cols(&self) -> std::ops::Range<usize> {
        1 + self.known..1 + self.conj.n_vars()
    }

    /// The values in terms of what is known, if the constraints show them, and what the constraints then say about what is
    /// known, if nothing else is unknown in them.
    fn solve(mut self) -> Option<(Vec<Expr>, Option<Conj>)> {
        let cols = self.cols();
        let unknown = |row: &Row| !row::is_zero(&row[cols.clone()]);
        loop {
            let found = match self.conj.eqs.iter().position(&unknown) {
                Some(i) => self.solve_equality(i),
                None => self.solve_bounds(),
            };
            if found.is_none() {
                break;
            }
        }
        if self.values.iter().any(&unknown) {
            return None;
        }
        let values = self.values.iter().map(|v| self.expression(v)).collect();
        let mut constraints = self.conj.eqs.iter().chain(&self.conj.ineqs);
        let domain = if constraints.any(unknown) {
            None
        } else {
            self.conj.drop_unused_vars(self.known, cols.len());
            self.conj.changed();
            Some(self.conj)
        };
        Some((values, domain))
    }

    /// Makes an unknown known of which two inequalities leave one value.
    fn solve_bounds(&mut self) -> Option<()> {
        let (col, (upper, lower)) = self.cols().find_map(|col| Some((col, self.determined(col)?)))?;
        let mut num = self.conj.ineqs[upper].clone();
        let den = -std::mem::take(&mut num[col]);
        // With all values that a floor can have, the bounds hold by definition.
        let room = &num[0] + &self.conj.ineqs[lower][0] + Int::ONE;
        if room == den {
            self.conj.ineqs.remove(upper.max(lower));
            self.conj.ineqs.remove(upper.min(lower));
        } else {
            self.conj.ineqs.remove(upper);
        }
        self.define(col, num, den);
        Some(())
    }

    /// Makes an unknown of an equality known, or the coefficients smaller. None if the equality has no integer solution.
    fn solve_equality(&mut self, i: usize) -> Option<()> {
        let cols = self.cols();
        if !row::normalize_eq(&mut self.conj.eqs[i]) {
            return None;
        }
        let eq = &self.conj.eqs[i];
        let mut involved = cols.filter(|&c| !eq[c].is_zero());
        let first = involved.next()?;
        let small = involved.clone().chain([first]).min_by_key(|&c| eq[c].abs())?;
        if eq[small].abs().is_one() {
            let pivot = self.conj.eqs.swap_remove(i);
            let rows = self.conj.eqs.iter_mut().chain(&mut self.conj.ineqs);
            for row in rows.chain(&mut self.values) {
                row::eliminate(row, &pivot, small);
            }
            return Some(());
        }
        let others: Vec<usize> = involved.chain([first]).filter(|&c| c != small).collect();
        if others.is_empty() {
            let mut num = eq.clone();
            let mut den = -std::mem::take(&mut num[small]);
            if den.is_neg() {
                den = -den;
                num = row::negated(&num);
            }
            self.define(small, num, den);
            return Some(());
        }
        // With u_small = u'_small - t u_other the coefficient of u_other becomes its remainder.
        let factors: Vec<(usize, Int)> = others
            .into_iter()
            .map(|other| (other, eq[other].div_floor(&eq[small])))
            .collect();
        let rows = self.conj.eqs.iter_mut().chain(&mut self.conj.ineqs);
        for row in rows.chain(&mut self.values) {
            if !row[small].is_zero() {
                for (other, t) in &factors {
                    let x = &row[small] * t;
                    row[*other] -= x;
                }
            }
        }
        Some(())
    }

    /// An upper bound `a u <= e` of the unknown in column `col` and a lower bound that says `a u >= e - a + 1`, or more, if
    /// there is no other unknown in `e`.
    fn determined(&self, col: usize) -> Option<(usize, usize)> {
        let cols = self.cols();
        let alone = |row: &Row| cols.clone().all(|c| c == col || row[c].is_zero());
        let ineqs = &self.conj.ineqs;
        let uppers = (0..ineqs.len()).filter(|&i| ineqs[i][col].is_neg() && alone(&ineqs[i]));
        uppers
            .filter_map(|i| {
                let upper = &ineqs[i];
                let opposite = |lower: &Row| {
                    lower[col].is_pos()
                        && &upper[0] + &lower[0] < -&upper[col]
                        && upper[1..].iter().zip(&lower[1..]).all(|(x, y)| (x + y).is_zero())
                };
                Some((i, ineqs.iter().position(opposite)?))
            })
            .next()
    }

    /// Puts `floor(num / den)`, which has no unknown, in the place of an unknown.
    fn define(&mut self, col: usize, num: Row, den: Int) {
        let div = self.conj.add_div(num, den);
        let div_col = 1 + self.conj.n_vars() + div;
        let n_cols = self.conj.n_cols();
        let rows = self.conj.eqs.iter_mut().chain(&mut self.conj.ineqs);
        for row in rows.chain(&mut self.values) {
            row.resize(n_cols, Int::ZERO);
            let coef = std::mem::take(&mut row[col]);
            row[div_col] += coef;
        }
    }

    /// `row`, which has no unknown, over what is known.
    fn expression(&self, row: &Row) -> Expr {
        let mut form = Conj {
            divs: self.conj.divs.clone(),
            eqs: vec![row.clone()],
            simple: false,
            ..Conj::universe(self.conj.n_vars())
        };
        form.drop_unused_vars(self.known, self.cols().len());
        Expr::from_form(form)
    }

    /// What the only unknown may be, and where it is that.
    fn candidates(&self) -> Vec<(Conj, Expr)> {
        let col = 1 + self.known;
        let candidates: Vec<Expr> = match self.clone().solve() {
            Some((values, _)) => values,
            None => {
                let bounds = self.conj.ineqs.iter().filter(|row| row[col].is_pos());
                // a u + e >= 0, so that u is at least -floor(e / a).
                let least = |row: &Row| {
                    let mut row = row.clone();
                    let size = std::mem::take(&mut row[col]);
                    self.expression(&row).divide(&size).floor().scale(&Int::from(-1))
                };
                bounds.map(least).collect()
            }
        };
        let mut out = Vec::with_capacity(candidates.len());
        for value in candidates {
            let mut args: Vec<Expr> = (0..self.known).map(|v| Expr::var(self.known, v)).collect();
            args.push(value.clone());
            out.push((self.conj.preimage(self.known, &args), value));
        }
        out
    }
}

/// The function of which a single-valued relation of one conjunction is the graph: dimension by dimension and remainder by
/// remainder.
fn by_remainders(graph: &Map, b: &Budget) -> Outcome<Cases<MultiAff>> {
    let (domain_space, range) = (graph.space().domain_space(), &graph.space().range);
    let nothing = Tuple::anonymous(0);
    let none = MultiAff::new(domain_space.clone(), nothing, Vec::new());
    let mut out = Cases::one(graph.domain(b)?, none);
    for dim in 0..range.n() {
        let one = graph
            .project_out_range(dim + 1, range.n() - dim - 1, b)?
            .project_out_range(0, dim, b)?
            .explicit(b)?;
        let mut component: Cases<MultiAff> = Cases::none();
        for piece in one.pieces() {
            for (domain, function) in remainders(one.space(), piece, b)? {
                let united = component.unite(domain, function, b)?;
                assert!(united, "a single-valued relation has single-valued components");
            }
        }
        out = out.combine(&component, b, MultiAff::flat_range_product)?;
    }
    Ok(out.map(|function| function.with_range_tuple(range.clone())))
}

/// The functions of which a single-valued conjunction over `[x | y]` with one `y` is the graph, and where.
fn remainders(space: &MapSpace, piece: &Conj, b: &Budget) -> Outcome<Vec<(Set, MultiAff)>> {
    let domain_space = space.domain_space();
    let y = domain_space.n_vars();
    let dependent = piece.dependent_divs(|v| v == y);
    // Where y grows by this much, all divisions that depend on it grow by the same everywhere.
    let mut modulus = Int::ONE;
    let mut periods: Vec<Int> = Vec::with_capacity(dependent.len());
    for (div, dependent) in piece.divs().iter().zip(&dependent) {
        let mut period = Int::ONE;
        if *dependent {
            for (x, inner) in div.num[1 + piece.n_vars()..].iter().zip(&periods) {
                if !x.is_zero() {
                    period = period.lcm(inner);
                }
            }
            period *= &div.den;
            modulus = modulus.lcm(&period);
        }
        periods.push(period);
    }
    let mut out = Vec::new();
    let mut remainder = Int::ZERO;
    while remainder < modulus {
        b.spend(1 + (piece.eqs.len() + piece.ineqs.len() + piece.divs.len()) as u64)?;
        let n_vars = piece.n_vars();
        let mut args: Vec<Expr> = (0..n_vars).map(|v| Expr::var(n_vars, v)).collect();
        args[y] = args[y].scale(&modulus).add_constant(&remainder);
        let case = piece.preimage(n_vars, &args);
        if !case.is_empty(b)? {
            for (domain, t) in Unknowns::of(&case, y, 1).candidates() {
                let value = Aff::from_expr(domain_space.clone(), t.scale(&modulus).add_constant(&remainder));
                let function = MultiAff::new(domain_space.clone(), space.range.clone(), vec![value]);
                out.push((Set::from_conj(domain_space.clone(), domain), function));
            }
        }
        remainder += Int::ONE;
    }
    Ok(out)
}
