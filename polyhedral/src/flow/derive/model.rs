//! The model of a program as its tagged accesses.

use super::Fragment;
use crate::budget::{Budget, Outcome};
use crate::flow::order::{Order, OrderError};
use crate::program::{AccessId, AccessKind, Kill, Program, StatementId};
use crate::sets::{Map, Name, Set, SetSpace, Tuple, UnionMap, UnionSet};

impl Fragment {
    /// The accesses of a program, tagged with [`Program::reference`].
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If the schedules of the program are not in one space.
    pub fn of_program(program: &Program, b: &Budget) -> Outcome<Fragment> {
        let params = program.context.params();
        let empty = || UnionMap::empty(params.clone());
        let (mut may_read, mut may_write, mut must_write, mut kill) = (empty(), empty(), empty(), empty());
        let (mut domain, mut schedule) = (UnionSet::empty(params.clone()), empty());
        for (position, statement) in program.statements.iter().enumerate() {
            domain.add(&statement.domain);
            schedule.add(&statement.schedule.to_map().intersect_domain(&statement.domain));
            for (index, access) in statement.accesses.iter().enumerate() {
                let relation = access.relation.intersect_domain(&statement.domain);
                let tagged = tagged(&relation, program.reference(StatementId(position), AccessId(index)), b)?;
                match access.kind {
                    AccessKind::Read => may_read.add(&tagged),
                    AccessKind::MayWrite => may_write.add(&tagged),
                    AccessKind::MustWrite => {
                        may_write.add(&tagged);
                        must_write.add(&tagged);
                    }
                }
            }
        }
        for Kill {
            relation,
            schedule: own,
        } in &program.kills
        {
            schedule.add(&own.to_map().intersect_domain(&relation.domain(b)?));
            let name = relation.domain_tuple().name().expect("a kill has a name").clone();
            kill.add(&tagged(relation, name, b)?);
        }
        let order = match Order::from_map(&schedule, b) {
            Ok(order) => order,
            Err(OrderError::OutOfBudget(error)) => return Err(error),
            Err(other) => panic!("a program's schedule: {other}"),
        };
        Ok(Fragment {
            context: program.context.clone(),
            domain,
            may_read,
            may_write,
            must_write,
            kill,
            order,
        })
    }
}

/// `{ [i -> r[]] -> a : i -> a in relation }`.
fn tagged(relation: &Map, reference: Name, b: &Budget) -> Outcome<Map> {
    let tag = Set::universe(SetSpace::new(relation.params().clone(), Tuple::new(reference, 0)));
    let domain = relation.domain(b)?;
    let pairs = Map::from_domain_and_range(&domain, &tag);
    pairs.domain_map().apply_range(relation, b)
}
