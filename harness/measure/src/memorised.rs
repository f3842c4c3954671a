//! Number of positions that no branch predictor can memorise.

/// Approximate number of hard-to-predict outcomes per position. A walk over rays has over a hundred,
/// and with this number the knee of the memorisation curve lies where that of random branches
/// predicts it. It serves to refuse a file that is too short for a stream before anything is measured.
/// Which designs have memorised a panel's positions is judged from their memorisation curves.
const HARD_OUTCOMES: f64 = 100.0;

/// The largest knee that the self-test can find, in random outcomes: its longest period.
pub const LARGEST_KNEE: u64 = 1 << 18;

/// The fewest positions that are memorised on no machine whose knee the self-test finds.
pub(crate) fn fewest_that_are_not() -> u64 {
    (LARGEST_KNEE as f64 / HARD_OUTCOMES).ceil() as u64
}

#[cfg(test)]
mod tests {
    use raywalk_results::format::grouped;

    use super::*;

    #[test]
    fn the_documented_limits_are_those_of_the_code() {
        let page = include_str!("../../../docs/measuring.md");
        for limit in [fewest_that_are_not(), LARGEST_KNEE] {
            assert!(page.contains(&grouped(limit)), "{limit}");
        }
    }
}
