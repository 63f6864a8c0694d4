//! Schedule constraints, and their text form: isl's YAML.

use super::ScheduleError;
use super::consecutivity::Reference;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Aff, Map, MultiAff, Params, Set, SetSpace, Tuple, UnionMap, UnionPwMultiAff, UnionSet};
use crate::text::ParseError;
use crate::text::entries::{Entry, entries, missing};
use std::fmt;
use std::str::FromStr;

/// What a schedule has to satisfy, and what it should (P0, 4.2). See the module [`schedule`](super).
///
/// Pairs of which one instance is not in the domain do not count.
#[derive(Clone, Debug)]
pub struct ScheduleConstraints {
    /// The statement instances to be scheduled. Tuples are statements; no two have the same.
    pub domain: UnionSet,
    /// What is known of the parameters.
    pub context: Set,
    /// Pairs of which the second instance must not come before the first. No instance is paired with itself.
    pub validity: UnionMap,
    /// Pairs of instances that should come close to each other.
    pub proximity: UnionMap,
    /// Pairs of instances that should coincide in as many outer members as possible.
    pub coincidence: UnionMap,
    /// Live ranges: pairs of instances, or of instances with a tag `[S[i] -> access[]]`, that the pairs in
    /// `conditional_validity` are adjacent to.
    pub condition: UnionMap,
    /// Pairs, with or without tags, that have to stay in order as long as an adjacent condition has its ends apart.
    pub conditional_validity: UnionMap,
    /// Per statement, the references that should be consecutive, in the order of preference (P3, 3).
    pub intra_consecutivity: Vec<(Tuple, Reference)>,
    /// Pairs of instances of two statements that should come one step after the other: they access consecutive elements
    /// in the first inner row of what is served of the statements' references (P3, 4).
    pub inter_consecutivity: UnionMap,
}

impl ScheduleConstraints {
    /// No constraints on the instances in `domain`.
    pub fn on_domain(domain: UnionSet) -> ScheduleConstraints {
        let params = domain.params().clone();
        let empty = || UnionMap::empty(params.clone());
        ScheduleConstraints {
            context: Set::universe(SetSpace::params_only(params.clone())),
            validity: empty(),
            proximity: empty(),
            coincidence: empty(),
            condition: empty(),
            conditional_validity: empty(),
            intra_consecutivity: Vec::new(),
            inter_consecutivity: empty(),
            domain,
        }
    }

    /// The constraints with all conditioned pairs to stay in order, whatever becomes of the conditions.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn unconditional(&self, b: &Budget) -> Outcome<ScheduleConstraints> {
        let mut validity = self.validity.clone();
        for map in self.conditional_validity.maps() {
            let mut plain = map.clone();
            if plain.domain_tuple().nested().is_some() && self.statement(plain.domain_tuple()).is_none() {
                plain = plain.domain_factor_domain(b)?;
            }
            if plain.range_tuple().nested().is_some() && self.statement(plain.range_tuple()).is_none() {
                plain = plain.range_factor_domain(b)?;
            }
            validity.add(&plain);
        }
        let none = UnionMap::empty(self.domain.params().clone());
        Ok(ScheduleConstraints {
            validity,
            condition: none.clone(),
            conditional_validity: none,
            ..self.clone()
        })
    }

    /// The constraints with other instances in the place of those of some statements: `functions` gives the injective
    /// functions from a statement's instances to these, or none for a statement that stays as it is. References that should be
    /// consecutive are kept for the latter only.
    pub(super) fn mapped(&self, functions: &dyn Fn(&Tuple) -> Vec<Map>, b: &Budget) -> Outcome<ScheduleConstraints> {
        let mut domain = UnionSet::empty(self.domain.params().clone());
        for set in self.domain.sets() {
            match &functions(set.tuple())[..] {
                [] => domain.add(set),
                functions => {
                    for function in functions {
                        domain.add(&match is_renaming(function) {
                            true => set.with_tuple(function.range_tuple().clone()),
                            false => set.apply(function, b)?,
                        });
                    }
                }
            }
        }
        let mut mapped = ScheduleConstraints {
            domain: domain.coalesce(b)?,
            ..self.clone()
        };
        for (_, relation) in mapped.relations() {
            *relation = self.mapped_relation(relation, functions, b)?;
        }
        mapped
            .intra_consecutivity
            .retain(|(statement, _)| functions(statement).is_empty());
        Ok(mapped)
    }

    /// A relation between statements, with or without tags, as one between what [`mapped`](Self::mapped) makes of them.
    fn mapped_relation(
        &self,
        relation: &UnionMap,
        functions: &dyn Fn(&Tuple) -> Vec<Map>,
        b: &Budget,
    ) -> Outcome<UnionMap> {
        let functions = |tuple: &Tuple| match tuple.nested() {
            Some((statement, tag)) if self.statement(tuple).is_none() => {
                let tags = Map::identity(Params::none(), tag.clone());
                functions(statement)
                    .iter()
                    .map(|function| function.product(&tags))
                    .collect()
            }
            _ => functions(tuple),
        };
        let mut out = UnionMap::empty(relation.params().clone());
        for map in relation.maps() {
            let sources = match &functions(map.domain_tuple())[..] {
                [] => vec![map.clone()],
                functions => functions
                    .iter()
                    .map(|function| match is_renaming(function) {
                        true => Ok(map.with_domain_tuple(function.range_tuple().clone())),
                        false => map.apply_domain(function, b),
                    })
                    .collect::<Outcome<_>>()?,
            };
            for source in sources {
                match &functions(map.range_tuple())[..] {
                    [] => out.add(&source),
                    functions => {
                        for function in functions {
                            out.add(&match is_renaming(function) {
                                true => source.with_range_tuple(function.range_tuple().clone()),
                                false => source.apply_range(function, b)?,
                            });
                        }
                    }
                }
            }
        }
        out.coalesce(b)
    }

    /// That all constraints on a statement with the name of one in the domain have its dimensions and nested tuples.
    /// Constraints on statements that are not in the domain at all do not count.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::OtherDimensions`] with the first other one.
    pub fn check_dimensions(&self) -> Result<(), ScheduleError> {
        let other = |tuple: &Tuple| -> Option<(Tuple, Tuple)> {
            let statement = match tuple.nested() {
                Some((statement, _)) if tuple.name().is_none() => statement,
                _ => tuple,
            };
            let name = statement.name()?;
            let own = self.domain.tuples().find(|own| own.name() == Some(name))?;
            (self.statement(tuple).is_none() && own != statement).then(|| (statement.clone(), own.clone()))
        };
        for (relation, pairs) in self.clone().relations() {
            let mut ends = pairs.maps().flat_map(|map| [map.domain_tuple(), map.range_tuple()]);
            if let Some((found, statement)) = ends.find_map(other) {
                return Err(ScheduleError::OtherDimensions {
                    relation,
                    found,
                    statement,
                });
            }
        }
        Ok(())
    }

    fn statement(&self, tuple: &Tuple) -> Option<&Set> {
        self.domain.sets().find(|set| set.tuple() == tuple)
    }

    /// The entries of the text form that are relations, in their order.
    fn relations(&mut self) -> [(&'static str, &mut UnionMap); 6] {
        [
            ("validity", &mut self.validity),
            ("proximity", &mut self.proximity),
            ("coincidence", &mut self.coincidence),
            ("condition", &mut self.condition),
            ("conditional_validity", &mut self.conditional_validity),
            ("inter_consecutivity", &mut self.inter_consecutivity),
        ]
    }
}

/// Whether the function takes each tuple to the one with the same values.
fn is_renaming(function: &Map) -> bool {
    let (source, target) = (function.domain_tuple(), function.range_tuple());
    let identity = Map::identity(function.params().clone(), source.clone());
    source.n() == target.n() && function.pieces() == identity.pieces()
}

const KEYS: [&str; 9] = [
    "domain",
    "context",
    "validity",
    "proximity",
    "coincidence",
    "condition",
    "conditional_validity",
    "intra_consecutivity",
    "inter_consecutivity",
];

/// `domain: ".."`, and optionally the other fields, in any order and with or without quotation marks.
impl FromStr for ScheduleConstraints {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<ScheduleConstraints, ParseError> {
        let entries = entries(text)?;
        for (index, entry) in entries.iter().enumerate() {
            let key = &entry.key;
            if !KEYS.contains(&key.as_str()) {
                return Err(entry.error(format!("unknown key `{key}`; known are {}", KEYS.join(", "))));
            }
            if entries[..index].iter().any(|other| other.key == *key) {
                return Err(entry.error(format!("the key `{key}` is there already")));
            }
        }
        let entry = |key: &str| entries.iter().find(|entry| entry.key == key);
        let domain = entry("domain").ok_or_else(|| missing("domain"))?;
        let mut constraints = ScheduleConstraints::on_domain(notation(domain)?);
        if let Some(context) = entry("context") {
            constraints.context = notation(context)?;
        }
        for (key, relation) in constraints.relations() {
            if let Some(entry) = entry(key) {
                *relation = notation(entry)?;
            }
        }
        if let Some(entry) = entry("intra_consecutivity") {
            constraints.intra_consecutivity = references(entry)?;
        }
        Ok(constraints)
    }
}

/// References in the form `({ S[i, j] -> [[j] -> [i]] }, { .. })`: functions from statements to the outer and the inner
/// subscripts, in the order of preference.
fn references(entry: &Entry) -> Result<Vec<(Tuple, Reference)>, ParseError> {
    let error = |message: &str| entry.error(format!("in `{}`: {message}", entry.key));
    let inside = entry.value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let inside = inside.ok_or_else(|| error("expected a list `({ S[i, j] -> [[j] -> [i]] }, ..)`"))?;
    let mut references = Vec::new();
    // Relations are in braces, which do not nest.
    for part in inside.split_inclusive('}') {
        let text = part.trim_start_matches([',', ' ', '\n', '\t']);
        if text.is_empty() {
            continue;
        }
        let functions: UnionPwMultiAff = text.parse().map_err(|fault: ParseError| error(&fault.message))?;
        for function in functions.pw_multi_affs() {
            let function = function
                .as_multi_aff()
                .ok_or_else(|| error("a reference is one expression everywhere"))?;
            let domain = &function.space().domain;
            let Some((outer, _)) = function.space().range.nested() else {
                return Err(error("expected outer and inner subscripts, `[[j] -> [i]]`"));
            };
            let mut rows = Vec::with_capacity(function.len());
            for aff in function.affs() {
                if !aff.divs().is_empty() || !aff.den().is_one() {
                    return Err(error("a subscript has to be affine, without divisions"));
                }
                rows.push((0..domain.n()).map(|dim| aff.coefficient(dim).clone()).collect::<Row>());
            }
            let inner = rows.split_off(outer.n());
            let reference = Reference::new(rows, inner, domain.n()).ok_or_else(|| {
                error("the inner subscripts have to be independent of each other and of the outer ones")
            })?;
            references.push((domain.clone(), reference));
        }
    }
    Ok(references)
}

/// The text form of a reference.
fn reference_text(params: &Params, statement: &Tuple, reference: &Reference) -> String {
    let space = SetSpace::new(params.clone(), statement.clone());
    let aff = |row: &Row| {
        let terms = row.iter().enumerate().filter(|(_, a)| !a.is_zero());
        terms.fold(Aff::constant(space.clone(), Int::ZERO), |sum, (dim, a)| {
            sum.add(&Aff::var(space.clone(), dim).scale(a))
        })
    };
    let (outer, inner) = (reference.outer(), reference.inner());
    let range = Tuple::pair(Tuple::anonymous(outer.len()), Tuple::anonymous(inner.len()));
    let affs = outer.iter().chain(inner).map(aff).collect();
    MultiAff::new(space.clone(), range, affs).to_string()
}

fn notation<T: FromStr<Err = ParseError>>(entry: &Entry) -> Result<T, ParseError> {
    entry.value.parse().map_err(|error| entry.in_text(error))
}

impl fmt::Display for ScheduleConstraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "domain: \"{}\"", self.domain)?;
        writeln!(f, "context: \"{}\"", self.context)?;
        for (key, relation) in self.clone().relations() {
            if relation.maps().next().is_some() {
                writeln!(f, "{key}: \"{relation}\"")?;
            }
        }
        if !self.intra_consecutivity.is_empty() {
            let references = self.intra_consecutivity.iter();
            let params = self.domain.params();
            let texts: Vec<String> = references.map(|(s, r)| reference_text(params, s, r)).collect();
            writeln!(f, "intra_consecutivity: \"({})\"", texts.join(", "))?;
        }
        Ok(())
    }
}
