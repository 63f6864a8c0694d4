//! Remarks as a log in SARIF 2.1.0, the OASIS standard for results of static analysis.
//!
//! There is a rule for each kind of remark. Advice, which an author may act on, has the level `note`. All else is informational and has the
//! level `none`, as the standard asks of results that are no failures.

use serde_json::{Map, Value, json};

use super::record::{Kind, Place, Remark};

/// A kind of results.
struct Rule {
    id: &'static str,
    description: &'static str,
    is_actionable: bool,
}

const TRANSFORMED: usize = 0;
const CHECKED: usize = 1;
const LEFT: usize = 2;
const ADVICE: usize = 3;

/// All rules, at the positions that the constants above give.
const RULES: [Rule; 4] = [
    Rule {
        id: "transformed",
        description: "A loop nest is executed in another order.",
        is_actionable: false,
    },
    Rule {
        id: "run-time-checks",
        description: "What is checked before a transformed loop nest, beside which the original stays.",
        is_actionable: false,
    },
    Rule {
        id: "left-alone",
        description: "A loop nest stays as it is.",
        is_actionable: false,
    },
    Rule {
        id: "advice",
        description: "A loop nest stays as it is, and a change of the source would help.",
        is_actionable: true,
    },
];

/// The log of one run, with a line end.
pub(super) fn log(remarks: &[Remark]) -> String {
    let rules: Vec<Value> = RULES.iter().map(rule).collect();
    let results: Vec<Value> = remarks.iter().map(result).collect();
    let log = json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "farkas",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                }
            },
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.description },
        "defaultConfiguration": { "level": level(rule) },
    })
}

fn level(rule: &Rule) -> &'static str {
    if rule.is_actionable { "note" } else { "none" }
}

fn result(remark: &Remark) -> Value {
    let position = match remark.kind {
        Kind::Passed => TRANSFORMED,
        Kind::Analysis => CHECKED,
        Kind::Missed if remark.has_advice => ADVICE,
        Kind::Missed => LEFT,
    };
    let rule = &RULES[position];
    json!({
        "ruleId": rule.id,
        "ruleIndex": position,
        "kind": if rule.is_actionable { "fail" } else { "informational" },
        "level": level(rule),
        "message": { "text": remark.message },
        "locations": [location(remark)],
        "properties": { "remark": remark.name },
    })
}

fn location(remark: &Remark) -> Value {
    let mut location = Map::new();
    if let Some(place) = &remark.place {
        location.insert("physicalLocation".to_owned(), physical_location(place));
    }
    let function = json!([{ "fullyQualifiedName": remark.function, "kind": "function" }]);
    location.insert("logicalLocations".to_owned(), function);
    Value::Object(location)
}

fn physical_location(place: &Place) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&place.file) } });
    if place.line > 0 {
        physical["region"] = match place.column {
            0 => json!({ "startLine": place.line }),
            column => json!({ "startLine": place.line, "startColumn": column }),
        };
    }
    physical
}

/// The reference to a file as a URI: absolute for absolute paths, or else relative to wherever the reader looks for sources.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}
