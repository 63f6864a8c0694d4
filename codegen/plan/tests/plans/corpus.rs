//! The whole corpus of `test/plans`: each program is planned, and each plan passes the checker.

use super::{planned, target};
use expect_test::expect_file;
use farkas_plan::{Choices, Parallel, budget, check_plan, plan};
use farkas_polyhedral::ast;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Program, text};
use farkas_polyhedral::tree::Tree;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The programs of a file of the corpus, with their positions.
pub(super) fn programs(path: &Path) -> Vec<(String, Program)> {
    let text = std::fs::read_to_string(path).expect("a file of the corpus");
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let programs = text::programs(&text).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
    let numbered = programs.into_iter().enumerate();
    numbered
        .map(|(index, program)| (format!("{name} {}", index + 1), program))
        .collect()
}

/// All programs of the corpus, with their positions.
pub(super) fn all_programs() -> impl Iterator<Item = (String, Program)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/plans");
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = paths.filter(|path| path.extension().is_some_and(|it| it == "scop"));
    files.flat_map(|file| programs(&file))
}

/// Every program of the corpus, also where no gain is expected. Each plan is legal. What comes of the programs of `NAME.scop` is in
/// `NAME.txt` beside it.
#[test]
fn the_corpus_is_planned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/plans");
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let (files, others): (Vec<_>, Vec<_>) = paths.partition(|path| path.extension().is_some_and(|it| it == "scop"));
    assert!(!files.is_empty());
    for file in &files {
        check(file);
    }
    let is_left = |path: &PathBuf| !files.contains(&path.with_extension("scop"));
    assert!(!others.iter().any(is_left), "files of no source: {others:?}");
}

/// Compares what comes of the programs of a file with what is expected: by themselves, where no gain is needed, and on threads.
fn check(file: &Path) {
    let mut summary = String::new();
    for (index, (_, program)) in programs(file).iter().enumerate() {
        let by_itself = outcome(program, &Choices::default());
        writeln!(summary, "{}: {by_itself}", index + 1).expect("a string takes all text");
        let unprofitable = Choices {
            unprofitable: true,
            ..Choices::default()
        };
        let parallel = Choices {
            parallel: Parallel::Auto,
            ..Choices::default()
        };
        for (way, choices) in [("unprofitable", unprofitable), ("on threads", parallel)] {
            let other = outcome(program, &choices);
            if other != by_itself {
                writeln!(summary, "{}, {way}: {other}", index + 1).expect("a string takes all text");
            }
        }
    }
    expect_file![file.with_extension("txt")].assert_eq(&summary);
}

/// What comes of a program, in a line. A plan has to pass the checker, within a budget that a test can wait for.
fn outcome(program: &Program, choices: &Choices) -> String {
    match plan(program, &target(), choices, &|_, _| {}, &budget(program, choices)) {
        Ok(plan) => {
            let checked = check_plan(program, &plan, &Budget::new(20_000_000));
            let verdict = match checked {
                Ok(Ok(())) => "",
                Ok(Err(refusal)) => panic!("{refusal}\n{program}\n{}", plan.tree),
                Err(_) => " (the checker is out of budget)",
            };
            format!("{}{verdict}", plan.summary())
        }
        Err(kept) => {
            let kept = kept.to_string();
            // Costs are for those who change the model, and in its own tests.
            format!("left as it is: {}", kept.split(':').next().unwrap_or_default())
        }
    }
}

/// A tree that is written and read again has the same loops: nothing that matters to them is missing in its text.
#[test]
fn plans_are_their_texts() {
    let mut compared = 0;
    for (place, program) in all_programs() {
        let Ok(plan) = planned(&program) else { continue };
        let text = plan.tree.to_string();
        let tree: Tree = text.parse().unwrap_or_else(|error| panic!("{place}: {error}\n{text}"));
        let loops = |tree: &Tree| {
            let b = Budget::new(5_000_000);
            let ast = ast::generate(tree, &ast::Options::default(), &b);
            ast.map(|ast| ast.to_string()).map_err(|error| error.to_string())
        };
        assert_eq!(loops(&plan.tree), loops(&tree), "{place}\n{text}");
        compared += 1;
    }
    assert!(compared > 80, "{compared} plans");
}
