//! From a dual feasible tableau to leaves: steps 4 to 6 of the module above.

use super::context::{Sign, complement};
use super::prepare::{self, Remainder, Unknowns};
use super::tableau::Tableau;
use super::{Leaf, Minimum};
use crate::budget::{Budget, OutOfBudget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, negate, unit};

/// The number of cuts, per unknown, after which a search goes on without.
const CUTS_PER_UNKNOWN: usize = 12;

/// What does not change during a search.
pub(super) struct Search<'a> {
    pub(super) system: &'a Unknowns,
    /// The number of free unknowns, which are the first variables of the tableau: all of them have to be integral.
    pub(super) n_unknowns: usize,
    /// The variable of the first inequality.
    pub(super) first_slack: usize,
    /// The variables of the unknowns of interest.
    pub(super) values: Vec<usize>,
}

impl Search<'_> {
    pub(super) fn run(&self, remainder: Remainder, tableau: Tableau, b: &Budget) -> Outcome<Vec<Leaf>> {
        self.node(remainder, tableau, 0, b)
    }

    /// The leaves of the context of `node`, and those that it has already.
    fn node(&self, mut node: Remainder, mut tableau: Tableau, mut cuts: usize, b: &Budget) -> Outcome<Vec<Leaf>> {
        loop {
            tableau.widen(node.context.n_cols());
            let either = match self.signs(&mut node, &mut tableau, b)? {
                Err(negative) => match tableau.cheapest_column(negative) {
                    Some(j) => {
                        tableau.pivot(negative, j, b)?;
                        continue;
                    }
                    None => return Ok(self.finish(node, None)),
                },
                Ok(either) => either,
            };
            // A row that nothing raises has to be non-negative by itself.
            if let Some(&i) = either.iter().find(|&&i| tableau.cheapest_column(i).is_none()) {
                let row = tableau.rows[i].constant.clone();
                if !node.require_non_negative(&row, b)? {
                    return Ok(self.finish(node, None));
                }
                tableau.rows[i].sign = Some(Sign::NonNegative);
                forget_either(&mut tableau);
                continue;
            }
            if let Some(&i) = either.first() {
                return self.split(node, tableau, i, cuts, b);
            }
            match self.fractional(&tableau) {
                None => {
                    let values = (self.values.iter())
                        .map(|&v| {
                            let row = &tableau.rows[tableau.row_of(v).expect("an unknown is basic")];
                            row.constant.iter().map(|a| a.div_exact(&row.den)).collect()
                        })
                        .collect();
                    return Ok(self.finish(node, Some(values)));
                }
                Some(i) => {
                    if cuts >= CUTS_PER_UNKNOWN * (self.n_unknowns + 1) {
                        return self.enumerate(node, &tableau, b);
                    }
                    match self.cut(&mut node, &mut tableau, i, b)? {
                        Cut::Added => cuts += 1,
                        Cut::NotNeeded => forget_either(&mut tableau),
                        Cut::NoSolution => return Ok(self.finish(node, None)),
                    }
                }
            }
        }
    }

    /// The restricted rows of which the constant has either sign, or one with a negative constant.
    fn signs(&self, node: &mut Remainder, tableau: &mut Tableau, b: &Budget) -> Outcome<Result<Vec<usize>, usize>> {
        let restricted = &tableau.restricted;
        if let Some(i) = (0..tableau.rows.len())
            .find(|&i| restricted[tableau.rows[i].variable] && tableau.rows[i].sign == Some(Sign::Negative))
        {
            return Ok(Err(i));
        }
        let mut either = Vec::new();
        for i in 0..tableau.rows.len() {
            let row = &mut tableau.rows[i];
            if !restricted[row.variable] {
                continue;
            }
            let sign = match row.sign {
                Some(sign) => sign,
                None => node.context.sign(&row.constant, b)?,
            };
            row.sign = Some(sign);
            match sign {
                Sign::NonNegative => {}
                Sign::Negative => return Ok(Err(i)),
                Sign::Either => either.push(i),
            }
        }
        Ok(Ok(either))
    }

    /// Splits the context by the sign of the constant of row `i`.
    fn split(&self, node: Remainder, mut tableau: Tableau, i: usize, cuts: usize, b: &Budget) -> Outcome<Vec<Leaf>> {
        b.spend(tableau.rows.len() as u64)?;
        let Remainder { mut leaves, context } = node;
        let row = tableau.rows[i].constant.clone();
        let (n_cols, n_divs) = (context.n_cols(), context.divs().len());
        forget_either(&mut tableau);
        let (mut upper, mut lower) = (context.clone(), context);
        let (eqs, ineqs) = (lower.eqs.clone(), lower.ineqs.clone());
        upper.add_ineq(&row, b)?;
        lower.add_ineq(&complement(&row), b)?;
        let mut raised = tableau.clone();
        tableau.rows[i].sign = Some(Sign::NonNegative);
        raised.rows[i].sign = Some(Sign::Negative);
        let side = |context| Remainder {
            leaves: Vec::new(),
            context,
        };
        let mut found = self.node(side(upper), tableau, cuts, b)?;
        found.extend(self.node(side(lower), raised, cuts, b)?);
        if same_values(&found, n_cols) {
            let mut merged = found.swap_remove(0);
            merged.divs.truncate(n_divs);
            for row in merged.values.iter_mut().flatten() {
                row.truncate(n_cols);
            }
            (merged.eqs, merged.ineqs) = (eqs, ineqs);
            leaves.push(merged);
        } else {
            leaves.extend(found);
        }
        Ok(leaves)
    }

    /// All leaves, with what is left of the context as the last.
    fn finish(&self, node: Remainder, values: Option<Vec<Row>>) -> Vec<Leaf> {
        let Remainder { mut leaves, context } = node;
        leaves.push(Leaf {
            divs: context.divs().to_vec(),
            eqs: context.eqs,
            ineqs: context.ineqs,
            values,
        });
        leaves
    }

    /// The row of an unknown that is not integral: of the first one of interest, or else one with the smallest
    /// denominator.
    fn fractional(&self, tableau: &Tableau) -> Option<usize> {
        let row_of = |v: usize| {
            let i = tableau.row_of(v)?;
            let row = &tableau.rows[i];
            // The column variables are 0 at the sample point.
            let integral = row.den.is_one() || row.constant.iter().all(|a| a.divisible_by(&row.den));
            (!integral).then_some(i)
        };
        let first = self.values.iter().find_map(|&v| row_of(v));
        first.or_else(|| {
            (0..self.n_unknowns)
                .filter_map(row_of)
                .min_by_key(|&i| &tableau.rows[i].den)
        })
    }

    /// Adds the cut of row `i`, or makes its constant integral by the context. False if there is no solution in what is
    /// left of the context.
    fn cut(&self, node: &mut Remainder, tableau: &mut Tableau, i: usize, b: &Budget) -> Outcome<Cut> {
        let row = &tableau.rows[i];
        let den = row.den.clone();
        if row.coefs.iter().all(|a| a.divisible_by(&den)) {
            if row.constant[1..].iter().all(|a| a.divisible_by(&den)) {
                return Ok(Cut::NoSolution);
            }
            let Some(mut value) = node.divide(&row.constant, &den, b)? else {
                return Ok(Cut::NoSolution);
            };
            value.iter_mut().for_each(|x| *x *= &den);
            tableau.rows[i].constant = value;
            return Ok(Cut::NotNeeded);
        }
        let factor = match self.prefer_idle(tableau, i) {
            Some(j) => factor_for(&tableau.rows[i].coefs[j], &den),
            None => multiplier(tableau, &tableau.rows[i].coefs, &den),
        };
        let row = &tableau.rows[i];
        let minus = -&factor;
        let constant: Row = row.constant.iter().map(|a| (a * &minus).mod_floor(&den)).collect();
        let coefs: Row = row.coefs.iter().map(|a| (a * &factor).mod_floor(&den)).collect();
        let (mut rest, _) = node.remainder(&constant, &den, b)?;
        negate(&mut rest);
        if node.context.sign(&rest, b)? == Sign::NonNegative {
            // Integral in the whole context, although it does not look like it.
            let value = node.divide(&tableau.rows[i].constant, &den, b)?;
            let mut value = value.expect("a constant that is integral");
            value.iter_mut().for_each(|x| *x *= &den);
            tableau.rows[i].constant = value;
            return Ok(Cut::NotNeeded);
        }
        tableau.widen(rest.len());
        tableau.add_row(den, rest, coefs, true);
        // Or zero, where raising it does no harm.
        tableau.rows.last_mut().expect("the cut").sign = Some(Sign::Negative);
        Ok(Cut::Added)
    }

    /// Chooses among the columns with a fractional coefficient in row `i` that change no unknown of interest the one with
    /// the smallest common divisor with the denominator, and makes it cheaper than all others.
    ///
    /// The sample point is where all columns are 0, so that these columns, in any order, can take the place of the
    /// objectives that are not unknowns of interest. A column that is cheaper than the others at any ratio can be raised
    /// by all it takes at once.
    fn prefer_idle(&self, tableau: &mut Tableau, i: usize) -> Option<usize> {
        let is_idle = |j: &usize| {
            let unchanged = |&v: &usize| tableau.row_of(v).is_none_or(|i| tableau.rows[i].coefs[*j].is_zero());
            self.values.iter().all(unchanged)
        };
        let idle: Vec<usize> = (0..tableau.columns.len()).filter(is_idle).collect();
        let row = &tableau.rows[i];
        let fractional = idle.iter().copied().filter(|&j| !row.coefs[j].divisible_by(&row.den));
        let preferred = fractional.min_by_key(|&j| row.coefs[j].gcd(&row.den))?;
        let others = idle
            .iter()
            .filter(|&&j| j != preferred)
            .chain(std::iter::once(&preferred));
        let order: Vec<usize> = others.map(|&j| tableau.columns[j]).collect();
        tableau.objectives.truncate(self.values.len());
        tableau.objectives.extend(order);
        Some(preferred)
    }

    /// The minimum by trying values of one objective. Gives up, as if the budget were spent, where all columns are cuts.
    fn enumerate(&self, node: Remainder, tableau: &Tableau, b: &Budget) -> Outcome<Vec<Leaf>> {
        let Remainder {
            mut leaves,
            mut context,
        } = node;
        let varies = |&&v: &&usize| {
            tableau
                .row_of(v)
                .is_none_or(|i| !tableau.rows[i].coefs.iter().all(Int::is_zero))
        };
        // An unknown of interest, or else the slack of a constraint that is 0 at the sample point, as no slack is less. The
        // slack of a cut would be no constraint of the system.
        let slacks = self.first_slack..self.first_slack + self.system.ineqs.len();
        let slack = || tableau.columns.iter().find(|v| slacks.contains(v));
        let Some(&objective) = self.values.iter().find(varies).or_else(slack) else {
            return Err(OutOfBudget);
        };
        // Its rational minimum, rounded up.
        let mut least = match tableau.row_of(objective) {
            None => vec![Int::ZERO],
            Some(i) => {
                let row = &tableau.rows[i];
                let minus: Row = row.constant.iter().map(|a| -a).collect();
                context.floor(&minus, &row.den, b)?.iter().map(|a| -a).collect()
            }
        };
        let n_cols = context.n_cols();
        least.resize(n_cols, Int::ZERO);
        let mut system = self.system.widened(n_cols);
        let mut equality = match self.values.iter().position(|&v| v == objective) {
            Some(u) => unit(n_cols + system.n, n_cols + u),
            None => system.ineqs[objective - self.first_slack].clone(),
        };
        for (x, y) in equality.iter_mut().zip(&least) {
            *x -= y;
        }
        system.eqs.push(equality);
        system.raised = 0;
        // Either the objective has that value, or it is larger.
        let Minimum::Leaves(found) = prepare::solve(context.clone(), &system, b)? else {
            unreachable!("the minimum of a set with a minimum")
        };
        let larger = system.eqs.pop().expect("the equality of the objective");
        system.ineqs.push(larger);
        system.ineqs.last_mut().expect("the inequality just added")[0] -= Int::ONE;
        system.raised = self.system.raised + 1;
        let exhausted = proximity(&system) < system.raised;
        for leaf in found {
            if leaf.values.is_some() || exhausted {
                leaves.push(leaf);
                continue;
            }
            let Some(context) = context.at_leaf(&leaf, b)? else {
                continue;
            };
            let system = system.widened(context.n_cols());
            match prepare::solve(context, &system, b)? {
                Minimum::Leaves(found) => leaves.extend(found),
                Minimum::Unbounded => unreachable!("the minimum of a set with a minimum"),
            }
        }
        Ok(leaves)
    }
}

/// The factor, coprime to `den`, of the row that a cut is made from. All factors give valid cuts,
/// `sum of (factor a_j mod den) y_j >= (-factor c(p)) mod den`, and the smaller the coefficient of the column that is
/// raised, the deeper the cut: with `a_j = den - 1` alone, the factor 1 raises `y_j` to 1 or 2 where the factor -1 raises
/// it to all it takes.
fn multiplier(tableau: &Tableau, coefs: &[Int], den: &Int) -> Int {
    let depth = |factor: &Int| {
        let reduced: Row = coefs.iter().map(|a| (a * factor).mod_floor(den)).collect();
        let sum = reduced.iter().fold(Int::ZERO, |sum, a| sum + a);
        let raised = tableau.cheapest_of(&reduced).expect("a row that is not integral");
        (reduced[raised].clone(), sum)
    };
    let mut best = (depth(&Int::ONE), Int::ONE);
    for a in coefs {
        let a = a.mod_floor(den);
        if a.is_zero() {
            continue;
        }
        let factor = factor_for(&a, den);
        let depth = depth(&factor);
        if depth < best.0 {
            best = (depth, factor);
        }
    }
    best.1
}

/// The factor coprime to `den` that makes the common divisor of `a` and `den` of `a`, modulo `den`.
fn factor_for(a: &Int, den: &Int) -> Int {
    let gcd = a.gcd(den);
    let (a, reduced) = (a.div_exact(&gcd), den.div_exact(&gcd));
    let mut factor = a.inverse_modulo(&reduced).expect("no common factor");
    while !factor.gcd(den).is_one() {
        factor += &reduced;
    }
    factor
}

/// What has become of a cut.
enum Cut {
    Added,
    NotNeeded,
    NoSolution,
}

/// More than the number of integers that the objectives, which are unknowns or inequalities, can be above their rational
/// minima: for each of them, the number of unknowns times the largest subdeterminant (Hadamard's bound), times the
/// largest sum of coefficients.
fn proximity(system: &Unknowns) -> Int {
    let mut norms: Vec<Int> = (system.eqs.iter().chain(&system.ineqs))
        .map(|row| (row[row.len() - system.n..].iter()).fold(Int::ONE, |sum, a| sum + a.abs()))
        .collect();
    let n_objectives = Int::from((norms.len() + system.n) as i64);
    norms.sort_unstable_by(|x, y| y.cmp(x));
    let bound = norms
        .iter()
        .take(system.n + 1)
        .fold(n_objectives, |product, norm| product * norm);
    bound * Int::from(system.n as i64 + 1)
}

/// Signs that are not the same everywhere may be in a part of the context.
fn forget_either(tableau: &mut Tableau) {
    for row in &mut tableau.rows {
        if row.sign == Some(Sign::Either) {
            row.sign = None;
        }
    }
}

/// Whether all leaves have the same values, in terms of the first `n_cols` columns.
fn same_values(leaves: &[Leaf], n_cols: usize) -> bool {
    let first = &leaves[0].values;
    let same = |x: &Row, y: &Row| {
        let common = x.len().min(y.len());
        x[..common] == y[..common] && x[common..].iter().chain(&y[common..]).all(Int::is_zero)
    };
    let in_terms = |row: &Row| row.iter().skip(n_cols).all(Int::is_zero);
    leaves.iter().all(|leaf| match (first, &leaf.values) {
        (None, None) => true,
        (Some(x), Some(y)) => x.iter().zip(y).all(|(x, y)| same(x, y)) && y.iter().all(in_terms),
        _ => false,
    })
}
