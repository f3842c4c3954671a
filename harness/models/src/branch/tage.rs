//! TAGE: tagged tables whose history lengths form a geometric series.
//!
//! Twelve tables are indexed by a hash of address and history, for histories of 4 to 640 outcomes. Each entry has a
//! tag, a counter of three bits that predicts, and a counter of two bits for the usefulness of the entry. The table
//! with the longest history whose tag matches is the *provider*. The next longest, or a base table without tags, is
//! the *alternate*. On a misprediction, entries for longer histories are allocated. So a branch that needs no history
//! stays in the base table, and one that needs 100 outcomes moves up until it has them.
//!
//! # Frozen parameters
//! The size was chosen among seven on one Zen 5 processor, with a ray loop, and then kept for all other designs. With
//! 1,024 or 4,096 entries per table the model forgets repeated positions at a clearly smaller or larger K than that
//! processor. It describes that processor well and is not its real predictor; on other processors the fit has to show
//! whether it holds.
//!
//! # Departures from the published predictor
//! One address bit per branch stands for the path; an indirect branch adds two bits of its target to the
//! history. An empty entry has tag 0 and matches like any other. Useful counters are halved when 1,024 more
//! allocations have failed than succeeded, as in later versions, not periodically. A second success of one
//! misprediction is not counted, and the excess is at least 0.
//!
//! # Sources
//! A. Seznec and P. Michaud, *A case for (partially) tagged geometric history length branch prediction*,
//! Journal of Instruction-Level Parallelism 8 (2006); A. Seznec, *A new case for the TAGE branch
//! predictor*, MICRO 2011.

use super::Predictor;
use super::counter::{ShiftRegister, train_signed};
use super::history::{Folded, History};
use crate::Description;

pub(super) const TABLES: usize = 12;
const INDEX_BITS: u32 = 11;
const ENTRIES: usize = 1 << INDEX_BITS;
/// Outcomes in the history of each table: 4 · 160^(i ÷ 11), rounded.
const LENGTHS: [usize; TABLES] = [4, 6, 10, 16, 25, 40, 64, 101, 160, 254, 403, 640];
const TAG_BITS: [u32; TABLES] = [8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 12, 12];
const COUNTER_BITS: u32 = 3;
const USEFUL_BITS: u32 = 2;
const BASE_ENTRIES: usize = 1 << 13;
const BASE_BITS: u32 = 2;
/// Address bits of the last branches, which separate paths that have equal outcomes.
const PATH_BITS: u32 = 16;
/// Width of the counter that chooses between a fresh provider and the alternate.
const CHOOSER_BITS: u32 = 4;
/// Entries that one misprediction may allocate.
const ALLOCATIONS: u32 = 2;
/// Excess of failed over successful allocations at which all useful counters are halved.
const FAILURES: i32 = 1024;
const FAILURE_BITS: u32 = 10;

#[derive(Clone, Copy, Default)]
struct Slot {
    tag: u16,
    /// Predicts *taken* at 0 and above, *not taken* below.
    counter: i8,
    useful: u8,
}

/// The hashes of a table's history: one for the index, two for the tag.
#[derive(Clone, Copy)]
struct Hashes {
    index: Folded,
    tag: [Folded; 2],
}

/// The entry of a table that a branch with its history belongs to, and the tag that it would have.
#[derive(Clone, Copy)]
struct Place {
    /// Index in `entries`.
    index: usize,
    tag: u16,
}

pub(super) struct Tage {
    /// The tables one behind the other.
    entries: Vec<Slot>,
    /// Counters that predict *taken* from 0.
    base: Vec<i8>,
    history: History,
    hashes: [Hashes; TABLES],
    path: u64,
    /// From 0 on, the alternate predicts in place of a fresh provider.
    prefer_alternate: i8,
    failures: i32,
    random: ShiftRegister,
}

/// Entries that a prediction read from the tables.
pub(super) struct Lookup {
    places: [Place; TABLES],
    base: usize,
    provider: Option<usize>,
    alternate: Option<usize>,
    provider_taken: bool,
    alternate_taken: bool,
    /// The provider has not been useful yet, and its counter is at one of the two middle values.
    fresh: bool,
    pub(super) taken: bool,
}

/// Distance of the counter behind a prediction from its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confidence {
    Low,
    Medium,
    High,
}

impl Lookup {
    /// Number of the table that provided, counted from 1; 0 for the base table.
    pub(super) fn provider(&self) -> usize {
        self.provider.map_or(0, |table| table + 1)
    }
}

impl Tage {
    pub(super) fn new() -> Tage {
        let hashes = std::array::from_fn(|table| {
            let folded = |width| Folded::new(LENGTHS[table], width);
            let tag = TAG_BITS[table];
            Hashes { index: folded(INDEX_BITS), tag: [folded(tag), folded(tag - 1)] }
        });
        Tage {
            entries: vec![Slot::default(); TABLES * ENTRIES],
            base: vec![0; BASE_ENTRIES],
            history: History::new(),
            hashes,
            path: 0,
            prefer_alternate: 0,
            failures: 0,
            random: ShiftRegister::new(),
        }
    }

    /// Bits of tables, history and counters.
    pub(super) fn bits(&self) -> u64 {
        let entry = |table: usize| u64::from(TAG_BITS[table] + COUNTER_BITS + USEFUL_BITS);
        let per_table = (self.entries.len() / TABLES) as u64;
        let tagged: u64 = (0..TABLES).map(|table| per_table * entry(table)).sum();
        let base = self.base.len() as u64 * u64::from(BASE_BITS);
        let history = LENGTHS[TABLES - 1] as u64 + u64::from(PATH_BITS);
        tagged + base + history + u64::from(CHOOSER_BITS + FAILURE_BITS) + ShiftRegister::BITS
    }

    /// Confidence of a prediction, by its counter.
    pub(super) fn confidence(&self, lookup: &Lookup) -> Confidence {
        if lookup.taken != lookup.provider_taken {
            return Confidence::Low; // the alternate predicted in place of a fresh provider
        }
        // An odd number, so that −1 and 0, the weakest counters of both directions, are equally far.
        let distance = |counter: i8| (2 * i32::from(counter) + 1).abs();
        match lookup.provider {
            None if distance(self.base[lookup.base]) == 3 => Confidence::High,
            None => Confidence::Low,
            Some(table) => match distance(self.entries[lookup.places[table].index].counter) {
                7 => Confidence::High,
                3 | 5 => Confidence::Medium,
                _ => Confidence::Low,
            },
        }
    }

    #[inline(always)]
    fn push(&mut self, bit: bool) {
        self.history.push(bit);
        let enters = u32::from(bit);
        for (hashes, length) in self.hashes.iter_mut().zip(LENGTHS) {
            let leaves = self.history.bit(length);
            hashes.index.follow(enters, leaves);
            hashes.tag[0].follow(enters, leaves);
            hashes.tag[1].follow(enters, leaves);
        }
    }

    #[inline(always)]
    fn place(&self, table: usize, address: u64) -> Place {
        let hashes = &self.hashes[table];
        // A table sees the path of the branches of its history and of no older ones.
        let length = (LENGTHS[table] as u32).min(PATH_BITS);
        let path = self.path & ((1 << length) - 1);
        // A shift that differs between neighbouring tables keeps two branches that collide in one table
        // from colliding in the next.
        let shifted = address >> (INDEX_BITS - (table as u32 & 3));
        // The path has more bits than the index, so its upper bits are folded in.
        let index = address ^ shifted ^ hashes.index.value() ^ path ^ (path >> INDEX_BITS);
        // Two widths, because histories whose folds agree in one width seldom agree in the other.
        let tag = address ^ (address >> 9) ^ hashes.tag[0].value() ^ (hashes.tag[1].value() << 1);
        let tag = tag & ((1 << TAG_BITS[table]) - 1);
        Place { index: table * ENTRIES + index as usize % ENTRIES, tag: tag as u16 }
    }

    /// Trains the counters that had a part in the prediction.
    fn train(&mut self, lookup: &Lookup, taken: bool) {
        let Some(provider) = lookup.provider else {
            return train_signed::<BASE_BITS>(&mut self.base[lookup.base], taken);
        };
        let differ = lookup.provider_taken != lookup.alternate_taken;
        if lookup.fresh && differ {
            let alternate_right = lookup.alternate_taken == taken;
            train_signed::<CHOOSER_BITS>(&mut self.prefer_alternate, alternate_right);
        }
        let entry = &mut self.entries[lookup.places[provider].index];
        let unproved = entry.useful == 0;
        train_signed::<COUNTER_BITS>(&mut entry.counter, taken);
        if differ {
            let right = lookup.provider_taken == taken;
            let most = (1 << USEFUL_BITS) - 1;
            entry.useful =
                if right { (entry.useful + 1).min(most) } else { entry.useful.saturating_sub(1) };
        }
        // An entry that has not been useful may soon be replaced, so its alternate is trained as well.
        if unproved {
            match lookup.alternate {
                Some(table) => {
                    let counter = &mut self.entries[lookup.places[table].index].counter;
                    train_signed::<COUNTER_BITS>(counter, taken);
                }
                None => train_signed::<BASE_BITS>(&mut self.base[lookup.base], taken),
            }
        }
    }

    /// Allocates entries with longer histories than the provider's.
    fn allocate(&mut self, lookup: &Lookup, taken: bool) {
        let mut table = lookup.provider();
        if table == TABLES {
            return;
        }
        // Sometimes one table is skipped, so that branches that miss together do not all take the same.
        if table + 1 < TABLES && self.random.word() & 1 == 0 {
            table += 1;
        }
        let mut allocated = 0;
        while table < TABLES {
            let entry = &mut self.entries[lookup.places[table].index];
            if entry.useful > 0 {
                self.failures += 1;
                table += 1;
                continue;
            }
            // The weakest counter of each direction.
            let counter = if taken { 0 } else { -1 };
            *entry = Slot { tag: lookup.places[table].tag, counter, useful: 0 };
            allocated += 1;
            if allocated == ALLOCATIONS {
                break;
            }
            self.failures = (self.failures - 1).max(0);
            table += 2;
        }
        if self.failures >= FAILURES {
            self.entries.iter_mut().for_each(|entry| entry.useful >>= 1);
            self.failures = 0;
        }
    }
}

impl Predictor for Tage {
    type Lookup = Lookup;

    #[inline]
    fn look_up(&self, address: u64) -> (bool, Lookup) {
        let places: [Place; TABLES] = std::array::from_fn(|table| self.place(table, address));
        let entry = |table: usize| self.entries[places[table].index];
        let mut matching = (0..TABLES).rev().filter(|&table| entry(table).tag == places[table].tag);
        let (provider, alternate) = (matching.next(), matching.next());

        let base = address as usize % BASE_ENTRIES;
        let base_taken = self.base[base] >= 0;
        let alternate_taken = alternate.map_or(base_taken, |table| entry(table).counter >= 0);
        let provider_taken = provider.map_or(base_taken, |table| entry(table).counter >= 0);
        let fresh = provider.is_some_and(|table| {
            entry(table).useful == 0 && matches!(entry(table).counter, -1 | 0)
        });
        let taken =
            if fresh && self.prefer_alternate >= 0 { alternate_taken } else { provider_taken };
        let lookup = Lookup {
            places,
            base,
            provider,
            alternate,
            provider_taken,
            alternate_taken,
            fresh,
            taken,
        };
        (taken, lookup)
    }

    #[inline]
    fn learn(&mut self, address: u64, lookup: Lookup, taken: bool) {
        self.train(&lookup, taken);
        if lookup.taken != taken {
            self.allocate(&lookup, taken);
        }
        self.path = (self.path << 1) | (address & 1);
        self.push(taken);
    }

    fn append_target(&mut self, target: u64) {
        // Where the compiler aligns targets, their lowest bits are constant.
        let bits = target >> 2;
        self.path = (self.path << 1) | (bits & 1);
        self.push(bits & 1 == 1);
        self.push(bits & 2 == 2);
    }

    fn description(&self) -> Description {
        Description::new(format!("TAGE {TABLES}×{ENTRIES}"), self.bits())
            .with("tables", TABLES)
            .with("entries", format!("{ENTRIES} each"))
            .with("history", format!("{} to {} outcomes", LENGTHS[0], LENGTHS[TABLES - 1]))
            .with("tag bits", format!("{} to {}", TAG_BITS[0], TAG_BITS[TABLES - 1]))
            .with("counter bits", COUNTER_BITS)
            .with("useful bits", USEFUL_BITS)
            .with("base", format!("{BASE_ENTRIES} counters of {BASE_BITS} bits"))
            .with("path bits", PATH_BITS)
            .with("allocations", format!("up to {ALLOCATIONS} per misprediction"))
            .with("halving", format!("after {FAILURES} failed allocations"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::BranchModel;

    #[test]
    fn the_history_lengths_form_a_geometric_series() {
        let length = |i: usize| (4.0 * 160f64.powf(i as f64 / 11.0)).round() as usize;
        assert_eq!(LENGTHS, std::array::from_fn(length));
    }

    /// The second source is a count by hand: 2,048 × (124 tag bits + 12 × 5) + 8,192 × 2 = 48 KiB.
    #[test]
    fn the_tables_hold_48_kib_and_the_registers_little() {
        let registers = 640 + 16 + 4 + 10 + 32;
        assert_eq!(Tage::new().bits(), 48 * 8192 + registers);
    }

    #[test]
    fn a_branch_that_needs_no_history_stays_in_the_base_table() {
        let mut tage = Tage::new();
        let missed: u32 = (0..1000).map(|_| u32::from(tage.misses(0x4321, true))).sum();
        assert_eq!(missed, 0, "all counters start at `taken`");
        let allocated = tage.entries.iter().filter(|entry| entry.tag != 0).count();
        assert_eq!(allocated, 0);
    }

    #[test]
    fn useful_counters_are_halved_when_allocation_fails_too_often() {
        let mut tage = Tage::new();
        tage.entries.iter_mut().for_each(|entry| entry.useful = 3);
        let mut halved_after = None;
        for n in 0..1000 {
            // Each branch misses: the base predicts the opposite and no tag matches this one.
            let (_, mut lookup) = tage.look_up(n);
            (lookup.provider, lookup.taken) = (None, false);
            tage.allocate(&lookup, true);
            if halved_after.is_none() && tage.entries[0].useful == 1 {
                halved_after = Some(n);
            }
        }
        // Between 11 and 12 failures at a time: the 1,024th comes at the 86th to the 94th branch.
        assert!(halved_after.is_some_and(|n| (85..94).contains(&n)), "{halved_after:?}");
    }

    #[test]
    fn a_misprediction_allocates_two_entries_and_makes_up_for_a_failure() {
        let mut tage = Tage::new();
        tage.failures = 5;
        let (_, mut lookup) = tage.look_up(0x1234);
        (lookup.provider, lookup.taken) = (None, false);
        tage.allocate(&lookup, true);
        assert_eq!(tage.entries.iter().filter(|entry| entry.tag != 0).count(), 2);
        assert_eq!(tage.failures, 4, "the second success ends the search before it is counted");
    }

    #[test]
    fn a_correlation_beyond_the_longest_history_is_not_seen() {
        // The outcome of the first branch decides the last one, with `between` constant ones in the middle.
        let rate = |between: u64| {
            let mut tage = Tage::new();
            let mut random = raywalk_core::random::SplitMix(3);
            let mut late = 0;
            for round in 0..600 {
                let coin = random.below(2) == 1;
                tage.misses(0x100, coin);
                (0..between).for_each(|n| _ = tage.misses(0x1001 + 8 * (n % 4), true));
                late += u32::from(tage.misses(0x200, coin) && round >= 500);
            }
            late
        };
        assert!(rate(20) <= 3, "20 outcomes ago is within reach: {}", rate(20));
        assert!((30..=70).contains(&rate(700)), "700 outcomes ago is a coin: {}", rate(700));
    }
}
