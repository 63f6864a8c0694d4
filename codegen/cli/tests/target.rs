//! `farkas target`: names, presets and files.

use expect_test::{Expect, expect};
use std::process::Command;

/// What the command prints on the file with this text, and its errors.
fn check(text: &str, expected: Expect) {
    let file = std::env::temp_dir().join(format!("farkas-target-{}-{}.toml", std::process::id(), text.len()));
    std::fs::write(&file, text).expect("a file");
    let done = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .arg("target")
        .arg(&file)
        .output();
    let done = done.expect("the command runs");
    std::fs::remove_file(&file).expect("the file");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let out = text(done.stdout) + &text(done.stderr);
    expected.assert_eq(&out.replace(&*file.to_string_lossy(), "FILE"));
}

fn printed(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_farkas")).args(arguments).output();
    String::from_utf8(done.expect("the command runs").stdout).expect("text")
}

#[test]
fn presets_by_name() {
    let names = printed(&["target"]);
    assert!(names.lines().any(|name| name == "zen4"), "{names}");
    for name in names.lines() {
        assert!(printed(&["target", name]).starts_with(&format!("name = \"{name}\"\n")));
    }
}

#[test]
fn a_file_on_top_of_a_preset() {
    check(
        "base = 'apple-m1'\ncores = 8\noperations.call.latency = 40",
        expect![[r#"
            name = "apple-m1"
            cores = 8
            clock = 3.2
            issue_width = 8
            window = 630
            prefetch_streams = 16
            rows_side_by_side = 0.6
            caches = [
                { bytes = 131072, line = 64, associativity = 8, latency = 4.0, bandwidth = 48.0, written = 1.0, side_by_side = 1.0, shared_by = 1 },
                { bytes = 12582912, line = 128, associativity = 12, latency = 18.0, bandwidth = 32.0, written = 1.0, side_by_side = 1.0, shared_by = 4 },
            ]

            [vector]
            bits = 128
            registers = 32
            masks = false
            gathers = false
            fused = true

            [operations]
            load = { latency = 5.0, per_cycle = 3.0, bits_per_cycle = 384.0 }
            store = { latency = 5.0, per_cycle = 2.0, bits_per_cycle = 256.0 }
            add = { latency = 3.0, per_cycle = 4.0, bits_per_cycle = 512.0 }
            minimum = { latency = 2.0, per_cycle = 4.0, bits_per_cycle = 512.0 }
            multiply = { latency = 4.0, per_cycle = 4.0, bits_per_cycle = 512.0 }
            arithmetic = { latency = 4.0, per_cycle = 4.0, bits_per_cycle = 512.0 }
            divide32 = { latency = 8.0, per_cycle = 1.0, bits_per_cycle = 128.0 }
            divide64 = { latency = 10.0, per_cycle = 1.0, bits_per_cycle = 128.0 }
            square_root32 = { latency = 10.0, per_cycle = 0.5, bits_per_cycle = 64.0 }
            square_root64 = { latency = 13.0, per_cycle = 0.5, bits_per_cycle = 64.0 }
            select = { latency = 2.0, per_cycle = 4.0, bits_per_cycle = 512.0 }
            integer = { latency = 1.0, per_cycle = 6.0, bits_per_cycle = 512.0 }
            integer_multiply32 = { latency = 3.0, per_cycle = 2.0, bits_per_cycle = 512.0 }
            integer_multiply64 = { latency = 3.0, per_cycle = 2.0 }
            integer_divide32 = { latency = 7.0, per_cycle = 0.5 }
            integer_divide64 = { latency = 7.0, per_cycle = 0.5 }
            call = { latency = 40.0, per_cycle = 0.04 }

            [memory]
            latency = 310.0
            bandwidth = 18.0
            total_bandwidth = 20.0
            rows_in_lanes = 1.0
        "#]],
    );
}

#[test]
fn a_file_that_does_not_fit_together() {
    check(
        "base = 'apple-m1'\nmemory.latency = 3",
        expect![[r#"
            FILE: memory.latency is not above that of the last cache
        "#]],
    );
}
