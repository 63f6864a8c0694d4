//! The generator (P1 sections 5 and 6).
//!
//! # The way down, and up
//!
//! The generator walks the tree from the root ([`walk`]) with two things in its hands: the relation of what is
//! [`executed`] at which schedule points, and the [`stock`] of what is known. A band adds a schedule dimension for each member;
//! for each dimension, what is executed is cut in [`components`] that can follow each other, made one stride by [`shift`]s
//! and counted in steps of one ([`strides`], [`scale`]), cut by isolation ([`isolate`]) and by the kind of code that is asked
//! for ([`strategy`], [`separate`]), and sorted ([`sort`]); for each part there is a loop ([`bounds`]), or the value of the
//! dimension where there is only one ([`level`]). At a leaf the instance is solved for, and the conditions that nothing has
//! enforced yet become its guard ([`leaf`]).
//!
//! On the way up the pieces of the AST are [`graft`]s, with guards that are hoisted as far out as they go, and become
//! `if`s where they do not go further ([`branches`]).

mod bounds;
mod branches;
mod components;
mod determined;
mod executed;
mod gist;
mod graft;
mod isolate;
mod leaf;
mod level;
mod scale;
mod separate;
mod shift;
mod sort;
mod standalone;
mod stock;
mod strategy;
mod strides;
mod walk;

use crate::ast::hooks::{Hooks, NoHooks};
use crate::ast::node::Ast;
use crate::ast::place::Forms;
use crate::ast::quasi::IterId;
use crate::budget::{Budget, OutOfBudget};
use crate::sets::{Name, Params, Set, UnionMap};
use crate::tree::{LoopKind, Path, Tree};

use executed::Executed;
use graft::{Graft, fused};
pub use standalone::{bounds_of, membership, parameter_expression};
use stock::Stock;
use strategy::{FlatOptions, Frame};

/// Choices of the AST generator.
#[derive(Clone, Debug)]
pub struct Options {
    /// A member that is to be unrolled and has more values than this becomes a loop.
    pub unroll_limit: i64,
    /// Separation of a dimension that would give more parts than this is given up.
    pub separate_limit: usize,
    /// A condition that the bounds of an inner loop enforce is not checked outside of it, too.
    pub nested_bounds: bool,
    /// The kind of code for dimensions for which nothing is asked.
    pub kind: LoopKind,
    /// The upper bound of a loop is one expression that the iterator is compared with, and not a conjunction of conditions.
    pub single_upper: bool,
    /// Strided dimensions are counted in steps of one where instances get simpler by it.
    pub scale_strides: bool,
    /// Conditions may have an `else` branch.
    pub otherwise: bool,
    /// A statement that is executed under a disjunction of conditions has one call, instead of one for each of disjoint
    /// conjunctions.
    pub disjunctions: bool,
    /// Separation looks at explicit constraints only, and not at those that are due to inner dimensions.
    pub explicit_separation: bool,
    /// The forms of expressions.
    pub forms: Forms,
    /// The names of the iterators by the depth of their schedule dimension; where there are too few, they are called `c0`,
    /// `c1`, ...
    pub iterators: Vec<Name>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            unroll_limit: 64,
            separate_limit: 12,
            nested_bounds: true,
            kind: LoopKind::Default,
            single_upper: true,
            scale_strides: true,
            otherwise: true,
            disjunctions: true,
            explicit_separation: true,
            forms: Forms::default(),
            iterators: Vec::new(),
        }
    }
}

/// Why there is no AST.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AstError {
    /// The work budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A loop has no first iteration.
    #[error("node {node}: schedule dimension {dimension} has no lower bound for {statement}")]
    Unbounded {
        /// The node inside the band.
        node: Path,
        /// The position of the dimension among those of the nested bands, from 0.
        dimension: usize,
        /// A statement that is executed there.
        statement: String,
    },
    /// A dimension is to be unrolled that takes a number of values that no constant bounds.
    #[error(
        "node {node}: schedule dimension {dimension} cannot be unrolled, it has no bounded number of values for {statement}"
    )]
    Unrollable {
        /// The node inside the band.
        node: Path,
        /// The position of the dimension among those of the nested bands, from 0.
        dimension: usize,
        /// A statement that is executed there.
        statement: String,
    },
}

/// An AST that executes the instances of the tree's domain in the tree's order, for all parameter values in its
/// context. Instances that the tree does not order are executed in some order.
///
/// # Errors
///
/// If the budget is spent, or there are no loops that do it: see [`AstError`].
///
/// # Panics
///
/// If the tree is one that [`verify`](crate::tree::verify) refuses, possibly.
pub fn generate(tree: &Tree, options: &Options, b: &Budget) -> Result<Ast, AstError> {
    generate_with(tree, options, &mut NoHooks, b)
}

/// The AST of [`generate`], to which the hooks add.
///
/// # Errors
///
/// As for [`generate`].
pub fn generate_with(tree: &Tree, options: &Options, hooks: &mut dyn Hooks, b: &Budget) -> Result<Ast, AstError> {
    let params = tree.params();
    let context = tree.context.align_params(&params).explicit(b)?;
    // Several conjunctions would each get code of their own; it need not be right outside of the context.
    let domain = tree.domain.intersect_params(&context.simple_hull(b)?);
    let executed = Executed::of_domain(&domain, &params, b)?;
    let mut generator = Generator::new(params, options, hooks, b);
    generator.known_params = tree.domain.params().union(tree.context.params());
    let stock = Stock::root(context, generator.params.clone());
    let grafts = generator.node(&tree.root, &executed, &stock)?;
    generator.finished(grafts, &stock)
}

/// An AST that executes the instances in the domain of `schedule` in the lexicographic order of the values to which it maps them,
/// once for each value, for all parameter values in `context`. Values in different tuples come one tuple after the other.
///
/// What kind of code is generated is said by `options`, which maps values to `atomic[dim]`, `separate[dim]`, `unroll[dim]` and
/// `separation_class[[dim] -> [class]]`.
///
/// # Errors
///
/// As for [`generate`].
///
/// # Panics
///
/// If the context has dimensions.
pub fn generate_relation(
    schedule: &UnionMap,
    context: &Set,
    kinds: &UnionMap,
    options: &Options,
    b: &Budget,
) -> Result<Ast, AstError> {
    let params = schedule.params().union(context.params()).union(kinds.params());
    let context = context.align_params(&params).explicit(b)?;
    let mut hooks = NoHooks;
    let mut generator = Generator::new(params.clone(), options, &mut hooks, b);
    let stock = Stock::root(context.clone(), params.clone());
    let hull = context.simple_hull(b)?;
    let mut ranges = Vec::new();
    for map in schedule.maps() {
        if !ranges.contains(map.range_tuple()) {
            ranges.push(map.range_tuple().clone());
        }
    }
    let mut grafts = Vec::new();
    for range in ranges {
        let n = range.n();
        let relations = schedule.maps().filter(|map| *map.range_tuple() == range);
        let relations = relations.map(|map| {
            let executed = map.reverse().intersect_params(&hull);
            executed.with_domain_tuple(crate::sets::Tuple::anonymous(n))
        });
        let executed = Executed::new(params.clone(), n, relations.collect(), b)?;
        let (members, flat) = FlatOptions::new(kinds, &params, n, b)?;
        let frame = Frame {
            first: 0,
            members,
            isolated: None,
            full_tiles: false,
            referred: false,
            options: flat.as_ref(),
            inside: None,
        };
        grafts.extend(generator.next(&frame, 0, &executed, false, &stock)?);
    }
    generator.finished(grafts, &stock)
}

/// The state of the generator: what is given, and what has been handed out.
struct Generator<'a> {
    params: Params,
    options: &'a Options,
    hooks: &'a mut dyn Hooks,
    budget: &'a Budget,
    /// The name of each iterator.
    iterators: Vec<Name>,
    /// The iterators of the loops around.
    open: Vec<IterId>,
    /// The parameters that outer nodes have introduced.
    known_params: Params,
    /// The way to the present node.
    steps: Vec<usize>,
}

impl<'a> Generator<'a> {
    fn new(params: Params, options: &'a Options, hooks: &'a mut dyn Hooks, budget: &'a Budget) -> Generator<'a> {
        Generator {
            known_params: params.clone(),
            params,
            options,
            hooks,
            budget,
            iterators: Vec::new(),
            open: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// An iterator of a loop for schedule dimension `depth`.
    fn new_iterator(&mut self, depth: usize) -> IterId {
        let mut name = match self.options.iterators.get(depth) {
            Some(name) => name.to_string(),
            None => format!("c{depth}"),
        };
        let is_taken = |name: &str| {
            let open = self.open.iter().any(|iter| *self.iterators[iter.0] == *name);
            open || self.params.position(name).is_some()
        };
        while is_taken(&name) {
            name.push('_');
        }
        self.iterators.push(name.as_str().into());
        IterId(self.iterators.len() - 1)
    }

    /// The way to the present node.
    fn path(&self) -> Path {
        self.steps.clone().into()
    }

    /// The AST of the grafts outside of which there is nothing.
    fn finished(self, grafts: Vec<Graft>, stock: &Stock) -> Result<Ast, AstError> {
        let root = match fused(grafts, &|_| true, stock, self.options, self.budget)? {
            Some(graft) => branches::guarded(vec![graft], stock.place(), self.options, self.budget)?,
            None => crate::ast::node::Node::block(Vec::new()),
        };
        Ok(Ast {
            params: self.params,
            iterators: self.iterators,
            logic: self.options.forms.logic,
            root,
        })
    }
}
