//! The gap between the fastest branchy and the fastest branchless design, as a waterfall of its parts.

use raywalk_judge::format::{cost, grouped, rate};
use raywalk_judge::gap::{Cause, Gap, Part, Side, gap};

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
    let gap = gap(view.judged)?;
    let mut canvas = Canvas::new((gap.parts.len() as i32 + 2) * ROW + 80);
    paint(&mut canvas, view, &gap);
    let names = [&gap.slower, &gap.faster].map(|side| side.row.name.as_str());
    Some(Figure {
        id: format!("{}gap", view.prefix),
        title: format!("The gap: {} against {}", names[0], names[1]),
        finding: finding(&gap),
        canvas,
        narrow: None,
        numbers: numbers(&gap),
    })
}

fn finding(gap: &Gap<'_>) -> String {
    let largest = gap.parts.iter().max_by(|a, b| a.cycles.abs().total_cmp(&b.cycles.abs()));
    let named = |part: &Part| {
        let direction = if part.cycles >= 0.0 { "more" } else { "fewer" };
        format!("{} {direction} for {}", cost(part.cycles.abs()), part.cause.name())
    };
    let remainder = gap.parts.iter().find(|part| part.cause == Cause::Remainder);
    let mut text = format!(
        "On {} different positions, {} takes {} cycles more per position than {}.",
        grouped(gap.boards),
        gap.slower.row.name,
        cost(gap.cycles()),
        gap.faster.row.name,
    );
    if let Some(largest) = largest {
        text.push_str(&format!(" The largest part: {}.", named(largest)));
    }
    if let Some(remainder) = remainder {
        text.push_str(&format!(" No model explains {}.", cost(remainder.cycles.abs())));
    }
    text.push_str(&format!(
        " A misprediction counts {} cycles, as the self-test measured it.",
        rate(gap.penalty)
    ));
    let slopes: Vec<String> = [&gap.slower, &gap.faster]
        .into_iter()
        .filter_map(|side| Some(format!("{} for {}", rate(side.slope?), side.row.name)))
        .collect();
    if !slopes.is_empty() {
        text.push_str(&format!(" The fit gives each design its own: {}.", slopes.join(", ")));
    }
    text
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
    side(canvas, &gap.faster, row(0));
    for (number, part) in gap.parts.iter().enumerate() {
        let (from, to, y) = (x(ends[number]), x(ends[number + 1]), row(number + 1));
        let (low, high) = (from.min(to), from.max(to));
        let ink = if part.cause == Cause::Remainder { Ink::Mark } else { Ink::Axis };
        canvas.fill(low..high.max(low + 1), y - 9..y + 9, ink);
        canvas.line([(from, y - ROW + 9), (from, y - 9)], Ink::Axis, 1);
        canvas.text((LEFT - 10, y), Anchor::Left, Ink::Text, part.cause.name());
        let sign = if part.cycles < 0.0 { "−" } else { "+" };
        let label = format!("{sign}{}", cost(part.cycles.abs()));
        canvas.text((high + 6, y), Anchor::Right, Ink::Text, &label);
    }
    side(canvas, &gap.slower, row(gap.parts.len() + 1));
    frame.name_below(canvas, "core cycles per position (derived)");
}

fn numbers(gap: &Gap<'_>) -> Table {
    let caption = "Numbers of the plot, and what they are made of; per position".to_owned();
    let mut table = Table::new(caption, &["", "Cycles", "How it is found"]);
    let line = |table: &mut Table, name: &str, value: f64, how: &str, digits: fn(f64) -> String| {
        table.row(name, vec![Cell::number(Some(value), digits), Cell::text(how)]);
    };
    for part in &gap.parts {
        let signed: fn(f64) -> String =
            |value| if value < 0.0 { format!("−{}", cost(-value)) } else { cost(value) };
        line(&mut table, part.cause.name(), part.cycles, part.cause.explained(), signed);
    }
    for side in [&gap.faster, &gap.slower] {
        let Side { row, learnt, matched, stream, instructions, misses, lines, slope } = side;
        let of = |what: &str| format!("{}: {what}", row.name);
        let replay = format!("learnt replay of {}", grouped(gap.k));
        let control = format!("{} laid out as {}", grouped(gap.k), grouped(gap.boards));
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
    line(&mut table, "cycles per misprediction", gap.penalty, "self-test, measured", rate);
    let least = "the fewest of any design, measured ÷ counted";
    line(&mut table, "cycles per instruction", gap.cycles_per_instruction, least, rate);
    table
}
