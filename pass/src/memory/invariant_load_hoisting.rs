//! Invariant load hoisting: `s->n` as a bound, `A.data` as the base of an array, `p[2]` in a subscript.
//!
//! A load is *invariant* if its address does not change in the region and nothing in the region writes its target.
//! [`hoist_loads`] finds the invariant loads that bounds, conditions and addresses depend on, and
//! [copies](HoistedLoads) them in front of the region. The rest of the model sees parameters.
//!
//! That nothing writes the target is known from alias analysis, or checked at run time. In the second case the target
//! becomes an array of the model that is never accessed, and that must not overlap the arrays that are written
//! ([`HoistedLoadInfo::writers`]).
//!
//! The copy must not read what the original would not read:
//!
//! - In the first block of the region, the original is certainly executed.
//! - Some addresses can be read at any time.
//! - All other copies have an execution condition ([`conditions`]): the domain of the load's block is not empty.
//!   Where writes have to be checked, the condition is that the first instance of the load is in the domain: no store
//!   of the region comes before it.
//!
//! Where branches depend on the number of elements between two hoisted pointers (`i < v.size()`), that quotient is hoisted, too: scalar evolution
//! does not look into signed divisions, and has no trip count where they are in the loop.
//!
//! [Flags](crate::control::flags), conditions that do not change in the region, are hoisted in the same way, behind what they load.
//!
//! Instructions behind the region that use a load, as those of the next loop up to the same `s->n`, use its copy, whether or not new code is
//! executed. So no store may have to be checked for these loads, and they are in the first block, or share a copy that is always executed.

use crate::control::flags::{self, flags};
use crate::control::nest::Nest;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::domain::domains::Domains;
use crate::scev::convert::Converter;
use crate::scev::pieces::zero;
use farkas_llvm::Run;
use farkas_llvm::edit::drop_poison_generating;
use farkas_llvm::hoisting::{HoistedLoad, HoistedLoads};
use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::loops::Loop;
use farkas_llvm::memory::LocationSize;
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::region::Border;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::sets::{Aff, Set};
use indexmap::IndexSet;

/// Number of instructions that may compute the address of a hoisted load.
const MOST_INSTRUCTIONS: usize = 16;

/// A hoisted load, or a quotient or flag that is computed from hoisted loads.
#[derive(Clone, Debug)]
pub(crate) struct HoistedLoadInfo<'a> {
    /// The copy.
    pub(crate) load: Value<'a>,
    /// The blocks of the originals, and their positions among the instructions of the region.
    originals: Vec<(Block<'a>, usize)>,
    /// Stores that must be checked not to write the target, with their positions.
    pub(crate) writers: Vec<(usize, Value<'a>)>,
    /// Whether the copy can always be executed.
    safe: bool,
    /// Whether the first original is always executed, as the copy is.
    first: bool,
    /// The address, if other loads of it may use the copy.
    address: Option<Scev<'a>>,
}

impl<'a> HoistedLoadInfo<'a> {
    /// The copy of a load that is not hoisted yet, with the place of the load and what may write its target.
    fn of_copy(
        run: &'a Run<'_>,
        nest: &Nest<'a>,
        (load, address): (Value<'a>, Option<Scev<'a>>),
        original: (Block<'a>, usize),
        writers: Vec<(usize, Value<'a>)>,
    ) -> Self {
        let first = is_in_first_block(nest, original.0);
        let safe = first || run.load_is_safe(load);
        if !first {
            // Executed where the original is not, it may load anything; not executed, its users get zero.
            run.forget_promises(load, !safe);
        }
        HoistedLoadInfo {
            load,
            originals: vec![original],
            writers,
            safe,
            first,
            address,
        }
    }

    /// What is hoisted and is no load: it can be computed whatever its operands are, if nothing is promised of it.
    fn of_computed(copies: &[Value<'a>]) -> Self {
        let instructions = copies.iter().filter_map(|copy| copy.instruction());
        instructions.for_each(drop_poison_generating);
        HoistedLoadInfo {
            load: *copies.last().expect("a copy"),
            originals: Vec::new(),
            writers: Vec::new(),
            safe: true,
            first: false,
            address: None,
        }
    }

    /// Lets the copy stand for another load of its address. One that `is_repeated` in the block of another original has no place of its
    /// own.
    fn add_original(
        &mut self,
        run: &'a Run<'_>,
        (original, is_repeated): ((Block<'a>, usize), bool),
        writers: Vec<(usize, Value<'a>)>,
    ) {
        // The copy may be executed where only one of the originals is.
        match self.first {
            true => run.forget_promises(self.load, true),
            false => run.forget_everything(self.load, self.safe),
        }
        if !is_repeated {
            self.originals.push(original);
        }
        let new = writers.into_iter().filter(|w| !self.writers.contains(w));
        self.writers.extend(new.collect::<Vec<_>>());
    }

    /// Whether the loop has one of the originals, and a store that may write the target.
    pub(crate) fn stays_in(&self, around: Loop<'a>) -> bool {
        let is_loaded = self.originals.iter().any(|(block, _)| around.contains(*block));
        is_loaded && self.writers.iter().any(|(_, store)| around.contains(store.block()))
    }
}

/// Whether a block of the region is the first one, which is always executed.
fn is_in_first_block(nest: &Nest<'_>, block: Block<'_>) -> bool {
    matches!(nest.region.entry, Border::Edge { to, .. } if to == block)
}

/// The loads that are not hoisted as they could be, since a model with them was declined.
#[derive(Debug, Default)]
pub(crate) struct Restricted<'a> {
    /// Loads that stay in the region.
    stay: IndexSet<Value<'a>>,
    /// Loads that have a copy of their own.
    separate: IndexSet<Value<'a>>,
}

impl<'a> Restricted<'a> {
    /// Hoists less for this load, which is not safe as it is.
    pub(crate) fn add(&mut self, load: &HoistedLoad<'a>) {
        let originals: Vec<Value<'a>> = load.originals().collect();
        match originals[..] {
            [only] => self.stay.insert(only),
            [.., last] => self.separate.insert(last),
            [] => unreachable!("a hoisted load has an original"),
        };
    }

    /// Hoists none of these loads.
    pub(crate) fn add_all(&mut self, hoisted: &HoistedLoads<'a, '_>) {
        let originals = hoisted.list().iter().flat_map(|load| load.originals());
        self.stay.extend(originals.chain(hoisted.reused()));
    }
}

/// Hoists the invariant loads that control flow and addresses depend on.
///
/// Loads of the same address get one copy: nothing in the region writes their target, so they have the same value. Otherwise
/// two arrays of the model could have the same base, and the check that they do not overlap would never hold. A load
/// that was executed before the region serves as well.
pub(crate) fn hoist_loads<'a, 'r>(
    run: &'a Run<'r>,
    nest: &Nest<'a>,
    restricted: &Restricted<'a>,
) -> (HoistedLoads<'a, 'r>, Vec<HoistedLoadInfo<'a>>) {
    let mut candidates: Vec<HoistedLoadInfo<'a>> = Vec::new();
    let all: Vec<Value<'a>> = nest
        .blocks
        .keys()
        .flat_map(|block| nest.instructions(*block))
        .copied()
        .collect();
    let mut hoisted = HoistedLoads::new(run, nest.region.entry.instruction(), all.iter().copied());
    let use_scopes = !all.iter().any(|i| i.facts().declares_scope());
    let mut needed = needed(run, nest, &all);
    let flags = flags(run, nest);
    needed.extend(flags.iter().copied());
    needed.extend(flags.iter().filter_map(|flag| flags::loads(nest, *flag)).flatten());
    needed.retain(|load| !restricted.stay.contains(load));
    // In the order of the program: what a condition on a load depends on comes before it.
    for (position, load) in all.iter().enumerate() {
        if !needed.contains(load) {
            continue;
        }
        if flags.contains(load) {
            candidates.extend(hoist_flag(nest, &mut hoisted, *load));
            continue;
        }
        if load.is_exact_quotient() {
            candidates.extend(hoist_quotient(nest, &mut hoisted, *load));
            continue;
        }
        let Some(instructions) = address(nest, *load) else {
            continue;
        };
        let Kind::Load { pointer } = load.kind() else {
            unreachable!("{load} is a load")
        };
        let address = run.scev(pointer).filter(|_| !restricted.separate.contains(load));
        let same = |c: &HoistedLoadInfo<'a>| c.address == address && c.load.ty() == load.ty();
        let same = address.and_then(|_| candidates.iter().position(same));
        // Loaded before in the same iteration, it may come behind stores.
        let is_loaded = |index: usize| {
            candidates[index]
                .originals
                .iter()
                .any(|(block, _)| *block == load.block())
        };
        let is_repeated = same.is_some_and(is_loaded);
        let Some(writers) = writers(run, nest, &all, (position, is_repeated), use_scopes) else {
            continue;
        };
        // Users behind the region use the copy whether or not the guard holds: it has to be the value that the original would load.
        let is_used_behind = !load.users().into_iter().all(|user| nest.defines(user));
        if is_used_behind && !writers.is_empty() {
            continue;
        }
        // The target is an array of the model where writes have to be checked.
        if !writers.is_empty() && run.element(load.ty()).is_none() {
            continue;
        }
        if address.is_some() {
            if let Some(index) = same {
                if is_used_behind && !candidates[index].safe {
                    continue;
                }
                candidates[index].add_original(run, ((load.block(), position), is_repeated), writers);
                hoisted.merge(*load, index);
                continue;
            }
            if writers.is_empty()
                && let Some(available) = available_load(run, nest, &hoisted, *load, address)
            {
                hoisted.reuse(*load, available);
                continue;
            }
        }
        if is_used_behind && !is_in_first_block(nest, load.block()) {
            continue;
        }
        hoisted.add(*load, &instructions);
        let copy = hoisted.list().last().expect("just added").load();
        let original = (load.block(), position);
        candidates.push(HoistedLoadInfo::of_copy(run, nest, (copy, address), original, writers));
    }
    (hoisted, candidates)
}

/// Hoists a flag, if what it is computed from is at hand in front.
fn hoist_flag<'a>(nest: &Nest<'a>, hoisted: &mut HoistedLoads<'a, '_>, flag: Value<'a>) -> Option<HoistedLoadInfo<'a>> {
    let operands = flags::operands(nest, flag)?;
    if !flag.users().into_iter().all(|user| nest.defines(user)) {
        return None;
    }
    hoisted.add(flag, &operands);
    let copies = hoisted.list().last().expect("just added").copies();
    Some(HoistedLoadInfo::of_computed(copies))
}

/// Hoists a quotient, if that is possible.
fn hoist_quotient<'a>(
    nest: &Nest<'a>,
    hoisted: &mut HoistedLoads<'a, '_>,
    quotient: Value<'a>,
) -> Option<HoistedLoadInfo<'a>> {
    hoisted.add(quotient, &dividend(nest, hoisted, quotient)?);
    let copies = hoisted.list().last().expect("just added").copies();
    Some(HoistedLoadInfo::of_computed(copies))
}

/// The instructions of the region that compute the dividend of a quotient from hoisted loads and values from in front, in order. `None` if it may
/// change, or if the quotient is used behind the region.
fn dividend<'a>(nest: &Nest<'a>, hoisted: &HoistedLoads<'a, '_>, quotient: Value<'a>) -> Option<Vec<Value<'a>>> {
    use InstructionOpcode::{PtrToInt, Sub};
    let mut is_of_loads = false;
    let instructions = operand_tree([quotient.operands()[0]], MOST_INSTRUCTIONS, |value| {
        if !nest.defines(value) {
            is_of_loads |= hoisted.list().iter().any(|load| load.load() == value);
            return Visit::Leaf;
        }
        match value.instruction().map(|i| i.get_opcode()) {
            Some(PtrToInt | Sub) => Visit::Operands,
            _ => Visit::Abort,
        }
    });
    let is_inside = quotient.users().into_iter().all(|user| nest.defines(user));
    let instructions = instructions.filter(|_| is_of_loads && is_inside)?;
    Some(instructions.into_iter().collect())
}

/// Number of instructions before the region that are searched for a load.
const MOST_BEFORE: usize = 128;

/// A load of this address that was executed before the region, if nothing has written its target since.
fn available_load<'a>(
    run: &'a Run<'_>,
    nest: &Nest<'a>,
    hoisted: &HoistedLoads<'a, '_>,
    load: Value<'a>,
    address: Option<Scev<'a>>,
) -> Option<Value<'a>> {
    let copies: IndexSet<Value<'a>> = hoisted.list().iter().flat_map(|h| h.copies()).copied().collect();
    let entry = nest.region.entry.instruction();
    let mut block = entry.block();
    let mut before: Vec<Value<'a>> = block.instructions().into_iter().take_while(|i| *i != entry).collect();
    let mut left = MOST_BEFORE;
    loop {
        for i in before.iter().rev().filter(|i| !copies.contains(*i)) {
            left = left.checked_sub(1)?;
            if let Kind::Load { pointer } = i.kind()
                && i.ty() == load.ty()
                && !i.facts().is_volatile()
                && !i.is_atomic()
                && run.scev(pointer) == address
            {
                return (!run.load_may_be_poison(*i)).then_some(*i);
            }
            let writes = i.facts().may_write() && !i.facts().droppable();
            if writes && !run.never_writes(*i, load, false) {
                return None;
            }
        }
        block = match block.predecessors()[..] {
            [only] => only,
            _ => return None,
        };
        before = block.instructions();
    }
}

/// The loads of integers and pointers that branches and addresses depend on, and the quotients of differences.
fn needed<'a>(run: &'a Run<'_>, nest: &Nest<'a>, all: &[Value<'a>]) -> IndexSet<Value<'a>> {
    let mut open: Vec<Value<'a>> = Vec::new();
    for i in all {
        open.extend(i.condition());
        for access in run.memory(*i).accesses() {
            open.push(access.pointer);
            match access.size {
                LocationSize::Bytes(length) => open.push(length),
                LocationSize::Element(_) | LocationSize::Unknown => {}
            }
        }
    }
    let mut needed = IndexSet::new();
    operand_tree(open, usize::MAX, |value| {
        let whole = matches!(value.ty().kind(), TypeKind::Integer(..=64) | TypeKind::Pointer(0));
        if !whole || !nest.defines(value) {
            return Visit::Leaf;
        }
        match value.kind() {
            Kind::Load { .. } if !value.facts().is_volatile() && !value.is_atomic() => {
                needed.insert(value);
                Visit::Leaf
            }
            Kind::Load { .. } | Kind::Call(_) => Visit::Leaf,
            _ => {
                if value.is_exact_quotient() {
                    needed.insert(value);
                }
                Visit::Operands
            }
        }
    });
    needed
}

/// The instructions of the region that compute the address of a load, in order. `None` if the address may change, or
/// if computing it may trap.
fn address<'a>(nest: &Nest<'a>, load: Value<'a>) -> Option<Vec<Value<'a>>> {
    let Kind::Load { pointer } = load.kind() else {
        return None;
    };
    use InstructionOpcode::{Add, GetElementPtr, Mul, SExt, Shl, Sub, Trunc, ZExt};
    let address = operand_tree([pointer], MOST_INSTRUCTIONS, |value| {
        if !nest.defines(value) {
            return Visit::Leaf;
        }
        match value.instruction().map(|i| i.get_opcode()) {
            Some(GetElementPtr | Add | Sub | Mul | Shl | SExt | ZExt | Trunc) => Visit::Operands,
            _ => Visit::Abort,
        }
    });
    Some(address?.into_iter().collect())
}

/// The stores that may write the target of the load at this position of `all`, if run-time checks can rule that out.
/// `None` if another instruction may write it. The load may be a repetition of an earlier one in its block.
fn writers<'a>(
    run: &'a Run<'_>,
    nest: &Nest<'a>,
    all: &[Value<'a>],
    (position, is_repeated): (usize, bool),
    use_scopes: bool,
) -> Option<Vec<(usize, Value<'a>)>> {
    let load = all[position];
    let Kind::Load { pointer } = load.kind() else {
        return None;
    };
    let mut writers = Vec::new();
    for (at, writer) in all.iter().enumerate().filter(|(_, i)| i.facts().may_write()) {
        if writer.facts().droppable() || run.never_writes(*writer, load, use_scopes) {
            continue;
        }
        let Kind::Store { pointer: to, .. } = writer.kind() else {
            return None;
        };
        // A write before the load's first instance would have to be waited for; one to the same object is no accident.
        if at < position && !is_repeated || root(nest, to) == root(nest, pointer) {
            return None;
        }
        writers.push((at, *writer));
    }
    Some(writers)
}

/// The base of an address, through address computations and phis of the region.
fn root<'a>(nest: &Nest<'a>, pointer: Value<'a>) -> Value<'a> {
    let mut at = pointer;
    while at.is_instruction() {
        let step = matches!(
            at.instruction().map(|i| i.get_opcode()),
            Some(InstructionOpcode::GetElementPtr)
        );
        match at.operands().first() {
            Some(next) if step => at = *next,
            Some(_) if at.is_phi() && nest.defines(at) => {
                let outside =
                    |(value, from): (Value<'a>, Block<'a>)| (!nest.blocks.contains_key(&from)).then_some(value);
                let Kind::Phi(incoming) = at.kind() else { return at };
                match incoming.into_iter().find_map(outside) {
                    Some(start) => at = start,
                    None => return at,
                }
            }
            _ => return at,
        }
    }
    at
}

/// For each hoisted load, the parameter values for which its copy may be executed; `None` for all. Assumes what makes
/// the copy execute whenever the original does.
///
/// # Errors
/// If that cannot be said.
pub(crate) fn conditions<'a>(
    converter: &Converter<'_, 'a, '_>,
    domains: &Domains<'a>,
    candidates: &[HoistedLoadInfo<'a>],
) -> Modelled<'a, Vec<Option<Set>>> {
    // The run-time check of a store looks at the instances of its domain, and the way that a condition leaves out has none.
    let is_left_out = |(_, store): &(usize, Value<'a>)| domains.left_out.contains(&store.block());
    if let Some(candidate) = candidates.iter().find(|c| c.writers.iter().any(is_left_out)) {
        return Err(Stop::at(Reason::UnsafeLoad, candidate.load));
    }
    let first_writer = candidates.iter().flat_map(|c| &c.writers).map(|(at, _)| *at).min();
    let assumed = converter.assumptions();
    let b = converter.budget;
    let mut conditions = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.safe {
            conditions.push(None);
            continue;
        }
        let unsafe_load = || Stop::at(Reason::UnsafeLoad, candidate.load);
        let (mut executed, mut first, mut certain) = (Vec::new(), Vec::new(), Vec::new());
        for (block, position) in &candidate.originals {
            let (domain, before) = domains.execution(*block, &assumed).ok_or_else(unsafe_load)?;
            executed.push(domain.project_onto_params(b)?.coalesce(b)?);
            let mut condition = executed[executed.len() - 1].clone();
            if let Some(writer) = first_writer {
                if writer < *position {
                    return Err(unsafe_load());
                }
                condition = first_instance(domain).project_onto_params(b)?.coalesce(b)?;
                first.push(condition.clone());
            }
            // An error in one iteration keeps what comes before it in the text from being executed in later ones.
            let relevant = match converter.nest.region.errors.is_empty() {
                true => before,
                false => &assumed[..],
            };
            for known in relevant {
                condition = condition.intersect_params(known);
            }
            certain.push(condition);
        }
        let union = |sets: Vec<Set>| sets.into_iter().reduce(|all, set| all.union(&set));
        if let (Some(first), Some(executed)) = (union(first), union(executed)) {
            converter.assume(first.union(&executed.complement(b)?).coalesce(b)?)?;
        }
        let condition = union(certain).expect("a hoisted load has an original").compact(b)?;
        let later: Vec<Value<'a>> = candidates[index..].iter().map(|c| c.load).collect();
        let condition = condition.align_params(&converter.params.borrow().params());
        for (param, (_, scev)) in converter.params.borrow().iter().enumerate() {
            if condition.involves_param(param) && mentions(scev, &later, 64) {
                return Err(unsafe_load());
            }
        }
        conditions.push(Some(condition));
    }
    Ok(conditions)
}

/// The instance of a domain in which all counters are 0, if it has that.
fn first_instance(domain: &Set) -> Set {
    let space = domain.space();
    let counters = (0..space.tuple.n()).map(|dim| zero(&Aff::var(space.clone(), dim)));
    counters.fold(domain.clone(), |all, counter| all.intersect(&counter))
}

/// Whether one of the values is in the expression; true for expressions that are too deep to tell.
fn mentions<'a>(scev: Scev<'a>, values: &[Value<'a>], depth: usize) -> bool {
    if depth == 0 {
        return true;
    }
    let any = |parts: Vec<Scev<'a>>| parts.into_iter().any(|part| mentions(part, values, depth - 1));
    match scev.kind() {
        ScevKind::Constant(_) => false,
        ScevKind::Unknown(value) => values.contains(&value),
        ScevKind::Truncate(x) | ScevKind::ZeroExtend(x) | ScevKind::SignExtend(x) => any(vec![x]),
        ScevKind::UDiv(x, y) => any(vec![x, y]),
        ScevKind::Add(parts, _) | ScevKind::Mul(parts, _) | ScevKind::AddRec(_, parts, _) => any(parts),
        ScevKind::UMax(parts)
        | ScevKind::SMax(parts)
        | ScevKind::UMin(parts)
        | ScevKind::SMin(parts)
        | ScevKind::SequentialUMin(parts) => any(parts),
        ScevKind::Address | ScevKind::CouldNotCompute | ScevKind::Other => true,
    }
}
