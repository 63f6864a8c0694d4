//! Spaces: what the columns of a set or relation mean.
//!
//! An integer *tuple* has an optional name and a number of dimensions, as `S[i, j]`; it may also *nest* a pair of
//! tuples, as `[S[i] -> A[a]]`, whose dimensions are those of the pair one after the other. The space of a set is a
//! tuple and an ordered list of *parameters*, that of a relation two tuples and the parameters. Names of dimensions
//! are for printing only: they take no part in comparisons. Parameters are known by their identifiers, [`Name`], and every
//! binary operation aligns them.

use super::Name;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An ordered list of distinct parameters.
#[derive(Clone, Eq, Debug)]
pub struct Params(Arc<[Name]>);

impl Hash for Params {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl PartialEq for Params {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Default for Params {
    fn default() -> Self {
        Params(Arc::from(Vec::new()))
    }
}

impl Params {
    /// No parameters.
    pub fn none() -> Self {
        Params::default()
    }

    /// Parameters with these names, in this order.
    ///
    /// # Panics
    ///
    /// If a name occurs twice.
    pub fn new<I>(names: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<Name>,
    {
        let names: Vec<Name> = names.into_iter().map(Into::into).collect();
        let distinct: HashSet<&Name> = names.iter().collect();
        assert_eq!(
            distinct.len(),
            names.len(),
            "parameter names must be distinct: {names:?}"
        );
        Params(names.into())
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, in order.
    pub fn names(&self) -> &[Name] {
        &self.0
    }

    /// The position of the parameter called `name`: the first one, should several differ in their user data only.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|n| n.as_str() == name)
    }

    /// The position of this very parameter: as [`Params::position`], but equal user data is asked for too.
    pub fn position_of(&self, name: &Name) -> Option<usize> {
        self.0.iter().position(|n| n == name)
    }

    /// These parameters without those at `positions`.
    pub(super) fn without(&self, positions: &[usize]) -> Params {
        let kept = self.0.iter().enumerate().filter(|(i, _)| !positions.contains(i));
        Params(kept.map(|(_, name)| name.clone()).collect())
    }

    /// These parameters, followed by those of `other` that are not among them.
    pub fn union(&self, other: &Params) -> Params {
        if self == other || other.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        let extra: Vec<&Name> = other.0.iter().filter(|n| self.position_of(n).is_none()).collect();
        if extra.is_empty() {
            return self.clone();
        }
        Params(self.0.iter().chain(extra).cloned().collect())
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(Name::as_str).collect();
        write!(f, "[{}]", names.join(", "))
    }
}

/// An integer tuple: a name, its dimensions, and the pair that it nests, if any. Copies share what they are made of.
///
/// Two tuples are equal if their names, numbers of dimensions and nested pairs are; dimension names are ignored.
#[derive(Clone, Debug)]
pub struct Tuple(Arc<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    name: Option<Name>,
    dims: Vec<Option<Name>>,
    nested: Option<(Tuple, Tuple)>,
}

impl Tuple {
    fn from_parts(name: Option<Name>, dims: Vec<Option<Name>>) -> Self {
        let nested = None;
        Tuple(Arc::new(Parts { name, dims, nested }))
    }

    /// The tuple `name[..]` of `n` dimensions without names.
    pub fn new(name: impl Into<Name>, n: usize) -> Self {
        Tuple::from_parts(Some(name.into()), vec![None; n])
    }

    /// The tuple `name[dims..]`.
    pub fn named<'a>(name: impl Into<Name>, dims: impl IntoIterator<Item = &'a str>) -> Self {
        Tuple::from_parts(Some(name.into()), dims.into_iter().map(|d| Some(d.into())).collect())
    }

    /// The tuple `[..]` of `n` dimensions, without a name.
    pub fn anonymous(n: usize) -> Self {
        Tuple::from_parts(None, vec![None; n])
    }

    /// The tuple without name and dimensions, which is also that of parameter sets.
    pub fn unit() -> Self {
        Tuple::anonymous(0)
    }

    /// The tuple `[a -> b]`.
    pub fn pair(a: Tuple, b: Tuple) -> Self {
        let dims = a.dims().iter().chain(b.dims()).cloned().collect();
        Tuple(Arc::new(Parts {
            name: None,
            dims,
            nested: Some((a, b)),
        }))
    }

    /// This tuple with the name `name`, or without one.
    pub fn with_name(mut self, name: Option<Name>) -> Self {
        Arc::make_mut(&mut self.0).name = name;
        self
    }

    /// This tuple with its dimensions called `dims`.
    ///
    /// # Panics
    ///
    /// If there are not as many names as dimensions.
    pub fn with_dim_names(mut self, dims: Vec<Option<Name>>) -> Self {
        assert_eq!(dims.len(), self.n(), "one name a dimension");
        let parts = Arc::make_mut(&mut self.0);
        if let Some(pair) = &mut parts.nested {
            let first = pair.0.n();
            pair.0 = pair.0.clone().with_dim_names(dims[..first].to_vec());
            pair.1 = pair.1.clone().with_dim_names(dims[first..].to_vec());
        }
        parts.dims = dims;
        self
    }

    /// The name of the tuple.
    pub fn name(&self) -> Option<&Name> {
        self.0.name.as_ref()
    }

    /// The number of dimensions, those of a nested pair included.
    pub fn n(&self) -> usize {
        self.0.dims.len()
    }

    /// The names of the dimensions.
    pub fn dims(&self) -> &[Option<Name>] {
        &self.0.dims
    }

    /// The pair that the tuple nests.
    pub fn nested(&self) -> Option<(&Tuple, &Tuple)> {
        self.0.nested.as_ref().map(|(a, b)| (a, b))
    }

    /// Whether this is the tuple without name, dimensions and nested pair.
    pub fn is_unit(&self) -> bool {
        self.0.name.is_none() && self.0.dims.is_empty() && self.0.nested.is_none()
    }
}

impl PartialEq for Tuple {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        Arc::ptr_eq(&self.0, &other.0) || (a.name == b.name && a.dims.len() == b.dims.len() && a.nested == b.nested)
    }
}

impl Eq for Tuple {}

impl Tuple {
    /// A number that is the same for equal tuples (FNV-1a). Tuples are keys of most maps: a hasher has one number to take in.
    fn digest(&self) -> u64 {
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let name = self.name().map_or(&[][..], |name| name.as_str().as_bytes());
        let own = name
            .iter()
            .fold(0xcbf2_9ce4_8422_2325 ^ self.n() as u64, |digest, byte| {
                (digest ^ u64::from(*byte)).wrapping_mul(PRIME)
            });
        match &self.0.nested {
            Some((a, b)) => (own ^ a.digest()).wrapping_mul(PRIME) ^ b.digest().rotate_left(32),
            None => own,
        }
    }
}

impl Hash for Tuple {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest());
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name() {
            f.write_str(name)?;
        }
        f.write_str("[")?;
        if let Some((a, b)) = self.nested() {
            write!(f, "{a} -> {b}")?;
        } else {
            for (i, dim) in self.dims().iter().enumerate() {
                if i > 0 {
                    f.write_str(", ")?;
                }
                match dim {
                    Some(dim) => f.write_str(dim)?,
                    None => write!(f, "i{i}")?,
                }
            }
        }
        f.write_str("]")
    }
}

/// The space of a set: parameters and a tuple. The columns of a constraint are the constant, the parameters, the
/// dimensions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SetSpace {
    /// The parameters.
    pub params: Params,
    /// The tuple; [`Tuple::unit`] for a set of parameter values.
    pub tuple: Tuple,
}

impl SetSpace {
    /// The space of sets of `tuple` with these parameters.
    pub fn new(params: Params, tuple: Tuple) -> Self {
        SetSpace { params, tuple }
    }

    /// The space of sets of parameter values.
    pub fn params_only(params: Params) -> Self {
        SetSpace {
            params,
            tuple: Tuple::unit(),
        }
    }

    /// The number of variables: parameters and dimensions.
    pub fn n_vars(&self) -> usize {
        self.params.len() + self.tuple.n()
    }
}

impl fmt::Display for SetSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {{ {} }}", self.params, self.tuple)
    }
}

/// The space of a relation: parameters, domain tuple and range tuple. The columns of a constraint are the constant,
/// the parameters, the domain's dimensions, the range's dimensions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MapSpace {
    /// The parameters.
    pub params: Params,
    /// The tuple of the domain.
    pub domain: Tuple,
    /// The tuple of the range.
    pub range: Tuple,
}

impl MapSpace {
    /// The space of relations from `domain` to `range` with these parameters.
    pub fn new(params: Params, domain: Tuple, range: Tuple) -> Self {
        MapSpace { params, domain, range }
    }

    /// The number of variables: parameters and both tuples' dimensions.
    pub fn n_vars(&self) -> usize {
        self.params.len() + self.domain.n() + self.range.n()
    }

    /// The space of the domains.
    pub fn domain_space(&self) -> SetSpace {
        SetSpace {
            params: self.params.clone(),
            tuple: self.domain.clone(),
        }
    }

    /// The space of the ranges.
    pub fn range_space(&self) -> SetSpace {
        SetSpace {
            params: self.params.clone(),
            tuple: self.range.clone(),
        }
    }

    /// The space of the inverse relations.
    pub fn reverse(&self) -> MapSpace {
        MapSpace {
            params: self.params.clone(),
            domain: self.range.clone(),
            range: self.domain.clone(),
        }
    }

    /// The space of the wrapped relations: sets of pairs.
    pub fn wrap(&self) -> SetSpace {
        SetSpace {
            params: self.params.clone(),
            tuple: Tuple::pair(self.domain.clone(), self.range.clone()),
        }
    }
}

impl fmt::Display for MapSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {{ {} -> {} }}", self.params, self.domain, self.range)
    }
}

/// Where the variables of a space with the parameters `from` are in the same space with the parameters `to`, which
/// include them.
///
/// # Panics
///
/// If one is not among `to`.
pub(crate) fn aligned_var(from: &Params, to: &Params) -> impl Fn(usize) -> usize {
    let targets: Vec<usize> = from
        .names()
        .iter()
        .map(|n| {
            to.position_of(n)
                .unwrap_or_else(|| panic!("the parameter {n} is missing among the aligned ones"))
        })
        .collect();
    let added = to.len() - from.len();
    move |v| targets.get(v).copied().unwrap_or(v + added)
}
