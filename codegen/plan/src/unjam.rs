//! Loops over rows that fill no register tile, which go around the loop that they would be jammed into.
//!
//! Where a tile is full, the band below an `unjam` mark is unrolled. Elsewhere it has short loops, inside of the loop that LLVM would
//! vectorize. They change places with it where its bounds and theirs do not depend on each other:
//!
//! ```text
//! for (j = 0; j < n; j++)                      for (i = 4 * (n / 4); i < n; i++)
//!   for (i = 4 * (n / 4); i < n; i++)            for (j = 0; j < n; j++)
//!     S(i, j);                                     S(i, j);
//! ```
//!
//! The checker proves that this order is legal, too.

use farkas_polyhedral::ast::{Expr, For, IterId, Node, Upper};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;

/// What annotations of rows begin with, while loops are made.
const ROWS: &str = "rows of ";

/// The annotation of a loop of a band below an `unjam` mark that speaks of the loop of this schedule dimension, while loops are made.
pub(crate) fn row_of(dim: usize) -> Name {
    Name::from(format!("{ROWS}{dim}").as_str())
}

/// Puts rows inside of the loop of this schedule dimension around it, if that can be done, and removes `unjam` marks and annotations from
/// what is inside. The loop is none of the rows.
pub(crate) fn with_rows_outside(node: &mut For, dim: usize) {
    if is_row(node) {
        return;
    }
    let n = rows_below(&node.body, node.iter, &row_of(dim));
    let body = std::mem::replace(&mut node.body, Node::Block(Vec::new()));
    let (mut rows, body) = match n {
        Some(n) => taken(body, n),
        None => (Vec::new(), body),
    };
    node.body = plain(body);
    for row in &mut rows {
        row.annotations.retain(|annotation| !is_of_rows(annotation));
        row.annotations.push(For::REMAINDER.into());
        // That they carry nothing is known of the order that they are not in any more.
        row.coincident = false;
    }
    while let Some(mut row) = rows.pop() {
        std::mem::swap(node, &mut row);
        node.body = Node::For(Box::new(row));
    }
}

/// How many loops below marks are rows that may go around a loop with this iterator; `None` if there is none, or they may not.
fn rows_below(mut node: &Node, iter: IterId, annotation: &Name) -> Option<usize> {
    while let Node::Mark { body, .. } = node {
        node = body;
    }
    let mut n = 0;
    while let Node::For(row) = node
        && row.annotations.contains(annotation)
    {
        let Upper::AtMost(upper) = &row.upper else { return None };
        if row.lower.mentions(iter) || upper.mentions(iter) {
            return None;
        }
        n += 1;
        node = &row.body;
    }
    (n > 0 && fills_lanes(node)).then_some(n)
}

fn is_row(node: &For) -> bool {
    node.annotations.iter().any(is_of_rows)
}

fn is_of_rows(annotation: &Name) -> bool {
    annotation.as_str().starts_with(ROWS)
}

/// Whether nothing is in lanes in a node, or a loop right there that fills them, or has a mask. Lanes that are not full run one by one
/// without: rows inside of the loop around keep them from waiting for each other.
fn fills_lanes(node: &Node) -> bool {
    match node {
        Node::Mark {
            mark: Mark::Vector { masked: true, .. },
            ..
        } => true,
        Node::Mark {
            mark: Mark::Vector { lanes, .. },
            body,
        } => match &**body {
            Node::For(inner) => has_iterations(inner, *lanes),
            _ => true,
        },
        Node::Mark { body, .. } => fills_lanes(body),
        Node::For(inner) => fills_lanes(&inner.body),
        Node::If { then, otherwise, .. } => fills_lanes(then) && otherwise.as_deref().is_none_or(fills_lanes),
        Node::Block(nodes) => nodes.iter().all(fills_lanes),
        Node::Call(_) => true,
    }
}

/// Whether a loop has so many iterations whatever the values of parameters and outer iterators.
fn has_iterations(node: &For, n: u32) -> bool {
    match (&node.lower, &node.upper) {
        (Expr::Quasi(lower), Upper::AtMost(Expr::Quasi(upper))) => {
            let mut distance = upper.clone();
            distance.add_scaled(&Int::from(-1), lower);
            distance.as_constant() == Some(&Int::from(i64::from(n) - 1))
        }
        _ => false,
    }
}

/// The first `n` loops of a node below marks, without bodies, and what is inside, below these marks.
fn taken(node: Node, n: usize) -> (Vec<For>, Node) {
    match node {
        Node::Mark { mark, body } => {
            let (rows, inside) = taken(*body, n);
            let body = Box::new(inside);
            (rows, Node::Mark { mark, body })
        }
        Node::For(mut row) if n > 0 => {
            let body = std::mem::replace(&mut row.body, Node::Block(Vec::new()));
            let (mut rows, inside) = taken(body, n - 1);
            rows.insert(0, *row);
            (rows, inside)
        }
        other => (Vec::new(), other),
    }
}

/// The node without `unjam` marks, and without annotations of rows.
fn plain(node: Node) -> Node {
    match node {
        Node::Mark {
            mark: Mark::Unjam { .. },
            body,
        } => plain(*body),
        Node::Mark { mark, body } => {
            let body = Box::new(plain(*body));
            Node::Mark { mark, body }
        }
        Node::For(mut row) if is_row(&row) => {
            row.annotations.retain(|annotation| !is_of_rows(annotation));
            let body = std::mem::replace(&mut row.body, Node::Block(Vec::new()));
            row.body = plain(body);
            Node::For(row)
        }
        other => other,
    }
}
