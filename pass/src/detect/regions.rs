//! Where the sections of a function may be: the largest pieces of a body that might have a model.
//!
//! The nodes of a body, in order, make up *chains*, in which control goes from one *step* straight to the next. A step is
//! a loop, a block's own code, or a branch with all that is between it and the block where its ways come together again.
//! A section is a run of steps of one chain. (A loop that is left from several blocks comes with the phis behind it.) It begins and ends with steps that have loops: code before and after would
//! be nothing but a burden. Where a branch cannot be in a section, its arms have chains of their own.
//!
//! ```text
//!     for ..             step            \
//!     x = y;             step (code)      |  one section
//!     if (n > 7)         step             |
//!       for ..                           /
//!     f();               step, which nothing can be made of
//!     for ..             step               another section
//! ```

use super::errors::Errors;
use super::order::{Node, node_of, onwards, order};
use super::part::Part;
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::value::{Block, Kind};
use indexmap::{IndexMap, IndexSet};

/// Whether a part can be in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// With what is before and after it.
    Joins,
    /// With what is after it.
    Begins,
    /// As the only step.
    Alone,
    /// Not at all.
    Never,
}

/// A step of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step<'a> {
    /// What it consists of, in order.
    pub(crate) parts: Vec<Part<'a>>,
    /// Whether there are loops in it.
    pub(crate) has_loops: bool,
}

/// What is in a body, from the point of view of those that look for sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found<'a> {
    /// A piece that might have a model.
    Section(Vec<Step<'a>>),
    /// A loop that cannot be in a section.
    Loop(Loop<'a>),
}

/// The control flow of what is directly inside a loop, or in the function outside all loops.
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

/// The ways from a branch are not followed any further than this many nodes.
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

    /// The sections that there might be, and the other loops, in order. `fit` says what each part can be used for.
    pub(crate) fn find(&self, mut fit: impl FnMut(Part<'a>) -> Fit) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        let mut visited = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            if !visited[start] {
                let mut chain = Chain {
                    body: self,
                    fit: &mut fit,
                    visited: &mut visited,
                    found: &mut found,
                    section: Vec::new(),
                };
                chain.follow(start);
                chain.end_section();
            }
        }
        found
    }

    /// Where all ways from the branch at `at` come together, if these are in no other way reached or left.
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

    /// The only node that control goes on to, if it comes there from nowhere else.
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
    /// The steps since the last one that could not be in a section.
    section: Vec<Step<'a>>,
}

impl<'a, F: FnMut(Part<'a>) -> Fit> Chain<'_, 'a, F> {
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
                        Some(Node::Block(block)) if self.body.has_exits[at] => Some(Part::Phis(block)),
                        _ => None,
                    };
                    with_phis = phis.is_none();
                    self.step([Part::Loop(l)].into_iter().chain(phis).collect(), true);
                    match next {
                        Some(next) => at = next,
                        None => return,
                    }
                    continue;
                }
                Node::Block(block) => block,
            };
            let phis = with_phis.then_some(Part::Phis(block));
            self.step(phis.into_iter().chain([Part::Code(block)]).collect(), false);
            with_phis = true;
            if self.body.successors[at].len() > 1 {
                let Some(join) = self.body.join(at).filter(|join| self.branch(block, at, *join)) else {
                    self.end_section();
                    return;
                };
                at = join;
                with_phis = false;
            } else {
                if !matches!(block.terminator().kind(), Kind::Jump(_)) {
                    self.step(vec![Part::Branch(block)], false);
                }
                match self.body.straight_on(at) {
                    Some(next) => at = next,
                    None => return,
                }
            }
        }
    }

    /// The step from a branch up to the phis of the block where its ways join; false if it cannot be in a section.
    fn branch(&mut self, block: Block<'a>, at: usize, join: usize) -> bool {
        let Node::Block(end) = self.body.nodes[join] else {
            return false;
        };
        let mut parts = vec![Part::Branch(block)];
        for node in &self.body.nodes[at + 1..join] {
            match *node {
                Node::Loop(l) => parts.push(Part::Loop(l)),
                Node::Block(inside) => {
                    parts.extend([Part::Phis(inside), Part::Code(inside)]);
                    if !matches!(inside.terminator().kind(), Kind::Jump(_)) {
                        parts.push(Part::Branch(inside));
                    }
                }
            }
        }
        parts.push(Part::Phis(end));
        let joins = parts[1..].iter().all(|part| (self.fit)(*part) == Fit::Joins);
        if !joins || (self.fit)(parts[0]) == Fit::Never {
            return false;
        }
        self.visited[at + 1..join].fill(true);
        let has_loops = parts.iter().any(|part| matches!(part, Part::Loop(_)));
        self.step(parts, has_loops);
        true
    }

    fn step(&mut self, parts: Vec<Part<'a>>, has_loops: bool) {
        let first = parts[0];
        let fit = match has_loops {
            true => (self.fit)(first),
            false if parts.iter().all(|part| (self.fit)(*part) == Fit::Joins) => Fit::Joins,
            false => Fit::Never,
        };
        if fit != Fit::Joins {
            self.end_section();
        }
        match (fit, first) {
            (Fit::Never, Part::Loop(l)) => self.found.push(Found::Loop(l)),
            (Fit::Never, _) => {}
            _ => self.section.push(Step { parts, has_loops }),
        }
        if fit == Fit::Alone {
            self.end_section();
        }
    }

    fn end_section(&mut self) {
        let mut steps = std::mem::take(&mut self.section);
        let used = steps.iter().rposition(|step| step.has_loops).map_or(0, |last| last + 1);
        steps.truncate(used);
        let unused = steps.iter().position(|step| step.has_loops).unwrap_or(0);
        steps.drain(..unused);
        if !steps.is_empty() {
            self.found.push(Found::Section(steps));
        }
    }
}
