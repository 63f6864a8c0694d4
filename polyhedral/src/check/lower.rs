//! A tree as the order of its executions, without expansions and extensions.
//!
//! # Definitions
//!
//! An *execution* is what a leaf of the tree executes: an instance `y` that comes from the domain, by way of expansions or
//! not, or the pair `[c -> y]` of an instance that an extension introduces, or what it is expanded to, and the values of the
//! outer members for which the extension does. An instance has one execution of the first kind, or any number of the second.
//!
//! At a node above its leaf, an execution is *seen* as an instance that reaches the node, to which it contracts; or, above the
//! extension that introduces it, as the values `c`. Bands and filters of the tree, which are functions and sets of what
//! reaches them, are rewritten here as functions and sets of executions, by what these are seen as.
//!
//! # Example
//!
//! Where `G[i]` reaches an expansion `G[i] -> A[i, k]` below a band `G[i] -> [i]`, the executions are the `A[i, k]`, which the
//! band sees as `G[i]`, so that its function of executions is `A[i, k] -> [i]`. If `{ [t] -> C[a] }` is an extension below a
//! band, the executions of `C` are `[[t] -> C[a]]`, and that band's function of them is `[[t] -> C[a]] -> [t]`.

use crate::budget::{Budget, Outcome};
use crate::sets::{Aff, Map, MultiAff, PwAff, PwMultiAff, Set, SetSpace, Tuple, UnionMap, UnionPwMultiAff, UnionSet};
use crate::tree::{Band, Filter, Node, Tree};
use indexmap::{IndexMap, IndexSet};

/// The values of one member of a band: for each tuple of executions, an expression on each of some sets.
pub(super) type Values = IndexMap<Tuple, Vec<(Set, Aff)>>;

/// The order of the executions that reach a node.
pub(super) enum Step {
    /// By the values of the members.
    Band {
        members: Vec<Values>,
        coincident: Vec<bool>,
        permutable: bool,
        child: Box<Step>,
    },
    /// Those in each set by what is beside it; in the order in which they are listed, or in any.
    Children {
        ordered: bool,
        children: Vec<(UnionSet, Step)>,
    },
    /// No order.
    Leaf,
}

/// A tree with executions for instances.
pub(super) struct Lowered {
    pub(super) step: Step,
    /// All executions.
    pub(super) executions: UnionSet,
    /// The tuples of executions of the form `[c -> y]`.
    pub(super) paired: IndexSet<Tuple>,
}

/// The order of a tree's executions.
pub(super) fn lower(tree: &Tree, b: &Budget) -> Outcome<Lowered> {
    let domain = tree.domain.intersect_params(&tree.context);
    let changes = |node: &Node| {
        matches!(
            node,
            Node::Filter(_) | Node::Expansion(_) | Node::Extension(..) | Node::Guard(..)
        )
    };
    if !tree.root.any(&changes) {
        return Ok(Lowered {
            step: plain(&tree.root),
            executions: domain,
            paired: IndexSet::new(),
        });
    }
    let mut times = UnionMap::empty(domain.params().clone());
    for set in domain.sets() {
        times.add(&Map::from_domain_and_range(
            set,
            &Set::universe(SetSpace::params_only(set.params().clone())),
        ));
    }
    let reaching = Reaching {
        times,
        depth: 0,
        paired: IndexSet::new(),
    };
    let mut paired = IndexSet::new();
    let (step, seen) = reaching.lower(&tree.root, &mut paired, b)?;
    Ok(Lowered {
        step,
        executions: seen.executions(),
        paired,
    })
}

/// The order below a node where nothing changes what is executed: executions are the instances of the domain.
fn plain(node: &Node) -> Step {
    let children = |ordered, children: &[Filter]| Step::Children {
        ordered,
        children: children.iter().map(|c| (c.filter.clone(), plain(&c.child))).collect(),
    };
    match node {
        Node::Band(band) => {
            let member = |k: usize| values(band.schedule().affs()[k].pw_affs());
            Step::of_band(band, (0..band.n()).map(member).collect(), plain(&band.child))
        }
        Node::Sequence(filters) => children(true, filters),
        Node::Set(filters) => children(false, filters),
        Node::Filter(_) | Node::Expansion(_) | Node::Extension(..) | Node::Guard(..) => unreachable!("there are none"),
        Node::Context(_, child) | Node::Mark(_, child) => plain(child),
        Node::Leaf => Step::Leaf,
    }
}

/// The pieces of functions on different tuples.
fn values<'a>(parts: impl Iterator<Item = &'a PwAff>) -> Values {
    let pieces = |part: &PwAff| part.pieces().map(|(set, aff)| (set.clone(), aff.clone())).collect();
    parts.map(|part| (part.space().tuple.clone(), pieces(part))).collect()
}

impl Step {
    fn of_band(band: &Band, members: Vec<Values>, child: Step) -> Step {
        Step::Band {
            members,
            coincident: band.members().iter().map(|member| member.coincident).collect(),
            permutable: band.permutable,
            child: Box::new(child),
        }
    }
}

/// What reaches a node: instances, and pairs `[c -> y]` of those that an extension above introduces.
struct Reaching {
    /// The values of the outer members.
    times: UnionMap,
    /// The number of outer members.
    depth: usize,
    /// The tuples that are pairs.
    paired: IndexSet<Tuple>,
}

/// What executions below a node are seen as there.
struct Seen {
    /// Instances.
    instance: UnionPwMultiAff,
    /// The values of outer members for which an extension below introduces them.
    time: UnionPwMultiAff,
}

impl Seen {
    fn executions(&self) -> UnionSet {
        self.instance.domain().union(&self.time.domain())
    }
}

impl Reaching {
    fn lower(self, node: &Node, paired: &mut IndexSet<Tuple>, b: &Budget) -> Outcome<(Step, Seen)> {
        b.spend(1)?;
        match node {
            Node::Band(band) => {
                let depth = self.depth;
                let inside = if band.n() == 0 { self } else { self.ordered(band, b)? };
                let (child, seen) = inside.lower(&band.child, paired, b)?;
                let mut members = Vec::with_capacity(band.n());
                for (position, aff) in band.schedule().affs().iter().enumerate() {
                    let function = aff.pullback(&seen.instance, b)?;
                    let function = function.expect("an execution is seen as one instance");
                    let times: Vec<PwAff> = seen
                        .time
                        .pw_multi_affs()
                        .map(|f| f.component(depth + position))
                        .collect();
                    members.push(values(function.pw_affs().chain(&times)));
                }
                Ok((Step::of_band(band, members, child), seen))
            }
            Node::Filter(filter) => self.passed(&filter.filter, b)?.lower(&filter.child, paired, b),
            Node::Sequence(children) => self.children(children, true, paired, b),
            Node::Set(children) => self.children(children, false, paired, b),
            Node::Guard(guard, child) => {
                let times = self.times.intersect_range(&UnionSet::from(guard.clone()));
                Reaching { times, ..self }.lower(child, paired, b)
            }
            Node::Context(_, child) | Node::Mark(_, child) => self.lower(child, paired, b),
            Node::Expansion(expansion) => {
                let (child, seen) = self
                    .expanded(&expansion.expansion, b)?
                    .lower(&expansion.child, paired, b)?;
                let instance = expansion.contraction.pullback(&seen.instance, b)?;
                let instance = instance.expect("an execution is seen as one instance");
                Ok((child, Seen { instance, ..seen }))
            }
            Node::Extension(extension, child) => {
                let depth = self.depth;
                let (child, seen) = self.extended(extension, b)?.lower(child, paired, b)?;
                Ok((child, above_extension(seen, extension, depth, b)?))
            }
            Node::Leaf => {
                let seen = self.at_leaf(b)?;
                paired.extend(self.paired);
                Ok((Step::Leaf, seen))
            }
        }
    }

    fn children(
        self,
        children: &[Filter],
        ordered: bool,
        paired: &mut IndexSet<Tuple>,
        b: &Budget,
    ) -> Outcome<(Step, Seen)> {
        let params = self.times.params().clone();
        let mut all = Seen {
            instance: UnionPwMultiAff::empty(params.clone()),
            time: UnionPwMultiAff::empty(params),
        };
        let mut steps = Vec::with_capacity(children.len());
        for child in children {
            let (step, seen) = self.passed(&child.filter, b)?.lower(&child.child, paired, b)?;
            steps.push((seen.executions(), step));
            let union = |f: &UnionPwMultiAff, g| -> Outcome<UnionPwMultiAff> {
                Ok(f.union(g, b)?.expect("no execution is below two children"))
            };
            all = Seen {
                instance: union(&all.instance, &seen.instance)?,
                time: union(&all.time, &seen.time)?,
            };
        }
        let step = Step::Children {
            ordered,
            children: steps,
        };
        Ok((step, all))
    }

    /// `{ element -> instance }` for what reaches the node.
    fn instances(&self) -> UnionMap {
        let mut out = UnionMap::empty(self.times.params().clone());
        for map in self.times.maps() {
            let (tuple, params) = (map.domain_tuple(), map.params());
            if self.paired.contains(tuple) {
                let all = Set::universe(SetSpace::new(params.clone(), tuple.clone()));
                out.add(&all.unwrap().range_map());
            } else {
                out.add(&Map::identity(params.clone(), tuple.clone()));
            }
        }
        out
    }

    fn ordered(self, band: &Band, b: &Budget) -> Outcome<Reaching> {
        let own = self.instances().apply_range(&band.schedule().to_union_map(b)?, b)?;
        Ok(Reaching {
            times: self.times.flat_range_product(&own),
            depth: self.depth + band.n(),
            paired: self.paired,
        })
    }

    fn passed(&self, filter: &UnionSet, b: &Budget) -> Outcome<Reaching> {
        let passed = self.instances().intersect_range(filter).domain(b)?;
        Ok(Reaching {
            times: self.times.intersect_domain(&passed),
            depth: self.depth,
            paired: self.paired.clone(),
        })
    }

    fn expanded(self, expansion: &UnionMap, b: &Budget) -> Outcome<Reaching> {
        let back = expansion.reverse();
        let mut from = UnionMap::empty(back.params().clone());
        let mut paired = IndexSet::new();
        for element in self.times.maps().map(Map::domain_tuple) {
            let (outer, instance) = match element.nested() {
                Some((outer, instance)) if self.paired.contains(element) => (Some(outer), instance),
                _ => (None, element),
            };
            for map in back.maps().filter(|map| map.range_tuple() == instance) {
                match outer {
                    None => from.add(map),
                    Some(outer) => {
                        let map = Map::identity(map.params().clone(), outer.clone()).product(map);
                        paired.insert(map.domain_tuple().clone());
                        from.add(&map);
                    }
                }
            }
        }
        Ok(Reaching {
            times: from.apply_range(&self.times, b)?,
            depth: self.depth,
            paired,
        })
    }

    /// With what the extension introduces, where anything that reaches it is executed.
    fn extended(mut self, extension: &UnionMap, b: &Budget) -> Outcome<Reaching> {
        let introduced = extension.intersect_domain(&self.times.range(b)?.coalesce(b)?);
        for map in introduced.maps() {
            let times = map.domain_map();
            self.paired.insert(times.domain_tuple().clone());
            self.times = self.times.union(&times.into());
        }
        Ok(self)
    }

    fn at_leaf(&self, b: &Budget) -> Outcome<Seen> {
        let elements = self.times.domain(b)?;
        let mut instance = UnionPwMultiAff::empty(elements.params().clone());
        for set in elements.sets() {
            let function = match set.tuple().nested() {
                Some((outer, own)) if self.paired.contains(set.tuple()) => {
                    projection(set, outer.n(), own.n(), own.clone())
                }
                _ => PwMultiAff::identity(set),
            };
            let union = instance.union(&function.into(), b)?;
            instance = union.expect("functions on different tuples");
        }
        let time = UnionPwMultiAff::empty(elements.params().clone());
        Ok(Seen { instance, time })
    }
}

/// The function of the elements of `set` that gives `count` of their dimensions, from `first` on, as a tuple.
fn projection(set: &Set, first: usize, count: usize, range: Tuple) -> PwMultiAff {
    let space = set.space();
    let affs = (first..first + count).map(|dim| Aff::var(space.clone(), dim)).collect();
    PwMultiAff::new(set.clone(), MultiAff::new(space.clone(), range, affs))
}

/// What executions are seen as above an extension below `depth` members.
fn above_extension(seen: Seen, extension: &UnionMap, depth: usize, b: &Budget) -> Outcome<Seen> {
    let mut instance = UnionPwMultiAff::empty(seen.instance.params().clone());
    let mut time = seen.time;
    for part in seen.instance.pw_multi_affs() {
        let introduced = extension.maps().any(|map| *map.range_tuple() == part.space().range);
        if introduced {
            let own = projection(&part.domain(), 0, depth, Tuple::anonymous(depth));
            time = time.union(&own.into(), b)?.expect("an execution is introduced once");
        } else {
            let part = part.clone().into();
            instance = instance.union(&part, b)?.expect("functions on different tuples");
        }
    }
    Ok(Seen { instance, time })
}
