//! Units of many small functions, of code that is nearly affine: what the plugin models, what it has to decline, and what
//! lies between.
//!
//! Each function comes from a seed of its own, so that it can be made again alone. It works on pools, one for each type of
//! elements, which are filled before each call and hashed after it; pointers among its arguments point into the pools,
//! apart, near to each other, or to the same place. Its loops have counters of all types, which count in all directions
//! and wrap around; it leaves loops early, branches on data, subscripts by what it reads, calls helpers, and carries
//! scalars. Nothing that is executed is undefined: intervals of subscripts are known (`index.rs`) or
//! masked, and integers are computed unsigned.
//!
//! One in four functions has nothing odd, so that most of them are transformed; the others have one oddity or a few.

mod arguments;
mod body;
mod loops;
mod prelude;
mod types;
mod value;

use super::rng::Rng;
use body::Generator;
use std::fmt::Write;
use std::ops::Range;

/// How often each function is called.
const CALLS: usize = 6;

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The text, in C.
    pub text: String,
    /// Flags for every compilation.
    pub flags: Vec<&'static str>,
    /// Flags for compilations with the plugin.
    pub plugin_flags: Vec<&'static str>,
}

/// The unit with the functions of the given seeds. Its flags are those of the first seed's block of 64, so that a
/// function that is made again alone is compiled in the same way.
pub fn unit(seeds: Range<u64>) -> Unit {
    let mut text = prelude::text();
    for seed in seeds.clone() {
        text += &function(seed);
    }
    text += "int main(int argc, char **argv) {\n  unsigned long from = argc > 1 ? strtoul(argv[1], 0, 10) : 0;\n";
    text += "  unsigned long to = argc > 2 ? strtoul(argv[2], 0, 10) : ULONG_MAX;\n";
    for seed in seeds.clone() {
        let _ = writeln!(text, "  if ({seed}ul >= from && {seed}ul < to)\n    t_{seed}();");
    }
    text += "  return 0;\n}\n";
    let mut rng = Rng::new(seeds.start / 64 + 0x5eed);
    let mut flags = vec!["-ffp-contract=off"];
    for (percent, flag) in [
        (10, "-fwrapv"),
        (15, "-march=x86-64-v3"),
        (20, "-fno-strict-aliasing"),
        (40, "-fno-math-errno"),
        (15, "-fno-inline"),
    ] {
        if rng.chance(percent) {
            flags.push(flag);
        }
    }
    let tile = rng.weighted(&[(10, "-farkas-tile=4"), (3, "-farkas-tile=3"), (10, "")]);
    let unprofitable = rng.weighted(&[(7, "-farkas-unprofitable=true"), (3, "")]);
    let given = [tile, unprofitable].into_iter().filter(|option| !option.is_empty());
    let plugin_flags = given.flat_map(|option| ["-mllvm", option]).collect();
    Unit {
        text,
        flags,
        plugin_flags,
    }
}

/// What all units are linked with.
pub fn runtime() -> String {
    prelude::runtime(true)
}

/// The function of a seed as a program of its own.
pub fn alone(seed: u64) -> Unit {
    let mut unit = unit(seed..seed + 1);
    unit.text += &prelude::runtime(false);
    unit
}

/// The function of a seed, `f_SEED`, and `t_SEED`, which calls it.
fn function(seed: u64) -> String {
    let mut generator = Generator::new(Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xf00d));
    generator.function(&format!("f_{seed}"), &format!("t_{seed}"), seed)
}
