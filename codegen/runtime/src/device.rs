//! The device that a process uses.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::buffers::Buffers;
use crate::driver::{Driver, Handle};
use crate::failure::Failure;
use crate::log::Log;
use crate::modules::Modules;
use crate::pinned::{HostBuffers, MOST_KEPT_BYTES};
use crate::settings::Settings;

/// A device that is open.
pub(crate) struct Device {
    /// The driver.
    pub(crate) driver: Driver,
    /// The context that the process shares.
    context: Handle,
    /// The process that opened it: contexts do not outlive a fork.
    process: u32,
    /// Whether it failed for good.
    is_given_up: AtomicBool,
    /// Streams that no region uses.
    streams: Mutex<Vec<Handle>>,
    /// The modules that were loaded.
    pub(crate) modules: Modules,
    /// The memory of the device that no region uses.
    pub(crate) buffers: Buffers,
    /// The memory of the host that no region uses.
    pub(crate) host_buffers: HostBuffers,
    /// Whether steps are timed.
    pub(crate) times: bool,
    /// Where it says what it does.
    pub(crate) log: Log,
}

impl Device {
    /// Opens the device that the user chose.
    pub(crate) fn open(driver: Driver, settings: &Settings, log: Log) -> Result<Device, Failure> {
        driver.init()?;
        let (wanted, count) = (settings.device, driver.device_count()?);
        if wanted >= count {
            return Err(Failure::NoDevice { wanted, count });
        }
        let device = driver.device(wanted)?;
        let [major, minor] = driver.compute_capability(device)?;
        let context = driver.context(device)?;
        log.line(&format!("device {wanted} of {count}, sm_{major}{minor}"));
        Ok(Device {
            driver,
            context,
            process: process::id(),
            is_given_up: AtomicBool::new(false),
            streams: Mutex::default(),
            modules: Modules::default(),
            buffers: Buffers::new(),
            host_buffers: HostBuffers::new(MOST_KEPT_BYTES),
            times: settings.times,
            log,
        })
    }

    /// Whether the device cannot be used, and why.
    pub(crate) fn obstacle(&self) -> Option<Failure> {
        if self.is_given_up.load(Ordering::Relaxed) {
            return Some(Failure::Disabled);
        }
        (process::id() != self.process).then_some(Failure::Forked)
    }

    /// Does something in the device's context. An error of which it does not recover gives it up.
    pub(crate) fn within<T>(&self, action: impl FnOnce(&Driver) -> Result<T, Failure>) -> Result<T, Failure> {
        if let Some(obstacle) = self.obstacle() {
            return Err(obstacle);
        }
        let done = self.driver.within(self.context, || action(&self.driver));
        done.inspect_err(|failure| self.give_up_after(failure))
    }

    /// Gives the device up if it does not recover of this failure.
    pub(crate) fn give_up_after(&self, failure: &Failure) {
        if failure.is_final() && !self.is_given_up.swap(true, Ordering::Relaxed) {
            self.log.line(&format!("the device is given up: {failure}"));
        }
    }

    /// Waits for a stream, whatever became of the device: memory of ours may be in use until then.
    pub(crate) fn wait(&self, stream: Handle) -> Result<(), Failure> {
        if process::id() != self.process {
            return Err(Failure::Forked);
        }
        let done = self.driver.within(self.context, || self.driver.synchronize(stream));
        done.inspect_err(|failure| self.give_up_after(failure))
    }

    /// A stream for a region.
    pub(crate) fn take_stream(&self) -> Result<Handle, Failure> {
        let kept = self.streams.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match kept {
            Some(stream) => Ok(stream),
            None => self.within(Driver::create_stream),
        }
    }

    /// Keeps a stream that has nothing to do for the next region.
    pub(crate) fn give_back_stream(&self, stream: Handle) {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
    }
}
