//! Schedules to choose from.
//!
//! The scheduler makes bands as deep as it can, for all statements that are in one strongly connected component of the dependences.
//! Then each loop is shared by statements that need not share it. In
//!
//! ```text
//! for (k)
//!   for (j > k) {
//!     for (i) R[k][j] += Q[i][k] * A[i][j];     S
//!     for (i) A[i][j] -= Q[i][k] * R[k][j];     T
//!   }
//! ```
//!
//! `[k, j]` is a permutable band for both, with a loop over `i` for each inside. A *split* keeps some members of a band, and schedules
//! its statements anew below (P3, section 5): the dependences that `k` carries are satisfied, `S` and `T` are components of their own,
//! and each has a permutable band `[j, i]`.
//!
//! Another schedule is one under which accesses are [`consecutive`](consecutivity).

pub(crate) mod consecutivity;

use crate::kept::Kept;
use crate::transform::{Transform, band_at, has_band, innermost_bands, wavefront};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::schedule::{self, Fusion, Groups, ScheduleConstraints, ScheduleError};
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Node, Path, RewriteError, Tree};

/// The largest coefficient in a permutable band. Stencils have single digits; a row such as `c0 * n + c1` for a constant `n`
/// near the end of a type only writes a sequence as a permutable band, and tiles of it are nearly all empty.
const MAX_COEFFICIENT: i64 = 64;

/// One part in so many of the budget that is left may be spent on another schedule.
pub(crate) const SHARE: u64 = 4;

/// Another schedule has to be expected to take at most this share of the time of the first one.
pub(crate) const CLEARLY: f64 = 0.9;

/// A band that is another one around a new schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Split {
    band: Path,
    stays: Stays,
}

/// What stays of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stays {
    /// Some members.
    Members(Vec<usize>),
    /// The sum of all members.
    Sum,
}

impl Split {
    /// What it does to a tree.
    pub(crate) fn transform(&self, tree: &Tree) -> Transform {
        let statements = band_at(tree, &self.band).statements().cloned().collect();
        match self.stays {
            Stays::Members(_) => Transform::Distribute { statements },
            Stays::Sum => Transform::OuterWavefront { statements },
        }
    }

    /// What stays of the band.
    fn outer(&self, band: &Band) -> Band {
        match &self.stays {
            Stays::Members(members) => band.select(members),
            Stays::Sum => wavefront::sum(band),
        }
    }
}

/// The outermost bands that have bands inside, from a node on.
fn bands_around_others(tree: &Tree, from: &Path) -> Vec<Path> {
    let mut bands = Vec::new();
    let mut open = vec![from.clone()];
    while let Some(path) = open.pop() {
        match tree.at(&path) {
            Some(Node::Band(band)) if has_band(&band.child) => bands.push(path),
            Some(node) => open.extend((0..node.children().count()).rev().map(|child| path.child(child))),
            None => {}
        }
    }
    bands
}

/// The splits of the outermost bands that have bands inside, from a node on.
pub(crate) fn splits(tree: &Tree, from: &Path) -> Vec<Split> {
    let splits = |band: Path| {
        let stay = carrying(band_at(tree, &band)).into_iter();
        stay.map(move |members| Split {
            band: band.clone(),
            stays: Stays::Members(members),
        })
    };
    bands_around_others(tree, from).into_iter().flat_map(splits).collect()
}

/// The wavefronts of the outermost bands that have bands inside: where all members carry dependences, their sum carries all of these.
///
/// ```text
/// for (i down) for (j > i) { t[i][j] = f(t[i + 1][j], t[i][j - 1]); for (i < k < j) t[i][j] = g(t[i][j], t[i][k], t[k + 1][j]); }
///  -> [j - i] { [i] { .. }; [i, k] { .. } }          intervals of one length are independent
/// ```
pub(crate) fn wavefronts(tree: &Tree) -> Vec<Split> {
    let is_wavefront = |path: &Path| {
        let band = band_at(tree, path);
        band.permutable && band.n() > 1 && band.members().iter().all(|member| !member.coincident)
    };
    let wavefront = |band| Split {
        band,
        stays: Stays::Sum,
    };
    let bands = bands_around_others(tree, &Path::root()).into_iter();
    bands.filter(is_wavefront).map(wavefront).collect()
}

/// The members that may stay: such that they carry dependences, and come first. Others may follow.
fn carrying(band: &Band) -> Vec<Vec<usize>> {
    let n = band.n();
    if !band.permutable {
        return (1..n).map(|first| (0..first).collect()).collect();
    }
    let carrying: Vec<usize> = (0..n).filter(|member| !band.members()[*member].coincident).collect();
    let one = carrying.iter().map(|member| vec![*member]);
    let all = (carrying.len() > 1).then(|| carrying.clone());
    one.chain(all).filter(|members| members.len() < n).collect()
}

/// The tree with a band split; `None` where there is no schedule.
pub(crate) fn rescheduled(
    tree: &Tree,
    split: &Split,
    constraints: &ScheduleConstraints,
    b: &Budget,
) -> Outcome<Option<Tree>> {
    rescheduled_with(tree, split, constraints, &options(), b)
}

fn rescheduled_with(
    tree: &Tree,
    split: &Split,
    constraints: &ScheduleConstraints,
    options: &schedule::Options,
    b: &Budget,
) -> Outcome<Option<Tree>> {
    let outer = tree.rewritten(&split.band, |node| match node {
        Node::Band(band) => Node::band(split.outer(&band)),
        other => other,
    });
    below_with(&outer, &split.band.child(0), constraints, options, b)
}

/// The tree with the instances that reach a node scheduled anew; `None` where there is no schedule.
pub(crate) fn below(tree: &Tree, path: &Path, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<Option<Tree>> {
    below_with(tree, path, constraints, &options(), b)
}

fn below_with(
    tree: &Tree,
    path: &Path,
    constraints: &ScheduleConstraints,
    options: &schedule::Options,
    b: &Budget,
) -> Outcome<Option<Tree>> {
    match schedule::reschedule(tree, path, constraints, options, b) {
        Ok(tree) => Ok(Some(tree)),
        Err(ScheduleError::OutOfBudget(spent)) => Err(spent),
        Err(_) => Ok(None),
    }
}

/// The trees whose innermost loops serve the references of the constraints; none where there is no schedule. If an innermost loop is
/// parallel within an iteration of the loops of its band, it is a band of its own in the first tree, so that it is marked as parallel.
///
/// Bands are as deep as they can be. In tables of intervals, `t[i][j] = min(t[i][k] + t[k + 1][j])`, `-i` and `j` make a permutable band, and
/// `k` is left to be innermost. The references want `-i`, `k`, `j`, where `k` is only legal behind the band `-i`. So where statements stay `unserved`, the
/// last tree has a band that ends earlier.
pub(crate) fn consecutive(
    constraints: &ScheduleConstraints,
    unserved: impl Fn(&Tree) -> usize,
    b: &Budget,
) -> Outcome<Vec<Tree>> {
    let options = schedule::Options {
        consecutivity_first: true,
        ..options()
    };
    let whole = match schedule::schedule(constraints, &options, b) {
        Ok(tree) => tree,
        Err(ScheduleError::OutOfBudget(spent)) => return Err(spent),
        Err(_) => return Ok(Vec::new()),
    };
    let (mut apart, mut is_apart) = (whole.clone(), false);
    // Paths to later bands stay as they are: each band is replaced by one node.
    for path in innermost_bands(&whole) {
        let band = band_at(&whole, &path);
        let last = band.n() - 1;
        if last == 0 || band.members()[last].coincident {
            continue;
        }
        let split = Split {
            band: path.clone(),
            stays: Stays::Members((0..last).collect()),
        };
        let Some(other) = rescheduled(&apart, &split, constraints, b)? else {
            continue;
        };
        let inside =
            |path: &Path| path.steps().len() > split.band.steps().len() && path.steps().starts_with(split.band.steps());
        let mut innermost = innermost_bands(&other).into_iter().filter(inside);
        if innermost.all(|path| band_at(&other, &path).members().iter().all(|member| member.coincident)) {
            (apart, is_apart) = (other, true);
        }
    }
    let n_unserved = unserved(&whole);
    let mut shorter = None;
    if n_unserved > 0 {
        for split in splits(&whole, &Path::root()) {
            let other = rescheduled_with(&whole, &split, constraints, &options, b)?;
            shorter = other.filter(|other| unserved(other) < n_unserved);
            if shorter.is_some() {
                break;
            }
        }
    }
    Ok(is_apart
        .then_some(apart)
        .into_iter()
        .chain([whole])
        .chain(shorter)
        .collect())
}

fn options() -> schedule::Options {
    schedule::Options {
        fusion: Fusion::None,
        max_coefficient: Some(MAX_COEFFICIENT),
        ..schedule::Options::default()
    }
}

/// The scheduler's tree. Nests in sequence keep loops of their own: which ones share loops is up to the [cost model](crate::fusion).
pub(crate) fn scheduled(constraints: &ScheduleConstraints, groups: &Groups, b: &Budget) -> Result<Tree, Kept> {
    if groups.is_empty() {
        return schedule(constraints, &options(), b);
    }
    let tree = schedule(&groups.constraints(constraints, b)?, &options(), b)?;
    groups.in_place(&tree, constraints, b).map_err(|error| match error {
        RewriteError::OutOfBudget(_) => Kept::OutOfBudget,
        other => Kept::NoSchedule(other.to_string()),
    })
}

/// The scheduler's tree in which bands begin with coincident members wherever there is one: loops around them, which carry dependences,
/// are bands of their own.
pub(crate) fn outer_coincident(constraints: &ScheduleConstraints, b: &Budget) -> Result<Tree, Kept> {
    let options = schedule::Options {
        outer_coincidence: true,
        ..options()
    };
    schedule(constraints, &options, b)
}

/// The scheduler's tree in which these pairs of statements share bands where that brings them together, and costs no members; coincident ones it may
/// cost. All others share bands only if they wait for each other: statements are fused along proximity, so that none is said of them.
pub(crate) fn fused_along(
    pairs: &[(&Tuple, &Tuple)],
    constraints: &ScheduleConstraints,
    b: &Budget,
) -> Result<Tree, Kept> {
    let options = schedule::Options {
        fusion: Fusion::Incremental,
        maximize_coincidence: false,
        ..options()
    };
    let are_ordered = |one: &Tuple, other: &Tuple| {
        let mut maps = constraints.validity.maps();
        maps.any(|map| map.domain_tuple() == one && map.range_tuple() == other)
    };
    let share_bands = |one: &Tuple, other: &Tuple| {
        let is_pair = pairs.contains(&(one, other)) || pairs.contains(&(other, one));
        one == other || is_pair || are_ordered(one, other) && are_ordered(other, one)
    };
    let mut proximity = UnionMap::empty(constraints.proximity.params().clone());
    for map in constraints.proximity.maps() {
        if share_bands(map.domain_tuple(), map.range_tuple()) {
            proximity.add(map);
        }
    }
    let constraints = ScheduleConstraints {
        proximity,
        ..constraints.clone()
    };
    schedule(&constraints, &options, b)
}

fn schedule(constraints: &ScheduleConstraints, options: &schedule::Options, b: &Budget) -> Result<Tree, Kept> {
    schedule::schedule(constraints, options, b).map_err(|error| match error {
        ScheduleError::OutOfBudget(_) => Kept::OutOfBudget,
        other => Kept::NoSchedule(other.to_string()),
    })
}
