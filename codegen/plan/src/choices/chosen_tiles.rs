//! Sizes of tiles that a user gives: `32,32,512`, or `-,64` for a loop that is not tiled.
//!
//! The sizes are those of the loops of a tiled band, outermost first. The last one is that of all loops behind it: `32` is a size for
//! every loop.

use std::fmt;
use std::str::FromStr;

/// The sizes of the tiles of every band. At least one loop is tiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenTiles {
    /// `None` for a loop that is not tiled.
    first: Vec<Option<i64>>,
    /// That of all loops behind these.
    last: Option<i64>,
}

/// Why a text gives no sizes of tiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTileSizes {
    /// An entry is no size.
    #[error("'{0}' is no tile size: expected a positive number, or `-` for a loop that is not tiled")]
    NoSize(String),
    /// No loop would be tiled.
    #[error("'{0}' has no tile size: expected at least one positive number")]
    NoTiles(String),
}

impl ChosenTiles {
    /// Tiles of one size in every loop.
    pub fn uniform(size: i64) -> Self {
        ChosenTiles {
            first: Vec::new(),
            last: Some(size),
        }
    }

    /// Whether all loops have tiles of one size.
    pub(crate) fn is_uniform(&self) -> bool {
        self.last.is_some() && self.first.iter().all(|size| *size == self.last)
    }

    /// The sizes for a band of `n` loops, outermost first; `None` if none of these is tiled.
    pub(crate) fn of_band(&self, n: usize) -> Option<Vec<Option<i64>>> {
        let sizes: Vec<Option<i64>> = (0..n)
            .map(|position| self.first.get(position).copied().unwrap_or(self.last))
            .collect();
        sizes.iter().any(Option::is_some).then_some(sizes)
    }
}

impl FromStr for ChosenTiles {
    type Err = NoTileSizes;

    fn from_str(text: &str) -> Result<Self, NoTileSizes> {
        let size = |entry: &str| match entry.trim() {
            "-" | "0" => Ok(None),
            entry => match entry.parse::<u32>() {
                Ok(size) => Ok(Some(i64::from(size))),
                Err(_) => Err(NoTileSizes::NoSize(entry.to_owned())),
            },
        };
        let mut first: Vec<Option<i64>> = text.split(',').map(size).collect::<Result<_, _>>()?;
        if first.iter().all(Option::is_none) {
            return Err(NoTileSizes::NoTiles(text.to_owned()));
        }
        let last = first.pop().expect("a text has an entry");
        Ok(ChosenTiles { first, last })
    }
}

impl fmt::Display for ChosenTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for size in &self.first {
            match size {
                Some(size) => write!(f, "{size},")?,
                None => f.write_str("-,")?,
            }
        }
        match self.last {
            Some(size) => write!(f, "{size}"),
            None => f.write_str("-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ChosenTiles;
    use expect_test::{Expect, expect};

    /// The sizes of bands of one to four loops, or what is wrong with the text.
    fn check(text: &str, expected: Expect) {
        let said = match text.parse::<ChosenTiles>() {
            Ok(sizes) => {
                let of_bands: Vec<String> = (1..=4).map(|n| format!("{:?}", sizes.of_band(n))).collect();
                format!("{sizes}\n{}", of_bands.join("\n")).replace("Some", "")
            }
            Err(why) => why.to_string(),
        };
        expected.assert_eq(&said);
    }

    #[test]
    fn the_last_size_is_that_of_further_loops() {
        check(
            "32",
            expect![[r#"
            32
            ([(32)])
            ([(32), (32)])
            ([(32), (32), (32)])
            ([(32), (32), (32), (32)])"#]],
        );
        check(
            "32, 16,512",
            expect![[r#"
            32,16,512
            ([(32)])
            ([(32), (16)])
            ([(32), (16), (512)])
            ([(32), (16), (512), (512)])"#]],
        );
    }

    #[test]
    fn loops_may_be_untiled() {
        check(
            "-,64",
            expect![[r#"
            -,64
            None
            ([None, (64)])
            ([None, (64), (64)])
            ([None, (64), (64), (64)])"#]],
        );
        check(
            "8,0",
            expect![[r#"
            8,-
            ([(8)])
            ([(8), None])
            ([(8), None, None])
            ([(8), None, None, None])"#]],
        );
    }

    #[test]
    fn what_is_no_size_is_named() {
        check(
            "32,x,8",
            expect!["'x' is no tile size: expected a positive number, or `-` for a loop that is not tiled"],
        );
        check(
            "32,",
            expect!["'' is no tile size: expected a positive number, or `-` for a loop that is not tiled"],
        );
        check(
            "-8",
            expect!["'-8' is no tile size: expected a positive number, or `-` for a loop that is not tiled"],
        );
        check(
            "99999999999",
            expect!["'99999999999' is no tile size: expected a positive number, or `-` for a loop that is not tiled"],
        );
        check(
            "0",
            expect!["'0' has no tile size: expected at least one positive number"],
        );
        check(
            "-,-",
            expect!["'-,-' has no tile size: expected at least one positive number"],
        );
    }
}
