//! Stack variables whose lifetime begins and ends inside the region.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double t[100];                      // lifetime.start: the old contents are dead
//!   for (long j = 0; j < 100; j++)
//!     t[j] = B[j][i];
//!   for (long j = 0; j < 100; j++)
//!     A[j][i] = t[99 - j];
//! }                                     // lifetime.end
//! ```
//!
//! Another order of the instances would need its markers elsewhere. A variable that is used only inside the region
//! can as well be alive during all of it: what an earlier iteration left there is as good as undefined. So its
//! markers belong to no statement. They are put around the new code, and are kills in the model. The markers of other
//! variables stay in place, as calls that may write the variable.

use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::scop_ir::Local;
use farkas_llvm::value::{Kind, Value};
use indexmap::{IndexMap, IndexSet};

/// Where a lifetime begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Start,
    End,
}

/// The kind of marker, if the instruction is one.
pub(crate) fn marker(i: Value<'_>) -> Option<Marker> {
    let Kind::Call(name) = i.kind() else { return None };
    match name.strip_prefix("llvm.lifetime.")?.split('.').next() {
        Some("start") => Some(Marker::Start),
        Some("end") => Some(Marker::End),
        _ => None,
    }
}

/// The variables whose lifetime begins in these instructions and that are used only `inside`. Markers of other
/// variables are calls that may write the whole variable: they stay in order with its accesses.
pub(crate) fn locals<'a>(all: impl Iterator<Item = Value<'a>>, inside: impl Fn(Value<'a>) -> bool) -> Vec<Local<'a>> {
    let mut markers: IndexMap<Value<'a>, Vec<(Value<'a>, Marker)>> = IndexMap::new();
    for i in all {
        if let Some(marker) = marker(i) {
            markers.entry(i.operands()[0]).or_default().push((i, marker));
        }
    }
    let local = |(variable, markers): (Value<'a>, Vec<(Value<'a>, Marker)>)| {
        let of_kind = |kind: Marker| markers.iter().find(|(_, marker)| *marker == kind).map(|(i, _)| *i);
        let start = of_kind(Marker::Start).filter(|_| is_private(variable, &inside))?;
        Some(Local {
            variable,
            start,
            end: of_kind(Marker::End),
        })
    };
    markers.into_iter().filter_map(local).collect()
}

/// Whether the variable is on the stack and used only by loads, stores and markers of the region.
fn is_private<'a>(variable: Value<'a>, inside: &impl Fn(Value<'a>) -> bool) -> bool {
    if !variable.is_instruction() || variable.kind() != Kind::Alloca || inside(variable) {
        return false;
    }
    let mut seen = IndexSet::from([variable]);
    let mut open = vec![variable];
    while let Some(address) = open.pop() {
        for user in address.users() {
            let follows = match user.kind() {
                Kind::Load { .. } => inside(user),
                Kind::Store { value, .. } => inside(user) && value != address,
                Kind::Call(_) => inside(user) && marker(user).is_some(),
                _ if is_offset(user) => {
                    if seen.insert(user) {
                        open.push(user);
                    }
                    true
                }
                _ => false,
            };
            if !follows {
                return false;
            }
        }
    }
    true
}

fn is_offset(user: Value<'_>) -> bool {
    let opcode = user.instruction().map(|i| i.get_opcode());
    opcode == Some(InstructionOpcode::GetElementPtr)
}
