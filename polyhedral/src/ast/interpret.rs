//! Executes an AST for given parameter values: the oracle that its generator is tested against.

use std::cell::Cell;

use crate::ast::evaluate::{BrokenPromise, Counts, Evaluation, Point};
use crate::ast::expr::{Condition, Expr};
use crate::ast::node::{Ast, For, Node, Upper};
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

/// What an AST does for some parameter values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The instances in the order in which they are executed.
    pub instances: Vec<Instance>,
    /// What was evaluated.
    pub counts: Counts,
    /// Whether it came to its end, rather than to the limit of loop iterations.
    pub ended: bool,
}

/// Executes the AST for at most `limit` loop iterations, those of all loops together.
///
/// # Errors
///
/// [`BrokenPromise`], where an expression promises what does not hold: the AST is wrong.
///
/// # Panics
///
/// If there is not a value for each parameter.
pub fn interpret(ast: &Ast, params: &[Int], limit: usize) -> Result<Execution, BrokenPromise> {
    assert_eq!(params.len(), ast.params.len(), "a value for each parameter");
    let mut run = Run {
        ast,
        params,
        iters: zeros(ast.iterators.len()),
        left: limit,
        instances: Vec::new(),
        counts: Cell::default(),
    };
    let ended = match run.node(&ast.root) {
        Ok(()) => true,
        Err(Stop::Limit) => false,
        Err(Stop::Broken(promise)) => return Err(promise),
    };
    Ok(Execution {
        instances: run.instances,
        counts: run.counts.get(),
        ended,
    })
}

struct Run<'a> {
    ast: &'a Ast,
    params: &'a [Int],
    iters: Row,
    left: usize,
    instances: Vec<Instance>,
    counts: Cell<Counts>,
}

enum Stop {
    Limit,
    Broken(BrokenPromise),
}

impl From<BrokenPromise> for Stop {
    fn from(promise: BrokenPromise) -> Stop {
        Stop::Broken(promise)
    }
}

impl Run<'_> {
    fn evaluate<T>(&self, evaluate: impl FnOnce(&Evaluation<'_>) -> T) -> T {
        let point = Point {
            names: self.ast.names(),
            params: self.params,
            iters: &self.iters,
        };
        evaluate(&point.counted(&self.counts))
    }

    fn expr(&self, expr: &Expr) -> Result<Int, BrokenPromise> {
        self.evaluate(|evaluation| evaluation.expr(expr))
    }

    fn condition(&self, condition: &Condition) -> Result<bool, BrokenPromise> {
        self.evaluate(|evaluation| evaluation.condition(condition))
    }

    fn node(&mut self, node: &Node) -> Result<(), Stop> {
        match node {
            Node::Block(nodes) => nodes.iter().try_for_each(|n| self.node(n)),
            Node::For(node) => self.for_loop(node),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                if self.condition(condition)? {
                    self.node(then)
                } else {
                    otherwise.as_ref().map_or(Ok(()), |otherwise| self.node(otherwise))
                }
            }
            Node::Call(call) => {
                let values = call.arguments.iter().map(|a| self.expr(a)).collect::<Result<_, _>>()?;
                self.instances.push(Instance::new(&call.statement, values));
                Ok(())
            }
            Node::Mark { body, .. } => self.node(body),
        }
    }

    fn for_loop(&mut self, node: &For) -> Result<(), Stop> {
        let mut value = self.expr(&node.lower)?;
        let exclusive = node.upper.exclusive();
        loop {
            self.iters[node.iter.0] = value.clone();
            let goes_on = match &exclusive {
                Some(bound) => value < self.bound(bound)?,
                None => self.goes_on(&node.upper, &value)?,
            };
            if !goes_on {
                return Ok(());
            }
            self.left = self.left.checked_sub(1).ok_or(Stop::Limit)?;
            self.node(&node.body)?;
            value += &node.step;
            self.evaluate(|evaluation| evaluation.operators(1));
        }
    }

    fn goes_on(&self, upper: &Upper, value: &Int) -> Result<bool, BrokenPromise> {
        match upper {
            Upper::AtMost(bound) => Ok(*value <= self.bound(bound)?),
            Upper::While(conditions) => {
                for (position, condition) in conditions.iter().enumerate() {
                    self.evaluate(|evaluation| evaluation.operators(usize::from(position > 0)));
                    if !self.condition(condition)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Upper::Unbounded => Ok(true),
        }
    }

    /// The value of a bound that an iterator is compared with.
    fn bound(&self, bound: &Expr) -> Result<Int, BrokenPromise> {
        self.evaluate(|evaluation| {
            evaluation.compared();
            evaluation.expr(bound)
        })
    }
}
