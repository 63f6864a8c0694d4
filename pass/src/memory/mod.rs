//! Arrays: from addresses to subscripts, and loads that are hoisted out of the region.

pub(crate) mod access;
pub(crate) mod array_names;
pub(crate) mod arrays;
pub(crate) mod delinearization;
pub(crate) mod dope_vectors;
pub(crate) mod extent;
pub(crate) mod indirect_accesses;
pub(crate) mod inner_bounds;
pub(crate) mod invariant_load_hoisting;
pub(crate) mod parametric_shapes;
pub(crate) mod rotating_buffers;
pub(crate) mod row_tables;
pub(crate) mod rows;
pub(crate) mod widening;
