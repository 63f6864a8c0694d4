//! The pieces of a program: tuples, the original schedule, accesses, kills and shapes.

use crate::control::lifetimes::{Marker, marker};
use crate::control::nest::{Item, Nest};
use crate::detect::declined::{Modelled, Reason};
use crate::domain::domains::Domains;
use crate::memory::access::{Site, Subscripts};
use crate::memory::arrays::Array;
use crate::scalar::reductions::{ReductionPlace, one_for_each_array, reductions};
use crate::scalar::slots::slot_access;
use crate::scev::names::Names;
use crate::scev::scope::space;
use crate::scop::Shape;
use farkas_llvm::memory::Effect;
use farkas_llvm::scop_ir::{IrStatement, LiveOutSource, ScalarSlot, ScopIr, SlotId};
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Access, AccessKind, Kill};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Params, Set, SetSpace, Tuple};
use indexmap::IndexMap;

/// The inputs of the assembly of a model.
pub(super) struct Assembly<'m, 'a> {
    pub(super) nest: &'m Nest<'a>,
    pub(super) ir: &'m ScopIr<'a>,
    pub(super) arrays: &'m [Array<'a>],
    pub(super) counters: &'m [String],
    pub(super) budget: &'m Budget,
}

impl<'a> Assembly<'_, 'a> {
    pub(super) fn tuple(&self, statement: &IrStatement<'a>) -> Tuple {
        Tuple::named(&statement.name, statement.loops.iter().map(|id| &*self.counters[id.0]))
    }

    /// Kills of the slots that nothing after the region reads, after all statements.
    pub(super) fn ends_of_slots(&self, params: &Params) -> Vec<Kill> {
        let depth = self.ir.statements.iter().map(|s| s.loops.len()).max().unwrap_or(0);
        let behind: i64 = self.nest.body.iter().map(|item| self.positions(item)).sum();
        let leaves = |slot: usize| {
            let sources = self.ir.live_outs.iter().map(|live_out| &live_out.source);
            sources
                .into_iter()
                .any(|source| matches!(source, LiveOutSource::ScalarSlot(id) if id.0 == slot))
        };
        let kill = |slot: &ScalarSlot<'a>| {
            let end = SetSpace::new(Params::none(), Tuple::new(format!("{}.end", slot.name), 0));
            let mut time = vec![Aff::constant(end.clone(), Int::ZERO); 2 * depth + 1];
            time[0] = Aff::constant(end.clone(), Int::from(behind));
            let element = SetSpace::new(params.clone(), Tuple::new(&slot.name, 0));
            Kill {
                relation: Map::from_domain_and_range(&Set::universe(end.clone()), &Set::universe(element)),
                schedule: MultiAff::new(end, Tuple::anonymous(time.len()), time),
            }
        };
        let slots = self.ir.slots.iter().enumerate();
        slots
            .filter(|(index, _)| !leaves(*index))
            .map(|(_, slot)| kill(slot))
            .collect()
    }

    /// For each statement, its place in the original order: positions in the text and counters by turns, padded with
    /// zeros.
    pub(super) fn schedules(&self) -> Vec<MultiAff> {
        let mut places = self.places();
        let schedule = |statement: &IrStatement<'a>| {
            let place = &mut places[&statement.start()];
            // What is done when a lifetime begins is done before.
            let first = i64::from(self.has_marker(statement.start()));
            let schedule = self.schedule(self.tuple(statement), place, first);
            // The next statement of the block comes directly after this one.
            *place.last_mut().expect("a place in the body") += 1;
            schedule
        };
        self.ir.statements.iter().map(schedule).collect()
    }

    /// The order of what is in as many loops as the tuple has dimensions, so much after the place.
    fn schedule(&self, tuple: Tuple, place: &[i64], after: i64) -> MultiAff {
        let loops = tuple.n();
        let depth = self.ir.statements.iter().map(|s| s.loops.len()).max().unwrap_or(0);
        let domain = SetSpace::new(Params::none(), tuple);
        let mut affs = Vec::new();
        for (dim, position) in place.iter().enumerate() {
            let position = position + if dim == loops { after } else { 0 };
            affs.push(Aff::constant(domain.clone(), Int::from(position)));
            if dim < loops {
                affs.push(Aff::var(domain.clone(), dim));
            }
        }
        affs.resize(2 * depth + 1, Aff::constant(domain.clone(), Int::ZERO));
        MultiAff::new(domain, Tuple::anonymous(affs.len()), affs)
    }

    fn has_marker(&self, block: Block<'a>) -> bool {
        self.nest.instructions(block).iter().any(|i| marker(*i).is_some())
    }

    fn statements_of(&self, block: Block<'a>) -> impl Iterator<Item = &IrStatement<'a>> {
        self.ir.statements.iter().filter(move |s| s.start() == block)
    }

    /// The first places of the blocks.
    fn places(&self) -> IndexMap<Block<'a>, Vec<i64>> {
        let mut places = IndexMap::new();
        self.places_in(&self.nest.body, &[], &mut places);
        places
    }

    /// The places of the blocks of a body.
    fn places_in(&self, body: &[Item<'a>], prefix: &[i64], places: &mut IndexMap<Block<'a>, Vec<i64>>) {
        let mut position = 0;
        for item in body {
            let here: Vec<i64> = prefix.iter().copied().chain([position]).collect();
            match item {
                Item::Block(block) => {
                    places.insert(*block, here);
                }
                Item::Loop(child) => self.places_in(&self.nest.at(*child).body, &here, places),
            }
            position += self.positions(item);
        }
    }

    /// How many positions in a body an item takes: one for each statement of a block, and one each for what is done
    /// before and after these where it has markers.
    fn positions(&self, item: &Item<'a>) -> i64 {
        match item {
            Item::Block(block) => {
                let own = self.statements_of(*block).count() as i64;
                (own + if self.has_marker(*block) { 2 } else { 0 }).max(1)
            }
            Item::Loop(_) => 1,
        }
    }

    /// Kills of the variables that are declared inside, at their lifetime markers.
    pub(super) fn kills(&self, domains: &Domains<'a>, params: &Params, names: &mut Names) -> Vec<Kill> {
        let places = self.places();
        let mut kills = Vec::new();
        for local in &self.ir.locals {
            let Some(array) = self.arrays.iter().find(|array| array.ir.base == local.variable) else {
                continue;
            };
            let elements = SetSpace::new(Params::none(), Tuple::new(&array.ir.name, 1 + array.sizes.len()));
            for (block, instructions) in &self.nest.region.blocks {
                let own = |i: &&Value<'a>| i.operands().first() == Some(&local.variable);
                for i in instructions.iter().filter(own) {
                    let (Some(kind), Some(domain)) = (marker(*i), domains.certain(*block)) else {
                        continue;
                    };
                    let accesses = |i: &Value<'a>| array.ir.accesses.contains(i);
                    let mut fragments = instructions.split(|other| other == i);
                    let (before, behind) = (
                        fragments.next().unwrap_or_default(),
                        fragments.next().unwrap_or_default(),
                    );
                    let after = match kind {
                        Marker::Start if before.iter().any(accesses) => continue,
                        Marker::End if behind.iter().any(accesses) => continue,
                        Marker::Start => 0,
                        Marker::End => 1 + self.statements_of(*block).count() as i64,
                    };
                    let counters = self.nest.blocks[block].iter().map(|id| &*self.counters[id.0]);
                    let tuple = Tuple::named(names.fresh(&format!("K{}", kills.len()), "K"), counters);
                    let domain = domain.align_params(params).with_tuple(tuple.clone());
                    kills.push(Kill {
                        relation: Map::from_domain_and_range(&domain, &Set::universe(elements.clone())),
                        schedule: self.schedule(tuple, &places[block], after),
                    });
                }
            }
        }
        kills
    }

    /// The accesses of a statement: slots read, arrays by loads and stores, arrays by calls, slots written.
    pub(super) fn accesses(
        &self,
        index: usize,
        statement: &IrStatement<'a>,
        domain: &Set,
    ) -> Modelled<'a, Vec<Access>> {
        let is_any = |instruction: Value<'a>| {
            let sites = self.arrays.iter().flat_map(|array| &array.accesses);
            let own = |site: &Site<'a>| site.statement == index && site.instruction == instruction;
            sites
                .into_iter()
                .any(|(site, subscripts)| own(site) && matches!(subscripts, Subscripts::Any))
        };
        // The model has to say of both accesses that they are to the same elements.
        let mut reductions = reductions(statement);
        reductions.retain(|r| match r.place {
            ReductionPlace::Element { load, store } => is_any(load) == is_any(store),
            _ => true,
        });
        let slot = |kind, slot: SlotId| Access {
            reduction: reductions.iter().any(|r| r.place == ReductionPlace::ScalarSlot(slot)),
            ..slot_access(kind, &self.ir.slots[slot.0], domain)
        };
        let mut accesses: Vec<Access> = Vec::new();
        let mut read = Vec::new();
        for (id, _) in &statement.reads {
            if !read.contains(id) {
                read.push(*id);
                accesses.push(slot(AccessKind::Read, *id));
            }
        }
        // Those of loads and stores are first: one for each.
        let all = statement.instructions.iter().copied();
        let (single, calls): (Vec<Value<'a>>, Vec<Value<'a>>) = all.partition(|i| i.is_load_or_store());
        for instruction in single.into_iter().chain(calls) {
            let here = |site: &Site<'a>| site.statement == index && site.instruction == instruction;
            for array in self.arrays {
                for (site, subscripts) in array.accesses.iter().filter(|(site, _)| here(site)) {
                    let access = self.array_access(statement, array, (site, subscripts), domain)?;
                    accesses.push(Access {
                        reduction: reductions.iter().any(|r| r.accesses(instruction)),
                        ..access
                    });
                }
            }
        }
        accesses.extend(statement.writes.iter().map(|w| slot(AccessKind::MustWrite, w.slot)));
        one_for_each_array(&mut accesses);
        Ok(accesses)
    }

    fn array_access(
        &self,
        statement: &IrStatement<'a>,
        array: &Array<'a>,
        (site, subscripts): (&Site<'a>, &Subscripts),
        domain: &Set,
    ) -> Modelled<'a, Access> {
        let surely = site.instruction.block() == statement.start();
        let kind = match (site.effect(), subscripts) {
            (Effect::Read, _) => AccessKind::Read,
            (Effect::Write, Subscripts::Affine(_)) if surely => AccessKind::MustWrite,
            (Effect::Write | Effect::MayWrite, _) => AccessKind::MayWrite,
        };
        let Subscripts::Affine(pieces) = subscripts else {
            let elements = SetSpace::new(Params::none(), Tuple::new(&array.ir.name, 1 + array.sizes.len()));
            let relation = Map::from_domain_and_range(domain, &Set::universe(elements));
            return Ok(Access {
                kind,
                relation,
                reduction: false,
            });
        };
        let depth = site.scope.loops.len();
        let inside = site.scope.space().tuple.n();
        let mut relation: Option<Map> = None;
        for (piece, affs) in pieces {
            let range = Tuple::new(&array.ir.name, affs.len());
            let params = affs
                .iter()
                .fold(domain.params().clone(), |all, aff| all.union(&aff.space().params));
            let affs = affs.iter().map(|aff| aff.align_params(&params)).collect();
            let from = SetSpace::new(params, Tuple::anonymous(inside));
            let map = MultiAff::new(from, range, affs).to_map();
            let map = match site.scope.elements {
                true => map
                    .intersect_domain(&piece.intersect(&site.scope.domain))
                    .project_out_domain(depth, 1, self.budget)?,
                false => map.intersect_domain(piece),
            };
            let map = map.with_domain_tuple(domain.tuple().clone()).intersect_domain(domain);
            relation = Some(relation.map_or(map.clone(), |all| all.union(&map)));
        }
        let relation = relation
            .ok_or(Reason::Empty)?
            .coalesce(self.budget)?
            .remove_redundancies(self.budget)?;
        Ok(Access {
            kind,
            relation,
            reduction: false,
        })
    }

    pub(super) fn shape(&self, array: &Array<'a>, params: &Params) -> Modelled<'a, Shape> {
        let mut outermost_extent = Set::empty(space(1)).align_params(params);
        for (site, subscripts) in &array.accesses {
            let depth = site.scope.space().tuple.n();
            let Subscripts::Affine(pieces) = subscripts else {
                continue;
            };
            for (piece, affs) in pieces {
                let first = affs[0].align_params(&affs[0].space().params.union(params));
                let from = SetSpace::new(first.space().params.clone(), Tuple::anonymous(depth));
                let map = MultiAff::new(from, Tuple::anonymous(1), vec![first]).to_map();
                let relation = map
                    .intersect_domain(&piece.intersect(&site.scope.domain))
                    .align_params(params);
                // Bounds are all that is asked for: an exact projection would tell indices apart at great
                // cost.
                for piece in relation.explicit(self.budget)?.pieces() {
                    let range = piece.eliminate_rational(params.len(), depth, self.budget)?;
                    outermost_extent = outermost_extent.union(&Set::from_conj(outermost_extent.space().clone(), range));
                }
            }
        }
        let sizes = array
            .sizes
            .iter()
            .map(|size| size.align_params(&size.space().params.union(params)))
            .collect();
        Ok(Shape {
            sizes,
            outermost_extent: outermost_extent.compact(self.budget)?,
        })
    }
}
