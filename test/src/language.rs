//! The compilers of the languages that kernels are written in. All of them load the plugin.

use crate::VERIFY;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, by clang.
    C,
    /// C++, by clang.
    Cpp,
    /// Fortran, by flang.
    Fortran,
    /// Rust, by rustc, whose LLVM has to be of the plugin's version.
    Rust,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::C, Language::Cpp, Language::Fortran, Language::Rust];

    /// The language that a file's name says it is in.
    pub fn of(source: &Path) -> Option<Language> {
        let extension = source.extension()?.to_str()?;
        Language::ALL.into_iter().find(|l| l.extension() == extension)
    }

    fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Fortran => "f90",
            Language::Rust => "rs",
        }
    }

    /// The compiler with flags for an executable that is as fast as can be; the source and where to write are left to add.
    pub fn compiler(self) -> Command {
        let clang = env::var_os("FARKAS_CLANG").unwrap_or_else(|| OsString::from("clang-22"));
        let mut command = match self {
            Language::C => Command::new(clang),
            Language::Cpp => {
                let mut command = Command::new(clang);
                command.args(["-std=c++20", "-lstdc++"]);
                command
            }
            Language::Fortran => Command::new("flang-22"),
            Language::Rust => Command::new("rustc"),
        };
        match self {
            Language::Rust => command.args(["--edition=2024", "-Copt-level=3", "-Ccodegen-units=1"]),
            // Of its own accord, flang has innermost loops twice at this level.
            Language::Fortran => command.args(["-O3", "-fno-version-loops-for-stride"]),
            Language::C | Language::Cpp => command.args(["-O3", "-lm"]),
        };
        command
    }

    /// Flags for code that runs on this machine only.
    pub fn for_this_machine(self) -> &'static str {
        match self {
            Language::Rust => "-Ctarget-cpu=native",
            _ => "-march=native",
        }
    }

    /// Has the plugin verify the result of each stage. rustc reads LLVM's options before it loads plugins, and has none of theirs.
    pub fn verify(self) -> &'static [&'static str] {
        match self {
            Language::Rust => &[],
            _ => &VERIFY,
        }
    }

    /// Has the compiler load the plugin, and say what it does, with places in the source.
    pub fn load(self, command: &mut Command, plugin: &Path) {
        let plugin = plugin.display();
        match self {
            Language::Rust => {
                // The option is not a stable one.
                command.env("RUSTC_BOOTSTRAP", "1");
                command.arg(format!("-Zllvm-plugins={plugin}"));
                command.args(["-Cremark=farkas", "-Cdebuginfo=line-tables-only"])
            }
            _ => command.args([
                &format!("-fpass-plugin={plugin}"),
                "-Rpass=farkas",
                "-Rpass-missed=farkas",
                "-gline-tables-only",
            ]),
        };
    }
}
