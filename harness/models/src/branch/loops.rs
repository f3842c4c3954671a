//! A loop predictor: counts the iterations of loops that always make the same number.
//!
//! In a loop of 400 iterations a history of 640 outcomes cannot distinguish the exit from earlier iterations: all of
//! its outcomes but one are equal, and the hashes of such a history repeat every 132 outcomes. Other branches inside
//! the loop make it longer than any history. Counting the iterations is enough. An entry holds the iterations of the
//! last pass through the loop and of the present one; after seven equal passes it predicts.
//!
//! # Source
//! The loop predictor of A. Seznec, *TAGE-SC-L branch predictors*, 4th and 5th Championship Branch
//! Prediction (2014 and 2016), in sets of four ways.

use super::counter::ShiftRegister;

const SETS: usize = 16;
const WAYS: usize = 4;
const TAG_BITS: u32 = 14;
const ITERATION_BITS: u32 = 14;
const CONFIDENCE_BITS: u32 = 3;
const AGE_BITS: u32 = 4;
/// Equal rounds after which an entry predicts.
const SURE: u8 = (1 << CONFIDENCE_BITS) - 1;
/// Attempts that it takes to replace a new entry. Each prediction that was better than the others adds one.
const START_AGE: u8 = 7;
/// Loops of fewer iterations are left to the histories, which learn them faster.
const FEWEST_ITERATIONS: u16 = 3;
/// Width of the counter that shows whether predictions of loops are better than the others.
const TRUST_BITS: u32 = 7;

#[derive(Clone, Copy, Default)]
struct Slot {
    tag: u16,
    /// Iterations of the last round, its exit included; 0 if not known.
    iterations: u16,
    /// Iterations of this round so far.
    current: u16,
    confidence: u8,
    age: u8,
    /// Outcome of every iteration except the exit.
    stays: bool,
}

pub(super) struct Loops {
    entries: [[Slot; WAYS]; SETS],
    /// Predictions of loops are used from 0 on.
    trust: i8,
    random: ShiftRegister,
}

/// The entry of a branch and what it predicts.
#[derive(Clone, Copy)]
pub(super) struct Lookup {
    set: usize,
    tag: u16,
    way: Option<usize>,
    /// The prediction of an entry that is sure, whether used or not.
    sure: Option<bool>,
}

impl Loops {
    pub(super) fn new() -> Loops {
        let entries = [[Slot::default(); WAYS]; SETS];
        // Just below 0: the first prediction that is better than the others makes them count.
        Loops { entries, trust: -1, random: ShiftRegister::new() }
    }

    pub(super) const fn entries() -> usize {
        SETS * WAYS
    }

    pub(super) fn bits(&self) -> u64 {
        let entry = TAG_BITS + 2 * ITERATION_BITS + CONFIDENCE_BITS + AGE_BITS + 1;
        let entries = self.entries.as_flattened().len() as u64;
        entries * u64::from(entry) + u64::from(TRUST_BITS) + ShiftRegister::BITS
    }

    pub(super) fn look_up(&self, address: u64) -> Lookup {
        let set = (address ^ (address >> 4)) as usize % SETS;
        let tag = ((address >> 2) & ((1 << TAG_BITS) - 1)) as u16;
        let way = self.entries[set].iter().position(|entry| entry.age > 0 && entry.tag == tag);
        let sure = way.map(|way| self.entries[set][way]).filter(|entry| entry.confidence == SURE);
        let sure = sure.map(|entry| entry.stays == (entry.current + 1 != entry.iterations));
        Lookup { set, tag, way, sure }
    }

    /// The prediction, if there is one and such predictions were right of late.
    pub(super) fn prediction(&self, lookup: Lookup) -> Option<bool> {
        lookup.sure.filter(|_| self.trust >= 0)
    }

    /// Learns an outcome. `otherwise` is the prediction without the loop predictor.
    pub(super) fn learn(&mut self, lookup: Lookup, otherwise: bool, taken: bool) {
        if let Some(sure) = lookup.sure
            && sure != otherwise
        {
            super::counter::train_signed::<TRUST_BITS>(&mut self.trust, sure == taken);
        }
        match lookup.way {
            Some(way) => {
                let useful = lookup.sure.is_some_and(|sure| sure == taken && sure != otherwise);
                let wrong = lookup.sure.is_some_and(|sure| sure != taken);
                self.entries[lookup.set][way].iteration(taken, useful, wrong);
            }
            // The exit of a new loop is mispredicted. Only one misprediction in four allocates an entry, so that
            // other branches do not replace the entries of loops too fast.
            None if otherwise != taken && self.random.word() & 3 == 0 => {
                let way = self.random.word() as usize % WAYS;
                let entry = &mut self.entries[lookup.set][way];
                entry.age = entry.age.saturating_sub(1);
                if entry.age == 0 {
                    let fresh = Slot { tag: lookup.tag, age: START_AGE, ..Slot::default() };
                    *entry = Slot { stays: !taken, ..fresh };
                }
            }
            None => {}
        }
    }
}

impl Slot {
    /// Counts an iteration. `useful`: the entry was right where the others were wrong; `wrong`: it was sure
    /// and wrong.
    fn iteration(&mut self, taken: bool, useful: bool, wrong: bool) {
        if wrong {
            *self = Slot::default(); // not a loop of constant length after all
            return;
        }
        if useful {
            self.age = (self.age + 1).min((1 << AGE_BITS) - 1);
        }
        self.current += 1;
        if self.current == (1 << ITERATION_BITS) - 1 {
            *self = Slot::default(); // too long to be counted
        } else if taken != self.stays {
            if self.current == self.iterations {
                self.confidence = (self.confidence + 1).min(SURE);
            } else {
                (self.iterations, self.confidence) = (self.current, 0);
            }
            self.current = 0;
            if self.iterations < FEWEST_ITERATIONS {
                *self = Slot::default();
            }
        } else if self.iterations > 0 && self.current >= self.iterations {
            (self.iterations, self.confidence) = (0, 0); // longer than the last round
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replays rounds of a loop. `otherwise` always stays, as a predictor without loops would. Returns
    /// the wrong predictions of each round, unused ones included.
    fn replay(loops: &mut Loops, rounds: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut round = |iterations| {
            let mut wrong = 0;
            for iteration in 1..=iterations {
                let (lookup, taken) = (loops.look_up(0x77), iteration != iterations);
                wrong += u32::from(lookup.sure.unwrap_or(true) != taken);
                loops.learn(lookup, true, taken);
            }
            wrong
        };
        rounds.into_iter().map(&mut round).collect()
    }

    #[test]
    fn a_long_loop_is_predicted_after_some_rounds_and_for_ever() {
        for iterations in [3, 30, 400, 5000] {
            let mut loops = Loops::new();
            let wrong = replay(&mut loops, [iterations; 100]);
            // Chance decides when the loop is noticed: one in four exits that are missed.
            let learnt =
                wrong.iter().position(|&wrong| wrong == 0).expect("a round without a miss");
            assert!((9..60).contains(&learnt), "loop of {iterations}: {learnt}");
            assert!(
                wrong[learnt..].iter().all(|&wrong| wrong == 0),
                "loop of {iterations}: {wrong:?}"
            );
            assert!(loops.trust >= 0, "its predictions are used");
        }
    }

    #[test]
    fn a_loop_that_changes_its_length_stops_being_predicted() {
        let mut loops = Loops::new();
        replay(&mut loops, [30; 60]);
        let wrong = replay(&mut loops, [20, 31, 17, 40, 22, 19]);
        assert!(wrong.iter().all(|&wrong| (1..=2).contains(&wrong)), "{wrong:?}");
        assert!(loops.look_up(0x77).sure.is_none());
    }

    #[test]
    fn storage_is_64_entries_of_50_bits_and_two_registers() {
        assert_eq!(Loops::new().bits(), 64 * 50 + 7 + 32);
    }
}
