//! The table of operations that are compared on random operands.
//!
//! A [`Case`] says which operands an operation takes, how it is called in Farkas and in isl, when the results agree, and,
//! where it can be said in a line, which points the result has. A new operation is a new entry.

mod closures;
mod expressions;
mod functions;
mod maps;
mod nesting;
mod sets;
mod tuples;
mod unions;

use crate::isl::{Isl, Kind, Object};
use crate::points::Points;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{
    Aff, Approximation, Map, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, SetSpace, Stride, UnionMap,
    UnionPwAff, UnionPwMultiAff, UnionSet,
};
use farkas_polyhedral::solver::integer::IntOptimum;

/// A tuple of an operand: `A`, `B`, `C`, or a pair of these. A case has the same `A` everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum T {
    /// The first.
    A,
    /// The second.
    B,
    /// The third.
    C,
    /// The pair of the first two.
    AB,
    /// The pair of the last two.
    BC,
    /// The pair of the last and the first.
    CA,
    /// The pair of `BC` and the first.
    BcA,
}

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A set of parameter values.
    P,
    /// A set.
    S(T),
    /// A relation.
    M(T, T),
    /// A union of sets of `A`, `B` and `C`.
    US,
    /// A union of relations between `A`, `B` and `C`.
    UM,
    /// An expression.
    E(T),
    /// A tuple of expressions.
    H(T, T),
    /// A piecewise expression.
    F(T),
    /// A piecewise tuple of expressions.
    G(T, T),
    /// A union of piecewise expressions on `A`, `B` and `C`.
    UF,
    /// A union of piecewise tuples of expressions, on `A` to `B`, `B` to `C` and `C` to `A`.
    UG,
    /// A tuple `C` of unions of piecewise expressions on `A`, `B` and `C`.
    MU,
}

impl Shape {
    /// Whether the operand may have several spaces.
    pub fn is_union(self) -> bool {
        matches!(self, Shape::US | Shape::UM | Shape::UF | Shape::UG | Shape::MU)
    }

    /// The tuples of an operand of one space.
    pub fn tuples(self) -> Vec<T> {
        match self {
            Shape::S(t) | Shape::E(t) | Shape::F(t) => vec![t],
            Shape::M(s, t) | Shape::H(s, t) | Shape::G(s, t) => vec![s, t],
            _ => Vec::new(),
        }
    }
}

/// An operand or result of Farkas's.
#[derive(Clone, Debug)]
pub enum Value {
    /// A set.
    Set(Set),
    /// A relation.
    Map(Map),
    /// A union of sets.
    UnionSet(UnionSet),
    /// A union of relations.
    UnionMap(UnionMap),
    /// An expression.
    Aff(Aff),
    /// A tuple of expressions.
    MultiAff(MultiAff),
    /// A piecewise expression.
    PwAff(PwAff),
    /// A piecewise tuple of expressions.
    PwMultiAff(PwMultiAff),
    /// A tuple of piecewise expressions.
    MultiPwAff(MultiPwAff),
    /// A union of piecewise expressions.
    UnionPwAff(UnionPwAff),
    /// A union of piecewise tuples of expressions.
    UnionPwMultiAff(UnionPwMultiAff),
    /// A tuple of unions of piecewise expressions.
    MultiUnionPwAff(MultiUnionPwAff),
    /// An answer.
    Answer(bool),
    /// A point of a set, if there is one.
    Sample(Option<Set>),
    /// A set or relation that contains the right one, and whether it is known to be equal.
    Superset(Box<Value>, bool),
    /// No such result: there is none that is affine.
    Nothing,
    /// A number, as isl prints it.
    Text(String),
}

macro_rules! from {
    ($($variant:ident($of:ty)),*) => {$(
        impl From<$of> for Value {
            fn from(value: $of) -> Value {
                Value::$variant(value)
            }
        }
    )*};
}
from!(
    Set(Set),
    Map(Map),
    UnionSet(UnionSet),
    UnionMap(UnionMap),
    Aff(Aff),
    MultiAff(MultiAff),
    PwAff(PwAff),
    PwMultiAff(PwMultiAff),
    MultiPwAff(MultiPwAff),
    UnionPwAff(UnionPwAff),
    UnionPwMultiAff(UnionPwMultiAff),
    MultiUnionPwAff(MultiUnionPwAff),
    Answer(bool)
);

impl<T: Into<Value>> From<Approximation<T>> for Value {
    fn from(approximation: Approximation<T>) -> Value {
        Value::Superset(Box::new(approximation.value.into()), approximation.exact)
    }
}

/// The operands of a call of Farkas's, and random numbers for those that need some.
#[derive(Clone, Debug)]
pub struct Args {
    /// The operands.
    pub values: Vec<Value>,
    /// The numbers of dimensions of `A`, `B` and `C`.
    pub n: [usize; 3],
    /// Random numbers, not negative.
    pub ints: [usize; 3],
}

impl Args {
    fn set(&self, k: usize) -> &Set {
        match &self.values[k] {
            Value::Set(set) => set,
            other => panic!("no set: {other:?}"),
        }
    }

    fn map(&self, k: usize) -> &Map {
        match &self.values[k] {
            Value::Map(map) => map,
            other => panic!("no relation: {other:?}"),
        }
    }

    fn sets(&self, k: usize) -> &UnionSet {
        match &self.values[k] {
            Value::UnionSet(set) => set,
            other => panic!("no union of sets: {other:?}"),
        }
    }

    fn maps(&self, k: usize) -> &UnionMap {
        match &self.values[k] {
            Value::UnionMap(map) => map,
            other => panic!("no union of relations: {other:?}"),
        }
    }

    fn e(&self, k: usize) -> &Aff {
        match &self.values[k] {
            Value::Aff(e) => e,
            other => panic!("no expression: {other:?}"),
        }
    }

    fn h(&self, k: usize) -> &MultiAff {
        match &self.values[k] {
            Value::MultiAff(h) => h,
            other => panic!("no tuple of expressions: {other:?}"),
        }
    }

    fn f(&self, k: usize) -> &PwAff {
        match &self.values[k] {
            Value::PwAff(f) => f,
            other => panic!("no piecewise expression: {other:?}"),
        }
    }

    fn g(&self, k: usize) -> &PwMultiAff {
        match &self.values[k] {
            Value::PwMultiAff(g) => g,
            other => panic!("no piecewise tuple: {other:?}"),
        }
    }

    fn uf(&self, k: usize) -> &UnionPwAff {
        match &self.values[k] {
            Value::UnionPwAff(f) => f,
            other => panic!("no union of piecewise expressions: {other:?}"),
        }
    }

    fn ug(&self, k: usize) -> &UnionPwMultiAff {
        match &self.values[k] {
            Value::UnionPwMultiAff(g) => g,
            other => panic!("no union of piecewise tuples: {other:?}"),
        }
    }

    fn mu(&self, k: usize) -> &MultiUnionPwAff {
        match &self.values[k] {
            Value::MultiUnionPwAff(f) => f,
            other => panic!("no tuple of unions of piecewise expressions: {other:?}"),
        }
    }

    /// A number that is positive.
    fn positive(&self) -> i64 {
        self.ints[2] as i64 % 4 + 1
    }

    /// A range of `n` dimensions: the first, and how many.
    fn range(&self, n: usize) -> (usize, usize) {
        let first = self.ints[0] % (n + 1);
        (first, self.ints[1] % (n - first + 1))
    }

    /// One of `n` dimensions.
    fn dim(&self, n: usize) -> usize {
        self.ints[0] % n
    }

    /// A small number.
    fn value(&self) -> i64 {
        self.ints[2] as i64 % 7 - 3
    }

    fn param(&self) -> &'static str {
        crate::random::PARAMS[self.ints[0] % 3]
    }
}

/// A result of isl's.
pub enum Theirs<'a> {
    /// A structure.
    Object(Object<'a>),
    /// A structure, and whether isl knows it to be exact.
    Superset(Object<'a>, bool),
    /// An answer.
    Answer(bool),
    /// A number, or an answer that more than one function has to be asked for.
    Text(String),
}

/// A call of Farkas's.
pub type Ours = fn(&Args, &Budget) -> Outcome<Value>;

/// isl's side of a case.
#[derive(Clone, Copy)]
pub enum Call {
    /// The function of that name, of all operands.
    Function(&'static str, Kind),
    /// The same, for an answer.
    Ask(&'static str),
    /// Anything else.
    With(for<'a> fn(&'a Isl, Vec<Object<'a>>, &Args) -> Option<Object<'a>>),
    /// A structure of one operand, and whether isl knows it to be exact.
    Superset(for<'a> fn(&'a Isl, Object<'a>) -> Option<(Object<'a>, bool)>),
    /// The function of that name, of operands of which piecewise tuples are turned into tuples of piecewise expressions
    /// first.
    Multi(&'static str),
    /// A number.
    Text(for<'a> fn(&'a Isl, &[Object<'a>], &Args) -> Option<String>),
    /// There is none.
    Nothing,
}

/// When results agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// They are equal.
    Equal,
    /// They are equal when this function of isl's has intersected them with the second operand.
    After(&'static str),
    /// They are equal, and the pieces of ours do not overlap.
    Disjoint,
    /// Ours contains the operand.
    Contains,
    /// Ours contains the operand, and isl's contains ours.
    Tighter,
    /// Ours contains isl's, if isl has one.
    More,
    /// Ours is a point of the operand, if that has one.
    Sample,
    /// Ours is a multiple of isl's, or 0.
    Multiple,
}

/// The second oracle: whether a point belongs to the result, by the operands' points.
#[derive(Clone, Copy)]
pub enum Oracle {
    /// None.
    Nothing,
    /// On any operands: the result's points depend on the operands' at the same place.
    Local(fn(&Points<'_>, &[i64]) -> bool),
    /// On operands within a box, where projections can be enumerated.
    Bounded(fn(&Points<'_>, &[i64]) -> bool),
    /// On any operands: the value of the result at a point, if it has one.
    Function(fn(&Points<'_>, &[i64]) -> Option<Vec<i128>>),
    /// For an answer, whether it is yes for the present parameter values. It is yes if it is for all.
    Answer(fn(&Points<'_>) -> bool),
}

/// An operation.
#[derive(Clone, Copy)]
pub struct Case {
    /// What it is called.
    pub name: &'static str,
    /// Its operands.
    pub operands: &'static [Shape],
    /// Farkas's call.
    pub ours: Ours,
    /// isl's call.
    pub isl: Call,
    /// When the results agree.
    pub check: Check,
    /// The second oracle.
    pub oracle: Oracle,
    /// Whether dimensions have to be bounded, because an optimum is asked for.
    pub needs_bounds: bool,
    /// The result's points may be this many times as far from 0 as the operands'.
    pub reach: i64,
    /// How many dimensions `A`, `B` and `C` have at least.
    pub at_least: [usize; 3],
}

const fn case(name: &'static str, operands: &'static [Shape], isl: Call, ours: Ours) -> Case {
    Case {
        name,
        operands,
        ours,
        isl,
        check: Check::Equal,
        oracle: Oracle::Nothing,
        needs_bounds: false,
        reach: 1,
        at_least: [0; 3],
    }
}

impl Case {
    const fn check(mut self, check: Check) -> Case {
        self.check = check;
        self
    }

    const fn local(mut self, oracle: fn(&Points<'_>, &[i64]) -> bool) -> Case {
        self.oracle = Oracle::Local(oracle);
        self
    }

    const fn bounded(mut self, oracle: fn(&Points<'_>, &[i64]) -> bool) -> Case {
        self.oracle = Oracle::Bounded(oracle);
        self
    }

    const fn function(mut self, oracle: fn(&Points<'_>, &[i64]) -> Option<Vec<i128>>) -> Case {
        self.oracle = Oracle::Function(oracle);
        self
    }

    const fn answer(mut self, oracle: fn(&Points<'_>) -> bool) -> Case {
        self.oracle = Oracle::Answer(oracle);
        self
    }

    const fn with_bounds(mut self) -> Case {
        self.needs_bounds = true;
        self
    }

    const fn reach(mut self, reach: i64) -> Case {
        self.reach = reach;
        self
    }

    const fn at_least(mut self, a: usize, b: usize, c: usize) -> Case {
        self.at_least = [a, b, c];
        self
    }
}

const fn f(name: &'static str) -> Call {
    Call::Function(name, Kind::Map)
}

const fn hull(name: &'static str) -> Call {
    Call::Function(name, Kind::Basic)
}

const fn us(name: &'static str) -> Call {
    Call::Function(name, Kind::UnionSet)
}

const fn um(name: &'static str) -> Call {
    Call::Function(name, Kind::UnionMap)
}

const fn aff(name: &'static str) -> Call {
    Call::Function(name, Kind::Aff)
}

const fn ma(name: &'static str) -> Call {
    Call::Function(name, Kind::MultiAff)
}

const fn pa(name: &'static str) -> Call {
    Call::Function(name, Kind::PwAff)
}

const fn pma(name: &'static str) -> Call {
    Call::Function(name, Kind::PwMultiAff)
}

const fn upa(name: &'static str) -> Call {
    Call::Function(name, Kind::UnionPwAff)
}

const fn mupa(name: &'static str) -> Call {
    Call::Function(name, Kind::MultiUnionPwAff)
}

const fn upma(name: &'static str) -> Call {
    Call::Function(name, Kind::UnionPwMultiAff)
}

/// The function of operands that are turned into tuples of piecewise expressions first.
const fn multi(name: &'static str) -> Call {
    Call::Multi(name)
}

/// The values of the first two operands together, where both have one.
fn both(p: &Points<'_>, x: &[i64], join: impl Fn(i128, i128) -> i128) -> Option<Vec<i128>> {
    let (v, w) = (p.value(0, x)?, p.value(1, x)?);
    Some(v.into_iter().zip(w).map(|(v, w)| join(v, w)).collect())
}

/// The same, and the value of one where the other has none.
fn either(p: &Points<'_>, x: &[i64], join: impl Fn(i128, i128) -> i128) -> Option<Vec<i128>> {
    both(p, x, join).or_else(|| p.value(0, x)).or_else(|| p.value(1, x))
}

/// A function of the first operand's values.
fn each(p: &Points<'_>, x: &[i64], change: impl Fn(i128) -> i128) -> Option<Vec<i128>> {
    Some(p.value(0, x)?.into_iter().map(change).collect())
}

/// A smallest or largest number, as isl prints it.
fn bound_text(bound: IntOptimum, unbounded: &str) -> String {
    match bound {
        IntOptimum::Empty => "NaN".into(),
        IntOptimum::Unbounded => unbounded.into(),
        IntOptimum::Finite(value) => value.to_string(),
    }
}

/// The value that a dimension has everywhere, as a text.
fn fixed_text(value: Option<Int>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}

/// The same, of a set of isl's.
fn fixed(isl: &Isl, set: &Object<'_>, dim: usize) -> Option<String> {
    let min = isl.dim_bound("set_dim_min_val", set, dim)?;
    let max = isl.dim_bound("set_dim_max_val", set, dim)?;
    let is_fixed = min == max && min.parse::<i128>().is_ok();
    Some(if is_fixed { min } else { "none".into() })
}

/// The box of `n` dimensions around a set of isl's, of a tuple without a name.
fn box_hull<'a>(isl: &'a Isl, set: &Object<'a>, n: usize) -> Option<Object<'a>> {
    let mut bounds = vec!["true".to_string()];
    for dim in 0..n {
        for (name, sign) in [("set_dim_min_val", ">="), ("set_dim_max_val", "<=")] {
            match &*isl.dim_bound(name, set, dim)? {
                "NaN" => bounds.push("false".into()),
                "infty" | "-infty" => {}
                value => bounds.push(format!("x{dim} {sign} {value}")),
            }
        }
    }
    let dims: Vec<String> = (0..n).map(|dim| format!("x{dim}")).collect();
    let text = format!("{{ [{}] : {} }}", dims.join(", "), bounds.join(" and "));
    isl.read(Kind::Map, &text)
}

/// The elements of a space where a dimension is at the offset, modulo the stride.
fn with_stride(space: &SetSpace, dim: usize, stride: &Stride) -> Set {
    let Stride { stride, offset } = stride;
    let distance = PwAff::from(Aff::var(space.clone(), dim).sub(offset));
    let within = if stride.is_zero() {
        distance
    } else {
        distance.modulo(stride)
    };
    within.zero_set()
}

/// Names of parameters that operands have not.
const NEW_PARAMS: [&str; 6] = ["u", "v", "w", "x", "y", "z"];

/// The first operand, where the result is equal to it or contains it. `isl_set_coalesce` of 0.25 is not: it merges
/// `{ [i] : i mod 4 = 0 and i >= 0 }` and `{ [i] : 0 <= i <= 1 }` to a set that has 5.
const SAME: Call = Call::With(|_, o, _| Some(one(o)));

const PARAM: u32 = 1;
const IN: u32 = 2;
const OUT: u32 = 3;

fn one<'a>(objects: Vec<Object<'a>>) -> Object<'a> {
    objects.into_iter().next().expect("an operand")
}

fn same(p: &Points<'_>, x: &[i64]) -> bool {
    p.has(0, x)
}

/// The operations, by topic.
const TABLES: [&[Case]; 8] = [
    sets::CASES,
    maps::CASES,
    closures::CASES,
    expressions::CASES,
    tuples::CASES,
    nesting::CASES,
    unions::CASES,
    functions::CASES,
];

/// How many operations there are.
pub fn count() -> usize {
    TABLES.iter().map(|table| table.len()).sum()
}

/// Operation `k` of all.
pub fn case_number(k: usize) -> &'static Case {
    TABLES
        .iter()
        .flat_map(|table| table.iter())
        .nth(k)
        .expect("an operation of that number")
}
