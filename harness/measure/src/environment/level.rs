//! The reference level of a rate: the best at which readings have settled.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// A reading is slow if the same work would take longer than at the best level by this factor. The clock
/// rate of an undisturbed core varies over a range of 7 % (1.62 to 1.73 cycles per tick were seen within
/// five seconds), and the slow state costs 90 %. The margin is twice the former and a sixth of the
/// latter.
const SLOWER: f64 = 1.15;

/// Successive readings at the ends of rounds that must reach a level before it has settled: two rounds. The level is
/// the *least* of them, so that a single reading that is too good (a clock that was read late, a turbo burst of
/// microseconds) does not make all later readings slow.
///
/// Rejected alternatives: the upper quartile of recent readings, because a slow state that lasts longer
/// would become the reference within seconds; and the greatest reading of all, because a single wrong one
/// would mark the rest of the session.
const SETTLED: usize = 4;

/// Seconds after which a level that was not reached again is forgotten: longer than the slow phases that were seen, and
/// shorter than a full plan. A machine that has become slower permanently (turbo budget used up, power plan changed) is
/// marked for this time only. Processes pass levels on, because each may be shorter than this.
const MEMORY: f64 = 600.0;

/// A settled level that another process passes on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// The level, in the unit of its readings.
    pub rate: f64,
    /// Seconds since it was last reached. Clocks of two processes may count from different moments.
    pub seconds_ago: f64,
}

/// The greatest settled level within [`MEMORY`]: a sliding-window maximum, in amortised constant time.
#[derive(Debug, Default)]
pub(super) struct Level {
    recent: VecDeque<f64>,
    /// Levels with the time when each was last reached, in descending order: the first is the best.
    settled: VecDeque<(f64, f64)>,
}

impl Level {
    /// Adds a reading and returns whether it is slow. An absent reading is never slow, and no reading is
    /// before a level has settled.
    pub(crate) fn is_slow(&mut self, now: f64, reading: Option<f64>) -> bool {
        let Some(reading) = usable(reading) else { return false };
        self.recent.push_back(reading);
        if self.recent.len() > SETTLED {
            self.recent.pop_front();
        }
        if self.recent.len() == SETTLED {
            let least = self.recent.iter().copied().fold(f64::INFINITY, f64::min);
            self.remember(now, least);
        }
        // The last level stays however old it is: without one, nothing would be slow.
        while self.settled.len() > 1 && self.settled[0].0 < now - MEMORY {
            self.settled.pop_front();
        }
        self.is_below(Some(reading))
    }

    /// Whether a reading is slow, without learning from it.
    pub(crate) fn is_below(&self, reading: Option<f64>) -> bool {
        usable(reading).zip(self.best()).is_some_and(|(reading, best)| reading * SLOWER < best)
    }

    /// Adds a level that was last reached at time `when`, later than those before it.
    fn remember(&mut self, when: f64, level: f64) {
        // An older level that is not higher can never become the best again.
        while self.settled.back().is_some_and(|&(_, lower)| lower <= level) {
            self.settled.pop_back();
        }
        self.settled.push_back((when, level));
    }

    /// Adds the levels of an earlier process to none, as old as they are.
    pub(crate) fn inherit(&mut self, now: f64, levels: &[Reached]) {
        for &Reached { rate, seconds_ago } in levels {
            self.remember(now - seconds_ago, rate);
        }
    }

    /// The remembered levels, the best first.
    pub(crate) fn reached(&self, now: f64) -> Vec<Reached> {
        let reached = |&(when, rate): &(f64, f64)| Reached { rate, seconds_ago: now - when };
        self.settled.iter().map(reached).collect()
    }

    /// The best remembered level; `None` before the first has settled.
    fn best(&self) -> Option<f64> {
        self.settled.front().map(|&(_, level)| level)
    }
}

/// A reading that is a rate.
fn usable(reading: Option<f64>) -> Option<f64> {
    reading.filter(|reading| reading.is_finite() && *reading > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reading_that_is_too_good_does_not_mark_the_rest() {
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
        // The first level is the least of the first four readings; four higher ones replace it.
        for reading in [3.0; 4] {
            level.is_slow(0.0, Some(reading));
        }
        assert_eq!(level.best(), Some(3.0));
        assert!(level.is_slow(0.0, Some(1.0)));
    }

    #[test]
    fn a_reading_is_slow_if_work_takes_fifteen_per_cent_longer() {
        let mut level = Level::default();
        level.remember(0.0, 2.3);
        assert!(!level.is_slow(0.0, Some(2.01)));
        assert!(level.is_slow(0.0, Some(1.99)));
    }

    #[test]
    fn a_level_not_reached_for_ten_minutes_is_forgotten() {
        let mut level = Level::default();
        for second in 0..4 {
            assert!(!level.is_slow(f64::from(second), Some(4.0)));
        }
        // Permanently slower: marked until the last good reading is ten minutes old.
        let until = (4..2_000).take_while(|&second| level.is_slow(f64::from(second), Some(3.0)));
        assert_eq!(until.last(), Some(603));
        assert_eq!(level.best(), Some(3.0));
    }

    /// Processes of 100 s, whose clocks begin at 0, with a reading every second until `until`. Returns the seconds that
    /// were slow.
    fn slow_over_processes(until: u32, rate: impl Fn(u32) -> f64) -> Vec<u32> {
        let mut slow = Vec::new();
        let mut passed_on = Vec::new();
        for begin in (0..until).step_by(100) {
            let mut level = Level::default();
            level.inherit(0.0, &passed_on);
            let second = |second| level.is_slow(f64::from(second), Some(rate(begin + second)));
            let found: Vec<bool> = (0..100).map(second).collect();
            slow.extend((begin..).zip(found).filter(|(_, slow)| *slow).map(|(second, _)| second));
            passed_on = level.reached(100.0);
        }
        slow
    }

    #[test]
    fn processes_together_forget_a_level_after_ten_minutes() {
        // As in one process of this length, and not for ever.
        let slow = slow_over_processes(2_000, |second| if second < 4 { 4.0 } else { 3.0 });
        assert!(slow.into_iter().eq(4..604));
    }

    #[test]
    fn a_process_that_forgets_the_best_level_still_knows_the_later_ones() {
        // The best level is reached at the start only. The machine is slow from the beginning of a process on.
        let rate = |second| match second {
            0..4 => 4.1,
            4..500 => 4.0,
            _ => 3.0,
        };
        let slow = slow_over_processes(1_300, rate);
        assert!(slow.into_iter().eq(500..1_100), "ten minutes from the last good reading");
    }

    #[test]
    fn the_best_level_equals_that_of_a_search_over_all_levels() {
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
