//! Last writes before a read, by the text alone.
//!
//! ```c
//! for (i) {
//!   o: inner = outer;
//!   for (j) s: inner += a[i][j];
//!   c: outer = inner;
//! }
//! ```
//!
//! Let `inner` and `outer` be one variable. Between an instance of `s` and a later one of `o` there is always one of `c`: it comes behind the
//! loop over `j` and is executed in each iteration of the loop over `i`. So `s` is never the last writer before `o`. That needs no dataflow
//! analysis, only positions in the text, and that domains are part of others. What is not found here may still hold.
//!
//! A writer comes between an instance of `first` and one of a reader in a later iteration of a loop around both if it is in the loops around
//! both, comes before the reader in the text, and is executed in the reader's iteration of the loops around writer and reader. Or else it
//! comes behind `first`, and is executed in the iteration of that; or it is in a later iteration of an inner loop around `first`, as what comes
//! behind a loop is in the iteration in which that ends. Several writers may do so for instances of their own.

use super::draft::DraftStatement;
use crate::scev::pieces::nonnegative;
use farkas_llvm::scop_ir::LoopId;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Params, Set, SetSpace};

/// Where a statement is in the text, and when it is executed.
pub(super) struct Place<'d> {
    /// The loops around it, outermost first.
    loops: &'d [LoopId],
    /// Its position, or that of the loop that it is in, in the body of the region and of each of its loops; `None` behind the region.
    positions: Option<Vec<Int>>,
    domain: Set,
}

impl<'d> Place<'d> {
    pub(super) fn of(statement: &'d DraftStatement<'_>) -> Place<'d> {
        let positions = statement.schedule.affs().iter().step_by(2);
        let position = |aff: &_| Aff::as_constant(aff).expect("positions and counters take turns");
        Place {
            loops: &statement.ir.loops,
            positions: Some(positions.map(position).collect()),
            domain: statement.domain.clone(),
        }
    }

    /// Behind a region.
    pub(super) fn behind() -> Place<'static> {
        Place {
            loops: &[],
            positions: None,
            domain: Set::universe(SetSpace::params_only(Params::none())),
        }
    }

    fn depth(&self) -> usize {
        self.loops.len()
    }

    /// The number of loops around both.
    fn shared(&self, other: &Place<'_>) -> usize {
        let pairs = self.loops.iter().zip(other.loops);
        pairs.take_while(|(own, other)| own == other).count()
    }

    /// Whether it comes before the other one in the body of the innermost of `depth` loops around both.
    fn is_before(&self, other: &Place<'_>, depth: usize) -> bool {
        match (&self.positions, &other.positions) {
            (Some(own), Some(other)) => own[depth] < other[depth],
            (own, _) => own.is_some(),
        }
    }

    /// The part of `domain`, instances of `inner`, for which some instance is in the same iteration of the first `depth` loops.
    fn executed_in(&self, depth: usize, inner: &Place<'_>, b: &Budget) -> Outcome<Set> {
        let outer = self.domain.project_out(depth, self.depth() - depth, b)?;
        let extended = outer.insert_dims(depth, inner.depth() - depth);
        Ok(extended.with_tuple(inner.domain.tuple().clone()))
    }

    /// The instances that are followed by one of the reader in a later iteration of the innermost of `depth` loops around both.
    fn with_later(&self, reader: &Place<'_>, depth: usize, b: &Budget) -> Outcome<Set> {
        let (own, later) = (depth - 1, depth);
        let iterations = reader.domain.project_out(depth, reader.depth() - depth, b)?;
        let pairs = iterations.insert_dims(own, 1);
        let [own_counter, later_counter] = [own, later].map(|dim| Aff::var(pairs.space().clone(), dim));
        let is_later = nonnegative(&later_counter.sub(&own_counter).add_constant(&-Int::ONE));
        let outer = pairs.intersect(&is_later).project_out(later, 1, b)?;
        let extended = outer.insert_dims(depth, self.depth() - depth);
        Ok(self.domain.intersect(&extended.with_tuple(self.domain.tuple().clone())))
    }

    /// The instances that are followed by one of the writer in a later iteration of an inner loop around both: not one of the `outer` outermost.
    fn followed_by(&self, writer: &Place<'_>, outer: usize, b: &Budget) -> Outcome<Set> {
        let mut followed = Set::empty(self.domain.space().clone());
        for depth in outer + 1..=writer.shared(self) {
            followed = followed.union(&self.with_later(writer, depth, b)?);
        }
        Ok(followed)
    }
}

/// Instances, and those of them for which there is one of some writers where that has to be.
struct Covered {
    instances: Set,
    by: Set,
}

impl Covered {
    fn new(instances: Set) -> Covered {
        let by = Set::empty(instances.space().clone());
        Covered { instances, by }
    }

    fn add(&mut self, covered: Set) {
        self.by = self.by.union(&covered);
    }

    fn all(&self, b: &Budget) -> Outcome<bool> {
        self.instances.is_subset(&self.by, b)
    }
}

/// Whether one of the writers comes before each instance of the reader, for parameters in the context: in the same iteration of the loops
/// around both, wherever in its other loops.
pub(super) fn is_written_before(reader: &Place<'_>, writers: &[Place<'_>], context: &Set, b: &Budget) -> Outcome<bool> {
    let mut covered = Covered::new(reader.domain.intersect_params(context));
    for writer in writers {
        let depth = writer.shared(reader);
        if writer.is_before(reader, depth) {
            covered.add(writer.executed_in(depth, reader, b)?);
        }
    }
    covered.all(b)
}

/// Whether one of the writers comes between each instance of `first` and each later one of the reader.
pub(super) fn is_written_between(
    first: &Place<'_>,
    reader: &Place<'_>,
    writers: &[Place<'_>],
    b: &Budget,
) -> Outcome<bool> {
    let shared = first.shared(reader);
    // In the same iteration of all loops around both.
    if first.is_before(reader, shared) {
        let mut readers = Covered::new(reader.domain.clone());
        let mut firsts = Covered::new(first.domain.clone());
        for writer in writers {
            let depth = writer.shared(reader);
            let is_behind_first = depth > shared || depth == shared && first.is_before(writer, depth);
            if writer.is_before(reader, depth) && is_behind_first {
                readers.add(writer.executed_in(depth, reader, b)?);
            }
            let depth = writer.shared(first);
            let is_before_reader = depth > shared || depth == shared && writer.is_before(reader, depth);
            if first.is_before(writer, depth) && is_before_reader {
                firsts.add(writer.executed_in(depth, first, b)?);
            }
            firsts.add(first.followed_by(writer, shared, b)?);
        }
        if !readers.all(b)? && !firsts.all(b)? {
            return Ok(false);
        }
    }
    // In a later iteration of one of them. What is in all of them comes between iterations of the outer ones, too.
    if shared == 0 {
        return Ok(true);
    }
    let mut readers = Covered::new(reader.domain.clone());
    let mut firsts = Covered::new(first.domain.clone());
    for writer in writers {
        let depth = writer.shared(reader);
        if depth >= shared && writer.is_before(reader, depth) {
            readers.add(writer.executed_in(depth, reader, b)?);
        }
        let depth = writer.shared(first);
        if depth >= shared && first.is_before(writer, depth) {
            firsts.add(writer.executed_in(depth, first, b)?);
        }
        firsts.add(first.followed_by(writer, shared, b)?);
    }
    if readers.all(b)? || firsts.all(b)? {
        return Ok(true);
    }
    // The last iteration needs none.
    for depth in 1..=shared {
        firsts.instances = first.with_later(reader, depth, b)?;
        if !firsts.all(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::{Place, is_written_before, is_written_between};
    use farkas_llvm::scop_ir::LoopId;
    use farkas_polyhedral::budget::Budget;
    use farkas_polyhedral::int::Int;
    use farkas_polyhedral::sets::Set;

    /// Loops 0 and 3 one after the other, 1 and 2 one after the other inside of loop 0; each is at an odd position.
    const LOOPS: [&[usize]; 5] = [&[], &[0], &[0, 1], &[0, 2], &[3]];
    const POSITIONS: [i64; 4] = [1, 1, 3, 3];

    /// Conditions on up to two counters.
    const DOMAINS: [&[&str]; 3] = [
        &["{ [] }"],
        &[
            "{ [i] : 0 <= i < 4 }",
            "{ [i] : 0 <= i < 3 }",
            "{ [i] : 0 < i < 4 }",
            "{ [i] : i = 0 }",
        ],
        &[
            "{ [i, j] : 0 <= i, j < 4 }",
            "{ [i, j] : 0 <= i < 4 and 0 <= j < i }",
            "{ [i, j] : 0 <= i < 4 and i <= j < 4 }",
            "{ [i, j] : 0 <= i < 4 and j = 0 }",
            "{ [i, j] : 0 <= i < 4 and 0 < j < 3 }",
        ],
    ];

    /// The place of a statement, and the times of its instances: positions and counters by turns.
    struct Statement {
        loops: Vec<LoopId>,
        positions: Vec<i64>,
        domain: Set,
        times: Vec<Vec<i64>>,
    }

    impl Statement {
        fn new(loops: usize, position: i64, domain: usize) -> Statement {
            let loops = LOOPS[loops];
            let texts = DOMAINS[loops.len()];
            let domain: Set = texts[domain % texts.len()].parse().expect("a set");
            let positions: Vec<i64> = loops.iter().map(|l| POSITIONS[*l]).chain([position]).collect();
            let mut counters = vec![vec![]];
            for _ in loops {
                let longer = |c: &Vec<i64>| (0..4).map(|next| [&c[..], &[next]].concat()).collect::<Vec<_>>();
                counters = counters.iter().flat_map(longer).collect();
            }
            let is_executed = |c: &&Vec<i64>| {
                let point: Vec<Int> = c.iter().copied().map(Int::from).collect();
                domain.contains(&[], &point, &Budget::new(10_000)).expect("enough work")
            };
            let time = |c: &Vec<i64>| {
                let turns = (0..positions.len()).flat_map(|k| [positions[k], c.get(k).copied().unwrap_or(0)]);
                turns.collect()
            };
            let times = counters.iter().filter(is_executed).map(time).collect();
            let loops = loops.iter().copied().map(LoopId).collect();
            Statement {
                loops,
                positions,
                domain,
                times,
            }
        }

        fn place(&self) -> Place<'_> {
            Place {
                loops: &self.loops,
                positions: Some(self.positions.iter().copied().map(Int::from).collect()),
                domain: self.domain.clone(),
            }
        }
    }

    /// What is found of random choices of a first statement, a reader and two writers is true of all instances, and most of what is
    /// true is found.
    #[test]
    fn what_is_found_is_true_of_all_instances() {
        let b = Budget::new(u64::MAX);
        let all: Vec<Statement> = (0..LOOPS.len())
            .flat_map(|loops| [0, 2, 4].map(|position| (loops, position)))
            .flat_map(|(loops, position)| (0..5).map(move |domain| Statement::new(loops, position, domain)))
            .collect();
        let mut state = 1_u64;
        let mut pick = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            &all[(state >> 33) as usize % all.len()]
        };
        let (mut between, mut before) = ([0, 0], [0, 0]);
        for _ in 0..20_000 {
            let [first, reader, one, other] = [(); 4].map(|()| pick());
            let writers = [one.place(), other.place()];
            let written = || one.times.iter().chain(&other.times);
            let is_between = first.times.iter().all(|x| {
                let mut later = reader.times.iter().filter(|y| x < y);
                later.all(|y| written().any(|z| x < z && z < y))
            });
            let found = is_written_between(&first.place(), &reader.place(), &writers, &b).expect("enough work");
            assert!(is_between || !found, "{:?} {:?}", first.domain, reader.domain);
            between = [between[0] + usize::from(found), between[1] + usize::from(is_between)];
            let context = Place::behind().domain;
            let is_before = reader.times.iter().all(|y| written().any(|z| z < y));
            let found = is_written_before(&reader.place(), &writers, &context, &b).expect("enough work");
            assert!(is_before || !found, "{:?}", reader.domain);
            before = [before[0] + usize::from(found), before[1] + usize::from(is_before)];
        }
        assert!(
            between[0] * 5 > between[1] * 4 && before[0] * 5 > before[1] * 4,
            "{between:?} {before:?}"
        );
    }
}
