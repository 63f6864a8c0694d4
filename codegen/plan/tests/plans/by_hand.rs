//! Orders by hand: the original one of every program of the corpus is taken.

use expect_test::expect;

use farkas_plan::{Kept, NotTaken, budget_by_hand, original_tree, plan_by_hand};

use super::corpus::all_programs;
use super::target;

#[test]
fn original_orders_are_taken() {
    let (mut taken, mut others) = (0, Vec::new());
    for (place, program) in all_programs() {
        let b = budget_by_hand();
        let tree = original_tree(&program);
        match plan_by_hand(&program, &tree, &target(), &|_, _| {}, &b) {
            Ok(_) => taken += 1,
            Err(NotTaken::Kept(kept @ (Kept::OutOfBudget | Kept::NeverHolds))) => {
                others.push(format!("{place}: {kept}"));
            }
            Err(other) => panic!("{place}: {other}\n{tree}"),
        }
    }
    assert!(taken > 200, "{taken} taken");
    expect![[r#"
        many-assumptions 1: what has to be assumed never holds where something is executed
        window-slots 2: the analysis is too costly"#]]
    .assert_eq(&others.join("\n"));
}
