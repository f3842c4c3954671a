//! The grid of a plot whose curves run over whole numbers on a logarithmic axis.

use std::collections::BTreeSet;
use std::ops::Range;

use raywalk_judge::format::grouped;

use super::canvas::{Canvas, Frame, LogLog, at, log_log};
use super::scale::{log_ticks, tick};

/// Pixels that a label may stand out from the frame.
const ROOM: i32 = 14;

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
    let columns: BTreeSet<u64> = columns.collect();
    let label = |&column: &u64| (at(&axes, column as f64, y.start).0, grouped(column));
    frame.all_down(canvas, &columns.iter().map(label).collect::<Vec<_>>(), ROOM);
    frame.axes(canvas);
    axes
}
