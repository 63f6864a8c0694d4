//! Index-set splitting for dependences that wrap around (P1, 7.4; Griebl, Feautrier and Lengauer, *Index set splitting*, 2000;
//! Bondhugula et al., *Tiling and optimizing time-iterated computations on periodic domains*, 2014).
//!
//! In a loop over time around a periodic domain, the first element depends on the last one and the last on the first. One row
//! for all instances has to be large or constant along the domain, for its distance must be negative on neither. If the
//! domain is cut in the middle and one half reversed, both ends come to lie beside each other, and so do the instances on
//! both sides of the cut.
//!
//! # Definitions
//!
//! Along dimension `d`, a pair `x -> y` of instances has the distance `y_d - x_d` and the *middle* `(x_d + y_d) / 2`. A
//! disjunct of the constraints on order is *long* along `d` if its distances have no bound, or one that is larger than half of
//! the size of the statements along `d` (P0, 7.5.2). A *cut* along `d` is an affine function `c` of the parameters; it
//! makes two pieces of a statement, `2 k x_d <= c` and `2 k x_d > c`, where `k` is 1 unless the middles are no multiples of 1/2.
//!
//! # Method
//!
//! For every strongly connected component of the constraints on order and every dimension `d`:
//!
//! 1. The middles of all pairs that are long along `d` have to lie in a strip `l <= x_d + y_d <= l + w`, with `l` affine in the
//!    parameters and `w` a number, of at most half of the size along `d` where there is one. Otherwise the pairs do not wrap
//!    around, and there is no cut. The constraints of the cone over all `(1, parameters, x_d + y_d)` say what strips there are.
//! 2. The cut is the middle of the narrowest strip, `l + floor(w / 2)`.
//!
//! The pieces that the cuts make of a statement, of which those without instances do not count, are scheduled as statements
//! of their own. That a piece should be reversed is not said to the scheduler: a row that makes long distances short is one
//! with negative coefficients for the upper half and a multiple of `c` as its constant, which it finds. The pieces become one
//! statement again in the tree, whose bands then have a function for each piece.
//!
//! The split schedule is only taken if it is better: the outermost bands of all statements have as many members as without
//! splitting, and some more; or if there is no schedule without.
//!
//! # Running example
//!
//! `S[t, i] -> S[t + 1, i + 1 mod n]; S[t, i] -> S[t + 1, i - 1 mod n]` for `0 <= i < n` (P1, equations 61 to 64, with an even
//! size) has the pairs `S[t, n - 1] -> S[t + 1, 0]` and `S[t, 0] -> S[t + 1, n - 1]`, both with `x_1 + y_1 = n - 1`. Without
//! splitting, `t` is alone in its band. Cut by `2 i <= n - 1`, there is the band
//!
//! ```text
//! t,  { t + i if 2 i < n;  t + n - 1 - i if 2 i >= n }.
//! ```

use super::components::strong_components;
use super::graph::{Graph, ParameterBounds, Statements, Vertices, cone_over};
use super::output::aff;
use super::{ScheduleConstraints, ScheduleError};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{Map, Name, Params, PwAff, Set, SetSpace, Tuple, UnionMap, UnionPwMultiAff};
use crate::solver::{System, cone};
use crate::tree::{Filter, Node, RewriteError, Tree};

/// The largest number of cuts of a statement: it may make a piece for each combination of their sides.
const MAX_CUTS: usize = 3;

/// The statements that are split, each with the injective functions from its instances to those of its pieces.
pub(super) struct Split {
    statements: Vec<(Tuple, Vec<Map>)>,
}

/// A cut of a statement: the row `[c | parameters | dimensions]` of `c - 2 k x_d`.
type Cut = Row;

impl Split {
    /// The pieces that dependences which wrap around make of the statements; none if there are no such dependences.
    pub(super) fn of(constraints: &ScheduleConstraints, b: &Budget) -> Outcome<Option<Split>> {
        let (statements, graph, open) = Graph::new(constraints, ParameterBounds::Dropped, Vertices::Rational, b)?;
        let validity = open.dependences.iter().filter(|d| d.kinds.validity);
        let conditioned = open.conditioned.iter();
        let pairs: Vec<Pairs> = validity
            .map(|d| (d.source, d.target, &d.pairs))
            .chain(conditioned.flat_map(|t| t.pairs.iter().map(|pairs| (t.source, t.target, pairs))))
            .collect();
        let nodes: Vec<usize> = (0..graph.nodes.len()).collect();
        let mut split = Vec::new();
        for component in strong_components(&nodes, pairs.iter().map(|&(s, t, _)| (s, t))) {
            let within = |node: &usize| component.binary_search(node).is_ok();
            let own: Vec<Pairs> = pairs
                .iter()
                .filter(|(s, t, _)| within(s) && within(t))
                .copied()
                .collect();
            let dims = component.iter().map(|&node| graph.nodes[node].dim).max().unwrap_or(0);
            let mut cuts: Vec<Vec<Cut>> = vec![Vec::new(); component.len()];
            for dim in 0..dims {
                if let Some(cut) = cut(&graph, &own, dim, b)? {
                    for (cuts, &node) in cuts.iter_mut().zip(&component) {
                        let n = graph.nodes[node].dim;
                        if dim < n && cuts.len() < MAX_CUTS {
                            cuts.push(on_dimension(&cut, graph.n_params, n, dim));
                        }
                    }
                }
            }
            for (cuts, &node) in cuts.iter().zip(&component) {
                let pieces = pieces(constraints, &statements, node, cuts, b)?;
                if pieces.len() > 1 {
                    split.push((statements.tuples[node].clone(), pieces));
                }
            }
        }
        Ok((!split.is_empty()).then(|| Split::named(constraints, split)))
    }

    /// The split of some statements into the given sets, whose pieces get names that no statement has.
    fn named(constraints: &ScheduleConstraints, split: Vec<(Tuple, Vec<Set>)>) -> Split {
        let names: Vec<&str> = constraints
            .domain
            .tuples()
            .filter_map(|t| t.name())
            .map(Name::as_str)
            .collect();
        let mut fresh = (0..)
            .map(|k| format!("P_{k}"))
            .filter(|name| !names.contains(&name.as_str()));
        let mut function = |statement: &Tuple, set: &Set| {
            let name = fresh.next().expect("there is always another name");
            let piece = Tuple::new(&name, statement.n());
            Map::identity(set.params().clone(), statement.clone())
                .intersect_domain(set)
                .with_range_tuple(piece)
        };
        let mut statements = Vec::with_capacity(split.len());
        for (statement, sets) in split {
            let functions = sets.iter().map(|set| function(&statement, set)).collect();
            statements.push((statement, functions));
        }
        Split { statements }
    }

    fn functions(&self, statement: &Tuple) -> &[Map] {
        let own = self.statements.iter().find(|(tuple, _)| tuple == statement);
        own.map_or(&[], |(_, functions)| functions)
    }

    /// The constraints on the pieces.
    pub(super) fn constraints(&self, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<ScheduleConstraints> {
        let mut split = constraints.mapped(&|statement| self.functions(statement).to_vec(), b)?;
        for (statement, reference) in &constraints.intra_consecutivity {
            for function in self.functions(statement) {
                split
                    .intra_consecutivity
                    .push((function.range_tuple().clone(), reference.clone()));
            }
        }
        Ok(split)
    }

    /// The schedule of the statements that a schedule of the pieces is.
    pub(super) fn merged(&self, constraints: &ScheduleConstraints, tree: &Tree, b: &Budget) -> Outcome<Tree> {
        let mut to_pieces = UnionMap::empty(Params::none());
        for statement in constraints.domain.tuples() {
            match self.functions(statement) {
                [] => to_pieces.add(&Map::identity(Params::none(), statement.clone())),
                functions => functions.iter().for_each(|function| to_pieces.add(function)),
            }
        }
        let function = UnionPwMultiAff::from_union_map(&to_pieces, b)?.expect("an instance is in one piece");
        let merged = match tree.pullback(&function, b) {
            Ok(merged) => merged,
            Err(RewriteError::OutOfBudget(error)) => return Err(error),
            Err(error) => unreachable!("a tree of the scheduler: {error}"),
        };
        Ok(Tree {
            domain: constraints.domain.clone(),
            context: constraints.context.clone(),
            root: coalesced(merged.root, b)?,
        })
    }

    /// Whether the schedule `split` of the pieces has larger outermost bands than the schedule `whole`: for no statement a
    /// smaller one, and for some a larger one.
    pub(super) fn is_better(&self, split: &Tree, whole: &Tree) -> bool {
        let mut better = false;
        for statement in whole.domain.tuples() {
            let before = outermost(&whole.root, statement);
            let after = match self.functions(statement) {
                [] => outermost(&split.root, statement),
                functions => {
                    let pieces = functions
                        .iter()
                        .map(|function| outermost(&split.root, function.range_tuple()));
                    pieces.min().expect("a statement is split into some pieces")
                }
            };
            if after < before {
                return false;
            }
            better |= after > before;
        }
        better
    }
}

/// The pairs of a disjunct, with their source and their target.
type Pairs<'a> = (usize, usize, &'a System);

/// The middles of pairs, as generators of the cone over all `(1, parameters, x_d + y_d)`.
#[derive(Default)]
struct Middles {
    lines: Vec<Row>,
    rays: Vec<Row>,
    /// The smallest size of a statement of which there are pairs, if it has a fixed one.
    size: Option<Int>,
}

/// The row `[c | parameters | -k]` of the cut `2 k x_d <= c` that the long ones of some pairs ask for along a dimension.
fn cut(graph: &Graph, pairs: &[Pairs], dim: usize, b: &Budget) -> Outcome<Option<Row>> {
    let first = 1 + graph.n_params;
    let mut middles = Middles::default();
    for &(source, target, pairs) in pairs {
        let (from, to) = (&graph.nodes[source], &graph.nodes[target]);
        if dim >= from.dim.min(to.dim) {
            continue;
        }
        let cone = cone_over(pairs, graph.n_params, graph.parameter_bounds, b)?;
        let (x, y) = (first + dim, first + from.dim + dim);
        let size = [from, to].into_iter().filter_map(|node| node.sizes[dim].clone()).min();
        let unbounded = |v: &Row| v[x] != v[y];
        let far = |v: &Row| match &size {
            _ if v[0].is_zero() => unbounded(v),
            Some(size) => (&v[y] - &v[x]).abs() * Int::from(2) > size * &v[0],
            None => false,
        };
        if !cone.lines.iter().any(unbounded) && !cone.rays.iter().any(far) {
            continue;
        }
        let middle = |v: &Row| {
            let mut row = Row::from(&v[..first]);
            row.push(&v[x] + &v[y]);
            row
        };
        middles.lines.extend(cone.lines.iter().map(middle));
        middles.rays.extend(cone.rays.iter().map(middle));
        middles.size = middles.size.into_iter().chain(size).min();
    }
    middles.cut(first, b)
}

impl Middles {
    /// The middle of the narrowest strip, with the parameters up to column `last`: see [`cut`].
    fn cut(&self, last: usize, b: &Budget) -> Outcome<Option<Row>> {
        if self.lines.is_empty() && self.rays.is_empty() {
            return Ok(None);
        }
        // The constraints of a cone are the generators of its dual.
        let dual = cone::generators(last + 1, &self.lines, &self.rays, b)?;
        if let Some(row) = dual.lines.iter().find(|row| !row[last].is_zero()) {
            let sign = if row[last].is_pos() { -Int::ONE } else { Int::ONE };
            return Ok(Some(row.iter().map(|a| a * &sign).collect()));
        }
        let mut narrowest: Option<(Int, Row)> = None;
        for upper in dual.rays.iter().filter(|row| row[last].is_neg()) {
            let k = -&upper[last];
            for lower in &dual.rays {
                if (1..=last).any(|i| !(&lower[i] + &upper[i]).is_zero()) {
                    continue;
                }
                // k times the width of the strip.
                let width = &lower[0] + &upper[0];
                let fits = self.size.as_ref().is_none_or(|size| Int::from(2) * &width <= &k * size);
                let narrower = narrowest.as_ref().is_none_or(|(w, row)| &width * -&row[last] < w * &k);
                if fits && narrower {
                    let mut row = upper.clone();
                    row[0] = width.div_floor(&Int::from(2)) - &lower[0];
                    narrowest = Some((width, row));
                }
            }
        }
        Ok(narrowest.map(|(_, row)| row))
    }
}

/// A cut `[c | parameters | -k]` along dimension `dim` of a statement with `n` dimensions.
fn on_dimension(cut: &Row, n_params: usize, n: usize, dim: usize) -> Cut {
    let mut row = zeros(1 + n_params + n);
    row[..1 + n_params].clone_from_slice(&cut[..1 + n_params]);
    row[1 + n_params + dim] = &cut[1 + n_params] * Int::from(2);
    row
}

/// The parts of a statement's space that its cuts make and that have instances.
fn pieces(
    constraints: &ScheduleConstraints,
    statements: &Statements,
    node: usize,
    cuts: &[Cut],
    b: &Budget,
) -> Outcome<Vec<Set>> {
    let tuple = &statements.tuples[node];
    let domain = constraints.domain.extract(tuple);
    let space = SetSpace::new(statements.params.clone(), tuple.clone());
    let mut pieces = vec![Set::universe(space.clone())];
    for cut in cuts {
        let below = PwAff::from(aff(&space, cut)).nonneg_set();
        let above = PwAff::from(aff(&space, cut).neg().add_constant(&-Int::ONE)).nonneg_set();
        let mut smaller = Vec::with_capacity(2 * pieces.len());
        for piece in &pieces {
            for side in [&below, &above] {
                let part = piece.intersect(side);
                if !domain.intersect(&part).is_empty(b)? {
                    smaller.push(part);
                }
            }
        }
        pieces = smaller;
    }
    Ok(pieces)
}

/// The node with pieces joined again wherever they are not told apart.
fn coalesced(node: Node, b: &Budget) -> Outcome<Node> {
    let filters = |children: Vec<Filter>| -> Outcome<Vec<Filter>> {
        let filter = |child: Filter| {
            Ok(Filter {
                filter: child.filter.coalesce(b)?,
                child: coalesced(child.child, b)?,
            })
        };
        children.into_iter().map(filter).collect()
    };
    Ok(match node {
        Node::Band(band) => {
            let (schedule, child) = (band.schedule().coalesce(b)?, coalesced(band.child.clone(), b)?);
            Node::band(band.with_schedule(schedule).with_child(child))
        }
        Node::Sequence(children) => Node::Sequence(filters(children)?),
        Node::Set(children) => {
            let children = filters(children)?;
            let mut statements: Vec<&Tuple> = children.iter().flat_map(|child| child.filter.tuples()).collect();
            statements.dedup();
            if statements.len() == 1 && children.iter().all(|child| matches!(child.child, Node::Leaf)) {
                Node::Leaf
            } else {
                Node::Set(children)
            }
        }
        other => other,
    })
}

/// The number of members of the outermost band of a statement.
fn outermost(node: &Node, statement: &Tuple) -> usize {
    match node {
        Node::Band(band) => band.n(),
        Node::Sequence(children) | Node::Set(children) => {
            let own = children
                .iter()
                .find(|child| child.filter.tuples().any(|tuple| tuple == statement));
            own.map_or(0, |child| outermost(&child.child, statement))
        }
        _ => 0,
    }
}

/// The schedule of `constraints` that `schedule` finds, split where that is better.
pub(super) fn with_splitting(
    constraints: &ScheduleConstraints,
    schedule: impl Fn(&ScheduleConstraints) -> Result<Tree, ScheduleError>,
    b: &Budget,
) -> Result<Tree, ScheduleError> {
    let whole = schedule(constraints);
    if matches!(
        whole,
        Err(ScheduleError::OutOfBudget(_) | ScheduleError::OtherDimensions { .. })
    ) {
        return whole;
    }
    let Some(split) = Split::of(constraints, b)? else {
        return whole;
    };
    let pieces = match schedule(&split.constraints(constraints, b)?) {
        Err(ScheduleError::NoSchedule { .. }) => return whole,
        pieces => pieces?,
    };
    let better = whole.as_ref().map_or(true, |whole| split.is_better(&pieces, whole));
    if better {
        Ok(split.merged(constraints, &pieces, b)?)
    } else {
        whole
    }
}
