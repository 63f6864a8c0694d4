//! Expected values of parameters, and expected lengths of dimensions.
//!
//! A cost is compared at one point of the parameter space. A parameter that the context or the assumptions bound closely
//! takes its upper bound: such bounds are the sizes of arrays. Any other one takes [`DEFAULT`], or its lower bound if
//! that is larger. In deep nests all of these would be too much for a program that ends: there they take a smaller value.
//! Where there are several cases, that one counts which has usual values of parameters in it.
//!
//! An *offset* is a parameter whose growth takes instances away, as `k` in `0 <= i <= n - k`: the length of a filter, or where a loop
//! begins. It is expected to be small beside sizes, and takes [`OFFSET`] in place of [`DEFAULT`], so that something is executed.
//!
//! A dimension's length is its [mean length](super::count): the number of its values, on average over all values of outer dimensions. In
//! `{ S[i, j] : 0 <= j <= i < n }` with `n = 100`, dimension `i` has length 100 and `j` has 50.5: the product is the number of
//! instances. Where that cannot be counted, a length is the number of values where all outer dimensions are in the middle of their ranges.
//! Of several cases, as `i = 0` where `n <= 0`, those count that the expected values are in. Of several pieces the largest one counts,
//! or two with what is between them, if that is a single value, as where `j != i`.
//!
//! A [border test](super::border_tests) is expected to hold: its position takes a value for which it does.
//!
//! A *flag* is a parameter with two values, -1 and 0: a condition that does not change. It takes the one with which more is executed.
//!
//! A *size* is a parameter whose growth makes domains larger and never smaller, as `n` in `0 <= i < n`, and not in border tests only. What a plan costs for
//! small sizes is found with other values in place of the expected ones.

use std::cmp::Reverse;

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, zeros};
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Conj, Div, Name, Params, Set};
use farkas_polyhedral::solver::System;
use farkas_polyhedral::solver::lp::{self, Optimum};

use super::border_tests::BorderTests;
use super::count::{Polyhedron, mean_lengths};
use super::windows::{OfWindow, Windows};

/// The value of a parameter that nothing is known of: large enough that caches matter.
const DEFAULT: i64 = 1000;

/// The value in its place where loops that are in no other loop of unknown length may run on threads: as much work as two loops of the default.
pub(crate) const LONG: i64 = DEFAULT * DEFAULT;

/// The values that are taken in its place where a statement would have more instances than [`MOST_INSTANCES`].
const SMALLER: [i64; 4] = [500, 200, 100, 50];

/// A program that takes some ten minutes.
const MOST_INSTANCES: f64 = 2e12;

/// Nests that are no deeper have no more instances than that, but for what is bounded.
const DEEP: usize = 4;

/// The value of a [window's](super::windows) length, but for one that is an offset where no channels are around it: filters of images are longer
/// than those of networks.
const WINDOW: i64 = 3;

/// The value of an offset.
const OFFSET: i64 = 8;

/// Upper bounds up to this one are taken for sizes of arrays; larger ones are limits of types or of the model.
const CLOSE: i64 = 1 << 16;

/// Upper bounds about this one are limits of the model, too: of factors whose product has 32 bits, which an array may be a few elements larger than.
const FACTOR: i64 = 1 << 15;

/// How far a bound may be from it.
const ABOUT: i64 = 8;

/// An expected value for each parameter of a program.
#[derive(Clone, Debug)]
pub(crate) struct Estimates {
    params: Params,
    values: Vec<Int>,
}

/// What counting the instances of a statement may take.
const COUNTING: u64 = 5000;

/// The length of each dimension of a statement, at least 1.
#[derive(Clone, Debug)]
pub(crate) struct Lengths(pub(crate) Vec<f64>);

impl Lengths {
    /// The number of instances, or about that.
    pub(crate) fn instances(&self) -> f64 {
        self.0.iter().product()
    }
}

/// The number of values of each dimension whose bounds are constants in the program: those of a loop of which borders leave out some
/// iterations, too.
pub(crate) fn constant_lengths(domain: &Set) -> Vec<Option<f64>> {
    let first = 1 + domain.params().len();
    let length = |dim: usize| {
        let mut bounds = domain.pieces().iter().map(|piece| bounds(piece, first + dim));
        let all = bounds.next()??;
        let (lower, upper) = bounds.try_fold(all, |(lower, upper), own| {
            let own = own?;
            Some((lower.min(own.0), upper.max(own.1)))
        })?;
        Some(float(&(&upper - &lower)) + 1.0)
    };
    (0..domain.tuple().n()).map(length).collect()
}

/// The number of values between the least and the greatest one of each dimension, where constants bound it by way of other dimensions, too:
///
/// ```text
/// 0 <= i and 0 <= j <= 3 - i        4 and 4
/// ```
pub(crate) fn constant_ranges(domain: &Set) -> Vec<Option<f64>> {
    let n = domain.tuple().n();
    let mut all = vec![Some((f64::INFINITY, f64::NEG_INFINITY)); n];
    for piece in domain.pieces() {
        for (all, own) in all.iter_mut().zip(ranges(piece, (1 + domain.params().len(), n))) {
            *all = all.zip(own).map(|(all, own)| (all.0.min(own.0), all.1.max(own.1)));
        }
    }
    let length = |range: Option<(f64, f64)>| range.map(|(lower, upper)| (upper - lower + 1.0).max(0.0));
    all.into_iter().map(length).collect()
}

/// The least and the greatest value of each dimension of a piece as far as constants bound it: each constraint bounds a dimension where
/// those beside it are bounded.
fn ranges(piece: &Conj, (first, n): (usize, usize)) -> Vec<Option<(f64, f64)>> {
    let is_on_dims = |row: &Row| (1..row.len()).all(|k| (first..first + n).contains(&k) || row[k].is_zero());
    let negated = |row: &Row| -> Row { row.iter().map(|c| -c).collect() };
    let eqs = piece.eqs().iter().flat_map(|row| [row.clone(), negated(row)]);
    let rows: Vec<Row> = eqs.chain(piece.ineqs().iter().cloned()).filter(is_on_dims).collect();
    let mut ranges = vec![(f64::NEG_INFINITY, f64::INFINITY); n];
    // A bound comes from one dimension to the next in each round.
    for _ in 0..n {
        for row in &rows {
            let factors: Vec<f64> = (0..n).map(|dim| float(&row[first + dim])).collect();
            for (dim, own) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
                let others = (0..n).filter(|other| *other != dim && factors[*other] != 0.0);
                let most = |other: usize| match factors[other] > 0.0 {
                    true => factors[other] * ranges[other].1,
                    false => factors[other] * ranges[other].0,
                };
                let bound = -(float(&row[0]) + others.map(most).sum::<f64>()) / own;
                match *own > 0.0 {
                    true => ranges[dim].0 = ranges[dim].0.max(bound.ceil()),
                    false => ranges[dim].1 = ranges[dim].1.min(bound.floor()),
                }
            }
        }
    }
    let finite = |(lower, upper): (f64, f64)| (lower.is_finite() && upper.is_finite()).then_some((lower, upper));
    ranges.into_iter().map(finite).collect()
}

/// The lengths of dimensions with constant bounds in all pieces together, where these fill more than half of what is between the bounds:
///
/// ```text
/// for (u < 3) for (v < 3) if (u != 1 || v != 1) S;        3 and 3
/// ```
pub(super) fn lengths_together(domain: &Set) -> Vec<Option<f64>> {
    let pieces = domain.pieces();
    let all = constant_lengths(domain);
    let first = 1 + domain.params().len();
    let is_constant = |dim: &usize| all[*dim].is_some();
    let of_piece = |piece: &Conj| -> f64 {
        let constant = (0..all.len()).filter(is_constant);
        let lengths = constant.filter_map(|dim| bounds(piece, first + dim));
        lengths.map(|(lower, upper)| float(&(&upper - &lower)) + 1.0).product()
    };
    let filled: f64 = pieces.iter().map(of_piece).sum();
    match pieces.len() > 1 && 2.0 * filled > all.iter().flatten().product() {
        true => all,
        false => vec![None; all.len()],
    }
}

/// The constants that the variable in a column is between, if it has one of each kind.
fn bounds(piece: &Conj, column: usize) -> Option<(Int, Int)> {
    let alone = |row: &&Row| (1..row.len()).all(|k| (k == column) != row[k].is_zero());
    if let Some(row) = piece.eqs().iter().find(alone) {
        let value = match row[column] == Int::ONE {
            true => -&row[0],
            false => row[0].clone(),
        };
        return (row[column].abs() == Int::ONE).then(|| (value.clone(), value));
    }
    let bound = |sign: Int| {
        let rows = piece.ineqs().iter().filter(alone);
        let mut bounds = rows.filter(move |row| row[column] == sign).map(|row| &row[0]);
        bounds.next().filter(|_| bounds.next().is_none())
    };
    // `dim + lower >= 0` and `upper - dim >= 0`.
    let (lower, upper) = (bound(Int::ONE)?, bound(-&Int::ONE)?);
    Some((-lower, upper.clone()))
}

/// Two pieces with what is between them, if that is where a function has a single value: `i < j` and `j < i` without `i = j`.
fn without_hole(one: &Conj, other: &Conj) -> Option<Conj> {
    if one.n_vars() != one.n_cols() - 1 || other.n_cols() != one.n_cols() {
        return None;
    }
    let is_between = |x: &Row, y: &Row| {
        let negated = x[1..].iter().zip(&y[1..]).all(|(x, y)| (x + y).is_zero());
        negated && &x[0] + &y[0] == Int::from(-2)
    };
    let opposite = |x| Some((x, other.ineqs().iter().find(|y| is_between(x, y))?));
    let (above, below) = one.ineqs().iter().find_map(opposite)?;
    let mut whole = Conj::universe(one.n_vars());
    for piece in [one, other] {
        piece.eqs().iter().for_each(|row| whole.add_eq(row.clone()));
        let others = piece.ineqs().iter().filter(|row| *row != above && *row != below);
        others.for_each(|row| whole.add_ineq(row.clone()));
    }
    Some(whole)
}

impl Estimates {
    /// Expected values that agree with the context and the assumptions of the program, if there are such values.
    pub(crate) fn of(program: &Program, b: &Budget) -> Outcome<Estimates> {
        let known = program.context.intersect(&program.assumptions);
        let roles = roles(program, known.params());
        let around = |default| Estimates::around(default, (&known, &roles), program, b);
        let mut estimates = around(DEFAULT)?;
        for default in SMALLER {
            if !estimates.are_too_large(program, b)? {
                break;
            }
            estimates = around(default)?;
        }
        for flag in flags(program) {
            let mut most = None;
            for value in [-1, 0] {
                let own = estimates.with(&[(flag.clone(), value)]);
                let instances = own.instances(program, b)?;
                if most.as_ref().is_none_or(|(most, _)| instances > *most) {
                    most = Some((instances, own));
                }
            }
            estimates = most.map_or(estimates, |(_, own)| own);
        }
        Ok(estimates)
    }

    /// How many instances all statements have.
    fn instances(&self, program: &Program, b: &Budget) -> Outcome<f64> {
        let mut sum = 0.0;
        for statement in &program.statements {
            if self.has_instances(statement, b)? {
                sum += self.lengths(statement, b)?.instances();
            }
        }
        Ok(sum)
    }

    /// Whether a statement has more instances than a program executes.
    fn are_too_large(&self, program: &Program, b: &Budget) -> Outcome<bool> {
        for statement in program.statements.iter().filter(|s| s.tuple().n() > DEEP) {
            if self.lengths(statement, b)?.instances() > MOST_INSTANCES {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Expected values where those of which nothing is known are the default.
    fn around(default: i64, (known, roles): (&Set, &[Role]), program: &Program, b: &Budget) -> Outcome<Estimates> {
        let params = known.params().clone();
        let usual: Vec<Int> = roles.iter().map(|role| Int::from(role.value(default))).collect();
        let around = |piece: &Conj| -> Outcome<Estimates> {
            let mut values = usual.clone();
            let mut system = piece.system();
            for (param, value) in values.iter_mut().enumerate() {
                *value = match roles[param] {
                    Role::Near(value) => nearest(value, &system, param, b)?,
                    role => typical(role.value(default), &system, param, b)?,
                };
                let mut fixed = zeros(1 + system.n);
                fixed[0] = -&*value;
                fixed[1 + param] = Int::ONE;
                system.eqs.push(fixed);
            }
            Ok(Estimates {
                params: params.clone(),
                values,
            })
        };
        let mut pieces: Vec<&Conj> = known.pieces().iter().collect();
        if pieces.iter().any(|piece| holds(piece, &usual)) {
            pieces.retain(|piece| holds(piece, &usual));
        }
        pieces.sort_by_key(|piece| Reverse(piece.ineqs().len()));
        let mut best: Option<(usize, Estimates)> = None;
        for piece in pieces {
            let estimates = around(piece)?;
            let executed = estimates.executed(program, b)?;
            if best.as_ref().is_none_or(|(most, _)| executed > *most) {
                best = Some((executed, estimates));
            }
            if executed == program.statements.len() {
                break;
            }
        }
        Ok(best.map_or(Estimates { params, values: usual }, |(_, estimates)| estimates))
    }

    /// How many statements have instances.
    fn executed(&self, program: &Program, b: &Budget) -> Outcome<usize> {
        let mut executed = 0;
        for statement in &program.statements {
            executed += usize::from(self.has_instances(statement, b)?);
        }
        Ok(executed)
    }

    /// The value of an affine row `[constant, parameters in the order of params]`.
    pub(crate) fn value_of(&self, params: &Params, row: &[Int]) -> f64 {
        let mut sum = float(&row[0]);
        for (name, coefficient) in params.names().iter().zip(&row[1..]) {
            if !coefficient.is_zero() {
                sum += float(coefficient) * float(&self.of_param(name));
            }
        }
        sum
    }

    /// These estimates with other values of some parameters.
    pub(crate) fn with(&self, values: &[(Name, i64)]) -> Estimates {
        let mut other = self.clone();
        for (name, value) in values {
            if let Some(position) = self.params.position_of(name) {
                other.values[position] = Int::from(*value);
            }
        }
        other
    }

    /// The sizes of a program with their expected values.
    pub(crate) fn sizes(&self, program: &Program) -> Vec<(Name, i64)> {
        let (flags, tests) = (flags(program), BorderTests::of(program));
        let is_size = |name: &&Name| !flags.contains(name) && !tests.are_all_of(name) && self.is_size(program, name);
        let names = self.params.names().iter().filter(is_size);
        names
            .map(|name| (name.clone(), self.of_param(name).to_i64().unwrap_or(DEFAULT)))
            .collect()
    }

    /// Where loops begin that end at a size, with the expected value: `lo` in `for (i = lo; i < hi; i++)`, if neither bounds any other loops.
    pub(crate) fn begin_of(&self, program: &Program, size: &Name) -> Option<(Name, i64)> {
        let of_size = factors_in_bounds(program, size);
        let is_begin = |name: &&Name| {
            let opposite = factors_in_bounds(program, name);
            of_size.iter().zip(&opposite).all(|(own, other)| *other == -own)
        };
        let begin = self.params.names().iter().find(is_begin)?;
        Some((begin.clone(), self.of_param(begin).to_i64()?))
    }

    /// The sizes of a program of which nothing is known, with the value that they have in long loops.
    pub(crate) fn long_loops(&self, program: &Program) -> Vec<(Name, i64)> {
        let sizes = self.sizes(program).into_iter();
        let unknown = sizes.filter(|(_, expected)| *expected == DEFAULT);
        unknown.map(|(name, _)| (name, LONG)).collect()
    }

    /// Whether a larger value of the parameter makes some domain larger, and none smaller. What is executed for unusually small values only does not
    /// count, as `i = 0` where `n <= 0`, and where instances are moved, as `i = n`, there are no more and no less.
    fn is_size(&self, program: &Program, name: &Name) -> bool {
        let mut grows = false;
        for statement in &program.statements {
            let params = statement.domain.params();
            let Some(position) = params.position_of(name) else {
                continue;
            };
            let expected = self.values_for(params);
            let fixes = |row: &Row| !row[1 + position].is_zero();
            let of_params = |row: &Row| row[1 + params.len()..].iter().all(Int::is_zero);
            for piece in statement.domain.pieces().iter().filter(|piece| holds(piece, &expected)) {
                let divides = piece.divs().iter().any(|div| fixes(&div.num));
                let compares = piece.eqs().iter().any(|row| fixes(row) && of_params(row));
                if divides || compares || shrinks(piece, params.len(), position) {
                    return false;
                }
                // A condition on parameters only lets something be executed or not.
                grows |= piece.ineqs().iter().any(|row| fixes(row) && !of_params(row));
            }
        }
        grows
    }

    fn values_for(&self, params: &Params) -> Vec<Int> {
        params.names().iter().map(|name| self.of_param(name)).collect()
    }

    fn of_param(&self, name: &Name) -> Int {
        let position = self.params.position_of(name);
        position.map_or_else(|| Int::from(DEFAULT), |p| self.values[p].clone())
    }

    /// The lengths of the dimensions of a statement. A profile's trip count comes before what the domain says.
    pub(crate) fn lengths(&self, statement: &Statement, b: &Budget) -> Outcome<Lengths> {
        let mut largest = Lengths(vec![1.0; statement.tuple().n()]);
        let params = self.values_for(statement.domain.params());
        let pieces = statement.domain.pieces().iter().filter(|piece| holds(piece, &params));
        let pieces: Vec<&Conj> = pieces.collect();
        let whole = match pieces[..] {
            [one, other] => without_hole(one, other),
            _ => None,
        };
        for piece in pieces.into_iter().chain(&whole) {
            let counted = self.counted(&statement.domain, piece, b)?;
            let lengths = match counted {
                Some(lengths) => Some(lengths),
                None => self.lengths_of_piece(&statement.domain, piece, b)?,
            };
            let Some(lengths) = lengths.map(Lengths) else { continue };
            if lengths.instances() > largest.instances() {
                largest = lengths;
            }
        }
        let Lengths(mut largest) = largest;
        for (length, together) in largest.iter_mut().zip(lengths_together(&statement.domain)) {
            *length = together.unwrap_or(*length);
        }
        for (length, profiled) in largest.iter_mut().zip(&statement.trip_counts) {
            if let Some(count) = profiled {
                *length = (*count as f64).max(1.0);
            }
        }
        Ok(Lengths(largest))
    }

    /// The mean lengths of the dimensions of a piece, if its points can be counted. The strips of a dimension, as `floor(k / 32)`, are a dimension in front of
    /// all others, along which that has 32 values.
    fn counted(&self, domain: &Set, piece: &Conj, b: &Budget) -> Outcome<Option<Vec<f64>>> {
        let n_params = domain.params().len();
        let first = 1 + n_params;
        let n_dims = domain.tuple().n();
        let stripped = |div: &Div| {
            let mut dims = (0..n_dims).filter(|dim| !div.num[first + dim].is_zero());
            let is_alone = div.num[first + n_dims..].iter().all(Int::is_zero);
            match (dims.next(), dims.next()) {
                (Some(dim), None) if is_alone && div.num[first + dim].is_one() => Some(dim),
                _ => None,
            }
        };
        let strips: Option<Vec<usize>> = piece.divs().iter().map(stripped).collect();
        let Some(strips) = strips.filter(|_| piece.n_locals() == 0) else {
            return Ok(None);
        };
        let values = self.values_for(domain.params());
        let fixed = |row: &Row| {
            let mut constant = row[0].clone();
            for (coefficient, value) in row[1..].iter().zip(&values) {
                constant.add_mul(coefficient, value);
            }
            let (dims, divs) = row[first..].split_at(n_dims.min(row.len() - first));
            let none = std::iter::repeat_n(&Int::ZERO, strips.len() - divs.len());
            [constant]
                .iter()
                .chain(divs)
                .chain(none)
                .chain(dims)
                .cloned()
                .collect::<Row>()
        };
        // Of `d = floor(x / m)`, `x - m * d` is at least 0 and less than `m`.
        let within = piece.divs().iter().enumerate().flat_map(|(position, div)| {
            let mut rest = fixed(&Row::from(&div.num[..first + n_dims]));
            rest[1 + position] = -&div.den;
            let mut left: Row = rest.iter().map(|entry| -entry).collect();
            left[0] = &left[0] + &(&div.den - &Int::ONE);
            [rest, left]
        });
        let ineqs = piece.ineqs().iter().map(fixed).chain(within);
        let points = Polyhedron::new(strips.len() + n_dims, piece.eqs().iter().map(fixed), ineqs);
        let counted = b.trial(COUNTING.min(b.left()), |b| mean_lengths(&points, b))?;
        Ok(counted.unwrap_or(None).map(|mut lengths| {
            let own = lengths.split_off(strips.len());
            let mut all = own;
            for (dim, length) in strips.iter().zip(lengths) {
                all[*dim] *= length;
            }
            all
        }))
    }

    /// Whether the statement has instances, divisibility aside.
    pub(crate) fn has_instances(&self, statement: &Statement, b: &Budget) -> Outcome<bool> {
        for piece in statement.domain.pieces() {
            let system = self.system(&statement.domain, piece);
            if lp::minimize(&system, &zeros(1 + system.n), b)? != Optimum::Empty {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The constraints of a piece for the expected values.
    fn system(&self, domain: &Set, piece: &Conj) -> System {
        let mut system = piece.system();
        for (position, name) in domain.params().names().iter().enumerate() {
            let mut row = zeros(1 + system.n);
            row[0] = -self.of_param(name);
            row[1 + position] = Int::ONE;
            system.eqs.push(row);
        }
        system
    }

    /// The lengths in the middle of ranges, if there are instances.
    fn lengths_of_piece(&self, domain: &Set, piece: &Conj, b: &Budget) -> Outcome<Option<Vec<f64>>> {
        let mut system = self.system(domain, piece);
        if lp::minimize(&system, &zeros(1 + system.n), b)? == Optimum::Empty {
            return Ok(None);
        }
        let mut lengths = Vec::new();
        for dim in 0..domain.tuple().n() {
            let column = domain.params().len() + dim;
            let (low, high) = (bound(&system, column, 1, b)?, bound(&system, column, -1, b)?);
            let (Some((low_num, low_den)), Some((high_num, high_den))) = (low, high) else {
                lengths.push(DEFAULT as f64);
                continue;
            };
            let (least, most) = (float(&low_num) / float(&low_den), -float(&high_num) / float(&high_den));
            lengths.push((most.floor() - least.ceil() + 1.0).max(1.0));
            // x = (low - high) / 2, of which `high` is the minimum of -x.
            let mut middle = zeros(1 + system.n);
            let twice = &(&low_num * &high_den) - &(&high_num * &low_den);
            middle[0] = -twice;
            middle[1 + column] = &(&low_den * &high_den) * &Int::from(2);
            system.eqs.push(middle);
        }
        Ok(Some(lengths))
    }
}

/// What is expected of a parameter of which nothing is known.
#[derive(Clone, Copy)]
enum Role {
    /// The default.
    Default,
    /// This value, unless its bounds tell more.
    About(i64),
    /// This value, or what its bounds leave nearest to it.
    Near(i64),
}

impl Role {
    fn value(self, default: i64) -> i64 {
        match self {
            Role::Default => default,
            Role::About(value) | Role::Near(value) => value,
        }
    }
}

/// What is expected of each parameter.
fn roles(program: &Program, params: &Params) -> Vec<Role> {
    let params = params.names();
    let is_offset = |name: &&Name| is_offset(program, name);
    let offsets: Vec<Name> = params.iter().filter(is_offset).cloned().collect();
    let tests = BorderTests::of(program);
    let windows = Windows::of(program, &offsets, &tests);
    let is_deep = program.statements.iter().any(|s| s.tuple().n() > DEEP);
    let role = |name: &Name| match (windows.role(name), offsets.contains(name)) {
        (Some(OfWindow::Length), false) => Role::About(WINDOW),
        (Some(OfWindow::Length), true) if is_deep => Role::Near(WINDOW),
        (_, true) => Role::Near(OFFSET),
        (Some(OfWindow::Offset), false) => Role::Near(WINDOW / 2),
        (None, false) => Role::Default,
    };
    let mut roles: Vec<Role> = params.iter().map(role).collect();
    let position_of = |name: &Name| params.iter().position(|other| other == name);
    let positions = tests.positions(|name| {
        let role = position_of(name).map_or(Role::Default, |param| roles[param]);
        Int::from(role.value(DEFAULT))
    });
    for (name, value) in positions {
        if let (Some(param), Some(value)) = (position_of(&name), value.to_i64()) {
            roles[param] = Role::Near(value);
        }
    }
    roles
}

/// The flags of a program.
fn flags(program: &Program) -> Vec<Name> {
    let mut flags = Vec::new();
    for (position, name) in program.context.params().names().iter().enumerate() {
        let mut pieces = program.context.pieces().iter();
        let bounds = pieces.next().and_then(|piece| bounds(piece, 1 + position));
        if bounds == Some((Int::from(-1), Int::ZERO)) && pieces.next().is_none() {
            flags.push(name.clone());
        }
    }
    flags
}

/// Whether a larger value of the parameter takes instances of some statement away.
fn is_offset(program: &Program, name: &Name) -> bool {
    program.statements.iter().any(|statement| {
        let params = statement.domain.params();
        let Some(position) = params.position_of(name) else {
            return false;
        };
        let mut pieces = statement.domain.pieces().iter();
        pieces.any(|piece| shrinks(piece, params.len(), position))
    })
}

/// The factors of a parameter in all bounds of all loops.
fn factors_in_bounds(program: &Program, name: &Name) -> Vec<Int> {
    let of_statement = |statement: &Statement| -> Vec<Int> {
        let params = statement.domain.params();
        let position = params.position_of(name);
        let pieces = statement.domain.pieces().iter();
        let rows = pieces.flat_map(|piece| piece.ineqs().iter().chain(piece.eqs()));
        let of_loops = rows.filter(|row| row[1 + params.len()..].iter().any(|factor| !factor.is_zero()));
        let factor = |row: &Row| position.map_or(Int::ZERO, |position| row[1 + position].clone());
        of_loops.map(factor).collect()
    };
    program.statements.iter().flat_map(of_statement).collect()
}

/// Whether a larger value of the parameter at the position takes instances of the piece away. Where another bound moves with it, as in
/// `n - k <= i < n`, there are as many as before.
fn shrinks(piece: &Conj, n_params: usize, position: usize) -> bool {
    let dims = |row: &Row| row[1 + n_params..1 + piece.n_vars()].iter().cloned().collect::<Row>();
    let moves_with = |row: &Row, other: &Row| {
        let opposite = dims(row).iter().zip(dims(other).iter()).all(|(x, y)| *x == -y);
        opposite && slope(piece, row, 1 + position) == -slope(piece, other, 1 + position)
    };
    piece.ineqs().iter().any(|row| {
        let on_dims = !dims(row).iter().all(Int::is_zero);
        on_dims && slope(piece, row, 1 + position) < 0.0 && !piece.ineqs().iter().any(|other| moves_with(row, other))
    })
}

/// How much a row grows with the variable in a column, of which divisions may be part: by 1/2 in `n - floor(n/2)`.
fn slope(piece: &Conj, row: &Row, column: usize) -> f64 {
    let first = piece.n_cols() - piece.n_divs();
    let divided = row[first..].iter().zip(piece.divs());
    let in_divisions = divided.map(|(c, div)| float(c) * float(&div.num[column]) / float(&div.den));
    float(&row[column]) + in_divisions.sum::<f64>()
}

/// The value to expect of an offset, under the constraints of the system: the default, or what is nearest to it.
fn nearest(default: i64, system: &System, param: usize, b: &Budget) -> Outcome<Int> {
    let least = bound(system, param, 1, b)?.map(|(num, den)| num.div_ceil(&den));
    let most = bound(system, param, -1, b)?.map(|(num, den)| (-num).div_floor(&den));
    let value = least.map_or(Int::from(default), |least| least.max(Int::from(default)));
    Ok(most.map_or(value.clone(), |most| most.min(value)))
}

/// Whether a point is in a conjunction over parameters, as far as constraints without locals tell.
fn holds(piece: &Conj, point: &[Int]) -> bool {
    let value = |row: &Row| -> Option<Int> {
        let (known, locals) = row[1..].split_at(point.len());
        locals
            .iter()
            .all(Int::is_zero)
            .then(|| known.iter().zip(point).fold(row[0].clone(), |sum, (x, y)| sum + x * y))
    };
    piece.eqs().iter().filter_map(value).all(|value| value.is_zero())
        && piece.ineqs().iter().filter_map(value).all(|value| !value.is_neg())
}

/// The value to expect of a parameter, under the constraints of the system.
fn typical(default: i64, system: &System, param: usize, b: &Budget) -> Outcome<Int> {
    let least = bound(system, param, 1, b)?.map(|(num, den)| num.div_ceil(&den));
    let most = bound(system, param, -1, b)?.map(|(num, den)| (-num).div_floor(&den));
    let is_factor = |most: &Int| (most - &Int::from(FACTOR)).abs() <= ABOUT;
    Ok(match (least, most) {
        (_, Some(most)) if most <= CLOSE && !is_factor(&most) => most,
        (Some(least), _) => least.max(Int::from(default)),
        (None, _) => Int::from(default),
    })
}

/// The minimum of a variable, or of its negative, as a fraction; `None` where there is none.
fn bound(system: &System, column: usize, sign: i64, b: &Budget) -> Outcome<Option<(Int, Int)>> {
    let mut row: Row = zeros(1 + system.n);
    row[1 + column] = Int::from(sign);
    Ok(match lp::minimize(system, &row, b)? {
        Optimum::Finite { num, den } => Some((num, den)),
        Optimum::Empty | Optimum::Unbounded => None,
    })
}

/// The number, as near as a floating-point number comes.
pub(crate) fn float(x: &Int) -> f64 {
    match x.to_i64() {
        Some(small) => small as f64,
        None if x.is_neg() => f64::MIN,
        None => f64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// The lengths of the dimensions of a statement with this domain.
    fn check(instances: &str, expected: Expect) {
        check_assuming("", instances, expected);
    }

    /// The same under an assumption.
    fn check_assuming(assumption: &str, instances: &str, expected: Expect) {
        let program = format!(
            "program
  context: [n] -> {{ : }}
  assumptions: [n] -> {{ : {assumption} }}
  statement S
    domain: [n] -> {{ S[i, j] : {instances} }}
    schedule: {{ S[i, j] -> [i, j] }}
"
        );
        let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
        let b = Budget::new(10_000);
        let lengths = Estimates::of(&program, &b).and_then(|estimates| estimates.lengths(&program.statements[0], &b));
        expected.assert_eq(&format!("{:?}", lengths.expect("within the budget").0));
    }

    #[test]
    fn holes_count_for_nothing() {
        check("0 <= i < n and 0 <= j < n and j != i", expect!["[1000.0, 1000.0]"]);
        check("0 <= i < n and i != 7 and 0 <= j <= i", expect!["[1000.0, 500.5]"]);
    }

    #[test]
    fn limits_of_factors_are_no_sizes() {
        check_assuming("n <= 32769", "0 <= i < n and 0 <= j < n", expect!["[1000.0, 1000.0]"]);
        check_assuming("n <= 30000", "0 <= i < n and 0 <= j < n", expect!["[30000.0, 30000.0]"]);
    }

    #[test]
    fn of_a_frame_the_largest_side_counts() {
        check(
            "0 <= i < n and 0 <= j < n and (i = 0 or j = 0)",
            expect!["[1.0, 1000.0]"],
        );
    }
}
