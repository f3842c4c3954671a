//! The panels of several sessions side by side: each design's ratio in each session, and whether they differ.
//!
//! Each ratio is that of a session to its own baseline. Ratios stand side by side only if all sessions measured the
//! same panel: the same positions in the same regime and stage, with the same baseline. Every two sessions are compared
//! as [`compare`](super::compare()) does it, except that no other design replaces a baseline: the ratios that are shown
//! are those that are compared.

use raywalk_core::parallel;
use raywalk_results::likeness::{Difference, differences};
use raywalk_results::schema::Panel;
use raywalk_results::statistics::{Confidence, Interval};

use super::pair::Pair;
use super::{Question, Row, work};
use crate::Judged;
use crate::format::corpora;
use crate::no_interval::NoInterval;
use crate::summary::PanelSummary;

/// All panels that stand side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct SideBySide {
    /// The headline panel, or why it does not stand side by side.
    pub headline: Result<Beside, Apart>,
    /// The other panels that all sessions measured alike, with a design in common, in the order of the sessions.
    pub others: Vec<Beside>,
    /// Ids of the panels that several sessions have, but not all of them alike or with a design in common.
    pub left_out: Vec<String>,
    /// Equality margin as a fraction.
    pub margin: f64,
}

/// A panel of all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// The panel of the first session.
    pub panel: Panel,
    /// The designs that all sessions have, without the baseline, in the order of the first one's ranking.
    pub designs: Vec<Design>,
}

impl SideBySide {
    /// The headline panel and the others.
    pub fn panels(&self) -> impl Iterator<Item = &Beside> {
        self.headline.iter().chain(&self.others)
    }
}

impl Beside {
    /// The designs that differ between two sessions or more.
    pub fn differing(&self) -> impl Iterator<Item = &Design> {
        self.designs.iter().filter(|design| design.changes.iter().any(|it| it.row.is_change()))
    }
}

/// A design in all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// Id of the design, such as `bell/steps`.
    pub id: String,
    /// Ratio to the baseline in each session, with its interval.
    pub ratios: Vec<(f64, Result<Interval, NoInterval>)>,
    /// The comparison of every two sessions. All of a panel share their confidence.
    pub changes: Vec<Change>,
}

/// The change of a design between two sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Indices of the sessions. The change is that of the second against the first.
    pub sessions: [usize; 2],
    /// The ratios of the design in both sessions, with the verdict on the change.
    pub row: Row,
}

/// Why a panel of several sessions does not stand side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// A session has no rounds, or there is one session only.
    NothingToCompare,
    /// The panels of the first session and of the one with this index differ.
    Unlike(usize, Vec<Difference>),
    /// All have the panel, but no design in common besides the baseline.
    NoDesigns,
}

/// Compares the panels that all sessions have. `margin` is the equality margin as a fraction.
pub fn side_by_side(sessions: &[Judged<'_>], margin: f64) -> SideBySide {
    let headlines = sessions.iter().map(Judged::headline).collect::<Option<Vec<_>>>();
    let headline = headlines.filter(|all| all.len() > 1).ok_or(Apart::NothingToCompare);
    let shown = headline.as_ref().ok().map(|all| all[0].panel.id.clone());
    let headline = headline.and_then(|all| beside(sessions, &all, margin));
    let mut ids: Vec<&str> = Vec::new();
    for panel in sessions.iter().flat_map(|session| &session.panels) {
        let id = panel.panel.id.as_str();
        let count = sessions.iter().filter(|session| session.panel(id).is_some()).count();
        if count > 1 && Some(id) != shown.as_deref() && !ids.contains(&id) {
            ids.push(id);
        }
    }
    let found = parallel::map(&ids, |id| {
        let all = sessions.iter().map(|session| session.panel(id)).collect::<Option<Vec<_>>>();
        beside(sessions, &all?, margin).ok()
    });
    let missing = ids.iter().zip(&found).filter(|(_, found)| found.is_none());
    let left_out = missing.map(|(id, _)| (*id).to_owned()).collect();
    SideBySide { headline, others: found.into_iter().flatten().collect(), left_out, margin }
}

/// Compares one panel, whose summaries are those of all sessions.
fn beside(
    sessions: &[Judged<'_>],
    summaries: &[&PanelSummary],
    margin: f64,
) -> Result<Beside, Apart> {
    if summaries.iter().any(|summary| summary.rows.is_empty()) {
        return Err(Apart::NothingToCompare);
    }
    let place = |(judged, summary): (&Judged<'_>, &&PanelSummary)| {
        judged.results.panels.iter().position(|it| it.panel.id == summary.panel.id)
    };
    let places = sessions.iter().zip(summaries).map(place).collect::<Option<Vec<_>>>();
    let places = places.ok_or(Apart::NothingToCompare)?;
    let identity = |number: usize| identity(&sessions[number], &summaries[number].panel);
    for number in 1..sessions.len() {
        let found = differences(identity(0), identity(number));
        if !found.is_empty() {
            return Err(Apart::Unlike(number, found));
        }
    }
    let baseline = &summaries[0].panel.baseline;
    let question = Question { selects: &|_| true, baseline: Some(baseline), margin };
    let mut pairs = Vec::new();
    for one in 0..sessions.len() {
        for other in one + 1..sessions.len() {
            let results = [one, other].map(|number| sessions[number].results);
            let sides = [one, other].map(|number| &sessions[number].results.panels[places[number]]);
            let pair = Pair::of(results, sides, &question).ok_or(Apart::NoDesigns)?;
            pairs.push(([one, other], pair));
        }
    }
    let intervals: usize = pairs.iter().map(|(_, pair)| pair.intervals()).sum();
    let confidence = Confidence::NINETY_FIVE.shared_by(intervals.max(1));
    let judge =
        |(sessions, pair): &([usize; 2], Pair<'_>)| (*sessions, pair.judge(confidence, margin));
    let judged: Vec<_> = pairs.iter().map(judge).collect();
    let design = |row: &crate::summary::Row| {
        let ratios = summaries.iter().map(|summary| {
            let row = summary.row(&row.id)?;
            Some((row.ratio, row.interval))
        });
        let changes = judged.iter().map(|(sessions, compared)| {
            let row = compared.rows.iter().find(|it| it.id == row.id)?.clone();
            Some(Change { sessions: *sessions, row })
        });
        let id = row.id.clone();
        Some(Design {
            id,
            ratios: ratios.collect::<Option<_>>()?,
            changes: changes.collect::<Option<_>>()?,
        })
    };
    let others = summaries[0].rows.iter().filter(|row| row.id != *baseline);
    let designs: Vec<Design> = others.filter_map(design).collect();
    match designs.is_empty() {
        true => Err(Apart::NoDesigns),
        false => Ok(Beside { panel: summaries[0].panel.clone(), designs }),
    }
}

/// Properties that must agree before ratios of a panel are shown side by side.
fn identity(judged: &Judged<'_>, panel: &Panel) -> [(String, String); 3] {
    let digests = corpora(&judged.results.session, &panel.workload).unwrap_or_default();
    [
        ("panel".to_owned(), work(panel)),
        ("corpora of the panel".to_owned(), digests),
        ("baseline of the panel".to_owned(), panel.baseline.clone()),
    ]
}
