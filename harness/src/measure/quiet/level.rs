//! The best level that a reading has settled at.

use std::collections::VecDeque;

use super::SLOWER;

/// A level has settled when so many successive readings reached it: two rounds. The *least* of
/// them counts, so that a single reading that is too good (a clock that was read late, a turbo
/// burst of microseconds) does not make everything after it slow.
///
/// Rejected: the upper quartile of recent readings, since a slow state that outlasts them would
/// become the norm within seconds; the greatest reading ever, since one wrong one would condemn
/// the rest of the session.
const SETTLED: usize = 4;

/// A level that was not reached again for so many seconds is forgotten: longer than the slow phases
/// that were seen, shorter than a full plan. A machine that has become slower for good (a turbo
/// budget used up, a power plan changed) is marked for as long and no longer.
const MEMORY: f64 = 600.0;

/// Greatest settled level within [`MEMORY`], in amortised constant time.
#[derive(Debug, Default)]
pub(super) struct Level {
    recent: VecDeque<f64>,
    /// When each level was last reached; later ones are lower, so the first is the best.
    settled: VecDeque<(f64, f64)>,
}

impl Level {
    /// Takes a reading in, and says whether it is slow. An absent one is not, and neither is any
    /// before a level has settled.
    pub fn is_slow(&mut self, now: f64, reading: Option<f64>) -> bool {
        let Some(reading) = reading.filter(|reading| reading.is_finite() && *reading > 0.0) else {
            return false;
        };
        self.recent.push_back(reading);
        if self.recent.len() > SETTLED {
            self.recent.pop_front();
        }
        if self.recent.len() == SETTLED {
            let least = self.recent.iter().copied().reduce(f64::min);
            self.remember(now, least);
        }
        while self.settled.len() > 1 && self.settled[0].0 < now - MEMORY {
            self.settled.pop_front();
        }
        self.best().is_some_and(|best| reading * SLOWER < best)
    }

    /// A level that has settled, here or in an earlier process.
    pub fn remember(&mut self, now: f64, level: Option<f64>) {
        let Some(level) = level.filter(|level| level.is_finite() && *level > 0.0) else { return };
        // What came before and is no better can never be the best again.
        while self.settled.back().is_some_and(|&(_, lower)| lower <= level) {
            self.settled.pop_back();
        }
        self.settled.push_back((now, level));
    }

    /// The best of those remembered.
    pub fn best(&self) -> Option<f64> {
        self.settled.front().map(|&(_, level)| level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reading_that_is_too_good_does_not_condemn_the_rest() {
        let mut level = Level::default();
        let readings = [2.0, 2.0, 2.0, 2.0, 9.0, 2.0, 2.0, 2.0, 2.0, 2.0];
        let slow = readings.map(|reading| level.is_slow(0.0, Some(reading)));
        assert_eq!((slow, level.best()), ([false; 10], Some(2.0)));
    }

    #[test]
    fn nothing_is_slow_before_a_level_has_settled() {
        let mut level = Level::default();
        assert!([3.0, 1.0, 3.0].into_iter().all(|reading| !level.is_slow(0.0, Some(reading))));
        assert_eq!(level.best(), None);
        assert!(!level.is_slow(0.0, None) && !level.is_slow(0.0, Some(f64::NAN)));
        // The least of the first four is the level, and one that a later four exceed.
        for reading in [3.0; 4] {
            level.is_slow(0.0, Some(reading));
        }
        assert_eq!(level.best(), Some(3.0));
        assert!(level.is_slow(0.0, Some(1.0)));
    }

    #[test]
    fn the_edge_of_slow_is_fifteen_per_cent_more_time() {
        let mut level = Level::default();
        level.remember(0.0, Some(2.3));
        assert!(!level.is_slow(0.0, Some(2.01)));
        assert!(level.is_slow(0.0, Some(1.99)));
    }

    #[test]
    fn a_level_not_reached_for_ten_minutes_is_forgotten() {
        let mut level = Level::default();
        for second in 0..4 {
            assert!(!level.is_slow(f64::from(second), Some(4.0)));
        }
        // Slower for good: marked until the last good reading is ten minutes old.
        let until = (4..2_000).take_while(|&second| level.is_slow(f64::from(second), Some(3.0)));
        assert_eq!(until.last(), Some(603));
        assert_eq!(level.best(), Some(3.0));
    }

    #[test]
    fn the_best_is_that_of_a_plain_search_over_all_levels() {
        use proptest::prelude::*;
        proptest!(|(levels in proptest::collection::vec((0.0..90.0f64, 1.0..5.0f64), 1..80))| {
            let mut level = Level::default();
            let (mut now, mut seen) = (0.0, Vec::new());
            let mut last = Vec::new();
            for (pause, reading) in levels {
                now += pause;
                level.is_slow(now, Some(reading));
                last.push(reading);
                if let Some(four) = last.last_chunk::<SETTLED>() {
                    seen.push((now, four.iter().copied().fold(f64::INFINITY, f64::min)));
                }
                let young = seen.iter().filter(|(when, _)| *when >= now - MEMORY);
                let best = young.map(|&(_, level)| level).reduce(f64::max);
                prop_assert_eq!(level.best(), best);
            }
        });
    }
}
