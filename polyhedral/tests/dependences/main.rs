//! The dependence engine and what is derived with it.

mod isl_files;
