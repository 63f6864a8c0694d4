//! An AST as C text.

use std::fmt::{self, Write};

use crate::ast::node::{Ast, Coincidence, For, Node, Upper};
use crate::ast::write::{Names, write_condition, write_expr, write_operand};

impl fmt::Display for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write_node(&mut text, &self.root, &self.names(), 0)?;
        f.write_str(&text)
    }
}

fn write_node(out: &mut String, node: &Node, names: &Names<'_>, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    match node {
        Node::Block(nodes) => nodes.iter().try_for_each(|n| write_node(out, n, names, depth)),
        Node::For(node) => {
            match &node.coincidence {
                Coincidence::No => {}
                Coincidence::Yes => writeln!(out, "{indent}// parallel")?,
                Coincidence::IfPrivate(slots) => {
                    write!(out, "{indent}// parallel, private")?;
                    slots.iter().try_for_each(|slot| write!(out, " {slot}"))?;
                    writeln!(out)?;
                }
            }
            for annotation in &node.annotations {
                writeln!(out, "{indent}// {annotation}")?;
            }
            write!(out, "{indent}for (")?;
            write_head(out, node, names)?;
            write!(out, ")")?;
            write_body(out, &node.body, names, depth, !is_simple(&node.body))?;
            writeln!(out)
        }
        Node::If { .. } => {
            write!(out, "{indent}")?;
            write_if(out, node, names, depth)
        }
        Node::Call(call) => {
            write!(out, "{indent}{}(", call.statement.name().map_or("", |n| n))?;
            for (position, argument) in call.arguments.iter().enumerate() {
                if position > 0 {
                    write!(out, ", ")?;
                }
                write_expr(out, argument, names)?;
            }
            writeln!(out, ");")
        }
        Node::Mark { mark, body } => {
            writeln!(out, "{indent}// {mark}")?;
            write_node(out, body, names, depth)
        }
    }
}

/// `int c0 = lower; c0 < upper; c0 += step`.
fn write_head(out: &mut String, node: &For, names: &Names<'_>) -> fmt::Result {
    let iter = names.iter(node.iter);
    write!(out, "int {iter} = ")?;
    write_expr(out, &node.lower, names)?;
    write!(out, "; ")?;
    match &node.upper {
        Upper::AtMost(upper) => match node.upper.exclusive() {
            Some(bound) => {
                write!(out, "{iter} < ")?;
                write_operand(out, &bound, names)?;
            }
            None => {
                write!(out, "{iter} <= ")?;
                write_operand(out, upper, names)?;
            }
        },
        Upper::While(conditions) => {
            for (position, condition) in conditions.iter().enumerate() {
                if position > 0 {
                    write!(out, " && ")?;
                }
                write_condition(out, condition, names)?;
            }
        }
        Upper::Unbounded => write!(out, "1")?,
    }
    write!(out, "; {iter} += {}", node.step)
}

/// An `if` from its keyword on, the indentation being written.
fn write_if(out: &mut String, node: &Node, names: &Names<'_>, depth: usize) -> fmt::Result {
    let Node::If {
        condition,
        then,
        otherwise,
    } = node
    else {
        return write_body(out, node, names, depth, true).and_then(|()| writeln!(out));
    };
    write!(out, "if (")?;
    write_condition(out, condition, names)?;
    write!(out, ")")?;
    let braces = otherwise.is_some() || !is_simple(then);
    write_body(out, then, names, depth, braces)?;
    let Some(otherwise) = otherwise else {
        return writeln!(out);
    };
    write!(out, " else")?;
    if matches!(**otherwise, Node::If { .. }) {
        write!(out, " ")?;
    }
    write_if(out, otherwise, names, depth)
}

/// What follows the head of a loop or an `if`, up to the end of its last line.
fn write_body(out: &mut String, body: &Node, names: &Names<'_>, depth: usize, braces: bool) -> fmt::Result {
    writeln!(out, "{}", if braces { " {" } else { "" })?;
    write_node(out, body, names, depth + 1)?;
    if braces {
        return write!(out, "{}}}", "  ".repeat(depth));
    }
    out.truncate(out.trim_end_matches('\n').len());
    Ok(())
}

/// Whether the node is one statement in one piece, which needs no braces around it.
fn is_simple(node: &Node) -> bool {
    match node {
        Node::Block(nodes) => nodes.len() == 1 && is_simple(&nodes[0]),
        Node::Mark { .. } => false,
        Node::For(node) => node.coincidence == Coincidence::No && node.annotations.is_empty(),
        Node::If { otherwise, .. } => otherwise.is_none(),
        Node::Call(_) => true,
    }
}
