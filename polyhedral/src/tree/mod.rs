//! Schedule trees: the order of execution of statement instances (P0 section 4.4).
//!
//! # Definitions
//!
//! A node is reached by the instances that its ancestors pass on. A **domain** node, always the root, introduces them;
//! a **filter** passes on a subset; a **sequence** runs its children, which are filters, one after the other; a **set**
//! runs them in any order; a **band** orders instances lexicographically by the values of its members, which are
//! quasi-affine functions of the instance; a **mark** attaches a name to a subtree; a **leaf** ends a branch.
//!
//! A band is **permutable** when its members may be interchanged, because every dependence that is not carried by an
//! outer node has a non-negative distance in each of them; a member is **coincident** when these distances are all zero.
//!
//! # Running example
//!
//! `for (i) { S: c[i] = 0; for (j) T: c[i] += a[i][j]; }` in its original order is
//!
//! ```text
//! domain: "[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < n }"
//! child:
//!   schedule: "[n] -> [{ S[i] -> [(i)]; T[i, j] -> [(i)] }]"
//!   child:
//!     sequence:
//!     - filter: "[n] -> { S[i] }"
//!     - filter: "[n] -> { T[i, j] }"
//!       child:
//!         schedule: "[n] -> [{ T[i, j] -> [(j)] }]"
//! ```

mod flatten;
mod rewrite;
mod text;

pub use text::TreeError;

use indexmap::IndexMap;

use crate::sets::{MultiAff, Name, Set, Tuple, UnionSet};

/// A schedule tree. The root is a domain.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The instances that are scheduled.
    pub domain: UnionSet,
    /// Facts about the parameters, as a set of parameter values.
    pub context: Set,
    /// The node below the domain.
    pub root: Node,
}

/// A node below the domain.
#[derive(Clone, Debug)]
pub enum Node {
    /// Orders by the values of the band's members.
    Band(Box<Band>),
    /// The children one after the other.
    Sequence(Vec<Filter>),
    /// The children in any order.
    Set(Vec<Filter>),
    /// A named subtree.
    Mark(Name, Box<Node>),
    /// Nothing more is said about the order.
    Leaf,
}

/// A child of a sequence or a set: what it keeps of the instances that reach it, and their order.
///
/// A filter names whole statements: the instances of each statement stay together. Splitting a statement's instances
/// over several children is expressed on the domain.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The statements that pass.
    pub statements: Vec<Tuple>,
    /// The node below.
    pub child: Node,
}

/// How the AST generator turns a band member into control (P1 section 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LoopKind {
    /// One loop for what overlaps, several where ranges lie one after the other.
    #[default]
    Default,
    /// One loop over everything, with conditions inside.
    Atomic,
    /// A loop of its own wherever a different set of statements is active.
    Separate,
    /// No loop: the body is repeated for each value.
    Unroll,
}

/// A member of a band: a dimension of its partial schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Member {
    /// Dependences that no outer node carries have distance zero.
    pub coincident: bool,
    /// How control is generated.
    pub kind: LoopKind,
}

/// A multi-dimensional partial schedule.
#[derive(Clone, Debug)]
pub struct Band {
    /// For each statement that reaches the band, one function per member.
    pub schedule: IndexMap<Tuple, MultiAff>,
    /// The members, outermost first.
    pub members: Vec<Member>,
    /// Whether the members may be interchanged.
    pub permutable: bool,
    /// For a band of tiles, what the tiles are made of: the AST generator then gives tiles that are full for all
    /// statements a version of their own.
    pub tiling: Option<Tiling>,
    /// What is inside a value of each member.
    pub child: Node,
}

/// What the members of a band of tiles run over: member `k` is `floor(points_k / sizes_k)`.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// The functions that were tiled, as many as the band has members.
    pub points: IndexMap<Tuple, MultiAff>,
    /// The size of a tile in each of them, at least 1.
    pub sizes: Vec<i64>,
}
