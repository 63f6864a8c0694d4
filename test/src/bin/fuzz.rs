//! Compares random functions with and without the plugin for as long as it takes.
//!
//! `fuzz [--from SEED] [--count N] [--jobs N] [--keep FOLDER] [--levels all] [--option KEY=VALUE] [--threads N [--watch races]]`: checks the functions
//! of N seeds, and says
//! every ten seconds how far it is. Each function is compiled at one level of optimization, or at all. Programs of functions
//! with findings are written to the folder. `--option vectorize=force` is for the plugin, and may be repeated. With `--threads 3 --option
//! parallel=force` loops run on three threads, and ThreadSanitizer looks for races if it is told to. `fuzz --show SEED` prints one, and `fuzz --shrink SEED` makes one smaller.
#![forbid(unsafe_code)]

use farkas_test::differential::shrink::shrink;
use farkas_test::differential::{BLOCK, LEVELS, Tally, Threads, Workshop, level_of, program_alone};
use farkas_test::{plugin, scratch};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

struct Arguments {
    from: u64,
    count: u64,
    jobs: usize,
    keep: Option<PathBuf>,
    show: Option<u64>,
    shrink: Option<u64>,
    all_levels: bool,
    options: Vec<String>,
    threads: Option<u32>,
    watched: bool,
}

fn parse() -> Option<Arguments> {
    let mut arguments = Arguments {
        from: 0,
        count: 4096,
        jobs: 1,
        keep: None,
        show: None,
        shrink: None,
        all_levels: false,
        options: Vec::new(),
        threads: None,
        watched: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--from" => arguments.from = value.parse().ok()?,
            "--count" => arguments.count = value.parse().ok()?,
            "--jobs" => arguments.jobs = value.parse().ok()?,
            "--keep" => arguments.keep = Some(PathBuf::from(value)),
            "--levels" if value == "all" => arguments.all_levels = true,
            "--threads" => arguments.threads = Some(value.parse().ok()?),
            "--watch" if value == "races" => arguments.watched = true,
            "--option" => arguments.options.push(value),
            "--show" => arguments.show = Some(value.parse().ok()?),
            "--shrink" => arguments.shrink = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    // Races are looked for among threads.
    (arguments.threads.is_some() || !arguments.watched).then_some(arguments)
}

/// What all workers share.
struct Progress {
    done: u64,
    tally: Tally,
    said: Instant,
}

impl Progress {
    fn line(&self, count: u64) -> String {
        let share = |n: usize| 100 * n as u64 / self.done.max(1);
        format!(
            "{}/{count} functions, {}% modelled, {}% transformed, {} by clang alone, {} findings",
            self.done,
            share(self.tally.modelled),
            share(self.tally.transformed),
            self.tally.by_clang.len(),
            self.tally.findings.len()
        )
    }
}

fn main() -> ExitCode {
    let Some(arguments) = parse() else {
        eprintln!(
            "usage: fuzz [--from SEED] [--count N] [--jobs N] [--keep FOLDER] [--levels all] [--option KEY=VALUE] [--threads N [--watch races]] | fuzz --show SEED | fuzz --shrink SEED"
        );
        return ExitCode::from(2);
    };
    if let Some(seed) = arguments.show {
        print!("{}", program_alone(seed));
        return ExitCode::SUCCESS;
    }
    let workshop = Workshop::new(scratch(), plugin());
    let workshop = arguments
        .options
        .iter()
        .fold(workshop, |w, option| w.with_option(option));
    let workshop = match arguments.threads.map(Threads::new) {
        Some(threads) if arguments.watched => workshop.on_threads(threads.watched()),
        Some(threads) => workshop.on_threads(threads),
        None => workshop,
    };
    if let Some(seed) = arguments.shrink {
        let smaller = LEVELS.iter().find_map(|level| shrink(&workshop, seed, level));
        println!(
            "{}",
            smaller.as_deref().unwrap_or("nothing is wrong with this function")
        );
        return ExitCode::SUCCESS;
    }
    let next = AtomicU64::new(arguments.from / BLOCK);
    let end = (arguments.from + arguments.count).div_ceil(BLOCK);
    let progress = Mutex::new(Progress {
        done: 0,
        tally: Tally::default(),
        said: Instant::now(),
    });
    thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    if block >= end {
                        break;
                    }
                    let one = [level_of(block)];
                    let levels: &[_] = if arguments.all_levels { &LEVELS } else { &one };
                    let tally = workshop.check(block * BLOCK..(block + 1) * BLOCK, levels);
                    report(&tally, arguments.keep.as_deref());
                    let mut progress = progress.lock().expect("no worker panics while it reports");
                    progress.done += BLOCK;
                    progress.tally.add(tally);
                    if progress.said.elapsed() > Duration::from_secs(10) {
                        progress.said = Instant::now();
                        eprintln!("{}", progress.line(arguments.count));
                    }
                }
            });
        }
    });
    let progress = progress.into_inner().expect("no worker panicked");
    println!("{}", progress.line(arguments.count));
    let mut nests: Vec<_> = progress.tally.nests.iter().collect();
    nests.sort_by(|a, b| b.1.cmp(a.1));
    for (outcome, count) in nests {
        println!("{count:8} {outcome}");
    }
    // Nothing else is in the folder.
    let _ = std::fs::remove_dir_all(scratch());
    ExitCode::from(u8::from(!progress.tally.findings.is_empty()))
}

fn report(tally: &Tally, keep: Option<&Path>) {
    for (seed, level) in &tally.by_clang {
        println!("seed {seed} {level}: clang by itself computes something else than at -O1, or crashes");
    }
    for finding in &tally.findings {
        println!("seed {} {}: {}", finding.seed, finding.level, finding.what);
        if let Some(keep) = keep {
            let path = keep.join(format!("{}.c", finding.seed));
            std::fs::create_dir_all(keep).expect("a folder for findings");
            std::fs::write(&path, program_alone(finding.seed)).expect("a folder for findings");
        }
    }
}
