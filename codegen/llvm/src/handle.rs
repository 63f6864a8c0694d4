//! Handles: small copies of LLVM's own pointers.

/// Defines a copyable handle over one of LLVM's pointers.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name<'a> {
            pub(crate) raw: $raw,
            lifetime: std::marker::PhantomData<&'a ()>,
        }

        impl<'a> $name<'a> {
            /// # Safety
            /// `raw` is a live pointer of the kind that the name says, and stays so for `'a`.
            pub(crate) unsafe fn new(raw: $raw) -> Self {
                debug_assert!(!raw.is_null());
                $name {
                    raw,
                    lifetime: std::marker::PhantomData,
                }
            }

            /// `None` for a null pointer.
            ///
            /// # Safety
            /// As for `new`, if it is not null.
            #[allow(dead_code, reason = "not every handle has an optional form")]
            pub(crate) unsafe fn optional(raw: $raw) -> Option<Self> {
                // SAFETY: passed on to the caller.
                (!raw.is_null()).then(|| unsafe { $name::new(raw) })
            }
        }
    };
}
pub(crate) use handle;
