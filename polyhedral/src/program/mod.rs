//! The polyhedral model of a piece of a program: what is executed, in which order, what it accesses, and what it computes.

mod array;
mod operation;

pub use array::{Array, ArrayId, ArrayKind};
pub use operation::{Chain, ElementType, Operation, OperationClass};

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Conj, Map, MultiAff, Name, Params, Set, SetSpace, Tuple};
use indexmap::IndexMap;

/// Index into [`Program::statements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub usize);

/// Index into [`Statement::accesses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessId(pub usize);

/// How an access touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Reads the elements.
    Read,
    /// Writes some of the elements, or none.
    MayWrite,
    /// Writes all of the elements.
    MustWrite,
}

/// An access of a statement to an array.
#[derive(Clone, Debug)]
pub struct Access {
    /// What is done.
    pub kind: AccessKind,
    /// From instances of the statement to elements of the array; the range's tuple names the array.
    pub relation: Map,
    /// Whether this is a part of a *reduction*: those of a statement's accesses to an array that are read an element, combine
    /// its value with another one by an operation that is associative and commutative, and write the result to the same
    /// element. As far as that goes, the statement's instances may come in any order.
    pub reduction: bool,
}

impl Access {
    /// The accessed array.
    pub fn array(&self) -> &Tuple {
        self.relation.range_tuple()
    }
}

/// A statement: a piece of straight-line code that is executed once for each instance. An instance reads all that it
/// reads before it writes.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The instances. The tuple names the statement; no two statements have the same.
    pub domain: Set,
    /// The accesses, each within the domain.
    pub accesses: Vec<Access>,
    /// The original order: an instance is executed before another if its value is lexicographically smaller. The range
    /// is the same anonymous tuple for all statements, and no two instances have the same value. It depends on no parameter.
    pub schedule: MultiAff,
    /// What an instance computes, one entry for each class and type.
    pub operations: Vec<Operation>,
    /// The operations between reads and writes, one entry for each pair in which the write depends on the read. Two
    /// accesses without an entry do not depend on each other within an instance.
    pub chains: Vec<Chain>,
    /// For each dimension, about how often its loop goes round, where a profile or the source says so. The domain says it
    /// better where its bounds are constant.
    pub trip_counts: Vec<Option<u64>>,
}

impl Statement {
    /// The statement with these instances, order and accesses, which computes nothing.
    pub fn new(domain: Set, schedule: MultiAff, accesses: Vec<Access>) -> Statement {
        Statement {
            trip_counts: vec![None; domain.tuple().n()],
            domain,
            accesses,
            schedule,
            operations: Vec::new(),
            chains: Vec::new(),
        }
    }

    /// The tuple of the domain.
    pub fn tuple(&self) -> &Tuple {
        self.domain.tuple()
    }

    /// The name of the statement.
    pub fn name(&self) -> &Name {
        self.tuple().name().expect("a statement has a name")
    }
}

/// The polyhedral model of a piece of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What is known of the parameters.
    pub context: Set,
    /// The parameter values for which the model is right. Whoever replaces the program has to check them.
    pub assumptions: Set,
    /// The arrays, by the tuples that name them in accesses. The position is the [`ArrayId`].
    pub arrays: IndexMap<Tuple, Array>,
    /// The statements, in textual order.
    pub statements: Vec<Statement>,
    /// Where values cease to be of interest.
    pub kills: Vec<Kill>,
}

/// Bounds of parameters from here on are those of their types.
const FAR: i64 = 1 << 20;

impl Program {
    /// The program of these statements for the parameter values in `context`, without assumptions and kills. Its arrays are
    /// those that are accessed: scalar slots where they have no dimensions, and otherwise in memory, of 8 bytes an element
    /// and without known sizes.
    pub fn of_statements(context: Set, statements: Vec<Statement>) -> Program {
        let mut program = Program {
            assumptions: Set::universe(SetSpace::params_only(context.params().clone())),
            context,
            arrays: IndexMap::new(),
            statements,
            kills: Vec::new(),
        };
        program.add_missing_arrays();
        program
    }

    fn add_missing_arrays(&mut self) {
        let accesses = self.statements.iter().flat_map(|statement| &statement.accesses);
        for access in accesses {
            let tuple = access.array();
            self.arrays.entry(tuple.clone()).or_insert_with(|| Array {
                tuple: tuple.clone(),
                kind: match tuple.n() {
                    0 => ArrayKind::ScalarSlot,
                    _ => ArrayKind::Memory,
                },
                element_size: 8,
                inner_sizes: Vec::new(),
            });
        }
    }

    /// The statement.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.0]
    }

    /// The statement of this tuple.
    pub fn find_statement(&self, tuple: &Tuple) -> Option<StatementId> {
        let position = self.statements.iter().position(|statement| statement.tuple() == tuple);
        position.map(StatementId)
    }

    /// The array.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0]
    }

    /// The array of this tuple.
    pub fn find_array(&self, tuple: &Tuple) -> Option<ArrayId> {
        self.arrays.get_index_of(tuple).map(ArrayId)
    }

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
}

/// A place across which some elements carry no value, as the end of the scope of a variable.
#[derive(Clone, Debug)]
pub struct Kill {
    /// From what is like the instances of a statement, with a tuple that no statement has, to the elements.
    pub relation: Map,
    /// When it is reached, as [`Statement::schedule`].
    pub schedule: MultiAff,
}

impl Program {
    /// The name of the reference (`flow::derive`) that is the access `access` of the statement `statement`.
    ///
    /// # Panics
    ///
    /// If there is no such access.
    pub fn reference(&self, statement: StatementId, AccessId(access): AccessId) -> Name {
        let statement = self.statement(statement);
        assert!(
            access < statement.accesses.len(),
            "access {access} of {}",
            statement.name()
        );
        format!("{}_{access}", statement.name()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, AccessKind, Kill, Program, Statement};
    use crate::budget::Budget;
    use crate::sets::{Map, MultiAff};

    #[test]
    fn parameters_that_nothing_depends_on_are_left_out() {
        let schedule: MultiAff = "{ S[i] -> [(i)] }".parse().expect("a function");
        let relation = |text: &str| -> Map { text.parse().expect("a relation") };
        let read = Access {
            kind: AccessKind::Read,
            relation: relation("[n, m, ld, k] -> { S[i] -> A[i + m] }"),
            reduction: false,
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
        let context = "[n, m] -> { : 2 <= n <= 2147483647 and -2147483648 <= m <= 64 }".parse();
        let program = Program::of_statements(context.expect("a set"), Vec::new());
        let context = program.without_far_bounds().context;
        assert_eq!(context.to_string(), "[n, m] -> { : n >= 2 and m <= 64 }");
    }
}
