//! The verifier: one broken program for each check.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Program, Violation};
use farkas_polyhedral::sets::Tuple;

const GOOD: &str = "\
program
  context: [n] -> { : n >= 0 }
  assumptions: [n] -> { : n <= 1000 }
  array A: memory, 8 bytes, [][n]
  array s: scalar slot, 8 bytes
  array t: temporary, 4 bytes, []
  statement S
    domain: [n] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [0, i, 0] }
    read: [n] -> { S[i] -> A[i, 0] : 0 <= i < n }
    write: [n] -> { S[i] -> t[x] : 0 <= i < n and 0 <= x <= 7 }
    read, reduction sum f64: [n] -> { S[i] -> s[] : 0 <= i < n }
    write, reduction sum f64: [n] -> { S[i] -> s[] : 0 <= i < n }
    operations: 1 load f64, 1 store i32, 2 add f64
    chain: access 0 -> access 3: 1 add f64
    chain: access 2 -> access 3: 1 add f64
  statement R
    domain: [n] -> { R[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { R[i, j] -> [1, i, j] }
    trip counts: ?, 100
    read: [n] -> { R[i, j] -> t[0] : 0 <= i < n and 0 <= j < n }
    may write: [n] -> { R[i, j] -> A[x, y] : 0 <= i < n and 0 <= j < n }
    operations: 1 call f64
  kill: [n] -> { K[] -> s[] }
    schedule: { K[] -> [2, 0, 0] }
  kill: [n] -> { L[] -> t[x] }
    schedule: { L[] -> [2, 0, 0] }
";

fn parse(text: &str) -> Program {
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_good_program() {
    assert_eq!(parse(GOOD).verify(&Budget::new(100_000)), Ok(()));
    assert!(matches!(
        parse(GOOD).verify(&Budget::new(10)),
        Err(Violation::OutOfBudget(_))
    ));
}

/// Checks what is said of the good program with another text in place of one that it has.
fn check(old: &str, new: &str, expected: Expect) {
    assert!(GOOD.contains(old), "{old}");
    let program = parse(&GOOD.replacen(old, new, 1));
    check_program(&program, expected);
}

fn check_program(program: &Program, expected: Expect) {
    let violation = program
        .verify(&Budget::new(1_000_000))
        .expect_err("a program that is wrong");
    expected.assert_eq(&violation.to_string());
}

#[test]
fn context_and_assumptions_are_of_parameters() {
    check(
        "context: [n] -> { : n >= 0 }",
        "context: [n] -> { A[i] : n >= 0 }",
        expect!["the context is not a set of parameter values, but of A[i]"],
    );
    check(
        "assumptions: [n] -> { : n <= 1000 }",
        "assumptions: [n] -> { [i] : n <= 1000 }",
        expect!["what is assumed is not a set of parameter values, but of [i]"],
    );
}

#[test]
fn parameters_are_those_of_the_program() {
    let mut program = parse(GOOD);
    program.assumptions = "[m] -> { : m > 0 }".parse().expect("a set");
    check_program(
        &program,
        expect!["the context depends on n, which is no parameter of the program"],
    );
    let mut program = parse(GOOD);
    program.statements[1].domain = "[m] -> { R[i, j] : 0 <= i < m }".parse().expect("a set");
    check_program(
        &program,
        expect!["statement R depends on m, which is no parameter of the program"],
    );
    let mut program = parse(GOOD);
    program.statements[0].accesses[0].relation = "[m] -> { S[i] -> A[i, m] }".parse().expect("a relation");
    check_program(
        &program,
        expect!["access 0 of S depends on m, which is no parameter of the program"],
    );
    let mut program = parse(GOOD);
    program.kills[0].relation = "[m] -> { K[] -> s[] : m > 0 }".parse().expect("a relation");
    check_program(
        &program,
        expect!["kill K depends on m, which is no parameter of the program"],
    );
    let mut program = parse(GOOD);
    program.arrays[0].inner_sizes = vec!["[m] -> { [(m)] }".parse().expect("an expression")];
    check_program(
        &program,
        expect!["array A depends on m, which is no parameter of the program"],
    );
}

#[test]
fn arrays_have_names_of_their_own() {
    check(
        "array s:",
        "array A: memory, 8 bytes, []\n  array s:",
        expect!["array A has the name of another one"],
    );
    let mut program = parse(GOOD);
    program.arrays[0].tuple = Tuple::new("B", 2);
    check_program(&program, expect!["array B is filed under A[i0, i1]"]);
    let mut program = parse(GOOD);
    program.arrays[0].tuple = Tuple::anonymous(2);
    check_program(
        &program,
        expect!["array [i0, i1] is [i0, i1], which is not a name with dimensions"],
    );
}

#[test]
fn elements_have_a_size() {
    check(
        "memory, 8 bytes",
        "memory, 0 bytes",
        expect!["array A has elements of 0 bytes"],
    );
}

#[test]
fn what_is_inspected_is_memory_that_is_not_written() {
    check(
        "scalar slot, 8 bytes",
        "inspected scalar slot, 8 bytes",
        expect!["array s is inspected, though it is no memory"],
    );
}

#[test]
fn tables_have_rows() {
    check(
        "scalar slot, 8 bytes",
        "memory, 8 bytes, []*",
        expect!["array s has 1 subscripts in a table, and none behind them or no memory"],
    );
}

#[test]
fn scalar_slots_have_no_dimensions() {
    check(
        "scalar slot, 8 bytes",
        "scalar slot, 8 bytes, []",
        expect!["array s is a scalar slot with 1 dimensions"],
    );
}

#[test]
fn inner_sizes_are_known_or_not() {
    let mut program = parse(GOOD);
    let size = program.arrays[0].inner_sizes[0].clone();
    program.arrays[0].inner_sizes = vec![size.clone(), size];
    check_program(
        &program,
        expect!["array A has 2 inner sizes, expected 1, or none where they are not known"],
    );
    check(
        "[][n]",
        "[][n/2]",
        expect![
            "array A has the size [n] -> { [] -> [((n)/2)] }, which is not an integer expression over the parameters"
        ],
    );
}

#[test]
fn statements_and_kills_have_names_of_their_own() {
    let again = "statement S\n    domain: { S[] }\n    schedule: { S[] -> [3, 0, 0] }\n  statement R";
    check(
        "statement R",
        again,
        expect!["statement or kill S has the name of another one"],
    );
    check(
        "K[] -> s[]",
        "S[] -> s[]",
        expect!["statement or kill S has the name of another one"],
    );
    check(
        "K[] -> s[]",
        "[] -> s[]",
        expect!["statement or kill [] is [], which is not a name with dimensions"],
    );
}

#[test]
fn schedules_are_of_their_own_instances() {
    check(
        "{ S[i] -> [0, i, 0] }",
        "{ R[i, j] -> [0, i, 0] }",
        expect!["the schedule of S is of the instances R[i, j], expected S[i]"],
    );
    check(
        "{ K[] -> [2, 0, 0] }",
        "{ K[i] -> [2, 0, 0] }",
        expect!["the schedule of K is of the instances K[i], expected K[]"],
    );
}

#[test]
fn times_are_in_one_space() {
    check(
        "{ R[i, j] -> [1, i, j] }",
        "{ R[i, j] -> [1, i, j, 0] }",
        expect!["the schedule of R has times in [i0, i1, i2, i3], expected [i0, i1, i2] as for the first statement"],
    );
    check(
        "{ S[i] -> [0, i, 0] }",
        "{ S[i] -> T[0, i, 0] }",
        expect!["the schedule of S has times in T[i0, i1, i2], expected [i0, i1, i2] as for the first statement"],
    );
    check(
        "{ K[] -> [2, 0, 0] }",
        "{ K[] -> [2] }",
        expect!["the schedule of K has times in [i0], expected [i0, i1, i2] as for the first statement"],
    );
}

#[test]
fn times_depend_on_no_parameter() {
    check(
        "{ S[i] -> [0, i, 0] }",
        "[n] -> { S[i] -> [0, i + n, 0] }",
        expect![
            "the schedule of S has the time [n] -> { S[i] -> [(n + i)] }, which depends on a parameter or is a fraction"
        ],
    );
    check(
        "{ S[i] -> [0, i, 0] }",
        "[n] -> { S[i] -> [0, i, floor(n/2)] }",
        expect![
            "the schedule of S has the time [n] -> { S[i] -> [(floor((n)/2))] }, which depends on a parameter or is a fraction"
        ],
    );
    check(
        "{ S[i] -> [0, i, 0] }",
        "{ S[i] -> [0, i/2, 0] }",
        expect!["the schedule of S has the time { S[i] -> [((i)/2)] }, which depends on a parameter or is a fraction"],
    );
}

#[test]
fn no_two_instances_have_the_same_time() {
    check(
        "{ S[i] -> [0, i, 0] }",
        "{ S[i] -> [0, floor(i/2), 0] }",
        expect!["statement S has instances at the same time as S"],
    );
    check(
        "{ R[i, j] -> [1, i, j] }",
        "{ R[i, j] -> [j, i, j] }",
        expect!["statement R has instances at the same time as S"],
    );
    check(
        "{ K[] -> [2, 0, 0] }",
        "{ K[] -> [1, 5, 5] }",
        expect!["statement R has instances at the same time as K"],
    );
}

#[test]
fn there_is_a_trip_count_for_each_dimension() {
    check("?, 100", "100", expect!["statement R has 1 trip counts, expected 2"]);
}

#[test]
fn accessed_arrays_are_there() {
    check(
        "S[i] -> A[i, 0]",
        "S[i] -> B[i, 0]",
        expect!["access 0 of S is to B[i0, i1], which is no array of the program"],
    );
    check(
        "S[i] -> A[i, 0]",
        "S[i] -> A[i]",
        expect!["access 0 of S is to A[i0], which is no array of the program"],
    );
    check(
        "K[] -> s[]",
        "K[] -> u[]",
        expect!["kill K is to u[], which is no array of the program"],
    );
}

#[test]
fn accesses_are_made_within_the_domain() {
    check(
        "A[i, 0] : 0 <= i < n",
        "A[i, 0] : 0 <= i <= n",
        expect!["access 0 of S is made by instances outside of the domain"],
    );
    check(
        "S[i] -> A[i, 0]",
        "T[i] -> A[i, 0]",
        expect!["access 0 of S is of the instances T[i], expected S[i]"],
    );
}

#[test]
fn reductions_are_pairs() {
    check(
        "write, reduction sum f64: [n] -> { S[i] -> s[]",
        "write: [n] -> { S[i] -> s[]",
        expect![
            "access 2 of S is part of a reduction of s that is not one read and one write of the same elements by one operation"
        ],
    );
    check(
        "read, reduction",
        "write, reduction",
        expect![
            "access 2 of S is part of a reduction of s that is not one read and one write of the same elements by one operation"
        ],
    );
    check(
        "write: [n] -> { S[i] -> t",
        "write, reduction sum f64: [n] -> { S[i] -> t",
        expect![
            "access 1 of S is part of a reduction of t that is not one read and one write of the same elements by one operation"
        ],
    );
    let accesses = "\
read, reduction sum f64: [n] -> { R[i, j] -> t[i] : 0 <= i < n and 0 <= j < n }
    write, reduction sum f64: [n] -> { R[i, j] -> t[j] : 0 <= i < n and 0 <= j < n }";
    check(
        "read: [n] -> { R[i, j] -> t[0] : 0 <= i < n and 0 <= j < n }",
        accesses,
        expect![
            "access 0 of R is part of a reduction of t that is not one read and one write of the same elements by one operation"
        ],
    );
    let wide = "\
read, reduction sum f64: [n] -> { R[i, j] -> t[x] : 0 <= x <= i < n and 0 <= j < n }
    write, reduction sum f64: [n] -> { R[i, j] -> t[x] : 0 <= x <= i < n and 0 <= j < n }";
    check(
        "read: [n] -> { R[i, j] -> t[0] : 0 <= i < n and 0 <= j < n }",
        wide,
        expect!["access 1 of R is part of a reduction that writes several elements"],
    );
}

#[test]
fn contracted_additions_are_listed() {
    check(
        "2 add f64\n",
        "2 add f64\n    contracted: 3\n",
        expect!["statement S has 3 contracted additions, but 2 additions of floating-point numbers"],
    );
    check(
        "1 call f64\n",
        "1 call f64\n    contracted: 1\n",
        expect!["statement R has 1 contracted additions, but 0 additions of floating-point numbers"],
    );
}

#[test]
fn operations_are_listed_once() {
    check(
        "2 add f64",
        "2 add f64, 1 add f64",
        expect!["statement S lists `1 add f64`: no such operation, or one that is listed twice"],
    );
    check(
        "2 add f64",
        "0 add f64",
        expect!["statement S lists `0 add f64`: no such operation, or one that is listed twice"],
    );
    check(
        "2 add f64",
        "2 add f0",
        expect!["statement S lists `2 add f0`: no such operation, or one that is listed twice"],
    );
    check(
        "access 3: 1 add f64",
        "access 3: 1 add f64, 1 add f64",
        expect!["chain 0 of S lists `1 add f64`: no such operation, or one that is listed twice"],
    );
}

#[test]
fn loads_and_stores_are_the_accesses_to_memory() {
    check(
        "1 load f64, ",
        "",
        expect!["statement S has 0 operations `load`, expected 1 as for accesses to memory"],
    );
    check(
        "1 load f64",
        "2 load f64",
        expect!["statement S has 2 operations `load`, expected 1 as for accesses to memory"],
    );
    check(
        "1 store i32",
        "2 store i32",
        expect!["statement S has 2 operations `store`, expected 1 as for accesses to memory"],
    );
    check(
        "1 call f64",
        "1 call f64, 2 load i32",
        expect!["statement R has 2 operations `load`, expected 1 as for accesses to memory"],
    );
}

#[test]
fn that_of_which_something_is_said_is_accessed() {
    check(
        "    chain: access 0 -> access 3",
        "    in registers: access 0, access 7\n    chain: access 0 -> access 3",
        expect!["statement S has no access 7, of which something is said"],
    );
    check(
        "    chain: access 0 -> access 3",
        "    conditional in original: access 4\n    chain: access 0 -> access 3",
        expect!["statement S has no access 4, of which something is said"],
    );
    check(
        "    chain: access 0 -> access 3",
        "    moves of access 5: 1\n    chain: access 0 -> access 3",
        expect!["statement S has no access 5, of which something is said"],
    );
}

#[test]
fn accesses_move_along_each_dimension() {
    check(
        "    chain: access 0 -> access 3",
        "    moves of access 0: 1, ?, 0, 2, 3\n    chain: access 0 -> access 3",
        expect!["statement S says how an access moves along another number of dimensions"],
    );
}

#[test]
fn products_are_added_to_what_is_written() {
    let last = "    chain: access 2 -> access 3: 1 add f64\n";
    let entry = "    multiply-add f64: (access 0) * () + access 2 -> access 3\n";
    // The statement writes to `t`, too.
    check(
        last,
        &format!("{last}{entry}"),
        expect!["statement S adds no product of what it reads to the element that it writes"],
    );
}

#[test]
fn chains_lead_from_reads_to_writes() {
    check(
        "chain: access 0 -> access 3",
        "chain: access 1 -> access 3",
        expect!["chain 0 of S does not lead from a read to a write of the statement"],
    );
    check(
        "chain: access 0 -> access 3",
        "chain: access 0 -> access 2",
        expect!["chain 0 of S does not lead from a read to a write of the statement"],
    );
    check(
        "chain: access 0 -> access 3",
        "chain: access 0 -> access 7",
        expect!["chain 0 of S does not lead from a read to a write of the statement"],
    );
    check(
        "chain: access 0 -> access 3",
        "chain: access 2 -> access 3",
        expect!["chain 1 of S has the ends of another one"],
    );
}
