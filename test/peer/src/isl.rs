//! isl, loaded at run time.
//!
//! An [`Isl`] is a library with one context. Sets and relations are the same structure in isl, so that everything that
//! is not a function here is an [`Object`] of one of few [`Kind`]s; a set is read, copied, compared and freed by the
//! functions on relations.

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

/// A pointer to one of isl's structures.
pub type Raw = *mut c_void;

type Unary = unsafe extern "C" fn(Raw) -> Raw;
type Binary = unsafe extern "C" fn(Raw, Raw) -> Raw;
type Predicate = unsafe extern "C" fn(Raw) -> c_int;
type BinaryPredicate = unsafe extern "C" fn(Raw, Raw) -> c_int;
type Read = unsafe extern "C" fn(Raw, *const c_char) -> Raw;
type Dims = unsafe extern "C" fn(Raw, c_uint, c_uint, c_uint) -> Raw;
type Partial = unsafe extern "C" fn(Raw, Raw, *mut Raw) -> Raw;
type PartialLexopt = unsafe extern "C" fn(Raw, Raw, *mut Raw, c_uint) -> Raw;
type NonTrivial = unsafe extern "C" fn(Raw, c_int, c_int, *mut TrivialRegion, *const c_void, *const c_void) -> Raw;

/// isl's `struct isl_trivial_region`: the forms in the rows of a matrix over the unknowns from `pos` on.
#[derive(Debug)]
#[repr(C)]
pub struct TrivialRegion {
    pos: c_int,
    trivial: Raw,
}

/// A region of `isl_tab_basic_set_non_trivial_lexmin`.
#[derive(Clone, Debug)]
pub struct Region {
    /// The first unknown.
    pub pos: usize,
    /// Linear forms on the unknowns from there on.
    pub forms: Vec<Vec<i64>>,
}

/// The structures that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A set or relation of one conjunction.
    Basic,
    /// A set or relation.
    Map,
    /// A union of relations.
    UnionMap,
    /// A union of sets.
    UnionSet,
    /// A piecewise expression.
    PwAff,
    /// A piecewise tuple of expressions.
    PwMultiAff,
    /// A tuple of piecewise expressions.
    MultiPwAff,
    /// A union of piecewise expressions.
    UnionPwAff,
    /// A union of piecewise tuples of expressions.
    UnionPwMultiAff,
    /// A tuple of unions of piecewise expressions.
    MultiUnionPwAff,
    /// A vector.
    Vector,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Basic => "basic_map",
            Kind::Map => "map",
            Kind::UnionMap => "union_map",
            Kind::UnionSet => "union_set",
            Kind::PwAff => "pw_aff",
            Kind::PwMultiAff => "pw_multi_aff",
            Kind::MultiPwAff => "multi_pw_aff",
            Kind::UnionPwAff => "union_pw_aff",
            Kind::UnionPwMultiAff => "union_pw_multi_aff",
            Kind::MultiUnionPwAff => "multi_union_pw_aff",
            Kind::Vector => "vec",
        }
    }
}

/// A function of isl's with the structures that it takes, all of which it consumes unless it is a predicate.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// One argument.
    Unary(Unary),
    /// Two arguments.
    Binary(Binary),
    /// A question about one argument.
    Predicate(Predicate),
    /// A question about two arguments.
    BinaryPredicate(BinaryPredicate),
    /// One argument, a kind of dimension, a first dimension and a number of them.
    Dims(Dims),
    /// A relation and a domain; the elements of the domain without image are a second result.
    Partial(Partial),
    /// The same with flags, and perhaps without domain and second result.
    PartialLexopt(PartialLexopt),
    /// The scheduler's search.
    NonTrivial(NonTrivial),
}

/// What a function returns.
#[derive(Debug)]
pub enum Output {
    /// A structure, and perhaps a second one. Null where isl has failed.
    Objects(Raw, Raw),
    /// An answer: 0, 1, or -1 where isl has failed.
    Answer(c_int),
}

/// isl with a context, which is left to the end of the process.
pub struct Isl {
    ctx: Raw,
    lib: Library,
    _python: Option<Library>,
    label: String,
}

impl Isl {
    /// isl from the shared library at `path`, with the symbols of `python` where it is an extension module of Python's.
    ///
    /// # Errors
    ///
    /// The loader's message.
    pub fn open(label: &str, path: &Path, python: Option<&Path>) -> Result<Isl, String> {
        // Safety: isl and libpython have no initialisers that do more than set up their own data.
        let load = |path: &Path, flags| unsafe { Library::open(Some(path), flags) }.map_err(|error| error.to_string());
        let python = python.map(|python| load(python, RTLD_NOW | RTLD_GLOBAL)).transpose()?;
        let lib = load(path, RTLD_LAZY | RTLD_LOCAL)?;
        let mut isl = Isl {
            ctx: ptr::null_mut(),
            lib,
            _python: python,
            label: label.into(),
        };
        // Safety: the signatures are those of isl's headers.
        unsafe {
            isl.ctx = isl.symbol::<unsafe extern "C" fn() -> Raw>("isl_ctx_alloc")();
            const CONTINUE: c_int = 1;
            isl.symbol::<unsafe extern "C" fn(Raw, c_int) -> c_int>("isl_options_set_on_error")(isl.ctx, CONTINUE);
        }
        Ok(isl)
    }

    /// Debian's build of isl with GMP, or the library that the environment variable `FARKAS_ISL` names.
    ///
    /// # Errors
    ///
    /// The loader's message.
    pub fn system() -> Result<Isl, String> {
        let path = std::env::var_os("FARKAS_ISL").map_or_else(|| PathBuf::from("libisl.so.23"), PathBuf::from);
        Isl::open("isl-gmp", &path, None)
    }

    /// The build of isl with small integers in Python's package islpy, from `target/peers`, where `scripts/setup
    /// --peers` puts it.
    ///
    /// # Errors
    ///
    /// What is missing, or the loader's message.
    pub fn small_integers() -> Result<Isl, String> {
        let folder = crate::root().join("target/peers/islpy");
        let extension = "_isl.cpython-311-x86_64-linux-gnu.so";
        let path = folder.join(extension);
        if !path.exists() {
            return Err("islpy is not there: run scripts/setup --peers".into());
        }
        Isl::open("isl-imath", &path, Some(Path::new("libpython3.11.so.1.0")))
    }

    /// What this build is called in tables.
    pub fn label(&self) -> &str {
        &self.label
    }

    fn find<T: Copy>(&self, name: &str) -> Option<T> {
        // Safety: every caller names the type that isl's headers give the function.
        unsafe { self.lib.get::<T>(name.as_bytes()) }.ok().map(|symbol| *symbol)
    }

    fn symbol<T: Copy>(&self, name: &str) -> T {
        self.find(name)
            .unwrap_or_else(|| panic!("{} has no {name}", self.label))
    }

    /// The version of the library, with what it calculates with.
    pub fn version(&self) -> String {
        let version: unsafe extern "C" fn() -> *const c_char = self.symbol("isl_version");
        // Safety: a constant string of the library.
        unsafe { CStr::from_ptr(version()) }
            .to_string_lossy()
            .trim()
            .to_string()
    }

    /// What isl says about its last failure.
    pub fn last_error(&self) -> String {
        let message: unsafe extern "C" fn(Raw) -> *const c_char = self.symbol("isl_ctx_last_error_msg");
        // Safety: a constant string of the library, or null.
        unsafe {
            let message = message(self.ctx);
            if message.is_null() {
                return String::new();
            }
            CStr::from_ptr(message).to_string_lossy().into_owned()
        }
    }

    /// Ends every operation, as failed, that takes more than this many elementary steps from now on. 0 is no limit.
    pub fn limit(&self, operations: u64) {
        let set: unsafe extern "C" fn(Raw, c_ulong) = self.symbol("isl_ctx_set_max_operations");
        let reset: unsafe extern "C" fn(Raw) = self.symbol("isl_ctx_reset_operations");
        let forget: unsafe extern "C" fn(Raw) = self.symbol("isl_ctx_reset_error");
        // Safety: the context lives as long as `self`.
        unsafe {
            reset(self.ctx);
            set(self.ctx, operations);
            forget(self.ctx);
        }
    }

    /// The function `isl_{name}` that consumes one argument; likewise below.
    pub fn unary(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::Unary)
    }

    /// Two arguments.
    pub fn binary(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::Binary)
    }

    /// A question about one argument.
    pub fn predicate(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::Predicate)
    }

    /// A question about two arguments.
    pub fn binary_predicate(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::BinaryPredicate)
    }

    /// One argument and a range of dimensions.
    pub fn dims(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::Dims)
    }

    /// A relation, a domain, and a second result.
    pub fn partial(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::Partial)
    }

    /// The same with flags.
    pub fn partial_lexopt(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::PartialLexopt)
    }

    /// The scheduler's search.
    pub fn non_trivial(&self, name: &str) -> Option<Function> {
        self.find(&format!("isl_{name}")).map(Function::NonTrivial)
    }

    /// Reads a structure from isl's notation. None if isl does not understand the text.
    pub fn read(&self, kind: Kind, text: &str) -> Option<Object<'_>> {
        // The functions that read relations turn a set into a relation from `[]`.
        let name = match kind {
            Kind::Basic if is_set(text) => "basic_set",
            Kind::Map if is_set(text) => "set",
            kind => kind.name(),
        };
        let read: Read = self.symbol(&format!("isl_{name}_read_from_str"));
        let text = CString::new(text).ok()?;
        // Safety: the context is alive, and the text is only read.
        self.own(kind, unsafe { read(self.ctx, text.as_ptr()) })
    }

    /// Takes possession of what a function returned. None if it failed.
    pub fn own(&self, kind: Kind, raw: Raw) -> Option<Object<'_>> {
        (!raw.is_null()).then_some(Object { isl: self, kind, raw })
    }

    /// A call. Structures are consumed unless `function` is a predicate; `ints` are the integers that it takes.
    ///
    /// # Safety
    ///
    /// `args` are pointers to structures of this library of the kinds that the function takes, and as many.
    pub unsafe fn call(
        &self,
        function: Function,
        args: &[Raw],
        ints: &[u32],
        search: Option<&mut Search<'_>>,
    ) -> Output {
        let mut second = ptr::null_mut();
        // Safety: the caller's promise.
        let first = unsafe {
            match function {
                Function::Unary(f) => f(args[0]),
                Function::Binary(f) => f(args[0], args[1]),
                Function::Predicate(f) => return Output::Answer(f(args[0])),
                Function::BinaryPredicate(f) => return Output::Answer(f(args[0], args[1])),
                Function::Dims(f) => f(args[0], ints[0], ints[1], ints[2]),
                Function::Partial(f) => f(args[0], args[1], &mut second),
                Function::PartialLexopt(f) => {
                    let domain = args.get(1).copied().unwrap_or(ptr::null_mut());
                    let empty: *mut Raw = if ints[1] != 0 { &mut second } else { ptr::null_mut() };
                    f(args[0], domain, empty, ints[0])
                }
                Function::NonTrivial(f) => {
                    let search = search.expect("the regions of a search");
                    let regions = search.regions.as_mut_ptr();
                    let n = search.regions.len() as c_int;
                    f(args[0], search.n_op as c_int, n, regions, ptr::null(), ptr::null())
                }
            }
        };
        Output::Objects(first, second)
    }
}

/// Whether a text is that of a set: without an arrow after the parameters that is not inside of a tuple.
fn is_set(text: &str) -> bool {
    let members = text.split_once('{').map_or(text, |(_, members)| members);
    let mut depth = 0i32;
    for (k, c) in members.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ':' | ';' | '}' => return true,
            '-' if depth == 0 && members[k..].starts_with("->") => return false,
            _ => {}
        }
    }
    true
}

/// The regions of the scheduler's search as isl takes them.
pub struct Search<'a> {
    isl: &'a Isl,
    n_op: usize,
    regions: Vec<TrivialRegion>,
}

impl<'a> Search<'a> {
    /// `n_op` significant unknowns, and regions.
    pub fn new(isl: &'a Isl, n_op: usize, regions: &[Region]) -> Search<'a> {
        let alloc: unsafe extern "C" fn(Raw, c_uint, c_uint) -> Raw = isl.symbol("isl_mat_alloc");
        let set: unsafe extern "C" fn(Raw, c_int, c_int, c_int) -> Raw = isl.symbol("isl_mat_set_element_si");
        let matrix = |region: &Region| {
            let cols = region.forms.first().map_or(0, Vec::len);
            // Safety: all positions are inside of the matrix.
            unsafe {
                let mut matrix = alloc(isl.ctx, region.forms.len() as c_uint, cols as c_uint);
                for (r, form) in region.forms.iter().enumerate() {
                    for (c, value) in form.iter().enumerate() {
                        matrix = set(matrix, r as c_int, c as c_int, *value as c_int);
                    }
                }
                matrix
            }
        };
        let regions = regions
            .iter()
            .map(|region| TrivialRegion {
                pos: region.pos as c_int,
                trivial: matrix(region),
            })
            .collect();
        Search { isl, n_op, regions }
    }
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        let free: Unary = self.isl.symbol("isl_mat_free");
        for region in &self.regions {
            // Safety: the matrix is ours.
            unsafe { free(region.trivial) };
        }
    }
}

/// A structure of isl's that is ours to free.
pub struct Object<'a> {
    isl: &'a Isl,
    kind: Kind,
    raw: Raw,
}

/// A call by name, for what is not timed. All objects are consumed. None if isl fails.
impl Isl {
    /// `isl_{name}` of one or two objects.
    pub fn apply<'a>(&'a self, name: &str, kind: Kind, objects: Vec<Object<'a>>) -> Option<Object<'a>> {
        let name = format!("isl_{name}");
        let mut objects = objects.into_iter();
        match (objects.next(), objects.next(), objects.next()) {
            (Some(a), None, None) => a.unary(&name, kind),
            (Some(a), Some(b), None) => a.binary(b, &name, kind),
            _ => panic!("one or two objects for {name}"),
        }
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

    /// `isl_{name}` of an object and a number.
    pub fn apply_value<'a>(&'a self, name: &str, object: Object<'a>, value: i64) -> Option<Object<'a>> {
        let make: unsafe extern "C" fn(Raw, std::ffi::c_long) -> Raw = self.symbol("isl_val_int_from_si");
        let function: Binary = self.symbol(&format!("isl_{name}"));
        let result = object.kind;
        // Safety: the function consumes the object and the number.
        self.own(result, unsafe { function(object.into_raw(), make(self.ctx, value)) })
    }

    /// The condition, and what is chosen by it.
    pub fn cond<'a>(&'a self, objects: Vec<Object<'a>>) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, Raw, Raw) -> Raw = self.symbol("isl_pw_aff_cond");
        let raw: Vec<Raw> = objects.into_iter().map(Object::into_raw).collect();
        // Safety: the function consumes the objects.
        self.own(Kind::PwAff, unsafe { function(raw[0], raw[1], raw[2]) })
    }

    /// The expression of one dimension of a tuple.
    pub fn component<'a>(&'a self, object: Object<'a>, pos: usize) -> Option<Object<'a>> {
        let function: unsafe extern "C" fn(Raw, c_int) -> Raw = self.symbol("isl_pw_multi_aff_get_pw_aff");
        // Safety: the function only looks at the object.
        self.own(Kind::PwAff, unsafe { function(object.raw, pos as c_int) })
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
        // Safety: the number is ours, and the string is allocated with malloc for us to free.
        unsafe {
            let raw = to_str(value);
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            free(raw.cast());
            drop(value);
            Some(text)
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

    fn unary(self, name: &str, kind: Kind) -> Option<Object<'a>> {
        let function: Unary = self.isl.symbol(name);
        let isl = self.isl;
        // Safety: the function consumes its argument.
        isl.own(kind, unsafe { function(self.into_raw()) })
    }

    fn binary(self, other: Object<'_>, name: &str, kind: Kind) -> Option<Object<'a>> {
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
        // Safety: the string is allocated by isl with malloc for us to free.
        unsafe {
            let raw = to_str(self.raw);
            if raw.is_null() {
                return "?".into();
            }
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            free(raw.cast());
            text
        }
    }
}

unsafe extern "C" {
    /// The C library's, which isl allocates strings with.
    fn free(memory: *mut c_void);
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
