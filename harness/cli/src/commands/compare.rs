//! `raywalk compare`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use raywalk_judge::Judged;
use raywalk_judge::compare::{Question, compare, format_difference, unlike};
use raywalk_judge::format::list;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::journal::Results;
use raywalk_results::pattern::is_match;
use raywalk_results::schema::Panel;

use crate::folders;
use crate::output::{DocFormat, screen, write_json};

mod counted;
mod json;

/// [`Plan::MARGIN`](raywalk_measure::plan::Plan::MARGIN), the default equality margin of plans.
const GATE: &str = "1%";

/// Compare two results, design by design; exit code 1 if B has a significant regression
///
/// Each design is divided by a baseline of the same session, and the ratios of A and B are compared, so that a
/// slowdown of a whole session cancels out. A change counts if it exceeds the floor and the spread of both sessions
/// over their processes and layouts. The ratio of the times is shown next to it as the weaker number. Results of
/// different processors, corpora, compilers or flags are rejected.
///
/// With two files of `raywalk trace --format json`, the executed instructions of each design are compared. They are
/// exact, so every increase beyond --gate is a regression, and --gate 0% finds a single instruction.
#[derive(clap::Args)]
pub(super) struct Compare {
    /// Older result: a journal, a folder that contains a `journal.jsonl`, or the counts of a trace
    a: PathBuf,
    /// Newer result
    b: PathBuf,
    /// Equality margin of the comparison, instead of those of the plans: smaller changes are equal, and a regression is
    /// a slowdown significantly beyond it
    #[arg(long, value_name = "PERCENT", value_parser = share, default_value = GATE)]
    gate: f64,
    /// Compare only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Baseline design [default: that of each panel, unless it changed itself]
    #[arg(long, value_name = "ID")]
    baseline: Option<String>,
    /// Compare results that differ in processor, corpora, compiler or flags, and mark every line
    #[arg(long)]
    force: bool,
    /// Also write a page of both results with the changes
    #[arg(long, value_name = "FILE", conflicts_with = "force")]
    page: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = DocFormat::Table)]
    format: DocFormat,
}

impl Compare {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let patterns = &self.design;
        let selects =
            |id: &str| patterns.is_empty() || patterns.iter().any(|pattern| is_match(pattern, id));
        let paths = [self.a, self.b];
        match [&paths[0], &paths[1]].map(|path| counted::is_trace(path)) {
            [false, false] => {}
            [true, true] => {
                ensure!(
                    self.baseline.is_none() && !self.force && self.page.is_none(),
                    "counts need no --baseline, no --force and no --page: they are exact, and those of other positions \
                     are refused"
                );
                let regressed =
                    counted::run([&paths[0], &paths[1]], self.gate, &selects, self.format, out)?;
                return Ok(ExitCode::from(u8::from(regressed)));
            }
            [first, _] => {
                let [counts, session] = if first { [0, 1] } else { [1, 0] };
                // A file that is missing or no journal is refused in its own words.
                folders::read_journal(&paths[session])?;
                bail!(
                    "{} has the counts of a trace, and {} is a session; compare two of a kind",
                    paths[counts].display(),
                    paths[session].display()
                );
            }
        }
        let sessions = folders::read_journals(&paths)?;
        let (a, b) = (&sessions[0], &sessions[1]);
        let unlike = unlike(a, b);
        if !self.force && !unlike.is_empty() {
            let differences: Vec<String> = unlike.iter().map(format_difference).collect();
            bail!(
                "these results are not comparable: {}; --force compares them anyway and marks every line",
                list(&differences)
            );
        }
        let baseline = self.baseline.as_deref();
        if let Some(id) = baseline {
            let has = |results: &Results| results.panels.iter().any(|one| measured(&one.panel, id));
            ensure!(has(a) && has(b), "the baseline `{id}` was not measured in both results");
        }
        let question = Question { selects: &selects, baseline, margin: self.gate };
        let comparison = compare(a, b, &question);
        ensure!(
            comparison.panels.iter().any(|panel| !panel.rows.is_empty()),
            "the two results have no panel in common that measured these designs"
        );
        let mut rows = comparison.panels.iter().flat_map(|panel| &panel.rows);
        ensure!(
            rows.clone().any(|row| row.relative.is_some()),
            "nothing to compare: each panel has only its baseline among these designs"
        );
        ensure!(
            rows.any(|row| row.verdict.is_some()),
            "nothing can be judged: every panel has too few rounds in one of the results; make longer \
             sessions"
        );
        let judged = [Judged::of(a), Judged::of(b)];
        if let Some(file) = &self.page {
            folders::write(file, &raywalk_page::compared(&judged, &comparison))?;
        }
        let [a, b] = &judged;
        match texts(self.format) {
            Some(mut text) => {
                terminal::compare::write(&mut text, [a, b], &unlike, &comparison);
                out.write_all(text.as_str().as_bytes())?;
            }
            None => write_json(out, &json::Document::of([a, b], &unlike, &comparison))?,
        }
        Ok(ExitCode::from(u8::from(comparison.regressions().next().is_some())))
    }
}

/// An empty text of a format for people; `None` for JSON.
fn texts(format: DocFormat) -> Option<Screen> {
    match format {
        DocFormat::Table => Some(screen()),
        DocFormat::Markdown => Some(Screen::markdown()),
        DocFormat::Json => None,
    }
}

fn measured(panel: &Panel, id: &str) -> bool {
    panel.designs.iter().any(|design| design == id)
}

/// Parses a percentage such as `2%` or `0.5 %` into a share.
fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
    number
        .filter(|percent| (0.0..1000.0).contains(percent))
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "expected a percentage such as 2%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_measure::plan::Plan;

    #[test]
    fn a_gate_is_a_percentage() {
        assert_eq!([share("2%"), share("0.5 %"), share("0%")], [Ok(0.02), Ok(0.005), Ok(0.0)]);
        for wrong in ["2", "0.02", "-1%", "%", "NaN%", "inf%", "two%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        assert_eq!(share(GATE), Ok(Plan::MARGIN));
    }
}
