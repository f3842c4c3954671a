//! TAGE with a statistical corrector and a loop predictor: the larger modern model.
//!
//! The three parts are those of the predictors that won the championships of 2014 and 2016. TAGE is the
//! same as the model of that name here, so the difference between the two models is the effect of the other
//! two parts. If the loop predictor has an entry that is sure, its prediction is used; otherwise that of TAGE
//! after correction.
//!
//! The model has the class of the published 64 KB predictor but is not a copy of it. The modules `corrector`
//! and `loops` list the differences.

use super::Predictor;
use super::corrector::{self, Corrector};
use super::loops::{self, Loops};
use super::tage::{self, Tage};
use crate::Description;

pub(super) struct TageScL {
    tage: Tage,
    corrector: Corrector,
    loops: Loops,
}

/// Lookups of the three parts.
pub(super) struct Lookup {
    tage: tage::Lookup,
    corrector: corrector::Lookup,
    loops: loops::Lookup,
}

impl TageScL {
    pub(super) fn new() -> TageScL {
        TageScL { tage: Tage::new(), corrector: Corrector::new(), loops: Loops::new() }
    }
}

impl Predictor for TageScL {
    type Lookup = Lookup;

    fn look_up(&self, address: u64) -> (bool, Lookup) {
        let (taken, tage) = self.tage.look_up(address);
        let confidence = self.tage.confidence(&tage);
        let corrector = self.corrector.look_up(address, taken, tage.provider(), confidence);
        let loops = self.loops.look_up(address);
        let predicted = self.loops.prediction(loops).unwrap_or(corrector.taken);
        (predicted, Lookup { tage, corrector, loops })
    }

    fn learn(&mut self, address: u64, lookup: Lookup, taken: bool) {
        self.loops.learn(lookup.loops, lookup.corrector.taken, taken);
        self.corrector.learn(&lookup.corrector, taken);
        self.tage.learn(address, lookup.tage, taken);
    }

    fn append_target(&mut self, target: u64) {
        Predictor::append_target(&mut self.tage, target);
        self.corrector.append((target >> 2) & 1 == 1);
    }

    fn description(&self) -> Description {
        let bits = self.tage.bits() + self.corrector.bits() + self.loops.bits();
        let mut description = Predictor::description(&self.tage);
        description.name = "TAGE-SC-L".to_owned();
        description.bits = bits;
        description
            .with("corrector", format!("{} tables", corrector::TABLES))
            .with("loops", format!("{} entries", Loops::entries()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::BranchModel;
    use raywalk_core::random::SplitMix;

    /// Mispredictions of TAGE and of TAGE-SC-L in the second half of a stream.
    fn both(stream: impl Fn(u64) -> (u64, bool), length: u64) -> [u64; 2] {
        fn late<P: Predictor + Send>(
            mut model: P,
            stream: impl Fn(u64) -> (u64, bool),
            length: u64,
        ) -> u64 {
            (0..length)
                .map(|n| {
                    let (address, taken) = stream(n);
                    u64::from(model.misses(address, taken) && n >= length / 2)
                })
                .sum()
        }
        [late(Tage::new(), &stream, length), late(TageScL::new(), &stream, length)]
    }

    #[test]
    fn the_loop_predictor_learns_a_loop_that_no_history_covers() {
        let [tage, larger] = both(|n| (0x40, n % 2000 != 1999), 200_000);
        assert_eq!((tage, larger), (50, 0), "one exit in 2,000 iterations of the second half");
    }

    #[test]
    fn the_corrector_comes_nearer_to_the_bound_for_a_biased_coin() {
        let coins: Vec<bool> = {
            let mut random = SplitMix(9);
            (0..200_000).map(|_| random.below(10) != 0).collect()
        };
        let [tage, larger] = both(|n| (0x40, coins[n as usize]), 200_000);
        assert!(larger < tage, "{larger} of TAGE-SC-L, {tage} of TAGE");
        assert!((9_700..10_600).contains(&larger), "the bound is 10 % of 100,000: {larger}");
    }

    #[test]
    fn storage_is_the_sum_of_the_three_parts() {
        let model = TageScL::new();
        let parts = [model.tage.bits(), model.corrector.bits(), model.loops.bits()];
        assert_eq!(Predictor::description(&model).bits, parts.iter().sum::<u64>());
    }
}
