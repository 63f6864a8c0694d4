//! Strip distribution: the first statements of an iteration for a whole strip of iterations, then the others for each of these.
//!
//! ```text
//! for (i) {                                    for (i in strips of 8) {
//!   s = 0;                                       s[0 .. 7] = 0;
//!   for (j) s += e[i][j];                 ->     for (j) s[0 .. 7] += e[i .. i + 7][j];      in lanes
//!   for (j) y[i][j] = e[i][j] / s;               for (i') for (j) y[i'][j] = e[i'][j] / s[i' mod 8];
//! }                                            }
//! ```
//!
//! What the first statements wait for, sums in order for instance, goes on in the lanes of a vector. The others have their own loops: they
//! are vectors along those, with iterations of the strip jammed where that shares something, or have to stay in order. Scalars that the
//! first ones hand to the others have an element for each iteration of a strip.
//!
//! An element is that of the iteration: statements that write a scalar, and those that read it, do so in the same iteration of the loop, which
//! is asked of its flow dependences. In the original order no value is written between a write and the reads of what it wrote, so
//! that each read finds the same value in the array as in the scalar.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{AccessKind, ArrayKind, Expansion, Program};
use farkas_polyhedral::sets::{Aff, MultiAff, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Node, Path, Tree};
use indexmap::IndexMap;

use crate::analysis::lanes::lanes;
use crate::check::lives_on;
use crate::cost::Model;
use crate::dependences::ByArray;
use crate::transform::coincident_innermost::{with_coincidence, with_joined_coincident};
use crate::transform::{function_of, has_band};

/// A loop whose iterations are in two parts, the first of which is executed for a strip of iterations before the others.
#[derive(Clone, Debug)]
pub(crate) struct StripDistribution {
    /// The scalars that the first part hands to the second, with an element for each iteration of a strip.
    pub(crate) expansions: Vec<Expansion>,
    /// The statements of the first part.
    pub(crate) first: Vec<Tuple>,
    path: Path,
    /// How many children of the band the first part has.
    n_first: usize,
    /// The iterations in a strip.
    size: u32,
}

/// The strip distribution of the outermost loop of a tree with several statements inside. The first part is as much as lanes may execute, up to the
/// last statement of these that waits for itself in an inner loop.
pub(crate) fn strip_distribution(
    (model, dependences): (&Model<'_>, &ByArray),
    tree: &Tree,
    is_serialized: &dyn Fn(&Tuple) -> Outcome<bool>,
    b: &Budget,
) -> Outcome<Option<StripDistribution>> {
    let Some((path, band, children)) = loop_of_several(tree) else {
        return Ok(None);
    };
    let is_slot = |array: &Tuple| model.program.arrays[array].kind == ArrayKind::ScalarSlot;
    let pairs = dependences.with_copies(is_slot);
    let (mut n_first, mut size) = (0, 0);
    for end in 1..=children.len() {
        let statements = statements(&children[..end]);
        let Some(lanes) = lanes(model.program, model.target, &statements, &is_slot) else {
            break;
        };
        if are_carried(band, &statements, &pairs, b)? {
            break;
        }
        let last = &children[end - 1];
        for statement in last.filter.tuples() {
            if has_band(&last.child) && is_serialized(statement)? {
                (n_first, size) = (end, lanes);
            }
        }
    }
    if n_first == 0 || n_first == children.len() {
        return Ok(None);
    }
    let (first, others) = (statements(&children[..n_first]), statements(&children[n_first..]));
    let slots = handed_on(model.program, &first, &others);
    let last = band.n() - 1;
    let element = |statement: &Tuple| {
        let function = function_of(band, statement);
        let space = function.domain_space();
        MultiAff::new(space, Tuple::anonymous(1), vec![function.affs()[last].clone()])
    };
    let mut expansions = Vec::new();
    for slot in slots {
        let users = users(model.program, &slot);
        let all: Vec<&Tuple> = band.statements().collect();
        if users.iter().any(|user| !all.contains(user)) || lives_on(model.program, &slot, b)? {
            return Ok(None);
        }
        let subscripts: IndexMap<Tuple, MultiAff> = users.iter().map(|user| ((*user).clone(), element(user))).collect();
        if subscripts.values().any(|function| !is_plain(function)) || !stays_within(dependences, &slot, &subscripts, b)?
        {
            return Ok(None);
        }
        expansions.push(Expansion {
            of: slot.clone(),
            copies: None,
            sizes: vec![size],
            subscripts,
        });
    }
    Ok((!expansions.is_empty()).then_some(StripDistribution {
        expansions,
        first,
        path,
        n_first,
        size,
    }))
}

impl StripDistribution {
    /// The program with an element for each iteration of the loop in place of the scalars.
    pub(crate) fn expanded(&self, program: &Program) -> Program {
        program.with_unbounded_expansions(&self.expansions)
    }

    /// The tree with strips, in each of which the first part is executed before the second.
    pub(crate) fn distributed(&self, tree: &Tree, coincidence: &UnionMap, b: &Budget) -> Outcome<Tree> {
        let tree = tree.rewritten(&self.path, |node| match node {
            Node::Band(band) => self.strips(&band),
            other => other,
        });
        with_joined_coincident(&with_coincidence(&tree, coincidence, b)?, coincidence, b)
    }

    fn strips(&self, band: &Band) -> Node {
        let last = band.n() - 1;
        let Node::Sequence(children) = &band.child else {
            unreachable!("a loop of several statements has a sequence")
        };
        let part = |children: &[Filter]| {
            let statements = statements(children);
            let child = match children {
                [only] => only.child.clone(),
                _ => Node::Sequence(children.to_vec()),
            };
            let own = band.select(&[last]).restricted(|tuple| statements.contains(tuple));
            Filter::of_statements(statements, Node::band(own.with_permutable(true).with_child(child)))
        };
        let (first, others) = children.split_at(self.n_first);
        let mut sizes = vec![1; band.n()];
        sizes[last] = i64::from(self.size);
        let mut strips = band.clone().with_permutable(true).tiled(&sizes);
        strips.permutable = false;
        strips.child = Node::Sequence(vec![part(first), part(others)]);
        Node::band(strips)
    }
}

/// The outermost band of a tree with several children in sequence, below no other statements.
fn loop_of_several(tree: &Tree) -> Option<(Path, &Band, &[Filter])> {
    let mut path = Path::root();
    loop {
        let Node::Band(band) = tree.at(&path)? else {
            return None;
        };
        match &band.child {
            Node::Sequence(children) if band.n() > 0 => return Some((path, band, children)),
            Node::Band(_) => path = path.child(0),
            _ => return None,
        }
    }
}

/// The statements of some children.
fn statements(children: &[Filter]) -> Vec<Tuple> {
    let tuples = children.iter().flat_map(|child| child.filter.tuples());
    tuples.cloned().collect()
}

/// Whether some of these pairs go from one iteration of the last loop of a band to another one, between statements.
pub(super) fn are_carried(band: &Band, statements: &[Tuple], pairs: &UnionMap, b: &Budget) -> Outcome<bool> {
    let last = band.n() - 1;
    let of = |statement: &Tuple, members: std::ops::Range<usize>| {
        let function = function_of(band, statement);
        let affs: Vec<Aff> = function.affs()[members].to_vec();
        MultiAff::new(function.domain_space(), Tuple::anonymous(affs.len()), affs).to_map()
    };
    for pair in pairs.maps() {
        let (source, target) = (pair.domain_tuple(), pair.range_tuple());
        if !statements.contains(source) || !statements.contains(target) {
            continue;
        }
        let same = |members: std::ops::Range<usize>| {
            of(source, members.clone()).apply_range(&of(target, members).reverse(), b)
        };
        let within = pair.intersect(&same(0..last)?);
        if !within.subtract(&same(last..last + 1)?, b)?.is_empty(b)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The slots that statements of the first part write and others read.
fn handed_on(program: &Program, first: &[Tuple], others: &[Tuple]) -> Vec<Tuple> {
    let does = |statements: &[Tuple], slot: &Tuple, reads: bool| {
        let of_part = program.statements.iter().filter(|s| statements.contains(s.tuple()));
        let mut accesses = of_part.flat_map(|statement| &statement.accesses);
        accesses.any(|access| access.array() == slot && (access.kind == AccessKind::Read) == reads)
    };
    let slots = program
        .arrays
        .iter()
        .filter(|(_, array)| array.kind == ArrayKind::ScalarSlot);
    let slots = slots.map(|(tuple, _)| tuple.clone());
    slots
        .filter(|slot| does(first, slot, false) && does(others, slot, true))
        .collect()
}

/// The statements that access a slot, or another array.
pub(super) fn users<'p>(program: &'p Program, slot: &Tuple) -> Vec<&'p Tuple> {
    let statements = program.statements.iter();
    let uses = statements.filter(|statement| statement.accesses.iter().any(|access| access.array() == slot));
    uses.map(|statement| statement.tuple()).collect()
}

/// Whether a subscript is a sum of counters.
fn is_plain(function: &MultiAff) -> bool {
    let aff = &function.affs()[0];
    let n_params = function.params().len();
    let mut params = aff.row()[1..=n_params].iter();
    aff.divs().is_empty() && aff.den().is_one() && params.all(Int::is_zero)
}

/// Whether each value of a slot is read in the iteration that wrote it, and none comes in.
fn stays_within(
    dependences: &ByArray,
    slot: &Tuple,
    subscripts: &IndexMap<Tuple, MultiAff>,
    b: &Budget,
) -> Outcome<bool> {
    let Some(own) = dependences.arrays().get(slot) else {
        return Ok(false);
    };
    if !own.live_in.is_empty(b)? {
        return Ok(false);
    }
    for flow in own.flow.maps() {
        let (source, target) = (&subscripts[flow.domain_tuple()], &subscripts[flow.range_tuple()]);
        let same = source.to_map().apply_range(&target.to_map().reverse(), b)?;
        if !flow.subtract(&same, b)?.is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}
