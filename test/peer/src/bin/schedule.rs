//! Times the scheduler on files with schedule constraints, and on generated ones, in Farkas and in isl, and compares what
//! the schedules offer.
//!
//! Reading is not timed. The libraries take turns; a time is the median of the rounds, in time of the processor. What
//! takes longer than a second is not repeated, and isl is stopped after some seconds: a file that it does not finish
//! counts for Farkas, and not for the comparison.

use cpu_time::ThreadTime;
use farkas_peer::isl::{Isl, ScheduleFailure};
use farkas_peer::schedule::generated::{self, Shape};
use farkas_peer::schedule::input::{self, Input, Mode, Settings};
use farkas_peer::schedule::outline::Outline;
use farkas_peer::schedule::quality::{Quality, qualities};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::schedule::{ScheduleConstraints, schedule};
use std::process::ExitCode;
use std::time::Duration;

/// What Farkas may spend on one file.
const BUDGET: u64 = 1_000_000_000;

/// What takes longer is not repeated.
const LONG: Duration = Duration::from_secs(1);

const USAGE: &str = "usage: schedule [NAME..] [--rounds R] [--patience SECONDS] [--only farkas|isl-gmp|isl-imath] [--generated] [--files]\n\
                     NAME: part of the name of a file";

struct Options {
    names: Vec<String>,
    rounds: usize,
    patience: Duration,
    farkas: bool,
    peers: Vec<&'static str>,
    files: bool,
    generated: bool,
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        names: Vec::new(),
        rounds: 5,
        patience: Duration::from_secs(10),
        farkas: true,
        peers: vec!["isl-gmp", "isl-imath"],
        files: true,
        generated: true,
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--rounds" => options.rounds = value()?.parse().map_err(|_| "--rounds needs a number")?,
            "--patience" => {
                let seconds = value()?.parse().map_err(|_| "--patience needs a number")?;
                options.patience = Duration::from_secs(seconds);
            }
            "--only" => match value()?.as_str() {
                "farkas" => options.peers.clear(),
                "isl-gmp" => (options.farkas, options.peers) = (false, vec!["isl-gmp"]),
                "isl-imath" => (options.farkas, options.peers) = (false, vec!["isl-imath"]),
                other => return Err(format!("--only {other}")),
            },
            "--files" => options.generated = false,
            "--generated" => options.files = false,
            name if !name.starts_with('-') => options.names.push(name.into()),
            other => return Err(format!("unknown option {other}")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let fail = |error: &str| {
        eprintln!("schedule: {error}");
        ExitCode::from(2)
    };
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => return fail(&format!("{error}\n{USAGE}")),
    };
    let inputs = match input::inputs() {
        Ok(Some(inputs)) => inputs,
        Ok(None) => return fail("no schedule constraints in ../shared/data"),
        Err(error) => return fail(&error),
    };
    let mut peers = Vec::new();
    for label in &options.peers {
        match if *label == "isl-gmp" {
            Isl::system()
        } else {
            Isl::small_integers()
        } {
            Ok(peer) => {
                println!("{}: {}", peer.label(), peer.version());
                peers.push(peer);
            }
            Err(error) => println!("a build of isl is missing: {error}"),
        }
    }
    let is_wanted = |input: &Input| options.names.is_empty() || options.names.iter().any(|n| input.name.contains(n));
    if options.files {
        files(inputs.into_iter().filter(is_wanted), &peers, &options);
    }
    if options.generated {
        growth(&peers, &options);
    }
    ExitCode::SUCCESS
}

/// A time, or why there is none.
type Measured = Result<Duration, String>;

/// What one library did: its median time, and a schedule.
struct Outcome {
    time: Measured,
    tree: Option<String>,
}

/// Schedules with everything, in turn: first the peers, then Farkas.
fn measure(text: &str, settings: &Settings, peers: &[Isl], options: &Options) -> (Vec<Outcome>, Option<Outcome>) {
    let mut runs: Vec<(Vec<Duration>, Result<String, String>)> =
        vec![(Vec::new(), Err("not run".into())); peers.len() + usize::from(options.farkas)];
    for round in 0..options.rounds {
        for (k, (times, tree)) in runs.iter_mut().enumerate() {
            if round > 0 && (tree.is_err() || times[0] > LONG) {
                continue;
            }
            let result = match peers.get(k) {
                Some(isl) => isl_once(isl, text, settings, options.patience),
                None => farkas_once(text, settings),
            };
            match result {
                Ok((time, text)) => {
                    times.push(time);
                    *tree = Ok(text);
                }
                Err(error) => *tree = Err(error),
            }
        }
    }
    let mut outcomes: Vec<Outcome> = runs
        .into_iter()
        .map(|(mut times, tree)| {
            times.sort();
            Outcome {
                time: tree.as_ref().map(|_| times[times.len() / 2]).map_err(String::clone),
                tree: tree.ok(),
            }
        })
        .collect();
    let ours = if options.farkas { outcomes.pop() } else { None };
    (outcomes, ours)
}

fn isl_once(isl: &Isl, text: &str, settings: &Settings, patience: Duration) -> Result<(Duration, String), String> {
    match isl.schedule(text, &settings.isl(), patience) {
        Ok(scheduled) => Ok((scheduled.time, scheduled.tree)),
        Err(ScheduleFailure::Limit) => Err("limit".into()),
        Err(error) => {
            eprintln!("schedule: {}: {error}", isl.label());
            Err("failed".into())
        }
    }
}

fn farkas_once(text: &str, settings: &Settings) -> Result<(Duration, String), String> {
    let constraints: ScheduleConstraints = text.parse().map_err(|error| format!("not read: {error}"))?;
    let (options, budget) = (settings.farkas(), Budget::new(BUDGET));
    let start = ThreadTime::now();
    let tree = schedule(&constraints, &options, &budget);
    let time = start.elapsed();
    tree.map(|tree| (time, tree.to_string()))
        .map_err(|error| error.to_string())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn cell(time: &Measured) -> String {
    match time {
        Ok(time) => format!("{:.2}", ms(*time)),
        Err(error) => error.clone(),
    }
}

/// The time of the faster build of isl.
fn best(peers: &[Outcome]) -> Option<Duration> {
    peers
        .iter()
        .filter_map(|outcome| outcome.time.as_ref().ok().copied())
        .min()
}

/// Sums over files.
#[derive(Default)]
struct Total {
    files: usize,
    isl: Duration,
    farkas: Duration,
    unfinished: usize,
    /// Farkas's time for the files that isl did not finish.
    alone: Duration,
}

impl Total {
    fn add(&mut self, isl: Option<Duration>, farkas: Duration) {
        self.files += 1;
        match isl {
            Some(isl) => {
                self.isl += isl;
                self.farkas += farkas;
            }
            None => {
                self.unfinished += 1;
                self.alone += farkas;
            }
        }
    }

    fn print(&self, what: &str) {
        println!(
            "{what}: {} files; finished by both: isl {:.1} ms, Farkas {:.1} ms, ratio {:.2}; {} files that isl does not finish: \
             Farkas {:.1} ms",
            self.files,
            ms(self.isl),
            ms(self.farkas),
            self.farkas.as_secs_f64() / self.isl.as_secs_f64(),
            self.unfinished,
            ms(self.alone)
        );
    }
}

fn files(inputs: impl Iterator<Item = Input>, peers: &[Isl], options: &Options) {
    let labels: Vec<String> = peers.iter().map(|isl| format!("{}, ms", isl.label())).collect();
    println!(
        "\n| file | mode | {} | Farkas, ms | ratio | isl's members | Farkas's |",
        labels.join(" | ")
    );
    println!("|---|---|{}--:|--:|---|---|", "--:|".repeat(peers.len()));
    let (mut total, mut fixed, mut symbolic) = (Total::default(), Total::default(), Total::default());
    let mut ratios: Vec<(f64, String)> = Vec::new();
    let mut below = Vec::new();
    for input in inputs {
        for mode in Mode::ALL {
            let (theirs, ours) = measure(&input.text, &input.settings.with_mode(mode), peers, options);
            let isl = best(&theirs);
            let farkas = ours.as_ref().and_then(|ours| ours.time.as_ref().ok().copied());
            let at = format!("{} {}", input.name, mode.name());
            let ratio = isl
                .zip(farkas)
                .map(|(isl, farkas)| farkas.as_secs_f64() / isl.as_secs_f64());
            if let Some(farkas) = farkas {
                total.add(isl, farkas);
                match input.name.split('.').nth(1) {
                    Some("fixed") => fixed.add(isl, farkas),
                    Some("param") => symbolic.add(isl, farkas),
                    _ => {}
                }
            }
            ratios.extend(ratio.map(|ratio| (ratio, at.clone())));
            let own = ours.as_ref().and_then(|ours| ours.tree.clone());
            let peer = theirs.iter().find_map(|outcome| outcome.tree.clone());
            let sum = |tree: &Option<String>| tree.as_ref().map_or("-".to_string(), |tree| sum(tree).to_string());
            let times: Vec<String> = theirs.iter().chain(&ours).map(|outcome| cell(&outcome.time)).collect();
            println!(
                "| {} | {} | {} | {} | {} | {} |",
                input.name,
                mode.name(),
                times.join(" | "),
                ratio.map_or("-".into(), |ratio| format!("{ratio:.2}")),
                sum(&peer),
                sum(&own)
            );
            if let Some(own) = own {
                let of_run = peer.map(|tree| ("isl in this run", tree));
                let of_file = input
                    .expected(mode)
                    .map(|tree| ("isl's schedule beside the file", tree));
                for (whose, peer) in of_run.into_iter().chain(of_file) {
                    below.extend(
                        compare(&own, &peer)
                            .into_iter()
                            .map(|line| format!("{at}, beside {whose}: {line}")),
                    );
                }
            }
        }
    }
    println!();
    total.print("all");
    symbolic.print("symbolic sizes");
    fixed.print("fixed sizes");
    let (of_fixed, of_symbolic) = (fixed.farkas + fixed.alone, symbolic.farkas + symbolic.alone);
    println!(
        "Farkas, fixed beside symbolic sizes: {:.2}",
        of_fixed.as_secs_f64() / of_symbolic.as_secs_f64()
    );
    ratios.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("highest ratios:");
    ratios
        .iter()
        .take(12)
        .for_each(|(ratio, at)| println!("  {ratio:.2} {at}"));
    println!(
        "statements for which Farkas's schedule has less of something (permutable, coincident, outermost band, its coincident start):"
    );
    below.iter().for_each(|line| println!("  {line}"));
}

fn sum(tree: &str) -> Quality {
    let outline = Outline::parse(tree).unwrap_or_else(|error| panic!("{error}:\n{tree}"));
    qualities(&outline)
        .values()
        .fold(Quality::default(), |sum, own| sum + *own)
}

/// The statements for which `ours` has less of something than `theirs`.
fn compare(ours: &str, theirs: &str) -> Vec<String> {
    let of = |tree: &str| qualities(&Outline::parse(tree).unwrap_or_else(|error| panic!("{error}:\n{tree}")));
    let theirs = of(theirs);
    let mut lines = Vec::new();
    for (tuple, own) in of(ours) {
        if let Some(peer) = theirs.get(&tuple)
            && own.is_below(peer)
        {
            lines.push(format!("{tuple}: {own}, isl {peer}"));
        }
    }
    lines
}

/// How time grows with the number of statements.
fn growth(peers: &[Isl], options: &Options) {
    let labels: Vec<String> = peers.iter().map(|isl| format!("{}, ms", isl.label())).collect();
    println!(
        "\n| dependences | statements | {} | Farkas, ms | ratio |",
        labels.join(" | ")
    );
    println!("|---|--:|{}--:|--:|", "--:|".repeat(peers.len()));
    for shape in Shape::ALL {
        for n in [10, 50, 100, 200] {
            let text = generated::constraints(shape, n);
            let (theirs, ours) = measure(&text, &Settings::default(), peers, options);
            let farkas = ours.as_ref().and_then(|ours| ours.time.as_ref().ok().copied());
            let ratio = best(&theirs)
                .zip(farkas)
                .map(|(isl, farkas)| farkas.as_secs_f64() / isl.as_secs_f64());
            let times: Vec<String> = theirs.iter().chain(&ours).map(|outcome| cell(&outcome.time)).collect();
            println!(
                "| {shape} | {n} | {} | {} |",
                times.join(" | "),
                ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))
            );
        }
    }
}
