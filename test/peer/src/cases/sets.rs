//! Operations on sets.

use super::Shape::{M, P, S};
use super::T::{A, AB, B};
use super::{
    Args, Call, Case, Check, NEW_PARAMS, OUT, PARAM, SAME, Value, bound_text, box_hull, case, f, fixed, fixed_text,
    hull, one, pma, same, with_stride,
};
use crate::isl::{Isl, Kind, Object};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Map, Set, Tuple};

/// Whether there are finitely many values of a dimension on one side of 0. isl's own functions look at constraints.
fn is_bounded_beyond(isl: &Isl, set: &Object<'_>, a: &Args, side: &str) -> Option<String> {
    let (n, dim) = (a.n[0], a.dim(a.n[0]));
    let values = isl.apply_dims("set_project_out", set.clone(), OUT, dim + 1, n - dim - 1)?;
    let values = isl.apply_dims("set_project_out", values, OUT, 0, dim)?;
    // isl takes a set for unbounded where what is quantified is.
    let beyond = isl.apply_fix(side, values, OUT, 0, 0)?;
    let beyond = isl.apply("set_compute_divs", Kind::Map, vec![beyond])?;
    Some(isl.answer("set_is_bounded", &[beyond])?.to_string())
}

pub(super) const CASES: &[Case] = &[
    case("set intersect", &[S(A), S(A)], f("set_intersect"), |a, _| {
        Ok(a.set(0).intersect(a.set(1)).into())
    })
    .local(|p, x| p.has(0, x) && p.has(1, x)),
    case("set union", &[S(A), S(A)], f("set_union"), |a, _| {
        Ok(a.set(0).union(a.set(1)).into())
    })
    .local(|p, x| p.has(0, x) || p.has(1, x)),
    case("set subtract", &[S(A), S(A)], f("set_subtract"), |a, b| {
        Ok(a.set(0).subtract(a.set(1), b)?.into())
    })
    .local(|p, x| p.has(0, x) && !p.has(1, x)),
    case("set complement", &[S(A)], f("set_complement"), |a, b| {
        Ok(a.set(0).complement(b)?.into())
    })
    .local(|p, x| !p.has(0, x)),
    case("set intersect params", &[S(A), P], f("set_intersect_params"), |a, _| {
        Ok(a.set(0).intersect_params(a.set(1)).into())
    })
    .local(|p, x| p.has(0, x) && p.has(1, &[])),
    case("set is empty", &[S(A)], Call::Ask("set_is_empty"), |a, b| {
        Ok(a.set(0).is_empty(b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x))),
    case("set is subset", &[S(A), S(A)], Call::Ask("set_is_subset"), |a, b| {
        Ok(a.set(0).is_subset(a.set(1), b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && !p.has(1, x))),
    case("set is equal", &[S(A), S(A)], Call::Ask("set_is_equal"), |a, b| {
        Ok(a.set(0).is_equal(a.set(1), b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) != p.has(1, x))),
    case(
        "set is disjoint",
        &[S(A), S(A)],
        Call::Ask("set_is_disjoint"),
        |a, b| Ok(a.set(0).is_disjoint(a.set(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && p.has(1, x))),
    case("set params", &[S(A)], f("set_params"), |a, b| {
        Ok(a.set(0).project_onto_params(b)?.into())
    })
    .bounded(|p, _| p.some(p.n(0), &mut |x| p.has(0, x))),
    case(
        "set project out",
        &[S(A)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("set_project_out", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.set(0).project_out(first, count, b)?.into())
        },
    ),
    case(
        "set project out param",
        &[S(A)],
        Call::With(|isl, o, a| {
            let set = one(o);
            match isl.find_param(&set, a.param()) {
                Some(pos) => isl.apply_dims("set_project_out", set, PARAM, pos, 1),
                None => Some(set),
            }
        }),
        |a, b| Ok(a.set(0).project_out_param(a.param(), b)?.into()),
    ),
    case("set apply", &[S(A), M(A, B)], f("set_apply"), |a, b| {
        Ok(a.set(0).apply(a.map(1), b)?.into())
    })
    .bounded(|p, y| p.some(p.n(0), &mut |x| p.has(0, x) && p.has(1, &[x, y].concat()))),
    case("set lexmin", &[S(A)], f("set_lexmin"), |a, b| {
        Ok(a.set(0).lexmin(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| p.has(0, x) && !p.some(x.len(), &mut |y| y < x && p.has(0, y))),
    case("set lexmax", &[S(A)], f("set_lexmax"), |a, b| {
        Ok(a.set(0).lexmax(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| p.has(0, x) && !p.some(x.len(), &mut |y| y > x && p.has(0, y))),
    case("set gist", &[S(A), S(A)], f("set_gist"), |a, b| {
        Ok(a.set(0).gist(a.set(1), b)?.into())
    })
    .check(Check::After("set_intersect")),
    case("set gist params", &[S(A), P], f("set_gist_params"), |a, b| {
        Ok(a.set(0).gist_params(a.set(1), b)?.into())
    })
    .check(Check::After("set_intersect_params")),
    case("set coalesce", &[S(A)], SAME, |a, b| Ok(a.set(0).coalesce(b)?.into())).local(same),
    case(
        "set remove redundancies",
        &[S(A)],
        f("set_remove_redundancies"),
        |a, b| Ok(a.set(0).remove_redundancies(b)?.into()),
    )
    .local(same),
    case("set detect equalities", &[S(A)], f("set_detect_equalities"), |a, b| {
        Ok(a.set(0).detect_equalities(b)?.into())
    })
    .local(same),
    case("set make disjoint", &[S(A)], f("set_make_disjoint"), |a, b| {
        Ok(a.set(0).make_disjoint(b)?.into())
    })
    .check(Check::Disjoint)
    .local(same),
    case("set simple hull", &[S(A)], hull("set_simple_hull"), |a, b| {
        Ok(a.set(0).simple_hull(b)?.into())
    })
    .check(Check::Contains),
    case("set sample", &[S(A)], Call::Nothing, |a, b| {
        let set = a.set(0);
        let Some((params, dims)) = set.sample(b)? else {
            return Ok(Value::Sample(None));
        };
        let mut point = Set::universe(set.space().clone());
        for (name, value) in set.params().clone().names().iter().zip(&params) {
            point = point.fix_param(name, value);
        }
        for (k, value) in dims.iter().enumerate() {
            point = point.fix_dim(k, value);
        }
        Ok(Value::Sample(Some(point)))
    })
    .check(Check::Sample),
    case("set identity", &[S(A)], f("set_identity"), |a, _| {
        Ok(a.set(0).identity().into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        x == y && p.has(0, x)
    }),
    case(
        "set insert dims",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_dims("set_insert_dims", one(o), OUT, a.dim(a.n[0] + 1), 1)),
        |a, _| Ok(a.set(0).insert_dims(a.dim(a.n[0] + 1), 1).into()),
    ),
    case(
        "set fix dim",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_fix("set_fix_si", one(o), OUT, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.set(0).fix_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "set fix param",
        &[S(A)],
        Call::With(|isl, o, a| {
            let set = one(o);
            match isl.find_param(&set, a.param()) {
                Some(pos) => isl.apply_fix("set_fix_si", set, PARAM, pos, a.value()),
                None => Some(set),
            }
        }),
        |a, _| Ok(a.set(0).fix_param(a.param(), &Int::from(a.value())).into()),
    ),
    case("set product", &[S(A), S(B)], f("set_product"), |a, _| {
        Ok(a.set(0).product(a.set(1)).into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && p.has(1, &x[p.n(0)..])),
    case("set flat product", &[S(A), S(B)], f("set_flat_product"), |a, _| {
        Ok(a.set(0).flat_product(a.set(1)).into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && p.has(1, &x[p.n(0)..])),
    case("set unwrap", &[S(AB)], f("set_unwrap"), |a, _| {
        Ok(a.set(0).unwrap().into())
    })
    .local(same),
    case(
        "lex lt",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_lt", one(o))),
        |a, _| Ok(Map::lex_lt(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] < x[p.n(0)..]),
    case(
        "lex le",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_le", one(o))),
        |a, _| Ok(Map::lex_le(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] <= x[p.n(0)..]),
    case(
        "lex gt",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_gt", one(o))),
        |a, _| Ok(Map::lex_gt(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] > x[p.n(0)..]),
    case(
        "lex ge",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_ge", one(o))),
        |a, _| Ok(Map::lex_ge(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] >= x[p.n(0)..]),
    case("set affine hull", &[S(A)], hull("set_affine_hull"), |a, b| {
        Ok(a.set(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case("set polyhedral hull", &[S(A)], hull("set_polyhedral_hull"), |a, b| {
        Ok(a.set(0).polyhedral_hull(b)?.into())
    })
    .check(Check::Contains),
    case("set convex hull", &[S(A)], hull("set_convex_hull"), |a, b| {
        Ok(a.set(0).convex_hull(b)?.into())
    })
    .check(Check::Contains),
    case(
        "set unshifted simple hull",
        &[S(A)],
        hull("set_unshifted_simple_hull"),
        |a, b| Ok(a.set(0).unshifted_simple_hull(b)?.into()),
    )
    .check(Check::Contains),
    case(
        "set lineality space",
        &[S(A)],
        Call::With(|isl, o, _| isl.lineality(one(o))),
        |a, b| Ok(a.set(0).lineality_space(b)?.into()),
    )
    .check(Check::More),
    case(
        "set box hull",
        &[S(A)],
        Call::With(|isl, o, a| box_hull(isl, &o[0], a.n[0])),
        |a, b| Ok(a.set(0).box_hull(b)?.with_tuple(Tuple::anonymous(a.n[0])).into()),
    )
    .at_least(1, 0, 0),
    case(
        "set eliminate",
        &[S(A)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("set_eliminate", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.set(0).eliminate(first, count, b)?.into())
        },
    ),
    case("set drop constraints involving", &[S(A)], SAME, |a, _| {
        let (first, count) = a.range(a.n[0]);
        Ok(a.set(0).drop_constraints_involving(first, count).into())
    })
    .check(Check::Contains),
    case("set drop constraints not involving", &[S(A)], SAME, |a, _| {
        let (first, count) = a.range(a.n[0]);
        Ok(a.set(0).drop_constraints_not_involving(first, count).into())
    })
    .check(Check::Contains),
    case(
        "set lower bound dim",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_fix("set_lower_bound_si", one(o), OUT, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.set(0).lower_bound_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "set upper bound dim",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_fix("set_upper_bound_si", one(o), OUT, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.set(0).upper_bound_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "set equate dims",
        &[S(A)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_equate",
                one(o),
                (OUT, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[0]),
            )
        }),
        |a, _| Ok(a.set(0).equate_dims(a.ints[0] % a.n[0], a.ints[1] % a.n[0]).into()),
    )
    .at_least(1, 0, 0),
    case(
        "set project out params",
        &[S(A)],
        Call::With(|isl, o, a| {
            let set = one(o);
            match isl.find_param(&set, a.param()) {
                Some(pos) => isl.apply_dims("set_project_out", set, PARAM, pos, 1),
                None => Some(set),
            }
        }),
        |a, b| Ok(a.set(0).project_out_params(&[a.param()], b)?.into()),
    ),
    case("set flatten", &[S(AB)], f("set_flatten"), |a, _| {
        Ok(a.set(0).flatten().into())
    })
    .local(same),
    case("set lex lt", &[S(A), S(A)], f("set_lex_lt_set"), |a, _| {
        Ok(a.set(0).lex_lt(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x < y
    }),
    case("set lex le", &[S(A), S(A)], f("set_lex_le_set"), |a, _| {
        Ok(a.set(0).lex_le(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x <= y
    }),
    case("set lex gt", &[S(A), S(A)], f("set_lex_gt_set"), |a, _| {
        Ok(a.set(0).lex_gt(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x > y
    }),
    case("set lex ge", &[S(A), S(A)], f("set_lex_ge_set"), |a, _| {
        Ok(a.set(0).lex_ge(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x >= y
    }),
    case("set is bounded", &[S(A)], Call::Ask("set_is_bounded"), |a, b| {
        Ok(a.set(0).is_bounded(b)?.into())
    }),
    case(
        "set dim min",
        &[S(A)],
        Call::Text(|isl, o, a| isl.dim_bound("set_dim_min_val", &o[0], a.dim(a.n[0]))),
        |a, b| Ok(Value::Text(bound_text(a.set(0).dim_min(a.dim(a.n[0]), b)?, "-infty"))),
    )
    .at_least(1, 0, 0),
    case(
        "set dim max",
        &[S(A)],
        Call::Text(|isl, o, a| isl.dim_bound("set_dim_max_val", &o[0], a.dim(a.n[0]))),
        |a, b| Ok(Value::Text(bound_text(a.set(0).dim_max(a.dim(a.n[0]), b)?, "infty"))),
    )
    .at_least(1, 0, 0),
    case(
        "set count",
        &[S(A)],
        Call::Text(|isl, o, _| isl.count(&o[0])),
        |a, b| {
            Ok(Value::Text(
                a.set(0).count(b)?.map_or("infty".into(), |n| n.to_string()),
            ))
        },
    ),
    case(
        "set stride",
        &[S(A)],
        Call::Text(|isl, o, a| isl.stride(&o[0], a.dim(a.n[0]))),
        |a, b| Ok(Value::Text(a.set(0).stride(a.dim(a.n[0]), b)?.stride.to_string())),
    )
    .check(Check::Multiple)
    .at_least(1, 0, 0),
    case("set offset", &[S(A)], SAME, |a, b| {
        let (set, dim) = (a.set(0), a.dim(a.n[0]));
        Ok(with_stride(set.space(), dim, &set.stride(dim, b)?).into())
    })
    .check(Check::Contains)
    .at_least(1, 0, 0),
    case("set coefficients solutions", &[S(A)], SAME, |a, b| {
        Ok(a.set(0).coefficients(b)?.solutions(a.set(0).space().clone(), b)?.into())
    })
    .check(Check::Contains),
    case(
        "set dim min function",
        &[S(A)],
        Call::With(|isl, o, a| {
            let value = isl.dim_function("set_dim_min", one(o), a.dim(a.n[0]))?;
            isl.apply("set_from_pw_aff", Kind::Map, vec![value])
        }),
        |a, b| Ok(a.set(0).dim_min_pw_aff(a.dim(a.n[0]), b)?.to_map().range(b)?.into()),
    )
    .with_bounds()
    .at_least(1, 0, 0),
    case(
        "set dim max function",
        &[S(A)],
        Call::With(|isl, o, a| {
            let value = isl.dim_function("set_dim_max", one(o), a.dim(a.n[0]))?;
            isl.apply("set_from_pw_aff", Kind::Map, vec![value])
        }),
        |a, b| Ok(a.set(0).dim_max_pw_aff(a.dim(a.n[0]), b)?.to_map().range(b)?.into()),
    )
    .with_bounds()
    .at_least(1, 0, 0),
    case(
        "set has lower bound",
        &[S(A)],
        Call::Text(|isl, o, a| is_bounded_beyond(isl, &o[0], a, "set_upper_bound_si")),
        |a, b| Ok(Value::Text(a.set(0).has_lower_bound(a.dim(a.n[0]), b)?.to_string())),
    )
    .at_least(1, 0, 0),
    case(
        "set has upper bound",
        &[S(A)],
        Call::Text(|isl, o, a| is_bounded_beyond(isl, &o[0], a, "set_lower_bound_si")),
        |a, b| Ok(Value::Text(a.set(0).has_upper_bound(a.dim(a.n[0]), b)?.to_string())),
    )
    .at_least(1, 0, 0),
    case(
        "set fixed dim",
        &[S(A)],
        Call::Text(|isl, o, a| fixed(isl, &o[0], a.dim(a.n[0]))),
        |a, b| Ok(Value::Text(fixed_text(a.set(0).fixed_dim(a.dim(a.n[0]), b)?))),
    )
    .at_least(1, 0, 0),
    case("set plain fixed dim", &[S(A)], SAME, |a, _| {
        let (set, dim) = (a.set(0), a.dim(a.n[0]));
        let all = Set::universe(set.space().clone());
        Ok(match set.plain_fixed_dim(dim) {
            Some(value) => all.fix_dim(dim, &value),
            None => all,
        }
        .into())
    })
    .check(Check::Contains)
    .at_least(1, 0, 0),
    case("set is singleton", &[S(A)], Call::Ask("set_is_singleton"), |a, b| {
        Ok(a.set(0).is_singleton(b)?.into())
    }),
    // What is plain is true.
    case("set is plainly empty", &[S(A)], SAME, |a, _| {
        Ok(match a.set(0).is_plainly_empty() {
            true => Set::empty(a.set(0).space().clone()),
            false => a.set(0).clone(),
        }
        .into())
    })
    .local(same),
    case("set is plainly universe", &[S(A)], SAME, |a, _| {
        Ok(match a.set(0).is_plainly_universe() {
            true => Set::universe(a.set(0).space().clone()),
            false => a.set(0).clone(),
        }
        .into())
    })
    .local(same),
    case("set is plainly equal", &[S(A), S(A)], SAME, |a, _| {
        Ok(a.set(a.set(0).is_plainly_equal(a.set(1)) as usize).clone().into())
    })
    .local(same),
    case("set points", &[S(A)], SAME, |a, b| {
        let set = a.set(0);
        let Some(points) = set.points(b)? else {
            return Ok(set.clone().into());
        };
        let values = |point: &Row| {
            let mut only = Set::universe(set.space().clone());
            let (params, dims) = point.split_at(set.params().len());
            for (name, value) in set.params().names().iter().zip(params) {
                only = only.fix_param(name, value);
            }
            (dims.iter().enumerate()).fold(only, |only, (dim, value)| only.fix_dim(dim, value))
        };
        let none = Set::empty(set.space().clone());
        // The text of many points takes isl long to read.
        Ok(match points.len() {
            0..=60 => points.iter().map(values).fold(none, |all, only| all.union(&only)),
            _ => set.clone(),
        }
        .into())
    })
    .local(same),
    case("set involves dims", &[S(A)], SAME, |a, b| {
        let (set, (first, count)) = (a.set(0), a.range(a.n[0]));
        Ok(match set.involves_dims(first, count) {
            true => set.clone(),
            false => set.eliminate(first, count, b)?,
        }
        .into())
    })
    .local(same),
    case(
        "set dims to params",
        &[S(A)],
        Call::With(|isl, o, a| {
            let (set, (first, count)) = (one(o), a.range(a.n[0]));
            let n = isl.n_params(&set);
            let moved = isl.move_dims("set_move_dims", set, (PARAM, n), (OUT, first), count)?;
            (0..count).try_fold(moved, |set, k| isl.name_param(set, n + k, NEW_PARAMS[k]))
        }),
        |a, _| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.set(0)
                .dims_to_params(first, NEW_PARAMS[..count].iter().copied())
                .into())
        },
    ),
    case(
        "set params to dims",
        &[S(A)],
        Call::With(|isl, o, a| {
            let set = isl.apply("set_reset_tuple_id", Kind::Map, vec![one(o)])?;
            match isl.find_param(&set, a.param()) {
                Some(pos) => isl.move_dims("set_move_dims", set, (OUT, 0), (PARAM, pos), 1),
                None => isl.apply_dims("set_insert_dims", set, OUT, 0, 1),
            }
        }),
        |a, _| Ok(a.set(0).params_to_dims(&[a.param()]).into()),
    ),
    case(
        "set lexmin function",
        &[S(A)],
        pma("set_lexmin_pw_multi_aff"),
        |a, b| Ok(a.set(0).lexmin_pw_multi_aff(b)?.range(b)?.into()),
    )
    .with_bounds(),
    case(
        "set lexmax function",
        &[S(A)],
        pma("set_lexmax_pw_multi_aff"),
        |a, b| Ok(a.set(0).lexmax_pw_multi_aff(b)?.range(b)?.into()),
    )
    .with_bounds(),
    case("set explicit", &[S(A)], f("set_compute_divs"), |a, b| {
        Ok(a.set(0).explicit(b)?.into())
    })
    .local(same),
    case("set align params", &[S(A), S(A)], SAME, |a, _| {
        let params = a.set(0).params().union(a.set(1).params());
        Ok(a.set(0).align_params(&params).into())
    })
    .local(same),
    case(
        "set with tuple",
        &[S(A)],
        Call::Function("set_reset_tuple_id", Kind::Map),
        |a, _| Ok(a.set(0).with_tuple(Tuple::anonymous(a.n[0])).into()),
    )
    .local(same)
    .at_least(1, 0, 0),
];
