//! Branchy against branchless: each design's ratio to the baseline, one column per regime.
//!
//! Designs are grouped by their claimed control flow, which is the colour and the marker here. The
//! columns differ in what the branch predictor has seen before.

use std::ops::Range;

use raywalk_judge::Judged;
use raywalk_judge::format::{NONE, interval, list, ratio};
use raywalk_judge::regimes;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::Control;

use super::canvas::{Anchor, Canvas, Frame, NARROW, WIDTH, at, log_log};
use super::figure::Figure;
use super::narrow::{LINE, drawn, foot, note, paragraph};
use super::scale::{drawn_ends, log_range, log_ticks, tick};
use crate::keys::clipped;
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const MOST: usize = 5;
const ROW: i32 = 20;
const LEFT: i32 = 214;

/// Up to five panels with all moves of all pieces or the stage of each node; needs two.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panels = regimes::contrasting(view.judged, MOST);
    if panels.len() < 2 {
        return None;
    }
    let designs = designs(view.judged, &panels);
    Some(Figure {
        id: format!("{}regimes", view.prefix),
        title: "Branchy against branchless, by regime".to_owned(),
        finding: finding(&panels),
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

/// The design with the lowest ratio in each column, and whether its lead is resolved.
fn finding(panels: &[&PanelSummary]) -> String {
    let lowest = |panel: &&PanelSummary| {
        let row = panel.rows.first()?;
        Some(format!("{} for {}{}", row.name, column(panel), panel.lead_note()))
    };
    let lowest: Vec<String> = panels.iter().filter_map(lowest).collect();
    format!("The lowest ratio to the baseline is that of {}.", list(&lowest))
}

/// The heading of a column: the workload with its call, and the regime if calls are disturbed.
fn column(panel: &PanelSummary) -> String {
    let (name, regime) = (work(panel), &panel.panel.regime);
    if regime.is_disturbed() { format!("{name} ({})", regime.label) } else { name }
}

/// The workload, and the call if it does not generate all moves.
fn work(panel: &PanelSummary) -> String {
    let (workload, call) = (&panel.panel.workload, panel.panel.call);
    if call.is_whole() { workload.clone() } else { format!("{workload}/{}", call.id()) }
}

const AXIS: &str = "ratio to the baseline; left is faster (log scale, the same in all columns)";

fn paint(view: View<'_>, panels: &[&PanelSummary], designs: &[&Row]) -> Canvas {
    let mut canvas = Canvas::new(0);
    let shown = shown(view, designs);
    let top = 62;
    let step = (WIDTH - LEFT - 10) / panels.len() as i32;
    let (heights, bottom) = rows(&mut canvas, &shown, top);
    let range = range(panels);
    for (column, panel) in panels.iter().enumerate() {
        let left = LEFT + column as i32 * step;
        let frame = Frame { x: left..left + step - 14, y: top..bottom };
        let middle = (frame.x.start + frame.x.end) / 2;
        let label = &panel.panel.regime.label;
        canvas.text((middle, 20), Anchor::Centre, Ink::Text, &clipped(&work(panel), 19));
        canvas.text((middle, 38), Anchor::Centre, Ink::Muted, &clipped(label, 20));
        strip(&mut canvas, view, panel, &range, &frame, shown.iter().copied().zip(&heights));
    }
    for (design, &y) in shown.iter().zip(&heights) {
        let text = view.keys.paint(&design.id, Ink::Text);
        canvas.text((LEFT - 12, y), Anchor::Left, text, &view.keys.label(&design.id, 26));
    }
    let note = note(shown.len(), designs.len());
    foot(&mut canvas, &Frame { x: LEFT..WIDTH, y: top..bottom }, AXIS, note.as_deref());
    canvas
}

/// The designs that are drawn.
fn shown<'a>(view: View<'_>, designs: &[&'a Row]) -> Vec<&'a Row> {
    drawn(view, designs, |row| &row.id).into_iter().copied().collect()
}

/// Columns are headed by letters, which the lines above explain.
fn paint_narrow(view: View<'_>, panels: &[&PanelSummary], designs: &[&Row]) -> Canvas {
    let mut canvas = Canvas::narrow();
    let shown = shown(view, designs);
    let mut top = 10;
    for (letter, panel) in ('A'..).zip(panels) {
        let text = format!("{letter}: {}, {}", work(panel), panel.panel.regime.label);
        top = paragraph(&mut canvas, top, &text);
    }
    let (step, head) = (NARROW / panels.len() as i32, top + LINE / 2);
    let top = head + LINE;
    let (heights, bottom) = rows(&mut canvas, &shown, top);
    let range = range(panels);
    for ((column, panel), letter) in panels.iter().enumerate().zip('A'..) {
        let left = column as i32 * step;
        let frame = Frame { x: left + 6..left + step - 6, y: top..bottom };
        let middle = (frame.x.start + frame.x.end) / 2;
        canvas.text((middle, head), Anchor::Centre, Ink::Text, &letter.to_string());
        strip(&mut canvas, view, panel, &range, &frame, shown.iter().copied().zip(&heights));
    }
    for (design, &y) in shown.iter().zip(&heights) {
        let text = view.keys.paint(&design.id, Ink::Text);
        canvas.text((4, y - LINE), Anchor::Right, text, &view.keys.label(&design.id, 44));
    }
    let note = note(shown.len(), designs.len());
    foot(&mut canvas, &Frame { x: 0..NARROW, y: top..bottom }, AXIS, note.as_deref());
    canvas
}

/// The range of the ratios of all columns.
fn range(panels: &[&PanelSummary]) -> Range<f64> {
    let ratios = panels
        .iter()
        .flat_map(|panel| &panel.rows)
        .flat_map(|row| drawn_ends(row.ratio, row.interval.ok()).into_iter().chain([1.0]));
    log_range(ratios, 0.06).unwrap_or(0.5..2.0)
}

/// One column: each design at its height.
fn strip<'a>(
    canvas: &mut Canvas,
    view: View<'_>,
    panel: &PanelSummary,
    range: &Range<f64>,
    frame: &Frame,
    designs: impl Iterator<Item = (&'a Row, &'a i32)>,
) {
    let axes = log_log(range.clone(), 1.0..10.0, frame);
    let place = |value: f64| at(&axes, value, 1.0).0;
    if let Some(control) = panel.aa_control {
        let band = control.floor.log();
        let (low, high) = (place((-band).exp()), place(band.exp()));
        canvas.fill(low..high.max(low + 1), frame.y.clone(), Ink::Band);
    }
    // Where there is room for few labels, the line of no difference has one.
    let most = ((frame.x.end - frame.x.start) / 36).clamp(3, 5) as usize;
    let others = log_ticks(range, most).into_iter().filter(|&value| value != 1.0);
    let ticks = [1.0].into_iter().chain(others);
    let ticks: Vec<_> = ticks.map(|value| (place(value), tick(value))).collect();
    frame.all_down(canvas, &ticks, 5);
    let (top, bottom) = (frame.y.start, frame.y.end);
    canvas.line([(place(1.0), top), (place(1.0), bottom)], Ink::Axis, 1);
    canvas.line([(frame.x.start, bottom), (frame.x.end, bottom)], Ink::Axis, 1);
    for (design, &y) in designs {
        let Some(row) = panel.row(&design.id) else { continue };
        let ink = view.keys.paint(&design.id, Ink::Control(design.control));
        if row.interval.is_ok() {
            let ends = drawn_ends(row.ratio, row.interval.ok()).map(|end| (place(end), y));
            canvas.line(ends, ink, 2);
        }
        let value = ratio(row.ratio, row.interval);
        let says = format!("{}, {}: {value}", design.name, column(panel));
        canvas.mark((place(row.ratio), y), shape(design.control), ink, &says);
    }
}

/// Draws the stripes and a heading before each class. Returns the height of each design's row and the end of all. In a
/// narrow drawing there is room for the name above a row.
fn rows(canvas: &mut Canvas, designs: &[&Row], top: i32) -> (Vec<i32>, i32) {
    let above = if canvas.is_narrow() { LINE } else { 0 };
    let mut y = top + ROW / 2;
    let mut heights = Vec::new();
    let mut class = None;
    for design in designs {
        if class != Some(design.control) {
            class = Some(design.control);
            canvas.text((4, y), Anchor::Right, Ink::Control(design.control), design.control.name());
            y += ROW;
        }
        if heights.len() % 2 == 0 {
            canvas.fill(0..canvas.width(), y - ROW / 2..y + ROW / 2 + above, Ink::Stripe);
        }
        heights.push(y + above);
        y += ROW + above;
    }
    (heights, y - ROW / 2)
}

fn shape(control: Control) -> usize {
    match control {
        Control::Branchy => 2,
        Control::Mixed => 4,
        Control::Branchless => 0,
    }
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
            "measured",
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
