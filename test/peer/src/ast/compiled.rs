//! Generated code after a compiler has been over it: the size of its function, and the instructions that it executes
//! (tables I and II of P1).
//!
//! A statement adds one to an element of an array of its own, as in the paper: `S0(i)` is `S0_at[i]++`. Arrays are global and
//! the function is in a file of its own, so that nothing is known of the parameters.

use super::c::{Program, Statement};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Added to every index, so that small negative ones are inside.
const OFFSET: i64 = 512;

/// A compiler with the options of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The command.
    pub command: &'static str,
    /// Whether it may vectorize and unroll loops.
    pub vector: bool,
}

impl Compiler {
    /// What is compared.
    pub const ALL: [Compiler; 4] = [
        Compiler::new("clang-22", true),
        Compiler::new("gcc", true),
        Compiler::new("clang-22", false),
        Compiler::new("gcc", false),
    ];

    const fn new(command: &'static str, vector: bool) -> Compiler {
        Compiler { command, vector }
    }

    /// What it is called in tables.
    pub fn name(self) -> String {
        let plain = if self.vector { "" } else { ", plain loops" };
        format!("{}{plain}", self.command)
    }

    fn options(self) -> Vec<&'static str> {
        let mut options = vec![
            "-O3",
            "-std=gnu99",
            "-march=corei7-avx",
            "-mtune=corei7-avx",
            "-fno-inline",
        ];
        if !self.vector {
            options.push("-fno-unroll-loops");
            options.push(if self.command.starts_with("clang") {
                "-fno-vectorize"
            } else {
                "-fno-tree-vectorize"
            });
        }
        options
    }
}

/// What was measured of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Its size in bytes.
    pub size: u64,
    /// The instructions that a call of it executes. None without valgrind.
    pub instructions: Option<u64>,
}

/// Compiles the code and executes it once for these values of its parameters.
///
/// # Errors
///
/// What does not work, in words.
pub fn measure(text: &str, values: &[(&str, i64)], compiler: Compiler, folder: &Path) -> Result<Measured, String> {
    let program: Program = text.parse().map_err(|error| format!("not read: {error}"))?;
    let write = |name: &str, text: String| -> Result<PathBuf, String> {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    };
    let params: Vec<String> = values.iter().map(|(name, _)| format!("int {name}")).collect();
    let params = if params.is_empty() {
        "void".to_string()
    } else {
        params.join(", ")
    };
    let arguments: Vec<String> = values.iter().map(|(_, value)| value.to_string()).collect();
    let kernel = write(
        "kernel.c",
        format!("{MACROS}{}void kernel({params}) {{\n{text}\n}}\n", arrays(&program)?),
    )?;
    let main = write(
        "main.c",
        format!(
            "void kernel({params});\nint main(void) {{ kernel({}); return 0; }}\n",
            arguments.join(", ")
        ),
    )?;
    let (object, executable) = (folder.join("kernel.o"), folder.join("main"));
    let mut compile = Command::new(compiler.command);
    run(compile
        .args(compiler.options())
        .arg("-c")
        .arg(&kernel)
        .arg("-o")
        .arg(&object))?;
    let mut link = Command::new(compiler.command);
    run(link
        .args(compiler.options())
        .args([&main, &object])
        .arg("-o")
        .arg(&executable))?;
    let (symbols, _) = run(Command::new("nm").arg("-S").arg(&object))?;
    let size = symbols.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, size, _, "kernel"] => u64::from_str_radix(size, 16).ok(),
            _ => None,
        }
    });
    Ok(Measured {
        size: size.ok_or("no function in the object file")?,
        instructions: instructions(&executable, folder),
    })
}

/// The instructions in the function, by valgrind.
fn instructions(executable: &Path, folder: &Path) -> Option<u64> {
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg("--toggle-collect=kernel");
    command.arg(format!("--callgrind-out-file={}", folder.join("callgrind").display()));
    let (_, messages) = run(command.arg(executable)).ok()?;
    let collected = messages.lines().find_map(|line| line.split_once("Collected :"))?;
    collected.1.trim().parse().ok()
}

fn run(command: &mut Command) -> Result<(String, String), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok((text(&output.stdout), text(&output.stderr))),
        false => Err(format!("{name}: {}", text(&output.stderr))),
    }
}

const MACROS: &str = "\
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (-floord(-(n), d))
";

/// Arrays and statements.
fn arrays(program: &Program) -> Result<String, String> {
    let mut dims = BTreeMap::new();
    program.body.iter().for_each(|statement| dims_of(statement, &mut dims));
    let mut out = String::new();
    for (statement, n) in dims {
        let name = &program.statements[statement];
        let (sizes, names) = match n {
            1 => ("[4096]", ["i"].as_slice()),
            2 => ("[1024][1024]", ["i", "j"].as_slice()),
            _ => return Err(format!("{name} has {n} dimensions")),
        };
        let index: String = names.iter().map(|name| format!("[({name}) + {OFFSET}]")).collect();
        out += &format!(
            "int {name}_at{sizes};\n#define {name}({}) {name}_at{index}++\n",
            names.join(", ")
        );
    }
    Ok(out)
}

/// The number of arguments of every statement.
fn dims_of(statement: &Statement, dims: &mut BTreeMap<usize, usize>) {
    match statement {
        Statement::Block(body) => body.iter().for_each(|s| dims_of(s, dims)),
        Statement::For { body, .. } => dims_of(body, dims),
        Statement::If { then, otherwise, .. } => {
            dims_of(then, dims);
            if let Some(otherwise) = otherwise {
                dims_of(otherwise, dims);
            }
        }
        Statement::Declare(..) => {}
        Statement::Call { statement, arguments } => {
            dims.insert(*statement, arguments.len());
        }
    }
}
