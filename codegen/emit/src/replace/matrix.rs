//! Matrix instructions of a device: what a warp executes below an `mma` mark.
//!
//! PTX's `mma.m16n8k4` on `double` computes `C[r][c] += X[r][p] * Y[p][c]` of 16 rows `r`, 8 columns `c` and 4 products `p`, added one after the
//! other. All threads of a warp execute it together. With thread `4 g + t` of the warp are
//!
//! ```text
//! C    C[g][2 t], C[g][2 t + 1], C[g + 8][2 t], C[g + 8][2 t + 1]
//! X    X[g][t], X[g + 8][t]
//! Y    Y[t][g]
//! ```
//!
//! The loops of the plan give a thread the elements of `C`: the first row and `g` come from the loop over threads in y, the columns from that in x
//! and from two unrolled neighbours, and the second row from an unrolled copy of both loops:
//!
//! ```text
//! mma(16 8 4)
//!   threads y, x    { (k) S(i0, j0, k)  (k) S(i0, j1, k) }
//!   threads y, x    { (k) S(i1, j0, k)  (k) S(i1, j1, k) }
//! ```
//!
//! What it has of `X` and `Y` belongs to other instances: those with the values of iterators that are said here. Which rows and columns of arrays
//! these are does not matter to the instruction.

use farkas_llvm::inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use farkas_llvm::multiply_add::MultiplyAdd;
use farkas_llvm::scop_ir::{IrStatement, Written};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::ast::{Atom, Call, Expr, For, IterId, Node, Quasi, Upper};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Access, AccessId, ElementType, Program, Statement};
use farkas_polyhedral::tree::Mark;
use indexmap::IndexSet;

use super::Emitter;
use super::kernel::is_full;
use crate::arith::BUILDS;
use crate::statement::{Instance, Statements};

const INTRINSIC: &str = "llvm.nvvm.mma.m16n8k4.row.col.f64";

/// The products that are added to each element.
const PRODUCTS: i64 = 4;

/// The threads of a warp along columns, and along rows.
const COLUMNS: u32 = 4;
const ROWS: u32 = 8;

/// For each statement that adds a product of `double`: the dimensions that each of its factors depends on.
pub(super) struct FactorDims(Vec<Option<[IndexSet<usize>; 2]>>);

impl FactorDims {
    /// Those of a program, whose statements are those of the region.
    pub(super) fn of(program: &Program) -> FactorDims {
        let of_statement = |statement: &Statement| {
            let multiply_add = statement.multiply_add.as_ref()?;
            if multiply_add.ty != ElementType::Float(64) {
                return None;
            }
            let [x, y] = &multiply_add.factors;
            let dims = |reads: &[AccessId]| -> Option<IndexSet<usize>> {
                let all: Option<Vec<_>> = reads.iter().map(|read| dims_of(&statement.accesses[read.0])).collect();
                Some(all?.into_iter().flatten().collect())
            };
            Some([dims(x)?, dims(y)?])
        };
        FactorDims(program.statements.iter().map(of_statement).collect())
    }
}

/// The dimensions that the subscripts of an access depend on; `None` if they are not affine.
fn dims_of(access: &Access) -> Option<IndexSet<usize>> {
    let relation = &access.relation;
    let first = 1 + relation.params().len();
    let end = first + relation.domain_tuple().n() + relation.range_tuple().n();
    let mut dims = IndexSet::new();
    for piece in relation.pieces() {
        if piece.eqs().len() < relation.range_tuple().n() {
            return None;
        }
        for row in piece.eqs() {
            if row[end..].iter().any(|factor| !factor.is_zero()) {
                return None;
            }
            dims.extend((0..relation.domain_tuple().n()).filter(|dim| !row[first + dim].is_zero()));
        }
    }
    Some(dims)
}

/// A point of a thread: the loops over threads around it, that over products, and the statement's call.
#[derive(Clone, Copy)]
struct Point<'n> {
    threads: [&'n For; 2],
    products: &'n For,
    call: &'n Call,
}

/// An instruction.
struct Instruction<'b, 'a, 'n> {
    /// The points of a thread: those in the first row, and those in the second one.
    points: [[Point<'n>; 2]; 2],
    statement: &'b IrStatement<'a>,
    /// The operand that rows have, and the one that columns have.
    factors: [Value<'a>; 2],
    addend: Value<'a>,
    result: Value<'a>,
    /// The call of the first point, in whose column another iterator distinguishes the neighbours.
    neighbours: (Call, IterId),
}

impl<'b, 'a> Emitter<'b, 'a, '_> {
    /// Emits what is below an `mma` mark: an instruction, or else loops, where not all of its iterations are there.
    pub(super) fn matrix_instruction(&mut self, body: &Node) {
        let Some(instruction) = self.instruction_of(body) else {
            return self.node(body);
        };
        self.enter_part_of_block(body);
        let own = [self.thread("x"), self.thread("y")];
        let mut values: Vec<BasicValueEnum<'a>> = Vec::new();
        for row in 0..2 {
            let point = instruction.points[row][0];
            values.push(self.at(&point, own, own[0], |emitter| {
                emitter.factor(point.call, &instruction, instruction.factors[0])
            }));
        }
        let number = |value: u32| self.i64.const_int(u64::from(value), false);
        // The column of `Y` is `g`, of thread `g / 2`, and there the first or the second neighbour.
        let column = self.builder.build_and(own[1], number(ROWS - 1), "").expect(BUILDS);
        let thread = self
            .builder
            .build_right_shift(column, number(1), false, "")
            .expect(BUILDS);
        let neighbour = self.builder.build_and(column, number(1), "").expect(BUILDS);
        let point = instruction.points[0][0];
        values.push(self.at(&point, [thread, own[1]], own[0], |emitter| {
            let (call, iter) = &instruction.neighbours;
            emitter.with_thread_at(*iter, (Quasi::constant(0), neighbour), 2, |emitter| {
                emitter.factor(call, &instruction, instruction.factors[1])
            })
        }));
        let points = || instruction.points.iter().flatten();
        let first = self.i64.const_zero();
        for point in points() {
            values.push(self.at(point, own, first, |emitter| {
                emitter.classes.replace(emitter.classes_of(point.call, None));
                emitter.addend(point.call, &instruction)
            }));
        }
        let results = self.multiply(&values);
        for (point, result) in points().zip(results) {
            self.at(point, own, first, |emitter| {
                emitter.classes.replace(emitter.classes_of(point.call, None));
                emitter.write(point.call, &instruction, result.into());
            });
        }
        self.body.borrow_mut().instances += 1;
    }

    /// The instruction that what is below a mark is, if it is one.
    fn instruction_of<'n>(&self, body: &'n Node) -> Option<Instruction<'b, 'a, 'n>> {
        let mut all = Vec::new();
        add_points(body, &mut Vec::new(), &mut all)?;
        let points: [Point<'n>; 4] = all.try_into().ok()?;
        let [a, b, c, d] = points;
        let rows = [[a, b], [c, d]];
        let has_threads = |point: &Point<'_>| {
            let [x, y] = point.threads;
            let own = self.block_threads();
            own[0] == COLUMNS && own[1].is_multiple_of(ROWS) && is_full(x, own[0]) && is_full(y, own[1])
        };
        let first = &a;
        let same_products =
            |point: &Point<'_>| point.products.lower == first.products.lower && has_products(point.products);
        if !points.iter().all(|point| has_threads(point) && same_products(point)) {
            return None;
        }
        let position = self.position_of(first.call);
        let is_own = |point: &Point<'_>| point.call.statement == first.call.statement;
        let dims = self.factor_dims.0[position]
            .as_ref()
            .filter(|_| points.iter().all(is_own))?;
        // A row's operand is the same for both neighbours, and for all threads along x; a column's for both rows, and for all threads along y.
        let is_of_rows = |dims: &IndexSet<usize>| {
            let stays = |[one, other]: &[Point<'_>; 2]| {
                let same = dims.iter().all(|dim| same_argument(one, other, *dim));
                same && dims
                    .iter()
                    .all(|dim| !one.call.arguments[*dim].mentions(one.threads[0].iter))
            };
            rows.iter().all(stays)
        };
        let is_of_columns = |dims: &IndexSet<usize>| {
            let stays = |one: &Point<'_>, other: &Point<'_>| {
                let same = dims.iter().all(|dim| same_argument(one, other, *dim));
                let mentions =
                    |point: &Point<'_>, dim: usize| point.call.arguments[dim].mentions(point.threads[1].iter);
                same && dims.iter().all(|dim| !mentions(one, *dim) && !mentions(other, *dim))
            };
            (0..2).all(|column| stays(&rows[0][column], &rows[1][column]))
        };
        let order = [[0, 1], [1, 0]];
        let order = order
            .into_iter()
            .find(|[x, y]| is_of_rows(&dims[*x]) && is_of_columns(&dims[*y]))?;
        let statement = self.statement_of(first.call);
        let result = result_of(statement)?;
        let MultiplyAdd { factors, addend } = MultiplyAdd::of(result)?;
        let factors = order.map(|position| factors[position]);
        let is_in_buffers = |factor: &Value<'a>| {
            let loads = operand_tree(statement, *factor).into_iter();
            let mut loads = loads.filter(|value| matches!(value.kind(), Kind::Load { .. }));
            loads.all(|load| self.is_in_buffer(statement, load))
        };
        if !factors.iter().all(is_in_buffers) {
            return None;
        }
        Some(Instruction {
            neighbours: (with_neighbours(&rows[0])?, rows[0][1].products.iter),
            points: rows,
            statement,
            factors,
            addend,
            result,
        })
    }

    /// Emits something of a point, for threads with these numbers in x and y, and so many products after the first one.
    fn at<R>(
        &mut self,
        point: &Point<'_>,
        threads: [IntValue<'a>; 2],
        product: IntValue<'a>,
        emit: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let [x, y] = point.threads;
        let sizes = self.block_threads();
        let first = |node: &For| node.lower.as_quasi().expect("a full loop").clone();
        self.with_thread_at(y.iter, (first(y), threads[1]), sizes[1], |emitter| {
            emitter.with_thread_at(x.iter, (first(x), threads[0]), sizes[0], |emitter| {
                let lower = emitter.arith().expr(&point.products.lower);
                let iter = emitter.builder.build_int_nsw_add(lower, product, "").expect(BUILDS);
                emitter.iters[point.products.iter.0] = Some(iter);
                let result = emit(emitter);
                emitter.iters[point.products.iter.0] = None;
                result
            })
        })
    }

    /// Emits something where an iterator has one of so many values from a first one on.
    fn with_thread_at<R>(
        &mut self,
        iter: IterId,
        (first, distance): (Quasi, IntValue<'a>),
        values: u32,
        emit: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let first = Expr::Quasi(first);
        let value = self.arith().expr(&first);
        let value = self.builder.build_int_nsw_add(value, distance, "").expect(BUILDS);
        self.iters[iter.0] = Some(value);
        self.points_of_block().push((iter, first, values));
        let result = emit(self);
        self.points_of_block().pop();
        self.iters[iter.0] = None;
        result
    }

    /// Emits something of the instance that a call executes.
    fn with_instance<R>(
        &self,
        call: &Call,
        statement: &IrStatement<'a>,
        emit: impl FnOnce(&mut Instance<'_, '_, 'a>) -> R,
    ) -> R {
        let arguments = call.arguments.iter();
        let counters: Vec<_> = arguments.map(|argument| self.arith().expr(argument)).collect();
        let on_access = |original: Option<Value<'a>>, clone: Value<'a>| self.on_access(original, clone);
        let in_buffer = |load: Value<'a>| self.read_in_buffer(call, statement, load);
        let statements = Statements {
            in_buffer: &in_buffer,
            ..self.statements(&on_access)
        };
        emit(&mut statements.begin(statement, &counters))
    }

    /// A factor in the instance of a call.
    fn factor(&self, call: &Call, instruction: &Instruction<'_, 'a, '_>, factor: Value<'a>) -> BasicValueEnum<'a> {
        let statement = instruction.statement;
        self.with_instance(call, statement, |instance| {
            let tree = operand_tree(statement, factor);
            let own = statement.instructions.iter().filter(|i| tree.contains(*i));
            own.for_each(|i| instance.instruction(*i));
            instance.value(factor)
        })
    }

    /// What a product is added to in the instance of a call.
    fn addend(&self, call: &Call, instruction: &Instruction<'_, 'a, '_>) -> BasicValueEnum<'a> {
        let addend = instruction.addend;
        self.with_instance(call, instruction.statement, |instance| {
            let mut reads = instruction.statement.reads.iter();
            match reads.find(|(_, value)| *value == addend) {
                Some((slot, value)) => instance.read(*slot, *value),
                None => instance.instruction(addend),
            }
            instance.value(addend)
        })
    }

    /// Writes the result in the instance of a call.
    fn write(&self, call: &Call, instruction: &Instruction<'_, 'a, '_>, result: BasicValueEnum<'a>) {
        self.with_instance(call, instruction.statement, |instance| {
            instance.set(instruction.result, result);
            let stores = instruction.statement.instructions.iter().filter(|i| i.is_store());
            stores.for_each(|store| instance.instruction(*store));
            for write in &instruction.statement.writes {
                let address = instance.address(write.slot);
                let store = self.builder.build_store(address, result).expect(BUILDS);
                instance.accessed(write.slot, Value::from_inkwell(store));
            }
        });
    }

    /// The instruction, of two elements of `X`, one of `Y`, and four of `C`: what becomes of these.
    fn multiply(&self, operands: &[BasicValueEnum<'a>]) -> [FloatValue<'a>; 4] {
        let arguments: Vec<_> = operands.iter().map(|operand| (*operand).into()).collect();
        let call = self.device_call(INTRINSIC, &arguments);
        let results = call.basic().expect("four numbers").into_struct_value();
        std::array::from_fn(|index| {
            let result = self.builder.build_extract_value(results, index as u32, "");
            result.expect(BUILDS).into_float_value()
        })
    }
}

/// Adds the points below a node, of which `threads` are the loops over threads around; `None` if there is anything else.
fn add_points<'n>(node: &'n Node, threads: &mut Vec<&'n For>, all: &mut Vec<Point<'n>>) -> Option<()> {
    match node {
        Node::Block(nodes) => nodes.iter().try_for_each(|node| add_points(node, threads, all)),
        Node::Mark {
            mark: Mark::Threads { .. },
            body,
        } => add_points(body, threads, all),
        Node::For(node)
            if For::BLOCK_THREADS
                .iter()
                .any(|annotation| node.is_annotated(annotation)) =>
        {
            threads.push(node);
            let added = add_points(&node.body, threads, all);
            threads.pop();
            added
        }
        Node::For(products) => {
            let Node::Call(call) = &products.body else { return None };
            let along = |annotation: &str| threads.iter().copied().find(|node| node.is_annotated(annotation));
            let [x, y, _] = For::BLOCK_THREADS.map(along);
            let is_all = threads.len() == 2;
            let threads = is_all.then_some([x?, y?])?;
            all.push(Point {
                threads,
                products,
                call,
            });
            Some(())
        }
        Node::Mark { .. } | Node::If { .. } | Node::Call(_) => None,
    }
}

/// Whether a loop goes through all products of an element.
fn has_products(node: &For) -> bool {
    let Upper::AtMost(upper) = &node.upper else {
        return false;
    };
    let (Some(lower), Some(upper)) = (node.lower.as_quasi(), upper.as_quasi()) else {
        return false;
    };
    let mut distance = upper.clone();
    distance.add_scaled(&-&Int::ONE, lower);
    node.step.is_one() && distance.as_constant() == Some(&Int::from(PRODUCTS - 1))
}

/// Whether an argument of two points is the same for the same thread and product.
fn same_argument(one: &Point<'_>, other: &Point<'_>, dim: usize) -> bool {
    let pairs = || {
        let iters = |point: &Point<'_>| [point.threads[0].iter, point.threads[1].iter, point.products.iter];
        iters(other).into_iter().zip(iters(one))
    };
    let arguments = [one, other].map(|point| point.call.arguments[dim].as_quasi());
    let ([Some(own), Some(argument)], true) = (arguments, one.threads[0].lower == other.threads[0].lower) else {
        return false;
    };
    renamed(argument, pairs()) == *own
}

/// A value with other iterators.
fn renamed(value: &Quasi, pairs: impl Iterator<Item = (IterId, IterId)>) -> Quasi {
    let mut renamed = value.clone();
    for (from, to) in pairs {
        let factor = factor_of(value, from);
        renamed.add_scaled(&-&factor, &Quasi::iter(from));
        renamed.add_scaled(&factor, &Quasi::iter(to));
    }
    renamed
}

fn factor_of(value: &Quasi, iter: IterId) -> Int {
    let mut terms = value.terms().iter();
    let own = terms.find(|(atom, _)| *atom == Atom::Iter(iter));
    own.map_or(Int::ZERO, |(_, factor)| factor.clone())
}

/// The call of the first one of two neighbours, moved on to the second one where the iterator of the products of that one is 1 in place of 0. `None`
/// where they are not at constant distances.
fn with_neighbours([one, other]: &[Point<'_>; 2]) -> Option<Call> {
    let mut call = one.call.clone();
    for (argument, next) in call.arguments.iter_mut().zip(&other.call.arguments) {
        let (own, next) = (argument.as_quasi()?.clone(), next.as_quasi()?);
        let mut distance = renamed(next, [(other.products.iter, one.products.iter)].into_iter());
        distance.add_scaled(&-&Int::ONE, &own);
        let distance = distance.as_constant()?.clone();
        let mut sum = own;
        sum.add_scaled(&distance, &Quasi::iter(other.products.iter));
        *argument = Expr::Quasi(sum);
    }
    Some(call)
}

/// The only value that a statement writes.
fn result_of<'a>(statement: &IrStatement<'a>) -> Option<Value<'a>> {
    let stored = statement.instructions.iter().filter_map(|i| match i.kind() {
        Kind::Store { value, .. } => Some(value),
        _ => None,
    });
    let written = statement.writes.iter().map(|write| match &write.value {
        Written::Always(value) => Some(*value),
        Written::From(_) => None,
    });
    let mut all = stored.map(Some).chain(written);
    let only = all.next().flatten()?;
    all.next().is_none().then_some(only)
}

/// The instructions of a statement that a value is computed from, without what computes addresses.
fn operand_tree<'a>(statement: &IrStatement<'a>, root: Value<'a>) -> IndexSet<Value<'a>> {
    let mut tree = IndexSet::new();
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        if statement.instructions.contains(&value) && tree.insert(value) && !value.is_load_or_store() {
            open.extend(value.operands());
        }
    }
    tree
}
