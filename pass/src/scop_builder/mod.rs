//! Builds the model of a region. The passes run in this order:
//!
//! 1. *Nest*: the control structure.
//! 2. *Hoisting*: invariant loads are hoisted, and the domains computed. Where a hoisted load turns out not to be safe, both
//!    are done again without it.
//! 3. *Statements*: values become statements and scalar slots, addresses become arrays and subscripts. They are a
//!    [draft](ScopDraft) of the model. What assumed conditions on data read is found not to be changed before.
//! 4. *Operand-tree forwarding*: where statements can repeat loads, step 3 is done again on the same domains.
//! 5. *Overwritten stores* are removed.
//! 6. *If-conversion of accesses*: what is stored under a condition on data, to an element that the region writes anyway, is stored in
//!    any case.
//! 7. *Scalar coalescing*, then *DeLICM*: slots of the draft are merged, and mapped to array elements. Then *redundant writes* are
//!    removed.
//! 8. *Border splitting*: where subscripts are clamped, the interior becomes a statement of its own.
//! 9. *Assembly*: the draft becomes a program and the instructions behind it.
//! 10. *Annotation*: what a cost model needs to know.

mod accesses;
mod aliases;
mod assembly;
mod borders;
mod inspected_conditions;
mod live_ranges;
mod loaded_offsets;
mod schedule;
mod unconditional_accesses;
mod windows;

use crate::annotate::{KnownOfArrays, annotate};
use crate::control::nest::Nest;
use crate::detect::declined::{Modelled, Reason, or_declined};
use crate::detect::errors::Errors;
use crate::detect::fragment::Fragment;
use crate::domain::assumed_conditions::ConditionsOnData;
use crate::domain::domains::{Domains, domains};
use crate::domain::known_context::known_context;
use crate::memory::arrays::{Array, arrays, keep_apart};
use crate::memory::indirect_accesses::BoundsFinder;
use crate::memory::invariant_load_hoisting::{self, HoistedLoadInfo, Restricted};
use crate::memory::rows::{Rows, RowsAt};
use crate::memory::widening::widened_indices;
use crate::scalar::coalescing::coalesce_slots;
use crate::scalar::delicm::{Mappable, map_slots};
use crate::scalar::draft::{DraftStatement, ScopDraft};
use crate::scalar::operand_tree_forwarding::forwardable_values;
use crate::scalar::overwritten_stores::remove_overwritten_stores;
use crate::scalar::redundant_writes::remove_redundant_writes;
use crate::scalar::scalars::{Scalars, scalars};
use crate::scev::convert::Converter;
use crate::scev::scope::Scope;
use crate::scop::{Scop, Shape};
use accesses::ArrayAccesses;
use aliases::{check_types_of, may_have_more_accesses, overlaps, targets};
use assembly::Unassembled;
use borders::BorderSplitting;
use farkas_llvm::Run;
use farkas_llvm::hoisting::HoistedLoads;
use farkas_llvm::scop_ir::{ArrayId, Induction, IrStatement, ScopLoop};
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::budget::{Budget, OutOfBudget};
use farkas_polyhedral::sets::{Aff, MultiAff, Set};
use indexmap::{IndexMap, IndexSet};
use inspected_conditions::inspected_conditions;
use loaded_offsets::assume_offsets;
use schedule::OriginalOrder;
use unconditional_accesses::access_unconditionally;

/// Budget for one question about a scalar slot. Without an answer the slot stays.
const SCALAR_BUDGET: u64 = 20_000;

/// Budget for all questions about scalar slots.
const SCALARS_BUDGET: u64 = 10 * SCALAR_BUDGET;

/// Number of unsafe hoisted loads after which none is hoisted.
const MOST_UNSAFE: usize = 6;

/// The model of the region that consists of `fragments`, as [`Nest::new`] takes them, and the hoisted loads that it
/// relies on.
///
/// # Errors
/// If the region is no static control part.
pub(crate) fn build_scop<'a, 'r>(
    run: &'a Run<'r>,
    errors: &Errors<'a>,
    fragments: &[Fragment<'a>],
    conditions: ConditionsOnData,
    budget: &Budget,
) -> Modelled<'a, (Scop<'a>, HoistedLoads<'a, 'r>)> {
    let nest = Nest::new(run, errors, fragments)?;
    let mut restricted = Restricted::default();
    for attempt in 0.. {
        let (hoisted, infos) = invariant_load_hoisting::hoist_loads(run, &nest, &restricted);
        let declined = match or_declined(ScopBuilder::new((run, &nest), (infos, &hoisted), conditions, budget))? {
            Ok(builder) => return Ok((builder.build()?, hoisted)),
            Err(declined) => declined,
        };
        let is_last = hoisted.list().is_empty() && hoisted.reused().next().is_none();
        if declined.reason != Reason::UnsafeLoad || is_last {
            return Err(declined.into());
        }
        // Without the one that is not safe, or after many attempts without any.
        let unsafe_load = hoisted.list().iter().find(|s| Some(s.load()) == declined.at);
        match unsafe_load.filter(|_| attempt < MOST_UNSAFE) {
            Some(load) => restricted.add(load),
            None => restricted.add_all(&hoisted),
        }
    }
    unreachable!("after some attempts no load is hoisted")
}

/// A model whose hoisted loads and domains are known.
struct ScopBuilder<'b, 'a, 'r> {
    run: &'a Run<'r>,
    nest: &'b Nest<'a>,
    converter: Converter<'b, 'a, 'r>,
    /// The hoisted loads, and the copies that are put in front for each.
    hoisted: Vec<HoistedLoadInfo<'a>>,
    copies: Vec<Vec<Value<'a>>>,
    /// For each hoisted load, the parameter values for which it may be executed; `None` for all.
    load_conditions: Vec<Option<Set>>,
    domains: Domains<'a>,
    budget: &'b Budget,
}

impl<'b, 'a, 'r> ScopBuilder<'b, 'a, 'r> {
    /// Computes the domains, and under which conditions the hoisted loads are executed.
    fn new(
        (run, nest): (&'a Run<'r>, &'b Nest<'a>),
        (infos, hoisted): (Vec<HoistedLoadInfo<'a>>, &HoistedLoads<'a, '_>),
        conditions: ConditionsOnData,
        budget: &'b Budget,
    ) -> Modelled<'a, Self> {
        let converter = Converter::new(run, nest, budget);
        let domains = domains(&converter, conditions)?;
        let load_conditions = invariant_load_hoisting::conditions(&converter, &domains, &infos)?;
        Ok(ScopBuilder {
            run,
            nest,
            converter,
            hoisted: infos,
            copies: hoisted.list().iter().map(|load| load.copies().to_vec()).collect(),
            load_conditions,
            domains,
            budget,
        })
    }

    /// Runs the passes after hoisting.
    fn build(&self) -> Modelled<'a, Scop<'a>> {
        let mut parts = self.with_forwarding()?;
        let removed = self
            .budget
            .trial(SCALAR_BUDGET, |b| remove_overwritten_stores(&mut parts.draft, b))?;
        if let Err(OutOfBudget) = removed {
            log::debug!("some stores were not looked at");
        }
        access_unconditionally(self.run, &mut parts.draft, SCALAR_BUDGET, self.budget)?;
        if !parts.draft.slots.is_empty() {
            self.reduce_slots(&mut parts)?;
        }
        let borders = BorderSplitting {
            converter: &self.converter,
            arrays: &parts.arrays,
        };
        let n_statements = parts.draft.statements.len();
        borders.split(&mut parts.draft, SCALAR_BUDGET)?;
        // Interiors access elements that others access in any case, whatever the border does.
        if parts.draft.statements.len() > n_statements {
            access_unconditionally(self.run, &mut parts.draft, SCALAR_BUDGET, self.budget)?;
        }
        let mut scop = parts.assemble(self.budget)?;
        let inner_sizes: Vec<&[Aff]> = scop.shapes.iter().map(|shape| &*shape.sizes).collect();
        let inspected = scop.inspected_arrays();
        let table_dims: Vec<usize> = scop.shapes.iter().map(Shape::table_dims).collect();
        let known = KnownOfArrays {
            inner_sizes: &inner_sizes,
            table_dims: &table_dims,
            inspected: &inspected,
        };
        annotate(self.run, &scop.ir, known, &mut scop.program);
        self.count_reloads(&mut scop);
        Ok(scop)
    }

    /// Counts the hoisted loads that LLVM leaves in the innermost loop of each statement, as a store in it may change what they load.
    fn count_reloads(&self, scop: &mut Scop<'a>) {
        for (own, statement) in scop.ir.statements.iter().zip(&mut scop.program.statements) {
            let Some(innermost) = own.loops.last() else { continue };
            let innermost = scop.ir.loops[innermost.0].handle;
            let repeated = self.hoisted.iter().filter(|load| load.stays_in(innermost));
            statement.reloads = repeated.count() as u32;
        }
    }

    /// The parts of the model, in which statements repeat loads where they can.
    fn with_forwarding(&self) -> Modelled<'a, Unassembled<'a>> {
        let checkpoint = self.converter.checkpoint();
        let carried = self.parts(&IndexSet::new())?;
        if carried.draft.slots.is_empty() {
            return Ok(carried);
        }
        let forwarded = self
            .budget
            .trial(SCALARS_BUDGET, |b| forwardable_values(&carried.draft, SCALAR_BUDGET, b))?;
        let forwarded = forwarded.unwrap_or_default();
        if forwarded.is_empty() {
            return Ok(carried);
        }
        self.converter.roll_back_to(checkpoint.clone());
        let why_not = match or_declined(self.parts(&forwarded))? {
            // What was found out in one model holds in the other one if that assumes no less: it may have other shapes of arrays.
            Ok(repeated) if repeated.assumes_all_of(&carried, self.budget)? => return Ok(repeated),
            Ok(_) => "other assumptions".to_owned(),
            Err(declined) => format!("{declined:?}"),
        };
        log::debug!("{forwarded:?} are carried: {why_not}");
        self.converter.roll_back_to(checkpoint);
        self.parts(&IndexSet::new())
    }

    /// Merges slots, maps them to array elements, and removes what then changes nothing.
    fn reduce_slots(&self, parts: &mut Unassembled<'a>) -> Modelled<'a, ()> {
        let draft = &mut parts.draft;
        let coalesced = self
            .budget
            .trial(SCALARS_BUDGET, |b| coalesce_slots(draft, 2 * SCALAR_BUDGET, b))?;
        if let Err(OutOfBudget) = coalesced {
            log::debug!("some pairs of slots were not looked at");
        }
        if draft.statements.is_empty() {
            return Err(Reason::Empty.into());
        }
        let arrays = &parts.arrays;
        let may_map = |name: &str| {
            let array = arrays.iter().position(|array| array.ir.name == name);
            // The address of an element of buffers that take turns is not computed from counters and values outside of the region.
            let takes_turns = |rows: &Rows<'_>| matches!(rows.at, RowsAt::Buffers);
            let is_computable = |array: usize| !arrays[array].rows.as_ref().is_some_and(takes_turns);
            array.is_some_and(|array| {
                is_computable(array) && may_have_more_accesses(ArrayId(array), &parts.apart_by_type)
            })
        };
        let is_row_address = |value: Value<'a>| {
            let mut rows = arrays.iter().filter_map(|array| array.rows.as_ref());
            rows.any(|rows| matches!(&rows.at, RowsAt::Table { loads, .. } if loads.contains(&value)))
        };
        let mappable = Mappable {
            array: &may_map,
            is_row_address: &is_row_address,
        };
        let mapped = self
            .budget
            .trial(SCALARS_BUDGET, |b| map_slots(draft, &mappable, SCALAR_BUDGET, b))?;
        if let Err(OutOfBudget) = mapped {
            log::debug!("some slots were not looked at");
        }
        for access in draft.slots.iter().filter_map(|slot| slot.mapped_to) {
            let is_to = |array: &Array<'a>| array.accesses.iter().any(|(site, _)| site.instruction == access);
            let array = parts.arrays.iter().position(is_to).expect("the array of an access");
            check_types_of(ArrayId(array), &parts.apart_by_type, &mut parts.alias_checks);
        }
        let removed = self
            .budget
            .trial(SCALAR_BUDGET, |b| remove_redundant_writes(draft, b))?;
        if let Err(OutOfBudget) = removed {
            log::debug!("some writes were not looked at");
        }
        match draft.statements.is_empty() {
            true => Err(Reason::Empty.into()),
            false => Ok(()),
        }
    }

    /// The parts of the model in which these values are `forwarded`.
    fn parts(&self, forwarded: &IndexSet<Value<'a>>) -> Modelled<'a, Unassembled<'a>> {
        let converter = &self.converter;
        let scalars = {
            let names = &mut converter.names.borrow_mut();
            scalars(self.run, self.nest, &self.domains, forwarded, names)?
        };
        let mut scopes = self.scopes(&scalars);
        scopes.extend(self.domains.conditions.iter().map(|assumed| assumed.scope.clone()));
        // Conditions come behind all statements, whose indices are those of the draft.
        let mut statements = scalars.statements;
        statements.extend(scalars.conditions);
        let accesses = statements.iter().enumerate().flat_map(|(index, statement)| {
            let scope = &scopes[index];
            statement.instructions.iter().map(move |i| (index, scope.clone(), *i))
        });
        let mut arrays = arrays(converter, accesses)?;
        assume_offsets(converter, &arrays)?;
        let widened = widened_indices(converter, statements.iter().zip(&scopes))?;
        let mut bounds = BoundsFinder::new(converter, &statements, &arrays);
        let repeats_load = |array: &Array<'a>| {
            array
                .accesses
                .iter()
                .any(|(site, _)| forwarded.contains(&site.instruction))
        };
        let overlaps = overlaps(self.run, self.nest, &arrays, repeats_load, &mut bounds)?;
        let mut alias_checks = overlaps.checks;
        let indirect = bounds.into_accesses();
        let targets = targets(converter, &self.hoisted, &arrays, (&mut alias_checks, &indirect))?;
        keep_apart(converter, &mut arrays)?;
        let counters = self.counter_names(&scalars.inductions);
        let context = converter.context().intersect_params(&known_context(converter)?);
        let params = context.params().clone();
        let order = OriginalOrder {
            nest: self.nest,
            statements: &statements,
            counters: &counters,
        };
        let kills = order.kills(&arrays, &self.domains, &params, &mut converter.names.borrow_mut());
        let (schedules, end) = (order.schedules(), order.end());
        let loops = self.nest.loops.iter().zip(scalars.inductions).zip(counters);
        let mut draft = ScopDraft {
            region: self.nest.region.clone(),
            loops: loops
                .map(|((l, inductions), name)| ScopLoop {
                    handle: l.handle,
                    parent: l.parent,
                    name,
                    inductions,
                    rotations: l.rotations.clone(),
                })
                .collect(),
            statements: self.statements(statements, &arrays, &context, &scopes, schedules)?,
            slots: scalars.slots,
            live_outs: scalars.live_outs,
            context,
        };
        let conditions = inspected_conditions(
            &self.domains.conditions,
            &mut draft,
            (self.nest, &arrays),
            (SCALAR_BUDGET, self.budget),
        )?;
        Ok(Unassembled {
            draft,
            conditions,
            arrays,
            targets,
            alias_checks,
            apart_by_type: overlaps.apart_by_type,
            indirect,
            parameters: converter.params.borrow().parameters().to_vec(),
            assumed: converter.assumed(),
            kills,
            end,
            locals: self.nest.locals.clone(),
            widened,
            loads: self.copies.clone(),
            load_conditions: self.load_conditions.clone(),
        })
    }

    /// The scope that each statement is executed in.
    fn scopes(&self, scalars: &Scalars<'a>) -> Vec<Scope> {
        let executed = scalars.statements.iter().zip(&scalars.before);
        executed
            .map(|(statement, before)| {
                let own = self.domains.scope(statement.start(), *before);
                match before {
                    Some(to) if own.domain.pieces().len() > 1 && self.is_join(statement, *to) => {
                        self.domains.scope(statement.start(), None)
                    }
                    _ => own,
                }
            })
            .collect()
    }

    /// Whether a block comes behind the statement in the same iteration. Values for its phis may be written whichever way control goes
    /// from the statement: nobody reads them before the block, and on each other way there they are written again. For
    /// `if (y > 0 && y < h) s += ..`, the cases in which `s` stays as it is are several; all iterations are one.
    fn is_join(&self, statement: &IrStatement<'a>, to: Block<'a>) -> bool {
        let is_header = self.nest.loops.iter().any(|l| l.header == to);
        !is_header && self.nest.blocks.get(&to) == Some(&statement.loops)
    }

    /// The statements of a draft, with the scopes that they are executed in and their schedules.
    fn statements(
        &self,
        statements: Vec<IrStatement<'a>>,
        arrays: &[Array<'a>],
        context: &Set,
        scopes: &[Scope],
        schedules: Vec<MultiAff>,
    ) -> Modelled<'a, Vec<DraftStatement<'a>>> {
        let accesses = ArrayAccesses {
            arrays,
            budget: self.budget,
        };
        let mut drafts = Vec::new();
        for ((index, ir), schedule) in statements.into_iter().enumerate().zip(schedules) {
            let mut domain = scopes[index]
                .domain
                .gist_params(context, self.budget)?
                .align_params(context.params())
                .with_tuple(schedule.space().domain.clone());
            if domain.is_empty(self.budget)? {
                log::debug!("{} is never executed", ir.name);
                domain = Set::empty(domain.space().clone());
            }
            drafts.push(DraftStatement {
                array_accesses: accesses.of_statement(index, &ir, &domain)?,
                elements: IndexMap::new(),
                stores: IndexMap::new(),
                shared: Vec::new(),
                ir,
                domain,
                schedule,
            });
        }
        Ok(drafts)
    }

    /// Names for the loops' counters, after the inductions where they have names.
    fn counter_names(&self, inductions: &[Vec<Induction<'a>>]) -> Vec<String> {
        let mut names = self.converter.names.borrow_mut();
        let hint = |inductions: &Vec<Induction<'a>>| {
            let mut hints = inductions.iter().map(|i| i.phi.name());
            hints.find(|name| !name.is_empty()).unwrap_or_default()
        };
        inductions.iter().map(|own| names.fresh(&hint(own), "c")).collect()
    }
}
