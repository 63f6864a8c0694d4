//! The plugin's edge: what LLVM calls, with a Rust trait behind it.
//!
//! A [`Plugin`] names its options once; each is the command-line option `-farkas-KEY=VALUE` and the pass parameter
//! `KEY=VALUE` in `-passes='farkas<KEY=VALUE;KEY=VALUE>'` at the same time. The pass runs at one place of the default
//! pipelines (see `cpp/plugin.cpp`) and wherever `-passes=` names it.
//!
//! No panic leaves this module: each entry catches it, a hook prints one line, and the function is as it was (changes
//! are only made inside [`Run::atomically`](crate::Run::atomically), which takes them back).

use crate::ffi::{self, Callbacks, RunRef, Setting, Text, TextSink};
use crate::remarks::Remark;
use crate::run::Run;
use std::any::Any;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

pub use crate::ffi::OptionSpec;

/// What the pass does.
pub trait Plugin: 'static {
    /// The options' values.
    type Options: Default;

    /// What is kept over all functions of a compilation, and dropped when it ends.
    type Compilation: Default;

    /// All options.
    const OPTIONS: &'static [OptionSpec];

    /// Sets an option from its text (`true` where none was given), or says what is wrong with it.
    fn set(options: &mut Self::Options, key: &str, value: &str) -> Result<(), String>;

    /// Whether the default pipelines get the pass.
    fn in_pipelines(options: &Self::Options) -> bool;

    /// Works on one function.
    fn run(options: &Self::Options, compilation: &mut Self::Compilation, run: &mut Run<'_>);

    /// Works on a function that has [markers](crate::threads) of loops that run on threads, behind the passes on functions.
    fn fork(run: &mut Run<'_>);

    /// Works on a function that has loops with the mark [`DONE`](crate::edit::DONE), behind all other passes on IR.
    fn finish(run: &mut Run<'_>);
}

/// LLVM's `PassPluginLibraryInfo` of plugin interface version 2.
#[repr(C)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: *const c_void,
    pre_codegen: *const c_void,
}

/// What `llvmGetPassPluginInfo` has to return for the plugin `P`; also registers its command-line options.
pub fn plugin_info<P: Plugin>() -> PluginInfo {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let place = panic
                .location()
                .map(|l| format!(" at {}:{}", l.file(), l.line()))
                .unwrap_or_default();
            eprintln!(
                "farkas: internal error{place}: {}; function left as it was",
                message(panic.payload())
            );
        }))
    });
    let callbacks = const {
        &Callbacks {
            options: P::OPTIONS.as_ptr(),
            option_count: P::OPTIONS.len(),
            check: check::<P>,
            configure: configure::<P>,
            drop: drop_options::<P>,
            new_compilation: new_compilation::<P>,
            drop_compilation: drop_compilation::<P>,
            run: run::<P>,
            fork: fork::<P>,
            finish: finish::<P>,
        }
    };
    let mut info = PluginInfo {
        api_version: 0,
        name: std::ptr::null(),
        version: std::ptr::null(),
        register: std::ptr::null(),
        pre_codegen: std::ptr::null(),
    };
    // SAFETY: the function has no preconditions.
    assert_eq!(
        unsafe { ffi::farkas_plugin_info_size() },
        size_of::<PluginInfo>(),
        "PassPluginLibraryInfo has changed"
    );
    // SAFETY: `info` has the size and layout of the struct that the shim writes, and the callbacks live for ever.
    unsafe { ffi::farkas_plugin_info((&raw mut info).cast(), callbacks) };
    info
}

fn message(payload: &dyn Any) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(|s| &**s))
        .unwrap_or("panic")
}

/// Runs `work`; a panic in it, which the hook has reported, gives `otherwise`.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

fn send(sink: TextSink, context: *mut c_void, text: &str) {
    sink(context, text.as_ptr().cast(), text.len());
}

extern "C" fn check<P: Plugin>(key: Text<'_>, value: Text<'_>, sink: TextSink, context: *mut c_void) -> bool {
    guarded(false, || {
        match P::set(&mut P::Options::default(), &key.owned(), &value.owned()) {
            Ok(()) => true,
            Err(reason) => {
                send(sink, context, &reason);
                false
            }
        }
    })
}

extern "C" fn configure<P: Plugin>(
    settings: *const Setting<'_>,
    count: usize,
    parameters: Text<'_>,
    in_pipeline: bool,
    sink: TextSink,
    context: *mut c_void,
) -> *mut c_void {
    let options = || -> Result<Option<P::Options>, String> {
        let mut options = P::Options::default();
        if count > 0 {
            // SAFETY: the shim passes `count` settings, lent for the call.
            for setting in unsafe { std::slice::from_raw_parts(settings, count) } {
                P::set(&mut options, &setting.key.owned(), &setting.value.owned())?;
            }
        }
        for parameter in parameters.owned().split(';').filter(|p| !p.is_empty()) {
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, "true"));
            P::set(&mut options, key, value).map_err(|reason| format!("pass parameter '{parameter}': {reason}"))?;
        }
        Ok((!in_pipeline || P::in_pipelines(&options)).then_some(options))
    };
    guarded(std::ptr::null_mut(), || match options() {
        Ok(Some(options)) => Box::into_raw(Box::new(options)).cast(),
        Ok(None) => std::ptr::null_mut(),
        Err(reason) => {
            send(sink, context, &reason);
            std::ptr::null_mut()
        }
    })
}

extern "C" fn drop_options<P: Plugin>(options: *mut c_void) {
    // SAFETY: the shim passes what `configure` returned, once.
    guarded((), || drop(unsafe { Box::from_raw(options.cast::<P::Options>()) }));
}

extern "C" fn new_compilation<P: Plugin>() -> *mut c_void {
    Box::into_raw(Box::new(P::Compilation::default())).cast()
}

extern "C" fn drop_compilation<P: Plugin>(compilation: *mut c_void) {
    // SAFETY: the shim passes what `new_compilation` returned, once.
    guarded((), || {
        drop(unsafe { Box::from_raw(compilation.cast::<P::Compilation>()) })
    });
}

extern "C" fn run<P: Plugin>(options: *const c_void, compilation: *mut c_void, raw: RunRef) -> bool {
    // SAFETY: the shim passes a run that lives until this function returns, and nobody else uses it.
    let mut run = unsafe { Run::new(raw) };
    // SAFETY: the shim passes what `configure` returned and drops it only with the pass.
    let options = unsafe { &*options.cast::<P::Options>() };
    // SAFETY: the shim passes what `new_compilation` returned, and works on one function of the compilation at a time.
    let compilation = unsafe { &mut *compilation.cast::<P::Compilation>() };
    work(&mut run, |run| P::run(options, compilation, run))
}

extern "C" fn fork<P: Plugin>(raw: RunRef) -> bool {
    // SAFETY: the shim passes a run that lives until this function returns, and nobody else uses it.
    let mut run = unsafe { Run::new(raw) };
    work(&mut run, |run| P::fork(run))
}

extern "C" fn finish<P: Plugin>(raw: RunRef) -> bool {
    // SAFETY: the shim passes a run that lives until this function returns, and nobody else uses it.
    let mut run = unsafe { Run::new(raw) };
    work(&mut run, |run| P::finish(run))
}

/// Works on a function; whether it changed.
fn work(run: &mut Run<'_>, work: impl FnOnce(&mut Run<'_>)) -> bool {
    if catch_unwind(AssertUnwindSafe(|| work(run))).is_err() {
        run.remark(
            &Remark::missed("InternalError", "internal error, function left as it was"),
            None,
            None,
        );
    }
    run.changed()
}
