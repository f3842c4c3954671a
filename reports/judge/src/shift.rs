//! The shift between two unpaired samples: the Hodges–Lehmann estimate with its interval.
//!
//! Two sessions have no round in common, so their rounds cannot be paired. Instead, all differences
//! between a member of one and a member of the other are ordered: their median estimates the shift,
//! and the Mann–Whitney statistic decides how many are cut from each end for the interval. On
//! logarithms a shift is a ratio. Both samples are assumed to have the same shape, but no particular
//! distribution; outliers have no weight.
//!
//! The n·m differences are never stored: a rank among them is found by bisecting the range and
//! counting, in n + m steps each time.

use raywalk_results::statistics::{Confidence, Interval, TooFew};
use statrs::distribution::{ContinuousCDF, Normal};

/// Above this many differences the cut comes from the normal approximation, whose tails are longer.
const EXACT: usize = 2_500;

/// The shift from `from` to `to`, with an interval that holds it at the given confidence or a higher
/// one. Both ends are differences between members.
///
/// # Errors
/// [`TooFew`] if not even all differences reach the confidence. NaNs are not counted. At 95 % it takes
/// four values on each side.
///
/// # Source
/// J. L. Hodges and E. L. Lehmann, Annals of Mathematical Statistics 34 (1963), 598–611; the
/// interval: E. L. Lehmann, ibid. 1507–1512.
pub(crate) fn shift_interval(
    from: &[f64],
    to: &[f64],
    confidence: Confidence,
) -> Result<Interval, TooFew> {
    let differences = Differences::new(from, to);
    let (n, m) = (differences.from.len(), differences.to.len());
    let too_few = || TooFew { found: n.min(m), needed: least_samples(confidence) };
    let cut = mann_whitney_cut(n, m, confidence).ok_or_else(too_few)?;
    let last = n * m - 1;
    let (below, above) = (differences.ranked(last / 2), differences.ranked(n * m / 2));
    Ok(Interval {
        low: differences.ranked(cut),
        middle: below + (above - below) / 2.0,
        high: differences.ranked(last - cut),
    })
}

struct Differences {
    from: Vec<f64>,
    to: Vec<f64>,
}

impl Differences {
    fn new(from: &[f64], to: &[f64]) -> Differences {
        let sorted = |values: &[f64]| {
            let mut values: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        Differences { from: sorted(from), to: sorted(to) }
    }

    /// Number of differences up to `limit`. Rounding keeps differences in order, so the border only
    /// moves up.
    fn up_to(&self, limit: f64) -> usize {
        let mut border = 0;
        let mut count = 0;
        for from in &self.from {
            while self.to.get(border).is_some_and(|to| to - from <= limit) {
                border += 1;
            }
            count += border;
        }
        count
    }

    /// The difference of this rank, from 0: the least number with more than `rank` differences up to
    /// it. Bisects the bit patterns of all numbers, in at most 64 steps.
    fn ranked(&self, rank: usize) -> f64 {
        let (mut low, mut high) = (ordered(f64::MIN), ordered(f64::MAX));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.up_to(number(middle)) > rank { high = middle } else { low = middle + 1 }
        }
        number(low)
    }
}

/// Maps a number to an integer of the same order.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The inverse of [`ordered`].
fn number(place: u64) -> f64 {
    f64::from_bits(if place >> 63 == 1 { place & !(1 << 63) } else { !place })
}

/// Number of differences that may be cut from each end; `None` if not even all of them reach the
/// confidence.
fn mann_whitney_cut(n: usize, m: usize, confidence: Confidence) -> Option<usize> {
    let limit = confidence.miss() / 2.0;
    // The statistic is 0 in one of C(n + m, n) orders, the smallest tail.
    if smallest_tail(n, m) > limit {
        return None;
    }
    if n * m > EXACT {
        return Some(normal_cut(n, m, limit));
    }
    let mut tail = 0.0;
    let mut cut = None;
    for (u, chance) in mann_whitney(n, m).into_iter().enumerate() {
        tail += chance;
        if tail > limit {
            break;
        }
        cut = Some(u);
    }
    cut
}

/// 1 ÷ C(n + m, n).
fn smallest_tail(n: usize, m: usize) -> f64 {
    (1..=n).map(|i| i as f64 / (m + i) as f64).product()
}

/// The lower half of the distribution of the Mann–Whitney statistic of samples of `n` and `m`.
///
/// # Source
/// H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18 (1947), 50–60: the largest
/// value comes from either sample, and with it the statistic grows by the size of the other or by
/// nothing.
fn mann_whitney(n: usize, m: usize) -> Vec<f64> {
    let size = n * m / 2 + 1;
    let certain = |size: usize| {
        let mut chances = vec![0.0; size];
        chances[0] = 1.0;
        chances
    };
    // Row i holds the distributions of i values against 0, 1, … m.
    let mut row = vec![certain(size); m + 1];
    for i in 1..=n {
        row[0] = certain(size);
        for j in 1..=m {
            let (before, rest) = row.split_at_mut(j);
            let (fewer, here) = (&before[j - 1], &mut rest[0]);
            let all = (i + j) as f64;
            for u in (0..size).rev() {
                let larger = if u >= j { here[u - j] } else { 0.0 };
                here[u] = (i as f64 * larger + j as f64 * fewer[u]) / all;
            }
        }
    }
    row.swap_remove(m)
}

/// The cut by the normal approximation with continuity correction. Ties make it conservative.
fn normal_cut(n: usize, m: usize, limit: f64) -> usize {
    let (n, m) = (n as f64, m as f64);
    let spread = (n * m * (n + m + 1.0) / 12.0).sqrt();
    (n * m / 2.0 - 0.5 + spread * Normal::standard().inverse_cdf(limit)).floor().max(0.0) as usize
}

/// The smallest size of two equal samples that have an interval.
fn least_samples(confidence: Confidence) -> usize {
    (1..).find(|&n| 2.0 * smallest_tail(n, n) <= confidence.miss()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
