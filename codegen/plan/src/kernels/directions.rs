//! The directions of the members of a kernel's band on a statement, and of the loops around and inside.

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Band, Node};

use crate::analysis::linear::{Statements, direction, linear_part};
use crate::transform::function_of;

/// The loops of a statement, as linear functions over its dimensions.
pub(super) struct Directions {
    /// The functions of the loops around the band, of its members, and of the loops inside.
    functions: Vec<Row>,
    /// The position of the first member.
    first: usize,
    /// The direction of each function, where the others leave one.
    along: Vec<Option<Row>>,
}

impl Directions {
    /// Those of a statement of a band; `None` where a function is not linear.
    pub(super) fn of(linear: &Statements, outer: &[&Band], band: &Band, tuple: &Tuple) -> Option<Directions> {
        let mut bands: Vec<&Band> = outer.iter().copied().filter(|band| band.n() > 0).collect();
        let mut functions = Vec::new();
        let first = bands.iter().map(|band| band.n()).sum();
        bands.push(band);
        add_inner(&band.child, tuple, &mut bands);
        for band in bands {
            for aff in function_of(band, tuple).affs() {
                functions.push(linear_part(aff)?);
            }
        }
        let depth = linear[tuple].depth;
        let along = (0..functions.len())
            .map(|position| direction(&functions, position, depth))
            .collect();
        Some(Directions {
            functions,
            first,
            along,
        })
    }

    /// The direction of a member of the band.
    pub(super) fn of_member(&self, member: usize) -> Option<&Row> {
        self.along[self.first + member].as_ref()
    }

    /// The functions of the loops around the band.
    pub(super) fn around(&self) -> Vec<&Row> {
        self.functions[..self.first].iter().collect()
    }

    /// The functions of these members.
    pub(super) fn functions(&self, members: &[usize]) -> Vec<&Row> {
        members
            .iter()
            .map(|member| &self.functions[self.first + member])
            .collect()
    }

    /// The functions of the other members of the band and of the loops inside that have several iterations.
    pub(super) fn other_functions(&self, members: &[usize]) -> Vec<&Row> {
        self.other_positions(members)
            .map(|position| &self.functions[position])
            .collect()
    }

    /// Their directions.
    pub(super) fn others(&self, members: &[usize]) -> Vec<Row> {
        let along = self
            .other_positions(members)
            .filter_map(|position| self.along[position].clone());
        along.collect()
    }

    fn other_positions<'m>(&'m self, members: &'m [usize]) -> impl Iterator<Item = usize> + use<'m> {
        let first = self.first;
        let is_other = move |position: &usize| !members.contains(&(position - first));
        let is_loop = |position: &usize| self.functions[*position].iter().any(|c| !c.is_zero());
        (first..self.functions.len()).filter(is_other).filter(is_loop)
    }
}

/// Adds the bands of a statement below a node.
fn add_inner<'n>(node: &'n Node, tuple: &Tuple, bands: &mut Vec<&'n Band>) {
    match node {
        Node::Band(band) => {
            if band.n() > 0 && band.statements().any(|other| other == tuple) {
                bands.push(band);
            }
            add_inner(&band.child, tuple, bands);
        }
        Node::Sequence(children) | Node::Set(children) => {
            let own = children
                .iter()
                .filter(|filter| filter.filter.tuples().any(|other| other == tuple));
            own.for_each(|filter| add_inner(&filter.child, tuple, bands));
        }
        Node::Mark(_, child) => add_inner(child, tuple, bands),
        _ => {}
    }
}
