//! Instances of statements to draw: some for small parameter values, with the dependences between them and the order in which they are
//! executed.
//!
//! Parameters have one of a few small values for which every statement has instances, or else any for which one has. Of each statement,
//! the instances within a window are taken: a few values of each loop from the smallest ones on. Only the last two loops are drawn, so that
//! of the loops around them the window has two values: what they carry is seen as an arrow between their first and their second iteration.
//!
//! ```text
//! for (t = 0; t < T; t++) for (i = 1; i < n - 1; i++) S: a[i] = a[i - 1] + a[i + 1];
//! T = 6, n = 6: S[t, i] for t in 0 .. 5 and i in 1 .. 4, with arrows S[t, i] -> S[t, i + 1], S[t + 1, i - 1], ..
//! ```

use std::collections::{BTreeMap, BTreeSet};

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow::{Dependences, analyze, memory_based};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Map, Name, Set, SetSpace, UnionMap};
use farkas_polyhedral::solver::integer::IntOptimum;
use farkas_polyhedral::tree::Tree;

use super::order::Instance;

/// The values of a drawn loop in a window. As many dots are as wide as the screen of a phone.
const WINDOW: i64 = 8;

/// The values of a loop around those that are drawn.
const OUTER_WINDOW: i64 = 2;

/// Arrows in a picture: more of them hide each other.
const MOST_ARROWS: usize = 160;

/// Values that are tried for all parameters: those of a window first, then smaller ones, for what grows fast, and larger ones, for
/// what has borders.
const SIZES: [i64; 10] = [8, 6, 4, 10, 12, 16, 3, 2, 1, 32];

/// How dependences are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Flow,
    Anti,
    Output,
}

/// A point of a picture: the values of the last two loops, or of the only one.
pub(crate) type Point = Vec<i64>;

/// Dependences of one kind, from one point to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    pub(crate) kind: Kind,
    pub(crate) from: Point,
    pub(crate) to: Point,
}

/// What is drawn of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    /// The statement.
    pub(crate) name: String,
    /// Its loops by name, outermost first.
    pub(crate) loops: Vec<String>,
    /// The points, each with the position of its first instance in the original order, from 1.
    pub(crate) points: BTreeMap<Point, usize>,
    /// The same in the new order, if there is one.
    pub(crate) reordered: Option<BTreeMap<Point, usize>>,
    /// Dependences between different points.
    pub(crate) arrows: BTreeSet<Arrow>,
    /// The arrows that are not drawn.
    pub(crate) left_out: usize,
    /// Whether instances depend on each other that are the same point.
    pub(crate) has_hidden: bool,
}

/// What is drawn of a program.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The values of the parameters.
    pub(crate) params: Vec<(String, i64)>,
    /// The statements that are in loops.
    pub(crate) spaces: Vec<Space>,
}

/// The dependences of a program: value-based ones, or else memory-based ones, which are all called flow.
pub(crate) fn dependences(program: &Program, b: &Budget) -> Outcome<(Dependences, bool)> {
    let left = b.left();
    if let Ok(value_based) = b.trial(left / 5 * 3, |b| analyze(program, b))? {
        return Ok((value_based, true));
    }
    let none = UnionMap::empty(program.context.params().clone());
    let all = Dependences {
        flow: memory_based(program, b)?,
        anti: none.clone(),
        output: none.clone(),
        live_in: none,
    };
    Ok((all, false))
}

/// Picks what to draw of a program, with the positions that instances have in a new order, if there is one. `None` if there are no small
/// instances.
///
/// # Errors
///
/// If the budget is spent.
pub(crate) fn sample(
    program: &Program,
    dependences: &Dependences,
    new: Option<&Tree>,
    most_statements: usize,
    b: &Budget,
) -> Outcome<Option<Sample>> {
    let Some(small) = parameters(program, b)? else {
        return Ok(None);
    };
    let mut spaces = Vec::new();
    let in_loops = program.statements.iter().filter(|statement| statement.tuple().n() > 0);
    for statement in in_loops.take(most_statements) {
        spaces.extend(space(statement, &small, dependences, new, b)?);
    }
    let params = small.values;
    Ok((!spaces.is_empty()).then_some(Sample { params, spaces }))
}

/// Small values of the parameters.
struct Small {
    values: Vec<(String, i64)>,
    /// The set of these alone.
    set: Set,
}

/// Small values of the parameters for which there is something to draw.
fn parameters(program: &Program, b: &Budget) -> Outcome<Option<Small>> {
    let names = program.context.params().names();
    let possible = program.context.intersect_params(&program.assumptions);
    let all = Set::universe(SetSpace::params_only(program.context.params().clone()));
    let fixed = |values: &[i64]| {
        let pairs = names.iter().zip(values);
        pairs.fold(all.clone(), |set, (name, value)| {
            set.fix_param(name.as_str(), &Int::from(*value))
        })
    };
    let small = |values: &[i64], set: Set| Small {
        values: names.iter().map(Name::to_string).zip(values.iter().copied()).collect(),
        set,
    };
    let mut some = None;
    for size in SIZES {
        for step in [0, 2, -2] {
            let count = names.len() as i64;
            let values: Vec<i64> = (0..count).map(|k| (size + step * k).max(1)).collect();
            let set = fixed(&values);
            if possible.intersect_params(&set).is_empty(b)? {
                continue;
            }
            let mut executed = 0;
            for statement in &program.statements {
                executed += usize::from(!statement.domain.intersect_params(&set).is_empty(b)?);
            }
            if executed == program.statements.len() {
                return Ok(Some(small(&values, set)));
            }
            if executed > 0 {
                some.get_or_insert_with(|| small(&values, set));
            }
            if count < 2 {
                break;
            }
        }
    }
    if some.is_some() {
        return Ok(some);
    }
    for statement in &program.statements {
        let executed = statement.domain.intersect_params(&possible);
        let Some((params, _)) = executed.sample(b)? else {
            continue;
        };
        let at = |name: &Name| executed.params().position_of(name).and_then(|k| params[k].to_i64());
        let values: Option<Vec<i64>> = names.iter().map(|name| at(name).or(Some(0))).collect();
        let Some(values) = values else { continue };
        return Ok(Some(small(&values, fixed(&values))));
    }
    Ok(None)
}

/// What is drawn of a statement; `None` if that is nothing.
fn space(
    statement: &Statement,
    small: &Small,
    dependences: &Dependences,
    new: Option<&Tree>,
    b: &Budget,
) -> Outcome<Option<Space>> {
    let (tuple, values) = (statement.tuple(), &small.set);
    let domain = statement.domain.intersect_params(values);
    let Some(window) = window(&domain, b)? else {
        return Ok(None);
    };
    let Some(instances) = window.points(b)? else {
        return Ok(None);
    };
    let n_params = window.params().len();
    let instance = |row: &'_ [Int]| row[n_params..].to_vec();
    let instances: Vec<Vec<Int>> = instances.iter().map(|row| instance(row)).collect();
    let at = |dims| Instance {
        statement,
        dims,
        values: &small.values,
    };
    let Some(points) = positions(&instances, |dims| Ok(at(dims).original_time()))? else {
        return Ok(None);
    };
    let reordered = match new {
        Some(tree) => positions(&instances, |dims| at(dims).time(&tree.root, b))?,
        None => None,
    };
    let mut arrows = BTreeSet::new();
    let mut has_hidden = false;
    let kinds = [
        (Kind::Flow, &dependences.flow),
        (Kind::Anti, &dependences.anti),
        (Kind::Output, &dependences.output),
    ];
    for (kind, relation) in kinds {
        for map in relation.maps() {
            if map.domain_tuple() != tuple || map.range_tuple() != tuple {
                continue;
            }
            let inside = map.intersect_domain(&window).intersect_range(&window);
            for (from, to) in pairs(&inside, values, b)?.unwrap_or_default() {
                let (from, to) = (drawn(&from), drawn(&to));
                match from == to {
                    true => has_hidden = true,
                    false => drop(arrows.insert(Arrow { kind, from, to })),
                }
            }
        }
    }
    // A pair that depends in several ways has one arrow.
    let mut pairs = BTreeSet::new();
    arrows.retain(|arrow| pairs.insert((arrow.from.clone(), arrow.to.clone())));
    let left_out = arrows.len().saturating_sub(MOST_ARROWS);
    let name = |(dim, name): (usize, &Option<Name>)| name.as_ref().map_or(format!("i{dim}"), ToString::to_string);
    Ok(Some(Space {
        name: statement.name().to_string(),
        loops: tuple.dims().iter().enumerate().map(name).collect(),
        points,
        reordered,
        arrows: arrows.into_iter().take(MOST_ARROWS).collect(),
        left_out,
        has_hidden,
    }))
}

/// The values of the last two loops.
fn drawn(instance: &[i64]) -> Point {
    instance[instance.len().saturating_sub(2)..].to_vec()
}

/// The instances that are drawn, as a set: a few values of each loop, from the smallest ones on. If there is no instance in there, from
/// the first instance on.
fn window(domain: &Set, b: &Budget) -> Outcome<Option<Set>> {
    let n = domain.n_dims();
    let within = |low: &[Int]| {
        low.iter().enumerate().fold(domain.clone(), |set, (dim, low)| {
            let size = if dim + 2 < n { OUTER_WINDOW } else { WINDOW };
            let high = low + &Int::from(size - 1);
            set.lower_bound_dim(dim, low).upper_bound_dim(dim, &high)
        })
    };
    let mut low = Vec::new();
    for dim in 0..n {
        let minimum = domain.dim_min(dim, b)?;
        let IntOptimum::Finite(minimum) = minimum else {
            return Ok(None);
        };
        low.push(minimum);
    }
    let window = within(&low);
    if !window.is_empty(b)? {
        return Ok(Some(window));
    }
    let first = domain.lexmin(b)?;
    Ok(match first.sample(b)? {
        Some((_, first)) => Some(within(&first)),
        None => None,
    })
}

/// The points of instances, each with the position of its first instance in an order, from 1. `None` if the order does not have all, or
/// numbers are too large.
fn positions<'i>(
    instances: &'i [Vec<Int>],
    time: impl Fn(&'i [Int]) -> Outcome<Option<Vec<Int>>>,
) -> Outcome<Option<BTreeMap<Point, usize>>> {
    let mut times = BTreeSet::new();
    for instance in instances {
        let (Some(time), Some(numbers)) = (time(instance)?, numbers(instance)) else {
            return Ok(None);
        };
        times.insert((time, numbers));
    }
    let mut positions = BTreeMap::new();
    for (_, instance) in times {
        let next = positions.len() + 1;
        positions.entry(drawn(&instance)).or_insert(next);
    }
    Ok((!positions.is_empty()).then_some(positions))
}

fn numbers(values: &[Int]) -> Option<Vec<i64>> {
    values.iter().map(Int::to_i64).collect()
}

/// The pairs of a relation for values of the parameters; `None` if there is no end of them, or their numbers are too large.
fn pairs(map: &Map, values: &Set, b: &Budget) -> Outcome<Option<Vec<(Point, Point)>>> {
    let fixed = map.intersect_params(values).wrap();
    let (n_params, n_domain) = (fixed.params().len(), map.domain_tuple().n());
    let Some(points) = fixed.points(b)? else {
        return Ok(None);
    };
    let pair = |row: &[Int]| {
        let row = numbers(&row[n_params..])?;
        Some((row[..n_domain].to_vec(), row[n_domain..].to_vec()))
    };
    Ok(points.iter().map(|row| pair(row)).collect())
}
