//! How numbers, regimes and stages are said, in the terminal and on the page alike.

use crate::schema::{Panel, Plane, Regime};
use crate::spread::Spread;
use crate::statistics::Interval;

/// A dash: there is no such number.
pub const NONE: &str = "–";

/// A cost with about three digits: 3.14, 31.4, 314.
pub fn cost(value: f64) -> String {
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$}")
}

/// A count per unit, where small values matter: 0.0123, 0.123, 1.23, 12.3.
pub fn rate(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value < 0.9995 {
        let digits = if value < 0.0995 { 4 } else { 3 };
        format!("{value:.digits$}")
    } else {
        cost(value)
    }
}

/// A whole number in groups of three, with commas.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

/// Both ends of an interval of ratios.
pub fn ends(interval: Interval) -> String {
    let (low, high) = (interval.low, interval.high);
    let digits = if high < 10.0 { 3 } else { 2 };
    format!("{low:.digits$} to {high:.digits$}")
}

/// A share in per cent: 0.1 %, 3 %.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    let digits = match value {
        0.0 => 0,
        small if small < 0.1 => 2,
        _ => usize::from(value < 10.0),
    };
    format!("{value:.digits$} %")
}

/// What a ratio spreads by, and over what: `1.2 % processes`; `none seen` where rounds explain it
/// all, a dash if that is not known.
pub fn spread(spread: &Spread) -> String {
    match spread.bound() {
        None => NONE.to_owned(),
        Some(bound) if bound.log == 0.0 => NONE_SEEN.to_owned(),
        Some(bound) => format!("{} {}", percent(bound.share()), bound.over.word()),
    }
}

/// A spread of zero: rounds alone explain what was found, which is not to say that there is none.
pub const NONE_SEEN: &str = "none seen";

/// How the positions come.
pub fn regime(regime: &Regime) -> String {
    match regime {
        Regime::Replay { k: 1 } => "one position, over and over".to_owned(),
        Regime::Replay { k } => format!("the same {} positions, over and over", grouped(*k)),
        Regime::Stream { order } => stream(order),
        Regime::Cold { order, branches } => format!(
            "{}, the branch predictor overwritten by {} random branches before each call \
             (difference of two timed runs)",
            stream(order),
            grouped(*branches)
        ),
        Regime::Pressure { order, bytes: 0, .. } => format!(
            "{}, no cache pressure but measured as with it (difference of two timed runs)",
            stream(order)
        ),
        Regime::Pressure { order, bytes: ring, lines } => format!(
            "{}, {} cache lines of a ring of {} read before each call (difference of two timed runs)",
            stream(order),
            grouped(*lines),
            bytes(*ring)
        ),
    }
}

fn stream(order: &str) -> String {
    match order {
        "tree" => "a stream in search-tree order".to_owned(),
        "game" => "a stream in game order".to_owned(),
        "shuffled" => "a shuffled stream".to_owned(),
        "generated" => "a stream as generated".to_owned(),
        "listed" => "a stream in file order".to_owned(),
        other => format!("a stream, {other}"),
    }
}

/// `replay of 16` or `cold predictor`, for a narrow column.
pub fn regime_kind(regime: &Regime) -> String {
    match regime {
        Regime::Replay { k } => format!("replay of {}", grouped(*k)),
        Regime::Stream { order } => format!("stream, {order}"),
        Regime::Cold { .. } => "cold predictor".to_owned(),
        Regime::Pressure { bytes: ring, .. } => format!("pressure, {}", bytes(*ring)),
    }
}

/// What is generated.
pub fn stage(stage: &str) -> &str {
    match stage {
        "all" => "all moves",
        "captures" => "captures only",
        "quiets" => "quiet moves only",
        other => other,
    }
}

/// What of a position a panel generates: `captures only`, `all moves of the sliders`.
pub fn wanted(panel: &Panel) -> String {
    match &panel.scope {
        Some(scope) => format!("{} of the {scope}", stage(&panel.stage)),
        None => stage(&panel.stage).to_owned(),
    }
}

/// What sets a panel apart from the others of its workload: `captures only`, `all moves, cold
/// predictor`.
pub fn apart(panel: &Panel) -> String {
    match panel.regime.is_disturbed() {
        true => format!("{}, {}", wanted(panel), regime_kind(&panel.regime)),
        false => wanted(panel),
    }
}

/// A panel in one line: `ab4, all moves, a stream in search-tree order`.
pub fn panel(panel: &Panel) -> String {
    format!("{}, {}, {}", panel.workload, wanted(panel), regime(&panel.regime))
}

/// Why the numbers of branchy designs are marked in a panel that the predictor knows by heart.
pub const MEMORISED: &str = "So few positions come back here that this machine's branch predictor knows \
    their branches by heart (self-test, predictor knee). The numbers marked `memorised` are what a \
    branchy design costs on positions that it has met before, and no verdict about it on others.";

/// Whether a number of this design is marked [`MEMORISED`] in a panel.
pub fn is_memorised(panel: &Panel, control: &str) -> bool {
    panel.memorised && control == "branchy"
}

/// The word for a plane.
pub fn plane(plane: Plane) -> &'static str {
    match plane {
        Plane::Measured => "measured",
        Plane::Counted => "counted",
        Plane::Simulated => "simulated",
        Plane::Modelled => "modelled",
    }
}

/// The text with a full stop, whether it came with one or not.
pub fn ended(text: &str) -> String {
    match text.trim_end() {
        "" => String::new(),
        text if text.ends_with(['.', '!', '?']) => text.to_owned(),
        text => format!("{text}."),
    }
}

/// `1 round`, `2 rounds`.
pub fn plural(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(count as u64))
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
    fn bytes_and_groups_are_read_at_a_glance() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        let said = [0, 512, 11_648, 1_048_576, 861_696].map(bytes);
        assert_eq!(said, ["0 B", "512 B", "11.4 KiB", "1 MiB", "842 KiB"]);
    }

    #[test]
    fn a_disturbed_regime_says_what_is_done_and_that_it_is_a_difference() {
        let pressure = |bytes| Regime::Pressure { order: "shuffled".to_owned(), bytes, lines: 64 };
        assert_eq!(
            regime(&pressure(8 << 20)),
            "a shuffled stream, 64 cache lines of a ring of 8 MiB read before each call \
             (difference of two timed runs)"
        );
        assert!(regime(&pressure(0)).contains("no cache pressure but measured as with it"));
        assert_eq!(regime_kind(&pressure(32 << 10)), "pressure, 32 KiB");
        let cold = Regime::Cold { order: "tree".to_owned(), branches: 16_384 };
        assert!(regime(&cold).ends_with("before each call (difference of two timed runs)"));
        assert_eq!(regime_kind(&cold), "cold predictor");
    }

    #[test]
    fn a_spread_says_what_it_goes_over() {
        use crate::spread::Components;
        let of = |layout, process| {
            let split = Components { layout, process, position: None, round: 0.01 };
            spread(&Spread { split: Some(split), ..Spread::default() })
        };
        assert_eq!(of(None, Some(0.01)), "2.0 % processes");
        assert_eq!(of(Some(0.02), Some(0.01)), "4.1 % layouts");
        assert_eq!(of(Some(0.0), Some(0.01)), "2.0 % processes");
        assert_eq!(of(Some(0.0), Some(0.0)), "none seen");
        assert_eq!(spread(&Spread::default()), NONE);
    }

    #[test]
    fn lists_and_plurals_are_english() {
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(["", "a", "a."].map(ended), ["", "a.", "a."]);
        assert_eq!([plural(1, "round"), plural(2, "round")], ["1 round", "2 rounds"]);
    }
}
