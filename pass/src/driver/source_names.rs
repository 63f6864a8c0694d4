//! What the source calls the parameters, arrays, loops and statements of a model: for remarks.
//!
//! A name is only given where it is true when the region is entered. What has none keeps an ordinal: `p0`, `A0`. Names of two
//! things that read the same have the lines of their declarations behind them, or are given up for ordinals.

use crate::scop::Scop;
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{Base, IrArray, IrCondition, ScopLoop};
use farkas_llvm::source::{Role, SourceName};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Kind, Value};
use farkas_plan::SourceNames;
use farkas_polyhedral::sets::{Name, Params, Tuple};
use std::collections::{HashMap, HashSet};

/// Expressions with longer texts have no name.
const LONGEST: usize = 48;

/// The names of a region's model.
#[derive(Clone, Debug, Default)]
pub(super) struct RegionNames {
    params: HashMap<String, String>,
    arrays: HashMap<String, String>,
    statements: HashMap<String, Placed>,
    /// The lines of assumed conditions on data.
    pub(super) conditions: Vec<Option<u32>>,
}

/// Where a statement is.
#[derive(Clone, Debug)]
struct Placed {
    line: Option<u32>,
    counters: Vec<Option<String>>,
}

/// Text for a thing, with the line where its variable is declared.
struct Candidate {
    text: String,
    line: Option<u32>,
}

impl RegionNames {
    /// The names where the region is entered.
    pub(super) fn of(run: &Run<'_>, scop: &Scop<'_>) -> Self {
        let namer = Namer {
            run,
            before: scop.ir.region.outermost[0],
        };
        let params = scop.ir.parameters.iter();
        let params = params.map(|own| (own.name.clone(), namer.integer(own.value)));
        let (in_rows, in_one_piece): (Vec<_>, Vec<_>) = scop
            .ir
            .arrays
            .iter()
            .partition(|own| !matches!(own.base, Base::Pointer(_)));
        let arrays = in_one_piece
            .iter()
            .map(|own| (own.name.clone(), namer.array(scop, own)));
        let mut arrays = distinct("A", arrays.collect());
        for own in in_rows {
            let name = match own.base {
                Base::Pointer(_) => None,
                Base::Table(table) => {
                    let table = arrays.get(&scop.ir.arrays[table.0].name);
                    table.map(|table| format!("the rows of {table}"))
                }
                Base::Rotation(id) => {
                    let buffers = scop.ir.phis(id).iter();
                    let buffers = buffers.map(|own| Some(run.source_name(own.first, namer.before)?.text));
                    let names = buffers.collect::<Option<Vec<String>>>();
                    Some(names.map_or(format!("the buffers of {}", own.name), |names| names.join(" and ")))
                }
            };
            arrays.extend(name.map(|name| (own.name.clone(), name)));
        }
        let counters: Vec<Option<String>> = scop.ir.loops.iter().map(|l| namer.counter(l)).collect();
        let statements = scop.ir.statements.iter().map(|statement| {
            let placed = Placed {
                line: statement.location().map(|location| location.line),
                counters: statement.loops.iter().map(|l| counters[l.0].clone()).collect(),
            };
            (statement.name.clone(), placed)
        });
        RegionNames {
            params: distinct("p", params.collect()),
            arrays,
            statements: statements.collect(),
            conditions: scop.ir.conditions.iter().map(line_of_condition).collect(),
        }
    }

    /// The parameters by these names, in their order.
    pub(super) fn rename(&self, params: &Params) -> Params {
        Params::new(params.names().iter().map(|name| self.param(name)))
    }
}

impl SourceNames for RegionNames {
    fn param(&self, name: &Name) -> String {
        self.params
            .get(name.as_str())
            .cloned()
            .unwrap_or_else(|| name.to_string())
    }

    fn array(&self, name: &Name) -> String {
        self.arrays
            .get(name.as_str())
            .cloned()
            .unwrap_or_else(|| name.to_string())
    }

    fn statement(&self, name: &Name) -> String {
        match self.statements.get(name.as_str()).and_then(|placed| placed.line) {
            Some(line) => format!("the statement in line {line}"),
            None => name.to_string(),
        }
    }

    fn counter(&self, statement: &Tuple, dim: usize) -> Option<String> {
        let placed = self.statements.get(statement.name()?.as_str())?;
        placed.counters.get(dim)?.clone()
    }
}

/// The line of a condition on data, if debug information says.
fn line_of_condition(condition: &IrCondition<'_>) -> Option<u32> {
    Some(condition.statement.location()?.line)
}

/// Texts for these things, by their names in the model, all different; what has no candidate gets `ordinal` and its position.
fn distinct(ordinal: &str, things: Vec<(String, Option<Candidate>)>) -> HashMap<String, String> {
    let count = |text: &str, line: Option<Option<u32>>| {
        let candidates = things.iter().filter_map(|(_, candidate)| candidate.as_ref());
        let same = |own: &&Candidate| own.text == text && line.is_none_or(|line| own.line == line);
        candidates.filter(same).count()
    };
    let text_of = |candidate: &Candidate| match candidate.line {
        _ if count(&candidate.text, None) == 1 => Some(candidate.text.clone()),
        Some(line) if count(&candidate.text, Some(Some(line))) == 1 => {
            Some(format!("{} (line {line})", candidate.text))
        }
        _ => None,
    };
    let texts: Vec<Option<String>> = things
        .iter()
        .map(|(_, candidate)| candidate.as_ref().and_then(text_of))
        .collect();
    let mut taken: HashSet<String> = texts.iter().flatten().cloned().collect();
    let mut named = HashMap::new();
    for (position, ((name, _), text)) in things.iter().zip(texts).enumerate() {
        let is_ordinal = name
            .strip_prefix(ordinal)
            .is_some_and(|number| number.parse::<usize>().is_ok());
        let own = is_ordinal.then(|| name.clone());
        let mut ordinals = own
            .into_iter()
            .chain((position..).map(|number| format!("{ordinal}{number}")));
        let text = text.unwrap_or_else(|| {
            let is_new = |text: &String| !taken.contains(text);
            ordinals.find(is_new).expect("there are more numbers than names")
        });
        taken.insert(text.clone());
        named.insert(name.clone(), text);
    }
    named
}

/// How tightly the parts of a text hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

/// Text of an expression.
struct Expression {
    text: String,
    line: Option<u32>,
    binding: Binding,
}

impl Expression {
    fn atom(text: String, line: Option<u32>) -> Self {
        Expression {
            text,
            line,
            binding: Binding::Atom,
        }
    }

    /// The text as an operand of what binds at least so tightly.
    fn within(&self, binding: Binding) -> String {
        match self.binding < binding {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}

/// Asks what things are called where a loop is entered.
struct Namer<'a, 'r> {
    run: &'a Run<'r>,
    before: Loop<'a>,
}

impl<'a> Namer<'a, '_> {
    fn integer(&self, scev: Scev<'a>) -> Option<Candidate> {
        let expression = self.expression(scev)?;
        (expression.text.len() <= LONGEST).then_some(Candidate {
            text: expression.text,
            line: expression.line,
        })
    }

    /// An expression of the source that has the value of this one where the region is entered.
    fn expression(&self, scev: Scev<'a>) -> Option<Expression> {
        match scev.kind() {
            ScevKind::Constant(number) => Some(Expression::atom(number.to_string(), None)),
            ScevKind::Unknown(value) => self.value(value),
            ScevKind::SignExtend(inner) => self.signed(inner),
            ScevKind::ZeroExtend(inner) => self.unsigned(inner),
            ScevKind::Add(operands, _) => self.sum(&operands),
            ScevKind::Mul(operands, _) => self.product(&operands),
            ScevKind::UDiv(numerator, denominator) if self.run.is_non_negative(numerator, self.before) => {
                let (numerator, denominator) = (self.expression(numerator)?, self.expression(denominator)?);
                Some(quotient(&numerator, &denominator))
            }
            ScevKind::SMax(operands) => self.call("max", &operands),
            ScevKind::SMin(operands) => self.call("min", &operands),
            ScevKind::UMax(operands) if self.are_non_negative(&operands) => self.call("max", &operands),
            ScevKind::UMin(operands) if self.are_non_negative(&operands) => self.call("min", &operands),
            ScevKind::AddRec(around, ..) => self.outer_counter(scev, around),
            _ => None,
        }
    }

    fn are_non_negative(&self, operands: &[Scev<'a>]) -> bool {
        operands.iter().all(|own| self.run.is_non_negative(*own, self.before))
    }

    fn value(&self, value: Value<'a>) -> Option<Expression> {
        if let Some(SourceName { text, line, role, .. }) = self.run.source_name(value, self.before) {
            return (role == Role::Value).then(|| Expression::atom(text, line));
        }
        if !value.is_instruction() {
            return None;
        }
        match value.kind() {
            Kind::SignedQuotient(numerator, denominator) => {
                let [numerator, denominator] = [numerator, denominator].map(|own| self.operand(own));
                Some(quotient(&numerator?, &denominator?))
            }
            _ => None,
        }
    }

    fn operand(&self, value: Value<'a>) -> Option<Expression> {
        self.expression(self.run.scev(value)?)
    }

    /// An integer that is extended with its sign. What is declared without one is another number then.
    fn signed(&self, inner: Scev<'a>) -> Option<Expression> {
        match self.is_signed(inner) {
            Some(false) if !self.run.is_non_negative(inner, self.before) => None,
            _ => self.expression(inner),
        }
    }

    /// An integer that is extended without a sign. What has one is another number where it is negative.
    fn unsigned(&self, inner: Scev<'a>) -> Option<Expression> {
        match self.is_signed(inner) {
            Some(false) => self.expression(inner),
            _ if self.run.is_non_negative(inner, self.before) => self.expression(inner),
            _ => None,
        }
    }

    fn is_signed(&self, scev: Scev<'a>) -> Option<bool> {
        match scev.kind() {
            ScevKind::Unknown(value) => self.run.source_name(value, self.before)?.is_signed,
            _ => None,
        }
    }

    /// Terms with a negative factor come behind the others, and the constant last.
    fn sum(&self, operands: &[Scev<'a>]) -> Option<Expression> {
        let mut constant = 0i64;
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        for operand in operands {
            match operand.kind() {
                ScevKind::Constant(number) => constant = constant.checked_add(number)?,
                ScevKind::Mul(factors, _) if factors[0].kind() == ScevKind::Constant(-1) => {
                    negative.push(self.product(&factors[1..])?);
                }
                _ => positive.push(self.expression(*operand)?),
            }
        }
        let line = positive.iter().chain(&negative).find_map(|own| own.line);
        let terms: Vec<String> = positive.iter().map(|own| own.within(Binding::Sum)).collect();
        let mut text = terms.join(" + ");
        if positive.is_empty() && constant != 0 {
            text = constant.to_string();
        }
        for own in &negative {
            let sign = if text.is_empty() { "-" } else { " - " };
            text += &format!("{sign}{}", own.within(Binding::Product));
        }
        match constant {
            0 => {}
            _ if positive.is_empty() => {}
            constant if constant < 0 => text += &format!(" - {}", constant.unsigned_abs()),
            constant => text += &format!(" + {constant}"),
        }
        Some(Expression {
            text,
            line,
            binding: Binding::Sum,
        })
    }

    fn product(&self, operands: &[Scev<'a>]) -> Option<Expression> {
        let factors: Vec<Expression> = operands
            .iter()
            .map(|own| self.expression(*own))
            .collect::<Option<_>>()?;
        if let [_] = factors[..] {
            return factors.into_iter().next();
        }
        let texts: Vec<String> = factors.iter().map(|own| own.within(Binding::Atom)).collect();
        Some(Expression {
            text: texts.join(" * "),
            line: factors.iter().find_map(|own| own.line),
            binding: Binding::Product,
        })
    }

    fn call(&self, function: &str, operands: &[Scev<'a>]) -> Option<Expression> {
        let operands: Vec<Expression> = operands
            .iter()
            .map(|own| self.expression(*own))
            .collect::<Option<_>>()?;
        let texts: Vec<&str> = operands.iter().map(|own| &*own.text).collect();
        let line = operands.iter().find_map(|own| own.line);
        Some(Expression::atom(format!("{function}({})", texts.join(", ")), line))
    }

    /// The counter of a loop around the region.
    fn outer_counter(&self, scev: Scev<'a>, around: Loop<'a>) -> Option<Expression> {
        let mut phis = around.header().phis().into_iter();
        let is_counter = |own: Scev<'a>| own == scev || !own.is_address() && self.run.widened(own) == scev;
        let phi = phis.find(|phi| {
            let is_integer = matches!(phi.ty().kind(), TypeKind::Integer(1..=64));
            is_integer && self.run.scev(*phi).is_some_and(is_counter)
        })?;
        self.value(phi)
    }

    fn array(&self, scop: &Scop<'a>, array: &IrArray<'a>) -> Option<Candidate> {
        let base = array.base.pointer()?;
        // What hoisted loads read is no array of the region.
        if array.accesses.is_empty()
            && let Some(load) = self.loaded_from(scop, base)
        {
            let name = self.run.source_name(load, self.before)?;
            return (name.role == Role::Value).then_some(Candidate {
                text: name.text,
                line: name.line,
            });
        }
        let name = self.run.source_name(base, self.before)?;
        Some(Candidate {
            text: name.text,
            line: name.line,
        })
    }

    fn loaded_from(&self, scop: &Scop<'a>, pointer: Value<'a>) -> Option<Value<'a>> {
        let mut loads = scop.ir.loads.iter().filter_map(|chain| chain.last().copied());
        loads.find(|load| matches!(load.kind(), Kind::Load { pointer: own } if own == pointer))
    }

    fn counter(&self, l: &ScopLoop<'a>) -> Option<String> {
        let names = l.inductions.iter();
        let mut names = names.filter_map(|own| self.run.counter_name(own.phi, l.handle));
        names.find(|name| name.role == Role::Value).map(|name| name.text)
    }
}

fn quotient(numerator: &Expression, denominator: &Expression) -> Expression {
    Expression {
        text: format!(
            "{} / {}",
            numerator.within(Binding::Product),
            denominator.within(Binding::Atom)
        ),
        line: numerator.line.or(denominator.line),
        binding: Binding::Product,
    }
}

#[cfg(test)]
mod tests {
    use super::{Candidate, distinct};
    use expect_test::{Expect, expect};

    /// The texts for things with these candidates: a text, and the line behind `@`.
    fn check(candidates: &[&str], expected: Expect) {
        let candidate = |text: &str| {
            let (text, line) = text.split_once('@').unwrap_or((text, ""));
            (!text.is_empty()).then(|| Candidate {
                text: text.to_owned(),
                line: line.parse().ok(),
            })
        };
        let things = candidates.iter().enumerate();
        let things = things.map(|(position, text)| (format!("{position}"), candidate(text)));
        let named = distinct("p", things.collect());
        let texts: Vec<&str> = (0..candidates.len())
            .map(|position| &*named[&position.to_string()])
            .collect();
        expected.assert_eq(&texts.join(", "));
    }

    #[test]
    fn names_are_kept_where_they_are_the_only_ones() {
        check(&["n@1", "m@1", ""], expect!["n, m, p2"]);
    }

    #[test]
    fn variables_of_one_name_are_told_apart_by_lines() {
        check(&["n@1", "n@7"], expect!["n (line 1), n (line 7)"]);
    }

    #[test]
    fn what_cannot_be_told_apart_has_no_name() {
        check(&["n@1", "n@1", "n"], expect!["p0, p1, p2"]);
    }

    #[test]
    fn ordinals_are_no_names_of_others() {
        check(&["", "p0@3"], expect!["p1, p0"]);
    }
}
