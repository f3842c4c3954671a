//! Runs mutated inputs through their readers on several threads, and watches them.
//!
//! Each thread takes the next input, makes it, and calls the reader of its kind. A panic is caught with its message
//! and its place. The calling thread polls in fixed intervals which input each thread reads. An input that it finds
//! too many times in a row counts as a hang. Polls are counted instead of time, so that a machine that is suspended
//! for a while does not look like a hang.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use raywalk_core::random::mix;

use crate::distinct::Distinct;
use crate::failure::{Failure, catch_panics, panic_message};
use crate::kinds::{Answer, Checked, Kind};
use crate::mutation::Corpus;

/// A run of the driver.
pub(crate) struct Task {
    pub kinds: Vec<&'static Kind>,
    pub seed: u64,
    /// Number of the first input of each kind.
    pub first: u64,
    pub amount: Amount,
    pub threads: usize,
    pub watch: Watch,
}

/// How many inputs a run reads: a number, or a time.
#[derive(Clone, Copy)]
pub(crate) enum Amount {
    /// So many, divided equally among the kinds.
    Inputs(u64),
    /// As many as fit in this time.
    Time(Duration),
}

/// When an input hangs: it was seen this many times in a row, an interval apart.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    pub interval: Duration,
    pub looks: u32,
}

impl Watch {
    /// Five seconds. The slowest right answers, drawings of journals, take some 50 ms.
    pub(crate) const FIVE_SECONDS: Watch =
        Watch { interval: Duration::from_millis(100), looks: 50 };
}

/// Right answers to the inputs of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub accepted: u64,
    pub refused: u64,
    /// How many of the inputs differ from all others of their kind.
    pub distinct: u64,
    /// Time in the reader and its checks, all threads together.
    pub time: Duration,
}

struct Shared {
    task: Task,
    corpora: Vec<Corpus>,
    /// A count of distinct inputs for each kind.
    distinct: Vec<Distinct>,
    next: AtomicU64,
    stop: AtomicBool,
    /// For each thread 1 + the place of its current input in the run, or 0.
    current: Vec<AtomicU64>,
}

enum Event {
    Failed(Box<Failure>),
    /// A thread has ended, with one tally for each kind.
    Finished(Vec<Tally>),
}

/// Runs the task. Returns a tally per kind, or the first failure. After a hang the hanging thread is
/// still running, so the process should end.
pub(crate) fn run(task: Task) -> Result<Vec<Tally>, Box<Failure>> {
    catch_panics();
    let shared = Arc::new(Shared {
        corpora: task.kinds.iter().map(|kind| (kind.corpus)()).collect(),
        distinct: task.kinds.iter().map(|_| Distinct::new()).collect(),
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        current: (0..task.threads).map(|_| AtomicU64::new(0)).collect(),
        task,
    });
    let (sender, receiver) = mpsc::channel();
    for thread in 0..shared.task.threads {
        let (shared, sender) = (shared.clone(), sender.clone());
        thread::spawn(move || work(&shared, thread, &sender));
    }
    drop(sender);

    let began = Instant::now();
    let mut seen = vec![Seen::default(); shared.task.threads];
    let mut tallies = vec![Tally::default(); shared.task.kinds.len()];
    let mut running = shared.task.threads;
    while running > 0 {
        match receiver.recv_timeout(shared.task.watch.interval) {
            Ok(Event::Failed(failure)) => return Err(failure),
            Ok(Event::Finished(finished)) => {
                running -= 1;
                tallies.iter_mut().zip(finished).for_each(|(sum, part)| sum.add(part));
            }
            Err(RecvTimeoutError::Timeout) => {
                for (seen, current) in seen.iter_mut().zip(&shared.current) {
                    if seen.look(current.load(Relaxed)) >= shared.task.watch.looks {
                        shared.stop.store(true, Relaxed);
                        return Err(Box::new(shared.hang(seen.place - 1)));
                    }
                }
            }
            Err(RecvTimeoutError::Disconnected) => panic!("a worker ended without a result"),
        }
        if matches!(shared.task.amount, Amount::Time(time) if began.elapsed() >= time) {
            shared.stop.store(true, Relaxed);
        }
    }
    for (tally, distinct) in tallies.iter_mut().zip(&shared.distinct) {
        tally.distinct = distinct.count();
    }
    Ok(tallies)
}

/// Takes inputs until there are no more, or one fails.
fn work(shared: &Shared, thread: usize, sender: &Sender<Event>) {
    let mut tallies = vec![Tally::default(); shared.task.kinds.len()];
    while let Some(place) = shared.take() {
        shared.current[thread].store(place + 1, Relaxed);
        let (kind, number) = shared.input_at(place);
        let input = shared.input(kind, number);
        shared.distinct[kind].add(&input);
        let reader = shared.task.kinds[kind].read;
        let began = Instant::now();
        let answer = checked(|| reader(&input, number));
        let tally = &mut tallies[kind];
        tally.time += began.elapsed();
        match answer {
            Ok(Answer::Accepted) => tally.accepted += 1,
            Ok(Answer::Refused) => tally.refused += 1,
            Err(what) => {
                shared.stop.store(true, Relaxed);
                // The receiver is gone if another failure came first.
                let _ = sender.send(Event::Failed(Box::new(shared.failure(kind, number, what))));
                return;
            }
        }
    }
    shared.current[thread].store(0, Relaxed);
    let _ = sender.send(Event::Finished(tallies));
}

/// Calls a reader. A panic is a wrong answer.
fn checked(read: impl FnOnce() -> Checked) -> Checked {
    panic::catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(format!("panic: {}", panic_message())))
}

impl Shared {
    /// The place of the next input in the run.
    fn take(&self) -> Option<u64> {
        if self.stop.load(Relaxed) {
            return None;
        }
        let place = self.next.fetch_add(1, Relaxed);
        match self.task.amount {
            Amount::Inputs(inputs) if place >= inputs => None,
            _ => Some(place),
        }
    }

    /// The kinds take turns. Returns the index of the kind and the number of the input.
    fn input_at(&self, place: u64) -> (usize, u64) {
        let kinds = self.task.kinds.len() as u64;
        ((place % kinds) as usize, self.task.first + place / kinds)
    }

    fn input(&self, kind: usize, number: u64) -> Vec<u8> {
        self.corpora[kind].input(mix(self.task.seed) ^ mix(!number))
    }

    fn failure(&self, kind: usize, number: u64, what: String) -> Failure {
        let input = self.input(kind, number);
        Failure { kind: self.task.kinds[kind].name, seed: self.task.seed, number, input, what }
    }

    fn hang(&self, place: u64) -> Failure {
        let (kind, number) = self.input_at(place);
        let Watch { interval, looks } = self.task.watch;
        self.failure(kind, number, format!("no answer within {:?}", interval * looks))
    }
}

impl Tally {
    pub(crate) fn inputs(&self) -> u64 {
        self.accepted + self.refused
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.distinct += other.distinct;
        self.time += other.time;
    }
}

/// How often the current input of a thread was seen in a row.
#[derive(Clone, Default)]
struct Seen {
    place: u64,
    looks: u32,
}

impl Seen {
    /// Looks at a thread. Returns how often its input was seen.
    fn look(&mut self, place: u64) -> u32 {
        self.looks = match place {
            0 => 0,
            same if same == self.place => self.looks + 1,
            _ => 1,
        };
        self.place = place;
        self.looks
    }
}

#[cfg(test)]
mod tests;
