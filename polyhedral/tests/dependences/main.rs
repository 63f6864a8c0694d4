//! The dependence engine and what is derived with it.

mod derived;
mod engine;
mod isl_files;
mod papers;
