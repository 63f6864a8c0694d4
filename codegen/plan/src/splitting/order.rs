//! The original order of a program as a schedule tree, with a loop for each piece of a loop that was cut.

use std::mem;

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{MultiAff, Params, Set, Tuple, UnionMap, UnionSet};
use farkas_polyhedral::tree::{Band, Filter, Node, Tree};

use super::cuts::{carried, innermost};
use super::pieces::Pieces;

/// The tree of a program of pieces. Loop nests with pieces are in the original order, with a loop for each piece. So are all others, if
/// `scheduled` is none; or else they are as in that tree, which is over the statements that the pieces are of. The context is what is
/// `assumed` of parameters. Innermost loops that carry none of the pairs in `coincidence` are marked. `None` where the original order
/// has no tree of bands with one function a statement.
pub(crate) fn with_split_loops(
    program: &Program,
    pieces: &Pieces,
    coincidence: &UnionMap,
    scheduled: Option<&Tree>,
    assumed: &Set,
    b: &Budget,
) -> Outcome<Option<Tree>> {
    let order = Original {
        params: program.context.params(),
        pieces,
        coincidence,
        b,
    };
    let statements: Vec<&Statement> = program.statements.iter().collect();
    let beside = match scheduled {
        Some(tree) => order.beside_others(program, tree)?,
        None => None,
    };
    let root = match beside {
        Some(root) => Some(root),
        None => order.node(&statements, 0)?,
    };
    let mut domain = UnionSet::empty(program.context.params().clone());
    statements.iter().for_each(|statement| domain.add(&statement.domain));
    let tree = |root| Tree {
        domain,
        context: assumed.clone(),
        root,
    };
    Ok(root.map(tree))
}

/// What the original order is made into a tree by.
struct Original<'a> {
    /// The parameters of all functions.
    params: &'a Params,
    pieces: &'a Pieces,
    coincidence: &'a UnionMap,
    b: &'a Budget,
}

impl Original<'_> {
    /// The scheduled tree with the nests that have pieces in the place of what it has for their statements: `None` where the tree does
    /// not have nests one after the other.
    fn beside_others(&self, program: &Program, scheduled: &Tree) -> Outcome<Option<Node>> {
        let (Node::Sequence(children) | Node::Set(children)) = &scheduled.root else {
            return Ok(None);
        };
        let pieces = self.pieces;
        let is_split = |statement: &&Statement| pieces.position(statement.tuple()).is_some();
        let mut nests = nests(program);
        nests.retain(|nest| nest.iter().any(is_split));
        // Whether a statement of the scheduled tree is in a nest.
        let covers = |nest: &[&Statement], tuple: &Tuple| {
            let mut own = nest.iter().map(|statement| statement.tuple());
            own.any(|own| own == tuple || pieces.is_of(own, tuple))
        };
        let mut placed = vec![false; nests.len()];
        let mut out: Vec<Filter> = Vec::new();
        for child in children {
            let tuples: Vec<&Tuple> = child.filter.tuples().collect();
            let own = nests
                .iter()
                .position(|nest| tuples.iter().any(|tuple| covers(nest, tuple)));
            let Some(own) = own else {
                out.push(child.clone());
                continue;
            };
            if !tuples.iter().all(|tuple| covers(&nests[own], tuple)) {
                return Ok(None);
            }
            if !mem::replace(&mut placed[own], true) {
                let Some(node) = self.node(&nests[own], 0)? else {
                    return Ok(None);
                };
                out.push(filter(&nests[own], node));
            }
        }
        Ok(Some(match &scheduled.root {
            Node::Set(_) => Node::Set(out),
            _ => Node::Sequence(out),
        }))
    }

    /// The original order of the statements, from a function of their schedules on: up to there all are constant or agree.
    fn node(&self, statements: &[&Statement], from: usize) -> Outcome<Option<Node>> {
        let Some(first) = statements.first().filter(|s| from < s.schedule.len()) else {
            return Ok(Some(Node::Leaf));
        };
        let constant = |statement: &Statement| statement.schedule.affs()[from].as_constant();
        if statements.iter().all(|statement| constant(statement).is_some()) {
            return in_sequence(statements, &constant, &|own| self.node(own, from + 1));
        }
        if statements.iter().any(|statement| constant(statement).is_some()) {
            return Ok(None);
        }
        let is_cut = innermost(first) == Some(from) && self.pieces.position(first.tuple()).is_some();
        if !is_cut {
            return self.in_loop(statements, from);
        }
        let position = |statement: &Statement| self.pieces.position(statement.tuple()).map(Int::from);
        in_sequence(statements, &position, &|own| self.in_cells(own, from))
    }

    /// The loops of pieces at the same position, which are never in the same execution of the loop that was cut.
    fn in_cells(&self, statements: &[&Statement], from: usize) -> Outcome<Option<Node>> {
        let mut cells: Vec<(&Set, Vec<&Statement>)> = Vec::new();
        for statement in statements {
            let Some(set) = self.pieces.set(statement.tuple()) else {
                return Ok(None);
            };
            match cells.iter_mut().find(|(other, _)| other.pieces() == set.pieces()) {
                Some((_, own)) => own.push(statement),
                None => cells.push((set, vec![statement])),
            }
        }
        one_after_the_other(cells.iter().map(|(_, own)| &own[..]), &|own| self.in_loop(own, from))
    }

    /// A loop around the rest of the order.
    fn in_loop(&self, statements: &[&Statement], from: usize) -> Outcome<Option<Node>> {
        let function = |statement: &&Statement| {
            let schedule = statement.schedule.align_params(self.params);
            MultiAff::new(
                schedule.domain_space(),
                Tuple::anonymous(1),
                vec![schedule.affs()[from].clone()],
            )
        };
        let Some(child) = self.node(statements, from + 1)? else {
            return Ok(None);
        };
        let is_innermost = statements.iter().all(|statement| innermost(statement) == Some(from));
        let mut band = Band::of_functions(1, statements.iter().map(function), child);
        band.members_mut()[0].coincident = is_innermost && !self.carries(statements, from)?;
        Ok(Some(Node::band(band)))
    }

    /// Whether a loop carries a dependence between the statements.
    fn carries(&self, statements: &[&Statement], from: usize) -> Outcome<bool> {
        let find = |tuple: &Tuple| statements.iter().find(|statement| statement.tuple() == tuple);
        for map in self.coincidence.maps() {
            let (Some(source), Some(sink)) = (find(map.domain_tuple()), find(map.range_tuple())) else {
                continue;
            };
            let functions = |statement: &Statement| statement.schedule.affs()[..=from].to_vec();
            if !carried(map, &functions(source), &functions(sink), self.b)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The statements of each outermost loop.
pub(crate) fn nests(program: &Program) -> Vec<Vec<&Statement>> {
    let place = |statement: &Statement| -> Vec<Int> {
        let affs = statement.schedule.affs().iter();
        affs.map_while(|aff| aff.as_constant()).collect()
    };
    let mut nests: Vec<Vec<&Statement>> = Vec::new();
    for statement in &program.statements {
        match nests.iter_mut().find(|nest| place(nest[0]) == place(statement)) {
            Some(nest) => nest.push(statement),
            None => nests.push(vec![statement]),
        }
    }
    nests
}

fn filter(statements: &[&Statement], child: Node) -> Filter {
    Filter::of_statements(statements.iter().map(|statement| statement.tuple().clone()), child)
}

/// What makes the node for some statements.
type Inside<'f, 's> = &'f dyn Fn(&[&'s Statement]) -> Outcome<Option<Node>>;

/// Groups of statements one after the other, by a number.
fn in_sequence<'s>(
    statements: &[&'s Statement],
    place: &dyn Fn(&Statement) -> Option<Int>,
    inside: Inside<'_, 's>,
) -> Outcome<Option<Node>> {
    let mut groups: Vec<(Int, Vec<&Statement>)> = Vec::new();
    for statement in statements {
        let Some(own) = place(statement) else { return Ok(None) };
        match groups.iter_mut().find(|(other, _)| *other == own) {
            Some((_, group)) => group.push(statement),
            None => groups.push((own, vec![statement])),
        }
    }
    groups.sort_by(|(x, _), (y, _)| x.cmp(y));
    one_after_the_other(groups.iter().map(|(_, group)| &group[..]), inside)
}

fn one_after_the_other<'g, 's: 'g>(
    groups: impl ExactSizeIterator<Item = &'g [&'s Statement]>,
    inside: Inside<'_, 's>,
) -> Outcome<Option<Node>> {
    let only = groups.len() == 1;
    let mut children = Vec::new();
    for group in groups {
        let Some(node) = inside(group)? else { return Ok(None) };
        if only {
            return Ok(Some(node));
        }
        children.push(filter(group, node));
    }
    Ok(Some(Node::Sequence(children)))
}
