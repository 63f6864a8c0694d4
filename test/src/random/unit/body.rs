//! What a function declares, the statements in its loops, and how it is called.

use super::CALLS;
use super::arguments::{Array, Number, Shape, TABLE, place_of_row, places, small_values};
use super::types::Type;
use crate::random::index::{Index, Integer};
use crate::random::rng::Rng;
use std::fmt::Write;

/// A function while it is made.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub(super) rng: Rng,
    pub(super) numbers: Vec<Number>,
    pub(super) arrays: Vec<Array>,
    /// The counters of the loops around.
    pub(super) scope: Vec<Index>,
    /// Pointers that walk through an array, by name and type of what they point to.
    pub(super) walks: Vec<(String, Type)>,
    /// Scalars, by name and type.
    pub(super) scalars: Vec<(String, Type)>,
    /// What innermost loops add to, by name and type.
    carried: Vec<(String, Type)>,
    /// What they store, by name and type.
    kept: Vec<(String, Type)>,
    /// Whether each loop around advances in its head, so that `continue` does no harm.
    pub(super) advances_itself: Vec<bool>,
    /// What the function's value is made of.
    pub(super) results: Vec<String>,
    pub(super) volume: i64,
    pub(super) indent: usize,
    declarations: String,
    body: String,
    names: usize,
    /// How many oddities are left.
    oddities: usize,
    has_members: bool,
    has_box: bool,
    main_type: Type,
}

impl Generator {
    pub(super) fn new(mut rng: Rng) -> Self {
        let oddities = rng.weighted(&[(25, 0), (35, 1), (25, 2), (15, 5)]);
        let main_type = if rng.chance(55) {
            Type::F64
        } else {
            rng.pick(&Type::ALL)
        };
        Generator {
            rng,
            numbers: Vec::new(),
            arrays: Vec::new(),
            scope: Vec::new(),
            walks: Vec::new(),
            scalars: Vec::new(),
            carried: Vec::new(),
            kept: Vec::new(),
            advances_itself: Vec::new(),
            results: Vec::new(),
            volume: 1,
            indent: 1,
            declarations: String::new(),
            body: String::new(),
            names: 0,
            oddities,
            has_members: false,
            has_box: false,
            main_type,
        }
    }

    /// Whether to do something odd, in so many of a hundred cases as long as oddities are left.
    pub(super) fn odd(&mut self, percent: usize) -> bool {
        let odd = self.oddities > 0 && self.rng.chance(percent);
        self.oddities -= usize::from(odd);
        odd
    }

    pub(super) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    pub(super) fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "{}{text}", "  ".repeat(self.indent));
    }

    pub(super) fn declare(&mut self, text: &str) {
        let _ = writeln!(self.declarations, "  {text}");
    }

    /// One more argument.
    pub(super) fn add_number(&mut self, stem: &str, ty: Integer, values: Vec<i64>) -> Index {
        let name = self.name(stem);
        let number = Number {
            name,
            ty,
            values,
            is_argument: true,
        };
        self.numbers.push(number);
        self.numbers.last().expect("just pushed").index()
    }

    /// The function and its caller.
    pub(super) fn function(&mut self, name: &str, caller: &str, seed: u64) -> String {
        self.make_numbers();
        self.make_arrays();
        for _ in 0..self.rng.below(3) {
            self.make_scalar();
        }
        for _ in 0..self.rng.weighted(&[(5, 1), (4, 2), (2, 3)]) {
            if self.odd(8) {
                let condition = self.data_condition();
                self.line(&format!("if ({condition}) return 7;"));
            }
            if self.rng.chance(20) {
                self.statement();
            }
            let guard = self.rng.chance(12).then(|| self.affine_condition());
            if let Some(guard) = &guard {
                self.line(&format!("if ({guard}) {{"));
                self.indent += 1;
            }
            let depth = self.rng.weighted(&[(3, 1), (4, 2), (2, 3)]);
            self.nest(depth);
            if guard.is_some() {
                self.indent -= 1;
                self.line("}");
            }
        }
        self.text(name, caller, seed)
    }

    fn make_numbers(&mut self) {
        for name in ["n", "m", "p"]
            .into_iter()
            .take(self.rng.weighted(&[(3, 1), (4, 2), (1, 3)]))
        {
            let ty = self.rng.weighted(&[
                (10, Integer::Int),
                (4, Integer::Long),
                (2, Integer::Unsigned),
                (2, Integer::Size),
                (1, Integer::Short),
                (1, Integer::Char),
            ]);
            let values = small_values(&mut self.rng, if ty.is_signed() { -2 } else { 0 }, 24);
            self.push_number(name, ty, values, true);
        }
        if self.rng.chance(50) {
            let values = (0..CALLS).map(|call| [150, 1, 37, 64, 0, 9][call % 6]).collect();
            let ty = self.rng.pick(&[
                Integer::Int,
                Integer::Int,
                Integer::Long,
                Integer::Unsigned,
                Integer::Size,
            ]);
            self.push_number("len", ty, values, true);
        }
        if self.odd(25) {
            self.has_members = true;
            for (name, ty) in [("s->n", Integer::Int), ("s->m", Integer::Long)] {
                let values = small_values(&mut self.rng, -1, 20);
                self.push_number(name, ty, values, false);
            }
        }
        if self.odd(15) {
            // It lies in the pool of integers: stores may change it, to something from 0 to 15.
            self.has_box = true;
            for name in ["bx->n", "bx->m"] {
                let values = (0..CALLS as i64).map(|call| [15, 3, 0, 9][call as usize % 4]).collect();
                self.push_number(name, Integer::Int, values, false);
            }
        }
        if self.odd(10) {
            let values = (0..CALLS as i64).map(|call| [15, 0, 12][call as usize % 3]).collect();
            self.push_number("global_n", Integer::Int, values, false);
        }
    }

    fn push_number(&mut self, name: &str, ty: Integer, values: Vec<i64>, is_argument: bool) {
        self.numbers.push(Number {
            name: name.to_owned(),
            ty,
            values,
            is_argument,
        });
    }

    fn make_arrays(&mut self) {
        for _ in 0..self.rng.range(2, 4) {
            let ty = if self.rng.chance(75) {
                self.main_type
            } else {
                self.rng.pick(&Type::ALL)
            };
            let shape = match self.rng.below(20) {
                0..8 => Shape::Flat,
                8..10 => Shape::Rows,
                10 => Shape::Table,
                11..14 => Shape::Variable(self.columns(8)),
                14..17 => Shape::Linear(self.columns(0)),
                17 if self.odd(80) => Shape::Local,
                _ if self.odd(40) => {
                    let (of, field, ty) = self.rng.pick(&[
                        ("vec", "x", Type::F32),
                        ("vec", "y", Type::F32),
                        ("rec", "w", Type::F64),
                        ("rec", "k", Type::I32),
                        ("rec", "b", Type::U8),
                        ("rec", "h", Type::I16),
                    ]);
                    self.push_array(ty, Shape::Field(of, field));
                    continue;
                }
                _ => Shape::Flat,
            };
            self.push_array(ty, shape);
        }
        if self.has_members {
            for (member, ty) in [("a", Type::F64), ("b", Type::F64), ("f", Type::F32), ("k", Type::I32)] {
                if self.rng.chance(60) {
                    self.push_array(ty, Shape::Member(member));
                }
            }
        }
        if self.odd(20) {
            let of = self.rng.pick(&["ii", "ic", "iz"]);
            self.push_array(Type::I32, Shape::Subscripts(of));
        }
    }

    fn push_array(&mut self, ty: Type, shape: Shape) {
        let name = format!("A{}", self.arrays.len());
        if shape == Shape::Local {
            let zero = if self.rng.chance(70) { " = {0}" } else { "" };
            if zero.is_empty() {
                self.declare(&format!("{} {name}[64];", ty.c()));
                self.line(&format!("for (int z = 0; z < 64; z++) {name}[z] = z & 1;"));
            } else {
                self.declare(&format!("{} {name}[64]{zero};", ty.c()));
            }
        }
        let restrict = matches!(shape, Shape::Flat | Shape::Rows | Shape::Linear(_)) && self.rng.chance(8);
        self.arrays.push(Array {
            name,
            ty,
            shape,
            restrict,
            written: false,
        });
    }

    /// A number of columns.
    fn columns(&mut self, least: i64) -> Index {
        let known = self.numbers.iter().find(|n| n.name == "ld" && n.index().low >= least);
        if let Some(number) = known {
            return number.index();
        }
        if least == 0 && self.rng.chance(30) {
            let n = self.numbers[0].index();
            return n.exact();
        }
        let values = (0..CALLS as i64)
            .map(|call| [24, 9, 16, 8, 13][call as usize % 5])
            .collect();
        let ty = self.rng.pick(&[Integer::Int, Integer::Long, Integer::Size]);
        if self.numbers.iter().any(|n| n.name == "ld") {
            return self.add_number("ld", ty, values);
        }
        self.push_number("ld", ty, values, true);
        self.numbers.last().expect("just pushed").index()
    }

    fn make_scalar(&mut self) {
        let name = self.name("s");
        let ty = if self.rng.chance(70) {
            self.main_type
        } else {
            self.rng.pick(&Type::ALL)
        };
        self.declare(&format!("{} {name} = {};", ty.c(), self.rng.clone().range(0, 1)));
        self.results.push(if ty.is_float() {
            format!("bits({name})")
        } else {
            format!("(unsigned long){name}")
        });
        self.scalars.push((name, ty));
    }

    /// A nest of loops, with statements at any depth.
    fn nest(&mut self, depth: usize) {
        let close = self.open();
        if depth > 1 {
            if self.rng.chance(25) {
                self.statement();
            }
            match self.rng.below(10) {
                0 if !self.scalars.is_empty() => self.before_and_after(depth - 1),
                0..3 => self.accumulation(depth - 1),
                3 => self.local(depth - 1),
                4 => self.kept(depth - 1),
                _ => self.nest(depth - 1),
            }
            if self.rng.chance(20) {
                self.statement();
            }
            if self.rng.chance(10) {
                self.nest(1);
            }
        } else {
            for _ in 0..self.rng.weighted(&[(5, 1), (4, 2), (1, 3)]) {
                self.statement();
            }
            let hole = match &self.scope[..] {
                [.., i, j] if !self.carried.is_empty() => Some(j.compare("!=", i)),
                _ => None,
            };
            let hole = hole.filter(|_| self.rng.chance(15));
            if let Some(hole) = &hole {
                self.line(&format!("if ({hole}) {{"));
            }
            for (name, ty) in self.carried.clone() {
                if self.rng.chance(90) {
                    self.scalar_update(&name, ty);
                }
            }
            if hole.is_some() {
                self.line("}");
            }
            for (name, of) in self.kept.clone() {
                if self.rng.chance(90) {
                    let (target, ty) = self.target();
                    self.store_value(&target, ty, &operand(&name, of, ty));
                }
            }
        }
        self.close(close);
    }

    /// A nest that computes a value in a variable, which is stored in the end; often where nobody else looks.
    fn accumulation(&mut self, depth: usize) {
        let (target, ty) = self.target();
        let name = self.name("r");
        let first = match self.rng.below(4) {
            0 => target.clone(),
            1 => self.value(ty),
            _ => self.rng.range(0, 1).to_string(),
        };
        self.line(&format!("{} {name} = ({0})({first});", ty.c()));
        let others = self.carried.len();
        self.carried.push((name.clone(), ty));
        if self.rng.chance(30) {
            let second = self.name("r");
            let value = self.value(ty);
            self.line(&format!("{} {second} = ({0})({value});", ty.c()));
            self.carried.push((second, ty));
        }
        self.nest(depth);
        let mut carried = self.carried.split_off(others);
        let guard = self.rng.chance(12).then(|| self.affine_condition());
        if let Some(guard) = &guard {
            self.line(&format!("if ({guard}) {{"));
        }
        if self.rng.chance(30) {
            self.store();
        }
        self.store_value(&target, ty, &operand(&name, ty, ty));
        if let Some((second, _)) = carried.split_off(1).first() {
            let (place, of) = self.target();
            self.store_value(&place, of, &operand(second, ty, of));
        }
        if guard.is_some() {
            self.line("}");
        }
    }

    /// A nest that goes on with a variable of which the value before is used behind it.
    fn before_and_after(&mut self, depth: usize) {
        let (name, ty) = self.rng.pick(&self.scalars.clone());
        let before = self.name("o");
        self.line(&format!("{} {before} = {name};", ty.c()));
        self.carried.push((name, ty));
        self.nest(depth);
        self.carried.pop();
        let (target, of) = self.target();
        self.store_value(&target, of, &operand(&before, ty, of));
    }

    /// A nest that uses what was loaded before it.
    fn kept(&mut self, depth: usize) {
        let array = self.any_array();
        let (name, ty) = (self.name("v"), self.arrays[array].ty);
        let loaded = self.access(array);
        let value = match self.rng.chance(50) {
            true => self.value(ty),
            false => format!("{} + 1", operand(&loaded, ty, ty)),
        };
        self.line(&format!("{} {name} = ({0})({value});", ty.c()));
        self.kept.push((name, ty));
        self.nest(depth);
        self.kept.pop();
    }

    /// A nest in the scope of a small array, with another one that reads it.
    fn local(&mut self, depth: usize) {
        let ty = self.main_type;
        let (name, k) = (self.name("t"), self.name("z"));
        let value = self.value(ty);
        self.line(&format!("{} {name}[8];", ty.c()));
        self.line(&format!("for (int {k} = 0; {k} < 8; {k}++)"));
        self.indent += 1;
        self.line(&format!("{name}[{k}] = ({})({value});", ty.c()));
        self.indent -= 1;
        let access = format!("{name}[{}]", self.subscript().masked(7).text());
        self.carried.push((access.clone(), ty));
        self.nest(depth);
        self.carried.pop();
        let (target, of) = self.target();
        self.store_value(&target, of, &operand(&access, ty, of));
    }

    fn statement(&mut self) {
        if self.rng.chance(14) {
            let condition = self.affine_condition();
            return self.guarded(&condition);
        }
        if self.odd(12) {
            let condition = self.data_condition();
            return self.guarded(&condition);
        }
        if self.odd(22) {
            return self.odd_statement();
        }
        if !self.scalars.is_empty() && self.rng.chance(15) {
            return self.scalar_statement();
        }
        self.store();
    }

    fn guarded(&mut self, condition: &str) {
        self.line(&format!("if ({condition}) {{"));
        self.indent += 1;
        self.store();
        self.indent -= 1;
        if self.rng.chance(30) {
            self.line("} else {");
            self.indent += 1;
            self.store();
            self.indent -= 1;
        }
        self.line("}");
    }

    /// An array that may be stored to.
    fn target(&mut self) -> (String, Type) {
        if !self.walks.is_empty() && self.rng.chance(50) {
            let (name, ty) = self.rng.pick(&self.walks.clone());
            return (format!("*{name}"), ty);
        }
        if let Some(indirect) = self.indirect(25) {
            self.mark_written(&indirect.0);
            return indirect;
        }
        let array = self.any_array();
        let text = self.access(array);
        self.mark_written(&text);
        (text, self.arrays[array].ty)
    }

    fn mark_written(&mut self, access: &str) {
        for array in &mut self.arrays {
            array.written |= access.starts_with(&format!("{}[", array.name));
        }
    }

    fn store(&mut self) {
        let (target, ty) = self.target();
        let value = self.value(ty);
        self.store_value(&target, ty, &value);
    }

    fn store_value(&mut self, target: &str, ty: Type, value: &str) {
        let operator = self.rng.pick(&["=", "=", "+=", "-="]);
        match ty {
            _ if ty.is_float() => self.line(&format!("{target} {operator} {value};")),
            Type::Bool => self.line(&format!("{target} = ({value}) & 1;")),
            Type::I32 if self.has_box => self.line(&format!("{target} = ({value}) & 15;")),
            _ => {
                let op = operator.strip_suffix('=').unwrap_or("");
                let whole = if matches!(ty, Type::I64 | Type::U64) {
                    "(unsigned long)"
                } else {
                    "(unsigned)"
                };
                let old = if op.is_empty() {
                    String::new()
                } else {
                    format!("{whole}{target} {op} ")
                };
                self.line(&format!("{target} = ({})({old}({value}));", ty.c()));
            }
        }
    }

    fn scalar_statement(&mut self) {
        let (name, ty) = self.rng.pick(&self.scalars.clone());
        let (other, of) = self.rng.pick(&self.scalars.clone());
        if other != name && self.rng.chance(40) {
            self.line(&format!("{other} = ({})({});", of.c(), operand(&name, ty, of)));
        }
        self.scalar_update(&name, ty);
    }

    fn scalar_update(&mut self, name: &str, ty: Type) {
        let value = self.value(ty);
        let cast = ty.c();
        match self.rng.below(5) {
            0 => self.line(&format!("if ({name} < {value}) {name} = ({cast})({value});")),
            1 => self.line(&format!("{name} = ({cast})({value});")),
            2 if !ty.is_float() => self.line(&format!("{name} ^= ({cast})({value});")),
            _ if ty == Type::Bool => self.line(&format!("{name} |= ({value}) & 1;")),
            _ if ty.is_float() => self.line(&format!("{name} += {value};")),
            _ => self.line(&format!("{name} = ({cast})((unsigned long){name} + ({value}));")),
        }
    }

    /// What keeps code from being affine.
    fn odd_statement(&mut self) {
        let (target, ty) = self.target();
        let i = self.counter().unwrap_or_else(|| Index::constant(1)).exact();
        match self.rng.below(20) {
            0 if !self.advances_itself.is_empty() => {
                let condition = self.data_condition();
                self.line(&format!("if ({condition}) break;"));
            }
            1 if !self.advances_itself.is_empty() => {
                let condition = self.affine_condition();
                self.line(&format!("if ({condition}) break;"));
            }
            2 if self.advances_itself.last() == Some(&true) => {
                let condition = self.data_condition();
                self.line(&format!("if ({condition}) continue;"));
            }
            3 => {
                let condition = self.data_condition();
                self.line(&format!("if ({condition}) return 3;"));
            }
            4 => {
                let value = self.value(ty);
                self.line(&format!("switch ({} & 3) {{", i.operand()));
                self.store_value(&format!("case 0: {target}"), Type::F64, "0");
                self.line("break;");
                self.line(&format!("case 2: {target} = ({})({value}); break;", ty.c()));
                self.line(&format!("default: {target} = 1; }}"));
            }
            5 if ty == Type::F64 => self.line(&format!("touch(&{target});")),
            6 if ty == Type::F64 => self.line(&format!(
                "{target} = peek(&{target}) + hidden({});",
                i.masked(63).text()
            )),
            7 => {
                let array = self.any_array();
                let place = self.access(array);
                self.mark_written(&place);
                self.line(&format!("memset(&{place}, 0, sizeof {place});"));
            }
            8 => {
                let array = self.any_array();
                if self.arrays[array].shape == Shape::Flat {
                    let name = self.arrays[array].name.clone();
                    self.arrays[array].written = true;
                    let from = self.rng.range(0, 40);
                    self.line(&format!(
                        "memmove({name} + {}, {name} + {from}, 5 * sizeof *{name});",
                        i.masked(15).text()
                    ));
                }
            }
            9 if self.numbers.iter().any(|n| n.name == "global_n") => self.line("global_n = (global_n * 3 + 1) & 15;"),
            9 => self.line("global_sum += 0.25;"),
            10 => {
                // Exchanged, in this order.
                let (a, b) = (self.any_array(), self.any_array());
                let (x, y) = (self.access(a), self.access(b));
                self.mark_written(&x);
                self.mark_written(&y);
                let temporary = self.name("t");
                let (of, other) = (self.arrays[a].ty, self.arrays[b].ty);
                if of == other && !(of == Type::I32 && self.has_box) {
                    self.line(&format!(
                        "{{ {} {temporary} = {x}; {x} = {y}; {y} = {temporary}; }}",
                        of.c()
                    ));
                }
            }
            11 if !ty.is_float() && ty != Type::Bool && !(ty == Type::I32 && self.has_box) => {
                self.line(&format!(
                    "{target} = ({})(table[{}] + clip((int)({} & 127) - 20));",
                    ty.c(),
                    i.masked(15).text(),
                    target
                ));
            }
            12 if ty == Type::F64 => {
                let index = i.masked(63);
                let flat = self
                    .arrays
                    .iter()
                    .position(|a| a.shape == Shape::Flat && a.ty == Type::F64);
                if let Some(flat) = flat {
                    self.arrays[flat].written = true;
                    let name = self.arrays[flat].name.clone();
                    self.line(&format!("put({name}, {}, {target});", index.text()));
                }
            }
            13 => {
                // What was stored until then counts: the caller goes on.
                let condition = self.data_condition();
                self.line(&format!("if ({condition}) fail({});", i.masked(63).text()));
            }
            14 => self.bulk(&i),
            15 => self.bulk(&i),
            16 => {
                let local = self.name("w");
                let array = self.any_array();
                let place = self.access(array);
                self.mark_written(&place);
                if !self.arrays[array].ty.is_float() {
                    return;
                }
                // An array that lives in one iteration.
                let fill = format!("for (int z = 0; z < 9; z++) {local}[z] = {place} + z;");
                self.line(&format!(
                    "{{ double {local}[9]; {fill} {place} = {local}[{}]; }}",
                    i.masked(7).text()
                ));
            }
            17 | 18 => {
                // As a check of bounds.
                let n = self.number();
                self.line(&format!(
                    "if ((long)({}) > (long)({}) + {}) fail(5);",
                    i.text(),
                    n.exact().text(),
                    self.rng.clone().range(0, 30)
                ));
            }
            _ => {
                let condition = self.data_condition();
                let (a, b) = (self.value(ty), self.value(ty));
                self.store_value(&target, ty, &format!("({condition} ? {a} : {b})"));
            }
        }
    }

    /// A piece of an array is set, or copied to another of the same type.
    fn bulk(&mut self, i: &Index) {
        let n = self.number().exact();
        let length = n.extreme(&Index::constant(0), false);
        if length.high > 40 {
            return;
        }
        let flat: Vec<usize> = (0..self.arrays.len())
            .filter(|a| self.arrays[*a].shape == Shape::Flat && !(self.arrays[*a].ty == Type::I32 && self.has_box))
            .collect();
        if flat.is_empty() {
            return;
        }
        let start = if i.low >= 0 && i.high <= 24 {
            i.clone()
        } else {
            i.masked(15)
        };
        let to = self.rng.pick(&flat);
        let from = self.rng.pick(&flat);
        let (a, b) = (self.arrays[to].name.clone(), self.arrays[from].name.clone());
        self.arrays[to].written = true;
        let (start, length) = (start.text(), length.text());
        let by = self.rng.pick(&[1, 1, 5]);
        if self.arrays[to].ty == self.arrays[from].ty && self.rng.chance(50) {
            self.line(&format!(
                "memmove({a} + {by} * ({start}), {b} + {start}, ({length}) * sizeof *{a});"
            ));
        } else {
            let zero = if self.arrays[to].ty == Type::Bool { 1 } else { 0 };
            self.line(&format!(
                "memset({a} + {by} * ({start}), {zero}, ({length}) * sizeof *{a});"
            ));
        }
    }

    fn text(&mut self, name: &str, caller: &str, seed: u64) -> String {
        let numbers = self.numbers.iter().filter(|n| n.is_argument);
        let mut signature: Vec<String> = numbers.map(|n| format!("{} {}", n.ty.c(), n.name)).collect();
        signature.extend(self.arrays.iter().filter_map(Array::declaration));
        if self.has_members {
            signature.push("struct mat *s".to_owned());
        }
        if self.has_box {
            signature.push("struct box *bx".to_owned());
        }
        let result = self
            .results
            .iter()
            .fold("1ul".to_owned(), |all, result| format!("{all} * 31 + {result}"));
        let mut text = format!(
            "__attribute__((noinline)) unsigned long {name}({}) {{\n",
            signature.join(", ")
        );
        text += &self.declarations;
        text += &self.body;
        let _ = write!(text, "  return {result};\n}}\nstatic void {caller}(void) {{\n");
        // What is restricted and written, or read beside what is written, has to be apart.
        let apart = self.arrays.iter().any(|a| a.restrict);
        for call in 0..CALLS {
            text += &self.call(name, seed, call, apart || call % 2 == 0);
        }
        text + "}\n\n"
    }

    /// One call in a block of its own.
    fn call(&mut self, name: &str, seed: u64, call: usize, apart: bool) -> String {
        // The members lie in pools, too.
        let mut pools: Vec<&'static str> = self.arrays.iter().map(Array::pool).collect();
        pools.extend(["f64", "f64", "f32", "i32"]);
        let at = places(&mut self.rng, &pools, apart);
        let members = &at[self.arrays.len()..];
        let value = |name: &str| {
            let number = self.numbers.iter().find(|n| n.name == name);
            number.map(|n| n.argument(call))
        };
        let mut text = format!("  {{\n    fill({call});\n");
        if let Some(n) = value("global_n") {
            let _ = writeln!(text, "    global_n = {n};");
        }
        let numbers = self.numbers.iter().filter(|n| n.is_argument);
        let mut actual: Vec<String> = numbers.map(|n| n.argument(call)).collect();
        for (array, at) in self.arrays.iter().zip(&at) {
            if array.shape == Shape::Table {
                let (rows, first) = TABLE;
                let (name, ty, tag) = (&array.name, array.ty.c(), array.ty.tag());
                let from = at - 24 * first as i64;
                let place = place_of_row(&mut self.rng, apart);
                let row = format!("for (int r = 0; r < {rows}; r++) {name}[r] = pool_{tag} + {from} + {place};");
                let _ = writeln!(text, "    {ty} *{name}[{rows}];\n    {row}");
                actual.push(format!("{name} + {first}"));
            } else if array.declaration().is_some() {
                actual.push(format!("(void *)(pool_{} + {at})", array.pool()));
            }
        }
        if self.has_members {
            let (n, m) = (value("s->n").unwrap_or_default(), value("s->m").unwrap_or_default());
            let _ = writeln!(
                text,
                "    struct mat s = {{ pool_f64 + {}, {n}, pool_f64 + {}, pool_f32 + {}, {m}, pool_i32 + {} }};",
                members[0], members[1], members[2], members[3]
            );
            actual.push("&s".to_owned());
        }
        if self.has_box {
            let at = if apart { 4000 } else { members[3] + 5 };
            for (offset, field) in ["bx->n", "bx->m"].into_iter().enumerate() {
                let _ = writeln!(
                    text,
                    "    pool_i32[{}] = {};",
                    at + offset as i64,
                    value(field).unwrap_or_default()
                );
            }
            actual.push(format!("(struct box *)(pool_i32 + {at})"));
        }
        let actual = actual.join(", ");
        let _ = write!(
            text,
            "    if (setjmp(failed))\n      report({seed}, {call}, 77 + failure);\n    else\n      report({seed}, {call}, {name}({actual}));\n  }}\n"
        );
        text
    }
}

/// A variable of one type as a value for another: what is no integer may be beyond those that there are.
fn operand(name: &str, ty: Type, of: Type) -> String {
    match (ty.is_float(), of.is_float()) {
        (true, true) => name.to_owned(),
        (true, false) => format!("({name} > 0.5)"),
        (false, _) => format!("(unsigned long){name}"),
    }
}
