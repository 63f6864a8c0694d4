//! The first and the last of the elements that a region accesses, exactly.

use farkas_emit::AccessedElements;
use farkas_polyhedral::ast::{self, Quasi};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Aff, PwAff, PwMultiAff, Set, SetSpace};

/// These elements of an array with these inner sizes, which they are within; `None` if the first or the last one is not one expression
/// wherever there are any.
pub(crate) fn accessed_elements(elements: &Set, sizes: &[Aff], b: &Budget) -> Outcome<Option<AccessedElements>> {
    let ends = Ends::of(elements, b)?;
    ends.map(|ends| ends.described(sizes, b)).transpose()
}

/// The corners of the box that elements of an array with these inner sizes are, wherever there are any: the first and the last one; `None` if
/// they are no box, or that is not known.
pub(crate) fn element_box(elements: &Set, sizes: &[Aff], b: &Budget) -> Outcome<Option<AccessedElements>> {
    let ends = Ends::of(elements, b)?;
    match ends {
        Some(ends) if ends.are_corners_of(elements, b)? => ends.described(sizes, b).map(Some),
        _ => Ok(None),
    }
}

/// The first and the last one of some elements.
struct Ends {
    /// For which parameters there are any.
    domain: Set,
    /// Their subscripts, as functions of the parameters without quotients.
    first: Vec<Aff>,
    last: Vec<Aff>,
}

impl Ends {
    /// Those of these elements; `None` if there are several functions, or elements have no end.
    fn of(elements: &Set, b: &Budget) -> Outcome<Option<Ends>> {
        let domain = elements.project_onto_params(b)?;
        let first = only_function(&elements.lexmin_pw_multi_aff(b)?, &domain, b)?;
        let last = only_function(&elements.lexmax_pw_multi_aff(b)?, &domain, b)?;
        Ok(first.zip(last).map(|(first, last)| Ends { domain, first, last }))
    }

    /// Whether the elements, whose ends these are, are all of the box between them.
    fn are_corners_of(&self, elements: &Set, b: &Budget) -> Outcome<bool> {
        let space = elements.space();
        let mut whole = Set::universe(space.clone()).intersect_params(&self.domain);
        for (dim, (first, last)) in self.first.iter().zip(&self.last).enumerate() {
            let subscript = Aff::var(space.clone(), dim);
            let [first, last] = [first, last].map(|aff| on_space(aff, space));
            for distance in [subscript.sub(&first), last.sub(&subscript)] {
                whole = whole.intersect(&PwAff::from(distance).nonneg_set());
            }
        }
        whole.is_equal(elements, b)
    }

    fn described(&self, sizes: &[Aff], b: &Budget) -> Outcome<AccessedElements> {
        let expressions = |affs: &[Aff]| -> Outcome<Vec<Quasi>> {
            let aligned = affs.iter().map(|aff| aff.align_params(self.domain.params()));
            aligned.map(|aff| ast::parameter_expression(&aff, b)).collect()
        };
        Ok(AccessedElements {
            accessed: ast::membership(&self.domain, b)?,
            first: expressions(&self.first)?,
            last: expressions(&self.last)?,
            sizes: expressions(sizes)?,
        })
    }
}

/// A function of parameters alone, without quotients, on a space.
fn on_space(aff: &Aff, space: &SetSpace) -> Aff {
    let aff = aff.align_params(&space.params);
    let constant = Aff::constant(space.clone(), aff.row()[0].clone());
    let params = aff.row()[1..].iter().take(space.params.len()).enumerate();
    params.fold(constant, |sum, (param, factor)| {
        sum.add(&Aff::param(space.clone(), param).scale(factor))
    })
}

/// How many of the last subscripts are one number each in all of these elements, the outermost left aside: 1 for an array of structures of
/// which one member is accessed.
pub(crate) fn fixed_subscripts(elements: &Set, b: &Budget) -> Outcome<usize> {
    let mut fixed = 0;
    for dim in (1..elements.tuple().n()).rev() {
        if elements.fixed_dim(dim, b)?.is_none() {
            break;
        }
        fixed += 1;
    }
    Ok(fixed)
}

/// The function that a piecewise one is on all of `domain`; `None` if there are several, or none where the elements have no end.
fn only_function(function: &PwMultiAff, domain: &Set, b: &Budget) -> Outcome<Option<Vec<Aff>>> {
    if !domain.is_subset(&function.domain(), b)? {
        return Ok(None);
    }
    let mut pieces = function.pieces().map(|(_, own)| own.affs());
    let Some(first) = pieces.next() else { return Ok(None) };
    let is_plain = first.iter().all(|aff| aff.divs().is_empty() && aff.den().is_one());
    let is_only = is_plain && pieces.all(|other| other == first);
    Ok(is_only.then(|| first.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::Ends;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::budget::Budget;
    use farkas_polyhedral::sets::{Aff, Set};

    /// The first and the last one of some elements, and whether they are a box.
    fn check(elements: &str, expected: Expect) {
        let (elements, b): (Set, Budget) = (elements.parse().expect("a set"), Budget::unlimited());
        let ends = Ends::of(&elements, &b).expect("no budget").expect("one function");
        let text = |affs: &[Aff]| affs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let is_box = ends.are_corners_of(&elements, &b).expect("no budget");
        expected.assert_eq(&format!(
            "{}\n{}\na box: {is_box}\n",
            text(&ends.first),
            text(&ends.last)
        ));
    }

    #[test]
    fn rows_without_their_ends_are_a_box() {
        check(
            "[n, m] -> { A[i, j] : 1 <= i < n and 2 <= j < m - 1 }",
            expect![[r#"
                [n, m] -> { [] -> [(1)] }, [n, m] -> { [] -> [(2)] }
                [n, m] -> { [] -> [(-1 + n)] }, [n, m] -> { [] -> [(-2 + m)] }
                a box: true
            "#]],
        );
    }

    #[test]
    fn parts_of_a_box_are_one() {
        check(
            "[n] -> { A[i, j] : 0 <= j <= i < n; A[i, j] : 0 <= i < j < n }",
            expect![[r#"
                [n] -> { [] -> [(0)] }, [n] -> { [] -> [(0)] }
                [n] -> { [] -> [(-1 + n)] }, [n] -> { [] -> [(-1 + n)] }
                a box: true
            "#]],
        );
    }

    #[test]
    fn triangles_are_none() {
        check(
            "[n] -> { A[i, j] : 0 <= j <= i < n }",
            expect![[r#"
            [n] -> { [] -> [(0)] }, [n] -> { [] -> [(0)] }
            [n] -> { [] -> [(-1 + n)] }, [n] -> { [] -> [(-1 + n)] }
            a box: false
        "#]],
        );
    }

    #[test]
    fn elements_with_others_between_them_are_none() {
        check(
            "[n] -> { A[i] : exists (k : i = 2 * k and 0 <= k < n) }",
            expect![[r#"
                [n] -> { [] -> [(0)] }
                [n] -> { [] -> [(-2 + 2n)] }
                a box: false
            "#]],
        );
    }
}
