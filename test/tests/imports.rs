//! Imports go one way: a module uses its own folder and the folders before it, never a later one.
#![forbid(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};

/// The folders and files of `pass/src`, in the order in which data flows.
const PASS: &[&str] = &[
    "options", "target", "detect", "control", "scev", "domain", "memory", "scalar", "scop", "pipeline", "driver", "lib",
];

/// The sources under `folder`, each with the name of the folder or file of `root` that it belongs to.
fn sources(root: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path.strip_prefix(root).expect("a path below the root");
                let first = inside.components().next().expect("a relative path is not empty");
                let name = Path::new(first.as_os_str()).with_extension("");
                found.push((name.to_string_lossy().into_owned(), path));
            }
        }
    }
    found.sort();
    found
}

/// The folders and files that a source names after `crate::`.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// Every import of a crate's folders that goes against their order.
fn upward(root: &Path, order: &[&str]) -> Vec<String> {
    let rank = |name: &str| order.iter().position(|other| *other == name);
    let mut found = Vec::new();
    for (own, path) in sources(root) {
        let own = rank(&own).unwrap_or_else(|| panic!("{} has no place in the order", path.display()));
        let text = fs::read_to_string(&path).expect("a source is text");
        for name in imported(&text) {
            if rank(name).is_some_and(|other| other > own) {
                found.push(format!("{} imports {name}", path.display()));
            }
        }
    }
    found
}

#[test]
fn imports_go_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    assert_eq!(upward(&root.join("pass/src"), PASS), Vec::<String>::new());
}
