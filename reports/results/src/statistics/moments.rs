//! Joint variation of two variables.

use super::mean;

/// The means of x and y, and the sums of squares and products about them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Mean of x.
    pub x: f64,
    /// Mean of y.
    pub y: f64,
    /// Σ(x − mean)².
    pub xx: f64,
    /// Σ(x − mean)(y − mean).
    pub xy: f64,
    /// Σ(y − mean)².
    pub yy: f64,
}

impl Moments {
    /// `None` below two points.
    ///
    /// # Panics
    /// If there are not as many x as y.
    pub fn of(x: &[f64], y: &[f64]) -> Option<Moments> {
        assert_eq!(x.len(), y.len(), "as many x as y");
        let mut moments = Moments { x: mean(x), y: mean(y), xx: 0.0, xy: 0.0, yy: 0.0 };
        for (x, y) in x.iter().zip(y) {
            let (dx, dy) = (x - moments.x, y - moments.y);
            moments.xx += dx * dx;
            moments.xy += dx * dy;
            moments.yy += dy * dy;
        }
        (x.len() >= 2).then_some(moments)
    }

    /// Pearson's correlation, from −1 to 1. `None` if x or y does not vary or a value is not finite.
    pub fn correlation(self) -> Option<f64> {
        let correlation = self.xy / (self.xx * self.yy).sqrt();
        // Rounding can leave the range by one part in 10^16.
        correlation.is_finite().then(|| correlation.clamp(-1.0, 1.0))
    }
}

/// [`Moments::correlation`] of two lists, which are equally long.
pub fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    Moments::of(x, y)?.correlation()
}
