//! The subscripts of loads and stores, as the model has them.

use farkas_llvm::scop_ir::{IrStatement, ScopIr};
use farkas_llvm::value::Value;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Access, Array, Program, Statement};
use farkas_polyhedral::sets::{Aff, Conj, Map, Name};
use indexmap::IndexMap;

/// A subscript that is affine in the dimensions of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subscript {
    pub(crate) constant: Int,
    /// The parameters in it, with their coefficients.
    pub(crate) params: Vec<(Name, Int)>,
    /// A coefficient for each dimension.
    pub(crate) dims: Vec<Int>,
}

impl Subscript {
    /// A dimension of a statement with so many.
    pub(crate) fn counter(dim: usize, dims: usize) -> Subscript {
        Subscript {
            constant: Int::ZERO,
            params: Vec::new(),
            dims: (0..dims).map(|own| Int::from(i64::from(own == dim))).collect(),
        }
    }
}

/// How an access moves through its array: for each subscript a coefficient for each dimension of the statement. Dimensions inside of
/// which all sizes are constants are one.
pub(crate) type Moves = Vec<Vec<Int>>;

/// The subscripts of an access.
struct OfAccess {
    subscripts: Vec<Subscript>,
    moves: Moves,
}

/// The subscripts of accesses of a statement: by the original, and whether it writes. A slot that is mapped to a store has the
/// store as its original.
type OfStatement<'a> = IndexMap<(Value<'a>, bool), OfAccess>;

/// The subscripts of the accesses of each statement, where they are affine.
pub(crate) struct Subscripts<'a>(IndexMap<String, OfStatement<'a>>);

impl<'a> Subscripts<'a> {
    /// Those of a program, whose statements are those of the region.
    pub(crate) fn of(program: &Program, scop: &ScopIr<'a>) -> Self {
        let pairs = program.statements.iter().zip(&scop.statements);
        let known = pairs.filter_map(|(statement, ir)| {
            let accesses = of_statement(program, statement, ir, scop)?;
            Some((ir.name.clone(), accesses))
        });
        Subscripts(known.collect())
    }

    /// The subscripts of an access, if they are affine.
    pub(crate) fn get(&self, statement: &str, original: Value<'a>, writes: bool) -> Option<&[Subscript]> {
        self.0
            .get(statement)?
            .get(&(original, writes))
            .map(|access| &access.subscripts[..])
    }

    /// All accesses, each with its statement and the original.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, Value<'a>, &[Subscript])> {
        self.0.iter().flat_map(|(statement, accesses)| {
            let own = accesses.iter();
            own.map(move |((original, _), access)| (&statement[..], *original, &access.subscripts[..]))
        })
    }

    /// How what a statement writes moves, where that is affine.
    pub(crate) fn writes(&self, statement: &str) -> impl Iterator<Item = &Moves> {
        let accesses = self.0.get(statement).into_iter().flatten();
        accesses.filter_map(|((_, writes), access)| writes.then_some(&access.moves))
    }
}

/// The accesses of a statement are the slots that it reads, its loads and stores, and the slots that it writes, in this order.
/// `None` where there are others, those of calls.
fn of_statement<'a>(
    program: &Program,
    statement: &Statement,
    ir: &IrStatement<'a>,
    scop: &ScopIr<'a>,
) -> Option<OfStatement<'a>> {
    let mapped = |slot: farkas_llvm::scop_ir::SlotId| scop.slots[slot.0].mapped_to;
    let reads = ir
        .reads
        .iter()
        .map(|(slot, _)| mapped(*slot).map(|store| (store, false)));
    let own = ir.instructions.iter().filter(|i| i.is_load_or_store());
    let own = own.map(|i| Some((*i, i.is_store())));
    let writes = ir
        .writes
        .iter()
        .map(|write| mapped(write.slot).map(|store| (store, true)));
    let originals: Vec<Option<(Value<'a>, bool)>> = reads.chain(own).chain(writes).collect();
    if originals.len() != statement.accesses.len() {
        return None;
    }
    let pairs = originals.into_iter().zip(&statement.accesses);
    let mut known: IndexMap<(Value<'a>, bool), Option<OfAccess>> = IndexMap::new();
    for (original, access) in pairs {
        let Some(original) = original else { continue };
        let own = subscripts(access).map(|subscripts| {
            let moves = moves(&subscripts, &program.arrays[access.array()]);
            OfAccess { subscripts, moves }
        });
        // Of two accesses with the same original, as slots that are mapped to one store, nothing is known.
        known.entry(original).and_modify(|other| *other = None).or_insert(own);
    }
    Some(known.into_iter().filter_map(|(key, own)| Some((key, own?))).collect())
}

fn subscripts(access: &Access) -> Option<Vec<Subscript>> {
    let mut pieces = access
        .relation
        .pieces()
        .iter()
        .map(|piece| of_piece(&access.relation, piece));
    let first = pieces.next()??;
    pieces.all(|piece| piece.as_ref() == Some(&first)).then_some(first)
}

/// How an access with these subscripts moves: `[2 i][j]` in rows of 3 elements by 6 along `i`, and by 1 along `j`.
fn moves(subscripts: &[Subscript], array: &Array) -> Moves {
    let mut moves: Moves = subscripts.iter().map(|subscript| subscript.dims.clone()).collect();
    let in_one_piece = array.inner_sizes.iter().skip(array.table_dims);
    for size in in_one_piece.rev().map_while(Aff::as_constant) {
        let inner = moves.pop().expect("a subscript for each dimension");
        let outer = moves.last_mut().expect("an outermost dimension");
        for (outer, inner) in outer.iter_mut().zip(&inner) {
            *outer = &(&*outer * &size) + inner;
        }
    }
    moves
}

fn of_piece(relation: &Map, piece: &Conj) -> Option<Vec<Subscript>> {
    let params = relation.params();
    let first_dim = 1 + params.len();
    let first_subscript = first_dim + relation.domain_tuple().n();
    let subscript = |position: usize| {
        let column = first_subscript + position;
        let alone = |row: &&farkas_polyhedral::linalg::Row| {
            let mut others = (first_subscript..row.len()).filter(|k| *k != column);
            row[column].abs().is_one() && others.all(|k| row[k].is_zero())
        };
        let row = piece.eqs().iter().find(alone)?;
        let sign = -&row[column];
        let coefficient = |k: usize| &row[k] * &sign;
        let named = params
            .names()
            .iter()
            .enumerate()
            .map(|(k, name)| (name.clone(), coefficient(1 + k)));
        let mut params: Vec<(Name, Int)> = named.filter(|(_, c)| !c.is_zero()).collect();
        params.sort_by(|x, y| x.0.as_str().cmp(y.0.as_str()));
        Some(Subscript {
            constant: coefficient(0),
            params,
            dims: (first_dim..first_subscript).map(coefficient).collect(),
        })
    };
    (0..relation.range_tuple().n()).map(subscript).collect()
}
