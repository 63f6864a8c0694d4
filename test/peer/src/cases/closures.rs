//! Transitive closures and powers.

use super::Shape::M;
use super::T::A;
use super::{Call, Case, Check, SAME, case};
use crate::isl::Kind;

pub(super) const CASES: &[Case] = &[
    case(
        "map transitive closure",
        &[M(A, A)],
        Call::Superset(|isl, map| isl.apply_inexact("map_transitive_closure", Kind::Map, map)),
        |a, b| Ok(a.map(0).transitive_closure(b)?.into()),
    )
    .bounded(|p, x| p.has_path(x)),
    // Whether it is exact or not, the closure contains the relation.
    case("map transitive closure steps", &[M(A, A)], SAME, |a, b| {
        Ok(a.map(0).transitive_closure(b)?.value.into())
    })
    .check(Check::Contains),
    case(
        "map power",
        &[M(A, A)],
        Call::Superset(|isl, map| isl.apply_inexact("map_power", Kind::Map, map)),
        |a, b| Ok(a.map(0).power(b)?.into()),
    )
    .bounded(|p, x| p.has_path_of(x[0], &x[1..])),
    case(
        "map reaching path lengths",
        &[M(A, A)],
        Call::Superset(|isl, map| {
            // isl gives the empty set of lengths the wrong space.
            if map.is_empty()? {
                return Some((isl.read(Kind::Map, "{ [k] : false }")?, true));
            }
            // isl's relation has the lengths of the paths that lead to each element.
            let (lengths, exact) = isl.apply_inexact("map_reaching_path_lengths", Kind::Map, map)?;
            Some((isl.apply("map_range", Kind::Map, vec![lengths])?, exact))
        }),
        |a, b| Ok(a.map(0).reaching_path_lengths(b)?.into()),
    )
    .bounded(|p, x| p.has_paths_of(x[0])),
];
