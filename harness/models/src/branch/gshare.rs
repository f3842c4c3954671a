//! gshare: counters indexed by the exclusive or of address and global history.
//!
//! # Source
//! S. McFarling, *Combining branch predictors*, Digital Western Research Laboratory TN-36, 1993.

use super::Predictor;
use super::counter::train_two_bits;
use crate::Description;

/// Bits of the index, and outcomes in the history.
const INDEX_BITS: u32 = 17;

/// All counters start here: not taken, weakly.
const START: u8 = 1;

pub(super) struct Gshare {
    counters: Vec<u8>,
    /// The newest outcome is the lowest bit.
    history: u64,
}

impl Gshare {
    pub(super) fn new() -> Gshare {
        Gshare { counters: vec![START; 1 << INDEX_BITS], history: 0 }
    }
}

impl Predictor for Gshare {
    type Lookup = usize;

    fn look_up(&self, address: u64) -> (bool, usize) {
        let index = (self.history ^ address) as usize % self.counters.len();
        (self.counters[index] >= 2, index)
    }

    fn learn(&mut self, _: u64, index: usize, taken: bool) {
        train_two_bits(&mut self.counters[index], taken);
        self.history = (self.history << 1) | u64::from(taken);
    }

    fn append_target(&mut self, target: u64) {
        // Where the compiler aligns targets, their lowest bits are constant.
        self.history = (self.history << 1) | ((target >> 2) & 1);
    }

    fn description(&self) -> Description {
        let entries = self.counters.len();
        let bits = 2 * entries as u64 + u64::from(INDEX_BITS);
        Description::new(format!("gshare {INDEX_BITS}"), bits)
            .with("entries", entries)
            .with("counter bits", 2)
            .with("history", format!("{INDEX_BITS} outcomes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::BranchModel;

    /// Two branches in turn, one always taken and one never. The history before one of them is 0101…,
    /// before the other 1010…, so the two indices are equal if the addresses differ in all 17 bits.
    fn late_misses(one: u64, other: u64) -> u64 {
        let mut gshare = Gshare::new();
        let mut step =
            || u64::from(gshare.misses(one, true)) + u64::from(gshare.misses(other, false));
        (0..100).for_each(|_| _ = step());
        (0..100).map(|_| step()).sum()
    }

    #[test]
    fn two_branches_that_share_an_entry_spoil_each_other() {
        let one = 0x1234;
        assert_eq!(late_misses(one, one ^ 0x1_FFFF), 200, "the counter goes 1, 2, 1, 2");
        assert_eq!(late_misses(one, one ^ 0x0_FFFF), 0, "one bit less, and they have two entries");
    }

    #[test]
    fn a_loop_is_learnt_up_to_the_length_of_the_history() {
        // Before the exit the last 17 outcomes are "taken". In a loop of 18 that is true nowhere else.
        // In a loop of 19 it is also true one iteration before: the shared counter goes 1, 2, 1, 2, and both
        // iterations miss. In a loop of 30 it is true 13 times, so the counter is high and the exit misses.
        for (iterations, expected) in [(8, 0), (18, 0), (19, 200), (30, 100)] {
            let mut gshare = Gshare::new();
            let mut round = || {
                (1..=iterations)
                    .map(|iteration| u64::from(gshare.misses(0x99, iteration != iterations)))
                    .sum::<u64>()
            };
            (0..100).for_each(|_| _ = round());
            assert_eq!((0..100).map(|_| round()).sum::<u64>(), expected, "loop of {iterations}");
        }
    }
}
