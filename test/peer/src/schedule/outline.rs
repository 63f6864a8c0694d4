//! Schedule trees, read from their text.
//!
//! What is read is isl's YAML, as isl and Farkas print it: the code shares nothing with Farkas's trees, so that both
//! schedulers' results are looked at in the same way, and what is printed is what is tested.

use farkas_polyhedral::sets::{Aff, MultiUnionPwAff, SetSpace, Tuple, UnionSet};
use indexmap::IndexMap;
use serde_yaml_ng::Value;

/// A node of a tree.
#[derive(Clone, Debug)]
pub enum Node {
    /// Functions of the statements that reach it.
    Band(Band),
    /// The children in order, with the statements that they filter.
    Sequence(Vec<(Vec<Tuple>, Node)>),
    /// The children in any order.
    Set(Vec<(Vec<Tuple>, Node)>),
    /// No more order.
    Leaf,
}

/// A band.
#[derive(Clone, Debug)]
pub struct Band {
    /// The members: the functions of the statements, and whether the member is coincident.
    pub members: Vec<(IndexMap<Tuple, Aff>, bool)>,
    /// Whether it is marked as permutable.
    pub permutable: bool,
    /// What is inside.
    pub child: Box<Node>,
}

/// A tree.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The statements.
    pub statements: Vec<Tuple>,
    /// What is below the domain.
    pub root: Node,
    domain: UnionSet,
}

impl Outline {
    /// Reads a tree.
    ///
    /// # Errors
    ///
    /// What is not a tree of bands, sequences and sets of whole statements.
    pub fn parse(text: &str) -> Result<Outline, String> {
        let value: Value = serde_yaml_ng::from_str(text).map_err(|error| error.to_string())?;
        let domain: UnionSet = texts(&value, "domain")?.parse().map_err(|e| format!("domain: {e}"))?;
        let statements: Vec<Tuple> = domain.tuples().cloned().collect();
        let root = child(&value, &statements)?;
        Ok(Outline {
            statements,
            root,
            domain,
        })
    }

    /// For each statement its time: the members of the bands and the positions in sequences and sets from the outside to
    /// the inside, filled up with zeros to the same length.
    pub fn times(&self) -> IndexMap<Tuple, Vec<Aff>> {
        let start = self.statements.iter().map(|tuple| (tuple.clone(), Vec::new()));
        let mut times: IndexMap<Tuple, Vec<Aff>> = start.collect();
        let constant = |tuple: &Tuple, value: usize| {
            Aff::constant(SetSpace::new(self.domain.params().clone(), tuple.clone()), value.into())
        };
        add_times(&self.root, &mut times, &constant);
        let length = times.values().map(Vec::len).max().unwrap_or(0);
        for (tuple, affs) in &mut times {
            affs.resize_with(length, || constant(tuple, 0));
        }
        times
    }
}

fn add_times(node: &Node, times: &mut IndexMap<Tuple, Vec<Aff>>, constant: &dyn Fn(&Tuple, usize) -> Aff) {
    match node {
        Node::Leaf => {}
        Node::Band(band) => {
            for (functions, _) in &band.members {
                for (tuple, aff) in functions {
                    times[tuple].push(aff.clone());
                }
            }
            add_times(&band.child, times, constant);
        }
        Node::Sequence(children) | Node::Set(children) => {
            for (position, (statements, child)) in children.iter().enumerate() {
                for tuple in statements {
                    times[tuple].push(constant(tuple, position));
                }
                add_times(child, times, constant);
            }
        }
    }
}

fn texts<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    let text = value.get(key).and_then(Value::as_str);
    text.ok_or_else(|| format!("no text for `{key}`"))
}

fn child(value: &Value, statements: &[Tuple]) -> Result<Node, String> {
    value
        .get("child")
        .map_or(Ok(Node::Leaf), |inner| node(inner, statements))
}

fn node(value: &Value, statements: &[Tuple]) -> Result<Node, String> {
    if value.get("schedule").is_some() {
        return band(value, statements).map(Node::Band);
    }
    if let Some(children) = value.get("sequence") {
        return filters(children, statements).map(Node::Sequence);
    }
    if let Some(children) = value.get("set") {
        return filters(children, statements).map(Node::Set);
    }
    if value.get("context").is_some() || value.get("mark").is_some() {
        return child(value, statements);
    }
    Err(format!("unknown node: {value:?}"))
}

fn band(value: &Value, statements: &[Tuple]) -> Result<Band, String> {
    let text = texts(value, "schedule")?;
    let functions: MultiUnionPwAff = text.parse().map_err(|error| format!("{text}: {error}"))?;
    let is_one = |value: &Value| value.as_i64() == Some(1);
    let flags = value.get("coincident").and_then(Value::as_sequence);
    let mut members = Vec::new();
    for (position, member) in functions.affs().iter().enumerate() {
        let mut of_statements = IndexMap::new();
        for tuple in statements {
            let function = member.extract(tuple);
            let aff = function
                .as_aff()
                .ok_or_else(|| format!("not one expression: {function}"))?;
            of_statements.insert(tuple.clone(), aff.clone());
        }
        members.push((of_statements, flags.is_some_and(|flags| is_one(&flags[position]))));
    }
    Ok(Band {
        members,
        permutable: value.get("permutable").is_some_and(is_one),
        child: Box::new(child(value, statements)?),
    })
}

fn filters(value: &Value, statements: &[Tuple]) -> Result<Vec<(Vec<Tuple>, Node)>, String> {
    let children = value.as_sequence().ok_or("children are not a list")?;
    let filter = |value: &Value| {
        let text = texts(value, "filter")?;
        let set: UnionSet = text.parse().map_err(|error| format!("{text}: {error}"))?;
        let own: Vec<Tuple> = statements
            .iter()
            .filter(|s| set.tuples().any(|t| t == *s))
            .cloned()
            .collect();
        let node = child(value, &own)?;
        Ok((own, node))
    };
    children.iter().map(filter).collect()
}
