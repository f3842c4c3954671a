//! The JSON form of what several commands print: sessions, intervals, verdicts. docs/json.md documents it.

use raywalk_judge::Judged;
use raywalk_judge::no_interval::NoInterval;
use raywalk_results::statistics::{Interval, Verdict};
use serde::Serialize;

/// One of the compared sessions.
#[derive(Debug, Serialize)]
pub(crate) struct Session<'a> {
    /// Start of the session in UTC, in the format of RFC 3339.
    started: &'a str,
    plan: &'a str,
    cpu: &'a str,
    /// The commit that it was built from, if it is known.
    commit: Option<&'a str>,
    /// Whether the sources differed from that commit.
    dirty: bool,
    /// Whether the session ran to its end.
    complete: bool,
    /// Smallest difference that the headline panel resolves, as a fraction.
    resolution: Option<f64>,
    /// The most serious limit of the session.
    severity: String,
}

impl<'a> Session<'a> {
    pub(crate) fn of(judged: &Judged<'a>) -> Session<'a> {
        let session = &judged.results.session;
        Session {
            started: &session.started,
            plan: &session.plan,
            cpu: &session.machine.cpu,
            commit: session.build.commit.as_deref(),
            dirty: session.build.dirty,
            complete: judged.results.end.is_some(),
            resolution: judged.trust.headline,
            severity: judged.trust.severity().to_string(),
        }
    }
}

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Estimate {
    low: f64,
    estimate: f64,
    high: f64,
}

impl Estimate {
    /// `None` if there are too few rounds, or too few without spoilt samples.
    pub(crate) fn of(interval: Result<Interval, NoInterval>) -> Option<Estimate> {
        interval.ok().map(Estimate::from)
    }
}

impl From<Interval> for Estimate {
    fn from(Interval { low, middle, high }: Interval) -> Estimate {
        Estimate { low, estimate: middle, high }
    }
}

/// A verdict, or the reason why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub(crate) enum Judgement {
    /// Faster by this factor, above 1.
    Faster {
        by: Estimate,
    },
    /// Slower by this factor, above 1.
    Slower {
        by: Estimate,
    },
    /// Equal within this share (0.01 is one per cent).
    Equal {
        within: f64,
    },
    NotResolved,
    TooFewRounds,
}

impl From<Option<Verdict>> for Judgement {
    fn from(verdict: Option<Verdict>) -> Judgement {
        match verdict {
            Some(Verdict::Faster(by)) => Judgement::Faster { by: by.into() },
            Some(Verdict::Slower(by)) => Judgement::Slower { by: by.into() },
            Some(Verdict::Equal { within }) => Judgement::Equal { within },
            Some(Verdict::NotResolved) => Judgement::NotResolved,
            None => Judgement::TooFewRounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_tagged_with_what_it_says() {
        let by = Interval { low: 1.5, middle: 2.0, high: 2.5 };
        let text = |verdict| serde_json::to_string(&Judgement::from(verdict)).expect("JSON");
        assert_eq!(
            text(Some(Verdict::Slower(by))),
            r#"{"is":"slower","by":{"low":1.5,"estimate":2.0,"high":2.5}}"#
        );
        assert_eq!(text(Some(Verdict::Equal { within: 0.5 })), r#"{"is":"equal","within":0.5}"#);
        assert_eq!(text(Some(Verdict::NotResolved)), r#"{"is":"not-resolved"}"#);
        assert_eq!(text(None), r#"{"is":"too-few-rounds"}"#);
    }
}
