//! A plan: all that a back end may know of how a program is to be executed.

use crate::cost::Cost;
use crate::sizes::ProfitableSizes;
use crate::transform::Transform;
use farkas_polyhedral::ast::Ast;
use farkas_polyhedral::program::Expansion;
use farkas_polyhedral::sets::Set;
use farkas_polyhedral::tree::Tree;

/// A way to execute a program, checked, with what it is expected to gain.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The order.
    pub tree: Tree,
    /// What was done to get there, in the order in which it was applied.
    pub transforms: Vec<Transform>,
    /// The expected cost of the original order.
    pub before: Cost,
    /// The expected cost of this one.
    pub after: Cost,
    /// The parameter values for which it is right, where the program is: the program's assumptions without the cases in
    /// which nothing is executed.
    pub assumptions: Set,
    /// The sizes for which it pays. The original runs for all others, which would be right for them, too.
    pub sizes: ProfitableSizes,
    /// What there is to know of the loops that run on threads, if there are any.
    pub threads: Option<Threads>,
    /// The scalar slots that have arrays in their place. The order is right only with these.
    pub expansions: Vec<Expansion>,
    /// The loops. Its parameters are those of the assumptions.
    pub ast: Ast,
}

/// When loops with `parallel` marks run on threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// The sizes for which that pays. For others they run on one.
    pub sizes: ProfitableSizes,
    /// Whether the order pays on threads only: where there is but one, the original runs.
    pub only: bool,
}

impl Plan {
    /// What was done, and for which sizes, for the user.
    pub fn summary(&self) -> String {
        let mut summary = self.transformation();
        if !self.sizes.is_all() {
            summary += &format!(", where {}", self.sizes);
        }
        if let Some(threads) = self.threads.as_ref().filter(|threads| !threads.sizes.is_all()) {
            summary += &format!("; threads where {}", threads.sizes);
        }
        summary
    }

    /// What was done.
    fn transformation(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for transform in &self.transforms {
            let part = transform.to_string();
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        match parts.is_empty() {
            true => "loops in another order".to_owned(),
            false => parts.join(", "),
        }
    }

    /// The expected time of the new order over that of the original.
    pub fn expected_ratio(&self) -> f64 {
        self.after.cycles() / self.before.cycles().max(1.0)
    }
}
