//! The gap between the fastest branchy and the fastest branchless design, as a waterfall of its parts, and the parts of
//! all designs.

use raywalk_judge::format::{cost, grouped, rate, signed};
use raywalk_judge::gap::{self, Breakdown, Cause, Gap, Side, breakdown};
use raywalk_results::schema::Provenance;

use super::canvas::{Anchor, Canvas, at, linear};
use super::figure::Figure;
use super::narrow::{foot, head};
use super::rows::{Margins, Rows};
use super::scale::{even_ticks, tick};
use crate::label::About;
use crate::palette::{Ink, Paint};
use crate::table::{Cell, Table};
use crate::view::View;

const MARGINS: Margins = Margins { left: 270, right: 60, row: 30 };

/// Needs the memory-matched control, traces of both designs and a measured misprediction cost.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let all = breakdown(view.judged)?;
    let gap = all.of_classes()?;
    let names = [gap.slower, gap.faster].map(|side| side.row.name.as_str());
    Some(Figure {
        id: "gap".to_owned(),
        title: format!("The gap: {} against {}", names[0], names[1]),
        finding: all.finding(view.judged, &gap),
        canvas: paint(Canvas::new(0), view, &gap),
        narrow: paint(Canvas::narrow(), view, &gap),
        numbers: numbers(view, &all, &gap),
    })
}

fn paint(mut canvas: Canvas, view: View<'_>, gap: &Gap<'_>) -> Canvas {
    let is_narrow = canvas.is_narrow();
    canvas.needs([gap.faster, gap.slower].map(|side| view.keys.owner(&side.row.id)));
    let top = head(&mut canvas, "from the faster design down to the slower one");
    let rows = Rows::new(&mut canvas, top, gap.parts.len() + 2, &MARGINS);
    let frame = &rows.frame;
    // The extremes are kept while the ends are added: a fold over them afterwards is miscompiled, see
    // docs/design-notes.md.
    let (mut end, mut least, mut most) = (gap.faster.stream, 0.0_f64, gap.slower.stream);
    let mut ends = vec![end];
    for part in &gap.parts {
        end += part.cycles;
        ends.push(end);
        (least, most) = (least.min(end), most.max(end));
    }
    // Room for the value behind the longest bar; in a narrow drawing it stands beside the name.
    let room = if is_narrow { 1.04 } else { 1.12 };
    let most = most * room;
    let axes = linear(least..most, 0.0..1.0, frame);
    let x = |cycles: f64| at(&axes, cycles, 0.0).0;
    for value in even_ticks(&(least..most), if is_narrow { 5 } else { 8 }) {
        frame.down(&mut canvas, x(value), &tick(value));
    }
    canvas.line([(x(0.0), frame.y.start), (x(0.0), frame.y.end)], Ink::Axis, 1);
    // The value stands at the end of its bar where there is room, beside the name otherwise.
    let value = |canvas: &mut Canvas,
                 number: usize,
                 name: (Paint, &dyn Fn(usize) -> String),
                 end,
                 text: &str| {
        let text_ink = Ink::Text.into();
        if is_narrow {
            rows.name(canvas, number, name, (text_ink, text));
        } else {
            rows.name(canvas, number, name, (text_ink, ""));
            canvas.text((end + 6, rows.middle(number)), Anchor::Right, text_ink, text);
        }
    };
    let side = |canvas: &mut Canvas, side: &Side<'_>, number: usize| {
        let id = &side.row.id;
        let (y, end) = (rows.middle(number), x(side.stream));
        let says = format!("{}: {} cycles per position", side.row.name, cost(side.stream));
        canvas.say(&says, |canvas| canvas.fill(x(0.0)..end, y - 9..y + 9, view.keys.ink(id)));
        let label = |most| view.keys.label(id, most);
        value(canvas, number, (view.keys.paint(id, Ink::Text), &label), end, &cost(side.stream));
    };
    side(&mut canvas, gap.faster, 0);
    for (number, part) in gap.parts.iter().enumerate() {
        let (from, to, y) = (x(ends[number]), x(ends[number + 1]), rows.middle(number + 1));
        let (low, high) = (from.min(to), from.max(to));
        let ink = if part.cause == Cause::Remainder { Ink::Mark } else { Ink::Axis };
        let sign = if part.cycles < 0.0 { "" } else { "+" };
        let text = format!("{sign}{}", signed(part.cycles));
        let says = format!("{}: {text} cycles per position", part.cause.name());
        canvas.say(&says, |canvas| canvas.fill(low..high.max(low + 1), y - 9..y + 9, ink));
        canvas.line([(from, rows.middle(number) + 9), (from, y - 9)], Ink::Axis, 1);
        let label = |_: usize| part.cause.name().to_owned();
        value(&mut canvas, number + 1, (Ink::Text.into(), &label), high, &text);
    }
    side(&mut canvas, gap.slower, gap.parts.len() + 1);
    foot(&mut canvas, frame, "core cycles per position (derived)", None);
    canvas
}

fn numbers(view: View<'_>, all: &Breakdown<'_>, gap: &Gap<'_>) -> Table {
    let caption = "Numbers of the plot, and what they are made of; per position";
    let label = view.label(
        caption,
        "measured, counted, modelled and fitted, as the last column says",
        about(view, all),
    );
    let mut table = Table::new(label, &["", "Cycles", "How it is found"]);
    let line = |table: &mut Table, name: &str, value: f64, how: &str, digits: fn(f64) -> String| {
        table.row(name, vec![Cell::number(Some(value), digits), Cell::text(how)]);
    };
    for part in &gap.parts {
        line(&mut table, part.cause.name(), part.cycles, part.cause.explained(), signed);
    }
    for side in [gap.faster, gap.slower] {
        let Side { row, learnt, matched, stream, instructions, critical_path, .. } = side;
        let Side { misses, lines, slope, .. } = side;
        let of = |what: &str| format!("{}: {what}", row.name);
        let replay = format!("learnt replay of {}", grouped(all.k));
        let control = format!("{} laid out as {}", grouped(all.k), grouped(all.boards));
        line(&mut table, &of(&replay), *learnt, "cycles, measured", cost);
        line(&mut table, &of(&control), *matched, "cycles, measured", cost);
        line(&mut table, &of("stream"), *stream, "cycles, measured", cost);
        line(&mut table, &of("instructions"), *instructions, Provenance::Counted.name(), cost);
        if let Some(path) = critical_path {
            line(&mut table, &of("critical path"), *path, "cycles, computed", cost);
        }
        line(&mut table, &of("mispredictions"), *misses, "modelled, stream less replay", rate);
        line(&mut table, &of("cache lines of a call"), *lines, Provenance::Counted.name(), cost);
        if let Some(slope) = slope {
            line(&mut table, &of("cycles per misprediction"), *slope, "fitted", rate);
        }
    }
    line(&mut table, "cycles per misprediction", all.penalty, "self-test, measured", rate);
    let least = "the fewest of any design, measured ÷ counted";
    line(&mut table, "cycles per instruction", all.cycles_per_instruction, least, rate);
    table
}

/// The stream whose cycles are explained, the learnt replay and its memory-matched control.
fn about<'a>(view: View<'a>, all: &'a Breakdown<'_>) -> About<'a> {
    let control = view.judged.matched();
    let control = control.map(|one| one.control);
    About::panels(gap::WHICH, [all.panel].into_iter().chain(control))
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
    let mut table = Table::new(view.label(caption, gap::PROVENANCE, about(view, &all)), &columns);
    for side in &all.sides {
        let parts = side.parts.iter().map(|part| Cell::number(Some(part.cycles), signed));
        let cells = [Cell::number(Some(side.stream), cost)].into_iter().chain(parts).collect();
        table.design(view.keys, &side.row.id, &side.row.name, cells);
    }
    Some(table)
}
