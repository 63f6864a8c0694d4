//! Variables that are declared inside: arrays on the stack whose lifetime begins and ends in the nest.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double t[100];                      // lifetime.start: nothing of what was there before counts
//!   for (long j = 0; j < 100; j++)
//!     t[j] = B[j][i];
//!   for (long j = 0; j < 100; j++)
//!     A[j][i] = t[99 - j];
//! }                                     // lifetime.end
//! ```
//!
//! In another order of the instances, markers would have to be elsewhere. But a variable that is used in the nest only can as
//! well be there during the whole of it: what it holds from an earlier iteration is as good as what is undefined. So its
//! markers are not part of any statement; they are put around the new code. In the model they are kills.

use super::declined::{Declined, Modelled, Reason};
use super::nest::Nest;
use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::region::Local;
use farkas_llvm::value::{Kind, Value};
use indexmap::{IndexMap, IndexSet};

/// Where a lifetime begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Start,
    End,
}

/// What the marker is, if the instruction is one.
pub(super) fn marker(i: Value<'_>) -> Option<Marker> {
    let Kind::Call(name) = i.kind() else { return None };
    match name.strip_prefix("llvm.lifetime.")?.split('.').next() {
        Some("start") => Some(Marker::Start),
        Some("end") => Some(Marker::End),
        _ => None,
    }
}

/// The variables whose lifetime begins in the nest.
///
/// # Errors
/// If one of them is used outside, or in a way that cannot be followed.
pub(super) fn locals<'a>(nest: &Nest<'a>) -> Modelled<'a, Vec<Local<'a>>> {
    let mut markers: IndexMap<Value<'a>, Vec<(Value<'a>, Marker)>> = IndexMap::new();
    for i in nest.section.blocks.values().flatten() {
        if let Some(marker) = marker(*i) {
            let variable = i.operands()[0];
            markers.entry(variable).or_default().push((*i, marker));
        }
    }
    let mut locals = Vec::new();
    for (variable, markers) in markers {
        let of_kind = |kind: Marker| markers.iter().find(|(_, marker)| *marker == kind).map(|(i, _)| *i);
        let Some(start) = of_kind(Marker::Start).filter(|_| is_private(nest, variable)) else {
            return Err(Declined::at(Reason::Lifetime, markers[0].0));
        };
        locals.push(Local {
            variable,
            start,
            end: of_kind(Marker::End),
        });
    }
    Ok(locals)
}

/// Whether the variable is on the stack, and nothing but loads, stores and markers of the nest has to do with it.
fn is_private<'a>(nest: &Nest<'a>, variable: Value<'a>) -> bool {
    if !variable.is_instruction() || variable.kind() != Kind::Alloca || nest.defines(variable) {
        return false;
    }
    let mut seen = IndexSet::from([variable]);
    let mut open = vec![variable];
    while let Some(address) = open.pop() {
        for user in address.users() {
            let follows = match user.kind() {
                Kind::Load { .. } => nest.defines(user),
                Kind::Store { value, .. } => nest.defines(user) && value != address,
                Kind::Call(_) => nest.defines(user) && marker(user).is_some(),
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
