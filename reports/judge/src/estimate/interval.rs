//! The interval of an estimate, from the differences between its processes and its roots.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::statistics::{Confidence, Interval, TooFew};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Estimate, Offered};
use crate::crossed::{FEWEST_CLUSTERS, Fit, Part};
use crate::no_interval::NoInterval;

impl Estimate {
    /// The interval of the log ratio.
    ///
    /// # Errors
    /// [`NoInterval`] if there are neither six roots nor six processes in each session, or if what was spoilt leaves
    /// fewer.
    pub(crate) fn interval(&self, confidence: Confidence) -> Result<Interval, NoInterval> {
        if let Some(Clustered { variance, freedom }) = self.crossed() {
            return Ok(self.around(variance, freedom, confidence));
        }
        let by_root = clustered(self.parts.iter().map(|part| (part.root, part.influence)));
        let sessions: Vec<Placements<'_>> =
            (0..=1).filter_map(|session| Placements::of(&self.parts, session)).collect();
        let processes = sessions.iter().map(|session| session.processes).min().unwrap_or(0);
        let found = self.count(|part| part.root).max(processes);
        if found < FEWEST_CLUSTERS {
            return Err(self.too_few(found));
        }
        // A session of one process cannot tell how another one would have differed, so its placement is not in the
        // interval. It has no spread either, and a comparison says so.
        let by_place = sessions.iter().filter_map(Placements::clustered).reduce(Clustered::add);
        let cells = sessions.iter().flat_map(|one| {
            one.parts
                .iter()
                .map(|part| ((part.session, one.place(part), part.root), part.influence))
        });
        let cells = clustered(cells);
        let (variance, freedom) = match (by_root, by_place) {
            (None, None) => return Err(self.too_few(found)),
            (Some(one), None) | (None, Some(one)) => (one.variance, one.freedom),
            (Some(root), Some(place)) => {
                let crossed =
                    root.variance + place.variance - cells.map_or(0.0, |cell| cell.variance);
                // A difference of variances may be too small by chance, but the larger is a lower bound.
                let variance = crossed.max(root.variance).max(place.variance);
                let least = root.freedom.min(place.freedom);
                // `max` ignores a value that is not a number, as for a variance of zero.
                (variance, satterthwaite(variance, [root, place]).max(least))
            }
        };
        Ok(self.around(variance, freedom, confidence))
    }

    /// Why so few roots and processes are left.
    fn too_few(&self, found: usize) -> NoInterval {
        let Offered { enough, samples, left_out } = self.offered;
        match enough && left_out > 0 {
            true => NoInterval::Spoilt { left_out, samples },
            false => TooFew { found, needed: FEWEST_CLUSTERS }.into(),
        }
    }

    fn around(&self, variance: f64, freedom: f64, confidence: Confidence) -> Interval {
        // An infinite quantile times a variance of zero would not be a number.
        let half = if variance > 0.0 {
            quantile(freedom, 1.0 - confidence.miss() / 2.0) * variance.sqrt()
        } else {
            0.0
        };
        Interval { low: self.log - half, middle: self.log, high: self.log + half }
    }

    /// The variance from the effects of processes and roots and the noise; `None` if they cannot be told
    /// apart.
    fn crossed(&self) -> Option<Clustered> {
        let known_roots = self.known_roots?;
        let parts = || self.parts.iter().filter(|part| part.weight > 0.0);
        let fit = Fit::of(&self.parts);
        let (processes, roots) = (fit.processes.len(), fit.roots.len());
        let few = processes < FEWEST_CLUSTERS || roots < FEWEST_CLUSTERS;
        let has_layouts = self.count(|part| part.layout) > 1;
        // The differences between groups are those of roots and processes together.
        if has_layouts || few || fit.freedom < FEWEST_CLUSTERS || fit.groups > 1 {
            return None;
        }
        let (mut by_process, mut by_root) = (BTreeMap::new(), BTreeMap::new());
        for part in parts() {
            *by_process.entry((part.layout, part.process)).or_insert(0.0) += part.weight;
            *by_root.entry(part.root).or_insert(0.0) += part.weight;
        }
        let square = |weights: &mut dyn Iterator<Item = f64>| weights.map(|w| w * w).sum::<f64>();
        let noise =
            Clustered { variance: fit.noise / parts().count() as f64, freedom: fit.freedom as f64 };
        let middle = fit.processes.values().sum::<f64>() / processes as f64;
        let squares: f64 = fit.processes.values().map(|effect| (effect - middle).powi(2)).sum();
        let each = square(&mut by_process.values().copied());
        let variance = each * squares / (processes - 1) as f64;
        let place = Clustered { variance, freedom: (processes - 1) as f64 };
        // Roots of one part are taken to differ as the others do.
        let all = square(&mut by_root.values().copied());
        let separated = square(&mut fit.roots.keys().map(|root| by_root[root]));
        let effects = fit.roots.iter().map(|(root, effect)| (by_root[root] * effect).powi(2));
        let freedom = (roots - 1) as f64;
        let differences = effects.sum::<f64>() * roots as f64 / freedom * all / separated;
        let missed = (1.0 - known_roots).clamp(0.0, 1.0) * (differences - noise.variance).max(0.0);
        let root = Clustered { variance: missed, freedom };
        // The differences between processes contain the noise. If they are below it, they are low by chance,
        // and a dozen processes do not tell the difference of two variances from one of them.
        let place = Clustered { variance: place.variance.max(noise.variance), ..place };
        let variance = place.variance + root.variance;
        let least = place.freedom.min(noise.freedom);
        Some(Clustered { variance, freedom: satterthwaite(variance, [place, root]).max(least) })
    }

    /// Number of processes.
    pub(crate) fn processes(&self) -> usize {
        self.count(|part| part.process)
    }

    /// Number of distinct keys of the parts.
    fn count<K: Ord>(&self, key: impl Fn(&Part) -> K) -> usize {
        self.parts.iter().map(key).collect::<BTreeSet<_>>().len()
    }
}

/// The parts of one session, which has layouts and processes of its own.
struct Placements<'a> {
    parts: Vec<&'a Part>,
    processes: usize,
    has_layouts: bool,
}

impl<'a> Placements<'a> {
    /// `None` if the session has no part.
    fn of(parts: &'a [Part], session: u8) -> Option<Placements<'a>> {
        let parts: Vec<&Part> = parts.iter().filter(|part| part.session == session).collect();
        let first = parts.first()?.layout;
        let processes = parts.iter().map(|part| part.process).collect::<BTreeSet<_>>().len();
        let has_layouts = parts.iter().any(|part| part.layout != first);
        Some(Placements { parts, processes, has_layouts })
    }

    /// The layout of a part, or its process if the session has one layout.
    fn place(&self, part: &Part) -> (Option<u64>, u64) {
        if self.has_layouts { (part.layout, 0) } else { (None, part.process) }
    }

    fn clustered(&self) -> Option<Clustered> {
        clustered(self.parts.iter().map(|part| (self.place(part), part.influence)))
    }
}

/// The variance of a sum of contributions as far as it comes from differences between their clusters; `None` for one
/// cluster.
fn clustered<K: Ord>(contributions: impl Iterator<Item = (K, f64)>) -> Option<Clustered> {
    let mut sums: BTreeMap<K, f64> = BTreeMap::new();
    for (key, contribution) in contributions {
        *sums.entry(key).or_default() += contribution;
    }
    let count = sums.len() as f64;
    let squares: f64 = sums.values().map(|sum| sum * sum).sum();
    (sums.len() > 1)
        .then(|| Clustered { variance: squares * count / (count - 1.0), freedom: count - 1.0 })
}

#[derive(Clone, Copy)]
struct Clustered {
    variance: f64,
    freedom: f64,
}

impl Clustered {
    /// The variance of a sum of two independent errors.
    fn add(self, other: Clustered) -> Clustered {
        let variance = self.variance + other.variance;
        let least = self.freedom.min(other.freedom);
        Clustered { variance, freedom: satterthwaite(variance, [self, other]).max(least) }
    }
}

/// The degrees of freedom of a variance that these two make up; not a number if both are zero.
fn satterthwaite(variance: f64, [one, other]: [Clustered; 2]) -> f64 {
    let each = |part: Clustered| part.variance.powi(2) / part.freedom;
    variance.powi(2) / (each(one) + each(other))
}

fn quantile(freedom: f64, probability: f64) -> f64 {
    // Without degrees of freedom there is no distribution, and nothing is known.
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(probability))
}
