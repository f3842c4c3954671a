//! The knee of a memorisation curve: between which K the cost of a design rises.
//!
//! A design whose branches the predictor knows by heart is cheap while few positions come back, and
//! dear when many do. The knee is where its cost passes the middle between what it is with the fewest
//! positions and with the most; between two K it is placed by their logarithm, as the knee of random
//! branches is in the self-test.

use crate::summary::{PanelSummary, memorisation};

/// A curve that rises by less than this share has no knee: what a design without branches loses to
/// larger caches is less.
const RISES: f64 = 0.25;

/// The curve of one design.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its id.
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
    /// The K in between, by the logarithm.
    pub at: f64,
}

/// The curves of all designs that every panel of the series `repeat-K` and `cycle-K` has, in the
/// order of the registry. None below two such panels.
pub fn curves(panels: &[PanelSummary]) -> Vec<Curve> {
    let series = memorisation(panels);
    let [(_, first), _, ..] = series[..] else { return Vec::new() };
    let curve = |id: &String| {
        let costs = series.iter().map(|(k, panel)| Some((*k, panel.row(id)?.ns_move?.median)));
        Some(Curve { id: id.clone(), costs: costs.collect::<Option<_>>()? })
    };
    first.panel.designs.iter().filter_map(curve).collect()
}

impl Curve {
    /// Where the cost first reaches the middle between its first and its last value; `None` if it
    /// does not rise by a quarter between the two.
    pub fn knee(&self) -> Option<Knee> {
        let (&(_, first), &(_, last)) = (self.costs.first()?, self.costs.last()?);
        if last < first * (1.0 + RISES) {
            return None;
        }
        let level = f64::midpoint(first, last);
        let place = self.costs.iter().position(|&(_, cost)| cost >= level)?;
        let ((from, low), (to, high)) =
            (*self.costs.get(place.checked_sub(1)?)?, self.costs[place]);
        let part = (level - low) / (high - low);
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
    fn a_knee_lies_where_the_middle_is_passed_by_the_logarithm() {
        // The middle of 1 and 3 is half way between 1.5 at K = 4 and 2.5 at K = 16: at K = 8.
        let knee = curve(&[1.0, 1.5, 2.5, 3.0]).knee().expect("it rises");
        assert_eq!((knee.from, knee.to), (4, 16));
        assert!((knee.at - 8.0).abs() < 1e-9);
        // On the way a curve may fall again.
        assert_eq!(curve(&[1.0, 2.0, 0.5, 3.0]).knee().map(|knee| knee.to), Some(4));
    }

    #[test]
    fn a_curve_that_hardly_rises_has_no_knee() {
        for flat in [&[1.0, 1.0, 1.2][..], &[3.0, 2.0, 1.0], &[1.0], &[]] {
            assert_eq!(curve(flat).knee(), None, "{flat:?}");
        }
    }
}
