//! Structures of isl's, and the questions that are asked of them.

use super::{Binary, BinaryPredicate, Isl, Kind, Predicate, Raw, Unary, take_text};
use std::ffi::{c_char, c_int, c_long};

/// A structure of isl's that is ours to free.
pub struct Object<'a> {
    pub(super) isl: &'a Isl,
    pub(super) kind: Kind,
    pub(super) raw: Raw,
}

impl<'a> Object<'a> {
    /// The pointer, which stays ours.
    pub fn raw(&self) -> Raw {
        self.raw
    }

    /// The pointer, for a function that consumes it.
    pub fn into_raw(self) -> Raw {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }

    /// The kind of structure.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    fn named(&self, what: &str) -> String {
        format!("isl_{}_{what}", self.kind.name())
    }

    pub(super) fn unary(self, name: &str, kind: Kind) -> Option<Object<'a>> {
        let function: Unary = self.isl.symbol(name);
        let isl = self.isl;
        // Safety: the function consumes its argument.
        isl.own(kind, unsafe { function(self.into_raw()) })
    }

    pub(super) fn binary(self, other: Object<'_>, name: &str, kind: Kind) -> Option<Object<'a>> {
        let function: Binary = self.isl.symbol(name);
        let isl = self.isl;
        // Safety: the function consumes its arguments.
        isl.own(kind, unsafe { function(self.into_raw(), other.into_raw()) })
    }

    fn ask(&self, other: &Object<'_>, name: &str) -> Option<bool> {
        assert_eq!(self.kind, other.kind, "two structures of one kind");
        let function: BinaryPredicate = self.isl.symbol(&self.named(name));
        // Safety: the function only looks at its arguments.
        match unsafe { function(self.raw, other.raw) } {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// The structure as a set or relation: what a conjunction or a piecewise function describes.
    pub fn to_map(self) -> Option<Object<'a>> {
        match self.kind {
            Kind::Basic => self.unary("isl_map_from_basic_map", Kind::Map),
            Kind::PwMultiAff => {
                let space: Unary = self.isl.symbol("isl_pw_multi_aff_get_space");
                let is_set: Predicate = self.isl.symbol("isl_space_is_set");
                let free: Unary = self.isl.symbol("isl_space_free");
                // Safety: the space is a new reference that is freed here.
                let is_set = unsafe {
                    let space = space(self.raw);
                    let is_set = is_set(space) == 1;
                    free(space);
                    is_set
                };
                match is_set {
                    true => self.unary("isl_set_from_pw_multi_aff", Kind::Map),
                    false => self.unary("isl_map_from_pw_multi_aff", Kind::Map),
                }
            }
            Kind::Aff => self.unary("isl_map_from_aff", Kind::Map),
            Kind::MultiAff => self.unary("isl_map_from_multi_aff", Kind::Map),
            Kind::PwAff => self.unary("isl_map_from_pw_aff", Kind::Map),
            Kind::MultiPwAff => self.unary("isl_map_from_multi_pw_aff", Kind::Map),
            Kind::UnionPwAff => self.unary("isl_union_map_from_union_pw_aff", Kind::UnionMap),
            Kind::UnionPwMultiAff => self.unary("isl_union_map_from_union_pw_multi_aff", Kind::UnionMap),
            Kind::MultiUnionPwAff => self.unary("isl_union_map_from_multi_union_pw_aff", Kind::UnionMap),
            _ => Some(self),
        }
    }

    /// Whether this is a set of parameter values.
    pub fn is_params(&self) -> bool {
        self.kind == Kind::Map && self.asks("isl_set_is_params")
    }

    /// Whether this is a set, of parameter values or not.
    pub fn is_set(&self) -> bool {
        let space: Unary = self.isl.symbol(&self.named("get_space"));
        let is_set: Predicate = self.isl.symbol("isl_space_is_set");
        let is_params: Predicate = self.isl.symbol("isl_space_is_params");
        let free: Unary = self.isl.symbol("isl_space_free");
        // Safety: the space is a new reference that is freed here.
        unsafe {
            let space = space(self.raw);
            let is = is_set(space) == 1 || is_params(space) == 1;
            free(space);
            is
        }
    }

    fn asks(&self, name: &str) -> bool {
        let function: Predicate = self.isl.symbol(name);
        // Safety: the function only looks at its argument.
        unsafe { function(self.raw) == 1 }
    }

    /// The parameter values of a set or union of sets.
    pub fn params(self) -> Option<Object<'a>> {
        match self.kind {
            Kind::UnionSet => self.unary("isl_union_set_params", Kind::Map),
            Kind::Map => self.unary("isl_set_params", Kind::Map),
            kind => panic!("{kind:?} is no set"),
        }
    }

    /// Whether both are equal as sets. None if isl fails: on different spaces, or at its limit.
    pub fn is_equal(&self, other: &Object<'_>) -> Option<bool> {
        self.ask(other, "is_equal")
    }

    /// Whether all elements are in the other. None if isl fails.
    pub fn is_subset(&self, other: &Object<'_>) -> Option<bool> {
        self.ask(other, "is_subset")
    }

    /// Whether there is no element. None if isl fails.
    pub fn is_empty(&self) -> Option<bool> {
        let function: Predicate = self.isl.symbol(&self.named("is_empty"));
        // Safety: the function only looks at its argument.
        match unsafe { function(self.raw) } {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// The elements of both.
    pub fn intersect(self, other: Object<'_>) -> Option<Object<'a>> {
        let (name, kind) = (self.named("intersect"), self.kind);
        self.binary(other, &name, kind)
    }

    /// The entries of a vector that fit.
    pub fn entries(&self) -> Vec<i64> {
        assert_eq!(self.kind, Kind::Vector, "entries of a vector");
        let size: unsafe extern "C" fn(Raw) -> c_int = self.isl.symbol("isl_vec_size");
        let element: unsafe extern "C" fn(Raw, c_int) -> Raw = self.isl.symbol("isl_vec_get_element_val");
        let number: unsafe extern "C" fn(Raw) -> c_long = self.isl.symbol("isl_val_get_num_si");
        let release: Unary = self.isl.symbol("isl_val_free");
        // SAFETY: all positions are inside of the vector, and the values are ours to free.
        unsafe {
            (0..size(self.raw))
                .map(|k| {
                    let value = element(self.raw, k);
                    let entry = number(value);
                    release(value);
                    entry
                })
                .collect()
        }
    }

    /// The structure in isl's notation.
    pub fn text(&self) -> String {
        let name = match self.kind {
            Kind::Map if self.is_set() => "isl_set_to_str".to_string(),
            Kind::Basic if self.is_set() => "isl_basic_set_to_str".to_string(),
            _ => self.named("to_str"),
        };
        let to_str: unsafe extern "C" fn(Raw) -> *mut c_char = self.isl.symbol(&name);
        // Safety: the string is allocated by isl.
        unsafe { take_text(to_str(self.raw)) }.unwrap_or_else(|| "?".into())
    }
}

impl Clone for Object<'_> {
    fn clone(&self) -> Self {
        let copy: Unary = self.isl.symbol(&self.named("copy"));
        // Safety: a new reference to the same structure.
        let raw = unsafe { copy(self.raw) };
        Object {
            isl: self.isl,
            kind: self.kind,
            raw,
        }
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        let free: Unary = self.isl.symbol(&self.named("free"));
        // Safety: the reference is ours.
        unsafe { free(self.raw) };
    }
}
