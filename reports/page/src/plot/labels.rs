//! Places labels so that they neither overlap nor leave the plot.

/// Moves labels along one axis as little as possible, so that neighbours are `gap` apart and all
/// stay between `low` and `high`. The result has the order of `wanted`.
///
/// Least squares under an order constraint: pool adjacent violators (Ayer and others, Annals of Mathematical
/// Statistics 26 (1955), 641–647). Labels that cannot fit are spread evenly.
pub(crate) fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let n = wanted.len();
    if n == 0 {
        return Vec::new();
    }
    let gap = gap.min((high - low) / (n.max(2) - 1) as f64);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // With the gaps subtracted, only the order remains as a constraint.
    let mut pools: Vec<(f64, usize)> = Vec::with_capacity(n);
    for (place, &label) in order.iter().enumerate() {
        pools.push((wanted[label] - place as f64 * gap, 1));
        while let [.., (before, m), (after, k)] = pools[..] {
            if before <= after {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push(((before * m as f64 + after * k as f64) / (m + k) as f64, m + k));
        }
    }
    let room = high - (n - 1) as f64 * gap;
    let mut found = vec![0.0; n];
    let flat = pools.into_iter().flat_map(|(at, size)| std::iter::repeat_n(at, size));
    for ((place, &label), at) in order.iter().enumerate().zip(flat) {
        found[label] = at.clamp(low, room.max(low)) + place as f64 * gap;
    }
    found
}

/// A box in pixels: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

impl Area {
    pub(crate) fn around((x, y): (i32, i32), width: i32, height: i32) -> Area {
        Area {
            left: x - width / 2,
            top: y - height / 2,
            right: x - width / 2 + width,
            bottom: y - height / 2 + height,
        }
    }

    fn shared(self, other: Area) -> i64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        i64::from(width.max(0)) * i64::from(height.max(0))
    }

    fn outside(self, bounds: Area) -> i64 {
        let whole = i64::from(self.right - self.left) * i64::from(self.bottom - self.top);
        whole - self.shared(bounds)
    }
}

/// Finds a box for the label of each point: near the point, inside `bounds`, overlapping neither
/// `points` nor labels placed earlier. Widths are in pixels; all labels have the same height.
///
/// Greedy: each label tries rings of growing radius and takes the first free place, or the least
/// covered one. Crowded points go first, because they have the fewest free places.
pub(crate) fn beside(
    points: &[(i32, i32)],
    widths: &[i32],
    height: i32,
    bounds: Area,
) -> Vec<Area> {
    const MARKER: i32 = 12;
    let markers: Vec<Area> =
        points.iter().map(|&point| Area::around(point, MARKER, MARKER)).collect();
    let crowd = |i: usize| {
        let (x, y) = points[i];
        points.iter().filter(|&&(u, v)| (u - x).abs() < 120 && (v - y).abs() < 40).count()
    };
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(crowd(i)), points[i].1, points[i].0));
    let mut placed: Vec<Option<Area>> = vec![None; points.len()];
    for i in order {
        let covered = |area: Area| {
            let others = placed.iter().flatten().chain(&markers);
            others.map(|&other| area.shared(other)).sum::<i64>() + 4 * area.outside(bounds)
        };
        let candidates = places(points[i], widths[i], height);
        placed[i] = candidates.into_iter().min_by_key(|&area| covered(area));
    }
    let beside = |i: usize| Area::around(points[i], widths[i], height);
    placed.iter().enumerate().map(|(i, area)| area.unwrap_or_else(|| beside(i))).collect()
}

/// Candidates from near to far: right, left, above, below, and the diagonals of each ring.
fn places((x, y): (i32, i32), width: i32, height: i32) -> Vec<Area> {
    let mut places = Vec::new();
    for ring in 0..9 {
        let (dx, dy) = (10 + width / 2 + 9 * ring, ring * (height + 2));
        for (u, v) in [
            (dx, 0),
            (-dx, 0),
            (0, -height - dy),
            (0, height + dy),
            (dx, -dy),
            (dx, dy),
            (-dx, -dy),
            (-dx, dy),
        ] {
            places.push(Area::around((x + u, y + v), width, height));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_that_do_not_overlap_stay_in_place() {
        assert_eq!(spread(&[10.0, 90.0, 50.0], 20.0, 0.0, 100.0), [10.0, 90.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 20.0, 0.0, 100.0), [40.0, 60.0]);
        assert_eq!(spread(&[0.0, 1.0], 20.0, 0.0, 100.0), [0.0, 20.0]);
    }

    proptest! {
        #[test]
        fn spread_labels_keep_their_gap_and_their_bounds(
            wanted in prop::collection::vec(-50.0f64..450.0, 0..25),
        ) {
            let mut found = spread(&wanted, 16.0, 0.0, 400.0);
            found.sort_by(f64::total_cmp);
            for pair in found.windows(2) {
                prop_assert!(pair[1] - pair[0] > 15.999);
            }
            prop_assert!(found.iter().all(|at| (-0.001..400.001).contains(at)));
        }

        #[test]
        fn labels_of_a_dozen_points_do_not_overlap(
            points in prop::collection::vec((60i32..600, 40i32..400), 1..13),
        ) {
            let widths = vec![110; points.len()];
            let bounds = Area { left: 0, top: 0, right: 760, bottom: 440 };
            let found = beside(&points, &widths, 16, bounds);
            for (i, area) in found.iter().enumerate() {
                prop_assert_eq!(area.outside(bounds), 0);
                for other in &found[i + 1..] {
                    prop_assert_eq!(area.shared(*other), 0);
                }
            }
        }
    }
}
