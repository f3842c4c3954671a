//! Runs independent jobs on several threads and delivers their results in order.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Makes items 0, 1, 2, … on all cores and passes them to `take` in that order, until `take` breaks
/// or `count` items have been taken.
///
/// The result does not depend on the number of threads: items are independent, and items made past
/// a break are dropped.
pub fn in_order<T: Send>(
    count: u64,
    make: impl Fn(u64) -> T + Sync,
    take: impl FnMut(T) -> ControlFlow<()>,
) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    in_order_on(threads, count, make, take);
}

/// [`in_order`] on a given number of threads, or on as many as the system grants. If it grants none, the items are made
/// on this one.
pub fn in_order_on<T: Send>(
    threads: usize,
    count: u64,
    make: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) {
    let made = Made::new();
    let work = || {
        let _guard = EndIfPanicking(&made);
        while let Some(number) = made.next(count) {
            made.deliver(number, make(number));
        }
    };
    beside_workers(threads, &work, &mut |workers| {
        let _guard = EndWorkers(&made);
        for number in 0..count {
            let item = if workers > 0 { made.due() } else { Some(make(number)) };
            if item.is_none_or(|item| take(item).is_break()) {
                return;
            }
        }
    });
}

/// Starts workers and consumes beside them what they make, knowing how many were started.
///
/// Compiled once: threads of a generic closure are a thousand instructions for each type of items.
fn beside_workers(threads: usize, work: &(dyn Fn() + Sync), consume: &mut dyn FnMut(usize)) {
    std::thread::scope(|scope| {
        let started = (0..threads).map_while(|_| Builder::new().spawn_scoped(scope, work).ok());
        consume(started.count());
    });
}

/// Items that are made and not yet taken.
struct Made<T> {
    /// The next number to make.
    next: AtomicU64,
    /// Whether no more items are needed, or none will come.
    ended: AtomicBool,
    early: Mutex<Early<T>>,
    /// Tells that the item that is due has come, or never will.
    changed: Condvar,
}

struct Early<T> {
    /// Number of the item that is due. The other numbers follow it.
    due: u64,
    items: VecDeque<Option<T>>,
}

impl<T> Made<T> {
    fn new() -> Made<T> {
        Made {
            next: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            early: Mutex::new(Early { due: 0, items: VecDeque::new() }),
            changed: Condvar::new(),
        }
    }

    /// The number that a worker makes next.
    fn next(&self, count: u64) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < count && !self.ended.load(Ordering::Relaxed)).then_some(number)
    }

    fn early(&self) -> MutexGuard<'_, Early<T>> {
        self.early.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deliver(&self, number: u64, item: T) {
        let mut early = self.early();
        let place = (number - early.due) as usize;
        if early.items.len() <= place {
            early.items.resize_with(place + 1, || None);
        }
        early.items[place] = Some(item);
        if place == 0 {
            self.changed.notify_one();
        }
    }

    /// Waits for the item that is due. `None` if a worker panicked.
    fn due(&self) -> Option<T> {
        let mut early = self.early();
        while !matches!(early.items.front(), Some(Some(_))) {
            if self.ended.load(Ordering::Relaxed) {
                return None;
            }
            early = self.changed.wait(early).unwrap_or_else(PoisonError::into_inner);
        }
        early.due += 1;
        early.items.pop_front().flatten()
    }

    fn end(&self) {
        // Changed under the lock, so that nobody begins to wait after it.
        let _early = self.early();
        self.ended.store(true, Ordering::Relaxed);
        self.changed.notify_one();
    }
}

/// Ends the work when no more items are taken, also by a panic.
struct EndWorkers<'a, T>(&'a Made<T>);

impl<T> Drop for EndWorkers<'_, T> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Ends the work if a worker panics. Without it the others would work for ever, because the missing item is never
/// delivered. The scope then propagates the panic.
struct EndIfPanicking<'a, T>(&'a Made<T>);

impl<T> Drop for EndIfPanicking<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// Maps a list on all cores.
pub fn map<T: Sync, U: Send>(list: &[T], map: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let mut mapped = Vec::with_capacity(list.len());
    let take = |one| {
        mapped.push(one);
        ControlFlow::Continue(())
    };
    in_order(list.len() as u64, |place| map(&list[place as usize]), take);
    mapped
}

/// The result of work that was given to another thread.
pub struct Beside<'scope, T>(Work<'scope, T>);

enum Work<'scope, T> {
    OnThread(ScopedJoinHandle<'scope, T>),
    Done(T),
}

/// Works on another thread. If the system grants none, the work is done here and now.
pub fn beside<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Beside<'scope, T> {
    beside_on(Builder::new(), scope, work)
}

fn beside_on<'scope, T: Send + 'scope>(
    thread: Builder,
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Beside<'scope, T> {
    // A thread that is refused takes its closure with it.
    let work = Arc::new(Mutex::new(Some(work)));
    let given = Arc::clone(&work);
    let taken =
        |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let once = "the work, which is taken once";
    match thread.spawn_scoped(scope, move || taken(&given).expect(once)()) {
        Ok(thread) => Beside(Work::OnThread(thread)),
        Err(_) => Beside(Work::Done(taken(&work).expect(once)())),
    }
}

impl<T> Beside<'_, T> {
    /// Waits for the work. Panics if it panicked.
    pub fn join(self) -> T {
        match self.0 {
            Work::OnThread(thread) => thread.join().expect("work that does not panic"),
            Work::Done(result) => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_arrive_in_order_until_the_consumer_breaks() {
        let mut taken = Vec::new();
        in_order(
            u64::MAX,
            |n| n * n,
            |square| {
                taken.push(square);
                if taken.len() == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert!(taken.iter().copied().eq((0..100).map(|n| n * n)));
    }

    #[test]
    fn a_list_that_is_mapped_keeps_its_order_and_length() {
        let list: Vec<u64> = (0..1_000).collect();
        assert!(map(&list, |n| n * n).into_iter().eq(list.iter().map(|n| n * n)));
        assert!(map(&[], |n: &u64| *n).is_empty());
    }

    #[test]
    fn without_a_thread_the_work_is_done_by_the_one_that_asks() {
        let (mut made, mut taken) = (Mutex::new(0), Vec::new());
        let count_and_double = |n| {
            *made.lock().expect("no thread panics") += 1;
            n * 2
        };
        in_order_on(0, u64::MAX, count_and_double, |double| {
            taken.push(double);
            if double == 6 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((*made.get_mut().expect("no thread panics"), taken), (4, vec![0, 2, 4, 6]));
        let here = std::thread::current().id();
        let worker = || std::thread::current().id();
        std::thread::scope(|scope| {
            // No system has memory for such a stack.
            let refused = Builder::new().stack_size(usize::MAX / 4);
            assert_eq!(beside_on(refused, scope, worker).join(), here);
            assert_ne!(beside(scope, worker).join(), here);
        });
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_in_one_worker_stops_all_workers() {
        in_order(u64::MAX, |n| assert_ne!(n, 5), |()| ControlFlow::Continue(()));
    }
}
