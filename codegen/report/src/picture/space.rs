//! The picture of an iteration space: a dot for each point, with the position at which it is executed, and arrows between those that
//! depend on each other.
//!
//! The inner loop runs to the right and the outer one downwards, so that loops in their original order are read as a text is.

use std::collections::BTreeMap;

use super::sample::{Arrow, Kind, Point, Space};
use super::{number, picture};
use crate::markup::Element;

/// The distance of dots.
const STEP: f64 = 32.0;

/// The radius of a dot.
const RADIUS: f64 = 10.0;

/// The room for labels at the left and above.
const MARGIN: f64 = 40.0;

/// How far from the straight line between its ends an arrow is, as a share of its length: so that it is seen where dots are in between.
/// Arrows between neighbours are straight.
const BEND: f64 = 0.16;

/// The length of the lines of an arrow's head.
const HEAD: f64 = 5.0;

/// Draws a statement's points with their positions in an order.
pub(crate) fn draw(space: &Space, positions: &BTreeMap<Point, usize>, order: &str) -> Element {
    let across = |point: &Point| *point.last().unwrap_or(&0);
    let down = |point: &Point| if point.len() > 1 { point[0] } else { 0 };
    let range = |value: &dyn Fn(&Point) -> i64| {
        let values = positions.keys().map(value);
        (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
    };
    let ((left, right), (top, bottom)) = (range(&across), range(&down));
    let x = |value: i64| MARGIN + STEP * ((value - left) as f64 + 0.5);
    let y = |value: i64| MARGIN + STEP * ((value - top) as f64 + 0.5);
    let at = |point: &Point| (x(across(point)), y(down(point)));

    let [.., inner] = &space.loops[..] else {
        return Element::new("svg");
    };
    let outer = space.loops.len().checked_sub(2).map(|outer| &space.loops[outer]);
    let arrows = space.arrows.as_ref();
    let drawn: Vec<&Arrow> = arrows.iter().flat_map(|arrows| &arrows.drawn).collect();
    let title = format!(
        "Instances of {} in {order}, {} points and {} arrows",
        space.name,
        positions.len(),
        drawn.len()
    );
    let width = x(right) + STEP / 2.0 + 6.0;
    let height = y(bottom) + STEP / 2.0 + 6.0;
    let label = |x: f64, y: f64, text: &str| {
        Element::new("text")
            .class("axis")
            .with("x", number(x))
            .with("y", number(y))
            .text(text)
    };
    let ticks = (left..=right).map(|value| label(x(value), MARGIN - 6.0, &value.to_string()));
    let mut svg = picture(&title, width, height)
        .class("space")
        .child(label(x(left), 12.0, &format!("{inner} →")))
        .children(ticks);
    if let Some(outer) = outer {
        let ticks = (top..=bottom).map(|value| label(MARGIN - 10.0, y(value) + 4.0, &value.to_string()));
        let name = label(2.0, 28.0, &format!("{outer} ↓")).with("text-anchor", "start");
        svg = svg.child(name).children(ticks);
    }
    let arrows = drawn.into_iter().map(|own| arrow(own, at(&own.from), at(&own.to)));
    let dots = positions.iter().map(|(point, position)| dot(at(point), *position));
    svg.children(arrows).children(dots)
}

fn dot((x, y): (f64, f64), position: usize) -> Element {
    Element::new("g")
        .child(
            Element::new("circle")
                .with("cx", number(x))
                .with("cy", number(y))
                .with("r", number(RADIUS)),
        )
        .child(
            Element::new("text")
                .with("x", number(x))
                .with("y", number(y + 3.5))
                .text(position),
        )
}

/// An arrow from the rim of a dot to that of another one.
fn arrow(arrow: &Arrow, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Element {
    let class = match arrow.kind {
        Kind::Flow => "flow",
        Kind::Anti => "anti",
        Kind::Output => "output",
    };
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(1.0);
    let bend = if length > 1.5 * STEP { BEND } else { 0.0 };
    let middle = ((x1 + x2) / 2.0 - dy * bend, (y1 + y2) / 2.0 + dx * bend);
    let towards = |(x, y): (f64, f64), by: f64| {
        let (dx, dy) = (middle.0 - x, middle.1 - y);
        let length = dx.hypot(dy).max(1.0);
        (x + dx / length * by, y + dy / length * by)
    };
    let (start, end) = (towards((x1, y1), RADIUS), towards((x2, y2), RADIUS + 1.0));
    // The head comes from where the curve does, a third of a right angle to each side of it.
    let from = (middle.0 - end.0, middle.1 - end.1);
    let scale = HEAD / from.0.hypot(from.1).max(length / 100.0);
    let side = |turn: f64| {
        let (sin, cos) = turn.sin_cos();
        let (x, y) = (from.0 * cos - from.1 * sin, from.0 * sin + from.1 * cos);
        (end.0 + x * scale, end.1 + y * scale)
    };
    let pair = |(x, y): (f64, f64)| format!("{} {}", number(x), number(y));
    let path = format!(
        "M{} Q{} {} M{} L{} L{}",
        pair(start),
        pair(middle),
        pair(end),
        pair(side(0.5)),
        pair(end),
        pair(side(-0.5))
    );
    Element::new("path").class(class).with("d", path)
}
