//! What a plan does, in words for people, with what the source calls things.

use std::fmt::{self, Write};

use crate::sizes::ProfitableSizes;
use crate::source_names::{ModelNames, SourceNames};
use crate::transform::Transform;

/// What a plan does, for which sizes, and what is expected of it.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What was done, in the order in which it was applied.
    pub transforms: Vec<Transform>,
    /// The sizes for which the new order runs.
    pub sizes: ProfitableSizes,
    /// The sizes for which its loops run on threads, if any do.
    pub threads: Option<ProfitableSizes>,
    /// The expected time of the original over that of the new order, on threads if it runs on these.
    pub gain: Option<f64>,
}

/// Gains that are not worth mentioning are below this.
const LEAST_GAIN: f64 = 1.05;

impl Summary {
    /// What was done, each thing once.
    pub fn transformation(&self, names: &dyn SourceNames) -> String {
        let mut parts: Vec<String> = Vec::new();
        for transform in &self.transforms {
            let part = transform.text(names);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        match parts.is_empty() {
            true => "loops in another order".to_owned(),
            false => parts.join(", "),
        }
    }

    /// The sizes for which the new order runs; `None` if that is all of them.
    pub fn sizes(&self, names: &dyn SourceNames) -> Option<String> {
        (!self.sizes.is_all()).then(|| self.sizes.text(names))
    }

    /// The sizes for which loops run on threads; `None` if that is all of them, or none.
    pub fn threads(&self, names: &dyn SourceNames) -> Option<String> {
        let sizes = self.threads.as_ref()?;
        (!sizes.is_all()).then(|| sizes.text(names))
    }

    /// How many times as fast as the original the new order is expected to be, with two digits; `None` where that is hardly more than 1.
    pub fn gain(&self) -> Option<String> {
        let gain = self.gain.filter(|gain| *gain >= LEAST_GAIN && gain.is_finite())?;
        Some(two_digits(gain))
    }

    /// All but the gain.
    fn text(&self, names: &dyn SourceNames) -> String {
        let mut text = self.transformation(names);
        if let Some(sizes) = self.sizes(names) {
            write!(text, ", where {sizes}").expect("a string takes all text");
        }
        if let Some(threads) = self.threads(names) {
            write!(text, "; threads where {threads}").expect("a string takes all text");
        }
        text
    }
}

/// All but the gain, with the model's own names.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&ModelNames))
    }
}

/// A number of at least 1 with two significant digits.
fn two_digits(number: f64) -> String {
    match number {
        number if number < 9.95 => format!("{number:.1}"),
        number if number < 99.5 => format!("{number:.0}"),
        number => {
            let unit = 10f64.powi(number.log10() as i32 - 1);
            format!("{:.0}", (number / unit).round() * unit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::two_digits;
    use expect_test::expect;

    #[test]
    fn numbers_have_two_digits() {
        let numbers = [1.05, 2.0, 9.94, 9.96, 12.3, 99.4, 99.6, 123.0, 1555.0];
        let text = numbers.map(two_digits).join(" ");
        expect!["1.1 2.0 9.9 10 12 99 100 120 1600"].assert_eq(&text);
    }
}
