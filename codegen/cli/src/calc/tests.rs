//! Every operation has an example, which runs, and stands in `help`.

use super::binary;
use super::help::help;
use super::operations::OPERATIONS;
use expect_test::expect;

/// What the statements print, results and errors.
fn session(text: &str) -> String {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    super::run("-", text.as_bytes(), &mut output, &mut errors, 10_000_000).expect("memory can be written to");
    String::from_utf8([output, errors].concat()).expect("text")
}

#[test]
fn help_names_all_operations() {
    let all = help(None).expect("a text");
    let words: Vec<&str> = all.split([' ', ',', '\n']).collect();
    for operation in OPERATIONS {
        for name in operation.names {
            assert!(words.contains(name), "`help` without `{name}`");
            let own = help(Some(name)).expect("a text of its own");
            assert!(
                own.contains(operation.example) && own.contains(operation.gives),
                "{own}"
            );
        }
        assert!(
            operation.example.contains(operation.names[0]),
            "an example of {operation:?}"
        );
    }
    for (sign, _) in binary::HELP {
        assert!(
            words.contains(&sign) && help(Some(sign)).is_some(),
            "`help` without `{sign}`"
        );
    }
}

#[test]
fn names_are_distinct() {
    let mut names: Vec<&str> = OPERATIONS.iter().flat_map(|o| o.names).copied().collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn examples() {
    let results: String = OPERATIONS
        .iter()
        .map(|o| {
            format!(
                "{}\n    {}\n",
                o.example,
                session(&format!("{};", o.example)).trim_end()
            )
        })
        .collect();
    expect![[r#"
        lexmin [n] -> { [i, j] : i + j >= n and 0 <= i, j <= n }
            [n] -> { [i = 0, j = 0] : n = 0; [i = 0, j = n] : n > 0 }
        lexmax { [i] -> [j] : 0 <= 2j <= i }
            { [i] -> [j = floor((i)/2)] : i >= 0 }
        card [n] -> { [i, j] : 0 <= i <= j < n }
            [n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }
        sum (card [n] -> { [i] -> [j] : 0 <= j <= i < n })
            [n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }
        scan { [i, j] : 0 <= i <= j < 2 }
            { [i = 0, j = 0]; [i = 0, j = 1]; [i = 1, j = 1] }
        sample { [i] : i > 5 and i mod 7 = 0 }
            { [i = 7] }
        dom { A[i] -> B[j] : 0 <= i <= j <= 9 }
            { A[i] : 0 <= i <= 9 }
        ran { A[i] -> B[2i] : 0 <= i <= 9 }
            { B[i0] : ((i0) mod 2) = 0 and 0 <= i0 <= 18 }
        domain_map { A[i] -> B[j] }
            { [A[i] -> B[j]] -> A[i' = i] }
        range_map { A[i] -> B[j] }
            { [A[i] -> B[j]] -> B[j' = j] }
        deltas { [i, j] -> [i + 1, k] : k >= j }
            { [(1), k] : k >= 0 }
        wrap { A[i] -> B[i + 1] }
            { [A[i] -> B[(1 + i)]] }
        unwrap { [A[i] -> B[i + 1]]; C[] }
            { A[i] -> B[(1 + i)] }
        zip { [A[i] -> B[j]] -> [C[k] -> D[l]] }
            { [A[i] -> C[k]] -> [B[j] -> D[l]] }
        curry { [A[i] -> B[j]] -> C[k] }
            { A[i] -> [B[j] -> C[k]] }
        uncurry { A[i] -> [B[j] -> C[k]] }
            { [A[i] -> B[j]] -> C[k] }
        deltas_map { A[i] -> A[i + 1] }
            { [A[i] -> A[(1 + i)]] -> A[(1)] }
        closure { [i] -> [i + 2] : 0 <= i < 9 }
            { [i] -> [o0] : ((i + o0) mod 2) = 0 and i >= 0 and 2 + i <= o0 <= 10 }
        closure_is_exact { [i] -> [i + 2] : 0 <= i < 9 }
            true
        inverse { A[i] -> B[i + 1] }
            { B[i0] -> A[i = -1 + i0] }
        identity { A[i] : i > 0 }
            { A[i] -> A[i' = i] : i > 0 }
        params [n] -> { [i] : 0 <= i < n }
            [n] -> { : n > 0 }
        complement { [i] : 0 <= i < 10 }
            { [i] : i < 0; [i] : i >= 10 }
        coalesce { [i] : 0 <= i < 10; [10] }
            { [i] : 0 <= i <= 10 }
        gist({ [i] : 0 <= i < 10 and i mod 2 = 0 }, { [i] : i >= 0 })
            { [i] : ((i) mod 2) = 0 and i <= 9 }
        hull { [0, 0]; [2, 0]; [0, 2] }
            { [i0, i1] : 0 <= i1 <= 2 - i0 and i0 >= 0 }
        simple_hull { [0]; [2]; [4] }
            { [i0] : 0 <= i0 <= 4 }
        affine_hull { [i, j] : j = i + 1 and i mod 2 = 0 and i > 0 }
            { [i, j = 1 + i] : ((i) mod 2) = 0 }
        box_hull { [i, j] : 0 <= i <= j < 10 }
            { [i, j] : 0 <= i <= 9 and 0 <= j <= 9 }
        make_disjoint { [i] : 0 <= i < 10; [i] : 5 <= i < 15 }
            { [i] : 0 <= i <= 9; [i] : 10 <= i <= 14 }
        convex_hull { [0, 0]; [2, 0]; [0, 2] }
            { [i0, i1] : 0 <= i1 <= 2 - i0 and i0 >= 0 }
        unshifted_simple_hull { [i] : 0 <= i < 10; [i] : 0 <= i < 20 }
            { [i] : 0 <= i <= 19 }
        lineality_space { [i, j] : 0 <= i + j <= 3 }
            { [i, j = -i] }
        explicit { [i] : exists (a: 3a <= i <= 3a + 1) }
            { [i] : ((1 + i) mod 3) > 0 }
        detect_equalities { [i, j] : 2i <= j <= 2i + 1 and 2j <= 4i }
            { [i, j = 2i] }
        remove_redundancies { [i, j] : i >= 0 and j >= 0 and i + j >= 0 }
            { [i, j] : i >= 0 and j >= 0 }
        flatten { [A[i] -> B[j]] }
            { [i, j] }
        flatten_domain { [A[i] -> B[j]] -> C[] }
            { [i, j] -> C[] }
        flatten_range { C[] -> [A[i] -> B[j]] }
            { C[] -> [i, j] }
        range_curry { U[] -> [[X[] -> Y[]] -> Z[]] }
            { U[] -> [X[] -> [Y[] -> Z[]]] }
        domain_reverse { [A[i] -> B[j]] -> C[] }
            { [B[j] -> A[i]] -> C[] }
        range_reverse { C[] -> [A[i] -> B[j]] }
            { C[] -> [B[j] -> A[i]] }
        domain_product({ A[i] -> C[i] }, { B[j] -> C[2j] })
            { [A[i] -> B[j]] -> C[(2j)] : 2j = i }
        range_product({ A[i] -> B[i] }, { A[i] -> C[2i] })
            { A[i] -> [B[(i)] -> C[(2i)]] }
        flat_range_product({ A[i] -> B[i] }, { A[i] -> C[2i] })
            { A[i] -> [(i), (2i)] }
        factor_domain { [A[i] -> B[j]] -> [C[i] -> D[j]] : j > i }
            { A[i] -> C[(i)] }
        factor_range { [A[i] -> B[j]] -> [C[i] -> D[j]] : j > 0 }
            { B[j] -> D[(j)] : j > 0 }
        domain_factor_domain { [A[i] -> B[j]] -> C[i + j] }
            { A[i] -> C[o0] }
        domain_factor_range { [A[i] -> B[j]] -> C[j] }
            { B[j] -> C[(j)] }
        range_factor_domain { A[i] -> [B[i] -> C[2i]] }
            { A[i] -> B[(i)] }
        range_factor_range { A[i] -> [B[i] -> C[2i]] }
            { A[i] -> C[(2i)] }
        intersect_domain_factor_domain({ [A[i] -> B[j]] -> C[k] }, { A[i] -> C[i] })
            { [A[i] -> B[j]] -> C[(i)] }
        intersect_domain_factor_range({ [A[i] -> B[j]] -> C[k] }, { B[j] -> C[j] })
            { [A[i] -> B[j]] -> C[(j)] }
        intersect_range_factor_domain({ A[i] -> [B[j] -> C[k]] }, { A[i] -> B[i] })
            { A[i] -> [B[(i)] -> C[k]] }
        intersect_range_factor_range({ A[i] -> [B[j] -> C[k]] }, { A[i] -> C[i] })
            { A[i] -> [B[j] -> C[(i)]] }
        intersect_params([n] -> { [i] : 0 <= i < n }, [n] -> { : n = 3 })
            [n] -> { [i] : n = 3 and 0 <= i <= 2 }
        gist_params([n] -> { [i] : 0 <= i < n and n > 3 }, [n] -> { : n > 5 })
            [n] -> { [i] : 0 <= i < n }
        gist_domain({ A[i] -> B[i] : i >= 0 }, { A[i] : i > 3 })
            { A[i] -> B[(i)] }
        gist_range({ A[i] -> B[j] : j >= i >= 0 and j >= 3 }, { B[j] : j > 3 })
            { A[i] -> B[j] : j >= i and i >= 0 }
        subtract_domain({ A[i] -> B[i] }, { A[0] })
            { A[i] -> B[(i)] : i < 0; A[i] -> B[(i)] : i > 0 }
        apply_domain({ A[i] -> B[i] }, { A[i] -> C[i + 1] })
            { C[i0] -> B[(-1 + i0)] }
        lex_lt_at({ S[i] -> [i, 0] }, { T[i] -> [i, 1] })
            { S[i] -> T[i'] : i' > i; S[i] -> T[i' = i] }
        lex_le_at({ S[i] -> [i] }, { T[i] -> [2i] })
            { S[i] -> T[i'] : 2i' > i; S[i] -> T[i'] : 2i' = i }
        lex_gt_at({ S[i] -> [i, 0] }, { T[i] -> [i, 1] })
            { S[i] -> T[i'] : i' < i }
        lex_ge_at({ S[i] -> [i] }, { T[i] -> [2i] })
            { S[i] -> T[i'] : 2i' < i; S[i] -> T[i'] : 2i' = i }
        pow { [i] -> [i + 2] }
            { [i0] -> [[i] -> [(2i0 + i)]] : i0 > 0 }
        path_lengths { [i] -> [i + 2] }
            { [i0] : i0 > 0 }
        coefficients { [i] : 0 <= i <= 9 }
            { coefficients[i0, i1] : i0 >= 0 and 9i1 >= -i0 }
        project_out({ [i, j] : 0 <= i <= j < 9 }, 0, 1)
            { [i0] : 0 <= i0 <= 8 }
        eliminate({ [i, j] : 0 <= i <= j < 9 }, 0, 1)
            { [i, j] : 0 <= j <= 8 }
        project_out_param([n] -> { [i] : 0 <= i < n < 9 }, "n")
            [n] -> { [i] : 0 <= i <= 7 }
        fix({ [i, j] : 0 <= i <= j < 9 }, 0, 5)
            { [i = 5, j] : 5 <= j <= 8 }
        dim_min([n] -> { [i] : n <= 3i and i <= 9 }, 0)
            [n] -> { [] -> [(floor((2 + n)/3))] : n <= 27 }
        dim_max([n] -> { [i] : 3i <= n and i <= 9 }, 0)
            [n] -> { [] -> [(9)] : n >= 27; [] -> [(floor((n)/3))] : n <= 26 }
        stride({ [i] : i mod 6 = 1 }, 0)
            6
        is_disjoint({ [i] : i > 0 }, { [i] : i < 0 })
            true
        is_singleton [n] -> { [i] : 2i = n }
            true
        has_bounded_images { [i] -> [j] : 0 <= j <= i }
            true
        function { [i] -> [j] : j <= i < j + 1 }
            { [i] -> [(i)] }
        graph (function { [i] -> [floor(i/2)] })
            { [i] -> [(floor((i)/2))] }
        is_empty { [i] : 2i = 1 }
            true
        is_bounded [n] -> { [i] : 0 <= i < n }
            true
        is_single_valued { [i] -> [j] : 0 <= j <= i }
            false
        is_injective { [i] -> [floor(i/2)] }
            false
        is_bijective { [i] -> [i + 1] }
            true
        codegen [n] -> { S[i, j] -> [j, i] : 0 <= j <= i < n }
            for (int c0 = 0; c0 < n; c0 += 1)
          for (int c1 = c0; c1 < n; c1 += 1)
            S(c1, c0);
        map (schedule { S[i] : 0 <= i < 9 })
            { S[i] -> [(i)] : 0 <= i <= 8 }
        read "set.txt"
            -:1:1: set.txt: No such file or directory (os error 2)
        typeof { [i] -> [i] }
            map
    "#]]
    .assert_eq(&results);
}
