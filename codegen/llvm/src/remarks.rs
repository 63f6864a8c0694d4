//! Optimization remarks.

/// Whether something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// Shown with `-Rpass=farkas`.
    Passed,
    /// Shown with `-Rpass-missed=farkas`.
    Missed,
    /// Shown with `-Rpass-analysis=farkas`.
    Analysis,
}

/// A remark without its location.
#[derive(Clone, Debug)]
pub struct Remark {
    /// Which of the three flags shows it.
    pub kind: RemarkKind,
    /// The remark's name in remark files, CamelCase.
    pub identifier: String,
    /// What to say.
    pub message: String,
}

impl Remark {
    /// A remark on something done.
    pub fn passed(identifier: impl Into<String>, message: impl Into<String>) -> Self {
        Remark {
            kind: RemarkKind::Passed,
            identifier: identifier.into(),
            message: message.into(),
        }
    }

    /// A remark on what something depends on.
    pub fn analysis(identifier: impl Into<String>, message: impl Into<String>) -> Self {
        Remark {
            kind: RemarkKind::Analysis,
            identifier: identifier.into(),
            message: message.into(),
        }
    }

    /// A remark on something not done.
    pub fn missed(identifier: impl Into<String>, message: impl Into<String>) -> Self {
        Remark {
            kind: RemarkKind::Missed,
            identifier: identifier.into(),
            message: message.into(),
        }
    }
}
