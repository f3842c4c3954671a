//! The checks: what the code of a design must not contain.

use raywalk_results::format::plural;
use raywalk_results::schema::Control;
use serde::{Serialize, Serializer};

use crate::entry_stage::EntryStage;
use crate::finding::{Check, Finding};
use crate::pairs::{Pair, compared};
use crate::report::{Event, Located, Report};

/// Findings that are known and accepted.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Exception {
    /// The check whose findings it accepts.
    pub check: Check,
    /// Ids of designs, each with its entries. Every one of them has such a finding.
    #[serde(serialize_with = "by_design")]
    pub entries: &'static [(&'static str, &'static [EntryStage])],
    /// Ends of the source files, with or without a line.
    pub sources: &'static [&'static str],
    /// The largest part of the executed instructions of an entry that may have the stack operands of one loop; `None`
    /// for other checks.
    pub at_most: Option<f64>,
    /// The reason for accepting it, one or more sentences.
    pub reason: &'static str,
}

impl Exception {
    /// Whether it is about this entry.
    pub fn concerns(&self, design: &str, stage: EntryStage) -> bool {
        self.stages_of(design).contains(&stage)
    }

    /// The stages of a design that it is about.
    pub fn stages_of(&self, design: &str) -> &'static [EntryStage] {
        let found = self.entries.iter().find(|(id, _)| *id == design);
        found.map_or(&[], |(_, stages)| stages)
    }

    fn accepts(&self, finding: &Finding) -> bool {
        let part = finding.fraction.zip(self.at_most);
        self.names(finding) && part.is_none_or(|(fraction, at_most)| fraction <= at_most)
    }

    /// Whether it is about this finding, however often that is executed.
    fn names(&self, finding: &Finding) -> bool {
        let in_place = finding
            .source
            .as_ref()
            .is_some_and(|place| self.sources.iter().any(|source| place.ends_with(source)));
        self.check == finding.check && in_place && self.concerns(&finding.design, finding.stage)
    }
}

/// Writes entries as objects of a design and its stages.
fn by_design<S: Serializer>(
    entries: &&[(&str, &[EntryStage])],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct OfDesign<'a> {
        design: &'a str,
        stages: &'a [EntryStage],
    }
    let entries = entries.iter().map(|&(design, stages)| OfDesign { design, stages });
    serializer.collect_seq(entries)
}

/// Checks each entry, and the entries of each pair against each other.
pub fn check(reports: &[Report], pairs: &[Pair], exceptions: &[Exception]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = reports.iter().flat_map(entry).collect();
    findings.extend(pairs.iter().flat_map(|pair| compared(reports, pair)));
    let outdated: Vec<Finding> = exceptions
        .iter()
        .flat_map(|exception| {
            let named: Vec<&Finding> =
                findings.iter().filter(|finding| exception.names(finding)).collect();
            outdated(exception, &named, reports)
        })
        .collect();
    // Only now: a finding that an exception accepts shows that the exception is needed.
    findings.retain(|finding| !exceptions.iter().any(|exception| exception.accepts(finding)));
    findings.extend(outdated);
    findings
}

/// The findings in one entry.
fn entry(report: &Report) -> Vec<Finding> {
    let finding = |check, located: Option<&Located>, what: String| Finding {
        check,
        design: report.design.clone(),
        against: None,
        stage: report.stage,
        address: located.map(|located| located.address),
        source: located.and_then(|located| located.source.clone()),
        what,
        fraction: None,
    };
    let mut findings = Vec::new();
    for located in &report.events {
        let (check, what) = match &located.event {
            Event::Panic(name) => (Check::Panic, format!("can panic in `{name}`")),
            Event::Division => (Check::Division, "divides in a loop".to_owned()),
            Event::Call(name) => (Check::Call, format!("calls `{name}` in a loop")),
            Event::BoardJump { .. } if report.control != Control::Branchless => continue,
            Event::BoardJump { ends_loop: false } => {
                let what = if report.cell_bytes == Some(0) { "the board" } else { "a square" };
                (Check::BoardJump, format!("is called branchless, and {what} decides a jump"))
            }
            Event::BoardJump { ends_loop: true } => (
                Check::BoardLoopEnd,
                "is called branchless, and a square decides where a loop ends".to_owned(),
            ),
            Event::Stack(count) => {
                let fraction = report.stack_fraction(located.address);
                let operands = plural(*count, "stack operand");
                let executed = fraction.map_or(String::new(), |fraction| {
                    format!(", in {:.2} % of the executed instructions", 100.0 * fraction)
                });
                let what = format!("has {operands} in an innermost loop{executed}");
                findings.push(Finding { fraction, ..finding(Check::Stack, Some(located), what) });
                continue;
            }
            Event::Length(count) => {
                let stores = plural(*count, "store");
                (Check::Length, format!("has {stores} of the list's length in an innermost loop"))
            }
            Event::Lost => {
                (Check::Lost, "goes to an address that the audit cannot follow".to_owned())
            }
        };
        findings.push(finding(check, Some(located), what));
    }
    let lacks = match report.control {
        _ if report.cell_bytes.is_none() => None,
        Control::Branchy if !report.branches_in_walk() => {
            Some("is called branchy, and no square decides a jump in the loop of its walk")
        }
        Control::Mixed if !report.is_branchy_in_part() => {
            Some("is called mixed, and neither a square nor a set of targets decides a jump")
        }
        Control::Branchy | Control::Mixed | Control::Branchless => None,
    };
    findings.extend(lacks.map(|what| finding(Check::NoBoardJump, None, what.to_owned())));
    findings
}

/// A finding for each audited entry that does not need an exception any more.
fn outdated(exception: &Exception, named: &[&Finding], reports: &[Report]) -> Vec<Finding> {
    let needs = |report: &Report| {
        named.iter().any(|one| one.design == report.design && one.stage == report.stage)
    };
    let concerned = |report: &&Report| exception.concerns(&report.design, report.stage);
    let idle = reports.iter().filter(concerned).filter(|report| !needs(report));
    idle.map(|report| Finding {
        check: Check::Exception,
        design: report.design.clone(),
        against: None,
        stage: report.stage,
        address: None,
        source: None,
        what: format!(
            "does not need the declared exception any more: {}",
            exception.reason.trim_end_matches('.')
        ),
        fraction: None,
    })
    .collect()
}
