//! Mispredictions by source line, for two designs side by side.

use raywalk_judge::format::{NONE, rate};
use raywalk_judge::gap::{Breakdown, breakdown};
use raywalk_results::schema::{BranchSite, ByNode, NodeUse, Stage, Trace};

use super::canvas::{Anchor, Canvas, NARROW, Point, WIDTH, fitting};
use super::figure::Figure;
use super::narrow::LINE;
use crate::keys::clipped;
use crate::label::{About, Label, TRACED};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const ROW: i32 = 34;
/// Height of the text of a source line.
const SOURCE: i32 = 16;
const TOP: i32 = 56;
/// Upper bound on the branches of each design that are shown.
const SHOWN: usize = 8;
/// Width of the drawing of one of the two designs.
const HALF: i32 = WIDTH / 2;

/// The designs of the gap in the order slower, faster.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let all = breakdown(view.judged)?;
    let gap = all.of_classes()?;
    let trace = |id: &str| of_stream(view, &all, id);
    let sides = [
        (&gap.slower.row.name, trace(&gap.slower.row.id)?),
        (&gap.faster.row.name, trace(&gap.faster.row.id)?),
    ];
    let most =
        sides.iter().flat_map(|(_, trace)| &trace.branches).map(|it| it.stream).fold(0.0, f64::max);
    // Side by side, or below each other.
    let mut canvas = Canvas::new(0);
    let ends = [0, HALF]
        .into_iter()
        .zip(&sides)
        .map(|(left, (_, trace))| paint(&mut canvas, view, (left, 0), trace, most));
    let end = ends.max()?;
    canvas.end_at(end);
    let mut narrow = Canvas::narrow();
    let end =
        sides.iter().fold(0, |top, (_, trace)| paint(&mut narrow, view, (0, top), trace, most));
    narrow.end_at(end);
    for canvas in [&mut canvas, &mut narrow] {
        canvas.needs(sides.iter().map(|(_, trace)| view.keys.owner(&trace.design)));
    }
    Some(Figure {
        id: "branches".to_owned(),
        title: "Mispredictions by source line".to_owned(),
        finding: finding(&sides)?,
        canvas,
        narrow,
        numbers: table(
            view,
            label(view, "Branches, per position", &all.panel.panel.workload),
            sides,
            usize::MAX,
        ),
    })
}

/// The branches of every design on the positions of the gap. `None` without parts of a gap.
pub(crate) fn all(view: View<'_>) -> Option<Table> {
    let all = breakdown(view.judged)?;
    let traces = all
        .sides
        .iter()
        .filter_map(|side| Some((&side.row.name, of_stream(view, &all, &side.row.id)?)));
    let caption = format!("Branches of every design, per position of {}", all.panel.panel.workload);
    Some(table(view, label(view, &caption, &all.panel.panel.workload), traces, SHOWN))
}

/// The branches of every design in the two types of node of a recorded search. `None` if no search was traced.
pub(crate) fn by_node(view: View<'_>) -> Option<Table> {
    let results = view.judged.results;
    let has_nodes = |trace: &&Trace| trace.branches.iter().any(|site| site.nodes.is_some());
    let workload = &results.traces.iter().find(has_nodes)?.workload;
    let here = |trace: &&Trace| trace.workload == *workload && trace.stage == Stage::All;
    let traces = results.traces.iter().filter(here);
    let traces = traces.map(|trace| (results.name(&trace.design), trace));
    let caption = format!(
        "Branches of every design on the nodes of {workload}. Executions in interior nodes, where a search generates all \
         moves, and in quiescence nodes are per node of that type; all moves are generated in both"
    );
    Some(table(view, label(view, &caption, workload), traces, SHOWN))
}

fn label(view: View<'_>, title: &str, workload: &str) -> Label {
    let provenance = "counted, mispredictions modelled";
    view.label(title, provenance, About::Workload(TRACED, Stage::All, workload))
}

fn of_stream<'a>(view: View<'a>, all: &Breakdown<'_>, design: &str) -> Option<&'a Trace> {
    view.judged.results.trace(design, &all.panel.panel.workload, Stage::All)
}

fn shown(trace: &Trace) -> &[BranchSite] {
    &trace.branches[..SHOWN.min(trace.branches.len())]
}

/// The line without the folder that all designs share.
fn place(site: &BranchSite) -> String {
    let short = |line: &str| line.strip_prefix("variants/").unwrap_or(line).replace("/src/", "/");
    match (&*site.line, &site.caller) {
        ("", _) => "line not known".to_owned(),
        (_, Some(caller)) => format!("{} in {}", short(&site.line), short(caller)),
        (line, None) => short(line),
    }
}

fn finding(sides: &[(&String, &Trace); 2]) -> Option<String> {
    let text = |(name, trace): &(&String, &Trace)| {
        let all = trace.predictors.first()?.stream;
        let first = trace.branches.first()?;
        Some(format!(
            "{name} mispredicts {} branches per position of {}, {} of them in {}",
            rate(all),
            trace.workload,
            rate(first.stream),
            place(first)
        ))
    };
    let [one, other] = [text(&sides[0])?, text(&sides[1])?];
    Some(format!(
        "{one}. {other}. Executions and taken rates are counted, mispredictions modelled."
    ))
}

/// The branches of one design from this corner on. Returns the height at which they end.
fn paint(canvas: &mut Canvas, view: View<'_>, (left, top): Point, trace: &Trace, most: f64) -> i32 {
    let ink = view.keys.ink(&trace.design);
    let is_narrow = canvas.is_narrow();
    let width = if is_narrow { NARROW } else { HALF };
    canvas.marker((left + 10, top + 16), view.keys.shape(&trace.design), ink);
    let name = view.keys.label(&trace.design, fitting(width - 30));
    canvas.text((left + 24, top + 16), Anchor::Right, Ink::Text, &name);
    let legend = "bar: each position once; line: learnt replay";
    canvas.text((left + 4, top + 38), Anchor::Right, Ink::Muted, legend);
    let full = f64::from(width - 90);
    let length = |misses: f64| (misses / most.max(1e-9) * full).round() as i32;
    let mut y = top + TOP;
    for site in shown(trace) {
        let counts = format!("{} × · {:.0} % taken", rate(site.executed), 100.0 * site.taken);
        if is_narrow {
            let text = clipped(&place(site), fitting(width - 8));
            canvas.text((left + 4, y + 4), Anchor::Right, Ink::Text, &text);
            y += LINE;
            canvas.text((left + 4, y + 4), Anchor::Right, Ink::Muted, &counts);
        } else {
            let text = format!("{} · {counts}", clipped(&place(site), 44));
            canvas.text((left + 4, y + 4), Anchor::Right, Ink::Text, &text);
        }
        if let Some(source) = &site.text {
            y += SOURCE;
            let text = clipped(source, fitting(width - 8));
            canvas.text((left + 4, y + 4), Anchor::Right, Ink::Muted, &text);
        }
        let (bar, below) = (length(site.stream).max(1), length(site.replay));
        let says = format!(
            "{name}, {}: {} mispredictions per position, {} in learnt replay",
            place(site),
            rate(site.stream),
            rate(site.replay)
        );
        canvas.say(&says, |canvas| canvas.fill(left + 4..left + 4 + bar, y + 13..y + 23, ink));
        canvas.line([(left + 4, y + 26), (left + 4 + below, y + 26)], Ink::Mark, 2);
        canvas.text((left + 10 + bar, y + 18), Anchor::Right, Ink::Muted, &rate(site.stream));
        y += ROW;
    }
    y + 10
}

/// The branches of each design with the most mispredictions, up to that number.
fn table<'a, N: AsRef<str> + 'a>(
    view: View<'_>,
    label: Label,
    designs: impl IntoIterator<Item = (N, &'a Trace)>,
    most: usize,
) -> Table {
    let designs: Vec<_> = designs.into_iter().collect();
    let sites = || designs.iter().flat_map(|(_, trace)| &trace.branches);
    let has_text = sites().any(|site| site.text.is_some());
    let has_nodes = sites().any(|site| site.nodes.is_some());
    let mut columns = vec!["Design", "Branch"];
    if has_text {
        columns.push("Its source line");
    }
    columns.extend([
        "Executed (counted)",
        "Taken % (counted)",
        "Entropy (counted)",
        "Mispredicted: stream (modelled)",
        "replay (modelled)",
    ]);
    if has_nodes {
        columns.extend([
            "Interior: executed (counted)",
            "interior: taken %",
            "Quiescence: executed (counted)",
            "quiescence: taken %",
        ]);
    }
    let mut table = Table::new(label, &columns);
    for (name, trace) in designs {
        for site in trace.branches.iter().take(most) {
            let number = |value: f64| Cell::number(Some(value), rate);
            let share =
                |taken: f64| Cell::number(Some(100.0 * taken), |value| format!("{value:.1}"));
            let mut cells = vec![Cell::text(place(site))];
            if has_text {
                cells.push(Cell::text(site.text.as_deref().unwrap_or(NONE)));
            }
            cells.extend([
                number(site.executed),
                share(site.taken),
                number(site.entropy),
                number(site.stream),
                number(site.replay),
            ]);
            if has_nodes {
                let ByNode { interior, quiescence } = site.nodes.unwrap_or_default();
                let of = |node: NodeUse| [number(node.executed), share(node.taken)];
                cells.extend([interior, quiescence].into_iter().flat_map(of));
            }
            table.design(view.keys, &trace.design, name.as_ref(), cells);
        }
    }
    table
}
