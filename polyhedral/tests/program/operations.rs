//! Operations that depend on some reads only.

use expect_test::{Expect, expect};
use farkas_polyhedral::program::{AccessId, Program};

/// Checks how many multiplications depend on each read alone, where chains to the write have these.
fn check(chains: [u32; 3], expected: Expect) {
    let mut text = "program
  context: { : }
  assumptions: { : }
  array A: memory, 8 bytes, []
  statement S
    domain: { S[i] : 0 <= i <= 9 }
    schedule: { S[i] -> [i] }
    read: { S[i] -> A[i] }
    read: { S[i] -> A[i + 10] }
    read: { S[i] -> A[i + 20] }
    write: { S[i] -> A[i + 30] }
    operations: 3 load f64, 1 store f64, 1 add f64, 2 multiply f64
"
    .to_owned();
    for (read, multiplications) in chains.into_iter().enumerate() {
        text += &match multiplications {
            0 => format!("    chain: access {read} -> access 3: 1 add f64\n"),
            some => format!("    chain: access {read} -> access 3: 1 add f64, {some} multiply f64\n"),
        };
    }
    let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let statement = &program.statements[0];
    let multiply = statement.operations.last().expect("multiplications");
    let alone = |read| statement.operations_on(multiply, |other| other == AccessId(read));
    let all = [0, 1, 2].map(|read| alone(read).to_string());
    expected.assert_eq(&all.join(" "));
}

#[test]
fn multiplications_of_a_read_alone() {
    // (alpha * A[i]) * A[i + 10] + A[i + 20]
    check([2, 1, 0], expect!["1 0 0"]);
    // alpha * (A[i] * A[i + 10]) + A[i + 20]
    check([2, 2, 0], expect!["0 0 0"]);
    // alpha * beta * A[i] + A[i + 10] + A[i + 20]
    check([2, 0, 0], expect!["2 0 0"]);
}
