//! Rankings as JSON. docs/json.md documents every key.

use raywalk_judge::Judged;
use raywalk_judge::compare::unlike;
use raywalk_judge::ranking::{Moved, PanelRanking, Ranked, Rankings};
use raywalk_results::statistics::Crossing;
use serde::Serialize;

use crate::shapes::{Judgement, Session};

#[derive(Serialize)]
pub(super) struct Document<'a> {
    stable: bool,
    sessions: Vec<Member<'a>>,
    panels: Vec<Panel<'a>>,
    left_out: &'a [String],
    memorisation: Vec<Curve>,
}

/// A session, and the properties in which it differs from the first.
#[derive(Serialize)]
struct Member<'a> {
    #[serde(flatten)]
    session: Session<'a>,
    differs_in: Vec<String>,
}

#[derive(Serialize)]
struct Panel<'a> {
    panel: &'a str,
    rounds: &'a [usize],
    pairs: usize,
    resolved: usize,
    designs: &'a [Ranked],
    moved: Vec<Pair<'a>>,
}

#[derive(Serialize)]
struct Pair<'a> {
    design: &'a str,
    against: &'a str,
    verdicts: Vec<Judgement>,
    contradiction: bool,
}

#[derive(Serialize)]
struct Curve {
    session: usize,
    design: String,
    costs: Vec<Cost>,
    knee: Option<Crossing>,
}

#[derive(Serialize)]
struct Cost {
    k: u64,
    nanoseconds_per_move: f64,
}

impl<'a> Document<'a> {
    pub(super) fn of(sessions: &[Judged<'a>], rankings: &'a Rankings) -> Document<'a> {
        let first = sessions.first().map(|judged| judged.results);
        let member = |judged: &Judged<'a>| Member {
            session: Session::of(judged),
            differs_in: first
                .into_iter()
                .flat_map(|first| unlike(first, judged.results))
                .map(|difference| difference.what)
                .collect(),
        };
        let curves = sessions.iter().enumerate().flat_map(|(place, judged)| {
            judged.curves().into_iter().map(move |curve| Curve {
                session: place + 1,
                knee: curve.knee(),
                costs: curve
                    .costs
                    .iter()
                    .map(|&(k, nanoseconds_per_move)| Cost { k, nanoseconds_per_move })
                    .collect(),
                design: curve.id,
            })
        });
        Document {
            stable: rankings.is_stable(),
            sessions: sessions.iter().map(member).collect(),
            panels: rankings.panels.iter().map(panel).collect(),
            left_out: &rankings.left_out,
            memorisation: curves.collect(),
        }
    }
}

fn panel(panel: &PanelRanking) -> Panel<'_> {
    Panel {
        panel: &panel.panel,
        rounds: &panel.rounds,
        pairs: panel.pairs(),
        resolved: panel.resolved,
        designs: &panel.designs,
        moved: panel.moved.iter().map(pair).collect(),
    }
}

fn pair(moved: &Moved) -> Pair<'_> {
    Pair {
        design: &moved.one,
        against: &moved.other,
        verdicts: moved.verdicts.iter().map(|&verdict| verdict.into()).collect(),
        contradiction: moved.contradiction().is_some(),
    }
}
