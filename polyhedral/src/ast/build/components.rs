//! Components: statements whose loops can follow each other (P1 sections 5.7 and 6.3).
//!
//! A statement `b` follows `a` if some instance of `b` is executed after one of `a` with the same values of the schedule dimensions
//! outside. The dimensions are looked at one after the other: in the first in which `b` may be larger it follows; where it
//! cannot be equal either, it does not; otherwise the next decides, and at the end the nodes below the band.
//!
//! For example in `{ S0[] -> [0]; S1[i] -> [i] : 0 <= i < 10 }`, `S0` does not follow `S1`, so that there is no need for a loop in
//! which `S0` is executed for `i = 0`: it is executed before the loop.

use crate::ast::build::executed::Executed;
use crate::ast::build::sort;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::zeros;
use crate::sets::{Conj, Map, Tuple};
use crate::tree::{Filter, Node, Share};

/// The executed relation cut in parts that can be executed one after the other, where the first `depth` schedule dimensions
/// have values. `inside` is what comes after the schedule dimensions.
pub(super) fn components(
    executed: &Executed,
    depth: usize,
    inside: Option<&Node>,
    b: &Budget,
) -> Outcome<Vec<Executed>> {
    let n = executed.relations().len();
    if n < 2 {
        return Ok(vec![executed.clone()]);
    }
    let groups = sort::groups(n, |early, late| follows(executed, depth, late, early, inside, b))?;
    Ok(match groups.len() {
        1 => vec![executed.clone()],
        _ => groups.iter().map(|group| executed.select(group)).collect(),
    })
}

/// Whether some instance of statement `late` is executed after one of `early`.
fn follows(
    executed: &Executed,
    depth: usize,
    late: usize,
    early: usize,
    inside: Option<&Node>,
    b: &Budget,
) -> Outcome<bool> {
    let (early, late) = (&executed.relations()[early], &executed.relations()[late]);
    let n_params = executed.params().len();
    let mut pairs: Vec<Conj> = Vec::new();
    for one in early.pieces() {
        for other in late.pieces() {
            let pair = paired(one, other, n_params, depth, early);
            if !pair.is_empty(b)? {
                pairs.push(pair);
            }
        }
    }
    let n = early.domain_tuple().n();
    let early_first = n_params;
    let late_first = n_params + n + early.range_tuple().n();
    for dim in depth..n {
        let mut equal = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let mut later = pair.clone();
            let mut row = zeros(pair.n_cols());
            row[0] = -Int::ONE;
            row[1 + early_first + dim] = -Int::ONE;
            row[1 + late_first + dim] = Int::ONE;
            later.add_ineq(row);
            if !later.is_empty(b)? {
                return Ok(true);
            }
            let mut same = pair;
            same.equate(early_first + dim, late_first + dim);
            if !same.is_empty(b)? {
                equal.push(same);
            }
        }
        pairs = equal;
        if pairs.is_empty() {
            return Ok(false);
        }
    }
    if pairs.is_empty() {
        return Ok(false);
    }
    match inside {
        None => Ok(false),
        Some(node) => {
            let both = Executed::new(executed.params().clone(), n, vec![early.clone(), late.clone()], b)?;
            follows_in_node(node, &both, b)
        }
    }
}

/// Pairs of what both conjunctions describe, with the same values of the first `depth` schedule dimensions: the variables are
/// the parameters, all others of the first and all others of the second.
fn paired(one: &Conj, other: &Conj, n_params: usize, depth: usize, early: &Map) -> Conj {
    let n_one = early.domain_tuple().n() + early.range_tuple().n();
    let n_other = other.n_vars() - n_params;
    let mut both = one
        .insert_vars(one.n_vars(), n_other)
        .intersect(&other.insert_vars(n_params, n_one));
    (0..depth).for_each(|dim| both.equate(n_params + dim, n_params + n_one + dim));
    both
}

/// Whether the second of two statements follows the first in a node that some of their instances reach with the same values of
/// all schedule dimensions. Where that is not plain, it may.
fn follows_in_node(node: &Node, both: &Executed, b: &Budget) -> Outcome<bool> {
    let [early, late] = both.relations() else {
        return Ok(false);
    };
    let (early, late) = (early.range_tuple(), late.range_tuple());
    match node {
        Node::Leaf => Ok(false),
        Node::Mark(_, child) | Node::Context(_, child) | Node::Guard(_, child) => follows_in_node(child, both, b),
        Node::Filter(filter) => follows_in_node(&filter.child, both, b),
        Node::Sequence(children) => match only_children(children, early, late) {
            Some((e, l)) if e == l => follows_in_node(&children[e].child, both, b),
            Some((e, l)) => Ok(l > e),
            None => Ok(true),
        },
        Node::Set(children) => match only_children(children, early, late) {
            Some((e, l)) if e == l => follows_in_node(&children[e].child, both, b),
            Some(_) => Ok(false),
            None => Ok(true),
        },
        Node::Band(band) => {
            let depth = both.relations()[0].domain_tuple().n();
            let extended = both.scheduled(band.schedule(), b)?;
            if extended.relations().len() < 2 {
                return Ok(false);
            }
            follows(&extended, depth, 1, 0, Some(&band.child), b)
        }
        // Instances that stand for others, or for which others are introduced, stay together.
        Node::Expansion(_) | Node::Extension(..) => Ok(true),
    }
}

/// The only child that each of the statements reaches.
fn only_children(children: &[Filter], early: &Tuple, late: &Tuple) -> Option<(usize, usize)> {
    let only = |statement: &Tuple| {
        let mut reached = (0..children.len()).filter(|c| children[*c].share(statement) != Share::Nothing);
        match (reached.next(), reached.next()) {
            (Some(child), None) => Some(child),
            _ => None,
        }
    };
    only(early).zip(only(late))
}
