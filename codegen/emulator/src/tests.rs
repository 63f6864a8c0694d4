//! Kernels that are right, and some with each kind of fault.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

use expect_test::{Expect, expect};

use crate::launch::{CALLS, launch};
use crate::memory::Memory;
use crate::module::Module;
use crate::retarget::retargeted;

/// A kernel with a pointer and a number as parameters: it has the thread's position in x in `%at`, and what is in the middle, up to `exit`.
fn kernel(middle: &str) -> String {
    format!(
        r#"target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [8 x i64] poison, align 16
define ptx_kernel void @k(ptr readonly captures(none) %a, i64 %n) local_unnamed_addr #0 {{
  %tid = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %size
  %number = add i32 %first, %tid
  %at = zext i32 %number to i64
  %inside = icmp slt i64 %at, %n
  br i1 %inside, label %body, label %exit

body:
{middle}
  br label %exit

exit:
  ret void
}}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) noalias writeonly captures(none), ptr addrspace(1) noalias readonly captures(none)) #2
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) noalias writeonly captures(none), ptr addrspace(1) noalias readonly captures(none)) #2
declare void @llvm.nvvm.cp.async.commit.group() #2
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg) #2
declare range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
attributes #0 = {{ nounwind "nvvm.reqntid"="4,1,1" }}
attributes #1 = {{ nounwind memory(none) }}
attributes #2 = {{ convergent nounwind }}
"#
    )
}

/// Runs a kernel in 3 blocks of 4 threads on an array of 10 numbers `0, 1, ..`, of which it is said that there are `n`. The array afterwards,
/// or what is wrong.
fn check(middle: &str, n: i64, expected: Expect) {
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    let own = format!(
        "farkas-emulator-{}-{}",
        process::id(),
        FOLDERS.fetch_add(1, Ordering::Relaxed)
    );
    let folder = env::temp_dir().join(own);
    fs::create_dir_all(&folder).expect("a folder");
    let module = Module::of_ir(&kernel(middle), &folder, CALLS).unwrap_or_else(|error| panic!("{error}"));
    fs::remove_dir_all(&folder).expect("the folder is there");
    let mut memory = Memory::default();
    let address = memory.allocate(10 * size_of::<i64>());
    let array: *mut i64 = std::ptr::with_exposed_provenance_mut(address);
    for number in 0..10 {
        // SAFETY: there is room for ten numbers.
        unsafe { array.add(number).write(number as i64) };
    }
    let (mut array, mut n) = (array, n);
    let mut arguments: [*mut c_void; 2] = [(&raw mut array).cast(), (&raw mut n).cast()];
    // SAFETY: the kernel has a pointer and a number as parameters.
    let result = unsafe { launch(&module, &mut memory, ([3, 1, 1], [4, 1, 1]), arguments.as_mut_ptr(), 7) };
    let text = match result {
        // SAFETY: there are ten numbers.
        Ok(()) => format!("{:?}", unsafe { std::slice::from_raw_parts(array, 10) }),
        Err(why) => why,
    };
    expected.assert_eq(&text);
}

const ELEMENT: &str = "  %p = getelementptr i64, ptr %a, i64 %at\n";

#[test]
fn each_thread_has_an_element() {
    let middle =
        format!("{ELEMENT}  %v = load i64, ptr %p, align 8\n  %w = mul i64 %v, 3\n  store i64 %w, ptr %p, align 8");
    check(&middle, 10, expect!["[0, 3, 6, 9, 12, 15, 18, 21, 24, 27]"]);
    check(&middle, 2, expect!["[0, 3, 2, 3, 4, 5, 6, 7, 8, 9]"]);
    check(
        &middle,
        11,
        expect!["an access outside of all arrays, in block [2, 0, 0], thread [2, 0, 0]"],
    );
}

#[test]
fn threads_that_write_one_element() {
    check(
        "  store i64 5, ptr %a, align 8",
        1,
        expect!["[5, 1, 2, 3, 4, 5, 6, 7, 8, 9]"],
    );
    check(
        "  store i64 5, ptr %a, align 8",
        10,
        expect!["a race of two threads, in block [1, 0, 0], thread [2, 0, 0]"],
    );
}

#[test]
fn threads_that_read_what_others_write() {
    let middle = format!(
        "{ELEMENT}  %q = getelementptr i64, ptr %p, i64 1\n  %v = load i64, ptr %q, align 8\n  store i64 %v, ptr %p, align 8"
    );
    check(
        &middle,
        9,
        expect!["a race of two threads, in block [1, 0, 0], thread [2, 0, 0]"],
    );
}

#[test]
fn threads_that_read_the_same() {
    let middle = format!(
        "  %v = load i64, ptr %a, align 8\n{ELEMENT}  %q = getelementptr i64, ptr %p, i64 1\n  store i64 %v, ptr %q, align 8"
    );
    check(&middle, 9, expect!["[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"]);
}

#[test]
fn parts_of_an_element_are_apart() {
    let middle = "  %p = getelementptr i8, ptr %a, i64 %at\n  store i8 1, ptr %p, align 1";
    check(middle, 4, expect!["[16843009, 1, 2, 3, 4, 5, 6, 7, 8, 9]"]);
}

#[test]
fn vectors() {
    let middle = "  %p = getelementptr <2 x i64>, ptr %a, i64 %at\n  store <2 x i64> <i64 7, i64 8>, ptr %p, align 16";
    check(middle, 2, expect!["[7, 8, 7, 8, 4, 5, 6, 7, 8, 9]"]);
    check(
        middle,
        6,
        expect!["an access outside of all arrays, in block [1, 0, 0], thread [1, 0, 0]"],
    );
}

/// A kernel whose blocks reverse their four numbers in memory that their threads share, with this between what they write and what they
/// read.
fn reversed(between: &str) -> String {
    let cast = "addrspacecast (ptr addrspace(3) @shared to ptr)";
    format!(
        "{ELEMENT}  %v = load i64, ptr %p, align 8
  %own = zext i32 %tid to i64
  %to = getelementptr i64, ptr {cast}, i64 %own
  store i64 %v, ptr %to, align 8
{between}
  %other = sub i64 3, %own
  %from = getelementptr i64, ptr {cast}, i64 %other
  %w = load i64, ptr %from, align 8
  store i64 %w, ptr %p, align 8"
    )
}

const BARRIER: &str = "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";

#[test]
fn threads_of_a_block_share_memory() {
    check(&reversed(BARRIER), 8, expect!["[3, 2, 1, 0, 7, 6, 5, 4, 8, 9]"]);
}

#[test]
fn threads_that_do_not_wait_for_each_other() {
    check(
        &reversed(""),
        8,
        expect!["a race of two threads, in block [1, 0, 0], thread [1, 0, 0]"],
    );
    // One barrier more, but in the wrong place.
    check(
        &format!("{BARRIER}\n{}", reversed("")),
        8,
        expect!["a race of two threads, in block [1, 0, 0], thread [0, 0, 0]"],
    );
}

#[test]
fn threads_that_do_not_come_to_a_barrier() {
    check(
        &reversed(BARRIER),
        6,
        expect!["not all threads of a block come to a barrier, in block [1, 0, 0], thread [2, 0, 0]"],
    );
}

/// A kernel whose blocks reverse their four numbers by copies of 8 bytes to memory that their threads share, with this between the copies and
/// what reads. Then each copies its number again, to another slot, with this behind.
fn reversed_by_copies(between: &str, behind: &str) -> String {
    let copy = "call void @llvm.nvvm.cp.async.ca.shared.global.8";
    format!(
        "{ELEMENT}  %source = addrspacecast ptr %p to ptr addrspace(1)
  %own = zext i32 %tid to i64
  %to = getelementptr i64, ptr addrspace(3) @shared, i64 %own
  {copy}(ptr addrspace(3) %to, ptr addrspace(1) %source)
  call void @llvm.nvvm.cp.async.commit.group()
{between}
  %other = sub i64 3, %own
  %from = getelementptr i64, ptr addrspace(3) @shared, i64 %other
  %w = load i64, ptr addrspace(3) %from, align 8
{behind}"
    )
}

const WAIT: &str = "  call void @llvm.nvvm.cp.async.wait.group(i32 0)";
const STORE: &str = "  store i64 %w, ptr %p, align 8";

#[test]
fn copies_that_are_waited_for() {
    let between = format!("{WAIT}\n{BARRIER}");
    check(
        &reversed_by_copies(&between, STORE),
        8,
        expect!["[3, 2, 1, 0, 7, 6, 5, 4, 8, 9]"],
    );
    // In two stages: the second copy is of what the first part has stored, and goes to another slot.
    let next = format!(
        "{STORE}
{BARRIER}
  %next = getelementptr i64, ptr addrspace(3) %to, i64 4
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %next, ptr addrspace(1) %source)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  %x = load i64, ptr addrspace(3) %next, align 8
  %y = add i64 %x, 10
  store i64 %y, ptr %p, align 8"
    );
    check(
        &reversed_by_copies(&between, &next),
        8,
        expect!["[13, 12, 11, 10, 17, 16, 15, 14, 8, 9]"],
    );
}

#[test]
fn copies_that_are_not_waited_for() {
    check(
        &reversed_by_copies(BARRIER, STORE),
        8,
        expect!["an access to what a copy is under way to, in block [1, 0, 0], thread [3, 0, 0]"],
    );
    // All groups but one have arrived, and there is one.
    let early = format!("  call void @llvm.nvvm.cp.async.wait.group(i32 1)\n{BARRIER}");
    check(
        &reversed_by_copies(&early, STORE),
        8,
        expect!["an access to what a copy is under way to, in block [1, 0, 0], thread [3, 0, 0]"],
    );
    // Whoever copies has waited, and those who read have not met it.
    check(
        &reversed_by_copies(WAIT, STORE),
        8,
        expect!["a race of two threads, in block [1, 0, 0], thread [1, 0, 0]"],
    );
    // A copy is begun, and the thread ends.
    let between = format!("{WAIT}\n{BARRIER}");
    let next = format!(
        "{STORE}
{BARRIER}
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %to, ptr addrspace(1) %source)"
    );
    check(
        &reversed_by_copies(&between, &next),
        8,
        expect!["a copy that nobody waits for, in block [1, 0, 0], thread [3, 0, 0]"],
    );
    // The slot is still read.
    let next = format!(
        "{STORE}
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %to, ptr addrspace(1) %source)
  call void @llvm.nvvm.cp.async.commit.group()
{WAIT}"
    );
    check(
        &reversed_by_copies(&between, &next),
        8,
        expect!["a race of two threads, in block [1, 0, 0], thread [0, 0, 0]"],
    );
}

#[test]
fn copies_are_aligned_and_in_bounds() {
    let middle = |distance: &str, n: i64, expected| {
        let middle = format!(
            "{ELEMENT}  %q = getelementptr i8, ptr %p, i64 {distance}
  %source = addrspacecast ptr %q to ptr addrspace(1)
  %own = zext i32 %tid to i64
  %to = getelementptr <2 x i64>, ptr addrspace(3) @shared, i64 %own
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %to, ptr addrspace(1) %source)
  call void @llvm.nvvm.cp.async.commit.group()
{WAIT}"
        );
        check(&middle, n, expected);
    };
    middle("0", 1, expect!["[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"]);
    middle(
        "8",
        1,
        expect!["a copy of bytes that are not aligned, in block [0, 0, 0], thread [0, 0, 0]"],
    );
    middle(
        "80",
        1,
        expect!["an access outside of all arrays, in block [0, 0, 0], thread [0, 0, 0]"],
    );
    middle(
        "0",
        2,
        expect!["a copy of bytes that are not aligned, in block [0, 0, 0], thread [1, 0, 0]"],
    );
}

/// Why a kernel is not for the host.
fn check_unsupported(module: &str, expected: Expect) {
    let error = retargeted(module).expect_err("something that the emulator does not have");
    expected.assert_eq(&error.to_string());
}

#[test]
fn what_is_not_known_is_not_run() {
    check_unsupported("define void @f() {\n  ret void\n}\n", expect!["there is no kernel"]);
    check_unsupported(
        &kernel("  call void @llvm.nvvm.barrier.cta.sync.aligned.id(i32 1)"),
        expect!["the emulator does not have this: barrier.cta.sync.aligned.id(i32 1)"],
    );
    check_unsupported(
        &kernel("  store { i64, i64 } zeroinitializer, ptr %a, align 8"),
        expect!["what this accesses is not known:   store { i64, i64 } zeroinitializer, ptr %a, align 8"],
    );
    check_unsupported(
        &kernel("  %v = load i64, ptr addrspace(5) %a, align 8"),
        expect!["what this accesses is not known:   %v = load i64, ptr addrspace(5) %a, align 8"],
    );
    check_unsupported(
        &kernel("  call void @llvm.nvvm.cp.async.wait.all()"),
        expect!["the emulator does not have this: wait.all()"],
    );
    check_unsupported(
        &kernel("  %v = atomicrmw add ptr %a, i64 1 monotonic, align 8"),
        expect!["what this accesses is not known:   %v = atomicrmw add ptr %a, i64 1 monotonic, align 8"],
    );
}
