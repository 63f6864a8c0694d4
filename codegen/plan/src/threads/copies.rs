//! Privatization: scalar slots and arrays on the stack of which each iteration of a parallel loop has a copy.
//!
//! Two iterations that fill the same array wait for each other, though neither needs what the other one has in it. With a copy for each
//! of them, only flow dependences through the array count:
//!
//! ```text
//! for (i) { double t[8]; for (k) t[k] = ..; for (k) y[i] += t[k] * ..; }    parallel(private t) for (i) ..
//! ```
//!
//! An array is copied for a loop if its anti and output dependences are carried by the loop, and no value of it enters or leaves an iteration
//! (Tu and Padua 1993). What is read after the last iteration is one of these: such an array keeps its loop in order.
//!
//! Of arrays, only [temporaries](ArrayKind::Temporary) are copied: they have a size, and nobody else knows their address.
//!
//! A scalar slot that is set and read again in each iteration (`s = 0; for (k) s += ..; y[i] = s;`) needs a copy for the same reason. Slots that
//! are written are private in any loop on threads, so that none of them is named here.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{AccessKind, ArrayKind, Program};
use farkas_polyhedral::sets::{Name, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Mark, Node, Path, Tree};

use super::sites::reductions;
use crate::dependences::ByArray;

/// What copies are needed in an order.
#[derive(Clone, Copy)]
pub(super) struct Copies<'a> {
    pub(super) program: &'a Program,
    pub(super) by_array: &'a ByArray,
    pub(super) tree: &'a Tree,
    pub(super) b: &'a Budget,
}

impl Copies<'_> {
    /// The arrays that iterations of a member of the band at a path need copies of beside scalar slots, within the iterations of the members
    /// `around` it, to run at the same time; `None` if they wait for each other all the same, or the copies would be too large.
    pub(super) fn of_member(
        &self,
        (path, band): (&Path, &Band),
        (around, member): (&[usize], usize),
    ) -> Outcome<Option<Vec<Name>>> {
        let b = self.b;
        let statements: Vec<Tuple> = band.statements().cloned().collect();
        let temporaries = written(self.program, &statements, |kind| kind == ArrayKind::Temporary);
        let slots = written(self.program, &statements, |kind| kind == ArrayKind::ScalarSlot);
        if temporaries.is_empty() && slots.is_empty() {
            return Ok(None);
        }
        let outer = self.tree.reach(path, b)?;
        let outer = match around {
            [] => outer,
            around => outer.through(&Node::band(band.select(around)), 0, b)?,
        };
        let inner = outer.through(&Node::band(band.select(&[member])), 0, b)?;
        let (same_outer, same_iteration) = (outer.together(b)?, inner.together(b)?);
        let under = &outer.instances;
        let carries = |pairs: &UnionMap| -> Outcome<bool> {
            let within = pairs.intersect_domain(under).intersect_range(under);
            let carried = within.intersect(&same_outer).subtract(&same_iteration, b)?;
            Ok(!carried.is_empty(b)?)
        };
        let reduced = reductions(self.program, &statements);
        let mut copied = Vec::new();
        for (array, own) in self.by_array.arrays() {
            let name = array.name().expect("an array has a name");
            if reduced.contains(name) {
                continue;
            }
            let is_slot = self.program.arrays[array].kind == ArrayKind::ScalarSlot;
            if !is_slot && (carries(&own.anti)? || carries(&own.output)?) {
                if !temporaries.contains(&array) {
                    return Ok(None);
                }
                let crossing = own.flow.subtract(&same_iteration, b)?;
                let enters = !crossing.intersect_range(under).is_empty(b)?;
                if enters || !crossing.intersect_domain(under).is_empty(b)? {
                    return Ok(None);
                }
                copied.push(name.clone());
            } else if carries(&own.flow)? {
                return Ok(None);
            }
        }
        let fits = self
            .bytes(&copied, &band.child)
            .is_some_and(|bytes| bytes <= Mark::MOST_COPIED_BYTES);
        Ok(fits.then_some(copied))
    }

    /// The bytes of a copy of each of these arrays, and of those that lanes inside of a node have; `None` where they are not known.
    fn bytes(&self, names: &[Name], node: &Node) -> Option<u64> {
        let of_marks = match node {
            Node::Mark(Mark::Vector { lanes, private, .. }, _) => self.sum(private)?.checked_mul(u64::from(*lanes))?,
            _ => 0,
        };
        let inside = node.children().map(|child| self.bytes(&[], child));
        let inside: u64 = inside.sum::<Option<u64>>()?;
        self.sum(names)?.checked_add(of_marks)?.checked_add(inside)
    }

    /// The bytes of the arrays of these names that are temporaries.
    fn sum(&self, names: &[Name]) -> Option<u64> {
        let arrays = self.program.arrays.values().filter(|array| {
            array.kind == ArrayKind::Temporary && array.tuple.name().is_some_and(|name| names.contains(name))
        });
        arrays
            .map(|array| array.n_elements()?.checked_mul(array.element_size))
            .sum()
    }
}

/// The arrays of a kind that statements write.
fn written<'p>(program: &'p Program, statements: &[Tuple], is_wanted: impl Fn(ArrayKind) -> bool) -> Vec<&'p Tuple> {
    let own = program.statements.iter().filter(|one| statements.contains(one.tuple()));
    let writes = own
        .flat_map(|statement| &statement.accesses)
        .filter(|access| access.kind != AccessKind::Read)
        .map(|access| access.array());
    writes.filter(|array| is_wanted(program.arrays[*array].kind)).collect()
}
