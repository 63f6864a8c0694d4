//! Diamond tiles: tiles over time that can all start at once (Bandishti et al., *Tiling stencil computations to maximize
//! parallelism*, 2012).
//!
//! A stencil such as `A[t + 1][i] = f(A[t][i - 1], A[t][i], A[t][i + 1])` has the band `[t, t + i]`. Its tiles start one after the other
//! along a wavefront, as each waits for the one to its left. The *mirror* of a member has the space of it turned around: that of `t + i` is
//! `t - i`. A dependence that goes by one element to either side respects both, and tiles along both are diamonds:
//!
//! ```text
//! [(t - i)/32, (t + i)/32]     tiles: those with the same sum are independent of each other, from the first time step on
//!   [t, t + i]                 points, in the order of the band
//! ```
//!
//! The mirror takes the place of time, which is half the sum of both. Where dependences reach further to one side, it needs more time:
//! `2t - i`. With more dimensions of space, only one is mirrored: tiles `[t - i, t + i, t + j]` with the same sum of the first two start at
//! once, and those along `t + j` one after the other. That keeps long rows in tiles, which the scheduler's own diamonds do not: its
//! concurrent start mixes all dimensions in one member, such as `t - i - j`.

use crate::analysis::linear::linear_part;
use crate::analysis::satisfaction::is_weakly_satisfied;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, MultiAff, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Isolation, Node};
use indexmap::IndexMap;

use super::function_of;

/// At most so many members of time are added to a mirror.
const MOST_TIME: i64 = 2;

/// The mirror of a member of a band whose first member is time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diamond {
    /// The member, after interchange.
    pub member: usize,
    /// What is added to the mirror of it, in members of time.
    pub time: i64,
}

/// The first mirror in a band that respects the dependences; `None` if no member has one, or the band has members that carry nothing.
pub(crate) fn diamond(band: &Band, dependences: &UnionMap, b: &Budget) -> Outcome<Option<Diamond>> {
    let carries = band.members().iter().all(|member| !member.coincident);
    if !band.permutable || !carries {
        return Ok(None);
    }
    for member in 1..band.n() {
        for time in 0..=MOST_TIME {
            let diamond = Diamond { member, time };
            if let Some(mirror) = mirror(band, diamond)
                && is_weakly_satisfied(&mirror, dependences, b)?
            {
                return Ok(Some(diamond));
            }
        }
    }
    Ok(None)
}

/// A band of tiles with the mirror in place of time, and `points` inside.
///
/// # Panics
///
/// If the band has no such mirror, or there are not as many sizes as members.
pub(crate) fn in_diamonds(band: &Band, diamond: Diamond, sizes: &[Option<i64>], points: Node) -> Node {
    assert_eq!(sizes.len(), band.n(), "a size for each member");
    let mirror = mirror(band, diamond).expect("a mirror");
    let functions = band.statements().map(|tuple| {
        let function = function_of(band, tuple);
        let affs = [mirror[tuple].clone()]
            .into_iter()
            .chain(function.affs()[1..].iter().cloned());
        MultiAff::new(function.domain_space(), function.space().range.clone(), affs.collect())
    });
    let functions: Vec<MultiAff> = functions.collect();
    let members: Vec<usize> = (0..band.n()).filter(|member| sizes[*member].is_some()).collect();
    let sizes: Vec<i64> = sizes.iter().copied().flatten().collect();
    let diamonds = Band::of_functions(band.n(), functions, Node::Leaf).with_permutable(true);
    let tiles = diamonds.select(&members).tiled(&sizes);
    Node::band(tiles.with_isolation(Isolation::Nothing).with_child(points))
}

/// The functions of the mirror of a member; `None` where the first member is not along one dimension, or the other one has no other.
fn mirror(band: &Band, Diamond { member, time }: Diamond) -> Option<IndexMap<Tuple, Aff>> {
    let mut mirror = IndexMap::new();
    let mut has_space = false;
    for tuple in band.statements() {
        let function = function_of(band, tuple);
        let [first, own] = [0, member].map(|k| &function.affs()[k]);
        let along = linear_part(first)?;
        let mut moving = (0..along.len()).filter(|dim| !along[*dim].is_zero());
        let (Some(dim), None) = (moving.next(), moving.next()) else {
            return None;
        };
        let mut mirrored = own.add(&first.scale(&Int::from(time)));
        for (space, coefficient) in linear_part(own)?.iter().enumerate() {
            if space != dim && !coefficient.is_zero() {
                let variable = Aff::var(function.domain_space(), space);
                mirrored = mirrored.sub(&variable.scale(&(coefficient * &Int::from(2))));
                has_space = true;
            }
        }
        mirror.insert(tuple.clone(), mirrored);
    }
    has_space.then_some(mirror)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// The tiles of a band with all members permutable, if it has a mirror.
    fn check(functions: &[&str], dependences: &str, expected: Expect) {
        let functions: Vec<MultiAff> = functions.iter().map(|text| text.parse().unwrap()).collect();
        let band = Band::of_functions(functions[0].len(), functions, Node::Leaf).with_permutable(true);
        let dependences: UnionMap = dependences.parse().unwrap();
        let found = diamond(&band, &dependences, &Budget::unlimited()).unwrap();
        let text = match found {
            None => "no mirror".to_owned(),
            Some(found) => {
                let sizes = vec![Some(32); band.n()];
                let Node::Band(tiles) = in_diamonds(&band, found, &sizes, Node::Leaf) else {
                    panic!("a band of tiles")
                };
                tiles.schedule().to_string()
            }
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn a_stencil_of_three_points() {
        check(
            &["{ S[t, i] -> [(t), (t + i)] }"],
            "{ S[t, i] -> S[t + 1, k] : -1 <= k - i <= 1 }",
            expect!["[{ S[t, i] -> [(floor((t - i)/32))] }, { S[t, i] -> [(floor((t + i)/32))] }]"],
        );
    }

    #[test]
    fn a_stencil_that_reaches_further_to_the_right() {
        check(
            &["{ S[t, i] -> [(t), (t + i)] }"],
            "{ S[t, i] -> S[t + 1, k] : -1 <= k - i <= 2 }",
            expect!["[{ S[t, i] -> [(floor((2t - i)/32))] }, { S[t, i] -> [(floor((t + i)/32))] }]"],
        );
    }

    #[test]
    fn two_statements_in_two_dimensions() {
        check(
            &[
                "{ S[t, i, j] -> [(t), (2t + i), (2t + j)] }",
                "{ T[t, i, j] -> [(t), (2t + i + 1), (2t + j + 1)] }",
            ],
            "{ S[t, i, j] -> T[t, k, l] : -1 <= k - i <= 1 and -1 <= l - j <= 1;
               T[t, i, j] -> S[t + 1, k, l] : -1 <= k - i <= 1 and -1 <= l - j <= 1 }",
            expect![
                "[{ S[t, i, j] -> [(floor((2t - i)/32))]; T[t, i, j] -> [(floor((1 + 2t - i)/32))] }, { S[t, i, j] -> [(floor((2t + i)/32))]; T[t, i, j] -> [(floor((1 + 2t + i)/32))] }, { S[t, i, j] -> [(floor((2t + j)/32))]; T[t, i, j] -> [(floor((1 + 2t + j)/32))] }]"
            ],
        );
    }

    #[test]
    fn dependences_within_a_time_step() {
        check(
            &["{ S[t, i] -> [(t), (t + i)] }"],
            "{ S[t, i] -> S[t, i + 1]; S[t, i] -> S[t + 1, i - 1] }",
            expect!["no mirror"],
        );
    }
}
