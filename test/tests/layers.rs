//! Data flows down, and imports go one way: between crates as their Cargo.toml says, and inside a crate between its
//! folders and files. Each crate has its modules in an order; a module imports from itself and from those before it.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// A crate, and what it may be built from.
struct Package {
    name: &'static str,
    folder: &'static str,
    /// The other crates of this workspace that it depends on.
    dependencies: &'static [&'static str],
    /// The folders and files of `src`, each after all that it imports from. Empty for crates that are not checked inside.
    order: &'static [&'static str],
}

/// All crates of the workspace, each after all that it depends on.
const PACKAGES: &[Package] = &[
    Package {
        name: "farkas-polyhedral",
        folder: "polyhedral",
        dependencies: &[],
        order: &[
            "int", "budget", "linalg", "solver", "sets", "text", "tree", "program", "schedule", "flow", "check", "ast",
            "lib",
        ],
    },
    Package {
        name: "farkas-plan",
        folder: "codegen/plan",
        dependencies: &["farkas-polyhedral"],
        order: &[
            "target",
            "choices",
            "source_names",
            "analysis",
            "change_of_variables",
            "cost",
            "bound",
            "transform",
            "splitting",
            "dependences",
            "threads",
            "sizes",
            "kept",
            "kernels",
            "summary",
            "plan",
            "original_tree",
            "steps",
            "schedules",
            "fusion",
            "check",
            "expansion",
            "search",
            "candidates",
            "unjam",
            "short_loops",
            "annotate",
            "pipeline",
            "lib",
        ],
    },
    Package {
        name: "farkas-llvm",
        folder: "codegen/llvm",
        dependencies: &[],
        order: &[
            "ffi",
            "facts",
            "handle",
            "types",
            "value",
            "boolean",
            "multiply_add",
            "operand_tree",
            "loops",
            "run",
            "remarks",
            "source",
            "processor",
            "plugin",
            "memory",
            "vector",
            "hoisting",
            "scev",
            "canonical_forms",
            "region",
            "scop_ir",
            "edit",
            "debug",
            "threads",
            "kernels",
            "lib",
        ],
    },
    Package {
        name: "farkas-emit",
        folder: "codegen/emit",
        dependencies: &["farkas-llvm", "farkas-polyhedral"],
        order: &[
            "value_numbering",
            "arith",
            "threads",
            "subscripts",
            "alias_scopes",
            "pointer_checks",
            "accessed_elements",
            "inspector",
            "checks",
            "rows",
            "ranges",
            "guard",
            "rotation",
            "slots",
            "node_splitting",
            "array_copies",
            "errno",
            "branches",
            "statement",
            "vector",
            "kernels",
            "replace",
            "addresses",
            "masked_stores",
            "finish",
            "lib",
        ],
    },
    Package {
        name: "farkas-report",
        folder: "codegen/report",
        dependencies: &["farkas-plan", "farkas-polyhedral"],
        order: &["markup", "record", "region", "picture", "section", "page", "lib"],
    },
    Package {
        name: "farkas-runtime",
        folder: "codegen/runtime",
        dependencies: &[],
        order: &[
            "failure",
            "log",
            "settings",
            "driver",
            "modules",
            "pool",
            "buffers",
            "pinned",
            "device",
            "workers",
            "write_back",
            "byte_box",
            "array",
            "region",
            "lib",
            "tests",
        ],
    },
    Package {
        name: "farkas-emulator",
        folder: "codegen/emulator",
        dependencies: &[],
        order: &[
            "copies", "memory", "matrix", "retarget", "module", "block", "launch", "driver", "lib", "tests",
        ],
    },
    Package {
        name: "farkas-pass",
        folder: "pass",
        dependencies: &[
            "farkas-emit",
            "farkas-llvm",
            "farkas-plan",
            "farkas-polyhedral",
            "farkas-report",
        ],
        order: &[
            "options",
            "target",
            "detect",
            "control",
            "scev",
            "domain",
            "memory",
            "scalar",
            "annotate",
            "scop",
            "scop_verify",
            "scop_builder",
            "verifiers",
            "scop_text",
            "accessed_elements",
            "pipeline",
            "kernels",
            "report_file",
            "driver",
            "lib",
        ],
    },
    Package {
        name: "farkas-cli",
        folder: "codegen/cli",
        dependencies: &["farkas-plan", "farkas-polyhedral", "farkas-report"],
        order: &[],
    },
    Package {
        name: "farkas-peer",
        folder: "test/peer",
        dependencies: &["farkas-polyhedral"],
        order: &[],
    },
    Package {
        name: "farkas-test",
        folder: "test",
        dependencies: &["farkas-polyhedral", "farkas-plan"],
        order: &[],
    },
];

/// Imports against the order that there still are: crate, importing module, imported one. Each has a reason beside it.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where one module imports from another: a file and a line.
type Imports = BTreeMap<(String, String), Vec<String>>;

/// A source of a crate: its path from `src`, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The names of the modules that it is in, from the crate's root to itself.
    fn module(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.path.trim_end_matches(".rs").split('/').collect();
        names.pop_if(|name| *name == "mod" && self.path.contains('/'));
        names
    }

    /// The folder or file of `src` that it belongs to.
    fn top(&self) -> &str {
        self.module()[0]
    }

    /// What the source names in the crate's root, with the line: the first names of paths after `crate::`, and those of
    /// `modules` after as many `super::` as lead there. In a module inside the file, these lead to the file itself.
    fn imports(&self, modules: &BTreeSet<&str>) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        let depth = self.module().len();
        let mut offset = 0;
        for line in self.text.split_inclusive('\n') {
            let code = line.split("//").next().unwrap_or_default();
            let climb = "super::".repeat(depth);
            for prefix in ["crate::", &*climb] {
                for (at, _) in code.match_indices(prefix) {
                    let before = code[..at].chars().next_back();
                    if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$' || c == ':') {
                        continue;
                    }
                    let rest = &self.text[offset + at + prefix.len()..];
                    let names = first_names(rest).into_iter();
                    let names = names.filter(|name| prefix == "crate::" || modules.contains(name));
                    let number = self.text[..offset].lines().count() + 1;
                    found.extend(names.map(|name| (number, name)));
                }
            }
            offset += line.len();
        }
        found
    }
}

/// The first names of the paths that a text starts with: one, or those of a list in braces.
fn first_names(text: &str) -> Vec<&str> {
    let name = |text: &'_ str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*');
        end.unwrap_or(text.len())
    };
    let Some(list) = text.strip_prefix('{') else {
        return vec![&text[..name(text)]];
    };
    let (mut names, mut depth, mut starts) = (Vec::new(), 0, true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts = true,
            _ if c.is_whitespace() => {}
            _ if starts => {
                names.push(&list[at..at + name(&list[at..])]);
                starts = false;
            }
            _ => {}
        }
    }
    names
}

/// The sources of a crate.
fn sources(folder: &Path) -> Vec<Source> {
    let src = folder.join("src");
    let (mut found, mut open) = (Vec::new(), vec![src.clone()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path.strip_prefix(&src).expect("a path below the root");
                found.push(Source {
                    path: inside.to_str().expect("a name in Unicode").to_owned(),
                    text: fs::read_to_string(&path).expect("a source is text"),
                });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// The imports between the modules of a crate. What is no module is in `lib`.
fn imports(sources: &[Source]) -> Imports {
    let modules: BTreeSet<&str> = sources.iter().map(Source::top).collect();
    let mut found = Imports::new();
    for source in sources.iter().filter(|source| source.top() != "lib") {
        for (line, name) in source.imports(&modules) {
            let target = if modules.contains(name) { name } else { "lib" };
            if target != source.top() {
                let edge = (source.top().to_owned(), target.to_owned());
                found.entry(edge).or_default().push(format!("{}:{line}", source.path));
            }
        }
    }
    found
}

/// The shortest way along imports, as the edges that it takes.
fn way(imports: &Imports, from: &str, to: &str) -> Option<Vec<(String, String)>> {
    let mut reached: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::from([(from, Vec::new())]);
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        if at == to {
            return reached.remove(at);
        }
        for edge in imports.keys().filter(|edge| edge.0 == at) {
            if !reached.contains_key(&*edge.1) {
                let mut steps = reached[at].clone();
                steps.push(edge.clone());
                reached.insert(&edge.1, steps);
                open.push_back(&edge.1);
            }
        }
    }
    None
}

/// What is wrong with the imports: each that goes against the order, with the cycle that it closes.
fn against(imports: &Imports, order: &[&str], excepted: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let rank = |name: &str| order.iter().position(|other| *other == name);
    let mut wrong = Vec::new();
    for ((own, other), places) in imports {
        let (Some(own_rank), Some(rank)) = (rank(own), rank(other)) else {
            continue;
        };
        if rank < own_rank || excepted(own, other) {
            continue;
        }
        let mut text = format!("{own} imports {other}, which comes after it: {}", places.join(", "));
        match way(imports, other, own) {
            None => text += "; no cycle: they may change places",
            Some(back) => {
                for edge in back {
                    text += &format!("; {} imports {} in {}", edge.0, edge.1, imports[&edge][0]);
                }
            }
        }
        wrong.push(text);
    }
    wrong
}

/// What is wrong inside a crate.
fn check_package(package: &Package) -> Vec<String> {
    let sources = sources(&root().join(package.folder));
    let mut wrong = Vec::new();
    let modules: BTreeSet<&str> = sources.iter().map(Source::top).collect();
    for module in &modules {
        if !package.order.contains(module) {
            wrong.push(format!("{module} has no place in the order"));
        }
    }
    for module in package.order.iter().filter(|module| !modules.contains(*module)) {
        wrong.push(format!("{module} is in the order, and not there"));
    }
    let imports = imports(&sources);
    let excepted = |own: &str, other: &str| EXCEPTIONS.contains(&(package.name, own, other));
    wrong.extend(against(&imports, package.order, excepted));
    for (_, own, other) in EXCEPTIONS.iter().filter(|exception| exception.0 == package.name) {
        if !imports.contains_key(&((*own).to_owned(), (*other).to_owned())) {
            wrong.push(format!("{own} does not import {other} any more: the exception can go"));
        }
    }
    wrong
        .into_iter()
        .map(|text| format!("{}: {text}", package.name))
        .collect()
}

/// The crates of this workspace that a Cargo.toml names as dependencies, those for tests and builds left out.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let mut section = "";
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]" && line.starts_with("farkas-") {
            found.extend(line.split(['.', ' ', '=']).next());
        }
    }
    found
}

#[test]
fn imports_go_one_way() {
    let checked = PACKAGES.iter().filter(|package| !package.order.is_empty());
    let wrong: Vec<String> = checked.flat_map(check_package).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn crates_depend_one_way() {
    for (number, package) in PACKAGES.iter().enumerate() {
        let manifest = root().join(package.folder).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a Cargo.toml");
        let expected: BTreeSet<&str> = package.dependencies.iter().copied().collect();
        assert_eq!(dependencies(&manifest), expected, "{}", package.name);
        let before = |name: &&str| PACKAGES[..number].iter().any(|other| other.name == *name);
        assert!(package.dependencies.iter().all(before), "{}", package.name);
    }
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("a Cargo.toml");
    for package in PACKAGES {
        assert!(
            workspace.contains(&format!("\"{}\"", package.folder)),
            "{}",
            package.folder
        );
    }
}

/// What is wrong with a crate of these files in the order.
fn check(order: &[&str], files: &[(&str, &str)], expected: Expect) {
    let sources: Vec<Source> = files
        .iter()
        .map(|(path, text)| Source {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect();
    let wrong = against(&imports(&sources), order, |_, _| false);
    expected.assert_eq(&wrong.join("\n"));
}

#[test]
fn an_order_that_holds() {
    check(
        &["low", "high"],
        &[
            (
                "low.rs",
                "// use crate::high;\nuse super::low::X;\nmod tests {\n use super::*;\n use super::Y; }",
            ),
            ("high/mod.rs", "use crate::low::X;\nmod inner;"),
            ("high/inner.rs", "use super::other;\nuse crate::{high::Z, low};"),
            ("lib.rs", "mod low;\nmod high;\nuse high::Z;"),
        ],
        expect![""],
    );
}

#[test]
fn cycles_are_shown() {
    check(
        &["one", "two", "three", "lib"],
        &[
            ("one.rs", "\nuse crate::{\n    three::{X, Y},\n    one,\n};"),
            (
                "two/a.rs",
                "use crate::one::Z;\nuse super::super::three;\npub(in crate::two) fn f() {}",
            ),
            ("three.rs", "fn f() { crate::two::g(); }"),
            ("lib.rs", ""),
        ],
        expect![[r#"
            one imports three, which comes after it: one.rs:2; three imports two in three.rs:1; two imports one in two/a.rs:1
            two imports three, which comes after it: two/a.rs:2; three imports two in three.rs:1"#]],
    );
}

#[test]
fn the_root_is_above_all_modules() {
    check(
        &["two", "one", "lib"],
        &[
            ("one.rs", "use crate::Public;"),
            ("two.rs", "use super::one;"),
            ("lib.rs", ""),
        ],
        expect![[r#"
            one imports lib, which comes after it: one.rs:1; no cycle: they may change places
            two imports one, which comes after it: two.rs:1; no cycle: they may change places"#]],
    );
}
