//! What instructions access in memory.

use crate::facts::Facts;
use crate::ffi;
use crate::run::Run;
use crate::types::{Type, TypeKind};
use crate::value::{Kind, Value};

/// The effect of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads.
    Read,
    /// Writes every byte of its location.
    Write,
    /// Writes some bytes of its location, or none.
    MayWrite,
}

/// The size of the location that an access reaches from its pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationSize<'a> {
    /// One value of the type.
    Element(Type<'a>),
    /// This many bytes, an unsigned number.
    Bytes(Value<'a>),
    /// Any part of the object that the pointer is based on.
    Unknown,
}

/// An access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access<'a> {
    /// The address of its location.
    pub pointer: Value<'a>,
    /// Its effect there.
    pub effect: Effect,
    /// The size of its location.
    pub size: LocationSize<'a>,
}

/// The memory accesses of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory<'a> {
    /// These accesses, those that read first.
    Accesses(Vec<Access<'a>>),
    /// It may read anything, and writes nothing.
    ReadsAnything,
    /// A call that writes nothing but `errno`.
    Errno,
    /// Something else.
    Unknown,
}

impl<'a> Memory<'a> {
    /// The accesses, none where they are not known.
    pub fn accesses(self) -> Vec<Access<'a>> {
        match self {
            Memory::Accesses(accesses) => accesses,
            _ => Vec::new(),
        }
    }
}

/// Bits of what the shim says of a call.
const ARGUMENTS_ONLY: u32 = 1;
const READS_ONLY: u32 = 2;
const SETS: u32 = 4;
const COPIES: u32 = 8;

impl<'r> Run<'r> {
    /// What the instruction does with memory. Where there is more to say of an access, such as that it is volatile,
    /// that is asked for elsewhere.
    pub fn memory<'a>(&'a self, i: Value<'a>) -> Memory<'a> {
        let one = |pointer, effect| Access {
            pointer,
            effect,
            size: LocationSize::Element(i.accessed_type()),
        };
        match i.kind() {
            Kind::Load { pointer } => Memory::Accesses(vec![one(pointer, Effect::Read)]),
            Kind::Store { pointer, .. } => Memory::Accesses(vec![one(pointer, Effect::Write)]),
            _ if i.facts().droppable() => Memory::Accesses(Vec::new()),
            _ if i.facts().errno_only() => Memory::Errno,
            _ if !accesses(i.facts()) => Memory::Accesses(Vec::new()),
            Kind::Call(_) => self.call(i),
            _ => Memory::Unknown,
        }
    }

    fn call<'a>(&'a self, call: Value<'a>) -> Memory<'a> {
        // SAFETY: the handles are live, and the second is a call.
        let what = unsafe { ffi::farkas_call_memory(self.raw(), call.raw) };
        let is = |bit: u32| what & bit != 0;
        let operands = call.operands();
        if is(SETS | COPIES) {
            let part = |pointer, effect| Access {
                pointer,
                effect,
                size: LocationSize::Bytes(operands[2]),
            };
            let source = is(COPIES).then(|| part(operands[1], Effect::Read));
            return Memory::Accesses(source.into_iter().chain([part(operands[0], Effect::Write)]).collect());
        }
        if !is(ARGUMENTS_ONLY) {
            return if is(READS_ONLY) {
                Memory::ReadsAnything
            } else {
                Memory::Unknown
            };
        }
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let (_callee, arguments) = operands.split_last().expect("a call has the function as an operand");
        for (index, pointer) in arguments.iter().enumerate() {
            if !matches!(pointer.ty().kind(), TypeKind::Pointer(_)) {
                continue;
            }
            // SAFETY: the handles are live, and the second is a call with so many arguments.
            let effects = unsafe { ffi::farkas_call_argument(self.raw(), call.raw, index as u32) };
            let access = |effect| Access {
                pointer: *pointer,
                effect,
                size: LocationSize::Unknown,
            };
            if effects & 1 != 0 {
                reads.push(access(Effect::Read));
            }
            if effects & 2 != 0 {
                writes.push(access(Effect::MayWrite));
            }
        }
        reads.append(&mut writes);
        Memory::Accesses(reads)
    }

    /// Whether the call may read something that is based on the pointer, which does not change in any loop around.
    pub fn may_read<'a>(&'a self, call: Value<'a>, base: Value<'a>) -> bool {
        assert!(matches!(call.kind(), Kind::Call(_)), "{call} is no call");
        // SAFETY: the handles are live, and the first is a call.
        unsafe { ffi::farkas_may_read(self.raw(), call.raw, base.raw) }
    }
}

fn accesses(facts: Facts) -> bool {
    facts.may_read() || facts.may_write()
}
