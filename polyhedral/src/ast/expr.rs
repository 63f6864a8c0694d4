//! What quasi-affine expressions are combined to: the values and conditions in an AST.

use crate::ast::quasi::{IterId, Quasi};
use crate::int::Int;

/// An integer: quasi-affine expressions under minimum, maximum and choice. It has no effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A quasi-affine expression.
    Quasi(Quasi),
    /// The least of at least two.
    Min(Vec<Expr>),
    /// The greatest of at least two.
    Max(Vec<Expr>),
    /// One of two values.
    Select {
        /// What decides.
        condition: Box<Condition>,
        /// The value where the condition holds.
        then: Box<Expr>,
        /// The value where it does not.
        otherwise: Box<Expr>,
    },
}

impl Expr {
    /// The least of the operands, of which there is at least one.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn min(operands: Vec<Expr>) -> Expr {
        Expr::reduce(operands, Expr::Min)
    }

    /// The greatest of the operands, of which there is at least one.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn max(operands: Vec<Expr>) -> Expr {
        Expr::reduce(operands, Expr::Max)
    }

    fn reduce(operands: Vec<Expr>, combine: fn(Vec<Expr>) -> Expr) -> Expr {
        assert!(!operands.is_empty(), "a minimum or maximum of nothing");
        let mut distinct: Vec<Expr> = Vec::with_capacity(operands.len());
        add_new(&mut distinct, operands);
        only_or(distinct, combine)
    }

    /// `condition ? then : otherwise`; one of the two where it is plain which, or where they are the same.
    pub fn select(condition: Condition, then: Expr, otherwise: Expr) -> Expr {
        if condition.is_true() || then == otherwise {
            return then;
        }
        if condition.is_false() {
            return otherwise;
        }
        Expr::Select {
            condition: Box::new(condition),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        }
    }

    /// The quasi-affine expression, where it is no more than that.
    pub fn as_quasi(&self) -> Option<&Quasi> {
        match self {
            Expr::Quasi(quasi) => Some(quasi),
            _ => None,
        }
    }

    /// Whether the iterator occurs.
    pub fn mentions(&self, iter: IterId) -> bool {
        match self {
            Expr::Quasi(quasi) => quasi.mentions(iter),
            Expr::Min(operands) | Expr::Max(operands) => operands.iter().any(|e| e.mentions(iter)),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => condition.mentions(iter) || then.mentions(iter) || otherwise.mentions(iter),
        }
    }

    /// The number of operators in the C text; a minimum or maximum of `n` counts for `n - 1`.
    pub fn operators(&self) -> usize {
        match self {
            Expr::Quasi(quasi) => quasi.operators(),
            Expr::Min(operands) | Expr::Max(operands) => {
                operands.len() - 1 + operands.iter().map(Expr::operators).sum::<usize>()
            }
            Expr::Select {
                condition,
                then,
                otherwise,
            } => 1 + condition.operators() + then.operators() + otherwise.operators(),
        }
    }
}

impl From<Quasi> for Expr {
    fn from(quasi: Quasi) -> Expr {
        Expr::Quasi(quasi)
    }
}

/// Adds those of the items that are not there yet.
fn add_new<T: PartialEq>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) {
    for item in items {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// The only item, or all of them combined.
fn only_or<T>(mut items: Vec<T>, combine: fn(Vec<T>) -> T) -> T {
    match items.len() {
        1 => items.remove(0),
        _ => combine(items),
    }
}

/// A condition. It has no effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The expression is at least zero.
    NonNegative(Quasi),
    /// The expression is zero.
    Zero(Quasi),
    /// The expression is a multiple of the modulus, which is at least 2. The sign of the expression is of no matter.
    Multiple(Quasi, Int),
    /// All of them hold; of none, that is true.
    All(Vec<Condition>),
    /// One of them holds; of none, that is false.
    Any(Vec<Condition>),
}

impl Condition {
    /// Holds everywhere.
    pub const TRUE: Condition = Condition::All(Vec::new());
    /// Holds nowhere.
    pub const FALSE: Condition = Condition::Any(Vec::new());

    /// All of the conditions, in their order, without conjunctions in it and without repetitions.
    pub fn all(conditions: impl IntoIterator<Item = Condition>) -> Condition {
        let mut flat: Vec<Condition> = Vec::new();
        for condition in conditions {
            match condition {
                condition if condition.is_false() => return Condition::FALSE,
                Condition::All(parts) => add_new(&mut flat, parts),
                other => add_new(&mut flat, [other]),
            }
        }
        only_or(flat, Condition::All)
    }

    /// One of the conditions, in their order, without disjunctions in it and without repetitions.
    pub fn any(conditions: impl IntoIterator<Item = Condition>) -> Condition {
        let mut flat: Vec<Condition> = Vec::new();
        for condition in conditions {
            match condition {
                condition if condition.is_true() => return Condition::TRUE,
                Condition::Any(parts) => add_new(&mut flat, parts),
                other => add_new(&mut flat, [other]),
            }
        }
        only_or(flat, Condition::Any)
    }

    /// Whether it is the conjunction of nothing.
    pub fn is_true(&self) -> bool {
        matches!(self, Condition::All(parts) if parts.is_empty())
    }

    /// Whether it is the disjunction of nothing.
    pub fn is_false(&self) -> bool {
        matches!(self, Condition::Any(parts) if parts.is_empty())
    }

    /// Whether the iterator occurs.
    pub fn mentions(&self, iter: IterId) -> bool {
        match self {
            Condition::NonNegative(quasi) | Condition::Zero(quasi) | Condition::Multiple(quasi, _) => {
                quasi.mentions(iter)
            }
            Condition::All(parts) | Condition::Any(parts) => parts.iter().any(|c| c.mentions(iter)),
        }
    }

    /// Whether no iterator occurs.
    pub fn is_invariant(&self) -> bool {
        match self {
            Condition::NonNegative(quasi) | Condition::Zero(quasi) | Condition::Multiple(quasi, _) => {
                quasi.is_invariant()
            }
            Condition::All(parts) | Condition::Any(parts) => parts.iter().all(Condition::is_invariant),
        }
    }

    /// The number of comparisons.
    pub fn comparisons(&self) -> usize {
        match self {
            Condition::NonNegative(_) | Condition::Zero(_) | Condition::Multiple(..) => 1,
            Condition::All(parts) | Condition::Any(parts) => parts.iter().map(Condition::comparisons).sum(),
        }
    }

    /// The number of operators in the C text, comparisons among them.
    pub fn operators(&self) -> usize {
        match self {
            Condition::NonNegative(quasi) | Condition::Zero(quasi) => {
                let (left, right) = quasi.sides();
                1 + left.operators() + right.operators()
            }
            Condition::Multiple(quasi, _) => 2 + quasi.operators(),
            Condition::All(parts) | Condition::Any(parts) => {
                parts.len().saturating_sub(1) + parts.iter().map(Condition::operators).sum::<usize>()
            }
        }
    }
}
