//! Small values for sizes: constant sizes as parameters, and values that assumptions allow.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Params, Set};
use std::collections::{BTreeMap, BTreeSet};

/// The value of each parameter.
pub(crate) type Values = BTreeMap<String, Int>;

/// The constants that count as sizes.
const SIZES: std::ops::RangeInclusive<i64> = 64..=5000;

/// Sizes that differ by no more are made of the same parameter.
const NEAR: i64 = 4;

/// The text of programs with constant sizes as parameters `size0`, `size1`, ..
pub(crate) fn as_parameters(text: &str) -> String {
    let sizes = sizes(text);
    let lines = text.lines().map(|line| match line.find('{') {
        Some(start) if is_relation(line) => relation(&line[..start], &line[start..], &sizes),
        _ => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

/// The program with what is known of the parameters that [`as_parameters`] made of constants.
pub(crate) fn with_bounds(program: &Program, text: &str) -> Program {
    let mut program = program.clone();
    for (index, size) in sizes(text).iter().enumerate() {
        let bounds = format!("[size{index}] -> {{ : 0 <= size{index} <= {size} }}");
        program.context = program.context.intersect(&bounds.parse().expect("a set"));
    }
    program
}

fn is_relation(line: &str) -> bool {
    let key = line.trim_start().split(':').next().unwrap_or_default();
    ["context", "domain", "read", "write", "may write", "kill"]
        .iter()
        .any(|k| key.starts_with(k))
}

/// The smallest one of each group of sizes.
fn sizes(text: &str) -> Vec<i64> {
    let relations = text.lines().filter(|line| is_relation(line));
    let constants: BTreeSet<i64> = relations.flat_map(tokens).filter_map(|token| token.size()).collect();
    let mut sizes: Vec<i64> = Vec::new();
    let mut last = i64::MIN;
    for constant in constants {
        if constant > last.saturating_add(NEAR) {
            sizes.push(constant);
        }
        last = constant;
    }
    sizes
}

/// A relation with parameters for sizes. `head` is what comes before the first brace.
fn relation(head: &str, body: &str, sizes: &[i64]) -> String {
    if sizes.is_empty() {
        return [head, body].concat();
    }
    let names: Vec<String> = (0..sizes.len()).map(|index| format!("size{index}")).collect();
    let names = names.join(", ");
    let head = match head.strip_suffix("] -> ") {
        Some(params) => format!("{params}, {names}] -> "),
        None => format!("{head}[{names}] -> "),
    };
    let body = tokens(body).into_iter().map(|token| match token.size() {
        Some(constant) => {
            let index = sizes.partition_point(|size| *size <= constant) - 1;
            format!("(size{index} + {})", constant - sizes[index])
        }
        None => token.text.to_owned(),
    });
    head + &body.collect::<String>()
}

/// A word, or what is between two words.
struct Token<'a> {
    text: &'a str,
    /// Whether it is the only factor of its term.
    alone: bool,
}

impl Token<'_> {
    fn size(&self) -> Option<i64> {
        let constant = self.text.parse().ok()?;
        (self.alone && SIZES.contains(&constant)).then_some(constant)
    }
}

fn tokens(line: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut start = 0;
    while start < line.len() {
        let word = line[start..].starts_with(is_word);
        let length = line[start..].find(|c| is_word(c) != word).unwrap_or(line.len() - start);
        let end = start + length;
        let before = line[..start].trim_end();
        let factor = ["*", "/", "mod"].iter().any(|operator| before.ends_with(operator));
        tokens.push(Token {
            text: &line[start..end],
            alone: word && !factor && !line[end..].trim_start().starts_with('*'),
        });
        start = end;
    }
    tokens
}

/// Values of the parameters of a program for which its plan is right, each as near to `value` as those before it allow.
pub(crate) fn params_near(program: &Program, assumptions: &Set, value: i64) -> Option<Values> {
    let b = Budget::unlimited();
    let mut possible = assumptions.intersect(&program.context);
    let of = |params: &Params| -> Vec<String> { params.names().iter().map(|name| name.to_string()).collect() };
    let mut names: BTreeSet<String> = of(possible.params()).into_iter().collect();
    for statement in &program.statements {
        names.extend(of(statement.domain.params()));
        let relations = statement.accesses.iter().map(|access| access.relation.params());
        names.extend(relations.flat_map(of));
    }
    let mut values = Values::new();
    for name in names {
        let near = (0..60).flat_map(|distance| [value + distance, value - distance]);
        let (found, fixed) = near
            .map(|value| (Int::from(value), possible.fix_param(&name, &Int::from(value))))
            .find(|(_, fixed)| !fixed.is_empty(&b).expect("no end of budget"))?;
        values.insert(name, found);
        possible = fixed;
    }
    Some(values)
}
