//! Syntax trees to sets and relations.

use super::ParseError;
use super::lexer::Pos;
use super::parser::Parser;
use super::syntax::{Body, Entry, Factor, Formula, Member, Op, Term, TupleBody, TupleSyntax};
use super::value::{Failure, Meaning, Piecewise, Value, compare};
use crate::budget::Budget;
use crate::int::Int;
use crate::sets::{Conj, Expr, Map, MapSpace, Name, Params, Set, SetSpace, Tuple, UnionMap, UnionSet};
use crate::sets::{intersect_pieces, subtract_pieces};
use std::collections::HashMap;
use std::str::FromStr;

/// The work that existential quantifiers, negations and piecewise expressions in one text may cost.
pub(super) const BUDGET: u64 = 3_000_000;

/// The words of a product that a unit of that work multiplies.
const WORDS_PER_UNIT: u64 = 32;

pub(super) type Lowered<T> = Result<T, ParseError>;

/// The names that are bound, and the variables that they are bound to. A later binding hides earlier ones.
#[derive(Clone)]
pub(super) struct Scope {
    names: HashMap<String, usize>,
    n_vars: usize,
}

impl Scope {
    pub(super) fn new(params: &[String], n_vars: usize) -> Scope {
        Scope {
            names: params.iter().cloned().zip(0..).collect(),
            n_vars,
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    fn bind(&mut self, name: &str, var: usize) {
        self.names.insert(name.into(), var);
    }

    fn var(&self, var: usize) -> Piecewise {
        Piecewise::expr(Expr::var(self.n_vars, var))
    }

    /// What a term is that has to be an integer.
    fn constant(&self, term: &Term, pos: Pos, what: &str, b: &Budget) -> Meaning<Int> {
        match self.term(term, b)?.only().and_then(Value::as_integer) {
            Some(value) => Ok(value.clone()),
            None => Ok(pos.error(format!("{what} has to be an integer constant"))?),
        }
    }

    pub(super) fn term(&self, term: &Term, b: &Budget) -> Meaning<Piecewise> {
        b.spend(1)?;
        let folded = |terms: &[Term], op: Op| -> Meaning<Piecewise> {
            let (first, others) = terms.split_first().expect("a function has arguments");
            let mut out = self.term(first, b)?;
            for other in others {
                out = out.choose(&self.term(other, b)?, op, b)?;
            }
            Ok(out)
        };
        Ok(match term {
            Term::Number(number) => Piecewise::expr(Expr::constant(self.n_vars, number.clone())),
            Term::Infinity => Piecewise::of(self.n_vars, Value::Infinite(1)),
            Term::NotANumber => Piecewise::of(self.n_vars, Value::NotANumber),
            Term::Name(name, pos) => match self.find(name) {
                Some(var) => self.var(var),
                None => return Ok(pos.error(format!("`{name}` is not a parameter, dimension or variable"))?),
            },
            Term::Neg(inner) => self.term(inner, b)?.map(|v| Ok(v.neg()))?,
            Term::Sum(first, others) => {
                let mut sum = self.term(first, b)?;
                for (minus, other) in others {
                    let other = self.term(other, b)?;
                    sum = sum.combine(&other, b, |v, w| Ok(v.add(&if *minus { w.neg() } else { w.clone() })))?;
                }
                sum
            }
            Term::Product(first, factors) => {
                let mut product = self.term(first, b)?;
                for (op, factor, pos) in factors {
                    product = self.times(product, *op, factor, *pos, b)?;
                }
                product
            }
            Term::Floor(inner) => self.term(inner, b)?.map(|v| Ok(v.round(Expr::floor)))?,
            Term::Ceil(inner) => self.term(inner, b)?.map(|v| Ok(v.round(Expr::ceil)))?,
            Term::Min(terms) => folded(terms, Op::Le)?,
            Term::Max(terms) => folded(terms, Op::Ge)?,
            Term::Cond(condition, then, otherwise) => {
                let holds = self.formula(condition, b)?;
                let fails = subtract_pieces(&[Conj::universe(self.n_vars)], &holds, b)?;
                let mut out = self.term(then, b)?.restrict(&Some(holds), b)?;
                out.unite(self.term(otherwise, b)?.restrict(&Some(fails), b)?, b)?;
                out
            }
            Term::Pieces(pieces) => {
                let mut out = Piecewise {
                    n_vars: self.n_vars,
                    pieces: Vec::new(),
                };
                for (value, condition, pos) in pieces {
                    let domain = match condition {
                        Some(condition) => Some(self.formula(condition, b)?),
                        None => None,
                    };
                    let piece = self.term(value, b)?.restrict(&domain, b)?;
                    if !out.unite(piece, b)? {
                        return Ok(
                            pos.error("this piece has another value than an earlier one where both are defined")?
                        );
                    }
                }
                out
            }
        })
    }

    /// `left op factor`.
    fn times(&self, left: Piecewise, op: Factor, factor: &Term, pos: Pos, b: &Budget) -> Meaning<Piecewise> {
        match op {
            Factor::Mul => left.combine(&self.term(factor, b)?, b, |v, w| match v.mul(w) {
                Some(product) => {
                    // Long products of numbers take quadratic time.
                    b.spend(product.as_integer().map_or(0, Int::words_on_heap) / WORDS_PER_UNIT)?;
                    Ok(product)
                }
                None => Ok(pos.error("one factor of a product has to be constant")?),
            }),
            Factor::Div => {
                let divisor = self.constant(factor, pos, "a divisor", b)?;
                if divisor.is_zero() {
                    return Ok(pos.error("division by zero")?);
                }
                left.map(|v| Ok(v.divide(&divisor)))
            }
            Factor::Mod => {
                let modulus = self.constant(factor, pos, "a modulus", b)?;
                if !modulus.is_pos() {
                    return Ok(pos.error("a modulus has to be positive")?);
                }
                left.map(|v| Ok(v.modulo(&modulus)))
            }
        }
    }

    /// The points where the condition holds.
    pub(super) fn formula(&self, formula: &Formula, b: &Budget) -> Meaning<Vec<Conj>> {
        Ok(match formula {
            Formula::True => vec![Conj::universe(self.n_vars)],
            Formula::False => Vec::new(),
            Formula::And(parts) => {
                let mut all = vec![Conj::universe(self.n_vars)];
                for part in parts {
                    let part = self.formula(part, b)?;
                    all = intersection(&all, &part, b)?;
                }
                all
            }
            Formula::Or(parts) => {
                let mut any = Vec::new();
                for part in parts {
                    any.extend(self.formula(part, b)?);
                }
                any
            }
            Formula::Not(inner) => subtract_pieces(&[Conj::universe(self.n_vars)], &self.formula(inner, b)?, b)?,
            Formula::Exists(variables, inner) => {
                let mut scope = self.clone();
                scope.n_vars += variables.len();
                let mut values = vec![Conj::universe(scope.n_vars)];
                for (k, (name, value)) in variables.iter().enumerate() {
                    if let Some(value) = value {
                        let value = scope.term(value, b)?;
                        add_equality(&mut values, &scope.var(self.n_vars + k), &value, b)?;
                    }
                    scope.bind(name, self.n_vars + k);
                }
                let mut out = Vec::new();
                for piece in scope.formula(inner, b)? {
                    for value in &values {
                        out.push(piece.intersect(value).project(self.n_vars, variables.len(), b)?);
                    }
                }
                out
            }
            Formula::Chain(lists, ops) => {
                let lists: Vec<Vec<Piecewise>> = lists
                    .iter()
                    .map(|list| list.iter().map(|t| self.term(t, b)).collect::<Meaning<_>>())
                    .collect::<Meaning<_>>()?;
                let mut all = vec![Conj::universe(self.n_vars)];
                for ((left, right), (op, pos)) in lists.iter().zip(&lists[1..]).zip(ops) {
                    for part in compare(self.n_vars, left, right, *op, *pos, b)? {
                        all = intersection(&all, &part, b)?;
                    }
                }
                all
            }
        })
    }

    /// Adds the dimensions of a tuple, which are the variables from `first` on, to the scope, and what they are equal
    /// to, to `conjs`.
    pub(super) fn tuple(
        &mut self,
        syntax: &TupleSyntax,
        first: usize,
        conjs: &mut Vec<Conj>,
        b: &Budget,
    ) -> Meaning<Tuple> {
        let name: Option<Name> = syntax.name.as_deref().map(Into::into);
        match &syntax.body {
            TupleBody::Pair(x, y) => {
                let x = self.tuple(x, first, conjs, b)?;
                let y = self.tuple(y, first + x.n(), conjs, b)?;
                Ok(Tuple::pair(x, y).with_name(name))
            }
            TupleBody::Entries(entries) => {
                let mut names: Vec<Option<Name>> = Vec::with_capacity(entries.len());
                for (k, entry) in entries.iter().enumerate() {
                    let var = first + k;
                    match self.entry(entry, syntax.pos, b)? {
                        EntryMeaning::New(name) => {
                            self.bind(&name, var);
                            names.push(Some(name.as_str().into()));
                        }
                        EntryMeaning::Any => names.push(None),
                        EntryMeaning::Equal(name, value) => {
                            add_equality(conjs, &self.var(var), &value, b)?;
                            if let Some(name) = &name {
                                self.bind(name, var);
                            }
                            names.push(name.map(|n| n.as_str().into()));
                        }
                        EntryMeaning::Between(name, low, high) => {
                            let within = [
                                low.compare(&self.var(var), Op::Le, b)?,
                                self.var(var).compare(&high, Op::Le, b)?,
                            ];
                            for part in within {
                                *conjs = intersection(conjs, &part, b)?;
                            }
                            if let Some(name) = &name {
                                self.bind(name, var);
                            }
                            names.push(name.map(|n| n.as_str().into()));
                        }
                    }
                }
                Ok(Tuple::anonymous(entries.len()).with_name(name).with_dim_names(names))
            }
        }
    }

    pub(super) fn entry(&self, entry: &Entry, pos: Pos, b: &Budget) -> Meaning<EntryMeaning> {
        let in_use = |name: &String| self.find(name).is_some();
        if let Some(name) = entry.name.as_ref().filter(|name| entry.value.is_some() && in_use(name)) {
            return Ok(pos.error(format!(
                "`{name}` is in use already, and cannot be the name of a dimension"
            ))?);
        }
        if let (Some(low), Some(high)) = (&entry.value, &entry.high) {
            let (low, high) = (self.term(low, b)?, self.term(high, b)?);
            return Ok(EntryMeaning::Between(entry.name.clone(), low, high));
        }
        Ok(match (&entry.name, &entry.value) {
            (None, None) => EntryMeaning::Any,
            (None, Some(value)) => EntryMeaning::Equal(None, self.term(value, b)?),
            (Some(name), Some(value)) => EntryMeaning::Equal(Some(name.clone()), self.term(value, b)?),
            (Some(name), None) => match self.find(name) {
                Some(var) => EntryMeaning::Equal(None, self.var(var)),
                None => EntryMeaning::New(name.clone()),
            },
        })
    }
}

/// What an entry of a tuple says about its dimension.
pub(super) enum EntryMeaning {
    /// Its name.
    New(String),
    /// Nothing.
    Any,
    /// What it is equal to, and its name if it has one.
    Equal(Option<String>, Piecewise),
    /// What it is between, and its name if it has one.
    Between(Option<String>, Piecewise, Piecewise),
}

/// Restricts all of `conjs` to where both values are the same.
fn add_equality(conjs: &mut Vec<Conj>, left: &Piecewise, right: &Piecewise, b: &Budget) -> Meaning<()> {
    match &left.compare(right, Op::Eq, b)?[..] {
        [one] => {
            for conj in conjs {
                *conj = conj.intersect(one);
            }
        }
        several => *conjs = intersection(conjs, several, b)?,
    }
    Ok(())
}

/// What is in both. Pays for copies of the rows: conditions of many variables, or of many alternatives, may ask for any
/// number.
fn intersection(first: &[Conj], second: &[Conj], b: &Budget) -> Meaning<Vec<Conj>> {
    /// So many entries are copied in a unit of work.
    const ENTRIES: usize = 8;
    /// So many entries have room in any row.
    const ROW: usize = 12;
    let size = |conjs: &[Conj]| -> usize {
        let rows = |conj: &Conj| conj.eqs().len() + conj.ineqs().len() + conj.divs().len();
        conjs.iter().map(|conj| rows(conj) * conj.n_cols().max(ROW)).sum()
    };
    let entries = size(first) * second.len() + size(second) * first.len();
    b.spend((first.len() * second.len() + entries / ENTRIES) as u64)?;
    Ok(intersect_pieces(first, second))
}

pub(super) fn n_dims(tuple: &TupleSyntax) -> usize {
    match &tuple.body {
        TupleBody::Entries(entries) => entries.len(),
        TupleBody::Pair(a, b) => n_dims(a) + n_dims(b),
    }
}

/// A member of a union.
enum Part {
    Set(Set),
    Map(Map),
}

/// So many entries of a matrix with a row and a column for each variable have room in a unit of work. Relations between tuples of equal
/// dimensions have one: 7,000 variables, for which it takes half a gigabyte, are too many.
const ENTRIES_OF_SQUARE: u64 = 16;

/// So many pairs of alternatives are intersected in a unit of work. Operations on sets intersect all of both operands without
/// a budget: 3,400 alternatives in a set, for which that takes some seconds, are too many.
const PAIRS: u64 = 4;

fn squared(n: usize) -> u64 {
    (n as u64).saturating_mul(n as u64)
}

fn lower_member(params: &[String], member: &Member, b: &Budget) -> Meaning<Part> {
    let names = Params::new(params.iter().map(String::as_str));
    let n_domain = member.domain.as_ref().map_or(0, n_dims);
    let n_range = member.range.as_ref().map_or(0, n_dims);
    let n_vars = params.len() + n_domain + n_range;
    b.spend(squared(n_vars) / ENTRIES_OF_SQUARE)?;
    let mut scope = Scope::new(params, n_vars);
    let mut conjs = vec![Conj::universe(n_vars)];
    let domain = match &member.domain {
        Some(tuple) => scope.tuple(tuple, params.len(), &mut conjs, b)?,
        None => Tuple::unit(),
    };
    let range = match &member.range {
        Some(tuple) => Some(scope.tuple(tuple, params.len() + n_domain, &mut conjs, b)?),
        None => None,
    };
    if let Some(condition) = &member.condition {
        let condition = scope.formula(condition, b)?;
        b.spend(squared(condition.len()) / PAIRS)?;
        conjs = intersect_pieces(&conjs, &condition);
    }
    Ok(match range {
        Some(range) => Part::Map(Map::from_conjs(MapSpace::new(names, domain, range), conjs)),
        None => Part::Set(Set::from_conjs(SetSpace::new(names, domain), conjs)),
    })
}

pub(super) fn parse_body(text: &str) -> Lowered<Body> {
    let mut parser = Parser::new(text)?;
    let body = parser.body()?;
    parser.end()?;
    Ok(body)
}

/// The union of members that are sets.
pub(super) fn lower_union_set(params: &[String], members: &[Member], b: &Budget) -> Lowered<UnionSet> {
    let mut out = UnionSet::empty(Params::new(params.iter().map(String::as_str)));
    for member in members {
        match lower_member(params, member, b).map_err(|f| f.at(member.pos))? {
            Part::Set(set) => {
                // All alternatives of the tuple so far are copied.
                let before = out.extract(&set.space().tuple).pieces().len();
                b.spend(before as u64 / 2)
                    .map_err(|f| Failure::from(f).at(member.pos))?;
                out.add(&set);
            }
            Part::Map(_) => return member.pos.error("expected a set, found a relation"),
        }
    }
    Ok(out)
}

fn parse_union_set(text: &str) -> Lowered<(UnionSet, Pos)> {
    let body = parse_body(text)?;
    let union = lower_union_set(&body.params, &body.members, &Budget::new(BUDGET))?;
    Ok((union, body.pos))
}

fn parse_union_map(text: &str) -> Lowered<(UnionMap, Pos)> {
    let body = parse_body(text)?;
    let b = Budget::new(BUDGET);
    let mut out = UnionMap::empty(Params::new(body.params.iter().map(String::as_str)));
    for member in &body.members {
        match lower_member(&body.params, member, &b).map_err(|f| f.at(member.pos))? {
            Part::Map(map) => {
                let before = out.extract(&map.space().domain, &map.space().range).pieces().len();
                b.spend(before as u64 / 2)
                    .map_err(|f| Failure::from(f).at(member.pos))?;
                out.add(&map);
            }
            Part::Set(_) => return member.pos.error("expected a relation, found a set"),
        }
    }
    Ok((out, body.pos))
}

impl FromStr for UnionSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<UnionSet, ParseError> {
        Ok(parse_union_set(text)?.0)
    }
}

impl FromStr for UnionMap {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<UnionMap, ParseError> {
        Ok(parse_union_map(text)?.0)
    }
}

impl FromStr for Set {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Set, ParseError> {
        let (union, pos) = parse_union_set(text)?;
        let mut sets = union.sets();
        match (sets.next(), sets.next()) {
            (Some(set), None) => Ok(set.clone()),
            _ => pos.error("expected a set of one space"),
        }
    }
}

impl FromStr for Map {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Map, ParseError> {
        let (union, pos) = parse_union_map(text)?;
        let mut maps = union.maps();
        match (maps.next(), maps.next()) {
            (Some(map), None) => Ok(map.clone()),
            _ => pos.error("expected a relation of one space"),
        }
    }
}
