//! What a user adds to an AST while it is made: annotations of loops, and expressions at calls.

use crate::ast::expr::Expr;
use crate::ast::node::{Call, For, Node};
use crate::ast::place::{Forms, Place};
use crate::budget::{Budget, Outcome};
use crate::sets::{MultiAff, PwMultiAff};
use crate::tree::{self, Mark};

/// Called by the generator on its way: before it goes into a loop or a subtree under a mark, and after it has made it. Loops
/// that turn out to have one iteration only are none unless they are kept, so that a loop that was begun need not come to be.
pub trait Hooks {
    /// Whether the loops of a schedule dimension are loops even where they have one iteration only, and count its values where others of
    /// the same order would be simpler. Asked for each.
    fn keeps_loop(&self, _dim: usize) -> bool {
        false
    }

    /// Whether all that is executed for a value of a schedule dimension is in one place, although statements whose loops could follow each
    /// other would be simpler. `inside` is what comes after the band. Asked for each time that loops of the dimension are made.
    fn keeps_together(&self, _dim: usize, _inside: Option<&tree::Node>) -> bool {
        false
    }

    /// Before what is inside a loop is made. The place is that of the loop, and knows what outer loops enforce.
    fn before_for(&mut self, _place: &Place) {}

    /// After a loop has been made.
    fn after_for(&mut self, _node: &mut For, _place: &Place) {}

    /// Before what is below a mark is made.
    fn before_mark(&mut self, _mark: &Mark, _place: &Place) {}

    /// After what is below a mark has been made.
    fn after_mark(&mut self, _mark: &Mark, _body: &mut Node, _place: &Place) {}

    /// After a call has been made.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    fn call(&mut self, _call: &mut Call, _site: &CallSite<'_>) -> Outcome<()> {
        Ok(())
    }
}

/// Nothing is added.
pub(super) struct NoHooks;

impl Hooks for NoHooks {}

/// Where a statement instance is executed.
#[derive(Clone, Copy, Debug)]
pub struct CallSite<'a> {
    /// What is known there.
    pub place: &'a Place,
    /// The instance as a function of the schedule dimensions.
    pub instance: &'a MultiAff,
    /// The forms of expressions that were asked for.
    pub forms: &'a Forms,
    /// What work is taken from.
    pub budget: &'a Budget,
}

impl CallSite<'_> {
    /// The values of a function of the statement's instances, such as the subscripts of an access, as expressions in the
    /// iterators: in the context of the call, so that `i == 0 ? n - 1 : i - 1` becomes `i - 1` where `i` is known to be
    /// positive (P1 section 2).
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If it is a function on another tuple.
    pub fn expressions(&self, function: &PwMultiAff) -> Outcome<Vec<Expr>> {
        let b = self.budget;
        let known = self.place.known();
        let mut expressions = Vec::new();
        for component in function.to_multi_pw_aff().affs() {
            let component = component.align_params(self.place.params());
            let value = component.pullback_multi_aff(self.instance, b)?;
            let value = value.intersect_domain(known, b)?.gist(known, b)?;
            expressions.push(self.place.expr(&value, self.forms, b)?);
        }
        Ok(expressions)
    }
}
