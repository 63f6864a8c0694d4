//! Pictures, as SVG in the markup. Each has a title for those who do not see it.

mod order;
pub(crate) mod sample;
pub(crate) mod space;
pub(crate) mod tree;

use crate::markup::Element;

/// A picture of this size, in CSS pixels.
fn picture(title: &str, width: f64, height: f64) -> Element {
    Element::new("svg")
        .with("role", "img")
        .with("width", number(width))
        .with("height", number(height))
        .with("viewBox", format!("0 0 {} {}", number(width), number(height)))
        .child(Element::new("title").text(title))
}

/// A coordinate, with at most one digit behind the point: pictures need no more, and pages are shorter.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}
