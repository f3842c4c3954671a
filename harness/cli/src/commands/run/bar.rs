//! Progress of a run.

use indicatif::ProgressBar;
use raywalk_measure::progress::{Progress, Step};

use super::estimate::duration;
use crate::commands::output::progress_bar;
use crate::console::note;

/// A progress bar if stderr is a terminal, or else one line per panel.
pub(super) struct Bar {
    drawn: ProgressBar,
    /// Panel of the last line.
    panel: String,
}

impl Bar {
    pub(super) fn new() -> Bar {
        let drawn = progress_bar("{bar:30} {percent:>3} %  {msg}", 0);
        Bar { drawn, panel: String::new() }
    }

    /// Removes the bar from the terminal.
    pub(super) fn finish(&self) {
        self.drawn.finish_and_clear();
    }
}

impl Progress for Bar {
    fn step(&mut self, step: &Step<'_>) {
        self.drawn.set_length(step.total);
        self.drawn.set_position(step.done);
        let left = step.left.map(|left| format!(", {} left", duration(left))).unwrap_or_default();
        self.drawn.set_message(format!("{} {}{left}", step.panel, step.message));
        if self.drawn.is_hidden() && self.panel != step.panel {
            self.panel = step.panel.to_owned();
            note!("{:>3} %  {}{left}", 100 * step.done / step.total.max(1), step.panel);
        }
    }
}
