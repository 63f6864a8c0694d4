//! Expansion: arrays in place of scalar slots.

use super::{Access, Array, ArrayKind, Program, Statement};
use crate::int::Int;
use crate::sets::{Aff, Map, MultiAff, Name, Tuple};
use indexmap::IndexMap;

/// A scalar slot with an array in its place.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The slot. The array has the same name.
    pub slot: Name,
    /// The number of elements along each subscript: powers of two.
    pub sizes: Vec<u32>,
    /// The subscripts of each statement that accesses the slot, modulo the sizes. They depend on no parameter.
    pub subscripts: IndexMap<Tuple, MultiAff>,
}

impl Expansion {
    /// The number of elements.
    pub fn elements(&self) -> u64 {
        self.sizes.iter().map(|size| u64::from(*size)).product()
    }

    /// The array.
    pub fn array(&self) -> Tuple {
        Tuple::new(self.slot.as_str(), self.sizes.len())
    }

    /// The array, and the element that each statement accesses.
    fn elements_by_statement(&self) -> Elements {
        let array = self.array();
        let element = |(statement, subscripts): (&Tuple, &MultiAff)| {
            let pairs = subscripts.affs().iter().zip(&self.sizes);
            let affs: Vec<Aff> = pairs.map(|(aff, size)| aff.modulo(&Int::from(*size))).collect();
            let element = MultiAff::new(subscripts.domain_space(), array.clone(), affs);
            (statement.clone(), element)
        };
        Elements {
            of_statements: self.subscripts.iter().map(element).collect(),
            array,
        }
    }
}

/// What stands for a slot: an array, and the element that each statement accesses.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The array.
    pub array: Tuple,
    /// From the instances of each statement that accesses the slot to elements.
    pub of_statements: IndexMap<Tuple, MultiAff>,
}

impl Elements {
    /// From the instances of a statement to elements.
    fn element_of(&self, statement: &Statement) -> Map {
        let element = &self.of_statements[statement.tuple()];
        let params = element.params().union(statement.domain.params());
        let domain = statement.domain.align_params(&params);
        element.align_params(&params).to_map().intersect_domain(&domain)
    }
}

impl Program {
    /// The program with these arrays in place of slots.
    pub fn with_expansions(&self, expansions: &[Expansion]) -> Program {
        let elements = expansions.iter().map(|expansion| {
            let slot = Tuple::new(expansion.slot.as_str(), 0);
            (slot, expansion.elements_by_statement())
        });
        self.with_elements(&elements.collect())
    }

    /// The program with elements of arrays in place of slots.
    ///
    /// # Panics
    ///
    /// If a statement that accesses such a slot has no element.
    pub fn with_elements(&self, elements: &IndexMap<Tuple, Elements>) -> Program {
        let array = |(tuple, array): (&Tuple, &Array)| match elements.get(tuple) {
            None => (tuple.clone(), array.clone()),
            Some(expanded) => {
                let array = Array {
                    tuple: expanded.array.clone(),
                    kind: ArrayKind::ExpandedSlot,
                    ..array.clone()
                };
                (array.tuple.clone(), array)
            }
        };
        let statement = |statement: &Statement| {
            let access = |access: &Access| match elements.get(access.array()) {
                None => access.clone(),
                Some(expanded) => Access {
                    relation: expanded.element_of(statement),
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
