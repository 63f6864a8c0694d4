//! Every command on damaged inputs: it prints a result, or one line on what is wrong.
//!
//! Inputs are mutants of valid files, from a seeded generator, and texts of extreme shapes. A command may spend two seconds of CPU time
//! and one gigabyte of memory on each. `FARKAS_MUTANTS=N` runs `N` mutants for each way to call a command, `FARKAS_SEED=S` starts at
//! seed `S`. What fails is kept in a file, which the message names.
#![forbid(unsafe_code)]

mod inputs;
mod mutation;
mod runs;

use inputs::Input;
use runs::{Call, Runs};

/// Mutants for each way to call a command, unless `FARKAS_MUTANTS` says otherwise: a test takes some seconds.
const MUTANTS: u64 = 60;

/// One in so many of the texts of extreme shapes is taken, unless `FARKAS_MUTANTS` is given.
const STRIDE: usize = 4;

/// The first seed, unless `FARKAS_SEED` says otherwise.
const SEED: u64 = 1;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}: a number, not `{text}`")),
    )
}

/// Runs each of the calls on mutants of the inputs, and the first of them on the texts of extreme shapes.
fn check(name: &str, calls: &[Call], inputs: &[Input], shapes: &[(String, Vec<u8>)]) {
    let runs = Runs::new(name);
    let first = number("FARKAS_SEED").unwrap_or(SEED);
    let wanted = number("FARKAS_MUTANTS");
    let seeds = first..first + wanted.unwrap_or(MUTANTS);
    let mut failures = Vec::new();
    // All of them take minutes.
    let stride = if wanted.is_some() { 1 } else { STRIDE };
    for (shape, text) in shapes.iter().step_by(stride) {
        failures.extend(runs.check(&calls[0], shape, text));
    }
    for call in calls {
        for input in inputs {
            failures.extend(runs.check(call, "the input as it is", input.text.as_bytes()));
        }
        for seed in seeds.clone() {
            let input = &inputs[seed as usize % inputs.len()];
            let mutant = mutation::mutant(&input.text, seed);
            failures.extend(runs.check(call, &format!("{}, seed {seed}", input.name), &mutant));
        }
        if wanted.is_some() {
            println!("{call}: seeds {} to {}", seeds.start, seeds.end - 1);
        }
    }
    runs.close(&failures);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn calc() {
    check(
        "calc",
        &[Call::of(&["calc"])],
        &inputs::statements(),
        &inputs::statement_shapes(),
    );
}

#[test]
fn schedule() {
    let calls = [
        Call::of(&["schedule"]),
        Call::of(&["schedule", "--schedule-algorithm=feautrier"]),
        Call::of(&["schedule", "--schedule-outer-coincidence", "--schedule-fusion=max"]),
        Call::of(&[
            "schedule",
            "--schedule-index-set-splitting",
            "--schedule-concurrent-start",
        ]),
    ];
    check(
        "schedule",
        &calls,
        &inputs::constraints(),
        &inputs::yaml_shapes(inputs::constraints_on),
    );
}

#[test]
fn flow() {
    check(
        "flow",
        &[Call::of(&["flow"])],
        &inputs::accesses(),
        &inputs::yaml_shapes(inputs::accesses_under),
    );
}

#[test]
fn trees() {
    let calls = [
        Call::of(&["tree"]),
        Call::of(&["tree", "--simplify"]),
        Call::of(&["tree", "--schedule-map"]),
        Call::of(&["codegen"]),
        Call::of(&["codegen", "--separate"]),
        Call::of(&["codegen", "--atomic", "--no-ast-build-allow-or"]),
    ];
    check("trees", &calls, &inputs::trees(), &inputs::yaml_shapes(inputs::tree_of));
}

#[test]
fn remarks() {
    let calls = [Call::of(&["remarks", "--sarif"]), Call::of(&["remarks"])];
    check(
        "remarks",
        &calls,
        &inputs::remarks(),
        &inputs::yaml_shapes(inputs::remark_of),
    );
}

#[test]
fn flat_schedules() {
    let calls = [
        Call::of(&["codegen"]),
        Call::of(&["codegen", "--separate", "--ast-build-separation-bounds=implicit"]),
    ];
    check(
        "flat",
        &calls,
        &inputs::flat_schedules(),
        &inputs::yaml_shapes(inputs::relation_on),
    );
}

/// Either file of `check` may be the damaged one.
#[test]
fn legality() {
    let constraints = inputs::constraints();
    let trees = inputs::trees();
    let calls = [Call::of(&["check"]).with("order.st", &trees[0].text)];
    check(
        "check-constraints",
        &calls,
        &constraints,
        &inputs::yaml_shapes(inputs::constraints_on),
    );
    let calls = [Call::of(&["check"]).behind("constraints.sc", &constraints[0].text)];
    let shapes = inputs::yaml_shapes(inputs::tree_of);
    check("check-tree", &calls, &trees, &shapes);
}

#[test]
fn target() {
    let program = &inputs::small_programs()[0].text;
    let calls = [
        Call::of(&["target"]),
        Call::of(&["plan"])
            .behind("model.scop", program)
            .behind_option("--target"),
    ];
    check("target", &calls, &inputs::targets(), &inputs::toml_shapes());
}

#[test]
fn programs() {
    check(
        "program",
        &[Call::of(&["program"])],
        &inputs::programs(),
        &inputs::program_shapes(),
    );
}

#[test]
fn plans() {
    let calls = [
        Call::of(&["plan"]),
        Call::of(&["plan", "--candidates", "--deps", "--ast"]),
        Call::of(&[
            "plan",
            "--unprofitable",
            "--pack=force",
            "--vectorize=force",
            "--parallel=force",
        ]),
        Call::of(&["plan", "--kernels"]),
        Call::of(&["plan", "--original"]),
        Call::of(&["plan", "--apply", "tile 32 32; interchange 0 1; vector 8; parallel"]),
        Call::of(&["report"]),
    ];
    check("plan", &calls, &inputs::small_programs(), &inputs::program_shapes());
}

#[test]
fn schedules_by_hand() {
    let model = &inputs::small_programs()[0];
    let order = runs::original_order(&model.text);
    let trees = [Input {
        name: "the original order".into(),
        text: order,
    }];
    let calls = [Call::of(&["plan"])
        .behind("model.scop", &model.text)
        .behind_option("--schedule")];
    check("by-hand", &calls, &trees, &inputs::yaml_shapes(inputs::tree_of));
}
