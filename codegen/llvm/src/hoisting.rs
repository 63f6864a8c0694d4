//! Invariant load hoisting: copies of loads in front of a region.
//!
//! A [`HoistedLoad`] is a copy of a load, and of the instructions that compute its address, before the region's
//! entry. All users of the original become users of the copy. LLVM's analyses then see a value that does not change
//! in the region.
//!
//! A quotient of such loads, which has no effects, may be hoisted in the same way.
//!
//! The copies are tentative while the region is only looked at. Dropping [`HoistedLoads`] restores the function,
//! including the order in which LLVM lists the users of each value.

use crate::ffi;
use crate::operand_tree::duplicate_tree;
use crate::run::Run;
use crate::value::{Kind, Value};
use indexmap::IndexSet;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMUseRef;

/// A load of the region whose users use another value.
struct Original<'a> {
    load: Value<'a>,
    /// Its uses, the latest first, as LLVM lists them, and whether they are in the region.
    uses: Vec<(LLVMUseRef, bool)>,
}

impl<'a> Original<'a> {
    fn new(load: Value<'a>, region: &IndexSet<Value<'a>>) -> Self {
        let mut uses = Vec::new();
        // SAFETY: the handle is live, and so are its uses and their users.
        unsafe {
            let mut at = LLVMGetFirstUse(load.raw);
            while !at.is_null() {
                uses.push((at, region.contains(&Value::new(LLVMGetUser(at)))));
                at = LLVMGetNextUse(at);
            }
        }
        Original { load, uses }
    }

    /// Makes `to` the operand of all recorded uses.
    fn give_users(&self, to: Value<'a>) {
        self.set(to, self.uses.iter());
    }

    /// The same for those in the region.
    fn give_users_inside(&self, to: Value<'a>) {
        self.set(to, self.uses.iter().filter(|(_, is_inside)| *is_inside));
    }

    fn set<'u>(&self, to: Value<'a>, uses: impl DoubleEndedIterator<Item = &'u (LLVMUseRef, bool)>) {
        // A use that is set goes to the front of the list.
        for (of, _) in uses.rev() {
            // SAFETY: the uses are those of live instructions, whose operands have not been moved since. Phis behind the region get more
            // operands by new code, which moves them: behind that, only uses in the region are set.
            unsafe { ffi::farkas_use_set(*of, to.raw) }
        }
    }
}

/// A copy of a load in front of a region, in place of one or several loads of the same address inside.
pub struct HoistedLoad<'a> {
    originals: Vec<Original<'a>>,
    /// Copies of the instructions that compute the address, then of the load.
    copies: Vec<Value<'a>>,
}

impl<'a> HoistedLoad<'a> {
    /// The loads inside.
    pub fn originals(&self) -> impl Iterator<Item = Value<'a>> {
        self.originals.iter().map(|original| original.load)
    }

    /// The hoisted load.
    pub fn load(&self) -> Value<'a> {
        *self.copies.last().expect("the copy of the load")
    }

    /// Copies of the instructions that compute the address, then of the load. All of them are in one block.
    pub fn copies(&self) -> &[Value<'a>] {
        &self.copies
    }
}

/// The state of hoisted loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// They are in the function while the region is looked at.
    Tentative,
    /// They are in no block, and the originals have their users.
    Withdrawn,
    /// They are part of the function.
    Kept,
}

/// The hoisted loads of a region, in the order in which they are executed.
pub struct HoistedLoads<'a, 'r> {
    run: &'a Run<'r>,
    /// The instruction that they stand before.
    before: Value<'a>,
    /// The instructions of the region.
    region: IndexSet<Value<'a>>,
    list: Vec<HoistedLoad<'a>>,
    /// Loads whose users use an earlier load outside of the region.
    reused: Vec<(Original<'a>, Value<'a>)>,
    state: State,
}

impl<'a, 'r> HoistedLoads<'a, 'r> {
    /// None so far, to be in front of the instruction `before`, of a region with these instructions.
    pub fn new(run: &'a Run<'r>, before: Value<'a>, region: impl Iterator<Item = Value<'a>>) -> Self {
        HoistedLoads {
            run,
            before,
            region: region.collect(),
            list: Vec::new(),
            reused: Vec::new(),
            state: State::Tentative,
        }
    }

    /// The hoisted loads.
    pub fn list(&self) -> &[HoistedLoad<'a>] {
        &self.list
    }

    /// Puts a copy of the hoisted load, with copies of the instructions `address` that compute its address: in order,
    /// without effects, with operands that are among them or at hand in front. No user of the load is in front.
    pub fn add(&mut self, load: Value<'a>, address: &[Value<'a>]) {
        let copies = duplicate_tree(address.iter().copied().chain([load]));
        let load = HoistedLoad {
            originals: vec![Original::new(load, &self.region)],
            copies: copies.into_values().collect(),
        };
        self.place(&load);
        self.list.push(load);
        self.run.forget_expressions();
    }

    /// Lets the users of `load` use the hoisted load of this index, which is of the same type and address. No store
    /// comes between the two.
    pub fn merge(&mut self, load: Value<'a>, index: usize) {
        let original = Original::new(load, &self.region);
        original.give_users(self.list[index].load());
        self.list[index].originals.push(original);
        self.run.forget_expressions();
    }

    /// Lets the users of `load` use `available`, an earlier load outside of the region, of the same type and address.
    /// No store comes between the two.
    pub fn reuse(&mut self, load: Value<'a>, available: Value<'a>) {
        let original = Original::new(load, &self.region);
        original.give_users(available);
        self.reused.push((original, available));
        self.run.forget_expressions();
    }

    /// The loads inside whose users use an earlier load.
    pub fn reused(&self) -> impl Iterator<Item = Value<'a>> {
        self.reused.iter().map(|(original, _)| original.load)
    }

    fn place(&self, load: &HoistedLoad<'a>) {
        let builder = self.run.context().create_builder();
        builder.position_before(&self.before.instruction().expect("an instruction"));
        builder.unset_current_debug_location();
        for copy in &load.copies {
            builder.insert_instruction(&copy.instruction().expect("a copy of an instruction"), None);
        }
        load.originals
            .iter()
            .for_each(|original| original.give_users(load.load()));
    }

    /// Removes the copies, and restores all users, for the time being.
    pub fn withdraw(&mut self) {
        assert_eq!(self.state, State::Tentative, "hoisted loads are withdrawn once");
        self.restore(Original::give_users);
        for load in self.list.iter().rev() {
            for copy in load.copies.iter().rev() {
                // SAFETY: the handle is an instruction in a block.
                unsafe { LLVMInstructionRemoveFromParent(copy.raw) }
            }
        }
        self.state = State::Withdrawn;
        self.run.forget_expressions();
    }

    /// Inserts the withdrawn copies again, to stay. From here on, only a snapshot of the function undoes it.
    pub fn keep(&mut self) {
        assert_eq!(
            self.state,
            State::Withdrawn,
            "hoisted loads that were withdrawn are kept"
        );
        self.state = State::Kept;
        self.list.iter().for_each(|load| self.place(load));
        for (original, available) in &self.reused {
            original.give_users(*available);
        }
        self.run.forget_expressions();
    }

    fn restore(&self, users: impl Fn(&Original<'a>, Value<'a>)) {
        let copied = self.list.iter().flat_map(|load| &load.originals);
        let reused = self.reused.iter().map(|(original, _)| original);
        copied.chain(reused).for_each(|original| users(original, original.load));
    }

    /// Gives the originals back the users that they had in the region. What has come to use the copies since goes on to do so, and so do
    /// users behind the region, which new code reaches without the originals.
    pub fn give_users_back(&mut self) {
        assert_eq!(self.state, State::Kept, "hoisted loads are part of the function");
        self.restore(Original::give_users_inside);
        self.run.forget_expressions();
    }
}

impl Drop for HoistedLoads<'_, '_> {
    fn drop(&mut self) {
        if self.state == State::Tentative {
            self.withdraw();
        }
        if self.state == State::Withdrawn {
            for copy in self.list.iter().rev().flat_map(|s| s.copies.iter().rev()) {
                // SAFETY: the copy is in no block, and what used it has been given back or deleted.
                unsafe { LLVMDeleteInstruction(copy.raw) }
            }
        }
    }
}

/// Questions about loads and their writers.
impl<'r> Run<'r> {
    /// Whether `writer` writes in no iteration of any loop what the load reads, whose address does not change. Alias
    /// scopes may be used only where none [is declared](crate::facts::Facts::declares_scope) in a loop.
    pub fn never_writes<'a>(&'a self, writer: Value<'a>, load: Value<'a>, use_scopes: bool) -> bool {
        assert!(matches!(load.kind(), Kind::Load { .. }) && writer.is_instruction());
        // SAFETY: the handles are live; the caller gives a load.
        unsafe { ffi::farkas_never_writes(self.raw(), writer.raw, load.raw, use_scopes) }
    }

    /// Whether metadata of the load makes its result poison for some values, such as that it is not null.
    pub fn load_may_be_poison<'a>(&'a self, load: Value<'a>) -> bool {
        assert!(matches!(load.kind(), Kind::Load { .. }), "{load} is no load");
        // SAFETY: the handle is a live load.
        unsafe { ffi::farkas_load_may_be_poison(load.raw) }
    }

    /// Drops all that the program promises of the load where it stands: of its value, of what accesses its target, and of
    /// the alignment of its address unless it is certainly `aligned`.
    pub fn forget_everything<'a>(&'a self, load: Value<'a>, aligned: bool) {
        assert!(matches!(load.kind(), Kind::Load { .. }), "{load} is no load");
        // SAFETY: the handle is a live load.
        unsafe { ffi::farkas_load_forget_all(load.raw, aligned) }
    }

    /// Whether the load can be executed where it stands, whatever the conditions around it.
    pub fn load_is_safe<'a>(&'a self, load: Value<'a>) -> bool {
        assert!(matches!(load.kind(), Kind::Load { .. }), "{load} is no load");
        // SAFETY: the handle is a live load.
        unsafe { ffi::farkas_load_is_safe(self.raw(), load.raw) }
    }

    /// Drops what the program promises of the value of the load where it stands, which need not hold elsewhere: that
    /// it is not zero, or in some range. That it is defined stays if `defined`.
    pub fn forget_promises<'a>(&'a self, load: Value<'a>, defined: bool) {
        assert!(matches!(load.kind(), Kind::Load { .. }), "{load} is no load");
        // SAFETY: the handle is a live load.
        unsafe { ffi::farkas_load_forget(load.raw, defined) }
    }

    /// Lets the load be executed only where `condition`, which stands before it, holds; elsewhere its users, which
    /// all come later, get zero. Dominators and loops do not follow.
    pub fn make_conditional<'a>(&'a self, condition: Value<'a>, load: Value<'a>) {
        assert!(matches!(load.kind(), Kind::Load { .. }), "{load} is no load");
        // SAFETY: the handles are live, the second is a load, and the caller sees to the order.
        unsafe { ffi::farkas_make_conditional(condition.raw, load.raw) }
    }
}
