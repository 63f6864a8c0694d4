//! Loops of the original order whose whole body LLVM unrolls, with temporary arrays in registers.
//!
//! ```text
//! for (p) {
//!   for (i < 5) v[i] = f[i][p];
//!   for (i < 4) for (j < 4 - i) if (v[j] > v[j + 1]) swap(v[j], v[j + 1]);
//!   o[p] = v[2];
//! }
//! ```
//!
//! Behind [complete unrolling](super::complete_unrolling), all subscripts of `v` are constants, and LLVM [promotes](crate::analysis::promotion) its
//! elements to registers. The loop over `p` is an innermost one then, whose iterations wait for nothing: LLVM vectorizes it, with the whole body in
//! one vector loop. Conditions on data around stores to `v` become choices between two values.
//!
//! Elements in memory that stay along the loop over `p`, as those of a small `C[i][j] += x[p][i] * x[p][j]`, are in registers, too. The loop waits for
//! each of them, but for all at the same time. Those that each iteration has of its own are in registers from one access to the next:
//! [scalar replacement](super::scalar_replacement).

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{AccessId, AccessKind, ArrayKind};
use farkas_polyhedral::sets::{ByTuple, Tuple};
use indexmap::IndexSet;

use super::complete_unrolling::{COUNTING, LARGEST};
use super::scalar_replacement::Replaced;
use super::{Cost, GroupCost, Model};
use crate::analysis::estimate::constant_ranges;
use crate::analysis::levels::{Levels, LoopId};
use crate::analysis::linear::{LinearAccess, Stride, linear_part};
use crate::analysis::nest::{Nest, NestLoop};

/// A loop all of whose inner loops are unrolled.
struct Body {
    around: LoopId,
    statements: Vec<Tuple>,
    /// The arrays that are promoted.
    promoted: Vec<Tuple>,
    /// The arrays in memory with elements that are in registers throughout the loop, and are written.
    kept: Vec<Tuple>,
    /// The array whose elements are in registers for an iteration.
    replaced: Option<Replaced>,
}

impl Model<'_> {
    /// Changes the cost of the groups in loops whose bodies are unrolled, with arrays in registers.
    pub(super) fn unroll_bodies(
        &self,
        cost: &mut Cost,
        (nests, levels): (&ByTuple<Nest>, &Levels),
        b: &Budget,
    ) -> Outcome<()> {
        for body in self.unrolled_bodies((nests, levels)) {
            let serialized = self.carried_in_registers.serialized(body.around, levels, b)?;
            let waits = |tuple: &Tuple| serialized.contains(tuple) || self.accumulates_along(tuple, &body, nests);
            if body
                .statements
                .iter()
                .any(|tuple| waits(tuple) && !self.updates_kept(tuple, &body))
            {
                continue;
            }
            let is_inside = |group: &GroupCost| group.statements.iter().all(|tuple| body.statements.contains(tuple));
            let (inside, mut groups): (Vec<_>, Vec<_>) = cost.groups.drain(..).partition(is_inside);
            // LLVM vectorizes inner loops as they are where that is better.
            let apart: f64 = inside.iter().map(GroupCost::cycles).sum();
            let together = inside.iter().cloned().reduce(|mut all, group| {
                all.join(group);
                all
            });
            let unrolled = together.map(|mut together| {
                (together.throughput, together.vectorized) = self.throughput_of_body(&body, nests);
                let updates = body.statements.iter().filter(|tuple| self.updates_kept(tuple, &body));
                let latency = updates.map(|tuple| self.latency(tuple, &in_body(&nests[tuple], body.around)));
                together.latency = latency.fold(0.0, f64::max);
                together
            });
            match unrolled.filter(|unrolled| unrolled.cycles() < apart) {
                Some(unrolled) => groups.push(unrolled),
                None => groups.extend(inside),
            }
            cost.groups = groups;
        }
        Ok(())
    }

    /// Whether a statement accumulates in the same element, or in the same scalar, in all iterations of the loop around a body.
    fn accumulates_along(&self, tuple: &Tuple, body: &Body, nests: &ByTuple<Nest>) -> bool {
        let nest = &nests[tuple];
        let around = nest.position_of(body.around).map(|position| &nest.loops[position]);
        let Some(along) = around.and_then(|l| l.direction.as_ref()) else {
            return true;
        };
        let statement = self.statement_of(tuple);
        let mut accesses = statement.accesses.iter().zip(&self.statements[tuple].accesses);
        accesses.any(|(access, linear)| {
            let begins_anew = match self.program.arrays[access.array()].kind {
                ArrayKind::ScalarSlot => self.initialized.along(tuple, along),
                _ => body.promoted.contains(access.array()),
            };
            access.reduction.is_some() && linear.writes && linear.stride(along) == Stride::Zero && !begins_anew
        })
    }

    /// Whether a statement writes an element that stays along the loop around a body.
    fn updates_kept(&self, tuple: &Tuple, body: &Body) -> bool {
        let mut accesses = self.statements[tuple].accesses.iter();
        accesses.any(|access| access.writes && body.kept.contains(&access.array))
    }

    /// Cycles of a body by throughput, and whether the loop around it is vectorized.
    fn throughput_of_body(&self, body: &Body, nests: &ByTuple<Nest>) -> (f64, bool) {
        let is_scalar = |tuple: &Tuple| {
            let around = nests[tuple].position_of(body.around);
            let l = &nests[tuple].loops[around.expect("a loop around the statement")];
            let differs = self.is_scalar_along(tuple, Some(l), nests) || self.lacks_masks(tuple, l, nests);
            differs || self.updates_kept(tuple, body)
        };
        let vectorized = !body.statements.iter().any(is_scalar);
        // The loop is entered once for all of its statements.
        let without_entry = self.with_loop_entry(0.0);
        let own = |(position, tuple): (usize, &Tuple)| {
            let mut nest = in_body(&nests[tuple], body.around);
            nest.in_registers.extend(self.in_registers(tuple, body));
            let model = if position == 0 { self } else { &without_entry };
            let only_here = match vectorized {
                true => 0.0,
                false => nest.instances * self.only_in_original(tuple),
            };
            model.throughput_by_llvm(tuple, &nest, vectorized) + only_here
        };
        let cycles = body.statements.iter().enumerate().map(own).sum::<f64>();
        (
            cycles + self.throughput_of_replaced(body, nests, vectorized),
            vectorized,
        )
    }

    /// Cycles of a body to load and store what is replaced by scalars in between.
    fn throughput_of_replaced(&self, body: &Body, nests: &ByTuple<Nest>, vectorized: bool) -> f64 {
        let (Some(replaced), Some(first)) = (&body.replaced, body.statements.first()) else {
            return 0.0;
        };
        let nest = in_body(&nests[first], body.around);
        let lanes = if vectorized { self.lanes_of(first) as u32 } else { 1 };
        nest.instances / nest.copies() * self.loads_and_stores(replaced, first, lanes.max(1))
    }

    /// The positions of accesses to values that the original has in registers. A scalar that the model has in an element of an array (DeLICM) is
    /// stored once, as often as it is initialized.
    fn in_registers(&self, tuple: &Tuple, body: &Body) -> Vec<usize> {
        let (statement, accesses) = (self.statement_of(tuple), &self.statements[tuple].accesses);
        let is_in_register = |position: &usize| {
            let own = &accesses[*position];
            let is_updated = || {
                accesses
                    .iter()
                    .any(|access| !access.writes && access.array == own.array)
            };
            body.promoted.contains(&own.array)
                || body.kept.contains(&own.array)
                || body
                    .replaced
                    .as_ref()
                    .is_some_and(|replaced| replaced.array == own.array)
                || statement.in_registers.contains(&AccessId(*position)) && (!own.writes || is_updated())
        };
        (0..accesses.len()).filter(is_in_register).collect()
    }

    /// The loops all of whose inner loops are unrolled, so that temporary arrays are promoted.
    fn unrolled_bodies(&self, (nests, levels): (&ByTuple<Nest>, &Levels)) -> Vec<Body> {
        let has_scalars = |tuple: &Tuple| !self.statement_of(tuple).in_registers.is_empty();
        let may_keep = |(tuple, nest): (&Tuple, &Nest)| {
            let outer = nest.loops.first().filter(|_| nest.loops.len() > 1);
            let along = outer.and_then(|l| l.direction.as_ref());
            let mut accesses = self.statements[tuple].accesses.iter();
            along.is_some_and(|along| accesses.any(|access| access.writes && access.stride(along) == Stride::Zero))
        };
        // Elements are updated several times only if some innermost loop is short.
        let may_replace = |(tuple, nest): (&Tuple, &Nest)| {
            let along = nest
                .loops
                .last()
                .filter(|_| nest.loops.len() > 1)
                .and_then(|l| l.direction.as_ref());
            along.is_some_and(|along| {
                let ranges = constant_ranges(self.domain(tuple));
                (0..along.len()).all(|dim| along[dim].is_zero() || ranges[dim].is_some())
            })
        };
        let may_be_in_registers = nests.keys().any(has_scalars) || nests.iter().any(may_keep);
        if self.promotable.is_empty() && !may_be_in_registers && !nests.iter().any(may_replace) {
            return Vec::new();
        }
        let unrolled = self.unrolled_loops((nests, levels));
        let ids: IndexSet<LoopId> = nests
            .values()
            .flat_map(|nest| nest.loops.iter().map(|l| l.id))
            .collect();
        let rolled = ids.into_iter().filter(|id| !unrolled.contains(id));
        let body = |around: LoopId| {
            let inside = nests.iter().filter(|(_, nest)| nest.position_of(around).is_some());
            let statements: Vec<Tuple> = inside.map(|(tuple, _)| tuple.clone()).collect();
            let is_last = |tuple: &Tuple| {
                let mut inner = nests[tuple].loops.iter().rev().take_while(|l| l.id != around);
                inner.all(|l| unrolled.contains(&l.id))
            };
            // Conditions that differ from copy to copy make branches.
            let has_branches = |tuple: &Tuple| {
                let (loops, position) = (&nests[tuple].loops, nests[tuple].position_of(around));
                position.is_some_and(|position| self.leaves_out(tuple, &loops[position], &loops[position + 1..]))
            };
            if !statements.iter().all(is_last) || statements.iter().any(has_branches) {
                return None;
            }
            let is_promoted = |array: &&Tuple| self.is_promoted(array, (around, &statements), nests);
            let promoted: Vec<Tuple> = self.promotable.iter().filter(is_promoted).cloned().collect();
            let is_in_unrolled = |tuple: &&Tuple| nests[*tuple].loops.last().is_some_and(|l| l.id != around);
            let has_scalars = statements.iter().filter(is_in_unrolled).any(has_scalars);
            let written = statements.iter().filter(is_in_unrolled).flat_map(|tuple| {
                let accesses = self.statement_of(tuple).accesses.iter();
                accesses.filter(|access| access.kind != AccessKind::Read && self.in_memory(access))
            });
            let mut kept: Vec<Tuple> = written.map(|access| access.array().clone()).collect();
            kept.retain(|array| !promoted.contains(array) && self.is_promoted(array, (around, &statements), nests));
            let replaced = match kept.is_empty() {
                true => self.replaced_by_scalars((around, &statements), &promoted, nests),
                false => None,
            };
            (!promoted.is_empty() || has_scalars || !kept.is_empty() || replaced.is_some()).then_some(Body {
                around,
                statements,
                promoted,
                kept,
                replaced,
            })
        };
        rolled.filter_map(body).collect()
    }

    /// Whether only statements in a loop access an array, each time the same elements.
    fn is_promoted(&self, array: &Tuple, (around, statements): (LoopId, &[Tuple]), nests: &ByTuple<Nest>) -> bool {
        let stays = |tuple: &Tuple, access: &LinearAccess| {
            let rolled = nests[tuple].position_of(around);
            let outer = nests[tuple].loops.iter();
            let mut outer = outer.take(rolled.map_or(0, |position| position + 1));
            outer.all(|l| {
                l.direction
                    .as_ref()
                    .is_some_and(|along| access.stride(along) == Stride::Zero)
            })
        };
        nests.keys().all(|tuple| {
            let mut own = self.statements[tuple]
                .accesses
                .iter()
                .filter(|access| access.array == *array);
            own.all(|access| statements.contains(tuple) && stays(tuple, access))
        })
    }

    /// The loops that LLVM unrolls completely, those inside of them included.
    fn unrolled_loops(&self, (nests, levels): (&ByTuple<Nest>, &Levels)) -> IndexSet<LoopId> {
        let ranges: ByTuple<Vec<Option<f64>>> = nests
            .keys()
            .map(|tuple| (tuple.clone(), constant_ranges(self.domain(tuple))))
            .collect();
        let only = |row: &Row| {
            let mut dims = (0..row.len()).filter(|dim| !row[*dim].is_zero());
            dims.next().filter(|_| dims.next().is_none())
        };
        // A loop is that of a dimension if it counts it, or moves along it alone.
        let dim_of = |tuple: &Tuple, l: &NestLoop| {
            let level = levels[tuple].iter().find(|level| level.id == l.id)?;
            let counted = linear_part(&level.point).and_then(|row| only(&row));
            counted.or_else(|| only(l.direction.as_ref()?))
        };
        let range = |tuple: &Tuple, l: &NestLoop| ranges[tuple][dim_of(tuple, l)?];
        // Bounds that are no constants are those of a counter around: the outermost loop with such has a constant number of iterations.
        let varies = |tuple: &Tuple, l: &NestLoop| {
            let is_coupled = |l: &NestLoop| {
                let alone = dim_of(tuple, l).and_then(|dim| self.constant_lengths[tuple][dim]);
                alone.is_none() && range(tuple, l).is_some()
            };
            let mut outer = nests[tuple].loops.iter().take_while(|other| other.id != l.id);
            is_coupled(l) && outer.any(is_coupled)
        };
        let mut ids: Vec<LoopId> = nests
            .values()
            .flat_map(|nest| nest.loops.iter().map(|l| l.id))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let mut unrolled = IndexSet::new();
        // Outer loops come first.
        for id in ids.into_iter().rev() {
            let size = |(tuple, nest): (&Tuple, &Nest)| -> Option<f64> {
                let Some(position) = nest.position_of(id) else {
                    return Some(0.0);
                };
                let (own, inner) = nest.loops[position..].split_first()?;
                let mut copies = range(tuple, own)?;
                for l in inner {
                    let length = range(tuple, l).filter(|_| unrolled.contains(&l.id))?;
                    // A loop of another length each time is unrolled behind those around it.
                    copies *= if varies(tuple, l) { 1.0 } else { length };
                }
                let in_registers = self.statement_of(tuple).in_registers.len() as f64;
                // Loops that are unrolled already have no counters any more.
                let counting = if inner.is_empty() { COUNTING } else { 0.0 };
                Some(copies * (self.instructions(tuple, []) - in_registers + counting))
            };
            let size: Option<f64> = nests.iter().map(size).sum();
            if size.is_some_and(|size| size <= LARGEST) {
                unrolled.insert(id);
            }
        }
        unrolled
    }
}

/// The loops of a body as copies in the innermost loop, which is the one around it.
fn in_body(nest: &Nest, around: LoopId) -> Nest {
    let mut nest = nest.clone();
    let position = nest.position_of(around).expect("a loop around the statement");
    nest.loops.drain(..position);
    nest.loops[1..].iter_mut().for_each(|l| l.unrolled = true);
    nest
}
