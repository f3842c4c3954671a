//! Compares two sessions: did a design become slower between A and B?
//!
//! The two have no round in common, and the machine may have changed between them: the same binary
//! was seen to drift by a factor of 1.9 within half an hour. So each design is compared with a
//! baseline that ran beside it in the same session, and the two ratios are compared: drift that
//! affects both cancels. If the baseline itself changed, every other design would seem to change. So
//! if its change stands out, the design with the median change replaces it. The plain ratio of times
//! is reported too, as the weaker number: it includes the drift, and only it can show that all designs
//! changed together.
//!
//! The effect of placement differs between processes and layouts. If a session consists of several,
//! the spread of its ratios is known, and a change must exceed the spreads of both sessions together.
//! A session of one process has no known spread.

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::likeness::{Difference, differences};
use raywalk_results::schema::{Panel, Sample};
use raywalk_results::statistics::{Confidence, Floor, Interval, TooFew, Verdict, median};

use crate::aa_control::AaControl;
use crate::ratios;
use crate::shift::shift_interval;
use crate::spread::Spread;

/// What to compare.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Selects the designs to judge, by id.
    pub selects: &'a dyn Fn(&str) -> bool,
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
    /// [`Question::margin`].
    pub margin: f64,
}

/// One panel in both sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelComparison {
    /// The panel of A.
    pub panel: Panel,
    /// Rounds in A and in B.
    pub rounds: [usize; 2],
    /// Id of the design that the others are compared with.
    pub baseline: String,
    /// The panel's own baseline, if it changed so much that another design replaced it.
    pub replaced: Option<String>,
    /// The sum of both A/A floors; absent if one of them is not known.
    pub floor: Option<Floor>,
    /// The designs that both have, in A's order.
    pub rows: Vec<Row>,
}

/// One design in one panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Design id.
    pub id: String,
    /// Ratio to the baseline in B ÷ ratio to the baseline in A; absent for the baseline.
    pub relative: Option<Result<Interval, TooFew>>,
    /// Time per position in B ÷ time per position in A. It includes the machine's drift.
    pub time: Result<Interval, TooFew>,
    /// The verdict on [`relative`](Row::relative).
    pub verdict: Option<Verdict>,
    /// Sum of the spreads of the ratio in A and in B, in ln; absent if one of them is not known.
    pub spread: Option<f64>,
    /// Whether the whole interval lies above margin, floor and spread, on the slow side.
    pub regression: bool,
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
    let intensity =
        regime.intensity.map_or(String::new(), |one| format!(", {} {}", one.amount, one.unit));
    format!(
        "{workload}, {}, {positions} positions, {kind}, {order}{period}{intensity}",
        call.label()
    )
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
    let pairs: Vec<Pair<'_>> =
        common(a, b).filter_map(|(one, other)| Pair::of([a, b], [one, other], question)).collect();
    // Every interval that is shown may miss, so all of them share the confidence.
    let comparisons = pairs.iter().map(Pair::intervals).sum::<usize>().max(1);
    let confidence = Confidence::NINETY_FIVE.shared_by(comparisons);
    let panels = pairs.iter().map(|pair| pair.judge(confidence, question.margin)).collect();
    let only = |one: &Results, other: &Results| {
        let missing = |panel: &&PanelRounds| {
            other.panels.iter().all(|other| other.panel.id != panel.panel.id)
        };
        one.panels.iter().filter(missing).map(|panel| panel.panel.id.clone()).collect::<Vec<_>>()
    };
    let left_out = [only(a, b), only(b, a)].concat();
    Comparison { panels, left_out, comparisons, margin: question.margin }
}

struct Pair<'a> {
    sessions: [&'a Results; 2],
    sides: [&'a PanelRounds; 2],
    hertz: [f64; 2],
    designs: Vec<&'a str>,
    baseline: &'a str,
    replaced: Option<&'a str>,
}

impl<'a> Pair<'a> {
    /// `None` if the two have no design in common, or lack the baseline that was asked for.
    fn of(
        sessions: [&'a Results; 2],
        sides: [&'a PanelRounds; 2],
        question: &Question<'a>,
    ) -> Option<Pair<'a>> {
        let [a, b] = sides.map(|side| &side.panel);
        // A generator that became legal does other work, so its times are not comparable.
        let legality = |results: &'a Results, id: &str| results.design(id).map(|d| d.legality);
        let both: Vec<&str> = a
            .designs
            .iter()
            .filter(|id| b.designs.contains(id))
            .filter(|id| legality(sessions[0], id) == legality(sessions[1], id))
            .map(String::as_str)
            .collect();
        let own = [a.baseline.as_str(), b.baseline.as_str()];
        let own = own.into_iter().find(|id| both.contains(id)).or(both.first().copied())?;
        let hertz = sessions.map(|results| results.session.clock.hertz);
        let baseline = match question.baseline {
            Some(asked) => both.iter().copied().find(|id| *id == asked)?,
            None => stable_baseline(sides, hertz, &both, own, question.margin),
        };
        let replaced = (question.baseline.is_none() && baseline != own).then_some(own);
        let designs = both.into_iter().filter(|id| (question.selects)(id)).collect();
        Some(Pair { sessions, sides, hertz, designs, baseline, replaced })
    }

    /// Number of intervals: one of the baseline, two of each other design.
    fn intervals(&self) -> usize {
        self.designs.iter().map(|id| 1 + usize::from(*id != self.baseline)).sum()
    }

    fn judge(&self, confidence: Confidence, margin: f64) -> PanelComparison {
        let floor = self.floor();
        let rows = self.designs.iter().map(|id| self.row(id, floor, confidence, margin)).collect();
        PanelComparison {
            panel: self.sides[0].panel.clone(),
            rounds: self.sides.map(|side| side.rounds.len()),
            baseline: self.baseline.to_owned(),
            replaced: self.replaced.map(str::to_owned),
            floor,
            rows,
        }
    }

    fn row(&self, id: &str, floor: Option<Floor>, confidence: Confidence, margin: f64) -> Row {
        let relative = (id != self.baseline).then(|| {
            let [a, b] = self.sides.map(|side| ratios::by_round(side, id, self.baseline));
            shift_interval(&a, &b, confidence)
        });
        let [a, b] = [0, 1].map(|n| times(self.sides[n], self.hertz[n], id));
        let [from_a, from_b] = [0, 1].map(|n| self.spread(n, id));
        // If only one session knows its spread, that one still widens the floor.
        let widest = from_a.unwrap_or(0.0) + from_b.unwrap_or(0.0);
        let floor = floor.map(|floor| floor.widened(widest));
        let known = relative.and_then(Result::ok).zip(floor);
        let beyond =
            |(interval, floor): (Interval, Floor)| interval.low > margin.ln_1p().max(floor.log());
        Row {
            id: id.to_owned(),
            relative: relative.map(|interval| interval.map(Interval::exp)),
            spread: from_a.zip(from_b).map(|(a, b)| a + b),
            time: shift_interval(&a, &b, confidence).map(Interval::exp),
            verdict: known.map(|(interval, floor)| Verdict::of(interval, floor, margin)),
            regression: known.is_some_and(beyond),
        }
    }

    fn spread(&self, side: usize, id: &str) -> Option<f64> {
        if id == self.baseline {
            return None;
        }
        let spread = Spread::between(self.sessions[side], self.sides[side], id, self.baseline);
        spread.bound().map(|bound| bound.log)
    }

    fn floor(&self) -> Option<Floor> {
        let [a, b] = self.sides.map(AaControl::of_panel);
        let sum = a?.floor.log() + b?.floor.log();
        Some(Floor::of(Interval { low: -sum, middle: 0.0, high: sum }))
    }
}

/// The panel's own baseline, or the design with the median change from A to B if the baseline's change
/// differs from that by more than the margin. With two designs it cannot be told which one changed.
fn stable_baseline<'a>(
    sides: [&PanelRounds; 2],
    hertz: [f64; 2],
    designs: &[&'a str],
    own: &'a str,
    margin: f64,
) -> &'a str {
    let change = |id: &str| {
        let [a, b] = [0, 1].map(|n| median(&times(sides[n], hertz[n], id)));
        Some(b? - a?)
    };
    let mut changes: Vec<(f64, &str)> =
        designs.iter().filter_map(|&id| Some((change(id)?, id))).collect();
    changes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let middle = changes.len().saturating_sub(1) / 2;
    match (change(own), changes.get(middle)) {
        (Some(by), Some(&(usual, id)))
            if changes.len() > 2 && (by - usual).abs() > margin.ln_1p() =>
        {
            id
        }
        _ => own,
    }
}

/// ln of the seconds per position, one value per round.
fn times(side: &PanelRounds, hertz: f64, id: &str) -> Vec<f64> {
    let seconds = |sample: &Sample| sample.ticks as f64 / hertz / sample.positions as f64;
    side.samples(id).map(|sample| seconds(sample).ln()).collect()
}
