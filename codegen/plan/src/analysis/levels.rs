//! The loops around each statement: of a schedule tree, or of the original order.
//!
//! A *level* is a loop around a statement: it counts the values of `floor(f / size)` for an affine function `f` of the
//! instance, its *point function*. A loop over points has size 1. For the tree
//!
//! ```text
//! [i/32, j/32]        levels (i, 32), (j, 32)
//!   [i, j]            levels (i, 1), (j, 1)
//! ```
//!
//! a statement has four levels. Two statements share a loop if their levels have the same [`LoopId`].

use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Aff, ByTuple, Name, Tuple};
use farkas_polyhedral::tree::{Band, Filter, LoopKind, Mark, Node, Share, Tree};
use indexmap::IndexMap;

use super::lanes::Block;

/// Tells the loops of an order apart, outer ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LoopId(pub(crate) usize);

/// A loop around a statement.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) id: LoopId,
    /// The point function, without divisions.
    pub(crate) point: Aff,
    /// How many values of the point function one iteration spans.
    pub(crate) size: i64,
    /// Whether the loop is marked as carrying nothing. LLVM is told so.
    pub(crate) coincident: bool,
    /// Whether the iterations are repeated in the code instead of being executed by a loop.
    pub(crate) unrolled: bool,
    /// How iterations run in the lanes of a vector, if a mark says so. The loop counts as unrolled then.
    pub(crate) lanes: Option<InLanes>,
    /// The arrays that each iteration has a copy of where it is jammed, lanes apart.
    pub(crate) private: Vec<Name>,
    /// The array of which a tile is in a buffer around the loop.
    pub(crate) packed: Option<Name>,
}

/// Iterations that run in the lanes of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InLanes {
    /// Their number.
    pub(crate) lanes: u32,
    /// Whether a mask leaves out those that have no iteration.
    pub(crate) masked: bool,
    /// How the loop around goes, if it does so in blocks.
    pub(crate) block: Option<Block>,
    /// The arrays of which elements stay in registers along the loop around.
    pub(crate) keep: Vec<Name>,
    /// The arrays of which lanes hand on elements along the loop around.
    pub(crate) shift: Vec<Name>,
    /// The arrays that each lane has a copy of.
    pub(crate) private: Vec<Name>,
    /// The loops inside of the lanes.
    pub(crate) inside: Vec<LoopId>,
}

/// What marks say of the loops below.
#[derive(Clone, Default)]
struct Marks {
    /// The lanes of the first loop below, and what each has a copy of.
    lanes: Option<(u32, bool, Vec<Name>)>,
    /// Where iterations of the first loop below are jammed, what each has a copy of.
    jam: Option<Vec<Name>>,
    /// The block that iterations of the loop around lanes go in.
    block: Option<Block>,
    /// The arrays of which elements stay in registers along the loop around lanes.
    keep: Vec<Name>,
    /// The arrays of which lanes hand on elements along the loop around.
    shift: Vec<Name>,
    /// The array of which a tile is in a buffer.
    packed: Option<Name>,
}

/// The levels of each statement, outermost first.
pub(crate) type Levels = ByTuple<Vec<Level>>;

/// The levels of a tree of bands, filters, sequences, sets, contexts and marks whose functions are affine or tile affine
/// ones; `None` for any other tree.
pub(crate) fn of_tree(tree: &Tree, program: &Program) -> Option<Levels> {
    let statements = program.statements.iter();
    of_statements(tree, statements.map(|statement| statement.tuple().clone()).collect())
}

/// The same of some statements.
pub(crate) fn of_statements(tree: &Tree, statements: Vec<Tuple>) -> Option<Levels> {
    let mut levels: Levels = statements.iter().map(|tuple| (tuple.clone(), Vec::new())).collect();
    let mut next = 0;
    visit(&tree.root, &Marks::default(), &statements, &mut levels, &mut next)?;
    Some(levels)
}

fn visit(node: &Node, marks: &Marks, reaching: &[Tuple], levels: &mut Levels, next: &mut usize) -> Option<()> {
    match node {
        Node::Band(band) => {
            for member in 0..band.n() {
                let id = LoopId(*next);
                *next += 1;
                for tuple in reaching {
                    let mut level = level(band, member, tuple, id)?;
                    level.packed.clone_from(&marks.packed);
                    if let (0, Some((lanes, masked, private))) = (member, &marks.lanes) {
                        level.lanes = Some(InLanes {
                            lanes: *lanes,
                            masked: *masked,
                            private: private.clone(),
                            block: marks.block.clone(),
                            keep: marks.keep.clone(),
                            shift: marks.shift.clone(),
                            inside: Vec::new(),
                        });
                        level.unrolled = true;
                    }
                    if let (0, Some(private)) = (member, &marks.jam) {
                        level.private.clone_from(private);
                        level.unrolled = true;
                    }
                    if let Some(lanes) = levels[tuple].iter_mut().find_map(|level| level.lanes.as_mut()) {
                        lanes.inside.push(id);
                    }
                    levels[tuple].push(level);
                }
            }
            let inside = Marks {
                lanes: None,
                jam: None,
                ..marks.clone()
            };
            visit(&band.child, &inside, reaching, levels, next)
        }
        Node::Sequence(children) | Node::Set(children) => {
            // A statement that has tiles of its own has their loops: few instances are elsewhere.
            let mut elsewhere: Vec<&Tuple> = Vec::new();
            children.iter().try_for_each(|child| {
                let passes = |tuple: &&Tuple| child.share(tuple) != Share::Nothing && !elsewhere.contains(tuple);
                let inside: Vec<&Tuple> = reaching.iter().filter(passes).collect();
                for tuple in &inside {
                    match child.share(tuple) {
                        Share::Whole => {}
                        _ if has_tiles_of(child, tuple) => elsewhere.push(tuple),
                        _ => return None,
                    }
                }
                let inside: Vec<Tuple> = inside.into_iter().cloned().collect();
                visit(&child.child, marks, &inside, levels, next)
            })
        }
        Node::Filter(filter) => visit(&filter.child, marks, reaching, levels, next),
        Node::Mark(mark, child) => {
            let mut inside = marks.clone();
            match mark {
                Mark::Vector { lanes, masked, private } => inside.lanes = Some((*lanes, *masked, private.clone())),
                Mark::Jam { private, .. } => inside.jam = Some(private.clone()),
                Mark::Block { iterations, arrays } => {
                    let (iterations, arrays) = (*iterations, arrays.clone());
                    inside.block = Some(Block { iterations, arrays });
                    for lanes in lanes_around(reaching, levels) {
                        lanes.block = inside.block.clone();
                    }
                }
                Mark::Keep { arrays } => {
                    inside.keep = arrays.clone();
                    for lanes in lanes_around(reaching, levels) {
                        lanes.keep = arrays.clone();
                    }
                }
                Mark::Shift { arrays } => inside.shift = arrays.clone(),
                Mark::Pack { array, .. } => inside.packed = Some(array.clone()),
                _ => {}
            }
            visit(child, &inside, reaching, levels, next)
        }
        Node::Context(_, child) | Node::Guard(_, child) => visit(child, marks, reaching, levels, next),
        Node::Leaf => Some(()),
        Node::Expansion(_) | Node::Extension(..) => None,
    }
}

/// The lanes of statements that are around the loop that a mark speaks of.
fn lanes_around<'l>(statements: &'l [Tuple], levels: &'l mut Levels) -> impl Iterator<Item = &'l mut InLanes> {
    let own = levels.iter_mut().filter(|(tuple, _)| statements.contains(tuple));
    own.filter_map(|(_, levels)| levels.iter_mut().find_map(|level| level.lanes.as_mut()))
}

/// Whether the child of a band of tiles has those in which the statement is alone.
fn has_tiles_of(child: &Filter, statement: &Tuple) -> bool {
    child.share(statement) == Share::Part && child.filter.sets().count() == 1
}

fn level(band: &Band, member: usize, tuple: &Tuple, id: LoopId) -> Option<Level> {
    let mut pieces = band.part(member, tuple)?.pieces();
    let (Some((_, function)), None) = (pieces.next(), pieces.next()) else {
        return None;
    };
    let (point, size) = point_and_size(function)?;
    Some(Level {
        id,
        point,
        size,
        coincident: band.members()[member].coincident,
        unrolled: band.members()[member].kind == LoopKind::Unroll,
        lanes: None,
        private: Vec::new(),
        packed: None,
    })
}

/// `f` and `size` of the function `floor(f / size)`.
fn point_and_size(function: &Aff) -> Option<(Aff, i64)> {
    let (point, size) = function.as_floor_div()?;
    Some((point, size.to_i64()?))
}

/// The levels of the original order. Constant functions of a schedule say which loops come first, and are no loops.
pub(crate) fn of_original(program: &Program) -> Levels {
    let mut loops: IndexMap<Vec<Option<String>>, LoopId> = IndexMap::new();
    let mut levels = Levels::default();
    for statement in &program.statements {
        let mut own = Vec::new();
        // What tells the loops apart: the constants outside of each, and the number of loops around it.
        let mut path: Vec<Option<String>> = Vec::new();
        for function in statement.schedule.affs() {
            if let Some(constant) = function.as_constant() {
                path.push(Some(constant.to_string()));
                continue;
            }
            path.push(None);
            let next = LoopId(loops.len());
            let id = *loops.entry(path.clone()).or_insert(next);
            if let Some((point, size)) = point_and_size(function) {
                own.push(Level {
                    id,
                    point,
                    size,
                    coincident: true,
                    unrolled: false,
                    lanes: None,
                    private: Vec::new(),
                    packed: None,
                });
            }
        }
        levels.insert(statement.tuple().clone(), own);
    }
    levels
}
