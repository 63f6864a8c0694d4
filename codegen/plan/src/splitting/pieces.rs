//! Pieces of statements as statements of their own, and schedule trees over these as trees over the statements.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, Program, Statement};
use farkas_polyhedral::sets::{Map, Name, Params, Set, Tuple, UnionMap, UnionPwMultiAff};
use farkas_polyhedral::tree::{Filter, Node, RewriteError, Tree};
use indexmap::IndexMap;
use std::fmt::Display;

use super::cuts::{Cell, Cuts, renaming};

/// A part of a statement.
#[derive(Clone, Debug)]
struct Piece {
    tuple: Tuple,
    /// The instances, in the space of the statement.
    set: Set,
    /// The place in the loop that was cut: see [`Cell::position`].
    position: usize,
}

/// The statements that are split, with their pieces.
#[derive(Clone, Debug)]
pub(crate) struct Pieces(IndexMap<Tuple, Vec<Piece>>);

impl Pieces {
    /// The pieces of the statements in loops that carry some of the `dependences`, and would not if they were cut; `None` where no
    /// loop is.
    pub(crate) fn of(
        program: &Program,
        candidates: &[Cuts],
        dependences: &UnionMap,
        b: &Budget,
    ) -> Outcome<Option<Pieces>> {
        let mut names: Vec<Name> = program.statements.iter().map(|s| s.name().clone()).collect();
        let mut pieces = IndexMap::new();
        for cuts in candidates {
            let Some(cells) = cuts.cells(dependences, b)? else {
                continue;
            };
            for tuple in &cuts.statements {
                let id = program.find_statement(tuple).expect("a statement of the program");
                let own = pieces_of(program, program.statement(id), &cells, &mut names, b)?;
                pieces.insert(tuple.clone(), own);
            }
        }
        Ok((!pieces.is_empty()).then_some(Pieces(pieces)))
    }

    /// The statements that are split.
    pub(crate) fn statements(&self) -> impl Iterator<Item = &Tuple> {
        self.0.keys()
    }

    /// The place of a piece in the loop that was cut; `None` for other statements.
    pub(super) fn position(&self, piece: &Tuple) -> Option<usize> {
        let mut pieces = self.0.values().flatten();
        pieces.find(|own| own.tuple == *piece).map(|own| own.position)
    }

    /// The instances of a piece, in the space of the first statement of its loop.
    pub(super) fn set(&self, piece: &Tuple) -> Option<&Set> {
        let mut pieces = self.0.values().flatten();
        pieces.find(|own| own.tuple == *piece).map(|own| &own.set)
    }

    /// Whether a piece is one of a statement.
    pub(super) fn is_of(&self, piece: &Tuple, statement: &Tuple) -> bool {
        let own = self.0.get(statement);
        own.is_some_and(|pieces| pieces.iter().any(|own| own.tuple == *piece))
    }

    /// The program with a statement for each piece.
    pub(crate) fn apply(&self, program: &Program) -> Program {
        let split = |statement: &Statement| match self.0.get(statement.tuple()) {
            Some(pieces) => pieces.iter().map(|piece| part(statement, piece)).collect(),
            None => vec![statement.clone()],
        };
        Program {
            statements: program.statements.iter().flat_map(split).collect(),
            ..program.clone()
        }
    }

    /// A relation between instances as one between those of pieces.
    pub(crate) fn between(&self, relation: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(relation.params().clone());
        for map in relation.maps() {
            for (from, source) in self.parts_of(map.domain_tuple()) {
                let own = source.map_or(map.clone(), |set| map.intersect_domain(set));
                for (to, sink) in self.parts_of(map.range_tuple()) {
                    let own = sink.map_or(own.clone(), |set| own.intersect_range(set));
                    if !own.is_empty(b)? {
                        out.add(&own.with_domain_tuple(from.clone()).with_range_tuple(to.clone()));
                    }
                }
            }
        }
        Ok(out)
    }

    /// The pieces of a statement with their instances, or the statement itself.
    fn parts_of<'p>(&'p self, statement: &'p Tuple) -> Vec<(&'p Tuple, Option<&'p Set>)> {
        match self.0.get(statement) {
            None => vec![(statement, None)],
            Some(pieces) => pieces.iter().map(|piece| (&piece.tuple, Some(&piece.set))).collect(),
        }
    }

    /// A tree over the pieces, over the statements.
    ///
    /// # Errors
    ///
    /// If the tree has expansions or extensions, or the budget is spent.
    pub(crate) fn undo(&self, tree: &Tree, b: &Budget) -> Result<Tree, RewriteError> {
        let params = tree.domain.params().clone();
        let mut to_pieces = UnionMap::empty(params);
        for tuple in tree.domain.tuples() {
            if self.position(tuple).is_none() {
                to_pieces.add(&Map::identity(Params::none(), tuple.clone()));
            }
        }
        for (statement, pieces) in &self.0 {
            for piece in pieces {
                let identity = Map::identity(piece.set.params().clone(), statement.clone());
                to_pieces.add(
                    &identity
                        .intersect_domain(&piece.set)
                        .with_range_tuple(piece.tuple.clone()),
                );
            }
        }
        let function = UnionPwMultiAff::from_union_map(&to_pieces, b)?.expect("an instance is in one piece");
        let mut merged = tree.pullback(&function, b)?;
        merged.domain = merged.domain.coalesce(b)?;
        merged.root = coalesced(merged.root, b)?;
        Ok(merged)
    }
}

/// The pieces of a statement that have instances.
fn pieces_of(
    program: &Program,
    statement: &Statement,
    cells: &[Cell],
    names: &mut Vec<Name>,
    b: &Budget,
) -> Outcome<Vec<Piece>> {
    let known = program.context.intersect(&program.assumptions);
    let domain = statement.domain.intersect_params(&known);
    let mut pieces = Vec::new();
    for cell in cells {
        let set = cell.set.with_tuple(statement.tuple().clone());
        if !domain.intersect(&set).is_empty(b)? {
            let name = fresh_name(statement.name(), names);
            pieces.push(Piece {
                tuple: Tuple::new(&name, statement.tuple().n()),
                set,
                position: cell.position,
            });
        }
    }
    Ok(pieces)
}

/// A name that is not among the names, of which it becomes one, after something that has another one.
pub(crate) fn fresh_name(of: impl Display, names: &mut Vec<Name>) -> Name {
    let mut all = (0..).map(|k| Name::from(format!("{of}_{k}")));
    let name = all
        .find(|name| !names.contains(name))
        .expect("there is always another name");
    names.push(name.clone());
    name
}

/// The statement that a piece of another one is.
fn part(statement: &Statement, piece: &Piece) -> Statement {
    let domain = statement.domain.intersect(&piece.set).with_tuple(piece.tuple.clone());
    let access = |access: &Access| Access {
        relation: access
            .relation
            .intersect_domain(&piece.set)
            .with_domain_tuple(piece.tuple.clone()),
        ..access.clone()
    };
    let schedule_space = {
        let mut space = statement.schedule.domain_space();
        space.tuple = piece.tuple.clone();
        space
    };
    Statement {
        accesses: statement.accesses.iter().map(access).collect(),
        schedule: statement
            .schedule
            .pullback(&renaming(&schedule_space, statement.tuple().clone())),
        // Profiles are about whole loops.
        trip_counts: vec![None; statement.tuple().n()],
        domain,
        ..statement.clone()
    }
}

/// The node with functions and filters in as few pieces as there can be.
fn coalesced(node: Node, b: &Budget) -> Outcome<Node> {
    Ok(match node {
        Node::Band(band) => {
            let (schedule, child) = (band.schedule().coalesce(b)?, coalesced(band.child.clone(), b)?);
            Node::band(band.with_schedule(schedule).with_child(child))
        }
        Node::Sequence(children) => Node::Sequence(all_coalesced(children, b)?),
        Node::Set(children) => Node::Set(all_coalesced(children, b)?),
        Node::Mark(mark, child) => Node::Mark(mark, Box::new(coalesced(*child, b)?)),
        other => other,
    })
}

fn all_coalesced(children: Vec<Filter>, b: &Budget) -> Outcome<Vec<Filter>> {
    let filter = |child: Filter| {
        Ok(Filter {
            filter: child.filter.coalesce(b)?,
            child: coalesced(child.child, b)?,
        })
    };
    children.into_iter().map(filter).collect()
}
