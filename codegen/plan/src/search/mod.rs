//! The search for an order: candidates by small generators, judged by the cost model, best first.
//!
//! A *variant* says what becomes of one band that has no band inside. It is composed of an innermost member
//! ([`interchange`]), an optional distribution ([`distribute`]), optional cache tiles ([`tile`]), an optional register
//! tile ([`jam`]) and optional vector lanes along a loop ([`vectorize`]). Bands are independent of each other, as the cost is a
//! sum over groups of statements: each band takes its best variant. Tiles of a band over time may be
//! [diamonds](crate::transform::diamond). Where bands are nested in a chain, there are variants with
//! the parallel loops of the outer ones [sunk](mod@sunk) into it.
//!
//! Example: the band `[i, j, k]` of a matrix product has each of the three loops innermost, plain and tiled. With `j` innermost, all accesses are
//! consecutive or stay, and `i` and `k` are jammed. With `k` innermost, `j` or `i` becomes lanes, and the other one is jammed, which is a
//! [register tile](register_tiles) of several vectors where `j` does. The model chooses among the last two by the machine.
mod band;
mod choice;
mod diamonds;
mod distribution;
mod gaps;
mod kept;
mod lanes;
mod outer;
mod packing;
mod read_ahead;
mod register_tiles;
mod separation;
mod sunk;
mod tile_sizes;
mod variant;

pub(crate) use choice::{OuterVerdict, Repertoire, Shortfall, Unusable, shortfall};
pub use variant::{Separated, Variant};

use band::Search;
pub(crate) use outer::OuterLanes;
use outer::outer_lanes;

use crate::analysis::levels;
use crate::analysis::nest::Nest;
use crate::choices::{Choices, Vectorize};
use crate::cost::{Cost, Model};
use crate::dependences::ByArray;
use crate::transform::{Transform, innermost_bands};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::{Node, Path, Tree};

/// A variant of a band with its expected cost.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The statements of the band.
    pub statements: Vec<Tuple>,
    /// What becomes of the band.
    pub variant: Variant,
    /// The expected cost of the statements.
    pub cost: Cost,
    node: Node,
    transforms: Vec<Transform>,
}

/// An order of the whole program: one variant for each band.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) tree: Tree,
    /// What was done to the bands of the schedule.
    pub(crate) transforms: Vec<Transform>,
    pub(crate) cost: Cost,
    pub(crate) choice: Choice,
}

/// What an order was made of.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The candidates that it could be made of.
    pub(crate) repertoire: Repertoire,
    /// Whether the user chose candidates, by their position.
    pub(crate) is_forced: bool,
    /// The position of the chosen candidate of each band.
    pub(crate) chosen: Vec<usize>,
    /// What became of each band around others that may have lanes.
    pub(crate) outer: Vec<OuterVerdict>,
}

impl Found {
    /// Whether a loop becomes lanes.
    pub(crate) fn has_lanes(&self) -> bool {
        let makes_lanes = |transform: &Transform| matches!(transform, Transform::Vectorize { .. });
        self.transforms.iter().any(makes_lanes)
    }
}

/// A schedule tree with the variants of all its innermost bands.
#[derive(Clone, Debug)]
pub(crate) struct Variants {
    scheduled: Tree,
    /// What was done to the tree before.
    done: Vec<Transform>,
    bands: Vec<(Path, Vec<Candidate>)>,
    /// Bands around others that may have lanes.
    outer: Vec<OuterLanes>,
}

/// The variants of all innermost bands of the scheduler's tree; `None` where the tree has
/// no cost: not every statement has one function. Without dependences `by_array`, no lanes have copies of arrays, and none read what others
/// overwrite.
pub(crate) fn search(
    model: &Model<'_>,
    scheduled: &Tree,
    dependences: &UnionMap,
    by_array: Option<&ByArray>,
    choices: &Choices,
    b: &Budget,
) -> Outcome<Option<Variants>> {
    if scheduled.flat_schedule().is_none() || levels::of_tree(scheduled, model.program).is_none() {
        return Ok(None);
    }
    let search = Search {
        model,
        dependences,
        by_array,
        choices,
        b,
        tree: scheduled,
        around: Vec::new(),
        n_sunk: 0,
    };
    let mut bands = Vec::new();
    for path in innermost_bands(scheduled) {
        bands.push(search.band(path)?);
    }
    Ok(Some(Variants {
        scheduled: scheduled.clone(),
        done: Vec::new(),
        bands,
        outer: match choices.vectorize {
            Vectorize::Never => Vec::new(),
            choice => outer_lanes((model, by_array), scheduled, choice == Vectorize::Force, b)?,
        },
    }))
}

/// The statements whose innermost loop goes along another direction than in the original order: those for which it does so in a
/// schedule already, and those for which it does so in an order that was made of it only.
pub(crate) fn interchanged(model: &Model<'_>, scheduled: &Tree, tree: &Tree) -> [Vec<Tuple>; 2] {
    let nests = |tree: &Tree| levels::of_tree(tree, model.program).map(|levels| model.nests(&levels));
    let original = model.nests(&levels::of_original(model.program));
    let (Some(scheduled), Some(new)) = (nests(scheduled), nests(tree)) else {
        return [Vec::new(), Vec::new()];
    };
    let direction = |nest: &Nest| nest.innermost().and_then(|l| l.direction.clone());
    let changed = |tuple: &&Tuple| direction(&original[*tuple]) != direction(&new[*tuple]);
    let by_schedule = |tuple: &Tuple| direction(&scheduled[tuple]) == direction(&new[tuple]);
    let (first, then) = original.keys().filter(changed).cloned().partition(by_schedule);
    [first, then]
}
