//! Products of relations, and operations on pairs in pairs.

use super::Shape::M;
use super::T::{A, AB, B, BC, BcA, C, CA};
use super::{Call, Case, case, f, same};

pub(super) const CASES: &[Case] = &[
    case("map wrap", &[M(A, B)], f("map_wrap"), |a, _| Ok(a.map(0).wrap().into())).local(same),
    case(
        "map flat range product",
        &[M(A, B), M(A, C)],
        f("map_flat_range_product"),
        |a, _| Ok(a.map(0).flat_range_product(a.map(1)).into()),
    )
    .local(|p, x| {
        let (x, yz) = x.split_at(p.tuple(0));
        let (y, z) = yz.split_at(p.tuple(1));
        p.has(0, &[x, y].concat()) && p.has(1, &[x, z].concat())
    }),
    case(
        "map range product",
        &[M(A, B), M(A, C)],
        f("map_range_product"),
        |a, _| Ok(a.map(0).range_product(a.map(1)).into()),
    )
    .local(|p, x| {
        let (x, yz) = x.split_at(p.tuple(0));
        let (y, z) = yz.split_at(p.tuple(1));
        p.has(0, &[x, y].concat()) && p.has(1, &[x, z].concat())
    }),
    case("map domain map", &[M(A, B)], f("map_domain_map"), |a, _| {
        Ok(a.map(0).domain_map().into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && x[p.n(0)..] == x[..p.tuple(0)]),
    case("map range map", &[M(A, B)], f("map_range_map"), |a, _| {
        Ok(a.map(0).range_map().into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && x[p.n(0)..] == x[p.tuple(0)..p.n(0)]),
    case("map flatten", &[M(AB, C)], f("map_flatten"), |a, _| {
        Ok(a.map(0).flatten().into())
    })
    .local(same),
    case("map flatten domain", &[M(AB, C)], f("map_flatten_domain"), |a, _| {
        Ok(a.map(0).flatten_domain().into())
    })
    .local(same),
    case("map flatten range", &[M(A, BC)], f("map_flatten_range"), |a, _| {
        Ok(a.map(0).flatten_range().into())
    })
    .local(same),
    case("map curry", &[M(AB, C)], f("map_curry"), |a, _| {
        Ok(a.map(0).curry().into())
    })
    .local(same),
    case("map uncurry", &[M(A, BC)], f("map_uncurry"), |a, _| {
        Ok(a.map(0).uncurry().into())
    })
    .local(same),
    case("map range reverse", &[M(A, BC)], f("map_range_reverse"), |a, _| {
        Ok(a.map(0).range_reverse().into())
    }),
    case("map zip", &[M(AB, CA)], f("map_zip"), |a, _| Ok(a.map(0).zip().into())),
    case("map product", &[M(A, B), M(C, B)], f("map_product"), |a, _| {
        Ok(a.map(0).product(a.map(1)).into())
    }),
    case(
        "map domain product",
        &[M(A, B), M(C, B)],
        f("map_domain_product"),
        |a, _| Ok(a.map(0).domain_product(a.map(1)).into()),
    ),
    case(
        "map domain factor domain",
        &[M(AB, C)],
        f("map_domain_factor_domain"),
        |a, b| Ok(a.map(0).domain_factor_domain(b)?.into()),
    ),
    case(
        "map domain factor range",
        &[M(AB, C)],
        f("map_domain_factor_range"),
        |a, b| Ok(a.map(0).domain_factor_range(b)?.into()),
    ),
    case(
        "map range factor domain",
        &[M(A, BC)],
        f("map_range_factor_domain"),
        |a, b| Ok(a.map(0).range_factor_domain(b)?.into()),
    ),
    case(
        "map range factor range",
        &[M(A, BC)],
        f("map_range_factor_range"),
        |a, b| Ok(a.map(0).range_factor_range(b)?.into()),
    ),
    case("map factor domain", &[M(AB, CA)], f("map_factor_domain"), |a, b| {
        Ok(a.map(0).factor_domain(b)?.into())
    }),
    case("map factor range", &[M(AB, CA)], f("map_factor_range"), |a, b| {
        Ok(a.map(0).factor_range(b)?.into())
    }),
    case(
        "map intersect domain factor domain",
        &[M(AB, C), M(A, C)],
        f("map_intersect_domain_factor_domain"),
        |a, _| Ok(a.map(0).intersect_domain_factor_domain(a.map(1)).into()),
    ),
    case(
        "map intersect domain factor range",
        &[M(AB, C), M(B, C)],
        f("map_intersect_domain_factor_range"),
        |a, _| Ok(a.map(0).intersect_domain_factor_range(a.map(1)).into()),
    ),
    case(
        "map intersect range factor domain",
        &[M(A, BC), M(A, B)],
        f("map_intersect_range_factor_domain"),
        |a, _| Ok(a.map(0).intersect_range_factor_domain(a.map(1)).into()),
    ),
    case(
        "map intersect range factor range",
        &[M(A, BC), M(A, C)],
        f("map_intersect_range_factor_range"),
        |a, _| Ok(a.map(0).intersect_range_factor_range(a.map(1)).into()),
    ),
    case("map deltas map", &[M(A, A)], f("map_deltas_map"), |a, _| {
        Ok(a.map(0).deltas_map().into())
    }),
    case("map lex lt map", &[M(A, B), M(C, B)], f("map_lex_lt_map"), |a, b| {
        Ok(a.map(0).lex_lt_map(a.map(1), b)?.into())
    }),
    case("map lex le map", &[M(A, B), M(C, B)], f("map_lex_le_map"), |a, b| {
        Ok(a.map(0).lex_le_map(a.map(1), b)?.into())
    }),
    case("map lex gt map", &[M(A, B), M(C, B)], f("map_lex_gt_map"), |a, b| {
        Ok(a.map(0).lex_gt_map(a.map(1), b)?.into())
    }),
    case("map lex ge map", &[M(A, B), M(C, B)], f("map_lex_ge_map"), |a, b| {
        Ok(a.map(0).lex_ge_map(a.map(1), b)?.into())
    }),
    case("map range curry", &[M(C, BcA)], f("map_range_curry"), |a, _| {
        Ok(a.map(0).range_curry().into())
    })
    .local(same),
    case("map domain reverse", &[M(AB, C)], Call::Nothing, |a, _| {
        Ok(a.map(0).domain_reverse().into())
    })
    .local(|p, x| {
        let (y, x) = x.split_at(p.tuple(1));
        let (x, z) = x.split_at(p.tuple(0));
        p.has(0, &[x, y, z].concat())
    }),
];
