//! Captures of generated positions: the fastest design of each family where no position resembles the one before. In
//! the full plan these are queen endings, with long rays and few captures.
//!
//! The same designs on the captures of the headline workload stand beside it.

use raywalk_judge::format::{NONE, certain, cost, panel as name_of, verdict as verdict_text};
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::{Call, Control, Legality, Order, Stage};

use super::canvas::{Canvas, at, log_log};
use super::figure::{Figure, of_panel};
use super::narrow::{foot, head};
use super::rows::{Margins, Rows};
use super::scale::{log_range, log_ticks, tick};
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::{Metric, View};

const MARGINS: Margins = Margins { left: 236, right: 180, row: 24 };

/// The fastest pseudo-legal design of a family.
struct Best<'a> {
    row: &'a Row,
    cost: f64,
    /// Its cost in the panel beside, if it has one.
    beside: Option<f64>,
}

/// Needs captures of generated positions. Of several such workloads the one with the fewest captures is drawn.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let moves = |panel: &&PanelSummary| panel.rows.first().map_or(f64::INFINITY, |row| row.moves);
    let panel = captures(view)
        .filter(|panel| panel.panel.regime.order == Order::Generated)
        .min_by(|one, other| moves(one).total_cmp(&moves(other)))?;
    let headline = view.judged.headline().map(|headline| &headline.panel.workload);
    let beside = captures(view).find(|panel| Some(&panel.panel.workload) == headline);
    let metric = Metric::of([panel].into_iter().chain(beside));
    let best = best(panel, beside, metric);
    let paint = |canvas| paint(canvas, view, &best, [Some(panel), beside], metric);
    Some(Figure {
        id: "captures".to_owned(),
        title: format!("Captures in {}: the fastest design of each family", panel.panel.workload),
        finding: of_panel(view, panel, &finding(view, panel)?),
        canvas: paint(Canvas::new(0)),
        narrow: paint(Canvas::narrow()),
        numbers: numbers(view, &best, [Some(panel), beside], metric),
    })
}

/// The panels with the captures of a stream, all pieces, unperturbed.
fn captures<'a>(view: View<'a>) -> impl Iterator<Item = &'a PanelSummary> {
    view.judged.panels.iter().filter(|summary| {
        let panel = &summary.panel;
        panel.call == Call::generate(Stage::Captures)
            && panel.regime.period.is_none()
            && !panel.regime.is_perturbed()
            && !summary.rows.is_empty()
    })
}

/// The fastest pseudo-legal design of each family in a panel, from fast to slow.
fn best<'a>(
    panel: &'a PanelSummary,
    beside: Option<&PanelSummary>,
    metric: Metric,
) -> Vec<Best<'a>> {
    let mut best: Vec<Best<'a>> = Vec::new();
    let family = |row: &'a Row| row.id.split('/').next();
    for row in panel.rows.iter().filter(|row| row.legality == Legality::PseudoLegal) {
        if best.iter().any(|known| family(known.row) == family(row)) {
            continue;
        }
        if let Some(cost) = (metric.per_position)(row) {
            let beside = beside.and_then(|panel| (metric.per_position)(panel.row(&row.id)?));
            best.push(Best { row, cost, beside });
        }
    }
    best
}

/// The fastest design of each class, and the first of them against the others.
fn finding(view: View<'_>, panel: &PanelSummary) -> Option<String> {
    let of_class = |&control: &Control| -> Vec<&Row> {
        let rows = panel.rows.iter().filter(|row| row.legality == Legality::PseudoLegal);
        rows.filter(|row| row.control == control && row.is_ranked()).collect()
    };
    let mut classes: Vec<Vec<&Row>> = Control::ALL.iter().map(of_class).collect();
    classes.retain(|rows| !rows.is_empty());
    classes.sort_by(|one, other| one[0].ratio.total_cmp(&other[0].ratio));
    let named = |rows: &Vec<&Row>| {
        let lead = view.judged.lead(panel, rows.iter().copied())?;
        Some(format!("{} ({})", lead.named(), lead.first.control))
    };
    let (best, others) = classes.split_first()?;
    let mut text = format!("The fastest pseudo-legal design of each class: {}", named(best)?);
    for rows in others {
        let compared = view.judged.compared(panel, best[0], rows[0]);
        let verdict = compared
            .map_or_else(|| "no interval".to_owned(), |compared| verdict_text(&compared.verdict));
        text.push_str(&format!("; against {}: {verdict}", named(rows)?));
    }
    text.push('.');
    Some(text)
}

/// Digits end where the interval begins.
fn shown(row: &Row, value: f64) -> String {
    certain(value, row.half_width, cost)
}

fn paint(
    mut canvas: Canvas,
    view: View<'_>,
    best: &[Best<'_>],
    panels: [Option<&PanelSummary>; 2],
    metric: Metric,
) -> Canvas {
    let is_narrow = canvas.is_narrow();
    let legend: Vec<String> = ["marker", "stroke"]
        .into_iter()
        .zip(panels)
        .filter_map(|(sign, panel)| Some(format!("{sign}: {}", name_of(&panel?.panel))))
        .collect();
    let legend = legend.join("; ");
    let top = head(&mut canvas, &legend);
    let rows = Rows::new(&mut canvas, top, best.len(), &MARGINS);
    rows.stripes(&mut canvas);
    let values = best.iter().flat_map(|it| [Some(it.cost), it.beside]).flatten();
    let range = log_range(values, 0.04).unwrap_or(1.0..10.0);
    let axes = log_log(range.clone(), 1.0..10.0, &rows.frame);
    let place = |value: f64| at(&axes, value, 1.0).0;
    for value in log_ticks(&range, if is_narrow { 5 } else { 8 }) {
        rows.frame.down(&mut canvas, place(value), &tick(value));
    }
    for (number, it) in best.iter().enumerate() {
        let (id, y, x) = (&it.row.id, rows.middle(number), place(it.cost));
        let text = shown(it.row, it.cost);
        let says = format!("{}: {text} per position, {}", it.row.name, it.row.control);
        let name = view.keys.paint(id, Ink::Text);
        let value = if is_narrow { text } else { format!("{text} · {}", it.row.control) };
        canvas.cell(number, view.keys.owner(id), |canvas| {
            if let Some(beside) = it.beside.map(place) {
                let thin = view.keys.paint(id, Ink::Axis);
                canvas.line([(x, y), (beside, y)], thin, 1);
                canvas.line([(beside, y - 6), (beside, y + 6)], view.keys.ink(id), 2);
            }
            canvas.mark((x, y), view.keys.shape(id), view.keys.ink(id), &says);
            rows.name(canvas, number, (name, |most| view.keys.label(id, most)), (name, &value));
        });
    }
    rows.frame.axes(&mut canvas);
    let axis = format!("{} per position (log scale)", metric.long);
    foot(&mut canvas, &rows.frame, &axis, None);
    canvas
}

fn numbers(
    view: View<'_>,
    best: &[Best<'_>],
    panels: [Option<&PanelSummary>; 2],
    metric: Metric,
) -> Table {
    let names = panels.into_iter().flatten().map(|panel| name_of(&panel.panel));
    let columns: Vec<String> = std::iter::once("Design".to_owned())
        .chain(names)
        .chain(["Control flow".to_owned(), "Tables".to_owned()])
        .collect();
    let caption = format!("Captures: {} per position", metric.long);
    let mut table = Table::new(
        view.label(
            caption,
            metric.provenance,
            About::panels("that its column names", panels.into_iter().flatten()),
        ),
        &columns,
    );
    for it in best {
        let mut cells = vec![Cell::number(Some(it.cost), |value| shown(it.row, value))];
        if let Some(panel) = panels[1] {
            let row = panel.row(&it.row.id);
            cells.push(Cell::number(it.beside, |value| {
                row.map_or(NONE.to_owned(), |row| shown(row, value))
            }));
        }
        let bytes = it.row.table_bytes.map(|bytes| bytes as f64);
        cells.push(Cell::text(it.row.control.name()));
        cells.push(Cell::number(bytes, |bytes| raywalk_judge::format::bytes(bytes as u64)));
        table.design(view.keys, &it.row.id, &it.row.name, cells);
    }
    table
}
