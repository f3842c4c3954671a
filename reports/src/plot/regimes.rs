//! Branchy against branchless: each design's ratio to the baseline, one column per feed.
//!
//! Designs stand in the order of their claimed control flow, and that claim is the colour and the
//! marker here. What moves from column to column is what the predictor knows.

use crate::page::table::{Cell, Table};
use crate::schema::Regime;
use crate::statistics::{factor, median};
use crate::summary::{PanelSummary, headline};
use crate::wording::{NONE, cost, ends, list, regime_kind};

use super::canvas::{Anchor, Canvas, Drawn, Frame, at, clipped, draw, log_log};
use super::palette::{Ink, control_place};
use super::scale::{log_range, log_ticks, tick};
use super::{Figure, View, WIDTH};

/// Workloads that tell most, from everything known to nothing known, then by search.
const TELLING: [&str; 6] = ["repeat-1", "cycle-256", "cycle-65536", "game", "perft3", "ab4"];
/// The workload whose cold panel is shown beside it.
const COLD: &str = "ab4";
const MOST: usize = 5;
const ROW: i32 = 20;
const LEFT: i32 = 214;

/// Up to five panels with all moves; needs two.
pub fn figure(view: View<'_>) -> Option<Figure> {
    let panels = chosen(view.panels);
    if panels.len() < 2 {
        return None;
    }
    let designs = designs(view.panels, &panels);
    let title = "Branchy against branchless, by how the positions come".to_owned();
    let lines = designs.len() + classes(&designs).len();
    let height = lines as i32 * ROW + 110;
    let size = (WIDTH, height as u32);
    let drawn = draw(size, |canvas| paint(canvas, view, &panels, &designs, height));
    let see = see(&panels, &designs);
    let numbers = numbers(view, &panels, &designs);
    Some(Figure::new(format!("{}regimes", view.prefix), title, see, numbers, size, drawn))
}

struct Design<'a> {
    id: &'a str,
    name: &'a str,
    control: &'a str,
}

fn chosen(panels: &[PanelSummary]) -> Vec<&PanelSummary> {
    let all: Vec<&PanelSummary> =
        panels.iter().filter(|panel| panel.panel.is_whole() && !panel.rows.is_empty()).collect();
    let plain: Vec<&PanelSummary> =
        all.iter().copied().filter(|panel| panel.panel.is_plain()).collect();
    let named = |name: &&str| plain.iter().copied().find(|panel| panel.panel.workload == *name);
    let mut chosen: Vec<&PanelSummary> = TELLING.iter().filter_map(named).collect();
    let cold = |panel: &&PanelSummary| matches!(panel.panel.regime, Regime::Cold { .. });
    chosen.extend(all.into_iter().filter(|panel| panel.panel.workload == COLD).find(cold));
    for less in ["cycle-256", "perft3", "game"] {
        if chosen.len() > MOST {
            chosen.retain(|panel| panel.panel.workload != less);
        }
    }
    for panel in plain {
        if chosen.len() < MOST && !chosen.iter().any(|other| other.panel.id == panel.panel.id) {
            chosen.push(panel);
        }
    }
    chosen.truncate(MOST);
    chosen
}

/// All designs of the panels by control class, and within it as the headline ranks them.
fn designs<'a>(all: &'a [PanelSummary], panels: &[&'a PanelSummary]) -> Vec<Design<'a>> {
    let mut designs: Vec<Design<'a>> = Vec::new();
    for row in headline(all).into_iter().chain(panels.iter().copied()).flat_map(|p| &p.rows) {
        if !designs.iter().any(|design| design.id == row.id) {
            designs.push(Design { id: &row.id, name: &row.name, control: &row.control });
        }
    }
    // Branchless first; the sort keeps the order within a class.
    designs.sort_by_key(|design| match control_place(design.control) {
        3 => 3,
        place => 2 - place,
    });
    designs
}

fn classes<'a>(designs: &[Design<'a>]) -> Vec<&'a str> {
    let mut classes: Vec<&str> = designs.iter().map(|design| design.control).collect();
    classes.dedup();
    classes
}

fn see(panels: &[&PanelSummary], designs: &[Design<'_>]) -> String {
    let said: Vec<String> = classes(designs)
        .into_iter()
        .filter_map(|class| {
            let middle = |panel: &PanelSummary| {
                let of_class = panel.rows.iter().filter(|row| row.control == class);
                median(&of_class.map(|row| row.ratio).collect::<Vec<_>>()).map(cost)
            };
            let values: Vec<String> = panels.iter().filter_map(|panel| middle(panel)).collect();
            Some(format!("{class} {}", (!values.is_empty()).then(|| values.join(", "))?))
        })
        .collect();
    let columns: Vec<String> = panels.iter().map(|panel| column(panel)).collect();
    format!("Median ratio to the baseline in the columns {}: {}.", list(&columns), said.join("; "))
}

/// The head of a column: a workload, and that it is cold.
fn column(panel: &PanelSummary) -> String {
    match panel.panel.regime.is_disturbed() {
        true => format!("{} ({})", panel.panel.workload, regime_kind(&panel.panel.regime)),
        false => panel.panel.workload.clone(),
    }
}

fn paint(
    canvas: &Canvas<'_>,
    view: View<'_>,
    panels: &[&PanelSummary],
    designs: &[Design<'_>],
    height: i32,
) -> Drawn {
    let (top, bottom) = (62, height - 46);
    let step = (WIDTH as i32 - LEFT - 10) / panels.len() as i32;
    let ratios = panels.iter().flat_map(|panel| &panel.rows).flat_map(|row| {
        let ends = row.interval.map_or([row.ratio; 2], |interval| [interval.low, interval.high]);
        ends.into_iter().chain([1.0])
    });
    let range = log_range(ratios, 0.06).unwrap_or(0.5..2.0);
    // The rows, with a heading before each class.
    let mut y = top + ROW / 2;
    let mut heights = Vec::new();
    let mut class = None;
    for design in designs {
        if class != Some(design.control) {
            class = Some(design.control);
            canvas.words((4, y), Anchor::Right, Ink::Text, design.control)?;
            y += ROW;
        }
        if heights.len() % 2 == 0 {
            canvas.fill(0..WIDTH as i32, y - ROW / 2..y + ROW / 2, Ink::Stripe)?;
        }
        heights.push(y);
        y += ROW;
    }
    for (column, panel) in panels.iter().enumerate() {
        let left = LEFT + column as i32 * step;
        let frame = Frame { x: left..left + step - 14, y: top..bottom };
        let axes = log_log(range.clone(), 1.0..10.0, &frame);
        let place = |value: f64| at(&axes, value, 1.0).0;
        if let Some(itself) = panel.itself {
            let band = itself.floor.log();
            let (low, high) = (place((-band).exp()), place(band.exp()));
            canvas.fill(low..high.max(low + 1), frame.y.clone(), Ink::Band)?;
        }
        let most = (step / 36).clamp(3, 5) as usize;
        for value in log_ticks(&range, most) {
            frame.down(canvas, place(value), &tick(value))?;
        }
        canvas.line([(place(1.0), top), (place(1.0), bottom)], Ink::Axis, 1)?;
        canvas.line([(left, bottom), (frame.x.end, bottom)], Ink::Axis, 1)?;
        let middle = (frame.x.start + frame.x.end) / 2;
        let (workload, kind) = (&panel.panel.workload, regime_kind(&panel.panel.regime));
        canvas.words((middle, 20), Anchor::Centre, Ink::Text, &clipped(workload, 19))?;
        canvas.words((middle, 38), Anchor::Centre, Ink::Muted, &clipped(&kind, 20))?;
        for (design, &y) in designs.iter().zip(&heights) {
            let Some(row) = panel.row(design.id) else { continue };
            let ink = Ink::of_control(design.control).owned_by(view.keys.get(design.id));
            if let Ok(interval) = row.interval {
                canvas.line([(place(interval.low), y), (place(interval.high), y)], ink, 2)?;
            }
            canvas.marker((place(row.ratio), y), shape(design.control), ink)?;
        }
    }
    for (design, &y) in designs.iter().zip(&heights) {
        let words = Ink::Text.owned_by(view.keys.get(design.id));
        canvas.words((LEFT - 12, y), Anchor::Left, words, &clipped(design.name, 26))?;
    }
    let middle = (LEFT + WIDTH as i32) / 2;
    let name = "ratio to the baseline, left is faster (log scale, the same in all columns)";
    canvas.words((middle, height - 10), Anchor::Centre, Ink::Muted, name)
}

/// Triangle, diamond, disc, square.
fn shape(control: &str) -> usize {
    [2, 4, 0, 1][control_place(control)]
}

fn numbers(view: View<'_>, panels: &[&PanelSummary], designs: &[Design<'_>]) -> Table {
    let mut columns = vec!["Design".to_owned(), "Claims".to_owned()];
    for panel in panels {
        columns.push(column(panel));
        columns.push("interval".to_owned());
    }
    let caption = "Numbers of the plot: ratio to the baseline".to_owned();
    let mut table = Table::new(caption, &columns);
    for design in designs {
        let mut cells = vec![Cell::text(design.control)];
        for panel in panels {
            let row = panel.row(design.id);
            let interval = row.and_then(|row| row.interval.ok());
            cells.push(Cell::number(row.map(|row| row.ratio), factor));
            cells.push(Cell::text(interval.map_or_else(|| NONE.to_owned(), ends)));
        }
        table.design(view.keys, design.id, design.name, cells);
    }
    table
}
