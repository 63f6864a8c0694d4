//! Benchmarks of whole programs: `bench kernels [--before PLUGIN] [NAME...]`, of the cost model: `bench model [--all] [NAME...]`,
//! of one core beside Polly and a BLAS: `bench cpu [NAME...]`, of real libraries: `bench real [NAME...]`, of loops on threads: `bench threads
//! [NAME...]`, of kernels for a GPU: `bench gpu [NAME...]`, and of compilations: `bench limits [NAME...]`.
//!
//! Each of the limits, or those with one of the words in their names, is compiled once by clang alone and once with the
//! plugin; `bench show WORD` prints their text.
#![forbid(unsafe_code)]

mod case;
mod cpu;
mod gpu;
mod kernels;
mod model;
mod predictions;
mod rank_correlation;
mod real;
mod threads;

use farkas_test::limits;
use std::process::ExitCode;

const USAGE: &str = "usage: bench kernels [--before PLUGIN] [NAME[:TYPE[:SIZE]]...] | bench model [--all] [NAME[:SIZE]...] | \
                     bench cpu [--rounds N] [--no-polly] [NAME[:TYPE][:SIZE] | float | blas]... | \
                     bench real [--rounds N] [--all] [NAME...] | \
                     bench threads [--simulate] [--rounds N] [NAME[:SIZE]...] | \
                     bench gpu [NAME[:TYPE][:SIZE]...] | bench limits [WORD...] | bench show WORD";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("kernels") => match kernels::run(&arguments.collect::<Vec<_>>()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => wrong_usage(&message),
        },
        Some("model") => match model::run(&arguments.collect::<Vec<_>>()) {
            Ok(is_equal) => ExitCode::from(u8::from(!is_equal)),
            Err(message) => wrong_usage(&message),
        },
        Some("cpu") => match cpu::run(&arguments.collect::<Vec<_>>()) {
            Ok(is_equal) => ExitCode::from(u8::from(!is_equal)),
            Err(message) => wrong_usage(&message),
        },
        Some("real") => match real::run(&arguments.collect::<Vec<_>>()) {
            Ok(is_equal) => ExitCode::from(u8::from(!is_equal)),
            Err(message) => wrong_usage(&message),
        },
        Some("threads") => match threads::run(&arguments.collect::<Vec<_>>()) {
            Ok(is_equal) => ExitCode::from(u8::from(!is_equal)),
            Err(message) => wrong_usage(&message),
        },
        Some("gpu") => match gpu::run(&arguments.collect::<Vec<_>>()) {
            Ok(is_equal) => ExitCode::from(u8::from(!is_equal)),
            Err(message) => wrong_usage(&message),
        },
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
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn wrong_usage(message: &str) -> ExitCode {
    eprintln!("bench: {message}\n{USAGE}");
    ExitCode::from(2)
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
