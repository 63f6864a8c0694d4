//! The generator's walk over a schedule tree.

mod bounds;
mod isolate;
mod leaf;
mod region;
mod scope;
mod standalone;

use crate::ast::node::{Ast, For, Logic, Node, Upper};
use crate::ast::quasi::{IterId, Quasi};
use crate::budget::{Budget, OutOfBudget};
use crate::int::Int;
use crate::sets::{Conj, MultiAff, Name, Params, SetSpace};
use crate::tree::{self, Band, Filter, Isolation, LoopKind, Tree};

use bounds::{LoopShape, Range};
use region::Region;
use scope::{Executed, Scope};
pub use standalone::{bounds_of, membership, parameter_expression};

/// Choices of the AST generator.
#[derive(Clone, Debug)]
pub struct Options {
    /// An unrolled member with more values than this becomes a loop.
    pub unroll_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { unroll_limit: 64 }
    }
}

/// Why there is no AST.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AstError {
    /// The work budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A loop would never end or has no first iteration.
    #[error("schedule dimension {dimension} is unbounded {direction} for {statement}")]
    Unbounded {
        /// The position of the dimension among those of the nested bands, from 0.
        dimension: usize,
        /// `below` or `above`.
        direction: &'static str,
        /// A statement that is executed there.
        statement: String,
    },
    /// The tree has a node or an option that the generator does not know yet.
    #[error("the generator of loops does not know this yet: {what}")]
    Unsupported {
        /// What it is.
        what: &'static str,
    },
}

/// An AST that executes the instances of the tree's domain in the tree's order, for all parameter values in its
/// context. Instances that the tree does not order are executed in some order.
pub fn generate(tree: &Tree, options: &Options, b: &Budget) -> Result<Ast, AstError> {
    let params = tree.params();
    let context = tree.context.align_params(&params);
    // The context's hull holds wherever the context does.
    let known = Conj::simple_hull(context.explicit(b)?.pieces(), b)?;
    let mut executed = Vec::new();
    for set in tree.domain.sets() {
        let set = set
            .align_params(&params)
            .intersect_params(&context)
            .explicit(b)?
            .make_disjoint(b)?;
        executed.push(Executed {
            statement: set.tuple().clone(),
            pieces: set.pieces().to_vec(),
        });
    }
    let mut builder = Builder {
        params: params.clone(),
        options,
        budget: b,
        iterators: Vec::new(),
    };
    let scope = Scope {
        values: Vec::new(),
        known,
        executed,
        partial_tile: false,
    };
    let root = builder.node(&tree.root, &scope)?;
    Ok(Ast {
        params,
        iterators: builder.iterators,
        logic: Logic::ShortCircuit,
        root,
    })
}

struct Builder<'a> {
    params: Params,
    options: &'a Options,
    budget: &'a Budget,
    iterators: Vec<Name>,
}

impl Builder<'_> {
    fn node(&mut self, node: &tree::Node, scope: &Scope) -> Result<Node, AstError> {
        self.budget.spend(1)?;
        match node {
            tree::Node::Band(band) => {
                if matches!(band.isolation, Isolation::Part(_)) {
                    return Err(AstError::Unsupported { what: "isolated part" });
                }
                let full_tiles = isolate::full_tiles(band, scope, &self.params, self.budget)?;
                self.member(band, 0, scope, full_tiles.as_ref())
            }
            tree::Node::Filter(filter) => self.filter(filter, scope),
            tree::Node::Sequence(children) | tree::Node::Set(children) => {
                let nodes = children.iter().map(|child| self.filter(child, scope));
                Ok(Node::block(nodes.collect::<Result<_, _>>()?))
            }
            tree::Node::Mark(name, child) => {
                let body = self.node(child, scope)?;
                Ok(if body.is_empty() {
                    body
                } else {
                    Node::Mark {
                        name: name.clone(),
                        body: Box::new(body),
                    }
                })
            }
            tree::Node::Expansion(_) | tree::Node::Extension(..) | tree::Node::Guard(..) | tree::Node::Context(..) => {
                Err(AstError::Unsupported { what: node.kind() })
            }
            tree::Node::Leaf => self.leaf(scope),
        }
    }

    fn filter(&mut self, filter: &Filter, scope: &Scope) -> Result<Node, AstError> {
        let passed = scope.filtered(filter, &self.params, self.budget)?;
        if passed.executed.is_empty() {
            return Ok(Node::block(Vec::new()));
        }
        self.node(&filter.child, &passed)
    }

    /// Member `position` of the band and all that is inside it. `full_tiles` is over parameters, the schedule
    /// dimensions outside the band and the band's members.
    fn member(
        &mut self,
        band: &Band,
        position: usize,
        scope: &Scope,
        full_tiles: Option<&Conj>,
    ) -> Result<Node, AstError> {
        let Some(&member) = band.members().get(position) else {
            return self.node(&band.child, scope);
        };
        let depth = scope.depth();
        let kind = if scope.partial_tile && member.kind == LoopKind::Unroll {
            LoopKind::Default
        } else {
            member.kind
        };
        let extended = scope.extended(band, position, &self.params, self.budget)?;
        let mut regions = region::regions(&extended, scope, kind, self.params.len(), self.budget)?;
        if let Some(full) = full_tiles {
            let inner = band.n() - position - 1;
            let full = full.eliminate_rational(self.params.len() + depth + 1, inner, self.budget)?;
            regions = isolate::split(regions, &full, scope, self.budget)?;
        }
        let mut nodes = Vec::new();
        for region in region::ordered(regions, scope, self.params.len(), self.budget)? {
            // A region that cannot hold a full tile has no use for the version with full tiles.
            let full_tiles = full_tiles.filter(|_| !region.partial_tile);
            let inner = |builder: &mut Self, scope: &Scope| builder.member(band, position + 1, scope, full_tiles);
            nodes.push(match kind {
                LoopKind::Unroll => self.unrolled(&region, scope, member.coincident, &inner)?,
                _ => self.looped(&region, scope, member.coincident, &inner)?,
            });
        }
        Ok(Node::block(nodes))
    }

    /// A loop over a region, or an assignment where there is only one value.
    fn looped(
        &mut self,
        region: &Region,
        scope: &Scope,
        coincident: bool,
        inner: &dyn Fn(&mut Self, &Scope) -> Result<Node, AstError>,
    ) -> Result<Node, AstError> {
        let LoopShape { guard, range, enforced } = bounds::shape(region, scope, &self.params, self.budget)?;
        let condition = scope.condition(&guard, self.params.len());
        let node = match range {
            Range::Single(value) => inner(self, &scope.entered(region, value, enforced))?,
            Range::Loop { lower, upper } => {
                let iter = self.iterator(scope.depth());
                let body = inner(self, &scope.entered(region, Quasi::iter(iter), enforced))?;
                if body.is_empty() {
                    return Ok(body);
                }
                Node::For(Box::new(For {
                    iter,
                    lower,
                    upper: Upper::AtMost(upper),
                    step: Int::ONE,
                    coincident,
                    annotations: Vec::new(),
                    body,
                }))
            }
        };
        Ok(Node::guarded(condition, node))
    }

    /// A new iterator for a schedule dimension, `c` and the number of those outside it. It is not called as a parameter.
    fn iterator(&mut self, depth: usize) -> IterId {
        let mut name = format!("c{depth}");
        while self.params.names().iter().any(|param| param.as_str() == name) {
            name.push('_');
        }
        self.iterators.push(name.into());
        IterId(self.iterators.len() - 1)
    }

    /// The body once for each value of the member, where their number is bounded by a constant (P1 section 5.5).
    fn unrolled(
        &mut self,
        region: &Region,
        scope: &Scope,
        coincident: bool,
        inner: &dyn Fn(&mut Self, &Scope) -> Result<Node, AstError>,
    ) -> Result<Node, AstError> {
        let slices = bounds::slices(region, scope, &self.params, self.options.unroll_limit, self.budget)?;
        let Some(slices) = slices else {
            return self.looped(region, scope, coincident, inner);
        };
        let nodes = slices.iter().map(|slice| self.looped(slice, scope, coincident, inner));
        Ok(Node::block(nodes.collect::<Result<_, _>>()?))
    }

    fn leaf(&mut self, scope: &Scope) -> Result<Node, AstError> {
        let mut nodes = Vec::new();
        for executed in &scope.executed {
            match leaf::calls(executed, scope, &self.params, self.budget)? {
                Some(calls) => nodes.extend(calls),
                None => {
                    // The schedule does not tell all instances apart: their own dimensions do.
                    let space = SetSpace::new(self.params.clone(), executed.statement.clone());
                    let identity = MultiAff::identity(space);
                    let band = Band::of_functions(identity.len(), [identity], tree::Node::Leaf);
                    let own = scope.only(&executed.statement);
                    nodes.push(self.member(&band, 0, &own, None)?);
                }
            }
        }
        Ok(Node::block(nodes))
    }
}
