//! Rewritings of schedule trees, one a file. A result is only used after [`check_plan`](crate::check_plan) has found it legal: but for
//! [`coincident_innermost`], none of them looks at dependences.

pub(crate) mod coincident_innermost;
pub(crate) mod diamond;
pub(crate) mod distribute;
pub(crate) mod interchange;
pub(crate) mod jam;
pub(crate) mod pack;
pub(crate) mod parallel;
pub(crate) mod sink;
pub(crate) mod tile;
pub(crate) mod tile_separation;
pub(crate) mod vectorize;
pub(crate) mod wavefront;

use crate::source_names::{ModelNames, SourceNames};
use farkas_polyhedral::sets::{MultiAff, Name, Tuple};
use farkas_polyhedral::tree::{Band, Filter, Node, Path, Tree};
use std::fmt;
use tile_separation::Gap;

/// The loops that a member of a band goes along: for each statement, the dimension of its instances. Empty if it is skewed for one.
pub type Directions = Vec<(Tuple, usize)>;

/// The directions of members of a band.
pub(crate) fn directions(band: &Band, members: impl IntoIterator<Item = usize>) -> Vec<Directions> {
    let along = |member: usize| {
        let of_statement = |statement: &Tuple| {
            let function = band.function_of(statement)?;
            let aff = &function.affs()[member];
            let mut dims = (0..statement.n()).filter(|dim| !aff.coefficient(*dim).is_zero());
            let (dim, None) = (dims.next()?, dims.next()) else {
                return None;
            };
            let is_plain = aff.divs().is_empty() && aff.den().is_one() && aff.coefficient(dim).abs().is_one();
            is_plain.then(|| (statement.clone(), dim))
        };
        band.statements().map(of_statement).collect::<Option<Directions>>()
    };
    members
        .into_iter()
        .map(|member| along(member).unwrap_or_default())
        .collect()
}

/// The loops along these directions in parentheses behind a space, where all of them have names.
fn counters(directions: &[Directions], names: &dyn SourceNames) -> String {
    let of_member = |own: &Directions| {
        let mut counters = own.iter().map(|(statement, dim)| names.counter(statement, *dim));
        let first = counters.next()??;
        counters.all(|other| other.as_ref() == Some(&first)).then_some(first)
    };
    let all: Option<Vec<String>> = directions.iter().map(of_member).collect();
    match all {
        Some(all) if !all.is_empty() => format!(" ({})", all.join(", ")),
        _ => String::new(),
    }
}

/// A rewriting that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transform {
    /// A user gave the order.
    ByHand {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// The instances of statements are in loops of their own on each side of where they meet others.
    SplitIndexSets {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// Where subscripts are clamped or wrap around, the interior of statements is in loops of its own.
    SplitBorders {
        /// Those whose subscripts are simpler now.
        statements: Vec<Tuple>,
    },
    /// Scalars have an array of their own.
    ExpandScalars {
        /// The statements that write them.
        statements: Vec<Tuple>,
    },
    /// Arrays have a copy for each iteration in a strip of a loop.
    ExpandArrays {
        /// The statements that write them.
        statements: Vec<Tuple>,
        /// The number of copies.
        copies: u32,
    },
    /// The outermost loop is in strips, whose panels are computed first, with copies of what its iterations read there.
    SplitNodes {
        /// The statements whose reads are of copies.
        statements: Vec<Tuple>,
        /// The number of iterations in a strip.
        strip: u32,
    },
    /// Nests in sequence share loops over tiles.
    Fuse {
        /// The statements.
        statements: Vec<Tuple>,
        /// The sizes of tiles.
        sizes: Vec<i64>,
    },
    /// The loops of a nest go along other directions, so that accesses are consecutive.
    Consecutivity {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// Another loop than in the original order is the innermost one.
    Interchange {
        /// The statements that it is around.
        statements: Vec<Tuple>,
    },
    /// Parallel loops run inside of the bands that they were around.
    Sink {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// Statements have loops of their own.
    Distribute {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// Tiles of these sizes, one for each loop of the band.
    Tile {
        /// The statements.
        statements: Vec<Tuple>,
        /// The sizes, that of the innermost loop last; `None` for a loop that is not tiled.
        sizes: Vec<Option<i64>>,
        /// What each of them is along, where that is known.
        directions: Vec<Directions>,
    },
    /// Tiles over time that can start at the same time, of these sizes.
    DiamondTile {
        /// The statements.
        statements: Vec<Tuple>,
        /// The sizes, as those of other tiles.
        sizes: Vec<Option<i64>>,
    },
    /// Tiles in which a statement is alone have loops of their own.
    SeparateTiles {
        /// The statement.
        statement: Tuple,
        /// The tiles in which it is alone.
        gaps: Vec<Gap>,
        /// The size of tiles in each member.
        size: i64,
    },
    /// Neighbouring iterations of a loop run in the lanes of vectors.
    Vectorize {
        /// The statements.
        statements: Vec<Tuple>,
        /// The member of the band, counted before interchange.
        member: usize,
        /// The number of lanes.
        lanes: u32,
        /// How many iterations of the innermost loop go in a block that is transposed, if they do.
        block: Option<u32>,
    },
    /// Iterations of a loop run on threads.
    Parallelize {
        /// The statements.
        statements: Vec<Tuple>,
        /// Whether they overlap only: they wait for each other in a loop inside.
        pipelined: bool,
    },
    /// Loops run as a kernel on a device.
    Kernel {
        /// The statements.
        statements: Vec<Tuple>,
        /// The threads of a block along each loop that is dealt out.
        threads: Vec<u32>,
        /// The points of a thread along each of them; nothing where there is one.
        tile: Vec<u32>,
        /// The arrays of which the threads of a block share tiles.
        shared: Vec<Name>,
        /// Whether warps multiply in matrix instructions.
        is_mma: bool,
        /// The tiles of each that they have at the same time.
        stages: u32,
    },
    /// Iterations of a loop are unrolled inside the innermost one, which is skewed against it.
    Wavefront {
        /// The statements.
        statements: Vec<Tuple>,
        /// How many run side by side.
        rows: i64,
    },
    /// The outermost loop goes over the sum of the counters of loops that all carry dependences, so that iterations inside are independent.
    OuterWavefront {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// Square roots set `errno` behind the loops only, in an order that may be the original one.
    DeferErrno {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// Invariant loads are in front of the loops, which stores might overwrite as far as LLVM knows, in an order that may be the
    /// original one.
    HoistLoads {
        /// The statements.
        statements: Vec<Tuple>,
    },
    /// Tiles of an array are copied to a buffer, in which they are read.
    Pack {
        /// The statements.
        statements: Vec<Tuple>,
        /// The array.
        array: Name,
    },
    /// Loops are unrolled inside the innermost one.
    UnrollAndJam {
        /// The statements.
        statements: Vec<Tuple>,
        /// How often each of them is unrolled.
        factors: Vec<i64>,
        /// What each of them is along, where that is known.
        directions: Vec<Directions>,
    },
}

impl Transform {
    /// The statements that it is about.
    pub(crate) fn statements(&self) -> &[Tuple] {
        match self {
            Transform::ByHand { statements }
            | Transform::SplitIndexSets { statements }
            | Transform::SplitBorders { statements }
            | Transform::ExpandScalars { statements }
            | Transform::ExpandArrays { statements, .. }
            | Transform::SplitNodes { statements, .. }
            | Transform::Fuse { statements, .. }
            | Transform::Consecutivity { statements }
            | Transform::Interchange { statements }
            | Transform::Sink { statements }
            | Transform::Distribute { statements }
            | Transform::Tile { statements, .. }
            | Transform::DiamondTile { statements, .. }
            | Transform::Vectorize { statements, .. }
            | Transform::Parallelize { statements, .. }
            | Transform::Kernel { statements, .. }
            | Transform::Wavefront { statements, .. }
            | Transform::OuterWavefront { statements }
            | Transform::DeferErrno { statements }
            | Transform::HoistLoads { statements }
            | Transform::Pack { statements, .. }
            | Transform::UnrollAndJam { statements, .. } => statements,
            Transform::SeparateTiles { statement, .. } => std::slice::from_ref(statement),
        }
    }
}

impl Transform {
    /// What was done, in words.
    pub(crate) fn text(&self, names: &dyn SourceNames) -> String {
        let product = |numbers: &[i64]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
        match self {
            Transform::ByHand { .. } => "loops in an order by hand".to_owned(),
            Transform::SplitIndexSets { .. } => "split index sets".to_owned(),
            Transform::SplitBorders { .. } => "split borders".to_owned(),
            Transform::ExpandScalars { .. } => "expanded scalars".to_owned(),
            Transform::ExpandArrays { copies, .. } => format!("expanded arrays, {copies} copies"),
            Transform::SplitNodes { strip, .. } => format!("split nodes, panels of {strip}"),
            Transform::Fuse { sizes, .. } => format!("fused in tiles of {}", product(sizes)),
            Transform::Consecutivity { .. } => "loops along consecutive elements".to_owned(),
            Transform::Interchange { .. } => "interchanged loops".to_owned(),
            Transform::Sink { .. } => "sank parallel loops".to_owned(),
            Transform::Distribute { .. } => "distributed loops".to_owned(),
            Transform::Tile { sizes, directions, .. } => {
                format!("tiled {}{}", sizes_text(sizes), counters(directions, names))
            }
            Transform::DiamondTile { sizes, .. } => format!("diamond tiles of {}", sizes_text(sizes)),
            Transform::SeparateTiles { statement, .. } => match statement.name() {
                Some(name) => format!("separated tiles of {}", names.statement(name)),
                None => "separated tiles".to_owned(),
            },
            Transform::Vectorize { lanes, block: None, .. } => format!("{lanes} vector lanes"),
            Transform::Vectorize {
                lanes,
                block: Some(block),
                ..
            } => format!("{lanes} vector lanes, transposed {block} iterations at a time"),
            Transform::Parallelize { pipelined: false, .. } => "on threads".to_owned(),
            Transform::Parallelize { pipelined: true, .. } => "pipelined on threads".to_owned(),
            Transform::Kernel {
                threads,
                tile,
                shared,
                is_mma,
                stages,
                ..
            } => {
                let along = |sizes: &[u32]| sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
                let points = match tile.is_empty() {
                    true => String::new(),
                    false => format!(" with {} points each", along(tile)),
                };
                let arrays: Vec<String> = shared.iter().map(|array| names.array(array)).collect();
                let shared = match arrays.is_empty() {
                    true => String::new(),
                    false => format!(", {} in shared memory", arrays.join(" and ")),
                };
                let ahead = match stages {
                    0 | 1 => String::new(),
                    2 => ", copied 1 strip ahead".to_owned(),
                    _ => format!(", copied {} strips ahead", stages - 1),
                };
                let mma = if *is_mma { ", matrix instructions" } else { "" };
                format!(
                    "kernel in blocks of {} threads{points}{shared}{ahead}{mma}",
                    along(threads)
                )
            }
            Transform::Wavefront { rows, .. } => format!("wavefronts of {rows} iterations"),
            Transform::OuterWavefront { .. } => "wavefronts".to_owned(),
            Transform::HoistLoads { .. } => "hoisted loads".to_owned(),
            Transform::Pack { array, .. } => format!("packed {}", names.array(array)),
            Transform::DeferErrno { .. } => "square roots without branches".to_owned(),
            Transform::UnrollAndJam {
                factors, directions, ..
            } => format!(
                "unrolled and jammed {}{}",
                product(factors),
                counters(directions, names)
            ),
        }
    }
}

/// With the model's own names.
impl fmt::Display for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&ModelNames))
    }
}

/// The sizes of tiles in words: `all` where a loop is not tiled.
pub(crate) fn sizes_text(sizes: &[Option<i64>]) -> String {
    let size = |size: &Option<i64>| size.map_or("all".to_owned(), |size| size.to_string());
    sizes.iter().map(size).collect::<Vec<_>>().join(" x ")
}

/// The children of nested sequences, one after the other.
pub(crate) fn in_sequence(node: &Node) -> Vec<Filter> {
    let (Node::Sequence(children) | Node::Set(children)) = node else {
        return Vec::new();
    };
    let flat = children.iter().flat_map(|child| match in_sequence(&child.child) {
        inside if inside.is_empty() => vec![child.clone()],
        inside => {
            let within = |inner: Filter| Filter {
                filter: inner.filter.intersect(&child.filter),
                child: inner.child,
            };
            inside.into_iter().map(within).collect()
        }
    });
    flat.collect()
}

/// Whether there is a band in the subtree.
pub(crate) fn has_band(node: &Node) -> bool {
    node.any(&|node| matches!(node, Node::Band(_)))
}

/// The bands of a tree that have no band inside, and the paths to them.
pub(crate) fn innermost_bands(tree: &Tree) -> Vec<Path> {
    let is_innermost = |path: &Path| match tree.at(path) {
        Some(Node::Band(band)) => !has_band(&band.child),
        _ => false,
    };
    tree.paths().into_iter().filter(is_innermost).collect()
}

/// The bands around the node at a path, the next one first.
pub(crate) fn bands_around<'t>(tree: &'t Tree, path: &Path) -> impl Iterator<Item = &'t Band> {
    let around = std::iter::successors(path.parent(), Path::parent);
    around.filter_map(|path| match tree.at(&path) {
        Some(Node::Band(band)) => Some(&**band),
        _ => None,
    })
}

/// The band at the path.
///
/// # Panics
///
/// If there is none.
pub(crate) fn band_at<'t>(tree: &'t Tree, path: &Path) -> &'t Band {
    match tree.at(path) {
        Some(Node::Band(band)) => band,
        _ => panic!("a band at {path:?}"),
    }
}

/// The function of a band on a statement, in a tree that has a flat schedule.
pub(crate) fn function_of(band: &Band, statement: &Tuple) -> MultiAff {
    band.function_of(statement).expect("one function a statement")
}
