//! Branchless against branchy: the fastest design of each class, on the same kind of board.
//!
//! Most of the fastest designs read bitboards, and most of the literature's branchy ones read squares. A comparison
//! of the fastest branchless design of all with the fastest branchy one of all would be one of boards. So each kind
//! of board is compared by itself. For the same reason designs with vector instructions are a kind of their own:
//! against a scalar branchy design, the fastest of them would show the effect of vectors.
//!
//! The fastest design of a class is chosen by the same rounds that compare it. Therefore an interval shares its
//! confidence with all pairs of designs of its panel: it holds for any pair that could have been chosen.

use raywalk_results::format::grouped;
use raywalk_results::schema::{Call, Control, Legality, Order, RegimeKind, Scope, Search, Stage};
use raywalk_results::statistics::{Floor, Interval, Verdict};

use crate::Judged;
use crate::board_kind::BoardKind;
use crate::pair::Compared;
use crate::summary::{PanelSummary, Row};

/// The classes against each other on one kind of board.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes<'a> {
    /// The kind of board that both classes have.
    pub board: BoardKind,
    /// The memorisation curve by rising K, then the other conditions in the order of the plan.
    pub points: Vec<Point<'a>>,
    /// Conditions in which both classes were measured, in too few undisturbed rounds for an interval or for the floor.
    pub not_judged: Vec<Condition>,
}

/// The fastest branchless design against the fastest branchy one in one panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Point<'a> {
    /// Order or repetition of the positions, and the work per position.
    pub condition: Condition,
    /// The panel with this condition.
    pub panel: &'a PanelSummary,
    /// The fastest branchless design.
    pub branchless: &'a Row,
    /// The fastest branchy design.
    pub branchy: &'a Row,
    /// Time of the branchless one over that of the branchy one, with an interval.
    pub ratio: Interval,
    /// Floor that the interval must exceed.
    pub floor: Floor,
    /// The verdict on the branchless design; a difference below the floor is not resolved.
    pub verdict: Verdict,
}

/// Order or repetition of the positions, and the work per position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All moves of the same K positions again and again.
    Repeated(u64),
    /// All moves of a stream in this order.
    Stream(Order),
    /// Captures of a stream in this order.
    Captures(Order),
    /// The walk of a recorded search.
    Search,
}

impl Condition {
    /// Whether it is a point of the memorisation curve.
    pub(crate) fn is_repeated(self) -> bool {
        matches!(self, Condition::Repeated(_))
    }

    /// As part of a sentence: `at K = 256`, `in tree order`, `for captures in tree order`.
    pub(crate) fn phrase(self) -> String {
        match self {
            Condition::Repeated(_) => format!("at {}", self.label()),
            Condition::Stream(_) => format!("in {}", self.label()),
            Condition::Captures(_) => format!("for {}", self.label()),
            Condition::Search => format!("in the {}", self.label()),
        }
    }

    /// Label for an axis or a table, such as `K = 16` or `tree order`.
    pub fn label(self) -> String {
        match self {
            Condition::Repeated(k) => format!("K = {}", grouped(k)),
            Condition::Stream(order) => format!("{order} order"),
            Condition::Captures(order) => format!("captures in {order} order"),
            Condition::Search => "recorded search".to_owned(),
        }
    }
}

/// A class of control flow that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// The branchless design takes less time.
    Branchless,
    /// The branchy design takes less time.
    Branchy,
}

impl Winner {
    /// The class of the faster design.
    pub const fn control(self) -> Control {
        match self {
            Winner::Branchless => Control::Branchless,
            Winner::Branchy => Control::Branchy,
        }
    }
}

impl Point<'_> {
    /// The class whose fastest design is faster; `None` if the difference is not resolved.
    pub fn winner(&self) -> Option<Winner> {
        match self.verdict {
            Verdict::Faster(_) => Some(Winner::Branchless),
            Verdict::Slower(_) => Some(Winner::Branchy),
            Verdict::Equal { .. } | Verdict::NotResolved => None,
        }
    }
}

impl Classes<'_> {
    /// The points that one class wins.
    pub fn won_by(&self, winner: Winner) -> impl Iterator<Item = &Point<'_>> {
        self.points.iter().filter(move |point| point.winner() == Some(winner))
    }

    /// The widest band in which points show the classes to be equal, as a fraction; `None` if no point does.
    pub fn equal_within(&self) -> Option<f64> {
        let bands = self.points.iter().filter_map(|point| match point.verdict {
            Verdict::Equal { within } => Some(within),
            Verdict::Faster(_) | Verdict::Slower(_) | Verdict::NotResolved => None,
        });
        bands.reduce(f64::max)
    }

    /// Whether the class that wins depends on K alone: one class wins all resolved small K, the other all resolved
    /// large ones. The winner at small K.
    pub fn turns_with_k(&self) -> Option<Winner> {
        let winners: Vec<Winner> = self.winners(|it| it.is_repeated()).collect();
        // Unresolved points are not in the list, so they do not interrupt a run of one winner.
        let turns = winners.windows(2).filter(|two| two[0] != two[1]).count();
        (turns == 1).then(|| winners[0])
    }

    /// Whether the class that wins at the largest resolved K loses under another condition. These have other positions
    /// in another order, or another call, and no panel tells which of them matters.
    pub(crate) fn turns_with_workload(&self) -> bool {
        let last = self.winners(|it| it.is_repeated()).last();
        self.winners(|it| !it.is_repeated()).any(|winner| last.is_some_and(|last| last != winner))
    }

    /// Whether no condition between two points of the memorisation curve lacks a point. True of all other conditions.
    pub fn are_neighbours(&self, one: Condition, other: Condition) -> bool {
        let (Condition::Repeated(from), Condition::Repeated(to)) = (one, other) else {
            return true;
        };
        let lies_between =
            |it: &Condition| matches!(it, Condition::Repeated(k) if (from..to).contains(k));
        !self.not_judged.iter().any(lies_between)
    }

    /// The winners of the resolved points under some conditions, in their order.
    fn winners(&self, of: impl Fn(Condition) -> bool) -> impl Iterator<Item = Winner> {
        self.points.iter().filter(move |point| of(point.condition)).filter_map(Point::winner)
    }
}

/// Every condition once: the memorisation curve by rising K, then the others in the order in which they come.
pub fn in_order(conditions: impl IntoIterator<Item = Condition>) -> Vec<Condition> {
    let mut all: Vec<Condition> = Vec::new();
    for condition in conditions {
        if !all.contains(&condition) {
            all.push(condition);
        }
    }
    all.sort_by_key(|condition| match condition {
        Condition::Repeated(k) => (0, *k),
        _ => (1, 0),
    });
    all
}

/// The classes on each kind of board on which both were measured.
pub fn classes<'a>(judged: &'a Judged<'a>) -> Vec<Classes<'a>> {
    let conditions = conditions(judged);
    let on = |board| {
        let mut classes = Classes { board, points: Vec::new(), not_judged: Vec::new() };
        for &(condition, panel) in &conditions {
            let [branchless, branchy] = fastest(judged, board, panel);
            let (Some(one), Some(other)) = (branchless.first(), branchy.first()) else { continue };
            match points(judged, condition, panel, &[(one, other)]).pop() {
                Some(point) => classes.points.push(point),
                None => classes.not_judged.push(condition),
            }
        }
        classes
    };
    BoardKind::ALL.into_iter().map(on).filter(|classes| !classes.points.is_empty()).collect()
}

/// The kinds of boards that were measured and cannot be compared, because they have no branchless or no branchy design.
pub fn left_out(judged: &Judged<'_>) -> Vec<BoardKind> {
    let rows = || judged.panels.iter().flat_map(|panel| &panel.rows);
    let is_measured = |board| rows().any(|row| BoardKind::of(judged.results, &row.id) == board);
    let conditions = conditions(judged);
    let has_both = |board| {
        let in_panel = |&(_, panel): &(Condition, &PanelSummary)| {
            fastest(judged, board, panel).iter().all(|class| !class.is_empty())
        };
        conditions.iter().any(in_panel)
    };
    let is_left_out = |board: &BoardKind| is_measured(*board) && !has_both(*board);
    BoardKind::ALL.into_iter().filter(is_left_out).collect()
}

/// Number of conditions beside the memorisation curve: more do not fit into one figure.
const MOST_STREAMS: usize = 4;

/// The panels that are compared: the points of the memorisation curve, then the headline workload's moves and
/// captures, game order and the recorded search, and others only where a session lacks these.
pub(crate) fn conditions<'a>(judged: &'a Judged<'a>) -> Vec<(Condition, &'a PanelSummary)> {
    let headline = judged.headline().map(|panel| &panel.panel);
    let is_headline = |panel: &PanelSummary| {
        headline.is_some_and(|headline| headline.workload == panel.panel.workload)
    };
    let rank = |condition: Condition| {
        let order = headline.map(|panel| panel.regime.order);
        match condition {
            Condition::Repeated(_) => 0,
            Condition::Stream(Order::Game) => 1,
            Condition::Stream(it) if Some(it) == order => 2,
            Condition::Captures(it) if Some(it) == order => 3,
            Condition::Search => 4,
            Condition::Stream(_) | Condition::Captures(_) => 5,
        }
    };
    let measured = || judged.panels.iter().filter(|panel| !panel.rows.is_empty());
    let of_headline = measured().filter(|panel| is_headline(panel));
    let mut streams: Vec<(Condition, &PanelSummary)> = Vec::new();
    // The headline workload first, so that its panel stands for a condition that other workloads share.
    for panel in of_headline.chain(measured()) {
        let Some(condition) = stream(panel) else { continue };
        if streams.iter().all(|(known, _)| *known != condition) {
            streams.push((condition, panel));
        }
    }
    streams.sort_by_key(|(condition, _)| rank(*condition));
    // The rank decides both the order of the figure and which conditions are dropped.
    streams.truncate(MOST_STREAMS);
    let curve = judged.memorisation();
    let curve = curve.iter().map(|&(k, panel)| (Condition::Repeated(k), panel));
    curve.chain(streams).collect()
}

/// The condition of an unperturbed stream of whole generations, or of the walk of a recorded search.
fn stream(panel: &PanelSummary) -> Option<Condition> {
    let rules = &panel.panel;
    if rules.memorisation_curve || rules.regime.kind != RegimeKind::Stream {
        return None;
    }
    let order = rules.regime.order;
    match rules.call {
        Call::Generate { stage: Stage::All, scope: Scope::Whole } => Some(Condition::Stream(order)),
        Call::Generate { stage: Stage::Captures, scope: Scope::Whole } => {
            Some(Condition::Captures(order))
        }
        Call::Search { search: Search::Tree } => Some(Condition::Search),
        _ => None,
    }
}

/// Designs of each class that are compared with each other, so that a reader can leave out the fastest.
const CHOICE: usize = 3;

/// Replacements for a point when designs are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices<'a> {
    /// The designs of each class, branchless and branchy, from the fastest on.
    pub fastest: [Vec<&'a Row>; 2],
    /// Pairs of the fastest designs, and of the fastest ones of each family that has both classes. The first is that
    /// of the point. Their intervals hold for any of them, because they share their confidence with all pairs of the
    /// panel.
    pub pairs: Vec<Point<'a>>,
}

/// The choices under a condition on one kind of board. No pair of other designs is judged.
pub fn choices<'a>(
    judged: &'a Judged<'a>,
    board: BoardKind,
    condition: Condition,
    panel: &'a PanelSummary,
) -> Choices<'a> {
    let fastest = fastest(judged, board, panel);
    let [branchless, branchy] = &fastest;
    let family = |row: &Row| row.id.split('/').next().map(str::to_owned);
    // Whether no faster design of its class belongs to the same family.
    let is_first = |rows: &[&Row], place: usize| {
        rows[..place].iter().all(|other| family(other) != family(rows[place]))
    };
    // The loops begin with the fastest of both classes, so the first pair is that of the point.
    let mut pairs = Vec::new();
    for (one, row) in branchless.iter().enumerate() {
        for (two, other) in branchy.iter().enumerate() {
            let is_of_family =
                family(row) == family(other) && is_first(branchless, one) && is_first(branchy, two);
            if (one < CHOICE && two < CHOICE) || is_of_family {
                pairs.push((*row, *other));
            }
        }
    }
    let pairs = points(judged, condition, panel, &pairs);
    Choices { fastest, pairs }
}

/// The designs of each class that take part, branchless and branchy, from the fastest on.
fn fastest<'a>(
    judged: &Judged<'_>,
    board: BoardKind,
    panel: &'a PanelSummary,
) -> [Vec<&'a Row>; 2] {
    // Legal designs do more, except where the moves of all are tested.
    let takes_part = |row: &&Row| {
        BoardKind::of(judged.results, &row.id) == board
            && (panel.panel.call.is_walk() || row.legality == Legality::PseudoLegal)
    };
    [Control::Branchless, Control::Branchy].map(|control| {
        let rows = panel.rows.iter().filter(takes_part);
        rows.filter(|row| row.control == control).collect()
    })
}

/// These pairs, judged with a confidence that all pairs of the panel share. Those without an interval or a floor are
/// left out.
fn points<'a>(
    judged: &'a Judged<'a>,
    condition: Condition,
    panel: &'a PanelSummary,
    pairs: &[(&'a Row, &'a Row)],
) -> Vec<Point<'a>> {
    let Some(judge) = judged.pairs(panel) else { return Vec::new() };
    let point = |&(branchless, branchy): &(&'a Row, &'a Row)| {
        let Compared { ratio, floor, verdict } = judge.compared(&branchless.id, &branchy.id)?;
        Some(Point { condition, panel, branchless, branchy, ratio, floor, verdict })
    };
    pairs.iter().filter_map(point).collect()
}
