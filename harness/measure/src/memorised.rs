//! Whether positions come back before a branch predictor has forgotten them.

use raywalk_results::schema::Regime;

use crate::regime::rules;

/// Approximate number of hard-to-predict outcomes per position. A walk over rays has over a hundred,
/// and with this number the cliff of the memorisation curve lies where the knee of random branches
/// predicts it.
const HARD_OUTCOMES: f64 = 100.0;

/// The largest knee that the self-test can find, in random outcomes: its longest period.
pub const LARGEST_KNEE: u64 = 1 << 18;

/// The fewest positions that are memorised on no machine whose knee the self-test finds.
pub fn fewest_that_are_not() -> u64 {
    (LARGEST_KNEE as f64 / HARD_OUTCOMES).ceil() as u64
}

/// Whether `positions` positions in this regime are memorised by a predictor with this knee.
pub(crate) fn is_memorised(regime: &Regime, positions: usize, knee: Option<f64>) -> bool {
    let period = rules(regime.kind).returns_after(regime, positions);
    period.zip(knee).is_some_and(|(period, knee)| period as f64 * HARD_OUTCOMES < knee)
}

#[cfg(test)]
mod tests {
    use raywalk_results::format::grouped;
    use raywalk_results::schema::Order;

    use super::*;
    use crate::regime::stream;

    #[test]
    fn no_knee_of_the_self_test_marks_a_stream_of_the_fewest_positions() {
        let fewest = fewest_that_are_not() as usize;
        let memorised = |positions, knee| is_memorised(&stream(Order::Listed), positions, knee);
        assert!(!memorised(fewest, Some(LARGEST_KNEE as f64)));
        assert!(memorised(fewest - 1, Some(LARGEST_KNEE as f64)));
        assert!(!memorised(1, None), "a knee that was not found marks nothing");
    }

    #[test]
    fn the_documented_limits_are_those_of_the_code() {
        let page = include_str!("../../../docs/measuring.md");
        for limit in [fewest_that_are_not(), LARGEST_KNEE] {
            assert!(page.contains(&grouped(limit)), "{limit}");
        }
    }
}
