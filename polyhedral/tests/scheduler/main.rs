//! The scheduler on textbook examples and on random loop nests. Every schedule is checked by enumeration.

mod coalescing;
mod consecutivity;
mod device;
mod grouping;
mod live_ranges;
mod periodic;
mod pluto;
mod ppcg;
mod program;
mod random;
mod textbook;
mod verify;
