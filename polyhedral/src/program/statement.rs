//! Statements: what is executed for each point of a set.

use super::{Access, AccessId, AccessKind, Chain, MultiplyAdd, Operation, OperationClass};
use crate::sets::{Aff, MultiAff, Name, Set, Tuple};

/// Index into [`Program::statements`](super::Program::statements).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub usize);

/// How an access moves, whose subscripts are not affine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessMoves {
    /// The access.
    pub access: AccessId,
    /// For each dimension of the statement, by how many elements it moves where the dimension grows by one and all others stay.
    pub by: Vec<Option<i64>>,
}

/// A statement: a piece of straight-line code that is executed once for each instance. An instance reads all that it
/// reads before it writes.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The instances. The tuple names the statement; no two statements have the same.
    pub domain: Set,
    /// The accesses, each within the domain.
    pub accesses: Vec<Access>,
    /// The number of basic blocks that it is made of: conditions on data decide which of them an instance executes.
    pub blocks: u32,
    /// The invariant loads in its innermost loop that the original order repeats there, as a store of the loop may change what they
    /// load. New code does them once, behind a check.
    pub reloads: u32,
    /// What the original order computes for an instance besides `operations`: subscripts that new code computes in a simpler way.
    pub only_in_original: Vec<Operation>,
    /// Accesses to elements in place of a scalar (DeLICM), whose value is in a register in the original order.
    pub in_registers: Vec<AccessId>,
    /// Accesses that the original makes under conditions on data, and new code in any case.
    pub conditional_in_original: Vec<AccessId>,
    /// How accesses move whose subscripts are not affine, as far as that is known.
    pub moves: Vec<AccessMoves>,
    /// The original order: an instance is executed before another if its value is lexicographically smaller. The range
    /// is the same anonymous tuple for all statements, and no two instances have the same value. It depends on no parameter.
    pub schedule: MultiAff,
    /// What an instance computes, one entry for each class and type; none where that is not known.
    pub operations: Vec<Operation>,
    /// How many of the additions of floating-point numbers may be rounded together with a product that they add, as one instruction does.
    pub contracted: u32,
    /// The operations between reads and writes, one entry for each pair in which the write depends on the read. Two
    /// accesses without an entry do not depend on each other within an instance, if there are operations.
    pub chains: Vec<Chain>,
    /// The product that is added to an element, where that is all that an instance does.
    pub multiply_add: Option<MultiplyAdd>,
    /// For each dimension, about how often its loop goes round, where a profile or the source says so. The domain says it
    /// better where its bounds are constant.
    pub trip_counts: Vec<Option<u64>>,
}

impl Statement {
    /// The most basic blocks of a statement in vector lanes: by masks, all lanes execute all of them.
    pub const MOST_BLOCKS_IN_LANES: u32 = 16;

    /// Whether instances of both with the same counters are executed at the same place: they are parts of one statement.
    pub fn has_place_of(&self, other: &Statement) -> bool {
        let (own, others) = (self.schedule.affs(), other.schedule.affs());
        let is_equal = |(own, other): (&Aff, &Aff)| {
            own.row() == other.row() && own.den() == other.den() && own.divs() == other.divs()
        };
        let alike = self.tuple().n() == other.tuple().n() && own.len() == others.len();
        alike && own.iter().zip(others).all(is_equal)
    }

    /// The statement with these instances, order and accesses, which computes nothing.
    pub fn new(domain: Set, schedule: MultiAff, accesses: Vec<Access>) -> Statement {
        Statement {
            trip_counts: vec![None; domain.tuple().n()],
            blocks: 1,
            reloads: 0,
            only_in_original: Vec::new(),
            in_registers: Vec::new(),
            conditional_in_original: Vec::new(),
            moves: Vec::new(),
            domain,
            accesses,
            schedule,
            operations: Vec::new(),
            contracted: 0,
            chains: Vec::new(),
            multiply_add: None,
        }
    }

    /// The tuple of the domain.
    pub fn tuple(&self) -> &Tuple {
        self.domain.tuple()
    }

    /// Whether an access is made under a condition on data. Of writes that is said; of reads it is taken to be so in a statement of
    /// several blocks where chains from another read have more loads: the condition depends on that one.
    pub fn is_conditional(&self, access: AccessId) -> bool {
        match self.accesses[access.0].kind {
            _ if self.blocks == 1 => return false,
            AccessKind::MayWrite => return true,
            AccessKind::MustWrite => return false,
            AccessKind::Read => {}
        }
        let loads = |chain: &Chain| -> u32 {
            let loads = chain.operations.iter().filter(|o| o.class == OperationClass::Load);
            loads.map(|o| o.count).sum()
        };
        let most = self.chains.iter().map(loads).max().unwrap_or(0);
        let own = self.chains.iter().filter(|chain| chain.read == access);
        own.map(loads).max().is_some_and(|own| own < most)
    }

    /// Whether an access writes what an earlier one of the statement writes: each is in a block of its own, and an instance
    /// executes one of them.
    pub fn is_alternative(&self, access: AccessId) -> bool {
        self.alternatives(access).any(|other| other < access)
    }

    /// Whether the statement writes what an access writes in several places, of which an instance executes one.
    pub fn has_alternatives(&self, access: AccessId) -> bool {
        self.alternatives(access).next().is_some()
    }

    /// The other accesses that write the elements that an access writes, each in a block of its own.
    fn alternatives(&self, access: AccessId) -> impl Iterator<Item = AccessId> {
        let own = &self.accesses[access.0];
        let is_must_write = |access: &Access| access.kind == AccessKind::MustWrite;
        let is_one = self.blocks > 1 && is_must_write(own);
        let others = (0..self.accesses.len()).map(AccessId);
        others.filter(move |other| {
            let candidate = &self.accesses[other.0];
            is_one && *other != access && is_must_write(candidate) && own.has_elements_of(candidate)
        })
    }

    /// How many of the operations depend on values of these reads only, and on invariants: those by which the longest chain from such a read
    /// is longer than the longest one from any other read. There may be more.
    pub fn operations_on(&self, operation: &Operation, is_own: impl Fn(AccessId) -> bool) -> u32 {
        let same = |other: &&Operation| other.class == operation.class && other.ty == operation.ty;
        let [mut own, mut others] = [0, 0];
        for chain in &self.chains {
            let count = chain.operations.iter().filter(same).map(|o| o.count).sum::<u32>();
            let longest = if is_own(chain.read) { &mut own } else { &mut others };
            *longest = count.max(*longest);
        }
        own.saturating_sub(others).min(operation.count)
    }

    /// The name of the statement.
    pub fn name(&self) -> &Name {
        self.tuple().name().expect("a statement has a name")
    }
}
