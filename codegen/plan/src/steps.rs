//! Steps that change a schedule tree: those of `farkas plan FILE --apply 'tile 32 32; parallel'`, and of annotations in the source.
//!
//! | step | what it does |
//! |---|---|
//! | `interchange A B` | members `A` and `B`, counted from 0, of each band that has both change places |
//! | `tile S T ..` | tiles of these sizes go around each band of so many members |
//! | `split N` | the first `N` members of each band that has more become a band of their own |
//! | `reverse A` | member `A` of each band that has it runs backward |
//! | `vector N` | `N` neighbouring iterations of each innermost loop run in vector lanes |
//! | `parallel` | the iterations of each outermost loop run on threads |
//!
//! `at S` behind a step is for bands around the statement `S` only. Whether what comes of it is legal, the checker of plans says.

use std::fmt;
use std::str::FromStr;

use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{MultiUnionPwAff, Name};
use farkas_polyhedral::tree::{Band, Mark, Node, Tree};

use crate::original_tree::original_tree;
use crate::threads::private_slots;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    text: String,
    kind: Kind,
    /// The statement that bands have to be around.
    at: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Interchange(usize, usize),
    Tile(Vec<i64>),
    Split(usize),
    Reverse(usize),
    Vector(u32),
    Parallel,
}

/// Several of them, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps(Vec<Step>);

/// Why a text has no steps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSteps {
    /// There is nothing in it.
    #[error("expected steps, such as `tile 32 32; parallel`")]
    Nothing,
    /// What is behind `at` is not one statement.
    #[error("`{0}`: expected one statement behind `at`")]
    Place(String),
    /// There is no such step.
    #[error(
        "`{0}` is no step: expected `interchange A B`, `tile SIZES`, `split N`, `reverse A`, `vector N` or `parallel`, \
         each with `at S` behind it or without"
    )]
    NoStep(String),
}

/// A step changes nothing of a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is about no band of the tree")]
pub struct NoBand(String);

impl Steps {
    /// The steps, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Step> {
        self.0.iter()
    }

    /// The original order of a program after the steps.
    ///
    /// # Errors
    ///
    /// If a step is about no band of what comes before it.
    pub fn order(&self, program: &Program) -> Result<Tree, NoBand> {
        let mut steps = self.iter();
        steps.try_fold(original_tree(program), |tree, step| step.applied(program, &tree))
    }
}

impl FromStr for Steps {
    type Err = NoSteps;

    fn from_str(text: &str) -> Result<Self, NoSteps> {
        let steps = text.split(';').map(str::trim).filter(|step| !step.is_empty());
        let steps: Vec<Step> = steps.map(step).collect::<Result<_, _>>()?;
        match steps.is_empty() {
            true => Err(NoSteps::Nothing),
            false => Ok(Steps(steps)),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn step(text: &str) -> Result<Step, NoSteps> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let at = match words.iter().position(|word| *word == "at") {
        Some(position) if position + 2 == words.len() => {
            let at = words[position + 1].to_owned();
            words.truncate(position);
            Some(at)
        }
        Some(_) => return Err(NoSteps::Place(text.to_owned())),
        None => None,
    };
    let wrong = || NoSteps::NoStep(text.to_owned());
    let numbers: Vec<u32> = words
        .iter()
        .skip(1)
        .map(|word| word.parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    let kind = match (words.first().copied(), &numbers[..]) {
        (Some("interchange"), [a, b]) if a != b => Kind::Interchange(*a as usize, *b as usize),
        (Some("tile"), [_, ..]) if numbers.iter().all(|size| *size > 0) => {
            Kind::Tile(numbers.iter().map(|size| i64::from(*size)).collect())
        }
        (Some("split"), [n]) if *n > 0 => Kind::Split(*n as usize),
        (Some("reverse"), [member]) => Kind::Reverse(*member as usize),
        (Some("vector"), [lanes]) if *lanes > 1 => Kind::Vector(*lanes),
        (Some("parallel"), []) => Kind::Parallel,
        _ => return Err(wrong()),
    };
    Ok(Step {
        text: text.to_owned(),
        kind,
        at,
    })
}

impl Step {
    /// The tree after the step.
    ///
    /// # Errors
    ///
    /// If there is no band that it is about.
    pub fn applied(&self, program: &Program, tree: &Tree) -> Result<Tree, NoBand> {
        let mut rewriting = Rewriting {
            step: self,
            private: private_slots(program),
            found: false,
        };
        let root = rewriting.node(tree.root.clone());
        match rewriting.found {
            true => Ok(tree.with_root(root)),
            false => Err(NoBand(self.text.clone())),
        }
    }
}

/// A walk over a tree.
struct Rewriting<'s> {
    step: &'s Step,
    /// The scalar slots that each thread or lane has a copy of.
    private: Vec<Name>,
    found: bool,
}

impl Rewriting<'_> {
    fn node(&mut self, node: Node) -> Node {
        let is_outermost = matches!(self.step.kind, Kind::Parallel);
        match node {
            Node::Band(band) if is_outermost && self.is_around(&band) => {
                self.found = true;
                let mark = Mark::Parallel {
                    private: self.private.clone(),
                    reduction: Vec::new(),
                };
                Node::Mark(mark, Box::new(Node::Band(band)))
            }
            Node::Band(band) => {
                let inner = band.child.clone();
                let child = self.node(inner);
                let band = band.with_child(child);
                match self.band(&band) {
                    Some(other) => {
                        self.found = true;
                        other
                    }
                    None => Node::band(band),
                }
            }
            other => other.map_children(&mut |child| self.node(child)),
        }
    }

    fn is_around(&self, band: &Band) -> bool {
        let is_named = |at: &String| {
            band.statements()
                .any(|tuple| tuple.name().is_some_and(|name| name.as_str() == at))
        };
        self.step.at.as_ref().is_none_or(is_named)
    }

    /// What becomes of a band; `None` where the step is not about it.
    fn band(&self, band: &Band) -> Option<Node> {
        let n = band.n();
        if !self.is_around(band) {
            return None;
        }
        let rewritten = match &self.step.kind {
            Kind::Interchange(a, b) if *a < n && *b < n => {
                let mut order: Vec<usize> = (0..n).collect();
                order.swap(*a, *b);
                band.select(&order)
            }
            Kind::Tile(sizes) if sizes.len() == n => band.clone().with_permutable(true).tiled(sizes),
            Kind::Split(first) if *first < n => band.split(*first),
            Kind::Reverse(member) if *member < n => reversed(band, *member),
            Kind::Vector(lanes) if n > 0 && !band.child.any(&|node| matches!(node, Node::Band(_))) => {
                self.in_lanes(band, *lanes)
            }
            _ => return None,
        };
        Some(Node::band(rewritten))
    }

    /// The band with so many iterations of its last member in vector lanes.
    fn in_lanes(&self, band: &Band, lanes: u32) -> Band {
        let last = band.n() - 1;
        let mark = Mark::Vector {
            lanes,
            masked: false,
            private: self.private.clone(),
        };
        let points = Node::Mark(mark, Box::new(Node::band(band.select(&[last]))));
        let sizes: Vec<i64> = (0..=last)
            .map(|member| if member == last { i64::from(lanes) } else { 1 })
            .collect();
        band.clone()
            .with_permutable(true)
            .tiled(&sizes)
            .with_child(points)
            .with_permutable(false)
    }
}

/// The band with a member that runs backward.
fn reversed(band: &Band, member: usize) -> Band {
    let schedule = band.schedule();
    let affs = schedule
        .affs()
        .iter()
        .enumerate()
        .map(|(position, aff)| match position == member {
            true => aff.scale(&Int::from(-1)),
            false => aff.clone(),
        });
    let affs = affs.collect();
    let reversed = MultiUnionPwAff::new(schedule.range_tuple().clone(), affs);
    band.clone().with_schedule(reversed).with_permutable(false)
}
