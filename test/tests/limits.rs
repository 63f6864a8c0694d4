//! Very large functions are compiled within a few seconds of what clang takes by itself, and compute the same.
#![forbid(unsafe_code)]

use farkas_test::limits::{cases, time_of_loops};

/// How much longer than clang alone a compilation may take: the machine that runs this may be slow.
const SECONDS: f64 = 60.0;

/// How much more memory it may take.
const MEMORY: u64 = 1 << 30;

#[test]
fn limits_are_kept() {
    for case in cases().iter().filter(|case| !case.long) {
        let (plain, expected) = case
            .check(false)
            .unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let (cost, found) = case
            .check(true)
            .unwrap_or_else(|error| panic!("{}: {error}", case.name));
        println!("{}: {:.1?} and {:.1?}", case.name, plain.time, cost.time);
        assert_eq!(expected, found, "{}: outputs differ", case.name);
        let longer = cost.time.as_secs_f64() - plain.time.as_secs_f64();
        assert!(longer < SECONDS, "{} takes {longer:.1} s more", case.name);
        assert!(
            cost.memory < plain.memory + MEMORY,
            "{} takes {} bytes",
            case.name,
            cost.memory
        );
    }
}

#[test]
fn many_loops_take_time_in_proportion() {
    let (time, remarks) = time_of_loops(3_000).unwrap_or_else(|error| panic!("{error}"));
    println!("3,000 loops: {time:.1?}");
    assert!(time.as_secs_f64() < SECONDS, "3,000 loops take {time:?}");
    // Each has a remark, and so have the two of `main`; the last ones are not looked at.
    assert_eq!(remarks.matches("loop nest left as it is").count(), 3_002);
    assert!(remarks.contains("the function is too large"), "{remarks}");
}
