//! The claims of the literature: their tests, and the verdicts of sessions.

use raywalk_judge::Judged;
use raywalk_judge::claims::{Decision, Judgement, Kind, tally};
use raywalk_judge::format::plural;

use super::heading;
use super::screen::{Screen, Tone};
use super::text_table::{Cell, TextTable, text};

/// Lists claims with what supports and what contradicts each. The judgements are those that need no session.
pub fn list(out: &mut Screen, judgements: &[Judgement<'_>]) {
    for judgement in judgements {
        let claim = judgement.claim;
        out.hanging_line(format!("{:<4} {}", claim.id, claim.says), INDENT);
        out.hanging_line(format!("     {}", claim.source), INDENT);
        if let Some(ours) = &claim.ours {
            out.hanging_line(format!("     added by us: {ours}"), INDENT);
        }
        if let Some(why) = &claim.untestable {
            out.hanging_line(format!("     not testable here: {why}"), INDENT);
        }
        for (number, test) in (1..).zip(claim.tests()) {
            let pair = if test.audited { ", one parameter differs" } else { "" };
            let kind = test.kind.name();
            out.line(format!("     {number}. {kind}{pair}"));
            out.hanging_line(format!("        supports: {}", test.supports), INNER);
            out.hanging_line(format!("        contradicts: {}", test.contradicts), INNER);
        }
        if let Some(wide) = &claim.wide {
            out.hanging_line(format!("     not audited: {wide}"), INDENT);
        }
        if let Some(why) = &claim.no_pair {
            out.hanging_line(format!("     no two designs differ in one parameter: {why}"), INDENT);
        }
        if judgement.decision.is_decided() {
            let verdict = judgement.verdict();
            out.toned(format!("     without a session: {verdict}"), tone(&judgement.decision));
        }
        out.blank();
    }
    let by_kind = |kind: Kind| {
        let has = |one: &&Judgement<'_>| one.claim.kinds().contains(&kind);
        format!("{} {}", judgements.iter().filter(has).count(), kind.name())
    };
    let kinds = [Kind::Measured, Kind::Counted, Kind::Modelled, Kind::Verified, Kind::Arithmetic];
    let untestable = judgements.iter().filter(|one| one.claim.untestable.is_some()).count();
    out.line(format!(
        "{}: tests {}; {untestable} not testable here",
        plural(judgements.len(), "claim"),
        kinds.map(by_kind).join(", "),
    ));
}

/// Columns before the text of a claim.
const INDENT: usize = 5;
/// Columns before the sentences of a test.
const INNER: usize = 10;

/// Writes the verdicts of a session on claims.
pub fn write(out: &mut Screen, judged: &Judged<'_>, judgements: &[Judgement<'_>]) {
    heading::write(out, "session", judged);
    let mut table = TextTable::new([text("claim"), text("verdict"), text("by")]);
    for judgement in judgements {
        let verdict = Cell::toned(judgement.verdict(), tone(&judgement.decision));
        let id = Cell::from(judgement.claim.id.clone());
        table.row([id, verdict, judgement.provenance().into()]);
        table.note(judgement.claim.says.clone());
        judgement.conditions().into_iter().for_each(|text| table.note(text));
    }
    table.write(out);
    out.line(tally(judgements));
}

fn tone(decision: &Decision) -> Tone {
    match decision {
        Decision::Supported => Tone::Good,
        Decision::Contradicted => Tone::Warning,
        Decision::Equal { .. } | Decision::InPart | Decision::Depends { .. } => Tone::Plain,
        Decision::NotResolved | Decision::NotMeasured { .. } | Decision::NotTestable { .. } => {
            Tone::Weak
        }
    }
}
