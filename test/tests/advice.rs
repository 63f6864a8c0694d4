//! Advice in remarks is worth following: each file of `test/advice` has a nest that stays as it is, for which the remark gives the advice in
//! the file's first line, or none. With `ADVISED` defined, the advice is followed, and the nest is transformed.
#![forbid(unsafe_code)]

use farkas_test::plugin;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

const LEFT: &str = "loop nest left as it is: ";

/// A nest with advice.
struct Case {
    source: PathBuf,
    text: String,
}

impl Case {
    /// The rest of the line that begins with a comment of this key.
    fn value(&self, key: &str) -> Option<&str> {
        let mut lines = self.text.lines();
        lines
            .find_map(|line| line.strip_prefix(&format!("// {key}:")))
            .map(str::trim)
    }

    fn advice(&self) -> &str {
        self.value("advice")
            .expect("a first line with the advice, which may be empty")
    }

    /// The remarks with these flags beside those of the file.
    fn remarks(&self, flags: &[&str]) -> Vec<String> {
        let own = self.value("flags").unwrap_or_default().split_whitespace();
        let output = Command::new("clang-22")
            .args([
                "-O2",
                "-g",
                "-w",
                "-mllvm",
                "-farkas-target=x86-64-v3",
                "-fno-caret-diagnostics",
            ])
            .args(["-Rpass=farkas", "-Rpass-missed=farkas", "-c", "-o", "/dev/null"])
            .arg(format!("-fpass-plugin={}", plugin().display()))
            .args(own)
            .args(flags)
            .arg(&self.source)
            .output()
            .expect("clang-22 can be started");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {printed}", self.source.display());
        let remarks = printed.lines().filter_map(|line| line.split_once("remark: "));
        remarks.map(|(_, remark)| remark.to_owned()).collect()
    }

    /// What is wrong with the advice.
    fn findings(&self) -> Vec<String> {
        let (before, advice) = (self.remarks(&[]), self.advice());
        let given = before.iter().filter(|remark| remark.starts_with(LEFT));
        let is_right = |remark: &String| match advice {
            "" => !remark.contains("; "),
            advice => remark.contains(&format!("; {advice} [-R")),
        };
        let mut findings = Vec::new();
        if !given.clone().any(is_right) {
            findings.push(format!("`{advice}` is not given: {before:?}"));
        }
        if advice.is_empty() {
            return findings;
        }
        let flags = self.value("advised flags").unwrap_or_default().split_whitespace();
        let after = self.remarks(&["-DADVISED"].into_iter().chain(flags).collect::<Vec<_>>());
        let transformed = |remarks: &[String]| {
            remarks
                .iter()
                .filter(|remark| remark.starts_with("loop nest transformed"))
                .count()
        };
        let is_gone = !after.iter().any(is_right) && transformed(&after) > 0;
        if !is_gone && transformed(&after) <= transformed(&before) {
            findings.push(format!("`{advice}` does not help: {after:?}"));
        }
        findings
    }
}

fn cases() -> Vec<Case> {
    let folder = repository().join("test/advice");
    let entries = fs::read_dir(folder).expect("a folder");
    let mut sources: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    sources.sort();
    let case = |source: PathBuf| Case {
        text: fs::read_to_string(&source).expect("a text"),
        source,
    };
    sources.into_iter().map(case).collect()
}

#[test]
fn advice_helps() {
    let finding = |case: &Case| {
        let name = case.source.file_name().expect("a file").to_string_lossy().into_owned();
        case.findings()
            .into_iter()
            .map(move |finding| format!("{name}: {finding}"))
    };
    let findings: Vec<String> = cases().iter().flat_map(finding).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

/// The texts between quotation marks of a source, without comments.
fn clauses(source: &Path) -> Vec<String> {
    let text = fs::read_to_string(source).expect("a source");
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let literals = code.flat_map(|line| {
        line.split('"')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    literals.filter(|literal| literal.contains(' ')).collect()
}

#[test]
fn all_advice_is_tested() {
    let given: Vec<String> = cases().iter().map(|case| case.advice().to_owned()).collect();
    let is_tested = |clause: &String| {
        // What is named differs.
        let fixed = clause.split('}').next_back().expect("a part");
        given.iter().any(|advice| advice.contains(fixed))
    };
    let untested: Vec<String> = clauses(&repository().join("pass/src/detect/advice.rs"))
        .into_iter()
        .filter(|clause| !is_tested(clause))
        .collect();
    assert!(untested.is_empty(), "no file of test/advice has {untested:?}");
}
