//! Statements, and the shapes of nests.

use super::array::{Array, Element, Param, Storage};
use super::conditions::Conditions;
use super::index::{Index, Integer};
use super::loops::Close;
use super::rng::Rng;
use super::value::is_tame;

/// The largest number of iterations of a nest.
pub(super) const MAX_VOLUME: i64 = 400_000;

/// A program while it is made.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub(super) rng: Rng,
    pub(super) conditions: Conditions,
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
    pub(super) scale: i64,
    restrict: bool,
    /// How often the current place is executed at most.
    pub(super) volume: i64,
    pub(super) indent: usize,
    names: usize,
    n_results: usize,
    n_real_results: usize,
}

impl Generator {
    pub(super) fn new(mut rng: Rng, calls: usize) -> Self {
        let conditions = Conditions::new(&rng);
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
            conditions,
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
                66..76 => self.recurrences(),
                76..82 => self.combinations(),
                _ => {
                    let depth = self.rng.weighted(&[(1, 1), (4, 2), (4, 3)]);
                    self.free(depth);
                }
            }
        }
    }

    pub(super) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    pub(super) fn line(&mut self, text: &str) {
        self.body += &format!("{}{text}\n", "  ".repeat(self.indent));
    }

    pub(super) fn declare(&mut self, text: &str) {
        self.declarations += &format!("  {text}\n");
    }

    /// Has the scalar printed.
    pub(super) fn result(&mut self, name: &str, element: Option<Element>) {
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
    pub(super) fn integer(&mut self) -> Integer {
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

    pub(super) fn make_array_of(&mut self, rank: usize, element: Element) -> usize {
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

    /// An imperfect nest without any plan.
    pub(super) fn free(&mut self, depth: usize) {
        let (_, close) = self.open_random(false);
        let items = self.rng.weighted(&[(3, 1), (4, 2), (2, 3)]);
        let deepest = self.rng.below(items);
        for item in 0..items {
            if depth > 1 && (item == deepest || self.rng.chance(20)) {
                let is_open = self.open_condition(&self.scope.clone());
                self.guarded(12, |g| g.free(depth - 1));
                self.close_condition(is_open);
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
        let condition = self.any_condition();
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

    pub(super) fn store(&mut self, target: &str, element: Element, operator: &str, value: &str) {
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
        let mut conditions = Vec::new();
        let mut accumulator = String::new();
        for role in roles.clone() {
            let known: Vec<Index> = counters.iter().flatten().cloned().collect();
            conditions.push(self.open_condition(&known));
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
        let mut is_open = conditions.pop().expect("one for each loop");
        if accumulates {
            let operator = self.rng.pick(&["=", "+="]);
            self.store(&target, element, operator, &accumulator);
        }
        while let Some(close) = closes.pop() {
            self.close_condition(is_open);
            self.close(close);
            is_open = conditions.pop().expect("one for each loop");
        }
        self.close_condition(is_open);
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
            if self.rng.chance(18) {
                let condition = self.any_condition();
                self.line(&format!("if ({condition})"));
            }
            self.store(&target, element, operator, &value);
        }
        while let Some(close) = closes.pop() {
            self.close(close);
        }
    }

    /// A variable of the loop at hand that is computed from an element.
    fn factor(&mut self, x: &str, element: Element) -> String {
        let name = self.name("f");
        let value = match element.is_float() && self.rng.chance(60) {
            true => format!("{x} / (4 + {x} * {x})"),
            false => x.to_owned(),
        };
        self.line(&format!("{} {name} = {value};", element.c()));
        name
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
        let factor = self.rng.chance(40).then(|| self.factor(&x, element));
        let is_open = self.open_condition(&[i.clone(), k.clone()]);
        let (j, inner) = self.open(&from, &to, true);
        let target = self.access_at(a, &[i.clone(), j.clone()]);
        let y = self.access_at(a, &[k.clone(), j.clone()]);
        let (x, y) = if let Some(factor) = factor {
            (factor, y)
        } else if self.rng.chance(20) {
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
        self.close_condition(is_open);
        self.close(outer);
        if self.rng.chance(20) {
            self.statement();
        }
        self.close(outermost);
    }

    /// For each value of a loop, recurrences along another one, whose bounds may depend on the first one, or which may leave it out.
    fn recurrences(&mut self) {
        let out = self.array(1);
        let element = self.arrays[out].element;
        let (low, high) = self.bounds(true);
        if high.low < -1000 || low.high > 1000 {
            return self.product();
        }
        let (i, outer) = self.open(&low, &high, true);
        let mut values: Vec<String> = Vec::new();
        for start in 0..self.rng.range(1, 3) {
            let name = self.name("r");
            self.line(&format!("{} {name} = {start};", element.c()));
            values.push(name);
        }
        let (from, to) = match self.rng.below(6) {
            0 => (low.clone(), i.clone()),
            1 => (i.add(1), high.clone()),
            2 => (i.clone(), i.add(self.rng.range(0, 9))),
            3 => (Index::constant(0), i.add(1)),
            _ => (low.clone(), high.clone()),
        };
        let (j, inner) = self.open(&from, &to, true);
        let leaves_out = self.rng.chance(40);
        if leaves_out {
            self.line(&format!("if ({}) {{", j.compare("!=", &i)));
            self.indent += 1;
        }
        for name in &values {
            let at = self
                .rng
                .pick(&[vec![j.clone()], vec![i.clone(), j.clone()], vec![j.clone(), i.clone()]]);
            let array = self.array(at.len());
            let read = (self.access_at(array, &at), self.arrays[array].element);
            let other = (self.rng.pick(&values), element);
            let value = self.combined(element, &[read, other]);
            match element.is_float() && self.rng.chance(50) {
                true => self.line(&format!("{name} = {name} * 0.5 + 0.25 * ({value});")),
                false if element.is_float() => self.line(&format!("{name} = {name} * 0.25 - 0.125 * ({value});")),
                false => self.store(name, element, "+=", &value),
            }
        }
        if leaves_out {
            self.indent -= 1;
            self.line("}");
        }
        self.close(inner);
        let operands: Vec<_> = values.into_iter().map(|name| (name, element)).collect();
        let value = self.combined(element, &operands);
        let target = self.access_at(out, &[i]);
        let operator = self.rng.weighted(&[(3, "="), (1, "+=")]);
        self.store(&target, element, operator, &value);
        self.close(outer);
    }
}
