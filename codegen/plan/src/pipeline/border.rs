//! Borders that stay in their order, in front of the interior, so that this one is planned without them.
//!
//! The instances of a frame are in four pieces, which have many dependences among each other, and next to none of the time. Where nothing that
//! they access depends on the interior, all of them may come before it.

use farkas_polyhedral::ast;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{AccessKind, Program, Statement};
use farkas_polyhedral::sets::UnionSet;
use farkas_polyhedral::tree::{Filter, Node, Tree};

use super::Problem;
use super::interiors::{is_split, parts};
use crate::change_of_variables::ChangeOfVariables;
use crate::original_tree::original_tree;

/// Statements at the border, which stay in their order, in front of the interior.
#[derive(Clone, Debug)]
pub(super) struct Border {
    /// The program with the interior, in original variables.
    whole: Program,
    /// Those at the border, in new variables.
    statements: Vec<Statement>,
}

impl Border {
    /// The border of a program, and the program without it; `None` where there is none, or the interior depends on it.
    pub(super) fn of(
        program: &Program,
        variables: &ChangeOfVariables,
        b: &Budget,
    ) -> Outcome<Option<(Border, Program)>> {
        // Other nests would stay as they are.
        let are_split = program.statements.iter().all(|own| is_split(program, own));
        let Some((inside, outside)) = parts(program).filter(|_| are_split) else {
            return Ok(None);
        };
        let program_of = |own: &[usize]| Program {
            statements: own.iter().map(|at| program.statements[*at].clone()).collect(),
            ..program.clone()
        };
        let (inside, outside) = (program_of(&inside), program_of(&outside));
        if !are_independent(&inside, &outside, b)? {
            return Ok(None);
        }
        let border = Border {
            whole: program.clone(),
            statements: variables.apply(&outside).statements,
        };
        Ok(Some((border, inside)))
    }

    /// The order of the whole program, given that of its interior, in original variables.
    pub(super) fn in_front_of(&self, interior: Tree) -> (Tree, &Program) {
        let is_inside = |statement: &&Statement| interior.domain.sets().any(|set| set.tuple() == statement.tuple());
        let (inside, outside): (Vec<&Statement>, Vec<&Statement>) = self.whole.statements.iter().partition(is_inside);
        let tuples = |own: &[&Statement]| -> Vec<_> { own.iter().map(|statement| statement.tuple().clone()).collect() };
        let border = original_tree(&Program {
            statements: outside.iter().map(|statement| (*statement).clone()).collect(),
            ..self.whole.clone()
        });
        let parts = [(tuples(&outside), border.root), (tuples(&inside), interior.root)];
        let tree = Tree {
            domain: original_tree(&self.whole).domain,
            context: interior.context,
            root: Node::Sequence(parts.map(|(own, root)| Filter::of_statements(own, root)).into()),
        };
        (tree, &self.whole)
    }

    /// Says which loops are at the border only.
    pub(super) fn annotate(&self, node: ast::Node) -> ast::Node {
        let mut node = node;
        if let ast::Node::For(own) = &mut node
            && self.has_all_of(&own.body)
        {
            own.annotations.push(ast::For::BORDER.into());
        }
        node.map_children(&mut |child| self.annotate(child))
    }

    /// Whether all statements in a subtree are at the border.
    fn has_all_of(&self, node: &ast::Node) -> bool {
        use ast::Node;
        match node {
            Node::Block(children) => children.iter().all(|child| self.has_all_of(child)),
            Node::For(own) => self.has_all_of(&own.body),
            Node::If { then, otherwise, .. } => {
                self.has_all_of(then) && otherwise.as_ref().is_none_or(|node| self.has_all_of(node))
            }
            Node::Mark { body, .. } => self.has_all_of(body),
            Node::Call(call) => self.statements.iter().any(|own| *own.tuple() == call.statement),
        }
    }
}

/// The statements at a border, in new variables; none where there is no border.
pub(super) fn beside(border: Option<&Border>) -> &[Statement] {
    border.map_or(&[], |border| &border.statements)
}

impl Problem {
    /// The statements at its border, in new variables.
    pub(super) fn beside(&self) -> &[Statement] {
        beside(self.border.as_deref())
    }
}

/// Whether no instance of the one program writes what one of the other accesses.
fn are_independent(one: &Program, other: &Program, b: &Budget) -> Outcome<bool> {
    let elements = |program: &Program, is_wanted: &dyn Fn(AccessKind) -> bool| -> Outcome<UnionSet> {
        let mut elements = UnionSet::empty(program.context.params().clone());
        let accesses = program.statements.iter().flat_map(|statement| &statement.accesses);
        for access in accesses.filter(|access| is_wanted(access.kind)) {
            elements.add(&access.relation.range(b)?.intersect_params(&program.context));
        }
        Ok(elements)
    };
    let written = |program| elements(program, &|kind| kind != AccessKind::Read);
    let accessed = |program| elements(program, &|_| true);
    let (own, others) = (
        written(one)?.intersect(&accessed(other)?),
        written(other)?.intersect(&accessed(one)?),
    );
    Ok(own.is_empty(b)? && others.is_empty(b)?)
}
