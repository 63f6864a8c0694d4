//! Regions: the values of a schedule dimension cut into ranges that lie one after the other (P1 sections 5.4, 5.7).

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::ast::build::scope::{Executed, Scope};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{Conj, Params, Set, SetSpace, Tuple};
use crate::tree::LoopKind;

/// The largest number of regions that separation may make of one dimension; beyond it there is one loop for what
/// overlaps, with conditions inside.
const MAX_SEPARATED: usize = 12;

/// Part of what is executed, with the values of the new schedule dimension for which something in it is.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// A superset of the values, over schedule space with the new dimension as its last variable.
    pub(super) shape: Conj,
    /// What is executed there: the statement's position in the scope's list and a conjunction of it.
    pub(super) pieces: Vec<(usize, Conj)>,
}

/// What one loop runs over.
#[derive(Clone, Debug)]
pub(super) struct Region {
    parts: Vec<Part>,
    /// The statements of the scope, which `pieces` refer to.
    statements: Vec<Tuple>,
    /// Full tiles were split off from it.
    pub(super) partial_tile: bool,
}

impl Region {
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The executed relation in this region.
    pub(super) fn executed(&self) -> Vec<Executed> {
        let mut result: Vec<Executed> = Vec::new();
        for (index, statement) in self.statements.iter().enumerate() {
            let of_part = |part: &Part| part.pieces.clone();
            let pieces: Vec<Conj> = self
                .parts
                .iter()
                .flat_map(of_part)
                .filter(|(i, _)| *i == index)
                .map(|(_, p)| p)
                .collect();
            if !pieces.is_empty() {
                result.push(Executed {
                    statement: statement.clone(),
                    pieces,
                });
            }
        }
        result
    }

    /// The region marked as one from which full tiles were split off.
    pub(super) fn without_full_tiles(self) -> Region {
        Region {
            partial_tile: true,
            ..self
        }
    }

    /// The region with one of its parts only.
    pub(super) fn part_only(&self, part: &Part) -> Region {
        Region {
            parts: vec![part.clone()],
            ..self.clone()
        }
    }

    /// A statement that is executed here, for messages.
    pub(super) fn some_statement(&self) -> String {
        let index = self.parts.iter().flat_map(|p| &p.pieces).map(|(i, _)| *i).next();
        index.map(|i| self.statements[i].to_string()).unwrap_or_default()
    }

    /// The region with every part restricted to `slice`; `None` where nothing is left.
    pub(super) fn restricted(&self, slice: &Conj, scope: &Scope, b: &Budget) -> Outcome<Option<Region>> {
        let mut parts = Vec::new();
        for part in &self.parts {
            let shape = part.shape.intersect(slice);
            if !is_empty_in(&shape, scope, b)? {
                parts.extend(restrict(part, shape, slice, b)?);
            }
        }
        let region = Region {
            parts,
            statements: self.statements.clone(),
            partial_tile: self.partial_tile,
        };
        Ok((!region.parts.is_empty()).then_some(region))
    }
}

/// Whether a conjunction over schedule space with one more dimension has no point in the scope.
pub(super) fn is_empty_in(conj: &Conj, scope: &Scope, b: &Budget) -> Outcome<bool> {
    conj.intersect(&widened(&scope.known, conj.n_vars())).is_empty(b)
}

/// A conjunction with further, unconstrained variables at the end.
pub(super) fn widened(conj: &Conj, n_vars: usize) -> Conj {
    conj.insert_vars(conj.n_vars(), n_vars - conj.n_vars())
}

/// The part with what is executed where `restriction` holds.
fn restrict(part: &Part, shape: Conj, restriction: &Conj, b: &Budget) -> Outcome<Option<Part>> {
    let mut pieces = Vec::with_capacity(part.pieces.len());
    for (index, piece) in &part.pieces {
        let piece = piece.intersect(&widened(restriction, piece.n_vars()));
        if !piece.is_empty(b)? {
            pieces.push((*index, piece));
        }
    }
    Ok((!pieces.is_empty()).then_some(Part { shape, pieces }))
}

/// The regions of what is executed, in no particular order and possibly overlapping.
pub(super) fn regions(
    extended: &[Executed],
    scope: &Scope,
    kind: LoopKind,
    n_params: usize,
    b: &Budget,
) -> Outcome<Vec<Region>> {
    let n_outer = n_params + scope.depth() + 1;
    let mut parts = Vec::new();
    for (index, executed) in extended.iter().enumerate() {
        for piece in &executed.pieces {
            let shape = piece.eliminate_rational(n_outer, piece.n_vars() - n_outer, b)?;
            if !is_empty_in(&shape, scope, b)? {
                parts.push(Part {
                    shape,
                    pieces: vec![(index, piece.clone())],
                });
            }
        }
    }
    let statements: Vec<_> = extended.iter().map(|e| e.statement.clone()).collect();
    if kind == LoopKind::Separate
        && parts.len() > 1
        && let Some(separated) = separate(&parts, scope, b)?
    {
        parts = separated;
    }
    let region = |parts: Vec<Part>| Region {
        parts,
        statements: statements.clone(),
        partial_tile: false,
    };
    Ok(match kind {
        LoopKind::Atomic if !parts.is_empty() => vec![region(parts)],
        _ => parts.into_iter().map(|part| region(vec![part])).collect(),
    })
}

/// Parts whose shapes are disjoint in the new dimension, or `None` where there would be too many.
fn separate(parts: &[Part], scope: &Scope, b: &Budget) -> Outcome<Option<Vec<Part>>> {
    let mut done: Vec<Part> = Vec::new();
    for part in parts {
        // Only what constrains the new dimension cuts ranges; the rest stays a condition.
        let range = on_last_variable(&part.shape);
        let mut next: Vec<Part> = Vec::new();
        let mut rest = vec![range.clone()];
        for old in &done {
            let common = old.shape.intersect(&range);
            if is_empty_in(&common, scope, b)? {
                next.push(old.clone());
                continue;
            }
            let mut both = Part {
                shape: common,
                pieces: old.pieces.clone(),
            };
            both.pieces.extend(part.pieces.iter().cloned());
            next.push(both);
            for shape in difference(&old.shape, &range, scope, b)? {
                next.push(Part {
                    shape,
                    pieces: old.pieces.clone(),
                });
            }
            let mut remaining = Vec::new();
            for shape in &rest {
                remaining.extend(difference(shape, &old.shape, scope, b)?);
            }
            rest = remaining;
        }
        next.extend(rest.into_iter().map(|shape| Part {
            shape,
            pieces: part.pieces.clone(),
        }));
        if next.len() > MAX_SEPARATED {
            return Ok(None);
        }
        done = next;
    }
    let mut result = Vec::new();
    for part in &done {
        if let Some(part) = restrict(part, part.shape.clone(), &part.shape, b)? {
            result.push(part);
        }
    }
    Ok(Some(result))
}

/// The constraints of a conjunction that involve its last variable, also through divisions.
fn on_last_variable(conj: &Conj) -> Conj {
    let column = conj.n_vars();
    let mut relevant = vec![false; 1 + conj.n_vars() + conj.n_divs()];
    relevant[column] = true;
    for (index, div) in conj.divs().iter().enumerate() {
        relevant[1 + conj.n_vars() + index] = involves(&div.num, &relevant);
    }
    let mut result = conj.map_constraints(|row, _| involves(row, &relevant).then(|| row.clone()));
    result.simplify();
    result
}

fn involves(row: &Row, relevant: &[bool]) -> bool {
    row.iter()
        .zip(relevant)
        .any(|(coefficient, relevant)| *relevant && !coefficient.is_zero())
}

/// `a` without `b`, as disjoint conjunctions that are not empty in the scope.
pub(super) fn difference(a: &Conj, b: &Conj, scope: &Scope, budget: &Budget) -> Outcome<Vec<Conj>> {
    let mut result = Vec::new();
    let space = SetSpace::new(Params::none(), Tuple::anonymous(a.n_vars()));
    let set = |conj: &Conj| Set::from_conj(space.clone(), conj.clone());
    for piece in set(a).subtract(&set(b), budget)?.pieces() {
        if !is_empty_in(piece, scope, budget)? {
            result.push(piece.clone());
        }
    }
    Ok(result)
}

/// The regions in an order in which their loops can follow each other. Regions that overlap or interleave become one.
pub(super) fn ordered(regions: Vec<Region>, scope: &Scope, n_params: usize, b: &Budget) -> Outcome<Vec<Region>> {
    if regions.len() < 2 {
        return Ok(regions);
    }
    let mut graph: DiGraph<Region, ()> = DiGraph::new();
    let nodes: Vec<_> = regions.into_iter().map(|region| graph.add_node(region)).collect();
    for (position, &first) in nodes.iter().enumerate() {
        for &second in &nodes[position + 1..] {
            let (one, two) = (&graph[first], &graph[second]);
            let forward = some_pair(one, two, Order::Before, scope, n_params, b)?;
            let backward = some_pair(two, one, Order::Before, scope, n_params, b)?;
            let together = !(forward && backward) && some_pair(one, two, Order::Same, scope, n_params, b)?;
            if forward || together {
                graph.add_edge(first, second, ());
            }
            if backward || together {
                graph.add_edge(second, first, ());
            }
        }
    }
    // Tarjan's components come in reverse topological order.
    let mut result = Vec::new();
    for mut component in tarjan_scc(&graph).into_iter().rev() {
        component.sort();
        let mut merged = graph[component[0]].clone();
        for &other in &component[1..] {
            merged.parts.extend(graph[other].parts.iter().cloned());
            merged.partial_tile |= graph[other].partial_tile;
        }
        result.push(merged);
    }
    Ok(result)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Before,
    Same,
}

/// Whether some value of `a` is before, or the same as, some value of `b`, outer dimensions being the same.
fn some_pair(a: &Region, b: &Region, order: Order, scope: &Scope, n_params: usize, budget: &Budget) -> Outcome<bool> {
    let n_outer = n_params + scope.depth();
    for one in &a.parts {
        for two in &b.parts {
            // Variables: outer, the value in a, the value in b.
            let one = widened(&one.shape, n_outer + 2);
            let two = two.shape.insert_vars(n_outer, 1);
            let mut pair = one.intersect(&two).intersect(&widened(&scope.known, n_outer + 2));
            let mut row = zeros(1 + n_outer + 2);
            row[1 + n_outer] = Int::from(-1);
            row[1 + n_outer + 1] = Int::ONE;
            if order == Order::Before {
                row[0] = Int::from(-1);
                pair.add_ineq(row);
            } else {
                pair.add_eq(row);
            }
            if !pair.is_empty(budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
