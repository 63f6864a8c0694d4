//! An oracle for `IteratorBounds`: the values that arguments of calls have while an innermost loop runs, by enumeration.

use std::collections::BTreeSet;

use farkas_polyhedral::ast::{Ast, Expr, For, IterId, IteratorBounds, Node, Point, Quasi, Upper};
use farkas_polyhedral::int::Int;

/// Runs the loops of an AST.
struct Run<'a> {
    ast: &'a Ast,
    bounds: IteratorBounds<'a>,
    params: &'a [Int],
    iters: Vec<Int>,
    around: Vec<IterId>,
}

/// Checks which arguments are said to be apart, for these parameters.
pub(crate) fn check_apart(ast: &Ast, params: &[Int]) {
    let mut run = Run {
        ast,
        bounds: IteratorBounds::of(ast),
        params,
        iters: vec![Int::ZERO; ast.iterators.len()],
        around: Vec::new(),
    };
    run.node(&ast.root);
}

impl<'a> Run<'a> {
    fn point(&self) -> Point<'_> {
        Point {
            names: self.ast.names(),
            params: self.params,
            iters: &self.iters,
        }
    }

    fn node(&mut self, node: &'a Node) {
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::Mark { body, .. } => self.node(body),
            Node::Call(_) => {}
            Node::If {
                condition,
                then,
                otherwise,
            } => match self.point().holds(condition).expect("promises that hold") {
                true => self.node(then),
                false => otherwise.iter().for_each(|node| self.node(node)),
            },
            Node::For(node) => self.for_loop(node),
        }
    }

    fn for_loop(&mut self, node: &'a For) {
        let mut arguments = Vec::new();
        let is_innermost = collect(&node.body, &mut arguments);
        let mut values: Vec<BTreeSet<Int>> = vec![BTreeSet::new(); arguments.len()];
        let mut value = self.point().value(&node.lower).expect("promises that hold");
        loop {
            self.iters[node.iter.0] = value.clone();
            let goes_on = match &node.upper {
                Upper::AtMost(upper) => value <= self.point().value(upper).expect("promises that hold"),
                Upper::While(conditions) => conditions
                    .iter()
                    .all(|condition| self.point().holds(condition).expect("promises that hold")),
                Upper::Unbounded => false,
            };
            if !goes_on {
                break;
            }
            if is_innermost {
                for (argument, values) in arguments.iter().zip(&mut values) {
                    values.extend(self.point().value(&Expr::Quasi((*argument).clone())));
                }
            } else {
                self.around.push(node.iter);
                self.node(&node.body);
                self.around.pop();
            }
            value = &value + &node.step;
        }
        for (k, one) in arguments.iter().enumerate() {
            for (l, other) in arguments.iter().enumerate() {
                if is_innermost && self.bounds.are_apart((one, other), &self.around) {
                    assert!(
                        values[k].is_disjoint(&values[l]),
                        "{one:?} and {other:?} meet in\n{}",
                        self.ast
                    );
                }
            }
        }
    }
}

/// Collects the arguments of calls; false if there is a loop.
fn collect<'a>(node: &'a Node, arguments: &mut Vec<&'a Quasi>) -> bool {
    match node {
        Node::Block(nodes) => nodes.iter().all(|node| collect(node, arguments)),
        Node::Mark { body, .. } => collect(body, arguments),
        Node::Call(call) => {
            arguments.extend(call.arguments.iter().filter_map(Expr::as_quasi));
            true
        }
        Node::If { then, otherwise, .. } => {
            collect(then, arguments) && otherwise.as_ref().is_none_or(|node| collect(node, arguments))
        }
        Node::For(_) => false,
    }
}
