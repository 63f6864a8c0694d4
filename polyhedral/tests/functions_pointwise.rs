//! Piecewise quasi-affine functions against evaluation at all points of a small box.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, PwAff, PwMultiAff, Set};
use proptest::prelude::*;
use std::fmt::{self, Display};

/// An expression over `p`, `x` and `y`, as it is written.
#[derive(Clone, Debug)]
enum Expr {
    Var(usize),
    Const(i64),
    Add(Box<Expr>, Box<Expr>),
    Sub(Box<Expr>, Box<Expr>),
    Scale(i64, Box<Expr>),
    Floor(Box<Expr>, i64),
    Ceil(Box<Expr>, i64),
    Mod(Box<Expr>, i64),
    Min(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
    Cond(Test, Box<Expr>, Box<Expr>),
    Where(Box<Expr>, Test),
}

/// A comparison.
#[derive(Clone, Debug)]
struct Test(Box<Expr>, &'static str, Box<Expr>);

const NAMES: [&str; 3] = ["p", "x", "y"];

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Var(v) => f.write_str(NAMES[*v]),
            Expr::Const(c) => write!(f, "({c})"),
            Expr::Add(a, b) => write!(f, "({a} + {b})"),
            Expr::Sub(a, b) => write!(f, "({a} - {b})"),
            Expr::Scale(c, a) => write!(f, "({c} * {a})"),
            Expr::Floor(a, d) => write!(f, "floor({a}/{d})"),
            Expr::Ceil(a, d) => write!(f, "ceil({a}/{d})"),
            Expr::Mod(a, d) => write!(f, "({a} mod {d})"),
            Expr::Min(a, b) => write!(f, "min({a}, {b})"),
            Expr::Max(a, b) => write!(f, "max({a}, {b})"),
            Expr::Cond(t, a, b) => write!(f, "({t} ? {a} : {b})"),
            Expr::Where(a, t) => write!(f, "({a} : {t})"),
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.0, self.1, self.2)
    }
}

impl Expr {
    fn eval(&self, point: &[i64; 3]) -> Option<i64> {
        let two = |a: &Expr, b: &Expr| Some((a.eval(point)?, b.eval(point)?));
        Some(match self {
            Expr::Var(v) => point[*v],
            Expr::Const(c) => *c,
            Expr::Add(a, b) => two(a, b).map(|(a, b)| a + b)?,
            Expr::Sub(a, b) => two(a, b).map(|(a, b)| a - b)?,
            Expr::Scale(c, a) => c * a.eval(point)?,
            Expr::Floor(a, d) => a.eval(point)?.div_euclid(*d),
            Expr::Ceil(a, d) => -(-a.eval(point)?).div_euclid(*d),
            Expr::Mod(a, d) => a.eval(point)?.rem_euclid(*d),
            Expr::Min(a, b) => two(a, b).map(|(a, b)| a.min(b))?,
            Expr::Max(a, b) => two(a, b).map(|(a, b)| a.max(b))?,
            Expr::Cond(t, a, b) => (if t.holds(point)? { a } else { b }).eval(point)?,
            Expr::Where(a, t) => a.eval(point).filter(|_| t.holds(point) == Some(true))?,
        })
    }

    /// The same by operations on functions.
    fn build(&self, b: &Budget) -> Outcome<PwAff> {
        let zero = || parse::<PwAff>("[p] -> { S[x, y] -> [0] }");
        Ok(match self {
            Expr::Var(v) => parse(&format!("[p] -> {{ S[x, y] -> [{}] }}", NAMES[*v])),
            Expr::Const(c) => zero().add_constant(&Int::from(*c)),
            Expr::Add(x, y) => x.build(b)?.add(&y.build(b)?, b)?,
            Expr::Sub(x, y) => x.build(b)?.sub(&y.build(b)?, b)?,
            Expr::Scale(c, x) => x.build(b)?.scale(&Int::from(*c)),
            Expr::Floor(x, d) => x.build(b)?.divide(&Int::from(*d)).floor(),
            Expr::Ceil(x, d) => x.build(b)?.divide(&Int::from(*d)).ceil(),
            Expr::Mod(x, d) => x.build(b)?.modulo(&Int::from(*d)),
            Expr::Min(x, y) => x.build(b)?.min(&y.build(b)?, b)?,
            Expr::Max(x, y) => x.build(b)?.max(&y.build(b)?, b)?,
            Expr::Cond(t, x, y) => {
                let holds = t.build(b)?;
                let fails = Test(t.0.clone(), t.opposite(), t.2.clone()).build(b)?;
                let then = x.build(b)?.intersect_domain(&holds, b)?;
                let otherwise = y.build(b)?.intersect_domain(&fails, b)?;
                then.union(&otherwise, b)?.expect("disjoint domains")
            }
            Expr::Where(x, t) => x.build(b)?.intersect_domain(&t.build(b)?, b)?,
        })
    }
}

impl Test {
    fn holds(&self, point: &[i64; 3]) -> Option<bool> {
        let (a, b) = (self.0.eval(point)?, self.2.eval(point)?);
        Some(match self.1 {
            "=" => a == b,
            "!=" => a != b,
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            _ => a >= b,
        })
    }

    fn opposite(&self) -> &'static str {
        match self.1 {
            "=" => "!=",
            "!=" => "=",
            "<" => ">=",
            "<=" => ">",
            ">" => "<=",
            _ => "<",
        }
    }

    fn build(&self, b: &Budget) -> Outcome<Set> {
        let (x, y) = (self.0.build(b)?, self.2.build(b)?);
        match self.1 {
            "=" => x.eq_set(&y, b),
            "!=" => x.ne_set(&y, b),
            "<" => x.lt_set(&y, b),
            "<=" => x.le_set(&y, b),
            ">" => x.gt_set(&y, b),
            _ => x.ge_set(&y, b),
        }
    }
}

fn parse<T: std::str::FromStr<Err = farkas_polyhedral::text::ParseError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Expressions; `partial` ones may be undefined at some points.
fn expr(depth: u32, partial: bool) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![3 => (0..3usize).prop_map(Expr::Var), 1 => (-4..=4i64).prop_map(Expr::Const)].boxed();
    if depth == 0 {
        return leaf;
    }
    let sub = move || expr(depth - 1, partial).prop_map(Box::new);
    let simple = move || expr(depth - 1, false).prop_map(Box::new);
    let sign = prop_oneof![Just("="), Just("!="), Just("<"), Just("<="), Just(">"), Just(">=")];
    let test = (simple(), sign, simple()).prop_map(|(a, op, b)| Test(a, op, b)).boxed();
    prop_oneof![
        2 => leaf,
        2 => (sub(), sub()).prop_map(|(a, b)| Expr::Add(a, b)),
        2 => (sub(), sub()).prop_map(|(a, b)| Expr::Sub(a, b)),
        1 => (-3..=3i64, sub()).prop_map(|(c, a)| Expr::Scale(c, a)),
        1 => (sub(), 2..=4i64).prop_map(|(a, d)| Expr::Floor(a, d)),
        1 => (sub(), 2..=4i64).prop_map(|(a, d)| Expr::Ceil(a, d)),
        1 => (sub(), 2..=4i64).prop_map(|(a, d)| Expr::Mod(a, d)),
        1 => (sub(), sub()).prop_map(|(a, b)| Expr::Min(a, b)),
        1 => (sub(), sub()).prop_map(|(a, b)| Expr::Max(a, b)),
        1 => (test.clone(), sub(), sub()).prop_map(|(t, a, b)| Expr::Cond(t, a, b)),
        2 => (sub(), test).prop_map(move |(a, t)| if partial { Expr::Where(a, t) } else { Expr::Cond(t, a.clone(), a) }),
    ]
    .boxed()
}

const BOX: std::ops::RangeInclusive<i64> = -4..=4;

fn points() -> impl Iterator<Item = [i64; 3]> {
    BOX.flat_map(|p| BOX.flat_map(move |x| BOX.map(move |y| [p, x, y])))
}

fn value(f: &PwAff, [p, x, y]: &[i64; 3]) -> Option<i64> {
    let value = f
        .eval(&[Int::from(*p)], &[Int::from(*x), Int::from(*y)], &Budget::unlimited())
        .unwrap();
    value.map(|v| v.to_i64().expect("a small value"))
}

/// The function has the values that `expected` says, at all points of the box.
fn same(f: &PwAff, expected: impl Fn(&[i64; 3]) -> Option<i64>) {
    for point in points() {
        assert_eq!(value(f, &point), expected(&point), "{f} at {point:?}");
    }
}

/// Runs a test; the operands are so small that the budget is enough.
fn within_budget(test: impl Fn(&Budget) -> Outcome<()>) {
    test(&Budget::new(10_000_000)).expect("small operands");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn operations_texts_and_graphs(e in expr(3, true)) {
        within_budget(|b| {
            let f = e.build(b)?;
            same(&f, |point| e.eval(point));
            same(&parse(&f.to_string()), |point| e.eval(point));
            same(&f.coalesce(b)?, |point| e.eval(point));
            let graph = f.to_map();
            let again = PwAff::from_map(&graph, b)?.expect("the graph of a function");
            same(&again, |point| e.eval(point));
            assert!(again.is_equal(&f, b)?);
            Ok(())
        });
    }

    #[test]
    fn parsing(e in expr(3, true)) {
        same(&parse(&format!("[p] -> {{ S[x, y] -> [{e}] }}")), |point| e.eval(point));
    }

    #[test]
    fn two_functions(e in expr(2, true), g in expr(2, true), context in expr(1, false)) {
        within_budget(|b| {
            let (f, h) = (e.build(b)?, g.build(b)?);
            let either = |x: Option<i64>, y: Option<i64>, join: fn(i64, i64) -> i64| match (x, y) {
                (Some(x), Some(y)) => Some(join(x, y)),
                (x, y) => x.or(y),
            };
            same(&f.union_add(&h, b)?, |p| either(e.eval(p), g.eval(p), |x, y| x + y));
            same(&f.union_min(&h, b)?, |p| either(e.eval(p), g.eval(p), i64::min));
            same(&f.union_max(&h, b)?, |p| either(e.eval(p), g.eval(p), i64::max));
            same(&f.or_else(&h, b)?, |p| e.eval(p).or(g.eval(p)));
            same(&f.subtract_domain(&h.domain(), b)?, |p| e.eval(p).filter(|_| g.eval(p).is_none()));
            let c = context.build(b)?;
            let set = c.nonneg_set();
            let within = |p: &[i64; 3]| context.eval(p).is_some_and(|v| v >= 0);
            same(&f.gist(&set, b)?.intersect_domain(&set, b)?, |p| e.eval(p).filter(|_| within(p)));
            same(&c.cond(&f, &h, b)?, |p| if context.eval(p) == Some(0) { g.eval(p) } else { e.eval(p) });
            let agree = points().all(|p| e.eval(&p).is_none() || g.eval(&p).is_none() || e.eval(&p) == g.eval(&p));
            match f.union(&h, b)? {
                Some(union) => same(&union, |p| e.eval(p).or(g.eval(p))),
                // There may be other values outside of the box.
                None => assert!(!agree || !f.ne_set(&h, b)?.is_empty(b)?),
            }
            let pair = f.to_pw_multi_aff().flat_range_product(&h.to_pw_multi_aff(), b)?;
            let other = h.to_pw_multi_aff().flat_range_product(&f.to_pw_multi_aff(), b)?;
            let (min, max) = (pair.union_lexmin(&other, b)?, pair.union_lexmax(&other, b)?);
            for p in points() {
                let expected = e.eval(&p).zip(g.eval(&p)).map(|(x, y)| ((x, y).min((y, x)), (x, y).max((y, x))));
                let at = |f: &PwMultiAff| {
                    f.eval(&[Int::from(p[0])], &[Int::from(p[1]), Int::from(p[2])], b).unwrap()
                        .map(|v| (v[0].to_i64().unwrap(), v[1].to_i64().unwrap()))
                };
                assert_eq!(at(&min).zip(at(&max)), expected);
            }
            Ok(())
        });
    }

    #[test]
    fn composition(e in expr(2, true), x in expr(2, true), y in expr(2, true)) {
        within_budget(|b| {
            let args = x.build(b)?.to_pw_multi_aff().flat_range_product(&y.build(b)?.to_pw_multi_aff(), b)?;
            let tuple = parse::<Set>("{ S[x, y] }").tuple().clone();
            let f = e.build(b)?.pullback(&args.with_range_tuple(tuple), b)?;
            same(&f, |p| e.eval(&[p[0], x.eval(p)?, y.eval(p)?]));
            Ok(())
        });
    }

    /// Relations of one conjunction: functions of their graphs exactly if no element has two images.
    #[test]
    fn graphs(
        rows in prop::collection::vec((-6..=6i64, -3..=3i64, -3..=3i64, -3..=3i64, 0..4usize), 1..4),
        modulus in (2..=4i64, 0..=3i64, 1..=3i64),
    ) {
        within_budget(|b| {
            let constraint = |(c, x, y, z, kind): &(i64, i64, i64, i64, usize)| {
                let sum = format!("{c} + {x} * x + {y} * y + {z} * z");
                match kind {
                    0 => format!("{sum} = 0"),
                    1 => format!("{sum} >= 0"),
                    2 => format!("0 <= {sum} < {}", y.abs().max(1)),
                    _ => format!("({sum}) mod {} = {}", modulus.0, modulus.1 % modulus.0),
                }
            };
            let rows: Vec<String> = rows.iter().map(constraint).collect();
            let text = format!(
                "{{ [x] -> [y, z] : {} and -4 <= x, y, z <= 4 and floor({}y / 2) >= z }}",
                rows.join(" and "),
                modulus.2,
            );
            let map: Map = parse(&text);
            let function = PwMultiAff::from_map(&map, b)?;
            for x in BOX {
                let x = [Int::from(x)];
                let pairs = BOX.flat_map(|y| BOX.map(move |z| vec![Int::from(y), Int::from(z)]));
                let images: Vec<Vec<Int>> = pairs.filter(|image| map.contains(&[], &x, image, b).unwrap()).collect();
                match &function {
                    Some(f) => {
                        assert!(images.len() <= 1, "{text}");
                        assert_eq!(f.eval(&[], &x, b)?, images.first().cloned(), "{text}: {f}");
                    }
                    None if images.len() > 1 => return Ok(()),
                    None => {}
                }
            }
            assert!(function.is_some(), "{text}");
            Ok(())
        });
    }
}
