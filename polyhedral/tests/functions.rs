//! Quasi-affine functions, their pieces and unions: text in and text out.

mod text;

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{
    Aff, Map, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, UnionMap, UnionPwAff, UnionPwMultiAff,
    UnionSet,
};
use farkas_polyhedral::text::ParseError;
use std::fmt::Display;
use std::str::FromStr;
use text::{budget, check, map, parse, set};

/// The text is read, and printed; what is printed reads as the same text.
fn check_text<T: FromStr<Err = ParseError> + Display>(text: &str, expected: Expect) {
    let printed = parse::<T>(text).to_string();
    expected.assert_eq(&printed);
    assert_eq!(parse::<T>(&printed).to_string(), printed);
}

fn pw(text: &str) -> PwAff {
    parse(text)
}

fn pma(text: &str) -> PwMultiAff {
    parse(text)
}

#[test]
fn texts_of_piecewise_expressions() {
    let check = check_text::<PwAff>;
    check(
        "[n] -> { [i] -> [(i + 1)] : i >= 0; [i] -> [(0)] : i < 0 }",
        expect!["[n] -> { [i] -> [(1 + i)] : i >= 0; [i] -> [(0)] : i < 0 }"],
    );
    check("{ S[i] -> [(floor((i)/2))] }", expect!["{ S[i] -> [(floor((i)/2))] }"]);
    check(
        "{ S[i] -> [i/2] : i mod 4 = 2 }",
        expect!["{ S[i] -> [((i)/2)] : ((i) mod 4) = 2 }"],
    );
    check(
        "{ [i] -> [min(i, 3)] }",
        expect!["{ [i] -> [(i)] : i <= 3; [i] -> [(3)] : i >= 4 }"],
    );
    check(
        "{ [i, j] -> [max(i, j, 0)] }",
        expect![[r#"
            { [i, j] -> [(i)] : j <= i and i >= 0; [i, j] -> [(0)] : (j <= i and i < 0) or i < j < 0; [i, j] -> [(j)] : j > i and j >= 0 }"#]],
    );
    check(
        "{ [i] -> [i >= 0 ? i : -i] }",
        expect!["{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }"],
    );
    check(
        "{ [i] -> [i mod 2 = 0 and i > 0 ? 1 : i < -5 ? 2 : 3] }",
        expect![[r#"
            { [i] -> [(1)] : ((i) mod 2) = 0 and i > 0; [i] -> [(2)] : (((i) mod 2) = 1 and i <= -6) or (((i) mod 2) = 0 and i <= -6); [i] -> [(3)] : (((i) mod 2) = 1 and i >= -5) or (((i) mod 2) = 0 and -5 <= i <= 0) }"#]],
    );
    check(
        "{ [i] -> [i % 2 ? 1 : 0] }",
        expect!["{ [i] -> [(1)] : ((i) mod 2) = 1; [i] -> [(0)] : ((i) mod 2) = 0 }"],
    );
    check(
        "{ [i] -> [2 (i >= 0 ? i : 0) + 1] }",
        expect!["{ [i] -> [(1 + 2i)] : i >= 0; [i] -> [(1)] : i < 0 }"],
    );
    check(
        "{ [i] -> [((i) : i >= 0; (0) : i < 0)] }",
        expect!["{ [i] -> [(i)] : i >= 0; [i] -> [(0)] : i < 0 }"],
    );
    check(
        "{ [i] -> [ceil(i/2) + i % 3] : i > 3 or i < -3 }",
        expect!["{ [i] -> [(2i - floor((i)/2) - 3*floor((i)/3))] : i >= 4 or i <= -4 }"],
    );
    check(
        "[n] -> { [n] : n > 0 or (n < -5 and n mod 2 = 0) }",
        expect!["[n] -> { [] -> [(n)] : n > 0 or (((n) mod 2) = 0 and n <= -6) }"],
    );
    check("{ [i] -> [i] : false }", expect!["{ [i] -> [(0)] : false }"]);
    check("{ [i, 3] -> [i] }", expect!["{ [i, i1] -> [(i)] : i1 = 3 }"]);
    check(
        "{ [A[i] -> B[j]] -> [i + j] }",
        expect!["{ [A[i] -> B[j]] -> [(i + j)] }"],
    );
    check("{ [i] -> [min(i, infinity)] }", expect!["{ [i] -> [(i)] }"]);
}

#[test]
fn texts_of_piecewise_tuples() {
    let check = check_text::<PwMultiAff>;
    check(
        "{ S[i, j] -> A[(i), (j + 1)] }",
        expect!["{ S[i, j] -> A[(i), (1 + j)] }"],
    );
    check("{ S[i] -> A[] : i > 0 }", expect!["{ S[i] -> A[] : i > 0 }"]);
    check(
        "{ S[i] -> A[i, 0] : i > 0; S[i] -> A[0, i] : i <= 0 }",
        expect!["{ S[i] -> A[(i), (0)] : i > 0; S[i] -> A[(0), (i)] : i <= 0 }"],
    );
    check(
        "{ S[i] -> N[B[i] -> [C[] -> [i + 1]]] }",
        expect!["{ S[i] -> N[B[(i)] -> [C[] -> [(1 + i)]]] }"],
    );
    check(
        "[n] -> { A[n, 2] : n > 2 }",
        expect!["[n] -> { [] -> A[(n), (2)] : n >= 3 }"],
    );
    check(
        "{ S[i] -> A[i, 0] : false }",
        expect!["{ S[i] -> A[(0), (0)] : false }"],
    );
    check(
        "{ S[i] -> A[max(i, 0), min(i, 9)] }",
        expect!["{ S[i] -> A[(i), (i)] : 0 <= i <= 9; S[i] -> A[(i), (9)] : i >= 10; S[i] -> A[(0), (i)] : i < 0 }"],
    );
    let check = check_text::<MultiPwAff>;
    check(
        "{ A[i] -> [((i) : i >= 0; (0) : i < 0), (i)] }",
        expect!["{ A[i] -> [((i) : i >= 0; (0) : i < 0), (i)] }"],
    );
    check(
        "{ A[i] -> B[((i) : i >= 0 and i < 5 or i = 7), (i)] }",
        expect!["{ A[i] -> B[((i) : 0 <= i <= 4 or i = 7), (i)] }"],
    );
    check("{ A[i] -> [] : i >= 0 }", expect!["{ A[i] -> [] : i >= 0 }"]);
    check("{ A[i] -> [((1) : false)] }", expect!["{ A[i] -> [((0) : false)] }"]);
    check(
        "{ A[i] -> B[i, i] : i >= 0 }",
        expect!["{ A[i] -> B[((i) : i >= 0), ((i) : i >= 0)] }"],
    );
}

#[test]
fn texts_of_unions() {
    let check = check_text::<UnionPwAff>;
    check(
        "[n] -> { S[i] -> [(i)]; T[i] -> [(0)] }",
        expect!["[n] -> { S[i] -> [(i)]; T[i] -> [(0)] }"],
    );
    check(
        "{ S[i] -> [i] : i > 0; T[] -> [3]; S[i] -> [-i] : i < 0 }",
        expect!["{ S[i] -> [(i)] : i > 0; S[i] -> [(-i)] : i < 0; T[] -> [(3)] }"],
    );
    check("{ }", expect!["{ }"]);
    let check = check_text::<UnionPwMultiAff>;
    check(
        "[n] -> { S[i] -> A[(i)] : i > 3 or i < -3; T[i] -> [B[] -> C[n]]; [n, 2] }",
        expect!["[n] -> { S[i] -> A[(i)] : i >= 4 or i <= -4; T[i] -> [B[] -> C[(n)]]; [] -> [(n), (2)] }"],
    );
    let check = check_text::<MultiUnionPwAff>;
    check(
        "[{ S[i] -> [(i)] }, { S[i] -> [2i] }]",
        expect!["[{ S[i] -> [(i)] }, { S[i] -> [(2i)] }]"],
    );
    check(
        "[n] -> L4[{ S[i] -> [i + n]; T[] -> [0] }]",
        expect!["[n] -> L4[{ S[i] -> [(n + i)]; T[] -> [(0)] }]"],
    );
    check(
        "(L4[] : { S[i] : i > 0; T[] })",
        expect!["(L4[] : { S[i] : i > 0; T[] })"],
    );
    check("L4[]", expect!["(L4[] : { })"]);
    check("[]", expect!["([] : { })"]);
    check(
        "[n] -> ([{ S[i] -> [i] }] : { S[i] : i < n })",
        expect!["[n] -> [{ S[i] -> [(i)] : i < n }]"],
    );
}

#[test]
fn errors_say_where_and_what() {
    fn error<T: FromStr<Err = ParseError>>(text: &str) -> ParseError {
        match text.parse::<T>() {
            Ok(_) => panic!("{text} is read"),
            Err(error) => error,
        }
    }
    check(
        error::<PwAff>("{ [i] -> [i] : i >= 0; [i] -> [0] : i <= 1 }"),
        expect!["1:24: this piece has another value than an earlier one where both are defined"],
    );
    check(
        error::<PwAff>("{ [i] -> [(i : i >= 0; 0 : i <= 1)] }"),
        expect!["1:24: this piece has another value than an earlier one where both are defined"],
    );
    check(
        error::<PwAff>("{ [i] -> [i, 0] }"),
        expect!["1:3: expected a single expression, `S[i] -> [i + 1]`"],
    );
    check(
        error::<PwAff>("{ [i] -> A[i] }"),
        expect!["1:3: expected a tuple without a name, `S[i] -> [i + 1]`"],
    );
    check(
        error::<PwAff>("{ [i] -> [i]; [i, j] -> [i] }"),
        expect!["1:1: expected an expression on one tuple"],
    );
    check(
        error::<PwAff>("{ [i] -> [infinity] }"),
        expect!["1:10: infinity and NaN are not values of an expression"],
    );
    check(
        error::<PwAff>("{ [i] -> [i > 0 ? 1] }"),
        expect!["1:20: expected `:`, found `]`"],
    );
    check(
        error::<PwAff>("{ [i] -> [min(i)"),
        expect!["1:17: expected `,`, found the end of the text"],
    );
    check(
        error::<PwAff>("{ [i] -> [floor(i, 2)] }"),
        expect!["1:11: `floor` has another number of arguments than 2"],
    );
    check(error::<PwAff>("{ [i] -> [i / 0] }"), expect!["1:13: division by zero"]);
    check(
        error::<PwAff>("{ [i] -> [i / i] }"),
        expect!["1:13: a divisor has to be an integer constant"],
    );
    check(
        error::<PwAff>("{ [i] -> [j] }"),
        expect!["1:10: `j` is not a parameter, dimension or variable"],
    );
    check(
        error::<PwAff>("{ [i] -> [*] }"),
        expect!["1:10: expected an expression, found `*`"],
    );
    check(
        error::<PwAff>("{ : true }"),
        expect!["1:3: expected a tuple of expressions of a tuple, `S[i] -> [i + 1]`"],
    );
    check(
        error::<PwMultiAff>("{ [i] -> A[i]; [i] -> B[i] }"),
        expect!["1:16: this piece has another value than an earlier one where both are defined"],
    );
    check(
        error::<UnionPwMultiAff>("{ [i] -> A[i]; [i] -> B[i] : i > 5 }"),
        expect!["1:16: this piece has another value than an earlier one where both are defined"],
    );
    check(
        error::<MultiAff>("{ [i] -> A[i] : i > 0 }"),
        expect!["1:3: expected the same expressions for all arguments, without a condition"],
    );
    check(
        error::<MultiAff>("{ [i] -> A[max(i, 0)] }"),
        expect!["1:3: expected the same expressions for all arguments, without a condition"],
    );
    check(
        error::<Aff>("{ [i] -> [i, i] }"),
        expect!["1:1: expected a single expression, `{ S[i] -> [i + 1] }`"],
    );
    check(
        error::<MultiUnionPwAff>("[{ S[i] -> [i] }, { S[i] -> [i, i] }]"),
        expect!["1:21: expected a single expression, `S[i] -> [i + 1]`"],
    );
    check(
        error::<Set>("{ rat: [i] : 2i = 1 }"),
        expect!["1:3: expected a set or relation of integers: `rat:`, rational sets, are not supported"],
    );
    check(
        error::<Set>("{ [i] : i < infinity + }"),
        expect!["1:24: expected an expression, found `}`"],
    );
    check(
        error::<Set>("{ [i] : (i, 3) > 4 }"),
        expect!["1:11: expected a comparison, found `,`"],
    );
}

#[test]
fn conditions_with_piecewise_expressions() {
    let check = |text: &str, expected: Expect| check(set(text), expected);
    check(
        "{ [i, j] : min(i, j) >= 0 and max(i, j) < 5 }",
        expect!["{ [i, j = i] : 0 <= i <= 4; [i, j] : i >= 0 and i < j <= 4; [i, j] : 0 <= j < i and i <= 4 }"],
    );
    check("{ [i] : (i > 2 ? 4 : i) > 3 }", expect!["{ [i] : i >= 3 }"]);
    check(
        "{ [i] : -3 < (i >= 0 ? i : -i) < 3 }",
        expect!["{ [i] : 0 <= i <= 2; [i] : -2 <= i < 0 }"],
    );
    check("{ [i] : 0 <= i < infinity }", expect!["{ [i] : i >= 0 }"]);
    check("{ [i] : i >= -infty and i <= 3 }", expect!["{ [i] : i <= 3 }"]);
    check("{ [i] : i > infinity }", expect!["{ [i] : false }"]);
    check(
        "{ [i] : i < NaN or i != nan or infty - infty = 0 }",
        expect!["{ [i] : false }"],
    );
    check(
        "{ [i] : i >= 0 implies i < 3 }",
        expect!["{ [i] : i < 0; [i] : i <= 2 }"],
    );
    check(
        "{ [i, j] : i, j <<= j, 3 and not (i = 0) }",
        expect![[r#"
            { [i, j] : j > i and i < 0; [i, j] : j > i and i > 0; [i, j = i] : i < 0; [i, j = i] : 0 < i <= 2; [i = 3, j = 3] }"#]],
    );
    check(
        "[n, m = 0:9, k = n + 1] -> { A[0:n, j = 2:m, 3] }",
        expect!["[n, m, k] -> { A[i0, j, (3)] : k = 1 + n and 0 <= i0 <= n and 2 <= j <= m and 0 <= m <= 9 }"],
    );
    check("{ [i] : i >= 0 and \\\n i < 3 }", expect!["{ [i] : 0 <= i <= 2 }"]);
    check("{ A[[i] -> [j]] : j = i + 1 }", expect!["{ A[[i] -> [j = 1 + i]] }"]);
    check(
        "{ A[B[i, 2i] -> [C[] -> [(i + 1)]]] }",
        expect!["{ A[B[i, (2i)] -> [C[] -> [(1 + i)]]] }"],
    );
    check(
        "{ [i] : exists (a = max(i, 0), b : b = 2a and i = b) }",
        expect!["{ [i = 0] }"],
    );
    check_text::<Map>(
        "{ [i] -> A[i >= 0 ? i : 2] }",
        expect!["{ [i] -> A[(i)] : i >= 0; [i] -> A[(2)] : i < 0 }"],
    );
}

#[test]
fn arithmetic() {
    let b = budget();
    let (f, g) = (
        pw("{ [i] -> [i] : i >= 0 }"),
        pw("{ [i] -> [2i] : i <= 9; [i] -> [5] : i > 9 }"),
    );
    check(
        f.add(&g, &b).unwrap(),
        expect!["{ [i] -> [(3i)] : 0 <= i <= 9; [i] -> [(5 + i)] : i >= 10 }"],
    );
    check(
        f.sub(&g, &b).unwrap(),
        expect!["{ [i] -> [(-i)] : 0 <= i <= 9; [i] -> [(-5 + i)] : i >= 10 }"],
    );
    check(
        f.neg().scale(&Int::from(3)).add_constant(&Int::ONE),
        expect!["{ [i] -> [(1 - 3i)] : i >= 0 }"],
    );
    check(
        g.divide(&Int::from(4)).floor(),
        expect!["{ [i] -> [(floor((i)/2))] : i <= 9; [i] -> [(1)] : i >= 10 }"],
    );
    check(
        g.divide(&Int::from(4)).ceil(),
        expect!["{ [i] -> [(i - floor((i)/2))] : i <= 9; [i] -> [(2)] : i >= 10 }"],
    );
    check(
        g.modulo(&Int::from(4)),
        expect!["{ [i] -> [(2*((i) mod 2))] : i <= 9; [i] -> [(1)] : i >= 10 }"],
    );
    check(
        f.min(&g, &b).unwrap(),
        expect!["{ [i] -> [(i)] : 0 <= i <= 9; [i] -> [(5)] : i >= 10 }"],
    );
    check(
        f.max(&g, &b).unwrap(),
        expect!["{ [i] -> [(i)] : i = 0 or i >= 10; [i] -> [(2i)] : 0 < i <= 9 }"],
    );
    check(
        f.union_add(&g, &b).unwrap(),
        expect!["{ [i] -> [(3i)] : 0 <= i <= 9; [i] -> [(5 + i)] : i >= 10; [i] -> [(2i)] : i < 0 }"],
    );
    check(
        f.union_min(&g, &b).unwrap(),
        expect!["{ [i] -> [(i)] : 0 <= i <= 9; [i] -> [(5)] : i >= 10; [i] -> [(2i)] : i < 0 }"],
    );
    check(
        f.union_max(&g, &b).unwrap(),
        expect!["{ [i] -> [(i)] : i = 0 or i >= 10; [i] -> [(2i)] : 0 < i <= 9 or i < 0 }"],
    );
    check(
        f.or_else(&g, &b).unwrap(),
        expect!["{ [i] -> [(i)] : i >= 0; [i] -> [(2i)] : i < 0 }"],
    );
    check(
        f.mul(&pw("{ [i] -> [3] }"), &b).unwrap().unwrap(),
        expect!["{ [i] -> [(3i)] : i >= 0 }"],
    );
    assert!(f.mul(&f, &b).unwrap().is_none());
    check(
        pw("{ [i] -> [i - 3] }").cond(&f, &g, &b).unwrap(),
        expect!["{ [i] -> [(i)] : i >= 4 or 0 <= i <= 2; [i] -> [(2i)] : i = 3 }"],
    );
    check(
        f.union(&pw("{ [i] -> [-i] : i <= 0 }"), &b).unwrap().unwrap(),
        expect!["{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }"],
    );
    assert!(f.union(&pw("{ [i] -> [-i] : i <= 1 }"), &b).unwrap().is_none());
    check(
        pw("[n] -> { [i] -> [i] : 0 <= i < n and n <= 7 }")
            .max_val(&b)
            .unwrap()
            .unwrap(),
        expect!["6"],
    );
    assert!(g.min_val(&b).unwrap().is_none());
    check(
        PwAff::indicator(&parse("{ [i] : 0 <= i < 5 }"), &b).unwrap(),
        expect!["{ [i] -> [(1)] : 0 <= i <= 4; [i] -> [(0)] : i < 0 or i >= 5 }"],
    );
}

#[test]
fn comparison_sets() {
    let b = budget();
    let (f, g) = (
        pw("{ [i] -> [i] : i >= 0 }"),
        pw("[n] -> { [i] -> [n] : i <= 9; [i] -> [2i] : i > 9 }"),
    );
    let check = |set: Outcome<Set>, expected: Expect| check(set.unwrap(), expected);
    check(f.eq_set(&g, &b), expect!["[n] -> { [i = n] : 0 <= n <= 9 }"]);
    check(
        f.ne_set(&g, &b),
        expect!["[n] -> { [i] : 0 <= i <= 9 and i > n; [i] : 0 <= i <= 9 and i < n; [i] : i >= 10 }"],
    );
    check(
        f.le_set(&g, &b),
        expect!["[n] -> { [i] : 0 <= i <= 9 and i <= n; [i] : i >= 10 }"],
    );
    check(
        f.lt_set(&g, &b),
        expect!["[n] -> { [i] : 0 <= i <= 9 and i < n; [i] : i >= 10 }"],
    );
    check(f.ge_set(&g, &b), expect!["[n] -> { [i] : 0 <= i <= 9 and i >= n }"]);
    check(f.gt_set(&g, &b), expect!["[n] -> { [i] : 0 <= i <= 9 and i > n }"]);
    let h = pw("{ [i] -> [i] : i >= 0; [i] -> [i + 5] : i < 0 }");
    check(Ok(h.zero_set()), expect!["{ [i = 0]; [i = -5] }"]);
    check(
        Ok(h.nonzero_set()),
        expect!["{ [i] : i > 0; [i] : -4 <= i < 0; [i] : i <= -6 }"],
    );
    check(Ok(h.nonneg_set()), expect!["{ [i] : i >= 0; [i] : -5 <= i < 0 }"]);
    check(Ok(h.pos_set()), expect!["{ [i] : i > 0; [i] : -4 <= i < 0 }"]);
    check(
        pma("{ [i] -> [i, 3] }").lex_lt_set(&pma("{ [i] -> [4, i] }"), &b),
        expect!["{ [i] : i <= 3; [i = 4] }"],
    );
    check(
        Ok(parse::<Aff>("{ [i] -> [i/3] }").integral_set()),
        expect!["{ [i] : ((i) mod 3) = 0 }"],
    );
}

#[test]
fn restriction_and_simplification() {
    let b = budget();
    let f = pw("[n] -> { [i] -> [i] : 0 <= i < n; [i] -> [n] : i >= n and i >= 0 }");
    check(
        f.domain(),
        expect!["[n] -> { [i] : 0 <= i < n; [i] : i >= n and i >= 0 }"],
    );
    check(
        f.intersect_domain(&parse("{ [i] : i <= 4 }"), &b).unwrap(),
        expect!["[n] -> { [i] -> [(i)] : 0 <= i < n and i <= 4; [i] -> [(n)] : n <= i <= 4 and i >= 0 }"],
    );
    check(
        f.subtract_domain(&parse("{ [i] : i <= 4 }"), &b).unwrap(),
        expect!["[n] -> { [i] -> [(i)] : 5 <= i < n; [i] -> [(n)] : i >= n and i >= 5 }"],
    );
    check(
        f.intersect_params(&parse("[n] -> { : n = 3 }"), &b).unwrap(),
        expect!["[n] -> { [i] -> [(i)] : n = 3 and 0 <= i <= 2; [i] -> [(n)] : n = 3 and i >= 3 }"],
    );
    check(
        f.gist(&parse("[n] -> { [i] : 0 <= i < n }"), &b).unwrap(),
        expect!["[n] -> { [i] -> [(i)] }"],
    );
    check(
        f.gist_params(&parse("[n] -> { : n = 3 }"), &b).unwrap(),
        expect!["[n] -> { [i] -> [(i)] : 0 <= i < n; [i] -> [(3)] : i >= n }"],
    );
    check(
        parse::<Aff>("[n] -> { [i, j] -> [i + 2 j + n + floor(i/2)] }")
            .gist(&parse("[n] -> { [i, j] : j = 3 i and i mod 2 = 0 and n = 5 }"), &b)
            .unwrap(),
        expect!["[n] -> { [i, j] -> [((10 + 15i)/2)] }"],
    );
    let coalesce = |text: &str| pw(text).coalesce(&b).unwrap();
    check(
        coalesce("{ [i] -> [0] : i < 0; [i] -> [i] : i = 0; [i] -> [i + 0] : i > 0 }"),
        expect!["{ [i] -> [(0)] : i < 0; [i] -> [(i)] : i >= 0 }"],
    );
    check(
        coalesce("{ [i] -> [0] : i <= 0; [i] -> [i] : i > 0; [i] -> [0] : i = 0 }"),
        expect!["{ [i] -> [(0)] : i <= 0; [i] -> [(i)] : i > 0 }"],
    );
    // Disjoint as they are, these would overlap if each forgot what the context says.
    check(
        pw("{ [i, j] -> [1] : i >= 0 and i + j = 0; [i, j] -> [2] : j >= 1 and i + j = 0 }")
            .gist(&parse("{ [i, j] : i + j = 0 }"), &b)
            .unwrap(),
        expect!["{ [i, j] -> [(1)] : i >= 0; [i, j] -> [(2)] : i < 0 }"],
    );
    // That `i` is even, and a multiple of 4, is known of integers only.
    check(
        pw("{ [i, j] -> [floor(i/2)] }")
            .gist(&parse("{ [i, j] : exists (a, c: 0 <= i - 2a <= 1 and 2a <= j and 3c = i + j and 0 <= 5c - i - a <= 2 and 2a >= i) }"), &b)
            .unwrap(),
        expect!["{ [i, j] -> [((i)/2)] }"],
    );
    check(
        pw("{ [i, j] -> [floor(i/4)] }")
            .gist(&parse("{ [i, j] : exists (a: 4a <= i <= 4a + 3 and j <= 3a <= j + 1 and 2j <= 5a <= 2j + 3 and i mod 2 = 0 and 3i <= 12a + 4) }"), &b)
            .unwrap(),
        expect!["{ [i, j] -> [((i)/4)] }"],
    );
    check(
        pma("[n] -> { A[i] -> B[i, n] : i < n }")
            .gist(&parse("[n] -> { A[i] : i = 3 and n = 5 }"), &b)
            .unwrap(),
        expect!["[n] -> { A[i] -> B[(3), (5)] }"],
    );
}

#[test]
fn composition() {
    let b = budget();
    let f = pw("{ A[a] -> [a] : a >= 0; A[a] -> [-a] : a < 0 }");
    check(
        f.pullback_multi_aff(&parse("{ B[i, j] -> A[i - j] }"), &b).unwrap(),
        expect!["{ B[i, j] -> [(i - j)] : j <= i; B[i, j] -> [(-i + j)] : j > i }"],
    );
    check(
        f.pullback_multi_aff(&parse("{ B[i] -> A[i/2] }"), &b).unwrap(),
        expect!["{ B[i] -> [((i)/2)] : ((i) mod 2) = 0 and i >= 0; B[i] -> [((-i)/2)] : ((i) mod 2) = 0 and i <= -2 }"],
    );
    check(
        pma("{ A[a] -> C[a, a + 1] : a mod 3 = 1 }")
            .pullback(&pma("[n] -> { B[i] -> A[i] : i < n; B[i] -> A[2i] : i > n }"), &b)
            .unwrap(),
        expect![[r#"
            [n] -> { B[i] -> C[(i), (1 + i)] : ((i) mod 3) = 1 and i < n; B[i] -> C[(2i), (1 + 2i)] : ((2 + i) mod 3) = 1 and i > n }"#]],
    );
    check(
        parse::<MultiPwAff>("{ A[a] -> [(a : a > 0), 3] }")
            .pullback(&pma("{ B[i] -> A[i + 1] : i < 7 }"), &b)
            .unwrap(),
        expect!["{ B[i] -> [((1 + i) : 0 <= i <= 6), ((3) : i <= 6)] }"],
    );
    check(
        parse::<MultiAff>("{ A[i] -> B[i + 1] }").product(&parse("{ C[j] -> D[2 j] }")),
        expect!["{ [A[i] -> C[j]] -> [B[(1 + i)] -> D[(2j)]] }"],
    );
    check(
        pma("{ A[i] -> B[i + 1] : i > 0 }")
            .product(&pma("{ C[j] -> D[2 j] : j < 0 }"), &b)
            .unwrap(),
        expect!["{ [A[i] -> C[j]] -> [B[(1 + i)] -> D[(2j)]] : i > 0 and j < 0 }"],
    );
    let (p, q) = (
        pma("{ A[i] -> B[i] : i > 0 }"),
        pma("{ A[i] -> C[0] : i < 9; A[i] -> C[1] : i >= 9 }"),
    );
    check(
        p.range_product(&q, &b).unwrap(),
        expect!["{ A[i] -> [B[(i)] -> C[(0)]] : 0 < i <= 8; A[i] -> [B[(i)] -> C[(1)]] : i >= 9 }"],
    );
    check(
        p.flat_range_product(&q, &b).unwrap(),
        expect!["{ A[i] -> [(i), (0)] : 0 < i <= 8; A[i] -> [(i), (1)] : i >= 9 }"],
    );
    let (p, q) = (pma("{ A[i] -> [i, 0] : i > 0 }"), pma("{ A[i] -> [4, i - 5] : i < 9 }"));
    check(
        p.union_lexmin(&q, &b).unwrap(),
        expect![[r#"
            { A[i] -> [(i), (0)] : 0 < i <= 3 or i >= 9; A[i] -> [(4), (-5 + i)] : 5 <= i <= 8 or i = 4 or i <= 0 }"#]],
    );
    check(
        p.union_lexmax(&q, &b).unwrap(),
        expect![[r#"
            { A[i] -> [(i), (0)] : 5 <= i <= 8 or i = 4 or i >= 9; A[i] -> [(4), (-5 + i)] : 0 < i <= 3 or i <= 0 }"#]],
    );
    check(
        p.union_add(&q, &b).unwrap(),
        expect![[r#"
            { A[i] -> [(4 + i), (-5 + i)] : 0 < i <= 8; A[i] -> [(i), (0)] : i >= 9; A[i] -> [(4), (-5 + i)] : i <= 0 }"#]],
    );
    check(
        p.preimage(&parse("{ [i, j] : i < 3 }"), &b).unwrap(),
        expect!["{ A[i] : 0 < i <= 2 }"],
    );
    check(
        set("{ A[a] : a mod 2 = 0 }").preimage(&parse("{ B[i] -> A[i/2] }")),
        expect!["{ B[i] : ((i) mod 2) = 0 and ((i) mod 4) = 0 }"],
    );
    check(
        map("[n] -> { A[a] -> C[c] : a <= c < n }").preimage_domain(&parse("{ B[i] -> A[floor(i/2)] }")),
        expect!["[n] -> { B[i] -> C[c] : floor((i)/2) <= c < n }"],
    );
}

#[test]
fn functions_of_graphs() {
    let b = budget();
    let function = |text: &str| match PwMultiAff::from_map(&parse(text), &b).unwrap() {
        Some(function) => {
            let map: Map = parse(text);
            assert!(function.to_map().is_equal(&map, &b).unwrap(), "{text}: {function}");
            function.to_string()
        }
        None => "none".into(),
    };
    check(
        function("{ [i] -> [j] : i = 2j }"),
        expect!["{ [i] -> [(floor((i)/2))] : ((i) mod 2) = 0 }"],
    );
    check(
        function("[n] -> { [i] -> [j] : n <= j <= n + 1 and j mod 2 = 0 }"),
        expect!["[n] -> { [i] -> [(2*floor((1 + n)/2))] }"],
    );
    check(
        function("{ [i] -> A[j, k] : j = i + k and 2k <= i < 2k + 2 }"),
        expect!["{ [i] -> A[(i + floor((i)/2)), (floor((i)/2))] }"],
    );
    check(
        function("{ [i] -> [j] : 3j = 2i }"),
        expect!["{ [i] -> [(i - floor((2 + i)/3))] : ((2 + i) mod 3) = 2 }"],
    );
    check(
        function("{ [i] -> [j, k] : 3j + 2k = i and 0 <= k < 3 }"),
        expect!["{ [i] -> [(i - 2*floor((2 + i)/3)), (2 - ((2 + i) mod 3))] }"],
    );
    check(
        function("{ [i] -> [j] : j mod 2 = 0 and j mod 3 = 1 and i <= j < i + 6 }"),
        expect!["{ [i] -> [(4 + 6*floor((1 + i)/6))] }"],
    );
    check(
        function("{ [i] -> [j] : j = i and i >= 0; [i] -> [j] : j = -i and i <= 0 }"),
        expect!["{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }"],
    );
    check(
        function("{ [i] -> [j] : j = i and i >= 0; [i] -> [j] : j = 1 and i <= 1 }"),
        expect!["none"],
    );
    check(function("{ [i] -> [j] : i <= j <= i + 1 }"), expect!["none"]);
    check(
        function("{ [i] -> [j] : j >= i and j >= 0 and j <= 0 and 3j <= 2i + 2 }"),
        expect!["{ [i] -> [(0)] : -1 <= i <= 0 }"],
    );
    check(
        function("[n, m] -> { [i] -> [j] : j >= n and j >= m and (j <= n or j <= m) }"),
        expect!["[n, m] -> { [i] -> [(n)] : m <= n; [i] -> [(m)] : m > n }"],
    );
    check(
        function("[n] -> { [i] -> [j] : 2j >= n and 2j <= i and i <= n + 1 }"),
        expect!["[n] -> { [i] -> [(n - floor((n)/2))] : 2n - 2*floor((n)/2) <= i <= 1 + n }"],
    );
    check(
        function("{ [i] -> [j] : floor(j/2) + floor(j/3) = i and j mod 6 = 2 }"),
        expect!["{ [i] -> [(-4 + 6*floor((4 + i)/5))] : ((4 + i) mod 5) = 0 }"],
    );
    check(function("{ [i] -> [] : i > 3 }"), expect!["{ [i] -> [] : i >= 4 }"]);
    check(function("{ [i] -> [j] : false }"), expect!["{ [i] -> [(0)] : false }"]);
    let lexmin = |text: &str| map(text).lexmin_pw_multi_aff(&b).unwrap();
    check(
        lexmin("{ [i] -> [j] : i <= 3j and 0 <= i <= 9 }"),
        expect!["{ [i] -> [(floor((2 + i)/3))] : 0 <= i <= 9 }"],
    );
    check(
        lexmin("[n] -> { [i] -> [j, k] : j >= i and j >= n and k >= 2j }"),
        expect!["[n] -> { [i] -> [(i), (2i)] : i >= n; [i] -> [(n), (2n)] : i < n }"],
    );
    check(
        set("[n] -> { A[i] : i >= n and i >= 0 and i mod 2 = 0 }")
            .lexmin_pw_multi_aff(&b)
            .unwrap(),
        expect!["[n] -> { [] -> A[(0)] : n <= 0; [] -> A[(2n - 2*floor((n)/2))] : n > 0 }"],
    );
    check(
        set("[n] -> { A[i, j] : 0 <= i < n and 0 <= j <= i }")
            .lexmax_pw_multi_aff(&b)
            .unwrap(),
        expect!["[n] -> { [] -> A[(-1 + n), (-1 + n)] : n > 0 }"],
    );
}

#[test]
fn unions() {
    let b = budget();
    let f: UnionPwAff = parse("[n] -> { S[i] -> [i]; T[i] -> [n] : i > 0 }");
    let g: UnionPwAff = parse("{ S[i] -> [2i] : i < 5; U[] -> [1] }");
    check(f.add(&g, &b).unwrap(), expect!["[n] -> { S[i] -> [(3i)] : i <= 4 }"]);
    check(
        f.union_add(&g, &b).unwrap(),
        expect!["[n] -> { S[i] -> [(3i)] : i <= 4; S[i] -> [(i)] : i >= 5; T[i] -> [(n)] : i > 0; U[] -> [(1)] }"],
    );
    check(
        f.sub(&f, &b).unwrap(),
        expect!["[n] -> { S[i] -> [(0)]; T[i] -> [(0)] : i > 0 }"],
    );
    check(
        f.divide(&Int::from(2)).floor().modulo(&Int::from(3)),
        expect![[r#"
            [n] -> { S[i] -> [(floor((i)/2) - 3*floor((i)/6))]; T[i] -> [(floor((n)/2) - 3*floor((n)/6))] : i > 0 }"#]],
    );
    check(f.domain(), expect!["[n] -> { S[i]; T[i] : i > 0 }"]);
    check(
        f.intersect_domain(&parse("{ S[i] : i > 7 }"), &b).unwrap(),
        expect!["[n] -> { S[i] -> [(i)] : i >= 8 }"],
    );
    check(
        f.intersect_params(&parse("[n] -> { : n > 7 }"), &b).unwrap(),
        expect!["[n] -> { S[i] -> [(i)] : n >= 8; T[i] -> [(n)] : i > 0 and n >= 8 }"],
    );
    check(
        f.gist(&parse("{ S[i] : i > 7; T[i] : i > 4 }"), &b).unwrap(),
        expect!["[n] -> { S[i] -> [(i)]; T[i] -> [(n)] }"],
    );
    check(
        f.pullback(&parse("{ A[a] -> S[a + 1]; B[] -> T[3] }"), &b)
            .unwrap()
            .unwrap(),
        expect!["[n] -> { A[a] -> [(1 + a)]; B[] -> [(n)] }"],
    );
    check(
        f.to_union_map(),
        expect!["[n] -> { S[i] -> [(i)]; T[i] -> [(n)] : i > 0 }"],
    );
    let h: UnionPwMultiAff = parse("{ S[i] -> A[i] : i > 0; S[i] -> B[] : i <= 0; T[] -> A[4] }");
    check(
        UnionPwMultiAff::from_union_map(&h.to_union_map(), &b).unwrap().unwrap(),
        expect!["{ S[i] -> A[(i)] : i > 0; S[i] -> B[] : i <= 0; T[] -> A[(4)] }"],
    );
    assert!(
        UnionPwMultiAff::from_union_map(&parse::<UnionMap>("{ S[i] -> A[i]; S[i] -> B[] }"), &b)
            .unwrap()
            .is_none()
    );
    check(
        parse::<UnionPwMultiAff>("{ A[a] -> [a + 1] }")
            .pullback(&h, &b)
            .unwrap()
            .unwrap(),
        expect!["{ S[i] -> [(1 + i)] : i > 0; T[] -> [(5)] }"],
    );
    let m: MultiUnionPwAff = parse("[{ S[i] -> [i]; T[] -> [0] }, { S[i] -> [i + 1] : i > 0; T[] -> [1] }]");
    check(m.domain(), expect!["{ S[i] : i > 0; T[] }"]);
    check(
        m.add(&m, &b).unwrap(),
        expect!["[{ S[i] -> [(2i)]; T[] -> [(0)] }, { S[i] -> [(2 + 2i)] : i > 0; T[] -> [(2)] }]"],
    );
    check(
        m.to_union_pw_multi_aff(&b).unwrap(),
        expect!["{ S[i] -> [(i), (1 + i)] : i > 0; T[] -> [(0), (1)] }"],
    );
    check(
        m.to_union_map(&b).unwrap(),
        expect!["{ S[i] -> [(i), (1 + i)] : i > 0; T[] -> [(0), (1)] }"],
    );
    check(
        m.union(&parse("[{ U[] -> [1] }, { U[] -> [2] }]"), &b)
            .unwrap()
            .unwrap(),
        expect![[r#"
            [{ S[i] -> [(i)] : i > 0; T[] -> [(0)]; U[] -> [(1)] }, { S[i] -> [(1 + i)] : i > 0; T[] -> [(1)]; U[] -> [(2)] }]"#]],
    );
    check(
        m.flat_range_product(&parse("([] : { S[i] : i < 9 })"), &b).unwrap(),
        expect!["[{ S[i] -> [(i)] : i <= 8 }, { S[i] -> [(1 + i)] : 0 < i <= 8 }]"],
    );
    check(
        m.pullback(&parse("{ A[i] -> S[2i] }"), &b).unwrap().unwrap(),
        expect!["[{ A[i] -> [(2i)] }, { A[i] -> [(1 + 2i)] : i > 0 }]"],
    );
    assert!(
        m.is_equal(
            &MultiUnionPwAff::from_union_pw_multi_aff(&m.to_union_pw_multi_aff(&b).unwrap(), m.range_tuple().clone()),
            &b
        )
        .unwrap()
    );
    check(
        UnionPwAff::constant(&parse::<UnionSet>("{ S[i] : i > 0; T[] }"), &Int::from(7)),
        expect!["{ S[i] -> [(7)] : i > 0; T[] -> [(7)] }"],
    );
}

#[test]
fn a_function_divided_by_a_number() {
    let check = |function: &str, expected: &str| {
        let function: MultiAff = parse(function);
        let found = function.affs()[0].as_floor_div();
        let text = found.map_or("none".to_owned(), |(point, size)| format!("{point} by {size}"));
        assert_eq!(text, expected);
    };
    check("{ S[i, j] -> [floor((i + j)/8)] }", "{ S[i, j] -> [(i + j)] } by 8");
    // The first coefficient of a division is positive.
    check("{ S[i, j] -> [floor((j - i)/8)] }", "{ S[i, j] -> [(-i + j)] } by 8");
    check(
        "{ S[i, j] -> [floor((5 + j - i)/8)] }",
        "{ S[i, j] -> [(5 - i + j)] } by 8",
    );
    check("{ S[i, j] -> [i + floor(j/8)] }", "none");
    check("{ S[i, j] -> [(-2*floor(j/8))] }", "none");
}
