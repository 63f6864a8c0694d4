//! Facts about instructions.

/// What an instruction may do beyond computing its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts(u32);

impl Facts {
    /// As the shim gives them: `FactMayRead` and so on in `cpp/values.cpp`.
    pub(crate) fn from_bits(bits: u32) -> Self {
        Facts(bits)
    }

    /// Reads memory.
    pub fn may_read(self) -> bool {
        self.0 & 1 != 0
    }
    /// Writes memory.
    pub fn may_write(self) -> bool {
        self.0 & 2 != 0
    }
    /// Unwinds.
    pub fn may_throw(self) -> bool {
        self.0 & 4 != 0
    }
    /// Does not come back.
    pub fn may_not_return(self) -> bool {
        self.0 & 8 != 0
    }
    /// Must not be made to depend on more control flow.
    pub fn convergent(self) -> bool {
        self.0 & 16 != 0
    }
    /// Is inline assembly.
    pub fn inline_asm(self) -> bool {
        self.0 & 32 != 0
    }
    /// Only states a fact (lifetime, assumption, debug information) and may be dropped.
    pub fn droppable(self) -> bool {
        self.0 & 128 != 0
    }
    /// Is a call with operand bundles.
    pub fn bundled(self) -> bool {
        self.0 & 256 != 0
    }
    /// Declares alias scopes that start here.
    pub fn declares_scope(self) -> bool {
        self.0 & 512 != 0
    }
    /// Is a call that accesses no memory but `errno`, which it may write.
    pub fn errno_only(self) -> bool {
        self.0 & 1024 != 0
    }
    /// Is a volatile access.
    pub fn is_volatile(self) -> bool {
        self.0 & 2048 != 0
    }
    /// Is an operation that may be rounded together with one that it is an operand of.
    pub fn contracts(self) -> bool {
        self.0 & 16384 != 0
    }
    /// Is an operation of which a sequence may be computed in any order.
    pub fn reorderable(self) -> bool {
        self.0 & 4096 != 0
    }
    /// Is a difference `a - b` that may be computed as the sum of `a` and `-b`, in any order with other sums.
    pub fn difference(self) -> bool {
        self.0 & 8192 != 0
    }
    /// Accesses no memory, and is not undefined whatever its operands are.
    pub fn speculatable(self) -> bool {
        self.0 & 32768 != 0
    }
    /// Only computes its value from its operands.
    pub fn pure(self) -> bool {
        self.0 & (1 | 2 | 4 | 8 | 16 | 32 | 256) == 0
    }
}
