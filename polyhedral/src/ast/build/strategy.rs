//! How each part of a schedule dimension is generated (P1 sections 5.4 and 5.5).

use crate::ast::build::executed::schedule_space;
use crate::ast::build::scale::Scale;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Params, Set, Tuple, UnionMap};
use crate::solver::integer::IntOptimum;
use crate::tree::{LoopKind, Member};

/// The schedule dimensions of a band, with what is asked of the code for them.
#[derive(Clone, Debug)]
pub(super) struct Frame<'t> {
    /// The number of schedule dimensions outside.
    pub(super) first: usize,
    pub(super) members: Vec<Member>,
    /// What is isolated, over the dimensions outside and all of these.
    pub(super) isolated: Option<Set>,
    /// These are full tiles: how the others are cut is free.
    pub(super) full_tiles: bool,
    /// Kinds of code by schedule points, which go before those of the members.
    pub(super) options: Option<&'t FlatOptions>,
    /// What comes after these dimensions; `None` where the schedule ends.
    pub(super) inside: Option<&'t crate::tree::Node>,
    /// Something inside refers to these dimensions by their positions and values.
    pub(super) referred: bool,
}

/// For each of the kinds of code, the schedule points and dimensions for which it is asked: `{ [c] -> [dim] }`.
#[derive(Clone, Debug)]
pub(super) struct FlatOptions {
    kinds: Vec<(LoopKind, UnionMap)>,
    classes: UnionMap,
    params: Params,
}

impl FlatOptions {
    /// From `{ [c] -> atomic[dim]; [c] -> separate[dim]; [c] -> unroll[dim]; [c] -> separation_class[[dim] -> [class]] }` for `n`
    /// dimensions; and what is asked of whole dimensions instead, where that is all.
    pub(super) fn new(
        options: &UnionMap,
        params: &Params,
        n: usize,
        b: &Budget,
    ) -> Outcome<(Vec<Member>, Option<FlatOptions>)> {
        let of = |keep: &dyn Fn(&Tuple) -> bool| {
            let mut kept = UnionMap::empty(params.clone());
            options
                .maps()
                .filter(|map| keep(map.range_tuple()))
                .for_each(|map| kept.add(map));
            kept
        };
        let named = |name: &'static str| of(&move |tuple| *tuple == Tuple::new(name, 1));
        let flat = FlatOptions {
            kinds: vec![
                (LoopKind::Separate, named("separate")),
                (LoopKind::Unroll, named("unroll")),
                (LoopKind::Atomic, named("atomic")),
            ],
            classes: of(&|tuple| tuple.name().is_some_and(|name| **name == *"separation_class")),
            params: params.clone(),
        };
        let mut members = vec![Member::default(); n];
        if flat.classes.maps().next().is_some() {
            return Ok((members, Some(flat)));
        }
        for (depth, member) in members.iter_mut().enumerate() {
            for (kind, asked) in flat.kinds.iter().rev() {
                let points = flat.points(asked, depth, b)?;
                if points.is_plainly_universe() {
                    member.kind = *kind;
                } else if !points.is_empty(b)? {
                    return Ok((vec![Member::default(); n], Some(flat)));
                }
            }
        }
        Ok((members, None))
    }

    /// The points of the first `depth + 1` dimensions for which dimension `depth` is in one of the sets of `options`.
    fn points(&self, options: &UnionMap, depth: usize, b: &Budget) -> Outcome<Set> {
        let mut points = Set::empty(schedule_space(&self.params, depth + 1));
        for map in options.maps() {
            let asked = map
                .align_params(&self.params)
                .fix_range_dim(0, &Int::from(depth))
                .domain(b)?;
            if asked.n_dims() <= depth {
                continue;
            }
            let first = self.params.len() + depth + 1;
            for piece in asked.pieces() {
                let shape = piece.eliminate_rational(first, piece.n_vars() - first, b)?;
                points = points.union(&Set::from_conj(points.space().clone(), shape));
            }
        }
        Ok(points)
    }

    /// The points of the first separation class that is given in dimension `depth`: it gets code of its own.
    pub(super) fn first_class(&self, depth: usize, b: &Budget) -> Outcome<Option<Set>> {
        for map in self.classes.maps() {
            let asked = map.align_params(&self.params).fix_range_dim(0, &Int::from(depth));
            if let IntOptimum::Finite(class) = asked.range(b)?.dim_min(1, b)? {
                let points = UnionMap::from(asked.fix_range_dim(1, &class));
                return self.points(&points, depth, b).map(Some);
            }
        }
        Ok(None)
    }
}

impl Frame<'_> {
    /// The number of schedule dimensions up to the end of these.
    pub(super) fn end(&self) -> usize {
        self.first + self.members.len()
    }

    /// Whether a dimension may be inserted.
    pub(super) fn can_be_shifted(&self) -> bool {
        !self.referred && self.options.is_none() && self.isolated.is_none()
    }

    /// Whether a dimension may have other values in the same order.
    pub(super) fn can_be_scaled(&self) -> bool {
        !self.referred && self.options.is_none()
    }

    /// The frame with dimension `depth` counted.
    pub(super) fn counted(&self, depth: usize, scale: &Scale, b: &Budget) -> Outcome<Self> {
        let mut frame = self.clone();
        if let Some(isolated) = &self.isolated {
            let counted = isolated.pieces().iter().map(|piece| scale.counted(piece, depth, b));
            let counted = counted.collect::<Outcome<_>>()?;
            frame.isolated = Some(Set::from_conjs(isolated.space().clone(), counted).explicit(b)?);
        }
        Ok(frame)
    }

    /// The frame with a dimension inserted at `depth` for which nothing is asked.
    pub(super) fn with_dimension(&self, depth: usize) -> Self {
        let mut frame = self.clone();
        frame.members.insert(depth - self.first, Member::default());
        frame
    }

    /// A schedule domain of the dimension `depth` in disjoint parts, each with the kind of code that is asked for it. `center`:
    /// it is in the isolated part.
    pub(super) fn kinds(&self, depth: usize, domain: &Set, center: bool, b: &Budget) -> Outcome<Vec<(LoopKind, Set)>> {
        let member = &self.members[depth - self.first];
        let own = if center { member.isolated } else { member.kind };
        let Some(options) = self.options else {
            return Ok(vec![(own, domain.clone())]);
        };
        let mut parts = Vec::new();
        let mut rest = domain.clone();
        for (kind, asked) in &options.kinds {
            let points = options.points(asked, depth, b)?;
            let part = rest.intersect(&points);
            if points.is_plainly_empty() || part.is_empty(b)? {
                continue;
            }
            rest = rest.subtract(&points, b)?;
            parts.push((*kind, part.coalesce(b)?));
        }
        if parts.is_empty() {
            return Ok(vec![(own, domain.clone())]);
        }
        if !rest.is_empty(b)? {
            parts.push((own, rest.coalesce(b)?));
        }
        Ok(parts)
    }
}
