//! Syntax trees to sets, relations and expressions.

use super::ParseError;
use super::lexer::Pos;
use super::parser::Parser;
use super::syntax::{Body, Entry, Formula, Member, Op, Term, TupleBody, TupleSyntax};
use crate::budget::{Budget, OutOfBudget};
use crate::int::Int;
use crate::sets::{Aff, Conj, Expr, Map, MapSpace, MultiAff, Name, Params, Set, SetSpace, Tuple, UnionMap, UnionSet};
use crate::sets::{intersect_pieces, subtract_pieces};
use indexmap::IndexMap;
use std::str::FromStr;

/// The work that existential quantifiers and negations in one text may cost.
const BUDGET: u64 = 10_000_000;

type Lowered<T> = Result<T, ParseError>;

/// The names that are bound, and the variables that they are bound to. A later binding hides earlier ones.
#[derive(Clone)]
struct Scope {
    names: Vec<(String, usize)>,
    n_vars: usize,
}

impl Scope {
    fn new(params: &[String], n_vars: usize) -> Scope {
        Scope {
            names: params.iter().cloned().zip(0..).collect(),
            n_vars,
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v)
    }

    fn bind(&mut self, name: &str, var: usize) {
        self.names.push((name.into(), var));
    }

    fn term(&self, term: &Term) -> Lowered<Expr> {
        let constant = |value: &Term, pos: &Pos, what: &str| -> Lowered<Int> {
            let expr = self.term(value)?;
            match expr.as_constant() {
                Some((num, den)) if den.is_one() => Ok(num.clone()),
                _ => pos.error(format!("{what} has to be an integer constant")),
            }
        };
        Ok(match term {
            Term::Number(number) => Expr::constant(self.n_vars, number.clone()),
            Term::Name(name, pos) => match self.find(name) {
                Some(var) => Expr::var(self.n_vars, var),
                None => return pos.error(format!("`{name}` is not a parameter, dimension or variable")),
            },
            Term::Neg(inner) => self.term(inner)?.scale(&Int::from(-1)),
            Term::Add(a, b) => self.term(a)?.add(&self.term(b)?),
            Term::Sub(a, b) => self.term(a)?.sub(&self.term(b)?),
            Term::Mul(a, b, pos) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                match (a.as_constant(), b.as_constant()) {
                    (Some((num, den)), _) => b.scale(num).divide(den),
                    (_, Some((num, den))) => a.scale(num).divide(den),
                    _ => return pos.error("one factor of a product has to be constant"),
                }
            }
            Term::Div(a, b, pos) => {
                let divisor = constant(b, pos, "a divisor")?;
                if divisor.is_zero() {
                    return pos.error("division by zero");
                }
                self.term(a)?.divide(&divisor)
            }
            Term::Mod(a, b, pos) => {
                let modulus = constant(b, pos, "a modulus")?;
                if !modulus.is_pos() {
                    return pos.error("a modulus has to be positive");
                }
                let value = self.term(a)?;
                let multiple = value.divide(&modulus).floor().scale(&modulus);
                value.sub(&multiple)
            }
            Term::Floor(inner) => self.term(inner)?.floor(),
            Term::Ceil(inner) => self.term(inner)?.scale(&Int::from(-1)).floor().scale(&Int::from(-1)),
        })
    }

    /// The points where the condition holds.
    fn formula(&self, formula: &Formula, b: &Budget) -> Result<Vec<Conj>, Failure> {
        Ok(match formula {
            Formula::True => vec![Conj::universe(self.n_vars)],
            Formula::False => Vec::new(),
            Formula::And(parts) => {
                let mut all = vec![Conj::universe(self.n_vars)];
                for part in parts {
                    let part = self.formula(part, b)?;
                    b.spend((all.len() * part.len()) as u64)?;
                    all = intersect_pieces(&all, &part);
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
                let mut values = Conj::universe(scope.n_vars);
                for (k, (name, value)) in variables.iter().enumerate() {
                    if let Some(value) = value {
                        let value = scope.term(value)?;
                        values = values.intersect(&equality(&Expr::var(scope.n_vars, self.n_vars + k), &value));
                    }
                    scope.bind(name, self.n_vars + k);
                }
                let mut out = Vec::new();
                for piece in scope.formula(inner, b)? {
                    out.push(piece.intersect(&values).project(self.n_vars, variables.len(), b)?);
                }
                out
            }
            Formula::Chain(lists, ops) => {
                let lists: Vec<Vec<Expr>> = lists
                    .iter()
                    .map(|list| list.iter().map(|t| self.term(t)).collect::<Lowered<_>>())
                    .collect::<Lowered<_>>()?;
                let mut all = vec![Conj::universe(self.n_vars)];
                for ((left, right), (op, pos)) in lists.iter().zip(&lists[1..]).zip(ops) {
                    for part in compare(self.n_vars, left, right, *op, *pos)? {
                        all = intersect_pieces(&all, &part);
                    }
                }
                all
            }
        })
    }

    /// Adds the dimensions of a tuple, which are the variables from `first` on, to the scope, and what they are equal
    /// to, to `conj`.
    fn tuple(&mut self, syntax: &TupleSyntax, first: usize, conj: &mut Conj) -> Lowered<Tuple> {
        let name: Option<Name> = syntax.name.as_deref().map(Into::into);
        match &syntax.body {
            TupleBody::Pair(a, b) => {
                let a = self.tuple(a, first, conj)?;
                let b = self.tuple(b, first + a.n(), conj)?;
                Ok(Tuple::pair(a, b).with_name(name))
            }
            TupleBody::Entries(entries) => {
                let mut names: Vec<Option<Name>> = Vec::with_capacity(entries.len());
                for (k, entry) in entries.iter().enumerate() {
                    let var = first + k;
                    match self.entry(entry, syntax.pos)? {
                        EntryMeaning::New(name) => {
                            self.bind(&name, var);
                            names.push(Some(name.as_str().into()));
                        }
                        EntryMeaning::Any => names.push(None),
                        EntryMeaning::Equal(name, value) => {
                            *conj = conj.intersect(&equality(&Expr::var(self.n_vars, var), &value));
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

    fn entry(&self, entry: &Entry, pos: Pos) -> Lowered<EntryMeaning> {
        Ok(match (&entry.name, &entry.value) {
            (None, None) => EntryMeaning::Any,
            (None, Some(value)) => EntryMeaning::Equal(None, self.term(value)?),
            (Some(name), Some(value)) => {
                if self.find(name).is_some() {
                    return pos.error(format!(
                        "`{name}` is in use already, and cannot be the name of a dimension"
                    ));
                }
                EntryMeaning::Equal(Some(name.clone()), self.term(value)?)
            }
            (Some(name), None) => match self.find(name) {
                Some(var) => EntryMeaning::Equal(None, Expr::var(self.n_vars, var)),
                None => EntryMeaning::New(name.clone()),
            },
        })
    }
}

/// What an entry of a tuple says about its dimension.
enum EntryMeaning {
    /// Its name.
    New(String),
    /// Nothing.
    Any,
    /// What it is equal to, and its name if it has one.
    Equal(Option<String>, Expr),
}

/// Why a condition has no set.
enum Failure {
    Parse(ParseError),
    Budget,
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Failure::Parse(error)
    }
}

impl From<OutOfBudget> for Failure {
    fn from(_: OutOfBudget) -> Self {
        Failure::Budget
    }
}

/// `a = b`.
fn equality(a: &Expr, b: &Expr) -> Conj {
    // The numerator of a difference is an equality of its form already.
    a.sub(b).form().clone()
}

/// `a >= b + room`.
fn at_least(a: &Expr, b: &Expr, room: i64) -> Conj {
    let difference = a.sub(b);
    let mut conj = difference.form().clone();
    let mut row = difference.row().clone();
    row[0] -= Int::from(room);
    conj.add_ineq(row);
    conj.without_equalities()
}

/// The conditions, each a union, that together mean `left op right`.
fn compare(n_vars: usize, left: &[Expr], right: &[Expr], op: Op, pos: Pos) -> Lowered<Vec<Vec<Conj>>> {
    let (left, right, op) = match op {
        Op::Gt => (right, left, Op::Lt),
        Op::Ge => (right, left, Op::Le),
        Op::LexGt => (right, left, Op::LexLt),
        Op::LexGe => (right, left, Op::LexLe),
        op => (left, right, op),
    };
    if matches!(op, Op::LexLt | Op::LexLe) {
        if left.len() != right.len() {
            return pos.error("a lexicographic comparison is between lists of the same length");
        }
        let mut cases = Vec::new();
        let mut equal = Conj::universe(n_vars);
        for (a, b) in left.iter().zip(right) {
            cases.push(equal.intersect(&at_least(b, a, 1)));
            equal = equal.intersect(&equality(a, b));
        }
        if op == Op::LexLe {
            cases.push(equal);
        }
        return Ok(vec![cases]);
    }
    let mut all = Vec::new();
    for a in left {
        for b in right {
            all.push(match op {
                Op::Eq => vec![equality(a, b)],
                Op::Ne => vec![at_least(b, a, 1), at_least(a, b, 1)],
                Op::Lt => vec![at_least(b, a, 1)],
                _ => vec![at_least(b, a, 0)],
            });
        }
    }
    Ok(all)
}

fn n_dims(tuple: &TupleSyntax) -> usize {
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

fn lower_member(params: &[String], member: &Member, b: &Budget) -> Lowered<Part> {
    let names = Params::new(params.iter().map(String::as_str));
    let n_domain = member.domain.as_ref().map_or(0, n_dims);
    let n_range = member.range.as_ref().map_or(0, n_dims);
    let n_vars = params.len() + n_domain + n_range;
    let mut scope = Scope::new(params, n_vars);
    let mut conj = Conj::universe(n_vars);
    let domain = match &member.domain {
        Some(tuple) => scope.tuple(tuple, params.len(), &mut conj)?,
        None => Tuple::unit(),
    };
    let range = match &member.range {
        Some(tuple) => Some(scope.tuple(tuple, params.len() + n_domain, &mut conj)?),
        None => None,
    };
    let mut conjs = vec![conj];
    if let Some(condition) = &member.condition {
        let condition = scope.formula(condition, b).or_else(|failure| match failure {
            Failure::Parse(error) => Err(error),
            Failure::Budget => member
                .pos
                .error("the condition takes more work to make explicit than is allowed"),
        })?;
        conjs = intersect_pieces(&conjs, &condition);
    }
    Ok(match range {
        Some(range) => Part::Map(Map::from_conjs(MapSpace::new(names, domain, range), conjs)),
        None => Part::Set(Set::from_conjs(SetSpace::new(names, domain), conjs)),
    })
}

fn parse_body(text: &str) -> Lowered<Body> {
    let mut parser = Parser::new(text)?;
    let body = parser.body()?;
    parser.end()?;
    Ok(body)
}

fn parse_union_set(text: &str) -> Lowered<(UnionSet, Pos)> {
    let body = parse_body(text)?;
    let b = Budget::new(BUDGET);
    let mut out = UnionSet::empty(Params::new(body.params.iter().map(String::as_str)));
    for member in &body.members {
        match lower_member(&body.params, member, &b)? {
            Part::Set(set) => out.add(&set),
            Part::Map(_) => return member.pos.error("expected a set, found a relation"),
        }
    }
    Ok((out, body.pos))
}

fn parse_union_map(text: &str) -> Lowered<(UnionMap, Pos)> {
    let body = parse_body(text)?;
    let b = Budget::new(BUDGET);
    let mut out = UnionMap::empty(Params::new(body.params.iter().map(String::as_str)));
    for member in &body.members {
        match lower_member(&body.params, member, &b)? {
            Part::Map(map) => out.add(&map),
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

/// The tuple of expressions that a member without condition is.
fn lower_function(params: &[String], member: &Member) -> Lowered<MultiAff> {
    let (Some(domain), Some(range)) = (&member.domain, &member.range) else {
        return member
            .pos
            .error("expected a tuple of expressions of a tuple, `S[i] -> [i + 1]`");
    };
    if member.condition.is_some() {
        return member.pos.error("a tuple of expressions has no condition");
    }
    let names = Params::new(params.iter().map(String::as_str));
    let n_vars = params.len() + n_dims(domain);
    let mut scope = Scope::new(params, n_vars);
    let mut conj = Conj::universe(n_vars);
    let space = SetSpace::new(names, scope.tuple(domain, params.len(), &mut conj)?);
    if !conj.is_plainly_universe() {
        return domain
            .pos
            .error("the arguments of a tuple of expressions are not restricted");
    }
    let TupleBody::Entries(entries) = &range.body else {
        return range
            .pos
            .error("expected a list of expressions, found a pair of tuples");
    };
    let mut affs = Vec::with_capacity(entries.len());
    for entry in entries {
        match scope.entry(entry, range.pos)? {
            EntryMeaning::Equal(_, value) => affs.push(Aff::from_expr(space.clone(), value)),
            EntryMeaning::New(name) => {
                return range
                    .pos
                    .error(format!("`{name}` is not a parameter, dimension or variable"));
            }
            EntryMeaning::Any => return range.pos.error("expected an expression, found `*`"),
        }
    }
    let tuple = Tuple::anonymous(affs.len()).with_name(range.name.as_deref().map(Into::into));
    Ok(MultiAff::new(space, tuple, affs))
}

impl FromStr for MultiAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<MultiAff, ParseError> {
        let body = parse_body(text)?;
        match &body.members[..] {
            [member] => lower_function(&body.params, member),
            _ => body.pos.error("expected one tuple of expressions"),
        }
    }
}

impl FromStr for Aff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Aff, ParseError> {
        let function: MultiAff = text.parse()?;
        match function.affs() {
            [aff] if function.space().range.name().is_none() => Ok(aff.clone()),
            _ => Pos { line: 1, col: 1 }.error("expected a single expression, `{ S[i] -> [i + 1] }`"),
        }
    }
}

/// Parses a partial schedule, `[n] -> [{ S[i] -> [(i)]; T[i] -> [(i + 1)] }, { S[i] -> [(0)]; T[i] -> [(n)] }]`: for
/// each tuple, one expression a member of the list.
///
/// # Errors
///
/// If the text has another form, or if not all members have the same tuples.
pub fn parse_band(text: &str) -> Result<IndexMap<Tuple, MultiAff>, ParseError> {
    let mut parser = Parser::new(text)?;
    let pos = parser.pos();
    let params = parser.band_params()?;
    let list = parser.list_of_members()?;
    parser.end()?;
    let mut bands: IndexMap<Tuple, MultiAff> = IndexMap::new();
    for (k, members) in list.iter().enumerate() {
        for member in members {
            let function = lower_function(&params, member)?;
            if function.len() != 1 {
                return member.pos.error("expected a single expression");
            }
            let tuple = function.space().domain.clone();
            let function = match bands.get(&tuple) {
                Some(band) if band.len() == k => band.flat_range_product(&function),
                None if k == 0 => function,
                _ => {
                    return member
                        .pos
                        .error(format!("the members of the schedule do not have {tuple} once each"));
                }
            };
            bands.insert(tuple, function);
        }
    }
    if bands.values().any(|band| band.len() != list.len()) {
        return pos.error("the members of the schedule do not all have the same tuples");
    }
    Ok(bands)
}
