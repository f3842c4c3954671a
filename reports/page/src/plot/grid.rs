//! The grid of a plot whose curves run over whole numbers on a logarithmic axis.

use std::collections::BTreeSet;
use std::ops::Range;

use raywalk_judge::format::grouped;

use super::canvas::{Canvas, Frame, LogLog, at, log_log};
use super::scale::{log_ticks, tick};

/// Draws a line across the frame at each tick of `y` and one down at each of `columns`, then the axes.
pub(crate) fn log_grid(
    canvas: &mut Canvas,
    frame: &Frame,
    x: Range<f64>,
    y: Range<f64>,
    columns: impl Iterator<Item = u64>,
) -> LogLog {
    let axes = log_log(x, y.clone(), frame);
    for value in log_ticks(&y, 8) {
        frame.across(canvas, at(&axes, 1.0, value).1, &tick(value));
    }
    for column in columns.collect::<BTreeSet<_>>() {
        frame.down(canvas, at(&axes, column as f64, y.start).0, &grouped(column));
    }
    frame.axes(canvas);
    axes
}
