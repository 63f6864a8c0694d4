//! Stub until the real one is merged.

use crate::ast::expr::{Condition, Expr};
use crate::ast::node::Logic;
use crate::ast::quasi::{IterId, ParamId, Quasi};
use crate::budget::{Budget, Outcome};
use crate::linalg::Row;
use crate::sets::{Aff, Conj, Params, PwAff, Set};

/// Forms.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// Logic.
    pub logic: Logic,
}

/// Place.
#[derive(Clone, Debug)]
pub struct Place {
    values: Vec<Quasi>,
    n_params: usize,
    known: Set,
}

#[allow(missing_docs, clippy::unnecessary_wraps)]
impl Place {
    pub fn root(context: Set, params: Params) -> Place {
        Place {
            values: Vec::new(),
            n_params: params.len(),
            known: context,
        }
    }
    pub fn known(&self) -> &Set {
        &self.known
    }
    pub fn inside_loop(&self, iter: IterId, known: Set) -> Place {
        let mut values = self.values.clone();
        values.push(Quasi::iter(iter));
        Place {
            values,
            known,
            n_params: self.n_params,
        }
    }
    pub fn with_value(&self, value: Aff, known: Set) -> Place {
        let mut values = self.values.clone();
        values.push(self.quasi(&value));
        Place {
            values,
            known,
            n_params: self.n_params,
        }
    }
    pub fn with_known(&self, known: Set) -> Place {
        Place { known, ..self.clone() }
    }
    pub fn assuming(&self, fact: &Set) -> Place {
        self.with_known(self.known.intersect(fact))
    }
    pub fn quasi(&self, aff: &Aff) -> Quasi {
        let q = self.row(aff.row(), aff.expr().form());
        if aff.den().is_one() { q } else { q.floor_div(aff.den()) }
    }
    fn row(&self, row: &Row, conj: &Conj) -> Quasi {
        let mut result = Quasi::constant(row[0].clone());
        for (column, coefficient) in row.iter().enumerate().skip(1).filter(|(_, c)| !c.is_zero()) {
            let variable = column - 1;
            let value = if variable < self.n_params {
                Quasi::param(ParamId(variable))
            } else if variable < conj.n_vars() {
                self.values[variable - self.n_params].clone()
            } else {
                let div = &conj.divs()[variable - conj.n_vars()];
                self.row(&div.num, conj).floor_div(&div.den)
            };
            result.add_scaled(coefficient, &value);
        }
        result
    }
    pub fn expr(&self, aff: &PwAff, forms: &Forms, b: &Budget) -> Outcome<Expr> {
        let pieces: Vec<_> = aff.pieces().collect();
        let mut result: Option<Expr> = None;
        for (domain, aff) in pieces.iter().rev() {
            let own: Expr = self.quasi(aff).into();
            result = Some(match result {
                None => own,
                Some(other) => Expr::select(self.condition(domain, forms, b)?, own, other),
            });
        }
        Ok(result.unwrap_or_else(|| Quasi::constant(0).into()))
    }
    pub fn condition(&self, set: &Set, _: &Forms, b: &Budget) -> Outcome<Condition> {
        let set = set.gist(&self.known, b)?.explicit(b)?;
        Ok(Condition::any(set.pieces().iter().map(|conj| {
            let eqs = conj.eqs().iter().map(|row| Condition::Zero(self.row(row, conj)));
            let ineqs = conj.ineqs().iter().map(|row| Condition::NonNegative(self.row(row, conj)));
            Condition::all(eqs.chain(ineqs))
        })))
    }
    pub fn maximum(&self, affs: &[Aff], _: &Budget) -> Outcome<Expr> {
        Ok(Expr::max(affs.iter().map(|a| self.quasi(a).into()).collect()))
    }
    pub fn minimum(&self, affs: &[Aff], _: &Budget) -> Outcome<Expr> {
        Ok(Expr::min(affs.iter().map(|a| self.quasi(a).into()).collect()))
    }
}
