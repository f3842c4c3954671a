//! Claims and verdicts as Markdown, for `docs/claims.md`.

use raywalk_judge::Judged;
use raywalk_judge::claims::{Claim, Decision, Judgement, tally};
use raywalk_judge::format::plural;

/// The claims with what supports and what contradicts each.
pub(super) fn list(judgements: &[Judgement<'_>]) -> String {
    let mut text = String::new();
    for judgement in judgements {
        let Claim { id, says, source, ours, wide, no_pair, untestable, .. } = judgement.claim;
        text.push_str(&format!("- **{id}** {says} ({source})\n"));
        if let Some(ours) = ours {
            text.push_str(&format!("  - Added by us: {ours}.\n"));
        }
        for test in judgement.claim.tests() {
            let pair = if test.audited { ", one parameter differs" } else { "" };
            text.push_str(&format!(
                "  - {}{pair}: supported if {}; contradicted if {}.\n",
                test.kind.name(),
                test.supports,
                test.contradicts
            ));
        }
        if let Some(wide) = wide {
            text.push_str(&format!("  - Not audited: {wide}.\n"));
        }
        if let Some(why) = no_pair {
            text.push_str(&format!("  - No two designs differ in one parameter: {why}.\n"));
        }
        if let Some(why) = untestable {
            text.push_str(&format!("  - Not testable here: {why}.\n"));
        }
        if judgement.decision.is_decided() {
            text.push_str(&format!("  - Without a session: {}.\n", judgement.verdict()));
        }
    }
    text
}

/// The verdicts of a session on claims, and the claims that no test decides.
pub(super) fn session(judged: &Judged<'_>, judgements: &[Judgement<'_>]) -> String {
    let session = &judged.results.session;
    let rounds: usize = judged.results.panels.iter().map(|panel| panel.rounds.len()).sum();
    let commit = match &session.build.commit {
        Some(commit) => format!("commit {}", commit.get(..12).unwrap_or(commit)),
        None => "no commit".to_owned(),
    };
    let mut text = format!(
        "Session of {}, plan `{}`, {}, {commit}, seed {}: {}, {}.\n\n{}\n",
        session.started,
        session.plan,
        session.machine.processor(),
        session.seed,
        plural(judged.panels.len(), "panel"),
        plural(rounds, "round"),
        tally(judgements),
    );
    text.push_str("\n| claim | what it says | source | verdict | conditions |\n| --- | --- | --- | --- | --- |\n");
    let (untestable, tested): (Vec<_>, Vec<_>) =
        judgements.iter().partition(|one| one.claim.untestable.is_some());
    for judgement in tested {
        let (row, verdict) = (start_of(judgement.claim), judgement.verdict());
        let conditions = judgement.conditions().join(". ");
        text.push_str(&format!("{row} {verdict} | {} |\n", cell(&conditions)));
    }
    if untestable.is_empty() {
        return text;
    }
    text.push_str("\n## Not testable here\n\n| claim | what it says | source | why |\n| --- | --- | --- | --- |\n");
    for judgement in untestable {
        let Decision::NotTestable { why } = &judgement.decision else { continue };
        text.push_str(&format!("{} {} |\n", start_of(judgement.claim), cell(why)));
    }
    text
}

/// The columns of a row that do not come from a session.
pub(super) fn start_of(claim: &Claim) -> String {
    let Claim { id, says, source, ours, .. } = claim;
    let ours = ours.as_ref().map_or(String::new(), |ours| format!(" Added by us: {ours}."));
    format!("| {id} | {}{} | {} |", cell(says), cell(&ours), cell(source))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
