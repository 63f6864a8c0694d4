//! Executes instances in a given order. A value is a hash of what was computed: of the instance, and of all values that it read.
//!
//! A contribution to a reduction adds a hash to the contributions of the same statement so far, so that these may come in any
//! order. An access to elements without bounds, such as one with a subscript that is not affine, is one to all elements near
//! zero: it waits for fewer instances than it might, and for none that it need not.

use crate::sizes::Values;
use farkas_polyhedral::ast::Instance;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::zeros;
use farkas_polyhedral::program::{
    Access, AccessKind, ArrayKind, CopiedRead, NodeSplitting, Program, Reduction, Statement,
};
use farkas_polyhedral::sets::{Map, Params, PwMultiAff, Set};
use farkas_polyhedral::solver::lp::{self, Optimum};
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Subscripts without bounds are in this range.
const UNBOUNDED: std::ops::RangeInclusive<i64> = -1..=20;

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn values_of(params: &Params, values: &Values) -> Vec<Int> {
    params
        .names()
        .iter()
        .map(|name| values[name.as_str()].clone())
        .collect()
}

/// The instances of a program in its order, if there are at most `limit`.
pub(crate) fn original_order(program: &Program, params: &Values, limit: usize) -> Option<Vec<Instance>> {
    let mut timed = Vec::new();
    for statement in &program.statements {
        let domain_params = values_of(statement.domain.params(), params);
        let points = points(&statement.domain, &domain_params, limit)?;
        let time_params = values_of(statement.schedule.params(), params);
        for values in points {
            let time = statement.schedule.eval(&time_params, &values).expect("an integer time");
            let statement = statement.name().to_string();
            timed.push((
                time,
                Instance {
                    statement,
                    values: values.into(),
                },
            ));
        }
    }
    timed.sort();
    (timed.len() <= limit).then(|| timed.into_iter().map(|(_, instance)| instance).collect())
}

/// The elements of a set, if there are at most `limit`.
fn points(set: &Set, params: &[Int], limit: usize) -> Option<BTreeSet<Vec<Int>>> {
    let mut found = BTreeSet::new();
    for piece in set.pieces() {
        let mut piece = piece.clone();
        for (param, value) in params.iter().enumerate() {
            piece.fix(param, value);
        }
        let piece = Set::from_conj(set.space().clone(), piece);
        let mut open = vec![(piece, Vec::new())];
        while let Some((rest, point)) = open.pop() {
            if point.len() == set.n_dims() {
                if set
                    .contains(params, &point, &Budget::unlimited())
                    .expect("no end of budget")
                {
                    found.insert(point);
                }
            } else {
                let (least, most) = range(&rest, params.len() + point.len())?;
                for value in least..=most {
                    let value = Int::from(value);
                    let fixed = rest.fix_dim(point.len(), &value);
                    open.push((fixed, [&point[..], &[value]].concat()));
                }
            }
            if open.len() + found.len() > 2 * limit {
                return None;
            }
        }
    }
    Some(found)
}

/// A range that a variable of a set of one piece is in; an empty one where the set has no points.
fn range(set: &Set, variable: usize) -> Option<(i64, i64)> {
    let [piece] = set.pieces() else { return Some((0, -1)) };
    let system = piece.system();
    let extreme = |sign: i64| {
        let mut row = zeros(1 + system.n);
        row[1 + variable] = Int::from(sign);
        lp::minimize(&system, &row, &Budget::unlimited()).expect("no end of budget")
    };
    match (extreme(1), extreme(-1)) {
        (Optimum::Empty, _) => Some((0, -1)),
        (Optimum::Finite { num, den }, Optimum::Finite { num: most, den: of }) => {
            Some((num.div_ceil(&den).to_i64()?, (-most).div_floor(&of).to_i64()?))
        }
        _ => None,
    }
}

/// The elements that an access touches.
enum Elements {
    /// One for each instance, or none.
    One(PwMultiAff),
    /// Several.
    Some(Map),
}

struct Accessed {
    array: String,
    kind: AccessKind,
    reduction: Option<Reduction>,
    elements: Elements,
    params: Vec<Int>,
}

impl Accessed {
    fn new(statement: &Statement, access: &Access, params: &Values) -> Accessed {
        let relation = access.relation.intersect_domain(&statement.domain);
        let function = PwMultiAff::from_map(&relation, &Budget::unlimited()).expect("no end of budget");
        let elements = function.map_or(Elements::Some(relation.clone()), Elements::One);
        let of = match &elements {
            Elements::One(function) => function.params(),
            Elements::Some(relation) => relation.params(),
        };
        Accessed {
            array: access.array().name().expect("an array has a name").to_string(),
            kind: access.kind,
            reduction: access.reduction,
            params: values_of(of, params),
            elements,
        }
    }

    fn of(&self, instance: &[Int]) -> Vec<Vec<Int>> {
        let b = Budget::unlimited();
        match &self.elements {
            Elements::One(function) => {
                let element = function.eval(&self.params, instance, &b).expect("no end of budget");
                element.into_iter().collect()
            }
            Elements::Some(relation) => {
                let mut near = vec![Vec::new()];
                for _ in 0..relation.range_tuple().n() {
                    let longer =
                        |point: Vec<Int>| UNBOUNDED.map(move |value| [&point[..], &[Int::from(value)]].concat());
                    near = near.into_iter().flat_map(longer).collect();
                }
                let touched = |element: &Vec<Int>| {
                    relation
                        .contains(&self.params, instance, element, &b)
                        .expect("no end of budget")
                };
                near.retain(touched);
                near
            }
        }
    }
}

/// What an instance does to an element: the position of the element among all that are touched.
type Touched = Vec<usize>;

/// The instances of a program, and the elements that they touch.
pub(crate) struct Machine<'a> {
    instances: BTreeMap<&'a Instance, usize>,
    statements: HashMap<String, Vec<Accessed>>,
    /// For each instance and each access of it.
    touched: Vec<Vec<Touched>>,
    elements: Vec<(String, Vec<Int>)>,
    /// Whether somebody looks at the element afterwards.
    stays: Vec<bool>,
}

/// Values in copies, by the copying statement and the place.
type Copies = HashMap<(String, Vec<Int>), Value>;

/// Where a copying statement with these counters puts what it copies.
fn place_in(copy: &CopiedRead, counters: &[Int]) -> (String, Vec<Int>) {
    let first = counters[0].mod_floor(&Int::from(copy.count));
    let place = std::iter::once(first).chain(counters[1..].iter().cloned());
    (copy.copy.to_string(), place.collect())
}

/// The instance of a whole statement that one of a piece is, and the copies that it reads.
pub(crate) fn whole<'s>(split: Option<&'s NodeSplitting>, instance: &Instance) -> (Instance, Vec<&'s CopiedRead>) {
    for (statement, pieces) in split.iter().flat_map(|split| &split.pieces) {
        for piece in pieces {
            if piece
                .tuple
                .name()
                .is_some_and(|name| name.as_str() == instance.statement)
            {
                let copies = split.map(|split| &split.copies[..]).unwrap_or_default();
                let own = piece.copied.iter().map(|copy| &copies[*copy]);
                let instance = Instance {
                    statement: statement.name().expect("a statement has a name").to_string(),
                    ..instance.clone()
                };
                return (instance, own.collect());
            }
        }
    }
    (instance.clone(), Vec::new())
}

/// What an element holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    computed: u64,
    /// What values were combined with it by since then, and a sum of these in any order.
    contributions: Option<(Reduction, u64)>,
}

impl Value {
    fn computed(computed: u64) -> Value {
        Value {
            computed,
            contributions: None,
        }
    }

    fn combined(&self, by: Reduction, part: u64) -> Value {
        match self.contributions {
            Some((before, sum)) if before == by => Value {
                computed: self.computed,
                contributions: Some((by, sum.wrapping_add(part))),
            },
            _ => Value {
                computed: hashed(self),
                contributions: Some((by, part)),
            },
        }
    }
}

/// What the execution of a program read and left behind.
pub(crate) struct Trace {
    /// For each instance, a hash of all that it read.
    read: Vec<u64>,
    /// What each element holds.
    left: Vec<Value>,
}

impl Trace {
    /// Whether instances read the same values in another execution.
    pub(crate) fn reads_as(&self, other: &Trace) -> bool {
        self.read == other.read
    }
}

impl<'a> Machine<'a> {
    pub(crate) fn new(program: &Program, params: &Values, instances: &'a [Instance]) -> Machine<'a> {
        let statements = program.statements.iter().map(|statement| {
            let accesses = statement.accesses.iter();
            let accesses = accesses
                .map(|access| Accessed::new(statement, access, params))
                .collect();
            (statement.name().to_string(), accesses)
        });
        let statements: HashMap<String, Vec<Accessed>> = statements.collect();
        let temporaries: BTreeSet<String> = program
            .arrays
            .values()
            .filter(|array| matches!(array.kind, ArrayKind::Temporary | ArrayKind::ExpandedSlot))
            .map(|array| array.tuple.name().expect("an array has a name").to_string())
            .collect();
        let mut elements: IndexSet<(String, Vec<Int>)> = IndexSet::new();
        let mut position =
            |access: &Accessed, element: Vec<Int>| elements.insert_full((access.array.clone(), element)).0;
        let touched = instances.iter().map(|instance| {
            let of_access = |access: &Accessed| -> Touched {
                let elements = access.of(&instance.values).into_iter();
                elements.map(|element| position(access, element)).collect()
            };
            statements[&instance.statement].iter().map(of_access).collect()
        });
        Machine {
            touched: touched.collect(),
            stays: elements.iter().map(|(array, _)| !temporaries.contains(array)).collect(),
            elements: elements.into_iter().collect(),
            instances: instances
                .iter()
                .enumerate()
                .map(|(position, instance)| (instance, position))
                .collect(),
            statements,
        }
    }

    /// Executes the instances one after the other.
    pub(crate) fn execute(&self, order: &[Instance]) -> Trace {
        self.execute_in_pieces(None, order)
    }

    /// Executes instances of pieces of statements, and of statements that copy what some of them read.
    pub(crate) fn execute_in_pieces(&self, split: Option<&NodeSplitting>, order: &[Instance]) -> Trace {
        let mut copies = Copies::default();
        let mut memory: Vec<Value> = self
            .elements
            .iter()
            .map(|element| Value::computed(hashed(element)))
            .collect();
        let mut read = vec![0; self.instances.len()];
        for executed in order {
            if let Some((copy, element)) = split.and_then(|split| self.copied(split, executed)) {
                copies.insert(place_in(copy, &executed.values), memory[element].clone());
                continue;
            }
            let (instance, own) = whole(split, executed);
            let instance = &instance;
            let number = self.instances[instance];
            let accesses = self.statements[&instance.statement].iter().zip(&self.touched[number]);
            let value = |position: usize, element: usize| {
                let mut own = own.iter();
                match own.find(|copy| copy.read.0 == position) {
                    None => &memory[element],
                    Some(copy) => {
                        let dims: Vec<Int> = copy.dims.iter().map(|dim| instance.values[*dim].clone()).collect();
                        copies.get(&place_in(copy, &dims)).expect("what is read is copied")
                    }
                }
            };
            let values: Vec<(usize, Vec<&Value>)> = accesses
                .clone()
                .enumerate()
                .filter(|(_, (access, _))| access.kind == AccessKind::Read && access.reduction.is_none())
                .map(|(position, (_, touched))| {
                    (
                        position,
                        touched.iter().map(|element| value(position, *element)).collect(),
                    )
                })
                .collect();
            read[number] = hashed(values);
            let statement = hashed(&instance.statement);
            for (position, (access, touched)) in accesses.enumerate() {
                let computed = hashed((statement, &instance.values[..], position, read[number]));
                for element in touched {
                    let value = &mut memory[*element];
                    match (access.kind, access.reduction) {
                        (AccessKind::Read, _) => {}
                        (_, Some(by)) => *value = value.combined(by, computed),
                        (AccessKind::MustWrite, None) => *value = Value::computed(computed),
                        (AccessKind::MayWrite, None) => *value = Value::computed(hashed((&*value, computed))),
                    }
                }
            }
        }
        Trace { read, left: memory }
    }

    /// What a copying statement copies, and the element.
    fn copied<'s>(&self, split: &'s NodeSplitting, instance: &Instance) -> Option<(&'s CopiedRead, usize)> {
        let is_own = |copy: &&CopiedRead| copy.copy.name().is_some_and(|name| name.as_str() == instance.statement);
        let copy = split.copies.iter().find(is_own)?;
        let reads_it = |(reader, _): &(&&Instance, &usize)| {
            let mut dims = copy.dims.iter().zip(&instance.values[..]);
            copy.statement
                .name()
                .is_some_and(|name| name.as_str() == reader.statement)
                && dims.all(|(dim, value)| reader.values[*dim] == *value)
        };
        let (_, reader) = self.instances.iter().find(reads_it).expect("what is copied is read");
        Some((copy, self.touched[*reader][copy.read.0][0]))
    }

    /// The elements of an array, and what an execution left in them; `None` where it is what was there before.
    pub(crate) fn left_in<'t>(
        &'t self,
        trace: &'t Trace,
        array: &str,
    ) -> impl Iterator<Item = (&'t Vec<Int>, Option<&'t Value>)> {
        let elements = self.elements.iter().zip(&trace.left);
        let own = elements.filter(move |((name, _), _)| name == array);
        own.map(|(element, value)| {
            let is_new = *value != Value::computed(hashed(element));
            (&element.1, is_new.then_some(value))
        })
    }

    /// The first thing that differs between two executions, beside what temporary arrays are left with.
    pub(crate) fn difference(&self, one: &Trace, other: &Trace) -> Option<String> {
        let reads_other = |(_, number): &(&&Instance, &usize)| one.read[**number] != other.read[**number];
        if let Some((instance, _)) = self.instances.iter().find(reads_other) {
            return Some(format!(
                "{}{:?} reads other values",
                instance.statement, instance.values
            ));
        }
        let differs = |element: &usize| self.stays[*element] && one.left[*element] != other.left[*element];
        let element = (0..self.elements.len()).find(differs)?;
        let (array, subscripts) = &self.elements[element];
        Some(format!("{array}{subscripts:?} is left with another value"))
    }
}
