//! Runs independent jobs on several threads and delivers their results in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

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

/// [`in_order`] on a given number of threads.
pub fn in_order_on<T: Send>(
    threads: usize,
    count: u64,
    make: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) {
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let (next, stop, make) = (&next, &stop, &make);
            scope.spawn(move || {
                let _guard = StopIfPanicking(stop);
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || sender.send((number, make(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender); // otherwise the loop below would never end: it waits for all senders to drop
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (number, item) in receiver {
            early.insert(number, item);
            while let Some(item) = early.remove(&due) {
                due += 1;
                if take(item).is_break() {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
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

/// Stops all workers if its own panics. Without it the others would work for ever, because the
/// missing item is never delivered. The scope then propagates the panic.
struct StopIfPanicking<'a>(&'a AtomicBool);

impl Drop for StopIfPanicking<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
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
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_in_one_worker_stops_all_workers() {
        in_order(u64::MAX, |n| assert_ne!(n, 5), |()| ControlFlow::Continue(()));
    }
}
