//! Assembly: a draft and what was found out beside it become a [`Scop`]. This is the one place that makes its program.

use super::accesses::ArrayAccesses;
use super::aliases::ApartByType;
use super::schedule::End;
use crate::detect::declined::Modelled;
use crate::memory::arrays::Array;
use crate::memory::indirect_accesses::IndirectAccesses;
use crate::scalar::draft::ScopDraft;
use crate::scev::pieces::zero;
use crate::scev::scope::space;
use crate::scop::{InspectedCondition, Scop, Shape};
use farkas_llvm::scop_ir::{Affine, ArrayId, IrArray, IrCondition, Local, Parameter, ScopIr, SlotId};
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Kill, Program, Statement};
use farkas_polyhedral::sets::{Aff, Set};
use indexmap::{IndexMap, IndexSet};

/// All that a model is assembled from.
pub(super) struct Unassembled<'a> {
    /// Statements and scalar slots.
    pub(super) draft: ScopDraft<'a>,
    /// The conditions on data that are assumed.
    pub(super) conditions: Vec<(IrCondition<'a>, InspectedCondition)>,
    /// The arrays that statements access.
    pub(super) arrays: Vec<Array<'a>>,
    /// The targets of hoisted loads that the guard has to look at, as arrays behind those.
    pub(super) targets: Vec<IrArray<'a>>,
    /// Pairs of both that may overlap.
    pub(super) alias_checks: Vec<(ArrayId, ArrayId)>,
    /// Pairs that are apart by the types of their accesses only.
    pub(super) apart_by_type: Vec<ApartByType>,
    /// Accesses without affine subscripts, which these checks have to know of.
    pub(super) indirect: IndirectAccesses<'a>,
    /// The parameters, those of the draft's context.
    pub(super) parameters: Vec<Parameter<'a>>,
    /// What is assumed of them.
    pub(super) assumed: Set,
    /// The kills of variables that are declared inside.
    pub(super) kills: Vec<Kill>,
    /// The place after all statements.
    pub(super) end: End,
    pub(super) locals: Vec<Local<'a>>,
    /// As [`ScopIr::widened`].
    pub(super) widened: IndexMap<Value<'a>, Affine<'a>>,
    /// The hoisted loads, each with the instructions that compute its address.
    pub(super) loads: Vec<Vec<Value<'a>>>,
    /// For each hoisted load, the parameter values for which it may be executed; `None` for all.
    pub(super) load_conditions: Vec<Option<Set>>,
}

impl<'a> Unassembled<'a> {
    /// Whether all that `other` takes for granted of the parameters holds here: the context, and what is assumed.
    pub(super) fn assumes_all_of(&self, other: &Unassembled<'a>, b: &Budget) -> Outcome<bool> {
        let mut pairs = self.parameters.iter().zip(&other.parameters);
        let is_same = |(own, of_other): (&Parameter<'a>, &Parameter<'a>)| {
            own.name == of_other.name && own.value == of_other.value
        };
        let holds = |parts: &Unassembled<'a>| parts.draft.context.intersect_params(&parts.assumed);
        Ok(pairs.all(is_same) && holds(self).is_subset(&holds(other), b)?)
    }

    /// The model, without annotations.
    pub(super) fn assemble(self, b: &Budget) -> Modelled<'a, Scop<'a>> {
        let params = self.draft.context.params().clone();
        let program = self.program(b)?;
        let shapes = self.shapes(b)?;
        let aligned = |condition: &Option<Set>| condition.as_ref().map(|set| set.align_params(&params));
        let load_conditions = self.load_conditions.iter().map(aligned).collect();
        let draft = self.draft;
        let arrays = self.arrays.into_iter().map(|array| array.ir);
        let (ir_conditions, conditions) = self.conditions.into_iter().unzip();
        Ok(Scop {
            ir: ScopIr {
                region: draft.region,
                loops: draft.loops,
                statements: draft.statements.into_iter().map(|statement| statement.ir).collect(),
                parameters: self.parameters,
                arrays: arrays.chain(self.targets).collect(),
                slots: draft.slots,
                live_outs: draft.live_outs,
                locals: self.locals,
                widened: self.widened,
                conditions: ir_conditions,
                loads: self.loads,
            },
            program,
            conditions,
            shapes,
            alias_checks: self.alias_checks,
            indirect: self.indirect.align_params(&params),
            load_conditions,
        })
    }

    fn program(&self, b: &Budget) -> Outcome<Program> {
        let context = self.draft.context.clone();
        let assumptions = self.assumed.align_params(context.params()).gist_params(&context, b)?;
        let assumptions = assumptions
            .coalesce(b)?
            .gist_params(&context, b)?
            .remove_redundancies(b)?;
        let statements = self.draft.statements.iter().map(|statement| {
            let (domain, schedule) = (statement.domain.clone(), statement.schedule.clone());
            Statement::new(domain, schedule, self.draft.accesses(statement))
        });
        let statements = statements.collect();
        let kills = self.kills.iter().cloned().chain(self.ends_of_slots()).collect();
        Ok(Program {
            assumptions,
            kills,
            ..Program::of_statements(context, statements)
        })
    }

    /// Kills, after all statements, of the slots that nothing after the region reads.
    fn ends_of_slots(&self) -> impl Iterator<Item = Kill> {
        let read_after: IndexSet<SlotId> = self.draft.slots_read_after().collect();
        let slots = self.draft.slots.iter().enumerate();
        slots
            .filter(move |(index, _)| !read_after.contains(&SlotId(*index)))
            .map(|(_, slot)| self.end.kill_of_slot(&slot.name, self.draft.context.params()))
    }

    fn shapes(&self, b: &Budget) -> Modelled<'a, Vec<Shape>> {
        let params = self.draft.context.params();
        let accesses = ArrayAccesses {
            arrays: &self.arrays,
            budget: b,
        };
        let own = self.arrays.iter().map(|array| accesses.shape(array, params));
        // The target of a hoisted load is a single element.
        let only = || Shape {
            sizes: Vec::new(),
            strided: false,
            rows: None,
            outermost_extent: zero(&Aff::var(space(1), 0)).align_params(params),
            overlap: None,
        };
        own.chain(self.targets.iter().map(|_| Ok(only()))).collect()
    }
}
