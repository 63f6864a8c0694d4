//! Short loops inside of coincident ones, which change places with them.
//!
//! Rows that may not fill a register tile are executed in the order of those that do:
//!
//! ```text
//! for (j = 0; j < m; j++)                if (m >= 1)
//!   for (i = 4 * c0; i < n; i++)           for (i = 4 * c0; i < n; i++)      coincident, at most 4 iterations
//!     S(i, j);                               for (j = 0; j < m; j++)         coincident
//!                                              S(i, j);
//! ```
//!
//! LLVM vectorizes innermost loops, of which this one is too short. Here the long loop is put inside.
//!
//! # Why it needs no check of its own
//!
//! The tree was checked, and with it that its coincident members carry no coincidence constraint that no node outside of their band
//! carries. Take two instances that a constraint relates, in the same iteration of all loops around the two. The first member is
//! coincident: both have the same value of it. So no node outside of the second member's band carries the constraint either, and both
//! have the same value of that member, too. The loops tell no such instances apart, in whichever order they are.
//!
//! Validity constraints are coincidence constraints as well. What is none is the order of live ranges of scalar slots. As their ends
//! are related by a constraint, each live range is within one iteration of both loops, which is executed as a whole: no two of them
//! overlap in the other order.
//!
//! Bounds of the short loop that depend on nothing of the long one are the same in all of its iterations, so that the same instances are
//! executed. They were made where the long loop is entered, and promise nothing elsewhere: its entry is a condition around both.

use farkas_polyhedral::ast::rows::loops;
use farkas_polyhedral::ast::{Ast, Condition, For, Node, TripCount, trip_counts};
use farkas_polyhedral::tree::Mark;

/// The AST with the short loops that are the only thing in a coincident loop around it.
pub(crate) fn with_short_loops_outside(ast: Ast) -> Ast {
    let counts = trip_counts(&ast);
    Ast {
        root: changed(ast.root, &counts, false),
        ..ast
    }
}

/// The node with short loops outside. A loop directly below a mark that speaks of it stays where it is.
fn changed(node: Node, counts: &[TripCount], is_marked: bool) -> Node {
    match node {
        Node::Mark { mark, body } => {
            let of_loop = matches!(
                mark,
                Mark::Vector { .. } | Mark::Parallel { .. } | Mark::Pipeline { .. }
            );
            let body = Box::new(changed(*body, counts, is_marked || of_loop));
            Node::Mark { mark, body }
        }
        // What is in lanes was priced in the order that it is in.
        Node::For(node) if node.is_annotated(For::LANES) => Node::For(node),
        Node::For(node) if is_marked => Node::For(Box::new(with_changed_body(*node, counts))),
        Node::For(node) => match entry_of_exchange(&node, counts) {
            Some(is_entered) => in_short_loop(*node).under(is_entered),
            None => Node::For(Box::new(with_changed_body(*node, counts))),
        },
        other => other.map_children(&mut |child| changed(child, counts, is_marked)),
    }
}

fn with_changed_body(mut node: For, counts: &[TripCount]) -> For {
    let body = std::mem::replace(&mut node.body, Node::Block(Vec::new()));
    node.body = changed(body, counts, false);
    node
}

/// The loop inside of the short one that is its body.
fn in_short_loop(mut node: For) -> Node {
    let body = std::mem::replace(&mut node.body, Node::Block(Vec::new()));
    let mut short = only_loop(body);
    node.body = std::mem::replace(&mut short.body, Node::Block(Vec::new()));
    short.body = Node::For(Box::new(node));
    Node::For(Box::new(short))
}

/// The condition under which a loop may be inside of the short one that is its body, and is the innermost one then; `None` if it may not.
fn entry_of_exchange(node: &For, counts: &[TripCount]) -> Option<Condition> {
    let Node::For(short) = only(&node.body) else {
        return None;
    };
    let (own, inner) = (counts[node.iter.0], counts[short.iter.0]);
    let is_plain = |l: &For| l.coincidence.allows_any_order() && l.annotations.is_empty();
    let may_change_places = is_plain(node)
        && is_plain(short)
        && !short.bounds_may_mention(node.iter)
        && loops(&short.body).is_empty()
        && inner.is_short()
        && !own.is_short();
    match may_change_places {
        true if own.is_entered => Some(Condition::TRUE),
        true => node.entry_condition(),
        false => None,
    }
}

/// The only node of a block.
fn only(node: &Node) -> &Node {
    match node {
        Node::Block(nodes) => match &nodes[..] {
            [one] => only(one),
            _ => node,
        },
        _ => node,
    }
}

/// The loop that is the only node of a block.
fn only_loop(node: Node) -> For {
    match node {
        Node::Block(mut nodes) if nodes.len() == 1 => only_loop(nodes.remove(0)),
        Node::For(node) => *node,
        _ => unreachable!("a loop is the only node"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::ast;
    use farkas_polyhedral::budget::Budget;

    /// The loops of `[j/4, i, j]`, of which the last two members are coincident or not.
    fn check(domain: &str, coincident: &str, expected: Expect) {
        let members = ["floor((j)/4)", "i", "j"].map(|member| format!("{{ S[i, j] -> [({member})] }}"));
        let tree = format!(
            "domain: \"[n, m] -> {{ S[i, j] : {domain} }}\"\nchild:\n  schedule: \"[{}]\"\n  coincident: [ 0, {coincident} ]\n",
            members.join(", ")
        );
        let tree = tree.parse().expect("a schedule tree");
        let ast = ast::generate(&tree, &ast::Options::default(), &Budget::unlimited()).expect("loops");
        expected.assert_eq(&with_short_loops_outside(ast).to_string());
    }

    const ROWS: &str = "0 <= i < m and 0 <= j < n";

    #[test]
    fn a_short_loop_goes_outside() {
        check(
            ROWS,
            "1, 1",
            expect![[r#"
            for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)
              if (m >= 1) {
                // parallel
                for (int c2 = 4 * c0; c2 <= min(n - 1, 4 * c0 + 3); c2 += 1) {
                  // parallel
                  for (int c1 = 0; c1 < m; c1 += 1)
                    S(c1, c2);
                }
              }
        "#]],
        );
    }

    #[test]
    fn a_loop_that_carries_something_stays() {
        check(
            ROWS,
            "0, 1",
            expect![[r#"
            for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)
              for (int c1 = 0; c1 < m; c1 += 1) {
                // parallel
                for (int c2 = 4 * c0; c2 <= min(n - 1, 4 * c0 + 3); c2 += 1)
                  S(c1, c2);
              }
        "#]],
        );
        check(
            ROWS,
            "1, 0",
            expect![[r#"
            for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) {
              // parallel
              for (int c1 = 0; c1 < m; c1 += 1)
                for (int c2 = 4 * c0; c2 <= min(n - 1, 4 * c0 + 3); c2 += 1)
                  S(c1, c2);
            }
        "#]],
        );
    }

    #[test]
    fn a_loop_whose_bounds_change_stays() {
        check(
            "0 <= i < m and i <= j < n",
            "1, 1",
            expect![[r#"
            for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) {
              // parallel
              for (int c1 = 0; c1 <= min(min(m - 1, n - 1), 4 * c0 + 3); c1 += 1) {
                // parallel
                for (int c2 = max(c1, 4 * c0); c2 <= min(n - 1, 4 * c0 + 3); c2 += 1)
                  S(c1, c2);
              }
            }
        "#]],
        );
    }
}
