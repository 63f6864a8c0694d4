//! The checker of plans: that a plan executes what the program does.
//!
//! It stands on [`check_tree`](farkas_polyhedral::check::check_tree), which proves that the order of a tree is legal, and
//! adds what marks promise. Like that, it shares no code with what makes plans, and it reads trees only by what reaches
//! their nodes.
//!
//! # What is checked
//!
//! - **Coincidence** of members: no dependence but between live ranges of scalar slots is carried. Loops say which slots these are
//!   ([`Coincidence`](farkas_polyhedral::ast::Coincidence)).
//! - **Instances.** Each instance of the program is executed once, and no others, wherever the plan is used: see [`instances`].
//! - **Order.** The source of each dependence is executed before its sink. Live ranges may change places as a whole (P4).
//! - **Form.** A mark of a loop is directly above a band with a member. A vector has at least two lanes. A packed array is
//!   one of the program's, and its buffer is not.
//! - **Concurrency** of `parallel` and `vector`, and of `blocks` and `threads` of a [`kernel`](kernels): two instances in different iterations of the loop, and in the same one of
//!   all loops outside, access no element of an array that is not private of which one of them writes. These are all pairs
//!   that share an element, not only those that value-based dependences name. Lanes may read what later ones overwrite: see [`anti`].
//! - **Reduction** of `parallel`: what one statement contributes to an array by its reductions, and nothing else accesses in the loop, may be
//!   accumulated in copies, as the operation is associative and commutative.
//! - **Overlap** of `pipeline`: see [`pipelines`].
//! - **Privacy**: what is read of a private array was written before in the same iteration of the loop. No value of it
//!   goes in, from one iteration to another, or out, where nothing after the program may look at it either.
//! - **Early loads and late stores** of `block` and `keep`: see [`blocks`].
//! - **Distances** of `shift`: see [`shifts`].
//! - **Number of iterations** of a masked vector: see [`vectors`].
//! - **Order of tiles that are not full** below `unjam`: see [`unjam`].
//! - **Values** of expanded scalars: see [`expansion`].
//! - **Node splitting**: see [`node_splitting`].
//! - **Copies** of `pack`: see [`packing`]. Where iterations run at the same time, there is none inside, but for the blocks of a kernel, each
//!   of which has buffers of its own. There, copies are dealt out to the same threads as all else.
//! - **Sizes** ([`check_sizes`]): the condition under which a plan pays compares parameters of the program. It has to say nothing
//!   else, as both codes are right wherever it is asked.
//!
//! Example: in `for (i) for (j) { S: t = a[j][i]; T: b[j][i] = t; }` the loop over `i` is parallel if `t` is private. With
//! `t` shared, two iterations write it: refused. If `t` is used behind the loop, it is not private: refused.

mod anti;
mod blocks;
mod expansion;
mod instances;
mod kernels;
mod node_splitting;
mod packing;
mod pipelines;
mod shifts;
mod unjam;
mod vectors;

pub(crate) use expansion::{check_values, last_values_are_right};
pub use instances::{Instance, Mismatch};
pub(crate) use node_splitting::{check_node_splitting, copy_has_values};
pub(crate) use packing::check_accesses;

use crate::dependences::{ByArray, Order, restricted};
use crate::plan::{Packing, Plan, PlannedOrder};
use crate::sizes::ProfitableSizes;

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::check::{Verdict, Violation};
use farkas_polyhedral::flow;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Access, NodeSplitting, PackedTile, Program};
use farkas_polyhedral::sets::{Map, Name, Set, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Mark, Node, Path, Reach, Tree, VerifyError};
use std::fmt;

/// Why a plan is refused.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// An instance is executed more or less often than by the program.
    Instances {
        /// What is wrong.
        wrong: Mismatch,
        /// The instance.
        instance: Box<Instance>,
    },
    /// The context of the tree, or one further inside, excludes parameter values for which the plan is used.
    Context {
        /// Some of these values.
        params: Vec<(Name, Int)>,
    },
    /// The plan is used for parameter values that the program's assumptions exclude.
    Assumptions {
        /// Some of these values.
        params: Vec<(Name, Int)>,
    },
    /// The tree is not well-formed.
    Malformed(Box<VerifyError>),
    /// The tree executes a statement that is none of the program's, and copies nothing.
    Extension {
        /// The statement.
        statement: Tuple,
    },
    /// A dependence is not respected, or a band does not hold what it says about itself.
    Order(Box<Violation>),
    /// A mark of a loop is not above a loop, or makes no sense there.
    Form {
        /// The mark.
        mark: Mark,
        /// What is wrong with it.
        wrong: &'static str,
    },
    /// Two iterations of a concurrent loop access the same element.
    Race {
        /// The mark of the loop.
        mark: Mark,
        /// The array.
        array: Name,
        /// Pairs of instances that do.
        pairs: Box<UnionMap>,
    },
    /// A value of a private array enters or leaves an iteration.
    Escape {
        /// The mark of the loop.
        mark: Mark,
        /// The array.
        array: Name,
        /// Which way it goes.
        way: &'static str,
    },
    /// An array in place of a scalar does not hold the scalar's values.
    Expansion {
        /// The scalar.
        array: Name,
        /// What is wrong.
        wrong: &'static str,
    },
    /// Pieces are not the statement, or copies do not hold what is read in their place.
    NodeSplitting {
        /// The statement, or the buffer of the copies.
        array: Name,
        /// What is wrong.
        wrong: &'static str,
    },
    /// Copies of a packed array do not hold what has to be in them.
    Copies {
        /// The array.
        array: Name,
        /// What is wrong.
        wrong: &'static str,
    },
    /// The condition on sizes compares what is no parameter of the program.
    Sizes {
        /// The name.
        param: Name,
    },
}

impl Refusal {
    /// The mark that is wrong, if it is one that speaks of a loop.
    pub fn mark(&self) -> Option<&Mark> {
        match self {
            Refusal::Form { mark, .. } | Refusal::Race { mark, .. } | Refusal::Escape { mark, .. } => Some(mark),
            Refusal::Instances { .. }
            | Refusal::Context { .. }
            | Refusal::Assumptions { .. }
            | Refusal::Malformed(_)
            | Refusal::Extension { .. }
            | Refusal::Order(_)
            | Refusal::Expansion { .. }
            | Refusal::NodeSplitting { .. }
            | Refusal::Copies { .. }
            | Refusal::Sizes { .. } => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Instances { wrong, instance } => {
                let wrong = match wrong {
                    Mismatch::Missing => "not executed",
                    Mismatch::Added => "executed, but none of the program's",
                    Mismatch::Repeated => "executed more than once",
                };
                let separator = if instance.params.is_empty() { "" } else { ", for " };
                writeln!(
                    f,
                    "instance {instance} is {wrong}{separator}{}",
                    Values(&instance.params)
                )
            }
            Refusal::Context { params } => {
                writeln!(f, "a context excludes {}, for which the plan is used", Values(params))
            }
            Refusal::Assumptions { params } => {
                writeln!(f, "the program excludes {}, for which the plan is used", Values(params))
            }
            Refusal::Malformed(error) => writeln!(f, "{error}"),
            Refusal::Extension { statement } => writeln!(f, "an extension adds {statement}, which copies nothing"),
            Refusal::Order(violation) => write!(f, "{violation}"),
            Refusal::Form { mark, wrong } => writeln!(f, "mark {mark}: {wrong}"),
            Refusal::Race { mark, array, pairs } => {
                writeln!(f, "mark {mark}: iterations share elements of {array}: {pairs}")
            }
            Refusal::Escape { mark, array, way } => writeln!(f, "mark {mark}: a value of {array} {way}"),
            Refusal::Expansion { array, wrong } => writeln!(f, "expansion of {array}: {wrong}"),
            Refusal::NodeSplitting { array, wrong } => writeln!(f, "node splitting of {array}: {wrong}"),
            Refusal::Copies { array, wrong } => writeln!(f, "packed array {array}: {wrong}"),
            Refusal::Sizes { param } => writeln!(f, "sizes: {param} is no parameter"),
        }
    }
}

/// Values of parameters.
struct Values<'a>(&'a [(Name, Int)]);

impl fmt::Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.0.iter().map(|(name, value)| format!("{name} = {value}"));
        f.write_str(&values.collect::<Vec<_>>().join(", "))
    }
}

/// What a check comes to: `Ok` if the plan is legal.
pub type Checked = Result<(), Box<Refusal>>;

/// Checks that a plan executes what the program does, and that its sizes are about the program.
///
/// # Errors
///
/// If the budget is spent.
pub fn check_plan(program: &Program, plan: &Plan, b: &Budget) -> Outcome<Checked> {
    let of_threads = plan.threads.as_ref().map(|threads| &threads.sizes);
    for sizes in [&plan.sizes].into_iter().chain(of_threads) {
        if let Err(refusal) = check_sizes(program, sizes) {
            return Ok(Err(refusal));
        }
    }
    for tile in &plan.packed {
        if let Err(refusal) = packing::check_accesses(program, tile, b)? {
            return Ok(Err(refusal));
        }
    }
    if let Some(alone) = plan.order_alone()
        && let Err(refusal) = check_order(program, &alone, b)?
    {
        return Ok(Err(refusal));
    }
    check_order(program, &plan.order(), b)
}

/// Checks that an order executes what the program does.
///
/// # Errors
///
/// If the budget is spent.
pub fn check_order(program: &Program, planned: &PlannedOrder<'_>, b: &Budget) -> Outcome<Checked> {
    let PlannedOrder {
        assumptions,
        tree,
        expansions,
        packings,
        node_splitting,
    } = planned;
    if let Some(params) = instances::not_assumed(program, assumptions, b)? {
        return Ok(Err(Box::new(Refusal::Assumptions { params })));
    }
    if let Some(split) = node_splitting {
        let assumed = assumptions.intersect(&tree.context);
        return check_split_order((program, &assumed), (split, assumptions), tree, b);
    }
    let expanded = &program.with_expansions(expansions);
    let dependences = ByArray::of(expanded, b)?;
    if !expansions.is_empty() {
        let is_expanded = |array: &Tuple| {
            expansions
                .iter()
                .any(|expansion| *array == expansion.of || *array == expansion.array())
        };
        let before = ByArray::of(&restricted(program, is_expanded), b)?;
        if let Err(refusal) = check_values(program, assumptions, expansions, (&before, &dependences), b)? {
            return Ok(Err(refusal));
        }
    }
    let program = expanded;
    let fixed = Order::fixed(program, &tree.context, &dependences, b)?;
    let check = |order: &Order| check_with_order(program, assumptions, (&dependences, order), tree, packings, b);
    let first = check(&fixed)?;
    let movable = dependences.movable_arrays(program, b)?;
    match first {
        Err(refusal) if matches!(*refusal, Refusal::Order(_)) && !movable.is_empty() => {
            check(&Order::movable(program, &tree.context, &dependences, &movable, b)?)
        }
        checked => Ok(checked),
    }
}

/// Checks an order of a program with node splitting, for the parameters that are `assumed`.
pub(crate) fn check_split_order(
    (program, assumed): (&Program, &Set),
    (split, assumptions): (&NodeSplitting, &Set),
    tree: &Tree,
    b: &Budget,
) -> Outcome<Checked> {
    if let Err(refusal) = check_node_splitting(program, assumed, split, b)? {
        return Ok(Err(refusal));
    }
    let dependences = ByArray::of_node_splitting(program, split, b)?;
    let program = &program.with_node_splitting(split, b)?;
    let order = Order::fixed(program, assumed, &dependences, b)?;
    check_with_order(program, assumptions, (&dependences, &order), tree, &[], b)
}

/// Checks that a condition on sizes is about parameters of the program's context.
///
/// # Errors
///
/// The first name that is none.
pub fn check_sizes(program: &Program, sizes: &ProfitableSizes) -> Checked {
    let known = program.context.params();
    let other = sizes.params().find(|name| known.position_of(name).is_none());
    match other {
        None => Ok(()),
        Some(param) => Err(Box::new(Refusal::Sizes { param: param.clone() })),
    }
}

/// Checks what tiles hold that are in buffers in an order, whose tree is known to be legal without the copies.
pub(crate) fn check_packed(program: &Program, tree: &Tree, packed: &[PackedTile], b: &Budget) -> Outcome<Checked> {
    let packings: Vec<Packing> = packed.iter().map(Packing::of_tile).collect();
    let (_, copies) = packing::without_copies(tree, &packings, b)?;
    for tile in packed {
        if let Err(refusal) = packing::check_accesses(program, tile, b)? {
            return Ok(Err(refusal));
        }
        let of_array = accesses_of(program, &tile.array);
        let dependences = ByArray::of(&of_array, b)?;
        let own: Vec<_> = copies
            .iter()
            .filter(|copies| copies.are_of(tree, &tile.buffer))
            .collect();
        if let Err(refusal) = packing::check(program, &dependences, tree, &packings, own, b)? {
            return Ok(Err(refusal));
        }
    }
    Ok(Ok(()))
}

/// As [`check_order`], for a program with expansions, where dependences are known, and what the order has to respect.
pub(crate) fn check_with_order(
    program: &Program,
    assumptions: &Set,
    (dependences, order): (&ByArray, &Order),
    tree: &Tree,
    packings: &[Packing],
    b: &Budget,
) -> Outcome<Checked> {
    // Copies are in extension nodes. The program's own instances are ordered without them.
    let (own, copies) = packing::without_copies(tree, packings, b)?;
    let left = b.left();
    if let Err(refusal) = instances::check(program, assumptions, (tree, &own), b)? {
        return Ok(Err(refusal));
    }
    log::debug!("check of instances: {} units of work", left - b.left());
    if let Verdict::Violated(violation) = order.check(&own, b)? {
        return Ok(Err(Box::new(Refusal::Order(violation))));
    }
    match unjam::unjammed(&own) {
        Ok(others) => {
            for other in others {
                if let Verdict::Violated(violation) = order.check_among(&unjam::statements(&own), &other, b)? {
                    return Ok(Err(Box::new(Refusal::Order(violation))));
                }
            }
        }
        Err((mark, wrong)) => return refuse_form(&mark, wrong),
    }
    let checker = Checker {
        program,
        dependences,
        tree: &own,
        b,
    };
    for path in own.paths() {
        if let Some(Node::Mark(mark, child)) = own.at(&path)
            && let Err(refusal) = checker.mark(mark, child, &path.child(0))?
        {
            return Ok(Err(refusal));
        }
    }
    if let Err(refusal) = kernels::check_copies(tree) {
        return Ok(Err(refusal));
    }
    packing::check(program, dependences, tree, packings, &copies, b)
}

struct Checker<'a> {
    program: &'a Program,
    dependences: &'a ByArray,
    tree: &'a Tree,
    b: &'a Budget,
}

impl Checker<'_> {
    fn mark(&self, mark: &Mark, child: &Node, below: &Path) -> Outcome<Checked> {
        let (private, concurrent) = match mark {
            Mark::Parallel { private, .. } | Mark::Pipeline { private } => (&private[..], true),
            Mark::Vector { lanes: 0 | 1, .. } => return refuse_form(mark, "a vector has two lanes or more"),
            Mark::Jam { iterations: 0 | 1, .. } => return refuse_form(mark, "two iterations or more are jammed"),
            Mark::Vector { private, .. } | Mark::Jam { private, .. } => (&private[..], true),
            Mark::Kernel { private } => return self.kernel(mark, private, child, below),
            Mark::Blocks { .. } | Mark::Threads { .. } => return self.part_of_kernel(mark, below),
            Mark::Mma { shape } => return self.matrix_instruction(mark, *shape, below),
            Mark::Stages { stages } => return self.stages(mark, *stages, child, below),
            Mark::Block { iterations, arrays } => return self.block(mark, *iterations, arrays, below),
            Mark::Keep { arrays } => return self.keep(mark, arrays, below),
            Mark::Shift { arrays } => return self.shift(mark, arrays, below),
            Mark::Unjam { .. } | Mark::Pack { .. } | Mark::User(_) => (&[][..], false),
        };
        if !concurrent {
            return Ok(Ok(()));
        }
        let band = match child {
            Node::Band(band) if band.n() > 0 => &**band,
            _ => return refuse_form(mark, "there is no loop directly below"),
        };
        let outer = self.tree.reach(below, self.b)?;
        if let Mark::Pipeline { private } = mark {
            return self.pipeline(mark, private, &outer, band);
        }
        let first = |band: &Band| Node::band(band.clone().select(&[0]));
        let mut inner = outer.through(&first(band), 0, self.b)?;
        if let Mark::Vector {
            lanes, masked: true, ..
        } = mark
            && !vectors::fit(&inner, *lanes, self.b)?
        {
            return refuse_form(mark, "there may be more iterations than lanes");
        }
        let mark_at = below.parent().expect("a mark around its child");
        if is_inside_of_copies(self.tree, &mark_at, mark) {
            return Ok(Ok(()));
        }
        let copies = copies_inside(mark, band);
        for (_, band) in &copies {
            inner = inner.through(&first(band), 0, self.b)?;
        }
        let lanes = anti::Lanes::of(self.tree, &mark_at, [(mark, band)].into_iter().chain(copies), &inner);
        self.concurrent(mark, private, &outer, &inner, lanes.as_ref())
    }

    /// Whether iterations may run at the same time that `inner` tells apart and `outer` does not. Those of `lanes` keep some pairs in order.
    fn concurrent(
        &self,
        mark: &Mark,
        private: &[Name],
        outer: &Reach,
        inner: &Reach,
        lanes: Option<&anti::Lanes<'_>>,
    ) -> Outcome<Checked> {
        let same_iteration = inner.together(self.b)?;
        if let Some(refusal) = self.escape(mark, private, outer, &same_iteration)? {
            return Ok(Err(refusal));
        }
        let reduced = match mark {
            Mark::Parallel { reduction, .. } => &reduction[..],
            _ => &[],
        };
        if reduced
            .iter()
            .any(|name| private.contains(name) || !self.only_reduces(name, outer))
        {
            return refuse_form(mark, "a reduction is not all that accesses its array");
        }
        self.no_race(mark, &[private, reduced].concat(), outer, &same_iteration, lanes)
    }

    /// Whether instances that reach a node with the same values of the outer members access no element of an array of which one of them
    /// writes, if they are not in the same iteration and `lanes` may change their order; `own` are the arrays of which each iteration has its own
    /// copy.
    fn no_race(
        &self,
        mark: &Mark,
        own: &[Name],
        outer: &Reach,
        same_iteration: &UnionMap,
        lanes: Option<&anti::Lanes<'_>>,
    ) -> Outcome<Checked> {
        let same_outer = outer.together(self.b)?;
        for array in self.program.arrays.keys() {
            let name = array.name().expect("an array has a name");
            if own.contains(name) {
                continue;
            }
            let conflicts = self.conflicts(array, outer)?;
            let carried = conflicts.intersect(&same_outer).subtract(same_iteration, self.b)?;
            if carried.is_empty(self.b)? {
                continue;
            }
            if let Some(lanes) = lanes {
                let pairs = same_outer.subtract(same_iteration, self.b)?;
                if self.keeps_order(array, lanes, &pairs)? {
                    continue;
                }
            }
            return Ok(Err(Box::new(Refusal::Race {
                mark: mark.clone(),
                array: name.clone(),
                pairs: Box::new(carried),
            })));
        }
        Ok(Ok(()))
    }

    /// Whether, of the instances that reach a node, only those of one statement access an array, and these only to contribute to a
    /// reduction in it. Two statements may combine by different operations.
    fn only_reduces(&self, name: &Name, reach: &Reach) -> bool {
        let mut statements = self.program.statements.iter().filter_map(|statement| {
            let is_of_array = |access: &&Access| access.array().name() == Some(name);
            let accesses: Vec<&Access> = statement.accesses.iter().filter(is_of_array).collect();
            let is_reached = reach.instances.sets().any(|set| set.tuple() == statement.tuple());
            (is_reached && !accesses.is_empty()).then_some(accesses)
        });
        let first = statements.next();
        let is_alone = statements.next().is_none();
        is_alone && first.is_some_and(|accesses| accesses.iter().all(|access| access.reduction.is_some()))
    }

    /// A private array of which a value enters or leaves an iteration.
    fn escape(
        &self,
        mark: &Mark,
        private: &[Name],
        outer: &Reach,
        same_iteration: &UnionMap,
    ) -> Outcome<Option<Box<Refusal>>> {
        for array in self.program.arrays.keys() {
            let name = array.name().expect("an array has a name");
            if private.contains(name)
                && let Some(way) = self.escapes(array, outer, same_iteration)?
            {
                return Ok(Some(Box::new(Refusal::Escape {
                    mark: mark.clone(),
                    array: name.clone(),
                    way,
                })));
            }
        }
        Ok(None)
    }

    /// The pairs of instances that reach a node and access the same element of an array, of which one writes it.
    fn conflicts(&self, array: &Tuple, reach: &Reach) -> Outcome<UnionMap> {
        let mut part = accesses_of(self.program, array);
        part.statements.retain(|statement| {
            !statement.accesses.is_empty() && reach.instances.sets().any(|set| set.tuple() == statement.tuple())
        });
        flow::memory_based(&part, self.b)
    }

    /// How a value of a private array enters or leaves an iteration, if one does.
    fn escapes(&self, array: &Tuple, outer: &Reach, same_iteration: &UnionMap) -> Outcome<Option<&'static str>> {
        let Some(own) = self.dependences.arrays().get(array) else {
            return Ok(None);
        };
        let under = &outer.instances;
        let crossing = own.flow.subtract(same_iteration, self.b)?;
        if !crossing.intersect_range(under).is_empty(self.b)? {
            return Ok(Some("comes from another iteration, or from outside"));
        }
        if !crossing.intersect_domain(under).is_empty(self.b)? {
            return Ok(Some("is used outside of the loop"));
        }
        if !own.live_in.intersect_domain(under).is_empty(self.b)? {
            return Ok(Some("comes from before the program"));
        }
        let live_out = live_out(self.program, array, self.b)?;
        if !live_out.intersect_domain(under).is_empty(self.b)? {
            return Ok(Some("may be used after the program"));
        }
        Ok(None)
    }
}

/// The marks and bands of lanes and jammed iterations right inside of those of a mark: `jam(2) [v] { vector(8) [i] { jam(4) [j] } }` has `[i]` and `[j]` inside
/// of `[v]`. Iterations of the first one, of the next one in the same iteration of that, and so on, may run side by side if those of all of
/// them together may: one question instead of three.
fn copies_inside<'t>(mark: &Mark, band: &'t Band) -> Vec<(&'t Mark, &'t Band)> {
    let mut bands: Vec<(&Mark, &Band)> = Vec::new();
    let mut around = band;
    while around.n() == 1
        && let Node::Mark(inside, child) = &around.child
        && let Node::Band(band) = &**child
        && band.n() > 0
        && are_copies(mark, inside)
    {
        bands.push((inside, band));
        around = band;
    }
    bands
}

/// Whether a mark is among those that are asked about together with one around.
fn is_inside_of_copies(tree: &Tree, path: &Path, mark: &Mark) -> bool {
    let around = || {
        let band = path.parent()?;
        let mark = band.parent()?;
        match (tree.at(&mark)?, tree.at(&band)?) {
            (Node::Mark(mark, _), Node::Band(band)) if band.n() == 1 => Some(mark),
            _ => None,
        }
    };
    around().is_some_and(|around| are_copies(around, mark))
}

/// Whether two marks are about lanes or jammed iterations that have copies of the same arrays.
fn are_copies(around: &Mark, inside: &Mark) -> bool {
    let private = |mark: &Mark| match mark {
        Mark::Vector { private, .. } | Mark::Jam { private, .. } => Some(private.clone()),
        _ => None,
    };
    private(around).is_some_and(|own| private(inside) == Some(own))
}

/// Whether a value of an array may be used after the program.
pub(crate) fn lives_on(program: &Program, array: &Tuple, b: &Budget) -> Outcome<bool> {
    Ok(!live_out(program, array, b)?.is_empty(b)?)
}

/// The instances that write what may be used after the program, with the elements.
pub(crate) fn live_out(program: &Program, array: &Tuple, b: &Budget) -> Outcome<UnionMap> {
    let part = accesses_of(program, array);
    flow::live_out(&part, b)?.subtract(&killed_after(&part, b)?, b)
}

/// The elements that are killed after an instance: from instances to elements. No value that is there before is of
/// interest then.
fn killed_after(program: &Program, b: &Budget) -> Outcome<UnionMap> {
    let params = program.context.params();
    let mut killed = UnionMap::empty(params.clone());
    for kill in &program.kills {
        for statement in &program.statements {
            let before = Map::lex_lt(params.clone(), statement.schedule.space().range.clone());
            let times = statement.schedule.to_map().intersect_domain(&statement.domain);
            let later = times
                .apply_range(&before, b)?
                .apply_range(&kill.schedule.to_map().reverse(), b)?;
            killed.add(&later.apply_range(&kill.relation, b)?);
        }
    }
    Ok(killed)
}

/// The program as far as it accesses one array.
pub(crate) fn accesses_of(program: &Program, array: &Tuple) -> Program {
    restricted(program, |accessed| accessed == array)
}

fn refuse_form(mark: &Mark, wrong: &'static str) -> Outcome<Checked> {
    Ok(Err(Box::new(Refusal::Form {
        mark: mark.clone(),
        wrong,
    })))
}
