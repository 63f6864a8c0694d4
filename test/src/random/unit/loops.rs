//! Loops of all forms: how they count, and what of the counter may be used as a subscript.

use super::CALLS;
use super::arguments::{Shape, small_values};
use super::body::Generator;
use crate::random::index::{Index, Integer};

/// How often the body of a nest is executed at most.
const VOLUME: i64 = 20_000;

/// How a loop ends, and what to restore then.
pub(super) struct Close {
    lines: Vec<String>,
    scope: usize,
    walks: usize,
    volume: i64,
}

/// How a loop counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `i < high; i++`
    Up,
    /// `i <= last`
    UpTo,
    /// `i != high`, where there is something to do
    Unequal,
    /// `i += 3`
    Step,
    /// `i += st`
    StepArgument,
    /// `i = high - 1; i >= low; i--`
    Down,
    /// `i = high; i-- > low;`
    DownAtTest,
    /// `do { } while (i < high)`
    DoWhile,
    /// unsigned, from near the type's end: `i = u; i != (T)(u + c)`
    AroundTheEnd,
    /// unsigned: `i = c - 1; i < c; i--`
    DownAroundTheEnd,
    /// `k = c; while (k--)`
    CountDown,
    /// `i = w; i < INT_MAX; i++`
    ToTheEnd,
    /// `i = INT_MIN; i < w; i++`
    FromTheEnd,
    /// `i = w; i < high`, where `w` may be `INT_MAX`
    HugeLow,
    /// unsigned, steps near the type's end
    StepNearTheEnd,
    /// `p = a + low; p < a + high; p++`
    Pointer,
    /// `i = low, j = high - 1; i < j; i++, j--`
    TwoCounters,
    /// `i *= 2`
    Doubling,
    /// `while (k < high && data)`
    WhileData,
}

const ODD_FORMS: [Form; 22] = [
    Form::UpTo,
    Form::Unequal,
    Form::Unequal,
    Form::Step,
    Form::Step,
    Form::StepArgument,
    Form::Down,
    Form::Down,
    Form::DownAtTest,
    Form::DoWhile,
    Form::AroundTheEnd,
    Form::AroundTheEnd,
    Form::DownAroundTheEnd,
    Form::CountDown,
    Form::ToTheEnd,
    Form::FromTheEnd,
    Form::HugeLow,
    Form::StepNearTheEnd,
    Form::Pointer,
    Form::TwoCounters,
    Form::Doubling,
    Form::WhileData,
];

impl Generator {
    /// The first value of a counter and the one after the last.
    fn bounds(&mut self) -> (Index, Index) {
        let low = Index::constant(self.rng.weighted(&[(12, 0), (3, 1), (1, 2), (1, -2)]));
        let n = self.number();
        let high = match self.rng.below(10) {
            0..6 => n.clone(),
            6 => n.add(-1),
            7 => n.add(self.rng.range(1, 2)),
            _ => Index::constant(self.rng.range(2, 24)),
        };
        let mut bounds = (low, high);
        if self.scope.is_empty()
            && let Some(length) = self.numbers.iter().find(|n| n.name == "len").map(|n| n.index())
            && self.rng.chance(40)
        {
            bounds.1 = length;
        } else if let Some(i) = self.counter()
            && self.rng.chance(30)
        {
            let wide = self.rng.range(1, 5);
            bounds = match self.rng.below(8) {
                0..2 => (i, bounds.1),
                2..4 => (i.add(1), bounds.1),
                4 => (bounds.0, i),
                5 => (bounds.0, i.add(1)),
                6 => (bounds.0, n.minus(&i)),
                _ => (i.add(-wide), i.add(wide)),
            };
        } else if self.rng.chance(12) && self.odd(60) {
            let m = self.number();
            bounds.1 = match self.rng.below(6) {
                0 => n.extreme(&m, true),
                1 => n.extreme(&m, false),
                2 if n.low >= 0 => n.quotient(2),
                3 if n.low >= 0 => n.remainder(5),
                4 => n.plus(&m),
                _ => n.times(2),
            };
        }
        if self.volume * (bounds.1.high - bounds.0.low) > VOLUME || bounds.0.low < -60 || bounds.1.high > 160 {
            bounds = (Index::constant(0), Index::constant(self.rng.range(2, 5)));
        }
        bounds
    }

    /// Opens a loop.
    pub(super) fn open(&mut self) -> Close {
        let (low, high) = self.bounds();
        // What the loop itself may change must not decide whether it ends.
        let unsteady = [&low, &high]
            .iter()
            .any(|b| b.text().contains("bx->") || b.text().contains("global_n"));
        let form = if !unsteady && self.odd(40) {
            self.rng.pick(&ODD_FORMS)
        } else {
            Form::Up
        };
        self.open_as(form, &low, &high)
    }

    fn open_as(&mut self, form: Form, low: &Index, high: &Index) -> Close {
        let name = self.name(["i", "j", "k", "l"][self.scope.len().min(3)]);
        let mut ty = self.counter_type();
        let step = self.rng.range(2, 4);
        if !ty.holds(low.low.min(high.low) - step, high.high.max(low.high) + step) {
            ty = Integer::Int;
        }
        let (from, to) = (low.exact(), high.exact());
        let mut lines = vec!["}".to_owned()];
        let mut counters = vec![Index::variable(&name, ty, low.low, (high.high - 1).max(low.low))];
        let counter = Index::variable(&name, ty, low.low.min(high.low) - step, high.high.max(low.high) + step);
        let less = counter.compare("<", &to);
        let (t, first) = (ty.c(), from.text().to_owned());
        let mut walk = None;
        match form {
            Form::Up => {
                if self.rng.chance(8) {
                    // The counter is used after the loop.
                    self.declare(&format!("{t} {name} = 0;"));
                    self.results.push(format!("(unsigned long){name}"));
                    self.line(&format!("for ({name} = {first}; {less}; {name}++) {{"));
                } else {
                    self.line(&format!("for ({t} {name} = {first}; {less}; {name}++) {{"));
                }
            }
            Form::UpTo => {
                let test = counter.compare("<=", &to.add(-1));
                self.line(&format!("for ({t} {name} = {first}; {test}; ++{name}) {{"));
            }
            Form::Unequal => {
                let (guard, test) = (from.compare("<", &to), counter.compare("!=", &to));
                self.line(&format!("if ({guard})"));
                self.line(&format!("for ({t} {name} = {first}; {test}; {name}++) {{"));
            }
            Form::Step => self.line(&format!("for ({t} {name} = {first}; {less}; {name} += {step}) {{")),
            Form::StepArgument => {
                let values = (0..CALLS as i64).map(|call| 1 + call % 2).collect();
                let by = self.add_number("st", ty, values);
                self.line(&format!(
                    "for ({t} {name} = {first}; {less}; {name} += {}) {{",
                    by.text()
                ));
            }
            Form::Down => {
                let ty = if ty.is_signed() { ty } else { Integer::Int };
                let counter = Index::variable(&name, ty, counter.low, counter.high);
                counters[0] = Index::variable(&name, ty, counters[0].low, counters[0].high);
                let test = counter.compare(">=", &from);
                self.line(&format!(
                    "for ({} {name} = {}; {test}; {name}--) {{",
                    ty.c(),
                    to.add(-1).exact().text()
                ));
            }
            Form::DownAtTest => {
                counters[0] = Index::variable(&name, Integer::Int, counters[0].low, counters[0].high);
                self.line(&format!(
                    "for (int {name} = {}; {name}-- > (int){}; ) {{",
                    to.text(),
                    from.operand()
                ));
            }
            Form::DoWhile => {
                counters[0].high = counters[0].high.max(low.high);
                self.line(&format!("{t} {name} = {first};"));
                self.line("do {");
                lines = vec![format!("{name}++;"), format!("}} while ({less});")];
            }
            Form::AroundTheEnd | Form::DownAroundTheEnd | Form::CountDown | Form::StepNearTheEnd => {
                counters[0] = self.open_unsigned(form, &name, &mut lines);
            }
            Form::ToTheEnd | Form::FromTheEnd => counters[0] = self.open_at_the_end(form, &name),
            Form::HugeLow => {
                let most = i64::from(i32::MAX);
                let values = (0..CALLS as i64)
                    .map(|call| [0, most, 3, most - 1, -4][call as usize % 5])
                    .collect();
                let w = self.add_number("w", Integer::Int, values);
                counters[0] = Index::variable(&name, Integer::Int, -4, (high.high - 1).max(3));
                let whole = Index::variable(&name, Integer::Int, -4, most);
                let less = whole.compare("<", &to);
                self.line(&format!("for (int {name} = {}; {less}; {name}++) {{", w.text()));
            }
            Form::Pointer => {
                let flat = |a: &usize| self.arrays[*a].shape == Shape::Flat;
                let Some(array) = (0..self.arrays.len()).find(flat) else {
                    return self.open_as(Form::Up, low, high);
                };
                let (a, of) = (self.arrays[array].name.clone(), self.arrays[array].ty);
                self.arrays[array].written = true;
                let pointer = self.name("p");
                let test = if from.low == from.high && to.low >= from.high {
                    "!="
                } else {
                    "<"
                };
                self.line(&format!(
                    "for ({0} *{pointer} = {a} + {1}, *{pointer}e = {a} + {2}; {pointer} {test} {pointer}e; {pointer}++) {{",
                    of.c(),
                    from.operand(),
                    to.operand()
                ));
                walk = Some((pointer, of));
                counters.clear();
            }
            Form::TwoCounters => {
                let second = self.name("j");
                let last = to.add(-1).exact();
                self.line(&format!(
                    "for (int {name} = {first}, {second} = {}; {name} < {second}; {name}++, {second}--) {{",
                    last.text()
                ));
                let (least, most) = (low.low, (high.high - 1).max(low.low));
                counters = [name.clone(), second]
                    .map(|n| Index::variable(&n, Integer::Int, least, most))
                    .to_vec();
            }
            Form::Doubling => {
                counters[0] = Index::variable(&name, Integer::Int, 1, (high.high - 1).max(1));
                let counter = Index::variable(&name, Integer::Int, 1, 2 * high.high.max(1));
                self.line(&format!(
                    "for (int {name} = 1; {}; {name} *= 2) {{",
                    counter.compare("<", &to)
                ));
            }
            Form::WhileData => {
                let condition = self.data_condition();
                self.line(&format!("{t} {name} = {first};"));
                self.line(&format!("while ({less} && {condition}) {{"));
                lines.insert(0, format!("{name}++;"));
            }
        }
        let close = Close {
            lines,
            scope: self.scope.len(),
            walks: self.walks.len(),
            volume: self.volume,
        };
        self.volume *= counters.first().map_or(160, |c| c.high - c.low + 1).max(1);
        self.scope.extend(counters);
        self.walks.extend(walk);
        self.advances_itself.push(close.lines.len() == 1);
        self.indent += 1;
        close
    }

    /// Loops with unsigned counters that may wrap around.
    fn open_unsigned(&mut self, form: Form, name: &str, lines: &mut [String]) -> Index {
        let ty = self
            .rng
            .pick(&[Integer::Unsigned, Integer::Unsigned, Integer::Size, Integer::Char]);
        let t = ty.c();
        let counts = small_values(&mut self.rng, 0, 20);
        let most = counts.iter().max().copied().unwrap_or(0);
        let body = |text: &str, ty| Index::variable(text, ty, 0, (most - 1).max(0));
        let end = match ty {
            Integer::Unsigned => i64::from(u32::MAX),
            Integer::Char => 255,
            _ => i64::MAX,
        };
        match form {
            Form::AroundTheEnd => {
                let count = self.add_number("c", ty, counts);
                let starts = (0..CALLS)
                    .map(|call| [end - 3, 0, end, 7, end - 40][call % 5])
                    .collect();
                let start = self.add_number("u", ty, starts);
                let (u, c) = (start.text(), count.text());
                self.line(&format!(
                    "for ({t} {name} = {u}; {name} != ({t})({u} + {c}); {name}++) {{"
                ));
                body(&format!("({t})({name} - {u})"), ty)
            }
            Form::DownAroundTheEnd => {
                // A narrow counter would be compared as an int.
                let (ty, t) = if ty == Integer::Char {
                    (Integer::Unsigned, "unsigned")
                } else {
                    (ty, t)
                };
                let count = self.add_number("c", ty, counts);
                self.line(&format!(
                    "for ({t} {name} = {0} - 1; {name} < {0}; {name}--) {{",
                    count.text()
                ));
                body(name, ty)
            }
            Form::StepNearTheEnd => {
                let (ty, t) = if ty == Integer::Char {
                    (Integer::Unsigned, "unsigned")
                } else {
                    (ty, t)
                };
                let end = if ty == Integer::Size { i64::MAX } else { end };
                let starts = (0..CALLS).map(|call| [end - 16, 0, end - 40, 7, 1][call % 5]).collect();
                let start = self.add_number("u", ty, starts);
                let u = start.text();
                self.line(&format!("for ({t} {name} = {u}; {name} < {u} + 12; {name} += 3) {{"));
                Index::variable(&format!("({name} - {u})"), ty, 0, 9)
            }
            _ => {
                let count = self.add_number("c", ty, counts);
                self.line(&format!("{t} {name} = {};", count.text()));
                self.line(&format!("while ({name}--) {{"));
                debug_assert_eq!(lines.len(), 1);
                body(name, ty)
            }
        }
    }

    /// Loops with signed counters that reach the end of the type.
    fn open_at_the_end(&mut self, form: Form, name: &str) -> Index {
        let is_long = self.rng.chance(30);
        let (ty, most, least, c, last, first) = if is_long {
            (Integer::Long, i64::MAX, i64::MIN, "long", "LONG_MAX", "LONG_MIN")
        } else {
            (
                Integer::Int,
                i64::from(i32::MAX),
                i64::from(i32::MIN),
                "int",
                "INT_MAX",
                "INT_MIN",
            )
        };
        let offsets = [1, 13, 0, 7, 20, 2];
        let values = (0..CALLS).map(|call| {
            if form == Form::ToTheEnd {
                most - offsets[call % 6]
            } else {
                least + offsets[call % 6]
            }
        });
        let w = self.add_number("w", ty, values.collect());
        if form == Form::ToTheEnd {
            self.line(&format!(
                "for ({c} {name} = {}; {name} < {last}; {name}++) {{",
                w.text()
            ));
            Index::variable(&format!("({last} - {name})"), ty, 1, 20)
        } else {
            self.line(&format!(
                "for ({c} {name} = {first}; {name} < {}; {name}++) {{",
                w.text()
            ));
            Index::variable(&format!("({name} - {first})"), ty, 0, 19)
        }
    }

    pub(super) fn close(&mut self, close: Close) {
        let (last, lines) = close.lines.split_last().expect("a closing brace");
        for line in lines {
            self.line(line);
        }
        self.indent -= 1;
        self.line(last);
        self.scope.truncate(close.scope);
        self.walks.truncate(close.walks);
        self.advances_itself.pop();
        self.volume = close.volume;
    }

    fn counter_type(&mut self) -> Integer {
        if !self.rng.chance(25) {
            return self.rng.weighted(&[(8, Integer::Int), (3, Integer::Long)]);
        }
        self.rng.pick(&[
            Integer::Int,
            Integer::Unsigned,
            Integer::Size,
            Integer::Short,
            Integer::Char,
            Integer::Long,
        ])
    }
}
