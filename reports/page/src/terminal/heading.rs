//! One line per session above its tables, a comparison or a ranking.

use raywalk_judge::Judged;
use raywalk_judge::format::short_commit;

use super::screen::Screen;

/// Writes the session in one line: start, plan, commit, CPU, and what it resolves.
pub fn write(out: &mut Screen, name: &str, judged: &Judged<'_>) {
    let (session, build) = (&judged.results.session, &judged.results.session.build);
    let commit = build.commit.as_deref().unwrap_or("no commit");
    let short = short_commit(commit);
    let dirty = if build.dirty { ", with changes" } else { "" };
    let stopped = if judged.results.end.is_none() { ", stopped before its end" } else { "" };
    let resolves = judged.trust.resolves();
    out.line(format!(
        "{name}  {}  plan {}  {short}{dirty}  {}{stopped}; {resolves}",
        session.started, session.plan, session.machine.cpu,
    ));
}
