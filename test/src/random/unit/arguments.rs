//! The arguments of a function: numbers, and pointers into the pools.

use super::CALLS;
use super::prelude::POOL;
use super::types::Type;
use crate::random::index::{Index, Integer};
use crate::random::rng::Rng;

/// The least offset from an array's pointer that is accessed.
pub(super) const LEAST: i64 = -160;
/// The greatest.
pub(super) const MOST: i64 = 640;

/// A number among the arguments.
#[derive(Clone, Debug)]
pub(super) struct Number {
    /// How it is read in the body.
    pub(super) name: String,
    pub(super) ty: Integer,
    /// One value for each call.
    pub(super) values: Vec<i64>,
    /// Whether it is an argument of its own; otherwise it is part of another.
    pub(super) is_argument: bool,
}

impl Number {
    pub(super) fn index(&self) -> Index {
        let (low, high) = (self.values.iter().min(), self.values.iter().max());
        Index::variable(&self.name, self.ty, *low.expect("a call"), *high.expect("a call"))
    }

    pub(super) fn argument(&self, call: usize) -> String {
        match self.values[call] {
            i64::MIN => "-9223372036854775807L - 1".to_owned(),
            value if i32::try_from(value).is_err() => format!("{value}L"),
            value => value.to_string(),
        }
    }
}

/// How an array is declared and subscripted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `T *a`, as `a[i]`.
    Flat,
    /// `T (*a)[24]`, as `a[i][j]`.
    Rows,
    /// `T **a`, as `a[i][j]`: a table of the addresses of rows.
    Table,
    /// `T a[][ld]`, as `a[i][j]`.
    Variable(Index),
    /// `T *a`, as `a[i * ld + j]`.
    Linear(Index),
    /// `struct rec *a`, as `a[i].field`.
    Field(&'static str, &'static str),
    /// A member of the argument `s`, as `s->a[i]`.
    Member(&'static str),
    /// A variable of the function: `T a[64]`, as `a[i & 63]`.
    Local,
    /// `T *a`, whose elements are subscripts from 0 to 63.
    Subscripts(&'static str),
}

/// An array.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) shape: Shape,
    pub(super) restrict: bool,
    pub(super) written: bool,
}

impl Array {
    pub(super) fn rank(&self) -> usize {
        match self.shape {
            Shape::Rows | Shape::Table | Shape::Variable(_) | Shape::Linear(_) => 2,
            _ => 1,
        }
    }

    /// The declaration as an argument, if it is one.
    pub(super) fn declaration(&self) -> Option<String> {
        let (name, ty) = (&self.name, self.ty.c());
        let star = if self.restrict { "*restrict " } else { "*" };
        Some(match &self.shape {
            Shape::Flat | Shape::Linear(_) => format!("{ty} {star}{name}"),
            Shape::Rows => format!("{ty} ({star}{name})[24]"),
            Shape::Table => format!("{ty} **{name}"),
            Shape::Variable(ld) => format!("{ty} {name}[][{}]", ld.text()),
            Shape::Field(of, _) => format!("struct {of} {star}{name}"),
            Shape::Subscripts(tag) => {
                let ty = match *tag {
                    "ii" => "int",
                    "ic" => "unsigned char",
                    _ => "size_t",
                };
                format!("const {ty} *{name}")
            }
            Shape::Member(_) | Shape::Local => return None,
        })
    }

    /// The pool that the array lies in.
    pub(super) fn pool(&self) -> &'static str {
        match self.shape {
            Shape::Field(of, _) => of,
            Shape::Subscripts(tag) => tag,
            _ => self.ty.tag(),
        }
    }
}

/// The rows of a table, and the one of them with the subscript 0.
pub(super) const TABLE: (usize, usize) = (32, 6);

/// The number of elements from the first row of a table to the row `r`, in C. Rows that are `apart` do not overlap.
pub(super) fn place_of_row(rng: &mut Rng, apart: bool) -> &'static str {
    let places = ["24 * r", "24 * (31 - r)", "24 * (r ^ 1)", "24 * (r * 13 & 31)"];
    // Most of them overlap.
    let others = [
        "24 * (r / 2)",
        "12 * r",
        "23 * r",
        "24 * (r & 15)",
        "24 * (r < 9 ? r : 40 - r)",
    ];
    match apart || rng.chance(40) {
        true => rng.pick(&places),
        false => rng.pick(&others),
    }
}

/// Where the arrays of a call lie in their pools.
pub(super) fn places(rng: &mut Rng, pools: &[&'static str], apart: bool) -> Vec<i64> {
    let mut placed: Vec<(&str, i64)> = Vec::new();
    for pool in pools {
        let others: Vec<i64> = placed.iter().filter(|(p, _)| p == pool).map(|(_, at)| *at).collect();
        let fresh = -LEAST + 8 + others.len() as i64 * (MOST - LEAST + 10);
        let near = rng.weighted(&[(4, 0), (2, 1), (2, -1), (2, rng.clone().range(-64, 64)), (1, 24)]);
        let at = if !apart && !others.is_empty() && rng.chance(70) {
            rng.pick(&others) + near
        } else {
            fresh
        };
        placed.push((pool, at.clamp(-LEAST, POOL - 1 - MOST)));
    }
    placed.into_iter().map(|(_, at)| at).collect()
}

/// The values of a usual number: all kinds of small trip counts.
pub(super) fn small_values(rng: &mut Rng, least: i64, most: i64) -> Vec<i64> {
    let typical = [
        most,
        rng.range(least, most),
        rng.range(least, 4.min(most)),
        (most / 2) | 1,
        rng.range(1.max(least), most),
        least.max(0),
        1.max(least),
    ];
    let start = rng.below(3);
    (0..CALLS).map(|call| typical[(call + start) % typical.len()]).collect()
}
