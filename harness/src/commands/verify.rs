//! `raywalk verify`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use raywalk_positions::{CorpusId, Store, epd, facts};
use serde_json::json;

use super::Format;
use crate::registry;
use crate::verify::{self, Candidate, Limits, Outcome};

/// Prove designs right: published perft counts, legal captures and quiets, the stage contract
///
/// Without --epd: the bundled facts, 220 positions with their sources. A line of an EPD file is a
/// FEN and operations: `;D3 8902` leaves at depth 3, `;C 8` legal captures (en passant and capturing
/// promotions too), `;Q 40` legal quiets (castling and other promotions too), each promotion piece
/// counted; text behind the last operation is the position's name, `#` begins a comment.
///
/// Exit code 1 if any design was wrong.
#[derive(clap::Args)]
pub struct Verify {
    /// Facts to check instead of the bundled ones
    #[arg(long, value_name = "FILE")]
    epd: Vec<PathBuf>,
    /// Only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long)]
    design: Vec<String>,
    /// Skip depths beyond this
    #[arg(long, default_value_t = u32::MAX, value_name = "DEPTH", hide_default_value = true)]
    max_depth: u32,
    /// Skip counts above this
    #[arg(long, default_value_t = 5_000_000, value_name = "N")]
    max_nodes: u64,
    /// Compare legal move sets with cozy-chess too, over the positions of this workload or corpus
    /// (`sp1`, `sp1-long`); `NAME:N` takes the first N
    #[arg(long, value_name = "NAME[:N]")]
    workload: Vec<String>,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Verify {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
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
        let bar = bar(candidates.len() * (facts.len() + chunks));
        let tick = || bar.inc(1);
        let limits = Limits { nodes: self.max_nodes, depth: self.max_depth };
        let mut outcomes = verify::facts(&candidates, &facts, limits, &tick);
        for (name, positions) in &workloads {
            let more = verify::move_sets(&candidates, name, positions, &tick);
            outcomes.iter_mut().zip(more).for_each(|(outcome, more)| outcome.add(more));
        }
        bar.finish_and_clear();
        match self.format {
            Format::Table => self.table(&candidates, &outcomes, out)?,
            Format::Json => as_json(&candidates, &outcomes, out)?,
        }
        if self.format == Format::Table {
            for (card, feature) in missing {
                writeln!(out, "{:<32} missing   it needs {feature}", card.id)?;
            }
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
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            facts.extend(epd::read(&text).with_context(|| file.display().to_string())?);
        }
        Ok(facts)
    }

    fn workloads(&self) -> Result<Vec<(String, Vec<raywalk_core::Position>)>> {
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
                    "{id:<32} right     {checks} checks, {nodes} leaves; {skipped} counts skipped (above {})",
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

fn as_json(candidates: &[Candidate<'_>], outcomes: &[Outcome], out: &mut dyn Write) -> Result<()> {
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
    serde_json::to_writer_pretty(&mut *out, &rows)?;
    writeln!(out)?;
    Ok(())
}

/// A bar with the time left, where somebody can see it.
fn bar(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("verifying {bar:40} {pos}/{len}, {eta} left");
    ProgressBar::new(steps as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
