//! The finding of a session in a heading and a few sentences.
//!
//! Sentences are made from resolved comparisons only. Unresolved ones are named as such.

use crate::Judged;
use crate::classes::{Classes, Condition, Point, Winner, classes};
use crate::format::{list, percent, range};
use crate::gap::{self, breakdown};
use crate::matrix::{Against, Baseline, fastest};
use crate::summary::PanelSummary;
use raywalk_results::schema::Provenance;

mod together;
pub use together::together;

/// The main result of a session, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The result in one line.
    pub heading: String,
    /// The sentences below it. Of one session they are at most three: one for each kind of board, the reason, and one
    /// for the fastest design.
    pub sentences: Vec<Sentence>,
}

/// A sentence about a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The sentence as plain text.
    pub text: String,
    /// Ids of the designs whose comparisons it sums up; it is hidden with any of them.
    pub designs: Vec<String>,
    /// How its numbers were found.
    pub provenance: &'static str,
    /// Which panel a number is from: the words behind *that of the panel*.
    pub which: &'static str,
    /// Ids of the panels that its numbers are from; none if it is about several sessions.
    pub panels: Vec<String>,
}

impl Sentence {
    /// A sentence about ratios of measured times.
    pub fn measured(text: String) -> Sentence {
        Sentence {
            text,
            designs: Vec::new(),
            provenance: Provenance::Measured.name(),
            which: "that the condition names",
            panels: Vec::new(),
        }
    }
}

/// More do not fit above the first figure on the first screen.
const MOST_SENTENCES: usize = 3;

/// The heading and the sentences. A session without rounds has a heading only.
pub fn finding(judged: &Judged<'_>) -> Finding {
    let classes = classes(judged);
    let mut sentences: Vec<Sentence> = classes.iter().filter_map(of_classes).collect();
    if !sentences.is_empty() {
        sentences.extend(reason(judged));
    }
    sentences.extend(judged.headline().and_then(|panel| leader(judged, panel)));
    // Why is worth more than which design is the fastest of all.
    sentences.truncate(MOST_SENTENCES);
    Finding { heading: heading(&classes), sentences }
}

/// Combined result of all conditions on one kind of board.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    NotResolved,
    /// No class wins, and some conditions show that the classes are equal within this fraction or less.
    Equal {
        within: f64,
    },
    Branchless,
    Branchy,
    /// One class wins at small K, the other at large K and under all other conditions.
    TurnsWithK,
    /// One class wins at small K, the other at large K, and not under all other conditions.
    TurnsWithWorkload,
    Mixed,
}

impl Outcome {
    fn of(classes: &Classes<'_>) -> Outcome {
        let wins = |winner| classes.won_by(winner).next().is_some();
        match (wins(Winner::Branchless), wins(Winner::Branchy)) {
            (false, false) => match classes.equal_within() {
                Some(within) => Outcome::Equal { within },
                None => Outcome::NotResolved,
            },
            (true, false) => Outcome::Branchless,
            (false, true) => Outcome::Branchy,
            (true, true) => match (classes.turns_with_k(), classes.turns_with_workload()) {
                (Some(_), false) => Outcome::TurnsWithK,
                (Some(_), true) => Outcome::TurnsWithWorkload,
                (None, _) => Outcome::Mixed,
            },
        }
    }

    fn phrase(self) -> String {
        match self {
            Outcome::NotResolved => "no difference is resolved",
            Outcome::Equal { within } => {
                return format!("designs of both classes are equal within {}", percent(within));
            }
            Outcome::Branchless => "branchless designs win",
            Outcome::Branchy => "branchy designs win",
            Outcome::TurnsWithK => "it depends on how many positions repeat",
            Outcome::TurnsWithWorkload => "it depends on repetition and on the workload",
            Outcome::Mixed => "it depends on the workload",
        }
        .to_owned()
    }
}

fn heading(classes: &[Classes<'_>]) -> String {
    let outcomes: Vec<Outcome> = classes.iter().map(Outcome::of).collect();
    let Some(first) = outcomes.first() else {
        return "Chess move generators, measured".to_owned();
    };
    if outcomes.iter().any(|outcome| outcome != first) {
        let phrase = |classes: &Classes<'_>| {
            format!("{} {}", classes.board.plural(), Outcome::of(classes).phrase())
        };
        let phrases: Vec<String> = classes.iter().map(phrase).collect();
        return format!("Branchy or branchless? On {}.", phrases.join("; on "));
    }
    match first {
        Outcome::NotResolved => "Branchy or branchless? No difference between the classes is resolved.",
        Outcome::Equal { within } => {
            let within = percent(*within);
            return format!(
                "Branchy and branchless designs are equal within {within} wherever a comparison is resolved."
            );
        }
        Outcome::Branchless => "Branchless designs are faster wherever a difference is resolved.",
        Outcome::Branchy => "Branchy designs are faster wherever a difference is resolved.",
        Outcome::TurnsWithK => "Branchy or branchless? It depends on how many positions repeat.",
        Outcome::TurnsWithWorkload => "Branchy or branchless? It depends on repetition and on the workload.",
        Outcome::Mixed => "Branchy or branchless? It depends on the workload.",
    }
    .to_owned()
}

/// Why one class is faster on different positions, by the fastest design of each. `None` if their difference is not
/// resolved, or if the session lacks what explains it.
fn reason(judged: &Judged<'_>) -> Option<Sentence> {
    let parts = breakdown(judged)?;
    let gap = parts.of_classes()?;
    let matched = judged.matched()?;
    let panels = [matched.short, matched.control, matched.long];
    parts.is_resolved(judged, &gap).then(|| Sentence {
        text: parts.reason(&gap),
        designs: [gap.slower, gap.faster].map(|side| side.row.id.clone()).into(),
        provenance: gap::PROVENANCE,
        which: gap::WHICH,
        panels: panels.map(|panel| panel.panel.id.clone()).into(),
    })
}

/// The fastest design of the headline panel.
fn leader(judged: &Judged<'_>, panel: &PanelSummary) -> Option<Sentence> {
    let against = Against::of(judged, panel, Baseline::Fastest)?;
    let text = fastest(panel, &against)?;
    let designs = against.entries.iter().map(|entry| entry.row.id.clone()).collect();
    Some(Sentence { designs, panels: vec![panel.panel.id.clone()], ..Sentence::measured(text) })
}

/// Names the conditions that each class wins on one kind of board, with the range of the differences.
fn of_classes(classes: &Classes<'_>) -> Option<Sentence> {
    let group = |winner: Winner| {
        let name = winner.control().name();
        let range = range(classes.won_by(winner).map(|point| point.ratio))?;
        let won = conditions(classes, |point| point.winner() == Some(winner));
        Some(format!("{name} designs win {won} (branchless ÷ branchy {range})"))
    };
    let groups = [Winner::Branchy, Winner::Branchless].map(group);
    let groups: Vec<String> = groups.into_iter().flatten().collect();
    if groups.is_empty() {
        return None;
    }
    let unresolved = conditions(classes, |point| point.winner().is_none());
    let rest = match unresolved.is_empty() {
        true => String::new(),
        false => format!("; equal or not resolved {unresolved}"),
    };
    let text = format!("On {}, {}{rest}.", classes.board.plural(), groups.join("; "));
    let panels = classes.points.iter().map(|point| point.panel.panel.id.clone()).collect();
    Some(Sentence { designs: designs(&classes.points), panels, ..Sentence::measured(text) })
}

/// Ids of the designs of these points, each once.
fn designs<'a>(points: impl IntoIterator<Item = &'a Point<'a>>) -> Vec<String> {
    let pairs = points.into_iter().flat_map(|point| [point.branchless, point.branchy]);
    let mut designs: Vec<String> = pairs.map(|row| row.id.clone()).collect();
    designs.sort();
    designs.dedup();
    designs
}

/// The conditions that a test selects, in words.
fn conditions(classes: &Classes<'_>, is: impl Fn(&Point<'_>) -> bool) -> String {
    let points: Vec<(Condition, bool)> =
        classes.points.iter().map(|point| (point.condition, is(point))).collect();
    phrases(&points, |one, other| classes.are_neighbours(one, other))
}

/// The marked conditions in words: neighbouring points of the memorisation curve as a range, which covers no condition
/// that was not judged.
fn phrases(
    marked: &[(Condition, bool)],
    are_neighbours: impl Fn(Condition, Condition) -> bool,
) -> String {
    let mut parts = Vec::new();
    let adjoin = |one: &(Condition, bool), other: &(Condition, bool)| {
        one.1 == other.1 && are_neighbours(one.0, other.0)
    };
    for run in marked.chunk_by(adjoin).filter(|run| run.first().is_some_and(|(_, is)| *is)) {
        let (repeated, others): (Vec<Condition>, Vec<Condition>) =
            run.iter().map(|(condition, _)| *condition).partition(|it| it.is_repeated());
        match repeated[..] {
            [] => {}
            [one] => parts.push(one.phrase()),
            [first, .., last] => {
                parts.push(format!("from {} to {}", first.label(), last.label()));
            }
        }
        parts.extend(others.into_iter().map(Condition::phrase));
    }
    list(&parts)
}
