//! Rewriting of schedule trees.

use indexmap::IndexMap;

use crate::int::Int;
use crate::sets::{MultiAff, Tuple};
use crate::tree::{Band, Filter, Member, Node, Tiling, Tree};

impl Tree {
    /// The tree with another node below the domain.
    pub fn with_root(&self, root: Node) -> Tree {
        Tree {
            domain: self.domain.clone(),
            context: self.context.clone(),
            root,
        }
    }
}

impl Node {
    /// The node with `rewrite` applied to its children; the node itself stays.
    pub fn map_children(self, rewrite: &mut dyn FnMut(Node) -> Node) -> Node {
        let mut filters = |children: Vec<Filter>| {
            let rewritten = children.into_iter().map(|f| Filter {
                statements: f.statements,
                child: rewrite(f.child),
            });
            rewritten.collect::<Vec<_>>()
        };
        match self {
            Node::Band(mut band) => {
                band.child = rewrite(band.child);
                Node::Band(band)
            }
            Node::Sequence(children) => Node::Sequence(filters(children)),
            Node::Set(children) => Node::Set(filters(children)),
            Node::Mark(name, child) => Node::Mark(name, Box::new(rewrite(*child))),
            Node::Leaf => Node::Leaf,
        }
    }
}

impl Band {
    /// The number of members.
    pub fn n(&self) -> usize {
        self.members.len()
    }

    /// The statements that the band orders.
    pub fn statements(&self) -> impl Iterator<Item = &Tuple> {
        self.schedule.keys()
    }

    /// The partial schedule of the members at `positions`, in that order.
    pub fn select(&self, positions: &[usize]) -> IndexMap<Tuple, MultiAff> {
        self.schedule
            .iter()
            .map(|(tuple, function)| {
                let affs = positions.iter().map(|p| function.affs()[*p].clone()).collect();
                let range = Tuple::anonymous(positions.len());
                (tuple.clone(), MultiAff::new(function.domain_space(), range, affs))
            })
            .collect()
    }

    /// The band with its members in another order. Legal where the band is permutable.
    ///
    /// # Panics
    ///
    /// If the band is not permutable and the order changes, or if `order` is not a permutation.
    pub fn permuted(&self, order: &[usize]) -> Band {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(
            sorted.into_iter().eq(0..self.n()),
            "{order:?} is a permutation of the members"
        );
        assert!(
            self.permutable || order.is_sorted(),
            "the members of a permutable band can be interchanged"
        );
        Band {
            schedule: self.select(order),
            members: order.iter().map(|p| self.members[*p]).collect(),
            tiling: None,
            ..self.clone()
        }
    }

    /// The band without its members from `position` on, and a band of those as its child.
    pub fn split(&self, position: usize) -> Band {
        let front: Vec<usize> = (0..position).collect();
        let back: Vec<usize> = (position..self.n()).collect();
        let inner = Band {
            schedule: self.select(&back),
            members: self.members[position..].to_vec(),
            permutable: self.permutable,
            tiling: None,
            child: self.child.clone(),
        };
        Band {
            schedule: self.select(&front),
            members: self.members[..position].to_vec(),
            permutable: self.permutable,
            tiling: None,
            child: Node::Band(Box::new(inner)),
        }
    }

    /// A band of tiles, with this band as that of the points of a tile below it.
    ///
    /// Member `k` of the tiles is `floor(member k / sizes[k])`. The points keep their values, so that inner bounds are
    /// those of the original loops. Legal where the band is permutable.
    pub fn tiled(&self, sizes: &[i64]) -> Band {
        assert!(self.permutable || self.n() == 1, "only a permutable band can be tiled");
        assert_eq!(sizes.len(), self.n(), "a tile size for each member");
        assert!(sizes.iter().all(|size| *size >= 1), "tile sizes are positive");
        let schedule = self
            .schedule
            .iter()
            .map(|(tuple, function)| {
                let affs = function.affs().iter().zip(sizes);
                let affs = affs.map(|(aff, size)| {
                    if *size == 1 {
                        aff.clone()
                    } else {
                        aff.floor_div(&Int::from(*size))
                    }
                });
                let range = Tuple::anonymous(self.n());
                (
                    tuple.clone(),
                    MultiAff::new(function.domain_space(), range, affs.collect()),
                )
            })
            .collect();
        Band {
            schedule,
            members: self
                .members
                .iter()
                .map(|m| Member {
                    coincident: m.coincident,
                    ..Member::default()
                })
                .collect(),
            permutable: self.permutable,
            tiling: Some(Tiling {
                points: self.schedule.clone(),
                sizes: sizes.to_vec(),
            }),
            child: Node::Band(Box::new(Band {
                tiling: None,
                ..self.clone()
            })),
        }
    }
}
