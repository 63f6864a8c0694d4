//! From scalar evolution to quasi-affine expressions over parameters and loop counters.

pub(crate) mod cases;
pub(crate) mod convert;
pub(crate) mod expression_cache;
pub(crate) mod factor;
pub(crate) mod names;
pub(crate) mod params;
pub(crate) mod pieces;
pub(crate) mod polynomial;
pub(crate) mod polynomial_bounds;
pub(crate) mod scope;
pub(crate) mod strides;
pub(crate) mod trip_counts;
