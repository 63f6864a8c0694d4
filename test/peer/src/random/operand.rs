//! Operands as formula trees: their texts, their points, and smaller operands.

use std::fmt::Write;

/// The parameters that there are.
pub const PARAMS: [&str; 3] = ["p", "q", "r"];

/// A tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tuple {
    /// A name, perhaps empty, and a number of dimensions.
    Flat(&'static str, usize),
    /// Two tuples in one.
    Pair(Box<Tuple>, Box<Tuple>),
}

impl Tuple {
    /// The number of dimensions.
    pub fn n(&self) -> usize {
        match self {
            Tuple::Flat(_, n) => *n,
            Tuple::Pair(a, b) => a.n() + b.n(),
        }
    }

    /// The tuple with dimensions called `letter` and a number from `first` on.
    fn text(&self, letter: char, first: usize) -> String {
        match self {
            Tuple::Flat(name, n) => {
                let dims: Vec<String> = (first..first + n).map(|k| format!("{letter}{k}")).collect();
                format!("{name}[{}]", dims.join(", "))
            }
            Tuple::Pair(a, b) => format!("[{} -> {}]", a.text(letter, first), b.text(letter, first + a.n())),
        }
    }
}

/// `constant + coefs . vars + sum of factor * division`, over `[params | domain | range | quantified]`, all three
/// [`PARAMS`] always included.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) coefs: Vec<i64>,
    pub(super) constant: i64,
    pub(super) divisions: Vec<(i64, Division)>,
}

/// A division of an expression without divisions by a positive number.
#[derive(Clone, Debug)]
pub(super) struct Division {
    pub(super) is_mod: bool,
    pub(super) of: Box<Expr>,
    pub(super) by: i64,
}

impl Expr {
    /// The value at a point, of which missing entries are 0.
    ///
    /// # Panics
    ///
    /// If it takes numbers of more than 127 bits. With coefficients of 40 bits, a function's value at a small point has
    /// less than 50, and that of another function at this value less than 100.
    pub(super) fn value(&self, point: &[i128]) -> i128 {
        let add = |sum: i128, factor: i64, value: i128| {
            let product = value.checked_mul(factor.into());
            product
                .and_then(|p| p.checked_add(sum))
                .expect("numbers of less than 128 bits")
        };
        let division = |d: &Division| {
            let (value, by) = (d.of.value(point), d.by as i128);
            if d.is_mod {
                value.rem_euclid(by)
            } else {
                value.div_euclid(by)
            }
        };
        let linear = (self.coefs.iter().zip(point)).fold(self.constant.into(), |sum, (c, v)| add(sum, *c, *v));
        (self.divisions.iter()).fold(linear, |sum, (factor, d)| add(sum, *factor, division(d)))
    }

    fn text(&self, names: &[String]) -> String {
        let mut out = String::new();
        let mut add = |factor: i64, what: &str| {
            if factor == 0 {
                return;
            }
            let sign = match (factor < 0, out.is_empty()) {
                (false, true) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (true, false) => " - ",
            };
            let size = factor.unsigned_abs();
            match (what, size) {
                ("", _) => write!(out, "{sign}{size}"),
                (_, 1) => write!(out, "{sign}{what}"),
                _ => write!(out, "{sign}{size}*{what}"),
            }
            .expect("writing to a string");
        };
        self.coefs.iter().zip(names).for_each(|(c, name)| add(*c, name));
        for (factor, division) in &self.divisions {
            let of = division.of.text(names);
            let text = match division.is_mod {
                true => format!("(({of}) mod {})", division.by),
                false => format!("floor(({of})/{})", division.by),
            };
            add(*factor, &text);
        }
        add(self.constant, "");
        if out.is_empty() { "0".into() } else { out }
    }
}

/// A comparison of an expression with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtLeast,
    Equal,
    Differs,
}

/// A comparison.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) expr: Expr,
    pub(super) relation: Relation,
}

impl Constraint {
    fn holds(&self, point: &[i128]) -> bool {
        let value = self.expr.value(point);
        match self.relation {
            Relation::AtLeast => value >= 0,
            Relation::Equal => value == 0,
            Relation::Differs => value != 0,
        }
    }

    fn text(&self, names: &[String]) -> String {
        let sign = match self.relation {
            Relation::AtLeast => ">=",
            Relation::Equal => "=",
            Relation::Differs => "!=",
        };
        format!("{} {sign} 0", self.expr.text(names))
    }
}

/// A variable `e` with `lower <= factor * e <= upper`.
#[derive(Clone, Debug)]
pub(super) struct Quantified {
    pub(super) factor: i64,
    pub(super) lower: Expr,
    pub(super) upper: Expr,
}

/// A conjunction, with quantified variables, and perhaps the negation of another conjunction.
#[derive(Clone, Debug)]
pub(super) struct Disjunct {
    pub(super) quantified: Vec<Quantified>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) not: Vec<Constraint>,
}

impl Disjunct {
    fn holds(&self, point: &mut Vec<i128>, k: usize) -> bool {
        if let Some(variable) = self.quantified.get(k) {
            let (low, high) = (variable.lower.value(point), variable.upper.value(point));
            let factor = variable.factor as i128;
            let (low, high) = (-(-low).div_euclid(factor), high.div_euclid(factor));
            // Bounds are at most a few units apart, by construction.
            return (low..=high).any(|value| {
                point.push(value);
                let holds = self.holds(point, k + 1);
                point.pop();
                holds
            });
        }
        self.constraints.iter().all(|c| c.holds(point))
            && (self.not.is_empty() || !self.not.iter().all(|c| c.holds(point)))
    }

    fn text(&self, names: &[String]) -> String {
        let mut names = names.to_vec();
        let mut parts = Vec::new();
        let quantified: Vec<String> = (0..self.quantified.len()).map(|k| format!("e{k}")).collect();
        for (name, variable) in quantified.iter().zip(&self.quantified) {
            let (lower, upper) = (variable.lower.text(&names), variable.upper.text(&names));
            parts.push(format!(
                "{lower} <= {}*{name} and {}*{name} <= {upper}",
                variable.factor, variable.factor
            ));
            names.push(name.clone());
        }
        parts.extend(self.constraints.iter().map(|c| c.text(&names)));
        if !self.not.is_empty() {
            let not: Vec<String> = self.not.iter().map(|c| c.text(&names)).collect();
            parts.push(format!("not ({})", not.join(" and ")));
        }
        let body = if parts.is_empty() {
            "true".into()
        } else {
            parts.join(" and ")
        };
        if quantified.is_empty() {
            body
        } else {
            format!("exists ({}: {body})", quantified.join(", "))
        }
    }
}

/// How far the variables of an operand reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All variables, parameters included, are between `-r` and `r`.
    Box(i64),
    /// Dimensions are bounded by constants or parameters; parameters are free.
    Parametric,
    /// Nothing is known.
    Free,
}

/// A set or relation of one space.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Which of [`PARAMS`], in which order, it has.
    pub params: Vec<usize>,
    /// The domain of a relation.
    pub domain: Option<Tuple>,
    /// The tuple of a set, or the range of a relation. None for parameter values.
    pub range: Option<Tuple>,
    /// The bounds that hold in all of `disjuncts`.
    pub(super) bounds: Vec<Constraint>,
    pub(super) disjuncts: Vec<Disjunct>,
    /// For a function, its pieces in the place of `disjuncts`. No point is in two of them.
    pub(super) pieces: Option<Vec<Piece>>,
}

/// A piece of a function.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Where this is the function, over the domain's dimensions.
    pub(super) constraints: Vec<Constraint>,
    /// The values.
    pub(super) values: Vec<Expr>,
}

impl Operand {
    /// The number of dimensions.
    pub fn n(&self) -> usize {
        self.domain.as_ref().map_or(0, Tuple::n) + self.range.as_ref().map_or(0, Tuple::n)
    }

    /// Whether this is a function.
    pub fn is_function(&self) -> bool {
        self.pieces.is_some()
    }

    /// The value of a function. `params` are values of all [`PARAMS`].
    pub fn value<N: Copy + Into<i128>>(&self, params: &[i64], x: &[N]) -> Option<Vec<i128>> {
        let point = point(params, x);
        if !self.bounds.iter().all(|c| c.holds(&point)) {
            return None;
        }
        let mut pieces = self.pieces.iter().flatten();
        let piece = pieces.find(|piece| piece.constraints.iter().all(|c| c.holds(&point)))?;
        Some(piece.values.iter().map(|value| value.value(&point)).collect())
    }

    /// Whether a point belongs to it. `params` are values of all [`PARAMS`].
    pub fn contains<N: Copy + Into<i128>>(&self, params: &[i64], dims: &[N]) -> bool {
        if self.is_function() {
            let (x, y) = dims.split_at(self.domain.as_ref().map_or(0, Tuple::n));
            let y: Vec<i128> = y.iter().map(|v| (*v).into()).collect();
            return self.value(params, x) == Some(y);
        }
        let mut point = point(params, dims);
        self.bounds.iter().all(|c| c.holds(&point)) && self.disjuncts.iter().any(|d| d.holds(&mut point, 0))
    }

    /// `domain -> range : condition`.
    fn member(&self) -> String {
        let n_domain = self.domain.as_ref().map_or(0, Tuple::n);
        let mut names: Vec<String> = PARAMS.iter().map(|p| p.to_string()).collect();
        names.extend((0..n_domain).map(|k| format!("i{k}")));
        names.extend((0..self.n() - n_domain).map(|k| format!("o{k}")));
        if let Some(pieces) = &self.pieces {
            let domain = self
                .domain
                .as_ref()
                .map_or(String::new(), |domain| format!("{} -> ", domain.text('i', 0)));
            let Some(Tuple::Flat(range, _)) = &self.range else {
                panic!("a function to a tuple of numbers");
            };
            let piece = |piece: &Piece| {
                let values: Vec<String> = piece.values.iter().map(|v| format!("({})", v.text(&names))).collect();
                let mut all: Vec<String> = self.bounds.iter().map(|c| c.text(&names)).collect();
                all.extend(piece.constraints.iter().map(|c| c.text(&names)));
                let condition = if all.is_empty() {
                    String::new()
                } else {
                    format!(" : {}", all.join(" and "))
                };
                format!("{domain}{range}[{}]{condition}", values.join(", "))
            };
            return pieces.iter().map(piece).collect::<Vec<_>>().join("; ");
        }
        let mut text = String::new();
        if let Some(domain) = &self.domain {
            text += &format!("{} -> ", domain.text('i', 0));
        }
        if let Some(range) = &self.range {
            text += &range.text('o', 0);
        }
        let any: Vec<String> = self.disjuncts.iter().map(|d| format!("({})", d.text(&names))).collect();
        let any = if any.is_empty() {
            "false".to_string()
        } else {
            any.join(" or ")
        };
        let mut all: Vec<String> = self.bounds.iter().map(|c| c.text(&names)).collect();
        all.push(if self.disjuncts.len() > 1 {
            format!("({any})")
        } else {
            any
        });
        format!("{text} : {}", all.join(" and "))
    }

    fn param_text(&self) -> String {
        let names: Vec<&str> = self.params.iter().map(|p| PARAMS[*p]).collect();
        if names.is_empty() {
            String::new()
        } else {
            format!("[{}] -> ", names.join(", "))
        }
    }

    /// The operand in isl's notation.
    pub fn text(&self) -> String {
        format!("{}{{ {} }}", self.param_text(), self.member())
    }

    /// Operands that are smaller by one step.
    pub fn smaller(&self) -> Vec<Operand> {
        let mut out = Vec::new();
        if let Some(pieces) = &self.pieces {
            for (k, piece) in pieces.iter().enumerate() {
                let mut with = |change: &dyn Fn(&mut Vec<Piece>)| {
                    let mut smaller = self.clone();
                    smaller.pieces.iter_mut().for_each(change);
                    out.push(smaller);
                };
                if pieces.len() > 1 {
                    with(&|pieces| drop(pieces.remove(k)));
                }
                // The first two constraints may keep the pieces apart.
                for c in 2..piece.constraints.len() {
                    with(&|pieces| drop(pieces[k].constraints.remove(c)));
                }
                for (v, value) in piece.values.iter().enumerate() {
                    for smaller in value.smaller() {
                        with(&|pieces| pieces[k].values[v] = smaller.clone());
                    }
                }
            }
            return out;
        }
        for k in 0..self.disjuncts.len() {
            let mut smaller = self.clone();
            smaller.disjuncts.remove(k);
            out.push(smaller);
        }
        for (k, disjunct) in self.disjuncts.iter().enumerate() {
            let mut with = |change: &dyn Fn(&mut Disjunct)| {
                let mut smaller = self.clone();
                change(&mut smaller.disjuncts[k]);
                out.push(smaller);
            };
            if !disjunct.not.is_empty() {
                with(&|d| d.not.clear());
            }
            for c in 0..disjunct.constraints.len() {
                with(&|d| drop(d.constraints.remove(c)));
            }
            for c in 0..disjunct.constraints.len() {
                for smaller in disjunct.constraints[c].expr.smaller() {
                    with(&|d| d.constraints[c].expr = smaller.clone());
                }
            }
            if !disjunct.quantified.is_empty() {
                let n = 3 + self.n() + disjunct.quantified.len() - 1;
                with(&|d| {
                    d.quantified.pop();
                    let involves = |c: &Constraint| c.expr.involves(n);
                    d.constraints.retain(|c| !involves(c));
                    d.not.retain(|c| !involves(c));
                });
            }
        }
        out
    }
}

impl Expr {
    fn involves(&self, var: usize) -> bool {
        self.coefs.get(var).is_some_and(|c| *c != 0) || self.divisions.iter().any(|(_, d)| d.of.involves(var))
    }

    fn smaller(&self) -> Vec<Expr> {
        let mut out = Vec::new();
        let mut with = |change: &dyn Fn(&mut Expr)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            out.push(smaller);
        };
        for k in 0..self.divisions.len() {
            with(&|e| drop(e.divisions.remove(k)));
        }
        for k in 0..self.coefs.len() {
            if self.coefs[k] != 0 {
                with(&|e| e.coefs[k] = 0);
                if self.coefs[k].abs() > 1 {
                    with(&|e| e.coefs[k] = e.coefs[k].signum());
                }
            }
        }
        if self.constant != 0 {
            with(&|e| e.constant = 0);
            with(&|e| e.constant /= 2);
        }
        out
    }
}

/// The values of parameters and dimensions together.
fn point<N: Copy + Into<i128>>(params: &[i64], dims: &[N]) -> Vec<i128> {
    let params = params.iter().map(|v| i128::from(*v));
    params.chain(dims.iter().map(|v| (*v).into())).collect()
}

/// A union of members, as text.
pub fn union_text(members: &[Operand]) -> String {
    let all: Vec<String> = members.iter().map(Operand::member).collect();
    let mut params: Vec<usize> = Vec::new();
    for member in members {
        params.extend(
            member
                .params
                .iter()
                .filter(|p| !params.contains(p))
                .copied()
                .collect::<Vec<_>>(),
        );
    }
    let names: Vec<&str> = params.iter().map(|p| PARAMS[*p]).collect();
    let head = if names.is_empty() {
        String::new()
    } else {
        format!("[{}] -> ", names.join(", "))
    };
    format!("{head}{{ {} }}", all.join("; "))
}
