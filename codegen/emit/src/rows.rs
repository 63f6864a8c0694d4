//! Run-time checks of rows that a table of addresses points to (an Iliffe vector).
//!
//! ```c
//! for (i = 0; i < n; i++)
//!   for (k = 0; k < n; k++)
//!     for (j = 0; j < n; j++)
//!       c[i][j] += a[i][k] * b[k][j];       // double **a, **b, **c
//! ```
//!
//! Each row of `c` has to be apart from all others, and from the rows of `a` and `b`. A pass over each table says where its rows are:
//!
//! - the *hull* of all rows, the bytes from the first one of any row to the last one of any row;
//! - whether each row is outside of the hull of all rows before it, so that all are apart: those that an allocator takes from free memory, then
//!   those from new memory;
//! - whether the rows are *sorted*: in the order of the table they are at ascending addresses, or all at descending ones.
//!
//! Rows of a written array have to be apart. Two arrays are apart if their hulls are, as those of matrices that are allocated one after the
//! other. If not, a merge of both lists of rows decides where both are sorted: it goes on with the row that ends before the other one
//! begins, and fails where none does. Rows of matrices that are allocated together alternate, for example.
//!
//! All addresses are below 2^62, and so are distances of rows: the guard checks both. So no sum wraps around. A table's elements are read from
//! the first one that the region accesses to the last one; they are in one object, and what is between accessed ones is frozen.

use farkas_llvm::Run;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::values::{IntValue, PhiValue};
use farkas_llvm::scop_ir::{ArrayId, Base, IrArray, ScopIr};
use farkas_llvm::value::Value;
use indexmap::{IndexMap, IndexSet};

use crate::accessed_elements::AccessedElements;
use crate::arith::{Arith, BUILDS};
use crate::checks::ArrayRange;
use crate::inspector;

/// The limit of addresses and of distances.
const LIMIT: u64 = 1 << 62;

/// The rows that a region accesses of an array with a table.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The elements of the table.
    pub elements: AccessedElements,
    /// How many of the table's last subscripts are the same in all of them: what is between two neighbours is not looked at.
    pub fixed_subscripts: usize,
    /// What is accessed of a row, from its address on. It has the array, and the sizes inside of rows.
    pub range: ArrayRange,
}

/// The checks of arrays with tables.
#[derive(Clone, Debug, Default)]
pub struct RowChecks {
    /// The arrays with tables.
    pub rows: Vec<Rows>,
    /// The arrays that must not overlap, where one has a table. A pair of one array says that its rows must not.
    pub pairs: Vec<(ArrayId, ArrayId)>,
}

impl RowChecks {
    /// The arrays that are checked, in the order in which they come.
    pub fn arrays(&self) -> IndexSet<ArrayId> {
        self.pairs.iter().flat_map(|(one, other)| [*one, *other]).collect()
    }

    /// The number of comparisons of addresses for each row.
    pub fn comparisons(&self) -> usize {
        2 * self.pairs.len()
    }
}

/// Bytes, from the first on and up to the last, as numbers of 64 bits.
type Bytes<'a> = (IntValue<'a>, IntValue<'a>);

/// Rows in the order of their addresses, or a single one.
struct Sorted<'a> {
    /// The table; without one there is one row, at address 0.
    table: Option<ArrayId>,
    /// What is accessed from a row's address on.
    range: Bytes<'a>,
    /// The positions of the addresses in the table: the first one, the distance of the next one, and the last one.
    positions: [IntValue<'a>; 3],
    /// The bytes of all.
    hull: Bytes<'a>,
    /// Whether there is any row, and they are sorted.
    is_sorted: IntValue<'a>,
    /// Whether rows are apart, if there are any.
    are_apart: IntValue<'a>,
}

/// Emits checks of rows.
struct Checker<'c, 'b, 'a, 'r> {
    run: &'a Run<'r>,
    scop: &'c ScopIr<'a>,
    arith: &'c Arith<'b, 'a>,
}

/// The checks, behind the block where the builder stands. `plain` are the addresses of arrays without tables, in 128 bits, and `offsets` gives
/// the bytes of a range from an address 0 on. The builder comes to stand where all is known.
pub(super) fn checks<'a>(
    run: &'a Run<'_>,
    (scop, arith): (&ScopIr<'a>, &Arith<'_, 'a>),
    guards: &RowChecks,
    plain: &IndexMap<ArrayId, Bytes<'a>>,
    offsets: impl Fn(&ArrayRange, &mut Vec<IntValue<'a>>) -> Bytes<'a>,
) -> Vec<IntValue<'a>> {
    let checker = Checker { run, scop, arith };
    let mut checks = Vec::new();
    let mut found: IndexMap<ArrayId, Sorted<'a>> = IndexMap::new();
    for (array, bytes) in plain {
        let range = checker.narrowed(*bytes, &mut checks);
        found.insert(*array, checker.single(range));
    }
    for rows in &guards.rows {
        let range = offsets(&rows.range, &mut checks);
        let range = checker.narrowed(range, &mut checks);
        found.insert(rows.range.array, checker.pass(rows, range, &mut checks));
    }
    for (one, other) in &guards.pairs {
        checks.push(match one == other {
            true => found[one].are_apart,
            false => checker.apart(&found[one], &found[other]),
        });
    }
    checks
}

impl<'a> Checker<'_, '_, 'a, '_> {
    /// Addresses or distances in 64 bits, of which `checks` gets that they are within the limit.
    fn narrowed(&self, (first, end): Bytes<'a>, checks: &mut Vec<IntValue<'a>>) -> Bytes<'a> {
        let b = self.arith.builder;
        let mut narrow = |wide: IntValue<'a>| {
            let ty = wide.get_type();
            let limit = ty.const_int(LIMIT, false);
            let shifted = b.build_int_add(wide, limit, "").expect(BUILDS);
            checks.push(self.compare(IntPredicate::ULE, shifted, ty.const_int(2 * LIMIT, false)));
            b.build_int_truncate(wide, self.arith.i64, "").expect(BUILDS)
        };
        (narrow(first), narrow(end))
    }

    /// A single row.
    fn single(&self, range: Bytes<'a>) -> Sorted<'a> {
        let zero = self.arith.i64.const_zero();
        let truth = self.arith.i64.get_context().bool_type().const_all_ones();
        Sorted {
            table: None,
            range,
            positions: [zero; 3],
            hull: range,
            is_sorted: truth,
            are_apart: truth,
        }
    }

    /// Passes over a table. `checks` gets what has to hold for the result to be right.
    fn pass(&self, rows: &Rows, range: Bytes<'a>, checks: &mut Vec<IntValue<'a>>) -> Sorted<'a> {
        let Arith { builder: b, i64, .. } = *self.arith;
        let Base::Table(table) = self.scop.arrays[rows.range.array.0].base else {
            unreachable!("an array with a table")
        };
        let accessed = self.arith.condition(&rows.elements.accessed);
        let (first, last) = rows.elements.positions(self.arith);
        let inner_sizes = rows.elements.sizes.iter().rev().take(rows.fixed_subscripts);
        let one = i64.const_int(1, false);
        let step = inner_sizes.fold(one, |step, size| {
            b.build_int_mul(step, self.arith.quasi(size), "").expect(BUILDS)
        });
        let [least, most] = [i64::MIN, i64::MAX].map(|number| i64.const_int(number as u64, false));
        let bit = i64.get_context().bool_type();
        let (truth, falsehood) = (bit.const_all_ones(), bit.const_zero());
        let entry = self.block();
        let [pass, done] = self.new_blocks(["farkas.rows", "farkas.rows.passed"]);
        b.build_conditional_branch(accessed, pass, done).expect(BUILDS);

        b.position_at_end(pass);
        let position = self.phi(first, entry);
        let [begin_before, end_before] = [most, least].map(|start| self.phi(start, entry));
        let [lowest, highest] = [most, least].map(|start| self.phi(start, entry));
        let [ascending, descending, outside, in_limit] = [truth; 4].map(|start| self.phi(start, entry));
        let address = self.address(table, number(position));
        let (begin, end) = self.row(range, address);
        let below = self.compare(IntPredicate::ULT, address, i64.const_int(LIMIT, false));
        let follows = self.compare(IntPredicate::SLE, number(end_before), begin);
        let precedes = self.compare(IntPredicate::SLE, end, number(begin_before));
        let (both, either) = (
            |x, y| b.build_and(x, y, "").expect(BUILDS),
            |x, y| b.build_or(x, y, "").expect(BUILDS),
        );
        let is_above = self.compare(IntPredicate::SLE, number(highest), begin);
        let is_below = self.compare(IntPredicate::SLE, end, number(lowest));
        let next = [
            (position, b.build_int_add(number(position), step, "").expect(BUILDS)),
            (begin_before, begin),
            (end_before, end),
            (lowest, self.choose(IntPredicate::SLT, begin, number(lowest))),
            (highest, self.choose(IntPredicate::SGT, end, number(highest))),
            (ascending, both(number(ascending), follows)),
            (descending, both(number(descending), precedes)),
            (outside, both(number(outside), either(is_above, is_below))),
            (in_limit, both(number(in_limit), below)),
        ];
        let is_last = self.compare(IntPredicate::EQ, number(position), last);
        self.end_loop(is_last, (done, pass));
        for (phi, value) in next {
            phi.add_incoming(&[(&value, pass)]);
        }

        b.position_at_end(done);
        let result = |index: usize, without: IntValue<'a>| {
            let phi = self.phi(without, entry);
            phi.add_incoming(&[(&next[index].1, pass)]);
            number(phi)
        };
        let hull = (result(3, most), result(4, least));
        let ascending = result(5, truth);
        let descending = result(6, truth);
        let are_apart = result(7, truth);
        checks.push(result(8, truth));
        let is_any = self.phi(falsehood, entry);
        is_any.add_incoming(&[(&truth, pass)]);
        let backward = b.build_int_neg(step, "").expect(BUILDS);
        let select = |x, y| b.build_select(ascending, x, y, "").expect(BUILDS).into_int_value();
        Sorted {
            table: Some(table),
            range,
            positions: [select(first, last), select(step, backward), select(last, first)],
            hull,
            is_sorted: both(either(ascending, descending), number(is_any)),
            are_apart,
        }
    }

    /// Whether no row of one array overlaps one of the other.
    fn apart(&self, x: &Sorted<'a>, y: &Sorted<'a>) -> IntValue<'a> {
        let b = self.arith.builder;
        let before = |x: Bytes<'a>, y: Bytes<'a>| self.compare(IntPredicate::SLE, x.1, y.0);
        let (both, either) = (
            |x, y| b.build_and(x, y, "").expect(BUILDS),
            |x, y| b.build_or(x, y, "").expect(BUILDS),
        );
        let hulls = either(before(x.hull, y.hull), before(y.hull, x.hull));
        let meet = b.build_not(hulls, "").expect(BUILDS);
        let may_merge = both(meet, both(x.is_sorted, y.is_sorted));
        let entry = self.block();
        let [merge, done] = self.new_blocks(["farkas.rows.merge", "farkas.rows.merged"]);
        b.build_conditional_branch(may_merge, merge, done).expect(BUILDS);

        b.position_at_end(merge);
        let [at, other_at] = [x, y].map(|rows| self.phi(rows.positions[0], entry));
        let own = self.row_at(x, number(at));
        let other = self.row_at(y, number(other_at));
        let (is_first, is_second) = (before(own, other), before(other, own));
        let goes_on = either(is_first, is_second);
        let end = |rows: &Sorted<'a>, at| self.compare(IntPredicate::EQ, number(at), rows.positions[2]);
        let choose = |x, y| b.build_select(is_first, x, y, "").expect(BUILDS).into_int_value();
        let is_end = choose(end(x, at), end(y, other_at));
        let advanced = |rows: &Sorted<'a>, at| b.build_int_add(number(at), rows.positions[1], "").expect(BUILDS);
        let next = choose(advanced(x, at), number(at));
        let other_next = choose(number(other_at), advanced(y, other_at));
        let fails = b.build_not(goes_on, "").expect(BUILDS);
        self.end_loop(either(fails, is_end), (done, merge));
        at.add_incoming(&[(&next, merge)]);
        other_at.add_incoming(&[(&other_next, merge)]);

        b.position_at_end(done);
        let result = self.phi(hulls, entry);
        result.add_incoming(&[(&goes_on, merge)]);
        number(result)
    }

    /// The bytes of the row whose address is at a position.
    fn row_at(&self, rows: &Sorted<'a>, position: IntValue<'a>) -> Bytes<'a> {
        match rows.table {
            Some(table) => self.row(rows.range, self.address(table, position)),
            None => rows.range,
        }
    }

    fn row(&self, range: Bytes<'a>, address: IntValue<'a>) -> Bytes<'a> {
        let plus = |x| self.arith.builder.build_int_add(address, x, "").expect(BUILDS);
        (plus(range.0), plus(range.1))
    }

    /// The address at a position of a table.
    fn address(&self, table: ArrayId, position: IntValue<'a>) -> IntValue<'a> {
        let table: &IrArray<'a> = &self.scop.arrays[table.0];
        inspector::element(table, self.arith.i64, position, self.arith)
    }

    fn block(&self) -> BasicBlock<'a> {
        self.arith.builder.get_insert_block().expect("a positioned builder")
    }

    fn new_blocks<const N: usize>(&self, names: [&str; N]) -> [BasicBlock<'a>; N] {
        let function = self.run.function().inkwell();
        names.map(|name| self.run.context().append_basic_block(function, name))
    }

    fn phi(&self, start: IntValue<'a>, from: BasicBlock<'a>) -> PhiValue<'a> {
        let phi = self.arith.builder.build_phi(start.get_type(), "").expect(BUILDS);
        phi.add_incoming(&[(&start, from)]);
        phi
    }

    /// Leaves a loop of one block where a condition holds. It is no loop to look at again.
    fn end_loop(&self, ends: IntValue<'a>, (done, again): (BasicBlock<'a>, BasicBlock<'a>)) {
        let branch = self.arith.builder.build_conditional_branch(ends, done, again);
        let marks = self.run.distinct_node(&[self.run.new_mark()], true);
        self.run
            .attach(Value::from_inkwell(branch.expect(BUILDS)), "llvm.loop", marks);
    }

    fn choose(&self, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
        let chosen = self.compare(predicate, x, y);
        let value = self.arith.builder.build_select(chosen, x, y, "").expect(BUILDS);
        value.into_int_value()
    }

    fn compare(&self, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
        self.arith.builder.build_int_compare(predicate, x, y, "").expect(BUILDS)
    }
}

fn number<'a>(phi: PhiValue<'a>) -> IntValue<'a> {
    phi.as_basic_value().into_int_value()
}
