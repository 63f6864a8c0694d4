//! Short loops inside each other, which LLVM unrolls completely where their numbers of iterations are constants.
//!
//! The statement enters no loop then. Its SLP vectorizer makes vectors of what it finds there, along a loop that carries nothing:
//!
//! ```text
//! for (t) for (i < 4) for (j < 4) for (k < 4) c[t][i][j] += a[t][i][k] * b[t][k][j];     vectors along j, nothing waits
//! for (x) for (c) for (r < 3) for (s < 3) y[x] += w[c][r][s] * u[c][x + r + s];          no vectors, each sum waits for the one before
//! ```

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::Tuple;
use indexmap::IndexMap;

use super::{Cost, Model};
use crate::analysis::levels::Levels;
use crate::analysis::nest::{Nest, NestLoop};

/// LLVM unrolls loops of so many iterations completely, as long as no more copies of a statement come of it.
const SHORT: f64 = 8.0;
const MOST_COPIES: f64 = 128.0;

/// What a statement takes in loops that are unrolled completely.
struct Unrolled {
    /// Cycles by throughput.
    throughput: f64,
    /// Whether the loop around them waits for itself.
    waits: bool,
}

impl Model<'_> {
    /// Changes the cost of groups all of whose statements are in loops that LLVM unrolls completely.
    pub(super) fn unroll_completely(
        &self,
        cost: &mut Cost,
        nests: &IndexMap<Tuple, Nest>,
        levels: &Levels,
        b: &Budget,
    ) -> Outcome<()> {
        for group in &mut cost.groups {
            let mut unrolled = Vec::new();
            for tuple in &group.statements {
                unrolled.extend(self.unrolled_completely(tuple, &nests[tuple], levels, b)?);
            }
            if unrolled.len() < group.statements.len() {
                continue;
            }
            let throughput = unrolled.iter().map(|one| one.throughput).sum();
            group.throughput = group.throughput.min(throughput);
            if unrolled.iter().all(|one| !one.waits) {
                group.latency = 0.0;
            }
        }
        Ok(())
    }

    /// What a statement takes if its inner loops are unrolled completely; `None` if they are not. Vectors are along the loop that suits
    /// them best.
    fn unrolled_completely(
        &self,
        tuple: &Tuple,
        nest: &Nest,
        levels: &Levels,
        b: &Budget,
    ) -> Outcome<Option<Unrolled>> {
        let is_short = |l: &&NestLoop| l.trips <= SHORT && self.known_trips(tuple, l).is_some();
        let n = nest.loops.iter().rev().take_while(is_short).count();
        let (around, inner) = nest.loops.split_at(nest.loops.len() - n);
        if n < 2 || inner.iter().map(|l| l.trips).product::<f64>() > MOST_COPIES {
            return Ok(None);
        }
        let waits = |l: &NestLoop| Ok(self.carried.waiting(l.id, levels, b)?.contains(tuple));
        let mut throughput = f64::MAX;
        for l in inner {
            let along = Nest {
                loops: vec![NestLoop {
                    trips: nest.instances,
                    ..l.clone()
                }],
                instances: nest.instances,
            };
            throughput = throughput.min(self.throughput(tuple, &along, !waits(l)?));
        }
        Ok(Some(Unrolled {
            throughput,
            waits: match around.last() {
                Some(around) => waits(around)?,
                None => false,
            },
        }))
    }
}
