//! Tests with a driver that stands in for NVIDIA's.

mod stand_in;
mod transfers;
mod write_back;

use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, Mutex};
use std::thread;

use expect_test::{Expect, expect};

use crate::array::{HostArray, Transfer};
use crate::byte_box::BoxShape;
use crate::device::Device;
use crate::driver::{LaunchSizes, NAMES};
use crate::log::Log;
use crate::region::Region;
use crate::settings::Settings;
use stand_in::{Fault, StandIn};

/// A module of two kernels that are right, and one that is not.
const MODULE: &CStr = c".version 7.8 double copy spoil";

/// The elements of each array.
const ELEMENTS: usize = 10;

/// What a device says.
type Lines = Arc<Mutex<Vec<String>>>;

/// A device of the stand-in, and its log.
fn open(stand_in: &StandIn) -> (Option<Device>, Lines) {
    let lines = Lines::default();
    let log = Log::Lines(Arc::clone(&lines));
    let device = Device::open(stand_in.driver(), &Settings::default(), log.clone());
    let device = device.inspect_err(|failure| log.line(&format!("no GPU is used: {failure}")));
    (device.ok(), lines)
}

/// The log, as text.
fn text(lines: &Lines) -> String {
    lines.lock().expect("no test panics with it").join("\n")
}

/// Gives a region an array of which kernels may write any elements.
fn array<T>(region: &mut Region<'_>, host: &mut [T], transfer: u32) -> u64 {
    // SAFETY: all tests end a region before they touch its arrays.
    let host_array = unsafe { HostArray::new(host.as_mut_ptr().cast(), size_of_val(host)) };
    region.array(host_array, Transfer(transfer), size_of::<T>(), None)
}

/// Gives a region an array of which kernels write a box.
fn array_with_box<T>(
    region: &mut Region<'_>,
    host: &mut [T],
    transfer: u32,
    (offset, sizes): (u64, &[[u64; 2]]),
) -> u64 {
    // SAFETY: as above.
    let host_array = unsafe { HostArray::new(host.as_mut_ptr().cast(), size_of_val(host)) };
    let written = Some(BoxShape { offset, sizes });
    region.array(host_array, Transfer(transfer), size_of::<T>(), written)
}

fn launch(region: &mut Region<'_>, module: &CStr, name: &CStr, blocks: u32, mut arguments: [u64; 2]) {
    let mut pointers = arguments
        .each_mut()
        .map(|argument| std::ptr::from_mut(argument).cast::<c_void>());
    let sizes = LaunchSizes {
        grid: [blocks, 1, 1],
        block: [1, 1, 1],
    };
    // SAFETY: the kernels have two arguments of 64 bits.
    unsafe { region.launch(module, name, sizes, pointers.as_mut_ptr()) };
}

/// A piece of a program: doubles every other element of `a`, and copies `a` to `b`. Returns whether it ran on the device.
fn double_and_copy(device: Option<&Device>, a: &mut [i32], b: &mut [i32]) -> bool {
    let before = (a.to_vec(), b.to_vec());
    let on_device = device.and_then(Region::begin).is_some_and(|mut region| {
        let address = array(&mut region, a, Transfer::IN | Transfer::OUT);
        let whole = [[size_of_val(b) as u64, 1]];
        let copy = array_with_box(&mut region, b, Transfer::OUT, (0, &whole));
        launch(&mut region, MODULE, c"double", ELEMENTS as u32 / 2, [address, 0]);
        launch(&mut region, MODULE, c"copy", ELEMENTS as u32, [address, copy]);
        region.end()
    });
    if !on_device {
        assert_eq!((a.to_vec(), b.to_vec()), before, "the arrays are as they were");
        a.iter_mut().step_by(2).for_each(|element| *element *= 2);
        b.copy_from_slice(a);
    }
    on_device
}

/// Runs the piece of a program, checks its results, and returns whether it ran on the device.
fn check_results(device: Option<&Device>) -> bool {
    let mut a: Vec<i32> = (0..).take(ELEMENTS).collect();
    let mut b = vec![-1; ELEMENTS];
    let on_device = double_and_copy(device, &mut a, &mut b);
    assert_eq!(a, [0, 1, 4, 3, 8, 5, 12, 7, 16, 9]);
    assert_eq!(b, a);
    on_device
}

#[test]
fn a_region_runs_on_the_device() {
    let stand_in = StandIn::new(None);
    let (device, lines) = open(&stand_in);
    assert!(check_results(device.as_ref()));
    assert!(check_results(device.as_ref()));
    expect![[r"
        device 0 of 2, sm_90
        region done: 2 arrays, 2 launches
        region done: 2 arrays, 2 launches"]]
    .assert_eq(&text(&lines));
}

#[test]
fn memory_modules_and_streams_are_kept() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    for _ in 0..5 {
        assert!(check_results(device.as_ref()));
    }
    let kept = [
        "cuMemAlloc_v2",
        "cuModuleLoadDataEx",
        "cuModuleGetFunction",
        "cuStreamCreate",
        "cuMemFree_v2",
        "cuMemHostAlloc",
        "cuMemFreeHost",
    ];
    // What is pinned: what `a` was, its results, and those of `b`.
    assert_eq!(kept.map(|call| stand_in.calls(call)), [2, 1, 2, 1, 0, 3, 0]);
}

/// Each call of the driver fails in turn, in the first region and in later ones, with an error of which the device recovers and with
/// one of which it does not.
#[test]
fn each_call_may_fail() {
    let mut faults = Vec::new();
    for &call in NAMES {
        for code in [1, 2, 999] {
            for after in 0.. {
                let stand_in = StandIn::new(Some(Fault { call, after, code }));
                let (device, lines) = open(&stand_in);
                let on_device: Vec<bool> = (0..3).map(|_| check_results(device.as_ref())).collect();
                if stand_in.calls(call) <= after {
                    break;
                }
                let said = text(&lines);
                let is_told = said.contains(&format!("{call} returned {code}")) || on_device == [true; 3];
                assert!(is_told, "{call} {after} {code}: {said}");
                if code == 999 && !on_device[0] {
                    assert_eq!(on_device, [false; 3], "{call} {after}: the device is given up");
                }
                faults.push((call, after, code));
            }
        }
    }
    // Nothing is freed here: see below.
    let never: Vec<&str> = NAMES
        .iter()
        .copied()
        .filter(|name| !faults.iter().any(|(call, ..)| call == name))
        .collect();
    assert_eq!(never, ["cuMemFree_v2", "cuMemFreeHost"]);
}

#[test]
fn an_error_in_a_kernel_gives_the_device_up() {
    let stand_in = StandIn::new(None);
    let (device, lines) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let mut a = [1, 2, 3];
    let mut region = Region::begin(&device).expect("the device is open");
    let address = array(&mut region, &mut a, Transfer::IN | Transfer::OUT);
    launch(&mut region, MODULE, c"spoil", 1, [address, 0]);
    assert!(!region.end());
    assert_eq!(a, [1, 2, 3]);
    assert!(Region::begin(&device).is_none());
    assert!(!check_results(Some(&device)));
    expect![[r"
        device 0 of 2, sm_90
        the device is given up: cuStreamSynchronize returned 719
        the CPU version runs: cuStreamSynchronize returned 719"]]
    .assert_eq(&text(&lines));
}

/// What the log says of one region with a module, a kernel and so many blocks.
fn check_launch(module: &CStr, kernel: &CStr, blocks: u32, expected: Expect) {
    let stand_in = StandIn::new(None);
    let (device, lines) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    for _ in 0..2 {
        let mut a = [7];
        let mut region = Region::begin(&device).expect("the device is not given up");
        let address = array(&mut region, &mut a, Transfer::IN | Transfer::OUT);
        launch(&mut region, module, kernel, blocks, [address, address]);
        if !region.end() {
            assert_eq!(a, [7]);
        }
    }
    expected.assert_eq(&text(&lines));
}

#[test]
fn a_module_that_is_not_loaded_is_tried_once() {
    check_launch(
        c"no module",
        c"double",
        1,
        expect![[r"
            device 0 of 2, sm_90
            module not loaded: cuModuleLoadDataEx returned 218; 
            the CPU version runs: the module was not loaded before: cuModuleLoadDataEx returned 218
            the CPU version runs: the module was not loaded before: cuModuleLoadDataEx returned 218"]],
    );
}

#[test]
fn a_kernel_that_is_missing() {
    check_launch(
        MODULE,
        c"triple",
        1,
        expect![[r"
            device 0 of 2, sm_90
            the CPU version runs: cuModuleGetFunction returned 500
            the CPU version runs: cuModuleGetFunction returned 500"]],
    );
}

#[test]
fn a_grid_that_is_too_large() {
    check_launch(
        MODULE,
        c"double",
        u32::MAX,
        expect![[r"
            device 0 of 2, sm_90
            the CPU version runs: [4294967295, 1, 1] blocks of [1, 1, 1] threads are more than a device has
            the CPU version runs: [4294967295, 1, 1] blocks of [1, 1, 1] threads are more than a device has"]],
    );
}

#[test]
fn a_grid_without_blocks_is_not_launched() {
    check_launch(
        MODULE,
        c"double",
        0,
        expect![[r"
            device 0 of 2, sm_90
            region done: 1 arrays, 0 launches
            region done: 1 arrays, 0 launches"]],
    );
}

#[test]
fn a_text_at_the_place_of_another_one() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let mut place = *b".version 7.8 double\0";
    for name in [c"double", c"spoil"] {
        let mut a = [1, 2];
        let bytes = name.to_bytes();
        place[13..13 + bytes.len()].copy_from_slice(bytes);
        let mut region = Region::begin(&device).expect("the device is not given up");
        let address = array(&mut region, &mut a, Transfer::IN | Transfer::OUT);
        let module = CStr::from_bytes_until_nul(&place).expect("a null at the end");
        launch(&mut region, module, name, 1, [address, 0]);
        region.end();
    }
    assert_eq!(stand_in.calls("cuModuleLoadDataEx"), 2);
    let names = stand_in.state(|state| state.launches.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
    assert_eq!(names, ["double", "spoil"]);
}

#[test]
fn only_what_kernels_changed_is_written() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let mut a = [3; 4];
    let mut region = Region::begin(&device).expect("the device is open");
    let address = array(&mut region, &mut a, Transfer::IN | Transfer::OUT);
    launch(&mut region, MODULE, c"double", 2, [address, 0]);
    // Another thread of the program writes elements that the region does not access.
    a[1] = 50;
    a[3] = 51;
    assert!(region.end());
    assert_eq!(a, [6, 50, 6, 51]);
}

#[test]
fn arrays_that_overlap() {
    let stand_in = StandIn::new(None);
    let (device, lines) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let check = |transfers: [u32; 2]| {
        let mut a = [1, 2, 3, 4];
        let mut region = Region::begin(&device).expect("the device is not given up");
        array(&mut region, &mut a[..3], transfers[0]);
        array(&mut region, &mut a[2..], transfers[1]);
        region.end()
    };
    assert!(check([Transfer::IN, Transfer::IN]));
    assert!(!check([Transfer::IN, Transfer::IN | Transfer::OUT]));
    assert!(!check([Transfer::OUT, Transfer::IN]));
    assert!(text(&lines).ends_with("the CPU version runs: an array that is written overlaps another one"));
}

#[test]
fn kept_memory_is_freed_where_memory_is_short() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    stand_in.state(|state| state.limit = Some(1000));
    let run = |bytes: usize| {
        let mut a = vec![0_u8; bytes];
        let mut region = Region::begin(&device).expect("the device is not given up");
        array(&mut region, &mut a, Transfer::IN);
        region.end()
    };
    assert!(run(100));
    assert!(run(950));
    assert_eq!(stand_in.calls("cuMemFree_v2"), 1);
    assert!(!run(1001));
    assert!(run(1000));
}

#[test]
fn an_array_without_bytes() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let mut region = Region::begin(&device).expect("the device is open");
    assert_eq!(array::<u8>(&mut region, &mut [], Transfer::IN | Transfer::OUT), 0);
    assert!(region.end());
}

#[test]
fn threads_have_regions_of_their_own() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| assert!(check_results(device.as_ref()))));
        }
    });
    assert_eq!(stand_in.calls("cuModuleLoadDataEx"), 1);
    assert!(stand_in.calls("cuStreamCreate") <= 4);
}

/// What variables say.
fn check_settings(variables: &[(&str, &str)], expected: Expect) {
    let settings = Settings::of(|name| {
        let found = variables.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| (*value).to_owned())
    });
    expected.assert_eq(&format!("{settings:?}"));
}

#[test]
fn settings() {
    check_settings(
        &[],
        expect!["Settings { is_off: false, device: 0, log: false, times: false }"],
    );
    check_settings(
        &[("FARKAS_GPU", "3"), ("FARKAS_GPU_LOG", "1")],
        expect!["Settings { is_off: false, device: 3, log: true, times: false }"],
    );
    check_settings(
        &[("FARKAS_GPU", "off"), ("FARKAS_GPU_TIMES", "1")],
        expect!["Settings { is_off: true, device: 0, log: true, times: true }"],
    );
    check_settings(
        &[("FARKAS_GPU", "-1"), ("FARKAS_GPU_LOG", "0")],
        expect!["Settings { is_off: true, device: 0, log: false, times: false }"],
    );
}

#[test]
fn a_device_that_is_not_there() {
    let stand_in = StandIn::new(None);
    let settings = Settings {
        device: 2,
        ..Settings::default()
    };
    let opened = Device::open(stand_in.driver(), &settings, Log::Off);
    let failure = opened.err().map(|failure| failure.to_string());
    assert_eq!(failure.as_deref(), Some("there is no device 2, of 2"));
}

/// The calls of a program without a GPU.
#[test]
fn a_null_region_does_nothing() {
    let null = std::ptr::null_mut();
    for version in [0, 1, 3] {
        assert!(
            crate::farkas_gpu_begin(version).is_null(),
            "the version of another interface"
        );
    }
    let name = CString::default();
    // SAFETY: a null region is one that failed.
    unsafe {
        let (host, written) = (std::ptr::null_mut(), std::ptr::null());
        assert_eq!(crate::farkas_gpu_array(null, host, 8, 8, Transfer::IN, written), 0);
        crate::farkas_gpu_launch(
            null,
            MODULE.as_ptr(),
            name.as_ptr(),
            std::ptr::null(),
            std::ptr::null_mut(),
        );
        assert_eq!(crate::farkas_gpu_end(null), 1);
    }
}
