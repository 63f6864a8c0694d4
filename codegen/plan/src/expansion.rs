//! Scalar expansion: each value of a scalar slot gets an element of an array of its own.
//!
//! ```text
//! for (k)
//!   for (i > k) {
//!     f = a[i][k] / a[k][k];                      S
//!     for (j >= k) a[i][j] -= f * a[k][j];        T
//!   }
//! ```
//!
//! The slot `f` keeps the loops over `k` and `i` in order, with the one over `j` inside. In tiles of all three loops the next value of `f`
//! would come before the reads of the last one in later tiles along `j`. With `f[k][i]` in its place nothing of `f` is overwritten.
//!
//! *Contraction* makes the array small. In an order with tiles of `32 x 32 x 32` iterations, those along `j` are executed one after the
//! other, and `f[k mod 32][i mod 32]` is enough. The elements of a statement that reads are those of the instance that wrote the value.
//!
//! No function from instances of the writer to elements changes what the original order computes: there, no value is written between a
//! write and the reads of what it wrote. So it takes a check only of the new order, over the
//! [program with the array](farkas_polyhedral::program::Program::with_expansions).

mod array_copies;
mod contraction;
mod node_splitting;
mod slots;
mod strips;

pub(crate) use array_copies::{ArrayExpansion, Question};
pub(crate) use contraction::contracted;
pub(crate) use node_splitting::{PanelQuestion, PanelStrips};
pub(crate) use slots::{ExpandableSlot, expandable_slots, fully_expanded};
pub(crate) use strips::{StripDistribution, strip_distribution};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependences::ByArray;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::budget::Budget;
    use farkas_polyhedral::program::Program;
    use farkas_polyhedral::tree::Tree;

    /// `S` computes what `T` reads in an inner loop; `U` writes another slot, which `V` reads in the same iteration.
    const ELIMINATION: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array a: memory, 8 bytes, [][n]
  array f: scalar slot, 8 bytes
  array g: scalar slot, 8 bytes
  statement S
    domain: [n] -> { S[k, i] : 0 <= k < i < n }
    schedule: { S[k, i] -> [0, k, i, 0, 0] }
    read: [n] -> { S[k, i] -> a[i, k] }
    read: [n] -> { S[k, i] -> a[k, k] }
    write: [n] -> { S[k, i] -> f[] }
  statement T
    domain: [n] -> { T[k, i, j] : 0 <= k < i < n and k <= j < n }
    schedule: { T[k, i, j] -> [0, k, i, 1, j] }
    read: [n] -> { T[k, i, j] -> f[] }
    read: [n] -> { T[k, i, j] -> a[k, j] }
    read: [n] -> { T[k, i, j] -> a[i, j] }
    write: [n] -> { T[k, i, j] -> a[i, j] }
  statement U
    domain: [n] -> { U[k, i] : 0 <= k < i < n }
    schedule: { U[k, i] -> [0, k, i, 2, 0] }
    write: [n] -> { U[k, i] -> g[] }
  statement V
    domain: [n] -> { V[k, i] : 0 <= k < i < n }
    schedule: { V[k, i] -> [0, k, i, 3, 0] }
    read: [n] -> { V[k, i] -> g[] }
    write: [n] -> { V[k, i] -> a[k, i] }
  kill: [n] -> { f.end[] -> f[] }
    schedule: { f.end[] -> [1, 0, 0, 0, 0] }
  kill: [n] -> { g.end[] -> g[] }
    schedule: { g.end[] -> [1, 0, 0, 0, 0] }
";

    fn slots(program: &Program) -> Vec<ExpandableSlot> {
        let b = Budget::unlimited();
        let dependences = ByArray::of(program, &b).unwrap();
        expandable_slots(program, &dependences, &b).unwrap()
    }

    /// What the slots of the elimination need in the order of a band.
    fn check(functions: [&str; 2], expected: Expect) {
        let program: Program = ELIMINATION.parse().unwrap();
        let tree: Tree = format!(
            "domain: \"[n] -> {{ S[k, i] : 0 <= k < i < n; T[k, i, j] : 0 <= k < i < n and k <= j < n }}\"
child:
  schedule: \"[{}]\"
  permutable: 1
  child:
    schedule: \"[{}]\"
",
            functions[0], functions[1]
        )
        .parse()
        .unwrap();
        let text = match contracted(&slots(&program), &tree) {
            None => "none\n".to_owned(),
            Some((expansions, tree)) => {
                let one = |expansion: &farkas_polyhedral::program::Expansion| {
                    let subscripts: Vec<String> = expansion.subscripts.values().map(ToString::to_string).collect();
                    format!(
                        "{} {:?}: {}\n",
                        expansion.of.name().unwrap(),
                        expansion.sizes,
                        subscripts.join("; ")
                    )
                };
                let all: String = expansions.iter().map(one).collect();
                format!("{all}{tree}")
            }
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn a_slot_that_an_inner_loop_reads() {
        let slots = slots(&ELIMINATION.parse().unwrap());
        let names: Vec<String> = slots.iter().map(|slot| slot.slot.to_string()).collect();
        expect!["f[]"].assert_eq(&names.join(" "));
    }

    #[test]
    fn an_element_for_each_value_in_a_tile() {
        check(
            [
                "{ S[k, i] -> [floor(k/32)]; T[k, i, j] -> [floor(k/32)] }, { S[k, i] -> [floor(k/32)]; T[k, i, j] -> [floor(j/32)] }, { S[k, i] -> [floor(i/20)]; T[k, i, j] -> [floor(i/20)] }",
                "{ S[k, i] -> [k]; T[k, i, j] -> [k] }",
            ],
            expect![[r#"
                f [32, 32]: [n] -> { S[k, i] -> [(k), (i)] }; [n] -> { T[k, i, j] -> [(k), (i)] }
                domain: "[n] -> { S[k, i] : k >= 0 and k < i < n; T[k, i, j] : k >= 0 and k < i < n and k <= j < n }"
                child:
                  schedule: "[{ S[k, i] -> [(floor((k)/32))]; T[k, i, j] -> [(floor((k)/32))] }, { S[k, i] -> [(floor((i)/20))]; T[k, i, j] -> [(floor((i)/20))] }, { S[k, i] -> [(floor((k)/32))]; T[k, i, j] -> [(floor((j)/32))] }]"
                  child:
                    schedule: "[{ S[k, i] -> [(k)]; T[k, i, j] -> [(k)] }]"
            "#]],
        );
    }

    #[test]
    fn no_tiles() {
        check(
            [
                "{ S[k, i] -> [k]; T[k, i, j] -> [k] }, { S[k, i] -> [k]; T[k, i, j] -> [j] }",
                "{ S[k, i] -> [i]; T[k, i, j] -> [i] }",
            ],
            expect![[r#"
                none
            "#]],
        );
    }

    #[test]
    fn tiles_in_a_loop() {
        check(
            [
                "{ S[k, i] -> [k]; T[k, i, j] -> [k] }",
                "{ S[k, i] -> [floor(i/32)]; T[k, i, j] -> [floor(i/32)] }",
            ],
            expect![[r#"
                f [32]: [n] -> { S[k, i] -> [(i)] }; [n] -> { T[k, i, j] -> [(i)] }
                domain: "[n] -> { S[k, i] : k >= 0 and k < i < n; T[k, i, j] : k >= 0 and k < i < n and k <= j < n }"
                child:
                  schedule: "[{ S[k, i] -> [(k)]; T[k, i, j] -> [(k)] }]"
                  child:
                    schedule: "[{ S[k, i] -> [(floor((i)/32))]; T[k, i, j] -> [(floor((i)/32))] }]"
            "#]],
        );
    }

    #[test]
    fn large_tiles() {
        check(
            [
                "{ S[k, i] -> [floor(k/64)]; T[k, i, j] -> [floor(k/64)] }, { S[k, i] -> [floor(i/64)]; T[k, i, j] -> [floor(i/64)] }",
                "{ S[k, i] -> [k]; T[k, i, j] -> [k] }",
            ],
            expect![[r#"
                none
            "#]],
        );
    }
}
