//! The gap between the fastest branchy and the fastest branchless design, as a waterfall of its parts, and the parts of
//! all designs.

use raywalk_judge::format::{cost, grouped, rate, signed};
use raywalk_judge::gap::{Breakdown, Cause, Gap, Side, breakdown};

use super::canvas::{Anchor, Canvas, Frame, WIDTH, at, linear};
use super::figure::Figure;
use super::scale::{even_ticks, tick};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const ROW: i32 = 30;
const LEFT: i32 = 270;

/// Needs the memory-matched control, traces of both designs and a measured misprediction cost.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let all = breakdown(view.judged)?;
    let gap = all.of_classes()?;
    let mut canvas = Canvas::new((gap.parts.len() as i32 + 2) * ROW + 80);
    paint(&mut canvas, view, &gap);
    let names = [gap.slower, gap.faster].map(|side| side.row.name.as_str());
    Some(Figure {
        id: format!("{}gap", view.prefix),
        title: format!("The gap: {} against {}", names[0], names[1]),
        finding: all.finding(&gap),
        canvas,
        narrow: None,
        numbers: numbers(&all, &gap),
    })
}

fn paint(canvas: &mut Canvas, view: View<'_>, gap: &Gap<'_>) {
    let frame = Frame { x: LEFT..WIDTH - 60, y: 34..canvas.height() - 44 };
    let mut ends = vec![gap.faster.stream];
    for part in &gap.parts {
        ends.push(ends.last().copied().unwrap_or(0.0) + part.cycles);
    }
    let most = ends.iter().copied().fold(gap.slower.stream, f64::max) * 1.04;
    let least = ends.iter().copied().fold(0.0, f64::min);
    let axes = linear(least..most, 0.0..1.0, &frame);
    let x = |cycles: f64| at(&axes, cycles, 0.0).0;
    for value in even_ticks(&(least..most), 8) {
        frame.down(canvas, x(value), &tick(value));
    }
    canvas.line([(x(0.0), frame.y.start), (x(0.0), frame.y.end)], Ink::Axis, 1);
    canvas.text(
        (4, 14),
        Anchor::Right,
        Ink::Muted,
        "from the faster design down to the slower one",
    );
    let side = |canvas: &mut Canvas, side: &Side<'_>, y: i32| {
        let ink = view.keys.ink(&side.row.id);
        canvas.fill(x(0.0)..x(side.stream), y - 9..y + 9, ink);
        let text = view.keys.paint(&side.row.id, Ink::Text);
        canvas.text((LEFT - 10, y), Anchor::Left, text, &view.keys.label(&side.row.id, 34));
        canvas.text((x(side.stream) + 6, y), Anchor::Right, Ink::Text, &cost(side.stream));
    };
    let row = |number: usize| frame.y.start + ROW / 2 + number as i32 * ROW;
    side(canvas, gap.faster, row(0));
    for (number, part) in gap.parts.iter().enumerate() {
        let (from, to, y) = (x(ends[number]), x(ends[number + 1]), row(number + 1));
        let (low, high) = (from.min(to), from.max(to));
        let ink = if part.cause == Cause::Remainder { Ink::Mark } else { Ink::Axis };
        canvas.fill(low..high.max(low + 1), y - 9..y + 9, ink);
        canvas.line([(from, y - ROW + 9), (from, y - 9)], Ink::Axis, 1);
        canvas.text((LEFT - 10, y), Anchor::Left, Ink::Text, part.cause.name());
        let sign = if part.cycles < 0.0 { "" } else { "+" };
        let label = format!("{sign}{}", signed(part.cycles));
        canvas.text((high + 6, y), Anchor::Right, Ink::Text, &label);
    }
    side(canvas, gap.slower, row(gap.parts.len() + 1));
    frame.name_below(canvas, "core cycles per position (derived)");
}

fn numbers(all: &Breakdown<'_>, gap: &Gap<'_>) -> Table {
    let caption = "Numbers of the plot, and what they are made of; per position".to_owned();
    let mut table = Table::new(caption, &["", "Cycles", "How it is found"]);
    let line = |table: &mut Table, name: &str, value: f64, how: &str, digits: fn(f64) -> String| {
        table.row(name, vec![Cell::number(Some(value), digits), Cell::text(how)]);
    };
    for part in &gap.parts {
        line(&mut table, part.cause.name(), part.cycles, part.cause.explained(), signed);
    }
    for side in [gap.faster, gap.slower] {
        let Side { row, learnt, matched, stream, instructions, misses, lines, slope, .. } = side;
        let of = |what: &str| format!("{}: {what}", row.name);
        let replay = format!("learnt replay of {}", grouped(all.k));
        let control = format!("{} laid out as {}", grouped(all.k), grouped(all.boards));
        line(&mut table, &of(&replay), *learnt, "cycles, measured", cost);
        line(&mut table, &of(&control), *matched, "cycles, measured", cost);
        line(&mut table, &of("stream"), *stream, "cycles, measured", cost);
        line(&mut table, &of("instructions"), *instructions, "counted", cost);
        line(&mut table, &of("mispredictions"), *misses, "modelled, stream less replay", rate);
        line(&mut table, &of("cache lines of a call"), *lines, "counted", cost);
        if let Some(slope) = slope {
            line(&mut table, &of("cycles per misprediction"), *slope, "fitted", rate);
        }
    }
    line(&mut table, "cycles per misprediction", all.penalty, "self-test, measured", rate);
    let least = "the fewest of any design, measured ÷ counted";
    line(&mut table, "cycles per instruction", all.cycles_per_instruction, least, rate);
    table
}

/// The parts of every design; the gap between any two is the difference of their rows. `None` without parts.
pub(crate) fn parts(view: View<'_>) -> Option<Table> {
    let all = breakdown(view.judged)?;
    let caption = format!(
        "Cycles per position on {} different positions, and what they are made of (derived). The gap between any two \
         designs is the difference of their rows",
        grouped(all.boards)
    );
    let first = all.sides.first()?;
    let causes = first.parts.iter().map(|part| part.cause.name());
    let columns: Vec<&str> = ["Design", "All"].into_iter().chain(causes).collect();
    let mut table = Table::new(caption, &columns);
    for side in &all.sides {
        let parts = side.parts.iter().map(|part| Cell::number(Some(part.cycles), signed));
        let cells = [Cell::number(Some(side.stream), cost)].into_iter().chain(parts).collect();
        table.design(view.keys, &side.row.id, &side.row.name, cells);
    }
    Some(table)
}
