//! Detection: which regions of a function are candidates for a model, and why a region is declined.

pub(crate) mod advice;
pub(crate) mod declined;
pub(crate) mod errors;
pub(crate) mod fragment;
pub(crate) mod order;
pub(crate) mod regions;
