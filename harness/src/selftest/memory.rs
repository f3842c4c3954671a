//! Loads from each level of memory, a store that is loaded again, and writing moves to a list.
//!
//! What a load costs is not known to the cycle, but within bounds: a first-level cache answers in
//! three to seven cycles on every core of today, and each level takes longer than the one before.
//! Rings larger than what the TLB maps include its misses, as every program's loads do.

use std::hint::black_box;

use raywalk_core::{Move, MoveList};
use raywalk_reports::schema::{Band, Cache, Trial};

use super::kernels::{AnyKernels, Kernels, Ring, WITHOUT};
use super::trial::{Costs, Known, rounds, ticks, time};
use crate::measure::clock::Clock;
use crate::measure::schedule::SplitMix;

/// Ticks of a sample are at least so many steps of the clock.
const LEAST_QUANTA: u64 = 2_000;
/// A ring that is larger than this is not made.
const LARGEST: u64 = 512 << 20;

/// A ring to chase through.
#[derive(Clone, Debug, PartialEq)]
struct Level {
    /// `L1d`, `L2`, `memory`.
    name: String,
    /// Bytes of the ring.
    bytes: u64,
    /// Cycles beyond which this level did not answer.
    slowest: f64,
}

/// For each data cache a ring that it holds for certain and the one before does not, and for the
/// memory four times the last cache. Of a machine that does not describe its caches: nothing.
///
/// A large cache is not filled to the half: a virtual machine shares it, and of the 32 MiB that one
/// promised, rings of 12 MiB already answered like memory.
fn levels(caches: &[Cache]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut before = u64::MAX / 4;
    for cache in caches.iter().filter(|cache| !cache.name.ends_with('i')) {
        levels.push(Level {
            name: cache.name.clone(),
            bytes: (cache.bytes / 2).min(2 * before),
            slowest: if levels.len() < 2 { 40.0 } else { 200.0 },
        });
        before = cache.bytes;
    }
    if !levels.is_empty() {
        let bytes = before.saturating_mul(4);
        levels.push(Level { name: "memory".to_owned(), bytes, slowest: 2_000.0 });
    }
    levels
}

/// Loads of at most `deepest` levels, within `seconds`.
pub fn loads<C: Clock>(
    clock: &C,
    mut kernels: Option<&mut AnyKernels>,
    caches: &[Cache],
    deepest: usize,
    random: &mut SplitMix,
    seconds: f64,
) -> Vec<Trial> {
    let levels = levels(caches);
    if levels.is_empty() {
        let known = Known {
            instrument: "load latency",
            kernel: "dependent loads around a random ring",
            expected: Band::default(),
            otherwise: "",
        };
        return vec![known.missing("The system does not describe its caches.")];
    }
    let mut trials: Vec<Trial> = Vec::new();
    let share = seconds / levels.len().min(deepest) as f64;
    for level in levels.iter().take(deepest) {
        // Each level takes clearly longer than the one before; the first is known by itself.
        let before = trials.iter().rev().find_map(|trial| Some(trial.found.first()?.value));
        let expected = match before {
            None => Band::between(3.0, 7.0),
            Some(before) => Band::between(1.3 * before, level.slowest),
        };
        let known = Known {
            instrument: &format!("load latency, {}", level.name),
            kernel: &format!("dependent loads around a random ring of {}", size(level.bytes)),
            expected,
            otherwise: "This level does not answer as it should: it is smaller or slower than the \
                        system says, or shared with a busy neighbour.",
        };
        trials.push(match kernels.as_deref_mut() {
            None => known.missing(WITHOUT),
            Some(_) if level.bytes > LARGEST => {
                known.missing("The ring would take more memory than a self-test should.")
            }
            Some(kernels) => known.judge(chase(clock, kernels, level, random, share).found("load")),
        });
    }
    trials
}

fn chase<C: Clock>(
    clock: &C,
    kernels: &mut dyn Kernels,
    level: &Level,
    random: &mut SplitMix,
    seconds: f64,
) -> Costs {
    const TRIAL: u64 = 1_024;
    let mut ring = Ring::new(level.bytes, random);
    // Once around, so that what fits is where it belongs; what does not fit gains nothing by it.
    if level.name != "memory" {
        let around = ring.lines().next_multiple_of(16);
        kernels.chase(&mut ring, around);
    }
    let trial = ticks(clock, || kernels.chase(&mut ring, TRIAL));
    let wanted = (LEAST_QUANTA * clock.facts().quantum) as f64;
    let loads = TRIAL * ((wanted / trial).ceil() as u64).clamp(1, 64);
    let samples = rounds(clock, seconds, |_| time(clock, || kernels.chase(&mut ring, loads)));
    Costs::of(clock, &samples, loads)
}

fn size(bytes: u64) -> String {
    raywalk_reports::wording::bytes(bytes)
}

/// A store and the load of what it stored, within `seconds`.
pub fn forward<C: Clock>(clock: &C, kernels: Option<&mut AnyKernels>, seconds: f64) -> Trial {
    const TIMES: u64 = 1 << 14;
    let known = Known {
        instrument: "store to load",
        kernel: "a chain of store, load of the same word, and addition",
        // One cycle, that of the addition, where the core renames memory: seen on Zen 5, whatever
        // registers name the word. Beyond 20 the word did not come from the store's buffer.
        expected: Band::between(0.9, 20.0),
        otherwise: "Stored words do not reach the loads behind them, or the core's clock is not \
                    what it was taken for.",
    };
    let Some(kernels) = kernels else { return known.missing(WITHOUT) };
    let samples = rounds(clock, seconds, |_| time(clock, || kernels.forward(TIMES)));
    known.judge(Costs::of(clock, &samples, TIMES).found("step"))
}

/// How a move is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// [`MoveList::push`].
    Push,
    /// [`MoveList::push_if`], every second move kept at random.
    PushIf,
}

/// Moves that are written before the list is cleared.
const MOVES: usize = 192;
/// Lists of a sample.
const LISTS: u64 = 200;

/// Both ways to write a move, within `seconds`. `write` fills so many lists of [`MOVES`] moves.
pub fn writes<C: Clock>(clock: &C, mut write: impl FnMut(Write, u64), seconds: f64) -> Vec<Trial> {
    let mut judged = |way, instrument, kernel| {
        let known = Known {
            instrument,
            kernel,
            // A store per cycle is the least; ten cycles would be a branch in every fourth move.
            expected: Band::between(0.2, 10.0),
            otherwise: "Moves are not written at a rate that is possible one by one, or they take \
                        longer to write than to find; either way the number tells nothing.",
        };
        let samples = rounds(clock, seconds / 2.0, |_| time(clock, || write(way, LISTS)));
        known.judge(Costs::of(clock, &samples, LISTS * MOVES as u64).found("move"))
    };
    vec![
        judged(Write::Push, "list write", "moves pushed one after the other"),
        judged(Write::PushIf, "list write, conditional", "moves stored always, half of them kept"),
    ]
}

/// Moves to write, and the list that they go to.
pub struct Writer {
    moves: [Move; MOVES],
    list: MoveList,
}

impl Writer {
    /// Random words for moves: what they mean is nothing to the list.
    pub fn new(random: &mut SplitMix) -> Writer {
        let moves = std::array::from_fn(|_| Move::from_bits(random.word() as u16));
        Writer { moves, list: MoveList::new() }
    }

    /// Fills the list so many times.
    #[inline(never)]
    pub fn fill(&mut self, way: Write, times: u64) {
        for _ in 0..times {
            self.list.clear();
            match way {
                Write::Push => {
                    self.moves.iter().for_each(|mv| self.list.push(opaque(mv.bits())));
                }
                Write::PushIf => self.moves.iter().for_each(|mv| {
                    let mv = opaque(mv.bits());
                    self.list.push_if(mv, mv.bits() & 1 == 1);
                }),
            }
            black_box(&self.list);
        }
    }
}

/// A move of which the compiler knows nothing, still in its register: else it copies all moves at
/// once with vectors, 19 to a cycle.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn opaque(mut bits: u16) -> Move {
    // SAFETY: the block has no instruction.
    unsafe {
        core::arch::asm!(
            "/* {bits:x} */",
            bits = inout(reg) bits,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    Move::from_bits(bits)
}

/// A move of which the compiler knows nothing; it goes through the stack.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn opaque(bits: u16) -> Move {
    Move::from_bits(black_box(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_reports::schema::Grade;

    fn cache(name: &str, bytes: u64) -> Cache {
        Cache { name: name.to_owned(), bytes, ways: 8, line: 64 }
    }

    fn caches() -> [Cache; 4] {
        [cache("L1d", 48 << 10), cache("L1i", 32 << 10), cache("L2", 1 << 20), cache("L3", 8 << 20)]
    }

    fn found(kernels: &mut FakeKernels, clock: &impl Clock, deepest: usize) -> Vec<Trial> {
        loads(clock, Some(kernels), &caches(), deepest, &mut SplitMix(1), 0.0)
    }

    #[test]
    fn rings_fit_the_data_caches_and_the_last_one_fits_nowhere() {
        let levels = levels(&caches());
        let sizes: Vec<_> =
            levels.iter().map(|level| (level.name.as_str(), level.bytes >> 10)).collect();
        assert_eq!(sizes, [("L1d", 24), ("L2", 96), ("L3", 2 << 10), ("memory", 32 << 10)]);
        assert!(super::levels(&[]).is_empty());
    }

    #[test]
    fn each_level_is_found_at_its_cost() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        kernels.loads[2].0 = 8 << 20;
        let trials = found(&mut kernels, &clock, 4);
        let cycles: Vec<_> = trials.iter().map(|trial| trial.found[0].value.round()).collect();
        assert_eq!(cycles, [4.0, 14.0, 50.0, 300.0]);
        assert!(trials.iter().all(|trial| trial.grade == Grade::Usable), "{trials:?}");
        assert_eq!(trials[1].found[1].unit, "ns/load");
        assert_eq!(found(&mut kernels, &clock, 2).len(), 2);
    }

    #[test]
    fn a_level_that_is_no_slower_than_the_one_before_fails() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        kernels.loads = vec![(u64::MAX, 5.0)];
        let grades: Vec<_> =
            found(&mut kernels, &clock, 2).into_iter().map(|trial| trial.grade).collect();
        assert_eq!(grades, [Grade::Usable, Grade::NotUsable]);
    }

    #[test]
    fn a_level_that_answers_like_the_one_behind_it_fails() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        // The third level is promised and not there.
        kernels.loads = vec![(48 << 10, 4.0), (1 << 20, 14.0), (u64::MAX, 300.0)];
        let trials = found(&mut kernels, &clock, 3);
        assert!(trials[2].failed() && trials[2].found[0].value == 300.0, "{:?}", trials[2]);
    }

    #[test]
    fn caches_that_nobody_describes_are_said_to_be_so() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        let trials = loads(&clock, Some(&mut kernels), &[], 4, &mut SplitMix(1), 0.0);
        assert!(trials.len() == 1 && !trials[0].failed() && trials[0].why.contains("caches"));
    }

    #[test]
    fn a_store_and_its_load_are_found_with_the_addition_between() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        let trial = forward(&clock, Some(&mut kernels), 0.0);
        assert_eq!((trial.grade, trial.found[0].value), (Grade::Usable, 6.0));
        kernels.forward = 40.0;
        assert!(forward(&clock, Some(&mut kernels), 0.0).failed());
    }

    #[test]
    fn the_cost_of_a_written_move_is_told_for_each_way() {
        let (clock, kernels) = FakeKernels::with_clock();
        let now = kernels.now();
        let write = |way, lists| {
            let ticks = if way == Write::Push { 1 } else { 2 };
            now.set(now.get() + ticks * lists * MOVES as u64);
        };
        let trials = writes(&clock, write, 0.0);
        let values: Vec<_> = trials.iter().map(|trial| trial.found[0].value).collect();
        assert_eq!(values, [2.0, 4.0]);
    }

    #[test]
    fn a_writer_writes_what_it_says() {
        let mut writer = Writer::new(&mut SplitMix(1));
        writer.fill(Write::Push, 2);
        assert_eq!(writer.list.as_slice(), writer.moves);
        writer.fill(Write::PushIf, 2);
        let odd = |mv: &&Move| mv.bits() & 1 == 1;
        assert!(writer.list.as_slice().iter().eq(writer.moves.iter().filter(odd)));
    }
}
