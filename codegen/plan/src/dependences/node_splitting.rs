//! Dependences of a program with node splitting.
//!
//! They are found before statements are in pieces, which are many. A statement is taken apart by what it does: the *update*, which is the statement
//! without the reads that some pieces have of copies, and a *reader* for each of these, with the same instances. What depends on the update does so in
//! all pieces, what depends on a reader in the pieces that read no copy of it.
//!
//! Copies have no place in the original order that makes them right: what is read in a copy of what is there behind an iteration is computed before that.
//! So dependences by copies are said, and not found: a copy comes in front of its readers, and these in front of the copy of a later iteration in the
//! same place.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow::Dependences;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Access, AccessId, CopiedRead, NodeSplitting, Program, Statement};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Set, SetSpace, Tuple, UnionMap};
use indexmap::IndexMap;

use super::ByArray;

/// What stands for a statement, or a part of one: pieces with the instances that are in them.
type Parts = IndexMap<Tuple, Vec<(Tuple, Option<Set>)>>;

impl ByArray {
    /// Those of a program with node splitting, with copies for as many iterations as they have room for.
    pub(crate) fn of_node_splitting(program: &Program, split: &NodeSplitting, b: &Budget) -> Outcome<ByArray> {
        let (whole, parts) = taken_apart(program, split, b)?;
        let mut all = ByArray::of(&whole, b)?;
        for own in all.arrays.values_mut() {
            for kind in [&mut own.flow, &mut own.anti, &mut own.output] {
                *kind = between(kind, &parts, b)?;
            }
            own.live_in = UnionMap::empty(program.context.params().clone());
        }
        for copy in &split.copies {
            all.arrays.insert(copy.buffer.clone(), of_copies(program, split, copy));
        }
        Ok(all)
    }
}

/// The program with updates and readers in place of statements that are in pieces, and with the copying statements.
fn taken_apart(program: &Program, split: &NodeSplitting, b: &Budget) -> Outcome<(Program, Parts)> {
    let behind = |schedule: &MultiAff, order: i64| {
        let space = schedule.domain_space();
        let affs = schedule.affs().iter().cloned();
        let affs: Vec<Aff> = affs.chain([Aff::constant(space.clone(), Int::from(order))]).collect();
        MultiAff::new(space, Tuple::anonymous(affs.len()), affs)
    };
    let mut whole = program.with_copying_statements(split, b)?;
    let (mut parts, mut readers) = (Parts::new(), Vec::new());
    for (tuple, pieces) in &split.pieces {
        let statement = whole.statements.iter_mut().find(|own| own.tuple() == tuple);
        let statement = statement.expect("a statement of the program");
        let of = |is_own: &dyn Fn(&[usize]) -> bool| {
            let own = pieces.iter().filter(|piece| is_own(&piece.copied));
            own.map(|piece| (piece.tuple.clone(), Some(piece.instances.clone())))
                .collect()
        };
        parts.insert(tuple.clone(), of(&|_| true));
        let mut copied: Vec<AccessId> = split
            .copies
            .iter()
            .filter(|copy| copy.statement == *tuple)
            .map(|copy| copy.read)
            .collect();
        copied.sort_unstable();
        copied.dedup();
        for read in &copied {
            let name = format!("{}.read.{}", statement.name(), read.0);
            let reader = Tuple::new(&*name, tuple.n());
            let reads_it = |copies: &[usize]| !copies.iter().any(|copy| split.copies[*copy].read == *read);
            parts.insert(reader.clone(), of(&reads_it));
            readers.push(reader_of(statement, &statement.accesses[read.0], reader, &behind));
        }
        let mut position = 0;
        statement.accesses.retain(|_| {
            position += 1;
            !copied.contains(&AccessId(position - 1))
        });
    }
    for statement in &mut whole.statements {
        statement.schedule = behind(&statement.schedule, 0);
    }
    for kill in &mut whole.kills {
        kill.schedule = behind(&kill.schedule, 0);
    }
    whole.statements.extend(readers);
    Ok((whole, parts))
}

/// A statement that reads what an access of another one does. An instance reads before it writes.
fn reader_of(
    statement: &Statement,
    access: &Access,
    tuple: Tuple,
    behind: &dyn Fn(&MultiAff, i64) -> MultiAff,
) -> Statement {
    let space = SetSpace::new(statement.schedule.params().clone(), tuple.clone());
    let dims = (0..tuple.n()).map(|dim| Aff::var(space.clone(), dim)).collect();
    let schedule = statement
        .schedule
        .pullback(&MultiAff::new(space, statement.tuple().clone(), dims));
    let access = Access {
        relation: access.relation.with_domain_tuple(tuple.clone()),
        reduction: None,
        ..access.clone()
    };
    Statement::new(statement.domain.with_tuple(tuple), behind(&schedule, -1), vec![access])
}

/// A relation between statements as one between what stands for them.
fn between(relation: &UnionMap, parts: &Parts, b: &Budget) -> Outcome<UnionMap> {
    let of = |tuple: &Tuple| parts.get(tuple).cloned().unwrap_or_else(|| vec![(tuple.clone(), None)]);
    let mut out = UnionMap::empty(relation.params().clone());
    for map in relation.maps() {
        for (from, source) in of(map.domain_tuple()) {
            let own = map.with_domain_tuple(from);
            let own = source.map_or(own.clone(), |set| {
                own.intersect_domain(&set.with_tuple(own.domain_tuple().clone()))
            });
            for (to, sink) in of(map.range_tuple()) {
                let own = own.with_range_tuple(to);
                let own = sink.map_or(own.clone(), |set| {
                    own.intersect_range(&set.with_tuple(own.range_tuple().clone()))
                });
                if !own.is_empty(b)? {
                    out.add(&own);
                }
            }
        }
    }
    Ok(out)
}

/// The dependences of what a copying statement writes.
fn of_copies(program: &Program, split: &NodeSplitting, copy: &CopiedRead) -> Dependences {
    let params = program.context.params();
    let none = || UnionMap::empty(params.clone());
    let mut all = Dependences {
        flow: none(),
        anti: none(),
        output: none(),
        live_in: none(),
    };
    let copied = MultiAff::identity(SetSpace::new(params.clone(), copy.copy.clone()));
    let later = in_the_same_place(&copied, &copied, copy);
    all.output
        .add(&later.intersect_domain(&copy.instances).intersect_range(&copy.instances));
    let position = split.copies.iter().position(|own| own.buffer == copy.buffer);
    let statement = program
        .find_statement(&copy.statement)
        .expect("a statement of the program");
    let domain = &program.statement(statement).domain;
    for piece in split.pieces.get(&copy.statement).into_iter().flatten() {
        if !piece.copied.iter().any(|own| Some(*own) == position) {
            continue;
        }
        let instances = domain.intersect(&piece.instances).with_tuple(piece.tuple.clone());
        let space = SetSpace::new(params.clone(), piece.tuple.clone());
        let dims = copy.dims.iter().map(|dim| Aff::var(space.clone(), *dim)).collect();
        let read = MultiAff::new(space, copy.copy.clone(), dims);
        let within = |map: Map| map.intersect_domain(&instances).intersect_range(&copy.instances);
        all.flow.add(&within(read.to_map()).reverse());
        all.anti.add(&within(in_the_same_place(&read, &copied, copy)));
    }
    all
}

/// From what accesses the copy of an iteration to what accesses that of a later one in the same place.
fn in_the_same_place(one: &MultiAff, other: &MultiAff, copy: &CopiedRead) -> Map {
    let within = |of: &MultiAff| of.affs()[0].modulo(&Int::from(copy.count));
    let later = Map::less(&one.affs()[0], &other.affs()[0]);
    let same = later.intersect(&Map::equal(&within(one), &within(other)));
    let pairs = one.affs().iter().zip(other.affs()).skip(1);
    pairs.fold(same, |same, (one, other)| same.intersect(&Map::equal(one, other)))
}
