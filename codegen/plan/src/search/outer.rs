//! Vector lanes along a loop around others.
//!
//! A band that has other bands inside may have lanes, too: all lanes execute an iteration of a loop inside, and then
//! the next one. Scalar slots that each iteration writes before it reads them are private: each lane has a copy. So are small
//! arrays on the stack that each iteration fills before it reads them, such as the vectors of a Runge-Kutta step: an element of such an
//! array is a vector, with the element of each lane.
//!
//! ```text
//! for (i) { t = 0; for (j) t += A[i][j]; s[i] = t; }    [i] { t = 0; [j] ..; s[i] = t }
//!                                                    -> [i/8] { vector(8, private t) [i] { t = 0; [j] ..; s[i] = t } }
//! ```
//!
//! Iterations of another parallel loop of the band may be jammed: the loops inside go through several of them at a time, with
//! private copies of the slots. Their recurrences run side by side, and share what is loaded for the lanes. So do several vectors of a strip, which
//! share what is the same in all lanes. In tiles of columns around the other loops of the band, what a vector reads in a loop inside stays in a cache
//! for all of these:
//!
//! ```text
//! [i, j] { t = 0; [k] t += A[i][k] * B[k][j]; C[i][j] = a * t + b * C[i][j] }
//!  -> [j/64] { [i/4, j/16] { jam(2, private t) [j/8] { vector(8, private t) [j] { jam(4, private t) [i] { .. } } } } }
//! ```
//!
//! That is legal if iterations of the band's loop may run side by side, each with its copies. Bounds of loops inside may differ from lane to
//! lane in one direction ([`divergence`](crate::analysis::divergence)). Where arrays are consecutive along an
//! innermost loop inside, its iterations go in blocks.
//!
//! A band with domains that have holes, as where `j != i`, has lanes around its last loop, which has other bounds before and behind the hole:
//! `[i, j] { .. }` is `[i/8] { vector(8) [i] { [j] { .. } } }`. So has one whose statements are one before and one behind the diagonal.

use crate::analysis::divergence;
use crate::analysis::lanes::{Block, MOST_ITERATIONS, are_masked, lanes};
use crate::analysis::levels::{self, Level, Levels};
use crate::analysis::linear::{LinearAccess, Stride, direction, linear_part};
use crate::cost::{Cost, Model};
use crate::dependences::ByArray;
use crate::search::kept::{Around, OtherElements, are_kept};
use crate::search::lanes::block_size;
use crate::search::read_ahead::lanes_keep_order;
use crate::transform::tile::tiled;
use crate::transform::vectorize::{Jam, Lanes, vectorized_around};
use crate::transform::{Transform, bands_around, function_of, has_band};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{Access, AccessKind, ArrayKind};
use farkas_polyhedral::sets::{ByTuple, Name, Set, Tuple};
use farkas_polyhedral::tree::{Band, Mark, Node, Path, Tree};
use indexmap::IndexMap;

/// How many iterations of another loop run side by side with lanes, and how many may where there are many registers.
const JAMMED: u32 = 4;
const JAMMED_WITH_MANY_REGISTERS: u32 = 8;
const MANY_REGISTERS: u32 = 32;
/// The most vectors side by side, without another loop jammed, and with one.
const MOST_VECTORS: u32 = 4;
const MOST_VECTORS_JAMMED: u32 = 2;
/// The iterations along the lanes in a tile around the other loops of a band: several vectors, and whole lines for a prefetcher.
const COLUMNS: i64 = 64;
/// Jammed loops have to take at most this share of the time without them.
const CLEARLY: f64 = 0.9;

/// A band with lanes around other bands.
#[derive(Clone, Debug)]
pub(crate) struct OuterLanes {
    pub(super) path: Path,
    pub(super) node: Node,
    pub(crate) statements: Vec<Tuple>,
    pub(crate) transforms: Vec<Transform>,
    /// The cost of its statements.
    pub(crate) cost: Cost,
}

/// A band with lanes, and what was done to it.
type Variant = (Node, Vec<Transform>);

/// The bands around others that may have lanes: of those with the same statements the cheapest one, and else the outermost ones. Without
/// `force`, dependences have to serialize the loops inside.
pub(super) fn outer_lanes(
    (model, by_array): (&Model<'_>, Option<&ByArray>),
    tree: &Tree,
    force: bool,
    b: &Budget,
) -> Outcome<Vec<OuterLanes>> {
    let levels = levels::of_tree(tree, model.program).expect("a tree with levels");
    let search = Search {
        model,
        by_array,
        tree,
        levels: &levels,
        force,
        b,
    };
    let mut found: Vec<OuterLanes> = Vec::new();
    for path in tree.paths() {
        let Some(Node::Band(band)) = tree.at(&path) else {
            continue;
        };
        if band.n() == 0 || band.n() > 1 && !band.permutable || has_strips(band) {
            continue;
        }
        let around_last;
        let band = match has_band(&band.child) {
            true => band,
            false if band.n() > 1 && has_parts(model, band) => {
                around_last = split_off_last(band);
                // Parts along the lanes are no matter of the loop inside.
                match search.diverges(&path, &around_last) {
                    true => &around_last,
                    false => continue,
                }
            }
            false => continue,
        };
        let inside;
        // What is consecutive along the lanes, LLVM vectorizes in an order with their loop innermost.
        let bands = match with_last_coincident(band).filter(|split| search.has_columns(&path, split)) {
            Some(split) => {
                inside = split;
                vec![band, &inside]
            }
            None => vec![band],
        };
        let best = || -> Outcome<Option<OuterLanes>> {
            let mut best: Option<OuterLanes> = None;
            for band in bands {
                let own = search.best(&path, band)?;
                let is_better =
                    |own: &OuterLanes| best.as_ref().is_none_or(|best| own.cost.cycles() < best.cost.cycles());
                best = own.filter(is_better).or(best);
            }
            Ok(best)
        };
        let around = found
            .iter()
            .position(|outer| path.steps().starts_with(outer.path.steps()));
        match around {
            None => found.extend(best()?),
            Some(around) if !force && found[around].statements.iter().eq(band.statements()) => {
                let is_better = |inside: &OuterLanes| inside.cost.cycles() < CLEARLY * found[around].cost.cycles();
                if let Some(inside) = best()?.filter(is_better) {
                    found[around] = inside;
                }
            }
            Some(_) => {}
        }
    }
    Ok(found)
}

/// Whether the domain of a statement is no convex set, as where `j != i`.
pub(super) fn has_holes(model: &Model<'_>, tuple: &Tuple) -> bool {
    model.domain(tuple).pieces().len() > 1
}

/// Whether the last loop of a band goes from strip to strip.
fn has_strips(band: &Band) -> bool {
    let last = band.n() - 1;
    let is_strip = |tuple: &Tuple| !function_of(band, tuple).affs()[last].divs().is_empty();
    band.statements().any(is_strip)
}

/// Whether loops of a band have parts one after the other: those of a domain with holes, or of several statements.
fn has_parts(model: &Model<'_>, band: &Band) -> bool {
    band.statements().any(|tuple| has_holes(model, tuple)) || band.statements().nth(1).is_some()
}

/// A band whose last member is not coincident, though another one is: with what is behind that one in a band inside.
///
/// ```text
/// [j, i] { [k] B[j][i] -= A[i][k] * B[j][k]; .. }  ->  [j] { [i] { [k] .. } }       rows j are lanes of a triangular solve
/// ```
fn with_last_coincident(band: &Band) -> Option<Band> {
    let (last, others) = band.members().split_last()?;
    let member = others.iter().rposition(|member| member.coincident)?;
    let behind: Vec<usize> = (member + 1..band.n()).collect();
    let around: Vec<usize> = (0..=member).collect();
    (!last.coincident).then(|| band.select(&around).with_child(Node::band(band.select(&behind))))
}

/// A band with its last member in a band of its own inside.
fn split_off_last(band: &Band) -> Band {
    let last = band.n() - 1;
    let others: Vec<usize> = (0..last).collect();
    band.select(&others).with_child(Node::band(band.select(&[last])))
}

/// The search for lanes around the loops of a tree.
struct Search<'a> {
    model: &'a Model<'a>,
    by_array: Option<&'a ByArray>,
    tree: &'a Tree,
    levels: &'a Levels,
    force: bool,
    b: &'a Budget,
}

impl Search<'_> {
    /// Whether bounds of loops inside of a band differ along its last member.
    fn diverges(&self, path: &Path, band: &Band) -> bool {
        let around = (self.levels, outer_members(self.tree, path));
        along_lanes(self.model, band, around, &[]).is_some_and(|along| along.diverges)
    }

    /// Whether some accesses are strided along the last member of a band, and consecutive along an innermost loop inside.
    fn has_columns(&self, path: &Path, band: &Band) -> bool {
        let around = (self.levels, outer_members(self.tree, path));
        along_lanes(self.model, band, around, &[]).is_some_and(|along| along.n_columns > 0)
    }

    /// The best lanes along the last member of a band.
    fn best(&self, path: &Path, band: &Band) -> Outcome<Option<OuterLanes>> {
        let Search { model, tree, b, .. } = *self;
        let statements: Vec<Tuple> = band.statements().cloned().collect();
        let is_coincident = band.members()[band.n() - 1].coincident;
        let copied = match is_coincident {
            true => Some(Vec::new()),
            false => small_temporaries(model, band),
        };
        let Some(copied) = copied else { return Ok(None) };
        let Some(variants) = in_lanes(model, band, (self.levels, outer_members(tree, path)), &copied, b)? else {
            return Ok(None);
        };
        // Arrays on the stack are in the way of LLVM's vectorizer, too.
        let mut is_serialized = self.force || !copied.is_empty();
        for tuple in &statements {
            is_serialized = is_serialized || model.is_serialized(tuple, self.levels, b)?;
        }
        if !is_serialized || !is_coincident && !self.is_coincident_with_copies(path, band, &copied)? {
            return Ok(None);
        }
        let mut best: Option<OuterLanes> = None;
        for (node, transforms) in variants {
            let new = tree.rewritten(path, |_| node.clone());
            let Some(mut levels) = levels::of_tree(&new, model.program) else {
                continue;
            };
            levels.retain(|tuple, _| statements.contains(tuple));
            let cost = model.cost(&levels, b)?;
            let is_better = |best: &OuterLanes| cost.cycles() < CLEARLY * best.cost.cycles();
            if best.as_ref().is_none_or(is_better) {
                best = Some(OuterLanes {
                    path: path.clone(),
                    node,
                    statements: statements.clone(),
                    transforms,
                    cost,
                });
            }
        }
        Ok(best)
    }

    /// Whether iterations of the last member of a band may run side by side if each has a copy of all scalar slots, and of the arrays in
    /// `copied`.
    fn is_coincident_with_copies(&self, path: &Path, band: &Band, copied: &[Tuple]) -> Outcome<bool> {
        let (Some(by_array), b) = (self.by_array, self.b) else {
            return Ok(false);
        };
        let is_copied = |array: &Tuple| is_slot(self.model, array) || copied.contains(array);
        let outer = self.tree.reach(path, b)?;
        let inner = outer.through(&Node::band(Band::clone(band).select(&[band.n() - 1])), 0, b)?;
        lanes_keep_order(by_array, &is_copied, (&outer, &inner), &band.child, b)
    }
}

/// The bytes of all arrays on the stack that lanes have copies of: at most so many for each lane.
const COPIED_BYTES: u64 = 1024;

/// The arrays on the stack that the statements of a band access; `None` if they are too large to be copied for each lane.
fn small_temporaries(model: &Model<'_>, band: &Band) -> Option<Vec<Tuple>> {
    let mut found: Vec<Tuple> = Vec::new();
    let mut bytes = 0;
    for tuple in band.statements() {
        let id = model.program.find_statement(tuple).expect("a statement of the program");
        for access in &model.program.statement(id).accesses {
            let array = &model.program.arrays[access.array()];
            if array.kind == ArrayKind::Temporary && !found.contains(&array.tuple) {
                bytes += array.n_elements()?.checked_mul(array.element_size)?;
                found.push(array.tuple.clone());
            }
        }
    }
    (bytes <= COPIED_BYTES).then_some(found)
}

/// The linear parts of the loops around a statement that are over points, and how many of the first `outer` loops are. Loops over strips go the
/// same way as those inside of them.
fn points(levels: &[Level], outer: usize) -> Option<(Vec<Row>, usize)> {
    let is_point = |level: &&Level| level.size == 1;
    let rows: Option<Vec<Row>> = levels
        .iter()
        .filter(is_point)
        .map(|level| linear_part(&level.point))
        .collect();
    let outer = levels.iter().take(outer).filter(is_point).count();
    rows.map(|rows| (rows, outer))
}

/// The number of members of the bands around the one at the path.
fn outer_members(tree: &Tree, path: &Path) -> usize {
    bands_around(tree, path).map(|band| band.n()).sum()
}

/// The band with lanes along its last member, which has so many members around it: without other loops jammed, and with one, in one vector and in
/// several, in tiles of columns and without these. Simple ones are first. Each lane has a copy of the arrays in `copied`.
fn in_lanes(
    model: &Model<'_>,
    band: &Band,
    (levels, outer): (&Levels, usize),
    copied: &[Tuple],
    b: &Budget,
) -> Outcome<Option<Vec<Variant>>> {
    let member = band.n() - 1;
    let lanes = lanes(model.program, model.target, band.statements(), &|array| {
        is_slot(model, array)
    });
    let along = along_lanes(model, band, (levels, outer), copied);
    let Some((lanes, along)) = lanes.zip(along) else {
        return Ok(None);
    };
    let others = other_elements(model, band, (levels, outer), b)?;
    let masked = are_masked(model.program, model.target, band.statements());
    let block = block_size(model, lanes.min(MOST_ITERATIONS), along.n_columns);
    let block = block.map(|iterations| Block {
        iterations,
        arrays: along.columns.clone(),
    });
    let marks = |inner: &Band| {
        let block = block.as_ref().map(|block| Mark::Block {
            iterations: block.iterations,
            arrays: block.arrays.clone(),
        });
        let arrays = kept(
            model,
            inner,
            (levels, outer + member),
            (&along.private, masked),
            &others,
        );
        let keep = (!arrays.is_empty()).then_some(Mark::Keep { arrays });
        keep.into_iter().chain(block).collect()
    };
    let inner = band.clone().with_child(with_marks(&band.child, &marks));
    let statements = || band.statements().cloned().collect::<Vec<Tuple>>();
    let vectorized = Transform::Vectorize {
        statements: statements(),
        member,
        lanes,
        block: block.as_ref().map(|block| block.iterations),
    };
    let may_have_copies = copied.is_empty() && !along.diverges;
    let may_be_jammed = |member: &usize| copied.is_empty() && may_be_jammed(model, band, levels, (*member, outer));
    let mut variants = Vec::new();
    for (jam, vectors) in copies(model, (0..member).filter(may_be_jammed), may_have_copies) {
        let strip = Lanes {
            member,
            lanes,
            vectors,
            block: None,
            keep: Vec::new(),
            shift: Vec::new(),
            masked,
        };
        let factors = [jam.map(|jam| jam.iterations), (vectors > 1).then_some(vectors)];
        let factors: Vec<i64> = factors.into_iter().flatten().map(i64::from).collect();
        let jammed = (!factors.is_empty()).then(|| Transform::UnrollAndJam {
            statements: statements(),
            factors,
            directions: Vec::new(),
        });
        let transforms: Vec<Transform> = jammed.into_iter().chain([vectorized.clone()]).collect();
        let node = vectorized_around(&inner, &strip, jam, along.private.clone());
        let in_tiles = (member > 0 && may_have_copies).then(|| {
            let mut sizes = vec![None; band.n()];
            sizes[member] = Some(COLUMNS);
            let node = tiled(band, &sizes, node.clone());
            let tile = Transform::Tile {
                statements: statements(),
                sizes,
                directions: Vec::new(),
            };
            (node, [vec![tile], transforms.clone()].concat())
        });
        variants.push((node, transforms));
        variants.extend(in_tiles);
    }
    Ok(Some(variants))
}

/// What is known of the accesses of the statements of a band. It has so many members around it.
fn other_elements(
    model: &Model<'_>,
    band: &Band,
    (levels, outer): (&Levels, usize),
    b: &Budget,
) -> Outcome<ByTuple<OtherElements>> {
    let mut found = ByTuple::default();
    for tuple in band.statements() {
        let inner = points(&levels[tuple], outer).and_then(|(rows, _)| direction(&rows, rows.len() - 1, tuple.n()));
        if let Some(inner) = inner {
            found.insert(tuple.clone(), OtherElements::of(model.statement_of(tuple), &inner, b)?);
        }
    }
    Ok(found)
}

/// What may be side by side: iterations of one of these loops or none, and vectors, of which there may be several.
fn copies(
    model: &Model<'_>,
    jammed: impl Iterator<Item = usize>,
    may_have_vectors: bool,
) -> impl Iterator<Item = (Option<Jam>, u32)> {
    let more = (model.target.vector.registers >= MANY_REGISTERS).then_some(JAMMED_WITH_MANY_REGISTERS);
    let of_loop = move |member| {
        let iterations = [JAMMED].into_iter().chain(more);
        iterations.map(move |iterations| Jam { member, iterations })
    };
    let jams = [None].into_iter().chain(jammed.flat_map(of_loop).map(Some));
    jams.flat_map(move |jam| {
        let most = match jam {
            _ if !may_have_vectors => 1,
            None => MOST_VECTORS,
            Some(_) => MOST_VECTORS_JAMMED,
        };
        let vectors = [1, 2, 4].into_iter().filter(move |vectors| *vectors <= most);
        vectors.map(move |vectors| (jam, vectors))
    })
}

/// What the statements of a band access, where its last member is along lanes.
#[derive(Default)]
struct AlongLanes {
    /// The scalar slots that are written, and the arrays that are copied: each lane has a copy.
    private: Vec<Name>,
    /// The arrays that are consecutive along an innermost loop inside, and strided along the lanes.
    columns: Vec<Name>,
    /// How many accesses these have.
    n_columns: u32,
    /// Whether loops inside have bounds that differ from lane to lane.
    diverges: bool,
}

impl AlongLanes {
    /// Each lane has a copy of a slot that is written.
    fn add_slot(&mut self, access: &Access) {
        let name = access.array().name().expect("an array has a name");
        if access.kind != AccessKind::Read && !self.private.contains(name) {
            self.private.push(name.clone());
        }
    }
}

/// What the statements of a band access along its last member, which has so many members around it; `None` if bounds of loops inside differ
/// from lane to lane in no single direction, or lanes write the same element.
fn along_lanes(
    model: &Model<'_>,
    band: &Band,
    (levels, outer): (&Levels, usize),
    copied: &[Tuple],
) -> Option<AlongLanes> {
    let member = band.n() - 1;
    let names = copied.iter().filter_map(|array| array.name());
    let mut found = AlongLanes {
        private: names.cloned().collect(),
        ..AlongLanes::default()
    };
    for tuple in band.statements() {
        let linear = &model.statements[tuple];
        let (rows, outer) = points(&levels[tuple], outer)?;
        let id = model.program.find_statement(tuple).expect("a statement of the program");
        let accesses = &model.program.statement(id).accesses;
        let last = rows.len() - 1;
        let along = match direction(&rows, outer + member, linear.depth) {
            Some(along) => along,
            // Where a slot is written behind a loop, its last value is a dimension that no level tells.
            None if last == outer + member && accesses.iter().all(|access| is_slot(model, access.array())) => {
                accesses.iter().for_each(|access| found.add_slot(access));
                continue;
            }
            None => return None,
        };
        let inner = match last > outer + member {
            true => Some(direction(&rows, last, linear.depth)?),
            false => None,
        };
        let inside: Vec<Row> = (outer + band.n()..rows.len())
            .map(|k| direction(&rows, k, linear.depth))
            .collect::<Option<_>>()?;
        let slopes = divergence::slopes(model.domain(tuple), &along, &inside)?;
        found.diverges |= slopes.iter().any(|slope| *slope > 0.0);
        for (access, linear) in accesses.iter().zip(&linear.accesses) {
            let name = access.array().name().expect("an array has a name");
            if is_slot(model, access.array()) {
                found.add_slot(access);
                continue;
            }
            if copied.contains(access.array()) {
                // All lanes are at the same element, each of its own copy.
                if linear.stride(&along) != Stride::Zero {
                    return None;
                }
                continue;
            }
            if linear.writes && linear.stride(&along) == Stride::Zero {
                return None;
            }
            let consecutive = inner.as_ref().is_some_and(|inner| linear.stride(inner) == Stride::Unit);
            if consecutive && linear.stride(&along) == Stride::Other {
                found.n_columns += 1;
                if !found.columns.contains(name) {
                    found.columns.push(name.clone());
                }
            }
        }
    }
    Some(found)
}

fn is_slot(model: &Model<'_>, array: &Tuple) -> bool {
    model.program.arrays[array].kind == ArrayKind::ScalarSlot
}

/// Whether iterations of a member may run side by side, as far as marks and bounds show it.
fn may_be_jammed(model: &Model<'_>, band: &Band, levels: &Levels, (member, outer): (usize, usize)) -> bool {
    let has_same_bounds = |tuple: &Tuple| {
        let depth = model.statements[tuple].depth;
        let Some((rows, outer)) = points(&levels[tuple], outer) else {
            return false;
        };
        let along = direction(&rows, outer + member, depth);
        let inside = (outer + band.n()..rows.len()).map(|k| direction(&rows, k, depth));
        let inside: Option<Vec<Row>> = inside.collect();
        along
            .zip(inside)
            .is_some_and(|(along, inside)| has_same_bounds(model.domain(tuple), &along, &inside))
    };
    band.members()[member].coincident && band.statements().all(has_same_bounds)
}

/// Whether the bounds of the loops along `inside` are the same in all iterations of the loop along `along`.
fn has_same_bounds(domain: &Set, along: &Row, inside: &[Row]) -> bool {
    let first = 1 + domain.params().len();
    let n = domain.tuple().n();
    let same = |row: &Row| {
        let dims: Row = Row::from(&row[first..first + n]);
        let moves = |direction: &Row| !dot(&dims, direction).is_zero();
        !moves(along) || !inside.iter().any(moves)
    };
    let mut pieces = domain.pieces().iter();
    pieces.all(|piece| piece.n_vars() == first - 1 + n && piece.eqs().iter().chain(piece.ineqs()).all(same))
}

/// The arrays of which elements stay in registers along the last loop of a band inside of lanes along a level: those that its
/// statement writes, and reads nothing else of, but for `others` that are read. None where it has several statements.
fn kept(
    model: &Model<'_>,
    band: &Band,
    (levels, lanes): (&Levels, usize),
    (private, masked): (&[Name], bool),
    others: &ByTuple<OtherElements>,
) -> Vec<Name> {
    let mut statements = band.statements();
    let (Some(tuple), None) = (statements.next(), statements.next()) else {
        return Vec::new();
    };
    let others = others.get(tuple).copied().unwrap_or_default();
    let linear = &model.statements[tuple];
    let Some((rows, lanes)) = points(&levels[tuple], lanes) else {
        return Vec::new();
    };
    let along = |level| direction(&rows, level, linear.depth);
    let (Some(lanes), Some(inner)) = (along(lanes), along(rows.len() - 1)) else {
        return Vec::new();
    };
    let id = model.program.find_statement(tuple).expect("a statement of the program");
    let accesses = &model.program.statement(id).accesses;
    let around = Around {
        inner,
        moved: vec![lanes],
        full: !masked,
    };
    let mut arrays: IndexMap<&Tuple, Vec<(&Access, &LinearAccess)>> = IndexMap::new();
    for (access, linear) in accesses.iter().zip(&linear.accesses) {
        arrays.entry(access.array()).or_default().push((access, linear));
    }
    let kept = arrays
        .iter()
        .filter(|(_, accesses)| are_kept(model, accesses, &around, others));
    let names = kept.filter_map(|(array, _)| array.name());
    names.filter(|name| !private.contains(name)).cloned().collect()
}

/// The node with marks in all bands that have none inside; the first mark is the innermost one.
fn with_marks(node: &Node, marks: &dyn Fn(&Band) -> Vec<Mark>) -> Node {
    let inside = |node: &Node| with_marks(node, marks);
    match node {
        Node::Band(band) if !has_band(&band.child) => {
            let marked = marks(band)
                .into_iter()
                .fold(band.child.clone(), |child, mark| Node::Mark(mark, Box::new(child)));
            Node::band(Band::clone(band).with_child(marked))
        }
        Node::Band(band) => Node::band(Band::clone(band).with_child(inside(&band.child))),
        Node::Sequence(children) => {
            let children = children.iter().map(|child| child.with_child(inside(&child.child)));
            Node::Sequence(children.collect())
        }
        Node::Set(children) => {
            let children = children.iter().map(|child| child.with_child(inside(&child.child)));
            Node::Set(children.collect())
        }
        other => other.clone(),
    }
}
