//! A region of the program that runs on the device.
//!
//! ```text
//! array     bytes go to the device, and a copy of them stays here where they are not written as a whole
//! launch    kernels run in order, behind the copies
//! end       wait; results come to staging buffers; wait; they go to the host's arrays
//! ```
//!
//! Up to the last step the host's arrays are only read. That step cannot fail: it copies from memory to memory. The staging buffers
//! are there for that: the driver may fail in the middle of a copy, and of the second of two arrays when the first one is there.
//!
//! # What is written
//!
//! The bytes between two elements that kernels write may be anybody's: in `for (i) a[2 * i] = x`, another thread may write `a[1]`. So may
//! be an element that is only written under a condition. Where a program does not promise that kernels write all bytes of an array
//! ([`Transfer::WHOLE`]), those are written that differ from what they were when they were copied in. Kernels changed these, and
//! the program's own version of the region would have written them, too.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::time::{Duration, Instant};

use crate::buffers::Buffer;
use crate::device::Device;
use crate::driver::{Driver, Handle, LaunchSizes};
use crate::failure::Failure;

/// The most threads of a block, over all three dimensions.
const MOST_THREADS: u64 = 1024;

/// The most threads of a block in z.
const MOST_THREADS_IN_Z: u32 = 64;

/// The most blocks of a grid in x, y and z.
const MOST_BLOCKS: [u32; 3] = [i32::MAX as u32, 65535, 65535];

/// What is copied of an array: bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transfer(pub(crate) u32);

impl Transfer {
    /// Kernels may read bytes that none of them wrote before.
    pub(crate) const IN: u32 = 1;
    /// Kernels may write it.
    pub(crate) const OUT: u32 = 2;
    /// Kernels write each byte.
    pub(crate) const WHOLE: u32 = 4;

    fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

/// Bytes of the host. Somebody promised that they stay there until the region ends.
#[derive(Debug)]
pub(crate) struct HostArray {
    first: *mut u8,
    bytes: usize,
}

impl HostArray {
    /// So many bytes from here on.
    ///
    /// # Safety
    ///
    /// The bytes stay readable until the region ends that the array is given to, and writable if kernels write the array.
    pub(crate) unsafe fn new(first: *mut u8, bytes: usize) -> HostArray {
        HostArray { first, bytes }
    }

    fn overlaps(&self, other: &HostArray) -> bool {
        let end = |array: &HostArray| array.first.addr().saturating_add(array.bytes);
        self.first.addr() < end(other) && other.first.addr() < end(self)
    }

    /// What is in the array now. Other threads may be writing bytes that the region does not access, so that these are not
    /// looked at as a slice.
    fn copy(&self) -> Result<Vec<u8>, Failure> {
        let mut copy = bytes(self.bytes)?;
        // SAFETY: the array is readable, and the copy has as many bytes, which are nobody else's.
        unsafe { ptr::copy_nonoverlapping(self.first, copy.as_mut_ptr(), self.bytes) };
        Ok(copy)
    }
}

/// So many bytes, if there is memory for them.
fn bytes(n: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(n).map_err(|_| Failure::TooLarge)?;
    bytes.resize(n, 0);
    Ok(bytes)
}

/// An array of a region.
#[derive(Debug)]
struct Array {
    host: HostArray,
    transfer: Transfer,
    /// Where it is on the device.
    buffer: Buffer,
    /// What was copied in, where only changed bytes are copied out.
    before: Option<Vec<u8>>,
}

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

    /// Gives kernels an array. Returns where it is on the device, or 0 if the region failed or the array has no bytes.
    pub(crate) fn array(&mut self, host: HostArray, transfer: Transfer) -> u64 {
        if host.bytes == 0 {
            return 0;
        }
        let is_written = |other: &Array| transfer.has(Transfer::OUT) || other.transfer.has(Transfer::OUT);
        if self
            .arrays
            .iter()
            .any(|other| is_written(other) && host.overlaps(&other.host))
        {
            self.fail(Failure::Overlap);
        }
        let added = self.attempt(|region, driver| {
            let address = region.add(driver, host, transfer)?;
            if region.device.times {
                driver.synchronize(region.stream)?;
            }
            Ok(address)
        });
        let Some((address, time)) = added else { return 0 };
        self.times.copy_in += time;
        address
    }

    fn add(&mut self, driver: &Driver, host: HostArray, transfer: Transfer) -> Result<u64, Failure> {
        let is_part = transfer.has(Transfer::OUT) && !transfer.has(Transfer::WHOLE);
        let before = is_part.then(|| host.copy()).transpose()?;
        let buffer = self.device.buffers.take(driver, host.bytes)?;
        let (to, bytes) = (buffer.address, host.bytes);
        let from = match &before {
            Some(before) => before.as_ptr(),
            None => host.first,
        };
        // From here on the region has the buffer, and the bytes that are copied, whatever happens.
        self.arrays.push(Array {
            host,
            transfer,
            buffer,
            before,
        });
        if is_part || transfer.has(Transfer::IN) {
            // SAFETY: the bytes are the host's, which stay, or of the copy, which is there until the stream was waited for.
            unsafe { driver.copy_in(to, from, bytes, self.stream) }?;
        }
        Ok(to.0)
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
        let Some((staged, time)) = staged else {
            let failure = self.failure.as_ref().map(ToString::to_string).unwrap_or_default();
            self.device.log.line(&format!("the CPU version runs: {failure}"));
            return false;
        };
        let start = Instant::now();
        let results = self.arrays.iter().zip(staged);
        for (array, after) in results.filter_map(|(array, after)| Some((array, after?))) {
            array.write(&after);
        }
        self.times.copy_out = time + start.elapsed();
        self.say_done();
        true
    }

    /// The results, for each array that kernels write, in memory of ours.
    fn stage(&self, driver: &Driver) -> Result<Vec<Option<Vec<u8>>>, Failure> {
        let mut staged = Vec::new();
        let mut result = Ok(());
        for array in &self.arrays {
            let is_written = result.is_ok() && array.transfer.has(Transfer::OUT);
            let after = is_written.then(|| bytes(array.host.bytes)).transpose();
            let mut after = after.unwrap_or_else(|failure| {
                result = Err(failure);
                None
            });
            if let Some(after) = &mut after {
                // SAFETY: the bytes are ours, and kept until the stream was waited for, even if this fails.
                result =
                    unsafe { driver.copy_out(after.as_mut_ptr(), array.buffer.address, array.host.bytes, self.stream) };
            }
            staged.push(after);
        }
        match driver.synchronize(self.stream) {
            Ok(()) => result.map(|()| staged),
            Err(failure) => {
                // The device may still copy to there.
                staged.into_iter().for_each(std::mem::forget);
                Err(failure)
            }
        }
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

impl Array {
    /// Writes results to the host's array. Nothing here can fail.
    fn write(&self, after: &[u8]) {
        let Some(before) = &self.before else {
            // SAFETY: the array is writable by the promise of whoever made it, and has as many bytes as the results.
            unsafe { ptr::copy_nonoverlapping(after.as_ptr(), self.host.first, self.host.bytes) };
            return;
        };
        for (position, (before, after)) in before.chunks(WORD).zip(after.chunks(WORD)).enumerate() {
            if before != after {
                // SAFETY: the results have as many bytes as the array, so that these are in it.
                let to = unsafe { self.host.first.add(position * WORD) };
                // SAFETY: the bytes are in the array, which is writable by the promise of whoever made it.
                unsafe { write_changed(to, before, after) };
            }
        }
    }
}

/// The bytes that are compared at once.
const WORD: usize = 8;

/// Writes the bytes of a word that are not what they were before.
///
/// # Safety
///
/// There are as many bytes to be written as there are in `after`.
unsafe fn write_changed(to: *mut u8, before: &[u8], after: &[u8]) {
    if before.iter().zip(after).all(|(before, after)| before != after) {
        // SAFETY: that is the contract.
        unsafe { ptr::copy_nonoverlapping(after.as_ptr(), to, after.len()) };
        return;
    }
    for (position, (before, after)) in before.iter().zip(after).enumerate() {
        if before != after {
            // SAFETY: the byte is one of those in the contract.
            unsafe { to.add(position).write(*after) };
        }
    }
}

impl Drop for Region<'_> {
    /// Gives back what the region has. Where the device does not say that it is done with it, nobody else may have it.
    fn drop(&mut self) {
        let arrays = std::mem::take(&mut self.arrays);
        if self.device.wait(self.stream).is_err() {
            // The device may still copy from here to there.
            arrays
                .into_iter()
                .filter_map(|array| array.before)
                .for_each(std::mem::forget);
            return;
        }
        self.device.give_back_stream(self.stream);
        let given_back = self.device.within(|driver| {
            let mut buffers = arrays.into_iter().map(|array| array.buffer);
            buffers.try_for_each(|buffer| self.device.buffers.give_back(driver, buffer))
        });
        // A buffer that is lost is no failure of the region, which is over.
        let _: Result<(), Failure> = given_back;
    }
}
