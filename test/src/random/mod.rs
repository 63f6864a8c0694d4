//! Random C programs for differential tests.
//!
//! A program has one function `kernel` with loop nests, and a `main` that calls it several times with different
//! arguments, zero, one, odd and negative numbers of iterations among them, and prints after each call a hash of all
//! arrays and scalars, bit for bit (NaNs are all the same). Programs have no undefined behaviour: the generator knows
//! the interval of every integer expression that it makes (`index`), and gives arrays the sizes they need
//! (`array`). So stock clang with and without the plugin have to agree on the output.
//!
//! Half of the nests follow shapes that the plugin is for (products, stencils in a time loop, transposed traversals,
//! decompositions), with random bounds, directions and types of counters, subscripts and element types; the others are
//! free (`nest`).

mod array;
mod combinations;
mod conditions;
mod index;
mod loops;
mod nest;
mod rng;
pub mod unit;
mod value;

use array::{Array, Element, Layout, Param};
use nest::Generator;
use rng::Rng;
use std::fmt::Write;

/// How often `main` calls the kernel.
const CALLS: usize = 6;

/// The largest number of elements in an array.
const MAX_ELEMENTS: i64 = 300_000;

/// A program.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// The text, in C.
    pub text: String,
    /// Flags for every compilation, after `-O3`.
    pub flags: Vec<&'static str>,
    /// Flags for compilations with the plugin.
    pub plugin_flags: Vec<&'static str>,
}

/// The program of a seed.
pub fn program(seed: u64) -> RandomProgram {
    let mut rng = Rng::new(seed);
    let (text, _) = (0..)
        .map(|_| attempt(Rng::new(rng.range(0, i64::MAX - 1) as u64)))
        .find(|(_, elements)| *elements <= MAX_ELEMENTS)
        .expect("an endless sequence");
    let mut flags = vec!["-ffp-contract=off"];
    for (percent, flag) in [
        (10, "-O1"),
        (10, "-O2"),
        (10, "-fwrapv"),
        (10, "-march=x86-64-v3"),
        (20, "-fno-strict-aliasing"),
        (50, "-fno-math-errno"),
    ] {
        if rng.chance(percent) {
            flags.push(flag);
        }
    }
    let tile = rng.weighted(&[(10, "-farkas-tile=4"), (2, "-farkas-tile=3"), (10, "")]);
    let unprofitable = rng.weighted(&[(6, "-farkas-unprofitable=true"), (4, "")]);
    let options = ["-farkas-only-func=kernel", tile, unprofitable];
    let given = options.into_iter().filter(|option| !option.is_empty());
    let plugin_flags = given.flat_map(|option| ["-mllvm", option]).collect();
    RandomProgram {
        text,
        flags,
        plugin_flags,
    }
}

/// A program and the number of elements of its largest array.
fn attempt(rng: Rng) -> (String, i64) {
    let mut generator = Generator::new(rng, CALLS);
    generator.kernel();
    let Generator {
        mut rng,
        params,
        arrays,
        declarations,
        results,
        body,
        overlaps,
        ..
    } = generator;
    let layouts: Vec<Layout> = arrays.iter().map(|array| array.layout(&mut rng, CALLS)).collect();
    let elements = layouts.iter().map(|l| l.span.1 - l.span.0 + 1).max().unwrap_or(0);
    let pools = pools(&arrays, &layouts);
    let mut text = String::from("#include <math.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n\n");
    for (element, size) in &pools {
        let _ = writeln!(text, "static {} pool_{}[{size}];", element.c(), element.tag());
    }
    for (array, layout) in arrays.iter().zip(&layouts) {
        if !array.is_argument() {
            let _ = writeln!(text, "{};", layout.declaration);
        }
        let _ = writeln!(text, "{}", layout.definition);
    }
    text += "static double real_results[32];\nstatic long results[32];\n\n";
    let all_params: Vec<&Param> = params.iter().chain(layouts.iter().flat_map(|l| &l.params)).collect();
    // Some are read through a pointer wherever they are used.
    let pointed: Vec<bool> = {
        let percent = rng.weighted(&[(3, 0), (2, 50)]);
        all_params.iter().map(|_| rng.chance(percent)).collect()
    };
    for (p, _) in all_params.iter().zip(&pointed).filter(|(_, pointed)| **pointed) {
        let _ = writeln!(text, "#define {} (*{}_at)", p.name, p.name);
    }
    let scalars = all_params.iter().zip(&pointed).map(|(p, pointed)| match pointed {
        true => format!("{} *{}_at", p.ty.c(), p.name),
        false => format!("{} {}", p.ty.c(), p.name),
    });
    let arguments = arrays.iter().zip(&layouts).filter(|(array, _)| array.is_argument());
    let arguments = arguments.map(|(_, layout)| layout.declaration.clone());
    let signature: Vec<String> = scalars.chain(arguments).collect();
    let _ = writeln!(
        text,
        "__attribute__((noinline)) void kernel({}) {{",
        signature.join(", ")
    );
    text += &declarations;
    text += &body;
    text += &results;
    text += "}\n\n";
    for (p, _) in all_params.iter().zip(&pointed).filter(|(_, pointed)| **pointed) {
        let _ = writeln!(text, "#undef {}", p.name);
    }
    text += &support(&pools, &arrays);
    text += "int main(int argc, char **argv) {\n";
    for call in 0..CALLS {
        let numbers = all_params.iter().zip(&pointed).map(|(p, pointed)| match pointed {
            true => format!("&({}){{{}}}", p.ty.c(), number(p.values[call])),
            false => number(p.values[call]),
        });
        let places = places(&mut rng, &arrays, &layouts, &pools, overlaps && call % 2 == 1);
        let actual: Vec<String> = numbers.chain(places).collect();
        let _ = writeln!(
            text,
            "  fill({call});\n  kernel({});\n  report({call}, argc > 1);",
            actual.join(", ")
        );
    }
    text += "  return 0;\n}\n";
    (text, elements)
}

/// A literal for a number.
fn number(value: i64) -> String {
    match value {
        i64::MIN => "-9223372036854775807L - 1".to_owned(),
        value if i32::try_from(value).is_err() => format!("{value}L"),
        value => value.to_string(),
    }
}

/// For each element type of an argument, how many elements all arguments of the type take, and some more.
fn pools(arrays: &[Array], layouts: &[Layout]) -> Vec<(Element, i64)> {
    let mut pools: Vec<(Element, i64)> = Vec::new();
    for (array, layout) in arrays.iter().zip(layouts).filter(|(array, _)| array.is_argument()) {
        let size = layout.span.1 - layout.span.0 + 1;
        match pools.iter_mut().find(|(element, _)| *element == array.element) {
            Some((_, sum)) => *sum += size,
            None => pools.push((array.element, size + 7)),
        }
    }
    pools
}

/// The arrays among a call's arguments: one after the other, or some of them at the place of others or near.
fn places(
    rng: &mut Rng,
    arrays: &[Array],
    layouts: &[Layout],
    pools: &[(Element, i64)],
    overlaps: bool,
) -> Vec<String> {
    let mut used: Vec<(Element, i64)> = Vec::new();
    let mut placed: Vec<(Element, i64)> = Vec::new();
    let mut result = Vec::new();
    for (array, layout) in arrays.iter().zip(layouts).filter(|(array, _)| array.is_argument()) {
        let (low, high) = layout.span;
        let start = match used.iter_mut().find(|(element, _)| *element == array.element) {
            Some((_, end)) => end,
            None => {
                used.push((array.element, 3));
                &mut used.last_mut().expect("just pushed").1
            }
        };
        let mut base = *start - low;
        *start += high - low + 1;
        let others: Vec<i64> = placed
            .iter()
            .filter(|(e, _)| *e == array.element)
            .map(|(_, at)| *at)
            .collect();
        if overlaps && !others.is_empty() && rng.chance(60) {
            let near = rng.weighted(&[(4, 0), (1, 1), (1, -1), (2, rng.clone().range(-40, 40))]);
            let pool = pools
                .iter()
                .find(|(element, _)| *element == array.element)
                .expect("a pool")
                .1;
            base = (rng.pick(&others) + near).clamp(-low, pool - 1 - high);
        }
        placed.push((array.element, base));
        result.push(format!("(void *)(pool_{} + {base})", array.element.tag()));
    }
    result
}

/// The functions that fill the arrays and report on them.
fn support(pools: &[(Element, i64)], arrays: &[Array]) -> String {
    let globals = arrays.iter().filter(|array| !array.is_argument());
    let globals = globals.map(|array| {
        let name = format!("{}_", array.name);
        (
            array.element,
            format!("({} *){name}", array.element.c()),
            format!("sizeof {name} / sizeof({})", array.element.c()),
        )
    });
    let pools = pools
        .iter()
        .map(|(element, size)| (*element, format!("pool_{}", element.tag()), size.to_string()));
    let all: Vec<_> = pools.chain(globals).collect();
    let mut text = String::new();
    let mut elements: Vec<Element> = all
        .iter()
        .map(|(element, ..)| *element)
        .chain([Element::Double])
        .collect();
    elements.sort();
    elements.dedup();
    for element in elements {
        let (ty, tag) = (element.c(), element.tag());
        let value = if element.is_float() {
            "(double)((x * 37 + call * 11) % 101) / 128 - 0.25".to_owned()
        } else {
            format!("({ty})((x * 2654435761ul + call * 40503ul) >> 5)")
        };
        let bits = if element.is_float() {
            "double v = a[x]; unsigned long u = 1; if (v == v) memcpy(&u, &v, sizeof u);"
        } else {
            "unsigned long u = (unsigned long)a[x];"
        };
        let print = if element.is_float() { "%a" } else { "%ld" };
        let printed = if element.is_float() {
            "(double)a[x]"
        } else {
            "(long)a[x]"
        };
        let _ = write!(
            text,
            "static void fill_{tag}(int call, {ty} *a, long n) {{
  for (long x = 0; x < n; x++)
    a[x] = {value};
}}
static unsigned long hash_{tag}(unsigned long h, const {ty} *a, long n, int all) {{
  for (long x = 0; x < n; x++) {{
    {bits}
    h = (h ^ u) * 0x100000001b3ul + (h >> 29);
    if (all) printf(\"%ld {print}\\n\", x, {printed});
  }}
  return h;
}}
"
        );
    }
    text += "static void fill(int call) {\n";
    for (element, at, size) in &all {
        let _ = writeln!(text, "  fill_{}(call, {at}, {size});", element.tag());
    }
    text += "  memset(real_results, 0, sizeof real_results);\n  memset(results, 0, sizeof results);\n}\n";
    text += "static void report(int call, int all) {\n  unsigned long h = 1;\n";
    for (element, at, size) in &all {
        let _ = writeln!(text, "  h = hash_{}(h, {at}, {size}, all);", element.tag());
        let _ = writeln!(
            text,
            "  printf(\"%d {}: %lx\\n\", call, h);",
            at.replace(['(', ')', '*'], "")
        );
    }
    text += "  h = hash_d(h, real_results, 32, all);\n";
    text += "  for (int k = 0; k < 32; k++)\n    h = h * 31 + results[k];\n";
    text += "  for (int k = 0; all && k < 32; k++)\n    printf(\"%ld\\n\", results[k]);\n";
    text += "  printf(\"%d: %lx\\n\", call, h);\n}\n\n";
    text
}
