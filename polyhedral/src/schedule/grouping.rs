//! Grouping of chains of statements (P0, 7.4).
//!
//! Statements that compute something step by step, each used by the next one at once, will stay together in any good
//! schedule. Scheduling them as one saves most of the work. Two statements that follow each other in a sequence of the
//! original schedule, with nothing below them, are *chained* if the pairs `a -> b` that have to be in order and should be
//! close
//!
//! - cover all instances of both,
//! - are a bijection, and
//! - relate instances with the same values of all outer members: nothing comes between `a` and `b`.
//!
//! A *group* are statements next to each other, of which one is chained to one of what comes after. Its instances have
//! the values of the outer members as coordinates, `G_0[i, j]`. The constraints on the statements become constraints on the
//! groups; in the schedule of the groups, an expansion puts the statements in place again, in their original order.
//!
//! For `for (i) { S: t = a[i]; T: b[i] = t; }` the pairs `S[i] -> T[i]` chain `S` and `T`. What is scheduled is `G_0[i]`,
//! with `G_0[i] -> G_0[i + 1]` for the memory of `t`, and what comes out is a band over `G_0`, the expansion
//! `{ G_0[i] -> S[i]; G_0[i] -> T[i] }` and the sequence of `S` and `T`. Who has no use for the expansion may have the
//! statements [in place](Groups::in_place) of the group instead: a band over `S` and `T`, and their sequence.

use super::ScheduleConstraints;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::program::Program;
use crate::sets::{Aff, Map, MultiAff, Name, Params, Set, Tuple, UnionMap, UnionPwMultiAff};
use crate::tree::{Expansion, Filter, Node, Path, RewriteError, Tree};

/// Statements that are scheduled as one.
#[derive(Clone, Debug)]
struct Group {
    /// The tuple of the group's instances.
    tuple: Tuple,
    /// The statements, in their original order, each with the injective function to the group.
    members: Vec<(Tuple, Map)>,
}

impl Group {
    fn has(&self, statement: &Tuple) -> bool {
        self.members.iter().any(|(member, _)| member == statement)
    }

    /// Its statements, in a sequence.
    fn in_order(&self) -> Filter {
        let members = self.members.iter().map(|(member, _)| member.clone());
        let sequence = members
            .clone()
            .map(|member| Filter::of_statements([member], Node::Leaf));
        Filter::of_statements(members, Node::Sequence(sequence.collect()))
    }
}

/// The groups of a program; by default none.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    groups: Vec<Group>,
}

/// A statement at a leaf of a sequence.
#[derive(Clone, Debug)]
struct Leaf {
    domain: Set,
    /// Its instances to the values of the outer members.
    prefix: Map,
}

impl Groups {
    /// The groups of the statements that `constraints` schedule, which have the original schedule `tree`. Their names
    /// are `G_0`, `G_1`, .., as far as these are not the names of statements.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn of_chains(tree: &Tree, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<Groups> {
        let mut all = Vec::new();
        for path in tree.paths() {
            if let Some(Node::Sequence(children)) = tree.at(&path) {
                all.extend(runs(tree, &path, children, constraints, b)?);
            }
        }
        Groups::of_runs(all, constraints, b)
    }

    /// The groups of a program's statements, which `constraints` schedule. A group has the values of what is not constant
    /// in the original schedule as coordinates.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn of_program(program: &Program, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<Groups> {
        Groups::of_runs(runs_of_program(program, constraints), constraints, b)
    }

    fn of_runs(runs: Vec<Vec<Leaf>>, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<Groups> {
        let mut groups = Groups::default();
        let names: Vec<&str> = constraints
            .domain
            .tuples()
            .filter_map(|t| t.name())
            .map(Name::as_str)
            .collect();
        let mut fresh = (0..)
            .map(|k| format!("G_{k}"))
            .filter(|name| !names.contains(&name.as_str()));
        for run in runs {
            for chain in chains(run, constraints, b)? {
                let name = fresh.next().expect("there is always another name");
                let n = chain[0].prefix.range_tuple().n();
                let tuple = Tuple::new(&name, n);
                let member = |leaf: &Leaf| {
                    let function = leaf.prefix.with_range_tuple(tuple.clone());
                    (leaf.domain.tuple().clone(), function)
                };
                groups.groups.push(Group {
                    members: chain.iter().map(member).collect(),
                    tuple,
                });
            }
        }
        Ok(groups)
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The number of statements that are in groups, less one for each group: so many fewer are scheduled.
    pub fn saved(&self) -> usize {
        self.groups.iter().map(|group| group.members.len() - 1).sum()
    }

    /// From an instance of a statement to that of its group. None if it is in none.
    fn function(&self, statement: &Tuple) -> Option<&Map> {
        let members = self.groups.iter().flat_map(|group| &group.members);
        members
            .filter(|(tuple, _)| tuple == statement)
            .map(|(_, function)| function)
            .next()
    }

    /// The constraints on the groups, and on the statements that are in none. References that should be consecutive are
    /// kept for the latter only.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn constraints(&self, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<ScheduleConstraints> {
        constraints.mapped(&|statement| self.function(statement).cloned().into_iter().collect(), b)
    }

    /// The schedule of the statements that a schedule of the groups is: an expansion at each leaf that groups reach,
    /// above the sequence of each group's statements.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn expanded(&self, tree: &Tree, b: &Budget) -> Outcome<Tree> {
        let active: Vec<Tuple> = tree.domain.tuples().cloned().collect();
        let root = with_leaves(tree.root.clone(), &active, &|active| self.expansion(active, b))?;
        Ok(tree.with_root(root))
    }

    /// The schedule of the statements in `constraints` that a schedule of the groups is: functions of bands are those of
    /// the group's coordinates, and at each leaf that members of groups reach, these are in their original order.
    ///
    /// # Errors
    ///
    /// If the budget is spent, or if there are expansions or extensions in the tree.
    pub fn in_place(&self, tree: &Tree, constraints: &ScheduleConstraints, b: &Budget) -> Result<Tree, RewriteError> {
        let mut functions = UnionMap::empty(Params::none());
        for statement in constraints.domain.tuples() {
            match self.function(statement) {
                Some(function) => functions.add(function),
                None => functions.add(&Map::identity(Params::none(), statement.clone())),
            }
        }
        let function = UnionPwMultiAff::from_union_map(&functions, b)?.expect("each statement is in one group");
        let mut placed = tree.pullback(&function, b)?;
        placed.domain = constraints.domain.clone();
        let active: Vec<Tuple> = placed.domain.tuples().cloned().collect();
        placed.root = with_leaves(placed.root, &active, &|active| Ok(self.in_order(active)))?;
        Ok(placed)
    }

    /// What takes the place of a leaf that these statements reach.
    fn in_order(&self, active: &[Tuple]) -> Node {
        let mut rest = active.to_vec();
        let mut parts: Vec<Filter> = Vec::new();
        for group in &self.groups {
            let (own, others): (Vec<Tuple>, Vec<Tuple>) = rest.into_iter().partition(|tuple| group.has(tuple));
            rest = others;
            if !own.is_empty() {
                parts.push(group.in_order());
            }
        }
        if parts.is_empty() {
            return Node::Leaf;
        }
        parts.extend(rest.into_iter().map(|tuple| Filter::of_statements([tuple], Node::Leaf)));
        in_any_order(parts)
    }

    /// What takes the place of a leaf that these groups and statements reach.
    fn expansion(&self, active: &[Tuple], b: &Budget) -> Outcome<Node> {
        if !active.iter().any(|tuple| self.groups.iter().any(|g| g.tuple == *tuple)) {
            return Ok(Node::Leaf);
        }
        let mut contraction = UnionMap::empty(Params::none());
        let mut parts: Vec<Filter> = Vec::new();
        for tuple in active {
            match self.groups.iter().find(|group| group.tuple == *tuple) {
                Some(group) => {
                    group.members.iter().for_each(|(_, function)| contraction.add(function));
                    parts.push(group.in_order());
                }
                None => {
                    contraction.add(&Map::identity(Params::none(), tuple.clone()));
                    parts.push(Filter::of_statements([tuple.clone()], Node::Leaf));
                }
            }
        }
        let function = UnionPwMultiAff::from_union_map(&contraction, b)?.expect("each statement is in one group");
        Ok(Node::Expansion(Box::new(Expansion {
            expansion: contraction.reverse(),
            contraction: function,
            child: in_any_order(parts),
        })))
    }
}

/// What executes these parts, of which there are some.
fn in_any_order(mut parts: Vec<Filter>) -> Node {
    match &mut parts[..] {
        [part] => std::mem::replace(&mut part.child, Node::Leaf),
        _ => Node::Set(parts),
    }
}

/// The tree with other nodes in the place of its leaves, from the statements or groups of `active` that reach each.
fn with_leaves(node: Node, active: &[Tuple], leaf: &dyn Fn(&[Tuple]) -> Outcome<Node>) -> Outcome<Node> {
    let with_filters = |children: Vec<Filter>| -> Outcome<Vec<Filter>> {
        let mut changed = Vec::with_capacity(children.len());
        for filter in children {
            let passing: Vec<Tuple> = active
                .iter()
                .filter(|tuple| filter.filter.tuples().any(|t| t == *tuple))
                .cloned()
                .collect();
            let child = with_leaves(filter.child, &passing, leaf)?;
            changed.push(Filter {
                filter: filter.filter,
                child,
            });
        }
        Ok(changed)
    };
    Ok(match node {
        Node::Leaf => leaf(active)?,
        Node::Sequence(children) => Node::Sequence(with_filters(children)?),
        Node::Set(children) => Node::Set(with_filters(children)?),
        mut other => {
            for child in other.children_mut() {
                let inner = std::mem::replace(child, Node::Leaf);
                *child = with_leaves(inner, active, leaf)?;
            }
            other
        }
    })
}

/// The runs of statements that are next to each other in a loop's body, or outside of all loops. No two instances have the
/// same value of the original schedule, so that what is not constant in it is injective.
fn runs_of_program(program: &Program, constraints: &ScheduleConstraints) -> Vec<Vec<Leaf>> {
    let mut runs: Vec<(Vec<Option<Int>>, Vec<Leaf>)> = Vec::new();
    for statement in &program.statements {
        let affs = statement.schedule.affs();
        let depth = affs
            .iter()
            .rposition(|aff| !aff.is_constant())
            .map_or(0, |last| last + 1);
        let outer = &affs[..depth];
        let place: Vec<Option<Int>> = outer.iter().map(Aff::as_constant).collect();
        let coordinates: Vec<Aff> = outer.iter().filter(|aff| !aff.is_constant()).cloned().collect();
        let tuple = Tuple::anonymous(coordinates.len());
        let leaf = Leaf {
            domain: statement.domain.intersect_params(&constraints.context),
            prefix: MultiAff::new(statement.schedule.domain_space(), tuple, coordinates).to_map(),
        };
        match runs.last_mut() {
            Some((last, run)) if *last == place => run.push(leaf),
            _ => runs.push((place, vec![leaf])),
        }
    }
    runs.into_iter().map(|(_, run)| run).collect()
}

/// The runs of children of a sequence that are leaves, each reached by instances of one statement only.
fn runs(
    tree: &Tree,
    path: &Path,
    children: &[Filter],
    constraints: &ScheduleConstraints,
    b: &Budget,
) -> Outcome<Vec<Vec<Leaf>>> {
    let mut runs: Vec<Vec<Leaf>> = vec![Vec::new()];
    for (position, child) in children.iter().enumerate() {
        let mut leaf = None;
        if let Node::Leaf = child.child {
            let reach = tree.reach(&path.child(position), b)?;
            let mut sets = reach.instances.sets();
            if let (Some(set), None) = (sets.next(), sets.next()) {
                let whole = constraints.domain.sets().find(|s| s.tuple() == set.tuple());
                let whole = whole.map(|set| set.intersect_params(&constraints.context));
                let relation = reach.schedule_relation(b)?;
                let mut prefixes = relation.maps();
                if let (Some(domain), Some(prefix), None) = (whole, prefixes.next(), prefixes.next())
                    && domain.is_subset(set, b)?
                    && prefix.is_injective(b)?
                {
                    leaf = Some(Leaf {
                        prefix: prefix.intersect_domain(&domain),
                        domain,
                    });
                }
            }
        }
        match leaf {
            Some(leaf) => runs.last_mut().expect("there is a run").push(leaf),
            None => runs.push(Vec::new()),
        }
    }
    Ok(runs)
}

/// The chains of more than one statement in a run: compared from the last to the first, and again with what comes after
/// when two have become one.
fn chains(run: Vec<Leaf>, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<Vec<Vec<Leaf>>> {
    let mut chains: Vec<Vec<Leaf>> = Vec::new();
    for leaf in run.into_iter().rev() {
        let mut own = vec![leaf];
        while let Some(next) = chains.last() {
            let mut chained = false;
            for first in &own {
                for second in next {
                    chained = chained || is_chained(first, second, constraints, b)?;
                }
            }
            if !chained {
                break;
            }
            own.extend(chains.pop().expect("there is a next chain"));
        }
        chains.push(own);
    }
    chains.reverse();
    chains.retain(|chain| chain.len() > 1);
    Ok(chains)
}

/// Whether the second statement uses what the first one does, instance by instance and at once.
fn is_chained(first: &Leaf, second: &Leaf, constraints: &ScheduleConstraints, b: &Budget) -> Outcome<bool> {
    let pairs = |relation: &UnionMap| relation.extract(first.domain.tuple(), second.domain.tuple());
    let pairs = pairs(&constraints.validity).intersect(&pairs(&constraints.proximity));
    let pairs = pairs.intersect_domain(&first.domain).intersect_range(&second.domain);
    if pairs.is_plainly_empty() || first.prefix.range_tuple() != second.prefix.range_tuple() {
        return Ok(false);
    }
    let together = first.prefix.apply_range(&second.prefix.reverse(), b)?;
    // Of the same values there is one instance of each, so that pairs are a bijection then.
    Ok(pairs.is_subset(&together, b)?
        && first.domain.is_subset(&pairs.domain(b)?, b)?
        && second.domain.is_subset(&pairs.range(b)?, b)?)
}
