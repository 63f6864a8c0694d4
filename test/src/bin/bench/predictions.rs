//! Reads the cost model's predictions from what the compiler prints with `-mllvm -farkas-print=scop,candidates,plan`.
//!
//! Each region that is tried begins with a comment `# FUNCTION: loop ..`. Tables of candidates follow it for each
//! schedule tree that is tried, in which the candidates of each band have positions from 0. Where there is a plan, it
//! comes with its expected cost, and remarks say what was done:
//!
//! ```text
//! # kernel: loop %3
//! original: 7.3363e7 cycles
//!   0 | 7.3363e7 |  1.000 | throughput    | member 1 innermost | takes 7.69 times the cycles of the chosen one
//! * 1 | 9.5365e6 |  0.130 | bytes into L3 | member 0 innermost | chosen
//! # expected: 7.3363e7 cycles in the original order, 9.5365e6 in this one
//! kernel.c:4:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
//! ```

/// A region that was transformed, with costs in cycles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    /// The cost of the original order.
    pub(crate) original: f64,
    /// The cost of the new order.
    pub(crate) new: f64,
    /// What was done, as the remark has it.
    pub(crate) transformation: String,
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
        // The costs of the plan at hand; none outside of the function.
        let mut plan: Option<(f64, f64)> = None;
        let mut is_inside = false;
        for line in printed.lines() {
            if let Some(title) = function_of_title(line) {
                is_inside = title == function;
                plan = None;
            } else if !is_inside {
            } else if let Some(costs) = line.strip_prefix("# expected: ") {
                plan = expected(costs);
            } else if let Some((_, remark)) = line.split_once("loop nest transformed: ") {
                // A remark comes for each outermost loop of the region.
                predictions
                    .transformed
                    .extend(plan.take().map(|(original, new)| Region {
                        original,
                        new,
                        transformation: transformation(remark).to_owned(),
                    }));
            } else if let Some(position) = position(line) {
                predictions.most_candidates = predictions.most_candidates.max(position + 1);
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
        self.transformed.iter().map(|region| region.new).sum()
    }

    /// What was done; regions in sequence with the same transformation count together.
    pub(crate) fn name(&self) -> String {
        let mut names: Vec<&str> = self.transformed.iter().map(|region| &*region.transformation).collect();
        names.dedup();
        names.join("; ")
    }
}

/// The function in a region's title.
fn function_of_title(line: &str) -> Option<&str> {
    let (function, _) = line.strip_prefix("# ")?.split_once(": loop ")?;
    Some(function)
}

/// The costs in `1.5e7 cycles in the original order, 4e6 in this one`.
fn expected(text: &str) -> Option<(f64, f64)> {
    let (original, new) = text
        .strip_suffix(" in this one")?
        .split_once(" cycles in the original order, ")?;
    Some((original.parse().ok()?, new.parse().ok()?))
}

/// The position of a candidate in the band's table.
fn position(line: &str) -> Option<usize> {
    let mut columns = line.strip_prefix(['*', ' '])?.split(" | ");
    let (position, cycles) = (columns.next()?, columns.next()?);
    // Lines of the source are shown with their numbers.
    cycles.trim().parse::<f64>().ok()?;
    position.trim().parse().ok()
}

/// What a remark says was done, without the expected gain.
fn transformation(remark: &str) -> &str {
    let text = remark.split(" [-R").next().unwrap_or(remark);
    match text.rsplit_once("; ") {
        Some((done, gain)) if gain.ends_with(" times as fast expected") => done,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(printed: &str, expected: Expect) {
        let found = Predictions::parse(printed, "kernel");
        let mut text = format!("most candidates: {}\n", found.most_candidates);
        for region in &found.transformed {
            text += &format!("{} -> {}: {}\n", region.original, region.new, region.transformation);
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
    fn a_region_of_several_nests_has_one_plan() {
        check(
            "\
# kernel: loop %3, loop %9 at kernel.c:4:3
# array A: %0
program
  context: { : }
original: 5e3 cycles
  S0: 1.000 cycles an instance by throughput (latency 0.000)
* 0 | 1.5e3 | 0.100 | throughput | member 1 innermost | chosen
  S0: 1.000 cycles an instance by throughput (latency 0.000)
  1 | 2e3 | 0.100 | throughput | member 0 innermost, tiled 32 x 512, 1 jammed by 4 | dearer by 1.00 %
  S0: 1.000 cycles an instance by throughput (latency 0.000)
  0 | 9e3 | 0.100 | throughput | member 1 innermost | dearer by 1.00 %
  1 | 9e3 | 0.100 | throughput | member 0 innermost | dearer by 1.00 %
* 2 | 2.5e2 | 0.100 | throughput | member 0 innermost, tiled 32 x 512 | chosen
# expected: 5e3 cycles in the original order, 1.75e3 in this one
domain: \"{ S0[] }\"
kernel.c:4:3: remark: loop nest transformed: interchanged loops, tiled 32 x 512; 1.5 times as fast expected [-Rpass=farkas]
   18 |   for (int i = 0; i < n; i++)
      |   ^
kernel.c:9:3: remark: loop nest transformed: interchanged loops, tiled 32 x 512 [-Rpass=farkas]
",
            expect![[r#"
                most candidates: 3
                5000 -> 1750: interchanged loops, tiled 32 x 512
                5000 -> 1750, interchanged loops, tiled 32 x 512
            "#]],
        );
    }

    #[test]
    fn a_region_that_stays_as_it_is_and_its_parts() {
        check(
            "\
# kernel: loop %3, loop %9
original: 3e3 cycles
* 0 | 2.9e3 | 0.100 | throughput | member 1 innermost | chosen
# kernel: loop %3
original: 1e3 cycles
* 0 | 1e3 | 0.100 | throughput | member 1 innermost | chosen
kernel.c:4:3: remark: loop nest left as it is: no gain expected: 1e3 cycles [-Rpass-missed=farkas]
# kernel: loop %9
original: 2e3 cycles
* 0 | 5e2 | 0.100 | throughput | member 1 innermost | chosen
# expected: 2e3 cycles in the original order, 5e2 in this one
kernel.c:9:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
",
            expect![[r#"
                most candidates: 1
                2000 -> 500: interchanged loops
                2000 -> 500, interchanged loops
            "#]],
        );
    }

    #[test]
    fn another_function() {
        check(
            "\
# main: loop %3
original: 1e3 cycles
* 0 | 1e1 | 0.100 | throughput | member 1 innermost | chosen
# expected: 1e3 cycles in the original order, 1e1 in this one
kernel.c:4:3: remark: loop nest transformed: interchanged loops [-Rpass=farkas]
",
            expect![[r#"
                most candidates: 0
                0 -> 0, 
            "#]],
        );
    }
}
