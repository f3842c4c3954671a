//! The cheaper half of the times of a block.
//!
//! A block is the same work in every visit, so its times differ by what disturbed them and by the places of code and
//! data. A disturbance only adds time: a thread of another guest on the same core, interrupts, page faults. Designs
//! differ in how much they suffer, so ratios of disturbed rounds are wrong as well, and most disturbances are too short
//! or too slight for a probe. The level of a block is therefore the mean of the cheaper half of its times, for each
//! design by itself. In ten pairs of quick sessions learnt replays differed by 1.4 % between the sessions (root of the
//! mean square) with the mean of the middle half of the processes, and by 0.65 % with the cheaper half of the visits;
//! streams by 1.0 % with either.
//!
//! The minimum would select the luckiest place of each design. The level depends on the number of visits all the same:
//! with normal noise of 1 % it lies below the mean by 0.56 % for two visits, by 0.7 % for six and by 0.8 % for many. In
//! a ratio that cancels as far as both designs have the same noise.
//!
//! # Its error
//! To first order a time contributes to the mean of the cheaper half as if it were limited to the median, and then
//! counted twice. The values of the visits are made like that: their mean is the level, and the variance of their mean
//! is that of the level. So what differs between processes can be told from what differs between visits, as for a mean.
//! For few visits the factor is a little larger than 2, which makes the variance too large by 40 % for three and by
//! less than 20 % for more. With two visits, both designs take the same one if a disturbance meets both. Their ratio
//! then has the variance of one visit, which the factor gives; if the designs vary independently, it is too large by
//! half.
//!
//! # Source
//! P. J. Huber, *Robust Statistics*, Wiley 1981, chapter 3.3: the influence of an observation on a trimmed mean.

/// The level of a block, and what makes values of its times.
pub(super) struct CheaperHalf {
    level: f64,
    median: f64,
    /// Mean of the times, each at most the median.
    limited: f64,
    factor: f64,
}

impl CheaperHalf {
    /// Of at least one time. `sorted` is memory.
    pub(super) fn of(times: impl Iterator<Item = f64>, sorted: &mut Vec<f64>) -> CheaperHalf {
        sorted.clear();
        sorted.extend(times);
        sorted.sort_unstable_by(f64::total_cmp);
        let half = sorted.len() / 2;
        let is_odd = sorted.len() % 2 == 1;
        let median = if is_odd { sorted[half] } else { (sorted[half - 1] + sorted[half]) / 2.0 };
        // The middle one of an odd number belongs to both halves.
        let middle = if is_odd { median / 2.0 } else { 0.0 };
        let below: f64 = sorted[..half].iter().sum();
        let count = sorted.len() as f64;
        CheaperHalf {
            level: (below + middle) / (count / 2.0),
            median,
            limited: (below + (count - half as f64) * median) / count,
            factor: match sorted.len() {
                1 => 0.0,
                2 => 8f64.sqrt(),
                _ => 2.0 * count / (count * count - 1.0).sqrt(),
            },
        }
    }

    /// The value of a time.
    pub(super) fn value(&self, time: f64) -> f64 {
        self.level + self.factor * (time.min(self.median) - self.limited)
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::random::SplitMix;
    use raywalk_results::statistics::mean;

    use super::*;

    fn values(times: &[f64]) -> Vec<f64> {
        let half = CheaperHalf::of(times.iter().copied(), &mut Vec::new());
        times.iter().map(|&time| half.value(time)).collect()
    }

    #[test]
    fn half_of_the_times_may_be_disturbed() {
        assert_eq!(values(&[7.0]), [7.0]);
        assert!((mean(&values(&[9.0, 5.0])) - 5.0).abs() < 1e-12);
        // One and a half of three: (4 + 6 ÷ 2) ÷ 1.5.
        assert!((mean(&values(&[6.0, 1e9, 4.0])) - 7.0 / 1.5).abs() < 1e-6);
        assert!((mean(&values(&[1e9, 4.0, 6.0, 1e9])) - 5.0).abs() < 1e-6);
    }

    #[test]
    fn times_above_the_median_have_one_value() {
        let found = values(&[3.0, 1.0, 50.0, 9.0, 2.0]);
        assert_eq!(found[2], found[3]);
        assert_eq!(found[0], found[3]);
        assert!(found[1] < found[4] && found[4] < found[0]);
    }

    fn variance(values: &[f64]) -> f64 {
        let middle = mean(values);
        let squares = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>();
        squares / (values.len() - 1) as f64
    }

    #[test]
    fn two_visits_that_both_designs_find_disturbed_tell_the_error_of_their_ratio() {
        let mut random = SplitMix(5);
        let (mut logs, mut expected) = (Vec::new(), 0.0);
        for _ in 0..4_000 {
            let common = [(); 2].map(|()| 5.0 * random.normal());
            let times = [(); 2].map(|()| common.map(|common| 100.0 + common + random.normal()));
            let [one, other] = times.each_ref().map(|times| values(times));
            logs.push((mean(&one) / mean(&other)).ln());
            let errors = [0, 1].map(|visit| one[visit] / mean(&one) - other[visit] / mean(&other));
            expected += variance(&errors) / 2.0 / 4_000.0;
        }
        let ratio = expected / variance(&logs);
        assert!((0.9..1.2).contains(&ratio), "{ratio}");
    }

    #[test]
    fn the_variance_of_the_mean_of_the_values_is_that_of_the_level() {
        let mut random = SplitMix(3);
        for (count, at_most) in [(2, 1.55), (3, 1.45), (4, 1.15), (5, 1.25), (7, 1.2), (48, 1.1)] {
            let (mut levels, mut expected) = (Vec::new(), 0.0);
            for _ in 0..4_000 {
                let times: Vec<f64> = (0..count).map(|_| 100.0 + random.normal()).collect();
                let values = values(&times);
                levels.push(mean(&values));
                expected += variance(&values) / f64::from(count) / 4_000.0;
            }
            let ratio = expected / variance(&levels);
            assert!((0.94..at_most).contains(&ratio), "{count}: {ratio}");
        }
    }
}
