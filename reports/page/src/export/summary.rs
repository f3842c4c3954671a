//! The summary of panels as CSV: costs, ratios, intervals and verdicts, numbers to four digits.
//!
//! No interval of a session is a thousand times as narrow as its value, and more digits would not compress.

use raywalk_judge::Judged;
use raywalk_judge::spread::Bound;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::Stage;

use super::field;

/// One line per design and panel, for these panels of a session; values of the session are repeated in each.
pub fn summary_csv(judged: &Judged<'_>, panels: &[&PanelSummary]) -> String {
    let session = judged.trust.aa_control.map(|control| control.half_width());
    let mut csv = "panel,workload,stage,rounds,rank,design,control,legality,table_bytes,\
                   moves_per_position,ns_per_position,ns_per_move,\
                   cycles_per_position_derived,cycles_per_move_derived,ratio,ratio_low,ratio_high,\
                   spread,spread_over,verdict,aa_floor,resolution,session_aa_half_width,marked_samples\n"
        .to_owned();
    for panel in panels {
        for row in &panel.rows {
            line(&mut csv, panel, row, session);
        }
    }
    csv
}

fn line(csv: &mut String, summary: &PanelSummary, row: &Row, session: Option<f64>) {
    let panel = &summary.panel;
    let number = |value: Option<f64>| value.map_or(String::new(), four_digits);
    let interval = row.interval.ok();
    let bound = row.spread.bound();
    let verdict = row.verdict.map_or(String::new(), |verdict| verdict.to_string());
    let cells = [
        field(&panel.id),
        field(&panel.workload),
        field(panel.call.stage().map_or("", Stage::name)),
        summary.rounds.to_string(),
        summary.rank(&row.id).map_or(String::new(), |rank| rank.to_string()),
        field(&row.id),
        field(row.control.name()),
        field(row.legality.name()),
        row.table_bytes.map_or(String::new(), |bytes| bytes.to_string()),
        number(Some(row.moves)),
        number(Some(row.ns_position)),
        number(row.ns_move),
        number(row.cycles_position),
        number(row.cycles_move),
        number(Some(row.ratio)),
        number(interval.map(|interval| interval.low)),
        number(interval.map(|interval| interval.high)),
        number(bound.map(Bound::fraction)),
        bound.map_or("", |bound| bound.over.label()).to_owned(),
        field(&verdict),
        number(summary.aa_control.map(|control| control.floor.fraction())),
        number(summary.resolution),
        number(session),
        row.marked.to_string(),
    ];
    csv.push_str(&cells.join(","));
    csv.push('\n');
}

/// The shortest text of a number rounded to four digits. A page of a full session has three million characters of them.
fn four_digits(value: f64) -> String {
    format!("{value:.3e}").parse::<f64>().unwrap_or(value).to_string()
}
