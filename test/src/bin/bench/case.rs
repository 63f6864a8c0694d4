//! A kernel at a size, as the words of a command name it: `lu:700`, `further/zernike`.

use farkas_test::{Program, compile_with, kernel_dir, plugin};
use std::path::PathBuf;
use std::process::Command;

/// A kernel at a size; its own where none is given.
pub(crate) struct Case {
    /// Its source, below the folder of kernels and without an extension.
    pub(crate) kernel: String,
    pub(crate) size: Option<u32>,
}

impl Case {
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn parse(text: &str) -> Result<Case, String> {
        let (kernel, size) = match text.split_once(':') {
            Some((kernel, size)) => (kernel, Some(size.parse().map_err(|_| format!("{text}: no size"))?)),
            None => (text, None),
        };
        let case = Case {
            kernel: kernel.to_owned(),
            size,
        };
        match case.source().exists() {
            true => Ok(case),
            false => Err(format!("there is no kernel {kernel} in C")),
        }
    }

    pub(crate) fn title(&self) -> String {
        self.size
            .map_or(self.kernel.clone(), |size| format!("{} {size}", self.kernel))
    }

    pub(crate) fn source(&self) -> PathBuf {
        kernel_dir().join(format!("{}.c", self.kernel))
    }

    /// The definition that gives the kernel its size.
    pub(crate) fn size_flag(&self) -> Option<String> {
        self.size.map(|size| format!("-DN={size}"))
    }

    /// Compiles for this machine. `name` tells one of the kernel's programs from another one.
    pub(crate) fn compile(&self, name: &str, with_plugin: bool, flags: &[&str]) -> Program {
        let size = self.size_flag();
        let all: Vec<&str> = ["-march=native"]
            .into_iter()
            .chain(size.as_deref())
            .chain(flags.iter().copied())
            .collect();
        let name = format!("bench-{}.{name}", self.title().replace(['/', ' '], "-"));
        compile_with(&self.source(), &name, with_plugin.then(plugin).as_deref(), &all)
    }
}

/// Runs a kernel's program once: its seconds, and the checksum of its outputs.
///
/// # Panics
///
/// If it fails.
pub(crate) fn time(command: &mut Command) -> (f64, String) {
    let done = command.output().expect("the program starts");
    assert!(done.status.success(), "{command:?} ended with {}", done.status);
    let [seconds, checksum] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).expect("text"));
    (seconds.trim().parse().expect("seconds"), checksum)
}
