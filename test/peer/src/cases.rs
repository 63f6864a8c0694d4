//! The table of operations that are compared on random operands.
//!
//! A [`Case`] says which operands an operation takes, how it is called in Farkas and in isl, when the results agree, and,
//! where it can be said in a line, which points the result has. A new operation is a new entry.

use crate::isl::{Isl, Kind, Object};
use crate::points::Points;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, Set, UnionMap, UnionSet};

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
}

use Shape::{M, P, S, UM, US};
use T::{A, AB, B, C};

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
    /// An answer.
    Answer(bool),
    /// A point of a set, if there is one.
    Sample(Option<Set>),
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
from!(Set(Set), Map(Map), UnionSet(UnionSet), UnionMap(UnionMap), Answer(bool));

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
    /// There is none: the comparison of samples.
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
    case("map explicit", &[M(A, B)], f("map_compute_divs"), |a, b| {
        Ok(a.map(0).explicit(b)?.into())
    })
    .local(same),
    case("set explicit", &[S(A)], f("set_compute_divs"), |a, b| {
        Ok(a.set(0).explicit(b)?.into())
    })
    .local(same),
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
        Call::With(|isl, o, a| isl.equate(one(o), a.ints[0] % a.n[0], a.ints[1] % a.n[1])),
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
        "union map gist params",
        &[UM, P],
        um("union_map_gist_params"),
        |a, b| Ok(a.maps(0).gist_params(a.set(1), b)?.into()),
    )
    .check(Check::After("union_map_intersect_params")),
    case("union map coalesce", &[UM], um("union_map_coalesce"), |a, b| {
        Ok(a.maps(0).coalesce(b)?.into())
    }),
];
