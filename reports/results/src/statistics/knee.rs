//! Where a rising curve reaches a level. Measured and modelled memorisation curves have one definition of the knee, so
//! that they can be compared.

/// A curve that rises by less than this fraction has no knee. A design without branches loses less than that to larger
/// caches.
pub const RISES: f64 = 0.25;

/// Where a curve reaches a level.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Crossing {
    /// The last K below the level.
    pub from: u64,
    /// The first K at the level or above.
    pub to: u64,
    /// The K between them, interpolated by the logarithm of K.
    pub at: f64,
}

/// Where a curve of K and value, by rising K, first reaches a level. `None` if no value does, or if the first one does.
pub fn crossing(curve: &[(u64, f64)], level: f64) -> Option<Crossing> {
    let above = curve.iter().position(|&(_, value)| value >= level)?;
    let ((from, low), (to, high)) = (*curve.get(above.checked_sub(1)?)?, curve[above]);
    let part = (level - low) / (high - low);
    let at = from as f64 * (to as f64 / from as f64).powf(part);
    Some(Crossing { from, to, at })
}

/// Where a curve first reaches the middle between its first and its last value. `None` if it does not [rise](RISES).
pub fn knee(curve: &[(u64, f64)]) -> Option<Crossing> {
    let (&(_, first), &(_, last)) = (curve.first()?, curve.last()?);
    let rises = last > first && last >= first * (1.0 + RISES);
    rises.then(|| crossing(curve, f64::midpoint(first, last))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knee_is_interpolated_by_the_logarithm_of_k() {
        let found =
            knee(&[(64, 100.0), (256, 100.0), (1024, 300.0), (4096, 300.0)]).expect("a rise");
        assert_eq!((found.from, found.to), (256, 1024));
        assert!((found.at - 512.0).abs() < 1e-9, "{found:?}");
        // Misses begin with zero.
        let misses = knee(&[(256, 0.0), (1024, 4.0), (4096, 8.0)]).expect("a rise");
        assert!((misses.at - 1024.0).abs() < 1e-9, "{misses:?}");
        assert_eq!(knee(&[(64, 100.0), (4096, 120.0)]), None);
        assert_eq!(knee(&[(64, 0.0), (4096, 0.0)]), None);
        assert_eq!(knee(&[]), None);
    }

    #[test]
    fn a_level_below_the_first_value_or_above_all_is_not_crossed() {
        let curve = [(1, 2.0), (4, 4.0)];
        assert_eq!([1.0, 2.0, 5.0].map(|level| crossing(&curve, level)), [None; 3]);
        assert_eq!(crossing(&curve, 3.0), Some(Crossing { from: 1, to: 4, at: 2.0 }));
    }
}
