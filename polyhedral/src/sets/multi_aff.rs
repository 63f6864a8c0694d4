//! Tuples of quasi-affine expressions.

use super::{Aff, Map, MapSpace, Params, SetSpace, Tuple};
use std::fmt;
use std::str::FromStr;

/// A function from tuples to tuples given by one quasi-affine expression a range dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MultiAff {
    space: MapSpace,
    affs: Vec<Aff>,
}

impl MultiAff {
    /// The tuple `range` of the expressions `affs` on `domain`.
    ///
    /// # Panics
    ///
    /// If there are not as many expressions as dimensions of `range`.
    pub fn new(_domain: SetSpace, _range: Tuple, _affs: Vec<Aff>) -> MultiAff {
        todo!()
    }

    /// The identity on `space`.
    pub fn identity(_space: SetSpace) -> MultiAff {
        todo!()
    }

    /// The space of the relation.
    pub fn space(&self) -> &MapSpace {
        todo!()
    }

    /// The space of the arguments.
    pub fn domain_space(&self) -> SetSpace {
        todo!()
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        todo!()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        todo!()
    }

    /// The expressions, one a dimension of the range.
    pub fn affs(&self) -> &[Aff] {
        todo!()
    }

    /// The graph of the function, where its values are integers.
    pub fn to_map(&self) -> Map {
        todo!()
    }

    /// The function of the values of `args`.
    pub fn pullback(&self, _args: &MultiAff) -> MultiAff {
        todo!()
    }

    /// The same function with the parameters `params`, which include the present ones.
    pub fn align_params(&self, _params: &Params) -> MultiAff {
        todo!()
    }

    /// The concatenation `x -> [self(x), other(x)]`, its range an anonymous tuple.
    pub fn flat_range_product(&self, _other: &MultiAff) -> MultiAff {
        todo!()
    }
}

impl fmt::Display for MultiAff {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl FromStr for MultiAff {
    type Err = crate::text::ParseError;
    fn from_str(_s: &str) -> Result<MultiAff, Self::Err> {
        todo!()
    }
}
