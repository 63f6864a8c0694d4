//! The operand corpus: one operation a line, `{"op": .., "args": [..], "ints": [..]}`, with operands in isl's notation.
//!
//! `op` is the name of isl's function without `isl_`; what only its internal functions have, as flags, is in `ints`.

use crate::isl::Region;
use serde_json::Value;
use std::path::Path;

/// A line of the corpus.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: usize,
    /// The operation.
    pub op: String,
    /// The operands.
    pub args: Vec<String>,
    /// Integer arguments, in isl's order.
    pub ints: Vec<u32>,
    /// For the scheduler's search: the regions that have to be non-trivial.
    pub regions: Vec<Region>,
    /// For the scheduler's search: the number of unknowns at the front that count.
    pub n_op: usize,
}

/// Reads a corpus.
///
/// # Errors
///
/// Which file or line cannot be read, and why.
pub fn read(path: &Path) -> Result<Vec<Line>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines()
        .enumerate()
        .map(|(k, line)| parse(k + 1, line).ok_or_else(|| format!("{}:{}: not an operation", path.display(), k + 1)))
        .collect()
}

fn parse(number: usize, line: &str) -> Option<Line> {
    let value: Value = serde_json::from_str(line).ok()?;
    let list = |key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let args = list("args");
    let mut args: Vec<String> = args.iter().map(|a| a.as_str().map(named)).collect::<Option<_>>()?;
    let op = value.get("op")?.as_str()?.to_string();
    if op.ends_with("apply_range") && args[0].contains(NO_TUPLE) {
        args[1] = from_no_tuple(&args[1]);
    }
    let region = |region: &Value| {
        let forms = region.get("trivial")?.as_array()?.iter();
        let forms = forms.map(|form| form.as_array()?.iter().map(Value::as_i64).collect());
        Some(Region {
            pos: region.get("pos")?.as_u64()? as usize,
            forms: forms.collect::<Option<_>>()?,
        })
    };
    Some(Line {
        number,
        op,
        args,
        ints: list("ints")
            .iter()
            .map(|v| v.as_u64().map(|v| v as u32))
            .collect::<Option<_>>()?,
        regions: list("regions").iter().map(region).collect::<Option<_>>()?,
        n_op: value.get("n_op").and_then(Value::as_u64).unwrap_or(0) as usize,
    })
}

/// A set of parameter values with existentially quantified variables, as a set with these as its dimensions.
pub fn quantified_as_dims(text: &str) -> Option<String> {
    let (head, rest) = text.split_once("{ [] : exists (")?;
    let (names, rest) = rest.split_once(": ")?;
    let condition = rest.strip_suffix(") }")?;
    Some(format!("{head}{{ [{names}] : {condition} }}"))
}

/// What stands for the tuple that a set has in the place of a domain.
const NO_TUPLE: &str = "none[]";

/// isl prints `#none` where a set has been used as a relation, and does not read it. Rational sets (one line, an
/// intersection) are taken as sets of integers.
fn named(text: &str) -> String {
    text.replace("#none", "none").replace("{ rat: ", "{ ")
}

/// A set as the relation that isl keeps it as, with [`NO_TUPLE`] as its domain.
fn from_no_tuple(text: &str) -> String {
    let Some((params, members)) = text.split_once('{') else {
        return text.into();
    };
    let members: Vec<String> = members
        .split(';')
        .map(|m| format!(" {NO_TUPLE} -> {}", m.trim_start()))
        .collect();
    format!("{params}{{{}", members.join(";"))
}
