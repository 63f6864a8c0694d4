//! Alias scopes of innermost loops.
//!
//! Two accesses of an array may meet in the nest, but not while one innermost loop runs. In
//!
//! ```text
//! for (k ..)
//!   for (i = 0; i < k; i++)
//!     for (j ..) { B[i][j] += A[k][i] * B[k][j]; }
//! ```
//!
//! row `k` is none of the rows `i` of the loop over `j`, as the bounds of `i` say, though it becomes one later. Scopes that say so are declared
//! in front of the loop over `j`. LLVM then keeps in registers what is read, and vectorizes without comparing addresses.
//!
//! # What may be said
//!
//! LLVM's alias analysis does not look where scopes are declared: it also moves accesses over those of other iterations of loops around. Only what
//! copies a loop copies the declarations inside, so that each copy gets scopes of its own. Hence two rules:
//!
//! - What tells elements apart are iterators *around* the innermost loop. All of that loop's accesses are executed only where these differ. In
//!
//!   ```text
//!   for (x ..)
//!     for (m = 0; m <= min(7, x - 1); m++) { A[x] -= L[x][m] * A[m]; }
//!   ```
//!
//!   `m < x` is of no use: LLVM makes eight copies of the inner loop, in one run of which `A[x]` is none of `A[0]` to `A[x - 1]`, but loads all
//!   eight in front of the loop over `x`.
//! - Conditions inside of the innermost loop are not made use of either.

use farkas_llvm::Run;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::ast::{IterId, IteratorBounds, ParamId, Quasi};
use farkas_polyhedral::sets::Params;
use indexmap::IndexMap;

use super::{Aliases, Instances};
use crate::subscripts::Subscript;

/// The most elements of an array that are compared with each other.
const MOST_ELEMENTS: usize = 32;

/// The subscripts of what is accessed, as functions of iterators; `None` where one is not affine.
type Element = Vec<Option<Quasi>>;

/// The accesses of an element.
#[derive(Default)]
struct Accesses<'a> {
    is_written: bool,
    all: Vec<Value<'a>>,
}

/// A loop that is being emitted.
struct OpenLoop<'a> {
    /// The iterator, if it has one value at a time.
    iter: Option<IterId>,
    preheader: BasicBlock<'a>,
    is_innermost: bool,
    accesses: IndexMap<(ArrayId, Element), Accesses<'a>>,
}

/// The loops around where the builder stands, and what they access.
#[derive(Default)]
pub(crate) struct LoopScopes<'a>(Vec<OpenLoop<'a>>);

impl<'a> LoopScopes<'a> {
    /// A loop begins behind a block. Where it is emitted so that one iteration of its iterator comes after the other, `iter` is given.
    pub(crate) fn enter(&mut self, iter: Option<IterId>, preheader: BasicBlock<'a>) {
        self.0.iter_mut().for_each(|around| around.is_innermost = false);
        self.0.push(OpenLoop {
            iter,
            preheader,
            is_innermost: true,
            accesses: IndexMap::new(),
        });
    }

    /// Notes an access with these subscripts, by instances in the last loop that was entered.
    pub(crate) fn add(
        &mut self,
        (array, subscripts): (ArrayId, &[Subscript]),
        params: &Params,
        instances: &Instances,
        (access, writes): (Value<'a>, bool),
    ) {
        let (Some(innermost), Some((_, arguments))) = (self.0.last_mut(), &instances.call) else {
            return;
        };
        if innermost.iter.is_none() {
            return;
        }
        let value = |subscript: &Subscript| {
            let mut value = Quasi::constant(subscript.constant.clone());
            for (name, coefficient) in &subscript.params {
                let position = params.names().iter().position(|own| own == name)?;
                value.add_scaled(coefficient, &Quasi::param(ParamId(position)));
            }
            let terms = subscript.dims.iter().zip(arguments);
            for (coefficient, argument) in terms.filter(|(coefficient, _)| !coefficient.is_zero()) {
                value.add_scaled(coefficient, argument.as_quasi()?);
            }
            Some(value)
        };
        let element = subscripts.iter().map(value).collect();
        let accesses = innermost.accesses.entry((array, element)).or_default();
        accesses.is_written |= writes;
        accesses.all.push(access);
    }

    /// The last loop that was entered ends. If it has no loop inside, its accesses get scopes.
    pub(crate) fn leave(
        &mut self,
        run: &'a Run<'_>,
        builder: &Builder<'a>,
        aliases: &Aliases<'a>,
        bounds: &IteratorBounds<'_>,
    ) {
        let left = self.0.pop().expect("a loop that was entered");
        if left.iter.is_none() || !left.is_innermost {
            return;
        }
        let around: Vec<IterId> = self.0.iter().filter_map(|one| one.iter).collect();
        let are_apart = |one: &Element, other: &Element| {
            let differ = |(one, other): (&Option<Quasi>, &Option<Quasi>)| match (one, other) {
                (Some(one), Some(other)) => bounds.are_apart((one, other), &around),
                _ => false,
            };
            one.iter().zip(other).any(differ)
        };
        let mut of_arrays: IndexMap<ArrayId, Vec<(&Element, &Accesses<'a>)>> = IndexMap::new();
        for ((array, element), accesses) in &left.accesses {
            of_arrays.entry(*array).or_default().push((element, accesses));
        }
        for (array, elements) in of_arrays {
            if elements.len() > MOST_ELEMENTS || !elements.iter().any(|(_, accesses)| accesses.is_written) {
                continue;
            }
            let sets: Vec<((&Element, bool), &[Value<'a>])> = elements
                .iter()
                .map(|(element, accesses)| ((*element, accesses.is_written), &accesses.all[..]))
                .collect();
            let front = Block::from_inkwell(left.preheader).terminator().instruction();
            builder.position_before(&front.expect("a terminator is an instruction"));
            aliases.tell_apart(run, builder, array, &sets, |one, other| {
                (one.1 || other.1) && are_apart(one.0, other.0)
            });
        }
    }
}
