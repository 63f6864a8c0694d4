//! Regions of several loops, loops that count in all ways, scalars of all kinds, and loops that may end in an error, do what
//! they do without the plugin.
#![forbid(unsafe_code)]

use farkas_test::{Program, With, compile};
use std::path::Path;
use std::process::{Command, Output};

fn run(program: &Program, argument: &str) -> Output {
    let mut command = Command::new(&program.path);
    command.arg(argument);
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Compiles and runs the program both ways; the loops that start on these lines are transformed.
fn check(name: &str, transformed: &[usize], arguments: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.c"));
    let shared = ["-O2", "-g1", "-w"];
    let plain = compile(&source, name, With::Clang, &shared);
    let options = [&shared[..], &["-mllvm", "-farkas-unprofitable"]].concat();
    let new = compile(&source, name, With::Farkas, &options);
    for line in transformed {
        let place = format!("{name}.c:{line}:");
        let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
        assert!(
            remarks.any(|remark| remark.contains("loop nest transformed")),
            "no loop of line {line} is transformed:\n{}",
            new.diagnostics
        );
    }
    for argument in arguments {
        let (expected, output) = (run(&plain, argument), run(&new, argument));
        assert_eq!(expected.status, output.status, "{name} {argument}");
        assert_eq!(
            String::from_utf8_lossy(&expected.stdout),
            String::from_utf8_lossy(&output.stdout),
            "{name} {argument}"
        );
    }
}

#[test]
fn loops_in_sequence_and_under_conditions() {
    check("regions", &[9, 15, 21, 28, 32, 36, 45, 50], &[""]);
}

#[test]
fn loops_that_count_in_many_ways() {
    let lines = [10, 11, 12, 13, 14, 15, 16, 17, 26, 32, 35, 38, 42, 44, 49, 54, 60, 62];
    check("trip-counts", &lines, &[""]);
}

#[test]
fn loops_with_calls_that_access_memory() {
    let lines = [16, 23, 30, 34, 40, 47, 53, 60, 66, 73, 82, 87, 96, 103];
    check("calls", &lines, &[""]);
}

#[test]
fn square_roots_that_set_errno() {
    check("errno", &[11, 15, 24, 32, 39, 50], &["-march=x86-64-v3", ""]);
}

#[test]
fn bases_that_stores_may_overwrite() {
    check("reloads", &[14, 20, 26], &[""]);
}

#[test]
fn bounds_that_are_used_behind_a_loop() {
    check("loaded-bounds", &[14, 18, 24, 41, 50], &[""]);
}

#[test]
fn values_that_are_stored_and_used_in_the_next_loop() {
    check("stored-values", &[13, 22, 38, 49, 60, 69, 80, 89], &[""]);
}

#[test]
fn storage_whose_type_changes() {
    check("changing-types", &[10, 21, 31, 39], &[""]);
}

#[test]
fn subscripts_by_constant_arrays() {
    check("constant-tables", &[22, 32, 39, 45, 59, 64, 70, 77, 84], &[""]);
}

#[test]
fn loops_that_are_left_in_the_middle() {
    let lines = [11, 19, 31, 45, 54, 65, 74, 84, 88, 95, 102];
    check("breaks", &lines, &[""]);
}

#[test]
fn loops_with_switches() {
    check("branches", &[12, 32, 45, 54], &[""]);
}

#[test]
fn scalars_in_loops() {
    let lines = [9, 18, 35, 46, 55, 64, 72, 80, 89, 97, 106, 121, 131, 144, 158, 172, 181];
    check("scalars", &lines, &[""]);
}

#[test]
fn integers_wider_than_the_model() {
    check("wide", &[15], &["0", "5", "20", "64"]);
}

#[test]
fn values_that_are_read_behind_a_region() {
    check("ends", &[16], &["0", "1", "2", "20"]);
}

#[test]
fn loops_that_may_end_in_an_error() {
    check("errors", &[34, 44, 52], &["0", "1", "2", "3", "4"]);
}

#[test]
fn loops_over_sizes_that_are_not_known() {
    check("sizes", &[33, 39, 50, 56, 66, 85], &["0", "1", "6", "1000"]);
}

#[test]
fn loops_in_which_values_come_in_another_order() {
    check(
        "orders",
        &[
            13, 25, 35, 44, 49, 60, 65, 72, 86, 95, 111, 123, 132, 141, 152, 162, 169, 177, 187,
        ],
        &[""],
    );
}
