//! Whether a program is well-formed: what its types leave open.

use super::{
    Access, AccessId, AccessKind, Array, ArrayKind, Chain, ElementType, Kill, MultiplyAdd, Operation, OperationClass,
    Program, Statement,
};
use crate::budget::{Budget, OutOfBudget, Outcome};
use crate::linalg::Row;
use crate::sets::{Map, MultiAff, Name, Params, Tuple};
use indexmap::IndexSet;

/// Why a program is not well-formed, or that it is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// Something is not as it should be.
    #[error("{place} {flaw}")]
    Malformed {
        /// What is malformed: `statement S`, `access 2 of S`, `array A`.
        place: String,
        /// What is wrong with it.
        flaw: Flaw,
    },
}

/// What is wrong with a part of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A set of parameter values has dimensions.
    #[error("is not a set of parameter values, but of {0}")]
    NotOfParameters(Tuple),
    /// A parameter is not one of the program's.
    #[error("depends on {0}, which is no parameter of the program")]
    UnknownParameter(Name),
    /// A tuple that stands for something has no name, or nests others.
    #[error("is {0}, which is not a name with dimensions")]
    NotNamed(Tuple),
    /// Two of a kind have the same name.
    #[error("has the name of another one")]
    SameName,
    /// An array is filed under another tuple.
    #[error("is filed under {0}")]
    WrongKey(Tuple),
    /// Elements have no size.
    #[error("has elements of 0 bytes")]
    NoElementSize,
    /// The outermost dimension has the size 0.
    #[error("has no elements")]
    NoElements,
    /// A scalar slot has dimensions.
    #[error("is a scalar slot with {0} dimensions")]
    SlotWithDimensions(usize),
    /// There is no subscript behind those that select an address, or no array in memory.
    #[error("has {0} subscripts in a table, and none behind them or no memory")]
    NoRows(usize),
    /// An inspector would look at what is not there in front of the program.
    #[error("is inspected, though it is no memory")]
    InspectedThoughNoMemory,
    /// Some sizes are known and others are not, or there are too many.
    #[error("has {found} inner sizes, expected {expected}, or none where they are not known")]
    InnerSizes {
        /// One for each dimension but the outermost.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A size is not an integer expression over the parameters.
    #[error("has the size {0}, which is not an integer expression over the parameters")]
    BadSize(String),
    /// A schedule or a relation starts from other instances.
    #[error("is of the instances {found}, expected {expected}")]
    OtherInstances {
        /// Those of the statement.
        expected: Tuple,
        /// What it is of.
        found: Tuple,
    },
    /// Times are not in the space of the first schedule's.
    #[error("has times in {found}, expected {expected} as for the first statement")]
    TimeSpace {
        /// The space of the first schedule's times.
        expected: Tuple,
        /// The space of this one's.
        found: Tuple,
    },
    /// A time depends on a parameter, or is a fraction.
    #[error("has the time {0}, which depends on a parameter or is a fraction")]
    BadTime(String),
    /// Two instances have the same time.
    #[error("has instances at the same time as {0}")]
    SameTime(Name),
    /// The numbers of trip counts and of dimensions differ.
    #[error("has {found} trip counts, expected {expected}")]
    TripCounts {
        /// The number of dimensions.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An array is not there, or with another number of dimensions.
    #[error("is to {0}, which is no array of the program")]
    UnknownArray(Tuple),
    /// Something is accessed by what is not executed.
    #[error("is made by instances outside of the domain")]
    OutsideDomain,
    /// A list of operations has an entry with a count or a type of 0, or two that are one.
    #[error("lists `{0}`: no such operation, or one that is listed twice")]
    BadOperation(Operation),
    /// More additions than there are may be rounded together with products.
    #[error("has {contracted} contracted additions, but {additions} additions of floating-point numbers")]
    TooManyContracted {
        /// How many are contracted.
        contracted: u32,
        /// How many there are.
        additions: u32,
    },
    /// Numbers of loads or stores and of accesses differ.
    #[error("has {listed} operations `{class}`, expected {accesses} as for accesses to memory")]
    AccessCount {
        /// Loads or stores.
        class: OperationClass,
        /// How many operations are listed.
        listed: u64,
        /// How many accesses there are.
        accesses: u64,
    },
    /// A chain does not start at a read, or does not end at a write.
    #[error("does not lead from a read to a write of the statement")]
    BadChain,
    /// Two chains have the same ends.
    #[error("has the ends of another one")]
    SameChain,
    /// The accesses of a product that is added to an element are others.
    #[error("adds no product of what it reads to the element that it writes")]
    BadMultiplyAdd,
    /// How an access moves is not said for each dimension.
    #[error("says how an access moves along another number of dimensions")]
    BadMoves,
    /// An access of which something is said is none of the statement.
    #[error("has no access {0}, of which something is said")]
    NoSuchAccess(usize),
    /// The accesses of a reduction are not one read and one write of the same elements, or do not say the same operation.
    #[error("is part of a reduction of {0} that is not one read and one write of the same elements by one operation")]
    BadReduction(Name),
    /// A reduction writes several elements for sure.
    #[error("is part of a reduction that writes several elements")]
    WideReduction,
}

type Checked = Result<(), Violation>;

/// The violation that something at a place has a flaw.
fn malformed(place: impl Into<String>, flaw: Flaw) -> Violation {
    Violation::Malformed {
        place: place.into(),
        flaw,
    }
}

/// Fails with the flaw if it is one.
fn check(fine: bool, place: impl Into<String>, flaw: impl FnOnce() -> Flaw) -> Checked {
    match fine {
        true => Ok(()),
        false => Err(malformed(place, flaw())),
    }
}

impl Program {
    /// Checks that the program is well-formed.
    ///
    /// Parameters:
    ///
    /// - Context and assumptions are sets of parameter values. The parameters of the program are those of its assumptions.
    /// - The context, domains, relations and inner sizes depend on these parameters only.
    ///
    /// Arrays:
    ///
    /// - Each has a name of its own, is filed under its own tuple, and has elements of at least one byte.
    /// - A scalar slot has no dimensions.
    /// - Inner sizes are known for all dimensions but the outermost, or for none. They are integer expressions over the
    ///   parameters.
    ///
    /// Statements and kills:
    ///
    /// - Each has a name of its own.
    /// - Schedules are of their own instances. Their times are tuples without names, with as many dimensions everywhere,
    ///   integers, and depend on no parameter.
    /// - No two instances of statements have the same time for parameter values in the context, and none has the time of a kill.
    ///   Several kills may come at once.
    /// - There is a trip count, known or not, for each dimension of a statement.
    ///
    /// Accesses and kills:
    ///
    /// - The array is one of the program's, with as many dimensions.
    /// - Accesses are made by instances of the domain only, for parameter values in the context.
    /// - The accesses of a statement to an array that are a reduction are one read and one write, of the same elements. What is
    ///   written for sure is one element. (Other writes may be of many: those of `memset`.)
    ///
    /// Operations:
    ///
    /// - A list has no class twice with the same type, and nothing without bits or a count.
    /// - A statement that lists operations has as many loads (stores) as reads (writes) of arrays that are no scalar slots. Calls may
    ///   access memory, too: with them, it has at most as many.
    /// - A chain leads from a read to a write of its statement. No two chains have the same ends.
    /// - Accesses whose values are in registers, that are conditional in the original, or whose moves are known, are those of their statement;
    ///   moves are along each dimension.
    /// - A product that is added is one of reads, to the element that the statement's only write is of, which a read of its own is of, too.
    ///
    /// # Errors
    ///
    /// The first violation in this order, or that the budget is spent.
    pub fn verify(&self, b: &Budget) -> Result<(), Violation> {
        let verifier = Verifier { program: self, b };
        verifier.parameters()?;
        let mut names = IndexSet::new();
        self.arrays
            .iter()
            .try_for_each(|(key, array)| verifier.array(names.insert(array.tuple.name()), key, array))?;
        verifier.names()?;
        self.statements
            .iter()
            .try_for_each(|s| verifier.schedule(s.tuple(), &s.schedule))?;
        let kills = self.kills.iter();
        kills
            .clone()
            .try_for_each(|kill| verifier.schedule(kill.relation.domain_tuple(), &kill.schedule))?;
        verifier.times()?;
        self.statements.iter().try_for_each(|s| verifier.statement(s))?;
        kills.clone().try_for_each(|kill| verifier.kill(kill))
    }
}

struct Verifier<'p> {
    program: &'p Program,
    b: &'p Budget,
}

/// The name of a statement or a kill in messages.
fn named(tuple: &Tuple) -> String {
    tuple.name().map_or_else(|| tuple.to_string(), Name::to_string)
}

/// Whether the tuple is a name with dimensions.
fn is_plain(tuple: &Tuple) -> bool {
    tuple.name().is_some() && tuple.nested().is_none()
}

impl Verifier<'_> {
    fn known(&self, place: impl Into<String>, params: &Params) -> Checked {
        let known = self.program.assumptions.params();
        let other = params.names().iter().find(|name| known.position_of(name).is_none());
        other.map_or(Ok(()), |name| {
            Err(malformed(place, Flaw::UnknownParameter(name.clone())))
        })
    }

    fn parameters(&self) -> Checked {
        let Program {
            context, assumptions, ..
        } = self.program;
        for (name, set) in [("the context", context), ("what is assumed", assumptions)] {
            check(set.tuple().is_unit(), name, || {
                Flaw::NotOfParameters(set.tuple().clone())
            })?;
        }
        self.known("the context", context.params())
    }

    fn array(&self, is_first: bool, key: &Tuple, array: &Array) -> Checked {
        let place = || format!("array {}", named(&array.tuple));
        check(is_plain(&array.tuple), place(), || Flaw::NotNamed(array.tuple.clone()))?;
        check(*key == array.tuple, place(), || Flaw::WrongKey(key.clone()))?;
        check(is_first, place(), || Flaw::SameName)?;
        check(array.element_size > 0, place(), || Flaw::NoElementSize)?;
        check(array.outermost_size != Some(0), place(), || Flaw::NoElements)?;
        let slot = array.kind == ArrayKind::ScalarSlot;
        check(!slot || array.n_dims() == 0, place(), || {
            Flaw::SlotWithDimensions(array.n_dims())
        })?;
        let has_rows = array.kind == ArrayKind::Memory && array.table_dims < array.n_dims();
        check(array.table_dims == 0 || has_rows, place(), || {
            Flaw::NoRows(array.table_dims)
        })?;
        let is_memory = array.kind == ArrayKind::Memory;
        check(array.inspection.is_none() || is_memory, place(), || {
            Flaw::InspectedThoughNoMemory
        })?;
        let (expected, found) = (array.n_dims().saturating_sub(1), array.inner_sizes.len());
        check(found == 0 || found == expected, place(), || Flaw::InnerSizes {
            expected,
            found,
        })?;
        for size in &array.inner_sizes {
            self.known(place(), size.params())?;
            let of_params = size.space().tuple.n() == 0 && size.den().is_one();
            check(of_params, place(), || Flaw::BadSize(size.to_string()))?;
        }
        Ok(())
    }

    /// The tuples of statements and kills.
    fn tuples(&self) -> impl Iterator<Item = &Tuple> {
        let statements = self.program.statements.iter().map(Statement::tuple);
        statements.chain(self.program.kills.iter().map(|kill| kill.relation.domain_tuple()))
    }

    fn names(&self) -> Checked {
        let mut seen: IndexSet<&Name> = IndexSet::new();
        for tuple in self.tuples() {
            let place = || format!("statement or kill {}", named(tuple));
            let name = tuple.name().filter(|_| is_plain(tuple));
            let name = name.ok_or_else(|| malformed(place(), Flaw::NotNamed(tuple.clone())))?;
            check(seen.insert(name), place(), || Flaw::SameName)?;
        }
        Ok(())
    }

    fn schedule(&self, tuple: &Tuple, schedule: &MultiAff) -> Checked {
        let place = || format!("the schedule of {}", named(tuple));
        let (found, times) = (&schedule.space().domain, &schedule.space().range);
        check(found == tuple, place(), || Flaw::OtherInstances {
            expected: tuple.clone(),
            found: found.clone(),
        })?;
        let first = self
            .program
            .statements
            .first()
            .map_or(times.n(), |first| first.schedule.len());
        let expected = Tuple::anonymous(first);
        check(*times == expected, place(), || Flaw::TimeSpace {
            expected,
            found: times.clone(),
        })?;
        for aff in schedule.affs() {
            let params = aff.params().len();
            let involved = |row: &Row| (0..params).any(|param| !row[1 + param].is_zero());
            let fine = aff.den().is_one() && !involved(aff.row()) && !aff.divs().iter().any(|div| involved(&div.num));
            check(fine, place(), || Flaw::BadTime(aff.to_string()))?;
        }
        Ok(())
    }

    /// The times of instances for parameter values in the context.
    fn times_of(&self, statement: &Statement) -> Map {
        let executed = statement.domain.intersect_params(&self.program.context);
        statement.schedule.to_map().intersect_domain(&executed)
    }

    fn times(&self) -> Checked {
        let statements = &self.program.statements;
        let times: Vec<Map> = statements.iter().map(|statement| self.times_of(statement)).collect();
        for (index, (statement, own)) in statements.iter().zip(&times).enumerate() {
            let same =
                |other: &Name| malformed(format!("statement {}", statement.name()), Flaw::SameTime(other.clone()));
            if !own.is_injective(self.b)? {
                return Err(same(statement.name()));
            }
            for (other, others) in statements.iter().zip(&times).take(index) {
                if !apart(&statement.schedule, &other.schedule) && self.meet(own, others)? {
                    return Err(same(other.name()));
                }
            }
            for kill in self
                .program
                .kills
                .iter()
                .filter(|kill| !apart(&statement.schedule, &kill.schedule))
            {
                let reached = kill.schedule.to_map().intersect_params(&self.program.context);
                // An exact domain takes a projection; what is killed nowhere has no time.
                let reached = reached.intersect_domain(&kill.relation.domain(self.b)?);
                if self.meet(own, &reached)? {
                    let tuple = kill.relation.domain_tuple();
                    return Err(same(tuple.name().expect("kills have names")));
                }
            }
        }
        Ok(())
    }

    /// Whether two instances have the same time.
    fn meet(&self, one: &Map, other: &Map) -> Outcome<bool> {
        Ok(!one.join(&other.reverse()).is_empty(self.b)?)
    }

    fn statement(&self, statement: &Statement) -> Checked {
        let place = || format!("statement {}", statement.name());
        self.known(place(), statement.domain.params())?;
        let (expected, found) = (statement.tuple().n(), statement.trip_counts.len());
        check(found == expected, place(), || Flaw::TripCounts { expected, found })?;
        for (index, access) in statement.accesses.iter().enumerate() {
            self.access(statement, index, access)?;
        }
        operations(place, &statement.operations)?;
        let additions = statement.operations.iter().filter(|operation| {
            operation.class == OperationClass::Add && matches!(operation.ty, ElementType::Float(_))
        });
        let additions = additions.fold(0_u32, |sum, operation| sum.saturating_add(operation.count));
        check(statement.contracted <= additions, place(), || Flaw::TooManyContracted {
            contracted: statement.contracted,
            additions,
        })?;
        self.access_counts(statement)?;
        for (index, chain) in statement.chains.iter().enumerate() {
            check_chain(statement, index, chain)?;
        }
        if let Some(multiply_add) = &statement.multiply_add {
            let is_one = is_multiply_add(statement, multiply_add);
            check(is_one, place(), || Flaw::BadMultiplyAdd)?;
        }
        let moving = statement.moves.iter().map(|moves| &moves.access);
        let marked = statement.in_registers.iter().chain(&statement.conditional_in_original);
        for access in marked.chain(moving) {
            let is_known = access.0 < statement.accesses.len();
            check(is_known, place(), || Flaw::NoSuchAccess(access.0))?;
        }
        let n = statement.tuple().n();
        let has_all = statement.moves.iter().all(|moves| moves.by.len() == n);
        check(has_all, place(), || Flaw::BadMoves)
    }

    fn relation(&self, place: impl Fn() -> String, relation: &Map) -> Checked {
        self.known(place(), relation.params())?;
        let array = relation.range_tuple();
        let known = self.program.arrays.contains_key(array);
        check(known, place(), || Flaw::UnknownArray(array.clone()))
    }

    fn access(&self, statement: &Statement, index: usize, access: &Access) -> Checked {
        let place = || format!("access {index} of {}", statement.name());
        let found = access.relation.domain_tuple();
        check(found == statement.tuple(), place(), || Flaw::OtherInstances {
            expected: statement.tuple().clone(),
            found: found.clone(),
        })?;
        self.relation(place, &access.relation)?;
        let made = access.relation.intersect_params(&self.program.context);
        let outside = made.subtract_domain(&statement.domain, self.b)?;
        check(outside.is_empty(self.b)?, place(), || Flaw::OutsideDomain)?;
        match access.reduction {
            Some(_) => self.reduction(place, statement, access),
            None => Ok(()),
        }
    }

    /// Checks the pair that an access of a reduction is part of.
    fn reduction(&self, place: impl Fn() -> String, statement: &Statement, access: &Access) -> Checked {
        let all = statement.accesses.iter();
        let parts: Vec<&Access> = all
            .filter(|other| other.reduction.is_some() && other.array() == access.array())
            .collect();
        let array = access.array().name().expect("an array has a name");
        let bad = || Flaw::BadReduction(array.clone());
        let is_read = |access: &Access| access.kind == AccessKind::Read;
        let [one, other] = parts[..] else {
            return Err(malformed(place(), bad()));
        };
        check(is_read(one) != is_read(other), place(), bad)?;
        check(one.reduction == other.reduction, place(), bad)?;
        let elements = |access: &Access| access.relation.intersect_params(&self.program.context);
        let same = elements(one).is_equal(&elements(other), self.b)?;
        check(same, place(), bad)?;
        let surely = access.kind == AccessKind::MustWrite;
        let fine = !surely || elements(access).is_single_valued(self.b)?;
        check(fine, place(), || Flaw::WideReduction)
    }

    fn access_counts(&self, statement: &Statement) -> Checked {
        if statement.operations.is_empty() {
            return Ok(());
        }
        let count = |class| -> u64 {
            let all = statement.operations.iter().filter(|operation| operation.class == class);
            all.map(|operation| u64::from(operation.count)).sum()
        };
        let calls = count(OperationClass::Call) > 0;
        for class in [OperationClass::Load, OperationClass::Store] {
            let of_class = statement.accesses.iter().filter(|access| {
                let reads = access.kind == AccessKind::Read;
                reads == (class == OperationClass::Load)
                    && self.program.arrays[access.array()].kind != ArrayKind::ScalarSlot
            });
            let (listed, accesses) = (count(class), of_class.count() as u64);
            let fine = listed == accesses || calls && listed < accesses;
            check(fine, format!("statement {}", statement.name()), || Flaw::AccessCount {
                class,
                listed,
                accesses,
            })?;
        }
        Ok(())
    }

    fn kill(&self, kill: &Kill) -> Checked {
        let place = || format!("kill {}", named(kill.relation.domain_tuple()));
        self.relation(place, &kill.relation)
    }
}

/// Whether the two schedules have constants that differ in the same place, so that no times are equal.
fn apart(one: &MultiAff, other: &MultiAff) -> bool {
    let pairs = one.affs().iter().zip(other.affs());
    pairs
        .into_iter()
        .any(|(one, other)| match (one.as_constant(), other.as_constant()) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        })
}

fn operations(place: impl Fn() -> String, operations: &[Operation]) -> Checked {
    let mut seen = IndexSet::new();
    for operation in operations {
        let there = operation.count > 0 && operation.ty.bits() > 0;
        let fine = there && seen.insert((operation.class, operation.ty));
        check(fine, place(), || Flaw::BadOperation(*operation))?;
    }
    Ok(())
}

fn is_multiply_add(statement: &Statement, own: &MultiplyAdd) -> bool {
    let access = |id: AccessId| statement.accesses.get(id.0);
    let is_read = |id: &AccessId| access(*id).is_some_and(|access| access.kind == AccessKind::Read);
    let is_factor = |id: &AccessId| is_read(id) && *id != own.addend;
    let (Some(addend), Some(written)) = (access(own.addend), access(own.written)) else {
        return false;
    };
    let writes = statement
        .accesses
        .iter()
        .filter(|access| access.kind != AccessKind::Read);
    let is_sum = is_read(&own.addend) && written.kind == AccessKind::MustWrite && addend.has_elements_of(written);
    is_sum && writes.count() == 1 && own.factors.iter().flatten().all(is_factor)
}

fn check_chain(statement: &Statement, index: usize, chain: &Chain) -> Checked {
    let place = || format!("chain {index} of {}", statement.name());
    let kind = |access: super::AccessId| statement.accesses.get(access.0).map(|access| access.kind);
    let writes = matches!(kind(chain.write), Some(AccessKind::MayWrite | AccessKind::MustWrite));
    check(kind(chain.read) == Some(AccessKind::Read) && writes, place(), || {
        Flaw::BadChain
    })?;
    let ends = |chain: &Chain| (chain.read, chain.write);
    let before = statement.chains[..index].iter();
    check(!before.map(ends).any(|other| other == ends(chain)), place(), || {
        Flaw::SameChain
    })?;
    operations(place, &chain.operations)
}
