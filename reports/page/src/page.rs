//! The page: one HTML file that needs no network, with everything about one session, or a comparison of several.
//!
//! It is readable without scripts, it is the same bytes for the same data, and all text from journals is escaped.
//! Sections follow the questions of a reader: the result, its reasons, the claims of the literature, all designs on
//! all workloads, the inside of the designs, the certainty of the result, the machine, and how to repeat the session.
//! Parts that a session lacks are lines of one list, with the commands that add them.
//!
//! Layers, bottom to top: section, packed and absent; one module per section (overview uses events and
//! machine, trust uses overview, events and selftest); bar and tables; shell.

mod absent;
mod bar;
mod boards;
mod calls;
mod chains;
mod claims;
mod code;
mod counts;
mod data;
mod density;
mod designs;
mod events;
mod first;
mod inside;
mod lacking;
mod leaves;
mod limit;
mod lookups;
mod machine;
mod machines;
mod matrix;
mod methods;
mod overview;
mod packed;
mod peers;
mod ranked;
mod section;
mod selftest;
mod shell;
mod side_by_side;
mod tables;
mod timings;
mod together;
mod trust;

use maud::{Markup, html};
use raywalk_core::parallel;
use raywalk_judge::Judged;
use raywalk_judge::classes::Classes;
use raywalk_judge::compare::Comparison;
use raywalk_judge::compare::side_by_side::side_by_side;
use raywalk_judge::finding::finding;
use raywalk_judge::matrix::Baseline;
use raywalk_judge::ranking::rank;

use crate::keys::Keys;
use crate::label;
use crate::plain::PlainTable;
use crate::plot::{
    Figure, branches, captures, classes, distribution, fitted, forest, gap, intensity, layouts,
    learning, lines, memorisation, misses, regimes, sequence, size, spread,
};
use crate::table::Table;
use crate::view::View;
use lacking::Part;
use section::{Section, heading};

/// Id of the first section that the bar of the page acts on.
const ABOUT_ALL: &str = "matrix";

/// Id of the section with the commands and the raw data.
const REPEAT: &str = "repeat";

const RUN: &str = "raywalk run";
const FULL: &str = "raywalk run --plan full";
const FIT: &str = "raywalk fit --into RESULT";
const CHAINS: &str = "raywalk chains --into RESULT";
const LAYOUTS: &str = "raywalk run --layouts 12";
/// Results of `cargo bench` are read when a page is written.
const AGAIN: &str = ", then `raywalk report RESULT`";
const BOTH_CLASSES: &str = " with a design of each class on one kind of board";
/// The platform that tracing needs.
const X86: &str = " on x86-64 Linux";

/// Section of the page that draws a plot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the top of the page, below the finding.
    First,
    Why,
    /// Once for each baseline, by [`forests`].
    Ranking,
    Regimes,
    /// Below the density of positions.
    Phases,
    Depends,
    Inside,
    Trust,
}

/// The section of each plot of a session, and the line of the list of missing parts if the session lacks its data.
type Plot = (Place, fn(View<'_>) -> Option<Figure>, Option<Part>);

const CLASSES: Part = Part("Branchless against branchy", RUN, BOTH_CLASSES);

/// All plots, in the order of the page.
const PLOTS: [Plot; 18] = [
    (Place::First, classes::figure, Some(CLASSES)),
    (Place::Why, memorisation::figure, Some(Part("The memorisation curve", RUN, ""))),
    (Place::Why, fitted::figure, Some(Part("Cycles over modelled mispredictions", FIT, X86))),
    (Place::Why, gap::figure, Some(Part(lacking::GAP, RUN, X86))),
    (Place::Ranking, |view| forest::figure(view, Baseline::Planned), None),
    (Place::Regimes, regimes::figure, None),
    (Place::Phases, captures::figure, Some(Part("Captures of generated positions", FULL, ""))),
    (Place::Depends, intensity::figure, Some(Part(intensity::COLD.title, FULL, ""))),
    (Place::Depends, intensity::pressure, Some(Part(intensity::PRESSURE.title, FULL, ""))),
    (Place::Depends, size::figure, None),
    (Place::Inside, misses::figure, Some(Part(lacking::MISSES, RUN, X86))),
    (Place::Inside, branches::figure, None),
    (Place::Inside, lines::figure, None),
    (Place::Inside, learning::figure, None),
    (Place::Trust, spread::figure, Some(Part("The spread over processes", RUN, ""))),
    (Place::Trust, layouts::figure, Some(Part(lacking::LAYOUTS, LAYOUTS, X86))),
    (Place::Trust, distribution::figure, None),
    (Place::Trust, sequence::figure, None),
];

/// The page of one or more sessions, as a complete HTML document.
///
/// The page of one session has everything about it. That of several compares them: their numbers are never mixed, each
/// ratio is one within a session, and the page of each session alone has what is not compared.
pub fn page(sessions: &[Judged<'_>]) -> String {
    match sessions {
        [judged] => of_one(judged),
        _ => of_several(sessions, together::comparison(sessions).as_ref()),
    }
}

/// The page of two sessions with the changes that a comparison of them found.
pub fn compared(sessions: &[Judged<'_>; 2], comparison: &Comparison) -> String {
    of_several(sessions, Some(comparison))
}

fn of_one(judged: &Judged<'_>) -> String {
    let keys = Keys::of([judged.results]);
    let view = View { judged, keys: &keys, prefix: "" };
    let finding = finding(judged);
    let mut sections = of_session(view);
    // The command and the raw data stand at the end.
    let repeat = sections.iter().position(|section| section.id == REPEAT);
    let repeat = repeat.map(|place| sections.remove(place));
    sections.push(methods::method());
    sections.push(methods::glossary());
    sections.extend(repeat);
    let before = sections.iter().position(|section| section.id == ABOUT_ALL).unwrap_or(0);
    let (first, bar) = (first::body(view, &finding), bar::of_session(view));
    shell::document(&finding.heading, &first, &bar, before, &sections)
}

fn of_several(sessions: &[Judged<'_>], comparison: Option<&Comparison>) -> String {
    let keys = Keys::of(sessions.iter().map(|judged| judged.results));
    let prefixes: Vec<String> = (0..sessions.len()).map(label::prefix).collect();
    let views = sessions.iter().zip(&prefixes);
    let views: Vec<View<'_>> =
        views.map(|(judged, prefix)| View { judged, keys: &keys, prefix }).collect();
    let rankings = rank(sessions);
    let classes: Vec<Vec<Classes<'_>>> =
        sessions.iter().map(raywalk_judge::classes::classes).collect();
    let finding = together::finding(sessions, &classes, &rankings);
    let first = first::of_sessions(sessions, &views, &classes, &keys, &finding);
    let margin = comparison.map_or_else(|| together::widest_margin(sessions), |it| it.margin);
    let beside = side_by_side(sessions, margin);
    let mut sections =
        together::sections(sessions, &views, &classes, &keys, &rankings, &beside, comparison);
    sections.push(methods::method());
    sections.push(methods::glossary());
    // Agreement is about panels, everything from the next section on about designs.
    let bar = bar::of_sessions(&views, beside.panels().map(|it| &it.panel));
    shell::document(&finding.heading, &first, &bar, 1, &sections)
}

/// The figures of a session by id, each as an SVG file of its own in the colours of the light theme.
pub fn figures(judged: &Judged<'_>) -> Vec<(String, String)> {
    let keys = Keys::of([judged.results]);
    let view = View { judged, keys: &keys, prefix: "" };
    let all = PLOTS.iter().filter_map(|(_, figure, _)| figure(view));
    all.map(|figure| (figure.id.clone(), figure.file())).collect()
}

/// The tables of a session by name, in the order of the page. Several may share a name.
pub fn tables(judged: &Judged<'_>) -> Vec<(String, PlainTable)> {
    let keys = Keys::of([judged.results]);
    tables::tables(View { judged, keys: &keys, prefix: "" })
}

/// The calls of a session side by side, a table for each workload and regime with several calls.
pub fn calls(judged: &Judged<'_>) -> Vec<PlainTable> {
    let keys = Keys::of([judged.results]);
    let tables = calls::all(View { judged, keys: &keys, prefix: "" });
    tables.iter().map(Table::plain).collect()
}

/// The sections of a session. The bar of the page belongs before the first one that is [about all](ABOUT_ALL).
fn of_session(view: View<'_>) -> Vec<Section> {
    let results = view.judged.results;
    // The first figure is drawn below the finding, and the ranking once for each baseline.
    let plots = PLOTS.iter().filter(|(place, ..)| !matches!(place, Place::First | Place::Ranking));
    let plots: Vec<&Plot> = plots.collect();
    let figures = parallel::map(&plots, |&&(place, figure, lacking)| {
        (place, figure(view).map(|figure| draw(&figure, 3)), lacking)
    });
    let draw_all = |place: Place| -> Markup {
        let here = figures.iter().filter(|(own, ..)| *own == place);
        html! { @for figure in here.filter_map(|(_, figure, _)| figure.as_ref()) { (figure) } }
    };
    let part = |title: &str, body: Markup| -> Markup {
        html! { @if !body.0.is_empty() { (heading(3, None, title)) (body) } }
    };
    let has_rounds = view.judged.panels.iter().any(|panel| !panel.rows.is_empty());
    // The longest comes first, so that no core waits for it at the end.
    let bodies: [&(dyn Fn() -> Markup + Sync); 17] = [
        &|| claims::body(view),
        &|| ranked::body(view),
        &|| peers::body(view),
        &|| data::body(view),
        &|| matrix::body(view),
        &|| forests(view),
        &|| trust::body(view, draw_all(Place::Trust)),
        &|| inside::body(view),
        &|| boards::body(view),
        &|| calls::body(view),
        &|| counts::body(view),
        &|| leaves::body(view),
        &|| density::body(view),
        &|| lookups::body(view),
        &|| events::body(view),
        &|| timings::body(view),
        &|| chains::body(view),
    ];
    let bodies = parallel::map(&bodies, |body| body());
    let [
        claims,
        ranked,
        peers,
        data,
        matrix,
        forests,
        trust,
        tables,
        boards,
        calls,
        counts,
        leaves,
        density,
        lookups,
        events,
        timings,
        chains,
    ] = <[Markup; 17]>::try_from(bodies).expect("one of each");
    let of_plots =
        figures.iter().filter_map(|(_, figure, lacking)| Some((figure.is_some(), (*lacking)?)));
    let of_plots = [(classes::is_drawn(view), CLASSES)].into_iter().chain(of_plots);
    let others = [
        (!claims.0.is_empty(), Part("Claims of the literature", "raywalk claims", "")),
        (!density.0.is_empty(), Part("Density and phase of the positions", FULL, "")),
        (!calls.0.is_empty(), Part("Calls other than generation", FULL, "")),
        (!lookups.0.is_empty(), Part("Attack look-ups alone", FULL, "")),
        (!leaves.0.is_empty(), Part("Perft of known positions", FULL, "")),
        (!results.codes.is_empty(), Part("The code of the designs", RUN, X86)),
        (
            !peers.0.is_empty(),
            Part(
                "Peers and plug-ins",
                RUN,
                " with the source tree at hand, or with `--plugin FILE`",
            ),
        ),
        (!results.chains.is_empty(), Part("Dependency chains of the walks", CHAINS, X86)),
        (!counts.0.is_empty(), Part(lacking::COUNTS, "cargo bench --bench counts", AGAIN)),
        (!events.0.is_empty(), Part(lacking::EVENTS, RUN, " on a machine with hardware counters")),
        (!timings.0.is_empty(), Part("Timings by Criterion", "cargo bench --bench timing", AGAIN)),
        (!results.selftest.is_empty(), Part("Self-test", RUN, "")),
    ];
    let rounds = (has_rounds, Part("Rounds, and with them any finding about speed", RUN, ""));
    let lacking = [rounds].into_iter().chain(of_plots).chain(others).filter(|(shown, _)| !shown);
    let lacking: Vec<Part> = lacking.map(|(_, part)| part).collect();
    let why = draw_all(Place::Why);
    let depends = html! {
        (draw_all(Place::Regimes)) (part("Density and phase", density))
        (draw_all(Place::Phases)) (draw_all(Place::Depends)) (part("Calls", calls))
        (part("Attack look-ups alone", lookups)) (part("Perft", leaves))
    };
    let inside = html! {
        (draw_all(Place::Inside)) (tables)
        (part("Dependency chains", chains))
        (part("Positions that cost most and least", boards))
        (part("Peers and plug-ins", peers))
        (part("The limit of list writing", limit::body(view)))
        (part("Counts and simulations", counts)) (part("Hardware events", events))
        (part("Timings by other tools", timings))
    };
    let panels = html! {
        @if has_rounds || !view.judged.panels.is_empty() { (ranked) }
    };
    let sections = [
        ("why", "Why", why),
        ("claims", "Claims of the literature", claims),
        (ABOUT_ALL, "Designs and workloads", matrix),
        ("ranking", "Ranking", forests),
        ("depends", "What the cost depends on", depends),
        ("inside", "Inside the designs", inside),
        ("ranking-tables", "All panels", panels),
        ("trust", "How far to trust it", trust),
        ("machine", "Machine and build", machine::body(view, 3)),
        ("designs", "Cards of the designs", designs::body(view)),
        (REPEAT, "Repeat and download", data),
        ("lacking", "What this session lacks, and what to run", lacking::body(view, &lacking)),
    ];
    let sections = sections.into_iter().filter(|(.., body)| !body.0.is_empty());
    sections.map(|(id, title, body)| Section::new(id, title, body)).collect()
}

/// The forest plot of each baseline, of which the bar selects one.
fn forests(view: View<'_>) -> Markup {
    html! {
        @for baseline in Baseline::ALL {
            @if let Some(figure) = forest::figure(view, baseline) {
                div data-baseline=(baseline.name()) { (draw(&figure, 3)) }
            }
        }
    }
}

/// A plot with its title and finding, what its numbers come from, and the numbers folded.
fn draw(figure: &Figure, level: u8) -> Markup {
    let id = format!("{}-head", figure.id);
    html! {
        figure aria-labelledby=(id) {
            (heading(level, Some(&id), &figure.title))
            p.finding { (figure.finding) }
            (figure.images())
            p.origin { (figure.numbers.origin()) }
            (packed::folded_alone("Numbers", figure.numbers.render(), false))
        }
    }
}
