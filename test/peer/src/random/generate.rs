//! The choice of random operands.

use super::operand::{
    Constraint, Disjunct, Division, Expr, Extent, Operand, PARAMS, Piece, Quantified, Relation, Tuple,
};
use super::rng::Rng;

/// Makes operands.
pub struct Generator {
    /// Where the choices come from.
    pub rng: Rng,
    /// How many parameters there are in all.
    n_params: usize,
    /// Whether all operands have all parameters, in one order, as isl asks for with expressions.
    pub aligned: bool,
    /// Whether coefficients are of up to 40 bits now and then.
    large: bool,
    /// How many divisions and quantified variables may still be used.
    divisions: usize,
    /// A point that most conjunctions are made to hold at, so that few are empty. None for those that are not.
    witness: Option<Vec<i128>>,
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
            aligned: false,
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
        if self.aligned {
            return all;
        }
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
        if let Some(pieces) = &mut similar.pieces {
            let k = self.rng.below(pieces.len());
            let value = self.rng.within(-1, 1);
            pieces[k].values.iter_mut().for_each(|v| v.constant += value);
            return similar;
        }
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
                witness.push(value.into());
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
                self.params.into_iter().chain(dims).map(i128::from).collect()
            });
            disjuncts.push(self.disjunct(&vars, n_vars));
        }
        Operand {
            params,
            domain,
            range,
            bounds,
            disjuncts,
            pieces: None,
        }
    }

    /// A function of one expression for each dimension of `range`, everywhere.
    pub fn expression(&mut self, domain: Tuple, range: Tuple, extent: Extent) -> Operand {
        let mut function = self.function(domain, range, extent);
        function.bounds.clear();
        if let Some(pieces) = &mut function.pieces {
            pieces.truncate(1);
            pieces[0].constraints.clear();
        }
        function
    }

    /// A function of up to three pieces. Bounds are those of its domain.
    pub fn function(&mut self, domain: Tuple, range: Tuple, extent: Extent) -> Operand {
        let mut function = self.operand(None, Some(domain.clone()), extent);
        (function.domain, function.range) = (Some(domain), Some(range.clone()));
        function.disjuncts.clear();
        let n_vars = PARAMS.len() + function.domain.as_ref().map_or(0, Tuple::n);
        let vars: Vec<usize> = function.params.iter().copied().chain(PARAMS.len()..n_vars).collect();
        self.divisions = self.rng.below(4);
        self.witness = None;
        // The pieces are where the values of one expression are in different intervals.
        let cut = self.expr(&vars);
        let mut low: Option<i64> = None;
        let mut pieces = Vec::new();
        let n = 1 + self.rng.below(3);
        for k in 0..n {
            let high = (k + 1 < n).then(|| low.unwrap_or(self.rng.within(-4, 2)) + self.rng.within(1, 4));
            let mut constraints = Vec::new();
            let mut bound = |sign: i64, constant: i64| {
                let mut expr = cut.clone();
                expr.coefs.iter_mut().for_each(|c| *c *= sign);
                expr.divisions.iter_mut().for_each(|(factor, _)| *factor *= sign);
                expr.constant = sign * expr.constant + constant;
                constraints.push(Constraint {
                    expr,
                    relation: Relation::AtLeast,
                });
            };
            if let Some(low) = low {
                bound(1, -low);
            }
            if let Some(high) = high {
                bound(-1, high - 1);
            }
            if self.rng.one_in(3) {
                constraints.push(self.constraint(&vars));
            }
            let values = (0..range.n()).map(|_| self.expr(&vars)).collect();
            pieces.push(Piece { constraints, values });
            low = high;
        }
        if self.rng.one_in(4) && pieces.len() > 1 {
            pieces.remove(self.rng.below(pieces.len()));
        }
        function.pieces = Some(pieces);
        function
    }
}
