//! Reads LLVM's files of remarks: a YAML document for each remark, whose tag is its kind.
//!
//! ```text
//! --- !Missed
//! Pass:            farkas
//! Name:            KeptNoGain
//! DebugLoc:        { File: product.c, Line: 2, Column: 3 }
//! Function:        product
//! Args:
//!   - String:          loop nest
//!   - String:          ' left as it is: '
//!   - Reason:          no gain is expected
//! ...
//! ```
//!
//! The message is what all arguments say, one behind the other.

use std::fmt;

use serde_yaml_ng::Value;

/// How deep brackets of a document may nest. The reader of YAML takes quadratic time in it.
const MAX_NESTING: usize = 256;

/// The argument that has advice to the author.
const ADVICE: &str = "Advice";

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something was done.
    Passed,
    /// Something was not done.
    Missed,
    /// Something is known.
    Analysis,
}

/// Where a remark is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    /// From 1; 0 if it is not known.
    pub(super) line: u64,
    /// From 1; 0 if it is not known.
    pub(super) column: u64,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    pub(super) kind: Kind,
    /// The pass that gives it.
    pub(super) pass: String,
    /// The name of what is said, such as `Transformed`.
    pub(super) name: String,
    /// The function, by its name in the object file.
    pub(super) function: String,
    pub(super) place: Option<Place>,
    pub(super) message: String,
    /// Whether a part of the message is advice to the author.
    pub(super) has_advice: bool,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecordError {
    line: usize,
    column: usize,
    message: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// The remarks in a file, of all passes.
///
/// # Errors
///
/// If the text is no list of remarks.
pub(super) fn read_remarks(text: &str) -> Result<Vec<Remark>, RecordError> {
    let mut remarks = Vec::new();
    // The document that is being read, and its first line.
    let mut open: Option<(String, usize)> = None;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let is_start = line.starts_with("---");
        let is_end = line.trim_end() == "...";
        if (is_start || is_end)
            && let Some((document, first)) = open.take()
        {
            remarks.push(read_remark(&document, first)?);
        }
        match &mut open {
            _ if is_start => open = Some((line.to_owned(), number)),
            _ if is_end => {}
            Some((document, _)) => *document += line,
            None if line.trim().is_empty() || line.starts_with('#') => {}
            None => return Err(error(number, 1, "expected a remark, such as `--- !Passed`")),
        }
    }
    if let Some((document, first)) = open {
        remarks.push(read_remark(&document, first)?);
    }
    Ok(remarks)
}

fn error(line: usize, column: usize, message: impl Into<String>) -> RecordError {
    RecordError {
        line,
        column,
        message: message.into(),
    }
}

/// The remark in a document whose first line has this number.
fn read_remark(document: &str, first: usize) -> Result<Remark, RecordError> {
    check_nesting(document, first)?;
    let value: Value = serde_yaml_ng::from_str(document).map_err(|wrong| {
        let (line, column) = wrong.location().map_or((1, 1), |at| (at.line(), at.column()));
        let message = wrong
            .to_string()
            .replace(&format!(" at line {line} column {column}"), "");
        // The reader of YAML thinks of a line end behind the last line.
        error(first + line.clamp(1, document.lines().count()) - 1, column, message)
    })?;
    let wrong = |message: String| error(first, 1, message);
    let Value::Tagged(tagged) = &value else {
        return Err(wrong("expected a remark, such as `--- !Passed`".to_owned()));
    };
    let kind = match tagged.tag.to_string().as_str() {
        "!Passed" => Kind::Passed,
        "!Missed" => Kind::Missed,
        tag if tag.starts_with("!Analysis") => Kind::Analysis,
        tag => {
            return Err(wrong(format!(
                "`{tag}` is no kind of remark: expected !Passed, !Missed or !Analysis"
            )));
        }
    };
    let text = |key: &str| {
        let found = tagged.value.get(key).and_then(Value::as_str);
        found
            .map(str::to_owned)
            .ok_or_else(|| wrong(format!("the remark has no text for `{key}`")))
    };
    let place = match tagged.value.get("DebugLoc") {
        None => None,
        Some(place) => Some(
            read_place(place)
                .ok_or_else(|| wrong("`DebugLoc` is no place: expected `File`, `Line` and `Column`".to_owned()))?,
        ),
    };
    let arguments = tagged
        .value
        .get("Args")
        .and_then(Value::as_sequence)
        .map_or(&[][..], Vec::as_slice);
    let parts = || arguments.iter().filter_map(Value::as_mapping).flatten();
    // A `DebugLoc` of an argument says where that is.
    let message = parts().filter_map(|(_, value)| scalar(value)).collect();
    Ok(Remark {
        kind,
        pass: text("Pass")?,
        name: text("Name")?,
        function: text("Function")?,
        place,
        message,
        has_advice: parts().any(|(key, _)| key.as_str() == Some(ADVICE)),
    })
}

fn read_place(place: &Value) -> Option<Place> {
    let number = |key: &str| place.get(key)?.as_u64();
    Some(Place {
        file: place.get("File")?.as_str()?.to_owned(),
        line: number("Line")?,
        column: number("Column")?,
    })
}

/// The text of an argument, which may look like a number.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => None,
    }
}

/// That brackets do not nest too deeply. Those in quotation marks count as well: messages close what they open.
fn check_nesting(document: &str, first: usize) -> Result<(), RecordError> {
    let mut depth = 0_usize;
    for (line, number) in document.lines().zip(first..) {
        for (c, column) in line.chars().zip(1..) {
            match c {
                '[' | '{' => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_NESTING {
                return Err(error(number, column, "brackets nest too deeply"));
            }
        }
    }
    Ok(())
}
