//! A nest as a part of the page.

use farkas_plan::{Stage, original_tree};
use farkas_polyhedral::ast;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::Dependences;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::Tree;

use crate::markup::Element;
use crate::picture::sample::{Sample, Space, Use, dependences, sample};
use crate::picture::{space, tree};
use crate::region::{Model, Outcome, RegionReport, SourceLines};

/// Work for the dependences of a nest, in units of the budget: what the plugin has for all of a nest.
const DEPENDENCES_WORK: u64 = 400_000;

/// Work for the pictures of the instances of a nest, in units of the budget: some tenths of a second.
const PICTURES_WORK: u64 = 1_500_000;

/// Work for the loops of the original order, in units of the budget.
const LOOPS_WORK: u64 = 300_000;

/// Statements that are drawn, at the most.
const MOST_STATEMENTS: usize = 6;

/// The part of the page on a nest, which has this number.
pub(crate) fn section(number: usize, region: &RegionReport) -> Element {
    let heading = format!("r{number}-title");
    let mut section = Element::new("section")
        .with("id", id(number))
        .with("aria-labelledby", &heading)
        .child(
            Element::new("h2")
                .with("id", &heading)
                .text(format!("{number}. "))
                .child(Element::new("code").text(&region.name)),
        )
        .children(
            region
                .place
                .iter()
                .map(|place| Element::new("p").class("place").text(place)),
        )
        .child(outcome_of(region))
        .children(facts(region));
    if let Some(source) = &region.source {
        section = section.child(Element::new("h3").text("Source")).child(listing(source));
    }
    if let Some(model) = &region.model {
        section = section.children(of_model(model, region));
    }
    section.child(
        Element::new("p")
            .class("up")
            .child(Element::new("a").with("href", "#nests").text("All loop nests")),
    )
}

/// The name of a nest's part of the page in links.
pub(crate) fn id(number: usize) -> String {
    format!("r{number}")
}

/// What became of a nest, in a word or two, with a class of its own.
pub(crate) fn badge(outcome: Outcome) -> Element {
    let (class, text) = match outcome {
        Outcome::Transformed => ("badge done", "transformed"),
        Outcome::Kept => ("badge kept", "left alone"),
        Outcome::Declined => ("badge declined", "no model"),
    };
    Element::new("span").class(class).text(text)
}

fn outcome_of(region: &RegionReport) -> Element {
    Element::new("p")
        .class("outcome")
        .child(badge(region.outcome))
        .text(": ")
        .text(&region.summary)
}

fn facts(region: &RegionReport) -> Option<Element> {
    let gain = region.gain.as_ref();
    let gain = gain.map(|gain| ("Expected gain", format!("{gain} times as fast")));
    let facts = gain
        .into_iter()
        .chain(region.facts.iter().map(|fact| (fact.name, fact.text.clone())));
    let facts: Vec<(&str, String)> = facts.collect();
    let rows = facts
        .iter()
        .flat_map(|(name, text)| [Element::new("dt").text(name), Element::new("dd").text(text)]);
    (!facts.is_empty()).then(|| Element::new("dl").children(rows))
}

fn of_model(model: &Model, region: &RegionReport) -> Vec<Element> {
    let program = &model.program;
    let stages = &region.stages;
    let mut original = original_tree(program);
    original.context = program.context.clone();
    let new = stages.tree(Stage::Plan);
    let mut parts = vec![
        Element::new("h3").text("Model"),
        details("The model in text form", [text(&model.text)]),
    ];
    parts.extend(of_dependences(program, new.as_ref()));
    parts.extend(of_schedules(&original, new.as_ref(), &stages.text(Stage::Schedule)));
    parts.extend(of_loops(&original, &stages.text(Stage::Ast)));
    let candidates = stages.text(Stage::Candidates);
    if !candidates.is_empty() {
        parts.push(Element::new("h3").text("Candidates"));
        let title = "All orders that were considered, with expected cycles";
        parts.push(details(title, [text(&candidates)]));
    }
    parts
}

/// The dependences, and pictures of the instances.
fn of_dependences(program: &Program, new: Option<&Tree>) -> Vec<Element> {
    let mut parts = vec![Element::new("h3").text("Instances and dependences")];
    let Ok((dependences, is_value_based)) = dependences(program, &Budget::new(DEPENDENCES_WORK)) else {
        parts.push(note("The dependences are too costly to show."));
        return parts;
    };
    let relations = [
        ("flow", &dependences.flow),
        ("anti", &dependences.anti),
        ("output", &dependences.output),
    ];
    let lines: Vec<String> = relations
        .iter()
        .flat_map(|(kind, relation)| lines(kind, relation))
        .collect();
    if lines.is_empty() {
        parts.push(note("There are no dependences."));
    } else {
        let title = match is_value_based {
            true => format!("{} dependence relations", lines.len()),
            false => format!("{} dependence relations by memory, of any kind", lines.len()),
        };
        parts.push(details(&title, [text(&lines.join("\n"))]));
    }
    let b = &Budget::new(PICTURES_WORK);
    match sample(program, &dependences, new, MOST_STATEMENTS, b) {
        Err(_) => parts.push(note("Pictures of the instances are left out: they are too costly.")),
        Ok(None) => parts.push(note("Pictures of the instances are left out: there are no small ones.")),
        Ok(Some(sample)) => parts.extend(of_sample(program, &sample, &dependences, is_value_based)),
    }
    parts
}

/// A line for each pair of statements.
fn lines(kind: &str, relation: &UnionMap) -> Vec<String> {
    let maps = relation.maps().filter(|map| !map.is_plainly_empty());
    let pair = |one: &Tuple, other: &Tuple| format!("{} to {}", name(one), name(other));
    maps.map(|map| format!("{kind}, {}: {map}", pair(map.domain_tuple(), map.range_tuple())))
        .collect()
}

fn name(tuple: &Tuple) -> String {
    tuple.name().map_or(String::new(), ToString::to_string)
}

fn of_sample(program: &Program, sample: &Sample, dependences: &Dependences, is_value_based: bool) -> Vec<Element> {
    let params: Vec<String> = sample
        .params
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let pair = |figures: Vec<Element>| Element::new("div").class("pair").children(figures);
    let mut legend = "Dots are instances, with their positions in the order of execution. ".to_owned();
    legend += match is_value_based {
        true => "Arrows are dependences: flow (lines), anti (dashes) and output (dots).",
        false => "Arrows are dependences by memory.",
    };
    if sample.spaces.iter().any(Space::has_blocks) {
        legend += " In the new order, dots of one colour that follow each other differ in the innermost band only: they are a tile, or a part of one.";
    }
    if !params.is_empty() {
        legend += &format!(" Parameters: {}.", params.join(", "));
    }
    let mut parts = vec![note(&legend)];
    let figures = sample.spaces.iter().map(|own| figure(own, dependences));
    // Two orders of a statement are beside each other, and else statements.
    if sample.spaces.iter().any(|own| own.reordered.is_some()) {
        parts.extend(figures);
    } else if sample.spaces.iter().any(Space::has_arrows) {
        parts.push(pair(figures.collect()));
    } else {
        parts.push(details("Pictures of the instances", [pair(figures.collect())]));
    }
    if !sample.uses.is_empty() {
        let uses = sample.uses.iter().map(|own| use_figure(&sample.spaces, own));
        parts.push(pair(uses.collect()));
    }
    let in_loops = program.statements.iter().filter(|own| own.tuple().n() > 0).count();
    if in_loops > sample.spaces.len() {
        let more = in_loops - sample.spaces.len();
        parts.push(note(&format!("Statements in loops that are not drawn: {more}.")));
    }
    parts
}

/// The pictures of a statement: its instances in the original order, and in the new one.
fn figure(own: &Space, dependences: &Dependences) -> Element {
    let one = |places, order: &str| {
        Element::new("div")
            .child(Element::new("p").class("caption").text(order))
            .child(scrolling(order).child(space::draw(own, places, order)))
    };
    let mut pictures = vec![one(&own.points, "the original order")];
    let new = own.reordered.as_ref();
    pictures.extend(new.map(|places| one(places, "the new order")));
    Element::new("figure")
        .child(
            Element::new("figcaption")
                .child(Element::new("code").text(format!("{}[{}]", own.name, own.loops.join(", "))))
                .text(caption(own, dependences)),
        )
        .child(Element::new("div").class("pair").children(pictures))
}

/// The picture of what an instance uses of another statement.
fn use_figure(spaces: &[Space], own: &Use) -> Element {
    let (writer, reader) = (&spaces[own.statements.0], &spaces[own.statements.1]);
    let values: Vec<String> = own.instance.iter().map(ToString::to_string).collect();
    let instance = format!("{}[{}]", reader.name, values.join(", "));
    let caption = format!(" uses of {}, in the original order", writer.name);
    Element::new("figure")
        .child(
            Element::new("figcaption")
                .text("What ")
                .child(Element::new("code").text(&instance))
                .text(&caption),
        )
        .child(scrolling(&format!("What {instance}{caption}")).child(space::draw_use(spaces, own)))
}

/// What a picture leaves out.
fn caption(own: &Space, dependences: &Dependences) -> String {
    let mut sentences = Vec::new();
    let outer = own.around.len();
    if outer > 0 {
        let around: Vec<String> = own
            .loops
            .iter()
            .zip(&own.around)
            .map(|(name, values)| format!("{name} = {values}"))
            .collect();
        sentences.push(format!(
            "only {} are drawn, for {}; a dot has the position of its first instance",
            own.loops[outer..].join(" and "),
            around.join(", ")
        ));
    }
    match &own.arrows {
        None => sentences.push("arrows are left out: they are too costly".to_owned()),
        Some(arrows) => {
            if arrows.has_hidden {
                sentences.push("some instances depend on others at the same dot".to_owned());
            }
            if arrows.left_out > 0 {
                sentences.push(format!("{} more arrows are left out", arrows.left_out));
            }
        }
    }
    let others = others(own, dependences);
    if !others.is_empty() {
        sentences.push(format!("other dependences: {}", others.join(", ")));
    }
    match sentences.is_empty() {
        true => String::new(),
        false => format!(": {}.", sentences.join("; ")),
    }
}

/// The dependences between a statement and others, in words.
fn others(own: &Space, dependences: &Dependences) -> Vec<String> {
    let kinds = [
        ("flow", &dependences.flow),
        ("anti", &dependences.anti),
        ("output", &dependences.output),
    ];
    let mut found = Vec::new();
    for (word, relation) in kinds {
        for map in relation.maps().filter(|map| !map.is_plainly_empty()) {
            let (from, to) = (name(map.domain_tuple()), name(map.range_tuple()));
            match (from == own.name, to == own.name) {
                (true, false) => found.push(format!("{word} to {to}")),
                (false, true) => found.push(format!("{word} from {from}")),
                _ => {}
            }
        }
    }
    found
}

fn of_schedules(original: &Tree, new: Option<&Tree>, scheduled: &str) -> Vec<Element> {
    let one = |title: &str, own: &Tree| {
        let drawn = tree::draw(title, own);
        let drawn = match drawn {
            Some(svg) => scrolling(title).child(svg),
            None => note("The picture is left out: it would be too large, or is of a single instance."),
        };
        Element::new("div")
            .child(Element::new("p").class("caption").text(title))
            .child(drawn)
            .child(details("In text form", [text(&own.to_string())]))
    };
    let mut trees = vec![one("the original order", original)];
    trees.extend(new.map(|new| one("the new order", new)));
    let mut parts = vec![
        Element::new("h3").text("Schedule trees"),
        Element::new("div").class("pair").children(trees),
    ];
    if !scheduled.is_empty() {
        parts.push(details(
            "The scheduler's tree, before it was optimized",
            [text(scheduled)],
        ));
    }
    parts
}

fn of_loops(original: &Tree, new: &str) -> Vec<Element> {
    let before = ast::generate(original, &ast::Options::default(), &Budget::new(LOOPS_WORK));
    let before = match before {
        Ok(ast) => text(&ast.to_string()),
        Err(error) => note(&format!("The loops of the original order are left out: {error}.")),
    };
    let one = |title: &str, loops: Element| {
        Element::new("div")
            .child(Element::new("p").class("caption").text(title))
            .child(loops)
    };
    let mut loops = vec![one("the original order", before)];
    if !new.is_empty() {
        loops.push(one("the new order", text(new)));
    }
    vec![
        Element::new("h3").text("Loops"),
        Element::new("div").class("pair").children(loops),
    ]
}

fn listing(source: &SourceLines) -> Element {
    let last = source.first as usize + source.lines.len();
    let width = last.to_string().len();
    let numbered = (source.first..).zip(&source.lines);
    let lines: Vec<String> = numbered
        .map(|(number, line)| format!("{number:width$}  {line}"))
        .collect();
    text(&lines.join("\n"))
}

/// Text as it is. It scrolls by itself, so that the page does not; by keys, too.
fn text(text: &str) -> Element {
    Element::new("pre").with("tabindex", 0).text(text.trim_end())
}

fn note(text: &str) -> Element {
    Element::new("p").class("note").text(text)
}

/// A place for what may be wider than the page.
fn scrolling(label: &str) -> Element {
    Element::new("div")
        .class("scroll")
        .with("tabindex", 0)
        .with("role", "group")
        .with("aria-label", label)
}

/// A part that is closed until somebody opens it.
fn details(title: &str, parts: impl IntoIterator<Item = Element>) -> Element {
    Element::new("details")
        .child(Element::new("summary").text(title))
        .children(parts)
}
