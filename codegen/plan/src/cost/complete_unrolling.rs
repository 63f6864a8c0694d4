//! Short loops of the original order, which LLVM unrolls completely where their numbers of iterations are constants.
//!
//! The statement enters no loop then. LLVM makes vectors of what it finds there: its loop vectorizer along the loop around, which is the
//! innermost one now, and its SLP vectorizer along one of several unrolled loops. None of these may carry anything:
//!
//! ```text
//! for (x) for (r < 3) for (s < 3) y[x] += w[r][s] * u[x + r][s];                         vectors along x, nothing waits
//! for (t) for (i < 4) for (j < 4) for (k < 4) c[t][i][j] += a[t][i][k] * b[t][k][j];     vectors along j, nothing waits
//! for (x) for (c) for (r < 3) for (s < 3) y[x] += w[c][r][s] * u[c][x + r + s];          no vectors, each sum waits for the one before
//! ```
//!
//! Where its loop vectorizer does so, statements beside the unrolled loops are in the same vectors:
//!
//! ```text
//! for (x) { s = 0; for (r < 3) s += u[x + r]; y[x] = max(s, z[x]); }
//! ```

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, AccessKind, ElementType, Operation, OperationClass};
use farkas_polyhedral::sets::{ByTuple, Tuple};

use super::throughput::widest;
use super::{Cost, GroupCost, Model};
use crate::analysis::levels::{Levels, LoopId};
use crate::analysis::linear::{LinearAccess, Stride};
use crate::analysis::nest::{Nest, NestLoop};

/// The instructions that LLVM makes of a loop by unrolling it completely, at the most. (LLVM 22.1 at `-O3`, found by changing loops: sums
/// of up to 74 elements, products of up to 59, and windows of up to 9 x 9 elements.)
pub(super) const LARGEST: f64 = 300.0;
/// The instructions of an iteration for its counter and addresses: in an innermost loop, and in one around others.
pub(super) const COUNTING: f64 = 2.0;
const COUNTING_AROUND: f64 = 6.0;

/// The elements, in bits, that LLVM vectorizes under conditions of counters and on data, at the least.
const NARROWEST_UNDER_CONDITIONS: u64 = 32;

/// The copies of an instance of which LLVM's SLP vectorizer makes a vector, at the least, but for two. (Of the sums of eight bytes around one in
/// a window of 3 x 3, each was inserted by itself: 20 cycles, with AVX2.)
const LEAST_BY_SLP: f64 = 4.0;

/// LLVM's loop vectorizer computes in as many bits as matter for what is stored and compared. Sums and products of bytes take so many, in
/// the middle. (Programs store them shifted to the right, or compare them with small numbers.)
const BITS_OF_BYTES: u16 = 16;

/// Whose loops LLVM unrolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// Those of the original, which may compute what new code does not.
    Original,
    /// New ones.
    New,
}

/// What a statement takes in loops that are unrolled completely.
struct Unrolled {
    /// Cycles by throughput.
    throughput: f64,
    /// The loop around them, where LLVM's loop vectorizer may make vectors along it.
    along: Option<LoopId>,
    /// Whether dependences serialize the iterations of the loop around them.
    is_serialized: bool,
}

impl Model<'_> {
    /// Changes the cost of groups all of whose statements are in loops that LLVM unrolls completely.
    pub(super) fn unroll_completely(
        &self,
        cost: &mut Cost,
        (nests, levels): (&ByTuple<Nest>, &Levels),
        code: Code,
        b: &Budget,
    ) -> Outcome<()> {
        let mut unrolled = ByTuple::default();
        for tuple in nests.keys() {
            if let Some(one) = self.unrolled_completely(tuple, (nests, levels), code, b)? {
                unrolled.insert(tuple.clone(), one);
            }
        }
        // The loop whose iterations have the vectors of each group.
        let mut along: Vec<Option<LoopId>> = vec![None; cost.groups.len()];
        for (group, along) in cost.groups.iter_mut().zip(&mut along) {
            let own: Vec<&Unrolled> = group
                .statements
                .iter()
                .filter_map(|tuple| unrolled.get(tuple))
                .collect();
            let throughput = if own.len() == group.statements.len() {
                *along = own[0].along.filter(|id| own.iter().all(|one| one.along == Some(*id)));
                own.iter().map(|one| one.throughput).sum()
            } else if own.is_empty() && is_beside_vectors(group, nests, &unrolled) {
                *along = nests[&group.statements[0]].loops.last().map(|l| l.id);
                let throughput = |tuple: &Tuple| {
                    let around = nests[tuple].loops.last().expect("the loop around vectors");
                    self.narrowing(tuple, around, nests) * self.throughput(tuple, &nests[tuple], true)
                };
                group.statements.iter().map(throughput).sum()
            } else {
                continue;
            };
            group.throughput = group.throughput.min(throughput);
            if own.iter().all(|one| !one.is_serialized) {
                group.latency = 0.0;
            }
        }
        let mut groups: Vec<(Option<LoopId>, GroupCost)> = Vec::new();
        for (along, group) in along.into_iter().zip(cost.groups.drain(..)) {
            match groups.iter_mut().find(|(other, _)| along.is_some() && *other == along) {
                Some((_, together)) => together.join(group),
                None => groups.push((along, group)),
            }
        }
        cost.groups = groups.into_iter().map(|(_, group)| group).collect();
        Ok(())
    }

    /// The nests with loops that are unrolled completely as such: what is apart along these are streams side by side.
    ///
    /// ```text
    /// for (x) for (c < 3) y[c][x] = u[x][c];      three rows of y, one after the other in memory, are written at once
    /// ```
    pub(super) fn with_unrolled(&self, nests: &ByTuple<Nest>) -> ByTuple<Nest> {
        let mut unrolled = nests.clone();
        for (tuple, nest) in &mut unrolled {
            let inner = nest.loops.len() - self.n_unrolled(tuple, nest);
            if inner > 0 {
                nest.loops[inner..].iter_mut().for_each(|l| l.unrolled = true);
            }
        }
        unrolled
    }

    /// What a statement takes if its inner loops are unrolled completely; `None` if they are not. Vectors are along the loop that suits
    /// them best.
    fn unrolled_completely(
        &self,
        tuple: &Tuple,
        (nests, levels): (&ByTuple<Nest>, &Levels),
        code: Code,
        b: &Budget,
    ) -> Outcome<Option<Unrolled>> {
        let nest = &nests[tuple];
        let n = self.n_unrolled(tuple, nest);
        let (around, inner) = nest.loops.split_at(nest.loops.len() - n);
        if n == 0 {
            return Ok(None);
        }
        let is_serialized = |l: &NestLoop| Ok(self.carried_in_registers.serialized(l.id, levels, b)?.contains(tuple));
        let around_is_serialized = match around.last() {
            Some(around) => is_serialized(around)?,
            None => false,
        };
        // Another statement may keep the loop around from being vectorized, though nothing waits.
        let branches = |(other, nest): (&Tuple, &Nest)| {
            let shares = around
                .last()
                .is_some_and(|l| nest.loops.iter().any(|own| own.id == l.id));
            shares && code == Code::Original && self.is_scalar_along(other, around.last(), nests)
        };
        let any_serialized = match around.last() {
            Some(around) => !self.carried_in_registers.serialized(around.id, levels, b)?.is_empty(),
            None => false,
        };
        let any_scalar = nests.iter().any(branches);
        // Its SLP vectorizer stays in a block.
        let by_slp = match n > 1 && self.statement_of(tuple).blocks == 1 {
            true => inner,
            false => &[],
        };
        let fills_vectors = |l: &&NestLoop| l.trips >= LEAST_BY_SLP || l.trips == 2.0;
        // Confined subscripts of the original are gathered one by one.
        let is_confined = |l: &&NestLoop| code == Code::Original && self.is_scalar_along(tuple, Some(*l), nests);
        let by_slp = by_slp.iter().filter(|l| fills_vectors(l) && !is_confined(l));
        // Short loops fill a part of a vector.
        let by_slp = by_slp.map(|l| (l, (self.lanes_of(tuple) / l.trips).max(1.0)));
        let by_loop = around.last();
        let by_loop = by_loop.filter(|l| !any_serialized && !any_scalar && !self.lacks_masks(tuple, l, nests));
        let mut throughput: Option<f64> = None;
        for (l, share) in by_slp.chain(by_loop.map(|l| (l, self.narrowing(tuple, l, nests)))) {
            // The other unrolled loops are copies in the body of this one.
            let others = inner.iter().filter(|other| other.id != l.id);
            let copies: f64 = others.clone().map(|other| other.trips).product();
            let own = NestLoop {
                trips: nest.instances / copies,
                ..l.clone()
            };
            let unrolled = others.map(|other| NestLoop {
                unrolled: true,
                ..other.clone()
            });
            let hoisted = match around {
                [.., outer, last] if last.id == l.id => {
                    let instructions = copies * self.instructions(tuple, [&inner[n - 1], last]);
                    self.hoisted_reads(tuple, instructions, outer, last)
                }
                _ => Vec::new(),
            };
            let is_around = around.last().is_some_and(|last| last.id == l.id);
            let along = Nest {
                loops: [own].into_iter().chain(unrolled).collect(),
                instances: nest.instances,
                hoisted,
                in_registers: nest.in_registers.clone(),
                leaves_lanes_out: is_around && (self.has_others(l, nests) || self.leaves_out(tuple, l, inner)),
            };
            let own = share * self.throughput(tuple, &along, !is_serialized(l)?);
            throughput = Some(throughput.map_or(own, |least| least.min(own)));
        }
        // Copies in scalar code overlap with those of the next iteration.
        if throughput.is_none() && any_scalar && !any_serialized {
            let mut scalar = nest.clone();
            scalar.loops[nest.loops.len() - n..]
                .iter_mut()
                .for_each(|l| l.unrolled = true);
            throughput = Some(self.throughput(tuple, &scalar, false) + nest.instances * self.only_in_original(tuple));
        }
        Ok(throughput.map(|throughput| Unrolled {
            throughput,
            along: by_loop.map(|l| l.id),
            is_serialized: around_is_serialized,
        }))
    }

    /// Whether vectors along a loop would take masks that the machine does not have, as other statements have other iterations of the loop:
    ///
    /// ```text
    /// for (x) if (x < 2 || x >= n - 2) y[x] = u[x]; else for (r < 5) y[x] = max(y[x], u[x + r - 2]);
    /// ```
    ///
    /// Under conditions on data inside of that, LLVM's vectorizer finds elements of 8 and 16 bits, and machines without masks for everything, too
    /// dear. (LLVM 22.1 at `-O3`: windows of 3 x 3 and 5 x 5 bytes, integers and floating-point numbers, with and without such conditions.)
    pub(super) fn lacks_masks(&self, tuple: &Tuple, along: &NestLoop, nests: &ByTuple<Nest>) -> bool {
        if !self.has_others(along, nests) {
            return false;
        }
        let statement = self.statement_of(tuple);
        let stores = statement
            .accesses
            .iter()
            .filter(|access| access.kind != AccessKind::Read);
        let bits = stores.map(|access| 8 * self.program.arrays[access.array()].element_size);
        let unit = &self.target.vector;
        let is_masked = bits.min().is_none_or(|bits| {
            let narrowest = unit
                .narrowest_masked()
                .is_some_and(|narrowest| bits >= u64::from(narrowest));
            narrowest && (statement.blocks == 1 || unit.masks && bits >= NARROWEST_UNDER_CONDITIONS)
        });
        !is_masked
    }

    /// Whether another statement has other iterations of a loop.
    fn has_others(&self, along: &NestLoop, nests: &ByTuple<Nest>) -> bool {
        // A statement at a border has one of its sides for its trips.
        let differs = |l: &NestLoop| l.id == along.id && (l.trips - along.trips).abs() > 0.5;
        nests.values().any(|nest| nest.loops.iter().any(differs))
    }

    /// Whether conditions leave out other iterations of a loop in each copy by unrolled ones: `if (x + r < n)`.
    pub(super) fn leaves_out(&self, tuple: &Tuple, along: &NestLoop, unrolled: &[NestLoop]) -> bool {
        let domain = &self.statement_of(tuple).domain;
        let first = 1 + domain.params().len();
        let is_in = |row: &Row, l: &NestLoop| {
            let direction = l.direction.iter().flatten().enumerate();
            let mut moving = direction.filter(|(_, by)| !by.is_zero());
            moving.any(|(dim, _)| !row[first + dim].is_zero())
        };
        let rows = domain.pieces().iter().flat_map(|piece| piece.ineqs());
        let mut of_loop = rows.filter(|row| is_in(row, along));
        of_loop.any(|row| unrolled.iter().any(|l| is_in(row, l)))
    }

    /// The share of the time that vectors along a loop take where all statements in it compute with bytes.
    fn narrowing(&self, tuple: &Tuple, along: &NestLoop, nests: &ByTuple<Nest>) -> f64 {
        let is_inside = |(_, nest): &(&Tuple, &Nest)| nest.loops.iter().any(|l| l.id == along.id);
        let mut inside = nests.iter().filter(is_inside).map(|(other, _)| other);
        let is_of_bytes = |other: &Tuple| {
            let statement = self.statement_of(other);
            let are_integers = statement.operations.iter().all(|o| {
                use OperationClass::{Integer, Load, Multiply, Store};
                matches!(o.class, Integer | Load | Multiply | Store) && matches!(o.ty, ElementType::Integer(_))
            });
            let mut accesses = statement.accesses.iter().zip(&self.statements[other].accesses);
            let is_byte = |(access, linear): (&Access, &LinearAccess)| {
                let stays = along
                    .direction
                    .as_ref()
                    .is_some_and(|along| linear.stride(along) == Stride::Zero);
                stays || self.program.arrays[access.array()].element_size == 1
            };
            are_integers && accesses.all(is_byte)
        };
        let widest = widest(self.statement_of(tuple));
        match widest > BITS_OF_BYTES && inside.all(is_of_bytes) {
            true => f64::from(BITS_OF_BYTES) / f64::from(widest),
            false => 1.0,
        }
    }

    /// The reads that LLVM does before the loop `outer`, where nothing is left of the loop `along` inside of it but a few vectors, with
    /// so many instructions for each.
    ///
    /// ```text
    /// for (i) for (j < 30) for (l < 10) s[i][j] += x[i][l] * c[j][l];      40 vectors of c, along j, are made once
    /// ```
    fn hoisted_reads(&self, tuple: &Tuple, instructions: f64, outer: &NestLoop, along: &NestLoop) -> Vec<usize> {
        let vectors = self
            .known_trips(tuple, along)
            .map(|trips| (trips / self.lanes_of(tuple)).floor());
        let size = vectors.map(|vectors| vectors * instructions);
        if size.is_none_or(|size| size > LARGEST) {
            return Vec::new();
        }
        let accesses = self
            .statement_of(tuple)
            .accesses
            .iter()
            .zip(&self.statements[tuple].accesses);
        let stays = |(access, linear): (&Access, &LinearAccess)| {
            let outer = outer.direction.as_ref();
            outer.is_some_and(|outer| linear.stride(outer) == Stride::Zero) && !self.is_written(access.array())
        };
        let positions = accesses.enumerate().filter(|(_, both)| stays(*both));
        positions.map(|(position, _)| position).collect()
    }

    /// How many loops around a statement are unrolled completely, from the innermost one on.
    pub(crate) fn n_unrolled(&self, tuple: &Tuple, nest: &Nest) -> usize {
        let Some(innermost) = nest.loops.last() else { return 0 };
        // Of jammed loops and lanes, the copies are there already.
        if nest.loops.iter().any(|l| l.unrolled || l.lanes.is_some()) {
            return 0;
        }
        let mut size = self.instructions(tuple, [innermost]);
        let mut n = 0;
        for l in nest.loops.iter().rev() {
            let counting = if n == 0 { COUNTING } else { COUNTING_AROUND };
            // Borders leave out iterations, and not their copies.
            let known = l.direction.as_ref().and_then(|along| self.known_length(tuple, along));
            let unrolled = known.map(|trips| trips * (size + counting));
            if unrolled.is_none_or(|unrolled| unrolled > LARGEST) {
                break;
            }
            size *= l.trips;
            n += 1;
        }
        n
    }

    /// The instructions of an instance that are executed in each iteration of all these loops.
    pub(super) fn instructions<'l>(&self, tuple: &Tuple, loops: impl IntoIterator<Item = &'l NestLoop>) -> f64 {
        let statement = self.statement_of(tuple);
        let loops: Vec<&NestLoop> = loops.into_iter().collect();
        let accesses = statement.accesses.iter().zip(&self.statements[tuple].accesses);
        let moves = |linear: &LinearAccess, l: &NestLoop| {
            let along = l.direction.as_ref();
            along.is_none_or(|along| linear.stride(along) != Stride::Zero)
        };
        let moving =
            accesses.filter(|(access, linear)| self.in_memory(access) && loops.iter().all(|l| moves(linear, l)));
        let is_access = |o: &&Operation| matches!(o.class, OperationClass::Load | OperationClass::Store);
        let arithmetic = statement.operations.iter().filter(|o| !is_access(o));
        let arithmetic: u32 = arithmetic.map(|o| o.count).sum();
        moving.count() as f64 + f64::from(arithmetic.saturating_sub(statement.contracted))
    }
}

/// Whether all loops inside of the one that is innermost around these statements are unrolled completely, into vectors along that one.
fn is_beside_vectors(group: &GroupCost, nests: &ByTuple<Nest>, unrolled: &ByTuple<Unrolled>) -> bool {
    let innermost = |tuple: &Tuple| nests[tuple].loops.last().map(|l| l.id);
    let Some(around) = group.statements.first().and_then(innermost) else {
        return false;
    };
    let mut inside = nests
        .iter()
        .filter(|(tuple, nest)| innermost(tuple) != Some(around) && nest.loops.iter().any(|l| l.id == around))
        .peekable();
    inside.peek().is_some() && inside.all(|(tuple, _)| unrolled.get(tuple).is_some_and(|one| one.along == Some(around)))
}
