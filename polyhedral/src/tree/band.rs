//! Bands: multi-dimensional partial schedules, and what generated code is to make of them.

use crate::sets::{Map, MultiAff, MultiUnionPwAff, Params, PwAff, Set, SetSpace, Tuple, UnionPwAff, UnionSet};
use crate::tree::Node;

/// How the AST generator turns a band member into control (P1 section 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LoopKind {
    /// One loop for what overlaps, several where ranges lie one after the other.
    #[default]
    Default,
    /// One loop over everything, with conditions inside.
    Atomic,
    /// A loop of its own wherever a different set of statements is active.
    Separate,
    /// No loop: the body is repeated for each value.
    Unroll,
}

/// A member of a band: a dimension of its partial schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Member {
    /// Dependences that no outer node carries have distance zero.
    pub coincident: bool,
    /// How control is generated.
    pub kind: LoopKind,
    /// How control is generated in the isolated part.
    pub isolated: LoopKind,
}

/// The part of a band for which code of its own is generated (P1 section 5.6).
#[derive(Clone, Debug, Default)]
pub enum Isolation {
    /// There is none.
    #[default]
    Nothing,
    /// The values of the band's members that are related to those of the outer members.
    Part(Map),
    /// For a band of tiles: the tiles that are full for all statements.
    FullTiles(Tiling),
}

/// What the members of a band of tiles run over: member `k` is `floor(points_k / sizes_k)`.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// The functions that were tiled, as many as the band has members.
    pub points: MultiUnionPwAff,
    /// The size of a tile in each of them, at least 1.
    pub sizes: Vec<i64>,
}

/// A multi-dimensional partial schedule.
#[derive(Clone, Debug)]
pub struct Band {
    schedule: MultiUnionPwAff,
    /// As many as the schedule has dimensions.
    members: Vec<Member>,
    /// Whether the members may be interchanged.
    pub permutable: bool,
    /// What is generated apart from the rest.
    pub isolation: Isolation,
    /// What is inside a value of each member.
    pub child: Node,
}

impl Band {
    /// The band of a partial schedule, of which nothing is known.
    pub fn new(schedule: MultiUnionPwAff, child: Node) -> Band {
        Band {
            members: vec![Member::default(); schedule.len()],
            schedule,
            permutable: false,
            isolation: Isolation::Nothing,
            child,
        }
    }

    /// The band that orders the instances of each statement by one function, all of which have the same number of
    /// dimensions, `n`.
    ///
    /// # Panics
    ///
    /// If not all functions have `n` dimensions.
    pub fn of_functions(n: usize, functions: impl IntoIterator<Item = MultiAff>, child: Node) -> Band {
        Band::new(schedule_of_functions(n, functions), child)
    }

    /// The band with these members instead of its own.
    ///
    /// # Panics
    ///
    /// If there are not as many.
    pub fn with_members(self, members: Vec<Member>) -> Band {
        assert_eq!(members.len(), self.n(), "a member for each dimension of the schedule");
        Band { members, ..self }
    }

    /// The band around another child.
    pub fn with_child(self, child: Node) -> Band {
        Band { child, ..self }
    }

    /// The band marked as permutable or not.
    pub fn with_permutable(self, permutable: bool) -> Band {
        Band { permutable, ..self }
    }

    /// The band with something else isolated.
    pub fn with_isolation(self, isolation: Isolation) -> Band {
        Band { isolation, ..self }
    }

    /// The partial schedule.
    pub fn schedule(&self) -> &MultiUnionPwAff {
        &self.schedule
    }

    /// The band with a partial schedule of the same number of dimensions.
    ///
    /// # Panics
    ///
    /// If the number is another one.
    pub fn with_schedule(self, schedule: MultiUnionPwAff) -> Band {
        assert_eq!(schedule.len(), self.n(), "as many dimensions as before");
        Band { schedule, ..self }
    }

    /// The members, outermost first.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The members, to be changed.
    pub fn members_mut(&mut self) -> &mut [Member] {
        &mut self.members
    }

    /// The number of members.
    pub fn n(&self) -> usize {
        self.members.len()
    }

    /// The statements that have a value in the first member: all that the band orders.
    pub fn statements(&self) -> impl Iterator<Item = &Tuple> {
        let first = self.schedule.affs().first();
        first
            .into_iter()
            .flat_map(|aff| aff.pw_affs().map(|part| &part.space().tuple))
    }

    /// The function of member `member` on a statement, if it has values there.
    pub fn part(&self, member: usize, statement: &Tuple) -> Option<&PwAff> {
        self.schedule.affs()[member]
            .pw_affs()
            .find(|part| part.space().tuple == *statement)
    }

    /// The functions of all members on a statement, where each has a single expression on it. Since a band has a value for
    /// all instances that reach it, the expressions hold for all of these.
    pub fn function_of(&self, statement: &Tuple) -> Option<MultiAff> {
        let space = SetSpace::new(self.schedule.params().clone(), statement.clone());
        let mut affs = Vec::with_capacity(self.n());
        for member in 0..self.n() {
            let mut pieces = self.part(member, statement)?.pieces();
            let (Some((_, aff)), None) = (pieces.next(), pieces.next()) else {
                return None;
            };
            affs.push(aff.align_params(&space.params));
        }
        Some(MultiAff::new(space, Tuple::anonymous(affs.len()), affs))
    }

    /// The band of the members at `positions` only, in that order, around the same child.
    pub fn select(&self, positions: &[usize]) -> Band {
        let schedule = if positions.is_empty() {
            MultiUnionPwAff::on_domain(Tuple::unit(), self.schedule.domain())
        } else {
            let affs = positions.iter().map(|p| self.schedule.affs()[*p].clone()).collect();
            MultiUnionPwAff::new(Tuple::anonymous(positions.len()), affs)
        };
        Band {
            schedule,
            members: positions.iter().map(|p| self.members[*p]).collect(),
            permutable: self.permutable,
            isolation: Isolation::Nothing,
            child: self.child.clone(),
        }
    }

    /// The band on the instances of some of its statements.
    pub fn restricted(&self, keep: impl Fn(&Tuple) -> bool) -> Band {
        let restricted = |aff: &UnionPwAff| {
            let kept = aff.pw_affs().filter(|part| keep(&part.space().tuple));
            UnionPwAff::from_parts(aff.params().clone(), kept.cloned())
        };
        let mut band = self.clone();
        if self.n() > 0 {
            let affs = self.schedule.affs().iter().map(restricted).collect();
            band.schedule = MultiUnionPwAff::new(self.schedule.range_tuple().clone(), affs);
        }
        band
    }
}

/// The partial schedule of `n` dimensions that has these functions.
fn schedule_of_functions(n: usize, functions: impl IntoIterator<Item = MultiAff>) -> MultiUnionPwAff {
    let mut members: Vec<Vec<PwAff>> = vec![Vec::new(); n];
    let mut domain = UnionSet::empty(Params::none());
    let mut params = Params::none();
    for function in functions {
        assert_eq!(
            function.len(),
            n,
            "functions of as many dimensions as the band has members"
        );
        params = params.union(function.params());
        domain.add(&Set::universe(function.domain_space()));
        for (member, aff) in members.iter_mut().zip(function.affs()) {
            member.push(PwAff::from(aff.clone()));
        }
    }
    if n == 0 {
        return MultiUnionPwAff::on_domain(Tuple::unit(), domain);
    }
    let affs = members
        .into_iter()
        .map(|parts| UnionPwAff::from_parts(params.clone(), parts));
    MultiUnionPwAff::new(Tuple::anonymous(n), affs.collect())
}
