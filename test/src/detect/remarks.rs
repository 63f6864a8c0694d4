//! Remark files: what a pass says of the loops it looks at.

use serde_yaml_ng::Value;
use serde_yaml_ng::value::TaggedValue;

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something was done.
    Passed,
    /// Something was not done.
    Missed,
    /// Something is known.
    Analysis,
}

/// One remark.
#[derive(Clone, Debug)]
pub struct Remark {
    /// What it is about.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// The function, by its name in the object file.
    pub function: String,
    /// The words.
    pub message: String,
    /// The line, 0 if there is none.
    pub line: u32,
    /// The column, 0 if there is none.
    pub column: u32,
    file: String,
}

impl Remark {
    /// Whether the remark is on a line of a file.
    pub fn at(&self, file: &str, line: u32) -> bool {
        self.line == line && self.file == file
    }
}

/// The remarks of a file; those without meaning here are left out.
pub fn parse(yaml: &str) -> Vec<Remark> {
    yaml.split_inclusive("\n...\n").filter_map(one).collect()
}

fn one(document: &str) -> Option<Remark> {
    let tagged: TaggedValue = serde_yaml_ng::from_str(document).ok()?;
    let kind = match tagged.tag.to_string().as_str() {
        "!Passed" => Kind::Passed,
        "!Missed" => Kind::Missed,
        "!Analysis" => Kind::Analysis,
        _ => return None,
    };
    let value = tagged.value;
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let place = value.get("DebugLoc");
    let number = |key: &str| place.and_then(|p| p.get(key)?.as_u64()).unwrap_or(0) as u32;
    let words = value.get("Args").and_then(Value::as_sequence);
    let words = words.into_iter().flatten().filter_map(Value::as_mapping);
    let message = words.flat_map(|word| word.values().filter_map(Value::as_str)).collect();
    Some(Remark {
        kind,
        name: text("Name"),
        function: text("Function"),
        message,
        line: number("Line"),
        column: number("Column"),
        file: place
            .and_then(|p| p.get("File")?.as_str())
            .unwrap_or_default()
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_read() {
        let text = "--- !Missed\nPass:            farkas\nName:            KeptNoGain\n\
                    DebugLoc:        { File: p.c, Line: 7, Column: 3 }\nFunction:        f\nArgs:\n  \
                    - String:          'left: as it is'\n...\n--- !Passed\nPass: farkas\nName: T\nFunction: g\nArgs: []\n...\n";
        let remarks = parse(text);
        assert_eq!(remarks.len(), 2);
        assert_eq!(
            (remarks[0].kind, remarks[0].name.as_str()),
            (Kind::Missed, "KeptNoGain")
        );
        assert!(remarks[0].at("p.c", 7) && remarks[0].message == "left: as it is");
        assert_eq!((remarks[1].kind, remarks[1].line), (Kind::Passed, 0));
    }
}
