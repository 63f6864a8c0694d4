//! Domains: the counter values for which each block of a region is executed.
//!
//! A loop whose back edge is taken `E` times executes its header for the counter values 0 to `E`. Blocks after the
//! exit test are executed for 0 to `E - 1`; the block of the test, and blocks before it, for 0 to `E`. Of several
//! exit tests, the first one that ends the loop counts.
//!
//! Within an iteration, and outside of loops, branch conditions narrow the domain. Blocks that a data-dependent
//! condition governs form a [`Subregion`], and all of them have the domain of its first block. Where there are loops among
//! these, the condition is a flag, if it does not change in the region, or may be [assumed](super::assumed_conditions).
//! Conditions under which control goes to an error block are assumed not to hold for any instance.

use super::assumed_conditions::{AssumedCondition, ConditionsOnData, way_with_loops};
use super::conditions::Conditions;
use crate::control::nest::{Item, Nest, NestLoop};
use crate::control::subregion::{self, Subregion};
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::scev::convert::Converter;
use crate::scev::pieces::{nonnegative, zero};
use crate::scev::polynomial_bounds;
use crate::scev::scope::{Reading, Scope};
use farkas_llvm::boolean::conjuncts;
use farkas_llvm::region::Border;
use farkas_llvm::scev::ScevKind;
use farkas_llvm::scop_ir::LoopId;
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
    /// The non-affine subregions, by their first blocks.
    pub(crate) subregions: Subregions<'a>,
    /// The conditions that are assumed, in the order in which an iteration comes to them.
    pub(crate) conditions: Vec<AssumedCondition<'a>>,
    /// The blocks that these govern.
    governed: IndexSet<Block<'a>>,
    /// Those of them that are not executed where the conditions hold.
    pub(crate) left_out: IndexSet<Block<'a>>,
    /// For each block, the number of assumptions that its domain rests on. These are the first ones.
    assumed: IndexMap<Block<'a>, usize>,
    /// For each header of a loop, the counter values of the loops around it for which the loop is entered, and the number of assumptions that
    /// this rests on.
    entered: IndexMap<Block<'a>, (Set, usize)>,
}

/// Disjoint subregions by their first blocks.
pub(crate) type Subregions<'a> = IndexMap<Block<'a>, Subregion<'a>>;

impl<'a> Domains<'a> {
    /// The instances of a block; `None` inside a non-affine subregion, and where an assumed condition governs it.
    pub(crate) fn certain(&self, block: Block<'a>) -> Option<&Set> {
        let mut subregions = self.subregions.values();
        let open =
            self.governed.contains(&block) || subregions.any(|s| s.start() != block && s.blocks.contains(&block));
        (!open).then(|| &self.blocks[&block].domain)
    }

    /// A set that has instances where a block is executed at all, and the assumptions that this rests on; `None` where a condition on data
    /// decides. The header of a loop is executed where the loop is entered, whatever ends it.
    pub(crate) fn execution<'s>(&'s self, block: Block<'a>, assumptions: &'s [Set]) -> Option<(&'s Set, &'s [Set])> {
        if self.governed.contains(&block) {
            return None;
        }
        if let Some((entered, assumed)) = self.entered.get(&block) {
            return Some((entered, &assumptions[..*assumed]));
        }
        Some((self.certain(block)?, &assumptions[..self.assumed[&block]]))
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
pub(crate) fn domains<'a>(
    converter: &Converter<'_, 'a, '_>,
    conditions: ConditionsOnData,
) -> Modelled<'a, Domains<'a>> {
    let nest = converter.nest;
    let once = Scope::outermost();
    let around = Around {
        once: &once,
        of: None,
        tests: Vec::new(),
    };
    let first = match nest.region.entry {
        Border::Edge { to, .. } => to,
        Border::Before(branch) => branch.block(),
    };
    let mut wide = Subregions::new();
    loop {
        let mut builder = DomainBuilder {
            converter,
            domains: Domains::default(),
            incoming: IndexMap::from([(first, vec![once.domain.clone()])]),
            conditions,
            wide: &wide,
            wider: None,
        };
        let built = converter.attempt(|| builder.body(&nest.body, &around))?;
        match (built, builder.wider) {
            (Ok(()), _) => return Ok(builder.domains),
            (Err(_), Some(wider)) if !wide.contains_key(&wider.start()) => {
                wide.insert(wider.start(), wider);
            }
            (Err(declined), _) => return Err(declined.into()),
        }
    }
}

/// The context of a body: the loops around it.
struct Around<'w, 'a> {
    /// The loops around, and the counter values with which the body is begun.
    once: &'w Scope,
    /// The loop, for the body of one.
    of: Option<&'w NestLoop<'a>>,
    /// The tests that end the loop.
    tests: Vec<Test<'a>>,
}

/// A test that ends a loop.
struct Test<'a> {
    /// The block that ends with it.
    block: Block<'a>,
    /// Where it lets the iteration go on.
    passed: Set,
    /// Where it ends the loop.
    ended: Set,
}

impl<'a> Around<'_, 'a> {
    /// Whether control stays in the same execution of the body when it goes on to the block.
    fn contains(&self, nest: &Nest<'a>, to: Block<'a>) -> bool {
        match self.of {
            Some(of) => of.handle.contains(to) && to != of.header,
            None => nest.blocks.contains_key(&to),
        }
    }

    /// The items of the body.
    fn items<'n>(&self, nest: &'n Nest<'a>) -> &'n [Item<'a>]
    where
        Self: 'n,
    {
        match self.of {
            Some(of) => nest.find(of.handle).map_or(&[], |id| &nest.at(id).body),
            None => &nest.body,
        }
    }

    /// The test that the block ends with, if it is one of them.
    fn test_of(&self, block: Block<'a>) -> Option<&Test<'a>> {
        self.tests.iter().find(|test| test.block == block)
    }

    /// Whether control stays in the loop when it goes on to the block.
    fn stays(&self, to: Block<'a>) -> bool {
        self.of.is_none_or(|of| of.handle.contains(to))
    }
}

struct DomainBuilder<'w, 'c, 'a, 'r> {
    converter: &'w Converter<'c, 'a, 'r>,
    domains: Domains<'a>,
    /// The domains of the edges into a block that have been met so far.
    incoming: IndexMap<Block<'a>, Vec<Set>>,
    /// What becomes of conditions on data around loops.
    conditions: ConditionsOnData,
    /// Subregions that start before the data-dependent branch that they are there for.
    wide: &'w Subregions<'a>,
    /// A subregion that the search missed because its start had been passed: the reason of a failure.
    wider: Option<Subregion<'a>>,
}

impl<'a> DomainBuilder<'_, '_, 'a, '_> {
    /// Walks through the loop, which is entered for the outer counter values `entry`.
    fn enter(&mut self, id: LoopId, around: &[LoopId], entry: Set) -> Modelled<'a, ()> {
        let nest = self.converter.nest;
        let l = nest.at(id);
        let depth = around.len();
        let loops: Vec<LoopId> = around.iter().copied().chain([id]).collect();
        let counter = Aff::var(crate::scev::scope::space(depth + 1), depth);
        let started = Scope {
            elements: false,
            domain: entry.insert_dims(depth, 1).intersect(&nonnegative(&counter)),
            loops,
        };
        let assumed = self.converter.assumptions().len();
        self.domains.entered.insert(l.header, (entry, assumed));
        let (tested, tests) = self.tests(l, &started)?;
        let budget = self.converter.budget;
        let tested = Scope {
            domain: tested.compact(budget)?,
            ..started
        };
        self.incoming.insert(l.header, vec![tested.domain.clone()]);
        let around = Around {
            once: &tested,
            of: Some(l),
            tests,
        };
        self.body(&l.body, &around)
    }

    /// The exit tests of a loop, and the counter values for which they are executed: as long as no test has ended the
    /// loop in an earlier iteration.
    fn tests(&self, l: &NestLoop<'a>, started: &Scope) -> Modelled<'a, (Set, Vec<Test<'a>>)> {
        if let [only] = l.exiting[..]
            && let Some((tested, passed, ended)) = self.counted(l, only, started)?
        {
            let block = only;
            return Ok((tested, vec![Test { block, passed, ended }]));
        }
        let space = started.space();
        let open = |block: &Block<'a>| Test {
            block: *block,
            passed: Set::universe(space.clone()),
            ended: Set::empty(space.clone()),
        };
        let mut tests: Vec<Test<'a>> = l.exiting.iter().map(open).collect();
        let mut scope = started.clone();
        // What counts to a bound first: it keeps the other conditions from being looked at without one. What scalar
        // evolution says of those takes more to be assumed; those that compare for equality would count on until they
        // wrap around.
        let conditions = l.exiting.iter().flat_map(|block| ends(l, *block));
        let (equal, bounds): (Vec<_>, Vec<_>) = conditions.partition(End::is_equality);
        let mut is_certain = false;
        for end in bounds.into_iter().chain(equal) {
            let by_count = end.is_whole && !is_certain && !end.is_equality();
            let mut found = None;
            for count in [by_count, !by_count] {
                if count && !end.is_whole {
                    continue;
                }
                let attempt = self.converter.attempt(|| match count {
                    true => self.counted(l, end.block, &scope),
                    false => self.until_it_ends(&end, &scope).map(Some),
                })?;
                match attempt {
                    Ok(None) => {}
                    Ok(Some(test)) => {
                        is_certain |= count;
                        found = Some(test);
                        break;
                    }
                    Err(declined) => log::debug!("{:?} may end after {}: {declined:?}", l.handle, end.block),
                }
            }
            let Some((tested, passed, ended)) = found else {
                let reason = match l.exiting.len() {
                    1 => Reason::UnknownTripCount,
                    _ => Reason::SeveralExits,
                };
                return Err(Stop::at(reason, end.block.terminator()));
            };
            scope.domain = scope.domain.intersect(&tested);
            let test = tests.iter_mut().find(|test| test.block == end.block);
            let test = test.expect("a test for each block that the loop is left from");
            test.passed = test.passed.intersect(&passed);
            test.ended = test.ended.union(&ended);
        }
        if !is_certain {
            let ended = tests.iter().fold(Set::empty(space), |all, test| all.union(&test.ended));
            let endless = self.must_end(started, &ended, l.exiting[0])?;
            scope.domain = scope.domain.subtract(&endless, self.converter.budget)?;
        }
        Ok((scope.domain, tests))
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

    /// The instances of an exit test, those that let the iteration go on, and the one that ends the loop. `None` if
    /// scalar evolution cannot tell how often the back edge is taken before.
    fn counted(&self, l: &NestLoop<'a>, block: Block<'a>, started: &Scope) -> Modelled<'a, Option<(Set, Set, Set)>> {
        let count = self.converter.run.exit_count(l.handle, block);
        if count.kind() == ScevKind::CouldNotCompute {
            return Ok(None);
        }
        log::debug!("{:?} takes its back edge {count} times", l.handle);
        let count = self.converter.exact(count, Reading::Unsigned, started);
        let last = count.map_err(|d| d.because(Reason::NonAffineBound, block.terminator()))?;
        let space = started.space();
        let counter = Aff::var(space.clone(), started.loops.len() - 1);
        let left = |least: i64| {
            last.filter(&space, |last| {
                nonnegative(&last.sub(&counter).add_constant(&Int::from(-least)))
            })
        };
        let ended = last.filter(&space, |last| zero(&last.sub(&counter)));
        Ok(Some((started.domain.intersect(&left(0)), left(1), ended)))
    }

    /// As [`DomainBuilder::counted`], from the condition itself: the test has an instance as long as no earlier
    /// instance has ended the loop.
    fn until_it_ends(&self, end: &End<'a>, started: &Scope) -> Modelled<'a, (Set, Set, Set)> {
        let (converter, budget) = (self.converter, self.converter.budget);
        let conditions = Conditions {
            converter,
            block: end.block,
            scope: started,
            flags: false,
        };
        let (holds, fails) = conditions.of(end.condition)?;
        let (passed, ended) = match end.where_it_holds {
            true => (fails, holds),
            false => (holds, fails),
        };
        let ended = started.domain.intersect(&ended);
        let depth = started.loops.len() - 1;
        // The counter of an earlier iteration comes behind that of this one.
        let earlier = ended.insert_dims(depth, 1);
        let both = crate::scev::scope::space(depth + 2);
        let distance = Aff::var(both.clone(), depth).sub(&Aff::var(both, depth + 1));
        let earlier = earlier.intersect(&nonnegative(&distance.add_constant(&Int::from(-1))));
        let over = earlier.project_out(depth + 1, 1, budget)?;
        let tested = started.domain.subtract(&over, budget)?;
        Ok((tested, passed, ended))
    }

    /// Assumes that a loop that is started ends, in an instance of `ended`. Returns the instances that the assumption
    /// excludes.
    fn must_end(&self, started: &Scope, ended: &Set, block: Block<'a>) -> Modelled<'a, Set> {
        let (depth, budget) = (started.loops.len() - 1, self.converter.budget);
        let entered = started.domain.project_out(depth, 1, budget)?;
        let endless = entered.subtract(&ended.project_out(depth, 1, budget)?, budget)?;
        match self.converter.exclude(&endless)? {
            true => Ok(endless.insert_dims(depth, 1)),
            false => Err(Stop::at(Reason::NoExit, block.terminator())),
        }
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

    /// Sends the domain along the edges out of the block. Edges that leave the body, or go back to its start, are
    /// only recorded.
    fn leave(&mut self, around: &Around<'_, 'a>, block: Block<'a>, scope: &Scope) -> Modelled<'a, ()> {
        let nest = self.converter.nest;
        let domain = &scope.domain;
        let Some(last) = nest
            .instructions(block)
            .last()
            .copied()
            .filter(|i| *i == block.terminator())
        else {
            // The region ends here.
            return Ok(());
        };
        if let Some(subregion) = self.wide.get(&block) {
            return self.skip(subregion.clone(), scope);
        }
        let edges = match around.test_of(block) {
            Some(test) => {
                let part = |to: &Block<'a>| match around.stays(*to) {
                    true => &test.passed,
                    false => &test.ended,
                };
                let all = block.successors().into_iter();
                all.map(|to| (to, domain.intersect(part(&to)))).collect()
            }
            None => {
                let conditions = |flags| Conditions {
                    converter: self.converter,
                    block,
                    scope,
                    flags,
                };
                let with_flags = || self.converter.attempt(|| conditions(true).edges(last));
                match self.converter.attempt(|| conditions(false).edges(last))? {
                    Ok(edges) => self.without_errors(edges, last, domain)?,
                    Err(_)
                        if block
                            .successors()
                            .into_iter()
                            .any(|to| self.goes_wrong(to) && !to.is_never_reached()) =>
                    {
                        match with_flags()? {
                            Ok(edges) => self.without_errors(edges, last, domain)?,
                            Err(_) => vec![(self.without_error(block, scope)?, domain.clone())],
                        }
                    }
                    Err(declined) => {
                        let Converter { run, nest, budget, .. } = self.converter;
                        let declined = declined.because(Reason::NonAffineCondition, last);
                        let items = around.items(nest);
                        match subregion::around(run, nest, items, block, budget)? {
                            Some(subregion) if subregion.start() == block => return self.skip(subregion, scope),
                            Some(subregion) => {
                                self.wider = Some(subregion);
                                return Err(declined.into());
                            }
                            None => match with_flags()? {
                                Ok(edges) => edges,
                                Err(_) => self.assumed(items, block, scope)?.ok_or(declined)?,
                            },
                        }
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

    /// The edges out of a block that ends with a branch on data around loops, if it may be assumed that control takes the way with the
    /// loops wherever the affine part of the condition holds.
    fn assumed(
        &mut self,
        items: &[Item<'a>],
        block: Block<'a>,
        scope: &Scope,
    ) -> Modelled<'a, Option<Vec<(Block<'a>, Set)>>> {
        let choice = match self.conditions {
            ConditionsOnData::Declined => None,
            ConditionsOnData::Assumed => way_with_loops(self.converter.nest, items, block),
        };
        // Where the program may end, what comes behind is not certain to be there.
        let may_end = |block: &Block<'a>| {
            let mut onwards = block.successors().into_iter();
            onwards.any(|to| self.goes_wrong(to) && !to.is_never_reached())
        };
        let Some(choice) = choice.filter(|choice| !choice.governed.iter().any(may_end)) else {
            return Ok(None);
        };
        let conditions = Conditions {
            converter: self.converter,
            block,
            scope,
            flags: true,
        };
        let mut taken = scope.domain.clone();
        let mut conjuncts = Vec::new();
        for (conjunct, value) in choice.conjuncts {
            match self.converter.attempt(|| conditions.of(conjunct))? {
                Ok((holds, fails)) => taken = taken.intersect(if value { &holds } else { &fails }),
                Err(_) => conjuncts.push((conjunct, value)),
            }
        }
        let rest = scope.domain.subtract(&taken, self.converter.budget)?;
        self.domains.governed.extend(choice.governed);
        self.domains.left_out.extend(choice.left_out);
        self.domains.conditions.push(AssumedCondition {
            block,
            conjuncts,
            scope: Scope {
                domain: taken.clone(),
                ..scope.clone()
            },
        });
        Ok(Some(vec![(choice.to, taken), (choice.other, rest)]))
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
        self.converter.nest.region.errors.contains(&to)
    }

    /// The edges of a terminator without those to error blocks. No instance of `domain` takes one of these: that is
    /// proven or assumed.
    fn without_errors(
        &self,
        edges: Vec<(Block<'a>, Set)>,
        at: Value<'a>,
        domain: &Set,
    ) -> Modelled<'a, Vec<(Block<'a>, Set)>> {
        let certain = || Stop::at(Reason::ErrorCertain, at);
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

    /// The successor of a block whose branch goes to an error block under a non-affine condition. That the condition
    /// holds throughout is proven or assumed.
    fn without_error(&self, block: Block<'a>, scope: &Scope) -> Modelled<'a, Block<'a>> {
        let last = block.terminator();
        let on_data = || Stop::at(Reason::ErrorOnData, last);
        let Kind::Branch {
            condition,
            then,
            otherwise,
        } = last.kind()
        else {
            return Err(on_data());
        };
        let (to, holds) = match (self.goes_wrong(then), self.goes_wrong(otherwise)) {
            (false, true) => (then, true),
            (true, false) => (otherwise, false),
            _ => return Err(on_data()),
        };
        let converter = self.converter;
        let outcome =
            converter.attempt(|| polynomial_bounds::establish_condition(converter, scope, condition, holds))?;
        outcome.map(|()| to).map_err(|_| on_data())
    }

    /// Whether every way on from `from` in the same execution of the body comes through `to`, if there is no error.
    fn always_reaches(&self, around: &Around<'_, 'a>, from: Block<'a>, to: Block<'a>) -> bool {
        // The region may end in a block that is one of its own.
        let is_end = |block: Block<'a>| self.converter.nest.instructions(block).last() != Some(&block.terminator());
        let nest = self.converter.nest;
        let mut seen: IndexSet<Block<'a>> = IndexSet::new();
        let onwards = |block: Block<'a>| {
            block
                .successors()
                .into_iter()
                .filter(move |s| !nest.region.errors.contains(s))
                .filter(move |s| around.test_of(block).is_none() || around.stays(*s))
        };
        let mut pending: Vec<Block<'a>> = onwards(from).collect();
        while let Some(block) = pending.pop() {
            if !around.contains(nest, block) || block != to && is_end(block) {
                return false;
            }
            if block != to && seen.insert(block) {
                pending.extend(onwards(block));
            }
        }
        true
    }
}

/// A condition that ends a loop.
#[derive(Clone, Copy, Debug)]
struct End<'a> {
    /// The block that ends with a test of it.
    block: Block<'a>,
    condition: Value<'a>,
    /// Whether the loop is left where it holds, or where it does not.
    where_it_holds: bool,
    /// Whether it is all that the test is about.
    is_whole: bool,
}

impl End<'_> {
    fn is_equality(&self) -> bool {
        let compared = self.condition.is_instruction().then(|| self.condition.kind());
        matches!(compared, Some(Kind::Compare(IntPredicate::EQ | IntPredicate::NE, ..)))
    }
}

/// The conditions of the branch that end the loop, each on its own.
fn ends<'a>(l: &NestLoop<'a>, block: Block<'a>) -> Vec<End<'a>> {
    let Kind::Branch { condition, then, .. } = block.terminator().kind() else {
        unreachable!("a loop is left by a branch");
    };
    // The loop goes on if all conjuncts of this value of the condition have theirs.
    let goes_on = conjuncts(condition, l.handle.contains(then)).into_iter();
    let end = |(condition, value): (Value<'a>, bool)| End {
        block,
        condition,
        where_it_holds: !value,
        is_whole: false,
    };
    let mut ends: Vec<End<'a>> = goes_on.map(end).collect();
    let is_whole = ends.len() == 1;
    ends.iter_mut().for_each(|end| end.is_whole = is_whole);
    ends
}
