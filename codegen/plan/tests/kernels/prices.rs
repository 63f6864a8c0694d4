//! When kernels pay.

use expect_test::{Expect, expect};
use farkas_plan::target::{Features, Gpu, Target};
use farkas_plan::{Choices, Offload, plan_kernels};
use farkas_polyhedral::budget::Budget;

use super::{COPY, PRODUCT, ROWS, STENCIL, program};

/// What becomes of a program where kernels of an H100 have to gain, beside one core of a Zen 5.
fn check_price(text: &str, expected: Expect) {
    let gpu = Gpu::preset("h100").expect("a preset");
    let offload = Offload::WherePays {
        target: &Target::preset("zen5").expect("a preset"),
        choices: &Choices::default(),
        gpu: &gpu,
    };
    let outcome = match plan_kernels(
        &program(text),
        offload,
        Features::default(),
        &|_, _| {},
        &Budget::unlimited(),
    ) {
        Ok(plan) => plan.sizes.to_string(),
        Err(kept) => kept.to_string(),
    };
    expected.assert_eq(&outcome);
}

#[test]
fn kernels_pay_where_copies_are_little_beside_the_work() {
    check_price(PRODUCT, expect!["n >= 256"]);
    check_price(STENCIL, expect!["no gain expected with copies to a device and back"]);
}

#[test]
fn kernels_do_not_pay_where_copies_are_all_that_there_is() {
    check_price(ROWS, expect!["no gain expected with copies to a device and back"]);
    check_price(
        COPY,
        expect!["a statement is in no loop whose iterations may run at the same time on a device"],
    );
    check_price(
        &PRODUCT.replace("< n", "< 40"),
        expect!["no gain expected with copies to a device and back"],
    );
}
