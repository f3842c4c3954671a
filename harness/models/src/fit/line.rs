//! Straight lines, null models, and how much of a variance they explain.

use raywalk_results::statistics::{Moments, mean, median};

/// *y = intercept + slope × x*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// y at x = 0.
    pub intercept: f64,
    /// Change of y per unit of x.
    pub slope: f64,
}

impl Line {
    /// Least squares with an intercept. `None` if x does not vary, if there are fewer than two points, or
    /// if a value is not finite.
    ///
    /// # Panics
    /// If there are not as many x as y.
    pub(crate) fn least_squares(x: &[f64], y: &[f64]) -> Option<Line> {
        let moments = Moments::of(x, y)?;
        let slope = moments.xy / moments.xx;
        slope.is_finite().then_some(Line { intercept: moments.y - slope * moments.x, slope })
    }

    /// The line of weighted rank statistics (G. L. Sievers, Journal of the American Statistical Association
    /// 73, 1978). Its slope is the median of the slopes of all pairs of points, each with the distance of
    /// its points in x as weight; its intercept is the median of what the slope leaves of y.
    ///
    /// A few points beside the line of the others move it little. `None` as for [`Line::least_squares`].
    ///
    /// # Panics
    /// If there are not as many x as y.
    pub(crate) fn of_ranks(x: &[f64], y: &[f64]) -> Option<Line> {
        assert_eq!(x.len(), y.len(), "as many x as y");
        if x.iter().chain(y).any(|value| !value.is_finite()) {
            return None;
        }
        let points = || x.iter().zip(y);
        let mut slopes: Vec<(f64, f64)> = points()
            .enumerate()
            .flat_map(|(place, (x1, y1))| {
                points()
                    .skip(place + 1)
                    .map(move |(x2, y2)| ((y2 - y1) / (x2 - x1), (x2 - x1).abs()))
            })
            .filter(|(slope, weight)| *weight > 0.0 && slope.is_finite())
            .collect();
        slopes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let half = slopes.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
        let mut below = 0.0;
        let (slope, _) = slopes.into_iter().find(|(_, weight)| {
            below += weight;
            below >= half
        })?;
        let left: Vec<f64> = points().map(|(x, y)| y - slope * x).collect();
        Some(Line { intercept: median(&left)?, slope })
    }

    /// Value of the line at `x`.
    pub fn at(self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// The share of the variance of y that the line explains. For a line of least squares it is, in its own sample, the
    /// square of the correlation. A line of ranks can have less, even a negative share.
    ///
    /// # Panics
    /// If there are not as many x as y.
    pub fn r_squared(self, x: &[f64], y: &[f64]) -> Option<f64> {
        let predicted: Vec<f64> = x.iter().map(|&x| self.at(x)).collect();
        r_squared(y, &predicted)
    }
}

/// Form of the dependence of y on x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A line by weighted ranks. For misses.
    Line,
    /// Σy ÷ Σx for each unit of x, without intercept. For null models: the instructions and moves of a
    /// position do not change with K, so a line could not be fitted to a sweep.
    Proportional,
    /// The mean of y, whatever x is.
    Constant,
}

impl Form {
    /// Predicts y at `at`, from other points. `None` if the points do not determine it.
    ///
    /// # Panics
    /// If there are not as many x as y.
    pub fn predict(self, x: &[f64], y: &[f64], at: f64) -> Option<f64> {
        assert_eq!(x.len(), y.len(), "as many x as y");
        let total: f64 = y.iter().sum();
        let predicted = match self {
            Form::Line => Line::of_ranks(x, y)?.at(at),
            Form::Proportional => total / x.iter().sum::<f64>() * at,
            Form::Constant => total / y.len() as f64,
        };
        predicted.is_finite().then_some(predicted)
    }
}

/// 1 − Σ(measured − predicted)² ÷ Σ(measured − mean)². Out of sample it can be negative: the prediction is
/// then worse than the mean. `None` if the measured values do not vary or a value is not finite.
///
/// # Panics
/// If there are not as many predictions as measured values.
pub fn r_squared(measured: &[f64], predicted: &[f64]) -> Option<f64> {
    assert_eq!(measured.len(), predicted.len(), "a prediction for each value");
    let mean = mean(measured);
    let total: f64 = measured.iter().map(|value| (value - mean).powi(2)).sum();
    let left: f64 = measured
        .iter()
        .zip(predicted)
        .map(|(value, prediction)| (value - prediction).powi(2))
        .sum();
    let share = 1.0 - left / total;
    share.is_finite().then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::statistics::correlation;

    fn close(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn a_line_through_exact_points_is_found() {
        let (x, y) = ([0.0, 1.0, 5.0], [80.0, 113.0, 245.0]);
        for line in [Line::least_squares(&x, &y), Line::of_ranks(&x, &y)] {
            let line = line.expect("a line");
            assert!(close(Some(line.intercept), 80.0) && close(Some(line.slope), 33.0), "{line:?}");
            assert!(close(line.r_squared(&x, &y), 1.0));
        }
    }

    /// F. J. Anscombe, *Graphs in statistical analysis*, The American Statistician 27 (1973): four data sets
    /// with the line y = 3.00 + 0.500 x and R² = 0.667. This is the first of them.
    #[test]
    fn the_line_of_a_published_data_set_is_reproduced() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let line = Line::least_squares(&x, &y).expect("a line");
        assert!((line.intercept - 3.00).abs() < 0.005, "{line:?}");
        assert!((line.slope - 0.500).abs() < 0.0005, "{line:?}");
        let share = line.r_squared(&x, &y).expect("a share");
        assert!((share - 0.667).abs() < 0.0005, "{share}");
        assert!(close(correlation(&x, &y).map(|r| r * r), share));
    }

    /// The third of them: ten points on the line y = 4.0 + 0.346 x, as printed to two digits, and one far above it,
    /// which turns the line of least squares.
    #[test]
    fn one_point_beside_the_line_of_the_others_does_not_turn_a_line_of_ranks() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73];
        let line = Line::of_ranks(&x, &y).expect("a line");
        assert!(
            (line.intercept - 4.0).abs() < 0.02 && (line.slope - 0.346).abs() < 0.002,
            "{line:?}"
        );
    }

    #[test]
    fn slopes_weigh_as_much_as_their_points_lie_apart() {
        // From (0, 0) to (1, 1): 1, weight 1. To (11, 101): 101/11, weight 11. From (1, 1): 10, weight 10.
        let line = Line::of_ranks(&[0.0, 1.0, 11.0], &[0.0, 1.0, 101.0]).expect("a line");
        assert!(close(Some(line.slope), 101.0 / 11.0), "{line:?}");
        // What is left: 0, 1 − 101/11 and 0.
        assert!(close(Some(line.intercept), 0.0), "{line:?}");
    }

    #[test]
    fn a_prediction_worse_than_the_mean_has_a_negative_share() {
        assert!(close(r_squared(&[1.0, 2.0, 3.0], &[2.0, 2.0, 2.0]), 0.0));
        assert!(close(r_squared(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -3.0));
    }

    #[test]
    fn null_models_use_totals_or_the_mean() {
        let (instructions, cycles) = ([100.0, 300.0], [50.0, 110.0]);
        assert!(close(Form::Proportional.predict(&instructions, &cycles, 200.0), 80.0));
        assert!(close(Form::Constant.predict(&instructions, &cycles, 200.0), 80.0));
        assert!(close(Form::Line.predict(&instructions, &cycles, 500.0), 170.0));
    }

    #[test]
    fn samples_that_determine_nothing_have_no_answer() {
        for fit in [Line::least_squares, Line::of_ranks] {
            assert_eq!(fit(&[], &[]), None);
            assert_eq!(fit(&[1.0], &[1.0]), None);
            assert_eq!(fit(&[2.0, 2.0], &[1.0, 3.0]), None);
            assert_eq!(fit(&[1.0, f64::NAN], &[1.0, 3.0]), None);
        }
        assert_eq!(correlation(&[1.0, 2.0], &[5.0, 5.0]), None);
        assert_eq!(r_squared(&[5.0, 5.0], &[5.0, 5.0]), None);
        assert_eq!(Form::Constant.predict(&[], &[], 1.0), None);
        assert_eq!(Form::Proportional.predict(&[0.0], &[1.0], 1.0), None);
    }
}
