//! Whether a ratio changed in the course of a session: the second half of its rounds against the first.
//!
//! The halves are of different processes and roots, so each has an interval for its median that assumes no
//! distribution. Rounds of one turn are not independent, which makes a shift look more certain than it is: it is a
//! reason to look at the sequence, and no verdict uses it.

use raywalk_results::journal::PanelRounds;
use raywalk_results::statistics::{
    Confidence, Interval, TooFew, median, median_interval, quantile,
};

/// Times of a design in the rounds of a panel, in time order, as logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The median of all rounds.
    pub median: f64,
    /// Each round's value minus the median; absent if all its blocks are spoilt.
    pub departures: Vec<Option<f64>>,
    /// Half of the distance between the fifth and the ninety-fifth percentile.
    pub spread: f64,
    /// The median of the second half minus that of the first. `None` if there are too few rounds.
    pub shift: Option<Interval>,
}

impl Sequence {
    /// Of one logarithm per round; `None` if all are absent. `comparisons` shifts share 95 %.
    pub fn of(logs: &[Option<f64>], comparisons: usize) -> Option<Sequence> {
        let known: Vec<f64> = logs.iter().copied().flatten().collect();
        let median = median(&known)?;
        Some(Sequence {
            median,
            departures: logs.iter().map(|log| log.map(|log| log - median)).collect(),
            spread: (quantile(&known, 0.95)? - quantile(&known, 0.05)?) / 2.0,
            shift: shift(logs, comparisons).ok(),
        })
    }
}

/// ln of the ticks per position of a design in each round of a panel, to see how much the machine varied.
pub fn times(rounds: &PanelRounds, id: &str) -> Vec<Option<f64>> {
    let samples = rounds.samples(id);
    samples.map(|sample| Some((sample.ticks as f64 / sample.positions as f64).ln())).collect()
}

/// The median of the second half minus that of the first.
fn shift(logs: &[Option<f64>], comparisons: usize) -> Result<Interval, TooFew> {
    let (early, late) = logs.split_at(logs.len() / 2);
    // Two medians for each shift.
    let confidence = Confidence::NINETY_FIVE.shared_by(2 * comparisons);
    let half = |logs: &[Option<f64>]| {
        median_interval(&logs.iter().copied().flatten().collect::<Vec<_>>(), confidence)
    };
    let (early, late) = (half(early)?, half(late)?);
    Ok(Interval {
        low: late.low - early.high,
        middle: late.middle - early.middle,
        high: late.high - early.low,
    })
}

/// Whether a shift is one: its interval lies on one side of zero.
pub fn is_resolved(shift: Interval) -> bool {
    shift.low > 0.0 || shift.high < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that scatter by a tenth around a level, which rises by `step` after half of them.
    fn logs(count: usize, step: f64) -> Vec<Option<f64>> {
        let value = |n: usize| {
            let noise = ((n * 7) % 11) as f64 / 110.0 - 0.05;
            Some(noise + if n < count / 2 { 0.0 } else { step })
        };
        (0..count).map(value).collect()
    }

    #[test]
    fn a_sequence_departs_from_its_median_and_spreads_over_nine_tenths_of_its_rounds() {
        let logs: Vec<_> = (0..=100).map(|n| Some(f64::from(n) / 100.0)).chain([None]).collect();
        let found = Sequence::of(&logs, 1).expect("values");
        assert!((found.median - 0.5).abs() < 1e-12 && (found.spread - 0.45).abs() < 1e-12);
        assert_eq!((found.departures[50], found.departures[101]), (Some(0.0), None));
        assert!(found.shift.is_some_and(is_resolved), "the values rise");
        assert_eq!(Sequence::of(&[None, None], 1), None);
    }

    #[test]
    fn a_step_beyond_the_scatter_is_resolved_and_one_within_it_is_not() {
        for step in [0.3, -0.3] {
            let found = shift(&logs(44, step), 10).expect("enough rounds");
            assert!(is_resolved(found) && (found.middle - step).abs() < 0.02, "{found:?}");
            assert!(found.low < step && step < found.high);
        }
        assert!(!is_resolved(shift(&logs(44, 0.02), 10).expect("enough rounds")));
    }

    #[test]
    fn many_comparisons_take_many_rounds_and_a_spoilt_round_does_not_count() {
        assert!(shift(&logs(12, 0.3), 1).is_err());
        assert!(shift(&logs(44, 0.3), 1).is_ok());
        let mut spoilt = logs(44, 0.3);
        spoilt[..20].fill(None);
        assert!(shift(&spoilt, 1).is_err());
    }
}
