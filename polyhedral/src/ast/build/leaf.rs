//! Leaves: the instances, and the conditions that nothing outside has enforced (P1 sections 5.1 and 5.2).

use crate::ast::build::executed::Executed;
use crate::ast::build::gist::without_implied;
use crate::ast::build::graft::Graft;
use crate::ast::build::separate::disjoint;
use crate::ast::build::stock::Stock;
use crate::ast::build::strategy::Frame;
use crate::ast::build::{AstError, Generator};
use crate::ast::hooks::CallSite;
use crate::ast::node::{Call, Node};
use crate::budget::{Budget, Outcome};
use crate::sets::{Map, MultiAff, PwMultiAff, Set};
use crate::tree::Member;

impl Generator<'_> {
    /// The calls of all statements, in any order.
    pub(super) fn leaf(&mut self, executed: &Executed, stock: &Stock) -> Result<Vec<Graft>, AstError> {
        let mut units: Vec<Vec<Graft>> = Vec::new();
        for (index, relation) in executed.relations().iter().enumerate() {
            match self.instance(relation)? {
                Some(instance) => units.extend(
                    self.calls(relation, &instance, stock)?
                        .into_iter()
                        .map(|call| vec![call]),
                ),
                None => {
                    // The schedule does not tell all instances apart: their own dimensions do.
                    let own = executed.select(&[index]).by_instance(self.budget)?;
                    let frame = Frame {
                        first: stock.depth(),
                        members: vec![Member::default(); relation.range_tuple().n()],
                        isolated: None,
                        full_tiles: false,
                        options: None,
                        inside: None,
                        referred: true,
                    };
                    units.push(self.next(&frame, stock.depth(), &own, false, stock)?);
                }
            }
        }
        Ok(in_any_order(units))
    }

    /// The instance that is executed at each schedule point, if there is only one. Where the equalities that hold on the whole
    /// relation determine it, it is one function; otherwise it may differ from conjunction to conjunction.
    fn instance(&self, relation: &Map) -> Result<Option<PwMultiAff>, AstError> {
        let b = self.budget;
        if relation.pieces().len() > 1
            && let Some(function) = common_function(relation, b)?
        {
            return Ok(Some(PwMultiAff::new(relation.domain(b)?, function)));
        }
        Ok(PwMultiAff::from_map(relation, b)?)
    }

    /// A call for each different expression of the instance, and for each conjunction where disjunctions are not allowed.
    fn calls(&mut self, relation: &Map, instance: &PwMultiAff, stock: &Stock) -> Result<Vec<Graft>, AstError> {
        let b = self.budget;
        let mut functions: Vec<(Set, &MultiAff)> = Vec::new();
        for (domain, function) in instance.pieces() {
            match functions.iter_mut().find(|(_, other)| *other == function) {
                Some((all, _)) => *all = all.union(domain),
                None => functions.push((domain.clone(), function)),
            }
        }
        let mut guards: Vec<(Set, &MultiAff)> = Vec::with_capacity(functions.len());
        for (domain, function) in functions {
            let guard = domain.explicit(b)?.intersect(stock.pending()).coalesce(b)?;
            let guard = guard.gist(stock.generated(), b)?.coalesce(b)?;
            match self.options.disjunctions {
                true => guards.push((guard, function)),
                false => guards.extend(disjoint(&guard, b)?.into_iter().map(|part| (part, function))),
            }
        }
        let mut grafts = Vec::with_capacity(guards.len());
        for (guard, function) in guards {
            let guard = without_implied(guard, stock.generated(), b)?;
            let place = stock.place().assuming(&guard);
            let mut arguments = Vec::with_capacity(function.len());
            for argument in function.affs() {
                let argument = argument.gist(place.known(), b)?;
                arguments.push(place.expr(&argument.into(), &self.options.forms, b)?);
            }
            let mut call = Call {
                statement: relation.range_tuple().clone(),
                arguments,
                expressions: Vec::new(),
            };
            let site = CallSite {
                place: &place,
                instance: function,
                forms: &self.options.forms,
                budget: b,
            };
            self.hooks.call(&mut call, &site)?;
            grafts.push(Graft {
                node: Node::Call(call),
                enforced: Set::universe(guard.space().clone()),
                guard,
            });
        }
        Ok(grafts)
    }
}

/// One function of which the whole relation is part, if it is found.
fn common_function(relation: &Map, b: &Budget) -> Outcome<Option<MultiAff>> {
    let only = |map: &Map| -> Outcome<Option<MultiAff>> {
        let Some(function) = PwMultiAff::from_map(map, b)? else {
            return Ok(None);
        };
        let mut pieces = function.pieces();
        let only = pieces.next().filter(|_| pieces.len() == 0);
        Ok(only.map(|(_, function)| function.clone()))
    };
    if relation.pieces().iter().all(|piece| piece.n_locals() == 0) {
        return only(&relation.affine_hull(b)?);
    }
    // Without the hull, for which all variables have to be expressed by divisions, that of some conjunction may do.
    for piece in relation.pieces() {
        if let Some(function) = only(&Map::from_conj(relation.space().clone(), piece.clone()))?
            && relation.is_subset(&function.to_map(), b)?
        {
            return Ok(Some(function));
        }
    }
    Ok(None)
}

/// Grafts in units that may come in any order: those of one graft after each other if they have the same guard, so that they
/// share its `if`.
pub(super) fn in_any_order(units: Vec<Vec<Graft>>) -> Vec<Graft> {
    let mut groups: Vec<Vec<Graft>> = Vec::new();
    for mut unit in units {
        let same = match &unit[..] {
            [only] => groups
                .iter_mut()
                .find(|group| group.iter().all(|graft| graft.guard.is_plainly_equal(&only.guard))),
            _ => None,
        };
        match same {
            Some(group) => group.append(&mut unit),
            None => groups.push(unit),
        }
    }
    groups.into_iter().flatten().collect()
}
