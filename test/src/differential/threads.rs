//! Programs that run on threads, and may be watched by ThreadSanitizer.
//!
//! The plugin leaves functions alone that are instrumented. So the program is compiled to LLVM IR with the plugin first, and instrumented then:
//!
//! ```text
//! unit.c --clang with the plugin--> unit.ll --clang -fsanitize=thread--> program
//! ```
//!
//! By Archer, a tool of OpenMP's runtime, ThreadSanitizer knows which threads wait for each other.

use std::path::PathBuf;
use std::process::Command;

/// How programs run on threads.
#[derive(Clone, Debug)]
pub struct Threads {
    /// How many there are.
    pub number: u32,
    /// Where Archer is, if races are looked for.
    pub(super) archer: Option<PathBuf>,
}

/// What instruments a program.
pub(super) const INSTRUMENTED: [&str; 5] = [
    "-O1",
    "-w",
    "-fsanitize=thread",
    "-mllvm",
    "-force-attribute=sanitize_thread",
];

/// How many times longer an instrumented program may take.
pub(super) const TIMES_LONGER: u32 = 10;

impl Threads {
    /// So many threads.
    pub fn new(number: u32) -> Threads {
        Threads { number, archer: None }
    }

    /// The same, watched.
    ///
    /// # Panics
    ///
    /// If LLVM's tools are not installed.
    pub fn watched(self) -> Threads {
        let output = Command::new("llvm-config-22")
            .arg("--libdir")
            .output()
            .expect("LLVM's tools");
        let libraries = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let archer = libraries.join("libarcher.so");
        assert!(archer.exists(), "{} is there", archer.display());
        Threads {
            archer: Some(archer),
            ..self
        }
    }

    /// Sets what a program is told by its environment. A race ends it with a status of its own.
    pub(super) fn tell(&self, program: &mut Command) {
        program.env("OMP_NUM_THREADS", self.number.to_string());
        if let Some(archer) = &self.archer {
            program
                .env("OMP_TOOL_LIBRARIES", archer)
                .env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1 halt_on_error=1");
        }
    }
}
