//! Which values lanes hand on to each other, in wavefronts whose rows are lanes.
//!
//! With lane `l` of row `r + l` two columns behind the one before it, `A[i][j - 1]` is what the lane itself wrote one iteration before,
//! and `A[i - 1][j + 1]` what the lane before it did. The emitter finds all of these; here are those within a statement.

use farkas_polyhedral::linalg::dot;
use farkas_polyhedral::program::{Access, AccessId, AccessKind, Statement};
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;

use super::linear::{LinearAccess, LinearStatement, Stride};

/// Where the value of a read comes from: what an access had so many lanes further down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) lanes: i64,
    pub(crate) iterations: i64,
}

/// The steps of the loop over lanes and of the loop around it, as moves of an instance.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'r> {
    pub(crate) lanes: &'r [farkas_polyhedral::int::Int],
    pub(crate) innermost: &'r [farkas_polyhedral::int::Int],
}

/// The source of a read, if lanes hand its value on.
pub(crate) fn source(statement: &Statement, linear: &LinearStatement, read: usize, steps: Steps<'_>) -> Option<Source> {
    let own = &linear.accesses[read];
    if own.writes {
        return None;
    }
    let array = statement.accesses[read].array();
    let mut best: Option<Source> = None;
    for (position, other) in linear.accesses.iter().enumerate() {
        if statement.accesses[position].array() != array || position == read {
            continue;
        }
        // What is accessed under a condition is at hand in some lanes only.
        if statement.is_conditional(AccessId(position)) {
            continue;
        }
        let Some((lanes, iterations)) = distance(own, other, steps) else {
            continue;
        };
        let is_earlier = match (iterations, lanes) {
            (0, 0) => position < read,
            (0, lanes) => lanes > 0 && !other.writes,
            _ => (1..=Mark::SHIFTED_ITERATIONS).contains(&iterations),
        };
        let source = Source { lanes, iterations };
        let order = |source: &Source| (source.iterations, source.lanes.abs());
        if is_earlier && best.as_ref().is_none_or(|best| order(&source) < order(best)) {
            best = Some(source);
        }
    }
    best
}

/// By how many lanes and iterations one access is behind another one where both meet.
fn distance(own: &LinearAccess, other: &LinearAccess, steps: Steps<'_>) -> Option<(i64, i64)> {
    let (own, other) = (own.unfolded()?, other.unfolded()?);
    if own.len() != other.len() {
        return None;
    }
    let mut equations = Vec::new();
    for ((row, constant), (others, of_other)) in own.iter().zip(other) {
        if row != others {
            return None;
        }
        let (x, y) = (dot(row, steps.lanes).to_i64()?, dot(row, steps.innermost).to_i64()?);
        equations.push((x as f64, y as f64, of_other - constant));
    }
    let pairs = || equations.iter().flat_map(|p| equations.iter().map(move |q| (p, q)));
    let minor = |(p, q): &(&(f64, f64, f64), &(f64, f64, f64))| p.0 * q.1 - q.0 * p.1;
    let (p, q) = pairs().find(|pair| minor(pair) != 0.0)?;
    let a = (p.2 * q.1 - q.2 * p.1) / minor(&(p, q));
    let b = (p.0 * q.2 - q.0 * p.2) / minor(&(p, q));
    let fits = equations.iter().all(|(x, y, sum)| a * x + b * y == *sum);
    (fits && a.fract() == 0.0 && b.fract() == 0.0).then_some((a as i64, b as i64))
}

/// The arrays of which lanes hand on elements in a statement.
pub(crate) fn arrays(statement: &Statement, linear: &LinearStatement, steps: Steps<'_>) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for (position, access) in statement.accesses.iter().enumerate() {
        let name = access.array().name().expect("an array has a name");
        let own = |other: &&Access| other.array() == access.array();
        let mut accesses = statement.accesses.iter().filter(own);
        let is_strided = linear.accesses[position].stride(steps.lanes) == Stride::Other
            && accesses.all(|other| other.kind != AccessKind::MayWrite);
        if is_strided && !names.contains(name) && source(statement, linear, position, steps).is_some() {
            names.push(name.clone());
        }
    }
    names
}
