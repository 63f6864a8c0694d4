//! Reads the cost model's predictions from what the compiler prints with `-mllvm -farkas-print=scop,candidates`.
//!
//! Each region that is tried begins with a comment `# FUNCTION: loop ..`. Lists of candidates follow it, one for each
//! schedule tree that is tried; a plan comes from the last. A list begins with the cost of the original. Each band has
//! candidates from position 0, and a star marks the one that is chosen:
//!
//! ```text
//! original: 7.3363e7 cycles
//!   S0: 10.853 cycles an instance by throughput (..)
//!  0 member 1 innermost: 7.3363e7 cycles
//!   S0: 10.853 cycles an instance by throughput (..)
//! *1 member 0 innermost: 9.5365e6 cycles
//!   S0: 1.411 cycles an instance by bytes into L3 (..)
//! ```

/// A region that was transformed, with costs in cycles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    /// The cost of the original order.
    pub(crate) original: f64,
    /// The chosen variants, one for each band.
    pub(crate) chosen: Vec<Variant>,
}

/// A variant of a band.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) cycles: f64,
}

/// What one compilation printed of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Predictions {
    /// The regions that were transformed. They do not overlap.
    pub(crate) transformed: Vec<Region>,
    /// The most candidates of a band.
    pub(crate) most_candidates: usize,
}

impl Predictions {
    /// Reads the predictions for `function`.
    pub(crate) fn parse(printed: &str, function: &str) -> Predictions {
        let mut predictions = Predictions::default();
        // The last list of the region at hand; none outside of the function.
        let mut list: Option<Region> = None;
        let mut is_inside = false;
        for line in printed.lines() {
            if let Some(title) = function_of_title(line) {
                is_inside = title == function;
                list = None;
            } else if !is_inside {
            } else if let Some(cost) = line.strip_prefix("original: ") {
                list = cycles(cost).map(Region::before);
            } else if line.contains("loop nest transformed") {
                // A remark comes for each outermost loop of the region.
                predictions.transformed.extend(list.take());
            } else if let (Some((position, is_chosen, variant)), Some(list)) = (candidate(line), &mut list) {
                predictions.most_candidates = predictions.most_candidates.max(position + 1);
                list.chosen.extend(is_chosen.then_some(variant));
            }
        }
        predictions
    }

    /// The cost of the regions in the original order.
    pub(crate) fn before(&self) -> f64 {
        self.transformed.iter().map(|region| region.original).sum()
    }

    /// The cost of the regions in the new order.
    pub(crate) fn after(&self) -> f64 {
        let chosen = self.transformed.iter().flat_map(|region| &region.chosen);
        chosen.map(|variant| variant.cycles).sum()
    }

    /// The names of the chosen variants; bands in sequence with the same one count together.
    pub(crate) fn name(&self) -> String {
        let chosen = self.transformed.iter().flat_map(|region| &region.chosen);
        let mut names: Vec<&str> = chosen.map(|variant| &*variant.name).collect();
        names.dedup();
        names.join("; ")
    }
}

impl Region {
    fn before(original: f64) -> Region {
        Region {
            original,
            chosen: Vec::new(),
        }
    }
}

/// The function in a region's title.
fn function_of_title(line: &str) -> Option<&str> {
    let (function, _) = line.strip_prefix("# ")?.split_once(": loop ")?;
    Some(function)
}

/// The position in the band's list, whether it is the chosen one, and the variant.
fn candidate(line: &str) -> Option<(usize, bool, Variant)> {
    let (is_chosen, rest) = match line.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, line.strip_prefix(' ')?),
    };
    let (position, rest) = rest.split_once(' ')?;
    let (name, cost) = rest.rsplit_once(": ")?;
    let variant = Variant {
        name: name.to_owned(),
        cycles: cycles(cost)?,
    };
    Some((position.parse().ok()?, is_chosen, variant))
}

/// The number in `1.5e7 cycles`.
fn cycles(text: &str) -> Option<f64> {
    text.strip_suffix(" cycles")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(printed: &str, expected: Expect) {
        let found = Predictions::parse(printed, "kernel");
        let mut text = format!("most candidates: {}\n", found.most_candidates);
        for region in &found.transformed {
            text += &format!("original {}\n", region.original);
            for variant in &region.chosen {
                text += &format!("  {}: {}\n", variant.name, variant.cycles);
            }
        }
        text += &format!(
            "{:.0} -> {:.0}, {}\n",
            found.before() + 0.0,
            found.after() + 0.0,
            found.name()
        );
        expected.assert_eq(&text);
    }

    #[test]
    fn the_chosen_variants_of_all_bands() {
        check(
            "\
# kernel: loop %3, loop %9 at kernel.c:4:3
# array A: %0
program
  context: { : }
original: 5e3 cycles
  S0: 1.000 cycles an instance by throughput (latency 0.000)
*0 member 1 innermost: 1.5e3 cycles
  S0: 1.000 cycles an instance by throughput (latency 0.000)
 1 member 0 innermost, tiled 32 x 512, 1 jammed by 4: 2e3 cycles
  S0: 1.000 cycles an instance by throughput (latency 0.000)
 0 member 1 innermost: 9e3 cycles
 1 member 0 innermost: 9e3 cycles
*2 member 0 innermost, tiled 32 x 512: 2.5e2 cycles
kernel.c:4:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
   18 |   for (int i = 0; i < n; i++)
      |   ^
kernel.c:9:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
",
            expect![[r#"
                most candidates: 3
                original 5000
                  member 1 innermost: 1500
                  member 0 innermost, tiled 32 x 512: 250
                5000 -> 1750, member 1 innermost; member 0 innermost, tiled 32 x 512
            "#]],
        );
    }

    #[test]
    fn the_plan_comes_from_the_last_list() {
        check(
            "\
# kernel: loop %3
original: 1e3 cycles
*0 member 1 innermost, distributed: 1e2 cycles
original: 1e3 cycles
*0 member 1 innermost: 2e2 cycles
kernel.c:4:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
",
            expect![[r#"
                most candidates: 1
                original 1000
                  member 1 innermost: 200
                1000 -> 200, member 1 innermost
            "#]],
        );
    }

    #[test]
    fn a_region_that_stays_as_it_is_and_its_parts() {
        check(
            "\
# kernel: loop %3, loop %9
original: 3e3 cycles
*0 member 1 innermost: 2.9e3 cycles
# kernel: loop %3
original: 1e3 cycles
*0 member 1 innermost: 1e3 cycles
kernel.c:4:3: remark: loop nest left as it is: no gain expected: 1e3 cycles [-Rpass-missed=farkas]
# kernel: loop %9
original: 2e3 cycles
*0 member 1 innermost: 5e2 cycles
kernel.c:9:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
",
            expect![[r#"
                most candidates: 1
                original 2000
                  member 1 innermost: 500
                2000 -> 500, member 1 innermost
            "#]],
        );
    }

    #[test]
    fn another_function() {
        check(
            "\
# main: loop %3
original: 1e3 cycles
*0 member 1 innermost: 1e1 cycles
kernel.c:4:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
",
            expect![[r#"
                most candidates: 0
                0 -> 0, 
            "#]],
        );
    }
}
