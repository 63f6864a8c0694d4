//! The picture of a schedule tree: a box for each node, and lines to those below.
//!
//! Filters of sequences and sets are boxes of their own; leaves and the domain are left out. A band has a line for each statement, with the
//! functions of its members, and says of members whether they are coincident.

use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Band, Filter, Node, Share, Tree};

use super::{number, picture};
use crate::markup::Element;

/// The width of a character of the pictures' font.
const CHARACTER: f64 = 7.3;

/// The height of a line of text.
const LINE: f64 = 17.0;

/// The room between a box and its text.
const PADDING: f64 = 8.0;

/// The room between boxes beside each other.
const GAP: f64 = 14.0;

/// The room between boxes above each other.
const DROP: f64 = 22.0;

/// Longer lines are cut off: the text form beside the picture has all of them.
const LONGEST: usize = 44;

/// Lines in a box, at the most.
const MOST_LINES: usize = 7;

/// Boxes of a picture, at the most: a larger one is hard to find anything in.
const MOST_BOXES: usize = 150;

/// A node as a box.
struct NodeBox {
    class: &'static str,
    lines: Vec<String>,
    children: Vec<NodeBox>,
}

/// Draws a tree; `None` if it is too large.
pub(crate) fn draw(title: &str, tree: &Tree) -> Option<Element> {
    let boxes = boxes(&tree.root);
    let count: usize = boxes.iter().map(NodeBox::count).sum();
    if count == 0 || count > MOST_BOXES {
        return None;
    }
    let width = row_width(&boxes) + 2.0;
    let height = boxes.iter().map(NodeBox::height).fold(0.0, f64::max) + 2.0;
    let title = match count {
        1 => format!("{title}: a tree of one node"),
        _ => format!("{title}: a tree of {count} nodes"),
    };
    let mut drawn = Vec::new();
    draw_row(&boxes, 1.0, 1.0, &mut drawn);
    Some(picture(&title, width, height).class("tree").children(drawn))
}

/// The boxes of a node: none for a leaf.
fn boxes(node: &Node) -> Vec<NodeBox> {
    let below = || node.children().flat_map(boxes).collect();
    let (class, lines, children) = match node {
        Node::Leaf => return Vec::new(),
        Node::Band(band) => ("band", band_lines(band), below()),
        Node::Sequence(children) | Node::Set(children) => {
            let own = children.iter().map(|child| filter_box(child, boxes(&child.child)));
            ("plain", vec![node.kind().to_owned()], own.collect())
        }
        Node::Filter(filter) => return vec![filter_box(filter, boxes(&filter.child))],
        Node::Expansion(_) => ("plain", vec!["expansion".to_owned()], below()),
        Node::Extension(extension, _) => ("plain", vec![format!("extension {extension}")], below()),
        Node::Guard(set, _) => ("plain", vec![format!("guard {set}")], below()),
        Node::Context(set, _) => ("plain", vec![format!("context {set}")], below()),
        Node::Mark(mark, _) => ("mark", vec![mark.to_string()], below()),
    };
    vec![NodeBox {
        class,
        lines: lines.iter().map(|line| shortened(line)).collect(),
        children,
    }]
}

/// A filter: the statements of which it keeps all, or else the set.
fn filter_box(filter: &Filter, children: Vec<NodeBox>) -> NodeBox {
    let name = |tuple: &Tuple| tuple.name().map_or("?".to_owned(), ToString::to_string);
    let kept = filter
        .filter
        .tuples()
        .filter(|tuple| filter.share(tuple) != Share::Nothing);
    let part = |tuple: &Tuple| match filter.share(tuple) {
        Share::Whole => name(tuple),
        _ => format!("part of {}", name(tuple)),
    };
    let parts: Vec<String> = kept.map(part).collect();
    NodeBox {
        class: "filter",
        lines: vec![shortened(&parts.join(", "))],
        children,
    }
}

fn band_lines(band: &Band) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for statement in band.statements() {
        let name = statement.name().map_or(String::new(), ToString::to_string);
        let functions = match band.function_of(statement) {
            Some(functions) => values(&functions.to_string()),
            None => "in several pieces".to_owned(),
        };
        lines.push(format!("{name}: {functions}"));
    }
    if lines.len() > MOST_LINES {
        let more = lines.len() - (MOST_LINES - 1);
        lines.truncate(MOST_LINES - 1);
        lines.push(format!(".. and {more} more statements"));
    }
    let mut properties = Vec::new();
    if band.permutable && band.n() > 1 {
        properties.push("permutable".to_owned());
    }
    let coincident = || {
        band.members()
            .iter()
            .enumerate()
            .filter(|(_, member)| member.coincident)
    };
    match coincident().count() {
        0 => {}
        all if all == band.n() => properties.push("coincident".to_owned()),
        _ => {
            let positions: Vec<String> = coincident().map(|(position, _)| (1 + position).to_string()).collect();
            properties.push(format!("coincident: {}", positions.join(", ")));
        }
    }
    if !properties.is_empty() {
        lines.push(format!("({})", properties.join("; ")));
    }
    lines
}

/// The values in the text of a function: `i, floor(j/4)` for `[n] -> { S[i, j] -> [(i), (floor((j)/4))] }`.
fn values(function: &str) -> String {
    let Some((_, values)) = function.rsplit_once("-> [") else {
        return function.to_owned();
    };
    let values = values.trim_end_matches(['}', ' ', ']']);
    let parts = values.trim_start_matches('(').split("), (");
    let parts: Vec<&str> = parts.collect();
    let joined = parts.join(", ");
    let joined = joined.strip_suffix(')').unwrap_or(&joined);
    without_parentheses(joined)
}

/// The text with `floor(j/4)` for `floor((j)/4)`.
fn without_parentheses(text: &str) -> String {
    let mut parts = text.split("floor((");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(part.len());
        plain += &match part[name..].strip_prefix(")/") {
            Some(rest) => format!("floor({}/{rest}", &part[..name]),
            None => format!("floor(({part}"),
        };
    }
    plain
}

/// The text, cut off where it is too long.
fn shortened(text: &str) -> String {
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

impl NodeBox {
    fn count(&self) -> usize {
        1 + self.children.iter().map(NodeBox::count).sum::<usize>()
    }

    fn own_width(&self) -> f64 {
        let longest = self.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        longest as f64 * CHARACTER + 2.0 * PADDING
    }

    fn width(&self) -> f64 {
        self.own_width().max(row_width(&self.children))
    }

    fn own_height(&self) -> f64 {
        self.lines.len() as f64 * LINE + PADDING
    }

    fn height(&self) -> f64 {
        let below = self.children.iter().map(NodeBox::height).fold(0.0, f64::max);
        let drop = if self.children.is_empty() { 0.0 } else { DROP };
        self.own_height() + drop + below
    }

    /// Draws the box and all below it, from this corner on.
    fn draw(&self, left: f64, top: f64, drawn: &mut Vec<Element>) {
        let (width, height) = (self.own_width(), self.own_height());
        let middle = left + self.width() / 2.0;
        let rows = row_width(&self.children);
        let mut x = middle - rows / 2.0;
        for child in &self.children {
            let (from, to) = (top + height, top + height + DROP);
            let line = format!(
                "M{} {} L{} {}",
                number(middle),
                number(from),
                number(x + child.width() / 2.0),
                number(to)
            );
            drawn.push(Element::new("path").with("d", line));
            x += child.width() + GAP;
        }
        let rect = Element::new("rect")
            .with("x", number(middle - width / 2.0))
            .with("y", number(top))
            .with("width", number(width))
            .with("height", number(height))
            .with("rx", 4);
        let text = self.lines.iter().enumerate().map(|(position, line)| {
            Element::new("text")
                .with("x", number(middle))
                .with("y", number(top + LINE * (position as f64 + 1.0) - 1.0))
                .text(line)
        });
        drawn.push(Element::new("g").class(self.class).child(rect).children(text));
        draw_row(&self.children, middle - rows / 2.0, top + height + DROP, drawn);
    }
}

/// Draws boxes beside each other.
fn draw_row(boxes: &[NodeBox], left: f64, top: f64, drawn: &mut Vec<Element>) {
    let mut x = left;
    for own in boxes {
        own.draw(x, top, drawn);
        x += own.width() + GAP;
    }
}

/// The width of boxes beside each other, with all below them.
fn row_width(boxes: &[NodeBox]) -> f64 {
    let gaps = GAP * boxes.len().saturating_sub(1) as f64;
    boxes.iter().map(NodeBox::width).sum::<f64>() + gaps
}

#[cfg(test)]
mod tests {
    use super::{NodeBox, boxes, draw, values, without_parentheses};
    use expect_test::{Expect, expect};
    use farkas_polyhedral::tree::Tree;

    const TREE: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i, j] -> [(floor((i)/32))] }]"
  child:
    sequence:
    - filter: "[n] -> { S[i] }"
    - filter: "[n] -> { T[i, j] : j < i }"
      child:
        mark: "vector(4)"
        child:
          schedule: "[n] -> [{ T[i, j] -> [(j)] }, { T[i, j] -> [(i)] }]"
          permutable: 1
          coincident: [ 1, 0 ]
    - filter: "[n] -> { T[i, j] : j >= i }"
"#;

    fn tree() -> Tree {
        TREE.parse().expect("a tree")
    }

    /// The boxes as an indented text.
    fn check(own: &[NodeBox], expected: Expect) {
        fn write(own: &[NodeBox], depth: usize, text: &mut String) {
            for one in own {
                *text += &format!("{}{}: {}\n", "  ".repeat(depth), one.class, one.lines.join(" | "));
                write(&one.children, depth + 1, text);
            }
        }
        let mut text = String::new();
        write(own, 0, &mut text);
        expected.assert_eq(&text);
    }

    #[test]
    fn each_node_has_a_box() {
        check(
            &boxes(&tree().root),
            expect![[r#"
            band: S: i | T: floor(i/32)
              plain: sequence
                filter: S
                filter: part of T
                  mark: vector(4)
                    band: T: j, i | (permutable; coincident: 1)
                filter: part of T
        "#]],
        );
    }

    #[test]
    fn a_small_tree_is_drawn() {
        let line = r#"{ domain: "{ S[i] : 0 <= i < 9 }", child: { mark: "parallel", child: { schedule: "[{ S[i] -> [(i)] }]" } } }"#;
        let tree: Tree = line.parse().expect("a tree");
        expect![[r#"
            <svg role="img" width="76.4" height="74" viewBox="0 0 76.4 74" class="tree"><title>an order: a tree of 2 nodes</title>
            <path d="M38.2 26 L38.2 48"></path>
            <g class="mark"><rect x="1" y="1" width="74.4" height="25" rx="4"></rect><text x="38.2" y="17">parallel</text></g>
            <g class="band"><rect x="15.6" y="48" width="45.2" height="25" rx="4"></rect><text x="38.2" y="64">S: i</text></g>
            </svg>
        "#]].assert_eq(&draw("an order", &tree).expect("a picture").to_string());
    }

    #[test]
    fn boxes_beside_each_other_do_not_overlap() {
        let drawn = draw("an order", &tree()).expect("a picture").to_string();
        let number = |text: &str, name: &str| -> f64 {
            let (_, rest) = text.split_once(&format!(" {name}=\"")).expect("an attribute");
            rest.split('"').next().expect("a value").parse().expect("a number")
        };
        let rects: Vec<[f64; 4]> = drawn
            .split("<rect")
            .skip(1)
            .map(|text| ["x", "y", "width", "height"].map(|name| number(text, name)))
            .collect();
        let (width, height) = (number(&drawn, "width"), number(&drawn, "height"));
        for (position, [x, y, w, h]) in rects.iter().enumerate() {
            assert!(*x >= 0.0 && *y >= 0.0 && x + w <= width && y + h <= height);
            for [x2, y2, w2, h2] in &rects[position + 1..] {
                assert!(x + w <= *x2 || x2 + w2 <= *x || y + h <= *y2 || y2 + h2 <= *y);
            }
        }
    }

    #[test]
    fn functions_are_short() {
        let texts = [
            "[n] -> { S[i, j] -> [(i), (floor((j)/4))] }",
            "{ S[i] -> [(0)] }",
            "{ S[i, j] -> [(2i + floor((i + j)/2)), (n - j)] }",
        ];
        expect![[r#"
            i, floor(j/4)
            0
            2i + floor((i + j)/2), n - j"#]]
        .assert_eq(&texts.map(values).join("\n"));
        expect!["floor(j/4) + floor((i + j)/2)"].assert_eq(&without_parentheses("floor((j)/4) + floor((i + j)/2)"));
    }
}
