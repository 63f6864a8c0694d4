//! Expansion: arrays in place of scalar slots, and several copies of an array.
//!
//! ```text
//! for (q) { for (p) t[p] = ..; .. t[p] .. }        t[p] -> t[q mod 32][p]
//! ```
//!
//! What statements access has new subscripts in front of its own.

use super::{Access, Array, ArrayKind, Program, Statement};
use crate::int::Int;
use crate::sets::{Aff, Map, MultiAff, Tuple};
use indexmap::IndexMap;

/// A scalar slot with an array in its place, or an array with several copies.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The slot, or the array. What stands for it has the same name.
    pub of: Tuple,
    /// The number of elements, or copies, along each new subscript: powers of two.
    pub sizes: Vec<u32>,
    /// The new subscripts of each statement that accesses it, modulo the sizes. They depend on no parameter.
    pub subscripts: IndexMap<Tuple, MultiAff>,
    /// What the copies of an array have; `None` for a slot.
    pub copies: Option<Copies>,
}

/// What the copies of an array have. They are for the iterations of a strip of one loop: an order that uses them executes instances whose new
/// subscripts have the same quotient by the number of copies before all others, within an iteration of the loops around.
#[derive(Clone, Debug)]
pub struct Copies {
    /// A copy has the elements whose first subscript is at least 0 and less than this, an expression over the parameters.
    pub extent: Aff,
    /// The elements of the array itself that have a value after the program; `None` where nobody looks at them.
    pub last: Option<LastValues>,
}

/// The values that an array is left with: those of all elements whose first subscript is in an interval.
#[derive(Clone, Debug)]
pub struct LastValues {
    /// The copy that they are in: for each new subscript an expression over the parameters.
    pub copy: Vec<Aff>,
    /// Where the interval begins.
    pub first: Aff,
    /// What is behind the last subscript in it.
    pub end: Aff,
}

impl Expansion {
    /// The number of elements that stand for one.
    pub fn elements(&self) -> u64 {
        self.sizes.iter().map(|size| u64::from(*size)).product()
    }

    /// The array.
    pub fn array(&self) -> Tuple {
        let name = self.of.name().expect("an array has a name");
        Tuple::new(name.as_str(), self.sizes.len() + self.of.n())
    }

    /// What stands for it, with as many elements as its sizes say, or with an element for each value of the new subscripts.
    fn elements_by_statement(&self, are_bounded: bool) -> Elements {
        let new = Tuple::anonymous(self.sizes.len());
        let element = |(statement, subscripts): (&Tuple, &MultiAff)| {
            let pairs = subscripts.affs().iter().zip(&self.sizes);
            let bounded = |(aff, size): (&Aff, &u32)| match are_bounded {
                true => aff.modulo(&Int::from(*size)),
                false => aff.clone(),
            };
            let element = MultiAff::new(subscripts.domain_space(), new.clone(), pairs.map(bounded).collect());
            (statement.clone(), element)
        };
        Elements {
            of_statements: self.subscripts.iter().map(element).collect(),
            array: self.array(),
            extent: self.copies.as_ref().map(|copies| copies.extent.clone()),
        }
    }
}

/// What stands for a slot or an array: an array, and the new subscripts of what each statement accesses.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The array.
    pub array: Tuple,
    /// From the instances of each statement that accesses it to the new subscripts.
    pub of_statements: IndexMap<Tuple, MultiAff>,
    /// The size along the first subscript of an array that is copied.
    pub extent: Option<Aff>,
}

impl Elements {
    /// What an access of a statement is in the array.
    fn relation_of(&self, statement: &Statement, access: &Access) -> Map {
        let new = &self.of_statements[statement.tuple()];
        let params = new.params().union(statement.domain.params());
        let domain = statement.domain.align_params(&params);
        let new = new.align_params(&params).to_map().intersect_domain(&domain);
        let relation = match access.array().n() {
            0 => new,
            _ => new.flat_range_product(&access.relation),
        };
        relation.with_range_tuple(self.array.clone())
    }

    /// The array in place of another one.
    fn in_place_of(&self, array: &Array) -> Array {
        match &self.extent {
            None => Array {
                tuple: self.array.clone(),
                kind: ArrayKind::ExpandedSlot,
                ..array.clone()
            },
            Some(extent) => Array {
                tuple: self.array.clone(),
                kind: ArrayKind::Memory,
                outermost_size: None,
                inner_sizes: std::iter::once(extent).chain(&array.inner_sizes).cloned().collect(),
                ..array.clone()
            },
        }
    }
}

impl Program {
    /// The program with these expansions.
    pub fn with_expansions(&self, expansions: &[Expansion]) -> Program {
        self.expanded(expansions, true)
    }

    /// The program with these expansions, and an element or a copy for each value of the new subscripts. The instances that an order executes with
    /// fewer of them access the same elements if and only if they do so here, as long as no subscripts are as far apart as there are elements.
    pub fn with_unbounded_expansions(&self, expansions: &[Expansion]) -> Program {
        self.expanded(expansions, false)
    }

    fn expanded(&self, expansions: &[Expansion], are_bounded: bool) -> Program {
        let elements = expansions.iter().map(|expansion| {
            let elements = expansion.elements_by_statement(are_bounded);
            (expansion.of.clone(), elements)
        });
        self.with_elements(&elements.collect())
    }

    /// The program with elements of arrays in place of slots, and copies in place of arrays.
    ///
    /// # Panics
    ///
    /// If a statement that accesses such a slot or array has no element.
    pub fn with_elements(&self, elements: &IndexMap<Tuple, Elements>) -> Program {
        let array = |(tuple, array): (&Tuple, &Array)| match elements.get(tuple) {
            None => (tuple.clone(), array.clone()),
            Some(expanded) => (expanded.array.clone(), expanded.in_place_of(array)),
        };
        let statement = |statement: &Statement| {
            let access = |access: &Access| match elements.get(access.array()) {
                None => access.clone(),
                Some(expanded) => Access {
                    relation: expanded.relation_of(statement, access),
                    ..access.clone()
                },
            };
            Statement {
                accesses: statement.accesses.iter().map(access).collect(),
                ..statement.clone()
            }
        };
        let mut kills = self.kills.clone();
        kills.retain(|kill| !elements.contains_key(kill.relation.range_tuple()));
        Program {
            arrays: self.arrays.iter().map(array).collect(),
            statements: self.statements.iter().map(statement).collect(),
            kills,
            ..self.clone()
        }
    }
}
