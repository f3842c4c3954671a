//! Branchy against branchless: each design's ratio to the baseline, one column per regime.
//!
//! Designs are grouped by their claimed control flow, which is the colour. The columns differ in what the branch
//! predictor has seen before.

use std::ops::Range;

use raywalk_judge::Judged;
use raywalk_judge::format::{NONE, interval, list, ratio};
use raywalk_judge::regimes;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::{Control, Provenance};

use super::canvas::{Anchor, Canvas, Frame, Layer, LogLog, NARROW, WIDTH, at, log_log};
use super::figure::Figure;
use super::narrow::{LINE, drawn, foot, note, paragraph};
use super::rows::{Margins, Rows};
use super::scale::{drawn_ends, log_range, log_ticks, tick};
use crate::keys::clipped;
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const MOST: usize = 5;
const MARGINS: Margins = Margins { left: 214, right: 10, row: 20 };

/// Up to five panels with all moves of all pieces or the stage of each node; needs two.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panels = regimes::contrasting(view.judged, MOST);
    if panels.len() < 2 {
        return None;
    }
    let designs = designs(view.judged, &panels);
    Some(Figure {
        id: "regimes".to_owned(),
        title: "Branchy against branchless, by regime".to_owned(),
        finding: finding(view.judged, &panels),
        canvas: paint(view, &panels, &designs),
        narrow: paint_narrow(view, &panels, &designs),
        numbers: numbers(view, &panels, &designs),
    })
}

/// All designs of the panels: branchless, mixed, branchy, and within a class as the headline panel
/// ranks them.
fn designs<'a>(judged: &'a Judged<'_>, panels: &[&'a PanelSummary]) -> Vec<&'a Row> {
    let mut designs: Vec<&'a Row> = Vec::new();
    for row in judged.headline().into_iter().chain(panels.iter().copied()).flat_map(|p| &p.rows) {
        if !designs.iter().any(|design| design.id == row.id) {
            designs.push(row);
        }
    }
    // A stable sort keeps the order within a class.
    designs.sort_by_key(|design| match design.control {
        Control::Branchless => 0,
        Control::Mixed => 1,
        Control::Branchy => 2,
    });
    designs
}

/// The design with the lowest ratio in each column, and whether others may have it.
fn finding(judged: &Judged<'_>, panels: &[&PanelSummary]) -> String {
    let lowest = |panel: &&PanelSummary| {
        let lead = judged.lead(panel, &panel.rows)?;
        Some(format!("{} for {}", lead.named(), column(panel)))
    };
    let lowest: Vec<String> = panels.iter().filter_map(lowest).collect();
    format!("The lowest ratio to the baseline is that of {}.", list(&lowest))
}

/// The heading of a column: the workload with its call, and the regime if calls are perturbed.
fn column(panel: &PanelSummary) -> String {
    let (name, regime) = (work(panel), &panel.panel.regime);
    if regime.is_perturbed() { format!("{name} ({})", regime.label) } else { name }
}

/// The workload, and the call if it does not generate all moves.
fn work(panel: &PanelSummary) -> String {
    let (workload, call) = (&panel.panel.workload, panel.panel.call);
    if call.is_whole() { workload.clone() } else { format!("{workload}/{}", call.id()) }
}

const AXIS: &str = "ratio to the baseline; left is faster (log scale, the same in all columns)";

/// A row of the drawing: the heading of a class, or a design.
enum Line<'a> {
    /// The heading of a class, with the number of its designs.
    Class(Control, usize),
    Design(&'a Row),
}

/// The designs that are drawn, each class below its heading.
fn lines<'a>(view: View<'_>, designs: &[&'a Row]) -> Vec<Line<'a>> {
    let shown: Vec<&Row> = drawn(view, designs, |row| &row.id).into_iter().copied().collect();
    let classes = shown.chunk_by(|one, other| one.control == other.control);
    let lines = classes.flat_map(|rows| {
        let head = Line::Class(rows[0].control, rows.len());
        std::iter::once(head).chain(rows.iter().map(|row| Line::Design(row)))
    });
    lines.collect()
}

fn paint(view: View<'_>, panels: &[&PanelSummary], designs: &[&Row]) -> Canvas {
    let mut canvas = Canvas::new(0);
    let step = (WIDTH - MARGINS.left - MARGINS.right) / panels.len() as i32;
    for (column, panel) in panels.iter().enumerate() {
        let middle = MARGINS.left + column as i32 * step + (step - 14) / 2;
        let label = &panel.panel.regime.label;
        canvas.text((middle, 20), Anchor::Centre, Ink::Text, &clipped(&work(panel), 19));
        canvas.text((middle, 38), Anchor::Centre, Ink::Muted, &clipped(label, 20));
    }
    let columns = (0..).map(|column| MARGINS.left + column * step).map(|x| x..x + step - 14);
    columns_of(&mut canvas, view, panels, designs, (62, columns));
    canvas
}

/// Columns are headed by letters, which the lines above explain.
fn paint_narrow(view: View<'_>, panels: &[&PanelSummary], designs: &[&Row]) -> Canvas {
    let mut canvas = Canvas::narrow();
    let mut top = 10;
    for (letter, panel) in ('A'..).zip(panels) {
        let text = format!("{letter}: {}, {}", work(panel), panel.panel.regime.label);
        top = paragraph(&mut canvas, top, &text);
    }
    let (step, head) = (NARROW / panels.len() as i32, top + LINE / 2);
    let columns = (0..).map(|column| column * step + 6..(column + 1) * step - 6);
    for (column, letter) in columns.clone().zip('A'..).take(panels.len()) {
        let middle = (column.start + column.end) / 2;
        canvas.text((middle, head), Anchor::Centre, Ink::Text, &letter.to_string());
    }
    columns_of(&mut canvas, view, panels, designs, (head + LINE, columns));
    canvas
}

/// The rows of all designs through all columns, from this height on.
fn columns_of(
    canvas: &mut Canvas,
    view: View<'_>,
    panels: &[&PanelSummary],
    designs: &[&Row],
    (top, columns): (i32, impl Iterator<Item = Range<i32>>),
) {
    let lines = lines(view, designs);
    let rows = Rows::new(canvas, top, lines.len(), &MARGINS);
    rows.stripes(canvas);
    let (range, y) = (range(panels), &rows.frame.y);
    let frames = columns.map(|x| Frame { x, y: y.clone() });
    let columns: Vec<(&PanelSummary, LogLog)> = panels
        .iter()
        .zip(frames)
        .map(|(&panel, frame)| (panel, ground(canvas, panel, &range, &frame)))
        .collect();
    for (number, line) in lines.iter().enumerate() {
        let y = rows.middle(number);
        match line {
            Line::Class(control, designs) => canvas.head_cell(number, *designs, |canvas| {
                canvas.text((4, y), Anchor::Right, Ink::Control(*control), control.name());
            }),
            Line::Design(design) => {
                let text = view.keys.paint(&design.id, Ink::Text);
                let label = |most| view.keys.label(&design.id, most);
                canvas.cell(number, view.keys.owner(&design.id), |canvas| {
                    for (panel, axes) in &columns {
                        draw(canvas, view, panel, axes, (design, y));
                    }
                    rows.name(canvas, number, (text, label), (text, ""));
                });
            }
        }
    }
    let shown = lines.iter().filter(|line| matches!(line, Line::Design(_))).count();
    let note = note(shown, designs.len());
    foot(canvas, &Frame { x: rows.frame.x.clone(), y: y.clone() }, AXIS, note.as_deref());
}

/// The range of the ratios of all columns.
fn range(panels: &[&PanelSummary]) -> Range<f64> {
    let ratios = panels
        .iter()
        .flat_map(|panel| &panel.rows)
        .flat_map(|row| drawn_ends(row.ratio, row.interval.ok()).into_iter().chain([1.0]));
    log_range(ratios, 0.06).unwrap_or(0.5..2.0)
}

/// The axes of one column, with the floor and the line at 1.
fn ground(canvas: &mut Canvas, panel: &PanelSummary, range: &Range<f64>, frame: &Frame) -> LogLog {
    let axes = log_log(range.clone(), 1.0..10.0, frame);
    let place = |value: f64| at(&axes, value, 1.0).0;
    if let Some(control) = panel.aa_control {
        let band = control.floor.log();
        let (low, high) = (place((-band).exp()), place(band.exp()));
        let band = low..high.max(low + 1);
        canvas.on(Layer::Tall, |canvas| canvas.fill(band, frame.y.clone(), Ink::Band));
    }
    // Where there is room for few labels, the line of no difference has one.
    let most = ((frame.x.end - frame.x.start) / 36).clamp(3, 5) as usize;
    let others = log_ticks(range, most).into_iter().filter(|&value| value != 1.0);
    let ticks = [1.0].into_iter().chain(others);
    let ticks: Vec<_> = ticks.map(|value| (place(value), tick(value))).collect();
    frame.all_down(canvas, &ticks, 5);
    let (top, bottom) = (frame.y.start, frame.y.end);
    let one = [(place(1.0), top), (place(1.0), bottom)];
    canvas.on(Layer::Tall, |canvas| canvas.line(one, Ink::Axis, 1));
    let edge = [(frame.x.start, bottom), (frame.x.end, bottom)];
    canvas.on(Layer::Below, |canvas| canvas.line(edge, Ink::Axis, 1));
    axes
}

/// A design in one column, at its height.
fn draw(
    canvas: &mut Canvas,
    view: View<'_>,
    panel: &PanelSummary,
    axes: &LogLog,
    (design, y): (&Row, i32),
) {
    let Some(row) = panel.row(&design.id) else { return };
    let (ink, shape) = (view.keys.ink(&design.id), view.keys.shape(&design.id));
    let place = |value: f64| at(axes, value, 1.0).0;
    if row.interval.is_ok() {
        let ends = drawn_ends(row.ratio, row.interval.ok()).map(|end| (place(end), y));
        canvas.line(ends, ink, 2);
    }
    let value = ratio(row.ratio, row.interval);
    let says = format!("{}, {}: {value}", design.name, column(panel));
    canvas.mark((place(row.ratio), y), shape, ink, &says);
}

fn numbers(view: View<'_>, panels: &[&PanelSummary], designs: &[&Row]) -> Table {
    let mut columns = vec!["Design".to_owned(), "Control flow (claimed)".to_owned()];
    for panel in panels {
        columns.push(column(panel));
        columns.push("interval".to_owned());
    }
    let caption = "Numbers of the plot: ratio to the baseline";
    let mut table = Table::new(
        view.label(
            caption,
            Provenance::Measured.name(),
            About::panels("that its column names", panels.iter().copied()),
        ),
        &columns,
    );
    for design in designs {
        let mut cells = vec![Cell::text(design.control.name())];
        for panel in panels {
            let row = panel.row(&design.id);
            let ends = row.and_then(|row| row.interval.ok());
            let ratio = row.map(|row| ratio(row.ratio, row.interval));
            cells.push(Cell::number(row.map(|row| row.ratio), |_| {
                ratio.clone().unwrap_or_default()
            }));
            cells.push(Cell::text(ends.map_or_else(|| NONE.to_owned(), interval)));
        }
        table.design(view.keys, &design.id, &design.name, cells);
    }
    table
}
