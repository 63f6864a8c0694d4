//! The integer points of a polyhedron in some residue classes, and sums over them, one variable after the other.

use super::CountError;
use super::polynomial::Polynomial;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Rat, Row, combine, content};
use crate::sets::{Conj, Div};

/// The largest modulus of which the residues are taken one by one.
const MAX_MODULUS: i64 = 256;

/// The points at which all rows `[constant, coefficients of variables]` are as they should be.
#[derive(Clone, Debug)]
pub(super) struct Region {
    n_vars: usize,
    /// Rows that are zero.
    eqs: Vec<Row>,
    /// Rows that are at least zero.
    ineqs: Vec<Row>,
    /// Rows that are multiples of a number.
    multiples: Vec<(Row, Int)>,
    /// Whether no point satisfies them, as far as that is plain.
    empty: bool,
}

/// A part of a region in which the last variable goes from the roundings of one lower to one upper bound: from
/// `-lower / lower_factor` to `upper / upper_factor`, where both rows are over the other variables.
struct Slice {
    lower: Row,
    lower_factor: Int,
    upper: Row,
    upper_factor: Int,
    /// The values of the other variables for which these bounds are the tightest.
    outer: Region,
}

/// Where sums are collected: polynomials, each with the region in which it counts. Regions may overlap.
pub(super) type Sums = Vec<(Region, Polynomial)>;

impl Region {
    /// The points of a conjunction without locals: regions that do not overlap.
    pub(super) fn of_conj(conj: &Conj, b: &Budget) -> Result<Vec<Region>, CountError> {
        debug_assert_eq!(conj.n_locals(), 0, "a conjunction without locals");
        let mut whole = Region {
            n_vars: conj.n_cols() - 1,
            eqs: Vec::new(),
            ineqs: Vec::new(),
            multiples: Vec::new(),
            empty: false,
        };
        conj.eqs().iter().for_each(|row| whole.add_eq(row.clone()));
        conj.ineqs().iter().for_each(|row| whole.add_ineq(row.clone()));
        let mut regions = vec![whole];
        for (index, div) in conj.divs().iter().enumerate().rev() {
            let column = 1 + conj.n_vars() + index;
            let mut without = Vec::new();
            for region in regions {
                region.without_div(div, column, &mut without, b)?;
            }
            regions = without;
        }
        Ok(regions)
    }

    /// The conjunction with these points.
    pub(super) fn to_conj(&self) -> Conj {
        if self.empty {
            return Conj::empty(self.n_vars);
        }
        let mut conj = Conj::universe(self.n_vars);
        for (row, modulus) in &self.multiples {
            // row = modulus * floor(row / modulus)
            let div = conj.add_div(row.clone(), modulus.clone());
            let mut eq = Row::padded(row, conj.n_cols());
            eq[1 + self.n_vars + div] = -modulus;
            conj.add_eq(eq);
        }
        self.eqs.iter().for_each(|row| conj.add_eq(row.clone()));
        self.ineqs.iter().for_each(|row| conj.add_ineq(row.clone()));
        conj
    }

    fn is_empty(&self, b: &Budget) -> Outcome<bool> {
        b.spend((1 + self.n_vars as u64) * (1 + self.eqs.len() + self.ineqs.len() + self.multiples.len()) as u64)?;
        if self.empty {
            return Ok(true);
        }
        self.to_conj().is_empty(b)
    }

    fn add_eq(&mut self, mut row: Row) {
        let divisor = content(&row[1..]);
        if divisor.is_zero() || !row[0].divisible_by(&divisor) {
            self.empty |= !(divisor.is_zero() && row[0].is_zero());
            return;
        }
        row.iter_mut().for_each(|entry| *entry = entry.div_exact(&divisor));
        self.eqs.push(row);
    }

    /// Adds a constraint, with the constant as small as integer points allow.
    fn add_ineq(&mut self, mut row: Row) {
        let divisor = content(&row[1..]);
        if divisor.is_zero() {
            self.empty |= row[0].is_neg();
            return;
        }
        row.iter_mut().for_each(|entry| *entry = entry.div_floor(&divisor));
        match self.ineqs.iter_mut().find(|other| other[1..] == row[1..]) {
            Some(other) => other[0] = (&other[0]).min(&row[0]).clone(),
            None => self.ineqs.push(row),
        }
    }

    /// Adds that a row is a multiple of a positive number.
    fn add_multiple(&mut self, row: &Row, modulus: &Int) {
        let common = content(row).gcd(modulus);
        let modulus = modulus.div_exact(&common);
        let row: Row = row
            .iter()
            .map(|entry| entry.div_exact(&common).mod_floor(&modulus))
            .collect();
        if modulus.is_one() {
            return;
        }
        if content(&row[1..]).is_zero() {
            self.empty |= !row[0].is_zero();
        } else if !self.multiples.contains(&(row.clone(), modulus.clone())) {
            self.multiples.push((row, modulus));
        }
    }

    /// Adds the region without its last variable, in `column`, to `regions`: the division `div`, whose value follows from
    /// those of the others.
    fn without_div(
        mut self,
        div: &Div,
        column: usize,
        regions: &mut Vec<Region>,
        b: &Budget,
    ) -> Result<(), CountError> {
        let numerator = Row::padded(&div.num[..column], column + 1);
        let used = |row: &Row| !row[column].is_zero();
        if !self.eqs.iter().chain(&self.ineqs).any(used) && !self.multiples.iter().any(|(row, _)| used(row)) {
            regions.push(self.without_column(column));
            return Ok(());
        }
        if let Some(position) = self.eqs.iter().position(used) {
            // 0 <= num - den q <= den - 1
            let mut rest = numerator;
            rest[column] = -&div.den;
            let mut distance: Row = rest.iter().map(|entry| -entry).collect();
            distance[0] += &div.den;
            distance[0] -= Int::ONE;
            self.add_ineq(rest);
            self.add_ineq(distance);
            regions.push(self.solved(position, &mut Polynomial::zero(), b)?);
            return Ok(());
        }
        for (residue, mut part) in self.residues(&numerator, &div.den, b)? {
            let mut eq = numerator.clone();
            eq[0] -= residue;
            eq[column] = -&div.den;
            part.add_eq(eq);
            // The constraint is the last one, unless it makes the region empty.
            if !part.empty {
                let position = part.eqs.len() - 1;
                regions.push(part.solved(position, &mut Polynomial::zero(), b)?);
            }
        }
        Ok(())
    }

    fn without_column(&self, column: usize) -> Region {
        let without = |row: &Row| without_entry(row, column);
        Region {
            n_vars: self.n_vars - 1,
            eqs: self.eqs.iter().map(without).collect(),
            ineqs: self.ineqs.iter().map(without).collect(),
            multiples: self
                .multiples
                .iter()
                .map(|(row, m)| (without(row), m.clone()))
                .collect(),
            empty: self.empty,
        }
    }

    /// The region without its last variable `x`, for which equality `position` is solved, also in the polynomial.
    fn solved(&self, position: usize, polynomial: &mut Polynomial, b: &Budget) -> Outcome<Region> {
        let last = self.n_vars;
        let equality = &self.eqs[position];
        // The equality is `factor x = value`.
        let factor = equality[last].abs();
        let sign = Int::from(-i64::from(equality[last].sign()));
        let value: Row = without_entry(equality, last)
            .iter()
            .map(|entry| entry * &sign)
            .collect();
        let mut region = self.clone();
        region.eqs.remove(position);
        let mut region = region.substituted(&value, &factor, b)?;
        region.add_multiple(&value, &factor);
        *polynomial = polynomial.substitute(last - 1, &Polynomial::affine(&value, &factor), b)?;
        Ok(region)
    }

    /// The region without its last variable, in the place of which is `value / factor`, an integer, with `factor > 0`.
    fn substituted(&self, value: &Row, factor: &Int, b: &Budget) -> Outcome<Region> {
        let last = self.n_vars;
        b.spend((value.len() * (self.eqs.len() + self.ineqs.len() + self.multiples.len())) as u64)?;
        let replaced = |row: &Row| combine(factor, &row[..last], &row[last], value);
        let mut region = Region {
            n_vars: last - 1,
            eqs: Vec::new(),
            ineqs: Vec::new(),
            multiples: Vec::new(),
            empty: self.empty,
        };
        self.eqs.iter().for_each(|row| region.add_eq(replaced(row)));
        self.ineqs.iter().for_each(|row| region.add_ineq(replaced(row)));
        for (row, modulus) in &self.multiples {
            region.add_multiple(&replaced(row), &(modulus * factor));
        }
        Ok(region)
    }

    /// The parts of the region in which a row has one residue, each with the residue.
    fn residues(&self, row: &Row, modulus: &Int, b: &Budget) -> Result<Vec<(Int, Region)>, CountError> {
        if modulus.is_one() {
            return Ok(vec![(Int::ZERO, self.clone())]);
        }
        if let Some(residue) = self.known_residue(row, modulus) {
            return Ok(vec![(residue, self.clone())]);
        }
        let Some(end) = modulus.to_i64().filter(|modulus| *modulus <= MAX_MODULUS) else {
            return Err(CountError::Unknown);
        };
        let mut parts = Vec::new();
        for residue in (0..end).map(Int::from) {
            let mut part = self.clone();
            let mut multiple = row.clone();
            multiple[0] -= &residue;
            part.add_multiple(&multiple, modulus);
            if !part.is_empty(b)? {
                parts.push((residue, part));
            }
        }
        Ok(parts)
    }

    /// The residue of a row, if it is plain: if it is constant, or a row that is known to be a multiple differs from it, or
    /// from its negation, by a constant.
    fn known_residue(&self, row: &Row, modulus: &Int) -> Option<Int> {
        let is_multiple = |entry: &Int| entry.divisible_by(modulus);
        if row[1..].iter().all(is_multiple) {
            return Some(row[0].mod_floor(modulus));
        }
        let known = self.multiples.iter().filter(|(_, other)| other.divisible_by(modulus));
        for (multiple, _) in known {
            for sign in [1, -1].map(Int::from) {
                let difference = combine(&Int::ONE, row, &sign, multiple);
                if difference[1..].iter().all(is_multiple) {
                    return Some(difference[0].mod_floor(modulus));
                }
            }
        }
        None
    }

    /// Adds to `sums` the sum of a polynomial over all variables but the first `n_kept`.
    pub(super) fn sum(
        mut self,
        mut polynomial: Polynomial,
        n_kept: usize,
        sums: &mut Sums,
        b: &Budget,
    ) -> Result<(), CountError> {
        b.spend(1)?;
        if self.empty || polynomial.is_zero() {
            return Ok(());
        }
        if self.n_vars == n_kept {
            if !self.is_empty(b)? {
                sums.push((self, polynomial));
            }
            return Ok(());
        }
        self.move_last(self.best_var(n_kept), &mut polynomial);
        let last = self.n_vars;
        let involved = (0..self.eqs.len()).filter(|row| !self.eqs[*row][last].is_zero());
        if let Some(position) = involved.min_by_key(|row| self.eqs[*row][last].abs()) {
            let region = self.solved(position, &mut polynomial, b)?;
            return region.sum(polynomial, n_kept, sums, b);
        }
        if let Some(position) = self.multiples.iter().position(|(row, _)| !row[last].is_zero()) {
            let region = self.divided(position, &mut polynomial, b)?;
            return region.sum(polynomial, n_kept, sums, b);
        }
        for slice in self.slices(b)? {
            slice.sum(&polynomial, n_kept, sums, b)?;
        }
        Ok(())
    }

    /// The variable, none of the first `n_kept`, over which it is easiest to sum: one with an equality, or else with few bounds
    /// with small coefficients.
    fn best_var(&self, n_kept: usize) -> usize {
        let size = |row: &Row, var: usize| row[1 + var].abs().to_i64().unwrap_or(i64::MAX);
        let cost = |var: usize| {
            let used = |row: &&Row| !row[1 + var].is_zero();
            if let Some(smallest) = self.eqs.iter().filter(used).map(|row| size(row, var)).min() {
                return (0, smallest, 0);
            }
            let bounds = self.ineqs.iter().filter(used);
            let largest = bounds.clone().map(|row| size(row, var)).max().unwrap_or(0);
            let lower = bounds.clone().filter(|row| row[1 + var].is_pos()).count();
            (1, largest, lower * (bounds.count() - lower))
        };
        // Of variables that are as good, inner ones come first.
        let vars = (n_kept..self.n_vars).rev();
        vars.min_by_key(|var| cost(*var)).expect("a variable that is not kept")
    }

    /// Makes a variable the last one.
    fn move_last(&mut self, var: usize, polynomial: &mut Polynomial) {
        let last = self.n_vars - 1;
        if var == last {
            return;
        }
        let rows = self.eqs.iter_mut().chain(&mut self.ineqs);
        for row in rows.chain(self.multiples.iter_mut().map(|(row, _)| row)) {
            row.swap(1 + var, 1 + last);
        }
        *polynomial = polynomial.with_vars_at(|other| match other {
            _ if other == var => last,
            _ if other == last => var,
            _ => other,
        });
    }

    /// The region with another last variable, `z`, by which row `position`, a multiple of `m`, is solved for the last one. Where
    /// `c x + e` is a multiple of `m`, and `g` the greatest common divisor of `c` and `m`, `e` is a multiple of `g`, and
    /// `x = (m / g) z - i (e / g)` with an inverse `i` of `c / g` modulo `m / g`.
    fn divided(&self, position: usize, polynomial: &mut Polynomial, b: &Budget) -> Outcome<Region> {
        let last = self.n_vars;
        let mut region = self.clone();
        let (row, modulus) = region.multiples.remove(position);
        let common = row[last].gcd(&modulus);
        let step = modulus.div_exact(&common);
        let inverse = row[last].div_exact(&common).inverse_modulo(&step);
        let inverse = inverse.expect("what is divided by the greatest common divisor is coprime");
        let rest = without_entry(&row, last);
        // The value of `common * x`.
        let mut value: Row = rest.iter().map(|entry| -(entry * &inverse)).collect();
        value.push(&step * &common);
        // The last variable becomes the last but one, behind which `z` is.
        let spread = |row: &Row| {
            let mut row = row.clone();
            row.insert(last, Int::ZERO);
            row
        };
        region = Region {
            n_vars: last + 1,
            eqs: region.eqs.iter().map(spread).collect(),
            ineqs: region.ineqs.iter().map(spread).collect(),
            multiples: region
                .multiples
                .iter()
                .map(|(row, m)| (spread(row), m.clone()))
                .collect(),
            empty: region.empty,
        };
        region = region.substituted(&value, &common, b)?;
        region.add_multiple(&Row::padded(&rest, last + 1), &common);
        *polynomial = polynomial.substitute(last - 1, &Polynomial::affine(&value, &common), b)?;
        Ok(region)
    }

    /// Slices that have all points, and do not overlap: the last variable is in no equality.
    fn slices(&self, b: &Budget) -> Result<Vec<Slice>, CountError> {
        let last = self.n_vars;
        let bounds = self.without_redundant_bounds(b)?;
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let mut outer = Region {
            n_vars: last - 1,
            ineqs: Vec::new(),
            ..self.without_column(last)
        };
        for row in bounds.ineqs {
            let rest = without_entry(&row, last);
            match row[last].sign() {
                0 => outer.add_ineq(rest),
                1 => lower.push((rest, row[last].clone())),
                _ => upper.push((rest, -&row[last])),
            }
        }
        if lower.is_empty() || upper.is_empty() {
            return match self.is_empty(b)? {
                true => Ok(Vec::new()),
                false => Err(CountError::Infinite),
            };
        }
        let mut slices = Vec::new();
        for (l, low) in lower.iter().enumerate() {
            for (u, high) in upper.iter().enumerate() {
                b.spend((last * (lower.len() + upper.len())) as u64)?;
                let mut outer = outer.clone();
                outer.add_tightest(l, &lower);
                outer.add_tightest(u, &upper);
                if outer.is_empty(b)? {
                    continue;
                }
                slices.push(Slice {
                    lower: low.0.clone(),
                    lower_factor: low.1.clone(),
                    upper: high.0.clone(),
                    upper_factor: high.1.clone(),
                    outer,
                });
            }
        }
        Ok(slices)
    }

    /// The same region without bounds of the last variable that follow from all others, where it has several.
    fn without_redundant_bounds(&self, b: &Budget) -> Outcome<Region> {
        let last = self.n_vars;
        let mut kept = self.clone();
        for row in &self.ineqs {
            let alike = kept.ineqs.iter().filter(|other| other[last].sign() == row[last].sign());
            if row[last].is_zero() || alike.count() < 2 {
                continue;
            }
            let mut without = kept.clone();
            without.ineqs.retain(|other| other != row);
            let mut outside = without.clone();
            let mut negated: Row = row.iter().map(|entry| -entry).collect();
            negated[0] -= Int::ONE;
            outside.add_ineq(negated);
            if outside.is_empty(b)? {
                kept = without;
            }
        }
        Ok(kept)
    }

    /// Adds that of `rows`, each divided by the number beside it, the one at `position` is the smallest, and the first one of
    /// these.
    fn add_tightest(&mut self, position: usize, rows: &[(Row, Int)]) {
        let (row, factor) = &rows[position];
        for (other, (other_row, other_factor)) in rows.iter().enumerate().filter(|(other, _)| *other != position) {
            let mut difference = combine(factor, other_row, &-other_factor, row);
            if other < position {
                difference[0] -= Int::ONE;
            }
            self.add_ineq(difference);
        }
    }
}

impl Slice {
    fn sum(self, polynomial: &Polynomial, n_kept: usize, sums: &mut Sums, b: &Budget) -> Result<(), CountError> {
        let var = self.outer.n_vars;
        let rounded = |row: &Row, residue: &Int, factor: &Int| {
            let mut row = row.clone();
            row[0] -= residue;
            (Polynomial::affine(&row, factor), row)
        };
        for (low, part) in self.outer.residues(&self.lower, &self.lower_factor, b)? {
            for (high, mut part) in part.residues(&self.upper, &self.upper_factor, b)? {
                let (lower, lower_row) = rounded(&self.lower, &low, &self.lower_factor);
                let (upper, upper_row) = rounded(&self.upper, &high, &self.upper_factor);
                // upper_row / upper_factor >= -lower_row / lower_factor
                part.add_ineq(combine(&self.lower_factor, &upper_row, &self.upper_factor, &lower_row));
                let lower = Polynomial::zero().plus(&Rat::from(Int::from(-1)), &lower);
                let below = polynomial.sum(var, &lower, &upper, b)?;
                if !part.is_empty(b)? {
                    part.sum(below, n_kept, sums, b)?;
                }
            }
        }
        Ok(())
    }
}

fn without_entry(row: &Row, entry: usize) -> Row {
    let mut rest = row.clone();
    rest.remove(entry);
    rest
}
