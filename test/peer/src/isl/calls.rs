//! Calls of isl's functions by name.

use super::{Binary, BinaryPredicate, Dims, Isl, Kind, Object, Partial, Predicate, Raw, Unary, take_text};
use std::ffi::{CString, c_char, c_int, c_uint};
use std::ptr;

/// A call by name, for what is not timed. All objects are consumed. None if isl fails.
impl Isl {
    /// `isl_{name}` of one, two or three objects.
    pub fn apply<'a>(&'a self, name: &str, kind: Kind, objects: Vec<Object<'a>>) -> Option<Object<'a>> {
        let name = format!("isl_{name}");
        let mut objects = objects.into_iter();
        match (objects.next(), objects.next(), objects.next()) {
            (Some(a), None, None) => a.unary(&name, kind),
            (Some(a), Some(b), None) => a.binary(b, &name, kind),
            (Some(a), Some(b), Some(c)) => {
                let function: unsafe extern "C" fn(Raw, Raw, Raw) -> Raw = self.symbol(&name);
                // Safety: the function consumes the objects.
                self.own(kind, unsafe { function(a.into_raw(), b.into_raw(), c.into_raw()) })
            }
            _ => panic!("objects for {name}"),
        }
    }

    /// `isl_{name}` of an object, and whether isl knows the result to be exact.
    pub fn apply_inexact<'a>(&'a self, name: &str, kind: Kind, object: Object<'a>) -> Option<(Object<'a>, bool)> {
        let function: unsafe extern "C" fn(Raw, *mut c_int) -> Raw = self.symbol(&format!("isl_{name}"));
        let mut exact = 0;
        // Safety: the function consumes the object.
        let result = self.own(kind, unsafe { function(object.into_raw(), &mut exact) })?;
        Some((result, exact == 1))
    }

    /// `isl_{name}` of an object and a kind of dimension.
    pub fn apply_kind<'a>(&'a self, name: &str, object: Object<'a>, kind: u32) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, c_uint) -> Raw = self.symbol(&format!("isl_{name}"));
        let result = object.kind;
        // Safety: the function consumes the object.
        self.own(result, unsafe { function(object.into_raw(), kind) })
    }

    /// A set with the name `name` for parameter `pos`.
    pub fn name_param<'a>(&'a self, object: Object<'a>, pos: usize, name: &str) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, c_uint, c_uint, *const c_char) -> Raw =
            self.symbol("isl_set_set_dim_name");
        let (dim_param, name) = (1, CString::new(name).ok()?);
        // Safety: the function consumes the object and copies the name.
        self.own(Kind::Map, unsafe {
            function(object.into_raw(), dim_param, pos as c_uint, name.as_ptr())
        })
    }

    /// The number of dimensions of a set or relation of a kind.
    pub fn n_dims(&self, object: &Object<'_>, kind: u32) -> usize {
        let function: unsafe extern "C" fn(Raw, c_uint) -> c_int = self.symbol("isl_map_dim");
        // Safety: the function only looks at its argument.
        unsafe { function(object.raw, kind) as usize }
    }

    /// The number of parameters of a set or relation.
    pub fn n_params(&self, object: &Object<'_>) -> usize {
        let dim_param = 1;
        self.n_dims(object, dim_param)
    }

    /// `isl_{name}` of a set and a dimension of it: a function of the parameters.
    pub fn dim_function<'a>(&'a self, name: &str, object: Object<'a>, pos: usize) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, c_int) -> Raw = self.symbol(&format!("isl_{name}"));
        // Safety: the function consumes the object.
        self.own(Kind::PwAff, unsafe { function(object.into_raw(), pos as c_int) })
    }

    /// The stride that isl finds of a dimension of a set.
    pub fn stride(&self, set: &Object<'_>, pos: usize) -> Option<String> {
        let function: unsafe extern "C" fn(Raw, c_int) -> Raw = self.symbol("isl_set_get_stride");
        // Safety: the function only looks at the set.
        self.value_text(unsafe { function(set.raw, pos as c_int) })
    }

    /// The number that `isl_{name}` says of a function.
    pub fn value(&self, name: &str, object: &Object<'_>) -> Option<String> {
        let function: Unary = self.symbol(&format!("isl_{name}"));
        // Safety: the function consumes the copy.
        self.value_text(unsafe { function(object.clone().into_raw()) })
    }

    /// The number that `isl_{name}` says of an expression on a set.
    pub fn optimum(&self, name: &str, set: &Object<'_>, aff: &Object<'_>) -> Option<String> {
        let function: Binary = self.symbol(&format!("isl_{name}"));
        // Safety: the function only looks at its arguments.
        self.value_text(unsafe { function(set.raw, aff.raw) })
    }

    /// `isl_{name}` of an object, a kind of dimension, and two numbers.
    pub fn apply_dims<'a>(
        &'a self,
        name: &str,
        object: Object<'a>,
        kind: u32,
        first: usize,
        count: usize,
    ) -> Option<Object<'a>> {
        let function: Dims = self.symbol(&format!("isl_{name}"));
        let result = object.kind;
        // Safety: the function consumes the object.
        self.own(result, unsafe {
            function(object.into_raw(), kind, first as c_uint, count as c_uint)
        })
    }

    /// `isl_{name}` of an object, and a dimension of it that is set to a value.
    pub fn apply_fix<'a>(
        &'a self,
        name: &str,
        object: Object<'a>,
        kind: u32,
        pos: usize,
        value: i64,
    ) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, c_uint, c_uint, c_int) -> Raw = self.symbol(&format!("isl_{name}"));
        let result = object.kind;
        // Safety: the function consumes the object.
        self.own(result, unsafe {
            function(object.into_raw(), kind, pos as c_uint, value as c_int)
        })
    }

    /// `isl_{name}` of a relation and a domain: the optimum, and the elements of the domain without one.
    pub fn apply_partial<'a>(&'a self, name: &str, objects: Vec<Object<'a>>) -> Option<(Object<'a>, Object<'a>)> {
        let function: Partial = self.symbol(&format!("isl_{name}"));
        let raw: Vec<Raw> = objects.into_iter().map(Object::into_raw).collect();
        let mut rest = ptr::null_mut();
        // Safety: the function consumes the objects and makes a new one.
        let best = unsafe { function(raw[0], raw[1], &mut rest) };
        let (best, rest) = (self.own(Kind::Map, best), self.own(Kind::Map, rest));
        Some((best?, rest?))
    }

    /// Reads a structure, also where it is a function without a value anywhere, of which isl does not read all texts.
    pub fn read_function(&self, kind: Kind, text: &str) -> Option<Object<'_>> {
        let read = self.read(kind, text);
        if read.is_some() {
            return read;
        }
        let from_map = || {
            self.apply(
                "pw_multi_aff_from_map",
                Kind::PwMultiAff,
                vec![self.read(Kind::Map, text)?],
            )
        };
        match kind {
            Kind::PwAff => self.component(from_map()?, 0),
            Kind::PwMultiAff => from_map(),
            Kind::UnionPwMultiAff => {
                let map = self.read(Kind::UnionMap, text)?;
                self.apply("union_pw_multi_aff_from_union_map", kind, vec![map])
            }
            Kind::UnionPwAff if self.read(Kind::UnionMap, text)?.is_empty()? => {
                let empty: Unary = self.symbol("isl_union_pw_aff_empty_ctx");
                // Safety: the context lives as long as `self`.
                self.own(kind, unsafe { empty(self.ctx) })
            }
            _ => None,
        }
    }

    /// A function to the tuple `C` of `n` dimensions as a tuple of unions.
    pub fn tuple_of_unions<'a>(&'a self, function: Object<'a>, n: usize) -> Option<Object<'a>> {
        // isl does not know the range of a function without a value anywhere.
        match function.clone().to_map()?.is_empty()? {
            true => self.nowhere(n),
            false => self.apply(
                "multi_union_pw_aff_from_union_pw_multi_aff",
                Kind::MultiUnionPwAff,
                vec![function],
            ),
        }
    }

    /// The function to the tuple `C` of `n` dimensions that has no value anywhere.
    pub fn nowhere(&self, n: usize) -> Option<Object<'_>> {
        let zeros = vec!["{ A[] -> [(0)] }"; n].join(", ");
        let zero = self.read(Kind::MultiUnionPwAff, &format!("C[{zeros}]"))?;
        let domain = self.read(Kind::UnionSet, "{ }")?;
        let name = "multi_union_pw_aff_intersect_domain";
        self.apply(name, Kind::MultiUnionPwAff, vec![zero, domain])
    }

    /// `isl_{name}` of an object and a number.
    pub fn apply_value<'a>(&'a self, name: &str, object: Object<'a>, value: i64) -> Option<Object<'a>> {
        let make: unsafe extern "C" fn(Raw, std::ffi::c_long) -> Raw = self.symbol("isl_val_int_from_si");
        let function: Binary = self.symbol(&format!("isl_{name}"));
        let result = object.kind;
        // Safety: the function consumes the object and the number.
        self.own(result, unsafe { function(object.into_raw(), make(self.ctx, value)) })
    }

    /// The expression of one dimension of a tuple.
    pub fn component<'a>(&'a self, object: Object<'a>, pos: usize) -> Option<Object<'a>> {
        let (name, kind) = match object.kind {
            Kind::MultiUnionPwAff => ("isl_multi_union_pw_aff_get_union_pw_aff", Kind::UnionPwAff),
            _ => ("isl_pw_multi_aff_get_pw_aff", Kind::PwAff),
        };
        let function: unsafe extern "C" fn(Raw, c_int) -> Raw = self.symbol(name);
        // Safety: the function only looks at the object.
        self.own(kind, unsafe { function(object.raw, pos as c_int) })
    }

    /// `isl_{name}` of an object and two dimensions of it, each a kind and a position.
    pub fn relate<'a>(
        &'a self,
        name: &str,
        object: Object<'a>,
        x: (u32, usize),
        y: (u32, usize),
    ) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, c_uint, c_int, c_uint, c_int) -> Raw =
            self.symbol(&format!("isl_{name}"));
        // Safety: the function consumes the object.
        let raw = unsafe { function(object.into_raw(), x.0, x.1 as c_int, y.0, y.1 as c_int) };
        self.own(Kind::Map, raw)
    }

    /// `isl_{name}` of an object: `count` dimensions are moved to one place from another, each a kind and a position.
    pub fn move_dims<'a>(
        &'a self,
        name: &str,
        object: Object<'a>,
        to: (u32, usize),
        from: (u32, usize),
        count: usize,
    ) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, c_uint, c_uint, c_uint, c_uint, c_uint) -> Raw =
            self.symbol(&format!("isl_{name}"));
        let (to, from) = ((to.0, to.1 as c_uint), (from.0, from.1 as c_uint));
        // Safety: the function consumes the object.
        self.own(Kind::Map, unsafe {
            function(object.into_raw(), to.0, to.1, from.0, from.1, count as c_uint)
        })
    }

    fn value_text(&self, value: Raw) -> Option<String> {
        let to_str: unsafe extern "C" fn(Raw) -> *mut c_char = self.symbol("isl_val_to_str");
        let drop: Unary = self.symbol("isl_val_free");
        if value.is_null() {
            return None;
        }
        // Safety: the number and the string are ours.
        unsafe {
            let text = take_text(to_str(value));
            drop(value);
            text
        }
    }

    /// The number that `isl_{name}` says of a dimension of a set.
    pub fn dim_bound(&self, name: &str, object: &Object<'_>, pos: usize) -> Option<String> {
        let function: unsafe extern "C" fn(Raw, c_int) -> Raw = self.symbol(&format!("isl_{name}"));
        // Safety: the function consumes the copy.
        self.value_text(unsafe { function(object.clone().into_raw(), pos as c_int) })
    }

    /// The number of elements of a set, over all parameter values.
    pub fn count(&self, object: &Object<'_>) -> Option<String> {
        let n: unsafe extern "C" fn(Raw, c_uint) -> c_int = self.symbol("isl_set_dim");
        let function: Unary = self.symbol("isl_set_count_val");
        let (param, set) = (1, 3);
        // Safety: the functions only look at their arguments.
        unsafe {
            let n = n(object.raw, param) as usize;
            let all = self.move_dims("set_move_dims", object.clone(), (set, 0), (param, 0), n)?;
            if !self.answer("set_is_bounded", std::slice::from_ref(&all))? {
                return Some("infty".into());
            }
            self.value_text(function(all.raw))
        }
    }

    /// The set as one of flat tuples without a name, and of integers where isl has a rational one. Cones with the same
    /// integer points are the same.
    pub fn flat_integer<'a>(&'a self, object: Object<'a>) -> Option<Object<'a>> {
        let flat = self.apply("set_flatten", Kind::Map, vec![object.to_map()?])?;
        let flat = self.apply("set_reset_tuple_id", Kind::Map, vec![flat])?;
        self.read(Kind::Map, &flat.text().replace("{ rat: ", "{ "))
    }

    /// The lineality space of a set's convex hull, or the empty set for an empty one.
    pub fn lineality<'a>(&'a self, object: Object<'a>) -> Option<Object<'a>> {
        if object.is_empty()? {
            return Some(object);
        }
        let hull = self.apply("set_convex_hull", Kind::Basic, vec![object])?;
        self.apply("basic_set_lineality_space", Kind::Basic, vec![hull])
    }

    /// The relation `isl_{name}`, which is given by the space of a set: a lexicographic order.
    pub fn of_space<'a>(&'a self, name: &str, object: Object<'a>) -> Option<Object<'a>> {
        let space: Unary = self.symbol("isl_set_get_space");
        let function: Unary = self.symbol(&format!("isl_{name}"));
        // Safety: the function consumes the space, which is a new reference.
        self.own(Kind::Map, unsafe { function(space(object.raw)) })
    }

    /// The answer of `isl_{name}` about one or two objects. None if isl fails.
    pub fn answer(&self, name: &str, objects: &[Object<'_>]) -> Option<bool> {
        let name = format!("isl_{name}");
        // Safety: the functions only look at their arguments.
        let answer = unsafe {
            match objects {
                [a] => self.symbol::<Predicate>(&name)(a.raw),
                [a, b] => self.symbol::<BinaryPredicate>(&name)(a.raw, b.raw),
                _ => panic!("one or two objects for {name}"),
            }
        };
        match answer {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Where a set has the parameter `name`.
    pub fn find_param(&self, object: &Object<'_>, name: &str) -> Option<usize> {
        let function: unsafe extern "C" fn(Raw, c_uint, *const c_char) -> c_int =
            self.symbol("isl_set_find_dim_by_name");
        let name = CString::new(name).ok()?;
        let dim_param = 1;
        // Safety: the function only looks at its arguments.
        usize::try_from(unsafe { function(object.raw, dim_param, name.as_ptr()) }).ok()
    }

    /// Whether isl's last failure is that it reached the limit of [`Isl::limit`].
    pub fn has_reached_limit(&self) -> bool {
        let function: Predicate = self.symbol("isl_ctx_last_error");
        const QUOTA: c_int = 6;
        // Safety: the context lives as long as `self`.
        unsafe { function(self.ctx) == QUOTA }
    }
}
