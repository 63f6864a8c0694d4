//! A tree as one flat schedule: a function a statement, or a relation.

use indexmap::IndexMap;

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{
    Aff, Map, MapSpace, MultiAff, MultiUnionPwAff, Params, Set, SetSpace, Tuple, UnionMap, UnionPwMultiAff, UnionSet,
};
use crate::tree::prefix::n_pairs;
use crate::tree::{Band, Filter, Node, Path, Share, Tree};

impl Tree {
    /// For each statement a function to a common anonymous tuple, such that an instance is executed before another if
    /// its value is lexicographically smaller: where all instances of a statement take the same way through the tree,
    /// with one expression for each member on it, and there are no expansions, extensions and guards.
    ///
    /// The children of a set node come in the order in which they are listed. Instances that the tree does not order
    /// have equal values. Shorter branches are padded with zeros.
    pub fn flat_schedule(&self) -> Option<IndexMap<Tuple, MultiAff>> {
        let params = self.params();
        let mut functions: IndexMap<Tuple, Vec<Aff>> =
            self.domain.tuples().map(|tuple| (tuple.clone(), Vec::new())).collect();
        let space = |tuple: &Tuple| SetSpace::new(params.clone(), tuple.clone());
        walk(&self.root, &mut functions, &space)?;
        let length = functions.values().map(Vec::len).max().unwrap_or(0);
        let padded = functions.into_iter().map(|(tuple, mut affs)| {
            affs.resize_with(length, || Aff::constant(space(&tuple), Int::ZERO));
            let function = MultiAff::new(space(&tuple), Tuple::anonymous(length), affs);
            (tuple, function)
        });
        Some(padded.collect())
    }
}

impl Tree {
    /// The whole order, `{ x -> [t] }` for the instances `x` that reach the leaves: an instance is executed before another
    /// one if its value is lexicographically smaller.
    ///
    /// There is a dimension for each member, and one for each sequence and set, whose children count from 0; shorter
    /// branches are padded with zeros. An instance that an extension introduces several times has several values.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn schedule_map(&self, b: &Budget) -> Outcome<UnionMap> {
        padded(&self.leaves(b)?, 0, b)
    }

    /// The order as [`Tree::schedule_map`], and for each of its dimensions the instances for which it is a position in a set,
    /// so that it does not order them.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub(crate) fn schedule_map_and_sets(&self, b: &Budget) -> Outcome<(UnionMap, Vec<UnionSet>)> {
        let leaves = self.leaves(b)?;
        let length = leaves.iter().map(|times| times.length).max().unwrap_or(0);
        let mut sets = vec![UnionSet::empty(Params::none()); length];
        for times in &leaves {
            for &dim in &times.sets {
                sets[dim] = sets[dim].union(&times.relation.domain(b)?);
            }
        }
        Ok((padded(&leaves, 0, b)?, sets))
    }

    /// The instances that reach the leaves: the domain of [`Tree::schedule_map`]. Members of bands, of which there may be very many, are only
    /// looked at where an extension or a guard is written over their values.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn executed(&self, b: &Budget) -> Outcome<UnionSet> {
        let is_anchored = |node: &Node| matches!(node, Node::Extension(..) | Node::Guard(..));
        if self.root.any(&is_anchored) {
            return self.schedule_map(b)?.domain(b);
        }
        let mut executed = UnionSet::empty(self.params());
        add_reaching(
            &self.root,
            self.domain.intersect_params(&self.context),
            &mut executed,
            b,
        )?;
        executed.coalesce(b)
    }

    fn leaves(&self, b: &Budget) -> Outcome<Vec<Times>> {
        let start = Times {
            relation: self.reach_root().schedule_relation(b)?,
            members: Vec::new(),
            sets: Vec::new(),
            length: 0,
            extended: false,
        };
        let mut leaves = Vec::new();
        start.walk(&self.root, &mut leaves, b)?;
        Ok(leaves)
    }

    /// The order that the node at `path` and those below it give to the instances that reach the leaves below it, as
    /// [`Tree::schedule_map`].
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn subtree_schedule_map(&self, path: &Path, b: &Budget) -> Outcome<UnionMap> {
        let Some(node) = self.at(path) else {
            panic!("no node at {path}")
        };
        let reach = self.reach(path, b)?;
        let start = Times {
            relation: reach.schedule_relation(b)?,
            members: (0..reach.depth()).collect(),
            sets: Vec::new(),
            length: reach.depth(),
            extended: true,
        };
        let mut leaves = Vec::new();
        start.walk(node, &mut leaves, b)?;
        padded(&leaves, reach.depth(), b)
    }

    /// The tree of one band that orders the instances in the domain of `schedule` by their values; `None` where an instance
    /// has several values, or the values are in several tuples.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn from_schedule_map(schedule: &UnionMap, context: &Set, b: &Budget) -> Outcome<Option<Tree>> {
        let Some(function) = UnionPwMultiAff::from_union_map(schedule, b)? else {
            return Ok(None);
        };
        let mut ranges = function.pw_multi_affs().map(|part| &part.space().range);
        let range = ranges.next().cloned().unwrap_or_else(Tuple::unit);
        if ranges.any(|other| *other != range) {
            return Ok(None);
        }
        let domain = schedule.domain(b)?;
        let function = MultiUnionPwAff::from_union_pw_multi_aff(&function, range).gist(&domain, b)?;
        Ok(Some(Tree {
            domain,
            context: context.clone(),
            root: Node::band(Band::new(function, Node::Leaf)),
        }))
    }
}

/// Adds those of the instances at a node that reach leaves below it, in a tree without extensions and guards.
fn add_reaching(node: &Node, instances: UnionSet, executed: &mut UnionSet, b: &Budget) -> Outcome<()> {
    b.spend(1 + instances.sets().map(|set| set.pieces().len() as u64).sum::<u64>())?;
    match node {
        Node::Band(band) => add_reaching(&band.child, instances, executed, b),
        Node::Filter(filter) => {
            let passed = instances.intersect(&filter.filter);
            add_reaching(&filter.child, passed, executed, b)
        }
        Node::Sequence(children) | Node::Set(children) => children.iter().try_for_each(|filter| {
            let passed = instances.intersect(&filter.filter);
            add_reaching(&filter.child, passed, executed, b)
        }),
        Node::Expansion(expansion) => {
            let expanded = instances.apply(&expansion.expansion, b)?;
            add_reaching(&expansion.child, expanded, executed, b)
        }
        Node::Extension(..) | Node::Guard(..) => unreachable!("there are none"),
        Node::Context(_, child) | Node::Mark(_, child) => add_reaching(child, instances, executed, b),
        Node::Leaf => {
            for set in instances.sets() {
                executed.add(set);
            }
            Ok(())
        }
    }
}

/// The times of the instances that reach a node.
struct Times {
    /// `{ x -> [t] }`.
    relation: UnionMap,
    /// The positions in `t` of the values of the outer members; the others are positions in sequences and sets.
    members: Vec<usize>,
    /// The positions in `t` of those in sets.
    sets: Vec<usize>,
    /// The number of dimensions of `t`.
    length: usize,
    /// Whether there may be an extension above.
    extended: bool,
}

impl Times {
    /// Adds the times of the instances that reach leaves from here.
    fn walk(self, node: &Node, leaves: &mut Vec<Times>, b: &Budget) -> Outcome<()> {
        b.spend(1)?;
        match node {
            Node::Band(band) if band.n() == 0 => self.walk(&band.child, leaves, b),
            Node::Band(band) => {
                let own = band.schedule().to_union_map(b)?;
                // Each conjunction of the one is combined with each of the other.
                b.spend(n_pairs(&self.relation, &own))?;
                let product = self.relation.flat_range_product(&own);
                let mut members = self.members;
                members.extend(self.length..self.length + band.n());
                let inside = Times {
                    // What an extension introduces has as many conjunctions as there are ways to reach it.
                    relation: if self.extended { product.coalesce(b)? } else { product },
                    members,
                    sets: self.sets,
                    length: self.length + band.n(),
                    extended: self.extended,
                };
                inside.walk(&band.child, leaves, b)
            }
            Node::Filter(filter) => {
                self.with(|r| Ok(r.intersect_domain(&filter.filter)))?
                    .walk(&filter.child, leaves, b)
            }
            Node::Sequence(children) | Node::Set(children) => {
                let mut sets = self.sets;
                if let Node::Set(_) = node {
                    sets.push(self.length);
                }
                for (position, filter) in children.iter().enumerate() {
                    let passed = self.relation.intersect_domain(&filter.filter);
                    let inside = Times {
                        relation: followed_by(&passed, &[Int::from(position)]),
                        members: self.members.clone(),
                        sets: sets.clone(),
                        length: self.length + 1,
                        extended: self.extended,
                    };
                    inside.walk(&filter.child, leaves, b)?;
                }
                Ok(())
            }
            Node::Expansion(expansion) => {
                let back = expansion.expansion.reverse();
                self.with(|relation| back.apply_range(relation, b))?
                    .walk(&expansion.child, leaves, b)
            }
            Node::Extension(extension, child) => {
                let outer = self.outer(self.relation.range(b)?.coalesce(b)?, extension.params());
                let introduced = extension.reverse().apply_range(&outer.reverse(), b)?;
                let inside = Times {
                    relation: self.relation.union(&introduced).coalesce(b)?,
                    extended: true,
                    ..self
                };
                inside.walk(child, leaves, b)
            }
            Node::Guard(guard, child) => {
                let outer = self.outer(self.relation.range(b)?.coalesce(b)?, guard.params());
                let allowed = outer.intersect_range(&UnionSet::from(guard.clone())).domain(b)?;
                self.with(|relation| Ok(relation.intersect_range(&allowed)))?
                    .walk(child, leaves, b)
            }
            Node::Context(_, child) | Node::Mark(_, child) => self.walk(child, leaves, b),
            Node::Leaf => {
                leaves.push(self);
                Ok(())
            }
        }
    }

    fn with(self, change: impl FnOnce(&UnionMap) -> Outcome<UnionMap>) -> Outcome<Times> {
        Ok(Times {
            relation: change(&self.relation)?,
            ..self
        })
    }

    /// `{ [t] -> [c] }`: the values of the outer members at the given times.
    fn outer(&self, times: UnionSet, params: &Params) -> UnionMap {
        let params = times.params().union(params);
        let space = MapSpace::new(
            params,
            Tuple::anonymous(self.length),
            Tuple::anonymous(self.members.len()),
        );
        let mut map = Map::universe(space);
        for (position, &member) in self.members.iter().enumerate() {
            map = map.equate(member, position);
        }
        UnionMap::from(map).intersect_domain(&times)
    }
}

/// The relation with constant dimensions added to its range.
fn followed_by(relation: &UnionMap, constants: &[Int]) -> UnionMap {
    let mut out = UnionMap::empty(relation.params().clone());
    for map in relation.maps() {
        let tuple = Tuple::anonymous(constants.len());
        let mut point = Set::universe(SetSpace::new(map.params().clone(), tuple));
        for (dim, value) in constants.iter().enumerate() {
            point = point.fix_dim(dim, value);
        }
        let all = Set::universe(map.space().domain_space());
        out.add(&map.flat_range_product(&Map::from_domain_and_range(&all, &point)));
    }
    out
}

/// The union of the times, without their first `skipped` dimensions, padded to the same length.
fn padded(leaves: &[Times], skipped: usize, b: &Budget) -> Outcome<UnionMap> {
    let length = leaves.iter().map(|times| times.length).max().unwrap_or(skipped);
    let mut out = UnionMap::empty(Params::none());
    for times in leaves {
        let zeros = vec![Int::ZERO; length - times.length];
        for map in followed_by(&times.relation, &zeros).maps() {
            let own = match skipped {
                0 => map.clone(),
                _ => map.project_out_range(0, skipped, b)?,
            };
            out = out.union(&own.with_range_tuple(Tuple::anonymous(length - skipped)).into());
        }
    }
    out.coalesce(b)
}

/// Appends what `node` says of the order to the functions of the statements that reach it.
fn walk(node: &Node, functions: &mut IndexMap<Tuple, Vec<Aff>>, space: &dyn Fn(&Tuple) -> SetSpace) -> Option<()> {
    match node {
        Node::Band(band) => {
            for (tuple, affs) in functions.iter_mut() {
                let params = space(tuple).params;
                affs.extend(band.function_of(tuple)?.align_params(&params).affs().iter().cloned());
            }
            walk(&band.child, functions, space)
        }
        Node::Filter(filter) => {
            *functions = passed(filter, functions)?;
            walk(&filter.child, functions, space)
        }
        Node::Sequence(children) | Node::Set(children) => {
            for (position, filter) in children.iter().enumerate() {
                let mut passed = passed(filter, functions)?;
                for (tuple, affs) in &mut passed {
                    affs.push(Aff::constant(space(tuple), Int::from(position)));
                }
                walk(&filter.child, &mut passed, space)?;
                functions.extend(passed);
            }
            Some(())
        }
        Node::Context(_, child) | Node::Mark(_, child) => walk(child, functions, space),
        Node::Expansion(_) | Node::Extension(..) | Node::Guard(..) => None,
        Node::Leaf => Some(()),
    }
}

/// The functions of the statements that pass a filter, if it splits none.
fn passed(filter: &Filter, functions: &IndexMap<Tuple, Vec<Aff>>) -> Option<IndexMap<Tuple, Vec<Aff>>> {
    let mut passed = IndexMap::new();
    for (tuple, affs) in functions {
        match filter.share(tuple) {
            Share::Nothing => {}
            Share::Whole => {
                passed.insert(tuple.clone(), affs.clone());
            }
            Share::Part => return None,
        }
    }
    Some(passed)
}
