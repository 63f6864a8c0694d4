//! Rows of wavefronts that are about a multiple of a page apart.
//!
//! A wavefront accesses neighbouring rows at the same time, each a step behind the one before:
//!
//! ```text
//! l[i][j], l[i + 1][j - 1], .., l[i + 15][j - 15]          4 * m bytes apart, if rows have m + 1 elements of 4 bytes
//! ```
//!
//! A level-one cache has few lines for addresses that are equal modulo 4096, and a load waits for a store that is so far away as if it were of the same
//! element. (Measured on Golden Cove in 16 rows. Common subsequences of `int`: rows of 1040 elements 1.7 of clang's speed, of 1024 ones 0.2, of 1023 and
//! 1025 ones 0.3, of 1022 ones 1.2. Relaxation of `double`: 1000 elements 7.2, 1023 ones 8.1, 1024 ones 2.9, 1025 ones 0.9.)

use farkas_polyhedral::ast::{Atom, Condition, ParamId, Quasi};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::dot;
use farkas_polyhedral::program::{Array, ArrayKind};
use farkas_polyhedral::sets::{Aff, Name, Params, SetSpace};

use crate::analysis::levels::Levels;
use crate::cost::Model;
use crate::transform::Transform;

/// Addresses that are equal modulo this are in the same lines of a cache.
const PAGE: i64 = 4096;

/// Rows that are so far from that, in bytes, still gain.
const NEAR: i64 = 8;

/// So many rows find no place: a cache has lines for about as many.
const FEW_ROWS: f64 = 8.0;

/// Distances between rows that are not to be near a multiple of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pitches(Vec<Aff>);

impl Pitches {
    /// Those of the rows that the wavefronts of an order write; `None` where some are constants, and near such a multiple.
    pub(super) fn of(model: &Model<'_>, levels: &Levels, transforms: &[Transform]) -> Option<Pitches> {
        let mut pitches = Pitches::default();
        let nests = model.nests(levels);
        let wavefronts = transforms
            .iter()
            .filter(|transform| matches!(transform, Transform::Wavefront { .. }));
        for tuple in wavefronts.flat_map(Transform::statements) {
            let Some(nest) = nests.get(tuple) else { continue };
            for row in nest.unrolled() {
                let Some(direction) = &row.direction else { continue };
                let along = nest.unrolled().filter(|own| own.direction == row.direction);
                if along.map(|own| own.trips).product::<f64>() < FEW_ROWS {
                    continue;
                }
                for access in model.statements[tuple].accesses.iter().filter(|access| access.writes) {
                    let array = &model.program.arrays[&access.array];
                    let Some(subscripts) = access.subscripts().filter(|_| array.kind == ArrayKind::Memory) else {
                        continue;
                    };
                    let moves: Vec<Int> = subscripts.iter().map(|subscript| dot(subscript, direction)).collect();
                    if let Some(pitch) = distance(array, &moves) {
                        pitches.add(pitch)?;
                    }
                }
            }
        }
        Some(pitches)
    }

    /// Adds a distance in bytes; `None` if it is a constant that is near a multiple of a page.
    fn add(&mut self, pitch: Aff) -> Option<()> {
        if let Some(bytes) = pitch.as_constant() {
            let beyond = (&bytes + &Int::from(NEAR - 1)).mod_floor(&Int::from(PAGE));
            // Rows that are neighbours share lines.
            let is_apart = beyond >= 2 * NEAR - 1 || bytes.abs() <= PAGE - NEAR;
            return is_apart.then_some(());
        }
        if !self.0.contains(&pitch) {
            self.0.push(pitch);
        }
        Some(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The parameters in them.
    pub(super) fn params(&self) -> impl Iterator<Item = &Name> {
        self.0.iter().flat_map(|pitch| {
            let names = pitch.space().params.names().iter().enumerate();
            names
                .filter(|(position, _)| !pitch.param_coefficient(*position).is_zero())
                .map(|(_, name)| name)
        })
    }

    /// That none of them is near a multiple of a page.
    ///
    /// # Panics
    ///
    /// If a parameter in them is not among these.
    pub(super) fn condition(&self, params: &Params) -> Condition {
        let is_apart = |pitch: &Aff| {
            let mut bytes = Quasi::constant(pitch.constant_term() + &Int::from(NEAR - 1));
            for (position, name) in pitch.space().params.names().iter().enumerate() {
                let factor = pitch.param_coefficient(position);
                if !factor.is_zero() {
                    let param = params.position_of(name).expect("a parameter of the program");
                    bytes.add_scaled(factor, &Quasi::param(ParamId(param)));
                }
            }
            let beyond = Quasi::atom(Atom::Remainder(Box::new(bytes), Int::from(PAGE)));
            Condition::NonNegative(beyond.plus(Int::from(1 - 2 * NEAR)))
        };
        Condition::all(self.0.iter().map(is_apart))
    }
}

/// How many bytes subscripts that move so far go in an array, over the parameters; `None` where sizes are multiplied with each other.
fn distance(array: &Array, moves: &[Int]) -> Option<Aff> {
    if array.table_dims > 0 || array.inner_sizes.len() + 1 != moves.len() {
        return None;
    }
    let space = SetSpace::params_only(Params::none());
    let mut stride = Aff::constant(space, Int::from(i64::try_from(array.element_size).ok()?));
    let mut distance = stride.scale(moves.last()?);
    for (size, by) in array.inner_sizes.iter().zip(moves).rev() {
        // What no loop depends on may be a size.
        let params = stride.space().params.union(&size.space().params);
        stride = stride.align_params(&params).mul(&size.align_params(&params))?;
        distance = distance.align_params(&params).add(&stride.scale(by));
    }
    let is_plain = distance.divs().is_empty() && distance.den().is_one();
    is_plain.then_some(distance)
}
