//! The text form: what is read is written again, and errors say where they are.

use crate::random_program::{build, random_statement};
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{
    AccessId, Array, ArrayKind, Chain, ElementType, Inspection, Kill, Operation, OperationClass, Program, text,
};
use farkas_polyhedral::sets::{Aff, Set};
use proptest::prelude::*;

/// Checks that the text reads, and writes as it is.
fn check_unchanged(text: &str) {
    let programs = text::programs(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let written: String = programs.iter().map(Program::to_string).collect();
    assert_eq!(written, text);
}

#[test]
fn every_entry_is_written_as_it_is_read() {
    check_unchanged(
        "\
program
  context: [n, m] -> { : n > 0 }
  assumptions: [n, m] -> { : n <= 1000 }
  array A: memory, 8 bytes, [][n]
  array B: memory, 16 bytes, [][?][?]
  array C: temporary, 4 bytes, [][floor((n)/2)][-1 + 2n + m][64]
  array s: scalar slot, 8 bytes
  array t: temporary, 4 bytes, []
  array p: inspected memory, 4 bytes, []
  statement S
    domain: [n, m] -> { S[i, j] : 0 <= i < n and 0 <= j <= 99 }
    schedule: { S[i, j] -> [(0), (i), (j)] }
    trip counts: ?, 100
    read: [n, m] -> { S[i, j] -> A[(i), (j)] : 0 <= i < n and 0 <= j <= 99 }
    read, reduction max i64: [n, m] -> { S[i, j] -> s[] : 0 <= i < n and 0 <= j <= 99 }
    write, reduction max i64: [n, m] -> { S[i, j] -> s[] : 0 <= i < n and 0 <= j <= 99 }
    may write: [n, m] -> { S[i, j] -> t[o0] : 0 <= i < n and 0 <= j <= 99 }
    operations: 1 load f64, 1 add f64, 2 square root f32, 1 store i32
    contracted: 1
    chain: access 0 -> access 2: 1 add f64
    chain: access 1 -> access 2
    multiply-add f64: (access 0) * () + access 1 -> access 2
  statement R
    domain: [n, m] -> { R[] }
    schedule: { R[] -> [(1), (0), (0)] }
  kill: [n, m] -> { K[] -> s[] }
    schedule: { K[] -> [(2), (0), (0)] }
",
    );
}

#[test]
fn a_file_has_several_programs() {
    check_unchanged(
        "\
program
  context: { : }
  assumptions: { : }
program
  context: [n] -> { : false }
  assumptions: [n] -> { : }
  statement S
    domain: [n] -> { S[i] : false }
    schedule: { S[i] -> [(i)] }
",
    );
}

#[test]
fn what_may_be_left_out() {
    let text = "
        # a comment
program
  context: [n] -> { : n > 0 }

    # another one
  statement S
    domain: { S[i] : 0 <= i < 4 }
    schedule: { S[i] -> [i] }
    read: { S[i] -> A[i] }
";
    let program: Program = text.parse().expect("a program");
    expect![[r#"
        program
          context: [n] -> { : n > 0 }
          assumptions: [n] -> { : }
          statement S
            domain: [n] -> { S[i] : 0 <= i <= 3 }
            schedule: { S[i] -> [(i)] }
            read: [n] -> { S[i] -> A[(i)] }
    "#]]
    .assert_eq(&program.to_string());
}

/// Checks what is said of a text in which these lines follow the context.
fn check_error(lines: &str, expected: Expect) {
    let text = format!("program\n  context: [n] -> {{ : n > 0 }}\n{lines}\n");
    let error = text.parse::<Program>().expect_err("a text that is wrong");
    expected.assert_eq(&error.to_string());
}

const STATEMENT: &str = "  statement S\n    domain: { S[i] }\n    schedule: { S[i] -> [i] }\n";

#[test]
fn errors_in_arrays() {
    check_error(
        "  array A: memory",
        expect!["3:12: expected `[inspected] KIND, N bytes` or `[inspected] KIND, N bytes, [][SIZE]..`"],
    );
    check_error("  array A: memory, 8 bits", expect!["3:22: expected `bytes`"]);
    check_error(
        "  array A: memory, -8 bytes",
        expect!["3:20: expected a number of bytes, found `-8`"],
    );
    check_error(
        "  array A: heap, 8 bytes, []",
        expect!["3:12: expected one of `memory`, `scalar slot`, `expanded slot`, `temporary`, found `heap`"],
    );
    check_error(
        "  array A B: memory, 8 bytes, []",
        expect!["3:9: expected a name, found `A B`"],
    );
    check_error(
        "  array A: memory, 8 bytes, [n]",
        expect!["3:30: expected a number of elements, found `n`"],
    );
    check_error(
        "  array A: memory, 8 bytes, [][m]",
        expect!["3:32: `m` is not a parameter, dimension or variable"],
    );
    check_error(
        "  array A: memory, 8 bytes, [][n +]",
        expect!["3:35: expected an expression, found `)`"],
    );
    check_error(
        "  array A: memory, 8 bytes, [][n",
        expect!["3:29: expected `]` for each `[`"],
    );
    check_error("  array A: memory, 8 bytes, []n", expect!["3:31: expected `[`"]);
    check_error(
        "  array A: memory, 8 bytes, [][?][4]",
        expect!["3:29: expected all sizes to be known, or none"],
    );
    check_error(
        "  array A: memory, 8 bytes\n  array A: memory, 8 bytes",
        expect!["4:9: `A` is there already"],
    );
}

#[test]
fn errors_in_statements() {
    let check = |line: &str, expected| check_error(&format!("{STATEMENT}    {line}"), expected);
    check("read: { S[i] -> A[i }", expect!["6:25: expected `,`, found `}`"]);
    check(
        "read: [m] -> { S[i] -> A[i + m] }",
        expect!["6:11: expected parameters of the context, found `m`"],
    );
    check(
        "reads: { S[i] -> A[i] }",
        expect![
            "6:5: expected `read: ..`, `may write: ..`, `write: ..`, each also with `, reduction OPERATION TYPE`, or `trip counts: ..`, `blocks: ..`, `reloads: ..`, `operations: ..`, `contracted: ..`, `only in original: ..`, `in registers: ..`, `conditional in original: ..`, `moves of access N: ..`, `chain: ..` or `multiply-add TYPE: ..`"
        ],
    );
    check(
        "read, twice: { S[i] -> A[i] }",
        expect![
            "6:5: expected `read: ..`, `may write: ..`, `write: ..`, each also with `, reduction OPERATION TYPE`, or `trip counts: ..`, `blocks: ..`, `reloads: ..`, `operations: ..`, `contracted: ..`, `only in original: ..`, `in registers: ..`, `conditional in original: ..`, `moves of access N: ..`, `chain: ..` or `multiply-add TYPE: ..`"
        ],
    );
    check(
        "read",
        expect![
            "6:5: expected `read: ..`, `may write: ..`, `write: ..`, each also with `, reduction OPERATION TYPE`, or `trip counts: ..`, `blocks: ..`, `reloads: ..`, `operations: ..`, `contracted: ..`, `only in original: ..`, `in registers: ..`, `conditional in original: ..`, `moves of access N: ..`, `chain: ..` or `multiply-add TYPE: ..`"
        ],
    );
    check(
        "trip counts: many",
        expect!["6:18: expected a trip count or `?`, found `many`"],
    );
    check(
        "operations: 1 add",
        expect!["6:17: expected `COUNT CLASS TYPE`, found `1 add`"],
    );
    check(
        "operations: 1 add f64, one add f64",
        expect!["6:28: expected a number of operations, found `one`"],
    );
    check(
        "operations: 1 sine f64",
        expect![
            "6:19: expected one of `load`, `store`, `add`, `minimum`, `multiply`, `divide`, `square root`, `square root with errno`, `call`, `select`, `integer`, found `sine`"
        ],
    );
    check(
        "operations: 1 square root d",
        expect!["6:31: expected a type such as `f64` or `i32`, found `d`"],
    );
    check(
        "chain: 0 -> 1",
        expect!["6:12: expected `access R -> access W` or `access R -> access W: OPERATIONS`"],
    );
    check("in registers: 0", expect!["6:19: expected `access N`"]);
    check(
        "conditional in original: access 1, 2",
        expect!["6:40: expected `access N`"],
    );
    check(
        "chain: access 0 -> access x",
        expect!["6:31: expected a position among the accesses, found `x`"],
    );
}

#[test]
fn errors_in_the_structure() {
    check_error(
        "  loop i",
        expect!["3:3: expected `assumptions: ..`, `array NAME: ..`, `statement NAME` or `kill: ..`"],
    );
    check_error(
        "    read: { S[i] -> A[i] }",
        expect!["3:5: expected an indentation of 2 spaces or less"],
    );
    check_error(
        "   array A: memory, 8 bytes",
        expect!["3:4: expected an indentation of 2 spaces or less"],
    );
    check_error("array A: memory, 8 bytes", expect!["3:1: expected `program`"]);
    check_error("  statement S", expect!["3:13: expected `domain: ..`"]);
    check_error(
        "  statement S\n    schedule: { S[i] -> [i] }",
        expect!["4:5: expected `domain: ..`"],
    );
    check_error(
        "  statement S\n    domain: { T[i] }",
        expect!["4:13: expected instances `S[..]`"],
    );
    check_error(
        "  statement S\n    domain: { S[i] }\n  statement T",
        expect!["3:13: expected `schedule: ..`"],
    );
    check_error("  kill: { K[] -> A[] }", expect!["3:9: expected `schedule: ..`"]);
    check_error(
        "  kill: { K[] -> A[] }\n    schedule: { K[] -> [0] }\n    read: { K[] -> A[] }",
        expect!["5:5: expected nothing more of the kill"],
    );
    check_error("program", expect!["3:1: expected `context: ..`"]);
    check_error(
        "program\n  context: { : }",
        expect!["1:1: expected exactly one program"],
    );
}

fn is_equal(one: &Set, other: &Set) -> bool {
    one.is_equal(other, &Budget::unlimited()).expect("a budget without end")
}

/// The arrays; names of dimensions make no difference.
fn arrays(program: &Program) -> Vec<String> {
    program.arrays.values().map(Array::to_string).collect()
}

/// What the two programs differ in.
fn difference(one: &Program, other: &Program) -> Option<String> {
    let b = Budget::unlimited();
    let parts = [
        ("context", is_equal(&one.context, &other.context)),
        ("assumptions", is_equal(&one.assumptions, &other.assumptions)),
        ("arrays", arrays(one) == arrays(other)),
        ("statements", one.statements.len() == other.statements.len()),
        ("kills", one.kills.len() == other.kills.len()),
    ];
    if let Some((part, _)) = parts.iter().find(|(_, same)| !same) {
        return Some(part.to_string());
    }
    for (s, t) in one.statements.iter().zip(&other.statements) {
        let accesses = s.accesses.len() == t.accesses.len()
            && s.accesses.iter().zip(&t.accesses).all(|(a, b)| {
                let relations = a.relation.is_equal(&b.relation, &Budget::unlimited());
                a.kind == b.kind && a.reduction == b.reduction && relations == Ok(true)
            });
        let same = is_equal(&s.domain, &t.domain)
            && s.tuple() == t.tuple()
            && s.schedule.to_map().is_equal(&t.schedule.to_map(), &b) == Ok(true)
            && accesses
            && s.operations == t.operations
            && s.chains == t.chains
            && s.trip_counts == t.trip_counts;
        if !same {
            return Some(s.name().to_string());
        }
    }
    for (k, l) in one.kills.iter().zip(&other.kills) {
        let same = k.relation.is_equal(&l.relation, &b) == Ok(true)
            && k.schedule.to_map().is_equal(&l.schedule.to_map(), &b) == Ok(true);
        if !same {
            return Some(format!("kill {}", k.relation));
        }
    }
    None
}

fn any_operation() -> impl Strategy<Value = Operation> {
    use OperationClass::*;
    let class = prop::sample::select(vec![
        Load, Store, Add, Multiply, Divide, SquareRoot, Call, Select, Integer,
    ]);
    let bits = prop::sample::select(vec![8u16, 16, 32, 64, 128]);
    (class, bits, any::<bool>(), 1..9u32).prop_map(|(class, bits, float, count)| Operation {
        class,
        ty: if float {
            ElementType::Float(bits)
        } else {
            ElementType::Integer(bits)
        },
        count,
    })
}

/// What a statement has besides instances, order and accesses.
fn any_costs() -> impl Strategy<Value = (Vec<Operation>, Vec<Chain>, Vec<Option<u64>>)> {
    let chain =
        (0..4usize, 0..4usize, prop::collection::vec(any_operation(), 0..3)).prop_map(|(read, write, operations)| {
            Chain {
                read: AccessId(read),
                write: AccessId(write),
                operations,
            }
        });
    (
        prop::collection::vec(any_operation(), 0..4),
        prop::collection::vec(chain, 0..3),
        prop::collection::vec(prop::option::of(0..1000u64), 3),
    )
}

fn any_array() -> impl Strategy<Value = Array> {
    let kind = prop::sample::select(vec![ArrayKind::Memory, ArrayKind::ScalarSlot, ArrayKind::Temporary]);
    let sizes = prop::collection::vec(prop::sample::select(vec!["N", "2N - 7", "4", "floor(N/3) + N"]), 0..3);
    let inspection = prop::sample::select(vec![None, Some(Inspection::Values), Some(Inspection::Rows)]);
    let shape = (sizes, 0..3usize, 0..2usize);
    (kind, 1..33u64, shape, inspection).prop_map(|(kind, element_size, (sizes, unknown, table_dims), inspection)| {
        let size = |text: &str| -> Aff { format!("[N] -> {{ [({text})] }}").parse().expect("a size") };
        let n_dims = if sizes.is_empty() { unknown } else { 1 + sizes.len() };
        Array {
            tuple: farkas_polyhedral::sets::Tuple::new("extra", n_dims),
            kind,
            element_size,
            outermost_size: (kind == ArrayKind::Temporary && n_dims > 0).then_some(element_size),
            table_dims: if n_dims > 1 { table_dims.min(n_dims - 1) } else { 0 },
            inner_sizes: sizes.into_iter().map(size).collect(),
            inspection,
        }
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_as_an_equal_program(
        statements in prop::collection::vec(random_statement(), 0..=3),
        costs in prop::collection::vec(any_costs(), 3),
        array in any_array(),
        assumed in prop::sample::select(vec!["", "N <= 7", "N >= 3; : N = 0"]),
        kills in 0..2usize,
    ) {
        let mut program = build(&statements);
        for (statement, (operations, chains, counts)) in program.statements.iter_mut().zip(costs) {
            statement.operations = operations;
            statement.chains = chains;
            statement.trip_counts = counts[..statement.tuple().n()].to_vec();
        }
        program.arrays.insert(array.tuple.clone(), array);
        program.assumptions = format!("[N] -> {{ : {assumed} }}").parse().unwrap();
        let kill = Kill {
            relation: "[N] -> { K[i] -> A[a] : 0 <= i < N and a <= i }".parse().unwrap(),
            schedule: "{ K[i] -> [5, i, 0, 0, 0] }".parse().unwrap(),
        };
        program.kills = vec![kill; kills];
        let text = program.to_string();
        let read: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert_eq!(difference(&program, &read), None, "{}", text);
        let again: Program = read.to_string().parse().expect("what is written");
        prop_assert_eq!(again.to_string(), read.to_string());
    }
}
