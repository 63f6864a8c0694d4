//! The search for an order: candidates by small generators, judged by the cost model, best first.
//!
//! A *variant* says what becomes of one band that has no band inside. It is composed of an innermost member
//! ([`interchange`]), an optional distribution ([`distribute`]), optional cache tiles ([`tile`]) and an optional register
//! tile ([`jam`]). Bands are independent of each other, as the cost is a sum over groups of statements: each band takes its
//! best variant.
//!
//! Example: the band `[i, j, k]` of a matrix product has 8 variants: each of the three innermost loops plain and tiled, and
//! those with `j` innermost also jammed. The model prefers `j` innermost, since all accesses are then consecutive or stay, tiled and jammed over `i` and `k`.

use crate::analysis::levels;
use crate::analysis::nest::Nest;
use crate::choices::Choices;
use crate::cost::{Cost, Model};
use crate::transform::distribute::{distributed, is_distributable};
use crate::transform::interchange::{Outer, with_children_in_order, with_innermost};
use crate::transform::jam::{jammed, members_with_reuse};
use crate::transform::tile::{tiled, with_separate_innermost};
use crate::transform::{Transform, band_at, function_of, innermost_bands};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::check;
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Node, Path, Tree};
use std::fmt;

/// The size of a tile in a loop that is not innermost.
const TILE: i64 = 32;
/// The size of a tile in the innermost loop: long, for the vectorizer and the prefetcher.
const INNERMOST_TILE: i64 = 512;
/// How often a loop is unrolled for registers.
const REGISTER_TILE: i64 = 4;
/// A variant has to be better than a simpler one by more than rounding.
const SIMPLER: f64 = 0.998;

/// What becomes of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The member that becomes the innermost loop.
    pub innermost: usize,
    /// Whether each child gets an innermost loop of its own.
    pub distribute: bool,
    /// The sizes of cache tiles, after interchange.
    pub tile: Option<Vec<i64>>,
    /// The members that are unrolled inside the innermost loop, after interchange.
    pub jam: Vec<usize>,
}

/// A variant of a band with its expected cost.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The statements of the band.
    pub statements: Vec<Tuple>,
    /// What becomes of the band.
    pub variant: Variant,
    /// The expected cost of the statements.
    pub cost: Cost,
    /// Whether it is the one that was chosen.
    pub chosen: bool,
    node: Node,
}

impl Candidate {
    /// Whether it was chosen, and distributes a loop.
    pub(crate) fn distributes(&self) -> bool {
        self.chosen && self.variant.distribute
    }
}

/// What came of the search in one schedule tree.
pub(crate) struct Found {
    pub(crate) tree: Tree,
    pub(crate) transforms: Vec<Transform>,
    pub(crate) cost: Cost,
    pub(crate) candidates: Vec<Candidate>,
}

/// What variants may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repertoire {
    /// Everything.
    Full,
    /// Everything but loop distribution, which the order of a band does not show to be legal.
    WithoutDistribution,
}

/// The best variants of all innermost bands of the scheduler's tree; `None` where the tree has no cost: not every
/// statement has one function.
pub(crate) fn search(
    model: &Model<'_>,
    scheduled: &Tree,
    dependences: &UnionMap,
    choices: &Choices,
    repertoire: Repertoire,
    b: &Budget,
) -> Outcome<Option<Found>> {
    if scheduled.flat_schedule().is_none() || levels::of_tree(scheduled, model.program).is_none() {
        return Ok(None);
    }
    let mut search = Search {
        model,
        dependences,
        choices,
        repertoire,
        b,
        tree: scheduled.clone(),
        transforms: Vec::new(),
        candidates: Vec::new(),
    };
    // Paths to later bands stay as they are: each band is replaced by one node.
    for path in innermost_bands(scheduled) {
        search.band(scheduled, &path)?;
    }
    let Some(levels) = levels::of_tree(&search.tree, model.program) else {
        return Ok(None);
    };
    Ok(Some(Found {
        cost: model.cost(&levels, b)?,
        tree: search.tree,
        transforms: search.transforms,
        candidates: search.candidates,
    }))
}

struct Search<'a> {
    model: &'a Model<'a>,
    dependences: &'a UnionMap,
    choices: &'a Choices,
    repertoire: Repertoire,
    b: &'a Budget,
    tree: Tree,
    transforms: Vec<Transform>,
    candidates: Vec<Candidate>,
}

impl Search<'_> {
    /// Puts the best variant in place of a band.
    fn band(&mut self, scheduled: &Tree, path: &Path) -> Outcome<()> {
        let band = band_at(scheduled, path);
        let outer = outer_functions(scheduled, path, band);
        let mut candidates = Vec::new();
        for base in self.orders(band, &outer)? {
            self.add_orders(path, band, &base, &mut candidates)?;
        }
        let chosen = match self.choices.candidate {
            Some(position) => position.min(candidates.len() - 1),
            None => best(&candidates),
        };
        candidates[chosen].chosen = true;
        let Candidate { variant, node, .. } = candidates[chosen].clone();
        self.tree = self.tree.rewritten(path, |_| node);
        self.transforms.extend(transforms(&variant, band));
        self.candidates.append(&mut candidates);
        Ok(())
    }

    /// The band with each of its members innermost, if it is permutable: the scheduler's own order first.
    fn orders(&self, band: &Band, outer: &Outer) -> Outcome<Vec<(usize, Band)>> {
        let last = band.n() - 1;
        let members = match band.permutable && band.n() > 1 {
            true => (0..=last).rev().collect(),
            false => vec![last],
        };
        let mut orders = Vec::new();
        for member in members {
            let ordered = with_innermost(band, member);
            let ordered = with_children_in_order(ordered, outer, self.dependences, self.b)?;
            orders.push((member, with_separate_innermost(ordered)));
        }
        Ok(orders)
    }

    /// Adds the variants of one order: plain, distributed, tiled, jammed.
    fn add_orders(
        &self,
        path: &Path,
        band: &Band,
        (innermost, base): &(usize, Band),
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        let statements: Vec<Tuple> = band.statements().cloned().collect();
        let mut variants = vec![false];
        if self.repertoire == Repertoire::Full
            && is_distributable(base)
            && !base.members()[base.n() - 1].coincident
            && self.may_distribute(path, base)?
        {
            variants.push(true);
        }
        for distribute in variants {
            for (tile, jam) in self.tilings(base, distribute) {
                let variant = Variant {
                    innermost: *innermost,
                    distribute,
                    tile,
                    jam,
                };
                let node = self.node(base, &variant);
                let tree = self.tree.rewritten(path, |_| node.clone());
                let Some(mut levels) = levels::of_tree(&tree, self.model.program) else {
                    continue;
                };
                levels.retain(|tuple, _| statements.contains(tuple));
                candidates.push(Candidate {
                    cost: self.model.cost(&levels, self.b)?,
                    statements: statements.clone(),
                    variant,
                    chosen: false,
                    node,
                });
            }
        }
        Ok(())
    }

    /// Whether each child of the band may have an innermost loop of its own.
    fn may_distribute(&self, path: &Path, base: &Band) -> Outcome<bool> {
        let node = distributed(base, &self.model.statements);
        let tree = self.tree.rewritten(path, |_| node);
        match tree.flat_schedule() {
            Some(schedule) => check::is_legal(self.dependences, &schedule, self.b),
            None => Ok(false),
        }
    }

    /// Cache tiles and members to jam: simple ones first.
    fn tilings(&self, base: &Band, distribute: bool) -> Vec<(Option<Vec<i64>>, Vec<usize>)> {
        let n = base.n();
        let mut tilings = vec![(None, Vec::new())];
        if n < 2 || !base.permutable {
            return tilings;
        }
        let mut sizes = vec![self.choices.tile_size.unwrap_or(TILE); n];
        sizes[n - 1] = self.choices.tile_size.unwrap_or(INNERMOST_TILE);
        tilings.push((Some(sizes.clone()), Vec::new()));
        let jam = members_with_reuse(base, &self.model.statements);
        if !jam.is_empty() && !distribute {
            tilings.push((None, jam.clone()));
            tilings.push((Some(sizes), jam));
        }
        tilings
    }

    fn node(&self, base: &Band, variant: &Variant) -> Node {
        let points = match &variant.jam[..] {
            _ if variant.distribute => distributed(base, &self.model.statements),
            [] => Node::band(base.clone()),
            members => jammed(base, members, REGISTER_TILE),
        };
        match &variant.tile {
            Some(sizes) => tiled(base, sizes, points),
            None => points,
        }
    }
}

/// The position of the cheapest candidate; simpler ones are first, and have to be beaten clearly.
fn best(candidates: &[Candidate]) -> usize {
    let mut best = 0;
    for (position, candidate) in candidates.iter().enumerate() {
        if candidate.cost.cycles() < SIMPLER * candidates[best].cost.cycles() {
            best = position;
        }
    }
    best
}

/// The interchanges of a tree: statements whose innermost loop goes along another direction than in the original order.
pub(crate) fn interchanged(model: &Model<'_>, tree: &Tree) -> Option<Transform> {
    let original = model.nests(&levels::of_original(model.program));
    let new = model.nests(&levels::of_tree(tree, model.program)?);
    let direction = |nest: &Nest| nest.innermost().and_then(|l| l.direction.clone());
    let changed = |tuple: &&Tuple| direction(&original[*tuple]) != direction(&new[*tuple]);
    let statements: Vec<Tuple> = original.keys().filter(changed).cloned().collect();
    (!statements.is_empty()).then_some(Transform::Interchange { statements })
}

fn transforms(variant: &Variant, band: &Band) -> Vec<Transform> {
    let statements = || band.statements().cloned().collect::<Vec<_>>();
    let mut transforms = Vec::new();
    if variant.distribute {
        transforms.push(Transform::Distribute {
            statements: statements(),
        });
    }
    if let Some(sizes) = &variant.tile {
        transforms.push(Transform::Tile {
            statements: statements(),
            sizes: sizes.clone(),
        });
    }
    if !variant.jam.is_empty() {
        transforms.push(Transform::UnrollAndJam {
            statements: statements(),
            factors: vec![REGISTER_TILE; variant.jam.len()],
        });
    }
    transforms
}

/// The functions of the bands around the one at the path.
fn outer_functions(tree: &Tree, path: &Path, band: &Band) -> Outer {
    let mut outer: Outer = band.statements().map(|tuple| (tuple.clone(), Vec::new())).collect();
    let mut above = Vec::new();
    let mut at = path.parent();
    while let Some(path) = at {
        above.push(path.clone());
        at = path.parent();
    }
    for path in above.iter().rev() {
        if let Some(Node::Band(around)) = tree.at(path) {
            for (tuple, functions) in &mut outer {
                functions.extend_from_slice(function_of(around, tuple).affs());
            }
        }
    }
    outer
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "member {} innermost", self.innermost)?;
        if self.distribute {
            write!(f, ", distributed")?;
        }
        if let Some(sizes) = &self.tile {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            write!(f, ", tiled {}", sizes.join(" x "))?;
        }
        match self.jam.len() {
            0 => Ok(()),
            n => write!(f, ", {n} jammed by {REGISTER_TILE}"),
        }
    }
}
