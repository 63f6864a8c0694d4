//! What is computed before the guard: parameters, invariants, and hoisted loads.

use farkas_llvm::Run;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{BasicValueEnum, IntValue};
use farkas_llvm::scev::Scev;
use farkas_llvm::scop_ir::{Affine, LiveOutSource, PARAMETER_LIMIT, ScopIr, Start, limit_of};
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::ast::Logic;
use indexmap::IndexMap;

use crate::arith::{Arith, BUILDS};
use crate::checks::{Guards, LoadCondition};
use crate::guard::{self, Limited};

/// What is computed before the guard.
pub(super) struct Preheader<'a> {
    /// The parameters as signed 64-bit numbers.
    pub(super) params: Vec<IntValue<'a>>,
    /// Those that may be beyond their limits.
    pub(super) wide: Vec<Limited<'a>>,
    /// Invariants that statements and live-out values need.
    pub(super) invariants: IndexMap<Scev<'a>, BasicValueEnum<'a>>,
    /// The hoisted loads that are executed under a condition.
    loads: Vec<(IntValue<'a>, Value<'a>)>,
}

impl<'a> Preheader<'a> {
    /// Computes them at the end of the block `check`.
    pub(super) fn compute(
        run: &'a Run<'_>,
        scop: &ScopIr<'a>,
        guards: &Guards,
        affine: &IndexMap<Value<'a>, Affine<'a>>,
        check: Block<'a>,
    ) -> Preheader<'a> {
        let expand = |scev: Scev<'a>| {
            let value = run
                .expand(scev, check.terminator())
                .expect("expandability is part of the model");
            value.basic().expect("an integer or a pointer")
        };
        let builder = run.context().create_builder();
        let mut numbers = Numbers {
            run,
            scop,
            builder: &builder,
            check,
            params: vec![None; scop.parameters.len()],
            wide: Vec::new(),
        };
        let mut loads = Vec::new();
        for (load, condition) in scop.loads.iter().zip(&guards.loads) {
            let condition = condition.as_ref().map(|condition| numbers.condition(condition));
            for instruction in load {
                let place = check
                    .terminator()
                    .instruction()
                    .expect("a terminator is an instruction");
                let moved = instruction.instruction().expect("a load, or what computes its address");
                moved.remove_from_basic_block();
                builder.position_before(&place);
                builder.insert_instruction(&moved, None);
            }
            loads.extend(condition.zip(load.last().copied()));
        }
        let params = (0..scop.parameters.len()).map(|index| numbers.param(index)).collect();
        let wide = numbers.wide;
        let mut invariants = IndexMap::new();
        let conditions = scop.conditions.iter().map(|condition| &condition.statement);
        let all = scop.statements.iter().chain(conditions);
        let of_statements = all.flat_map(|statement| statement.affine.values());
        let of_affine = affine.values().chain(of_statements).flatten().map(|(scev, _)| *scev);
        let of_steps = scop
            .loops
            .iter()
            .flat_map(|l| l.inductions.iter().map(|induction| induction.step));
        let inductions = scop.loops.iter().flat_map(|l| &l.inductions);
        let of_starts = inductions.filter_map(|induction| match induction.start {
            Start::Value(_) => None,
            Start::Expression(start) => Some(start),
        });
        let of_live_outs = scop.live_outs.iter().filter_map(|live_out| match live_out.source {
            LiveOutSource::Expression(scev) => Some(scev),
            LiveOutSource::Rotation { last, .. } => Some(last),
            LiveOutSource::ScalarSlot(_) => None,
        });
        for scev in of_affine.chain(of_steps).chain(of_starts).chain(of_live_outs) {
            invariants.entry(scev).or_insert_with(|| expand(scev));
        }
        Preheader {
            params,
            wide,
            invariants,
            loads,
        }
    }

    /// Lets hoisted loads be executed under their conditions only. Nothing else is added in front after that.
    pub(super) fn guard_loads(&self, run: &'a Run<'_>) {
        for (condition, load) in &self.loads {
            run.make_conditional(Value::from_inkwell(*condition), *load);
        }
    }
}

/// Computes parameters, and conditions on them, at the end of the block `check`.
struct Numbers<'n, 'a, 'r> {
    run: &'a Run<'r>,
    scop: &'n ScopIr<'a>,
    builder: &'n Builder<'a>,
    check: Block<'a>,
    params: Vec<Option<IntValue<'a>>>,
    wide: Vec<Limited<'a>>,
}

impl<'a> Numbers<'_, 'a, '_> {
    fn place(&self) {
        let end = self.check.terminator().instruction();
        self.builder
            .position_before(&end.expect("a terminator is an instruction"));
    }

    /// The parameter as a signed 64-bit number.
    fn param(&mut self, index: usize) -> IntValue<'a> {
        if let Some(param) = self.params[index] {
            return param;
        }
        let i64 = self.run.context().i64_type();
        let value = self
            .run
            .expand(self.scop.parameters[index].value, self.check.terminator());
        let value = value
            .expect("expandability is part of the model")
            .basic()
            .expect("an integer");
        self.place();
        // A bound of a loop that never runs may be poison; the guard and the new loops must not branch on it.
        let value = farkas_llvm::edit::freeze(self.builder, value).into_int_value();
        let width = value.get_type().get_bit_width();
        let value = if width == 64 {
            value
        } else {
            self.builder.build_int_s_extend(value, i64, "").expect(BUILDS)
        };
        if needs_range_check(width) {
            self.wide.push(Limited {
                param: value,
                limit: limit_of(self.scop.parameters[index].value),
            });
        }
        self.params[index] = Some(value);
        value
    }

    /// Whether the condition holds; false where parameters are beyond their limits.
    fn condition(&mut self, condition: &LoadCondition) -> IntValue<'a> {
        let i64 = self.run.context().i64_type();
        let mut params = vec![i64.const_zero(); self.params.len()];
        for index in &condition.params {
            params[*index] = self.param(*index);
        }
        self.place();
        let arith = Arith {
            builder: self.builder,
            i64,
            params: &params,
            iters: &[],
            logic: Logic::ShortCircuit,
            exact: None,
        };
        let holds = arith.condition(&condition.condition);
        let wide = self.wide.iter().filter(|wide| params.contains(&wide.param));
        wide.fold(holds, |holds, wide| {
            let in_range = guard::in_range(&arith, *wide);
            self.builder.build_and(holds, in_range, "").expect(BUILDS)
        })
    }
}

/// Whether a signed number of so many bits may be beyond [`PARAMETER_LIMIT`].
fn needs_range_check(width: u32) -> bool {
    width > PARAMETER_LIMIT.ilog2() + 1
}
