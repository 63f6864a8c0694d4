//! The check of `block` and `keep` marks: iterations of a loop whose loads come before all of them, and whose stores
//! behind.
//!
//! An access *stays* along the loop if instances in the same iteration of all other loops access the same element by it. Others
//! *move*. In the tiles of a factorization off the diagonal, the loop over `k` has both in one array:
//!
//! ```text
//! A[i][j] -= A[i][k] * A[j][k]      A[i][j] stays, A[i][k] and A[j][k] move: no tile has j and k in common
//! ```
//!
//! # What is checked
//!
//! In `block(8, A)` below a band `[i/8, j]`, what moves of eight iterations of `j` in `A` is loaded before the first one, and
//! stored behind the last one. In the same iteration of all loops outside, two different instances access no element in common
//! that one of them writes, unless both accesses stay. That is more than has to be, as instances may be in different blocks.
//! What a single instance reads and writes is up to the emitter, which knows the order of its accesses.
//!
//! In `keep(s)`, an instance finds in a register what the one before it in the loop left there, where both access the
//! same element. In the same iteration of all loops outside, two instances that access an element in common, of which
//! one writes it, are of the same statement, in the same iteration of all loops inside, and access it by the same subscripts:
//! they use the same lane of the same register. That these accesses stay is up to the emitter, which sees their addresses.

use super::{Checked, Checker, Refusal, refuse_form};
use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::program::{AccessKind, Program};
use farkas_polyhedral::sets::{Map, Name, Tuple, UnionMap};
use farkas_polyhedral::tree::{Mark, Node, Path, Reach};

/// An access of the instances that reach a loop.
pub(super) struct Reaching {
    pub(super) relation: Map,
    pub(super) kind: AccessKind,
    stays: bool,
}

impl Reaching {
    fn writes(&self) -> bool {
        self.kind != AccessKind::Read
    }
}

impl Checker<'_> {
    /// Checks a mark on the loop above; `below` is the path to its child.
    pub(super) fn block(&self, mark: &Mark, iterations: u32, arrays: &[Name], below: &Path) -> Outcome<Checked> {
        if iterations < 2 {
            return refuse_form(mark, "a block has two iterations or more");
        }
        let Some(outer) = self.outside_of_loop_above(below)? else {
            return refuse_form(mark, "there is no loop directly above");
        };
        let same_outer = outer.together(self.b)?;
        for name in arrays {
            let Some(array) = self.array_named(name) else {
                return refuse_form(mark, NOT_OF_THE_PROGRAM);
            };
            let pairs = self.conflicts(array, &outer)?.intersect(&same_outer);
            if pairs.is_empty(self.b)? {
                continue;
            }
            let mut accesses = reaching(self.program, array, &outer);
            self.mark_staying(&mut accesses, &self.same_inside_of(below, &outer)?)?;
            if accesses.iter().all(|access| !access.stays) {
                return race(mark, name, pairs);
            }
            for (one, other) in pairs_of(&accesses, |one, other| !one.stays || !other.stays) {
                let mut own = UnionMap::empty(same_outer.params().clone());
                own.add(&one.relation.apply_range(&other.relation.reverse(), self.b)?);
                let own = own.intersect(&same_outer);
                let own = own.subtract(&outer.instances.identity(), self.b)?;
                if !own.is_empty(self.b)? {
                    return race(mark, name, own);
                }
            }
        }
        Ok(Ok(()))
    }

    /// Checks a mark on the loop above; `below` is the path to its child.
    pub(super) fn keep(&self, mark: &Mark, arrays: &[Name], below: &Path) -> Outcome<Checked> {
        let Some(outer) = self.outside_of_loop_above(below)? else {
            return refuse_form(mark, "there is no loop directly above");
        };
        let same_outer = outer.together(self.b)?;
        let same_inside = self.same_inside_of(below, &outer)?;
        for name in arrays {
            let Some(array) = self.array_named(name) else {
                return refuse_form(mark, NOT_OF_THE_PROGRAM);
            };
            let pairs = self.conflicts(array, &outer)?.intersect(&same_outer);
            let pairs = pairs.subtract(&same_inside, self.b)?;
            if !pairs.is_empty(self.b)? {
                return race(mark, name, pairs);
            }
            let accesses = reaching(self.program, array, &outer);
            for (one, other) in pairs_of(&accesses, |one, other| !has_same_subscripts(one, other)) {
                let mut own = UnionMap::empty(same_outer.params().clone());
                own.add(&one.relation.apply_range(&other.relation.reverse(), self.b)?);
                let own = own.intersect(&same_outer);
                if !own.is_empty(self.b)? {
                    return race(mark, name, own);
                }
            }
        }
        Ok(Ok(()))
    }

    pub(super) fn array_named(&self, name: &Name) -> Option<&Tuple> {
        self.program.arrays.keys().find(|array| array.name() == Some(name))
    }

    /// Finds the accesses that stay from instance to instance in `same` pairs.
    fn mark_staying(&self, accesses: &mut [Reaching], same: &UnionMap) -> Outcome<()> {
        for access in accesses {
            let tuple = access.relation.domain_tuple();
            let moved = access.relation.apply_domain(&same.extract(tuple, tuple), self.b)?;
            access.stays = moved.is_subset(&access.relation, self.b)? && access.relation.is_single_valued(self.b)?;
        }
        Ok(())
    }

    /// The pairs of instances of a statement that are in the same iteration of all loops but the one above `below`, outside
    /// of which is `outer`.
    fn same_inside_of(&self, below: &Path, outer: &Reach) -> Outcome<UnionMap> {
        let mut same = UnionMap::empty(self.program.context.params().clone());
        let inside = self.tree.at(below).expect("the child of a mark");
        self.same_inside(inside, outer, &mut same)?;
        Ok(same)
    }

    /// Adds the pairs of instances of a statement that are in the same iteration of all loops in the subtree, and of
    /// those that `reach` tells apart.
    fn same_inside(&self, node: &Node, reach: &Reach, same: &mut UnionMap) -> Outcome<()> {
        if node.children().next().is_none() {
            for map in reach.together(self.b)?.maps() {
                if map.domain_tuple() == map.range_tuple() {
                    same.add(map);
                }
            }
            return Ok(());
        }
        for (position, child) in node.children().enumerate() {
            self.same_inside(child, &reach.through(node, position, self.b)?, same)?;
        }
        Ok(())
    }

    /// What reaches the loop that a mark speaks of which is above it: the last member of the band with nothing but
    /// marks between.
    pub(super) fn outside_of_loop_above(&self, below: &Path) -> Outcome<Option<Reach>> {
        let mut at = below.parent().and_then(|mark| mark.parent());
        while let Some(path) = at {
            match self.tree.at(&path) {
                Some(Node::Mark(..)) => at = path.parent(),
                Some(Node::Band(band)) if band.n() > 0 => {
                    let outer: Vec<usize> = (0..band.n() - 1).collect();
                    let outside = self.tree.reach(&path, self.b)?;
                    return Ok(Some(outside.through(&Node::band(band.select(&outer)), 0, self.b)?));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

pub(super) const NOT_OF_THE_PROGRAM: &str = "an array is none of the program's";

pub(super) fn race(mark: &Mark, array: &Name, pairs: UnionMap) -> Outcome<Checked> {
    Ok(Err(Box::new(Refusal::Race {
        mark: mark.clone(),
        array: array.clone(),
        pairs: Box::new(pairs),
    })))
}

/// The pairs of accesses that `concerned` is about, of which one writes.
pub(super) fn pairs_of(
    accesses: &[Reaching],
    concerned: impl Fn(&Reaching, &Reaching) -> bool,
) -> impl Iterator<Item = (&Reaching, &Reaching)> {
    let all = accesses
        .iter()
        .enumerate()
        .flat_map(|(position, one)| accesses[position..].iter().map(move |other| (one, other)));
    all.filter(move |(one, other)| (one.writes() || other.writes()) && concerned(one, other))
}

fn has_same_subscripts(one: &Reaching, other: &Reaching) -> bool {
    one.relation.space() == other.relation.space() && one.relation.pieces() == other.relation.pieces()
}

/// The accesses of a program to an array of the instances that reach a loop. None is known to stay.
pub(super) fn reaching(program: &Program, array: &Tuple, outer: &Reach) -> Vec<Reaching> {
    let mut reaching = Vec::new();
    for statement in &program.statements {
        let mut instances = outer.instances.sets();
        let Some(instances) = instances.find(|set| set.tuple() == statement.tuple()) else {
            continue;
        };
        let accesses = statement.accesses.iter().filter(|access| access.array() == array);
        reaching.extend(accesses.map(|access| Reaching {
            relation: access.relation.intersect_domain(instances),
            kind: access.kind,
            stays: false,
        }));
    }
    reaching
}
