//! What the loops under a `parallel` or `pipeline` mark are like: whether they run on threads, and how their iterations are dealt out.

use crate::ast::expr::Expr;
use crate::ast::node::{For, Node, Upper};
use crate::ast::quasi::{IterId, Quasi};
use crate::int::Int;

/// The loops that are outermost in the subtree.
pub fn loops(node: &Node) -> Vec<&For> {
    match node {
        Node::Block(nodes) => nodes.iter().flat_map(loops).collect(),
        Node::For(node) => vec![node],
        Node::If { then, otherwise, .. } => {
            let otherwise = otherwise.as_deref().map(loops).unwrap_or_default();
            loops(then).into_iter().chain(otherwise).collect()
        }
        Node::Mark { body, .. } => loops(body),
        Node::Call(_) => Vec::new(),
    }
}

/// Whether each iteration of a loop of lanes is executed in a single place. Parts of an iteration before or behind the loop
/// would miss what it has in private slots.
pub fn is_one_loop(node: &Node) -> bool {
    match node {
        Node::Block(nodes) => match &nodes[..] {
            [] => true,
            [node] => is_one_loop(node),
            _ => false,
        },
        Node::Mark { body, .. } => is_one_loop(body),
        Node::If { then, otherwise, .. } => is_one_loop(then) && otherwise.as_deref().is_none_or(is_one_loop),
        Node::For(_) => true,
        Node::Call(_) => false,
    }
}

/// Whether a loop is the one that a `parallel` or `pipeline` mark speaks of.
fn is_marked(node: &For) -> bool {
    is_rows(node) || node.is_annotated(For::THREADS)
}

/// Whether the iterations of a loop overlap.
pub fn is_rows(node: &For) -> bool {
    node.is_annotated(For::ROWS)
}

/// Whether a row waits for the one before in the iterations of this loop.
pub fn is_steps(node: &For) -> bool {
    node.is_annotated(For::STEPS)
}

/// Whether a loop is one that a mark speaks of. Rows overlap in steps, of which none is skipped.
pub fn may_fork(node: &For) -> bool {
    let inner = loops(&node.body);
    let mut steps = inner.iter().filter(|inner| is_steps(inner)).peekable();
    let mut overlap = || node.step.is_one() && steps.peek().is_some() && steps.all(|inner| inner.step.is_one());
    is_marked(node) && (!is_rows(node) || overlap())
}

/// Whether loops in a node have more iterations in some iterations of a loop around it than in others, by more than the rest of
/// a tile.
pub fn is_uneven(node: &Node, around: IterId) -> bool {
    let mut inner = loops(node).into_iter();
    inner.any(|inner| varies(inner, around) || is_uneven(&inner.body, around))
}

/// Whether the number of iterations of a loop depends on an iterator, by more than the rest of a tile: no lower bound is at the same
/// distance from an upper bound for all values of the iterator.
fn varies(node: &For, around: IterId) -> bool {
    let Upper::AtMost(upper) = &node.upper else {
        return true;
    };
    let (Some(lower), Some(upper)) = (bounds(&node.lower), bounds(upper)) else {
        return node.lower.mentions(around) || upper.mentions(around);
    };
    let varies = |lower: &Quasi, upper: &Quasi| {
        let mut distance = upper.clone();
        distance.add_scaled(&-&Int::ONE, lower);
        distance.mentions(around)
    };
    lower.iter().all(|lower| upper.iter().all(|upper| varies(lower, upper)))
}

/// The bounds of which one is the largest or the least.
fn bounds(expr: &Expr) -> Option<Vec<&Quasi>> {
    match expr {
        Expr::Quasi(bound) => Some(vec![bound]),
        Expr::Min(operands) | Expr::Max(operands) => {
            let each: Option<Vec<Vec<&Quasi>>> = operands.iter().map(bounds).collect();
            Some(each?.concat())
        }
        Expr::Select { .. } => None,
    }
}
