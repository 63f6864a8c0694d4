//! The scheduler on textbook examples and on random loop nests. Every schedule is checked by enumeration.

mod consecutivity;
mod live_ranges;
mod pluto;
mod ppcg;
mod program;
mod random;
mod textbook;
mod verify;
