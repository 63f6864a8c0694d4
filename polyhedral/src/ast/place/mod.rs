//! Expressions in context: quasi-affine functions and sets, at a place in an AST, as expressions that are cheap there (P1
//! section 5.10).
//!
//! A [`Place`] says what is known where an expression is to stand: the schedule dimensions outside, each the iterator of a
//! loop or a value in terms of those, and a set that their values are in. What it makes agrees with the function or set for
//! every point of that set, and nowhere else has to.
//!
//! # Divisions
//!
//! Functions and sets have integer divisions `floor(a / m)`, which round down. Three forms are cheaper where they are right:
//!
//! ```text
//! a / m            where a >= 0, or where a is a multiple of m
//! a % m            where a >= 0, from  m floor(a / m) = a - a mod m
//! a % m == 0       whatever the sign of a, from  a = m floor(a / m)
//! ```
//!
//! A division is the same as others: `floor(a / m) = floor(a' / m) + e` where `a = a' + m e`, and `floor(a / m) =
//! -floor((m - 1 - a) / m)`. Of all that is found in this way, and can be shown from what is known, the one with the fewest
//! operators is taken ([`division`]).
//!
//! As an example, `[n] -> { [i] : n - 4 floor(n / 4) >= 2 }` at a place where nothing is known is `n >= 4 * floord(n, 4) + 2`,
//! and where `n >= 2` is known it is `n % 4 >= 2`.

mod choice;
mod condition;
mod division;
mod facts;

use std::sync::{Arc, OnceLock};

use crate::ast::expr::{Condition, Expr};
use crate::ast::node::{Logic, Upper};
use crate::ast::quasi::{Atom, Division, IterId, ParamId, Quasi};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Aff, Conj, MultiAff, Params, PwAff, Set, SetSpace, Tuple};

use division::Chooser;

/// Which forms expressions may have.
#[derive(Clone, Copy, Debug)]
pub struct Forms {
    /// Divisions and remainders that are known not to be of negative numbers; else all divisions round down, but for those
    /// that have no remainder.
    pub remainders: bool,
    /// Minima and maxima in place of choices.
    pub min_max: bool,
    /// How conditions are evaluated. Promises of divisions may rely on what is left of them in a conjunction only if that
    /// is evaluated first.
    pub logic: Logic,
}

impl Default for Forms {
    fn default() -> Self {
        Forms {
            remainders: true,
            min_max: true,
            logic: Logic::ShortCircuit,
        }
    }
}

/// Where in an AST an expression stands: what is known there, and which iterators schedule dimensions are.
///
/// ```
/// use farkas_polyhedral::ast::{Forms, IterId, Names, Place};
/// use farkas_polyhedral::budget::Budget;
/// use farkas_polyhedral::sets::{PwAff, Set};
///
/// let context: Set = "[n] -> { : n > 0 }".parse()?;
/// let place = Place::root(context.clone(), context.params().clone())
///     .inside_loop(IterId(0), "[n] -> { [c0] : 0 <= c0 < n }".parse()?);
/// let access: PwAff = "[n] -> { [c0] -> [(floor((c0 - 1)/4))] : c0 > 0; [c0] -> [(n)] : c0 = 0 }".parse()?;
/// let (forms, b) = (Forms::default(), Budget::new(10_000));
/// let names = Names { params: place.params(), iterators: &["i".into()], logic: forms.logic };
/// let anywhere = place.expr(&access, &forms, &b)?;
/// assert_eq!(anywhere.display(names).to_string(), "i >= 1 ? (i - 1) / 4 : n");
/// let later = place.assuming(&"[n] -> { [c0] : c0 >= 4 }".parse()?).expr(&access, &forms, &b)?;
/// assert_eq!(later.display(names).to_string(), "(i - 1) / 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Place {
    params: Params,
    /// The value of each schedule dimension.
    values: Vec<Value>,
    /// `[params] -> { [c_0, .., c_{d-1}] }`, one `c` a schedule dimension.
    known: Set,
    /// What proofs are made from, once it has been asked for.
    facts: OnceLock<Arc<Vec<Conj>>>,
    /// The equalities that are known, once they have been asked for.
    equalities: OnceLock<Option<Arc<Conj>>>,
}

/// The value of a schedule dimension.
#[derive(Clone, Debug)]
enum Value {
    /// It is that of an iterator.
    Iter(IterId),
    /// A function of the dimensions outside that have iterators.
    Of(Aff),
}

impl Place {
    /// Outside all loops, for parameter values in `context`.
    ///
    /// # Panics
    ///
    /// If the context has dimensions or a parameter that is not in `params`.
    pub fn root(context: Set, params: Params) -> Place {
        assert_eq!(context.n_dims(), 0, "a set of parameter values");
        Place::new(params, Vec::new(), context)
    }

    fn new(params: Params, values: Vec<Value>, known: Set) -> Place {
        assert_eq!(known.n_dims(), values.len(), "a dimension for each schedule dimension");
        let known = known.align_params(&params).with_tuple(Tuple::anonymous(values.len()));
        assert_eq!(*known.params(), params, "parameters of the place only");
        Place {
            params,
            values,
            known,
            facts: OnceLock::new(),
            equalities: OnceLock::new(),
        }
    }

    /// The number of schedule dimensions outside.
    pub fn depth(&self) -> usize {
        self.values.len()
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// What is known: a set of values of the schedule dimensions, on an anonymous tuple.
    pub fn known(&self) -> &Set {
        &self.known
    }

    /// The iterator of a schedule dimension, if it has one.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn iterator(&self, dim: usize) -> Option<IterId> {
        match self.values[dim] {
            Value::Iter(iter) => Some(iter),
            Value::Of(_) => None,
        }
    }

    /// The place inside a loop of one more schedule dimension.
    ///
    /// # Panics
    ///
    /// If `known` has not one dimension more than there are here.
    pub fn inside_loop(&self, iter: IterId, known: Set) -> Place {
        let mut values = self.values.clone();
        values.push(Value::Iter(iter));
        Place::new(self.params.clone(), values, known)
    }

    /// The place with one more schedule dimension that has no loop, but a single value for the values of those outside:
    /// `known` is a subset of `{ (c, value(c)) }`.
    ///
    /// # Panics
    ///
    /// If `value` is not a function of the schedule dimensions here, or `known` has not one dimension more than there are.
    pub fn with_value(&self, value: Aff, known: Set) -> Place {
        let value = self.substituted(&value);
        let mut values = self.values.clone();
        values.push(Value::Of(value));
        Place::new(self.params.clone(), values, known)
    }

    /// The place with the same dimensions where something else is known.
    ///
    /// # Panics
    ///
    /// If `known` has another number of dimensions.
    pub fn with_known(&self, known: Set) -> Place {
        Place::new(self.params.clone(), self.values.clone(), known)
    }

    /// The place where it is known, too, that the schedule dimensions are in `set`.
    ///
    /// # Panics
    ///
    /// If `set` has another number of dimensions.
    pub fn assuming(&self, set: &Set) -> Place {
        self.with_known(self.known.intersect(&self.normalized(set)))
    }

    /// A function of the schedule dimensions. Where it has a denominator, its values are integers in all that is known:
    /// to round down is a matter of its divisions.
    ///
    /// # Panics
    ///
    /// If `aff` is not a function of the schedule dimensions.
    pub fn quasi(&self, aff: &Aff, forms: &Forms, b: &Budget) -> Outcome<Quasi> {
        Chooser::new(self, forms, b).function(aff)
    }

    /// A piecewise function of the schedule dimensions that has a value wherever something is known: as a minimum or maximum
    /// where it is one, else as a choice between pieces of which the last has no condition. Pieces outside what is
    /// known are dropped.
    ///
    /// # Panics
    ///
    /// If `function` is not one of the schedule dimensions, or has no piece at all.
    pub fn expr(&self, function: &PwAff, forms: &Forms, b: &Budget) -> Outcome<Expr> {
        choice::expr(self, function, forms, b)
    }

    /// The condition for the schedule dimensions to be in `set`, where they are known to be in [`Place::known`]: simplified
    /// by what is known, and with as few comparisons as are found.
    ///
    /// Within a conjunction, comparisons without divisions come first; those that follow may rely on them.
    ///
    /// # Panics
    ///
    /// If `set` has another number of dimensions.
    pub fn condition(&self, set: &Set, forms: &Forms, b: &Budget) -> Outcome<Condition> {
        condition::condition(self, set, forms, b)
    }

    /// The greatest of some functions, of which there is at least one. One that is never greater than another one is
    /// left out, where that is seen.
    ///
    /// # Panics
    ///
    /// If there is none, or one is not a function of the schedule dimensions.
    pub fn maximum(&self, functions: &[Aff], forms: &Forms, b: &Budget) -> Outcome<Expr> {
        let kept = self.undominated(functions, &|a, other| a.sub(other), forms, b)?;
        Ok(Expr::max(kept))
    }

    /// The least of some functions, as [`Place::maximum`].
    ///
    /// # Panics
    ///
    /// If there is none, or one is not a function of the schedule dimensions.
    pub fn minimum(&self, functions: &[Aff], forms: &Forms, b: &Budget) -> Outcome<Expr> {
        let kept = self.undominated(functions, &|a, other| other.sub(a), forms, b)?;
        Ok(Expr::min(kept))
    }

    /// The end of a loop at this place, of which the iterator is bounded above by inequalities `upper`, over the schedule
    /// dimensions and the new one: as conditions, each from one inequality. Inequalities in which the new dimension has no
    /// negative coefficient, or is inside a division, are left out.
    ///
    /// # Panics
    ///
    /// If `upper` has not one dimension more than there are here.
    pub fn upper_conditions(&self, iter: IterId, upper: &Conj, forms: &Forms, b: &Budget) -> Outcome<Upper> {
        let n = self.params.len() + self.depth() + 1;
        assert_eq!(upper.n_vars(), n, "bounds on a new dimension");
        let space = SetSpace::new(self.params.clone(), Tuple::anonymous(self.depth() + 1));
        let known = Set::from_conjs(
            space,
            self.known.pieces().iter().map(|c| c.insert_vars(n - 1, 1)).collect(),
        );
        let inside = self.inside_loop(iter, known);
        let mut chooser = Chooser::new(&inside, forms, b);
        let mut conditions = Vec::new();
        for row in upper.ineqs().iter().filter(|row| row[n].is_neg()) {
            let quasi = inside.naive(&inside.of_row(upper, row));
            let mut rest = quasi.clone();
            let of_iter = quasi.terms().iter().find(|(atom, _)| *atom == Atom::Iter(iter));
            let Some((_, coefficient)) = of_iter else { continue };
            rest.add_scaled(&-coefficient, &Quasi::iter(iter));
            if !rest.mentions(iter) {
                conditions.push(Condition::NonNegative(chooser.best(&quasi)?));
            }
        }
        Ok(Upper::While(conditions))
    }

    /// The operands that are not shown to be at most another one, `gain(a, b) >= 0` meaning that `b` can go.
    fn undominated(
        &self,
        functions: &[Aff],
        gain: &dyn Fn(&Aff, &Aff) -> Aff,
        forms: &Forms,
        b: &Budget,
    ) -> Outcome<Vec<Expr>> {
        assert!(!functions.is_empty(), "a minimum or maximum of nothing");
        let functions: Vec<Aff> = functions.iter().map(|aff| self.substituted(aff)).collect();
        let mut kept: Vec<&Aff> = Vec::new();
        for function in &functions {
            let mut redundant = false;
            for other in &kept {
                redundant = redundant || self.is_non_negative(&self.naive(&gain(other, function)), b)?;
            }
            if !redundant {
                let mut remaining = Vec::with_capacity(kept.len() + 1);
                for other in kept {
                    if !self.is_non_negative(&self.naive(&gain(function, other)), b)? {
                        remaining.push(other);
                    }
                }
                remaining.push(function);
                kept = remaining;
            }
        }
        let mut chooser = Chooser::new(self, forms, b);
        kept.iter().map(|aff| Ok(Expr::Quasi(chooser.function(aff)?))).collect()
    }

    /// The space of the schedule dimensions.
    fn space(&self) -> SetSpace {
        self.known.space().clone()
    }

    /// The set on the tuple of [`Place::known`], with the parameters of this place.
    fn normalized(&self, set: &Set) -> Set {
        assert_eq!(set.n_dims(), self.depth(), "a set of values of the schedule dimensions");
        set.align_params(&self.params)
            .with_tuple(Tuple::anonymous(self.depth()))
    }

    /// The function in terms of parameters and dimensions that have iterators.
    fn substituted(&self, aff: &Aff) -> Aff {
        let depth = self.depth();
        assert_eq!(aff.space().tuple.n(), depth, "a function of the schedule dimensions");
        let space = self.space();
        let aff = aff
            .align_params(&self.params)
            .insert_dims(depth, 0, space.tuple.clone());
        if !self.values.iter().any(|value| matches!(value, Value::Of(_))) {
            return aff;
        }
        let arguments = self.values.iter().enumerate().map(|(dim, value)| match value {
            Value::Iter(_) => Aff::var(space.clone(), dim),
            Value::Of(value) => {
                let n = value.space().tuple.n();
                value.insert_dims(n, depth - n, space.tuple.clone())
            }
        });
        let arguments = MultiAff::new(space.clone(), space.tuple.clone(), arguments.collect());
        aff.pullback(&arguments)
    }

    /// A row of a conjunction over this place's variables as a function, in terms of parameters and dimensions that have
    /// iterators.
    fn of_row(&self, conj: &Conj, row: &Row) -> Aff {
        debug_assert_eq!(conj.n_locals(), 0, "explicit divisions");
        let expr = crate::sets::Expr::over(conj, row.clone());
        self.substituted(&Aff::from_expr(self.space(), expr))
    }

    /// A substituted function term by term: divisions round down, a denominator divides exactly.
    fn naive(&self, aff: &Aff) -> Quasi {
        let n_params = self.params.len();
        let n_vars = n_params + self.depth();
        let mut divisions: Vec<Quasi> = Vec::with_capacity(aff.divs().len());
        let combine = |row: &Row, divisions: &[Quasi]| {
            let mut sum = Quasi::constant(row[0].clone());
            for (column, coefficient) in row.iter().enumerate().skip(1).filter(|(_, c)| !c.is_zero()) {
                let variable = column - 1;
                if variable >= n_vars {
                    sum.add_scaled(coefficient, &divisions[variable - n_vars]);
                } else if variable < n_params {
                    sum.add_scaled(coefficient, &Quasi::param(ParamId(variable)));
                } else if let Value::Iter(iter) = self.values[variable - n_params] {
                    sum.add_scaled(coefficient, &Quasi::iter(iter));
                } else {
                    unreachable!("a dimension without iterator is substituted");
                }
            }
            sum
        };
        for div in aff.divs() {
            let numerator = combine(&div.num, &divisions);
            divisions.push(numerator.floor_div(&div.den));
        }
        let sum = combine(aff.row(), &divisions);
        if aff.den().is_one() {
            return sum;
        }
        match sum.as_constant() {
            // Not an integer: nothing is known to be here.
            Some(constant) => Quasi::constant(constant.div_floor(aff.den())),
            None => Quasi::atom(Atom::Quotient(Box::new(sum), aff.den().clone(), Division::Exact)),
        }
    }

    /// The dimension of an iterator.
    fn dim_of(&self, iter: IterId) -> usize {
        let is_iter = |value: &Value| matches!(value, Value::Iter(id) if *id == iter);
        self.values
            .iter()
            .position(is_iter)
            .expect("an iterator of a loop around")
    }
}

/// The condition that nothing has to hold, as a zero.
fn is_zero(quasi: &Quasi) -> bool {
    quasi.as_constant().is_some_and(Int::is_zero)
}
