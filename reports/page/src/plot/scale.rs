//! Axes: ranges with room at both ends, and ticks at round numbers.

use std::ops::Range;

use raywalk_judge::format::grouped;
use raywalk_results::statistics::Interval;

/// The smallest range that holds the values, widened at both ends by the fraction `room` of its
/// logarithmic length. `None` without a positive value; a single value gets a range too.
pub(crate) fn log_range(values: impl IntoIterator<Item = f64>, room: f64) -> Option<Range<f64>> {
    let mut range: Option<(f64, f64)> = None;
    for value in values.into_iter().filter(|value| value.is_finite() && *value > 0.0) {
        let (low, high) = range.unwrap_or((value, value));
        range = Some((low.min(value), high.max(value)));
    }
    let (low, high) = range?;
    let room = ((high / low).ln() * room).max(0.03);
    Some((low.ln() - room).exp()..(high.ln() + room).exp())
}

/// How far from a ratio the ends of its interval are drawn at most: an axis that reached further would leave no room
/// for the other ratios.
const FARTHEST: f64 = 10.0;

/// The ends of the interval of a ratio as they are drawn; the ratio itself without an interval.
pub(crate) fn drawn_ends(ratio: f64, interval: Option<Interval>) -> [f64; 2] {
    interval.map_or([ratio; 2], |it| [it.low.max(ratio / FARTHEST), it.high.min(ratio * FARTHEST)])
}

/// Three to `most` ticks for a logarithmic axis: powers of ten, or 1-2-5, or finer, or even steps if
/// the range is narrow.
pub(crate) fn log_ticks(range: &Range<f64>, most: usize) -> Vec<f64> {
    const GRIDS: [&[f64]; 4] =
        [&[1.0], &[1.0, 3.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0]];
    let decades = range.start.log10().floor() as i32..=range.end.log10().ceil() as i32;
    let ticks = |grid: &[f64]| -> Vec<f64> {
        decades
            .clone()
            .flat_map(|decade| grid.iter().map(move |step| step * 10f64.powi(decade)))
            .filter(|tick| range.contains(tick))
            .collect()
    };
    let found: Vec<Vec<f64>> = GRIDS.iter().map(|grid| ticks(grid)).collect();
    let fits = |found: &&Vec<f64>| (3..=most).contains(&found.len());
    found.iter().rev().find(fits).cloned().unwrap_or_else(|| even_ticks(range, most))
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten, at most `most` of them.
pub(crate) fn even_ticks(range: &Range<f64>, most: usize) -> Vec<f64> {
    let rough = (range.end - range.start) / most.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return vec![range.start];
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    // The tolerance keeps a tick on the edge despite rounding.
    let first = (range.start / step - 1e-9).ceil() as i64;
    let last = (range.end / step + 1e-9).floor() as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

/// A tick without needless digits: 0.5, 1, 20, 5,000.
pub(crate) fn tick(value: f64) -> String {
    if value >= 1000.0 {
        return grouped(value.round() as u64);
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A share on an axis: −2 %, 0.5 %.
pub(crate) fn share_of(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{} %", if text == "-0" { "0" } else { text }.replace('-', "−"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[f64]) -> Vec<String> {
        ticks.iter().map(|&value| tick(value)).collect()
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        assert_eq!(texts(&log_ticks(&(0.4..12.0), 8)), ["0.5", "1", "2", "5", "10"]);
        assert_eq!(
            texts(&log_ticks(&(0.95..1.06), 8)),
            ["0.96", "0.98", "1", "1.02", "1.04", "1.06"]
        );
        assert_eq!(texts(&log_ticks(&(3.0..40_000.0), 5)), ["10", "100", "1,000", "10,000"]);
        assert_eq!(texts(&even_ticks(&(0.0..930.0), 5)), ["0", "200", "400", "600", "800"]);
    }

    #[test]
    fn a_range_holds_its_values_and_needs_one() {
        let range = log_range([2.0, 8.0], 0.1).expect("two values");
        assert!(range.start < 2.0 && range.end > 8.0);
        assert!(log_range([3.0], 0.1).is_some_and(|range| range.start < 3.0 && range.end > 3.0));
        assert_eq!(log_range([0.0, f64::NAN], 0.1), None);
    }
}
