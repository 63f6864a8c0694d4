//! Operations on quasi-affine expressions and tuples of them.

use super::Shape::{E, F, G, H, M, S};
use super::T::{A, B, C};
use super::{Call, Case, Check, Value, aff, both, bound_text, case, each, f, ma, one, pa, pma};
use crate::isl::{Isl, Kind, Object};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Map, MultiAff, PwAff, PwMultiAff, Tuple};

/// The quotient in isl.
fn quotient<'a>(isl: &'a Isl, objects: Vec<Object<'a>>, by: i64, name: &str) -> Option<Object<'a>> {
    let divided = isl.apply_value("aff_scale_down_val", one(objects), by)?;
    isl.apply(name, Kind::Aff, vec![divided])
}

pub(super) const CASES: &[Case] = &[
    case("e add", &[E(A), E(A)], aff("aff_add"), |a, _| {
        Ok(a.e(0).add(a.e(1)).into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("e sub", &[E(A), E(A)], aff("aff_sub"), |a, _| {
        Ok(a.e(0).sub(a.e(1)).into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("e neg", &[E(A)], aff("aff_neg"), |a, _| Ok(a.e(0).neg().into())).function(|p, x| each(p, x, |v| -v)),
    case(
        "e scale",
        &[E(A)],
        Call::With(|isl, o, a| isl.apply_value("aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.e(0).scale(&Int::from(a.value())).into()),
    ),
    case(
        "e add constant",
        &[E(A)],
        Call::With(|isl, o, a| isl.apply_value("aff_add_constant_val", one(o), a.value())),
        |a, _| Ok(a.e(0).add_constant(&Int::from(a.value())).into()),
    ),
    case(
        "e divide and floor",
        &[E(A)],
        Call::With(|isl, o, a| quotient(isl, o, a.positive(), "aff_floor")),
        |a, _| Ok(a.e(0).divide(&Int::from(a.positive())).floor().into()),
    ),
    case(
        "e floor div",
        &[E(A)],
        Call::With(|isl, o, a| quotient(isl, o, a.positive(), "aff_floor")),
        |a, _| Ok(a.e(0).floor_div(&Int::from(a.positive())).into()),
    ),
    case(
        "e divide and ceil",
        &[E(A)],
        Call::With(|isl, o, a| quotient(isl, o, a.positive(), "aff_ceil")),
        |a, _| Ok(a.e(0).divide(&Int::from(a.positive())).ceil().into()),
    ),
    case(
        "e modulo",
        &[E(A)],
        Call::With(|isl, o, a| isl.apply_value("aff_mod_val", one(o), a.positive())),
        |a, _| Ok(a.e(0).modulo(&Int::from(a.positive())).into()),
    ),
    case(
        "e integral set",
        &[E(A)],
        // The relation has pairs only where the value is an integer.
        Call::With(|isl, o, a| {
            let divided = isl.apply_value("aff_scale_down_val", one(o), a.positive())?;
            isl.apply("map_domain", Kind::Map, vec![divided.to_map()?])
        }),
        |a, _| Ok(a.e(0).divide(&Int::from(a.positive())).integral_set().into()),
    ),
    case(
        "e mul",
        &[E(A)],
        Call::With(|isl, o, a| {
            let zero = isl.apply_value("aff_scale_val", o[0].clone(), 0)?;
            let constant = isl.apply_value("aff_add_constant_val", zero, a.value())?;
            isl.apply("aff_mul", Kind::Aff, vec![one(o), constant])
        }),
        |a, _| {
            let constant = Aff::constant(a.e(0).space().clone(), Int::from(a.value()));
            Ok(a.e(0).mul(&constant).map_or(Value::Nothing, Value::Aff))
        },
    ),
    case(
        "e gist",
        &[E(A), S(A)],
        Call::With(|isl, o, _| {
            let gist = isl.apply("aff_gist", Kind::Aff, o)?;
            isl.apply("pw_aff_from_aff", Kind::PwAff, vec![gist])
        }),
        |a, b| Ok(PwAff::from(a.e(0).gist(a.set(1), b)?).into()),
    )
    .check(Check::After("pw_aff_intersect_domain")),
    case("e pullback", &[E(B), H(A, B)], aff("aff_pullback_multi_aff"), |a, _| {
        Ok(a.e(0).pullback(a.h(1)).into())
    })
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case("e min", &[E(A), E(A)], Call::Nothing, |a, b| {
        Ok(a.e(0).min(a.e(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.min(w))),
    case("e max", &[E(A), E(A)], Call::Nothing, |a, b| {
        Ok(a.e(0).max(a.e(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.max(w))),
    case("e insert dims", &[E(A)], Call::Nothing, |a, _| {
        Ok(a.e(0).insert_dims(0, 1, Tuple::anonymous(a.n[0] + 1)).into())
    })
    .function(|p, x| p.value(0, &x[1..])),
    case("e equal", &[E(A), E(B)], Call::Nothing, |a, _| {
        Ok(Map::equal(a.e(0), a.e(1)).into())
    })
    .local(|p, x| p.value(0, &x[..p.tuple(0)]) == p.value(1, &x[p.tuple(0)..])),
    case("e less", &[E(A), E(B)], Call::Nothing, |a, _| {
        Ok(Map::less(a.e(0), a.e(1)).into())
    })
    .local(|p, x| p.value(0, &x[..p.tuple(0)]) < p.value(1, &x[p.tuple(0)..])),
    case("e eq set", &[E(A), E(A)], f("aff_eq_set"), |a, _| {
        Ok(a.e(0).eq_set(a.e(1)).into())
    })
    .local(|p, x| p.value(0, x) == p.value(1, x)),
    case("e ne set", &[E(A), E(A)], f("aff_ne_set"), |a, _| {
        Ok(a.e(0).ne_set(a.e(1)).into())
    })
    .local(|p, x| p.value(0, x) != p.value(1, x)),
    case("e le set", &[E(A), E(A)], f("aff_le_set"), |a, _| {
        Ok(a.e(0).le_set(a.e(1)).into())
    })
    .local(|p, x| p.value(0, x) <= p.value(1, x)),
    case("e lt set", &[E(A), E(A)], f("aff_lt_set"), |a, _| {
        Ok(a.e(0).lt_set(a.e(1)).into())
    })
    .local(|p, x| p.value(0, x) < p.value(1, x)),
    case("e ge set", &[E(A), E(A)], f("aff_ge_set"), |a, _| {
        Ok(a.e(0).ge_set(a.e(1)).into())
    })
    .local(|p, x| p.value(0, x) >= p.value(1, x)),
    case("e gt set", &[E(A), E(A)], f("aff_gt_set"), |a, _| {
        Ok(a.e(0).gt_set(a.e(1)).into())
    })
    .local(|p, x| p.value(0, x) > p.value(1, x)),
    case(
        "set minimum",
        &[S(A), E(A)],
        Call::Text(|isl, o, _| isl.optimum("set_min_val", &o[0], &o[1])),
        |a, b| Ok(Value::Text(bound_text(a.set(0).minimum(a.e(1), b)?, "-infty"))),
    ),
    case(
        "set maximum",
        &[S(A), E(A)],
        Call::Text(|isl, o, _| isl.optimum("set_max_val", &o[0], &o[1])),
        |a, b| Ok(Value::Text(bound_text(a.set(0).maximum(a.e(1), b)?, "infty"))),
    ),
    case("h add", &[H(A, B), H(A, B)], ma("multi_aff_add"), |a, _| {
        Ok(a.h(0).add(a.h(1)).into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("h sub", &[H(A, B), H(A, B)], ma("multi_aff_sub"), |a, _| {
        Ok(a.h(0).sub(a.h(1)).into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("h neg", &[H(A, B)], ma("multi_aff_neg"), |a, _| Ok(a.h(0).neg().into())).function(|p, x| each(p, x, |v| -v)),
    case(
        "h scale",
        &[H(A, B)],
        Call::With(|isl, o, a| isl.apply_value("multi_aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.h(0).scale(&Int::from(a.value())).into()),
    ),
    case("h floor", &[H(A, B)], ma("multi_aff_floor"), |a, _| {
        Ok(a.h(0).floor().into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "h gist",
        &[H(A, B), S(A)],
        Call::With(|isl, o, _| {
            let gist = isl.apply("multi_aff_gist", Kind::MultiAff, o)?;
            isl.apply("pw_multi_aff_from_multi_aff", Kind::PwMultiAff, vec![gist])
        }),
        |a, b| Ok(PwMultiAff::from(a.h(0).gist(a.set(1), b)?).into()),
    )
    .check(Check::After("pw_multi_aff_intersect_domain")),
    case(
        "h pullback",
        &[H(B, C), H(A, B)],
        ma("multi_aff_pullback_multi_aff"),
        |a, _| Ok(a.h(0).pullback(a.h(1)).into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case(
        "h flat range product",
        &[H(A, B), H(A, C)],
        ma("multi_aff_flat_range_product"),
        |a, _| Ok(a.h(0).flat_range_product(a.h(1)).into()),
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case(
        "h range product",
        &[H(A, B), H(A, C)],
        ma("multi_aff_range_product"),
        |a, _| Ok(a.h(0).range_product(a.h(1)).into()),
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case("h product", &[H(A, B), H(C, B)], ma("multi_aff_product"), |a, _| {
        Ok(a.h(0).product(a.h(1)).into())
    })
    .function(|p, x| Some([p.value(0, &x[..p.tuple(0)])?, p.value(1, &x[p.tuple(0)..])?].concat())),
    case("h eq set", &[H(A, B), H(A, B)], Call::Nothing, |a, _| {
        Ok(a.h(0).eq_set(a.h(1)).into())
    })
    .local(|p, x| p.value(0, x) == p.value(1, x)),
    case(
        "h lex lt set",
        &[H(A, B), H(A, B)],
        f("multi_aff_lex_lt_set"),
        |a, _| Ok(a.h(0).lex_lt_set(a.h(1)).into()),
    )
    .local(|p, x| p.value(0, x) < p.value(1, x)),
    case(
        "h lex le set",
        &[H(A, B), H(A, B)],
        f("multi_aff_lex_le_set"),
        |a, _| Ok(a.h(0).lex_le_set(a.h(1)).into()),
    )
    .local(|p, x| p.value(0, x) <= p.value(1, x)),
    case("h to map", &[H(A, B)], f("map_from_multi_aff"), |a, _| {
        Ok(a.h(0).to_map().into())
    })
    .local(|p, x| p.value(0, &x[..p.tuple(0)]) == Some(x[p.tuple(0)..].iter().map(|v| i128::from(*v)).collect())),
    case("h to multi pw aff", &[H(A, B)], Call::Nothing, |a, _| {
        Ok(a.h(0).to_multi_pw_aff().into())
    })
    .function(|p, x| p.value(0, x)),
    case("h identity", &[S(A)], f("set_identity"), |a, b| {
        let identity = MultiAff::identity(a.set(0).space().clone());
        Ok(PwMultiAff::new(a.set(0).clone(), identity).coalesce(b)?.into())
    })
    .function(|p, x| p.has(0, x).then(|| x.iter().map(|v| i128::from(*v)).collect())),
    case("set preimage", &[S(B), H(A, B)], f("set_preimage_multi_aff"), |a, _| {
        Ok(a.set(0).preimage(a.h(1)).into())
    })
    .local(|p, x| p.value(1, x).is_some_and(|y| p.has_value(0, &y))),
    case(
        "map preimage domain",
        &[M(B, C), H(A, B)],
        f("map_preimage_domain_multi_aff"),
        |a, _| Ok(a.map(0).preimage_domain(a.h(1)).into()),
    )
    .local(|p, x| {
        let (x, z) = x.split_at(p.tuple(0));
        let z = z.iter().map(|v| i128::from(*v)).collect();
        p.value(1, x).is_some_and(|y| p.has_value(0, &[y, z].concat()))
    }),
    case(
        "map preimage range",
        &[M(C, B), H(A, B)],
        f("map_preimage_range_multi_aff"),
        |a, _| Ok(a.map(0).preimage_range(a.h(1)).into()),
    )
    .local(|p, x| {
        let (z, x) = x.split_at(p.tuple(2));
        let z = z.iter().map(|v| i128::from(*v)).collect();
        p.value(1, x).is_some_and(|y| p.has_value(0, &[z, y].concat()))
    }),
    case(
        "g pullback h",
        &[G(B, C), H(A, B)],
        pma("pw_multi_aff_pullback_multi_aff"),
        |a, b| Ok(a.g(0).pullback(&PwMultiAff::from(a.h(1).clone()), b)?.into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case(
        "f pullback h",
        &[F(B), H(A, B)],
        pa("pw_aff_pullback_multi_aff"),
        |a, b| Ok(a.f(0).pullback_multi_aff(a.h(1), b)?.into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case("e align params", &[E(A), F(A)], Call::Nothing, |a, _| {
        let params = a.e(0).params().union(a.f(1).params());
        Ok(a.e(0).align_params(&params).into())
    })
    .function(|p, x| p.value(0, x)),
    case("h align params", &[H(A, B), F(A)], Call::Nothing, |a, _| {
        let params = a.h(0).params().union(a.f(1).params());
        Ok(a.h(0).align_params(&params).into())
    })
    .function(|p, x| p.value(0, x)),
    case("h with range tuple", &[H(B, A)], Call::Nothing, |a, _| {
        Ok(a.h(0).with_range_tuple(Tuple::anonymous(a.n[0])).into())
    })
    .function(|p, x| p.value(0, x)),
];
