//! Predictors of indirect branches: jump tables and calls through pointers.
//!
//! [`LastTarget`] predicts the last target of the address. [`Ittage`] is TAGE for targets: four tagged tables for
//! histories of 8 to 240 bits. The history holds the outcomes of conditional branches and three bits of each
//! target, so that the jumps of a switch in a loop differ by what was executed before.
//!
//! # Sources
//! `LastTarget`: Valgrind user manual, section 5.8.2 (512 entries, lowest nine bits of the address).
//! `Ittage`: A. Seznec, *A 64-Kbytes ITTAGE indirect branch predictor*, 3rd Championship Branch Prediction
//! (2011); ours is smaller, has no useful counters, and replaces entries whose confidence is 0.

use super::TargetModel;
use super::history::{Folded, History};
use crate::Description;

/// Entries of the predictor of callgrind.
const LAST_ENTRIES: usize = 512;
/// A target is stored whole here, and as 32 bits relative to the image in [`Ittage`].
const LAST_TARGET_BITS: u64 = 64;

/// The last target of each address.
pub(super) struct LastTarget {
    targets: Vec<u64>,
}

impl LastTarget {
    pub(super) fn new() -> LastTarget {
        LastTarget { targets: vec![0; LAST_ENTRIES] }
    }
}

impl TargetModel for LastTarget {
    fn misses(&mut self, address: u64, target: u64) -> bool {
        let index = address as usize % self.targets.len();
        std::mem::replace(&mut self.targets[index], target) != target
    }

    fn append_outcome(&mut self, _: bool) {}

    fn description(&self) -> Description {
        let entries = self.targets.len();
        Description::new(format!("last target {entries}"), entries as u64 * LAST_TARGET_BITS)
            .with("entries", entries)
    }
}

const TABLES: usize = 4;
const INDEX_BITS: u32 = 11;
const ENTRIES: usize = 1 << INDEX_BITS;
const LENGTHS: [usize; TABLES] = [8, 24, 80, 240];
const TAG_BITS: u32 = 12;
const CONFIDENCE_BITS: u32 = 2;
const TARGET_BITS: u32 = 32;
const BASE_ENTRIES: usize = 1024;
/// Bits of each target that enter the history.
const HISTORY_PER_TARGET: u32 = 3;

#[derive(Clone, Copy, Default)]
struct Slot {
    /// 0 if empty: tags are stored with a bit above their twelve, which hardware would not need.
    tag: u16,
    confidence: u8,
    target: u32,
}

#[derive(Clone, Copy)]
struct Hashes {
    index: Folded,
    tag: Folded,
}

/// Tagged tables of targets.
pub(super) struct Ittage {
    /// The tables one behind the other.
    entries: Vec<Slot>,
    /// The last targets, by the lowest bits of the address and without tags.
    base: Vec<u32>,
    history: History,
    hashes: [Hashes; TABLES],
}

impl Ittage {
    pub(super) fn new() -> Ittage {
        let folded = |length| Hashes {
            index: Folded::new(length, INDEX_BITS),
            tag: Folded::new(length, TAG_BITS),
        };
        Ittage {
            entries: vec![Slot::default(); TABLES * ENTRIES],
            base: vec![0; BASE_ENTRIES],
            history: History::new(),
            hashes: LENGTHS.map(folded),
        }
    }

    fn bits(&self) -> u64 {
        let entry = u64::from(TAG_BITS + CONFIDENCE_BITS + TARGET_BITS);
        let base = self.base.len() as u64 * u64::from(TARGET_BITS);
        self.entries.len() as u64 * entry + base + LENGTHS[TABLES - 1] as u64
    }

    fn locate(&self, table: usize, address: u64) -> (usize, u16) {
        let hashes = &self.hashes[table];
        let index = address ^ (address >> (INDEX_BITS - table as u32)) ^ hashes.index.value();
        let tag = (address ^ (address >> 7) ^ (hashes.tag.value() << 1)) % (1 << TAG_BITS);
        (table * ENTRIES + index as usize % ENTRIES, tag as u16 | (1 << TAG_BITS))
    }
}

impl TargetModel for Ittage {
    fn misses(&mut self, address: u64, target: u64) -> bool {
        let target = target as u32;
        let places: [(usize, u16); TABLES] =
            std::array::from_fn(|table| self.locate(table, address));
        let matches = |table: &usize| self.entries[places[*table].0].tag == places[*table].1;
        let provider = (0..TABLES).rev().find(matches);
        let base = address as usize % BASE_ENTRIES;
        let predicted =
            provider.map_or(self.base[base], |table| self.entries[places[table].0].target);

        if let Some(table) = provider {
            let entry = &mut self.entries[places[table].0];
            if entry.target == target {
                entry.confidence = (entry.confidence + 1).min((1 << CONFIDENCE_BITS) - 1);
            } else if entry.confidence > 0 {
                entry.confidence -= 1;
            } else {
                entry.target = target;
            }
        }
        self.base[base] = target;
        if predicted != target {
            // Replaces the first entry with a longer history whose confidence is 0. Entries passed over lose one
            // step of confidence, so that they can be replaced later.
            for &(index, tag) in &places[provider.map_or(0, |table| table + 1)..] {
                let entry = &mut self.entries[index];
                if entry.confidence == 0 {
                    *entry = Slot { tag, confidence: 0, target };
                    break;
                }
                entry.confidence -= 1;
            }
        }
        // Higher bits are folded in, because the arms of a switch may differ in any of them.
        let folded = target ^ (target >> 3) ^ (target >> 6) ^ (target >> 9) ^ (target >> 12);
        (0..HISTORY_PER_TARGET).for_each(|bit| self.append_outcome((folded >> bit) & 1 == 1));
        predicted != target
    }

    fn append_outcome(&mut self, taken: bool) {
        self.history.push(taken);
        for (hashes, length) in self.hashes.iter_mut().zip(LENGTHS) {
            let leaves = self.history.bit(length);
            hashes.index.follow(u32::from(taken), leaves);
            hashes.tag.follow(u32::from(taken), leaves);
        }
    }

    fn description(&self) -> Description {
        Description::new(format!("ITTAGE {TABLES}×{ENTRIES}"), self.bits())
            .with("tables", TABLES)
            .with("entries", format!("{ENTRIES} each"))
            .with("history", format!("{} to {} bits", LENGTHS[0], LENGTHS[TABLES - 1]))
            .with("tag bits", TAG_BITS)
            .with("confidence bits", CONFIDENCE_BITS)
            .with("target bits", TARGET_BITS)
            .with("base", format!("{BASE_ENTRIES} targets"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::IndirectModel;
    use raywalk_core::random::SplitMix;

    /// Targets of a switch with eight arms.
    fn arm(n: usize) -> u64 {
        0x4000 + 12 * n as u64
    }

    /// Mispredictions in the second half of a sequence of targets of one branch.
    fn late_misses(model: IndirectModel, targets: &[u64]) -> usize {
        let mut model = model.build();
        let missed: Vec<bool> = targets.iter().map(|&target| model.misses(0x99, target)).collect();
        missed[targets.len() / 2..].iter().filter(|&&missed| missed).count()
    }

    #[test]
    fn a_constant_target_misses_once() {
        for kind in IndirectModel::ALL {
            let mut model = kind.build();
            let missed = (0..100).filter(|_| model.misses(0x99, arm(3))).count();
            assert_eq!(missed, 1, "{}", kind.id());
        }
    }

    #[test]
    fn a_cycle_of_targets_needs_a_history() {
        let cycle: Vec<u64> = (0..8000).map(|n| arm([0, 1, 0, 2, 3, 1, 1, 4][n % 8])).collect();
        // Of eight consecutive pairs one is equal (1, 1): the last target is right once in eight.
        assert_eq!(late_misses(IndirectModel::LastTarget, &cycle), 3500);
        assert_eq!(late_misses(IndirectModel::Ittage, &cycle), 0);
    }

    #[test]
    fn random_targets_cannot_be_learnt() {
        let mut random = SplitMix(5);
        let targets: Vec<u64> = (0..20_000).map(|_| arm(random.below(4))).collect();
        for kind in IndirectModel::ALL {
            let late = late_misses(kind, &targets);
            assert!((7200..7800).contains(&late), "three of four of 10,000: {} {late}", kind.id());
        }
    }

    #[test]
    fn a_conditional_branch_before_it_can_decide_the_target() {
        let mut random = SplitMix(6);
        let mut missed = [0; 2];
        let mut models =
            [IndirectModel::LastTarget, IndirectModel::Ittage].map(IndirectModel::build);
        for n in 0..10_000 {
            let coin = random.below(2);
            for (model, missed) in models.iter_mut().zip(&mut missed) {
                model.append_outcome(coin == 1);
                *missed += u32::from(model.misses(0x99, arm(coin)) && n >= 5000);
            }
        }
        assert!((2350..2650).contains(&missed[0]), "the last target is a coin: {missed:?}");
        assert!(missed[1] < 50, "the history holds the answer: {missed:?}");
    }

    #[test]
    fn a_wrong_target_is_kept_until_its_confidence_is_gone() {
        let mut model = Ittage::new();
        let (index, tag) = model.locate(TABLES - 1, 0x99);
        model.entries[index] = Slot { tag, confidence: 1, target: 5 };
        let mut again = || {
            let missed = model.misses(0x99, 8);
            // Back to the history that the entry belongs to.
            let entries = std::mem::take(&mut model.entries);
            model = Ittage { entries, ..Ittage::new() };
            (missed, model.entries[index].confidence, model.entries[index].target)
        };
        assert_eq!([again(), again(), again()], [(true, 0, 5), (true, 0, 8), (false, 1, 8)]);
    }

    #[test]
    fn addresses_512_apart_share_a_target_in_the_predictor_of_callgrind() {
        let misses = |other: u64| {
            let mut model = LastTarget::new();
            (0..100)
                .map(|_| {
                    u32::from(model.misses(7, arm(1))) + u32::from(model.misses(other, arm(2)))
                })
                .sum::<u32>()
        };
        assert_eq!((misses(8), misses(7 + 512)), (2, 200));
    }

    /// The second source is Valgrind 3.19. `callgrind --branch-sim=yes` on this program without libraries
    /// printed Bi 2000 and Bim 1762. The arms of both switches are single `nop`s:
    ///
    /// ```text
    ///          mov  eax, 12345           40101a:  jmp  [table + 8 rdx]     4 arms, from 401021
    ///          mov  ecx, 1000                     mov  edx, ecx
    /// 40100a:  imul eax, eax, 1103515245          and  edx, 1
    ///          add  eax, 12345           40102a:  jmp  [table2 + 8 rdx]    2 arms, from 401031
    ///          mov  edx, eax                      dec  ecx
    ///          shr  edx, 30                       jnz  40100a
    /// ```
    #[test]
    fn misses_of_the_last_target_equal_those_of_valgrind_on_a_small_program() {
        let mut model = LastTarget::new();
        let (mut word, mut misses): (u32, u32) = (12_345, 0);
        for count in (1..=1000).rev() {
            word = word.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            misses += u32::from(model.misses(0x40_101a, 0x40_1021 + u64::from(word >> 30)));
            misses += u32::from(model.misses(0x40_102a, 0x40_1031 + count % 2));
        }
        assert_eq!(misses, 1762);
    }

    #[test]
    fn storage_is_counted_from_the_tables() {
        assert_eq!(LastTarget::new().description().bits, 512 * 64);
        let expected = 4 * 2048 * (12 + 2 + 32) + 1024 * 32 + 240;
        assert_eq!(Ittage::new().description().bits, expected);
    }
}
