//! Medians, exact intervals, and verdicts on comparisons.
//!
//! Timings are skewed, correlated and have several peaks, so no interval here assumes a distribution: medians have
//! exact ones that are cut by counting. Means, moments and quantiles serve the estimates of `raywalk_judge`.
//! Comparisons are made on paired log ratios, in which twice as fast and twice as slow are equally far from zero.

mod knee;
mod moments;
mod verdict;
pub use knee::{Crossing, RISES, crossing, knee};
pub use moments::{Moments, correlation};
pub use verdict::{Floor, Verdict};

/// The value below which the share `q` of the sample lies, by linear interpolation between members
/// (type 7 of Hyndman and Fan, The American Statistician 50 (1996), 361–365).
///
/// `None` if the sample is empty or holds a NaN. `q` is held between 0 and 1.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let sorted = sorted(values)?;
    let place = q.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    Some(sorted[below] + part * (sorted[above] - sorted[below]))
}

/// The middle member, or the middle between the two of an even sample.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    Some(values)
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The mean of the values that are at most `reach` outer quartiles away from the median; NaN of nothing.
///
/// The outer quartile is the larger of the absolute values of both, so the values may have any sign.
pub fn mean_within(reach: f64, mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else { return f64::NAN };
    let quarter = values.len() / 4;
    let [low, median, high] =
        [quarter, values.len() / 2, last - quarter].map(|place| values[place]);
    let most = reach * low.abs().max(high.abs());
    values.retain(|value| (value - median).abs() <= most);
    mean(&values)
}

/// ln(one ÷ other) of each pair. Both sides positive, in the same unit.
pub fn log_ratios(pairs: impl IntoIterator<Item = (f64, f64)>) -> Vec<f64> {
    pairs.into_iter().map(|(one, other)| (one / other).ln()).collect()
}

/// Error probability that the intervals of a family share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    miss: f64,
    comparisons: usize,
}

impl Confidence {
    /// 95 %, one comparison.
    pub const NINETY_FIVE: Confidence = Confidence { miss: 0.05, comparisons: 1 };

    /// The same confidence for `comparisons` intervals together: each may miss so much less often
    /// (Bonferroni). Among many designs one is the fastest by luck; this is the price.
    #[must_use]
    pub fn shared_by(self, comparisons: usize) -> Confidence {
        Confidence { comparisons: comparisons.max(1), ..self }
    }

    /// In how many intervals the confidence is shared.
    pub fn comparisons(self) -> usize {
        self.comparisons
    }

    /// Share of experiments in which a single interval may miss.
    pub fn miss(self) -> f64 {
        self.miss / self.comparisons as f64
    }
}

/// An interval that holds the median, and the median of the sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end: a member of the sample.
    pub low: f64,
    /// Median of the sample.
    pub middle: f64,
    /// Upper end: a member of the sample.
    pub high: f64,
}

impl Interval {
    /// The interval of a ratio, from that of its logarithm.
    #[must_use]
    pub fn exp(self) -> Interval {
        Interval { low: self.low.exp(), middle: self.middle.exp(), high: self.high.exp() }
    }

    /// The interval of the inverse ratio, for an interval of log ratios.
    #[must_use]
    pub(crate) fn inverse(self) -> Interval {
        Interval { low: -self.high, middle: -self.middle, high: -self.low }
    }
}

/// No interval: even the least and the greatest member do not reach the confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} rounds are too few for an interval, which takes {needed}")]
pub struct TooFew {
    /// Number of values in the sample, without NaN.
    pub found: usize,
    /// The least size at which the whole sample is an interval.
    pub needed: usize,
}

/// The median with an interval that holds it at the asked confidence or a higher one.
///
/// Any order, any unit, no NaN. Both ends are members of the sample, so no distribution is assumed
/// and an outlier moves nothing.
///
/// # Errors
/// [`TooFew`] below six values at 95 %, and below more if the confidence is shared. A NaN counts
/// as a value that is not there.
///
/// # Source
/// W. R. Thompson, Annals of Mathematical Statistics 7 (1936), 122–128.
pub fn median_interval(values: &[f64], confidence: Confidence) -> Result<Interval, TooFew> {
    let numbers: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let n = numbers.len();
    let too_few = || TooFew { found: n, needed: least_sample(confidence) };
    let cut = sign_test_cut(n, confidence).ok_or_else(too_few)?;
    let sorted = sorted(&numbers).ok_or_else(too_few)?;
    let middle = median(&sorted).ok_or_else(too_few)?;
    Ok(Interval { low: sorted[cut], middle, high: sorted[n - 1 - cut] })
}

/// Number of members to cut from each end of a sorted sample of `n` so that the rest still holds the median; `None`
/// if not even the whole sample does.
fn sign_test_cut(n: usize, confidence: Confidence) -> Option<usize> {
    let limit = (confidence.miss() / 2.0).ln();
    let mut cut = None;
    for (heads, tail) in tails(n).enumerate() {
        if tail > limit {
            break;
        }
        cut = Some(heads);
    }
    cut
}

/// The smallest sample that has an interval: 2 · 2⁻ⁿ must not exceed the chance to miss.
fn least_sample(confidence: Confidence) -> usize {
    (1.0 - confidence.miss().log2()).ceil() as usize
}

/// ln P(at most k heads in n throws) for k = 0, 1, … n. In logarithms, because 2⁻ⁿ leaves the range
/// of an `f64` at n = 1075.
fn tails(n: usize) -> impl Iterator<Item = f64> {
    let mut term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = f64::NEG_INFINITY;
    (0..=n).map(move |k| {
        // The larger one is a factor, so that the exponential lies between 0 and 1.
        let (great, small) = if term > tail { (term, tail) } else { (tail, term) };
        tail = great + (small - great).exp().ln_1p();
        term += ((n - k) as f64 / (k + 1) as f64).ln();
        tail
    })
}

/// A factor with as many digits as a reader can use: 1.234, 12.34, 123.4.
pub fn factor(value: f64) -> String {
    let digits = if value < 10.0 { 3 } else { usize::from(value < 100.0) + 1 };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn at(comparisons: usize) -> Confidence {
        Confidence::NINETY_FIVE.shared_by(comparisons)
    }

    /// The probability that the interval left by a cut of `cut` members at each end holds the median.
    fn coverage(n: usize, cut: usize) -> f64 {
        tails(n).nth(cut).map_or(0.0, |tail| (1.0 - 2.0 * tail.exp()).max(0.0))
    }

    /// The second source: Pascal's triangle in integers.
    fn counted_coverage(n: usize, cut: usize) -> f64 {
        let mut row = vec![1u128];
        for _ in 0..n {
            let next = row.windows(2).map(|pair| pair[0] + pair[1]);
            row = std::iter::once(1).chain(next).chain(std::iter::once(1)).collect();
        }
        let tail: u128 = row[..=cut].iter().sum();
        1.0 - 2.0 * tail as f64 / 2f64.powi(n as i32)
    }

    #[test]
    fn only_values_beyond_all_others_are_left_out_of_a_mean_within_a_reach() {
        let mut values = vec![1.0; 9];
        values.push(7.0);
        assert_eq!(mean_within(8.0, values.clone()), 1.6);
        values.extend([10.0, -1e9, 1e9]);
        assert_eq!(mean_within(8.0, values), 1.6);
        assert_eq!(mean_within(8.0, vec![-2.0, 0.0, 2.0]), 0.0);
        assert_eq!(mean_within(8.0, vec![5.0]), 5.0);
        assert!(mean_within(8.0, Vec::new()).is_nan());
    }

    #[test]
    fn the_cuts_are_those_of_the_printed_tables() {
        // Order numbers (from 1) and confidence of the sign-test interval at 95 % or more.
        for (n, low, high, percent) in [
            (6, 1, 6, 96.9),
            (8, 1, 8, 99.2),
            (9, 2, 8, 96.1),
            (10, 2, 9, 97.9),
            (15, 4, 12, 96.5),
            (20, 6, 15, 95.9),
            (25, 8, 18, 95.7),
        ] {
            let cut = sign_test_cut(n, at(1)).unwrap();
            assert_eq!((cut + 1, n - cut), (low, high), "n = {n}");
            assert!((100.0 * coverage(n, cut) - percent).abs() < 0.06, "n = {n}");
        }
    }

    #[test]
    fn the_coverage_equals_a_count_in_integers() {
        for n in 1..=100 {
            for cut in 0..n / 2 {
                let (computed, counted) = (coverage(n, cut), counted_coverage(n, cut));
                assert!((computed - counted).abs() < 1e-12, "n = {n}, cut = {cut}");
            }
        }
    }

    #[test]
    fn a_sample_beyond_the_range_of_powers_of_two_has_a_cut() {
        // Normal approximation: n/2 - 1.96 √n / 2 - 1/2, which is within one at this size.
        let cut = sign_test_cut(10_000, at(1)).unwrap();
        assert!((cut as f64 - (5000.0 - 98.0 - 1.5)).abs() <= 1.0, "{cut}");
    }

    #[test]
    fn five_values_have_no_interval_and_more_comparisons_take_more() {
        let few = median_interval(&[1.0; 5], at(1)).unwrap_err();
        assert_eq!(few, TooFew { found: 5, needed: 6 });
        assert!(median_interval(&[1.0; 6], at(1)).is_ok());
        // 2 · 2^-n ≤ 0.05 / 20 from n = 10 on.
        assert_eq!(median_interval(&[1.0; 9], at(20)).unwrap_err().needed, 10);
        assert!(median_interval(&[1.0; 10], at(20)).is_ok());
    }

    #[test]
    fn an_outlier_moves_nothing() {
        let quiet: Vec<f64> = (0..10).map(f64::from).collect();
        let mut loud = quiet.clone();
        loud[9] = 1e9;
        assert_eq!(median_interval(&quiet, at(1)), median_interval(&loud, at(1)));
        let interval = median_interval(&quiet, at(1)).unwrap();
        assert_eq!(interval, Interval { low: 1.0, middle: 4.5, high: 8.0 });
    }

    #[test]
    fn quantiles_interpolate_between_members() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn the_interval_is_made_of_members_and_holds_the_median(
            values in prop::collection::vec(-1e6f64..1e6, 6..200), comparisons in 1usize..20,
        ) {
            match median_interval(&values, at(comparisons)) {
                Ok(interval) => {
                    prop_assert!(interval.low <= interval.middle && interval.middle <= interval.high);
                    prop_assert!(values.contains(&interval.low) && values.contains(&interval.high));
                    let mut reversed = values.clone();
                    reversed.reverse();
                    prop_assert_eq!(median_interval(&reversed, at(comparisons)), Ok(interval));
                }
                Err(few) => prop_assert!(values.len() < few.needed),
            }
        }

        #[test]
        fn more_comparisons_never_narrow_an_interval(
            values in prop::collection::vec(-1e3f64..1e3, 40..80), comparisons in 1usize..1000,
        ) {
            let alone = median_interval(&values, at(1)).unwrap();
            let shared = median_interval(&values, at(comparisons)).unwrap();
            prop_assert!(shared.low <= alone.low && alone.high <= shared.high);
        }
    }
}
