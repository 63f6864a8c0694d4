//! isl's YAML, read and written.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{Map, UnionPwMultiAff};
use farkas_polyhedral::tree::{Band, ExtensionTree, Filter, Isolation, Node, Tree};

fn parse(text: &str) -> Tree {
    text.parse().unwrap_or_else(|e| panic!("{e} in\n{text}"))
}

/// What is printed, which is read as the same.
fn printed(text: &str, expected: Expect) {
    let tree = parse(text);
    expected.assert_eq(&tree.to_string());
    assert_eq!(parse(&tree.to_string()).to_string(), tree.to_string());
    assert_eq!(parse(&tree.to_line()).to_string(), tree.to_string());
}

fn refused(text: &str, expected: Expect) {
    let error = text.parse::<Tree>().expect_err("not a tree");
    expected.assert_eq(&error.to_string());
}

#[test]
fn all_nodes_and_attributes() {
    printed(
        r#"
# A comment.
domain: "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }"
child:
  context: "[n] -> { [] : n > 5 }"
  child:
    schedule: "L[{ A[i] -> [floor(i/10)]; B[i] -> [i] : i >= 3; B[i] -> [2] : i < 3 }]"
    options: "[n] -> { separate[x] : x < 4; isolate[[] -> [x]] : 10 <= x <= 20; [isolate[] -> unroll[x]] }"
    permutable: 1
    coincident: [ 1 ]
    child:
      guard: "[n] -> { [x] : x > n }"
      child:
        context: "[n, b] -> { [x] : x > b }"
        child:
          mark: "a \"mark\""
          child:
            extension: "[n] -> { [x] -> C[x] : x > 0 }"
            child:
              sequence:
              - filter: "{ C[x] }"
              - filter: "[n, b] -> { A[x] : x > b; B[x] }"
                child:
                  set:
                  - filter: "{ A[x] }"
                  - filter: "{ B[x] }"
                    child:
                      contraction: "{ D[x] -> B[floor(x/2)] }"
                      expansion: "{ B[x] -> D[y] : 2x <= y <= 2x + 1 }"
                      child: { schedule: "[{ D[x] -> [(x)] }]", permutable: 1 }
              - filter: "[n, b] -> { A[x] : x <= b }"
                child:
                  filter: "{ A[x] : x > 0 }"
                  child:
                    schedule: "[n] -> [{ A[x] -> [(x)] }]"
                    options: "{ isolate[[c] -> [x]] : c > 0; [isolate[] -> unroll[x]]; atomic[x] }"
"#,
        expect![[r#"
            domain: "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }"
            child:
              context: "[n] -> { [] : n >= 6 }"
              child:
                schedule: "L[{ A[i] -> [(floor((i)/10))]; B[i] -> [(i)] : i >= 3; B[i] -> [(2)] : i <= 2 }]"
                permutable: 1
                coincident: [ 1 ]
                options: "[n] -> { isolate[[] -> [x]] : 10 <= x <= 20; separate[(0)]; [isolate[] -> unroll[(0)]] }"
                child:
                  guard: "[n] -> { [x] : x > n }"
                  child:
                    context: "[n, b] -> { [x] : x > b }"
                    child:
                      mark: "a \"mark\""
                      child:
                        extension: "[n] -> { [x] -> C[(x)] : x > 0 }"
                        child:
                          sequence:
                          - filter: "{ C[x] }"
                          - filter: "[n, b] -> { A[x] : x > b; B[x] }"
                            child:
                              set:
                              - filter: "{ A[x] }"
                              - filter: "{ B[x] }"
                                child:
                                  contraction: "{ D[x] -> B[(floor((x)/2))] }"
                                  expansion: "{ B[x] -> D[y] : 2x <= y <= 1 + 2x }"
                                  child:
                                    schedule: "[{ D[x] -> [(x)] }]"
                                    permutable: 1
                          - filter: "[n, b] -> { A[x] : x <= b }"
                            child:
                              filter: "{ A[x] : x > 0 }"
                              child:
                                schedule: "[n] -> [{ A[x] -> [(x)] }]"
                                options: "{ isolate[[c] -> [x]] : c > 0; atomic[(0)]; [isolate[] -> unroll[(0)]] }"
        "#]],
    );
}

#[test]
fn the_root_alone() {
    printed(
        r#"{ domain: "{ }" }"#,
        expect![[r#"
        domain: "{ }"
    "#]],
    );
    printed(
        r#"domain: "[n] -> { A[] : n > 0 }""#,
        expect![[r#"
        domain: "[n] -> { A[] : n > 0 }"
    "#]],
    );
}

#[test]
fn bands_without_members() {
    printed(
        r#"{ domain: "{ A[i] : i > 0 }", child: { schedule: "([] : { A[i] })", child: { schedule: "[]" } } }"#,
        expect![[r#"
            domain: "{ A[i] : i > 0 }"
            child:
              schedule: "([] : { A[i] })"
              child:
                schedule: "([] : { })"
        "#]],
    );
}

#[test]
fn one_line() {
    let tree = parse(
        r#"
domain: "{ A[]; B[] }"
child:
  sequence:
  - filter: "{ A[] }"
  - filter: "{ B[] }"
    child:
      schedule: "[{ B[] -> [(0)] }, { B[] -> [(1)] }]"
      coincident: [ 1, 0 ]
"#,
    );
    expect![[r#"{ domain: "{ A[]; B[] }", child: { sequence: [ { filter: "{ A[] }" }, { filter: "{ B[] }", child: { schedule: "[{ B[] -> [(0)] }, { B[] -> [(1)] }]", coincident: [ 1, 0 ] } } ] } }"#]].assert_eq(&tree.to_line());
}

#[test]
fn what_is_to_be_grafted() {
    let text = r#"{ extension: "[n] -> { [i] -> C[(i), (n)] }", child: { mark: "copy" } }"#;
    let graft: ExtensionTree = text.parse().expect("an extension");
    expect![[r#"
        extension: "[n] -> { [i] -> C[(i), (n)] }"
        child:
          mark: "copy"
    "#]]
    .assert_eq(&graft.to_string());
    assert_eq!(graft.to_line(), text);
    assert!(text.parse::<Tree>().is_err());
}

#[test]
fn bad_texts() {
    refused("", expect!["1:1: expected the key `domain`"]);
    refused(
        "domain: [",
        expect!["1:9: domain: invalid type: sequence, expected a text in quotes"],
    );
    refused(
        "child: { }",
        expect![
            "1:8: child: expected a node, with one of the keys `schedule`, `filter`, `sequence`, `set`, `expansion`, `extension`, `guard`, `context`, `mark`"
        ],
    );
    refused(
        "domain: \"{ A[i] : 0 <= }\"",
        expect!["1:9: domain: in the text, at 1:15: expected an expression, found `}`"],
    );
    refused(
        "domain: \"{ A[i] }\"\ndomain: \"{ A[i] }\"",
        expect!["1:1: duplicate field `domain`"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  filtre: \"{ A[] }\"\n",
        expect![
            "3:3: child: unknown field `filtre`, expected one of `domain`, `schedule`, `permutable`, `coincident`, `options`, `filter`, `sequence`, `set`, `contraction`, `expansion`, `extension`, `guard`, `context`, `mark`, `child`"
        ],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  filter: \"{ A[] }\"\n  guard: \"{ : }\"\n",
        expect!["3:3: child: unexpected `guard` in a filter, expected `filter`, `child`"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  child:\n    filter: \"{ A[] }\"\n",
        expect![
            "3:3: child: expected a node, with one of the keys `schedule`, `filter`, `sequence`, `set`, `expansion`, `extension`, `guard`, `context`, `mark`"
        ],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  sequence:\n  - filter: \"{ A[] }\"\n  - mark: \"x\"\n",
        expect!["5:5: child.sequence[1]: expected a filter as child of a sequence or set, found a mark"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  sequence: []\n",
        expect!["3:3: child: expected at least one child"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  schedule: \"[{ A[] -> [0] }]\"\n  permutable: 2\n",
        expect!["4:15: child.permutable: invalid value: integer `2`, expected 0 or 1"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  schedule: \"[{ A[] -> [0] }]\"\n  coincident: [ 1, 1 ]\n",
        expect!["3:3: child: expected 1 flags in `coincident`, one for each member of the schedule, found 2"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  schedule: \"[{ A[] -> [0] }]\"\n  options: \"{ atomic[0]; unroll[0] }\"\n",
        expect!["3:3: child: options: member 0 is both `atomic` and `unroll`, expected one of them"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  schedule: \"[{ A[] -> [0] }]\"\n  options: \"{ vectorize[0] }\"\n",
        expect![
            "3:3: child: options: expected `atomic[k]`, `separate[k]`, `unroll[k]`, one of these in `[isolate[] -> ..]`, `isolate[[..] -> [..]]`, or `full_tiles[1 sizes]`, found `vectorize[i0]`"
        ],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  schedule: \"[{ A[] -> [0] }]\"\n  options: \"{ isolate[[] -> [a, b]] }\"\n",
        expect![
            "3:3: child: options: expected `isolate[[outer members] -> [1 members]]`, found `isolate[[] -> [a, b]]`"
        ],
    );
    for tiles in [
        "[(i)] }]\"\n  options: \"{ full_tiles[32] }",
        "[(floor(i/4))] }]\"\n  options: \"{ full_tiles[6] }",
    ] {
        let text = format!("domain: \"{{ A[i] }}\"\nchild:\n  schedule: \"[{{ A[i] -> {tiles}\"\n");
        let error = text.parse::<Tree>().expect_err("a band that is no tiling").to_string();
        assert!(error.contains("member 0 is not along tiles of"), "{error}");
    }
    refused(
        "domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [i] }]\"\n  options: \"{ full_tiles[0] }\"\n",
        expect!["3:3: child: options: expected positive sizes of tiles, found `{ full_tiles[(0)] }`"],
    );
    refused(
        "domain: \"{ A[] }\"\nchild:\n  expansion: \"{ A[] -> B[] }\"\n",
        expect!["3:3: child: expected both `contraction` and `expansion`, found one of them"],
    );
}

fn files(folder: &std::path::Path, extension: &str, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|own| own == extension) {
            out.push(path);
        }
    }
}

/// The files of the reference data with this extension, where it is there.
pub(crate) fn reference_files(extension: &str) -> Vec<std::path::PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let mut paths = Vec::new();
    if folder.exists() {
        files(&folder, extension, &mut paths);
        let expected = if extension == "st" { 150 } else { 86 };
        assert!(paths.len() > expected, "all files are there");
    }
    paths
}

/// All trees of the reference data are read, and what is printed of them is read as equal.
#[test]
fn reference_data() {
    for path in reference_files("st") {
        let tree = parse(&std::fs::read_to_string(&path).expect("a text"));
        let b = Budget::new(20_000_000);
        for text in [tree.to_string(), tree.to_line()] {
            let again = parse(&text);
            assert!(same(&tree, &again, &b), "{}\n{text}", path.display());
            assert_eq!(again.to_string(), tree.to_string());
        }
    }
}

fn same(a: &Tree, c: &Tree, b: &Budget) -> bool {
    a.domain.is_equal(&c.domain, b).unwrap()
        && a.context.is_equal(&c.context, b).unwrap()
        && same_node(&a.root, &c.root, b)
}

/// Whether two nodes are of the same kind with equal sets, relations and functions, and have such children.
fn same_node(a: &Node, c: &Node, b: &Budget) -> bool {
    let filters = |x: &[Filter], y: &[Filter]| {
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.filter.is_equal(&y.filter, b).unwrap())
    };
    let functions = |x: &UnionPwMultiAff, y: &UnionPwMultiAff| x.is_equal(y, b).unwrap();
    let same = match (a, c) {
        (Node::Band(x), Node::Band(y)) => same_band(x, y, b),
        (Node::Filter(x), Node::Filter(y)) => x.filter.is_equal(&y.filter, b).unwrap(),
        (Node::Sequence(x), Node::Sequence(y)) | (Node::Set(x), Node::Set(y)) => filters(x, y),
        (Node::Expansion(x), Node::Expansion(y)) => {
            functions(&x.contraction, &y.contraction) && x.expansion.is_equal(&y.expansion, b).unwrap()
        }
        (Node::Extension(x, _), Node::Extension(y, _)) => x.is_equal(y, b).unwrap(),
        (Node::Guard(x, _), Node::Guard(y, _)) | (Node::Context(x, _), Node::Context(y, _)) => {
            x.is_equal(y, b).unwrap()
        }
        (Node::Mark(x, _), Node::Mark(y, _)) => x == y,
        (Node::Leaf, Node::Leaf) => true,
        _ => false,
    };
    same && a.children().zip(c.children()).all(|(x, y)| same_node(x, y, b))
}

fn same_band(x: &Band, y: &Band, b: &Budget) -> bool {
    let isolation = match (&x.isolation, &y.isolation) {
        (Isolation::Nothing, Isolation::Nothing) => true,
        (Isolation::Part(x), Isolation::Part(y)) => Map::is_equal(x, y, b).unwrap(),
        _ => false,
    };
    isolation
        && x.members() == y.members()
        && x.permutable == y.permutable
        && x.schedule().is_equal(y.schedule(), b).unwrap()
}
