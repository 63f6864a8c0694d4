//! Canonical forms of values, while the function is looked at.
//!
//! LLVM has several forms of the same computation, of which the rest of the project knows one. Instructions that compute a value in that form
//! are added, and the users of the value use them. Both are for looking at the function, and for new code: dropping [`CanonicalForms`] gives
//! the original values their users back.
//!
//! | form | instead of | |
//! |---|---|---|
//! | a choice | a phi of two ways without effects | `if_conversion.rs` |
//! | a maximum or minimum | a choice by a comparison with another value | `extremes.rs` |

mod extremes;
mod if_conversion;

use crate::run::Run;
use crate::value::Value;
use inkwell::llvm_sys::core::*;
use std::thread;

/// A value whose users use another one for the time being.
struct Form<'a> {
    original: Value<'a>,
    /// Its users, as often as they use it, the latest first, as LLVM lists them.
    users: Vec<Value<'a>>,
    /// What was added, operands before their users; the last one is what is used in place of the original.
    added: Vec<Value<'a>>,
}

/// The canonical forms in a function.
pub struct CanonicalForms<'a, 'r> {
    run: &'a Run<'r>,
    forms: Vec<Form<'a>>,
}

impl<'a, 'r> CanonicalForms<'a, 'r> {
    /// Adds those of values in loops.
    pub fn new(run: &'a Run<'r>) -> Self {
        let mut all = CanonicalForms { run, forms: Vec::new() };
        let mut open = if_conversion::candidates(run);
        // Where ways part within ways, the inner ones have to be choices first.
        loop {
            let before = open.len();
            open.retain(|phi| match if_conversion::choice(run, *phi) {
                Some(added) => {
                    all.use_instead(*phi, added);
                    false
                }
                None => true,
            });
            if open.is_empty() || open.len() == before {
                break;
            }
        }
        for choice in extremes::candidates(run) {
            if let Some(extreme) = extremes::extreme(run, choice) {
                all.use_instead(choice, vec![extreme]);
            }
        }
        all
    }

    /// Lets the users of a value use the last of what was added.
    fn use_instead(&mut self, original: Value<'a>, added: Vec<Value<'a>>) {
        let value = *added.last().expect("what is used in place of the original");
        let uses_it = |user: &Value<'a>| *user != value;
        let users: Vec<Value<'a>> = original.users().into_iter().filter(uses_it).collect();
        users
            .iter()
            .rev()
            .for_each(|user| user.replace_operand(original, value));
        self.forms.push(Form { original, users, added });
        self.run.forget_expressions();
    }
}

impl Drop for CanonicalForms<'_, '_> {
    fn drop(&mut self) {
        // After a panic, the function may have been restored from a copy, whose instructions are others.
        if self.forms.is_empty() || thread::panicking() {
            return;
        }
        for form in self.forms.iter().rev() {
            let value = *form.added.last().expect("what is used in place of the original");
            let users = form.users.iter().rev();
            users.for_each(|user| user.replace_operand(value, form.original));
            erase_unused(&form.added);
        }
        self.run.forget_expressions();
    }
}

/// Erases instructions in reverse order, except for those that are used: new code may have come to use one.
fn erase_unused(added: &[Value<'_>]) {
    for instruction in added.iter().rev().filter(|added| !added.is_used()) {
        // SAFETY: the handle is a live instruction without users.
        unsafe { LLVMInstructionEraseFromParent(instruction.raw) }
    }
}
