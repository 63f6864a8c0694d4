//! What keeps the instances of a program in order, and what is asked of its schedule for it.
//!
//! Value-based dependences keep the live ranges of an element, from a write to the last read of the value, in the order that
//! they are in. Where all that is read of an array is computed in the program, and its elements are overwritten there, as
//! those of temporaries and of scalars are, that is more than has to be: its live ranges may change places as long as
//! they do not overlap (P4). For `for (i) for (j) { S: t = a[j][i]; T: b[j][i] = t; }` any order of the pairs `i, j` will
//! do that keeps `S[i, j]` and `T[i, j]` together.
//!
//! Instances that contribute to the same reduction may come in any order, but not at once: for them, a loop is not parallel.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::check::{self, Verdict};
use farkas_polyhedral::flow::derive::{Fragment, live_ranges};
use farkas_polyhedral::flow::{self, Dependences};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{AccessKind, ArrayKind, Program, Statement};
use farkas_polyhedral::schedule::ScheduleConstraints;
use farkas_polyhedral::sets::{Conj, Map, Params, Set, Tuple, UnionMap, UnionSet};
use farkas_polyhedral::tree::Tree;
use indexmap::IndexMap;

use crate::analysis::carried::serializing_anti;
use crate::analysis::estimate::constant_lengths;
use crate::analysis::linear;
use crate::analysis::promotion::promotable;
use crate::splitting::Pieces;

mod node_splitting;

/// The dependences of a program, those of each array by itself.
#[derive(Clone, Debug)]
pub(crate) struct ByArray {
    params: Params,
    arrays: IndexMap<Tuple, Dependences>,
}

/// Constants of assumptions that are no limits of types.
const SMALL: i64 = 1 << 20;

/// What is assumed but for limits that follow from the types of parameters; `None` where that is nothing, or there are several cases.
fn signs(assumptions: &Set) -> Option<Set> {
    let [case] = assumptions.pieces() else { return None };
    let mut signs = Conj::universe(assumptions.params().len());
    let is_small = |row: &&Row| row[0].abs() <= SMALL;
    let plain = case.n_locals() == 0 && case.divs().is_empty();
    let mut rows = case.ineqs().iter().filter(is_small).filter(|_| plain).peekable();
    rows.peek()?;
    rows.for_each(|row| signs.add_ineq(row.clone()));
    Some(Set::from_conj(assumptions.space().clone(), signs))
}

impl ByArray {
    /// The value-based ones.
    pub(crate) fn of(program: &Program, b: &Budget) -> Outcome<ByArray> {
        Ok(ByArray {
            params: program.context.params().clone(),
            arrays: flow::analyze_by_array(program, b)?,
        })
    }

    /// The value-based ones if these take no more than so much `work`, and else memory-based ones, which are more than has to be.
    pub(crate) fn within(program: &Program, work: u64, b: &Budget) -> Outcome<ByArray> {
        if let Ok(value_based) = b.trial(work, |b| ByArray::of(program, b))? {
            return Ok(value_based);
        }
        log::debug!("memory-based dependences: {} units of work left", b.left());
        Ok(ByArray {
            params: program.context.params().clone(),
            arrays: flow::memory_based_by_array(program, b)?,
        })
    }

    /// Without what there is only for parameters that are assumed not to be: the sign of an offset decides which of two accesses comes first.
    pub(crate) fn under(mut self, assumptions: &Set, b: &Budget) -> Outcome<ByArray> {
        let Some(signs) = signs(assumptions) else {
            return Ok(self);
        };
        let possible = |all: &UnionMap| -> Outcome<UnionMap> {
            let mut possible = UnionMap::empty(all.params().clone());
            for map in all.maps() {
                let mut pieces = Vec::new();
                for piece in map.pieces() {
                    let own = Map::from_conj(map.space().clone(), piece.clone());
                    if !own.intersect_params(&signs).is_empty(b)? {
                        pieces.push(piece.clone());
                    }
                }
                if !pieces.is_empty() {
                    possible.add(&Map::from_conjs(map.space().clone(), pieces));
                }
            }
            Ok(possible)
        };
        for own in self.arrays.values_mut() {
            (own.flow, own.anti, own.output) = (possible(&own.flow)?, possible(&own.anti)?, possible(&own.output)?);
        }
        Ok(self)
    }

    /// Those of each array.
    pub(crate) fn arrays(&self) -> &IndexMap<Tuple, Dependences> {
        &self.arrays
    }

    /// Those of all arrays together.
    pub(crate) fn all(&self) -> Dependences {
        Dependences::of_arrays(self.params.clone(), self.arrays.values())
    }

    /// What is left where each iteration has a copy of some arrays: of these, flow dependences only.
    fn copied(&self, is_copied: impl Fn(&Tuple) -> bool) -> ByArray {
        let mut out = self.clone();
        for (_, own) in out.arrays.iter_mut().filter(|(array, _)| is_copied(array)) {
            own.anti = UnionMap::empty(self.params.clone());
            own.output = UnionMap::empty(self.params.clone());
        }
        out
    }

    /// What keeps iterations from running side by side where each has a copy of some arrays.
    pub(crate) fn with_copies(&self, is_copied: impl Fn(&Tuple) -> bool) -> UnionMap {
        let mut all = UnionMap::empty(self.params.clone());
        for own in self.copied(is_copied).arrays.values() {
            let kinds = [&own.flow, &own.anti, &own.output];
            kinds.iter().flat_map(|kind| kind.maps()).for_each(|map| all.add(map));
        }
        all
    }

    /// What is left where each iteration has scalars of its own, as the original has, where they are registers.
    pub(crate) fn with_own_scalars(&self, program: &Program) -> ByArray {
        self.copied(|array| program.arrays[array].kind == ArrayKind::ScalarSlot)
    }

    /// Those of some arrays only.
    pub(crate) fn only(&self, is_wanted: impl Fn(&Tuple) -> bool) -> ByArray {
        let wanted = self.arrays.iter().filter(|(array, _)| is_wanted(array));
        ByArray {
            params: self.params.clone(),
            arrays: wanted.map(|(array, own)| (array.clone(), own.clone())).collect(),
        }
    }

    /// Those of all arrays but some.
    pub(crate) fn without(&self, arrays: &[Tuple]) -> ByArray {
        self.only(|array| !arrays.contains(array))
    }

    /// Those of a program in which these arrays are others of the same names.
    pub(crate) fn of_changed(&self, arrays: &[Tuple], program: &Program, b: &Budget) -> Outcome<ByArray> {
        let is_changed = |array: &Tuple| arrays.iter().any(|changed| changed.name() == array.name());
        let mut all = self.clone();
        all.arrays.retain(|array, _| !is_changed(array));
        all.arrays
            .extend(flow::analyze_by_array(&restricted(program, is_changed), b)?);
        Ok(all)
    }

    /// The arrays of which the live ranges may change places: each value that is read is computed in the program, and some
    /// element is written more than once; so are arrays that are written only, of which the last value stays the last. Not
    /// those of reductions, which have a freedom of their own, nor those of which flow dependences keep all live ranges in order:
    /// to find what live ranges that may move allow takes much work.
    pub(crate) fn movable_arrays(&self, program: &Program, b: &Budget) -> Outcome<Vec<Tuple>> {
        let reduced = reduced_arrays(program);
        let flow = self.all().flow;
        let mut movable = Vec::new();
        for (array, own) in &self.arrays {
            let comes_in = own.live_in.maps().next().is_some();
            if !comes_in
                && !reduced.contains(&array)
                && is_overwritten(program, array, b)?
                && !own.anti.union(&own.output).is_subset(&flow, b)?
            {
                movable.push(array.clone());
            }
        }
        Ok(movable)
    }
}

/// The arrays that reductions accumulate in.
fn reduced_arrays(program: &Program) -> Vec<&Tuple> {
    let accesses = program.statements.iter().flat_map(|statement| &statement.accesses);
    accesses
        .filter(|access| access.reduction.is_some())
        .map(|access| access.array())
        .collect()
}

/// All pairs of instances that contribute to the same element. In `A(0) B(0) A(1) B(1)`, with `A` and `B` adding to one element, value-based
/// dependences do not lead from `A` to `A`, which wait for each other once all of `A` comes before all of `B`.
fn contributions(program: &Program, b: &Budget) -> Outcome<UnionMap> {
    let mut part = program.clone();
    for statement in &mut part.statements {
        statement.accesses.retain(|access| access.reduction.is_some());
    }
    part.statements.retain(|statement| !statement.accesses.is_empty());
    flow::memory_based(&part, b)
}

/// The pairs of instances that wait for each other where scalars that reductions accumulate in, and arrays that LLVM
/// [promotes](promotable), are registers.
fn in_registers_of(
    (program, promoted): (&Program, &[Tuple]),
    dependences: &ByArray,
    reduced: &[Tuple],
    b: &Budget,
) -> Outcome<Option<UnionMap>> {
    let is_slot = |array: &Tuple| program.arrays[array].kind == ArrayKind::ScalarSlot;
    let is_in_short_loop = |statement: &Statement| constant_lengths(&statement.domain).iter().any(Option::is_some);
    let has_slots = reduced.iter().any(is_slot) && program.statements.iter().any(is_in_short_loop);
    if !has_slots && promoted.is_empty() {
        return Ok(None);
    }
    let is_register = |array: &Tuple| is_slot(array) || promoted.contains(array);
    let of_reductions = |in_registers| {
        let part = restricted(program, |array| {
            reduced.contains(array) && is_register(array) == in_registers
        });
        flow::analyze_unordered_reductions(&part, b)
    };
    let (in_memory, in_slots) = (of_reductions(false)?, of_reductions(true)?);
    // Beside promoted arrays, all scalars are to be those of an iteration.
    let is_copied = |array: &Tuple| !promoted.is_empty() && is_register(array);
    let others = dependences.without(reduced).copied(is_copied).all();
    let ordered = Dependences::of_arrays(dependences.params.clone(), [&in_memory, &others]);
    let anti = serializing_anti(program, &ordered.anti, b)?.unwrap_or(ordered.anti.clone());
    Ok(Some(Dependences { anti, ..ordered }.all(b)?.union(&in_slots.flow)))
}

/// What a new order of a program has to respect.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// What the scheduler is asked for.
    pub(crate) constraints: ScheduleConstraints,
    /// The pairs that keep an iteration of a loop waiting for another one. Scalars, of which each iteration may have its own,
    /// bring none, and reductions neither: parts of them can be computed apart.
    pub(crate) serializing: UnionMap,
    /// The same of the original, where scalars that reductions accumulate in are registers, of which each iteration has its own; `None` where
    /// there are no such scalars, or no short loops, which LLVM may unroll.
    pub(crate) in_registers: Option<UnionMap>,
}

impl Order {
    /// All live ranges stay in order. What is `assumed` of the parameters holds wherever the new order is used.
    pub(crate) fn fixed(program: &Program, assumed: &Set, dependences: &ByArray, b: &Budget) -> Outcome<Order> {
        let all = dependences.all().all(b)?.union(&contributions(program, b)?);
        let reduced: Vec<Tuple> = reduced_arrays(program).into_iter().cloned().collect();
        let (ordered, validity) = match reduced.is_empty() {
            true => (dependences.all(), all.clone()),
            false => {
                let reductions = restricted(program, |array| reduced.contains(array));
                let unordered = flow::analyze_unordered_reductions(&reductions, b)?;
                let others = dependences.without(&reduced).all();
                let ordered = Dependences::of_arrays(dependences.params.clone(), [&unordered, &others]);
                let validity = ordered.all(b)?;
                (ordered, validity)
            }
        };
        let serializing = match serializing_anti(program, &ordered.anti, b)? {
            Some(anti) => Dependences { anti, ..ordered }.all(b)?,
            None => validity.clone(),
        };
        let promoted = promotable(program, &linear::statements(program));
        let in_registers = in_registers_of((program, &promoted), dependences, &reduced, b)?;
        let mut domain = UnionSet::empty(program.context.params().clone());
        program
            .statements
            .iter()
            .for_each(|statement| domain.add(&statement.domain));
        let constraints = ScheduleConstraints {
            // Lower bounds say nothing that helps. Upper ones are in the dependences, and have to be in domains, too: by them the
            // scheduler knows rows that coalesce loops, and are sparse where sizes are smaller.
            context: assumed.intersect(&program.upper_bounds()),
            validity: validity.clone(),
            proximity: validity.clone(),
            coincidence: all,
            ..ScheduleConstraints::on_domain(domain)
        };
        Ok(Order {
            constraints,
            serializing,
            in_registers,
        })
    }

    /// Those of the arrays in `movable` may change places.
    pub(crate) fn movable(
        program: &Program,
        assumed: &Set,
        dependences: &ByArray,
        movable: &[Tuple],
        b: &Budget,
    ) -> Outcome<Order> {
        let Order {
            constraints: rest,
            serializing,
            in_registers,
        } = Order::fixed(program, assumed, &dependences.without(movable), b)?;
        // Iterations of the original have promoted arrays of their own, whatever the order of their live ranges.
        let promoted = promotable(program, &linear::statements(program));
        let of_original = match promoted.iter().any(|array| movable.contains(array)) {
            true => {
                let reduced: Vec<Tuple> = reduced_arrays(program).into_iter().cloned().collect();
                in_registers_of((program, &promoted), dependences, &reduced, b)?
            }
            false => None,
        };
        let fragment = Fragment::of_program(&restricted(program, |array| movable.contains(array)), b)?;
        let live = live_ranges(&fragment, b)?;
        let validity = live.flows.flow.union(&live.forced);
        let coincidence = validity.union(&live.array_order);
        let constraints = ScheduleConstraints {
            validity: validity.union(&rest.validity).coalesce(b)?,
            // That one live range comes soon after another gains nothing.
            proximity: live.flows.flow.union(&rest.proximity).coalesce(b)?,
            coincidence: coincidence.union(&rest.coincidence).coalesce(b)?,
            condition: live.flows.tagged_flow,
            conditional_validity: live.tagged_order,
            ..rest
        };
        Ok(Order {
            constraints,
            in_registers: of_original.or_else(|| in_registers.map(|others| coincidence.union(&others))),
            serializing: coincidence.union(&serializing).coalesce(b)?,
        })
    }

    /// The same where pieces of statements wait for each other. A tree is checked over whole statements, so that the constraints are
    /// still on these.
    pub(crate) fn between(&self, pieces: &Pieces, b: &Budget) -> Outcome<Order> {
        Ok(Order {
            serializing: pieces.between(&self.serializing, b)?,
            in_registers: None,
            constraints: self.constraints.clone(),
        })
    }

    /// Whether the tree respects it.
    pub(crate) fn check(&self, tree: &Tree, b: &Budget) -> Outcome<Verdict> {
        let asked = &self.constraints;
        match check::check_tree(&asked.validity, &asked.coincidence, tree, b)? {
            Verdict::Legal => check::check_conditional(&asked.condition, &asked.conditional_validity, tree, b),
            violated => Ok(violated),
        }
    }

    /// Whether the tree has the instances of these statements in an order that respects it. What the tree claims of its bands is not
    /// checked.
    pub(crate) fn check_among(&self, statements: &[Tuple], tree: &Tree, b: &Budget) -> Outcome<Verdict> {
        let asked = &self.constraints;
        let mut among = UnionMap::empty(asked.validity.params().clone());
        let known = |tuple: &Tuple| statements.contains(tuple);
        let pairs = asked.validity.maps();
        pairs
            .filter(|map| known(map.domain_tuple()) && known(map.range_tuple()))
            .for_each(|map| among.add(map));
        let nothing = UnionMap::empty(asked.validity.params().clone());
        match check::check_tree(&among, &nothing, tree, b)? {
            Verdict::Legal => check::check_conditional(&asked.condition, &asked.conditional_validity, tree, b),
            violated => Ok(violated),
        }
    }
}

/// The program as far as it accesses arrays that are `wanted`.
pub(crate) fn restricted(program: &Program, wanted: impl Fn(&Tuple) -> bool) -> Program {
    let mut part = program.clone();
    for statement in &mut part.statements {
        statement.accesses.retain(|access| wanted(access.array()));
    }
    part.kills.retain(|kill| wanted(kill.relation.range_tuple()));
    part
}

/// Whether some element of the array is written by two instances.
fn is_overwritten(program: &Program, array: &Tuple, b: &Budget) -> Outcome<bool> {
    let mut writes: Vec<(&Tuple, Map)> = Vec::new();
    for statement in &program.statements {
        let of_array = |kind, tuple: &Tuple| kind != AccessKind::Read && tuple == array;
        let accesses = statement.accesses.iter().filter(|a| of_array(a.kind, a.array()));
        for access in accesses {
            let relation = access
                .relation
                .intersect_domain(&statement.domain)
                .intersect_params(&program.context);
            if !relation.is_injective(b)? {
                return Ok(true);
            }
            for (other, written) in &writes {
                let both = relation.apply_range(&written.reverse(), b)?;
                if *other != statement.tuple() && !both.is_empty(b)? {
                    return Ok(true);
                }
            }
            writes.push((statement.tuple(), relation));
        }
    }
    Ok(false)
}
