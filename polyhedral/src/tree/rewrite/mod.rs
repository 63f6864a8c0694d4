//! Rewriting of schedule trees.
//!
//! What concerns one band alone is a function of [`Band`]: [`Band::tiled`], [`Band::split`], [`Band::permuted`],
//! [`Band::scaled`], .. What concerns a place in a tree is a function of [`Tree`] with the [`Path`] of the node. None of
//! them looks at dependences: whether the new order is legal, [`check`](crate::check) says.
//!
//! Extensions, guards, contexts and isolated parts are written over the values of the outer members. A subtree that has any
//! is *anchored*: functions that change the members above it refuse.

mod delete;
mod gist;
mod graft;
mod group;
mod insert;
mod members;
mod pullback;
mod scale;
mod sequence;
mod sink;
mod tile;
mod wavefront;

pub use tile::TileOptions;

use crate::budget::OutOfBudget;
use crate::tree::{Band, Isolation, Node, Path, Tree};

/// Why a tree was not rewritten.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// There is no such node.
    #[error("there is no node at {0}")]
    NoNode(Path),
    /// The node is of another kind than it has to be.
    #[error("the node at {path} is a {found}, expected {expected}")]
    Kind {
        /// Where it is.
        path: Path,
        /// What it is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// Below the node, something is written over the values of outer members, which would change.
    #[error("below {0}, a node refers to the values of outer members")]
    Anchored(Path),
    /// Between the root and the node, or below it, there is a node of a kind that the rewriting cannot pass.
    #[error("{path} cannot be rewritten for this on the way to it or below it: {kind}")]
    Blocked {
        /// Where the rewriting is.
        path: Path,
        /// What is in the way.
        kind: &'static str,
    },
}

/// The result of a rewriting.
pub type Rewritten = Result<Tree, RewriteError>;

impl Node {
    /// Whether the node or one below it is written over the values of outer members.
    pub fn is_anchored(&self) -> bool {
        self.any(&|node| match node {
            Node::Extension(..) | Node::Guard(..) | Node::Context(..) => true,
            Node::Band(band) => matches!(band.isolation, Isolation::Part(_)),
            _ => false,
        })
    }
}

impl Tree {
    /// The node at `path`, or that there is none.
    fn node(&self, path: &Path) -> Result<&Node, RewriteError> {
        self.at(path).ok_or_else(|| RewriteError::NoNode(path.clone()))
    }

    /// The band at `path`, below which nothing is anchored.
    fn free_band(&self, path: &Path) -> Result<&Band, RewriteError> {
        match self.node(path)? {
            Node::Band(band) if band.child.is_anchored() => Err(RewriteError::Anchored(path.clone())),
            Node::Band(band) => Ok(band),
            other => Err(wrong(path, other, "a band")),
        }
    }

    /// The children of the sequence or set at `path`.
    fn filters(&self, path: &Path) -> Result<&[super::Filter], RewriteError> {
        match self.node(path)? {
            Node::Sequence(children) | Node::Set(children) => Ok(children),
            other => Err(wrong(path, other, "a sequence or a set")),
        }
    }

    /// The tree with another node at `path`, where there is one.
    fn replaced(&self, path: &Path, node: Node) -> Tree {
        self.rewritten(path, |_| node)
    }

    /// The tree with the band at `path` rewritten by a function of bands, as `|band| band.split(1)`.
    ///
    /// # Errors
    ///
    /// If there is no band at `path`, or the subtree below it is anchored.
    pub fn with_band(&self, path: &Path, rewrite: impl FnOnce(Band) -> Band) -> Rewritten {
        let band = self.free_band(path)?.clone();
        Ok(self.replaced(path, Node::band(rewrite(band))))
    }
}

fn wrong(path: &Path, found: &Node, expected: &'static str) -> RewriteError {
    RewriteError::Kind {
        path: path.clone(),
        found: found.kind(),
        expected,
    }
}
