//! The corpus `test/plans` is what the plugin writes today, and every model in it is well-formed.
//!
//! `scripts/plans` writes it anew.
#![forbid(unsafe_code)]

use expect_test::expect_file;
use farkas_plan::target::Target;
use farkas_plan::{Choices, budget, plan};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Program, text};
use farkas_test::plans::{folder, models, name, printed, sources};

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
    let mut found: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry of the folder")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
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
        let bare: String = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(written, bare, "{}", file.display());
    }
}

/// What the plugin plans for a model is what the library plans for its text: the same tree, byte for byte.
#[test]
fn the_text_of_a_model_gives_the_plugins_plan() {
    let target = Target::preset("x86-64-v3").expect("a preset");
    let flags = [
        "-mllvm",
        "-farkas-print=scop,plan",
        "-mllvm",
        "-farkas-target=x86-64-v3",
    ];
    let mut compared = 0;
    for source in sources() {
        let all = printed(&source, &flags);
        for model in all.split("\nprogram\n").skip(1) {
            let (program, rest) = model.split_at(model.find("\ndomain: ").map_or(model.len(), |at| at + 1));
            if rest.is_empty() {
                continue;
            }
            let tree: String = rest
                .lines()
                .take_while(|line| !line.starts_with('#'))
                .map(|line| format!("{line}\n"))
                .collect();
            let program: Program = format!("program\n{program}").parse().expect("a program");
            // The plugin gives a region of several segments half the budget, which the text does not say.
            let whole = budget(&program, &Choices::default()).left();
            let trees = [whole, whole / 2].map(|units| {
                let planned = plan(&program, &target, &Choices::default(), &|_, _| {}, &Budget::new(units));
                planned.map_or_else(|kept| kept.to_string(), |plan| plan.tree.to_string())
            });
            assert!(trees.contains(&tree), "{}:\n{program}{tree}", source.display());
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared} plans");
}
