//! States that are narrow as long as their numbers fit, and wide from then on.

use super::number::Overflow;
use crate::budget::OutOfBudget;

/// A state over narrow numbers, or the same over wide ones.
#[derive(Clone, Debug)]
pub(super) enum Width<N, W> {
    Narrow(N),
    Wide(W),
}

/// Why an operation on a state has stopped. It can be repeated, on overflow after the state has been widened.
pub(super) enum Stop {
    OutOfBudget,
    Overflow,
}

impl From<OutOfBudget> for Stop {
    fn from(_: OutOfBudget) -> Stop {
        Stop::OutOfBudget
    }
}

impl From<Overflow> for Stop {
    fn from(_: Overflow) -> Stop {
        Stop::Overflow
    }
}

/// Runs `$body` on the state in its present width, and again on the widened state if narrow numbers overflow.
macro_rules! on_state {
    ($width:expr, $state:ident => $body:expr) => {{
        let mut narrow = None;
        if let Width::Narrow($state) = &mut $width {
            match $body {
                Ok(value) => narrow = Some(Ok(value)),
                Err(Stop::OutOfBudget) => narrow = Some(Err($crate::budget::OutOfBudget)),
                Err(Stop::Overflow) => $width = Width::Wide($state.widen()),
            }
        }
        match (narrow, &mut $width) {
            (Some(done), _) => done,
            (None, Width::Wide($state)) => match $body {
                Ok(value) => Ok(value),
                Err(Stop::OutOfBudget) => Err($crate::budget::OutOfBudget),
                Err(Stop::Overflow) => unreachable!("wide numbers do not overflow"),
            },
            (None, Width::Narrow(_)) => unreachable!("a narrow state is done or has been widened"),
        }
    }};
}
pub(super) use on_state;
