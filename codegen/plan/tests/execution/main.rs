//! Executes the loops of plans: every program of `test/plans` is planned, and the loops of its plan are executed for small values of
//! the parameters. They have to execute the instances of the original program, each once, and every instance has to read what it
//! reads in the original order. In the end all arrays hold what they hold there.
//!
//! Constant sizes become parameters that are known to be at most as large: `0 <= i <= 1023` becomes `0 <= i <= size0` with
//! `0 <= size0 <= 1023`. Tiles have 8 iterations, so that there are full ones. Plans that pay for some sizes only are executed for the
//! least ones.
#![forbid(unsafe_code)]

mod buffers;
mod machine;
mod sizes;

use expect_test::{Expect, expect};
use farkas_plan::target::Target;
use farkas_plan::{Choices, ChosenTiles, Kept, Pack, Plan, budget, plan};
use farkas_polyhedral::ast::{Instance, interpret};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Expansion, LastValues, NodeSplitting, Program, text};
use farkas_polyhedral::sets::Aff;
use std::collections::BTreeSet;
use std::fmt::{Display, Formatter};
use std::path::Path;

/// The values that are tried for all parameters at once, as far as the assumptions allow them.
const VALUES: [i64; 3] = [1, 5, 13];

/// Programs with more instances are not executed.
const INSTANCES: usize = 20_000;

/// What was executed.
#[derive(Default)]
struct Summary {
    plans: usize,
    left_alone: usize,
    executions: usize,
    instances: usize,
    transforms: BTreeSet<String>,
    not_executed: Vec<String>,
}

impl Summary {
    /// Plans a program, and executes its loops for small values of the parameters.
    fn add(&mut self, name: &str, program: &Program, choices: &Choices) {
        let target = Target::preset("x86-64-v3").expect("a preset");
        let plan = match plan(program, &target, choices, &|_, _| {}, &budget(program, choices)) {
            Ok(plan) => plan,
            Err(Kept::NoGain(_)) => return self.left_alone += 1,
            Err(kept) => return self.not_executed.push(format!("{name}: {kept}")),
        };
        let before = self.executions;
        let corners = plan.sizes.corners(&plan.assumptions);
        let tried = corners.iter().flat_map(|sizes| VALUES.map(|value| (sizes, value)));
        for (sizes, value) in tried {
            let Some(params) = sizes::params_near(program, sizes, value) else {
                continue;
            };
            let Some(original) = machine::original_order(program, &params, INSTANCES) else {
                continue;
            };
            self.executions += 1;
            self.instances += original.len();
            compare(program, &plan, &params, &original);
        }
        if self.executions == before {
            return self
                .not_executed
                .push(format!("{name}: no sizes that are small enough"));
        }
        self.plans += 1;
        self.transforms.extend(
            plan.transforms
                .iter()
                .map(|transform| without_sizes(&transform.to_string())),
        );
    }
}

/// The text with `N` for each digit but those that follow another one.
fn without_sizes(text: &str) -> String {
    let mut after_digit = false;
    let letters = text.chars().filter_map(|c| {
        let follows = std::mem::replace(&mut after_digit, c.is_ascii_digit());
        match c.is_ascii_digit() {
            true => (!follows).then_some('N'),
            false => Some(c),
        }
    });
    letters.collect()
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} plans, executed {} times: {} instances; {} programs left alone",
            self.plans, self.executions, self.instances, self.left_alone
        )?;
        writeln!(f, "with:")?;
        self.transforms
            .iter()
            .try_for_each(|transform| writeln!(f, "  {transform}"))?;
        writeln!(f, "not executed:")?;
        self.not_executed
            .iter()
            .try_for_each(|reason| writeln!(f, "  {reason}"))
    }
}

/// Where the value is that an element of an array is left with, if it is in one of the array's copies.
fn place_in_copies(
    expansion: &Expansion,
    last: &LastValues,
    element: &[Int],
    params: &sizes::Values,
) -> Option<Vec<Int>> {
    let value = |aff: &Aff| {
        let values: Vec<Int> = aff
            .space()
            .params
            .names()
            .iter()
            .map(|name| params[name.as_str()].clone())
            .collect();
        aff.eval(&values, &[]).expect("an integer")
    };
    let is_within = element[0] >= value(&last.first) && element[0] < value(&last.end);
    let sizes = expansion.sizes.iter().map(|size| Int::from(*size));
    let copy = last
        .copy
        .iter()
        .zip(sizes)
        .map(|(copy, size)| value(copy).mod_floor(&size));
    is_within.then(|| copy.chain(element.iter().cloned()).collect())
}

/// Executes the loops of a plan, and compares with the original order.
fn compare(program: &Program, plan: &Plan, params: &sizes::Values, original: &[Instance]) {
    let values: Vec<_> = plan
        .ast
        .params
        .names()
        .iter()
        .map(|name| params[name.as_str()].clone())
        .collect();
    let execution =
        interpret(&plan.ast, &values, 50 * INSTANCES).unwrap_or_else(|broken| panic!("{broken}\n{}", plan.ast));
    assert!(execution.ended, "too many iterations for {params:?} in\n{}", plan.ast);
    if let Some(split) = &plan.node_splitting {
        return compare_in_pieces((program, split), plan, params, (original, &execution.instances));
    }
    let instances = buffers::without_copies(program, plan, params, &execution.instances);
    let sorted = |instances: &[Instance]| {
        let mut sorted = instances.to_vec();
        sorted.sort();
        sorted
    };
    assert!(
        sorted(&instances) == sorted(original),
        "other instances for {params:?} in\n{}",
        plan.ast
    );
    let executed = program.with_expansions(&plan.expansions);
    let machine = machine::Machine::new(&executed, params, original);
    if !plan.expansions.is_empty() {
        let slots = machine::Machine::new(program, params, original);
        assert!(
            slots.execute(original).reads_as(&machine.execute(original)),
            "expanded slots have other values for {params:?} in\n{program}"
        );
    }
    let (expected, found) = (machine.execute(original), machine.execute(&instances));
    for expansion in &plan.expansions {
        let array = expansion.of.name().expect("an array has a name");
        let last = expansion.copies.as_ref().and_then(|copies| copies.last.as_ref());
        let whole = machine::Machine::new(program, params, original);
        let left = whole.execute(original);
        for (element, value) in whole.left_in(&left, array) {
            // What is not copied from a copy stays as it was.
            let is_right = match last.and_then(|last| place_in_copies(expansion, last, element, params)) {
                Some(place) => machine
                    .left_in(&found, array)
                    .any(|(own, copied)| *own == place && copied == value),
                None => last.is_none() || value.is_none(),
            };
            assert!(
                is_right,
                "{array}{element:?} is left with another value for {params:?} in\n{program}"
            );
        }
    }
    if let Some(difference) = machine.difference(&expected, &found) {
        panic!("{difference} for {params:?} in\n{program}\n{}\n{}", plan.tree, plan.ast);
    }
}

/// The same of loops over pieces of statements, which read copies.
fn compare_in_pieces(
    (program, split): (&Program, &NodeSplitting),
    plan: &Plan,
    params: &sizes::Values,
    (original, executed): (&[Instance], &[Instance]),
) {
    let is_copy = |instance: &&Instance| {
        let mut copies = split.copies.iter();
        copies.any(|copy| copy.copy.name().is_some_and(|name| name.as_str() == instance.statement))
    };
    let own = executed.iter().filter(|instance| !is_copy(instance));
    let mut instances: Vec<Instance> = own.map(|instance| machine::whole(Some(split), instance).0).collect();
    instances.sort();
    let mut expected = original.to_vec();
    expected.sort();
    assert!(instances == expected, "other instances for {params:?} in\n{}", plan.ast);
    let machine = machine::Machine::new(program, params, original);
    let (expected, found) = (
        machine.execute(original),
        machine.execute_in_pieces(Some(split), executed),
    );
    if let Some(difference) = machine.difference(&expected, &found) {
        panic!("{difference} for {params:?} in\n{program}\n{}\n{}", plan.tree, plan.ast);
    }
}

/// Executes the plans of all programs of the corpus: those that the model chooses, or those that are chosen otherwise.
fn check(choices: Choices, expected: Expect) {
    let choices = Choices {
        tile_sizes: Some(ChosenTiles::uniform(8)),
        ..choices
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/plans");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "scop"))
        .collect();
    files.sort();
    let mut summary = Summary::default();
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a file of the corpus");
        let programs = text::programs(&sizes::as_parameters(&text)).unwrap_or_else(|error| panic!("{name}:{error}"));
        for (index, program) in programs.iter().enumerate() {
            summary.add(
                &format!("{name} {}", index + 1),
                &sizes::with_bounds(program, &text),
                &choices,
            );
        }
    }
    expected.assert_eq(&summary.to_string());
}

/// The first difference between a program and its instances from the last one to the first, if there is one.
fn check_reversed(accesses: &str, expected: Expect) {
    let program = format!(
        "program
  context: {{ : }}
  assumptions: {{ : }}
  array a: memory, 8 bytes, []
  array t: temporary, 8 bytes, []
  statement S
    domain: {{ S[i] : 0 <= i < 4 }}
    schedule: {{ S[i] -> [i] }}
{accesses}"
    );
    let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
    let params = sizes::Values::new();
    let order = machine::original_order(&program, &params, INSTANCES).expect("few instances");
    let reversed: Vec<Instance> = order.iter().rev().cloned().collect();
    let machine = machine::Machine::new(&program, &params, &order);
    let difference = machine.difference(&machine.execute(&order), &machine.execute(&reversed));
    expected.assert_eq(&difference.unwrap_or_else(|| "none".to_owned()));
}

#[test]
fn other_values_are_found() {
    let access = |kind: &str, element: &str| format!("    {kind}: {{ S[i] -> {element} }}\n");
    let accesses =
        |kinds: &[(&str, &str)]| -> String { kinds.iter().map(|(kind, element)| access(kind, element)).collect() };
    let recurrence = accesses(&[("read", "a[i - 1]"), ("write", "a[i]")]);
    check_reversed(&recurrence, expect!["S[1] reads other values"]);
    let last = accesses(&[("write", "a[0]")]);
    check_reversed(&last, expect!["a[0] is left with another value"]);
    let copy = accesses(&[("read", "t[i]"), ("write", "a[i]")]);
    check_reversed(&copy, expect!["none"]);
    let temporary = accesses(&[("write", "t[0]")]);
    check_reversed(&temporary, expect!["none"]);
    let sum = accesses(&[
        ("read, reduction sum i64", "a[0]"),
        ("read", "a[i + 1]"),
        ("write, reduction sum i64", "a[0]"),
    ]);
    check_reversed(&sum, expect!["none"]);
    let may_write = accesses(&[("may write", "a[0]")]);
    check_reversed(&may_write, expect!["a[0] is left with another value"]);
    let somewhere = accesses(&[("read", "a[x]"), ("write", "t[i]"), ("may write", "a[i]")]);
    check_reversed(&somewhere, expect!["S[0] reads other values"]);
}

#[test]
fn loops_of_chosen_plans_do_what_their_programs_do() {
    check(
        Choices {
            unprofitable: true,
            ..Choices::default()
        },
        expect![[r#"
            357 plans, executed 1052 times: 404875 instances; 0 programs left alone
            with:
              N vector lanes
              N vector lanes, transposed N iterations at a time
              distributed loops
              expanded arrays, N copies
              expanded scalars
              fused in tiles of N
              fused in tiles of N x N
              hoisted loads
              interchanged loops
              loops along consecutive elements
              sank parallel loops
              separated tiles of SN
              split borders
              split index sets
              split nodes, panels of N
              square roots without branches
              tiled N x N
              tiled N x N x N
              tiled N x N x N x N x N
              tiled N x N x N x N x all
              tiled N x N x N x all
              tiled N x N x all
              tiled N x all
              tiled N x all x N x all
              tiled N x all x all x N
              tiled all x N
              tiled all x all x N
              unrolled and jammed N
              unrolled and jammed N x N
              wavefronts
              wavefronts of N iterations
            not executed:
              many-assumptions 1: what has to be assumed never holds where something is executed
              red_black 1: the analysis is too costly
              stencil27 1: the analysis is too costly
        "#]],
    );
}

/// Every other candidate is tiled.
#[test]
fn loops_of_other_plans_do_what_their_programs_do() {
    check(
        Choices {
            unprofitable: true,
            candidate: Some(3),
            ..Choices::default()
        },
        expect![[r#"
            352 plans, executed 1037 times: 403907 instances; 0 programs left alone
            with:
              N vector lanes
              N vector lanes, transposed N iterations at a time
              distributed loops
              expanded arrays, N copies
              expanded scalars
              fused in tiles of N
              hoisted loads
              interchanged loops
              loops along consecutive elements
              sank parallel loops
              split borders
              split index sets
              square roots without branches
              tiled N x N
              tiled N x N x N
              tiled N x N x N x N
              tiled N x N x N x N x N
              unrolled and jammed N
              unrolled and jammed N x N
              wavefronts
              wavefronts of N iterations
            not executed:
              array-members 2: the new order could not be shown to be legal
              costs 11: the new order could not be shown to be legal
              linearised 4: the new order could not be shown to be legal
              many-assumptions 1: what has to be assumed never holds where something is executed
              red_black 1: the analysis is too costly
              rotating-buffers 5: the new order could not be shown to be legal
              rotating-buffers 6: the new order could not be shown to be legal
              stencil27 1: the analysis is too costly
        "#]],
    );
}

/// Arrays are read in buffers wherever they may be.
#[test]
fn loops_with_packed_tiles_do_what_their_programs_do() {
    check(
        Choices {
            unprofitable: true,
            pack: Pack::Force,
            ..Choices::default()
        },
        expect![[r#"
            357 plans, executed 1052 times: 404875 instances; 0 programs left alone
            with:
              N vector lanes
              N vector lanes, transposed N iterations at a time
              distributed loops
              expanded arrays, N copies
              expanded scalars
              fused in tiles of N
              fused in tiles of N x N
              hoisted loads
              interchanged loops
              loops along consecutive elements
              packed A
              packed AN
              packed B
              packed C
              packed D
              packed W
              packed a
              packed b
              packed bytes
              packed c
              packed h
              packed in
              packed index
              packed k
              packed offsets
              packed p
              packed r
              packed uN
              packed variable
              packed x
              packed y
              packed ya
              packed yb
              sank parallel loops
              separated tiles of SN
              split borders
              split index sets
              split nodes, panels of N
              square roots without branches
              tiled N x N
              tiled N x N x N
              tiled N x N x N x N
              tiled N x N x N x N x N
              tiled N x N x N x N x all
              tiled N x N x N x all
              tiled N x N x all
              tiled N x all
              tiled N x all x N x all
              tiled N x all x all x N
              tiled all x N
              tiled all x all x N
              unrolled and jammed N
              unrolled and jammed N x N
              wavefronts
              wavefronts of N iterations
            not executed:
              many-assumptions 1: what has to be assumed never holds where something is executed
              red_black 1: the analysis is too costly
              stencil27 1: the analysis is too costly
        "#]],
    );
}

/// The last candidates are those with tiles of a statement's own, and diamonds.
#[test]
fn loops_of_last_candidates_do_what_their_programs_do() {
    check(
        Choices {
            unprofitable: true,
            candidate: Some(usize::MAX),
            ..Choices::default()
        },
        expect![[r#"
            355 plans, executed 1046 times: 395321 instances; 0 programs left alone
            with:
              N vector lanes
              N vector lanes, transposed N iterations at a time
              diamond tiles of N x N
              diamond tiles of N x N x N
              diamond tiles of N x N x N x N
              distributed loops
              expanded arrays, N copies
              expanded scalars
              fused in tiles of N
              hoisted loads
              interchanged loops
              loops along consecutive elements
              sank parallel loops
              separated tiles of SN
              split borders
              split index sets
              square roots without branches
              tiled N x N
              tiled N x N x N
              tiled N x N x N x N
              tiled N x N x N x N x N
              tiled N x N x N x all x N
              tiled N x N x all x N
              tiled N x all x N
              tiled all x N
              unrolled and jammed N
              unrolled and jammed N x N
              wavefronts of N iterations
            not executed:
              costs 1: the new order could not be shown to be legal
              many-assumptions 1: what has to be assumed never holds where something is executed
              red_black 1: the analysis is too costly
              seidel2d 1: the analysis is too costly
              stencil27 1: the analysis is too costly
        "#]],
    );
}

/// Loops need not be right for sizes for which a plan does not pay.
#[test]
fn loops_for_sizes_do_what_their_programs_do() {
    check(
        Choices::default(),
        expect![[r#"
            143 plans, executed 534 times: 1099991 instances; 171 programs left alone
            with:
              N vector lanes
              N vector lanes, transposed N iterations at a time
              distributed loops
              expanded arrays, N copies
              expanded scalars
              fused in tiles of N
              fused in tiles of N x N
              interchanged loops
              loops along consecutive elements
              sank parallel loops
              split borders
              split index sets
              square roots without branches
              tiled N x N
              tiled N x N x N x N x all
              tiled N x N x N x all
              tiled N x N x all
              tiled N x N x all x N
              tiled N x all
              tiled N x all x N x all
              tiled N x all x all x N
              tiled all x N
              unrolled and jammed N
              unrolled and jammed N x N
              wavefronts
              wavefronts of N iterations
            not executed:
              adi 1: no sizes that are small enough
              apsp 1: no sizes that are small enough
              cholesky 1: no sizes that are small enough
              cholesky_columns 1: no sizes that are small enough
              costs 8: no sizes that are small enough
              costs 10: no sizes that are small enough
              costs 11: no sizes that are small enough
              delicm 6: no sizes that are small enough
              delicm 9: no sizes that are small enough
              elimination 1: no sizes that are small enough
              fdtd2d 1: no sizes that are small enough
              fir_int16 1: no sizes that are small enough
              heat3d 1: no sizes that are small enough
              invariant-divisions 1: no sizes that are small enough
              invariant-loads 2: no sizes that are small enough
              invariant-loads 6: no sizes that are small enough
              jacobi2d 1: no sizes that are small enough
              kronecker 1: no sizes that are small enough
              lanes 2: no sizes that are small enough
              lanes 7: no sizes that are small enough
              lanes 8: no sizes that are small enough
              ldlt 1: no sizes that are small enough
              linearised 1: no sizes that are small enough
              linearised 3: no sizes that are small enough
              linearised 4: no sizes that are small enough
              lu 1: no sizes that are small enough
              lu_rows 1: no sizes that are small enough
              ludcmp 1: no sizes that are small enough
              many-assumptions 1: what has to be assumed never holds where something is executed
              math-errno 2: no sizes that are small enough
              merged-stores 1: no sizes that are small enough
              merged-stores 3: no sizes that are small enough
              neighbours 1: no sizes that are small enough
              nussinov 1: no sizes that are small enough
              obstacles 1: no sizes that are small enough
              predecessors 1: no sizes that are small enough
              red_black 1: the analysis is too costly
              scalar-coalescing 2: no sizes that are small enough
              scalar-expansion 1: no sizes that are small enough
              scaled_rows 1: no sizes that are small enough
              sobel 1: no sizes that are small enough
              stencil27 1: the analysis is too costly
              tensor_contraction 1: no sizes that are small enough
              triangular_inverse 1: no sizes that are small enough
              trisolv 1: no sizes that are small enough
              windows 4: no sizes that are small enough
        "#]],
    );
}
