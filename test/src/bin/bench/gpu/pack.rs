//! `bench gpu --pack FOLDER`: programs to be measured on another machine, which has a GPU and no LLVM.
//!
//! For each kernel there are a program with its kernels on the GPU wherever they may be (`gpu`), one that decides by cost (`auto`), and one for
//! the CPU (`cpu`). For each kernel and type there are small ones of the first and the last kind, which say how far outputs are apart. `cases` has a line for
//! each kernel: the names of both files, the kernel, its type and its size. `test/gpu/measure` runs all of them.

use farkas_test::{Program, plugin};
use std::fs;
use std::path::{Path, PathBuf};

use super::compiled;
use crate::case::Case;

/// The size of small programs: not a multiple of tiles, and larger than one.
const SMALL: u32 = 150;

/// Any machine with such a GPU has these instructions.
const HOST: &str = "-march=x86-64-v3";

/// Compiles the programs of these kernels into a folder.
///
/// # Errors
/// What cannot be written.
pub(super) fn pack(folder: &Path, cases: &[Case]) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut lines = String::new();
    for case in cases {
        let data = case.data.as_deref().unwrap_or("double");
        let size = case.size.or_else(|| size_of(case)).ok_or("a kernel has no size")?;
        let small_file = format!("{}-{data}", case.kernel.replace('/', "-"));
        let file = format!("{small_file}-{size}");
        let small = Case {
            size: Some(SMALL),
            ..case.clone()
        };
        let force = [HOST, "-mllvm", "-farkas-gpu=force"];
        for (kind, flags) in [
            ("gpu", &force[..]),
            ("auto", &[HOST, "-mllvm", "-farkas-gpu=true"]),
            ("cpu", &[HOST]),
        ] {
            moved(compiled(case, kind, flags), &folder.join(format!("{file}.{kind}")))?;
        }
        for (kind, flags) in [("gpu", &force[..]), ("cpu", &[HOST])] {
            let path = folder.join(format!("{small_file}.{kind}"));
            if !path.exists() {
                moved(compiled(&small, kind, flags), &path)?;
            }
        }
        lines += &format!("{file} {small_file} {} {data} {size}\n", case.kernel);
    }
    let library = "libfarkas_runtime.so";
    let built: PathBuf = plugin().with_file_name(library);
    fs::copy(built, folder.join(library)).map_err(|error| format!("{library}: {error}"))?;
    fs::write(folder.join("cases"), lines).map_err(|error| format!("cases: {error}"))
}

/// The size that a kernel has where none is given.
fn size_of(case: &Case) -> Option<u32> {
    let source = fs::read_to_string(case.source()).ok()?;
    let (_, behind) = source.split_once("#define N ")?;
    behind.lines().next()?.trim().parse().ok()
}

fn moved(program: Program, to: &Path) -> Result<(), String> {
    let copied = fs::copy(&program.path, to).and_then(|_| fs::remove_file(&program.path));
    copied.map_err(|error| format!("{}: {error}", to.display()))
}
