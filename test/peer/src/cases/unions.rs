//! Operations on unions of sets and of relations.

use super::Shape::{P, UM, US};
use super::{Call, Case, Check, case, f, um, us};
use crate::isl::{Isl, Kind, Object};
use farkas_polyhedral::sets::{UnionMap, UnionSet};

/// The product `isl_{name}` of the first two objects, and the third if there is one.
fn paired<'a>(isl: &'a Isl, objects: Vec<Object<'a>>, name: &str) -> Option<(Object<'a>, Option<Object<'a>>)> {
    let mut objects = objects.into_iter();
    let pair = objects.by_ref().take(2).collect();
    Some((isl.apply(name, Kind::UnionMap, pair)?, objects.next()))
}

pub(super) const CASES: &[Case] = &[
    case("union set intersect", &[US, US], us("union_set_intersect"), |a, _| {
        Ok(a.sets(0).intersect(a.sets(1)).into())
    }),
    case(
        "union set intersect params",
        &[US, P],
        us("union_set_intersect_params"),
        |a, _| Ok(a.sets(0).intersect_params(a.set(1)).into()),
    ),
    case("union set union", &[US, US], us("union_set_union"), |a, _| {
        Ok(a.sets(0).union(a.sets(1)).into())
    }),
    case("union set subtract", &[US, US], us("union_set_subtract"), |a, b| {
        Ok(a.sets(0).subtract(a.sets(1), b)?.into())
    }),
    case("union set is empty", &[US], Call::Ask("union_set_is_empty"), |a, b| {
        Ok(a.sets(0).is_empty(b)?.into())
    }),
    case(
        "union set is subset",
        &[US, US],
        Call::Ask("union_set_is_subset"),
        |a, b| Ok(a.sets(0).is_subset(a.sets(1), b)?.into()),
    ),
    case(
        "union set is equal",
        &[US, US],
        Call::Ask("union_set_is_equal"),
        |a, b| Ok(a.sets(0).is_equal(a.sets(1), b)?.into()),
    ),
    case(
        "union set is disjoint",
        &[US, US],
        Call::Ask("union_set_is_disjoint"),
        |a, b| Ok(a.sets(0).is_disjoint(a.sets(1), b)?.into()),
    ),
    case("union set apply", &[US, UM], us("union_set_apply"), |a, b| {
        Ok(a.sets(0).apply(a.maps(1), b)?.into())
    }),
    case("union set params", &[US], f("union_set_params"), |a, b| {
        Ok(a.sets(0).project_onto_params(b)?.into())
    }),
    case("union set gist", &[US, US], us("union_set_gist"), |a, b| {
        Ok(a.sets(0).gist(a.sets(1), b)?.into())
    })
    .check(Check::After("union_set_intersect")),
    case(
        "union set gist params",
        &[US, P],
        us("union_set_gist_params"),
        |a, b| Ok(a.sets(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("union_set_intersect_params")),
    case("union set coalesce", &[US], us("union_set_coalesce"), |a, b| {
        Ok(a.sets(0).coalesce(b)?.into())
    }),
    case("union set identity", &[US], um("union_set_identity"), |a, _| {
        Ok(a.sets(0).identity().into())
    }),
    case("union map intersect", &[UM, UM], um("union_map_intersect"), |a, _| {
        Ok(a.maps(0).intersect(a.maps(1)).into())
    }),
    case(
        "union map intersect domain",
        &[UM, US],
        um("union_map_intersect_domain"),
        |a, _| Ok(a.maps(0).intersect_domain(a.sets(1)).into()),
    ),
    case(
        "union map intersect range",
        &[UM, US],
        um("union_map_intersect_range"),
        |a, _| Ok(a.maps(0).intersect_range(a.sets(1)).into()),
    ),
    case(
        "union map intersect params",
        &[UM, P],
        um("union_map_intersect_params"),
        |a, _| Ok(a.maps(0).intersect_params(a.set(1)).into()),
    ),
    case("union map union", &[UM, UM], um("union_map_union"), |a, _| {
        Ok(a.maps(0).union(a.maps(1)).into())
    }),
    case("union map subtract", &[UM, UM], um("union_map_subtract"), |a, b| {
        Ok(a.maps(0).subtract(a.maps(1), b)?.into())
    }),
    case("union map is empty", &[UM], Call::Ask("union_map_is_empty"), |a, b| {
        Ok(a.maps(0).is_empty(b)?.into())
    }),
    case(
        "union map is subset",
        &[UM, UM],
        Call::Ask("union_map_is_subset"),
        |a, b| Ok(a.maps(0).is_subset(a.maps(1), b)?.into()),
    ),
    case(
        "union map is equal",
        &[UM, UM],
        Call::Ask("union_map_is_equal"),
        |a, b| Ok(a.maps(0).is_equal(a.maps(1), b)?.into()),
    ),
    case("union map reverse", &[UM], um("union_map_reverse"), |a, _| {
        Ok(a.maps(0).reverse().into())
    }),
    case("union map domain", &[UM], us("union_map_domain"), |a, b| {
        Ok(a.maps(0).domain(b)?.into())
    }),
    case("union map range", &[UM], us("union_map_range"), |a, b| {
        Ok(a.maps(0).range(b)?.into())
    }),
    case("union map params", &[UM], f("union_map_params"), |a, b| {
        Ok(a.maps(0).project_onto_params(b)?.into())
    }),
    case(
        "union map apply range",
        &[UM, UM],
        um("union_map_apply_range"),
        |a, b| Ok(a.maps(0).apply_range(a.maps(1), b)?.into()),
    ),
    case(
        "union map apply domain",
        &[UM, UM],
        um("union_map_apply_domain"),
        |a, b| Ok(a.maps(0).apply_domain(a.maps(1), b)?.into()),
    ),
    case("union map gist", &[UM, UM], um("union_map_gist"), |a, b| {
        Ok(a.maps(0).gist(a.maps(1), b)?.into())
    })
    .check(Check::After("union_map_intersect")),
    case(
        "union map gist params",
        &[UM, P],
        um("union_map_gist_params"),
        |a, b| Ok(a.maps(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("union_map_intersect_params")),
    case("union map coalesce", &[UM], um("union_map_coalesce"), |a, b| {
        Ok(a.maps(0).coalesce(b)?.into())
    }),
    case(
        "union set lex lt",
        &[US, US],
        um("union_set_lex_lt_union_set"),
        |a, _| Ok(a.sets(0).lex_lt(a.sets(1)).into()),
    ),
    case(
        "union map lex lt map",
        &[UM, UM],
        um("union_map_lex_lt_union_map"),
        |a, b| Ok(a.maps(0).lex_lt_map(a.maps(1), b)?.into()),
    ),
    case(
        "union set lex le",
        &[US, US],
        um("union_set_lex_le_union_set"),
        |a, _| Ok(a.sets(0).lex_le(a.sets(1)).into()),
    ),
    case(
        "union map lex le map",
        &[UM, UM],
        um("union_map_lex_le_union_map"),
        |a, b| Ok(a.maps(0).lex_le_map(a.maps(1), b)?.into()),
    ),
    case(
        "union set lex gt",
        &[US, US],
        um("union_set_lex_gt_union_set"),
        |a, _| Ok(a.sets(0).lex_gt(a.sets(1)).into()),
    ),
    case(
        "union map lex gt map",
        &[UM, UM],
        um("union_map_lex_gt_union_map"),
        |a, b| Ok(a.maps(0).lex_gt_map(a.maps(1), b)?.into()),
    ),
    case(
        "union set lex ge",
        &[US, US],
        um("union_set_lex_ge_union_set"),
        |a, _| Ok(a.sets(0).lex_ge(a.sets(1)).into()),
    ),
    case(
        "union map lex ge map",
        &[UM, UM],
        um("union_map_lex_ge_union_map"),
        |a, b| Ok(a.maps(0).lex_ge_map(a.maps(1), b)?.into()),
    ),
    case("union set lexmin", &[US], us("union_set_lexmin"), |a, b| {
        Ok(a.sets(0).lexmin(b)?.into())
    })
    .with_bounds(),
    case("union map lexmin", &[UM], um("union_map_lexmin"), |a, b| {
        Ok(a.maps(0).lexmin(b)?.into())
    })
    .with_bounds(),
    case("union set lexmax", &[US], us("union_set_lexmax"), |a, b| {
        Ok(a.sets(0).lexmax(b)?.into())
    })
    .with_bounds(),
    case("union map lexmax", &[UM], um("union_map_lexmax"), |a, b| {
        Ok(a.maps(0).lexmax(b)?.into())
    })
    .with_bounds(),
    case("union set affine hull", &[US], us("union_set_affine_hull"), |a, b| {
        Ok(a.sets(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case("union map affine hull", &[UM], um("union_map_affine_hull"), |a, b| {
        Ok(a.maps(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case("union set product", &[US, US], us("union_set_product"), |a, _| {
        Ok(a.sets(0).product(a.sets(1)).into())
    }),
    case("union map product", &[UM, UM], um("union_map_product"), |a, _| {
        Ok(a.maps(0).product(a.maps(1)).into())
    }),
    case(
        "union map range product",
        &[UM, UM],
        um("union_map_range_product"),
        |a, _| Ok(a.maps(0).range_product(a.maps(1)).into()),
    ),
    case(
        "union map domain product",
        &[UM, UM],
        um("union_map_domain_product"),
        |a, _| Ok(a.maps(0).domain_product(a.maps(1)).into()),
    ),
    case(
        "union map flat range product",
        &[UM, UM],
        um("union_map_flat_range_product"),
        |a, _| Ok(a.maps(0).flat_range_product(a.maps(1)).into()),
    ),
    case("union map wrap", &[UM], us("union_map_wrap"), |a, _| {
        Ok(a.maps(0).wrap().into())
    }),
    case("union map deltas", &[UM], us("union_map_deltas"), |a, b| {
        Ok(a.maps(0).deltas(b)?.into())
    }),
    case("union map domain map", &[UM], um("union_map_domain_map"), |a, _| {
        Ok(a.maps(0).domain_map().into())
    }),
    case("union map range map", &[UM], um("union_map_range_map"), |a, _| {
        Ok(a.maps(0).range_map().into())
    }),
    case(
        "union map gist domain",
        &[UM, US],
        um("union_map_gist_domain"),
        |a, b| Ok(a.maps(0).gist_domain(a.sets(1), b)?.into()),
    )
    .check(Check::After("union_map_intersect_domain")),
    case("union map gist range", &[UM, US], um("union_map_gist_range"), |a, b| {
        Ok(a.maps(0).gist_range(a.sets(1), b)?.into())
    })
    .check(Check::After("union_map_intersect_range")),
    case(
        "union map intersect domain factor domain",
        &[UM, UM, UM],
        Call::With(|isl, o, _| {
            let (pairs, factors) = paired(isl, o, "union_map_domain_product")?;
            isl.apply(
                "union_map_intersect_domain_factor_domain",
                Kind::UnionMap,
                vec![pairs, factors?],
            )
        }),
        |a, _| {
            let pairs = a.maps(0).domain_product(a.maps(1));
            Ok(pairs.intersect_domain_factor_domain(a.maps(2)).into())
        },
    ),
    case(
        "union map intersect domain factor range",
        &[UM, UM, UM],
        Call::With(|isl, o, _| {
            let (pairs, factors) = paired(isl, o, "union_map_domain_product")?;
            isl.apply(
                "union_map_intersect_domain_factor_range",
                Kind::UnionMap,
                vec![pairs, factors?],
            )
        }),
        |a, _| {
            let pairs = a.maps(0).domain_product(a.maps(1));
            Ok(pairs.intersect_domain_factor_range(a.maps(2)).into())
        },
    ),
    case(
        "union map intersect range factor domain",
        &[UM, UM, UM],
        Call::With(|isl, o, _| {
            let (pairs, factors) = paired(isl, o, "union_map_range_product")?;
            isl.apply(
                "union_map_intersect_range_factor_domain",
                Kind::UnionMap,
                vec![pairs, factors?],
            )
        }),
        |a, _| {
            let pairs = a.maps(0).range_product(a.maps(1));
            Ok(pairs.intersect_range_factor_domain(a.maps(2)).into())
        },
    ),
    case(
        "union map intersect range factor range",
        &[UM, UM, UM],
        Call::With(|isl, o, _| {
            let (pairs, factors) = paired(isl, o, "union_map_range_product")?;
            isl.apply(
                "union_map_intersect_range_factor_range",
                Kind::UnionMap,
                vec![pairs, factors?],
            )
        }),
        |a, _| {
            let pairs = a.maps(0).range_product(a.maps(1));
            Ok(pairs.intersect_range_factor_range(a.maps(2)).into())
        },
    ),
    case(
        "union map curry",
        &[UM, UM],
        Call::With(|isl, o, _| {
            isl.apply(
                "union_map_curry",
                Kind::UnionMap,
                vec![paired(isl, o, "union_map_domain_product")?.0],
            )
        }),
        |a, _| Ok(a.maps(0).domain_product(a.maps(1)).curry().into()),
    ),
    case(
        "union map uncurry",
        &[UM, UM],
        Call::With(|isl, o, _| {
            isl.apply(
                "union_map_uncurry",
                Kind::UnionMap,
                vec![paired(isl, o, "union_map_range_product")?.0],
            )
        }),
        |a, _| Ok(a.maps(0).range_product(a.maps(1)).uncurry().into()),
    ),
    case(
        "union map zip",
        &[UM, UM],
        Call::With(|isl, o, _| {
            isl.apply(
                "union_map_zip",
                Kind::UnionMap,
                vec![paired(isl, o, "union_map_product")?.0],
            )
        }),
        |a, _| Ok(a.maps(0).product(a.maps(1)).zip().into()),
    ),
    case("union set unwrap", &[UM], um("union_map_coalesce"), |a, _| {
        Ok(a.maps(0).wrap().unwrap().into())
    }),
    case("union map deltas map", &[UM], um("union_map_deltas_map"), |a, _| {
        Ok(a.maps(0).deltas_map().into())
    }),
    case(
        "union set remove redundancies",
        &[US],
        us("union_set_remove_redundancies"),
        |a, b| Ok(a.sets(0).remove_redundancies(b)?.into()),
    ),
    case(
        "union map remove redundancies",
        &[UM],
        um("union_map_remove_redundancies"),
        |a, b| Ok(a.maps(0).remove_redundancies(b)?.into()),
    ),
    case("union set simple hull", &[US], us("union_set_simple_hull"), |a, b| {
        Ok(a.sets(0).simple_hull(b)?.into())
    })
    .check(Check::Contains),
    case("union map simple hull", &[UM], um("union_map_simple_hull"), |a, b| {
        Ok(a.maps(0).simple_hull(b)?.into())
    })
    .check(Check::Contains),
    case(
        "union set polyhedral hull",
        &[US],
        us("union_set_polyhedral_hull"),
        |a, b| Ok(a.sets(0).polyhedral_hull(b)?.into()),
    )
    .check(Check::Contains),
    case(
        "union map polyhedral hull",
        &[UM],
        um("union_map_polyhedral_hull"),
        |a, b| Ok(a.maps(0).polyhedral_hull(b)?.into()),
    )
    .check(Check::Contains),
    case("union set extract", &[US], us("union_set_coalesce"), |a, _| {
        let mut all = UnionSet::empty(a.sets(0).params().clone());
        for tuple in a.sets(0).tuples() {
            all.add(&a.sets(0).extract(tuple));
        }
        Ok(all.into())
    }),
    case("union map extract", &[UM], um("union_map_coalesce"), |a, _| {
        let mut all = UnionMap::empty(a.maps(0).params().clone());
        for map in a.maps(0).maps() {
            all.add(&a.maps(0).extract(map.domain_tuple(), map.range_tuple()));
        }
        Ok(all.into())
    }),
];
