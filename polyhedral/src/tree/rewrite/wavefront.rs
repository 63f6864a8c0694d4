//! Parallelism from a permutable band without any (P0, 6.2; Lim and Lam 1997).
//!
//! No validity constraint has a negative distance in a member of a permutable band, so that none has in the sum of all
//! members, and one that is not zero in some member is positive there. What the sum does not carry has distance zero in
//! every member. So the band may be replaced by a band with the sum alone, the *wavefront*, and one of all but one of the
//! members, which are all coincident as far as coincidence is asked of pairs that have to be in order.
//!
//! For Jacobi the band `(t, 2t + i)` becomes `(3t + i)` above `(2t + i)`: all points on a front are independent.

use crate::budget::{Budget, Outcome};
use crate::sets::{MultiUnionPwAff, Tuple};
use crate::tree::{Band, Member, Node};

impl Band {
    /// The band as a wavefront above its members but the first, which are coincident. What was isolated is not any more, and
    /// loop kinds are the default ones. Legal where the band is permutable; members are coincident if all coincidence
    /// constraints are validity constraints as well.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If the band is not permutable, or has less than two members.
    pub fn wavefront(&self, b: &Budget) -> Outcome<Band> {
        assert!(self.permutable && self.n() > 1, "a permutable band of several members");
        let members = self.schedule().affs();
        let mut sum = members[0].clone();
        for member in &members[1..] {
            sum = sum.add(member, b)?;
        }
        let rest: Vec<usize> = (1..self.n()).collect();
        let coincident = Member {
            coincident: true,
            ..Member::default()
        };
        let inner = self.select(&rest).with_members(vec![coincident; rest.len()]);
        let front = MultiUnionPwAff::new(Tuple::anonymous(1), vec![sum]);
        Ok(Band::new(front, Node::band(inner)).with_permutable(true))
    }
}
