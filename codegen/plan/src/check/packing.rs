//! Packed arrays: buffers that stand for a part of an array in a subtree, and the check that their copies are right.
//!
//! A subtree below a `pack(A, P)` mark begins with an extension that copies elements of `A` to `P`, and may end with one
//! that copies them back:
//!
//! ```text
//! mark: pack(A, P)
//!   extension: { [t] -> in[t, e]; [t] -> out[t, e] }
//!     sequence: { in[t, e] } , { the statements } , { out[t, e] }
//! ```
//!
//! A copy's last dimensions name the element of `A`, those before it the values of the outer members. The statements of
//! the subtree access `P` wherever they access `A`.
//!
//! # What is checked
//!
//! For all values of the outer members, with everything in the program's elements of `A`:
//!
//! - **place**: two elements that the subtree accesses, or copies in, have different places in the buffer;
//! - **size**: their places are within the buffer;
//! - **tile**: they are of one tile, if the packing says which elements make a tile;
//! - **reads**: an element whose value comes from outside of the subtree's iteration is copied in;
//! - **writes**: an element that is written is copied out, unless no read outside of the subtree's iteration takes its
//!   value and nothing does after the program;
//! - **nothing else**: what is copied out was copied in or is written for sure. Copies in come first, copies out last, and
//!   no other extension is in the subtree but those of packings inside.

use super::{Checked, Refusal, accesses_of};
use crate::dependences::ByArray;
use crate::plan::Packing;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow;
use farkas_polyhedral::program::{AccessKind, PackedTile, Program};
use farkas_polyhedral::sets::{Map, Name, Tuple, UnionMap, UnionSet};
use farkas_polyhedral::tree::{Mark, Node, Path, Reach, Share, Tree};

/// A `pack` mark of a tree: the path of the subtree, and the copies that its extension adds, from values of the outer
/// members to elements.
pub(crate) struct Copies {
    path: Path,
    copied_in: UnionMap,
    copied_out: UnionMap,
    wrong: Option<&'static str>,
}

/// The tree without the extensions of packings, and the copies of each packing.
pub(crate) fn without_copies(tree: &Tree, packings: &[Packing], b: &Budget) -> Outcome<(Tree, Vec<Copies>)> {
    let mut own = tree.clone();
    let mut copies = Vec::new();
    for path in tree.paths() {
        let Some(Node::Mark(Mark::Pack { array, buffer }, _)) = tree.at(&path) else {
            continue;
        };
        let below = path.child(0);
        let packing = packings
            .iter()
            .find(|p| p.buffer == *buffer && p.array.name() == Some(array));
        let Some(packing) = packing else {
            copies.push(Copies::wrong(below, "nothing is said of its buffer"));
            continue;
        };
        copies.push(copies_at(tree, below, packing, b)?);
    }
    own.root = stripped(own.root);
    Ok((own, copies))
}

/// The node without extensions and what they add.
fn stripped(node: Node) -> Node {
    match node {
        Node::Extension(extension, child) => match *child {
            Node::Sequence(children) => {
                let added: Vec<Tuple> = extension.maps().map(|map| map.range_tuple().clone()).collect();
                let is_copy = |filter: &UnionSet| filter.tuples().all(|tuple| added.contains(tuple));
                // What a single child keeps counts, too: instances may be missing.
                let kept = children.into_iter().filter(|child| !is_copy(&child.filter)).collect();
                Node::Sequence(kept).map_children(&mut stripped)
            }
            other => Node::Extension(extension, Box::new(stripped(other))),
        },
        other => other.map_children(&mut stripped),
    }
}

impl Copies {
    /// Whether they are of this buffer.
    pub(crate) fn are_of(&self, tree: &Tree, name: &Name) -> bool {
        let mark = self.path.parent().and_then(|path| tree.at(&path));
        matches!(mark, Some(Node::Mark(Mark::Pack { buffer, .. }, _)) if buffer == name)
    }

    fn wrong(path: Path, wrong: &'static str) -> Copies {
        let none = || UnionMap::empty(farkas_polyhedral::sets::Params::none());
        Copies {
            path,
            copied_in: none(),
            copied_out: none(),
            wrong: Some(wrong),
        }
    }
}

/// The copies of the subtree at `path`.
fn copies_at(tree: &Tree, path: Path, packing: &Packing, b: &Budget) -> Outcome<Copies> {
    let wrong = |path, wrong| Ok(Copies::wrong(path, wrong));
    let Some(Node::Extension(extension, child)) = tree.at(&path) else {
        return match (&packing.copy_in, &packing.copy_out) {
            (None, None) => {
                let mut none = Copies::wrong(path, "");
                none.wrong = None;
                Ok(none)
            }
            _ => wrong(path, "the subtree has no extension that copies"),
        };
    };
    if has_other_extension(child) {
        return wrong(path, "there is another extension or an expansion in the subtree");
    }
    let Node::Sequence(children) = &**child else {
        return wrong(path, "the extension is not above a sequence");
    };
    let is = |position: usize, copy: &Tuple| {
        let filter = &children[position];
        filter.share(copy) != Share::Nothing && filter.filter.tuples().count() == 1
    };
    let first = packing.copy_in.as_ref().is_none_or(|copy| is(0, copy));
    let last = packing
        .copy_out
        .as_ref()
        .is_none_or(|copy| is(children.len() - 1, copy));
    if !first || !last {
        return wrong(path, "copies in do not come first, or copies out do not come last");
    }
    let known = [&packing.copy_in, &packing.copy_out];
    if extension
        .maps()
        .any(|map| !known.contains(&&Some(map.range_tuple().clone())))
    {
        return wrong(path, "the extension adds other statements than its copies");
    }
    let n_outer = tree.reach(&path, b)?.depth();
    let elements = |copy: &Option<Tuple>| -> Outcome<UnionMap> {
        let mut all = UnionMap::empty(extension.params().clone());
        for map in extension.maps() {
            if Some(map.range_tuple()) == copy.as_ref() && map.range_tuple().n() >= packing.array.n() {
                let extra = map.range_tuple().n() - packing.array.n();
                let anonymous = map.with_range_tuple(Tuple::anonymous(map.range_tuple().n()));
                let projected = anonymous.project_out_range(0, extra.min(n_outer), b)?;
                all.add(&projected.with_range_tuple(packing.array.clone()));
            }
        }
        Ok(all)
    };
    Ok(Copies {
        copied_in: elements(&packing.copy_in)?,
        copied_out: elements(&packing.copy_out)?,
        path,
        wrong: None,
    })
}

/// Whether there is an extension that is not of a packing inside, or an expansion.
fn has_other_extension(node: &Node) -> bool {
    match node {
        Node::Mark(Mark::Pack { .. }, child) => match &**child {
            Node::Extension(_, child) => has_other_extension(child),
            other => has_other_extension(other),
        },
        Node::Extension(..) | Node::Expansion(_) => true,
        other => other.children().any(has_other_extension),
    }
}

/// Checks the copies of all packings.
pub(crate) fn check<'c>(
    program: &Program,
    dependences: &ByArray,
    tree: &Tree,
    packings: &[Packing],
    copies: impl IntoIterator<Item = &'c Copies>,
    b: &Budget,
) -> Outcome<Checked> {
    for copies in copies {
        let Some(Node::Mark(Mark::Pack { array, buffer }, _)) = copies.path.parent().and_then(|p| tree.at(&p)) else {
            continue;
        };
        let packing = packings
            .iter()
            .find(|p| p.buffer == *buffer && p.array.name() == Some(array));
        let wrong = match (copies.wrong, packing) {
            (Some(wrong), _) => Some(wrong),
            _ if is_concurrent(tree, &copies.path) => Some("iterations around its buffer run at the same time"),
            (None, None) => Some("nothing is said of its buffer"),
            (None, Some(packing)) => {
                let reach = tree.reach(&copies.path, b)?;
                wrong_copies(program, dependences, &reach, packing, copies, b)?
            }
        };
        if let Some(wrong) = wrong {
            return Ok(Err(Box::new(Refusal::Copies {
                array: array.clone(),
                wrong,
            })));
        }
    }
    Ok(Ok(()))
}

/// Whether a mark around a node has iterations run at the same time, which would share a buffer.
fn is_concurrent(tree: &Tree, path: &Path) -> bool {
    let around = std::iter::successors(path.parent(), Path::parent);
    around.filter_map(|path| tree.at(&path)).any(|node| {
        let Node::Mark(mark, _) = node else { return false };
        match mark {
            Mark::Vector { .. } | Mark::Jam { .. } | Mark::Threads { .. } => true,
            // Each thread of the host has a buffer of its own, and each block of a device.
            Mark::Parallel { .. } | Mark::Pipeline { .. } | Mark::Kernel { .. } | Mark::Blocks { .. } => false,
            Mark::Block { .. } | Mark::Keep { .. } | Mark::Shift { .. } => false,
            // Each stage has a slot of the buffer.
            Mark::Stages { .. } => false,
            Mark::Unjam { .. } | Mark::Pack { .. } | Mark::Mma { .. } | Mark::User(_) => false,
        }
    })
}

/// Checks that statements read the elements of an array that a tile says.
pub(crate) fn check_accesses(program: &Program, tile: &PackedTile, b: &Budget) -> Outcome<Checked> {
    for statement in program.statements.iter().filter(|s| tile.along.contains_key(s.tuple())) {
        let element = tile.element_of(statement).map(|element| element.to_map());
        for access in statement.accesses.iter().filter(|access| *access.array() == tile.array) {
            let own = access.relation.intersect_domain(&statement.domain);
            let is_read = access.kind == AccessKind::Read;
            let is_known = match &element {
                Some(element) => is_read && own.is_subset(element, b)?,
                None => false,
            };
            if !is_known {
                return Ok(Err(Box::new(Refusal::Copies {
                    array: tile.array.name().expect("an array has a name").clone(),
                    wrong: "a statement reads another element, or writes",
                })));
            }
        }
    }
    Ok(Ok(()))
}

/// What is wrong with the copies of one packing, of the instances that reach its subtree.
fn wrong_copies(
    program: &Program,
    dependences: &ByArray,
    reach: &Reach,
    packing: &Packing,
    copies: &Copies,
    b: &Budget,
) -> Outcome<Option<&'static str>> {
    let part = accesses_of(program, &packing.array);
    let Some(own) = dependences.arrays().get(&packing.array) else {
        return Ok(None);
    };
    let times = reach.schedule_relation(b)?;
    // From values of the outer members to elements.
    let accessed = |wanted: &dyn Fn(AccessKind) -> bool| -> Outcome<UnionMap> {
        let mut all = UnionMap::empty(part.context.params().clone());
        for statement in &part.statements {
            for access in statement.accesses.iter().filter(|access| wanted(access.kind)) {
                all.add(&access.relation.intersect_domain(&statement.domain));
            }
        }
        times.reverse().apply_range(&all.intersect_params(&part.context), b)
    };
    let touched = accessed(&|_| true)?;
    if let Some(wrong) = wrong_places(packing, &touched.union(&copies.copied_in).coalesce(b)?, b)? {
        return Ok(Some(wrong));
    }
    if !is_in_one_tile(packing, &touched, b)? {
        return Ok(Some("elements of several tiles are accessed at once"));
    }
    let same = reach.together(b)?;
    let under = &reach.instances;
    // Reads whose value was not written in the same iteration of the subtree.
    let outside = own.flow.subtract(&same, b)?;
    let late = outside.intersect_range(under).range(b)?;
    let mut comes_in = own.live_in.intersect_domain(under);
    add_elements(&mut comes_in, &part, &late, |kind| kind == AccessKind::Read);
    if !times
        .reverse()
        .apply_range(&comes_in, b)?
        .is_subset(&copies.copied_in, b)?
    {
        return Ok(Some("an element is read that was not copied in"));
    }
    let leaves = outside.intersect_domain(under).domain(b)?;
    let mut goes_out = flow::live_out(&part, b)?.intersect_domain(under);
    add_elements(&mut goes_out, &part, &leaves, |kind| kind != AccessKind::Read);
    if !times
        .reverse()
        .apply_range(&goes_out, b)?
        .is_subset(&copies.copied_out, b)?
    {
        return Ok(Some("an element is written that was not copied out"));
    }
    let written = accessed(&|kind| kind == AccessKind::MustWrite)?;
    if !copies.copied_out.is_subset(&written.union(&copies.copied_in), b)? {
        return Ok(Some(
            "an element is copied out that was neither copied in nor written for sure",
        ));
    }
    Ok(None)
}

/// What is wrong with the places of the elements that are touched for each value of the outer members.
fn wrong_places(packing: &Packing, touched: &UnionMap, b: &Budget) -> Outcome<Option<&'static str>> {
    for map in touched.maps() {
        let here = map.range(b)?;
        let own = packing.places.intersect_domain(&here);
        if !here.is_subset(&own.domain(b)?, b)? || !own.is_single_valued(b)? {
            return Ok(Some("an element has no place in the buffer, or several"));
        }
        if !own.range(b)?.is_subset(&packing.size, b)? {
            return Ok(Some("the buffer is too small"));
        }
        // Pairs of elements that are accessed for the same values of the outer members.
        let pairs = map.reverse().apply_range(map, b)?;
        let same_place = packing.places.apply_range(&packing.places.reverse(), b)?;
        let clash = pairs.intersect(&same_place);
        let identity = Map::identity(clash.params().clone(), packing.array.clone());
        if !clash.subtract(&identity, b)?.is_empty(b)? {
            return Ok(Some("two elements have the same place in the buffer"));
        }
    }
    Ok(None)
}

/// Whether the elements that are touched for each value of the outer members are of one tile.
fn is_in_one_tile(packing: &Packing, touched: &UnionMap, b: &Budget) -> Outcome<bool> {
    let Some(tiles) = &packing.tiles else { return Ok(true) };
    for map in touched.maps() {
        if !map.apply_range(tiles, b)?.is_single_valued(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds the elements that these instances access in ways that are wanted.
fn add_elements(all: &mut UnionMap, part: &Program, instances: &UnionSet, is_wanted: impl Fn(AccessKind) -> bool) {
    for statement in &part.statements {
        let own = instances.extract(statement.tuple());
        for access in statement.accesses.iter().filter(|access| is_wanted(access.kind)) {
            all.add(
                &access
                    .relation
                    .intersect_domain(&statement.domain)
                    .intersect_domain(&own),
            );
        }
    }
}
