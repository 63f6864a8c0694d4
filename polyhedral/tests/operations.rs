//! Operations on sets and relations beyond the Boolean ones, text in and text out.

mod text;

use expect_test::expect;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{UnionMap, UnionSet};
use std::fmt::Display;
use text::{budget, check, map, parse, set};

/// One line for each of the values.
fn lines<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|v| format!("{v}\n")).collect()
}

#[test]
fn affine_hulls() {
    let hull = |text: &str| set(text).affine_hull(&budget()).unwrap();
    check(
        lines([
            hull("{ [i, j] : 2j <= i <= 2j + 1 and i mod 2 = 0 }"),
            hull("{ [i] : 0 <= i <= 10 and i mod 3 = 1 and i mod 2 = 0 }"),
            hull("{ [i, j] : i = 2*floor(j/3) and 0 <= j <= 8 }"),
            hull("{ [i, j] : (i mod 4 = 0 and j = i) or (i mod 4 = 2 and j = i) }"),
            hull("{ [i] : i = 0 or i = 4 }"),
            hull("{ [i] : i mod 6 = 1 or i mod 9 = 4 }"),
            hull("{ [i, j] : (i = 0 and j = 0) or (i = 1 and j = 3) or (i = 3 and j = 1) }"),
            hull("[n] -> { [i] : 2n <= 4i <= 2n + 1 }"),
            hull("{ [i, j] : 0 <= i and 0 <= j and i + j <= 0 }"),
            hull("{ [i] : 1 <= 3i <= 2 }"),
        ]),
        expect![[r#"
            { [i, j] : 2j = i }
            { [i] : ((2 + i) mod 3) = 0 and ((i) mod 2) = 0 }
            { [i, j] : ((i) mod 2) = 0 }
            { [i, j = i] : ((i) mod 2) = 0 }
            { [i] : ((i) mod 4) = 0 }
            { [i] : ((2 + i) mod 3) = 0 }
            { [i, j] : ((7 + 3i - j) mod 8) = 7 }
            [n] -> { [i] : 2i = n }
            { [i = 0, j = 0] }
            { [i] : false }
        "#]],
    );
}

#[test]
fn strides() {
    let stride = |text: &str, dim: usize| {
        let stride = set(text).stride(dim, &budget()).unwrap();
        format!("{} {}", stride.stride, stride.offset)
    };
    check(
        lines([
            stride("{ [i] : i mod 4 = 3 and 0 <= i }", 0),
            stride("[n] -> { [i] : (i + n) mod 6 = 1 }", 0),
            stride("{ [i, j] : (2i + 3j) mod 4 = 0 }", 0),
            stride("{ [i, j] : i = 2j + 1 }", 0),
            stride("{ [i, j] : i = 2j + 1 }", 1),
            stride("{ [i] : i mod 4 <= 1 }", 0),
            stride("{ [i] : i mod 6 = 1 or i mod 9 = 4 }", 0),
        ]),
        expect![[r#"
            4 { [i] -> [(3)] }
            6 [n] -> { [i] -> [(5 - ((4 + n) mod 6))] }
            2 { [i, j] -> [(floor((j)/2) - 2*floor((j)/4))] }
            0 { [i, j] -> [(1 + 2j)] }
            0 { [i, j] -> [(i - floor((1 + i)/2))] }
            1 { [i] -> [(0)] }
            3 { [i] -> [(1)] }
        "#]],
    );
}

#[test]
fn bounds() {
    let b = budget();
    let show = |text: &str| {
        let s = set(text);
        let (min, max) = (s.dim_min(0, &b).unwrap(), s.dim_max(0, &b).unwrap());
        let fixed = s.fixed_dim(0, &b).unwrap();
        let bounded = s.is_bounded(&b).unwrap();
        format!(
            "{min:?} {max:?} {fixed:?} bounded {bounded}; {}",
            s.box_hull(&b).unwrap()
        )
    };
    check(
        lines([
            show("{ [i] : 3 <= 2i <= 9 }"),
            show("[n] -> { [i, j] : 0 <= i < n and 5 <= j <= 7 and i >= j }"),
            show("{ [i] : i = 3 or (2 <= i <= 3 and i mod 3 = 0) }"),
            show("{ [i] : i >= 3 and i <= 2 }"),
            show("{ [i] : i mod 2 = 0 }"),
        ]),
        expect![[r#"
            Finite(2) Finite(4) None bounded true; { [i] : 2 <= i <= 4 }
            Finite(5) Unbounded None bounded true; [n] -> { [i, j] : i >= 5 and 5 <= j <= 7 }
            Finite(3) Finite(3) Some(3) bounded true; { [i = 3] }
            Empty Empty None bounded true; { [i] : false }
            Unbounded Unbounded None bounded false; { [i] }
        "#]],
    );
}

#[test]
fn hulls() {
    let b = budget();
    let show = |text: &str| {
        let s = set(text);
        lines([
            s.simple_hull(&b).unwrap(),
            s.unshifted_simple_hull(&b).unwrap(),
            s.polyhedral_hull(&b).unwrap(),
            s.convex_hull(&b).unwrap(),
            s.lineality_space(&b).unwrap(),
        ])
    };
    check(
        show("{ [i] : 0 <= i <= 1 or i = 4 }"),
        expect![[r#"
        { [i] : 0 <= i <= 4 }
        { [i] : 0 <= i <= 4 }
        { [i] : 0 <= i <= 4 }
        { [i] : 0 <= i <= 4 }
        { [i = 0] }
    "#]],
    );
    check(
        show("{ [i, j] : (i = 0 and j >= 0) or (i = 2 and j = 1) }"),
        expect![[r#"
            { [i, j] : 0 <= i <= 2 and j >= 0 }
            { [i, j] : 0 <= i <= 2 and j >= 0 }
            { [i, j] : 2j >= i and 0 <= i <= 2 }
            { [i, j] : 2j >= i and 0 <= i <= 2 }
            { [i = 0, j = 0] }
        "#]],
    );
    check(
        show("{ [i, j] : i mod 4 = 0 and 1 <= i <= 9 }"),
        expect![[r#"
        { [i, j] : ((i) mod 4) = 0 and 0 < i <= 9 }
        { [i, j] : ((i) mod 4) = 0 and 0 < i <= 9 }
        { [i, j] : 0 < i <= 9 }
        { [i, j] : 0 < i <= 9 }
        { [i = 0, j] }
    "#]],
    );
    check(
        show("{ [i, j] : i = j or i = j + 3 }"),
        expect![[r#"
        { [i, j] : -3 + i <= j <= i }
        { [i, j] : -3 + i <= j <= i }
        { [i, j] : -3 + i <= j <= i }
        { [i, j] : -3 + i <= j <= i }
        { [i, j = i] }
    "#]],
    );
}

#[test]
fn coefficients() {
    let b = budget();
    let show = |text: &str| {
        let s = set(text);
        let coefficients = s.coefficients(&b).unwrap();
        let solutions = coefficients.solutions(s.space().clone(), &b).unwrap();
        lines([coefficients, solutions])
    };
    check(
        show("{ [i] : 0 <= i <= 1 }"),
        expect![[r#"
            { coefficients[i0, i1] : i0 >= 0 and i1 >= -i0 }
            { [i] : 0 <= i <= 1 }
        "#]],
    );
    check(
        show("[n] -> { [i, j] : 0 <= i < n and j = 2i }"),
        expect![[r#"
            { coefficients[i0, i1, i2, i3] : i1 >= 0 and 2i3 >= -i1 - i2 and i1 >= -i0 }
            [n] -> { [i, j = 2i] : 0 <= i < n }
        "#]],
    );
    check(
        show("{ [i] : 0 <= i <= 1 or i = 4 }"),
        expect![[r#"
        { coefficients[i0, i1] : i0 >= 0 and 4i1 >= -i0 }
        { [i] : 0 <= i <= 4 }
    "#]],
    );
    check(
        show("{ [i] : i mod 3 = 0 and 2 <= i <= 7 }"),
        expect![[r#"
            { coefficients[i0, i1] : 2i1 >= -i0 and 7i1 >= -i0 }
            { [i] : 2 <= i <= 7 }
        "#]],
    );
}

#[test]
fn counting() {
    let b = budget();
    let count = |text: &str| format!("{:?}", set(text).count(&b).unwrap());
    check(
        lines([
            count("{ [i, j] : 0 <= i < 5 and 0 <= j <= i }"),
            count("{ [i] : 0 <= i < 5; [i] : 3 <= i < 8 and i mod 2 = 0 }"),
            count("{ [i] : i >= 0 }"),
            count("{ [i] : 1 <= 2i <= 1 }"),
            count("[n] -> { [i] : 0 <= i < n <= 3 }"),
            count("{ [] }"),
        ]),
        expect![[r#"
            Some(15)
            Some(6)
            None
            Some(0)
            Some(6)
            Some(1)
        "#]],
    );
    check(
        format!(
            "{:?}",
            set("{ [i, j] : 0 <= i <= 1 and i <= 2j <= 3 }").points(&b).unwrap()
        ),
        expect!["Some([[0, 0], [0, 1], [1, 1]])"],
    );
}

#[test]
fn nesting() {
    let b = budget();
    let m = map("{ [A[i] -> B[j]] -> [C[k] -> D[l]] : i = j + 1 and k = l and l >= i }");
    check(
        lines([
            m.curry(),
            m.uncurry(),
            m.zip(),
            m.domain_reverse(),
            m.range_reverse(),
            m.flatten(),
            m.domain_factor_domain(&b).unwrap(),
            m.domain_factor_range(&b).unwrap(),
            m.range_factor_domain(&b).unwrap(),
            m.range_factor_range(&b).unwrap(),
            m.factor_domain(&b).unwrap(),
            m.factor_range(&b).unwrap(),
            m.intersect_range_factor_domain(&map("{ [A[i] -> B[j]] -> C[5] }")),
            m.intersect_domain_factor_range(&map("{ B[3] -> [C[k] -> D[l]] }")),
            map("{ A[i] -> [[B[i] -> C[2]] -> D[k]] }").range_curry(),
            map("{ A[i] -> B[i + 1] }").product(&map("{ C[j] -> D[2j] }")),
            map("{ A[i] -> B[i + 1] }").domain_product(&map("{ C[j] -> B[2j] }")),
            map("{ A[i, j] -> B[j, i + 1] }").deltas_map(),
        ]),
        expect![[r#"
            { A[i] -> [B[j = -1 + i] -> [C[k] -> D[l = k]]] : k >= i }
            { [[A[i] -> B[j = -1 + i]] -> C[k]] -> D[l = k] : k >= i }
            { [A[i] -> C[k]] -> [B[j = -1 + i] -> D[l = k]] : k >= i }
            { [B[j] -> A[i = 1 + j]] -> [C[k] -> D[l = k]] : k > j }
            { [A[i] -> B[j = -1 + i]] -> [D[l] -> C[k = l]] : l >= i }
            { [i, j = -1 + i] -> [k, l = k] : k >= i }
            { A[i] -> [C[k] -> D[l = k]] : k >= i }
            { B[j] -> [C[k] -> D[l = k]] : k > j }
            { [A[i] -> B[j = -1 + i]] -> C[k] : k >= i }
            { [A[i] -> B[j = -1 + i]] -> D[l] : l >= i }
            { A[i] -> C[k] : k >= i }
            { B[j] -> D[l] : l > j }
            { [A[i] -> B[j = -1 + i]] -> [C[k = 5] -> D[l = 5]] : i <= 5 }
            { [A[i = 4] -> B[j = 3]] -> [C[k] -> D[l = k]] : k >= 4 }
            { A[i] -> [B[(i)] -> [C[(2)] -> D[k]]] }
            { [A[i] -> C[j]] -> [B[(1 + i)] -> D[(2j)]] }
            { [A[i] -> C[j]] -> B[(2j)] : 2j = 1 + i }
            { [A[i, j] -> B[(j), (1 + i)]] -> B[(-i + j), (1 + i - j)] }
        "#]],
    );
    let u: UnionMap = parse("{ [A[i] -> B[j]] -> C[j]; D[i] -> D[i + 1] }");
    check(
        lines([u.curry(), u.zip(), u.deltas_map(), u.domain_map(), u.product(&u)]),
        expect![[r#"
            { A[i] -> [B[j] -> C[(j)]] }
            { }
            { [D[i] -> D[(1 + i)]] -> D[(1)] }
            { [[A[i] -> B[j]] -> C[(j)]] -> [A[i' = i] -> B[j' = j]]; [D[i] -> D[(1 + i)]] -> D[i' = i] }
            { [[A[i] -> B[j]] -> [A[i'] -> B[j']]] -> [C[(j)] -> C[(j')]]; [[A[i] -> B[j]] -> D[i']] -> [C[(j)] -> D[(1 + i')]]; [D[i] -> [A[i'] -> B[j]]] -> [D[(1 + i)] -> C[(j)]]; [D[i] -> D[i']] -> [D[(1 + i)] -> D[(1 + i')]] }
        "#]],
    );
    let w = u.wrap();
    check(
        lines([&w]),
        expect![[r#"
        { [[A[i] -> B[j]] -> C[(j)]]; [D[i] -> D[(1 + i)]] }
    "#]],
    );
    check(w.unwrap(), expect!["{ [A[i] -> B[j]] -> C[(j)]; D[i] -> D[(1 + i)] }"]);
    check(u.deltas(&b).unwrap(), expect!["{ D[(1)] }"]);
}

#[test]
fn orders() {
    let b = budget();
    let (x, y) = (set("{ [i, j] : 0 <= i <= 1 }"), set("{ [0, j] : j = 5 }"));
    check(
        lines([x.lex_lt(&y), x.lex_ge(&y)]),
        expect![[r#"
        { [i = 0, j] -> [i' = 0, j' = 5] : j <= 4 }
        { [i = 1, j] -> [i' = 0, j' = 5]; [i = 0, j] -> [i' = 0, j' = 5] : j >= 6; [i = 0, j = 5] -> [i' = 0, j' = 5] }
    "#]],
    );
    let (s, t) = (map("{ A[i] -> [i, 0] }"), map("{ B[i] -> [0, i] }"));
    check(
        lines([s.lex_lt_map(&t, &b).unwrap(), s.lex_ge_map(&t, &b).unwrap()]),
        expect![[r#"
            { A[i] -> B[i'] : i < 0; A[i = 0] -> B[i'] : i' > 0 }
            { A[i] -> B[i'] : i > 0; A[i = 0] -> B[i'] : i' < 0; A[i = 0] -> B[i' = 0] }
        "#]],
    );
    let u: UnionSet = parse("{ A[i] : 0 <= i <= 3; B[i] : i = 7 }");
    check(
        lines([u.lex_gt(&u)]),
        expect![[r#"
            { A[i] -> A[i'] : 0 <= i' < i and 0 <= i <= 3 and i' <= 3 }
        "#]],
    );
    check(
        lines([u.lexmin(&b).unwrap(), u.lexmax(&b).unwrap()]),
        expect![[r#"
        { A[i = 0]; B[i = 7] }
        { A[i = 3]; B[i = 7] }
    "#]],
    );
}

#[test]
fn dimensions() {
    let b = budget();
    let s = set("[n] -> { S[i, j, k] : 0 <= i < n and j = 2i and k mod 2 = 0 and j <= k }");
    check(
        lines([
            s.eliminate(1, 1, &b).unwrap(),
            s.lower_bound_dim(0, &Int::from(3)),
            s.upper_bound_dim(2, &Int::from(3)),
            s.equate_dims(0, 1),
            s.drop_constraints_involving(1, 1),
            s.drop_constraints_not_involving(2, 1),
            s.project_out_params(&["n"], &b).unwrap(),
            s.dims_to_params(1, ["p"]),
            s.params_to_dims(&["n"]),
            s.params_to_dims(&["m", "n"]),
            s.flatten(),
        ]),
        expect![[r#"
            [n] -> { S[i, j, k] : ((k) mod 2) = 0 and 0 <= i < n and k >= 2i }
            [n] -> { S[i, j = 2i, k] : ((k) mod 2) = 0 and 3 <= i < n and k >= 2i }
            [n] -> { S[i, j = 2i, k] : ((k) mod 2) = 0 and 0 <= i < n and 2i <= k <= 3 }
            [n] -> { S[i = 0, j = 0, k] : ((k) mod 2) = 0 and n > 0 and k >= 0 }
            [n] -> { S[i, j, k] : ((k) mod 2) = 0 and 0 <= i < n and k >= 2i }
            [n] -> { S[i, j, k] : ((k) mod 2) = 0 and k >= 2i }
            { S[i, j = 2i, k] : ((k) mod 2) = 0 and i >= 0 and k >= 2i }
            [n, p] -> { [i0, i1] : 2i0 = p and ((i1) mod 2) = 0 and 0 <= i0 < n and i1 >= 2i0 }
            { [i0, i1, (2i1), i3] : ((i3) mod 2) = 0 and 0 <= i1 < i0 and i3 >= 2i1 }
            { [i0, i1, i2, (2i2), i4] : ((i4) mod 2) = 0 and 0 <= i2 < i1 and i4 >= 2i2 }
            [n] -> { S[i, j = 2i, k] : ((k) mod 2) = 0 and 0 <= i < n and k >= 2i }
        "#]],
    );
    let m = map("[n] -> { A[i] -> B[j, k] : i = j and 0 <= k < n }");
    check(
        lines([
            m.eliminate_range(0, 1, &b).unwrap(),
            m.eliminate_domain(0, 1, &b).unwrap(),
            m.order_lt(0, 1),
            m.order_gt(0, 1),
            m.lower_bound_range_dim(1, &Int::from(2)),
            m.upper_bound_domain_dim(0, &Int::from(2)),
            m.move_domain_to_range(1),
            m.move_range_to_domain(1),
            m.move_domain_dims(0, 1, 2),
            m.move_range_dims(1, 1, 0),
            m.insert_domain_dims(0, 1),
            m.insert_range_dims(2, 1),
            m.drop_constraints_involving_domain(),
            m.drop_constraints_involving_range(),
            m.project_out_params(&["n"], &b).unwrap(),
        ]),
        expect![[r#"
            [n] -> { A[i] -> B[j, k] : 0 <= k < n }
            [n] -> { A[i] -> B[j, k] : 0 <= k < n }
            [n] -> { A[i] -> B[j = i, k] : 0 <= k < n and k > i }
            [n] -> { A[i] -> B[j = i, k] : 0 <= k < n and k < i }
            [n] -> { A[i] -> B[j = i, k] : 2 <= k < n }
            [n] -> { A[i] -> B[j = i, k] : 0 <= k < n and i <= 2 }
            [n] -> { [] -> [o0, (o0), o2] : 0 <= o2 < n }
            [n] -> { [i0, (i0)] -> [o0] : 0 <= o0 < n }
            [n] -> { [] -> [o0, o1, (o0)] : 0 <= o1 < n }
            [n] -> { [i0, i1] -> [(i1)] : 0 <= i0 < n }
            [n] -> { [i0, i1] -> B[j = i1, k] : 0 <= k < n }
            [n] -> { A[i] -> [(i), o1, o2] : 0 <= o1 < n }
            [n] -> { A[i] -> B[j, k] : 0 <= k < n }
            [n] -> { A[i] -> B[j, k] }
            { A[i] -> B[j = i, k] : k >= 0 }
        "#]],
    );
}

#[test]
fn closures() {
    let b = budget();
    let closure = |text: &str| {
        let closure = map(text).transitive_closure(&b).unwrap();
        format!("{} {}", if closure.exact { "exact" } else { "superset" }, closure.value)
    };
    check(
        lines([
            closure("{ [i] -> [i + 2] : 0 <= i <= 10 }"),
            closure("[n] -> { [i] -> [i + 1] : 0 <= i < n }"),
            closure("{ [i, j] -> [i + 1, j]; [i, j] -> [i, j + 1] }"),
            closure("[n] -> { [i, j] -> [i + 1, j + 2] : 0 <= i < n; [i, j] -> [i + 1, j - 1] : 0 <= i < n }"),
            closure("{ [i] -> [j] : i < j }"),
            closure("{ [i] -> [2i] : 1 <= i <= 50 }"),
            closure("{ [0] -> [1]; [1] -> [2]; [2] -> [7] }"),
            closure("{ [0] -> [1]; [1] -> [0] }"),
            closure("{ [i] -> [i + 3] : i mod 2 = 0 }"),
            closure("{ [i] -> [5] : i <= 3; [5] -> [i] : i >= 10 }"),
        ]),
        expect![[r#"
            exact { [i] -> [o0] : ((i + o0) mod 2) = 0 and i >= 0 and 2 + i <= o0 <= 12 }
            exact [n] -> { [i] -> [o0] : i >= 0 and i < o0 <= n }
            exact { [i, j] -> [o0, o1] : o0 >= i and o1 >= j and o1 > i + j - o0 }
            exact [n] -> { [i, j] -> [o0, o1] : ((2 + i + j - o0 - o1) mod 3) = 2 and i >= 0 and i < o0 <= n and i + j - o0 <= o1 <= -2i + j + 2o0 }
            exact { [i] -> [j] : j > i }
            superset { [i] -> [o0] : ((o0) mod 2) = 0 and 0 < i <= 50 and i < o0 <= 100 }
            exact { [i0] -> [o0] : i0 >= 0 and i0 < o0 <= 2; [i0] -> [(7)] : 0 <= i0 <= 2 }
            exact { [i0] -> [o0] : 0 <= i0 <= 1 and 0 <= o0 <= 1 }
            exact { [i] -> [(3 + i)] : ((i) mod 2) = 0 }
            exact { [i] -> [(5)] : i <= 3; [i = 5] -> [o0] : o0 >= 10; [i] -> [o0] : i <= 3 and o0 >= 10 }
        "#]],
    );
    let power = |text: &str| {
        let power = map(text).power(&b).unwrap();
        let lengths = map(text).reaching_path_lengths(&b).unwrap();
        format!("{} {} {}", power.exact, power.value, lengths.value)
    };
    check(
        lines([
            power("{ [i] -> [i + 2] : 0 <= i <= 10 }"),
            power("{ [i] -> [i + 1]; [i] -> [i + 3] }"),
        ]),
        expect![[r#"
            true { [i0] -> [[i] -> [(2i0 + i)]] : 0 <= i <= 10 and 2 - 2i0 <= i <= 12 - 2i0 and i0 > 0 } { [i0] : 0 < i0 <= 6 }
            true { [i0] -> [[i] -> [o1]] : ((i0 + i + o1) mod 2) = 0 and i0 + i <= o1 <= 3i0 + i and i0 > 0 } { [i0] : i0 > 0 }
        "#]],
    );
}

#[test]
fn parametric_bounds() {
    let b = budget();
    let s = set("[n] -> { [i, j] : 0 <= i <= j and 2j <= n and i >= 3 - j or i = j = n + 5 }");
    check(
        lines([s.dim_min_pw_aff(0, &b).unwrap(), s.dim_max_pw_aff(1, &b).unwrap()]),
        expect![[r#"
            [n] -> { [] -> [(0)] : n >= 6; [] -> [(3 - floor((n)/2))] : 3 <= n <= 5 and n >= 6 - 2*floor((n)/2); [] -> [(5 + n)] : n <= 2 or (3 <= n <= 5 and n <= 5 - 2*floor((n)/2)) }
            [n] -> { [] -> [(5 + n)] }
        "#]],
    );
    check(
        set("{ [i, j] : j >= i }").dim_min_pw_aff(1, &b).unwrap(),
        expect!["{ [] -> [(0)] : false }"],
    );
}

#[test]
fn bounds_of_pairs() {
    let b = budget();
    let m = map("{ A[i] -> B[j, k] : 1 <= i <= 3 and j = 2i and k = 7 }");
    check(
        m.box_hull(&b).unwrap(),
        expect!["{ A[i] -> B[j, k = 7] : 0 < i <= 3 and 2 <= j <= 6 }"],
    );
    check(
        map("{ [i] -> [j, k] : j = i and k >= 0 }").lineality_space(&b).unwrap(),
        expect!["{ [i] -> [j = i, k = 0] }"],
    );
    assert_eq!(m.fixed_range_dim(1, &b).unwrap(), Some(Int::from(7)));
    assert_eq!(m.fixed_domain_dim(0, &b).unwrap(), None);
    let even = map("{ [i] -> [j] : exists a : j = 2a + 1 }")
        .range_stride(0, &b)
        .unwrap();
    check(
        format!("{} {}", even.stride, even.offset),
        expect!["2 { [[i] -> [j]] -> [(1)] }"],
    );
}

#[test]
fn unions_within_factors_and_contexts() {
    let b = budget();
    let union = |text: &str| parse::<UnionMap>(text);
    let pairs = union("{ [A[i] -> B[j]] -> C[k]; A[i] -> [B[j] -> C[k]]; A[i] -> B[j] }");
    check(
        lines([
            pairs.intersect_domain_factor_domain(&union("{ A[i] -> C[i] }")),
            pairs.intersect_domain_factor_range(&union("{ B[i] -> C[i] }")),
            pairs.intersect_range_factor_domain(&union("{ A[i] -> B[i] }")),
            pairs.intersect_range_factor_range(&union("{ A[i] -> C[i] }")),
        ]),
        expect![[r#"
            { [A[i] -> B[j]] -> C[(i)] }
            { [A[i] -> B[i']] -> C[(i')] }
            { A[i] -> [B[(i)] -> C[k]] }
            { A[i] -> [B[j] -> C[(i)]] }
        "#]],
    );
    let m = union("{ A[i] -> B[j] : 0 <= i <= 9 and 0 <= j <= 9; C[i] -> B[j] : 0 <= j <= 5 }");
    check(
        lines([
            m.gist_domain(&parse::<UnionSet>("{ A[i] : i >= 0 }"), &b).unwrap(),
            m.gist_range(&parse::<UnionSet>("{ B[i] : 0 <= i <= 7 }"), &b).unwrap(),
        ]),
        expect![[r#"
            { A[i] -> B[j] : i <= 9 and 0 <= j <= 9 }
            { A[i] -> B[j] : 0 <= i <= 9; C[i] -> B[j] : j <= 5 }
        "#]],
    );
}
