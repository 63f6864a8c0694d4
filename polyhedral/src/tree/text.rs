//! The text form of schedule trees: isl's YAML.
//!
//! Read and written are `domain`, `context`, `schedule` with `permutable` and `coincident`, `sequence`, `set`, `filter`
//! and `mark`. A filter has to name whole statements. What else isl's trees may have is an error, never ignored.

use std::fmt::{self, Write};

use serde_yaml_ng::{Mapping, Value};

use crate::sets::{Aff, Params, Set, Tuple, UnionSet};
use crate::text::{ParseError, parse_band};
use crate::tree::{Band, Filter, Member, Node, Tree};

/// Why a text is not a schedule tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// It is not YAML.
    #[error("not YAML: {0}")]
    Yaml(String),
    /// A set, relation or function in it cannot be read.
    #[error("in `{key}`: {error}")]
    Notation {
        /// The key whose value it is.
        key: String,
        /// What is wrong with it.
        error: ParseError,
    },
    /// The structure is not that of a tree.
    #[error("{0}")]
    Structure(String),
}

fn structure<T>(message: impl Into<String>) -> Result<T, TreeError> {
    Err(TreeError::Structure(message.into()))
}

impl std::str::FromStr for Tree {
    type Err = TreeError;

    fn from_str(text: &str) -> Result<Tree, TreeError> {
        let value: Value = serde_yaml_ng::from_str(text).map_err(|e| TreeError::Yaml(e.to_string()))?;
        let mapping = as_mapping(&value)?;
        let domain: UnionSet = notation(mapping, "domain", |text| text.parse())?;
        only_keys(mapping, &["domain", "child"])?;
        let mut context = Set::universe(crate::sets::SetSpace::params_only(domain.params().clone()));
        let mut child = mapping.get("child");
        if let Some(inner) = child
            .and_then(Value::as_mapping)
            .filter(|inner| inner.contains_key("context"))
        {
            let parsed: Set = notation(inner, "context", |text| text.parse())?;
            only_keys(inner, &["context", "child"])?;
            context = context.intersect(&parsed.with_tuple(Tuple::unit()));
            child = inner.get("child");
        }
        let statements: Vec<Tuple> = domain.tuples().cloned().collect();
        let root = child.map_or(Ok(Node::Leaf), |child| node(child, &statements))?;
        Ok(Tree { domain, context, root })
    }
}

fn as_mapping(value: &Value) -> Result<&Mapping, TreeError> {
    value
        .as_mapping()
        .map_or_else(|| structure(format!("expected a mapping, found {value:?}")), Ok)
}

fn only_keys(mapping: &Mapping, allowed: &[&str]) -> Result<(), TreeError> {
    match mapping
        .keys()
        .find(|key| key.as_str().is_none_or(|key| !allowed.contains(&key)))
    {
        Some(key) => structure(format!("unexpected key {key:?}; expected one of {allowed:?}")),
        None => Ok(()),
    }
}

fn notation<T>(mapping: &Mapping, key: &str, parse: impl Fn(&str) -> Result<T, ParseError>) -> Result<T, TreeError> {
    match mapping.get(key).and_then(Value::as_str) {
        Some(text) => parse(text).map_err(|error| TreeError::Notation {
            key: key.to_string(),
            error,
        }),
        None => structure(format!("expected the key `{key}` with a text")),
    }
}

fn node(value: &Value, statements: &[Tuple]) -> Result<Node, TreeError> {
    let mapping = as_mapping(value)?;
    let child = || {
        mapping
            .get("child")
            .map_or(Ok(Node::Leaf), |child| node(child, statements))
    };
    if mapping.contains_key("schedule") {
        only_keys(mapping, &["schedule", "permutable", "coincident", "child"])?;
        let mut schedule = notation(mapping, "schedule", parse_band)?;
        if let Some(missing) = statements.iter().find(|tuple| !schedule.contains_key(*tuple)) {
            return structure(format!("a band has no schedule for {missing}"));
        }
        schedule.retain(|tuple, _| statements.contains(tuple));
        let n = schedule.values().next().map_or(0, |function| function.len());
        let flag = |value: &Value| value.as_i64() == Some(1);
        let mut members = vec![Member::default(); n];
        if let Some(flags) = mapping.get("coincident").and_then(Value::as_sequence) {
            members
                .iter_mut()
                .zip(flags)
                .for_each(|(member, value)| member.coincident = flag(value));
        }
        let permutable = mapping.get("permutable").is_some_and(flag);
        return Ok(Node::Band(Box::new(Band {
            schedule,
            members,
            permutable,
            tiling: None,
            child: child()?,
        })));
    }
    for (key, make) in [
        ("sequence", Node::Sequence as fn(Vec<Filter>) -> Node),
        ("set", Node::Set),
    ] {
        if let Some(children) = mapping.get(key) {
            only_keys(mapping, &[key])?;
            let Some(children) = children.as_sequence() else {
                return structure(format!("`{key}` has no list"));
            };
            return Ok(make(
                children
                    .iter()
                    .map(|child| filter(child, statements))
                    .collect::<Result<_, _>>()?,
            ));
        }
    }
    if mapping.contains_key("mark") {
        only_keys(mapping, &["mark", "child"])?;
        let name = mapping.get("mark").and_then(Value::as_str).unwrap_or_default();
        return Ok(Node::Mark(name.into(), Box::new(child()?)));
    }
    structure(format!(
        "no node that is known: {:?}",
        mapping.keys().collect::<Vec<_>>()
    ))
}

fn filter(value: &Value, statements: &[Tuple]) -> Result<Filter, TreeError> {
    let mapping = as_mapping(value)?;
    only_keys(mapping, &["filter", "child"])?;
    let set: UnionSet = notation(mapping, "filter", |text| text.parse())?;
    if let Some(part) = set
        .sets()
        .find(|set| !set.pieces().iter().any(|piece| piece.is_plainly_universe()))
    {
        return structure(format!(
            "a filter that splits the instances of {} is not supported",
            part.tuple()
        ));
    }
    let passed: Vec<Tuple> = statements
        .iter()
        .filter(|tuple| set.tuples().any(|t| t == *tuple))
        .cloned()
        .collect();
    let child = mapping
        .get("child")
        .map_or(Ok(Node::Leaf), |child| node(child, &passed))?;
    Ok(Filter {
        statements: passed,
        child,
    })
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "domain: \"{}\"", self.domain)?;
        let universe = self.context.pieces().iter().any(|piece| piece.is_plainly_universe());
        let mut text = String::new();
        let mut depth = 0;
        if !universe {
            writeln!(f, "child:\n  context: \"{}\"", self.context)?;
            depth = 1;
        }
        write_child(&mut text, &self.root, &self.params(), depth)?;
        f.write_str(&text)
    }
}

fn write_child(out: &mut String, node: &Node, params: &Params, depth: usize) -> fmt::Result {
    if matches!(node, Node::Leaf) {
        return Ok(());
    }
    writeln!(out, "{}child:", "  ".repeat(depth))?;
    write_node(out, node, params, depth + 1)
}

fn write_node(out: &mut String, node: &Node, params: &Params, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    match node {
        Node::Band(band) => {
            writeln!(out, "{indent}schedule: \"{}\"", schedule_text(band, params))?;
            if band.permutable {
                writeln!(out, "{indent}permutable: 1")?;
            }
            if band.members.iter().any(|member| member.coincident) {
                let flags: Vec<&str> = band
                    .members
                    .iter()
                    .map(|m| if m.coincident { "1" } else { "0" })
                    .collect();
                writeln!(out, "{indent}coincident: [ {} ]", flags.join(", "))?;
            }
            write_child(out, &band.child, params, depth)
        }
        Node::Sequence(children) => write_filters(out, "sequence", children, params, depth),
        Node::Set(children) => write_filters(out, "set", children, params, depth),
        Node::Mark(name, child) => {
            writeln!(out, "{indent}mark: \"{name}\"")?;
            write_child(out, child, params, depth)
        }
        Node::Leaf => Ok(()),
    }
}

fn write_filters(out: &mut String, key: &str, children: &[Filter], params: &Params, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    writeln!(out, "{indent}{key}:")?;
    for Filter { statements, child } in children {
        let names: Vec<String> = statements.iter().map(Tuple::to_string).collect();
        writeln!(out, "{indent}- filter: \"{{ {} }}\"", names.join("; "))?;
        write_child(out, child, params, depth + 1)?;
    }
    Ok(())
}

/// `[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }, { ... }]`.
fn schedule_text(band: &Band, params: &Params) -> String {
    let member = |position: usize| {
        let functions = band.schedule.values().map(|function| bare(&function.affs()[position]));
        format!("{{ {} }}", functions.collect::<Vec<_>>().join("; "))
    };
    let members: Vec<String> = (0..band.n()).map(member).collect();
    let list = format!("[{}]", members.join(", "));
    if params.is_empty() {
        list
    } else {
        format!("{params} -> {list}")
    }
}

/// `S[i] -> [(i)]`, without parameters and braces.
fn bare(aff: &Aff) -> String {
    let text = aff.to_string();
    let inner = text.find("{ ").map_or(&text[..], |start| &text[start + 2..]);
    inner.strip_suffix(" }").unwrap_or(inner).to_string()
}
