//! One panel as a ranked table.

use raywalk_judge::Judged;
use raywalk_judge::boards;
use raywalk_judge::format::{
    NONE, certain, cost, grouped, interval, list, memorised_note, middle, panel as name_of,
    percent, plural, ratio, spread as spread_of, verdict as text_of,
};
use raywalk_judge::no_interval::why_no_verdict;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::journal::Results;
use raywalk_results::schema::Legality;

use super::screen::{Screen, Tone};
use super::text_table::{Cell, TextTable, number, text};

/// Writes one panel: what is compared, the designs from fast to slow, and the floor.
pub fn write(out: &mut Screen, judged: &Judged<'_>, summary: &PanelSummary) {
    let (results, panel) = (judged.results, &summary.panel);
    out.toned(name_of(panel), Tone::Heading);
    out.line(format!("{} · {}", panel.id, summary.positions(results)));
    if summary.rows.is_empty() {
        return out.line(match summary.rounds {
            0 => "no round yet",
            _ => "disturbances left no block of the baseline",
        });
    }
    let cycles = if summary.has_cycles() { ", cycles derived" } else { "" };
    let rounds = plural(summary.rounds, "round");
    out.line(format!("provenance: measured (ns{cycles}), {rounds}"));
    out.blank();
    let known: Vec<_> =
        summary.rows.iter().map(|row| judged.has_memorised(panel, &row.id)).collect();
    rows(out, judged, summary, &known);
    out.blank();
    floor(out, results, summary);
    if let Some(note) = memorised_note(panel, &known) {
        out.line(note);
    }
    if let Some(note) = boards::note(results, summary) {
        out.line(note);
    }
    if let Some(note) = summary.note_on_search() {
        out.line(note);
    }
    for design in summary.rows.iter().filter_map(|row| results.design(&row.id)) {
        if let Some(plugin) = &design.plugin {
            out.line(format!("{} is a plug-in: {}", design.id, plugin.file));
        }
    }
    let without = summary.left_out(results);
    if !without.is_empty() {
        out.line(format!(
            "not in this table, because {}: {}",
            panel.call.why_not_offered(),
            list(&without)
        ));
    }
}

/// Writes the designs; `memorised` shows for each whether it has memorised the positions.
fn rows(out: &mut Screen, judged: &Judged<'_>, summary: &PanelSummary, memorised: &[Option<bool>]) {
    let shown = [summary.has_cycles(), summary.has_spread()];
    let [cycles, spread] = shown;
    let mut columns = vec![number(""), text("design")];
    let result = summary.panel.call.result();
    columns.extend(["ns/pos".to_owned(), format!("ns/{result}")].map(number));
    if cycles {
        columns.extend(["cycles/pos".to_owned(), format!("cycles/{result}")].map(number));
    }
    if summary.counts_leaves() {
        columns.push(number("M leaves/s"));
    }
    columns.extend([number("ratio").section(), number("interval")]);
    if spread {
        columns.push(number("spread"));
    }
    columns.push(text("verdict"));
    let mut table = TextTable::new(columns);
    for (row, marks) in summary.rows.iter().zip(judged.marks(summary, memorised)) {
        table.row(cells(summary, row, shown, &marks));
    }
    table.write(out);
}

fn cells(
    summary: &PanelSummary,
    row: &Row,
    [cycles, spread]: [bool; 2],
    marks: &[&str],
) -> Vec<Cell> {
    let legal = row.legality == Legality::Legal && summary.mixes_legality();
    let legal = if legal { " (legal)" } else { "" };
    let shown = |value: f64| certain(value, row.half_width, cost);
    let or_none = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), shown);
    let mut cells = vec![
        summary.rank(&row.id).map_or_else(|| NONE.to_owned(), |rank| rank.to_string()),
        format!("{}{legal}", row.id),
        shown(row.ns_position),
        or_none(row.ns_move),
    ];
    if cycles {
        cells.push(or_none(row.cycles_position));
        cells.push(or_none(row.cycles_move));
    }
    if summary.counts_leaves() {
        cells.push(or_none(row.millions_per_second()));
    }
    let baseline = row.id == summary.panel.baseline;
    cells.push(ratio(row.ratio, row.interval));
    cells.push(match row.interval {
        _ if baseline => NONE.to_owned(),
        Ok(ends) => interval(ends),
        Err(_) => NONE.to_owned(),
    });
    if spread {
        cells.push(spread_of(&row.spread));
    }
    let (verdict, tone) = match &row.verdict {
        _ if baseline => ("baseline".to_owned(), Tone::Plain),
        Some(verdict) => (text_of(verdict), Tone::of(verdict)),
        None => (why_no_verdict(row.interval.err()), Tone::Weak),
    };
    let marks: String = marks.iter().map(|mark| format!(", {mark}")).collect();
    let mut cells: Vec<Cell> = cells.into_iter().map(Cell::from).collect();
    cells.push(Cell::toned(format!("{verdict}{marks}"), tone));
    cells
}

fn floor(out: &mut Screen, results: &Results, summary: &PanelSummary) {
    out.line(match summary.aa_control {
        Some(control) => format!(
            "A/A control: floor {}; {} against itself {} ({})",
            percent(control.floor.fraction()),
            results.name(&summary.panel.baseline),
            middle(control.ratio),
            interval(control.ratio),
        ),
        None => "A/A control: too few rounds, so there is no verdict".to_owned(),
    });
    if summary.has_spread() {
        out.line(
            "spread: two standard deviations of the ratio over layouts and processes together, at their upper \
             bounds of 80 %; an effect below its spread is not resolved",
        );
    }
    let comparisons = plural(summary.comparisons, "comparison");
    let confidence = match summary.rows.iter().any(|row| row.interval.is_ok()) {
        true => format!("all intervals together hold with 95 % confidence ({comparisons}); "),
        false => String::new(),
    };
    let marked: u64 = summary.rows.iter().map(|row| row.marked).sum();
    out.line(match marked {
        0 => format!("{confidence}no disturbance of a sample was detected"),
        1 => format!("{confidence}1 sample was disturbed"),
        _ => format!("{confidence}{} samples were disturbed", grouped(marked)),
    });
    for note in summary.notes_on_disturbances() {
        out.line(note);
    }
    let lost = summary.without_samples(results);
    if !lost.is_empty() {
        out.line(format!("not in this table, because disturbances left no block: {}", list(&lost)));
    }
    if let Some(note) = summary.note_on_learning(results) {
        out.line(note);
    }
    if let Some(resolution) = summary.resolution {
        out.line(format!(
            "smallest difference that this panel resolves for the median design: {}",
            percent(resolution)
        ));
    }
}
