//! Nests in which several statements combine values of the same elements of integers, most often by one operation: interval dynamic programming,
//! counts of neighbours.

use super::array::Element;
use super::index::Index;
use super::nest::Generator;

/// The most arrays of a program that gets another one.
const MOST_ARRAYS: usize = 6;

const OPERATIONS: [&str; 6] = ["+", "^", "|", "&", "<", ">"];

impl Generator {
    pub(super) fn combinations(&mut self) {
        let element = self.rng.pick(&[
            Element::Int,
            Element::Unsigned,
            Element::Short,
            Element::UnsignedLong,
            Element::Char,
        ]);
        let known = (0..self.arrays.len()).find(|a| self.arrays[*a].rank == 2 && self.arrays[*a].element == element);
        let array = match known {
            Some(known) => known,
            None if self.arrays.len() < MOST_ARRAYS => self.make_array_of(2, element),
            None => return self.free(2),
        };
        let usual = self.rng.pick(&OPERATIONS);
        let (low, high) = self.bounds(true);
        if high.low < -1000 || low.high > 1000 {
            return self.free(2);
        }
        let (i, outermost) = self.open(&low, &high, true);
        // An interval begins at the loop around it.
        let low = if self.rng.chance(40) { i.add(1) } else { low };
        let (j, middle) = self.open(&low, &high, true);
        let target = self.access_at(array, &[i.clone(), j.clone()]);
        for _ in 0..self.rng.range(0, 2) {
            let beside = j.add(self.rng.range(-1, 0));
            let value = match self.rng.chance(50) {
                true => self.access_at(array, &[i.add(1), beside]),
                false => self.value(element),
            };
            self.combine(&target, element, usual, &value);
        }
        let (low, high) = match self.rng.chance(50) {
            true => (i.add(1), j.clone()),
            false => (Index::constant(0), j.clone()),
        };
        let (k, inner) = self.open(&low, &high, true);
        let left = self.access_at(array, &[i.clone(), k.clone()]);
        let right = self.access_at(array, &[k.add(1), j.clone()]);
        let value = self.combined(element, &[(left, element), (right, element)]);
        self.combine(&target, element, usual, &value);
        if self.rng.chance(40) {
            let value = self.value(element);
            self.combine(&target, element, usual, &value);
        }
        self.close(inner);
        if self.rng.chance(30) {
            let value = self.value(element);
            self.combine(&target, element, usual, &value);
        }
        self.close(middle);
        self.close(outermost);
    }

    /// Combines a value with an element by an operation, or now and then by another one, or under a condition.
    fn combine(&mut self, target: &str, element: Element, usual: &str, value: &str) {
        let operation = match self.rng.chance(85) {
            true => usual,
            false => self.rng.pick(&OPERATIONS),
        };
        if self.rng.chance(15) {
            let condition = self.any_condition();
            self.line(&format!("if ({condition})"));
        }
        match operation {
            "+" => self.store(target, element, "+=", value),
            "<" | ">" => {
                let x = self.name("x");
                let ty = element.c();
                let text = format!("{ty} {x} = {value}; {target} = {x} {operation} {target} ? {x} : {target};");
                self.line(&format!("{{ {text} }}"));
            }
            _ => self.line(&format!("{target} {operation}= {value};")),
        }
    }
}
