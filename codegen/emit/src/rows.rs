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
//! - whether all rows are apart from each other: a row that is outside of the hull of all rows before it is; any other one is a *straggler*,
//!   which is compared with each of them;
//! - whether the rows are *sorted*: in the order of the table they are at ascending addresses, or all at descending ones.
//!
//! Two arrays are apart if their hulls are, as those of matrices that are allocated one after the other. If not, a merge of both lists of rows
//! decides where both are sorted: it goes on with the row that ends before the other one begins, and fails where none does. Rows of matrices
//! that are allocated together alternate, for example. Where one is not sorted, the rows of one that are in the hull of the other one are
//! stragglers.
//!
//! An allocator takes the first rows of a matrix from free memory, in any order, and the others one after the other from new memory. So there
//! are few stragglers. Checks fail for more of an array than elements are accessed of a row, or an eighth of that in two loops, so that they take
//! little time beside the loops, which go over all rows.
//!
//! All addresses are below 2^62, and so are distances of rows: the guard checks both. So no sum wraps around. A table's elements are read from
//! the first one that the region accesses to the last one; they are in one object, and what is between accessed ones is frozen.

use farkas_llvm::Run;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::values::{IntValue, PhiValue};
use farkas_llvm::scop_ir::{ArrayId, Base, IrArray, ScopIr};
use farkas_llvm::value::Value;
use indexmap::IndexMap;

use crate::arith::{Arith, BUILDS};
use crate::checks::{ArrayRange, RowChecks, Rows};
use crate::inspector;

/// The limit of addresses and of distances.
const LIMIT: u64 = 1 << 62;

/// Bytes, from the first on and up to the last, as numbers of 64 bits.
type Bytes<'a> = (IntValue<'a>, IntValue<'a>);

/// For each straggler, so many elements are accessed of a row where loops are nested at most so deep.
const ELEMENTS_FOR_STRAGGLER: [(usize, u64); 2] = [(2, 8), (usize::MAX, 1)];

/// The rows of an array, or a single one.
struct RowList<'a> {
    /// The table; without one there is one row, at address 0.
    table: Option<ArrayId>,
    /// What is accessed from a row's address on.
    range: Bytes<'a>,
    /// The positions of the addresses in the table: the first one, the distance of the next one, and the last one.
    positions: [IntValue<'a>; 3],
    /// The rows that may be compared with all of these.
    most_stragglers: IntValue<'a>,
    /// The bytes of all.
    hull: Bytes<'a>,
    /// Whether there is any row.
    is_any: IntValue<'a>,
    /// Whether they are in the order of their addresses, by these positions.
    is_sorted: IntValue<'a>,
    /// Whether rows are apart from each other, if that was looked at.
    are_apart: IntValue<'a>,
}

/// What is known of rows in the middle of a pass.
#[derive(Clone, Copy)]
struct Seen<'a> {
    /// The bytes of the last one.
    begin: IntValue<'a>,
    end: IntValue<'a>,
    /// The hull of all.
    lowest: IntValue<'a>,
    highest: IntValue<'a>,
    ascending: IntValue<'a>,
    descending: IntValue<'a>,
    /// Whether addresses are below the limit.
    in_limit: IntValue<'a>,
    /// As those of [`RowList`].
    are_apart: IntValue<'a>,
    stragglers: IntValue<'a>,
}

impl<'a> Seen<'a> {
    fn values(self) -> [IntValue<'a>; 9] {
        [
            self.begin,
            self.end,
            self.lowest,
            self.highest,
            self.ascending,
            self.descending,
            self.in_limit,
            self.are_apart,
            self.stragglers,
        ]
    }

    /// The inverse of [`Seen::values`].
    fn of(values: [IntValue<'a>; 9]) -> Self {
        let [
            begin,
            end,
            lowest,
            highest,
            ascending,
            descending,
            in_limit,
            are_apart,
            stragglers,
        ] = values;
        Seen {
            begin,
            end,
            lowest,
            highest,
            ascending,
            descending,
            in_limit,
            are_apart,
            stragglers,
        }
    }
}

/// Emits checks of rows.
struct Checker<'c, 'b, 'a, 'r> {
    run: &'a Run<'r>,
    scop: &'c ScopIr<'a>,
    arith: &'c Arith<'b, 'a>,
    /// As [`RowChecks::depth`].
    depth: usize,
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
    let checker = Checker {
        run,
        scop,
        arith,
        depth: guards.depth,
    };
    let mut checks = Vec::new();
    let mut found: IndexMap<ArrayId, RowList<'a>> = IndexMap::new();
    for (array, bytes) in plain {
        let range = narrowed(arith, *bytes, &mut checks);
        found.insert(*array, checker.single(range));
    }
    for rows in &guards.rows {
        let range = narrowed(arith, offsets(&rows.range, &mut checks), &mut checks);
        let array = rows.range.array;
        let is_written = guards.pairs.contains(&(array, array));
        found.insert(array, checker.pass(rows, (range, is_written), &mut checks));
    }
    for (one, other) in &guards.pairs {
        checks.push(match one == other {
            true => found[one].are_apart,
            false => checker.apart(&found[one], &found[other]),
        });
    }
    checks
}

/// Addresses or distances in 64 bits, of which `checks` gets that they are within the limit.
fn narrowed<'a>(arith: &Arith<'_, 'a>, (first, end): Bytes<'a>, checks: &mut Vec<IntValue<'a>>) -> Bytes<'a> {
    let b = arith.builder;
    let mut narrow = |wide: IntValue<'a>| {
        let ty = wide.get_type();
        let shifted = b.build_int_add(wide, ty.const_int(LIMIT, false), "").expect(BUILDS);
        let in_limit = b.build_int_compare(IntPredicate::ULE, shifted, ty.const_int(2 * LIMIT, false), "");
        checks.push(in_limit.expect(BUILDS));
        b.build_int_truncate(wide, arith.i64, "").expect(BUILDS)
    };
    (narrow(first), narrow(end))
}

impl<'a> Checker<'_, '_, 'a, '_> {
    /// How many rows may be compared with all rows of an array.
    fn most_stragglers(&self, rows: &Rows) -> IntValue<'a> {
        let Arith { builder: b, i64, .. } = *self.arith;
        let (_, elements) = ELEMENTS_FOR_STRAGGLER
            .into_iter()
            .find(|(most, _)| self.depth <= *most)
            .expect("any depth");
        let [first, last] = [&rows.range.first, &rows.range.last].map(|end| self.arith.expr(end));
        let between = b.build_int_sub(last, first, "").expect(BUILDS);
        let for_each = i64.const_int(elements.saturating_mul(rows.step), false);
        b.build_int_signed_div(between, for_each, "").expect(BUILDS)
    }

    /// A single row.
    fn single(&self, range: Bytes<'a>) -> RowList<'a> {
        let zero = self.arith.i64.const_zero();
        let (truth, _) = self.truths();
        RowList {
            table: None,
            range,
            positions: [zero; 3],
            most_stragglers: self.arith.i64.const_int(1, false),
            hull: range,
            is_any: truth,
            is_sorted: truth,
            are_apart: truth,
        }
    }

    /// Passes over a table. `checks` gets what has to hold for the result to be right. Whether rows are apart is looked at only of those that are
    /// written.
    fn pass(&self, rows: &Rows, (range, is_written): (Bytes<'a>, bool), checks: &mut Vec<IntValue<'a>>) -> RowList<'a> {
        let b = self.arith.builder;
        let Base::Table(table) = self.scop.arrays[rows.range.array.0].base else {
            unreachable!("an array with a table")
        };
        let accessed = self.arith.condition(&rows.elements.elements.accessed);
        let [first, step, last] = rows.elements.positions(self.arith);
        let list = RowList {
            table: Some(table),
            most_stragglers: self.most_stragglers(rows),
            ..self.single(range)
        };
        let entry = self.block();
        let [pass, done] = self.new_blocks(["farkas.rows", "farkas.rows.passed"]);
        b.build_conditional_branch(accessed, pass, done).expect(BUILDS);

        b.position_at_end(pass);
        let position = self.phi(first, entry);
        let at = number(position);
        let start = self.nothing_seen();
        let phis = start.values().map(|value| self.phi(value, entry));
        let before = b.build_int_sub(at, step, "").expect(BUILDS);
        let so_far = RowList {
            positions: [first, step, before],
            ..list
        };
        let address = self.address(table, at);
        let seen = self.look_at(Seen::of(phis.map(number)), address, (&so_far, is_written));
        let latch = self.block();
        let is_last = self.compare(IntPredicate::EQ, at, last);
        let next = b.build_int_add(at, step, "").expect(BUILDS);
        self.end_loop(is_last, (done, pass));
        position.add_incoming(&[(&next, latch)]);
        for (phi, value) in phis.iter().zip(seen.values()) {
            phi.add_incoming(&[(&value, latch)]);
        }

        b.position_at_end(done);
        let behind = |without: IntValue<'a>, value: IntValue<'a>| {
            let phi = self.phi(without, entry);
            phi.add_incoming(&[(&value, latch)]);
            number(phi)
        };
        let values = seen.values();
        let mut at_end = start.values();
        at_end
            .iter_mut()
            .zip(values)
            .for_each(|(own, value)| *own = behind(*own, value));
        let seen = Seen::of(at_end);
        let (truth, falsehood) = self.truths();
        let is_any = behind(falsehood, truth);
        checks.push(seen.in_limit);
        let backward = b.build_int_neg(step, "").expect(BUILDS);
        let select = |x, y| b.build_select(seen.ascending, x, y, "").expect(BUILDS).into_int_value();
        RowList {
            positions: [select(first, last), select(step, backward), select(last, first)],
            hull: (seen.lowest, seen.highest),
            is_any,
            is_sorted: self.either(seen.ascending, seen.descending),
            are_apart: seen.are_apart,
            ..list
        }
    }

    /// What is seen of rows before the first one: its hull is empty, and outside of it are all bytes.
    fn nothing_seen(&self) -> Seen<'a> {
        let [least, most] = [i64::MIN, i64::MAX].map(|number| self.arith.i64.const_int(number as u64, false));
        let (truth, _) = self.truths();
        Seen {
            begin: most,
            end: least,
            lowest: most,
            highest: least,
            ascending: truth,
            descending: truth,
            in_limit: truth,
            are_apart: truth,
            stragglers: self.arith.i64.const_zero(),
        }
    }

    /// What is seen of rows with the one at this address, behind those of a list.
    fn look_at(&self, before: Seen<'a>, address: IntValue<'a>, (so_far, is_written): (&RowList<'a>, bool)) -> Seen<'a> {
        let (begin, end) = self.row(so_far.range, address);
        let (are_apart, stragglers) = match is_written {
            true => {
                let is_outside = self.are_apart((begin, end), (before.lowest, before.highest));
                let known = (is_outside, before.are_apart, before.stragglers);
                self.apart_from((begin, end), so_far, known)
            }
            false => (before.are_apart, before.stragglers),
        };
        let limit = self.arith.i64.const_int(LIMIT, false);
        Seen {
            begin,
            end,
            lowest: self.choose(IntPredicate::SLT, begin, before.lowest),
            highest: self.choose(IntPredicate::SGT, end, before.highest),
            ascending: self.both(before.ascending, self.compare(IntPredicate::SLE, before.end, begin)),
            descending: self.both(before.descending, self.compare(IntPredicate::SLE, end, before.begin)),
            in_limit: self.both(before.in_limit, self.compare(IntPredicate::ULT, address, limit)),
            are_apart,
            stragglers,
        }
    }

    /// Whether no row of one array overlaps one of the other.
    fn apart(&self, x: &RowList<'a>, y: &RowList<'a>) -> IntValue<'a> {
        let b = self.arith.builder;
        let hulls = self.are_apart(x.hull, y.hull);
        let meet = b.build_not(hulls, "").expect(BUILDS);
        let are_sorted = self.both(x.is_sorted, y.is_sorted);
        let are_any = self.both(meet, self.both(x.is_any, y.is_any));
        let entry = self.block();
        let [merge, merged] = self.new_blocks(["farkas.rows.merge", "farkas.rows.merged"]);
        let may_merge = self.both(are_any, are_sorted);
        b.build_conditional_branch(may_merge, merge, merged).expect(BUILDS);

        b.position_at_end(merge);
        let phis = [x, y].map(|rows| self.phi(rows.positions[0], entry));
        let [at, other_at] = phis.map(number);
        let (own, other) = (self.row_at(x, at), self.row_at(y, other_at));
        let is_first = self.compare(IntPredicate::SLE, own.1, other.0);
        let goes_on = self.are_apart(own, other);
        let choose = |x, y| b.build_select(is_first, x, y, "").expect(BUILDS).into_int_value();
        let ((is_last, advanced), (other_is_last, other_advanced)) = (self.step(x, at), self.step(y, other_at));
        let next = [choose(advanced, at), choose(other_at, other_advanced)];
        self.end_unless(goes_on, choose(is_last, other_is_last), (merged, merge));
        for (phi, value) in phis.into_iter().zip(next) {
            phi.add_incoming(&[(&value, merge)]);
        }

        b.position_at_end(merged);
        let phi = self.phi(hulls, entry);
        phi.add_incoming(&[(&goes_on, merge)]);
        let unsorted = self.both(are_any, b.build_not(are_sorted, "").expect(BUILDS));
        let result = self.few_in_hull(x, y, (unsorted, number(phi)));
        let still = self.both(unsorted, b.build_not(result, "").expect(BUILDS));
        self.few_in_hull(y, x, (still, result))
    }

    /// If `condition` holds, whether no row of one array overlaps one of the other, of which few are in the hull of the other one; or else
    /// what is known so far.
    fn few_in_hull(
        &self,
        few: &RowList<'a>,
        others: &RowList<'a>,
        (condition, known): (IntValue<'a>, IntValue<'a>),
    ) -> IntValue<'a> {
        let Arith { builder: b, i64, .. } = *self.arith;
        let (truth, _) = self.truths();
        let entry = self.block();
        let [pass, done] = self.new_blocks(["farkas.rows.few", "farkas.rows.done"]);
        b.build_conditional_branch(condition, pass, done).expect(BUILDS);

        b.position_at_end(pass);
        let phis = [few.positions[0], i64.const_zero()].map(|start| self.phi(start, entry));
        let [at, stragglers] = phis.map(number);
        let own = self.row_at(few, at);
        let is_outside = self.are_apart(own, others.hull);
        let (is_apart, stragglers) = self.apart_from(own, others, (is_outside, truth, stragglers));
        let latch = self.block();
        let (is_last, next) = self.step(few, at);
        self.end_unless(is_apart, is_last, (done, pass));
        for (phi, value) in phis.into_iter().zip([next, stragglers]) {
            phi.add_incoming(&[(&value, latch)]);
        }

        b.position_at_end(done);
        let result = self.phi(known, entry);
        result.add_incoming(&[(&is_apart, latch)]);
        number(result)
    }

    /// Compares a row with all of an array, unless it is outside of their hull. Returns whether it is apart from them, and the rows before it
    /// too, and the number of stragglers with it.
    fn apart_from(
        &self,
        own: Bytes<'a>,
        others: &RowList<'a>,
        (is_outside, are_apart, stragglers): (IntValue<'a>, IntValue<'a>, IntValue<'a>),
    ) -> (IntValue<'a>, IntValue<'a>) {
        let Arith { builder: b, i64, .. } = *self.arith;
        let is_straggler = b.build_not(is_outside, "").expect(BUILDS);
        let are_few = self.compare(IntPredicate::SLT, stragglers, others.most_stragglers);
        let entry = self.block();
        let [compare, done] = self.new_blocks(["farkas.row", "farkas.row.compared"]);
        let is_asked = self.both(is_straggler, self.both(are_apart, are_few));
        b.build_conditional_branch(is_asked, compare, done).expect(BUILDS);

        b.position_at_end(compare);
        let phi = self.phi(others.positions[0], entry);
        let at = number(phi);
        let goes_on = self.are_apart(own, self.row_at(others, at));
        let (is_last, next) = self.step(others, at);
        self.end_unless(goes_on, is_last, (done, compare));
        phi.add_incoming(&[(&next, compare)]);

        b.position_at_end(done);
        let result = self.phi(is_outside, entry);
        result.add_incoming(&[(&goes_on, compare)]);
        let counted = b.build_int_z_extend(is_straggler, i64, "").expect(BUILDS);
        (
            self.both(are_apart, number(result)),
            b.build_int_add(stragglers, counted, "").expect(BUILDS),
        )
    }

    fn truths(&self) -> (IntValue<'a>, IntValue<'a>) {
        let bit = self.arith.i64.get_context().bool_type();
        (bit.const_all_ones(), bit.const_zero())
    }

    /// Whether these bytes do not overlap.
    fn are_apart(&self, x: Bytes<'a>, y: Bytes<'a>) -> IntValue<'a> {
        let before = |x: Bytes<'a>, y: Bytes<'a>| self.compare(IntPredicate::SLE, x.1, y.0);
        self.either(before(x, y), before(y, x))
    }

    fn both(&self, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
        self.arith.builder.build_and(x, y, "").expect(BUILDS)
    }

    fn either(&self, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
        self.arith.builder.build_or(x, y, "").expect(BUILDS)
    }

    /// The bytes of the row whose address is at a position.
    fn row_at(&self, rows: &RowList<'a>, position: IntValue<'a>) -> Bytes<'a> {
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

    /// Whether a position is the last one of rows, and the next one.
    fn step(&self, rows: &RowList<'a>, position: IntValue<'a>) -> (IntValue<'a>, IntValue<'a>) {
        let [_, step, last] = rows.positions;
        let next = self.arith.builder.build_int_add(position, step, "").expect(BUILDS);
        (self.compare(IntPredicate::EQ, position, last), next)
    }

    /// Leaves a loop in its last iteration, and where it does not go on.
    fn end_unless(&self, goes_on: IntValue<'a>, is_last: IntValue<'a>, to: (BasicBlock<'a>, BasicBlock<'a>)) {
        let fails = self.arith.builder.build_not(goes_on, "").expect(BUILDS);
        self.end_loop(self.either(fails, is_last), to);
    }

    /// Leaves a loop where a condition holds. It is no loop to look at again, and not worth being unrolled or vectorized.
    fn end_loop(&self, ends: IntValue<'a>, (done, again): (BasicBlock<'a>, BasicBlock<'a>)) {
        let branch = self.arith.builder.build_conditional_branch(ends, done, again);
        let run = self.run;
        let whole = run.metadata_node(&[run.metadata_text("llvm.loop.unroll.disable")]);
        let done_with = run.metadata_node(&[run.metadata_text("llvm.loop.isvectorized"), run.metadata_number(1)]);
        let marks = run.distinct_node(&[run.new_mark(), whole, done_with], true);
        run.attach(Value::from_inkwell(branch.expect(BUILDS)), "llvm.loop", marks);
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
