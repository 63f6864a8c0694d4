//! The loops of an order that are best run on threads.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{AccessKind, ArrayKind, Program};
use farkas_polyhedral::sets::{ByTuple, Name, Tuple};
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Mark, Node, Path, Tree};

use super::copies::Copies;
use super::price::{Cycles, Iterations};
use super::{OtherLoops, Team, grain, strips};
use crate::analysis::levels::{self, Levels, LoopId};
use crate::analysis::nest::Nest;
use crate::cost::{Cost, GroupCost, Model};
use crate::dependences::ByArray;
use crate::transform::Transform;
use crate::transform::parallel::{self, Parallel};

/// A loop inside has to take at most this share of the time of one outside: it forks more often, which costs more than is known.
const INSIDE: f64 = 0.8;

/// A loop that runs on threads.
#[derive(Clone, Debug, PartialEq)]
struct Site {
    /// The band.
    path: Path,
    parallel: Parallel,
    /// The statements of the band.
    statements: Vec<Tuple>,
    /// The scalar slots that the statements accumulate in, across iterations.
    reduction: Vec<Name>,
    /// The arrays that each iteration has a copy of.
    copied: Vec<Name>,
    /// The members whose iterations reach the site, each once: it forks as often.
    around: Vec<LoopId>,
    /// The member whose iterations run at the same time.
    member: LoopId,
    /// The member in which they wait for each other.
    steps: Option<LoopId>,
}

/// An order whose loops run on threads.
#[derive(Clone, Debug)]
pub(crate) struct Threaded {
    /// The order, with marks.
    pub(crate) tree: Tree,
    /// The levels of the order.
    pub(crate) levels: Levels,
    /// Whether there are loops that the order for one thread does not have.
    pub(crate) has_other_loops: bool,
    sites: Vec<Site>,
    pub(crate) transforms: Vec<Transform>,
    /// The expected cycles.
    pub(crate) cycles: f64,
    /// The expected cycles with two threads.
    pub(crate) cycles_of_two: f64,
}

impl Threaded {
    /// The expected cycles, where there may be two threads or as many as the target has: the geometric mean of both.
    fn expected(&self) -> f64 {
        (self.cycles * self.cycles_of_two).sqrt()
    }
}

/// The best sites of an order for a team, outside of which so many bands are not considered; `None` where there are none, or nothing is
/// gained by them. With `force` there is no question of gain. Loops may be `others` than those of the order. Without
/// dependences `by_array`, no threads have copies of arrays.
///
/// # Errors
///
/// If the budget is spent.
pub(crate) fn threaded(
    (model, by_array): (&Model<'_>, Option<&ByArray>),
    order: (&Tree, &Levels, &Cost),
    team: &Team,
    (outside, force, others): (usize, bool, OtherLoops),
    b: &Budget,
) -> Outcome<Option<Threaded>> {
    let mut best = of_order((model, by_array), order, team, (outside, force), b)?;
    if others == OtherLoops::None {
        return Ok(best);
    }
    let with_loops = |tree: Option<Tree>| -> Outcome<Option<Threaded>> {
        let Some(tree) = tree else { return Ok(None) };
        let Some(levels) = levels::of_tree(&tree, model.program) else {
            return Ok(None);
        };
        let cost = model.cost(&levels, b)?;
        let threaded = of_order((model, by_array), (&tree, &levels, &cost), team, (outside, force), b)?;
        Ok(threaded.map(|threaded| Threaded {
            has_other_loops: true,
            ..threaded
        }))
    };
    let mut take = |other: Option<Threaded>, tolerance: f64| {
        let pays = |other: &Threaded| match &best {
            Some(best) => other.expected() < tolerance * best.expected(),
            None => true,
        };
        if other.as_ref().is_some_and(pays) {
            best = other;
        }
    };
    for length in strips::LENGTHS {
        take(with_loops(strips::with_strips(order.0, length))?, 1.0);
    }
    let divisors = match others {
        OtherLoops::StripsAndTiles => &grain::DIVISORS[..],
        OtherLoops::Strips | OtherLoops::None => &[],
    };
    for divisor in divisors {
        let other = with_loops(grain::with_smaller_tiles(order.0, *divisor))?;
        take(other, grain::TOLERANCE);
    }
    Ok(best)
}

/// The same of an order as it is.
fn of_order(
    (model, by_array): (&Model<'_>, Option<&ByArray>),
    (tree, levels, cost): (&Tree, &Levels, &Cost),
    team: &Team,
    (outside, force): (usize, bool),
    b: &Budget,
) -> Outcome<Option<Threaded>> {
    let nests = model.nests(levels);
    let mut accesses = model
        .program
        .statements
        .iter()
        .flat_map(|statement| &statement.accesses);
    let only_reduce = match accesses.any(|access| access.reduction.is_some()) {
        true => model.loops_that_carry_none(levels, b)?,
        false => Vec::new(),
    };
    let search = Search {
        program: model.program,
        nests: &nests,
        cost,
        team,
        force,
        has_constant_domains: model.has_constant_domains(),
        only_reduce: &only_reduce,
        copies: by_array.map(|by_array| Copies {
            program: model.program,
            by_array,
            tree,
            b,
        }),
    };
    let mut next = 0;
    let place = Place {
        path: Path::root(),
        around: Vec::new(),
        outside,
    };
    let sites = search.best(&tree.root, &place, &mut next)?;
    if sites.is_empty() {
        return Ok(None);
    }
    let mut marked = tree.clone();
    // Paths to other sites stay as they are: none is inside of another.
    for site in &sites {
        let mut private = private(model.program, &site.statements);
        private.retain(|name| !site.reduction.contains(name));
        private.extend(site.copied.iter().cloned());
        let mark = match site.steps {
            None => Mark::Parallel {
                private,
                reduction: site.reduction.clone(),
            },
            Some(_) => Mark::Pipeline { private },
        };
        let Some(Node::Band(band)) = tree.at(&site.path) else {
            unreachable!("a site is a band of the tree");
        };
        let node = parallel::parallel(band, site.parallel, mark);
        marked = marked.rewritten(&site.path, |_| node);
    }
    let transform = |site: &Site| Transform::Parallelize {
        statements: site.statements.clone(),
        pipelined: site.steps.is_some(),
    };
    Ok(Some(Threaded {
        tree: marked,
        transforms: sites.iter().map(transform).collect(),
        cycles: search.cycles_of(&sites),
        cycles_of_two: cycles_of_sites(model, (levels, cost), &sites, &Team::pair(model.target)),
        sites,
        levels: levels.clone(),
        has_other_loops: false,
    }))
}

/// The cycles of an order on threads for a model with other sizes.
///
/// # Errors
///
/// If the budget is spent.
pub(crate) fn cycles(model: &Model<'_>, threaded: &Threaded, team: &Team, b: &Budget) -> Outcome<Cycles> {
    let cost = model.cost(&threaded.levels, b)?;
    let of_team = |team: &Team| cycles_of_sites(model, (&threaded.levels, &cost), &threaded.sites, team);
    let work = of_team(&team.without_forks());
    Ok(Cycles {
        work,
        forks: of_team(team) - work,
    })
}

/// The cycles of an order with these sites.
fn cycles_of_sites(model: &Model<'_>, (levels, cost): (&Levels, &Cost), sites: &[Site], team: &Team) -> f64 {
    let nests = model.nests(levels);
    let search = Search {
        program: model.program,
        nests: &nests,
        cost,
        team,
        force: false,
        has_constant_domains: model.has_constant_domains(),
        only_reduce: &[],
        copies: None,
    };
    search.cycles_of(sites)
}

/// The scalar slots that statements write: each iteration has a copy of its own.
pub(crate) fn private(program: &Program, statements: &[Tuple]) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for statement in program.statements.iter().filter(|one| statements.contains(one.tuple())) {
        for access in &statement.accesses {
            let array = access.array();
            let name = array.name().expect("an array has a name");
            let is_slot = matches!(
                program.arrays[array].kind,
                ArrayKind::ScalarSlot | ArrayKind::ExpandedSlot
            );
            if is_slot && access.kind != AccessKind::Read && !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// The scalar slots that one of the statements accumulates in, and that none of the others accesses.
pub(super) fn reductions(program: &Program, statements: &[Tuple]) -> Vec<Name> {
    let is_slot = |tuple: &Tuple| program.arrays[tuple].kind == ArrayKind::ScalarSlot;
    let mut names: Vec<Name> = Vec::new();
    let of_sites = || program.statements.iter().filter(|one| statements.contains(one.tuple()));
    for statement in of_sites() {
        for access in statement.accesses.iter().filter(|access| access.reduction.is_some()) {
            let array = access.array();
            let mut users = of_sites().filter(|other| other.accesses.iter().any(|access| access.array() == array));
            let is_alone = users.next().is_some() && users.next().is_none();
            let own = statement.accesses.iter().filter(|access| access.array() == array);
            let name = array.name().expect("an array has a name");
            if is_slot(array)
                && is_alone
                && own.clone().all(|access| access.reduction.is_some())
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        }
    }
    names
}

struct Search<'a> {
    program: &'a Program,
    nests: &'a ByTuple<Nest>,
    cost: &'a Cost,
    team: &'a Team,
    force: bool,
    /// Whether numbers of iterations are known.
    has_constant_domains: bool,
    /// The members of whose iterations none waits for another one, but for contributions to reductions.
    only_reduce: &'a [LoopId],
    /// `None` where no iterations have copies of arrays.
    copies: Option<Copies<'a>>,
}

/// Where in a tree a node is.
struct Place {
    path: Path,
    /// The members around it.
    around: Vec<LoopId>,
    /// How many bands are not considered, from here inwards.
    outside: usize,
}

impl Place {
    fn child(&self, position: usize) -> Place {
        Place {
            path: self.path.child(position),
            around: self.around.clone(),
            outside: self.outside,
        }
    }
}

impl Search<'_> {
    /// The best sites of a subtree. `next` is the identifier of the first member inside: they are numbered as in [`Levels`].
    fn best(&self, node: &Node, place: &Place, next: &mut usize) -> Outcome<Vec<Site>> {
        match node {
            Node::Band(band) => self.best_of_band(band, place, next),
            Node::Mark(Mark::Vector { .. } | Mark::Jam { .. }, _) => {
                *next += members_inside(node);
                Ok(Vec::new())
            }
            _ => {
                let children = node.children().enumerate();
                let sites = children.map(|(position, child)| self.best(child, &place.child(position), next));
                Ok(sites.collect::<Outcome<Vec<_>>>()?.concat())
            }
        }
    }

    fn best_of_band(&self, band: &Band, place: &Place, next: &mut usize) -> Outcome<Vec<Site>> {
        let ids: Vec<LoopId> = (*next..*next + band.n()).map(LoopId).collect();
        *next += band.n();
        let inside = Place {
            path: place.path.child(0),
            around: place.around.iter().copied().chain(ids.iter().copied()).collect(),
            outside: place.outside.saturating_sub(1),
        };
        let inside = self.best(&band.child, &inside, next)?;
        if place.outside > 0 {
            return Ok(inside);
        }
        let statements: Vec<Tuple> = band.statements().cloned().collect();
        let is_inside = |tuple: &Tuple| inside.iter().any(|site| site.statements.contains(tuple));
        let elsewhere: Vec<Tuple> = statements.iter().filter(|tuple| !is_inside(tuple)).cloned().collect();
        let cycles_inside = inside.iter().map(|site| self.cycles(site)).sum::<f64>() + self.on_one_thread(&elsewhere);
        let sites = self.sites(band, &ids, place)?.into_iter();
        let best = sites
            .map(|site| (self.cycles(&site), site))
            .min_by(|(x, _), (y, _)| x.total_cmp(y));
        let pays = |cycles: f64| INSIDE * cycles <= cycles_inside && cycles < self.on_one_thread(&statements);
        Ok(match best {
            Some((cycles, site)) if self.force || pays(cycles) => vec![site],
            _ => inside,
        })
    }

    /// The sites of a band.
    fn sites(&self, band: &Band, ids: &[LoopId], place: &Place) -> Outcome<Vec<Site>> {
        let last = band.n() - 1;
        let is_innermost = !band.child.any(&|node| matches!(node, Node::Band(_)));
        let may_move = matches!(band.isolation, Isolation::Nothing);
        let mut sites = Vec::new();
        let statements: Vec<Tuple> = band.statements().cloned().collect();
        let reduction = reductions(self.program, &statements);
        let reduces = |member: usize| !reduction.is_empty() && self.only_reduce.contains(&ids[member]);
        let site = |parallel, before: &[LoopId], (member, steps)| Site {
            path: place.path.clone(),
            parallel,
            statements: statements.clone(),
            reduction: Vec::new(),
            copied: Vec::new(),
            around: place.around.iter().chain(before).copied().collect(),
            member,
            steps,
        };
        for (member, own) in band.members().iter().enumerate() {
            let stays = member == 0;
            if own.kind == LoopKind::Unroll || !stays && !may_move {
                continue;
            }
            // Another innermost loop is another order.
            let around = match stays || band.permutable && !(is_innermost && member == last) {
                true => 0,
                false => member,
            };
            let copied = match (own.coincident || reduces(member), &self.copies) {
                (true, _) => Some(Vec::new()),
                (false, None) => None,
                (false, Some(copies)) => {
                    let around: Vec<usize> = (0..around).collect();
                    copies.of_member((&place.path, band), (&around, member))?
                }
            };
            let Some(copied) = copied else { continue };
            let site = match around {
                0 => site(Parallel::First(member), &[], (ids[member], None)),
                _ => site(Parallel::Inside(member), &ids[..member], (ids[member], None)),
            };
            sites.push(match own.coincident {
                true => site,
                false => Site {
                    reduction: reduction.clone(),
                    copied,
                    ..site
                },
            });
        }
        let is_coincident = !sites.is_empty() || band.members().iter().any(|member| member.coincident);
        // What waits in each iteration of an innermost loop does nothing else.
        let n_free = band.n() - usize::from(is_innermost);
        if is_coincident || !band.permutable || n_free < 2 {
            return Ok(sites);
        }
        let mut pipeline = |rows, steps| {
            let parallel = Parallel::Pipeline { rows, steps };
            sites.push(site(parallel, &[], (ids[rows], Some(ids[steps]))));
        };
        match may_move {
            true => (0..n_free).for_each(|rows| {
                let others = (0..n_free).filter(|steps| *steps != rows);
                others.for_each(|steps| pipeline(rows, steps));
            }),
            false => pipeline(0, 1),
        }
        Ok(sites)
    }

    /// The cycles of all statements, those of the sites on threads.
    fn cycles_of(&self, sites: &[Site]) -> f64 {
        let on_threads: f64 = sites.iter().map(|site| self.cycles(site)).sum();
        let statements: Vec<&Tuple> = sites.iter().flat_map(|site| &site.statements).collect();
        let is_elsewhere = |group: &&GroupCost| !group.statements.iter().any(|tuple| statements.contains(&tuple));
        let elsewhere = self.cost.groups.iter().filter(is_elsewhere);
        on_threads + elsewhere.map(|group| group.cycles()).sum::<f64>()
    }

    /// The cycles of the statements of a site.
    fn cycles(&self, site: &Site) -> f64 {
        let entered: f64 = site.around.iter().map(|id| self.trips(*id)).product();
        let iterations = self.trips(site.member);
        let groups = self.groups(&site.statements);
        match site.steps {
            Some(steps) => self.team.pipelined(groups, entered, (iterations, self.trips(steps))),
            None => {
                let iterations = match self.has_constant_domains {
                    true => Iterations::Exactly(iterations),
                    false => Iterations::About(iterations),
                };
                let own: f64 = groups.map(|group| self.team.cycles(group, iterations)).sum();
                own + entered * self.team.fork
            }
        }
    }

    fn on_one_thread(&self, statements: &[Tuple]) -> f64 {
        self.groups(statements).map(|group| group.cycles()).sum()
    }

    fn groups<'s>(&'s self, statements: &'s [Tuple]) -> impl Iterator<Item = &'s GroupCost> {
        let groups = self.cost.groups.iter();
        groups.filter(|group| group.statements.iter().any(|tuple| statements.contains(tuple)))
    }

    /// The expected iterations of a loop.
    fn trips(&self, id: LoopId) -> f64 {
        let loops = self.nests.values().flat_map(|nest| &nest.loops);
        let own = loops.filter(|l| l.id == id).map(|l| l.trips);
        own.fold(1.0, f64::max)
    }
}

/// The number of members of all bands in a subtree.
fn members_inside(node: &Node) -> usize {
    let own = match node {
        Node::Band(band) => band.n(),
        _ => 0,
    };
    own + node.children().map(members_inside).sum::<usize>()
}
