//! The crates that may be published: packages of cargo's can be made of them, with all that a registry shows.
#![forbid(unsafe_code)]

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is for tests here only.
const UNPUBLISHED: [&str; 3] = ["farkas-emulator", "farkas-peer", "farkas-test"];

/// Runs cargo in the workspace; gives its standard output.
fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = command.current_dir(workspace).args(arguments).output().expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}:\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// The crates of the workspace.
fn crates() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--offline", "--no-deps", "--format-version", "1"]);
    let mut metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    match metadata["packages"].take() {
        Value::Array(crates) => crates,
        other => panic!("no list: {other}"),
    }
}

#[test]
fn published_crates_are_described() {
    for package in crates() {
        let name = package["name"].as_str().expect("a name");
        let is_published = package["publish"].is_null();
        assert_eq!(is_published, !UNPUBLISHED.contains(&name), "{name}");
        if !is_published {
            continue;
        }
        for key in ["description", "license", "readme"] {
            assert!(package[key].is_string(), "{name} has no {key}");
        }
        for key in ["keywords", "categories"] {
            let count = package[key].as_array().expect("a list").len();
            assert!((1..=5).contains(&count), "{name} has {count} {key}");
        }
        // A registry has no paths: what is needed of this workspace has a version, too.
        for dependency in package["dependencies"].as_array().expect("a list") {
            let is_ours = dependency["path"].is_string();
            assert!(!is_ours || dependency["req"] != "*", "{name}: {dependency}");
        }
    }
}

#[test]
fn packages_can_be_made() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crates");
    if target.exists() {
        fs::remove_dir_all(&target).expect("the folder of an earlier run");
    }
    let folder = target.to_str().expect("a path in UTF-8");
    let excluded = UNPUBLISHED.iter().flat_map(|name| ["--exclude", name]);
    let flags = ["--no-verify", "--offline", "--allow-dirty", "--target-dir", folder];
    let arguments: Vec<&str> = ["package", "--workspace"]
        .into_iter()
        .chain(excluded)
        .chain(flags)
        .collect();
    cargo(&arguments);
    for package in crates() {
        let text = |key: &str| package[key].as_str().expect("text");
        let file = format!("package/{}-{}.crate", text("name"), text("version"));
        let is_there = fs::exists(target.join(&file)).expect("a folder");
        assert_eq!(is_there, !UNPUBLISHED.contains(&text("name")), "{file}");
        if is_there {
            let list = Command::new("tar").arg("-tzf").arg(target.join(&file)).output();
            let list = String::from_utf8(list.expect("tar").stdout).expect("text");
            for part in ["/LICENSE\n", "/README.md\n", "/src/"] {
                assert!(list.contains(part), "{file} has no {part}");
            }
        }
    }
}
