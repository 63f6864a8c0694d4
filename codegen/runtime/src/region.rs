//! A region of the program that runs on the device.
//!
//! ```text
//! array     bytes go to the device
//! launch    kernels run in order, behind the copies
//! end       wait; results come to staging buffers; wait; they go to the host's arrays
//! ```
//!
//! Up to the last step the host's arrays are only read. That step cannot fail: it copies from memory to memory. The staging buffers
//! are there for that: the driver may fail in the middle of a copy, and of the second of two arrays when the first one is there.
//! `array.rs` has the copies, and says which bytes are written.

use std::ffi::{CStr, c_void};
use std::time::{Duration, Instant};

use crate::array::{Array, HostArray, Transfer, Written};
use crate::byte_box::{BoxShape, ByteBox};
use crate::device::Device;
use crate::driver::{Driver, Handle, LaunchSizes};
use crate::failure::Failure;

/// The most threads of a block, over all three dimensions.
const MOST_THREADS: u64 = 1024;

/// The most threads of a block in z.
const MOST_THREADS_IN_Z: u32 = 64;

/// The most blocks of a grid in x, y and z.
const MOST_BLOCKS: [u32; 3] = [i32::MAX as u32, 65535, 65535];

/// How long steps took, for the log.
#[derive(Debug, Default)]
struct Times {
    copy_in: Duration,
    kernels: Duration,
    copy_out: Duration,
    launches: usize,
}

/// A region that was begun.
pub(crate) struct Region<'d> {
    device: &'d Device,
    stream: Handle,
    arrays: Vec<Array>,
    /// Why it runs on the CPU.
    failure: Option<Failure>,
    times: Times,
}

impl<'d> Region<'d> {
    /// Begins a region; `None` if the device cannot be used.
    pub(crate) fn begin(device: &'d Device) -> Option<Region<'d>> {
        if device.obstacle().is_some() {
            return None;
        }
        let stream = device.take_stream();
        let stream = stream.inspect_err(|failure| device.log.line(&format!("region not begun: {failure}")));
        Some(Region {
            device,
            stream: stream.ok()?,
            arrays: Vec::new(),
            failure: None,
            times: Times::default(),
        })
    }

    /// Makes the region fail. The first failure counts.
    pub(crate) fn fail(&mut self, failure: Failure) {
        self.device.give_up_after(&failure);
        self.failure.get_or_insert(failure);
    }

    /// Does something on the device, unless the region failed. Returns the result, and how long it took if that is of interest.
    fn attempt<T>(&mut self, action: impl FnOnce(&mut Self, &Driver) -> Result<T, Failure>) -> Option<(T, Duration)> {
        if self.failure.is_some() {
            return None;
        }
        let (device, start) = (self.device, Instant::now());
        let done = device.within(|driver| Ok((action(self, driver)?, start.elapsed())));
        done.map_err(|failure| self.fail(failure)).ok()
    }

    /// Gives kernels an array, whose elements have so many bytes. Returns where it is on the device, or 0 if the region failed or the array
    /// has no bytes. If there is a box, kernels write each byte of it, and no others.
    pub(crate) fn array(
        &mut self,
        host: HostArray,
        transfer: Transfer,
        element_bytes: usize,
        written: Option<BoxShape<'_>>,
    ) -> u64 {
        if host.bytes == 0 {
            return 0;
        }
        let is_written = |other: &Array| transfer.has(Transfer::OUT) || other.written != Written::Nothing;
        if self
            .arrays
            .iter()
            .any(|other| is_written(other) && host.overlaps(&other.host))
        {
            self.fail(Failure::Overlap);
        }
        let written = match written {
            _ if !transfer.has(Transfer::OUT) => Ok(Written::Nothing),
            None => Ok(Written::Changed(element_bytes)),
            Some(shape) => ByteBox::new(shape, host.bytes).map(Written::Box),
        };
        let added = self.attempt(|region, driver| {
            let address = region.add(driver, host, transfer, written?)?;
            if region.device.times {
                driver.synchronize(region.stream)?;
            }
            Ok(address)
        });
        let Some((address, time)) = added else { return 0 };
        self.times.copy_in += time;
        address
    }

    fn add(&mut self, driver: &Driver, host: HostArray, transfer: Transfer, written: Written) -> Result<u64, Failure> {
        let is_copied_in = transfer.has(Transfer::IN) || matches!(written, Written::Changed(_));
        let buffer = self.device.buffers.take(driver, host.bytes)?;
        // From here on the region has the buffer, and those that the array takes, whatever happens.
        self.arrays.push(Array::new(host, written, buffer));
        let Some(array) = self.arrays.last_mut() else {
            return Err(Failure::Panic);
        };
        if is_copied_in {
            array.copy_in(self.device, driver, self.stream)?;
        }
        Ok(array.address())
    }

    /// Launches a kernel of a module. Of no blocks, or no threads, there is nothing to do.
    ///
    /// # Safety
    ///
    /// There is an argument of its type for each parameter of the kernel. What it accesses is in arrays of the region.
    pub(crate) unsafe fn launch(&mut self, ptx: &CStr, name: &CStr, sizes: LaunchSizes, arguments: *mut *mut c_void) {
        if sizes.grid.contains(&0) || sizes.block.contains(&0) {
            return;
        }
        let threads: u64 = sizes.block.map(u64::from).iter().product();
        let is_grid = sizes.grid.iter().zip(MOST_BLOCKS).all(|(blocks, most)| *blocks <= most);
        // The product of three numbers of 32 bits fits only if the first one is small.
        let is_block = sizes.block.iter().all(|n| u64::from(*n) <= MOST_THREADS) && threads <= MOST_THREADS;
        if !is_grid || !is_block || sizes.block[2] > MOST_THREADS_IN_Z {
            self.fail(Failure::Sizes(sizes.grid, sizes.block));
        }
        let launched = self.attempt(|region, driver| {
            let device = region.device;
            let kernel = device.modules.kernel(driver, &device.log, ptx, name)?;
            // SAFETY: the arguments are those of the kernel by the contract. Arrays stay allocated until the stream was waited for.
            unsafe { driver.launch(kernel, sizes, region.stream, arguments) }
        });
        if let Some((_, time)) = launched {
            self.times.kernels += time;
            self.times.launches += 1;
        }
    }

    /// Copies results to the host's arrays. Returns whether they are there; otherwise the arrays are as they were.
    pub(crate) fn end(mut self) -> bool {
        // Kernels are waited for here only: launches overlap with those before, also where steps are timed.
        let waited = self.attempt(|region, driver| driver.synchronize(region.stream));
        self.times.kernels += waited.map(|(_, time)| time).unwrap_or_default();
        let staged = self.attempt(|region, driver| region.stage(driver));
        let Some(((), time)) = staged else {
            let failure = self.failure.as_ref().map(ToString::to_string).unwrap_or_default();
            self.device.log.line(&format!("the CPU version runs: {failure}"));
            return false;
        };
        let start = Instant::now();
        for array in &self.arrays {
            // SAFETY: the stream was waited for. Who accesses what kernels wrote meanwhile would race with the CPU version, too.
            unsafe { array.write_back() };
        }
        self.times.copy_out = time + start.elapsed();
        self.say_done();
        true
    }

    /// Copies results to memory of ours, and waits for that. Requires that kernels were waited for.
    fn stage(&mut self, driver: &Driver) -> Result<(), Failure> {
        let (device, stream) = (self.device, self.stream);
        let mut arrays = self.arrays.iter_mut();
        // Results may come to the buffers that arrays were copied in from.
        arrays.try_for_each(|array| array.give_back_copied(device, driver))?;
        let mut arrays = self.arrays.iter_mut();
        arrays.try_for_each(|array| array.stage(device, driver, stream))?;
        driver.synchronize(stream)
    }

    fn say_done(&self) {
        let (arrays, launches) = (self.arrays.len(), self.times.launches);
        let mut line = format!("region done: {arrays} arrays, {launches} launches");
        if self.device.times {
            let in_ms = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
            let Times {
                copy_in,
                kernels,
                copy_out,
                ..
            } = &self.times;
            line += &format!(
                "; {} in, {} in kernels, {} out",
                in_ms(*copy_in),
                in_ms(*kernels),
                in_ms(*copy_out)
            );
        }
        self.device.log.line(&line);
    }
}

impl Drop for Region<'_> {
    /// Gives back what the region has. Where the device does not say that it is done with it, nobody else may have it: then it is leaked.
    fn drop(&mut self) {
        if self.device.wait(self.stream).is_err() {
            return;
        }
        self.device.give_back_stream(self.stream);
        let arrays = std::mem::take(&mut self.arrays);
        let given_back = self.device.within(|driver| {
            let mut arrays = arrays.into_iter();
            arrays.try_for_each(|array| array.give_back(self.device, driver))
        });
        // A buffer that is lost is no failure of the region, which is over.
        let _: Result<(), Failure> = given_back;
    }
}
