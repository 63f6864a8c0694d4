//! What people call the things of a model.

use farkas_polyhedral::sets::{Name, Tuple};

/// What the source calls the things of a model.
pub trait SourceNames {
    /// A parameter.
    fn param(&self, name: &Name) -> String;
    /// An array.
    fn array(&self, name: &Name) -> String;
    /// A statement.
    fn statement(&self, name: &Name) -> String;
    /// The loop that a dimension of a statement's instances counts; `None` if it has no name.
    fn counter(&self, statement: &Tuple, dim: usize) -> Option<String>;
}

/// The names of the model itself.
#[derive(Clone, Copy, Debug)]
pub struct ModelNames;

impl SourceNames for ModelNames {
    fn param(&self, name: &Name) -> String {
        name.to_string()
    }

    fn array(&self, name: &Name) -> String {
        name.to_string()
    }

    fn statement(&self, name: &Name) -> String {
        name.to_string()
    }

    fn counter(&self, _: &Tuple, _: usize) -> Option<String> {
        None
    }
}
