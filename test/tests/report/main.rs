//! Reports as pages: well-formed, complete and self-contained here, and in a browser in `browser.rs`.
#![forbid(unsafe_code)]

mod browser;
mod pages;

use farkas_test::{plans, wrong_in};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What is wrong with a page.
fn check(text: &str) -> Vec<String> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: u32::MAX,
        ..ParsingOptions::default()
    };
    match Document::parse_with_options(text, options) {
        Ok(page) => check_parsed(&page),
        Err(error) => vec![format!("not well-formed: {error}")],
    }
}

fn check_parsed(page: &Document<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    let elements: Vec<Node> = page.descendants().filter(Node::is_element).collect();
    let mut ids = BTreeSet::new();
    for id in elements.iter().filter_map(|element| element.attribute("id")) {
        if !ids.insert(id) {
            wrong.push(format!("id {id} is not the only one"));
        }
    }
    let mut level = 0;
    for element in &elements {
        let name = element.tag_name().name();
        for attribute in ["href", "aria-labelledby"] {
            let Some(value) = element.attribute(attribute) else {
                continue;
            };
            let target = if attribute == "href" {
                value.strip_prefix('#')
            } else {
                Some(value)
            };
            if !target.is_some_and(|target| ids.contains(target)) {
                wrong.push(format!("{attribute}={value} leads nowhere in the page"));
            }
        }
        for outside in ["src", "srcset", "onclick", "onload", "style"] {
            if element.has_attribute(outside) {
                wrong.push(format!("{name} has an attribute {outside}"));
            }
        }
        if ["script", "link", "img", "iframe", "object", "form"].contains(&name) {
            wrong.push(format!("there is an element {name}"));
        }
        if let Some(own) = name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok()) {
            if own > level + 1 {
                wrong.push(format!("a heading of level {own} after one of level {level}"));
            }
            level = own;
        }
        if name == "svg" {
            let title = element
                .first_element_child()
                .filter(|first| first.has_tag_name("title"));
            let has_title = title
                .and_then(|title| title.text())
                .is_some_and(|text| !text.is_empty());
            if element.attribute("role") != Some("img") || !has_title {
                wrong.push("a picture without a title".to_owned());
            }
        }
        if name == "style"
            && element
                .text()
                .is_some_and(|text| text.contains("url(") || text.contains('@') && text.contains("@import"))
        {
            wrong.push("the style loads something".to_owned());
        }
    }
    let count = |name: &str| elements.iter().filter(|element| element.has_tag_name(name)).count();
    for landmark in ["header", "nav", "main", "h1", "title"] {
        if count(landmark) == 0 {
            wrong.push(format!("there is no {landmark}"));
        }
    }
    let rows = count("tr") - 1;
    if rows != count("section") {
        wrong.push(format!("{rows} rows for {} nests", count("section")));
    }
    wrong
}

fn check_all(pages: &[(String, String)]) {
    let wrong = wrong_in(pages.iter().collect(), |(name, text)| {
        let wrong = check(text).into_iter().take(10);
        wrong.map(|wrong| format!("{name}: {wrong}")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_of_programs_are_well_formed() {
    let files: Vec<PathBuf> = plans::sources()
        .iter()
        .step_by(4)
        .map(|source| plans::folder().join(plans::name(source)))
        .collect();
    let page = pages::of_programs(&files);
    assert_eq!(page, pages::of_programs(&files), "the same input has the same page");
    assert!(page.matches("<section").count() > 20);
    check_all(&[("corpus".to_owned(), page)]);
}

#[test]
fn pages_of_modules_are_well_formed() {
    check_all(pages::of_kernels());
}

#[test]
fn pages_with_many_nests_are_well_formed() {
    check_all(&[("many".to_owned(), pages::of_many())]);
}

#[test]
fn what_is_wrong_is_found() {
    let page = |body: &str| {
        format!("<!DOCTYPE html><html><head><title>t</title></head><body><header/><nav/><h1/>{body}</body></html>")
    };
    let found = |body: &str| check(&page(body)).join("; ");
    let table = "<table><tr/><tr/></table>";
    assert_eq!(
        found(&format!("<main><section id='a'/></main>{table}<a href='#a'/>")),
        ""
    );
    assert_eq!(
        found(&format!(
            "<main><section id='a'/></main>{table}<p id='a'/><a href='#b'/><h3/>"
        )),
        "id a is not the only one; href=#b leads nowhere in the page; a heading of level 3 after one of level 1"
    );
    assert_eq!(
        found("<table><tr/></table><svg/><img src='x'/><a href='x.html'/>"),
        "a picture without a title; img has an attribute src; there is an element img; href=x.html leads nowhere in the page; \
         there is no main"
    );
    assert!(found("<p>").starts_with("not well-formed"));
}
