//! Subscripts, conditions, and the values that statements compute.
//!
//! Floating-point values are sums of products with small factors, so that they seldom overflow. Signed integers are
//! computed from masked operands or in unsigned arithmetic, so that nothing overflows.

use super::array::{Array, Element, Param};
use super::index::{Index, Integer};
use super::nest::Generator;

const FACTORS: [&str; 6] = ["0.5", "0.25", "0.125", "0.3", "-0.5", "0.7"];

/// Whether all values of the parameter are small enough for arithmetic.
pub(super) fn is_tame(param: &Param) -> bool {
    param.low() > -1000 && param.high() < 1000
}

impl Generator {
    /// An argument that is small in all calls.
    fn tame_param(&mut self) -> Index {
        let tame: Vec<Index> = self.params.iter().filter(|p| is_tame(p)).map(Param::index).collect();
        self.rng.pick(&tame)
    }

    /// A counter of a loop around, if there is one.
    pub(super) fn counter(&mut self) -> Option<Index> {
        (!self.scope.is_empty()).then(|| self.rng.pick(&self.scope.clone()))
    }

    /// A subscript; mostly a counter with an offset.
    pub(super) fn subscript(&mut self) -> Index {
        let Some(i) = self.counter() else {
            return Index::constant(self.rng.range(0, 4));
        };
        let j = self.counter().expect("there is one");
        let offset = self.rng.weighted(&[(8, 0), (2, 1), (2, -1), (1, 2), (1, -3)]);
        let kind = if self.tidy {
            self.rng.range(12, 85)
        } else {
            self.rng.range(0, 99)
        };
        match kind {
            0..62 => i.add(offset),
            62..66 => self.tame_param().minus(&i).add(offset),
            66..70 => i.plus(&self.tame_param()).add(offset),
            70..74 => i.plus(&j).add(offset),
            74..77 => i.minus(&j).add(offset),
            77..80 => i.times(2).add(offset),
            80..82 => i.times(-1).add(offset),
            82..84 => self.loaded_subscript().unwrap_or(i),
            84..86 => Index::constant(self.rng.range(0, 3)),
            86..88 => self.tame_param().add(offset),
            88..90 => i.add(offset).cast(Integer::Long),
            90..91 => i.masked(7),
            91..92 if i.low >= 0 => i.remainder(4),
            92..93 if i.low >= 0 => i.quotient(2),
            93..95 => i.add(offset).low_byte(),
            95..97 => i.extreme(&j, offset >= 0),
            97..98 => {
                // Wraps around in between.
                let big = Index::variable("4000000000u", Integer::Unsigned, 0, 0);
                big.plus(&i.exact().cast(Integer::Unsigned)).minus(&big).add(offset)
            }
            _ => i.add(offset),
        }
    }

    /// A subscript that is read from an array of integers, if there is one.
    fn loaded_subscript(&mut self) -> Option<Index> {
        let fitting = |array: &Array| array.rank == 1 && matches!(array.element, Element::Int | Element::Unsigned);
        let known: Vec<usize> = (0..self.arrays.len()).filter(|a| fitting(&self.arrays[*a])).collect();
        if known.is_empty() && self.arrays.len() > 5 {
            return None;
        }
        let array = if known.is_empty() {
            let element = self.rng.pick(&[Element::Int, Element::Unsigned]);
            self.make_array_of(1, element)
        } else {
            self.rng.pick(&known)
        };
        let at = self.counter()?;
        let mask = self.rng.pick(&[3, 15]);
        let text = format!("(int)({} & {mask})", self.access_at(array, &[at]));
        Some(Index::variable(&text, Integer::Int, 0, mask))
    }

    /// An access with random subscripts.
    pub(super) fn access(&mut self, array: usize) -> String {
        let rank = self.arrays[array].rank;
        let mut subscripts: Vec<Index> = Vec::new();
        for _ in 0..rank {
            let mut subscript = self.subscript();
            // Diagonals are rare in programs.
            if subscripts.iter().any(|s| s.text() == subscript.text()) {
                subscript = self.subscript();
            }
            subscripts.push(subscript);
        }
        self.access_at(array, &subscripts)
    }

    /// An access with given subscripts.
    pub(super) fn access_at(&mut self, array: usize, subscripts: &[Index]) -> String {
        self.arrays[array].accessed(subscripts);
        let texts: Vec<&str> = subscripts.iter().map(Index::text).collect();
        format!("{}({})", self.arrays[array].name, texts.join(", "))
    }

    /// A value that is read, and its type.
    fn read(&mut self) -> (String, Element) {
        if !self.scalars.is_empty() && self.rng.chance(if self.tidy { 4 } else { 12 }) {
            return self.rng.pick(&self.scalars.clone());
        }
        if !self.walks.is_empty() && self.rng.chance(40) {
            let (name, array, at) = self.rng.pick(&self.walks.clone());
            let offset = self.rng.range(-1, 1);
            self.arrays[array].accessed(&[at.add(offset)]);
            return (format!("{name}[{offset}]"), self.arrays[array].element);
        }
        let array = self.rng.below(self.arrays.len());
        (self.access(array), self.arrays[array].element)
    }

    /// A value to be stored in an element or scalar of type `element`.
    pub(super) fn value(&mut self, element: Element) -> String {
        let mut operands = Vec::new();
        for _ in 0..self.rng.weighted(&[(5, 1), (5, 2), (2, 3), (1, 4)]) {
            operands.push(self.read());
        }
        self.combined(element, &operands)
    }

    /// A value computed from operands.
    pub(super) fn combined(&mut self, element: Element, operands: &[(String, Element)]) -> String {
        let mut text = String::new();
        let mut operands = operands.iter();
        while let Some(first) = operands.next() {
            let partner = if self.rng.chance(30) { operands.next() } else { None };
            let term = if element.is_float() {
                self.real_term(first, partner)
            } else {
                self.whole_term(element, first, partner)
            };
            let operator = match (text.is_empty(), self.rng.chance(80)) {
                (true, _) => "",
                (_, true) => " + ",
                (_, false) => " - ",
            };
            text = format!("{text}{operator}{term}");
        }
        if self.rng.chance(15)
            && let Some(i) = self.counter()
        {
            let i = i.exact();
            let term = match element.is_float() {
                true => format!("0.01 * {}", i.operand()),
                false => format!("(unsigned){}", i.operand()),
            };
            text = format!("{text} + {term}");
        }
        text
    }

    fn real(&mut self, (text, element): &(String, Element)) -> String {
        if element.is_float() {
            text.clone()
        } else if *element == Element::Unsigned && self.rng.chance(30) {
            format!("1e-9 * {text}")
        } else {
            format!("(double)({text} & 1023) * 0.001")
        }
    }

    fn real_term(&mut self, first: &(String, Element), partner: Option<&(String, Element)>) -> String {
        let x = self.real(first);
        if let Some(partner) = partner {
            let y = self.real(partner);
            let factor = self.rng.pick(&["", "0.125 * ", "0.25 * "]);
            return match self.rng.below(12) {
                0 => format!("fmax({x}, {y})"),
                1 => format!("({x} < {y} ? {x} : {y})"),
                _ => format!("{factor}{x} * {y}"),
            };
        }
        let factor = self.rng.pick(&FACTORS);
        match self.rng.below(24) {
            0 => format!("{factor} * sqrt(fabs({x}))"),
            1 => format!("{factor} * fabs({x})"),
            2 => format!("{x} / 3.0"),
            3 => format!("{factor} * (float)({x})"),
            4..12 => x,
            _ => format!("{factor} * {x}"),
        }
    }

    fn whole(&mut self, element: Element, (text, of): &(String, Element)) -> String {
        if of.is_float() {
            // Truncated from a small range.
            return format!("(int)(fmin(fmax({text}, -8.0), 8.0) * 16)");
        }
        if element == Element::Int && self.rng.chance(50) {
            format!("(int)({text} & 255)")
        } else {
            format!("(unsigned){text}")
        }
    }

    fn whole_term(
        &mut self,
        element: Element,
        first: &(String, Element),
        partner: Option<&(String, Element)>,
    ) -> String {
        let x = self.whole(element, first);
        match partner {
            Some(partner) => format!("{x} * {}", self.whole(element, partner)),
            None => match self.rng.below(5) {
                0 => format!("3 * {x}"),
                1 => format!("({x} >> 2)"),
                _ => x,
            },
        }
    }

    /// A condition on counters or on data.
    pub(super) fn any_condition(&mut self) -> String {
        if self.rng.chance(55) {
            return self.condition();
        }
        let (text, element) = self.read();
        let test = if element.is_float() {
            format!("{text} {} 0.2", self.rng.pick(&["<", ">"]))
        } else {
            format!("({text} & {}) {} 0", self.rng.range(1, 3), self.rng.pick(&["==", "!="]))
        };
        match self.rng.below(6) {
            0 => format!("{} && {test}", self.condition()),
            1 => format!("{test} && {}", self.any_condition()),
            2 => format!("{test} || {}", self.condition()),
            _ => test,
        }
    }

    /// An affine condition, or one nearly so.
    pub(super) fn condition(&mut self) -> String {
        let i = self.subscript();
        let other = match self.rng.below(4) {
            0 => self.tame_param(),
            1 => Index::constant(self.rng.range(0, 7)),
            _ => self.subscript(),
        };
        let operator = self.rng.pick(&["<", "<=", ">", ">=", "<", ">", "==", "!="]);
        match self.rng.below(12) {
            0 if i.low >= 0 => Index::compare(&i.remainder(2), "==", &Index::constant(self.rng.range(0, 1))),
            1 => format!("{} && {}", i.compare("<", &other), self.condition()),
            2 => format!("({} || {})", i.compare(">=", &other), self.condition()),
            3 => match self.params.iter().find(|p| !is_tame(p)) {
                Some(wild) => i.compare("<", &wild.index()),
                None => i.compare(operator, &other),
            },
            _ => i.compare(operator, &other),
        }
    }
}
