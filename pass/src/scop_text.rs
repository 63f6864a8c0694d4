//! The text form of a model: that of its [program](farkas_polyhedral::program::text), with what only LLVM knows in comments.
//!
//! Before the program: LLVM's expressions for the parameters, hoisted loads, base pointers, the types of scalar slots. After it:
//! values that are used behind the region, conditions on data that are assumed, and the pairs of arrays that have to be checked not to overlap.

use crate::scop::Scop;
use farkas_llvm::scop_ir::{ArrayId, Base, LiveOutSource};
use std::fmt;

impl fmt::Display for Scop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_origins(f)?;
        write!(f, "{}", self.program)?;
        for live_out in &self.ir.live_outs {
            match live_out.source {
                LiveOutSource::ScalarSlot(slot) => {
                    writeln!(f, "# live out {}: {}", live_out.value, self.ir.slots[slot.0].name)?;
                }
                LiveOutSource::Expression(scev) => writeln!(f, "# live out {}: {scev}", live_out.value)?,
                LiveOutSource::Rotation { last, .. } => {
                    writeln!(f, "# live out {}: in iteration {last}", live_out.value)?;
                }
            }
        }
        for (ir, condition) in self.ir.conditions.iter().zip(&self.conditions) {
            write!(f, "# assumed in {}:", condition.domain)?;
            for (conjunct, value) in &ir.conjuncts {
                write!(f, " {conjunct} is {value}")?;
            }
            writeln!(f)?;
        }
        for (one, other) in &self.alias_checks {
            let name = |id: &ArrayId| &self.ir.arrays[id.0].name;
            writeln!(f, "# may alias: {}, {}", name(one), name(other))?;
        }
        Ok(())
    }
}

impl Scop<'_> {
    /// What the names of the program stand for in LLVM.
    fn write_origins(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for parameter in &self.ir.parameters {
            writeln!(f, "# parameter {}: {}", parameter.name, parameter.value)?;
        }
        for (load, condition) in self.ir.loads.iter().zip(&self.load_conditions) {
            let load = load.last().expect("a hoisted load");
            match condition {
                Some(condition) => writeln!(f, "# hoisted load {load}: {condition}")?,
                None => writeln!(f, "# hoisted load {load}")?,
            }
        }
        for (array, shape) in self.ir.arrays.iter().zip(&self.shapes) {
            let extent = &shape.outermost_extent;
            write!(f, "# array {}: ", array.name)?;
            match array.base {
                Base::Pointer(pointer) => write!(f, "{pointer}")?,
                Base::Table(table) => write!(f, "rows by {}", self.ir.arrays[table.0].name)?,
                Base::Rotation(id) => {
                    let buffers: Vec<String> = self.ir.phis(id).iter().map(|own| own.first.to_string()).collect();
                    write!(f, "{} by turns", buffers.join(", "))?;
                }
            }
            write!(f, ", outermost extent {extent}")?;
            match &shape.overlap {
                Some(overlap) => writeln!(f, ", rows overlap outside of {}", overlap.apart)?,
                None => writeln!(f)?,
            }
        }
        for slot in &self.ir.slots {
            write!(f, "# scalar slot {}: {}", slot.name, slot.ty)?;
            match (slot.initial, slot.mapped_to) {
                (Some(initial), _) => writeln!(f, " from {initial}")?,
                (None, Some(place)) => {
                    let array = self.ir.array_of(place);
                    writeln!(f, " in {}", array.map_or("", |array| &self.ir.arrays[array.0].name))?;
                }
                (None, None) => writeln!(f)?,
            }
        }
        Ok(())
    }
}
