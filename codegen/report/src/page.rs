//! The page: its head, the table of nests, and a part for each nest.

use crate::markup::Element;
use crate::region::{Outcome, RegionReport};
use crate::section::{badge, id, section};

/// Colours, widths and fonts. No character in it needs an escape: HTML takes a style as it is.
const STYLE: &str = include_str!("style.css");

/// The page on the nests of a module, or of another collection that has this name.
pub fn page(name: &str, regions: &[RegionReport]) -> String {
    let title = format!("Loop nests of {name}");
    let head = Element::new("head")
        .child(Element::new("meta").with("charset", "utf-8"))
        .child(
            Element::new("meta")
                .with("name", "viewport")
                .with("content", "width=device-width, initial-scale=1"),
        )
        .child(
            Element::new("meta")
                .with("name", "color-scheme")
                .with("content", "light dark"),
        )
        .child(Element::new("title").text(&title))
        .child(Element::new("style").text(STYLE));
    let sections = (1..).zip(regions).map(|(number, region)| section(number, region));
    let body = Element::new("body")
        .child(
            Element::new("a")
                .class("skip")
                .with("href", "#main")
                .text("To the first loop nest"),
        )
        .child(
            Element::new("header")
                .child(
                    Element::new("h1")
                        .text("Loop nests of ")
                        .child(Element::new("code").text(name)),
                )
                .child(Element::new("p").text(counts(regions))),
        )
        .child(table(regions))
        .child(Element::new("main").with("id", "main").children(sections));
    let html = Element::new("html")
        .with("lang", "en")
        .with("xmlns", "http://www.w3.org/1999/xhtml")
        .child(head)
        .child(body);
    format!("<!DOCTYPE html>\n{html}")
}

/// How many nests there are, and what became of them.
fn counts(regions: &[RegionReport]) -> String {
    let count = |outcome| regions.iter().filter(|region| region.outcome == outcome).count();
    format!(
        "{} in all: {} transformed, {} left alone, {} without a model.",
        regions.len(),
        count(Outcome::Transformed),
        count(Outcome::Kept),
        count(Outcome::Declined)
    )
}

/// Longer names are cut off in the table: those of functions of templates may have thousands of characters.
const LONGEST: usize = 60;

fn shortened(name: &str) -> String {
    match name.chars().count() > LONGEST {
        true => name.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

/// The table of nests, with links to their parts of the page.
fn table(regions: &[RegionReport]) -> Element {
    let heading = |text: &str| Element::new("th").with("scope", "col").text(text);
    let head = Element::new("tr").children(["Nest", "Outcome", "Gain"].map(heading));
    let rows = (1..).zip(regions).map(|(number, region)| {
        let link = Element::new("a")
            .with("href", format!("#{}", id(number)))
            .text(format!("{number}. {}", shortened(&region.name)));
        let mut nest = Element::new("td").child(link);
        if let Some(place) = &region.place {
            nest = nest.child(Element::new("span").class("place").text(place));
        }
        let gain = region.gain.as_ref().map_or("–".to_owned(), |gain| format!("{gain} ×"));
        Element::new("tr")
            .child(nest)
            .child(Element::new("td").child(badge(region.outcome)))
            .child(Element::new("td").class("number").text(gain))
    });
    Element::new("nav")
        .with("aria-labelledby", "nests")
        .child(Element::new("h2").with("id", "nests").text("All loop nests"))
        .child(
            Element::new("table")
                .child(Element::new("thead").child(head))
                .child(Element::new("tbody").children(rows)),
        )
}

#[cfg(test)]
mod tests {
    use super::{STYLE, page};
    use crate::region::{Fact, Outcome, Place, RegionReport, SourceLines};
    use expect_test::expect;

    #[test]
    fn the_style_needs_no_escapes() {
        assert!(!STYLE.contains(['<', '>', '&']));
    }

    #[test]
    fn a_nest_without_a_model() {
        let region = RegionReport {
            place: Some(Place {
                file: "a<b>.c".to_owned(),
                line: 9,
                column: 3,
                inlined: Some("f".to_owned()),
            }),
            facts: vec![Fact {
                name: "Advice",
                text: "do & hope".to_owned(),
            }],
            source: Some(SourceLines {
                first: 9,
                lines: vec!["for (i = 0; i < n; i++)".to_owned(), "  f(\"</pre>\");".to_owned()],
            }),
            ..RegionReport::new("main", Outcome::Declined, "call of f, which may access memory")
        };
        let text = page("a<b>.c", &[region]);
        let (_, body) = text.split_once("<body>").expect("a body");
        expect![[r##"
            <a class="skip" href="#main">To the first loop nest</a>
            <header><h1>Loop nests of <code>a&lt;b&gt;.c</code></h1>
            <p>1 in all: 0 transformed, 0 left alone, 1 without a model.</p>
            </header>
            <nav aria-labelledby="nests"><h2 id="nests">All loop nests</h2>
            <table><thead><tr><th scope="col">Nest</th><th scope="col">Outcome</th><th scope="col">Gain</th></tr>
            </thead><tbody><tr><td><a href="#r1">1. main</a>
            <span class="place">a&lt;b&gt;.c:9:3, where f is inlined</span></td><td><span class="badge declined">no model</span></td><td class="number">–</td></tr>
            </tbody></table>
            </nav>
            <main id="main"><section id="r1" aria-labelledby="r1-title"><h2 id="r1-title">1. <code>main</code></h2>
            <p class="place">a&lt;b&gt;.c:9:3, where f is inlined</p>
            <p class="outcome"><span class="badge declined">no model</span>: call of f, which may access memory</p>
            <dl><dt>Advice</dt>
            <dd>do &amp; hope</dd>
            </dl>
            <h3>Source</h3>
            <pre tabindex="0"> 9  for (i = 0; i &lt; n; i++)
            10    f("&lt;/pre&gt;");</pre>
            <p class="up"><a href="#nests">All loop nests</a>
            </p>
            </section>
            </main>
            </body>
            </html>
        "##]].assert_eq(body);
    }

    #[test]
    fn no_nests_have_a_page_as_well() {
        let text = page("empty.c", &[]);
        assert!(text.contains("<p>0 in all: 0 transformed, 0 left alone, 0 without a model.</p>"));
    }
}
