//! The corpus `test/plans` is what the plugin writes today, and every model in it is well-formed.
//!
//! `scripts/plans` writes it anew.
#![forbid(unsafe_code)]

use expect_test::expect_file;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Program, text};
use farkas_test::plans::{folder, models, name, sources};

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
