//! A sweep over K: each K predicted by the others, and the knee of a curve.

use super::Form;

/// Least rise of a curve that has a knee, as a share of its first value.
const RISES: f64 = 0.25;

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

/// The K at which a curve first reaches the middle between its first and last value, interpolated by the
/// logarithm of K. `None` if the last value is less than a quarter above the first. The definition is that
/// of the memorisation curve, so that measured and modelled knees can be compared.
///
/// `curve` holds K and value, by rising K.
pub fn knee(curve: &[(u64, f64)]) -> Option<f64> {
    let (&(_, first), &(_, last)) = (curve.first()?, curve.last()?);
    if last <= first || last < first * (1.0 + RISES) {
        return None;
    }
    let middle = f64::midpoint(first, last);
    let above = curve.iter().position(|&(_, value)| value >= middle)?;
    let ((from, low), (to, high)) = (*curve.get(above.checked_sub(1)?)?, curve[above]);
    let part = (middle - low) / (high - low);
    Some(from as f64 * (to as f64 / from as f64).powf(part))
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

    #[test]
    fn a_knee_lies_between_two_k_by_their_logarithm() {
        // The middle is 150; it is a quarter of the way from 100 to 300, in logarithms from 256 to 4096.
        let curve = [(64, 100.0), (256, 100.0), (4096, 300.0), (8192, 200.0)];
        assert!(knee(&curve).is_some_and(|k| (k - 512.0).abs() < 1e-9), "{:?}", knee(&curve));
    }

    #[test]
    fn misses_that_begin_at_zero_have_a_knee_and_flat_curves_have_none() {
        let misses = [(64, 0.0), (512, 0.0), (2048, 8.0)];
        assert!(knee(&misses).is_some_and(|k| (k - 1024.0).abs() < 1e-9), "{:?}", knee(&misses));
        assert_eq!(knee(&[(64, 100.0), (4096, 120.0)]), None);
        assert_eq!(knee(&[(64, 0.0), (4096, 0.0)]), None);
        assert_eq!(knee(&[]), None);
    }
}
