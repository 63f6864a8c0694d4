//! The nodes of an AST.

use crate::ast::expr::{Condition, Expr, IterId, Quasi};
use crate::int::Int;
use crate::sets::{Name, Params, Tuple};

/// A loop nest that visits the instances of a domain in schedule order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ast {
    /// The parameters that expressions refer to by position.
    pub params: Params,
    /// The number of iterators that were given out; every [`IterId`] is below it.
    pub n_iters: usize,
    /// What is executed.
    pub root: Node,
}

/// A node of an AST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The children one after the other. An empty block does nothing.
    Block(Vec<Node>),
    /// A loop.
    For(Box<For>),
    /// The body where all conditions hold.
    If {
        /// At least one condition, all of which have to hold.
        conditions: Vec<Condition>,
        /// What is executed then.
        body: Box<Node>,
    },
    /// One statement instance.
    Call(Call),
    /// A subtree under a mark of the schedule tree.
    Mark {
        /// The mark's name.
        name: Name,
        /// The subtree.
        body: Box<Node>,
    },
}

/// `for (iter = lower; iter <= upper; iter += step) body`. The bounds do not depend on what the body does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct For {
    /// The iterator.
    pub iter: IterId,
    /// The first value.
    pub lower: Expr,
    /// No value is above this one.
    pub upper: Expr,
    /// The positive distance of consecutive values.
    pub step: Int,
    /// No dependence is carried by this loop: its iterations may run in any order (the schedule band's mark).
    pub coincident: bool,
    /// What is executed for each value.
    pub body: Node,
}

/// The execution of one instance of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The statement: the tuple of its domain.
    pub statement: Tuple,
    /// The instance: one expression per dimension of the domain.
    pub arguments: Vec<Quasi>,
}

impl Node {
    /// The nodes one after the other, without blocks in blocks.
    pub fn block(nodes: Vec<Node>) -> Node {
        let mut flat = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Node::Block(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 {
            flat.remove(0)
        } else {
            Node::Block(flat)
        }
    }

    /// The node where the conditions hold; the node itself where there are none.
    pub fn guarded(conditions: Vec<Condition>, body: Node) -> Node {
        if conditions.is_empty() || body.is_empty() {
            return body;
        }
        match body {
            Node::If {
                conditions: inner,
                body,
            } => Node::If {
                conditions: conditions.into_iter().chain(inner).collect(),
                body,
            },
            body => Node::If {
                conditions,
                body: Box::new(body),
            },
        }
    }

    /// Whether nothing is executed.
    pub fn is_empty(&self) -> bool {
        matches!(self, Node::Block(nodes) if nodes.is_empty())
    }
}
