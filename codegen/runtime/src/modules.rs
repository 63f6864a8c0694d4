//! Modules that were loaded, by their text.
//!
//! A text is a constant of the program, so that its address tells which one it is. A library that is loaded later may have another text at
//! the same address: texts are compared, too, which takes much less than a launch.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, PoisonError};

use crate::driver::{Driver, Handle};
use crate::failure::Failure;
use crate::log::Log;

/// The modules of a device.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// By the addresses of their texts.
    known: Mutex<HashMap<usize, Module>>,
}

/// A module that was loaded, or that cannot be.
#[derive(Debug)]
struct Module {
    text: CString,
    /// The module, or why there is none.
    loaded: Result<Handle, String>,
    kernels: HashMap<CString, Handle>,
}

impl Modules {
    /// The kernel of this name in the module of this text. Requires a context.
    pub(crate) fn kernel(&self, driver: &Driver, log: &Log, ptx: &CStr, name: &CStr) -> Result<Handle, Failure> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = ptx.as_ptr().addr();
        let is_known = known.get(&key).is_some_and(|module| *module.text == *ptx);
        if !is_known {
            known.insert(key, Module::load(driver, log, ptx)?);
        }
        let Some(module) = known.get_mut(&key) else {
            return Err(Failure::Panic);
        };
        let handle = module.loaded.clone().map_err(Failure::Module)?;
        if let Some(kernel) = module.kernels.get(name) {
            return Ok(*kernel);
        }
        let kernel = driver.function(handle, name)?;
        module.kernels.insert(name.to_owned(), kernel);
        Ok(kernel)
    }
}

impl Module {
    /// Loads a module. One that the device does not take is remembered, as it never will; where memory is short, another attempt may
    /// succeed.
    fn load(driver: &Driver, log: &Log, ptx: &CStr) -> Result<Module, Failure> {
        let loaded = match driver.load_module(ptx) {
            Ok(handle) => Ok(handle),
            Err((failure, _)) if failure.is_final() || failure.is_out_of_memory() => return Err(failure),
            Err((failure, messages)) => {
                log.line(&format!("module not loaded: {failure}; {}", messages.trim()));
                Err(failure.to_string())
            }
        };
        Ok(Module {
            text: ptx.to_owned(),
            loaded,
            kernels: HashMap::new(),
        })
    }
}
