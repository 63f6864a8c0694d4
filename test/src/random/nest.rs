//! Loops, statements, and the shapes of nests.

use super::array::{Array, Element, Param, Storage};
use super::index::{Index, Integer};
use super::rng::Rng;
use super::value::is_tame;

/// The largest number of iterations of a nest.
const MAX_VOLUME: i64 = 400_000;

/// A program while it is made.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub(super) rng: Rng,
    pub(super) params: Vec<Param>,
    pub(super) arrays: Vec<Array>,
    /// The start of the kernel's body: variables of the whole kernel.
    pub(super) declarations: String,
    /// The end of the kernel's body: stores of scalars.
    pub(super) results: String,
    /// What is between.
    pub(super) body: String,
    /// Whether arguments may overlap.
    pub(super) overlaps: bool,
    /// The counters of the loops around, and other variables that change with them.
    pub(super) scope: Vec<Index>,
    /// Pointers that walk through an array: the name, the array, and the subscript where it points.
    pub(super) walks: Vec<(String, usize, Index)>,
    /// Scalars, by name and type.
    pub(super) scalars: Vec<(String, Element)>,
    element: Element,
    /// Whether the program is of the kind that most programs are: few types, no odd subscripts and loops.
    pub(super) tidy: bool,
    calls: usize,
    scale: i64,
    restrict: bool,
    /// How often the current place is executed at most.
    volume: i64,
    indent: usize,
    names: usize,
    n_results: usize,
    n_real_results: usize,
}

/// How a loop ends, and what to restore then.
struct Close {
    lines: Vec<String>,
    scope: usize,
    walks: usize,
    volume: i64,
}

impl Generator {
    pub(super) fn new(mut rng: Rng, calls: usize) -> Self {
        let restrict = rng.chance(25);
        let tidy = rng.chance(65);
        Generator {
            tidy,
            element: if rng.chance(if tidy { 85 } else { 60 }) {
                Element::Double
            } else {
                rng.pick(&Element::ALL)
            },
            scale: rng.weighted(&[(6, 13), (4, 37), (1, 75)]),
            overlaps: !restrict && rng.chance(60),
            restrict,
            calls,
            rng,
            params: Vec::new(),
            arrays: Vec::new(),
            declarations: String::new(),
            results: String::new(),
            body: String::new(),
            scope: Vec::new(),
            walks: Vec::new(),
            scalars: Vec::new(),
            volume: 1,
            indent: 1,
            names: 0,
            n_results: 0,
            n_real_results: 0,
        }
    }

    /// Makes the kernel.
    pub(super) fn kernel(&mut self) {
        self.make_params();
        for _ in 0..self.rng.range(1, 3) {
            let rank = self.rng.weighted(&[(4, 1), (6, 2), (1, 3)]);
            self.make_array(rank);
        }
        for _ in 0..self.rng.range(1, 2) {
            self.make_scalar();
        }
        for _ in 0..self.rng.weighted(&[(5, 1), (4, 2), (2, 3)]) {
            match self.rng.below(100) {
                0..18 => self.product(),
                18..36 => self.stencil(),
                36..54 => self.traversal(),
                54..66 => self.decomposition(),
                _ => {
                    let depth = self.rng.weighted(&[(1, 1), (4, 2), (4, 3)]);
                    self.free(depth);
                }
            }
        }
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        self.body += &format!("{}{text}\n", "  ".repeat(self.indent));
    }

    fn declare(&mut self, text: &str) {
        self.declarations += &format!("  {text}\n");
    }

    /// Has the scalar printed.
    fn result(&mut self, name: &str, element: Option<Element>) {
        let (array, count) = if element.is_some_and(Element::is_float) {
            ("real_results", &mut self.n_real_results)
        } else {
            ("results", &mut self.n_results)
        };
        if *count < 32 {
            self.results += &format!("  {array}[{count}] = {name};\n");
            *count += 1;
        }
    }

    fn make_params(&mut self) {
        let scale = self.scale;
        for name in ["n", "m", "p"]
            .into_iter()
            .take(self.rng.weighted(&[(2, 1), (5, 2), (3, 3)]))
        {
            let ty = self.integer();
            let low = if ty.is_signed() { -3 } else { 0 };
            let odd = 2 * self.rng.range(0, scale / 2) + 1;
            let typical = [
                scale,
                odd,
                1,
                self.rng.range(2, scale),
                self.rng.range(low, 4),
                self.rng.range(0, scale),
            ];
            let mut values: Vec<i64> = (0..self.calls).map(|call| typical[call % typical.len()]).collect();
            if self.rng.chance(20) {
                values.iter_mut().for_each(|v| *v = (*v).max(2));
            }
            self.params.push(Param {
                name: name.to_owned(),
                ty,
                values,
            });
        }
        if self.rng.chance(30) {
            let values = (0..self.calls).map(|_| self.rng.range(-2, 3)).collect();
            let ty = self.rng.pick(&[Integer::Int, Integer::Long, Integer::Short]);
            let name = "c".to_owned();
            self.params.push(Param { name, ty, values });
        }
        if self.rng.chance(20) {
            // For use as a bound by itself: a lower one that may be huge, or an upper one that may be far below zero.
            let ty = self.rng.pick(&[Integer::Int, Integer::Long]);
            let extremes = match (ty, self.rng.chance(50)) {
                (Integer::Int, true) => [i64::from(i32::MAX), i64::from(i32::MAX) - 3],
                (Integer::Int, false) => [i64::from(i32::MIN), i64::from(i32::MIN) + 5],
                (_, true) => [i64::MAX, i64::MAX / 3],
                (_, false) => [i64::MIN, i64::MIN / 2],
            };
            let tame = self.rng.range(0, 3);
            let values = (0..self.calls)
                .map(|call| match call % 3 {
                    1 => self.rng.pick(&extremes),
                    _ if extremes[0] > 0 => tame,
                    _ => scale - call as i64,
                })
                .collect();
            let name = "w".to_owned();
            self.params.push(Param { name, ty, values });
        }
    }

    /// A type for a counter or a size.
    fn integer(&mut self) -> Integer {
        if self.tidy {
            return self
                .rng
                .weighted(&[(70, Integer::Int), (20, Integer::Long), (5, Integer::Size)]);
        }
        self.rng.weighted(&[
            (45, Integer::Int),
            (20, Integer::Long),
            (15, Integer::Unsigned),
            (10, Integer::Size),
            (5, Integer::Short),
            (5, Integer::Char),
        ])
    }

    fn make_array(&mut self, rank: usize) -> usize {
        let element = if self.rng.chance(85) {
            self.element
        } else {
            self.rng.pick(&Element::ALL)
        };
        self.make_array_of(rank, element)
    }

    fn make_array_of(&mut self, rank: usize, element: Element) -> usize {
        let storage = match rank {
            1 => self.rng.weighted(&[(1, Storage::Global), (2, Storage::Rows)]),
            _ => self.rng.weighted(&[
                (30, Storage::Global),
                (20, Storage::Rows),
                (20, Storage::Variable),
                (20, Storage::Linear),
                (10, Storage::ConstantLinear),
            ]),
        };
        let restrict = self.restrict && self.rng.chance(60);
        let name = format!("A{}", self.arrays.len());
        self.arrays
            .push(Array::new(name, element, rank, storage, restrict, self.tidy));
        self.arrays.len() - 1
    }

    /// An array of the main type.
    fn array(&mut self, rank: usize) -> usize {
        let fitting = |array: &Array| array.rank == rank && array.element == self.element;
        let known: Vec<usize> = (0..self.arrays.len()).filter(|a| fitting(&self.arrays[*a])).collect();
        if known.is_empty() || self.rng.chance(30) && self.arrays.len() < 6 {
            return self.make_array_of(rank, self.element);
        }
        self.rng.pick(&known)
    }

    fn make_scalar(&mut self) -> (String, Element) {
        let name = self.name("s");
        let element = if self.rng.chance(80) {
            self.element
        } else {
            self.rng.pick(&Element::ALL)
        };
        let initial = self.rng.range(0, 3);
        self.declare(&format!("{} {name} = {initial};", element.c()));
        self.result(&name, Some(element));
        self.scalars.push((name.clone(), element));
        (name, element)
    }

    /// Bounds of a loop: the first value and the one after the last. Plain ones are those of most programs.
    fn bounds(&mut self, plain: bool) -> (Index, Index) {
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
    fn open(&mut self, low: &Index, high: &Index, plain: bool) -> (Index, Close) {
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

    fn close(&mut self, close: Close) {
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
    fn open_random(&mut self, plain: bool) -> (Index, Close) {
        let plain = plain || self.tidy && self.rng.chance(80);
        let (low, high) = self.bounds(plain);
        self.open(&low, &high, plain)
    }

    /// An imperfect nest without any plan.
    fn free(&mut self, depth: usize) {
        let (_, close) = self.open_random(false);
        let items = self.rng.weighted(&[(3, 1), (4, 2), (2, 3)]);
        let deepest = self.rng.below(items);
        for item in 0..items {
            if depth > 1 && (item == deepest || self.rng.chance(20)) {
                self.guarded(12, |g| g.free(depth - 1));
            } else {
                self.guarded(12, Self::statement);
            }
        }
        self.close(close);
    }

    /// Puts a condition around `inner` in `percent` of a hundred cases.
    fn guarded(&mut self, percent: usize, inner: impl Fn(&mut Self)) {
        if !self.rng.chance(percent) {
            return inner(self);
        }
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        self.indent += 1;
        inner(self);
        self.indent -= 1;
        if self.rng.chance(30) {
            self.line("} else {");
            self.indent += 1;
            self.statement();
            self.indent -= 1;
        }
        self.line("}");
    }

    /// A statement without any plan.
    fn statement(&mut self) {
        // Scalars keep loops in order, and conditions on data are left alone.
        let kind = if self.tidy {
            self.rng.range(6, 99)
        } else {
            self.rng.range(0, 99)
        };
        match kind {
            0..12 if !self.scalars.is_empty() => self.scalar_statement(),
            18..21 if !self.tidy => {
                let (array, condition) = (self.rng.below(self.arrays.len()), self.rng.below(self.arrays.len()));
                let target = self.access(array);
                let test = self.access(condition);
                let value = self.value(self.arrays[array].element);
                self.line(&format!(
                    "if ({test} > 0)\n{}  {target} = {value};",
                    "  ".repeat(self.indent)
                ));
            }
            21 if !self.tidy => {
                let condition = self.condition();
                self.line(&format!("if ({condition})\n{}  break;", "  ".repeat(self.indent)));
            }
            22..31 if !self.walks.is_empty() => {
                let (name, array, at) = self.rng.pick(&self.walks.clone());
                self.arrays[array].accessed(&[at]);
                self.assign(&format!("*{name}"), self.arrays[array].element, None);
            }
            _ => {
                let array = self.rng.below(self.arrays.len());
                let target = self.access(array);
                self.assign(&target, self.arrays[array].element, None);
            }
        }
    }

    /// Assigns to `target` or updates it.
    fn assign(&mut self, target: &str, element: Element, operator: Option<&str>) {
        let operator = operator.unwrap_or_else(|| self.rng.weighted(&[(6, "="), (3, "+="), (1, "-=")]));
        let value = self.value(element);
        self.store(target, element, operator, &value);
    }

    fn store(&mut self, target: &str, element: Element, operator: &str, value: &str) {
        if element == Element::Int && operator != "=" {
            // Updates of a signed integer may overflow.
            let sign = operator.trim_end_matches('=');
            self.line(&format!("{target} = (unsigned){target} {sign} ({value});"));
        } else {
            self.line(&format!("{target} {operator} {value};"));
        }
    }

    fn scalar_statement(&mut self) {
        let (name, element) = self.rng.pick(&self.scalars.clone());
        match self.rng.below(10) {
            0..5 => self.assign(&name, element, Some("+=")),
            5..7 => self.assign(&name, element, Some("=")),
            7 => {
                let value = self.value(element);
                let compare = self.rng.pick(&["<", ">"]);
                let x = self.name("x");
                self.line(&format!("{} {x} = {value};", element.c()));
                self.line(&format!("{name} = {x} {compare} {name} ? {x} : {name};"));
            }
            _ => {
                let array = self.rng.below(self.arrays.len());
                let target = self.access(array);
                let to = self.arrays[array].element;
                let value = self.combined(to, &[(name, element)]);
                self.store(&target, to, "=", &value);
            }
        }
    }

    /// `C[i][j] += A[i][k] * B[k][j]` and its likes.
    fn product(&mut self) {
        let batch = self.rng.chance(12);
        let vector = !batch && self.rng.chance(25);
        let (rank_c, rank_b) = (
            if vector { 1 } else { 2 + usize::from(batch) },
            if vector { 1 } else { 2 },
        );
        let (c, a, b) = (self.array(rank_c), self.array(rank_c.max(2)), self.array(rank_b));
        let outer = batch.then(|| self.open_random(true));
        let mut roles: Vec<usize> = if vector { vec![0, 2] } else { vec![0, 1, 2] };
        for at in (1..roles.len()).rev() {
            let other = self.rng.below(at + 1);
            roles.swap(at, other);
        }
        let reduced_last = roles.last() == Some(&2);
        let accumulates = reduced_last && self.rng.chance(30);
        let mut counters: Vec<Option<Index>> = vec![None; 3];
        let mut closes = Vec::new();
        let mut accumulator = String::new();
        for role in roles.clone() {
            if role == 2 && reduced_last {
                let target = self.product_target(c, &outer, &counters, vector);
                if accumulates {
                    accumulator = self.name("s");
                    self.line(&format!("{} {accumulator} = 0;", self.arrays[c].element.c()));
                } else if self.rng.chance(50) {
                    self.line(&format!("{target} = 0;"));
                }
            }
            let (counter, close) = self.open_random(true);
            counters[role] = Some(counter);
            closes.push(close);
        }
        let target = self.product_target(c, &outer, &counters, vector);
        let at = |role: usize| counters[role].clone().expect("an open loop");
        let mut left = if self.rng.chance(70) {
            vec![at(0), at(2)]
        } else {
            vec![at(2), at(0)]
        };
        if batch {
            left.insert(0, outer.as_ref().expect("a batch has a loop").0.clone());
        }
        let right = match (vector, self.rng.chance(70)) {
            (true, _) => vec![at(2)],
            (_, true) => vec![at(2), at(1)],
            _ => vec![at(1), at(2)],
        };
        let (x, y) = (self.access_at(a, &left), self.access_at(b, &right));
        let element = self.arrays[c].element;
        let value = if element.is_float() {
            format!("{x} * {y}")
        } else {
            format!("(unsigned){x} * (unsigned){y}")
        };
        let value = if self.rng.chance(20) {
            self.combined(element, &[(x, element), (y, element)])
        } else {
            value
        };
        if accumulates {
            self.store(&accumulator, element, "+=", &value);
        } else {
            self.store(&target, element, "+=", &value);
        }
        let innermost = closes.pop().expect("two loops at least");
        self.close(innermost);
        if accumulates {
            let operator = self.rng.pick(&["=", "+="]);
            self.store(&target, element, operator, &accumulator);
        }
        while let Some(close) = closes.pop() {
            self.close(close);
        }
        if let Some((_, close)) = outer {
            self.close(close);
        }
    }

    fn product_target(
        &mut self,
        array: usize,
        outer: &Option<(Index, Close)>,
        counters: &[Option<Index>],
        vector: bool,
    ) -> String {
        let at = |role: usize| counters[role].clone().expect("an open loop");
        let inner = if vector { vec![at(0)] } else { vec![at(0), at(1)] };
        let outer = outer.iter().map(|(counter, _)| counter.clone());
        let subscripts: Vec<Index> = outer.chain(inner).collect();
        self.access_at(array, &subscripts)
    }

    /// Sweeps over neighbours, several times.
    fn stencil(&mut self) {
        let dims = self.rng.weighted(&[(4, 1), (5, 2), (1, 3)]);
        let timed = dims < 3 && self.rng.chance(15);
        let rank = dims + usize::from(timed);
        let (x, y) = (self.array(rank), self.array(rank));
        let steps = if self.rng.chance(60) {
            Index::constant(self.rng.range(1, 9))
        } else {
            let tame: Vec<Index> = self.params.iter().filter(|p| is_tame(p)).map(Param::index).collect();
            self.rng.pick(&tame)
        };
        let (t, close) = self.open(&Index::constant(0), &steps, true);
        let sweeps = self.rng.weighted(&[(4, 1), (6, 2), (1, 3)]);
        for sweep in 0..sweeps {
            let (to, from) = if sweep % 2 == 0 { (y, x) } else { (x, y) };
            self.sweep(to, from, dims, timed.then(|| t.clone()));
        }
        if self.rng.chance(15) {
            self.guarded(30, Self::statement);
        }
        self.close(close);
    }

    fn sweep(&mut self, to: usize, from: usize, dims: usize, time: Option<Index>) {
        let mut closes = Vec::new();
        let mut centre = Vec::new();
        for _ in 0..dims {
            let (mut low, mut high) = self.bounds(true);
            if self.rng.chance(80) && high.low > -1000 {
                (low, high) = (Index::constant(1), high.add(-1));
            }
            let (counter, close) = self.open(&low, &high, true);
            centre.push(counter);
            closes.push(close);
        }
        let at = |generator: &mut Self, array: usize, point: &[Index], moved: i64| {
            let time = time.iter().map(|t| t.add(moved));
            let subscripts: Vec<Index> = time.chain(point.iter().cloned()).collect();
            generator.access_at(array, &subscripts)
        };
        let element = self.arrays[to].element;
        let mut operands = Vec::new();
        if self.rng.chance(85) {
            operands.push((at(self, from, &centre, 0), element));
        }
        for dim in 0..dims {
            for by in [-1, 1] {
                if self.rng.chance(75) {
                    let mut point = centre.clone();
                    point[dim] = point[dim].add(by);
                    if self.rng.chance(15) {
                        let other = self.rng.below(dims);
                        point[other] = point[other].add(self.rng.range(-1, 1));
                    }
                    operands.push((at(self, from, &point, 0), element));
                }
            }
        }
        if operands.is_empty() {
            operands.push((at(self, from, &centre, 0), element));
        }
        let mut value = self.combined(element, &operands);
        if element.is_float() {
            value = format!("0.2 * ({value})");
        }
        let target = at(self, to, &centre, 1);
        self.store(&target, element, "=", &value);
        if self.rng.chance(10) {
            self.statement();
        }
        while let Some(close) = closes.pop() {
            self.close(close);
        }
    }

    /// A nest of two or three loops whose subscripts are the counters in other orders.
    fn traversal(&mut self) {
        let depth = self.rng.weighted(&[(4, 2), (2, 3)]);
        let mut closes = Vec::new();
        let mut counters = Vec::new();
        for _ in 0..depth {
            if !closes.is_empty() && self.rng.chance(15) {
                self.guarded(20, Self::statement);
            }
            let (counter, close) = self.open_random(true);
            counters.push(counter);
            closes.push(close);
        }
        for _ in 0..self.rng.weighted(&[(5, 1), (4, 2), (2, 3)]) {
            let backwards: Vec<Index> = counters.iter().rev().cloned().collect();
            let pick = |generator: &mut Self| {
                let rank = generator.rng.range(1, depth as i64) as usize;
                let array = generator.array(rank);
                let skip = generator.rng.below(depth - rank + 1);
                let mut point: Vec<Index> = backwards[skip..skip + rank].to_vec();
                if generator.rng.chance(20) {
                    point.reverse();
                }
                if generator.rng.chance(20) {
                    let at = generator.rng.below(rank);
                    point[at] = point[at].add(generator.rng.range(-1, 2));
                }
                (generator.access_at(array, &point), generator.arrays[array].element)
            };
            let (target, element) = pick(self);
            let operands: Vec<_> = (0..self.rng.range(1, 3)).map(|_| pick(self)).collect();
            let value = self.combined(element, &operands);
            let operator = self.rng.weighted(&[(3, "="), (4, "+=")]);
            if self.rng.chance(12) {
                let condition = self.condition();
                self.line(&format!("if ({condition})"));
            }
            self.store(&target, element, operator, &value);
        }
        while let Some(close) = closes.pop() {
            self.close(close);
        }
    }

    /// Triangular updates in place: decompositions, shortest paths, chains.
    fn decomposition(&mut self) {
        let a = self.array(2);
        let element = self.arrays[a].element;
        let (low, high) = self.bounds(true);
        if high.low < -1000 || low.high > 1000 {
            return self.product();
        }
        let kind = self.rng.below(4);
        let (k, outermost) = self.open(&low, &high, true);
        if self.rng.chance(30) {
            self.guarded(30, Self::statement);
        }
        let from = match kind {
            0 => k.add(1),
            1 => Index::constant(0),
            2 => k.clone(),
            _ => Index::constant(0),
        };
        let to = if kind == 3 { k.clone() } else { high.clone() };
        let (i, outer) = self.open(&from, &to, true);
        let x = self.access_at(a, &[i.clone(), k.clone()]);
        if self.rng.chance(50) {
            let value = if element.is_float() { "*= 0.5" } else { "^= 5" };
            self.line(&format!("{x} {value};"));
        }
        let (from, to) = match self.rng.below(3) {
            0 => (from, high.clone()),
            1 => (Index::constant(0), i.clone()),
            _ => (k.clone(), i.add(1)),
        };
        let (j, inner) = self.open(&from, &to, true);
        let target = self.access_at(a, &[i.clone(), j.clone()]);
        let y = self.access_at(a, &[k.clone(), j.clone()]);
        let (x, y) = if self.rng.chance(20) {
            (
                self.access_at(a, &[i.clone(), j.add(-1)]),
                self.access_at(a, &[j.add(1), i]),
            )
        } else {
            (x, y)
        };
        if element.is_float() && kind == 1 && self.rng.chance(50) {
            self.line(&format!("{target} = {x} + {y} < {target} ? {x} + {y} : {target};"));
        } else if element.is_float() {
            self.line(&format!("{target} -= 0.3 * {x} * {y};"));
        } else {
            self.store(&target, element, "+=", &format!("(unsigned){x} * (unsigned){y}"));
        }
        self.close(inner);
        self.close(outer);
        if self.rng.chance(20) {
            self.statement();
        }
        self.close(outermost);
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
