//! The memorisation curve: what a design costs when the same K positions come back, as K rises.
//!
//! A design whose branches the predictor has memorised is cheap at small K and expensive at large K.
//! Its knee is where the cost passes the middle between its values at the smallest and the largest
//! K, placed between two K by their logarithm, as the self-test places the knee of random branches.

use crate::summary::PanelSummary;

/// A curve that rises by less than this fraction has no knee. A design without branches loses less
/// than that to larger caches.
const RISES: f64 = 0.25;

/// The memorisation curve of one design.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Id of the design.
    pub id: String,
    /// K and nanoseconds per move, by rising K.
    pub costs: Vec<(u64, f64)>,
}

/// Where a curve passes its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knee {
    /// The last K below the middle.
    pub from: u64,
    /// The first K at the middle or above.
    pub to: u64,
    /// K at the middle, interpolated by the logarithm.
    pub at: f64,
}

/// See [`Judged::memorisation`](crate::Judged::memorisation).
pub(crate) fn points(panels: &[PanelSummary]) -> Vec<(u64, &PanelSummary)> {
    let mut points: Vec<(u64, &PanelSummary)> = panels
        .iter()
        .filter(|summary| summary.panel.memorisation_curve && !summary.rows.is_empty())
        .filter_map(|summary| Some((summary.panel.regime.period?, summary)))
        .collect();
    points.sort_by_key(|&(k, _)| k);
    points.dedup_by_key(|&mut (k, _)| k);
    points
}

/// See [`Judged::curves`](crate::Judged::curves).
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
    /// Where the cost first reaches the middle between its first and its last value; `None` if the
    /// last is less than a quarter above the first.
    pub fn knee(&self) -> Option<Knee> {
        let (&(_, first), &(_, last)) = (self.costs.first()?, self.costs.last()?);
        if last < first * (1.0 + RISES) {
            return None;
        }
        let middle = f64::midpoint(first, last);
        let above = self.costs.iter().position(|&(_, cost)| cost >= middle)?;
        let ((from, low), (to, high)) =
            (*self.costs.get(above.checked_sub(1)?)?, self.costs[above]);
        let part = (middle - low) / (high - low);
        Some(Knee { from, to, at: from as f64 * (to as f64 / from as f64).powf(part) })
    }
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
}
