//! Random schedule trees: what is executed is exactly what the tree says, in its order.
//!
//! `FARKAS_TREES` is how many, `FARKAS_SEED` which.

use farkas_peer::ast::input::Input;
use farkas_peer::ast::oracle::{Wrong, check_ast, check_text};
use farkas_peer::ast::order::{Order, OrderError, Values, order};
use farkas_peer::ast::random;
use farkas_peer::isl::Isl;
use farkas_polyhedral::ast::{self, AstError};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::tree::{AnySchedule, Node, Tree, verify};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const BUDGET: u64 = 50_000_000;
/// Candidates for instances of a tree.
const INSTANCES: u64 = 200_000;
/// Steps of code that is executed.
const STEPS: u64 = 1_000_000;

/// How a tree went.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// As it should, for so many instances.
    Right(usize),
    OutOfBudget,
    TooLong,
    Wrong(String),
}

fn check(tree: &Tree) -> Verdict {
    let checked = catch_unwind(AssertUnwindSafe(|| checked(tree)));
    checked.unwrap_or_else(|_| Verdict::Wrong("panic".to_string()))
}

fn checked(tree: &Tree) -> Verdict {
    let orders = match orders(&AnySchedule::Tree(tree.clone())) {
        Ok(orders) => orders,
        Err(error) => return Verdict::Wrong(error),
    };
    match ast::generate(tree, &ast::Options::default(), &Budget::new(BUDGET)) {
        Ok(ast) => match check_ast(&ast, &orders, STEPS) {
            Ok(()) => Verdict::Right(orders.iter().map(|(_, order)| order.len()).sum()),
            Err(Wrong::TooLong) => Verdict::TooLong,
            Err(error) => Verdict::Wrong(error.to_string()),
        },
        Err(AstError::OutOfBudget(_)) => Verdict::OutOfBudget,
        Err(error) => Verdict::Wrong(error.to_string()),
    }
}

/// The orders for the parameter values that are in the context.
fn orders(schedule: &AnySchedule) -> Result<Vec<(Values, Order)>, String> {
    let mut orders = Vec::new();
    for values in random::values() {
        match order(schedule, &values, INSTANCES) {
            Ok(order) => orders.push((values, order)),
            Err(OrderError::OutsideContext) => {}
            Err(error) => return Err(format!("{values:?}: {error}")),
        }
    }
    Ok(orders)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

#[derive(Default)]
struct Summary {
    trees: usize,
    instances: usize,
    out_of_budget: Vec<u64>,
    too_long: Vec<u64>,
    slowest: (f64, u64),
    failures: Vec<String>,
}

impl Summary {
    fn count(&mut self, seed: u64, number: u64) {
        let tree = random::tree(seed, number);
        let start = Instant::now();
        let verdict = check(&tree);
        let time = start.elapsed().as_secs_f64();
        if time > self.slowest.0 {
            self.slowest = (time, number);
        }
        self.trees += 1;
        match verdict {
            Verdict::Right(instances) => self.instances += instances,
            Verdict::OutOfBudget => self.out_of_budget.push(number),
            Verdict::TooLong => self.too_long.push(number),
            Verdict::Wrong(error) => {
                let mut report = format!("seed {seed}, tree {number}: {error}\n{tree}");
                if self.failures.len() < 3 {
                    let is_wrong = |tree: &Tree| {
                        verify(tree, &Budget::new(100_000)).is_ok() && matches!(check(tree), Verdict::Wrong(_))
                    };
                    let small = random::shrunk(&tree, &is_wrong, 300);
                    report = format!("seed {seed}, tree {number}, made smaller: {:?}\n{small}", check(&small));
                }
                self.failures.push(report);
            }
        }
    }

    fn join(mut self, other: Summary) -> Summary {
        self.trees += other.trees;
        self.instances += other.instances;
        self.out_of_budget.extend(other.out_of_budget);
        self.too_long.extend(other.too_long);
        if other.slowest.0 > self.slowest.0 {
            self.slowest = other.slowest;
        }
        self.failures.extend(other.failures);
        self
    }
}

#[test]
fn random_trees_are_executed_in_order() {
    let (trees, seed) = (setting("FARKAS_TREES", 300), setting("FARKAS_SEED", 1));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let summary = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || {
                    let mut summary = Summary::default();
                    (first..trees)
                        .step_by(threads as usize)
                        .for_each(|number| summary.count(seed, number));
                    summary
                })
            })
            .collect();
        let joined = workers
            .into_iter()
            .map(|worker| worker.join().expect("a thread that ends"));
        joined.fold(Summary::default(), Summary::join)
    });
    println!(
        "seed {seed}: {} trees, {} instances executed in order; out of budget: {:?}; too many steps: {:?}; \
         slowest: tree {} with {:.2} s; wrong: {}",
        summary.trees,
        summary.instances,
        summary.out_of_budget,
        summary.too_long,
        summary.slowest.1,
        summary.slowest.0,
        summary.failures.len()
    );
    assert!(
        summary.failures.is_empty(),
        "{} are wrong, for example:\n{}",
        summary.failures.len(),
        summary.failures.iter().take(3).cloned().collect::<Vec<_>>().join("\n")
    );
    let rare = 1 + trees as usize / 100;
    assert!(
        summary.out_of_budget.len() <= rare && summary.too_long.len() <= rare,
        "few are out of reach"
    );
}

/// The trees are well-formed. (To show it takes longer than to generate code for them, for some of them much longer.)
#[test]
fn random_trees_are_well_formed() {
    for number in 0..60 {
        let tree = random::tree(1, number);
        if let Err(error) = verify(&tree, &Budget::new(BUDGET)) {
            panic!("tree {number}: {error}\n{tree}");
        }
    }
}

/// What isl makes of them is in the same order: the enumeration is right. Trees with extensions are left out, of which isl
/// executes some where no other instance is, and those that isl does not read or generate code for.
#[test]
fn isls_code_of_random_trees_is_in_order() {
    let Ok(isl) = Isl::system() else {
        eprintln!("skipped: no libisl");
        return;
    };
    let (mut compared, mut refused) = (0, 0);
    for number in 0..80 {
        let tree = random::tree(2, number);
        if tree.root.any(&|node| matches!(node, Node::Extension(..))) {
            continue;
        }
        let input = Input::new(format!("tree {number}"), tree.to_string()).expect("a tree that is read");
        let orders = orders(&input.schedule).unwrap_or_else(|error| panic!("tree {number}: {error}\n{tree}"));
        isl.limit(2_000_000);
        let Ok(generated) = input.generate_isl(&isl, Duration::from_secs(10)) else {
            refused += 1;
            continue;
        };
        compared += 1;
        if let Err(error) = check_text(&generated.text, &orders, STEPS) {
            panic!("tree {number}: {error}\n{tree}");
        }
    }
    println!("isl's code of {compared} trees is in order; without: {refused}");
    assert!(compared > 40, "most are compared");
}
