//! Copies between host and device: pinned memory, pieces, threads, and what is written.

use std::thread;

use expect_test::expect;

use super::stand_in::{Fault, StandIn};
use super::{MODULE, array, array_with_box, check_results, launch, open, text};
use crate::array::{PIECE, Transfer};
use crate::device::Device;
use crate::pinned::HostBuffers;
use crate::region::Region;
use crate::workers::{for_each_piece, for_each_piece_on};

/// The elements of a large array: it has several pieces, the last of which is a part.
const MANY: usize = 5 * PIECE / 4 + 3;

/// Doubles every other one of the first 20 elements of `a`, and copies 10 elements to the box of `b` from its third element on.
/// Returns whether that was done on the device.
fn double_and_copy_large(device: Option<&Device>, a: &mut [i32], b: &mut [i32]) -> bool {
    device.and_then(Region::begin).is_some_and(|mut region| {
        let from = array(&mut region, a, Transfer::IN | Transfer::OUT);
        let to = array_with_box(&mut region, b, Transfer::IN | Transfer::OUT, (8, &[[40, 1]]));
        launch(&mut region, MODULE, c"double", 10, [from, 0]);
        launch(&mut region, MODULE, c"copy", 10, [from, to + 8]);
        region.end()
    })
}

/// Runs that on large arrays, checks results, and returns whether the device did it.
fn check_large(device: Option<&Device>) -> bool {
    let mut a: Vec<i32> = (0..).take(MANY).collect();
    let mut b = vec![-1; MANY];
    let (mut new_a, mut new_b) = (a.clone(), b.clone());
    let on_device = double_and_copy_large(device, &mut a, &mut b);
    if on_device {
        new_a.iter_mut().take(20).step_by(2).for_each(|element| *element *= 2);
        new_b[2..12].copy_from_slice(&new_a[..10]);
    }
    assert!(a == new_a && b == new_b, "results are there, or nothing is");
    on_device
}

#[test]
fn large_arrays_are_copied_in_pieces() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    for _ in 0..2 {
        assert!(check_large(device.as_ref()));
    }
    assert_eq!(stand_in.calls("cuMemcpyHtoDAsync_v2"), 2 * 2 * 6);
    assert_eq!(stand_in.calls("cuMemcpyDtoHAsync_v2"), 2 * 2);
    // `a` before, `b` on its way in, where `a` comes out, too, and the ten elements.
    assert_eq!(stand_in.calls("cuMemHostAlloc"), 3);
}

/// A call fails in the middle of the pieces of an array, or of the arrays.
#[test]
fn each_copy_of_large_arrays_may_fail() {
    for call in ["cuMemHostAlloc", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"] {
        for (code, after) in [(1, 0), (2, 1), (999, 2), (999, 7), (1, 11)] {
            let stand_in = StandIn::new(Some(Fault { call, after, code }));
            let (device, lines) = open(&stand_in);
            let on_device: Vec<bool> = (0..2).map(|_| check_large(device.as_ref())).collect();
            let said = text(&lines);
            if stand_in.calls(call) > after {
                assert!(said.contains(&format!("{call} returned {code}")) || on_device == [true; 2]);
                assert_eq!(said.contains("given up"), code == 999, "{said}");
            }
        }
    }
}

/// Nothing is kept, so that each region frees: that it fails is no failure of a region that is over, unless the device is spoiled.
#[test]
fn freeing_pinned_memory_may_fail() {
    for code in [1, 999] {
        for after in 0..8 {
            let call = "cuMemFreeHost";
            let stand_in = StandIn::new(Some(Fault { call, after, code }));
            let (device, lines) = open(&stand_in);
            let mut device = device.expect("the stand-in has a device");
            device.host_buffers = HostBuffers::new(0);
            let on_device: Vec<bool> = (0..4).map(|_| check_results(Some(&device))).collect();
            assert!(stand_in.calls(call) > after);
            assert_eq!(text(&lines).contains("given up"), code == 999);
            assert_eq!(on_device.iter().all(|on_device| *on_device), code == 1);
        }
    }
}

/// Where it fails before results are there, the region fails.
#[test]
fn freeing_pinned_memory_may_fail_before_results_are_there() {
    for code in [1, 999] {
        let call = "cuMemFreeHost";
        let stand_in = StandIn::new(Some(Fault { call, after: 0, code }));
        let (device, lines) = open(&stand_in);
        let mut device = device.expect("the stand-in has a device");
        device.host_buffers = HostBuffers::new(0);
        assert!(!check_large(Some(&device)));
        assert_eq!(check_large(Some(&device)), code == 1);
        let said = text(&lines);
        assert!(
            said.contains(&format!("the CPU version runs: {call} returned {code}")),
            "{said}"
        );
    }
}

/// Ordinary memory serves where no more is pinned, and is kept.
#[test]
fn memory_that_cannot_be_pinned() {
    let stand_in = StandIn::new(None);
    let (device, lines) = open(&stand_in);
    stand_in.state(|state| state.pinned_limit = Some(1 << 16));
    for _ in 0..3 {
        assert!(check_results(device.as_ref()));
    }
    expect![[r"
        device 0 of 2, sm_90
        no pinned memory: cuMemHostAlloc returned 2
        no pinned memory: cuMemHostAlloc returned 2
        region done: 2 arrays, 2 launches
        region done: 2 arrays, 2 launches
        region done: 2 arrays, 2 launches"]]
    .assert_eq(&text(&lines));
    for _ in 0..2 {
        assert!(check_large(device.as_ref()));
    }
}

/// Memory that is kept is freed before the driver is believed that there is none.
#[test]
fn kept_pinned_memory_is_freed_where_memory_is_short() {
    let stand_in = StandIn::new(None);
    let (device, lines) = open(&stand_in);
    assert!(check_results(device.as_ref()));
    let bytes = 4 * MANY + (1 << 16);
    stand_in.state(|state| state.pinned_limit = Some(bytes));
    let device = device.expect("the stand-in has a device");
    let mut a = vec![1; MANY];
    let mut region = Region::begin(&device).expect("the device is open");
    array(&mut region, &mut a, Transfer::IN);
    assert!(region.end());
    assert_eq!(stand_in.calls("cuMemFreeHost"), 3);
    assert!(!text(&lines).contains("no pinned memory"));
}

#[test]
fn no_more_than_a_limit_is_kept() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let mut device = device.expect("the stand-in has a device");
    device.host_buffers = HostBuffers::new(2 << 16);
    for _ in 0..3 {
        assert!(check_results(Some(&device)));
        let kept: usize = stand_in.state(|state| state.pinned.values().map(Vec::len).sum());
        assert_eq!(kept, 2 << 16);
    }
    // A buffer that is larger than the limit takes no other's place.
    assert!(check_large(Some(&device)));
    let kept: usize = stand_in.state(|state| state.pinned.values().map(Vec::len).sum());
    assert_eq!(kept, 2 << 16);
}

/// Where a stream cannot be waited for, nobody else has what it may still copy.
#[test]
fn memory_that_may_be_in_use_is_leaked() {
    let call = "cuStreamSynchronize";
    let (after, code) = (0, 1);
    let stand_in = StandIn::new(Some(Fault { call, after, code }));
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let mut a = [1, 2];
    let mut region = Region::begin(&device).expect("the device is open");
    array(&mut region, &mut a, Transfer::IN | Transfer::OUT);
    launch(&mut region, MODULE, c"triple", 1, [0, 0]);
    assert!(!region.end());
    assert!(check_results(Some(&device)));
    // One array of the first region, two of the second one, with what one was before, and the results of both.
    let made = ["cuStreamCreate", "cuMemAlloc_v2", "cuMemHostAlloc"];
    assert_eq!(made.map(|call| stand_in.calls(call)), [2, 1 + 2, 1 + 3]);
}

/// Results come to the buffers of arrays that are only read.
#[test]
fn buffers_of_arrays_that_are_read_are_used_again() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let (mut a, mut b): (Vec<i32>, _) = ((0..).take(MANY).collect(), vec![-1; MANY]);
    let mut region = Region::begin(&device).expect("the device is open");
    let from = array(&mut region, &mut a, Transfer::IN);
    let whole = [[4 * MANY as u64, 1]];
    let to = array_with_box(&mut region, &mut b, Transfer::OUT, (0, &whole));
    launch(&mut region, MODULE, c"copy", MANY as u32, [from, to]);
    assert!(region.end());
    assert!(a == b);
    assert_eq!(stand_in.calls("cuMemHostAlloc"), 1);
    assert_eq!(stand_in.calls("cuMemcpyHtoDAsync_v2"), 6, "`b` is not copied in");
}

/// Other threads of the program may write what is outside of a box, or elements that kernels do not change.
#[test]
fn only_boxes_are_written() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let check = |transfer, sizes: &[[u64; 2]], expected: [i32; 6]| {
        let (mut a, mut b) = ([1, 2, 3, 4, 5, 6], [0; 6]);
        let mut region = Region::begin(&device).expect("the device is open");
        let from = array(&mut region, &mut a, Transfer::IN);
        let to = array_with_box(&mut region, &mut b, transfer, (4, sizes));
        launch(&mut region, MODULE, c"copy", 6, [from, to]);
        b = [-1, -2, -3, -4, -5, -6];
        assert!(region.end());
        assert_eq!(b, expected);
    };
    check(Transfer::OUT, &[[2, 12], [8, 1]], [-1, 2, 3, -4, 5, 6]);
    check(Transfer::OUT | Transfer::IN, &[[3, 8], [4, 1]], [-1, 2, -3, 4, -5, 6]);
    check(Transfer::OUT, &[[2, 8], [2, 4], [4, 1]], [-1, 2, 3, 4, 5, -6]);
    check(Transfer::OUT, &[[0, 8], [4, 1]], [-1, -2, -3, -4, -5, -6]);
    check(Transfer::IN, &[[20, 1]], [-1, -2, -3, -4, -5, -6]);
}

/// An element is written as a whole, also where only one of its bytes changed.
#[test]
fn an_element_that_changed_is_written_as_a_whole() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let mut a = [1, 2];
    let mut region = Region::begin(&device).expect("the device is open");
    let address = array(&mut region, &mut a, Transfer::IN | Transfer::OUT);
    launch(&mut region, MODULE, c"double", 1, [address, 0]);
    a = [-1, -1];
    assert!(region.end());
    assert_eq!(a, [2, -1]);
}

#[test]
fn a_box_outside_of_its_array() {
    let stand_in = StandIn::new(None);
    let (device, lines) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let mut a = [1, 2, 3];
    let mut region = Region::begin(&device).expect("the device is open");
    let written = (4, &[[9, 1]][..]);
    let address = array_with_box(&mut region, &mut a, Transfer::IN | Transfer::OUT, written);
    assert_eq!(address, 0);
    assert!(!region.end());
    assert_eq!(a, [1, 2, 3]);
    assert!(check_results(Some(&device)));
    expect![[r"
        device 0 of 2, sm_90
        the CPU version runs: what kernels write of an array is no box in it
        region done: 2 arrays, 2 launches"]]
    .assert_eq(&text(&lines));
}

/// The calls of a program, with a box as it comes in memory.
#[test]
fn a_box_in_a_list() {
    use crate::byte_box::BoxShape;
    let list = [8, 2, 3, 80, 32, 1];
    // SAFETY: the list has two dimensions.
    let shape = unsafe { BoxShape::read(list.as_ptr()) }.expect("a box");
    assert_eq!((shape.offset, shape.sizes), (8, &[[3, 80], [32, 1]][..]));
    let list = [8, u64::MAX];
    // SAFETY: the list says that there is more, but is not read.
    assert!(unsafe { BoxShape::read(list.as_ptr()) }.is_err());
}

/// Boxes and elements of large arrays are written by several threads: each byte is.
#[test]
fn large_results_are_complete() {
    let stand_in = StandIn::new(None);
    let (device, _) = open(&stand_in);
    let device = device.expect("the stand-in has a device");
    let bytes = 4 * MANY as u64;
    // One row; rows that are longer than a piece; rows that are shorter; elements.
    let long = PIECE as u64 + 4;
    let boxes: [&[[u64; 2]]; 4] = [
        &[[bytes, 1]],
        &[[4, long + 4], [long, 1]],
        &[[bytes / 12, 12], [8, 1]],
        &[],
    ];
    for sizes in boxes {
        let (mut a, mut b): (Vec<i32>, _) = ((0..).take(MANY).collect(), vec![-1; MANY]);
        let mut region = Region::begin(&device).expect("the device is open");
        let from = array(&mut region, &mut a, Transfer::IN);
        let to = match sizes.is_empty() {
            true => array(&mut region, &mut b, Transfer::OUT),
            false => array_with_box(&mut region, &mut b, Transfer::OUT, (0, sizes)),
        };
        launch(&mut region, MODULE, c"copy", MANY as u32, [from, to]);
        assert!(region.end());
        let is_written = |position: usize| match sizes {
            [[count, stride], [row, 1]] => {
                let (number, rest) = (4 * position as u64 / stride, 4 * position as u64 % stride);
                number < *count && rest < *row
            }
            _ => true,
        };
        let expected = |position| if is_written(position) { a[position] } else { -1 };
        assert!(b.iter().enumerate().all(|(position, b)| *b == expected(position)));
    }
}

#[test]
fn a_thread_that_cannot_be_started() {
    let check = |builder: fn() -> thread::Builder| {
        let done: Vec<_> = (0..50).map(|_| std::sync::atomic::AtomicBool::new(false)).collect();
        let mut then = Vec::new();
        let work = |piece: usize| done[piece].store(true, std::sync::atomic::Ordering::Relaxed);
        for_each_piece_on(builder, (50, 4), work, |piece| {
            assert!(done[piece].load(std::sync::atomic::Ordering::Relaxed));
            then.push(piece);
        });
        then.sort_unstable();
        assert_eq!(then, (0..50).collect::<Vec<_>>());
    };
    check(thread::Builder::new);
    // No system has as much memory for a stack.
    check(|| thread::Builder::new().stack_size(1 << 60));
    for_each_piece(0, 4, |_| unreachable!(), |_| unreachable!());
}
