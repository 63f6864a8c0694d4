//! What reaches a node, and the part of the schedule above it.
//!
//! The *prefix schedule* of a node gives an instance that reaches it the values of the node's outer members. Above an
//! expansion, the value is that of the instance which the expanded one stands for; an instance that an extension
//! introduces has those values for which it does, of which there may be several: then the prefix schedule is a relation.
//!
//! In the running example of the [module](crate::tree), `S` and `T` reach the sequence with the prefix schedule
//! `{ S[i] -> [i]; T[i, j] -> [i] }`, and `T` reaches the leaf below its band with `{ T[i, j] -> [i, j] }`.

use crate::budget::{Budget, Outcome};
use crate::sets::{MultiUnionPwAff, Set, SetSpace, Tuple, UnionMap, UnionPwMultiAff, UnionSet};
use crate::tree::{Filter, Node, Path, Tree};

/// The instances that reach a node, with its prefix schedule.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The instances that reach the node, for parameter values in the tree's context.
    pub instances: UnionSet,
    prefix: Prefix,
    depth: usize,
}

#[derive(Clone, Debug)]
enum Prefix {
    /// It has a value for all instances, and may have one for others.
    Function(MultiUnionPwAff),
    /// It is over the instances only.
    Relation(UnionMap),
}

impl Tree {
    /// What reaches the node below the domain and the context.
    pub fn reach_root(&self) -> Reach {
        Reach {
            instances: self.domain.intersect_params(&self.context),
            prefix: Prefix::Function(nothing_on(&self.domain)),
            depth: 0,
        }
    }

    /// What reaches the node at `path`.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn reach(&self, path: &Path, b: &Budget) -> Outcome<Reach> {
        let mut reach = self.reach_root();
        let mut node = &self.root;
        for &step in path.steps() {
            reach = reach.through(node, step, b)?;
            let Some(child) = node.children().nth(step) else {
                panic!("no node at {path}")
            };
            node = child;
        }
        Ok(reach)
    }
}

/// The number of pairs of conjunctions of the two.
pub(super) fn n_pairs(one: &UnionMap, other: &UnionMap) -> u64 {
    let count = |map: &UnionMap| map.maps().map(|map| map.pieces().len() as u64).sum::<u64>();
    count(one) * count(other)
}

/// The function without members on all instances of the statements of `domain`.
fn nothing_on(domain: &UnionSet) -> MultiUnionPwAff {
    let mut all = UnionSet::empty(domain.params().clone());
    for tuple in domain.tuples() {
        all.add(&Set::universe(SetSpace::new(domain.params().clone(), tuple.clone())));
    }
    MultiUnionPwAff::on_domain(Tuple::unit(), all)
}

impl Reach {
    /// The number of outer members.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// What reaches the child of `node` at `position`, where this reaches `node`.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If there is no such child.
    pub fn through(&self, node: &Node, position: usize, b: &Budget) -> Outcome<Reach> {
        match node {
            Node::Band(band) if band.n() == 0 => Ok(self.clone()),
            Node::Band(band) => {
                let prefix = match &self.prefix {
                    Prefix::Function(function) => Prefix::Function(function.flat_range_product(band.schedule(), b)?),
                    Prefix::Relation(relation) => {
                        // Over more than the instances, whose conjunctions are those of the relation once more.
                        let own = band.schedule().to_union_map(b)?;
                        // Each conjunction of the one is combined with each of the other, and some of these are empty.
                        b.spend(n_pairs(relation, &own))?;
                        Prefix::Relation(relation.flat_range_product(&own).coalesce(b)?)
                    }
                };
                Ok(Reach {
                    instances: self.instances.clone(),
                    prefix,
                    depth: self.depth + band.n(),
                })
            }
            Node::Filter(filter) => Ok(self.filtered(&filter.filter)),
            Node::Sequence(children) | Node::Set(children) => {
                let Filter { filter, .. } = &children[position];
                Ok(self.filtered(filter))
            }
            Node::Guard(guard, _) if self.depth == 0 => {
                Ok(self.filtered(&self.instances.intersect_params(&guard.with_tuple(Tuple::unit()))))
            }
            Node::Guard(guard, _) => {
                let allowed = UnionSet::from(guard.clone());
                let passed = self.schedule_relation(b)?.intersect_range(&allowed).domain(b)?;
                Ok(self.filtered(&passed))
            }
            Node::Expansion(expansion) => self.expanded(&expansion.contraction, &expansion.expansion, b),
            Node::Extension(extension, _) => {
                let relation = self.schedule_relation(b)?;
                let reached = relation.range(b)?.coalesce(b)?;
                let introduced = extension.intersect_domain(&reached).reverse();
                Ok(Reach {
                    instances: self.instances.union(&introduced.domain(b)?),
                    prefix: Prefix::Relation(relation.union(&introduced).coalesce(b)?),
                    depth: self.depth,
                })
            }
            Node::Context(..) | Node::Mark(..) => Ok(self.clone()),
            Node::Leaf => panic!("a leaf has no child"),
        }
    }

    /// The pairs of instances with the same values of all outer members.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn together(&self, b: &Budget) -> Outcome<UnionMap> {
        let relation = self.schedule_relation(b)?;
        relation.apply_range(&relation.reverse(), b)
    }

    fn filtered(&self, filter: &UnionSet) -> Reach {
        Reach {
            instances: self.instances.intersect(filter),
            prefix: match &self.prefix {
                Prefix::Relation(relation) => Prefix::Relation(relation.intersect_domain(filter)),
                function => function.clone(),
            },
            depth: self.depth,
        }
    }

    fn expanded(&self, contraction: &UnionPwMultiAff, expansion: &UnionMap, b: &Budget) -> Outcome<Reach> {
        let expansion = expansion.intersect_domain(&self.instances);
        let instances = expansion.range(b)?;
        let function = match &self.prefix {
            Prefix::Function(function) => function.pullback(contraction, b)?,
            Prefix::Relation(_) => None,
        };
        let prefix = match function {
            Some(function) => Prefix::Function(function),
            None => Prefix::Relation(expansion.reverse().apply_range(&self.schedule_relation(b)?, b)?),
        };
        Ok(Reach {
            instances,
            prefix,
            depth: self.depth,
        })
    }

    /// The prefix schedule, `{ x -> [c] : x in instances }`.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn schedule_relation(&self, b: &Budget) -> Outcome<UnionMap> {
        match &self.prefix {
            Prefix::Function(function) => function.intersect_domain(&self.instances, b)?.to_union_map(b),
            Prefix::Relation(relation) => Ok(relation.clone()),
        }
    }

    /// The prefix schedule as a function, which may have values for other instances, too. `None` where it is none, as
    /// below an extension that introduces an instance several times.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn schedule_function(&self, b: &Budget) -> Outcome<Option<UnionPwMultiAff>> {
        match &self.prefix {
            Prefix::Function(function) => Ok(Some(function.to_union_pw_multi_aff(b)?)),
            Prefix::Relation(relation) => UnionPwMultiAff::from_union_map(relation, b),
        }
    }

    /// The prefix schedule as one function for each outer member, as [`Reach::schedule_function`].
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn schedule(&self, b: &Budget) -> Outcome<Option<MultiUnionPwAff>> {
        if let Prefix::Function(function) = &self.prefix {
            return Ok(Some(function.clone()));
        }
        let function = self.schedule_function(b)?;
        Ok(function.map(|f| MultiUnionPwAff::from_union_pw_multi_aff(&f, Tuple::anonymous(self.depth))))
    }
}
