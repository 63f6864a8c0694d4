//! The corpus `test/plans`: the models that the plugin finds in kernels and in the lit tests of models, in the text form that
//! `farkas program` reads. Each source `NAME.c` gives a file `NAME.scop`. Nests without a model are in comments at its end, with the
//! reason. What is planned for the models is in `NAME.txt`, which is expected of `farkas-plan`.
//!
//! What is written depends on the source and the plugin alone: the compiler runs in the source's folder with its name as the only
//! path. Functions that all kernels share are left out.

use crate::{VERIFY, further_kernels, kernel_dir, kernels, plugin};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The functions of kernels that fill arrays and print results.
const SHARED: [&str; 4] = ["initialise", "main", "output", "report"];

/// What is in the place of a loop in another header that kernels share.
const SHARED_HEADER: &str = "/further.h:";

/// What begins the line of a lit test that has the flags for its models.
const RUN: &str = "// RUN: %model ";

/// The folder of the corpus.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("plans")
}

/// The sources of the corpus, sorted by name.
///
/// What is in C is among them, but for `blas`, which is compiled in other ways. What is in other languages is not, as the text of models
/// depends on the version of their compilers, and those of lit's tests that are in IR (`*.ll`) have no flags for clang. Their models
/// are looked at where they are: in `test/tests/languages.rs`, and in `lit/model`.
pub fn sources() -> Vec<PathBuf> {
    let kernels = kernels().into_iter().map(|name| kernel_dir().join(format!("{name}.c")));
    let kernels = kernels.chain(further_kernels());
    let lit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lit/model");
    let entries = std::fs::read_dir(lit).expect("a folder of tests");
    let tests = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut sources: Vec<PathBuf> = kernels
        .chain(tests)
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort_by_key(|path| name(path));
    sources
}

/// The file of the corpus that the source gives.
pub fn name(source: &Path) -> String {
    let stem = source.file_stem().and_then(|stem| stem.to_str());
    format!("{}.scop", stem.expect("a name"))
}

/// The models in a source, as the plugin writes them, and in comments which nests have none.
///
/// # Panics
///
/// If the compiler fails.
pub fn models(source: &Path) -> String {
    let flags = ["-mllvm", "-farkas-print=scop", "-mllvm", "-farkas-model-only"];
    let remarks = printed(
        source,
        &[
            "-mllvm",
            "-farkas-model-only",
            "-mllvm",
            "-farkas-remarks=all",
            "-Rpass-missed=farkas",
            "-fno-caret-diagnostics",
        ],
    );
    let file = source.file_name().expect("a file").to_string_lossy().into_owned();
    let declined = remarks.lines().filter_map(|line| {
        // What is in headers is shared.
        let (place, remark) = line.strip_prefix(&*file)?.split_once(": remark: ")?;
        Some(format!("# {file}{place}: {}\n", remark.split(" [-R").next()?))
    });
    printed(source, &flags) + &declined.collect::<String>()
}

/// What the plugin prints of a source with these flags.
///
/// # Panics
///
/// If the compiler fails.
pub fn printed(source: &Path, flags: &[&str]) -> String {
    let folder = source.parent().expect("a folder");
    let file = source.file_name().expect("a file");
    let text = std::fs::read_to_string(source).expect("a source");
    let done = Command::new(env::var_os("FARKAS_CLANG").unwrap_or_else(|| "clang-22".into()))
        .current_dir(folder)
        .args([
            "-O3",
            "-w",
            "-gline-tables-only",
            "-fno-discard-value-names",
            "-c",
            "-o",
            "/dev/null",
        ])
        .arg(format!("-fpass-plugin={}", plugin().display()))
        .args(VERIFY)
        .args(flags)
        .args(own_flags(&text))
        .arg(file)
        .env_remove("RUST_LOG")
        .output()
        .expect("the compiler starts");
    let printed = String::from_utf8(done.stderr).expect("text");
    assert!(done.status.success(), "{}: {printed}", source.display());
    without_shared(&printed)
}

/// The flags that a lit test has of its own.
fn own_flags(text: &str) -> Vec<&str> {
    let run = text.lines().find_map(|line| line.strip_prefix(RUN));
    let flags = run.and_then(|run| run.split_once("%s")).map_or("", |(flags, _)| flags);
    flags.split_whitespace().collect()
}

/// The models but for those of shared functions and headers. Each begins with a comment `# FUNCTION: loop ..`.
fn without_shared(printed: &str) -> String {
    let mut kept = String::new();
    let mut keep = true;
    for line in printed.lines() {
        let title = line.strip_prefix("# ").and_then(|line| line.split_once(": loop "));
        if let Some((function, loops)) = title {
            keep = !SHARED.contains(&function) && !loops.contains(SHARED_HEADER);
        }
        if keep {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}
