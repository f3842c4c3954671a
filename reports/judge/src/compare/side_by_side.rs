//! The headline panel of several sessions side by side: each design's ratio in each session, and whether they differ.
//!
//! Each ratio is that of a session to its own baseline. Ratios stand side by side only if all sessions measured the same
//! panel: the same positions in the same regime and stage, with the same baseline. Every two sessions are compared as
//! [`compare`](super::compare()) does it, except that no other design replaces a baseline: the ratios that are shown are
//! those that are compared.

use raywalk_results::likeness::{Difference, differences};
use raywalk_results::schema::Panel;
use raywalk_results::statistics::{Confidence, Interval};

use super::pair::Pair;
use super::{Question, Row, work};
use crate::Judged;
use crate::format::corpora;
use crate::no_interval::NoInterval;
use crate::summary::PanelSummary;

/// The headline panel of all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct SideBySide {
    /// The panel of the first session.
    pub panel: Panel,
    /// The designs that all sessions have, without the baseline, in the order of the first one's ranking.
    pub designs: Vec<Design>,
    /// Equality margin as a fraction: the widest of the sessions.
    pub margin: f64,
}

/// A design in all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// Id of the design.
    pub id: String,
    /// Ratio to the baseline in each session, with its interval.
    pub ratios: Vec<(f64, Result<Interval, NoInterval>)>,
    /// The comparison of every two sessions. All share their confidence with those of the other designs.
    pub changes: Vec<Change>,
}

/// The change of a design between two sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Indices of the sessions. The change is that of the second against the first.
    pub sessions: [usize; 2],
    /// The compared ratios.
    pub row: Row,
}

/// Why sessions cannot stand side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// A session has no rounds, or there is one session only.
    NothingToCompare,
    /// The headline panels of the first session and of the one with this index differ.
    Unlike(usize, Vec<Difference>),
    /// All have the panel, but no design in common besides the baseline.
    NoDesigns,
}

/// Compares the headline panels of all sessions.
///
/// # Errors
/// [`Apart`] if they are not the same panel.
pub fn side_by_side(sessions: &[Judged<'_>]) -> Result<SideBySide, Apart> {
    let found = sessions.iter().map(Judged::headline).collect::<Option<Vec<_>>>();
    let headlines = found.filter(|all| all.len() > 1).ok_or(Apart::NothingToCompare)?;
    let place = |(judged, headline): (&Judged<'_>, &&PanelSummary)| {
        judged.results.panels.iter().position(|it| it.panel.id == headline.panel.id)
    };
    let places = sessions.iter().zip(&headlines).map(place).collect::<Option<Vec<_>>>();
    let places = places.ok_or(Apart::NothingToCompare)?;
    let identity = |number: usize| identity(&sessions[number], &headlines[number].panel);
    for number in 1..sessions.len() {
        let found = differences(identity(0), identity(number));
        if !found.is_empty() {
            return Err(Apart::Unlike(number, found));
        }
    }
    let baseline = &headlines[0].panel.baseline;
    let margin = sessions.iter().map(|it| it.results.session.margin).fold(0.0, f64::max);
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
        let ratios = headlines.iter().map(|headline| {
            let row = headline.row(&row.id)?;
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
    let others = headlines[0].rows.iter().filter(|row| row.id != *baseline);
    let designs: Vec<Design> = others.filter_map(design).collect();
    match designs.is_empty() {
        true => Err(Apart::NoDesigns),
        false => Ok(SideBySide { panel: headlines[0].panel.clone(), designs, margin }),
    }
}

/// Properties that must agree before ratios of a panel are shown side by side.
fn identity(judged: &Judged<'_>, panel: &Panel) -> [(String, String); 3] {
    let digests = corpora(&judged.results.session, &panel.workload).unwrap_or_default();
    [
        ("headline panel".to_owned(), work(panel)),
        ("corpora of the headline panel".to_owned(), digests),
        ("baseline of the headline panel".to_owned(), panel.baseline.clone()),
    ]
}
