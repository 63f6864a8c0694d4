//! The model of a region, put together.

use crate::annotate::annotate;
use crate::control::execution_order::ExecutionOrder;
use crate::control::lifetimes::{Marker, marker};
use crate::control::nest::{Item, Nest};
use crate::detect::declined::{Modelled, Reason, Stop, or_declined};
use crate::detect::errors::Errors;
use crate::detect::fragment::Fragment;
use crate::domain::domains::{Domains, domains};
use crate::domain::known_context::known_context;
use crate::memory::access::{Site, Subscripts};
use crate::memory::arrays::{Array, arrays};
use crate::memory::invariant_load_hoisting::{self, HoistedLoadInfo, Restricted};
use crate::scalar::coalescing::coalesce_slots;
use crate::scalar::delicm::map_slots;
use crate::scalar::operand_tree_forwarding::forwardable_values;
use crate::scalar::reductions::{ReductionPlace, one_for_each_array, reductions};
use crate::scalar::scalars::scalars;
use crate::scalar::slots::slot_access;
use crate::scev::convert::Converter;
use crate::scev::names::Names;
use crate::scev::pieces::zero;
use crate::scev::scope::{Scope, space};
use farkas_llvm::Run;
use farkas_llvm::hoisting::HoistedLoads;
use farkas_llvm::memory::Effect;
use farkas_llvm::scop_ir::{ArrayId, IrArray, IrStatement, LiveOutSource, ScalarSlot, ScopIr, ScopLoop, SlotId};
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::budget::{Budget, OutOfBudget};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Access, AccessKind, Kill, Program, Statement};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Params, Set, SetSpace, Tuple};
use indexmap::{IndexMap, IndexSet};

/// Budget for one question about a scalar slot. Without an answer the slot stays.
const SCALAR_BUDGET: u64 = 20_000;

/// Budget for all questions about scalar slots.
const SCALARS_BUDGET: u64 = 10 * SCALAR_BUDGET;

/// The model of a loop nest, with the instructions behind it.
#[derive(Clone, Debug)]
pub(crate) struct Scop<'a> {
    /// The instructions. Statements have the same names and order as in the program, parameters as in its context.
    pub(crate) ir: ScopIr<'a>,
    /// The instances, their order, what they access and compute. What it assumes has to be checked when the region is entered.
    pub(crate) program: Program,
    /// The shapes of the region's arrays, in the same order.
    pub(crate) shapes: Vec<Shape>,
    /// Pairs of arrays that have to be checked not to overlap.
    pub(crate) alias_checks: Vec<(ArrayId, ArrayId)>,
    /// For each of the region's hoisted loads, the parameter values for which it may be executed; `None` for all.
    pub(crate) load_conditions: Vec<Option<Set>>,
}

/// The shape of an array.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The sizes of all dimensions but the outermost, expressions over the parameters. An index of the outermost
    /// dimension stands for their product times the element size in bytes.
    pub(crate) sizes: Vec<Aff>,
    /// A superset of the values that the outermost subscript takes in affine accesses.
    pub(crate) outermost_extent: Set,
}

/// Number of unsafe hoisted loads after which none is hoisted.
const MOST_UNSAFE: usize = 6;

impl<'a> Scop<'a> {
    /// The model of the region that consists of `fragments`, as [`Nest::new`] takes them, and the hoisted loads of it
    /// that it counts on.
    ///
    /// # Errors
    /// If the region is no static control part.
    pub(crate) fn new<'r>(
        run: &'a Run<'r>,
        errors: &Errors<'a>,
        fragments: &[Fragment<'a>],
        budget: &Budget,
    ) -> Modelled<'a, (Scop<'a>, HoistedLoads<'a, 'r>)> {
        let nest = Nest::new(run, errors, fragments)?;
        let mut restricted = Restricted::default();
        for attempt in 0.. {
            let (hoisted, candidates) = invariant_load_hoisting::hoist_loads(run, &nest, &restricted);
            let declined = match or_declined(Scop::with_loads(run, &nest, &candidates, &hoisted, budget))? {
                Ok(scop) => return Ok((scop.annotated(run), hoisted)),
                Err(declined) => declined,
            };
            let is_last = candidates.is_empty() && hoisted.reused().next().is_none();
            if declined.reason != Reason::UnsafeLoad || is_last {
                return Err(declined.into());
            }
            // Without the one that is not safe, or after many attempts without any.
            let unsafe_load = hoisted.list().iter().find(|s| Some(s.load()) == declined.at);
            match unsafe_load.filter(|_| attempt < MOST_UNSAFE) {
                Some(load) => {
                    let originals: Vec<Value<'a>> = load.originals().collect();
                    match originals[..] {
                        [only] => restricted.stay.insert(only),
                        [.., last] => restricted.separate.insert(last),
                        [] => unreachable!("a hoisted load has an original"),
                    };
                }
                None => {
                    let all = hoisted.list().iter().flat_map(|s| s.originals());
                    restricted.stay.extend(all.chain(hoisted.reused()));
                }
            }
        }
        unreachable!("after some attempts no load is hoisted")
    }

    /// The model with what a cost model needs to know.
    fn annotated(mut self, run: &'a Run<'_>) -> Self {
        let inner_sizes: Vec<&[Aff]> = self.shapes.iter().map(|shape| &*shape.sizes).collect();
        annotate(run, &self.ir, &inner_sizes, &mut self.program);
        self
    }

    /// The model with hoisted loads for these loads.
    fn with_loads(
        run: &'a Run<'_>,
        nest: &Nest<'a>,
        candidates: &[HoistedLoadInfo<'a>],
        hoisted: &HoistedLoads<'a, '_>,
        budget: &Budget,
    ) -> Modelled<'a, Scop<'a>> {
        let none = IndexSet::new();
        let mut scop = Scop::with_scalars(run, nest, (candidates, hoisted), &none, budget)?;
        if scop.ir.slots.is_empty() {
            return Ok(scop);
        }
        let order = ExecutionOrder {
            ir: &scop.ir,
            program: &scop.program,
        };
        let forwarded = budget.trial(SCALARS_BUDGET, |b| forwardable_values(order, SCALAR_BUDGET, b))?;
        let forwarded = forwarded.unwrap_or_default();
        if !forwarded.is_empty() {
            match or_declined(Scop::with_scalars(run, nest, (candidates, hoisted), &forwarded, budget))? {
                Ok(without) => scop = without,
                Err(declined) => log::debug!("{forwarded:?} are carried: {declined:?}"),
            }
        }
        let (scop_ir, program) = (&mut scop.ir, &mut scop.program);
        if let Err(OutOfBudget) = budget.trial(SCALARS_BUDGET, |b| {
            coalesce_slots(scop_ir, program, 2 * SCALAR_BUDGET, b)
        })? {
            log::debug!("some pairs of slots were not looked at");
        }
        if scop_ir.statements.is_empty() {
            return Err(Reason::Empty.into());
        }
        if let Err(OutOfBudget) = budget.trial(SCALARS_BUDGET, |b| map_slots(scop_ir, program, SCALAR_BUDGET, b))? {
            log::debug!("some slots were not looked at");
        }
        Ok(scop)
    }

    /// The model in which these values are `forwarded`.
    fn with_scalars(
        run: &'a Run<'_>,
        nest: &Nest<'a>,
        (candidates, hoisted): (&[HoistedLoadInfo<'a>], &HoistedLoads<'a, '_>),
        forwarded: &IndexSet<Value<'a>>,
        budget: &Budget,
    ) -> Modelled<'a, Scop<'a>> {
        let converter = Converter::new(run, nest, budget);
        let domains = domains(&converter)?;
        let load_conditions = invariant_load_hoisting::conditions(&converter, &domains, candidates)?;
        let scalars = {
            let names = &mut converter.names.borrow_mut();
            scalars(run, nest, &domains.subregions, forwarded, names)?
        };
        let executed = scalars.statements.iter().zip(&scalars.before);
        let scopes: Vec<Scope> = executed
            .map(|(statement, before)| domains.scope(statement.start(), *before))
            .collect();
        let accesses = scalars.statements.iter().enumerate().flat_map(|(index, statement)| {
            let scope = &scopes[index];
            statement.instructions.iter().map(move |i| (index, scope.clone(), *i))
        });
        let arrays = arrays(&converter, accesses)?;
        let mut alias_checks = alias_checks(run, nest, &arrays)?;
        let targets = targets(&converter, candidates, &arrays, &mut alias_checks)?;
        let counters = counter_names(nest, &scalars.inductions, &converter);
        let scop_ir = ScopIr {
            region: nest.region.clone(),
            loops: nest
                .loops
                .iter()
                .zip(scalars.inductions)
                .zip(&counters)
                .map(|((l, inductions), name)| ScopLoop {
                    handle: l.handle,
                    parent: l.parent,
                    name: name.clone(),
                    inductions,
                })
                .collect(),
            statements: scalars.statements,
            parameters: Vec::new(),
            arrays: arrays.iter().map(|array| array.ir.clone()).chain(targets).collect(),
            slots: scalars.slots,
            live_outs: scalars.live_outs,
            locals: nest.locals.clone(),
            loads: hoisted.list().iter().map(|s| s.copies().to_vec()).collect(),
        };
        let model = Assembly {
            nest,
            ir: &scop_ir,
            arrays: &arrays,
            counters: &counters,
            budget,
        };
        let schedules = model.schedules();
        let context = converter.context().intersect_params(&known_context(&converter)?);
        let params = context.params().clone();
        let mut statements = Vec::new();
        for (index, statement) in scop_ir.statements.iter().enumerate() {
            let tuple = model.tuple(statement);
            let scope = &scopes[index];
            let mut domain = scope
                .domain
                .gist_params(&context, budget)?
                .align_params(&params)
                .with_tuple(tuple);
            if domain.is_empty(budget)? {
                log::debug!("{} is never executed", statement.name);
                domain = Set::empty(domain.space().clone());
            }
            let accesses = model.accesses(index, statement, &domain)?;
            statements.push(Statement::new(domain, schedules[index].clone(), accesses));
        }
        let mut shapes = arrays
            .iter()
            .map(|array| model.shape(array, &params))
            .collect::<Modelled<'a, Vec<_>>>()?;
        let only = Shape {
            sizes: Vec::new(),
            outermost_extent: zero(&Aff::var(space(1), 0)).align_params(&params),
        };
        shapes.resize(scop_ir.arrays.len(), only);
        let assumptions = converter
            .assumed()
            .align_params(&params)
            .gist_params(&context, budget)?
            .coalesce(budget)?
            .remove_redundancies(budget)?;
        let mut kills = model.kills(&domains, &params, &mut converter.names.borrow_mut());
        kills.extend(model.ends_of_slots(&params));
        let program = Program {
            assumptions,
            kills,
            ..Program::of_statements(context, statements)
        };
        let parameters = converter.params.into_inner().into_parameters();
        Ok(Scop {
            ir: ScopIr { parameters, ..scop_ir },
            program,
            shapes,
            alias_checks,
            load_conditions: load_conditions
                .into_iter()
                .map(|condition| condition.map(|set| set.align_params(&params)))
                .collect(),
        })
    }
}

/// Names for the loops' counters, after the inductions where they have names.
fn counter_names<'a>(
    nest: &Nest<'a>,
    inductions: &[Vec<farkas_llvm::scop_ir::Induction<'a>>],
    converter: &Converter<'_, 'a, '_>,
) -> Vec<String> {
    let mut names = converter.names.borrow_mut();
    let hint = |index: usize| {
        inductions[index]
            .iter()
            .map(|i| i.phi.name())
            .find(|name| !name.is_empty())
    };
    (0..nest.loops.len())
        .map(|index| names.fresh(&hint(index).unwrap_or_default(), "c"))
        .collect()
}

/// The pairs of arrays that may overlap as far as LLVM knows, where one of the two is written.
///
/// # Errors
/// If that could not be checked.
fn alias_checks<'a>(run: &'a Run<'_>, nest: &Nest<'a>, arrays: &[Array<'a>]) -> Modelled<'a, Vec<(ArrayId, ArrayId)>> {
    let declares_scope = |block: &Block<'a>| block.instructions().into_iter().any(|i| i.facts().declares_scope());
    let use_scopes = !nest.blocks.keys().any(declares_scope);
    let mut checks = Vec::new();
    for (one, first) in arrays.iter().enumerate() {
        for (other, second) in arrays.iter().enumerate().skip(one + 1) {
            let mut apart = true;
            for (a, subscripts) in &first.accesses {
                for (b, other_subscripts) in &second.accesses {
                    let (x, y) = ((a.instruction, first.ir.base), (b.instruction, second.ir.base));
                    // What a call may read of anything is in the model for each array by itself.
                    let ordered = (a.writes() || b.writes()) && !a.of_reader && !b.of_reader;
                    if !ordered || run.never_alias(x, y, use_scopes) {
                        continue;
                    }
                    apart = false;
                    let overlap = |wide: &Array<'a>, narrow: &Array<'a>| {
                        Reason::UnboundedAccess(wide.ir.name.clone(), narrow.ir.name.clone())
                    };
                    if let Subscripts::Any = subscripts {
                        return Err(Stop::at(overlap(first, second), a.instruction));
                    }
                    if let Subscripts::Any = other_subscripts {
                        return Err(Stop::at(overlap(second, first), b.instruction));
                    }
                }
            }
            if !apart {
                checks.push((ArrayId(one), ArrayId(other)));
            }
        }
    }
    Ok(checks)
}

/// The targets of hoisted loads as arrays behind those of the region, where the guard has to check that no store of
/// the region writes them. Adds these checks.
fn targets<'a>(
    converter: &Converter<'_, 'a, '_>,
    candidates: &[HoistedLoadInfo<'a>],
    arrays: &[Array<'a>],
    checks: &mut Vec<(ArrayId, ArrayId)>,
) -> Modelled<'a, Vec<IrArray<'a>>> {
    let mut targets = Vec::new();
    for candidate in candidates.iter().filter(|c| !c.writers.is_empty()) {
        let id = ArrayId(arrays.len() + targets.len());
        let Kind::Load { pointer } = candidate.load.kind() else {
            unreachable!("{} is a load", candidate.load)
        };
        let element = converter.run.element(candidate.load.ty());
        let target = IrArray {
            name: converter.names.borrow_mut().fresh("", "L"),
            base: pointer,
            element_size: element
                .ok_or_else(|| Stop::at(Reason::UnsafeLoad, candidate.load))?
                .size,
            accesses: Vec::new(),
        };
        for (index, array) in arrays.iter().enumerate() {
            let written = |site: &Site<'a>| candidate.writers.iter().any(|(_, w)| *w == site.instruction);
            let mut writers = array.accesses.iter().filter(|(site, _)| written(site)).peekable();
            if writers.peek().is_some() {
                checks.push((ArrayId(index), id));
            }
            if let Some((site, _)) = writers.find(|(_, subscripts)| matches!(subscripts, Subscripts::Any)) {
                let reason = Reason::UnboundedAccess(array.ir.name.clone(), target.name.clone());
                return Err(Stop::at(reason, site.instruction));
            }
        }
        targets.push(target);
    }
    Ok(targets)
}

/// The inputs of the assembly of a model.
struct Assembly<'m, 'a> {
    nest: &'m Nest<'a>,
    ir: &'m ScopIr<'a>,
    arrays: &'m [Array<'a>],
    counters: &'m [String],
    budget: &'m Budget,
}

impl<'a> Assembly<'_, 'a> {
    fn tuple(&self, statement: &IrStatement<'a>) -> Tuple {
        Tuple::named(&statement.name, statement.loops.iter().map(|id| &*self.counters[id.0]))
    }

    /// Kills of the slots that nothing after the region reads, after all statements.
    fn ends_of_slots(&self, params: &Params) -> Vec<Kill> {
        let depth = self.ir.statements.iter().map(|s| s.loops.len()).max().unwrap_or(0);
        let behind: i64 = self.nest.body.iter().map(|item| self.positions(item)).sum();
        let leaves = |slot: usize| {
            let sources = self.ir.live_outs.iter().map(|live_out| &live_out.source);
            sources
                .into_iter()
                .any(|source| matches!(source, LiveOutSource::ScalarSlot(id) if id.0 == slot))
        };
        let kill = |slot: &ScalarSlot<'a>| {
            let end = SetSpace::new(Params::none(), Tuple::new(format!("{}.end", slot.name), 0));
            let mut time = vec![Aff::constant(end.clone(), Int::ZERO); 2 * depth + 1];
            time[0] = Aff::constant(end.clone(), Int::from(behind));
            let element = SetSpace::new(params.clone(), Tuple::new(&slot.name, 0));
            Kill {
                relation: Map::from_domain_and_range(&Set::universe(end.clone()), &Set::universe(element)),
                schedule: MultiAff::new(end, Tuple::anonymous(time.len()), time),
            }
        };
        let slots = self.ir.slots.iter().enumerate();
        slots
            .filter(|(index, _)| !leaves(*index))
            .map(|(_, slot)| kill(slot))
            .collect()
    }

    /// For each statement, its place in the original order: positions in the text and counters by turns, padded with
    /// zeros.
    fn schedules(&self) -> Vec<MultiAff> {
        let mut places = self.places();
        let schedule = |statement: &IrStatement<'a>| {
            let place = &mut places[&statement.start()];
            // What is done when a lifetime begins is done before.
            let first = i64::from(self.has_marker(statement.start()));
            let schedule = self.schedule(self.tuple(statement), place, first);
            // The next statement of the block comes directly after this one.
            *place.last_mut().expect("a place in the body") += 1;
            schedule
        };
        self.ir.statements.iter().map(schedule).collect()
    }

    /// The order of what is in as many loops as the tuple has dimensions, so much after the place.
    fn schedule(&self, tuple: Tuple, place: &[i64], after: i64) -> MultiAff {
        let loops = tuple.n();
        let depth = self.ir.statements.iter().map(|s| s.loops.len()).max().unwrap_or(0);
        let domain = SetSpace::new(Params::none(), tuple);
        let mut affs = Vec::new();
        for (dim, position) in place.iter().enumerate() {
            let position = position + if dim == loops { after } else { 0 };
            affs.push(Aff::constant(domain.clone(), Int::from(position)));
            if dim < loops {
                affs.push(Aff::var(domain.clone(), dim));
            }
        }
        affs.resize(2 * depth + 1, Aff::constant(domain.clone(), Int::ZERO));
        MultiAff::new(domain, Tuple::anonymous(affs.len()), affs)
    }

    fn has_marker(&self, block: Block<'a>) -> bool {
        self.nest.instructions(block).iter().any(|i| marker(*i).is_some())
    }

    fn statements_of(&self, block: Block<'a>) -> impl Iterator<Item = &IrStatement<'a>> {
        self.ir.statements.iter().filter(move |s| s.start() == block)
    }

    /// The first places of the blocks.
    fn places(&self) -> IndexMap<Block<'a>, Vec<i64>> {
        let mut places = IndexMap::new();
        self.places_in(&self.nest.body, &[], &mut places);
        places
    }

    /// The places of the blocks of a body.
    fn places_in(&self, body: &[Item<'a>], prefix: &[i64], places: &mut IndexMap<Block<'a>, Vec<i64>>) {
        let mut position = 0;
        for item in body {
            let here: Vec<i64> = prefix.iter().copied().chain([position]).collect();
            match item {
                Item::Block(block) => {
                    places.insert(*block, here);
                }
                Item::Loop(child) => self.places_in(&self.nest.at(*child).body, &here, places),
            }
            position += self.positions(item);
        }
    }

    /// How many positions in a body an item takes: one for each statement of a block, and one each for what is done
    /// before and after these where it has markers.
    fn positions(&self, item: &Item<'a>) -> i64 {
        match item {
            Item::Block(block) => {
                let own = self.statements_of(*block).count() as i64;
                (own + if self.has_marker(*block) { 2 } else { 0 }).max(1)
            }
            Item::Loop(_) => 1,
        }
    }

    /// Kills of the variables that are declared inside, at their lifetime markers.
    fn kills(&self, domains: &Domains<'a>, params: &Params, names: &mut Names) -> Vec<Kill> {
        let places = self.places();
        let mut kills = Vec::new();
        for local in &self.ir.locals {
            let Some(array) = self.arrays.iter().find(|array| array.ir.base == local.variable) else {
                continue;
            };
            let elements = SetSpace::new(Params::none(), Tuple::new(&array.ir.name, 1 + array.sizes.len()));
            for (block, instructions) in &self.nest.region.blocks {
                let own = |i: &&Value<'a>| i.operands().first() == Some(&local.variable);
                for i in instructions.iter().filter(own) {
                    let (Some(kind), Some(domain)) = (marker(*i), domains.certain(*block)) else {
                        continue;
                    };
                    let accesses = |i: &Value<'a>| array.ir.accesses.contains(i);
                    let mut fragments = instructions.split(|other| other == i);
                    let (before, behind) = (
                        fragments.next().unwrap_or_default(),
                        fragments.next().unwrap_or_default(),
                    );
                    let after = match kind {
                        Marker::Start if before.iter().any(accesses) => continue,
                        Marker::End if behind.iter().any(accesses) => continue,
                        Marker::Start => 0,
                        Marker::End => 1 + self.statements_of(*block).count() as i64,
                    };
                    let counters = self.nest.blocks[block].iter().map(|id| &*self.counters[id.0]);
                    let tuple = Tuple::named(names.fresh(&format!("K{}", kills.len()), "K"), counters);
                    let domain = domain.align_params(params).with_tuple(tuple.clone());
                    kills.push(Kill {
                        relation: Map::from_domain_and_range(&domain, &Set::universe(elements.clone())),
                        schedule: self.schedule(tuple, &places[block], after),
                    });
                }
            }
        }
        kills
    }

    /// The accesses of a statement: slots read, arrays by loads and stores, arrays by calls, slots written.
    fn accesses(&self, index: usize, statement: &IrStatement<'a>, domain: &Set) -> Modelled<'a, Vec<Access>> {
        let reductions = reductions(statement);
        let slot = |kind, slot: SlotId| Access {
            reduction: reductions.iter().any(|r| r.place == ReductionPlace::ScalarSlot(slot)),
            ..slot_access(kind, &self.ir.slots[slot.0], domain)
        };
        let mut accesses: Vec<Access> = Vec::new();
        let mut read = Vec::new();
        for (id, _) in &statement.reads {
            if !read.contains(id) {
                read.push(*id);
                accesses.push(slot(AccessKind::Read, *id));
            }
        }
        // Those of loads and stores are first: one for each.
        let all = statement.instructions.iter().copied();
        let (single, calls): (Vec<Value<'a>>, Vec<Value<'a>>) = all.partition(|i| i.is_load_or_store());
        for instruction in single.into_iter().chain(calls) {
            let here = |site: &Site<'a>| site.statement == index && site.instruction == instruction;
            for array in self.arrays {
                for (site, subscripts) in array.accesses.iter().filter(|(site, _)| here(site)) {
                    let access = self.array_access(statement, array, (site, subscripts), domain)?;
                    accesses.push(Access {
                        reduction: reductions.iter().any(|r| r.accesses(instruction)),
                        ..access
                    });
                }
            }
        }
        accesses.extend(statement.writes.iter().map(|w| slot(AccessKind::MustWrite, w.slot)));
        one_for_each_array(&mut accesses);
        Ok(accesses)
    }

    fn array_access(
        &self,
        statement: &IrStatement<'a>,
        array: &Array<'a>,
        (site, subscripts): (&Site<'a>, &Subscripts),
        domain: &Set,
    ) -> Modelled<'a, Access> {
        let surely = site.instruction.block() == statement.start();
        let kind = match (site.effect(), subscripts) {
            (Effect::Read, _) => AccessKind::Read,
            (Effect::Write, Subscripts::Affine(_)) if surely => AccessKind::MustWrite,
            (Effect::Write | Effect::MayWrite, _) => AccessKind::MayWrite,
        };
        let Subscripts::Affine(pieces) = subscripts else {
            let elements = SetSpace::new(Params::none(), Tuple::new(&array.ir.name, 1 + array.sizes.len()));
            let relation = Map::from_domain_and_range(domain, &Set::universe(elements));
            return Ok(Access {
                kind,
                relation,
                reduction: false,
            });
        };
        let depth = site.scope.loops.len();
        let inside = site.scope.space().tuple.n();
        let mut relation: Option<Map> = None;
        for (piece, affs) in pieces {
            let range = Tuple::new(&array.ir.name, affs.len());
            let params = affs
                .iter()
                .fold(domain.params().clone(), |all, aff| all.union(&aff.space().params));
            let affs = affs.iter().map(|aff| aff.align_params(&params)).collect();
            let from = SetSpace::new(params, Tuple::anonymous(inside));
            let map = MultiAff::new(from, range, affs).to_map();
            let map = match site.scope.elements {
                true => map
                    .intersect_domain(&piece.intersect(&site.scope.domain))
                    .project_out_domain(depth, 1, self.budget)?,
                false => map.intersect_domain(piece),
            };
            let map = map.with_domain_tuple(domain.tuple().clone()).intersect_domain(domain);
            relation = Some(relation.map_or(map.clone(), |all| all.union(&map)));
        }
        let relation = relation
            .ok_or(Reason::Empty)?
            .coalesce(self.budget)?
            .remove_redundancies(self.budget)?;
        Ok(Access {
            kind,
            relation,
            reduction: false,
        })
    }

    fn shape(&self, array: &Array<'a>, params: &Params) -> Modelled<'a, Shape> {
        let mut outermost_extent = Set::empty(space(1)).align_params(params);
        for (site, subscripts) in &array.accesses {
            let depth = site.scope.space().tuple.n();
            let Subscripts::Affine(pieces) = subscripts else {
                continue;
            };
            for (piece, affs) in pieces {
                let first = affs[0].align_params(&affs[0].space().params.union(params));
                let from = SetSpace::new(first.space().params.clone(), Tuple::anonymous(depth));
                let map = MultiAff::new(from, Tuple::anonymous(1), vec![first]).to_map();
                let relation = map
                    .intersect_domain(&piece.intersect(&site.scope.domain))
                    .align_params(params);
                // Bounds are all that is asked for: an exact projection would tell indices apart at great
                // cost.
                for piece in relation.explicit(self.budget)?.pieces() {
                    let range = piece.eliminate_rational(params.len(), depth, self.budget)?;
                    outermost_extent = outermost_extent.union(&Set::from_conj(outermost_extent.space().clone(), range));
                }
            }
        }
        let sizes = array
            .sizes
            .iter()
            .map(|size| size.align_params(&size.space().params.union(params)))
            .collect();
        Ok(Shape {
            sizes,
            outermost_extent: outermost_extent.compact(self.budget)?,
        })
    }
}
