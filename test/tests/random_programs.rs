//! Random programs give the same output with and without the plugin, which neither fails nor takes long on them.
//!
//! `FARKAS_RANDOM_PROGRAMS` is how many programs to try (default: 40), `FARKAS_RANDOM_SEED` the seed of the first.
//! Programs with a finding are kept in the folder `FARKAS_RANDOM_KEEP`, where that is set.
#![forbid(unsafe_code)]

use farkas_test::limited::{Finished, run_for};
use farkas_test::random::{RandomProgram, program};
use farkas_test::{VERIFY, number, plugin, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{env, fs, thread};

const COMPILE_LIMIT: Duration = Duration::from_secs(10);
const RUN_LIMIT: Duration = Duration::from_secs(10);

/// What the plugin writes when it fails.
const INTERNAL_ERROR: &str = "internal error";

/// What came of the programs so far.
#[derive(Default)]
struct Tally {
    transformed: AtomicU64,
    nests: AtomicU64,
    nests_transformed: AtomicU64,
}

fn ended(command: &mut Command, limit: Duration, what: &str) -> Result<Finished, String> {
    let finished = run_for(command, limit).map_err(|error| format!("{what}: {error}"))?;
    let finished = finished.ok_or_else(|| format!("{what} takes more than {limit:?}"))?;
    if finished.status.success() {
        Ok(finished)
    } else {
        Err(format!("{what} ends with {}:\n{}", finished.status, finished.stderr))
    }
}

/// Compiles and runs a program both ways.
fn check(name: &str, source: &Path, program: &RandomProgram, tally: &Tally) -> Result<(), String> {
    let compiler = || {
        let mut command = Command::new(env::var_os("FARKAS_CLANG").unwrap_or_else(|| "clang-22".into()));
        command.arg("-O3").args(&program.flags).arg("-w").arg(source).arg("-lm");
        command
    };
    let (plain, optimized) = (
        scratch().join(format!("{name}.clang")),
        scratch().join(format!("{name}.farkas")),
    );
    ended(compiler().arg("-o").arg(&plain), COMPILE_LIMIT, "clang")?;
    let mut command = compiler();
    command
        .arg(format!("-fpass-plugin={}", plugin().display()))
        .args(VERIFY)
        .args(&program.plugin_flags);
    command
        .args([
            "-Rpass=farkas",
            "-Rpass-missed=farkas",
            "-mllvm",
            "-farkas-remarks=all",
            "-o",
        ])
        .arg(&optimized);
    let compiled = ended(&mut command, COMPILE_LIMIT, "clang with the plugin")?;
    if compiled.stderr.contains(INTERNAL_ERROR) {
        return Err(compiled.stderr);
    }
    let count = |what: &str| compiled.stderr.matches(what).count() as u64;
    let transformed = count("[-Rpass=farkas]");
    tally.transformed.fetch_add(transformed.min(1), Ordering::Relaxed);
    tally.nests_transformed.fetch_add(transformed, Ordering::Relaxed);
    tally
        .nests
        .fetch_add(transformed + count("[-Rpass-missed=farkas]"), Ordering::Relaxed);
    let expected = ended(&mut Command::new(&plain), RUN_LIMIT, "the program");
    let output = ended(&mut Command::new(&optimized), RUN_LIMIT, "the optimized program");
    for program in [plain, optimized] {
        fs::remove_file(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    }
    if expected?.stdout == output?.stdout {
        Ok(())
    } else {
        Err("outputs differ".to_owned())
    }
}

fn command_line(program: &RandomProgram) -> String {
    let flags: Vec<&str> = program.flags.iter().chain(&program.plugin_flags).copied().collect();
    format!("// flags: {}\n", flags.join(" "))
}

#[test]
fn random_programs_agree() {
    let (count, first) = (number("FARKAS_RANDOM_PROGRAMS", 40), number("FARKAS_RANDOM_SEED", 1));
    let keep = env::var_os("FARKAS_RANDOM_KEEP").map(PathBuf::from);
    let (next, tally) = (AtomicU64::new(first), Tally::default());
    let worker = || {
        let mut findings = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return findings;
            }
            let (name, program) = (format!("random-{seed}"), program(seed));
            let source = scratch().join(format!("{name}.c"));
            let text = command_line(&program) + &program.text;
            fs::write(&source, &text).expect("a file in the scratch folder");
            if let Err(finding) = check(&name, &source, &program, &tally) {
                eprintln!("seed {seed}: {finding}");
                findings.push(seed);
                if let Some(keep) = &keep {
                    fs::write(keep.join(format!("{name}.c")), text).expect("a folder for findings");
                }
            }
            fs::remove_file(source).expect("the file is there");
        }
    };
    let findings: Vec<u64> = thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a worker that ends"))
            .collect()
    });
    println!(
        "{count} programs, {} transformed; {} nests, {} transformed",
        tally.transformed.into_inner(),
        tally.nests.into_inner(),
        tally.nests_transformed.into_inner()
    );
    assert!(findings.is_empty(), "findings for the seeds {findings:?}");
}
