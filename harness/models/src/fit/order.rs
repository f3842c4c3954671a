//! Predictions out of sample: positions in the order of a tree or a game.

/// One design over the positions of a tree or a game, in their order. Cycles and misses are per position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// Measured cycles of the same positions in runs so short that they are learnt.
    pub learnt: f64,
    /// Measured cycles with the positions in their order.
    pub measured: f64,
    /// Modelled mispredictions with the positions in their order.
    pub misses: f64,
}

impl Order {
    /// Learnt replay + slope × misses. The slope is that of the design's sweep.
    pub fn predicted(&self, slope: f64) -> f64 {
        self.learnt + slope * self.misses
    }

    /// Measured cycles above the learnt replay.
    pub fn extra(&self) -> f64 {
        self.measured - self.learnt
    }

    /// Error of the prediction relative to the measured cycles; positive if it is too high.
    pub fn error(&self, slope: f64) -> f64 {
        self.predicted(slope) / self.measured - 1.0
    }

    /// Extra cycles per modelled misprediction. If one slope holds for all orders, these agree, and the ratio
    /// of two of them is near 1.
    pub fn cycles_per_miss(&self) -> f64 {
        self.extra() / self.misses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_worked_by_hand() {
        // 80 cycles learnt, 240 in order: 160 extra. Five misses of 34 cycles predict 170.
        let order = Order { learnt: 80.0, measured: 240.0, misses: 5.0 };
        assert_eq!(order.predicted(34.0), 250.0);
        assert!((order.error(34.0) - 10.0 / 240.0).abs() < 1e-12);
        assert_eq!(order.cycles_per_miss(), 32.0);
    }

    #[test]
    fn the_slope_of_the_order_itself_leaves_no_error() {
        let order = Order { learnt: 99.0, measured: 387.0, misses: 9.9 };
        assert!(order.error(order.cycles_per_miss()).abs() < 1e-12);
    }
}
