//! A comparison as plain text, for the terminal and for logs.

use std::fmt::{self, Write};

use super::{Comparison, PanelComparison, Row, Unlike};
use crate::grade::grade;
use crate::journal::Results;
use crate::statistics::{Interval, TooFew, factor};
use crate::summary::summarise;
use crate::wording::{NONE, NONE_SEEN, ends, list, percent, plural};

/// Stands before every line of a comparison that should not have been made.
const FORCED: &str = "forced | ";

/// Writes the sessions, one table per panel, and the outcome. If the sessions are `unlike`, every
/// line is marked, so that none can be quoted without it.
///
/// # Errors
/// Only those of `out`.
pub fn write(
    out: &mut dyn Write,
    sessions: [&Results; 2],
    unlike: &[Unlike],
    comparison: &Comparison,
) -> fmt::Result {
    let mut text = String::new();
    heads(&mut text, sessions, unlike)?;
    for panel in comparison.panels.iter().filter(|panel| !panel.rows.is_empty()) {
        writeln!(text)?;
        rounds(&mut text, panel)?;
        rows(&mut text, panel)?;
    }
    writeln!(text)?;
    outcome(&mut text, comparison)?;
    let mark = if unlike.is_empty() { "" } else { FORCED };
    for line in text.lines() {
        writeln!(out, "{}", format!("{mark}{line}").trim_end())?;
    }
    Ok(())
}

fn heads(text: &mut String, sessions: [&Results; 2], unlike: &[Unlike]) -> fmt::Result {
    for (name, results) in ["A", "B"].iter().zip(sessions) {
        let (session, build) = (&results.session, &results.session.build);
        let commit = build.commit.as_deref().unwrap_or("no commit");
        let short = commit.get(..12).unwrap_or(commit);
        let dirty = if build.dirty { ", with changes" } else { "" };
        let stopped = if results.end.is_none() { ", stopped before its end" } else { "" };
        let (plan, started, cpu) = (&session.plan, &session.started, &session.machine.cpu);
        let graded = grade(results, &summarise(results));
        writeln!(
            text,
            "{name}  {started}  plan {plan}  {short}{dirty}  {cpu}{stopped}; grade {}: {}",
            graded.letter,
            graded.letter.meaning()
        )?;
    }
    for difference in unlike {
        writeln!(text, "unlike: {difference}")?;
    }
    Ok(())
}

fn rounds(text: &mut String, panel: &PanelComparison) -> fmt::Result {
    let floor = match panel.floor {
        Some(floor) => format!("both A/A floors together {}", percent(floor.share())),
        None => "A/A floor unknown: too few rounds, so there is no verdict".to_owned(),
    };
    let [a, b] = panel.rounds;
    let (id, baseline) = (&panel.panel.id, &panel.baseline);
    let why = match &panel.replaced {
        Some(own) => format!(", because {own} itself changed"),
        None => String::new(),
    };
    writeln!(text, "{id} · {a} and {b} rounds · against {baseline}{why} · {floor}")
}

fn rows(text: &mut String, panel: &PanelComparison) -> fmt::Result {
    let heads =
        ["design", "B÷A", "interval", "spread", "verdict on B", "time B÷A (weaker)", "interval"];
    let mut lines = vec![heads.map(str::to_owned)];
    lines.extend(panel.rows.iter().map(cells));
    let widest = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..heads.len()).filter_map(widest).collect();
    for line in &lines {
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            // Words to the left, numbers to the right.
            match column {
                0 | 4 => write!(text, "  {cell:<width$}")?,
                _ => write!(text, "  {cell:>width$}")?,
            }
        }
        writeln!(text)?;
    }
    Ok(())
}

fn cells(row: &Row) -> [String; 7] {
    let [ratio, interval] = match row.relative {
        None => [NONE.to_owned(), NONE.to_owned()],
        Some(relative) => numbers(relative),
    };
    let verdict = match (row.relative, row.verdict, row.regression) {
        (None, ..) => "baseline".to_owned(),
        (_, None, _) => "too few rounds".to_owned(),
        (_, Some(verdict), true) => format!("{verdict}: a regression"),
        (_, Some(verdict), false) => verdict.to_string(),
    };
    let spread = match row.spread {
        None => NONE.to_owned(),
        Some(0.0) => NONE_SEEN.to_owned(),
        Some(log) => percent(log.exp_m1()),
    };
    let [time, of_time] = numbers(row.time);
    [row.id.clone(), ratio, interval, spread, verdict, time, of_time]
}

fn numbers(interval: Result<Interval, TooFew>) -> [String; 2] {
    match interval {
        Ok(interval) => [factor(interval.middle), ends(interval)],
        Err(_) => [NONE.to_owned(), NONE.to_owned()],
    }
}

fn outcome(text: &mut String, comparison: &Comparison) -> fmt::Result {
    let intervals = plural(comparison.comparisons, "interval");
    writeln!(
        text,
        "B÷A compares ratios made within a session, so what slows all of it falls out; the ratio of \
         times does not, and is the weaker."
    )?;
    writeln!(
        text,
        "All {intervals} hold together at 95 % (Hodges–Lehmann). They do not know what one hour does \
         to a design: repeat both sessions before the code is blamed."
    )?;
    let rows = || comparison.panels.iter().flat_map(|panel| &panel.rows);
    if rows().any(|row| row.spread.is_some()) {
        writeln!(
            text,
            "Spread: two standard deviations over layouts or processes, of A and B together; a change \
             below it is not resolved."
        )?;
    }
    if rows().any(|row| row.relative.is_some() && row.spread.is_none()) {
        writeln!(
            text,
            "Where no spread stands, a session does not know what another process would have said."
        )?;
    }
    if !comparison.left_out.is_empty() {
        writeln!(text, "Only in one of the two: {}.", list(&comparison.left_out))?;
    }
    let gate = percent(comparison.gate);
    let found: Vec<String> = comparison
        .regressions()
        .map(|(panel, row)| format!("{} in {}", row.id, panel.panel.id))
        .collect();
    match found.len() {
        0 => writeln!(text, "No regression beyond {gate} is proved."),
        n => writeln!(text, "{} beyond {gate}: {}.", plural(n, "proved regression"), list(&found)),
    }
}
