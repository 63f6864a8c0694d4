//! The corpus `test/plans` is what the plugin writes today, and every model in it is well-formed.
//!
//! `scripts/plans` writes it anew.
#![forbid(unsafe_code)]

use expect_test::expect_file;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Program, text};
use farkas_test::plans::{folder, models, name, printed, sources};
use farkas_test::{plugin, scratch};
use std::path::Path;
use std::process::Command;

#[test]
fn the_corpus_is_what_the_plugin_writes() {
    for source in sources() {
        expect_file![folder().join(name(&source))].assert_eq(&models(&source));
    }
}

#[test]
fn there_is_a_source_for_each_file() {
    let mut expected: Vec<String> = sources().iter().map(|source| name(source)).collect();
    let entries = std::fs::read_dir(folder()).expect("the corpus");
    let names = entries.map(|entry| entry.expect("an entry of the folder").file_name());
    let names = names.map(|name| name.into_string().expect("text"));
    let mut found: Vec<String> = names.filter(|name| name.ends_with(".scop")).collect();
    expected.dedup();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn every_model_is_well_formed_and_round_trips() {
    for source in sources() {
        let file = folder().join(name(&source));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let programs = text::programs(&text).unwrap_or_else(|error| panic!("{}:{error}", file.display()));
        assert!(!programs.is_empty(), "{} has no model", file.display());
        for (index, program) in programs.iter().enumerate() {
            let verified = program.verify(&Budget::new(10_000_000));
            assert_eq!(verified, Ok(()), "{}: program {}", file.display(), index + 1);
        }
        // The plugin's own text has more in comments only.
        let written: String = programs.iter().map(Program::to_string).collect();
        assert_eq!(written, without_comments(text.lines()), "{}", file.display());
    }
}

/// What the plugin plans for a model is what `farkas plan` prints for its text: the same tree, byte for byte, or none.
#[test]
fn the_text_of_a_model_gives_the_plugins_plan() {
    let flags = [
        "-mllvm",
        "-farkas-print=scop,plan",
        "-mllvm",
        "-farkas-target=x86-64-v3",
    ];
    let mut compared = 0;
    for source in sources() {
        let all = printed(&source, &flags);
        let models: Vec<(&str, &str)> = all
            .split("\nprogram\n")
            .skip(1)
            .map(|model| model.split_at(model.find("\ndomain: ").map_or(model.len(), |at| at + 1)))
            .collect();
        let programs: String = models
            .iter()
            .map(|(program, _)| format!("program\n{program}\n"))
            .collect();
        let file = scratch().join(name(&source));
        std::fs::write(&file, programs).expect("a file for the test");
        // The plugin gives a region of several segments half the work, which the text does not say.
        let printed = ["1", "2"].map(|share| trees(&file, share));
        for (index, (program, rest)) in models.iter().enumerate() {
            let tree = without_comments(rest.lines().take_while(|line| !line.starts_with('#')));
            let found = printed.each_ref().map(|trees| &trees[index]);
            assert!(found.contains(&&tree), "{}:\n{program}{tree}", source.display());
            compared += usize::from(!tree.is_empty());
        }
    }
    assert!(compared > 20, "{compared} plans");
}

/// The trees that the command plans for the programs of a file with a share of the work; nothing for those that stay as they are.
fn trees(file: &Path, work_share: &str) -> Vec<String> {
    let command = plugin().with_file_name("farkas");
    let done = Command::new(&command)
        .args(["plan", "--target=x86-64-v3", "--work-share", work_share])
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", command.display()));
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{}: {errors}", file.display());
    let printed = String::from_utf8(done.stdout).expect("text");
    let mut trees: Vec<String> = Vec::new();
    for line in printed.lines() {
        match trees.last_mut() {
            _ if line.starts_with("# transformed: ") || line.starts_with("# left as it is: ") => {
                trees.push(String::new())
            }
            Some(tree) => *tree += &without_comments([line].into_iter()),
            None => panic!("{}: {line}", file.display()),
        }
    }
    trees
}

fn without_comments<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let kept = lines.filter(|line| !line.starts_with('#'));
    kept.map(|line| format!("{line}\n")).collect()
}
