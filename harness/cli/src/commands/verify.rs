//! `raywalk verify`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use raywalk_core::{Card, Feature, Position};
use raywalk_judge::format::NONE;
use raywalk_measure::design::Failure::{self, Broken, Missing};
use raywalk_page::terminal::text_table::{Cell, TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};
use raywalk_positions::workload::Named;
use raywalk_positions::{CorpusId, Store, epd, facts};
use serde::Serialize;

use crate::arguments;
use crate::duration::in_words;
use crate::output::{Format, progress_bar, screen, write_json};
use crate::plugin::Plugins;
use crate::registry::Designs;
use crate::verify::{self, Candidate, Extent, Limits, Outcome, POSITION_WORK};

/// The largest count of the quick profile.
const QUICK_NODES: u64 = 50_000;
/// The largest count of the full profile.
const FULL_NODES: u64 = 5_000_000;

/// Verify designs against published perft counts; exit code 1 if one is wrong
///
/// Checks perft counts, legal captures, legal quiets, and that captures and quiets together are all
/// moves. Without --epd it uses the bundled facts, 220 positions with their sources: in the quick
/// profile counts up to 50,000 leaves, which takes about a minute for all designs on two slow cores, and
/// with --full counts up to 5,000,000, which takes three quarters of an hour there. From the fourth ply
/// on, built-in pseudo-legal designs make only those last moves whose legality is not seen before, and
/// count the other legal ones. Counts of your own files, and any limit that is given, imply --full.
///
/// A line of an EPD file is a FEN or `startpos`, followed by operations: `;D3 8902` is the number of
/// leaves at depth 3, `;C 8` of legal captures (including en passant and capturing promotions), `;Q 40`
/// of legal quiets (including castling and other promotions). Each promotion piece counts as a move. The
/// name of the position is the text after the last operation (`;D1 20 ;start` or `;D1 20 start`) or
/// `id "start"`. Other operations of the EPD standard are skipped. `#` begins a comment line.
#[derive(clap::Args)]
pub(super) struct Verify {
    /// Check the facts of this EPD file instead of the bundled ones; `-` is standard input
    #[arg(long, value_name = "FILE")]
    epd: Vec<PathBuf>,
    /// Verify only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    #[command(flatten)]
    plugins: Plugins,
    /// Also check the bundled counts from 50,000 to 5,000,000 leaves: three quarters of an hour for all
    /// designs on two slow cores
    #[arg(long)]
    full: bool,
    /// Skip depths above this
    #[arg(long, value_name = "DEPTH")]
    max_depth: Option<u32>,
    /// Skip counts above this [default: 50000, with --full 5000000]
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// Also compare legal move sets with cozy-chess on the positions of this workload, corpus (`sp1`,
    /// `sp1-long`) or file (FEN, EPD or PGN; `-` is standard input); `NAME:N` uses the first N
    #[arg(long, value_name = "NAME|FILE[:N]")]
    workload: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Verify {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entries = Designs::with(&self.plugins)?.beside_plugins(&self.design)?;
        let lists: Vec<List> =
            self.workload.iter().map(|text| List::named(text)).collect::<Result<_>>()?;
        let limits = self.limits();
        let facts = self.facts(limits)?;
        let (mut candidates, mut missing) = (Vec::new(), Vec::new());
        for entry in entries {
            match entry.build() {
                Ok(design) => candidates.push(Candidate { card: &entry.card, design }),
                Err(feature) => missing.push((&entry.card, feature)),
            }
        }
        if let ([], [(card, feature), ..]) = (&candidates[..], &missing[..]) {
            bail!("nothing to verify: {} needs {feature}", card.id);
        }
        let store = Store::open_default();
        let workloads: Vec<_> =
            lists.iter().map(|list| list.positions(&store)).collect::<Result<_>>()?;

        let extent = limits.extent(&facts);
        let positions: u64 = workloads.iter().map(|list| list.len() as u64).sum();
        let work = (extent.work + POSITION_WORK * positions) * candidates.len() as u64;
        let bar = progress_bar("verifying {bar:40} {percent} %, {eta} left", work);
        let tick = |work| bar.inc(work);
        let start = Instant::now();
        let mut outcomes = verify::facts(&candidates, &facts, limits, &tick);
        let took = start.elapsed();
        for (list, positions) in lists.iter().zip(&workloads) {
            let further = verify::move_sets(&candidates, list.text, positions, &tick);
            outcomes.iter_mut().zip(further).for_each(|(outcome, further)| outcome.add(further));
        }
        bar.finish_and_clear();
        // Answers of a design that has failed are discarded.
        for (candidate, outcome) in candidates.iter().zip(&mut outcomes) {
            if failure_of(candidate).is_some() {
                *outcome = Outcome::default();
            }
        }
        match self.format {
            Format::Table => {
                let mut text = screen();
                table(&candidates, &outcomes, &missing, &mut text);
                if self.is_quick() {
                    let full = Limits { nodes: FULL_NODES, ..limits }.extent(&facts);
                    write_quick(extent, full, took, &mut text);
                }
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => {
                let rows = candidates.iter().zip(&outcomes).map(Row::of);
                let rows: Vec<_> = rows.chain(missing.iter().map(Row::missing)).collect();
                write_json(out, &rows)?;
            }
        }
        let broke = |candidate: &Candidate<'_>| matches!(failure_of(candidate), Some(Broken(_)));
        let wrong = outcomes.iter().any(|outcome| outcome.mismatch.is_some())
            || candidates.iter().any(broke);
        Ok(ExitCode::from(u8::from(wrong)))
    }

    /// The quick profile is for the bundled facts. A count or a limit that the user states is always checked.
    fn is_quick(&self) -> bool {
        !self.full && self.epd.is_empty() && self.max_depth.is_none() && self.max_nodes.is_none()
    }

    fn limits(&self) -> Limits {
        let nodes = if self.is_quick() { QUICK_NODES } else { FULL_NODES };
        Limits { nodes: self.max_nodes.unwrap_or(nodes), depth: self.max_depth.unwrap_or(u32::MAX) }
    }

    /// The facts of all files. Fails if a file has no count within the limits, because a check that
    /// checks nothing must not pass.
    fn facts(&self, limits: Limits) -> Result<Vec<epd::Fact>> {
        if self.epd.is_empty() {
            let facts = facts::perft().to_vec();
            something_to_check(&facts, limits).context("the bundled facts")?;
            return Ok(facts);
        }
        let mut facts = Vec::new();
        for file in &self.epd {
            let name = || {
                let input = file == Path::new("-");
                if input { "standard input".to_owned() } else { file.display().to_string() }
            };
            let read = epd::read(&arguments::text(file)?).with_context(name)?;
            something_to_check(&read, limits).with_context(name)?;
            facts.extend(read);
        }
        Ok(facts)
    }
}

fn something_to_check(facts: &[epd::Fact], limits: Limits) -> Result<()> {
    let Extent { counts, skipped, .. } = limits.extent(facts);
    ensure!(!facts.is_empty(), "nothing to verify: there is no position");
    ensure!(
        counts + skipped > 0,
        "nothing to verify: no line gives a count, such as `;D1 20`, `;C 8` or `;Q 40`"
    );
    ensure!(
        counts > 0,
        "nothing to verify: every count is above the limits; raise --max-nodes or --max-depth"
    );
    Ok(())
}

/// A list of positions that is named on the command line.
struct List<'a> {
    text: &'a str,
    /// How many of its positions.
    count: usize,
    source: Listed,
}

/// Source of the positions of a list.
enum Listed {
    Corpus(CorpusId),
    Workload(Named),
}

impl List<'_> {
    /// Parses `NAME`, `NAME:N` or the same with a path, and checks the name, without loading positions.
    fn named(text: &str) -> Result<List<'_>> {
        let (name, count) = match text.rsplit_once(':') {
            Some((name, count)) if !is_path(text) || is_number(count) => {
                let number = count.parse().ok().filter(|&count| count > 0);
                let wrong = || format!("`{count}` in `{text}` is not a number above 0");
                (name, number.with_context(wrong)?)
            }
            _ => (text, usize::MAX),
        };
        let corpus = CorpusId::NAMED.into_iter().find(|id| id.name() == name);
        let source = match corpus {
            Some(id) => Listed::Corpus(id),
            None => Listed::Workload(Named::find(name)?),
        };
        Ok(List { text, count, source })
    }

    fn positions(&self, store: &Store) -> Result<Vec<Position>> {
        Ok(match &self.source {
            Listed::Corpus(id) => {
                let corpus = store.corpus(*id)?;
                corpus.samples.iter().take(self.count).map(|sample| sample.position).collect()
            }
            Listed::Workload(named) => {
                let workload = store.named(named)?;
                workload.positions.iter().take(self.count).copied().collect()
            }
        })
    }
}

/// Whether a text with a colon is a path, such as `C:\\games.pgn`.
fn is_path(text: &str) -> bool {
    matches!(Named::find(text), Ok(Named::File(_)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes one row per design, and below the table what is wrong.
fn table(
    candidates: &[Candidate<'_>],
    outcomes: &[Outcome],
    missing: &[(&Card, Feature)],
    out: &mut Screen,
) {
    let mut table = TextTable::new([
        text("design"),
        text("verdict"),
        number("checks"),
        number("leaves"),
        number("skipped"),
    ]);
    for (candidate, Outcome { checks, skipped, nodes, mismatch }) in candidates.iter().zip(outcomes)
    {
        let verdict = match (failure_of(candidate), mismatch) {
            (Some(Broken(_)), _) => Cell::toned("BROKEN", Tone::Bad),
            (Some(Missing(_)), _) => Cell::toned("cannot run here", Tone::Warning),
            (None, None) => Cell::toned("verified", Tone::Good),
            (None, Some(_)) => Cell::toned("WRONG", Tone::Bad),
        };
        let [checks, leaves, skipped] = [checks, nodes, skipped].map(|n| n.to_string().into());
        table.row([candidate.card.id.to_owned().into(), verdict, checks, leaves, skipped]);
    }
    for (card, feature) in missing {
        let verdict = Cell::toned(format!("needs {feature}"), Tone::Warning);
        let none = || Cell::from(NONE.to_owned());
        table.row([card.id.to_owned().into(), verdict, none(), none(), none()]);
    }
    table.write(out);
    for (number, (candidate, outcome)) in candidates.iter().zip(outcomes).enumerate() {
        let id = candidate.card.id;
        if let Some(Broken(why) | Missing(why)) = failure_of(candidate) {
            out.blank();
            out.toned(format!("{id} {why}"), Tone::Bad);
            continue;
        }
        let Some(mismatch) = &outcome.mismatch else { continue };
        let name = &mismatch.name;
        let (question, expected, found) = (&mismatch.question, mismatch.expected, mismatch.found);
        out.blank();
        out.toned(format!("{id} is wrong in {name}"), Tone::Bad);
        out.line(format!("  {}", mismatch.position));
        out.line(format!("  {question}: expected {expected}, found {found}"));
        let others: Vec<_> = candidates[..number].iter().chain(&candidates[number + 1..]).collect();
        for line in verify::explain(&*candidate.design, mismatch, &others) {
            out.line(format!("  {line}"));
        }
    }
}

/// Why a candidate that ran in another process failed.
fn failure_of(candidate: &Candidate<'_>) -> Option<Failure> {
    candidate.design.failure()
}

/// Prints what the quick profile left out. `took` is the time of this verification.
fn write_quick(quick: Extent, full: Extent, took: Duration, out: &mut Screen) {
    let further = took.mul_f64(full.work as f64 / quick.work as f64);
    out.line(format!(
        "Quick profile, {}. --full adds {} counts from {QUICK_NODES} to {FULL_NODES} leaves to the {} of \
         each design and takes about {}.",
        in_words(took),
        full.counts - quick.counts,
        quick.counts,
        in_words(further)
    ));
}

/// One design in the JSON output; `docs/json.md` describes it.
#[derive(Serialize)]
struct Row<'a> {
    design: &'a str,
    verified: bool,
    checks: u64,
    skipped: u64,
    leaves: u64,
    mismatch: Option<WrongAnswer<'a>>,
    missing: Option<String>,
    broken: Option<String>,
}

#[derive(Serialize)]
struct WrongAnswer<'a> {
    name: &'a str,
    fen: String,
    question: String,
    expected: u64,
    found: u64,
}

impl<'a> Row<'a> {
    fn of((candidate, outcome): (&Candidate<'a>, &'a Outcome)) -> Row<'a> {
        let (missing, broken) = match failure_of(candidate) {
            Some(Missing(why)) => (Some(why), None),
            Some(Broken(why)) => (None, Some(why)),
            None => (None, None),
        };
        Row {
            design: candidate.card.id,
            verified: outcome.mismatch.is_none() && missing.is_none() && broken.is_none(),
            checks: outcome.checks,
            skipped: outcome.skipped,
            leaves: outcome.nodes,
            mismatch: outcome.mismatch.as_ref().map(|mismatch| WrongAnswer {
                name: &mismatch.name,
                fen: mismatch.position.to_string(),
                question: mismatch.question.to_string(),
                expected: mismatch.expected,
                found: mismatch.found,
            }),
            missing,
            broken,
        }
    }

    fn missing(&(card, feature): &(&'a Card, Feature)) -> Row<'a> {
        Row {
            design: card.id,
            verified: false,
            checks: 0,
            skipped: 0,
            leaves: 0,
            mismatch: None,
            missing: Some(feature.to_string()),
            broken: None,
        }
    }
}
