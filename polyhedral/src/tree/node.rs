//! The nodes of schedule trees.

use crate::budget::{Budget, Outcome};
use crate::sets::{Params, Set, SetSpace, Tuple, UnionMap, UnionPwMultiAff, UnionSet};
use crate::tree::{Band, Isolation, Mark};

/// A node below the root. See the [module](crate::tree) for what they mean.
#[derive(Clone, Debug)]
pub enum Node {
    /// Orders by the values of the band's members.
    Band(Box<Band>),
    /// Keeps some of the instances.
    Filter(Box<Filter>),
    /// The children one after the other. There is at least one.
    Sequence(Vec<Filter>),
    /// The children in any order. There is at least one.
    Set(Vec<Filter>),
    /// Replaces instances by those that they stand for.
    Expansion(Box<Expansion>),
    /// Adds instances: a relation from the values of the outer members.
    Extension(UnionMap, Box<Node>),
    /// Requires the values of the outer members to be in a set.
    Guard(Set, Box<Node>),
    /// Says that the values of the outer members are in a set, which may have parameters that outer nodes do not know.
    Context(Set, Box<Node>),
    /// A subtree that a plan says something of.
    Mark(Mark, Box<Node>),
    /// Nothing more is said about the order.
    Leaf,
}

/// A filter node, or a child of a sequence or a set: what it keeps of the instances that reach it, and their order.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The instances that pass, if they reach the filter.
    pub filter: UnionSet,
    /// The node below.
    pub child: Node,
}

/// An expansion node: each instance that reaches it stands for one or more other ones.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// What an instance below stands for above: the inverse of the expansion, as a function.
    pub contraction: UnionPwMultiAff,
    /// The instances that one above stands for.
    pub expansion: UnionMap,
    /// The node below.
    pub child: Node,
}

/// How much of a statement a filter keeps, as far as is plain to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// No instance.
    Nothing,
    /// Possibly not all.
    Part,
    /// All instances.
    Whole,
}

impl Filter {
    /// The filter that keeps all instances of the statements.
    pub fn of_statements(statements: impl IntoIterator<Item = Tuple>, child: Node) -> Filter {
        let mut filter = UnionSet::empty(Params::none());
        for tuple in statements {
            filter.add(&Set::universe(SetSpace::new(Params::none(), tuple)));
        }
        Filter { filter, child }
    }

    /// How much of a statement passes.
    pub fn share(&self, statement: &Tuple) -> Share {
        match self.filter.sets().find(|set| set.tuple() == statement) {
            None => Share::Nothing,
            Some(set) if set.is_plainly_empty() => Share::Nothing,
            Some(set) if set.pieces().iter().any(|piece| piece.is_plainly_universe()) => Share::Whole,
            Some(_) => Share::Part,
        }
    }

    /// The filter around another child.
    pub fn with_child(&self, child: Node) -> Filter {
        Filter {
            filter: self.filter.clone(),
            child,
        }
    }
}

impl Expansion {
    /// The expansion whose inverse is the function `contraction`, of the instances in `instances`: `None` where it is none.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn from_expansion(expansion: UnionMap, child: Node, b: &Budget) -> Outcome<Option<Expansion>> {
        let contraction = UnionPwMultiAff::from_union_map(&expansion.reverse(), b)?;
        Ok(contraction.map(|contraction| Expansion {
            contraction,
            expansion,
            child,
        }))
    }
}

impl Node {
    /// The node of a band.
    pub fn band(band: Band) -> Node {
        Node::Band(Box::new(band))
    }

    /// What kind of node it is, in the words of the text form: `band`, `filter`, ..
    pub fn kind(&self) -> &'static str {
        match self {
            Node::Band(_) => "band",
            Node::Filter(_) => "filter",
            Node::Sequence(_) => "sequence",
            Node::Set(_) => "set",
            Node::Expansion(_) => "expansion",
            Node::Extension(..) => "extension",
            Node::Guard(..) => "guard",
            Node::Context(..) => "context",
            Node::Mark(..) => "mark",
            Node::Leaf => "leaf",
        }
    }

    /// The nodes directly below; of a sequence or a set, those below the filters.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        let (only, several): (Option<&Node>, &[Filter]) = match self {
            Node::Band(band) => (Some(&band.child), &[]),
            Node::Filter(filter) => (Some(&filter.child), &[]),
            Node::Sequence(children) | Node::Set(children) => (None, children),
            Node::Expansion(expansion) => (Some(&expansion.child), &[]),
            Node::Extension(_, child) | Node::Guard(_, child) | Node::Context(_, child) | Node::Mark(_, child) => {
                (Some(child), &[])
            }
            Node::Leaf => (None, &[]),
        };
        only.into_iter().chain(several.iter().map(|filter| &filter.child))
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        let (only, several): (Option<&mut Node>, &mut [Filter]) = match self {
            Node::Band(band) => (Some(&mut band.child), &mut []),
            Node::Filter(filter) => (Some(&mut filter.child), &mut []),
            Node::Sequence(children) | Node::Set(children) => (None, children),
            Node::Expansion(expansion) => (Some(&mut expansion.child), &mut []),
            Node::Extension(_, child) | Node::Guard(_, child) | Node::Context(_, child) | Node::Mark(_, child) => {
                (Some(child), &mut [])
            }
            Node::Leaf => (None, &mut []),
        };
        only.into_iter()
            .chain(several.iter_mut().map(|filter| &mut filter.child))
    }

    /// The node with `rewrite` applied to its children; the node itself stays.
    pub fn map_children(mut self, rewrite: &mut dyn FnMut(Node) -> Node) -> Node {
        for child in self.children_mut() {
            *child = rewrite(std::mem::replace(child, Node::Leaf));
        }
        self
    }

    /// Adds the parameters of the node and all below it to `params`.
    pub(super) fn add_params(&self, params: &mut Params) {
        let mut add = |more: &Params| *params = params.union(more);
        match self {
            Node::Band(band) => {
                add(band.schedule().params());
                if let Isolation::Part(part) = &band.isolation {
                    add(part.params());
                }
            }
            Node::Filter(filter) => add(filter.filter.params()),
            Node::Sequence(children) | Node::Set(children) => children.iter().for_each(|c| add(c.filter.params())),
            Node::Expansion(expansion) => {
                add(expansion.contraction.params());
                add(expansion.expansion.params());
            }
            Node::Extension(extension, _) => add(extension.params()),
            Node::Guard(set, _) | Node::Context(set, _) => add(set.params()),
            Node::Mark(..) | Node::Leaf => {}
        }
        self.children().for_each(|child| child.add_params(params));
    }

    /// Whether `property` holds for the node or any below it.
    pub fn any(&self, property: &dyn Fn(&Node) -> bool) -> bool {
        property(self) || self.children().any(|child| child.any(property))
    }
}
