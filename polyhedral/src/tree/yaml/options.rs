//! What generated code is to make of a band, as a union of sets.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Params, Set, SetSpace, Tuple, UnionSet};
use crate::tree::{Band, Isolation, LoopKind, Member};

const KINDS: [(LoopKind, &str); 3] = [
    (LoopKind::Atomic, "atomic"),
    (LoopKind::Separate, "separate"),
    (LoopKind::Unroll, "unroll"),
];

const ISOLATE: &str = "isolate";

/// `[isolate[] -> kind[k]]`.
fn of_isolated(kind: &str) -> Tuple {
    Tuple::pair(Tuple::new(ISOLATE, 0), Tuple::new(kind, 1))
}

/// Gives the band the options that the sets are, or says why they are none.
pub(super) fn read(options: &UnionSet, band: &mut Band, b: &Budget) -> Outcome<Result<(), String>> {
    for set in options.sets() {
        let tuple = set.tuple();
        let known = KINDS
            .iter()
            .any(|(_, name)| *tuple == Tuple::new(*name, 1) || *tuple == of_isolated(name));
        if known || set.is_plainly_empty() {
            continue;
        }
        match tuple.nested() {
            Some((outer, own)) if tuple.name().is_some_and(|name| **name == *ISOLATE) => {
                if *outer != Tuple::anonymous(outer.n()) || *own != Tuple::anonymous(band.n()) {
                    return Ok(Err(format!(
                        "expected `isolate[[outer members] -> [{} members]]`, found `{tuple}`",
                        band.n()
                    )));
                }
                band.isolation = Isolation::Part(set.unwrap());
            }
            _ => {
                return Ok(Err(format!(
                    "expected `atomic[k]`, `separate[k]`, `unroll[k]`, one of these in `[isolate[] -> ..]`, or \
                     `isolate[[..] -> [..]]`, found `{tuple}`"
                )));
            }
        }
    }
    for position in 0..band.n() {
        let kind = kind_at(options, |name| Tuple::new(name, 1), position, b)?;
        let isolated = kind_at(options, of_isolated, position, b)?;
        match (kind, isolated) {
            (Ok(kind), Ok(isolated)) => {
                let member = &mut band.members_mut()[position];
                *member = Member {
                    kind,
                    isolated,
                    ..*member
                };
            }
            (Err(message), _) | (_, Err(message)) => return Ok(Err(message)),
        }
    }
    Ok(Ok(()))
}

/// The kind of member `position` by the sets in the tuples that `tuple` makes of kinds.
fn kind_at(
    options: &UnionSet,
    tuple: impl Fn(&str) -> Tuple,
    position: usize,
    b: &Budget,
) -> Outcome<Result<LoopKind, String>> {
    let mut found: Option<(LoopKind, &str)> = None;
    for (kind, name) in KINDS {
        let set = options.extract(&tuple(name)).fix_dim(0, &Int::from(position));
        if set.is_empty(b)? {
            continue;
        }
        if let Some((_, other)) = found {
            let message = format!("member {position} is both `{other}` and `{name}`, expected one of them");
            return Ok(Err(message));
        }
        found = Some((kind, name));
    }
    Ok(Ok(found.map_or(LoopKind::Default, |(kind, _)| kind)))
}

/// The options of a band; `None` where there are none.
pub(super) fn write(band: &Band) -> Option<UnionSet> {
    let mut options = UnionSet::empty(Params::none());
    if let Isolation::Part(part) = &band.isolation {
        let set = part.wrap();
        let tuple = set.tuple().clone().with_name(Some(ISOLATE.into()));
        options.add(&set.with_tuple(tuple));
    }
    let mut add = |kind: LoopKind, tuple: &dyn Fn(&str) -> Tuple, position: usize| {
        if let Some((_, name)) = KINDS.iter().find(|(k, _)| *k == kind) {
            let all = Set::universe(SetSpace::new(Params::none(), tuple(name)));
            options.add(&all.fix_dim(0, &Int::from(position)));
        }
    };
    for (position, member) in band.members().iter().enumerate() {
        add(member.kind, &|name| Tuple::new(name, 1), position);
    }
    for (position, member) in band.members().iter().enumerate() {
        add(member.isolated, &of_isolated, position);
    }
    let some = options.sets().next().is_some();
    some.then_some(options)
}
