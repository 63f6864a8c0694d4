//! Text to programs.

use super::span::Span;
use super::words::{ACCESS_KINDS, ARRAY_KINDS, CLASSES, REDUCTION_OPERATIONS, Words};
use crate::program::{
    Access, AccessId, AccessKind, AccessMoves, Array, Chain, ElementType, Inspection, Kill, MultiplyAdd, Operation,
    Program, Reduction, Statement,
};
use crate::sets::{Aff, Map, MultiAff, Params, Set, SetSpace, Tuple};
use crate::text::ParseError;
use indexmap::IndexMap;
use indexmap::map::Entry;
use std::iter::Peekable;

type Parsed<T> = Result<T, ParseError>;

/// How far the entries of a program are indented.
const ENTRY: usize = 2;

/// How far those of a statement or a kill are.
const INNER: usize = 4;

/// The line that begins a program.
const PROGRAM: &str = "program";

/// All programs of a text.
pub(super) fn programs(text: &str) -> Parsed<Vec<Program>> {
    let mut lines = Lines(lines(text).peekable());
    let mut programs = Vec::new();
    while let Some(line) = lines.0.next() {
        if line.col() != 1 || line.text != PROGRAM {
            return Err(line.error(format!("expected `{PROGRAM}`")));
        }
        programs.push(program(&mut lines, line)?);
    }
    Ok(programs)
}

/// The lines that are neither empty nor comments, each without its indentation.
fn lines(text: &str) -> impl Iterator<Item = Span<'_>> {
    let all = text.lines().enumerate();
    let all = all.map(|(index, text)| Span::of_line(index + 1, text));
    all.filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
}

/// The lines that are left.
struct Lines<'t, I: Iterator<Item = Span<'t>>>(Peekable<I>);

impl<'t, I: Iterator<Item = Span<'t>>> Lines<'t, I> {
    /// The next line, if it is indented so far; `None` if it is indented less, or there is none.
    fn entry(&mut self, indent: usize) -> Parsed<Option<Span<'t>>> {
        match self.0.peek() {
            Some(line) if line.col() > 1 + indent => {
                Err(line.error(format!("expected an indentation of {indent} spaces or less")))
            }
            Some(line) if line.col() == 1 + indent => Ok(self.0.next()),
            Some(line) if line.col() == 1 || line.col() == 1 + ENTRY => Ok(None),
            Some(line) => Err(line.error(format!("expected an indentation of 0, {ENTRY} or {INNER} spaces"))),
            None => Ok(None),
        }
    }

    /// The value of the next line, `key: value` with this key; `at` is the line that it belongs to.
    fn expect(&mut self, indent: usize, key: &str, at: Span<'t>) -> Parsed<Span<'t>> {
        let missing = |line: Span<'t>| line.error(format!("expected `{key}: ..`"));
        let line = self.entry(indent)?.ok_or_else(|| missing(at))?;
        let split = line.split_once(":").filter(|(found, _)| found.text == key);
        split.map(|(_, value)| value).ok_or_else(|| missing(line))
    }
}

fn program<'t>(lines: &mut Lines<'t, impl Iterator<Item = Span<'t>>>, start: Span<'t>) -> Parsed<Program> {
    let context: Set = lines.expect(ENTRY, "context", start)?.value()?;
    let mut assumptions = None;
    let mut arrays: IndexMap<Tuple, Array> = IndexMap::new();
    let (mut statements, mut kills) = (Vec::new(), Vec::new());
    let params = context.params().clone();
    while let Some(line) = lines.entry(ENTRY)? {
        if let Some(name) = line.after("statement") {
            statements.push(statement(lines, name, &params)?);
            continue;
        }
        let (key, value) = line.split_once(":").ok_or_else(|| unexpected(line))?;
        if let Some(name) = key.after("array") {
            // Sizes may depend on parameters of which nothing is assumed.
            let known = assumptions.as_ref().map_or(&params, |set: &Set| set.params());
            let array = array(name, value, known)?;
            match arrays.entry(array.tuple.clone()) {
                Entry::Vacant(place) => place.insert(array),
                Entry::Occupied(_) => return Err(name.error(format!("`{}` is there already", name.text))),
            };
            continue;
        }
        match key.text {
            "assumptions" if assumptions.is_none() => {
                let set: Set = value.value()?;
                assumptions = Some(set.align_params(&params.union(set.params())));
            }
            "kill" => kills.push(kill(lines, value, &params)?),
            _ => return Err(unexpected(line)),
        }
    }
    Ok(Program {
        assumptions: assumptions.unwrap_or_else(|| Set::universe(SetSpace::params_only(params))),
        context,
        arrays,
        statements,
        kills,
    })
}

fn unexpected(line: Span<'_>) -> ParseError {
    line.error("expected `assumptions: ..`, `array NAME: ..`, `statement NAME` or `kill: ..`")
}

/// A name, as of an array.
fn name(span: Span<'_>) -> Parsed<&str> {
    let letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '.' | '\'');
    match !span.text.is_empty() && span.text.chars().all(letter) {
        true => Ok(span.text),
        false => Err(span.error(format!("expected a name, found `{}`", span.text))),
    }
}

fn array(name_at: Span<'_>, value: Span<'_>, params: &Params) -> Parsed<Array> {
    // Commas may be in sizes, but not before them.
    let brackets = value.text.find('[').unwrap_or(value.text.len());
    let (head, sizes) = (value.piece(0, brackets), value.piece(brackets, value.text.len()));
    let form = || value.error("expected `[inspected] KIND, N bytes` or `[inspected] KIND, N bytes, [][SIZE]..`");
    let parts = head.list();
    let (kind, bytes) = match (&parts[..], sizes.text.is_empty()) {
        ([kind, bytes], true) => (*kind, *bytes),
        ([kind, bytes, rest], false) if rest.text.is_empty() => (*kind, *bytes),
        _ => return Err(form()),
    };
    let for_rows = kind.after("inspected for rows").map(|rest| (rest, Inspection::Rows));
    let inspected = for_rows.or_else(|| Some((kind.after("inspected")?, Inspection::Values)));
    let kind = one_of(ARRAY_KINDS, inspected.map_or(kind, |(rest, _)| rest))?;
    let (count, unit) = bytes.split_once(" ").ok_or_else(form)?;
    if unit.text != "bytes" {
        return Err(unit.error("expected `bytes`"));
    }
    let element_size = count.number("a number of bytes")?;
    let Dimensions { dims, table_dims } = dimensions(sizes)?;
    let known: Vec<Span<'_>> = dims.iter().skip(1).copied().filter(|size| size.text != "?").collect();
    if !known.is_empty() && known.len() + 1 != dims.len() {
        return Err(sizes.error("expected all sizes to be known, or none"));
    }
    let outermost = dims.first().filter(|size| !size.text.is_empty());
    let outermost_size = outermost.map(|size| size.number("a number of elements")).transpose()?;
    let inner_sizes = known.into_iter().map(|size| parameter_expression(size, params));
    Ok(Array {
        tuple: Tuple::new(name(name_at)?, dims.len()),
        kind,
        element_size,
        outermost_size,
        inner_sizes: inner_sizes.collect::<Parsed<_>>()?,
        table_dims,
        inspection: inspected.map(|(_, inspection)| inspection),
    })
}

/// The dimensions of an array.
struct Dimensions<'t> {
    /// What is in the pairs of brackets.
    dims: Vec<Span<'t>>,
    /// How many of them are before a `*`.
    table_dims: usize,
}

fn dimensions(sizes: Span<'_>) -> Parsed<Dimensions<'_>> {
    let mut dims: Vec<Span<'_>> = Vec::new();
    let mut table_dims = 0;
    let (mut depth, mut start) = (0, 0);
    for (at, c) in sizes.text.char_indices() {
        match c {
            '[' => {
                if depth == 0 {
                    start = at + 1;
                }
                depth += 1;
            }
            ']' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    dims.push(sizes.piece(start, at));
                }
            }
            _ if depth > 0 => {}
            '*' if table_dims == 0 && !dims.is_empty() => table_dims = dims.len(),
            _ => return Err(sizes.piece(at, sizes.text.len()).error("expected `[`")),
        }
    }
    if depth > 0 {
        return Err(sizes.error("expected `]` for each `[`"));
    }
    Ok(Dimensions { dims, table_dims })
}

/// An expression over the parameters.
fn parameter_expression(text: Span<'_>, params: &Params) -> Parsed<Aff> {
    let before = format!("{params} -> {{ [(");
    let whole: Parsed<Aff> = format!("{before}{})] }}", text.text).parse();
    whole.map_err(|error| text.inside(error, before.chars().count()))
}

fn statement<'t>(
    lines: &mut Lines<'t, impl Iterator<Item = Span<'t>>>,
    name_at: Span<'t>,
    params: &Params,
) -> Parsed<Statement> {
    let named = name(name_at)?;
    let domain_at = lines.expect(INNER, "domain", name_at)?;
    let domain: Set = domain_at.value()?;
    check_params(domain_at, domain.params(), params)?;
    let domain = domain.align_params(params);
    if domain.tuple().name().is_none_or(|name| name.as_str() != named) {
        return Err(domain_at.error(format!("expected instances `{named}[..]`")));
    }
    let schedule: MultiAff = lines.expect(INNER, "schedule", name_at)?.value()?;
    let mut statement = Statement::new(domain, schedule, Vec::new());
    while let Some(line) = lines.entry(INNER)? {
        let (key, value) = line.split_once(":").ok_or_else(|| unexpected_inside(line))?;
        match key.text {
            "trip counts" => statement.trip_counts = value.list().into_iter().map(trip_count).collect::<Parsed<_>>()?,
            "blocks" => statement.blocks = value.number("a number of blocks")?,
            "reloads" => statement.reloads = value.number("a number of loads")?,
            "operations" => statement.operations = operations(value)?,
            "contracted" => statement.contracted = value.number("a number of additions")?,
            "only in original" => statement.only_in_original = operations(value)?,
            "in registers" => statement.in_registers = access_ids(value)?,
            "conditional in original" => statement.conditional_in_original = access_ids(value)?,
            "chain" => statement.chains.push(chain(value)?),
            text if text.starts_with("moves of ") => statement.moves.push(access_moves(key, value)?),
            text if text.starts_with("multiply-add") => statement.multiply_add = Some(multiply_add(key, value)?),
            _ => statement.accesses.push(access(line, key, value, params)?),
        }
    }
    Ok(statement)
}

/// Accesses of a statement, as `access 0, access 2`.
fn access_ids(list: Span<'_>) -> Parsed<Vec<AccessId>> {
    let id = |span: Span<'_>| access_id(span, || span.error("expected `access N`"));
    list.list().into_iter().map(id).collect()
}

/// How an access moves along each dimension, as `moves of access 2: 0, 1, ?`.
fn access_moves(key: Span<'_>, value: Span<'_>) -> Parsed<AccessMoves> {
    let form = || key.error("expected `moves of access N`");
    let access = access_id(key.after("moves of").ok_or_else(form)?, form)?;
    let by = |span: Span<'_>| match span.text {
        "?" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|_| span.error("expected a number of elements or `?`")),
    };
    let by: Parsed<_> = value.list().into_iter().map(by).collect();
    Ok(AccessMoves { access, by: by? })
}

fn unexpected_inside(line: Span<'_>) -> ParseError {
    line.error(
        "expected `read: ..`, `may write: ..`, `write: ..`, each also with `, reduction OPERATION TYPE`, or `trip counts: ..`, \
         `blocks: ..`, `reloads: ..`, `operations: ..`, `contracted: ..`, `only in original: ..`, `in registers: ..`, \
         `conditional in original: ..`, `moves of access N: ..`, `chain: ..` or `multiply-add TYPE: ..`",
    )
}

fn trip_count(span: Span<'_>) -> Parsed<Option<u64>> {
    match span.text {
        "?" => Ok(None),
        _ => span.number("a trip count or `?`").map(Some),
    }
}

fn access(line: Span<'_>, key: Span<'_>, value: Span<'_>, params: &Params) -> Parsed<Access> {
    let parts = key.list();
    let (kind, reduction) = match &parts[..] {
        [kind] => (*kind, None),
        [kind, reduction] if reduction.text.starts_with("reduction") => (*kind, Some(self::reduction(*reduction)?)),
        _ => return Err(unexpected_inside(line)),
    };
    let kind: AccessKind = one_of(ACCESS_KINDS, kind).map_err(|_| unexpected_inside(line))?;
    Ok(Access {
        kind,
        relation: relation(value, params)?,
        reduction,
    })
}

/// `reduction OPERATION TYPE`.
fn reduction(span: Span<'_>) -> Parsed<Reduction> {
    let form = || span.error(format!("expected `reduction OPERATION TYPE`, found `{}`", span.text));
    let rest = span.after("reduction").ok_or_else(form)?;
    let (operation, ty) = rest.split_once(" ").ok_or_else(form)?;
    Ok(Reduction {
        operation: one_of(REDUCTION_OPERATIONS, operation)?,
        ty: element_type(ty)?,
    })
}

fn kill<'t>(lines: &mut Lines<'t, impl Iterator<Item = Span<'t>>>, value: Span<'t>, params: &Params) -> Parsed<Kill> {
    let relation = relation(value, params)?;
    let schedule = lines.expect(INNER, "schedule", value)?.value()?;
    if let Some(line) = lines.entry(INNER)? {
        return Err(line.error("expected nothing more of the kill"));
    }
    Ok(Kill { relation, schedule })
}

/// The error that a value depends on another parameter than those of the context, if it does.
fn check_params(span: Span<'_>, used: &Params, params: &Params) -> Parsed<()> {
    match used.names().iter().find(|name| params.position_of(name).is_none()) {
        Some(other) => Err(span.error(format!("expected parameters of the context, found `{other}`"))),
        None => Ok(()),
    }
}

/// The relation over these parameters, if it has no others.
fn relation(span: Span<'_>, params: &Params) -> Parsed<Map> {
    let map: Map = span.value()?;
    check_params(span, map.params(), params)?;
    Ok(map.align_params(params))
}

fn operations(value: Span<'_>) -> Parsed<Vec<Operation>> {
    value.list().into_iter().map(operation).collect()
}

fn operation(span: Span<'_>) -> Parsed<Operation> {
    let form = || span.error(format!("expected `COUNT CLASS TYPE`, found `{}`", span.text));
    let (count, rest) = span.split_once(" ").ok_or_else(form)?;
    let last = rest.text.rfind(' ').ok_or_else(form)?;
    Ok(Operation {
        count: count.number("a number of operations")?,
        class: one_of(CLASSES, rest.piece(0, last))?,
        ty: element_type(rest.piece(last, rest.text.len()))?,
    })
}

fn element_type(span: Span<'_>) -> Parsed<ElementType> {
    let of = |letter: &str| span.text.strip_prefix(letter).and_then(|bits| bits.parse().ok());
    let float = of("f").map(ElementType::Float);
    float
        .or_else(|| of("i").map(ElementType::Integer))
        .ok_or_else(|| span.error(format!("expected a type such as `f64` or `i32`, found `{}`", span.text)))
}

/// `access R -> access W: OPERATIONS`.
fn chain(value: Span<'_>) -> Parsed<Chain> {
    let (ends, between) = match value.split_once(":") {
        Some((ends, between)) => (ends, operations(between)?),
        None => (value, Vec::new()),
    };
    let form = || value.error("expected `access R -> access W` or `access R -> access W: OPERATIONS`");
    let (read, write) = ends.split_once("->").ok_or_else(form)?;
    Ok(Chain {
        read: access_id(read, form)?,
        write: access_id(write, form)?,
        operations: between,
    })
}

/// `multiply-add TYPE: (access X, ..) * (access Y, ..) + access R -> access W`.
fn multiply_add(key: Span<'_>, value: Span<'_>) -> Parsed<MultiplyAdd> {
    let form = || value.error("expected `(access X, ..) * (access Y, ..) + access R -> access W`");
    let ty = key.after("multiply-add").ok_or_else(|| key.error("expected a type"))?;
    let (sum, written) = value.split_once("->").ok_or_else(form)?;
    let (product, addend) = sum.split_once("+").ok_or_else(form)?;
    let (x, y) = product.split_once("*").ok_or_else(form)?;
    let factor = |span: Span<'_>| -> Parsed<Vec<AccessId>> {
        let (_, reads) = span.split_once("(").ok_or_else(form)?;
        let (reads, _) = reads.split_once(")").ok_or_else(form)?;
        match reads.text.is_empty() {
            true => Ok(Vec::new()),
            false => reads.list().into_iter().map(|read| access_id(read, form)).collect(),
        }
    };
    Ok(MultiplyAdd {
        ty: element_type(ty)?,
        addend: access_id(addend, form)?,
        factors: [factor(x)?, factor(y)?],
        written: access_id(written, form)?,
    })
}

/// `access N`.
fn access_id(span: Span<'_>, otherwise: impl Fn() -> ParseError) -> Parsed<AccessId> {
    let number = span.after("access").ok_or_else(otherwise)?;
    Ok(AccessId(number.number("a position among the accesses")?))
}

/// The value that the word stands for.
fn one_of<T: Copy>(words: Words<T>, span: Span<'_>) -> Parsed<T> {
    let found = words.iter().find(|(_, word)| *word == span.text);
    found.map(|(value, _)| *value).ok_or_else(|| {
        let all: Vec<String> = words.iter().map(|(_, word)| format!("`{word}`")).collect();
        span.error(format!("expected one of {}, found `{}`", all.join(", "), span.text))
    })
}
