//! What is read is printed, and read again, as the same: every set and relation of the test data.
//!
//! The data are those of `FARKAS_DATA`, by default `../shared/data` beside the repository, if they are there, and a sample in
//! `test/peer/data` always.

use farkas_peer::isl::{Isl, Kind};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{UnionMap, UnionSet};
use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// What comparing a text with itself may cost.
const BUDGET: u64 = 5_000_000;
const LIMIT: u64 = 5_000_000;

/// What was read.
enum Read {
    Sets(UnionSet),
    Maps(UnionMap),
}

impl Read {
    fn parse(text: &str) -> Result<Read, String> {
        match text.parse() {
            Ok(sets) => Ok(Read::Sets(sets)),
            Err(as_sets) => match text.parse() {
                Ok(maps) => Ok(Read::Maps(maps)),
                Err(as_maps) => Err(format!("as sets: {as_sets}; as relations: {as_maps}")),
            },
        }
    }

    fn text(&self) -> String {
        match self {
            Read::Sets(sets) => sets.to_string(),
            Read::Maps(maps) => maps.to_string(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Read::Sets(_) => Kind::UnionSet,
            Read::Maps(_) => Kind::UnionMap,
        }
    }
}

/// How it went.
#[derive(Default)]
struct Outcome {
    texts: usize,
    not_compared: Vec<String>,
    not_compared_by_isl: Vec<String>,
    failures: Vec<String>,
}

impl Outcome {
    fn check(&mut self, isl: Option<&Isl>, text: &str) {
        self.texts += 1;
        let failure = match catch_unwind(|| Read::parse(text)) {
            Ok(Ok(first)) => self.round_trip(isl, text, &first).err(),
            Ok(Err(error)) => Some(format!("not read: {error}")),
            Err(_) => Some("panic while reading".into()),
        };
        if let Some(failure) = failure {
            self.failures.push(format!("{text}\n    {failure}"));
        }
    }

    fn round_trip(&mut self, isl: Option<&Isl>, text: &str, first: &Read) -> Result<(), String> {
        let printed = first.text();
        let second = Read::parse(&printed).map_err(|error| format!("{printed} is not read: {error}"))?;
        let budget = Budget::new(BUDGET);
        let equal = match (first, &second) {
            (Read::Sets(a), Read::Sets(b)) => a.is_equal(b, &budget),
            (Read::Maps(a), Read::Maps(b)) => a.is_equal(b, &budget),
            // The empty union.
            (a, b) => Ok(a.text() == b.text()),
        };
        match equal {
            Ok(true) => {}
            Ok(false) => return Err(format!("is not equal to {printed}")),
            Err(_) => self.not_compared.push(text.into()),
        }
        let Some(isl) = isl else { return Ok(()) };
        isl.limit(LIMIT);
        let Some(own) = isl.read(first.kind(), text) else {
            return Err(format!("isl does not read it: {}", isl.last_error()));
        };
        let Some(ours) = isl.read(first.kind(), &printed) else {
            return Err(format!("isl does not read {printed}: {}", isl.last_error()));
        };
        // Sets of parameter values and the tuple `[]` are one here.
        let equal = match own.is_equal(&ours) {
            Some(false) if first.kind() == Kind::UnionSet && printed.contains("{ :") => {
                own.params().zip(ours.params()).and_then(|(a, b)| a.is_equal(&b))
            }
            equal => equal,
        };
        match equal {
            Some(true) => Ok(()),
            Some(false) => Err(format!("is for isl not equal to {printed}")),
            None => {
                self.not_compared_by_isl.push(text.into());
                Ok(())
            }
        }
    }

    fn finish(self, what: &str) {
        println!("{what}: {} texts are read, printed and read again", self.texts);
        for (who, texts) in [("Farkas", &self.not_compared), ("isl", &self.not_compared_by_isl)] {
            println!("{} take {who} too long to compare", texts.len());
            texts.iter().for_each(|text| println!("    {text}"));
        }
        assert!(self.texts > 0, "there are texts in {what}");
        self.failures.iter().for_each(|failure| println!("{failure}"));
        assert!(self.failures.is_empty(), "{} texts of {what} fail", self.failures.len());
    }
}

/// All sets and relations in a text: what is between braces, with the parameters before it. Lists, schedules and
/// expressions are not among them.
fn sets_in(text: &str) -> Vec<String> {
    let text: String = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n");
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|k| at + k) {
        let Some(close) = text[open..].find('}').map(|k| open + k) else {
            break;
        };
        // The outer braces may be those of the format around.
        if text[open + 1..close].contains('{') {
            at = open + 1;
            continue;
        }
        at = close + 1;
        let before = text[..open].trim_end();
        // A schedule is a list of unions.
        if before.ends_with('[') || before.ends_with(',') {
            continue;
        }
        let params = before
            .strip_suffix("->")
            .map(str::trim_end)
            .filter(|head| head.ends_with(']'));
        let head = params.and_then(|head| head.rfind('[').map(|k| format!("{} -> ", &head[k..])));
        out.push(format!("{}{}", head.unwrap_or_default(), &text[open..=close]));
    }
    out
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

/// All texts of a folder of isl's test inputs.
fn texts_of_inputs(folder: &Path) -> BTreeSet<String> {
    let mut paths = Vec::new();
    files(folder, &mut paths);
    let known = |path: &PathBuf| {
        let kinds = ["st", "in", "sc", "ai", "flow"];
        path.extension().is_some_and(|e| kinds.iter().any(|kind| e == *kind))
    };
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a text file");
    paths
        .iter()
        .filter(|path| known(path))
        .flat_map(|path| sets_in(&read(path)))
        .collect()
}

/// All operands of a corpus.
fn operands(path: &Path) -> BTreeSet<String> {
    let lines = farkas_peer::corpus::read(path).unwrap_or_else(|error| panic!("{error}"));
    lines.into_iter().flat_map(|line| line.args).collect()
}

fn check(what: &str, texts: &BTreeSet<String>) {
    let isl = Isl::system();
    if let Err(error) = &isl {
        println!("isl is not there, so that Farkas alone compares: {error}");
    }
    let mut outcome = Outcome::default();
    texts.iter().for_each(|text| outcome.check(isl.as_ref().ok(), text));
    outcome.finish(what);
}

fn data() -> Option<PathBuf> {
    let path = std::env::var_os("FARKAS_DATA").map(PathBuf::from);
    let path = path.unwrap_or_else(|| farkas_peer::root().join("../shared/data"));
    if !path.is_dir() {
        println!("skipped: there is no folder {}", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn sample() {
    let sample = include_str!("../data/sample.txt");
    check("the sample", &sample.lines().map(String::from).collect());
}

#[test]
fn inputs_of_isl() {
    if let Some(data) = data() {
        check("isl's inputs", &texts_of_inputs(&data.join("isl")));
    }
}

#[test]
fn schedule_constraints() {
    if let Some(data) = data() {
        check(
            "the schedule constraints",
            &texts_of_inputs(&data.join("schedule-constraints")),
        );
    }
}

#[test]
fn operand_corpus() {
    if let Some(data) = data() {
        check("the operand corpus", &operands(&data.join("set-operations.jsonl")));
    }
}
