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
//! The loops of the plan give a thread the elements of `C`: the row comes from a loop with two iterations and from that over threads in y, the column
//! from that over threads in x and from two neighbours:
//!
//! ```text
//! mma(16 8 4)
//!   for (r = ..; two rows)
//!     threads y, x
//!       for (j = ..; two neighbours)
//!         for (k = ..; four products)
//!           S(y, j, k)
//! ```
//!
//! What it has of `X` and `Y` belongs to other instances: those with the values of iterators that are said here. Which rows and columns of arrays
//! these are does not matter to the instruction.

use farkas_llvm::inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use farkas_llvm::multiply_add::MultiplyAdd;
use farkas_llvm::scop_ir::{IrStatement, Written};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::ast::{Call, Expr, For, IterId, Node, Quasi};
use farkas_polyhedral::tree::Mark;
use indexmap::IndexSet;

use super::Emitter;
use super::kernel::{has_iterations, is_full};
use crate::arith::BUILDS;
use crate::statement::basic_type;

const INTRINSIC: &str = "llvm.nvvm.mma.m16n8k4.row.col.f64";

/// The products that are added to each element.
const PRODUCTS: u32 = 4;

/// The threads of a warp along columns, and along rows.
const COLUMNS: u32 = 4;
const ROWS: u32 = 8;

/// The neighbours of a thread in a row.
const NEIGHBOURS: u32 = 2;

/// The loops below a mark.
#[derive(Clone, Copy)]
struct Loops<'n> {
    rows: &'n For,
    /// The loops over threads in x and y, and that in z with a single one, if there is one.
    threads: [&'n For; 2],
    single: Option<&'n For>,
    neighbours: &'n For,
    products: &'n For,
    call: &'n Call,
}

/// An element of a thread: the first values of the loops over threads in x and y, and the statement's call. That of a row as a whole mentions the
/// iterator of the neighbours.
struct Point {
    first: [Quasi; 2],
    call: Call,
}

/// An instruction.
struct Instruction<'b, 'a, 'n> {
    loops: Loops<'n>,
    /// The rows of a thread, and their two elements.
    rows: [(Point, [Point; 2]); 2],
    statement: &'b IrStatement<'a>,
    /// The operand that rows have, and the one that columns have.
    factors: [Value<'a>; 2],
    addend: Value<'a>,
    result: Value<'a>,
}

impl<'b, 'a> Emitter<'b, 'a, '_> {
    /// Emits what is below an `mma` mark: an instruction, or else loops, where not all of its iterations are there.
    pub(super) fn matrix_instruction(&mut self, body: &Node) {
        let Some(instruction) = self.instruction_of(body) else {
            return self.node(body);
        };
        self.enter_part_of_block(body);
        let loops = &instruction.loops;
        let own = [self.thread("x"), self.thread("y")];
        let mut values: Vec<BasicValueEnum<'a>> = Vec::new();
        for (_, [point, _]) in &instruction.rows {
            values.push(self.at(loops, point, (own, own[0]), |emitter| {
                emitter.factor(&point.call, &instruction, instruction.factors[0])
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
        let (row, _) = &instruction.rows[0];
        values.push(self.at(loops, row, ([thread, own[1]], own[0]), |emitter| {
            let first = loops.neighbours.lower.clone();
            emitter.with_thread_at(loops.neighbours.iter, (first, neighbour), NEIGHBOURS, |emitter| {
                emitter.factor(&row.call, &instruction, instruction.factors[1])
            })
        }));
        let points = || instruction.rows.iter().flat_map(|(_, points)| points);
        let first = self.i64.const_zero();
        for point in points() {
            values.push(self.at(loops, point, (own, first), |emitter| {
                emitter.instances.replace(emitter.instances_of(&point.call, None));
                emitter.addend(&point.call, &instruction)
            }));
        }
        let results = self.multiply(&values);
        for (point, result) in points().zip(results) {
            self.at(loops, point, (own, first), |emitter| {
                emitter.instances.replace(emitter.instances_of(&point.call, None));
                emitter.write(&point.call, &instruction, result.into());
            });
        }
        self.body.borrow_mut().instances += 1;
    }

    /// The instruction that what is below a mark is, if it is one.
    fn instruction_of<'n>(&self, body: &'n Node) -> Option<Instruction<'b, 'a, 'n>> {
        let loops = loops_of(body)?;
        let [x, y] = loops.threads;
        let own = self.block_threads();
        let has_threads = own[0] == COLUMNS && own[1].is_multiple_of(ROWS) && is_full(x, own[0]) && is_full(y, own[1]);
        let has_all = has_iterations(loops.rows, 2)
            && loops.single.is_none_or(|z| has_iterations(z, 1))
            && has_iterations(loops.neighbours, NEIGHBOURS)
            && has_iterations(loops.products, PRODUCTS);
        let row = |number: i64| {
            let row = loops.row(number)?;
            let points = [row.neighbour(&loops, 0)?, row.neighbour(&loops, 1)?];
            Some((row, points))
        };
        let rows = [row(0)?, row(1)?];
        let statement = self.statement_of(loops.call);
        let result = result_of(statement)?;
        let MultiplyAdd { factors, addend } = MultiplyAdd::of(result)?;
        let dims = [
            self.dims_of(statement, factors[0])?,
            self.dims_of(statement, factors[1])?,
        ];
        // A row's operand is the same for all threads along x, and their neighbours; a column's for both rows, and for all threads along y.
        let mentions = |dims: &IndexSet<usize>, iter: IterId| {
            let mut arguments = dims.iter().map(|dim| &loops.call.arguments[*dim]);
            arguments.any(|argument| argument.mentions(iter))
        };
        let is_of_rows = |dims: &IndexSet<usize>| !mentions(dims, x.iter) && !mentions(dims, loops.neighbours.iter);
        let is_of_columns = |dims: &IndexSet<usize>| {
            let same_columns = rows[0].0.first[0] == rows[1].0.first[0];
            same_columns && !mentions(dims, y.iter) && !mentions(dims, loops.rows.iter)
        };
        let order = [[0, 1], [1, 0]];
        let order = order
            .into_iter()
            .find(|[x, y]| is_of_rows(&dims[*x]) && is_of_columns(&dims[*y]))?;
        let factors = order.map(|position| factors[position]);
        let is_double = basic_type(result) == self.run.context().f64_type().into();
        (has_threads && has_all && is_double).then_some(Instruction {
            loops,
            rows,
            statement,
            factors,
            addend,
            result,
        })
    }

    /// The dimensions of a statement that a factor depends on; `None` if it depends on anything but loads of elements that are in buffers.
    fn dims_of(&self, statement: &IrStatement<'a>, factor: Value<'a>) -> Option<IndexSet<usize>> {
        let tree = operand_tree(statement, factor);
        let is_used = |read: Value<'a>| {
            let mut computed = tree.iter().filter(|i| !i.is_load_or_store());
            read == factor || computed.any(|i| i.operands().contains(&read))
        };
        if statement.reads.iter().any(|(_, read)| is_used(*read)) {
            return None;
        }
        let mut dims = IndexSet::new();
        for load in tree.iter().filter(|i| i.is_load_or_store()) {
            let subscripts = self.subscripts.get(&statement.name, *load, false)?;
            if !self.is_in_buffer(statement, *load) {
                return None;
            }
            for subscript in subscripts {
                dims.extend((0..subscript.dims.len()).filter(|dim| !subscript.dims[*dim].is_zero()));
            }
        }
        Some(dims)
    }

    /// Emits something of a point, for threads with these numbers in x and y, and so many products after the first one.
    fn at<R>(
        &mut self,
        loops: &Loops<'_>,
        point: &Point,
        (threads, product): ([IntValue<'a>; 2], IntValue<'a>),
        emit: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let [x, y] = loops.threads;
        let sizes = self.block_threads();
        let [first_x, first_y] = point.first.clone().map(Expr::Quasi);
        if let Some(z) = loops.single {
            let only = self.arith().expr(&z.lower);
            self.iters[z.iter.0] = Some(only);
        }
        let result = self.with_thread_at(y.iter, (first_y, threads[1]), sizes[1], |emitter| {
            emitter.with_thread_at(x.iter, (first_x, threads[0]), sizes[0], |emitter| {
                let lower = emitter.arith().expr(&loops.products.lower);
                let iter = emitter.builder.build_int_nsw_add(lower, product, "").expect(BUILDS);
                emitter.iters[loops.products.iter.0] = Some(iter);
                let result = emit(emitter);
                emitter.iters[loops.products.iter.0] = None;
                result
            })
        });
        if let Some(z) = loops.single {
            self.iters[z.iter.0] = None;
        }
        result
    }

    /// Emits something where an iterator has one of so many values from a first one on.
    fn with_thread_at<R>(
        &mut self,
        iter: IterId,
        (first, distance): (Expr, IntValue<'a>),
        values: u32,
        emit: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let value = self.arith().expr(&first);
        let value = self.builder.build_int_nsw_add(value, distance, "").expect(BUILDS);
        self.iters[iter.0] = Some(value);
        self.points_of_block().push((iter, first, values));
        let result = emit(self);
        self.points_of_block().pop();
        self.iters[iter.0] = None;
        result
    }

    /// A factor in the instance of a call.
    fn factor(&self, call: &Call, instruction: &Instruction<'_, 'a, '_>, factor: Value<'a>) -> BasicValueEnum<'a> {
        let statement = instruction.statement;
        self.with_statements(call, |statements, counters| {
            let mut instance = statements.begin(statement, counters);
            let tree = operand_tree(statement, factor);
            let own = statement.instructions.iter().filter(|i| tree.contains(*i));
            own.for_each(|i| instance.instruction(*i));
            instance.value(factor)
        })
    }

    /// What a product is added to in the instance of a call.
    fn addend(&self, call: &Call, instruction: &Instruction<'_, 'a, '_>) -> BasicValueEnum<'a> {
        let addend = instruction.addend;
        self.with_statements(call, |statements, counters| {
            let mut instance = statements.begin(instruction.statement, counters);
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
        self.with_statements(call, |statements, counters| {
            let mut instance = statements.begin(instruction.statement, counters);
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

impl Loops<'_> {
    /// A row of a thread; `None` where something is not affine.
    fn row(&self, number: i64) -> Option<Point> {
        let row = self.rows.lower.as_quasi()?.clone().plus(number);
        let first = |node: &For| node.lower.as_quasi()?.with_iter(self.rows.iter, &row);
        Some(Point {
            first: [first(self.threads[0])?, first(self.threads[1])?],
            call: self.call.with_iter(self.rows.iter, &row)?,
        })
    }
}

impl Point {
    /// One of two neighbours in a row.
    fn neighbour(&self, loops: &Loops<'_>, number: i64) -> Option<Point> {
        let neighbour = loops.neighbours.lower.as_quasi()?.clone().plus(number);
        Some(Point {
            first: self.first.clone(),
            call: self.call.with_iter(loops.neighbours.iter, &neighbour)?,
        })
    }
}

/// The loops below a mark, if these are all that there is.
fn loops_of(body: &Node) -> Option<Loops<'_>> {
    let is_along = |node: &For, dimension: usize| node.is_annotated(For::BLOCK_THREADS[dimension]);
    let rows = loop_at(body)?;
    let Node::Mark {
        mark: Mark::Threads { .. },
        body,
    } = &rows.body
    else {
        return None;
    };
    let outermost = loop_at(body)?;
    let (single, y) = match is_along(outermost, 2) {
        true => (Some(outermost), loop_at(&outermost.body)?),
        false => (None, outermost),
    };
    let x = loop_at(&y.body)?;
    let neighbours = loop_at(&x.body)?;
    let products = loop_at(&neighbours.body)?;
    let Node::Call(call) = &products.body else { return None };
    (is_along(x, 0) && is_along(y, 1)).then_some(Loops {
        rows,
        threads: [x, y],
        single,
        neighbours,
        products,
        call,
    })
}

/// The loop that a node is.
fn loop_at(node: &Node) -> Option<&For> {
    match node {
        Node::For(node) => Some(node),
        _ => None,
    }
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
