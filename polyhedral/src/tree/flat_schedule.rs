//! Schedules that are one relation instead of a tree, as isl's `.in` files have them, and texts that are either.
//!
//! A flat schedule relates instances to points of one *schedule space*, whose lexicographic order is that of execution. An
//! instance that is related to several points is executed at each of them. Its text is three texts in the notation of
//! [`crate::text`], one after the other, in which `#` starts a comment that goes on to the end of the line:
//!
//! ```text
//! # instances to points of the schedule space
//! [n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i, j] -> [i, 1 + j] : 0 <= i, j < n }
//! # what is known of the parameters
//! [n] -> { : n > 0 }
//! # points of the schedule space to options of their dimensions
//! [n] -> { [c, d] -> separate[x] : x >= 1 }
//! ```
//!
//! The options are relations from the schedule space to `atomic[x]`, `separate[x]` and `unroll[x]`, `x` the position of a
//! dimension, and to `separation_class[[x] -> [k]]`. In contrast to those of a band they may differ from point to point
//! of the schedule space, so that a tree's options, which are per member, cannot take their place.
//!
//! The texts are here and not in `text/` because what they make up is an order, of which [`Tree`] is the other kind, and
//! because a reader of either ([`AnySchedule`]) needs both.

use std::fmt;
use std::str::FromStr;

use crate::sets::{Set, Tuple, UnionMap};
use crate::text::ParseError;
use crate::tree::Tree;

/// A schedule that is one relation.
#[derive(Clone, Debug)]
pub struct FlatSchedule {
    /// Instances to points of the schedule space.
    pub schedule: UnionMap,
    /// What is known of the parameters: a set of parameter values.
    pub context: Set,
    /// Points of the schedule space to options: see the module.
    pub options: UnionMap,
}

/// A schedule of either kind.
#[derive(Clone, Debug)]
pub enum AnySchedule {
    /// A tree: isl's `.st` files.
    Tree(Tree),
    /// A relation: isl's `.in` files.
    Flat(FlatSchedule),
}

/// The options that a dimension may have.
fn is_option(tuple: &Tuple) -> bool {
    let plain = ["atomic", "separate", "unroll"].map(|name| Tuple::new(name, 1));
    let class = Tuple::pair(Tuple::anonymous(1), Tuple::anonymous(1)).with_name(Some("separation_class".into()));
    plain.contains(tuple) || *tuple == class
}

impl FromStr for FlatSchedule {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<FlatSchedule, ParseError> {
        let parts = parts(text)?;
        let [schedule, context, options] = &parts[..] else {
            unreachable!("there are three parts")
        };
        let error = |part: &Part, message: String| ParseError {
            line: part.line,
            col: part.col,
            message,
        };
        let flat = FlatSchedule {
            schedule: schedule.text.parse()?,
            context: context.text.parse()?,
            options: options.text.parse()?,
        };
        let points: Vec<&Tuple> = flat.schedule.maps().map(|map| map.range_tuple()).collect();
        if let Some(pair) = points.windows(2).find(|pair| pair[0] != pair[1]) {
            let message = format!(
                "expected a schedule with points of one space, found `{}` and `{}`",
                pair[0], pair[1]
            );
            return Err(error(schedule, message));
        }
        if !flat.context.tuple().is_unit() {
            return Err(error(
                context,
                "expected a set of parameter values, the context".to_string(),
            ));
        }
        if let Some(other) = flat.options.maps().find(|map| !is_option(map.range_tuple())) {
            let message = format!(
                "expected a relation to `atomic[x]`, `separate[x]`, `unroll[x]` or `separation_class[[x] -> [k]]`, found \
                 one to `{}`",
                other.range_tuple()
            );
            return Err(error(options, message));
        }
        Ok(flat)
    }
}

impl fmt::Display for FlatSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.schedule, self.context, self.options)
    }
}

/// A text within the whole one.
struct Part {
    /// Blanks and line ends in the place of all that is before, so that positions are those in the whole text.
    text: String,
    /// Where it starts, from 1.
    line: usize,
    col: usize,
}

/// The three texts, each up to its closing brace.
fn parts(text: &str) -> Result<Vec<Part>, ParseError> {
    const WHAT: [&str; 3] = [
        "the schedule, a relation",
        "the context, a set",
        "the options, a relation",
    ];
    let mut parts: Vec<Part> = Vec::new();
    let (mut before, mut part, mut start) = (String::new(), String::new(), (1, 1));
    let (mut line, mut col, mut comment) = (1, 1, false);
    let error = |(line, col): (usize, usize), message: String| Err(ParseError { line, col, message });
    for c in text.chars() {
        comment = (comment || c == '#') && c != '\n';
        let c = if comment { ' ' } else { c };
        if part.is_empty() {
            start = (line, col);
        }
        if !part.is_empty() || !c.is_whitespace() {
            if parts.len() == WHAT.len() {
                return error(start, "expected the end of the text after the options".to_string());
            }
            part.push(c);
        } else {
            before.push(c);
        }
        if c == '}' {
            let blank = part
                .chars()
                .map(|c| if c == '\n' { c } else { ' ' })
                .collect::<String>();
            parts.push(Part {
                text: before.clone() + &std::mem::take(&mut part),
                line: start.0,
                col: start.1,
            });
            before += &blank;
        }
        (line, col) = if c == '\n' { (line + 1, 1) } else { (line, col + 1) };
    }
    if !part.is_empty() {
        // What is not closed: the parser knows best what is wrong, except that it may only be the brace.
        return error(start, format!("expected {}, up to its `}}`", WHAT[parts.len()]));
    }
    match WHAT.get(parts.len()) {
        Some(missing) => error((line, col), format!("expected {missing}, found the end of the text")),
        None => Ok(parts),
    }
}

impl FromStr for AnySchedule {
    type Err = ParseError;

    /// A relation starts with `[`, or with `{` and no key of YAML after it. Anything else has to be a tree.
    fn from_str(text: &str) -> Result<AnySchedule, ParseError> {
        let mut rest = text.trim_start();
        while rest.starts_with('#') {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
        }
        let is_flat = match rest.strip_prefix('{') {
            Some(rest) => !starts_with_key(rest),
            None => rest.starts_with('['),
        };
        Ok(if is_flat {
            AnySchedule::Flat(text.parse()?)
        } else {
            AnySchedule::Tree(text.parse()?)
        })
    }
}

/// Whether a mapping in braces goes on like this: with a word and a colon, the word perhaps in quotation marks. A set can
/// only begin so if its space is that of no tuple at all.
fn starts_with_key(rest: &str) -> bool {
    let rest = rest.trim_start().trim_start_matches(['"', '\'']);
    let word = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let after = rest[word..].trim_start_matches(['"', '\'']).trim_start();
    word > 0 && after.starts_with(':')
}
