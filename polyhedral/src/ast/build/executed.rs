//! The executed relation: which instances are to be executed at which values of the schedule dimensions (P1 section 4.1).
//!
//! # Columns
//!
//! It is a relation `{ [c_0, .., c_{n-1}] -> S[..] }` for each statement, the inverse of the schedule: over all schedule
//! dimensions of the bands from the root to the present one, that one included. Sets over *schedule space* are anonymous
//! tuples of the first `depth` of these. All have the same parameters, those of the tree.

use crate::ast::build::scale::Scale;
use crate::ast::build::strides;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{
    Aff, Conj, Map, MapSpace, MultiUnionPwAff, Params, Set, SetSpace, Tuple, UnionMap, UnionPwAff, UnionSet, negated,
};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The instances that remain to be executed, at the schedule points at which they are.
#[derive(Clone, Debug)]
pub(super) struct Executed {
    params: Params,
    /// The number of schedule dimensions.
    n: usize,
    /// One relation a statement, of conjunctions that are not empty; none that is empty.
    relations: Vec<Map>,
    /// By the number of dimensions. Copies share them.
    projections: Rc<RefCell<BTreeMap<usize, Rc<Projection>>>>,
}

/// The values of the first dimensions.
#[derive(Debug)]
struct Projection {
    /// In each conjunction of each relation.
    values: Vec<Vec<Conj>>,
    /// The units of work that these took.
    work: u64,
    /// Once they were asked for, and the units of work that they took.
    shadows: OnceCell<(Vec<Set>, u64)>,
}

/// The space of the first `depth` schedule dimensions.
pub(super) fn schedule_space(params: &Params, depth: usize) -> SetSpace {
    SetSpace::new(params.clone(), Tuple::anonymous(depth))
}

/// The set as a relation from all dimensions but the last to the last.
pub(super) fn as_map(set: &Set) -> Map {
    let space = MapSpace::new(
        set.params().clone(),
        Tuple::anonymous(set.n_dims() - 1),
        Tuple::anonymous(1),
    );
    Map::from_conjs(space, set.pieces().to_vec())
}

impl Executed {
    /// Instances without schedule dimensions.
    pub(super) fn of_domain(domain: &UnionSet, params: &Params, b: &Budget) -> Outcome<Executed> {
        let unit = Set::universe(schedule_space(params, 0));
        let relations = domain
            .sets()
            .map(|set| Map::from_domain_and_range(&unit, &set.align_params(params)))
            .collect();
        Executed::new(params.clone(), 0, relations, b)
    }

    /// The relations from schedule points of `n` dimensions.
    pub(super) fn new(params: Params, n: usize, relations: Vec<Map>, b: &Budget) -> Outcome<Executed> {
        let mut kept = Vec::with_capacity(relations.len());
        for relation in relations {
            let relation = relation.align_params(&params);
            let mut pieces = Vec::with_capacity(relation.pieces().len());
            for piece in relation.pieces() {
                if !piece.is_empty(b)? {
                    pieces.push(piece);
                }
            }
            if pieces.len() == relation.pieces().len() && !pieces.is_empty() {
                kept.push(relation);
            } else if !pieces.is_empty() {
                let pieces = pieces.into_iter().cloned().collect();
                kept.push(Map::from_conjs(relation.space().clone(), pieces));
            }
        }
        Ok(Executed::of(params, n, kept))
    }

    fn of(params: Params, n: usize, relations: Vec<Map>) -> Executed {
        Executed {
            params,
            n,
            relations,
            projections: Rc::default(),
        }
    }

    fn with_relations(&self, relations: Vec<Map>, b: &Budget) -> Outcome<Executed> {
        Executed::new(self.params.clone(), self.n, relations, b)
    }

    /// The parameters of all sets of the generator.
    pub(super) fn params(&self) -> &Params {
        &self.params
    }

    /// One relation a statement.
    pub(super) fn relations(&self) -> &[Map] {
        &self.relations
    }

    /// Nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    /// A statement that is executed, for messages.
    pub(super) fn some_statement(&self) -> String {
        self.relations
            .first()
            .map_or(String::new(), |r| r.range_tuple().to_string())
    }

    /// Some of the statements, by their positions.
    pub(super) fn select(&self, positions: &[usize]) -> Executed {
        let relations = positions.iter().map(|p| self.relations[*p].clone());
        Executed::of(self.params.clone(), self.n, relations.collect())
    }

    /// What is executed at schedule points whose first dimensions are in `set`.
    pub(super) fn restricted(&self, set: &Set, b: &Budget) -> Outcome<Executed> {
        let widened = set.insert_dims(set.n_dims(), self.n - set.n_dims());
        let restricted = |relation: &Map| relation.intersect_domain(&widened);
        self.with_relations(self.relations.iter().map(restricted).collect(), b)
    }

    /// The same with fewer conjunctions, where that is so.
    pub(super) fn coalesced(&self, b: &Budget) -> Outcome<Executed> {
        let relations = self.relations.iter().map(|relation| relation.coalesce(b));
        let relations = relations.collect::<Outcome<_>>()?;
        Ok(Executed::of(self.params.clone(), self.n, relations))
    }

    /// The instances that pass a filter.
    pub(super) fn filtered(&self, filter: &UnionSet, b: &Budget) -> Outcome<Executed> {
        let passed = |relation: &Map| {
            let kept = filter.extract(relation.range_tuple()).align_params(&self.params);
            relation.intersect_range(&kept)
        };
        self.with_relations(self.relations.iter().map(passed).collect(), b)
    }

    /// The relation with a schedule dimension for each dimension of `schedule`. A statement for which it has no values is
    /// not executed.
    pub(super) fn scheduled(&self, schedule: &MultiUnionPwAff, b: &Budget) -> Outcome<Executed> {
        let n = self.n + schedule.len();
        let mut relations = Vec::with_capacity(self.relations.len());
        for relation in &self.relations {
            let mut extended = relation.clone();
            for (position, member) in schedule.affs().iter().enumerate() {
                extended = self.with_value(&extended, self.n + position, member, b)?;
            }
            relations.push(extended);
        }
        Executed::new(self.params.clone(), n, relations, b)
    }

    /// A relation with one more domain dimension, the last, that has the values of `member`.
    fn with_value(&self, relation: &Map, depth: usize, member: &UnionPwAff, b: &Budget) -> Outcome<Map> {
        let statement = relation.range_tuple();
        let space = MapSpace::new(self.params.clone(), Tuple::anonymous(depth + 1), statement.clone());
        let mut pieces = Vec::new();
        let Some(function) = member.pw_affs().find(|part| part.space().tuple == *statement) else {
            return Ok(Map::empty(space));
        };
        let cases = function.pieces().len();
        for (domain, value) in function.pieces() {
            let value = value.align_params(&self.params);
            // A band has a value for all instances that reach it: where there is one expression, it is that of all.
            let own = match cases {
                1 => relation.clone(),
                _ => relation.intersect_range(&domain.align_params(&self.params)),
            };
            for piece in own.pieces() {
                if cases == 1 || !piece.is_empty(b)? {
                    pieces.push(with_value(piece, self.params.len(), depth, &value));
                }
            }
        }
        Ok(Map::from_conjs(space, pieces))
    }

    /// The relation with the instance's own dimensions as further schedule dimensions: for a statement whose instances
    /// the schedule does not tell apart.
    pub(super) fn by_instance(&self, b: &Budget) -> Outcome<Executed> {
        let [relation] = &self.relations[..] else {
            panic!("one statement")
        };
        let n_own = relation.range_tuple().n();
        let first = self.params.len() + self.n;
        let space = MapSpace::new(
            self.params.clone(),
            Tuple::anonymous(self.n + n_own),
            relation.range_tuple().clone(),
        );
        let extended = |piece: &Conj| {
            let mut piece = piece.insert_vars(first, n_own);
            (0..n_own).for_each(|k| piece.equate(first + k, first + n_own + k));
            piece
        };
        let relation = Map::from_conjs(space, relation.pieces().iter().map(extended).collect());
        Executed::new(self.params.clone(), self.n + n_own, vec![relation], b)
    }

    /// The relation in which instances are replaced by those that they stand for.
    pub(super) fn expanded(&self, expansion: &UnionMap, b: &Budget) -> Outcome<Executed> {
        let mut expanded = UnionMap::empty(self.params.clone());
        for relation in &self.relations {
            expanded = expanded.union(&UnionMap::from(relation.clone()).apply_range(expansion, b)?);
        }
        self.with_relations(expanded.maps().cloned().collect(), b)
    }

    /// The relation with instances added wherever something is executed.
    pub(super) fn extended(&self, extension: &UnionMap, b: &Budget) -> Outcome<Executed> {
        let reached = UnionSet::from(self.domain(self.n, b)?);
        let mut all = extension.intersect_domain(&reached);
        for relation in &self.relations {
            all = all.union(&UnionMap::from(relation.clone()));
        }
        self.with_relations(all.maps().cloned().collect(), b)
    }

    /// The relation with a dimension inserted at `at` that has a value of its own for each statement, and with that value
    /// taken off the dimension before it (P1 section 5.8).
    pub(super) fn shifted(&self, at: usize, values: &[Int], b: &Budget) -> Outcome<Executed> {
        let first = self.params.len() + at - 1;
        let mut relations = Vec::with_capacity(self.relations.len());
        for (relation, value) in self.relations.iter().zip(values) {
            let space = MapSpace::new(
                self.params.clone(),
                Tuple::anonymous(self.n + 1),
                relation.range_tuple().clone(),
            );
            let moved = |piece: &Conj| {
                let mut piece = piece.insert_vars(first, 1).insert_vars(first + 2, 1);
                let mut row = zeros(piece.n_cols());
                row[0] = -value;
                row[1 + first] = -Int::ONE;
                row[2 + first] = Int::ONE;
                piece.add_eq(row);
                piece.fix(first + 2, value);
                piece
            };
            let mut pieces = Vec::with_capacity(relation.pieces().len());
            for piece in relation.pieces() {
                // Columns: `[.. | t - r, t, r | ..]`, of which `t` goes.
                pieces.push(moved(piece).project(first + 1, 1, b)?);
            }
            relations.push(Map::from_conjs(space, pieces));
        }
        Executed::new(self.params.clone(), self.n + 1, relations, b)
    }

    /// The relation with dimension `depth` counted.
    pub(super) fn counted(&self, depth: usize, scale: &Scale, b: &Budget) -> Outcome<Executed> {
        let mut relations = Vec::with_capacity(self.relations.len());
        for relation in &self.relations {
            let counted = relation.pieces().iter().map(|piece| scale.counted(piece, depth, b));
            relations.push(Map::from_conjs(
                relation.space().clone(),
                counted.collect::<Outcome<_>>()?,
            ));
        }
        self.with_relations(relations, b)
    }

    /// For each statement a superset of the values of the first `depth` dimensions, without existentially quantified
    /// variables, and without divisions that depend on the last dimension: what loop bounds can be made of (P1 section
    /// 5.2).
    pub(super) fn shadows(&self, depth: usize, b: &Budget) -> Outcome<Vec<Set>> {
        let projection = self.projection(depth, b)?;
        if let Some((shadows, work)) = projection.shadows.get() {
            b.spend(*work)?;
            return Ok(shadows.clone());
        }
        let left = b.left();
        let mut shadows = Vec::with_capacity(self.relations.len());
        for values in &projection.values {
            let mut pieces: Vec<Conj> = Vec::with_capacity(values.len());
            for values in values {
                let shape = shadow(values, b)?;
                if !pieces.contains(&shape) {
                    pieces.push(shape);
                }
            }
            shadows.push(Set::from_conjs(schedule_space(&self.params, depth), pieces));
        }
        let (shadows, _) = projection.shadows.get_or_init(|| (shadows, left - b.left()));
        Ok(shadows.clone())
    }

    /// Each look at it counts for as much work as the first: what is found within a budget does not depend on what is kept.
    fn projection(&self, depth: usize, b: &Budget) -> Outcome<Rc<Projection>> {
        if let Some(known) = self.projections.borrow().get(&depth) {
            b.spend(known.work)?;
            return Ok(Rc::clone(known));
        }
        let left = b.left();
        let first = self.params.len() + depth;
        let of_relation = |relation: &Map| -> Outcome<Vec<Conj>> {
            let values = |piece: &Conj| piece.project(first, piece.n_vars() - first, b);
            relation.pieces().iter().map(values).collect()
        };
        let values = self.relations.iter().map(of_relation).collect::<Outcome<_>>()?;
        let projection = Rc::new(Projection {
            values,
            work: left - b.left(),
            shadows: OnceCell::new(),
        });
        self.projections.borrow_mut().insert(depth, Rc::clone(&projection));
        Ok(projection)
    }

    /// The [shadow](Executed::shadow) of those values of which equalities leave some out, without being single values, and which are
    /// not among the others; and that of the others. `None` where there are not both, or telling them apart is costly.
    pub(super) fn shadows_by_stride(&self, depth: usize, b: &Budget) -> Outcome<Option<[Set; 2]>> {
        let domain = self.domain(depth, b)?;
        let (strided, others): (Vec<Conj>, Vec<Conj>) = domain.pieces().iter().cloned().partition(strides::is_strided);
        if strided.is_empty() || others.is_empty() || others.iter().any(|piece| piece.n_locals() > 0) {
            return Ok(None);
        }
        let [strided, others] = [strided, others].map(|pieces| Set::from_conjs(domain.space().clone(), pieces));
        let strided = strided.subtract(&others, b)?;
        let shape = |set: &Set| -> Outcome<Set> {
            let shapes = set.pieces().iter().map(|values| shadow(values, b));
            Ok(Set::from_conjs(set.space().clone(), shapes.collect::<Outcome<_>>()?))
        };
        Ok(Some([shape(&strided)?, shape(&others)?]))
    }

    /// Supersets of the [shadows](Executed::shadows) by explicit constraints only: without those that are due to inner
    /// dimensions, as loops over these will enforce them.
    pub(super) fn explicit_shadows(&self, depth: usize, b: &Budget) -> Outcome<Vec<Set>> {
        let first = self.params.len() + depth;
        let explicit = |piece: &Conj| -> Outcome<Conj> {
            // What equalities determine is put in; constraints on other inner variables are not explicit.
            let mut piece = piece.clone();
            for var in (first..piece.n_vars()).rev() {
                if piece.eqs().iter().any(|row| !row[1 + var].is_zero()) {
                    piece = piece.project(var, 1, b)?;
                }
            }
            let n_inner = piece.n_vars() - first;
            let on_outer = |row: &Row| {
                row[1 + first..1 + first + n_inner + piece.n_locals()]
                    .iter()
                    .all(Int::is_zero)
            };
            let own = piece.map_constraints(|row, _| on_outer(row).then(|| row.clone()));
            without_divs_on_last(&own.eliminate_rational(first, n_inner, b)?, b)
        };
        let mut shadows = Vec::with_capacity(self.relations.len());
        for relation in &self.relations {
            let shapes = relation.pieces().iter().map(explicit).collect::<Outcome<_>>()?;
            shadows.push(Set::from_conjs(schedule_space(&self.params, depth), shapes));
        }
        Ok(shadows)
    }

    /// The union of the [shadows](Executed::shadows).
    pub(super) fn shadow(&self, depth: usize, b: &Budget) -> Outcome<Set> {
        let none = Set::empty(schedule_space(&self.params, depth));
        Ok(self
            .shadows(depth, b)?
            .iter()
            .fold(none, |all, shadow| all.union(shadow)))
    }

    /// The values of the first `depth` dimensions.
    pub(super) fn domain(&self, depth: usize, b: &Budget) -> Outcome<Set> {
        let mut all = Set::empty(schedule_space(&self.params, depth));
        for values in &self.projection(depth, b)?.values {
            all = all.union(&Set::from_conjs(schedule_space(&self.params, depth), values.clone()));
        }
        Ok(all)
    }
}

/// `piece` with a variable inserted after the parameters and `depth` schedule dimensions that equals `function` of the
/// statement's dimensions.
fn with_value(piece: &Conj, n_params: usize, depth: usize, function: &Aff) -> Conj {
    let at = n_params + depth;
    let mut result = piece.insert_vars(at, 1);
    let mut equation = embed(function, n_params, depth + 1, &mut result);
    equation[1 + at] = -function.den();
    result.add_eq(equation);
    result
}

/// The numerator of a statement's function as a row of `conj`, whose variables are parameters, `depth` schedule
/// dimensions and the statement's dimensions. Adds the divisions it needs.
pub(super) fn embed(function: &Aff, n_params: usize, depth: usize, conj: &mut Conj) -> Row {
    let n_dims = function.space().tuple.n();
    let mut div_columns: Vec<usize> = Vec::with_capacity(function.divs().len());
    let translate = |row: &Row, conj: &Conj, div_columns: &[usize]| {
        let mut result = zeros(conj.n_cols());
        for (column, coefficient) in row.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            let target = if column <= n_params {
                column
            } else if column <= n_params + n_dims {
                column + depth
            } else {
                div_columns[column - 1 - n_params - n_dims]
            };
            result[target] += coefficient;
        }
        result
    };
    for div in function.divs() {
        let numerator = translate(&div.num, conj, &div_columns);
        let index = conj.add_div(numerator, div.den.clone());
        div_columns.push(conj.n_cols() - conj.n_divs() + index);
    }
    translate(function.row(), conj, &div_columns)
}

/// A superset of the values of which loop bounds can be made; what can be projected exactly is, so that less is lost.
fn shadow(values: &Conj, b: &Budget) -> Outcome<Conj> {
    let defined = match values.n_vars() {
        0 => values.clone(),
        n => values.define_locals(n - 1, b)?,
    };
    without_divs_on_last(&defined.eliminate_rational(0, 0, b)?, b)
}

/// The conjunction with divisions that involve the last variable projected out over the rationals.
pub(super) fn without_divs_on_last(conj: &Conj, b: &Budget) -> Outcome<Conj> {
    let moved = divs_on_last(conj);
    if moved.is_empty() {
        return Ok(conj.clone());
    }
    let n = conj.n_vars();
    let rest = with_divs_eliminated(conj, &moved, b)?;
    // Equalities may have been divided by what is common to their coefficients, which makes new divisions.
    let left: Vec<usize> = divs_on_last(&rest).iter().map(|div| 1 + n + div).collect();
    if left.is_empty() {
        return Ok(rest);
    }
    let mut rest = rest.map_constraints(|row, _| left.iter().all(|c| row[*c].is_zero()).then(|| row.clone()));
    rest.simplify();
    Ok(rest)
}

/// The divisions that depend on the last variable of a conjunction without locals.
pub(super) fn divs_on_last(conj: &Conj) -> Vec<usize> {
    let n = conj.n_vars();
    let mut dependent = vec![false; 1 + n + conj.n_divs()];
    dependent[n] = true;
    let mut found = Vec::new();
    for (index, div) in conj.divs().iter().enumerate() {
        if div.num.iter().zip(&dependent).any(|(c, d)| *d && !c.is_zero()) {
            dependent[1 + n + index] = true;
            found.push(index);
        }
    }
    found
}

/// The conjunction with the divisions `moved` projected out over the rationals.
fn with_divs_eliminated(conj: &Conj, moved: &[usize], b: &Budget) -> Outcome<Conj> {
    let n = conj.n_vars();
    // The divisions become variables after the others, bounded by what defines them.
    let mut result = Conj::universe(n + moved.len());
    let mut columns: Vec<usize> = (0..=n).collect();
    let translate = |row: &Row, columns: &[usize], width: usize| {
        let mut translated = zeros(width);
        for (at, coefficient) in row.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            translated[columns[at]] += coefficient;
        }
        translated
    };
    for (index, div) in conj.divs().iter().enumerate() {
        let width = 1 + result.n_vars() + result.n_divs();
        let numerator = translate(&div.num, &columns, width);
        if let Some(position) = moved.iter().position(|m| *m == index) {
            let own = 1 + n + position;
            columns.push(own);
            let mut least = numerator.clone();
            least[own] = -&div.den;
            let mut most = negated(&numerator);
            most[own] = div.den.clone();
            most[0] += &(&div.den - &Int::ONE);
            result.add_ineq(least);
            result.add_ineq(most);
        } else {
            let at = result.add_div(numerator, div.den.clone());
            columns.push(1 + result.n_vars() + at);
        }
    }
    let width = 1 + result.n_vars() + result.n_divs();
    conj.eqs()
        .iter()
        .for_each(|row| result.add_eq(translate(row, &columns, width)));
    conj.ineqs()
        .iter()
        .for_each(|row| result.add_ineq(translate(row, &columns, width)));
    result.simplify();
    result.eliminate_rational(n, moved.len(), b)
}
