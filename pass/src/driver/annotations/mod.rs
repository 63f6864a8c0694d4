//! Annotations of functions: `__attribute__((annotate("farkas: tile 32 32")))`, as the macros of `farkas.h` write them.
//!
//! LLVM keeps them beside the functions, in `llvm.global.annotations`, and gives them to no program. An annotation is about all loops of its
//! function, or about one of them and those inside. Which loops there are is what LLVM has before the first one is replaced.

mod text;

use crate::detect::declined::{Modelled, Reason};
use crate::detect::fragment::Fragment;
use farkas_llvm::loops::Loop;
use farkas_llvm::source::demangled;
use farkas_llvm::{Identity, Run};
use farkas_plan::{ChosenTiles, Steps};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use text::{Annotation, Place, Request};

/// What the annotations of a function ask for.
#[derive(Default)]
pub(super) struct Annotations {
    /// By the headers of loops; empty where there are no annotations.
    of_loops: HashMap<Identity, Requests>,
    /// What was said of requests that are not taken.
    said: RefCell<HashSet<String>>,
}

/// What is asked for a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    is_off: bool,
    pub(super) steps: Option<Steps>,
    pub(super) tile_sizes: Option<ChosenTiles>,
}

impl Requests {
    /// Takes one more, which counts where it contradicts those before.
    fn add(&mut self, request: &Request) {
        match request {
            Request::Off => {
                *self = Requests {
                    is_off: true,
                    ..Requests::default()
                }
            }
            Request::TileSizes(sizes) => {
                self.is_off = false;
                self.tile_sizes = Some(sizes.clone());
            }
            Request::Steps(steps) => {
                self.is_off = false;
                self.steps = Some(steps.clone());
            }
        }
    }
}

impl Annotations {
    /// The annotations of the function. A warning says which of them are not understood, or name no loop.
    pub(super) fn of(run: &Run<'_>) -> Self {
        let mut known = Vec::new();
        for text in run.function_annotations() {
            match Annotation::parse(&text) {
                None => {}
                Some(Ok(annotation)) => known.push(annotation),
                Some(Err(why)) => warn(run, &format!("annotation of {}: {why}", function(run))),
            }
        }
        let mut all = Annotations::default();
        if known.is_empty() {
            return all;
        }
        let loops = run.loops();
        for place in known.iter().filter_map(|annotation| annotation.place) {
            if !loops.iter().zip(1..).any(|(l, number)| names_part(place, *l, number)) {
                warn(
                    run,
                    &format!("annotation of {}: {}", function(run), no_loop(place, &loops)),
                );
            }
        }
        let mut of_function = Requests::default();
        let general = known.iter().filter(|annotation| annotation.place.is_none());
        general.for_each(|annotation| of_function.add(&annotation.request));
        for (l, number) in loops.into_iter().zip(1..) {
            all.add(run, &known, (l, number), &of_function);
        }
        all
    }

    /// Adds what is asked for a loop and those inside, which begins with what is asked for the loop around it.
    fn add(&mut self, run: &Run<'_>, known: &[Annotation], (l, number): (Loop<'_>, usize), outer: &Requests) {
        let mut own = outer.clone();
        let is_own = |annotation: &&Annotation| annotation.place.is_some_and(|place| names(place, l, number));
        known
            .iter()
            .filter(is_own)
            .for_each(|annotation| own.add(&annotation.request));
        for child in l.children() {
            self.add(run, known, (child, number), &own);
        }
        self.of_loops.insert(run.identity(l.header()), own);
    }

    /// What is asked for a loop.
    fn of_loop(&self, run: &Run<'_>, l: Loop<'_>) -> Option<&Requests> {
        self.of_loops.get(&run.identity(l.header()))
    }

    /// What is asked for a region with these outermost loops.
    pub(super) fn of_region(&self, run: &Run<'_>, outermost: &[Loop<'_>]) -> Option<&Requests> {
        if self.of_loops.is_empty() {
            return None;
        }
        self.of_loop(run, *outermost.first()?)
    }

    /// Whether an order is asked for anywhere.
    pub(super) fn have_steps(&self) -> bool {
        self.of_loops.values().any(|requests| requests.steps.is_some())
    }

    /// What is asked for the loops of a region, those inside included, without repetitions.
    fn of_fragments<'a>(&self, run: &'a Run<'_>, fragments: &[Fragment<'a>]) -> Vec<&Requests> {
        let mut found = Vec::new();
        let mut open = match self.of_loops.is_empty() {
            true => Vec::new(),
            false => run.loops(),
        };
        while let Some(l) = open.pop() {
            open.extend(l.children());
            let is_inside = fragments.iter().any(|fragment| fragment.overlaps(l.header()));
            let requests = self.of_loop(run, l).filter(|_| is_inside);
            found.extend(requests.filter(|requests| !found.contains(requests)));
        }
        found
    }

    /// Whether the nests of these fragments are to be taken one by one.
    pub(super) fn ask_for_single_nests<'a>(&self, run: &'a Run<'_>, fragments: &[Fragment<'a>]) -> bool {
        let requests = self.of_fragments(run, fragments);
        requests.len() > 1 || requests.iter().any(|own| own.is_off || own.steps.is_some())
    }

    /// Whether a region of these fragments may be transformed as a whole.
    pub(super) fn check<'a>(&self, run: &'a Run<'_>, fragments: &[Fragment<'a>]) -> Modelled<'a, ()> {
        match &self.of_fragments(run, fragments)[..] {
            [own] if own.is_off => Err(Reason::AnnotatedOff.into()),
            [] | [_] => Ok(()),
            [_, _, ..] => Err(Reason::AnnotatedInside.into()),
        }
    }

    /// Warns, once, that what is asked for a region is not taken.
    pub(super) fn warn_not_taken(&self, run: &Run<'_>, outermost: &[Loop<'_>], why: &str) {
        let place = outermost.first().and_then(|l| l.location());
        let place = place.map_or(String::new(), |place| format!(", loop at {place}"));
        let message = format!("annotation not taken: {}{place}: {why}", function(run));
        if self.said.borrow_mut().insert(message.clone()) {
            warn(run, &message);
        }
    }
}

fn warn(run: &Run<'_>, message: &str) {
    run.warning(message);
}

/// Why a place is none of these outermost loops, and none inside.
fn no_loop(place: Place, loops: &[Loop<'_>]) -> String {
    match place {
        Place::Loop(number) => {
            let n = loops.len();
            let loops = if n == 1 { "outermost loop" } else { "outermost loops" };
            format!("there is no loop {number}: it has {n} {loops}")
        }
        Place::Line(line) if loops.iter().all(|l| l.location().is_none()) => {
            format!("no loop is known to begin at line {line}: -gline-tables-only says where loops begin")
        }
        Place::Line(line) => format!("no loop begins at line {line}"),
    }
}

/// What the function is called.
fn function(run: &Run<'_>) -> String {
    demangled(&run.function().name())
}

/// Whether a place is a loop, which is in the outermost one of this number.
fn names(place: Place, l: Loop<'_>, number: usize) -> bool {
    match place {
        Place::Loop(named) => named == number && l.parent().is_none(),
        Place::Line(line) => l.location().is_some_and(|at| at.line == line),
    }
}

/// Whether a place is a loop or one inside of it.
fn names_part(place: Place, l: Loop<'_>, number: usize) -> bool {
    names(place, l, number) || l.children().into_iter().any(|child| names_part(place, child, number))
}
