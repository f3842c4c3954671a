//! A claim and its conditions, for tests.

use raywalk_results::schema::{Order, RegimeKind};

use super::condition::{Condition, Kind, Outcome, Place};
use super::decision::decide;
use super::{Claim, Judgement, parse};

pub(super) fn claim() -> Claim {
    let text = "[[claim]]\nid = \"X1\"\nsays = \"so\"\nsource = \"a test\"\n\
                compare = [{ one = [\"a\"], other = [\"b\"] }]\n";
    parse("x.toml", text).expect("a claim").remove(0)
}

pub(super) fn condition(regime: RegimeKind, workload: &str, outcome: Outcome) -> Condition {
    let place = Place {
        regime: Some(regime),
        order: Some(Order::Tree),
        workload: Some(workload.to_owned()),
        ..Place::default()
    };
    let made = Condition::new(0, Kind::Measured, outcome);
    Condition { place, layouts: 4, processes: 8, ..made }
}

pub(super) fn judgement(claim: &Claim, conditions: Vec<Condition>) -> Judgement<'_> {
    let decision = decide(&conditions, &[None]);
    Judgement { claim, conditions, decision }
}
