//! `farkas remarks`: files of remarks in, lines or a SARIF log out.

mod common;

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use serde_json::Value;

/// Remarks as clang writes them, of this pass and of another one.
const REMARKS: &str = include_str!("common/loops.opt.yaml");

fn check(arguments: &[&str], input: &str, expected: Expect) {
    expected.assert_eq(&common::printed(arguments, input));
}

#[test]
fn lines() {
    check(
        &["remarks", "-"],
        REMARKS,
        expect![[r#"
        loops.c:2:3: product: loop nest transformed: interchanged loops, tiled 32 x 32 x 512 (i, k, j), unrolled and jammed 4 x 4 (i, k), where n >= 6; 9.0 times as fast expected
        loops.c:2:3: product: checked before the loop nest: that a, c and b do not overlap (4 comparisons)
        loops.c:9:14: find: loop nest left as it is: a loop is left from several places (break, return); leave the loop by its own condition only
        loops.c:14:3: seidel: loop nest left as it is: no gain expected: dependences and accesses leave no order that is clearly better than the original
        /src/my loops/a b#1.cpp:40:0: _Z3offi: loop nest left as it is: an annotation asks for that
        find: loop nest "x"  not exported: g
    "#]],
    );
}

#[test]
fn a_log() {
    check(
        &["remarks", "--sarif", "-"],
        REMARKS,
        expect![[r#"
        {
          "runs": [
            {
              "results": [
                {
                  "kind": "informational",
                  "level": "none",
                  "locations": [
                    {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "product",
                          "kind": "function"
                        }
                      ],
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "loops.c"
                        },
                        "region": {
                          "startColumn": 3,
                          "startLine": 2
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "loop nest transformed: interchanged loops, tiled 32 x 32 x 512 (i, k, j), unrolled and jammed 4 x 4 (i, k), where n >= 6; 9.0 times as fast expected"
                  },
                  "properties": {
                    "remark": "Transformed"
                  },
                  "ruleId": "transformed",
                  "ruleIndex": 0
                },
                {
                  "kind": "informational",
                  "level": "none",
                  "locations": [
                    {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "product",
                          "kind": "function"
                        }
                      ],
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "loops.c"
                        },
                        "region": {
                          "startColumn": 3,
                          "startLine": 2
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "checked before the loop nest: that a, c and b do not overlap (4 comparisons)"
                  },
                  "properties": {
                    "remark": "Assumed"
                  },
                  "ruleId": "run-time-checks",
                  "ruleIndex": 1
                },
                {
                  "kind": "fail",
                  "level": "note",
                  "locations": [
                    {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "find",
                          "kind": "function"
                        }
                      ],
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "loops.c"
                        },
                        "region": {
                          "startColumn": 14,
                          "startLine": 9
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "loop nest left as it is: a loop is left from several places (break, return); leave the loop by its own condition only"
                  },
                  "properties": {
                    "remark": "DeclinedSeveralExits"
                  },
                  "ruleId": "advice",
                  "ruleIndex": 3
                },
                {
                  "kind": "informational",
                  "level": "none",
                  "locations": [
                    {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "seidel",
                          "kind": "function"
                        }
                      ],
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "loops.c"
                        },
                        "region": {
                          "startColumn": 3,
                          "startLine": 14
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "loop nest left as it is: no gain expected: dependences and accesses leave no order that is clearly better than the original"
                  },
                  "properties": {
                    "remark": "KeptNoGain"
                  },
                  "ruleId": "left-alone",
                  "ruleIndex": 2
                },
                {
                  "kind": "informational",
                  "level": "none",
                  "locations": [
                    {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "_Z3offi",
                          "kind": "function"
                        }
                      ],
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "file:///src/my%20loops/a%20b%231.cpp"
                        },
                        "region": {
                          "startLine": 40
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "loop nest left as it is: an annotation asks for that"
                  },
                  "properties": {
                    "remark": "DeclinedAnnotatedOff"
                  },
                  "ruleId": "left-alone",
                  "ruleIndex": 2
                },
                {
                  "kind": "informational",
                  "level": "none",
                  "locations": [
                    {
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "find",
                          "kind": "function"
                        }
                      ]
                    }
                  ],
                  "message": {
                    "text": "loop nest \"x\"\n not exported: g"
                  },
                  "properties": {
                    "remark": "NoLocation"
                  },
                  "ruleId": "left-alone",
                  "ruleIndex": 2
                }
              ],
              "tool": {
                "driver": {
                  "name": "farkas",
                  "rules": [
                    {
                      "defaultConfiguration": {
                        "level": "none"
                      },
                      "id": "transformed",
                      "shortDescription": {
                        "text": "A loop nest is executed in another order."
                      }
                    },
                    {
                      "defaultConfiguration": {
                        "level": "none"
                      },
                      "id": "run-time-checks",
                      "shortDescription": {
                        "text": "What is checked before a transformed loop nest, beside which the original stays."
                      }
                    },
                    {
                      "defaultConfiguration": {
                        "level": "none"
                      },
                      "id": "left-alone",
                      "shortDescription": {
                        "text": "A loop nest stays as it is."
                      }
                    },
                    {
                      "defaultConfiguration": {
                        "level": "note"
                      },
                      "id": "advice",
                      "shortDescription": {
                        "text": "A loop nest stays as it is, and a change of the source would help."
                      }
                    }
                  ],
                  "semanticVersion": "0.1.0+llvm22"
                }
              }
            }
          ],
          "version": "2.1.0"
        }
    "#]],
    );
}

#[test]
fn a_file_without_remarks() {
    check(&["remarks", "-"], "", expect![[""]]);
    let log: Value = serde_json::from_str(&common::printed(&["remarks", "--sarif", "-"], "\n")).expect("JSON");
    assert_eq!(problems(&log), [""; 0]);
}

#[test]
fn the_log_is_well_formed() {
    let log: Value = serde_json::from_str(&common::printed(&["remarks", "--sarif", "-"], REMARKS)).expect("JSON");
    assert_eq!(problems(&log), [""; 0]);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let of_rule = |rule: &str| results.iter().filter(|result| result["ruleId"] == rule).count();
    let counts = ["transformed", "run-time-checks", "left-alone", "advice"].map(of_rule);
    assert_eq!(counts, [1, 1, 3, 1]);
    let notes: Vec<&Value> = results.iter().filter(|result| result["level"] == "note").collect();
    assert_eq!(notes.len(), 1, "advice only");
    assert_eq!(notes[0]["ruleId"], "advice");
}

#[test]
fn the_check_of_logs_finds_what_is_wrong() {
    let log: Value = serde_json::from_str(&common::printed(&["remarks", "--sarif", "-"], REMARKS)).expect("JSON");
    let spoilt = |pointer: &str, value: Value| {
        let mut log = log.clone();
        *log.pointer_mut(pointer).expect("a part of the log") = value;
        problems(&log).join("; ")
    };
    let first = "/runs/0/results/0";
    for (pointer, value, expected) in [
        (
            "/version".to_owned(),
            Value::from("2.0.0"),
            expect![[r#"log version: "2.0.0""#]],
        ),
        (
            "/runs/0/tool/driver".to_owned(),
            Value::from(1),
            expect![
                "driver: no object; a result has the position of another rule; a result has the position of another rule; a result has the position of another rule; a result has the position of another rule; a result has the position of another rule; a result has the position of another rule"
            ],
        ),
        (
            format!("{first}/level"),
            Value::from("note"),
            expect!["a result that is no failure has a level"],
        ),
        (
            format!("{first}/kind"),
            Value::from("good"),
            expect![[r#"kind: "good""#]],
        ),
        (
            format!("{first}/ruleIndex"),
            Value::from(2),
            expect!["a result has the position of another rule"],
        ),
        (
            format!("{first}/message"),
            Value::from("text"),
            expect!["message: no object; message text: null"],
        ),
        (
            format!("{first}/locations/0/physicalLocation/region/startLine"),
            Value::from(0),
            expect!["a region has a place that is not positive"],
        ),
        (
            format!("{first}/locations/0/physicalLocation/artifactLocation/uri"),
            Value::from("a b.c"),
            expect![[r#"uri: "a b.c""#]],
        ),
        (
            format!("{first}/locations/0/logicalLocations/0"),
            serde_json::json!({ "function": "f" }),
            expect!["logical location: unknown property function"],
        ),
    ] {
        expected.assert_eq(&spoilt(&pointer, value));
    }
}

/// What of a log is not as SARIF 2.1.0 has it: properties that are required, those that there are, and their values.
fn problems(log: &Value) -> Vec<String> {
    let mut all = Vec::new();
    object(&mut all, "log", log, &["version", "runs"], &["$schema"]);
    text(&mut all, "log version", &log["version"], |version| version == "2.1.0");
    for run in list(&log["runs"]) {
        object(&mut all, "run", run, &["tool"], &["results"]);
        object(&mut all, "tool", &run["tool"], &["driver"], &[]);
        let driver = &run["tool"]["driver"];
        object(&mut all, "driver", driver, &["name"], &["semanticVersion", "rules"]);
        let mut ids = BTreeSet::new();
        for rule in list(&driver["rules"]) {
            object(
                &mut all,
                "rule",
                rule,
                &["id"],
                &["shortDescription", "defaultConfiguration"],
            );
            object(&mut all, "description", &rule["shortDescription"], &["text"], &[]);
            let configuration = &rule["defaultConfiguration"];
            object(&mut all, "configuration", configuration, &[], &["level"]);
            text(&mut all, "rule level", &configuration["level"], is_level);
            text(&mut all, "rule id", &rule["id"], |id| ids.insert(id.to_owned()));
        }
        for own in list(&run["results"]) {
            result(&mut all, own, list(&driver["rules"]));
        }
    }
    all
}

fn result(all: &mut Vec<String>, result: &Value, rules: &[Value]) {
    let optional = ["ruleId", "ruleIndex", "kind", "level", "locations", "properties"];
    object(all, "result", result, &["message"], &optional);
    object(all, "message", &result["message"], &["text"], &[]);
    text(all, "message text", &result["message"]["text"], |text| !text.is_empty());
    text(all, "level", &result["level"], is_level);
    let kinds = ["notApplicable", "pass", "fail", "review", "open", "informational"];
    text(all, "kind", &result["kind"], |kind| kinds.contains(&kind));
    if result["kind"] != "fail" && result["level"] != "none" {
        all.push("a result that is no failure has a level".to_owned());
    }
    let index = result["ruleIndex"].as_u64().and_then(|index| rules.get(index as usize));
    if index.is_none_or(|rule| rule["id"] != result["ruleId"]) {
        all.push("a result has the position of another rule".to_owned());
    }
    for location in list(&result["locations"]) {
        object(
            all,
            "location",
            location,
            &[],
            &["physicalLocation", "logicalLocations"],
        );
        if let Some(physical) = location.get("physicalLocation") {
            object(all, "physical location", physical, &["artifactLocation"], &["region"]);
            object(all, "artifact location", &physical["artifactLocation"], &["uri"], &[]);
            text(all, "uri", &physical["artifactLocation"]["uri"], is_uri);
            if let Some(region) = physical.get("region") {
                object(all, "region", region, &["startLine"], &["startColumn"]);
                let numbers = region.as_object().into_iter().flat_map(|region| region.values());
                if !numbers
                    .into_iter()
                    .all(|number| number.as_u64().is_some_and(|number| number > 0))
                {
                    all.push("a region has a place that is not positive".to_owned());
                }
            }
        }
        for logical in list(&location["logicalLocations"]) {
            object(all, "logical location", logical, &[], &["fullyQualifiedName", "kind"]);
        }
    }
}

/// The elements of an array.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Checks that a value is an object with the properties that it has to have, and no others than these and those that it may have.
fn object(all: &mut Vec<String>, name: &str, value: &Value, required: &[&str], optional: &[&str]) {
    let Some(properties) = value.as_object() else {
        all.push(format!("{name}: no object"));
        return;
    };
    for key in required.iter().filter(|key| !properties.contains_key(**key)) {
        all.push(format!("{name}: no {key}"));
    }
    let is_known = |key: &String| required.contains(&key.as_str()) || optional.contains(&key.as_str());
    for key in properties.keys().filter(|key| !is_known(key)) {
        all.push(format!("{name}: unknown property {key}"));
    }
}

fn text(all: &mut Vec<String>, name: &str, value: &Value, holds: impl FnOnce(&str) -> bool) {
    if !value.as_str().is_some_and(holds) {
        all.push(format!("{name}: {value}"));
    }
}

fn is_level(text: &str) -> bool {
    ["none", "note", "warning", "error"].contains(&text)
}

/// Whether a text has only characters of URIs, with `%` in front of two hexadecimal digits.
fn is_uri(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~/:@!$&'()*+,;=?#".contains(c);
    let mut parts = text.split('%');
    let begins = parts.next().is_some_and(|part| part.chars().all(is_plain));
    let is_escaped = |part: &str| {
        let (digits, rest) = part.split_at_checked(2).unwrap_or_default();
        digits.len() == 2 && digits.chars().all(|c| c.is_ascii_hexdigit()) && rest.chars().all(is_plain)
    };
    begins && parts.all(is_escaped)
}

#[test]
fn wrong_files() {
    for (input, expected) in [
        (
            "no remarks\n",
            expect![[r#"
            --- errors
            -:1:1: expected a remark, such as `--- !Passed`
            --- status Some(1)
        "#]],
        ),
        (
            "--- !Passed\nPass: farkas\nName: [\n...\n",
            expect![[r#"
            --- errors
            -:3:1: did not find expected node content, while parsing a flow node
            --- status Some(1)
        "#]],
        ),
        (
            "--- !Passed\nPass: farkas\nFunction: f\n...\n",
            expect![[r#"
            --- errors
            -:1:1: the remark has no text for `Name`
            --- status Some(1)
        "#]],
        ),
        (
            "# remarks\n\n--- !Failed\nPass: farkas\n...\n",
            expect![[r#"
            --- errors
            -:3:1: `!Failed` is no kind of remark: expected !Passed, !Missed or !Analysis
            --- status Some(1)
        "#]],
        ),
        (
            "--- {}\n",
            expect![[r#"
            --- errors
            -:1:1: expected a remark, such as `--- !Passed`
            --- status Some(1)
        "#]],
        ),
        (
            "---\n",
            expect![[r#"
            --- errors
            -:1:1: expected a remark, such as `--- !Passed`
            --- status Some(1)
        "#]],
        ),
        (
            "--- !Passed\nPass: farkas\nName: x\nFunction: f\n...\n--- !Passed\nPass: farkas\nName: x\nFunction: f\nDebugLoc: { File: a.c, Line: -3, Column: 1 }\n",
            expect![[r#"
                --- errors
                -:6:1: `DebugLoc` is no place: expected `File`, `Line` and `Column`
                --- status Some(1)
            "#]],
        ),
        (
            &format!("--- !Passed\nPass: {}\n", "[".repeat(300)),
            expect![[r#"
            --- errors
            -:2:263: brackets nest too deeply
            --- status Some(1)
        "#]],
        ),
        (
            "--- !Passed\nPass: &a farkas\nName: *b\n",
            expect![[r#"
            --- errors
            -:3:7: unknown anchor
            --- status Some(1)
        "#]],
        ),
    ] {
        check(&["remarks", "-"], input, expected);
    }
    check(
        &["remarks", "none.opt.yaml"],
        "",
        expect![[r#"
        --- errors
        none.opt.yaml: No such file or directory (os error 2)
        --- status Some(1)
    "#]],
    );
}
