//! Candidate regions: the largest regions of a body that might have a model.
//!
//! The nodes of a body, in topological order, make up *chains*, in which control flows straight from one *segment* to
//! the next. A segment is one of these:
//!
//! - a loop, with the phis behind it where the loop is left from several blocks;
//! - the code of a block;
//! - a branch with everything up to the block where its arms join.
//!
//! A candidate region is a run of segments of one chain. It begins and ends with segments that contain loops: code
//! before and after them would be copied for nothing. Where a branch fits into no region, its arms have chains of
//! their own.
//!
//! ```text
//!     for ..             segment            \
//!     x = y;             segment (code)      |  one candidate region
//!     if (n > 7)         segment             |
//!       for ..                              /
//!     f();               segment that has no model
//!     for ..             segment               another candidate region
//! ```

use super::errors::Errors;
use super::fragment::Fragment;
use super::order::{Node, node_of, onwards, order};
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::value::{Block, Kind};
use indexmap::{IndexMap, IndexSet};

/// Whether a fragment can be in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// With segments before and after it.
    Joins,
    /// As the first segment.
    Begins,
    /// As a region of its own.
    Alone,
    /// Not at all.
    Never,
}

/// A segment of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment<'a> {
    /// Its fragments, in order.
    pub(crate) fragments: Vec<Fragment<'a>>,
    /// Whether there are loops in it.
    pub(crate) has_loops: bool,
}

/// A result of the search in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found<'a> {
    /// A candidate region.
    Region(Vec<Segment<'a>>),
    /// A loop that fits into no region.
    Loop(Loop<'a>),
}

/// The control-flow graph of the nodes directly inside a loop, or inside a function outside of all loops.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    /// In topological order.
    nodes: Vec<Node<'a>>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
    /// Whether control may leave the body from the node.
    leaves: Vec<bool>,
    /// Whether the node is a loop that is left from several blocks.
    has_exits: Vec<bool>,
}

/// Number of nodes after which the search for the join of a branch gives up.
const LONGEST: usize = 1000;

impl<'a> Body<'a> {
    /// The body of the loop `around`, or of the function.
    pub(crate) fn new(run: &'a Run<'_>, errors: &Errors<'a>, around: Option<Loop<'a>>) -> Self {
        let (start, children) = match around {
            Some(l) => (l.header(), l.children()),
            None => (run.function().blocks()[0], run.loops()),
        };
        let ordered = order(run, errors, around, start);
        // Of an irreducible body, only the loops are of interest, each by itself.
        let irreducible = ordered.is_none();
        let nodes = ordered.unwrap_or_else(|| children.into_iter().map(Node::Loop).collect());
        let position: IndexMap<Node<'a>, usize> = nodes.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let mut body = Body {
            successors: Vec::with_capacity(nodes.len()),
            predecessors: vec![Vec::new(); nodes.len()],
            leaves: Vec::with_capacity(nodes.len()),
            has_exits: nodes.iter().map(|node| has_exits(errors, *node)).collect(),
            nodes,
        };
        for (at, node) in body.nodes.iter().enumerate() {
            let onwards = onwards(errors, *node);
            let inside = |to: &Block<'a>| {
                let to = node_of(run, around, *to)?;
                position.get(&to).copied().filter(|position| *position > at)
            };
            let successors: IndexSet<usize> = onwards.iter().filter_map(inside).collect();
            let leaves = irreducible || onwards.is_empty() || onwards.iter().any(|to| inside(to).is_none());
            successors.iter().for_each(|to| body.predecessors[*to].push(at));
            body.successors.push(successors.into_iter().collect());
            body.leaves.push(leaves);
        }
        body
    }

    /// The number of its blocks and loops.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The candidate regions and the other loops, in order. `fit` says how each fragment can be used.
    pub(crate) fn find(&self, mut fit: impl FnMut(Fragment<'a>) -> Fit) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        let mut visited = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            if !visited[start] {
                let mut chain = Chain {
                    body: self,
                    fit: &mut fit,
                    visited: &mut visited,
                    found: &mut found,
                    region: Vec::new(),
                };
                chain.follow(start);
                chain.end_region();
            }
        }
        found
    }

    /// The node where all paths from the branch at `at` join, if the nodes between have no other entries and exits.
    fn join(&self, at: usize) -> Option<usize> {
        let mut join = *self.successors[at].iter().max()?;
        let mut next = at + 1;
        if self.leaves[at] {
            return None;
        }
        while next < join {
            let entered = self.predecessors[next].iter().any(|from| *from < at);
            if self.leaves[next] || entered || next - at > LONGEST {
                return None;
            }
            join = join.max(*self.successors[next].iter().max()?);
            next += 1;
        }
        self.predecessors[join].iter().all(|from| *from >= at).then_some(join)
    }

    /// The only successor of the node, if the node is its only predecessor.
    fn straight_on(&self, at: usize) -> Option<usize> {
        match self.successors[at][..] {
            [next] if !self.leaves[at] && self.predecessors[next].len() == 1 => Some(next),
            _ => None,
        }
    }
}

fn has_exits<'a>(errors: &Errors<'a>, node: Node<'a>) -> bool {
    matches!(node, Node::Loop(l) if errors.exits(l).len() > 1)
}

/// One chain, while it is followed.
struct Chain<'c, 'a, F> {
    body: &'c Body<'a>,
    fit: &'c mut F,
    visited: &'c mut [bool],
    found: &'c mut Vec<Found<'a>>,
    /// The segments since the last one that fits into no region.
    region: Vec<Segment<'a>>,
}

impl<'a, F: FnMut(Fragment<'a>) -> Fit> Chain<'_, 'a, F> {
    fn follow(&mut self, start: usize) {
        let mut at = start;
        // Phis of the first block choose between ways that come from outside the chain.
        let mut with_phis = false;
        loop {
            self.visited[at] = true;
            let block = match self.body.nodes[at] {
                Node::Loop(l) => {
                    let next = self.body.straight_on(at);
                    // Where it is left from several blocks, phis tell what comes from which.
                    let phis = match next.map(|next| self.body.nodes[next]) {
                        Some(Node::Block(block)) if self.body.has_exits[at] => Some(Fragment::Phis(block)),
                        _ => None,
                    };
                    with_phis = phis.is_none();
                    self.extend([Fragment::Loop(l)].into_iter().chain(phis).collect(), true);
                    match next {
                        Some(next) => at = next,
                        None => return,
                    }
                    continue;
                }
                Node::Block(block) => block,
            };
            let phis = with_phis.then_some(Fragment::Phis(block));
            self.extend(phis.into_iter().chain([Fragment::Code(block)]).collect(), false);
            with_phis = true;
            if self.body.successors[at].len() > 1 {
                let Some(join) = self.body.join(at).filter(|join| self.branch(block, at, *join)) else {
                    self.end_region();
                    return;
                };
                at = join;
                with_phis = false;
            } else {
                if !matches!(block.terminator().kind(), Kind::Jump(_)) {
                    self.extend(vec![Fragment::Branch(block)], false);
                }
                match self.body.straight_on(at) {
                    Some(next) => at = next,
                    None => return,
                }
            }
        }
    }

    /// The segment from a branch up to the phis of the block where its ways join; false if it cannot be in a region.
    fn branch(&mut self, block: Block<'a>, at: usize, join: usize) -> bool {
        let Node::Block(end) = self.body.nodes[join] else {
            return false;
        };
        let mut fragments = vec![Fragment::Branch(block)];
        for node in &self.body.nodes[at + 1..join] {
            match *node {
                Node::Loop(l) => fragments.push(Fragment::Loop(l)),
                Node::Block(inside) => {
                    fragments.extend([Fragment::Phis(inside), Fragment::Code(inside)]);
                    if !matches!(inside.terminator().kind(), Kind::Jump(_)) {
                        fragments.push(Fragment::Branch(inside));
                    }
                }
            }
        }
        fragments.push(Fragment::Phis(end));
        let joins = fragments[1..]
            .iter()
            .all(|fragment| (self.fit)(*fragment) == Fit::Joins);
        if !joins || (self.fit)(fragments[0]) == Fit::Never {
            return false;
        }
        self.visited[at + 1..join].fill(true);
        let has_loops = fragments.iter().any(|fragment| matches!(fragment, Fragment::Loop(_)));
        self.extend(fragments, has_loops);
        true
    }

    fn extend(&mut self, fragments: Vec<Fragment<'a>>, has_loops: bool) {
        let first = fragments[0];
        let fit = match has_loops {
            true => (self.fit)(first),
            false if fragments.iter().all(|fragment| (self.fit)(*fragment) == Fit::Joins) => Fit::Joins,
            false => Fit::Never,
        };
        if fit != Fit::Joins {
            self.end_region();
        }
        match (fit, first) {
            (Fit::Never, Fragment::Loop(l)) => self.found.push(Found::Loop(l)),
            (Fit::Never, _) => {}
            _ => self.region.push(Segment { fragments, has_loops }),
        }
        if fit == Fit::Alone {
            self.end_region();
        }
    }

    fn end_region(&mut self) {
        let mut segments = std::mem::take(&mut self.region);
        let used = segments
            .iter()
            .rposition(|segment| segment.has_loops)
            .map_or(0, |last| last + 1);
        segments.truncate(used);
        let unused = segments.iter().position(|segment| segment.has_loops).unwrap_or(0);
        segments.drain(..unused);
        if !segments.is_empty() {
            self.found.push(Found::Region(segments));
        }
    }
}
