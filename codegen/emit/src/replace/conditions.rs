//! The inspector of conditions on data: it evaluates in front of the new code what that assumes.
//!
//! ```c
//! for (j = 0; j < n; j++)
//!   for (l = 0; l < n; l++)
//!     if (b[l][j] != 0)                     // assumed to hold
//!       for (i = 0; i < n; i++)
//!         c[i][j] += b[l][j] * a[i][l];
//! ```
//!
//! ```text
//! for (j = 0; j < n; j++) {
//!   holds = true;
//!   for (l = 0; l < n; l++)
//!     holds &= b[l][j] != 0;                // without branches, so that LLVM can vectorize it
//!   if (!holds) goto original;              // what rarely holds costs little
//! }
//! ```
//!
//! The checks of parameters and of addresses that depend on no data hold where it runs. Up to the first instance that fails it finds what the
//! original would find: conditions do not depend on what the region does, and one that another one governs comes behind it. Behind that
//! instance, values may be others than in the original. So nothing is promised of them.

use farkas_llvm::Run;
use farkas_llvm::edit::freeze;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{IntValue, PointerValue};
use farkas_llvm::scop_ir::{Affine, IrCondition, ScopIr};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::{Ast, Call, For, Logic, Node, Upper};
use indexmap::IndexMap;

use super::preheader::Preheader;
use super::subtree::has_loop;
use crate::arith::{Arith, BUILDS};
use crate::array_copies::ArrayCopies;
use crate::errno::Errno;
use crate::slots::{Slots, at_entry};
use crate::statement::Statements;
use crate::value_numbering::ValueNumbers;

/// The conditions on data that are assumed, and what evaluates them.
pub(super) struct InspectedConditions<'b, 'a, 'r> {
    pub(super) run: &'a Run<'r>,
    pub(super) scop: &'b ScopIr<'a>,
    /// For each condition, its instances.
    pub(super) asts: &'b [Ast],
    pub(super) affine: &'b IndexMap<Value<'a>, Affine<'a>>,
    pub(super) preheader: &'b Preheader<'a>,
    pub(super) slots: &'b Slots<'a>,
    pub(super) errno: &'b Errno<'a>,
}

impl<'a> InspectedConditions<'_, 'a, '_> {
    /// Evaluates all of them where the builder stands, which comes to stand where they hold. Otherwise control goes to `failed`.
    pub(super) fn evaluate(&self, builder: &Builder<'a>, failed: BasicBlock<'a>) {
        let function = self.run.function().inkwell();
        let truth = self.run.context().bool_type();
        let holds = at_entry(function).build_alloca(truth, "farkas.holds").expect(BUILDS);
        for condition in self.scop.conditions.iter().zip(self.asts) {
            let values = ValueNumbers::default();
            let statements = Statements {
                offset: &|address| self.run.address_offset(address),
                values: &values,
                scop: self.scop,
                builder,
                function,
                i64: self.run.context().i64_type(),
                affine: self.affine,
                invariants: &self.preheader.invariants,
                slots: self.slots,
                copies: &ArrayCopies::none(),
                errno: self.errno,
                on_access: &|_, clone| {
                    values.accessed(clone);
                    self.run.forget_promises(clone, false);
                },
                in_buffer: &|_| None,
            };
            ConditionPass::emit(
                self.run,
                condition,
                &statements,
                &self.preheader.params,
                (holds, failed),
            );
            values.erase_unused();
        }
    }
}

/// Evaluates a condition in all instances that an AST calls.
struct ConditionPass<'p, 'b, 'a, 'r> {
    run: &'a Run<'r>,
    condition: &'p IrCondition<'a>,
    statements: &'p Statements<'b, 'a>,
    params: &'p [IntValue<'a>],
    logic: Logic,
    /// The iterators of the loops around.
    iters: Vec<Option<IntValue<'a>>>,
    /// The variable that says whether the condition held so far.
    holds: PointerValue<'a>,
    /// Where control goes if it does not.
    failed: BasicBlock<'a>,
}

impl<'p, 'b, 'a, 'r> ConditionPass<'p, 'b, 'a, 'r> {
    /// Emits the pass where the builder stands, which comes to stand where the condition holds in all instances. Otherwise control goes
    /// to the last block.
    fn emit(
        run: &'a Run<'r>,
        (condition, ast): (&'p IrCondition<'a>, &Ast),
        statements: &'p Statements<'b, 'a>,
        params: &'p [IntValue<'a>],
        (holds, failed): (PointerValue<'a>, BasicBlock<'a>),
    ) {
        let mut pass = ConditionPass {
            run,
            condition,
            statements,
            params,
            logic: ast.logic,
            iters: vec![None; ast.iterators.len()],
            holds,
            failed,
        };
        let always = run.context().bool_type().const_all_ones();
        statements.builder.build_store(holds, always).expect(BUILDS);
        pass.node(&ast.root);
        pass.leave_if_it_fails();
    }

    fn arith(&self) -> Arith<'_, 'a> {
        Arith {
            builder: self.statements.builder,
            i64: self.statements.i64,
            params: self.params,
            iters: &self.iters,
            logic: self.logic,
            exact: None,
        }
    }

    fn block(&self, name: &str) -> BasicBlock<'a> {
        self.run.context().append_basic_block(self.statements.function, name)
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::For(node) => self.for_loop(node),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.arith().condition(condition);
                let [then_block, else_block, next] =
                    ["farkas.then", "farkas.else", "farkas.endif"].map(|name| self.block(name));
                let branch = self
                    .statements
                    .builder
                    .build_conditional_branch(holds, then_block, else_block);
                branch.expect(BUILDS);
                for (block, part) in [(then_block, Some(&**then)), (else_block, otherwise.as_deref())] {
                    self.statements.builder.position_at_end(block);
                    let scope = self.statements.values.scope();
                    part.into_iter().for_each(|part| self.node(part));
                    drop(scope);
                    self.statements.builder.build_unconditional_branch(next).expect(BUILDS);
                }
                self.statements.builder.position_at_end(next);
            }
            Node::Call(call) => self.call(call),
            Node::Mark { body, .. } => self.node(body),
        }
    }

    fn for_loop(&mut self, node: &For) {
        let Upper::AtMost(upper) = &node.upper else {
            unreachable!("a loop that nothing ends does not fit");
        };
        let arith = self.arith();
        let (lower, one) = (arith.expr(&node.lower), self.statements.i64.const_int(1, false));
        let end = arith.sum(arith.expr(upper), one);
        let step = arith.constant(&node.step);
        let entry = self
            .statements
            .builder
            .get_insert_block()
            .expect("a positioned builder");
        let [header, body, behind] =
            ["farkas.inspect", "farkas.inspected", "farkas.endfor"].map(|name| self.block(name));
        self.statements
            .builder
            .build_unconditional_branch(header)
            .expect(BUILDS);
        self.statements.builder.position_at_end(header);
        let iter = self
            .statements
            .builder
            .build_phi(self.statements.i64, "")
            .expect(BUILDS);
        iter.add_incoming(&[(&lower, entry)]);
        let position = iter.as_basic_value().into_int_value();
        let more = self
            .statements
            .builder
            .build_int_compare(IntPredicate::SLT, position, end, "")
            .expect(BUILDS);
        self.statements
            .builder
            .build_conditional_branch(more, body, behind)
            .expect(BUILDS);
        self.statements.builder.position_at_end(body);
        let scope = self.statements.values.scope();
        self.iters[node.iter.0] = Some(position);
        self.node(&node.body);
        self.iters[node.iter.0] = None;
        drop(scope);
        let latch = self
            .statements
            .builder
            .get_insert_block()
            .expect("a positioned builder");
        let next = self.statements.builder.build_int_add(position, step, "").expect(BUILDS);
        iter.add_incoming(&[(&next, latch)]);
        let back = self
            .statements
            .builder
            .build_unconditional_branch(header)
            .expect(BUILDS);
        self.run.attach(
            Value::from_inkwell(back),
            "llvm.loop",
            self.run.distinct_node(&[self.run.new_mark()], true),
        );
        self.statements.builder.position_at_end(behind);
        if !has_loop(&node.body) {
            self.leave_if_it_fails();
        }
    }

    fn call(&self, call: &Call) {
        let arguments = call.arguments.iter();
        let counters: Vec<IntValue<'a>> = arguments.map(|argument| self.arith().expr(argument)).collect();
        let mut instance = self.statements.begin(&self.condition.statement, &counters);
        for instruction in &self.condition.statement.instructions {
            instance.instruction(*instruction);
        }
        let truth = self.run.context().bool_type();
        let so_far = self.statements.builder.build_load(truth, self.holds, "").expect(BUILDS);
        let mut holds = so_far.into_int_value();
        for (condition, value) in &self.condition.conjuncts {
            let own = freeze(self.statements.builder, instance.value(*condition)).into_int_value();
            let own = match value {
                true => own,
                false => self.statements.builder.build_not(own, "").expect(BUILDS),
            };
            holds = self.statements.builder.build_and(holds, own, "").expect(BUILDS);
        }
        self.statements.builder.build_store(self.holds, holds).expect(BUILDS);
    }

    fn leave_if_it_fails(&self) {
        let truth = self.run.context().bool_type();
        let holds = self.statements.builder.build_load(truth, self.holds, "").expect(BUILDS);
        let next = self.block("farkas.holds");
        self.statements
            .builder
            .build_conditional_branch(holds.into_int_value(), next, self.failed)
            .expect(BUILDS);
        self.statements.builder.position_at_end(next);
    }
}
