//! Schedule trees: the order of execution of statement instances (P0 section 4.4, P1 section 6).
//!
//! # Definitions
//!
//! A node is reached by the instances that its ancestors pass on. The root introduces them. The other nodes:
//!
//! | node | reached by a set `D` of instances, it passes on | and says |
//! |---|---|---|
//! | **band** | `D` | instances are ordered lexicographically by the values of its *members*, quasi-affine functions of the instance |
//! | **filter** | those in the filter | |
//! | **sequence** | to each of its children, which are filters, those in the filter | the children are executed one after the other |
//! | **set** | the same | the children are executed in any order |
//! | **expansion** | `{ y : x -> y in expansion, x in D }` | what is scheduled as one instance `x` above it is several below; the contraction maps `y` back to `x` |
//! | **extension** | `D`, and `{ y : c -> y in extension }` | `y` is executed where the outer members have the values `c`, if any instance of `D` is |
//! | **guard** | those for which the outer members have values in it | generated code has a condition for it there |
//! | **context** | `D` | what is known of the parameters, and of the values of outer members; it may introduce parameters |
//! | **mark** | `D` | a name, for whoever reads the tree |
//! | **leaf** | | nothing |
//!
//! The *outer members* of a node are those of all bands above it, outermost first. They make up the anonymous tuple over
//! which extensions, guards, contexts and isolated parts are written.
//!
//! A band is **permutable** when its members may be interchanged, because every dependence that is not carried by an
//! outer node has a non-negative distance in each of them; a member is **coincident** when these distances are all zero.
//!
//! What the types leave open, such as whether filters are disjoint or a band has a value for everything that reaches it,
//! [`verify`] checks.
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
//!
//! A tree is written and read as isl's YAML: block style by [`Tree`]'s `Display` and `FromStr`, one line by
//! [`Tree::to_line`].

mod band;
mod flat_schedule;
mod flatten;
mod mark;
mod node;
mod path;
mod prefix;
mod rewrite;
mod verify;
mod yaml;

pub use band::{Band, Isolation, LoopKind, Member, Tiling};
pub use flat_schedule::{AnySchedule, FlatSchedule};
pub use mark::Mark;
pub use node::{Expansion, Filter, Node, Share};
pub use path::Path;
pub use prefix::Reach;
pub use rewrite::{RewriteError, Rewritten, TileOptions};
pub use verify::{Flaw, VerifyError, verify};

use crate::sets::{Params, Set, UnionMap, UnionSet};

/// A schedule tree of which the root is a domain.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The instances that are scheduled.
    pub domain: UnionSet,
    /// Facts about the parameters, as a set of parameter values: the context nodes directly below the domain.
    pub context: Set,
    /// The node below these.
    pub root: Node,
}

/// A schedule tree of which the root is an extension: what is to be grafted into another tree.
#[derive(Clone, Debug)]
pub struct ExtensionTree {
    /// Where the outer members have the values `c`, the instances `{ y : c -> y }` are executed.
    pub extension: UnionMap,
    /// The order of these.
    pub root: Node,
}

impl Tree {
    /// The parameters of the context, the domain and all nodes.
    pub fn params(&self) -> Params {
        let mut params = self.context.params().union(self.domain.params());
        self.root.add_params(&mut params);
        params
    }

    /// The tree with another node below the domain and the context.
    pub fn with_root(&self, root: Node) -> Tree {
        Tree {
            domain: self.domain.clone(),
            context: self.context.clone(),
            root,
        }
    }
}
