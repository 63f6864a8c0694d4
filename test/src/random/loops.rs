//! Loops: their bounds, their forms, and the variables that change with them.

use super::array::Param;
use super::index::{Index, Integer};
use super::nest::{Generator, MAX_VOLUME};
use super::value::is_tame;

/// How a loop ends, and what to restore then.
pub(super) struct Close {
    lines: Vec<String>,
    scope: usize,
    walks: usize,
    volume: i64,
}

impl Generator {
    /// Bounds of a loop: the first value and the one after the last. Plain ones are those of most programs.
    pub(super) fn bounds(&mut self, plain: bool) -> (Index, Index) {
        let tame: Vec<Index> = self.params.iter().filter(|p| is_tame(p)).map(Param::index).collect();
        let n = self.rng.pick(&tame);
        let small = self.rng.weighted(&[(6, 0), (3, 1), (1, 2)]);
        let usual_high = match self.rng.below(10) {
            0..6 => n.clone(),
            6..8 => n.add(-1),
            _ => Index::constant(self.rng.range(2, self.scale)),
        };
        let mut bounds = (Index::constant(small), usual_high);
        if let Some(i) = self.counter()
            && self.rng.chance(if plain { 20 } else { 45 })
        {
            let wide = self.rng.range(1, 6);
            bounds = match self.rng.below(12) {
                0..2 => (i.clone(), bounds.1),
                2..4 => (i.add(1), bounds.1),
                4..6 => (bounds.0, i.clone()),
                6..8 => (bounds.0, i.add(1)),
                8 => (bounds.0, n.minus(&i)),
                9 => (i.add(-wide), i.add(wide)),
                10 => (i.clone(), i.add(wide).extreme(&n, true)),
                _ => (i.add(-wide).extreme(&Index::constant(0), false), i.add(1)),
            };
        } else if !plain && self.rng.chance(15) {
            let m = self.rng.pick(&tame);
            bounds = match self.rng.below(4) {
                0 => (bounds.0, n.extreme(&m, true)),
                1 => (m, n),
                2 => (bounds.0, n.plus(&m)),
                _ => (Index::constant(-2), bounds.1),
            };
        }
        if let Some(wild) = self.params.iter().find(|p| !is_tame(p)).cloned()
            && self.rng.chance(20)
        {
            bounds = if wild.high() > 1000 {
                (wild.index(), bounds.1)
            } else {
                (bounds.0, wild.index())
            };
        }
        if self.volume * (bounds.1.high - bounds.0.low) > MAX_VOLUME {
            bounds = (Index::constant(small), Index::constant(self.rng.range(2, 5)));
        }
        bounds
    }

    /// Opens a loop from `low` up to but without `high`, in one of many forms; gives its counter.
    pub(super) fn open(&mut self, low: &Index, high: &Index, plain: bool) -> (Index, Close) {
        let wild = [low, high].iter().any(|x| x.low < -1000 || x.high > 1000);
        let step = self.rng.weighted(&if plain {
            vec![(20, 1), (1, 2)]
        } else {
            vec![(16, 1), (2, 2), (1, 3)]
        });
        let form = self.form(low, high, step, plain);
        let (mut least, mut most) = (low.low, (high.high - 1).max(low.low));
        // All values that the counter ever has, also where the loop does not run.
        let (ever_least, ever_most) = match form {
            Form::Down | Form::DownExclusive => ((low.low - step).min(high.low - 1), high.high.max(low.high)),
            // After the last comparison, the counter may wrap around.
            Form::DownAtTest => (low.low.min(high.low), high.high),
            _ => (low.low, high.high.max(low.high).saturating_add(step)),
        };
        let mut ty = self.integer();
        if self.rng.chance(if self.tidy { 90 } else { 40 }) {
            // Most programs have counters of the bound's type.
            ty = if high.ty() == Integer::Int { low.ty() } else { high.ty() };
        }
        if !ty.holds(ever_least, ever_most) {
            ty = if wild { Integer::Long } else { Integer::Int };
        }
        let name = self.name(["i", "j", "k", "l"][self.scope.len().min(3)]);
        let outlives = self.rng.chance(12);
        if outlives {
            self.declare(&format!("{} {name} = 0;", ty.c()));
            self.result(&name, None);
        }
        let declared = if outlives {
            name.clone()
        } else {
            format!("{} {name}", ty.c())
        };
        let counter = Index::variable(&name, ty, ever_least, ever_most);
        let (from, to) = (low.exact(), high.exact());
        let trips = ((high.high - low.low).max(1) + step - 1) / step;
        let pointer = self.secondary(trips);
        let mut lines: Vec<String> = pointer.iter().flat_map(|(_, line)| line.clone()).collect();
        let mut end = "}".to_owned();
        let next = match (step, self.rng.below(3)) {
            (1, 0..2) => format!("{name}{0}{0}", form.sign()),
            (_, 0) => format!("{name} = {name} {} {step}", form.sign()),
            _ => format!("{name} {}= {step}", form.sign()),
        };
        let test = match self.rng.below(10) {
            0 if step == 1 && low.high <= high.low => counter.compare("!=", &to),
            1..3 if !wild => counter.compare("<=", &to.add(-1)),
            _ => counter.compare("<", &to),
        };
        let last = to.add(if wild { 0 } else { -1 }).exact();
        match form {
            Form::For => self.line(&format!("for ({declared} = {}; {test}; {next}) {{", from.text())),
            Form::While => {
                self.line(&format!("{declared} = {};", from.text()));
                self.line(&format!("while ({test}) {{"));
                lines.push(format!("{next};"));
            }
            Form::DoWhile => {
                most = most.max(low.high);
                let test = counter.compare("<", &to);
                self.line(&format!("{declared} = {};", from.text()));
                self.line("do {");
                lines.push(format!("{next};"));
                end = format!("}} while ({test});");
            }
            Form::Down => {
                let test = counter.compare(">=", &from);
                self.line(&format!("for ({declared} = {}; {test}; {next}) {{", last.text()));
            }
            Form::DownExclusive => {
                (least, most) = (least + 1, most + 1);
                let test = counter.compare(">", &from);
                self.line(&format!("for ({declared} = {}; {test}; {next}) {{", to.text()));
            }
            Form::DownAtTest => self.line(&format!(
                "for ({declared} = {}; {name}-- > {}; ) {{",
                to.text(),
                from.operand()
            )),
        }
        lines.push(end);
        let close = Close {
            lines,
            scope: self.scope.len(),
            walks: self.walks.len(),
            volume: self.volume,
        };
        let index = Index::variable(&name, ty, least, most);
        self.scope.push(index.clone());
        if let Some((variable, _)) = pointer {
            match variable {
                Secondary::Number(index) => self.scope.push(index),
                Secondary::Pointer(name, array, at) => self.walks.push((name, array, at)),
            }
        }
        self.volume *= (most - least + 1).max(1);
        self.indent += 1;
        (index, close)
    }

    /// A form that fits the bounds.
    fn form(&mut self, low: &Index, high: &Index, step: i64, plain: bool) -> Form {
        let wild = [low, high].iter().any(|x| x.low < -1000 || x.high > 1000);
        if wild {
            return self.rng.weighted(&[(6, Form::For), (1, Form::While)]);
        }
        let form = self.rng.weighted(&if plain {
            vec![
                (40, Form::For),
                (1, Form::Down),
                (1, Form::DownExclusive),
                (1, Form::DownAtTest),
            ]
        } else {
            vec![
                (30, Form::For),
                (2, Form::While),
                (2, Form::DoWhile),
                (2, Form::Down),
                (2, Form::DownExclusive),
                (3, Form::DownAtTest),
            ]
        });
        let one_sign = !low.is_unsigned() && !high.is_unsigned() && low.low < 0 || low.low >= 0 && high.low >= 0;
        match form {
            Form::DownAtTest | Form::DownExclusive if step > 1 => Form::Down,
            Form::DownAtTest if !one_sign => Form::Down,
            form => form,
        }
    }

    /// Variables that advance with a loop of at most `trips` iterations, and the lines at the end of its body that
    /// advance them.
    fn secondary(&mut self, trips: i64) -> Option<(Secondary, Vec<String>)> {
        let first = self.rng.range(0, 3);
        let often = if self.tidy { 1 } else { 4 };
        if self.rng.chance(often) {
            let name = self.name("q");
            let step = self.rng.weighted(&[(4, 1), (2, 2), (1, -1)]);
            let ends = [first, first + step * trips];
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let mut ty = self
                .rng
                .pick(&[Integer::Int, Integer::Long, Integer::Unsigned, Integer::Size]);
            if !ty.holds(low, high) {
                ty = Integer::Int;
            }
            self.declare(&format!("{} {name} = 0;", ty.c()));
            self.result(&name, None);
            self.line(&format!("{name} = {first};"));
            let index = Index::variable(&name, ty, low, high);
            return Some((Secondary::Number(index), vec![format!("{name} += {step};")]));
        }
        let flat: Vec<usize> = (0..self.arrays.len()).filter(|a| self.arrays[*a].rank == 1).collect();
        if !flat.is_empty() && self.rng.chance(often) {
            let name = self.name("w");
            let array = self.rng.pick(&flat);
            let step = self.rng.range(1, 2);
            let at = Index::variable("", Integer::Int, first, first + step * trips);
            self.arrays[array].accessed(std::slice::from_ref(&at));
            let element = self.arrays[array].element.c();
            let start = self.access_at(array, &[Index::constant(first)]);
            self.line(&format!("{element} *{name} = &{start};"));
            return Some((
                Secondary::Pointer(name.clone(), array, at),
                vec![format!("{name} += {step};")],
            ));
        }
        None
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
        self.volume = close.volume;
    }

    /// Opens a loop with random bounds.
    pub(super) fn open_random(&mut self, plain: bool) -> (Index, Close) {
        let plain = plain || self.tidy && self.rng.chance(80);
        let (low, high) = self.bounds(plain);
        self.open(&low, &high, plain)
    }
}

/// The form of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `for (i = low; i < high; i++)`
    For,
    /// The same with `while`.
    While,
    /// The same with `do`: there is a first iteration in any case.
    DoWhile,
    /// `for (i = high - 1; i >= low; i--)`
    Down,
    /// `for (i = high; i > low; i--)`
    DownExclusive,
    /// `for (i = high; i-- > low; )`
    DownAtTest,
}

impl Form {
    /// The sign of the step.
    fn sign(self) -> &'static str {
        match self {
            Form::Down | Form::DownExclusive | Form::DownAtTest => "-",
            _ => "+",
        }
    }
}

/// A variable that advances with a loop.
enum Secondary {
    /// An integer.
    Number(Index),
    /// A pointer into an array.
    Pointer(String, usize, Index),
}
