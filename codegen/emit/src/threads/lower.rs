//! Markers -> chunks, microtasks and decisions.

use farkas_llvm::Run;
use farkas_llvm::inkwell::AddressSpace;
use farkas_llvm::inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use farkas_llvm::remarks::Remark;
use farkas_llvm::threads::{Begin, Chunk};
use farkas_llvm::value::{Function, Value};
use std::cell::RefCell;

use super::decision::{self, Known, Team};
use super::markers::Schedule;
use super::microtask::{Argument, Callee, add_microtask};
use super::pipeline::{add_fork, add_rows};
use super::progress::lower_progress;
use super::runtime::Runtime;

/// Lets loops between markers run on threads, one by one. Those that cannot be cut out stay where they are, and a remark says so.
pub fn fork_loops(run: &mut Run<'_>) {
    let mut forks = 0;
    // A loop that is cut out takes the markers inside with it.
    while let Some(begin) = run.markers().first().copied() {
        match fork(run, begin) {
            Ok(()) => forks += 1,
            Err(why) => {
                let message = format!("parallel loop stays on one thread: {why}");
                run.remark(
                    &Remark::missed("OneThread", message),
                    None,
                    Some(begin.marker().value()),
                );
                begin.strip();
            }
        }
        run.refresh();
    }
    for question in run.team_questions() {
        let marker = question.instruction().expect("a marker is an instruction");
        decision::answer(&Runtime::of(run), marker, forks > 0);
    }
    run.strip_rest();
    if forks > 0 && !run.has_openmp() {
        let message =
            "parallel loops run on threads if the program is linked with -fopenmp, and on one thread if it is not";
        run.remark(&Remark::missed("LinkOpenMP", message), None, None);
    }
}

/// Functions that are added. They are erased again should there be a panic.
#[derive(Default)]
struct Added<'a>(RefCell<Vec<Function<'a>>>);

impl<'a> Added<'a> {
    fn push(&self, function: Function<'a>) {
        self.0.borrow_mut().push(function);
    }
}

impl Drop for Added<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.take().into_iter().rev().for_each(Function::erase);
        }
    }
}

/// Lets the loop behind a marker run on threads.
///
/// # Errors
///
/// Why it cannot be cut out. Then it is as it was.
fn fork<'a>(run: &'a Run<'_>, begin: Begin<'a>) -> Result<(), String> {
    if !run.has_wide_pointers() {
        return Err("pointers have less than 64 bits".to_owned());
    }
    let schedule: Schedule = begin
        .marker()
        .kind()
        .parse()
        .map_err(|()| "its marker is unknown".to_owned())?;
    let given: Vec<IntValue<'a>> = begin.marker().arguments().into_iter().filter_map(integer).collect();
    let [_, last] = given[..] else {
        return Err("its marker is incomplete".to_owned());
    };
    let cut_out = || -> Result<Result<(), String>, std::convert::Infallible> {
        let chunk = match run.cut_out(begin) {
            Ok(chunk) => chunk,
            Err(why) => return Ok(Err(why)),
        };
        let added = Added::default();
        added.push(chunk.function);
        let (callee, values) = callee(&chunk, begin);
        let runtime = Runtime::of(run);
        lower_progress(&runtime, &chunk);
        let team = match schedule {
            Schedule::Parts(parts) => Team::Fork(add_microtask(&runtime, &callee, parts)),
            Schedule::Pipelined => {
                let microtask = add_rows(&runtime, &callee);
                added.push(Function::from_inkwell(microtask));
                Team::Call(add_fork(&runtime, &callee, microtask))
            }
        };
        added.push(Function::from_inkwell(team.function()));
        let call = chunk.call.instruction().expect("a call");
        decision::decide(&runtime, call, (&callee, team), Known { last, values });
        begin.strip();
        for function in added.0.borrow().iter() {
            let complaint = run.verify(*function);
            assert!(
                complaint.is_none(),
                "broken function: {}",
                complaint.unwrap_or_default()
            );
        }
        Ok(Ok(()))
    };
    match run.atomically(cut_out) {
        Ok(done) => done,
        Err(never) => match never {},
    }
}

/// Where a chunk takes its arguments, and what it is given beside the numbers of iterations.
fn callee<'a>(chunk: &Chunk<'a>, begin: Begin<'a>) -> (Callee<'a>, PointerValue<'a>) {
    let function: FunctionValue<'a> = chunk.function.inkwell();
    let [first, last] = begin.numbers().map(Some);
    let mut values = function
        .get_type()
        .get_context()
        .ptr_type(AddressSpace::default())
        .const_null();
    let mut arguments = Vec::new();
    for argument in chunk.arguments() {
        arguments.push(match argument.basic() {
            _ if Some(argument) == first => Argument::First,
            _ if Some(argument) == last => Argument::Last,
            Some(BasicValueEnum::PointerValue(pointer)) => {
                values = pointer;
                Argument::Values
            }
            _ => unreachable!("a chunk has numbers, and an address, as arguments"),
        });
    }
    (Callee { function, arguments }, values)
}

fn integer(value: Value<'_>) -> Option<IntValue<'_>> {
    match value.basic() {
        Some(BasicValueEnum::IntValue(integer)) => Some(integer),
        _ => None,
    }
}
