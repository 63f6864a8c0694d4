//! Times every operation of the operand corpus in Farkas and in isl, and compares the results.
//!
//! Each repetition has operands that have just been read, so that no library profits from what an earlier one has left in
//! them. Only the operation is timed: not reading, nor freeing the result. The libraries take turns. A line's time is
//! the median of its repetitions.

use farkas_peer::corpus::{self, Line};
use farkas_peer::isl::{Isl, Kind, Object, Output, Raw, Search};
use farkas_peer::ops::{self, Check, Op, Value, regions};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::sets::{Map, Set, Tuple};
use farkas_polyhedral::solver::non_trivial::Region;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// What Farkas may spend on one operation.
const BUDGET: u64 = 20_000_000;

/// What isl may spend on comparing two results.
const COMPARISON: u64 = 20_000_000;

const GMP: &str = "isl-gmp";
const IMATH: &str = "isl-imath";

const USAGE: &str = "usage: sets [CORPUS] [--op NAME] [--lines A..B] [--repeat R] [--only farkas|isl|isl-gmp|isl-imath] [--slowest N] \
                     [--no-check] [--memory]";

#[derive(Clone, Debug)]
struct Options {
    corpus: PathBuf,
    op: Option<String>,
    lines: std::ops::Range<usize>,
    repeat: usize,
    farkas: bool,
    /// The builds of isl.
    isl: Vec<&'static str>,
    slowest: usize,
    check: bool,
    memory: bool,
    /// For the measurement of memory: say the peak at the end.
    child: bool,
    /// For the measurement of memory: only read the operands.
    parse_only: bool,
    /// For the measurement of memory: keep all operands and results to the end.
    keep: bool,
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        corpus: farkas_peer::root().join("../shared/data/set-operations.jsonl"),
        op: None,
        lines: 1..usize::MAX,
        repeat: 5,
        farkas: true,
        isl: vec![GMP, IMATH],
        slowest: 0,
        check: true,
        memory: false,
        child: false,
        parse_only: false,
        keep: false,
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--op" => options.op = Some(value()?),
            "--lines" => {
                let range = value()?;
                let (a, b) = range.split_once("..").ok_or("--lines needs A..B")?;
                let number = |text: &str, default| match text {
                    "" => Ok(default),
                    text => text.parse::<usize>().map_err(|_| format!("not a number: {text}")),
                };
                options.lines = number(a, 1)?..number(b, usize::MAX)?;
            }
            "--repeat" => options.repeat = value()?.parse().map_err(|_| "--repeat needs a number")?,
            "--slowest" => options.slowest = value()?.parse().map_err(|_| "--slowest needs a number")?,
            "--only" => match value()?.as_str() {
                "farkas" => options.isl.clear(),
                "isl" => options.farkas = false,
                GMP => (options.farkas, options.isl) = (false, vec![GMP]),
                IMATH => (options.farkas, options.isl) = (false, vec![IMATH]),
                other => return Err(format!("--only farkas, isl, {GMP} or {IMATH}, not {other}")),
            },
            "--no-check" => options.check = false,
            "--memory" => options.memory = true,
            "--child" => options.child = true,
            "--parse-only" => options.parse_only = true,
            "--keep" => options.keep = true,
            path if !path.starts_with('-') => options.corpus = path.into(),
            other => return Err(format!("unknown option {other}")),
        }
    }
    options.check &= options.farkas && !options.isl.is_empty();
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("sets: {error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let lines = match corpus::read(&options.corpus) {
        Ok(lines) => lines,
        Err(error) => {
            eprintln!("sets: {error}");
            return ExitCode::from(2);
        }
    };
    let wanted =
        |line: &Line| options.op.as_ref().is_none_or(|op| *op == line.op) && options.lines.contains(&line.number);
    let lines: Vec<Line> = lines.into_iter().filter(wanted).collect();
    if options.memory {
        return memory(&options);
    }
    let mut peers = Vec::new();
    if !options.isl.is_empty() {
        for label in &options.isl {
            match if *label == GMP {
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
        if peers.is_empty() {
            return ExitCode::from(2);
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    let mut bench = Bench {
        options: &options,
        peers: &peers,
        report: Report::default(),
        kept: Vec::new(),
    };
    for line in &lines {
        bench.line(line);
    }
    let Bench { report, .. } = &bench;
    if options.child {
        println!("{PEAK}{}", own_peak().unwrap_or(0));
        return ExitCode::SUCCESS;
    }
    report.print(&peers, &options);
    if report.disagreements.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What happened on a line, where not everything is as it should be.
#[derive(Default)]
struct Report {
    times: BTreeMap<String, Vec<Times>>,
    out_of_budget: Vec<String>,
    not_mapped: BTreeMap<String, usize>,
    isl_failed: Vec<String>,
    not_compared: Vec<String>,
    hulls: (usize, usize),
    disagreements: Vec<String>,
}

struct Times {
    line: usize,
    peers: Vec<Duration>,
    farkas: Option<Duration>,
}

struct Bench<'a> {
    options: &'a Options,
    peers: &'a [Isl],
    report: Report,
    kept: Vec<Kept<'a>>,
}

/// What is kept to the end where memory is measured.
#[allow(dead_code, reason = "kept in memory, not looked at")]
enum Kept<'a> {
    Values(Vec<Value>),
    Objects(Vec<Object<'a>>),
}

/// isl's operands of a line.
fn read<'a>(isl: &'a Isl, op: &Op, line: &Line) -> Option<Vec<Object<'a>>> {
    line.args
        .iter()
        .zip(op.operands)
        .map(|(text, kind)| isl.read(*kind, text))
        .collect()
}

/// Farkas's operands of a line.
fn parse(line: &Line) -> Result<Vec<Value>, String> {
    let parse = |text: &String| {
        let eliminate = line.op.starts_with("tab_basic_map") && line.ints[0] & ops::ELIMINATE != 0;
        match corpus::quantified_as_dims(text) {
            Some(text) if eliminate => Value::parse(&text),
            _ => Value::parse(text),
        }
    };
    line.args.iter().map(parse).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

impl<'a> Bench<'a> {
    fn line(&mut self, line: &Line) {
        let at = format!("{} ({})", line.number, line.op);
        let peers = self.peers;
        let ops: Vec<Option<Op>> = peers.iter().map(|isl| ops::find(&line.op, Some(isl))).collect();
        let Some(op) = ops::find(&line.op, None) else {
            *self.report.not_mapped.entry(line.op.clone()).or_default() += 1;
            return;
        };
        if self.options.farkas && op.ours.is_none() {
            *self.report.not_mapped.entry(line.op.clone()).or_default() += 1;
        }
        let mut times: Vec<Vec<Duration>> = vec![Vec::new(); peers.len()];
        let mut farkas = Vec::new();
        let mut theirs = None;
        let mut ours = None;
        for repetition in 0..self.options.repeat {
            for (k, (isl, op)) in peers.iter().zip(&ops).enumerate() {
                let op = op.expect("an operation that is known");
                let Some(args) = read(isl, &op, line) else {
                    self.report.isl_failed.push(format!("{at}: operands"));
                    return;
                };
                let Some(function) = op.isl else {
                    self.report.isl_failed.push(format!("{at}: not in this build"));
                    return;
                };
                if self.options.parse_only {
                    if self.options.keep {
                        self.kept.push(Kept::Objects(args));
                    }
                    continue;
                }
                let is_predicate = matches!(
                    function,
                    farkas_peer::isl::Function::Predicate(_) | farkas_peer::isl::Function::BinaryPredicate(_)
                );
                if self.options.keep && !is_predicate {
                    // The operands stay alive beside the result.
                    self.kept.push(Kept::Objects(args.clone()));
                }
                let mut search = (op.result == Kind::Vector).then(|| Search::new(isl, line.n_op, &line.regions));
                let raw: Vec<Raw> = args.iter().map(Object::raw).collect();
                let start = Instant::now();
                // Safety: the operands are of the kinds that the operation takes.
                let output = unsafe { isl.call(function, &raw, &line.ints, search.as_mut()) };
                times[k].push(start.elapsed());
                if is_predicate {
                    if self.options.keep {
                        self.kept.push(Kept::Objects(args));
                    }
                } else {
                    args.into_iter().for_each(std::mem::forget);
                }
                let result = Theirs::new(isl, op.result, output);
                match result {
                    None => {
                        self.report
                            .isl_failed
                            .push(format!("{at}: {}: {}", isl.label(), isl.last_error()));
                        isl.limit(0);
                    }
                    Some(Theirs::Objects(first, second)) if self.options.keep => {
                        self.kept
                            .push(Kept::Objects(std::iter::once(first).chain(second).collect()));
                    }
                    Some(result) if repetition == 0 && k == 0 => theirs = Some(result),
                    _ => {}
                }
            }
            if !self.options.farkas {
                continue;
            }
            let mut args = match catch_unwind(|| parse(line)) {
                Ok(Ok(args)) => args,
                error => {
                    let error = match error {
                        Ok(Err(error)) => error,
                        _ => "panic while reading".into(),
                    };
                    self.report.disagreements.push(format!("{at}: not read: {error}"));
                    return;
                }
            };
            if self.options.parse_only {
                if self.options.keep {
                    self.kept.push(Kept::Values(args));
                }
                continue;
            }
            let Some(call) = op.ours else { continue };
            let budget = Budget::new(BUDGET);
            let start = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| call(&mut args, line, &budget)));
            farkas.push(start.elapsed());
            if self.options.keep {
                self.kept.push(Kept::Values(args));
            }
            match result {
                Err(_) => {
                    self.report.disagreements.push(format!("{at}: Farkas panics"));
                    return;
                }
                Ok(Err(_)) => {
                    self.report.out_of_budget.push(at.clone());
                    break;
                }
                Ok(Ok(value)) if self.options.keep => self.kept.push(Kept::Values(vec![value])),
                Ok(Ok(value)) if repetition == 0 => ours = Some(value),
                Ok(Ok(_)) => {}
            }
        }
        if self.options.parse_only {
            return;
        }
        self.report.times.entry(line.op.clone()).or_default().push(Times {
            line: line.number,
            peers: times.into_iter().filter(|t| !t.is_empty()).map(median).collect(),
            farkas: (!farkas.is_empty()).then(|| median(farkas)),
        });
        if let (Some(ours), Some(theirs)) = (ours, theirs)
            && self.options.check
        {
            let isl = &peers[0];
            isl.limit(COMPARISON);
            match compare(isl, &op, line, &ours, theirs, &mut self.report.hulls) {
                Some(Ok(())) => {}
                Some(Err(what)) => self.report.disagreements.push(format!("{at}: {what}")),
                None => self.report.not_compared.push(format!("{at}: {}", isl.last_error())),
            }
            isl.limit(0);
        }
    }
}

/// A result of isl's.
enum Theirs<'a> {
    Objects(Object<'a>, Option<Object<'a>>),
    Answer(bool),
}

impl<'a> Theirs<'a> {
    fn new(isl: &'a Isl, kind: Kind, output: Output) -> Option<Theirs<'a>> {
        match output {
            Output::Answer(0) => Some(Theirs::Answer(false)),
            Output::Answer(1) => Some(Theirs::Answer(true)),
            Output::Answer(_) => None,
            Output::Objects(first, second) => Some(Theirs::Objects(isl.own(kind, first)?, isl.own(Kind::Map, second))),
        }
    }
}

/// Whether ours is a solution of the search, and as good as isl's, which is `[1, x_0, ..]`, or empty if there is none.
fn compare_vectors(line: &Line, ours: &Option<Row>, theirs: &[i64]) -> Result<(), String> {
    let Some(ours) = ours else {
        return if theirs.is_empty() {
            Ok(())
        } else {
            Err(format!("isl finds {theirs:?}"))
        };
    };
    if theirs.is_empty() {
        return Err("isl finds no solution".into());
    }
    let Ok(Value::Set(set)) = Value::parse(&line.args[0]) else {
        return Err("the operand is no set".into());
    };
    let non_trivial = |region: &Region| region.0.iter().any(|form| !dot(&form[1..], ours).is_zero());
    let inside = set
        .contains(&[], ours, &Budget::new(BUDGET))
        .map_err(|e| e.to_string())?;
    if !inside || !regions(line, ours.len()).iter().all(non_trivial) || ours.iter().any(Int::is_neg) {
        return Err(format!("{ours:?} is no solution"));
    }
    if ours[..line.n_op].iter().zip(&theirs[1..]).any(|(a, b)| *a != *b) {
        return Err(format!("Farkas {ours:?}, isl {theirs:?}"));
    }
    Ok(())
}

/// Whether both results agree, or how they do not. None if isl takes too long to say.
fn compare(
    isl: &Isl,
    op: &Op,
    line: &Line,
    ours: &Value,
    theirs: Theirs<'_>,
    hulls: &mut (usize, usize),
) -> Option<Result<(), String>> {
    let (theirs, their_rest) = match (theirs, ours) {
        (Theirs::Answer(theirs), Value::Answer(ours)) => {
            return Some(if theirs == *ours {
                Ok(())
            } else {
                Err(format!("Farkas says {ours}, isl {theirs}: {}", line.args.join(" , ")))
            });
        }
        (Theirs::Objects(first, _), Value::Vector(ours)) => return Some(compare_vectors(line, ours, &first.entries())),
        (Theirs::Objects(first, second), _) => (first.to_map()?, second),
        _ => return Some(Err("an answer and a set".into())),
    };
    let (ours, our_rest) = match ours {
        Value::Optimum(best, rest) => (&**best, Some(rest)),
        value => (value, None),
    };
    if let (Some(rest), Some(their_rest)) = (our_rest, their_rest) {
        let text = rest.to_string();
        let Some(rest) = isl.read(Kind::Map, &text) else {
            return Some(Err(format!("isl does not read {text}")));
        };
        if !rest.is_equal(&their_rest)? {
            return Some(Err(format!(
                "without optimum: Farkas {text}, isl {}",
                their_rest.text()
            )));
        }
    }
    if let (Check::Coefficients, Value::Set(set), Ok(Value::Set(operand))) =
        (op.check, ours, Value::parse(&line.args[0]))
    {
        let valid = set.solutions(operand.space().clone(), &Budget::new(BUDGET)).ok()?;
        if !operand.is_subset(&valid, &Budget::new(BUDGET)).ok()? {
            return Some(Err(format!("Farkas {set}, of which the constraints have only {valid}")));
        }
        let flat = set.with_tuple(Tuple::anonymous(set.n_dims())).to_string();
        hulls.0 += 1;
        hulls.1 += isl.read(Kind::Map, &flat)?.is_equal(&isl.flat_integer(theirs)?)? as usize;
        return Some(Ok(()));
    }
    // What a set has for a domain is `#none` in isl, which it does not read.
    let mut theirs = theirs;
    if theirs.text().contains("#none") {
        theirs = isl.read(Kind::Map, &theirs.text().replace("#none", ""))?;
    }
    let text = ours.text();
    let Some(mut read) = isl.read(Kind::Map, &text) else {
        return Some(Err(format!("isl does not read {text}")));
    };
    if read.is_params() != theirs.is_params() {
        (read, theirs) = (read.params()?, theirs.params()?);
    }
    let operand = |k: usize| isl.read(op.operands[k], &line.args[k]).and_then(Object::to_map);
    let differ = || Some(Err(format!("Farkas {text}, isl {}", theirs.text())));
    match op.check {
        Check::Equal => {
            if !read.is_equal(&theirs)? {
                return differ();
            }
        }
        Check::EqualInContext => {
            let mut context = operand(1)?;
            if context.is_params() != read.is_params() {
                context = context.params()?;
            }
            let (a, b) = (read.intersect(context.clone())?, theirs.clone().intersect(context)?);
            let equal = match a.is_equal(&b) {
                Some(equal) => equal,
                // Too hard for isl, with divisions that its result still has.
                None => equal_in_context(
                    ours,
                    &Value::parse(&theirs.text()).ok()?,
                    &Value::parse(&line.args[1]).ok()?,
                )?,
            };
            if !equal {
                return differ();
            }
        }
        Check::DisjointPieces => {
            if !read.is_equal(&theirs)? {
                return differ();
            }
            let pieces: Vec<String> = match ours {
                Value::Set(set) => {
                    let piece = |p: &_| Set::from_conj(set.space().clone(), Clone::clone(p)).to_string();
                    set.pieces().iter().map(piece).collect()
                }
                Value::Map(map) => {
                    let piece = |p: &_| Map::from_conj(map.space().clone(), Clone::clone(p)).to_string();
                    map.pieces().iter().map(piece).collect()
                }
                _ => Vec::new(),
            };
            for (k, piece) in pieces.iter().enumerate() {
                for other in &pieces[..k] {
                    let both = isl.read(Kind::Map, piece)?.intersect(isl.read(Kind::Map, other)?)?;
                    if !both.is_empty()? {
                        return Some(Err(format!("the pieces {piece} and {other} overlap")));
                    }
                }
            }
        }
        Check::Coefficients => return Some(Err("coefficients of what is no set".into())),
        Check::Significant => return Some(Err("a search without a result".into())),
        Check::Contains | Check::Tighter => {
            let mut operand = operand(0)?;
            if operand.is_params() != read.is_params() {
                operand = operand.params()?;
            }
            if !operand.is_subset(&read)? {
                return differ();
            }
            if op.check == Check::Tighter && !read.is_subset(&theirs)? {
                return differ();
            }
            hulls.0 += 1;
            hulls.1 += read.is_equal(&theirs)? as usize;
        }
    }
    Some(Ok(()))
}

/// Whether two results are equal within a context, for Farkas.
fn equal_in_context(ours: &Value, theirs: &Value, context: &Value) -> Option<bool> {
    let b = Budget::new(BUDGET);
    match (ours, theirs, context) {
        (Value::Set(a), Value::Set(c), Value::Set(context)) => a.intersect(context).is_equal(&c.intersect(context), &b),
        (Value::Map(a), Value::Map(c), Value::Map(context)) => a.intersect(context).is_equal(&c.intersect(context), &b),
        _ => return None,
    }
    .ok()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

impl Report {
    fn print(&self, peers: &[Isl], options: &Options) {
        let labels: Vec<&str> = peers.iter().map(Isl::label).collect();
        print!("\n{:<42} {:>5}", "operation", "lines");
        labels.iter().for_each(|label| print!(" {:>14}", format!("{label} us")));
        println!(" {:>14} {:>8}", "farkas us", "ratio");
        let mut all: Vec<&Times> = Vec::new();
        let row = |name: &str, times: &[&Times]| {
            let sums: Vec<f64> = (0..peers.len())
                .map(|k| times.iter().filter_map(|t| t.peers.get(k)).map(|t| micros(*t)).sum())
                .collect();
            print!("{name:<42} {:>5}", times.len());
            sums.iter().for_each(|sum| print!(" {sum:>14.0}"));
            let measured: Vec<Duration> = times.iter().filter_map(|t| t.farkas).collect();
            if measured.is_empty() {
                println!(" {:>14} {:>8}", "not mapped", "");
                return;
            }
            let farkas: f64 = measured.into_iter().map(micros).sum();
            let best = sums.iter().copied().fold(f64::INFINITY, f64::min);
            let ratio = if best.is_finite() {
                format!("{:.2}", farkas / best)
            } else {
                "".into()
            };
            println!(" {farkas:>14.0} {ratio:>8}");
        };
        for (name, times) in &self.times {
            let times: Vec<&Times> = times.iter().collect();
            row(name, &times);
            all.extend(times.into_iter().filter(|t| t.farkas.is_some() || !options.farkas));
        }
        row("total (of what is mapped)", &all);
        if options.slowest > 0 {
            println!("\nlines with the largest excess over the faster isl:");
            let excess = |t: &Times| {
                let best = t.peers.iter().min().copied().unwrap_or_default();
                micros(t.farkas.unwrap_or_default()) - micros(best)
            };
            let mut lines: Vec<(&String, &Times)> = self
                .times
                .iter()
                .flat_map(|(op, times)| times.iter().map(move |t| (op, t)))
                .collect();
            lines.sort_by(|(_, a), (_, b)| excess(b).total_cmp(&excess(a)));
            for (op, t) in lines.into_iter().take(options.slowest) {
                let best = t.peers.iter().min().copied().unwrap_or_default();
                let farkas = micros(t.farkas.unwrap_or_default());
                println!(
                    "{:>6} {op:<42} isl {:>12.1} us  farkas {farkas:>12.1} us",
                    t.line,
                    micros(best)
                );
            }
        }
        let list = |what: &str, lines: &[String]| {
            println!("\n{what}: {}", lines.len());
            lines.iter().for_each(|line| println!("  {line}"));
        };
        println!(
            "\nhulls and coefficients that are equal to isl's: {} of {}",
            self.hulls.1, self.hulls.0
        );
        list("isl failed", &self.isl_failed);
        list("not compared, isl takes too long", &self.not_compared);
        list(&format!("out of the budget of {BUDGET} units"), &self.out_of_budget);
        let unmapped: Vec<String> = self
            .not_mapped
            .iter()
            .map(|(op, n)| format!("{op}: {n} lines"))
            .collect();
        list("operations that are not mapped", &unmapped);
        list("disagreements", &self.disagreements);
    }
}

/// The peak of the memory of this process, in KiB.
fn own_peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// The peak of the memory of a process that runs the corpus once, in KiB.
fn peak(options: &Options, only: &str, flags: &[&str]) -> Option<u64> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command
        .arg(&options.corpus)
        .args(["--child", "--only", only, "--repeat", "1"])
        .args(flags);
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines()
        .rev()
        .find_map(|line| line.strip_prefix(PEAK)?.parse().ok())
}

/// What a child says its peak after.
const PEAK: &str = "peak KiB: ";

/// Peaks of the whole corpus, line by line, and with all operands and results kept to the end.
fn memory(options: &Options) -> ExitCode {
    println!("peak memory of a process in KiB: with the operations, only reading the operands, and the difference");
    println!(
        "{:<12} {:>10} {:>10} {:>10}   all kept: {:>10} {:>10} {:>10}",
        "", "all", "reading", "rest", "all", "reading", "rest"
    );
    for only in ["isl-gmp", "isl-imath", "farkas"] {
        print!("{only:<12}");
        for (column, keep) in [&[][..], &["--keep"]].into_iter().enumerate() {
            let all = peak(options, only, keep);
            let reading = peak(options, only, &[keep, &["--parse-only"]].concat());
            if column == 1 {
                print!("             ");
            }
            match (all, reading) {
                (Some(all), Some(reading)) => {
                    print!(" {all:>10} {reading:>10} {:>10}", all as i64 - reading as i64);
                }
                _ => print!(" {:>32}", "failed"),
            }
        }
        println!();
    }
    ExitCode::SUCCESS
}
