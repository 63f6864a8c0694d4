//! The check of node splitting: that pieces are the statement, and that copies have what is read in their place.
//!
//! A read finds the same value in a copy if it would find that value in the array where the copy is made, in the original order. So the read is looked at
//! alone, beside all writes: the instances that write what it reads are compared with those that write what a statement reads that reads the same
//! elements at the place of the copy.
//!
//! Example: in `for (k) for (i) for (j) a[i][j] = f(a[i][j], a[k][j])`, rows in front of row `k` read what is there before the iteration, and those behind
//! it what is there afterwards, as `i = k` writes it. A copy before the iteration is refused for the latter.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{
    Access, AccessId, AccessKind, CopiedRead, NodeSplitting, Program, SplitPlace, Statement,
};
use farkas_polyhedral::sets::{Aff, MultiAff, Name, Set, SetSpace, Tuple};
use indexmap::IndexSet;

use super::{Checked, Refusal};

/// Whether the pieces of statements are these, copies have what their readers read, and all of them have names of their own.
pub(crate) fn check_node_splitting(
    program: &Program,
    assumed: &Set,
    split: &NodeSplitting,
    b: &Budget,
) -> Outcome<Checked> {
    let refuse = |array: &Tuple, wrong| {
        let array = array.name().expect("what is split has a name").clone();
        Ok(Err(Box::new(Refusal::NodeSplitting { array, wrong })))
    };
    let statements = program.statements.iter().map(Statement::tuple);
    let mut names: IndexSet<&Name> = statements
        .chain(program.arrays.keys())
        .filter_map(Tuple::name)
        .collect();
    let pieces = split.pieces.values().flatten().map(|piece| &piece.tuple);
    let of_copies = split.copies.iter().flat_map(|copy| [&copy.copy, &copy.buffer]);
    for tuple in pieces.chain(of_copies) {
        if tuple.name().is_some_and(|name| !names.insert(name)) {
            return refuse(tuple, "something else has its name");
        }
    }
    let known = program.context.intersect(assumed);
    for (whole, pieces) in &split.pieces {
        let Some(id) = program.find_statement(whole) else {
            return refuse(whole, "there is no such statement");
        };
        let statement = program.statement(id);
        let domain = statement.domain.intersect_params(&known);
        let mut left = domain.clone();
        for piece in pieces {
            let own = domain.intersect(&piece.instances);
            if !own.is_subset(&left, b)? {
                return refuse(whole, "an instance is in two pieces");
            }
            left = left.subtract(&own, b)?;
            for copy in &piece.copied {
                let copy = &split.copies[*copy];
                if copy.statement != *whole {
                    return refuse(&copy.buffer, "another statement reads the copy");
                }
                if !copy_has_values(program, (statement, copy.read), &own, copy.place, b)? {
                    return refuse(&copy.buffer, "a read finds another value");
                }
                let copied = own.apply(&copy.readers().reverse(), b)?;
                if !copied.is_subset(&copy.instances, b)? {
                    return refuse(&copy.buffer, "an element is not copied");
                }
            }
        }
        if !left.is_empty(b)? {
            return refuse(whole, "an instance is in no piece");
        }
    }
    for (position, copy) in split.copies.iter().enumerate() {
        let Some(id) = program.find_statement(&copy.statement) else {
            return refuse(&copy.buffer, "there is no such statement");
        };
        if split.copies[..position].iter().any(|other| other.place == copy.place) {
            return refuse(&copy.buffer, "two copies are in the same place");
        }
        if let Some(wrong) = wrong_with(program.statement(id), copy, &known, b)? {
            return refuse(&copy.buffer, wrong);
        }
    }
    Ok(Ok(()))
}

/// What is wrong with a copying statement by itself.
fn wrong_with(statement: &Statement, copy: &CopiedRead, known: &Set, b: &Budget) -> Outcome<Option<&'static str>> {
    let is_other = |dim: &usize| !copy.dims.contains(dim);
    let others = || (0..statement.tuple().n()).filter(is_other);
    let outer = &statement.schedule.affs()[..copy.place.function];
    if outer
        .iter()
        .any(|aff| others().any(|dim| !aff.coefficient(dim).is_zero() || !aff.divs().is_empty()))
    {
        return Ok(Some("it is in a loop that its copying statement is not in"));
    }
    let readers = copy.readers();
    let domain = statement.domain.intersect_params(known);
    let instances = copy.instances.intersect_params(known);
    // What is not read may be in no memory.
    if !instances.is_subset(&domain.apply(&readers.reverse(), b)?, b)? {
        return Ok(Some("what is copied is not read"));
    }
    let relation = &statement.accesses[copy.read.0].relation;
    let elements = readers.apply_range(relation, b)?;
    if !elements.intersect_domain(&instances).is_single_valued(b)? {
        return Ok(Some("a copy is of several elements"));
    }
    if statement.is_conditional(copy.read) {
        return Ok(Some("what is copied may not be read"));
    }
    for (dim, extent) in (1..).zip(&copy.extents) {
        let space = instances.space();
        let params = space.params.union(&extent.space().params);
        let aligned = SetSpace::new(params.clone(), space.tuple.clone());
        let end = extent
            .align_params(&params)
            .insert_dims(0, space.tuple.n(), space.tuple.clone());
        let counter = Aff::var(aligned, dim);
        let zero = Aff::constant(counter.space().clone(), Int::ZERO);
        let within = counter.lt_set(&end).intersect(&zero.le_set(&counter));
        if !instances.is_subset(&within, b)? {
            return Ok(Some("a copy has not all elements"));
        }
    }
    Ok((copy.extents.len() + 1 != copy.dims.len()).then_some("a copy has no size"))
}

/// Whether some instances of a statement find the same value in what they read at a place of the original order as where they are.
pub(crate) fn copy_has_values(
    program: &Program,
    (statement, read): (&Statement, AccessId),
    instances: &Set,
    place: SplitPlace,
    b: &Budget,
) -> Outcome<bool> {
    // An instance reads before it writes.
    let behind = SplitPlace {
        function: statement.schedule.len(),
        order: -1,
    };
    let there = flow::analyze_reads(&with_reader(program, (statement, read), instances, place), b)?;
    let here = flow::analyze_reads(&with_reader(program, (statement, read), instances, behind), b)?;
    Ok(there.flow.is_equal(&here.flow, b)? && there.live_in.is_equal(&here.live_in, b)?)
}

/// The program with all that writes the array of a read, and a statement that reads the same as these instances of another one at a place.
fn with_reader(
    program: &Program,
    (statement, read): (&Statement, AccessId),
    instances: &Set,
    place: SplitPlace,
) -> Program {
    let access = &statement.accesses[read.0];
    let mut part = program.clone();
    for own in &mut part.statements {
        own.accesses
            .retain(|other| other.kind != AccessKind::Read && other.array() == access.array());
        own.schedule = with_column(&own.schedule, place.function, 0);
    }
    part.statements.retain(|own| !own.accesses.is_empty());
    for kill in &mut part.kills {
        kill.schedule = with_column(&kill.schedule, place.function, 0);
    }
    part.kills.retain(|kill| kill.relation.range_tuple() == access.array());
    let tuple = Tuple::new("a reader", statement.tuple().n());
    let space = SetSpace::new(statement.schedule.params().clone(), tuple.clone());
    let dims = (0..tuple.n()).map(|dim| Aff::var(space.clone(), dim)).collect();
    let schedule = statement
        .schedule
        .pullback(&MultiAff::new(space, statement.tuple().clone(), dims));
    part.statements.push(Statement::new(
        instances.with_tuple(tuple.clone()),
        with_column(&schedule, place.function, place.order),
        vec![Access {
            relation: access.relation.intersect_domain(instances).with_domain_tuple(tuple),
            reduction: None,
            ..access.clone()
        }],
    ));
    part
}

/// A schedule with a constant in front of one of its functions, or behind all.
fn with_column(schedule: &MultiAff, position: usize, value: i64) -> MultiAff {
    let space = schedule.domain_space();
    let mut affs = schedule.affs().to_vec();
    affs.insert(position, Aff::constant(space.clone(), Int::from(value)));
    MultiAff::new(space, Tuple::anonymous(affs.len()), affs)
}
