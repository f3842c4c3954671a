//! A sweep over K: each K predicted by the others.

use super::Form;

/// Each point of a sweep, predicted from the others.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaveOneOut {
    /// The prediction of each point.
    pub predicted: Vec<f64>,
    /// Mean absolute error as a share of the mean of the sweep. Compares models over one sweep.
    pub of_mean: f64,
    /// Mean absolute error relative to each point.
    pub mean: f64,
    /// Largest absolute error relative to its point.
    pub greatest: f64,
}

/// Predicts each of the points from all others. `None` if one of them cannot be predicted: a line takes at
/// least three points.
///
/// # Panics
/// If there are not as many x as y.
pub fn leave_one_out(form: Form, x: &[f64], y: &[f64]) -> Option<LeaveOneOut> {
    let without = |values: &[f64], index: usize| [&values[..index], &values[index + 1..]].concat();
    let predict = |index: usize| form.predict(&without(x, index), &without(y, index), x[index]);
    let predicted: Vec<f64> = (0..y.len()).map(predict).collect::<Option<_>>()?;
    let errors: Vec<f64> = predicted.iter().zip(y).map(|(one, y)| (one - y).abs()).collect();
    let relative: Vec<f64> = errors.iter().zip(y).map(|(error, y)| error / y).collect();
    let n = y.len() as f64;
    let found = LeaveOneOut {
        of_mean: errors.iter().sum::<f64>() / y.iter().sum::<f64>(),
        mean: relative.iter().sum::<f64>() / n,
        greatest: relative.iter().copied().fold(0.0, f64::max),
        predicted,
    };
    [found.of_mean, found.mean, found.greatest]
        .iter()
        .all(|value| value.is_finite())
        .then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_line_predicts_each_point_that_is_left_out() {
        let misses = [0.0, 0.1, 2.0, 7.0];
        let cycles = misses.map(|misses| 80.0 + 33.0 * misses);
        let found = leave_one_out(Form::Line, &misses, &cycles).expect("four predictions");
        assert!(found.greatest < 1e-9, "{found:?}");
    }

    #[test]
    fn the_errors_of_a_constant_are_those_worked_by_hand() {
        // Left out, 1, 2 and 6 are predicted by 4, 3.5 and 1.5: errors 3, 1.5 and 4.5.
        let found =
            leave_one_out(Form::Constant, &[0.0; 3], &[1.0, 2.0, 6.0]).expect("predictions");
        assert_eq!(found.predicted, [4.0, 3.5, 1.5]);
        assert_eq!(found.of_mean, 1.0, "3 + 1.5 + 4.5 = 9, which is the sum");
        assert_eq!(found.mean, (3.0 + 0.75 + 0.75) / 3.0);
        assert_eq!(found.greatest, 3.0);
    }

    #[test]
    fn two_points_are_too_few_for_a_line_without_one() {
        assert_eq!(leave_one_out(Form::Line, &[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(leave_one_out(Form::Constant, &[], &[]), None);
    }
}
