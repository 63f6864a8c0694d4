//! An AST as C-like text.

use std::fmt::{self, Write};

use crate::ast::expr::{IterId, Names, ParamId, write_condition, write_expr, write_quasi};
use crate::ast::node::{Ast, Node};

/// Iterators are called `c0`, `c1`, ... in the order in which the generator made them.
struct DefaultNames<'a>(&'a Ast);

impl Names for DefaultNames<'_> {
    fn param(&self, id: ParamId) -> String {
        self.0.params.names()[id.0].to_string()
    }

    fn iter(&self, id: IterId) -> String {
        format!("c{}", id.0)
    }
}

impl fmt::Display for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write_node(&mut text, &self.root, &DefaultNames(self), 0)?;
        f.write_str(&text)
    }
}

fn write_node(out: &mut String, node: &Node, names: &dyn Names, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    match node {
        Node::Block(nodes) => nodes.iter().try_for_each(|n| write_node(out, n, names, depth)),
        Node::For(node) => {
            let iter = names.iter(node.iter);
            if node.coincident {
                writeln!(out, "{indent}// parallel")?;
            }
            write!(out, "{indent}for (int {iter} = ")?;
            write_expr(out, &node.lower, names)?;
            write!(out, "; {iter} <= ")?;
            write_expr(out, &node.upper, names)?;
            if node.step.is_one() {
                write!(out, "; {iter}++")?;
            } else {
                write!(out, "; {iter} += {}", node.step)?;
            }
            write_body(out, &node.body, names, depth)
        }
        Node::If { conditions, body } => {
            write!(out, "{indent}if (")?;
            for (position, condition) in conditions.iter().enumerate() {
                if position > 0 {
                    write!(out, " && ")?;
                }
                write_condition(out, condition, names)?;
            }
            write_body(out, body, names, depth)
        }
        Node::Call(call) => {
            write!(out, "{indent}{}(", call.statement.name().map_or("", |n| n))?;
            for (position, argument) in call.arguments.iter().enumerate() {
                if position > 0 {
                    write!(out, ", ")?;
                }
                write_quasi(out, argument, names)?;
            }
            writeln!(out, ");")
        }
        Node::Mark { name, body } => {
            writeln!(out, "{indent}// {name}")?;
            write_node(out, body, names, depth)
        }
    }
}

fn write_body(out: &mut String, body: &Node, names: &dyn Names, depth: usize) -> fmt::Result {
    let simple = match body {
        Node::Block(nodes) => nodes.len() == 1,
        Node::Mark { .. } => false,
        Node::For(inner) => !inner.coincident,
        Node::If { .. } | Node::Call(_) => true,
    };
    writeln!(out, ")")?;
    if !simple {
        out.truncate(out.len() - 1);
        writeln!(out, " {{")?;
    }
    write_node(out, body, names, depth + 1)?;
    if !simple {
        writeln!(out, "{}}}", "  ".repeat(depth))?;
    }
    Ok(())
}
