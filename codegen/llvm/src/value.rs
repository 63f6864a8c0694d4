//! Functions, blocks and values of the function at hand.
//!
//! The handles are small copies of LLVM's own pointers. Their lifetime is that of the borrow of the
//! [`Run`](crate::Run): none survives a refresh of the analyses. As everywhere in LLVM, a handle to something that was
//! erased from the function must not be used again.

use crate::facts::Facts;
use crate::ffi;
use crate::handle::handle;
use crate::types::Type;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMIntPredicate, LLVMOpcode, LLVMValueKind};
use inkwell::values::{AsValueRef, BasicValueEnum, FunctionValue, InstructionValue, PhiValue};
use std::fmt;

pub use inkwell::IntPredicate;

handle!(
    /// An LLVM value: a constant, argument, global, or instruction.
    Value, LLVMValueRef
);
handle!(
    /// A basic block.
    Block, LLVMBasicBlockRef
);
handle!(
    /// The function at hand.
    Function, LLVMValueRef
);

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file's name as the debug information has it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if there is none.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl<'a> Function<'a> {
    /// The name.
    pub fn name(self) -> String {
        value_name(self.raw)
    }

    /// The function for inkwell.
    pub fn inkwell(self) -> FunctionValue<'a> {
        // SAFETY: the handle is a live function.
        unsafe { FunctionValue::new(self.raw) }.expect("a function")
    }

    /// The blocks, in the function's order.
    pub fn blocks(self) -> Vec<Block<'a>> {
        // SAFETY: the handle is a live function, and so are the blocks that it has.
        unsafe {
            chain(
                LLVMGetFirstBasicBlock(self.raw),
                |b| LLVMGetNextBasicBlock(b),
                |b| Block::new(b),
            )
        }
    }
}

/// The elements of one of LLVM's intrusive lists.
fn chain<R, T>(first: *mut R, next: impl Fn(*mut R) -> *mut R, make: impl Fn(*mut R) -> T) -> Vec<T> {
    let mut all = Vec::new();
    let mut at = first;
    while !at.is_null() {
        all.push(make(at));
        at = next(at);
    }
    all
}

fn value_name(raw: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: the value is live, and LLVM returns a pointer to that many bytes.
    unsafe {
        let data = LLVMGetValueName2(raw, &mut length);
        if data.is_null() || length == 0 {
            return String::new();
        }
        String::from_utf8_lossy(std::slice::from_raw_parts(data.cast(), length)).into_owned()
    }
}

impl<'a> Block<'a> {
    /// The block of an inkwell block.
    pub fn from_inkwell(block: BasicBlock<'a>) -> Self {
        // SAFETY: inkwell's block is live.
        unsafe { Block::new(block.as_mut_ptr()) }
    }

    /// The block for inkwell.
    pub fn inkwell(self) -> BasicBlock<'a> {
        // SAFETY: the handle is a live block.
        unsafe { BasicBlock::new(self.raw) }.expect("a block")
    }

    /// Whether a label's address is taken, which ties the block to its function.
    pub fn has_address_taken(self) -> bool {
        // SAFETY: the handle is a live block, and so are the uses of it as a value.
        unsafe {
            let mut at = LLVMGetFirstUse(LLVMBasicBlockAsValue(self.raw));
            while !at.is_null() {
                if LLVMGetValueKind(LLVMGetUser(at)) == LLVMValueKind::LLVMBlockAddressValueKind {
                    return true;
                }
                at = LLVMGetNextUse(at);
            }
        }
        false
    }

    /// The name, empty if it has none.
    pub fn name(self) -> String {
        // SAFETY: the handle is a live block, which is a value.
        value_name(unsafe { LLVMBasicBlockAsValue(self.raw) })
    }

    /// The instructions, in order.
    pub fn instructions(self) -> Vec<Value<'a>> {
        // SAFETY: the handle is a live block, and so are the instructions that it has.
        unsafe {
            chain(
                LLVMGetFirstInstruction(self.raw),
                |i| LLVMGetNextInstruction(i),
                |i| Value::new(i),
            )
        }
    }

    /// The phis, in order.
    pub fn phis(self) -> Vec<Value<'a>> {
        self.instructions().into_iter().take_while(|i| i.is_phi()).collect()
    }

    /// The last instruction.
    pub fn terminator(self) -> Value<'a> {
        // SAFETY: the handle is a live block, and blocks of a function that passes see have a terminator.
        unsafe { Value::new(LLVMGetBasicBlockTerminator(self.raw)) }
    }

    /// Whether control never comes here: there is nothing but `unreachable`.
    pub fn is_never_reached(self) -> bool {
        let first = self.instructions().into_iter().next();
        first.is_some_and(|first| matches!(first.kind(), Kind::Terminator("unreachable")))
    }

    /// The blocks whose terminators may go here, each once.
    pub fn predecessors(self) -> Vec<Block<'a>> {
        let mut predecessors: Vec<Block<'a>> = Vec::new();
        // SAFETY: the handle is a live block, and so are the uses of it as a value; a terminator among these is in a
        // block of the function.
        unsafe {
            let mut at = LLVMGetFirstUse(LLVMBasicBlockAsValue(self.raw));
            while !at.is_null() {
                let user = LLVMGetUser(at);
                if !LLVMIsATerminatorInst(user).is_null() {
                    let from = Block::new(LLVMGetInstructionParent(user));
                    if !predecessors.contains(&from) {
                        predecessors.push(from);
                    }
                }
                at = LLVMGetNextUse(at);
            }
        }
        predecessors
    }

    /// Where the terminator may go to; a block can be there twice.
    pub fn successors(self) -> Vec<Block<'a>> {
        let last = self.terminator().raw;
        // SAFETY: the indices are below the terminator's number of successors.
        unsafe {
            (0..LLVMGetNumSuccessors(last))
                .map(|i| Block::new(LLVMGetSuccessor(last, i)))
                .collect()
        }
    }
}

/// The block as a value: what branches have as operands.
impl<'a> From<Block<'a>> for Value<'a> {
    fn from(block: Block<'a>) -> Self {
        // SAFETY: the handle is a live block.
        unsafe { Value::new(LLVMBasicBlockAsValue(block.raw)) }
    }
}

impl fmt::Display for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the handle is a live block, which is a value.
        f.write_str(&printed(unsafe { LLVMBasicBlockAsValue(self.raw) }))
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn printed(raw: LLVMValueRef) -> String {
    // SAFETY: the value is live and the sink is the one of `collect_text`.
    ffi::collect_text(|sink, context| unsafe { ffi::farkas_value_print(raw, sink, context) })
}

/// What an instruction is, as far as the model of a loop nest needs to know.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<'a> {
    /// A value for each predecessor.
    Phi(Vec<(Value<'a>, Block<'a>)>),
    /// Reads the pointer's target.
    Load {
        /// From where.
        pointer: Value<'a>,
    },
    /// Writes to the pointer's target.
    Store {
        /// What.
        value: Value<'a>,
        /// Where to.
        pointer: Value<'a>,
    },
    /// Goes on in one place.
    Jump(Block<'a>),
    /// Goes on in one of two places.
    Branch {
        /// An `i1`.
        condition: Value<'a>,
        /// Where it is true.
        then: Block<'a>,
        /// Where it is false.
        otherwise: Block<'a>,
    },
    /// Goes on where the value leads.
    Switch {
        /// An integer.
        value: Value<'a>,
        /// Constants, all different, and where they lead.
        cases: Vec<(Value<'a>, Block<'a>)>,
        /// Where any other value leads.
        otherwise: Block<'a>,
    },
    /// Another terminator, by its opcode.
    Terminator(&'static str),
    /// A comparison of integers or pointers.
    Compare(IntPredicate, Value<'a>, Value<'a>),
    /// Bitwise and.
    And(Value<'a>, Value<'a>),
    /// Bitwise or.
    Or(Value<'a>, Value<'a>),
    /// Bitwise exclusive or.
    Xor(Value<'a>, Value<'a>),
    /// The quotient of signed numbers, rounded towards zero.
    SignedQuotient(Value<'a>, Value<'a>),
    /// What a signed quotient leaves: it has the sign of the dividend.
    SignedRemainder(Value<'a>, Value<'a>),
    /// One of two values.
    Select(Value<'a>, Value<'a>, Value<'a>),
    /// A call of a function of this name (empty for a pointer).
    Call(String),
    /// Stack memory.
    Alloca,
    /// An arbitrary but fixed value where the operand is poison: two copies may differ.
    Freeze,
    /// A fence or an atomic read-modify-write.
    Atomic,
    /// Any other instruction.
    Other,
}

impl<'a> Value<'a> {
    /// The value of an inkwell value.
    pub fn from_inkwell(value: impl AsValueRef + 'a) -> Self {
        // SAFETY: inkwell's value is live.
        unsafe { Value::new(value.as_value_ref()) }
    }

    /// The value for inkwell; `None` for instructions without one and for values of odd types.
    pub fn basic(self) -> Option<BasicValueEnum<'a>> {
        self.ty().inkwell()?;
        // SAFETY: the handle is live and its type is one that `BasicValueEnum` has.
        Some(unsafe { BasicValueEnum::new(self.raw) })
    }

    /// The instruction for inkwell, `None` for other values.
    pub fn instruction(self) -> Option<InstructionValue<'a>> {
        // SAFETY: the handle is a live instruction where asked.
        self.is_instruction()
            .then(|| unsafe { InstructionValue::new(self.raw) })
    }

    /// The phi for inkwell, `None` for other values.
    pub fn phi(self) -> Option<PhiValue<'a>> {
        // SAFETY: the handle is a live phi where asked.
        self.is_phi().then(|| unsafe { PhiValue::new(self.raw) })
    }

    /// The value that a phi has for a predecessor.
    pub fn incoming_from(self, from: Block<'a>) -> Option<Value<'a>> {
        match self.kind() {
            Kind::Phi(incoming) => incoming
                .into_iter()
                .find(|(_, block)| *block == from)
                .map(|(value, _)| value),
            _ => None,
        }
    }

    /// Replaces an operand of an instruction wherever it occurs in it.
    ///
    /// # Panics
    /// If it is no instruction, or the new operand is not data.
    pub fn replace_operand(self, old: Value<'a>, new: Value<'a>) {
        let instruction = self.instruction().expect("an instruction");
        for (index, operand) in self.operands().into_iter().enumerate() {
            if operand == old {
                instruction.set_operand(index as u32, new.basic().expect("data"));
            }
        }
    }

    /// What a terminator decides by where control goes on.
    pub fn condition(self) -> Option<Value<'a>> {
        match self.kind() {
            Kind::Branch { condition, .. } => Some(condition),
            Kind::Switch { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Lets a branch or a switch go elsewhere: its target `index` becomes `to`.
    ///
    /// # Panics
    /// If it is neither, or has no such target.
    pub fn set_target(self, index: usize, to: BasicBlock<'a>) {
        let targets = match self.kind() {
            Kind::Jump(_) => 1,
            Kind::Branch { .. } => 2,
            Kind::Switch { cases, .. } => 1 + cases.len(),
            _ => 0,
        };
        assert!(index < targets, "{self} has no target {index}");
        // SAFETY: the handle is a live terminator with so many targets, and the block is live.
        unsafe { LLVMSetSuccessor(self.raw, index as u32, to.as_mut_ptr()) }
    }

    /// Whether it is a store.
    pub fn is_store(self) -> bool {
        matches!(self.kind(), Kind::Store { .. })
    }

    /// Whether it is a load or a store.
    pub fn is_load_or_store(self) -> bool {
        matches!(self.kind(), Kind::Load { .. } | Kind::Store { .. })
    }

    /// The type.
    pub fn ty(self) -> Type<'a> {
        // SAFETY: the handle is live.
        unsafe { Type::new(LLVMTypeOf(self.raw)) }
    }

    /// The type of what a load reads or a store writes, the value's own type for others.
    pub fn accessed_type(self) -> Type<'a> {
        match self.kind() {
            Kind::Store { value, .. } => value.ty(),
            _ => self.ty(),
        }
    }

    /// The type of what is allocated on the stack.
    pub fn allocated_type(self) -> Option<Type<'a>> {
        let is_alloca = self.is_instruction() && self.kind() == Kind::Alloca;
        // SAFETY: the handle is live, and an alloca's.
        is_alloca.then(|| unsafe { Type::new(LLVMGetAllocatedType(self.raw)) })
    }

    /// How many of these are allocated on the stack, where that is a number.
    pub fn allocated_count(self) -> Option<u64> {
        let count = self
            .allocated_type()
            .and_then(|_| self.operands().first()?.as_integer());
        u64::try_from(count?).ok()
    }

    /// The address that a load or store accesses.
    pub fn accessed_pointer(self) -> Option<Value<'a>> {
        match self.kind() {
            Kind::Load { pointer } | Kind::Store { pointer, .. } => Some(pointer),
            _ => None,
        }
    }

    /// The name without sigil, empty if it has none.
    pub fn name(self) -> String {
        value_name(self.raw)
    }

    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        // SAFETY: the handle is live.
        unsafe { LLVMGetValueKind(self.raw) == LLVMValueKind::LLVMInstructionValueKind }
    }

    /// Whether anything uses it.
    pub fn is_used(self) -> bool {
        // SAFETY: the handle is live.
        !unsafe { LLVMGetFirstUse(self.raw) }.is_null()
    }

    /// Whether it is a signed division by a constant, or a shift that is one, that leaves no remainder.
    pub fn is_exact_quotient(self) -> bool {
        use LLVMOpcode::{LLVMAShr, LLVMSDiv};
        if !self.is_instruction() || !matches!(self.opcode(), LLVMAShr | LLVMSDiv) {
            return false;
        }
        // SAFETY: the handle is live, and that of a division or of a shift to the right.
        let is_exact = unsafe { LLVMGetExact(self.raw) != 0 };
        let divisor = match self.operands()[1].basic() {
            Some(BasicValueEnum::IntValue(divisor)) => divisor.get_sign_extended_constant(),
            _ => None,
        };
        is_exact && divisor.is_some_and(|divisor| divisor > 0)
    }

    /// Whether it is a `getelementptr` whose result is in the object that its base is in.
    pub fn is_inbounds(self) -> bool {
        // SAFETY: the handle is live, and that of a `getelementptr` where asked.
        unsafe { !LLVMIsAGetElementPtrInst(self.raw).is_null() && LLVMIsInBounds(self.raw) != 0 }
    }

    /// The address that a `getelementptr` instruction counts from; `None` for any other value.
    pub fn base_of_offset(self) -> Option<Value<'a>> {
        // SAFETY: the handle is live.
        let is_offset = unsafe { !LLVMIsAGetElementPtrInst(self.raw).is_null() };
        is_offset.then(|| self.operands()[0])
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        // SAFETY: the handle is live.
        unsafe { LLVMGetValueKind(self.raw) == LLVMValueKind::LLVMFunctionValueKind }
    }

    /// Whether it is a phi.
    pub fn is_phi(self) -> bool {
        self.is_instruction() && self.opcode() == LLVMOpcode::LLVMPHI
    }

    /// Whether it is data, and not a block, metadata or inline assembly used as an operand.
    pub fn is_data(self) -> bool {
        // SAFETY: the handle is live.
        !matches!(
            unsafe { LLVMGetValueKind(self.raw) },
            LLVMValueKind::LLVMBasicBlockValueKind
                | LLVMValueKind::LLVMMetadataAsValueValueKind
                | LLVMValueKind::LLVMInlineAsmValueKind
        )
    }

    /// The value of an integer constant as a signed number.
    pub fn as_integer(self) -> Option<i64> {
        // SAFETY: the handle is live; the constant's value is read only for integer constants of at most 64 bits.
        unsafe {
            let constant = LLVMIsAConstantInt(self.raw);
            if constant.is_null() || LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64 {
                return None;
            }
            Some(LLVMConstIntGetSExtValue(constant))
        }
    }

    /// The block that an instruction is in.
    ///
    /// # Panics
    /// If it is no instruction.
    pub fn block(self) -> Block<'a> {
        assert!(self.is_instruction(), "{self} is no instruction");
        // SAFETY: the handle is a live instruction in a block.
        unsafe { Block::new(LLVMGetInstructionParent(self.raw)) }
    }

    /// The operands, those of a phi without its blocks.
    pub fn operands(self) -> Vec<Value<'a>> {
        // SAFETY: the handle is live and the indices are below the number of operands.
        unsafe {
            let count = if self.is_instruction() {
                LLVMGetNumOperands(self.raw)
            } else {
                0
            };
            (0..count as u32)
                .map(|i| Value::new(LLVMGetOperand(self.raw, i)))
                .collect()
        }
    }

    /// The instructions that use the value, each as often as it does.
    pub fn users(self) -> Vec<Value<'a>> {
        let mut users = Vec::new();
        // SAFETY: the handle is live, and so are its uses; users of constants may be constants.
        unsafe {
            let mut at = LLVMGetFirstUse(self.raw);
            while !at.is_null() {
                let user = Value::new(LLVMGetUser(at));
                if user.is_instruction() {
                    users.push(user);
                }
                at = LLVMGetNextUse(at);
            }
        }
        users
    }

    fn opcode(self) -> LLVMOpcode {
        // SAFETY: only called for live instructions.
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    /// What the instruction is.
    ///
    /// # Panics
    /// If it is no instruction.
    pub fn kind(self) -> Kind<'a> {
        assert!(self.is_instruction(), "{self} is no instruction");
        let operand = |i| {
            // SAFETY: the instruction's opcode has so many operands.
            unsafe { Value::new(LLVMGetOperand(self.raw, i)) }
        };
        match self.opcode() {
            LLVMOpcode::LLVMPHI => {
                // SAFETY: the handle is a phi, and the indices are below its number of incoming values.
                let incoming = |i| unsafe {
                    (
                        Value::new(LLVMGetIncomingValue(self.raw, i)),
                        Block::new(LLVMGetIncomingBlock(self.raw, i)),
                    )
                };
                // SAFETY: the handle is a phi.
                Kind::Phi((0..unsafe { LLVMCountIncoming(self.raw) }).map(incoming).collect())
            }
            LLVMOpcode::LLVMLoad => Kind::Load { pointer: operand(0) },
            LLVMOpcode::LLVMStore => Kind::Store {
                value: operand(0),
                pointer: operand(1),
            },
            LLVMOpcode::LLVMBr => {
                let to = self.block().successors();
                match to[..] {
                    [target] => Kind::Jump(target),
                    // SAFETY: a branch with two successors has a condition.
                    _ => Kind::Branch {
                        condition: unsafe { Value::new(LLVMGetCondition(self.raw)) },
                        then: to[0],
                        otherwise: to[1],
                    },
                }
            }
            LLVMOpcode::LLVMSwitch => {
                let to = self.block().successors();
                // SAFETY: the handle is a switch, the first successor of which is the one without a constant.
                let case = |index: usize| unsafe { Value::new(LLVMGetSwitchCaseValue(self.raw, index as u32)) };
                Kind::Switch {
                    value: operand(0),
                    cases: (1..to.len()).map(|index| (case(index), to[index])).collect(),
                    otherwise: to[0],
                }
            }
            LLVMOpcode::LLVMIndirectBr => Kind::Terminator("indirect branch"),
            LLVMOpcode::LLVMInvoke => Kind::Terminator("invoke"),
            LLVMOpcode::LLVMCallBr => Kind::Terminator("asm goto"),
            LLVMOpcode::LLVMRet => Kind::Terminator("return"),
            LLVMOpcode::LLVMUnreachable => Kind::Terminator("unreachable"),
            LLVMOpcode::LLVMResume
            | LLVMOpcode::LLVMCleanupRet
            | LLVMOpcode::LLVMCatchRet
            | LLVMOpcode::LLVMCatchSwitch => Kind::Terminator("exception handling"),
            LLVMOpcode::LLVMICmp => {
                // SAFETY: the handle is an integer comparison.
                let predicate: LLVMIntPredicate = unsafe { LLVMGetICmpPredicate(self.raw) };
                Kind::Compare(int_predicate(predicate), operand(0), operand(1))
            }
            LLVMOpcode::LLVMAnd => Kind::And(operand(0), operand(1)),
            LLVMOpcode::LLVMOr => Kind::Or(operand(0), operand(1)),
            LLVMOpcode::LLVMXor => Kind::Xor(operand(0), operand(1)),
            LLVMOpcode::LLVMSDiv => Kind::SignedQuotient(operand(0), operand(1)),
            LLVMOpcode::LLVMSRem => Kind::SignedRemainder(operand(0), operand(1)),
            LLVMOpcode::LLVMSelect => Kind::Select(operand(0), operand(1), operand(2)),
            LLVMOpcode::LLVMCall => Kind::Call(ffi::collect_text(|sink, context| {
                // SAFETY: the handle is a call, and the sink is the one of `collect_text`.
                unsafe { ffi::farkas_call_name(self.raw, sink, context) }
            })),
            LLVMOpcode::LLVMAlloca => Kind::Alloca,
            LLVMOpcode::LLVMFreeze => Kind::Freeze,
            LLVMOpcode::LLVMFence | LLVMOpcode::LLVMAtomicCmpXchg | LLVMOpcode::LLVMAtomicRMW => Kind::Atomic,
            _ => Kind::Other,
        }
    }

    /// A copy of the instruction that is in no block yet. (inkwell's `clone` only copies the handle.) It has no alias
    /// scopes: those may be true for accesses in the same iteration of a loop only, which a copy need not keep to.
    /// Nor has a call the number of times that the original was executed; the weights of branches and choices are
    /// ratios, and stay.
    ///
    /// # Panics
    /// If it is no instruction.
    pub fn duplicate(self) -> InstructionValue<'a> {
        assert!(self.is_instruction(), "{self} is no instruction");
        // SAFETY: the handle is a live instruction, and so is the copy; a null node removes an attachment.
        unsafe {
            let copy = LLVMInstructionClone(self.raw);
            let is_call = LLVMGetInstructionOpcode(copy) == LLVMOpcode::LLVMCall;
            let counts: &[_] = if is_call { &["prof"] } else { &[] };
            for kind in ["alias.scope", "noalias"].iter().chain(counts) {
                let kind = LLVMGetMDKindIDInContext(
                    LLVMGetTypeContext(LLVMTypeOf(copy)),
                    kind.as_ptr().cast(),
                    kind.len() as u32,
                );
                LLVMSetMetadata(copy, kind, std::ptr::null_mut());
            }
            InstructionValue::new(copy)
        }
    }

    /// Whether both are instructions that do the same with their operands.
    pub fn is_same_operation(self, other: Value<'a>) -> bool {
        let both = self.is_instruction() && other.is_instruction() && self.opcode() == other.opcode();
        both && match (self.kind(), other.kind()) {
            (Kind::Call(name), Kind::Call(other)) => name == other,
            _ => true,
        }
    }

    /// What the instruction may do.
    ///
    /// # Panics
    /// If it is no instruction.
    pub fn facts(self) -> Facts {
        assert!(self.is_instruction(), "{self} is no instruction");
        // SAFETY: the handle is a live instruction.
        Facts::from_bits(unsafe { ffi::farkas_instruction_facts(self.raw) })
    }

    /// Whether a load or store is atomic.
    pub fn is_atomic(self) -> bool {
        // SAFETY: the call is made for loads and stores only.
        matches!(self.kind(), Kind::Load { .. } | Kind::Store { .. })
            && unsafe { LLVMGetOrdering(self.raw) } != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
    }

    /// Where an instruction comes from, if debug information says.
    pub fn location(self) -> Option<Location> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: the handle is a live instruction.
        location(|line, column, sink, context| unsafe {
            ffi::farkas_instruction_location(self.raw, line, column, sink, context)
        })
    }
}

/// The location that `ask` writes.
pub(crate) fn location(
    ask: impl FnOnce(*mut u32, *mut u32, ffi::TextSink, *mut std::ffi::c_void) -> bool,
) -> Option<Location> {
    let (mut line, mut column, mut known) = (0, 0, false);
    let file = ffi::collect_text(|sink, context| known = ask(&mut line, &mut column, sink, context));
    known.then_some(Location { file, line, column })
}

fn int_predicate(raw: LLVMIntPredicate) -> IntPredicate {
    match raw {
        LLVMIntPredicate::LLVMIntEQ => IntPredicate::EQ,
        LLVMIntPredicate::LLVMIntNE => IntPredicate::NE,
        LLVMIntPredicate::LLVMIntUGT => IntPredicate::UGT,
        LLVMIntPredicate::LLVMIntUGE => IntPredicate::UGE,
        LLVMIntPredicate::LLVMIntULT => IntPredicate::ULT,
        LLVMIntPredicate::LLVMIntULE => IntPredicate::ULE,
        LLVMIntPredicate::LLVMIntSGT => IntPredicate::SGT,
        LLVMIntPredicate::LLVMIntSGE => IntPredicate::SGE,
        LLVMIntPredicate::LLVMIntSLT => IntPredicate::SLT,
        LLVMIntPredicate::LLVMIntSLE => IntPredicate::SLE,
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(self.raw))
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
