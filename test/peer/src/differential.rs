//! Random operands through Farkas, isl and enumeration.
//!
//! A tuple of operands is made from a seed and a number, written as text, and read by both libraries. What Farkas makes of
//! it is printed, read by isl, and compared there with what isl makes of it. Where isl takes too long, and wherever the
//! operation's points can be told from the operands', the points are compared within a box, too.

use crate::cases::{self, Args, Call, Case, Check, Oracle, Shape, T, Theirs, Value};
use crate::isl::{Isl, Kind, Object};
use crate::points::{Points, each};
use crate::random::{Extent, Generator, Operand, PARAMS, Rng, Tuple, union_text};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{self, Map, MultiUnionPwAff, Params, Set};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What Farkas may spend on one operation.
const BUDGET: u64 = 1_000_000;

/// What isl may spend on one operation, or on comparing two results.
const LIMIT: u64 = 500_000;

/// What isl may spend on reading a text. When it reaches its limit there, it says that the text is wrong.
const READING: u64 = 20_000_000;

/// How many points are looked at.
const POINTS: usize = 3000;

/// Operands of one operation.
#[derive(Clone)]
pub struct Input {
    case: &'static Case,
    /// One operand, or the members of one that is a union.
    operands: Vec<Vec<Operand>>,
    n: [usize; 3],
    n_params: usize,
    ints: [usize; 3],
    extent: Extent,
}

/// How the comparison of one input went.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// isl's result is the same.
    pub same_as_isl: bool,
    /// The points are the same.
    pub same_points: bool,
    /// isl gave up, at its limit.
    pub isl_gave_up: bool,
    /// Farkas ran out of its budget.
    pub out_of_budget: bool,
    /// isl has no such result: an optimum that is not bounded.
    pub isl_refused: bool,
    /// What is wrong.
    pub failure: Option<String>,
}

impl Input {
    /// Input number `number` of those of `seed`.
    pub fn new(seed: u64, number: u64) -> Input {
        let mut rng = Rng::new(seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let case = cases::case_number(rng.below(cases::count()));
        Input::of(case, &mut rng)
    }

    fn of(case: &'static Case, rng: &mut Rng) -> Input {
        let union = case.operands.iter().any(|s| s.is_union());
        let used = |t: usize| union || case.operands.iter().any(|s| s.tuples().iter().any(|x| uses(*x, t)));
        let bounded = rng.one_in(2);
        let mut n = [0; 3];
        let mut room = if bounded { 5 } else { 6 };
        for (t, n) in n.iter_mut().enumerate() {
            *n = case.at_least[t];
            if used(t) {
                let most = if union { 2 } else { 3 };
                let some = if rng.one_in(8) { 0 } else { 1 + rng.below(most) };
                *n = (*n).max(some.min(room));
                room -= (*n).min(room);
            }
        }
        // A relation from A to A has each dimension twice.
        if case.operands.iter().any(|s| matches!(s, Shape::M(T::A, T::A))) {
            n[0] = n[0].min(2);
        }
        let n_params = rng.below(if bounded { 3 } else { 4 });
        let extent = match (bounded, case.needs_bounds, rng.one_in(2)) {
            (true, _, _) => {
                let all = n.iter().sum::<usize>() + n_params;
                let most = (1..=4).rev().find(|r| (2 * r + 1i64).pow(all as u32) <= 20_000);
                Extent::Box(most.unwrap_or(1))
            }
            (_, true, _) | (_, _, true) => Extent::Parametric,
            _ => Extent::Free,
        };
        let mut generator = Generator::new(rng.draw(), n_params);
        generator.aligned = (case.operands.iter()).any(|s| matches!(s, Shape::E(_) | Shape::H(..)));
        let mut operands: Vec<Vec<Operand>> = Vec::new();
        for (k, shape) in case.operands.iter().enumerate() {
            if let Some(like) = case.operands[..k].iter().position(|s| s == shape)
                && !union
                && rng.one_in(3)
            {
                operands.push(vec![generator.similar(&operands[like][0])]);
                continue;
            }
            // In a union the tuple `[]` would be that of parameter values here, and of its own in isl.
            let flat = |t| match tuple(t, n) {
                Tuple::Flat("", 0) if union => Tuple::Flat("B", 0),
                tuple => tuple,
            };
            let mut make = |domain, range| generator.operand(domain, range, extent);
            operands.push(match *shape {
                Shape::P => vec![make(None, None)],
                Shape::S(t) => vec![make(None, Some(flat(t)))],
                Shape::M(s, t) => vec![make(Some(flat(s)), Some(flat(t)))],
                Shape::US => {
                    let all = [T::A, T::B, T::C];
                    all.iter()
                        .filter(|_| !rng.one_in(3))
                        .map(|t| make(None, Some(flat(*t))))
                        .collect()
                }
                Shape::E(t) => vec![generator.expression(flat(t), Tuple::Flat("", 1), extent)],
                Shape::H(s, t) => vec![generator.expression(flat(s), flat(t), extent)],
                Shape::F(t) => vec![generator.function(flat(t), Tuple::Flat("", 1), extent)],
                Shape::G(s, t) => vec![generator.function(flat(s), flat(t), extent)],
                Shape::UF => {
                    let all = [T::A, T::B, T::C];
                    let some = all.iter().filter(|_| !rng.one_in(3));
                    some.map(|t| generator.function(flat(*t), Tuple::Flat("", 1), extent))
                        .collect()
                }
                Shape::UG => {
                    let all = [(T::A, T::B), (T::B, T::C), (T::C, T::A)];
                    let some = all.iter().filter(|_| !rng.one_in(3));
                    some.map(|(s, t)| generator.function(flat(*s), flat(*t), extent))
                        .collect()
                }
                Shape::MU => {
                    let all = [T::A, T::B, T::C];
                    let some = all.iter().filter(|_| !rng.one_in(3));
                    some.map(|t| generator.function(flat(*t), flat(T::C), extent)).collect()
                }
                Shape::UM => {
                    let all = [(T::A, T::B), (T::B, T::C), (T::A, T::A), (T::B, T::A), (T::C, T::C)];
                    let some = all.iter().filter(|_| rng.one_in(2));
                    some.map(|(s, t)| make(Some(flat(*s)), Some(flat(*t)))).collect()
                }
            });
        }
        Input {
            case,
            operands,
            n,
            n_params,
            ints: [0; 3].map(|_: usize| rng.below(1 << 16)),
            extent,
        }
    }

    /// What the operation is called.
    pub fn name(&self) -> &'static str {
        self.case.name
    }

    /// The operands as texts.
    pub fn texts(&self) -> Vec<String> {
        let text = |(shape, operand): (&Shape, &Vec<Operand>)| match shape {
            shape if shape.is_union() => union_text(operand),
            _ => operand[0].text(),
        };
        self.case.operands.iter().zip(&self.operands).map(text).collect()
    }

    /// Inputs that are smaller by one step.
    fn smaller(&self) -> Vec<Input> {
        let mut out = Vec::new();
        for (k, members) in self.operands.iter().enumerate() {
            let is_union = self.case.operands[k].is_union();
            for (m, member) in members.iter().enumerate() {
                if is_union {
                    let mut input = self.clone();
                    input.operands[k].remove(m);
                    out.push(input);
                }
                for smaller in member.smaller() {
                    let mut input = self.clone();
                    input.operands[k][m] = smaller;
                    out.push(input);
                }
            }
        }
        out
    }

    /// A smaller input that fails as well, found by at most `steps` tries.
    pub fn shrunk(&self, isl: Option<&Isl>, mut steps: usize) -> Input {
        let mut best = self.clone();
        'again: loop {
            for smaller in best.smaller() {
                if steps == 0 {
                    return best;
                }
                steps -= 1;
                if smaller.check(isl).failure.is_some() {
                    best = smaller;
                    continue 'again;
                }
            }
            return best;
        }
    }

    /// A report of a failure: the operation, its operands and what is wrong.
    pub fn report(&self, what: &str) -> String {
        let mut out = format!("{}: {what}", self.name());
        for text in self.texts() {
            write!(out, "\n    {text}").expect("writing to a string");
        }
        if self.ints_matter() {
            write!(out, "\n    integers {:?}", self.ints).expect("writing to a string");
        }
        out
    }

    fn ints_matter(&self) -> bool {
        matches!(self.case.isl, Call::With(_) | Call::Text(_))
    }

    /// Runs the operation in both libraries and compares.
    pub fn check(&self, isl: Option<&Isl>) -> Verdict {
        let mut verdict = Verdict::default();
        if let Err(what) = self.run(isl, &mut verdict) {
            verdict.failure = Some(what);
        }
        verdict
    }

    fn run(&self, isl: Option<&Isl>, verdict: &mut Verdict) -> Result<(), String> {
        let texts = self.texts();
        let mut values = Vec::new();
        for (shape, text) in self.case.operands.iter().zip(&texts) {
            match catch_unwind(|| parse(*shape, text, self.n)) {
                Ok(Ok(value)) => values.push(value),
                Ok(Err(error)) if error.contains("more work") => {
                    verdict.out_of_budget = true;
                    return Ok(());
                }
                Ok(Err(error)) => return Err(format!("not read: {error}")),
                Err(_) => return Err("Farkas panics while reading".into()),
            }
        }
        let args = Args {
            values,
            n: self.n,
            ints: self.ints,
        };
        let budget = Budget::new(BUDGET);
        let ours = match catch_unwind(AssertUnwindSafe(|| (self.case.ours)(&args, &budget))) {
            Ok(Ok(value)) => value,
            Ok(Err(_)) => {
                verdict.out_of_budget = true;
                return Ok(());
            }
            Err(panic) => return Err(format!("Farkas panics: {}", message(&*panic))),
        };
        if let Some(isl) = isl {
            match self.compare(isl, &texts, &ours)? {
                _ if matches!(self.case.isl, Call::Nothing) && !matches!(ours, Value::Sample(_)) => {}
                Some(()) => verdict.same_as_isl = true,
                None if isl.has_reached_limit() => verdict.isl_gave_up = true,
                // There is nothing to tell from two supersets.
                None if matches!(ours, Value::Superset(_, false)) => verdict.isl_refused = true,
                // Spaces become incompatible where isl forgets that of a function without a value.
                None if [
                    "unbounded",
                    "local variables",
                    "incompatible spaces",
                    "integer affine expression",
                ]
                .iter()
                .any(|what| isl.last_error().contains(what)) =>
                {
                    verdict.isl_refused = true
                }
                None => return Err(format!("isl fails: {}; Farkas: {}", isl.last_error(), show(&ours))),
            }
            isl.limit(0);
        }
        verdict.same_points = self.enumerate(&args, &ours)?;
        Ok(())
    }

    /// Compares with isl. None if isl does not come to a result.
    fn compare(&self, isl: &Isl, texts: &[String], ours: &Value) -> Result<Option<()>, String> {
        let read = |kind, text: &str| {
            isl.limit(READING);
            let object = isl.read_function(kind, text);
            if object.is_some() {
                isl.limit(LIMIT);
            }
            object
        };
        let mut objects = Vec::new();
        for (shape, text) in self.case.operands.iter().zip(texts) {
            let kind = match shape {
                Shape::US => Kind::UnionSet,
                Shape::UM => Kind::UnionMap,
                Shape::E(_) => Kind::Aff,
                Shape::H(..) => Kind::MultiAff,
                Shape::F(_) => Kind::PwAff,
                Shape::G(..) => Kind::PwMultiAff,
                Shape::UF => Kind::UnionPwAff,
                Shape::UG | Shape::MU => Kind::UnionPwMultiAff,
                _ => Kind::Map,
            };
            let object = read(kind, text);
            let object = match shape {
                Shape::MU => object.and_then(|f| isl.tuple_of_unions(f, self.n[2])),
                _ => object,
            };
            match object {
                Some(object) => objects.push(object),
                None => return Ok(None),
            }
        }
        let operand = |k: usize| objects[k].clone();
        if let Value::Sample(sample) = ours {
            let Some(sample) = sample else {
                return match operand(0).is_empty() {
                    Some(false) => Err(format!("no point of {}", operand(0).text())),
                    answer => Ok(answer.map(|_| ())),
                };
            };
            let text = sample.to_string();
            let Some(point) = read(Kind::Map, &text) else {
                return Err(format!("isl does not read {text}: {}", isl.last_error()));
            };
            let whole = match operand(0).is_set() {
                true => Some(operand(0)),
                false => isl.apply("map_wrap", Kind::Map, vec![operand(0)]),
            };
            return match (whole.and_then(|whole| point.is_subset(&whole)), point.is_empty()) {
                (Some(true), Some(false)) => Ok(Some(())),
                (None, _) | (_, None) => Ok(None),
                _ => Err(format!("{text} is no point of it")),
            };
        }
        let args = Args {
            values: Vec::new(),
            n: self.n,
            ints: self.ints,
        };
        let theirs = match self.case.isl {
            Call::Ask(name) => isl.answer(name, &objects).map(Theirs::Answer),
            Call::Function(name, kind) => isl.apply(name, kind, objects.clone()).map(Theirs::Object),
            Call::With(call) => call(isl, objects.clone(), &args).map(Theirs::Object),
            Call::Superset(call) => call(isl, operand(0)).map(|(object, exact)| Theirs::Superset(object, exact)),
            Call::Multi(name) => {
                let mut tuples = Vec::with_capacity(objects.len());
                for object in objects.iter().cloned() {
                    let tuple = match object.kind() {
                        Kind::PwMultiAff => isl.apply("multi_pw_aff_from_pw_multi_aff", Kind::MultiPwAff, vec![object]),
                        _ => Some(object),
                    };
                    tuples.extend(tuple);
                }
                (tuples.len() == objects.len())
                    .then(|| isl.apply(name, Kind::MultiPwAff, tuples))
                    .flatten()
                    .map(Theirs::Object)
            }
            Call::Text(call) => call(isl, &objects, &args).map(Theirs::Text),
            Call::Nothing => return Ok(None),
        };
        let (ours, ours_exact) = match ours {
            Value::Superset(ours, exact) => (&**ours, *exact),
            ours => (ours, true),
        };
        let (mut theirs, theirs_exact) = match (theirs, ours) {
            (None, _) => return Ok(None),
            (Some(Theirs::Answer(theirs)), Value::Answer(ours)) if theirs == *ours => return Ok(Some(())),
            (Some(Theirs::Answer(theirs)), _) => return Err(format!("Farkas {}, isl {theirs}", show(ours))),
            (Some(Theirs::Text(theirs)), Value::Text(ours)) if theirs == *ours => return Ok(Some(())),
            (Some(Theirs::Text(theirs)), Value::Text(ours))
                if self.case.check == Check::Multiple && is_multiple(ours, &theirs) =>
            {
                return Ok(Some(()));
            }
            (Some(Theirs::Text(theirs)), _) => return Err(format!("Farkas {}, isl {theirs}", show(ours))),
            (Some(Theirs::Object(object)), _) => (object, true),
            (Some(Theirs::Superset(object, exact)), _) => (object, exact),
        };
        if !ours_exact && !theirs_exact {
            return Ok(None);
        }
        let text = show(ours);
        let kind = match ours {
            Value::UnionSet(_) => Kind::UnionSet,
            Value::UnionMap(_) => Kind::UnionMap,
            Value::Aff(_) => Kind::Aff,
            Value::MultiAff(_) => Kind::MultiAff,
            Value::PwAff(_) => Kind::PwAff,
            Value::PwMultiAff(_) => Kind::PwMultiAff,
            Value::MultiPwAff(_) => Kind::MultiPwAff,
            Value::UnionPwAff(_) => Kind::UnionPwAff,
            Value::UnionPwMultiAff(_) => Kind::UnionPwMultiAff,
            Value::MultiUnionPwAff(_) => Kind::MultiUnionPwAff,
            _ => Kind::Map,
        };
        let own = match ours {
            // isl does not read a tuple of unions of which one is empty.
            Value::MultiUnionPwAff(f) if f.affs().iter().any(|f| f.pw_affs().len() == 0) => isl.nowhere(f.len()),
            _ => read(kind, &text),
        };
        let Some(mut own) = own else {
            return Err(format!("isl does not read {text}: {}", isl.last_error()));
        };
        if let Check::After(name) = self.case.check {
            let within = |object| isl.apply(name, kind, vec![object, operand(1)]);
            match (within(own), within(theirs)) {
                (Some(a), Some(b)) => (own, theirs) = (a, b),
                _ => return Ok(None),
            }
        }
        // Functions are compared as relations.
        match (own.to_map(), theirs.to_map()) {
            (Some(a), Some(b)) => (own, theirs) = (a, b),
            _ => return Ok(None),
        }
        if own.is_params() != theirs.is_params() {
            match (own.params(), theirs.params()) {
                (Some(a), Some(b)) => (own, theirs) = (a, b),
                _ => return Ok(None),
            }
        }
        let differ = |theirs: &Object<'_>| Err(format!("Farkas {text}, isl {}", theirs.text()));
        let equal = match self.case.check {
            Check::Contains => operand(0).is_subset(&own),
            Check::Tighter => match (operand(0).is_subset(&own), own.is_subset(&theirs)) {
                (Some(a), Some(b)) => Some(a && b),
                _ => None,
            },
            Check::More => theirs.is_subset(&own),
            _ if !ours_exact => theirs.is_subset(&own),
            _ if !theirs_exact => own.is_subset(&theirs),
            _ => own.is_equal(&theirs),
        };
        match equal {
            None => return Ok(None),
            Some(false) => return differ(&theirs),
            Some(true) => {}
        }
        if self.case.check == Check::Disjoint {
            let pieces = pieces(ours);
            for (k, piece) in pieces.iter().enumerate() {
                for other in &pieces[..k] {
                    let both = read(kind, piece)
                        .zip(read(kind, other))
                        .and_then(|(a, b)| a.intersect(b));
                    match both.and_then(|both| both.is_empty()) {
                        Some(true) => {}
                        Some(false) => return Err(format!("the pieces {piece} and {other} overlap")),
                        None => return Ok(None),
                    }
                }
            }
        }
        Ok(Some(()))
    }

    /// Compares point by point. False if that is not possible.
    fn enumerate(&self, args: &Args, ours: &Value) -> Result<bool, String> {
        if self.case.operands.iter().any(|s| s.is_union()) || matches!(ours, Value::Nothing) {
            return Ok(false);
        }
        let operands: Vec<Operand> = self.operands.iter().map(|members| members[0].clone()).collect();
        let (radius, bounded) = match (self.extent, self.case.oracle) {
            (_, Oracle::Nothing) => return self.enumerate_contained(args, ours, &operands),
            (Extent::Box(radius), _) => (radius, true),
            (_, Oracle::Local(_) | Oracle::Function(_)) => (2, false),
            _ => return Ok(false),
        };
        if let Value::Answer(answer) = ours {
            let Oracle::Answer(oracle) = self.case.oracle else {
                return Ok(false);
            };
            let mut yes = true;
            self.each_params(radius, &mut |params| {
                yes &= oracle(&Points::new(&operands, self.n, params, radius, bounded));
            });
            return match yes == *answer {
                true => Ok(true),
                false => Err(format!("Farkas says {answer}, enumeration {yes}")),
            };
        }
        let is_superset = matches!(ours, Value::Superset(_, false));
        type IsRight<'a> = &'a dyn Fn(&Points<'_>, &[i64; 3], &[i64]) -> bool;
        let is_right: IsRight<'_> = match self.case.oracle {
            Oracle::Local(oracle) | Oracle::Bounded(oracle) => &move |points, params, x| {
                let (ours, right) = (contains(ours, params, x), oracle(points, x));
                ours == right || (ours && is_superset)
            },
            Oracle::Function(oracle) => &move |points, params, x| {
                let right = oracle(points, x).map(|values| values.into_iter().map(Int::from).collect());
                value(ours, params, x) == right
            },
            _ => return Ok(false),
        };
        let n = n_dims(ours);
        let reach = radius * self.case.reach;
        let per_params = (2 * reach + 1).pow(n as u32) as usize;
        let n_params = (2 * radius + 1).pow(self.n_params as u32) as usize;
        let mut rng = Rng::new(self.ints[0] as u64);
        let mut wrong = None;
        self.each_params(radius, &mut |params| {
            if wrong.is_some() || (n_params * per_params > 5 * POINTS && rng.below(n_params * per_params) > 5 * POINTS)
            {
                return;
            }
            let points = Points::new(&operands, self.n, params, radius, bounded);
            let mut look = |x: &[i64]| {
                let right = is_right(&points, &params, x);
                if !right {
                    wrong = Some(format!("wrong at {x:?}, parameters {params:?}: {}", show(ours)));
                }
                !right
            };
            if per_params <= POINTS {
                each(n, reach, &mut look);
            } else {
                for _ in 0..POINTS / 10 {
                    let point: Vec<i64> = (0..n).map(|_| rng.within(-reach, reach)).collect();
                    if look(&point) {
                        return;
                    }
                }
            }
        });
        match wrong {
            Some(wrong) => Err(wrong),
            None => Ok(true),
        }
    }

    /// For results that are not known exactly: simplified within a context, or containing the operand.
    fn enumerate_contained(&self, args: &Args, ours: &Value, operands: &[Operand]) -> Result<bool, String> {
        let in_context: Box<InContext<'_>> = match self.case.check {
            Check::After(name) => {
                let context = &operands[1];
                let (n, domain) = (context.n(), name.ends_with("domain"));
                Box::new(move |params: &[i64; 3], x: &[i64]| {
                    let own = if domain { &x[..n] } else { &x[x.len() - n..] };
                    context.contains(params, own)
                })
            }
            Check::Contains | Check::Tighter => {
                Box::new(|params: &[i64; 3], x: &[i64]| contains(&args.values[0], params, x))
            }
            _ => return Ok(false),
        };
        let n = operands[0].n();
        if operands[0].is_function() {
            return Ok(false);
        }
        let mut rng = Rng::new(self.ints[1] as u64);
        for _ in 0..POINTS / 10 {
            let params = [0; 3].map(|_: i64| rng.within(-3, 3));
            let x: Vec<i64> = (0..n).map(|_| rng.within(-3, 3)).collect();
            if in_context(&params, &x) && contains(ours, &params, &x) != operands[0].contains(&params, &x) {
                return Err(format!("{x:?} at {params:?} is wrong in the result: {}", show(ours)));
            }
        }
        Ok(true)
    }

    fn each_params(&self, radius: i64, visit: &mut dyn FnMut([i64; 3])) {
        each(self.n_params, radius, &mut |values| {
            let mut params = [0; 3];
            params[..values.len()].copy_from_slice(values);
            visit(params);
            false
        });
    }
}

/// Whether a point is one at which results have to agree.
type InContext<'a> = dyn Fn(&[i64; 3], &[i64]) -> bool + 'a;

fn is_multiple(of: &str, number: &str) -> bool {
    match (of.parse::<i128>(), number.parse::<i128>()) {
        (Ok(of), Ok(number)) => number != 0 && of % number == 0,
        _ => false,
    }
}

fn message(panic: &dyn std::any::Any) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()))
        .unwrap_or_default()
}

fn uses(tuple: T, t: usize) -> bool {
    match tuple {
        T::A => t == 0,
        T::B => t == 1,
        T::C => t == 2,
        T::AB => t < 2,
        T::BC => t > 0,
        T::CA => t != 1,
        T::BcA => true,
    }
}

fn tuple(t: T, n: [usize; 3]) -> Tuple {
    match t {
        T::A => Tuple::Flat("A", n[0]),
        T::B => Tuple::Flat("", n[1]),
        T::C => Tuple::Flat("C", n[2]),
        T::AB => Tuple::Pair(Box::new(tuple(T::A, n)), Box::new(tuple(T::B, n))),
        T::BC => Tuple::Pair(Box::new(tuple(T::B, n)), Box::new(tuple(T::C, n))),
        T::CA => Tuple::Pair(Box::new(tuple(T::C, n)), Box::new(tuple(T::A, n))),
        T::BcA => Tuple::Pair(Box::new(tuple(T::BC, n)), Box::new(tuple(T::A, n))),
    }
}

fn parse(shape: Shape, text: &str, n: [usize; 3]) -> Result<Value, String> {
    let error = |error: farkas_polyhedral::text::ParseError| error.to_string();
    Ok(match shape {
        Shape::P | Shape::S(_) => Value::Set(text.parse().map_err(error)?),
        Shape::M(..) => Value::Map(text.parse().map_err(error)?),
        Shape::US => Value::UnionSet(text.parse().map_err(error)?),
        Shape::UM => Value::UnionMap(text.parse().map_err(error)?),
        Shape::E(_) => Value::Aff(text.parse().map_err(error)?),
        Shape::H(..) => Value::MultiAff(text.parse().map_err(error)?),
        Shape::F(_) => Value::PwAff(text.parse().map_err(error)?),
        Shape::G(..) => Value::PwMultiAff(text.parse().map_err(error)?),
        Shape::UF => Value::UnionPwAff(text.parse().map_err(error)?),
        Shape::UG => Value::UnionPwMultiAff(text.parse().map_err(error)?),
        Shape::MU => {
            let range = sets::Tuple::new("C", n[2]);
            let function = text.parse().map_err(error)?;
            Value::MultiUnionPwAff(MultiUnionPwAff::from_union_pw_multi_aff(&function, range))
        }
    })
}

fn show(value: &Value) -> String {
    match value {
        Value::Set(set) => set.to_string(),
        Value::Map(map) => map.to_string(),
        Value::UnionSet(set) => set.to_string(),
        Value::UnionMap(map) => map.to_string(),
        Value::Answer(answer) => answer.to_string(),
        Value::Sample(Some(set)) => set.to_string(),
        Value::Sample(None) => "no point".into(),
        Value::Superset(value, true) => format!("exactly {}", show(value)),
        Value::Superset(value, false) => format!("no more than {}", show(value)),
        Value::Aff(f) => f.to_string(),
        Value::MultiAff(f) => f.to_string(),
        Value::PwAff(f) => f.to_string(),
        Value::PwMultiAff(f) => f.to_string(),
        Value::MultiPwAff(f) => f.to_string(),
        Value::UnionPwAff(f) => f.to_string(),
        Value::UnionPwMultiAff(f) => f.to_string(),
        Value::MultiUnionPwAff(f) => f.to_string(),
        Value::Nothing => "nothing".into(),
        Value::Text(text) => text.clone(),
    }
}

fn pieces(value: &Value) -> Vec<String> {
    match value {
        Value::Set(set) => {
            let piece = |p: &_| Set::from_conj(set.space().clone(), Clone::clone(p)).to_string();
            set.pieces().iter().map(piece).collect()
        }
        Value::Map(map) => {
            let piece = |p: &_| Map::from_conj(map.space().clone(), Clone::clone(p)).to_string();
            map.pieces().iter().map(piece).collect()
        }
        _ => Vec::new(),
    }
}

fn n_dims(value: &Value) -> usize {
    match value {
        Value::Set(set) => set.n_dims(),
        Value::Map(map) => map.domain_tuple().n() + map.range_tuple().n(),
        Value::Superset(value, _) => n_dims(value),
        Value::Aff(f) => f.space().tuple.n(),
        Value::MultiAff(f) => f.space().domain.n(),
        Value::PwAff(f) => f.space().tuple.n(),
        Value::PwMultiAff(f) => f.space().domain.n(),
        Value::MultiPwAff(f) => f.space().domain.n(),
        _ => 0,
    }
}

fn ints(x: &[i64]) -> Vec<Int> {
    x.iter().map(|v| Int::from(*v)).collect()
}

/// The values of the parameters `names`, by those of all [`PARAMS`].
fn param_values(names: &Params, params: &[i64; 3]) -> Vec<Int> {
    let value = |name: &str| PARAMS.iter().position(|p| *p == name).map_or(0, |k| params[k]);
    names.names().iter().map(|name| Int::from(value(name))).collect()
}

/// The value of a result at a point. `params` are values of all [`PARAMS`].
fn value(function: &Value, params: &[i64; 3], x: &[i64]) -> Option<Vec<Int>> {
    let b = &Budget::unlimited();
    let values = |names: &Params| param_values(names, params);
    match function {
        Value::Aff(f) => f.eval(&values(&f.space().params), &ints(x)).map(|value| vec![value]),
        Value::MultiAff(f) => f.eval(&values(f.params()), &ints(x)),
        Value::PwAff(f) => {
            let value = f.eval(&values(f.params()), &ints(x), b).expect("an unlimited budget");
            value.map(|value| vec![value])
        }
        Value::PwMultiAff(f) => f.eval(&values(f.params()), &ints(x), b).expect("an unlimited budget"),
        Value::MultiPwAff(f) => f.eval(&values(f.params()), &ints(x), b).expect("an unlimited budget"),
        _ => None,
    }
}

/// Whether a point belongs to a result. `params` are values of all [`PARAMS`].
fn contains(value: &Value, params: &[i64; 3], x: &[i64]) -> bool {
    let values = |names: &Params| param_values(names, params);
    let b = &Budget::unlimited();
    let inside = match value {
        Value::Set(set) => set.contains(&values(set.params()), &ints(x), b),
        Value::Map(map) => {
            let (domain, range) = x.split_at(map.domain_tuple().n());
            map.contains(&values(map.params()), &ints(domain), &ints(range), b)
        }
        Value::Superset(value, _) => return contains(value, params, x),
        _ => return false,
    };
    inside.expect("an unlimited budget")
}
