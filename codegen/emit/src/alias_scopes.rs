//! Alias scopes of the new code.
//!
//! After the guard, accesses to different arrays do not overlap: each array is a scope. Within an array, LLVM cannot tell the
//! rows of a register tile apart where the length of a row is a parameter, and keeps no sum of such a tile in a register. What
//! the model knows of subscripts helps there:
//!
//! A dimension of a statement is *distinct* in an array if one of the subscripts of all the statement's accesses to the array
//! is that dimension, up to its sign and to what does not depend on the instance. Instances that differ in a distinct
//! dimension access different elements. A copy of the statement by unrolling executes instances of one [`Residue`] only: in
//!
//! ```text
//! for (c0 ..) { S(4 * c0, c1); S(4 * c0 + 1, c1); .. }
//! ```
//!
//! the first dimension is 0 modulo 4 in the first copy and 1 in the second, in whatever iterations. With `C[i][j]` in `S[i, j]`
//! the copies access different rows of `C`. Each set of residues is an alias scope: a *class*. These scopes are in a domain of
//! their own, beside that of the arrays' scopes, as all scopes of a domain have to be ruled out together.
//!
//! What holds in the innermost loop only, as in `B[i][j] += A[k][i] * B[k][j]` with `i < k` and the loop over `j` inside, has
//! [scopes of that loop](loops).

mod loops;

use std::cell::RefCell;

use farkas_llvm::Run;
use farkas_llvm::edit::Metadata;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::scop_ir::{ArrayId, IrArray, ScopIr};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::{Atom, Call, Expr, IterId, Quasi};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, AccessKind, Expansion, Program, Statement};
use indexmap::IndexMap;

pub(crate) use loops::LoopScopes;

/// The most classes of a statement in an array: each access names all others.
const MOST_CLASSES: usize = 64;

/// The distinct dimensions of each statement in each array that it writes.
pub(crate) struct DistinctDims(Vec<IndexMap<ArrayId, Vec<DistinctDim>>>);

/// A dimension whose values tell elements apart.
struct DistinctDim {
    dim: usize,
    /// The number of copies that an array has, if it does so modulo that number only.
    copies: Option<u64>,
}

impl DistinctDims {
    /// Those of a program with copies of arrays, each for a value of the new subscripts, of which there are fewer. Its arrays and statements are
    /// those of the region.
    pub(crate) fn of(program: &Program, expansions: &[Expansion], scop: &ScopIr<'_>) -> Self {
        let of_statement = |statement: &Statement| {
            let arrays = scop.arrays.iter().enumerate();
            let dims = arrays.filter_map(|(id, array)| {
                let is_own = |expansion: &&Expansion| expansion.of.name().is_some_and(|name| **name == array.name);
                let copied = expansions.iter().find(is_own);
                Some((ArrayId(id), distinct_dims(statement, &array.name, copied)?))
            });
            dims.collect()
        };
        DistinctDims(program.statements.iter().map(of_statement).collect())
    }
}

/// The distinct dimensions of a statement in an array, which may have copies; `None` if there are none, or it does not write the array.
fn distinct_dims(statement: &Statement, array: &str, copied: Option<&Expansion>) -> Option<Vec<DistinctDim>> {
    let of_array = |access: &&Access| access.array().name().is_some_and(|name| name.as_str() == array);
    let accesses: Vec<&Access> = statement.accesses.iter().filter(of_array).collect();
    if accesses.iter().all(|access| access.kind == AccessKind::Read) {
        return None;
    }
    let mut common: Option<Vec<(usize, usize, Row)>> = None;
    for access in accesses {
        let own = subscripts_of_one_dim(access);
        common = Some(match common {
            None => own,
            Some(common) => common.into_iter().filter(|one| own.contains(one)).collect(),
        });
    }
    let distinct = |(subscript, dim, _): (usize, usize, Row)| DistinctDim {
        dim,
        copies: copied.and_then(|expansion| expansion.sizes.get(subscript).copied().map(u64::from)),
    };
    let mut dims: Vec<DistinctDim> = common?.into_iter().map(distinct).collect();
    // A dimension of two subscripts is told apart by one that has no copies.
    dims.sort_by_key(|distinct| (distinct.dim, distinct.copies.is_some()));
    dims.dedup_by_key(|distinct| distinct.dim);
    (!dims.is_empty()).then_some(dims)
}

/// The subscripts that are a dimension of the statement, up to sign and invariants: the subscript's position, the dimension, and
/// the equality that says so, the same in all pieces of the relation.
fn subscripts_of_one_dim(access: &Access) -> Vec<(usize, usize, Row)> {
    let relation = &access.relation;
    let first_dim = 1 + relation.params().len();
    let first_subscript = first_dim + relation.domain_tuple().n();
    let end = first_subscript + relation.range_tuple().n();
    let of_row = |row: &Row| {
        let (dims, subscripts) = (&row[first_dim..first_subscript], &row[first_subscript..end]);
        let dim = only_unit(dims)?;
        let subscript = only_unit(subscripts)?;
        let without_locals = row[end..].iter().all(|c| c.is_zero());
        let sign = subscripts[subscript].clone();
        without_locals.then(|| (subscript, dim, row.iter().map(|c| c * &sign).collect()))
    };
    let mut pieces = relation.pieces().iter();
    let found = |piece: &farkas_polyhedral::sets::Conj| piece.eqs().iter().filter_map(of_row).collect::<Vec<_>>();
    let Some(first) = pieces.next() else { return Vec::new() };
    pieces.fold(found(first), |common, piece| {
        let own = found(piece);
        common.into_iter().filter(|one| own.contains(one)).collect()
    })
}

/// The position of the only number that is not zero, if it is 1 or -1.
fn only_unit(numbers: &[Int]) -> Option<usize> {
    let mut positions = (0..numbers.len()).filter(|k| !numbers[*k].is_zero());
    match (positions.next(), positions.next()) {
        (Some(position), None) if numbers[position].abs().is_one() => Some(position),
        _ => None,
    }
}

/// The values that a dimension has in a copy of a statement: `first ..= last` modulo `modulus`, apart from an invariant sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Residue {
    dim: usize,
    modulus: Int,
    invariant: Vec<(Atom, Int)>,
    first: Int,
    last: Int,
}

impl Residue {
    /// The residues of an argument of a call. Iterators that are `at_once` go through so many values from a lower bound up, in lanes or
    /// threads: they are known to be in an interval, and each to be a multiple of its factor.
    fn of(dim: usize, argument: &Expr, at_once: &[(IterId, &Expr, u32)]) -> Vec<Residue> {
        let Some(value) = argument.as_quasi() else {
            return Vec::new();
        };
        let residue = |(value, width): (Quasi, Int)| Residue::of_value(dim, &value, &width);
        let as_multiple = residue((value.clone(), Int::ONE));
        let as_interval = at_first_values(value, at_once).and_then(residue);
        let as_interval = as_interval.filter(|own| as_multiple.as_ref() != Some(own));
        as_multiple.into_iter().chain(as_interval).collect()
    }

    /// The residue of a value and the next ones, so many together; `None` where all occur.
    fn of_value(dim: usize, value: &Quasi, width: &Int) -> Option<Residue> {
        let mut modulus = Int::ZERO;
        let mut invariant = Vec::new();
        for (atom, coefficient) in value.terms() {
            match atom {
                Atom::Iter(_) => modulus = modulus.gcd(coefficient),
                Atom::Param(_) => invariant.push((atom.clone(), coefficient.clone())),
                Atom::Quotient(..) | Atom::Remainder(..) => return None,
            }
        }
        if modulus < 2 {
            return None;
        }
        let first = value.constant_term().mod_floor(&modulus);
        let last = &(&first + width) - &Int::ONE;
        (last < modulus).then_some(Residue {
            dim,
            modulus,
            invariant,
            first,
            last,
        })
    }

    /// The residue modulo a number of copies, where that says something.
    fn modulo(self, copies: u64) -> Option<Residue> {
        let modulus = self.modulus.gcd(&Int::from(copies));
        let first = self.first.mod_floor(&modulus);
        let last = &first + &(&self.last - &self.first);
        (last < modulus).then_some(Residue {
            modulus,
            first,
            last,
            ..self
        })
    }

    /// Whether no value has both residues.
    fn excludes(&self, other: &Residue) -> bool {
        let comparable = self.dim == other.dim && self.modulus == other.modulus && self.invariant == other.invariant;
        comparable && (self.last < other.first || other.last < self.first)
    }
}

/// A value where iterators that are `at_once` have their first values, and how many values there are from there on; `None` where that is not
/// known, or there are no such iterators.
fn at_first_values(value: &Quasi, at_once: &[(IterId, &Expr, u32)]) -> Option<(Quasi, Int)> {
    let mut value = value.clone();
    let mut width = Int::ONE;
    for (iter, lower, values) in at_once {
        let term = value.terms().iter().find(|(atom, _)| *atom == Atom::Iter(*iter));
        let Some(factor) = term.map(|(_, factor)| factor.clone()) else {
            continue;
        };
        if factor.is_neg() {
            return None;
        }
        value.add_scaled(&-&factor, &Quasi::iter(*iter));
        value.add_scaled(&factor, lower.as_quasi()?);
        width = &width + &(&factor * &Int::from(i64::from(*values) - 1));
    }
    let is_left = at_once.iter().any(|(iter, ..)| value.mentions(*iter));
    (width > Int::ONE && !is_left).then_some((value, width))
}

/// What a copy of a statement accesses of an array: the statement, and residues of its distinct dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Class {
    statement: usize,
    residues: Vec<Residue>,
}

impl Class {
    fn excludes(&self, other: &Class) -> bool {
        let pairs = || {
            self.residues
                .iter()
                .flat_map(|x| other.residues.iter().map(move |y| (x, y)))
        };
        self.statement == other.statement && pairs().any(|(x, y)| x.excludes(y))
    }
}

/// The statement instances whose accesses are emitted. By default, nothing is known of them.
#[derive(Clone, Default)]
pub(crate) struct Instances {
    /// The classes of the accesses, by arrays.
    classes: IndexMap<ArrayId, Class>,
    /// The position of the statement, and its arguments.
    call: Option<(usize, Vec<Expr>)>,
}

impl Instances {
    /// Those of a call of a statement, given by its position. Iterators that are `at_once` go through so many values from a lower bound up,
    /// in lanes or threads.
    pub(crate) fn of(
        distinct: &DistinctDims,
        statement: usize,
        call: &Call,
        at_once: &[(IterId, &Expr, u32)],
    ) -> Instances {
        let class = |(array, dims): (&ArrayId, &Vec<DistinctDim>)| {
            let residues = dims.iter().flat_map(|DistinctDim { dim, copies }| {
                let own = Residue::of(*dim, &call.arguments[*dim], at_once).into_iter();
                own.filter_map(|residue| match copies {
                    Some(copies) => residue.modulo(*copies),
                    None => Some(residue),
                })
            });
            let residues: Vec<Residue> = residues.collect();
            (!residues.is_empty()).then_some((*array, Class { statement, residues }))
        };
        Instances {
            classes: distinct.0[statement].iter().filter_map(class).collect(),
            call: Some((statement, call.arguments.clone())),
        }
    }

    /// The position of their statement.
    pub(crate) fn statement(&self) -> Option<usize> {
        self.call.as_ref().map(|(statement, _)| *statement)
    }
}

/// The alias scopes of the new code.
pub(crate) struct Aliases<'a> {
    /// For each array the list with its own scope and the list of all others, if there are others.
    lists: Vec<(Metadata<'a>, Option<Metadata<'a>>)>,
    scopes: Vec<Metadata<'a>>,
    array_of: IndexMap<Value<'a>, ArrayId>,
    /// The classes of each array, and the accesses of each class.
    classes: RefCell<IndexMap<ArrayId, IndexMap<Class, Vec<Value<'a>>>>>,
    /// What accesses are told apart by within an array.
    within: RefCell<IndexMap<Value<'a>, Within<'a>>>,
}

/// The scopes of an access beside those of arrays.
struct Within<'a> {
    array: ArrayId,
    /// Those that it is in.
    own: Vec<Metadata<'a>>,
    /// Those that it is not in.
    others: Vec<Metadata<'a>>,
}

impl<'a> Aliases<'a> {
    pub(crate) fn new(run: &'a Run<'_>, scop: &ScopIr<'a>) -> Self {
        let domain = run.distinct_node(&[run.metadata_text("farkas")], true);
        let scope = |array: &IrArray<'a>| run.distinct_node(&[domain, run.metadata_text(&array.name)], true);
        let scopes: Vec<Metadata<'a>> = scop.arrays.iter().map(scope).collect();
        let lists = (0..scopes.len())
            .map(|own| {
                let others: Vec<_> = (0..scopes.len()).filter(|k| *k != own).map(|k| scopes[k]).collect();
                let others = (!others.is_empty()).then(|| run.metadata_node(&others));
                (run.metadata_node(&[scopes[own]]), others)
            })
            .collect();
        let accesses = scop.arrays.iter().enumerate();
        let array_of = accesses
            .flat_map(|(id, array)| array.accesses.iter().map(move |v| (*v, ArrayId(id))))
            .collect();
        Aliases {
            lists,
            scopes,
            array_of,
            classes: RefCell::default(),
            within: RefCell::default(),
        }
    }

    /// Declares the scopes of arrays where the builder stands, if there are several arrays.
    pub(crate) fn declare(&self, run: &'a Run<'_>, builder: &Builder<'a>) {
        if self.lists.len() > 1 {
            self.lists.iter().for_each(|(own, _)| run.declare_scope(builder, *own));
        }
    }

    /// The array that a load or a store accesses.
    pub(crate) fn array_of(&self, original: Value<'a>) -> Option<ArrayId> {
        self.array_of.get(&original).copied()
    }

    /// Gives the clone of an access its scopes in place of the original's, which hold for the original order only. Notes its
    /// class.
    pub(crate) fn attach(&self, run: &'a Run<'_>, original: Value<'a>, clone: Value<'a>, instances: &Instances) {
        run.detach(clone, "alias.scope");
        run.detach(clone, "noalias");
        let Some(array) = self.array_of.get(&original) else {
            return;
        };
        let (own, others) = &self.lists[array.0];
        if let Some(others) = others {
            run.attach(clone, "alias.scope", *own);
            run.attach(clone, "noalias", *others);
        }
        if let Some(class) = instances.classes.get(array) {
            let mut all = self.classes.borrow_mut();
            let of_array = all.entry(*array).or_default();
            let of_statement = of_array.keys().filter(|own| own.statement == class.statement);
            if of_array.contains_key(class) || of_statement.count() < MOST_CLASSES {
                of_array.entry(class.clone()).or_default().push(clone);
            }
        }
    }

    /// Says of a call that it accesses no array of the region. If there is one array only, nothing is said.
    pub(crate) fn attach_none(&self, run: &'a Run<'_>, call: Value<'a>) {
        if self.lists.len() > 1 {
            run.attach(call, "noalias", run.metadata_node(&self.scopes));
        }
    }

    /// Says of a call that of all arrays of the region it accesses only the one of an original access. What it accesses besides may be
    /// anything: the call is in no scope itself.
    pub(crate) fn attach_others(&self, run: &'a Run<'_>, original: Value<'a>, call: Value<'a>) {
        let own = self.array_of.get(&original).map(|array| &self.lists[array.0]);
        if let Some((_, Some(others))) = own {
            run.attach(call, "noalias", *others);
        }
    }

    /// Gives accesses the scopes of their classes, and those of loops. Declares those of classes where the builder stands: in front of
    /// all accesses.
    pub(crate) fn attach_within(&self, run: &'a Run<'_>, builder: &Builder<'a>) {
        for (array, classes) in self.classes.borrow().iter() {
            let classes: Vec<(&Class, &[Value<'a>])> = classes.iter().map(|(class, all)| (class, &all[..])).collect();
            self.tell_apart(run, builder, *array, &classes, |one, other| one.excludes(other));
        }
        for (access, within) in self.within.borrow().iter() {
            let array = within.array;
            let other_arrays = (0..self.scopes.len()).filter(|k| *k != array.0).map(|k| self.scopes[k]);
            let others: Vec<Metadata<'a>> = other_arrays.chain(within.others.iter().copied()).collect();
            let of_array = (self.scopes.len() > 1).then(|| self.scopes[array.0]);
            let own: Vec<Metadata<'a>> = within.own.iter().copied().chain(of_array).collect();
            run.attach(*access, "alias.scope", run.metadata_node(&own));
            run.attach(*access, "noalias", run.metadata_node(&others));
        }
    }

    /// Makes a scope for each set of accesses of an array that does not overlap another one, and declares them where the builder stands.
    fn tell_apart<T>(
        &self,
        run: &'a Run<'_>,
        builder: &Builder<'a>,
        array: ArrayId,
        sets: &[(T, &[Value<'a>])],
        are_apart: impl Fn(&T, &T) -> bool,
    ) {
        let n = sets.len();
        let mut excluded: Vec<Vec<usize>> = vec![Vec::new(); n];
        for one in 0..n {
            for other in 0..one {
                if are_apart(&sets[one].0, &sets[other].0) {
                    excluded[one].push(other);
                    excluded[other].push(one);
                }
            }
        }
        if excluded.iter().all(Vec::is_empty) {
            return;
        }
        let domain = run.distinct_node(&[run.metadata_text("farkas.copies")], true);
        let scope_of = |others: &Vec<usize>| (!others.is_empty()).then(|| run.distinct_node(&[domain], true));
        let scopes: Vec<Option<Metadata<'a>>> = excluded.iter().map(scope_of).collect();
        let mut within = self.within.borrow_mut();
        for (position, scope) in scopes.iter().enumerate() {
            let Some(scope) = *scope else { continue };
            run.declare_scope(builder, run.metadata_node(&[scope]));
            for access in sets[position].1 {
                let within = within.entry(*access).or_insert_with(|| Within {
                    array,
                    own: Vec::new(),
                    others: Vec::new(),
                });
                within.own.push(scope);
                within
                    .others
                    .extend(excluded[position].iter().filter_map(|other| scopes[*other]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Residue, distinct_dims};
    use expect_test::{Expect, expect};
    use farkas_polyhedral::ast::{Expr, IterId, ParamId, Quasi};
    use farkas_polyhedral::int::Int;
    use farkas_polyhedral::program::Program;

    /// The sum `constant + factor * c0 + n`, the last only if `with_param`.
    fn sum(constant: i64, factor: i64, with_param: bool) -> Expr {
        let mut sum = Quasi::constant(constant);
        sum.add_scaled(&Int::from(factor), &Quasi::iter(IterId(0)));
        if with_param {
            sum.add_scaled(&Int::ONE, &Quasi::param(ParamId(0)));
        }
        Expr::Quasi(sum)
    }

    fn check(x: Expr, y: Expr, expected: Expect) {
        let [x, y] = [x, y].map(|argument| Residue::of(0, &argument, &[]).pop());
        let show = |residue: &Option<Residue>| match residue {
            Some(Residue { first, modulus, .. }) => format!("{first} mod {modulus}"),
            None => "any".to_owned(),
        };
        let excluded = matches!((&x, &y), (Some(x), Some(y)) if x.excludes(y));
        expected.assert_eq(&format!("{}, {}, excluded: {excluded}", show(&x), show(&y)));
    }

    /// The distinct dimensions of a statement with these accesses in `C`.
    fn check_dims(accesses: &str, expected: Expect) {
        let program = format!(
            "program
  context: [n] -> {{ : }}
  assumptions: [n] -> {{ : }}
  array C: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> {{ S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }}
    schedule: {{ S[i, j, k] -> [i, j, k] }}
{accesses}
"
        );
        let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
        let distinct = distinct_dims(&program.statements[0], "C", None);
        let dims = distinct.map(|dims| dims.iter().map(|distinct| distinct.dim).collect::<Vec<_>>());
        expected.assert_eq(&format!("{dims:?}"));
    }

    #[test]
    fn a_dimension_is_distinct_if_all_accesses_have_it_in_the_same_subscript() {
        check_dims(
            "    read: [n] -> { S[i, j, k] -> C[i, j] }\n    write: [n] -> { S[i, j, k] -> C[i, j] }",
            expect!["Some([0, 1])"],
        );
        check_dims(
            "    read: [n] -> { S[i, j, k] -> C[i, j] }\n    write: [n] -> { S[i, j, k] -> C[i + 1, j] }",
            expect!["Some([1])"],
        );
        check_dims(
            "    read: [n] -> { S[i, j, k] -> C[j, i] }\n    write: [n] -> { S[i, j, k] -> C[i, j] }",
            expect!["None"],
        );
        check_dims(
            "    write: [n] -> { S[i, j, k] -> C[2i, n - 1 - j] }",
            expect!["Some([1])"],
        );
        check_dims("    write: [n] -> { S[i, j, k] -> C[i + j, k] }", expect!["Some([2])"]);
    }

    #[test]
    fn arrays_that_are_read_only_need_no_classes() {
        check_dims("    read: [n] -> { S[i, j, k] -> C[i, j] }", expect!["None"]);
    }

    #[test]
    fn copies_of_an_unrolled_loop_have_residues_of_their_own() {
        check(
            sum(0, 4, false),
            sum(1, 4, false),
            expect!["0 mod 4, 1 mod 4, excluded: true"],
        );
        check(
            sum(4, 4, false),
            sum(0, 4, false),
            expect!["0 mod 4, 0 mod 4, excluded: false"],
        );
        check(
            sum(-1, 4, false),
            sum(3, 4, false),
            expect!["3 mod 4, 3 mod 4, excluded: false"],
        );
    }

    #[test]
    fn all_values_of_a_loop_are_no_class() {
        check(
            sum(0, 1, false),
            sum(1, 4, false),
            expect!["any, 1 mod 4, excluded: false"],
        );
    }

    #[test]
    fn different_moduli_or_invariants_tell_nothing() {
        check(
            sum(0, 4, false),
            sum(1, 8, false),
            expect!["0 mod 4, 1 mod 8, excluded: false"],
        );
        check(
            sum(0, 4, true),
            sum(1, 4, false),
            expect!["0 mod 4, 1 mod 4, excluded: false"],
        );
    }

    /// The residues of a value with an iterator that goes through so many values from `16 * c1 + 8` on.
    fn check_at_once(argument: Expr, values: u32, expected: Expect) {
        let lower = Expr::Quasi(Quasi::iter(IterId(1)).scaled(&Int::from(16)).plus(8));
        let residues = Residue::of(0, &argument, &[(IterId(0), &lower, values)]);
        let text = |residue: &Residue| format!("{} to {} mod {}", residue.first, residue.last, residue.modulus);
        expected.assert_eq(&residues.iter().map(text).collect::<Vec<_>>().join(", "));
    }

    #[test]
    fn lanes_go_through_several_values() {
        check_at_once(sum(0, 1, false), 8, expect!["8 to 15 mod 16"]);
        check_at_once(sum(0, 1, false), 16, expect![""]);
    }

    #[test]
    fn threads_with_neighbours_have_multiples_in_an_interval() {
        check_at_once(sum(1, 4, false), 8, expect!["1 to 1 mod 4, 33 to 61 mod 64"]);
        check_at_once(sum(1, 4, false), 16, expect!["1 to 1 mod 4"]);
    }
}
