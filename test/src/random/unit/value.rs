//! Subscripts, conditions and values.
//!
//! Floating-point values are sums of products with small factors. Integers are computed unsigned, so that nothing
//! overflows.

use super::arguments::{Array, LEAST, MOST, Shape};
use super::body::Generator;
use super::types::Type;
use crate::random::index::{Index, Integer};

impl Generator {
    /// A number of the arguments, small in all calls.
    pub(super) fn number(&mut self) -> Index {
        let small: Vec<Index> = self
            .numbers
            .iter()
            .map(|n| n.index())
            .filter(|i| i.low > -100 && i.high < 100)
            .collect();
        if small.is_empty() {
            return Index::constant(self.rng.range(3, 20));
        }
        self.rng.pick(&small)
    }

    /// A counter of a loop around.
    pub(super) fn counter(&mut self) -> Option<Index> {
        if self.scope.is_empty() {
            return None;
        }
        // The innermost ones more often.
        let at = self.rng.below(self.scope.len()).max(self.rng.below(self.scope.len()));
        Some(self.scope[at].clone())
    }

    /// A subscript; mostly a counter with an offset.
    pub(super) fn subscript(&mut self) -> Index {
        let Some(i) = self.counter() else {
            return Index::constant(self.rng.range(0, 9));
        };
        let offset = self.rng.weighted(&[(9, 0), (2, 1), (2, -1), (1, 2), (1, -3)]);
        if !self.rng.chance(35) {
            return i.add(offset);
        }
        let j = self.counter().expect("there is one");
        match self.rng.below(10) {
            0 => self.number().minus(&i).add(offset),
            1 => i.plus(&self.number()).add(offset),
            2 => i.plus(&j).add(offset),
            3 => i.minus(&j).add(offset),
            4 => i.times(2).add(offset),
            5 => i.times(-1).add(offset),
            6 => Index::constant(self.rng.range(0, 5)),
            7 => self.number().add(offset),
            _ if self.odd(60) => self.odd_subscript(&i, &j),
            _ => i.add(offset),
        }
    }

    fn odd_subscript(&mut self, i: &Index, j: &Index) -> Index {
        let modulus = self.rng.range(2, 7);
        match self.rng.below(9) {
            0 => i.masked(7),
            1 if i.low >= 0 => i.remainder(modulus),
            2 if i.low >= 0 => i.quotient(modulus),
            3 => i.low_byte(),
            4 => i.extreme(j, true),
            5 => i.extreme(j, false),
            6 => i.cast(Integer::Short),
            7 => {
                let product = format!("({} * {})", i.operand(), j.operand());
                Index::variable(&product, Integer::Long, i64::MIN / 4, i64::MAX / 4).masked(63)
            }
            _ => {
                // Wraps around in between.
                let big = Index::variable("4000000000u", Integer::Unsigned, 0, 0);
                let small = i.exact();
                if small.low < 0 {
                    return small;
                }
                big.plus(&small.cast(Integer::Unsigned)).minus(&big)
            }
        }
    }

    /// An access to an array.
    pub(super) fn access(&mut self, array: usize) -> String {
        let subscripts: Vec<Index> = (0..self.arrays[array].rank()).map(|_| self.subscript()).collect();
        self.access_at(array, &subscripts)
    }

    /// An access with given subscripts, as far as they are in bounds.
    pub(super) fn access_at(&mut self, array: usize, subscripts: &[Index]) -> String {
        let Array { name, shape, .. } = self.arrays[array].clone();
        let within = |index: &Index, low: i64, high: i64| {
            if index.low >= low && index.high <= high {
                index.exact()
            } else {
                // Negative values too: two's complement.
                index.masked(if high >= 63 { 63 } else { 15 })
            }
        };
        let first = &subscripts[0];
        match shape {
            Shape::Flat => format!("{name}[{}]", within(first, LEAST, MOST).text()),
            Shape::Rows | Shape::Table => {
                let (i, j) = (within(first, -6, 25), within(&subscripts[1], 0, 23));
                format!("{name}[{}][{}]", i.text(), j.text())
            }
            Shape::Variable(ld) => {
                // The least number of columns in a call: beyond it is out of bounds.
                let (i, j) = (within(first, -6, 25), within(&subscripts[1], 0, ld.low - 1));
                let j = if j.high < ld.low { j } else { j.masked(7) };
                format!("{name}[{}][{}]", i.text(), j.text())
            }
            Shape::Linear(ld) => {
                let (i, j) = (within(first, -5, 24), within(&subscripts[1], -20, 40));
                let (i, j) = (i.exact(), j.exact());
                // A product that wraps around would be no offset.
                let wraps = ld.is_unsigned() && (i.low < 0 || j.low < 0);
                let ld = if wraps { ld.cast(Integer::Long) } else { ld };
                if self.rng.chance(70) {
                    format!("{name}[{} * {} + {}]", i.operand(), ld.operand(), j.operand())
                } else {
                    format!("{name}[{} + {} * {}]", j.text(), ld.operand(), i.operand())
                }
            }
            Shape::Field(_, field) => format!("{name}[{}].{field}", within(first, LEAST, MOST).text()),
            Shape::Member(member) => format!("s->{member}[{}]", within(first, LEAST, MOST).text()),
            Shape::Local => format!("{name}[{}]", within(first, 0, 63).text()),
            Shape::Subscripts(_) => format!("{name}[{}]", within(first, LEAST, MOST).text()),
        }
    }

    /// A value that is read, and its type.
    pub(super) fn read(&mut self) -> (String, Type) {
        if !self.scalars.is_empty() && self.rng.chance(12) {
            return self.rng.pick(&self.scalars.clone());
        }
        if !self.walks.is_empty() && self.rng.chance(50) {
            let (name, ty) = self.rng.pick(&self.walks.clone());
            let offset = self.rng.range(-1, 1);
            let text = if offset == 0 {
                format!("*{name}")
            } else {
                format!("{name}[{offset}]")
            };
            return (text, ty);
        }
        if let Some(text) = self.indirect(30) {
            return text;
        }
        let array = self.any_array();
        (self.access(array), self.arrays[array].ty)
    }

    /// `a[b[i]]`, in some cases.
    pub(super) fn indirect(&mut self, percent: usize) -> Option<(String, Type)> {
        let is_index = |array: &Array| matches!(array.shape, Shape::Subscripts(_));
        let by = self.arrays.iter().position(is_index)?;
        if !self.rng.chance(percent) {
            return None;
        }
        let inner = self.access(by);
        let array = self.any_array();
        if self.arrays[array].rank() != 1 {
            return None;
        }
        let index = Index::variable(&inner, Integer::Int, 0, 63);
        Some((self.access_at(array, &[index]), self.arrays[array].ty))
    }

    /// An array that is not one of subscripts.
    pub(super) fn any_array(&mut self) -> usize {
        let usual: Vec<usize> = (0..self.arrays.len())
            .filter(|a| !matches!(self.arrays[*a].shape, Shape::Subscripts(_)))
            .collect();
        self.rng.pick(&usual)
    }

    /// A value to be stored in an element or scalar of the type.
    pub(super) fn value(&mut self, ty: Type) -> String {
        let count = self.rng.weighted(&[(5, 1), (5, 2), (2, 3)]);
        let operands: Vec<(String, Type)> = (0..count).map(|_| self.read()).collect();
        self.combined(ty, &operands)
    }

    /// A value computed from operands.
    pub(super) fn combined(&mut self, ty: Type, operands: &[(String, Type)]) -> String {
        let terms: Vec<String> = operands.iter().map(|operand| self.term(ty, operand)).collect();
        let mut text = terms.join(self.rng.pick(&[" + ", " + ", " - "]));
        if self.rng.chance(20)
            && let Some(i) = self.counter()
        {
            let i = i.exact();
            text = match ty.is_float() {
                true => format!("{text} + 0.01 * {}", i.operand()),
                false => format!("{text} + (unsigned){}", i.operand()),
            };
        }
        text
    }

    fn term(&mut self, ty: Type, (text, of): &(String, Type)) -> String {
        if !ty.is_float() {
            let whole = if of.is_float() {
                // Truncated from a small range.
                format!("(unsigned)(int)(fmin(fmax({text}, -8.0), 8.0) * 16)")
            } else if ty == Type::I64 || ty == Type::U64 {
                format!("(unsigned long){text}")
            } else {
                format!("(unsigned){text}")
            };
            return match self.rng.below(7) {
                0 => format!("3 * {whole}"),
                1 => format!("({whole} >> 2)"),
                2 => format!("{whole} % 5"),
                _ => whole,
            };
        }
        let real = if of.is_float() {
            text.clone()
        } else {
            format!("({text} & 31) * 0.03")
        };
        match self.rng.below(24) {
            0 => format!("fabs({real})"),
            1 => format!("sqrt(fabs({real}))"),
            2 => format!("{real} / 3.0"),
            3 => format!("0.5f * (float)({real})"),
            4 => format!("fmax({real}, 0.125)"),
            5 => format!("({real} < 0 ? -0.5 : {real})"),
            6 if self.odd(70) => format!("opaque({real})"),
            7 if self.odd(70) => format!("mix({real}, 0.5)"),
            8 if self.odd(50) => format!("sin({real})"),
            9..14 => real,
            _ => format!("{} * {real}", self.rng.pick(&["0.5", "0.25", "-0.5", "0.75"])),
        }
    }

    /// A condition on counters and arguments.
    pub(super) fn affine_condition(&mut self) -> String {
        let i = self.subscript();
        let other = match self.rng.below(4) {
            0 => self.number(),
            1 => Index::constant(self.rng.range(0, 9)),
            _ => self.subscript(),
        };
        let operator = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.rng.below(12) {
            0 if i.low >= 0 => Index::compare(&i.remainder(3), "==", &Index::constant(self.rng.range(0, 2))),
            1 => format!("{} && {}", i.compare("<", &other), self.affine_condition()),
            2 => format!("({} || {})", i.compare(">=", &other), self.affine_condition()),
            _ => i.compare(operator, &other),
        }
    }

    /// A condition on what is read.
    pub(super) fn data_condition(&mut self) -> String {
        let (text, ty) = self.read();
        match ty {
            Type::Bool => text,
            _ if ty.is_float() => format!(
                "{text} {} {}",
                self.rng.pick(&["<", ">", "<="]),
                self.rng.pick(&["0.1", "0", "0.35"])
            ),
            _ => format!(
                "({text} & {}) {} {}",
                self.rng.pick(&[7, 63]),
                self.rng.pick(&["<", ">", "==", "!="]),
                self.rng.range(0, 6)
            ),
        }
    }
}
