//! Loops that read tiles of arrays in buffers give the same output, bit for bit, as without the plugin: where tiles are full and where they
//! are not, and where memory ends behind what the program accesses.
#![forbid(unsafe_code)]

use farkas_test::{Program, With, compile};
use std::path::Path;

/// The lines of loops that are packed by choice, and of those that are so only by force.
const BY_CHOICE: [usize; 6] = [15, 22, 35, 62, 71, 75];
const BY_FORCE: [usize; 3] = [29, 47, 54];

fn programs(name: &str, flags: &[&str], options: &[&str]) -> (Program, Program) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/packed.c");
    let name = format!("packed-{name}");
    let shared = [
        &["-w", "-ffp-contract=off", "-mllvm", "-farkas-target=x86-64-v3"],
        flags,
    ]
    .concat();
    let own = [
        "-g1",
        "-Rpass=farkas",
        "-Rpass-missed=farkas",
        "-mllvm",
        "-farkas-verify",
    ];
    let plain = compile(
        &source,
        &name,
        With::Clang,
        &[&["-w", "-ffp-contract=off"], flags].concat(),
    );
    let new = compile(&source, &name, With::Farkas, &[&shared[..], &own, options].concat());
    assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
    (plain, new)
}

fn is_packed(new: &Program, line: usize) -> bool {
    let place = format!("packed.c:{line}:");
    let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
    remarks.any(|remark| remark.contains(", packed A"))
}

fn compare(plain: &Program, new: &Program, what: &str) {
    for size in [0, 1, 2, 5, 7, 8, 9, 16, 31, 33, 70, 131] {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{what}, size {size}");
    }
}

#[test]
fn by_choice() {
    for (name, data) in [("double", "-DDATA=double"), ("float", "-DDATA=float")] {
        let (plain, new) = programs(name, &["-O3", data], &[]);
        for line in BY_CHOICE {
            assert!(is_packed(&new, line), "line {line}, {name}:\n{}", new.diagnostics);
        }
        for line in BY_FORCE {
            assert!(!is_packed(&new, line), "line {line}, {name}:\n{}", new.diagnostics);
        }
        compare(&plain, &new, name);
    }
}

#[test]
fn by_force() {
    for tile in [1, 2, 4, 8, 32] {
        let tile = format!("-farkas-tile={tile}");
        let options = ["-mllvm", "-farkas-pack=force", "-mllvm", &tile];
        for (name, data) in [("double", "-DDATA=double"), ("short", "-DDATA=short")] {
            let name = format!("force-{name}{tile}");
            let (plain, new) = programs(&name, &["-O2", data], &options);
            for line in BY_CHOICE.into_iter().chain(BY_FORCE) {
                assert!(is_packed(&new, line), "line {line}, {name}:\n{}", new.diagnostics);
            }
            compare(&plain, &new, &name);
        }
    }
}
