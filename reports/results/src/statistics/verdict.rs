//! Verdicts on comparisons: which differences exceed the effects of noise and placement.

use std::fmt;

use super::{Interval, factor};

/// The floor of a comparison: the largest difference that two equal designs may show.
///
/// Its noise is the farther end of the A/A control's interval, so few rounds make a high floor. The
/// A/A control runs the same code and does not show effects of code placement. Where a comparison was
/// made at several placements, its spread over them [widens](Floor::widened) the floor.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Floor {
    noise: f64,
    spread: f64,
}

impl Floor {
    /// The floor shown by the log ratios of the A/A pair.
    pub fn of(against_itself: Interval) -> Floor {
        Floor { noise: against_itself.low.abs().max(against_itself.high.abs()), spread: 0.0 }
    }

    /// The same for a comparison that spreads by this log ratio over layouts or processes.
    #[must_use]
    pub fn widened(self, spread: f64) -> Floor {
        Floor { spread: self.spread.max(spread.abs()), ..self }
    }

    /// The floor of a mean of log ratios whose errors have one cause: the mean of the floors. 0 without floors.
    pub fn mean(floors: &[Floor]) -> Floor {
        let mean = |of: fn(Floor) -> f64| {
            floors.iter().copied().map(of).sum::<f64>() / floors.len().max(1) as f64
        };
        Floor { noise: mean(|floor| floor.noise), spread: mean(Floor::log) }
    }

    /// As a log ratio, not negative.
    pub fn log(self) -> f64 {
        self.noise.max(self.spread)
    }

    /// As a fraction: 0.01 is one per cent.
    pub fn fraction(self) -> f64 {
        self.log().exp_m1()
    }
}

/// The widest band in which two designs are still called equal: where noise is wider, nothing is
/// known of a difference that matters.
const WIDEST: f64 = 0.05;

/// The result of comparing a design with the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Faster by this factor, above 1: the whole interval lies beyond the floor.
    Faster(Interval),
    /// Slower by this factor, above 1.
    Slower(Interval),
    /// Both ends lie inside the band: equal within this share (0.01 is one per cent).
    Equal {
        /// Half-width of the band, as a fraction.
        within: f64,
    },
    /// Neither: more rounds or a quieter machine might decide.
    NotResolved,
}

impl Verdict {
    /// Judges an interval of log ratios. Equality comes first: a difference that is certain but lies wholly within the
    /// equality margin is of no interest. The band that makes two designs equal is never narrower than the noise. A
    /// comparison that spreads beyond the band is not equal either, because at another place it may be found outside.
    pub fn of(log_ratio: Interval, floor: Floor, margin: f64) -> Verdict {
        let band = margin.max(floor.noise.exp_m1());
        let edge = margin.ln_1p().max(floor.noise);
        let inside = log_ratio.low >= -edge && log_ratio.high <= edge && floor.spread <= edge;
        if band <= WIDEST && inside {
            Verdict::Equal { within: band }
        } else if log_ratio.high < -floor.log() {
            Verdict::Faster(log_ratio.inverse().exp())
        } else if log_ratio.low > floor.log() {
            Verdict::Slower(log_ratio.exp())
        } else {
            Verdict::NotResolved
        }
    }

    /// The narrowest band around 1 that the interval, the noise and the spread all lie in; `None` if two designs
    /// in it would not be called equal. It bounds the difference that was not resolved.
    pub fn band(log_ratio: Interval, floor: Floor) -> Option<f64> {
        let ends = log_ratio.low.abs().max(log_ratio.high.abs());
        Some(ends.max(floor.log()).exp_m1()).filter(|&band| band <= WIDEST)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Faster(by) => write!(f, "{} times faster", factor(by.middle)),
            Verdict::Slower(by) => write!(f, "{} times slower", factor(by.middle)),
            Verdict::Equal { within } => write!(f, "equal within {:.1} %", within * 100.0),
            Verdict::NotResolved => f.write_str("not resolved"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_below_the_floor_is_a_difference() {
        let interval = |low: f64, high: f64| Interval {
            low: low.ln(),
            middle: f64::midpoint(low, high).ln(),
            high: high.ln(),
        };
        let floor = Floor::of(interval(0.99, 1.005));
        assert!((floor.fraction() - (1.0 / 0.99 - 1.0)).abs() < 1e-12);
        let judge = |low, high| Verdict::of(interval(low, high), floor, 0.01).to_string();
        assert_eq!(judge(1.2, 1.3), "1.250 times slower");
        assert_eq!(judge(0.5, 0.5), "2.000 times faster");
        assert_eq!(judge(0.995, 1.009), "equal within 1.0 %");
        assert_eq!(judge(1.002, 1.3), "not resolved");
        assert_eq!(judge(0.9, 1.1), "not resolved");
        // Certain, but within the equality margin.
        assert_eq!(judge(1.004, 1.006), "equal within 1.0 %");
    }

    #[test]
    fn nothing_below_the_spread_is_a_difference_and_nothing_that_spreads_is_equal() {
        let noise = Floor::of(Interval { low: -0.002, middle: 0.0, high: 0.001 });
        let judge = |low: f64, high: f64, spread: f64| {
            let interval = Interval { low, middle: f64::midpoint(low, high), high };
            Verdict::of(interval, noise.widened(spread), 0.01)
        };
        assert!(matches!(judge(0.02, 0.03, 0.0), Verdict::Slower(_)));
        assert_eq!(judge(0.02, 0.03, 0.025), Verdict::NotResolved);
        assert!(matches!(judge(-0.001, 0.001, 0.005), Verdict::Equal { .. }));
        assert_eq!(judge(-0.001, 0.001, 0.03), Verdict::NotResolved);
        assert!((noise.widened(0.03).log() - 0.03).abs() < 1e-12 && noise.log() == 0.002);
    }

    #[test]
    fn a_band_holds_interval_noise_and_spread_and_is_absent_where_it_would_be_wide() {
        let noise = Floor::of(Interval { low: -0.002, middle: 0.0, high: 0.001 });
        let band = |low: f64, high: f64, spread: f64| {
            let interval = Interval { low, middle: f64::midpoint(low, high), high };
            Verdict::band(interval, noise.widened(spread))
        };
        assert_eq!(band(-0.03, 0.01, 0.0), Some(0.03f64.exp_m1()));
        assert_eq!(band(-0.01, 0.02, 0.0), Some(0.02f64.exp_m1()));
        assert_eq!(band(-0.001, 0.001, 0.0), Some(0.002f64.exp_m1()));
        assert_eq!(band(-0.001, 0.001, 0.04), Some(0.04f64.exp_m1()));
        assert_eq!(band(-0.001, 0.051, 0.0), None);
    }

    proptest! {
        #[test]
        fn exchanging_the_two_sides_exchanges_faster_and_slower(
            low in -2.0f64..2.0, width in 0.0f64..0.5, floor in 0.0f64..0.2, margin in 0.0f64..0.1,
        ) {
            let interval = Interval { low, middle: low + width / 2.0, high: low + width };
            let floor = Floor::of(Interval { low: -floor, middle: 0.0, high: floor });
            let there = Verdict::of(interval, floor, margin);
            let back = Verdict::of(interval.inverse(), floor, margin);
            let same = matches!(
                (there, back),
                (Verdict::Faster(_), Verdict::Slower(_))
                    | (Verdict::Slower(_), Verdict::Faster(_))
                    | (Verdict::Equal { .. }, Verdict::Equal { .. })
                    | (Verdict::NotResolved, Verdict::NotResolved)
            );
            prop_assert!(same, "{there:?} and {back:?}");
        }
    }
}
