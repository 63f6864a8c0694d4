//! The way over a schedule tree (P1 section 6.3).

use crate::ast::build::executed::{Executed, schedule_space};
use crate::ast::build::graft::{Graft, fused};
use crate::ast::build::isolate::isolated_part;
use crate::ast::build::leaf::in_any_order;
use crate::ast::build::stock::Stock;
use crate::ast::build::strategy::Frame;
use crate::ast::build::{AstError, Generator};
use crate::ast::node::Node;
use crate::sets::{Conj, Params, Set, Tuple};
use crate::tree::{self, Band, Filter, Isolation};

/// So many entries of rows are eliminated in a unit of work.
const ENTRIES: u64 = 64;

impl Generator<'_> {
    /// Code for a node and all below it.
    pub(super) fn node(
        &mut self,
        node: &tree::Node,
        executed: &Executed,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        let b = self.budget;
        b.spend(1)?;
        if executed.is_empty() {
            return Ok(Vec::new());
        }
        match node {
            tree::Node::Band(band) => self.band(band, executed, stock),
            tree::Node::Filter(filter) => self.filter(0, filter, executed, stock),
            tree::Node::Sequence(children) => Ok(self.children(children, executed, stock)?.concat()),
            tree::Node::Set(children) => Ok(in_any_order(self.children(children, executed, stock)?)),
            tree::Node::Mark(mark, child) => {
                let anywhere = Set::universe(stock.known().space().clone());
                self.hooks.before_mark(mark, &stock.outside(&anywhere));
                let grafts = self.child(0, child, executed, stock)?;
                let Some(mut graft) = fused(grafts, &|_| true, stock, self.options, b)? else {
                    return Ok(Vec::new());
                };
                self.hooks
                    .after_mark(mark, &mut graft.node, &stock.outside(&graft.guard));
                graft.node = Node::Mark {
                    mark: mark.clone(),
                    body: Box::new(graft.node),
                };
                Ok(vec![graft])
            }
            tree::Node::Expansion(expansion) => {
                let expanded = executed.expanded(&expansion.expansion, b)?;
                self.child(0, &expansion.child, &expanded, stock)
            }
            tree::Node::Extension(extension, child) => {
                let extended = executed.extended(extension, b)?;
                self.child(0, child, &extended, stock)
            }
            tree::Node::Guard(guard, child) => {
                let guard = self.on_schedule(guard, stock.depth());
                let passed = executed.restricted(&guard, b)?;
                let grafts = self.child(0, child, &passed, &stock.assuming(&guard))?;
                let needed = guard.gist(stock.generated(), b)?;
                let fused = fused(grafts, &|_| true, &stock.assuming(&guard), self.options, b)?;
                let guarded = |graft: Graft| Graft {
                    guard: graft.guard.intersect(&needed),
                    ..graft
                };
                Ok(fused.into_iter().map(guarded).collect())
            }
            tree::Node::Context(context, child) => self.context(context, child, executed, stock),
            tree::Node::Leaf => self.leaf(executed, stock),
        }
    }

    /// A set over the outer members, of which there are `depth`, or of parameter values, with all parameters.
    fn on_schedule(&self, set: &Set, depth: usize) -> Set {
        let set = set.align_params(&self.params);
        match set.n_dims() {
            0 => set.with_tuple(Tuple::anonymous(0)).insert_dims(0, depth),
            n => set.with_tuple(Tuple::anonymous(n)),
        }
    }

    fn child(
        &mut self,
        position: usize,
        child: &tree::Node,
        executed: &Executed,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        self.steps.push(position);
        let grafts = self.node(child, executed, stock);
        self.steps.pop();
        grafts
    }

    fn children(
        &mut self,
        children: &[Filter],
        executed: &Executed,
        stock: &Stock,
    ) -> Result<Vec<Vec<Graft>>, AstError> {
        let children = children.iter().enumerate();
        children
            .map(|(position, child)| self.filter(position, child, executed, stock))
            .collect()
    }

    fn filter(
        &mut self,
        position: usize,
        filter: &Filter,
        executed: &Executed,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        let passed = executed.filtered(&filter.filter, self.budget)?;
        self.child(position, &filter.child, &passed, stock)
    }

    fn band(&mut self, band: &Band, executed: &Executed, stock: &Stock) -> Result<Vec<Graft>, AstError> {
        let b = self.budget;
        // The loop of each member is found by eliminating all others, each from a row for each.
        b.spend((band.n() as u64).pow(3) / ENTRIES)?;
        let isolated = isolated_part(band, executed, stock.partial_tile, stock.known(), b)?;
        let executed = executed.scheduled(band.schedule(), b)?;
        let frame = Frame {
            first: stock.depth(),
            members: band.members().to_vec(),
            isolated,
            full_tiles: matches!(band.isolation, Isolation::FullTiles(_)),
            options: None,
            inside: Some(&band.child),
            referred: refers_to_dims(&band.child),
        };
        self.steps.push(0);
        let grafts = self.next(&frame, stock.depth(), &executed, true, stock);
        self.steps.pop();
        grafts
    }

    /// Code below a context node, which says what is known of parameters that may be known only there.
    fn context(
        &mut self,
        context: &Set,
        child: &tree::Node,
        executed: &Executed,
        stock: &Stock,
    ) -> Result<Vec<Graft>, AstError> {
        let b = self.budget;
        let introduced = self.introduced(context.params());
        let outer = self.known_params.clone();
        self.known_params = outer.union(context.params());
        let context = self.on_schedule(context, stock.depth());
        let executed = executed.restricted(&context, b)?;
        let inside = stock.assuming(&context);
        let grafts = self.child(0, child, &executed, &inside)?;
        self.known_params = outer;
        // Conditions on what is introduced stay inside.
        let movable = |conj: &Conj| introduced.iter().all(|param| !conj.involves(*param, 1));
        let Some(mut graft) = fused(grafts, &movable, &inside, self.options, b)? else {
            return Ok(Vec::new());
        };
        if !graft.enforced.pieces().iter().all(movable) {
            graft.enforced = Set::universe(schedule_space(&self.params, stock.depth()));
        }
        Ok(vec![graft])
    }

    /// The positions of those parameters that no outer node has introduced.
    fn introduced(&self, params: &Params) -> Vec<usize> {
        let new = params
            .names()
            .iter()
            .filter(|name| self.known_params.position_of(name).is_none());
        new.filter_map(|name| self.params.position_of(name)).collect()
    }
}

/// Whether a node refers to schedule dimensions outside by their positions.
fn refers_to_dims(node: &tree::Node) -> bool {
    node.any(&|node| match node {
        tree::Node::Context(set, _) | tree::Node::Guard(set, _) => set.n_dims() > 0,
        tree::Node::Extension(..) => true,
        tree::Node::Band(band) => matches!(band.isolation, Isolation::Part(_)),
        _ => false,
    })
}
