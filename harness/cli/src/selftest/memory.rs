//! Measures loads from each level of memory, store-to-load forwarding, and writing moves to a list.
//!
//! The cost of a load is known within bounds only: a load from the first-level cache takes three to seven cycles
//! on every current core, and each level takes longer than the one before. Rings larger than the reach of the
//! TLB include its misses, as the loads of every program do.

use std::hint::black_box;

use raywalk_core::random::SplitMix;
use raywalk_core::{Cursor, Move, MoveList};
use raywalk_results::schema::{Cache, CacheName, ExpectedRange, Per, Trial};

use super::kernels::{AnyKernels, Kernels, Ring, WITHOUT};
use super::trial::{Costs, KnownAnswer, rounds, ticks, time};
use raywalk_measure::clock::Clock;

/// Least length of a sample in quanta of the clock.
const LEAST_QUANTA: u64 = 2_000;
/// Size of the largest ring in bytes.
const LARGEST: u64 = 512 << 20;

/// A level of memory and the ring that measures it.
#[derive(Clone, Debug, PartialEq)]
struct Level {
    /// The cache that the ring fits; absent for the memory.
    cache: Option<CacheName>,
    /// Bytes of the ring.
    bytes: u64,
    /// Upper bound of the latency in cycles.
    slowest: f64,
}

impl Level {
    fn name(&self) -> &'static str {
        self.cache.map_or("memory", CacheName::name)
    }
}

/// For each data cache a ring that fits it and not the previous one, and for the memory a ring of four
/// times the last cache. Empty if the system does not describe its caches.
///
/// The ring of a large cache is twice the size of the previous cache, not half of its own, because a
/// virtual machine shares the cache: on one with a nominal 32 MiB, rings of 12 MiB already had the
/// latency of memory.
fn levels(caches: &[Cache]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    // No bound for the first cache, and its double still fits.
    let mut before = u64::MAX / 4;
    for cache in caches.iter().filter(|cache| cache.name.holds_data()) {
        levels.push(Level {
            cache: Some(cache.name),
            bytes: (cache.bytes / 2).min(2 * before),
            slowest: if levels.len() < 2 { 40.0 } else { 200.0 },
        });
        before = cache.bytes;
    }
    if !levels.is_empty() {
        let bytes = before.saturating_mul(4);
        levels.push(Level { cache: None, bytes, slowest: 2_000.0 });
    }
    levels
}

/// The load latencies of the first `deepest` levels, within `seconds`.
pub(crate) fn loads<C: Clock>(
    clock: &C,
    mut kernels: Option<&mut AnyKernels>,
    caches: &[Cache],
    deepest: usize,
    random: &mut SplitMix,
    seconds: f64,
) -> Vec<Trial> {
    let levels = levels(caches);
    if levels.is_empty() {
        let known = KnownAnswer {
            instrument: "load latency",
            kernel: "dependent loads around a random ring",
            expected: ExpectedRange::default(),
            if_wrong: "",
        };
        return vec![known.missing("The system does not describe its caches.")];
    }
    let mut trials: Vec<Trial> = Vec::new();
    let each = seconds / levels.len().min(deepest) as f64;
    for level in levels.iter().take(deepest) {
        // Every level must be clearly slower than the previous one; the first has absolute bounds.
        let before = trials.iter().rev().find_map(|trial| Some(trial.found.first()?.value));
        let expected = match before {
            None => ExpectedRange::between(3.0, 7.0),
            Some(before) => ExpectedRange::between(1.3 * before, level.slowest),
        };
        let known = KnownAnswer {
            instrument: &format!("load latency, {}", level.name()),
            kernel: &format!("dependent loads around a random ring of {}", size(level.bytes)),
            expected,
            if_wrong: "The latency of this level is wrong: it is smaller or slower than the system \
                        reports, or shared with a busy neighbour.",
        };
        trials.push(match kernels.as_deref_mut() {
            None => known.missing(WITHOUT),
            Some(_) if level.bytes > LARGEST => {
                known.missing("The ring would need more than 512 MiB of memory.")
            }
            Some(kernels) => {
                known.judge(chase(clock, kernels, level, random, each).found(Per::Load))
            }
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
    // One pass loads the ring into its cache. The ring of the memory fits no cache.
    if level.cache.is_some() {
        // Rounded up, because the kernel makes multiples of sixteen loads.
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
    raywalk_judge::format::bytes(bytes)
}

/// The latency of a store and the load of the stored word, within `seconds`.
pub(crate) fn forward<C: Clock>(
    clock: &C,
    kernels: Option<&mut AnyKernels>,
    seconds: f64,
) -> Trial {
    const TIMES: u64 = 1 << 14;
    let known = KnownAnswer {
        instrument: "store to load",
        kernel: "a chain of store, load of the same word, and addition",
        // One cycle, for the addition alone, if the core renames memory: seen on Zen 5 with any
        // address registers. Above 20 cycles the word was not forwarded from the store buffer.
        expected: ExpectedRange::between(0.9, 20.0),
        if_wrong: "Stores are not forwarded to loads, or the derived cycles are wrong.",
    };
    let Some(kernels) = kernels else { return known.missing(WITHOUT) };
    let samples = rounds(clock, seconds, |_| time(clock, || kernels.forward(TIMES)));
    known.judge(Costs::of(clock, &samples, TIMES).found(Per::Step))
}

/// The cost of a move that is stored with others in the widest vector, within `seconds`.
pub(crate) fn vectors<C: Clock>(
    clock: &C,
    kernels: Option<&mut AnyKernels>,
    seconds: f64,
) -> Trial {
    const STORES: u64 = 1 << 14;
    let known = KnownAnswer {
        instrument: "list write, vectors",
        kernel: "whole vectors of moves stored one behind the other",
        // Between four stores of 32 moves in a cycle, and two cycles for a store of eight moves.
        expected: ExpectedRange::between(1.0 / 128.0, 0.25),
        if_wrong: "The rate is not possible for stores of vectors, so the limit of list writing is meaningless.",
    };
    let Some(kernels) = kernels else { return known.missing(WITHOUT) };
    let samples = rounds(clock, seconds, |_| time(clock, || kernels.store_vectors(STORES)));
    let moves = STORES * kernels.moves_in_vector();
    known.judge(Costs::of(clock, &samples, moves).found(Per::MoveInVector))
}

/// The two ways to write a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// [`MoveList::push`].
    Push,
    /// [`MoveList::push_if`], which keeps a random half of the moves.
    PushIf,
}

/// Moves per list.
const MOVES: usize = 192;
/// Lists per sample.
const LISTS: u64 = 200;

/// The costs of both ways to write a move, within `seconds`. `write` fills a number of lists with
/// [`MOVES`] moves each.
pub(crate) fn writes<C: Clock>(
    clock: &C,
    mut write: impl FnMut(Write, u64),
    seconds: f64,
) -> Vec<Trial> {
    let mut judged = |way, instrument, kernel| {
        let known = KnownAnswer {
            instrument,
            kernel,
            // A core stores a few words per cycle at most; ten cycles per move would be a misprediction
            // in every fourth move.
            expected: ExpectedRange::between(0.2, 10.0),
            if_wrong: "The rate is not possible for moves written one by one, or writing a move \
                        takes longer than finding it, so the number is meaningless.",
        };
        let samples = rounds(clock, seconds / 2.0, |_| time(clock, || write(way, LISTS)));
        known.judge(Costs::of(clock, &samples, LISTS * MOVES as u64).found(Per::Move))
    };
    vec![
        judged(Write::Push, "list write", "moves pushed one after the other"),
        judged(Write::PushIf, "list write, conditional", "moves always stored, half of them kept"),
    ]
}

/// Random moves and the list that they are written to.
pub(crate) struct Writer {
    moves: [Move; MOVES],
    list: MoveList,
}

impl Writer {
    /// Draws random words as moves; the list does not interpret them.
    pub(crate) fn new(random: &mut SplitMix) -> Writer {
        let moves = std::array::from_fn(|_| Move::from_bits(random.word() as u16));
        Writer { moves, list: MoveList::new() }
    }

    /// Fills the list `times` times.
    #[inline(never)]
    pub(crate) fn fill(&mut self, way: Write, times: u64) {
        for _ in 0..times {
            match way {
                Write::Push => self.append(|cursor, mv| cursor.push(mv)),
                Write::PushIf => {
                    self.append(|cursor, mv| cursor.push_if(mv, mv.bits() & 1 == 1));
                }
            }
            black_box(&self.list);
        }
    }

    /// Fills the list once. An iteration of the loop has several stores and the length is in a register, as in
    /// generators, so that neither the end of the loop nor the length bounds the rate.
    #[inline(always)]
    fn append(&mut self, one: impl Fn(&mut Cursor<'_>, Move)) {
        self.list.clear();
        let mut cursor = self.list.cursor();
        let (iterations, []) = self.moves.as_chunks::<8>() else {
            unreachable!("the number of moves is a multiple of eight")
        };
        for iteration in iterations {
            iteration.iter().for_each(|mv| one(&mut cursor, opaque(mv.bits())));
        }
    }
}

/// Hides a move from the optimiser without moving it out of its register. Otherwise the compiler copies
/// the moves with vector instructions, 19 per cycle.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn opaque(mut bits: u16) -> Move {
    // SAFETY: the block contains no instruction.
    unsafe {
        core::arch::asm!(
            "/* {bits:x} */",
            bits = inout(reg) bits,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    Move::from_bits(bits)
}

/// Hides a move from the optimiser; the move passes through the stack.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn opaque(bits: u16) -> Move {
    Move::from_bits(black_box(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_results::schema::Grade;

    fn cache(name: CacheName, bytes: u64) -> Cache {
        Cache { name, bytes, ways: 8, line: 64 }
    }

    fn caches() -> [Cache; 4] {
        use CacheName::{L1Data, L1Instructions, L2, L3};
        [(L1Data, 48 << 10), (L1Instructions, 32 << 10), (L2, 1 << 20), (L3, 8 << 20)]
            .map(|(name, bytes)| cache(name, bytes))
    }

    fn found(kernels: &mut FakeKernels, clock: &impl Clock, deepest: usize) -> Vec<Trial> {
        loads(clock, Some(kernels), &caches(), deepest, &mut SplitMix(1), 0.0)
    }

    #[test]
    fn rings_fit_their_data_caches_and_the_last_one_fits_none() {
        let levels = levels(&caches());
        let sizes: Vec<_> = levels.iter().map(|level| (level.name(), level.bytes >> 10)).collect();
        assert_eq!(sizes, [("L1d", 24), ("L2", 96), ("L3", 2 << 10), ("memory", 32 << 10)]);
        assert!(super::levels(&[]).is_empty());
    }

    #[test]
    fn each_level_has_its_latency() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        kernels.loads[2].0 = 8 << 20;
        let trials = found(&mut kernels, &clock, 4);
        let cycles: Vec<_> = trials.iter().map(|trial| trial.found[0].value.round()).collect();
        assert_eq!(cycles, [4.0, 14.0, 50.0, 300.0]);
        assert!(trials.iter().all(|trial| trial.grade == Grade::Usable), "{trials:?}");
        assert_eq!(trials[1].found[1].unit.to_string(), "ns/load");
        assert_eq!(found(&mut kernels, &clock, 2).len(), 2);
    }

    #[test]
    fn a_level_as_fast_as_the_previous_one_fails() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        kernels.loads = vec![(u64::MAX, 5.0)];
        let grades: Vec<_> =
            found(&mut kernels, &clock, 2).into_iter().map(|trial| trial.grade).collect();
        assert_eq!(grades, [Grade::Usable, Grade::NotUsable]);
    }

    #[test]
    fn a_level_as_slow_as_memory_fails() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        // The system reports a third level that does not exist.
        kernels.loads = vec![(48 << 10, 4.0), (1 << 20, 14.0), (u64::MAX, 300.0)];
        let trials = found(&mut kernels, &clock, 3);
        assert!(trials[2].failed() && trials[2].found[0].value == 300.0, "{:?}", trials[2]);
    }

    #[test]
    fn missing_cache_descriptions_are_reported_as_the_reason() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        let trials = loads(&clock, Some(&mut kernels), &[], 4, &mut SplitMix(1), 0.0);
        assert!(trials.len() == 1 && !trials[0].failed() && trials[0].why.contains("caches"));
    }

    #[test]
    fn store_to_load_latency_includes_the_addition() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        let trial = forward(&clock, Some(&mut kernels), 0.0);
        assert_eq!((trial.grade, trial.found[0].value), (Grade::Usable, 6.0));
        kernels.forward = 40.0;
        assert!(forward(&clock, Some(&mut kernels), 0.0).failed());
    }

    #[test]
    fn a_move_in_a_vector_costs_its_share_of_the_store() {
        let (clock, mut kernels) = FakeKernels::with_clock();
        let trial = vectors(&clock, Some(&mut kernels), 0.0);
        assert_eq!((trial.grade, trial.found[0].value), (Grade::Usable, 2.0 / 16.0));
        assert_eq!(trial.found[0].unit.to_string(), "cycles/move in a vector");
        kernels.store = 8.0;
        assert!(vectors(&clock, Some(&mut kernels), 0.0).failed());
    }

    #[test]
    fn each_way_to_write_a_move_has_its_cost() {
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
    fn a_writer_pushes_every_move_and_keeps_the_odd_ones() {
        let mut writer = Writer::new(&mut SplitMix(1));
        writer.fill(Write::Push, 2);
        assert_eq!(writer.list.as_slice(), writer.moves);
        writer.fill(Write::PushIf, 2);
        let odd = |mv: &&Move| mv.bits() & 1 == 1;
        assert!(writer.list.as_slice().iter().eq(writer.moves.iter().filter(odd)));
    }
}
