//! A plan: all that a back end may know of how a program is to be executed.

use crate::cost::Cost;
use crate::sizes::ProfitableSizes;
use crate::summary::Summary;
use crate::transform::Transform;
use farkas_polyhedral::ast::Ast;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Expansion, NodeSplitting, PackedTile};
use farkas_polyhedral::sets::{Aff, Map, Name, Params, PwAff, Set, SetSpace, Tuple};
use farkas_polyhedral::tree::Tree;

/// A way to execute a program, checked, with what it is expected to gain.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The order.
    pub tree: Tree,
    /// What was done to get there, in the order in which it was applied.
    pub transforms: Vec<Transform>,
    /// The expected cost of the original order.
    pub before: Cost,
    /// The expected cost of this one.
    pub after: Cost,
    /// The parameter values for which it is right, where the program is: the program's assumptions without the cases in
    /// which nothing is executed.
    pub assumptions: Set,
    /// The sizes for which it pays. The original runs for all others. The order would be right for these, too.
    pub sizes: ProfitableSizes,
    /// What there is to know of the loops that run on threads, if there are any.
    pub threads: Option<Threads>,
    /// The scalar slots that have arrays in their place. The order is right only with these.
    pub expansions: Vec<Expansion>,
    /// The tiles of arrays in the buffers of `pack` marks. The order is right only with these.
    pub packed: Vec<PackedTile>,
    /// The pieces of statements that the order is of, and the copies that some read; `None` where it is of whole statements.
    pub node_splitting: Option<NodeSplitting>,
    /// The loops, which are right for the sizes for which the plan pays. Its parameters are those of the assumptions.
    pub ast: Ast,
    /// What runs in their place where there is one thread, if that is something else.
    pub alone: Option<Alone>,
}

/// An order for one thread.
#[derive(Clone, Debug)]
pub struct Alone {
    /// The order. It is right with the same arrays.
    pub tree: Tree,
    /// Its loops, for the same sizes.
    pub ast: Ast,
}

/// What the buffer of a `pack` mark holds.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The array, as accesses name it.
    pub array: Tuple,
    /// The buffer.
    pub buffer: Name,
    /// From elements of the array to their places in the buffer: integers from 0 on in each dimension, by values of the
    /// parameters only.
    pub places: Map,
    /// The places that the buffer has.
    pub size: Set,
    /// From elements of the array to tiles, if all that are accessed in the same iteration of the outer members are in one of these.
    pub tiles: Option<Map>,
    /// The statement that copies in, if any is copied in.
    pub copy_in: Option<Tuple>,
    /// The statement that copies out, if any is copied out.
    pub copy_out: Option<Tuple>,
}

impl Packing {
    /// What the buffer of a tile holds, which is copied in.
    pub(crate) fn of_tile(tile: &PackedTile) -> Packing {
        let none = Params::none();
        let place = SetSpace::new(none.clone(), Tuple::anonymous(tile.dims.len()));
        let all = Set::universe(place.clone());
        let size = tile.dims.iter().enumerate().fold(all, |size, (dim, own)| {
            let value = Aff::var(place.clone(), dim);
            let largest = Aff::constant(place.clone(), Int::from(own.size - 1));
            let within = [PwAff::from(value.clone()), PwAff::from(largest.sub(&value))];
            within.iter().fold(size, |size, aff| size.intersect(&aff.nonneg_set()))
        });
        Packing {
            array: tile.array.clone(),
            buffer: tile.buffer.clone(),
            places: tile.places(&none).to_map(),
            size,
            tiles: Some(tile.tiles(&none).to_map()),
            copy_in: Some(tile.copy_in.clone()),
            copy_out: None,
        }
    }
}

/// A way to execute a program in kernels on a device, checked.
#[derive(Clone, Debug)]
pub struct KernelPlan {
    /// The order. All statements are below `kernel` marks.
    pub tree: Tree,
    /// What was done to get there, in the order in which it was applied.
    pub transforms: Vec<Transform>,
    /// The tiles of arrays that are in shared memory below `pack` marks.
    pub packed: Vec<PackedTile>,
    /// The sizes for which it pays.
    pub sizes: ProfitableSizes,
    /// The time of the host over that of the device, where that was asked for.
    pub gain: Option<f64>,
    /// The parameter values for which it is right, as those of a [`Plan`].
    pub assumptions: Set,
    /// The loops, with `kernel` marks. Its parameters are those of the assumptions. Each call is in one loop for each member of the bands
    /// below `blocks` and `threads`: see [`For::BLOCKS`](farkas_polyhedral::ast::For::BLOCKS).
    pub ast: Ast,
}

/// An order of a program with all that it is right with.
#[derive(Clone, Debug)]
pub struct PlannedOrder<'a> {
    /// The parameter values for which it is used, besides those that the program's context excludes.
    pub assumptions: &'a Set,
    /// The order, with marks.
    pub tree: &'a Tree,
    /// The scalar slots that have arrays in their place.
    pub expansions: &'a [Expansion],
    /// What the buffers of `pack` marks hold.
    pub packings: Vec<Packing>,
    /// The pieces of statements that it is an order of, and the copies that some read.
    pub node_splitting: Option<&'a NodeSplitting>,
}

/// When loops with `parallel` marks run on threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Threads {
    /// The expected cycles of the whole program on the threads that the target has.
    pub cycles: f64,
    /// The sizes for which that pays. For others they run on one.
    pub sizes: ProfitableSizes,
    /// Whether the order pays on threads only: where there is but one, the original runs.
    pub only: bool,
}

impl Plan {
    /// What was done, for which sizes, and what is expected of it.
    pub fn summary(&self) -> Summary {
        let ratio = self
            .expected_ratio_on_threads()
            .unwrap_or_else(|| self.expected_ratio());
        Summary {
            transforms: self.transforms.clone(),
            sizes: self.sizes.clone(),
            threads: self.threads.as_ref().map(|threads| threads.sizes.clone()),
            gain: Some(1.0 / ratio),
        }
    }

    /// The expected time of the new order, on one thread, over that of the original.
    pub fn expected_ratio(&self) -> f64 {
        self.after.cycles() / self.before.cycles().max(1.0)
    }

    /// The expected time of the new order on threads over that of the original, if loops run on threads.
    pub fn expected_ratio_on_threads(&self) -> Option<f64> {
        let threads = self.threads.as_ref()?;
        Some(threads.cycles / self.before.cycles().max(1.0))
    }

    /// The order, with all that it is right with.
    pub fn order(&self) -> PlannedOrder<'_> {
        self.order_of(&self.tree)
    }

    /// The order for one thread, where that is another one.
    pub fn order_alone(&self) -> Option<PlannedOrder<'_>> {
        self.alone.as_ref().map(|alone| self.order_of(&alone.tree))
    }

    fn order_of<'p>(&'p self, tree: &'p Tree) -> PlannedOrder<'p> {
        PlannedOrder {
            assumptions: &self.assumptions,
            tree,
            expansions: &self.expansions,
            packings: self.packed.iter().map(Packing::of_tile).collect(),
            node_splitting: self.node_splitting.as_ref(),
        }
    }
}

impl KernelPlan {
    /// What was done.
    pub fn summary(&self) -> Summary {
        Summary {
            transforms: self.transforms.clone(),
            sizes: self.sizes.clone(),
            threads: None,
            gain: self.gain,
        }
    }

    /// The order, with all that it is right with.
    pub fn order(&self) -> PlannedOrder<'_> {
        PlannedOrder {
            assumptions: &self.assumptions,
            tree: &self.tree,
            expansions: &[],
            packings: self.packed.iter().map(Packing::of_tile).collect(),
            node_splitting: None,
        }
    }
}
