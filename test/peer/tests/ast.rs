//! The AST generator on isl's own tests, with the options of the files and with others: what is executed is exactly what the
//! schedule says, in its order, by the text of Farkas's code, by its interpreter, and by the text of isl's code.
//!
//! `FARKAS_INPUT=NAME` is for one
//! file. The data are those of `FARKAS_DATA`, by default `../shared/data` beside the repository, if they are there.

use farkas_peer::ast::input::{Input, Mode, inputs};
use farkas_peer::ast::oracle::{check_ast, check_text};
use farkas_peer::ast::order::{OrderError, order};
use farkas_peer::isl::Isl;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::tree::LoopKind;
use std::time::Duration;

/// Assignments of parameters per input.
const ASSIGNMENTS: usize = 6;
/// Candidates for instances of an input.
const INSTANCES: u64 = 300_000;
/// Steps of a text that is executed.
const STEPS: u64 = 20_000_000;
const BUDGET: u64 = 50_000_000;
/// Elementary steps of isl.
const LIMIT: u64 = 5_000_000;

/// What the inputs came to.
#[derive(Default)]
struct Report {
    inputs: usize,
    /// Orders that were compared: ours and isl's.
    ours: usize,
    theirs: usize,
    instances: usize,
    /// What Farkas does not know yet, and where its code goes through far more values than there are instances.
    /// What neither can unroll.
    not_unrolled: usize,
    failures: Vec<String>,
}

impl Report {
    fn input(&mut self, input: &Input, mode: Mode, isl: Option<&Isl>) {
        self.inputs += 1;
        let mut orders = Vec::new();
        for values in input.assignments(ASSIGNMENTS) {
            match order(&input.schedule, &values, INSTANCES) {
                Ok(order) => orders.push((values, order)),
                Err(OrderError::OutsideContext) => {}
                Err(error) => self.fail(input, mode, &format!("{values:?}: {error}")),
            }
        }
        if orders.is_empty() {
            self.fail(input, mode, "no values of the parameters");
        }
        let mut isl_unrolls = false;
        // isl makes billions of copies of this, whatever limit it has.
        let is_endless = mode == Mode::All(LoopKind::Unroll) && input.name == "correlation.st";
        if let Some(isl) = isl.filter(|_| !is_endless) {
            isl.limit(LIMIT);
            // What is unrolled thousands of times takes longer, and is left out.
            let patience = if mode == Mode::All(LoopKind::Unroll) { 1 } else { 60 };
            match input.generate_isl(isl, Duration::from_secs(patience)) {
                Ok(generated) => {
                    isl_unrolls = true;
                    self.theirs += orders.len();
                    if let Err(error) = check_text(&generated.text, &orders, STEPS) {
                        self.fail(input, mode, &format!("isl's code: {error}"));
                    }
                }
                Err(_) if mode == Mode::All(LoopKind::Unroll) => {}
                Err(error) => self.fail(input, mode, &format!("isl: {error}")),
            }
        }
        match input.generate(&Budget::new(BUDGET)) {
            Ok(ast) => {
                self.ours += orders.len();
                self.instances += orders.iter().map(|(_, order)| order.len()).sum::<usize>();
                match check_ast(&ast, &orders, STEPS) {
                    Ok(()) => {}
                    Err(error) => self.fail(input, mode, &format!("Farkas's code: {error}")),
                }
            }
            Err(_) if mode == Mode::All(LoopKind::Unroll) && !isl_unrolls => self.not_unrolled += 1,
            Err(error) => self.fail(input, mode, &format!("Farkas: {error}")),
        }
    }

    fn fail(&mut self, input: &Input, mode: Mode, what: &str) {
        self.failures.push(format!("{} {}: {what}", input.name, mode.name()));
    }
}

fn check(mode: Mode) {
    let Some(inputs) = inputs().expect("files that can be read") else {
        eprintln!("skipped: no tests of isl's code generator in ../shared/data");
        return;
    };
    let isl = Isl::system().ok();
    if isl.is_none() {
        eprintln!("without isl's code: no libisl");
    }
    let mut report = Report::default();
    let only = std::env::var("FARKAS_INPUT").ok();
    for input in inputs {
        if only.as_ref().is_some_and(|only| !input.name.contains(only)) {
            continue;
        }
        report.input(&input.small().with_mode(mode), mode, isl.as_ref());
    }
    println!(
        "{}: {} inputs; orders compared: {} of Farkas's code ({} instances), {} of isl's; not unrolled: {}",
        mode.name(),
        report.inputs,
        report.ours,
        report.instances,
        report.theirs,
        report.not_unrolled,
    );
    assert!(report.failures.is_empty(), "{}", report.failures.join("\n"));
}

#[test]
fn with_the_options_of_the_files() {
    check(Mode::AsGiven);
}

#[test]
fn without_options() {
    check(Mode::All(LoopKind::Default));
}

#[test]
fn separated() {
    check(Mode::All(LoopKind::Separate));
}

#[test]
fn atomic() {
    check(Mode::All(LoopKind::Atomic));
}

#[test]
fn unrolled() {
    check(Mode::All(LoopKind::Unroll));
}
