//! Programs with a finding made smaller: lines and blocks of the function and of its calls are taken out as long as the
//! finding stays.

use super::{COMPILE_LIMIT, Workshop, compiler, ended, program_alone};
use crate::VERIFY;
use crate::limited::run_for;
use crate::random::unit::unit;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long the program may run: it has one function.
const RUN_LIMIT: Duration = Duration::from_secs(5);

/// The smallest program found with a finding at the level, from that of a seed; `None` if that has no finding.
///
/// # Panics
///
/// If the workshop's folder cannot be written to.
pub fn shrink(workshop: &Workshop, seed: u64, level: &str) -> Option<String> {
    let text = program_alone(seed);
    let start = text.find("__attribute__((noinline)) unsigned long f_")?;
    let end = text.find("int main(")?;
    let (head, tail) = (&text[..start], &text[end..]);
    let mut lines: Vec<String> = text[start..end].lines().map(str::to_owned).collect();
    let is_bad = |lines: &[String]| finding(workshop, seed, level, &format!("{head}{}\n{tail}", lines.join("\n")));
    if !is_bad(&lines) {
        return None;
    }
    loop {
        let before = lines.len();
        let mut at = lines.len();
        while at > 0 {
            at -= 1;
            let smaller = candidates(&lines, at).into_iter().find(|candidate| is_bad(candidate));
            if let Some(smaller) = smaller {
                lines = smaller;
                at = at.min(lines.len());
            }
        }
        if lines.len() == before {
            return Some(format!("{head}{}\n{tail}", lines.join("\n")));
        }
    }
}

/// The lines without the one at a position, without the block that it opens, and with the block's inside only.
fn candidates(lines: &[String], at: usize) -> Vec<Vec<String>> {
    let line = lines[at].trim();
    let without = |out: &[usize]| -> Vec<String> {
        let kept = lines.iter().enumerate().filter(|(index, _)| !out.contains(index));
        kept.map(|(_, line)| line.clone()).collect()
    };
    if line.ends_with(';') || line.starts_with("if (") && !line.ends_with('{') {
        return vec![without(&[at])];
    }
    if !line.ends_with('{') || line.contains("f_") {
        return Vec::new();
    }
    let mut depth = 0;
    for (index, line) in lines.iter().enumerate().skip(at) {
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        if depth <= 0 {
            let block: Vec<usize> = (at..=index).collect();
            return vec![without(&block), without(&[at, index])];
        }
    }
    Vec::new()
}

/// Whether the program behaves well when compiled by clang alone, and otherwise with the plugin and the workshop's options. Races are not looked for.
fn finding(workshop: &Workshop, seed: u64, level: &str, text: &str) -> bool {
    let flags = unit(seed..seed + 1);
    let file = |ending: &str| -> PathBuf { workshop.dir.join(format!("shrink-{seed}.{ending}")) };
    fs::write(file("c"), text).expect("a file in the folder");
    // What is taken out may leave something undefined.
    let is_sound = || {
        let mut command = Command::new("gcc");
        command.args(["-Werror=return-type", "-Werror=uninitialized", "-O1"]);
        command.args(["-fsanitize=undefined,address", "-fno-sanitize-recover=all"]);
        command.arg(file("c")).arg("-o").arg(file("checked")).arg("-lm");
        ended(&mut command, COMPILE_LIMIT).is_ok() && run(workshop, &file("checked")).is_some()
    };
    let build = |with_plugin: bool, ending: &str, level: &str| {
        let mut command = compiler();
        command.args(["-w", level]).args(&flags.flags);
        if with_plugin {
            command.arg(format!("-fpass-plugin={}", workshop.plugin.display()));
            command.args(VERIFY).args(&flags.plugin_flags).args(&workshop.options);
            if workshop.threads.is_some() {
                command.arg("-fopenmp");
            }
        }
        command.arg(file("c")).arg("-o").arg(file(ending)).arg("-lm");
        ended(&mut command, COMPILE_LIMIT)
    };
    if build(false, "clang", "-O1").is_err() {
        return false;
    }
    let Some(expected) = run(workshop, &file("clang")) else {
        return false;
    };
    let is_bad = match build(true, "farkas", level) {
        Err(_) => true,
        Ok(finished) => finished.stderr.contains("internal error") || run(workshop, &file("farkas")) != Some(expected),
    };
    is_bad && is_sound()
}

/// What a program prints, if it ends well.
fn run(workshop: &Workshop, program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    if let Some(threads) = &workshop.threads {
        threads.tell(&mut command);
    }
    let finished = run_for(&mut command, RUN_LIMIT).expect("a program that can be started");
    finished
        .filter(|finished| finished.status.success())
        .map(|finished| finished.stdout)
}
