//! What the compiler makes of a file depends on the file alone: not on where and in which environment it runs, nor on whether
//! it writes debug information.
#![forbid(unsafe_code)]

use farkas_test::random::unit::unit;
use farkas_test::{VERIFY, kernel_dir, kernels, plugin, scratch, wrong_in};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One way to build a file: flags, and whether it is done in a place and an environment of its own.
struct Way<'w> {
    name: &'w str,
    flags: &'w [&'w str],
    elsewhere: bool,
}

/// A file to build, with its flags.
struct Source {
    path: PathBuf,
    flags: Vec<&'static str>,
    /// Further flags for builds with the plugin: a compiler alone does not know its options.
    plugin_flags: Vec<&'static str>,
}

/// Compiles a file into an object; gives its path.
fn object(source: &Source, dir: &Path, way: &Way<'_>, with_plugin: bool) -> PathBuf {
    let place = dir.join(way.name);
    std::fs::create_dir_all(&place).expect("a folder in the scratch folder");
    let stem = source.path.file_stem().expect("a name").to_string_lossy();
    let object = place.join(format!("{stem}-{with_plugin}.o"));
    let mut command = Command::new("clang-22");
    command.args(["-O3", "-w", "-c"]).args(&source.flags).args(way.flags);
    if with_plugin {
        command.arg(format!("-fpass-plugin={}", plugin().display()));
        command.args(VERIFY).args(&source.plugin_flags);
    }
    if way.elsewhere {
        // Another stack, another heap, and something else in memory that nobody has written to.
        command
            .env("FARKAS_PADDING", "x".repeat(12_345))
            .env("MALLOC_PERTURB_", "165")
            .env("MALLOC_TOP_PAD_", "1048576")
            .current_dir(&place);
    }
    command.arg(&source.path).arg("-o").arg(&object);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !errors.contains("internal error"),
        "{command:?}:\n{errors}"
    );
    object
}

/// The instructions of an object, with the names that they refer to.
fn instructions(object: &Path) -> String {
    let mut command = Command::new("/usr/lib/llvm-22/bin/llvm-objdump");
    command.args(["-d", "-r", "--no-leading-addr"]).arg(object);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed");
    let text = String::from_utf8(output.stdout).expect("text");
    // The first lines name the file.
    text.split_once("Disassembly").expect("code").1.to_owned()
}

/// Builds a file in all ways; gives what is wrong.
fn check(source: &Source, dir: &Path) -> Vec<String> {
    let here = Way {
        name: "here",
        flags: &[],
        elsewhere: false,
    };
    let elsewhere = Way {
        name: "elsewhere",
        elsewhere: true,
        ..here
    };
    let debug = Way {
        name: "debug",
        flags: &["-g"],
        ..here
    };
    let mut wrong = Vec::new();
    let first = object(source, dir, &here, true);
    let second = object(source, dir, &elsewhere, true);
    let read = |path: &Path| std::fs::read(path).expect("an object");
    if read(&first) != read(&second) {
        wrong.push(format!("{}: two builds differ", source.path.display()));
    }
    let with_debug = |with_plugin| instructions(&object(source, dir, &debug, with_plugin));
    // Clang itself is not free of this: what it does alone is no fault of the plugin.
    if instructions(&first) != with_debug(true) && instructions(&object(source, dir, &here, false)) == with_debug(false)
    {
        wrong.push(format!("{}: -g changes code", source.path.display()));
    }
    wrong
}

#[test]
fn equal_input_gives_equal_objects() {
    let dir = scratch().join("builds");
    std::fs::create_dir_all(&dir).expect("a folder in the scratch folder");
    let mut work = Vec::new();
    for name in kernels() {
        work.push(Source {
            path: kernel_dir().join(format!("{name}.c")),
            flags: vec!["-DDATA=double"],
            plugin_flags: Vec::new(),
        });
    }
    // Units of a few functions, so that one in which clang's own code changes says little of others.
    for first in (0..100).step_by(5) {
        let unit = unit(first..first + 5);
        let path = dir.join(format!("unit-{first}.c"));
        std::fs::write(&path, unit.text).expect("a file in the scratch folder");
        work.push(Source {
            path,
            flags: unit.flags,
            plugin_flags: unit.plugin_flags,
        });
    }
    let wrong = wrong_in(work, |source| check(&source, &dir));
    assert!(wrong.is_empty(), "{wrong:#?}");
}
