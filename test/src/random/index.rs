//! Integer expressions in C of which the value is known to lie in an interval.
//!
//! Loop bounds, conditions and subscripts are built from these. Signed arithmetic never overflows: all intervals are
//! small. Unsigned arithmetic may wrap around: an expression whose interval has negative values and whose type is
//! unsigned has, in C, the value modulo two to the width. It is made exact again (by a cast to the signed type) where
//! the value itself counts: in comparisons, divisions, and conversions to a wider type.

/// A type of integers, as declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integer {
    Char,
    Short,
    Int,
    Unsigned,
    Long,
    Size,
}

impl Integer {
    pub(super) fn c(self) -> &'static str {
        match self {
            Integer::Char => "unsigned char",
            Integer::Short => "short",
            Integer::Int => "int",
            Integer::Unsigned => "unsigned",
            Integer::Long => "long",
            Integer::Size => "size_t",
        }
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Integer::Short | Integer::Int | Integer::Long)
    }

    /// Whether the values from `low` to `high` can be represented.
    pub(super) fn holds(self, low: i64, high: i64) -> bool {
        match self {
            Integer::Char => low >= 0 && high <= 255,
            Integer::Short => low >= -32768 && high <= 32767,
            Integer::Int => low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX),
            Integer::Unsigned => low >= 0 && high <= i64::from(u32::MAX),
            Integer::Size => low >= 0,
            Integer::Long => true,
        }
    }

    /// The type of an expression that is a value of this type.
    fn promoted(self) -> Integer {
        match self {
            Integer::Char | Integer::Short => Integer::Int,
            other => other,
        }
    }

    fn rank(self) -> usize {
        match self {
            Integer::Char | Integer::Short | Integer::Int => 0,
            Integer::Unsigned => 1,
            Integer::Long => 2,
            Integer::Size => 3,
        }
    }
}

/// An expression with an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Index {
    text: String,
    /// Whether the text can stand beside any operator.
    atom: bool,
    ty: Integer,
    /// The least value.
    pub(super) low: i64,
    /// The greatest value.
    pub(super) high: i64,
}

impl Index {
    /// A variable of a declared type.
    pub(super) fn variable(name: &str, ty: Integer, low: i64, high: i64) -> Self {
        Index {
            text: name.to_owned(),
            atom: true,
            ty: ty.promoted(),
            low,
            high,
        }
    }

    pub(super) fn constant(value: i64) -> Self {
        Index {
            text: value.to_string(),
            atom: value >= 0,
            ty: Integer::Int,
            low: value,
            high: value,
        }
    }

    pub(super) fn ty(&self) -> Integer {
        self.ty
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text as an operand of any operator.
    pub(super) fn operand(&self) -> String {
        if self.atom {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    pub(super) fn is_unsigned(&self) -> bool {
        !self.ty.is_signed()
    }

    /// The value converted to `ty`; the interval has to fit where `ty` is unsigned and the value is to stay exact.
    pub(super) fn cast(&self, ty: Integer) -> Index {
        Index {
            text: format!("({}){}", ty.c(), self.operand()),
            atom: false,
            ty: ty.promoted(),
            ..*self
        }
    }

    /// An expression whose value in C is the value itself.
    pub(super) fn exact(&self) -> Index {
        if !self.is_unsigned() || self.low >= 0 {
            return self.clone();
        }
        let signed = if self.ty == Integer::Size {
            Integer::Long
        } else {
            Integer::Int
        };
        self.cast(signed)
    }

    /// The operands of a binary operator, so that conversions keep the value.
    fn balanced(&self, other: &Index) -> (Index, Index, Integer) {
        let widened = |x: &Index, to: Integer| {
            if x.ty == Integer::Unsigned && to.rank() > x.ty.rank() {
                x.exact()
            } else {
                x.clone()
            }
        };
        let (a, b) = (widened(self, other.ty), widened(other, self.ty));
        let ty = if a.ty.rank() > b.ty.rank() { a.ty } else { b.ty };
        (a, b, ty)
    }

    pub(super) fn plus(&self, other: &Index) -> Index {
        let (a, b, ty) = self.balanced(other);
        let text = match b.text.strip_prefix('-') {
            Some(positive) if b.low == b.high => format!("{} - {positive}", a.text),
            _ => format!("{} + {}", a.text, b.operand()),
        };
        Index {
            text,
            atom: false,
            ty,
            low: a.low + b.low,
            high: a.high + b.high,
        }
    }

    pub(super) fn add(&self, constant: i64) -> Index {
        if constant == 0 {
            self.clone()
        } else {
            self.plus(&Index::constant(constant))
        }
    }

    pub(super) fn minus(&self, other: &Index) -> Index {
        let (a, b, ty) = self.balanced(other);
        Index {
            text: format!("{} - {}", a.text, b.operand()),
            atom: false,
            ty,
            low: a.low - b.high,
            high: a.high - b.low,
        }
    }

    pub(super) fn times(&self, factor: i64) -> Index {
        let ends = [self.low * factor, self.high * factor];
        Index {
            text: format!("{factor} * {}", self.operand()),
            atom: false,
            ty: self.ty,
            low: ends[0].min(ends[1]),
            high: ends[0].max(ends[1]),
        }
    }

    /// `self % modulus`, with a positive modulus and for values that are not negative.
    pub(super) fn remainder(&self, modulus: i64) -> Index {
        let value = self.exact();
        Index {
            text: format!("{} % {modulus}", value.operand()),
            atom: false,
            ty: value.ty,
            low: 0,
            high: self.high.clamp(0, modulus - 1),
        }
    }

    /// `self & mask`, with a mask of the form `2^k - 1`.
    pub(super) fn masked(&self, mask: i64) -> Index {
        Index {
            text: format!("({} & {mask})", self.operand()),
            atom: true,
            ty: self.ty,
            low: 0,
            high: mask,
        }
    }

    /// The value rounded down to a multiple of `divisor`, divided by it; for values that are not negative.
    pub(super) fn quotient(&self, divisor: i64) -> Index {
        let value = self.exact();
        Index {
            text: format!("{} / {divisor}", value.operand()),
            atom: false,
            ty: value.ty,
            low: self.low.max(0) / divisor,
            high: self.high / divisor,
        }
    }

    /// The value modulo 256.
    pub(super) fn low_byte(&self) -> Index {
        let fits = self.low >= 0 && self.high <= 255;
        let (low, high) = if fits { (self.low, self.high) } else { (0, 255) };
        Index {
            low,
            high,
            ..self.cast(Integer::Char)
        }
    }

    /// The smaller of both values, or the greater.
    pub(super) fn extreme(&self, other: &Index, smaller: bool) -> Index {
        let (a, b) = (self.signed(), other.signed());
        let (operator, pick): (_, fn(i64, i64) -> i64) = if smaller { ("<", i64::min) } else { (">", i64::max) };
        let (x, y) = (a.operand(), b.operand());
        Index {
            text: format!("({x} {operator} {y} ? {x} : {y})"),
            atom: true,
            ty: if a.ty == Integer::Int { b.ty } else { a.ty },
            low: pick(a.low, b.low),
            high: pick(a.high, b.high),
        }
    }

    /// The same value in a signed type.
    fn signed(&self) -> Index {
        if self.is_unsigned() {
            self.exact().cast(Integer::Long)
        } else {
            self.clone()
        }
    }

    /// A comparison that holds in C if and only if it holds of the values.
    pub(super) fn compare(&self, operator: &str, other: &Index) -> String {
        let (a, b) = (self.exact(), other.exact());
        let unsigned = a.ty.rank().max(b.ty.rank()) % 2 == 1;
        if unsigned && (a.low < 0 || b.low < 0) {
            let (a, b) = (a.cast(Integer::Long), b.cast(Integer::Long));
            return format!("{} {operator} {}", a.text, b.text);
        }
        format!("{} {operator} {}", a.text, b.text)
    }
}
