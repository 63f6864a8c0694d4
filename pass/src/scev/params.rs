//! The parameters of a model: integers that do not change in the region.

use super::names::Names;
use crate::detect::declined::{Modelled, Reason};
use farkas_llvm::Run;
use farkas_llvm::region::Region;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{Parameter, limit_of};
use farkas_llvm::types::TypeKind;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::zeros;
use farkas_polyhedral::sets::{Aff, Conj, Params, Set, SetSpace};
use indexmap::IndexMap;

/// The parameters found so far, each the signed value of an expression.
#[derive(Debug, Default)]
pub(crate) struct ParamTable<'a> {
    of: IndexMap<Scev<'a>, usize>,
    parameters: Vec<Parameter<'a>>,
    /// Bounds on each, both inclusive.
    ranges: Vec<(Int, Int)>,
}

impl<'a> ParamTable<'a> {
    /// The parameter that an expression is, as an expression on `space`.
    ///
    /// # Errors
    /// If the expression is no integer of at most 64 bits, or cannot be computed where the region is entered.
    pub(crate) fn affine(
        &mut self,
        run: &'a Run<'_>,
        names: &mut Names,
        region: &Region<'a>,
        scev: Scev<'a>,
        space: &SetSpace,
    ) -> Modelled<'a, Aff> {
        let scev = one_width(run, scev);
        let index = match self.of.get(&scev) {
            Some(index) => *index,
            None => self.add(run, names, region, scev)?,
        };
        let params = Params::new([&*self.parameters[index].name]);
        Ok(Aff::param(SetSpace::new(params, space.tuple.clone()), 0))
    }

    fn add(&mut self, run: &'a Run<'_>, names: &mut Names, region: &Region<'a>, scev: Scev<'a>) -> Modelled<'a, usize> {
        match scev.ty().map(|ty| ty.kind()) {
            Some(TypeKind::Integer(..=64)) => {}
            Some(TypeKind::Integer(bits)) => return Err(Reason::WideInteger(bits).into()),
            _ => return Err(Reason::NotExpandable.into()),
        }
        if !region.is_parameter(run, scev) {
            return Err(Reason::NotExpandable.into());
        }
        let hint = match scev.kind() {
            ScevKind::Unknown(value) => value.name(),
            _ => String::new(),
        };
        let (low, high) = run
            .signed_range(scev, region.first_loop())
            .unwrap_or((i64::MIN.into(), i64::MAX.into()));
        // The run-time guard sees to the limit for parameters that may be beyond it.
        let limit = i128::from(limit_of(scev));
        let index = self.parameters.len();
        self.parameters.push(Parameter {
            name: names.fresh(&hint, "p"),
            value: scev,
        });
        self.ranges
            .push((Int::from(low.max(-limit)), Int::from(high.min(limit))));
        self.of.insert(scev, index);
        Ok(index)
    }

    /// Names and values, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Scev<'a>)> {
        self.parameters.iter().map(|p| (&*p.name, p.value))
    }

    /// The value of the parameter of this name.
    pub(crate) fn value(&self, name: &str) -> Option<Scev<'a>> {
        self.parameters.iter().find(|p| p.name == name).map(|p| p.value)
    }

    /// The number of parameters.
    pub(crate) fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Forgets all parameters but the first `len`.
    pub(crate) fn truncate(&mut self, names: &mut Names, len: usize) {
        self.of.truncate(len);
        self.ranges.truncate(len);
        self.parameters
            .drain(len..)
            .for_each(|parameter| names.release(&parameter.name));
    }

    /// The names, in order.
    pub(crate) fn params(&self) -> Params {
        Params::new(self.parameters.iter().map(|p| &*p.name))
    }

    /// The parameter values that are possible.
    pub(crate) fn context(&self) -> Set {
        let mut conj = Conj::universe(self.parameters.len());
        for (index, (low, high)) in self.ranges.iter().enumerate() {
            let mut row = zeros(1 + self.parameters.len());
            row[0] = -low;
            row[1 + index] = Int::ONE;
            conj.add_ineq(row.clone());
            row[0] = high.clone();
            row[1 + index] = Int::from(-1);
            conj.add_ineq(row);
        }
        Set::from_conj(SetSpace::params_only(self.params()), conj)
    }

    /// Where all parameters are positive, and products among them larger than their factors, as they are for usual sizes; `None` where there are no
    /// products.
    ///
    /// ```text
    /// p0: %w, p1: %h * %w      p0 >= 2 and p1 >= 2 p0
    /// ```
    pub(crate) fn usual_products(&self, run: &'a Run<'_>) -> Option<Set> {
        let mut conj = Conj::universe(self.parameters.len());
        for param in 0..self.parameters.len() {
            let mut row = zeros(1 + self.parameters.len());
            (row[0], row[1 + param]) = (Int::from(-1), Int::ONE);
            conj.add_ineq(row);
        }
        let mut any = false;
        for (product, parameter) in self.parameters.iter().enumerate() {
            for (factor, constant) in factors(parameter.value).into_iter().map(with_constant) {
                let wide = run.widened(factor);
                let is_factor = |other: &Parameter<'a>| run.widened(other.value) == wide;
                let Some(factor) = self.parameters.iter().position(is_factor) else {
                    continue;
                };
                let mut row = zeros(1 + self.parameters.len());
                (row[0], row[1 + factor]) = (Int::from(constant - 2), Int::ONE);
                conj.add_ineq(row.clone());
                (row[0], row[1 + factor], row[1 + product]) = (Int::from(-2 * constant), Int::from(-2), Int::ONE);
                conj.add_ineq(row);
                any = true;
            }
        }
        any.then(|| Set::from_conj(SetSpace::params_only(self.params()), conj))
    }

    /// The parameters, in order.
    pub(crate) fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }
}

/// The factors of a product, which may be extended; none of other expressions.
pub(super) fn factors(scev: Scev<'_>) -> Vec<Scev<'_>> {
    match scev.kind() {
        ScevKind::SignExtend(narrow) | ScevKind::ZeroExtend(narrow) => factors(narrow),
        ScevKind::Mul(factors, _) => factors,
        _ => Vec::new(),
    }
}

/// An expression as another one and a constant that is added.
fn with_constant(scev: Scev<'_>) -> (Scev<'_>, i64) {
    match scev.kind() {
        ScevKind::Add(parts, _) => match (&parts[..], parts[0].kind()) {
            ([_, rest], ScevKind::Constant(by)) => (*rest, by),
            _ => (scev, 0),
        },
        _ => (scev, 0),
    }
}

/// Counters of outer loops come in several widths: those that are the same number come to be the same parameter.
fn one_width<'a>(run: &'a Run<'_>, scev: Scev<'a>) -> Scev<'a> {
    let narrow = matches!(scev.ty().map(|ty| ty.kind()), Some(TypeKind::Integer(1..=63)));
    if !narrow || !matches!(scev.kind(), ScevKind::AddRec(..)) {
        return scev;
    }
    let wide = run.widened(scev);
    if matches!(wide.kind(), ScevKind::AddRec(..)) {
        wide
    } else {
        scev
    }
}
