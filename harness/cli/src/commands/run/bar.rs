//! Progress of a run.

use indicatif::ProgressBar;
use raywalk_measure::progress::{Progress, Step};

use crate::console::note;
use crate::duration::in_words;
use crate::explain::Watcher;
use crate::output::progress_bar;

/// A progress bar if stderr is a terminal, or else a few lines over the whole run.
pub(super) struct Bar {
    drawn: ProgressBar,
    lines: Lines,
}

impl Bar {
    /// For a plan of so many panels.
    pub(super) fn new(panels: usize) -> Bar {
        let drawn = progress_bar("{bar:30} {percent:>3} %  {msg}", 0);
        Bar { drawn, lines: Lines::new(panels) }
    }

    /// Removes the bar from the terminal.
    pub(super) fn finish(&self) {
        self.drawn.finish_and_clear();
    }

    fn draw(&self, done: u64, total: u64, message: String) {
        self.drawn.set_length(total);
        self.drawn.set_position(done);
        self.drawn.set_message(message);
    }
}

impl Progress for Bar {
    fn step(&mut self, step: &Step<'_>) {
        let left = step.left.map(|left| format!(", {} left", in_words(left))).unwrap_or_default();
        if self.drawn.is_hidden() {
            if let Some(percent) = self.lines.due(step.done, step.total) {
                note!("{percent:>3} %  {}{left}", step.panel);
            }
            return;
        }
        self.draw(step.done, step.total, format!("{} {}{left}", step.panel, step.activity.name()));
    }
}

impl Watcher for Bar {
    /// Only drawn: a line would stand for a part of the run, and nothing of it is measured yet.
    fn tracing(&mut self, workload: &str, done: u64, total: u64) {
        self.draw(done, total, format!("{workload} tracing"));
    }
}

/// Decides when a line is due: at most ten times and at most once per panel, evenly over the run, and
/// never before something was measured.
#[derive(Debug)]
struct Lines {
    wanted: u64,
    written: u64,
}

impl Lines {
    fn new(panels: usize) -> Lines {
        Lines { wanted: (panels as u64).clamp(1, 10), written: 0 }
    }

    /// The percentage to write, if a line is due.
    fn due(&mut self, done: u64, total: u64) -> Option<u64> {
        let reached = done * self.wanted / total.max(1);
        if reached <= self.written {
            return None;
        }
        self.written = reached;
        Some(100 * done / total.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracing_uses_up_no_line() {
        let mut bar = Bar { drawn: ProgressBar::hidden(), lines: Lines::new(3) };
        (0..=8).for_each(|done| bar.tracing("ab4", done, 8));
        let due: Vec<_> = (0..=1_000).filter_map(|done| bar.lines.due(done, 1_000)).collect();
        assert_eq!(due.len(), 3, "{due:?}");
    }

    #[test]
    fn lines_are_few_and_none_is_written_before_something_was_measured() {
        for (panels, expected) in [(1, 1), (3, 3), (12, 10), (129, 10)] {
            let mut lines = Lines::new(panels);
            // Panels are sized first, each with one step.
            assert!((0..panels).all(|_| lines.due(0, 1).is_none()));
            let written: Vec<_> = (0..=1_000).filter_map(|done| lines.due(done, 1_000)).collect();
            assert_eq!((written.len(), written.last()), (expected, Some(&100)), "{written:?}");
            assert!(written[0] > 0);
        }
    }
}
