//! `farkas report`: a page on what is planned for programs.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use farkas_plan::{Choices, Stage};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Program, text};
use farkas_report::{Fact, Model, Outcome, Record, RegionReport, page};

use crate::target;
use crate::terminal::read;

/// The options of `farkas report`.
#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Files with programs, as `-farkas-print=scop` writes them, or `-` for standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write the page to, in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The machine: a preset that `farkas target` lists, or a file with a target.
    #[arg(long, default_value = "x86-64-v3")]
    target: PathBuf,
}

/// A page on the programs of all files, which is written to a file, or returned where none is given.
pub(crate) fn report(arguments: &ReportArguments) -> Result<String, String> {
    let mut regions = Vec::new();
    for file in &arguments.files {
        regions.extend(of_file(file, &read(file)?, &arguments.target)?);
    }
    let name = match &arguments.files[..] {
        [file] => file_name(file),
        files => format!("{} files", files.len()),
    };
    let page = page(&name, &regions);
    match &arguments.output {
        None => Ok(page),
        Some(output) => {
            let written = std::fs::write(output, page);
            written.map_err(|error| format!("{}: {error}", output.display()))?;
            Ok(String::new())
        }
    }
}

/// The programs of a file.
fn of_file(file: &Path, text: &str, target: &Path) -> Result<Vec<RegionReport>, String> {
    let target = target::find(target)?;
    let programs = text::programs(text).map_err(|error| format!("{}:{error}", file.display()))?;
    let several = programs.len() > 1;
    let mut regions = Vec::new();
    for (index, program) in programs.into_iter().enumerate() {
        let b = Budget::unlimited();
        let located = |error| format!("{}: program {}: {error}", file.display(), index + 1);
        program.verify(&b).map_err(located)?;
        let choices = Choices::default();
        let stages = Record::default();
        let show = |stage: Stage, text: &dyn Display| stages.keep(stage, text);
        let b = farkas_plan::budget(&program, &choices);
        let planned = farkas_plan::plan(&program, &target, &choices, &show, &b);
        let name = match several {
            true => format!("{} ({})", stem(file), index + 1),
            false => stem(file),
        };
        let region = match planned {
            Ok(plan) => {
                let summary = plan.summary();
                let mut facts = Vec::new();
                let mut add = |name, text: String| facts.push(Fact { name, text });
                if let Some(sizes) = summary.sizes(&farkas_plan::ModelNames) {
                    add("Runs where", sizes);
                }
                if !plan
                    .assumptions
                    .pieces()
                    .iter()
                    .any(|piece| piece.is_plainly_universe())
                {
                    add("Assumed", plan.assumptions.to_string());
                }
                RegionReport {
                    gain: summary.gain(),
                    facts,
                    ..RegionReport::new(
                        name,
                        Outcome::Transformed,
                        summary.transformation(&farkas_plan::ModelNames),
                    )
                }
            }
            Err(kept) => RegionReport::new(name, Outcome::Kept, kept.to_string()),
        };
        regions.push(RegionReport {
            model: Some(model(program)),
            stages,
            ..region
        });
    }
    Ok(regions)
}

fn model(program: Program) -> Model {
    Model {
        text: program.to_string(),
        program,
    }
}

/// The name of a file without its folders and its kind.
fn stem(file: &Path) -> String {
    let name = file_name(file);
    name.strip_suffix(".scop").map_or(name.clone(), str::to_owned)
}

/// The name of a file without its folders.
fn file_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    match name == "-" {
        true => "standard input".to_owned(),
        false => name.to_string_lossy().into_owned(),
    }
}
