//! An AST over more parameters.

use crate::ast::expr::{Condition, Expr};
use crate::ast::node::{Ast, Call, For, Node, Upper};
use crate::ast::quasi::{Atom, ParamId, Quasi};
use crate::sets::Params;

impl Ast {
    /// The same AST with the parameters `params`, which include the present ones, for callers that number them so.
    ///
    /// # Panics
    ///
    /// If a parameter is not among them.
    #[must_use]
    pub fn align_params(&self, params: &Params) -> Ast {
        if self.params == *params {
            return self.clone();
        }
        let position = |name| params.position_of(name).expect("all parameters are among the new ones");
        let align = Align(self.params.names().iter().map(position).map(ParamId).collect());
        Ast {
            params: params.clone(),
            iterators: self.iterators.clone(),
            logic: self.logic,
            root: align.node(&self.root),
        }
    }
}

/// The new position of each parameter.
struct Align(Vec<ParamId>);

impl Align {
    fn node(&self, node: &Node) -> Node {
        match node {
            Node::Block(children) => Node::Block(children.iter().map(|child| self.node(child)).collect()),
            Node::For(each) => Node::For(Box::new(For {
                lower: self.expr(&each.lower),
                upper: match &each.upper {
                    Upper::AtMost(bound) => Upper::AtMost(self.expr(bound)),
                    Upper::While(conditions) => Upper::While(self.conditions(conditions)),
                    Upper::Unbounded => Upper::Unbounded,
                },
                body: self.node(&each.body),
                iter: each.iter,
                step: each.step.clone(),
                coincidence: each.coincidence.clone(),
                annotations: each.annotations.clone(),
            })),
            Node::If {
                condition,
                then,
                otherwise,
            } => Node::If {
                condition: self.condition(condition),
                then: Box::new(self.node(then)),
                otherwise: otherwise.as_ref().map(|otherwise| Box::new(self.node(otherwise))),
            },
            Node::Call(call) => Node::Call(Call {
                statement: call.statement.clone(),
                arguments: self.exprs(&call.arguments),
                expressions: self.exprs(&call.expressions),
            }),
            Node::Mark { mark, body } => Node::Mark {
                mark: mark.clone(),
                body: Box::new(self.node(body)),
            },
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&self, expr: &Expr) -> Expr {
        match expr {
            Expr::Quasi(quasi) => Expr::Quasi(self.quasi(quasi)),
            Expr::Min(operands) => Expr::Min(self.exprs(operands)),
            Expr::Max(operands) => Expr::Max(self.exprs(operands)),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => Expr::Select {
                condition: Box::new(self.condition(condition)),
                then: Box::new(self.expr(then)),
                otherwise: Box::new(self.expr(otherwise)),
            },
        }
    }

    fn conditions(&self, conditions: &[Condition]) -> Vec<Condition> {
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    fn condition(&self, condition: &Condition) -> Condition {
        match condition {
            Condition::NonNegative(quasi) => Condition::NonNegative(self.quasi(quasi)),
            Condition::Zero(quasi) => Condition::Zero(self.quasi(quasi)),
            Condition::Multiple(quasi, modulus) => Condition::Multiple(self.quasi(quasi), modulus.clone()),
            Condition::All(parts) => Condition::All(self.conditions(parts)),
            Condition::Any(parts) => Condition::Any(self.conditions(parts)),
        }
    }

    /// Terms are sorted by atoms, and so by what these are now.
    fn quasi(&self, quasi: &Quasi) -> Quasi {
        let mut aligned = Quasi::constant(quasi.constant_term().clone());
        for (atom, coefficient) in quasi.terms() {
            let atom = match atom {
                Atom::Param(id) => Atom::Param(self.0[id.0]),
                Atom::Iter(id) => Atom::Iter(*id),
                Atom::Quotient(numerator, denominator, division) => {
                    Atom::Quotient(Box::new(self.quasi(numerator)), denominator.clone(), *division)
                }
                Atom::Remainder(numerator, denominator) => {
                    Atom::Remainder(Box::new(self.quasi(numerator)), denominator.clone())
                }
            };
            aligned.add_scaled(coefficient, &Quasi::atom(atom));
        }
        aligned
    }
}
