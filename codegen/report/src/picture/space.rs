//! The picture of an iteration space: a dot for each point, with the position at which it is executed, and arrows between those that
//! depend on each other.
//!
//! The inner loop runs to the right and the outer one downwards, so that loops in their original order are read as a text is.

use std::collections::BTreeMap;

use super::sample::{Arrow, Kind, Place, Point, Space, Use};
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

/// Draws a statement's points with their places in an order. Blocks have colours in turn, so that those that follow each other have different
/// ones.
pub(crate) fn draw(space: &Space, places: &BTreeMap<Point, Place>, order: &str) -> Element {
    let arrows = space.arrows.as_ref();
    let drawn: Vec<&Arrow> = arrows.iter().flat_map(|arrows| &arrows.drawn).collect();
    let title = format!(
        "Instances of {} in {order}, {} points and {} arrows",
        space.name,
        places.len(),
        drawn.len()
    );
    let grid = Grid::new(space, 0.0);
    let arrows = drawn
        .into_iter()
        .map(|own| arrow(own.kind, grid.at(&own.from), grid.at(&own.to)));
    let dots = places.iter().map(|(point, place)| {
        let drawn = dot(grid.at(point), *place);
        match place.block % 3 {
            0 => drawn,
            1 => drawn.class("second"),
            _ => drawn.class("third"),
        }
    });
    picture(&title, grid.right(), grid.bottom())
        .class("space")
        .children(grid.axes(space))
        .children(arrows)
        .children(dots)
}

/// Draws what an instance uses of another statement: the points of that one above, and those of its own below, in the original order.
pub(crate) fn draw_use(spaces: &[Space], own: &Use) -> Element {
    let (writer, reader) = (&spaces[own.statements.0], &spaces[own.statements.1]);
    let title = format!(
        "What an instance of {} uses of {}, {} arrows",
        reader.name,
        writer.name,
        own.writers.len()
    );
    let above = Grid::new(writer, 0.0);
    let below = Grid::new(reader, above.bottom() + STEP / 2.0);
    let arrows = own
        .writers
        .iter()
        .map(|point| arrow(Kind::Flow, above.at(point), below.at(&own.reader)));
    let of_writer = writer.points.iter().map(|(point, place)| {
        let drawn = dot(above.at(point), *place);
        mark_if(own.writers.contains(point), drawn)
    });
    let of_reader = reader.points.iter().map(|(point, place)| {
        let drawn = dot(below.at(point), *place);
        mark_if(own.reader == *point, drawn)
    });
    picture(&title, above.right().max(below.right()), below.bottom())
        .class("space")
        .children(above.axes(writer))
        .children(below.axes(reader))
        .children(arrows)
        .children(of_writer)
        .children(of_reader)
}

/// A dot in another colour, if it is to be seen at once.
fn mark_if(is_marked: bool, dot: Element) -> Element {
    if is_marked { dot.class("marked") } else { dot }
}

/// Where the points of a statement are.
struct Grid {
    /// Where the picture of the statement begins, from the top.
    begin: f64,
    /// The least and the largest values of the inner loop.
    across: (i64, i64),
    /// Those of the outer one; 0 if there is none.
    down: (i64, i64),
}

impl Grid {
    fn new(space: &Space, begin: f64) -> Grid {
        let range = |value: fn(&Point) -> i64| {
            let values = space.points.keys().map(value);
            (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
        };
        Grid {
            begin,
            across: range(across),
            down: range(down),
        }
    }

    fn x(&self, value: i64) -> f64 {
        MARGIN + STEP * ((value - self.across.0) as f64 + 0.5)
    }

    fn y(&self, value: i64) -> f64 {
        self.begin + MARGIN + STEP * ((value - self.down.0) as f64 + 0.5)
    }

    fn at(&self, point: &Point) -> (f64, f64) {
        (self.x(across(point)), self.y(down(point)))
    }

    fn right(&self) -> f64 {
        self.x(self.across.1) + STEP / 2.0 + 6.0
    }

    fn bottom(&self) -> f64 {
        self.y(self.down.1) + STEP / 2.0 + 6.0
    }

    /// The names of the loops, and their values.
    fn axes(&self, space: &Space) -> Vec<Element> {
        let label = |x: f64, y: f64, text: &str| {
            Element::new("text")
                .class("axis")
                .with("x", number(x))
                .with("y", number(y))
                .text(text)
        };
        let mut loops = space.loops.iter().rev();
        let mut axes = Vec::new();
        if let Some(inner) = loops.next() {
            axes.push(label(self.x(self.across.0), self.begin + 12.0, &format!("{inner} →")));
            let values = self.across.0..=self.across.1;
            axes.extend(values.map(|value| label(self.x(value), self.begin + MARGIN - 6.0, &value.to_string())));
        }
        if let Some(outer) = loops.next() {
            let name = label(2.0, self.begin + 28.0, &format!("{outer} ↓"));
            axes.push(name.with("text-anchor", "start"));
            let values = self.down.0..=self.down.1;
            axes.extend(values.map(|value| label(MARGIN - 10.0, self.y(value) + 4.0, &value.to_string())));
        }
        axes
    }
}

/// The value of the inner loop.
fn across(point: &Point) -> i64 {
    point.last().copied().unwrap_or(0)
}

/// The value of the outer one; 0 if there is none.
fn down(point: &Point) -> i64 {
    if point.len() > 1 { point[0] } else { 0 }
}

fn dot((x, y): (f64, f64), place: Place) -> Element {
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
                .text(place.position),
        )
}

/// An arrow from the rim of a dot to that of another one.
fn arrow(kind: Kind, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Element {
    let class = match kind {
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
