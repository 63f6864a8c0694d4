//! Parametric counting, against enumeration.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Rat;
use farkas_polyhedral::sets::{CountError, Map, PwQuasiPolynomial, Set};
use proptest::prelude::*;

fn shown(counted: Result<PwQuasiPolynomial, CountError>) -> String {
    counted.map_or_else(|error| error.to_string(), |card| card.to_string())
}

/// The number of elements of a set.
fn check(set: &str, expected: Expect) {
    let set: Set = set.parse().expect("a set");
    expected.assert_eq(&shown(set.card(&Budget::new(1_000_000))));
}

/// The numbers of images of a relation, and their sum.
fn check_images(map: &str, expected: Expect) {
    let map: Map = map.parse().expect("a relation");
    let b = Budget::new(1_000_000);
    let images = map.card(&b);
    let pairs = images.clone().and_then(|images| images.sum(&b));
    expected.assert_eq(&format!("{}\nin all {}", shown(images), shown(pairs)));
}

#[test]
fn polynomials() {
    check(
        "{ [i, j, k] : 0 <= i, j, k < 1000000 }",
        expect!["{ 1000000000000000000 }"],
    );
    check("[n] -> { [i] : 0 <= i < n }", expect!["[n] -> { n : n > 0 }"]);
    check(
        "[n] -> { [i, j] : 0 <= j <= i < n }",
        expect!["[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }"],
    );
    check(
        "[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }",
        expect!["[n, m] -> { n * m : m > 0 and n > 0 }"],
    );
    check(
        "[n] -> { [i, j, k] : 0 <= i < j < k < n }",
        expect!["[n] -> { (1/3 * n - 1/2 * n^2 + 1/6 * n^3) : n >= 3 }"],
    );
    check(
        "[n] -> { [i] : 0 <= i <= n and n = 5 }",
        expect!["[n] -> { 6 : n = 5 }"],
    );
    check("[n] -> { [i] : i = n }", expect!["[n] -> { 1 }"]);
    check("[n] -> { [i] : false }", expect!["[n] -> { }"]);
    check(
        "[n] -> { [n] : n > 3; [] }".replace("; []", "").as_str(),
        expect!["[n] -> { 1 : n >= 4 }"],
    );
}

#[test]
fn several_bounds() {
    check(
        "[n, m] -> { [i] : 0 <= i < n and i < m }",
        expect!["[n, m] -> { n : m >= n and n > 0; m : 0 < m < n }"],
    );
    check(
        "[n] -> { [i] : 0 <= i < n or 5 <= i < 10 }",
        expect!["[n] -> { (5 + n) : 0 < n <= 5; 10 : 6 <= n <= 9; n : n >= 10; 5 : n <= 0 }"],
    );
    check(
        "[n] -> { [i, j] : i, j >= 0 and i + j <= n and j <= 3 }",
        expect!["[n] -> { (-2 + 4 * n) : n >= 3; (1 + 3/2 * n + 1/2 * n^2) : 0 <= n <= 2 }"],
    );
}

#[test]
fn residues() {
    check(
        "[n] -> { [i] : 0 <= 2i < n }",
        expect!["[n] -> { (1/2 + 1/2 * n) : ((1 + n) mod 2) = 0 and n > 0; 1/2 * n : ((n) mod 2) = 0 and n >= 2 }"],
    );
    check(
        "[n] -> { [i] : 0 <= i < n and i mod 3 = 1 }",
        expect![
            "[n] -> { (1/3 + 1/3 * n) : ((1 + n) mod 3) = 0 and n >= 2; 1/3 * n : ((n) mod 3) = 0 and n >= 3; (-1/3 + 1/3 * n) : ((2 + n) mod 3) = 0 and n >= 4 }"
        ],
    );
    check("[n] -> { [i] : 2i = n }", expect!["[n] -> { 1 : ((n) mod 2) = 0 }"]);
    check("{ [i, j] : 0 <= i < 100 and 0 <= 2j <= i }", expect!["{ 2550 }"]);
    check(
        "{ [i] : exists (a: i = 3a or i = 5a) and 0 <= i < 1000 }",
        expect!["{ 467 }"],
    );
    check(
        "[n] -> { [i] : 0 <= i < n and floor(i/4) = 2 }",
        expect!["[n] -> { (-8 + n) : 9 <= n <= 12; 4 : n >= 13 }"],
    );
    check(
        "[n] -> { [t, i] : t = floor(i/8) and 0 <= i < 8n }",
        expect!["[n] -> { 8 * n : n > 0 }"],
    );
}

#[test]
fn errors() {
    check("[n] -> { [i] : i >= n }", expect!["there is no end of elements"]);
    check(
        "[n] -> { [i] : 0 <= 1000i <= n }",
        expect!["not known as a quasi-polynomial"],
    );
    let cube: Set = "{ [i] : 0 <= i < 9 }".parse().expect("a set");
    assert_eq!(shown(cube.card(&Budget::new(2))), "out of budget");
}

#[test]
fn images() {
    check_images(
        "{ [i] -> [j] : 0 <= j <= i < 10 }",
        expect![[r#"
        { [i] -> (1 + i) : 0 <= i <= 9 }
        in all { 55 }"#]],
    );
    check_images(
        "[n] -> { S[i] -> A[j, k] : 0 <= i < n and i <= j, k < n }",
        expect![[r#"
            [n] -> { S[i] -> (n^2 - 2 * n * i + i^2) : 0 <= i < n }
            in all [n] -> { (1/6 * n + 1/2 * n^2 + 1/3 * n^3) : n > 0 }"#]],
    );
    check_images(
        "[n] -> { [i] -> [j] : 0 <= i < n and 0 <= 2j <= i }",
        expect![[r#"
            [n] -> { [i] -> (1 + 1/2 * i) : ((i) mod 2) = 0 and 0 <= i < n; [i] -> (1/2 + 1/2 * i) : ((1 + i) mod 2) = 0 and 0 < i < n }
            in all [n] -> { (1/4 + 1/2 * n + 1/4 * n^2) : ((1 + n) mod 2) = 0 and n > 0; (1/2 * n + 1/4 * n^2) : ((n) mod 2) = 0 and n >= 2 }"#]],
    );
}

#[test]
fn sums_of_functions() {
    let b = Budget::new(1_000_000);
    let card = |text: &str| text.parse::<Set>().expect("a set").card(&b).expect("a number");
    let sum = card("[n] -> { [i] : 0 <= i < n }").add(&card("[m] -> { [i] : 0 <= i < m }"), &b);
    expect!["[n, m] -> { (n + m) : n > 0 and m > 0; n : n > 0 and m <= 0; m : m > 0 and n <= 0 }"]
        .assert_eq(&sum.expect("a sum").to_string());
    let sum = card("[n] -> { [i] : 0 <= i < n }").add(&card("[n] -> { [i] : 0 <= i < 5 }"), &b);
    expect!["[n] -> { (5 + n) : n > 0; 5 : n <= 0 }"].assert_eq(&sum.expect("a sum").to_string());
}

/// A constraint `row + factor floor(numerator / den) >= 0`, or `= 0`, over `1`, `n`, `m`, `i`, `j`, `k`.
#[derive(Clone, Debug)]
struct Constraint {
    row: Vec<i64>,
    factor: i64,
    numerator: Vec<i64>,
    den: i64,
    is_equality: bool,
}

impl Constraint {
    fn text(&self) -> String {
        let sum = |row: &[i64]| {
            let terms = row[1..].iter().zip(["n", "m", "i", "j", "k"]);
            let terms = terms.filter(|(c, _)| **c != 0).map(|(c, name)| format!(" + {c}{name}"));
            format!("{}{}", row[0], terms.collect::<String>()).replace("+ -", "- ")
        };
        let sign = if self.is_equality { "=" } else { ">=" };
        match self.factor {
            0 => format!("{} {sign} 0", sum(&self.row)),
            factor => format!(
                "{factor} * floor(({})/{}) + {} {sign} 0",
                sum(&self.numerator),
                self.den,
                sum(&self.row)
            ),
        }
    }

    fn holds(&self, point: &[i64; 5]) -> bool {
        let value = |row: &[i64]| row[0] + row[1..].iter().zip(point).map(|(c, x)| c * x).sum::<i64>();
        let value = value(&self.row) + self.factor * value(&self.numerator).div_euclid(self.den);
        value == 0 || value > 0 && !self.is_equality
    }
}

fn constraint() -> impl Strategy<Value = Constraint> {
    let row = || {
        prop::collection::vec(
            prop_oneof![3 => Just(0), 3 => Just(1), 3 => Just(-1), 1 => -3..=3i64],
            6,
        )
    };
    let factor = prop_oneof![3 => Just(0), 1 => -2..=2i64];
    (row(), -8..=8i64, factor, row(), 2..=4i64, 0..6u8).prop_map(
        |(mut row, constant, factor, numerator, den, equality)| {
            row[0] = constant;
            Constraint {
                row,
                factor,
                numerator,
                den,
                is_equality: equality == 0,
            }
        },
    )
}

/// The number of points of a box that satisfy all constraints of one of the pieces.
fn enumerated(pieces: &[Vec<Constraint>], [n, m]: [i64; 2]) -> i64 {
    let range = -3..=5i64;
    let mut count = 0;
    for i in range.clone() {
        for j in range.clone() {
            for k in range.clone() {
                let holds = |piece: &Vec<Constraint>| piece.iter().all(|c| c.holds(&[n, m, i, j, k]));
                count += i64::from(pieces.iter().any(holds));
            }
        }
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 4096, ..ProptestConfig::with_cases(64) })]

    /// Values of quasi-polynomials are numbers of elements. The sets are within a box.
    #[test]
    fn counts_are_those_of_enumeration(
        pieces in prop::collection::vec(prop::collection::vec(constraint(), 1..4), 1..3),
    ) {
        let texts: Vec<String> = pieces
            .iter()
            .map(|piece| piece.iter().map(Constraint::text).collect::<Vec<_>>().join(" and "))
            .collect();
        let text = format!("[n, m] -> {{ [i, j, k] : -3 <= i, j, k <= 5 and (({})) }}", texts.join(") or ("));
        let set: Set = text.parse().expect("a set");
        let card = set.card(&Budget::new(1_000_000));
        prop_assert!(!matches!(card, Err(CountError::Infinite)), "{} is within a box", text);
        // There may be too many cases.
        prop_assume!(card.is_ok());
        let card = card.expect("a number");
        let b = Budget::unlimited();
        for params in [[0, 0], [1, 0], [0, 1], [5, 3], [3, 5], [-4, 2], [7, -7], [-2, -3], [11, 2]] {
            let value = card.evaluate(&params.map(Int::from), &[], &b).expect("no end of budget");
            let expected = Rat::from(Int::from(enumerated(&pieces, params)));
            prop_assert_eq!(value, expected, "{} at {:?}: {}", text, params, card);
        }
    }
}
