//! The ranked table as plain text, for the terminal.

use std::fmt::{self, Write};

use crate::journal::Results;
use crate::statistics::factor;
use crate::summary::{PanelSummary, Row};
use crate::wording::{
    MEMORISED, NONE, cost, ends, grouped, is_memorised, list, panel as said, percent, plural,
    spread as spread_of,
};

/// Writes one panel: what was compared, the designs from fast to slow, and the noise floor.
///
/// # Errors
/// Only those of `out`.
pub fn write(out: &mut dyn Write, results: &Results, summary: &PanelSummary) -> fmt::Result {
    let panel = &summary.panel;
    writeln!(out, "{}", said(panel))?;
    let names: Vec<&str> =
        results.session.corpora.iter().map(|corpus| corpus.name.as_str()).collect();
    let corpora = match names.len() {
        0..=6 => format!("corpora of the session: {}", list(&names)),
        many => format!("{many} corpora in the session"),
    };
    writeln!(out, "{} · {} positions · {corpora}", panel.id, grouped(panel.positions))?;
    if summary.rows.is_empty() {
        return writeln!(out, "no round yet");
    }
    let cycles = if summary.has_cycles() { ", cycles derived from them" } else { "" };
    writeln!(out, "plane: measured (ns{cycles}); median of {}", plural(summary.rounds, "round"))?;
    writeln!(out)?;
    rows(out, summary)?;
    writeln!(out)?;
    floor(out, results, summary)?;
    if summary.rows.iter().any(|row| is_memorised(panel, &row.control)) {
        writeln!(out, "{MEMORISED}")?;
    }
    let without = summary.left_out(results);
    if !without.is_empty() {
        writeln!(out, "without sliders apart, and so not here: {}", list(&without))?;
    }
    Ok(())
}

/// Rows as cells, each column as wide as its widest.
fn rows(out: &mut dyn Write, summary: &PanelSummary) -> fmt::Result {
    let cycles = summary.has_cycles();
    let mut header = vec!["", "design", "ns/pos", "least", "ns/move"];
    if cycles {
        header.extend(["cycles/pos", "cycles/move"]);
    }
    header.extend(["ratio", "interval"]);
    let spread = summary.has_spread();
    if spread {
        header.push("spread");
    }
    header.push("verdict");
    let mut lines = vec![header.iter().map(|&cell| cell.to_owned()).collect::<Vec<String>>()];
    for (place, row) in summary.rows.iter().enumerate() {
        lines.push(cells(summary, row, place + 1, [cycles, spread]));
    }
    let columns = header.len();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).filter_map(width).collect();
    for line in &lines {
        let mut text = String::new();
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            // Words to the left, numbers to the right.
            if column == 1 || column + 1 == columns {
                write!(text, "{cell:<width$}  ")?;
            } else {
                write!(text, "{cell:>width$}  ")?;
            }
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

fn cells(
    summary: &PanelSummary,
    row: &Row,
    rank: usize,
    [cycles, spread]: [bool; 2],
) -> Vec<String> {
    let legal = if row.legality == "legal" && summary.mixes_legality() { " (legal)" } else { "" };
    let or_none = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), cost);
    let mut cells = vec![
        rank.to_string(),
        format!("{}{legal}", row.id),
        cost(row.ns_position.median),
        cost(row.ns_position.minimum),
        or_none(row.ns_move.map(|cost| cost.median)),
    ];
    if cycles {
        cells.push(or_none(row.cycles_position.map(|cost| cost.median)));
        cells.push(or_none(row.cycles_move.map(|cost| cost.median)));
    }
    let baseline = row.id == summary.panel.baseline;
    cells.push(factor(row.ratio));
    cells.push(match row.interval {
        _ if baseline => NONE.to_owned(),
        Ok(interval) => ends(interval),
        Err(_) => NONE.to_owned(),
    });
    if spread {
        cells.push(spread_of(&row.spread));
    }
    let verdict = match row.verdict {
        _ if baseline => "baseline".to_owned(),
        Some(verdict) => verdict.to_string(),
        None => "too few rounds".to_owned(),
    };
    let memorised = is_memorised(&summary.panel, &row.control);
    cells.push(if memorised { format!("{verdict}, memorised") } else { verdict });
    cells
}

fn floor(out: &mut dyn Write, results: &Results, summary: &PanelSummary) -> fmt::Result {
    match summary.itself {
        Some(itself) => writeln!(
            out,
            "A/A floor {}: {} against itself {} ({})",
            percent(itself.floor.share()),
            results.name(&summary.panel.baseline),
            factor(itself.ratio.middle),
            ends(itself.ratio),
        )?,
        None => writeln!(out, "A/A floor unknown: too few rounds, so there is no verdict")?,
    }
    if summary.has_spread() {
        writeln!(
            out,
            "spread: two standard deviations of the ratio over layouts, or over processes where they \
             are more; an effect below its spread is not resolved"
        )?;
    }
    if summary.rows.iter().any(|row| row.interval.is_ok()) {
        let confidence = plural(summary.comparisons, "comparison");
        write!(out, "intervals hold together at 95 %, {confidence}; ")?;
    }
    let marked: u64 = summary.rows.iter().map(|row| row.marked).sum();
    match marked {
        0 => writeln!(out, "no sample was disturbed"),
        1 => writeln!(out, "1 sample was disturbed and is kept"),
        _ => writeln!(out, "{} samples were disturbed and are kept", grouped(marked)),
    }
}
