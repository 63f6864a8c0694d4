//! Valid inputs of each kind, and texts of extreme shapes.

use std::path::Path;
use std::process::Command;

/// A valid text.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Input {
    fn of(name: &str, text: &str) -> Input {
        Input {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }
}

/// A name and a text.
type Shape = (String, Vec<u8>);

/// Programs that are planned within tenths of a second. Larger ones spend all of the budget that a region has.
const LARGEST: u64 = 2_600;

/// How deep nestings are.
const DEPTH: usize = 100_000;

/// The length of long lines, in bytes.
const LONG: usize = 10_000_000;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// All models of the tests of plans.
pub(crate) fn programs() -> Vec<Input> {
    let folder = root().join("test/plans");
    let entries = std::fs::read_dir(folder).expect("the tests of plans");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "scop"));
    files.sort();
    let input = |file: &std::path::PathBuf| Input {
        name: file.file_name().expect("a name").to_string_lossy().into_owned(),
        text: std::fs::read_to_string(file).expect("a text"),
    };
    files.iter().map(input).collect()
}

/// The small ones of them.
pub(crate) fn small_programs() -> Vec<Input> {
    let mut programs = programs();
    programs.retain(|program| program.text.len() as u64 <= LARGEST);
    programs
}

/// Sessions of `farkas calc`: all operators and operations, and each form of isl's notation.
pub(crate) fn statements() -> Vec<Input> {
    let sets = "A := { [i] : 0 <= i < 10 };\nB := [n] -> { [i] : i mod 2 = 0 and i <= n };\nR := [n] -> { S[i] -> A[2i] : 0 <= i < n };\n";
    let mut all: Vec<Input> = [
        "A; A * B; A - B; A + { [10] }; coalesce (A + { [10] }); card A; lexmin A; lexmax(A + { S[3] });",
        "A <= { [i] : i >= 0 }; A < A; A != B; params B; sample(A * B); B % A; gist(B, A); complement A;",
        "hull(A + { [20] }); simple_hull({ [0]; [2] }); affine_hull { [i, j] : j = i + 1 }; scan A;",
        "A cross { B[7] }; A -> { B[7] }; A << { [5] }; A >>= { [5] }; dom R; ran R; R^-1; R({ S[3] });",
        "R . { A[a] -> [floor(a/2)] }; { [i] -> [i + 1] : 0 <= i < 5 }^3; { [i] -> [i + 2] : 0 <= i < 9 }^+;",
        "deltas { [i, j] -> [i + 1, j'] : j' >= j }; W := wrap { A[i] -> B[j] }; unwrap W; R ->* { A[a] : a > 3 };",
        "F := function { [i] -> [i + 1] }; typeof F; dom F; F(F); card { [i] -> [j] : 0 <= i <= j < 4 };",
        "card [n] -> { [i, j] : 0 <= i <= j < n }; card [n, m] -> { [i, j] : 0 <= 2i + 3j <= n and 0 <= j < m };",
        "D := [n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n };\nO := { S[i] -> [0, i]; T[i] -> [1, i] };\n\
         F := last ({ S[i] -> A[i] } * D) before ({ T[i] -> A[i - 1] } * D) under O;\nF;\n\
         codegen (schedule D respecting F minimizing F);",
        "codegen ([n] -> { S[i] -> [i, 0] : 0 <= i < n and i mod 3 = 1 });",
        "2 + 3 * 4 - 1; assert A = A; help lexmin; # words\nprint A; { [i] : 2*floor((3*i + 1)/4) = i + -1 };",
    ]
    .iter()
    .enumerate()
    .map(|(k, text)| Input::of(&format!("statements {k}"), &format!("{sets}{text}\n")))
    .collect();
    let notation = std::fs::read_to_string(root().join("test/peer/data/sample.txt")).expect("sets and relations");
    let lines: Vec<&str> = notation.lines().collect();
    for (k, lines) in lines.chunks(4).enumerate() {
        let text: String = lines.iter().map(|line| format!("{line};\n")).collect();
        all.push(Input::of(&format!("notation {k}"), &text));
    }
    all
}

/// Schedule constraints.
pub(crate) fn constraints() -> Vec<Input> {
    vec![
        Input::of(
            "producer and consumer",
            "# OPTIONS: --schedule-max-coefficient=4\n\
             domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\"\n\
             validity: \"[n] -> { S[i] -> T[i]; S[i] -> T[i + 1] }\"\n\
             proximity: \"{ S[i] -> T[i + 1] }\"\n\
             context: \"[n] -> { : 0 < n < 1000 }\"\n",
        ),
        Input::of(
            "stencil",
            "domain: [n, T] -> { S[t, i] : 0 <= t < T and 1 <= i < n }\n\
             validity: { S[t, i] -> S[t + 1, i']: -1 <= i' - i <= 1 }\n\
             coincidence: { S[t, i] -> S[t + 1, i']: -1 <= i' - i <= 1 }\n\
             proximity: { S[t, i] -> S[t + 1, i']: -1 <= i' - i <= 1 }\n",
        ),
        Input::of(
            "conditional",
            "domain: \"{ A[i, j] : 0 <= i, j < 100; B[i, j] : 0 <= i, j < 100 }\"\n\
             validity: \"{ A[i, j] -> B[i, j' = j + 1] : i mod 2 = 0 }\"\n\
             condition: \"{ [A[i, j] -> r[]] -> [B[i, j] -> r[]] }\"\n\
             conditional_validity: \"{ [B[i, j] -> r[]] -> [A[i, j + 1] -> r[]] }\"\n",
        ),
        Input::of(
            "periodic",
            "domain: \"[n] -> { S[t, i] : 0 <= t < 10 and 0 <= i < n }\"\n\
             validity: \"[n] -> { S[t, i] -> S[t + 1, i]; S[t, i] -> S[t + 1, i + 1]; S[t, i = n - 1] -> S[t + 1, 0] }\"\n",
        ),
    ]
}

/// Files of remarks.
pub(crate) fn remarks() -> Vec<Input> {
    vec![Input::of("remarks", include_str!("../common/loops.opt.yaml"))]
}

/// A remark that says something.
pub(crate) fn remark_of(message: String) -> String {
    format!("--- !Passed\nPass: farkas\nName: x\nFunction: f\nArgs:\n  - String: {message}\n...\n")
}

/// Accesses with schedules.
pub(crate) fn accesses() -> Vec<Input> {
    vec![
        Input::of(
            "a schedule map",
            "sink: { S[] -> a[] }\nmust_source: { T[i] -> a[] : 0 <= i < 10 }\nschedule_map: { T[i] -> [0,i]; S[] -> [1,0] }\n",
        ),
        Input::of(
            "a tree",
            "sink: \"[n] -> { S[i, j] -> a[i + j] : 0 <= i, j < n }\"\n\
             may_source: \"{ T[i] -> a[2i] : 0 <= i <= 9 }\"\n\
             kill: \"{ T[i] -> a[i] : i > 5 }\"\n\
             schedule:\n  domain: \"[n] -> { T[i] : 0 <= i <= 9; S[i, j] : 0 <= i, j < n }\"\n  child:\n    sequence:\n    \
             - filter: \"{ T[i] }\"\n      child:\n        schedule: \"[{ T[i] -> [(i)] }]\"\n    \
             - filter: \"{ S[i, j] }\"\n      child:\n        schedule: \"[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]\"\n",
        ),
    ]
}

/// Schedule trees. The first is one for the first of the constraints.
pub(crate) fn trees() -> Vec<Input> {
    let mut trees = vec![
        Input::of(
            "two loops",
            "# Two loops, fused.\n\
             domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\"\n\
             child:\n  schedule: \"[n] -> [{ S[i] -> [i]; T[i] -> [i + 1] }]\"\n  permutable: 1\n  coincident: [ 1 ]\n  \
             options: \"{ separate[x]; [isolate[] -> unroll[x]]; isolate[[] -> [x]] : 3 <= x < 8 }\"\n  \
             child: { sequence: [ { filter: \"{ T[i] }\" }, { filter: \"{ S[i] }\" } ] }\n",
        ),
        Input::of(
            "nodes",
            "domain: \"[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }\"\n\
             child:\n  context: \"[n] -> { [] : n > 5 }\"\n  child:\n    \
             schedule: \"L[{ A[i] -> [floor(i/10)]; B[i] -> [i] : i >= 3; B[i] -> [2] : i < 3 }]\"\n    child:\n      \
             guard: \"[n] -> { [x] : x > n }\"\n      child:\n        mark: parallel\n        child:\n          \
             extension: \"[n] -> { [x] -> C[x] : x > 0 }\"\n          child:\n            sequence:\n            \
             - filter: \"{ C[x] }\"\n            - filter: \"{ A[x]; B[x] }\"\n              child:\n                set:\n                \
             - filter: \"{ A[x] }\"\n                - filter: \"{ B[x] }\"\n                  child:\n                    \
             contraction: \"{ D[x] -> B[floor(x/2)] }\"\n                    expansion: \"{ B[x] -> D[y] : 2x <= y <= 2x + 1 }\"\n                    \
             child: { schedule: \"[{ D[x] -> [(x)] }]\", permutable: 1 }\n",
        ),
    ];
    for program in small_programs().iter().step_by(12) {
        trees.push(Input {
            name: format!("the order of {}", program.name),
            text: crate::runs::original_order(&program.text),
        });
    }
    trees
}

/// Schedule relations with contexts and options.
pub(crate) fn flat_schedules() -> Vec<Input> {
    vec![
        Input::of(
            "separation",
            "{ S[i, j] -> [i, 0, j] : 0 <= i < 20 and i < j <= 10; T[i] -> [i, 1, 0] : 0 <= i < 20 }\n{ : }\n{ [i, k, j] -> separate[0] }\n",
        ),
        Input::of(
            "parameters",
            "[n, m] -> { S[i, j] -> [2i, j] : 0 <= i < n and 0 <= j < m; T[i] -> [3i, 5] : 0 <= i < m }\n[n, m] -> { : n > 10 and m < 2n }\n\
             [n, m] -> { [i, j] -> unroll[1] : i < 4; [i, j] -> atomic[0] }\n",
        ),
        Input::of(
            "classes",
            "{ S[i] -> [i] : 0 <= i < 100 or 200 <= i < 300 }\n{ : }\n{ [i] -> separation_class[[0] -> [1]] : 10 <= i < 20 }\n",
        ),
    ]
}

/// Targets: presets, and files on top of one.
pub(crate) fn targets() -> Vec<Input> {
    let printed = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_farkas")).args(arguments).output();
        String::from_utf8(done.expect("the command runs").stdout).expect("text")
    };
    let mut targets: Vec<Input> = printed(&["target"])
        .lines()
        .map(|name| Input::of(name, &printed(&["target", name])))
        .collect();
    targets.push(Input::of(
        "on top of a preset",
        "base = 'zen4'\ncores = 16\n[vector]\nbits = 256\n[operations]\ncall.latency = 40\n[gpu]\nbase = 'h100'\n",
    ));
    targets
}

fn shape(name: &str, text: impl Into<Vec<u8>>) -> Shape {
    (name.to_owned(), text.into())
}

/// Extreme shapes of any text.
fn shapes() -> Vec<Shape> {
    vec![
        shape("nothing", ""),
        shape("an empty line", "\n"),
        shape("a byte-order mark", "\u{feff}"),
        shape("a NUL", "\0"),
        shape("not UTF-8", b"\xff\xfe\0\0".to_vec()),
        shape("a line of one word", "x".repeat(LONG)),
        shape("a line of spaces", " ".repeat(LONG)),
        shape("a line of digits", "1".repeat(LONG)),
        shape("empty lines", "\n".repeat(LONG)),
        shape("a comment", format!("#{}", " x".repeat(LONG / 2))),
        shape("a line of NULs", vec![0; LONG]),
        shape("opening parentheses", "(".repeat(DEPTH)),
        shape("opening brackets", "[".repeat(DEPTH)),
        shape("opening braces", "{".repeat(DEPTH)),
        shape("closing braces", "}".repeat(DEPTH)),
        shape("quotes", "\"".repeat(DEPTH + 1)),
        shape("many words", "x ".repeat(LONG / 2)),
        shape("many colons", "x: ".repeat(DEPTH)),
    ]
}

/// Sets and relations of extreme shapes.
fn sets() -> Vec<(&'static str, String)> {
    let list = |count: usize, part: &dyn Fn(usize) -> String, between: &str| {
        (0..count).map(part).collect::<Vec<_>>().join(between)
    };
    let dims = |count: usize| list(count, &|k| format!("i{k}"), ", ");
    vec![
        (
            "nested parentheses",
            format!("{{ S[i] : i = {}1{} }}", "(".repeat(DEPTH), ")".repeat(DEPTH)),
        ),
        (
            "nested conditions",
            format!("{{ S[i] : {}i > 0{} }}", "(".repeat(DEPTH), ")".repeat(DEPTH)),
        ),
        (
            "nested negations",
            format!("{{ S[i] : {}(i > 0) }}", "not ".repeat(DEPTH)),
        ),
        (
            "nested quantifiers",
            format!("{{ S[i] : {} i > a }}", "exists a : ".repeat(DEPTH)),
        ),
        (
            "nested divisions",
            format!("{{ S[i] : {}i{} > 0 }}", "floor((".repeat(DEPTH), ")/2)".repeat(DEPTH)),
        ),
        (
            "nested tuples",
            format!("{{ S{}i{} }}", "[".repeat(DEPTH), "]".repeat(DEPTH)),
        ),
        ("many signs", format!("{{ S[i] : i = {}1 }}", "- ".repeat(DEPTH))),
        (
            "a sum of many terms",
            format!("{{ S[i] : {} > 0 }}", vec!["i"; DEPTH].join(" + ")),
        ),
        (
            "many conditions",
            format!("{{ S[i] : {} }}", vec!["i >= 0"; DEPTH].join(" and ")),
        ),
        (
            "many alternatives",
            format!("{{ S[i] : {} }}", list(DEPTH, &|k| format!("i = {k}"), " or ")),
        ),
        (
            "many products",
            format!("{{ S[i] : i = {} }}", vec!["99"; DEPTH].join(" * ")),
        ),
        (
            "many moduli",
            format!(
                "{{ S[i] : {} }}",
                list(30, &|k| format!("i mod {} = 1", 2 * k + 3), " and ")
            ),
        ),
        ("many dimensions", format!("{{ S[{}] }}", dims(DEPTH))),
        (
            "many bounded dimensions",
            format!(
                "{{ S[{}] : {} }}",
                dims(300),
                list(300, &|k| format!("0 <= i{k} < 9"), " and ")
            ),
        ),
        ("many parameters", format!("[{}] -> {{ S[i] : i > i0 }}", dims(DEPTH))),
        (
            "many statements",
            format!("{{ {} }}", list(DEPTH, &|k| format!("S{k}[i]"), "; ")),
        ),
        (
            "statements with bounds",
            format!("{{ {} }}", list(3000, &|k| format!("S{k}[i] : 0 <= i < {k}"), "; ")),
        ),
        ("a long name", format!("{{ S{}[i] }}", "x".repeat(LONG))),
        ("a long number", format!("{{ S[i] : i = {} }}", "9".repeat(LONG))),
        (
            "long coefficients",
            format!(
                "{{ S[i, j] : {n} i + 7 j = 1 and {n} j <= {n}1 i }}",
                n = "9".repeat(1000)
            ),
        ),
        ("a chain", format!("{{ S[i] : {} }}", vec!["i"; DEPTH].join(" <= "))),
        (
            "a large cube",
            "{ S[i, j, k, l] : 0 <= i, j, k, l < 1000000000000 }".to_owned(),
        ),
    ]
}

/// Extreme shapes of YAML. `around` makes an input from a set.
pub(crate) fn yaml_shapes(around: impl Fn(String) -> String) -> Vec<Shape> {
    let mut all = shapes();
    all.extend(sets().into_iter().map(|(name, set)| shape(name, around(set))));
    let nested = |depth: usize| {
        let children: String = (1..depth)
            .map(|k| format!("{0}child:\n{0} schedule: \"[{{ S[i] -> [(i)] }}]\"\n", " ".repeat(k)))
            .collect();
        format!("domain: \"{{ S[i] : 0 <= i < 9 }}\"\nchild:\n schedule: \"[{{ S[i] -> [(i)] }}]\"\n{children}")
    };
    let steps = |count: usize| {
        let filters: String = (0..count)
            .map(|k| format!("  - filter: \"{{ S[i] : i = {k} }}\"\n"))
            .collect();
        format!("domain: \"{{ S[i] : 0 <= i < {count} }}\"\nchild:\n  sequence:\n{filters}")
    };
    let members = |count: usize| {
        let member = vec!["{ S[i] -> [(i)] }"; count].join(", ");
        format!("domain: \"{{ S[i] : 0 <= i < 9 }}\"\nchild:\n  schedule: \"[{member}]\"\n")
    };
    let marks = format!("domain: \"{{ S[i] }}\"\nchild: {}", "{ mark: m, child: ".repeat(DEPTH));
    all.extend([
        shape("20 bands", nested(20)),
        shape("1000 bands", nested(1000)),
        shape("1000 steps", steps(1000)),
        shape("many steps", steps(DEPTH)),
        shape("1000 members", members(1000)),
        shape("many members", members(DEPTH)),
        shape("nested marks", marks),
        shape(
            "nested sequences",
            format!("domain: \"{{ S[i] }}\"\nchild:\n  {}", "- ".repeat(DEPTH)),
        ),
        shape(
            "an alias of itself",
            "domain: &a \"{ S[i] }\"\nchild: &b { child: *b }\n",
        ),
        shape(
            "aliases of aliases",
            (0..40).fold("a0: &a0 [x, x]\n".to_owned(), |text, k| {
                format!("{text}a{}: &a{} [*a{k}, *a{k}, *a{k}]\n", k + 1, k + 1)
            }),
        ),
        shape("many documents", "---\ndomain: \"{ S[i] }\"\n".repeat(DEPTH)),
        shape("one key many times", "domain: \"{ S[i] }\"\n".repeat(DEPTH)),
        shape(
            "indentation",
            (0..3000).map(|k| format!("{}a:\n", " ".repeat(k))).collect::<String>(),
        ),
    ]);
    all
}

/// Extreme shapes of TOML.
pub(crate) fn toml_shapes() -> Vec<Shape> {
    let mut all = shapes();
    all.extend([
        shape("nested arrays", format!("a = {}", "[".repeat(DEPTH))),
        shape("nested tables", format!("a = {}", "{ a = ".repeat(DEPTH))),
        shape("a long key", format!("{}x = 1", "a.".repeat(DEPTH))),
        shape(
            "many tables",
            (0..DEPTH).map(|k| format!("[t{k}]\n")).collect::<String>(),
        ),
        shape(
            "many caches",
            format!("base = 'zen4'\ncaches = [{}]\n", "{ bytes = 64 }, ".repeat(DEPTH)),
        ),
        shape(
            "huge numbers",
            "base = 'zen4'\ncores = 4294967295\nclock = 1e308\nwindow = 4294967295\nissue_width = 4294967295\n",
        ),
        shape(
            "no numbers",
            "base = 'zen4'\nclock = nan\n[vector]\nbits = 4294967295\n",
        ),
    ]);
    all
}

/// Extreme shapes of programs.
pub(crate) fn program_shapes() -> Vec<Shape> {
    let mut all = shapes();
    let program = |domain: &str, rest: &str| {
        format!(
            "program\n  context: {{ : }}\n  assumptions: {{ : }}\n  array A: memory, 8 bytes, []\n  statement S\n    \
             domain: {domain}\n    schedule: {{ S[i] -> [(0), (i), (0)] }}\n    write: {{ S[i] -> A[i] }}\n{rest}"
        )
    };
    for (name, set) in sets() {
        all.push((format!("{name} in a domain"), program(&set, "").into()));
    }
    let plain = program("{ S[i] : 0 <= i < 9 }", "");
    let arrays: String = (0..DEPTH)
        .map(|k| format!("  array A{k}: memory, 8 bytes, []\n"))
        .collect();
    let statements: String = (0..2000)
        .map(|k| {
            format!(
                "  statement T{k}\n    domain: {{ T{k}[i] : 0 <= i < 9 }}\n    schedule: {{ T{k}[i] -> [({}), (i), (0)] }}\n    \
                 write: {{ T{k}[i] -> A[i] : 0 <= i < 9 }}\n",
                k + 1
            )
        })
        .collect();
    let accesses = "    read: { S[i] -> A[i] : 0 <= i < 9 }\n".repeat(3000);
    let extents = "[9]".repeat(DEPTH);
    all.extend([
        shape(
            "many programs",
            "program\n  context: { : }\n  assumptions: { : }\n".repeat(DEPTH / 10),
        ),
        shape("many arrays", plain.replacen("  array", &format!("{arrays}  array"), 1)),
        shape("many statements", format!("{plain}{statements}")),
        shape("many accesses", format!("{plain}{accesses}")),
        shape(
            "many extents",
            plain.replace("8 bytes, []", &format!("8 bytes, []{extents}")),
        ),
        shape(
            "many operations",
            format!("{plain}    operations: {}\n", vec!["1 load f64"; DEPTH].join(", ")),
        ),
        shape(
            "many contexts",
            "program\n".to_owned() + &"  context: { : }\n".repeat(DEPTH),
        ),
    ]);
    all
}

/// Extreme shapes of statements of `calc`.
pub(crate) fn statement_shapes() -> Vec<Shape> {
    let mut all = shapes();
    for (name, set) in sets() {
        for operation in [
            "",
            "card ",
            "lexmin ",
            "coalesce ",
            "complement ",
            "scan ",
            "sample ",
            "hull ",
        ] {
            all.push((format!("{operation}{name}"), format!("{operation}{set};\n").into()));
        }
    }
    let box_of = |dims: usize, size: u64| {
        let names: Vec<String> = (0..dims).map(|k| format!("i{k}")).collect();
        let names = names.join(", ");
        format!("{{ [{names}] : 0 <= {names} < {size} }}")
    };
    let chain = |sign: &str| format!("{};", vec!["{ [i] : i > 0 }"; 2000].join(sign));
    all.extend([
        shape("a huge power", "{ [i] -> [i + 1] }^1000000000;"),
        shape(
            "a huge power of several pieces",
            "{ [i] -> [i + 1] : i < 5; [i] -> [2i] : i > 7 }^1000000000;",
        ),
        shape("a large negative power", "{ [i] -> [i + 1] }^-1000000000;"),
        shape(
            "a power with many digits",
            format!("{{ [i] -> [i + 1] }}^{};", "9".repeat(LONG)),
        ),
        shape(
            "powers of powers",
            format!("{{ [i, j] -> [j, i + j] }}{};", "^9".repeat(90)),
        ),
        shape(
            "the elements of a large cube",
            format!("scan {};", box_of(3, 1_000_000)),
        ),
        shape(
            "the number of elements of a large cube",
            format!("card {};", box_of(6, 1_000_000)),
        ),
        shape(
            "the number of elements in many dimensions",
            format!("card {};", box_of(40, 1_000_000)),
        ),
        shape("all elements without bounds", "scan { [i] : i >= 0 };"),
        shape("long products", format!("{};", vec!["99999999999"; DEPTH].join(" * "))),
        shape("long sums", format!("{};", vec!["1"; DEPTH].join(" + "))),
        shape("unions", chain(" + ")),
        shape("intersections", chain(" * ")),
        shape("differences", chain(" - ")),
        shape("products", chain(" cross ")),
        shape("empty statements", ";".repeat(LONG)),
        shape("short statements", "1;".repeat(DEPTH)),
        shape(
            "a statement of many lines",
            format!("{{ [i] : i > 0{} }};", "\n".repeat(LONG)),
        ),
        shape("many wrong lines", "{\n".repeat(DEPTH)),
        shape("many wrong statements", "x;\n".repeat(1000)),
        shape("a file of itself", "source \"input\";"),
        shape(
            "applications",
            format!("{}1{};", "lexmin(".repeat(DEPTH), ")".repeat(DEPTH)),
        ),
        shape("prefixes", format!("{} 1;", "lexmin ".repeat(DEPTH))),
        shape(
            "doubling",
            format!("A := {{ [i] : i > 0 }};\n{}A;", "A := A cross A;\n".repeat(60)),
        ),
        shape("squares", format!("A := 3;\n{}A;", "A := A * A;\n".repeat(60))),
    ]);
    all
}

/// A tree with a set as its domain.
pub(crate) fn tree_of(set: String) -> String {
    format!("domain: \"{set}\"\n")
}

/// Constraints with a set as their domain.
pub(crate) fn constraints_on(set: String) -> String {
    format!("domain: \"{set}\"\nvalidity: \"{{ S[i] -> S[i + 1] }}\"\n")
}

/// Accesses with a set in the place of their schedule.
pub(crate) fn accesses_under(set: String) -> String {
    format!("sink: \"{{ S[i] -> A[i] }}\"\nmay_source: {{ S[i] -> A[i + 1] }}\nschedule_map: {set}\n")
}

/// A schedule relation from a set.
pub(crate) fn relation_on(set: String) -> String {
    format!("{}\n{{ : }}\n{{ }}\n", set.replacen("S[i]", "S[i] -> [i]", 1))
}
