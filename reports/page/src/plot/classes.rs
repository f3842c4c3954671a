//! Branchless against branchy: the first figure of the page.
//!
//! One point per condition and kind of board: the time of the fastest branchless design over that of the fastest
//! branchy one, with its interval. Colour is the class that wins; a point without colour is equal or not resolved. When
//! a reader hides designs, the fastest of those that are shown take their place, from the few pairs of [`choices`].
//!
//! On a page of several sessions there is a figure for each kind of board, with the points of all sessions. Each point
//! is a ratio within one session.

mod drawing;

use raywalk_core::parallel;
use raywalk_judge::Judged;
use raywalk_judge::board_kind::BoardKind;
use raywalk_judge::classes::{Choices, Classes, Point, choices, classes, left_out};
use raywalk_judge::format::{interval, list, middle, percent, verdict};
use raywalk_judge::summary::Row;
use raywalk_results::schema::Provenance;

use super::canvas::Canvas;
use super::figure::Figure;
use crate::label::{About, Label};
use crate::table::{Cell, Table, cells_of_row};
use crate::view::View;
use drawing::Scale;

/// The points of one kind of board in one session, and the pairs of designs that each can show.
struct Kind<'a> {
    view: View<'a>,
    /// Number of the session, if the figure is of several.
    session: Option<usize>,
    classes: Classes<'a>,
    /// The pairs of designs that each point can show, one entry for each point.
    choices: Vec<Choices<'a>>,
}

impl Kind<'_> {
    /// Marks its points where there are several kinds: the number of the session, or the letter of the board.
    fn mark(&self) -> String {
        match self.session {
            Some(number) => number.to_string(),
            None => {
                self.classes.board.plural().chars().take(1).flat_map(char::to_uppercase).collect()
            }
        }
    }

    /// Name in the key of the figure.
    fn name(&self) -> String {
        match self.session {
            Some(number) => format!("session {number}"),
            None => self.classes.board.plural().to_owned(),
        }
    }

    /// What its points are about, as part of a sentence: `on bitboards`, `in session 2`.
    fn place(&self) -> String {
        match self.session {
            Some(_) => format!("in {}", self.name()),
            None => format!("on {}", self.name()),
        }
    }
}

fn kinds<'a>(view: View<'a>, session: Option<usize>, classes: Vec<Classes<'a>>) -> Vec<Kind<'a>> {
    let kind = |classes: Classes<'a>| {
        let choices = parallel::map(&classes.points, |point| {
            choices(view.judged, classes.board, point.condition, point.panel)
        });
        Kind { view, session, classes, choices }
    };
    classes.into_iter().map(kind).collect()
}

/// Whether the session has the figure.
pub(crate) fn is_drawn(view: View<'_>) -> bool {
    !classes(view.judged).is_empty()
}

/// Needs a branchless and a branchy design on one kind of board.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    of(view, &kinds(view, None, classes(view.judged)))
}

/// The figure, and what its points show when designs are hidden.
pub(crate) fn with_choices(view: View<'_>) -> Option<(Figure, String)> {
    let kinds = kinds(view, None, classes(view.judged));
    Some((of(view, &kinds)?, told(&kinds)))
}

/// A figure for each kind of board on which two of the sessions or more measured both classes, and what its points show
/// when designs are hidden. `classes` are those of each session.
pub(crate) fn across<'a>(
    sessions: &[Judged<'_>],
    views: &[View<'a>],
    classes: &[Vec<Classes<'a>>],
) -> Vec<(Figure, String)> {
    let numbered = || views.iter().zip(classes).zip(1..);
    let on = |board: BoardKind| {
        let here = numbered().flat_map(|((view, classes), number)| {
            let here = classes.iter().filter(|one| one.board == board).cloned().collect();
            kinds(*view, Some(number), here)
        });
        let kinds: Vec<Kind<'a>> = here.collect();
        (kinds.len() > 1).then(|| (of_sessions(sessions, board, &kinds), told(&kinds)))
    };
    BoardKind::ALL.into_iter().filter_map(on).collect()
}

fn of(view: View<'_>, kinds: &[Kind<'_>]) -> Option<Figure> {
    if kinds.is_empty() {
        return None;
    }
    let boards: Vec<&str> = kinds.iter().map(|kind| kind.classes.board.plural()).collect();
    let left_out: Vec<&str> = left_out(view.judged).into_iter().map(BoardKind::plural).collect();
    let left_out = match left_out.is_empty() {
        true => String::new(),
        false => format!(
            " Designs on {} are left out, because one of the classes has none there.",
            list(&left_out)
        ),
    };
    let points = points(kinds);
    let about = About::panels("of its row", points.iter().map(|(_, point)| point.panel));
    let numbers = table(view.label(CAPTION, Provenance::Measured.name(), about), &points);
    Some(Figure {
        id: "classes".to_owned(),
        title: TITLE.to_owned(),
        finding: format!(
            "Time of the fastest branchless design over that of the fastest branchy one, on {}. The \
             intervals allow for having picked the fastest of many designs.{left_out}{}",
            boards.join(" and on "),
            not_judged(kinds)
        ),
        canvas: drawing::wide(kinds),
        narrow: drawing::narrow(kinds),
        numbers,
    })
}

/// The figure of one kind of board in several sessions.
fn of_sessions(sessions: &[Judged<'_>], board: BoardKind, kinds: &[Kind<'_>]) -> Figure {
    let boards = board.plural();
    let label = Label::of_all(sessions, CAPTION, Provenance::Measured.name(), Some("of its row"));
    Figure {
        id: format!("classes-{}", boards.replace(' ', "-")),
        title: format!("{TITLE}: {boards}"),
        finding: format!(
            "Time of the fastest branchless design over that of the fastest branchy one, on {boards}, within each session. The \
             intervals allow for having picked the fastest of many designs.{}",
            not_judged(kinds)
        ),
        canvas: drawing::wide(kinds),
        narrow: drawing::narrow(kinds),
        numbers: table(label, &points(kinds)),
    }
}

const TITLE: &str = "Fastest branchless design ÷ fastest branchy design";

/// Names the conditions that have no point.
fn not_judged(kinds: &[Kind<'_>]) -> String {
    let of_kind = |kind: &Kind<'_>| {
        let labels = kind.classes.not_judged.iter().map(|condition| condition.label());
        let labels: Vec<String> = labels.collect();
        let place = match kinds {
            [_] => String::new(),
            _ => format!(" {}", kind.place()),
        };
        (!labels.is_empty()).then(|| format!("{}{place}", list(&labels)))
    };
    let lacking: Vec<String> = kinds.iter().filter_map(of_kind).collect();
    match lacking.is_empty() {
        true => String::new(),
        false => format!(" Too few undisturbed rounds to judge: {}.", lacking.join("; ")),
    }
}

/// Separates two points in the text for the script.
const POINT: char = '\u{1c}';
/// Behind each pair of a point.
const PAIR: char = '\u{1e}';
/// Between the fields of a pair.
const FIELD: char = '\u{1f}';

/// For every point the CSS classes of the branchless and of the branchy designs, from the fastest on; then its pairs:
/// the classes of the two designs, the place of the middle, the elements of the wide and of the narrow drawing, and the
/// cells of the row of numbers.
fn told(kinds: &[Kind<'_>]) -> String {
    let [wide, narrow] = [false, true].map(|is_narrow| Scale::of(kinds, is_narrow));
    let mut points = Vec::new();
    for (number, kind) in kinds.iter().enumerate() {
        for choices in &kind.choices {
            let owner = |id: &str| kind.view.keys.owner(id).unwrap_or_default();
            let owners = |rows: &Vec<&Row>| {
                rows.iter().map(|row| owner(&row.id)).collect::<Vec<_>>().join(" ")
            };
            let mut text = choices.fastest.each_ref().map(owners).join(&FIELD.to_string());
            text.push(PAIR);
            for point in &choices.pairs {
                let drawn = |scale: &Scale| {
                    let mut canvas = Canvas::new(0);
                    scale.draw(&mut canvas, (number, kind), point);
                    canvas.elements()
                };
                let fields = [
                    format!("{} {}", owner(&point.branchless.id), owner(&point.branchy.id)),
                    wide.place(number, point),
                    drawn(&wide),
                    drawn(&narrow),
                    cells_of_row(&point.condition.label(), &cells(kind, point)),
                ];
                text.push_str(&fields.join(&FIELD.to_string()));
                text.push(PAIR);
            }
            points.push(text);
        }
    }
    points.join(&POINT.to_string())
}

/// A point in words: its condition, both designs, and their ratio with its interval.
fn says(kind: &Kind<'_>, point: &Point<'_>) -> String {
    format!(
        "{} {}: {} ÷ {}: {} ({})",
        point.condition.label(),
        kind.place(),
        point.branchless.name,
        point.branchy.name,
        middle(point.ratio),
        interval(point.ratio)
    )
}

const CAPTION: &str = "Numbers of the figure: time of the branchless design over that of the branchy one. A difference is \
                       resolved if its interval lies wholly beyond the floor, which A/A control and processes set";

const COLUMNS: [&str; 9] = [
    "Condition",
    "Workload",
    "Board",
    "Branchless",
    "Branchy",
    "Ratio",
    "Interval",
    "Floor",
    "Verdict",
];

fn cells(kind: &Kind<'_>, point: &Point<'_>) -> Vec<Cell> {
    let name = |id: &str| Cell::text(kind.view.judged.results.name(id));
    let session = kind.session.map(|number| Cell::text(number.to_string()));
    session
        .into_iter()
        .chain([
            Cell::text(&point.panel.panel.workload),
            Cell::text(kind.classes.board.plural()),
            name(&point.branchless.id),
            name(&point.branchy.id),
            Cell::number(Some(point.ratio.middle), |_| middle(point.ratio)),
            Cell::text(interval(point.ratio)).on_one_line(),
            Cell::number(Some(point.floor.fraction()), percent),
            Cell::text(verdict(&point.verdict)),
        ])
        .collect()
}

type Points<'k, 'a> = Vec<(&'k Kind<'a>, &'k Point<'a>)>;

fn points<'k, 'a>(kinds: &'k [Kind<'a>]) -> Points<'k, 'a> {
    kinds.iter().flat_map(|kind| kind.classes.points.iter().map(move |one| (kind, one))).collect()
}

fn table(label: Label, points: &[(&Kind<'_>, &Point<'_>)]) -> Table {
    let has_session = points.iter().any(|(kind, _)| kind.session.is_some());
    let mut columns = COLUMNS.to_vec();
    if has_session {
        columns.insert(1, "Session");
    }
    let mut table = Table::new(label, &columns);
    for (kind, point) in points {
        table.row(&point.condition.label(), cells(kind, point));
    }
    table
}
