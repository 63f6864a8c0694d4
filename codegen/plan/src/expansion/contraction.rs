//! Contraction: the elements that an order needs of an expanded slot.
//!
//! A tree with tiles executes them one after the other. Where all values are read in the iteration of a loop over tiles in which they are
//! written, the points of that loop tell instances of the writer apart, and have as many values as the tile is wide: these are the
//! subscripts. Loops around the tiles in whose iterations values are read need no subscript. Other loops over tiles go inside: there,
//! the values are read again. Whether the elements are enough is up to the check of the plan.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Matrix, Row, rank};
use farkas_polyhedral::program::Expansion;
use farkas_polyhedral::sets::{Aff, MultiAff, SetSpace, Tuple};
use farkas_polyhedral::tree::{Band, Filter, Node, Path, Tree};
use indexmap::IndexMap;

use super::ExpandableSlot;
use crate::analysis::linear::linear_part;
use crate::transform::function_of;

/// The most elements of all expanded slots: they are on the stack.
const MOST_ELEMENTS: u64 = 2048;

impl ExpandableSlot {
    /// The elements that are enough in tiles, and the bands outside of which they are used again; `None` where loops
    /// around the writer have no tiles.
    fn contracted(&self, tree: &Tree) -> Option<(Expansion, Vec<BandInOrder>)> {
        let n = self.writer.n();
        let mut told_apart: Vec<Row> = Vec::new();
        let (mut affs, mut sizes) = (Vec::new(), Vec::new());
        let (mut path, mut bands) = (Path::root(), Vec::new());
        while told_apart.len() < n {
            match tree.at(&path)? {
                Node::Band(band) => {
                    let members = members(band, &self.writer)?;
                    let has_tiles = members.iter().any(|member| member.tile.is_some());
                    let (mut first, mut last) = (Vec::new(), Vec::new());
                    for (position, member) in members.into_iter().enumerate() {
                        let mut more = told_apart.clone();
                        more.push(member.linear);
                        let is_shared = self.is_shared(band, position);
                        if !is_shared && !has_tiles && told_apart.len() < n {
                            return None;
                        }
                        if !is_shared || rank(&Matrix::new(more.clone(), n)) < more.len() {
                            last.push(position);
                            continue;
                        }
                        told_apart = more;
                        first.push(position);
                        if let Some(tile) = member.tile {
                            affs.push(member.function);
                            sizes.push(tile.next_power_of_two());
                        }
                    }
                    if has_tiles && told_apart.len() < n {
                        return None;
                    }
                    first.extend(last);
                    if !has_tiles {
                        first.sort_unstable();
                    }
                    bands.push(BandInOrder {
                        path: path.clone(),
                        members: first,
                    });
                    path = path.child(0);
                }
                Node::Sequence(children) | Node::Set(children) => {
                    let is_own = |child: &Filter| child.filter.tuples().any(|tuple| *tuple == self.writer);
                    let own = children.iter().position(is_own)?;
                    if children[own + 1..].iter().any(is_own) {
                        return None;
                    }
                    path = path.child(own);
                }
                Node::Mark(..) => path = path.child(0),
                _ => return None,
            }
        }
        Some((self.expansion(affs, sizes), bands))
    }

    /// Whether all values are read in the iteration of a loop in which they are written.
    fn is_shared(&self, band: &Band, member: usize) -> bool {
        let function = |statement: &Tuple| function_of(band, statement).affs()[member].clone();
        let of_writer = function(&self.writer);
        let has_the_same = |(reader, source): (&Tuple, &MultiAff)| {
            if !band.statements().any(|tuple| tuple == reader) {
                return false;
            }
            let (read, written) = (function(reader), composed(&of_writer, source));
            let params = read.space().params.union(&written.space().params);
            read.align_params(&params) == written.align_params(&params)
        };
        self.sources.iter().all(has_the_same)
    }

    /// The expansion with these functions of the writer as subscripts.
    fn expansion(&self, affs: Vec<Aff>, sizes: Vec<u32>) -> Expansion {
        let subscripts = |(statement, source): (&Tuple, &MultiAff)| {
            let own: Vec<Aff> = affs.iter().map(|aff| composed(aff, source)).collect();
            let params = own
                .iter()
                .fold(source.params().clone(), |all, aff| all.union(&aff.space().params));
            let space = SetSpace::new(params.clone(), statement.clone());
            let own = own.iter().map(|aff| aff.align_params(&params)).collect();
            let subscripts = MultiAff::new(space, Tuple::anonymous(affs.len()), own);
            (statement.clone(), subscripts)
        };
        Expansion {
            of: self.slot.clone(),
            copies: None,
            subscripts: self.sources.iter().map(subscripts).collect::<IndexMap<_, _>>(),
            sizes,
        }
    }
}

/// A function of the writer, of the instances that read its values.
fn composed(function: &Aff, source: &MultiAff) -> Aff {
    let params = function.space().params.union(source.params());
    function.align_params(&params).pullback(&source.align_params(&params))
}

/// The elements that slots need in an order, and the order with its tiles one after the other: a band over tiles is permutable, and a
/// member of it coincident, only as long as each tile has elements of its own. `None` where the elements are too many.
pub(crate) fn contracted(slots: &[ExpandableSlot], tree: &Tree) -> Option<(Vec<Expansion>, Tree)> {
    let mut in_order = tree.clone();
    let mut expansions = Vec::new();
    for slot in slots {
        let (expansion, bands) = slot.contracted(&in_order)?;
        expansions.push(expansion);
        for BandInOrder { path, members } in bands {
            in_order = in_order.rewritten(&path, |node| match node {
                Node::Band(band) => {
                    let mut band = band.select(&members);
                    band.permutable = false;
                    band.members_mut()
                        .iter_mut()
                        .for_each(|member| member.coincident = false);
                    Node::band(band)
                }
                other => other,
            });
        }
    }
    let elements: u64 = expansions.iter().map(Expansion::elements).sum();
    (elements <= MOST_ELEMENTS).then_some((expansions, in_order))
}

/// A band whose loops are executed in order.
struct BandInOrder {
    path: Path,
    /// The positions of its members, the outermost one first.
    members: Vec<usize>,
}

/// A member of a band on a statement.
struct Member {
    /// The function of the points.
    function: Aff,
    /// Its linear part.
    linear: Row,
    /// How many values are in a tile.
    tile: Option<u32>,
}

/// The members of a band on a statement, if they are affine and without parameters, or tiles of such functions.
fn members(band: &Band, statement: &Tuple) -> Option<Vec<Member>> {
    let function = function_of(band, statement);
    let member = |aff: &Aff| {
        let (function, tile) = points(aff)?;
        let linear = linear_part(&function)?;
        let n_params = function.space().params.len();
        let has_params = (0..n_params).any(|param| !function.param_coefficient(param).is_zero());
        (!has_params).then_some(Member { function, linear, tile })
    };
    function.affs().iter().map(member).collect()
}

/// The function `f` and the size of tiles `n` of `floor(f / n)`, or of another function the function itself.
fn points(aff: &Aff) -> Option<(Aff, Option<u32>)> {
    let [div] = aff.divs() else {
        return aff.divs().is_empty().then(|| (aff.clone(), None));
    };
    let space = aff.space();
    let variables = 1 + space.params.len() + space.tuple.n();
    let alone =
        aff.row()[..variables].iter().all(Int::is_zero) && aff.div_coefficient(0).is_one() && aff.den().is_one();
    if !alone {
        return None;
    }
    let constant = Aff::constant(space.clone(), div.num[0].clone());
    let param = |sum: Aff, k: usize| sum.add(&Aff::param(space.clone(), k).scale(&div.num[1 + k]));
    let with_params = (0..space.params.len()).fold(constant, param);
    let first = 1 + space.params.len();
    let dim = |sum: Aff, k: usize| sum.add(&Aff::var(space.clone(), k).scale(&div.num[first + k]));
    let function = (0..space.tuple.n()).fold(with_params, dim);
    let tile = u32::try_from(div.den.to_i64()?).ok()?;
    Some((function, Some(tile)))
}
