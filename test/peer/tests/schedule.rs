//! The scheduler on the constraints of real kernels and on isl's own tests, in both modes: every schedule is legal, and
//! what it offers is set beside isl's.
//!
//! The data are those of `FARKAS_DATA`, by default `../shared/data` beside the repository, if they are there.

use expect_test::{Expect, expect, expect_file};
use farkas_peer::schedule::generated::{self, Shape};
use farkas_peer::schedule::input::{Input, Mode, Settings, inputs};
use farkas_peer::schedule::live_ranges::overlap;
use farkas_peer::schedule::outline::Outline;
use farkas_peer::schedule::quality::{Quality, class, qualities};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::{Verdict, check_tree};
use farkas_polyhedral::schedule::{ScheduleConstraints, schedule};
use std::fmt::Write;

/// The files, or none with a message.
fn data() -> Vec<Input> {
    inputs().expect("files that can be read").unwrap_or_else(|| {
        eprintln!("skipped: no schedule constraints in ../shared/data");
        Vec::new()
    })
}

/// Farkas's schedule of `text`. Panics, naming `at`, if it is not legal: validity, the marks of bands, and live ranges.
fn legal_schedule(at: &str, text: &str, settings: &Settings) -> Outline {
    let constraints: ScheduleConstraints = text.parse().unwrap_or_else(|error| panic!("{at}: {error}"));
    let budget = Budget::new(1_000_000_000);
    let tree = schedule(&constraints, &settings.farkas(), &budget).unwrap_or_else(|error| panic!("{at}: {error}"));
    let verdict = check_tree(&constraints.validity, &constraints.coincidence, &tree, &budget);
    if let Verdict::Violated(violation) = verdict.unwrap_or_else(|error| panic!("{at}: {error}")) {
        panic!("{at}: {violation}\n{tree}");
    }
    let outline = Outline::parse(&tree.to_string()).unwrap_or_else(|error| panic!("{at}: {error}\n{tree}"));
    let overlap = overlap(&constraints, &outline, &budget).unwrap_or_else(|error| panic!("{at}: {error}"));
    if let Some(pairs) = overlap {
        panic!("{at}: live ranges overlap: {pairs}\n{tree}");
    }
    outline
}

fn sum(outline: &Outline) -> Quality {
    qualities(outline)
        .values()
        .fold(Quality::default(), |sum, own| sum + *own)
}

#[test]
fn schedules_are_legal_and_offer_as_much_as_isls() {
    let inputs = data();
    if inputs.is_empty() {
        return;
    }
    let mut table = String::from(
        "Per file, summed over statements: members in permutable bands that may be exchanged with another one, coincident\n\
         members, members of the outermost band, coincident members at its start. Members that are constant on a statement\n\
         do not count. After the bar isl's, where there is a schedule of isl's beside the file. Statements for which\n\
         something is less than isl's follow.\n\n",
    );
    for input in &inputs {
        for mode in Mode::ALL {
            let at = format!("{} {}", input.name, mode.name());
            let ours = legal_schedule(&at, &input.text, &input.settings.with_mode(mode));
            let theirs = input
                .expected(mode)
                .map(|text| Outline::parse(&text).expect("a tree of isl's"));
            let peer = theirs
                .as_ref()
                .map_or("-".to_string(), |theirs| sum(theirs).to_string());
            writeln!(table, "{at}: {} | {peer}", sum(&ours)).unwrap();
            let theirs = theirs.map(|theirs| qualities(&theirs)).unwrap_or_default();
            for (tuple, own) in qualities(&ours) {
                if let Some(peer) = theirs.get(&tuple).filter(|peer| own.is_below(peer)) {
                    writeln!(table, "  {tuple}: {own} | {peer}").unwrap();
                }
            }
        }
    }
    expect_file!["../data/schedules.txt"].assert_eq(&table);
}

/// Whether the live ranges of `S` and `T`, which is tagged `read`, overlap in a tree with this below the domain, where the
/// conditioned pairs start at `T` with the tag `used`.
fn overlaps(read: &str, used: &str, below: &str) -> bool {
    let domain = "{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }";
    let constraints = format!(
        "domain: \"{domain}\"\nvalidity: \"{{ S[i] -> T[i] }}\"\n\
         condition: \"{{ [S[i] -> write[]] -> [T[i] -> {read}[]] }}\"\n\
         conditional_validity: \"{{ [T[i] -> {used}[]] -> [S[j] -> {used}[]] : i < j }}\"\n"
    );
    let constraints: ScheduleConstraints = constraints.parse().expect("constraints");
    let outline = Outline::parse(&format!("domain: \"{domain}\"\nchild:\n{below}")).expect("a tree");
    let pairs = overlap(&constraints, &outline, &Budget::new(1_000_000)).expect("within the budget");
    pairs.is_some()
}

#[test]
fn live_ranges_that_overlap_are_found() {
    let sequence = "sequence:\n    - filter: \"{ S[i] }\"\n    - filter: \"{ T[i] }\"\n";
    let band = |sign: &str| {
        let schedule = format!("[{{ S[i] -> [({sign}i)]; T[i] -> [({sign}i)] }}]");
        format!("  schedule: \"{schedule}\"\n  child:\n    {sequence}")
    };
    assert!(!overlaps("read", "read", &band("")));
    // Exchanged as wholes.
    assert!(!overlaps("read", "read", &band("-")));
    // All ranges start before the first one ends.
    assert!(overlaps("read", "read", &format!("  {sequence}")));
    // The same without a range that the conditioned pairs meet.
    assert!(!overlaps("read", "other", &format!("  {sequence}")));
}

#[test]
fn generated_constraints() {
    for shape in Shape::ALL {
        let text = generated::constraints(shape, 12);
        legal_schedule(&shape.to_string(), &text, &Settings::default());
    }
}

/// What isl's test `name` and Farkas's schedule of it have in common, or what each of them is.
fn beside_isl(name: &str, expected: Expect) {
    let Some(input) = data().into_iter().find(|input| input.is_isl_test && input.name == name) else {
        return;
    };
    let ours = class(&legal_schedule(name, &input.text, &input.settings));
    let theirs = input.expected(Mode::Default).expect("isl's schedule");
    let theirs = class(&Outline::parse(&theirs).expect("a tree of isl's"));
    let text = if ours == theirs {
        format!("equivalent\n{ours}")
    } else {
        format!("isl\n{theirs}Farkas\n{ours}")
    };
    expected.assert_eq(&text);
}

#[test]
fn bounded_coefficients() {
    beside_isl(
        "bounded_coefficients",
        expect![[r#"
        equivalent
        S_2: [i*, j*]
        S_4: [-k*, i*, j*]
        S_6: [i*, j*]
        fused: S_2 S_4 S_6
    "#]],
    );
}

#[test]
fn carry_bounded_coefficients() {
    beside_isl(
        "carry_bounded_coefficients",
        expect![[r#"
        equivalent
        C: [i] [j]
    "#]],
    );
}

#[test]
fn flat1() {
    beside_isl(
        "flat1",
        expect![[r#"
        equivalent
        S: [i*]
    "#]],
    );
}

#[test]
fn flat2() {
    beside_isl(
        "flat2",
        expect![[r#"
        equivalent
        S: [i*]
    "#]],
    );
}

#[test]
fn fork1() {
    beside_isl(
        "fork1",
        expect![[r#"
        equivalent
        A:
        B:
        C:
    "#]],
    );
}

#[test]
fn leyin2a() {
    beside_isl(
        "leyin2a",
        expect![[r#"
        equivalent
        A:
        B: [i*]
        C:
        fused: A B C
    "#]],
    );
}

#[test]
fn leyin2b() {
    beside_isl(
        "leyin2b",
        expect![[r#"
        equivalent
        A:
        B: [i*]
        C:
        fused: A B C
    "#]],
    );
}

#[test]
fn max_coincidence() {
    beside_isl(
        "max_coincidence",
        expect![[r#"
        equivalent
        A: [i*, j*, k]
        B: [i*, j*, k]
    "#]],
    );
}

#[test]
fn nomax_coincidence() {
    beside_isl(
        "nomax_coincidence",
        expect![[r#"
            equivalent
            A: [i*, j, k]
            B: [i*, j, k]
            fused: A B
        "#]],
    );
}
