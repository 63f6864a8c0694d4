//! Quasi-affine functions, their pieces and unions: text in and text out.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{
    Aff, Map, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, UnionMap, UnionPwAff, UnionPwMultiAff,
    UnionSet,
};
use farkas_polyhedral::text::ParseError;
use std::fmt::Display;
use std::str::FromStr;

fn parse<T: FromStr<Err = ParseError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn budget() -> Budget {
    Budget::new(10_000_000)
}

fn check(actual: impl Display, expected: Expect) {
    expected.assert_eq(&actual.to_string());
}

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
        expect![[""]],
    );
    check("{ S[i] -> [(floor((i)/2))] }", expect![[""]]);
    check("{ S[i] -> [i/2] : i mod 4 = 2 }", expect![[""]]);
    check("{ [i] -> [min(i, 3)] }", expect![[""]]);
    check("{ [i, j] -> [max(i, j, 0)] }", expect![[""]]);
    check("{ [i] -> [i >= 0 ? i : -i] }", expect![[""]]);
    check("{ [i] -> [i mod 2 = 0 and i > 0 ? 1 : i < -5 ? 2 : 3] }", expect![[""]]);
    check("{ [i] -> [i % 2 ? 1 : 0] }", expect![[""]]);
    check("{ [i] -> [2 (i >= 0 ? i : 0) + 1] }", expect![[""]]);
    check("{ [i] -> [((i) : i >= 0; (0) : i < 0)] }", expect![[""]]);
    check("{ [i] -> [ceil(i/2) + i % 3] : i > 3 or i < -3 }", expect![[""]]);
    check("[n] -> { [n] : n > 0 or (n < -5 and n mod 2 = 0) }", expect![[""]]);
    check("{ [i] -> [i] : false }", expect![[""]]);
    check("{ [i, 3] -> [i] }", expect![[""]]);
    check("{ [A[i] -> B[j]] -> [i + j] }", expect![[""]]);
    check("{ [i] -> [min(i, infinity)] }", expect![[""]]);
}

#[test]
fn texts_of_piecewise_tuples() {
    let check = check_text::<PwMultiAff>;
    check("{ S[i, j] -> A[(i), (j + 1)] }", expect![[""]]);
    check("{ S[i] -> A[] : i > 0 }", expect![[""]]);
    check("{ S[i] -> A[i, 0] : i > 0; S[i] -> A[0, i] : i <= 0 }", expect![[""]]);
    check("{ S[i] -> N[B[i] -> [C[] -> [i + 1]]] }", expect![[""]]);
    check("[n] -> { A[n, 2] : n > 2 }", expect![[""]]);
    check("{ S[i] -> A[i, 0] : false }", expect![[""]]);
    check("{ S[i] -> A[max(i, 0), min(i, 9)] }", expect![[""]]);
    let check = check_text::<MultiPwAff>;
    check("{ A[i] -> [((i) : i >= 0; (0) : i < 0), (i)] }", expect![[""]]);
    check("{ A[i] -> B[((i) : i >= 0 and i < 5 or i = 7), (i)] }", expect![[""]]);
    check("{ A[i] -> [] : i >= 0 }", expect![[""]]);
    check("{ A[i] -> [((1) : false)] }", expect![[""]]);
    check("{ A[i] -> B[i, i] : i >= 0 }", expect![[""]]);
}

#[test]
fn texts_of_unions() {
    let check = check_text::<UnionPwAff>;
    check("[n] -> { S[i] -> [(i)]; T[i] -> [(0)] }", expect![[""]]);
    check(
        "{ S[i] -> [i] : i > 0; T[] -> [3]; S[i] -> [-i] : i < 0 }",
        expect![[""]],
    );
    check("{ }", expect![[""]]);
    let check = check_text::<UnionPwMultiAff>;
    check(
        "[n] -> { S[i] -> A[(i)] : i > 3 or i < -3; T[i] -> [B[] -> C[n]]; [n, 2] }",
        expect![[""]],
    );
    let check = check_text::<MultiUnionPwAff>;
    check("[{ S[i] -> [(i)] }, { S[i] -> [2i] }]", expect![[""]]);
    check("[n] -> L4[{ S[i] -> [i + n]; T[] -> [0] }]", expect![[""]]);
    check("(L4[] : { S[i] : i > 0; T[] })", expect![[""]]);
    check("L4[]", expect![[""]]);
    check("[]", expect![[""]]);
    check("[n] -> ([{ S[i] -> [i] }] : { S[i] : i < n })", expect![[""]]);
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
        expect![[""]],
    );
    check(error::<PwAff>("{ [i] -> [(i : i >= 0; 0 : i <= 1)] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [i, 0] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> A[i] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [i]; [i, j] -> [i] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [infinity] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [i > 0 ? 1] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [min(i)"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [floor(i, 2)] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [i / 0] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [i / i] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [j] }"), expect![[""]]);
    check(error::<PwAff>("{ [i] -> [*] }"), expect![[""]]);
    check(error::<PwAff>("{ : true }"), expect![[""]]);
    check(error::<PwMultiAff>("{ [i] -> A[i]; [i] -> B[i] }"), expect![[""]]);
    check(
        error::<UnionPwMultiAff>("{ [i] -> A[i]; [i] -> B[i] : i > 5 }"),
        expect![[""]],
    );
    check(error::<MultiAff>("{ [i] -> A[i] : i > 0 }"), expect![[""]]);
    check(error::<MultiAff>("{ [i] -> A[max(i, 0)] }"), expect![[""]]);
    check(error::<Aff>("{ [i] -> [i, i] }"), expect![[""]]);
    check(
        error::<MultiUnionPwAff>("[{ S[i] -> [i] }, { S[i] -> [i, i] }]"),
        expect![[""]],
    );
    check(error::<Set>("{ rat: [i] : 2i = 1 }"), expect![[""]]);
    check(error::<Set>("{ [i] : i < infinity + }"), expect![[""]]);
    check(error::<Set>("{ [i] : (i, 3) > 4 }"), expect![[""]]);
}

#[test]
fn conditions_with_piecewise_expressions() {
    let check = |text: &str, expected: Expect| check(parse::<Set>(text), expected);
    check("{ [i, j] : min(i, j) >= 0 and max(i, j) < 5 }", expect![[""]]);
    check("{ [i] : (i > 2 ? 4 : i) > 3 }", expect![[""]]);
    check("{ [i] : -3 < (i >= 0 ? i : -i) < 3 }", expect![[""]]);
    check("{ [i] : 0 <= i < infinity }", expect![[""]]);
    check("{ [i] : i >= -infty and i <= 3 }", expect![[""]]);
    check("{ [i] : i > infinity }", expect![[""]]);
    check("{ [i] : i < NaN or i != nan or infty - infty = 0 }", expect![[""]]);
    check("{ [i] : i >= 0 implies i < 3 }", expect![[""]]);
    check("{ [i, j] : i, j <<= j, 3 and not (i = 0) }", expect![[""]]);
    check(
        "{ [i, j] -> [max(i, j)] }"
            .replace("] ->", ", 0] :")
            .replace("[max(i, j)]", "max(i, j) = 0")
            .as_str(),
        expect![[""]],
    );
    check("{ A[[i] -> [j]] : j = i + 1 }", expect![[""]]);
    check("{ A[B[i, 2i] -> [C[] -> [(i + 1)]]] }", expect![[""]]);
    check("{ [i] : exists (a = max(i, 0), b : b = 2a and i = b) }", expect![[""]]);
    check_text::<Map>("{ [i] -> A[i >= 0 ? i : 2] }", expect![[""]]);
}

#[test]
fn arithmetic() {
    let b = budget();
    let (f, g) = (
        pw("{ [i] -> [i] : i >= 0 }"),
        pw("{ [i] -> [2i] : i <= 9; [i] -> [5] : i > 9 }"),
    );
    check(f.add(&g, &b).unwrap(), expect![[""]]);
    check(f.sub(&g, &b).unwrap(), expect![[""]]);
    check(f.neg().scale(&Int::from(3)).add_constant(&Int::ONE), expect![[""]]);
    check(g.divide(&Int::from(4)).floor(), expect![[""]]);
    check(g.divide(&Int::from(4)).ceil(), expect![[""]]);
    check(g.modulo(&Int::from(4)), expect![[""]]);
    check(f.min(&g, &b).unwrap(), expect![[""]]);
    check(f.max(&g, &b).unwrap(), expect![[""]]);
    check(f.union_add(&g, &b).unwrap(), expect![[""]]);
    check(f.union_min(&g, &b).unwrap(), expect![[""]]);
    check(f.union_max(&g, &b).unwrap(), expect![[""]]);
    check(f.or_else(&g, &b).unwrap(), expect![[""]]);
    check(f.mul(&pw("{ [i] -> [3] }"), &b).unwrap().unwrap(), expect![[""]]);
    assert!(f.mul(&f, &b).unwrap().is_none());
    check(pw("{ [i] -> [i - 3] }").cond(&f, &g, &b).unwrap(), expect![[""]]);
    check(
        f.union(&pw("{ [i] -> [-i] : i <= 0 }"), &b).unwrap().unwrap(),
        expect![[""]],
    );
    assert!(f.union(&pw("{ [i] -> [-i] : i <= 1 }"), &b).unwrap().is_none());
    check(
        pw("[n] -> { [i] -> [i] : 0 <= i < n and n <= 7 }")
            .max_val(&b)
            .unwrap()
            .unwrap(),
        expect![[""]],
    );
    assert!(g.min_val(&b).unwrap().is_none());
    check(
        PwAff::indicator(&parse("{ [i] : 0 <= i < 5 }"), &b).unwrap(),
        expect![[""]],
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
    check(f.eq_set(&g, &b), expect![[""]]);
    check(f.ne_set(&g, &b), expect![[""]]);
    check(f.le_set(&g, &b), expect![[""]]);
    check(f.lt_set(&g, &b), expect![[""]]);
    check(f.ge_set(&g, &b), expect![[""]]);
    check(f.gt_set(&g, &b), expect![[""]]);
    let h = pw("{ [i] -> [i] : i >= 0; [i] -> [i + 5] : i < 0 }");
    check(Ok(h.zero_set()), expect![[""]]);
    check(Ok(h.nonzero_set()), expect![[""]]);
    check(Ok(h.nonneg_set()), expect![[""]]);
    check(Ok(h.pos_set()), expect![[""]]);
    check(
        pma("{ [i] -> [i, 3] }").lex_lt_set(&pma("{ [i] -> [4, i] }"), &b),
        expect![[""]],
    );
    check(Ok(parse::<Aff>("{ [i] -> [i/3] }").integral_set()), expect![[""]]);
}

#[test]
fn restriction_and_simplification() {
    let b = budget();
    let f = pw("[n] -> { [i] -> [i] : 0 <= i < n; [i] -> [n] : i >= n and i >= 0 }");
    check(f.domain(), expect![[""]]);
    check(
        f.intersect_domain(&parse("{ [i] : i <= 4 }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        f.subtract_domain(&parse("{ [i] : i <= 4 }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        f.intersect_params(&parse("[n] -> { : n = 3 }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        f.gist(&parse("[n] -> { [i] : 0 <= i < n }"), &b).unwrap(),
        expect![[""]],
    );
    check(f.gist_params(&parse("[n] -> { : n = 3 }"), &b).unwrap(), expect![[""]]);
    check(
        parse::<Aff>("[n] -> { [i, j] -> [i + 2 j + n + floor(i/2)] }")
            .gist(&parse("[n] -> { [i, j] : j = 3 i and i mod 2 = 0 and n = 5 }"), &b)
            .unwrap(),
        expect![[""]],
    );
    let coalesce = |text: &str| pw(text).coalesce(&b).unwrap();
    check(
        coalesce("{ [i] -> [0] : i < 0; [i] -> [i] : i = 0; [i] -> [i + 0] : i > 0 }"),
        expect![[""]],
    );
    check(
        coalesce("{ [i] -> [0] : i <= 0; [i] -> [i] : i > 0; [i] -> [0] : i = 0 }"),
        expect![[""]],
    );
    // Disjoint as they are, these would overlap if each forgot what the context says.
    check(
        pw("{ [i, j] -> [1] : i >= 0 and i + j = 0; [i, j] -> [2] : j >= 1 and i + j = 0 }")
            .gist(&parse("{ [i, j] : i + j = 0 }"), &b)
            .unwrap(),
        expect![[""]],
    );
    check(
        pma("[n] -> { A[i] -> B[i, n] : i < n }")
            .gist(&parse("[n] -> { A[i] : i = 3 and n = 5 }"), &b)
            .unwrap(),
        expect![[""]],
    );
}

#[test]
fn composition() {
    let b = budget();
    let f = pw("{ A[a] -> [a] : a >= 0; A[a] -> [-a] : a < 0 }");
    check(
        f.pullback_multi_aff(&parse("{ B[i, j] -> A[i - j] }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        f.pullback_multi_aff(&parse("{ B[i] -> A[i/2] }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        pma("{ A[a] -> C[a, a + 1] : a mod 3 = 1 }")
            .pullback(&pma("[n] -> { B[i] -> A[i] : i < n; B[i] -> A[2i] : i > n }"), &b)
            .unwrap(),
        expect![[""]],
    );
    check(
        parse::<MultiPwAff>("{ A[a] -> [(a : a > 0), 3] }")
            .pullback(&pma("{ B[i] -> A[i + 1] : i < 7 }"), &b)
            .unwrap(),
        expect![[""]],
    );
    check(
        parse::<MultiAff>("{ A[i] -> B[i + 1] }").product(&parse("{ C[j] -> D[2 j] }")),
        expect![[""]],
    );
    check(
        pma("{ A[i] -> B[i + 1] : i > 0 }")
            .product(&pma("{ C[j] -> D[2 j] : j < 0 }"), &b)
            .unwrap(),
        expect![[""]],
    );
    let (p, q) = (
        pma("{ A[i] -> B[i] : i > 0 }"),
        pma("{ A[i] -> C[0] : i < 9; A[i] -> C[1] : i >= 9 }"),
    );
    check(p.range_product(&q, &b).unwrap(), expect![[""]]);
    check(p.flat_range_product(&q, &b).unwrap(), expect![[""]]);
    let (p, q) = (pma("{ A[i] -> [i, 0] : i > 0 }"), pma("{ A[i] -> [4, i - 5] : i < 9 }"));
    check(p.union_lexmin(&q, &b).unwrap(), expect![[""]]);
    check(p.union_lexmax(&q, &b).unwrap(), expect![[""]]);
    check(p.union_add(&q, &b).unwrap(), expect![[""]]);
    check(p.preimage(&parse("{ [i, j] : i < 3 }"), &b).unwrap(), expect![[""]]);
    check(
        parse::<Set>("{ A[a] : a mod 2 = 0 }").preimage(&parse("{ B[i] -> A[i/2] }")),
        expect![[""]],
    );
    check(
        parse::<Map>("[n] -> { A[a] -> C[c] : a <= c < n }").preimage_domain(&parse("{ B[i] -> A[floor(i/2)] }")),
        expect![[""]],
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
    check(function("{ [i] -> [j] : i = 2j }"), expect![[""]]);
    check(
        function("[n] -> { [i] -> [j] : n <= j <= n + 1 and j mod 2 = 0 }"),
        expect![[""]],
    );
    check(
        function("{ [i] -> A[j, k] : j = i + k and 2k <= i < 2k + 2 }"),
        expect![[""]],
    );
    check(function("{ [i] -> [j] : 3j = 2i }"), expect![[""]]);
    check(
        function("{ [i] -> [j, k] : 3j + 2k = i and 0 <= k < 3 }"),
        expect![[""]],
    );
    check(
        function("{ [i] -> [j] : j mod 2 = 0 and j mod 3 = 1 and i <= j < i + 6 }"),
        expect![[""]],
    );
    check(
        function("{ [i] -> [j] : j = i and i >= 0; [i] -> [j] : j = -i and i <= 0 }"),
        expect![[""]],
    );
    check(
        function("{ [i] -> [j] : j = i and i >= 0; [i] -> [j] : j = 1 and i <= 1 }"),
        expect![[""]],
    );
    check(function("{ [i] -> [j] : i <= j <= i + 1 }"), expect![[""]]);
    check(
        function("{ [i] -> [j] : j >= i and j >= 0 and j <= 0 and 3j <= 2i + 2 }"),
        expect![[""]],
    );
    // The largest of two lower bounds.
    check(
        function("[n, m] -> { [j] : j >= n and j >= m and 2j <= n + m }").replace("none", "no map"),
        expect![[""]],
    );
    check(
        function("[n] -> { [i] -> [j] : 2j >= n and 2j <= i and i <= n + 1 }"),
        expect![[""]],
    );
    check(
        function("{ [i] -> [j] : floor(j/2) + floor(j/3) = i and j mod 6 = 2 }"),
        expect![[""]],
    );
    check(function("{ [i] -> [] : i > 3 }"), expect![[""]]);
    check(function("{ [i] -> [j] : false }"), expect![[""]]);
    let lexmin = |text: &str| parse::<Map>(text).lexmin_pw_multi_aff(&b).unwrap();
    check(lexmin("{ [i] -> [j] : i <= 3j and 0 <= i <= 9 }"), expect![[""]]);
    check(
        lexmin("[n] -> { [i] -> [j, k] : j >= i and j >= n and k >= 2j }"),
        expect![[""]],
    );
    check(
        parse::<Set>("[n] -> { A[i] : i >= n and i >= 0 and i mod 2 = 0 }")
            .lexmin_pw_multi_aff(&b)
            .unwrap(),
        expect![[""]],
    );
    check(
        parse::<Set>("[n] -> { A[i, j] : 0 <= i < n and 0 <= j <= i }")
            .lexmax_pw_multi_aff(&b)
            .unwrap(),
        expect![[""]],
    );
}

#[test]
fn unions() {
    let b = budget();
    let f: UnionPwAff = parse("[n] -> { S[i] -> [i]; T[i] -> [n] : i > 0 }");
    let g: UnionPwAff = parse("{ S[i] -> [2i] : i < 5; U[] -> [1] }");
    check(f.add(&g, &b).unwrap(), expect![[""]]);
    check(f.union_add(&g, &b).unwrap(), expect![[""]]);
    check(f.sub(&f, &b).unwrap(), expect![[""]]);
    check(f.divide(&Int::from(2)).floor().modulo(&Int::from(3)), expect![[""]]);
    check(f.domain(), expect![[""]]);
    check(
        f.intersect_domain(&parse("{ S[i] : i > 7 }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        f.intersect_params(&parse("[n] -> { : n > 7 }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        f.gist(&parse("{ S[i] : i > 7; T[i] : i > 4 }"), &b).unwrap(),
        expect![[""]],
    );
    check(
        f.pullback(&parse("{ A[a] -> S[a + 1]; B[] -> T[3] }"), &b)
            .unwrap()
            .unwrap(),
        expect![[""]],
    );
    check(f.to_union_map(), expect![[""]]);
    let h: UnionPwMultiAff = parse("{ S[i] -> A[i] : i > 0; S[i] -> B[] : i <= 0; T[] -> A[4] }");
    check(
        UnionPwMultiAff::from_union_map(&h.to_union_map(), &b).unwrap().unwrap(),
        expect![[""]],
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
        expect![[""]],
    );
    let m: MultiUnionPwAff = parse("[{ S[i] -> [i]; T[] -> [0] }, { S[i] -> [i + 1] : i > 0; T[] -> [1] }]");
    check(m.domain(), expect![[""]]);
    check(m.add(&m, &b).unwrap(), expect![[""]]);
    check(m.to_union_pw_multi_aff(&b).unwrap(), expect![[""]]);
    check(m.to_union_map(&b).unwrap(), expect![[""]]);
    check(
        m.union(&parse("[{ U[] -> [1] }, { U[] -> [2] }]"), &b)
            .unwrap()
            .unwrap(),
        expect![[""]],
    );
    check(
        m.flat_range_product(&parse("([] : { S[i] : i < 9 })"), &b).unwrap(),
        expect![[""]],
    );
    check(
        m.pullback(&parse("{ A[i] -> S[2i] }"), &b).unwrap().unwrap(),
        expect![[""]],
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
        expect![[""]],
    );
}
