//! Operations on tuples of piecewise expressions, and of unions of them.

use super::Shape::{G, MU, P, S, UG, US};
use super::T::{A, B, C};
use super::functions::{same_graphs, union_of_graphs};
use super::{Call, Case, Check, Value, both, case, each, f, multi, mupa, one, same, um, upma, us};
use crate::isl::{Isl, Kind, Object};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{MultiPwAff, MultiUnionPwAff};

/// A piecewise tuple as a tuple of piecewise expressions.
fn tuple<'a>(isl: &'a Isl, object: Object<'a>) -> Option<Object<'a>> {
    isl.apply("multi_pw_aff_from_pw_multi_aff", Kind::MultiPwAff, vec![object])
}

pub(super) const CASES: &[Case] = &[
    case("multi add", &[G(A, B), G(A, B)], multi("multi_pw_aff_add"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().add(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("multi sub", &[G(A, B), G(A, B)], multi("multi_pw_aff_sub"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().sub(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("multi min", &[G(A, B), G(A, B)], multi("multi_pw_aff_min"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().min(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.min(w))),
    case("multi max", &[G(A, B), G(A, B)], multi("multi_pw_aff_max"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().max(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.max(w))),
    case("multi neg", &[G(A, B)], multi("multi_pw_aff_neg"), |a, _| {
        Ok(a.g(0).to_multi_pw_aff().neg().into())
    })
    .function(|p, x| each(p, x, |v| -v)),
    case("multi coalesce", &[G(A, B)], multi("multi_pw_aff_coalesce"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().coalesce(b)?.into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "multi flat range product",
        &[G(A, B), G(A, C)],
        multi("multi_pw_aff_flat_range_product"),
        |a, b| {
            Ok(a.g(0)
                .to_multi_pw_aff()
                .flat_range_product(&a.g(1).to_multi_pw_aff(), b)?
                .into())
        },
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case(
        "multi range product",
        &[G(A, B), G(A, C)],
        multi("multi_pw_aff_range_product"),
        |a, b| {
            Ok(a.g(0)
                .to_multi_pw_aff()
                .range_product(&a.g(1).to_multi_pw_aff(), b)?
                .into())
        },
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case(
        "multi scale",
        &[G(A, B)],
        Call::With(|isl, o, a| isl.apply_value("multi_pw_aff_scale_val", tuple(isl, one(o))?, a.value())),
        |a, _| Ok(a.g(0).to_multi_pw_aff().scale(&Int::from(a.value())).into()),
    ),
    case("multi floor", &[G(A, B)], multi("multi_pw_aff_coalesce"), |a, _| {
        Ok(a.g(0).to_multi_pw_aff().floor().into())
    })
    .function(|p, x| p.value(0, x)),
    case("multi modulo", &[G(A, B)], Call::Nothing, |a, _| {
        Ok(a.g(0).to_multi_pw_aff().modulo(&Int::from(3)).into())
    })
    .function(|p, x| each(p, x, |v| v.rem_euclid(3))),
    case(
        "multi domain",
        &[G(A, B)],
        Call::With(|isl, o, _| isl.apply("multi_pw_aff_domain", Kind::Map, vec![tuple(isl, one(o))?])),
        |a, _| Ok(a.g(0).to_multi_pw_aff().domain().into()),
    )
    .local(|p, x| p.value(0, x).is_some()),
    case(
        "multi intersect domain",
        &[G(A, B), S(A)],
        multi("multi_pw_aff_intersect_domain"),
        |a, b| Ok(a.g(0).to_multi_pw_aff().intersect_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, x))),
    case(
        "multi intersect params",
        &[G(A, B), P],
        multi("multi_pw_aff_intersect_params"),
        |a, b| Ok(a.g(0).to_multi_pw_aff().intersect_params(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, &[] as &[i64]))),
    case("multi gist", &[G(A, B), S(A)], multi("multi_pw_aff_gist"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().gist(a.set(1), b)?.into())
    })
    .check(Check::After("multi_pw_aff_intersect_domain")),
    case(
        "multi pullback",
        &[G(B, C), G(A, B)],
        Call::With(|isl, o, _| {
            let mut o = o.into_iter();
            let (f, g) = (tuple(isl, o.next()?)?, o.next()?);
            isl.apply("multi_pw_aff_pullback_pw_multi_aff", Kind::MultiPwAff, vec![f, g])
        }),
        |a, b| Ok(a.g(0).to_multi_pw_aff().pullback(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case(
        "multi to pw multi aff",
        &[G(A, B)],
        Call::With(|isl, o, _| {
            isl.apply(
                "pw_multi_aff_from_multi_pw_aff",
                Kind::PwMultiAff,
                vec![tuple(isl, one(o))?],
            )
        }),
        |a, b| Ok(a.g(0).to_multi_pw_aff().to_pw_multi_aff(b)?.into()),
    )
    .function(|p, x| p.value(0, x)),
    case("multi to map", &[G(A, B)], f("map_from_pw_multi_aff"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().to_map(b)?.into())
    })
    .local(same),
    case(
        "multi is equal",
        &[G(A, B), G(A, B)],
        // isl's own function does not compare the domains of tuples without expressions.
        Call::Text(|isl, o, _| {
            let graphs: Option<Vec<Object<'_>>> = o.iter().map(|o| o.clone().to_map()).collect();
            Some(isl.answer("map_is_equal", &graphs?)?.to_string())
        }),
        |a, b| {
            let equal = a.g(0).to_multi_pw_aff().is_equal(&a.g(1).to_multi_pw_aff(), b)?;
            Ok(Value::Text(equal.to_string()))
        },
    ),
    case("multi identity", &[S(A)], f("set_identity"), |a, b| {
        let identity = MultiPwAff::identity(a.set(0).space().clone());
        Ok(identity.intersect_domain(a.set(0), b)?.into())
    })
    .function(|p, x| p.has(0, x).then(|| x.iter().map(|v| i128::from(*v)).collect())),
    case("unions add", &[MU, MU], mupa("multi_union_pw_aff_add"), |a, b| {
        Ok(a.mu(0).add(a.mu(1), b)?.into())
    }),
    case("unions sub", &[MU, MU], mupa("multi_union_pw_aff_sub"), |a, b| {
        Ok(a.mu(0).sub(a.mu(1), b)?.into())
    }),
    case("unions neg", &[MU], mupa("multi_union_pw_aff_neg"), |a, _| {
        Ok(a.mu(0).neg().into())
    }),
    case(
        "unions scale",
        &[MU],
        Call::With(|isl, o, a| isl.apply_value("multi_union_pw_aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.mu(0).scale(&Int::from(a.value())).into()),
    ),
    case("unions floor", &[MU], mupa("multi_union_pw_aff_floor"), |a, _| {
        Ok(a.mu(0).floor().into())
    }),
    case(
        "unions modulo",
        &[MU],
        Call::With(|isl, o, a| {
            let component = isl.component(one(o), a.dim(a.n[2]))?;
            isl.apply_value("union_pw_aff_mod_val", component, a.positive())
        }),
        |a, _| {
            let modulo = a.mu(0).modulo(&Int::from(a.positive()));
            Ok(modulo.affs()[a.dim(a.n[2])].clone().into())
        },
    )
    .at_least(0, 0, 1),
    case(
        "unions intersect domain",
        &[MU, US],
        mupa("multi_union_pw_aff_intersect_domain"),
        |a, b| Ok(a.mu(0).intersect_domain(a.sets(1), b)?.into()),
    ),
    case(
        "unions intersect params",
        &[MU, P],
        mupa("multi_union_pw_aff_intersect_params"),
        |a, b| Ok(a.mu(0).intersect_params(a.set(1), b)?.into()),
    ),
    case("unions domain", &[MU], us("multi_union_pw_aff_domain"), |a, _| {
        Ok(a.mu(0).domain().into())
    }),
    case("unions gist", &[MU, US], mupa("multi_union_pw_aff_gist"), |a, b| {
        Ok(a.mu(0).gist(a.sets(1), b)?.into())
    })
    .check(Check::After("multi_union_pw_aff_intersect_domain")),
    case("unions coalesce", &[MU], mupa("multi_union_pw_aff_coalesce"), |a, b| {
        Ok(a.mu(0).coalesce(b)?.into())
    }),
    case(
        "unions union",
        &[MU, MU],
        Call::With(|isl, o, _| union_of_graphs(isl, o, "union_map_union", Kind::UnionMap)),
        |a, b| {
            Ok(match a.mu(0).union(a.mu(1), b)? {
                Some(union) => union.to_union_map(b)?.into(),
                None => a.mu(0).to_union_map(b)?.union(&a.mu(1).to_union_map(b)?).into(),
            })
        },
    ),
    case(
        "unions have a union",
        &[MU, MU],
        Call::Text(|isl, o, _| {
            let union = union_of_graphs(isl, o.to_vec(), "union_map_union", Kind::UnionMap)?;
            Some(isl.answer("union_map_is_single_valued", &[union])?.to_string())
        }),
        |a, b| Ok(Value::Text(a.mu(0).union(a.mu(1), b)?.is_some().to_string())),
    ),
    case(
        "unions pullback",
        &[MU, UG],
        mupa("multi_union_pw_aff_pullback_union_pw_multi_aff"),
        |a, b| Ok((a.mu(0).pullback(a.ug(1), b)?).map_or(Value::Nothing, Value::MultiUnionPwAff)),
    ),
    case(
        "unions flat range product",
        &[MU, MU],
        mupa("multi_union_pw_aff_flat_range_product"),
        |a, b| Ok(a.mu(0).flat_range_product(a.mu(1), b)?.into()),
    ),
    case(
        "unions to union pw multi aff",
        &[MU],
        upma("union_pw_multi_aff_from_multi_union_pw_aff"),
        |a, b| Ok(a.mu(0).to_union_pw_multi_aff(b)?.into()),
    ),
    case(
        "unions from union pw multi aff",
        &[MU],
        mupa("multi_union_pw_aff_coalesce"),
        |a, b| {
            let function = a.mu(0).to_union_pw_multi_aff(b)?;
            let range = a.mu(0).range_tuple().clone();
            Ok(MultiUnionPwAff::from_union_pw_multi_aff(&function, range).into())
        },
    ),
    case(
        "unions to union map",
        &[MU],
        um("union_map_from_multi_union_pw_aff"),
        |a, b| Ok(a.mu(0).to_union_map(b)?.into()),
    ),
    case(
        "unions is equal",
        &[MU, MU],
        Call::Text(|isl, o, _| same_graphs(isl, o)),
        |a, b| Ok(Value::Text(a.mu(0).is_equal(a.mu(1), b)?.to_string())),
    ),
    case("multi align params", &[G(A, B), G(A, B)], Call::Nothing, |a, _| {
        let params = a.g(0).params().union(a.g(1).params());
        Ok(a.g(0).to_multi_pw_aff().align_params(&params).into())
    })
    .function(|p, x| p.value(0, x)),
    case("multi is plainly equal", &[G(A, B), G(A, B)], Call::Nothing, |a, _| {
        let tuples = [a.g(0).to_multi_pw_aff(), a.g(1).to_multi_pw_aff()];
        let equal = tuples[0].is_plainly_equal(&tuples[1]);
        Ok(tuples[equal as usize].clone().into())
    })
    .function(|p, x| p.value(0, x)),
];
