//! The options of the scheduler on the command line, with isl's names, and in the `# OPTIONS:` lines of files.

use clap::{Arg, ArgAction, ArgMatches, Command};
use farkas_polyhedral::schedule::{Algorithm, Fallback, Fusion, Options};

/// A switch `--schedule-..`, with the opposite `--no-schedule-..`.
struct Switch {
    name: &'static str,
    opposite: &'static str,
    help: &'static str,
    set: fn(&mut Options, bool),
}

const SWITCHES: [Switch; 11] = [
    Switch {
        name: "schedule-maximize-band-depth",
        opposite: "no-schedule-maximize-band-depth",
        help: "Do not fuse where that makes for fewer members [default: on]",
        set: |options, on| options.maximize_band_depth = on,
    },
    Switch {
        name: "schedule-maximize-coincidence",
        opposite: "no-schedule-maximize-coincidence",
        help: "Do not fuse where that makes fewer members coincident [default: on]",
        set: |options, on| options.maximize_coincidence = on,
    },
    Switch {
        name: "schedule-outer-coincidence",
        opposite: "no-schedule-outer-coincidence",
        help: "Bands have to start with coincident members",
        set: |options, on| options.outer_coincidence = on,
    },
    Switch {
        name: "schedule-treat-coalescing",
        opposite: "no-schedule-treat-coalescing",
        help: "Keep rows from coalescing loops of fixed sizes [default: on]",
        set: |options, on| options.treat_coalescing = on,
    },
    Switch {
        name: "schedule-split-scaled",
        opposite: "no-schedule-split-scaled",
        help: "Divide rows that carry dependences by a common factor [default: on]",
        set: |options, on| options.split_scaled = on,
    },
    Switch {
        name: "schedule-carry-self-first",
        opposite: "no-schedule-carry-self-first",
        help: "Carry dependences of statements on themselves first [default: on]",
        set: |options, on| options.carry_self_first = on,
    },
    Switch {
        name: "schedule-consecutivity-first",
        opposite: "no-schedule-consecutivity-first",
        help: "Consecutive accesses are worth more than coincident members",
        set: |options, on| options.consecutivity_first = on,
    },
    Switch {
        name: "schedule-concurrent-start",
        opposite: "no-schedule-concurrent-start",
        help: "Bands without coincident members whose tiles can start at the same time (diamond tiling)",
        set: |options, on| options.concurrent_start = on,
    },
    Switch {
        name: "schedule-index-set-splitting",
        opposite: "no-schedule-index-set-splitting",
        help: "Cut statements where dependences wrap around, if that makes for larger bands",
        set: |options, on| options.index_set_splitting = on,
    },
    Switch {
        name: "schedule-serialize-sccs",
        opposite: "no-schedule-serialize-sccs",
        help: "Fuse nothing; the opposite is --schedule-fusion=incremental",
        set: |options, on| options.fusion = if on { Fusion::None } else { Fusion::Incremental },
    },
    Switch {
        name: "schedule-whole-component",
        opposite: "no-schedule-whole-component",
        help: "Fuse whatever has a common band; the opposite is --schedule-fusion=incremental",
        set: |options, on| options.fusion = if on { Fusion::Max } else { Fusion::Incremental },
    },
];

const MAX_COEFFICIENT: &str = "schedule-max-coefficient";
const MAX_CONSTANT_TERM: &str = "schedule-max-constant-term";
const ALGORITHM: &str = "schedule-algorithm";
const FUSION: &str = "schedule-fusion";
const FALLBACK: &str = "schedule-fallback";

/// The command with the arguments of the scheduler.
fn with_arguments(mut command: Command) -> Command {
    for switch in &SWITCHES {
        command = command
            .arg(
                Arg::new(switch.name)
                    .long(switch.name)
                    .help(switch.help)
                    .action(ArgAction::SetTrue)
                    .overrides_with(switch.opposite),
            )
            .arg(
                Arg::new(switch.opposite)
                    .long(switch.opposite)
                    .action(ArgAction::SetTrue)
                    .hide(true)
                    .overrides_with(switch.name),
            );
    }
    let number = |name: &'static str, help: &'static str| {
        let parser = clap::value_parser!(i64).range(-1..);
        Arg::new(name)
            .long(name)
            .help(help)
            .value_parser(parser)
            .allow_hyphen_values(true)
    };
    command
        .arg(number(
            MAX_COEFFICIENT,
            "Largest absolute value of a coefficient in a permutable band; -1 for none",
        ))
        .arg(number(
            MAX_CONSTANT_TERM,
            "Largest constant in a permutable band; -1 for none",
        ))
        .arg(
            Arg::new(ALGORITHM)
                .long(ALGORITHM)
                .help("How rows are found: isl (Pluto, with Feautrier where that fails), or feautrier")
                .value_parser(["isl", "pluto", "feautrier"]),
        )
        .arg(
            Arg::new(FUSION)
                .long(FUSION)
                .help("What shares bands [default: smart]")
                .value_parser(["none", "smart", "incremental", "max"]),
        )
        .arg(
            Arg::new(FALLBACK)
                .long(FALLBACK)
                .help("What comes first where no band starts with a coincident member [default: feautrier]")
                .value_parser(["feautrier", "single-member", "validity"]),
        )
}

/// What the arguments say, over `options`.
fn apply(matches: &ArgMatches, options: &mut Options) {
    for switch in &SWITCHES {
        for (name, on) in [(switch.name, true), (switch.opposite, false)] {
            if matches.get_flag(name) {
                (switch.set)(options, on);
            }
        }
    }
    let bound = |name: &str, limit: &mut Option<i64>| {
        if let Some(&value) = matches.get_one::<i64>(name) {
            *limit = (value >= 0).then_some(value);
        }
    };
    bound(MAX_COEFFICIENT, &mut options.max_coefficient);
    bound(MAX_CONSTANT_TERM, &mut options.max_constant_term);
    let choice = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    match choice(ALGORITHM) {
        Some("feautrier") => options.algorithm = Algorithm::Feautrier,
        Some(_) => options.algorithm = Algorithm::Pluto,
        None => {}
    }
    match choice(FALLBACK) {
        Some("single-member") => options.fallback = Fallback::SingleMember,
        Some("validity") => options.fallback = Fallback::Validity,
        Some(_) => options.fallback = Fallback::Feautrier,
        None => {}
    }
    match choice(FUSION) {
        Some("none") => options.fusion = Fusion::None,
        Some("smart") => options.fusion = Fusion::Smart,
        Some("incremental") => options.fusion = Fusion::Incremental,
        Some(_) => options.fusion = Fusion::Max,
        None => {}
    }
}

/// The arguments of the scheduler on a command line.
pub(crate) struct ScheduleArguments(ArgMatches);

impl clap::FromArgMatches for ScheduleArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ScheduleArguments, clap::Error> {
        Ok(ScheduleArguments(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl clap::Args for ScheduleArguments {
    fn augment_args(command: Command) -> Command {
        with_arguments(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        with_arguments(command)
    }
}

impl ScheduleArguments {
    /// The options for the file with this text: what its `# OPTIONS:` lines say, unless the command line says otherwise.
    /// An error begins with its line and column.
    pub(crate) fn options(&self, text: &str) -> Result<Options, String> {
        let mut options = Options::default();
        for (index, line) in text.lines().enumerate() {
            let Some(words) = line.strip_prefix("# OPTIONS:") else {
                continue;
            };
            let command = with_arguments(Command::new("OPTIONS").no_binary_name(true).disable_help_flag(true));
            let matches = command
                .try_get_matches_from(words.split_whitespace())
                .map_err(|error| {
                    let message = error.to_string();
                    let words: Vec<&str> = message.trim_start_matches("error: ").split_whitespace().collect();
                    format!("{}:1: # OPTIONS: {}", index + 1, words.join(" "))
                })?;
            apply(&matches, &mut options);
        }
        apply(&self.0, &mut options);
        Ok(options)
    }
}
