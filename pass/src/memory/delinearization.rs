//! Delinearization: from offsets in bytes to subscripts.
//!
//! The *shape* of an array is the sizes of all its dimensions but the outermost. An offset from the base is taken apart
//! into subscripts `s_0, s_1, ..` for a shape `d_1, d_2, ..`:
//!
//! ```text
//! offset = element size * ((s_0 * d_1 + s_1) * d_2 + s_2) ..      with 0 <= s_i < d_i for i > 0
//! ```
//!
//! With the inner subscripts in bounds, and no offset wrapping around, two accesses meet if and only if their subscripts
//! are equal. That the inner subscripts are in bounds is proven on the domain, or assumed.
//!
//! An array that nothing writes has no dependences, so its elements need no unique subscripts. Its *rows may overlap*:
//! inner subscripts may be beyond their sizes, as those of windows that are longer than the distance between them.
//!
//! ```text
//! for (k = 0; k < taps; k++) s += h[k] * x[i * hop + k];      x[i][k] in rows of hop elements, also where taps > hop
//! ```
//!
//! Three kinds of shape are tried:
//!
//! 1. Constant sizes, from the coefficients of affine offsets: in `800 i + 8 j`, with elements of 8 bytes, `i` steps over
//!    rows of 100 elements. Without any shape, an affine offset is a subscript by itself.
//! 2. Sizes that are parameters (C99 arrays of variable length, `i * n + j`), from the [polynomials](super::parametric_shapes)
//!    that the offsets are.
//! 3. Strides that are parameters, from a [dope vector](super::dope_vectors).

use super::access::Site;
use super::dope_vectors::dope_vector_subscripts;
use super::inner_bounds::{KnownBounds, Unproven};
use super::parametric_shapes::{ParametricShape, parametric_shapes};
use crate::detect::declined::{Modelled, Stop};
use crate::scev::convert::Converter;
use crate::scev::pieces::Pieces;
use crate::scev::polynomial::{Polynomial, PolynomialReader, Products, Wrapping};
use crate::scev::scope::{Reading, Scope};
use farkas_llvm::scev::Scev;
use farkas_llvm::scop_ir::LoopId;
use farkas_llvm::value::Value;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Aff, Conj, MultiAff, Set, SetSpace, Tuple};

/// Width of offsets in bits.
const OFFSET_BITS: u32 = 64;

/// A piece of an access's domain, on which its offset is a polynomial.
struct SitePart {
    /// The index of the access.
    site: usize,
    piece: Set,
    /// The access's scope, on the piece only.
    scope: Scope,
}

impl SitePart {
    fn new(site: usize, scope: &Scope, piece: Set) -> SitePart {
        let domain = match piece.is_plainly_universe() {
            true => scope.domain.clone(),
            false => scope.domain.intersect(&piece),
        };
        SitePart {
            site,
            piece,
            scope: Scope {
                domain,
                ..scope.clone()
            },
        }
    }
}

/// The accesses to one array, while their subscripts are looked for.
pub(crate) struct Delinearizer<'g, 'c, 'a, 'r> {
    pub(crate) converter: &'g Converter<'c, 'a, 'r>,
    pub(crate) name: &'g str,
    pub(crate) element_size: Int,
    pub(crate) sites: Vec<&'g Site<'a>>,
    /// Whether rows may overlap: nothing writes the array.
    pub(crate) may_overlap: bool,
}

/// The shape that fits an array's accesses.
#[derive(Default)]
pub(crate) struct Shaped {
    /// The sizes of the inner dimensions.
    pub(crate) sizes: Vec<Aff>,
    /// The subscripts of each access.
    pub(crate) subscripts: Vec<Vec<(Set, Vec<Aff>)>>,
    /// Whether inner subscripts count strides, and not elements.
    pub(crate) strided: bool,
    /// For which parameters inner subscripts are in bounds; `None` for all that are assumed.
    pub(crate) apart: Option<Set>,
}

impl Shaped {
    /// A shape whose inner subscripts count elements.
    fn of_elements(sizes: Vec<Aff>, subscripts: Vec<Vec<(Set, Vec<Aff>)>>) -> Self {
        Shaped {
            sizes,
            subscripts,
            strided: false,
            apart: None,
        }
    }
}

/// Why no subscripts are found for a group.
#[derive(Clone, Debug)]
pub(crate) enum Misfit<'a> {
    /// This access has none beside the others.
    Site(Value<'a>),
    /// The offset of this access is no polynomial: it has none beside any others.
    NoPolynomial(Value<'a>),
    /// Another reason.
    Stop(Stop<'a>),
}

impl<'a> From<Stop<'a>> for Misfit<'a> {
    fn from(stop: Stop<'a>) -> Self {
        Misfit::Stop(stop)
    }
}

/// The misfit of an access whose offset or size cannot be converted.
fn misfit<'a>(site: &Site<'a>, stop: Stop<'a>) -> Misfit<'a> {
    match stop {
        Stop::OutOfBudget => Misfit::Stop(stop),
        Stop::Declined(_) => Misfit::Site(site.instruction),
    }
}

impl<'a> Delinearizer<'_, '_, 'a, '_> {
    /// Subscripts for whichever shape fits.
    pub(crate) fn shaped(&self) -> Result<Shaped, Misfit<'a>> {
        let as_written: Vec<Scev<'a>> = self.sites.iter().map(|site| site.offset).collect();
        let executed = self.sites.iter().map(|site| site.executed.unwrap_or(site.offset));
        let executed: Vec<Scev<'a>> = executed.collect();
        let mut shaped = self.shaped_by(&as_written, Wrapping::Proven);
        for (offsets, wrapping) in [(&executed, Wrapping::Proven), (&executed, Wrapping::Assumed)] {
            if !matches!(shaped, Err(Misfit::Site(_) | Misfit::NoPolynomial(_))) {
                break;
            }
            if wrapping == Wrapping::Proven && *offsets == as_written {
                continue;
            }
            let other = self.shaped_by(offsets, wrapping);
            // What has no polynomial by more assumptions is at fault; of those that fit no shape, it is the first one that was found.
            if !matches!((&shaped, &other), (Err(Misfit::Site(_)), Err(Misfit::Site(_)))) {
                shaped = other;
            }
        }
        if self.may_overlap && matches!(shaped, Err(Misfit::Site(_))) {
            for offsets in [&as_written, &executed] {
                let overlapping = self
                    .converter
                    .or_roll_back(|| self.with_parametric_sizes(offsets, Wrapping::Proven, Products::Apart, true));
                if !matches!(overlapping, Err(Misfit::Site(_) | Misfit::NoPolynomial(_))) {
                    return overlapping;
                }
            }
        }
        shaped
    }

    /// Subscripts for a shape that fits these offsets of the accesses in bytes.
    fn shaped_by(&self, offsets: &[Scev<'a>], wrapping: Wrapping) -> Result<Shaped, Misfit<'a>> {
        let converter = self.converter;
        match converter.or_roll_back(|| self.affine_offsets(offsets)) {
            Ok(offsets) => Ok(self.with_constant_sizes(offsets)?),
            Err(Misfit::Site(first)) => {
                let parametric = |products| {
                    converter.or_roll_back(|| self.with_parametric_sizes(offsets, wrapping, products, false))
                };
                let misfit = match parametric(Products::Apart) {
                    // What has a polynomial with products apart is not at fault if it has none with whole ones.
                    Err(Misfit::Site(_)) => match parametric(Products::Whole) {
                        Err(Misfit::Site(_) | Misfit::NoPolynomial(_)) => Misfit::Site(first),
                        outcome => return outcome,
                    },
                    Err(Misfit::NoPolynomial(site)) => Misfit::NoPolynomial(site),
                    outcome => return outcome,
                };
                match converter.or_roll_back(|| self.with_dope_vector(offsets)) {
                    Err(Misfit::Site(_)) => Err(misfit),
                    outcome => outcome,
                }
            }
            Err(declined) => Err(declined),
        }
    }

    /// The offsets in elements.
    fn affine_offsets(&self, all: &[Scev<'a>]) -> Result<Vec<Pieces>, Misfit<'a>> {
        let mut offsets = Vec::new();
        for (site, offset) in self.sites.iter().zip(all) {
            let bytes = self.converter.exact(*offset, Reading::Signed, &site.scope);
            let mut bytes = bytes.map_err(|stop| misfit(site, stop))?;
            if !whole(&bytes, &self.element_size) {
                return Err(Misfit::Site(site.instruction));
            }
            if let Some(element) = site.scope.element() {
                let distance = element.scale(&self.element_size);
                bytes = bytes.map(|first| first.add(&distance));
                let confined = self
                    .converter
                    .confine(&bytes, OFFSET_BITS, Reading::Signed, &site.scope);
                confined.map_err(|stop| misfit(site, stop))?;
            }
            offsets.push(bytes.map(|aff| aff.floor_div(&self.element_size)));
        }
        Ok(offsets)
    }

    /// Subscripts for a shape of constant sizes.
    fn with_constant_sizes(&self, offsets: Vec<Pieces>) -> Modelled<'a, Shaped> {
        // The source's own rows first; where they are certain not to be overrun, steps of the offsets may add to them.
        // What the source declares as rows is taken for rows even if that is not certain: then it is assumed.
        let (declared, steps) = (self.declared_strides(), steps(&offsets));
        let rows = chain(&[&declared]);
        let all = chain(&[&declared, &steps]);
        for (strides, assume) in [
            (all, false),
            (chain(&[&steps]), false),
            (rows.clone(), false),
            (rows, true),
        ] {
            if let Some(shaped) = self.tentatively(&offsets, &strides, assume)? {
                return Ok(shaped);
            }
        }
        Ok(self
            .for_strides(&offsets, &[], false)?
            .expect("one dimension always fits"))
    }

    /// As `for_strides`. If it fails, its assumptions are rolled back.
    fn tentatively(&self, offsets: &[Pieces], strides: &[Int], assume: bool) -> Modelled<'a, Option<Shaped>> {
        let attempt = || self.for_strides(offsets, strides, assume).map_err(Some)?.ok_or(None);
        match self.converter.or_roll_back(attempt) {
            Ok(shaped) => Ok(Some(shaped)),
            Err(None) => Ok(None),
            Err(Some(declined)) => Err(declined),
        }
    }

    /// The sizes in elements of arrays that the source's types say the base points to.
    fn declared_strides(&self) -> Vec<Int> {
        let mut declared = Vec::new();
        for site in &self.sites {
            let mut at = site.access.pointer;
            // A phi may lead back to itself.
            while at != site.base && at.is_instruction() && !at.is_phi() {
                let size = self.converter.run.array_stride(at).map(Int::from);
                declared.extend(
                    size.filter(|s| s.divisible_by(&self.element_size))
                        .map(|s| s.div_exact(&self.element_size)),
                );
                match at.operands().first() {
                    Some(next) => at = *next,
                    None => break,
                }
            }
        }
        declared
    }

    /// Subscripts for dimensions that step over `strides` elements, outermost first; `None` if the inner subscripts are
    /// not in bounds, or if that would have to be assumed but must not.
    fn for_strides(&self, offsets: &[Pieces], strides: &[Int], assume: bool) -> Modelled<'a, Option<Shaped>> {
        let (mut all, mut known) = (Vec::new(), KnownBounds::default());
        let unproven = if assume { Unproven::Assume } else { Unproven::Misfit };
        for (site, offset) in self.sites.iter().zip(offsets) {
            let mut subscripts = Vec::new();
            for (piece, offset) in offset.iter() {
                let domain = match piece.is_plainly_universe() {
                    true => site.scope.domain.clone(),
                    false => site.scope.domain.intersect(piece),
                };
                let plain = split(offset, strides);
                let sizes = row_sizes(strides, offset.space());
                match known.in_bounds(self.converter, (&domain, plain), &sizes, unproven)? {
                    Some(found) => subscripts.push((piece.clone(), found)),
                    None => return Ok(None),
                }
            }
            all.push(subscripts);
        }
        let sizes = row_sizes(strides, &SetSpace::params_only(Default::default()));
        Ok(Some(Shaped::of_elements(sizes, all)))
    }

    /// Subscripts for a shape with sizes that are parameters, if need be for one whose rows always overlap.
    fn with_parametric_sizes(
        &self,
        offsets: &[Scev<'a>],
        wrapping: Wrapping,
        products: Products,
        always_overlap: bool,
    ) -> Result<Shaped, Misfit<'a>> {
        let reader = PolynomialReader::new(self.converter, wrapping).with_products(products);
        let (mut parts, mut in_elements) = (Vec::new(), Vec::new());
        for (index, (site, offset)) in self.sites.iter().zip(offsets).enumerate() {
            let no_polynomial = |stop| match stop {
                Stop::OutOfBudget => Misfit::Stop(stop),
                Stop::Declined(_) => Misfit::NoPolynomial(site.instruction),
            };
            for piece in reader.pieces(*offset, &site.scope).map_err(no_polynomial)? {
                let part = SitePart::new(index, &site.scope, piece);
                let bytes = reader.modular(*offset, &part.scope).map_err(no_polynomial)?;
                let elements = bytes.divide(&self.element_size);
                in_elements.push(elements.ok_or(Misfit::NoPolynomial(site.instruction))?);
                parts.push(part);
            }
        }
        // Without products, all shapes have been tried.
        if products == Products::Whole && !reader.has_products() {
            return Err(Misfit::Site(self.sites[0].instruction));
        }
        let mut shapes = parametric_shapes(&in_elements);
        if self.is_in_innermost_loop_of_others(&parts) {
            shapes.sort_by_key(|shape| !is_of_loops(shape, &parts));
        }
        log::debug!("{} has {} shapes", self.name, shapes.len());
        let last = match self.may_overlap {
            true if always_overlap => Unproven::Overlap,
            true => Unproven::OverlapSometimes,
            false => Unproven::Assume,
        };
        let rounds = if shapes.len() > 1 {
            vec![Unproven::Misfit, last]
        } else {
            vec![last]
        };
        let mut first = None;
        for (unproven, shape) in rounds
            .iter()
            .flat_map(|unproven| shapes.iter().map(move |shape| (*unproven, shape)))
        {
            match self
                .converter
                .or_roll_back(|| self.with_shape(&reader, &parts, shape, unproven))
            {
                Err(Misfit::Site(at)) => _ = first.get_or_insert(at),
                outcome => return outcome,
            }
        }
        Err(Misfit::Site(first.unwrap_or(self.sites[0].instruction)))
    }

    /// Whether some access is in an innermost loop inside of two others, which may be jammed: there it makes a difference which shape is taken, as
    /// copies are to access the same elements of other arrays.
    fn is_in_innermost_loop_of_others(&self, parts: &[SitePart]) -> bool {
        let loops = &self.converter.nest.loops;
        let is_innermost = |id: LoopId| loops.iter().all(|other| other.parent != Some(id));
        let mut around = parts.iter().map(|part| &part.scope.loops);
        around.any(|around| around.len() > 2 && around.last().is_some_and(|last| is_innermost(*last)))
    }

    /// Subscripts for this shape with sizes that are parameters.
    fn with_shape(
        &self,
        reader: &PolynomialReader<'_, '_, 'a, '_>,
        parts: &[SitePart],
        shape: &ParametricShape,
        unproven: Unproven,
    ) -> Result<Shaped, Misfit<'a>> {
        let (mut known, mut sizes) = (KnownBounds::default(), None);
        let mut all = vec![Vec::new(); self.sites.len()];
        for (SitePart { site, piece, scope }, subscripts) in parts.iter().zip(&shape.subscripts) {
            let (index, site) = (*site, self.sites[*site]);
            let mut affine = Vec::new();
            for subscript in subscripts {
                let aff = reader.affine(subscript, scope).map_err(|stop| misfit(site, stop))?;
                affine.push(aff.expect("subscripts are affine"));
            }
            let outermost = Pieces::everywhere(affine[0].clone());
            let confined = self.converter.confine(&outermost, OFFSET_BITS, Reading::Signed, scope);
            confined.map_err(|stop| misfit(site, stop))?;
            if let (Some(element), Some(last)) = (scope.element(), affine.last_mut()) {
                *last = last.add(&element);
            }
            let mut own_sizes = Vec::new();
            for size in &shape.sizes {
                let value = reader.value(size.atom, scope).map_err(|stop| misfit(site, stop))?;
                let rest = reader
                    .affine(&size.rest.over(&scope.space()), scope)
                    .map_err(|stop| misfit(site, stop))?
                    .expect("a sum of parameters");
                own_sizes.push(value.scale(&size.factor).add(&rest));
            }
            let found = known.in_bounds(self.converter, (&scope.domain, affine), &own_sizes, unproven)?;
            let found = found.ok_or(Misfit::Site(site.instruction))?;
            all[index].push((piece.clone(), found));
            sizes.get_or_insert_with(|| own_sizes.iter().map(without_counters).collect());
        }
        Ok(Shaped {
            apart: known.apart,
            ..Shaped::of_elements(sizes.expect("an array has an access"), all)
        })
    }

    /// Subscripts for dope-vector strides.
    fn with_dope_vector(&self, offsets: &[Scev<'a>]) -> Result<Shaped, Misfit<'a>> {
        let first = self.sites[0];
        if self.sites.iter().any(|site| site.scope.elements) {
            return Err(Misfit::Site(first.instruction));
        }
        let scopes = self.sites.iter().map(|site| &site.scope);
        let accesses: Vec<(&Scope, Scev<'a>)> = scopes.zip(offsets.iter().copied()).collect();
        let found = dope_vector_subscripts(self.converter, &self.element_size, &accesses);
        let found = found.map_err(|stop| misfit(first, stop))?;
        let sizes = found.iter().map(|(size, _)| without_counters(size)).take(1).collect();
        let universe = |site: &&Site<'a>| Set::universe(site.scope.space());
        let all = self.sites.iter().map(universe).zip(found);
        let all = all.map(|(all, (_, subscripts))| vec![(all, subscripts.to_vec())]);
        Ok(Shaped {
            sizes,
            subscripts: all.collect(),
            strided: true,
            apart: None,
        })
    }
}

/// Whether a shape has plain sizes, and the loops around bound the subscripts in its rows, as those of a triangle do: then it is the source's.
fn is_of_loops(shape: &ParametricShape, parts: &[SitePart]) -> bool {
    let mut of_parts = parts.iter().zip(&shape.subscripts);
    let is_inside = |(part, all): (&SitePart, &Vec<Polynomial>)| {
        let mut inner = all[1..].iter();
        inner.all(|subscript| is_bounded(&part.scope.domain, subscript))
    };
    shape.has_plain_sizes() && of_parts.all(is_inside)
}

/// Whether a subscript is one counter, or a sum of some of which a loop's bound is an upper bound.
fn is_bounded(domain: &Set, subscript: &Polynomial) -> bool {
    let n = domain.tuple().n();
    let mut counters = vec![Int::ZERO; n];
    for (_, aff) in subscript.terms() {
        for (dim, sum) in counters.iter_mut().enumerate() {
            *sum += aff.coefficient(dim);
        }
    }
    let first = 1 + domain.params().len();
    let bounds = |row: &Row| (0..n).all(|dim| row[first + dim] == -&counters[dim]);
    let is_bound = |piece: &Conj| piece.ineqs().iter().any(bounds);
    counters.iter().filter(|c| !c.is_zero()).count() < 2 || domain.pieces().iter().all(is_bound)
}

/// Whether the number of bytes is a multiple of the size for whatever values.
pub(crate) fn whole(bytes: &Pieces, size: &Int) -> bool {
    bytes
        .iter()
        .all(|(_, aff)| aff.row().iter().all(|x| x.divisible_by(size)))
}

/// The coefficients of more than one element in the offsets.
fn steps(offsets: &[Pieces]) -> Vec<Int> {
    let rows = offsets
        .iter()
        .flat_map(|offset| offset.iter().map(|(_, aff)| aff.row()));
    rows.flat_map(|row| row[1..].iter().map(Int::abs))
        .filter(|step| *step > 1)
        .collect()
}

/// Strides in decreasing order, each a multiple of the next. Takes as many as fit together: those of the first list
/// before those of the next, small ones before large ones.
fn chain(lists: &[&Vec<Int>]) -> Vec<Int> {
    let mut chain: Vec<Int> = Vec::new();
    for list in lists {
        let mut list: Vec<&Int> = list.iter().filter(|stride| **stride > 1).collect();
        list.sort();
        for stride in list {
            let at = chain.partition_point(|other| other > stride);
            let fits_above = at == 0 || chain[at - 1].divisible_by(stride);
            let fits_below = chain
                .get(at)
                .is_none_or(|below| below != stride && stride.divisible_by(below));
            if fits_above && fits_below {
                chain.insert(at, stride.clone());
            }
        }
    }
    chain
}

/// The number of rows of each stride in the one before.
fn row_sizes(strides: &[Int], space: &SetSpace) -> Vec<Aff> {
    let inner = strides.iter().skip(1).cloned().chain([Int::ONE]);
    strides
        .iter()
        .zip(inner)
        .map(|(stride, inner)| Aff::constant(space.clone(), stride.div_exact(&inner)))
        .collect()
}

/// Splits an offset in elements into a multiple of each stride and a rest. Each coefficient is rounded to the nearest
/// multiple. A rest over counters only starts at its constant, as counters start at 0: there the constant is the
/// subscript of the first iteration, so it is neither negative nor as large as the stride.
fn split(offset: &Aff, strides: &[Int]) -> Vec<Aff> {
    let mut rest = offset.clone();
    let mut subscripts = Vec::with_capacity(strides.len() + 1);
    for stride in strides {
        let two = Int::from(2);
        let nearest = |x: &Int| (x * &two + stride).div_floor(&(stride * &two));
        let mut row: Vec<Int> = rest.row().iter().map(nearest).collect();
        let space = rest.space();
        let counters = 1 + space.params.len()..1 + space.n_vars();
        let left = |k: usize| rest.row()[k] != &row[k] * stride;
        if !(1..row.len()).any(|k| left(k) && !counters.contains(&k)) {
            row[0] = rest.row()[0].div_floor(stride);
        }
        let subscript = with_row(&rest, &row);
        rest = rest.sub(&subscript.scale(stride));
        subscripts.push(subscript);
    }
    subscripts.push(rest);
    subscripts
}

/// The expression with other coefficients for the same constant, parameters, dimensions and divisions.
fn with_row(aff: &Aff, row: &[Int]) -> Aff {
    let space = aff.space();
    let n_params = space.params.len();
    let mut result = Aff::constant(space.clone(), row[0].clone());
    for (var, x) in row[1..].iter().enumerate().filter(|(_, x)| !x.is_zero()) {
        let term = if var < n_params {
            Aff::param(space.clone(), var)
        } else if var < space.n_vars() {
            Aff::var(space.clone(), var - n_params)
        } else {
            division(aff, var - space.n_vars())
        };
        result = result.add(&term.scale(x));
    }
    result
}

/// The division of this number as an expression by itself.
fn division(aff: &Aff, index: usize) -> Aff {
    let div = &aff.divs()[index];
    with_row(aff, &div.num).floor_div(&div.den)
}

/// An expression in which no counter occurs as one over parameters only.
fn without_counters(aff: &Aff) -> Aff {
    let unit = SetSpace::params_only(aff.space().params.clone());
    let zeros = vec![Aff::constant(unit.clone(), Int::ZERO); aff.space().tuple.n()];
    aff.pullback(&MultiAff::new(unit, Tuple::anonymous(aff.space().tuple.n()), zeros))
}

#[cfg(test)]
mod tests {
    use super::{chain, split};
    use expect_test::{Expect, expect};
    use farkas_polyhedral::int::Int;
    use farkas_polyhedral::sets::Aff;

    fn numbers(text: &str) -> Vec<Int> {
        let numbers = text.split_whitespace();
        numbers.map(|number| number.parse().expect("a number")).collect()
    }

    fn check_chain(lists: &[&str], expected: Expect) {
        let lists: Vec<Vec<Int>> = lists.iter().map(|list| numbers(list)).collect();
        let strides = chain(&lists.iter().collect::<Vec<_>>());
        let strides: Vec<String> = strides.iter().map(ToString::to_string).collect();
        expected.assert_eq(&strides.join(" "));
    }

    fn check_split(offset: &str, strides: &str, expected: Expect) {
        let offset: Aff = offset.parse().expect("an expression");
        let subscripts = split(&offset, &numbers(strides));
        let subscripts: Vec<String> = subscripts.iter().map(ToString::to_string).collect();
        expected.assert_eq(&subscripts.join("\n"));
    }

    #[test]
    fn strides_are_multiples_of_the_next() {
        check_chain(&["10 100", "7 50 1"], expect!["100 50 10"]);
        check_chain(&["1000 30 3 1"], expect!["30 3"]);
        // Both do not fit together: small ones are first.
        check_chain(&["6 4"], expect!["4"]);
    }

    #[test]
    fn an_offset_is_split_by_strides() {
        check_split(
            "{ [i, j] -> [(100i + j)] }",
            "100",
            expect![[r#"
            { [i, j] -> [(i)] }
            { [i, j] -> [(j)] }"#]],
        );
        check_split(
            "{ [i, j, k] -> [(600i + 20j + k + 1)] }",
            "600 20",
            expect![[r#"
            { [i, j, k] -> [(i)] }
            { [i, j, k] -> [(j)] }
            { [i, j, k] -> [(1 + k)] }"#]],
        );
    }

    #[test]
    fn coefficients_are_rounded_to_the_nearest_multiple() {
        // `A[i][i]` and `A[i][j - i]`.
        check_split(
            "{ [i] -> [(101i)] }",
            "100",
            expect![[r#"
            { [i] -> [(i)] }
            { [i] -> [(i)] }"#]],
        );
        check_split(
            "{ [i, j] -> [(99i + j)] }",
            "100",
            expect![[r#"
            { [i, j] -> [(i)] }
            { [i, j] -> [(-i + j)] }"#]],
        );
    }

    #[test]
    fn a_rest_over_counters_starts_at_the_constant() {
        check_split(
            "{ [i, j] -> [(100i + j + 99)] }",
            "100",
            expect![[r#"
            { [i, j] -> [(i)] }
            { [i, j] -> [(99 + j)] }"#]],
        );
    }

    #[test]
    fn a_rest_with_parameters_keeps_the_nearest_constant() {
        check_split(
            "[n] -> { [i] -> [(100i + n - 1)] }",
            "100",
            expect![[r#"
            [n] -> { [i] -> [(i)] }
            [n] -> { [i] -> [(-1 + n)] }"#]],
        );
    }
}
