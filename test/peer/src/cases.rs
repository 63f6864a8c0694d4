//! The table of operations that are compared on random operands.
//!
//! A [`Case`] says which operands an operation takes, how it is called in Farkas and in isl, when the results agree, and,
//! where it can be said in a line, which points the result has. A new operation is a new entry.

use crate::isl::{Isl, Kind, Object};
use crate::points::Points;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{
    Map, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, UnionMap, UnionPwAff, UnionPwMultiAff, UnionSet,
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
    /// A piecewise expression.
    F(T),
    /// A piecewise tuple of expressions.
    G(T, T),
    /// A union of piecewise expressions on `A`, `B` and `C`.
    UF,
    /// A union of piecewise tuples of expressions, on `A` to `B`, `B` to `C` and `C` to `A`.
    UG,
}

impl Shape {
    /// Whether the operand may have several spaces.
    pub fn is_union(self) -> bool {
        matches!(self, Shape::US | Shape::UM | Shape::UF | Shape::UG)
    }

    /// The tuples of an operand of one space.
    pub fn tuples(self) -> Vec<T> {
        match self {
            Shape::S(t) | Shape::F(t) => vec![t],
            Shape::M(s, t) | Shape::G(s, t) => vec![s, t],
            _ => Vec::new(),
        }
    }
}

use Shape::{F, G, M, P, S, UF, UG, UM, US};
use T::{A, AB, B, BC, C, CA};

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
    PwAff(PwAff),
    PwMultiAff(PwMultiAff),
    MultiPwAff(MultiPwAff),
    UnionPwAff(UnionPwAff),
    UnionPwMultiAff(UnionPwMultiAff),
    MultiUnionPwAff(MultiUnionPwAff),
    Answer(bool)
);

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
    /// An answer.
    Answer(bool),
    /// A number.
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
    /// The function of that name, of operands that are turned into tuples of piecewise expressions first.
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
    Function(fn(&Points<'_>, &[i64]) -> Option<Vec<i64>>),
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

    const fn function(mut self, oracle: fn(&Points<'_>, &[i64]) -> Option<Vec<i64>>) -> Case {
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

const fn pa(name: &'static str) -> Call {
    Call::Function(name, Kind::PwAff)
}

const fn pma(name: &'static str) -> Call {
    Call::Function(name, Kind::PwMultiAff)
}

const fn upa(name: &'static str) -> Call {
    Call::Function(name, Kind::UnionPwAff)
}

const fn upma(name: &'static str) -> Call {
    Call::Function(name, Kind::UnionPwMultiAff)
}

/// The function of operands that are turned into tuples of piecewise expressions first.
const fn multi(name: &'static str) -> Call {
    Call::Multi(name)
}

/// The values of the first two operands together, where both have one.
fn both(p: &Points<'_>, x: &[i64], join: impl Fn(i64, i64) -> i64) -> Option<Vec<i64>> {
    let (v, w) = (p.value(0, x)?, p.value(1, x)?);
    Some(v.into_iter().zip(w).map(|(v, w)| join(v, w)).collect())
}

/// The same, and the value of one where the other has none.
fn either(p: &Points<'_>, x: &[i64], join: impl Fn(i64, i64) -> i64) -> Option<Vec<i64>> {
    both(p, x, join).or_else(|| p.value(0, x)).or_else(|| p.value(1, x))
}

/// A function of the first operand's values.
fn each(p: &Points<'_>, x: &[i64], change: impl Fn(i64) -> i64) -> Option<Vec<i64>> {
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

const PARAM: u32 = 1;
const IN: u32 = 2;
const OUT: u32 = 3;

fn one<'a>(objects: Vec<Object<'a>>) -> Object<'a> {
    objects.into_iter().next().expect("an operand")
}

fn same(p: &Points<'_>, x: &[i64]) -> bool {
    p.has(0, x)
}

/// All operations.
pub const CASES: &[Case] = &[
    // Sets.
    case("set intersect", &[S(A), S(A)], f("set_intersect"), |a, _| {
        Ok(a.set(0).intersect(a.set(1)).into())
    })
    .local(|p, x| p.has(0, x) && p.has(1, x)),
    case("set union", &[S(A), S(A)], f("set_union"), |a, _| {
        Ok(a.set(0).union(a.set(1)).into())
    })
    .local(|p, x| p.has(0, x) || p.has(1, x)),
    case("set subtract", &[S(A), S(A)], f("set_subtract"), |a, b| {
        Ok(a.set(0).subtract(a.set(1), b)?.into())
    })
    .local(|p, x| p.has(0, x) && !p.has(1, x)),
    case("set complement", &[S(A)], f("set_complement"), |a, b| {
        Ok(a.set(0).complement(b)?.into())
    })
    .local(|p, x| !p.has(0, x)),
    case("set intersect params", &[S(A), P], f("set_intersect_params"), |a, _| {
        Ok(a.set(0).intersect_params(a.set(1)).into())
    })
    .local(|p, x| p.has(0, x) && p.has(1, &[])),
    case("set is empty", &[S(A)], Call::Ask("set_is_empty"), |a, b| {
        Ok(a.set(0).is_empty(b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x))),
    case("set is subset", &[S(A), S(A)], Call::Ask("set_is_subset"), |a, b| {
        Ok(a.set(0).is_subset(a.set(1), b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && !p.has(1, x))),
    case("set is equal", &[S(A), S(A)], Call::Ask("set_is_equal"), |a, b| {
        Ok(a.set(0).is_equal(a.set(1), b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) != p.has(1, x))),
    case(
        "set is disjoint",
        &[S(A), S(A)],
        Call::Ask("set_is_disjoint"),
        |a, b| Ok(a.set(0).is_disjoint(a.set(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && p.has(1, x))),
    case("set params", &[S(A)], f("set_params"), |a, b| {
        Ok(a.set(0).project_onto_params(b)?.into())
    })
    .bounded(|p, _| p.some(p.n(0), &mut |x| p.has(0, x))),
    case(
        "set project out",
        &[S(A)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("set_project_out", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.set(0).project_out(first, count, b)?.into())
        },
    ),
    case(
        "set project out param",
        &[S(A)],
        Call::With(|isl, o, a| {
            let set = one(o);
            match isl.find_param(&set, a.param()) {
                Some(pos) => isl.apply_dims("set_project_out", set, PARAM, pos, 1),
                None => Some(set),
            }
        }),
        |a, b| Ok(a.set(0).project_out_param(a.param(), b)?.into()),
    ),
    case("set apply", &[S(A), M(A, B)], f("set_apply"), |a, b| {
        Ok(a.set(0).apply(a.map(1), b)?.into())
    })
    .bounded(|p, y| p.some(p.n(0), &mut |x| p.has(0, x) && p.has(1, &[x, y].concat()))),
    case("set lexmin", &[S(A)], f("set_lexmin"), |a, b| {
        Ok(a.set(0).lexmin(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| p.has(0, x) && !p.some(x.len(), &mut |y| y < x && p.has(0, y))),
    case("set lexmax", &[S(A)], f("set_lexmax"), |a, b| {
        Ok(a.set(0).lexmax(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| p.has(0, x) && !p.some(x.len(), &mut |y| y > x && p.has(0, y))),
    case("set gist", &[S(A), S(A)], f("set_gist"), |a, b| {
        Ok(a.set(0).gist(a.set(1), b)?.into())
    })
    .check(Check::After("set_intersect")),
    case("set gist params", &[S(A), P], f("set_gist_params"), |a, b| {
        Ok(a.set(0).gist_params(a.set(1), b)?.into())
    })
    .check(Check::After("set_intersect_params")),
    case("set coalesce", &[S(A)], f("set_coalesce"), |a, b| {
        Ok(a.set(0).coalesce(b)?.into())
    })
    .local(same),
    case(
        "set remove redundancies",
        &[S(A)],
        f("set_remove_redundancies"),
        |a, b| Ok(a.set(0).remove_redundancies(b)?.into()),
    )
    .local(same),
    case("set detect equalities", &[S(A)], f("set_detect_equalities"), |a, b| {
        Ok(a.set(0).detect_equalities(b)?.into())
    })
    .local(same),
    case("set make disjoint", &[S(A)], f("set_make_disjoint"), |a, b| {
        Ok(a.set(0).make_disjoint(b)?.into())
    })
    .check(Check::Disjoint)
    .local(same),
    case("set simple hull", &[S(A)], hull("set_simple_hull"), |a, b| {
        Ok(a.set(0).simple_hull(b)?.into())
    })
    .check(Check::Contains),
    case("set sample", &[S(A)], Call::Nothing, |a, b| {
        let set = a.set(0);
        let Some((params, dims)) = set.sample(b)? else {
            return Ok(Value::Sample(None));
        };
        let mut point = Set::universe(set.space().clone());
        for (name, value) in set.params().clone().names().iter().zip(&params) {
            point = point.fix_param(name, value);
        }
        for (k, value) in dims.iter().enumerate() {
            point = point.fix_dim(k, value);
        }
        Ok(Value::Sample(Some(point)))
    })
    .check(Check::Sample),
    case("set identity", &[S(A)], f("set_identity"), |a, _| {
        Ok(a.set(0).identity().into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        x == y && p.has(0, x)
    }),
    case(
        "set insert dims",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_dims("set_insert_dims", one(o), OUT, a.dim(a.n[0] + 1), 1)),
        |a, _| Ok(a.set(0).insert_dims(a.dim(a.n[0] + 1), 1).into()),
    ),
    case(
        "set fix dim",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_fix("set_fix_si", one(o), OUT, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.set(0).fix_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "set fix param",
        &[S(A)],
        Call::With(|isl, o, a| {
            let set = one(o);
            match isl.find_param(&set, a.param()) {
                Some(pos) => isl.apply_fix("set_fix_si", set, PARAM, pos, a.value()),
                None => Some(set),
            }
        }),
        |a, _| Ok(a.set(0).fix_param(a.param(), &Int::from(a.value())).into()),
    ),
    case("set product", &[S(A), S(B)], f("set_product"), |a, _| {
        Ok(a.set(0).product(a.set(1)).into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && p.has(1, &x[p.n(0)..])),
    case("set flat product", &[S(A), S(B)], f("set_flat_product"), |a, _| {
        Ok(a.set(0).flat_product(a.set(1)).into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && p.has(1, &x[p.n(0)..])),
    case("set unwrap", &[S(AB)], f("set_unwrap"), |a, _| {
        Ok(a.set(0).unwrap().into())
    })
    .local(same),
    case(
        "lex lt",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_lt", one(o))),
        |a, _| Ok(Map::lex_lt(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] < x[p.n(0)..]),
    case(
        "lex le",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_le", one(o))),
        |a, _| Ok(Map::lex_le(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] <= x[p.n(0)..]),
    case(
        "lex gt",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_gt", one(o))),
        |a, _| Ok(Map::lex_gt(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] > x[p.n(0)..]),
    case(
        "lex ge",
        &[S(A)],
        Call::With(|isl, o, _| isl.of_space("map_lex_ge", one(o))),
        |a, _| Ok(Map::lex_ge(a.set(0).params().clone(), a.set(0).tuple().clone()).into()),
    )
    .local(|p, x| x[..p.n(0)] >= x[p.n(0)..]),
    // Relations.
    case("map intersect", &[M(A, B), M(A, B)], f("map_intersect"), |a, _| {
        Ok(a.map(0).intersect(a.map(1)).into())
    })
    .local(|p, x| p.has(0, x) && p.has(1, x)),
    case(
        "map intersect domain",
        &[M(A, B), S(A)],
        f("map_intersect_domain"),
        |a, _| Ok(a.map(0).intersect_domain(a.set(1)).into()),
    )
    .local(|p, x| p.has(0, x) && p.has(1, &x[..p.n(1)])),
    case(
        "map intersect range",
        &[M(A, B), S(B)],
        f("map_intersect_range"),
        |a, _| Ok(a.map(0).intersect_range(a.set(1)).into()),
    )
    .local(|p, x| p.has(0, x) && p.has(1, &x[x.len() - p.n(1)..])),
    case(
        "map intersect params",
        &[M(A, B), P],
        f("map_intersect_params"),
        |a, _| Ok(a.map(0).intersect_params(a.set(1)).into()),
    )
    .local(|p, x| p.has(0, x) && p.has(1, &[])),
    case("map union", &[M(A, B), M(A, B)], f("map_union"), |a, _| {
        Ok(a.map(0).union(a.map(1)).into())
    })
    .local(|p, x| p.has(0, x) || p.has(1, x)),
    case("map subtract", &[M(A, B), M(A, B)], f("map_subtract"), |a, b| {
        Ok(a.map(0).subtract(a.map(1), b)?.into())
    })
    .local(|p, x| p.has(0, x) && !p.has(1, x)),
    case(
        "map subtract domain",
        &[M(A, B), S(A)],
        f("map_subtract_domain"),
        |a, b| Ok(a.map(0).subtract_domain(a.set(1), b)?.into()),
    )
    .local(|p, x| p.has(0, x) && !p.has(1, &x[..p.n(1)])),
    case("map complement", &[M(A, B)], f("map_complement"), |a, b| {
        Ok(a.map(0).complement(b)?.into())
    })
    .local(|p, x| !p.has(0, x)),
    case("map is empty", &[M(A, B)], Call::Ask("map_is_empty"), |a, b| {
        Ok(a.map(0).is_empty(b)?.into())
    })
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x))),
    case(
        "map is subset",
        &[M(A, B), M(A, B)],
        Call::Ask("map_is_subset"),
        |a, b| Ok(a.map(0).is_subset(a.map(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && !p.has(1, x))),
    case(
        "map is equal",
        &[M(A, B), M(A, B)],
        Call::Ask("map_is_equal"),
        |a, b| Ok(a.map(0).is_equal(a.map(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) != p.has(1, x))),
    case(
        "map is disjoint",
        &[M(A, B), M(A, B)],
        Call::Ask("map_is_disjoint"),
        |a, b| Ok(a.map(0).is_disjoint(a.map(1), b)?.into()),
    )
    .answer(|p| !p.some(p.n(0), &mut |x| p.has(0, x) && p.has(1, x))),
    case(
        "map is single valued",
        &[M(A, B)],
        Call::Ask("map_is_single_valued"),
        |a, b| Ok(a.map(0).is_single_valued(b)?.into()),
    )
    .answer(|p| {
        !p.some(p.tuple(0), &mut |x| {
            let image = |y: &[i64]| p.has(0, &[x, y].concat());
            p.some(p.tuple(1), &mut |y| {
                image(y) && p.some(p.tuple(1), &mut |z| z != y && image(z))
            })
        })
    }),
    case("map is injective", &[M(A, B)], Call::Ask("map_is_injective"), |a, b| {
        Ok(a.map(0).is_injective(b)?.into())
    })
    .answer(|p| {
        !p.some(p.tuple(1), &mut |y| {
            let source = |x: &[i64]| p.has(0, &[x, y].concat());
            p.some(p.tuple(0), &mut |x| {
                source(x) && p.some(p.tuple(0), &mut |z| z != x && source(z))
            })
        })
    }),
    case("map is bijective", &[M(A, B)], Call::Ask("map_is_bijective"), |a, b| {
        Ok(a.map(0).is_bijective(b)?.into())
    }),
    case("map reverse", &[M(A, B)], f("map_reverse"), |a, _| {
        Ok(a.map(0).reverse().into())
    })
    .local(|p, x| p.has(0, &[&x[p.tuple(1)..], &x[..p.tuple(1)]].concat())),
    case("map domain", &[M(A, B)], f("map_domain"), |a, b| {
        Ok(a.map(0).domain(b)?.into())
    })
    .bounded(|p, x| p.some(p.tuple(1), &mut |y| p.has(0, &[x, y].concat()))),
    case("map range", &[M(A, B)], f("map_range"), |a, b| {
        Ok(a.map(0).range(b)?.into())
    })
    .bounded(|p, y| p.some(p.tuple(0), &mut |x| p.has(0, &[x, y].concat()))),
    case("map params", &[M(A, B)], f("map_params"), |a, b| {
        Ok(a.map(0).project_onto_params(b)?.into())
    })
    .bounded(|p, _| p.some(p.n(0), &mut |x| p.has(0, x))),
    case(
        "map project out domain",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("map_project_out", one(o), IN, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.map(0).project_out_domain(first, count, b)?.into())
        },
    ),
    case(
        "map project out range",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[1]);
            isl.apply_dims("map_project_out", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[1]);
            Ok(a.map(0).project_out_range(first, count, b)?.into())
        },
    ),
    case("map apply range", &[M(A, B), M(B, C)], f("map_apply_range"), |a, b| {
        Ok(a.map(0).apply_range(a.map(1), b)?.into())
    })
    .bounded(|p, x| {
        let (x, z) = x.split_at(p.tuple(0));
        p.some(p.tuple(1), &mut |y| {
            p.has(0, &[x, y].concat()) && p.has(1, &[y, z].concat())
        })
    }),
    case(
        "map apply domain",
        &[M(A, B), M(A, C)],
        f("map_apply_domain"),
        |a, b| Ok(a.map(0).apply_domain(a.map(1), b)?.into()),
    )
    .bounded(|p, x| {
        let (z, y) = x.split_at(p.tuple(2));
        p.some(p.tuple(0), &mut |x| {
            p.has(0, &[x, y].concat()) && p.has(1, &[x, z].concat())
        })
    }),
    case("map deltas", &[M(A, A)], f("map_deltas"), |a, b| {
        Ok(a.map(0).deltas(b)?.into())
    })
    .reach(2)
    .bounded(|p, d| {
        p.some(p.tuple(0), &mut |x| {
            let y: Vec<i64> = x.iter().zip(d).map(|(x, d)| x + d).collect();
            p.has(0, &[x, &y].concat())
        })
    }),
    case("map lexmin", &[M(A, B)], f("map_lexmin"), |a, b| {
        Ok(a.map(0).lexmin(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        image(y) && !p.some(p.tuple(1), &mut |z| z < y && image(z))
    }),
    case("map lexmax", &[M(A, B)], f("map_lexmax"), |a, b| {
        Ok(a.map(0).lexmax(b)?.into())
    })
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        image(y) && !p.some(p.tuple(1), &mut |z| z > y && image(z))
    }),
    case(
        "map partial lexmin",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmin", o)?.0)),
        |a, b| Ok(a.map(0).partial_lexmin(a.set(1), b)?.0.into()),
    )
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        p.has(1, x) && image(y) && !p.some(p.tuple(1), &mut |z| z < y && image(z))
    }),
    case(
        "map partial lexmin rest",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmin", o)?.1)),
        |a, b| Ok(a.map(0).partial_lexmin(a.set(1), b)?.1.into()),
    )
    .with_bounds()
    .bounded(|p, x| p.has(1, x) && !p.some(p.tuple(1), &mut |y| p.has(0, &[x, y].concat()))),
    case(
        "map partial lexmax",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmax", o)?.0)),
        |a, b| Ok(a.map(0).partial_lexmax(a.set(1), b)?.0.into()),
    )
    .with_bounds()
    .bounded(|p, x| {
        let (x, y) = x.split_at(p.tuple(0));
        let image = |y: &[i64]| p.has(0, &[x, y].concat());
        p.has(1, x) && image(y) && !p.some(p.tuple(1), &mut |z| z > y && image(z))
    }),
    case(
        "map partial lexmax rest",
        &[M(A, B), S(A)],
        Call::With(|isl, o, _| Some(isl.apply_partial("map_partial_lexmax", o)?.1)),
        |a, b| Ok(a.map(0).partial_lexmax(a.set(1), b)?.1.into()),
    )
    .with_bounds()
    .bounded(|p, x| p.has(1, x) && !p.some(p.tuple(1), &mut |y| p.has(0, &[x, y].concat()))),
    case("map gist", &[M(A, B), M(A, B)], f("map_gist"), |a, b| {
        Ok(a.map(0).gist(a.map(1), b)?.into())
    })
    .check(Check::After("map_intersect")),
    case("map gist domain", &[M(A, B), S(A)], f("map_gist_domain"), |a, b| {
        Ok(a.map(0).gist_domain(a.set(1), b)?.into())
    })
    .check(Check::After("map_intersect_domain")),
    case("map gist range", &[M(A, B), S(B)], f("map_gist_range"), |a, b| {
        Ok(a.map(0).gist_range(a.set(1), b)?.into())
    })
    .check(Check::After("map_intersect_range")),
    case("map gist params", &[M(A, B), P], f("map_gist_params"), |a, b| {
        Ok(a.map(0).gist_params(a.set(1), b)?.into())
    })
    .check(Check::After("map_intersect_params")),
    case("map coalesce", &[M(A, B)], f("map_coalesce"), |a, b| {
        Ok(a.map(0).coalesce(b)?.into())
    })
    .local(same),
    case(
        "map remove redundancies",
        &[M(A, B)],
        f("map_remove_redundancies"),
        |a, b| Ok(a.map(0).remove_redundancies(b)?.into()),
    )
    .local(same),
    case(
        "map detect equalities",
        &[M(A, B)],
        f("map_detect_equalities"),
        |a, b| Ok(a.map(0).detect_equalities(b)?.into()),
    )
    .local(same),
    case("map simple hull", &[M(A, B)], hull("map_simple_hull"), |a, b| {
        Ok(a.map(0).simple_hull(b)?.into())
    })
    .check(Check::Contains),
    case("map wrap", &[M(A, B)], f("map_wrap"), |a, _| Ok(a.map(0).wrap().into())).local(same),
    case(
        "map flat range product",
        &[M(A, B), M(A, C)],
        f("map_flat_range_product"),
        |a, _| Ok(a.map(0).flat_range_product(a.map(1)).into()),
    )
    .local(|p, x| {
        let (x, yz) = x.split_at(p.tuple(0));
        let (y, z) = yz.split_at(p.tuple(1));
        p.has(0, &[x, y].concat()) && p.has(1, &[x, z].concat())
    }),
    case(
        "map range product",
        &[M(A, B), M(A, C)],
        f("map_range_product"),
        |a, _| Ok(a.map(0).range_product(a.map(1)).into()),
    )
    .local(|p, x| {
        let (x, yz) = x.split_at(p.tuple(0));
        let (y, z) = yz.split_at(p.tuple(1));
        p.has(0, &[x, y].concat()) && p.has(1, &[x, z].concat())
    }),
    case("map domain map", &[M(A, B)], f("map_domain_map"), |a, _| {
        Ok(a.map(0).domain_map().into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && x[p.n(0)..] == x[..p.tuple(0)]),
    case("map range map", &[M(A, B)], f("map_range_map"), |a, _| {
        Ok(a.map(0).range_map().into())
    })
    .local(|p, x| p.has(0, &x[..p.n(0)]) && x[p.n(0)..] == x[p.tuple(0)..p.n(0)]),
    case(
        "map fix domain dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_fix_si", one(o), IN, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.map(0).fix_domain_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "map fix range dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_fix_si", one(o), OUT, a.dim(a.n[1]), a.value())),
        |a, _| Ok(a.map(0).fix_range_dim(a.dim(a.n[1]), &Int::from(a.value())).into()),
    )
    .at_least(0, 1, 0),
    case(
        "map equate",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_equate",
                one(o),
                (IN, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[1]),
            )
        }),
        |a, _| Ok(a.map(0).equate(a.ints[0] % a.n[0], a.ints[1] % a.n[1]).into()),
    )
    .at_least(1, 1, 0),
    case(
        "map from domain and range",
        &[S(A), S(B)],
        f("map_from_domain_and_range"),
        |a, _| Ok(Map::from_domain_and_range(a.set(0), a.set(1)).into()),
    )
    .local(|p, x| p.has(0, &x[..p.n(0)]) && p.has(1, &x[p.n(0)..])),
    // Unions of sets.
    case("union set intersect", &[US, US], us("union_set_intersect"), |a, _| {
        Ok(a.sets(0).intersect(a.sets(1)).into())
    }),
    case(
        "union set intersect params",
        &[US, P],
        us("union_set_intersect_params"),
        |a, _| Ok(a.sets(0).intersect_params(a.set(1)).into()),
    ),
    case("union set union", &[US, US], us("union_set_union"), |a, _| {
        Ok(a.sets(0).union(a.sets(1)).into())
    }),
    case("union set subtract", &[US, US], us("union_set_subtract"), |a, b| {
        Ok(a.sets(0).subtract(a.sets(1), b)?.into())
    }),
    case("union set is empty", &[US], Call::Ask("union_set_is_empty"), |a, b| {
        Ok(a.sets(0).is_empty(b)?.into())
    }),
    case(
        "union set is subset",
        &[US, US],
        Call::Ask("union_set_is_subset"),
        |a, b| Ok(a.sets(0).is_subset(a.sets(1), b)?.into()),
    ),
    case(
        "union set is equal",
        &[US, US],
        Call::Ask("union_set_is_equal"),
        |a, b| Ok(a.sets(0).is_equal(a.sets(1), b)?.into()),
    ),
    case(
        "union set is disjoint",
        &[US, US],
        Call::Ask("union_set_is_disjoint"),
        |a, b| Ok(a.sets(0).is_disjoint(a.sets(1), b)?.into()),
    ),
    case("union set apply", &[US, UM], us("union_set_apply"), |a, b| {
        Ok(a.sets(0).apply(a.maps(1), b)?.into())
    }),
    case("union set params", &[US], f("union_set_params"), |a, b| {
        Ok(a.sets(0).project_onto_params(b)?.into())
    }),
    case("union set gist", &[US, US], us("union_set_gist"), |a, b| {
        Ok(a.sets(0).gist(a.sets(1), b)?.into())
    })
    .check(Check::After("union_set_intersect")),
    case(
        "union set gist params",
        &[US, P],
        us("union_set_gist_params"),
        |a, b| Ok(a.sets(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("union_set_intersect_params")),
    case("union set coalesce", &[US], us("union_set_coalesce"), |a, b| {
        Ok(a.sets(0).coalesce(b)?.into())
    }),
    case("union set identity", &[US], um("union_set_identity"), |a, _| {
        Ok(a.sets(0).identity().into())
    }),
    // Unions of relations.
    case("union map intersect", &[UM, UM], um("union_map_intersect"), |a, _| {
        Ok(a.maps(0).intersect(a.maps(1)).into())
    }),
    case(
        "union map intersect domain",
        &[UM, US],
        um("union_map_intersect_domain"),
        |a, _| Ok(a.maps(0).intersect_domain(a.sets(1)).into()),
    ),
    case(
        "union map intersect range",
        &[UM, US],
        um("union_map_intersect_range"),
        |a, _| Ok(a.maps(0).intersect_range(a.sets(1)).into()),
    ),
    case(
        "union map intersect params",
        &[UM, P],
        um("union_map_intersect_params"),
        |a, _| Ok(a.maps(0).intersect_params(a.set(1)).into()),
    ),
    case("union map union", &[UM, UM], um("union_map_union"), |a, _| {
        Ok(a.maps(0).union(a.maps(1)).into())
    }),
    case("union map subtract", &[UM, UM], um("union_map_subtract"), |a, b| {
        Ok(a.maps(0).subtract(a.maps(1), b)?.into())
    }),
    case("union map is empty", &[UM], Call::Ask("union_map_is_empty"), |a, b| {
        Ok(a.maps(0).is_empty(b)?.into())
    }),
    case(
        "union map is subset",
        &[UM, UM],
        Call::Ask("union_map_is_subset"),
        |a, b| Ok(a.maps(0).is_subset(a.maps(1), b)?.into()),
    ),
    case(
        "union map is equal",
        &[UM, UM],
        Call::Ask("union_map_is_equal"),
        |a, b| Ok(a.maps(0).is_equal(a.maps(1), b)?.into()),
    ),
    case("union map reverse", &[UM], um("union_map_reverse"), |a, _| {
        Ok(a.maps(0).reverse().into())
    }),
    case("union map domain", &[UM], us("union_map_domain"), |a, b| {
        Ok(a.maps(0).domain(b)?.into())
    }),
    case("union map range", &[UM], us("union_map_range"), |a, b| {
        Ok(a.maps(0).range(b)?.into())
    }),
    case("union map params", &[UM], f("union_map_params"), |a, b| {
        Ok(a.maps(0).project_onto_params(b)?.into())
    }),
    case(
        "union map apply range",
        &[UM, UM],
        um("union_map_apply_range"),
        |a, b| Ok(a.maps(0).apply_range(a.maps(1), b)?.into()),
    ),
    case(
        "union map apply domain",
        &[UM, UM],
        um("union_map_apply_domain"),
        |a, b| Ok(a.maps(0).apply_domain(a.maps(1), b)?.into()),
    ),
    case("union map gist", &[UM, UM], um("union_map_gist"), |a, b| {
        Ok(a.maps(0).gist(a.maps(1), b)?.into())
    })
    .check(Check::After("union_map_intersect")),
    case(
        "union map gist domain",
        &[UM, US],
        um("union_map_gist_domain"),
        |a, b| Ok(a.maps(0).gist_domain(a.sets(1), b)?.into()),
    )
    .check(Check::After("union_map_intersect_domain")),
    case("union map gist range", &[UM, US], um("union_map_gist_range"), |a, b| {
        Ok(a.maps(0).gist_range(a.sets(1), b)?.into())
    })
    .check(Check::After("union_map_intersect_range")),
    case(
        "union map gist params",
        &[UM, P],
        um("union_map_gist_params"),
        |a, b| Ok(a.maps(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("union_map_intersect_params")),
    case("union map coalesce", &[UM], um("union_map_coalesce"), |a, b| {
        Ok(a.maps(0).coalesce(b)?.into())
    }),
    // Piecewise expressions.
    case("f add", &[F(A), F(A)], pa("pw_aff_add"), |a, b| {
        Ok(a.f(0).add(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("f sub", &[F(A), F(A)], pa("pw_aff_sub"), |a, b| {
        Ok(a.f(0).sub(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("f neg", &[F(A)], pa("pw_aff_neg"), |a, _| Ok(a.f(0).neg().into())).function(|p, x| each(p, x, |v| -v)),
    case(
        "f scale",
        &[F(A)],
        Call::With(|isl, o, a| isl.apply_value("pw_aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.f(0).scale(&Int::from(a.value())).into()),
    ),
    case(
        "f divide and floor",
        &[F(A)],
        Call::With(|isl, o, a| {
            let divided = isl.apply_value("pw_aff_scale_down_val", one(o), a.positive())?;
            isl.apply("pw_aff_floor", Kind::PwAff, vec![divided])
        }),
        |a, _| Ok(a.f(0).divide(&Int::from(a.positive())).floor().into()),
    ),
    case(
        "f divide and ceil",
        &[F(A)],
        Call::With(|isl, o, a| {
            let divided = isl.apply_value("pw_aff_scale_down_val", one(o), a.positive())?;
            isl.apply("pw_aff_ceil", Kind::PwAff, vec![divided])
        }),
        |a, _| Ok(a.f(0).divide(&Int::from(a.positive())).ceil().into()),
    ),
    case(
        "f modulo",
        &[F(A)],
        Call::With(|isl, o, a| isl.apply_value("pw_aff_mod_val", one(o), a.positive())),
        |a, _| Ok(a.f(0).modulo(&Int::from(a.positive())).into()),
    ),
    case("f min", &[F(A), F(A)], pa("pw_aff_min"), |a, b| {
        Ok(a.f(0).min(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.min(w))),
    case("f max", &[F(A), F(A)], pa("pw_aff_max"), |a, b| {
        Ok(a.f(0).max(a.f(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.max(w))),
    case(
        "f cond",
        &[F(A), F(A), F(A)],
        Call::With(|isl, o, _| isl.cond(o)),
        |a, b| Ok(a.f(0).cond(a.f(1), a.f(2), b)?.into()),
    )
    .function(|p, x| p.value(if p.value(0, x)? == [0] { 2 } else { 1 }, x)),
    case("f union min", &[F(A), F(A)], pa("pw_aff_union_min"), |a, b| {
        Ok(a.f(0).union_min(a.f(1), b)?.into())
    })
    .function(|p, x| either(p, x, |v, w| v.min(w))),
    case("f union max", &[F(A), F(A)], pa("pw_aff_union_max"), |a, b| {
        Ok(a.f(0).union_max(a.f(1), b)?.into())
    })
    .function(|p, x| either(p, x, |v, w| v.max(w))),
    case("f union add", &[F(A), F(A)], pa("pw_aff_union_add"), |a, b| {
        Ok(a.f(0).union_add(a.f(1), b)?.into())
    })
    .function(|p, x| either(p, x, |v, w| v + w)),
    case("f or else", &[F(A), F(A)], Call::Nothing, |a, b| {
        Ok(a.f(0).or_else(a.f(1), b)?.into())
    })
    .function(|p, x| p.value(0, x).or_else(|| p.value(1, x))),
    case("f eq set", &[F(A), F(A)], f("pw_aff_eq_set"), |a, b| {
        Ok(a.f(0).eq_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v == w) as i64) == Some(vec![1])),
    case("f ne set", &[F(A), F(A)], f("pw_aff_ne_set"), |a, b| {
        Ok(a.f(0).ne_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v != w) as i64) == Some(vec![1])),
    case("f le set", &[F(A), F(A)], f("pw_aff_le_set"), |a, b| {
        Ok(a.f(0).le_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v <= w) as i64) == Some(vec![1])),
    case("f lt set", &[F(A), F(A)], f("pw_aff_lt_set"), |a, b| {
        Ok(a.f(0).lt_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v < w) as i64) == Some(vec![1])),
    case("f ge set", &[F(A), F(A)], f("pw_aff_ge_set"), |a, b| {
        Ok(a.f(0).ge_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v >= w) as i64) == Some(vec![1])),
    case("f gt set", &[F(A), F(A)], f("pw_aff_gt_set"), |a, b| {
        Ok(a.f(0).gt_set(a.f(1), b)?.into())
    })
    .local(|p, x| both(p, x, |v, w| (v > w) as i64) == Some(vec![1])),
    case("f zero set", &[F(A)], f("pw_aff_zero_set"), |a, _| {
        Ok(a.f(0).zero_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] == 0)),
    case("f nonzero set", &[F(A)], f("pw_aff_non_zero_set"), |a, _| {
        Ok(a.f(0).nonzero_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] != 0)),
    case("f nonneg set", &[F(A)], f("pw_aff_nonneg_set"), |a, _| {
        Ok(a.f(0).nonneg_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] >= 0)),
    case("f pos set", &[F(A)], f("pw_aff_pos_set"), |a, _| {
        Ok(a.f(0).pos_set().into())
    })
    .local(|p, x| p.value(0, x).is_some_and(|v| v[0] > 0)),
    case("f domain", &[F(A)], f("pw_aff_domain"), |a, _| {
        Ok(a.f(0).domain().into())
    })
    .local(|p, x| p.value(0, x).is_some()),
    case(
        "f intersect domain",
        &[F(A), S(A)],
        pa("pw_aff_intersect_domain"),
        |a, b| Ok(a.f(0).intersect_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, x))),
    case(
        "f intersect params",
        &[F(A), P],
        pa("pw_aff_intersect_params"),
        |a, b| Ok(a.f(0).intersect_params(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, &[]))),
    case(
        "f subtract domain",
        &[F(A), S(A)],
        pa("pw_aff_subtract_domain"),
        |a, b| Ok(a.f(0).subtract_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| !p.has(1, x))),
    case("f gist", &[F(A), S(A)], pa("pw_aff_gist"), |a, b| {
        Ok(a.f(0).gist(a.set(1), b)?.into())
    })
    .check(Check::After("pw_aff_intersect_domain")),
    case("f gist params", &[F(A), P], pa("pw_aff_gist_params"), |a, b| {
        Ok(a.f(0).gist_params(a.set(1), b)?.into())
    })
    .check(Check::After("pw_aff_intersect_params")),
    case("f coalesce", &[F(A)], pa("pw_aff_coalesce"), |a, b| {
        Ok(a.f(0).coalesce(b)?.into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "f pullback",
        &[F(B), G(A, B)],
        pa("pw_aff_pullback_pw_multi_aff"),
        |a, b| Ok(a.f(0).pullback(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case("f is equal", &[F(A), F(A)], Call::Ask("pw_aff_is_equal"), |a, b| {
        Ok(a.f(0).is_equal(a.f(1), b)?.into())
    }),
    case("f to map", &[F(A)], f("map_from_pw_aff"), |a, _| {
        Ok(a.f(0).to_map().into())
    })
    .local(same),
    case("f indicator", &[S(A)], pa("set_indicator_function"), |a, b| {
        Ok(PwAff::indicator(a.set(0), b)?.into())
    })
    .function(|p, x| Some(vec![p.has(0, x) as i64])),
    // Piecewise tuples of expressions.
    case("g add", &[G(A, B), G(A, B)], pma("pw_multi_aff_add"), |a, b| {
        Ok(a.g(0).add(a.g(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("g sub", &[G(A, B), G(A, B)], pma("pw_multi_aff_sub"), |a, b| {
        Ok(a.g(0).sub(a.g(1), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("g neg", &[G(A, B)], pma("pw_multi_aff_neg"), |a, _| {
        Ok(a.g(0).neg().into())
    })
    .function(|p, x| each(p, x, |v| -v)),
    case(
        "g scale",
        &[G(A, B)],
        Call::With(|isl, o, a| isl.apply_value("pw_multi_aff_scale_val", one(o), a.value())),
        |a, _| Ok(a.g(0).scale(&Int::from(a.value())).into()),
    ),
    case(
        "g union add",
        &[G(A, B), G(A, B)],
        pma("pw_multi_aff_union_add"),
        |a, b| Ok(a.g(0).union_add(a.g(1), b)?.into()),
    )
    .function(|p, x| either(p, x, |v, w| v + w)),
    case(
        "g union lexmin",
        &[G(A, B), G(A, B)],
        pma("pw_multi_aff_union_lexmin"),
        |a, b| Ok(a.g(0).union_lexmin(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).into_iter().chain(p.value(1, x)).min()),
    case(
        "g union lexmax",
        &[G(A, B), G(A, B)],
        pma("pw_multi_aff_union_lexmax"),
        |a, b| Ok(a.g(0).union_lexmax(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).max(p.value(1, x))),
    case("g or else", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).or_else(a.g(1), b)?.into())
    })
    .function(|p, x| p.value(0, x).or_else(|| p.value(1, x))),
    case("g eq set", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).eq_set(a.g(1), b)?.into())
    })
    .local(|p, x| p.value(0, x).is_some() && p.value(0, x) == p.value(1, x)),
    case("g lex lt set", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).lex_lt_set(a.g(1), b)?.into())
    })
    .local(|p, x| p.value(0, x).zip(p.value(1, x)).is_some_and(|(v, w)| v < w)),
    case("g lex le set", &[G(A, B), G(A, B)], Call::Nothing, |a, b| {
        Ok(a.g(0).lex_le_set(a.g(1), b)?.into())
    })
    .local(|p, x| p.value(0, x).zip(p.value(1, x)).is_some_and(|(v, w)| v <= w)),
    case("g domain", &[G(A, B)], f("pw_multi_aff_domain"), |a, _| {
        Ok(a.g(0).domain().into())
    })
    .local(|p, x| p.value(0, x).is_some()),
    case(
        "g range",
        &[G(A, B)],
        Call::With(|isl, o, _| isl.apply("map_range", Kind::Map, vec![one(o).to_map()?])),
        |a, b| Ok(a.g(0).range(b)?.into()),
    ),
    case(
        "g intersect domain",
        &[G(A, B), S(A)],
        pma("pw_multi_aff_intersect_domain"),
        |a, b| Ok(a.g(0).intersect_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, x))),
    case(
        "g intersect params",
        &[G(A, B), P],
        pma("pw_multi_aff_intersect_params"),
        |a, b| Ok(a.g(0).intersect_params(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| p.has(1, &[]))),
    case(
        "g subtract domain",
        &[G(A, B), S(A)],
        pma("pw_multi_aff_subtract_domain"),
        |a, b| Ok(a.g(0).subtract_domain(a.set(1), b)?.into()),
    )
    .function(|p, x| p.value(0, x).filter(|_| !p.has(1, x))),
    case("g intersect range", &[G(A, B), S(B)], Call::Nothing, |a, b| {
        Ok(a.g(0).intersect_range(a.set(1), b)?.into())
    })
    .function(|p, x| p.value(0, x).filter(|y| p.has(1, y))),
    case(
        "g preimage",
        &[G(A, B), S(B)],
        // isl's own function gives empty sets the wrong space.
        Call::With(|isl, o, _| {
            let mut operands = o.into_iter();
            let (g, set) = (operands.next()?, operands.next()?);
            let back = isl.apply("map_reverse", Kind::Map, vec![g.to_map()?])?;
            isl.apply("set_apply", Kind::Map, vec![set, back])
        }),
        |a, b| Ok(a.g(0).preimage(a.set(1), b)?.into()),
    )
    .local(|p, x| p.value(0, x).is_some_and(|y| p.has(1, &y))),
    case("g gist", &[G(A, B), S(A)], pma("pw_multi_aff_gist"), |a, b| {
        Ok(a.g(0).gist(a.set(1), b)?.into())
    })
    .check(Check::After("pw_multi_aff_intersect_domain")),
    case(
        "g gist params",
        &[G(A, B), P],
        pma("pw_multi_aff_gist_params"),
        |a, b| Ok(a.g(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("pw_multi_aff_intersect_params")),
    case("g coalesce", &[G(A, B)], pma("pw_multi_aff_coalesce"), |a, b| {
        Ok(a.g(0).coalesce(b)?.into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "g pullback",
        &[G(B, C), G(A, B)],
        pma("pw_multi_aff_pullback_pw_multi_aff"),
        |a, b| Ok(a.g(0).pullback(a.g(1), b)?.into()),
    )
    .function(|p, x| p.value(0, &p.value(1, x)?)),
    case(
        "g range product",
        &[G(A, B), G(A, C)],
        pma("pw_multi_aff_range_product"),
        |a, b| Ok(a.g(0).range_product(a.g(1), b)?.into()),
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case(
        "g flat range product",
        &[G(A, B), G(A, C)],
        pma("pw_multi_aff_flat_range_product"),
        |a, b| Ok(a.g(0).flat_range_product(a.g(1), b)?.into()),
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case("g product", &[G(A, B), G(C, B)], pma("pw_multi_aff_product"), |a, b| {
        Ok(a.g(0).product(a.g(1), b)?.into())
    })
    .function(|p, x| Some([p.value(0, &x[..p.tuple(0)])?, p.value(1, &x[p.tuple(0)..])?].concat())),
    case(
        "g component",
        &[G(A, B)],
        Call::With(|isl, o, a| isl.component(one(o), a.dim(a.n[1]))),
        |a, _| Ok(a.g(0).component(a.dim(a.n[1])).into()),
    )
    .at_least(0, 1, 0),
    case(
        "g is equal",
        &[G(A, B), G(A, B)],
        Call::Ask("pw_multi_aff_is_equal"),
        |a, b| Ok(a.g(0).is_equal(a.g(1), b)?.into()),
    ),
    case("g to map", &[G(A, B)], f("map_from_pw_multi_aff"), |a, _| {
        Ok(a.g(0).to_map().into())
    })
    .local(same),
    case(
        "g from map",
        &[G(A, B)],
        Call::With(|isl, o, _| isl.apply("pw_multi_aff_from_map", Kind::PwMultiAff, vec![one(o).to_map()?])),
        |a, b| Ok(PwMultiAff::from_map(&a.g(0).to_map(), b)?.map_or(Value::Nothing, Value::PwMultiAff)),
    )
    .function(|p, x| p.value(0, x)),
    case(
        "map lexmin function",
        &[M(A, B)],
        pma("map_lexmin_pw_multi_aff"),
        |a, b| Ok(a.map(0).lexmin_pw_multi_aff(b)?.into()),
    )
    .with_bounds(),
    case(
        "map lexmax function",
        &[M(A, B)],
        pma("map_lexmax_pw_multi_aff"),
        |a, b| Ok(a.map(0).lexmax_pw_multi_aff(b)?.into()),
    )
    .with_bounds(),
    // Tuples of piecewise expressions.
    case("multi add", &[G(A, B), G(A, B)], multi("multi_pw_aff_add"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().add(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v + w)),
    case("multi sub", &[G(A, B), G(A, B)], multi("multi_pw_aff_sub"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().sub(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v - w)),
    case("multi min", &[G(A, B), G(A, B)], multi("multi_pw_aff_min"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().min(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.min(w))),
    case("multi max", &[G(A, B), G(A, B)], multi("multi_pw_aff_max"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().max(&a.g(1).to_multi_pw_aff(), b)?.into())
    })
    .function(|p, x| both(p, x, |v, w| v.max(w))),
    case("multi neg", &[G(A, B)], multi("multi_pw_aff_neg"), |a, _| {
        Ok(a.g(0).to_multi_pw_aff().neg().into())
    })
    .function(|p, x| each(p, x, |v| -v)),
    case("multi coalesce", &[G(A, B)], multi("multi_pw_aff_coalesce"), |a, b| {
        Ok(a.g(0).to_multi_pw_aff().coalesce(b)?.into())
    })
    .function(|p, x| p.value(0, x)),
    case(
        "multi flat range product",
        &[G(A, B), G(A, C)],
        multi("multi_pw_aff_flat_range_product"),
        |a, b| {
            Ok(a.g(0)
                .to_multi_pw_aff()
                .flat_range_product(&a.g(1).to_multi_pw_aff(), b)?
                .into())
        },
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    case(
        "multi range product",
        &[G(A, B), G(A, C)],
        multi("multi_pw_aff_range_product"),
        |a, b| {
            Ok(a.g(0)
                .to_multi_pw_aff()
                .range_product(&a.g(1).to_multi_pw_aff(), b)?
                .into())
        },
    )
    .function(|p, x| Some([p.value(0, x)?, p.value(1, x)?].concat())),
    // Unions of piecewise expressions.
    case("union f add", &[UF, UF], upa("union_pw_aff_add"), |a, b| {
        Ok(a.uf(0).add(a.uf(1), b)?.into())
    }),
    case("union f sub", &[UF, UF], upa("union_pw_aff_sub"), |a, b| {
        Ok(a.uf(0).sub(a.uf(1), b)?.into())
    }),
    case("union f neg", &[UF], upa("union_pw_aff_neg"), |a, _| {
        Ok(a.uf(0).neg().into())
    }),
    case("union f floor", &[UF], upa("union_pw_aff_floor"), |a, _| {
        Ok(a.uf(0).floor().into())
    }),
    case(
        "union f modulo",
        &[UF],
        Call::With(|isl, o, a| isl.apply_value("union_pw_aff_mod_val", one(o), a.positive())),
        |a, _| Ok(a.uf(0).modulo(&Int::from(a.positive())).into()),
    ),
    case("union f union add", &[UF, UF], upa("union_pw_aff_union_add"), |a, b| {
        Ok(a.uf(0).union_add(a.uf(1), b)?.into())
    }),
    case(
        "union f intersect domain",
        &[UF, US],
        upa("union_pw_aff_intersect_domain"),
        |a, b| Ok(a.uf(0).intersect_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union f subtract domain",
        &[UF, US],
        upa("union_pw_aff_subtract_domain"),
        |a, b| Ok(a.uf(0).subtract_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union f intersect params",
        &[UF, P],
        upa("union_pw_aff_intersect_params"),
        |a, b| Ok(a.uf(0).intersect_params(a.set(1), b)?.into()),
    ),
    case("union f zero set", &[UF], us("union_pw_aff_zero_union_set"), |a, _| {
        Ok(a.uf(0).zero_set().into())
    }),
    case("union f domain", &[UF], us("union_pw_aff_domain"), |a, _| {
        Ok(a.uf(0).domain().into())
    }),
    case("union f gist", &[UF, US], upa("union_pw_aff_gist"), |a, b| {
        Ok(a.uf(0).gist(a.sets(1), b)?.into())
    })
    .check(Check::After("union_pw_aff_intersect_domain")),
    case("union f coalesce", &[UF], upa("union_pw_aff_coalesce"), |a, b| {
        Ok(a.uf(0).coalesce(b)?.into())
    }),
    // Unions of piecewise tuples of expressions.
    case("union g add", &[UG, UG], upma("union_pw_multi_aff_add"), |a, b| {
        Ok(a.ug(0).add(a.ug(1), b)?.into())
    }),
    case("union g sub", &[UG, UG], upma("union_pw_multi_aff_sub"), |a, b| {
        Ok(a.ug(0).sub(a.ug(1), b)?.into())
    }),
    case(
        "union g intersect domain",
        &[UG, US],
        upma("union_pw_multi_aff_intersect_domain"),
        |a, b| Ok(a.ug(0).intersect_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union g subtract domain",
        &[UG, US],
        upma("union_pw_multi_aff_subtract_domain"),
        |a, b| Ok(a.ug(0).subtract_domain(a.sets(1), b)?.into()),
    ),
    case(
        "union g intersect params",
        &[UG, P],
        upma("union_pw_multi_aff_intersect_params"),
        |a, b| Ok(a.ug(0).intersect_params(a.set(1), b)?.into()),
    ),
    case("union g domain", &[UG], us("union_pw_multi_aff_domain"), |a, _| {
        Ok(a.ug(0).domain().into())
    }),
    case("union g gist", &[UG, US], upma("union_pw_multi_aff_gist"), |a, b| {
        Ok(a.ug(0).gist(a.sets(1), b)?.into())
    })
    .check(Check::After("union_pw_multi_aff_intersect_domain")),
    case(
        "union g coalesce",
        &[UG],
        upma("union_pw_multi_aff_coalesce"),
        |a, b| Ok(a.ug(0).coalesce(b)?.into()),
    ),
    case(
        "union g to map",
        &[UG],
        um("union_map_from_union_pw_multi_aff"),
        |a, _| Ok(a.ug(0).to_union_map().into()),
    ),
    case("set affine hull", &[S(A)], hull("set_affine_hull"), |a, b| {
        Ok(a.set(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case("set polyhedral hull", &[S(A)], hull("set_polyhedral_hull"), |a, b| {
        Ok(a.set(0).polyhedral_hull(b)?.into())
    })
    .check(Check::Contains),
    case("set convex hull", &[S(A)], hull("set_convex_hull"), |a, b| {
        Ok(a.set(0).convex_hull(b)?.into())
    })
    .check(Check::Contains),
    case(
        "set unshifted simple hull",
        &[S(A)],
        hull("set_unshifted_simple_hull"),
        |a, b| Ok(a.set(0).unshifted_simple_hull(b)?.into()),
    )
    .check(Check::Contains),
    case(
        "set lineality space",
        &[S(A)],
        Call::With(|isl, o, _| isl.lineality(one(o))),
        |a, b| Ok(a.set(0).lineality_space(b)?.into()),
    )
    .check(Check::More),
    case("set box hull", &[S(A)], f("set_coalesce"), |a, b| {
        Ok(a.set(0).box_hull(b)?.into())
    })
    .check(Check::Contains),
    case(
        "set eliminate",
        &[S(A)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("set_eliminate", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.set(0).eliminate(first, count, b)?.into())
        },
    ),
    case("set drop constraints involving", &[S(A)], f("set_coalesce"), |a, _| {
        let (first, count) = a.range(a.n[0]);
        Ok(a.set(0).drop_constraints_involving(first, count).into())
    })
    .check(Check::Contains),
    case(
        "set drop constraints not involving",
        &[S(A)],
        f("set_coalesce"),
        |a, _| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.set(0).drop_constraints_not_involving(first, count).into())
        },
    )
    .check(Check::Contains),
    case(
        "set lower bound dim",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_fix("set_lower_bound_si", one(o), OUT, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.set(0).lower_bound_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "map lower bound domain dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_lower_bound_si", one(o), IN, a.dim(a.n[0]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .lower_bound_domain_dim(a.dim(a.n[0]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(1, 0, 0),
    case(
        "map lower bound range dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_lower_bound_si", one(o), OUT, a.dim(a.n[1]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .lower_bound_range_dim(a.dim(a.n[1]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(0, 1, 0),
    case(
        "set upper bound dim",
        &[S(A)],
        Call::With(|isl, o, a| isl.apply_fix("set_upper_bound_si", one(o), OUT, a.dim(a.n[0]), a.value())),
        |a, _| Ok(a.set(0).upper_bound_dim(a.dim(a.n[0]), &Int::from(a.value())).into()),
    )
    .at_least(1, 0, 0),
    case(
        "map upper bound domain dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_upper_bound_si", one(o), IN, a.dim(a.n[0]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .upper_bound_domain_dim(a.dim(a.n[0]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(1, 0, 0),
    case(
        "map upper bound range dim",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_fix("map_upper_bound_si", one(o), OUT, a.dim(a.n[1]), a.value())),
        |a, _| {
            Ok(a.map(0)
                .upper_bound_range_dim(a.dim(a.n[1]), &Int::from(a.value()))
                .into())
        },
    )
    .at_least(0, 1, 0),
    case(
        "set equate dims",
        &[S(A)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_equate",
                one(o),
                (OUT, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[0]),
            )
        }),
        |a, _| Ok(a.set(0).equate_dims(a.ints[0] % a.n[0], a.ints[1] % a.n[0]).into()),
    )
    .at_least(1, 0, 0),
    case(
        "set project out params",
        &[S(A)],
        Call::With(|isl, o, a| {
            let set = one(o);
            match isl.find_param(&set, a.param()) {
                Some(pos) => isl.apply_dims("set_project_out", set, PARAM, pos, 1),
                None => Some(set),
            }
        }),
        |a, b| Ok(a.set(0).project_out_params(&[a.param()], b)?.into()),
    ),
    case(
        "map eliminate domain",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[0]);
            isl.apply_dims("map_eliminate", one(o), IN, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[0]);
            Ok(a.map(0).eliminate_domain(first, count, b)?.into())
        },
    ),
    case(
        "map insert domain dims",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_dims("map_insert_dims", one(o), IN, a.dim(a.n[0] + 1), 1)),
        |a, _| Ok(a.map(0).insert_domain_dims(a.dim(a.n[0] + 1), 1).into()),
    ),
    case(
        "map eliminate range",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let (first, count) = a.range(a.n[1]);
            isl.apply_dims("map_eliminate", one(o), OUT, first, count)
        }),
        |a, b| {
            let (first, count) = a.range(a.n[1]);
            Ok(a.map(0).eliminate_range(first, count, b)?.into())
        },
    ),
    case(
        "map insert range dims",
        &[M(A, B)],
        Call::With(|isl, o, a| isl.apply_dims("map_insert_dims", one(o), OUT, a.dim(a.n[1] + 1), 1)),
        |a, _| Ok(a.map(0).insert_range_dims(a.dim(a.n[1] + 1), 1).into()),
    ),
    case(
        "map move domain to range",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let count = a.dim(a.n[0] + 1);
            isl.move_dims("map_move_dims", one(o), (OUT, 0), (IN, a.n[0] - count), count)
        }),
        |a, _| Ok(a.map(0).move_domain_to_range(a.dim(a.n[0] + 1)).into()),
    ),
    case(
        "map move range to domain",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            let count = a.dim(a.n[1] + 1);
            isl.move_dims("map_move_dims", one(o), (IN, a.n[0]), (OUT, 0), count)
        }),
        |a, _| Ok(a.map(0).move_range_to_domain(a.dim(a.n[1] + 1)).into()),
    ),
    case(
        "map order lt",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_order_lt",
                one(o),
                (IN, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[1]),
            )
        }),
        |a, _| Ok(a.map(0).order_lt(a.ints[0] % a.n[0], a.ints[1] % a.n[1]).into()),
    )
    .at_least(1, 1, 0),
    case(
        "map order gt",
        &[M(A, B)],
        Call::With(|isl, o, a| {
            isl.relate(
                "map_order_gt",
                one(o),
                (IN, a.ints[0] % a.n[0]),
                (OUT, a.ints[1] % a.n[1]),
            )
        }),
        |a, _| Ok(a.map(0).order_gt(a.ints[0] % a.n[0], a.ints[1] % a.n[1]).into()),
    )
    .at_least(1, 1, 0),
    case("set flatten", &[S(AB)], f("set_flatten"), |a, _| {
        Ok(a.set(0).flatten().into())
    })
    .local(same),
    case("map flatten", &[M(AB, C)], f("map_flatten"), |a, _| {
        Ok(a.map(0).flatten().into())
    })
    .local(same),
    case("map flatten domain", &[M(AB, C)], f("map_flatten_domain"), |a, _| {
        Ok(a.map(0).flatten_domain().into())
    })
    .local(same),
    case("map flatten range", &[M(A, BC)], f("map_flatten_range"), |a, _| {
        Ok(a.map(0).flatten_range().into())
    })
    .local(same),
    case("map curry", &[M(AB, C)], f("map_curry"), |a, _| {
        Ok(a.map(0).curry().into())
    })
    .local(same),
    case("map uncurry", &[M(A, BC)], f("map_uncurry"), |a, _| {
        Ok(a.map(0).uncurry().into())
    })
    .local(same),
    case("map range reverse", &[M(A, BC)], f("map_range_reverse"), |a, _| {
        Ok(a.map(0).range_reverse().into())
    }),
    case("map zip", &[M(AB, CA)], f("map_zip"), |a, _| Ok(a.map(0).zip().into())),
    case("map product", &[M(A, B), M(C, B)], f("map_product"), |a, _| {
        Ok(a.map(0).product(a.map(1)).into())
    }),
    case(
        "map domain product",
        &[M(A, B), M(C, B)],
        f("map_domain_product"),
        |a, _| Ok(a.map(0).domain_product(a.map(1)).into()),
    ),
    case(
        "map domain factor domain",
        &[M(AB, C)],
        f("map_domain_factor_domain"),
        |a, b| Ok(a.map(0).domain_factor_domain(b)?.into()),
    ),
    case(
        "map domain factor range",
        &[M(AB, C)],
        f("map_domain_factor_range"),
        |a, b| Ok(a.map(0).domain_factor_range(b)?.into()),
    ),
    case(
        "map range factor domain",
        &[M(A, BC)],
        f("map_range_factor_domain"),
        |a, b| Ok(a.map(0).range_factor_domain(b)?.into()),
    ),
    case(
        "map range factor range",
        &[M(A, BC)],
        f("map_range_factor_range"),
        |a, b| Ok(a.map(0).range_factor_range(b)?.into()),
    ),
    case("map factor domain", &[M(AB, CA)], f("map_factor_domain"), |a, b| {
        Ok(a.map(0).factor_domain(b)?.into())
    }),
    case("map factor range", &[M(AB, CA)], f("map_factor_range"), |a, b| {
        Ok(a.map(0).factor_range(b)?.into())
    }),
    case(
        "map intersect domain factor domain",
        &[M(AB, C), M(A, C)],
        f("map_intersect_domain_factor_domain"),
        |a, _| Ok(a.map(0).intersect_domain_factor_domain(a.map(1)).into()),
    ),
    case(
        "map intersect domain factor range",
        &[M(AB, C), M(B, C)],
        f("map_intersect_domain_factor_range"),
        |a, _| Ok(a.map(0).intersect_domain_factor_range(a.map(1)).into()),
    ),
    case(
        "map intersect range factor domain",
        &[M(A, BC), M(A, B)],
        f("map_intersect_range_factor_domain"),
        |a, _| Ok(a.map(0).intersect_range_factor_domain(a.map(1)).into()),
    ),
    case(
        "map intersect range factor range",
        &[M(A, BC), M(A, C)],
        f("map_intersect_range_factor_range"),
        |a, _| Ok(a.map(0).intersect_range_factor_range(a.map(1)).into()),
    ),
    case("map deltas map", &[M(A, A)], f("map_deltas_map"), |a, _| {
        Ok(a.map(0).deltas_map().into())
    }),
    case("set lex lt", &[S(A), S(A)], f("set_lex_lt_set"), |a, _| {
        Ok(a.set(0).lex_lt(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x < y
    }),
    case("map lex lt map", &[M(A, B), M(C, B)], f("map_lex_lt_map"), |a, b| {
        Ok(a.map(0).lex_lt_map(a.map(1), b)?.into())
    }),
    case(
        "union set lex lt",
        &[US, US],
        um("union_set_lex_lt_union_set"),
        |a, _| Ok(a.sets(0).lex_lt(a.sets(1)).into()),
    ),
    case(
        "union map lex lt map",
        &[UM, UM],
        um("union_map_lex_lt_union_map"),
        |a, b| Ok(a.maps(0).lex_lt_map(a.maps(1), b)?.into()),
    ),
    case("set lex le", &[S(A), S(A)], f("set_lex_le_set"), |a, _| {
        Ok(a.set(0).lex_le(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x <= y
    }),
    case("map lex le map", &[M(A, B), M(C, B)], f("map_lex_le_map"), |a, b| {
        Ok(a.map(0).lex_le_map(a.map(1), b)?.into())
    }),
    case(
        "union set lex le",
        &[US, US],
        um("union_set_lex_le_union_set"),
        |a, _| Ok(a.sets(0).lex_le(a.sets(1)).into()),
    ),
    case(
        "union map lex le map",
        &[UM, UM],
        um("union_map_lex_le_union_map"),
        |a, b| Ok(a.maps(0).lex_le_map(a.maps(1), b)?.into()),
    ),
    case("set lex gt", &[S(A), S(A)], f("set_lex_gt_set"), |a, _| {
        Ok(a.set(0).lex_gt(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x > y
    }),
    case("map lex gt map", &[M(A, B), M(C, B)], f("map_lex_gt_map"), |a, b| {
        Ok(a.map(0).lex_gt_map(a.map(1), b)?.into())
    }),
    case(
        "union set lex gt",
        &[US, US],
        um("union_set_lex_gt_union_set"),
        |a, _| Ok(a.sets(0).lex_gt(a.sets(1)).into()),
    ),
    case(
        "union map lex gt map",
        &[UM, UM],
        um("union_map_lex_gt_union_map"),
        |a, b| Ok(a.maps(0).lex_gt_map(a.maps(1), b)?.into()),
    ),
    case("set lex ge", &[S(A), S(A)], f("set_lex_ge_set"), |a, _| {
        Ok(a.set(0).lex_ge(a.set(1)).into())
    })
    .local(|p, x| {
        let (x, y) = x.split_at(p.n(0));
        p.has(0, x) && p.has(1, y) && x >= y
    }),
    case("map lex ge map", &[M(A, B), M(C, B)], f("map_lex_ge_map"), |a, b| {
        Ok(a.map(0).lex_ge_map(a.map(1), b)?.into())
    }),
    case(
        "union set lex ge",
        &[US, US],
        um("union_set_lex_ge_union_set"),
        |a, _| Ok(a.sets(0).lex_ge(a.sets(1)).into()),
    ),
    case(
        "union map lex ge map",
        &[UM, UM],
        um("union_map_lex_ge_union_map"),
        |a, b| Ok(a.maps(0).lex_ge_map(a.maps(1), b)?.into()),
    ),
    case("map affine hull", &[M(A, B)], hull("map_affine_hull"), |a, b| {
        Ok(a.map(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case(
        "map polyhedral hull",
        &[M(A, B)],
        hull("map_polyhedral_hull"),
        |a, b| Ok(a.map(0).polyhedral_hull(b)?.into()),
    )
    .check(Check::Contains),
    case(
        "map unshifted simple hull",
        &[M(A, B)],
        hull("map_unshifted_simple_hull"),
        |a, b| Ok(a.map(0).unshifted_simple_hull(b)?.into()),
    )
    .check(Check::Contains),
    case("set is bounded", &[S(A)], Call::Ask("set_is_bounded"), |a, b| {
        Ok(a.set(0).is_bounded(b)?.into())
    }),
    case("union set lexmin", &[US], us("union_set_lexmin"), |a, b| {
        Ok(a.sets(0).lexmin(b)?.into())
    })
    .with_bounds(),
    case("union map lexmin", &[UM], um("union_map_lexmin"), |a, b| {
        Ok(a.maps(0).lexmin(b)?.into())
    })
    .with_bounds(),
    case(
        "set dim min",
        &[S(A)],
        Call::Text(|isl, o, a| isl.dim_bound("set_dim_min_val", &o[0], a.dim(a.n[0]))),
        |a, b| Ok(Value::Text(bound_text(a.set(0).dim_min(a.dim(a.n[0]), b)?, "-infty"))),
    )
    .at_least(1, 0, 0),
    case("union set lexmax", &[US], us("union_set_lexmax"), |a, b| {
        Ok(a.sets(0).lexmax(b)?.into())
    })
    .with_bounds(),
    case("union map lexmax", &[UM], um("union_map_lexmax"), |a, b| {
        Ok(a.maps(0).lexmax(b)?.into())
    })
    .with_bounds(),
    case(
        "set dim max",
        &[S(A)],
        Call::Text(|isl, o, a| isl.dim_bound("set_dim_max_val", &o[0], a.dim(a.n[0]))),
        |a, b| Ok(Value::Text(bound_text(a.set(0).dim_max(a.dim(a.n[0]), b)?, "infty"))),
    )
    .at_least(1, 0, 0),
    case(
        "set count",
        &[S(A)],
        Call::Text(|isl, o, _| isl.count(&o[0])),
        |a, b| {
            Ok(Value::Text(
                a.set(0).count(b)?.map_or("infty".into(), |n| n.to_string()),
            ))
        },
    ),
    case(
        "set stride",
        &[S(A)],
        Call::Text(|isl, o, a| isl.dim_bound("set_get_stride", &o[0], a.dim(a.n[0]))),
        |a, b| {
            // A dimension with a single value has stride 0 here.
            let stride = a.set(0).stride(a.dim(a.n[0]), b)?.stride;
            Ok(Value::Text(if stride.is_zero() {
                "1".into()
            } else {
                stride.to_string()
            }))
        },
    )
    .at_least(1, 0, 0),
    case("set coefficients solutions", &[S(A)], f("set_coalesce"), |a, b| {
        Ok(a.set(0).coefficients(b)?.solutions(a.set(0).space().clone(), b)?.into())
    })
    .check(Check::Contains),
    case("union set affine hull", &[US], us("union_set_affine_hull"), |a, b| {
        Ok(a.sets(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case("union map affine hull", &[UM], um("union_map_affine_hull"), |a, b| {
        Ok(a.maps(0).affine_hull(b)?.into())
    })
    .check(Check::Tighter),
    case("union set product", &[US, US], us("union_set_product"), |a, _| {
        Ok(a.sets(0).product(a.sets(1)).into())
    }),
    case("union map product", &[UM, UM], um("union_map_product"), |a, _| {
        Ok(a.maps(0).product(a.maps(1)).into())
    }),
    case(
        "union map range product",
        &[UM, UM],
        um("union_map_range_product"),
        |a, _| Ok(a.maps(0).range_product(a.maps(1)).into()),
    ),
    case(
        "union map domain product",
        &[UM, UM],
        um("union_map_domain_product"),
        |a, _| Ok(a.maps(0).domain_product(a.maps(1)).into()),
    ),
    case(
        "union map flat range product",
        &[UM, UM],
        um("union_map_flat_range_product"),
        |a, _| Ok(a.maps(0).flat_range_product(a.maps(1)).into()),
    ),
    case("union map wrap", &[UM], us("union_map_wrap"), |a, _| {
        Ok(a.maps(0).wrap().into())
    }),
    case("union map deltas", &[UM], us("union_map_deltas"), |a, b| {
        Ok(a.maps(0).deltas(b)?.into())
    }),
    case("union map domain map", &[UM], um("union_map_domain_map"), |a, _| {
        Ok(a.maps(0).domain_map().into())
    }),
    case("union map range map", &[UM], um("union_map_range_map"), |a, _| {
        Ok(a.maps(0).range_map().into())
    }),
];
