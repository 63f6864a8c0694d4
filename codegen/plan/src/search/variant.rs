//! What becomes of one band, as data, and the tree that it gives.

use std::fmt;
use std::slice;

use farkas_polyhedral::sets::{Name, Tuple};
use farkas_polyhedral::tree::{Band, Node};

use super::lanes::{JAMMED_STRIP, Strip};
use super::register_tiles;
use crate::analysis::linear::Statements;
use crate::cost::Model;
use crate::transform::diamond::{Diamond, in_diamonds};
use crate::transform::distribute::{Distribution, distributed};
use crate::transform::interchange::Outer;
use crate::transform::jam::{jammed, jammed_skewed};
use crate::transform::pack::pack_mark;
use crate::transform::sink::inside_of;
use crate::transform::tile::tiled;
use crate::transform::tile_separation::{Gap, TilesOf, band_of, separated};
use crate::transform::vectorize::{Lanes, vectorized};
use crate::transform::wavefront::{self, skewed};
use crate::transform::{Transform, directions, sizes_text};

/// How often loops are unrolled for registers: the model chooses.
pub(super) const FACTOR: i64 = 4;
/// The same where one loop is.
pub(super) const LARGER_FACTOR: i64 = 8;

/// The factors to consider for these members to jam.
pub(super) fn factors(jam: &[usize]) -> &'static [i64] {
    match jam.len() {
        1 => &[FACTOR, LARGER_FACTOR],
        _ => &[FACTOR],
    }
}

/// The same with lanes along another member: the larger one with a single vector that is long enough, and as many rows as there are registers
/// for in a register tile.
pub(super) fn factors_with_lanes(model: &Model<'_>, strip: &Strip) -> Vec<i64> {
    match strip.lanes.vectors {
        _ if strip.is_register_tile => vec![FACTOR, register_tiles::rows(model)],
        1 if strip.lanes.lanes >= JAMMED_STRIP => factors(&strip.jam).to_vec(),
        _ => vec![FACTOR],
    }
}

/// What becomes of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// How many members of bands around the band were sunk into it, as its first members.
    pub sunk: usize,
    /// The member that becomes the innermost loop.
    pub innermost: usize,
    /// The loops that each child has for its own.
    pub distribute: Option<Distribution>,
    /// The sizes of cache tiles, after interchange; `None` for a member that is not tiled.
    pub tile: Option<Vec<Option<i64>>>,
    /// The tiles are diamonds, with the mirror of a member in place of the first one.
    pub diamond: Option<Diamond>,
    /// The members that are unrolled inside the innermost loop, after interchange.
    pub jam: Vec<usize>,
    /// How often each of them is.
    pub factor: i64,
    /// Those among them that have fewer iterations, with their number: all of these are unrolled.
    pub fewer: Vec<(usize, i64)>,
    /// The member, after interchange, whose iterations run as a wavefront.
    pub wavefront: Option<usize>,
    /// The lanes of vectors, along a member after interchange.
    pub lanes: Option<Lanes>,
    /// Whether lanes and jam are a register tile of several vectors.
    pub is_register_tile: bool,
    /// The statements that have tiles of their own. All members are then tiled by one size.
    pub separated: Vec<Separated>,
    /// The array of which a tile is in a buffer. All members are tiled then. With lanes, it is the tile of the rows that are jammed.
    pub pack: Option<Name>,
}

/// A statement with tiles of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separated {
    /// The statement.
    pub statement: Tuple,
    /// The tiles in which it is alone.
    pub gaps: Vec<Gap>,
    /// What becomes of the band of points in these. Its members are those of the band around, after interchange.
    pub points: Variant,
    /// Which members of the band around carry nothing in these, before interchange.
    pub coincident: Vec<bool>,
}

impl Separated {
    fn tiles(&self, base: &Band, outer: &Outer, statements: &Statements) -> TilesOf {
        let band = band_of(base, &self.statement, self.points.innermost, &self.coincident);
        TilesOf {
            statement: self.statement.clone(),
            gaps: self.gaps.clone(),
            points: self.points.node(&band, &[], outer, statements),
        }
    }
}

impl Variant {
    /// The band with this member innermost.
    pub(super) fn plain(innermost: usize) -> Self {
        Variant {
            sunk: 0,
            innermost,
            distribute: None,
            tile: None,
            jam: Vec::new(),
            factor: 1,
            fewer: Vec::new(),
            diamond: None,
            wavefront: None,
            lanes: None,
            is_register_tile: false,
            separated: Vec::new(),
            pack: None,
        }
    }

    /// The node for the band, whose members are in the variant's order. Tiles are outside of the bands in `around`.
    /// `outer` has the functions of the bands outside.
    pub(super) fn node(&self, base: &Band, around: &[Band], outer: &Outer, statements: &Statements) -> Node {
        let skewed = self.wavefront.map(|member| skewed(base, member));
        let base = skewed.as_ref().unwrap_or(base);
        let pack = self.pack.as_ref().map(|array| {
            let statement = base.statements().next().expect("a band has statements");
            pack_mark(array, statement)
        });
        let (pack_rows, pack_points) = match self.lanes {
            Some(_) => (pack, None),
            None => (None, pack),
        };
        let points = match (&self.jam[..], &self.lanes) {
            (jam, Some(lanes)) => vectorized(base, lanes, (jam, self.factor), pack_rows),
            _ if let Some(distribution) = self.distribute => distributed(base, distribution, outer, statements),
            (members, None) => match self.wavefront {
                Some(member) => jammed_skewed(base, member, wavefront::ROWS),
                None if members.is_empty() => Node::band(base.clone()),
                None => jammed(base, members, &self.factors()),
            },
        };
        let points = inside_of(around, points);
        let points = match pack_points {
            Some(mark) => Node::Mark(mark, Box::new(points)),
            None => points,
        };
        match &self.tile {
            Some(sizes) if !self.separated.is_empty() => {
                let size = sizes[0].expect("all members are tiled");
                let alone = self.separated.iter().map(|one| one.tiles(base, outer, statements));
                separated(base, size, alone.collect(), points)
            }
            Some(sizes) => match self.diamond {
                Some(diamond) => in_diamonds(base, diamond, sizes, points),
                None => tiled(base, sizes, points),
            },
            None => points,
        }
    }

    /// How many iterations run side by side in wavefronts.
    fn rows(&self) -> i64 {
        self.lanes.as_ref().map_or(wavefront::ROWS, Lanes::strip)
    }

    /// Whether loops become lanes, in tiles of a statement or everywhere.
    pub(super) fn has_lanes(&self) -> bool {
        self.lanes.is_some() || self.separated.iter().any(|one| one.points.has_lanes())
    }

    /// Whether some tile is larger than the copies and lanes of a register tile.
    pub(super) fn has_cache_tiles(&self) -> bool {
        let is_in_registers = |member: usize, size: i64| {
            let in_lanes = |lanes: &Lanes| lanes.member == member && lanes.strip() == size;
            self.lanes.as_ref().is_some_and(in_lanes) || self.jam.contains(&member) && self.factor == size
        };
        let mut sizes = self.tile.iter().flatten().enumerate();
        sizes.any(|(member, size)| size.is_some_and(|size| !is_in_registers(member, size)))
    }

    /// Whether iterations around lanes go in blocks.
    pub(super) fn has_blocks(&self) -> bool {
        let own = self.lanes.as_ref().is_some_and(|lanes| lanes.block.is_some());
        own || self.separated.iter().any(|one| one.points.has_blocks())
    }

    /// Whether rows of each child of the band are unrolled.
    pub(super) fn has_rows_of_children(&self) -> bool {
        matches!(self.distribute, Some(Distribution::Jammed { .. }))
    }

    /// Whether more rows are unrolled than LLVM's vectorizer usually gains by: 8 rows of `doitgen` took 1.05 times as long as 4,
    /// where 0.95 was predicted. With lanes, more rows share what is loaded lane by lane: `syr2k` took 0.78 of the time.
    pub(super) fn has_many_rows(&self) -> bool {
        let of_children = match self.distribute {
            Some(Distribution::Jammed { factor }) => factor > FACTOR,
            _ => false,
        };
        of_children || self.factor > FACTOR && self.lanes.is_none()
    }

    /// How often each member to jam is unrolled.
    fn factors(&self) -> Vec<i64> {
        let fewer = |member| self.fewer.iter().find(|(short, _)| short == member);
        let factor = |member| fewer(member).map_or(self.factor, |(_, iterations)| *iterations);
        self.jam.iter().map(factor).collect()
    }

    /// The transformations of the band.
    pub(super) fn transforms(&self, band: &Band, statements: &[Tuple]) -> Vec<Transform> {
        let mut transforms = self.transforms_of(statements, band);
        let size = self.tile.as_ref().and_then(|sizes| sizes.iter().flatten().next());
        for one in &self.separated {
            transforms.push(Transform::SeparateTiles {
                statement: one.statement.clone(),
                gaps: one.gaps.clone(),
                size: *size.expect("tiles that are separated have a size"),
            });
            transforms.extend(one.points.transforms_of(slice::from_ref(&one.statement), band));
        }
        transforms
    }

    /// Those of the band of points and the tiles around it, on these statements.
    fn transforms_of(&self, statements: &[Tuple], band: &Band) -> Vec<Transform> {
        let statements = || statements.to_vec();
        // Members of bands that are skewed, or shared out, are along other loops.
        let is_plain = self.wavefront.is_none() && self.distribute.is_none() && self.separated.is_empty();
        let along = |members: &[usize]| match is_plain {
            true => directions(band, members.iter().copied()),
            false => Vec::new(),
        };
        let mut transforms = Vec::new();
        if self.sunk > 0 {
            transforms.push(Transform::Sink {
                statements: statements(),
            });
        }
        if self.distribute.is_some() {
            transforms.push(Transform::Distribute {
                statements: statements(),
            });
        }
        if let Some(sizes) = &self.tile {
            let (statements, sizes) = (statements(), sizes.clone());
            transforms.push(match self.diamond {
                Some(_) => Transform::DiamondTile { statements, sizes },
                None => Transform::Tile {
                    directions: along(&Vec::from_iter(0..sizes.len())),
                    statements,
                    sizes,
                },
            });
        }
        if let Some(array) = &self.pack {
            transforms.push(Transform::Pack {
                statements: statements(),
                array: array.clone(),
            });
        }
        if !self.jam.is_empty() {
            transforms.push(Transform::UnrollAndJam {
                statements: statements(),
                factors: self.factors(),
                directions: along(&self.jam),
            });
        }
        if let Some(Distribution::Jammed { factor }) = self.distribute {
            transforms.push(Transform::UnrollAndJam {
                statements: statements(),
                factors: vec![factor],
                directions: Vec::new(),
            });
        }
        if self.wavefront.is_some() {
            transforms.push(Transform::Wavefront {
                statements: statements(),
                rows: self.rows(),
            });
        }
        if let Some(lanes) = &self.lanes {
            transforms.push(Transform::Vectorize {
                statements: statements(),
                member: self.original_member(lanes.member, band.n() - 1),
                lanes: lanes.lanes,
                block: lanes.block.as_ref().map(|block| block.iterations),
            });
        }
        transforms
    }

    /// The position before interchange of a member of a band, whose last position is `last`: the innermost member was moved
    /// to the end.
    fn original_member(&self, member: usize, last: usize) -> usize {
        match member {
            member if member == last => self.innermost,
            member if member < self.innermost => member,
            member => member + 1,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sunk > 0 {
            write!(f, "{} sunk, ", self.sunk)?;
        }
        write!(f, "member {} innermost", self.innermost)?;
        match self.distribute {
            Some(Distribution::Innermost) => write!(f, ", distributed")?,
            Some(Distribution::Jammed { factor }) => write!(f, ", distributed, rows jammed by {factor}")?,
            None => {}
        }
        if let Some(sizes) = &self.tile {
            let kind = if self.diamond.is_some() { "diamonds" } else { "tiled" };
            write!(f, ", {kind} {}", sizes_text(sizes))?;
        }
        if let Some(array) = &self.pack {
            write!(f, ", {array} packed")?;
        }
        if !self.jam.is_empty() {
            let factors = match self.fewer.is_empty() {
                true => self.factor.to_string(),
                false => sizes_text(&self.factors().into_iter().map(Some).collect::<Vec<_>>()),
            };
            write!(f, ", {} jammed by {factors}", self.jam.len())?;
        }
        if let Some(member) = self.wavefront {
            write!(f, ", wavefronts of {} along member {member}", self.rows())?;
        }
        if let Some(lanes) = &self.lanes {
            let (vectors, width, member) = (lanes.vectors, lanes.lanes, lanes.member);
            write!(f, ", {vectors} x {width} lanes along member {member}")?;
            if let Some(block) = &lanes.block {
                write!(f, ", in blocks of {}", block.iterations)?;
            }
        }
        for Separated { statement, points, .. } in &self.separated {
            let name = statement.name().map_or(String::new(), ToString::to_string);
            write!(f, "; tiles of {name}: {points}")?;
        }
        Ok(())
    }
}
