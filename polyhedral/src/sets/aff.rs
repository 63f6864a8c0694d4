//! Quasi-affine expressions.

use super::standin::{Int, Row};
use super::{Div, MultiAff, Params, SetSpace};
use std::fmt;

/// The quasi-affine expression `row / den` on a space: affine in parameters, dimensions and integer divisions of such
/// expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Aff {
    space: SetSpace,
    divs: Vec<Div>,
    row: Row,
    den: Int,
}

impl Aff {
    /// The constant `value` on `space`.
    pub fn constant(_space: SetSpace, _value: Int) -> Aff {
        todo!()
    }

    /// Dimension `dim` of `space`.
    pub fn var(_space: SetSpace, _dim: usize) -> Aff {
        todo!()
    }

    /// Parameter number `param` of `space`.
    pub fn param(_space: SetSpace, _param: usize) -> Aff {
        todo!()
    }

    /// The space of the arguments.
    pub fn space(&self) -> &SetSpace {
        todo!()
    }

    /// The integer divisions that `row` uses; numerators have the columns of `row`.
    pub fn divs(&self) -> &[Div] {
        todo!()
    }

    /// The numerator, over `[1 | params | dims | divs]`.
    pub fn row(&self) -> &Row {
        todo!()
    }

    /// The denominator, positive.
    pub fn den(&self) -> &Int {
        todo!()
    }

    /// The value if it is a constant integer.
    pub fn as_constant(&self) -> Option<Int> {
        todo!()
    }

    /// The sum. Parameters are aligned; otherwise the spaces are the same.
    pub fn add(&self, _other: &Aff) -> Aff {
        todo!()
    }

    /// The difference, as [`Aff::add`].
    pub fn sub(&self, _other: &Aff) -> Aff {
        todo!()
    }

    /// The negated expression.
    pub fn neg(&self) -> Aff {
        todo!()
    }

    /// The expression times `factor`.
    pub fn scale(&self, _factor: &Int) -> Aff {
        todo!()
    }

    /// The expression plus `value`.
    pub fn add_constant(&self, _value: &Int) -> Aff {
        todo!()
    }

    /// The expression rounded down to an integer.
    pub fn floor(&self) -> Aff {
        todo!()
    }

    /// The expression divided by `divisor > 0` and rounded down.
    pub fn floor_div(&self, _divisor: &Int) -> Aff {
        todo!()
    }

    /// The expression modulo `modulus > 0`, at least 0 and less than `modulus`.
    pub fn modulo(&self, _modulus: &Int) -> Aff {
        todo!()
    }

    /// The same expression with the parameters `params`, which include the present ones.
    pub fn align_params(&self, _params: &Params) -> Aff {
        todo!()
    }

    /// The expression of the values of `args`, whose range tuple is the tuple of this expression's space.
    pub fn pullback(&self, _args: &MultiAff) -> Aff {
        todo!()
    }

    /// The value at a point, none if it is not an integer.
    pub fn eval(&self, _params: &[Int], _dims: &[Int]) -> Option<Int> {
        todo!()
    }
}

impl fmt::Display for Aff {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}
