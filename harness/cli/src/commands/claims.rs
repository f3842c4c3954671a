//! `raywalk claims`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use raywalk_judge::Judged;
use raywalk_judge::claims::{self, Claim, judge, judge_static};
use raywalk_measure::plan::Plan;
use raywalk_page::terminal;
use raywalk_results::pattern::is_match;
use raywalk_results::schema::{self, Status};

use super::run::{self, Flags, Measured};
use crate::output::{DocFormat, screen, write_json};
use crate::{folders, pages, registry};

mod json;
mod markdown;
mod plan;

/// Judge the claims of the literature by stored results, or measure what they need
///
/// A claim states in our words what its source claims, and which results would support or contradict it. A session
/// supports it, contradicts it, finds both sides equal, does not resolve it, or shows on which conditions it depends.
/// Without a result, the designs that the claims name are measured first.
#[derive(clap::Args)]
pub(super) struct Claims {
    /// Journals, or folders that contain a `journal.jsonl`; each is judged by itself
    #[arg(conflicts_with_all = MEASURING)]
    result: Vec<PathBuf>,
    /// List the claims with the results that support or contradict each, and their verdicts without a session
    #[arg(long, conflicts_with_all = MEASURING, conflicts_with = "result")]
    list: bool,
    /// Only these claims: an id, or a pattern such as `T1*`
    #[arg(long, value_name = "ID")]
    claim: Vec<String>,
    /// Plan to measure: `claims`, which contains what the claims need, `quick`, `full`, or a plan file
    /// [default: claims]
    #[arg(long, value_name = "FILE|NAME")]
    plan: Option<PathBuf>,
    /// Print the plan as a plan file, and exit
    #[arg(long, conflicts_with_all = ["seed", "layouts", "out", "resume", "format"])]
    print_plan: bool,
    #[command(flatten)]
    flags: Flags,
    /// Output format
    #[arg(long, value_enum, default_value_t = DocFormat::Table)]
    format: DocFormat,
}

/// The flags of a measurement.
const MEASURING: [&str; 6] = ["plan", "print_plan", "seed", "layouts", "out", "resume"];

impl Claims {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let claims = selected(claims::all(), &self.claim)?;
        if self.list {
            list(&claims, self.format, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        if !self.result.is_empty() {
            let sessions = folders::read_journals(&self.result)?;
            let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
            show(&judged, &claims, self.format, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        let is_other = |named: &&PathBuf| **named != Path::new(plan::NAME);
        let given =
            self.plan.as_ref().filter(is_other).map(|named| run::named(named)).transpose()?;
        if self.print_plan {
            let plan = given.map_or_else(|| plan::of(&claims), Ok)?;
            write!(out, "{}", plan.to_toml())?;
            return Ok(ExitCode::SUCCESS);
        }
        self.measure(given, &claims, out)
    }

    /// Measures, writes the page and judges.
    fn measure(
        self,
        given: Option<Plan>,
        claims: &[Claim],
        out: &mut dyn Write,
    ) -> Result<ExitCode> {
        let Claims { flags, format, .. } = self;
        // Standard output is for the verdicts alone.
        let (usual, err) = (|| plan::of(claims), &mut std::io::stderr());
        let Measured { folder, wrong } = run::measure(given, usual, plan::NAME, flags, err)?;
        let (journal, page) = (folder.join(folders::JOURNAL), folder.join(folders::PAGE));
        let journals = std::slice::from_ref(&journal);
        let sessions = pages::read(journals, None)?;
        let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
        pages::write(&judged, &page)?;
        show(&judged, claims, format, out)?;
        if format == DocFormat::Table {
            writeln!(out, "journal  {}\nreport   {}", journal.display(), page.display())?;
        }
        Ok(ExitCode::from(u8::from(wrong)))
    }
}

/// The claims that match one of the patterns; all if there is no pattern.
fn selected(claims: Vec<Claim>, patterns: &[String]) -> Result<Vec<Claim>> {
    let is_wanted = |claim: &Claim, pattern: &String| is_match(pattern, &claim.id);
    for pattern in patterns {
        if !claims.iter().any(|claim| is_wanted(claim, pattern)) {
            bail!("no claim is called `{pattern}`; `raywalk claims --list` shows all claims");
        }
    }
    let wanted = |claim: &Claim| {
        patterns.is_empty() || patterns.iter().any(|pattern| is_wanted(claim, pattern))
    };
    Ok(claims.into_iter().filter(wanted).collect())
}

/// The designs of the registry with their sizes. Nothing is verified.
fn sizes() -> Vec<schema::Design> {
    let record = |entry: &registry::Entry| {
        let bytes = entry.build().ok().map(|design| design.table_bytes());
        let why = "a session, which verifies it".to_owned();
        entry.record(bytes, Status::Missing { why })
    };
    registry::DESIGNS.iter().map(record).collect()
}

fn list(claims: &[Claim], format: DocFormat, out: &mut dyn Write) -> Result<()> {
    let designs = sizes();
    let judgements = judge_static(&designs, Plan::MARGIN, claims);
    match format {
        DocFormat::Table => {
            let mut text = screen();
            terminal::claims::list(&mut text, &judgements);
            out.write_all(text.as_str().as_bytes())?;
        }
        DocFormat::Json => write_json(out, &json::list(&judgements))?,
        DocFormat::Markdown => out.write_all(markdown::list(&judgements).as_bytes())?,
    }
    Ok(())
}

fn show(
    sessions: &[Judged<'_>],
    claims: &[Claim],
    format: DocFormat,
    out: &mut dyn Write,
) -> Result<()> {
    let judged: Vec<_> = sessions.iter().map(|session| (session, judge(session, claims))).collect();
    match format {
        DocFormat::Table => {
            let mut text = screen();
            for (place, (session, judgements)) in judged.iter().enumerate() {
                if place > 0 {
                    text.blank();
                }
                terminal::claims::write(&mut text, session, judgements);
            }
            out.write_all(text.as_str().as_bytes())?;
        }
        DocFormat::Json => {
            let sessions: Vec<_> =
                judged.iter().map(|(session, found)| json::Judged::of(session, found)).collect();
            write_json(out, &sessions)?;
        }
        DocFormat::Markdown => {
            for (session, judgements) in &judged {
                out.write_all(markdown::session(session, judgements).as_bytes())?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
