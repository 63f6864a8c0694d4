//! Conditions around loops, on data or on what does not change.

use super::array::Element;
use super::index::Index;
use super::nest::Generator;
use super::rng::Rng;

/// Decides on conditions by random numbers of its own, so that programs without these are as they were.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    rng: Rng,
    /// In how many of a hundred loops with a place for a condition there is one.
    percent: usize,
}

impl Conditions {
    pub(super) fn new(program: &Rng) -> Self {
        let mut rng = program.clone();
        for _ in 0..3 {
            rng = Rng::new(rng.range(0, i64::MAX - 1) as u64 ^ 0xc0_4d17);
        }
        let percent = rng.weighted(&[(80, 0), (10, 30), (10, 70)]);
        Conditions { rng, percent }
    }
}

impl Generator {
    /// Opens a condition on an element with some of these subscripts, perhaps. Whether it is to be closed.
    pub(super) fn open_condition(&mut self, counters: &[Index]) -> bool {
        let Conditions { rng, percent } = &mut self.conditions;
        if counters.is_empty() || !rng.chance(*percent) {
            return false;
        }
        if rng.chance(30) {
            let param = rng.pick(&self.params);
            let (bits, value) = (rng.range(1, 7), rng.range(0, 3));
            self.line(&format!("if (((long){} * 5 & {bits}) != {value}) {{", param.name));
            self.indent += 1;
            return true;
        }
        let array = rng.below(self.arrays.len());
        let is_fixed = rng.chance(15);
        let subscripts: Vec<Index> = (0..self.arrays[array].rank)
            .map(|_| match is_fixed {
                true => Index::constant(rng.range(0, 2)),
                false => rng.pick(counters),
            })
            .collect();
        // Some always hold, some nearly so, and others in half of all cases.
        let test = match self.arrays[array].element {
            Element::Double | Element::Float => {
                rng.weighted(&[(4, "> -9"), (4, "!= 0"), (1, "> 0.1"), (2, "!= 0.125")])
            }
            _ => rng.weighted(&[(4, "!= 77"), (4, "!= 0"), (1, "> 9"), (2, "!= 5")]),
        };
        let element = self.access_at(array, &subscripts);
        match self.conditions.rng.chance(15) {
            true => {
                let other = self.conditions.rng.pick(counters);
                let also = other.text().to_owned();
                self.line(&format!("if ({element} {test} && {also} != 2) {{"));
            }
            false => self.line(&format!("if ({element} {test}) {{")),
        }
        self.indent += 1;
        true
    }

    /// Closes a condition that was opened.
    pub(super) fn close_condition(&mut self, was_opened: bool) {
        if was_opened {
            self.indent -= 1;
            self.line("}");
        }
    }
}
