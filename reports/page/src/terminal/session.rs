//! One panel as a ranked table.

use std::fmt::{self, Write};

use raywalk_judge::format::{
    MEMORISED, NONE, cost, grouped, interval, is_memorised, list, panel as name_of, percent,
    plural, spread as spread_of,
};
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::journal::Results;
use raywalk_results::schema::Legality;
use raywalk_results::statistics::factor;

use super::text_table::{TextTable, number, text};

/// Writes one panel: what is compared, the designs from fast to slow, and the noise floor.
pub fn write(out: &mut dyn Write, results: &Results, summary: &PanelSummary) -> fmt::Result {
    let panel = &summary.panel;
    writeln!(out, "{}", name_of(panel))?;
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
    let cycles = if summary.has_cycles() { ", cycles derived" } else { "" };
    writeln!(
        out,
        "provenance: measured (ns{cycles}); median of {}",
        plural(summary.rounds, "round")
    )?;
    writeln!(out)?;
    rows(out, summary)?;
    writeln!(out)?;
    floor(out, results, summary)?;
    if summary.rows.iter().any(|row| is_memorised(panel, row.control)) {
        writeln!(out, "{MEMORISED}")?;
    }
    let without = summary.left_out(results);
    if !without.is_empty() {
        writeln!(
            out,
            "not in this table, because they generate the moves of all pieces at once: {}",
            list(&without)
        )?;
    }
    Ok(())
}

fn rows(out: &mut dyn Write, summary: &PanelSummary) -> fmt::Result {
    let shown = [summary.has_cycles(), summary.has_spread()];
    let [cycles, spread] = shown;
    let mut columns = vec![number(""), text("design")];
    columns.extend(["ns/pos", "least", "ns/move"].map(number));
    if cycles {
        columns.extend(["cycles/pos", "cycles/move"].map(number));
    }
    columns.extend(["ratio", "interval"].map(number));
    if spread {
        columns.push(number("spread"));
    }
    columns.push(text("verdict"));
    let mut table = TextTable::new(columns);
    for (place, row) in summary.rows.iter().enumerate() {
        table.row(cells(summary, row, place + 1, shown));
    }
    table.write(out)
}

fn cells(
    summary: &PanelSummary,
    row: &Row,
    rank: usize,
    [cycles, spread]: [bool; 2],
) -> Vec<String> {
    let legal = row.legality == Legality::Legal && summary.mixes_legality();
    let legal = if legal { " (legal)" } else { "" };
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
        Ok(ends) => interval(ends),
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
    let memorised = is_memorised(&summary.panel, row.control);
    cells.push(if memorised { format!("{verdict}, memorised") } else { verdict });
    cells
}

fn floor(out: &mut dyn Write, results: &Results, summary: &PanelSummary) -> fmt::Result {
    match summary.aa_control {
        Some(control) => writeln!(
            out,
            "A/A control: noise floor {}; {} against itself {} ({})",
            percent(control.floor.share()),
            results.name(&summary.panel.baseline),
            factor(control.ratio.middle),
            interval(control.ratio),
        )?,
        None => writeln!(out, "A/A control: too few rounds, so there is no verdict")?,
    }
    if summary.has_spread() {
        writeln!(
            out,
            "spread: two standard deviations of the ratio over layouts or over processes, whichever \
             is larger; an effect below its spread is not resolved"
        )?;
    }
    if summary.rows.iter().any(|row| row.interval.is_ok()) {
        let comparisons = plural(summary.comparisons, "comparison");
        write!(out, "all intervals together hold with 95 % confidence ({comparisons}); ")?;
    }
    let marked: u64 = summary.rows.iter().map(|row| row.marked).sum();
    match marked {
        0 => writeln!(out, "no sample was disturbed"),
        1 => writeln!(out, "1 sample was disturbed and is kept"),
        _ => writeln!(out, "{} samples were disturbed and are kept", grouped(marked)),
    }
}
