//! To YAML.

use std::fmt;

use super::options;
use crate::sets::Set;
use crate::tree::{ExtensionTree, Filter, Node, Tree};

/// What there is of YAML in a tree.
enum Yaml {
    Text(String),
    Flag(bool),
    Flags(Vec<bool>),
    List(Vec<Yaml>),
    Map(Vec<(&'static str, Yaml)>),
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.yaml().block())
    }
}

impl fmt::Display for ExtensionTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.yaml().block())
    }
}

impl Tree {
    /// The text form on one line.
    pub fn to_line(&self) -> String {
        let mut out = String::new();
        self.yaml().flow(&mut out);
        out
    }

    fn yaml(&self) -> Yaml {
        let mut entries = vec![text("domain", &self.domain)];
        // A context that says nothing may still have parameters for the tree.
        if is_universe(&self.context) && self.domain.params().union(self.context.params()) == *self.domain.params() {
            push_child(&mut entries, &self.root);
        } else {
            let mut below = vec![of_members("context", &self.context)];
            push_child(&mut below, &self.root);
            entries.push(("child", Yaml::Map(below)));
        }
        Yaml::Map(entries)
    }
}

impl ExtensionTree {
    /// The text form on one line.
    pub fn to_line(&self) -> String {
        let mut out = String::new();
        self.yaml().flow(&mut out);
        out
    }

    fn yaml(&self) -> Yaml {
        let mut entries = vec![text("extension", &self.extension)];
        push_child(&mut entries, &self.root);
        Yaml::Map(entries)
    }
}

fn is_universe(set: &Set) -> bool {
    set.pieces().iter().any(|piece| piece.is_plainly_universe())
}

fn text(key: &'static str, value: &dyn fmt::Display) -> (&'static str, Yaml) {
    (key, Yaml::Text(value.to_string()))
}

fn push_child(entries: &mut Vec<(&'static str, Yaml)>, child: &Node) {
    if !matches!(child, Node::Leaf) {
        entries.push(("child", node(child)));
    }
}

/// A node that is not a leaf; a leaf is an empty mapping.
fn node(node: &Node) -> Yaml {
    let mut entries = Vec::new();
    match node {
        Node::Band(band) => {
            entries.push(text("schedule", band.schedule()));
            if band.permutable {
                entries.push(("permutable", Yaml::Flag(true)));
            }
            if band.members().iter().any(|member| member.coincident) {
                let flags = band.members().iter().map(|member| member.coincident);
                entries.push(("coincident", Yaml::Flags(flags.collect())));
            }
            if let Some(options) = options::write(band) {
                entries.push(text("options", &options));
            }
        }
        Node::Filter(filter) => return self::filter(filter),
        Node::Sequence(children) => entries.push(("sequence", Yaml::List(children.iter().map(filter).collect()))),
        Node::Set(children) => entries.push(("set", Yaml::List(children.iter().map(filter).collect()))),
        Node::Expansion(expansion) => {
            entries.push(text("contraction", &expansion.contraction));
            entries.push(text("expansion", &expansion.expansion));
        }
        Node::Extension(extension, _) => entries.push(text("extension", extension)),
        Node::Guard(guard, _) => entries.push(of_members("guard", guard)),
        Node::Context(context, _) => entries.push(of_members("context", context)),
        Node::Mark(mark, _) => entries.push(text("mark", mark)),
        Node::Leaf => {}
    }
    if !matches!(node, Node::Sequence(_) | Node::Set(_)) {
        node.children().for_each(|child| push_child(&mut entries, child));
    }
    Yaml::Map(entries)
}

/// A set of values of the outer members. Where there are none it is one of the tuple `[]`, which isl tells apart from a set of
/// parameter values, and which is not written in other texts.
fn of_members(key: &'static str, set: &Set) -> (&'static str, Yaml) {
    let mut text = set.to_string();
    if set.tuple().is_unit() {
        text = text
            .replace("{ : }", "{ [] }")
            .replace("{ : ", "{ [] : ")
            .replace("; : ", "; [] : ");
    }
    (key, Yaml::Text(text))
}

fn filter(filter: &Filter) -> Yaml {
    let mut entries = vec![text("filter", &filter.filter)];
    push_child(&mut entries, &filter.child);
    Yaml::Map(entries)
}

impl Yaml {
    fn block(&self) -> String {
        let mut out = String::new();
        self.write_block(&mut out, 0);
        out
    }

    /// Writes lines; the first one is not indented.
    fn write_block(&self, out: &mut String, depth: usize) {
        match self {
            Yaml::Map(entries) => {
                for (k, (key, value)) in entries.iter().enumerate() {
                    if k > 0 {
                        indent(out, depth);
                    }
                    out.push_str(key);
                    out.push(':');
                    match value {
                        Yaml::Map(_) => {
                            out.push('\n');
                            indent(out, depth + 1);
                            value.write_block(out, depth + 1);
                        }
                        Yaml::List(items) => {
                            out.push('\n');
                            for item in items {
                                indent(out, depth);
                                out.push_str("- ");
                                item.write_block(out, depth + 1);
                            }
                        }
                        _ => {
                            out.push(' ');
                            value.flow(out);
                            out.push('\n');
                        }
                    }
                }
            }
            other => other.flow(out),
        }
    }

    fn flow(&self, out: &mut String) {
        match self {
            Yaml::Text(text) => {
                out.push('"');
                for c in text.chars() {
                    match c {
                        '"' | '\\' => out.extend(['\\', c]),
                        '\n' => out.push_str("\\n"),
                        '\t' => out.push_str("\\t"),
                        c if c.is_control() => out.push_str(&format!("\\U{:08x}", c as u32)),
                        c => out.push(c),
                    }
                }
                out.push('"');
            }
            Yaml::Flag(flag) => out.push(if *flag { '1' } else { '0' }),
            Yaml::Flags(flags) => Self::list(out, flags, |out, flag| Yaml::Flag(*flag).flow(out)),
            Yaml::List(items) => Self::list(out, items, |out, item| item.flow(out)),
            Yaml::Map(entries) => {
                out.push_str("{ ");
                for (k, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if k > 0 { ", " } else { "" });
                    out.push_str(key);
                    out.push_str(": ");
                    value.flow(out);
                }
                out.push_str(" }");
            }
        }
    }

    fn list<T>(out: &mut String, items: &[T], write: impl Fn(&mut String, &T)) {
        out.push_str("[ ");
        for (k, item) in items.iter().enumerate() {
            out.push_str(if k > 0 { ", " } else { "" });
            write(out, item);
        }
        out.push_str(" ]");
    }
}

fn indent(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}
