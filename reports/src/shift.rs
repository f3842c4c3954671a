//! By how much one sample lies above another that was taken elsewhere: no pairs, no distribution.
//!
//! Two sessions share no round, so their rounds cannot be paired. All differences between a member
//! of one and a member of the other are put in order instead: their median estimates the shift
//! (Hodges and Lehmann), and as many are cut from each end as the Mann–Whitney statistic allows. On
//! logarithms a shift is a ratio. What is assumed is that both samples have the same shape; an
//! outlier moves nothing.
//!
//! The differences are n·m, but are never stored: a rank among them is found by halving the range
//! and counting, which takes n + m steps each time.

use crate::statistics::{Confidence, Interval, TooFew};

/// Above this many differences the cut comes from the normal law, whose tails are the longer ones.
const EXACT: usize = 2_500;

/// How far `to` lies above `from`, with an interval that holds it at the asked confidence or more.
///
/// Any order, one unit, no NaN. Both ends are differences that are there.
///
/// # Errors
/// [`TooFew`] if not even all differences are an interval; a NaN counts as a value that is not
/// there. At 95 % it takes four values on each side.
///
/// # Source
/// J. L. Hodges and E. L. Lehmann, Annals of Mathematical Statistics 34 (1963), 598–611; the
/// interval: E. L. Lehmann, ibid. 1507–1512.
pub fn shift_interval(
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

/// All differences between two sorted samples.
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

    /// How many differences are at most `limit`. Subtraction rounds, but never out of order, so
    /// the border moves one way only.
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

    /// The difference of this rank, from 0: the least number that has more than `rank` differences
    /// up to itself. Found bit by bit among all numbers, at most 64 times.
    fn ranked(&self, rank: usize) -> f64 {
        let (mut low, mut high) = (ordered(f64::MIN), ordered(f64::MAX));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.up_to(number(middle)) > rank { high = middle } else { low = middle + 1 }
        }
        number(low)
    }
}

/// A number's place among all numbers.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The number in this place.
fn number(place: u64) -> f64 {
    f64::from_bits(if place >> 63 == 1 { place & !(1 << 63) } else { !place })
}

/// How many differences may be cut from each end so that the rest still holds the shift; `None` if
/// not even all of them do.
fn mann_whitney_cut(n: usize, m: usize, confidence: Confidence) -> Option<usize> {
    let limit = confidence.miss() / 2.0;
    // The statistic is 0 in one of C(n + m, n) orders: the smallest tail there is.
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

/// The cut by the normal law with correction for continuity; ties make it a cautious one.
fn normal_cut(n: usize, m: usize, limit: f64) -> usize {
    let (n, m) = (n as f64, m as f64);
    let spread = (n * m * (n + m + 1.0) / 12.0).sqrt();
    (n * m / 2.0 - 0.5 + spread * normal_quantile(limit)).floor().max(0.0) as usize
}

/// The smallest size of two equal samples that have an interval.
fn least_samples(confidence: Confidence) -> usize {
    (1..).find(|&n| 2.0 * smallest_tail(n, n) <= confidence.miss()).unwrap_or(usize::MAX)
}

/// The value below which a normal variable lies with the chance `p`, to about seven digits.
///
/// # Source
/// M. J. Wichura, algorithm AS 241 (PPND7), Applied Statistics 37 (1988), 477–484.
fn normal_quantile(p: f64) -> f64 {
    /// Highest power first.
    fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
        coefficients.iter().fold(0.0, |sum, c| sum * x + c)
    }
    let centred = p - 0.5;
    if centred.abs() <= 0.425 {
        let r = 0.180_625 - centred * centred;
        let above = [59.109_374_72, 159.291_132_02, 50.434_271_938, 3.387_132_717_9];
        let below = [67.187_563_6, 78.757_757_664, 17.895_169_469, 1.0];
        return centred * polynomial(r, &above) / polynomial(r, &below);
    }
    let r = (-p.min(1.0 - p).ln()).sqrt();
    let value = if r <= 5.0 {
        let above = [0.170_238_211_03, 1.306_728_481_6, 2.756_815_39, 1.423_437_277_7];
        polynomial(r - 1.6, &above) / polynomial(r - 1.6, &[0.120_211_329_75, 0.737_001_642_5, 1.0])
    } else {
        let above = [0.017_337_203_997, 0.428_682_943_37, 3.081_226_386, 6.657_905_115];
        let below = [0.012_258_202_635, 0.241_978_942_25, 1.0];
        polynomial(r - 5.0, &above) / polynomial(r - 5.0, &below)
    };
    if centred < 0.0 { -value } else { value }
}

#[cfg(test)]
mod tests;
