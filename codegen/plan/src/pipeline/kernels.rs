//! The way of a program to kernels of a device: flow, schedule with coincident outer members, mapping, check, AST.

use std::fmt::Display;

use farkas_polyhedral::ast::{self, AstError, For, Node, Upper};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::Set;
use farkas_polyhedral::tree::{Mark, Tree};

use super::{Stage, assumptions_on_loops, plan, show_dependences, with_instances};
use crate::annotate::Annotate;
use crate::check::{check_accesses, check_with_order};
use crate::choices::Choices;
use crate::cost::Model;
use crate::dependences::{ByArray, Order};
use crate::kept::Kept;
use crate::kernels::{Mapped, Prices, Shape, Tiling, mapped, profitable_sizes};
use crate::plan::{KernelPlan, Packing, Plan};
use crate::schedules;
use crate::sizes::ProfitableSizes;
use crate::target::{Features, Gpu, Target};
use crate::transform::pack::{Place, with_copies};

/// Where kernels run.
#[derive(Clone, Copy, Debug)]
pub enum Offload<'t> {
    /// Wherever they may.
    Always,
    /// Where a device is expected to take less time than the host with its own plan, copies included.
    WherePays {
        /// The host.
        target: &'t Target,
        /// What the host's plan is made by.
        choices: &'t Choices,
        /// The device.
        gpu: &'t Gpu,
    },
}

/// Plans the execution of a program in kernels. `show` is given the results of stages in text form.
///
/// # Errors
///
/// Why the program stays as it is.
pub fn plan_kernels(
    program: &Program,
    offload: Offload<'_>,
    features: Features,
    show: &dyn Fn(Stage, &dyn Display),
    b: &Budget,
) -> Result<KernelPlan, Kept> {
    let plan = priced(program, (offload, features), show, b)?;
    show(Stage::Plan, &plan.tree);
    show(Stage::Ast, &plan.ast);
    Ok(plan)
}

/// The plan, with the sizes for which it pays.
fn priced(
    original: &Program,
    (offload, features): (Offload<'_>, Features),
    show: &dyn Fn(Stage, &dyn Display),
    b: &Budget,
) -> Result<KernelPlan, Kept> {
    let assumptions = with_instances(original, b)?;
    if assumptions.pieces().is_empty() {
        return Err(Kept::NeverHolds);
    }
    let executed = Program {
        assumptions: assumptions.clone(),
        ..original.clone()
    };
    let program = executed.without_far_bounds().without_unused_params(b)?;
    let dependences = ByArray::of(&program, b)?;
    show_dependences(&dependences, show);
    let assumed = assumptions_on_loops(&assumptions, &program, b)?;
    let search = Search {
        program: &program,
        host: host_share(original, offload, b.left()),
        offload,
        features,
        dependences: &dependences,
        assumptions: &assumptions,
        assumed: &assumed,
        show,
        b,
    };
    let movable = dependences.movable_arrays(&program, b)?;
    let with_movable = match movable.is_empty() {
        true => None,
        false => match Order::movable(&program, &assumed, &dependences, &movable, b)
            .map_err(Kept::from)
            .and_then(|order| search.by_order(&order))
        {
            Err(Kept::OutOfBudget) => return Err(Kept::OutOfBudget),
            planned => planned.ok(),
        },
    };
    match with_movable {
        Some(plan) => Ok(plan),
        None => search.by_order(&Order::fixed(&program, &assumed, &dependences, b)?),
    }
}

/// The share of the original's time that the host is expected to take with a plan of its own.
fn host_share(program: &Program, offload: Offload<'_>, work: u64) -> f64 {
    let Offload::WherePays { target, choices, .. } = offload else {
        return 1.0;
    };
    let share = |plan: Plan| {
        let after = plan
            .threads
            .as_ref()
            .map_or(plan.after.cycles(), |threads| threads.cycles);
        after / plan.before.cycles().max(1.0)
    };
    plan(program, target, choices, &|_, _| {}, &Budget::new(work)).map_or(1.0, share)
}

/// What a plan is searched by.
struct Search<'a> {
    program: &'a Program,
    offload: Offload<'a>,
    /// What the device has.
    features: Features,
    /// The share of the original's time that the host takes.
    host: f64,
    dependences: &'a ByArray,
    assumptions: &'a Set,
    assumed: &'a Set,
    show: &'a dyn Fn(Stage, &dyn Display),
    b: &'a Budget,
}

impl Search<'_> {
    /// The plan that respects an order.
    fn by_order(&self, order: &Order) -> Result<KernelPlan, Kept> {
        let b = self.b;
        (self.show)(Stage::Dependences, &order.constraints);
        let tree = Tree {
            context: self.assumed.clone(),
            ..schedules::outer_coincident(&order.constraints, b)?
        };
        (self.show)(Stage::Schedule, &tree);
        let plan = self.best_tiled(order, &tree)?;
        Ok(KernelPlan {
            ast: plan.ast.align_params(self.assumptions.params()),
            ..plan
        })
    }

    /// The plan with the most tiles that there is.
    fn best_tiled(&self, order: &Order, tree: &Tree) -> Result<KernelPlan, Kept> {
        for tiling in [Tiling::Shared, Tiling::Registers] {
            // There is more to check and to generate than without, which may be too much.
            let most = self.b.left() / 3 * 2;
            match self.b.trial(most, |b| Ok(self.tiled(order, tree, tiling, b)))?? {
                Ok(Some(plan)) => return Ok(plan),
                Ok(None) => {}
                Err(kept) => log::debug!("no tiles, {tiling:?}: {kept}"),
            }
        }
        self.tiled(order, tree, Tiling::None, self.b)?.ok_or(Kept::NoKernels)
    }

    /// The plan of a schedule with tiles; `None` where there are none of that kind.
    fn tiled(&self, order: &Order, tree: &Tree, tiling: Tiling, b: &Budget) -> Result<Option<KernelPlan>, Kept> {
        let mapped = mapped(self.program, tree, (tiling, self.features), b)?;
        if mapped.tiling() != tiling {
            return Ok(None);
        }
        let Mapped {
            tree,
            transforms,
            kernels,
        } = mapped;
        let (sizes, gain) = self.sizes(order, &kernels, b)?;
        let Some((tree, packed)) = with_copies(&tree, self.program, Place::Shared, b)? else {
            return Ok(None);
        };
        log::debug!("kernels, {tiling:?}: mapped, {} units of work left", b.left());
        for tile in &packed {
            if let Err(refusal) = check_accesses(self.program, tile, b)? {
                log::debug!("kernels refused: {refusal}");
                return Err(Kept::NotLegal);
            }
        }
        let packings: Vec<Packing> = packed.iter().map(Packing::of_tile).collect();
        let own = (self.dependences, order);
        if let Err(refusal) = check_with_order(self.program, self.assumptions, own, &tree, &packings, b)? {
            log::debug!("kernels refused: {refusal}");
            return Err(Kept::NotLegal);
        }
        log::debug!("kernels, {tiling:?}: checked, {} units of work left", b.left());
        let mut annotate = Annotate::of_program(self.program, &[]);
        let generated = ast::generate_with(&tree, &ast::Options::default(), &mut annotate, b);
        let ast = generated.map_err(|error| match error {
            AstError::OutOfBudget(_) => Kept::OutOfBudget,
            other => Kept::NoLoops(other.to_string()),
        })?;
        log::debug!("kernels, {tiling:?}: loops, {} units of work left", b.left());
        if ast.root.has_endless_loop() {
            return Err(Kept::NoLoops("a loop would never end".into()));
        }
        if !is_dealt_out(&ast.root) {
            return Err(Kept::NoLoops("a loop of a kernel is missing".into()));
        }
        Ok(Some(KernelPlan {
            tree,
            transforms,
            packed,
            sizes,
            gain,
            ast,
            assumptions: self.assumptions.clone(),
        }))
    }

    /// The sizes for which kernels pay, and what they gain.
    fn sizes(&self, order: &Order, kernels: &[Shape], b: &Budget) -> Result<(ProfitableSizes, Option<f64>), Kept> {
        let Offload::WherePays { target, gpu, .. } = self.offload else {
            return Ok((ProfitableSizes::all(), None));
        };
        let model = Model::new(self.program, &order.serializing, target, b)?;
        let prices = Prices {
            host: &model,
            share: self.host,
            gpu,
            kernels,
        };
        match profitable_sizes(&prices, b)? {
            Some((sizes, gain)) => Ok((sizes, Some(gain))),
            None => Err(Kept::NoGain(
                "no gain expected with copies to a device and back".to_owned(),
            )),
        }
    }
}

/// Whether each call of a host's node is in a kernel, and there in one loop for each dimension of its blocks and threads.
fn is_dealt_out(node: &Node) -> bool {
    match node {
        Node::Mark {
            mark: Mark::Kernel { private },
            body,
        } => (private.is_empty() || is_one_nest(body)) && is_kernel(body, &Within::Kernel),
        Node::Mark { body, .. } => is_dealt_out(body),
        Node::Block(nodes) => nodes.iter().all(is_dealt_out),
        Node::For(inner) => is_dealt_out(&inner.body),
        Node::If { then, otherwise, .. } => is_dealt_out(then) && otherwise.iter().all(|node| is_dealt_out(node)),
        Node::Call(_) => false,
    }
}

/// Whether there is one loop for each member of the bands of a kernel, so that all parts of an iteration are in one place: they share
/// private scalars.
fn is_one_nest(node: &Node) -> bool {
    match node {
        Node::For(inner) if inner.is_annotated(For::BLOCK_THREADS[0]) => true,
        Node::For(inner) => is_one_nest(&inner.body),
        Node::Mark { body, .. } => is_one_nest(body),
        Node::If { then, otherwise, .. } => otherwise.is_none() && is_one_nest(then),
        Node::Block(_) | Node::Call(_) => false,
    }
}

/// Where in a kernel a node is: what the annotations of the loops are that are still to come, outermost first.
enum Within {
    /// There was no `blocks` mark.
    Kernel,
    /// These loops over blocks are missing.
    Blocks(Vec<&'static str>),
    /// These loops over threads are missing.
    Threads(Vec<&'static str>),
}

/// The same for a node of a kernel.
fn is_kernel(node: &Node, within: &Within) -> bool {
    let along = |all: &[&'static str; 3], members| all.iter().take(members).rev().copied().collect();
    match node {
        Node::Mark { mark, body } => match (mark, within) {
            (Mark::Blocks { members }, Within::Kernel) => {
                is_kernel(body, &Within::Blocks(along(&For::BLOCKS, *members as usize)))
            }
            (Mark::Pack { .. } | Mark::Stages { .. } | Mark::Mma { .. }, Within::Blocks(missing)) => {
                missing.is_empty() && is_kernel(body, within)
            }
            (Mark::Threads { sizes }, Within::Blocks(missing)) => {
                missing.is_empty() && is_kernel(body, &Within::Threads(along(&For::BLOCK_THREADS, sizes.len())))
            }
            _ => false,
        },
        Node::Block(nodes) => nodes.iter().all(|node| is_kernel(node, within)),
        Node::For(inner) => {
            let is_annotated = |annotation: &&str| inner.is_annotated(annotation);
            let has_end = matches!(inner.upper, Upper::AtMost(_));
            let is_next = |missing: &[&'static str]| has_end && missing.first().is_some_and(is_annotated);
            match within {
                Within::Blocks(missing) if is_next(missing) => {
                    is_kernel(&inner.body, &Within::Blocks(missing[1..].to_vec()))
                }
                Within::Threads(missing) if is_next(missing) => {
                    is_kernel(&inner.body, &Within::Threads(missing[1..].to_vec()))
                }
                Within::Blocks(missing) | Within::Threads(missing) => {
                    let is_other = !For::BLOCKS.iter().chain(&For::BLOCK_THREADS).any(is_annotated);
                    missing.is_empty() && is_other && is_kernel(&inner.body, within)
                }
                Within::Kernel => false,
            }
        }
        Node::If { then, otherwise, .. } => {
            is_kernel(then, within) && otherwise.iter().all(|node| is_kernel(node, within))
        }
        Node::Call(_) => matches!(within, Within::Threads(missing) if missing.is_empty()),
    }
}
