//! Inputs of the AST generator: the schedules of isl's own tests, with the options that they have or others.

use super::order::Values;
use crate::isl::{CODEGEN, CodegenFailure, CodegenInput, Generated, Isl};
use crate::random::Rng;
use farkas_polyhedral::ast::{self, Ast, AstError};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, MapSpace, Params, Set, Tuple, UnionMap};
use farkas_polyhedral::tree::{AnySchedule, FlatSchedule, LoopKind, Node, Tree};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A schedule for which code is generated.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file's name, with its folder if it is in one of those of the data.
    pub name: String,
    /// The file's text.
    pub text: String,
    /// What it says.
    pub schedule: AnySchedule,
}

/// The options that code is generated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Those of the file.
    AsGiven,
    /// One kind of loop for all dimensions, in the place of the options of the file; isolation stays as it is.
    All(LoopKind),
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 5] = [
        Mode::AsGiven,
        Mode::All(LoopKind::Default),
        Mode::All(LoopKind::Separate),
        Mode::All(LoopKind::Atomic),
        Mode::All(LoopKind::Unroll),
    ];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Mode::AsGiven => "given",
            Mode::All(LoopKind::Default) => "default",
            Mode::All(LoopKind::Separate) => "separate",
            Mode::All(LoopKind::Atomic) => "atomic",
            Mode::All(LoopKind::Unroll) => "unroll",
        }
    }
}

/// The folder of isl's tests of its code generator, in the data of `FARKAS_DATA`, by default `../shared/data` beside the
/// repository. None where it is not there.
pub fn folder() -> Option<PathBuf> {
    let data = std::env::var_os("FARKAS_DATA").map_or_else(|| crate::root().join("../shared/data"), PathBuf::from);
    let folder = data.join("isl/codegen");
    folder.exists().then_some(folder)
}

/// The inputs of [`folder`], by name. None where it is not there.
///
/// # Errors
///
/// A file that cannot be read.
pub fn inputs() -> Result<Option<Vec<Input>>, String> {
    let Some(folder) = folder() else {
        return Ok(None);
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path
            .strip_prefix(&folder)
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        Input::new(name, text)
    };
    paths.iter().map(read).collect::<Result<_, _>>().map(Some)
}

/// Inputs that execute more instances than can be enumerated, and what their large numbers are replaced by so that they
/// can: they are as they were otherwise.
const SMALLER: [(&str, &[(&str, &str)]); 10] = [
    ("cloog/equality2.st", &[("10000", "10")]),
    ("omega/lefur03-0.in", LEFUR),
    ("omega/lefur04-0.in", LEFUR),
    ("omega/lift1-2.in", LIFT),
    ("omega/lift1-3.in", LIFT),
    ("omega/lift1-4.in", LIFT),
    ("omega/lift1-5.in", LIFT),
    ("omega/lift2-2.in", LIFT),
    ("omega/lift2-3.in", LIFT),
    ("omega/lift2-4.in", LIFT),
];

const LEFUR: &[(&str, &str)] = &[
    ("500", "10"),
    ("501", "11"),
    ("999", "19"),
    ("1000", "20"),
    ("1001", "21"),
];

const LIFT: &[(&str, &str)] = &[("60", "7"), ("100", "4")];

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            files(&path, out);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "st" || extension == "in")
        {
            out.push(path);
        }
    }
}

impl Input {
    /// An input of this text.
    ///
    /// # Errors
    ///
    /// Why it is not read.
    pub fn new(name: String, text: String) -> Result<Input, String> {
        let schedule = text.parse().map_err(|error| format!("{name}: {error}"))?;
        Ok(Input { name, text, schedule })
    }

    /// The input with smaller numbers, if it executes too much to be enumerated. Its name says so.
    pub fn small(&self) -> Input {
        let Some((_, numbers)) = SMALLER.iter().find(|(name, _)| *name == self.name) else {
            return self.clone();
        };
        let mut text = String::new();
        let mut rest = &self.text[..];
        while let Some(at) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
            let end = rest[at..]
                .find(|c: char| !c.is_ascii_digit())
                .map_or(rest.len(), |n| at + n);
            let end = end.max(at + 1);
            let word = &rest[at..end];
            let replaced = numbers
                .iter()
                .find(|(from, _)| *from == word)
                .map_or(word, |(_, to)| *to);
            text += &rest[..at];
            text += replaced;
            rest = &rest[end..];
        }
        text += rest;
        Input::new(format!("{} (small)", self.name), text).expect("numbers in the place of numbers")
    }

    /// The same with the options of a mode.
    pub fn with_mode(&self, mode: Mode) -> Input {
        let Mode::All(kind) = mode else {
            return self.clone();
        };
        let schedule = match &self.schedule {
            AnySchedule::Tree(tree) => {
                let mut tree = tree.clone();
                set_kind(&mut tree.root, kind);
                AnySchedule::Tree(tree)
            }
            AnySchedule::Flat(flat) => AnySchedule::Flat(FlatSchedule {
                options: options(flat, kind),
                ..flat.clone()
            }),
        };
        Input {
            name: self.name.clone(),
            text: match &schedule {
                AnySchedule::Tree(tree) => tree.to_string(),
                AnySchedule::Flat(flat) => {
                    let [schedule, context, _] = self.parts();
                    format!("{schedule}\n{context}\n{}\n", flat.options)
                }
            },
            schedule,
        }
    }

    /// The three texts of a flat schedule, as they are in the file.
    fn parts(&self) -> [String; 3] {
        let lines = self.text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let text = lines.collect::<Vec<_>>().join("\n");
        let mut parts = text.split_inclusive('}').map(|part| part.trim().to_string());
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }

    /// What isl makes of it, with the options of isl's own program.
    ///
    /// # Errors
    ///
    /// What isl says, or that it did not finish.
    pub fn generate_isl(&self, isl: &Isl, patience: Duration) -> Result<Generated, CodegenFailure> {
        let [schedule, context, options] = &self.parts();
        let input = match self.schedule {
            AnySchedule::Tree(_) => CodegenInput::Tree(&self.text),
            AnySchedule::Flat(_) => CodegenInput::Flat {
                schedule,
                context,
                options,
            },
        };
        isl.generate(input, &CODEGEN, patience)
    }

    /// What Farkas makes of it.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn generate(&self, budget: &Budget) -> Result<Ast, AstError> {
        self.generate_with(&ast::Options::default(), budget)
    }

    /// What Farkas makes of it with options of the generator.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn generate_with(&self, options: &ast::Options, budget: &Budget) -> Result<Ast, AstError> {
        match &self.schedule {
            AnySchedule::Tree(tree) => ast::generate(tree, options, budget),
            AnySchedule::Flat(flat) => {
                ast::generate_relation(&flat.schedule, &flat.context, &flat.options, options, budget)
            }
        }
    }

    /// All parameters.
    pub fn params(&self) -> Params {
        match &self.schedule {
            AnySchedule::Tree(tree) => tree.params(),
            AnySchedule::Flat(flat) => flat.schedule.params().union(flat.context.params()),
        }
    }

    fn context(&self) -> &Set {
        match &self.schedule {
            AnySchedule::Tree(Tree { context, .. }) | AnySchedule::Flat(FlatSchedule { context, .. }) => context,
        }
    }

    /// What is scheduled at the root.
    fn domains(&self) -> Vec<Set> {
        match &self.schedule {
            AnySchedule::Tree(tree) => tree.domain.sets().cloned().collect(),
            AnySchedule::Flat(flat) => flat.schedule.maps().map(Map::wrap).collect(),
        }
    }

    /// Small values of the parameters that are in the context, of which some may make sets empty: at most `count`. Which
    /// they are depends on the name of the input only.
    pub fn assignments(&self, count: usize) -> Vec<Values> {
        let params = self.params();
        let context = self.context().align_params(&params);
        // Numbers that the context compares with, as far as they are small, are taken into account.
        let mut pool: Vec<i64> = vec![0, 1, 2, 3, 4, 5, 7, 10, -1, 13];
        for row in context
            .pieces()
            .iter()
            .flat_map(|piece| piece.ineqs().iter().chain(piece.eqs()))
        {
            let constant = row[0].to_i64().map_or(0, |c| c.abs());
            if (4..=300).contains(&constant) {
                pool.extend([constant - 1, constant, constant + 1, constant + 6]);
            }
        }
        let is_in_context = |values: &[i64]| {
            let ints: Vec<Int> = values.iter().map(|v| Int::from(*v)).collect();
            context
                .contains(&ints, &[], &Budget::new(1_000_000))
                .expect("a small question")
        };
        // Values for which something is executed, and then any.
        let mut found: Vec<Vec<i64>> = Vec::new();
        for set in self.domains() {
            let set = set.align_params(&params).intersect_params(&context);
            if let Ok(Some((values, _))) = set.sample(&Budget::new(1_000_000))
                && let Some(values) = values.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>()
                && values.iter().all(|value| value.abs() < 100_000)
                && found.len() < 2
                && !found.contains(&values)
            {
                found.push(values);
            }
        }
        let mut rng = Rng::new(self.name.bytes().fold(7, |hash, byte| hash * 31 + u64::from(byte)));
        for trial in 0..2000 {
            if found.len() == count || (params.is_empty() && !found.is_empty()) {
                break;
            }
            // First all parameters the same.
            let draw = |rng: &mut Rng| pool[rng.below(pool.len())];
            let values: Vec<i64> = match pool.get(3 * trial % pool.len()) {
                Some(value) if 3 * trial < pool.len() => vec![*value; params.len()],
                _ => (0..params.len()).map(|_| draw(&mut rng)).collect(),
            };
            if !found.contains(&values) && is_in_context(&values) {
                found.push(values);
            }
        }
        let named = |values: Vec<i64>| params.names().iter().map(|name| name.to_string()).zip(values).collect();
        found.into_iter().map(named).collect()
    }
}

/// Gives all members of all bands a kind.
fn set_kind(node: &mut Node, kind: LoopKind) {
    if let Node::Band(band) = node {
        for member in band.members_mut() {
            member.kind = kind;
            member.isolated = kind;
        }
    }
    node.children_mut().for_each(|child| set_kind(child, kind));
}

/// The options that say the kind of all dimensions.
fn options(flat: &FlatSchedule, kind: LoopKind) -> UnionMap {
    let mut options = UnionMap::empty(Params::none());
    let name = match kind {
        LoopKind::Default => return options,
        LoopKind::Atomic => "atomic",
        LoopKind::Separate => "separate",
        LoopKind::Unroll => "unroll",
    };
    if let Some(points) = flat.schedule.maps().next().map(Map::range_tuple) {
        let space = MapSpace::new(Params::none(), points.clone(), Tuple::new(name, 1));
        options.add(&Map::universe(space));
    }
    options
}
