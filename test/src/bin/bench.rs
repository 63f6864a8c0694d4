//! Benchmarks of whole programs: `bench kernels [NAME...]`, and of compilations: `bench limits [NAME...]`.
//!
//! Each kernel is compiled by clang alone and with the plugin, at its default size. The two programs run in turn, and
//! the table gives medians and the median of the ratios within a round, so that a machine whose speed drifts does not
//! distort them. A ratio above 1 is a speed-up. Each of the limits, or those with one of the words in their names, is compiled
//! once by each; `bench show WORD` prints their text.
#![forbid(unsafe_code)]

use farkas_test::language::Language;
use farkas_test::{Program, With, compile, foreign_kernels, kernel_dir, kernels, limits, median};
use std::path::PathBuf;
use std::process::ExitCode;

/// How often each program runs.
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("kernels") => {
            table(&arguments.collect::<Vec<_>>());
            ExitCode::SUCCESS
        }
        Some("show") => {
            let word = arguments.next().unwrap_or_default();
            let cases = limits::cases().into_iter();
            cases
                .filter(|case| case.name.contains(&word))
                .for_each(|case| println!("{}", case.text));
            ExitCode::SUCCESS
        }
        Some("limits") => limits_table(&arguments.collect::<Vec<_>>()),
        _ => {
            eprintln!("usage: bench kernels [NAME[:TYPE[:SIZE]]...] | bench limits [WORD...] | bench show WORD");
            ExitCode::from(2)
        }
    }
}

fn limits_table(words: &[String]) -> ExitCode {
    println!("| case | clang s | farkas s | more s | clang MiB | farkas MiB | outputs |");
    println!("|---|--:|--:|--:|--:|--:|---|");
    let mut failed = false;
    for case in limits::cases() {
        if !words.is_empty() && !words.iter().any(|word| case.name.contains(word.as_str())) {
            continue;
        }
        match (case.check(false), case.check(true)) {
            (Ok((plain, expected)), Ok((cost, found))) => {
                let [clang, farkas] = [plain, cost].map(|cost| cost.time.as_secs_f64());
                let [less, more] = [plain, cost].map(|cost| cost.memory >> 20);
                let outputs = if expected == found { "equal" } else { "DIFFER" };
                println!(
                    "| {} | {clang:.2} | {farkas:.2} | {:.2} | {less} | {more} | {outputs} |",
                    case.name,
                    farkas - clang
                );
                failed |= expected != found;
            }
            (plain, cost) => {
                let error = plain.err().or(cost.err()).unwrap_or_default();
                println!(
                    "| {} | FAILED: {} |",
                    case.name,
                    error.lines().next().unwrap_or_default()
                );
                failed = true;
            }
        }
    }
    ExitCode::from(u8::from(failed))
}

/// Which kernel, of which data type, at which size; the kernel's own where none is given.
struct Case {
    kernel: String,
    data: String,
    size: Option<String>,
}

impl Case {
    fn parse(text: &str) -> Case {
        let mut parts = text.split(':');
        Case {
            kernel: parts.next().unwrap_or_default().to_string(),
            data: parts.next().unwrap_or("double").to_string(),
            size: parts.next().map(str::to_string),
        }
    }

    /// The source, and its language: that of a kernel without an extension is C.
    fn source(&self) -> (PathBuf, Language) {
        let named = kernel_dir().join(&self.kernel);
        match Language::of(&named) {
            Some(language) => (named, language),
            None => (named.with_extension("c"), Language::C),
        }
    }

    fn compile(&self, with: With) -> Program {
        let (source, language) = self.source();
        let mut flags = vec![language.for_this_machine().to_string()];
        if language == Language::C {
            flags.push(format!("-DDATA={}", self.data));
            flags.extend(self.size.iter().map(|size| format!("-DN={size}")));
        }
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let name = format!("bench-{}-{}", self.kernel.replace('/', "-"), self.data);
        compile(&source, &name, with, &flags)
    }

    /// Runs the program to print this; those in other languages than C are given the size.
    fn run(&self, program: &Program, what: &str) -> String {
        let arguments: Vec<&str> = [what].into_iter().chain(self.size.as_deref()).collect();
        program.run(&arguments)
    }
}

fn table(names: &[String]) {
    let mut cases: Vec<Case> = if names.is_empty() {
        let in_c = kernels().into_iter();
        let others = foreign_kernels().into_iter();
        let named = |path: PathBuf| Some(path.strip_prefix(kernel_dir()).ok()?.to_str()?.to_owned());
        in_c.chain(others.filter_map(named))
            .map(|name| Case::parse(&name))
            .collect()
    } else {
        names.iter().map(|name| Case::parse(name)).collect()
    };
    if names.is_empty() {
        cases.push(Case::parse("gemm:float"));
        cases.push(Case::parse("gemm_ikj:float"));
    }
    println!("| kernel | clang s | farkas s | speed-up | outcome | compile: clang s | farkas s | ratio | outputs |");
    println!("|---|--:|--:|--:|---|--:|--:|--:|---|");
    for case in &cases {
        row(case);
    }
}

fn row(case: &Case) {
    let clang = case.compile(With::Clang);
    let farkas = case.compile(With::Farkas);
    let (mut plain, mut optimized, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let times = [&clang, &farkas].map(|program| case.run(program, "time").trim().parse::<f64>().expect("seconds"));
        plain.push(times[0]);
        optimized.push(times[1]);
        ratios.push(times[0] / times[1]);
    }
    let equal = case.run(&clang, "checksum") == case.run(&farkas, "checksum");
    let compile_times = [clang.compile_time, farkas.compile_time].map(|time| time.as_secs_f64());
    println!(
        "| {} {} | {:.4} | {:.4} | {:.2} | {} | {:.2} | {:.2} | {:.2} | {} |",
        case.kernel,
        case.data,
        median(plain),
        median(optimized),
        median(ratios),
        if farkas.transformed() {
            "transformed"
        } else {
            "left alone"
        },
        compile_times[0],
        compile_times[1],
        compile_times[1] / compile_times[0],
        if equal { "equal" } else { "DIFFER" },
    );
}
