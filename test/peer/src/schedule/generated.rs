//! Schedule constraints of any number of statements with two dimensions each.

use crate::random::Rng;
use std::fmt;

/// How the statements depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Each on the one before it, element by element.
    Chain,
    /// Each on three elements of the one before it.
    Stencils,
    /// As a chain, and the first on the last of the iteration before: one strongly connected component.
    Ring,
    /// Each on two of the six before it, in one of four ways.
    Random,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 4] = [Shape::Chain, Shape::Stencils, Shape::Ring, Shape::Random];
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::Chain => "chain",
            Shape::Stencils => "stencils",
            Shape::Ring => "ring",
            Shape::Random => "random",
        })
    }
}

/// Constraints of `n` statements, in YAML. All dependences ask for validity, proximity and coincidence.
pub fn constraints(shape: Shape, n: usize) -> String {
    let domain: Vec<String> = (0..n).map(|s| format!("S{s}[i, j] : 0 <= i, j < N")).collect();
    let mut dependences = Vec::new();
    let mut rng = Rng::new(1);
    for s in 1..n {
        let before = s - 1;
        match shape {
            Shape::Chain | Shape::Ring => dependences.push(format!("S{before}[i, j] -> S{s}[i, j]")),
            Shape::Stencils => dependences.push(format!("S{before}[i, j] -> S{s}[i, k] : j - 1 <= k <= j + 1")),
            Shape::Random => {
                for _ in 0..2 {
                    let source = s - 1 - rng.below(s.min(6));
                    let sink = ["[i, j]", "[i, j + 1]", "[j, i]", "[i, k] : j - 1 <= k <= j + 1"][rng.below(4)];
                    dependences.push(format!("S{source}[i, j] -> S{s}{sink}"));
                }
            }
        }
    }
    if shape == Shape::Ring {
        dependences.push(format!("S{}[i, j] -> S0[i + 1, j]", n - 1));
    }
    let mut out = format!("domain: \"[N] -> {{ {} }}\"\n", domain.join("; "));
    for key in ["validity", "proximity", "coincidence"] {
        out += &format!("{key}: \"[N] -> {{ {} }}\"\n", dependences.join("; "));
    }
    out
}
