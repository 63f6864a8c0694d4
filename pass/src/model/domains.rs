//! The instances of blocks: for which values of the loop counters around it a block is executed.
//!
//! A loop whose back edge is taken `E` times runs its header for the counter values 0 to `E`. The blocks that come after
//! the test that ends it run for 0 to `E - 1`, those before it, and the block of the test itself, for 0 to `E`. Within an
//! iteration, and outside the loops, conditions on branches narrow the domain. Where one depends on data, what it governs
//! is a [`Subregion`], all blocks of which have the domain of the first. Conditions under which an error occurs are assumed
//! not to hold for any instance.

use super::convert::{Converter, Reading, Scope};
use super::declined::{Declined, Modelled, Reason};
use super::nest::{Item, Nest, NestLoop};
use super::pieces::{Pieces, nonnegative, zero};
use super::subregion::{self, Subregion};
use farkas_llvm::region::LoopId;
use farkas_llvm::scev::ScevKind;
use farkas_llvm::section::Border;
use farkas_llvm::value::{Block, IntPredicate, Kind, Value};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Set};
use indexmap::{IndexMap, IndexSet};

/// The instances of the blocks of a nest, and of the ways on from them.
#[derive(Debug, Default)]
pub(crate) struct Domains<'a> {
    /// For each block, the loops around it and the counter values for which it is executed.
    blocks: IndexMap<Block<'a>, Scope>,
    /// The instances of the first block after which control goes on in the second, which may be outside the loop.
    edges: IndexMap<(Block<'a>, Block<'a>), Set>,
    /// What conditions on data govern, by the first block.
    pub(crate) subregions: Subregions<'a>,
    /// For each block, how many assumptions its domain rests on: the first ones.
    assumed: IndexMap<Block<'a>, usize>,
}

/// Disjoint subregions by their first blocks.
pub(crate) type Subregions<'a> = IndexMap<Block<'a>, Subregion<'a>>;

impl<'a> Domains<'a> {
    /// The instances of a block; `None` where a condition on data leaves open which they are.
    pub(crate) fn certain(&self, block: Block<'a>) -> Option<&Set> {
        let mut subregions = self.subregions.values();
        let open = subregions.any(|s| s.start() != block && s.blocks.contains(&block));
        (!open).then(|| &self.blocks[&block].domain)
    }

    /// Those of the assumptions that the domain of a block rests on.
    pub(crate) fn assumed_before<'s>(&self, block: Block<'a>, assumptions: &'s [Set]) -> &'s [Set] {
        &assumptions[..self.assumed[&block]]
    }

    /// The scope of the end of a block, or of an edge from it.
    pub(crate) fn scope(&self, block: Block<'a>, to: Option<Block<'a>>) -> Scope {
        let scope = &self.blocks[&block];
        match to {
            None => scope.clone(),
            Some(to) => Scope {
                loops: scope.loops.clone(),
                elements: false,
                domain: self.edges[&(block, to)].clone(),
            },
        }
    }
}

/// Computes the domains of all blocks of the nest.
///
/// # Errors
/// If a bound or a condition is not quasi-affine.
pub(crate) fn domains<'a>(converter: &Converter<'_, 'a, '_>) -> Modelled<'a, Domains<'a>> {
    let nest = converter.nest;
    let once = Scope {
        loops: Vec::new(),
        elements: false,
        domain: Set::universe(super::convert::space(0)),
    };
    let around = Around {
        once: &once,
        test: None,
    };
    let first = match nest.section.entry {
        Border::Edge { to, .. } => to,
        Border::Before(branch) => branch.block(),
    };
    let mut wide = Subregions::new();
    loop {
        let mut walk = Walk {
            converter,
            domains: Domains::default(),
            incoming: IndexMap::from([(first, vec![once.domain.clone()])]),
            wide: &wide,
            wider: None,
        };
        let walked = converter.attempt(|| walk.body(&nest.body, &around));
        match (walked, walk.wider) {
            (Ok(()), _) => return Ok(walk.domains),
            (Err(_), Some(wider)) if !wide.contains_key(&wider.start()) => {
                wide.insert(wider.start(), wider);
            }
            (Err(declined), _) => return Err(declined),
        }
    }
}

/// What is around a body.
struct Around<'w, 'a> {
    /// The loops around, and the counter values with which the body is begun.
    once: &'w Scope,
    /// For the body of a loop, the test that ends it.
    test: Option<Test<'w, 'a>>,
}

/// The test that ends a loop.
struct Test<'w, 'a> {
    of: &'w NestLoop<'a>,
    /// Where it lets the iteration go on.
    passed: Set,
    /// Where it ends the loop.
    ended: Set,
}

impl<'a> Around<'_, 'a> {
    /// Whether control stays in the same execution of the body when it goes on to the block.
    fn contains(&self, nest: &Nest<'a>, to: Block<'a>) -> bool {
        match &self.test {
            Some(test) => test.of.handle.contains(to) && to != test.of.header,
            None => nest.blocks.contains_key(&to),
        }
    }

    /// What the body consists of.
    fn items<'n>(&self, nest: &'n Nest<'a>) -> &'n [Item<'a>]
    where
        Self: 'n,
    {
        match &self.test {
            Some(test) => nest.find(test.of.handle).map_or(&[], |id| &nest.at(id).body),
            None => &nest.body,
        }
    }

    /// The test, if the block is its block.
    fn test_of(&self, block: Block<'a>) -> Option<&Test<'_, 'a>> {
        self.test.as_ref().filter(|test| test.of.exiting == block)
    }
}

struct Walk<'w, 'c, 'a, 'r> {
    converter: &'w Converter<'c, 'a, 'r>,
    domains: Domains<'a>,
    /// The domains of the edges into a block that have been met so far.
    incoming: IndexMap<Block<'a>, Vec<Set>>,
    /// Subregions that start before the condition on data that they are there for.
    wide: &'w Subregions<'a>,
    /// One that was found to be needed after its start had been passed: what the walk failed for.
    wider: Option<Subregion<'a>>,
}

impl<'a> Walk<'_, '_, 'a, '_> {
    /// Walks through the loop, which is entered for the outer counter values `entry`.
    fn enter(&mut self, id: LoopId, around: &[LoopId], entry: Set) -> Modelled<'a, ()> {
        let nest = self.converter.nest;
        let l = nest.at(id);
        let depth = around.len();
        let loops: Vec<LoopId> = around.iter().copied().chain([id]).collect();
        let space = super::convert::space(depth + 1);
        let counter = Aff::var(space.clone(), depth);
        let started = Scope {
            elements: false,
            domain: entry.insert_dims(depth, 1).intersect(&nonnegative(&counter)),
            loops,
        };
        // Up to the test that ends the loop, and from it on.
        let (tested, test) = match self.last(l, &started)? {
            Some(last) => {
                let tested = last.filter(&space, |last| nonnegative(&last.sub(&counter)));
                let passed = last.filter(&space, |last| {
                    nonnegative(&last.sub(&counter).add_constant(&Int::from(-1)))
                });
                let ended = last.filter(&space, |last| zero(&last.sub(&counter)));
                let tested = started.domain.intersect(&tested);
                (tested, Test { of: l, passed, ended })
            }
            None => self.until_it_ends(l, &started, depth)?,
        };
        let budget = self.converter.budget;
        let tested = Scope {
            domain: tested.coalesce(budget)?.remove_redundancies(budget)?,
            ..started
        };
        self.incoming.insert(l.header, vec![tested.domain.clone()]);
        let around = Around {
            once: &tested,
            test: Some(test),
        };
        self.body(&l.body, &around)
    }

    /// Walks through a body. What control comes into it with is known.
    fn body(&mut self, items: &[Item<'a>], around: &Around<'_, 'a>) -> Modelled<'a, ()> {
        let nest = self.converter.nest;
        for (position, item) in items.iter().enumerate() {
            match *item {
                Item::Loop(child) => {
                    let entry = self.join(nest.at(child).header)?;
                    self.enter(child, &around.once.loops, entry.clone())?;
                    self.incoming.entry(nest.at(child).exit).or_default().push(entry);
                }
                Item::Block(block) if self.domains.blocks.contains_key(&block) => {}
                Item::Block(block) => {
                    let domain = match self.inherited(around, &items[..position], block) {
                        Some(domain) => domain,
                        None => self.join(block)?,
                    };
                    let scope = Scope {
                        loops: around.once.loops.clone(),
                        elements: false,
                        domain,
                    };
                    let assumed = self.converter.assumptions().len();
                    self.domains.assumed.insert(block, assumed);
                    self.leave(around, block, &scope)?;
                    self.domains.blocks.insert(block, scope);
                }
            }
        }
        Ok(())
    }

    /// How often the back edge is taken, if scalar evolution can tell.
    fn last(&self, l: &NestLoop<'a>, scope: &Scope) -> Modelled<'a, Option<Pieces>> {
        let count = self.converter.run.exit_count(l.handle, l.exiting);
        if count.kind() == ScevKind::CouldNotCompute {
            return Ok(None);
        }
        log::debug!("{:?} takes its back edge {count} times", l.handle);
        let count = self.converter.exact(count, Reading::Unsigned, scope);
        count
            .map(Some)
            .map_err(|d| d.because(Reason::NonAffineBound, l.exiting.terminator()))
    }

    /// The instances of the test of a loop, by its condition: there is one as long as none before has ended the loop. That
    /// one does is assumed.
    fn until_it_ends<'l>(
        &self,
        l: &'l NestLoop<'a>,
        started: &Scope,
        depth: usize,
    ) -> Modelled<'a, (Set, Test<'l, 'a>)> {
        let (converter, budget) = (self.converter, self.converter.budget);
        let test = l.exiting.terminator();
        let unknown = || Declined::at(Reason::UnknownTripCount, test);
        let Kind::Branch { condition, then, .. } = test.kind() else {
            return Err(unknown());
        };
        let conditions = Conditions {
            converter,
            block: l.exiting,
            scope: started,
        };
        let (holds, fails) = match converter.attempt(|| conditions.of(condition)) {
            Ok(both) => both,
            Err(declined) if declined.reason == Reason::OutOfBudget => return Err(declined),
            Err(_) => return Err(unknown()),
        };
        let (passed, ended) = match l.handle.contains(then) {
            true => (holds, fails),
            false => (fails, holds),
        };
        let ended = started.domain.intersect(&ended);
        // The counter of an earlier iteration comes behind that of this one.
        let earlier = ended.insert_dims(depth, 1);
        let both = super::convert::space(depth + 2);
        let distance = Aff::var(both.clone(), depth).sub(&Aff::var(both, depth + 1));
        let earlier = earlier.intersect(&nonnegative(&distance.add_constant(&Int::from(-1))));
        let over = earlier.project_out(depth + 1, 1, budget)?;
        let tested = started.domain.subtract(&over, budget)?;
        let entered = started.domain.project_out(depth, 1, budget)?;
        let endless = entered.subtract(&ended.project_out(depth, 1, budget)?, budget)?;
        if !converter.exclude(&endless)? {
            return Err(Declined::at(Reason::NoExit, test));
        }
        Ok((tested, Test { of: l, passed, ended }))
    }

    /// The union of the edges into a block.
    fn join(&mut self, block: Block<'a>) -> Modelled<'a, Set> {
        let edges = self.incoming.shift_remove(&block).unwrap_or_default();
        let union = edges
            .into_iter()
            .reduce(|a, b| a.union(&b))
            .expect("a block of a loop has a predecessor before it");
        Ok(union
            .coalesce(self.converter.budget)?
            .remove_redundancies(self.converter.budget)?)
    }

    /// The domain of the block before the branch that `block` joins again: the same, and simpler than the union.
    fn inherited(&self, around: &Around<'_, 'a>, items: &[Item<'a>], block: Block<'a>) -> Option<Set> {
        if self.incoming.get(&block).is_none_or(|edges| edges.len() < 2) {
            return None;
        }
        let before = items.iter().rev().filter_map(|item| match item {
            Item::Block(before) => Some(*before),
            Item::Loop(_) => None,
        });
        let dominator = before
            .into_iter()
            .find(|before| self.converter.run.dominates(*before, block))?;
        if !self.always_reaches(around, dominator, block) {
            return None;
        }
        let domain = self.domains.blocks[&dominator].domain.clone();
        Some(match around.test_of(dominator) {
            Some(test) => domain.intersect(&test.passed),
            None => domain,
        })
    }

    /// Sends the domain along the edges out of the block; what leaves the body, or goes back to its start, is only noted.
    fn leave(&mut self, around: &Around<'_, 'a>, block: Block<'a>, scope: &Scope) -> Modelled<'a, ()> {
        let nest = self.converter.nest;
        let domain = &scope.domain;
        let Some(last) = nest
            .instructions(block)
            .last()
            .copied()
            .filter(|i| *i == block.terminator())
        else {
            // The section ends here.
            return Ok(());
        };
        if let Some(subregion) = self.wide.get(&block) {
            return self.skip(subregion.clone(), scope);
        }
        let edges = match around.test_of(block) {
            Some(test) => {
                let part = |to: &Block<'a>| match test.of.handle.contains(*to) {
                    true => &test.passed,
                    false => &test.ended,
                };
                let all = block.successors().into_iter();
                all.map(|to| (to, domain.intersect(part(&to)))).collect()
            }
            None => {
                let conditions = Conditions {
                    converter: self.converter,
                    block,
                    scope,
                };
                match self.converter.attempt(|| conditions.edges(last)) {
                    Ok(edges) => self.without_errors(edges, last, domain)?,
                    Err(declined) if declined.reason == Reason::OutOfBudget => return Err(declined),
                    Err(_)
                        if block
                            .successors()
                            .into_iter()
                            .any(|to| self.goes_wrong(to) && !to.is_never_reached()) =>
                    {
                        return Err(Declined::at(Reason::ErrorOnData, last));
                    }
                    Err(declined) => {
                        let Converter { run, nest, budget, .. } = self.converter;
                        let declined = declined.because(Reason::NonAffineCondition, last);
                        let items = around.items(nest);
                        let subregion = subregion::around(run, nest, items, block, budget)?.ok_or(declined.clone())?;
                        if subregion.start() != block {
                            self.wider = Some(subregion);
                            return Err(declined);
                        }
                        return self.skip(subregion, scope);
                    }
                }
            }
        };
        self.send(around, block, edges);
        Ok(())
    }

    /// Sends the domain past a subregion.
    fn skip(&mut self, subregion: Subregion<'a>, scope: &Scope) -> Modelled<'a, ()> {
        for block in &subregion.blocks {
            self.domains.blocks.insert(*block, scope.clone());
        }
        self.incoming
            .entry(subregion.exit)
            .or_default()
            .push(scope.domain.clone());
        self.domains.subregions.insert(subregion.start(), subregion);
        Ok(())
    }

    /// Sends domains along edges out of the block.
    fn send(&mut self, around: &Around<'_, 'a>, block: Block<'a>, edges: Vec<(Block<'a>, Set)>) {
        let nest = self.converter.nest;
        for (to, domain) in edges {
            if around.contains(nest, to) {
                self.incoming.entry(to).or_default().push(domain.clone());
            }
            let all = self
                .domains
                .edges
                .entry((block, to))
                .or_insert_with(|| Set::empty(domain.space().clone()));
            *all = all.union(&domain);
        }
    }

    /// Whether control goes to the block only if there is an error.
    fn goes_wrong(&self, to: Block<'a>) -> bool {
        self.converter.nest.section.errors.contains(&to)
    }

    /// The edges of a terminator without those to errors, which, as has to be assumed, no instance of `domain` takes.
    fn without_errors(
        &self,
        edges: Vec<(Block<'a>, Set)>,
        at: Value<'a>,
        domain: &Set,
    ) -> Modelled<'a, Vec<(Block<'a>, Set)>> {
        let certain = || Declined::at(Reason::ErrorCertain, at);
        let (wrong, well): (Vec<_>, Vec<_>) = edges.into_iter().partition(|(to, _)| self.goes_wrong(*to));
        if well.is_empty() {
            return Err(certain());
        }
        for (_, wrong) in wrong.iter().filter(|(to, _)| !to.is_never_reached()) {
            if !self.converter.exclude(wrong)? {
                return Err(certain());
            }
        }
        Ok(match &well[..] {
            [(only, _)] => vec![(*only, domain.clone())],
            _ => well,
        })
    }

    /// Whether every way on from `from` in the same execution of the body comes through `to`, if there is no error.
    fn always_reaches(&self, around: &Around<'_, 'a>, from: Block<'a>, to: Block<'a>) -> bool {
        let nest = self.converter.nest;
        let mut seen: IndexSet<Block<'a>> = IndexSet::new();
        let onwards = |block: Block<'a>| {
            block
                .successors()
                .into_iter()
                .filter(move |s| !nest.section.errors.contains(s))
                .filter(move |s| around.test_of(block).is_none_or(|test| test.of.handle.contains(*s)))
        };
        let mut pending: Vec<Block<'a>> = onwards(from).collect();
        while let Some(block) = pending.pop() {
            if !around.contains(nest, block) {
                return false;
            }
            if block != to && seen.insert(block) {
                pending.extend(onwards(block));
            }
        }
        true
    }
}

/// Conditions on branches.
struct Conditions<'w, 'c, 'a, 'r> {
    converter: &'w Converter<'c, 'a, 'r>,
    block: Block<'a>,
    scope: &'w Scope,
}

impl<'a> Conditions<'_, '_, 'a, '_> {
    /// The edges out of the block, each with the instances of the block after which control takes it.
    fn edges(&self, terminator: Value<'a>) -> Modelled<'a, Vec<(Block<'a>, Set)>> {
        let domain = &self.scope.domain;
        match terminator.kind() {
            Kind::Jump(to) => Ok(vec![(to, domain.clone())]),
            Kind::Branch {
                condition,
                then,
                otherwise,
            } => {
                let (holds, fails) = self.of(condition)?;
                Ok(vec![
                    (then, domain.intersect(&holds)),
                    (otherwise, domain.intersect(&fails)),
                ])
            }
            Kind::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.value(value, Reading::Signed)?;
                let mut edges: IndexMap<Block<'a>, Set> = IndexMap::new();
                let mut rest = domain.clone();
                for (case, to) in cases {
                    self.converter.budget.spend(1)?;
                    let case = case.as_integer().ok_or(Reason::NonAffineCondition)?;
                    let minus = Int::from(-i128::from(case));
                    let distance = value.map(|value| value.add_constant(&minus));
                    let space = self.scope.space();
                    let here = domain.intersect(&distance.filter(&space, zero));
                    let above = distance.filter(&space, |d| nonnegative(&d.add_constant(&Int::from(-1))));
                    let below = distance.filter(&space, |d| nonnegative(&d.neg().add_constant(&Int::from(-1))));
                    rest = rest.intersect(&above.union(&below)).coalesce(self.converter.budget)?;
                    let so_far = edges.entry(to).or_insert_with(|| Set::empty(space));
                    *so_far = so_far.union(&here);
                }
                let so_far = edges.entry(otherwise).or_insert_with(|| Set::empty(self.scope.space()));
                *so_far = so_far.union(&rest);
                Ok(edges.into_iter().collect())
            }
            _ => unreachable!("other terminators are declined with the nest's structure"),
        }
    }

    /// The value of an integer that is computed before the block's end.
    fn value(&self, v: Value<'a>, reading: Reading) -> Modelled<'a, Pieces> {
        let run = self.converter.run;
        let scev = run.scev(v).ok_or(Reason::NonAffineCondition)?;
        self.converter
            .exact(run.scev_at_scope(scev, run.loop_of(self.block)), reading, self.scope)
    }

    /// Where the condition, an `i1`, holds, and where it does not.
    fn of(&self, condition: Value<'a>) -> Modelled<'a, (Set, Set)> {
        self.converter.budget.spend(1)?;
        let space = self.scope.space();
        let (all, none) = (Set::universe(space.clone()), Set::empty(space));
        if let Some(constant) = condition.as_integer() {
            return Ok(if constant != 0 { (all, none) } else { (none, all) });
        }
        if !condition.is_instruction() {
            return Err(Reason::NonAffineCondition.into());
        }
        let is_true = |v: Value<'a>| v.as_integer().is_some_and(|v| v != 0);
        let is_false = |v: Value<'a>| v.as_integer() == Some(0);
        match condition.kind() {
            Kind::And(a, b) => self.both(a, b),
            Kind::Or(a, b) => self.either(a, b),
            Kind::Xor(a, b) if is_true(b) => self.of(a).map(|(holds, fails)| (fails, holds)),
            Kind::Select(a, b, c) if is_false(c) => self.both(a, b),
            Kind::Select(a, b, c) if is_true(b) => self.either(a, c),
            Kind::Compare(predicate, a, b) => self.compare(predicate, a, b),
            _ => Err(Reason::NonAffineCondition.into()),
        }
    }

    fn both(&self, a: Value<'a>, b: Value<'a>) -> Modelled<'a, (Set, Set)> {
        let ((a, not_a), (b, not_b)) = (self.of(a)?, self.of(b)?);
        Ok((a.intersect(&b), not_a.union(&a.intersect(&not_b))))
    }

    fn either(&self, a: Value<'a>, b: Value<'a>) -> Modelled<'a, (Set, Set)> {
        let ((a, not_a), (b, not_b)) = (self.of(a)?, self.of(b)?);
        Ok((a.union(&not_a.intersect(&b)), not_a.intersect(&not_b)))
    }

    fn compare(&self, predicate: IntPredicate, a: Value<'a>, b: Value<'a>) -> Modelled<'a, (Set, Set)> {
        let reading = match predicate {
            IntPredicate::UGT | IntPredicate::UGE | IntPredicate::ULT | IntPredicate::ULE => Reading::Unsigned,
            _ => Reading::Signed,
        };
        let difference = self
            .value(a, reading)?
            .combine(&self.value(b, reading)?, |a, b| a.sub(b))
            .ok_or(Reason::NonAffineCondition)?;
        let space = self.scope.space();
        let at_least = |least: i64| difference.filter(&space, |d| nonnegative(&d.add_constant(&Int::from(-least))));
        let at_most = |most: i64| difference.filter(&space, |d| nonnegative(&d.neg().add_constant(&Int::from(most))));
        Ok(match predicate {
            IntPredicate::EQ => (difference.filter(&space, zero), at_least(1).union(&at_most(-1))),
            IntPredicate::NE => (at_least(1).union(&at_most(-1)), difference.filter(&space, zero)),
            IntPredicate::SGT | IntPredicate::UGT => (at_least(1), at_most(0)),
            IntPredicate::SGE | IntPredicate::UGE => (at_least(0), at_most(-1)),
            IntPredicate::SLT | IntPredicate::ULT => (at_most(-1), at_least(0)),
            IntPredicate::SLE | IntPredicate::ULE => (at_most(0), at_least(1)),
        })
    }
}
