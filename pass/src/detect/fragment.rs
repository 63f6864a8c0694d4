//! Fragments: the smallest pieces that candidate regions are put together from.
//!
//! A fragment is a loop, or one of three pieces of a block outside of loops: its phis, its code, or its branch. A
//! region may begin with a branch and end with phis, which is why blocks are cut there. The module also decides which
//! instructions a model has a place for.

use super::declined::{Modelled, Reason, Stop};
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::memory::Memory;
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Block, Kind, Value};

/// A fragment of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fragment<'a> {
    /// A loop, as a whole.
    Loop(Loop<'a>),
    /// The phis of a block.
    Phis(Block<'a>),
    /// The instructions between the phis and the terminator of a block; the terminator as well, if it has a single
    /// successor.
    Code(Block<'a>),
    /// The terminator of a block with several successors.
    Branch(Block<'a>),
}

impl<'a> Fragment<'a> {
    /// Whether the model has a place for the instructions.
    pub(crate) fn check(self, run: &'a Run<'_>) -> Modelled<'a, ()> {
        self.instructions()
            .into_iter()
            .try_for_each(|i| check_instruction(run, i))
    }

    /// Whether the instruction is in the fragment.
    pub(crate) fn contains(self, instruction: Value<'a>) -> bool {
        match self {
            Fragment::Loop(l) => l.contains(instruction.block()),
            Fragment::Phis(block) | Fragment::Code(block) | Fragment::Branch(block) => {
                instruction.block() == block && self.instructions().contains(&instruction)
            }
        }
    }

    /// Whether some of the block is in the fragment.
    pub(crate) fn overlaps(self, block: Block<'a>) -> bool {
        match self {
            Fragment::Loop(l) => l.contains(block),
            Fragment::Phis(own) | Fragment::Code(own) | Fragment::Branch(own) => own == block,
        }
    }

    /// The instructions of the fragment, in order.
    pub(crate) fn instructions(self) -> Vec<Value<'a>> {
        match self {
            Fragment::Loop(l) => l.blocks().into_iter().flat_map(Block::instructions).collect(),
            Fragment::Phis(block) => block.phis(),
            Fragment::Code(block) => {
                let all = block.instructions().into_iter().filter(|i| !i.is_phi());
                let branches = matches!(block.terminator().kind(), Kind::Jump(_));
                all.filter(|i| branches || *i != block.terminator()).collect()
            }
            Fragment::Branch(block) => vec![block.terminator()],
        }
    }
}

/// Whether the model has a place for the instruction.
fn check_instruction<'a>(run: &'a Run<'_>, i: Value<'a>) -> Modelled<'a, ()> {
    let decline = |reason| Err(Stop::at(reason, i));
    let facts = i.facts();
    match i.ty().kind() {
        TypeKind::ScalableVector => return decline(Reason::ScalableVector),
        TypeKind::Token => return decline(Reason::Token),
        _ => {}
    }
    match i.kind() {
        _ if facts.is_volatile() => decline(Reason::Volatile),
        Kind::Load { pointer } | Kind::Store { pointer, .. } => {
            if i.is_atomic() {
                return decline(Reason::Atomic);
            }
            if let Some(space) = space_of(pointer) {
                return decline(Reason::AddressSpace(space));
            }
            let accessed = i.accessed_type();
            match accessed.kind() {
                TypeKind::ScalableVector => decline(Reason::ScalableVector),
                _ if run.element(accessed).is_none() => decline(Reason::OddType(accessed.to_string())),
                _ => Ok(()),
            }
        }
        Kind::Terminator(name) => decline(Reason::Terminator(name)),
        Kind::Atomic => decline(Reason::Atomic),
        Kind::Alloca => decline(Reason::Alloca),
        Kind::Call(_) if facts.droppable() => Ok(()),
        Kind::Call(_) if facts.inline_asm() => decline(Reason::InlineAsm),
        Kind::Call(name) if name.is_empty() => decline(Reason::IndirectCall),
        Kind::Call(name) if facts.errno_only() && errno_value(&name).is_some() => Ok(()),
        Kind::Call(name) if facts.errno_only() => decline(Reason::CallAccessesMemory(name)),
        Kind::Call(name) if run.memory(i) == Memory::Unknown => decline(Reason::CallAccessesMemory(name)),
        Kind::Call(name) if facts.may_throw() || facts.may_not_return() => decline(Reason::CallMayNotReturn(name)),
        Kind::Call(name) if facts.convergent() => decline(Reason::Convergent(name)),
        Kind::Call(name) if facts.bundled() => decline(Reason::Bundles(name)),
        Kind::Call(_) => match run
            .memory(i)
            .accesses()
            .iter()
            .find_map(|access| space_of(access.pointer))
        {
            Some(space) => decline(Reason::AddressSpace(space)),
            None => Ok(()),
        },
        Kind::Phi(_) | Kind::Jump(_) | Kind::Branch { .. } | Kind::Switch { .. } => Ok(()),
        _ if facts.pure() => Ok(()),
        _ => decline(Reason::Effects),
    }
}

/// The address space of a pointer, if that is not the usual one.
fn space_of(pointer: Value<'_>) -> Option<u32> {
    match pointer.ty().kind() {
        TypeKind::Pointer(space @ 1..) => Some(space),
        _ => None,
    }
}

/// The only value that a mathematical function of the C library sets `errno` to, if it sets it at all (glibc, musl, and where POSIX lets subnormal
/// results be range errors). Logarithms and powers have two.
pub(crate) fn errno_value(name: &str) -> Option<&'static str> {
    let of_double = |name: &str| match name {
        "sqrt" | "acos" | "acosh" | "asin" | "cos" | "sin" => Some("EDOM"),
        "exp" | "exp2" | "expm1" | "sinh" | "cosh" | "hypot" => Some("ERANGE"),
        "tanh" | "asinh" | "atan" | "atan2" | "erf" | "erfc" => Some("ERANGE"),
        _ => None,
    };
    of_double(name).or_else(|| of_double(name.strip_suffix(['f', 'l'])?))
}
