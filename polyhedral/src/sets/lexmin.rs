//! Lexicographic minima, parametric in the leading variables.
//!
//! For one conjunction this is parametric integer programming ([`crate::solver::parametric`]): the parameters are the
//! leading variables and the divisions of them, the unknowns are the trailing variables, which are minimized, and the
//! locals and divisions that depend on those, which only have to exist. The result is a list of [`Leaf`]s: disjoint domains with an
//! expression for each trailing variable.
//!
//! A conjunction of which the values are not bounded has no minimum anywhere. As all the sets of values, one for each of
//! the leading variables, have the same rational recession cone, there are either minima for all that are not empty or
//! for none.
//!
//! The minimum of several conjunctions is that of their functions: where two domains overlap, the values are compared,
//! and the domain of the larger one loses the place.

use super::conj::Conj;
use super::pieces;
use super::row;
use super::{Div, Expr, Map, Set};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::solver::parametric::{self, Division, Minimum, Problem};

/// A function of the leading variables on a part of their values.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// Where the function is defined, over the leading variables.
    pub(crate) domain: Conj,
    /// Integer-valued expressions over the leading variables, one for each trailing variable.
    pub(crate) values: Vec<Expr>,
}

impl Map {
    /// The lexicographically smallest image of each element of `domain`, and the elements of `domain` that have none:
    /// because they have no image at all, or images without lower bound.
    pub fn partial_lexmin(&self, domain: &Set, b: &Budget) -> Outcome<(Map, Set)> {
        self.partial_optimum(domain, false, b)
    }

    /// The lexicographically largest images, as [`Map::partial_lexmin`].
    pub fn partial_lexmax(&self, domain: &Set, b: &Budget) -> Outcome<(Map, Set)> {
        self.partial_optimum(domain, true, b)
    }

    fn partial_optimum(&self, domain: &Set, largest: bool, b: &Budget) -> Outcome<(Map, Set)> {
        assert_eq!(
            self.domain_tuple(),
            domain.tuple(),
            "a domain of {} in {}",
            self.space(),
            domain.space()
        );
        let params = self.params().union(domain.params());
        let (map, domain) = (self.aligned(&params), domain.aligned(&params));
        let first = domain.space().n_vars();
        let (minima, empty) = if largest {
            let (leaves, empty) = partial_lexmin(&negated(map.pieces(), first), domain.pieces(), first, b)?;
            (negated(&graphs(&leaves), first), empty)
        } else {
            let (leaves, empty) = partial_lexmin(map.pieces(), domain.pieces(), first, b)?;
            (graphs(&leaves), empty)
        };
        Ok((
            Map::from_conjs(map.space().clone(), minima),
            Set::from_conjs(domain.space().clone(), empty),
        ))
    }
}

/// For each value of the variables before `first`, the lexicographically smallest values of those from `first` on.
pub(super) fn lexmin(conjs: &[Conj], first: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    optimum(conjs, first, lexmin_leaves, b)
}

/// For each value of the variables before `first`, the lexicographically largest values of those from `first` on.
pub(super) fn lexmax(conjs: &[Conj], first: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    optimum(conjs, first, lexmax_leaves, b)
}

fn optimum(
    conjs: &[Conj],
    first: usize,
    leaves: fn(&[Conj], usize, &Budget) -> Outcome<Vec<Leaf>>,
    b: &Budget,
) -> Outcome<Vec<Conj>> {
    let conjs = pieces::tidy(conjs.to_vec());
    // A function is its own optimum.
    if let [conj] = &conjs[..]
        && (first..conj.n_vars()).all(|v| is_determined(conj, v))
    {
        return Ok(conjs);
    }
    Ok(pieces::tidy(graphs(&leaves(&conjs, first, b)?)))
}

fn negated(conjs: &[Conj], first: usize) -> Vec<Conj> {
    conjs.iter().map(|c| c.negate_vars(first, c.n_vars() - first)).collect()
}

/// The largest values as functions with disjoint domains.
pub(crate) fn lexmax_leaves(conjs: &[Conj], first: usize, b: &Budget) -> Outcome<Vec<Leaf>> {
    let mut leaves = lexmin_leaves(&negated(conjs, first), first, b)?;
    for value in leaves.iter_mut().flat_map(|leaf| &mut leaf.values) {
        *value = value.scale(&Int::from(-1));
    }
    Ok(leaves)
}

/// The smallest values as functions with disjoint domains.
pub(crate) fn lexmin_leaves(conjs: &[Conj], first: usize, b: &Budget) -> Outcome<Vec<Leaf>> {
    let mut best: Vec<Leaf> = Vec::new();
    // The leading variables for which there is no minimum.
    let mut without: Vec<Conj> = Vec::new();
    for conj in conjs {
        let conj = conj.detect_equalities(b)?;
        if conj.is_plainly_empty() {
            continue;
        }
        match solve(&conj, first, None, b)? {
            Some((leaves, _)) => best = smaller(best, leaves, b)?,
            None => without.extend(conj.eliminate(first, conj.n_vars() - first, b)?),
        }
    }
    if without.is_empty() {
        return Ok(best);
    }
    let mut out = Vec::with_capacity(best.len());
    for leaf in best {
        out.extend(restrict(leaf, &without, b)?);
    }
    Ok(out)
}

/// The smallest values for leading variables in `domain`, and the rest of `domain`, where there is no minimum.
pub(super) fn partial_lexmin(
    conjs: &[Conj],
    domain: &[Conj],
    first: usize,
    b: &Budget,
) -> Outcome<(Vec<Leaf>, Vec<Conj>)> {
    let (mut leaves, mut empty) = (Vec::new(), Vec::new());
    let domain = pieces::explicit(domain, b)?;
    for (i, context) in domain.iter().enumerate() {
        let mut parts = vec![context.clone()];
        if i > 0 {
            parts = pieces::subtract(&parts, &domain[..i], b)?;
        }
        for context in parts {
            if let [conj] = conjs
                && let Some((found, rest)) = solve(&conj.detect_equalities(b)?, first, Some(&context), b)?
            {
                leaves.extend(found);
                empty.extend(rest);
                continue;
            }
            let lifted = context.remap(conjs.first().map_or(first, |c| c.n_vars()), |v| v);
            let restricted = pieces::tidy(conjs.iter().map(|c| c.intersect(&lifted)));
            let found = lexmin_leaves(&restricted, first, b)?;
            let domains: Vec<Conj> = found.iter().map(|leaf| leaf.domain.clone()).collect();
            empty.extend(pieces::subtract(&[context], &domains, b)?);
            leaves.extend(found);
        }
    }
    Ok((leaves, empty))
}

/// The functions as relations between leading and trailing variables.
pub(super) fn graphs(leaves: &[Leaf]) -> Vec<Conj> {
    let graph = |leaf: &Leaf| {
        let (first, count) = (leaf.domain.n_vars, leaf.values.len());
        let mut conj = leaf.domain.insert_vars(first, count);
        for (k, value) in leaf.values.iter().enumerate() {
            let form = value.form().insert_vars(first, count);
            let cols = conj.import_divs(&form);
            let mut row = conj.import_row(&form.eqs[0], &cols);
            row[1 + first + k] = Int::from(-1);
            conj.add_eq(row);
        }
        conj
    };
    leaves.iter().map(graph).collect()
}

/// The leaf without the points of `without`.
fn restrict(leaf: Leaf, without: &[Conj], b: &Budget) -> Outcome<Vec<Leaf>> {
    if without.is_empty() {
        return Ok(vec![leaf]);
    }
    let parts = pieces::subtract(std::slice::from_ref(&leaf.domain), without, b)?;
    let part = |domain| Leaf {
        domain,
        values: leaf.values.clone(),
    };
    Ok(parts.into_iter().map(part).collect())
}

/// The smaller of two functions, each given by leaves with disjoint domains.
fn smaller(old: Vec<Leaf>, new: Vec<Leaf>, b: &Budget) -> Outcome<Vec<Leaf>> {
    if old.is_empty() || new.is_empty() {
        return Ok(if old.is_empty() { new } else { old });
    }
    let mut old_loses: Vec<Vec<Conj>> = vec![Vec::new(); old.len()];
    let mut new_loses: Vec<Vec<Conj>> = vec![Vec::new(); new.len()];
    for (x, old_loses) in old.iter().zip(&mut old_loses) {
        for (y, new_loses) in new.iter().zip(&mut new_loses) {
            let mut both = x.domain.intersect(&y.domain);
            if !both.simplify() || both.is_empty(b)? {
                continue;
            }
            compare(both, &x.values, &y.values, old_loses, new_loses, b)?;
        }
    }
    let mut out = Vec::new();
    for (leaf, loses) in old.into_iter().zip(&old_loses).chain(new.into_iter().zip(&new_loses)) {
        out.extend(restrict(leaf, loses, b)?);
    }
    Ok(out)
}

/// Divides `both` into where the values of `x` are larger and where those of `y` are, or the same.
fn compare(
    mut both: Conj,
    x: &[Expr],
    y: &[Expr],
    x_larger: &mut Vec<Conj>,
    y_larger: &mut Vec<Conj>,
    b: &Budget,
) -> Outcome<()> {
    for (x, y) in x.iter().zip(y) {
        let difference = x.sub(y);
        let cols = both.import_divs(difference.form());
        let row = both.import_row(difference.row(), &cols);
        if row::is_zero(&row) {
            continue;
        }
        for (sign, larger) in [(1, &mut *x_larger), (-1, &mut *y_larger)] {
            let mut part = both.clone();
            let mut row: Row = row.iter().map(|a| a * &Int::from(sign)).collect();
            row[0] -= Int::ONE;
            part.add_ineq(row);
            if part.simplify() && !part.is_empty(b)? {
                larger.push(part);
            }
        }
        both.add_eq(row);
        if !both.simplify() || both.is_empty(b)? {
            return Ok(());
        }
    }
    y_larger.push(both);
    Ok(())
}

/// The minimum of one conjunction, and where in `context` there is none; None if the values are not bounded. Without a
/// context, all leading variables are looked at, and where there is no minimum is not returned.
fn solve(conj: &Conj, first: usize, context: Option<&Conj>, b: &Budget) -> Outcome<Option<(Vec<Leaf>, Vec<Conj>)>> {
    // The divisions of the leading variables: the conjunction's own, then those of the context.
    let dependent = conj.dependent_divs(|v| v >= first);
    let mut known = Conj::universe(first);
    let mut columns: Vec<Option<usize>> = (0..=first).map(Some).collect();
    columns.extend((first..conj.n_vars).map(|_| None));
    for (div, dependent) in conj.divs.iter().zip(&dependent) {
        let column = (!dependent).then(|| {
            let num = leading_part(&div.num, &columns, known.n_cols());
            let index = known.add_div(num, div.den.clone());
            known.div_col(index)
        });
        columns.push(column);
    }
    if let Some(context) = context {
        known = known.intersect(context);
    }
    let n_known = known.n_cols();
    let unknown_cols: Vec<usize> = (1..columns.len()).filter(|&c| columns[c].is_none()).collect();
    let full = |row: &Row| {
        let mut out = leading_part(row, &columns, n_known);
        out.extend(unknown_cols.iter().map(|&c| row[c].clone()));
        out
    };
    let mut problem = Problem {
        n_params: first,
        divs: divisions(&known),
        n_unknowns: unknown_cols.len(),
        n_interesting: conj.n_vars() - first,
        ..Problem::default()
    };
    for eq in &conj.eqs {
        problem.eqs.push(full(eq));
    }
    for ineq in &conj.ineqs {
        problem.ineqs.push(full(ineq));
    }
    for (div, _) in dependent.iter().enumerate().filter(|(_, dep)| **dep) {
        problem.ineqs.extend(conj.div_bounds(div).iter().map(full));
    }
    if context.is_none() {
        known.eqs.extend(take_leading(&mut problem.eqs, n_known));
        known.ineqs.extend(take_leading(&mut problem.ineqs, n_known));
    }
    known.changed();
    problem.context_eqs = known.eqs.clone();
    problem.context_ineqs = known.ineqs.clone();
    let Minimum::Leaves(found) = parametric::lexmin(&problem, b)? else {
        return Ok(None);
    };
    let (mut leaves, mut empty) = (Vec::new(), Vec::new());
    for leaf in found {
        if leaf.values.is_none() && context.is_none() {
            continue;
        }
        let mut domain = domain_of(&known, &leaf);
        match leaf.values {
            None => {
                if domain.simplify() {
                    empty.push(domain);
                }
            }
            Some(rows) => {
                let values = rows.into_iter().map(|row| Expr::over(&domain, row)).collect();
                if domain.simplify() {
                    leaves.push(Leaf { domain, values });
                }
            }
        }
    }
    Ok(Some((leaves, empty)))
}

/// Takes away the rows that are about the leading variables alone.
fn take_leading(rows: &mut Vec<Row>, n_known: usize) -> Vec<Row> {
    let is_leading = |row: &Row| row::is_zero(&row[n_known..]);
    let (leading, rest): (Vec<Row>, Vec<Row>) = rows.drain(..).partition(is_leading);
    *rows = rest;
    leading.into_iter().map(|row| Row::from(&row[..n_known])).collect()
}

/// The entries of a row in the columns that the leading variables and their divisions have.
fn leading_part(row: &Row, columns: &[Option<usize>], n_cols: usize) -> Row {
    let mut out = zeros(n_cols);
    for (x, column) in row.iter().zip(columns) {
        if let Some(column) = column {
            out[*column] += x;
        }
    }
    out
}

/// The divisions of a conjunction as those of a parametric problem.
fn divisions(conj: &Conj) -> Vec<Division> {
    let division = |d: &Div| Division {
        num: d.num.clone(),
        den: d.den.clone(),
    };
    conj.divs.iter().map(division).collect()
}

/// The part of `context`, of which the divisions are the first ones of the leaf, that the leaf is for.
fn domain_of(context: &Conj, leaf: &parametric::Leaf) -> Conj {
    let mut out = context.clone();
    out.changed();
    for div in &leaf.divs[context.divs.len()..] {
        let mut num = div.num.clone();
        num.resize(out.n_cols() + 1, Int::ZERO);
        for row in out.rows_mut() {
            row.push(Int::ZERO);
        }
        out.divs.push(Div {
            num,
            den: div.den.clone(),
        });
    }
    for eq in &leaf.eqs {
        out.add_eq(eq.clone());
    }
    for ineq in &leaf.ineqs {
        out.add_ineq(ineq.clone());
    }
    out
}

/// The exact projection of `conj` onto the variables from `unknowns` on, for a conjunction of which no division depends
/// on the first `unknowns` ones.
pub(super) fn project(conj: &Conj, unknowns: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    let mut known = Conj::universe(conj.n_vars - unknowns);
    // Drops or moves the unknowns' columns, which come first.
    let kept = |row: &Row| Row::from([&row[..1], &row[1 + unknowns..]].concat());
    let full = |row: &Row| Row::from([&row[..1], &row[1 + unknowns..], &row[1..1 + unknowns]].concat());
    let is_known = |row: &&Row| row::is_zero(&row[1..1 + unknowns]);
    known.divs = (conj.divs.iter())
        .map(|d| Div {
            num: kept(&d.num),
            den: d.den.clone(),
        })
        .collect();
    known.eqs = conj.eqs.iter().filter(is_known).map(kept).collect();
    known.ineqs = conj.ineqs.iter().filter(is_known).map(kept).collect();
    let problem = Problem {
        n_params: known.n_vars,
        divs: divisions(&known),
        context_eqs: known.eqs.clone(),
        context_ineqs: known.ineqs.clone(),
        n_unknowns: unknowns,
        n_interesting: 0,
        eqs: conj.eqs.iter().filter(|r| !is_known(r)).map(full).collect(),
        ineqs: conj.ineqs.iter().filter(|r| !is_known(r)).map(full).collect(),
    };
    let Minimum::Leaves(leaves) = parametric::lexmin(&problem, b)? else {
        unreachable!("nothing is minimized")
    };
    let mut out = Vec::new();
    for leaf in leaves.iter().filter(|leaf| leaf.values.is_some()) {
        let mut domain = domain_of(&known, leaf);
        if domain.simplify() {
            out.push(domain);
        }
    }
    Ok(out)
}

/// Whether an equality, or two inequalities that leave no choice, determine variable `var` by the variables before it.
pub(super) fn is_determined(conj: &Conj, var: usize) -> bool {
    let dependent = conj.dependent_divs(|v| v >= var);
    let by_earlier = |row: &Row| {
        row::is_zero(&row[2 + var..1 + conj.n_vars])
            && row[1 + conj.n_vars..]
                .iter()
                .zip(&dependent)
                .all(|(x, dep)| x.is_zero() || !dep)
    };
    conj.eqs.iter().any(|eq| !eq[1 + var].is_zero() && by_earlier(eq))
        || conj.floor_bounds(var).is_some_and(|(i, _)| by_earlier(&conj.ineqs[i]))
}
