//! isl, loaded at run time.
//!
//! An [`Isl`] is a library with one context. Sets and relations are the same structure in isl, so that everything that
//! is not a function here is an [`Object`] of one of few [`Kind`]s; a set is read, copied, compared and freed by the
//! functions on relations.

mod ast;
mod calls;
mod object;
mod scheduler;

pub use ast::{CODEGEN, CodegenFailure, CodegenInput, Generated};
pub use object::Object;
pub use scheduler::{ScheduleFailure, Scheduled};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_ulong, c_void};
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
    /// An expression.
    Aff,
    /// A tuple of expressions.
    MultiAff,
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
            Kind::Aff => "aff",
            Kind::MultiAff => "multi_aff",
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

/// The text of a string that isl has allocated with malloc, which is freed. None for null.
///
/// # Safety
///
/// Null, or such a string that nobody else frees.
unsafe fn take_text(raw: *mut c_char) -> Option<String> {
    if raw.is_null() {
        return None;
    }
    // Safety: the caller's promise.
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        free(raw.cast());
        Some(text)
    }
}

unsafe extern "C" {
    /// The C library's, which isl allocates strings with.
    fn free(memory: *mut c_void);
}
