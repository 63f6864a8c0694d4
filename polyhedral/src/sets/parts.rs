//! The parts of a union: a value for each tuple, or pair of tuples, in order of insertion.
//!
//! Copies of unions are many, and few of them change: they share their parts until then. Keys are found by the digests of
//! tuples, which need no further hashing.

use super::Tuple;
use indexmap::IndexMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value for each key, which copies share.
#[derive(Clone, Debug)]
pub(super) struct Parts<K, V>(Arc<Values<K, V>>);

type Values<K, V> = IndexMap<K, V, BuildHasherDefault<Digests>>;

impl<K, V> Parts<K, V> {
    /// None yet.
    pub(super) fn new() -> Parts<K, V> {
        Parts(Arc::new(IndexMap::default()))
    }
}

impl<K, V> Deref for Parts<K, V> {
    type Target = Values<K, V>;

    fn deref(&self) -> &Values<K, V> {
        &self.0
    }
}

impl<K: Clone, V: Clone> DerefMut for Parts<K, V> {
    fn deref_mut(&mut self) -> &mut Values<K, V> {
        Arc::make_mut(&mut self.0)
    }
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for Parts<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(parts: I) -> Parts<K, V> {
        Parts(Arc::new(parts.into_iter().collect()))
    }
}

impl<'a, K, V> IntoIterator for &'a Parts<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = indexmap::map::Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A value for each tuple, in order of insertion.
pub type ByTuple<V> = IndexMap<Tuple, V, BuildHasherDefault<Digests>>;

/// A hasher of what hashes as a few digests, as tuples do.
#[derive(Clone, Debug, Default)]
pub struct Digests(u64);

/// An odd number with bits all over, 2^64 over the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Digests {
    fn write_u64(&mut self, digest: u64) {
        let mixed = (self.0 ^ digest).wrapping_mul(FACTOR);
        // The upper bits are the better ones.
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[test]
    fn a_change_is_not_seen_by_copies() {
        let first: Parts<u64, u64> = [(1, 10), (2, 20)].into_iter().collect();
        let mut second = first.clone();
        second.insert(3, 30);
        second[&1] += 1;
        assert_eq!((first.len(), first[&1]), (2, 10));
        assert_eq!((second.len(), second[&1]), (3, 11));
    }
}
