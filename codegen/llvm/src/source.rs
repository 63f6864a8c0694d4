//! What values are called in the source.

use crate::ffi::{self, Text};
use crate::loops::Loop;
use crate::run::Run;
use crate::value::Value;

/// What has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The value has it.
    Value,
    /// The value is the address of what has it.
    Address,
    /// The value is the address of the elements of what has it: a container.
    Elements,
}

/// A name in the source: a variable, or a member of one, such as `s->n` or `v.size()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceName {
    /// The text.
    pub text: String,
    /// The line where the variable is declared, if debug information says.
    pub line: Option<u32>,
    /// What has the name.
    pub role: Role,
    /// Whether it is declared as an integer with a sign, if that is known.
    pub is_signed: Option<bool>,
}

/// A function that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callee {
    /// Whether its body is elsewhere.
    pub is_declared_only: bool,
    /// Whether it returns a value.
    pub returns_value: bool,
    /// Whether it is of the language's implementation: the C library, memory allocation, runtimes, intrinsics.
    pub is_of_library: bool,
}

impl Run<'_> {
    /// The function that a call is of, if it is called by its name.
    pub fn callee<'a>(&'a self, call: Value<'a>) -> Option<Callee> {
        let mut bits = 0;
        // SAFETY: the handles are live, and the place is there to be written.
        let is_known = unsafe { ffi::farkas_callee(self.raw(), call.raw, &mut bits) };
        is_known.then_some(Callee {
            is_declared_only: bits & 1 != 0,
            returns_value: bits & 2 != 0,
            is_of_library: bits & 4 != 0,
        })
    }

    /// What a value is called where the loop is entered: by variables that are in scope there and have this value, or else by the IR's names
    /// of arguments and global variables. `None` where nothing is known for sure.
    pub fn source_name<'a>(&'a self, value: Value<'a>, before: Loop<'a>) -> Option<SourceName> {
        self.named(value, before, true)
    }

    /// What a phi of the loop's header is called: the variable that has its value in all iterations.
    pub fn counter_name<'a>(&'a self, phi: Value<'a>, l: Loop<'a>) -> Option<SourceName> {
        self.named(phi, l, false)
    }

    fn named<'a>(&'a self, value: Value<'a>, l: Loop<'a>, is_entered: bool) -> Option<SourceName> {
        let (mut line, mut kind, mut sign, mut known) = (0, 0, 0, false);
        let text = ffi::collect_text(|sink, context| {
            // SAFETY: the handles are live, and the places are there to be written.
            known = unsafe {
                ffi::farkas_source_name(
                    self.raw(),
                    value.raw,
                    l.raw,
                    is_entered,
                    &mut line,
                    &mut kind,
                    &mut sign,
                    sink,
                    context,
                )
            };
        });
        known.then_some(SourceName {
            text,
            line: (line > 0).then_some(line),
            role: match kind {
                0 => Role::Value,
                1 => Role::Address,
                _ => Role::Elements,
            },
            is_signed: (sign > 0).then_some(sign == 2),
        })
    }
}

/// A function's name as the source has it, from its name in the object file.
pub fn demangled(name: &str) -> String {
    // SAFETY: the text is lent for the call.
    ffi::collect_text(|sink, context| unsafe { ffi::farkas_demangled(Text::new(name), sink, context) })
}
