//! Accesses of statements to arrays as relations, and the arrays' shapes.

use crate::detect::declined::{Modelled, Reason};
use crate::memory::access::{Site, Subscripts, subscript_map};
use crate::memory::arrays::Array;
use crate::memory::extent::extent;
use crate::scev::scope::space;
use crate::scop::{RowOverlap, RowShape, Shape};
use farkas_llvm::memory::Effect;
use farkas_llvm::scop_ir::IrStatement;
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Map, Params, Set, SetSpace, Tuple};

/// The accesses to these arrays.
pub(super) struct ArrayAccesses<'m, 'a> {
    pub(super) arrays: &'m [Array<'a>],
    pub(super) budget: &'m Budget,
}

impl<'a> ArrayAccesses<'_, 'a> {
    /// The accesses of a statement to arrays, those by loads and stores first. Which of them are parts of reductions is up to the
    /// [draft](crate::scalar::draft).
    pub(super) fn of_statement(
        &self,
        index: usize,
        statement: &IrStatement<'a>,
        domain: &Set,
    ) -> Modelled<'a, Vec<Access>> {
        let mut accesses: Vec<Access> = Vec::new();
        let mut stored_in: Vec<Option<Block<'a>>> = Vec::new();
        // Those of loads and stores are first: one for each.
        let all = statement.instructions.iter().copied();
        let (single, calls): (Vec<Value<'a>>, Vec<Value<'a>>) = all.partition(|i| i.is_load_or_store());
        for instruction in single.into_iter().chain(calls) {
            let here = |site: &Site<'a>| site.statement == index && site.instruction == instruction;
            for array in self.arrays {
                for (site, subscripts) in array.accesses.iter().filter(|(site, _)| here(site)) {
                    accesses.push(self.access(statement, array, (site, subscripts), domain)?);
                    let is_store = matches!(
                        (instruction.kind(), subscripts),
                        (Kind::Store { .. }, Subscripts::Affine(_))
                    );
                    stored_in.push(is_store.then(|| instruction.block()));
                }
            }
        }
        write_in_any_case(statement, &mut accesses, &stored_in);
        Ok(accesses)
    }

    fn access(
        &self,
        statement: &IrStatement<'a>,
        array: &Array<'a>,
        (site, subscripts): (&Site<'a>, &Subscripts),
        domain: &Set,
    ) -> Modelled<'a, Access> {
        let surely = site.instruction.block() == statement.start();
        let kind = match (site.effect(), subscripts) {
            (Effect::Read, _) => AccessKind::Read,
            (Effect::Write, Subscripts::Affine(_)) if surely => AccessKind::MustWrite,
            (Effect::Write | Effect::MayWrite, _) => AccessKind::MayWrite,
        };
        let Subscripts::Affine(pieces) = subscripts else {
            let elements = SetSpace::new(Params::none(), Tuple::new(&array.ir.name, 1 + array.sizes.len()));
            let relation = Map::from_domain_and_range(domain, &Set::universe(elements));
            return Ok(Access {
                kind,
                relation,
                reduction: None,
            });
        };
        let depth = site.scope.loops.len();
        let mut relation: Option<Map> = None;
        for (piece, affs) in pieces {
            let map = subscript_map(affs, Tuple::new(&array.ir.name, affs.len()), domain.params());
            let map = match site.scope.elements {
                true => map
                    .intersect_domain(&piece.intersect(&site.scope.domain))
                    .project_out_domain(depth, 1, self.budget)?,
                false => map.intersect_domain(piece),
            };
            let map = map.with_domain_tuple(domain.tuple().clone()).intersect_domain(domain);
            relation = Some(relation.map_or(map.clone(), |all| all.union(&map)));
        }
        let relation = relation
            .ok_or(Reason::Empty)?
            .coalesce(self.budget)?
            .remove_redundancies(self.budget)?;
        Ok(Access {
            kind,
            relation,
            reduction: None,
        })
    }

    /// The shape of an array. Its parameters are these and those of its sizes.
    pub(super) fn shape(&self, array: &Array<'a>, params: &Params) -> Modelled<'a, Shape> {
        let extent_of = |dim: usize| -> Modelled<'a, Set> {
            let mut all = Set::empty(space(1)).align_params(params);
            for (site, subscripts) in &array.accesses {
                if let Subscripts::Affine(pieces) = subscripts {
                    let subscript = pieces.iter().map(|(piece, affs)| (piece, &affs[dim]));
                    let own = extent(subscript, &site.scope, params, self.budget)?;
                    all = all.union(&own.align_params(params));
                }
            }
            Ok(all.compact(self.budget)?)
        };
        let overlap = match &array.apart {
            Some(apart) => Some(RowOverlap {
                apart: apart.align_params(params),
                inner_extents: (1..=array.sizes.len()).map(extent_of).collect::<Modelled<'a, _>>()?,
            }),
            None => None,
        };
        let sizes = array
            .sizes
            .iter()
            .map(|size| size.align_params(&size.space().params.union(params)))
            .collect();
        Ok(Shape {
            sizes,
            strided: array.strided,
            rows: array.rows.as_ref().map(|rows| RowShape {
                table_dims: rows.dims,
                extent: rows.extent.align_params(params),
                step: rows.step,
            }),
            outermost_extent: extent_of(0)?,
            overlap,
        })
    }
}

/// A piece of the space of a statement's counters, as a set of its instances.
pub(super) fn piece_of(piece: &Set, domain: &Set) -> Set {
    let params = piece.params().union(domain.params());
    piece.align_params(&params).with_tuple(domain.tuple().clone())
}

/// Stores to the same elements in several blocks, one of which each instance executes, write these in any case. `stored_in` has the
/// blocks of stores with affine subscripts.
fn write_in_any_case<'a>(statement: &IrStatement<'a>, accesses: &mut [Access], stored_in: &[Option<Block<'a>>]) {
    let is_certain = |store: &usize| {
        let same = (0..accesses.len()).filter(|other| accesses[*store].has_elements_of(&accesses[*other]));
        let blocks: Vec<Block<'a>> = same.filter_map(|other| stored_in[other]).collect();
        stored_in[*store].is_some() && statement.comes_through(&blocks)
    };
    let certain: Vec<usize> = match statement.blocks.len() {
        1 => Vec::new(),
        _ => (0..accesses.len()).filter(is_certain).collect(),
    };
    certain
        .into_iter()
        .for_each(|store| accesses[store].kind = AccessKind::MustWrite);
}
