//! The matrix: designs × workloads, with the best design of each workload and the best workload of each design.
//!
//! It is drawn once for each baseline and once for each unit of cost. The style sheet shows the one that the bar
//! selects. With few designs the choice needs no script. With many, the tables beyond the first one are compressed and
//! open when they are chosen.

use maud::{Markup, html};
use raywalk_judge::format::{certain, cost, middle, plural};
use raywalk_judge::matrix::{Against, Baseline, Column, Matrix, RankedRatio};
use raywalk_judge::summary::Row;
use raywalk_results::schema::{Design, Legality, Provenance};
use raywalk_results::statistics::factor;

use super::packed::folded_if_large;
use crate::label::About;
use crate::plain::{FASTEST, UNRANKED, mark};
use crate::table::{Cell, Table, tone};
use crate::view::{Cost, View, costs};

/// The tables and a sentence for each workload; empty without rounds.
pub(crate) fn body(view: View<'_>) -> Markup {
    let matrix = &Matrix::of(view.judged);
    if matrix.columns.is_empty() {
        return html! {};
    }
    let column = |column: &Column<'_>| {
        format!("{}|{}", column.panel.panel.workload, column.panel.panel.call.id())
    };
    let columns: Vec<String> = matrix.columns.iter().map(column).collect();
    html! {
        p {
            "A star marks the fastest design of a workload; the sentence on it below counts the designs that may be as \
             fast. The lowest ratio of each design to the fastest one of a workload is underlined. " em { "=" }
            " marks a ratio that is equal to 1 within the margin, " em { "?" } " one that is not resolved."
            @if has_unranked(matrix) {
                " " em { (UNRANKED.trim()) } " follows a number without a rank: in most rounds the sample of the \
                 design or that of the baseline was spoilt, and the table of the panel says how many."
            }
            @if matrix.left_out > 0 {
                " " (plural(matrix.left_out, "further panel")) " can be found under "
                em { "All panels" } "."
            }
        }
        div data-columns=(columns.join(";")) {
            div data-metric="ratio" {
                @for baseline in Baseline::ALL {
                    div data-baseline=(baseline.name()) {
                        @match ratios(view, matrix, baseline) {
                            Some(table) => {
                                @let title = format!("Time over that of {}", baseline.label());
                                (choice(&title, table.render(), baseline == Baseline::ALL[0]))
                            }
                            None => p.note { "No design of this session is " (baseline.label()) "." }
                        }
                    }
                }
            }
            @for unit in costs(matrix.columns.iter().map(|column| column.panel)) {
                div data-metric=(unit.name) {
                    (choice(unit.label, absolute(view, matrix, unit).render(), false))
                }
            }
        }
        ul.note.screen {
            @for sentence in matrix.columns.iter().filter_map(Column::sentence) { li { (sentence) } }
        }
        p.paper { "A sentence about each workload is left out on paper, and shown on the screen." }
    }
}

/// The tables by the name of what the bar selects: a baseline, or a unit of cost. Empty without rounds.
pub(crate) fn all(view: View<'_>) -> Vec<(&'static str, Table)> {
    let matrix = &Matrix::of(view.judged);
    if matrix.columns.is_empty() {
        return Vec::new();
    }
    let ratios = |baseline: &Baseline| Some((baseline.name(), ratios(view, matrix, *baseline)?));
    let units = costs(matrix.columns.iter().map(|column| column.panel)).into_iter();
    let units = units.map(|unit| (unit.name, absolute(view, matrix, unit)));
    Baseline::ALL.iter().filter_map(ratios).chain(units).collect()
}

/// Whether a column has a design without a rank.
fn has_unranked(matrix: &Matrix<'_>) -> bool {
    matrix.columns.iter().any(|column| !column.panel.rows.iter().all(Row::is_ranked))
}

/// A table that the bar can choose. The first one is in the document; further ones are compressed if they are large.
fn choice(title: &str, table: Markup, is_first: bool) -> Markup {
    if is_first { table } else { folded_if_large(title, table, true) }
}

/// One row per design. `cell` is given a column and its number.
fn table(
    view: View<'_>,
    matrix: &Matrix<'_>,
    (title, provenance): (&str, &str),
    cell: impl Fn(&Design, usize, &Column<'_>) -> Cell,
) -> Table {
    let about =
        About::panels("that its column names", matrix.columns.iter().map(|column| column.panel));
    let labels = matrix.columns.iter().map(|column| column.label.as_str());
    let mut table = Table::new(
        view.label(title, provenance, about),
        &["Design"].into_iter().chain(labels).collect::<Vec<_>>(),
    );
    let mixes = matrix.columns.iter().any(|column| column.panel.mixes_legality());
    for design in &matrix.designs {
        let name = match design.legality {
            Legality::Legal if mixes => format!("{} (legal)", design.name),
            Legality::Legal | Legality::PseudoLegal => design.name.clone(),
        };
        let columns = matrix.columns.iter().enumerate();
        let cells = columns.map(|(number, column)| cell(design, number, column)).collect();
        table.design(view.keys, &design.id, &name, cells);
    }
    table
}

fn ratios(view: View<'_>, matrix: &Matrix<'_>, baseline: Baseline) -> Option<Table> {
    let against: Vec<&Against<'_>> =
        matrix.columns.iter().filter_map(|column| column.against(baseline)).collect();
    let comparisons = against.iter().map(|against| against.comparisons).max()?;
    let design = baseline.design(view.judged).map(|row| format!(" ({})", row.name));
    let caption = format!(
        "Time over that of {}{}. The intervals behind the verdicts of a column share a confidence \
         of 95 % (up to {})",
        baseline.label(),
        design.unwrap_or_default(),
        plural(comparisons, "comparison"),
    );
    let table =
        table(view, matrix, (&caption, Provenance::Measured.name()), |design, number, column| {
            let Some(entry) = column.against(baseline).and_then(|it| it.entry(&design.id)) else {
                return Cell::number(None, factor);
            };
            let ratio = entry.interval.map_or_else(|| factor(entry.ratio), middle);
            let mark = match entry.verdict {
                Some(verdict) => mark(&verdict),
                None if entry.row.is_ranked() => "",
                None => UNRANKED,
            };
            let is_best = matrix.best_of(&design.id) == Some(number);
            Cell::marked(
                Some(entry.ratio),
                class(is_best, Some(entry)),
                [star(column, design), mark],
                |_| ratio,
            )
        });
    Some(table)
}

fn absolute(view: View<'_>, matrix: &Matrix<'_>, unit: Cost) -> Table {
    let caption = format!("{}. Digits end where the interval begins", unit.label);
    table(view, matrix, (&caption, unit.provenance), |design, number, column| {
        let row = column.panel.row(&design.id);
        let is_best = matrix.best_of(&design.id) == Some(number);
        let marks =
            [star(column, design), if row.is_none_or(Row::is_ranked) { "" } else { UNRANKED }];
        Cell::marked(row.and_then(unit.of), class(is_best, None), marks, |value| {
            certain(value, row.and_then(|row| row.half_width), cost)
        })
    })
}

/// Before the number of the fastest design of a column.
fn star(column: &Column<'_>, design: &Design) -> &'static str {
    if column.panel.rank(&design.id) == Some(1) { FASTEST } else { "" }
}

/// Underlined in the best column of a design, and coloured by the verdict.
fn class(is_best: bool, entry: Option<&RankedRatio<'_>>) -> &'static str {
    let tone = entry.and_then(|entry| entry.verdict.as_ref()).map(tone);
    match (is_best, tone) {
        (false, None) => "n",
        (false, Some("better")) => "n better",
        (false, Some("worse")) => "n worse",
        (false, Some(_)) => "n open",
        (true, None) => "n best",
        (true, Some("better")) => "n best better",
        (true, Some("worse")) => "n best worse",
        (true, Some(_)) => "n best open",
    }
}
