//! `detect [--no-polly] [--twice] [--every=N] NAME...`: how many loops of packages Farkas and Polly understand; of every Nth file.
//! With `--twice`, each file is compiled with the plugin once more, and a difference between the objects is a failure.
//!
//! A name is a file of compilations (`NAME.commands`, which `scripts/packages` writes), or `kernels`.
#![forbid(unsafe_code)]

use farkas_test::detect::command::Compilation;
use farkas_test::detect::report::Summary;
use farkas_test::detect::{Tasks, examine};
use farkas_test::{kernel_dir, kernels, plugin, scratch};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let tasks = Tasks {
        polly: !names.iter().any(|name| name == "--no-polly"),
        twice: names.iter().any(|name| name == "--twice"),
    };
    let every = names
        .iter()
        .find_map(|name| name.strip_prefix("--every=")?.parse().ok())
        .unwrap_or(1);
    names.retain(|name| !name.starts_with("--"));
    let (plugin, scratch) = (plugin(), scratch());
    let mut failed = false;
    println!("{}", Summary::header());
    let mut reasons = Vec::new();
    for name in &names {
        let package = Path::new(name)
            .file_stem()
            .map_or(name.clone(), |n| n.to_string_lossy().into_owned());
        let mut summary = Summary::default();
        let compilations: Vec<Compilation> = compilations(name).into_iter().step_by(every).collect();
        for (index, compilation) in compilations.iter().enumerate() {
            let source = compilation.source.display().to_string();
            eprint!("\r\x1b[K{package} {}/{} {source}", index + 1, compilations.len());
            summary.add(&source, &examine(compilation, &plugin, &scratch, tasks));
        }
        eprint!("\r\x1b[K");
        println!("{}", summary.row(&package));
        reasons.push(format!("{package}: {}", summary.reasons()));
        eprintln!("{package}: most time over clang's: {}", summary.worst());
        for failure in summary.failures() {
            failed = true;
            eprintln!("{package}: {failure}");
        }
    }
    println!("\nWhy nests stay as they are:\n\n{}", reasons.join("\n\n"));
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn compilations(name: &str) -> Vec<Compilation> {
    if name != "kernels" {
        return Compilation::read_all(Path::new(name));
    }
    let source = |kernel: &String| kernel_dir().join(format!("{kernel}.c"));
    kernels()
        .iter()
        .map(|kernel| Compilation::of_file(&source(kernel), &[]))
        .collect()
}
