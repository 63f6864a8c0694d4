//! Operations on piecewise quasi-affine functions.

use super::Shape::{F, G, P, S, UF, UG, US};
use super::T::{A, B, C};
use super::{
    Call, Case, Check, IN, OUT, Value, both, case, each, either, f, fixed_text, one, pa, pma, same, um, upa, upma, us,
};
use crate::isl::{Isl, Kind, Object};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{PwAff, PwMultiAff, Tuple, UnionPwAff, UnionPwMultiAff};

/// The union `isl_{name}` of the graphs of functions.
pub(super) fn union_of_graphs<'a>(
    isl: &'a Isl,
    functions: Vec<Object<'a>>,
    name: &str,
    kind: Kind,
) -> Option<Object<'a>> {
    let graphs: Option<Vec<Object<'a>>> = functions.into_iter().map(Object::to_map).collect();
    isl.apply(name, kind, graphs?)
}

/// Whether unions of functions have the same graphs.
pub(super) fn same_graphs(isl: &Isl, functions: &[Object<'_>]) -> Option<String> {
    let graphs: Option<Vec<Object<'_>>> = functions.iter().map(|f| f.clone().to_map()).collect();
    Some(isl.answer("union_map_is_equal", &graphs?)?.to_string())
}

/// A number of isl's, if it is one.
fn finite(value: String) -> String {
    match value.parse::<i128>() {
        Ok(_) => value,
        Err(_) => "none".into(),
    }
}

pub(super) const CASES: &[Case] = &[
    case("f add", &[F(A), F(A)], pa("pw_aff_add"), |a, b| {
        Ok(a.f(0).add(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("f sub", &[F(A), F(A)], pa("pw_aff_sub"), |a, b| {
        Ok(a.f(0).sub(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("f neg", &[F(A)], pa("pw_aff_neg"), |a, _| Ok(a.f(0).neg().into())).function(|p, x| each(p, x, |v| -v)),
    case(
        "f scale",
        &[F(A)],
        Call::With(|isl, o, a| isl.apply_value("pw_aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.f(0).scale(&Int::from(a.value())).into()),
    ),
    case(
        "f divide and floor",
        &[F(A)],
        Call::With(|isl, o, a| {
            let divided = isl.apply_value("pw_aff_scale_down_val", one(o), a.positive())?;
            isl.apply("pw_aff_floor", Kind::PwAff, vec![divided])
        }),
        |a, _| Ok(a.f(0).divide(&Int::from(a.positive())).floor().into()),
    ),
    case(
        "f divide and ceil",
        &[F(A)],
        Call::With(|isl, o, a| {
            let divided = isl.apply_value("pw_aff_scale_down_val", one(o), a.positive())?;
            isl.apply("pw_aff_ceil", Kind::PwAff, vec![divided])
        }),
        |a, _| Ok(a.f(0).divide(&Int::from(a.positive())).ceil().into()),
    ),
    case(
        "f modulo",
        &[F(A)],
        Call::With(|isl, o, a| isl.apply_value("pw_aff_mod_val", one(o), a.positive())),
        |a, _| Ok(a.f(0).modulo(&Int::from(a.positive())).into()),
    ),
    case("f min", &[F(A), F(A)], pa("pw_aff_min"), |a, b| {
        Ok(a.f(0).min(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.min(w))),
    case("f max", &[F(A), F(A)], pa("pw_aff_max"), |a, b| {
        Ok(a.f(0).max(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.max(w))),
    case(
        "f cond",
        &[F(A), F(A), F(A)],
        Call::Function("pw_aff_cond", Kind::PwAff),
        |a, b| Ok(a.f(0).cond(a.f(1), a.f(2), b)?.into()),
    )
    .function(|p, x| p.value(if p.value(0, x)? == [0] { 2 } else { 1 }, x)),
    case("f union min", &[F(A), F(A)], pa("pw_aff_union_min"), |a, b| {
        Ok(a.f(0).union_min(a.f(1), b)?.into())
    })
    .function(|p, x| either(p, x, |v, w| v.min(w))),
    case("f union max", &[F(A), F(A)], pa("pw_aff_union_max"), |a, b| {
        Ok(a.f(0).union_max(a.f(1), b)?.into())
    })
    .function(|p, x| either(p, x, |v, w| v.max(w))),
    case("f union add", &[F(A), F(A)], pa("pw_aff_union_add"), |a, b| {
        Ok(a.f(0).union_add(a.f(1), b)?.into())
    })
    .function(|p, x| either(p, x, |v, w| v + w)),
    case("f or else", &[F(A), F(A)], Call::Nothing, |a, b| {
        Ok(a.f(0).or_else(a.f(1), b)?.into())
    })
    .function(|p, x| p.value(0, x).or_else(|| p.value(1, x))),
    case("f eq set", &[F(A), F(A)], f("pw_aff_eq_set"), |a, b| {
        Ok(a.f(0).eq_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v == w) as i128) == Some(vec![1])),
    case("f ne set", &[F(A), F(A)], f("pw_aff_ne_set"), |a, b| {
        Ok(a.f(0).ne_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v != w) as i128) == Some(vec![1])),
    case("f le set", &[F(A), F(A)], f("pw_aff_le_set"), |a, b| {
        Ok(a.f(0).le_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v <= w) as i128) == Some(vec![1])),
    case("f lt set", &[F(A), F(A)], f("pw_aff_lt_set"), |a, b| {
        Ok(a.f(0).lt_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v < w) as i128) == Some(vec![1])),
    case("f ge set", &[F(A), F(A)], f("pw_aff_ge_set"), |a, b| {
        Ok(a.f(0).ge_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v >= w) as i128) == Some(vec![1])),
    case("f gt set", &[F(A), F(A)], f("pw_aff_gt_set"), |a, b| {
        Ok(a.f(0).gt_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v > w) as i128) == Some(vec![1])),
    case("f zero set", &[F(A)], f("pw_aff_zero_set"), |a, _| {
        Ok(a.f(0).zero_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] == 0)),
    case("f nonzero set", &[F(A)], f("pw_aff_non_zero_set"), |a, _| {
        Ok(a.f(0).nonzero_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] != 0)),
    case("f nonneg set", &[F(A)], f("pw_aff_nonneg_set"), |a, _| {
        Ok(a.f(0).nonneg_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] >= 0)),
    case("f pos set", &[F(A)], f("pw_aff_pos_set"), |a, _| {
        Ok(a.f(0).pos_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] > 0)),
    case("f domain", &[F(A)], f("pw_aff_domain"), |a, _| {
        Ok(a.f(0).domain().into())
    })
    .local(|p, x| p.value(0, x).is_some()),
    case(
        "f intersect domain",
        &[F(A), S(A)],
        pa("pw_aff_intersect_domain"),
        |a, b| Ok(a.f(0).intersect_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, x))),
    case(
        "f intersect params",
        &[F(A), P],
        pa("pw_aff_intersect_params"),
        |a, b| Ok(a.f(0).intersect_params(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, &[]))),
    case(
        "f subtract domain",
        &[F(A), S(A)],
        pa("pw_aff_subtract_domain"),
        |a, b| Ok(a.f(0).subtract_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| !p.has(1, x))),
    case("f gist", &[F(A), S(A)], pa("pw_aff_gist"), |a, b| {
        Ok(a.f(0).gist(a.set(1), b)?.into())
    })
    .check(Check::After("pw_aff_intersect_domain")),
    case("f gist params", &[F(A), P], pa("pw_aff_gist_params"), |a, b| {
        Ok(a.f(0).gist_params(a.set(1), b)?.into())
    })
    .check(Check::After("pw_aff_intersect_params")),
    case("f coalesce", &[F(A)], pa("pw_aff_coalesce"), |a, b| {
        Ok(a.f(0).coalesce(b)?.into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "f pullback",
        &[F(B), G(A, B)],
        pa("pw_aff_pullback_pw_multi_aff"),
        |a, b| Ok(a.f(0).pullback(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case("f is equal", &[F(A), F(A)], Call::Ask("pw_aff_is_equal"), |a, b| {
        Ok(a.f(0).is_equal(a.f(1), b)?.into())
    }),
    case("f to map", &[F(A)], f("map_from_pw_aff"), |a, _| {
        Ok(a.f(0).to_map().into())
    })
    .local(same),
    case("f indicator", &[S(A)], pa("set_indicator_function"), |a, b| {
        Ok(PwAff::indicator(a.set(0), b)?.into())
    })
    .function(|p, x| Some(vec![p.has(0, x) as i128])),
    case("g add", &[G(A, B), G(A, B)], pma("pw_multi_aff_add"), |a, b| {
        Ok(a.g(0).add(a.g(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("g sub", &[G(A, B), G(A, B)], pma("pw_multi_aff_sub"), |a, b| {
        Ok(a.g(0).sub(a.g(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("g neg", &[G(A, B)], pma("pw_multi_aff_neg"), |a, _| {
        Ok(a.g(0).neg().into())
    })
    .function(|p, x| each(p, x, |v| -v)),
    case(
        "g scale",
        &[G(A, B)],
        Call::With(|isl, o, a| isl.apply_value("pw_multi_aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.g(0).scale(&Int::from(a.value())).into()),
    ),
    case(
        "g union add",
        &[G(A, B), G(A, B)],
        pma("pw_multi_aff_union_add"),
        |a, b| Ok(a.g(0).union_add(a.g(1), b)?.into()),
    )
    .function(|p, x| either(p, x, |v, w| v + w)),
    case(
        "g union lexmin",
        &[G(A, B), G(A, B)],
        pma("pw_multi_aff_union_lexmin"),
        |a, b| Ok(a.g(0).union_lexmin(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).into_iter().chain(p.value(1, x)).min()),
    case(
        "g union lexmax",
        &[G(A, B), G(A, B)],
        pma("pw_multi_aff_union_lexmax"),
        |a, b| Ok(a.g(0).union_lexmax(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).max(p.value(1, x))),
    case("g or else", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).or_else(a.g(1), b)?.into())
    })
    .function(|p, x| p.value(0, x).or_else(|| p.value(1, x))),
    case("g eq set", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).eq_set(a.g(1), b)?.into())
    })
    .local(|p, x| p.value(0, x).is_some() && p.value(0, x) == p.value(1, x)),
    case("g lex lt set", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).lex_lt_set(a.g(1), b)?.into())
    })
    .local(|p, x| p.value(0, x).zip(p.value(1, x)).is_some_and(|(v, w)| v < w)),
    case("g lex le set", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).lex_le_set(a.g(1), b)?.into())
    })
    .local(|p, x| p.value(0, x).zip(p.value(1, x)).is_some_and(|(v, w)| v <= w)),
    case("g domain", &[G(A, B)], f("pw_multi_aff_domain"), |a, _| {
        Ok(a.g(0).domain().into())
    })
    .local(|p, x| p.value(0, x).is_some()),
    case(
        "g range",
        &[G(A, B)],
        Call::With(|isl, o, _| isl.apply("map_range", Kind::Map, vec![one(o).to_map()?])),
        |a, b| Ok(a.g(0).range(b)?.into()),
    ),
    case(
        "g intersect domain",
        &[G(A, B), S(A)],
        pma("pw_multi_aff_intersect_domain"),
        |a, b| Ok(a.g(0).intersect_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, x))),
    case(
        "g intersect params",
        &[G(A, B), P],
        pma("pw_multi_aff_intersect_params"),
        |a, b| Ok(a.g(0).intersect_params(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, &[]))),
    case(
        "g subtract domain",
        &[G(A, B), S(A)],
        pma("pw_multi_aff_subtract_domain"),
        |a, b| Ok(a.g(0).subtract_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| !p.has(1, x))),
    case("g intersect range", &[G(A, B), S(B)], Call::Nothing, |a, b| {
        Ok(a.g(0).intersect_range(a.set(1), b)?.into())
    })
    .function(|p, x| p.value(0, x).filter(|y| p.has_value(1, y))),
    case(
        "g preimage",
        &[G(A, B), S(B)],
        // isl's own function gives empty sets the wrong space.
        Call::With(|isl, o, _| {
            let mut operands = o.into_iter();
            let (g, set) = (operands.next()?, operands.next()?);
            let back = isl.apply("map_reverse", Kind::Map, vec![g.to_map()?])?;
            isl.apply("set_apply", Kind::Map, vec![set, back])
        }),
        |a, b| Ok(a.g(0).preimage(a.set(1), b)?.into()),
    )
    .local(|p, x| p.value(0, x).is_some_and(|y| p.has_value(1, &y))),
    case("g gist", &[G(A, B), S(A)], pma("pw_multi_aff_gist"), |a, b| {
        Ok(a.g(0).gist(a.set(1), b)?.into())
    })
    .check(Check::After("pw_multi_aff_intersect_domain")),
    case(
        "g gist params",
        &[G(A, B), P],
        pma("pw_multi_aff_gist_params"),
        |a, b| Ok(a.g(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("pw_multi_aff_intersect_params")),
    case("g coalesce", &[G(A, B)], pma("pw_multi_aff_coalesce"), |a, b| {
        Ok(a.g(0).coalesce(b)?.into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "g pullback",
        &[G(B, C), G(A, B)],
        pma("pw_multi_aff_pullback_pw_multi_aff"),
        |a, b| Ok(a.g(0).pullback(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case(
        "g range product",
        &[G(A, B), G(A, C)],
        pma("pw_multi_aff_range_product"),
        |a, b| Ok(a.g(0).range_product(a.g(1), b)?.into()),
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case(
        "g flat range product",
        &[G(A, B), G(A, C)],
        pma("pw_multi_aff_flat_range_product"),
        |a, b| Ok(a.g(0).flat_range_product(a.g(1), b)?.into()),
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case("g product", &[G(A, B), G(C, B)], pma("pw_multi_aff_product"), |a, b| {
        Ok(a.g(0).product(a.g(1), b)?.into())
    })
    .function(|p, x| Some([p.value(0, &x[..p.tuple(0)])?, p.value(1, &x[p.tuple(0)..])?].concat())),
    case(
        "g component",
        &[G(A, B)],
        Call::With(|isl, o, a| isl.component(one(o), a.dim(a.n[1]))),
        |a, _| Ok(a.g(0).component(a.dim(a.n[1])).into()),
    )
    .at_least(0, 1, 0),
    case(
        "g is equal",
        &[G(A, B), G(A, B)],
        Call::Ask("pw_multi_aff_is_equal"),
        |a, b| Ok(a.g(0).is_equal(a.g(1), b)?.into()),
    ),
    case("g to map", &[G(A, B)], f("map_from_pw_multi_aff"), |a, _| {
        Ok(a.g(0).to_map().into())
    })
    .local(same),
    case(
        "g from map",
        &[G(A, B)],
        Call::With(|isl, o, _| isl.apply("pw_multi_aff_from_map", Kind::PwMultiAff, vec![one(o).to_map()?])),
        |a, b| Ok(PwMultiAff::from_map(&a.g(0).to_map(), b)?.map_or(Value::Nothing, Value::PwMultiAff)),
    )
    .function(|p, x| p.value(0, x)),
    case("union f add", &[UF, UF], upa("union_pw_aff_add"), |a, b| {
        Ok(a.uf(0).add(a.uf(1), b)?.into())
    }),
    case("union f sub", &[UF, UF], upa("union_pw_aff_sub"), |a, b| {
        Ok(a.uf(0).sub(a.uf(1), b)?.into())
    }),
    case("union f neg", &[UF], upa("union_pw_aff_neg"), |a, _| {
        Ok(a.uf(0).neg().into())
    }),
    case("union f floor", &[UF], upa("union_pw_aff_floor"), |a, _| {
        Ok(a.uf(0).floor().into())
    }),
    case(
        "union f modulo",
        &[UF],
        Call::With(|isl, o, a| isl.apply_value("union_pw_aff_mod_val", one(o), a.positive())),
        |a, _| Ok(a.uf(0).modulo(&Int::from(a.positive())).into()),
    ),
    case("union f union add", &[UF, UF], upa("union_pw_aff_union_add"), |a, b| {
        Ok(a.uf(0).union_add(a.uf(1), b)?.into())
    }),
    case(
        "union f intersect domain",
        &[UF, US],
        upa("union_pw_aff_intersect_domain"),
        |a, b| Ok(a.uf(0).intersect_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union f subtract domain",
        &[UF, US],
        upa("union_pw_aff_subtract_domain"),
        |a, b| Ok(a.uf(0).subtract_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union f intersect params",
        &[UF, P],
        upa("union_pw_aff_intersect_params"),
        |a, b| Ok(a.uf(0).intersect_params(a.set(1), b)?.into()),
    ),
    case("union f zero set", &[UF], us("union_pw_aff_zero_union_set"), |a, _| {
        Ok(a.uf(0).zero_set().into())
    }),
    case("union f domain", &[UF], us("union_pw_aff_domain"), |a, _| {
        Ok(a.uf(0).domain().into())
    }),
    case("union f gist", &[UF, US], upa("union_pw_aff_gist"), |a, b| {
        Ok(a.uf(0).gist(a.sets(1), b)?.into())
    })
    .check(Check::After("union_pw_aff_intersect_domain")),
    case("union f coalesce", &[UF], upa("union_pw_aff_coalesce"), |a, b| {
        Ok(a.uf(0).coalesce(b)?.into())
    }),
    case("union g add", &[UG, UG], upma("union_pw_multi_aff_add"), |a, b| {
        Ok(a.ug(0).add(a.ug(1), b)?.into())
    }),
    case("union g sub", &[UG, UG], upma("union_pw_multi_aff_sub"), |a, b| {
        Ok(a.ug(0).sub(a.ug(1), b)?.into())
    }),
    case(
        "union g intersect domain",
        &[UG, US],
        upma("union_pw_multi_aff_intersect_domain"),
        |a, b| Ok(a.ug(0).intersect_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union g subtract domain",
        &[UG, US],
        upma("union_pw_multi_aff_subtract_domain"),
        |a, b| Ok(a.ug(0).subtract_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union g intersect params",
        &[UG, P],
        upma("union_pw_multi_aff_intersect_params"),
        |a, b| Ok(a.ug(0).intersect_params(a.set(1), b)?.into()),
    ),
    case("union g domain", &[UG], us("union_pw_multi_aff_domain"), |a, _| {
        Ok(a.ug(0).domain().into())
    }),
    case("union g gist", &[UG, US], upma("union_pw_multi_aff_gist"), |a, b| {
        Ok(a.ug(0).gist(a.sets(1), b)?.into())
    })
    .check(Check::After("union_pw_multi_aff_intersect_domain")),
    case(
        "union g coalesce",
        &[UG],
        upma("union_pw_multi_aff_coalesce"),
        |a, b| Ok(a.ug(0).coalesce(b)?.into()),
    ),
    case(
        "union g to map",
        &[UG],
        um("union_map_from_union_pw_multi_aff"),
        |a, _| Ok(a.ug(0).to_union_map().into()),
    ),
    case(
        "f add constant",
        &[F(A)],
        Call::With(|isl, o, a| isl.apply_value("pw_aff_add_constant_val", one(o), a.value())),
        |a, _| Ok(a.f(0).add_constant(&Int::from(a.value())).into()),
    ),
    case(
        "f mul",
        &[F(A)],
        Call::With(|isl, o, a| {
            let zero = isl.apply_value("pw_aff_scale_val", o[0].clone(), 0)?;
            let constant = isl.apply_value("pw_aff_add_constant_val", zero, a.value())?;
            isl.apply("pw_aff_mul", Kind::PwAff, vec![one(o), constant])
        }),
        |a, b| {
            let constant = a.f(0).scale(&Int::ZERO).add_constant(&Int::from(a.value()));
            Ok(a.f(0).mul(&constant, b)?.map_or(Value::Nothing, Value::PwAff))
        },
    ),
    case(
        "f union",
        &[F(A), F(A)],
        Call::With(|isl, o, _| union_of_graphs(isl, o, "map_union", Kind::Map)),
        |a, b| {
            let graphs = || a.f(0).to_map().union(&a.f(1).to_map());
            Ok(a.f(0).union(a.f(1), b)?.map_or_else(graphs, |f| f.to_map()).into())
        },
    ),
    case(
        "f have a union",
        &[F(A), F(A)],
        Call::Text(|isl, o, _| {
            let union = union_of_graphs(isl, o.to_vec(), "map_union", Kind::Map)?;
            Some(isl.answer("map_is_single_valued", &[union])?.to_string())
        }),
        |a, b| Ok(Value::Text(a.f(0).union(a.f(1), b)?.is_some().to_string())),
    ),
    case("f to pw multi aff", &[F(A)], f("map_from_pw_aff"), |a, _| {
        Ok(a.f(0).to_pw_multi_aff().to_map().into())
    })
    .local(same),
    case("f from map", &[F(A)], pa("pw_aff_coalesce"), |a, b| {
        Ok(PwAff::from_map(&a.f(0).to_map(), b)?.map_or(Value::Nothing, Value::PwAff))
    })
    .function(|p, x| p.value(0, x)),
    case(
        "f with domain tuple",
        &[F(A)],
        Call::With(|isl, o, _| isl.apply_kind("map_reset_tuple_id", one(o).to_map()?, IN)),
        |a, _| Ok(a.f(0).with_domain_tuple(Tuple::anonymous(a.n[0])).to_map().into()),
    )
    .local(same),
    case(
        "f min val",
        &[F(A)],
        Call::Text(|isl, o, _| Some(finite(isl.value("pw_aff_min_val", &o[0])?))),
        |a, b| Ok(Value::Text(fixed_text(a.f(0).min_val(b)?))),
    )
    .with_bounds(),
    case(
        "f max val",
        &[F(A)],
        Call::Text(|isl, o, _| Some(finite(isl.value("pw_aff_max_val", &o[0])?))),
        |a, b| Ok(Value::Text(fixed_text(a.f(0).max_val(b)?))),
    )
    .with_bounds(),
    case("f is plainly equal", &[F(A), F(A)], Call::Nothing, |a, _| {
        Ok(a.f(a.f(0).is_plainly_equal(a.f(1)) as usize).clone().into())
    })
    .function(|p, x| p.value(0, x)),
    case("g is plainly equal", &[G(A, B), G(A, B)], Call::Nothing, |a, _| {
        Ok(a.g(a.g(0).is_plainly_equal(a.g(1)) as usize).clone().into())
    })
    .function(|p, x| p.value(0, x)),
    case("g identity", &[S(A)], f("set_identity"), |a, _| {
        Ok(PwMultiAff::identity(a.set(0)).into())
    })
    .function(|p, x| p.has(0, x).then(|| x.iter().map(|v| i128::from(*v)).collect())),
    case("g floor", &[G(A, B)], pma("pw_multi_aff_coalesce"), |a, _| {
        Ok(a.g(0).floor().into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "g union",
        &[G(A, B), G(A, B)],
        Call::With(|isl, o, _| union_of_graphs(isl, o, "map_union", Kind::Map)),
        |a, b| {
            let graphs = || a.g(0).to_map().union(&a.g(1).to_map());
            Ok(a.g(0).union(a.g(1), b)?.map_or_else(graphs, |g| g.to_map()).into())
        },
    ),
    case(
        "g have a union",
        &[G(A, B), G(A, B)],
        Call::Text(|isl, o, _| {
            let union = union_of_graphs(isl, o.to_vec(), "map_union", Kind::Map)?;
            Some(isl.answer("map_is_single_valued", &[union])?.to_string())
        }),
        |a, b| Ok(Value::Text(a.g(0).union(a.g(1), b)?.is_some().to_string())),
    ),
    case(
        "g with range tuple",
        &[G(B, A)],
        Call::With(|isl, o, _| isl.apply_kind("map_reset_tuple_id", one(o).to_map()?, OUT)),
        |a, _| Ok(a.g(0).with_range_tuple(Tuple::anonymous(a.n[0])).to_map().into()),
    )
    .local(same),
    case(
        "g from set",
        &[S(A)],
        Call::Text(|isl, o, _| {
            let images = isl.apply("map_from_range", Kind::Map, vec![o[0].clone()])?;
            Some(isl.answer("map_is_single_valued", &[images])?.to_string())
        }),
        |a, b| Ok(Value::Text(PwMultiAff::from_set(a.set(0), b)?.is_some().to_string())),
    ),
    case(
        "union f scale",
        &[UF],
        Call::With(|isl, o, a| isl.apply_value("union_pw_aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.uf(0).scale(&Int::from(a.value())).into()),
    ),
    case(
        "union f divide and floor",
        &[UF],
        Call::With(|isl, o, a| {
            let divided = isl.apply_value("union_pw_aff_scale_down_val", one(o), a.positive())?;
            isl.apply("union_pw_aff_floor", Kind::UnionPwAff, vec![divided])
        }),
        |a, _| Ok(a.uf(0).divide(&Int::from(a.positive())).floor().into()),
    ),
    case(
        "union f union",
        &[UF, UF],
        Call::With(|isl, o, _| union_of_graphs(isl, o, "union_map_union", Kind::UnionMap)),
        |a, b| {
            let graphs = || a.uf(0).to_union_map().union(&a.uf(1).to_union_map());
            Ok((a.uf(0).union(a.uf(1), b)?)
                .map_or_else(graphs, |f| f.to_union_map())
                .into())
        },
    ),
    case(
        "union f gist params",
        &[UF, P],
        upa("union_pw_aff_gist_params"),
        |a, b| Ok(a.uf(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("union_pw_aff_intersect_params")),
    case(
        "union f pullback",
        &[UF, UG],
        upa("union_pw_aff_pullback_union_pw_multi_aff"),
        |a, b| Ok((a.uf(0).pullback(a.ug(1), b)?).map_or(Value::Nothing, Value::UnionPwAff)),
    ),
    case(
        "union f is equal",
        &[UF, UF],
        Call::Text(|isl, o, _| same_graphs(isl, o)),
        |a, b| Ok(Value::Text(a.uf(0).is_equal(a.uf(1), b)?.to_string())),
    ),
    case("union f to map", &[UF], um("union_map_from_union_pw_aff"), |a, _| {
        Ok(a.uf(0).to_union_map().into())
    }),
    case(
        "union f to union g",
        &[UF],
        um("union_map_from_union_pw_aff"),
        |a, _| Ok(a.uf(0).to_union_pw_multi_aff().to_union_map().into()),
    ),
    case("union f constant", &[US], us("union_set_coalesce"), |a, b| {
        let value = Int::from(a.value());
        let constant = UnionPwAff::constant(a.sets(0), &value);
        let zero = constant.sub(&UnionPwAff::constant(a.sets(0), &value), b)?;
        Ok(zero.zero_set().into())
    }),
    case("union g identity", &[US], um("union_set_identity"), |a, _| {
        Ok(UnionPwMultiAff::identity(a.sets(0)).to_union_map().into())
    }),
    case(
        "union g from map",
        &[UG],
        upma("union_pw_multi_aff_coalesce"),
        |a, b| {
            let graph = a.ug(0).to_union_map();
            Ok(UnionPwMultiAff::from_union_map(&graph, b)?.map_or(Value::Nothing, Value::UnionPwMultiAff))
        },
    ),
    case(
        "union g union",
        &[UG, UG],
        Call::With(|isl, o, _| union_of_graphs(isl, o, "union_map_union", Kind::UnionMap)),
        |a, b| {
            let graphs = || a.ug(0).to_union_map().union(&a.ug(1).to_union_map());
            Ok((a.ug(0).union(a.ug(1), b)?)
                .map_or_else(graphs, |g| g.to_union_map())
                .into())
        },
    ),
    case(
        "union g intersect range",
        &[UG, US],
        Call::With(|isl, o, _| {
            let mut o = o.into_iter();
            let (graph, range) = (o.next()?.to_map()?, o.next()?);
            isl.apply("union_map_intersect_range", Kind::UnionMap, vec![graph, range])
        }),
        |a, b| Ok(a.ug(0).intersect_range(a.sets(1), b)?.to_union_map().into()),
    ),
    case(
        "union g pullback",
        &[UG, UG],
        upma("union_pw_multi_aff_pullback_union_pw_multi_aff"),
        |a, b| Ok((a.ug(0).pullback(a.ug(1), b)?).map_or(Value::Nothing, Value::UnionPwMultiAff)),
    ),
    case(
        "union g is equal",
        &[UG, UG],
        Call::Text(|isl, o, _| same_graphs(isl, o)),
        |a, b| Ok(Value::Text(a.ug(0).is_equal(a.ug(1), b)?.to_string())),
    ),
    case("f align params", &[F(A), F(A)], Call::Nothing, |a, _| {
        let params = a.f(0).params().union(a.f(1).params());
        Ok(a.f(0).align_params(&params).into())
    })
    .function(|p, x| p.value(0, x)),
    case("g align params", &[G(A, B), G(A, B)], Call::Nothing, |a, _| {
        let params = a.g(0).params().union(a.g(1).params());
        Ok(a.g(0).align_params(&params).into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "union f extract",
        &[UF, UF],
        Call::With(|_, o, _| one(o).to_map()),
        |a, b| {
            let params = a.uf(0).params().union(a.uf(1).params());
            let mut all = UnionPwAff::empty(params.clone());
            for part in a.uf(0).align_params(&params).pw_affs() {
                let part = a.uf(0).extract(&part.space().tuple);
                all = all.union_add(&part.into(), b)?;
            }
            Ok(all.to_union_map().into())
        },
    ),
    case(
        "union g extract",
        &[UG, UG],
        Call::With(|_, o, _| one(o).to_map()),
        |a, b| {
            let params = a.ug(0).params().union(a.ug(1).params());
            let mut all = Some(UnionPwMultiAff::empty(params.clone()));
            for part in a.ug(0).align_params(&params).pw_multi_affs() {
                let part = a.ug(0).extract(&part.space().domain, &part.space().range);
                all = match all {
                    Some(all) => all.union(&part.into(), b)?,
                    None => None,
                };
            }
            Ok(all.map_or(Value::Nothing, |all| all.to_union_map().into()))
        },
    ),
];
