//! Bands split and their members interchanged.

use crate::tree::{Band, Node};

impl Band {
    /// The band with its members in another order. What was isolated is not any more. Legal where the band is permutable.
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
        self.select(order)
    }

    /// The band without its members from `position` on, and a band of those as its child: the same order. What was isolated
    /// is not any more.
    ///
    /// # Panics
    ///
    /// If there are less members.
    pub fn split(&self, position: usize) -> Band {
        let front: Vec<usize> = (0..position).collect();
        let back: Vec<usize> = (position..self.n()).collect();
        self.select(&front).with_child(Node::band(self.select(&back)))
    }
}
