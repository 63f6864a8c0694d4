//! The nodes of an AST.

use crate::ast::expr::{Condition, Expr};
use crate::ast::quasi::{IterId, Quasi};
use crate::ast::write::Names;
use crate::int::Int;
use crate::sets::{Name, Params, Tuple};
use crate::tree::Mark;

/// A loop nest that visits the instances of a domain in schedule order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ast {
    /// The parameters that expressions refer to by position.
    pub params: Params,
    /// The name of each iterator; every [`IterId`] is a position in it. Loops may share a name, but not with one inside
    /// the other, and not with a parameter.
    pub iterators: Vec<Name>,
    /// How conditions are meant to be evaluated.
    pub logic: Logic,
    /// What is executed.
    pub root: Node,
}

/// How `and`, `or` and choices are meant to be evaluated. Values are the same in both ways, as expressions have no effects;
/// but an expression may promise what holds only where what is before it in a conjunction does, so that only code that was
/// made for eager evaluation may be evaluated so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Logic {
    /// From left to right, and no further than it takes to know: `&&`, `||`, `?:`.
    #[default]
    ShortCircuit,
    /// All operands, in any order, without branches: `&`, `|`.
    Eager,
}

/// A node of an AST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The children one after the other. An empty block does nothing.
    Block(Vec<Node>),
    /// A loop.
    For(Box<For>),
    /// One of two subtrees.
    If {
        /// What decides.
        condition: Condition,
        /// What is executed where the condition holds.
        then: Box<Node>,
        /// What is executed where it does not.
        otherwise: Option<Box<Node>>,
    },
    /// One statement instance.
    Call(Call),
    /// A subtree under a mark of the schedule tree.
    Mark {
        /// The mark.
        mark: Mark,
        /// The subtree.
        body: Box<Node>,
    },
}

/// Whether the iterations of a loop depend on each other.
///
/// A member of a band is coincident if it carries no coincidence constraint. With live ranges that may change places, these leave out
/// the order of live ranges of scalar slots (P0 section 4.3): each iteration writes the slot before it reads it, and two iterations
/// that run at the same time would overwrite each other's value.
///
/// ```text
/// for (j) { t = A[i][j]; B[j][i] = t; }      over j: IfPrivate([t]), in any order, and at the same time with a t for each iteration
/// for (j) B[j][i] = A[i][j];                 Yes
/// ```
///
/// A tree does not say what its constraints leave out: the generator takes its word. `farkas-plan`, which makes the constraints, names
/// the slots that are written in a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coincidence {
    /// They may.
    No,
    /// They do not, if each has these scalar slots for its own. One after the other they may run in any order as they are.
    IfPrivate(Vec<Name>),
    /// They do not.
    Yes,
}

impl Coincidence {
    /// That of a member of a band, as far as the tree says.
    pub fn of_member(coincident: bool) -> Coincidence {
        match coincident {
            true => Coincidence::Yes,
            false => Coincidence::No,
        }
    }

    /// Whether iterations may run in any order, one after the other.
    pub fn allows_any_order(&self) -> bool {
        *self != Coincidence::No
    }

    /// Whether iterations may run at the same time, where each has such slots for its own.
    pub fn allows_overlap(&self, is_private: impl Fn(&Name) -> bool) -> bool {
        match self {
            Coincidence::No => false,
            Coincidence::IfPrivate(slots) => slots.iter().all(is_private),
            Coincidence::Yes => true,
        }
    }
}

/// `for (iter = lower; iter <= upper; iter += step) body`. The bounds do not depend on what the body does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct For {
    /// The iterator.
    pub iter: IterId,
    /// The first value.
    pub lower: Expr,
    /// What ends the loop.
    pub upper: Upper,
    /// The positive distance of consecutive values.
    pub step: Int,
    /// Whether its iterations depend on each other. They may run on threads or in lanes only as a `parallel` or `vector` mark says.
    pub coincidence: Coincidence,
    /// What the tree or a hook says of the loop, for whoever emits it.
    pub annotations: Vec<Name>,
    /// What is executed for each value.
    pub body: Node,
}

impl For {
    /// The annotation of a loop whose iterations run on threads: the one that a `parallel` mark speaks of.
    pub const THREADS: &'static str = "threads";
    /// The annotation of a loop whose iterations overlap: the first one that a `pipeline` mark speaks of.
    pub const ROWS: &'static str = "rows";
    /// The annotation of a loop in which an iteration of [`For::ROWS`] waits for the one before.
    pub const STEPS: &'static str = "steps";

    /// The annotation of a loop whose iterations are lanes: the one that a `vector` mark speaks of.
    pub const LANES: &'static str = "lanes";

    /// The annotations of loops whose iterations are dealt out to the blocks of a device, along x, y and z.
    pub const BLOCKS: [&'static str; 3] = ["blocks x", "blocks y", "blocks z"];
    /// The annotations of loops whose iterations are dealt out to the threads of a block, along x, y and z.
    pub const BLOCK_THREADS: [&'static str; 3] = ["threads x", "threads y", "threads z"];

    /// The annotation of a loop over rows that fill no register tile. It has few iterations, or none.
    pub const REMAINDER: &'static str = "remainder";

    /// The annotation of a loop at a border whose interior has loops of its own: it has few of all instances.
    pub const BORDER: &'static str = "border";

    /// Whether the loop has an annotation.
    pub fn is_annotated(&self, annotation: &str) -> bool {
        self.annotations.iter().any(|text| text.as_str() == annotation)
    }

    /// Whether the loop plainly has exactly so many iterations, whatever the values of parameters and outer iterators.
    pub fn has_iterations(&self, n: u32) -> bool {
        let (Expr::Quasi(lower), Upper::AtMost(Expr::Quasi(upper))) = (&self.lower, &self.upper) else {
            return false;
        };
        let mut distance = upper.clone();
        distance.add_scaled(&Int::from(-1), lower);
        self.step.is_one() && distance.as_constant() == Some(&Int::from(i64::from(n) - 1))
    }

    /// The condition that the loop has an iteration; `None` if its bounds are no minima and maxima of quasi-affine expressions.
    ///
    /// The bounds of loops inside are made where it holds, and promise nothing elsewhere.
    pub fn entry_condition(&self) -> Option<Condition> {
        let Upper::AtMost(upper) = &self.upper else { return None };
        if matches!(self.lower, Expr::Min(_)) || matches!(upper, Expr::Max(_)) {
            return None;
        }
        let operands = |expr: &Expr| -> Option<Vec<Quasi>> {
            match expr {
                Expr::Quasi(quasi) => Some(vec![quasi.clone()]),
                Expr::Min(parts) | Expr::Max(parts) => parts.iter().map(|part| part.as_quasi().cloned()).collect(),
                Expr::Select { .. } => None,
            }
        };
        let (lowers, uppers) = (operands(&self.lower)?, operands(upper)?);
        let pairs = lowers
            .iter()
            .flat_map(|lower| uppers.iter().map(move |upper| (lower, upper)));
        let conditions = pairs.map(|(lower, upper)| {
            let mut distance = upper.clone();
            distance.add_scaled(&Int::from(-1), lower);
            match distance.as_constant() {
                Some(distance) if distance.is_neg() => Condition::FALSE,
                Some(_) => Condition::TRUE,
                None => Condition::NonNegative(distance),
            }
        });
        Some(Condition::all(conditions))
    }

    /// Whether bounds depend on an iterator, or are more than two expressions.
    pub fn bounds_may_mention(&self, iter: IterId) -> bool {
        let upper = match &self.upper {
            Upper::AtMost(upper) => upper.mentions(iter),
            Upper::While(_) | Upper::Unbounded => true,
        };
        upper || self.lower.mentions(iter)
    }
}

/// What ends a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upper {
    /// No value is above this one.
    AtMost(Expr),
    /// All of the conditions have to hold. They are on the iterator, and once false they stay false for larger values.
    While(Vec<Condition>),
    /// Nothing does.
    Unbounded,
}

/// The execution of one instance of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The statement: the tuple of its domain.
    pub statement: Tuple,
    /// The instance: one expression per dimension of the domain.
    pub arguments: Vec<Expr>,
    /// What [`Hooks::call`](crate::ast::Hooks::call) has added, such as subscripts. They are not printed.
    pub expressions: Vec<Expr>,
}

impl Call {
    /// The call with a value in place of an iterator; `None` where that occurs in something that is not affine.
    pub fn with_iter(&self, iter: IterId, value: &Quasi) -> Option<Call> {
        let replaced = |expr: &Expr| Some(Expr::Quasi(expr.as_quasi()?.with_iter(iter, value)?));
        let in_all = |exprs: &[Expr]| exprs.iter().map(replaced).collect::<Option<Vec<Expr>>>();
        Some(Call {
            statement: self.statement.clone(),
            arguments: in_all(&self.arguments)?,
            expressions: in_all(&self.expressions)?,
        })
    }
}

impl Ast {
    /// How its expressions are written.
    pub fn names(&self) -> Names<'_> {
        Names {
            params: &self.params,
            iterators: &self.iterators,
            logic: self.logic,
        }
    }
}

impl Node {
    /// The node under a condition, without one that always holds.
    pub fn under(self, condition: Condition) -> Node {
        match condition.is_true() {
            true => self,
            false => Node::If {
                condition,
                then: Box::new(self),
                otherwise: None,
            },
        }
    }
}

impl Upper {
    /// The bound plus one, for `<` in place of `<=`, where that takes fewer operators: where all that the bound is made of has a
    /// negative constant.
    pub(crate) fn exclusive(&self) -> Option<Expr> {
        match self {
            Upper::AtMost(bound) => successor(bound),
            Upper::While(_) | Upper::Unbounded => None,
        }
    }
}

fn successor(bound: &Expr) -> Option<Expr> {
    let all = |operands: &[Expr]| operands.iter().map(successor).collect::<Option<Vec<_>>>();
    Some(match bound {
        Expr::Quasi(quasi) => {
            let negative = quasi.constant_term().is_neg() && !quasi.terms().is_empty();
            Expr::Quasi(negative.then(|| Quasi::plus(quasi.clone(), Int::ONE))?)
        }
        Expr::Min(operands) => Expr::Min(all(operands)?),
        Expr::Max(operands) => Expr::Max(all(operands)?),
        Expr::Select {
            condition,
            then,
            otherwise,
        } => Expr::Select {
            condition: condition.clone(),
            then: Box::new(successor(then)?),
            otherwise: Box::new(successor(otherwise)?),
        },
    })
}

impl Node {
    /// The node with `rewrite` applied to its children; the node itself stays.
    pub fn map_children(self, rewrite: &mut dyn FnMut(Node) -> Node) -> Node {
        match self {
            Node::Block(nodes) => Node::Block(nodes.into_iter().map(rewrite).collect()),
            Node::For(mut node) => {
                let body = std::mem::replace(&mut node.body, Node::Block(Vec::new()));
                node.body = rewrite(body);
                Node::For(node)
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => Node::If {
                condition,
                then: Box::new(rewrite(*then)),
                otherwise: otherwise.map(|node| Box::new(rewrite(*node))),
            },
            Node::Mark { mark, body } => Node::Mark {
                mark,
                body: Box::new(rewrite(*body)),
            },
            Node::Call(call) => Node::Call(call),
        }
    }

    /// The nodes one after the other, without blocks in blocks.
    pub fn block(nodes: Vec<Node>) -> Node {
        let mut flat = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Node::Block(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 {
            flat.remove(0)
        } else {
            Node::Block(flat)
        }
    }

    /// The node where the condition holds; the node itself where that is everywhere.
    pub fn guarded(condition: Condition, body: Node) -> Node {
        if condition.is_true() || body.is_empty() {
            return body;
        }
        if condition.is_false() {
            return Node::Block(Vec::new());
        }
        match body {
            Node::If {
                condition: inner,
                then,
                otherwise: None,
            } => Node::If {
                condition: Condition::all([condition, inner]),
                then,
                otherwise: None,
            },
            body => Node::If {
                condition,
                then: Box::new(body),
                otherwise: None,
            },
        }
    }

    /// Whether there is a loop in the subtree that nothing ends.
    pub fn has_endless_loop(&self) -> bool {
        match self {
            Node::Block(nodes) => nodes.iter().any(Node::has_endless_loop),
            Node::For(node) => node.upper == Upper::Unbounded || node.body.has_endless_loop(),
            Node::If { then, otherwise, .. } => {
                then.has_endless_loop() || otherwise.as_ref().is_some_and(|node| node.has_endless_loop())
            }
            Node::Call(_) => false,
            Node::Mark { body, .. } => body.has_endless_loop(),
        }
    }

    /// Whether there are conditions outside of all loops.
    pub fn has_conditions_outside(&self) -> bool {
        match self {
            Node::Block(nodes) => nodes.iter().any(Node::has_conditions_outside),
            Node::If { .. } => true,
            Node::For(_) | Node::Call(_) => false,
            Node::Mark { body, .. } => body.has_conditions_outside(),
        }
    }

    /// The number of calls.
    pub fn n_calls(&self) -> usize {
        match self {
            Node::Block(nodes) => nodes.iter().map(Node::n_calls).sum(),
            Node::If { then, otherwise, .. } => {
                then.n_calls() + otherwise.as_ref().map_or(0, |otherwise| otherwise.n_calls())
            }
            Node::For(node) => node.body.n_calls(),
            Node::Call(_) => 1,
            Node::Mark { body, .. } => body.n_calls(),
        }
    }

    /// Whether there is such a mark.
    pub fn has_mark(&self, is_such: &dyn Fn(&Mark) -> bool) -> bool {
        match self {
            Node::Block(nodes) => nodes.iter().any(|node| node.has_mark(is_such)),
            Node::For(node) => node.body.has_mark(is_such),
            Node::If { then, otherwise, .. } => {
                then.has_mark(is_such) || otherwise.as_deref().is_some_and(|node| node.has_mark(is_such))
            }
            Node::Mark { mark, body } => is_such(mark) || body.has_mark(is_such),
            Node::Call(_) => false,
        }
    }

    /// Whether there are loops that are marked as the lanes of vectors, and in all of them conditions that may differ from lane to lane.
    pub fn has_conditions_in_lanes(&self) -> bool {
        let mut bodies = Vec::new();
        self.collect_lanes(&mut bodies);
        !bodies.is_empty() && bodies.into_iter().all(Node::has_condition)
    }

    /// Collects what is marked as lanes.
    fn collect_lanes<'n>(&'n self, bodies: &mut Vec<&'n Node>) {
        match self {
            Node::Mark {
                mark: Mark::Vector { .. },
                body,
            } => bodies.push(body),
            Node::Block(nodes) => nodes.iter().for_each(|node| node.collect_lanes(bodies)),
            Node::For(node) => node.body.collect_lanes(bodies),
            Node::If { then, otherwise, .. } => {
                then.collect_lanes(bodies);
                otherwise.iter().for_each(|node| node.collect_lanes(bodies));
            }
            Node::Call(_) => {}
            Node::Mark { body, .. } => body.collect_lanes(bodies),
        }
    }

    /// Whether there is a condition on iterators.
    fn has_condition(&self) -> bool {
        match self {
            Node::Block(nodes) => nodes.iter().any(Node::has_condition),
            Node::For(node) => node.body.has_condition(),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let has_condition = |node: &Node| node.has_condition();
                !condition.is_invariant() || then.has_condition() || otherwise.as_deref().is_some_and(has_condition)
            }
            Node::Call(_) => false,
            Node::Mark { body, .. } => body.has_condition(),
        }
    }

    /// Whether nothing is executed.
    pub fn is_empty(&self) -> bool {
        matches!(self, Node::Block(nodes) if nodes.is_empty())
    }
}
