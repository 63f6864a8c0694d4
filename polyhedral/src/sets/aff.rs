//! Quasi-affine expressions.

use super::expr::Expr;
use super::{Div, MultiAff, Params, Set, SetSpace, Tuple};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;

/// The quasi-affine expression `row / den` on a space: affine in parameters, dimensions and integer divisions of such
/// expressions, as `i + 2 floor((i + n) / 4)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Aff {
    space: SetSpace,
    expr: Expr,
}

impl Aff {
    /// The expression `expr` over the variables of `space`.
    pub(crate) fn from_expr(space: SetSpace, expr: Expr) -> Aff {
        assert_eq!(
            space.n_vars(),
            expr.n_vars(),
            "an expression over the variables of its space"
        );
        Aff { space, expr }
    }

    pub(crate) fn expr(&self) -> &Expr {
        &self.expr
    }

    /// The constant `x -> value` on `space`.
    pub fn constant(space: SetSpace, value: Int) -> Aff {
        let expr = Expr::constant(space.n_vars(), value);
        Aff { space, expr }
    }

    /// Dimension `dim` of `space`: `x -> x_dim`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn var(space: SetSpace, dim: usize) -> Aff {
        assert!(dim < space.tuple.n(), "{space} has no dimension {dim}");
        let expr = Expr::var(space.n_vars(), space.params.len() + dim);
        Aff { space, expr }
    }

    /// Parameter number `param` of `space`: `x -> p_param`.
    ///
    /// # Panics
    ///
    /// If there is no such parameter.
    pub fn param(space: SetSpace, param: usize) -> Aff {
        assert!(param < space.params.len(), "{space} has no parameter {param}");
        let expr = Expr::var(space.n_vars(), param);
        Aff { space, expr }
    }

    /// The space of the arguments.
    pub fn space(&self) -> &SetSpace {
        &self.space
    }

    /// The integer divisions that the numerator uses; their numerators have the columns of [`Aff::row`].
    pub fn divs(&self) -> &[Div] {
        self.expr.form().divs()
    }

    /// The numerator, over `[1 | params | dims | divs]`.
    pub fn row(&self) -> &Row {
        self.expr.row()
    }

    /// The denominator, positive.
    pub fn den(&self) -> &Int {
        self.expr.den()
    }

    /// The coefficient of dimension `dim` in the numerator, apart from integer divisions.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn coefficient(&self, dim: usize) -> &Int {
        assert!(dim < self.space.tuple.n(), "{} has no dimension {dim}", self.space);
        &self.row()[1 + self.space.params.len() + dim]
    }

    /// The coefficient of parameter number `param` in the numerator, apart from integer divisions.
    ///
    /// # Panics
    ///
    /// If there is no such parameter.
    pub fn param_coefficient(&self, param: usize) -> &Int {
        assert!(
            param < self.space.params.len(),
            "{} has no parameter {param}",
            self.space
        );
        &self.row()[1 + param]
    }

    /// The coefficient of division number `div` in the numerator.
    ///
    /// # Panics
    ///
    /// If there is no such division.
    pub fn div_coefficient(&self, div: usize) -> &Int {
        assert!(div < self.divs().len(), "no division {div}");
        &self.row()[1 + self.space.n_vars() + div]
    }

    /// The constant term of the numerator.
    pub fn constant_term(&self) -> &Int {
        &self.row()[0]
    }

    /// Whether neither parameters nor dimensions occur.
    pub fn is_constant(&self) -> bool {
        self.expr.as_constant().is_some()
    }

    /// The value if it is a constant integer.
    pub fn as_constant(&self) -> Option<Int> {
        self.expr
            .as_constant()
            .filter(|(_, den)| den.is_one())
            .map(|(num, _)| num.clone())
    }

    pub(super) fn aligned(&self, other: &Aff) -> (Aff, Aff) {
        assert_eq!(
            self.space.tuple, other.space.tuple,
            "expressions on {} and {}",
            self.space, other.space
        );
        let params = self.space.params.union(&other.space.params);
        (self.align_params(&params), other.align_params(&params))
    }

    /// The sum `x -> f(x) + g(x)`. Parameters are aligned.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn add(&self, other: &Aff) -> Aff {
        let (a, b) = self.aligned(other);
        Aff {
            expr: a.expr.add(&b.expr),
            space: a.space,
        }
    }

    /// The difference `x -> f(x) - g(x)`. Parameters are aligned.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn sub(&self, other: &Aff) -> Aff {
        let (a, b) = self.aligned(other);
        Aff {
            expr: a.expr.sub(&b.expr),
            space: a.space,
        }
    }

    /// The negated expression `x -> -f(x)`.
    pub fn neg(&self) -> Aff {
        self.scale(&Int::from(-1))
    }

    /// The expression times a factor, `x -> factor f(x)`.
    pub fn scale(&self, factor: &Int) -> Aff {
        Aff {
            space: self.space.clone(),
            expr: self.expr.scale(factor),
        }
    }

    /// The expression plus a number, `x -> f(x) + value`.
    pub fn add_constant(&self, value: &Int) -> Aff {
        Aff {
            space: self.space.clone(),
            expr: self.expr.add_constant(value),
        }
    }

    /// The expression rounded down to an integer, `x -> floor(f(x))`.
    pub fn floor(&self) -> Aff {
        Aff {
            space: self.space.clone(),
            expr: self.expr.floor(),
        }
    }

    /// The expression rounded up to an integer, `x -> ceil(f(x))`.
    pub fn ceil(&self) -> Aff {
        Aff {
            space: self.space.clone(),
            expr: self.expr.ceil(),
        }
    }

    /// The expression divided, not rounded: `x -> f(x) / divisor`.
    ///
    /// # Panics
    ///
    /// If `divisor` is zero.
    pub fn divide(&self, divisor: &Int) -> Aff {
        assert!(!divisor.is_zero(), "a divisor that is not zero");
        Aff {
            space: self.space.clone(),
            expr: self.expr.divide(divisor),
        }
    }

    /// The product `x -> f(x) g(x)`, none if neither factor is constant. Parameters are aligned.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn mul(&self, other: &Aff) -> Option<Aff> {
        let (a, b) = self.aligned(other);
        let expr = match (a.expr.as_constant(), b.expr.as_constant()) {
            (_, Some((num, den))) => a.expr.scale(num).divide(den),
            (Some((num, den)), None) => b.expr.scale(num).divide(den),
            (None, None) => return None,
        };
        Some(Aff { expr, space: a.space })
    }

    /// An expression with the same values on `context`, `g(x) = f(x) for x in context`, with what its equalities
    /// determine put in, as [`MultiAff::gist`].
    pub fn gist(&self, context: &Set, b: &Budget) -> Outcome<Aff> {
        Ok(
            MultiAff::new(self.space.clone(), Tuple::anonymous(1), vec![self.clone()])
                .gist(context, b)?
                .affs()[0]
                .clone(),
        )
    }

    /// The expression divided and rounded down: `x -> floor(f(x) / divisor)`.
    ///
    /// # Panics
    ///
    /// If `divisor` is not positive.
    pub fn floor_div(&self, divisor: &Int) -> Aff {
        assert!(divisor.is_pos(), "a positive divisor");
        Aff {
            space: self.space.clone(),
            expr: self.expr.divide(divisor).floor(),
        }
    }

    /// `f` and `d` of the function `floor(f / d)`, which may be written `-floor((d - 1 - f) / d)`. A function without divisions is
    /// divided by 1. `None` for any other function.
    pub fn as_floor_div(&self) -> Option<(Aff, Int)> {
        if !self.den().is_one() {
            return None;
        }
        let [div] = self.divs() else {
            return self.divs().is_empty().then(|| (self.clone(), Int::ONE));
        };
        let n_vars = self.space().n_vars();
        let sign = self.div_coefficient(0);
        let alone = self.row()[..=n_vars].iter().all(Int::is_zero) && sign.abs().is_one();
        if !alone {
            return None;
        }
        let space = self.space().clone();
        let n_params = space.params.len();
        let constant = match sign.is_one() {
            true => div.num[0].clone(),
            false => &(&div.den - &Int::ONE) - &div.num[0],
        };
        let constant = Aff::constant(space.clone(), constant);
        let variables = (1..=n_vars).filter(|column| !div.num[*column].is_zero());
        let point = variables.fold(constant, |sum, column| {
            let variable = match column - 1 {
                param if param < n_params => Aff::param(space.clone(), param),
                dim => Aff::var(space.clone(), dim - n_params),
            };
            sum.add(&variable.scale(&(sign * &div.num[column])))
        });
        Some((point, div.den.clone()))
    }

    /// The expression modulo `modulus`, `x -> f(x) - modulus floor(f(x) / modulus)`: at least 0 and less than
    /// `modulus`.
    ///
    /// # Panics
    ///
    /// If `modulus` is not positive.
    pub fn modulo(&self, modulus: &Int) -> Aff {
        self.sub(&self.floor_div(modulus).scale(modulus))
    }

    /// The same expression with the parameters `params`, which include the present ones.
    pub fn align_params(&self, params: &Params) -> Aff {
        if self.space.params == *params {
            return self.clone();
        }
        let target = super::space::aligned_var(&self.space.params, params);
        let space = SetSpace::new(params.clone(), self.space.tuple.clone());
        Aff {
            expr: self.expr.remap(space.n_vars(), target),
            space,
        }
    }

    /// The same expression on `tuple`, which has `count` more dimensions, at `pos`, of which the value does not depend.
    ///
    /// # Panics
    ///
    /// If `tuple` has another number of dimensions.
    pub fn insert_dims(&self, pos: usize, count: usize, tuple: Tuple) -> Aff {
        let space = SetSpace::new(self.space.params.clone(), tuple);
        assert_eq!(
            space.n_vars(),
            self.space.n_vars() + count,
            "{count} more dimensions than {}",
            self.space
        );
        let first = self.space.params.len() + pos;
        Aff {
            expr: self
                .expr
                .remap(space.n_vars(), |v| if v < first { v } else { v + count }),
            space,
        }
    }

    /// The composition `x -> f(args(x))`.
    ///
    /// # Panics
    ///
    /// If the range tuple of `args` is not the tuple of this expression.
    pub fn pullback(&self, args: &MultiAff) -> Aff {
        assert_eq!(
            self.space.tuple,
            args.space().range,
            "an expression on {} of {}",
            self.space,
            args.space()
        );
        let params = args.space().params.union(&self.space.params);
        let (own, args) = (self.align_params(&params), args.align_params(&params));
        let space = args.domain_space();
        let n_vars = space.n_vars();
        let values: Vec<Expr> = (0..params.len())
            .map(|p| Expr::var(n_vars, p))
            .chain(args.affs().iter().map(|a| a.expr.clone()))
            .collect();
        Aff {
            expr: own.expr.substitute(n_vars, &values),
            space,
        }
    }

    /// The value at a point, none if it is not an integer.
    pub fn eval(&self, params: &[Int], dims: &[Int]) -> Option<Int> {
        let point: Vec<Int> = params.iter().chain(dims).cloned().collect();
        self.expr.eval(&point)
    }
}
