//! The plugin takes LLVM from the host process; tests have no host and link the library.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=FARKAS_LLVM_CONFIG");
    let config = std::env::var("FARKAS_LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-22".to_string());
    let output = Command::new(&config)
        .arg("--libdir")
        .output()
        .unwrap_or_else(|e| panic!("{config}: {e}"));
    let libdir = String::from_utf8(output.stdout).expect("a path in UTF-8");
    println!("cargo:rustc-link-arg-tests=-L{}", libdir.trim());
    println!("cargo:rustc-link-arg-tests=-lLLVM-22");
}
