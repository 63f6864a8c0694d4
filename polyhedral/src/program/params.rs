//! Programs over fewer parameters, and with less known of them: what is left out makes no difference to dependences.

use super::{Access, Kill, Program, Statement};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Conj, Name, Params, Set};

/// Bounds of parameters from here on are those of their types, the smallest one of which is that of 16 bits.
const FAR: i64 = (1 << 15) - 1;

impl Program {
    /// Whether what is executed, accessed or killed depends on the parameter.
    fn depends_on(&self, param: &Name) -> bool {
        let involves = |params: &Params, pieces: &[Conj]| {
            let position = params.position_of(param);
            position.is_some_and(|p| pieces.iter().any(|piece| piece.involves(p, 1)))
        };
        let accesses = self.statements.iter().flat_map(|statement| &statement.accesses);
        let kills = self.kills.iter().map(|kill| &kill.relation);
        let mut relations = accesses.map(|access| &access.relation).chain(kills);
        let mut domains = self.statements.iter().map(|statement| &statement.domain);
        domains.any(|domain| involves(domain.params(), domain.pieces()))
            || relations.any(|relation| involves(relation.params(), relation.pieces()))
    }

    /// The same program without the parameters that nothing depends on which is executed, accessed or killed. Assumptions and
    /// sizes of arrays keep theirs.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn without_unused_params(&self, b: &Budget) -> Outcome<Program> {
        let names = self.context.params().names().iter();
        let unused: Vec<&str> = names.filter(|name| !self.depends_on(name)).map(Name::as_str).collect();
        if unused.is_empty() {
            return Ok(self.clone());
        }
        let access = |access: &Access| {
            Ok(Access {
                kind: access.kind,
                relation: access.relation.project_out_params(&unused, b)?,
                reduction: access.reduction,
            })
        };
        let statement = |statement: &Statement| {
            Ok(Statement {
                domain: statement.domain.project_out_params(&unused, b)?,
                accesses: statement.accesses.iter().map(access).collect::<Outcome<_>>()?,
                ..statement.clone()
            })
        };
        let kill = |kill: &Kill| {
            Ok(Kill {
                relation: kill.relation.project_out_params(&unused, b)?,
                schedule: kill.schedule.clone(),
            })
        };
        Ok(Program {
            context: self.context.project_out_params(&unused, b)?,
            assumptions: self.assumptions.clone(),
            arrays: self.arrays.clone(),
            statements: self.statements.iter().map(statement).collect::<Outcome<_>>()?,
            kills: self.kills.iter().map(kill).collect::<Outcome<_>>()?,
        })
    }

    /// The program for all parameter values but what the context excludes close to zero. That a parameter fits in its type
    /// tells no dependence from another, but two more constraints for each parameter would be in all of them.
    #[must_use]
    pub fn without_far_bounds(&self) -> Program {
        let far = Int::from(FAR);
        let mut pieces = self.context.pieces().to_vec();
        pieces
            .iter_mut()
            .for_each(|piece| piece.keep_ineqs(|row| row[0].abs() < far));
        Program {
            context: Set::from_conjs(self.context.space().clone(), pieces),
            ..self.clone()
        }
    }

    /// What the context says of the largest values of parameters.
    pub fn upper_bounds(&self) -> Set {
        let mut pieces = self.context.pieces().to_vec();
        pieces
            .iter_mut()
            .for_each(|piece| piece.keep_ineqs(|row| row[1..].iter().any(Int::is_neg)));
        Set::from_conjs(self.context.space().clone(), pieces)
    }
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::program::{Access, AccessKind, Kill, Program, Statement};
    use crate::sets::{Map, MultiAff};

    #[test]
    fn parameters_that_nothing_depends_on_are_left_out() {
        let schedule: MultiAff = "{ S[i] -> [(i)] }".parse().expect("a function");
        let relation = |text: &str| -> Map { text.parse().expect("a relation") };
        let read = Access {
            kind: AccessKind::Read,
            relation: relation("[n, m, ld, k] -> { S[i] -> A[i + m] }"),
            reduction: None,
        };
        let domain = "[n, m, ld, k] -> { S[i] : 0 <= i < n }".parse().expect("a set");
        let context = "[n, m, ld, k] -> { : n >= 2 and 0 <= ld <= 64 }".parse();
        let statements = vec![Statement::new(domain, schedule.clone(), vec![read])];
        let kills = vec![Kill {
            relation: relation("[n, m, ld, k] -> { K[] -> A[a] : a < k }"),
            schedule,
        }];
        let program = Program {
            kills,
            ..Program::of_statements(context.expect("a set"), statements)
        };
        let used = program
            .without_unused_params(&Budget::unlimited())
            .expect("a budget without end");
        assert_eq!(used.context.to_string(), "[n, m, k] -> { : n >= 2 }");
        let statement = &used.statements[0];
        assert_eq!(statement.domain.to_string(), "[n, m, k] -> { S[i] : 0 <= i < n }");
        let read = &statement.accesses[0].relation;
        assert_eq!(read.to_string(), "[n, m, k] -> { S[i] -> A[(m + i)] }");
        let kill = &used.kills[0].relation;
        assert_eq!(kill.to_string(), "[n, m, k] -> { K[] -> A[a] : a < k }");
    }

    #[test]
    fn far_bounds_are_left_out() {
        let context = "[n, m, k] -> { : 2 <= n <= 2147483647 and -2147483648 <= m <= 64 and -32768 <= k <= 32767 }";
        let program = Program::of_statements(context.parse().expect("a set"), Vec::new());
        let context = program.without_far_bounds().context;
        assert_eq!(context.to_string(), "[n, m, k] -> { : n >= 2 and m <= 64 }");
        assert_eq!(
            program.without_far_bounds().upper_bounds().to_string(),
            "[n, m, k] -> { : m <= 64 }"
        );
    }
}
