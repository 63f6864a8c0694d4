//! A few threads for work on memory of the host: one thread alone does not read and write as fast as the memory is.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;

/// So many threads work at most. More do not make copies faster, and the program may have threads of its own.
const MOST_THREADS: usize = 4;

/// From so many bytes on, several threads work. Starting one takes about as long as a copy of a tenth of that.
const MANY_BYTES: usize = 4 << 20;

/// How many threads work on so many bytes, the caller among them.
pub(crate) fn threads_for(bytes: usize) -> usize {
    // Asking the system reads files.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    match bytes < MANY_BYTES {
        true => 1,
        false => *PROCESSORS.get_or_init(|| {
            let processors = thread::available_parallelism().map_or(1, NonZero::get);
            processors.min(MOST_THREADS)
        }),
    }
}

/// Does `work` for each number below `pieces`, on so many threads, in any order. The caller, which is one of them, does `then` for
/// each piece soon after its work is done. Where a thread cannot be started, there are fewer.
pub(crate) fn for_each_piece(pieces: usize, threads: usize, work: impl Fn(usize) + Sync, then: impl FnMut(usize)) {
    for_each_piece_on(thread::Builder::new, (pieces, threads), work, then);
}

/// [`for_each_piece`] on threads that are built so.
pub(crate) fn for_each_piece_on(
    builder: impl Fn() -> thread::Builder,
    (pieces, threads): (usize, usize),
    work: impl Fn(usize) + Sync,
    mut then: impl FnMut(usize),
) {
    let next = AtomicUsize::new(0);
    let take = || {
        let piece = next.fetch_add(1, Ordering::Relaxed);
        (piece < pieces).then_some(piece)
    };
    thread::scope(|scope| {
        let (done, finished) = mpsc::channel();
        for _ in 1..threads.min(pieces) {
            let (take, work, done) = (&take, &work, done.clone());
            let run = move || {
                while let Some(piece) = take() {
                    work(piece);
                    // The caller is gone only if it panicked.
                    let _ = done.send(piece);
                }
            };
            if builder().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        drop(done);
        while let Some(piece) = take() {
            work(piece);
            then(piece);
            finished.try_iter().for_each(&mut then);
        }
        finished.iter().for_each(&mut then);
    });
}
