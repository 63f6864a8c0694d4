//! The original order: the statements' schedules, and kills by lifetime markers and at the end.

use crate::control::lifetimes::{Marker, marker};
use crate::control::nest::{Item, Nest};
use crate::domain::domains::Domains;
use crate::memory::arrays::Array;
use crate::scev::names::Names;
use farkas_llvm::scop_ir::IrStatement;
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Kill;
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Params, Set, SetSpace, Tuple};
use indexmap::IndexMap;

/// The statements of a nest in their original order.
pub(super) struct OriginalOrder<'m, 'a> {
    pub(super) nest: &'m Nest<'a>,
    pub(super) statements: &'m [IrStatement<'a>],
    /// The names of the loops' counters.
    pub(super) counters: &'m [String],
}

impl<'a> OriginalOrder<'_, 'a> {
    pub(super) fn tuple(&self, statement: &IrStatement<'a>) -> Tuple {
        Tuple::named(&statement.name, statement.loops.iter().map(|id| &*self.counters[id.0]))
    }

    /// The number of dimensions of all schedules.
    fn dims(&self) -> usize {
        let depth = self.statements.iter().map(|s| s.loops.len()).max().unwrap_or(0);
        2 * depth + 1
    }

    /// A place after all statements.
    pub(super) fn end(&self) -> End {
        End {
            position: self.nest.body.iter().map(|item| self.positions(item)).sum(),
            dims: self.dims(),
        }
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
        self.statements.iter().map(schedule).collect()
    }

    /// The order of what is in as many loops as the tuple has dimensions, so much after the place.
    fn schedule(&self, tuple: Tuple, place: &[i64], after: i64) -> MultiAff {
        let loops = tuple.n();
        let domain = SetSpace::new(Params::none(), tuple);
        let mut affs = Vec::new();
        for (dim, position) in place.iter().enumerate() {
            let position = position + if dim == loops { after } else { 0 };
            affs.push(Aff::constant(domain.clone(), Int::from(position)));
            if dim < loops {
                affs.push(Aff::var(domain.clone(), dim));
            }
        }
        affs.resize(self.dims(), Aff::constant(domain.clone(), Int::ZERO));
        MultiAff::new(domain, Tuple::anonymous(affs.len()), affs)
    }

    fn has_marker(&self, block: Block<'a>) -> bool {
        self.nest.instructions(block).iter().any(|i| marker(*i).is_some())
    }

    fn statements_of(&self, block: Block<'a>) -> impl Iterator<Item = &IrStatement<'a>> {
        self.statements.iter().filter(move |s| s.start() == block)
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
    pub(super) fn kills(
        &self,
        arrays: &[Array<'a>],
        domains: &Domains<'a>,
        params: &Params,
        names: &mut Names,
    ) -> Vec<Kill> {
        let places = self.places();
        let mut kills = Vec::new();
        for local in &self.nest.locals {
            let Some(array) = arrays.iter().find(|array| array.ir.base.is(local.variable)) else {
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
}

/// The place after all statements of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// The first dimension of its schedule; the others are 0.
    position: i64,
    dims: usize,
}

impl End {
    /// The kill of a slot at this place.
    pub(super) fn kill_of_slot(self, slot: &str, params: &Params) -> Kill {
        let end = SetSpace::new(Params::none(), Tuple::new(format!("{slot}.end"), 0));
        let mut time = vec![Aff::constant(end.clone(), Int::ZERO); self.dims];
        time[0] = Aff::constant(end.clone(), Int::from(self.position));
        let element = SetSpace::new(params.clone(), Tuple::new(slot, 0));
        Kill {
            relation: Map::from_domain_and_range(&Set::universe(end.clone()), &Set::universe(element)),
            schedule: MultiAff::new(end, Tuple::anonymous(time.len()), time),
        }
    }
}
