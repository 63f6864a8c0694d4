//! Versions: what the command says, and what becomes of the plugin in another LLVM than the one it is for.
//!
//! Most of another LLVM's symbols have other names, so that the dynamic linker refuses the plugin. Where it does not, the plugin
//! refuses to work by itself.
#![forbid(unsafe_code)]

use farkas_test::{plugin, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty module in IR that all releases of LLVM read.
const MODULE: &str = "define void @f() {\n  ret void\n}\n";

/// What `opt` prints as it loads the plugin, and its exit status.
fn load(opt: &str, preload: Option<&Path>) -> Option<(String, Option<i32>)> {
    let module = scratch().join(format!("{opt}-{}.ll", preload.is_some()));
    std::fs::write(&module, MODULE).expect("a module");
    let mut command = Command::new(opt);
    command.arg(format!("-load-pass-plugin={}", plugin().display()));
    command.args(["-passes=farkas", "-disable-output"]).arg(module);
    if let Some(library) = preload {
        command.env("LD_PRELOAD", library);
    }
    let output = command.output().ok()?;
    Some((
        String::from_utf8_lossy(&output.stderr).into_owned(),
        output.status.code(),
    ))
}

/// A library that has any LLVM say that it is of another release.
fn pretended_release(major: u32) -> PathBuf {
    let (source, library) = (scratch().join("release.c"), scratch().join("release.so"));
    let text =
        format!("void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {{ *major = {major}; }}");
    std::fs::write(&source, text).expect("a source file");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .status()
        .expect("a C compiler");
    assert!(status.success());
    library
}

#[test]
fn the_command_names_the_release_of_llvm() {
    let command = plugin().with_file_name("farkas");
    let output = Command::new(command).arg("--version").output().expect("the command");
    let said = String::from_utf8(output.stdout).expect("text");
    let (_, release) = said.trim_end().split_once(" for LLVM ").expect("LLVM's release");
    let output = Command::new("llvm-config-22").arg("--version").output().expect("LLVM");
    let version = String::from_utf8(output.stdout).expect("text");
    assert_eq!(version.split('.').next(), Some(release), "{said}");
    assert!(
        said.starts_with("farkas ") && !said.contains('+'),
        "not a version of the package: {said}"
    );
}

#[test]
fn its_own_release_loads_the_plugin() {
    assert_eq!(load("opt-22", None).expect("opt-22"), (String::new(), Some(0)));
}

#[test]
fn the_plugin_refuses_another_release() {
    let library = pretended_release(23);
    let (said, status) = load("opt-22", Some(&library)).expect("opt-22");
    assert!(
        said.contains("farkas: this plugin is for LLVM 22, and was loaded by LLVM 23\n"),
        "{said}"
    );
    assert!(said.contains("Wrong API version on plugin"), "{said}");
    assert_eq!(status, Some(1));
}

#[test]
fn installed_other_releases_refuse_the_plugin() {
    for opt in ["opt-14", "opt-19"] {
        let Some((said, status)) = load(opt, None) else {
            eprintln!("{opt} is not installed");
            continue;
        };
        // Older ones name the library only, newer ones the missing symbol, too.
        assert!(said.contains("libfarkas.so"), "{opt}: {said}");
        assert_eq!(status, Some(1), "{opt}: {said}");
    }
}
