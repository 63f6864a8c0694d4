//! What an order may gain at the best, before one is looked for: most nests of real code stay as they are, and finding that out
//! by scheduling them takes many times longer.
//!
//! The bound is made of the pieces of the [cost model](crate::cost). Each of the deepest statements is taken to be in a loop
//! along its cheapest direction: a dimension, or the sum or difference of two. The loop carries a dependence whatever the
//! schedule is if there is a cycle of flow dependences that stays on the line of that direction and moves on it. It is out
//! of the question if it would overwrite what another loop around it has still to read. Each cache line is taken to enter
//! each cache once, as if tiles were perfect.
//!
//! Where the innermost loop carries a dependence, another loop may have vector lanes, which may be skewed against it.
//!
//! In `for (i) for (j) { S: x = x * b[i][j]; T: a[j][i] = x; }` there is a flow dependence from `S[i, j]` to `S[i, j + 1]`, so
//! that a loop over `j` is not parallel; one over `i` would be, and might run innermost.
//!
//! It is an estimate, and no proof: two dependences of a cycle may be there for different instances.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow::Dependences;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, zeros};
use farkas_polyhedral::program::{AccessKind, ArrayKind, Program, Statement};
use farkas_polyhedral::sets::{Conj, Map, Tuple, UnionMap};
use indexmap::IndexMap;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::analysis::carried::serializing_anti;
use crate::analysis::lanes::lanes;
use crate::analysis::linear::{self, LinearStatement, Statements, Stride, linear_part};
use crate::analysis::promotion::promotable;
use crate::analysis::read_ahead::{compares_distances, may_read_ahead};
use crate::cost::{GroupCost, Model, differs_in_new_code};
use crate::target::Target;

/// Rows of wavefronts that are lanes are taken to be so many iterations apart at the most.
const MOST_SKEW: i64 = 2;

/// One of the deepest statements, which are those that the estimate looks at.
struct Deepest<'a> {
    statement: &'a Statement,
    linear: &'a LinearStatement,
    loops: Loops,
}

fn deepest<'a>(program: &'a Program, statements: &'a Statements) -> Vec<Deepest<'a>> {
    let most = statements.values().map(LinearStatement::extent).max().unwrap_or(0);
    let of_statement = |statement: &'a Statement| (statement, &statements[statement.tuple()]);
    let all = program.statements.iter().map(of_statement);
    let deepest = all.filter(|(_, linear)| linear.extent() == most);
    deepest
        .map(|(statement, linear)| Deepest {
            statement,
            linear,
            loops: Loops::around(statement),
        })
        .collect()
}

/// The loops around a statement: those of two are the same if their times agree in all that comes before and in the innermost
/// loop.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Loops {
    depth: usize,
    rows: Vec<Option<Row>>,
    /// What is constant of the times, outside of the innermost loop.
    places: Vec<Option<Int>>,
}

impl Loops {
    fn around(statement: &Statement) -> Loops {
        let affs = statement.schedule.affs();
        let rows: Vec<Option<Row>> = affs.iter().map(linear_part).collect();
        let innermost = rows.iter().rposition(varies).unwrap_or(0);
        let place = |k: usize| affs[k].as_constant().filter(|_| !varies(&rows[k]));
        Loops {
            depth: statement.tuple().n(),
            places: (0..innermost).map(place).collect(),
            rows,
        }
    }

    /// The direction of the innermost loop, where that is known.
    fn innermost(&self) -> Option<&Row> {
        self.rows.iter().rfind(|row| varies(row))?.as_ref()
    }
}

/// Whether a time differs from instance to instance, or may.
fn varies(row: &Option<Row>) -> bool {
    row.as_ref().is_none_or(|row| row.iter().any(|c| !c.is_zero()))
}

/// Whether it is plain from the loops alone that there is only one order, and that new code for it would be as the original: no two of
/// the deepest statements share loops, these have one direction, none [differs in new code](differs_in_new_code), and none may read what later
/// iterations overwrite without LLVM seeing that.
pub(crate) fn has_one_order(program: &Program, statements: &Statements) -> bool {
    let deepest = deepest(program, statements);
    let apart = |k: usize| deepest[..k].iter().all(|other| other.loops != deepest[k].loops);
    let reads_ahead = |one: &Deepest| may_read_ahead(one.linear) && !compares_distances(program, one.statement.tuple());
    let is_plain = |one: &Deepest| one.linear.extent() <= 1 && !differs_in_new_code(one.statement) && !reads_ahead(one);
    (0..deepest.len()).all(|k| is_plain(&deepest[k]) && apart(k))
}

/// Whether an order may be better than the original one by more than the margin, as far as dependences let it. Those of
/// arrays in `movable` do not count where they only keep live ranges in order. The original has the statements `beside` in the same loops.
pub(crate) fn may_gain(
    (program, beside): (&Program, &[Statement]),
    target: &Target,
    by_array: &IndexMap<Tuple, Dependences>,
    movable: &[Tuple],
    margin: f64,
    b: &Budget,
) -> Outcome<bool> {
    let params = || program.context.params().clone();
    let fixed = by_array.iter().filter(|(array, _)| !movable.contains(array));
    let fixed = Dependences::of_arrays(params(), fixed.map(|(_, dependences)| dependences));
    let flow = Dependences::of_arrays(params(), by_array.values()).flow;
    let anti = serializing_anti(program, &fixed.anti, b)?.unwrap_or(fixed.anti);
    let serializing = flow.union(&anti).union(&fixed.output);
    let in_registers = without_promoted(program, by_array, b)?;
    let model = Model::new(program, &serializing, target, b)?.with_beside(beside);
    let model = match &in_registers {
        Some(in_registers) => model.with_registers(in_registers),
        None => model,
    };
    let deepest = deepest(program, &model.statements);
    let of_deepest = |group: &&GroupCost| {
        let mut tuples = group.statements.iter();
        tuples.any(|tuple| deepest.iter().any(|one| one.statement.tuple() == tuple))
    };
    let original = model.cost_of_original(b)?;
    let groups: Vec<&GroupCost> = original.groups.iter().filter(of_deepest).collect();
    let before: f64 = groups.iter().map(|group| group.cycles()).sum();
    let mut at_best: IndexMap<&Tuple, f64> = IndexMap::new();
    for one in &deepest {
        let Deepest { statement, linear, .. } = *one;
        let mut least = f64::MAX;
        for direction in candidates(&linear.directions) {
            let of_loop = |parallel| model.at_best(statement.tuple(), &direction, parallel);
            let others = linear.directions.iter().filter(|along| **along != direction);
            let jammed = others.filter_map(|along| model.at_best_jammed(statement.tuple(), &direction, along));
            let side_by_side = jammed.fold(of_loop(true), f64::min);
            if side_by_side >= least || interleaves(statement, linear, by_array, &direction, b)? {
                continue;
            }
            least = least.min(match carries(&deepest, one, &flow, &direction, b)? {
                true => of_loop(false),
                false => side_by_side,
            });
        }
        least = least.min(in_lanes(&model, &deepest, one, by_array, &flow, least, b)?);
        at_best.insert(statement.tuple(), if least == f64::MAX { 0.0 } else { least });
    }
    let of_group = |group: &&GroupCost| at_best_of_group(&model, group, &at_best);
    let after: f64 = groups.iter().map(of_group).sum();
    log::debug!("at the best {after:.3e} cycles, {before:.3e} in the original order");
    Ok(after <= margin * before)
}

/// What keeps iterations of the original waiting where arrays that LLVM [promotes](promotable), and scalars beside them, are registers; `None` if it
/// promotes none.
fn without_promoted(
    program: &Program,
    by_array: &IndexMap<Tuple, Dependences>,
    b: &Budget,
) -> Outcome<Option<UnionMap>> {
    let promoted = promotable(program, &linear::statements(program));
    if promoted.is_empty() {
        return Ok(None);
    }
    let is_slot = |array: &Tuple| program.arrays[array].kind == ArrayKind::ScalarSlot;
    let in_memory = by_array
        .iter()
        .filter(|(array, _)| !is_slot(array) && !promoted.contains(array));
    let params = || program.context.params().clone();
    let in_memory = Dependences::of_arrays(params(), in_memory.map(|(_, dependences)| dependences));
    let flow = Dependences::of_arrays(params(), by_array.values()).flow;
    let anti = serializing_anti(program, &in_memory.anti, b)?.unwrap_or(in_memory.anti);
    Ok(Some(flow.union(&anti).union(&in_memory.output)))
}

/// What the deepest statements of a group take if each takes what it does `at_best`. Those that share their loops fetch what they share once. What
/// finds in a cache what another group left there is as cheap in the original as it is there.
fn at_best_of_group(model: &Model<'_>, group: &GroupCost, at_best: &IndexMap<&Tuple, f64>) -> f64 {
    let deepest: Vec<&Tuple> = group
        .statements
        .iter()
        .filter(|tuple| at_best.contains_key(tuple))
        .collect();
    let apart: Vec<Vec<Tuple>> = deepest.iter().map(|tuple| vec![(*tuple).clone()]).collect();
    let shared: f64 = model.fetched_again(&apart).values().sum();
    let cycles = || deepest.iter().map(|tuple| at_best[*tuple]);
    let most = cycles().fold(0.0, f64::max);
    f64::max(cycles().sum::<f64>() - shared, most).min(group.cycles())
}

/// The least cost of a statement with lanes along one dimension and its innermost loop along another one, if that is less than
/// `least`. The innermost loop may carry a dependence, the one with the lanes may not.
fn in_lanes(
    model: &Model<'_>,
    deepest: &[Deepest<'_>],
    one: &Deepest<'_>,
    by_array: &IndexMap<Tuple, Dependences>,
    flow: &UnionMap,
    mut least: f64,
    b: &Budget,
) -> Outcome<f64> {
    let Deepest { statement, linear, .. } = *one;
    // Each lane may have a copy of a scalar.
    let is_slot = |array: &Tuple| model.program.arrays[array].kind == ArrayKind::ScalarSlot;
    let Some(lanes) = lanes(model.program, model.target, [statement.tuple()], &is_slot) else {
        return Ok(least);
    };
    for along in &linear.directions {
        let mut writes = statement.accesses.iter().zip(&linear.accesses);
        if writes
            .any(|(access, linear)| linear.writes && !is_slot(access.array()) && linear.stride(along) == Stride::Zero)
        {
            continue;
        }
        for direction in linear.directions.iter().filter(|direction| *direction != along) {
            // Rows of wavefronts, each one or two iterations behind the one before.
            for skew in 1..=MOST_SKEW {
                let skewed: Row = along
                    .iter()
                    .zip(direction)
                    .map(|(x, y)| x - &(y * &Int::from(skew)))
                    .collect();
                let cost = model.at_best_in_skewed_lanes(statement.tuple(), direction, &skewed);
                if let Some(cost) = cost
                    && cost < least
                    && !carries(deepest, one, flow, &skewed, b)?
                {
                    least = cost;
                }
            }
            let cost = model.at_best_in_lanes(statement.tuple(), direction, (along, lanes));
            // The order along the original's innermost loop stays as it is, in each lane. Where no other order is known to be legal, nothing is
            // known of what others gain, either.
            let is_innermost = least < f64::MAX && one.loops.innermost() == Some(direction);
            if cost < least
                && (is_innermost || !interleaves(statement, linear, by_array, direction, b)?)
                && !carries(deepest, one, flow, along, b)?
            {
                least = cost;
            }
        }
    }
    Ok(least)
}

/// Whether a loop along `direction` would overwrite an element of which a later iteration of another loop still has to read the
/// value: as an accumulator for each iteration of a loop that is interchanged with the one that accumulates.
fn interleaves(
    statement: &Statement,
    linear: &LinearStatement,
    by_array: &IndexMap<Tuple, Dependences>,
    direction: &Row,
    b: &Budget,
) -> Outcome<bool> {
    for (access, linear) in statement.accesses.iter().zip(&linear.accesses) {
        if access.kind != AccessKind::MustWrite
            || access.reduction.is_some()
            || linear.stride(direction) != Stride::Zero
        {
            continue;
        }
        // There is none if no instance accesses the array.
        let Some(own) = by_array.get(access.array()) else {
            continue;
        };
        for map in own.flow.maps() {
            let own = map.domain_tuple() == statement.tuple() && map.range_tuple() == statement.tuple();
            if own && !map.subtract(&along(map, direction, true), b)?.is_empty(b)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The directions, and their sums and differences in pairs, each upwards: its first coefficient is positive.
fn candidates(directions: &[Row]) -> Vec<Row> {
    let mut out = directions.to_vec();
    for (k, one) in directions.iter().enumerate() {
        for other in &directions[..k] {
            let pairs = || other.iter().zip(one);
            out.push(pairs().map(|(x, y)| x + y).collect());
            out.push(pairs().map(|(x, y)| x - y).collect());
        }
    }
    for direction in &mut out {
        if direction.iter().find(|c| !c.is_zero()).is_some_and(Int::is_neg) {
            direction.iter_mut().for_each(|c| *c = -&*c);
        }
    }
    out
}

/// Whether a loop along `direction` around one of the statements, and what shares its loops, waits for its own earlier
/// iterations.
fn carries(deepest: &[Deepest<'_>], one: &Deepest<'_>, flow: &UnionMap, direction: &Row, b: &Budget) -> Outcome<bool> {
    let sharing = deepest.iter().filter(|other| other.loops == one.loops);
    let together: Vec<&Statement> = sharing.map(|other| other.statement).collect();
    let position = |tuple: &Tuple| together.iter().position(|s| s.tuple() == tuple);
    let mut graph = DiGraph::<(), bool>::new();
    let nodes: Vec<_> = together.iter().map(|_| graph.add_node(())).collect();
    for map in flow.maps() {
        let (Some(from), Some(to)) = (position(map.domain_tuple()), position(map.range_tuple())) else {
            continue;
        };
        // What contributes to a reduction may come in any order.
        let reduces = from == to && together[from].accesses.iter().any(|access| access.reduction.is_some());
        if !reduces && !map.intersect(&along(map, direction, true)).is_empty(b)? {
            graph.add_edge(nodes[from], nodes[to], true);
        } else if from != to && !map.intersect(&along(map, direction, false)).is_empty(b)? {
            graph.add_edge(nodes[from], nodes[to], false);
        }
    }
    let own = nodes[position(one.statement.tuple()).expect("it shares its own loops")];
    let cycles = tarjan_scc(&graph);
    let cycle = cycles
        .iter()
        .find(|nodes| nodes.contains(&own))
        .expect("a node is in a component");
    let moves = |edge| {
        let (from, to) = graph.edge_endpoints(edge).expect("an edge of the graph");
        graph[edge] && cycle.contains(&from) && cycle.contains(&to)
    };
    Ok(graph.edge_indices().any(moves))
}

/// The pairs of instances in the spaces of `map` of which the second is some way along the direction from the first, or,
/// if not `moves`, the same.
fn along(map: &Map, direction: &Row, moves: bool) -> Map {
    let n = direction.len();
    let (first, second) = (1 + map.params().len(), 1 + map.params().len() + n);
    let pivot = direction.iter().position(|c| !c.is_zero()).expect("a direction");
    let difference = |row: &mut Row, dim: usize, factor: &Int| {
        row[second + dim] += factor;
        row[first + dim] -= factor;
    };
    let mut pairs = Conj::universe(map.params().len() + 2 * n);
    for dim in (0..n).filter(|dim| *dim != pivot) {
        let mut row = zeros(second + n);
        difference(&mut row, dim, &direction[pivot]);
        difference(&mut row, pivot, &-&direction[dim]);
        pairs.add_eq(row);
    }
    let mut row = zeros(second + n);
    difference(&mut row, pivot, &Int::ONE);
    if moves {
        row[0] = Int::from(-1);
        pairs.add_ineq(row);
    } else {
        pairs.add_eq(row);
    }
    Map::from_conj(map.space().clone(), pairs)
}
