//! A kernel of some type at a size, as the words of a command name it: `lu:700`, `lu:float`, `further/horner:float:300`.

use farkas_test::{Program, compile_with, kernel_dir, plugin};
use std::path::PathBuf;
use std::process::Command;

/// A kernel in C, of a type of data and at a size; its own where none is given.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Its source, below the folder of kernels and without an extension.
    pub(crate) kernel: String,
    pub(crate) data: Option<String>,
    pub(crate) size: Option<u32>,
}

impl Case {
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn parse(text: &str) -> Result<Case, String> {
        let mut words = text.split(':');
        let mut case = Case {
            kernel: words.next().unwrap_or_default().to_owned(),
            data: None,
            size: None,
        };
        for word in words {
            match word.parse() {
                Ok(size) => case.size = Some(size),
                Err(_) if word.starts_with(|first: char| first.is_ascii_lowercase()) => {
                    case.data = Some(word.to_owned())
                }
                Err(_) => return Err(format!("{text}: {word} is neither a type nor a size")),
            }
        }
        match case.source().exists() {
            true => Ok(case),
            false => Err(format!("there is no kernel {} in C", case.kernel)),
        }
    }

    pub(crate) fn title(&self) -> String {
        let size = self.size.map(|size| size.to_string());
        let words = [self.data.as_deref(), size.as_deref()];
        [Some(&*self.kernel)]
            .into_iter()
            .chain(words)
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub(crate) fn source(&self) -> PathBuf {
        kernel_dir().join(format!("{}.c", self.kernel))
    }

    /// The definitions that give the kernel its type and size.
    pub(crate) fn flags(&self) -> Vec<String> {
        let data = self.data.iter().map(|data| format!("-DDATA={data}"));
        data.chain(self.size.map(|size| format!("-DN={size}"))).collect()
    }

    /// Compiles for this machine. `name` tells one of the kernel's programs from another one.
    pub(crate) fn compile(&self, name: &str, with_plugin: bool, flags: &[&str]) -> Program {
        let own = self.flags();
        let all: Vec<&str> = ["-march=native"]
            .into_iter()
            .chain(own.iter().map(String::as_str))
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
