//! What the types of a tree leave open.

use std::fmt;

use crate::budget::{Budget, OutOfBudget, Outcome};
use crate::sets::{Tuple, UnionMap, UnionSet};
use crate::tree::{Band, Expansion, Filter, Isolation, Node, Path, Reach, Tree};

/// Why a tree is not well-formed, or that it is not known.
#[derive(Clone, Debug, thiserror::Error)]
pub enum VerifyError {
    /// The budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A node is not as it should be.
    #[error("the {kind} at {path} {flaw}")]
    Malformed {
        /// Where the node is.
        path: Path,
        /// What kind of node it is.
        kind: &'static str,
        /// What is wrong with it.
        flaw: Box<Flaw>,
    },
}

/// What is wrong with a node.
#[derive(Clone, Debug)]
pub enum Flaw {
    /// A band has no integer value for these instances, which reach it.
    NoValue(UnionSet),
    /// Two children of a sequence or set have these instances in common.
    Overlap {
        /// The position of one child.
        first: usize,
        /// The position of the other.
        second: usize,
        /// What both let pass.
        common: UnionSet,
    },
    /// No child of a sequence or set lets these instances pass, which reach it.
    NotCovered(UnionSet),
    /// These instances, which reach an expansion, stand for nothing.
    NotExpanded(UnionSet),
    /// For these pairs of an instance and what it stands for, the contraction gives no or another instance.
    NotContracted(UnionMap),
    /// The contraction gives these pairs for instances that the expansion makes from others.
    NotAnExpansion(UnionMap),
    /// A relation or set is not over the values of the outer members.
    NotOverOuterMembers {
        /// What it is over.
        found: Tuple,
        /// The number of outer members.
        depth: usize,
    },
    /// What is isolated is not in the tuple of the band's members.
    NotOverMembers {
        /// What it is in.
        found: Tuple,
        /// The number of members.
        n: usize,
    },
    /// An extension introduces instances of a statement that reaches it.
    Reintroduced(Tuple),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NoValue(missing) => write!(f, "has no value for {missing}"),
            Flaw::Overlap { first, second, common } => {
                write!(f, "has children {first} and {second} that have {common} in common")
            }
            Flaw::NotCovered(missing) => write!(f, "has no child for {missing}"),
            Flaw::NotExpanded(missing) => write!(f, "makes nothing of {missing}"),
            Flaw::NotContracted(pairs) => write!(f, "has pairs that are not in its contraction, {pairs}"),
            Flaw::NotAnExpansion(pairs) => write!(f, "has a contraction with pairs that it does not have, {pairs}"),
            Flaw::NotOverOuterMembers { found, depth } => {
                write!(f, "is over {found} where the {depth} outer members are expected")
            }
            Flaw::NotOverMembers { found, n } => write!(f, "isolates {found} where its {n} members are expected"),
            Flaw::Reintroduced(tuple) => write!(f, "introduces {tuple}, which reaches it"),
        }
    }
}

/// Whether the tree is well-formed, for parameter values in its context:
///
/// - a band has an integer value for all instances that reach it;
/// - of all instances that reach a sequence or a set, each passes exactly one of the filters;
/// - each instance that reaches an expansion stands for something, and the contraction is the inverse of that;
/// - an extension introduces instances of other statements than reach it;
/// - extensions, guards, contexts and isolated parts are over the values of the outer members.
///
/// # Errors
///
/// The first node, from the root down, that is not, and why; or that the budget is spent.
pub fn verify(tree: &Tree, b: &Budget) -> Result<(), VerifyError> {
    below(&tree.root, &tree.reach_root(), &Path::root(), b)
}

fn below(node: &Node, reach: &Reach, path: &Path, b: &Budget) -> Result<(), VerifyError> {
    b.spend(1)?;
    let flaw = match node {
        Node::Band(band) => of_band(band, reach, b)?,
        Node::Sequence(children) | Node::Set(children) => of_children(children, &reach.instances, b)?,
        Node::Expansion(expansion) => of_expansion(expansion, &reach.instances, b)?,
        Node::Extension(extension, _) => of_extension(extension, reach),
        Node::Guard(set, _) | Node::Context(set, _) => outer(set.tuple(), reach),
        Node::Filter(_) | Node::Mark(..) | Node::Leaf => None,
    };
    if let Some(flaw) = flaw {
        return Err(VerifyError::Malformed {
            path: path.clone(),
            kind: node.kind(),
            flaw: Box::new(flaw),
        });
    }
    for (position, child) in node.children().enumerate() {
        below(child, &reach.through(node, position, b)?, &path.child(position), b)?;
    }
    Ok(())
}

/// What is wrong with a tuple that should be that of the outer members.
fn outer(found: &Tuple, reach: &Reach) -> Option<Flaw> {
    (*found != Tuple::anonymous(reach.depth())).then(|| Flaw::NotOverOuterMembers {
        found: found.clone(),
        depth: reach.depth(),
    })
}

fn of_band(band: &Band, reach: &Reach, b: &Budget) -> Outcome<Option<Flaw>> {
    if let Isolation::Part(part) = &band.isolation {
        if let Some(flaw) = outer(part.domain_tuple(), reach) {
            return Ok(Some(flaw));
        }
        if *part.range_tuple() != Tuple::anonymous(band.n()) {
            let found = part.range_tuple().clone();
            return Ok(Some(Flaw::NotOverMembers { found, n: band.n() }));
        }
    }
    if band.n() == 0 {
        return Ok(None);
    }
    let pieces = || band.schedule().affs().iter().flat_map(|aff| aff.pw_affs());
    let domain = if pieces().all(|part| part.pieces().all(|(_, aff)| aff.den().is_one())) {
        band.schedule().domain()
    } else {
        band.schedule().to_union_map(b)?.domain(b)?
    };
    let missing = reach.instances.subtract(&domain, b)?;
    Ok((!missing.is_empty(b)?).then_some(Flaw::NoValue(missing)))
}

/// What an intersection of two sets of one tuple takes, in units of work.
const INTERSECTION: u64 = 4;

/// So many pairs of children are found to have no statement in common in a unit of work.
const PAIRS: u64 = 8;

fn of_children(children: &[Filter], instances: &UnionSet, b: &Budget) -> Outcome<Option<Flaw>> {
    let mut left = instances.clone();
    let passed: Vec<UnionSet> = children
        .iter()
        .map(|child| instances.intersect(&child.filter))
        .collect();
    for (second, own) in passed.iter().enumerate() {
        b.spend(second as u64 / PAIRS)?;
        for (first, other) in passed[..second].iter().enumerate() {
            let shared = own.tuples().filter(|tuple| other.has(tuple)).count();
            b.spend(INTERSECTION * shared as u64)?;
            let common = other.intersect(own);
            if !common.is_empty(b)? {
                return Ok(Some(Flaw::Overlap { first, second, common }));
            }
        }
        left = left.subtract(own, b)?;
    }
    Ok((!left.is_empty(b)?).then_some(Flaw::NotCovered(left)))
}

fn of_expansion(expansion: &Expansion, instances: &UnionSet, b: &Budget) -> Outcome<Option<Flaw>> {
    let expanded = expansion.expansion.intersect_domain(instances);
    let missing = instances.subtract(&expanded.domain(b)?, b)?;
    if !missing.is_empty(b)? {
        return Ok(Some(Flaw::NotExpanded(missing)));
    }
    let contracted = expansion.contraction.intersect_domain(&expanded.range(b)?, b)?;
    let contracted = contracted.to_union_map().reverse();
    let more = expanded.subtract(&contracted, b)?;
    if !more.is_empty(b)? {
        return Ok(Some(Flaw::NotContracted(more)));
    }
    let more = contracted.subtract(&expanded, b)?;
    Ok((!more.is_empty(b)?).then_some(Flaw::NotAnExpansion(more)))
}

fn of_extension(extension: &UnionMap, reach: &Reach) -> Option<Flaw> {
    for map in extension.maps() {
        let flaw = outer(map.domain_tuple(), reach);
        if flaw.is_some() {
            return flaw;
        }
        if reach.instances.tuples().any(|tuple| tuple == map.range_tuple()) {
            return Some(Flaw::Reintroduced(map.range_tuple().clone()));
        }
    }
    None
}
