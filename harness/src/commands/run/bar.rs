//! How far a run is, for whoever waits.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use super::spoken;
use crate::measure::progress::{Progress, Step};

/// A bar for people; a line per panel for files.
pub(super) struct Bar {
    drawn: ProgressBar,
    panel: String,
}

impl Bar {
    pub fn new() -> Bar {
        if !std::io::stderr().is_terminal() {
            return Bar { drawn: ProgressBar::hidden(), panel: String::new() };
        }
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Bar { drawn: ProgressBar::new(0).with_style(style), panel: String::new() }
    }

    /// Leaves the terminal as it was.
    pub fn finish(&self) {
        self.drawn.finish_and_clear();
    }
}

impl Progress for Bar {
    fn step(&mut self, step: &Step<'_>) {
        self.drawn.set_length(step.total);
        self.drawn.set_position(step.done);
        let left = step.left.map(|left| format!(", {} left", spoken(left))).unwrap_or_default();
        self.drawn.set_message(format!("{} {}{left}", step.panel, step.message));
        if self.drawn.is_hidden() && self.panel != step.panel {
            self.panel = step.panel.to_owned();
            eprintln!("{:>3} %  {}{left}", 100 * step.done / step.total.max(1), step.panel);
        }
    }
}
