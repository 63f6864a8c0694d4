//! Quasi-affine expressions.

use super::expr::Expr;
use super::{Div, MultiAff, Params, SetSpace, Tuple};
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

    /// The constant `value` on `space`.
    pub fn constant(space: SetSpace, value: Int) -> Aff {
        let expr = Expr::constant(space.n_vars(), value);
        Aff { space, expr }
    }

    /// Dimension `dim` of `space`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn var(space: SetSpace, dim: usize) -> Aff {
        assert!(dim < space.tuple.n(), "{space} has no dimension {dim}");
        let expr = Expr::var(space.n_vars(), space.params.len() + dim);
        Aff { space, expr }
    }

    /// Parameter number `param` of `space`.
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

    /// The value if it is a constant integer.
    pub fn as_constant(&self) -> Option<Int> {
        self.expr
            .as_constant()
            .filter(|(_, den)| den.is_one())
            .map(|(num, _)| num.clone())
    }

    fn aligned(&self, other: &Aff) -> (Aff, Aff) {
        assert_eq!(
            self.space.tuple, other.space.tuple,
            "expressions on {} and {}",
            self.space, other.space
        );
        let params = self.space.params.union(&other.space.params);
        (self.align_params(&params), other.align_params(&params))
    }

    /// The sum. Parameters are aligned; otherwise the spaces are the same.
    pub fn add(&self, other: &Aff) -> Aff {
        let (a, b) = self.aligned(other);
        Aff {
            expr: a.expr.add(&b.expr),
            space: a.space,
        }
    }

    /// The difference, as [`Aff::add`].
    pub fn sub(&self, other: &Aff) -> Aff {
        let (a, b) = self.aligned(other);
        Aff {
            expr: a.expr.sub(&b.expr),
            space: a.space,
        }
    }

    /// The negated expression.
    pub fn neg(&self) -> Aff {
        self.scale(&Int::from(-1))
    }

    /// The expression times `factor`.
    pub fn scale(&self, factor: &Int) -> Aff {
        Aff {
            space: self.space.clone(),
            expr: self.expr.scale(factor),
        }
    }

    /// The expression plus `value`.
    pub fn add_constant(&self, value: &Int) -> Aff {
        Aff {
            space: self.space.clone(),
            expr: self.expr.add_constant(value),
        }
    }

    /// The expression rounded down to an integer.
    pub fn floor(&self) -> Aff {
        Aff {
            space: self.space.clone(),
            expr: self.expr.floor(),
        }
    }

    /// The expression divided by `divisor` and rounded down.
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

    /// The expression modulo `modulus`: at least 0 and less than `modulus`.
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

    /// The expression of the values of `args`, whose range tuple is the tuple of this expression's space.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
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
