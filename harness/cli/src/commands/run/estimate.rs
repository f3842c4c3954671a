//! `raywalk run --dry-run`.

use std::io::{self, Write};
use std::time::Duration;

use raywalk_judge::format::plural;
use raywalk_measure::plan::Plan;

use crate::registry::Entry;

/// Writes the plan and how long it will take.
pub(super) fn write(plan: &Plan, entries: &[&Entry], out: &mut dyn Write) -> io::Result<()> {
    let ids: Vec<_> = entries.iter().map(|entry| entry.card.id).collect();
    writeln!(out, "plan {}, {}: {}", plan.name, plural(ids.len(), "design"), ids.join(", "))?;
    let estimate = plan.estimate(ids.len());
    for panel in &estimate.panels {
        let time = duration(panel.time);
        let rounds = plural(panel.rounds as usize, "round");
        writeln!(out, "  {:<40} about {rounds}, {time}", panel.id)?;
    }
    let time = duration(estimate.time);
    writeln!(out, "about {time} of measuring, plus corpora and verification")
}

/// Formats a duration as `4 s` or `12 min`.
pub(super) fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}
