//! How many cycles an iteration of a loop waits for the one before it.
//!
//! A loop that carries a flow dependence from a statement to itself computes a value from the one of the iteration before.
//! The operations on the way from the read to the write are executed one after the other, whatever the width of the
//! machine. The sum `s += A[i][j]` over `j` takes the latency of an addition for each `j`.
//!
//! Copies of the statement in the body of the loop, from other loops that are unrolled inside, run side by side, as long
//! as they are on other elements. The four sums of a loop that is unrolled by four over `i` take no longer than one.
//!
//! The value stays in a register from one iteration to the next, also where it is stored to another element each time:
//! LLVM forwards a store to the load of the next iteration.

use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{Access, Chain, ElementType, Operation, OperationClass, Statement};

use super::footprint::Layouts;
use super::linear::{LinearAccess, LinearStatement, Stride};
use super::nest::{Nest, NestLoop};
use crate::target::Target;

/// Cycles from a vector to the same one in a later iteration, where each lane is stored and loaded by itself: extracting, forwarding in the store
/// buffer, and inserting. (Measured on Zen 3: prefix sums of rows in place take 19 cycles for four rows, 16 more than the addition. With so much, tridiagonal
/// systems lose their blocks, which gain an eighth.)
const BY_LANES: f64 = 10.0;

/// The cycles that an iteration of the innermost loop waits for the one before it, if it carries a dependence of the
/// statement on itself.
pub(crate) fn cycles(
    statement: &Statement,
    linear: &LinearStatement,
    nest: &Nest,
    layouts: &Layouts,
    target: &Target,
) -> f64 {
    let mut longest = 0.0_f64;
    for (write, linear_write) in statement.accesses.iter().zip(&linear.accesses) {
        if !linear_write.writes {
            continue;
        }
        for position in reads_of_earlier(statement, linear, (write, linear_write)) {
            let Some(distance) = distance(&linear.accesses[position], linear_write, nest) else {
                continue;
            };
            let read = &linear.accesses[position];
            let by_memory = match goes_by_lanes((read, linear_write), write, nest, layouts) {
                true => BY_LANES,
                false => 0.0,
            };
            let operations = (chain(statement, position, target) + by_memory) / distance;
            let moves = |direction: &Option<Row>| {
                let stride = direction
                    .as_ref()
                    .and_then(|d| layouts[write.array()].stride(linear_write, d));
                stride != Some(0.0)
            };
            let is_private = |l: &NestLoop| {
                let name = write.array().name().expect("an array has a name");
                l.private.contains(name) || l.lanes.as_ref().is_some_and(|lanes| lanes.private.contains(name))
            };
            let one_after_the_other: f64 = nest
                .unrolled()
                .filter(|l| !moves(&l.direction) && !is_private(l))
                .map(|l| l.trips)
                .product();
            longest = longest.max(operations * one_after_the_other);
        }
    }
    longest
}

/// Whether lanes store a value one by one, and load it so in a later iteration: their elements are apart, and neither stay in registers nor are
/// handed on.
fn goes_by_lanes(
    (read, written): (&LinearAccess, &LinearAccess),
    write: &Access,
    nest: &Nest,
    layouts: &Layouts,
) -> bool {
    let Some((direction, lanes)) = nest
        .lanes()
        .and_then(|l| Some((l.direction.as_ref()?, l.lanes.as_ref()?)))
    else {
        return false;
    };
    let name = write.array().name().expect("an array has a name");
    let is_in_registers = lanes.keep.contains(name) || lanes.shift.contains(name) || lanes.private.contains(name);
    layouts[write.array()].in_memory
        && !is_in_registers
        && read.constants != written.constants
        && written.stride_of_lanes(direction) == Stride::Other
}

/// How many iterations of the innermost loop ago a read's element was written, one at the least; `None` if no iteration of that loop
/// writes it for another one. Along `j`:
///
/// ```text
/// y[j] = f(y[j - 2])                           two iterations ago
/// s[i][j] = g(s[i][j - 1], s[i - 1][j])        one, for the first read, and none for the second one
/// x[j] = f(x[j], s); s += x[j]                 none: x[j] is of its own iteration. s alone waits
/// ```
fn distance(read: &LinearAccess, write: &LinearAccess, nest: &Nest) -> Option<f64> {
    let along = nest.innermost().and_then(|l| l.direction.as_ref());
    let (Some(along), Some(subscripts)) = (along, write.subscripts()) else {
        return Some(1.0);
    };
    if !read.differs_by_constants(write) {
        return Some(1.0);
    }
    let mut found = None;
    for (k, row) in subscripts.iter().enumerate() {
        let step = dot(row, along).to_i64()? as f64;
        let ahead = write.constants[k] - read.constants[k];
        let iterations = match step == 0.0 {
            true if ahead == 0.0 => continue,
            true => return None,
            false => ahead / step,
        };
        if iterations < 1.0 || found.is_some_and(|other| other != iterations) {
            return None;
        }
        found = Some(iterations);
    }
    Some(found.unwrap_or(1.0))
}

/// The positions of the reads that find what the write left in an earlier iteration, if any does: those that move as the write does, or
/// all of the array. In `A[i][j] -= A[i][k] * A[j][k] * d[k]` along `k` that is `A[i][j]`; the products wait for nothing.
fn reads_of_earlier(
    statement: &Statement,
    linear: &LinearStatement,
    (write, linear_write): (&Access, &LinearAccess),
) -> Vec<usize> {
    let reads = statement.accesses.iter().zip(&linear.accesses).enumerate();
    let same_array: Vec<(usize, &LinearAccess)> = reads
        .filter(|(_, (read, l))| !l.writes && read.array() == write.array())
        .map(|(position, (_, l))| (position, l))
        .collect();
    let moves_alike = |l: &LinearAccess| l.subscripts().is_some() && l.subscripts() == linear_write.subscripts();
    let any = same_array.iter().any(|(_, l)| moves_alike(l));
    let found = same_array.iter().filter(|(_, l)| !any || moves_alike(l));
    found.map(|(position, _)| *position).collect()
}

/// The latency of the operations from the read at this position to the write of the same array.
fn chain(statement: &Statement, read: usize, target: &Target) -> f64 {
    let of_read = statement.chains.iter().filter(|chain| chain.read.0 == read);
    let known = of_read.map(|chain| latency(statement, chain, target)).reduce(f64::max);
    // A statement of which nothing is known computes by an addition.
    known.unwrap_or_else(|| {
        let addition = target.operations.cost(OperationClass::Add, ElementType::Float(64), 1);
        addition.latency
    })
}

/// Whether a statement only adds integers, as far as it tells. LLVM changes the order of these sums so that the value of the iteration
/// before is added last.
fn adds_integers(statement: &Statement) -> bool {
    let is_access = |class| matches!(class, OperationClass::Load | OperationClass::Store);
    let mut computed = statement.operations.iter().filter(|o| !is_access(o.class)).peekable();
    let is_addition = |o: &Operation| o.class == OperationClass::Integer && matches!(o.ty, ElementType::Integer(_));
    computed.peek().is_some() && computed.all(is_addition)
}

/// The latency of the operations of a chain. An addition that is fused with a multiplication takes as long as both, and
/// takes one along that is on the chain.
pub(super) fn latency(statement: &Statement, chain: &Chain, target: &Target) -> f64 {
    let mut fused = if target.vector.fused { statement.contracted } else { 0 };
    let mut along = 0;
    let mut cycles = 0.0;
    let in_any_order = adds_integers(statement);
    for operation in &chain.operations {
        let cost = target.operations.cost(operation.class, operation.ty, 1);
        if in_any_order {
            cycles = f64::max(cycles, cost.latency);
            continue;
        }
        let float = matches!(operation.ty, ElementType::Float(_));
        let mut count = operation.count;
        if float && operation.class == OperationClass::Add {
            let both = fused.min(count);
            (fused, along, count) = (fused - both, along + both, count - both);
            cycles += target.operations.arithmetic.latency * f64::from(both);
        }
        cycles += cost.latency * f64::from(count);
    }
    let multiplications = chain.operations.iter().filter(|operation| {
        operation.class == OperationClass::Multiply && matches!(operation.ty, ElementType::Float(_))
    });
    let multiplications: u32 = multiplications.map(|operation| operation.count).sum();
    let absorbed = f64::from(along.min(multiplications));
    let multiply = target
        .operations
        .cost(OperationClass::Multiply, ElementType::Float(64), 1);
    (cycles - absorbed * multiply.latency).max(0.0)
}
