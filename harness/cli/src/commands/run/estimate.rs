//! `raywalk run --dry-run`.

use std::io::{self, Write};
use std::time::Duration;

use raywalk_judge::format::plural;
use raywalk_measure::plan::Plan;

use crate::console::plain;

/// Writes the plan and how long it will take.
pub(super) fn write(plan: &Plan, ids: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let designs = plural(ids.len(), "design");
    writeln!(out, "plan {}, {designs}: {}", plain(&plan.name), ids.join(", "))?;
    let estimate = plan.estimate(ids.len());
    let width = estimate.panels.iter().map(|panel| panel.id.len()).max().unwrap_or(0);
    let rounds = estimate.panels.iter().map(|panel| panel.rounds.to_string().len()).max();
    let rounds = rounds.unwrap_or(0);
    for panel in &estimate.panels {
        let time = duration(panel.time);
        let (number, noun) = (panel.rounds, if panel.rounds == 1 { "round " } else { "rounds" });
        writeln!(out, "  {:<width$}  about {number:>rounds$} {noun}  {time:>7}", panel.id)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_every_plan_are_aligned() {
        for plan in [Plan::quick(), Plan::full()] {
            let mut text = Vec::new();
            write(&plan, &["bell/last-square"], &mut text).expect("memory");
            let text = String::from_utf8(text).expect("text");
            assert!(text.starts_with(&format!("plan {}, 1 design: bell", plan.name)), "{text}");
            let rows: Vec<_> = text.lines().filter(|line| line.starts_with("  ")).collect();
            assert_eq!(rows.len(), plan.panels.len());
            for row in &rows {
                assert_eq!(row.find("  about "), rows[0].find("  about "), "{row}");
                assert_eq!(row.len(), rows[0].len(), "{row}");
            }
        }
    }
}
