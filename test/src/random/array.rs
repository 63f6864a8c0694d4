//! The arrays of a random program: how they are stored, what of them is accessed, and where they lie in memory.
//!
//! The generator subscripts arrays freely and records the interval of each subscript. When the program is complete, the
//! macro through which an array is accessed shifts subscripts so that they fit, and the array gets the size it needs:
//!
//! ```c
//! #define A(x, y) A_[(x) + 2][(y)]
//! ```
//!
//! Arrays that are arguments lie in a pool of their element type, at places that differ from call to call: apart,
//! overlapping, or the same.

use super::index::{Index, Integer};
use super::rng::Rng;

/// The type of an array's elements or of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    Double,
    Float,
    Int,
    Unsigned,
    UnsignedLong,
    Short,
    SignedChar,
    Char,
}

impl Element {
    pub(super) const ALL: [Element; 8] = [
        Element::Double,
        Element::Float,
        Element::Int,
        Element::Unsigned,
        Element::UnsignedLong,
        Element::Short,
        Element::SignedChar,
        Element::Char,
    ];

    pub(super) fn c(self) -> &'static str {
        match self {
            Element::Double => "double",
            Element::Float => "float",
            Element::Int => "int",
            Element::Unsigned => "unsigned",
            Element::UnsignedLong => "unsigned long",
            Element::Short => "short",
            Element::SignedChar => "signed char",
            Element::Char => "unsigned char",
        }
    }

    /// A name for what belongs to the type.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Element::Double => "d",
            Element::Float => "f",
            Element::Int => "i",
            Element::Unsigned => "u",
            Element::UnsignedLong => "ul",
            Element::Short => "s",
            Element::SignedChar => "sc",
            Element::Char => "uc",
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Element::Double | Element::Float)
    }
}

/// How an array is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// `static T A_[R][C];`
    Global,
    /// An argument `T (*A_)[C]`.
    Rows,
    /// An argument `T A_[][ld]`, where `ld` is an argument.
    Variable,
    /// An argument `T *A_`, accessed as `A_[i * ld + j]`.
    Linear,
    /// An argument `T *A_`, accessed as `A_[i * 20 + j]`.
    ConstantLinear,
}

/// An argument of the kernel.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) ty: Integer,
    /// One value for each call.
    pub(super) values: Vec<i64>,
}

impl Param {
    pub(super) fn low(&self) -> i64 {
        self.values.iter().copied().min().expect("a call")
    }

    pub(super) fn high(&self) -> i64 {
        self.values.iter().copied().max().expect("a call")
    }

    pub(super) fn index(&self) -> Index {
        Index::variable(&self.name, self.ty, self.low(), self.high())
    }
}

/// An array while the program is made.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) element: Element,
    pub(super) rank: usize,
    pub(super) storage: Storage,
    pub(super) restrict: bool,
    /// Whether rows' sizes are of types that can be followed easily.
    tidy: bool,
    /// The interval of each subscript, over all accesses.
    used: Vec<Option<(i64, i64)>>,
    /// Whether a subscript has an unsigned type.
    has_unsigned: bool,
}

/// An array of a complete program.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The declaration, as global or as argument.
    pub(super) declaration: String,
    /// The macro for accesses.
    pub(super) definition: String,
    /// The arguments that are sizes of rows.
    pub(super) params: Vec<Param>,
    /// The least and the greatest offset that is accessed, in elements, and zero between them.
    pub(super) span: (i64, i64),
}

impl Array {
    pub(super) fn new(
        name: String,
        element: Element,
        rank: usize,
        storage: Storage,
        restrict: bool,
        tidy: bool,
    ) -> Self {
        Array {
            name,
            element,
            rank,
            storage,
            restrict,
            tidy,
            used: vec![None; rank],
            has_unsigned: false,
        }
    }

    /// Records an access.
    pub(super) fn accessed(&mut self, subscripts: &[Index]) {
        for (used, subscript) in self.used.iter_mut().zip(subscripts) {
            let (low, high) = used.unwrap_or((subscript.low, subscript.high));
            *used = Some((low.min(subscript.low), high.max(subscript.high)));
            self.has_unsigned |= subscript.is_unsigned();
        }
    }

    pub(super) fn is_argument(&self) -> bool {
        self.storage != Storage::Global
    }

    /// The array's size and place, for `calls` calls.
    pub(super) fn layout(&self, rng: &mut Rng, calls: usize) -> Layout {
        let mut shifts: Vec<i64> = self.used.iter().map(|u| (-u.unwrap_or((0, 0)).0).max(0)).collect();
        // A pointer may as well point into the middle.
        if self.is_argument() && !self.has_unsigned && rng.chance(50) {
            shifts[0] = 0;
        }
        let spans: Vec<(i64, i64)> = self
            .used
            .iter()
            .zip(&shifts)
            .map(|(used, shift)| used.map_or((0, 0), |(low, high)| (low + shift, high + shift)))
            .collect();
        let extents: Vec<i64> = spans.iter().map(|(_, high)| (high + 1).max(1)).collect();
        let at: Vec<String> = (0..self.rank)
            .map(|d| {
                let x = format!("(x{d})");
                if shifts[d] == 0 {
                    x
                } else {
                    format!("({x} + {})", shifts[d])
                }
            })
            .collect();
        let (name, ty) = (&self.name, self.element.c());
        let star = if self.restrict { "*restrict " } else { "*" };
        let pointer = format!("{ty} {star}{name}_");
        let bracketed = |subscripts: &[String]| subscripts.iter().map(|s| format!("[{s}]")).collect::<String>();
        let numbers = |extents: &[i64]| extents.iter().map(|e| format!("[{e}]")).collect::<String>();
        // The sizes of the inner dimensions, for each call.
        let mut rows: Vec<Vec<i64>> = extents[1..].iter().map(|e| vec![*e; calls]).collect();
        let mut params = Vec::new();
        let (declaration, access) = match self.storage {
            _ if self.rank == 1 && self.is_argument() => (pointer, bracketed(&at)),
            Storage::Global => (format!("static {ty} {name}_{}", numbers(&extents)), bracketed(&at)),
            Storage::Rows => (
                format!("{ty} ({star}{name}_){}", numbers(&extents[1..])),
                bracketed(&at),
            ),
            Storage::Variable => {
                params = self.row_params(rng, &mut rows, true, spans[0].0 < 0);
                let sizes: String = params.iter().map(|p| format!("[{}]", p.name)).collect();
                (format!("{ty} {name}_[]{sizes}"), bracketed(&at))
            }
            Storage::Linear => {
                params = self.row_params(rng, &mut rows, false, spans[0].0 < 0);
                let sizes: Vec<String> = params.iter().map(|p| p.name.clone()).collect();
                (pointer, format!("[{}]", linearized(&at, &sizes)))
            }
            Storage::ConstantLinear => {
                if rng.chance(20) {
                    // Rows that overlap their successors.
                    rows[0] = vec![(extents[1] / 2).max(1); calls];
                }
                let sizes: Vec<String> = rows.iter().map(|row| row[0].to_string()).collect();
                (pointer, format!("[{}]", linearized(&at, &sizes)))
            }
        };
        let names: Vec<String> = (0..self.rank).map(|d| format!("x{d}")).collect();
        let definition = format!("#define {name}({}) {name}_{access}", names.join(", "));
        let span = (0..calls).map(|call| {
            let row_sizes = rows.iter().map(|row| row[call]);
            spans[1..]
                .iter()
                .zip(row_sizes)
                .fold(spans[0], |(low, high), (inner, size)| {
                    let ends = [low * size, high * size];
                    (ends[0].min(ends[1]) + inner.0, ends[0].max(ends[1]) + inner.1)
                })
        });
        // The pointer itself has to point into the array.
        let span = span.fold((0, 0), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        Layout {
            declaration,
            definition,
            params,
            span,
        }
    }

    /// Arguments for the sizes of rows. Those of C's arrays of variable length are at least as long as they have to
    /// be; others need not be. `negative` says whether an outermost subscript may be.
    fn row_params(&self, rng: &mut Rng, rows: &mut [Vec<i64>], declared: bool, negative: bool) -> Vec<Param> {
        let mut ty = if self.tidy {
            rng.weighted(&[(2, Integer::Int), (4, Integer::Long), (1, Integer::Size)])
        } else {
            rng.weighted(&[
                (5, Integer::Int),
                (3, Integer::Long),
                (1, Integer::Unsigned),
                (2, Integer::Size),
            ])
        };
        if negative {
            // The product with an unsigned size would wrap around.
            ty = Integer::Int;
        }
        let mut params = Vec::new();
        for (dim, row) in rows.iter_mut().enumerate() {
            for (call, size) in row.iter_mut().enumerate() {
                if call == 0 || rng.chance(50) {
                    continue;
                }
                *size += rng.range(0, 3);
                if !declared && rng.chance(25) {
                    let low = if ty.is_signed() && !self.has_unsigned { -2 } else { 0 };
                    *size = rng.range(low, 4);
                }
            }
            params.push(Param {
                name: format!("ld{}{dim}", self.name),
                ty,
                values: row.clone(),
            });
        }
        params
    }
}

fn linearized(subscripts: &[String], sizes: &[String]) -> String {
    let inner = subscripts[1..].iter().zip(sizes);
    inner.fold(subscripts[0].clone(), |outer, (subscript, size)| {
        format!("({outer} * {size} + {subscript})")
    })
}
