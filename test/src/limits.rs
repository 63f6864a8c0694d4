//! Code that is much larger than what people write: the compiler has to come to an end on it.

use crate::limited::run_for;
use crate::{plugin, scratch};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A file that takes something to its limit.
#[derive(Clone, Debug)]
pub struct Case {
    /// What there is much of.
    pub name: &'static str,
    /// The text, in C. What `main` prints depends on all that is computed.
    pub text: String,
    /// Whether it takes long by itself, and is left out where there is little time.
    pub long: bool,
}

/// What a compilation took.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Time on a processor.
    pub time: Duration,
    /// Memory at its peak, in bytes.
    pub memory: u64,
}

/// How long a compilation may take before it is stopped.
const LIMIT: Duration = Duration::from_secs(1800);

/// All cases.
pub fn cases() -> Vec<Case> {
    let case = |name, text| Case {
        name,
        text,
        long: false,
    };
    vec![
        case("100 arrays", arrays(100, 1)),
        case("100 arrays, 50 of them only read", arrays(100, 2)),
        case("12 nested loops", nested(12)),
        case("300 statements in loops of their own", loops_in_a_loop(300)),
        case(
            "300 statements under conditions",
            conditions(300, |k| format!("i + j > {k}")),
        ),
        case(
            "300 statements on conditions of data",
            conditions(300, |k| format!("b[j][i] > {k}.0")),
        ),
        case("40 parameters", parameters(40)),
        case("a block of 1,000 stores", stores(1_000)),
        case("300 loops in a function", loops(300)),
        Case {
            long: true,
            ..case("2,000 loops in a function", loops(2_000))
        },
        Case {
            long: true,
            ..case("a million lines", lines(1_000_000))
        },
    ]
}

/// A program around a function, which works on `data`.
fn program(parameters: &str, body: &str, arguments: &str) -> String {
    format!(
        "#include <stdio.h>\nstatic double data[1 << 16];\n\
         __attribute__((noinline)) void f({parameters}) {{\n{body}}}\n\
         int main(void) {{\n  for (int i = 0; i < 1 << 16; i++)\n    data[i] = i % 97;\n  f({arguments});\n\
         double sum = 0;\n  for (int i = 0; i < 1 << 16; i++)\n    sum += data[i] * (i % 89);\n\
         printf(\"%.17g\\n\", sum);\n  return 0;\n}}\n"
    )
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(", ")
}

/// Every `step`th array is computed from the one behind it; the others are only read.
fn arrays(count: usize, step: usize) -> String {
    let mut body = "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) {\n".to_owned();
    for k in (0..count).step_by(step) {
        let _ = writeln!(body, "      a{k}[j][i] += a{}[j][i];", (k + 1) % count);
    }
    body += "    }\n";
    let parameters = format!("int n, {}", list(count, |k| format!("double (*a{k})[10]")));
    program(
        &parameters,
        &body,
        &format!("10, {}", list(count, |k| format!("(double (*)[10])data + {}", 10 * k))),
    )
}

fn nested(depth: usize) -> String {
    let mut body = String::new();
    for k in 0..depth {
        let _ = writeln!(body, "  for (int i{k} = 0; i{k} < n; i{k}++)");
    }
    let all: Vec<String> = (0..depth).map(|k| format!("i{k} * {}", 1 << k)).collect();
    let back: Vec<String> = (0..depth).map(|k| format!("i{k} * {}", 1 << (depth - 1 - k))).collect();
    let _ = writeln!(body, "    a[{}] += b[{}];", all.join(" + "), back.join(" + "));
    program("int n, double *a, double *b", &body, "2, data, data + 8192")
}

fn loops_in_a_loop(count: usize) -> String {
    let mut body = "  for (int t = 0; t < n; t++) {\n".to_owned();
    for k in 0..count {
        let _ = writeln!(
            body,
            "    for (int i = 1; i < n; i++)\n      a[{k}][i] += a[{}][i - 1] * 0.5;",
            (k + 1) % count
        );
    }
    body += "  }\n";
    program("int n, double (*a)[20]", &body, "20, (double (*)[20])data")
}

/// Statements of which the `k`th is executed where `condition` of `k` holds.
fn conditions(count: usize, condition: impl Fn(usize) -> String) -> String {
    let mut body = "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) {\n".to_owned();
    for k in 0..count {
        let _ = writeln!(
            body,
            "      if ({})\n        a[{k}][j][i] += b[j][i] * {k}.5;",
            condition(k)
        );
    }
    body += "    }\n";
    program(
        "int n, double (*a)[12][12], double (*b)[12]",
        &body,
        "12, (double (*)[12][12])data, (double (*)[12])(data + 60000)",
    )
}

fn parameters(count: usize) -> String {
    let mut body = String::new();
    for k in (0..count).step_by(4) {
        let _ = writeln!(
            body,
            "  for (int i = n{k}; i < n{}; i++)\n    for (int j = 0; j < n{}; j++)\n      a[j + n{}][i] += b[j][i];",
            k + 1,
            k + 2,
            k + 3
        );
    }
    let parameters = format!(
        "{}, double (*a)[64], double (*b)[64]",
        list(count, |k| format!("int n{k}"))
    );
    let values = list(count, |k| [0, 60, 50, 7][k % 4].to_string());
    program(
        &parameters,
        &body,
        &format!("{values}, (double (*)[64])data, (double (*)[64])(data + 32768)"),
    )
}

fn stores(count: usize) -> String {
    let mut body = "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) {\n".to_owned();
    for k in 0..count {
        let _ = writeln!(body, "      a[{k}][j][i] += {k}.5;");
    }
    body += "    }\n";
    program("int n, double (*a)[3][3]", &body, "3, (double (*)[3][3])data")
}

fn loops(count: usize) -> String {
    let mut body = String::new();
    for k in 0..count {
        let _ = writeln!(
            body,
            "  for (int i = 0; i < n; i++)\n    a[i] = a[i + {}] * {}.5;",
            1 + k % 7,
            k % 3
        );
    }
    program("int n, double *a", &body, "50, data")
}

/// Functions with a nest each, until there are about so many lines of IR.
fn lines(count: usize) -> String {
    let mut text = "#include <stdio.h>\nstatic double data[1 << 16];\n".to_owned();
    // A function has about 100 lines before it is optimized.
    let functions = count / 100;
    for k in 0..functions {
        let _ = writeln!(
            text,
            "__attribute__((noinline)) void f{k}(int n, double (*restrict a)[64], double (*restrict b)[64], double *c) {{\n  \
             for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      a[j][i] += b[i][j] * {}.5 + c[{}];\n  \
             for (int i = 1; i < n; i++)\n    c[i] = c[i - 1] + {k};\n}}",
            k % 5,
            k % 64
        );
    }
    text += "int main(void) {\n";
    for k in 0..functions {
        let _ = writeln!(
            text,
            "  f{k}(9, (double (*)[64])data, (double (*)[64])(data + 8192), data + 20000);"
        );
    }
    text += "  double sum = 0;\n  for (int i = 0; i < 1 << 16; i++)\n    sum += data[i] * (i % 89);\n";
    text += "  printf(\"%.17g\\n\", sum);\n  return 0;\n}\n";
    text
}

/// How long the pass by itself takes on a function of so many loops in sequence, where it is in the pipeline, and what it says:
/// what clang does with them takes much longer.
///
/// # Errors
///
/// With what went wrong.
pub fn time_of_loops(count: usize) -> Result<(Duration, String), String> {
    let dir = scratch();
    let path = |ending: &str| dir.join(format!("loops-{count}.{ending}"));
    let (source, front, before) = (path("c"), path("ll"), path("bc"));
    std::fs::write(&source, loops(count)).map_err(|error| error.to_string())?;
    let run = |command: &mut Command| -> Result<(Duration, String), String> {
        let ended = run_for(command, LIMIT).map_err(|error| error.to_string())?;
        let ended = ended.ok_or("it does not come to an end")?;
        if ended.status.success() {
            Ok((ended.time, ended.stderr))
        } else {
            Err(ended.stderr)
        }
    };
    run(Command::new("clang-22")
        .args(["-O1", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"])
        .arg(&source)
        .arg("-o")
        .arg(&front))?;
    let prefix = "-passes=function(sroa,early-cse,simplifycfg,instcombine)";
    run(Command::new("opt-22").args([prefix]).arg(&front).arg("-o").arg(&before))?;
    let time = |pass: &str| {
        run(Command::new("opt-22")
            .arg(format!("-load-pass-plugin={}", plugin().display()))
            .arg(format!("-passes={pass}"))
            .args(["-disable-output", "-pass-remarks-missed=farkas", "-farkas-remarks=all"])
            .arg(&before))
    };
    let ((with, remarks), (without, _)) = (time("farkas")?, time("no-op-function")?);
    for file in [source, front, before] {
        std::fs::remove_file(file).map_err(|error| error.to_string())?;
    }
    Ok((with.saturating_sub(without), remarks))
}

impl Case {
    /// Compiles the case with or without the plugin at `-O2`, runs it, and gives what the compilation took and what the
    /// program printed.
    ///
    /// # Errors
    ///
    /// With what went wrong.
    pub fn check(&self, with_plugin: bool) -> Result<(Cost, String), String> {
        let stem: String = self.name.chars().filter(char::is_ascii_alphanumeric).collect();
        let dir = scratch();
        let path = |ending: &str| dir.join(format!("{stem}-{with_plugin}.{ending}"));
        let (source, program, report) = (path("c"), path("out"), path("csv"));
        std::fs::write(&source, &self.text).map_err(|error| error.to_string())?;
        let mut command = Command::new("clang-22");
        command
            .args(["-O2", "-ffp-contract=off", "-w"])
            .arg(&source)
            .arg("-o")
            .arg(&program);
        command.arg(format!("-fproc-stat-report={}", report.display()));
        if with_plugin {
            command.arg(format!("-fpass-plugin={}", plugin().display()));
            command.args(["-mllvm", "-farkas-unprofitable"]);
        }
        let ended = run_for(&mut command, LIMIT).map_err(|error| error.to_string())?;
        let ended = ended.ok_or("the compiler does not come to an end")?;
        if !ended.status.success() || ended.stderr.contains("internal error") {
            return Err(ended.stderr);
        }
        let cost = cost(&report)?;
        let run = run_for(&mut Command::new(&program), LIMIT).map_err(|error| error.to_string())?;
        let run = run.ok_or("the program does not come to an end")?;
        for file in [source, program, report] {
            std::fs::remove_file(file).map_err(|error| error.to_string())?;
        }
        if run.status.success() {
            Ok((cost, run.stdout))
        } else {
            Err(format!("the program ends with {}", run.status))
        }
    }
}

/// Reads what the driver reports of the compiler that it ran: its name, its output, microseconds in all and in the program
/// itself, and the peak of its memory in KiB.
fn cost(report: &Path) -> Result<Cost, String> {
    let text = std::fs::read_to_string(report).map_err(|error| error.to_string())?;
    let line = text.lines().find(|line| line.starts_with("\"clang"));
    let fields: Vec<u64> = line
        .unwrap_or_default()
        .rsplit(',')
        .map_while(|field| field.parse().ok())
        .collect();
    match fields[..] {
        [memory, time, _] => Ok(Cost {
            time: Duration::from_micros(time),
            memory: memory * 1024,
        }),
        _ => Err(format!("not a report on processes: {text}")),
    }
}
