//! `bench gpu`: what becomes of kernels with `-farkas-gpu`, as far as a machine without a GPU shows it.
//!
//! For each kernel: how many regions and device kernels there are where all are taken that may be (`force`), what NVIDIA's assembler says
//! of these, and what is expected to gain by cost (`true`). The last column is the time of the program without the option over that with
//! it, where there is no driver: the median of the ratios of some rounds, in which both run in turn.
//!
//! Registers are those of the kernel that has most. Without an assembler (`FARKAS_PTXAS`, or `scripts/setup --ptxas`) there is nothing of
//! it.

mod pack;

use farkas_test::{Program, kernels, median, plugin, ptxas, scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::case::{Case, time};

/// The processor that kernels are for.
const PROCESSOR: &str = "sm_90";

/// How often each program runs.
const ROUNDS: usize = 5;

/// What the assembler says of a kernel.
#[derive(Clone, Copy, Default)]
struct Assembled {
    registers: u32,
    spilled: u32,
    shared: u32,
}

/// Prints the table for the kernels that are named, or all. Returns whether all outputs are equal.
///
/// # Errors
/// What is wrong with the arguments.
pub(crate) fn run(arguments: &[String]) -> Result<bool, String> {
    let (folder, names) = match arguments {
        [option, folder, names @ ..] if option == "--pack" => (Some(folder), names),
        names => (None, names),
    };
    let names = match names.is_empty() {
        true => kernels(),
        false => names.to_vec(),
    };
    let cases: Vec<Case> = names.iter().map(|name| Case::parse(name)).collect::<Result<_, _>>()?;
    if let Some(folder) = folder {
        return pack::pack(Path::new(folder), &cases).map(|()| true);
    }
    let assembler = ptxas();
    println!(
        "| kernel | regions | device kernels | tiled | registers | spilled bytes | shared bytes | by cost | expected | without a driver | outputs |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|");
    let mut all_equal = true;
    for case in cases {
        let row = Row::of(&case, assembler.as_deref());
        all_equal &= row.is_equal;
        println!("| {} | {} |", case.title(), row.cells().join(" | "));
    }
    Ok(all_equal)
}

/// What is known of a kernel.
struct Row {
    regions: usize,
    assembled: Option<Vec<Assembled>>,
    kernels: usize,
    tiled: usize,
    by_cost: usize,
    expected: Vec<String>,
    ratio: f64,
    is_equal: bool,
}

impl Row {
    fn of(case: &Case, assembler: Option<&Path>) -> Row {
        let ir = scratch().join("bench-gpu.ir");
        fs::create_dir_all(&ir).expect("a folder");
        let folder = format!("-farkas-gpu-ir={}", ir.display());
        let forced = compiled(case, "force", &["-mllvm", "-farkas-gpu=force", "-mllvm", &folder]);
        let by_cost = compiled(case, "cost", &["-mllvm", "-farkas-gpu=true"]);
        let modules = modules(&ir);
        let assembled = assembler.map(|assembler| modules.iter().map(|module| assemble(assembler, module)).collect());
        fs::remove_dir_all(&ir).expect("the folder is there");
        let plain = case.compile("plain", true, &["-fno-math-errno"]);
        let mut ratios = Vec::new();
        let mut is_equal = true;
        for _ in 0..ROUNDS {
            let (without, expected) = time(Command::new(&plain.path).arg("time"));
            let (with, found) = time(Command::new(&by_cost.path).arg("time").env("LD_LIBRARY_PATH", built()));
            ratios.push(without / with);
            is_equal &= expected == found;
        }
        let on_device = |program: &Program| -> Vec<String> {
            let lines = program
                .diagnostics
                .lines()
                .filter(|line| line.contains("kernel in blocks"));
            lines.map(str::to_owned).collect()
        };
        let forced_regions = on_device(&forced);
        let gains = on_device(&by_cost);
        let row = Row {
            regions: forced_regions.len(),
            kernels: modules.len(),
            tiled: forced_regions
                .iter()
                .map(|line| line.matches("points each").count())
                .sum(),
            assembled,
            by_cost: gains.len(),
            expected: gains.iter().filter_map(|line| expected_gain(line)).collect(),
            ratio: median(ratios),
            is_equal,
        };
        for program in [forced, by_cost, plain] {
            fs::remove_file(program.path).expect("the program is there");
        }
        row
    }

    fn cells(&self) -> Vec<String> {
        let of_all = |figure: &dyn Fn(&Assembled) -> u32| match &self.assembled {
            Some(all) => all.iter().map(figure).max().unwrap_or_default().to_string(),
            None => "-".to_owned(),
        };
        vec![
            self.regions.to_string(),
            self.kernels.to_string(),
            self.tiled.to_string(),
            of_all(&|own| own.registers),
            of_all(&|own| own.spilled),
            of_all(&|own| own.shared),
            self.by_cost.to_string(),
            self.expected.join(", "),
            format!("{:.2}", self.ratio),
            if self.is_equal { "equal" } else { "DIFFER" }.to_owned(),
        ]
    }
}

/// The gain that a remark expects.
fn expected_gain(remark: &str) -> Option<String> {
    let (before, _) = remark.split_once(" times as fast expected")?;
    before.rsplit(' ').next().map(str::to_owned)
}

fn compiled(case: &Case, name: &str, flags: &[&str]) -> Program {
    let processor = format!("-farkas-gpu-arch={PROCESSOR}");
    let library = format!("-L{}", built().display());
    let common = [
        "-Rpass=farkas",
        "-fno-math-errno",
        "-mllvm",
        &processor,
        &library,
        "-lfarkas_runtime",
    ];
    case.compile(name, true, &[flags, &common].concat())
}

/// The folder of what was built.
fn built() -> PathBuf {
    plugin().parent().expect("a folder").to_owned()
}

/// The modules of kernels in a folder, as PTX.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "ptx"))
        .collect()
}

fn assemble(assembler: &Path, module: &Path) -> Assembled {
    let mut command = Command::new(assembler);
    let processor = format!("-arch={PROCESSOR}");
    command.args(["-v", &processor, "-o", "/dev/null"]).arg(module);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}");
    let before = |words: &str| -> u32 {
        let figures = text
            .match_indices(words)
            .filter_map(|(at, _)| text[..at].trim_end().rsplit(' ').next()?.parse().ok());
        figures.max().unwrap_or_default()
    };
    Assembled {
        registers: before(" registers"),
        spilled: before(" bytes spill stores"),
        shared: before(" bytes smem"),
    }
}
