//! The text form of schedule trees: isl's YAML.
//!
//! A node is a mapping. Its keys, of which those in brackets may be missing, tell what it is:
//!
//! | node | keys | values |
//! |---|---|---|
//! | root | `domain`, [`child`] | a union of sets |
//! | root of what is to be grafted | `extension`, [`child`] | a union of relations |
//! | band | `schedule`, [`permutable`, `coincident`, `options`, `child`] | a tuple of functions, a flag, a list of flags, a union of sets |
//! | filter | `filter`, [`child`] | a union of sets |
//! | sequence, set | `sequence` or `set` | a list of filters |
//! | expansion | `contraction`, `expansion`, [`child`] | a union of functions, a union of relations |
//! | extension | `extension`, [`child`] | a union of relations |
//! | guard, context | `guard` or `context`, [`child`] | a set |
//! | mark | `mark`, [`child`] | a name |
//!
//! A missing child is a leaf. The options of a band are the sets `atomic[k]`, `separate[k]` and `unroll[k]` of the
//! positions of members that are of this kind, the same inside `[isolate[] -> atomic[k]]` for the isolated part, and
//! `isolate[[c] -> [x]]`, the values `x` of the members that are isolated where outer members have the values `c`.
//! A member is of a kind if it is for any values of the parameters. `full_tiles[32, 64]` is of a band whose members are `floor(p / 32)` and
//! `floor(q / 64)`: the tiles that are full are isolated. (isl leaves that option out.)

mod options;
mod read;
mod write;
