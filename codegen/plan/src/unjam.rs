//! Loops over rows that fill no register tile, which go around the loop that they would be jammed into.
//!
//! Where a tile is full, the band below an `unjam` mark is unrolled. Elsewhere it has short loops, inside of the loop that LLVM would
//! vectorize. They change places with it where its bounds and theirs do not depend on each other:
//!
//! ```text
//! for (j = 0; j < m; j++)                      if (m >= 1)
//!   for (i = 4 * (n / 4); i < n; i++)            for (i = 4 * (n / 4); i < n; i++)
//!     S(i, j);                                     for (j = 0; j < m; j++)
//!                                                    S(i, j);
//! ```
//!
//! With lanes inside, rows that fill a register tile stay where they are, and are unrolled, where only columns are left over. They have as many
//! accumulators as in a full tile, which one row would wait for. What is left of the vectors in a strip goes around the loop:
//!
//! ```text
//! for (k = 0; k < n; k++)                      for (v = ..; columns that are left)
//!   for (i = 8 * t; i <= 8 * t + 7; i++)         for (k = 0; k < n; k++) {
//!     for (v = ..; columns that are left)          vector: S(8 * t, v, k);
//!       vector: S(i, v, k);                        ..
//!                                                  vector: S(8 * t + 7, v, k);
//!                                                }
//! ```
//!
//! The checker proves that these orders are legal, too.

use farkas_polyhedral::ast::{Coincidence, For, Node, Quasi};
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;

/// What annotations of rows begin with, while loops are made.
const ROWS: &str = "rows of ";
/// The rows of register tiles.
const ROWS_OF_TILES: [u32; 4] = [2, 4, 6, 8];
/// What comes before that in the annotation of the loop that they may go around.
const AROUND: &str = "around ";

/// The annotation of a loop of a band below an `unjam` mark that speaks of the loop of this schedule dimension, while loops are made.
pub(crate) fn row_of(dim: usize) -> Name {
    Name::from(format!("{ROWS}{dim}").as_str())
}

/// The annotation of a loop of this schedule dimension whose rows may go around it, while loops are made; `None` if it has none.
pub(crate) fn around_rows(node: &For, dim: usize) -> Option<Name> {
    let row = row_of(dim);
    let has_rows = !is_row(node) && rows_below(node, &row).is_some();
    has_rows.then(|| Name::from(format!("{AROUND}{row}").as_str()))
}

/// Puts rows around the loops that [`around_rows`] annotates, and removes `unjam` marks and what was annotated.
///
/// The bounds of rows were made where the loop around them is known to be entered. They promise nothing elsewhere, so that its entry is a
/// condition around them.
pub(crate) fn with_rows_outside(node: Node) -> Node {
    match node {
        Node::Mark {
            mark: Mark::Unjam { .. },
            body,
        } => with_rows_outside(*body),
        Node::For(node) => loop_in_rows(*node),
        other => other.map_children(&mut with_rows_outside),
    }
}

/// The loop, in its rows if it is annotated.
fn loop_in_rows(mut node: For) -> Node {
    let mut annotations = node.annotations.iter();
    let row = annotations.find_map(|annotation| annotation.as_str().strip_prefix(AROUND).map(Name::from));
    node.annotations
        .retain(|annotation| !is_of_rows(annotation) && !annotation.as_str().starts_with(AROUND));
    let found = row.and_then(|row| Some((rows_below(&node, &row)?, node.entry_condition()?)));
    let body = std::mem::replace(&mut node.body, Node::Block(Vec::new()));
    let Some((n, is_entered)) = found else {
        node.body = with_rows_outside(body);
        return Node::For(Box::new(node));
    };
    let (mut rows, mut marks, inside) = taken(body, n);
    // Of more loops, the checker knows no order in which some stay.
    let may_stay = |mark: &Mark| matches!(mark, Mark::Unjam { members: 1 | 2 });
    let copies = match marks.iter().any(may_stay) {
        true => copies_in_place(&rows, &inside),
        false => None,
    };
    marks.retain(|mark| !matches!(mark, Mark::Unjam { .. }));
    if copies.is_some() {
        rows.remove(0);
    }
    let body = with_rows_outside(copies.unwrap_or(inside));
    let under = |body, mark| Node::Mark {
        mark,
        body: Box::new(body),
    };
    node.body = marks.into_iter().rfold(body, under);
    if rows.is_empty() {
        return Node::For(Box::new(node));
    }
    let in_row = |inside: Node, mut row: For| {
        row.annotations.retain(|annotation| !is_of_rows(annotation));
        row.annotations.push(For::REMAINDER.into());
        // That they carry nothing is known of the order that they are not in any more.
        row.coincidence = Coincidence::No;
        row.body = inside;
        Node::For(Box::new(row))
    };
    let nest = rows.into_iter().rfold(Node::For(Box::new(node)), in_row);
    nest.under(is_entered)
}

/// How many loops below marks in a loop are rows that may go around it; `None` if there is none, or they may not.
fn rows_below(around: &For, annotation: &Name) -> Option<usize> {
    let mut node = &around.body;
    while let Node::Mark { body, .. } = node {
        node = body;
    }
    let mut n = 0;
    while let Node::For(row) = node
        && row.annotations.contains(annotation)
    {
        if row.bounds_may_mention(around.iter) {
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
            Node::For(inner) => inner.has_iterations(*lanes),
            _ => true,
        },
        Node::Mark { body, .. } => fills_lanes(body),
        Node::For(inner) => fills_lanes(&inner.body),
        Node::If { then, otherwise, .. } => fills_lanes(then) && otherwise.as_deref().is_none_or(fills_lanes),
        Node::Block(nodes) => nodes.iter().all(fills_lanes),
        Node::Call(_) => true,
    }
}

/// The first `n` loops of a node below marks, without bodies, these marks, and what is inside.
fn taken(node: Node, n: usize) -> (Vec<For>, Vec<Mark>, Node) {
    match node {
        Node::Mark { mark, body } if n > 0 => {
            let (rows, mut marks, inside) = taken(*body, n);
            marks.insert(0, mark);
            (rows, marks, inside)
        }
        Node::For(mut row) if n > 0 => {
            let body = std::mem::replace(&mut row.body, Node::Block(Vec::new()));
            let (mut rows, marks, inside) = taken(body, n - 1);
            rows.insert(0, *row);
            (rows, marks, inside)
        }
        other => (Vec::new(), Vec::new(), other),
    }
}

/// Copies of lanes for the first one of at most two loops of rows, which may stay inside, if these are as many as fill a register tile.
fn copies_in_place(rows: &[For], lanes: &Node) -> Option<Node> {
    let Node::Mark {
        mark: Mark::Vector { .. },
        ..
    } = lanes
    else {
        return None;
    };
    let (row, others) = rows.split_first()?;
    if others.iter().any(|other| other.bounds_may_mention(row.iter)) {
        return None;
    }
    let n = ROWS_OF_TILES.into_iter().find(|n| row.has_iterations(*n))?;
    let first = row.lower.as_quasi()?;
    let copies = (0..n).map(|number| in_row(lanes, row, &first.clone().plus(i64::from(number))));
    Some(Node::Block(copies.collect::<Option<_>>()?))
}

/// Lanes with a value in place of a row; `None` where something but the instances depends on the row.
fn in_row(node: &Node, row: &For, value: &Quasi) -> Option<Node> {
    match node {
        Node::Mark { mark, body } => Some(Node::Mark {
            mark: mark.clone(),
            body: Box::new(in_row(body, row, value)?),
        }),
        Node::For(lanes) if !lanes.bounds_may_mention(row.iter) => Some(Node::For(Box::new(For {
            body: in_row(&lanes.body, row, value)?,
            ..(**lanes).clone()
        }))),
        Node::Call(call) => call.with_iter(row.iter, value).map(Node::Call),
        _ => None,
    }
}
