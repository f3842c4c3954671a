//! Branch mispredictions per position of each design, in a stream and in a replay.

use raywalk_judge::format::{cost, grouped, percent, plural, rate};
use raywalk_judge::summary::Row;
use raywalk_results::schema::{Event, Fit, Pooled, Stage, Trace};

use super::canvas::{Canvas, at, linear};
use super::figure::Figure;
use super::narrow::{drawn, foot, head, note};
use super::rows::{Margins, Rows};
use super::scale::{even_ticks, tick};
use crate::label::{self, About, TRACED};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const MARGINS: Margins = Margins { left: 250, right: 30, row: 30 };

/// A design in all traced workloads.
struct Line<'a> {
    id: &'a str,
    name: &'a str,
    /// One for each workload, in the order of the journal.
    traces: Vec<&'a Trace>,
    /// Counted mispredictions per position in the stream of each workload, where the machine has a counter.
    counted: Vec<Option<f64>>,
}

impl Line<'_> {
    fn replay(&self, workload: usize) -> Option<f64> {
        Some(self.traces.get(workload)?.predictors.first()?.replay)
    }

    fn stream(&self, workload: usize) -> Option<f64> {
        Some(self.traces.get(workload)?.predictors.first()?.stream)
    }
}

/// One row per traced design; needs a trace.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let workloads = workloads(view);
    let mut lines = lines(view, &workloads);
    lines.sort_by(|one, other| {
        other.stream(0).unwrap_or(0.0).total_cmp(&one.stream(0).unwrap_or(0.0))
    });
    let first = lines.first()?.traces.first()?;
    let paint = |canvas| paint(canvas, view, &lines, &workloads);
    Some(Figure {
        id: "misses".to_owned(),
        title: "Mispredicted branches per position, by design and order".to_owned(),
        finding: finding(&lines, first, &workloads, view.judged.results.fit.as_ref())?,
        canvas: paint(Canvas::new(0)),
        narrow: paint(Canvas::narrow()),
        numbers: numbers(view, &lines, &workloads),
    })
}

/// The traced workloads, in the order of the journal.
fn workloads(view: View<'_>) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for trace in &view.judged.results.traces {
        if !names.contains(&trace.workload.as_str()) {
            names.push(&trace.workload);
        }
    }
    names
}

fn lines<'a>(view: View<'a>, workloads: &[&str]) -> Vec<Line<'a>> {
    let results = view.judged.results;
    let line = |design: &'a raywalk_results::schema::Design| {
        let of = |workload: &&str| {
            results.traces.iter().find(|it| it.design == design.id && it.workload == **workload)
        };
        let traces: Vec<&Trace> = workloads.iter().filter_map(of).collect();
        let counted = traces.iter().map(|trace| counted(view, trace)).collect();
        (traces.len() == workloads.len()).then_some(Line {
            id: &design.id,
            name: &design.name,
            traces,
            counted,
        })
    };
    results.designs.iter().filter_map(line).filter(|line| !line.traces.is_empty()).collect()
}

/// Mispredictions per position that the processor counted where the workload is a stream.
fn counted(view: View<'_>, trace: &Trace) -> Option<f64> {
    let panels = view.judged.panels.iter().filter(|summary| {
        let panel = &summary.panel;
        panel.workload == trace.workload
            && panel.call.stage() == Some(trace.stage)
            && !panel.regime.is_perturbed()
    });
    let row = |row: &Row| Some(row.events.get(&Event::BranchMisses)? * row.moves);
    panels.filter_map(|panel| row(panel.row(&trace.design)?)).next()
}

fn finding(
    lines: &[Line<'_>],
    first: &Trace,
    workloads: &[&str],
    fit: Option<&Fit>,
) -> Option<String> {
    let model = first.predictors.first()?;
    let (most, least) = (lines.first()?, lines.last()?);
    let replayed = lines.iter().filter_map(|line| line.replay(0)).fold(0.0, f64::max);
    let counted = lines.iter().any(|line| line.counted.iter().any(Option::is_some));
    let mut text = format!(
        "On {}, each position once, {} mispredicts most: {} branches per position; {} fewest: {}. In learnt runs of \
         {} positions, no design mispredicts more than {}. Modelled by {} ({}) over the branches that the compiled \
         code executed. {}",
        workloads.first()?,
        most.name,
        rate(most.stream(0)?),
        least.name,
        rate(least.stream(0)?),
        grouped(first.replay),
        rate(replayed),
        model.model.name,
        model.model.parameters,
        accuracy(&model.model.name, fit),
    );
    if counted {
        text.push_str(
            " This machine has a counter: where counted and modelled numbers differ, prefer the counted ones.",
        );
    }
    Some(text)
}

/// The fit of a model on this machine in a sentence.
fn accuracy(model: &str, fit: Option<&Fit>) -> String {
    match fit.and_then(|fit| fit.pooled.iter().find(|pooled| pooled.model == model)) {
        Some(Pooled { orders, mean_error, greatest_error, .. }) => format!(
            "On this machine it predicted the cycles of {} of other positions with a mean error of {}, the greatest \
             {}.",
            plural(*orders as usize, "order"),
            percent(*mean_error),
            percent(*greatest_error),
        ),
        None => {
            "This session has no fit, which would show how accurate the model is on this machine."
                .to_owned()
        }
    }
}

fn paint(mut canvas: Canvas, view: View<'_>, all: &[Line<'_>], workloads: &[&str]) -> Canvas {
    let mut legend =
        "marker: each position once; stroke at the other end: learnt replay".to_owned();
    let lanes = workloads.len().min(LANES.len());
    if lanes > 1 {
        for (name, lane) in workloads.iter().zip(LANES) {
            legend.push_str(&format!("; {lane}: {name}"));
        }
    }
    if all.iter().any(|line| line.counted.iter().any(Option::is_some)) {
        legend.push_str("; tall stroke: counted");
    }
    let top = head(&mut canvas, &legend);
    let lines = drawn(view, all, |line| line.id);
    let rows = Rows::new(&mut canvas, top, lines.len(), &MARGINS);
    rows.stripes(&mut canvas);
    let frame = &rows.frame;
    let streams =
        lines.iter().flat_map(|line| (0..workloads.len()).filter_map(|at| line.stream(at)));
    let counted = lines.iter().flat_map(|line| line.counted.iter().flatten().copied());
    let most = streams.chain(counted).fold(0.1, f64::max) * 1.06;
    let axes = linear(0.0..most, 0.0..1.0, frame);
    let x = |misses: f64| at(&axes, misses, 0.0).0;
    for value in even_ticks(&(0.0..most), 8) {
        frame.down(&mut canvas, x(value), &tick(value));
    }
    for (number, line) in lines.iter().enumerate() {
        let text = view.keys.paint(line.id, Ink::Text);
        let label = |most| view.keys.label(line.id, most);
        canvas.cell(number, view.keys.owner(line.id), |canvas| {
            rows.name(canvas, number, (text, label), (text, ""));
            for (place, workload) in workloads.iter().take(lanes).enumerate() {
                let y = rows.middle(number) + (2 * place as i32 + 1 - lanes as i32) * APART / 2;
                lane(canvas, view, line, (place, workload), y, x);
            }
        });
    }
    let note = note(lines.len(), all.len());
    foot(&mut canvas, frame, "mispredicted branches per position (modelled)", note.as_deref());
    canvas
}

/// One workload of a design: from the learnt replay to the stream, and what was counted in the stream.
fn lane(
    canvas: &mut Canvas,
    view: View<'_>,
    line: &Line<'_>,
    (place, workload): (usize, &str),
    y: i32,
    x: impl Fn(f64) -> i32,
) {
    let (ink, shape) = (view.keys.ink(line.id), view.keys.shape(line.id));
    let Some(stream) = line.stream(place) else { return };
    if let Some(replay) = line.replay(place).map(&x) {
        canvas.line([(replay, y), (x(stream), y)], ink, 1);
        canvas.line([(replay, y - 3), (replay, y + 3)], ink, 2);
    }
    let counted = line.counted.get(place).copied().flatten();
    if let Some(x) = counted.map(&x) {
        canvas.line([(x, y - 6), (x, y + 6)], view.keys.paint(line.id, Ink::Mark), 2);
    }
    let counted = counted.map(|misses| format!(", counted {}", rate(misses))).unwrap_or_default();
    let says =
        format!("{}, {workload}: {} mispredicted branches{counted}", line.name, rate(stream));
    canvas.mark((x(stream), y), shape, ink, &says);
}

/// The workloads that are drawn, one above the other in the row of a design.
const LANES: [&str; 2] = ["upper", "lower"];
/// Pixels from one to the other.
const APART: i32 = 14;

fn numbers(view: View<'_>, lines: &[Line<'_>], workloads: &[&str]) -> Table {
    let mut columns = vec!["Design".to_owned()];
    for (place, name) in workloads.iter().enumerate() {
        columns.push(format!("{name}: branches (counted)"));
        let predictors = lines.first().and_then(|line| line.traces.get(place));
        for predictor in predictors.iter().flat_map(|trace| &trace.predictors) {
            columns.push(format!("{}: stream (modelled)", predictor.model.name));
            columns.push("replay (modelled)".to_owned());
        }
        columns.push("stream (counted)".to_owned());
    }
    let positions = label::workloads(&view.judged.results.session, workloads);
    let about = About::Own(TRACED, Stage::All.label(), &positions);
    let provenance = "counted and modelled, as the headings say";
    let label = view.label("Mispredicted branches per position", provenance, about);
    let mut table = Table::new(label, &columns);
    for line in lines {
        let mut cells = Vec::new();
        for (trace, counted) in line.traces.iter().zip(&line.counted) {
            let branches = trace.counts.conditional + trace.counts.indirect;
            cells.push(Cell::number(Some(branches), cost));
            for predictor in &trace.predictors {
                cells.push(Cell::number(Some(predictor.stream), rate));
                cells.push(Cell::number(Some(predictor.replay), rate));
            }
            cells.push(Cell::number(*counted, rate));
        }
        table.design(view.keys, line.id, line.name, cells);
    }
    table
}
