//! Compiles the C++ shim against the headers of the LLVM that the host compiler was built from.

use std::env;
use std::process::Command;

/// The LLVM release whose headers and ABI the shim is written for: the build metadata of this crate's version.
fn major() -> &'static str {
    let (_, major) = env!("CARGO_PKG_VERSION")
        .split_once("+llvm")
        .expect("a version that names LLVM's");
    major
}

fn llvm_config(tool: &str, argument: &str) -> String {
    let output = Command::new(tool).arg(argument).output().unwrap_or_else(|error| {
        panic!(
            "cannot run {tool}: {error}; install the LLVM {} development files or set FARKAS_LLVM_CONFIG",
            major()
        )
    });
    assert!(output.status.success(), "{tool} {argument} failed");
    String::from_utf8(output.stdout)
        .expect("llvm-config prints text")
        .trim()
        .to_owned()
}

fn main() {
    println!("cargo:rerun-if-env-changed=FARKAS_LLVM_CONFIG");
    println!("cargo:rerun-if-changed=cpp");
    let tool = env::var("FARKAS_LLVM_CONFIG").unwrap_or_else(|_| format!("llvm-config-{}", major()));
    let version = llvm_config(&tool, "--version");
    assert!(
        version.split('.').next() == Some(major()),
        "{tool} is of LLVM {version}, Farkas needs {}",
        major()
    );

    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .files(
            [
                "alias",
                "debug",
                "edit",
                "invariants",
                "kernels",
                "loops",
                "names",
                "outline",
                "plugin",
                "remarks",
                "scev",
                "target",
                "threads",
                "values",
                "vector",
            ]
            .map(|f| format!("cpp/{f}.cpp")),
        )
        .flag("-isystem")
        .flag(llvm_config(&tool, "--includedir"))
        // The host exports LLVM built without RTTI and exceptions; its assertions are compiled out of the headers too.
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        // Lines are enough for backtraces. All of LLVM's types would make most of the library's size.
        .flag("-g1")
        .define("NDEBUG", None)
        .define("FARKAS_VERSION", format!("\"{}\"", env!("CARGO_PKG_VERSION")).as_str())
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .compile("farkas_shim");
}
