//! The AST generator beside isl's, on isl's own tests: time, how much is in the code, and how much is evaluated.

use cpu_time::ThreadTime;
use farkas_peer::ast::c::{Counts, Program};
use farkas_peer::ast::compiled::{Compiler, measure};
use farkas_peer::ast::input::{Input, Mode, folder, inputs};
use farkas_peer::isl::Isl;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::tree::LoopKind;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
usage: ast [tables] [NAME]... [--mode MODE] [--rounds N] [--text]
Without `tables`: a line for each input whose name contains one of the NAMEs, and means. MODE is `given`, `default`,
`separate`, `atomic` or `unroll`; with `--text` the code of both is printed. With `tables`: tables I and II of P1.";

const BUDGET: u64 = 1_000_000_000;
const PATIENCE: Duration = Duration::from_secs(20);
/// Assignments of parameters for which code is executed.
const ASSIGNMENTS: usize = 6;
const STEPS: u64 = 50_000_000;

struct Settings {
    tables: bool,
    names: Vec<String>,
    mode: Mode,
    rounds: usize,
    text: bool,
}

fn settings(mut args: impl Iterator<Item = String>) -> Result<Settings, String> {
    let mut settings = Settings {
        tables: false,
        names: Vec::new(),
        mode: Mode::AsGiven,
        rounds: 5,
        text: false,
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "tables" => settings.tables = true,
            "--text" => settings.text = true,
            "--rounds" => settings.rounds = value()?.parse().map_err(|_| "--rounds needs a number")?,
            "--mode" => {
                let name = value()?;
                let mode = Mode::ALL.into_iter().find(|mode| mode.name() == name);
                settings.mode = mode.ok_or_else(|| format!("--mode {name}"))?;
            }
            name if !name.starts_with('-') => settings.names.push(name.into()),
            other => return Err(format!("unknown option {other}")),
        }
    }
    Ok(settings)
}

fn main() -> ExitCode {
    let fail = |error: &str| {
        eprintln!("ast: {error}");
        ExitCode::from(2)
    };
    let settings = match settings(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(error) => return fail(&format!("{error}\n{USAGE}")),
    };
    let mut peers = Vec::new();
    for peer in [Isl::system(), Isl::small_integers()] {
        match peer {
            Ok(peer) => {
                println!("{}: {}", peer.label(), peer.version());
                peers.push(peer);
            }
            Err(error) => println!("a build of isl is missing: {error}"),
        }
    }
    let result = if settings.tables {
        tables(&peers)
    } else {
        corpus(&peers, &settings)
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

/// What one generator made of an input.
struct Made {
    time: Duration,
    text: String,
}

fn farkas_once(input: &Input) -> Result<Made, String> {
    let budget = Budget::new(BUDGET);
    let start = ThreadTime::now();
    let ast = input.generate(&budget);
    let time = start.elapsed();
    let ast = ast.map_err(|error| error.to_string())?;
    Ok(Made {
        time,
        text: ast.to_string(),
    })
}

fn isl_once(isl: &Isl, input: &Input) -> Result<Made, String> {
    let generated = input.generate_isl(isl, PATIENCE).map_err(|error| error.to_string())?;
    Ok(Made {
        time: generated.time,
        text: generated.text,
    })
}

/// Everything in turn, with medians of the times: the faster of the peers, and Farkas.
fn both(peers: &[Isl], input: &Input, rounds: usize) -> (Result<Made, String>, Result<Made, String>) {
    let mut runs: Vec<(Vec<Duration>, Result<String, String>)> =
        vec![(Vec::new(), Err("not run".into())); peers.len() + 1];
    for round in 0..rounds {
        for (k, (times, text)) in runs.iter_mut().enumerate() {
            if round > 0 && text.is_err() {
                continue;
            }
            let made = match peers.get(k) {
                Some(isl) => isl_once(isl, input),
                None => farkas_once(input),
            };
            *text = made.map(|made| {
                times.push(made.time);
                made.text
            });
        }
    }
    let mut made = runs.into_iter().map(|(mut times, text)| {
        times.sort();
        text.map(|text| Made {
            time: times[times.len() / 2],
            text,
        })
    });
    let mut isl: Result<Made, String> = Err("no isl".to_string());
    for peer in made.by_ref().take(peers.len()) {
        isl = match (isl, peer) {
            (Ok(a), Ok(b)) => Ok(if a.time <= b.time { a } else { b }),
            (Ok(a), Err(_)) => Ok(a),
            (Err(_), b) => b,
        };
    }
    (isl, made.next().expect("Farkas is the last"))
}

/// What code evaluates for several values of the parameters, together.
fn evaluated(input: &Input, text: &str) -> Result<[u64; 2], String> {
    let program: Program = text.parse().map_err(|error| format!("not read: {error}"))?;
    let mut sum = [0; 2];
    for values in input.assignments(ASSIGNMENTS) {
        let named: Vec<(&str, i64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let executed = program.execute(&named, STEPS).map_err(|error| error.to_string())?;
        sum[0] += executed.conditions;
        sum[1] += executed.operators;
    }
    Ok(sum)
}

/// What is compared of two codes: in the text statements, loops, conditions and operators; evaluated conditions and
/// operators.
const WHAT: [&str; 6] = [
    "statements",
    "loops",
    "conditions",
    "operators",
    "conditions evaluated",
    "operators evaluated",
];

/// An input, with the times of both and the figures of [`WHAT`]: isl's first.
type Compared = (String, [Duration; 2], [[u64; 2]; 6]);

fn figures(text: &str, small: (&Input, &str)) -> Result<[u64; 6], String> {
    let program: Program = text.parse().map_err(|error| format!("not read: {error}"))?;
    let Counts {
        statements,
        loops,
        conditions,
        operators,
    } = program.counts();
    let [evaluated_conditions, evaluated_operators] = evaluated(small.0, small.1)?;
    Ok([
        statements,
        loops,
        conditions,
        operators,
        evaluated_conditions,
        evaluated_operators,
    ])
}

fn corpus(peers: &[Isl], settings: &Settings) -> Result<(), String> {
    let inputs = inputs()?.ok_or("no tests of isl's code generator in ../shared/data")?;
    println!("\nTime in ms; of the rest isl's number and Farkas's.\n");
    println!("| input | isl | Farkas | ratio | {} |", WHAT.join(" | "));
    println!("|---|--:|--:|--:|{}", "---|".repeat(WHAT.len()));
    let mut rows: Vec<Compared> = Vec::new();
    let mut missing = Vec::new();
    for input in inputs {
        if !settings.names.is_empty() && !settings.names.iter().any(|name| input.name.contains(name)) {
            continue;
        }
        let small = input.small().with_mode(settings.mode);
        let is_smaller = small.name != input.name;
        let input = input.with_mode(settings.mode);
        let (isl, ours) = both(peers, &input, settings.rounds);
        let (isl, ours) = match (isl, ours) {
            (Ok(isl), Ok(ours)) => (isl, ours),
            (isl, ours) => {
                let of = |made: Result<Made, String>| made.map_or_else(|error| error, |_| "done".to_string());
                missing.push(format!("{}: isl {}, Farkas {}", input.name, of(isl), of(ours)));
                continue;
            }
        };
        let figures = |made: &Made, peer: Option<&Isl>| {
            // What is executed is smaller where the input is too large.
            let made_small = match (is_smaller, peer) {
                (false, _) => made.text.clone(),
                (true, Some(isl)) => isl_once(isl, &small)?.text,
                (true, None) => farkas_once(&small)?.text,
            };
            figures(&made.text, (&small, &made_small))
        };
        match (figures(&isl, peers.first()), figures(&ours, None)) {
            (Ok(theirs), Ok(own)) => {
                let pairs: [[u64; 2]; 6] = std::array::from_fn(|k| [theirs[k], own[k]]);
                let cells: Vec<String> = pairs.iter().map(|[theirs, own]| format!("{theirs} {own}")).collect();
                println!(
                    "| {} | {:.2} | {:.2} | {:.2} | {} |",
                    input.name,
                    ms(isl.time),
                    ms(ours.time),
                    ours.time.as_secs_f64() / isl.time.as_secs_f64(),
                    cells.join(" | ")
                );
                if settings.text {
                    println!("\nisl:\n{}\nFarkas:\n{}", isl.text, ours.text);
                }
                rows.push((input.name, [isl.time, ours.time], pairs));
            }
            (theirs, own) => {
                let of = |figures: Result<[u64; 6], String>| figures.err().unwrap_or_else(|| "done".to_string());
                missing.push(format!(
                    "{}: isl's code {}, Farkas's code {}",
                    input.name,
                    of(theirs),
                    of(own)
                ));
            }
        }
    }
    summary(&rows);
    println!("\nleft out: {}", missing.len());
    missing.iter().for_each(|line| println!("  {line}"));
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn summary(rows: &[Compared]) {
    if rows.is_empty() {
        return;
    }
    let sum = |side: usize| rows.iter().map(|(_, times, _)| times[side]).sum::<Duration>();
    let ratio = |times: &[Duration; 2]| times[1].as_secs_f64() / times[0].as_secs_f64();
    let mean = |ratios: &mut dyn Iterator<Item = f64>| (ratios.map(f64::ln).sum::<f64>() / rows.len() as f64).exp();
    println!(
        "\n{} inputs; time: isl {:.1} ms, Farkas {:.1} ms, ratio {:.2}, geometric mean of ratios {:.2}",
        rows.len(),
        ms(sum(0)),
        ms(sum(1)),
        ratio(&[sum(0), sum(1)]),
        mean(&mut rows.iter().map(|(_, times, _)| ratio(times)))
    );
    let mut slow: Vec<(f64, &str)> = rows
        .iter()
        .map(|(name, times, _)| (ratio(times), name.as_str()))
        .collect();
    slow.sort_by(|a, b| b.0.total_cmp(&a.0));
    slow.iter()
        .take(8)
        .for_each(|(ratio, name)| println!("  {ratio:.2} {name}"));
    println!("\n| | isl | Farkas | ratio of sums | geometric mean of (Farkas + 1) / (isl + 1) | fewer | more |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (k, what) in WHAT.iter().enumerate() {
        let sum = |side: usize| rows.iter().map(|(_, _, pairs)| pairs[k][side]).sum::<u64>();
        let plus_one = |[theirs, own]: [u64; 2]| (own + 1) as f64 / (theirs + 1) as f64;
        let count = |is: &dyn Fn(u64, u64) -> bool| rows.iter().filter(|(_, _, p)| is(p[k][1], p[k][0])).count();
        println!(
            "| {what} | {} | {} | {:.3} | {:.3} | {} | {} |",
            sum(0),
            sum(1),
            sum(1) as f64 / sum(0).max(1) as f64,
            mean(&mut rows.iter().map(|(_, _, pairs)| plus_one(pairs[k]))),
            count(&|own, theirs| own < theirs),
            count(&|own, theirs| own > theirs)
        );
    }
    for (k, what) in WHAT.iter().enumerate() {
        let mut worst: Vec<(f64, &str, [u64; 2])> = rows
            .iter()
            .map(|(name, _, pairs)| {
                let [theirs, own] = pairs[k];
                ((own + 1) as f64 / (theirs + 1) as f64, name.as_str(), pairs[k])
            })
            .filter(|(ratio, _, _)| *ratio > 1.0)
            .collect();
        worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        let shown = |(_, name, [theirs, own]): &(f64, &str, [u64; 2])| format!("{name} {theirs} {own}");
        let worst: Vec<String> = worst.iter().take(8).map(shown).collect();
        println!("most {what}: {}", worst.join("; "));
    }
}

/// An input of the tables of P1: a name, a tree, whether everything is unrolled, and the values of parameters. The paper does
/// not say which values it takes; these are of the size that its numbers of instructions suggest.
type Row = (&'static str, &'static str, bool, &'static [(&'static str, i64)]);

const TWO: &str = r#"domain: "{ S[i] : exists (a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8) }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"#;

const BOUNDS: &str = r#"domain: "[t1, t2] -> { S[i, j] : exists (a, b : 0 <= i <= 1 and t1 = j + 128a and 0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5) }"
child:
  schedule: "[t1, t2] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
"#;

const ROWS: [Row; 8] = [
    (
        "table I, figure 7",
        r#"domain: "[n] -> { S0[i] : exists a : 1 <= i <= n and i = 4a; S1[i] : exists a : 1 <= i <= n and i = 4a + 2 }"
child:
  schedule: "[n] -> [{ S0[i] -> [(i)]; S1[i] -> [(i)] }]"
  options: "{ separate[x] }"
"#,
        false,
        &[("n", 100)],
    ),
    (
        "table II, modulo simple",
        r#"domain: "[n] -> { S[i] : i = n mod 128 }"
child:
  context: "[n] -> { [] : n >= 0 }"
  child:
    schedule: "[n] -> [{ S[i] -> [(i)] }]"
"#,
        false,
        &[("n", 1000)],
    ),
    (
        "table II, modulo shifted",
        r#"domain: "[t1] -> { S[i] : 7 <= i <= 134 and i mod 128 = t1 }"
child:
  context: "[t1] -> { [] : 0 <= t1 < 128 }"
  child:
    schedule: "[t1] -> [{ S[i] -> [(i)] }]"
"#,
        false,
        &[("t1", 50)],
    ),
    (
        "table II, modulo conditional",
        r#"domain: "[t1] -> { S[i] : 7 <= i <= 130 and i mod 128 = t1 }"
child:
  context: "[t1] -> { [] : 0 <= t1 < 128 }"
  child:
    schedule: "[t1] -> [{ S[i] -> [(i)] }]"
"#,
        false,
        &[("t1", 50)],
    ),
    ("table II, two variables", TWO, false, &[]),
    ("table II, two variables, unrolled", TWO, true, &[]),
    ("table II, several bounds", BOUNDS, false, &[("t1", 127), ("t2", 255)]),
    (
        "table II, several bounds, unrolled",
        BOUNDS,
        true,
        &[("t1", 127), ("t2", 255)],
    ),
];

fn tables(peers: &[Isl]) -> Result<(), String> {
    let isl = peers.first().ok_or("no isl")?;
    let work = farkas_peer::root().join("target/bench-ast");
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut inputs: Vec<(Input, &[(&str, i64)])> = Vec::new();
    for (name, text, unroll, values) in ROWS {
        let input = Input::new(name.to_string(), text.to_string())?;
        let mode = if unroll {
            Mode::All(LoopKind::Unroll)
        } else {
            Mode::AsGiven
        };
        inputs.push((input.with_mode(mode), values));
    }
    if let Some(path) = folder().map(|folder| folder.join("cloog/youcefn.st")) {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        inputs.insert(
            1,
            (
                Input::new("table I, youcefn".to_string(), text)?,
                &[("n", 100), ("m", 200)],
            ),
        );
    }
    let names: Vec<String> = Compiler::ALL.iter().map(|compiler| compiler.name()).collect();
    println!("\nBytes of the function, instructions executed in it.\n");
    println!("| input | generator | {} |", names.join(" | "));
    println!("|---|---|{}", "---|".repeat(names.len()));
    let mut texts = Vec::new();
    for (input, values) in &inputs {
        for (whose, made) in [("isl", isl_once(isl, input)), ("Farkas", farkas_once(input))] {
            let cell = |compiler: Compiler| match &made {
                Ok(made) => match measure(&made.text, values, compiler, &work) {
                    Ok(measured) => {
                        let instructions = measured.instructions.map_or("no valgrind".into(), |n| n.to_string());
                        format!("{}, {instructions}", measured.size)
                    }
                    Err(error) => error,
                },
                Err(error) => error.clone(),
            };
            println!("| {} | {whose} | {} |", input.name, Compiler::ALL.map(cell).join(" | "));
            texts.extend(made.ok().map(|made| format!("{}, {whose}:\n{}", input.name, made.text)));
        }
    }
    println!("\n{}", texts.join("\n"));
    Ok(())
}
