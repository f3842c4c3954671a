//! A comparison of two sessions.

use std::fmt::{self, Write};

use raywalk_judge::Judged;
use raywalk_judge::compare::{Comparison, PanelComparison, Row, format_difference};
use raywalk_judge::format::{NONE, NONE_SEEN, interval, list, percent, plural};
use raywalk_results::likeness::Difference;
use raywalk_results::statistics::{Interval, TooFew, factor};

use super::heading;
use super::text_table::{TextTable, number, text};

/// Prefix of every line of a comparison of sessions that cannot be compared.
const FORCED: &str = "forced | ";

/// Writes the sessions, one table per panel, and the outcome. If the sessions differ in `unlike`,
/// every line is marked, so that none can be quoted without the mark.
pub fn write(
    out: &mut dyn Write,
    sessions: [&Judged<'_>; 2],
    unlike: &[Difference],
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

fn heads(text: &mut String, sessions: [&Judged<'_>; 2], unlike: &[Difference]) -> fmt::Result {
    for (name, judged) in ["A", "B"].iter().zip(sessions) {
        writeln!(text, "{}", heading::session(name, judged))?;
    }
    for difference in unlike {
        writeln!(text, "unlike: {}", format_difference(difference))?;
    }
    Ok(())
}

fn rounds(text: &mut String, panel: &PanelComparison) -> fmt::Result {
    let floor = match panel.floor {
        Some(floor) => format!("noise of both A/A controls {}", percent(floor.share())),
        None => "A/A control: too few rounds, so there is no verdict".to_owned(),
    };
    let [a, b] = panel.rounds;
    let (id, baseline) = (&panel.panel.id, &panel.baseline);
    let why = match &panel.replaced {
        Some(own) => format!(", because {own} changed"),
        None => String::new(),
    };
    writeln!(text, "{id} · {a} and {b} rounds · against {baseline}{why} · {floor}")
}

fn rows(out: &mut String, panel: &PanelComparison) -> fmt::Result {
    let mut table = TextTable::new([
        text("design"),
        number("B÷A"),
        number("interval"),
        number("spread"),
        text("verdict on B"),
        number("time B÷A (weaker)"),
        number("interval"),
    ])
    .indented();
    for row in &panel.rows {
        table.row(cells(row));
    }
    table.write(out)
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

fn numbers(ends: Result<Interval, TooFew>) -> [String; 2] {
    match ends {
        Ok(ends) => [factor(ends.middle), interval(ends)],
        Err(_) => [NONE.to_owned(), NONE.to_owned()],
    }
}

fn outcome(text: &mut String, comparison: &Comparison) -> fmt::Result {
    let intervals = plural(comparison.comparisons, "interval");
    writeln!(
        text,
        "B÷A compares ratios formed within each session, which cancels what slows a whole session; \
         the ratio of times does not, and is weaker evidence."
    )?;
    writeln!(
        text,
        "All {intervals} together hold with 95 % confidence (Hodges–Lehmann). They do not include \
         variation between sessions: repeat both before attributing a difference to the code."
    )?;
    let rows = || comparison.panels.iter().flat_map(|panel| &panel.rows);
    if rows().any(|row| row.spread.is_some()) {
        writeln!(
            text,
            "Spread: two standard deviations over layouts or processes, A and B combined; a change \
             below it is not resolved."
        )?;
    }
    if rows().any(|row| row.relative.is_some() && row.spread.is_none()) {
        writeln!(
            text,
            "Without a spread, a session cannot tell how another process would have differed."
        )?;
    }
    if !comparison.left_out.is_empty() {
        writeln!(text, "In one session only: {}.", list(&comparison.left_out))?;
    }
    let margin = percent(comparison.margin);
    let found: Vec<String> = comparison
        .regressions()
        .map(|(panel, row)| format!("{} in {}", row.id, panel.panel.id))
        .collect();
    match found.len() {
        0 => writeln!(text, "No significant regression beyond the equality margin of {margin}."),
        n => writeln!(
            text,
            "{} beyond the equality margin of {margin}: {}.",
            plural(n, "significant regression"),
            list(&found)
        ),
    }
}
