//! Random operands: sets and relations as formula trees, which are written as text for the libraries and evaluated
//! point by point for the second oracle.
//!
//! ```text
//! [p, q] -> { A[i0, i1] -> B[o0] : (2i0 >= p and (i0 + o0) mod 3 = 1) or (exists (e0: i0 <= 3e0 <= i1 and ..)) }
//! ```
//!
//! A quantified variable `e` always has bounds `lower <= k e <= upper` that the other variables give, so that a formula can
//! be evaluated by trying all values of it.

use std::fmt::Write;

/// A small deterministic generator of random numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n as u64) as usize
    }

    /// A number in `low..=high`.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.draw() % (high - low + 1) as u64) as i64
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

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
pub struct Expr {
    coefs: Vec<i64>,
    constant: i64,
    divisions: Vec<(i64, Division)>,
}

/// A division of an expression without divisions by a positive number.
#[derive(Clone, Debug)]
struct Division {
    is_mod: bool,
    of: Box<Expr>,
    by: i64,
}

impl Expr {
    /// The value at a point, of which missing entries are 0.
    pub fn value(&self, point: &[i64]) -> i128 {
        let linear: i128 = self.coefs.iter().zip(point).map(|(c, v)| *c as i128 * *v as i128).sum();
        let division = |d: &Division| {
            let (value, by) = (d.of.value(point), d.by as i128);
            if d.is_mod {
                value.rem_euclid(by)
            } else {
                value.div_euclid(by)
            }
        };
        let divisions: i128 = self.divisions.iter().map(|(f, d)| *f as i128 * division(d)).sum();
        linear + self.constant as i128 + divisions
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
enum Relation {
    AtLeast,
    Equal,
    Differs,
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Constraint {
    expr: Expr,
    relation: Relation,
}

impl Constraint {
    fn holds(&self, point: &[i64]) -> bool {
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
struct Quantified {
    factor: i64,
    lower: Expr,
    upper: Expr,
}

/// A conjunction, with quantified variables, and perhaps the negation of another conjunction.
#[derive(Clone, Debug)]
pub struct Disjunct {
    quantified: Vec<Quantified>,
    constraints: Vec<Constraint>,
    not: Vec<Constraint>,
}

impl Disjunct {
    fn holds(&self, point: &mut Vec<i64>, k: usize) -> bool {
        if let Some(variable) = self.quantified.get(k) {
            let (low, high) = (variable.lower.value(point), variable.upper.value(point));
            let factor = variable.factor as i128;
            let (low, high) = (-(-low).div_euclid(factor), high.div_euclid(factor));
            // Bounds are at most a few units apart, by construction.
            return (low..=high).any(|value| {
                point.push(value as i64);
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
    bounds: Vec<Constraint>,
    disjuncts: Vec<Disjunct>,
}

impl Operand {
    /// The number of dimensions.
    pub fn n(&self) -> usize {
        self.domain.as_ref().map_or(0, Tuple::n) + self.range.as_ref().map_or(0, Tuple::n)
    }

    /// Whether a point belongs to it. `params` are values of all [`PARAMS`].
    pub fn contains(&self, params: &[i64], dims: &[i64]) -> bool {
        let mut point = [params, dims].concat();
        self.bounds.iter().all(|c| c.holds(&point)) && self.disjuncts.iter().any(|d| d.holds(&mut point, 0))
    }

    /// `domain -> range : condition`.
    fn member(&self) -> String {
        let n_domain = self.domain.as_ref().map_or(0, Tuple::n);
        let mut names: Vec<String> = PARAMS.iter().map(|p| p.to_string()).collect();
        names.extend((0..n_domain).map(|k| format!("i{k}")));
        names.extend((0..self.n() - n_domain).map(|k| format!("o{k}")));
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

/// Makes operands.
pub struct Generator {
    /// Where the choices come from.
    pub rng: Rng,
    /// How many parameters there are in all.
    n_params: usize,
    /// Whether coefficients are of up to 40 bits now and then.
    large: bool,
    /// How many divisions and quantified variables may still be used.
    divisions: usize,
    /// A point that most conjunctions are made to hold at, so that few are empty. None for those that are not.
    witness: Option<Vec<i64>>,
    /// Values of the parameters that all operands' witnesses have.
    params: [i64; 3],
}

impl Generator {
    /// Choices from `seed`, with at most `n_params` parameters.
    pub fn new(seed: u64, n_params: usize) -> Generator {
        let mut rng = Rng::new(seed);
        let large = rng.one_in(10);
        let params = [0; 3].map(|_: i64| rng.within(-1, 1));
        Generator {
            rng,
            n_params,
            large,
            divisions: 0,
            witness: None,
            params,
        }
    }

    /// The number of parameters that operands may have.
    pub fn n_params(&self) -> usize {
        self.n_params
    }

    /// Parameters in some order; all of them if all have to be bounded.
    fn params(&mut self, extent: Extent) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.n_params).collect();
        if self.rng.one_in(4) && !all.is_empty() && !matches!(extent, Extent::Box(_)) {
            let k = self.rng.below(all.len());
            all.remove(k);
        }
        if all.len() > 1 && self.rng.one_in(4) {
            all.reverse();
        }
        all
    }

    fn coefficient(&mut self) -> i64 {
        if self.large && self.rng.one_in(6) {
            let size = 1i64 << 40;
            return self.rng.within(-size, size);
        }
        match self.rng.below(10) {
            0..=6 => self.rng.within(-1, 1),
            7..=8 => self.rng.within(-4, 4),
            _ => self.rng.within(-9, 9),
        }
    }

    /// An expression over `vars`, a list of columns.
    fn linear(&mut self, vars: &[usize], terms: usize) -> Expr {
        let mut coefs = vec![0; vars.iter().max().map_or(0, |m| m + 1)];
        for _ in 0..terms {
            if !vars.is_empty() {
                let var = vars[self.rng.below(vars.len())];
                let mut c = self.coefficient();
                if c == 0 && self.rng.one_in(2) {
                    c = 1;
                }
                coefs[var] = c;
            }
        }
        let constant = if self.rng.one_in(3) { 0 } else { self.rng.within(-9, 9) };
        Expr {
            coefs,
            constant,
            divisions: Vec::new(),
        }
    }

    fn expr(&mut self, vars: &[usize]) -> Expr {
        let terms = 1 + self.rng.below(3);
        let mut expr = self.linear(vars, terms);
        if self.divisions > 0 && self.rng.one_in(4) {
            self.divisions -= 1;
            let terms = 1 + self.rng.below(2);
            let of = Box::new(self.linear(vars, terms));
            let by = self.rng.within(2, 5);
            let is_mod = self.rng.one_in(2);
            let factor = match self.rng.below(3) {
                0 => self.rng.within(-4, 4),
                1 => -1,
                _ => 1,
            };
            expr.divisions.push((factor, Division { is_mod, of, by }));
        }
        expr
    }

    fn constraint(&mut self, vars: &[usize]) -> Constraint {
        let relation = match self.rng.below(12) {
            0..=2 => Relation::Equal,
            3 if self.rng.one_in(3) => Relation::Differs,
            _ => Relation::AtLeast,
        };
        let mut expr = self.expr(vars);
        if let Some(witness) = &self.witness {
            let slack = match relation {
                Relation::AtLeast => self.rng.within(0, 4) * self.rng.within(0, 2),
                _ => 0,
            };
            expr.constant += slack - expr.value(witness) as i64;
        }
        Constraint { expr, relation }
    }

    /// A conjunction beside another one: the same, but for one constraint that is turned round or moved.
    fn neighbour(&mut self, disjunct: &Disjunct) -> Disjunct {
        let mut disjunct = disjunct.clone();
        let inequalities: Vec<usize> = (0..disjunct.constraints.len())
            .filter(|k| disjunct.constraints[*k].relation == Relation::AtLeast)
            .collect();
        if inequalities.is_empty() {
            return disjunct;
        }
        let expr = &mut disjunct.constraints[inequalities[self.rng.below(inequalities.len())]].expr;
        if self.rng.one_in(3) {
            expr.constant += self.rng.within(-2, 2);
        } else {
            expr.coefs.iter_mut().for_each(|c| *c = -*c);
            expr.divisions.iter_mut().for_each(|(factor, _)| *factor = -*factor);
            expr.constant = -expr.constant - self.rng.within(0, 2);
        }
        disjunct
    }

    /// An operand that differs little from another one.
    pub fn similar(&mut self, operand: &Operand) -> Operand {
        let mut similar = operand.clone();
        if similar.disjuncts.is_empty() {
            return similar;
        }
        let k = self.rng.below(similar.disjuncts.len());
        match self.rng.below(4) {
            0 => drop(similar.disjuncts.remove(k)),
            1 => {
                let constraints = &mut similar.disjuncts[k].constraints;
                if !constraints.is_empty() {
                    constraints.remove(self.rng.below(constraints.len()));
                }
            }
            2 => similar.disjuncts[k] = self.neighbour(&operand.disjuncts[k]),
            _ => similar.disjuncts.push(self.neighbour(&operand.disjuncts[k])),
        }
        similar.disjuncts.truncate(4);
        similar
    }

    fn disjunct(&mut self, vars: &[usize], n_vars: usize) -> Disjunct {
        let mut vars = vars.to_vec();
        let mut quantified = Vec::new();
        while self.divisions > 0 && self.rng.one_in(5) {
            self.divisions -= 1;
            let terms = self.rng.below(3);
            let mut lower = self.linear(&vars, terms);
            let factor = self.rng.within(1, 5);
            let room = self.rng.within(0, 3 * factor);
            if let Some(witness) = &mut self.witness {
                let value = self.rng.within(-2, 2);
                lower.constant += factor * value - self.rng.within(0, room) - lower.value(witness) as i64;
                witness.push(value);
            }
            // The bounds are a few units apart: of different expressions the distance is not known.
            let mut upper = lower.clone();
            upper.constant += room;
            vars.push(n_vars + quantified.len());
            quantified.push(Quantified { factor, lower, upper });
        }
        let n = match self.rng.below(16) {
            0 => 0,
            n => 1 + n / 4,
        };
        let constraints = (0..n).map(|_| self.constraint(&vars)).collect();
        let not = if self.rng.one_in(12) {
            (0..1 + self.rng.below(2)).map(|_| self.constraint(&vars)).collect()
        } else {
            Vec::new()
        };
        Disjunct {
            quantified,
            constraints,
            not,
        }
    }

    /// A bound of variable `var`: `factor * (var - value) >= 0`, where the value may be a parameter plus a constant.
    fn bound(&mut self, var: usize, factor: i64, size: i64, params: &[usize]) -> Constraint {
        let mut coefs = vec![0; var + 1];
        coefs[var] = factor;
        if !params.is_empty() && self.rng.one_in(2) {
            coefs[params[self.rng.below(params.len())]] = -factor;
        }
        Constraint {
            expr: Expr {
                coefs,
                constant: size,
                divisions: Vec::new(),
            },
            relation: Relation::AtLeast,
        }
    }

    /// An operand. It has divisions enough to be interesting, three at most, and up to four disjuncts.
    pub fn operand(&mut self, domain: Option<Tuple>, range: Option<Tuple>, extent: Extent) -> Operand {
        let params = self.params(extent);
        let n_dims = domain.as_ref().map_or(0, Tuple::n) + range.as_ref().map_or(0, Tuple::n);
        let n_vars = PARAMS.len() + n_dims;
        let dims = PARAMS.len()..n_vars;
        let vars: Vec<usize> = params.iter().copied().chain(dims.clone()).collect();
        let mut bounds = Vec::new();
        match extent {
            Extent::Box(r) => {
                for &var in &vars {
                    let size = if self.rng.one_in(3) { self.rng.within(0, r) } else { r };
                    bounds.push(self.bound(var, 1, size, &[]));
                    bounds.push(self.bound(var, -1, size, &[]));
                }
            }
            Extent::Parametric => {
                for var in dims {
                    let size = self.rng.within(-2, 8);
                    bounds.push(self.bound(var, 1, size, &params));
                    let size = self.rng.within(-2, 8);
                    bounds.push(self.bound(var, -1, size, &params));
                }
            }
            Extent::Free => {}
        }
        self.divisions = self.rng.below(4);
        let n = match self.rng.below(20) {
            0 => 0,
            1..=10 => 1,
            11..=15 => 2,
            16..=18 => 3,
            _ => 4,
        };
        let mut disjuncts: Vec<Disjunct> = Vec::with_capacity(n);
        for _ in 0..n {
            if let Some(last) = disjuncts.last()
                && self.rng.one_in(3)
            {
                let neighbour = self.neighbour(&last.clone());
                disjuncts.push(neighbour);
                continue;
            }
            self.witness = (!self.rng.one_in(4)).then(|| {
                let dims = (0..n_dims).map(|_| self.rng.within(-1, 1));
                self.params.into_iter().chain(dims).collect()
            });
            disjuncts.push(self.disjunct(&vars, n_vars));
        }
        Operand {
            params,
            domain,
            range,
            bounds,
            disjuncts,
        }
    }
}
