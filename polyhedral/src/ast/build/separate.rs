//! Schedule domains in disjoint parts of one conjunction each (P1 section 5.4).

use crate::ast::build::Options;
use crate::ast::build::executed::Executed;
use crate::ast::build::gist::without_implied;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Conj, PwMultiAff, Set};

/// The domain in disjoint conjunctions, where nothing is asked. Values for which a statement's instances are different expressions
/// stay apart: a loop over them would only tell them apart again.
pub(super) fn parts(executed: &Executed, depth: usize, domain: &Set, b: &Budget) -> Outcome<Vec<Set>> {
    let fixed = |piece: &Conj| Set::from_conj(domain.space().clone(), piece.clone()).plain_fixed_dim(depth);
    let values: Option<Vec<Int>> = domain.pieces().iter().map(fixed).collect();
    let Some(mut values) = values.filter(|values| values.len() > 1) else {
        return by_stride(executed, depth, domain, b);
    };
    for relation in executed
        .relations()
        .iter()
        .filter(|relation| relation.pieces().len() > 1)
    {
        if PwMultiAff::from_map(&relation.affine_hull(b)?, b)?.is_none() {
            values.sort();
            values.dedup();
            let mut parts = Vec::with_capacity(values.len());
            for value in values {
                parts.extend(disjoint(&domain.fix_dim(depth, &value), b)?);
            }
            return Ok(parts);
        }
    }
    disjoint(domain, b)
}

/// The domain in disjoint conjunctions, in which values of which equalities leave some out and values of which all are taken
/// stay apart, where these do not overlap: a loop over both would have to tell them apart. With several statements, that
/// would take more calls.
fn by_stride(executed: &Executed, depth: usize, domain: &Set, b: &Budget) -> Outcome<Vec<Set>> {
    if domain.pieces().len() < 2 || executed.relations().len() > 1 {
        return disjoint(domain, b);
    }
    let Some([strided, others]) = executed.shadows_by_stride(depth + 1, b)? else {
        return disjoint(domain, b);
    };
    if !strided.intersect(&others).is_empty(b)? {
        return disjoint(domain, b);
    }
    let mut parts = disjoint(&strided.intersect(domain), b)?;
    parts.extend(disjoint(&others.intersect(domain), b)?);
    Ok(parts)
}

/// The domain in disjoint conjunctions.
pub(super) fn disjoint(domain: &Set, b: &Budget) -> Outcome<Vec<Set>> {
    let parts = match domain.pieces().len() {
        0 | 1 => domain.clone(),
        _ => domain.coalesce(b)?.make_disjoint(b)?.coalesce(b)?,
    };
    single(&parts, b)
}

/// Each conjunction of a set that is not empty.
fn single(set: &Set, b: &Budget) -> Outcome<Vec<Set>> {
    let mut single = Vec::with_capacity(set.pieces().len());
    for piece in set.pieces() {
        if !piece.is_empty(b)? {
            single.push(Set::from_conj(set.space().clone(), piece.clone()));
        }
    }
    Ok(single)
}

/// The domain in disjoint conjunctions such that in each either all or none of the values of every statement are: the
/// common refinement of the statements' domains, where the outer dimensions are in `known`. Where that takes more parts than
/// the limit, it is the [`disjoint`] domain.
pub(super) fn separated(
    executed: &Executed,
    depth: usize,
    domain: &Set,
    options: &Options,
    known: &Set,
    b: &Budget,
) -> Outcome<Vec<Set>> {
    let known = known.insert_dims(depth, 1).intersect(domain);
    let mut refined: Vec<Set> = Vec::new();
    let shadows = match options.explicit_separation {
        true => executed.explicit_shadows(depth + 1, b)?,
        false => executed.shadows(depth + 1, b)?,
    };
    for shadow in shadows {
        // What is known all over the domain does not tell parts apart.
        let shape = without_implied(shadow.gist(&known, b)?, &known, b)?.intersect(domain);
        for shape in disjoint(&shape, b)? {
            let mut next = Vec::with_capacity(refined.len() + 2);
            let mut rest = shape.clone();
            for part in &refined {
                let common = part.intersect(&shape);
                if common.is_empty(b)? {
                    next.push(part.clone());
                    continue;
                }
                next.extend(disjoint(&part.subtract(&shape, b)?, b)?);
                next.extend(disjoint(&common, b)?);
                rest = rest.subtract(part, b)?;
            }
            next.extend(disjoint(&rest, b)?);
            if next.len() > options.separate_limit {
                return disjoint(domain, b);
            }
            refined = next;
        }
    }
    Ok(refined)
}
