//! Debug information and profiles of code that takes the place of other code.

use crate::edit::Metadata;
use crate::ffi;
use crate::loops::Loop;
use crate::region::Region;
use crate::run::Run;
use crate::value::{Block, Value};

impl Run<'_> {
    /// Gives the instruction, and what a builder then puts before it, the location of the loop, or one in the
    /// function without a line if it has none.
    pub fn set_location<'a>(&'a self, at: Value<'a>, of: Loop<'a>) {
        assert!(at.is_instruction(), "{at} is no instruction");
        // SAFETY: the handles are live, and the first is an instruction.
        unsafe { ffi::farkas_set_location(self.raw(), at.raw, of.raw) }
    }

    /// Adds an access group to those of a load or store.
    pub fn add_access_group<'a>(&'a self, access: Value<'a>, group: Metadata<'a>) {
        assert!(access.is_load_or_store(), "{access} is a load or store");
        // SAFETY: the handles are live, the first is an instruction, and access groups are nodes.
        unsafe { ffi::farkas_add_access_group(access.raw, group.raw) }
    }

    /// Sees to it that variables have right values, or none, once a region has got a substitute that begins with the
    /// block `start`: after it, those in `new`, where they are in the place of the region's own, and in it none.
    pub fn settle_variables<'a>(&'a self, region: &Region<'a>, new: &[(Value<'a>, Value<'a>)], start: Block<'a>) {
        let inside: Vec<_> = region.blocks.values().flatten().map(|value| value.raw).collect();
        let errors: Vec<_> = region.errors.iter().map(|block| block.raw).collect();
        let (old, new): (Vec<_>, Vec<_>) = new.iter().map(|(old, new)| (old.raw, new.raw)).unzip();
        // SAFETY: the handles are live, those inside a region are instructions, and the lists are lent for the call.
        unsafe {
            ffi::farkas_settle_variables(
                inside.as_ptr(),
                inside.len(),
                errors.as_ptr(),
                errors.len(),
                old.as_ptr(),
                new.as_ptr(),
                new.len(),
                start.raw,
            )
        }
    }
}

impl<'a> Value<'a> {
    /// Gives an instruction the location of another one, if that has any.
    pub fn take_location(self, from: Value<'a>) {
        assert!(
            self.is_instruction() && from.is_instruction(),
            "{self} and {from} are instructions"
        );
        // SAFETY: the handles are live instructions.
        unsafe { ffi::farkas_copy_location(from.raw, self.raw) }
    }

    /// Says of a conditional branch that it goes the first way nearly always.
    pub fn set_likely(self) {
        assert!(self.condition().is_some(), "{self} is a conditional branch");
        // SAFETY: the handle is a live instruction.
        unsafe { ffi::farkas_set_likely(self.raw) }
    }

    /// Says of a conditional branch that it goes the first way `first` times where it goes the other one `second` times.
    pub fn set_weights(self, first: u32, second: u32) {
        assert!(self.condition().is_some(), "{self} is a conditional branch");
        // SAFETY: the handle is a live instruction.
        unsafe { ffi::farkas_set_weights(self.raw, first, second) }
    }
}
