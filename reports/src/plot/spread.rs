//! The spread: one dot for each process of each design, grouped by layout.
//!
//! A dot is the median ratio of one process, held against the median of all rounds. The dots of one
//! layout stand in one row. A design whose rows lie apart depends on where its code lies, one whose
//! dots lie apart within the rows on stack and heap.

use std::collections::BTreeMap;

use crate::page::table::{Cell, Table};
use crate::spread::{Components, Observation, observations};
use crate::statistics::{factor, median};
use crate::summary::{PanelSummary, Row, headline};
use crate::wording::{panel as said, percent, plural, spread as spread_of};

use super::canvas::{Anchor, Canvas, Drawn, Frame, at, clipped, draw, even};
use super::palette::Ink;
use super::scale::even_ticks;
use super::{Figure, View, WIDTH};

const LANE: i32 = 40;

/// The processes of one design.
struct Strip<'a> {
    row: &'a Row,
    /// Layout and ln of the median ratio over that of all, layout by layout.
    dots: Vec<(Option<u64>, f64)>,
    /// Two standard deviations, in ln.
    bound: f64,
}

impl<'a> Strip<'a> {
    fn of(row: &'a Row, observations: &[Observation]) -> Option<Strip<'a>> {
        let all: Vec<f64> = observations.iter().map(|one| one.value).collect();
        let middle = median(&all)?;
        let mut processes: BTreeMap<(Option<u64>, u64), Vec<f64>> = BTreeMap::new();
        for one in observations {
            processes.entry((one.layout, one.process)).or_default().push(one.value);
        }
        let dots = processes
            .iter()
            .map(|(&(layout, _), values)| Some((layout, median(values)? - middle)))
            .collect::<Option<_>>()?;
        Some(Strip { row, dots, bound: row.spread.bound()?.log })
    }

    /// The farthest dot.
    fn farthest(&self) -> f64 {
        self.dots.iter().fold(0.0, |most, (_, dot)| most.max(dot.abs()))
    }
}

/// Needs two processes that visited the same positions.
pub fn figure(view: View<'_>) -> Option<Figure> {
    let panel = headline(view.panels)?;
    let rounds = view.results.panels.iter().find(|rounds| rounds.panel.id == panel.panel.id)?;
    let baseline = panel.panel.baseline.as_str();
    let others = panel.rows.iter().filter(|row| row.id != baseline);
    let strips: Vec<Strip<'_>> = others
        .filter_map(|row| Strip::of(row, &observations(view.results, rounds, &row.id, baseline)))
        .collect();
    let see = see(&strips)?;
    let title = format!("Spread over processes: {}", said(&panel.panel));
    let height = strips.len() as i32 * LANE + 92;
    let size = (WIDTH, height as u32);
    let drawn = draw(size, |canvas| paint(canvas, view, &strips, height));
    let id = format!("{}spread-plot", view.prefix);
    Some(Figure::new(id, title, see, numbers(view, panel, &strips), size, drawn))
}

/// Which design spreads most, and over what.
fn see(strips: &[Strip<'_>]) -> Option<String> {
    let widest = strips.iter().max_by(|one, other| one.bound.total_cmp(&other.bound))?;
    let none = strips.iter().filter(|strip| strip.bound == 0.0).count();
    let over = widest.row.spread.bound()?.over.word();
    if widest.bound == 0.0 {
        return Some("No ratio spreads by more than its rounds explain.".to_owned());
    }
    Some(format!(
        "Over {over} the ratio of {} spreads most, by {}; {none} of {} spread by no more than their \
         rounds explain. No effect below its own spread is called a difference.",
        widest.row.name,
        percent(widest.bound.exp_m1()),
        plural(strips.len(), "design"),
    ))
}

fn paint(canvas: &Canvas<'_>, view: View<'_>, strips: &[Strip<'_>], height: i32) -> Drawn {
    let reach = |strip: &Strip<'_>| strip.farthest().max(strip.bound);
    let most = 1.08 * strips.iter().map(reach).fold(0.002, f64::max);
    let frame = Frame { x: 220..WIDTH as i32 - 150, y: 40..height - 48 };
    let range = -most..most;
    let axes = even(range.clone(), 0.0..1.0, &frame);
    let place = |departure: f64| at(&axes, departure, 0.0).0;
    let legend = "a dot: one process; a row of dots: one layout; the band: two standard deviations";
    canvas.words((8, 16), Anchor::Right, Ink::Muted, legend)?;
    for (number, strip) in strips.iter().enumerate() {
        let top = frame.y.start + number as i32 * LANE;
        if number % 2 == 0 {
            canvas.fill(0..WIDTH as i32, top..top + LANE, Ink::Stripe)?;
        }
        let band = place(-strip.bound)..place(strip.bound).max(place(-strip.bound) + 1);
        canvas.fill(band, top + 2..top + LANE - 2, Ink::Band)?;
    }
    // Even steps of shares, which are what the axis says; the logarithm is nearly that.
    for share in even_ticks(&((-most).exp_m1()..most.exp_m1()), 7) {
        let sign = if share > 1e-9 { "+" } else { "" };
        let label = format!("{sign}{}", share_of(share));
        frame.down(canvas, place(share.ln_1p()), &label)?;
    }
    for (number, strip) in strips.iter().enumerate() {
        let top = frame.y.start + number as i32 * LANE;
        let middle = top + LANE / 2;
        let key = view.keys.get(&strip.row.id);
        let ink = view.keys.ink(&strip.row.id);
        let mut layouts: Vec<Option<u64>> = strip.dots.iter().map(|(layout, _)| *layout).collect();
        layouts.dedup();
        for (layout, departure) in &strip.dots {
            let row = layouts.iter().position(|one| one == layout).unwrap_or(0) as i32;
            let step = (LANE - 10) / layouts.len().max(1) as i32;
            let y = top + 5 + step / 2 + row * step;
            canvas.dot((place(*departure), y), 3, ink)?;
        }
        let (name, value) = (Ink::Text.owned_by(key), Ink::Muted.owned_by(key));
        let label = clipped(&strip.row.name, 27);
        canvas.words((frame.x.start - 12, middle), Anchor::Left, name, &label)?;
        let spread = spread_of(&strip.row.spread);
        canvas.words((frame.x.end + 10, middle), Anchor::Right, value, &spread)?;
    }
    let zero = place(0.0);
    canvas.line([(zero, frame.y.start), (zero, frame.y.end)], Ink::Axis, 1)?;
    frame.axes(canvas)?;
    let middle = (frame.x.start + frame.x.end) / 2;
    let name = "ratio to the baseline in one process, over the median of all rounds";
    canvas.words((middle, height - 10), Anchor::Centre, Ink::Muted, name)
}

/// A share on the axis: -2 %, 0.5 %.
fn share_of(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{} %", if text == "-0" { "0" } else { text }.replace('-', "−"))
}

fn numbers(view: View<'_>, panel: &PanelSummary, strips: &[Strip<'_>]) -> Table {
    let processes = strips.iter().map(|strip| strip.dots.len()).max().unwrap_or(0);
    let caption = format!(
        "Numbers of the plot: variance of the ratio in {}, as standard deviations, and the farthest \
         median of one layout and of one process from that of all ({})",
        plural(panel.rounds, "round"),
        format_args!("{processes} complete processes"),
    );
    let mut table = Table::new(
        caption,
        &[
            "Design",
            "Ratio",
            "Layout",
            "Process",
            "Position",
            "Round",
            "Farthest layout",
            "Farthest process",
            "Spread",
        ],
    );
    for Strip { row, .. } in strips {
        let part = |part: fn(Components) -> Option<f64>| {
            Cell::number(row.spread.split.and_then(part).map(f64::exp_m1), percent)
        };
        let far = |far: Option<f64>| {
            Cell::number(far.map(f64::exp_m1), |share| format!("±{}", percent(share)))
        };
        table.design(
            view.keys,
            &row.id,
            &row.name,
            vec![
                Cell::number(Some(row.ratio), factor),
                part(|split| split.layout),
                part(|split| split.process),
                part(|split| split.position),
                part(|split| Some(split.round)),
                far(row.spread.layouts),
                far(row.spread.processes),
                Cell::text(spread_of(&row.spread)).on_one_line(),
            ],
        );
    }
    table
}
