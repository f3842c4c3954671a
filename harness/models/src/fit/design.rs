//! The fit of one design, and the errors of all designs and orders together.

use raywalk_results::statistics::{knee, mean};

use super::{Form, LeaveOneOut, Line, Order, leave_one_out, r_squared};

/// A sweep of one design over K. The three slices are of equal length, by rising K.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// Positions per run, one value for each point of the sweep.
    pub k: &'a [u64],
    /// Measured cycles per position.
    pub cycles: &'a [f64],
    /// Modelled mispredictions per position.
    pub misses: &'a [f64],
}

/// Fit of a model to the sweep of one design.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignFit {
    /// Cycles over misses. Its slope is the cost of a misprediction.
    pub line: Line,
    /// Share of the variance over K that the line explains, in sample. Points beside the line lower it, even below
    /// zero, because it is a line of ranks.
    pub r_squared: f64,
    /// Intercept relative to the learnt replay, minus 1.
    pub intercept_error: f64,
    /// Each K predicted from the others.
    pub leave_one_out: LeaveOneOut,
    /// Knee of the measured cycles.
    pub measured_knee: Option<f64>,
    /// Knee of the modelled misses.
    pub modelled_knee: Option<f64>,
}

impl DesignFit {
    /// Fits a sweep. `learnt` is the learnt replay of its positions, in cycles. `None` if the misses do not
    /// determine a line, as those of a design without mispredictions, or if there are fewer than three K.
    ///
    /// # Panics
    /// If the slices of the sweep are not of equal length.
    pub fn of(sweep: Sweep<'_>, learnt: f64) -> Option<DesignFit> {
        assert_eq!(sweep.k.len(), sweep.cycles.len(), "as many K as cycles");
        let line = Line::of_ranks(sweep.misses, sweep.cycles)?;
        let curve = |values: &[f64]| -> Vec<(u64, f64)> {
            sweep.k.iter().copied().zip(values.iter().copied()).collect()
        };
        Some(DesignFit {
            line,
            r_squared: line.r_squared(sweep.misses, sweep.cycles)?,
            intercept_error: line.intercept / learnt - 1.0,
            leave_one_out: leave_one_out(Form::Line, sweep.misses, sweep.cycles)?,
            measured_knee: knee(&curve(sweep.cycles)).map(|knee| knee.at),
            modelled_knee: knee(&curve(sweep.misses)).map(|knee| knee.at),
        })
    }
}

/// The predictions of one model for several designs and orders, taken together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pooled {
    /// R² of the cycles, out of sample. High for most models, because designs differ in cost anyway.
    pub r_squared_cycles: f64,
    /// R² of the extra cost, out of sample.
    pub r_squared_extra: f64,
    /// Mean absolute error relative to the measured cycles.
    pub mean_error: f64,
    /// Largest absolute error relative to the measured cycles.
    pub greatest_error: f64,
}

impl Pooled {
    /// Judges predictions: each order with the cycles that a model predicts for it. For a model of misses
    /// these are [`Order::predicted`] with the slope of the order's design; a null model predicts them from
    /// instructions or moves. `None` if there are fewer than two orders or a value is not finite.
    pub fn of(orders: &[(Order, f64)]) -> Option<Pooled> {
        let column =
            |value: fn(&(Order, f64)) -> f64| orders.iter().map(value).collect::<Vec<f64>>();
        let (measured, predicted) = (column(|(order, _)| order.measured), column(|&(_, one)| one));
        let errors = column(|(order, predicted)| (predicted / order.measured - 1.0).abs());
        let extra = column(|(order, _)| order.extra());
        let predicted_extra = column(|(order, predicted)| predicted - order.learnt);
        Some(Pooled {
            r_squared_cycles: r_squared(&measured, &predicted)?,
            r_squared_extra: r_squared(&extra, &predicted_extra)?,
            mean_error: mean(&errors),
            greatest_error: errors.iter().copied().fold(0.0, f64::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_that_follows_its_model_is_fitted_without_an_error() {
        let misses = [0.0, 0.0, 2.0, 6.0, 8.0];
        let cycles = misses.map(|misses| 90.0 + 35.0 * misses);
        let sweep = Sweep { k: &[64, 256, 1024, 2048, 4096], cycles: &cycles, misses: &misses };
        let fit = DesignFit::of(sweep, 90.0).expect("a fit");
        assert!(
            (fit.line.slope - 35.0).abs() < 1e-9 && fit.intercept_error.abs() < 1e-9,
            "{fit:?}"
        );
        assert!((fit.r_squared - 1.0).abs() < 1e-9 && fit.leave_one_out.greatest < 1e-9, "{fit:?}");
        // The middle, 4 misses, is half way from 1,024 to 2,048: at 1,024 × √2.
        let expected = 1024.0 * 2f64.sqrt();
        assert!(fit.modelled_knee.is_some_and(|knee| (knee - expected).abs() < 1e-6), "{fit:?}");
        assert!(fit.measured_knee.is_some_and(|knee| (knee - expected).abs() < 1e-6), "{fit:?}");
    }

    #[test]
    fn a_model_that_never_misses_cannot_be_fitted() {
        let sweep = Sweep { k: &[64, 256, 1024], cycles: &[90.0, 91.0, 90.5], misses: &[0.0; 3] };
        assert_eq!(DesignFit::of(sweep, 90.0), None);
    }

    /// Two orders of 100 learnt cycles that cost 200 and 400.
    fn orders(predicted: [f64; 2]) -> Option<Pooled> {
        let order = |measured, misses| Order { learnt: 100.0, measured, misses };
        Pooled::of(&[(order(200.0, 3.0), predicted[0]), (order(400.0, 9.0), predicted[1])])
    }

    #[test]
    fn pooled_errors_are_those_worked_by_hand() {
        // Errors of +20 and −40 cycles: 10 % each. Of the variance, 2 × 100², 2,000 are left.
        let pooled = orders([220.0, 360.0]).expect("a judgement");
        assert!(
            (pooled.mean_error - 0.1).abs() < 1e-12 && (pooled.greatest_error - 0.1).abs() < 1e-12
        );
        assert!((pooled.r_squared_cycles - 0.9).abs() < 1e-12, "{pooled:?}");
        assert!((pooled.r_squared_extra - 0.9).abs() < 1e-12, "equal learnt parts change nothing");
    }

    #[test]
    fn one_order_or_none_has_no_judgement() {
        let order = Order { learnt: 100.0, measured: 200.0, misses: 3.0 };
        assert_eq!(Pooled::of(&[(order, 199.0)]), None);
        assert_eq!(Pooled::of(&[]), None);
    }
}
