//! Operations on relations.

use super::Shape::{M, P, S};
use super::T::{A, B, C};
use super::{
    Call, Case, Check, IN, OUT, PARAM, SAME, Value, box_hull, case, f, fixed, fixed_text, hull, one, pma, same,
    with_stride,
};
use crate::isl::Kind;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, PwMultiAff, Set, SetSpace, Tuple};

pub(super) const CASES: &[Case] = &[
    case("map intersect", &[M(A, B), M(A, B)], f("map_intersect"), |a, _| {
        Ok(a.map(0).intersect(a.map(1)).into())
    })
    .local(|p, x| p.has(0, x) && p.has(1, x)),
    case(
        "map intersect domain",
        &[M(A, B), S(A)],
        f("map_intersect_domain"),
        |a, _| Ok(a.map(0).intersect_domain(a.set(1)).into()),
    )
    .local(|p, x| p.has(0, x) && p.has(1, &x[..p.n(1)])),
    case(
        "map intersect range",
        &[M(A, B), S(B)],
        f("map_intersect_range"),
        |a, _| Ok(a.map(0).intersect_range(a.set(1)).into()),
    )
    .local(|p, x| p.has(0, x) && p.has(1, &x[x.len() - p.n(1)..])),
    case(
        "map intersect params",
        &[M(A, B), P],
        f("map_intersect_params"),
        |a, _| Ok(a.map(0).intersect_params(a.set(1)).into()),
    )
    .local(|p, x| p.has(0, x) && p.has(1, &[])),
    case("map union", &[M(A, B), M(A, B)], f("map_union"), |a, _| {
        Ok(a.map(0).union(a.map(1)).into())
    })
    .local(|p, x| p.has(0, x) || p.has(1, x)),
    case("map subtract", &[M(A, B), M(A, B)], f("map_subtract"), |a, b| {
        Ok(a.map(0).subtract(a.map(1), b)?.into())
    })
    .local(|p, x| p.has(0, x) && !p.has(1, x)),
    case(
        "map subtract domain",
        &[M(A, B), S(A)],
        f("map_subtract_domain"),
        |a, b| Ok(a.map(0).subtract_domain(a.set(1), b)?.into()),
    )
    .local(|p, x| p.has(0, x) && !p.has(1, &x[..p.n(1)])),
    case("map complement", &[M(A, B)], f("map_complement"), |a, b| {
        Ok(a.map(0).complement(b)?.into())
    })
    .local(|p, x| !p.has(0, x)),
    case("map is empty", &[M(A, B)], Call::Ask("map_is_empty"), |a, b| {
        Ok(a.map(0).is_empty(b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x))),
    case(
        "map is subset",
        &[M(A, B), M(A, B)],
        Call::Ask("map_is_subset"),
        |a, b| Ok(a.map(0).is_subset(a.map(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && !p.has(1, x))),
    case(
        "map is equal",
        &[M(A, B), M(A, B)],
        Call::Ask("map_is_equal"),
        |a, b| Ok(a.map(0).is_equal(a.map(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) != p.has(1, x))),
    case(
        "map is disjoint",
        &[M(A, B), M(A, B)],
        Call::Ask("map_is_disjoint"),
        |a, b| Ok(a.map(0).is_disjoint(a.map(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && p.has(1, x))),
    case(
        "map is single valued",
        &[M(A, B)],
        Call::Ask("map_is_single_valued"),
        |a, b| Ok(a.map(0).is_single_valued(b)?.into()),
    )
    .answer(|p| {
        !p.some(p.tuple(0), &mut |x| {
            let image = |y: &[i64]| p.has(0, &[x, y].concat());
            p.some(p.tuple(1), &mut |y| {
                image(y) && p.some(p.tuple(1), &mut |z| z != y && image(z))
            })
        })
    }),
    case("map is injective", &[M(A, B)], Call::Ask("map_is_injective"), |a, b| {
        Ok(a.map(0).is_injective(b)?.into())
    })
    .answer(|p| {
        !p.some(p.tuple(1), &mut |y| {
            let source = |x: &[i64]| p.has(0, &[x, y].concat());
            p.some(p.tuple(0), &mut |x| {
                source(x) && p.some(p.tuple(0), &mut |z| z != x && source(z))
            })
        })
    }),
    case("map is bijective", &[M(A, B)], Call::Ask("map_is_bijective"), |a, b| {
        Ok(a.map(0).is_bijective(b)?.into())
    }),
    case("map reverse", &[M(A, B)], f("map_reverse"), |a, _| {
        Ok(a.map(0).reverse().into())
    })
    .local(|p, x| p.has(0, &[&x[p.tuple(1)..], &x[..p.tuple(1)]].concat())),
    case("map domain", &[M(A, B)], f("map_domain"), |a, b| {
        Ok(a.map(0).domain(b)?.into())
    })
    .bounded(|p, x| p.some(p.tuple(1), &mut |y| p.has(0, &[x, y].concat()))),
    case("map range", &[M(A, B)], f("map_range"), |a, b| {
        Ok(a.map(0).range(b)?.into())
    })
    .bounded(|p, y| p.some(p.tuple(0), &mut |x| p.has(0, &[x, y].concat()))),
    case("map params", &[M(A, B)], f("map_params"), |a, b| {
        Ok(a.map(0).project_onto_params(b)?.into())
    })
    .bounded(|p, _| p.some(p.n(0), &mut |x| p.has(0, x))),
    case(
        "map project out domain",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("map_project_out", one(o), IN, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.map(0).project_out_domain(first, count, b)?.into())
        },
    ),
    case(
        "map project out range",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[1]);
            isl.apply_dims("map_project_out", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[1]);
            Ok(a.map(0).project_out_range(first, count, b)?.into())
        },
    ),
    case("map apply range", &[M(A, B), M(B, C)], f("map_apply_range"), |a, b| {
        Ok(a.map(0).apply_range(a.map(1), b)?.into())
    })
    .bounded(|p, x| {
        let (x, z) = x.split_at(p.tuple(0));
        p.some(p.tuple(1), &mut |y| {
            p.has(0, &[x, y].concat()) && p.has(1, &[y, z].concat())
        })
    }),
    case(
        "map apply domain",
        &[M(A, B), M(A, C)],
        f("map_apply_domain"),
        |a, b| Ok(a.map(0).apply_domain(a.map(1), b)?.into()),
    )
    .bounded(|p, x| {
        let (z, y) = x.split_at(p.tuple(2));
        p.some(p.tuple(0), &mut |x| {
            p.has(0, &[x, y].concat()) && p.has(1, &[x, z].concat())
        })
    }),
    case("map deltas", &[M(A, A)], f("map_deltas"), |a, b| {
        Ok(a.map(0).deltas(b)?.into())
    })
    .reach(2)
    .bounded(|p, d| {
        p.some(p.tuple(0), &mut |x| {
            let y: Vec<i64> = x.iter().zip(d).map(|(x, d)| x + d).collect();
            p.has(0, &[x, &y].concat())
        })
    }),
    case("map lexmin", &[M(A, B)], f("map_lexmin"), |a, b| {
        Ok(a.map(0).lexmin(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        image(y) && !p.some(p.tuple(1), &mut |z| z < y && image(z))
    }),
    case("map lexmax", &[M(A, B)], f("map_lexmax"), |a, b| {
        Ok(a.map(0).lexmax(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        image(y) && !p.some(p.tuple(1), &mut |z| z > y && image(z))
    }),
    case(
        "map partial lexmin",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmin", o)?.0)),
        |a, b| Ok(a.map(0).partial_lexmin(a.set(1), b)?.0.into()),
    )
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        p.has(1, x) && image(y) && !p.some(p.tuple(1), &mut |z| z < y && image(z))
    }),
    case(
        "map partial lexmin rest",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmin", o)?.1)),
        |a, b| Ok(a.map(0).partial_lexmin(a.set(1), b)?.1.into()),
    )
    .with_bounds()
    .bounded(|p, x| p.has(1, x) && !p.some(p.tuple(1), &mut |y| p.has(0, &[x, y].concat()))),
    case(
        "map partial lexmax",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmax", o)?.0)),
        |a, b| Ok(a.map(0).partial_lexmax(a.set(1), b)?.0.into()),
    )
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        p.has(1, x) && image(y) && !p.some(p.tuple(1), &mut |z| z > y && image(z))
    }),
    case(
        "map partial lexmax rest",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmax", o)?.1)),
        |a, b| Ok(a.map(0).partial_lexmax(a.set(1), b)?.1.into()),
    )
    .with_bounds()
    .bounded(|p, x| p.has(1, x) && !p.some(p.tuple(1), &mut |y| p.has(0, &[x, y].concat()))),
    case("map gist", &[M(A, B), M(A, B)], f("map_gist"), |a, b| {
        Ok(a.map(0).gist(a.map(1), b)?.into())
    })
    .check(Check::After("map_intersect")),
    case("map gist domain", &[M(A, B), S(A)], f("map_gist_domain"), |a, b| {
        Ok(a.map(0).gist_domain(a.set(1), b)?.into())
    })
    .check(Check::After("map_intersect_domain")),
    case("map gist range", &[M(A, B), S(B)], f("map_gist_range"), |a, b| {
        Ok(a.map(0).gist_range(a.set(1), b)?.into())
    })
    .check(Check::After("map_intersect_range")),
    case("map gist params", &[M(A, B), P], f("map_gist_params"), |a, b| {
        Ok(a.map(0).gist_params(a.set(1), b)?.into())
    })
    .check(Check::After("map_intersect_params")),
    case("map coalesce", &[M(A, B)], SAME, |a, b| {
        Ok(a.map(0).coalesce(b)?.into())
    })
    .local(same),
    case(
        "map remove redundancies",
        &[M(A, B)],
        f("map_remove_redundancies"),
        |a, b| Ok(a.map(0).remove_redundancies(b)?.into()),
    )
    .local(same),
    case(
        "map detect equalities",
        &[M(A, B)],
        f("map_detect_equalities"),
        |a, b| Ok(a.map(0).detect_equalities(b)?.into()),
    )
    .local(same),
    case("map simple hull", &[M(A, B)], hull("map_simple_hull"), |a, b| {
        Ok(a.map(0).simple_hull(b)?.into())
    })
    .check(Check::Contains),
    case(
        "map fix domain dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_fix_si", one(o), IN, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.map(0).fix_domain_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "map fix range dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_fix_si", one(o), OUT, a.dim(a.n[1]), a.value())),
        |a, _| Ok(a.map(0).fix_range_dim(a.dim(a.n[1]), &Int::from(a.value())).into()),
    )
    .at_least(0, 1, 0),
    case(
        "map equate",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_equate",
                one(o),
                (IN, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[1]),
            )
        }),
        |a, _| Ok(a.map(0).equate(a.ints[0] % a.n[0], a.ints[1] % a.n[1]).into()),
    )
    .at_least(1, 1, 0),
    case(
        "map from domain and range",
        &[S(A), S(B)],
        f("map_from_domain_and_range"),
        |a, _| Ok(Map::from_domain_and_range(a.set(0), a.set(1)).into()),
    )
    .local(|p, x| p.has(0, &x[..p.n(0)]) && p.has(1, &x[p.n(0)..])),
    case(
        "map lexmin function",
        &[M(A, B)],
        pma("map_lexmin_pw_multi_aff"),
        |a, b| Ok(a.map(0).lexmin_pw_multi_aff(b)?.into()),
    )
    .with_bounds(),
    case(
        "map lexmax function",
        &[M(A, B)],
        pma("map_lexmax_pw_multi_aff"),
        |a, b| Ok(a.map(0).lexmax_pw_multi_aff(b)?.into()),
    )
    .with_bounds(),
    case(
        "map lower bound domain dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_lower_bound_si", one(o), IN, a.dim(a.n[0]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .lower_bound_domain_dim(a.dim(a.n[0]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(1, 0, 0),
    case(
        "map lower bound range dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_lower_bound_si", one(o), OUT, a.dim(a.n[1]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .lower_bound_range_dim(a.dim(a.n[1]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(0, 1, 0),
    case(
        "map upper bound domain dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_upper_bound_si", one(o), IN, a.dim(a.n[0]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .upper_bound_domain_dim(a.dim(a.n[0]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(1, 0, 0),
    case(
        "map upper bound range dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_upper_bound_si", one(o), OUT, a.dim(a.n[1]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .upper_bound_range_dim(a.dim(a.n[1]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(0, 1, 0),
    case(
        "map eliminate domain",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("map_eliminate", one(o), IN, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.map(0).eliminate_domain(first, count, b)?.into())
        },
    ),
    case(
        "map insert domain dims",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_dims("map_insert_dims", one(o), IN, a.dim(a.n[0] + 1), 1)),
        |a, _| Ok(a.map(0).insert_domain_dims(a.dim(a.n[0] + 1), 1).into()),
    ),
    case(
        "map eliminate range",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[1]);
            isl.apply_dims("map_eliminate", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[1]);
            Ok(a.map(0).eliminate_range(first, count, b)?.into())
        },
    ),
    case(
        "map insert range dims",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_dims("map_insert_dims", one(o), OUT, a.dim(a.n[1] + 1), 1)),
        |a, _| Ok(a.map(0).insert_range_dims(a.dim(a.n[1] + 1), 1).into()),
    ),
    case(
        "map move domain to range",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let count = a.dim(a.n[0] + 1);
            isl.move_dims("map_move_dims", one(o), (OUT, 0), (IN, a.n[0] - count), count)
        }),
        |a, _| Ok(a.map(0).move_domain_to_range(a.dim(a.n[0] + 1)).into()),
    ),
    case(
        "map move range to domain",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let count = a.dim(a.n[1] + 1);
            isl.move_dims("map_move_dims", one(o), (IN, a.n[0]), (OUT, 0), count)
        }),
        |a, _| Ok(a.map(0).move_range_to_domain(a.dim(a.n[1] + 1)).into()),
    ),
    case(
        "map order lt",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_order_lt",
                one(o),
                (IN, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[1]),
            )
        }),
        |a, _| Ok(a.map(0).order_lt(a.ints[0] % a.n[0], a.ints[1] % a.n[1]).into()),
    )
    .at_least(1, 1, 0),
    case(
        "map order gt",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_order_gt",
                one(o),
                (IN, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[1]),
            )
        }),
        |a, _| Ok(a.map(0).order_gt(a.ints[0] % a.n[0], a.ints[1] % a.n[1]).into()),
    )
    .at_least(1, 1, 0),
    case("map affine hull", &[M(A, B)], hull("map_affine_hull"), |a, b| {
        Ok(a.map(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case(
        "map polyhedral hull",
        &[M(A, B)],
        hull("map_polyhedral_hull"),
        |a, b| Ok(a.map(0).polyhedral_hull(b)?.into()),
    )
    .check(Check::Contains),
    case(
        "map unshifted simple hull",
        &[M(A, B)],
        hull("map_unshifted_simple_hull"),
        |a, b| Ok(a.map(0).unshifted_simple_hull(b)?.into()),
    )
    .check(Check::Contains),
    case(
        "map has bounded images",
        &[M(A, B)],
        Call::Text(|isl, o, _| {
            let map = o[0].clone();
            let (n, dims) = (isl.n_params(&map), isl.n_dims(&map, IN));
            let images = isl.move_dims("map_move_dims", map, (PARAM, n), (IN, 0), dims)?;
            let images = isl.apply("map_range", Kind::Map, vec![images])?;
            Some(isl.answer("set_is_bounded", &[images])?.to_string())
        }),
        |a, b| Ok(Value::Text(a.map(0).has_bounded_images(b)?.to_string())),
    ),
    case(
        "map box hull",
        &[M(A, B)],
        Call::With(|isl, o, a| box_hull(isl, &isl.apply("map_wrap", Kind::Map, o)?, a.n[0] + a.n[1])),
        |a, b| {
            let pairs = a.map(0).box_hull(b)?.wrap().flatten();
            Ok(pairs.with_tuple(Tuple::anonymous(a.n[0] + a.n[1])).into())
        },
    )
    .at_least(1, 0, 0),
    case(
        "map fixed domain dim",
        &[M(A, B)],
        Call::Text(|isl, o, a| {
            let pairs = isl.apply("map_wrap", Kind::Map, vec![o[0].clone()])?;
            fixed(isl, &pairs, a.dim(a.n[0]))
        }),
        |a, b| Ok(Value::Text(fixed_text(a.map(0).fixed_domain_dim(a.dim(a.n[0]), b)?))),
    )
    .at_least(1, 0, 0),
    case(
        "map fixed range dim",
        &[M(A, B)],
        Call::Text(|isl, o, a| {
            let pairs = isl.apply("map_wrap", Kind::Map, vec![o[0].clone()])?;
            fixed(isl, &pairs, a.n[0] + a.dim(a.n[1]))
        }),
        |a, b| Ok(Value::Text(fixed_text(a.map(0).fixed_range_dim(a.dim(a.n[1]), b)?))),
    )
    .at_least(0, 1, 0),
    case("map plain fixed range dim", &[M(A, B)], SAME, |a, _| {
        let (map, dim) = (a.map(0), a.dim(a.n[1]));
        let all = Map::universe(map.space().clone());
        Ok(match map.plain_fixed_range_dim(dim) {
            Some(value) => all.fix_range_dim(dim, &value),
            None => all,
        }
        .into())
    })
    .check(Check::Contains)
    .at_least(0, 1, 0),
    case("map is plainly empty", &[M(A, B)], SAME, |a, _| {
        Ok(match a.map(0).is_plainly_empty() {
            true => Map::empty(a.map(0).space().clone()),
            false => a.map(0).clone(),
        }
        .into())
    })
    .local(same),
    case("map is plainly universe", &[M(A, B)], SAME, |a, _| {
        Ok(match a.map(0).is_plainly_universe() {
            true => Map::universe(a.map(0).space().clone()),
            false => a.map(0).clone(),
        }
        .into())
    })
    .local(same),
    case("map is plainly equal", &[M(A, B), M(A, B)], SAME, |a, _| {
        Ok(a.map(a.map(0).is_plainly_equal(a.map(1)) as usize).clone().into())
    })
    .local(same),
    case(
        "map project out params",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let map = one(o);
            match isl.find_param(&map, a.param()) {
                Some(pos) => isl.apply_dims("map_project_out", map, PARAM, pos, 1),
                None => Some(map),
            }
        }),
        |a, b| Ok(a.map(0).project_out_params(&[a.param()], b)?.into()),
    ),
    case(
        "map move domain dims",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            let at = a.ints[2] % (a.n[1] + 1);
            isl.move_dims("map_move_dims", one(o), (OUT, at), (IN, first), count)
        }),
        |a, _| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.map(0).move_domain_dims(first, count, a.ints[2] % (a.n[1] + 1)).into())
        },
    ),
    case(
        "map move range dims",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[1]);
            let at = a.ints[2] % (a.n[0] + 1);
            isl.move_dims("map_move_dims", one(o), (IN, at), (OUT, first), count)
        }),
        |a, _| {
            let (first, count) = a.range(a.n[1]);
            Ok(a.map(0).move_range_dims(first, count, a.ints[2] % (a.n[0] + 1)).into())
        },
    ),
    case("map drop constraints involving domain", &[M(A, B)], SAME, |a, _| {
        Ok(a.map(0).drop_constraints_involving_domain().into())
    })
    .check(Check::Contains),
    case("map drop constraints involving range", &[M(A, B)], SAME, |a, _| {
        Ok(a.map(0).drop_constraints_involving_range().into())
    })
    .check(Check::Contains),
    case("map convex hull", &[M(A, B)], hull("map_convex_hull"), |a, b| {
        Ok(a.map(0).convex_hull(b)?.into())
    })
    .check(Check::Contains),
    case(
        "map lineality space",
        &[M(A, B)],
        Call::With(|isl, o, _| isl.lineality(isl.apply("map_wrap", Kind::Map, o)?)),
        |a, b| Ok(a.map(0).lineality_space(b)?.wrap().into()),
    )
    .check(Check::More),
    case("map apply", &[M(A, B), S(A)], Call::Nothing, |a, b| {
        Ok(a.map(0).apply(a.set(1), b)?.into())
    })
    .bounded(|p, y| p.some(p.n(1), &mut |x| p.has(1, x) && p.has(0, &[x, y].concat()))),
    case(
        "map domain stride",
        &[M(A, B)],
        Call::Text(|isl, o, a| {
            let pairs = isl.apply("map_wrap", Kind::Map, vec![o[0].clone()])?;
            isl.stride(&pairs, a.dim(a.n[0]))
        }),
        |a, b| {
            Ok(Value::Text(
                a.map(0).domain_stride(a.dim(a.n[0]), b)?.stride.to_string(),
            ))
        },
    )
    .check(Check::Multiple)
    .at_least(1, 0, 0),
    case(
        "map range stride",
        &[M(A, B)],
        Call::Text(|isl, o, a| {
            let pairs = isl.apply("map_wrap", Kind::Map, vec![o[0].clone()])?;
            isl.stride(&pairs, a.n[0] + a.dim(a.n[1]))
        }),
        |a, b| Ok(Value::Text(a.map(0).range_stride(a.dim(a.n[1]), b)?.stride.to_string())),
    )
    .check(Check::Multiple)
    .at_least(0, 1, 0),
    case("map domain offset", &[M(A, B)], SAME, |a, b| {
        let (map, dim) = (a.map(0), a.dim(a.n[0]));
        let within = with_stride(&map.space().wrap(), dim, &map.domain_stride(dim, b)?);
        Ok(within.unwrap().into())
    })
    .check(Check::Contains)
    .at_least(1, 0, 0),
    case("map range offset", &[M(A, B)], SAME, |a, b| {
        let (map, dim) = (a.map(0), a.dim(a.n[1]));
        let within = with_stride(&map.space().wrap(), a.n[0] + dim, &map.range_stride(dim, b)?);
        Ok(within.unwrap().into())
    })
    .check(Check::Contains)
    .at_least(0, 1, 0),
    case("map sample", &[M(A, B)], Call::Nothing, |a, b| {
        let map = a.map(0);
        let Some((params, domain, range)) = map.sample(b)? else {
            return Ok(Value::Sample(None));
        };
        let mut point = Map::universe(map.space().clone());
        for (dim, value) in domain.iter().enumerate() {
            point = point.fix_domain_dim(dim, value);
        }
        for (dim, value) in range.iter().enumerate() {
            point = point.fix_range_dim(dim, value);
        }
        let mut at = Set::universe(SetSpace::params_only(map.params().clone()));
        for (name, value) in map.params().names().iter().zip(&params) {
            at = at.fix_param(name, value);
        }
        Ok(Value::Sample(Some(point.intersect_params(&at).wrap())))
    })
    .check(Check::Sample),
    case("map explicit", &[M(A, B)], f("map_compute_divs"), |a, b| {
        Ok(a.map(0).explicit(b)?.into())
    })
    .local(same),
    case("map align params", &[M(A, B), M(A, B)], SAME, |a, _| {
        let params = a.map(0).params().union(a.map(1).params());
        Ok(a.map(0).align_params(&params).into())
    })
    .local(same),
    case(
        "map with domain tuple",
        &[M(A, B)],
        Call::With(|isl, o, _| isl.apply_kind("map_reset_tuple_id", one(o), IN)),
        |a, _| Ok(a.map(0).with_domain_tuple(Tuple::anonymous(a.n[0])).into()),
    )
    .local(same),
    case(
        "map with range tuple",
        &[M(B, A)],
        Call::With(|isl, o, _| isl.apply_kind("map_reset_tuple_id", one(o), OUT)),
        |a, _| Ok(a.map(0).with_range_tuple(Tuple::anonymous(a.n[0])).into()),
    )
    .local(same),
    case("map identity", &[S(A)], Call::Nothing, |a, _| {
        Ok(Map::identity(a.set(0).params().clone(), a.set(0).tuple().clone()).into())
    })
    .local(|p, x| x[..p.n(0)] == x[p.n(0)..]),
    case("map to function", &[M(A, B)], SAME, |a, b| {
        let function = PwMultiAff::from_map(a.map(0), b)?;
        Ok(function.map_or(a.map(0).clone(), |f| f.to_map()).into())
    })
    .local(same),
    case(
        "map is a function",
        &[M(A, B)],
        Call::Text(|isl, o, _| Some(isl.answer("map_is_single_valued", o)?.to_string())),
        |a, b| Ok(Value::Text(PwMultiAff::from_map(a.map(0), b)?.is_some().to_string())),
    ),
];
