//! Node splitting: copies of what a loop reads before it is overwritten, which are read in its place.
//!
//! ```text
//! for (k)                                            for (k) {
//!   for (i)                                            for (j) r[k mod 32][j] = a[k][j];           a copying statement
//!     for (j)                                          for (i)
//!       a[i][j] = f(a[i][j], a[k][j]);      ->           for (j)
//!                                                          a[i][j] = f(a[i][j], r[k mod 32][j]);
//!                                                    }
//! ```
//!
//! An iteration of `k` reads a row that a later one overwrites. A copy breaks this anti-dependence: it may be read after later iterations. The name is from Kuck and others
//! (1981). Where only some instances read copies, a statement is in pieces.

use super::{
    Access, AccessId, AccessKind, Array, ArrayKind, Chain, ElementType, Operation, OperationClass, Program, Statement,
};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Aff, Map, MultiAff, Set, SetSpace, Tuple};
use indexmap::IndexMap;

/// Statements in pieces, some of which read copies.
#[derive(Clone, Debug)]
pub struct NodeSplitting {
    /// The pieces of each statement that is in pieces. Each instance is in one of them.
    pub pieces: IndexMap<Tuple, Vec<SplitPiece>>,
    /// The reads that copies stand for.
    pub copies: Vec<CopiedRead>,
}

/// Some instances of a statement, as a statement of its own.
#[derive(Clone, Debug)]
pub struct SplitPiece {
    /// The piece.
    pub tuple: Tuple,
    /// Its instances, as those of the statement.
    pub instances: Set,
    /// What it reads in copies: positions in [`NodeSplitting::copies`].
    pub copied: Vec<usize>,
    /// Where it is among the pieces.
    pub place: Option<SplitPlace>,
}

/// A copy of what a statement reads, for each iteration of a loop around.
#[derive(Clone, Debug)]
pub struct CopiedRead {
    /// The statement that copies an element. Its dimensions are some of those of the reading statement.
    pub copy: Tuple,
    /// The array that it copies to. It has a subscript for each dimension of the copying statement, the first one modulo `count`.
    pub buffer: Tuple,
    /// The statement whose read it is, as a whole.
    pub statement: Tuple,
    /// The read. Its element depends on no other dimensions than those of the copying statement.
    pub read: AccessId,
    /// The dimensions of the reading statement that the copying statement has.
    pub dims: Vec<usize>,
    /// How many iterations of the loop of the first dimension have copies: a power of two.
    pub count: u32,
    /// The sizes of the buffer along the other dimensions, over the parameters. Counters are at least 0 and less.
    pub extents: Vec<Aff>,
    /// The instances of the copying statement.
    pub instances: Set,
    /// Where it is among the instances that agree in the loops around.
    pub place: SplitPlace,
}

/// A place in the original order: among the instances that agree in all functions of the schedule in front of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitPlace {
    /// The position of that function in the schedule of the statement.
    pub function: usize,
    /// Before all others if negative, behind them if positive.
    pub order: i64,
}

/// What is said of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Buffers {
    /// They have room for so many iterations as they are for.
    Bounded,
    /// They have room for all iterations.
    Unbounded,
    /// Nothing: statements are whole, and what would be copied is read only.
    LeftOut,
}

impl CopiedRead {
    /// The element of the buffer that an instance of a statement with these dimensions reads or writes.
    fn element(&self, space: &SetSpace, dims: impl Iterator<Item = usize>, buffers: Buffers) -> MultiAff {
        let subscript = |(position, dim): (usize, usize)| {
            let counter = Aff::var(space.clone(), dim);
            match position {
                0 if buffers == Buffers::Bounded => counter.modulo(&Int::from(self.count)),
                _ => counter,
            }
        };
        let subscripts = dims.enumerate().map(subscript).collect();
        MultiAff::new(space.clone(), self.buffer.clone(), subscripts)
    }

    /// The element that a piece reads in place of that of the statement.
    fn relation_of(&self, domain: &Set, buffers: Buffers) -> Map {
        let element = self.element(domain.space(), self.dims.iter().copied(), buffers);
        element.to_map().intersect_domain(domain)
    }

    /// From instances of the copying statement to those of the reading one.
    pub fn readers(&self) -> Map {
        let space = SetSpace::new(self.instances.params().clone(), self.statement.clone());
        let dims: Vec<Aff> = self.dims.iter().map(|dim| Aff::var(space.clone(), *dim)).collect();
        MultiAff::new(space, self.copy.clone(), dims).to_map().reverse()
    }

    /// The buffer, for elements of that size.
    fn array(&self, element_size: u64) -> Array {
        Array {
            tuple: self.buffer.clone(),
            kind: ArrayKind::Temporary,
            element_size,
            outermost_size: None,
            inner_sizes: self.extents.clone(),
            table_dims: 0,
            inspection: None,
        }
    }

    /// The copying statement.
    fn copying(
        &self,
        program: &Program,
        reader: &Statement,
        positions: &[usize],
        buffers: Buffers,
        b: &Budget,
    ) -> Outcome<Statement> {
        let space = self.instances.space();
        let read = &reader.accesses[self.read.0];
        let elements = self.readers().apply_range(&read.relation, b)?;
        let elements = elements.intersect_domain(&self.instances).compact(b)?;
        let written = self.element(space, 0..self.dims.len(), buffers);
        let access = |kind, relation| Access {
            kind,
            relation,
            reduction: None,
        };
        let accesses = vec![
            access(AccessKind::Read, elements),
            access(
                AccessKind::MustWrite,
                written.to_map().intersect_domain(&self.instances),
            ),
        ];
        let accesses = match buffers {
            Buffers::Bounded | Buffers::Unbounded => accesses,
            Buffers::LeftOut => accesses[..1].to_vec(),
        };
        let ty = element_type(reader, program.arrays[read.array()].element_size);
        let operation = |class| Operation { class, ty, count: 1 };
        let is_load = program.arrays[read.array()].kind != ArrayKind::ScalarSlot;
        let load = is_load.then(|| operation(OperationClass::Load));
        Ok(Statement {
            operations: load.into_iter().chain([operation(OperationClass::Store)]).collect(),
            chains: vec![Chain {
                read: AccessId(0),
                write: AccessId(1),
                operations: Vec::new(),
            }],
            ..Statement::new(self.instances.clone(), self.schedule(reader, positions), accesses)
        })
    }

    /// The schedule of the copying statement: that of its reader as far as its place, and its own dimensions behind that.
    fn schedule(&self, reader: &Statement, positions: &[usize]) -> MultiAff {
        let space = SetSpace::new(reader.schedule.params().clone(), self.copy.clone());
        let zero = || Aff::constant(space.clone(), Int::ZERO);
        let in_copy = |dim: usize| match self.dims.iter().position(|own| *own == dim) {
            Some(position) => Aff::var(space.clone(), position),
            None => zero(),
        };
        let dims = (0..reader.tuple().n()).map(in_copy).collect();
        let reader_of = MultiAff::new(space.clone(), reader.tuple().clone(), dims);
        let outer = reader.schedule.pullback(&reader_of);
        let mut own = (0..self.dims.len()).map(|position| Aff::var(space.clone(), position));
        let inner = |_: usize| own.next().unwrap_or_else(zero);
        let (before, behind) = outer.affs().split_at(self.place.function);
        let affs: Vec<Aff> = before.iter().cloned().chain((0..behind.len()).map(inner)).collect();
        with_columns(
            &MultiAff::new(space, outer.space().range.clone(), affs),
            positions,
            Some(self.place),
        )
    }
}

impl SplitPiece {
    /// The piece of a statement.
    fn of(&self, statement: &Statement, split: &NodeSplitting, positions: &[usize], buffers: Buffers) -> Statement {
        let domain = statement
            .domain
            .intersect(&self.instances)
            .with_tuple(self.tuple.clone());
        let copy_of = |position: usize| {
            let mut copies = self.copied.iter().map(|copy| &split.copies[*copy]);
            copies.find(|copy| copy.read == AccessId(position))
        };
        let access = |(position, access): (usize, &Access)| match copy_of(position) {
            None => Access {
                relation: access
                    .relation
                    .intersect_domain(&self.instances)
                    .with_domain_tuple(self.tuple.clone()),
                // Iterations of pieces stay in order.
                reduction: None,
                ..access.clone()
            },
            Some(copy) => Access {
                kind: AccessKind::Read,
                relation: copy.relation_of(&domain, buffers),
                reduction: None,
            },
        };
        let own = SetSpace::new(statement.schedule.params().clone(), self.tuple.clone());
        let dims = (0..self.tuple.n()).map(|dim| Aff::var(own.clone(), dim)).collect();
        let of_statement = MultiAff::new(own, statement.tuple().clone(), dims);
        Statement {
            accesses: statement.accesses.iter().enumerate().map(access).collect(),
            schedule: with_columns(&statement.schedule.pullback(&of_statement), positions, self.place),
            // Profiles are about whole loops.
            trip_counts: vec![None; statement.tuple().n()],
            domain,
            ..statement.clone()
        }
    }
}

impl NodeSplitting {
    /// The positions in schedules where constants tell places apart.
    fn positions(&self) -> Vec<usize> {
        let of_pieces = self.pieces.values().flatten().filter_map(|piece| piece.place);
        let of_copies = self.copies.iter().map(|copy| copy.place);
        let mut positions: Vec<usize> = of_pieces.chain(of_copies).map(|place| place.function).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The statement that a piece is of.
    pub fn whole(&self, piece: &Tuple) -> Option<&Tuple> {
        let mut all = self.pieces.iter();
        let (whole, _) = all.find(|(_, pieces)| pieces.iter().any(|own| own.tuple == *piece))?;
        Some(whole)
    }
}

impl Program {
    /// The program with statements in pieces and the copies that some of these read. Copies have room for as many iterations as they are for.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn with_node_splitting(&self, split: &NodeSplitting, b: &Budget) -> Outcome<Program> {
        self.split(split, Buffers::Bounded, b)
    }

    /// The same with copies for all iterations. An order accesses the same elements if no two of its iterations that are as far apart as there are copies
    /// overlap.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn with_unbounded_node_splitting(&self, split: &NodeSplitting, b: &Budget) -> Outcome<Program> {
        self.split(split, Buffers::Unbounded, b)
    }

    /// The program with statements as they are beside the copying statements, which write nothing.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn with_copying_statements(&self, split: &NodeSplitting, b: &Budget) -> Outcome<Program> {
        self.split(split, Buffers::LeftOut, b)
    }

    fn split(&self, split: &NodeSplitting, buffers: Buffers, b: &Budget) -> Outcome<Program> {
        let positions = split.positions();
        let mut statements = Vec::new();
        for statement in &self.statements {
            match split
                .pieces
                .get(statement.tuple())
                .filter(|_| buffers != Buffers::LeftOut)
            {
                Some(pieces) => {
                    let piece = |piece: &SplitPiece| piece.of(statement, split, &positions, buffers);
                    statements.extend(pieces.iter().map(piece));
                }
                None => statements.push(Statement {
                    schedule: with_columns(&statement.schedule, &positions, None),
                    ..statement.clone()
                }),
            }
        }
        let mut arrays = self.arrays.clone();
        for copy in &split.copies {
            let reader = self
                .find_statement(&copy.statement)
                .expect("a statement of the program");
            let reader = self.statement(reader);
            let array = &self.arrays[reader.accesses[copy.read.0].array()];
            if buffers != Buffers::LeftOut {
                arrays.insert(copy.buffer.clone(), copy.array(array.element_size));
            }
            statements.push(copy.copying(self, reader, &positions, buffers, b)?);
        }
        let mut kills = self.kills.clone();
        for kill in &mut kills {
            kill.schedule = with_columns(&kill.schedule, &positions, None);
        }
        Ok(Program {
            arrays,
            statements,
            kills,
            ..self.clone()
        })
    }
}

/// A schedule with a constant in front of the functions at these positions: that of a place, and 0 elsewhere.
fn with_columns(schedule: &MultiAff, positions: &[usize], place: Option<SplitPlace>) -> MultiAff {
    let space = schedule.domain_space();
    let mut affs = Vec::new();
    for (position, aff) in schedule.affs().iter().enumerate() {
        if positions.contains(&position) {
            let order = place
                .filter(|place| place.function == position)
                .map_or(0, |place| place.order);
            affs.push(Aff::constant(space.clone(), Int::from(order)));
        }
        affs.push(aff.clone());
    }
    MultiAff::new(space, Tuple::anonymous(affs.len()), affs)
}

/// The type of elements of so many bytes that a statement loads.
fn element_type(statement: &Statement, size: u64) -> ElementType {
    let is_own = |ty: &ElementType| u64::from(ty.bits()) == 8 * size;
    let types = || statement.operations.iter().map(|operation| operation.ty).filter(is_own);
    let loaded = || statement.operations.iter().filter(|o| o.class == OperationClass::Load);
    let loaded = loaded().map(|operation| operation.ty).find(is_own);
    let bits = u16::try_from(8 * size).unwrap_or(u16::MAX);
    loaded.or_else(|| types().next()).unwrap_or(ElementType::Integer(bits))
}
