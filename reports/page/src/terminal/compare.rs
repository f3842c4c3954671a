//! A comparison of two sessions.

use raywalk_judge::Judged;
use raywalk_judge::compare::{Comparison, PanelComparison, Row, format_difference};
use raywalk_judge::format::{NONE, interval, list, middle, percent, plural, verdict as text_of};
use raywalk_judge::no_interval::{NoInterval, why_no_verdict};
use raywalk_results::likeness::Difference;
use raywalk_results::statistics::Interval;

use super::heading;
use super::screen::{Screen, Tone};
use super::text_table::{Cell, TextTable, number, text};

/// Prefix of every line of a comparison of sessions that cannot be compared.
const FORCED: &str = "forced | ";

/// Writes the sessions, one table per panel, and the outcome. If the sessions differ in `unlike`, every line is marked,
/// so that none can be quoted without the mark. Markdown is for comments, whose length is limited: the outcome comes
/// first, and of the rows only those with a resolved change follow.
pub fn write(
    out: &mut Screen,
    sessions: [&Judged<'_>; 2],
    unlike: &[Difference],
    comparison: &Comparison,
) {
    if !unlike.is_empty() {
        out.mark_lines(FORCED);
    }
    heads(out, sessions, unlike);
    let is_short = out.is_markdown();
    if is_short {
        outcome(out, comparison);
    }
    let is_told = |row: &&Row| !is_short || row.is_change();
    for panel in comparison.panels.iter().filter(|panel| panel.rows.iter().any(|row| is_told(&row)))
    {
        out.blank();
        rounds(out, panel);
        rows(out, panel.rows.iter().filter(is_told));
    }
    let all = || comparison.panels.iter().flat_map(|panel| &panel.rows);
    let same = all().filter(|row| row.relative.is_some() && !row.is_change()).count();
    if is_short && same > 0 {
        out.line(format!("{} without a resolved change are left out.", plural(same, "comparison")));
    }
    out.blank();
    notes(out, comparison);
    if !is_short {
        outcome(out, comparison);
    }
}

fn heads(out: &mut Screen, sessions: [&Judged<'_>; 2], unlike: &[Difference]) {
    for (name, judged) in ["A", "B"].iter().zip(sessions) {
        heading::write(out, name, judged);
    }
    for difference in unlike {
        out.toned(format!("unlike: {}", format_difference(difference)), Tone::Warning);
    }
}

fn rounds(out: &mut Screen, panel: &PanelComparison) {
    let floor = match panel.floor {
        Some(floor) => format!("floor of both A/A controls {}", percent(floor.fraction())),
        None => "A/A control: too few rounds, so there is no verdict".to_owned(),
    };
    let rounds = match panel.rounds {
        [0, 0] => "no position in common".to_owned(),
        [a, b] => format!("{a} and {b} rounds"),
    };
    let (id, baseline) = (&panel.panel.id, &panel.baseline);
    let why = match &panel.replaced {
        Some(own) => format!(", because {own} changed"),
        None => String::new(),
    };
    out.line(format!("{id} · {rounds} · against {baseline}{why} · {floor}"));
}

fn rows<'a>(out: &mut Screen, rows: impl Iterator<Item = &'a Row>) {
    let mut table = TextTable::new([
        text("design"),
        number("B÷A"),
        number("interval"),
        number("spread"),
        text("verdict on B"),
        number("time B÷A (weaker)").section(),
        number("interval"),
    ])
    .indented();
    rows.for_each(|row| table.row(cells(row)));
    table.write(out);
}

fn cells(row: &Row) -> [Cell; 7] {
    let [ratio, interval] = match row.relative {
        None => [NONE.to_owned(), NONE.to_owned()],
        Some(relative) => numbers(relative),
    };
    let verdict = match (row.relative, row.verdict, row.regression) {
        (None, ..) => "baseline".to_owned().into(),
        (Some(relative), None, _) => Cell::toned(why_no_verdict(relative.err()), Tone::Weak),
        (_, Some(verdict), true) => {
            Cell::toned(format!("{}: a regression", text_of(&verdict)), Tone::Bad)
        }
        (_, Some(verdict), false) => Cell::toned(text_of(&verdict), Tone::of(&verdict)),
    };
    let spread = match row.spread {
        None => NONE.to_owned(),
        Some(log) => percent(log.exp_m1()),
    };
    let [time, of_time] = numbers(row.time);
    let [id, ratio, interval, spread, time, of_time] =
        [row.id.clone(), ratio, interval, spread, time, of_time].map(Cell::from);
    [id, ratio, interval, spread, verdict, time, of_time]
}

fn numbers(ends: Result<Interval, NoInterval>) -> [String; 2] {
    match ends {
        Ok(ends) => [middle(ends), interval(ends)],
        Err(_) => [NONE.to_owned(), NONE.to_owned()],
    }
}

/// The meaning of the numbers, and the rows that were left out.
fn notes(out: &mut Screen, comparison: &Comparison) {
    let intervals = plural(comparison.comparisons, "interval");
    out.line(
        "B÷A compares ratios formed within each session, which cancels what slows a whole session; \
         the ratio of times does not, and is weaker evidence.",
    );
    out.line(format!(
        "All {intervals} together hold with 95 % confidence and count only batches that both sessions \
         measured. Variation between whole sessions is not included: repeat both before attributing a \
         difference to the code."
    ));
    let rows = || comparison.panels.iter().flat_map(|panel| &panel.rows);
    if rows().any(|row| row.spread.is_some()) {
        out.line(
            "Spread: two standard deviations over layouts and processes, A and B combined; a change \
             below it is not resolved.",
        );
    }
    if rows().any(|row| row.relative.is_some() && row.spread.is_none()) {
        out.line(
            "Without a spread, a session cannot tell how another process would have differed.",
        );
    }
    if !comparison.left_out.is_empty() {
        out.line(format!("In one session only: {}.", list(&comparison.left_out)));
    }
}

/// Whether there is a regression, and how many changes are open.
fn outcome(out: &mut Screen, comparison: &Comparison) {
    let margin = percent(comparison.margin);
    let found: Vec<String> = comparison
        .regressions()
        .map(|(panel, row)| format!("{} in {}", row.id, panel.panel.id))
        .collect();
    match found.len() {
        0 => out.toned(
            format!("No significant regression beyond the equality margin of {margin}."),
            Tone::Good,
        ),
        n => {
            let regressions = plural(n, "significant regression");
            let found = list(&found);
            out.toned(
                format!("{regressions} beyond the equality margin of {margin}: {found}."),
                Tone::Bad,
            );
        }
    }
    let rows = comparison.panels.iter().flat_map(|panel| &panel.rows);
    let compared: Vec<&Row> = rows.filter(|row| row.relative.is_some()).collect();
    let open = compared.iter().filter(|row| row.is_open()).count();
    if open > 0 {
        let all = plural(compared.len(), "change");
        out.line(format!(
            "{open} of {all} could not be resolved, so a regression may be among them."
        ));
    }
}
