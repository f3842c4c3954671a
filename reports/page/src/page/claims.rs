//! The claims of the literature, judged by the session.

use std::collections::BTreeSet;

use maud::{Markup, html};
use raywalk_judge::claims::{self, Claim, Decision, Judgement, tally};
use raywalk_judge::format::plural;

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// A folded table for each verdict, so that a reader opens what is asked for; those that the session cannot decide come
/// last. Empty if it decides none.
pub(crate) fn body(view: View<'_>) -> Markup {
    let claims = claims::all();
    body_of(view, &claims)
}

fn body_of(view: View<'_>, claims: &[Claim]) -> Markup {
    let judgements = claims::judge(view.judged, claims);
    let (told, silent): (Vec<_>, Vec<_>) = judgements.iter().partition(|one| is_told(one));
    if told.is_empty() {
        return html! {};
    }
    html! {
        p {
            (tally(&judgements)) " Each claim is data in the source, with what supports and what contradicts it; no \
             verdict is written by hand. A claim is supported if all of its tests hold under every condition that resolves a \
             difference. It is true in part if one of them holds under none. Where we added something to a claim, so that \
             it can be tested, the claim says so. All timed conditions of a claim share a confidence of 95 %, except comparisons of two \
             calls, which use the intervals of their panels. "
            code { "raywalk claims --list" } " prints the tests, and "
            code { "raywalk claims RESULT --format json" } " every condition."
        }
        div.screen {
            @for group in by_verdict(&told) {
                @let name = group[0].decision.kind().name();
                details open[group.len() <= SHORT] {
                    summary { (plural(group.len(), "claim")) ": " (name) }
                    (table(view, &group, &format!("Claims of the literature, in this session: {name}")))
                }
            }
        }
        (on_paper(&told))
        @if !silent.is_empty() {
            details {
                summary { (plural(silent.len(), "claim")) " that this session cannot decide" }
                p {
                    code { "raywalk claims" } " measures what the claims need, except those that are not \
                     testable here or are about other processors."
                }
                (table(view, &silent, "Claims that this session cannot decide, and why"))
            }
        }
    }
}

/// All verdicts in a few lines each: the tables with their conditions would fill several sheets, and a fold that is
/// closed cannot be opened on paper.
fn on_paper(judgements: &[&Judgement<'_>]) -> Markup {
    html! {
        div.paper {
            p {
                "The conditions of each verdict are in the tables of the page on the screen; "
                code { "raywalk claims RESULT" } " prints them."
            }
            ul.verdicts {
                @for judgement in judgements {
                    li {
                        strong { (judgement.claim.id) } " " (judgement.claim.says) " "
                        em { (shortly(judgement)) } "."
                    }
                }
            }
        }
    }
}

/// The verdict without the properties that it turns on, which can be many.
fn shortly(judgement: &Judgement<'_>) -> String {
    match judgement.decision {
        Decision::Depends { .. } => judgement.decision.kind().name().to_owned(),
        _ => judgement.verdict(),
    }
}

/// Groups of at most so many claims are open.
const SHORT: usize = 8;

/// The judgements of each verdict, in the order of the first of each.
fn by_verdict<'a, 'b>(judgements: &[&'a Judgement<'b>]) -> Vec<Vec<&'a Judgement<'b>>> {
    let mut groups: Vec<Vec<&Judgement<'_>>> = Vec::new();
    for judgement in judgements {
        let kind = judgement.decision.kind();
        match groups.iter_mut().find(|group| group[0].decision.kind() == kind) {
            Some(group) => group.push(judgement),
            None => groups.push(vec![judgement]),
        }
    }
    groups
}

/// Whether the session has data on a claim, even if it resolves nothing.
fn is_told(judgement: &Judgement<'_>) -> bool {
    judgement.decision.is_decided() || judgement.decision == Decision::NotResolved
}

fn table(view: View<'_>, judgements: &[&Judgement<'_>], caption: &str) -> Markup {
    let columns = ["Claim", "In our words", "Verdict", "Conditions", "Provenance"];
    let about = About::panels("that its condition names", &view.judged.panels);
    let mut table = Table::new(
        view.label(
            caption,
            "measured, counted, modelled or arithmetic, as the last column says",
            about,
        ),
        &columns,
    );
    for judgement in judgements {
        let claim = judgement.claim;
        let says = html! {
            (claim.says) " " span.open {
                (claim.source) @if let Some(ours) = &claim.ours { ". Added by us: " (ours) }
            }
        };
        let class = match judgement.decision {
            Decision::Supported => "better",
            Decision::Contradicted => "worse",
            Decision::Equal { .. } | Decision::InPart | Decision::Depends { .. } => "even",
            _ => "open",
        };
        let verdict = html! { span.(class) { (judgement.verdict()) } };
        table.row(
            &claim.id,
            vec![
                Cell::markup(says, None),
                Cell::markup(verdict, None),
                Cell::markup(conditions(judgement), None),
                Cell::text(judgement.provenance()),
            ],
        );
        table.about(compared(view, judgement));
    }
    table.printed_without(2).render()
}

/// Properties that the verdict depends on, and the range of conditions of each outcome, with the names that would be
/// too many for a line.
fn conditions(judgement: &Judgement<'_>) -> Markup {
    let rows = judgement.rows();
    html! {
        @for text in judgement.conditions() { span.condition { (text.replace('`', "")) ". " } }
        @for (outcome, row) in &rows {
            @for (count, names) in row.lists() {
                details { summary { (outcome.name()) " in " (count) } (names) }
            }
        }
    }
}

/// The classes of the designs that the conditions compare.
fn compared(view: View<'_>, judgement: &Judgement<'_>) -> BTreeSet<String> {
    let sides = judgement.conditions.iter().flat_map(|one| [&one.one, &one.other]);
    sides.flatten().filter_map(|id| view.keys.owner(id)).collect()
}

#[cfg(test)]
mod tests {
    use raywalk_judge::Judged;
    use raywalk_results::fixture::{self, Recipe};

    use super::*;
    use crate::keys::Keys;

    /// The synthetic session with designs of real ids, one of which takes this part of the time of the other.
    fn section(ferret: f64) -> String {
        let text = fixture::text(&Recipe::FULL.records());
        let text = text.replace("synthetic-beta", "ferret/end-origin");
        let results = fixture::read(&text.replace("synthetic-gamma", "butterfly/i16"));
        let times = [("ferret/end-origin", ferret), ("butterfly/i16", 1.0)];
        let results = fixture::with_times(results, &times);
        let judged = Judged::of(&results);
        let keys = Keys::of([&results]);
        let claims = claims::all();
        let wanted = |claim: &Claim| ["T2", "T7", "T12", "T16", "T18"].contains(&&*claim.id);
        let some: Vec<Claim> = claims.into_iter().filter(wanted).collect();
        body_of(View { judged: &judged, keys: &keys, prefix: "" }, &some).into_string()
    }

    #[test]
    fn each_claim_has_a_row_with_verdict_and_conditions() {
        insta::assert_snapshot!(section(0.8).replace("</tr>", "</tr>\n"));
    }

    #[test]
    fn every_verdict_is_on_paper() {
        let page = section(0.8);
        let list = page.split("<ul class=\"verdicts\">").nth(1).expect("a list for paper");
        let list = list.split("</ul>").next().expect("its end");
        assert!(list.contains("<strong>T12</strong>") && list.contains("<em>supported</em>."));
        // T2 names no order of designs, so no session decides it.
        assert_eq!(list.matches("<li>").count(), 4, "{list}");
        assert!(!list.contains("<strong>T2</strong>"));
    }

    #[test]
    fn the_opposite_session_has_the_opposite_verdict() {
        let row = |text: String| {
            let start = text.find(">T12</th>").expect("the row");
            text[start..].split("</tr>").next().expect("a row").to_owned()
        };
        let (faster, slower) = (row(section(0.8)), row(section(1.25)));
        assert!(faster.contains("span class=\"better\">supported</span>"), "{faster}");
        assert!(slower.contains("span class=\"worse\">contradicted</span>"), "{slower}");
        assert!(faster.contains("holds in") && slower.contains("contradicts in"));
    }
}
