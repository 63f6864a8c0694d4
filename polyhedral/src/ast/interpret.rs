//! Executes an AST for given parameter values: the oracle that its generator is tested against.

use crate::ast::expr::{Atom, Expr};
use crate::ast::node::{Ast, Node};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::Tuple;

/// An executed statement instance: the statement and the values of its dimensions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// The name of the statement.
    pub statement: String,
    /// The values of its dimensions.
    pub values: Row,
}

impl Instance {
    fn new(statement: &Tuple, values: Row) -> Self {
        Instance {
            statement: statement.name().map(|n| n.to_string()).unwrap_or_default(),
            values,
        }
    }
}

/// The instances in the order in which they are executed, or `None` where there are more than `limit` loop iterations.
pub fn interpret(ast: &Ast, params: &[Int], limit: usize) -> Option<Vec<Instance>> {
    assert_eq!(params.len(), ast.params.len(), "a value for each parameter");
    let mut run = Run {
        params,
        iters: zeros(ast.n_iters),
        left: limit,
        executed: Vec::new(),
    };
    run.node(&ast.root)?;
    Some(run.executed)
}

struct Run<'a> {
    params: &'a [Int],
    iters: Row,
    left: usize,
    executed: Vec<Instance>,
}

impl Run<'_> {
    fn value_of(&self, atom: &Atom) -> Int {
        match atom {
            Atom::Param(id) => self.params[id.0].clone(),
            Atom::Iter(id) => self.iters[id.0].clone(),
            Atom::Floor(..) => unreachable!("divisions evaluate themselves"),
        }
    }

    fn expr(&self, expr: &Expr) -> Int {
        expr.evaluate(&|atom| self.value_of(atom))
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::Block(nodes) => nodes.iter().try_for_each(|n| self.node(n)),
            Node::For(node) => {
                let upper = self.expr(&node.upper);
                let mut value = self.expr(&node.lower);
                while value <= upper {
                    self.left = self.left.checked_sub(1)?;
                    self.iters[node.iter.0] = value.clone();
                    self.node(&node.body)?;
                    value += &node.step;
                }
                Some(())
            }
            Node::If { conditions, body } => {
                if conditions.iter().all(|c| c.holds(&|atom| self.value_of(atom))) {
                    self.node(body)?;
                }
                Some(())
            }
            Node::Call(call) => {
                let values = call
                    .arguments
                    .iter()
                    .map(|a| a.evaluate(&|atom| self.value_of(atom)))
                    .collect();
                self.executed.push(Instance::new(&call.statement, values));
                Some(())
            }
            Node::Mark { body, .. } => self.node(body),
        }
    }
}
