//! The operations of the corpus: what each is called in isl and in Farkas, and when two results agree.

use crate::corpus::Line;
use crate::isl::{Function, Isl, Kind};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, zeros};
use farkas_polyhedral::sets::{Map, PwMultiAff, Set, SetSpace};
use farkas_polyhedral::solver::lexmin::LexMin;
use farkas_polyhedral::solver::non_trivial::{Region, non_trivial_lexmin};

/// An operand or result of Farkas's.
#[derive(Clone, Debug)]
pub enum Value {
    /// A set.
    Set(Set),
    /// A relation.
    Map(Map),
    /// A result of two parts: the optimum, and the elements that have none.
    Optimum(Box<Value>, Set),
    /// A function.
    Function(PwMultiAff),
    /// The unknowns of a search, none if there is no solution.
    Vector(Option<Row>),
    /// An answer.
    Answer(bool),
}

impl Value {
    /// Reads a set or relation.
    ///
    /// # Errors
    ///
    /// The parser's message.
    pub fn parse(text: &str) -> Result<Value, String> {
        match text.parse::<Set>() {
            Ok(set) => Ok(Value::Set(set)),
            Err(as_set) => match text.parse::<Map>() {
                Ok(map) => Ok(Value::Map(map)),
                Err(as_map) => Err(format!("as a set: {as_set}; as a relation: {as_map}")),
            },
        }
    }

    /// The text of a set or relation.
    pub fn text(&self) -> String {
        match self {
            Value::Set(set) => set.to_string(),
            Value::Map(map) => map.to_string(),
            Value::Optimum(value, empty) => format!("{} without {empty}", value.text()),
            Value::Function(function) => function.to_string(),
            Value::Vector(point) => format!("{point:?}"),
            Value::Answer(answer) => answer.to_string(),
        }
    }
}

/// When the results of the two libraries agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// They are equal.
    Equal,
    /// They are equal within the second operand.
    EqualInContext,
    /// Both are equal to the first operand, and the pieces of ours do not overlap.
    DisjointPieces,
    /// Ours contains the first operand; whether it is equal to isl's is only counted.
    Contains,
    /// Ours contains the first operand and is contained in isl's; whether it is equal to it is only counted.
    Tighter,
    /// All constraints with the coefficients in ours hold on the first operand; whether they are isl's is only counted.
    Coefficients,
    /// Both are solutions, with the same values of the significant unknowns.
    Significant,
}

/// A call of Farkas's: the operands, which it may take as isl does, and the line for its integers.
pub type Ours = fn(&mut [Value], &Line, &Budget) -> Outcome<Value>;

/// How an operation is called in both libraries.
#[derive(Clone, Copy)]
pub struct Op {
    /// What the operands are in isl.
    pub operands: &'static [Kind],
    /// What the result is in isl.
    pub result: Kind,
    /// isl's function.
    pub isl: Option<Function>,
    /// Farkas's, if there is one.
    pub ours: Option<Ours>,
    /// How results are compared.
    pub check: Check,
}

/// Calls the method of the same name of a set or of a relation.
macro_rules! unary {
    ($method:ident) => {
        |args, _, b| {
            Ok(match &args[0] {
                Value::Set(set) => Value::Set(set.$method(b)?),
                Value::Map(map) => Value::Map(map.$method(b)?),
                other => unreachable!("no operand: {other:?}"),
            })
        }
    };
}

macro_rules! predicate {
    ($method:ident) => {
        |args, _, b| {
            Ok(Value::Answer(match (&args[0], args.get(1)) {
                (Value::Set(x), Some(Value::Set(y))) => x.$method(y, b)?,
                (Value::Map(x), Some(Value::Map(y))) => x.$method(y, b)?,
                other => unreachable!("no operands: {other:?}"),
            }))
        }
    };
}

macro_rules! binary {
    ($method:ident) => {
        |args, _, b| {
            Ok(match (&args[0], &args[1]) {
                (Value::Set(x), Value::Set(y)) => Value::Set(x.$method(y, b)?),
                (Value::Map(x), Value::Map(y)) => Value::Map(x.$method(y, b)?),
                other => unreachable!("no operands: {other:?}"),
            })
        }
    };
}

fn set(value: &Value) -> &Set {
    match value {
        Value::Set(set) => set,
        other => unreachable!("no set: {other:?}"),
    }
}

fn map(value: &Value) -> &Map {
    match value {
        Value::Map(map) => map,
        other => unreachable!("no relation: {other:?}"),
    }
}

fn intersect(args: &mut [Value], _: &Line, _: &Budget) -> Outcome<Value> {
    Ok(match (&args[0], &args[1]) {
        (Value::Map(x), Value::Map(y)) => Value::Map(x.intersect(y)),
        (Value::Map(x), Value::Set(y)) => Value::Map(x.intersect_params(y)),
        (Value::Set(x), Value::Set(y)) if y.tuple().is_unit() => Value::Set(x.intersect_params(y)),
        (x, y) => Value::Set(set(x).intersect(set(y))),
    })
}

fn union(args: &mut [Value], _: &Line, _: &Budget) -> Outcome<Value> {
    Ok(match (&args[0], &args[1]) {
        (Value::Map(x), Value::Map(y)) => Value::Map(x.union(y)),
        (x, y) => Value::Set(set(x).union(set(y))),
    })
}

/// In isl a set is a relation without domain: what is applied to its range is applied to it.
fn apply_range(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(match (&args[0], &args[1]) {
        (Value::Map(x), Value::Map(y)) => Value::Map(x.apply_range(y, b)?),
        (Value::Set(x), Value::Map(y)) => Value::Set(x.apply(y, b)?),
        (x, y) => Value::Set(set(y).intersect_params(set(x))),
    })
}

const PARAM: u32 = 1;
const IN: u32 = 2;

fn project_out(args: &mut [Value], line: &Line, b: &Budget) -> Outcome<Value> {
    let (kind, first, count) = (line.ints[0], line.ints[1] as usize, line.ints[2] as usize);
    Ok(match &args[0] {
        Value::Set(set) if kind == PARAM => {
            let names = set.params().names()[first..first + count].to_vec();
            let mut set = set.clone();
            for name in names {
                set = set.project_out_param(&name, b)?;
            }
            Value::Set(set)
        }
        // The domain that a set has not becomes one without a name.
        Value::Set(set) if kind == IN => {
            let domain = Set::universe(SetSpace::params_only(set.params().clone()));
            Value::Map(Map::from_domain_and_range(&domain, set))
        }
        Value::Set(set) => Value::Set(set.project_out(first, count, b)?),
        Value::Map(map) if kind == IN => Value::Map(map.project_out_domain(first, count, b)?),
        other => Value::Map(map(other).project_out_range(first, count, b)?),
    })
}

fn eliminate(args: &mut [Value], line: &Line, b: &Budget) -> Outcome<Value> {
    let (kind, first, count) = (line.ints[0], line.ints[1] as usize, line.ints[2] as usize);
    Ok(match &args[0] {
        Value::Set(set) => Value::Set(set.eliminate(first, count, b)?),
        other if kind == IN => Value::Map(map(other).eliminate_domain(first, count, b)?),
        other => Value::Map(map(other).eliminate_range(first, count, b)?),
    })
}

/// The regions of a line as linear forms over all unknowns.
pub fn regions(line: &Line, n: usize) -> Vec<Region> {
    let form = |pos: usize, coefficients: &[i64]| {
        let mut row = zeros(1 + n);
        for (k, value) in coefficients.iter().enumerate() {
            row[1 + pos + k] = Int::from(*value);
        }
        row
    };
    let region = |region: &crate::isl::Region| Region(region.forms.iter().map(|f| form(region.pos, f)).collect());
    // To isl a region without forms asks for nothing.
    line.regions
        .iter()
        .filter(|r| !r.forms.is_empty())
        .map(region)
        .collect()
}

fn non_trivial(args: &mut [Value], line: &Line, b: &Budget) -> Outcome<Value> {
    let set = set(&args[0]);
    let mut problem = LexMin::new(set.n_dims());
    let Some(piece) = set.pieces().first() else {
        return Ok(Value::Vector(None));
    };
    piece.eqs().iter().for_each(|row| problem.add_eq(row));
    piece.ineqs().iter().for_each(|row| problem.add_ineq(row));
    let regions = regions(line, set.n_dims());
    Ok(Value::Vector(non_trivial_lexmin(&mut problem, &regions, line.n_op, b)?))
}

fn coefficients(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Set(set(&args[0]).coefficients(b)?))
}

const MAX: u32 = 1;

/// The lexicographic optimum, within a domain if there is one.
fn lexopt(args: &[Value], max: bool, b: &Budget) -> Outcome<Value> {
    Ok(match (&args[0], args.get(1)) {
        (Value::Set(set), _) if max => Value::Set(set.lexmax(b)?),
        (Value::Set(set), _) => Value::Set(set.lexmin(b)?),
        (Value::Map(map), None) if max => Value::Map(map.lexmax(b)?),
        (Value::Map(map), None) => Value::Map(map.lexmin(b)?),
        (other, Some(domain)) => {
            let (map, domain) = (map(other), set(domain));
            let (best, rest) = if max {
                map.partial_lexmax(domain, b)?
            } else {
                map.partial_lexmin(domain, b)?
            };
            Value::Optimum(Box::new(Value::Map(best)), rest)
        }
        (other, None) => unreachable!("no operand: {other:?}"),
    })
}

/// What isl does with this flag: existentially quantified variables are eliminated. They are the dimensions of the
/// operand here.
pub const ELIMINATE: u32 = 4;

fn tab_lexopt(args: &mut [Value], line: &Line, b: &Budget) -> Outcome<Value> {
    if line.ints[0] & ELIMINATE != 0 {
        return Ok(Value::Set(set(&args[0]).project_onto_params(b)?.explicit(b)?));
    }
    lexopt(args, line.ints[0] & MAX != 0, b)
}

/// How the operation `name` is called, with the functions of `isl` if there is one. None if it is not known.
pub fn find(name: &str, isl: Option<&Isl>) -> Option<Op> {
    use Check::{Coefficients, Contains, DisjointPieces, Equal, EqualInContext, Significant, Tighter};
    use Kind::{Basic, PwMultiAff, Vector};
    const MAP: Kind = Kind::Map;
    type Find = fn(&Isl, &str) -> Option<Function>;
    let (operands, function, result, ours, check): (&'static [Kind], Find, Kind, Option<Ours>, Check) = match name {
        "basic_map_affine_hull" => (&[Basic], Isl::unary, Basic, Some(unary!(affine_hull)), Tighter),
        "basic_map_apply_range" => (&[Basic, Basic], Isl::binary, Basic, Some(apply_range), Equal),
        "basic_map_detect_equalities" => (&[Basic], Isl::unary, Basic, Some(unary!(detect_equalities)), Equal),
        "basic_map_gist" => (&[Basic, Basic], Isl::binary, Basic, Some(binary!(gist)), EqualInContext),
        "basic_map_intersect" => (&[Basic, Basic], Isl::binary, Basic, Some(intersect), Equal),
        "basic_map_is_empty" => (&[Basic], Isl::predicate, Basic, Some(is_empty), Equal),
        "basic_map_project_out" => (&[Basic], Isl::dims, Basic, Some(project_out), Equal),
        "basic_map_remove_redundancies" => (&[Basic], Isl::unary, Basic, Some(unary!(remove_redundancies)), Equal),
        "basic_set_coefficients" => (&[Basic], Isl::unary, Basic, Some(coefficients), Coefficients),
        "map_affine_hull" => (&[MAP], Isl::unary, Basic, Some(unary!(affine_hull)), Tighter),
        "map_apply_domain" => (&[MAP, MAP], Isl::binary, MAP, Some(apply_domain), Equal),
        "map_apply_range" => (&[MAP, MAP], Isl::binary, MAP, Some(apply_range), Equal),
        "map_coalesce" => (&[MAP], Isl::unary, MAP, Some(unary!(coalesce)), Equal),
        "map_compute_divs" => (&[MAP], Isl::unary, MAP, Some(compute_divs), Equal),
        "map_deltas" => (&[MAP], Isl::unary, MAP, Some(deltas), Equal),
        "map_detect_equalities" => (&[MAP], Isl::unary, MAP, Some(unary!(detect_equalities)), Equal),
        "map_domain" => (&[MAP], Isl::unary, MAP, Some(domain), Equal),
        "map_eliminate" => (&[MAP], Isl::dims, MAP, Some(eliminate), Equal),
        "map_gist" => (&[MAP, MAP], Isl::binary, MAP, Some(binary!(gist)), EqualInContext),
        "map_intersect" => (&[MAP, MAP], Isl::binary, MAP, Some(intersect), Equal),
        "map_intersect_domain" => (&[MAP, MAP], Isl::binary, MAP, Some(intersect_domain), Equal),
        "map_intersect_range" => (&[MAP, MAP], Isl::binary, MAP, Some(intersect_range), Equal),
        "map_is_disjoint" => (
            &[MAP, MAP],
            Isl::binary_predicate,
            MAP,
            Some(predicate!(is_disjoint)),
            Equal,
        ),
        "map_is_empty" => (&[MAP], Isl::predicate, MAP, Some(is_empty), Equal),
        "map_is_equal" => (
            &[MAP, MAP],
            Isl::binary_predicate,
            MAP,
            Some(predicate!(is_equal)),
            Equal,
        ),
        "map_is_single_valued" => (&[MAP], Isl::predicate, MAP, Some(is_single_valued), Equal),
        "map_is_subset" => (
            &[MAP, MAP],
            Isl::binary_predicate,
            MAP,
            Some(predicate!(is_subset)),
            Equal,
        ),
        "map_lexmax_pw_multi_aff" => (&[MAP], Isl::unary, PwMultiAff, Some(lexmax), Equal),
        "map_lexmin_pw_multi_aff" => (&[MAP], Isl::unary, PwMultiAff, Some(lexmin), Equal),
        "map_lexmin" => (&[MAP], Isl::unary, MAP, Some(lexmin), Equal),
        "map_make_disjoint" => (&[MAP], Isl::unary, MAP, Some(make_disjoint), DisjointPieces),
        "map_partial_lexmax" => (&[MAP, MAP], Isl::partial, MAP, Some(partial_lexmax), Equal),
        "map_project_out" => (&[MAP], Isl::dims, MAP, Some(project_out), Equal),
        "map_range" => (&[MAP], Isl::unary, MAP, Some(range), Equal),
        "map_remove_redundancies" => (&[MAP], Isl::unary, MAP, Some(unary!(remove_redundancies)), Equal),
        "map_simple_hull" => (&[MAP], Isl::unary, Basic, Some(unary!(simple_hull)), Contains),
        "map_subtract" => (&[MAP, MAP], Isl::binary, MAP, Some(binary!(subtract)), Equal),
        "map_union" => (&[MAP, MAP], Isl::binary, MAP, Some(union), Equal),
        "pw_multi_aff_from_map" => (&[MAP], Isl::unary, PwMultiAff, Some(function_of_graph), Equal),
        "set_apply" => (&[MAP, MAP], Isl::binary, MAP, Some(apply_range), Equal),
        "set_params" => (&[MAP], Isl::unary, MAP, Some(params), Equal),
        "tab_basic_map_partial_lexopt" => (&[Basic, Basic], Isl::partial_lexopt, MAP, Some(tab_lexopt), Equal),
        "tab_basic_map_partial_lexopt_pw_multi_aff" => (
            &[Basic, Basic],
            Isl::partial_lexopt,
            PwMultiAff,
            Some(tab_lexopt),
            Equal,
        ),
        "tab_basic_set_non_trivial_lexmin" => (&[Basic], Isl::non_trivial, Vector, Some(non_trivial), Significant),
        _ => return None,
    };
    Some(Op {
        operands,
        result,
        isl: isl.and_then(|isl| function(isl, name)),
        ours,
        check,
    })
}

fn is_empty(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Answer(match &args[0] {
        Value::Set(set) => set.is_empty(b)?,
        other => map(other).is_empty(b)?,
    }))
}

fn is_single_valued(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Answer(map(&args[0]).is_single_valued(b)?))
}

fn function_of_graph(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    let function = match &args[0] {
        Value::Set(set) => PwMultiAff::from_set(set, b)?,
        other => PwMultiAff::from_map(map(other), b)?,
    };
    Ok(Value::Function(function.expect("the graph of a function")))
}

fn apply_domain(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Map(map(&args[0]).apply_domain(map(&args[1]), b)?))
}

fn compute_divs(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(match &args[0] {
        Value::Set(set) => Value::Set(set.explicit(b)?),
        other => Value::Map(map(other).explicit(b)?),
    })
}

fn deltas(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Set(map(&args[0]).deltas(b)?))
}

fn domain(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Set(match &args[0] {
        Value::Set(set) => set.clone(),
        other => map(other).domain(b)?,
    }))
}

fn range(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Set(match &args[0] {
        Value::Set(set) => set.clone(),
        other => map(other).range(b)?,
    }))
}

fn params(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Set(set(&args[0]).project_onto_params(b)?))
}

fn intersect_domain(args: &mut [Value], _: &Line, _: &Budget) -> Outcome<Value> {
    Ok(Value::Map(map(&args[0]).intersect_domain(set(&args[1]))))
}

fn intersect_range(args: &mut [Value], _: &Line, _: &Budget) -> Outcome<Value> {
    Ok(match &args[0] {
        Value::Set(x) => Value::Set(x.intersect(set(&args[1]))),
        other => Value::Map(map(other).intersect_range(set(&args[1]))),
    })
}

fn make_disjoint(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    Ok(Value::Set(set(&args[0]).make_disjoint(b)?))
}

fn lexmin(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    lexopt(args, false, b)
}

fn lexmax(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    lexopt(args, true, b)
}

fn partial_lexmax(args: &mut [Value], _: &Line, b: &Budget) -> Outcome<Value> {
    lexopt(args, true, b)
}
