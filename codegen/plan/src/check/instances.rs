//! The instances that a tree executes: each of the program's once, and no others.
//!
//! Order says nothing about instances that are not executed. A filter that lets too little pass, a band without a value for some
//! instances, or a context that excludes parameter values of the program makes the AST generator leave them out:
//!
//! ```text
//! domain: { S[i] : 0 <= i < n }
//!   sequence: { S[i] : i < 4 }, { S[i] : i > 4 }       refused: S[4] is not executed
//!   sequence: { S[i] : i <= 4 }, { S[i] : i >= 4 }     refused: S[4] is executed twice
//!   band: { S[i] -> [i] : i > 0 }                      refused: S[0] is not executed
//!   context: n >= 8                                    refused, if the program is for n = 7, too
//! ```
//!
//! # What is checked
//!
//! For all parameter values in the program's context for which the plan is used:
//!
//! - they are in the context of the tree, and what inner contexts say holds there;
//! - the domain of the tree has the instances of each statement's domain;
//! - a band has a value for each instance that reaches it; each passes a filter, and exactly one child of a sequence or a set.
//!
//! Trees with expansions or guards are checked by the instances that reach their leaves. Extensions are those of packings only, whose
//! copies [`packing`](super::packing) checks.
//!
//! # Cost
//!
//! The domain of a tree has the conjunctions of the program mostly, and filters keep all instances of a statement, or none. Both
//! are compared as they are written. Operations on sets are for what differs: loops that are split, and tiles that are apart.

use super::{Checked, Refusal};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Name, PwAff, Set, Tuple, UnionSet};
use farkas_polyhedral::tree::{Band, Filter, Mark, Node, Path, Share, Tree, VerifyError, verify};
use std::fmt;

/// What is wrong with the number of times that an instance is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The program executes it, and the tree does not.
    Missing,
    /// The tree executes it, and the program does not.
    Added,
    /// The tree executes it several times.
    Repeated,
}

/// Values of parameters.
pub(super) type ParamValues = Vec<(Name, Int)>;

/// An instance that a tree executes more or less often than the program.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The statement.
    pub statement: Tuple,
    /// Its iteration.
    pub values: Vec<Int>,
    /// The values of parameters for which that is so.
    pub params: ParamValues,
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(Int::to_string).collect();
        let name = self.statement.name().map_or("", |name| name);
        write!(f, "{name}[{}]", values.join(", "))
    }
}

/// Checks what `tree`, which has no copies, executes of a program wherever parameters have values in `assumptions`. `with_copies` is the
/// tree with the extensions of packings.
pub(super) fn check(
    program: &Program,
    assumptions: &Set,
    (with_copies, tree): (&Tree, &Tree),
    b: &Budget,
) -> Outcome<Checked> {
    if let Some(statement) = unknown_extension(with_copies) {
        return Ok(Err(Box::new(Refusal::Extension { statement })));
    }
    let used = assumptions.intersect(&program.context);
    if !is_plainly_within(assumptions, &tree.context)
        && let Some(refusal) = outside(&used, &tree.context, b)?
    {
        return Ok(Err(refusal));
    }
    let walk = Walk { tree, used: &used, b };
    let has_other_nodes = |node: &Node| {
        matches!(
            node,
            Node::Expansion(_) | Node::Extension(..) | Node::Guard(..) | Node::Context(..)
        )
    };
    let executed = if tree.root.any(&has_other_nodes) {
        match walk.at_leaves()? {
            Ok(executed) => executed,
            Err(refusal) => return Ok(Err(refusal)),
        }
    } else {
        let reaching: Vec<Set> = tree.domain.sets().cloned().collect();
        if let Err(refusal) = walk.below(&tree.root, &reaching)? {
            return Ok(Err(refusal));
        }
        tree.domain.clone()
    };
    walk.compare(program, &executed)
}

/// Parameter values of the program's context that are in `assumptions`, and not in the program's.
pub(super) fn not_assumed(program: &Program, assumptions: &Set, b: &Budget) -> Outcome<Option<ParamValues>> {
    if is_plainly_within(assumptions, &program.assumptions) {
        return Ok(None);
    }
    let others = assumptions
        .intersect(&program.context)
        .subtract(&program.assumptions, b)?;
    Ok(others
        .sample(b)?
        .map(|(params, _)| named(others.params().names(), &params)))
}

/// A statement that an extension adds which is not directly below a `pack` mark.
fn unknown_extension(tree: &Tree) -> Option<Tuple> {
    tree.paths().into_iter().find_map(|path| {
        let Some(Node::Extension(extension, _)) = tree.at(&path) else {
            return None;
        };
        let above = path.parent().and_then(|above| tree.at(&above));
        let is_packing = matches!(above, Some(Node::Mark(Mark::Pack { .. }, _)));
        let mut added = extension.maps().map(|map| map.range_tuple().clone());
        (!is_packing).then(|| added.next()).flatten()
    })
}

struct Walk<'a> {
    tree: &'a Tree,
    /// The parameter values for which the tree is used.
    used: &'a Set,
    b: &'a Budget,
}

impl Walk<'_> {
    /// Whether the program's instances are executed, and no others.
    fn compare(&self, program: &Program, executed: &UnionSet) -> Outcome<Checked> {
        for set in executed.sets() {
            if program.find_statement(set.tuple()).is_none()
                && let Err(refusal) = self.nothing(Mismatch::Added, set)?
            {
                return Ok(Err(refusal));
            }
        }
        for statement in &program.statements {
            let own = executed.extract(statement.tuple());
            if is_plainly_equal(&statement.domain, &own) {
                continue;
            }
            for (wrong, one, other) in [
                (Mismatch::Missing, &statement.domain, &own),
                (Mismatch::Added, &own, &statement.domain),
            ] {
                if let Err(refusal) = self.nothing_but(wrong, one, other)? {
                    return Ok(Err(refusal));
                }
            }
        }
        Ok(Ok(()))
    }

    /// Whether a subtree of bands, filters, sequences, sets and marks executes each instance that reaches it once.
    fn below(&self, node: &Node, reaching: &[Set]) -> Outcome<Checked> {
        self.b.spend(1)?;
        match node {
            Node::Band(band) => match self.has_values(band, reaching)? {
                Ok(()) => self.below(&band.child, reaching),
                refused => Ok(refused),
            },
            Node::Mark(_, child) => self.below(child, reaching),
            Node::Filter(filter) => self.below_children(std::slice::from_ref(&**filter), reaching),
            Node::Sequence(children) | Node::Set(children) => self.below_children(children, reaching),
            Node::Leaf => Ok(Ok(())),
            Node::Expansion(_) | Node::Extension(..) | Node::Guard(..) | Node::Context(..) => {
                unreachable!("these are checked at leaves")
            }
        }
    }

    /// Whether each instance passes exactly one of the filters, and is executed once below it.
    fn below_children(&self, children: &[Filter], reaching: &[Set]) -> Outcome<Checked> {
        let mut passing: Vec<Vec<Set>> = vec![Vec::new(); children.len()];
        for set in reaching {
            let shares: Vec<Share> = children.iter().map(|child| child.share(set.tuple())).collect();
            let own: Vec<usize> = (0..children.len()).filter(|k| shares[*k] != Share::Nothing).collect();
            if let [only] = own[..]
                && shares[only] == Share::Whole
            {
                passing[only].push(set.clone());
                continue;
            }
            let mut left = set.clone();
            for (position, &k) in own.iter().enumerate() {
                let filter = children[k].filter.extract(set.tuple());
                let passed = set.intersect(&filter);
                for &before in &own[..position] {
                    let twice = passed.intersect(&children[before].filter.extract(set.tuple()));
                    if let Err(refusal) = self.nothing(Mismatch::Repeated, &twice)? {
                        return Ok(Err(refusal));
                    }
                }
                left = left.subtract(&filter, self.b)?;
                passing[k].push(passed);
            }
            if let Err(refusal) = self.nothing(Mismatch::Missing, &left)? {
                return Ok(Err(refusal));
            }
        }
        for (child, passing) in children.iter().zip(&passing) {
            if let Err(refusal) = self.below(&child.child, passing)? {
                return Ok(Err(refusal));
            }
        }
        Ok(Ok(()))
    }

    /// Whether all members of a band have an integer value for each instance that reaches it.
    fn has_values(&self, band: &Band, reaching: &[Set]) -> Outcome<Checked> {
        for set in reaching {
            for member in 0..band.n() {
                let part = band.part(member, set.tuple());
                if part.is_some_and(is_total) {
                    continue;
                }
                let domain = match part {
                    None => Set::empty(set.space().clone()),
                    Some(part) => part.to_map().domain(self.b)?,
                };
                if let Err(refusal) = self.nothing_but(Mismatch::Missing, set, &domain)? {
                    return Ok(Err(refusal));
                }
            }
        }
        Ok(Ok(()))
    }

    /// The instances that leaves execute, each once; in a tree that is well-formed, and says of outer members only what holds.
    fn at_leaves(&self) -> Outcome<Result<UnionSet, Box<Refusal>>> {
        match verify(self.tree, self.b) {
            Ok(()) => {}
            Err(VerifyError::OutOfBudget(error)) => return Err(error),
            Err(error @ VerifyError::Malformed { .. }) => {
                return Ok(Err(Box::new(Refusal::Malformed(Box::new(error)))));
            }
        }
        let mut executed = UnionSet::empty(self.tree.domain.params().clone());
        for path in self.tree.paths() {
            match self.tree.at(&path) {
                Some(Node::Context(facts, _)) => {
                    if let Err(refusal) = self.hold(facts, &path)? {
                        return Ok(Err(refusal));
                    }
                }
                Some(Node::Leaf) => {
                    for set in self.tree.reach(&path, self.b)?.instances.sets() {
                        let twice = set.intersect(&executed.extract(set.tuple()));
                        if let Err(refusal) = self.nothing(Mismatch::Repeated, &twice)? {
                            return Ok(Err(refusal));
                        }
                        executed.add(set);
                    }
                }
                _ => {}
            }
        }
        Ok(Ok(executed))
    }

    /// Whether facts about outer members hold where these have values.
    fn hold(&self, facts: &Set, path: &Path) -> Outcome<Checked> {
        let times = self.tree.reach(path, self.b)?.schedule_relation(self.b)?;
        for values in times.range(self.b)?.sets() {
            if let Some(refusal) = outside(&values.intersect_params(self.used), facts, self.b)? {
                return Ok(Err(refusal));
            }
        }
        Ok(Ok(()))
    }

    /// Whether all instances in `set` are in `known`; if not, one of the others is `wrong`.
    fn nothing_but(&self, wrong: Mismatch, set: &Set, known: &Set) -> Outcome<Checked> {
        match set.is_subset(known, self.b)? {
            true => Ok(Ok(())),
            false => self.nothing(wrong, &set.subtract(known, self.b)?),
        }
    }

    /// Whether a set has no instances where the tree is used; if it has, one of them is `wrong`.
    fn nothing(&self, wrong: Mismatch, set: &Set) -> Outcome<Checked> {
        if set.is_empty(self.b)? {
            return Ok(Ok(()));
        }
        let set = set.intersect_params(self.used);
        match set.sample(self.b)? {
            None => Ok(Ok(())),
            Some((params, values)) => refused(
                wrong,
                Instance {
                    statement: set.tuple().clone(),
                    values: values.to_vec(),
                    params: named(set.params().names(), &params),
                },
            ),
        }
    }
}

fn refused(wrong: Mismatch, instance: Instance) -> Outcome<Checked> {
    Ok(Err(Box::new(Refusal::Instances {
        wrong,
        instance: Box::new(instance),
    })))
}

/// The refusal of a context in which not all elements of a set are.
fn outside(set: &Set, context: &Set, b: &Budget) -> Outcome<Option<Box<Refusal>>> {
    let others = set.subtract(context, b)?;
    Ok(others.sample(b)?.map(|(params, _)| {
        let params = named(others.params().names(), &params);
        Box::new(Refusal::Context { params })
    }))
}

fn named(names: &[Name], values: &[Int]) -> ParamValues {
    names.iter().cloned().zip(values.iter().cloned()).collect()
}

/// Whether a function has an integer value on all points of its space, as far as is plain to see.
fn is_total(part: &PwAff) -> bool {
    let mut pieces = part.pieces();
    pieces.any(|(set, _)| set.pieces().iter().any(|piece| piece.is_plainly_universe()))
        && part.pieces().all(|(_, aff)| aff.den().is_one())
}

/// Whether two sets are written alike.
fn is_plainly_equal(one: &Set, other: &Set) -> bool {
    if one.is_same(other) {
        return true;
    }
    let params = one.params().union(other.params());
    one.align_params(&params).pieces() == other.align_params(&params).pieces()
}

/// Whether each conjunction of a set is one of another set.
fn is_plainly_within(one: &Set, other: &Set) -> bool {
    let params = one.params().union(other.params());
    let (one, other) = (one.align_params(&params), other.align_params(&params));
    let is_everything = other.pieces().iter().any(|piece| piece.is_plainly_universe());
    is_everything || one.pieces().iter().all(|piece| other.pieces().contains(piece))
}
