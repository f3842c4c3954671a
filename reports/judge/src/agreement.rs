//! Agreement of two sessions of one program: how often the interval of one contains the estimate of the other.
//!
//! If both estimates are unbiased and their intervals right, the estimates of two sessions differ by √2 of the error
//! of one. With a known error, a 99.4 % interval reaches 2.77 standard errors to each side, so it contains the other
//! estimate in about 95 of 100 comparisons (2.77 ÷ √2 = 1.96), and two of them are disjoint in 1 of 10,000. An error
//! estimated with eleven degrees of freedom, as from twelve processes, makes the interval reach 3.41 of its standard
//! errors, and the other estimate lies in it in 97 of 100 comparisons.

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{RegimeKind, Sample};
use raywalk_results::statistics::{Confidence, Interval, mean};

use crate::ratios::{Times, has_neighbour, is_disturbed};

/// Comparisons that share 95 % on a panel of ten designs: each has 99.4 %.
pub const COMPARISONS: usize = 9;

/// The ratio of a design to the baseline in two sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Twice {
    /// Id of the panel, which both sessions have: `workload/regime/call`.
    pub panel: String,
    /// Id of the design, which is not the baseline.
    pub design: String,
    /// Kind of the panel's regime, such as `stream` or `cold`.
    pub regime: RegimeKind,
    /// The ratio with its 99.4 % interval, in each session.
    pub ratios: [Interval; 2],
    /// Whether neither session had a disturbed round in this panel, nor a sample of one of the two designs beside a
    /// neighbour.
    pub undisturbed: bool,
}

impl Twice {
    /// ln of the ratio of the two ratios.
    pub fn disagreement(&self) -> f64 {
        (self.ratios[1].middle / self.ratios[0].middle).ln()
    }

    /// In how many of the two sessions the interval holds the estimate of the other.
    pub fn held(&self) -> usize {
        let [a, b] = self.ratios;
        let holds =
            |one: Interval, other: Interval| one.low <= other.middle && other.middle <= one.high;
        usize::from(holds(a, b)) + usize::from(holds(b, a))
    }

    /// Whether the intervals have no number in common.
    pub fn is_disjoint(&self) -> bool {
        let [a, b] = self.ratios;
        a.high < b.low || b.high < a.low
    }
}

/// Every ratio to a baseline that both sessions measured and have an interval for.
pub fn of(a: &Results, b: &Results) -> Vec<Twice> {
    let both = a.panels.iter().filter_map(|in_a| Some((in_a, b.panel(&in_a.panel.id)?)));
    both.flat_map(|(in_a, in_b)| panel([(a, in_a), (b, in_b)])).collect()
}

fn panel(sides: [(&Results, &PanelRounds); 2]) -> Vec<Twice> {
    let [a, b] = sides.map(|(_, side)| &side.panel);
    if a.baseline != b.baseline {
        return Vec::new();
    }
    let times = sides.map(|(results, side)| Times::of(results, side));
    let is_undisturbed = |id: &str| {
        let rounds = sides.iter().flat_map(|(_, side)| &side.rounds);
        rounds.into_iter().all(|round| {
            let is_compared = |sample: &&Sample| sample.design == id || sample.design == a.baseline;
            !is_disturbed(round) && !round.samples.iter().filter(is_compared).any(has_neighbour)
        })
    };
    let confidence = Confidence::NINETY_FIVE.shared_by(COMPARISONS);
    let others = a.designs.iter().filter(|id| **id != a.baseline && b.designs.contains(id));
    let twice = |id: &String| {
        let ratio = |side: usize| times[side].interval(id, &a.baseline, confidence);
        let ratios = [ratio(0)?, ratio(1)?];
        let (panel, design, regime) = (a.id.clone(), id.clone(), a.regime.kind);
        let undisturbed = is_undisturbed(id);
        Some(Twice { panel, design, regime, ratios, undisturbed })
    };
    others.filter_map(twice).collect()
}

/// The root of the mean square of the disagreements, in ln; `None` without any.
pub fn rms<'a>(all: impl IntoIterator<Item = &'a Twice>) -> Option<f64> {
    let squares: Vec<f64> = all.into_iter().map(|twice| twice.disagreement().powi(2)).collect();
    (!squares.is_empty()).then(|| mean(&squares).sqrt())
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::Recipe;

    use super::*;

    fn twice(a: [f64; 3], b: [f64; 3]) -> Twice {
        let ratio = |[low, middle, high]: [f64; 3]| Interval { low, middle, high };
        let (panel, design) = (String::new(), String::new());
        let regime = RegimeKind::Stream;
        Twice { panel, design, regime, ratios: [ratio(a), ratio(b)], undisturbed: true }
    }

    #[test]
    fn each_interval_is_asked_for_the_estimate_of_the_other() {
        let wide = [0.8, 1.0, 1.2];
        assert_eq!(twice(wide, wide).held(), 2);
        assert_eq!(twice(wide, [1.05, 1.1, 1.15]).held(), 1);
        let apart = twice(wide, [1.15, 1.3, 1.4]);
        assert_eq!((apart.held(), apart.is_disjoint()), (0, false));
        assert!(twice(wide, [1.21, 1.3, 1.4]).is_disjoint());
        assert!(twice([1.21, 1.3, 1.4], wide).is_disjoint());
    }

    #[test]
    fn the_root_of_the_mean_square_is_that_of_logarithms() {
        let e = std::f64::consts::E;
        let all = [twice([1.0; 3], [e; 3]), twice([1.0; 3], [e.powi(-7); 3])];
        // √((1 + 49) ÷ 2)
        assert!((rms(&all).expect("two") - 5.0).abs() < 1e-12);
        assert_eq!(rms([]), None);
    }

    #[test]
    fn a_session_agrees_with_itself_and_its_disturbed_panels_are_told_apart() {
        let mut results = Recipe { rounds: 40, shares: 8, ..Recipe::SMALL }.results();
        for round in results.panels.iter_mut().flat_map(|panel| &mut panel.rounds) {
            round.marks.clear();
        }
        let all = of(&results, &results);
        // Seven designs beside the baseline, two panels.
        assert_eq!(all.len(), 14);
        assert!(all.iter().all(|one| one.held() == 2 && one.undisturbed && !one.is_disjoint()));
        assert_eq!(rms(&all), Some(0.0));
        let mut other = results.clone();
        other.panels[0].rounds[3].marks.push(raywalk_results::schema::Mark::Steal);
        let clean =
            |other: &Results| of(&results, other).iter().filter(|one| one.undisturbed).count();
        assert_eq!(clean(&other), 7);
        // A sample beside a neighbour counts for its design; one of the baseline counts for all.
        for (place, left) in [(1, 6), (0, 0)] {
            let panel = &mut other.panels[1];
            let design = panel.panel.designs[place].clone();
            let mut samples = panel.rounds[3].samples.iter_mut();
            let sample = samples.find(|sample| sample.design == design).expect("a sample");
            sample.marks.push(raywalk_results::schema::Mark::BusyNeighbour);
            assert_eq!(clean(&other), left, "{design}");
        }
    }
}
