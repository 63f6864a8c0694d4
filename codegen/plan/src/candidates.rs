//! What the search for an order considered, and why the rest was not chosen.
//!
//! It is a record for people, by which nothing is decided. Each schedule tree that was searched is an [`Order`], with the candidates of
//! each of its bands. What was not chosen has a [`Rejection`]. The record is printed as one table for each band:
//!
//! ```text
//! original: 1.6682e10 cycles
//! order 1, the scheduler's tree: 2.3668e8 cycles, 0.014 of the original: chosen
//! S0, original 1.6675e10 cycles
//!   # |    cycles |  ratio | bound         | candidate          | verdict
//! * 0 |  2.3304e8 |  0.014 | throughput    | member 1 innermost | chosen
//!   1 | 3.0139e10 |  1.807 | bytes into L2 | member 0 innermost | takes 129.33 times the cycles of the chosen one
//! ```

use std::cell::RefCell;
use std::fmt::{self, Display};
use std::rc::Rc;

use farkas_polyhedral::sets::Tuple;

use crate::cost::Cost;
use crate::kept::Kept;
use crate::search::{Choice, Found, OuterLanes, OuterVerdict, Shortfall, Unusable, Variants, shortfall};
use crate::transform::Transform;

/// Why something was not chosen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rejection {
    /// It is expected to take more than what was chosen, or not less by the margin that it needs.
    TooDear(Shortfall),
    /// An order with something like it was of no use.
    Unusable(Unusable),
    /// The user chose something else.
    ChosenOtherwise,
    /// Lanes around the band are in its place.
    LanesAround,
    /// Loops that sank are in its place.
    Gone,
    /// Another order was taken.
    AnotherOrder,
    /// The reason that is given for the whole program.
    Kept(Kept),
}

impl Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::TooDear(Shortfall { share, at_most }) => match *share {
                share if share >= 2.0 => write!(f, "takes {share:.2} times the cycles of the chosen one"),
                share if share > 1.0 => write!(f, "dearer by {:.2} %", (share - 1.0) * 100.0),
                share => write!(
                    f,
                    "below the margin: {share:.3} of the chosen one, {at_most:.3} at the most"
                ),
            },
            Rejection::Unusable(Unusable::NotLegal) => write!(f, "not shown to be legal"),
            Rejection::Unusable(Unusable::NoLoops) => write!(f, "no loops could be generated"),
            Rejection::ChosenOtherwise => write!(f, "the user chose another one"),
            Rejection::LanesAround => write!(f, "lanes around it are in its place"),
            Rejection::Gone => write!(f, "loops that sank are in its place"),
            Rejection::AnotherOrder => write!(f, "another order was taken"),
            Rejection::Kept(kept) => write!(f, "{kept}"),
        }
    }
}

/// How the tree of an order was made.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    /// What was done to the program first.
    pub(crate) of_program: Vec<Transform>,
    /// Live ranges may change places.
    pub(crate) moves_live_ranges: bool,
    /// Chains of statements were scheduled as one.
    pub(crate) has_chains: bool,
    /// What was done to the scheduler's tree.
    pub(crate) of_tree: Vec<Transform>,
}

impl Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of_program[..] {
            [] => write!(f, "the scheduler's tree")?,
            done => write!(
                f,
                "{}",
                done.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            )?,
        }
        if self.moves_live_ranges {
            write!(f, ", live ranges change places")?;
        }
        if self.has_chains {
            write!(f, ", chains of statements as one")?;
        }
        self.of_tree.iter().try_for_each(|transform| write!(f, ", {transform}"))
    }
}

/// Loops of an order that may run on threads.
#[derive(Clone, Debug)]
pub(crate) struct OnThreads {
    /// The loops.
    pub(crate) transforms: Vec<Transform>,
    /// The expected cycles with all threads.
    pub(crate) cycles: f64,
    /// The expected cycles with two.
    pub(crate) cycles_of_two: f64,
    /// Why they do not.
    pub(crate) rejection: Option<Rejection>,
}

/// A schedule tree that was searched.
#[derive(Debug)]
struct Order {
    generator: Generator,
    /// What was found; nothing if the budget was spent.
    found: Option<(Rc<Variants>, Cost, Choice)>,
    /// Why the first choice was not taken.
    unusable: Option<Unusable>,
    threads: Vec<OnThreads>,
    rejection: Option<Rejection>,
}

/// The position of an order in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderId(usize);

/// The record.
#[derive(Debug, Default)]
pub(crate) struct Considered {
    original: RefCell<Option<Cost>>,
    orders: RefCell<Vec<Order>>,
}

impl Considered {
    /// Notes the cost of the original.
    pub(crate) fn set_original(&self, cost: &Cost) {
        self.original.borrow_mut().get_or_insert_with(|| cost.clone());
    }

    /// Adds an order.
    pub(crate) fn add(&self, generator: Generator, found: Option<(&Rc<Variants>, &Found)>) -> OrderId {
        let mut orders = self.orders.borrow_mut();
        orders.push(Order {
            generator,
            found: found.map(|(variants, found)| (Rc::clone(variants), found.cost.clone(), found.choice.clone())),
            unusable: None,
            threads: Vec::new(),
            rejection: None,
        });
        OrderId(orders.len() - 1)
    }

    /// Notes that other candidates were chosen for an order, as the first choice was of no use.
    pub(crate) fn choose_again(&self, id: OrderId, reason: Unusable, found: &Found) {
        let order = &mut self.orders.borrow_mut()[id.0];
        order.unusable = Some(reason);
        if let Some((_, cost, choice)) = &mut order.found {
            (*cost, *choice) = (found.cost.clone(), found.choice.clone());
        }
    }

    /// Adds loops of an order that may run on threads.
    pub(crate) fn add_threads(&self, id: OrderId, threads: OnThreads) {
        self.orders.borrow_mut()[id.0].threads.push(threads);
    }

    /// Notes why an order is not chosen. The first reason counts.
    pub(crate) fn reject(&self, id: OrderId, rejection: Rejection) {
        self.orders.borrow_mut()[id.0].rejection.get_or_insert(rejection);
    }

    /// Notes why none of the orders from this one on is chosen, where no reason is known yet.
    pub(crate) fn reject_from(&self, first: OrderId, rejection: &Rejection) {
        for order in self.orders.borrow_mut().iter_mut().skip(first.0) {
            order.rejection.get_or_insert_with(|| rejection.clone());
        }
    }

    /// Notes why none of the orders so far is chosen, where no reason is known yet.
    pub(crate) fn reject_all(&self, rejection: &Rejection) {
        self.reject_from(OrderId(0), rejection);
    }

    /// The position of the next order.
    pub(crate) fn next(&self) -> OrderId {
        OrderId(self.orders.borrow().len())
    }

    /// Notes the result of the search: an order, whose threads are used or not, or the reason why there is none.
    pub(crate) fn finish(&self, chosen: Result<(OrderId, bool), &Kept>) {
        let mut orders = self.orders.borrow_mut();
        for (position, order) in orders.iter_mut().enumerate() {
            match chosen {
                Ok((id, has_threads)) if id.0 == position => {
                    let too_small =
                        || Rejection::Kept(Kept::NoGain("no gain expected for sizes that arrays have".into()));
                    for threads in order.threads.iter_mut().filter(|_| !has_threads) {
                        threads.rejection.get_or_insert_with(too_small);
                    }
                }
                Ok(_) => {
                    order.rejection.get_or_insert(Rejection::AnotherOrder);
                }
                Err(kept) => {
                    order.rejection.get_or_insert_with(|| Rejection::Kept(kept.clone()));
                }
            }
        }
    }
}

/// A row of a table.
struct Row {
    mark: char,
    position: String,
    cycles: f64,
    ratio: Option<f64>,
    bound: String,
    candidate: String,
    verdict: String,
}

impl Display for Considered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let original = self.original.borrow();
        let Some(original) = &*original else { return Ok(()) };
        write!(f, "original: {original}")?;
        for (position, order) in self.orders.borrow().iter().enumerate() {
            write!(f, "order {}, {}: ", position + 1, order.generator)?;
            if let Some((_, cost, _)) = &order.found {
                let (cycles, ratio) = (cost.cycles(), cost.cycles() / original.cycles());
                write!(f, "{cycles:.4e} cycles, {ratio:.3} of the original: ")?;
            }
            writeln!(f, "{}", verdict(order.rejection.as_ref()))?;
            write_bands(f, order, original)?;
            write_outer(f, order, original)?;
            write_threads(f, order, original)?;
        }
        Ok(())
    }
}

/// The candidates of each band.
fn write_bands(f: &mut fmt::Formatter<'_>, order: &Order, original: &Cost) -> fmt::Result {
    let Some((variants, _, choice)) = &order.found else {
        return Ok(());
    };
    for (candidates, position) in variants.bands().zip(&choice.chosen) {
        let chosen = &candidates[*position];
        let is_around = |(outer, verdict): (&OuterLanes, &OuterVerdict)| {
            *verdict == OuterVerdict::Chosen && chosen.statements.iter().all(|tuple| outer.statements.contains(tuple))
        };
        let has_lanes_around = variants.outer().iter().zip(&choice.outer).any(is_around);
        let before = cycles_of(original, &chosen.statements);
        let rows = candidates.iter().enumerate().map(|(k, candidate)| {
            let rejection = match k == *position {
                true if has_lanes_around => Some(Rejection::LanesAround),
                true => None,
                false if !choice.repertoire.allows(&candidate.variant) => order.unusable.map(Rejection::Unusable),
                false if choice.is_forced => Some(Rejection::ChosenOtherwise),
                false => Some(Rejection::TooDear(shortfall(candidate, chosen))),
            };
            Row {
                mark: mark(order, rejection.as_ref()),
                position: k.to_string(),
                cycles: candidate.cost.cycles(),
                ratio: before.map(|before| candidate.cost.cycles() / before),
                bound: bound(&candidate.cost),
                candidate: candidate.variant.to_string(),
                verdict: verdict(rejection.as_ref()),
            }
        });
        write_table(f, &title(&chosen.statements, before), rows.collect())?;
    }
    Ok(())
}

/// The bands around others that may have lanes.
fn write_outer(f: &mut fmt::Formatter<'_>, order: &Order, original: &Cost) -> fmt::Result {
    let Some((variants, _, choice)) = &order.found else {
        return Ok(());
    };
    for (outer, outcome) in variants.outer().iter().zip(&choice.outer) {
        let before = cycles_of(original, &outer.statements);
        let rejection = match outcome {
            OuterVerdict::Chosen => None,
            OuterVerdict::TooDear(shortfall) => Some(Rejection::TooDear(*shortfall)),
            OuterVerdict::NotInRepertoire => order.unusable.map(Rejection::Unusable),
            OuterVerdict::ChosenOtherwise => Some(Rejection::ChosenOtherwise),
            OuterVerdict::Gone => Some(Rejection::Gone),
        };
        let row = Row {
            mark: mark(order, rejection.as_ref()),
            position: "-".into(),
            cycles: outer.cost.cycles(),
            ratio: before.map(|before| outer.cost.cycles() / before),
            bound: bound(&outer.cost),
            candidate: outer
                .transforms
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", "),
            verdict: verdict(rejection.as_ref()),
        };
        let title = format!("lanes around loops of {}", title(&outer.statements, before));
        write_table(f, &title, vec![row])?;
    }
    Ok(())
}

/// The loops that may run on threads.
fn write_threads(f: &mut fmt::Formatter<'_>, order: &Order, original: &Cost) -> fmt::Result {
    let row = |threads: &OnThreads| Row {
        mark: mark(order, threads.rejection.as_ref()),
        position: "t".into(),
        cycles: threads.cycles,
        ratio: Some(threads.cycles / original.cycles()),
        bound: format!("{:.4e} on two", threads.cycles_of_two),
        candidate: {
            let loops = threads.transforms.iter();
            let text = |transform: &Transform| format!("{} {transform}", names(transform.statements()));
            loops.map(text).collect::<Vec<_>>().join(", ")
        },
        verdict: verdict(threads.rejection.as_ref()),
    };
    match order.threads.is_empty() {
        true => Ok(()),
        false => write_table(f, "threads", order.threads.iter().map(row).collect()),
    }
}

fn write_table(f: &mut fmt::Formatter<'_>, title: &str, rows: Vec<Row>) -> fmt::Result {
    let widest =
        |text: fn(&Row) -> &str, header: usize| rows.iter().map(|row| text(row).len()).fold(header, usize::max);
    let bound = widest(|row| &row.bound, "bound".len());
    let candidate = widest(|row| &row.candidate, "candidate".len());
    writeln!(f, "{title}")?;
    writeln!(
        f,
        "   # |     cycles |  ratio | {:bound$} | {:candidate$} | verdict",
        "bound", "candidate"
    )?;
    for row in &rows {
        let ratio = row.ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}"));
        writeln!(
            f,
            "{}{:>3} | {:>10} | {ratio:>6} | {:bound$} | {:candidate$} | {}",
            row.mark,
            row.position,
            format!("{:.4e}", row.cycles),
            row.bound,
            row.candidate,
            row.verdict,
        )?;
    }
    Ok(())
}

/// The mark of what is in the plan.
fn mark(order: &Order, rejection: Option<&Rejection>) -> char {
    match order.rejection.is_none() && rejection.is_none() {
        true => '*',
        false => ' ',
    }
}

fn verdict(rejection: Option<&Rejection>) -> String {
    rejection.map_or("chosen".to_owned(), ToString::to_string)
}

fn title(statements: &[Tuple], before: Option<f64>) -> String {
    let before = before.map_or(String::new(), |cycles| format!(", original {cycles:.4e} cycles"));
    names(statements) + &before
}

fn names(statements: &[Tuple]) -> String {
    let name = |tuple: &Tuple| tuple.name().map_or(String::new(), ToString::to_string);
    statements.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn bound(cost: &Cost) -> String {
    cost.heaviest().map_or(String::new(), |group| group.bound().to_string())
}

/// The cycles of statements in the original; `None` if they share a loop with others, or are pieces.
fn cycles_of(original: &Cost, statements: &[Tuple]) -> Option<f64> {
    let (mut cycles, mut count) = (0.0, 0);
    for group in &original.groups {
        let own = group
            .statements
            .iter()
            .filter(|tuple| statements.contains(tuple))
            .count();
        match own {
            0 => {}
            own if own == group.statements.len() => {
                cycles += group.cycles();
                count += own;
            }
            _ => return None,
        }
    }
    (count == statements.len()).then_some(cycles)
}
