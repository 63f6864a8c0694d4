//! What LLVM's passes are told of new loops: what not to unroll, and what not to vectorize.

use farkas_llvm::edit::{AROUND_LANES, Metadata};
use farkas_polyhedral::ast::rows::loops;
use farkas_polyhedral::ast::{For, Node, TripCount};
use farkas_polyhedral::tree::Mark;

use super::Emitter;

/// What holds for new loops if it holds for all of the original's. What else is asked of loops declines them.
const KEPT_ATTRIBUTES: [&str; 2] = ["llvm.loop.mustprogress", UNROLL_DISABLE];

const UNROLL_DISABLE: &str = "llvm.loop.unroll.disable";

const UNROLL_FULL: &str = "llvm.loop.unroll.full";

/// Numbers of iterations for which LLVM unrolls a loop completely before its vectorizer looks at it, and which fill vectors all the
/// same. If the loop may be vectorized, it is unrolled afterwards only: the vectorizer would take the next loop outside, along which
/// accesses are apart.
const FILLS_VECTORS: std::ops::RangeInclusive<i64> = 16..=64;

/// LLVM does not unroll loops by a factor that have at most so many iterations, if their number is not a constant: rests of tiles and
/// triangles in them. Vectors and unrolled bodies leave little of such a loop, and the code for the rest takes time to compile.
const IN_TILE: i64 = 64;

/// Loops with more iterations are long: those around them are not unrolled completely. Loops over lanes are not long.
const LONG: i64 = 16;

/// Iterations of the two loops of a small window: 3 x 3.
const SMALL_WINDOW: i64 = 9;

const UNROLL_RUNTIME_DISABLE: &str = "llvm.loop.unroll.runtime.disable";

/// What LLVM's passes are told of a loop.
#[derive(Clone, Copy, Default)]
pub(super) struct Hints {
    /// It has vector code.
    pub(super) is_vectorized: bool,
    /// It may be vectorized, but not be unrolled before.
    pub(super) is_kept_whole: bool,
    /// The number of iterations is a constant: where these fill many vectors, LLVM would unroll a dozen of them completely.
    pub(super) is_constant: bool,
    /// It is too short for vectors and for unrolling by a factor.
    pub(super) is_short: bool,
    /// Its stores are apart.
    pub(super) scatters: bool,
    /// It has few iterations, and LLVM does not see how many: it is not unrolled by a factor.
    pub(super) is_in_tile: bool,
    /// It is around a loop that is not short: LLVM would unroll a few tiles completely, with all the code in them.
    pub(super) is_around_long: bool,
    /// It is a short loop of a kernel around points of a thread: unrolled, its addresses are constant distances, and several elements are
    /// loaded at once.
    pub(super) is_unrolled: bool,
    /// Its code is to be short: unrolled, its addresses would take registers that other loops need.
    pub(super) is_rolled: bool,
    /// There are lanes in it: LLVM would copy all of their code for each condition that stays the same in the loop.
    pub(super) is_around_lanes: bool,
}

impl<'a> Emitter<'_, 'a, '_> {
    /// What is known of a loop by its iterations, and by what is in it.
    pub(super) fn hints(&self, node: &For, trip_count: TripCount) -> Hints {
        let is_around_long = self.has_long_loop(&node.body);
        Hints {
            is_kept_whole: is_kept_whole(node, trip_count),
            is_short: (trip_count.is_short() || self.in_ends) && !is_around_long,
            is_in_tile: !trip_count.is_constant && trip_count.most.is_some_and(|most| most <= IN_TILE),
            is_around_long,
            is_unrolled: self.in_block.is_some()
                && trip_count.is_constant
                && !is_around_long
                && trip_count.most.is_some_and(|most| most <= LONG),
            is_around_lanes: node.body.has_mark(&|mark| matches!(mark, Mark::Vector { .. })),
            is_constant: trip_count.is_constant,
            is_rolled: node.is_annotated(For::BORDER) && self.is_large_window(node, trip_count),
            ..Hints::default()
        }
    }

    /// Whether a loop is the outer one of two of a window that is no small one. There are four copies of a border, and LLVM's vectorizers take long
    /// for windows that are unrolled: a second for 5 x 5 pixels.
    fn is_large_window(&self, node: &For, trip_count: TripCount) -> bool {
        let inside = loops(&node.body).into_iter();
        let most = inside.filter_map(|inner| self.trip_counts[inner.iter.0].most).max();
        let size = trip_count.most.zip(most).map(|(own, inner)| own.saturating_mul(inner));
        trip_count.is_constant && size.is_some_and(|size| size > SMALL_WINDOW)
    }

    /// The identifier of a loop, of whose accesses those of the `group` are parallel.
    pub(super) fn loop_id(&self, group: Option<Metadata<'a>>, hints: Hints) -> Metadata<'a> {
        let named = |name: &str| self.run.metadata_node(&[self.run.metadata_text(name)]);
        let mut properties = vec![self.run.new_mark()];
        for kept in KEPT_ATTRIBUTES {
            if self.scop.loops.iter().all(|l| l.handle.has_attribute(kept)) {
                properties.push(named(kept));
            }
        }
        if group.is_some() && (hints.is_kept_whole || hints.is_constant) {
            let (new, vectorized) = (self.run.new_mark(), self.is_vectorized());
            let afterwards = self.run.metadata_text("llvm.loop.vectorize.followup_all");
            properties.extend(hints.is_kept_whole.then(|| named(UNROLL_DISABLE)));
            let disable = (!hints.is_kept_whole).then(|| named(UNROLL_DISABLE));
            let attributes: Vec<_> = [afterwards, new, vectorized].into_iter().chain(disable).collect();
            properties.push(self.run.metadata_node(&attributes));
        }
        if let Some(group) = group {
            let name = self.run.metadata_text("llvm.loop.parallel_accesses");
            properties.push(self.run.metadata_node(&[name, group]));
        }
        if hints.is_around_long {
            properties.push(named(UNROLL_DISABLE));
            properties.extend(hints.is_around_lanes.then(|| named(AROUND_LANES)));
        }
        properties.extend(hints.is_rolled.then(|| named(UNROLL_DISABLE)));
        properties.extend(hints.is_unrolled.then(|| named(UNROLL_FULL)));
        if hints.is_vectorized || hints.is_short || hints.scatters {
            properties.push(self.is_vectorized());
        }
        if hints.is_short || hints.is_in_tile {
            properties.push(named(UNROLL_RUNTIME_DISABLE));
        }
        self.run.distinct_node(&properties, true)
    }

    /// Whether there is a loop in the subtree that may have many iterations.
    fn has_long_loop(&self, node: &Node) -> bool {
        loops(node).into_iter().any(|inner| {
            // A thread has one iteration of those that are dealt out, or a few.
            let is_dealt_out = For::BLOCK_THREADS
                .iter()
                .any(|annotation| inner.is_annotated(annotation));
            let is_long = !is_dealt_out && self.trip_counts[inner.iter.0].most.is_none_or(|most| most > LONG);
            is_long || self.has_long_loop(&inner.body)
        })
    }

    /// Says of a loop that it is not to be vectorized.
    fn is_vectorized(&self) -> Metadata<'a> {
        let name = self.run.metadata_text("llvm.loop.isvectorized");
        self.run.metadata_node(&[name, self.run.metadata_number(1)])
    }
}

/// Whether a loop executes one instance in each of a constant number of iterations that is in [`FILLS_VECTORS`].
fn is_kept_whole(node: &For, trip_count: TripCount) -> bool {
    let fills = trip_count.most.is_some_and(|most| FILLS_VECTORS.contains(&most));
    matches!(node.body, Node::Call(_)) && trip_count.is_constant && fills
}
