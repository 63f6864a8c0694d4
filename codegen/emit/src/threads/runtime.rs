//! What is called of OpenMP's runtime, as clang calls it.

use farkas_llvm::Run;
use farkas_llvm::inkwell::AddressSpace;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::context::ContextRef;
use farkas_llvm::inkwell::module::{Linkage, Module};
use farkas_llvm::inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use farkas_llvm::inkwell::values::{FunctionValue, PointerValue};
use std::mem::ManuallyDrop;

use crate::arith::BUILDS;

/// `kmp_sch_static`: one part for each thread.
pub(super) const STATIC: u64 = 34;

/// `kmp_sch_static_chunked`: parts of a given size go round all threads.
pub(super) const STATIC_CHUNKED: u64 = 33;

/// The name of the description of a place in the source that the runtime's functions are given.
const PLACE: &str = ".farkas.place";

/// `KMP_IDENT_KMPC`: the caller is compiled code.
const COMPILED: u64 = 2;

/// Functions of the runtime in a module.
pub(super) struct Runtime<'a> {
    module: ManuallyDrop<Module<'a>>,
    /// How functions are declared: a program may be linked without the runtime if it is not compiled for OpenMP.
    linkage: Linkage,
}

impl<'a> Runtime<'a> {
    pub(super) fn of(run: &'a Run<'_>) -> Self {
        let linkage = match run.has_openmp() {
            true => Linkage::External,
            false => Linkage::ExternalWeak,
        };
        let module = run.module();
        Runtime { module, linkage }
    }

    /// A place in the source that says nothing.
    pub(super) fn place(&self) -> PointerValue<'a> {
        if let Some(place) = self.module.get_global(PLACE) {
            return place.as_pointer_value();
        }
        let context = self.module.get_context();
        let i32 = context.i32_type();
        let number = |number| i32.const_int(number, false).into();
        let name = ";unknown;unknown;0;0;;";
        let text = context.const_string(name.as_bytes(), true);
        let global = |value: farkas_llvm::inkwell::values::BasicValueEnum<'a>, name| {
            let global = self.module.add_global(value.get_type(), None, name);
            global.set_initializer(&value);
            global.set_constant(true);
            global.set_linkage(Linkage::Private);
            global.set_unnamed_addr(true);
            global.as_pointer_value()
        };
        let text = global(text.into(), ".farkas.place.name");
        let fields = [
            number(0),
            number(COMPILED),
            number(0),
            number(name.len() as u64),
            text.into(),
        ];
        global(context.const_struct(&fields, false).into(), PLACE)
    }

    /// Runs a microtask on all threads of a new team: the place, the number of arguments, the microtask, and the arguments.
    pub(super) fn fork_call(&self) -> FunctionValue<'a> {
        let types = [self.pointer(), self.i32(), self.pointer()];
        self.declare("__kmpc_fork_call", self.void(&types, true))
    }

    /// Finds a thread's first part of a loop: the place, the thread, the kind of schedule, addresses of "is last", lower bound, upper
    /// bound and stride, the increment and the size of a part.
    pub(super) fn static_init(&self) -> FunctionValue<'a> {
        let (pointer, i32, i64) = (self.pointer(), self.i32(), self.module.get_context().i64_type().into());
        let types = [pointer, i32, i32, pointer, pointer, pointer, pointer, i64, i64];
        self.declare("__kmpc_for_static_init_8", self.void(&types, false))
    }

    /// Ends a loop: the place and the thread.
    pub(super) fn static_fini(&self) -> FunctionValue<'a> {
        let types = [self.pointer(), self.i32()];
        self.declare("__kmpc_for_static_fini", self.void(&types, false))
    }

    /// Whether this is in a parallel region with several threads.
    pub(super) fn in_parallel(&self) -> FunctionValue<'a> {
        self.declare("omp_in_parallel", self.number())
    }

    /// The number of threads that a new team would have.
    pub(super) fn max_threads(&self) -> FunctionValue<'a> {
        self.declare("omp_get_max_threads", self.number())
    }

    /// The number of threads of the team.
    pub(super) fn num_threads(&self) -> FunctionValue<'a> {
        self.declare("omp_get_num_threads", self.number())
    }

    /// The number of this thread: the place.
    pub(super) fn thread_number(&self) -> FunctionValue<'a> {
        let ty = self.module.get_context().i32_type().fn_type(&[self.pointer()], false);
        self.declare("__kmpc_global_thread_num", ty)
    }

    /// Says how many threads the next team has at the most: the place, the thread and the number.
    pub(super) fn push_num_threads(&self) -> FunctionValue<'a> {
        let types = [self.pointer(), self.i32(), self.i32()];
        self.declare("__kmpc_push_num_threads", self.void(&types, false))
    }

    /// Lets other threads run. There may be no such function.
    pub(super) fn sched_yield(&self) -> FunctionValue<'a> {
        let known = self.module.get_function("sched_yield");
        known.unwrap_or_else(|| {
            let linkage = Some(Linkage::ExternalWeak);
            self.module.add_function("sched_yield", self.number(), linkage)
        })
    }

    /// Tells the core that the thread waits.
    pub(super) fn pause(&self, builder: &Builder<'a>) {
        let triple = self.module.get_triple();
        let triple = triple.as_str().to_string_lossy();
        let text = match &*triple {
            triple if triple.starts_with("x86_64") => "pause",
            triple if triple.starts_with("aarch64") || triple.starts_with("arm64") => "yield",
            _ => return,
        };
        let context = self.module.get_context();
        let ty = context.void_type().fn_type(&[], false);
        let asm = context.create_inline_asm(ty, text.to_owned(), String::new(), true, false, None, false);
        builder.build_indirect_call(ty, asm, &[], "").expect(BUILDS);
    }

    /// A variable of each thread that has an address, at first null.
    pub(super) fn thread_local_pointer(&self, name: &str) -> PointerValue<'a> {
        if let Some(known) = self.module.get_global(name) {
            return known.as_pointer_value();
        }
        let ty = self.module.get_context().ptr_type(AddressSpace::default());
        let variable = self.module.add_global(ty, None, name);
        variable.set_initializer(&ty.const_null());
        variable.set_linkage(Linkage::Internal);
        variable.set_thread_local(true);
        variable.as_pointer_value()
    }

    fn pointer(&self) -> BasicMetadataTypeEnum<'a> {
        self.module.get_context().ptr_type(AddressSpace::default()).into()
    }

    fn i32(&self) -> BasicMetadataTypeEnum<'a> {
        self.module.get_context().i32_type().into()
    }

    fn number(&self) -> FunctionType<'a> {
        self.module.get_context().i32_type().fn_type(&[], false)
    }

    fn void(&self, parameters: &[BasicMetadataTypeEnum<'a>], is_variadic: bool) -> FunctionType<'a> {
        self.module.get_context().void_type().fn_type(parameters, is_variadic)
    }

    /// A function of the runtime. The program's own declaration, if it has one, is as good.
    fn declare(&self, name: &str, ty: FunctionType<'a>) -> FunctionValue<'a> {
        let known = self.module.get_function(name);
        known.unwrap_or_else(|| self.module.add_function(name, ty, Some(self.linkage)))
    }

    /// A function of this module.
    pub(super) fn function(&self, name: &str) -> Option<FunctionValue<'a>> {
        self.module.get_function(name)
    }

    pub(super) fn context(&self) -> ContextRef<'a> {
        self.module.get_context()
    }

    /// A new function that only this module knows.
    pub(super) fn add_internal(&self, name: &str, ty: FunctionType<'a>) -> FunctionValue<'a> {
        self.module.add_function(name, ty, Some(Linkage::Internal))
    }
}
