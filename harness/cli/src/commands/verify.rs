//! `raywalk verify`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use raywalk_core::Position;
use raywalk_positions::{CorpusId, Store, epd, facts};
use serde_json::json;

use super::folders;
use super::output::{Format, progress_bar, write_json};
use crate::registry;
use crate::verify::{self, Candidate, Limits, Outcome};

/// Verify designs against published perft counts; exit code 1 if one is wrong
///
/// Checks perft counts, legal captures, legal quiets, and that captures and quiets together are all
/// moves. Without --epd it uses the bundled facts, 220 positions with their sources.
///
/// A line of an EPD file is a FEN followed by operations: `;D3 8902` is the number of leaves at depth 3,
/// `;C 8` of legal captures (including en passant and capturing promotions), `;Q 40` of legal quiets
/// (including castling and other promotions). Each promotion piece counts as a move. Text after the last
/// operation is the name of the position, and `#` begins a comment.
#[derive(clap::Args)]
pub(super) struct Verify {
    /// Check the facts of this EPD file instead of the bundled ones
    #[arg(long, value_name = "FILE")]
    epd: Vec<PathBuf>,
    /// Verify only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Skip depths above this
    #[arg(long, default_value_t = u32::MAX, value_name = "DEPTH", hide_default_value = true)]
    max_depth: u32,
    /// Skip counts above this
    #[arg(long, default_value_t = 5_000_000, value_name = "N")]
    max_nodes: u64,
    /// Also compare legal move sets with cozy-chess on the positions of this workload or corpus (`sp1`,
    /// `sp1-long`); `NAME:N` uses the first N
    #[arg(long, value_name = "NAME[:N]")]
    workload: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Verify {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entries = registry::matching(&self.design)?;
        let facts = self.facts()?;
        let workloads = self.workloads()?;
        let (mut candidates, mut missing) = (Vec::new(), Vec::new());
        for entry in entries {
            match entry.build() {
                Ok(design) => candidates.push(Candidate { card: &entry.card, design }),
                Err(feature) => missing.push((&entry.card, feature)),
            }
        }
        let chunks: usize = workloads.iter().map(|(_, list)| list.len().div_ceil(256)).sum();
        let steps = candidates.len() * (facts.len() + chunks);
        let bar = progress_bar("verifying {bar:40} {pos}/{len}, {eta} left", steps as u64);
        let tick = || bar.inc(1);
        let limits = Limits { nodes: self.max_nodes, depth: self.max_depth };
        let mut outcomes = verify::facts(&candidates, &facts, limits, &tick);
        for (name, positions) in &workloads {
            let further = verify::move_sets(&candidates, name, positions, &tick);
            outcomes.iter_mut().zip(further).for_each(|(outcome, further)| outcome.add(further));
        }
        bar.finish_and_clear();
        match self.format {
            Format::Table => {
                self.table(&candidates, &outcomes, out)?;
                for (card, feature) in missing {
                    writeln!(out, "{:<32} missing   it needs {feature}", card.id)?;
                }
            }
            Format::Json => json(&candidates, &outcomes, out)?,
        }
        let wrong = outcomes.iter().any(|outcome| outcome.mismatch.is_some());
        Ok(ExitCode::from(u8::from(wrong)))
    }

    fn facts(&self) -> Result<Vec<epd::Fact>> {
        if self.epd.is_empty() {
            return Ok(facts::perft().to_vec());
        }
        let mut facts = Vec::new();
        for file in &self.epd {
            let text = folders::read_text(file)?;
            facts.extend(epd::read(&text).with_context(|| file.display().to_string())?);
        }
        Ok(facts)
    }

    fn workloads(&self) -> Result<Vec<(String, Vec<Position>)>> {
        let store = Store::open_default();
        let load = |text: &String| {
            let (name, count) = match text.split_once(':') {
                Some((name, count)) => {
                    let count = count
                        .parse()
                        .with_context(|| format!("`{count}` in `{text}` is not a number"))?;
                    (name, count)
                }
                None => (text.as_str(), usize::MAX),
            };
            let positions = match CorpusId::NAMED.into_iter().find(|id| id.name() == name) {
                Some(id) => {
                    let corpus = store.corpus(id)?;
                    corpus.samples.iter().take(count).map(|sample| sample.position).collect()
                }
                None => store.workload(name)?.positions.iter().take(count).copied().collect(),
            };
            Ok((text.clone(), positions))
        };
        self.workload.iter().map(load).collect()
    }

    fn table(
        &self,
        candidates: &[Candidate<'_>],
        outcomes: &[Outcome],
        out: &mut dyn Write,
    ) -> Result<()> {
        for (number, (candidate, outcome)) in candidates.iter().zip(outcomes).enumerate() {
            let id = candidate.card.id;
            let Some(mismatch) = &outcome.mismatch else {
                let Outcome { checks, skipped, nodes, .. } = outcome;
                writeln!(
                    out,
                    "{id:<32} verified  {checks} checks, {nodes} leaves; {skipped} counts above {} skipped",
                    self.max_nodes
                )?;
                continue;
            };
            writeln!(out, "{id:<32} WRONG     {}: {}", mismatch.name, mismatch.position)?;
            writeln!(
                out,
                "  {}: expected {}, found {}",
                mismatch.question, mismatch.expected, mismatch.found
            )?;
            let others: Vec<_> =
                candidates[..number].iter().chain(&candidates[number + 1..]).collect();
            for line in verify::explain(&*candidate.design, mismatch, &others) {
                writeln!(out, "  {line}")?;
            }
        }
        Ok(())
    }
}

fn json(candidates: &[Candidate<'_>], outcomes: &[Outcome], out: &mut dyn Write) -> Result<()> {
    let rows: Vec<_> = candidates
        .iter()
        .zip(outcomes)
        .map(|(candidate, outcome)| {
            json!({
                "design": candidate.card.id,
                "right": outcome.mismatch.is_none(),
                "checks": outcome.checks,
                "skipped": outcome.skipped,
                "leaves": outcome.nodes,
                "mismatch": outcome.mismatch.as_ref().map(|mismatch| json!({
                    "name": mismatch.name,
                    "fen": mismatch.position.to_string(),
                    "question": mismatch.question.to_string(),
                    "expected": mismatch.expected,
                    "found": mismatch.found,
                })),
            })
        })
        .collect();
    write_json(out, &rows)
}
