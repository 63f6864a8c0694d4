//! Innermost loops that are coincident where all loops around them are fixed.
//!
//! A member of a band is coincident if it carries no pair that reaches the band, whatever the order of the members. In
//!
//! ```text
//! for (k) for (j) for (i) S: d[k][i] = min(d[k][i], d[k - 1][j] + c[i]);
//! ```
//!
//! the band `[k, j, i]` has no such member, as what `k` finds of `k - 1` is anywhere in a row. In a band of its own inside of `[k, j]`,
//! the loop over `i` is coincident. LLVM vectorizes it if it is told so; by itself it cannot tell that rows do not overlap.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::UnionMap;
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Node, Reach, Tree};

use super::sink::joined;
use super::{band_at, has_band, innermost_bands};

/// The tree with the last member of each innermost band in a band of its own, where that carries none of the pairs and has not been
/// coincident before.
pub(crate) fn with_coincident_innermost(tree: &Tree, coincidence: &UnionMap, b: &Budget) -> Outcome<Tree> {
    let mut result = tree.clone();
    for path in innermost_bands(tree) {
        let Some((outer, inner)) = split(band_at(tree, &path)) else {
            continue;
        };
        let around = tree.reach(&path, b)?.through(&Node::band(outer.clone()), 0, b)?;
        let inside = around.through(&Node::band(inner.clone()), 0, b)?;
        if carries_none(coincidence, (&around, &inside), b)? {
            // What is replaced has no band inside: paths to others stay as they are.
            result = result.rewritten(&path, |_| {
                Node::band(outer.clone().with_child(Node::band(inner.clone())))
            });
        }
    }
    Ok(result)
}

/// The tree with all bands of one member coincident that carry none of the pairs.
pub(crate) fn with_coincidence(tree: &Tree, coincidence: &UnionMap, b: &Budget) -> Outcome<Tree> {
    let mut result = tree.clone();
    for path in tree.paths() {
        let Some(Node::Band(band)) = tree.at(&path) else {
            continue;
        };
        if band.n() != 1 || band.members()[0].coincident {
            continue;
        }
        let around = tree.reach(&path, b)?;
        let inside = around.through(&Node::Band(band.clone()), 0, b)?;
        if carries_none(coincidence, (&around, &inside), b)? {
            result = result.rewritten(&path, |node| match node {
                Node::Band(band) => {
                    let mut band = Band::clone(&band);
                    band.members_mut()[0].coincident = true;
                    Node::band(band)
                }
                other => other,
            });
        }
    }
    Ok(result)
}

/// The tree with innermost loops and those around them in permutable bands, where the innermost ones carry none of the pairs, whatever the order of
/// both: copies of the outer one may be jammed.
///
/// ```text
/// for (i) for (j) y[j] += t[i] * a[i][j];      [i] { [j] { .. } } -> [i, j] { .. }
/// ```
pub(crate) fn with_joined_coincident(tree: &Tree, coincidence: &UnionMap, b: &Budget) -> Outcome<Tree> {
    let mut result = tree.clone();
    for path in tree.paths() {
        let Some(Node::Band(outer)) = tree.at(&path) else {
            continue;
        };
        let Node::Band(inner) = &outer.child else { continue };
        if outer.n() != 1 || inner.n() != 1 || has_band(&inner.child) {
            continue;
        }
        let around = tree.reach(&path, b)?;
        let inside = around.through(&outer.child, 0, b)?;
        if carries_none(coincidence, (&around, &inside), b)? {
            let mut band = joined(outer, inner);
            band.members_mut()[1].coincident = true;
            result = result.rewritten(&path, |_| Node::band(band.clone()));
        }
    }
    Ok(result)
}

/// Whether all of these pairs that are together around a band are so inside of it.
fn carries_none(pairs: &UnionMap, (around, inside): (&Reach, &Reach), b: &Budget) -> Outcome<bool> {
    let together = pairs.intersect(&around.together(b)?);
    together.subtract(&inside.together(b)?, b)?.is_empty(b)
}

/// All members of an innermost band but the last, and that one as if it were coincident; `None` where it is already, or is no plain loop.
fn split(band: &Band) -> Option<(Band, Band)> {
    let last = band.n().checked_sub(2)? + 1;
    let member = band.members()[last];
    let is_plain = matches!(band.isolation, Isolation::Nothing)
        && band.members().iter().all(|member| member.kind != LoopKind::Unroll);
    if member.coincident || !is_plain {
        return None;
    }
    let outer: Vec<usize> = (0..last).collect();
    let mut inner = band.select(&[last]).with_permutable(true);
    inner.members_mut()[0].coincident = true;
    Some((band.select(&outer), inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// The schedules and coincident members of the bands of a nest `[k, j, i]` over which these pairs are carried.
    fn check(pairs: &str, expected: Expect) {
        let tree = "domain: \"[n] -> { S[k, j, i] : 0 <= k, j, i < n }\"
child:
  schedule: \"[{ S[k, j, i] -> [(k)] }, { S[k, j, i] -> [(j)] }, { S[k, j, i] -> [(i)] }]\"
  permutable: 1
";
        let tree: Tree = tree.parse().unwrap_or_else(|error| panic!("{error}"));
        let pairs: UnionMap = pairs.parse().unwrap_or_else(|error| panic!("{error}"));
        let b = Budget::unlimited();
        let tree = with_coincident_innermost(&tree, &pairs, &b).expect("no limit");
        expected.assert_eq(&tree.to_string());
    }

    #[test]
    fn what_outer_loops_carry_is_no_matter() {
        check(
            "[n] -> { S[k, j, i] -> S[k + 1, i, i'] : 0 <= j, i, i', k < n }",
            expect![[r#"
                domain: "[n] -> { S[k, j, i] : 0 <= k < n and 0 <= j < n and 0 <= i < n }"
                child:
                  schedule: "[{ S[k, j, i] -> [(k)] }, { S[k, j, i] -> [(j)] }]"
                  permutable: 1
                  child:
                    schedule: "[{ S[k, j, i] -> [(i)] }]"
                    permutable: 1
                    coincident: [ 1 ]
            "#]],
        );
    }

    #[test]
    fn what_the_loop_carries_keeps_it() {
        check(
            "[n] -> { S[k, j, i] -> S[k, j, i + 1] : 0 <= k, j, i < n }",
            expect![[r#"
            domain: "[n] -> { S[k, j, i] : 0 <= k < n and 0 <= j < n and 0 <= i < n }"
            child:
              schedule: "[{ S[k, j, i] -> [(k)] }, { S[k, j, i] -> [(j)] }, { S[k, j, i] -> [(i)] }]"
              permutable: 1
        "#]],
        );
    }

    #[test]
    fn a_loop_that_carries_nothing_joins_the_one_around_it() {
        let check = |pairs: &str, is_joined: bool| {
            let tree = "domain: \"[n] -> { S[i, j] : 0 <= i, j < n }\"
child:
  schedule: \"[{ S[i, j] -> [(i)] }]\"
  child:
    schedule: \"[{ S[i, j] -> [(j)] }]\"
    coincident: [ 1 ]
";
            let tree: Tree = tree.parse().unwrap_or_else(|error| panic!("{error}"));
            let pairs: UnionMap = pairs.parse().unwrap_or_else(|error| panic!("{error}"));
            let joined = with_joined_coincident(&tree, &pairs, &Budget::unlimited()).expect("no limit");
            let Some(Node::Band(band)) = joined.at(&innermost_bands(&joined)[0]) else {
                panic!("a band");
            };
            assert_eq!(
                (band.n(), band.permutable),
                if is_joined { (2, true) } else { (1, false) }
            );
        };
        check("[n] -> { S[i, j] -> S[i + 1, j] : 0 <= i, j < n }", true);
        check("[n] -> { S[i, j] -> S[i + 1, j - 1] : 0 <= i, j < n }", false);
    }
}
