//! Strips of a loop with panels: all that its iterations compute for each other comes first, by node splitting.
//!
//! ```text
//! for (k)                                                     for (k in strips of 32) {
//!   for (i) for (j)                                             for (k') {                                              rows in the strip
//!     d[i][j] = min(d[i][j], d[i][k] + d[k][j]);        ->        for (j) r[k' mod 32][j] = d[k'][j];
//!                                                                 for (i in the strip) for (j) d[i][j] = min(d[i][j], d[i][k'] + d[k'][j]);
//!                                                               }
//!                                                               for (other i) for (k') {                                columns in the strip
//!                                                                 c[k' mod 32][i] = d[i][k'];
//!                                                                 for (j in the strip) d[i][j] = min(d[i][j], d[i][k'] + r[k' mod 32][j]);
//!                                                               }
//!                                                               for (other i) for (other j) for (k')                    as a product of matrices
//!                                                                 d[i][j] = min(d[i][j], c[k' mod 32][i] + r[k' mod 32][j]);
//!                                                             }
//! ```
//!
//! Each iteration of `k` goes through the whole array, as it reads row and column `k`, which the one before has written. The subscripts of a write *meet*
//! the loop where they are what some read has at `k`. In the iterations of a strip, only rows and columns in the strip are read, the *panels*. So they come
//! first, as in a blocked factorization, and with a copy of what each iteration reads there, as later ones overwrite it. All other elements are in registers
//! for the iterations of a strip.
//!
//! Whether a copy has what is there before an iteration or behind it is asked of the flow of values, for each side of the strip: row `k` itself is written
//! in the iteration, after rows in front of it have read it.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{
    Access, AccessId, AccessKind, ArrayKind, CopiedRead, NodeSplitting, Program, SplitPiece, SplitPlace, Statement,
};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Name, Set, SetSpace, Tuple, UnionSet};
use farkas_polyhedral::tree::{Band, Filter, Node, Tree};
use indexmap::IndexMap;

use crate::analysis::bounds::end_of;
use crate::analysis::linear::affine_subscripts;
use crate::check::copy_has_values;
use crate::original_tree::{original_tree, with_one_member_bands};
use crate::splitting::{fresh_name, nests};

/// The iterations in a strip, where the user chose no size: what is read in the panels of a strip stays in a second-level cache.
const STRIP: u32 = 32;

/// The place of the part of an innermost loop that meets the loop of the strips, among all parts.
const MEETS: i64 = 1;

/// Reads of a statement that copies are made of, at the most.
const MOST_COPIES: usize = 4;

/// A loop in strips, whose statements are in pieces: panels, and what is outside of these.
#[derive(Clone, Debug)]
pub(crate) struct PanelStrips {
    pub(crate) split: NodeSplitting,
    /// The statements in the panels along each dimension that meets the loop, in order, and those outside of them.
    groups: Vec<Vec<Tuple>>,
    /// The dimension of statements along which the first panel is.
    first: usize,
    /// How many iterations are in a strip.
    pub(crate) size: u32,
}

/// What is asked for a loop with panels.
#[derive(Clone, Copy)]
pub(crate) struct PanelQuestion<'q> {
    pub(crate) program: &'q Program,
    /// What is assumed of the parameters.
    pub(crate) assumed: &'q Set,
    /// The arrays of which no copies can be made.
    pub(crate) without_copies: &'q [Name],
    /// The size of strips that the user chose.
    pub(crate) chosen: Option<i64>,
    pub(crate) b: &'q Budget,
}

/// A dimension of a statement that meets the loop of the strips: the position along it is `dim + shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Met {
    dim: usize,
    shift: i64,
    /// The subscript of what is written.
    subscript: usize,
    /// The iterations in a strip.
    strip: u32,
}

/// A side of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

/// A statement with instances outside of the panels.
struct Updated<'p> {
    statement: &'p Statement,
    met: Vec<Met>,
    read: Vec<PanelRead>,
}

/// What a statement reads in a panel.
struct PanelRead {
    id: AccessId,
    /// The dimensions that the element depends on.
    dims: Vec<usize>,
    /// The panel: the position among the dimensions that meet the loop.
    panel: usize,
}

impl PanelQuestion<'_> {
    /// The outermost loop of the program in strips; `None` where iterations overwrite nothing that others read in rows or columns of their own.
    pub(crate) fn panel_strips(&self) -> Outcome<Option<PanelStrips>> {
        if nests(self.program).len() != 1 || !self.program.statements.iter().all(has_outermost) {
            return Ok(None);
        }
        let read_at = self.read_at_the_loop();
        let mut updated = Vec::new();
        for statement in &self.program.statements {
            match self.updated(statement, &read_at)? {
                Some(own) => updated.push(own),
                None => return Ok(None),
            }
        }
        let (n_panels, first) = (updated[0].met.len(), updated[0].met[0].dim);
        if updated
            .iter()
            .any(|own| own.met.len() != n_panels || own.met[0].dim != first)
        {
            return Ok(None);
        }
        let mut names: Vec<Name> = self.program.statements.iter().map(|s| s.name().clone()).collect();
        let mut split = NodeSplitting {
            pieces: IndexMap::new(),
            copies: Vec::new(),
        };
        let mut groups = vec![Vec::new(); n_panels + 1];
        for own in &updated {
            let mut all = Vec::new();
            for (panel, group) in groups.iter_mut().enumerate() {
                let Some(pieces) = self.pieces(own, panel, &mut split, &mut names)? else {
                    log::debug!("{}: some read cannot be of a copy", own.statement.tuple());
                    return Ok(None);
                };
                group.extend(pieces.iter().map(|piece| piece.tuple.clone()));
                all.extend(pieces);
            }
            split.pieces.insert(own.statement.tuple().clone(), all);
        }
        for copy in &mut split.copies {
            copy.instances = copy.instances.coalesce(self.b)?;
            // Copies that are for all rows are made in the first panel.
            groups[usize::from(copy.dims.contains(&first))].push(copy.copy.clone());
        }
        let is_outside = groups.last().is_some_and(|outside| !outside.is_empty());
        Ok(is_outside.then_some(PanelStrips {
            split,
            groups,
            first,
            size: self.size(),
        }))
    }

    /// The dimensions of arrays where some read has the counter of the outermost loop, with what is added to it.
    fn read_at_the_loop(&self) -> Vec<(Tuple, usize, i64)> {
        let mut found = Vec::new();
        for statement in &self.program.statements {
            for read in statement
                .accesses
                .iter()
                .filter(|access| access.kind == AccessKind::Read)
            {
                for (position, (linear, constant)) in
                    affine_subscripts(&read.relation).into_iter().flatten().enumerate()
                {
                    if only_dim(&linear) == Some(0)
                        && let Some(shift) = constant.to_i64()
                    {
                        found.push((read.array().clone(), position, shift));
                    }
                }
            }
        }
        found
    }

    /// The statement, if it updates elements in rows and columns that the outermost loop meets, and reads there what later iterations overwrite.
    fn updated<'p>(&self, statement: &'p Statement, read_at: &[(Tuple, usize, i64)]) -> Outcome<Option<Updated<'p>>> {
        let mut writes = statement
            .accesses
            .iter()
            .filter(|access| access.kind != AccessKind::Read);
        let (Some(write), None) = (writes.next(), writes.next()) else {
            return Ok(None);
        };
        if statement.tuple().n() != 3 {
            return Ok(None);
        }
        let mut met: Vec<Met> = Vec::new();
        for (position, (linear, constant)) in affine_subscripts(&write.relation).into_iter().flatten().enumerate() {
            let (Some(dim), Some(constant)) = (only_dim(&linear).filter(|dim| *dim > 0), constant.to_i64()) else {
                continue;
            };
            for (_, _, at) in read_at
                .iter()
                .filter(|own| own.0 == *write.array() && own.1 == position)
            {
                if !met.iter().any(|own| own.dim == dim) {
                    met.push(Met {
                        dim,
                        shift: constant - at,
                        subscript: position,
                        strip: self.size(),
                    });
                }
            }
        }
        met.sort_by_key(|own| own.dim);
        if met.is_empty() {
            return Ok(None);
        }
        let mut read = Vec::new();
        let mut is_overwritten = false;
        for (position, access) in statement.accesses.iter().enumerate() {
            if access.kind != AccessKind::Read || access.has_elements_of(write) || !self.is_written(access.array()) {
                continue;
            }
            let Some(dims) = self.dims_of(statement, access) else {
                return Ok(None);
            };
            if statement.is_conditional(AccessId(position)) {
                return Ok(None);
            }
            let subscripts = affine_subscripts(&access.relation).unwrap_or_default();
            let is_at_the_loop = |met: &Met| {
                let subscript = subscripts.get(met.subscript);
                access.array() == write.array() && subscript.is_some_and(|(linear, _)| only_dim(linear) == Some(0))
            };
            is_overwritten |= self.is_overwritten_later(statement, access)?;
            read.push(PanelRead {
                id: AccessId(position),
                dims,
                panel: met.iter().position(is_at_the_loop).unwrap_or(met.len() - 1),
            });
        }
        let is_copied = |array: &Tuple| array.name().is_none_or(|name| !self.without_copies.contains(name));
        let can_be_copied = read.iter().all(|own| is_copied(statement.accesses[own.id.0].array()));
        let found = is_overwritten && can_be_copied && read.len() <= MOST_COPIES;
        Ok(found.then_some(Updated { statement, met, read }))
    }

    /// The iterations in a strip: a power of two.
    fn size(&self) -> u32 {
        let chosen = self
            .chosen
            .and_then(|size| u32::try_from(size).ok())
            .filter(|size| *size > 1);
        chosen.map_or(STRIP, |size| 1 << size.ilog2())
    }

    fn is_written(&self, array: &Tuple) -> bool {
        let mut accesses = self.program.statements.iter().flat_map(|statement| &statement.accesses);
        accesses.any(|access| access.kind != AccessKind::Read && access.array() == array)
    }

    /// The dimensions of a statement that what it reads depends on, that of the outermost loop first; `None` where that is all of them, or not known.
    fn dims_of(&self, statement: &Statement, read: &Access) -> Option<Vec<usize>> {
        let n = statement.tuple().n();
        if self.program.arrays[read.array()].kind == ArrayKind::ScalarSlot {
            return None;
        }
        let subscripts = affine_subscripts(&read.relation)?;
        let occurs = |dim: &usize| subscripts.iter().any(|(linear, _)| !linear[*dim].is_zero());
        let dims: Vec<usize> = (0..n).filter(occurs).collect();
        (dims.first() == Some(&0) && dims.len() < n).then_some(dims)
    }

    /// Whether some iteration of the outermost loop reads what a later one overwrites.
    fn is_overwritten_later(&self, statement: &Statement, read: &Access) -> Outcome<bool> {
        let known = self.program.context.intersect(self.assumed);
        let read_by = read
            .relation
            .intersect_domain(&statement.domain)
            .intersect_params(&known);
        for other in &self.program.statements {
            let writes = other.accesses.iter().filter(|access| access.kind != AccessKind::Read);
            for write in writes.filter(|write| write.array() == read.array()) {
                let written_by = write.relation.intersect_domain(&other.domain).reverse();
                let pairs = read_by.apply_range(&written_by, self.b)?;
                let at = |tuple: &Tuple| Aff::var(SetSpace::new(pairs.params().clone(), tuple.clone()), 0);
                let later = Map::less(&at(pairs.domain_tuple()), &at(pairs.range_tuple()));
                if !pairs.intersect(&later).is_empty(self.b)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The pieces of a statement in a panel, or outside of all panels, with the copies that they read of panels before; `None` where some copy cannot be made.
    fn pieces(
        &self,
        own: &Updated<'_>,
        panel: usize,
        split: &mut NodeSplitting,
        names: &mut Vec<Name>,
    ) -> Outcome<Option<Vec<SplitPiece>>> {
        let space = own.statement.domain.space();
        let known = self.program.context.intersect(self.assumed);
        let parts = match own.met.get(panel) {
            None => vec![(Set::universe(space.clone()), None)],
            Some(met) => {
                let within = met.within(space);
                let parts = parts_of_innermost(own).into_iter();
                parts.map(|(part, place)| (part.intersect(&within), place)).collect()
            }
        };
        let mut pieces = Vec::new();
        for sides in combinations(panel) {
            let outside = own
                .met
                .iter()
                .zip(&sides)
                .fold(Set::universe(space.clone()), |set, (met, side)| {
                    set.intersect(&met.outside(space, *side))
                });
            for (part, place) in &parts {
                let instances = outside.intersect(part);
                let executed = own.statement.domain.intersect(&instances);
                if executed.intersect_params(&known).is_empty(self.b)? {
                    continue;
                }
                let mut copied = Vec::new();
                for read in own.read.iter().filter(|read| read.panel < panel) {
                    match self.copy_for(own.statement, read, &executed, &mut split.copies, names)? {
                        Some(copy) => copied.push(copy),
                        None => return Ok(None),
                    }
                }
                pieces.push(SplitPiece {
                    tuple: Tuple::new(fresh_name(own.statement.name(), names), space.tuple.n()),
                    instances,
                    copied,
                    place: *place,
                });
            }
        }
        Ok(Some(pieces))
    }

    /// The copy of what some instances of a statement read, which is added if there is none.
    fn copy_for(
        &self,
        statement: &Statement,
        PanelRead { id: read, dims, .. }: &PanelRead,
        instances: &Set,
        copies: &mut Vec<CopiedRead>,
        names: &mut Vec<Name>,
    ) -> Outcome<Option<usize>> {
        let read = *read;
        let Some(extents) = self.extents(statement, &dims[1..])? else {
            return Ok(None);
        };
        let function = place_of(statement, dims);
        for order in [-1, 1] {
            let place = SplitPlace { function, order };
            if !copy_has_values(self.program, (statement, read), instances, place, self.b)? {
                continue;
            }
            let is_same = |copy: &CopiedRead| {
                copy.statement == *statement.tuple() && copy.read == read && (copy.place.order < 0) == (order < 0)
            };
            let position = copies.iter().position(is_same).unwrap_or_else(|| {
                let array = statement.accesses[read.0].array().name().expect("an array has a name");
                let name = fresh_name(format_args!("{array}.copy"), names);
                // No two copies are in the same place.
                let place = SplitPlace {
                    order: order * (1 + i64::try_from(copies.len()).expect("few copies")),
                    ..place
                };
                copies.push(CopiedRead {
                    copy: Tuple::new(&name, dims.len()),
                    buffer: Tuple::new(&*format!("{name}.rows"), dims.len()),
                    statement: statement.tuple().clone(),
                    read,
                    dims: dims.to_vec(),
                    count: self.size(),
                    extents,
                    instances: Set::empty(SetSpace::new(instances.params().clone(), Tuple::new(&name, dims.len()))),
                    place,
                });
                copies.len() - 1
            });
            let own = instances.apply(&copies[position].readers().reverse(), self.b)?;
            copies[position].instances = copies[position].instances.union(&own);
            return Ok(Some(position));
        }
        Ok(None)
    }

    /// The sizes that dimensions of a statement have, over the parameters, if these say.
    fn extents(&self, statement: &Statement, dims: &[usize]) -> Outcome<Option<Vec<Aff>>> {
        let known = self.program.context.intersect(self.assumed);
        let domain = statement.domain.intersect_params(&known);
        let mut extents = Vec::new();
        for dim in dims {
            let inner = statement.tuple().n() - 1 - dim;
            let values = domain
                .project_out(dim + 1, inner, self.b)?
                .project_out(0, *dim, self.b)?;
            let values = values.with_tuple(Tuple::anonymous(1));
            let counter = Aff::var(values.space().clone(), 0);
            let zero = Aff::constant(values.space().clone(), Int::ZERO);
            let is_counter = values.intersect(&counter.lt_set(&zero)).is_empty(self.b)?;
            match end_of(&values, self.b)? {
                Some(end) if is_counter => extents.push(end),
                _ => return Ok(None),
            }
        }
        Ok(Some(extents))
    }
}

/// The parts of a statement's innermost loop in front of where it meets the outermost one, there, and behind it; one part where it does not.
fn parts_of_innermost(own: &Updated<'_>) -> Vec<(Set, Option<SplitPlace>)> {
    let space = own.statement.domain.space();
    let Some(met) = own.met.iter().find(|met| is_innermost(own.statement, met.dim)) else {
        return vec![(Set::universe(space.clone()), None)];
    };
    let (position, counter) = (met.position(space), Aff::var(space.clone(), 0));
    let function = own
        .statement
        .schedule
        .affs()
        .iter()
        .rposition(|aff| aff.as_constant().is_none());
    let function = function.expect("a loop around the statement");
    let parts = [
        position.lt_set(&counter),
        position.eq_set(&counter),
        counter.lt_set(&position),
    ];
    let place = |order| Some(SplitPlace { function, order });
    parts
        .into_iter()
        .zip(0..)
        .map(|(part, order)| (part, place(order)))
        .collect()
}

impl Met {
    /// The position along the loop that is met.
    fn position(self, space: &SetSpace) -> Aff {
        Aff::var(space.clone(), self.dim).add_constant(&Int::from(self.shift))
    }

    /// Where the strip begins that an instance is in.
    fn begin(self, space: &SetSpace) -> Aff {
        strip_of(space, self.strip).scale(&Int::from(self.strip))
    }

    /// What is behind that strip.
    fn end(self, space: &SetSpace) -> Aff {
        self.begin(space).add_constant(&Int::from(self.strip))
    }

    /// The instances on a side of their strip.
    fn outside(self, space: &SetSpace, side: Side) -> Set {
        let position = self.position(space);
        match side {
            Side::Below => position.lt_set(&self.begin(space)),
            Side::Above => self.end(space).le_set(&position),
        }
    }

    /// The instances in their strip.
    fn within(self, space: &SetSpace) -> Set {
        let position = self.position(space);
        self.begin(space)
            .le_set(&position)
            .intersect(&position.lt_set(&self.end(space)))
    }
}

impl PanelStrips {
    /// The order of a program in such pieces, for each strip: the first panel in the original order, others with the dimension of the first one outside, and
    /// what is outside of all with the loop of the strip innermost. The loops of the latter may be interchanged, and are parallel but for that one.
    pub(crate) fn tree(&self, program: &Program) -> Tree {
        let (outside, panels) = self.groups.split_last().expect("what is outside of the panels");
        let mut children = Vec::new();
        for (panel, group) in panels.iter().enumerate() {
            let own: Vec<Statement> = program
                .statements
                .iter()
                .filter(|own| group.contains(own.tuple()))
                .cloned()
                .collect();
            let own = match panel {
                0 => own,
                _ => own
                    .into_iter()
                    .map(|statement| with_outermost(statement, self.first))
                    .collect(),
            };
            let part = Program {
                statements: own,
                ..program.clone()
            };
            let root = with_one_member_bands(original_tree(&part)).root;
            let is_parallel = |own: &Tuple| self.is_parallel_innermost(own);
            children.push(Filter::of_statements(
                group.clone(),
                with_parallel_innermost(root, &is_parallel),
            ));
        }
        for own in program.statements.iter().filter(|own| outside.contains(own.tuple())) {
            children.push(Filter::of_statements([own.tuple().clone()], of_updates(program, own)));
        }
        let strip = |own: &Statement| {
            let space = SetSpace::new(program.context.params().clone(), own.tuple().clone());
            MultiAff::new(space.clone(), Tuple::anonymous(1), vec![strip_of(&space, self.size)])
        };
        let strips = Band::of_functions(1, program.statements.iter().map(strip), Node::Sequence(children));
        let mut domain = UnionSet::empty(program.context.params().clone());
        program.statements.iter().for_each(|own| domain.add(&own.domain));
        Tree {
            domain,
            context: Set::universe(SetSpace::params_only(program.context.params().clone())),
            root: Node::band(strips),
        }
    }

    /// Whether the innermost loop of a statement in a panel is said to carry nothing: it is on one side of where it meets the loop of the strips.
    fn is_parallel_innermost(&self, statement: &Tuple) -> bool {
        let mut pieces = self.split.pieces.values().flatten();
        match pieces.find(|piece| piece.tuple == *statement) {
            Some(piece) => piece.place.is_some_and(|place| place.order != MEETS),
            None => true,
        }
    }
}

/// A node with innermost loops coincident whose statements are all parallel there.
fn with_parallel_innermost(node: Node, is_parallel: &dyn Fn(&Tuple) -> bool) -> Node {
    match node {
        Node::Band(band) if matches!(band.child, Node::Leaf) && band.statements().all(is_parallel) => {
            let mut band = Band::clone(&band);
            band.members_mut()[0].coincident = true;
            Node::band(band)
        }
        other => other.map_children(&mut |child| with_parallel_innermost(child, is_parallel)),
    }
}

/// A statement whose schedule begins with the function along a dimension: that of a copying statement is its second one.
fn with_outermost(statement: Statement, dim: usize) -> Statement {
    let dim = if statement.tuple().n() == 2 { 1 } else { dim };
    let mut affs = statement.schedule.affs().to_vec();
    let is_along = |aff: &Aff| aff.sub(&Aff::var(aff.space().clone(), dim)).as_constant().is_some();
    if let Some(position) = affs.iter().position(is_along) {
        let along = affs.remove(position);
        affs.insert(0, along);
    }
    let schedule = MultiAff::new(statement.schedule.domain_space(), Tuple::anonymous(affs.len()), affs);
    Statement { schedule, ..statement }
}

/// The band of a piece outside of the panels.
fn of_updates(program: &Program, own: &Statement) -> Node {
    let space = SetSpace::new(program.context.params().clone(), own.tuple().clone());
    let n = own.tuple().n();
    let dims = (1..n).chain([0]).map(|dim| Aff::var(space.clone(), dim)).collect();
    let functions = MultiAff::new(space, Tuple::anonymous(n), dims);
    let mut band = Band::of_functions(n, [functions], Node::Leaf).with_permutable(true);
    for member in &mut band.members_mut()[..n - 1] {
        member.coincident = true;
    }
    Node::band(band)
}

/// The number of the strip that an instance is in.
fn strip_of(space: &SetSpace, size: u32) -> Aff {
    Aff::var(space.clone(), 0).floor_div(&Int::from(size))
}

/// Whether the first function of a statement's schedule that is no constant is its first dimension.
fn has_outermost(statement: &Statement) -> bool {
    let first = statement.schedule.affs().iter().find(|aff| aff.as_constant().is_none());
    let is_first = |aff: &Aff| {
        aff.sub(&Aff::var(aff.space().clone(), 0))
            .as_constant()
            .is_some_and(|c| c.is_zero())
    };
    first.is_some_and(is_first)
}

/// Whether the innermost loop around a statement goes along a dimension, upwards.
fn is_innermost(statement: &Statement, dim: usize) -> bool {
    let last = statement
        .schedule
        .affs()
        .iter()
        .rfind(|aff| aff.as_constant().is_none());
    last.is_some_and(|aff| aff.sub(&Aff::var(aff.space().clone(), dim)).as_constant().is_some())
}

/// The first function of a schedule that depends on other dimensions than these.
fn place_of(statement: &Statement, dims: &[usize]) -> usize {
    let is_other =
        |aff: &Aff| (0..statement.tuple().n()).any(|dim| !dims.contains(&dim) && !aff.coefficient(dim).is_zero());
    let affs = statement.schedule.affs();
    affs.iter().position(is_other).unwrap_or(affs.len() - 1)
}

/// The only dimension in a linear form, if its coefficient is one.
fn only_dim(linear: &[Int]) -> Option<usize> {
    let mut dims = linear.iter().enumerate().filter(|(_, c)| !c.is_zero());
    match (dims.next(), dims.next()) {
        (Some((dim, c)), None) if c.is_one() => Some(dim),
        _ => None,
    }
}

/// All ways to be on a side of each of `n` strips.
fn combinations(n: usize) -> Vec<Vec<Side>> {
    (0..n).fold(vec![Vec::new()], |all, _| {
        let with = |sides: &Vec<Side>| {
            [Side::Below, Side::Above].map(|side| sides.iter().copied().chain([side]).collect::<Vec<Side>>())
        };
        all.iter().flat_map(with).collect()
    })
}
