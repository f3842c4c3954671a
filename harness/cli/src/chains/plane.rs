//! Least squares: a number per call, per ray and per visited square.

use raywalk_models::fit::Bootstrap;
use raywalk_results::schema::SlopeInterval;
use serde::Serialize;

use super::Lone;

/// Cycles, iterations or instructions of a call, split into call, rays and squares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Plane {
    /// Constant part of a call, whatever the number of rays and squares.
    pub(crate) per_call: f64,
    /// Additional amount for each ray that is not empty.
    pub(crate) per_ray: f64,
    /// Additional amount for each visited square.
    pub(crate) per_square: f64,
    /// Root mean square of what is not explained, in the unit of the quantity per call.
    pub(crate) residual: f64,
}

impl Plane {
    /// The plane nearest to one value for each position.
    pub(crate) fn through(lone: &[Lone], values: &[f64]) -> Plane {
        let points: Vec<[f64; 3]> = lone.iter().map(Lone::point).collect();
        Plane::near(&points, values)
    }

    /// The 95 % interval of the cycles per visited square: how far they depend on the positions, of which a bootstrap
    /// draws runs of neighbours. `None` for too few positions.
    pub(crate) fn interval_of_slope(lone: &[Lone], values: &[f64]) -> Option<SlopeInterval> {
        let points: Vec<[f64; 3]> = lone.iter().map(Lone::point).collect();
        let slope = |drawn: &[usize]| {
            let of_drawn: Vec<[f64; 3]> = drawn.iter().map(|&place| points[place]).collect();
            let values: Vec<f64> = drawn.iter().map(|&place| values[place]).collect();
            let slope = Plane::near(&of_drawn, &values).per_square;
            slope.is_finite().then_some(slope)
        };
        let ends = Bootstrap::default().interval(points.len(), slope)?;
        Some(SlopeInterval { low: ends.low, high: ends.high })
    }

    fn near(points: &[[f64; 3]], values: &[f64]) -> Plane {
        // The normal equations, with the right side as the last column.
        let mut rows = [[0.0; 4]; 3];
        for (point, value) in points.iter().zip(values) {
            for (row, one) in rows.iter_mut().zip(point) {
                for (cell, other) in row.iter_mut().zip(point.iter().chain([value])) {
                    *cell += one * other;
                }
            }
        }
        let [per_call, per_ray, per_square] = solved(rows);
        let error = |(point, value): (&[f64; 3], &f64)| {
            let [one, rays, squares] = point;
            (value - per_call * one - per_ray * rays - per_square * squares).powi(2)
        };
        let errors: f64 = points.iter().zip(values).map(error).sum();
        let residual = (errors / points.len().max(1) as f64).sqrt();
        Plane { per_call, per_ray, per_square, residual }
    }
}

/// Solves three linear equations by elimination with the largest pivot. The positions vary in both numbers, so
/// there is one solution.
fn solved(mut rows: [[f64; 4]; 3]) -> [f64; 3] {
    for column in 0..3 {
        let pivot = (column..3)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .unwrap_or(column);
        rows.swap(column, pivot);
        let pivot = rows[column];
        for (place, row) in rows.iter_mut().enumerate() {
            if place != column {
                let factor = row[column] / pivot[column];
                row.iter_mut().zip(pivot).for_each(|(cell, above)| *cell -= factor * above);
            }
        }
    }
    std::array::from_fn(|n| rows[n][3] / rows[n][n])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_exactly() {
        let lone = Lone::all();
        let value = |lone: &Lone| 40.0 + 3.5 * lone.rays as f64 + 11.0 * lone.squares as f64;
        let values: Vec<f64> = lone.iter().map(value).collect();
        let found = Plane::through(&lone, &values);
        for (found, expected) in
            [(found.per_call, 40.0), (found.per_ray, 3.5), (found.per_square, 11.0)]
        {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert!(found.residual < 1e-6);
    }

    #[test]
    fn the_interval_of_a_slope_holds_it_and_is_wider_where_positions_differ() {
        let lone = Lone::all();
        let ends = |noise: f64| {
            // Positions of one number of rays and squares still differ.
            let value = |(n, lone): (usize, &Lone)| {
                let other = (n * 7 % 11) as f64 - 5.0;
                40.0 + 3.5 * lone.rays as f64 + 11.0 * lone.squares as f64 + noise * other
            };
            let values: Vec<f64> = lone.iter().enumerate().map(value).collect();
            let ends = Plane::interval_of_slope(&lone, &values).expect("enough positions");
            assert!(ends.low - 1e-9 < 11.0 && 11.0 < ends.high + 1e-9, "{ends:?}");
            ends.high - ends.low
        };
        let [none, little, much] = [0.0, 1.0, 4.0].map(ends);
        assert!(none < 1e-9 && little > 0.01 && (much / little - 4.0).abs() < 1e-6);
        assert_eq!(Plane::interval_of_slope(&[], &[]), None);
    }

    #[test]
    fn what_is_not_explained_is_the_residual() {
        // Two values at each of three points, one above and one below the plane.
        let points = [[1.0, 1.0, 7.0], [1.0, 4.0, 9.0], [1.0, 2.0, 14.0]];
        let points: Vec<[f64; 3]> = points.iter().flat_map(|&point| [point; 2]).collect();
        let values: Vec<f64> =
            points.iter().enumerate().map(|(n, p)| p[2] + [2.0, -2.0][n % 2]).collect();
        let found = Plane::near(&points, &values);
        assert!((found.per_square - 1.0).abs() < 1e-9 && (found.residual - 2.0).abs() < 1e-9);
    }
}
