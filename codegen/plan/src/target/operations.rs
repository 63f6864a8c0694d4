//! How long operations take, by class, type and number of lanes.
//!
//! An operation is described by a latency and two rates: how many instructions of it start per cycle, and how many bits
//! of results come out per cycle. The smaller rate counts. Example: Zen 4 starts two multiplications per cycle and its
//! multipliers are 256 bits wide, `per_cycle = 2, bits_per_cycle = 512`: two scalars or two vectors of 256 bits per
//! cycle, or one of 512 bits.
//!
//! Divisions and square roots do not scale with the width: Skylake's divider takes 4 cycles for one `double` and also for
//! two, but 16 for eight, `per_cycle = 0.25, bits_per_cycle = 32`. A latency is that of the narrowest form; where wide
//! forms take longer, their rate says so.

use farkas_polyhedral::program::{ElementType, OperationClass};
use serde::{Deserialize, Serialize};

/// Latency and rates of one kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The cycles from the operands to the result.
    pub latency: f64,
    /// The instructions that can start per cycle, scalar or vector, if they are narrow enough.
    pub per_cycle: f64,
    /// The bits of lanes that can be worked on per cycle. Absent where there is no vector form: lanes go one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits_per_cycle: Option<f64>,
}

impl Timing {
    /// The cost of an operation on so many lanes of the type; one lane is a scalar.
    pub fn cost(&self, ty: ElementType, lanes: u32) -> OperationCost {
        let lanes = f64::from(lanes.max(1));
        let per_cycle = match self.bits_per_cycle {
            _ if lanes == 1.0 => self.per_cycle,
            Some(bits) => self.per_cycle.min(bits / (lanes * f64::from(ty.bits()))),
            None => self.per_cycle / lanes,
        };
        OperationCost {
            latency: self.latency,
            per_cycle,
        }
    }
}

/// What an operation on some lanes costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperationCost {
    /// The cycles from the operands to the result.
    pub latency: f64,
    /// The operations, on all their lanes, that can start per cycle.
    pub per_cycle: f64,
}

/// The timings of all operations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationCosts {
    /// A load into a vector register that hits L1. Scalars in floating point are there, too.
    pub load: Timing,
    /// A store. The latency is that of forwarding: from the store to the use of a load of the same bytes.
    pub store: Timing,
    /// An addition, subtraction or comparison in floating point.
    pub add: Timing,
    /// A minimum or maximum in floating point.
    pub minimum: Timing,
    /// A multiplication in floating point, and a fused multiply-add.
    pub multiply: Timing,
    /// Additions and multiplications in floating point together. It is less than the sum of both rates where they share
    /// pipes, as on Intel's and Arm's cores. The latency is that of a fused multiply-add.
    pub arithmetic: Timing,
    /// A division of `float`s.
    pub divide32: Timing,
    /// A division of `double`s.
    pub divide64: Timing,
    /// A square root of a `float`.
    pub square_root32: Timing,
    /// A square root of a `double`.
    pub square_root64: Timing,
    /// A choice between two values by a condition.
    pub select: Timing,
    /// An addition, shift, comparison or logical operation on integers.
    pub integer: Timing,
    /// A multiplication of integers of at most 32 bits.
    pub integer_multiply32: Timing,
    /// A multiplication of wider integers.
    pub integer_multiply64: Timing,
    /// A division or remainder of integers of at most 32 bits.
    pub integer_divide32: Timing,
    /// A division or remainder of wider integers.
    pub integer_divide64: Timing,
    /// A call of a function such as `exp`.
    pub call: Timing,
}

impl OperationCosts {
    /// The cost of an operation of the class on so many lanes of the type; one lane is a scalar.
    ///
    /// Lanes that do not fit in one register cost as much as the registers that they take. An addition of integers is
    /// an [`OperationClass::Integer`].
    pub fn cost(&self, class: OperationClass, ty: ElementType, lanes: u32) -> OperationCost {
        if (class, lanes) == (OperationClass::Minimum, 1) && matches!(ty, ElementType::Integer(_)) {
            // A comparison and a conditional move. Registers of vectors have an instruction.
            return OperationCost {
                latency: 2.0 * self.integer.latency,
                per_cycle: self.integer.per_cycle / 2.0,
            };
        }
        self.timing(class, ty).cost(ty, lanes)
    }

    /// The timing of a class on a type.
    pub fn timing(&self, class: OperationClass, ty: ElementType) -> Timing {
        let wide = ty.bits() > 32;
        let by_width = |narrow, at_64_bits| if wide { at_64_bits } else { narrow };
        let float = matches!(ty, ElementType::Float(_));
        match class {
            OperationClass::Load => self.load,
            OperationClass::Store => self.store,
            OperationClass::Call => self.call,
            OperationClass::Minimum if float => self.minimum,
            OperationClass::Select => self.select,
            OperationClass::Integer => self.integer,
            OperationClass::SquareRoot | OperationClass::ErrnoSquareRoot => {
                by_width(self.square_root32, self.square_root64)
            }
            OperationClass::Add if float => self.add,
            OperationClass::Multiply if float => self.multiply,
            OperationClass::Divide if float => by_width(self.divide32, self.divide64),
            OperationClass::Add | OperationClass::Minimum => self.integer,
            OperationClass::Multiply => by_width(self.integer_multiply32, self.integer_multiply64),
            OperationClass::Divide => by_width(self.integer_divide32, self.integer_divide64),
        }
    }

    /// All timings with their names, in the order of the fields.
    pub(super) fn all(&self) -> [(&'static str, Timing); 17] {
        [
            ("load", self.load),
            ("store", self.store),
            ("add", self.add),
            ("minimum", self.minimum),
            ("multiply", self.multiply),
            ("arithmetic", self.arithmetic),
            ("divide32", self.divide32),
            ("divide64", self.divide64),
            ("square_root32", self.square_root32),
            ("square_root64", self.square_root64),
            ("select", self.select),
            ("integer", self.integer),
            ("integer_multiply32", self.integer_multiply32),
            ("integer_multiply64", self.integer_multiply64),
            ("integer_divide32", self.integer_divide32),
            ("integer_divide64", self.integer_divide64),
            ("call", self.call),
        ]
    }
}
