//! `raywalk trace`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::builder::RangedU64ValueParser;
use raywalk_positions::recording::RecordedTree;
use raywalk_positions::workload::Named;
use raywalk_positions::{Store, Workload};
use raywalk_results::schema::Stage;
use raywalk_trace::program_file;

use crate::arguments;
use crate::console::note;
use crate::output::{Format, progress_bar, screen, write_json};
use crate::registry::{self, Entry};
use crate::trace::{Names, Sample, Traced, entry_of, trace};

mod json;
mod table;

/// Count the instructions that designs execute, and how often each branch is taken; x86-64 Linux
///
/// Runs the compiled entry of each design and records every instruction: by stepping, and with breakpoints
/// on branches. Both must agree; exit code 1 if they do not. The counts are exact and repeat to the last
/// digit; nothing is timed. Breakpoints take about 2 µs per branch and steps 3 to 10 µs per instruction:
/// 40 positions of all designs take about a minute.
///
/// Loads and stores include those of calls and returns. A visited square is one that a slider, knight or
/// king of the side to move looks at: on each ray up to and including the first piece. Data lines are cache
/// lines of 64 bytes that the loads and stores of one call touch, its stack included. Entropy is that of the
/// next address, in bits per execution: 0 for a branch that always goes the same way, 1 for a fair coin.
/// With a single design, its branches are listed by source line.
#[derive(clap::Args)]
pub(super) struct Trace {
    /// Trace only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Positions to trace: a workload or a file (FEN, EPD or PGN); `-` is standard input
    #[arg(long, value_name = "NAME|FILE", default_value = "ab4")]
    workload: Vec<String>,
    /// Stages to trace
    #[arg(
        long,
        value_parser = arguments::names(Stage::ALL, Stage::name),
        default_value = Stage::All.name()
    )]
    stage: Vec<Stage>,
    /// Trace at most this many positions, evenly spread over the workload
    #[arg(
        long,
        value_name = "N",
        default_value_t = 40,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000)
    )]
    max_positions: usize,
    /// Step through this many of them, evenly spread, and use breakpoints for the others; data lines come
    /// from stepped positions
    #[arg(
        long,
        value_name = "N",
        default_value_t = 40,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000)
    )]
    steps: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// A design in one workload and one stage.
struct Row<'a> {
    entry: &'static Entry,
    list: &'a List,
    stage: Stage,
    /// The counts, or the CPU feature that the machine lacks.
    traced: Result<Traced, raywalk_core::Feature>,
}

/// A workload with the positions to trace.
struct List {
    name: String,
    /// Number of positions of the whole workload.
    positions: usize,
    sample: Sample,
}

impl Trace {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entries = registry::matching(&self.design)?;
        let named: Vec<Named> =
            self.workload.iter().map(|word| Named::find(word)).collect::<Result<_, _>>()?;
        raywalk_trace::check()?;
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        let lists: Vec<List> =
            named.iter().map(|named| self.list(&store, named)).collect::<Result<_>>()?;
        let rows = self.rows(&entries, &lists)?;
        let program = program_file().context("cannot read the file of the running program")?;
        let names = Names::new(&program).map_err(anyhow::Error::msg)?;
        match self.format {
            Format::Table => {
                let mut text = screen();
                table::write(&rows, &names, &mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => {
                let rows: Vec<_> = rows.iter().map(|row| json::row(row, &names)).collect();
                write_json(out, &rows)?;
            }
        }
        let differs = |row: &Row<'_>| row.traced.as_ref().is_ok_and(|it| it.difference.is_some());
        Ok(ExitCode::from(u8::from(rows.iter().any(differs))))
    }

    /// Loads a workload. Its nodes are known if it is made of recorded searches.
    fn list(&self, store: &Store, named: &Named) -> Result<List> {
        let Workload { name, positions, .. } = store.named(named)?;
        let trees = match named {
            Named::Row(row) => store.recording(row.name)?.unwrap_or_default(),
            Named::File(_) => Vec::new(),
        };
        let nodes: Vec<bool> = trees.iter().flat_map(RecordedTree::nodes).collect();
        // Trees that are not those of the positions say nothing about them.
        let nodes = if nodes.len() == positions.len() { nodes } else { Vec::new() };
        let sample = Sample::of(&positions, &nodes, self.max_positions);
        Ok(List { name, positions: positions.len(), sample })
    }

    /// Traces every design in every workload and stage, in this order of the loops: the rows of a table are
    /// consecutive.
    fn rows<'a>(&self, entries: &[&'static Entry], lists: &'a [List]) -> Result<Vec<Row<'a>>> {
        let positions: usize = lists.iter().map(|list| list.sample.positions.len()).sum();
        let work = positions * self.stage.len() * entries.len();
        let bar = progress_bar("tracing {bar:40} {percent} %, {eta} left", work as u64);
        let mut rows = Vec::new();
        for list in lists {
            for &stage in &self.stage {
                for &entry in entries {
                    let traced = match entry.build() {
                        Err(feature) => Err(feature),
                        Ok(mut design) => Ok(trace(
                            entry_of(entry, stage),
                            &mut *design,
                            stage,
                            &list.sample,
                            self.steps,
                            &|| bar.inc(1),
                        )
                        .with_context(|| format!("cannot trace {}", entry.card.id))?),
                    };
                    rows.push(Row { entry, list, stage, traced });
                }
            }
        }
        bar.finish_and_clear();
        Ok(rows)
    }
}
