//! The loops of one schedule dimension after the other (P1 algorithms 1 to 3).
//!
//! [`Generator::next`] cuts what is executed in components that can follow each other; [`Generator::base`] cuts the schedule domain of
//! each in parts of one conjunction, in the way that is asked for; [`Generator::create`] makes a loop for such a part, after
//! it has made what is inside.

use crate::ast::build::bounds::{self, Side};
use crate::ast::build::determined::determined;
use crate::ast::build::executed::{Executed, as_map, schedule_space};
use crate::ast::build::graft::{Graft, fused};
use crate::ast::build::separate::{disjoint, parts as parts_of, separated};
use crate::ast::build::stock::Stock;
use crate::ast::build::strategy::Frame;
use crate::ast::build::strides::{self, Progression};
use crate::ast::build::{AstError, Generator, components, isolate, scale, shift, sort};
use crate::ast::expr::Expr;
use crate::ast::node::{Coincidence, For, Node, Upper};
use crate::ast::place::Place;
use crate::ast::quasi::IterId;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Aff, Conj, PwAff, Set};
use crate::tree::LoopKind;

impl Generator<'_> {
    /// Code for dimension `depth` of the frame and all inside (P1 algorithm 1, "next"). `center`: in the isolated part, as far as
    /// the outer dimensions of the frame tell.
    pub(super) fn next(
        &mut self,
        frame: &Frame,
        depth: usize,
        executed: &Executed,
        center: bool,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        self.budget.spend(1)?;
        if executed.is_empty() {
            return Ok(Vec::new());
        }
        if depth == frame.end() {
            return match frame.inside {
                Some(node) => self.node(node, executed, stock),
                None => self.leaf(executed, stock),
            };
        }
        let components = match self.hooks.keeps_together(depth, frame.inside) {
            true => vec![executed.clone()],
            false => components::components(executed, depth, frame.inside, self.budget)?,
        };
        let mut grafts = Vec::new();
        for component in components {
            grafts.extend(self.component(frame, depth, &component, center, stock)?);
        }
        Ok(grafts)
    }

    fn component(
        &mut self,
        frame: &Frame,
        depth: usize,
        executed: &Executed,
        center: bool,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        let b = self.budget;
        let mut frame = frame.clone();
        let mut executed = executed.clone();
        // The loop of a dimension that is kept counts its values.
        let is_kept = self.hooks.keeps_loop(depth);
        if !is_kept
            && frame.can_be_shifted()
            && let Some(shifted) = shift::shifted(&executed, depth, b)?
        {
            executed = shifted;
            frame = frame.with_dimension(depth + 1);
        }
        if !is_kept
            && self.options.scale_strides
            && frame.can_be_scaled()
            && let Some(scale) = scale::scale(&executed, depth, b)?
        {
            executed = executed.counted(depth, &scale, b)?;
            frame = frame.counted(depth, &scale, b)?;
        }
        self.isolated(&frame, depth, &executed, center, stock)
    }

    fn isolated(
        &mut self,
        frame: &Frame,
        depth: usize,
        executed: &Executed,
        center: bool,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        let domain = executed.shadow(depth + 1, self.budget)?;
        let class = match frame.options {
            Some(options) => options.first_class(depth, self.budget)?,
            None => None,
        };
        if let Some(class) = &class {
            // The other classes are what comes before or after the first.
            let parts = isolate::split(&domain.coalesce(self.budget)?, class, None, self.budget)?;
            let mut grafts = Vec::new();
            for part in [parts.before, parts.center, parts.after, parts.others] {
                let executed = executed.restricted(&part, self.budget)?;
                grafts.extend(self.base(frame, depth, &executed, &part, false, stock)?);
            }
            return Ok(grafts);
        }
        let Some(isolated) = frame.isolated.as_ref().filter(|_| center) else {
            return self.base(frame, depth, executed, &domain, false, stock);
        };
        let parts = isolate::split(
            &domain.coalesce(self.budget)?,
            isolated,
            frame.full_tiles.then_some(frame.first),
            self.budget,
        )?;
        let parts = match frame.full_tiles {
            true => isolate::joined(
                parts,
                &executed.shadow(frame.end(), self.budget)?,
                isolated,
                self.budget,
            )?,
            false => parts,
        };
        let mut grafts = Vec::new();
        for (part, center) in [
            (parts.before, false),
            (parts.center, true),
            (parts.after, false),
            (parts.others, false),
        ] {
            let executed = executed.restricted(&part, self.budget)?;
            let stock = match center {
                true => stock.clone(),
                false => stock.in_partial_tile(),
            };
            grafts.extend(self.base(frame, depth, &executed, &part, center, &stock)?);
        }
        Ok(grafts)
    }

    /// Code for the part `domain` of the schedule domain, in which all of `executed` is (P1 algorithm 2, "base").
    fn base(
        &mut self,
        frame: &Frame,
        depth: usize,
        executed: &Executed,
        domain: &Set,
        center: bool,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        if executed.is_empty() {
            return Ok(Vec::new());
        }
        let b = self.budget;
        let kinds = frame.kinds(depth, domain, center, b)?;
        // Parts are ordered only where that is not clear from how they were made.
        let mut parts: Vec<Set> = Vec::new();
        let mut ordered = kinds.len() == 1;
        for (kind, domain) in kinds {
            let kind = match kind {
                LoopKind::Unroll if stock.partial_tile && !center => LoopKind::Default,
                LoopKind::Default => self.options.kind,
                kind => kind,
            };
            match kind {
                LoopKind::Unroll => match self.slices(depth, executed, &domain, stock) {
                    Ok(Some(slices)) => parts.extend(slices),
                    Ok(None) | Err(AstError::Unrollable { .. }) if domain.pieces().len() > 1 => {
                        // There may be few values in each part, although parts are far from each other.
                        ordered = false;
                        for part in disjoint(&domain, b)? {
                            let executed = executed.restricted(&part, b)?;
                            if executed.is_empty() {
                                continue;
                            }
                            let slices = self.slices(depth, &executed, &part, stock)?;
                            parts.extend(slices.unwrap_or_else(|| vec![part]));
                        }
                    }
                    Ok(None) => parts.push(domain),
                    Err(error) => return Err(error),
                },
                LoopKind::Atomic => parts.push(domain),
                LoopKind::Separate => {
                    ordered = false;
                    parts.extend(separated(executed, depth, &domain, self.options, stock.known(), b)?);
                }
                LoopKind::Default => {
                    ordered = false;
                    parts.extend(parts_of(executed, depth, &domain, b)?);
                }
            }
        }
        let groups = match ordered || parts.len() < 2 {
            true => (0..parts.len()).map(|part| vec![part]).collect(),
            false => sort::parts(&parts, stock.known(), b)?,
        };
        let alone = groups.len() == 1;
        let mut grafts = Vec::with_capacity(groups.len());
        for group in groups {
            let together = group.iter().map(|part| parts[*part].clone());
            let together = together
                .reduce(|all, part| all.union(&part))
                .expect("a group has a part");
            let bounds = bounds::hull(&together, b)?;
            let own = match alone {
                true => executed.clone(),
                false => executed.restricted(&together, b)?.coalesced(b)?,
            };
            grafts.extend(self.create(frame, depth, &own, &bounds, center, stock)?);
        }
        Ok(grafts)
    }

    /// A set for each value of the dimension (P1 section 5.5); `None` where there are more than the limit.
    fn slices(
        &self,
        depth: usize,
        executed: &Executed,
        domain: &Set,
        stock: &Stock,
    ) -> Result<Option<Vec<Set>>, AstError> {
        let b = self.budget;
        let values = executed.domain(depth + 1, b)?.intersect(domain);
        let (progression, _) = strides::progression(&values, b)?;
        let (first, steps) = match &progression {
            Progression::Fixed(value) => (bounds::without_last(value), 1),
            _ => {
                let hull = bounds::shape(domain, b)?.simple_hull(b)?;
                let known = stock.known().insert_dims(depth, 1);
                let reached = domain.intersect(&known);
                match bounds::closest_lower_bound(&hull, &reached, &progression, stock.known(), b)? {
                    Some(found) => found,
                    None => {
                        return Err(AstError::Unrollable {
                            node: self.path(),
                            dimension: depth,
                            statement: executed.some_statement(),
                        });
                    }
                }
            }
        };
        if steps > self.options.unroll_limit {
            return Ok(None);
        }
        let step = match &progression {
            Progression::Strided { step, .. } => step.clone(),
            _ => Int::ONE,
        };
        b.spend(steps.unsigned_abs())?;
        let slice = |t: i64| domain.intersect(&bounds::fixed(&first.add_constant(&(&step * &Int::from(t)))));
        Ok(Some((0..steps).map(slice).collect()))
    }

    /// A loop over the values in `bounds`, a set of one conjunction that contains all at which something of `executed` is
    /// executed (P1 algorithm 3, "create").
    fn create(
        &mut self,
        frame: &Frame,
        depth: usize,
        executed: &Executed,
        bounds: &Set,
        center: bool,
        stock: &Stock,
    ) -> Result<Option<Graft>, AstError> {
        if executed.is_empty() {
            return Ok(None);
        }
        let b = self.budget;
        let shape = executed.shadow(depth + 1, b)?.unshifted_simple_hull(b)?;
        let bounds = shape.intersect(bounds).detect_equalities(b)?;
        let values = executed.domain(depth + 1, b)?;
        let (progression, on_progression) = strides::progression(&values, b)?;
        let mut value = match &progression {
            Progression::Fixed(value) => Some(bounds::without_last(value)),
            _ => {
                let reached = bounds.intersect(&stock.known().insert_dims(depth, 1));
                bounds::closest_lower_bound(&bounds, &reached, &progression, stock.known(), b)?
                    .filter(|(_, steps)| *steps <= 1)
                    .map(|(value, _)| value)
            }
        };
        if value.is_none() {
            value = determined(&values, b)?;
        }
        match value {
            Some(value) => {
                let pending = bounds.intersect(&on_progression);
                self.eliminated(frame, depth, executed, value, &pending, center, stock)
            }
            None => self.looped(
                frame,
                depth,
                executed,
                &bounds,
                (progression, on_progression),
                center,
                stock,
            ),
        }
    }

    /// What is inside, where the dimension has the given value.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of the algorithm, and what was found out"
    )]
    fn eliminated(
        &mut self,
        frame: &Frame,
        depth: usize,
        executed: &Executed,
        value: Aff,
        pending: &Set,
        center: bool,
        stock: &Stock,
    ) -> Result<Option<Graft>, AstError> {
        let b = self.budget;
        let fixed = bounds::fixed(&value);
        let executed = executed.restricted(&fixed, b)?;
        let is_kept = self.hooks.keeps_loop(depth);
        if is_kept {
            let outside = stock.outside(&Set::universe(stock.known().space().clone()));
            self.hooks.before_for(&outside);
        }
        let inside = stock.with_value(value.clone(), &fixed, pending, b)?;
        let grafts = self.next(frame, depth + 1, &executed, center, &inside)?;
        let Some(graft) = fused(grafts, &|_| true, &inside, self.options, b)? else {
            return Ok(None);
        };
        let graft = graft.without_last(&fixed, b)?;
        match is_kept {
            true => Ok(Some(self.once(frame, depth, &value, graft, stock)?)),
            false => Ok(Some(graft)),
        }
    }

    /// A loop of one iteration around what is executed there, which does not mention the iterator.
    fn once(
        &mut self,
        frame: &Frame,
        depth: usize,
        value: &Aff,
        graft: Graft,
        stock: &Stock,
    ) -> Result<Graft, AstError> {
        let place = stock.outside(&graft.guard);
        let value = place.maximum(std::slice::from_ref(value), &self.options.forms, self.budget)?;
        let mut node = For {
            iter: self.new_iterator(depth),
            lower: value.clone(),
            upper: Upper::AtMost(value),
            step: Int::ONE,
            coincidence: Coincidence::of_member(frame.members[depth - frame.first].coincident),
            annotations: Vec::new(),
            body: graft.node,
        };
        self.hooks.after_for(&mut node, &place);
        Ok(Graft {
            node: Node::For(Box::new(node)),
            ..graft
        })
    }

    /// A loop, with what is inside.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of the algorithm, and what was found out"
    )]
    fn looped(
        &mut self,
        frame: &Frame,
        depth: usize,
        executed: &Executed,
        bounds: &Set,
        (progression, on_progression): (Progression, Set),
        center: bool,
        stock: &Stock,
    ) -> Result<Option<Graft>, AstError> {
        let b = self.budget;
        let limits = bounds.drop_constraints_not_involving(depth, 1);
        let others = bounds.drop_constraints_involving(depth, 1);
        let generated = limits.intersect(&on_progression);
        self.hooks
            .before_for(&stock.outside(&Set::universe(stock.known().space().clone())));
        let iter = self.new_iterator(depth);
        let inside = stock.inside_loop(iter, &generated, &others, b)?;
        self.open.push(iter);
        let grafts = self.next(frame, depth + 1, executed, center, &inside);
        self.open.pop();
        let grafts = grafts?;
        let movable = |conj: &Conj| !conj.involves(conj.n_vars() - 1, 1);
        let Some(body) = fused(grafts, &movable, &inside, self.options, b)? else {
            return Ok(None);
        };
        let outer_space = schedule_space(&self.params, depth);
        // What does not depend on the dimension, over the space without it.
        let outside = |set: &Set| -> Result<Set, AstError> { Ok(set.project_out(depth, 1, b)?.explicit(b)?) };
        let mut guard = outside(&body.guard)?.intersect(&outside(&on_progression)?);
        if !self.options.nested_bounds {
            guard = guard.intersect(&outside(&others)?);
        }
        // Where the constraints do not bound the dimension, its first or last value does, where there is one.
        let [first, last] = self.ends(&limits, executed, depth, stock)?;
        if first.iter().chain(&last).any(|end| end.pieces().len() == 0) {
            // For the parameter values that reach this place there is no instance.
            return Ok(None);
        }
        for end in first.iter().chain(&last) {
            guard = guard.intersect(&end.domain());
        }
        let guard = guard.gist(stock.generated(), b)?;
        let place = stock.outside(&guard);
        let limits = without_known(limits, &place, depth, b)?;
        let lower = match first {
            Some(first) => place.expr(&first, &self.options.forms, b)?,
            None => self.lower(&limits, &progression, &place)?,
        };
        let upper = match last {
            Some(last) => Upper::AtMost(place.expr(&last, &self.options.forms, b)?),
            None => self.upper(iter, &limits, &place)?,
        };
        let step = match progression {
            Progression::Strided { step, .. } => step,
            _ => Int::ONE,
        };
        let enforced = limits.intersect(&body.enforced);
        let shapes: Vec<Conj> = enforced
            .pieces()
            .iter()
            .map(|piece| piece.eliminate_rational(piece.n_vars() - 1, 1, b))
            .collect::<Result<_, _>>()?;
        let mut node = For {
            iter,
            lower,
            upper,
            step,
            coincidence: Coincidence::of_member(frame.members[depth - frame.first].coincident),
            annotations: Vec::new(),
            body: body.node,
        };
        self.hooks.after_for(&mut node, &place);
        Ok(Some(Graft {
            node: Node::For(Box::new(node)),
            guard,
            enforced: Set::from_conjs(outer_space, shapes),
        }))
    }

    /// The first and the last value of a dimension as functions of those outside, each only where `limits` has no bound on that
    /// side and there is one.
    fn ends(
        &self,
        limits: &Set,
        executed: &Executed,
        depth: usize,
        stock: &Stock,
    ) -> Result<[Option<PwAff>; 2], AstError> {
        let b = self.budget;
        let missing = |side| bounds::bounds(limits, side).is_empty();
        let (lower, upper) = (missing(Side::Lower), missing(Side::Upper));
        if !lower && !upper {
            return Ok([None, None]);
        }
        let known = stock.generated().insert_dims(depth, 1);
        let values = executed.domain(depth + 1, b)?.intersect(&known);
        if lower && !values.has_lower_bound(depth, b)? {
            return Err(AstError::Unbounded {
                node: self.path(),
                dimension: depth,
                statement: executed.some_statement(),
            });
        }
        let upper = upper && values.has_upper_bound(depth, b)?;
        let values = as_map(&values);
        let first = lower.then(|| values.lexmin_pw_multi_aff(b)).transpose()?;
        let last = upper.then(|| values.lexmax_pw_multi_aff(b)).transpose()?;
        Ok([first, last].map(|end| end.map(|end| end.component(0))))
    }

    fn lower(&self, limits: &Set, progression: &Progression, place: &Place) -> Result<Expr, AstError> {
        let b = self.budget;
        let mut starts = Vec::new();
        for bound in bounds::bounds(limits, Side::Lower) {
            starts.push(bounds::on_progression(&bound, progression, place.known(), b)?);
        }
        Ok(place.maximum(&starts, &self.options.forms, b)?)
    }

    fn upper(&self, iter: IterId, limits: &Set, place: &Place) -> Result<Upper, AstError> {
        let (b, forms) = (self.budget, &self.options.forms);
        let ends = bounds::bounds(limits, Side::Upper);
        Ok(match (limits.pieces(), self.options.single_upper) {
            _ if ends.is_empty() => Upper::Unbounded,
            ([conj], false) => place.upper_conditions(iter, conj, forms, b)?,
            _ => Upper::AtMost(place.minimum(&ends, forms, b)?),
        })
    }
}

/// The limits of a dimension without what is known at a place; all of them where no bound on one side would be left, as nothing is
/// executed there, which makes bounds superfluous.
fn without_known(limits: Set, place: &Place, depth: usize, b: &Budget) -> Outcome<Set> {
    let simpler = limits.gist(&place.known().insert_dims(depth, 1), b)?;
    let keeps = |side| bounds::bounds(&simpler, side).is_empty() == bounds::bounds(&limits, side).is_empty();
    Ok(match keeps(Side::Lower) && keeps(Side::Upper) {
        true => simpler,
        false => limits,
    })
}
