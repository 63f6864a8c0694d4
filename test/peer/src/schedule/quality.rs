//! What a schedule offers to each of its statements, and when two schedules are equivalent.
//!
//! A member of a band that follows from outer members on a statement, or is constant on it, schedules nothing of the
//! statement, and does not count for it.
//!
//! Two schedules are *equivalent* if for every statement they have the same bands, from the outside to the inside, and
//! the same statements share the outermost band. Two bands are the same for a statement if they have the same members up
//! to constants and parameters, which shift a statement as a whole, with the same ones coincident, in any order where
//! the band is permutable. That leaves open how independent children of a sequence are ordered, and by how much
//! statements are shifted; that the dependences hold is checked apart from this.

use super::outline::{Band, Node, Outline};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Matrix, rank};
use farkas_polyhedral::sets::{Aff, Tuple};
use indexmap::IndexMap;

/// The figures of a statement, or their sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// Members in permutable bands that may be exchanged with another one: those of bands with at least two.
    pub permutable: usize,
    /// Coincident members.
    pub coincident: usize,
    /// Members of the outermost band.
    pub outer: usize,
    /// Coincident members at the start of the outermost band.
    pub outer_coincident: usize,
}

impl Quality {
    /// Whether there is less of anything than in `other`.
    pub fn is_below(&self, other: &Quality) -> bool {
        self.permutable < other.permutable
            || self.coincident < other.coincident
            || self.outer < other.outer
            || self.outer_coincident < other.outer_coincident
    }
}

impl std::ops::Add for Quality {
    type Output = Quality;

    fn add(self, other: Quality) -> Quality {
        Quality {
            permutable: self.permutable + other.permutable,
            coincident: self.coincident + other.coincident,
            outer: self.outer + other.outer,
            outer_coincident: self.outer_coincident + other.outer_coincident,
        }
    }
}

impl std::fmt::Display for Quality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Quality {
            permutable,
            coincident,
            outer,
            outer_coincident,
        } = self;
        write!(f, "{permutable} {coincident} {outer} {outer_coincident}")
    }
}

/// The figures of all statements.
pub fn qualities(outline: &Outline) -> IndexMap<Tuple, Quality> {
    let quality = |tuple: &Tuple| {
        let bands = bands(outline, tuple);
        let outer = bands.first().map_or(&[][..], |(_, members)| &members[..]);
        let is_tilable = |(permutable, members): &&(bool, Vec<(Aff, bool)>)| *permutable && members.len() > 1;
        let quality = Quality {
            permutable: bands.iter().filter(is_tilable).map(|(_, members)| members.len()).sum(),
            coincident: bands.iter().flat_map(|(_, members)| members).filter(|m| m.1).count(),
            outer: outer.len(),
            outer_coincident: outer.iter().take_while(|(_, coincident)| *coincident).count(),
        };
        (tuple.clone(), quality)
    };
    outline.statements.iter().map(quality).collect()
}

/// The bands of a statement with the members that count for it, where there are any, and whether they are permutable.
fn bands(outline: &Outline, tuple: &Tuple) -> Vec<(bool, Vec<(Aff, bool)>)> {
    let mut rows = Matrix::new(Vec::new(), tuple.n());
    let mut own = |band: &Band| {
        let members = band
            .members
            .iter()
            .map(|(functions, coincident)| (functions[tuple].clone(), *coincident));
        let counts = |(aff, _): &(Aff, bool)| {
            let row = (0..tuple.n()).map(|dim| aff.coefficient(dim).clone()).collect();
            let with_row = Matrix::new(rows.rows.iter().cloned().chain([row]).collect(), tuple.n());
            let is_new = rank(&with_row) > rank(&rows);
            if is_new {
                rows = with_row;
            }
            is_new
        };
        (band.permutable, members.filter(counts).collect::<Vec<_>>())
    };
    let mut out = Vec::new();
    let mut node = &outline.root;
    loop {
        match node {
            Node::Leaf => break,
            Node::Band(band) => {
                out.push(own(band));
                node = &band.child;
            }
            Node::Sequence(children) | Node::Set(children) => {
                match children.iter().find(|(statements, _)| statements.contains(tuple)) {
                    Some((_, child)) => node = child,
                    None => break,
                }
            }
        }
    }
    out.retain(|(_, members)| !members.is_empty());
    out
}

/// What equivalent schedules have in common, as text: per statement the bands, as `[i*, j]` with `*` for coincident members,
/// and the groups of statements that share an outermost band.
pub fn class(outline: &Outline) -> String {
    let mut statements: Vec<&Tuple> = outline.statements.iter().collect();
    statements.sort_by_key(|tuple| tuple.to_string());
    let mut out = String::new();
    for tuple in statements {
        let band = |(permutable, members): &(bool, Vec<(Aff, bool)>)| {
            let member = |(aff, coincident): &(Aff, bool)| {
                format!("{}{}", linear_part(aff, tuple.n()), if *coincident { "*" } else { "" })
            };
            let mut members: Vec<String> = members.iter().map(member).collect();
            if *permutable {
                members.sort();
            }
            format!("[{}]", members.join(", "))
        };
        let bands: Vec<String> = bands(outline, tuple).iter().map(band).collect();
        let name = tuple.name().map_or("", |name| name);
        out += format!("{name}: {}", bands.join(" ")).trim_end();
        out.push('\n');
    }
    let mut groups = Vec::new();
    shared(&outline.root, &outline.statements, &mut groups);
    groups.sort();
    for group in groups {
        out += &format!("fused: {group}\n");
    }
    out
}

/// `i + 2k` over the dimensions `i, j, k, l, ..`.
fn linear_part(aff: &Aff, n: usize) -> String {
    let mut out = String::new();
    for dim in 0..n {
        let a = aff.coefficient(dim);
        if a.is_zero() {
            continue;
        }
        let name = char::from(b'i' + dim as u8);
        let (sign, size) = if a.is_neg() {
            ('-', -a.clone())
        } else {
            ('+', a.clone())
        };
        if sign == '-' || !out.is_empty() {
            out.push(sign);
        }
        if size != Int::ONE {
            out += &size.to_string();
        }
        out.push(name);
    }
    out
}

/// The statements that share outermost bands.
fn shared(node: &Node, statements: &[Tuple], groups: &mut Vec<String>) {
    match node {
        Node::Leaf => {}
        Node::Band(_) if statements.len() > 1 => {
            let mut names: Vec<&str> = statements.iter().map(|t| t.name().map_or("", |name| name)).collect();
            names.sort_unstable();
            groups.push(names.join(" "));
        }
        Node::Band(_) => {}
        Node::Sequence(children) | Node::Set(children) => {
            for (statements, child) in children {
                shared(child, statements, groups);
            }
        }
    }
}
