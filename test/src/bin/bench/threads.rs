//! `bench threads [--simulate] [--rounds N] [KERNEL[:SIZE]]...`: loops on threads, for each kernel in C.
//!
//! The first table has times on the clock on the wall: of clang alone, of the plugin without threads, of the plugin with
//! `-farkas-parallel=true` on one thread and on two, and of Polly's `-polly-parallel` on one and on two. Programs run in turn, some
//! rounds, and what is compared is the median of the ratios within a round. Two threads need two cores with nothing beside: the load of
//! the machine is printed before and behind. Threads are bound to cores: else the system may leave both on one for as long as a call of
//! some hundredths of a second takes. Each program calls its kernel twice, and the second call counts, as the first one starts
//! the threads.
//!
//! The second table (the only one with `--simulate`) is made of plans, for a machine that is always the same: how often a team is
//! forked, how often a row of a pipeline says how far it is, the share of the work that is done on threads, and for 2, 8 and 64 threads
//! the time of a team over that of one whose threads all have the same work and never wait, and how many times as fast as one thread
//! the whole is at best.

use crate::case::{Case, time};
use farkas_plan::target::Target;
use farkas_plan::{Choices, Parallel, budget, plan};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Program as Model;
use farkas_test::plans::printed;
use farkas_test::simulation::{Shares, simulate};
use farkas_test::{Program, further_kernels, geometric_mean, kernels, median};
use std::process::Command;

/// How often each program runs.
const ROUNDS: usize = 5;

/// The machine of simulations.
const MACHINE: &str = "zen4";

/// The threads of simulated teams.
const TEAMS: [usize; 3] = [2, 8, 64];

/// A program, and the threads that it runs on.
const RUNS: [(usize, usize); 6] = [(0, 1), (1, 1), (2, 1), (2, 2), (3, 1), (3, 2)];

/// What the ratios of the first table compare: the time of the first run over that of the second one.
const RATIOS: [(&str, usize, usize); 7] = [
    ("over clang", 0, 1),
    ("two threads over clang", 0, 3),
    ("one thread over none", 1, 2),
    ("two threads over none", 1, 3),
    ("two threads over one", 2, 3),
    ("Polly's one over clang", 0, 4),
    ("Polly's two over clang", 0, 5),
];

/// What is to be done.
struct Task {
    rounds: usize,
    is_simulation: bool,
    cases: Vec<Case>,
}

/// The arguments of `bench threads`.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn run(arguments: &[String]) -> Result<bool, String> {
    let task = task(arguments)?;
    let mut are_equal = true;
    if !task.is_simulation {
        are_equal = times(&task);
        println!();
    }
    simulations(&task.cases)?;
    Ok(are_equal)
}

fn task(arguments: &[String]) -> Result<Task, String> {
    let mut task = Task {
        rounds: ROUNDS,
        is_simulation: false,
        cases: Vec::new(),
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--simulate" => task.is_simulation = true,
            "--rounds" => {
                let number = words.next().and_then(|number| number.parse().ok());
                task.rounds = number.filter(|number| *number > 0).ok_or("--rounds needs a number")?;
            }
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            "further" => {
                let names = further_kernels().into_iter();
                let names = names.filter_map(|path| Some(format!("further/{}", path.file_stem()?.to_str()?)));
                let cases: Result<Vec<Case>, String> = names.map(|name| Case::parse(&name)).collect();
                task.cases.extend(cases?);
            }
            name => task.cases.push(Case::parse(name)?),
        }
    }
    if task.cases.is_empty() {
        task.cases = kernels()
            .iter()
            .map(|name| Case::parse(name))
            .collect::<Result<_, _>>()?;
    }
    Ok(task)
}

/// The table of times; gives whether all outputs are equal.
fn times(task: &Task) -> bool {
    println!("load {}", load());
    let titles: Vec<&str> = RATIOS.iter().map(|(title, ..)| *title).collect();
    println!(
        "| kernel | clang s | farkas s | {} | on threads | outputs |",
        titles.join(" | ")
    );
    println!("|---|--:|--:|{}--:|---|", "--:|".repeat(titles.len()));
    let mut all = Vec::new();
    for case in &task.cases {
        let row = measure(case, task.rounds);
        let cells: Vec<String> = row.ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        let outputs = if row.is_equal { "equal" } else { "DIFFER" };
        println!(
            "| {} | {:.4} | {:.4} | {} | {} | {outputs} |",
            case.title(),
            row.seconds[0],
            row.seconds[1],
            cells.join(" | "),
            row.on_threads
        );
        all.push(row);
    }
    for (position, (title, ..)) in RATIOS.iter().enumerate() {
        let ratios: Vec<f64> = all.iter().map(|row| row.ratios[position]).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "{title}: {:.2} in the geometric mean, least {least:.2}",
            geometric_mean(&ratios)
        );
    }
    println!("load {}", load());
    all.iter().all(|row| row.is_equal)
}

/// The mean number of processes that wanted a core in the last minute, and the number of cores.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text.split(' ').next().unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{load} on {cores} cores")
}

/// What was measured of a kernel.
struct Row {
    /// The median for each run.
    seconds: Vec<f64>,
    ratios: Vec<f64>,
    /// How many nests run on threads.
    on_threads: usize,
    is_equal: bool,
}

fn measure(case: &Case, rounds: usize) -> Row {
    let threads = ["-fopenmp", "-mllvm", "-farkas-parallel=true"];
    let polly = ["-fopenmp", "-mllvm", "-polly", "-mllvm", "-polly-parallel"];
    let programs = [
        case.compile("clang", false, &[]),
        case.compile("farkas", true, &[]),
        case.compile("threads", true, &threads),
        case.compile("polly", false, &polly),
    ];
    let mut seconds = vec![Vec::new(); RUNS.len()];
    let mut is_equal = true;
    let mut expected: Option<String> = None;
    for _ in 0..rounds {
        for (run, (program, threads)) in RUNS.iter().enumerate() {
            let (time, checksum) = time(&mut on_threads(&programs[*program], *threads));
            seconds[run].push(time);
            is_equal &= *expected.get_or_insert_with(|| checksum.clone()) == checksum;
        }
    }
    let ratio = |(_, one, other): &(&str, usize, usize)| {
        let pairs = seconds[*one].iter().zip(&seconds[*other]);
        median(pairs.map(|(one, other)| one / other).collect())
    };
    let row = Row {
        ratios: RATIOS.iter().map(ratio).collect(),
        seconds: seconds.iter().map(|seconds| median(seconds.clone())).collect(),
        on_threads: programs[2].diagnostics.matches("on threads").count(),
        is_equal,
    };
    for program in programs {
        // It is of no more use; if it is gone already, so be it.
        let _ = std::fs::remove_file(program.path);
    }
    row
}

/// The program on so many threads.
fn on_threads(program: &Program, threads: usize) -> Command {
    let mut command = Command::new(&program.path);
    command.arg("wall").env("OMP_NUM_THREADS", threads.to_string());
    command.env("OMP_PROC_BIND", "close").env("OMP_PLACES", "threads");
    command
}

/// The table of simulations.
fn simulations(cases: &[Case]) -> Result<(), String> {
    let teams: Vec<String> = TEAMS
        .iter()
        .map(|threads| format!("imbalance of {threads} | times as fast on {threads}"))
        .collect();
    println!(
        "| kernel | forks | iterations | steps of rows | share on threads | {} |",
        teams.join(" | ")
    );
    println!("|---|--:|--:|--:|--:|{}", "--:|".repeat(2 * TEAMS.len()));
    for case in cases {
        let Some(shares) = simulated(case)? else { continue };
        let share = shares.shared as f64 / (shares.alone + shares.shared).max(1) as f64;
        let teams: Vec<String> = (0..TEAMS.len())
            .map(|team| {
                format!(
                    "{:.2} | {:.2}",
                    shares.imbalance(team, TEAMS[team]),
                    shares.speed_up(team)
                )
            })
            .collect();
        println!(
            "| {} | {} | {} | {} | {share:.3} | {} |",
            case.title(),
            shares.forks,
            shares.iterations,
            shares.steps,
            teams.join(" | ")
        );
    }
    Ok(())
}

/// What all plans of a kernel come to; `None` where none has threads.
fn simulated(case: &Case) -> Result<Option<Shares>, String> {
    let target = Target::preset(MACHINE).expect("a preset");
    let choices = Choices {
        parallel: Parallel::Auto,
        ..Choices::default()
    };
    let mut all: Option<Shares> = None;
    for model in transformed(case) {
        let model: Model = model.parse().map_err(|error| format!("{}: {error}", case.title()))?;
        let whole = budget(&model, &choices).left();
        // A region of several segments has half the budget, which the text does not say.
        let mut plans = [whole, whole / 2]
            .into_iter()
            .filter_map(|units| plan(&model, &target, &choices, &|_, _| {}, &Budget::new(units)).ok());
        let Some(plan) = plans.find(|plan| plan.threads.is_some()) else {
            continue;
        };
        let params: Vec<Int> = (plan.ast.params.names().iter())
            .map(|name| value_of(case, name.as_str()))
            .collect();
        let shares = simulate(&plan.ast, &params, &TEAMS).map_err(|error| format!("{}: {error}", case.title()))?;
        all.get_or_insert_default().add(&shares);
    }
    Ok(all)
}

/// The value of a parameter: the number of time steps, and the size for all others.
fn value_of(case: &Case, parameter: &str) -> Int {
    let text = std::fs::read_to_string(case.source()).expect("a source");
    let defined = |name: &str| {
        let rest = text.split_once(&format!("#define {name} ")).map(|(_, rest)| rest);
        rest.and_then(|rest| rest.lines().next()?.trim().parse::<i64>().ok())
    };
    let size = case.size.map(i64::from).or_else(|| defined("N")).unwrap_or(1000);
    match parameter.contains("step") {
        true => defined("STEPS").unwrap_or(size).into(),
        false => size.into(),
    }
}

/// The models of what the plugin transforms: a remark follows each of them.
fn transformed(case: &Case) -> Vec<String> {
    let machine = format!("-farkas-target={MACHINE}");
    let mut flags = vec![
        "-Rpass=farkas",
        "-mllvm",
        "-farkas-print=scop",
        "-mllvm",
        "-farkas-parallel=true",
        "-mllvm",
        &machine,
    ];
    let own = case.flags();
    flags.extend(own.iter().map(String::as_str));
    let (mut models, mut last, mut is_model) = (Vec::new(), String::new(), false);
    for line in printed(&case.source(), &flags).lines() {
        if line == "program" {
            (last, is_model) = (String::new(), true);
        }
        is_model &= line == "program" || line.starts_with(' ');
        if is_model {
            last += line;
            last.push('\n');
        } else if line.contains("loop nest transformed") && !last.is_empty() {
            models.push(std::mem::take(&mut last));
        }
    }
    models
}
