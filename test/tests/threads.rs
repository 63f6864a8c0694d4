//! Loops that run on threads compute the same, bit for bit, with any number of threads, and wherever a program calls them.
#![forbid(unsafe_code)]

use farkas_test::{Program, With, compile, kernel_dir, kernels, scratch, wrong_in};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Numbers of threads: one, those of a machine, and some that divide nothing.
const THREADS: [usize; 5] = [1, 2, 3, 7, 16];

/// Sizes with less than a tile, and with several.
const SIZES: [usize; 2] = [13, 71];

const FORCE: [&str; 3] = ["-fopenmp", "-mllvm", "-farkas-parallel=force"];

/// What a program writes on standard output and standard error, with environment variables.
fn run(program: &Path, argument: &str, variables: &[(&str, &str)]) -> (String, String) {
    let mut command = Command::new(program);
    command.arg(argument).envs(variables.iter().copied());
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?} ended with {}", output.status);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr))
}

/// How many nests of a program run on threads, by what the plugin says of them.
fn nests_on_threads(program: &Program) -> usize {
    program.diagnostics.matches("on threads").count()
}

/// What is wrong with a kernel of this size, and how many of its nests run on threads.
fn check(name: &str, size: usize) -> (Vec<String>, usize) {
    let source = kernel_dir().join(format!("{name}.c"));
    let size_flag = format!("-DN={size}");
    let flags = [&*size_flag, "-DSTEPS=9", "-fno-math-errno"];
    let program = format!("{name}-{size}-threads");
    let plain = compile(&source, &program, With::Clang, &flags);
    let threaded = compile(&source, &program, With::Farkas, &[&flags[..], &FORCE].concat());
    let (expected, _) = run(&plain.path, "dump", &[]);
    let mut wrong = Vec::new();
    for threads in THREADS {
        let (found, _) = run(&threaded.path, "dump", &[("OMP_NUM_THREADS", &threads.to_string())]);
        if found != expected {
            wrong.push(format!("{name}, size {size}, {threads} threads: outputs differ"));
        }
    }
    let inner = threaded.diagnostics.matches("stays on one thread").count();
    if inner > 0 {
        wrong.push(format!("{name}, size {size}: {}", threaded.diagnostics));
    }
    let on_threads = nests_on_threads(&threaded);
    for program in [plain, threaded] {
        fs::remove_file(program.path).expect("the program is there");
    }
    (wrong, on_threads)
}

#[test]
fn kernels_compute_the_same_with_any_number_of_threads() {
    let work: Vec<(String, usize)> = kernels()
        .into_iter()
        .flat_map(|name| SIZES.map(|size| (name.clone(), size)))
        .collect();
    let on_threads = AtomicUsize::new(0);
    let wrong = wrong_in(work, |(name, size)| {
        let (wrong, loops) = check(&name, size);
        on_threads.fetch_add(loops, Ordering::Relaxed);
        wrong
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
    let on_threads = on_threads.into_inner();
    assert!(on_threads >= 60, "{on_threads} nests on threads");
}

/// The program `threads/calls.c`, with and without threads of ours.
fn calls(name: &str, flags: &[&str]) -> (Program, Program) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("threads/calls.c");
    let plain = compile(&source, name, With::Clang, &["-fopenmp"]);
    (plain, compile(&source, name, With::Farkas, flags))
}

/// Runs the program in a mode with these variables; gives the number of threads of the process at its end.
fn check_calls(name: &str, mode: &str, variables: &[(&str, &str)]) -> usize {
    let (plain, threaded) = calls(name, &FORCE);
    let (expected, _) = run(&plain.path, mode, &[]);
    let (found, threads) = run(&threaded.path, mode, variables);
    assert_eq!(expected, found);
    // The runtime may have warned before.
    let last = threads.lines().last().unwrap_or_default();
    last.parse().expect("a number of threads")
}

#[test]
fn the_number_of_threads_is_that_of_the_environment() {
    assert_eq!(check_calls("one", "once", &[("OMP_NUM_THREADS", "1")]), 1);
    assert_eq!(check_calls("three", "once", &[("OMP_NUM_THREADS", "3")]), 3);
    let bound = [
        ("OMP_NUM_THREADS", "4"),
        ("OMP_PROC_BIND", "close"),
        ("OMP_PLACES", "cores"),
    ];
    assert_eq!(check_calls("bound", "once", &bound), 4);
    assert_eq!(
        check_calls("limit", "once", &[("OMP_NUM_THREADS", "8"), ("OMP_THREAD_LIMIT", "2")]),
        2
    );
}

#[test]
fn a_parallel_region_of_the_program_gets_no_threads_inside() {
    let variables = [("OMP_NUM_THREADS", "3"), ("OMP_MAX_ACTIVE_LEVELS", "4")];
    // The team of four of the program's own stays for what is called behind it.
    assert_eq!(check_calls("region", "region", &variables), 4);
}

#[test]
fn several_threads_of_the_program_may_call_at_once() {
    check_calls("pthreads", "threads", &[("OMP_NUM_THREADS", "3")]);
}

#[test]
fn a_forked_process_has_threads_of_its_own() {
    check_calls("forked", "fork", &[("OMP_NUM_THREADS", "3")]);
}

#[test]
fn small_stacks_are_enough() {
    check_calls("stacks", "once", &[("OMP_NUM_THREADS", "3"), ("OMP_STACKSIZE", "64k")]);
}

#[test]
fn threads_that_sleep_are_woken() {
    check_calls("asleep", "once", &[("OMP_NUM_THREADS", "3"), ("KMP_BLOCKTIME", "0")]);
}

#[test]
fn a_program_without_the_runtime_has_one_thread() {
    // Regions of its own are comments then.
    let flags = ["-mllvm", "-farkas-parallel=force", "-Wno-source-uses-openmp"];
    let (plain, threaded) = calls("unlinked", &flags);
    assert!(
        threaded.diagnostics.contains("linked with -fopenmp"),
        "{}",
        threaded.diagnostics
    );
    let (expected, _) = run(&plain.path, "once", &[]);
    let (found, threads) = run(&threaded.path, "once", &[("OMP_NUM_THREADS", "3")]);
    assert_eq!((expected, "1"), (found, threads.trim()));
}

#[test]
fn a_shared_library_runs_on_threads() {
    let (plain, _) = calls("library", &FORCE);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("threads/calls.c");
    let library = compile(
        &source,
        "library.so",
        With::Farkas,
        &[&FORCE[..], &["-fPIC", "-shared", "-Wl,-E"]].concat(),
    );
    let starter = scratch().join("starter.c");
    let text = "#include <dlfcn.h>\nint main(int argc, char **argv) {\n  void *library = dlopen(argv[2], RTLD_NOW);\n  int (*run)(int, char **) = (int (*)(int, char **))dlsym(library, \"main\");\n  return run(argc, argv);\n}\n";
    fs::write(&starter, text).expect("a file in the scratch folder");
    let starter = compile(&starter, "starter", With::Clang, &[]);
    let (expected, _) = run(&plain.path, "once", &[]);
    let mut command = Command::new(&starter.path);
    command.arg("once").arg(&library.path).env("OMP_NUM_THREADS", "3");
    let output = command.output().expect("the program can be run");
    assert_eq!(expected, String::from_utf8(output.stdout).expect("text"));
    assert_eq!("3", String::from_utf8(output.stderr).expect("text").trim());
}

#[test]
fn errno_is_set_where_a_thread_meets_a_negative_argument() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("threads/errno.c");
    let plain = compile(&source, "errno", With::Clang, &[]);
    let threaded = compile(&source, "errno", With::Farkas, &FORCE);
    let mut said = threaded.diagnostics.lines();
    let of_roots = said.any(|line| line.contains("errno.c:7:3") && line.contains("on threads"));
    assert!(of_roots, "{}", threaded.diagnostics);
    let (expected, _) = run(&plain.path, "", &[]);
    for threads in THREADS {
        let (found, _) = run(&threaded.path, "", &[("OMP_NUM_THREADS", &threads.to_string())]);
        assert_eq!(expected, found, "{threads} threads");
    }
}

/// Compiles a program both ways, and compares what it computes of several sizes. Returns how many functions run on threads.
fn check_sizes(file: &str, name: &str, flags: &[&str]) -> usize {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("threads").join(file);
    let plain = compile(&source, name, With::Clang, flags);
    let threaded = compile(&source, name, With::Farkas, &[flags, &FORCE].concat());
    for size in [0, 1, 2, 5, 13, 100, 1003] {
        let (expected, _) = run(&plain.path, &size.to_string(), &[]);
        for threads in THREADS {
            let variables = [("OMP_NUM_THREADS", &*threads.to_string())];
            let (found, _) = run(&threaded.path, &size.to_string(), &variables);
            assert_eq!(expected, found, "{name}, size {size}, {threads} threads");
        }
    }
    assert!(
        !threaded.diagnostics.contains("stays on one thread"),
        "{}",
        threaded.diagnostics
    );
    nests_on_threads(&threaded)
}

#[test]
fn reductions_of_integers_are_combined() {
    assert_eq!(check_sizes("reductions.c", "reductions", &[]), 26);
}

#[test]
fn reductions_of_floating_point_numbers_are_combined_where_flags_allow_it() {
    assert_eq!(check_sizes("reductions.c", "fast-reductions", &["-ffast-math"]), 30);
}

#[test]
fn threads_have_copies_of_arrays_on_the_stack() {
    assert_eq!(check_sizes("private.c", "private", &[]), 19);
}

/// With vectors of 512 bits. Where the processor has none, the program is only compiled.
#[test]
fn threads_have_copies_of_arrays_in_wide_lanes() {
    let flags = ["-march=x86-64-v4", "-g"];
    if has_avx512() {
        assert_eq!(check_sizes("private.c", "private-in-wide-lanes", &flags), 19);
        return;
    }
    eprintln!("copies in wide lanes: not run, as the processor has no AVX-512");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("threads/private.c");
    let threaded = compile(
        &source,
        "private-in-wide-lanes",
        With::Farkas,
        &[&flags[..], &FORCE].concat(),
    );
    assert_eq!(nests_on_threads(&threaded), 19);
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512bw") && std::arch::is_x86_feature_detected!("avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

#[test]
fn copies_of_arrays_fit_in_small_stacks() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("threads/private.c");
    let plain = compile(&source, "private-stacks", With::Clang, &[]);
    let threaded = compile(&source, "private-stacks", With::Farkas, &FORCE);
    let (expected, _) = run(&plain.path, "100", &[]);
    let (found, _) = run(
        &threaded.path,
        "100",
        &[("OMP_NUM_THREADS", "3"), ("OMP_STACKSIZE", "64k")],
    );
    assert_eq!(expected, found);
}

/// Packed tiles are in a buffer of each thread, also on a small stack.
#[test]
fn threads_have_buffers_of_their_own() {
    let programs = [
        ("operands", "x86-64-v3"),
        ("operands", "sapphire-rapids"),
        ("packed", "x86-64-v3"),
    ];
    for (program, target) in programs {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{program}.c"));
        let name = format!("buffers-{program}-{target}");
        let shared = ["-w", "-O2", "-ffp-contract=off"];
        let plain = compile(&source, &name, With::Clang, &shared);
        let preset = format!("-farkas-target={target}");
        let packed = [
            "-mllvm",
            &preset,
            "-mllvm",
            "-farkas-pack=force",
            "-g1",
            "-Rpass=farkas",
        ];
        let own = [&shared[..], &packed, &FORCE].concat();
        let threaded = compile(&source, &name, With::Farkas, &own);
        let remarks = threaded.diagnostics.lines();
        let both = remarks.filter(|remark| remark.contains("packed") && remark.contains("on threads"));
        assert!(both.count() >= 4, "{}", threaded.diagnostics);
        let stays = threaded.diagnostics.contains("stays on one thread");
        assert!(!stays, "{}", threaded.diagnostics);
        for size in ["0", "1", "13", "33", "131"] {
            let (expected, _) = run(&plain.path, size, &[]);
            for threads in ["1", "3", "7"] {
                let variables = [("OMP_NUM_THREADS", threads), ("OMP_STACKSIZE", "64k")];
                let (found, _) = run(&threaded.path, size, &variables);
                assert_eq!(expected, found, "{name}, size {size}, {threads} threads");
            }
        }
    }
}
