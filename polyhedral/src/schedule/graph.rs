//! The dependence graph that is scheduled.
//!
//! A node is a statement; a [`Dependence`] is one disjunct of the schedule constraints from a statement to a statement,
//! as a system of constraints. The columns of every row are
//!
//! ```text
//! [1 | parameters | dimensions of the source | dimensions of the target | integer divisions]
//! ```

use super::ScheduleConstraints;
use super::conditional::{RowOf, unconditional};
use super::edges::{Edge, Vectors};
use super::node::Node;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, unit, zeros};
use crate::sets::{Conj, Map, Params, Set, Tuple, UnionMap};
use crate::solver::{System, cone, integer};
use indexmap::IndexMap;

/// The schedule of a statement in one dimension: `[constant | coefficients of parameters | coefficients of dimensions]`.
pub(super) type ScheduleRow = Row;

/// The systems of the pieces that are not empty.
pub(super) fn systems(pieces: &[Conj], budget: &Budget) -> Outcome<Vec<System>> {
    let mut systems = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let mut piece = piece.clone();
        if piece.simplify() {
            let system = piece.system();
            if !integer::is_empty(&system, budget)? {
                systems.push(system);
            }
        }
    }
    Ok(systems)
}

/// The generators of the cone `{ (h, x) : h >= 0, constant * h + a.x >= 0 for all constraints }` over a polyhedron. Those
/// with `h > 0` are its vertices (as `x / h`), the others its directions.
///
/// See [`ParameterBounds`] for the upper bounds on parameters.
pub(super) fn cone_over(
    system: &System,
    n_params: usize,
    bounds: ParameterBounds,
    budget: &Budget,
) -> Outcome<cone::Generators> {
    let bounds_params = |row: &&Row| {
        row[0].is_pos()
            && row[1..1 + n_params].iter().all(|a| !a.is_pos())
            && row[1 + n_params..].iter().all(Int::is_zero)
    };
    let dropped = |row: &&Row| bounds == ParameterBounds::Dropped && bounds_params(row);
    let mut ineqs: Vec<Row> = vec![unit(system.n + 1, 0)];
    ineqs.extend(system.ineqs.iter().filter(|r| !dropped(r)).cloned());
    cone::generators(system.n + 1, &system.eqs, &ineqs, budget)
}

/// What is done about upper bounds on parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterBounds {
    /// They are mostly artefacts of the types of a program's variables, and would turn distances that grow with a
    /// parameter into enormous constants. Without them the polyhedron is larger, which only makes for more constraints on
    /// a schedule.
    Dropped,
    /// Where these are too many, because the bounds tell cases apart.
    Kept,
}

/// Whether a disjunct of the constraints may have vertices that are not integral. Its rational points can be out of order
/// where its integer points are not, for unions are coalesced by what integers they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vertices {
    /// Yes: a disjunct is taken as it is.
    Rational,
    /// No, as far as that takes no more than [`MAX_PARTS`] parts: it is cut on both sides of such a vertex.
    Integral,
}

/// The largest number of parts that a disjunct is cut into.
const MAX_PARTS: usize = 16;

/// Parts of `system` with all of its integer points and, up to [`MAX_PARTS`], integral vertices.
fn integral_parts(system: System, n_params: usize, budget: &Budget) -> Outcome<Vec<System>> {
    let mut parts = Vec::new();
    let mut left = vec![system];
    while let Some(system) = left.pop() {
        if integer::is_empty(&system, budget)? {
            continue;
        }
        let vertices = cone_over(&system, n_params, ParameterBounds::Kept, budget)?.rays;
        let fractional = vertices.iter().filter(|vertex| vertex[0].is_pos()).find_map(|vertex| {
            let column = (1..vertex.len()).find(|&k| !vertex[k].mod_floor(&vertex[0]).is_zero())?;
            Some((column, vertex[column].div_floor(&vertex[0])))
        });
        match fractional {
            Some((column, floor)) if parts.len() + left.len() + 2 <= MAX_PARTS => {
                for (sign, constant) in [(Int::ONE, -&floor - Int::ONE), (-Int::ONE, floor)] {
                    let mut half = system.clone();
                    let mut row = zeros(half.n + 1);
                    (row[0], row[column]) = (constant, sign);
                    half.ineqs.push(row);
                    left.push(half);
                }
            }
            _ => parts.push(system),
        }
    }
    Ok(parts)
}

/// What a dependence asks of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// The target must not come before the source.
    pub(super) validity: bool,
    /// The target should be close to the source.
    pub(super) proximity: bool,
    /// The target should coincide with the source.
    pub(super) coincidence: bool,
}

/// One disjunct of the schedule constraints between two statements.
#[derive(Clone, Debug)]
pub(super) struct Dependence {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) kinds: Kinds,
    /// The pairs of instances, see the module for the columns.
    pub(super) pairs: System,
}

/// Some disjuncts of the conditions, or of the conditioned validity constraints, between two accesses.
#[derive(Clone, Debug)]
pub(super) struct Tagged {
    pub(super) source: usize,
    pub(super) target: usize,
    /// The access of the source that they come from, if there are tags.
    pub(super) source_tag: Option<Tuple>,
    /// That of the target.
    pub(super) target_tag: Option<Tuple>,
    /// The pairs of instances, see the module for the columns; without dimensions of the tags.
    pub(super) pairs: Vec<System>,
}

/// The constraints that no band carries yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    pub(super) dependences: Vec<Dependence>,
    /// Live ranges: as long as one is not local, the pairs in `conditioned` that it is adjacent to have to stay in order.
    pub(super) conditions: Vec<Tagged>,
    pub(super) conditioned: Vec<Tagged>,
}

impl Open {
    /// What has both ends in statements for which `within` holds.
    pub(super) fn within(&self, within: impl Fn(usize) -> bool) -> Open {
        let tagged = |all: &[Tagged]| {
            let inside = all.iter().filter(|t| within(t.source) && within(t.target));
            inside.cloned().collect()
        };
        let dependences = self.dependences.iter();
        Open {
            dependences: dependences
                .filter(|d| within(d.source) && within(d.target))
                .cloned()
                .collect(),
            conditions: tagged(&self.conditions),
            conditioned: tagged(&self.conditioned),
        }
    }

    /// Whether the order of any pair of instances matters.
    pub(super) fn orders_any(&self) -> bool {
        !self.conditioned.is_empty() || self.dependences.iter().any(|d| d.kinds.validity)
    }
}

/// What the indices of statements and the columns of parameters mean.
#[derive(Clone, Debug)]
pub(super) struct Statements {
    pub(super) params: Params,
    pub(super) tuples: Vec<Tuple>,
}

/// Statements and the constraints on their schedule.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) n_params: usize,
    pub(super) nodes: Vec<Node>,
    /// Between statements, the pairs of instances that should come one step after the other (P3, 4), as those that an
    /// edge asks to coincide.
    pub(super) steps: Vec<Edge>,
    /// Whether constraints between statements come with the upper bounds on parameters.
    pub(super) parameter_bounds: ParameterBounds,
}

impl Graph {
    /// The graph of some schedule constraints.
    pub(super) fn new(
        constraints: &ScheduleConstraints,
        parameter_bounds: ParameterBounds,
        vertices: Vertices,
        budget: &Budget,
    ) -> Outcome<(Statements, Graph, Open)> {
        let relations = [&constraints.validity, &constraints.proximity, &constraints.coincidence];
        let tagged = [&constraints.condition, &constraints.conditional_validity];
        let params = relations
            .iter()
            .chain(&tagged)
            .chain([&&constraints.inter_consecutivity])
            .fold(
                constraints.domain.params().union(constraints.context.params()),
                |all, r| all.union(r.params()),
            );
        let domains: Vec<Set> = constraints.domain.sets().map(|set| set.align_params(&params)).collect();
        let tuples: Vec<Tuple> = domains.iter().map(|set| set.tuple().clone()).collect();
        let context = constraints.context.align_params(&params);
        let mut nodes = Vec::with_capacity(domains.len());
        for domain in &domains {
            let own = constraints.intra_consecutivity.iter();
            let references = own.filter(|(tuple, _)| tuple == domain.tuple()).map(|(_, r)| r.clone());
            let domain = domain.intersect_params(&context);
            nodes.push(Node::new(&domain, references.collect(), budget)?);
        }
        let reader = Reader {
            params: &params,
            context: &context,
            domains: &domains,
            vertices,
        };
        let mut open = Open {
            dependences: reader.dependences(relations, budget)?,
            ..Open::default()
        };
        for (relation, list) in tagged.into_iter().zip([&mut open.conditions, &mut open.conditioned]) {
            for map in relation.maps() {
                list.extend(reader.tagged(map, budget)?);
            }
        }
        let statements = Statements {
            params: params.clone(),
            tuples,
        };
        let mut graph = Graph {
            n_params: params.len(),
            nodes,
            steps: Vec::new(),
            parameter_bounds,
        };
        for map in constraints.inter_consecutivity.maps() {
            let Some((source, target)) = reader.ends(map.domain_tuple(), map.range_tuple()) else {
                continue;
            };
            let mut all = Vectors::default();
            for pairs in reader.pairs(map, source, target, budget)? {
                all.add(&Vectors::of_pairs(&graph, source, target, &pairs, budget)?);
            }
            graph.steps.push(Edge::of_coincidence(&graph, source, target, &all));
        }
        Ok((statements, graph, open))
    }

    /// What is left of some constraints when the members of a band, given as the rows of their statements, have carried
    /// what they do: the pairs that coincide in all members, and the conditioned pairs that have become unconditional.
    pub(super) fn coscheduled(&self, open: &Open, members: &[RowOf], budget: &Budget) -> Outcome<Open> {
        let rows = |source: usize, target: usize| -> Vec<(ScheduleRow, ScheduleRow)> {
            let both = |row_of: &RowOf| Some((row_of(source)?, row_of(target)?));
            members.iter().filter_map(both).collect()
        };
        let left = |source: usize, target: usize, pairs: &System| {
            let mut left = pairs.clone();
            for (a, b) in rows(source, target) {
                let row = self.distance(source, target, pairs.n, &a, &b);
                if row.iter().any(|a| !a.is_zero()) {
                    left.eqs.push(row);
                }
            }
            Outcome::Ok((!integer::is_empty(&left, budget)?).then_some(left))
        };
        let mut inner = Open::default();
        let fixed = unconditional(self, open, members, budget)?;
        for dependence in open.dependences.iter().chain(&fixed) {
            if let Some(pairs) = left(dependence.source, dependence.target, &dependence.pairs)? {
                inner.dependences.push(Dependence {
                    pairs,
                    ..dependence.clone()
                });
            }
        }
        for (from, to) in [
            (&open.conditions, &mut inner.conditions),
            (&open.conditioned, &mut inner.conditioned),
        ] {
            for tagged in from {
                let mut pairs = Vec::with_capacity(tagged.pairs.len());
                for system in &tagged.pairs {
                    pairs.extend(left(tagged.source, tagged.target, system)?);
                }
                if !pairs.is_empty() {
                    to.push(Tagged {
                        pairs,
                        ..tagged.clone()
                    });
                }
            }
        }
        Ok(inner)
    }

    /// The distance `f_target(y) - f_source(x)` over the `n` columns of a system of pairs.
    pub(super) fn distance(&self, source: usize, target: usize, n: usize, f: &ScheduleRow, g: &ScheduleRow) -> Row {
        let n_params = self.n_params;
        let (from, to) = (self.nodes[source].dim, self.nodes[target].dim);
        let mut row = zeros(n + 1);
        for (i, a) in f.iter().enumerate() {
            row[i] -= a;
        }
        for (i, a) in g.iter().enumerate() {
            row[if i <= n_params { i } else { i + from }] += a;
        }
        debug_assert!(f.len() == 1 + n_params + from && g.len() == 1 + n_params + to);
        row
    }
}

/// Turns relations into systems of constraints.
struct Reader<'a> {
    params: &'a Params,
    context: &'a Set,
    domains: &'a [Set],
    vertices: Vertices,
}

impl Reader<'_> {
    fn position(&self, tuple: &Tuple) -> Option<usize> {
        self.domains.iter().position(|domain| domain.tuple() == tuple)
    }

    /// The statements that a relation is between; None if one of them is not scheduled.
    fn ends(&self, source: &Tuple, target: &Tuple) -> Option<(usize, usize)> {
        Some((self.position(source)?, self.position(target)?))
    }

    /// The dependences of the validity, proximity and coincidence constraints.
    fn dependences(&self, relations: [&UnionMap; 3], budget: &Budget) -> Outcome<Vec<Dependence>> {
        // The same pairs are often wanted in several ways.
        let mut kinds: IndexMap<(usize, usize), Vec<(System, Kinds)>> = IndexMap::new();
        for (index, relation) in relations.into_iter().enumerate() {
            for map in relation.maps() {
                let Some((source, target)) = self.ends(map.domain_tuple(), map.range_tuple()) else {
                    continue;
                };
                let known = kinds.entry((source, target)).or_default();
                for pairs in self.pairs(map, source, target, budget)? {
                    let position = known.iter().position(|(p, _)| *p == pairs);
                    let position = position.unwrap_or_else(|| {
                        known.push((pairs, Kinds::default()));
                        known.len() - 1
                    });
                    let kinds = &mut known[position].1;
                    match index {
                        0 => kinds.validity = true,
                        1 => kinds.proximity = true,
                        _ => kinds.coincidence = true,
                    }
                }
            }
        }
        let dependences = kinds.into_iter().flat_map(|((source, target), all)| {
            all.into_iter().map(move |(pairs, kinds)| Dependence {
                source,
                target,
                kinds,
                pairs,
            })
        });
        Ok(dependences.collect())
    }

    /// The pairs of a relation from statement `source` to statement `target`.
    fn pairs(&self, map: &Map, source: usize, target: usize, budget: &Budget) -> Outcome<Vec<System>> {
        let map = map.align_params(self.params).intersect_params(self.context);
        let map = map
            .intersect_domain(&self.domains[source])
            .intersect_range(&self.domains[target]);
        let systems = systems(map.explicit(budget)?.pieces(), budget)?;
        if self.vertices == Vertices::Rational {
            return Ok(systems);
        }
        let mut parts = Vec::with_capacity(systems.len());
        for system in systems {
            parts.extend(integral_parts(system, self.params.len(), budget)?);
        }
        Ok(parts)
    }

    /// The pairs of a relation between statements, or between statements with tags `[S[i] -> tag[]]`.
    fn tagged(&self, map: &Map, budget: &Budget) -> Outcome<Option<Tagged>> {
        let untag = |tuple: &Tuple| match tuple.nested() {
            Some((statement, tag)) if self.position(statement).is_some() => (statement.clone(), Some(tag.clone())),
            _ => (tuple.clone(), None),
        };
        let ((domain, source_tag), (range, target_tag)) = (untag(map.domain_tuple()), untag(map.range_tuple()));
        let Some((source, target)) = self.ends(&domain, &range) else {
            return Ok(None);
        };
        // With the tags gone, the values of their dimensions are existential, which makes more pairs adjacent, not fewer.
        let mut plain = map.clone();
        if source_tag.is_some() {
            plain = plain.domain_factor_domain(budget)?;
        }
        if target_tag.is_some() {
            plain = plain.range_factor_domain(budget)?;
        }
        let pairs = self.pairs(&plain, source, target, budget)?;
        Ok((!pairs.is_empty()).then_some(Tagged {
            source,
            target,
            source_tag,
            target_tag,
            pairs,
        }))
    }
}
