//! Kernels of a GPU compute what the CPU does: a driver that stands in for NVIDIA's runs them, and checks what they access.
#![forbid(unsafe_code)]

use farkas_test::random;
use farkas_test::{Program, With, compile, kernel_dir, kernels, number, plugin, ptxas, scratch, wrong_in};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Processors without asynchronous copies and matrix instructions of `double`, and with them.
const OLD: &str = "sm_70";
const NEW: &str = "sm_90";

/// Sizes with less than a block, and with several.
const SIZES: [usize; 2] = [13, 71];

/// A program that runs on a GPU, with what it takes to do so here.
struct Offloaded {
    program: Program,
    /// Where the plugin wrote its kernels to.
    ir: PathBuf,
}

/// The folder of what was built.
fn built() -> PathBuf {
    plugin().parent().expect("a folder").to_owned()
}

/// A folder in which the emulator has the name of the driver.
fn driver() -> PathBuf {
    let folder = scratch().join("driver");
    fs::create_dir_all(&folder).expect("a folder");
    let (emulator, name) = (built().join("libfarkas_emulator.so"), folder.join("libcuda.so.1"));
    // Several tests come here at the same time.
    let own = folder.join(format!("{:?}", std::thread::current().id()));
    fs::copy(emulator, &own).expect("the emulator is built");
    fs::rename(own, name).expect("a file gets another name");
    folder
}

impl Offloaded {
    /// Compiles a kernel of this size.
    fn of_kernel(name: &str, size: usize, flags: &[&str]) -> Offloaded {
        let source = kernel_dir().join(format!("{name}.c"));
        Offloaded::of_source(&source, &format!("{name}-{size}"), NEW, flags)
    }

    /// Compiles a program for a processor.
    fn of_source(source: &Path, name: &str, processor: &str, flags: &[&str]) -> Offloaded {
        let ir = scratch().join(format!("{name}.ir"));
        fs::create_dir_all(&ir).expect("a folder");
        let folder = format!("-farkas-gpu-ir={}", ir.display());
        let library = format!("-L{}", built().display());
        let processor = format!("-farkas-gpu-arch={processor}");
        let own = [
            "-mllvm",
            &processor,
            "-mllvm",
            "-farkas-gpu=force",
            "-mllvm",
            &folder,
            &library,
            "-lfarkas_runtime",
        ];
        let program = compile(source, &format!("{name}-gpu"), With::Farkas, &[flags, &own].concat());
        Offloaded { program, ir }
    }

    /// What it writes on standard output and standard error, with the driver in this folder.
    fn run(&self, driver: &Path, variables: &[(&str, &str)]) -> (String, String) {
        let libraries = std::env::join_paths([built(), driver.to_owned()]).expect("paths");
        let mut command = Command::new(&self.program.path);
        command
            .arg("dump")
            .env("LD_LIBRARY_PATH", libraries)
            .env("FARKAS_GPU_LOG", "1");
        command
            .env("FARKAS_EMULATOR_IR", &self.ir)
            .envs(variables.iter().copied());
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        assert!(output.status.success(), "{command:?} ended with {}", output.status);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (text(output.stdout), text(output.stderr))
    }

    /// What NVIDIA's assembler has against its kernels, where it is installed.
    fn assemble(&self) -> Vec<String> {
        let Some(assembler) = ptxas() else {
            return Vec::new();
        };
        let files = fs::read_dir(&self.ir).expect("a folder");
        let paths = files.map(|file| file.expect("a file").path());
        let modules = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ptx"));
        let complaint = |path: PathBuf| {
            let mut command = Command::new(&assembler);
            command.args(["-arch=sm_90", "-o", "/dev/null"]).arg(&path);
            let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
            let text = || format!("{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
            (!output.status.success()).then(text)
        };
        modules.filter_map(complaint).collect()
    }

    fn remove(self) {
        fs::remove_file(self.program.path).expect("the program is there");
        fs::remove_dir_all(self.ir).expect("the folder is there");
    }
}

/// The flag with which this CPU rounds products and sums as a device does.
fn rounding() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return match std::arch::is_x86_feature_detected!("fma") {
        true => "-mfma",
        false => "-ffp-contract=off",
    };
    #[cfg(not(target_arch = "x86_64"))]
    return "-ffp-contract=on";
}

/// What is wrong with a kernel of this size, and how many regions ran on the device.
fn check(name: &str, size: usize) -> (Vec<String>, usize) {
    let size_flag = format!("-DN={size}");
    let flags = [&*size_flag, "-DSTEPS=3", "-fno-math-errno", rounding()];
    let source = kernel_dir().join(format!("{name}.c"));
    check_source(&source, &format!("{name}-{size}"), NEW, &flags)
}

/// What is wrong with a program for a processor, and how many regions ran on the device.
fn check_source(source: &Path, name: &str, processor: &str, flags: &[&str]) -> (Vec<String>, usize) {
    let plain = compile(source, &format!("{name}-cpu"), With::Clang, flags);
    let offloaded = Offloaded::of_source(source, name, processor, flags);
    let expected = plain.run(&["dump"]);
    let (found, log) = offloaded.run(&driver(), &[]);
    let mut wrong = offloaded.assemble();
    let mut complain = |what: &str| wrong.push(format!("{name}: {what}\n{log}"));
    if found != expected {
        complain("outputs differ");
    }
    if log.contains("emulator:") {
        complain("a kernel is wrong");
    }
    if log.contains("the CPU version runs") {
        complain("a region did not run on the device");
    }
    // Without a driver, and where the user says so, the program is as it was.
    let none = scratch();
    for (variables, said) in [
        (&[][..], "there is no driver"),
        (&[("FARKAS_GPU", "off")][..], "the user chose so"),
    ] {
        let (found, log) = offloaded.run(&none, variables);
        if found != expected || log.contains("farkas: ") && !log.contains(said) {
            wrong.push(format!("{name}, without a GPU: {log}"));
        }
    }
    let regions = log.matches("region done").count();
    fs::remove_file(plain.path).expect("the program is there");
    offloaded.remove();
    (wrong, regions)
}

/// Full tiles and others, of several types and layouts, and fields of structures.
#[test]
fn contractions_compute_the_same_on_a_device() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/device.c");
    let (wrong, regions) = check_source(&source, "device", OLD, &["-w"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(regions >= 30, "{regions} regions on a device");
}

/// Tiles in shared memory, with less strips than are copied ahead, and more, at addresses that are aligned and not.
#[test]
fn strips_that_are_copied_ahead_compute_the_same_on_a_device() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/ahead.c");
    let (wrong, regions) = check_source(&source, "ahead", NEW, &["-w"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(regions >= 90, "{regions} regions on a device");
}

/// All numbers are integers, so that roundings make no difference.
#[test]
fn matrix_instructions_compute_the_same_on_a_device() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/matrix.c");
    let (wrong, regions) = check_source(&source, "matrix", NEW, &["-w"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(regions >= 57, "{regions} regions on a device");
}

#[test]
fn kernels_compute_the_same_on_a_device() {
    if ptxas().is_none() {
        eprintln!("ptxas is missing: PTX is not assembled (scripts/setup --ptxas gets it)");
    }
    let work: Vec<(String, usize)> = kernels()
        .into_iter()
        .flat_map(|name| SIZES.map(|size| (name.clone(), size)))
        .collect();
    let regions = AtomicUsize::new(0);
    let wrong = wrong_in(work, |(name, size)| {
        let (wrong, own) = check(&name, size);
        regions.fetch_add(own, Ordering::Relaxed);
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let regions = regions.into_inner();
    assert!(regions >= 60, "{regions} regions on a device");
}

/// What is wrong with the random program of a seed, and how many of its regions ran on the device. Arrays may overlap, in which case the
/// CPU version runs.
fn check_random(seed: u64) -> (Vec<String>, usize) {
    let program = random::program(seed);
    let source = scratch().join(format!("random-{seed}.c"));
    fs::write(&source, &program.text).expect("a file");
    let flags = [&program.flags[..], &["-w", "-lm"]].concat();
    let plain = compile(&source, &format!("random-{seed}-cpu"), With::Clang, &flags);
    let offloaded = Offloaded::of_source(&source, &format!("random-{seed}"), NEW, &flags);
    let expected = plain.run(&["dump"]);
    let (found, log) = offloaded.run(&driver(), &[]);
    let mut wrong = offloaded.assemble();
    if found != expected || log.contains("emulator:") {
        wrong.push(format!("random program {seed}: {log}"));
    }
    fs::remove_file(plain.path).expect("the program is there");
    fs::remove_file(source).expect("the program is there");
    offloaded.remove();
    (wrong, log.matches("region done").count())
}

/// `FARKAS_RANDOM_PROGRAMS` is how many programs to try (default: 20), `FARKAS_RANDOM_SEED` the seed of the first.
#[test]
fn random_programs_compute_the_same_on_a_device() {
    let (count, first) = (number("FARKAS_RANDOM_PROGRAMS", 20), number("FARKAS_RANDOM_SEED", 1));
    let regions = AtomicUsize::new(0);
    let wrong = wrong_in((first..first + count).collect(), |seed| {
        let (wrong, own) = check_random(seed);
        regions.fetch_add(own, Ordering::Relaxed);
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let regions = regions.into_inner();
    assert!(regions as u64 >= count / 4, "{regions} regions on a device");
}

/// A kernel that is not there when the module is loaded: the CPU version runs.
#[test]
fn a_device_that_fails() {
    let offloaded = Offloaded::of_kernel("gemm", 20, &["-DN=20"]);
    let nowhere = scratch().display().to_string();
    let (expected, _) = offloaded.run(&scratch(), &[]);
    let (found, log) = offloaded.run(&driver(), &[("FARKAS_EMULATOR_IR", &nowhere)]);
    assert_eq!(found, expected);
    assert!(log.contains("the CPU version runs"), "{log}");
    offloaded.remove();
}
