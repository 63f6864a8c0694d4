//! Farkas's scheduler beside isl's: the benchmark `schedule`, and the test of the same name.
//!
//! | module | what |
//! |---|---|
//! | [`input`] | the files with schedule constraints, and with what options they are scheduled |
//! | [`generated`] | constraints of any number of statements |
//! | [`outline`] | schedule trees, read from their text, whoever printed it |
//! | [`quality`] | what a schedule offers per statement, and when two are equivalent |
//! | [`live_ranges`] | whether live ranges that a schedule reorders overlap |

pub mod generated;
pub mod input;
pub mod live_ranges;
pub mod outline;
pub mod quality;
