//! Types of elements, and how they are printed, filled and read.

/// The type of an array's elements or of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    F64,
    F32,
    F80,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Bool,
}

impl Type {
    pub(super) const ALL: [Type; 12] = [
        Type::F64,
        Type::F32,
        Type::F80,
        Type::I8,
        Type::U8,
        Type::I16,
        Type::U16,
        Type::I32,
        Type::U32,
        Type::I64,
        Type::U64,
        Type::Bool,
    ];

    pub(super) fn c(self) -> &'static str {
        match self {
            Type::F64 => "double",
            Type::F32 => "float",
            Type::F80 => "long double",
            Type::I8 => "signed char",
            Type::U8 => "unsigned char",
            Type::I16 => "short",
            Type::U16 => "unsigned short",
            Type::I32 => "int",
            Type::U32 => "unsigned",
            Type::I64 => "long",
            Type::U64 => "unsigned long",
            Type::Bool => "bool",
        }
    }

    /// A name for what belongs to the type.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Type::F64 => "f64",
            Type::F32 => "f32",
            Type::F80 => "f80",
            Type::I8 => "i8",
            Type::U8 => "u8",
            Type::I16 => "i16",
            Type::U16 => "u16",
            Type::I32 => "i32",
            Type::U32 => "u32",
            Type::I64 => "i64",
            Type::U64 => "u64",
            Type::Bool => "b",
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Type::F64 | Type::F32 | Type::F80)
    }
}
