//! Instances of statements to draw: some for small parameter values, with the dependences between them and the order in which they are
//! executed.
//!
//! Parameters have one of a few small values for which every statement has instances, or else any for which one has. Of each statement,
//! the instances within a window are taken: a few values of each loop. Only the last two loops are drawn. Of the loops around them the window
//! has two values, so that what they carry is seen as an arrow from one iteration to the next.
//!
//! ```text
//! for (t = 0; t < T; t++) for (i = 1; i < n - 1; i++) S: a[i] = a[i - 1] + a[i + 1];
//! T = 6, n = 6: S[t, i] for t in 0 .. 5 and i in 1 .. 4, with arrows S[t, i] -> S[t, i + 1], S[t + 1, i - 1], ..
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow::{Dependences, analyze, memory_based};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Map, Name, Set, SetSpace, Tuple, UnionMap};
use farkas_polyhedral::solver::integer::IntOptimum;
use farkas_polyhedral::tree::Tree;

use super::order::{Instance, Time};

/// The values of a drawn loop in a window. As many dots are as wide as the screen of a phone.
const WINDOW: i64 = 8;

/// The values of a loop around those that are drawn.
const OUTER_WINDOW: i64 = 2;

/// Arrows in a picture: more of them hide each other.
const MOST_ARROWS: usize = 160;

/// Pairs of different statements that are drawn, at the most.
const MOST_USES: usize = 6;

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

/// The place of a point in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its position, from 1.
    pub(crate) position: usize,
    /// The block that it is in, from 0: instances in a block differ in the innermost band only.
    pub(crate) block: usize,
}

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
    /// For each loop around those that are drawn, the values that it has.
    pub(crate) around: Vec<String>,
    /// The points, each with the place of its first instance in the original order.
    pub(crate) points: BTreeMap<Point, Place>,
    /// The same in the new order, if there is one.
    pub(crate) reordered: Option<BTreeMap<Point, Place>>,
    /// The dependences between instances that are drawn; `None` if they are too costly to find.
    pub(crate) arrows: Option<Arrows>,
    /// All instances that are drawn.
    window: Set,
}

impl Space {
    /// Whether the new order has several blocks, of several points.
    pub(crate) fn has_blocks(&self) -> bool {
        let places = self.reordered.iter().flat_map(|places| places.values());
        places.map(|place| place.block).max().is_some_and(|block| block > 0)
    }

    /// Whether there are dependences to draw.
    pub(crate) fn has_arrows(&self) -> bool {
        self.arrows.as_ref().is_some_and(|arrows| !arrows.drawn.is_empty())
    }
}

/// Dependences between instances of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Arrows {
    /// Those between different points.
    pub(crate) drawn: BTreeSet<Arrow>,
    /// How many there are besides.
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
    /// What instances use of other statements, where that is not too costly to find.
    pub(crate) uses: Vec<Use>,
}

/// What an instance uses of what another statement writes.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The positions of both statements among [`Sample::spaces`]: the one that writes, and the one that reads.
    pub(crate) statements: (usize, usize),
    /// The instance that reads: the values of all its loops.
    pub(crate) instance: Vec<i64>,
    /// Its point.
    pub(crate) reader: Point,
    /// The points that write.
    pub(crate) writers: BTreeSet<Point>,
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
    let uses = b.trial(b.left() / 2, |b| uses(&spaces, &small.set, dependences, b))?;
    Ok((!spaces.is_empty()).then_some(Sample {
        params: small.values,
        spaces,
        uses: uses.unwrap_or_default(),
    }))
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
    let tuple = statement.tuple();
    let domain = statement.domain.intersect_params(&small.set);
    let Some((window, instances)) = window(&domain, b)? else {
        return Ok(None);
    };
    let at = |dims| Instance {
        statement,
        dims,
        values: &small.values,
    };
    let Some(points) = places(&instances, |dims| Ok(at(dims).original_time()))? else {
        return Ok(None);
    };
    let reordered = match new {
        Some(tree) => places(&instances, |dims| at(dims).time(&tree.root, b))?,
        None => None,
    };
    let name = |(dim, name): (usize, &Option<Name>)| name.as_ref().map_or(format!("i{dim}"), ToString::to_string);
    let around = |dim: usize| {
        let values: BTreeSet<&Int> = instances.iter().map(|own| &own[dim]).collect();
        values
            .into_iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" and ")
    };
    let arrows = b.trial(b.left() / 2, |b| arrows(&window, &small.set, dependences, b))?;
    Ok(Some(Space {
        name: statement.name().to_string(),
        loops: tuple.dims().iter().enumerate().map(name).collect(),
        around: (0..tuple.n().saturating_sub(2)).map(around).collect(),
        points,
        reordered,
        arrows: arrows.ok(),
        window,
    }))
}

/// The dependences between instances of a statement in a window.
fn arrows(window: &Set, values: &Set, dependences: &Dependences, b: &Budget) -> Outcome<Arrows> {
    let tuple = window.tuple();
    let mut arrows = BTreeSet::new();
    let mut has_hidden = false;
    let kinds = [
        (Kind::Flow, &dependences.flow),
        (Kind::Anti, &dependences.anti),
        (Kind::Output, &dependences.output),
    ];
    for (kind, relation) in kinds {
        let is_own = |map: &&Map| map.domain_tuple() == tuple && map.range_tuple() == tuple;
        for map in relation.maps().filter(is_own) {
            let inside = map.intersect_domain(window).intersect_range(window);
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
    Ok(Arrows {
        left_out: arrows.len().saturating_sub(MOST_ARROWS),
        drawn: arrows.into_iter().take(MOST_ARROWS).collect(),
        has_hidden,
    })
}

/// For each pair of different statements of which one uses what the other writes, the instance that uses the most, and what it uses. At the
/// border of a window, instances use what is not drawn.
fn uses(spaces: &[Space], values: &Set, dependences: &Dependences, b: &Budget) -> Outcome<Vec<Use>> {
    let of = |tuple: &Tuple| spaces.iter().position(|space| space.window.tuple() == tuple);
    let mut uses = Vec::new();
    for map in dependences.flow.maps() {
        let (Some(writer), Some(reader)) = (of(map.domain_tuple()), of(map.range_tuple())) else {
            continue;
        };
        if writer == reader || uses.len() == MOST_USES {
            continue;
        }
        let inside = map.intersect_domain(&spaces[writer].window);
        let inside = inside.intersect_range(&spaces[reader].window);
        let mut writers: BTreeMap<Vec<i64>, BTreeSet<Point>> = BTreeMap::new();
        for (from, to) in pairs(&inside, values, b)?.unwrap_or_default() {
            writers.entry(to).or_default().insert(drawn(&from));
        }
        // Of those that use as much, one in the middle.
        let points = &spaces[reader].points;
        let most = writers
            .into_iter()
            .max_by_key(|(instance, writers)| (writers.len(), Reverse(distance_from_middle(&drawn(instance), points))));
        uses.extend(most.map(|(instance, writers)| Use {
            statements: (writer, reader),
            reader: drawn(&instance),
            instance,
            writers,
        }));
    }
    Ok(uses)
}

/// How far from the middle of all points a point is, in halves of an iteration.
fn distance_from_middle(point: &Point, points: &BTreeMap<Point, Place>) -> i64 {
    let dims = point.iter().enumerate();
    let distances = dims.map(|(dim, value)| {
        let values = points.keys().map(|point| point[dim]);
        let ends = values.clone().min().zip(values.max());
        ends.map_or(0, |(least, most)| (2 * value - least - most).abs())
    });
    distances.sum()
}

/// The values of the last two loops.
fn drawn(instance: &[i64]) -> Point {
    instance[instance.len().saturating_sub(2)..].to_vec()
}

/// The instances that are drawn, as a set and one by one: a few values of each loop, from the smallest ones on. Of the loops around those
/// that are drawn, values are tried from a few places on, and those with the most instances taken: the first rows of a triangle are
/// short. If there is no instance at all, the window begins with the first instance.
fn window(domain: &Set, b: &Budget) -> Outcome<Option<(Set, Vec<Vec<Int>>)>> {
    let n = domain.n_dims();
    let within = |domain: &Set, dims: Range<usize>, low: &[Int], size: i64| {
        dims.zip(low).fold(domain.clone(), |set, (dim, low)| {
            let high = low + &Int::from(size - 1);
            set.lower_bound_dim(dim, low).upper_bound_dim(dim, &high)
        })
    };
    let least = |domain: &Set, dims: Range<usize>| -> Outcome<Option<Vec<Int>>> {
        let mut low = Vec::new();
        for dim in dims {
            let IntOptimum::Finite(minimum) = domain.dim_min(dim, b)? else {
                return Ok(None);
            };
            low.push(minimum);
        }
        Ok(Some(low))
    };
    let n_outer = n.saturating_sub(2);
    let Some(first) = least(domain, 0..n_outer)? else {
        return Ok(None);
    };
    let mut best: Option<(Set, Vec<Vec<Int>>)> = None;
    let places: &[i64] = if n_outer == 0 {
        &[0]
    } else {
        &[0, WINDOW / 2, WINDOW - 1]
    };
    for place in places {
        let low: Vec<Int> = first.iter().map(|low| low + &Int::from(*place)).collect();
        let outer = within(domain, 0..n_outer, &low, OUTER_WINDOW);
        let Some(low) = least(&outer, n_outer..n)? else {
            continue;
        };
        let window = within(&outer, n_outer..n, &low, WINDOW);
        let Some(instances) = instances(&window, b)? else {
            continue;
        };
        if best.as_ref().is_none_or(|(_, most)| instances.len() > most.len()) {
            best = Some((window, instances));
        }
    }
    if best.as_ref().is_some_and(|(_, instances)| !instances.is_empty()) {
        return Ok(best);
    }
    let Some((_, first)) = domain.lexmin(b)?.sample(b)? else {
        return Ok(None);
    };
    let outer = within(domain, 0..n_outer, &first[..n_outer], OUTER_WINDOW);
    let window = within(&outer, n_outer..n, &first[n_outer..], WINDOW);
    Ok(instances(&window, b)?.map(|instances| (window, instances)))
}

/// The instances of a set with fixed parameters; `None` if there is no end of them.
fn instances(set: &Set, b: &Budget) -> Outcome<Option<Vec<Vec<Int>>>> {
    let n_params = set.params().len();
    let points = set.points(b)?;
    Ok(points.map(|points| points.iter().map(|row| row[n_params..].to_vec()).collect()))
}

/// The points of instances, each with its place in an order. `None` if the order does not have all, or numbers are too large.
fn places<'i>(
    instances: &'i [Vec<Int>],
    time: impl Fn(&'i [Int]) -> Outcome<Option<Time>>,
) -> Outcome<Option<BTreeMap<Point, Place>>> {
    let mut times = BTreeSet::new();
    for instance in instances {
        let (Some(time), Some(numbers)) = (time(instance)?, numbers(instance)) else {
            return Ok(None);
        };
        times.insert((time, numbers));
    }
    let mut places = BTreeMap::new();
    let mut blocks: Vec<&[Int]> = Vec::new();
    for (time, instance) in &times {
        let own = blocks.iter().position(|block| *block == time.block());
        let block = own.unwrap_or_else(|| {
            blocks.push(time.block());
            blocks.len() - 1
        });
        let position = places.len() + 1;
        places.entry(drawn(instance)).or_insert(Place { position, block });
    }
    if blocks.len() >= places.len() {
        // Blocks of one point say nothing.
        places.values_mut().for_each(|place: &mut Place| place.block = 0);
    }
    Ok((!places.is_empty()).then_some(places))
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

#[cfg(test)]
mod tests {
    use super::{Kind, dependences, sample};
    use expect_test::{Expect, expect};
    use farkas_polyhedral::budget::Budget;
    use farkas_polyhedral::program::text;

    /// What is drawn of a program in its order and that of a tree: a line of positions for each value of the outer loop.
    fn check(program: &str, tree: Option<&str>, expected: Expect) {
        let b = &Budget::new(3_000_000);
        let programs = text::programs(program).expect("a program");
        let [program] = &programs[..] else {
            panic!("one program")
        };
        let (dependences, is_value_based) = dependences(program, b).expect("within the budget");
        assert!(is_value_based);
        let tree = tree.map(|tree| tree.parse().expect("a tree"));
        let Some(sample) = sample(program, &dependences, tree.as_ref(), 6, b).expect("within the budget") else {
            expected.assert_eq("nothing");
            return;
        };
        let mut text = format!("{:?}\n", sample.params);
        for space in &sample.spaces {
            text += &format!("{} {:?} around {:?}\n", space.name, space.loops, space.around);
            for places in [Some(&space.points), space.reordered.as_ref()].into_iter().flatten() {
                let mut last = None;
                for (point, place) in places {
                    let outer = point[..point.len() - 1].to_vec();
                    let is_new = last.replace(outer.clone()).is_none_or(|last| last != outer);
                    text += if is_new { "\n" } else { "" };
                    let block = if places.values().any(|own| own.block > 0) {
                        format!("/{}", place.block)
                    } else {
                        String::new()
                    };
                    text += &format!("{:4}{block}", place.position);
                }
                text += "\n";
            }
            let arrows = space.arrows.as_ref().expect("arrows");
            let count = |kind| arrows.drawn.iter().filter(|arrow| arrow.kind == kind).count();
            let first = arrows.drawn.first().map(|arrow| (&arrow.from, &arrow.to));
            text += &format!(
                "flow {}, anti {}, output {}, the first {first:?}, {} left out, hidden: {}\n",
                count(Kind::Flow),
                count(Kind::Anti),
                count(Kind::Output),
                arrows.left_out,
                arrows.has_hidden
            );
        }
        for own in &sample.uses {
            text += &format!("{:?}: {:?} uses {:?}\n", own.statements, own.reader, own.writers);
        }
        expected.assert_eq(&text);
    }

    const TRIANGLE: &str = "
program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : n < 6 }
  array A: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i, j] : 0 <= j <= i < n }
    schedule: [n] -> { S[i, j] -> [(i), (j)] }
    read: [n] -> { S[i, j] -> A[(j)] }
    write: [n] -> { S[i, j] -> A[(j)] }
";

    #[test]
    fn positions_are_those_of_the_orders() {
        let columns = r#"
domain: "[n] -> { S[i, j] : 0 <= j <= i < n }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]"
"#;
        check(
            TRIANGLE,
            Some(columns),
            expect![[r#"
            [("n", 4)]
            S ["i", "j"] around []

               1
               2   3
               4   5   6
               7   8   9  10

               1
               2   5
               3   6   8
               4   7   9  10
            flow 6, anti 0, output 0, the first Some(([0, 0], [1, 0])), 0 left out, hidden: false
        "#]],
        );
    }

    #[test]
    fn tiles_are_seen() {
        let tiles = r#"
domain: "[n] -> { S[i, j] : 0 <= j <= i < n }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(floor((i)/2))] }, { S[i, j] -> [(floor((j)/2))] }]"
  child:
    sequence:
    - filter: "[n] -> { S[i, j] : j = i }"
    - filter: "[n] -> { S[i, j] : j < i }"
      child:
        schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
"#;
        check(
            TRIANGLE,
            Some(tiles),
            expect![[r#"
                [("n", 4)]
                S ["i", "j"] around []

                   1
                   2   3
                   4   5   6
                   7   8   9  10

                   1/0
                   3/1   2/0
                   4/2   5/2   8/0
                   6/2   7/2  10/3   9/0
                flow 6, anti 0, output 0, the first Some(([0, 0], [1, 0])), 0 left out, hidden: false
            "#]],
        );
    }

    #[test]
    fn the_last_two_loops_are_drawn() {
        check(
            "
program
  context: { : }
  assumptions: { : }
  array A: memory, 8 bytes, [][100]
  statement S
    domain: { S[t, i, j] : 0 <= t < 50 and t <= i < 100 and 1000 <= j <= 1000 + t }
    schedule: { S[t, i, j] -> [(t), (i), (j)] }
    read: { S[t, i, j] -> A[(i), (j)] }
    write: { S[t, i, j] -> A[(i), (j + 1)] }
",
            None,
            expect![[r#"
                []
                S ["t", "i", "j"] around ["7 and 8"]

                   1   2   3   4   5   6   7   8
                   9  10  11  12  13  14  15  16
                  17  18  19  20  21  22  23  24
                  25  26  27  28  29  30  31  32
                  33  34  35  36  37  38  39  40
                  41  42  43  44  45  46  47  48
                  49  50  51  52  53  54  55  56
                  57  58  59  60  61  62  63  64
                flow 56, anti 49, output 0, the first Some(([7, 1000], [7, 1001])), 0 left out, hidden: true
            "#]],
        );
    }

    #[test]
    fn statements_use_what_others_write() {
        check(
            "
program
  context: { : }
  assumptions: { : }
  array A: memory, 8 bytes, []
  array B: memory, 8 bytes, []
  statement S
    domain: { S[i] : 0 <= i < 50 }
    schedule: { S[i] -> [(0), (i)] }
    write: { S[i] -> A[(i)] }
  statement T
    domain: { T[i] : 1 <= i < 49 }
    schedule: { T[i] -> [(1), (i)] }
    read: { T[i] -> A[(i - 1)] }
    read: { T[i] -> A[(i + 1)] }
    write: { T[i] -> B[(i)] }
",
            None,
            expect![[r#"
                []
                S ["i"] around []

                   1   2   3   4   5   6   7   8
                flow 0, anti 0, output 0, the first None, 0 left out, hidden: false
                T ["i"] around []

                   1   2   3   4   5   6   7   8
                flow 0, anti 0, output 0, the first None, 0 left out, hidden: false
                (0, 1): [5] uses {[4], [6]}
            "#]],
        );
    }

    #[test]
    fn there_need_be_nothing_to_draw() {
        let never = TRIANGLE.replace("n < 6", "n > 6 and n < 6");
        check(&never, None, expect!["nothing"]);
        let endless = TRIANGLE.replace("0 <= j <= i < n", "j <= i < n");
        check(&endless, None, expect!["nothing"]);
    }

    #[test]
    fn instances_that_are_far_away_are_found() {
        let far = TRIANGLE
            .replace("n < 6", "n >= 1000")
            .replace("0 <= j <= i < n", "0 <= i < n and 0 <= j and i + j = 3n");
        check(
            &far,
            None,
            expect![[r#"
            [("n", 1000)]
            S ["i", "j"] around []

               1
            flow 0, anti 0, output 0, the first None, 0 left out, hidden: false
        "#]],
        );
    }
}
