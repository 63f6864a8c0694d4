//! Syntax trees to quasi-affine expressions, tuples of them and unions of these.

use super::ParseError;
use super::lexer::Pos;
use super::lower::{BUDGET, EntryMeaning, Lowered, Scope, n_dims, parse_body};
use super::parser::Parser;
use super::syntax::{Member, TupleBody, TupleSyntax};
use super::value::{Meaning, Piecewise, Value};
use crate::budget::Budget;
use crate::sets::{
    Aff, Conj, MultiAff, MultiPwAff, MultiUnionPwAff, Params, PwAff, PwMultiAff, Set, SetSpace, Tuple, UnionPwAff,
    UnionPwMultiAff, UnionSet, intersect_pieces,
};
use std::str::FromStr;

/// The function that a member is. One without arguments is a function of the parameters.
fn lower_function(params: &[String], member: &Member, b: &Budget) -> Lowered<MultiPwAff> {
    lower(params, member, b).map_err(|failure| failure.at(member.pos))
}

fn lower(params: &[String], member: &Member, b: &Budget) -> Meaning<MultiPwAff> {
    let (domain, range) = match (&member.domain, &member.range) {
        (Some(domain), Some(range)) => (Some(domain), range),
        (Some(range), None) => (None, range),
        _ => {
            return Ok(member
                .pos
                .error("expected a tuple of expressions of a tuple, `S[i] -> [i + 1]`")?);
        }
    };
    let names = Params::new(params.iter().map(String::as_str));
    let n_vars = params.len() + domain.map_or(0, n_dims);
    let mut scope = Scope::new(params, n_vars);
    let mut conjs = vec![Conj::universe(n_vars)];
    let tuple = match domain {
        Some(tuple) => scope.tuple(tuple, params.len(), &mut conjs, b)?,
        None => Tuple::unit(),
    };
    if let Some(condition) = &member.condition {
        conjs = intersect_pieces(&conjs, &scope.formula(condition, b)?);
    }
    let domain = Set::from_conjs(SetSpace::new(names, tuple), conjs);
    let mut affs = Vec::new();
    let range = values(&scope, range, &domain, &mut affs, b)?;
    Ok(MultiPwAff::new(domain, range, affs))
}

/// The tuple of the values, of which the expressions are added to `affs`.
fn values(scope: &Scope, range: &TupleSyntax, domain: &Set, affs: &mut Vec<PwAff>, b: &Budget) -> Meaning<Tuple> {
    let name = range.name.as_deref().map(Into::into);
    let entries = match &range.body {
        TupleBody::Pair(x, y) => {
            let x = values(scope, x, domain, affs, b)?;
            let y = values(scope, y, domain, affs, b)?;
            return Ok(Tuple::pair(x, y).with_name(name));
        }
        TupleBody::Entries(entries) => entries,
    };
    for entry in entries {
        affs.push(match scope.entry(entry, range.pos, b)? {
            EntryMeaning::Equal(_, value) => expression(&value, domain, range.pos, b)?,
            EntryMeaning::New(name) => {
                let message = format!("`{name}` is not a parameter, dimension or variable");
                return Ok(range.pos.error(message)?);
            }
            EntryMeaning::Any => return Ok(range.pos.error("expected an expression, found `*`")?),
            EntryMeaning::Between(..) => {
                return Ok(range
                    .pos
                    .error("expected an expression, found what a dimension is between")?);
            }
        });
    }
    Ok(Tuple::anonymous(entries.len()).with_name(name))
}

fn expression(value: &Piecewise, on: &Set, pos: Pos, b: &Budget) -> Meaning<PwAff> {
    let space = on.space();
    let mut out = PwAff::empty(space.clone());
    for (domain, value) in &value.pieces {
        let Value::Finite(expr) = value else {
            return Ok(pos.error("infinity and NaN are not values of an expression")?);
        };
        let domain = match domain {
            Some(conjs) => Set::from_conjs(space.clone(), conjs.clone()).intersect(on),
            None => on.clone(),
        };
        let piece = PwAff::new(domain, Aff::from_expr(space.clone(), expr.clone()));
        out = out.union(&piece, b)?.expect("pieces agree where they overlap");
    }
    Ok(out)
}

/// The function `value`, at `pos`, as one without pieces.
fn without_pieces(value: &MultiPwAff, pos: Pos) -> Lowered<MultiAff> {
    let affs: Option<Vec<Aff>> = value.affs().iter().map(|aff| aff.as_aff().cloned()).collect();
    let everywhere = value.domain().pieces().iter().any(Conj::is_plainly_universe);
    match affs {
        Some(affs) if everywhere => Ok(MultiAff::new(
            value.space().domain_space(),
            value.space().range.clone(),
            affs,
        )),
        _ => pos.error("expected the same expressions for all arguments, without a condition"),
    }
}

fn add_function(out: &mut UnionPwMultiAff, value: &MultiPwAff, pos: Pos, b: &Budget) -> Meaning<()> {
    match out.union(&value.to_pw_multi_aff(b)?.into(), b)? {
        Some(union) => {
            *out = union;
            Ok(())
        }
        None => Ok(pos.error("this piece has another value than an earlier one where both are defined")?),
    }
}

fn lower_union(params: &[String], members: &[Member], b: &Budget) -> Lowered<UnionPwMultiAff> {
    let mut out = UnionPwMultiAff::empty(Params::new(params.iter().map(String::as_str)));
    for member in members {
        let value = lower_function(params, member, b)?;
        add_function(&mut out, &value, member.pos, b).map_err(|failure| failure.at(member.pos))?;
    }
    Ok(out)
}

/// The same for functions to tuples of one dimension without a name.
fn lower_union_aff(params: &[String], members: &[Member], b: &Budget) -> Lowered<UnionPwAff> {
    let mut out = UnionPwAff::empty(Params::new(params.iter().map(String::as_str)));
    for member in members {
        let value = lower_function(params, member, b)?;
        let [aff] = value.affs() else {
            return member.pos.error("expected a single expression, `S[i] -> [i + 1]`");
        };
        if value.space().range != Tuple::anonymous(1) {
            return member.pos.error("expected a tuple without a name, `S[i] -> [i + 1]`");
        }
        let union = out.union(&aff.clone().into(), b);
        out = match union {
            Ok(Some(union)) => union,
            Ok(None) => {
                return member
                    .pos
                    .error("this piece has another value than an earlier one where both are defined");
            }
            Err(error) => return Err(super::value::Failure::from(error).at(member.pos)),
        };
    }
    Ok(out)
}

impl FromStr for UnionPwMultiAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<UnionPwMultiAff, ParseError> {
        let body = parse_body(text)?;
        lower_union(&body.params, &body.members, &Budget::new(BUDGET))
    }
}

impl FromStr for UnionPwAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<UnionPwAff, ParseError> {
        let body = parse_body(text)?;
        lower_union_aff(&body.params, &body.members, &Budget::new(BUDGET))
    }
}

impl FromStr for PwMultiAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<PwMultiAff, ParseError> {
        let body = parse_body(text)?;
        let union = lower_union(&body.params, &body.members, &Budget::new(BUDGET))?;
        let mut parts = union.pw_multi_affs();
        match (parts.next(), parts.next()) {
            (Some(function), None) => Ok(function.clone()),
            _ => body.pos.error("expected a function between two tuples"),
        }
    }
}

impl FromStr for PwAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<PwAff, ParseError> {
        let body = parse_body(text)?;
        let union = lower_union_aff(&body.params, &body.members, &Budget::new(BUDGET))?;
        let mut parts = union.pw_affs();
        match (parts.next(), parts.next()) {
            (Some(aff), None) => Ok(aff.clone()),
            _ => body.pos.error("expected an expression on one tuple"),
        }
    }
}

impl FromStr for MultiPwAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<MultiPwAff, ParseError> {
        let body = parse_body(text)?;
        match &body.members[..] {
            [member] => lower_function(&body.params, member, &Budget::new(BUDGET)),
            _ => Ok(text.parse::<PwMultiAff>()?.to_multi_pw_aff()),
        }
    }
}

impl FromStr for MultiUnionPwAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<MultiUnionPwAff, ParseError> {
        let mut parser = Parser::new(text)?;
        let list = parser.list()?;
        parser.end()?;
        let b = Budget::new(BUDGET);
        let range = Tuple::anonymous(list.entries.len()).with_name(list.name.as_deref().map(Into::into));
        let domain = match &list.domain {
            Some(members) => Some(super::lower::lower_union_set(&list.params, members, &b)?),
            None => None,
        };
        if list.entries.is_empty() {
            let params = Params::new(list.params.iter().map(String::as_str));
            let domain = domain.unwrap_or_else(|| UnionSet::empty(params));
            return Ok(MultiUnionPwAff::on_domain(range, domain));
        }
        let affs: Lowered<Vec<UnionPwAff>> = list
            .entries
            .iter()
            .map(|members| lower_union_aff(&list.params, members, &b))
            .collect();
        let function = MultiUnionPwAff::new(range, affs?);
        match domain {
            None => Ok(function),
            Some(domain) => function
                .intersect_domain(&domain, &b)
                .map_err(|error| super::value::Failure::from(error).at(list.pos)),
        }
    }
}

impl FromStr for MultiAff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<MultiAff, ParseError> {
        let body = parse_body(text)?;
        match &body.members[..] {
            [member] => without_pieces(&lower_function(&body.params, member, &Budget::new(BUDGET))?, member.pos),
            _ => body.pos.error("expected one tuple of expressions"),
        }
    }
}

impl FromStr for Aff {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Aff, ParseError> {
        let function: MultiAff = text.parse()?;
        match function.affs() {
            [aff] if function.space().range == Tuple::anonymous(1) => Ok(aff.clone()),
            _ => Pos { line: 1, col: 1 }.error("expected a single expression, `{ S[i] -> [i + 1] }`"),
        }
    }
}
