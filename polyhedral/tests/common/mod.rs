//! The oracle of AST generation: enumeration of the scheduled instances.

mod apart;

use farkas_polyhedral::ast::{self, Instance, interpret};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::tree::Tree;

/// The instances that the tree schedules for the parameter values, in its order, found by enumeration of a box that
/// is large enough for all of these tests.
fn scheduled(tree: &Tree, params: &[Int]) -> Vec<Instance> {
    const BOX: std::ops::RangeInclusive<i64> = -4..=20;
    let all_params = tree.params();
    let schedule = tree.flat_schedule().expect("one function a statement");
    let mut found: Vec<(Vec<Int>, Instance)> = Vec::new();
    for set in tree.domain.sets() {
        let set = set.align_params(&all_params);
        let n = set.n_dims();
        let mut point = vec![*BOX.start(); n];
        'points: loop {
            let values: Vec<Int> = point.iter().map(|v| Int::from(*v)).collect();
            if set.contains(params, &values, &Budget::unlimited()).unwrap() {
                let function = &schedule[set.tuple()];
                let time = function.affs().iter().map(|aff| {
                    let aff = aff.align_params(&all_params);
                    aff.eval(params, &values).expect("an integer time")
                });
                let statement = set.tuple().name().expect("a statement has a name").to_string();
                found.push((
                    time.collect(),
                    Instance {
                        statement,
                        values: values.into(),
                    },
                ));
            }
            for digit in (0..n).rev() {
                if point[digit] < *BOX.end() {
                    point[digit] += 1;
                    continue 'points;
                }
                point[digit] = *BOX.start();
            }
            break;
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.into_iter().map(|(_, instance)| instance).collect()
}

/// The AST executes exactly the scheduled instances, in order, for parameters in a small range that are in the context.
pub(crate) fn check_order(tree: &Tree, ast: &ast::Ast) {
    let n_params = ast.params.len();
    let context = tree.context.align_params(&ast.params);
    for code in 0..5i64.pow(n_params as u32) {
        let value = |k: usize| Int::from([-1, 0, 1, 5, 13][(code / 5i64.pow(k as u32) % 5) as usize]);
        let params: Vec<Int> = (0..n_params).map(value).collect();
        if !context.contains(&params, &[], &Budget::unlimited()).unwrap() {
            continue;
        }
        let executed = interpret(ast, &params, 1_000_000).expect("promises that hold");
        assert!(
            executed.ended,
            "too many iterations for parameters {params:?} in\n{ast}"
        );
        assert_eq!(
            executed.instances,
            scheduled(tree, &params),
            "for parameters {params:?} in\n{ast}"
        );
        apart::check_apart(ast, &params);
    }
}
