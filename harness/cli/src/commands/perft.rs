//! `raywalk perft`.

use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow, bail, ensure};
use clap::ValueEnum;
use raywalk_core::{Leaves, Legality, Move, Position};
use raywalk_judge::format::plural;
use raywalk_measure::design::{Design, Failure, PerftOptions, PerftTable};
use raywalk_measure::machine::memory;
use raywalk_positions::oracle;
use raywalk_results::schema::Stage;
use raywalk_trace::{TraceError, Tracer};
use serde::Serialize;

use crate::console::External;
use crate::divide::{Style, divided, play, total, write_divide};
use crate::interrupt::quoted;
use crate::output::{Format, write_json};
use crate::perft_jobs::{self, Sum};
use crate::plugin::Plugins;
use crate::registry::Designs;
use crate::{arguments, registry};

/// The default design of `--count bulk`, which needs legal moves.
const LEGAL: &str = "legal/hyperbola";

/// Count the legal move sequences of DEPTH plies
///
/// `--divide` prints the format of Stockfish's `go perft`; sort both outputs to compare them. `--style
/// perftree` prints the format of the program perftree, which runs `raywalk perftree`.
///
/// `--split` prints one command for each position some plies below the root. They may run in any order on any
/// machine; `--sum` adds their output, and fails if an answer is missing or occurs twice.
#[derive(clap::Args)]
pub(super) struct Perft {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Root position; `startpos`, or `-` for a FEN on standard input
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Moves to play before counting, in coordinate notation
    #[arg(long, num_args = 1.., value_delimiter = ' ')]
    moves: Vec<String>,
    /// Design that generates the moves [default: that of --plugin, else bitboard/hyperbola, with
    /// `--count bulk` legal/hyperbola]
    #[arg(long)]
    design: Option<String>,
    #[command(flatten)]
    plugins: Plugins,
    /// Print one count per root move
    #[arg(long)]
    divide: bool,
    /// Output format of --divide, which it implies
    #[arg(long, value_enum, conflicts_with = "format")]
    style: Option<Style>,
    /// How to count leaves
    #[arg(long, value_enum, default_value_t = Count::Make)]
    count: Count,
    /// Size of the hash table in MiB; without it none is used
    #[arg(long, value_name = "MIB", conflicts_with_all = ["divide", "style"], value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: Option<u32>,
    /// Threads that count at the same time; they share the hash table
    #[arg(long, default_value_t = 1, value_name = "NUMBER", conflicts_with_all = ["divide", "style", "split"], value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Print the number of executed instructions in place of the time; each instruction is stepped, which takes some
    /// 10 µs, so use small depths
    #[arg(long, conflicts_with_all = ["divide", "style", "hash", "split", "threads"])]
    instructions: bool,
    /// Print commands that count below the positions this many plies below the root, and count nothing
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["divide", "style"], value_parser = clap::value_parser!(u32).range(1..=6))]
    split: Option<u32>,
    /// Add the output of all commands of --split from this file, `-` for standard input
    #[arg(long, value_name = "FILE", requires = "split")]
    sum: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Count {
    /// Add the number of moves of the last ply without making them; needs a design that generates legal moves
    Bulk,
    /// Make and unmake every leaf
    Make,
}

impl Count {
    fn name(self) -> &'static str {
        match self {
            Count::Bulk => "bulk",
            Count::Make => "make",
        }
    }
}

/// The leaves below one root move.
#[derive(Serialize)]
struct Row {
    r#move: String,
    leaves: u64,
}

/// The answer in JSON; `docs/json.md` describes it.
#[derive(Serialize)]
struct Answer {
    design: &'static str,
    fen: String,
    depth: u32,
    count: &'static str,
    hash_mib: Option<u32>,
    threads: u32,
    leaves: u64,
    seconds: f64,
    instructions: Option<u64>,
    divide: Option<Vec<Row>>,
}

impl Perft {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let designs = Designs::with(&self.plugins)?;
        let entry = match (self.design.as_deref(), self.count) {
            (None, _) if !self.plugins.files.is_empty() => designs.only_plugin()?,
            (None, Count::Bulk) => designs.named(LEGAL)?,
            (None, Count::Make) => designs.named(registry::REFERENCE)?,
            (Some(design), _) => designs.named(design)?,
        };
        let id = entry.card.id;
        let leaves = match self.count {
            Count::Make => Leaves::Made,
            Count::Bulk if entry.card.legality == Legality::Pseudo => bail!(
                "--count bulk needs a legal design, and {id} generates pseudo-legal moves; use \
                 --design {LEGAL}"
            ),
            Count::Bulk => Leaves::Bulk,
        };
        ensure!(
            self.hash.is_none() || entry.plugin().is_none(),
            "--hash needs a built-in design, and {id} is a plug-in"
        );
        ensure!(
            self.threads == 1 || entry.plugin().is_none(),
            "--threads needs a built-in design, and {id} is a plug-in"
        );
        ensure!(
            !self.instructions || entry.plugin().is_none(),
            "--instructions needs a built-in design, and {id} is a plug-in"
        );
        let design = entry.built()?;
        // A plug-in plays no moves before it counts, because it may fail.
        let player = registry::named(registry::REFERENCE)?.built()?;
        let position = play(&*player, arguments::position(&self.fen)?, &self.moves)?;
        if let Some(plies) = self.split {
            return self.in_jobs(&*player, id, &position, plies, out);
        }
        // The machines that run the printed jobs need the memory, and not the one that prints them.
        if let Some(mebibytes) = self.hash {
            memory_for_table(mebibytes)?;
        }
        if entry.plugin().is_some() && self.depth > 0 {
            moves_exist(&*design, id, &position)?;
        }
        if self.instructions {
            let (sum, instructions) = stepped(&*design, &position, self.depth, leaves)?;
            self.answer(id, &position, sum, Some(instructions), None, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        let start = Instant::now();
        let rows = (self.divide || self.style.is_some())
            .then(|| divided(&*design, &position, self.depth, leaves));
        let nodes = match &rows {
            Some(rows) => total(rows, self.depth),
            None => {
                let table = self.hash.map(|mebibytes| PerftTable::new(mebibytes as usize));
                let options = PerftOptions { leaves, table: table.as_ref() };
                match self.threads {
                    1 => design.perft(&position, self.depth, options),
                    threads => {
                        perft_jobs::in_threads(&*design, &position, self.depth, options, threads)?
                    }
                }
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        if let Some(Failure::Missing(why) | Failure::Broken(why)) = design.failure() {
            bail!(External(format!("{id} {why}")));
        }
        match (self.format, rows) {
            (Format::Table, Some(rows)) => {
                let style = self.style.unwrap_or(Style::Stockfish);
                write_divide(&rows, nodes, style, out)?;
            }
            (_, rows) => {
                self.answer(id, &position, Sum { leaves: nodes, seconds }, None, rows, out)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Writes one line, or the JSON. If instructions were counted, the time is that of their steps and means nothing.
    fn answer(
        &self,
        design: &'static str,
        position: &Position,
        Sum { leaves, seconds }: Sum,
        instructions: Option<u64>,
        rows: Option<Vec<(Move, u64)>>,
        out: &mut dyn Write,
    ) -> Result<()> {
        if self.format == Format::Json {
            let row = |&(mv, leaves): &(Move, u64)| Row { r#move: mv.to_string(), leaves };
            let answer = Answer {
                design,
                fen: position.to_string(),
                depth: self.depth,
                count: self.count.name(),
                hash_mib: self.hash,
                threads: self.threads,
                leaves,
                seconds,
                instructions,
                divide: rows.map(|rows| rows.iter().map(row).collect()),
            };
            return write_json(out, &answer);
        }
        if let Some(instructions) = instructions {
            writeln!(
                out,
                "{leaves} leaves at depth {} ({design}, {}, {instructions} instructions, {:.2} a leaf)",
                self.depth,
                self.count.name(),
                instructions as f64 / leaves.max(1) as f64
            )?;
            return Ok(());
        }
        let rate = leaves as f64 / seconds.max(1e-9) / 1e6;
        let mut mode = match self.hash {
            Some(mebibytes) => format!("hashed, {mebibytes} MiB"),
            None => self.count.name().to_owned(),
        };
        if self.threads > 1 {
            mode.push_str(&format!(", {}", plural(self.threads as usize, "thread")));
        }
        writeln!(
            out,
            "{leaves} leaves at depth {} ({design}, {mode}, {seconds:.3} s, {rate:.1} million/s)",
            self.depth
        )?;
        Ok(())
    }

    /// Prints the jobs, or adds their answers.
    fn in_jobs(
        &self,
        player: &dyn Design,
        id: &'static str,
        root: &Position,
        plies: u32,
        out: &mut dyn Write,
    ) -> Result<ExitCode> {
        let Some(depth) = self.depth.checked_sub(plies) else {
            bail!("--split {plies} is deeper than depth {}", self.depth);
        };
        let jobs = perft_jobs::split(player, root, plies);
        if let Some(answers) = &self.sum {
            let answers = arguments::text(answers)?;
            let asked = perft_jobs::Asked { design: id, count: self.count.name(), depth };
            let sum = perft_jobs::sum(&jobs, asked, &answers)?;
            self.answer(id, root, sum, None, None, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        let count = self.count.name();
        let hash = self.hash.map_or(String::new(), |mebibytes| format!(" --hash {mebibytes}"));
        let plugin = |file: &PathBuf| format!(" --plugin {}", quoted(file));
        let plugins: String = self.plugins.files.iter().map(plugin).collect();
        for job in &jobs {
            writeln!(
                out,
                "raywalk perft {depth} --fen '{}'{plugins} --design {id} --count {count}{hash} --format json",
                job.position
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Counts with the trap flag set: the sum, and the number of instructions.
fn stepped(
    design: &dyn Design,
    position: &Position,
    depth: u32,
    leaves: Leaves,
) -> Result<(Sum, u64)> {
    /// The longest count: a minute of steps, and 0.6 GB for what is recorded of them.
    const LONGEST: usize = 1 << 22;
    /// The function whose call is stepped: a count with the root set up.
    #[inline(never)]
    fn count(design: &dyn Design, position: &Position, depth: u32, leaves: Leaves) -> u64 {
        black_box(design.perft(position, depth, PerftOptions { leaves, table: None }))
    }
    let start = Instant::now();
    let mut found = 0;
    let mut tracer = Tracer::with_capacity((count as *const ()).addr(), LONGEST)?;
    let trace = tracer.step(|| found = count(design, position, depth, leaves)).map_err(
        |error| match error {
            TraceError::TooLong(most) => anyhow!(
                "depth {depth} executes more than {most} instructions, the most that are stepped; \
                     choose a smaller depth"
            ),
            error => error.into(),
        },
    )?;
    let sum = Sum { leaves: found, seconds: start.elapsed().as_secs_f64() };
    Ok((sum, trace.path.len() as u64))
}

/// Fails if a plug-in generates nothing where there are legal moves: it may have refused the FEN.
fn moves_exist(design: &dyn Design, id: &str, position: &Position) -> Result<()> {
    let legal = oracle::legal_moves(position).map_or(0, |moves| moves.len());
    if legal > 0 && design.generated(position, Stage::All).is_empty() && design.failure().is_none()
    {
        let legal = plural(legal, "legal move");
        bail!(External(format!("{id} refuses {position} or generates none of its {legal}")));
    }
    Ok(())
}

/// Checks that a hash table fits into the memory of this machine. A failed allocation would abort the
/// program, and a table that does not fit would have it killed while it fills.
fn memory_for_table(mebibytes: u32) -> Result<()> {
    // The table takes the largest power of two that fits.
    let needed = 1u64 << mebibytes.max(1).ilog2();
    if let Some(available) = memory::available().map(|bytes| bytes >> 20) {
        ensure!(
            needed <= available,
            "--hash {mebibytes} is too large: {available} MiB of memory are available"
        );
    }
    // A limit of the process can be lower, and other systems have no /proc.
    let reserved = usize::try_from(needed << 20)
        .is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    ensure!(
        reserved,
        "--hash {mebibytes} is too large: the system does not grant {needed} MiB of memory"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_design_of_bulk_counts_is_legal() {
        let entry = registry::named(LEGAL).expect("a design");
        assert_eq!(entry.card.legality, Legality::Legal);
        assert!(entry.card.needs.is_empty(), "it must run on every machine");
    }

    #[test]
    fn a_hash_table_larger_than_the_memory_is_refused() {
        assert!(memory_for_table(1).is_ok());
        // No machine has two pebibytes.
        let error = memory_for_table(u32::MAX).expect_err("too large").to_string();
        assert!(error.starts_with("--hash 4294967295 is too large: "), "{error}");
    }
}
