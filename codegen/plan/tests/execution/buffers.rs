//! Buffers of packed tiles, as loops fill and read them.

use crate::sizes::Values;
use farkas_plan::Plan;
use farkas_polyhedral::ast::Instance;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::Params;
use std::collections::HashMap;

/// The instances of the program's statements, in the order in which a plan's loops execute them.
///
/// # Panics
///
/// If a statement finds another element in a buffer than it reads, or none.
pub(crate) fn without_copies(program: &Program, plan: &Plan, params: &Values, instances: &[Instance]) -> Vec<Instance> {
    // The element in each place of each buffer.
    let mut buffers: Vec<HashMap<Vec<Int>, Vec<Int>>> = vec![HashMap::new(); plan.packed.len()];
    let mut own = Vec::new();
    for instance in instances {
        let is_copy =
            |name: Option<&farkas_polyhedral::sets::Name>| name.is_some_and(|n| n.as_str() == instance.statement);
        let copied = plan.packed.iter().position(|tile| is_copy(tile.copy_in.name()));
        if let Some(position) = copied {
            let tile = &plan.packed[position];
            let element = instance.values[instance.values.len() - tile.array.n()..].to_vec();
            let place = tile.places(&Params::none()).eval(&[], &element).expect("a place");
            buffers[position].insert(place, element);
            continue;
        }
        for (tile, buffer) in plan.packed.iter().zip(&buffers) {
            let statement = program
                .statements
                .iter()
                .find(|s| s.name().as_str() == instance.statement);
            let Some(element) = statement.and_then(|statement| tile.element_of(statement)) else {
                continue;
            };
            let names = element.params().names().iter();
            let values: Vec<Int> = names.map(|name| params[name.as_str()].clone()).collect();
            let element = element.eval(&values, &instance.values).expect("an element");
            let place = tile.places(&Params::none()).eval(&[], &element).expect("a place");
            assert_eq!(buffer.get(&place), Some(&element), "{instance:?} in {}", tile.buffer);
        }
        own.push(instance.clone());
    }
    own
}
