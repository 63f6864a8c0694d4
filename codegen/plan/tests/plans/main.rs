//! From programs to plans: what is chosen, what it is expected to cost, and its loops.
#![forbid(unsafe_code)]

mod by_hand;
mod corpus;
mod limits;
mod machines;
mod orders;
mod packing;
mod run_time_checks;
mod splitting;
mod threads;

use expect_test::Expect;
use farkas_plan::target::Target;
use farkas_plan::{Choices, Kept, Plan, budget, check_plan, plan};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::Program;

fn target() -> Target {
    Target::preset("x86-64-v3").expect("a preset")
}

/// The plan of a program.
fn planned(program: &Program) -> Result<Plan, Kept> {
    let b = budget(program, &Choices::default());
    plan(program, &target(), &Choices::default(), &|_, _| {}, &b)
}

/// What is planned for a program: the tree and the loops, or why it stays as it is.
fn check(program: &str, expected: Expect) {
    let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
    check_planned(&program, planned(&program), expected);
}

/// The same of a plan that was made in another way.
fn check_planned(program: &Program, planned: Result<Plan, Kept>, expected: Expect) {
    let text = match planned {
        Ok(plan) => {
            let checked = check_plan(program, &plan, &Budget::unlimited()).expect("no end of budget");
            assert!(checked.is_ok(), "{checked:?}");
            format!(
                "{}, expected to take {:.2} of the time\n{}",
                plan.summary(),
                plan.expected_ratio(),
                plan.ast
            )
        }
        Err(kept) => format!("left as it is: {kept}\n"),
    };
    expected.assert_eq(&text);
}
