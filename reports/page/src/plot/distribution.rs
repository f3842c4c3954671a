//! The distribution of the rounds: which share of them lies below a ratio, for the fastest design of each class and for
//! the A/A control.
//!
//! Each curve is drawn around its own median. So curves of different speed can be compared in width and shape, and
//! the A/A control shows the effect of noise alone.

use raywalk_judge::distribution::{Distribution, SHARES, distributions};
use raywalk_judge::format::{list, panel as name_of, percent, signed_percent};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::Provenance;
use raywalk_results::statistics::factor;

use super::canvas::{Canvas, Point, at, linear};
use super::curves::{frame_below, name_ends};
use super::figure::{Figure, of_panel};
use super::narrow::foot;
use super::scale::{even_ticks, share_of};
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const HEIGHT: i32 = 320;

/// The ends of the middle nine tenths.
const ENDS: [f64; 2] = [0.05, 0.95];

/// Needs enough rounds for quantiles.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let (panel, all) = distributions(view.judged)?;
    let paint = |canvas| paint(canvas, view, &all);
    Some(Figure {
        id: "distribution".to_owned(),
        title: format!("Distribution of the rounds: {}", name_of(&panel.panel)),
        finding: of_panel(view, panel, &finding(&all)),
        canvas: paint(Canvas::new(HEIGHT)),
        narrow: paint(Canvas::narrow()),
        numbers: numbers(view, panel, &all),
    })
}

fn name<'a>(one: &Distribution<'a>) -> &'a str {
    one.row.map_or("A/A control", |row| &row.name)
}

/// How far nine of ten rounds lie from the median.
fn finding(all: &[Distribution<'_>]) -> String {
    let one = |it: &Distribution<'_>| {
        let ends = ENDS.map(|share| {
            it.from_median(share).map_or_else(String::new, |ratio| signed_percent(ratio - 1.0))
        });
        format!("{} to {} for {}", ends[0], ends[1], name(it))
    };
    let ranges: Vec<String> = all.iter().map(one).collect();
    format!(
        "In nine of ten rounds the ratio to the baseline lies within this range around its median: {}.",
        list(&ranges)
    )
}

fn paint(mut canvas: Canvas, view: View<'_>, all: &[Distribution<'_>]) -> Canvas {
    let legend = "curve: rounds at or below a ratio; grey: A/A control";
    let frame = frame_below(&mut canvas, "share of the rounds", legend);
    let curves: Vec<Vec<f64>> = all
        .iter()
        .map(|one| SHARES.iter().filter_map(|&share| one.from_median(share)).collect())
        .collect();
    let farthest = curves.iter().flatten().map(|ratio| (ratio - 1.0).abs()).fold(0.001, f64::max);
    let most = 1.05 * farthest;
    let axes = linear(-most..most, 0.0..1.0, &frame);
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        frame.across(&mut canvas, at(&axes, 0.0, share).1, &percent(share));
    }
    let steps = if canvas.is_narrow() { 5 } else { 9 };
    let ticks: Vec<(i32, String)> = even_ticks(&(-most..most), steps)
        .into_iter()
        .map(|change| (at(&axes, change, 0.0).0, share_of(change)))
        .collect();
    frame.all_down(&mut canvas, &ticks, 16);
    let middle = at(&axes, 0.0, 0.0).0;
    canvas.line([(middle, frame.y.start), (middle, frame.y.end)], Ink::Axis, 1);
    let mut ends: Vec<(&str, Point)> = Vec::new();
    // The control is drawn first, behind the designs.
    for (one, curve) in all.iter().zip(&curves).rev() {
        let points: Vec<Point> =
            curve.iter().zip(SHARES).map(|(ratio, share)| at(&axes, ratio - 1.0, share)).collect();
        let says = finding(std::slice::from_ref(one));
        let (ink, last) = (view.keys.ink(one.id), points.last().copied());
        canvas.say(&says, |canvas| canvas.line(points, ink, 2));
        ends.extend(last.map(|end| (one.id, end)));
    }
    frame.axes(&mut canvas);
    let height = foot(&mut canvas, &frame, "ratio of a round to the median round", None);
    name_ends(&mut canvas, view, &frame, height, ends);
    canvas
}

fn numbers(view: View<'_>, panel: &PanelSummary, all: &[Distribution<'_>]) -> Table {
    let caption = "Quantiles of the ratio to the baseline over the rounds";
    let label = view.label(caption, Provenance::Measured.name(), About::Panel(&panel.panel));
    let shares = SHARES.map(percent);
    let columns = ["Design", "Rounds"].into_iter().chain(shares.iter().map(String::as_str));
    let mut table = Table::new(label, &columns.collect::<Vec<_>>());
    for one in all {
        let rounds = Cell::number(Some(one.rounds as f64), |rounds| format!("{rounds:.0}"));
        let quantiles = one.quantiles.iter().map(|log| Cell::number(Some(log.exp()), factor));
        let cells = [rounds].into_iter().chain(quantiles).collect();
        table.design(view.keys, one.id, name(one), cells);
    }
    table
}
