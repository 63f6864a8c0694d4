//! Set operations, text in and text out.

mod text;

use expect_test::{Expect, expect};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Set, UnionMap, UnionSet};
use text::{budget, check, map, parse, set};

#[test]
fn printing() {
    check(
        set("[n] -> { S[i, j] : 0 <= i < n and 0 <= j and j <= i }"),
        expect!["[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"],
    );
    check(
        set("{ [i] : exists (a : 2a = i) }"),
        expect!["{ [i] : ((i) mod 2) = 0 }"],
    );
    check(
        set("{ [i] : exists a, b : i = 3a + 5b and a, b >= 0 }"),
        expect!["{ [i] : 2i >= 5*floor((2 + i)/3) }"],
    );
    check(set("[n] -> { : n > 0 }"), expect!["[n] -> { : n > 0 }"]);
    check(
        set("[n] -> { : n > 5 or n = 2 }"),
        expect!["[n] -> { : n >= 6; : n = 2 }"],
    );
    check(set("{ [] }"), expect!["{ : }"]);
    check(set("{ A[i] : false }"), expect!["{ A[i] : false }"]);
    check(
        set("{ [i, j] : i < j or i > j }"),
        expect!["{ [i, j] : j > i; [i, j] : j < i }"],
    );
    check(
        set("{ [i, j] : not (i <= j and j != 3) }"),
        expect!["{ [i, j] : j < i; [i, j = 3] : i <= 3 }"],
    );
    check(
        set("{ [i] : i = 1 => i > 2 }"),
        expect!["{ [i] : i <= 0; [i] : i >= 2; [i] : i >= 3 }"],
    );
    check(
        set("{ [i, j, k] : i, j << j, k }"),
        expect!["{ [i, j, k] : j > i; [i, j = i, k] : k > i }"],
    );
    check(
        set("{ [i] : 3 <= 2i - 1, i + 1 <= 8 }"),
        expect!["{ [i] : 2 <= i <= 4 }"],
    );
    check(
        set("{ [S[i] -> A[a]] : a = [i/4] or a = i % 4 }"),
        expect!["{ [S[i] -> A[a = floor((i)/4)]]; [S[i] -> A[a = ((i) mod 4)]] }"],
    );
    check(
        set("{ [i] : i mod 32 = 5 and floord(i, 3) >= 2 and ceild(i, 3) <= 90 }"),
        expect!["{ [i] : ((i) mod 32) = 5 and floor((i)/3) >= 2 and floor((2 + i)/3) <= 90 }"],
    );
    check(
        map("{ A[i] -> B[j] : j = 2*floor(i/2) and i mod 3 = 1 }"),
        expect!["{ A[i] -> B[j = 2*floor((i)/2)] : ((i) mod 3) = 1 }"],
    );
    check(
        map("{ S[i] -> [(2*floor((i)/2))] }"),
        expect!["{ S[i] -> [(2*floor((i)/2))] }"],
    );
    check(
        map("[nj] -> { S_2[i, j] -> S_4[i' = i, j' = j, k = 999] : 0 <= i <= 799 and j < nj }"),
        expect!["[nj] -> { S_2[i, j] -> S_4[i' = i, j' = j, k = 999] : 0 <= i <= 799 and j < nj }"],
    );
    check(map("{ [i, j] -> [j, i] }"), expect!["{ [i, j] -> [(j), (i)] }"]);
    check(
        map("{ [i] -> [j] : j = floor(i/4) }"),
        expect!["{ [i] -> [j = floor((i)/4)] }"],
    );
    check(
        parse::<UnionSet>("[n] -> { A[i] : i < n; B[]; A[i] : i > n }"),
        expect!["[n] -> { A[i] : i < n; A[i] : i > n; B[] }"],
    );
    check(
        parse::<UnionMap>("{ A[i] -> B[i + 1]; B[] -> A[0] }"),
        expect!["{ A[i] -> B[(1 + i)]; B[] -> A[(0)] }"],
    );
    check(parse::<UnionSet>("{ }"), expect!["{ }"]);
    check(
        parse::<MultiAff>("[n] -> { S[i, j] -> T[i + j, floor((i + n)/32), 7] }"),
        expect!["[n] -> { S[i, j] -> T[(i + j), (floor((n + i)/32)), (7)] }"],
    );
    check(
        parse::<Aff>("{ S[i] -> [i/2 + 1] }"),
        expect!["{ S[i] -> [((2 + i)/2)] }"],
    );
}

#[test]
fn errors_say_where_and_what() {
    let error = |text: &str| text.parse::<Set>().unwrap_err();
    check(
        error("{ [i] : i < }"),
        expect!["1:13: expected an expression, found `}`"],
    );
    check(
        error("{ [i] : i <\n  j }"),
        expect!["2:3: `j` is not a parameter, dimension or variable"],
    );
    check(
        error("[n, n] -> { [i] }"),
        expect!["1:5: the parameter `n` occurs twice"],
    );
    check(
        error("{ [i] : i * i = 4 }"),
        expect!["1:11: one factor of a product has to be constant"],
    );
    check(
        error("{ [i] : i mod 0 = 4 }"),
        expect!["1:11: a modulus has to be positive"],
    );
    check(
        error("{ [i] -> [j] }"),
        expect!["1:3: expected a set, found a relation"],
    );
    check(error("{ [i]; [i, j] }"), expect!["1:1: expected a set of one space"]);
    check(
        error("{ [i] : (i + 1) }"),
        expect!["1:9: expected a condition, found an expression"],
    );
    check(
        error("{ [i] : (i < 1) + 2 = 3 }"),
        expect!["1:9: expected an expression, found a condition"],
    );
    check(
        error("{ [i] : i, i + 1 }"),
        expect!["1:10: expected a comparison, found `,`"],
    );
    check(
        error("{ [i, i = 3] }"),
        expect!["1:3: `i` is in use already, and cannot be the name of a dimension"],
    );
    check(error("{ [i] } @ "), expect!["1:9: unexpected character `@`"]);
    check(
        error(&format!("{{ [i] : {}i{} > 0 }}", "(".repeat(999), ")".repeat(999))),
        expect!["1:209: nested too deeply"],
    );
}

#[test]
fn projection() {
    let b = budget();
    let project = |text: &str| set(text).project_out(1, 1, &b).unwrap();
    check(project("{ [i, a] : i = 2a }"), expect!["{ [i0] : ((i0) mod 2) = 0 }"]);
    check(
        project("{ [i, a] : 3a <= i <= 3a + 1 and 0 <= i <= 9 }"),
        expect!["{ [i0] : ((1 + i0) mod 3) > 0 and 0 <= i0 <= 9 }"],
    );
    check(
        project("[n] -> { [i, j] : 0 <= i <= j < n }"),
        expect!["[n] -> { [i0] : 0 <= i0 < n }"],
    );
    check(
        project("{ [i, j] : 2j <= i and 3j >= i }"),
        expect!["{ [i0] : i0 >= 2*floor((2 + i0)/3) }"],
    );
    check(
        set("[n] -> { [i, j] : 0 <= 3i <= n and n = 2j }")
            .project_onto_params(&b)
            .unwrap(),
        expect!["[n] -> { : ((n) mod 2) = 0 and n >= 0 }"],
    );
    check(
        set("[n, m] -> { [i] : n <= 2i <= m }")
            .project_out_param("m", &b)
            .unwrap(),
        expect!["[n] -> { [i] : 2i >= n }"],
    );
}

#[test]
fn difference_and_complement() {
    let b = budget();
    let minus = |x: &str, y: &str| set(x).subtract(&set(y), &b).unwrap();
    check(
        minus("{ [i] : 0 <= i <= 9 }", "{ [i] : 3 <= i <= 5 }"),
        expect!["{ [i] : 0 <= i <= 2; [i] : 6 <= i <= 9 }"],
    );
    check(
        minus("{ [i] : 0 <= i <= 9 }", "{ [i] : i mod 3 = 1 }"),
        expect!["{ [i] : ((i) mod 3) = 0 and 0 <= i <= 9; [i] : ((i) mod 3) = 2 and 0 <= i <= 9 }"],
    );
    check(
        minus("[n] -> { [i] : 0 <= i < n }", "[m] -> { [i] : i < m }"),
        expect!["[n, m] -> { [i] : 0 <= i < n and i >= m }"],
    );
    check(
        minus("{ [i] : 0 <= i <= 9 }", "{ [i] : i > 9 }"),
        expect!["{ [i] : 0 <= i <= 9 }"],
    );
    check(
        set("[n] -> { : n >= 1 }").complement(&b).unwrap(),
        expect!["[n] -> { : n <= 0 }"],
    );
}

#[test]
fn gist_hull_coalesce() {
    let b = budget();
    let gist = |x: &str, y: &str| set(x).gist(&set(y), &b).unwrap();
    check(
        gist("[n] -> { [i] : 0 <= i < n and n >= 1 }", "[n] -> { [i] : 0 <= i }"),
        expect!["[n] -> { [i] : i < n }"],
    );
    check(
        gist("{ [i] : 0 <= i <= 9 and i mod 2 = 0 }", "{ [i] : i mod 4 = 0 }"),
        expect!["{ [i] : 0 <= i <= 9 }"],
    );
    check(
        gist("{ [i, j] : i = j and i >= 3 }", "{ [i, j] : j = 5 and i = 5 }"),
        expect!["{ [i, j] }"],
    );
    check(
        set("{ [i] : 0 <= i <= 3 or 5 <= i <= 8 }").simple_hull(&b).unwrap(),
        expect!["{ [i] : 0 <= i <= 8 }"],
    );
    check(
        set("[n] -> { [i] : 0 <= i <= n or 1 <= i <= n + 1 }")
            .simple_hull(&b)
            .unwrap(),
        expect!["[n] -> { [i] : 0 <= i <= 1 + n }"],
    );
    let coalesce = |x: &str| set(x).coalesce(&b).unwrap();
    check(
        coalesce("{ [i] : 0 <= i <= 3 or 4 <= i <= 8 }"),
        expect!["{ [i] : 0 <= i <= 8 }"],
    );
    check(
        coalesce("{ [i] : 0 <= i <= 3 or 5 <= i <= 8 }"),
        expect!["{ [i] : 0 <= i <= 3; [i] : 5 <= i <= 8 }"],
    );
    check(coalesce("{ [i] : i mod 2 = 0 or i mod 2 = 1 }"), expect!["{ [i] }"]);
    check(
        coalesce("{ [i, j] : 0 <= i, j <= 9 and (i < j or i > j or i = j) }"),
        expect!["{ [i, j] : 0 <= i <= 9 and 0 <= j <= 9 }"],
    );
}

#[test]
fn coalesced_unions() {
    let b = budget();
    let coalesce = |x: &str, expected: Expect| check(set(x).coalesce(&b).unwrap(), expected);
    coalesce("{ [t] : t >= 0 or t <= -1 }", expect!["{ [t] }"]);
    coalesce("{ [i] : i = 3 or 4 <= i <= 9 }", expect!["{ [i] : 3 <= i <= 9 }"]);
    // Each cuts the other.
    coalesce(
        "{ [i, j] : (0 <= i, j <= 10 and i + j <= 15) or (i, j <= 10 and i + j >= 14) }",
        expect!["{ [i, j] : 0 <= i <= 10 and 0 <= j <= 10 }"],
    );
    // Wrapped about the facets that they share.
    coalesce(
        "{ [i, j] : (1 <= i <= 9 and 0 <= j <= 9) or (0 <= i <= 9 and 1 <= j <= 9) }",
        expect!["{ [i, j] : 0 <= i <= 9 and 0 <= j <= 9 and j > -i }"],
    );
    coalesce(
        "{ [i, j] : (0 <= i <= 5 and 0 <= j <= i) or (6 <= i <= 10 and 0 <= j <= 10 - i) }",
        expect!["{ [i, j] : 0 <= j <= i and j <= 10 - i }"],
    );
    coalesce(
        "{ [i, j] : 0 <= j <= i <= 5 or (i = 6 and 0 <= j <= 6) }",
        expect!["{ [i, j] : 0 <= j <= i and i <= 6 }"],
    );
    coalesce(
        "{ [i, j] : (i = 0 and j = 0) or (i = 1 and j = 1) }",
        expect!["{ [i, j = i] : 0 <= i <= 1 }"],
    );
    coalesce(
        "{ [i] : (i mod 2 = 0 and 0 <= i <= 10) or i = 12 }",
        expect!["{ [i] : ((i) mod 2) = 0 and 0 <= i <= 12 }"],
    );
    coalesce(
        "{ [i] : (i mod 3 = 0 and 0 <= i <= 9) or (i mod 3 = 0 and 12 <= i <= 30) }",
        expect!["{ [i] : ((i) mod 3) = 0 and 0 <= i <= 30 }"],
    );
    // The other order of merging would leave three.
    coalesce(
        "[n] -> { [i] : (n <= 0 and i <= 3) or (n <= 0 and i >= 4) or (n >= 1 and i >= 4) or (1 <= n <= 9 and i <= 3) }",
        expect!["[n] -> { [i] : n <= 9 and i <= 3; [i] : i >= 4 }"],
    );
    coalesce(
        "{ [i] : (i mod 2 = 0 and 0 <= i <= 10) or i = 5 }",
        expect!["{ [i] : ((i) mod 2) = 0 and 0 <= i <= 10; [i = 5] }"],
    );
}

#[test]
fn lexicographic_optima() {
    let b = budget();
    check(
        set("[n] -> { [i, j] : 0 <= i < n and i <= j < n and j >= 3 }")
            .lexmin(&b)
            .unwrap(),
        expect!["[n] -> { [i = 0, j = 3] : n >= 4 }"],
    );
    check(
        set("[n] -> { [i, j] : 0 <= i < n and i <= j < n and j >= 3 }")
            .lexmax(&b)
            .unwrap(),
        expect!["[n] -> { [i = -1 + n, j = -1 + n] : n >= 4 }"],
    );
    check(
        set("[n] -> { [i] : i >= n and i >= 0 and i mod 2 = 0 }")
            .lexmin(&b)
            .unwrap(),
        expect!["[n] -> { [i = 0] : n <= 0; [i = 2n - 2*floor((n)/2)] : n > 0 }"],
    );
    check(set("{ [i] : i <= 3 }").lexmin(&b).unwrap(), expect!["{ [i] : false }"]);
    check(
        map("{ [i] -> [j] : i <= 3j and 0 <= i <= 9 }").lexmin(&b).unwrap(),
        expect!["{ [i] -> [j = floor((2 + i)/3)] : 0 <= i <= 9 }"],
    );
    check(
        map("{ [i] -> [j] : j = i or j = 4 }").lexmax(&b).unwrap(),
        expect!["{ [i] -> [j = i] : i >= 4; [i] -> [j = 4] : i <= 3 }"],
    );
}

#[test]
fn relations() {
    let b = budget();
    let r = map("[n] -> { S[i] -> A[a] : a = 2i and 0 <= i < n }");
    check(r.reverse(), expect!["[n] -> { A[a] -> S[i] : 2i = a and 0 <= i < n }"]);
    check(r.domain(&b).unwrap(), expect!["[n] -> { S[i] : 0 <= i < n }"]);
    check(
        r.range(&b).unwrap(),
        expect!["[n] -> { A[a] : ((a) mod 2) = 0 and 0 <= a <= -2 + 2n }"],
    );
    check(
        r.apply_range(&map("{ A[a] -> [floor(a/3)] }"), &b).unwrap(),
        expect!["[n] -> { S[i] -> [(floor((2i)/3))] : 0 <= i < n }"],
    );
    check(
        r.apply_range(&r.reverse(), &b).unwrap(),
        expect!["[n] -> { S[i] -> S[i' = i] : 0 <= i < n }"],
    );
    check(
        r.apply(&set("{ S[i] : i = 3 }"), &b).unwrap(),
        expect!["[n] -> { A[a = 6] : n >= 4 }"],
    );
    check(r.wrap(), expect!["[n] -> { [S[i] -> A[a = 2i]] : 0 <= i < n }"]);
    check(
        r.domain_map(),
        expect!["[n] -> { [S[i] -> A[a = 2i]] -> S[i' = i] : 0 <= i < n }"],
    );
    check(
        r.range_map(),
        expect!["[n] -> { [S[i] -> A[a = 2i]] -> A[a' = 2i] : 0 <= i < n }"],
    );
    check(
        r.flat_range_product(&map("{ S[i] -> [i + 1] }")),
        expect!["[n] -> { S[i] -> [(2i), (1 + i)] : 0 <= i < n }"],
    );
    check(
        map("{ [i, j] -> [i', j'] : i' = i + 1 and j - 1 <= j' <= j }")
            .deltas(&b)
            .unwrap(),
        expect!["{ [i' = 1, j'] : -1 <= j' <= 0 }"],
    );
    check(
        Map::lex_lt(set("{ [] }").params().clone(), set("{ [i, j] }").tuple().clone()),
        expect!["{ [i, j] -> [i', j'] : i' > i; [i, j] -> [i' = i, j'] : j' > j }"],
    );
    assert!(r.is_bijective(&b).unwrap());
    assert!(!map("{ [i] -> [j] : i <= j <= i + 1 }").is_single_valued(&b).unwrap());
    assert!(map("{ [i] -> [j] : 2j <= i < 2j + 2 }").is_single_valued(&b).unwrap());
    assert!(!map("{ [i] -> [floor(i/2)] }").is_injective(&b).unwrap());
}

#[test]
fn numbers_beyond_64_bits() {
    let b = budget();
    let big = set("{ [i] : 3i = 3000000000000000000000000 }");
    check(&big, expect!["{ [i = 1000000000000000000000000] }"]);
    check(
        big.apply(&map("{ [i] -> [1000000000000 i + 1] }"), &b).unwrap(),
        expect!["{ [(1000000000000000000000000000000000001)] }"],
    );
    assert!(set("{ [i] : 2i = 3000000000000000000000001 }").is_empty(&b).unwrap());
}

#[test]
fn expressions() {
    let f: Aff = parse("[n] -> { S[i] -> [i + n] }");
    let two = Int::from(2);
    check(
        f.floor_div(&two).add(&f.modulo(&two)),
        expect!["[n] -> { S[i] -> [(n + i - floor((n + i)/2))] }"],
    );
    check(f.scale(&two).floor_div(&two), expect!["[n] -> { S[i] -> [(n + i)] }"]);
    let args: MultiAff = parse("{ T[t] -> S[4t + 1] }");
    check(
        f.floor_div(&two).pullback(&args),
        expect!["[n] -> { T[t] -> [(2t + floor((1 + n)/2))] }"],
    );
    check(
        parse::<MultiAff>("{ T[t] -> [t, floor(t/2)] }").to_map(),
        expect!["{ T[t] -> [(t), (floor((t)/2))] }"],
    );
    assert_eq!(
        f.floor_div(&two).eval(&[Int::from(4)], &[Int::from(-7)]),
        Some(Int::from(-2))
    );
}

#[test]
fn partial_optima() {
    let b = budget();
    let partial = |relation: &str, domain: &str| {
        let (max, empty) = map(relation).partial_lexmax(&set(domain), &b).unwrap();
        format!("{max}\n{empty}")
    };
    check(
        partial(
            "[n] -> { [i] -> [j] : 0 <= j < i and j < n }",
            "[n] -> { [i] : 0 <= i < n }",
        ),
        expect![[r#"
            [n] -> { [i] -> [j = -1 + i] : 0 < i < n }
            [n] -> { [i = 0] : n > 0 }"#]],
    );
    // One image is unbounded, one is missing.
    check(
        partial(
            "{ [i] -> [j] : j >= i; [i] -> [j] : j = 7 and i <= 3 }",
            "{ [i] : 0 <= i <= 5 }",
        ),
        expect![[r#"
            { [i] -> [j] : false }
            { [i] : 0 <= i <= 5 }"#]],
    );
    check(
        partial(
            "{ [i] -> [j, k] : 3j + 2k = i and k >= 0 and j <= 10 }",
            "{ [i] : 0 <= i and i mod 2 = 0 }",
        ),
        expect![[r#"
            { [i] -> [j = 10, k] : 2k = -30 + i and k >= 0; [i] -> [j = i - 2*floor((2 + i)/3), k = 2 - ((2 + i) mod 3)] : ((i) mod 2) = 0 and 0 <= i <= 29 }
            { [i] : false }"#]],
    );
    let (min, empty) = map("{ [i] -> [j] : 2j >= i and 3j <= i + 2 }")
        .partial_lexmin(&set("{ [i] : -9 <= i <= 9 }"), &b)
        .unwrap();
    check(
        min,
        expect!["{ [i] -> [j = floor((1 + i)/2)] : -9 <= i <= 4 and 3j <= 2 + i }"],
    );
    check(
        empty,
        expect!["{ [i] : 5 <= i <= 9; [i] : -9 <= i <= 4 and 2i >= 3 + 3*floor((i)/2) }"],
    );
}
