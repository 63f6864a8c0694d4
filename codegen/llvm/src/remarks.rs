//! Optimization remarks.

use crate::ffi::{self, Text};
use crate::loops::Loop;
use crate::run::Run;
use crate::value::{Location, Value};

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

/// A part of what a remark says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// Text that remark files have as an argument of this name.
    Argument(&'static str, String),
}

impl Part {
    /// The part for the shim.
    fn lent(&self) -> ffi::RemarkPart<'_> {
        let (key, value) = match self {
            Part::Text(text) => ("", text),
            Part::Argument(key, text) => (*key, text),
        };
        ffi::RemarkPart {
            key: Text::new(key),
            value: Text::new(value),
        }
    }
}

/// A remark without its location.
#[derive(Clone, Debug)]
pub struct Remark {
    /// Which of the three flags shows it.
    pub kind: RemarkKind,
    /// The remark's name in remark files, CamelCase.
    pub identifier: String,
    /// Whether it is shown at the place of the code itself, in whatever file that is.
    is_at_own_place: bool,
    /// What to say.
    parts: Vec<Part>,
}

impl Remark {
    /// The name of the argument with advice.
    const ADVICE: &'static str = "Advice";

    fn new(kind: RemarkKind, identifier: impl Into<String>, message: impl Into<String>) -> Self {
        Remark {
            kind,
            identifier: identifier.into(),
            is_at_own_place: false,
            parts: vec![Part::Text(message.into())],
        }
    }

    /// A remark on something done.
    pub fn passed(identifier: impl Into<String>, message: impl Into<String>) -> Self {
        Remark::new(RemarkKind::Passed, identifier, message)
    }

    /// A remark on what something depends on.
    pub fn analysis(identifier: impl Into<String>, message: impl Into<String>) -> Self {
        Remark::new(RemarkKind::Analysis, identifier, message)
    }

    /// A remark on something not done.
    pub fn missed(identifier: impl Into<String>, message: impl Into<String>) -> Self {
        Remark::new(RemarkKind::Missed, identifier, message)
    }

    /// Adds text.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Text(text.into()));
        self
    }

    /// Adds text that remark files have as an argument of this name, in CamelCase.
    pub fn argument(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.parts.push(Part::Argument(name, text.into()));
        self
    }

    /// The remark at the place of the code itself, in whatever file that is.
    pub fn at_own_place(self) -> Self {
        Remark {
            is_at_own_place: true,
            ..self
        }
    }

    /// The remark on something of a library's function that was inlined: says so behind its first part. Without advice, as that is for
    /// whoever wrote the function.
    pub fn of_inlined(mut self, function: String) -> Self {
        let is_advice = |part: &Part| matches!(part, Part::Argument(Remark::ADVICE, _));
        if let Some(advice) = self.parts.iter().position(is_advice) {
            self.parts.drain(advice - 1..=advice);
        }
        let parts = [Part::Text(" in ".to_owned()), Part::Argument("Inlined", function)];
        self.parts.splice(1..1, parts);
        self
    }

    /// Adds advice to the author.
    pub fn advice(self, advice: impl Into<String>) -> Self {
        self.text("; ").argument(Remark::ADVICE, advice)
    }

    /// What it says.
    pub fn message(&self) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) | Part::Argument(_, text) => text.clone(),
        };
        self.parts.iter().map(text).collect()
    }
}

/// Where a remark is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The place.
    pub location: Location,
    /// The function of a library that was inlined there, and that the loop is in.
    pub inlined: Option<String>,
    /// Whether the place is in the source of a library, as nothing of the user's is known.
    pub is_in_library: bool,
}

impl Run<'_> {
    /// Whether anybody sees remarks.
    pub fn remarks_enabled(&self) -> bool {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_remarks_enabled(self.raw()) }
    }

    /// Where a remark on the loop and the instruction is shown: the innermost place in the user's source that the instruction, or else the
    /// loop, is at or was inlined at. `None` without debug information.
    pub fn remark_site<'a>(&'a self, l: Option<Loop<'a>>, at: Option<Value<'a>>) -> Option<Site> {
        let (mut line, mut column, mut kind) = (0, 0, 0);
        let (l, at) = handles(l, at);
        let texts = ffi::collect_text(|sink, context| {
            // SAFETY: the handles are live or null, and the places are there to be written.
            kind = unsafe { ffi::farkas_remark_site(self.raw(), l, at, &mut line, &mut column, sink, context) };
        });
        if kind == 0 {
            return None;
        }
        let (file, inlined) = match texts.split_once('\n') {
            Some((file, function)) => (file.to_owned(), Some(function.to_owned())),
            None => (texts, None),
        };
        Some(Site {
            location: Location { file, line, column },
            inlined,
            is_in_library: kind == 2,
        })
    }

    /// Emits a remark, at its [site](Run::remark_site) or own place, or else on the function.
    pub fn remark<'a>(&'a self, remark: &Remark, l: Option<Loop<'a>>, at: Option<Value<'a>>) {
        let kind = match remark.kind {
            RemarkKind::Passed => 0,
            RemarkKind::Missed => 1,
            RemarkKind::Analysis => 2,
        };
        let (l, at) = handles(l, at);
        let parts: Vec<ffi::RemarkPart<'_>> = remark.parts.iter().map(Part::lent).collect();
        let (identifier, own_place) = (Text::new(&remark.identifier), remark.is_at_own_place);
        // SAFETY: the handles are live or null, and the texts are lent for the call.
        unsafe {
            ffi::farkas_remark(
                self.raw(),
                kind,
                identifier,
                l,
                at,
                own_place,
                parts.as_ptr(),
                parts.len(),
            )
        }
    }
}

/// The handles for the shim; null where there is none.
fn handles(l: Option<Loop<'_>>, at: Option<Value<'_>>) -> (ffi::LoopRef, inkwell::llvm_sys::prelude::LLVMValueRef) {
    let at = at.filter(|v| v.is_instruction());
    (
        l.map_or(std::ptr::null_mut(), |l| l.raw),
        at.map_or(std::ptr::null_mut(), |v| v.raw),
    )
}
