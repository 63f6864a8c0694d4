//! Tiling.

use crate::int::Int;
use crate::sets::{MultiUnionPwAff, Tuple, UnionPwAff};
use crate::tree::{Band, Isolation, Member, Node, Tiling};

/// What the members of tiled bands count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileOptions {
    /// A tile is counted by its first point, not by its number.
    pub scale_tiles: bool,
    /// A point is counted from the first point of its tile.
    pub shift_points: bool,
}

impl Band {
    /// A band of tiles, with this band as that of the points of a tile below it.
    ///
    /// Member `k` of the tiles is `floor(member k / sizes[k])`. The points keep their values, so that inner bounds are
    /// those of the original loops. Full tiles are isolated. Legal where the band is permutable.
    ///
    /// # Panics
    ///
    /// If a band of several members is not permutable, or `sizes` has not one positive size for each member.
    pub fn tiled(&self, sizes: &[i64]) -> Band {
        self.tiled_with(sizes, TileOptions::default())
    }

    /// As [`Band::tiled`], where member `k` of the tiles may be `sizes[k] * floor(member k / sizes[k])`, and that of the
    /// points `member k mod sizes[k]`, which changes no order. Full tiles are isolated if neither is so.
    ///
    /// # Panics
    ///
    /// As [`Band::tiled`].
    pub fn tiled_with(&self, sizes: &[i64], options: TileOptions) -> Band {
        assert!(self.permutable || self.n() <= 1, "only a permutable band can be tiled");
        assert_eq!(sizes.len(), self.n(), "a tile size for each member");
        assert!(sizes.iter().all(|size| *size >= 1), "tile sizes are positive");
        if self.n() == 0 {
            return self.clone().with_child(Node::band(self.clone()));
        }
        let with_affs = |value: &dyn Fn(&UnionPwAff, i64) -> UnionPwAff| {
            let affs = self.schedule().affs().iter().zip(sizes);
            MultiUnionPwAff::new(
                Tuple::anonymous(self.n()),
                affs.map(|(aff, size)| value(aff, *size)).collect(),
            )
        };
        let tiles = with_affs(&|aff, size| match (size, options.scale_tiles) {
            (1, _) => aff.clone(),
            (_, false) => aff.divide(&Int::from(size)).floor(),
            (_, true) => aff.divide(&Int::from(size)).floor().scale(&Int::from(size)),
        });
        let mut points = self.clone().with_isolation(Isolation::Nothing);
        if options.shift_points {
            points = points.with_schedule(with_affs(&|aff, size| aff.modulo(&Int::from(size))));
        }
        let isolation = if options == TileOptions::default() {
            Isolation::FullTiles(Tiling {
                points: self.schedule().clone(),
                sizes: sizes.to_vec(),
            })
        } else {
            Isolation::Nothing
        };
        let members = self.members().iter().map(|member| Member {
            coincident: member.coincident,
            ..Member::default()
        });
        Band::new(tiles, Node::band(points))
            .with_members(members.collect())
            .with_permutable(self.permutable)
            .with_isolation(isolation)
    }
}
