//! The text of an annotation: `farkas: off`, `farkas: tile-sizes 32,32,512`, `farkas: tile 32 32; vector 8`, or one of these about one loop,
//! as `farkas: loop 2: off`.

use farkas_plan::{ChosenTiles, NoSteps, NoTileSizes, Steps};
use std::fmt;

/// How annotations for this plugin begin.
const PREFIX: &str = "farkas:";

/// An annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Annotation {
    /// The only loop that it is about; `None` for all loops of the function.
    pub(super) place: Option<Place>,
    pub(super) request: Request,
}

/// A loop of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The outermost loop with this number, from 1, in the order of the code.
    Loop(usize),
    /// The loop that begins at this line.
    Line(u32),
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// No transformation.
    Off,
    /// Tiles of these sizes.
    TileSizes(ChosenTiles),
    /// The original order after these steps.
    Steps(Steps),
}

/// Why a text is no annotation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoAnnotation {
    #[error("`{0}` names no loop: expected `loop N:` or `line N:` with a positive number")]
    Place(String),
    #[error(transparent)]
    TileSizes(#[from] NoTileSizes),
    #[error("{0}; `off` and `tile-sizes SIZES` are the other requests")]
    Steps(#[from] NoSteps),
}

impl Annotation {
    /// Reads a text; `None` for annotations that are for others.
    pub(super) fn parse(text: &str) -> Option<Result<Self, NoAnnotation>> {
        let rest = text.trim_start().strip_prefix(PREFIX)?;
        Some(annotation(rest.trim()))
    }
}

fn annotation(text: &str) -> Result<Annotation, NoAnnotation> {
    let (place, request) = match text.split_once(':') {
        Some((named, request)) => (Some(place(named.trim())?), request.trim()),
        None => (None, text),
    };
    let request = match request.split_once(char::is_whitespace) {
        None if request == "off" => Request::Off,
        Some(("tile-sizes", sizes)) => Request::TileSizes(sizes.trim().parse()?),
        _ => Request::Steps(request.parse()?),
    };
    Ok(Annotation { place, request })
}

fn place(text: &str) -> Result<Place, NoAnnotation> {
    let none = || NoAnnotation::Place(text.to_owned());
    let (kind, number) = text.split_once(char::is_whitespace).ok_or_else(none)?;
    match (kind, number.trim().parse::<u32>()) {
        ("loop", Ok(number)) if number > 0 => Ok(Place::Loop(number as usize)),
        ("line", Ok(line)) if line > 0 => Ok(Place::Line(line)),
        _ => Err(none()),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Loop(number) => write!(f, "loop {number}"),
            Place::Line(line) => write!(f, "line {line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Annotation, Request};
    use expect_test::{Expect, expect};

    /// What is understood of each line.
    fn check(texts: &str, expected: Expect) {
        let understood = |text| match Annotation::parse(text) {
            None => "for others".to_owned(),
            Some(Err(why)) => why.to_string(),
            Some(Ok(Annotation { place, request })) => {
                let place = place.map_or("all loops".to_owned(), |place| place.to_string());
                match request {
                    Request::Off => format!("{place}: off"),
                    Request::TileSizes(sizes) => format!("{place}: tiles {sizes}"),
                    Request::Steps(steps) => {
                        let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
                        format!("{place}: {}", steps.join(", then "))
                    }
                }
            }
        };
        let understood: Vec<String> = texts.lines().map(understood).collect();
        expected.assert_eq(&understood.join("\n"));
    }

    #[test]
    fn requests() {
        check(
            "farkas: off\nfarkas:tile-sizes 32, -, 512\n farkas: tile 32 32; vector 8\nfarkas: parallel at S0",
            expect![[r#"
                all loops: off
                all loops: tiles 32,-,512
                all loops: tile 32 32, then vector 8
                all loops: parallel at S0"#]],
        );
    }

    #[test]
    fn places() {
        check(
            "farkas: loop 2: off\nfarkas: line 40 : tile 8 8\nfarkas:loop 1:tile-sizes 16",
            expect![[r#"
                loop 2: off
                line 40: tile 8 8
                loop 1: tiles 16"#]],
        );
    }

    #[test]
    fn annotations_for_others() {
        check(
            "other: off\nfarkas\noff\n",
            expect![[r#"
            for others
            for others
            for others"#]],
        );
    }

    #[test]
    fn wrong_annotations() {
        check(
            "farkas:\nfarkas: on\nfarkas: off 2\nfarkas: tile-sizes\nfarkas: tile-sizes x\nfarkas: loop 0: off\nfarkas: loop: off\n\
             farkas: nest 1: off\nfarkas: loop 1: unroll 4\nfarkas: line -3: off",
            expect![[r#"
                expected steps, such as `tile 32 32; parallel`; `off` and `tile-sizes SIZES` are the other requests
                `on` is no step: expected `interchange A B`, `tile SIZES`, `split N`, `reverse A`, `vector N` or `parallel`, each with `at S` behind it or without; `off` and `tile-sizes SIZES` are the other requests
                `off 2` is no step: expected `interchange A B`, `tile SIZES`, `split N`, `reverse A`, `vector N` or `parallel`, each with `at S` behind it or without; `off` and `tile-sizes SIZES` are the other requests
                `tile-sizes` is no step: expected `interchange A B`, `tile SIZES`, `split N`, `reverse A`, `vector N` or `parallel`, each with `at S` behind it or without; `off` and `tile-sizes SIZES` are the other requests
                'x' is no tile size: expected a positive number, or `-` for a loop that is not tiled
                `loop 0` names no loop: expected `loop N:` or `line N:` with a positive number
                `loop` names no loop: expected `loop N:` or `line N:` with a positive number
                `nest 1` names no loop: expected `loop N:` or `line N:` with a positive number
                `unroll 4` is no step: expected `interchange A B`, `tile SIZES`, `split N`, `reverse A`, `vector N` or `parallel`, each with `at S` behind it or without; `off` and `tile-sizes SIZES` are the other requests
                `line -3` names no loop: expected `loop N:` or `line N:` with a positive number"#]],
        );
    }
}
