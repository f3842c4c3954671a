//! Designs × workloads, against each of a few baselines.
//!
//! A plan names one baseline, and a reader may want another one. Ratios to another baseline cannot be made from
//! those to the first one, because intervals do not divide. So every ratio is estimated again from the rounds.
//!
//! Except for the baseline of the plan, baselines are chosen by the same rounds that compare them. Their intervals
//! therefore share their confidence with all pairs of designs of the panel, and are wider.

use raywalk_core::parallel;
use raywalk_results::schema::{Call, Control, Design, Legality, Scope, Status};
use raywalk_results::statistics::{Floor, Interval, Verdict};

use crate::Judged;
use crate::classes::{Condition, conditions};
use crate::format::{interval, panel_variant, plural, verdict as text_of};
use crate::lead::Lead;
use crate::pair;
use crate::summary::{PanelSummary, Row};

/// A matrix with more columns than this cannot be read.
const MOST: usize = 20;

raywalk_results::texts! {
    /// The design that ratios refer to.
    pub enum Baseline: name {
        /// The baseline of the plan.
        Planned = "planned",
        /// The fastest design of each panel.
        Fastest = "fastest",
        /// The fastest branchy design of the headline panel, legal designs aside.
        Branchy = "branchy",
        /// The fastest branchless design of the headline panel, legal designs aside.
        Branchless = "branchless",
    }
}

impl Baseline {
    /// As in *ratio to the baseline of the plan*.
    pub const fn label(self) -> &'static str {
        match self {
            Baseline::Planned => "the baseline of the plan",
            Baseline::Fastest => "the fastest design of each workload",
            Baseline::Branchy => "the fastest branchy design",
            Baseline::Branchless => "the fastest branchless design",
        }
    }

    /// The design that it stands for in a session; `None` if it differs between panels, or if no design is of the
    /// class.
    pub fn design<'a>(self, judged: &'a Judged<'_>) -> Option<&'a Row> {
        let headline = judged.headline()?;
        // Legal designs do more than generate, so that ratios to one of them would say little.
        let first = |control: Control| {
            let of_class = || headline.rows.iter().filter(move |row| row.control == control);
            let pseudo_legal = of_class().find(|row| row.legality == Legality::PseudoLegal);
            pseudo_legal.or_else(|| of_class().next())
        };
        match self {
            Baseline::Planned => headline.row(&headline.panel.baseline),
            Baseline::Fastest => None,
            Baseline::Branchy => first(Control::Branchy),
            Baseline::Branchless => first(Control::Branchless),
        }
    }

    /// The row of a panel that it stands for.
    fn row<'a>(self, judged: &Judged<'_>, panel: &'a PanelSummary) -> Option<&'a Row> {
        match self {
            Baseline::Planned => panel.row(&panel.panel.baseline),
            Baseline::Fastest => panel.rows.first(),
            Baseline::Branchy | Baseline::Branchless => panel.row(&self.design(judged)?.id),
        }
    }
}

/// A panel against one baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Against<'a> {
    /// The design that the ratios refer to.
    pub baseline: &'a Row,
    /// All designs of the panel, fastest first.
    pub entries: Vec<RankedRatio<'a>>,
    /// Number of intervals that share a confidence of 95 %.
    pub comparisons: usize,
}

/// A design against a baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedRatio<'a> {
    /// The design in the ranking of its panel.
    pub row: &'a Row,
    /// Time of the design ÷ time of the baseline.
    pub ratio: f64,
    /// The interval of the ratio; absent if there are too few rounds, or too few without spoilt samples.
    pub interval: Option<Interval>,
    /// Floor that the interval must exceed; absent for the baseline itself, and without an A/A control.
    pub floor: Option<Floor>,
    /// The verdict; absent for the baseline itself, and without an interval or an A/A control.
    pub verdict: Option<Verdict>,
}

impl<'a> Against<'a> {
    /// `None` if the panel has no such design.
    pub fn of(
        judged: &Judged<'_>,
        panel: &'a PanelSummary,
        baseline: Baseline,
    ) -> Option<Against<'a>> {
        let to = baseline.row(judged, panel)?;
        if baseline == Baseline::Planned {
            let entry = |row: &'a Row| RankedRatio {
                row,
                ratio: row.ratio,
                interval: row.interval.ok(),
                floor: pair::floor(panel.aa_control, &row.spread).filter(|_| row.id != to.id),
                verdict: row.verdict,
            };
            let entries = panel.rows.iter().map(entry).collect();
            return Some(Against { baseline: to, entries, comparisons: panel.comparisons });
        }
        let judge = judged.pairs(panel)?;
        let pairs = judge.pairs();
        let entry = |row: &'a Row| {
            if row.id == to.id {
                return RankedRatio { row, ratio: 1.0, interval: None, floor: None, verdict: None };
            }
            let compared = judge.compared(&row.id, &to.id);
            let interval = compared.map(|compared| compared.ratio);
            RankedRatio {
                row,
                ratio: interval.map_or(row.ratio / to.ratio, |interval| interval.middle),
                interval,
                floor: compared.map(|compared| compared.floor),
                verdict: compared.map(|compared| compared.verdict),
            }
        };
        let entries = panel.rows.iter().map(entry).collect();
        Some(Against { baseline: to, entries, comparisons: pairs })
    }

    /// The entry of a design.
    pub fn entry(&self, id: &str) -> Option<&RankedRatio<'a>> {
        self.entries.iter().find(|entry| entry.row.id == id)
    }
}

/// A column of the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'a> {
    /// Heading of the column: the regime in a few words.
    pub label: String,
    /// The panel of this column.
    pub panel: &'a PanelSummary,
    /// One for each of [`Baseline::ALL`].
    against: Vec<Option<Against<'a>>>,
}

impl<'a> Column<'a> {
    /// The panel against a baseline.
    pub fn against(&self, baseline: Baseline) -> Option<&Against<'a>> {
        let place = Baseline::ALL.iter().position(|one| *one == baseline)?;
        self.against.get(place)?.as_ref()
    }

    /// The fastest design, its lead, and the fastest designs of the other classes.
    pub fn sentence(&self) -> Option<String> {
        let against = self.against(Baseline::Fastest)?;
        let mut text = fastest(self.panel, against)?;
        for control in Control::ALL.iter().filter(|&&it| it != against.baseline.control) {
            let of_class = |entry: &&RankedRatio<'_>| entry.row.control == *control;
            let Some(first) = against.entries.iter().find(of_class) else { continue };
            if let Some(verdict) = &first.verdict {
                let (name, verdict) = (&first.row.name, text_of(verdict));
                text.push_str(&format!(
                    " Of the {control} designs {name} has the least time: {verdict}."
                ));
            }
        }
        Some(text)
    }
}

/// Table of designs by panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<'a> {
    /// The points of the memorisation curve by rising K, then the other panels in the order of the plan.
    pub columns: Vec<Column<'a>>,
    /// The designs of the columns, as the headline panel ranks them.
    pub designs: Vec<&'a Design>,
    /// Number of panels that would be columns as well, but do not fit.
    pub left_out: usize,
}

impl<'a> Matrix<'a> {
    /// Columns are panels that nothing perturbs and that generate moves of all pieces or walk a recorded search.
    pub fn of(judged: &'a Judged<'a>) -> Matrix<'a> {
        let (chosen, left_out) = chosen(judged);
        let against = |&(ref label, panel): &(String, &'a PanelSummary)| Column {
            label: label.clone(),
            panel,
            against: Baseline::ALL.map(|baseline| Against::of(judged, panel, baseline)).into(),
        };
        let columns = parallel::map(&chosen, against);
        let rank = |design: &Design| {
            judged.headline().and_then(|panel| panel.rank(&design.id)).unwrap_or(usize::MAX)
        };
        let takes_part = |design: &&Design| {
            matches!(design.status, Status::Verified { .. })
                && columns.iter().any(|column| column.panel.row(&design.id).is_some())
        };
        let mut designs: Vec<&Design> = judged.results.designs.iter().filter(takes_part).collect();
        // The sort is stable: designs that the headline lacks keep the order of the registry.
        designs.sort_by_key(|design| rank(design));
        Matrix { columns, designs, left_out }
    }

    /// The column in which a design comes nearest to the fastest one.
    pub fn best_of(&self, id: &str) -> Option<usize> {
        let ratio = |column: &Column<'_>| {
            let entry = column.against(Baseline::Fastest)?.entry(id)?;
            entry.row.is_ranked().then_some(entry.ratio)
        };
        let ratios = self.columns.iter().enumerate().filter_map(|(n, it)| Some((n, ratio(it)?)));
        ratios.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(number, _)| number)
    }
}

/// The panels of the columns with their labels, and the number of those that do not fit: first one panel of each
/// condition, then the headline workload, then all moves of every workload.
fn chosen<'a>(judged: &'a Judged<'a>) -> (Vec<(String, &'a PanelSummary)>, usize) {
    let label = |panel: &PanelSummary| match panel.panel.call.is_whole() {
        true => panel.panel.workload.clone(),
        false => format!("{}, {}", panel.panel.workload, panel_variant(&panel.panel)),
    };
    let mut all: Vec<(String, &PanelSummary)> = Vec::new();
    let conditions = conditions(judged).into_iter().map(|(condition, panel)| match condition {
        Condition::Repeated(_) => (condition.label(), panel),
        _ => (label(panel), panel),
    });
    let columns = || judged.panels.iter().filter(|panel| is_column(panel));
    let headline = judged.headline().map(|panel| &panel.panel.workload);
    let of_headline = columns().filter(|panel| Some(&panel.panel.workload) == headline);
    let all_moves = columns().filter(|panel| panel.panel.call.is_whole());
    let others = of_headline.chain(all_moves).chain(columns());
    for (label, panel) in conditions.chain(others.map(|panel| (label(panel), panel))) {
        if all.iter().all(|(_, known)| known.panel.id != panel.panel.id) {
            all.push((label, panel));
        }
    }
    let left_out = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    let place = |panel: &PanelSummary| {
        judged.panels.iter().position(|it| it.panel.id == panel.panel.id).unwrap_or(usize::MAX)
    };
    all.sort_by_key(|(_, panel)| match panel.panel.memorisation_curve {
        true => (0, panel.panel.regime.period),
        false => (1, Some(place(panel) as u64)),
    });
    (all, left_out)
}

/// Whether nothing perturbs a panel, and it generates moves of all pieces or walks a recorded search.
pub(crate) fn is_column(panel: &PanelSummary) -> bool {
    let (regime, call) = (&panel.panel.regime, panel.panel.call);
    let is_whole = matches!(call, Call::Generate { scope: Scope::Whole, .. });
    !panel.rows.is_empty()
        && !regime.is_perturbed()
        && regime.boards.is_none()
        && regime.lists.is_none()
        && (is_whole || call.is_walk())
}

/// The fastest design of a panel, and how many others are resolved to be slower, in one sentence. `against` is the
/// panel against that design.
pub(crate) fn fastest(panel: &PanelSummary, against: &Against<'_>) -> Option<String> {
    let rows = || against.entries.iter().map(|entry| entry.row);
    let lead = Lead::of(rows(), |row| against.entry(&row.id)?.verdict)?;
    let workload = &panel.panel.workload;
    let call = panel.panel.call.label();
    let mut text = format!("On {workload} ({call}, {}), ", panel.panel.regime.description);
    if lead.lacks_comparisons() {
        let why = panel.why_no_lead();
        text.push_str(&format!("no design is compared with {}: {why}.", lead.first.name));
        return Some(text);
    }
    let designs = plural(lead.others() + 1, "design");
    text.push_str(&format!("the fastest of {designs} is {}", lead.named()));
    if !lead.is_resolved() {
        text.push_str(&match lead.slower {
            0 => "; none is resolved to be slower".to_owned(),
            1 => "; one is slower".to_owned(),
            slower => format!("; {slower} are slower"),
        });
    } else if let Some(RankedRatio { row, verdict: Some(verdict @ Verdict::Slower(by)), .. }) =
        against.entries.get(1)
    {
        let (by, ends) = (text_of(verdict), interval(*by));
        text.push_str(&format!("; the runner-up, {}, is {by} ({ends})", row.name));
    }
    text.push('.');
    Some(text)
}
