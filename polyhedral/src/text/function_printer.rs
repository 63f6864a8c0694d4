//! Quasi-affine expressions, tuples of them and unions of these to text.

use super::printer::{Columns, condition, variable_names, write_all, write_params, write_set, write_tuple};
use crate::int::Int;
use crate::sets::{
    Aff, MultiAff, MultiPwAff, MultiUnionPwAff, Params, PwAff, PwMultiAff, Set, SetSpace, Tuple, UnionPwAff,
    UnionPwMultiAff,
};
use std::fmt::{self, Display, Write};

/// The expression over variables with these names.
fn aff_text(aff: &Aff, names: &[String]) -> String {
    let sum = Columns {
        names,
        divs: aff.divs(),
    }
    .sum(aff.row());
    if aff.den().is_one() {
        format!("({sum})")
    } else {
        format!("(({sum})/{})", aff.den())
    }
}

/// An expression over the parameters alone, without what says so: `1 + n`.
pub(crate) fn parameter_expression(aff: &Aff) -> String {
    let text = aff_text(aff, &names(aff.space()));
    let bare = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    bare.expect("an expression is in parentheses").to_string()
}

/// The piecewise expression as an entry of a tuple.
fn pw_aff_text(aff: &PwAff, names: &[String]) -> String {
    let pieces: Vec<String> = aff
        .pieces()
        .map(|(domain, aff)| {
            let text = aff_text(aff, names);
            match condition(domain, names) {
                Some(condition) => format!("{text} : {condition}"),
                None => text,
            }
        })
        .collect();
    match &pieces[..] {
        [] => "((0) : false)".into(),
        [one] if !one.contains(" : ") => one.clone(),
        several => format!("({})", several.join("; ")),
    }
}

/// Writes `domain -> range : condition` with the entries `texts` of the range.
fn write_function(
    out: &mut String,
    (params, domain): (&Params, &Tuple),
    range: &Tuple,
    texts: &[String],
    condition: Option<&str>,
) {
    let names = variable_names(params, &[(domain, "i")]);
    write_tuple(out, domain, &mut names[params.len()..].iter());
    out.push_str(" -> ");
    write_tuple(out, range, &mut texts.iter());
    if let Some(condition) = condition {
        let _ = write!(out, " : {condition}");
    }
}

fn names(space: &SetSpace) -> Vec<String> {
    variable_names(&space.params, &[(&space.tuple, "i")])
}

fn write_affs(out: &mut String, space: &SetSpace, range: &Tuple, affs: &[Aff], domain: Option<&Set>) {
    let names = names(space);
    let texts: Vec<String> = affs.iter().map(|a| aff_text(a, &names)).collect();
    let condition = domain.and_then(|domain| condition(domain, &names));
    write_function(out, (&space.params, &space.tuple), range, &texts, condition.as_deref());
}

/// Writes a function that has no value anywhere.
fn write_nothing(out: &mut String, space: &SetSpace, range: &Tuple) {
    let zero = Aff::constant(space.clone(), Int::ZERO);
    let affs = vec![zero; range.n()];
    write_affs(out, space, range, &affs, Some(&Set::empty(space.clone())));
}

fn write_pw_aff(out: &mut String, aff: &PwAff) {
    let range = Tuple::anonymous(1);
    for (i, (domain, aff)) in aff.pieces().enumerate() {
        out.push_str(if i > 0 { "; " } else { "" });
        write_affs(out, domain.space(), &range, std::slice::from_ref(aff), Some(domain));
    }
    if aff.pieces().len() == 0 {
        write_nothing(out, aff.space(), &range);
    }
}

fn write_pw_multi_aff(out: &mut String, function: &PwMultiAff) {
    let range = &function.space().range;
    for (i, (domain, value)) in function.pieces().enumerate() {
        out.push_str(if i > 0 { "; " } else { "" });
        write_affs(out, domain.space(), range, value.affs(), Some(domain));
    }
    if function.pieces().len() == 0 {
        write_nothing(out, &function.space().domain_space(), range);
    }
}

impl Display for Aff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = Tuple::anonymous(1);
        let write = |out: &mut String| write_affs(out, self.space(), &range, std::slice::from_ref(self), None);
        write_all(f, self.params(), std::iter::once(write))
    }
}

impl Display for MultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |out: &mut String| {
            write_affs(out, &self.domain_space(), &self.space().range, self.affs(), None);
        };
        write_all(f, self.params(), std::iter::once(write))
    }
}

impl Display for PwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |out: &mut String| write_pw_aff(out, self);
        write_all(f, self.params(), std::iter::once(write))
    }
}

impl Display for PwMultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |out: &mut String| write_pw_multi_aff(out, self);
        write_all(f, self.params(), std::iter::once(write))
    }
}

impl Display for MultiPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = self.space().domain_space();
        let names = names(&space);
        let texts: Vec<String> = self.affs().iter().map(|a| pw_aff_text(a, &names)).collect();
        // Otherwise the expressions say it.
        let condition = if self.is_empty() {
            condition(&self.domain(), &names)
        } else {
            None
        };
        let write = |out: &mut String| {
            write_function(
                out,
                (&space.params, &space.tuple),
                &self.space().range,
                &texts,
                condition.as_deref(),
            );
        };
        write_all(f, self.params(), std::iter::once(write))
    }
}

impl Display for UnionPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |aff| move |out: &mut String| write_pw_aff(out, aff);
        write_all(f, self.params(), self.pw_affs().map(write))
    }
}

impl Display for UnionPwMultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |function| move |out: &mut String| write_pw_multi_aff(out, function);
        write_all(f, self.params(), self.pw_multi_affs().map(write))
    }
}

/// Writes `{ members }`, without parameters.
fn braces(members: Vec<String>) -> String {
    if members.is_empty() {
        return "{ }".into();
    }
    format!("{{ {} }}", members.join("; "))
}

impl Display for MultiUnionPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        write_params(&mut out, self.params());
        let name = self.range_tuple().name().map_or("", |n| n);
        if self.is_empty() {
            let domain = self.domain();
            let sets = domain.sets().map(|set| {
                let mut text = String::new();
                write_set(&mut text, set);
                text
            });
            let _ = write!(out, "({name}[] : {})", braces(sets.collect()));
            return f.write_str(&out);
        }
        let entries = self.affs().iter().map(|aff| {
            let parts = aff.pw_affs().map(|part| {
                let mut text = String::new();
                write_pw_aff(&mut text, part);
                text
            });
            braces(parts.collect())
        });
        let entries: Vec<String> = entries.collect();
        let _ = write!(out, "{name}[{}]", entries.join(", "));
        f.write_str(&out)
    }
}
