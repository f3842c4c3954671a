//! The memorisation curve: what a design costs when the same K positions come back, as K rises.
//!
//! A design whose branches the predictor has memorised is cheap at small K and expensive at large K.
//! Its knee is where the cost passes the middle between its values at the smallest and the largest
//! K, placed between two K by their logarithm, as the self-test places the knee of random branches.
//! Below the knee the predictor has *memorised* the positions. That is a property of design, machine and K
//! together, and each design's own curve shows it.

use raywalk_results::schema::{Operation, Panel};
use raywalk_results::statistics::{Crossing, RISES, knee};

use crate::summary::PanelSummary;

/// A design has memorised positions if it costs less on them than this part of the way from its floor, the
/// cost at the smallest K, to its plateau, the cost at the largest. The knee lies at the same height.
const BY_HEART: f64 = 0.5;

/// A curve must reach this K to show a plateau: no current predictor learns a cycle so long.
const LEAST_PLATEAU: u64 = 16_384;

/// The memorisation curve of one design.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Id of the design, such as `bell/steps`.
    pub id: String,
    /// K and nanoseconds per move, by rising K.
    pub costs: Vec<(u64, f64)>,
}

/// The memory-matched control of the curve, between the two points that it separates.
#[derive(Clone, Copy, Debug)]
pub struct Matched<'a> {
    /// Distinct positions of the short replay and of the control.
    pub k: u64,
    /// Boards that they are laid out as.
    pub boards: u64,
    /// The control: the branches of `short` and the memory traffic of `long`.
    pub control: &'a PanelSummary,
    /// The replay of `k` positions.
    pub short: &'a PanelSummary,
    /// The replay of as many positions as the control has boards.
    pub long: &'a PanelSummary,
}

/// The points of the curve that have rounds, each with its K, by rising K; of two with one K the first of the plan.
pub(crate) fn points(panels: &[PanelSummary]) -> Vec<(u64, &PanelSummary)> {
    let mut points: Vec<(u64, &PanelSummary)> = panels
        .iter()
        .filter(|summary| summary.panel.memorisation_curve && !summary.rows.is_empty())
        .filter_map(|summary| Some((summary.panel.regime.period?, summary)))
        .collect();
    // The sort is stable, so the first of the plan is kept of two with one K.
    points.sort_by_key(|&(k, _)| k);
    points.dedup_by_key(|&mut (k, _)| k);
    points
}

/// The first memory-matched control that has rounds, if the curve has the two points that it separates.
pub(crate) fn matched(panels: &[PanelSummary]) -> Option<Matched<'_>> {
    let points = points(panels);
    let at = |k: u64| points.iter().find(|(point, _)| *point == k).map(|&(_, summary)| summary);
    panels.iter().filter(|summary| !summary.rows.is_empty()).find_map(|control| {
        let (k, boards) = (control.panel.regime.period?, control.panel.regime.boards?);
        Some(Matched { k, boards, control, short: at(k)?, long: at(boards)? })
    })
}

/// The curve of each design that all points have, in the order of the registry; empty below two points.
pub(crate) fn curves(panels: &[PanelSummary]) -> Vec<Curve> {
    let points = points(panels);
    let [(_, first), _, ..] = points[..] else { return Vec::new() };
    let curve = |id: &String| {
        let costs = points.iter().map(|(k, summary)| Some((*k, summary.row(id)?.ns_move?)));
        Some(Curve { id: id.clone(), costs: costs.collect::<Option<_>>()? })
    };
    first.panel.designs.iter().filter_map(curve).collect()
}

impl Curve {
    /// The K at which the cost first reaches the middle between its first and its last value; `None` if it rises too
    /// little.
    pub fn knee(&self) -> Option<Crossing> {
        knee(&self.costs)
    }
}

/// Marks a design in a table.
pub(crate) const MARK: &str = "memorised";

/// Whether a design has memorised a cycle of `k` positions, by the points (K, cost) of its own
/// memorisation curve, by rising K.
///
/// It has if its cost at `k` is less than half of the way from its floor (the smallest K) to its plateau
/// (the largest). Between two points the cost is interpolated by the logarithm of K. A design whose
/// plateau is less than a quarter above its floor has memorised nothing, because it has nothing to learn.
/// `None` if the curve has fewer than two points or ends below K = 16,384, where a predictor may still have
/// learnt everything.
pub(crate) fn has_memorised(costs: &[(u64, f64)], k: u64) -> Option<bool> {
    let (&[(smallest, floor), .., (largest, plateau)], true) = (costs, k > 0) else { return None };
    if largest < LEAST_PLATEAU {
        return None;
    }
    if plateau < floor * (1.0 + RISES) || k >= largest {
        return Some(false);
    }
    if k <= smallest {
        return Some(true);
    }
    let above = costs.iter().position(|&(point, _)| point >= k)?;
    let ((from, low), (to, high)) = (costs[above.checked_sub(1)?], costs[above]);
    let part = (k as f64 / from as f64).ln() / (to as f64 / from as f64).ln();
    Some(low + part * (high - low) < floor + BY_HEART * (plateau - floor))
}

/// Number of positions after which those of a panel come back to a predictor that nothing has
/// overwritten since; `None` if random branches do. `None` also for a perft, which generates the moves of
/// all its nodes before one of them comes back.
pub(crate) fn returns_after(panel: &Panel) -> Option<u64> {
    let overwritten = panel.regime.overwrites_predictor();
    let is_perft = panel.call.operation().is_some_and(Operation::counts_leaves);
    (!overwritten && !is_perft).then(|| panel.regime.period.unwrap_or(panel.positions))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(costs: &[f64]) -> Curve {
        let ks = (0..).map(|n| 4u64.pow(n));
        Curve { id: String::new(), costs: ks.zip(costs.iter().copied()).collect() }
    }

    #[test]
    fn a_knee_lies_where_the_curve_passes_its_middle_on_a_logarithmic_scale() {
        // The middle of 1 and 3 is half way between 1.5 at K = 4 and 2.5 at K = 16: at K = 8.
        let knee = curve(&[1.0, 1.5, 2.5, 3.0]).knee().expect("it rises");
        assert_eq!((knee.from, knee.to), (4, 16));
        assert!((knee.at - 8.0).abs() < 1e-9);
        // The first crossing counts, even if the curve falls again.
        assert_eq!(curve(&[1.0, 2.0, 0.5, 3.0]).knee().map(|knee| knee.to), Some(4));
    }

    #[test]
    fn a_curve_that_hardly_rises_has_no_knee() {
        for flat in [&[1.0, 1.0, 1.2][..], &[3.0, 2.0, 1.0], &[1.0], &[]] {
            assert_eq!(curve(flat).knee(), None, "{flat:?}");
        }
    }

    /// K from 1 to 65,536 in steps of four.
    const RISING: [(u64, f64); 9] = [
        (1, 10.0),
        (4, 10.0),
        (16, 11.0),
        (64, 12.0),
        (256, 13.0),
        (1_024, 20.0),
        (4_096, 34.0),
        (16_384, 38.0),
        (65_536, 40.0),
    ];

    #[test]
    fn a_design_has_memorised_what_costs_less_than_half_way_to_its_plateau() {
        // Half way from 10 to 40 is 25, which the curve passes between K = 1,024 and 4,096.
        let known = RISING.map(|(k, _)| has_memorised(&RISING, k));
        let expected = [true, true, true, true, true, true, false, false, false];
        assert_eq!(known, expected.map(Some));
        // From 20 to 34 a part of 5/14 is missing: K = 1,024 × 4^(5/14) = 1,680.
        assert_eq!([1_670, 1_690].map(|k| has_memorised(&RISING, k)), [Some(true), Some(false)]);
        assert_eq!(has_memorised(&RISING, 1_000_000), Some(false), "beyond the curve");
        // The limit is the knee, by definition.
        let knee = Curve { id: String::new(), costs: RISING.to_vec() }.knee().expect("it rises");
        assert!((1_670.0..1_690.0).contains(&knee.at), "{knee:?}");
    }

    #[test]
    fn two_designs_of_one_session_have_different_limits() {
        let early = RISING.map(|(k, cost)| (k, if k < 256 { cost } else { 40.0 }));
        assert_eq!(has_memorised(&early, 256), Some(false));
        assert_eq!(has_memorised(&RISING, 256), Some(true));
    }

    #[test]
    fn a_flat_curve_has_memorised_nothing() {
        let flat = RISING.map(|(k, cost)| (k, 100.0 + cost / 2.0));
        assert!(flat.iter().all(|&(k, _)| has_memorised(&flat, k) == Some(false)));
    }

    #[test]
    fn a_curve_without_a_plateau_cannot_tell() {
        for short in [&RISING[..7], &RISING[..1], &[]] {
            assert_eq!(has_memorised(short, 16), None, "{short:?}");
        }
        assert_eq!(has_memorised(&RISING[3..], 1), Some(true), "below the smallest K");
        assert_eq!(has_memorised(&RISING, 0), None);
    }
}
