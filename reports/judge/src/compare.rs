//! Compares two sessions: whether a design became slower between A and B.
//!
//! The two have no round in common, and the machine may have changed between them: the same binary was seen to drift
//! by a factor of 1.9 within half an hour. So each design is compared with a baseline that ran beside it in the same
//! session, and the two ratios are compared: drift that affects both cancels. If the baseline itself changed, every
//! other design would seem to change. It is replaced only if its own change is proved: its change against most of the
//! others, and against its replacement, must be a verdict, by the same intervals as every other verdict here. One
//! design, the one that stays closest to the median change, replaces it in all panels. The plain ratio of times is
//! reported too, as the weaker number: it includes the drift, and only it can show that all designs changed together.
//!
//! Only batches that both sessions measured are compared, root by root, so a difference between positions does not
//! look like one between sessions.
//!
//! The effect of placement differs between processes and layouts. If a session consists of several,
//! the spread of its ratios is known, and a change must exceed the spreads of both sessions together.
//! A session of one process has no known spread.

mod pair;
pub mod side_by_side;

use std::collections::BTreeSet;

use raywalk_core::parallel;
use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::likeness::{Difference, differences};
use raywalk_results::schema::{Panel, Round};
use raywalk_results::statistics::{Confidence, Floor, Interval, Verdict, median};

use crate::no_interval::NoInterval;
use crate::ratios;
use pair::Pair;

/// The designs, the baseline and the margin of a comparison.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Selects the designs to judge, by id.
    pub selects: &'a (dyn Fn(&str) -> bool + Sync),
    /// The design that both sessions are compared with; each panel's own baseline if absent.
    pub baseline: Option<&'a str>,
    /// Equality margin as a fraction: smaller changes are called equal, and a design that is slower by
    /// more has a regression.
    pub margin: f64,
}

/// Two sessions, panel by panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The panels that both have, in A's order.
    pub panels: Vec<PanelComparison>,
    /// Ids of the panels that only one of them has.
    pub left_out: Vec<String>,
    /// Number of intervals that share the confidence of 95 %.
    pub comparisons: usize,
    /// Equality margin of the [question](Question::margin), as a fraction.
    pub margin: f64,
}

/// One panel in both sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelComparison {
    /// The panel as session A describes it.
    pub panel: Panel,
    /// Rounds in A and in B.
    pub rounds: [usize; 2],
    /// Id of the design that the others are compared with.
    pub baseline: String,
    /// The panel's own baseline, if another design replaced it because its change is resolved.
    pub replaced: Option<String>,
    /// The sum of both A/A floors; absent if one of them is not known.
    pub floor: Option<Floor>,
    /// The designs that both have, in A's order.
    pub rows: Vec<Row>,
}

/// One design in one panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Id of the design, such as `bell/steps`.
    pub id: String,
    /// Ratio to the baseline in B ÷ ratio to the baseline in A; absent for the baseline.
    pub relative: Option<Result<Interval, NoInterval>>,
    /// Time per position in B ÷ time per position in A. It includes the machine's drift.
    pub time: Result<Interval, NoInterval>,
    /// The verdict on [`relative`](Row::relative); absent where there is no interval or no floor.
    pub verdict: Option<Verdict>,
    /// The change over the smallest one that stands out from interval, floor and spread. Above 1 the verdict is
    /// faster or slower, unless the whole interval lies within the margin.
    pub significance: Option<f64>,
    /// The spreads of the ratio in A and in B, combined as the root of the sum of squares, in ln; absent if
    /// one of them is not known.
    pub spread: Option<f64>,
    /// Whether the whole interval lies above margin, floor and spread, on the slow side.
    pub regression: bool,
}

impl Row {
    /// Whether a change is resolved.
    pub fn is_change(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Faster(_) | Verdict::Slower(_)))
    }

    /// Whether it is neither a change nor equal.
    pub fn is_open(&self) -> bool {
        matches!(self.verdict, None | Some(Verdict::NotResolved))
    }
}

impl Comparison {
    /// Panel and design of each regression.
    pub fn regressions(&self) -> impl Iterator<Item = (&PanelComparison, &Row)> {
        let rows =
            self.panels.iter().flat_map(|panel| panel.rows.iter().map(move |row| (panel, row)));
        rows.filter(|(_, row)| row.regression)
    }
}

/// The differences between two sessions that affect times: processor, code generation, corpora, and
/// the work of their common panels. Their numbers are comparable if there are none.
pub fn unlike(a: &Results, b: &Results) -> Vec<Difference> {
    let mut found = differences(a.session.machine.identity(), b.session.machine.identity());
    found.extend(differences(a.session.build.code(), b.session.build.code()));
    for one in &a.session.corpora {
        let digest = |digest: &str| [(format!("digest of corpus {}", one.name), digest.to_owned())];
        if let Some(other) = b.session.corpora.iter().find(|other| other.name == one.name) {
            found.extend(differences(digest(&one.digest), digest(&other.digest)));
        }
    }
    for (one, other) in common(a, b) {
        let work = |panel: &Panel| [(format!("panel {}", panel.id), work(panel))];
        found.extend(differences(work(&one.panel), work(&other.panel)));
        // Each session draws its batches, so two short ones may have none in common. Batches of different sizes never
        // agree.
        let sizes = |side| batches(side).into_iter().map(|(_, size)| size).collect::<BTreeSet<_>>();
        let (in_a, in_b) = (sizes(one), sizes(other));
        if !in_a.is_empty() && !in_b.is_empty() && in_a.is_disjoint(&in_b) {
            let size = |sizes: &BTreeSet<u64>| {
                let text = sizes.first().map(|size| format!("{size} positions"));
                [(format!("a batch of panel {}", one.panel.id), text.unwrap_or_default())]
            };
            found.extend(differences(size(&in_a), size(&in_b)));
        }
    }
    found
}

/// A difference in a sentence, without a full stop: ``CPU is `x` in A and `y` in B``.
pub fn format_difference(difference: &Difference) -> String {
    let Difference { what, one, other } = difference;
    format!("{what} is `{one}` in A and `{other}` in B")
}

/// Everything that decides the work of a panel, as text.
fn work(panel: &Panel) -> String {
    let Panel { workload, regime, call, positions, .. } = panel;
    let (kind, order) = (regime.kind, regime.order);
    let period = regime.period.map_or(String::new(), |k| format!(", period {k}"));
    let boards = regime.boards.map_or(String::new(), |boards| format!(", {boards} boards"));
    let lists = regime.lists.map_or(String::new(), |bytes| format!(", lists of {bytes} bytes"));
    let intensity =
        regime.intensity.map_or(String::new(), |one| format!(", {} {}", one.amount, one.unit));
    format!(
        "{workload}, {}, {positions} positions, {kind}, {order}{period}{boards}{lists}{intensity}",
        call.label()
    )
}

/// The batches of a panel: first position and number of positions.
fn batches(side: &PanelRounds) -> BTreeSet<(u64, u64)> {
    side.rounds.iter().map(|round| batch(&side.panel, round)).collect()
}

fn batch(panel: &Panel, round: &Round) -> (u64, u64) {
    let positions = round.samples.first().map_or(0, |sample| sample.positions);
    (round.first, positions / ratios::passes(panel, positions))
}

/// The panels that both have, in A's order.
fn common<'a>(
    a: &'a Results,
    b: &'a Results,
) -> impl Iterator<Item = (&'a PanelRounds, &'a PanelRounds)> {
    a.panels.iter().filter_map(|one| {
        Some((one, b.panels.iter().find(|other| other.panel.id == one.panel.id)?))
    })
}

/// Compares what both sessions have, also if they are [`unlike`].
pub fn compare<'a>(a: &'a Results, b: &'a Results, question: &Question<'a>) -> Comparison {
    let shared: Vec<_> = common(a, b).collect();
    let pairs = parallel::map(&shared, |&(one, other)| Pair::of([a, b], [one, other], question));
    let mut pairs: Vec<Pair<'_>> = pairs.into_iter().flatten().collect();
    if question.baseline.is_none() {
        replace_changed_baselines(&mut pairs, question.margin);
    }
    // Every interval that is shown may miss, so all of them share the confidence.
    let comparisons = pairs.iter().map(Pair::intervals).sum::<usize>().max(1);
    let confidence = Confidence::NINETY_FIVE.shared_by(comparisons);
    let panels = parallel::map(&pairs, |pair| pair.judge(confidence, question.margin));
    let only = |one: &Results, other: &Results| {
        let missing = |panel: &&PanelRounds| {
            other.panels.iter().all(|other| other.panel.id != panel.panel.id)
        };
        one.panels.iter().filter(missing).map(|panel| panel.panel.id.clone()).collect::<Vec<_>>()
    };
    let left_out = [only(a, b), only(b, a)].concat();
    Comparison { panels, left_out, comparisons, margin: question.margin }
}

/// Replaces each baseline whose change is resolved by the design that changed like most others.
fn replace_changed_baselines(pairs: &mut [Pair<'_>], margin: f64) {
    // At least as strict as the confidence of the table, whichever designs it shows: what is resolved
    // here is resolved there too.
    let intervals = pairs.iter().map(|pair| 2 * pair.both.len()).sum();
    let confidence = Confidence::NINETY_FIVE.shared_by(intervals);
    let changed = parallel::map(pairs, |pair| pair.baseline_changed(confidence, margin));
    let changed: Vec<usize> = (0..pairs.len()).filter(|&place| changed[place]).collect();
    let candidates = closest_to_the_median(changed.iter().map(|&place| &pairs[place]));
    for place in changed {
        let pair = &mut pairs[place];
        let own = pair.baseline;
        let replacement = candidates.iter().copied().find(|id| {
            *id != own && pair.both.contains(id) && pair.change(own, id, confidence, margin) != 0
        });
        if let Some(id) = replacement {
            (pair.baseline, pair.replaced) = (id, Some(own));
        }
    }
}

/// All designs of these panels: first those that most panels have, and of these first the design
/// whose change differs least from the median change of its panel.
fn closest_to_the_median<'p, 'a: 'p>(pairs: impl Iterator<Item = &'p Pair<'a>>) -> Vec<&'a str> {
    let mut deviations: Vec<(&str, Vec<f64>)> = Vec::new();
    for pair in pairs {
        let changes = pair.changes();
        let usual = median(&changes.iter().map(|&(_, by)| by).collect::<Vec<_>>());
        for (id, by) in changes {
            let deviation = (by - usual.unwrap_or(by)).abs();
            match deviations.iter_mut().find(|(known, _)| *known == id) {
                Some((_, list)) => list.push(deviation),
                None => deviations.push((id, vec![deviation])),
            }
        }
    }
    let key = |list: &[f64]| (list.len(), median(list).unwrap_or(f64::INFINITY));
    deviations.sort_by(|(_, one), (_, other)| {
        let ((panels, by), (others, other_by)) = (key(one), key(other));
        others.cmp(&panels).then(by.total_cmp(&other_by))
    });
    deviations.into_iter().map(|(id, _)| id).collect()
}
