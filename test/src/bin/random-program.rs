//! Prints the random program of a seed, its flags first.
#![forbid(unsafe_code)]

use farkas_test::random::program;

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok());
    let Some(seed) = seed else {
        eprintln!("usage: random-program SEED");
        std::process::exit(2);
    };
    let program = program(seed);
    println!(
        "// flags: {} {}",
        program.flags.join(" "),
        program.plugin_flags.join(" ")
    );
    print!("{}", program.text);
}
