//! The proof that arithmetic fits in 64 bits, on ASTs made by hand.
#![forbid(unsafe_code)]

use farkas_emit::{ArrayRange, Guards, InnerRange, Interval, RowChecks, arithmetic_fits, rows_fit};
use farkas_llvm::scop_ir::ArrayId;
use farkas_polyhedral::ast::{
    Ast, Atom, Call, Coincidence, Condition, Division, Expr, For, IterId, Logic, Node, ParamId, Quasi, Upper,
};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Params, Tuple};

const LARGE: i64 = 1 << 60;

fn n() -> Quasi {
    Quasi::param(ParamId(0))
}

fn i() -> Quasi {
    Quasi::iter(IterId(0))
}

fn difference(a: Quasi, b: &Quasi) -> Quasi {
    let mut difference = a;
    difference.add_scaled(&Int::from(-1), b);
    difference
}

/// `for (i = 0; upper; i += 1) S(argument)`, with `n` in `low .. 2^20`.
fn fits(low: i64, upper: Upper, argument: impl Into<Expr>) -> bool {
    let call = Call {
        statement: Tuple::new("S", 1),
        arguments: vec![argument.into()],
        expressions: Vec::new(),
    };
    let root = Node::For(Box::new(For {
        iter: IterId(0),
        lower: Quasi::constant(0).into(),
        upper,
        step: Int::ONE,
        coincidence: Coincidence::No,
        annotations: Vec::new(),
        body: Node::Call(call),
    }));
    let ast = Ast {
        params: Params::new(["n"]),
        iterators: vec!["i".into()],
        logic: Logic::ShortCircuit,
        root,
    };
    let guards = no_guards();
    let range = Interval {
        low: Int::from(low),
        high: Int::from(1 << 20),
    };
    arithmetic_fits(&ast, &guards, &[range])
}

fn up_to(bound: Quasi) -> Upper {
    Upper::AtMost(bound.into())
}

#[test]
fn iterators_are_as_large_as_their_bounds() {
    let scaled = |factor: i64| i().scaled(&Int::from(factor));
    assert!(fits(0, up_to(n()), scaled(1 << 40)));
    assert!(!fits(0, up_to(n()), scaled(1 << 42)));
}

#[test]
fn conditions_bound_iterators() {
    let scaled = i().scaled(&Int::from(1i64 << 40));
    let below = |bound: Quasi| Condition::NonNegative(difference(bound, &i()));
    assert!(fits(0, Upper::While(vec![below(n())]), scaled.clone()));
    let loose = below(n().scaled(&Int::from(LARGE >> 21)));
    assert!(fits(0, Upper::While(vec![loose, below(n())]), scaled));
    // A condition that does not bound it by itself is no bound.
    let even = Condition::Multiple(i(), Int::from(2));
    assert!(!fits(0, Upper::While(vec![even]), Quasi::constant(0)));
    assert!(!fits(
        0,
        Upper::While(vec![below(difference(n(), &i().scaled(&Int::from(-2))))]),
        Quasi::constant(0)
    ));
}

#[test]
fn a_loop_that_nothing_ends_does_not_fit() {
    assert!(!fits(0, Upper::Unbounded, Quasi::constant(0)));
}

#[test]
fn remainders_are_small() {
    let remainder = Quasi::atom(Atom::Remainder(Box::new(n()), Int::from(16)));
    assert!(fits(-5, up_to(n()), remainder.scaled(&Int::from(LARGE / 32))));
    let quotient = |division| Quasi::atom(Atom::Quotient(Box::new(n()), Int::from(1 << 10), division));
    for division in [Division::Floor, Division::NonNegative, Division::Exact] {
        assert!(fits(-5, up_to(n()), quotient(division).scaled(&Int::from(LARGE >> 11))));
        assert!(!fits(-5, up_to(n()), quotient(division).scaled(&Int::from(LARGE))));
    }
}

#[test]
fn choices_have_the_range_of_both() {
    let select = |large: i64| {
        let condition = Condition::Zero(n());
        Expr::select(
            condition,
            Quasi::constant(1).into(),
            n().scaled(&Int::from(large)).into(),
        )
    };
    assert!(fits(0, up_to(n()), select(1 << 30)));
    assert!(!fits(0, up_to(n()), select(LARGE)));
}

#[test]
fn rows_of_large_sizes_are_checked() {
    let range = |sizes: usize, checked: bool| ArrayRange {
        array: ArrayId(0),
        first: Quasi::constant(0).into(),
        last: n().into(),
        sizes: vec![n(); sizes],
        inner: InnerRange::Whole,
        checked,
    };
    let upto = |bits: u32| Interval {
        low: Int::ZERO,
        high: Int::from(1i64 << bits),
    };
    assert!(rows_fit(&range(2, false), &[upto(31)]));
    assert!(!rows_fit(&range(3, false), &[upto(31)]));
    assert!(rows_fit(&range(3, false), &[upto(28)]));
    // The guard multiplies these one by one.
    assert!(!fits_with(range(3, false), 31));
    assert!(fits_with(range(3, true), 31));
    assert!(!fits_with(range(3, true), 62));
}

/// Whether the guard of such a range fits, with `n` up to a power of two.
fn fits_with(range: ArrayRange, bits: u32) -> bool {
    let ast = Ast {
        params: Params::new(["n"]),
        iterators: Vec::new(),
        logic: Logic::ShortCircuit,
        root: Node::Block(Vec::new()),
    };
    let guards = Guards {
        array_ranges: vec![range],
        ..no_guards()
    };
    let interval = Interval {
        low: Int::ZERO,
        high: Int::from(1i64 << bits),
    };
    arithmetic_fits(&ast, &guards, &[interval])
}

fn no_guards() -> Guards {
    Guards {
        sizes: Condition::TRUE,
        assumptions: Condition::TRUE,
        pointer_checks: farkas_emit::PointerChecks::default(),
        conditions: Vec::new(),
        indirect: farkas_emit::IndirectChecks::default(),
        rows: RowChecks::default(),
        array_ranges: Vec::new(),
        loads: Vec::new(),
    }
}
