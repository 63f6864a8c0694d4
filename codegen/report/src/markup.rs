//! Markup: a tree of elements, written as text that is HTML and XML at the same time.
//!
//! All text and all values of attributes are escaped when they are written, so that none of it can become markup. A library of templates
//! for HTML would write `<meta>` without an end, which no XML parser checks.

use std::fmt::{self, Display, Write};

/// Elements that HTML never closes.
const VOID: [&str; 2] = ["br", "meta"];

/// Elements behind which a line ends: white space there is not shown.
const BLOCKS: [&str; 29] = [
    "a",
    "body",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "g",
    "h1",
    "h2",
    "h3",
    "h4",
    "head",
    "header",
    "html",
    "main",
    "meta",
    "nav",
    "p",
    "path",
    "pre",
    "section",
    "style",
    "svg",
    "table",
    "title",
    "tr",
];

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Child>,
}

#[derive(Clone, Debug)]
enum Child {
    Element(Element),
    Text(String),
}

impl Element {
    pub(crate) fn new(name: &'static str) -> Element {
        Element {
            name,
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// The element with an attribute.
    pub(crate) fn with(mut self, name: &'static str, value: impl Display) -> Element {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// The element with a class.
    pub(crate) fn class(self, class: &str) -> Element {
        self.with("class", class)
    }

    /// The element with text behind what it has.
    pub(crate) fn text(mut self, text: impl Display) -> Element {
        self.children.push(Child::Text(text.to_string()));
        self
    }

    /// The element with another one behind what it has.
    pub(crate) fn child(mut self, child: Element) -> Element {
        self.children.push(Child::Element(child));
        self
    }

    /// The element with others behind what it has.
    pub(crate) fn children(mut self, children: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(children.into_iter().map(Child::Element));
        self
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(
                f,
                " {name}=\"{}\"",
                Escaped {
                    text: value,
                    quotes: true
                }
            )?;
        }
        match VOID.contains(&self.name) {
            true => write!(f, " />")?,
            false => {
                write!(f, ">")?;
                for child in &self.children {
                    match child {
                        Child::Element(element) => write!(f, "{element}")?,
                        Child::Text(text) => write!(f, "{}", Escaped { text, quotes: false })?,
                    }
                }
                write!(f, "</{}>", self.name)?;
            }
        }
        match BLOCKS.contains(&self.name) {
            true => writeln!(f),
            false => Ok(()),
        }
    }
}

/// Text in which nothing is markup. What XML has no place for is replaced.
struct Escaped<'t> {
    text: &'t str,
    /// Whether quotation marks are escaped, too: those in a style must not be.
    quotes: bool,
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.text.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' if self.quotes => f.write_str("&quot;")?,
                '\n' | '\t' => f.write_char(c)?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Element;
    use expect_test::expect;

    #[test]
    fn text_and_attributes_are_no_markup() {
        let element = Element::new("p")
            .with("title", "a \"b\" <c> & 'd'")
            .text("</p><script>&amp;")
            .child(Element::new("code").text("\u{0}\u{1b}[1m é 数\n"));
        expect![[r#"
            <p title="a &quot;b&quot; &lt;c&gt; &amp; 'd'">&lt;/p&gt;&lt;script&gt;&amp;amp;<code>�� [1m é 数
            </code></p>
        "#]]
        .assert_eq(&element.to_string().replace("\u{fffd}[", "\u{fffd} ["));
    }

    #[test]
    fn void_elements_end_at_once_and_others_do_not() {
        let element = Element::new("td").child(Element::new("br")).child(Element::new("span"));
        expect!["<td><br /><span></span></td>"].assert_eq(&element.to_string());
    }
}
