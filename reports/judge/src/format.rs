//! Numbers, lists and labels as text, the same in the terminal and on the page.
//!
//! The labels of stages, calls, regimes and other names are in the schema.

pub use raywalk_results::format::{grouped, plural};
use raywalk_results::schema::{Panel, Session};
use raywalk_results::statistics::{Interval, Verdict, factor};

use crate::no_interval::NoInterval;
use crate::spread::Spread;

/// Stands for a number that does not exist.
pub const NONE: &str = "–";

/// The first twelve digits of a commit.
pub fn short_commit(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// A cost with about three digits: 3.14, 31.4, 314.
pub fn cost(value: f64) -> String {
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$}")
}

/// A cost that may be negative.
pub fn signed(value: f64) -> String {
    if value < 0.0 { format!("−{}", cost(-value)) } else { cost(value) }
}

/// A number with the digits of `text`, but none beyond the first uncertain one: that of the first digit of
/// half the width of its interval, which is given as a fraction of the number.
pub fn certain(value: f64, half_width: Option<f64>, text: fn(f64) -> String) -> String {
    let shown = text(value);
    let Some(half) = half_width.map(|part| (part * value).abs()) else { return shown };
    if !(half.is_finite() && half > 0.0 && value != 0.0) {
        return shown;
    }
    // At least one digit of the value remains.
    let place = half.log10().floor().min(value.abs().log10().floor()) as i32;
    let digits = shown.split_once('.').map_or(0, |(_, digits)| digits.len());
    match usize::try_from(-place) {
        Ok(decimals) if decimals >= digits => shown,
        Ok(decimals) => format!("{value:.decimals$}"),
        Err(_) => {
            let unit = 10f64.powi(place);
            format!("{:.0}", (value / unit).round() * unit)
        }
    }
}

/// A count per unit, where small values matter: 0.0123, 0.123, 1.23, 12.3.
pub fn rate(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value < 0.9995 {
        // Below 0.9995, because from there on three decimals would read 1.000.
        let digits = if value < 0.0995 { 4 } else { 3 };
        format!("{value:.digits$}")
    } else {
        cost(value)
    }
}

/// Bytes in the unit that keeps them short: 512 B, 11.4 KiB, 1.00 MiB.
pub fn bytes(value: u64) -> String {
    const STEP: f64 = 1024.0;
    match value as f64 {
        small if small < STEP => format!("{value} B"),
        middle if middle < STEP * STEP => format!("{} KiB", short(middle / STEP)),
        large => format!("{} MiB", short(large / STEP / STEP)),
    }
}

fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { cost(value) }
}

/// An end this near to 1 has three decimals, so that a reader sees on which side it lies.
const NEAR: f64 = 0.1;

/// Both ends of an interval of ratios, to the first uncertain digit: `0.998 to 1.013`, `0.42 to 0.60`. With an end
/// near 1 there are three decimals: `0.987 to 1.061`. One that reaches further than a factor of ten says nothing.
pub fn interval(interval: Interval) -> String {
    let Interval { low, middle, high } = interval;
    if high > 10.0 * low {
        return "not determined".to_owned();
    }
    let half = half_width(interval) * middle;
    let text: fn(f64) -> String =
        if high < 10.0 { |end| format!("{end:.3}") } else { |end| format!("{end:.2}") };
    let is_near_one = [low, high].iter().any(|end| (end - 1.0).abs() < NEAR);
    let shortly = |end: f64| certain(end, Some(half / end), text);
    // An end that is rounded to 1 or beyond would hide on which side of 1 it lies. It is not near 1, so one decimal is
    // enough.
    let side = |end: f64| end.partial_cmp(&1.0);
    let stays = |end: f64| shortly(end).parse().is_ok_and(|shown| side(shown) == side(end));
    let [low, high] = match !is_near_one && stays(low) && stays(high) {
        true => [low, high].map(shortly),
        false if is_near_one => [low, high].map(text),
        false => [low, high].map(|end| format!("{end:.1}")),
    };
    format!("{low} to {high}")
}

/// The middle of an interval of ratios, to the first uncertain digit.
pub fn middle(interval: Interval) -> String {
    certain(interval.middle, Some(half_width(interval)), factor)
}

/// The least and the greatest middle of some intervals: `0.54 to 0.90`, or the only one. `None` without any.
pub(crate) fn range(intervals: impl Iterator<Item = Interval>) -> Option<String> {
    let mut all: Vec<Interval> = intervals.collect();
    all.sort_by(|one, other| one.middle.total_cmp(&other.middle));
    match all[..] {
        [] => None,
        [one] => Some(middle(one)),
        [least, .., most] => {
            let [least, most] = [least, most].map(middle);
            // The same number, of which one interval allows more digits.
            match least.parse::<f64>() == most.parse::<f64>() {
                true => Some(if least.len() < most.len() { least } else { most }),
                false => Some(format!("{least} to {most}")),
            }
        }
    }
}

/// A verdict, its factor to the first uncertain digit: `1.21 times faster`.
pub fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Faster(by) => format!("{} times faster", middle(*by)),
        Verdict::Slower(by) => format!("{} times slower", middle(*by)),
        Verdict::Equal { .. } | Verdict::NotResolved => verdict.to_string(),
    }
}

/// A ratio, to the first uncertain digit of its interval if it has one. The baseline's is exact.
pub fn ratio(value: f64, interval: Result<Interval, NoInterval>) -> String {
    interval.map_or_else(|_| factor(value), middle)
}

/// Half the width of an interval of ratios, as a fraction.
fn half_width(interval: Interval) -> f64 {
    ((interval.high / interval.low).ln() / 2.0).exp_m1()
}

/// A fraction in per cent: 0.1 %, 3 %.
pub fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    let digits = match value {
        0.0 => 0,
        small if small < 0.1 => 2,
        _ => usize::from(value < 10.0),
    };
    format!("{value:.digits$} %")
}

/// A change in per cent: +0.1 %, −3 %.
pub fn signed_percent(change: f64) -> String {
    format!("{}{}", if change < 0.0 { '−' } else { '+' }, percent(change.abs()))
}

/// The bound of a spread and its larger cause: `1.2 % processes`. [`NONE`] if it is not known.
pub fn spread(spread: &Spread) -> String {
    match spread.bound() {
        None => NONE.to_owned(),
        Some(bound) => format!("{} {}", percent(bound.fraction()), bound.over.label()),
    }
}

/// Part of a label that distinguishes a panel from the others of its workload: `captures only`, `all moves, cold
/// predictor`.
pub fn panel_variant(panel: &Panel) -> String {
    let call = panel.call.label();
    match panel.regime.is_perturbed() {
        true => format!("{call}, {}", panel.regime.label),
        false => call,
    }
}

/// The corpora that a workload has positions of, with their digests: `tree-ab4, digest 4d9f02052af01620`. `None` if the
/// journal does not name them.
pub fn corpora(session: &Session, workload: &str) -> Option<String> {
    let corpora = session.corpora_of(workload).into_iter();
    let corpora = corpora.map(|corpus| format!("{}, digest {}", corpus.name, corpus.digest));
    let corpora: Vec<String> = corpora.collect();
    (!corpora.is_empty()).then(|| corpora.join("; "))
}

/// A panel in one line: `WORKLOAD, all moves, a stream in search-tree order`.
pub fn panel(panel: &Panel) -> String {
    format!("{}, {}, {}", panel.workload, panel.call.label(), panel.regime.description)
}

/// Explains the mark of a design that [has memorised a panel's positions](crate::Judged::has_memorised).
const MEMORISED: &str = "So few positions repeat here that the branch predictor has memorised them \
    for the designs marked as memorised: by its own memorisation curve, such a design costs less here than \
    half way from its cost on one position to its cost on a cycle too long to learn. These numbers do not \
    carry over to other positions.";

/// Why no design of a replay is marked as memorised.
const NO_CURVE: &str = "This session has no memorisation curve that ends at a cycle too long to learn, \
    so it does not show which designs have memorised these positions.";

/// The sentence below a panel in which some designs have memorised the positions, or in which that is not known
/// (`None`).
pub fn memorised_note(panel: &Panel, known: &[Option<bool>]) -> Option<&'static str> {
    if known.contains(&Some(true)) {
        return Some(MEMORISED);
    }
    (panel.regime.period.is_some() && known.contains(&None)).then_some(NO_CURVE)
}

/// The part of its plan that a session made: `shard 2/3` or `3 merged shards`; `None` for the whole plan.
pub fn part(session: &Session) -> Option<String> {
    let shard = session.shard.map(|shard| format!("shard {shard}"));
    shard.or_else(|| session.merged.map(|count| plural(count as usize, "merged shard")))
}

/// `a`, `a and b`, `a, b and c`.
pub fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [front @ .., last] => {
            let front: Vec<&str> = front.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", front.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_about_three_digits() {
        assert_eq!([2.345, 23.45, 234.5678].map(cost), ["2.35", "23.4", "235"]);
        assert_eq!([0.0, 0.01234, 0.1234, 1.234].map(rate), ["0", "0.0123", "0.123", "1.23"]);
        assert_eq!([0.0004, 0.012, 0.25].map(percent), ["0.04 %", "1.2 %", "25 %"]);
    }

    #[test]
    fn digits_end_where_the_interval_begins() {
        let of = |value: f64, half: f64| certain(value, Some(half / value), cost);
        assert_eq!([of(105.0, 2.6), of(105.0, 26.0), of(1_234.0, 26.0)], ["105", "110", "1230"]);
        assert_eq!([of(31.42, 0.01), of(31.42, 0.2), of(31.42, 1.0)], ["31.4", "31.4", "31"]);
        assert_eq!([of(9.64, 3.0), of(3.0, 26.0)], ["10", "3"], "one digit remains");
        assert_eq!(certain(0.507, Some(0.09 / 0.507), factor), "0.51");
        assert_eq!(certain(0.507, Some(0.001), factor), "0.507");
        assert_eq!([None, Some(0.0), Some(f64::NAN)].map(|h| certain(3.0, h, cost)), ["3.00"; 3]);
        let wide = Interval { low: 0.43, middle: 0.507, high: 0.598 };
        assert_eq!((interval(wide), middle(wide)), ("0.43 to 0.60".to_owned(), "0.51".to_owned()));
        assert_eq!(verdict(&Verdict::Faster(wide)), "0.51 times faster");
        let narrow = Interval { low: 0.9981, middle: 1.0005, high: 1.0029 };
        assert_eq!(interval(narrow), "0.998 to 1.003");
        let near = Interval { low: 1.0042, middle: 1.06, high: 1.119 };
        assert_eq!(
            (interval(near), middle(near)),
            ("1.004 to 1.119".to_owned(), "1.06".to_owned())
        );
    }

    #[test]
    fn an_end_of_an_interval_is_not_rounded_to_1() {
        let of = |low: f64, middle: f64, high: f64| interval(Interval { low, middle, high });
        assert_eq!(of(1.2, 2.0, 3.4), "1.2 to 3.4");
        assert_eq!(of(0.3, 0.5, 0.83), "0.3 to 0.8");
        assert_eq!(of(1.6, 2.0, 2.5), "1.6 to 2.5");
    }

    #[test]
    fn a_range_of_one_number_is_that_number() {
        let of = |low: f64, middle: f64, high: f64| Interval { low, middle, high };
        let (wide, narrow) = (of(1.4, 1.5, 1.6), of(1.499, 1.5, 1.501));
        assert_eq!(range([narrow, wide].into_iter()).as_deref(), Some("1.5"));
        let other = of(1.69, 1.7, 1.71);
        assert_eq!(range([other, wide].into_iter()).as_deref(), Some("1.5 to 1.70"));
        assert_eq!(range(std::iter::empty()), None);
    }

    #[test]
    fn bytes_and_large_numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        let found = [0, 512, 11_648, 1_048_576, 861_696].map(bytes);
        assert_eq!(found, ["0 B", "512 B", "11.4 KiB", "1 MiB", "842 KiB"]);
    }

    #[test]
    fn a_spread_names_the_larger_cause() {
        use crate::spread::Deviation;
        let one = |upper| Deviation { estimate: 0.0, upper, count: 4 };
        let of = |layouts: Option<f64>, processes: Option<f64>| {
            let (layouts, processes) = (layouts.map(one), processes.map(one));
            spread(&Spread { layouts, processes, effects: Vec::new() })
        };
        assert_eq!(of(None, Some(0.01)), "2.0 % processes");
        // Two deviations of √(4² + 3²) = 5 %.
        assert_eq!(of(Some(0.04), Some(0.03)), "11 % layouts");
        assert_eq!(spread(&Spread::default()), NONE);
    }

    #[test]
    fn lists_and_plurals_are_english() {
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!([0, 1, 2].map(|n| plural(n, "design")), ["0 designs", "1 design", "2 designs"]);
        assert_eq!([plural(1, "process"), plural(2, "process")], ["1 process", "2 processes"]);
    }
}
