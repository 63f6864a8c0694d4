//! A sequence of operations on small sets in a box, next to the same operations on the lists of their points.
//!
//! The bytes are a program for a stack of relations `[i] -> [j]` whose points have entries between -3 and 3, each beside
//! the table of its points: push a relation of a few constraints, or apply an operation to the topmost ones. After
//! each step relation and table have the same points.
#![no_main]

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::row_from;
use farkas_polyhedral::sets::{Conj, Map, MapSpace, Params, Set, Tuple};
use libfuzzer_sys::fuzz_target;

/// Entries are in `-R..=R`.
const R: i64 = 3;
/// Relations of more pieces are not worked on: unions and intersections take no budget.
const MAX_PIECES: usize = 30;
const SIDE: usize = (2 * R + 1) as usize;

/// What all of a program may cost.
const BUDGET: u64 = 300_000;

/// Whether each pair belongs to a relation.
type Table = [[bool; SIDE]; SIDE];

/// The bytes of a program; zeros after the end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number between -4 and 4, and larger ones now and then.
    fn number(&mut self) -> i64 {
        match self.next() {
            255 => (self.next() as i64 - 128) << 33,
            byte @ 240..255 => byte as i64 - 247,
            byte => byte as i64 % 9 - 4,
        }
    }
}

fn space() -> MapSpace {
    MapSpace::new(Params::none(), Tuple::anonymous(1), Tuple::anonymous(1))
}

fn the_box() -> Map {
    let mut conj = Conj::universe(2);
    for row in [[R, 1, 0], [R, -1, 0], [R, 0, 1], [R, 0, -1]] {
        conj.add_ineq(row_from(&row));
    }
    Map::from_conj(space(), conj)
}

fn table(holds: impl Fn(i64, i64) -> bool) -> Table {
    std::array::from_fn(|x| std::array::from_fn(|y| holds(x as i64 - R, y as i64 - R)))
}

fn at(table: &Table, x: i64, y: i64) -> bool {
    x.abs() <= R && y.abs() <= R && table[(x + R) as usize][(y + R) as usize]
}

/// A relation of up to three constraints, perhaps with a division, in the box.
fn relation(bytes: &mut Bytes<'_>) -> (Map, Table) {
    let mut conj = Conj::universe(2);
    let shape = bytes.next();
    let division = (shape & 1 != 0).then(|| {
        let (num, den) = ([bytes.number(), bytes.number(), bytes.number()], 2 + bytes.next() as i64 % 4);
        conj.add_div(row_from(&num), Int::from(den));
        (num, den)
    });
    let mut rows = Vec::new();
    for _ in 0..(shape >> 1) % 4 {
        let is_equality = bytes.next() % 3 == 0;
        let mut row = vec![bytes.number(), bytes.number(), bytes.number()];
        if division.is_some() {
            row.push(bytes.number());
        }
        match is_equality {
            true => conj.add_eq(row_from(&row)),
            false => conj.add_ineq(row_from(&row)),
        }
        rows.push((row, is_equality));
    }
    let holds = |x: i64, y: i64| {
        let value = |row: &[i64]| row[0] as i128 + row[1] as i128 * x as i128 + row[2] as i128 * y as i128;
        let quotient = division.map_or(0, |(num, den)| value(&num).div_euclid(den as i128));
        rows.iter().all(|(row, is_equality)| {
            let value = value(row) + row.get(3).map_or(0, |c| *c as i128 * quotient);
            if *is_equality { value == 0 } else { value >= 0 }
        })
    };
    (Map::from_conj(space(), conj).intersect(&the_box()), table(holds))
}

fn in_box(set: Set) -> Map {
    Map::from_domain_and_range(&set, &set).intersect(&the_box())
}

/// One step. The operands are left on the stack, so that later steps can use them.
fn step(bytes: &mut Bytes<'_>, stack: &mut Vec<(Map, Table)>, b: &Budget) -> Outcome<()> {
    let code = bytes.next() % 24;
    let n = stack.len();
    let pick = |byte: u8| stack.get(byte as usize % n.max(1)).cloned();
    let (Some((x, tx)), Some((y, ty))) = (pick(bytes.next()), pick(bytes.next())) else {
        stack.push(relation(bytes));
        return Ok(());
    };
    let entries = || -R..=R;
    let domain = |t: &Table, i: i64| entries().any(|j| at(t, i, j));
    let range = |t: &Table, j: i64| entries().any(|i| at(t, i, j));
    let new = match code {
        0..=5 => relation(bytes),
        6 => (x.intersect(&y), table(|i, j| at(&tx, i, j) && at(&ty, i, j))),
        7 => (x.union(&y), table(|i, j| at(&tx, i, j) || at(&ty, i, j))),
        8 => (x.subtract(&y, b)?, table(|i, j| at(&tx, i, j) && !at(&ty, i, j))),
        9 => (x.complement(b)?.intersect(&the_box()), table(|i, j| !at(&tx, i, j))),
        10 => (x.reverse(), table(|i, j| at(&tx, j, i))),
        11 => (x.apply_range(&y, b)?, table(|i, k| entries().any(|j| at(&tx, i, j) && at(&ty, j, k)))),
        12 => (x.coalesce(b)?, tx),
        13 => (x.remove_redundancies(b)?, tx),
        14 => (x.detect_equalities(b)?, tx),
        15 => (x.lexmin(b)?, table(|i, j| at(&tx, i, j) && !entries().any(|k| k < j && at(&tx, i, k)))),
        16 => (x.lexmax(b)?, table(|i, j| at(&tx, i, j) && !entries().any(|k| k > j && at(&tx, i, k)))),
        17 => (in_box(x.domain(b)?), table(|i, j| domain(&tx, i) && domain(&tx, j))),
        18 => (in_box(x.range(b)?), table(|i, j| range(&tx, i) && range(&tx, j))),
        19 => {
            let deltas = in_box(x.deltas(b)?);
            let delta = |d: i64| entries().any(|i| at(&tx, i, i + d));
            (deltas, table(|i, j| delta(i) && delta(j)))
        }
        20 => (x.gist(&y, b)?.intersect(&y), table(|i, j| at(&tx, i, j) && at(&ty, i, j))),
        21 => {
            let pieces = x.wrap().make_disjoint(b)?;
            (pieces.unwrap(), tx)
        }
        22 => {
            // The hull has all points of the relation; which others is not said.
            let hull = x.simple_hull(b)?;
            assert!(x.is_subset(&hull, b)?, "{x} is not in its hull {hull}");
            return Ok(());
        }
        _ => {
            let every = |holds: &dyn Fn(i64, i64) -> bool| entries().all(|i| entries().all(|j| holds(i, j)));
            assert_eq!(x.is_empty(b)?, every(&|i, j| !at(&tx, i, j)), "is {x} empty");
            assert_eq!(x.is_equal(&y, b)?, tx == ty, "{x} equal to {y}");
            let subset = every(&|i, j| !at(&tx, i, j) || at(&ty, i, j));
            assert_eq!(x.is_subset(&y, b)?, subset, "{x} in {y}");
            let disjoint = every(&|i, j| !at(&tx, i, j) || !at(&ty, i, j));
            assert_eq!(x.is_disjoint(&y, b)?, disjoint, "{x} disjoint from {y}");
            let single = entries().all(|i| entries().filter(|j| at(&tx, i, *j)).count() <= 1);
            assert_eq!(x.is_single_valued(b)?, single, "is {x} single-valued");
            let sample = x.sample(b)?;
            assert_eq!(sample.is_none(), every(&|i, j| !at(&tx, i, j)), "a sample of {x}");
            return Ok(());
        }
    };
    stack.push(new);
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    let b = Budget::new(BUDGET);
    let mut bytes = Bytes(bytes);
    let mut stack = Vec::new();
    for _ in 0..12 {
        match step(&mut bytes, &mut stack, &b) {
            Ok(()) => {}
            Err(OutOfBudget) => return,
        }
        let Some((map, table)) = stack.last() else { continue };
        for i in -R - 1..=R + 1 {
            for j in -R - 1..=R + 1 {
                let Ok(got) = map.contains(&[], &[Int::from(i)], &[Int::from(j)], &b) else { return };
                assert_eq!(got, at(table, i, j), "({i}, {j}) in {map}");
            }
        }
        if bytes.0.is_empty() || map.pieces().len() > MAX_PIECES {
            return;
        }
    }
});
