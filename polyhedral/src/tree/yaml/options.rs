//! What generated code is to make of a band, as a union of sets.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{MultiUnionPwAff, Params, PwAff, Set, SetSpace, Tuple, UnionPwAff, UnionSet};
use crate::tree::{Band, Isolation, LoopKind, Member, Tiling};

const KINDS: [(LoopKind, &str); 3] = [
    (LoopKind::Atomic, "atomic"),
    (LoopKind::Separate, "separate"),
    (LoopKind::Unroll, "unroll"),
];

const ISOLATE: &str = "isolate";

/// Of a band of tiles, those that are full: the sizes of tiles in each member.
const FULL_TILES: &str = "full_tiles";

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
            None if *tuple == Tuple::new(FULL_TILES, band.n()) => match tiling(set, band, b)? {
                Ok(tiling) => band.isolation = Isolation::FullTiles(tiling),
                Err(message) => return Ok(Err(message)),
            },
            _ => {
                return Ok(Err(format!(
                    "expected `atomic[k]`, `separate[k]`, `unroll[k]`, one of these in `[isolate[] -> ..]`, \
                     `isolate[[..] -> [..]]`, or `full_tiles[{} sizes]`, found `{tuple}`",
                    band.n()
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

/// What the members of a band run over that are tiles of these sizes, or why they are not.
fn tiling(sizes: &Set, band: &Band, b: &Budget) -> Outcome<Result<Tiling, String>> {
    let (mut all, mut points) = (Vec::new(), Vec::new());
    for (position, tiles) in band.schedule().affs().iter().enumerate() {
        let size = sizes.fixed_dim(position, b)?.and_then(|size| size.to_i64());
        let Some(size) = size.filter(|size| *size >= 1) else {
            return Ok(Err(format!("expected positive sizes of tiles, found `{sizes}`")));
        };
        let parts: Option<Vec<PwAff>> = tiles.pw_affs().map(|part| points_of(part, size)).collect();
        let Some(parts) = parts else {
            return Ok(Err(format!(
                "member {position} is not along tiles of {size}: `{tiles}`"
            )));
        };
        all.push(size);
        points.push(UnionPwAff::from_parts(tiles.params().clone(), parts));
    }
    let points = MultiUnionPwAff::new(band.schedule().range_tuple().clone(), points);
    Ok(Ok(Tiling { points, sizes: all }))
}

/// The function `p` whose tiles of a size, `floor(p / size)`, are a function.
fn points_of(tiles: &PwAff, size: i64) -> Option<PwAff> {
    if size == 1 {
        return Some(tiles.clone());
    }
    let mut pieces = tiles.pieces();
    let (Some((domain, aff)), None) = (pieces.next(), pieces.next()) else {
        return None;
    };
    let (num, den) = aff.as_floor_div()?;
    let size = Int::from(size);
    let is_multiple = !den.is_one() && size.divisible_by(&den);
    is_multiple.then(|| PwAff::new(domain.clone(), num.scale(&size.div_exact(&den))))
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
    if let Isolation::FullTiles(tiling) = &band.isolation {
        let all = Set::universe(SetSpace::new(
            Params::none(),
            Tuple::new(FULL_TILES, tiling.sizes.len()),
        ));
        let sizes = tiling.sizes.iter().enumerate();
        options.add(&sizes.fold(all, |set, (position, size)| set.fix_dim(position, &Int::from(*size))));
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
