//! Sets and relations to text.

use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Conj, Div, Map, Params, Set, Tuple, UnionMap, UnionSet};
use std::collections::HashSet;
use std::fmt::{self, Display, Write};

/// The names of all variables, distinct: parameters, then the tuples' dimensions, those without a name called after
/// `prefixes`, as `i0`, `o1`. Names that occur before get a `'`.
pub(super) fn variable_names(params: &Params, tuples: &[(&Tuple, &str)]) -> Vec<String> {
    let mut names = parameter_names(params);
    for (tuple, prefix) in tuples {
        for (k, name) in tuple.dims().iter().enumerate() {
            let mut name = name.as_ref().map_or_else(|| format!("{prefix}{k}"), |n| n.to_string());
            while names.contains(&name) {
                name.push('\'');
            }
            names.push(name);
        }
    }
    names
}

/// The names of parameters. Those that differ in their user data only get a `'`.
fn parameter_names(params: &Params) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(params.len());
    let mut distinct = HashSet::new();
    for name in params.names() {
        let mut name = name.to_string();
        while !distinct.insert(name.clone()) {
            name.push('\'');
        }
        names.push(name);
    }
    names
}

/// A sum of terms with a constant.
pub(super) struct Sum {
    constant: Int,
    terms: Vec<(Int, String)>,
}

impl Sum {
    fn negated(&self) -> Sum {
        Sum {
            constant: -&self.constant,
            terms: self.terms.iter().map(|(c, t)| (-c, t.clone())).collect(),
        }
    }

    fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }
}

impl Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        if !self.constant.is_zero() || self.terms.is_empty() {
            write!(f, "{}", self.constant)?;
            first = false;
        }
        for (coef, term) in &self.terms {
            match (first, coef.is_neg()) {
                (true, true) => f.write_str("-")?,
                (true, false) => {}
                (false, true) => f.write_str(" - ")?,
                (false, false) => f.write_str(" + ")?,
            }
            first = false;
            let size = coef.abs();
            if !size.is_one() {
                write!(f, "{size}")?;
                if !term.starts_with(|c: char| c.is_alphabetic() || c == '_') || term.contains('(') {
                    f.write_str("*")?;
                }
            }
            f.write_str(term)?;
        }
        Ok(())
    }
}

/// The names of the columns of a conjunction.
pub(super) struct Columns<'a> {
    pub(super) names: &'a [String],
    pub(super) divs: &'a [Div],
}

impl Columns<'_> {
    /// The row as a sum. Where `q = floor(num / den)` occurs with a multiple of `den`, `num mod den` takes its place if
    /// that leaves fewer terms.
    pub(super) fn sum(&self, row: &[Int]) -> Sum {
        let plain = 1 + self.names.len();
        let mut linear = row.to_vec();
        let mut moduli = Vec::new();
        for (d, Div { num, den }) in self.divs.iter().enumerate().rev() {
            let col = plain + d;
            if linear[col].is_zero() || !linear[col].divisible_by(den) {
                continue;
            }
            // -m den q = m (num mod den) - m num
            let m = -linear[col].div_exact(den);
            let mut other = linear.clone();
            other[col] = Int::ZERO;
            for (x, y) in other.iter_mut().zip(num) {
                *x -= &m * y;
            }
            let size = |row: &[Int]| row[1..].iter().filter(|x| !x.is_zero()).count();
            if size(&other) + 1 < size(&linear) {
                linear = other;
                moduli.push((m, format!("(({}) mod {den})", self.sum(num))));
            }
        }
        let mut terms: Vec<(Int, String)> = Vec::new();
        for (x, name) in linear[1..].iter().zip(self.names) {
            if !x.is_zero() {
                terms.push((x.clone(), name.clone()));
            }
        }
        for (x, Div { num, den }) in linear[plain..].iter().zip(self.divs) {
            if !x.is_zero() {
                terms.push((x.clone(), format!("floor(({})/{den})", self.sum(num))));
            }
        }
        terms.extend(moduli);
        Sum {
            constant: linear[0].clone(),
            terms,
        }
    }
}

/// An inequality, ready to be put on one side of what it bounds.
struct Bound {
    /// What is bounded, with its positive coefficient.
    subject: Sum,
    /// Whether from below.
    lower: bool,
    /// The bound.
    bound: Sum,
}

impl Bound {
    fn of(sum: &Sum, n_names: usize, names: &[String]) -> Bound {
        // The last variable, or the last term if there is none.
        let main = sum
            .terms
            .iter()
            .rposition(|(_, t)| names[..n_names].contains(t))
            .unwrap_or(sum.terms.len() - 1);
        let lower = sum.terms[main].0.is_pos();
        let (coef, term) = sum.terms[main].clone();
        let mut rest = Sum {
            constant: sum.constant.clone(),
            terms: sum.terms.clone(),
        };
        rest.terms.remove(main);
        let subject = Sum {
            constant: Int::ZERO,
            terms: vec![(coef.abs(), term)],
        };
        Bound {
            subject,
            lower,
            bound: if lower { rest.negated() } else { rest },
        }
    }

    /// The sign and bound to the right of the subject if this is an upper bound, to its left otherwise.
    fn sign_and_bound(&self) -> (&'static str, String) {
        let strict = Int::from(if self.lower { 1 } else { -1 });
        if self.bound.constant == strict {
            let bound = Sum {
                constant: Int::ZERO,
                terms: self.bound.terms.clone(),
            };
            return ("<", bound.to_string());
        }
        ("<=", self.bound.to_string())
    }

    /// The bound on its own: the subject first.
    fn alone(&self) -> String {
        let (sign, bound) = self.sign_and_bound();
        let sign = match (self.lower, sign) {
            (true, "<") => ">",
            (true, _) => ">=",
            (false, sign) => sign,
        };
        format!("{} {sign} {bound}", self.subject)
    }
}

/// The constraints that are not used already, joined by `and`.
fn write_condition(out: &mut String, conj: &Conj, names: &[String], used: &Used) {
    let columns = Columns {
        names,
        divs: conj.divs(),
    };
    let mut atoms: Vec<String> = Vec::new();
    for (i, eq) in conj.eqs().iter().enumerate() {
        if used.eqs.contains(&i) {
            continue;
        }
        let sum = columns.sum(eq);
        if sum.is_constant() {
            atoms.push(if sum.constant.is_zero() {
                "true".into()
            } else {
                "false".into()
            });
            continue;
        }
        let bound = Bound::of(&sum, names.len(), names);
        atoms.push(format!("{} = {}", bound.subject, bound.bound));
    }
    let bounds: Vec<Bound> = conj
        .ineqs()
        .iter()
        .enumerate()
        .filter(|(i, _)| !used.ineqs.contains(i))
        .map(|(_, row)| columns.sum(row))
        .filter(|sum| !sum.is_constant())
        .map(|sum| Bound::of(&sum, names.len(), names))
        .collect();
    let subjects: Vec<String> = bounds.iter().map(|b| b.subject.to_string()).collect();
    let mut done = vec![false; bounds.len()];
    for i in 0..bounds.len() {
        if done[i] {
            continue;
        }
        let other = (i + 1..bounds.len())
            .find(|&j| !done[j] && subjects[i] == subjects[j] && bounds[i].lower != bounds[j].lower);
        atoms.push(match other {
            None => bounds[i].alone(),
            Some(j) => {
                done[j] = true;
                let (low, high) = if bounds[i].lower { (i, j) } else { (j, i) };
                let (low_sign, low) = bounds[low].sign_and_bound();
                let (high_sign, high) = bounds[high].sign_and_bound();
                format!("{low} {low_sign} {} {high_sign} {high}", subjects[i])
            }
        });
    }
    if conj
        .ineqs()
        .iter()
        .any(|r| r[1..].iter().all(Int::is_zero) && r[0].is_neg())
    {
        atoms.push("false".into());
    }
    out.push_str(&atoms.join(" and "));
}

/// The constraints that the entries of tuples say already.
#[derive(Default)]
struct Used {
    eqs: Vec<usize>,
    ineqs: Vec<usize>,
}

/// What variable `var` is equal to by the ones before it, if an equality or the two bounds of a floor say so, which are
/// then added to `used`.
fn definition(conj: &Conj, var: usize, names: &[String], used: &mut Used) -> Option<String> {
    // Locals count as later variables: a tuple is outside of their scope.
    let n_vars = names.len();
    let mut dependent: Vec<bool> = Vec::new();
    for div in conj.divs() {
        let hit = div.num[1..]
            .iter()
            .enumerate()
            .any(|(i, x)| !x.is_zero() && if i < n_vars { i >= var } else { dependent[i - n_vars] });
        dependent.push(hit);
    }
    let by_earlier = |row: &[Int]| {
        row[2 + var..1 + n_vars].iter().all(Int::is_zero)
            && row[1 + n_vars..]
                .iter()
                .zip(&dependent)
                .all(|(x, dep)| x.is_zero() || !dep)
    };
    let columns = Columns {
        names,
        divs: conj.divs(),
    };
    if let Some(i) = conj
        .eqs()
        .iter()
        .position(|eq| eq[1 + var].abs().is_one() && by_earlier(eq))
    {
        if used.eqs.contains(&i) {
            return None;
        }
        used.eqs.push(i);
        let mut row = conj.eqs()[i].clone();
        let sign = -std::mem::take(&mut row[1 + var]);
        for x in &mut row {
            *x *= &sign;
        }
        return Some(columns.sum(&row).to_string());
    }
    // a x <= e and a x >= e - a + 1
    let (upper, lower) = conj.floor_bounds(var)?;
    let mut row = conj.ineqs()[upper].clone();
    let size = -std::mem::take(&mut row[1 + var]);
    if !by_earlier(&conj.ineqs()[upper]) || &row[0] + &conj.ineqs()[lower][0] != &size - &Int::ONE {
        return None;
    }
    used.ineqs.extend([upper, lower]);
    Some(format!("floor(({})/{size})", columns.sum(&row)))
}

/// How the dimensions of the tuples of a piece are printed: name, definition, or both.
struct Entries {
    texts: Vec<String>,
    used: Used,
}

impl Entries {
    /// Entries for the variables from `first` on; `named` says which have names of their own.
    fn of(conj: &Conj, first: usize, names: &[String], named: &[bool]) -> Entries {
        let mut texts = Vec::new();
        let mut used = Used::default();
        for var in first..conj.n_vars() {
            let name = &names[var];
            texts.push(match definition(conj, var, names, &mut used) {
                Some(value) => {
                    // Without a name the dimension cannot be referred to from elsewhere.
                    let rows = |rows: &[Row], used: &[usize]| {
                        rows.iter()
                            .enumerate()
                            .any(|(i, r)| !used.contains(&i) && !r[1 + var].is_zero())
                    };
                    let referred = rows(conj.eqs(), &used.eqs)
                        || rows(conj.ineqs(), &used.ineqs)
                        || conj.divs().iter().any(|d| !d.num[1 + var].is_zero());
                    if named[var - first] || referred {
                        format!("{name} = {value}")
                    } else {
                        format!("({value})")
                    }
                }
                None => name.clone(),
            });
        }
        Entries { texts, used }
    }
}

/// Writes a tuple and takes its entries from `texts`.
pub(super) fn write_tuple(out: &mut String, tuple: &Tuple, texts: &mut std::slice::Iter<'_, String>) {
    if let Some(name) = tuple.name() {
        out.push_str(name);
    }
    out.push('[');
    match tuple.nested() {
        Some((a, b)) => {
            write_tuple(out, a, texts);
            out.push_str(" -> ");
            write_tuple(out, b, texts);
        }
        None => {
            let entries: Vec<&str> = texts.take(tuple.n()).map(String::as_str).collect();
            out.push_str(&entries.join(", "));
        }
    }
    out.push(']');
}

pub(super) fn write_params(out: &mut String, params: &Params) {
    if !params.is_empty() {
        let _ = write!(out, "[{}] -> ", parameter_names(params).join(", "));
    }
}

/// Names for as many locals, none of which is among `names`.
fn local_names(count: usize, names: &[String]) -> Vec<String> {
    let fresh = (0..).map(|k| format!("e{k}")).filter(|name| !names.contains(name));
    fresh.take(count).collect()
}

/// Writes the pieces of a set or relation between the braces. `tuples` are those that are printed.
fn write_pieces(out: &mut String, params: &Params, tuples: &[(&Tuple, &str)], pieces: &[Conj]) {
    let names = variable_names(params, tuples);
    let named: Vec<bool> = tuples
        .iter()
        .flat_map(|(t, _)| t.dims().iter().map(Option::is_some))
        .collect();
    let empty = [Conj::empty(names.len())];
    let pieces = if pieces.is_empty() { &empty[..] } else { pieces };
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            out.push_str("; ");
        }
        let locals = local_names(piece.n_locals(), &names);
        let names = [&names[..], &locals].concat();
        let entries = Entries::of(piece, params.len(), &names, &named);
        let mut texts = entries.texts.iter();
        let mut bare = true;
        for (k, (tuple, _)) in tuples.iter().enumerate() {
            if tuples.len() == 1 && tuple.is_unit() {
                continue;
            }
            bare = false;
            if k > 0 {
                out.push_str(" -> ");
            }
            write_tuple(out, tuple, &mut texts);
        }
        let mut condition = String::new();
        write_condition(&mut condition, piece, &names, &entries.used);
        if !locals.is_empty() && !condition.is_empty() {
            condition = format!("exists ({}: {condition})", locals.join(", "));
        }
        match (bare, condition.is_empty()) {
            (true, _) => {
                let _ = write!(out, ": {condition}");
            }
            (false, true) => {}
            (false, false) => {
                let _ = write!(out, " : {condition}");
            }
        }
    }
}

/// The condition for a point to be in the set, none if all points of the space plainly are.
pub(super) fn condition(set: &Set, names: &[String]) -> Option<String> {
    let alternatives: Vec<String> = set
        .pieces()
        .iter()
        .map(|piece| {
            let mut out = String::new();
            let locals = local_names(piece.n_locals(), names);
            let names = [names, &locals].concat();
            write_condition(&mut out, piece, &names, &Used::default());
            if locals.is_empty() || out.is_empty() {
                out
            } else {
                format!("exists ({}: {out})", locals.join(", "))
            }
        })
        .collect();
    if alternatives.iter().any(String::is_empty) {
        return None;
    }
    let several = alternatives.len() > 1;
    let texts: Vec<String> = alternatives
        .into_iter()
        .map(|text| {
            if several && text.contains(" and ") && !text.starts_with("exists") {
                format!("({text})")
            } else {
                text
            }
        })
        .collect();
    Some(if texts.is_empty() {
        "false".into()
    } else {
        texts.join(" or ")
    })
}

pub(super) fn write_set(out: &mut String, set: &Set) {
    write_pieces(out, set.params(), &[(set.tuple(), "i")], set.pieces());
}

fn write_map(out: &mut String, map: &Map) {
    write_pieces(
        out,
        map.params(),
        &[(map.domain_tuple(), "i"), (map.range_tuple(), "o")],
        map.pieces(),
    );
}

/// Writes `[params] -> { members }`.
pub(super) fn write_all(
    f: &mut fmt::Formatter<'_>,
    params: &Params,
    members: impl Iterator<Item = impl FnOnce(&mut String)>,
) -> fmt::Result {
    let mut out = String::new();
    write_params(&mut out, params);
    out.push_str("{ ");
    for (i, member) in members.enumerate() {
        if i > 0 {
            out.push_str("; ");
        }
        member(&mut out);
    }
    out.push_str(if out.ends_with(' ') { "}" } else { " }" });
    f.write_str(&out)
}

impl Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(
            f,
            self.params(),
            std::iter::once(|out: &mut String| write_set(out, self)),
        )
    }
}

impl Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(
            f,
            self.params(),
            std::iter::once(|out: &mut String| write_map(out, self)),
        )
    }
}

impl Display for UnionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(
            f,
            self.params(),
            self.sets().map(|set| move |out: &mut String| write_set(out, set)),
        )
    }
}

impl Display for UnionMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(
            f,
            self.params(),
            self.maps().map(|map| move |out: &mut String| write_map(out, map)),
        )
    }
}
