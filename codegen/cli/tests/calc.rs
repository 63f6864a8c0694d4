//! Whole sessions of `farkas calc`: text in, text out.

mod common;

use expect_test::{Expect, expect};

/// What the command prints for the statements, then its errors, then its exit status unless that is 0.
fn session_with(options: &[&str], statements: &str) -> String {
    common::printed(&[&["calc"], options].concat(), statements)
}

fn check(statements: &str, expected: Expect) {
    expected.assert_eq(&session_with(&[], statements));
}

#[test]
fn sets() {
    check(
        "A := { [i] : 0 <= i < 10 };\n\
         B := [n] -> { [i] : i mod 2 = 0 and i <= n };\n\
         A; A * B; A - B; A + { [10] }; coalesce (A + { [10] });\n\
         card A; lexmin A; lexmax(A + { S[3] });\n\
         A <= { [i] : i >= 0 }; A < A; A <= A; A = { [i] : 0 <= i <= 9 }; A != B;\n\
         params B; sample(A * { [i] : i mod 7 = 6 }); B % A; gist(B, A);\n\
         complement A; is_empty(A - A); hull(A + { [20] }); simple_hull({ [0]; [2]; [4] }); affine_hull { [i, j] : j = i + 1 and i > 0 };\n\
         scan { [i, j] : 0 <= i <= j < 3 and (i + j) mod 2 = 0 };\n\
         A cross { B[7] }; A -> { B[7] }; A << { [5] }; A >>= { [5] };",
        expect![[r#"
            { [i] : 0 <= i <= 9 }
            [n] -> { [i] : ((i) mod 2) = 0 and 0 <= i <= 9 and i <= n }
            [n] -> { [i] : ((i) mod 2) = 1 and 0 <= i <= 9; [i] : ((i) mod 2) = 0 and 0 <= i <= 9 and i > n }
            { [i] : 0 <= i <= 9; [i = 10] }
            { [i] : 0 <= i <= 10 }
            10
            { [i = 0] }
            { [i = 9]; S[(3)] }
            true
            false
            true
            true
            true
            [n] -> { : }
            { [i = 6] }
            [n] -> { [i] : ((i) mod 2) = 0 and i <= n }
            [n] -> { [i] : ((i) mod 2) = 0 and i <= n }
            { [i] : i < 0; [i] : i >= 10 }
            true
            { [i] : 0 <= i <= 20 }
            { [i0] : 0 <= i0 <= 4 }
            { [i, j = 1 + i] }
            { [i = 0, j = 0]; [i = 0, j = 2]; [i = 1, j = 1]; [i = 2, j = 2] }
            { [[i] -> B[(7)]] : 0 <= i <= 9 }
            { [i] -> B[(7)] : 0 <= i <= 9 }
            { [i] -> [i' = 5] : 0 <= i <= 4 }
            { [i] -> [i' = 5] : 6 <= i <= 9; [i = 5] -> [i' = 5] }
        "#]],
    );
}

#[test]
fn relations() {
    check(
        "R := [n] -> { S[i] -> A[i + 1] : 0 <= i < n; T[i, j] -> A[j] : 0 <= i, j < n };\n\
         dom R; ran R; R^-1; inverse R;\n\
         R({ S[3] });\n\
         R . { A[a] -> [floor(a/2)] };\n\
         { A[a] -> [2a] }(R);\n\
         { [i] -> [i + 1] : 0 <= i < 5 }^3;\n\
         R * { S[i] : i > 3 }; R ->* { A[a] : a > 3 };\n\
         deltas { [i, j] -> [i + 1, j'] : j' >= j; [i] -> [j, k] };\n\
         W := wrap { A[i] -> B[j] }; W; unwrap W;\n\
         domain_map { A[i] -> B[j] }; range_map { A[i] -> B[j] };\n\
         identity { A[i] : i > 0 };\n\
         is_single_valued R; is_injective R; is_bijective { [i] -> [i + 1] };\n\
         lexmin { [i] -> [j] : j >= i and j >= 0 };\n\
         { A[i] -> B[i + 1] } cross { C[i] -> D[2i] };\n\
         F := function R; typeof F; F; dom F; graph F = R;\n\
         (function { [i] -> [i + 1] })(function { [i] -> [2i] });\n\
         card { [i] -> [j] : 0 <= i <= j < 4 };\n\
         { [i] -> [i + 2] : 0 <= i < 9 }^+; closure_is_exact { [i] -> [i + 2] : 0 <= i < 9 };\n\
         zip { [A[i] -> B[j]] -> [C[k] -> D[l]] }; curry { [A[i] -> B[j]] -> C[k] }; is_bounded(dom R);",
        expect![[r#"
            [n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < n }
            [n] -> { A[i0] : 0 < i0 <= n; A[i0] : 0 <= i0 < n and n > 0 }
            [n] -> { A[i0] -> S[i = -1 + i0] : 0 < i0 <= n; A[i0] -> T[i, j = i0] : 0 <= i < n and 0 <= i0 < n }
            [n] -> { A[i0] -> S[i = -1 + i0] : 0 < i0 <= n; A[i0] -> T[i, j = i0] : 0 <= i < n and 0 <= i0 < n }
            [n] -> { A[(4)] : n >= 4 }
            [n] -> { S[i] -> [(floor((1 + i)/2))] : 0 <= i < n; T[i, j] -> [(floor((j)/2))] : 0 <= i < n and 0 <= j < n }
            [n] -> { S[i] -> [(2 + 2i)] : 0 <= i < n; T[i, j] -> [(2j)] : 0 <= i < n and 0 <= j < n }
            { [i] -> [(3 + i)] : 0 <= i <= 2 }
            [n] -> { S[i] -> A[(1 + i)] : 4 <= i < n }
            [n] -> { S[i] -> A[(1 + i)] : 3 <= i < n; T[i, j] -> A[(j)] : 0 <= i < n and 4 <= j < n }
            { [(1), j'] : j' >= 0 }
            { [A[i] -> B[j]] }
            { A[i] -> B[j] }
            { [A[i] -> B[j]] -> A[i' = i] }
            { [A[i] -> B[j]] -> B[j' = j] }
            { A[i] -> A[i' = i] : i > 0 }
            true
            false
            true
            { [i] -> [j = 0] : i <= 0; [i] -> [j = i] : i > 0 }
            { [A[i] -> C[i']] -> [B[(1 + i)] -> D[(2i')]] }
            function
            [n] -> { S[i] -> A[(1 + i)] : 0 <= i < n; T[i, j] -> A[(j)] : 0 <= i < n and 0 <= j < n }
            [n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < n }
            true
            { [i] -> [(1 + 2i)] }
            { [i] -> (4 - i) : 0 <= i <= 3 }
            { [i] -> [o0] : ((i + o0) mod 2) = 0 and i >= 0 and 2 + i <= o0 <= 10 }
            true
            { [A[i] -> C[k]] -> [B[j] -> D[l]] }
            { A[i] -> [B[j] -> C[k]] }
            true
        "#]],
    );
}

#[test]
fn numbers_and_texts() {
    check(
        "# A comment; with a semicolon.\n\
         1 + 2 * 3 - -4; card { [i] : 0 <= i < 5 } > 4; \"a;\" + \"b\"; typeof (1 = 2); print \"x\" # Another one.\n\
         ; ;",
        expect![[r#"
            11
            true
            a;b
            answer
            x
        "#]],
    );
}

#[test]
fn errors_do_not_end_a_session() {
    check(
        "A := { [i] : i < };\n\
         A;\n\
         B := { [i] :\n    i < j };\n\
         lexmin 3; { [1] } + { [1] -> [2] }; card { [i] : i > 0 }; card([n] -> { [i] : 0 <= i < n });\n\
         1 +; lexmin; dom := 3; { [1] } }; $; R^0; { [i] -> A[i] }^+; 3(4); help nothing;\n\
         (1; \"good\"; x",
        expect![[r#"
            [n] -> { n : n > 0 }
            good
            --- errors
            -:1:18: expected an expression, found `}`
            -:2:1: `A` is no value, and no operation
            -:4:9: `j` is not a parameter, dimension or variable
            -:5:1: `lexmin` takes a set or relation, not a number
            -:5:19: `+` is not for a set and a map
            -:5:37: there is no end of elements: { [i] : i > 0 }
            -:6:4: expected a value, found the end of the statement
            -:6:12: expected a value, found the end of the statement
            -:6:14: `dom` is an operation, and cannot be a name
            -:6:32: unexpected character `}`
            -:6:35: unexpected character `$`
            -:6:40: expected `-1`, `+` or a positive number
            -:6:58: expected a relation of a single tuple with itself
            -:6:63: a number is not applied to a number
            -:6:73: there is no operation `nothing`
            -:7:3: expected `)`, found the end of the statement
            -:7:14: expected `;`, found the end of the text
            --- status Some(1)
        "#]],
    );
    check(
        "{ [i] : i > 0",
        expect![[r#"
            --- errors
            -:1:1: `{` is not closed
            --- status Some(1)
        "#]],
    );
}

#[test]
fn numbers_of_elements() {
    check(
        "card { [i, j, k] : 0 <= i, j, k < 1000000 };\n\
         X := card [n] -> { [i, j] : 0 <= j <= i < n }; X; typeof X; X + X; X * [n] -> { : n > 5 };\n\
         card { A[i] : 0 <= i < 5; B[i, j] : 0 <= i, j < 5 };\n\
         Y := card [n] -> { A[i] -> [j] : 0 <= 2j <= i < n; B[i] -> [j] : 0 <= j <= i < 4 }; Y; sum Y; Y * { A[i] : i mod 2 = 0 };\n\
         card { [i] : 0 <= 1000i <= 123456 }; card [n] -> { [i] : 0 <= 1000i <= n }; card { [i] : i > 0 }; card { };",
        expect![[r#"
            1000000000000000000
            [n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }
            quasi-polynomial
            [n] -> { (n + n^2) : n > 0 }
            [n] -> { (1/2 * n + 1/2 * n^2) : n >= 6 }
            30
            [n] -> { A[i] -> (1 + 1/2 * i) : ((i) mod 2) = 0 and 0 <= i < n; A[i] -> (1/2 + 1/2 * i) : ((1 + i) mod 2) = 0 and 0 < i < n; B[i] -> (1 + i) : 0 <= i <= 3 }
            [n] -> { (41/4 + 1/2 * n + 1/4 * n^2) : ((1 + n) mod 2) = 0 and n > 0; (10 + 1/2 * n + 1/4 * n^2) : ((n) mod 2) = 0 and ((1 + n) mod 2) = 1 and n >= 2; 10 : floor((1 + n)/2) <= 0 }
            [n] -> { A[i] -> (1 + 1/2 * i) : ((i) mod 2) = 0 and 0 <= i < n }
            124
            0
            --- errors
            -:5:38: not known as a quasi-polynomial: [n] -> { [i] : i >= 0 and 1000i <= n }
            -:5:77: there is no end of elements: { [i] : i > 0 }
            --- status Some(1)
        "#]],
    );
}

#[test]
fn dependences_and_schedules() {
    check(
        "D := [n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n };\n\
         W := { S[i] -> A[i]; T[i] -> B[i] } * D; R := { T[i] -> A[i - 1] } * D;\n\
         O := { S[i] -> [0, i]; T[i] -> [1, i] };\n\
         last W before R under O;\n\
         V := any { S[i] -> A[0] } * D before { T[i] -> A[0] } * D under O; V;\n\
         F := last W before R under O; P := schedule D respecting F minimizing F; P; typeof P; map P; codegen P;\n\
         last W before R under P; codegen (O * D); schedule { S[i] : 0 <= i < 9 };\n\
         last D before R under O; schedule W; codegen D; schedule { S[i] } respecting { S[i] -> S[i - 1]; S[i] -> S[i + 1] };\n\
         last W before R; codegen { S[i] -> [i] }; last W before R under { S[i] -> [j] };",
        expect![[r#"
            [n] -> { S[i] -> T[i' = 1 + i] : 0 <= i <= -2 + n }
            [n] -> { S[i] -> T[i'] : 0 <= i' < n and 0 <= i < n }
            domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
            child:
              schedule: "[n] -> [{ S[i] -> [(1 + i)]; T[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
              child:
                sequence:
                - filter: "{ S[i] }"
                - filter: "{ T[i] }"
            schedule
            [n] -> { S[i] -> [(1 + i), (0)] : 0 <= i < n; T[i] -> [(i), (1)] : 0 <= i < n }
            // parallel
            for (int c0 = 0; c0 <= n; c0 += 1) {
              if (c0 >= 1)
                S(c0 - 1);
              if (n >= c0 + 1)
                T(c0);
            }
            [n] -> { S[i] -> T[i' = 1 + i] : 0 <= i <= -2 + n }
            for (int c1 = 0; c1 < n; c1 += 1)
              S(c1);
            for (int c1 = 0; c1 < n; c1 += 1)
              T(c1);
            domain: "{ S[i] : 0 <= i <= 8 }"
            child:
              schedule: "[{ S[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
            --- errors
            -:8:1: expected relations to elements before and behind `before`, found a set and a map
            -:8:26: a map is not scheduled: expected a set
            -:8:38: a set has no loops: expected a schedule
            -:8:49: no affine schedule carries any dependence among S[i]
            -:9:16: expected `under`, found the end of the statement
            -:9:18: node /: schedule dimension 0 has no lower bound for S[i]
            -:9:43: instances of S[i] have several times
            --- status Some(1)
        "#]],
    );
}

#[test]
fn loops_that_carry_pairs_are_not_parallel() {
    check(
        "V := { S[i, j] -> S[i + 1, j - 1]; S[i, j] -> S[i, j + 1] };\n\
         codegen (schedule [n] -> { S[i, j] : 0 <= i, j < n } respecting V minimizing V);",
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1)
              for (int c1 = c0; c1 < n + c0; c1 += 1)
                S(c0, c1 - c0);
        "#]],
    );
}

#[test]
fn assertions() {
    check(
        "assert { [1] } <= { [i] }; assert 1 = 2; assert 3; assert; 4;",
        expect![[r#"
            4
            --- errors
            -:1:37: does not hold
            -:1:49: a number is not asserted
            -:1:58: expected a value, found the end of the statement
            --- status Some(1)
        "#]],
    );
}

/// Files name each other as they are seen from the working folder.
#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("farkas-calc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let file = |name: &str| folder.join(name).display().to_string();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file for the test");
    write(
        "own.calc",
        &format!("A := {{ [1] }};\nsource \"{}\"; 2;", file("other.calc")),
    );
    write("other.calc", "A;\n B; A := { [2] };");
    write("loop.calc", &format!("source \"{}\";", file("loop.calc")));
    write("quit.calc", "quit;");
    write("bad.txt", "{ [i] :\n i < }");
    // Places do not depend on the folder's name: one statement on a line.
    let text = "source \"own.calc\"; A;\nwrite \"set.txt\", A + { B[] };\nread \"set.txt\";\n\
         write \"tree.txt\", schedule { S[i] : 0 <= i < 9 };\nread \"tree.txt\";\n\
         write \"map.txt\", { [i] -> [i + 1] };\nread \"map.txt\";\nread \"bad.txt\";\nread \"missing.txt\";\n\
         source \"missing.calc\";\nsource \"loop.calc\";\nwrite \"no/such/folder\",\nA;\nsource A;\nsource \"quit.calc\"; 3;";
    let names = [
        "own.calc",
        "set.txt",
        "tree.txt",
        "map.txt",
        "bad.txt",
        "missing.txt",
        "missing.calc",
        "loop.calc",
        "no/such",
        "quit.calc",
    ];
    let text = names.iter().fold(text.to_string(), |text, name| {
        text.replace(&format!("\"{name}"), &format!("\"{}", file(name)))
    });
    let printed = session_with(&[], &text).replace(&format!("{}/", folder.display()), "");
    std::fs::remove_dir_all(&folder).expect("the folder");
    expect![[r#"
        { [(1)] }
        2
        { [(2)] }
        { [(2)]; B[] }
        domain: "{ S[i] : 0 <= i <= 8 }"
        child:
          schedule: "[{ S[i] -> [(i)] }]"
          permutable: 1
          coincident: [ 1 ]
        { [i] -> [(1 + i)] }
        --- errors
        other.calc:2:2: `B` is no value, and no operation
        -:8:1: bad.txt:2:6: expected an expression, found `}`
        -:9:1: missing.txt: No such file or directory (os error 2)
        -:10:8: missing.calc: No such file or directory (os error 2)
        loop.calc:1:8: files name files too deeply
        -:13:1: no/such/folder: No such file or directory (os error 2)
        -:14:8: expected the name of a file, in quotation marks, found `A`
        --- status Some(1)
    "#]]
    .assert_eq(&printed);
}

/// What is quickly asked for and takes long.
#[test]
fn statements_end() {
    check(
        "{ [i] -> [i + 1] : 0 <= i < 5 }^1000000000; { [i] -> [i + 1] }^1000000000; { [i] -> [2i] }^10000000000000000000000000;\n\
         { [i, j] -> [j + 1, i] }^1000001; scan { [i, j, k] : 0 <= i, j, k < 1000000 };\n\
         card { [a, b, c, d] : 5a + 7b - 11c <= 3d and 13a - 3b + 17c >= 2d and 0 <= a, b, c, d <= 900000 };",
        expect![[r#"
            { }
            { [i] -> [(1000000000 + i)] }
            { [i, j] -> [(500001 + j), (500000 + i)] }
            --- errors
            -:1:91: out of budget
            -:2:35: more than 100000 elements: { [i, j, k] : 0 <= i <= 999999 and 0 <= j <= 999999 and 0 <= k <= 999999 }
            -:3:1: out of budget
            --- status Some(1)
        "#]],
    );
    let exponent = format!("1{}", "0".repeat(400));
    let printed = session_with(&[], &format!("typeof ({{ [i] -> [i + 1] }}^{exponent});"));
    assert_eq!(printed, "map\n");
}

#[test]
fn the_budget_is_one_of_each_statement() {
    let hard = "{ [a, b, c, d] : 5a + 7b - 11c <= 3d and 13a - 3b + 17c >= 2d and 0 <= a, b, c, d <= 900 }";
    let text = format!("X := card {hard}; X; {{ [3] }} = {{ [3] }};");
    expect![[r#"
        true
        --- errors
        -:1:6: out of budget
        -:1:103: `X` is no value, and no operation
        --- status Some(1)
    "#]]
    .assert_eq(&session_with(&["--budget", "20000"], &text));
}

#[test]
fn help_and_quit() {
    check(
        "help lexmin; help %; quit; 1; 2;",
        expect![[r#"
            lexmin: takes a set or relation; gives the lexicographically smallest elements, or images
            example: lexmin [n] -> { [i, j] : i + j >= n and 0 <= i, j <= n };
            %: a set or relation, simplified where the second one holds
        "#]],
    );
}
