//! Programs to text.

use crate::program::{
    Access, AccessId, AccessMoves, Array, Chain, Inspection, Kill, MultiplyAdd, Operation, Program, Reduction,
    Statement,
};
use crate::text::parameter_expression;
use std::fmt::{self, Display};

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program")?;
        writeln!(f, "  context: {}", self.context)?;
        writeln!(f, "  assumptions: {}", self.assumptions)?;
        self.arrays.values().try_for_each(|array| writeln!(f, "  {array}"))?;
        self.statements
            .iter()
            .try_for_each(|statement| write!(f, "{statement}"))?;
        self.kills.iter().try_for_each(|kill| write!(f, "{kill}"))
    }
}

impl Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.tuple.name().map_or("", |name| name.as_str());
        let inspected = match self.inspection {
            Some(Inspection::Values) => "inspected ",
            Some(Inspection::Rows) => "inspected for rows ",
            None => "",
        };
        write!(f, "array {name}: {inspected}{}, {} bytes", self.kind, self.element_size)?;
        for dim in 0..self.n_dims() {
            if dim > 0 && dim == self.table_dims {
                f.write_str("*")?;
            }
            match dim.checked_sub(1) {
                None => match self.outermost_size {
                    Some(size) => write!(f, ", [{size}]")?,
                    None => f.write_str(", []")?,
                },
                Some(inner) => match self.inner_sizes.get(inner) {
                    Some(size) => write!(f, "[{}]", parameter_expression(size))?,
                    None => f.write_str("[?]")?,
                },
            }
        }
        Ok(())
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(Reduction { operation, ty }) = self.reduction {
            write!(f, ", reduction {operation} {ty}")?;
        }
        write!(f, ": {}", self.relation)
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  statement {}", self.name())?;
        writeln!(f, "    domain: {}", self.domain)?;
        writeln!(f, "    schedule: {}", self.schedule)?;
        if self.trip_counts.iter().any(Option::is_some) {
            let count = |count: &Option<u64>| count.map_or("?".to_string(), |count| count.to_string());
            let counts: Vec<String> = self.trip_counts.iter().map(count).collect();
            writeln!(f, "    trip counts: {}", counts.join(", "))?;
        }
        if self.blocks > 1 {
            writeln!(f, "    blocks: {}", self.blocks)?;
        }
        if self.reloads > 0 {
            writeln!(f, "    reloads: {}", self.reloads)?;
        }
        self.accesses
            .iter()
            .try_for_each(|access| writeln!(f, "    {access}"))?;
        if !self.operations.is_empty() {
            writeln!(f, "    operations: {}", list(&self.operations))?;
        }
        if self.contracted > 0 {
            writeln!(f, "    contracted: {}", self.contracted)?;
        }
        if !self.only_in_original.is_empty() {
            writeln!(f, "    only in original: {}", list(&self.only_in_original))?;
        }
        for (key, ids) in [
            ("in registers", &self.in_registers),
            ("conditional in original", &self.conditional_in_original),
        ] {
            if !ids.is_empty() {
                let accesses: Vec<String> = ids.iter().map(|id| format!("access {}", id.0)).collect();
                writeln!(f, "    {key}: {}", accesses.join(", "))?;
            }
        }
        for AccessMoves { access, by } in &self.moves {
            let by = by.iter().map(|by| by.map_or("?".to_string(), |by| by.to_string()));
            let by: Vec<String> = by.collect();
            writeln!(f, "    moves of access {}: {}", access.0, by.join(", "))?;
        }
        self.chains.iter().try_for_each(|chain| writeln!(f, "    {chain}"))?;
        match &self.multiply_add {
            Some(multiply_add) => writeln!(f, "    {multiply_add}"),
            None => Ok(()),
        }
    }
}

impl Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chain: access {} -> access {}", self.read.0, self.write.0)?;
        match &self.operations[..] {
            [] => Ok(()),
            operations => write!(f, ": {}", list(operations)),
        }
    }
}

impl Display for MultiplyAdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factor = |reads: &[AccessId]| {
            let reads: Vec<String> = reads.iter().map(|read| format!("access {}", read.0)).collect();
            format!("({})", reads.join(", "))
        };
        let [x, y] = self.factors.each_ref().map(|reads| factor(reads));
        let (ty, addend, written) = (self.ty, self.addend.0, self.written.0);
        write!(f, "multiply-add {ty}: {x} * {y} + access {addend} -> access {written}")
    }
}

impl Display for Kill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  kill: {}", self.relation)?;
        writeln!(f, "    schedule: {}", self.schedule)
    }
}

fn list(operations: &[Operation]) -> String {
    let texts: Vec<String> = operations.iter().map(Operation::to_string).collect();
    texts.join(", ")
}
