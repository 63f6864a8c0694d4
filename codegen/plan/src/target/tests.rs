//! Presets, the text form, and targets by LLVM's names.

use super::*;
use expect_test::{Expect, expect};
use farkas_polyhedral::program::{ElementType, OperationClass};
use std::fmt::Write;

#[test]
fn presets_are_well_formed_and_round_trip() {
    for name in Target::names() {
        let target = Target::preset(name).unwrap();
        assert_eq!(target.verify(), Ok(()), "{name}");
        assert_eq!(target.to_string().parse(), Ok(target), "{name}");
    }
    for name in Gpu::names() {
        let text = format!("base = 'zen5'\n[gpu]\nbase = '{name}'");
        let target: Target = text.parse().unwrap();
        assert_eq!(target.gpu, Gpu::preset(name));
        assert_eq!(target.to_string().parse(), Ok(target), "{name}");
    }
}

/// What changes from the base that the text names.
fn check(text: &str, expected: Expect) {
    let base = text.lines().find_map(|line| line.trim().strip_prefix("base = "));
    let base = base.and_then(|name| Target::preset(name.trim_matches(['\'', '"'])));
    let actual = match text.parse::<Target>() {
        Ok(target) => difference(&base.unwrap(), &target),
        Err(error) => format!("error: {error}\n"),
    };
    expected.assert_eq(&actual);
}

/// The lines of the target's text that are not in the base's.
fn difference(base: &Target, target: &Target) -> String {
    let (base, target) = (base.to_string(), target.to_string());
    let old: Vec<&str> = base.lines().collect();
    let new = target.lines().filter(|line| !old.contains(line));
    new.map(|line| format!("{line}\n")).collect()
}

#[test]
fn zen4_in_full() {
    expect![[r#"
        name = "zen4"
        cores = 8
        clock = 3.7
        issue_width = 6
        window = 320
        prefetch_streams = 16
        rows_side_by_side = 0.6
        caches = [
            { bytes = 32768, line = 64, associativity = 8, latency = 4.0, bandwidth = 64.0, written = 1.0, side_by_side = 1.0, shared_by = 1 },
            { bytes = 1048576, line = 64, associativity = 8, latency = 14.0, bandwidth = 32.0, written = 1.0, side_by_side = 1.0, shared_by = 1 },
            { bytes = 33554432, line = 64, associativity = 16, latency = 50.0, bandwidth = 27.0, written = 1.0, side_by_side = 1.0, shared_by = 8 },
        ]

        [vector]
        bits = 512
        registers = 32
        masks = true
        gathers = true
        fused = true

        [operations]
        load = { latency = 7.0, per_cycle = 2.0, bits_per_cycle = 512.0 }
        store = { latency = 7.0, per_cycle = 2.0, bits_per_cycle = 256.0 }
        add = { latency = 3.0, per_cycle = 2.0, bits_per_cycle = 512.0 }
        minimum = { latency = 2.0, per_cycle = 2.0, bits_per_cycle = 512.0 }
        multiply = { latency = 3.0, per_cycle = 2.0, bits_per_cycle = 512.0 }
        arithmetic = { latency = 4.0, per_cycle = 4.0, bits_per_cycle = 1024.0 }
        divide32 = { latency = 11.0, per_cycle = 0.3333333333333333, bits_per_cycle = 85.33333333333333 }
        divide64 = { latency = 13.0, per_cycle = 0.2, bits_per_cycle = 51.2 }
        square_root32 = { latency = 15.0, per_cycle = 0.2, bits_per_cycle = 51.2 }
        square_root64 = { latency = 21.0, per_cycle = 0.1111111111111111, bits_per_cycle = 28.444444444444443 }
        select = { latency = 1.0, per_cycle = 2.0, bits_per_cycle = 512.0 }
        integer = { latency = 1.0, per_cycle = 4.0, bits_per_cycle = 1024.0 }
        integer_multiply32 = { latency = 3.0, per_cycle = 1.0, bits_per_cycle = 512.0 }
        integer_multiply64 = { latency = 3.0, per_cycle = 1.0, bits_per_cycle = 512.0 }
        integer_divide32 = { latency = 12.0, per_cycle = 0.16666666666666666 }
        integer_divide64 = { latency = 18.0, per_cycle = 0.1 }
        call = { latency = 60.0, per_cycle = 0.04 }

        [memory]
        latency = 420.0
        bandwidth = 9.0
        total_bandwidth = 16.0
        rows_in_lanes = 1.0
    "#]]
    .assert_eq(&Target::preset("zen4").unwrap().to_string());
}

#[test]
fn override_of_some_fields() {
    let text = r#"
        base = "zen4"
        name = "my server"
        cores = 16
        caches = [
            { bytes = 32768, line = 64, associativity = 8, latency = 4, bandwidth = 64, shared_by = 1 },
            { bytes = 1048576, line = 64, associativity = 8, latency = 14, bandwidth = 32, shared_by = 1 },
        ]
        [vector]
        bits = 256
        [operations]
        add.latency = 2.5
        [gpu]
        base = "h100"
        multiprocessors = 114
    "#;
    check(
        text,
        expect![[r#"
        name = "my server"
        cores = 16
        bits = 256
        add = { latency = 2.5, per_cycle = 2.0, bits_per_cycle = 512.0 }
        [gpu]
        name = "h100"
        compute_capability = [9, 0]
        clock = 1.98
        multiprocessors = 114
        warp = 32
        threads_per_block = 1024
        threads_per_multiprocessor = 2048
        blocks_per_multiprocessor = 32
        registers_per_multiprocessor = 65536
        registers_per_thread = 255
        shared_per_multiprocessor = 233472
        shared_per_block = 232448
        l2_bytes = 52428800
        bandwidth = 3352.0
        fp32_per_cycle = 256.0
        fp64_per_cycle = 128.0
        launch = 9.0
        link_bandwidth = 50.0
    "#]],
    );
}

#[test]
fn not_toml() {
    check(
        "cores = = 3",
        expect![[r#"
            error: line 1, column 9: extra `=`, expected nothing
        "#]],
    );
}

#[test]
fn unknown_base() {
    check(
        "base = 'zen12'",
        expect![[r#"
            error: there is no preset 'zen12': expected one of x86-64-v2, x86-64-v3, x86-64-v4, zen3, zen4, zen5, skylake-sp, icelake-sp, icelake, sapphire-rapids, alder-lake-p, raptor-lake-p, neoverse-n1, neoverse-v1, neoverse-v2, apple-m1, apple-m2, apple-m3, apple-m4
        "#]],
    );
}

#[test]
fn unknown_field() {
    check(
        "base = 'zen4'\n[vector]\nwidth = 3",
        expect![[r#"
            error: unknown field `width`, expected one of `bits`, `bits_of_lanes`, `registers`, `masks`, `gathers`, `fused` in `vector`
        "#]],
    );
}

#[test]
fn wrong_type() {
    check(
        "base = 'zen4'\n[memory]\nlatency = 'long'",
        expect![[r#"
        error: invalid type: string "long", expected f64 in `memory.latency`
    "#]],
    );
}

#[test]
fn missing_field() {
    check(
        "name = 'mine'",
        expect![[r#"
        error: missing field `cores`
    "#]],
    );
}

#[test]
fn numbers_that_do_not_fit_together() {
    let text = r#"
        base = "zen4"
        clock = nan
        caches = [
            { bytes = 40000, line = 48, associativity = 8, latency = 4, bandwidth = 64, shared_by = 1 },
            { bytes = 32768, line = 64, associativity = 8, latency = 4, bandwidth = 128, shared_by = 9 },
        ]
        [vector]
        bits = 100
        [operations]
        load.per_cycle = 0
        [memory]
        bandwidth = 200
        [gpu]
        base = "a100"
        threads_per_block = 1000
    "#;
    check(
        text,
        expect![[r#"
        error: clock is NaN: expected a positive number; vector.bits is 100: expected a power of two; operations.load.per_cycle is 0: expected a positive number; caches[0].line is 48: expected a power of two; caches[0].bytes is not a multiple of a set, which has 384 bytes; caches[1].shared_by is more than the cores that there are; caches[1].bytes is not above that of the level before; caches[1].latency is not above that of the level before; caches[1].bandwidth is above that of the level before; memory.total_bandwidth is less than that of one core; memory.bandwidth is above that of the last cache; gpu.threads_per_block is not a multiple of a warp
    "#]],
    );
}

/// What operations cost on some lanes.
fn costs(name: &str) -> String {
    let operations = Target::preset(name).unwrap().operations;
    let mut text = String::new();
    let double = ElementType::Float(64);
    for (class, ty) in [
        (OperationClass::Load, double),
        (OperationClass::Multiply, double),
        (OperationClass::Divide, double),
        (OperationClass::Divide, ElementType::Float(32)),
        (OperationClass::Add, ElementType::Integer(32)),
        (OperationClass::Divide, ElementType::Integer(64)),
    ] {
        let per_cycle = [1, 2, 4, 8, 16].map(|lanes| {
            let cost = operations.cost(class, ty, lanes);
            format!("{:.3}", cost.per_cycle)
        });
        let latency = operations.cost(class, ty, 1).latency;
        let _ = writeln!(text, "{class:?} {ty:?}: {latency} cycles; {}", per_cycle.join(" "));
    }
    text
}

#[test]
fn costs_by_lanes() {
    expect![[r#"
        Load Float(64): 7 cycles; 2.000 2.000 2.000 1.000 0.500
        Multiply Float(64): 3 cycles; 2.000 2.000 2.000 1.000 0.500
        Divide Float(64): 13 cycles; 0.200 0.200 0.200 0.100 0.050
        Divide Float(32): 11 cycles; 0.333 0.333 0.333 0.333 0.167
        Add Integer(32): 1 cycles; 4.000 4.000 4.000 4.000 2.000
        Divide Integer(64): 18 cycles; 0.100 0.050 0.025 0.013 0.006
    "#]]
    .assert_eq(&costs("zen4"));
    expect![[r#"
        Load Float(64): 6 cycles; 2.000 2.000 2.000 2.000 1.000
        Multiply Float(64): 4 cycles; 2.000 2.000 2.000 2.000 1.000
        Divide Float(64): 14 cycles; 0.250 0.250 0.125 0.062 0.031
        Divide Float(32): 11 cycles; 0.333 0.333 0.333 0.200 0.100
        Add Integer(32): 1 cycles; 4.000 4.000 4.000 4.000 2.000
        Divide Integer(64): 42 cycles; 0.042 0.021 0.010 0.005 0.003
    "#]]
    .assert_eq(&costs("skylake-sp"));
}

/// The target for a processor, as a preset and what differs from it.
fn processor(name: &str, facts: ProcessorFacts) -> String {
    let target = Target::for_processor(name, &facts);
    assert_eq!(target.verify(), Ok(()));
    let preset = Target::preset(&target.name).unwrap();
    format!("{}\n{}", target.name, difference(&preset, &target))
}

fn x86(features: &str, vector_bits: u32, vector_registers: u32) -> ProcessorFacts {
    ProcessorFacts {
        architecture: "x86_64".to_owned(),
        features: features.to_owned(),
        vector_bits: Some(vector_bits),
        vector_registers: Some(vector_registers),
        // LLVM's guess.
        cache_bytes: [Some(32 << 10), Some(256 << 10)],
        ..ProcessorFacts::default()
    }
}

#[test]
fn known_processors() {
    expect![[r#"
        zen4
    "#]]
    .assert_eq(&processor("znver4", x86("+avx2,+fma,+avx512f,+avx512vl", 512, 32)));
    expect![[r#"
        zen4
        bits = 256
    "#]]
    .assert_eq(&processor("znver4", x86("+avx2,+fma,+avx512f,+avx512vl", 256, 32)));
    expect![[r#"
        sapphire-rapids
        bits = 256
        registers = 16
        masks = false
    "#]]
    .assert_eq(&processor("sapphirerapids", x86("-avx512f,-avx512vl", 256, 16)));
    expect![[r#"
        icelake
        bits = 256
    "#]]
    .assert_eq(&processor("rocketlake", x86("+avx2,+fma,+avx512f,+avx512vl", 256, 32)));
    let apple = ProcessorFacts {
        architecture: "arm64".to_owned(),
        vector_bits: Some(128),
        ..ProcessorFacts::default()
    };
    expect![[r#"
        apple-m4
    "#]]
    .assert_eq(&processor("apple-m4", apple));
}

/// Lanes are as wide as the processor's vectors where LLVM's vectorizer keeps to less, unless the user said so.
#[test]
fn wide_lanes() {
    let features = "+avx2,+fma,+avx512f,+avx512bw,+avx512dq,+avx512vl";
    let bits_of_lanes = |name: &str, facts: ProcessorFacts| {
        let vector = Target::for_processor(name, &facts).vector;
        (vector.bits, vector.bits_of_lanes())
    };
    assert_eq!(bits_of_lanes("sapphirerapids", x86(features, 256, 32)), (256, 512));
    assert_eq!(bits_of_lanes("icelake-server", x86(features, 256, 32)), (256, 512));
    assert_eq!(bits_of_lanes("icelake-client", x86(features, 256, 32)), (256, 256));
    assert_eq!(bits_of_lanes("cascadelake", x86(features, 256, 32)), (256, 256));
    assert_eq!(bits_of_lanes("sapphirerapids", x86(features, 512, 32)), (512, 512));
    assert_eq!(
        bits_of_lanes("sapphirerapids", x86("+avx2,-avx512f", 256, 16)),
        (256, 256)
    );
    let chosen = ProcessorFacts {
        has_chosen_bits: true,
        ..x86(features, 256, 32)
    };
    assert_eq!(bits_of_lanes("sapphirerapids", chosen), (256, 256));
}

/// A hypervisor may call a server by the model number of a client.
#[test]
fn servers_have_tiles() {
    let features = "+avx2,+fma,+amx-tile,+avx512f,+avx512bw,+avx512dq,+avx512vl";
    expect![[r#"
        sapphire-rapids
        bits = 256
    "#]]
    .assert_eq(&processor("rocketlake", x86(features, 256, 32)));
}

#[test]
fn tuning_keeps_the_instructions() {
    let facts = ProcessorFacts {
        tuned_for: Some("znver4".to_owned()),
        ..x86("+avx2,+fma", 256, 16)
    };
    expect![[r#"
        zen4
        bits = 256
        registers = 16
        masks = false
    "#]]
    .assert_eq(&processor("x86-64-v3", facts));
}

#[test]
fn unknown_processors() {
    expect![[r#"
        x86-64-v2
    "#]]
    .assert_eq(&processor("x86-64", x86("+cx8,+sse2", 128, 16)));
    expect![[r#"
        x86-64-v3
    "#]]
    .assert_eq(&processor("haswell", x86("+avx2,+fma", 256, 16)));
    let level4 = "+avx2,+fma,+avx512f,+avx512bw,+avx512dq,+avx512vl";
    expect![[r#"
        x86-64-v4
    "#]]
    .assert_eq(&processor("diamondrapids", x86(level4, 512, 32)));
    expect![[r#"
        x86-64-v2
    "#]]
    .assert_eq(&processor("", ProcessorFacts::default()));
    let arm = ProcessorFacts {
        architecture: "aarch64".to_owned(),
        features: "+neon,+sve,+sve2".to_owned(),
        vector_bits: Some(128),
        cache_bytes: [None, Some(1 << 20)],
        ..ProcessorFacts::default()
    };
    expect![[r#"
        neoverse-v2
            { bytes = 1048576, line = 64, associativity = 8, latency = 11.0, bandwidth = 32.0, written = 1.0, side_by_side = 1.0, shared_by = 1 },
    "#]]
    .assert_eq(&processor("generic", arm));
}

#[test]
fn facts_that_do_not_fit_are_not_used() {
    expect![[r#"
        zen3
        bits = 64
        registers = 1
    "#]]
    .assert_eq(&processor("znver3", x86("", 0, 0)));
    expect![[r#"
        zen3
    "#]]
    .assert_eq(&processor("znver3", x86("", 12345, 16)));
}
