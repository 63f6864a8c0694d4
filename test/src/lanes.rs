//! Programs whose loops have lanes give the same output, bit for bit, as without the plugin: where the model chooses, and where lanes are
//! forced wherever that is legal.

use crate::{With, compile};
use std::path::Path;

/// What the remarks say of loops of a program.
pub struct Remarked<'r> {
    /// The lines of the loops.
    pub lines: &'r [usize],
    /// What the remark on each of them has.
    pub parts: &'r [&'r str],
    /// Whether it has that also where the model chooses.
    pub by_choice: bool,
}

/// Compiles a program of `test/programs` for a preset of a machine, with and without the plugin, and runs it for these sizes.
///
/// # Panics
///
/// If outputs differ, or a remark is not there.
pub fn check(program: &str, target: &str, remarked: &Remarked<'_>, sizes: impl Iterator<Item = u32> + Clone) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{program}.c"));
    let preset = format!("-farkas-target={target}");
    for (choice, level) in [("force", "-O2"), ("auto", "-O3")] {
        let name = format!("{program}-{target}-{choice}");
        let shared = ["-w", "-ffp-contract=off", level, "-lm"];
        let vectorize = format!("-farkas-vectorize={choice}");
        let own = ["-mllvm", &preset, "-mllvm", &vectorize, "-g1", "-Rpass=farkas"];
        let forced = ["-mllvm", "-farkas-unprofitable"];
        let own = match choice {
            "force" => [&own[..], &forced].concat(),
            _ => own.to_vec(),
        };
        let plain = compile(&source, &name, With::Clang, &shared);
        let new = compile(&source, &name, With::Farkas, &[&shared[..], &own].concat());
        assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
        for line in remarked
            .lines
            .iter()
            .filter(|_| remarked.by_choice || choice == "force")
        {
            let place = format!("{program}.c:{line}:");
            let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
            assert!(
                remarks.any(|remark| remarked.parts.iter().all(|part| remark.contains(part))),
                "no remark on line {line} for {target} has {:?}:\n{}",
                remarked.parts,
                new.diagnostics
            );
        }
        for size in sizes.clone() {
            let size = size.to_string();
            assert_eq!(
                plain.run(&[&size]),
                new.run(&[&size]),
                "{target}, {choice}, size {size}"
            );
        }
    }
}
