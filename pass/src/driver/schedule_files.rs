//! Schedules in files: each modelled region can be written for a user who gives its schedule by hand, and is read back.
//!
//! `-farkas-export=DIR` writes two files for a region: `FUNCTION.LINE.COLUMN.scop`, its program, and `FUNCTION.LINE.COLUMN.st`, a schedule tree
//! of it, by its first loop. A region of several loops has the place of the last one, too: `f.3.5-9.5.st`. The tree is that of the plan; where
//! there is none, or the plan needs arrays of its own, it is the original order.
//! `farkas plan FILE.scop --schedule FILE.st` says what becomes of the tree once it is changed. With `-farkas-import=DIR` a region that has
//! a tree there is executed in its order.
//!
//! Places are those of debug locations: `-gline-tables-only` is enough. Copies of an inlined loop have one name.

use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::value::Location;
use farkas_polyhedral::tree::Tree;

use crate::scop::Scop;

/// Names of functions that are longer are cut off: names of files may have 255 bytes.
const LONGEST: usize = 150;

/// The name of the region with these outermost loops, in order; `None` where debug information does not say where they are.
pub(super) fn name<'a>(run: &Run<'_>, loops: &[Loop<'a>]) -> Option<String> {
    let of_function: String = run.function().name().chars().take(LONGEST).collect();
    let place = |l: &Loop<'a>| l.location().map(|at| format!("{}.{}", at.line, at.column));
    let (first, last) = (place(loops.first()?)?, place(loops.last()?)?);
    let places = match loops.len() {
        1 => first,
        _ => format!("{first}-{last}"),
    };
    Some(format!("{}.{places}", of_function.replace(['/', '\0'], "_")))
}

/// Where the schedule tree of a region is.
pub(super) fn tree_file(folder: &str, name: &str) -> PathBuf {
    Path::new(folder).join(format!("{name}.st"))
}

/// Reads a schedule tree.
///
/// # Errors
///
/// What is wrong with the file, for the user.
pub(super) fn read(file: &Path) -> Result<Tree, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    text.parse().map_err(|error| format!("{}:{error}", file.display()))
}

/// Writes a region, with a schedule tree that all of its plan is in, or else the original order.
///
/// # Errors
///
/// Why a file cannot be written, for the user.
pub(super) fn write(folder: &str, name: &str, scop: &Scop<'_>, plan: Option<&Tree>) -> Result<(), String> {
    let places = Statements(scop);
    let tree = match plan {
        Some(tree) => format!("# The plan.\n{places}{tree}"),
        None => {
            let tree = farkas_plan::original_tree(&scop.program);
            format!("# The original order.\n{places}{tree}")
        }
    };
    let program = Path::new(folder).join(format!("{name}.scop"));
    for (file, text) in [(program, scop.to_string()), (tree_file(folder, name), tree)] {
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, text));
        written.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// Where the statements of a region are in the source, a line each.
pub(super) struct Statements<'s, 'a>(pub(super) &'s Scop<'a>);

impl Statements<'_, '_> {
    fn places(&self) -> impl Iterator<Item = (&str, Location)> {
        let statements = self.0.ir.statements.iter();
        statements.filter_map(|statement| Some((&*statement.name, statement.location()?)))
    }

    /// Where those statements are that a text names.
    pub(super) fn named_in(&self, text: &str) -> String {
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let places = self.places().filter(|(name, _)| words.contains(name));
        let places: Vec<String> = places.map(|(name, place)| format!("{name} is at {place}")).collect();
        match places.is_empty() {
            true => String::new(),
            false => format!(" ({})", places.join(", ")),
        }
    }
}

impl Display for Statements<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.places()
            .try_for_each(|(name, place)| writeln!(f, "# {name} is at {place}"))
    }
}
