//! `raywalk trace`.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::builder::RangedU64ValueParser;
use raywalk_page::terminal::Screen;
use raywalk_positions::workload::Named;
use raywalk_positions::{Store, Workload};
use raywalk_results::schema::Stage;
use raywalk_trace::{TraceError, program_file};

use crate::arguments;
use crate::console::note;
use crate::output::{Format, progress_bar, screen, write_json};
use crate::plugin::Plugins;
use crate::registry::{Designs, Entry};
use crate::trace::{
    Modelled, Names, Sample, Traced, Windows, entry_of, model, quiescence_of, trace,
};

mod json;
mod modelled;
mod table;

/// Count the instructions that designs execute, and how often each branch is taken; x86-64 Linux
///
/// Runs the compiled entry of each design and records every instruction: by stepping, and with breakpoints on
/// branches. Both must agree; exit code 1 if they do not, or if a plug-in fails. The counts are exact and repeat to
/// the last digit; nothing is timed. Breakpoints take about 2 µs per branch and steps 3 to 10 µs per instruction: 40
/// positions of all designs take about a minute.
///
/// Loads and stores include those of calls and returns. A visited square is one that a slider, knight or
/// king of the side to move looks at: on each ray up to and including the first piece. Data lines are cache
/// lines of 64 bytes that the loads and stores of one call touch, its stack included. Entropy is that of the
/// next address, in bits per execution: 0 for a branch that always goes the same way, 1 for a fair coin.
/// With a single design, its branches are listed by source line.
///
/// With --model, windows of consecutive positions are recorded as well and replayed through models of branch
/// predictors in two orders: as a stream, each position once, and as a replay, in runs of K positions that are
/// repeated until they are learnt. If the mispredictions of a design are high in the stream and near zero in the
/// replay, a benchmark that repeats K positions measures a predictor that has memorised them. The data accesses of
/// the stepped positions are replayed through caches. Modelled numbers are not measurements: they belong to the named
/// model with its parameters.
#[derive(clap::Args)]
pub(super) struct Trace {
    /// Trace only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    #[command(flatten)]
    plugins: Plugins,
    /// Positions to trace: a workload or a file (FEN, EPD or PGN); `-` is standard input
    #[arg(long, value_name = "NAME|FILE", default_value = "ab4")]
    workload: Vec<String>,
    /// Stages to trace
    #[arg(
        long,
        value_parser = arguments::names(&Stage::ALL, Stage::name),
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
    /// Replay the branches through models of predictors, and the data accesses of stepped positions through
    /// models of caches
    #[arg(long)]
    model: bool,
    /// Record about this many positions for the models, in windows of consecutive positions that are evenly spread
    /// over the workload; the first quarter of the windows only trains the stream
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4096,
        requires = "model",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000)
    )]
    model_positions: usize,
    /// Positions that a run of the replay repeats, a power of two
    #[arg(
        long,
        value_name = "K",
        default_value_t = 256,
        requires = "model",
        value_parser = power_of_two
    )]
    replay: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// A design in one workload and one stage.
struct Row<'a> {
    entry: &'static Entry,
    list: &'a List,
    stage: Stage,
    /// The counts, or why there are none.
    traced: Result<Traced, Untraced>,
    /// Results of the models, or why breakpoints cannot be used; `None` without `--model`.
    modelled: Option<Result<Modelled, TraceError>>,
}

/// Why a design was not traced.
enum Untraced {
    /// The CPU feature that the machine lacks.
    Lacks(raywalk_core::Feature),
    /// The failure of a plug-in, in words.
    Failed(String),
}

impl fmt::Display for Untraced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untraced::Lacks(feature) => write!(f, "needs {feature}"),
            Untraced::Failed(why) => f.write_str(why),
        }
    }
}

/// A workload with the positions to trace.
struct List {
    name: String,
    /// Number of positions of the whole workload.
    positions: usize,
    sample: Sample,
    /// That of the positions to trace. Computed once for all designs, because a sample may have a million.
    digest: u64,
    /// The positions for the models, if they were asked for.
    windows: Option<Windows>,
}

impl Row<'_> {
    /// The positions for the models, and the results.
    fn modelled(&self) -> Option<(&Windows, &Modelled)> {
        self.list.windows.as_ref().zip(self.modelled.as_ref()?.as_ref().ok())
    }
}

impl List {
    fn len(&self) -> usize {
        self.sample.positions.len() + self.windows.as_ref().map_or(0, |it| it.positions.len())
    }
}

/// Writes the counts and, if they were asked for, the models of each workload and stage.
fn write_tables(rows: &[Row<'_>], names: &Names<'_>, out: &mut Screen) {
    let same = |a: &Row<'_>, b: &Row<'_>| std::ptr::eq(a.list, b.list) && a.stage == b.stage;
    for (place, rows) in rows.chunk_by(same).enumerate() {
        if place > 0 {
            out.blank();
        }
        table::write(rows, names, out);
        if rows.iter().any(|row| row.modelled.is_some()) {
            out.blank();
            modelled::write(rows, names, out);
        }
    }
}

/// Parses the K of a replay. Others do not fill the blocks in which positions are replayed.
fn power_of_two(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=65_536_usize) if number.is_power_of_two() => Ok(number),
        _ => Err("it is not a power of two from 1 to 65536".to_owned()),
    }
}

impl Trace {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entries = Designs::with(&self.plugins)?.beside_plugins(&self.design)?;
        let named: Vec<Named> =
            self.workload.iter().map(|word| Named::find(word)).collect::<Result<_, _>>()?;
        raywalk_trace::check()?;
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        // Files come first: a wrong one is refused before a corpus is made, which takes a while.
        let mut lists: Vec<Option<List>> = named.iter().map(|_| None).collect();
        let mut places: Vec<usize> = (0..named.len()).collect();
        places.sort_by_key(|&place| matches!(named[place], Named::Row(_)));
        for place in places {
            lists[place] = Some(self.list(&store, &named[place])?);
        }
        let lists: Vec<List> = lists.into_iter().flatten().collect();
        let rows = self.rows(&entries, &lists)?;
        let program = program_file().context("cannot read the file of the running program")?;
        let names = Names::new(&program).map_err(anyhow::Error::msg)?;
        match self.format {
            Format::Table => {
                let mut text = screen();
                write_tables(&rows, &names, &mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => {
                let rows: Vec<_> = rows.iter().map(|row| json::row(row, &names)).collect();
                write_json(out, &rows)?;
            }
        }
        let is_wrong = |row: &Row<'_>| match &row.traced {
            Ok(traced) => traced.difference.is_some(),
            Err(Untraced::Lacks(_)) => false,
            Err(Untraced::Failed(_)) => true,
        };
        Ok(ExitCode::from(u8::from(rows.iter().any(is_wrong))))
    }

    /// Loads a workload. Its nodes are known if it is made of recorded searches.
    fn list(&self, store: &Store, named: &Named) -> Result<List> {
        let Workload { name, positions, .. } = store.named(named)?;
        let trees = match named {
            Named::Row(row) => store.recording(row.name)?.unwrap_or_default(),
            Named::File(_) => Vec::new(),
        };
        let quiescence = quiescence_of(&trees, positions.len());
        let sample = Sample::of(&positions, &quiescence, self.max_positions);
        let windows = self
            .model
            .then(|| Windows::of(&positions, &quiescence, self.model_positions, self.replay));
        let digest = raywalk_positions::digest(&sample.positions);
        Ok(List { name, positions: positions.len(), sample, digest, windows })
    }

    /// Traces every design in every workload and stage, in this order of the loops: the rows of a table are
    /// consecutive.
    fn rows<'a>(&self, entries: &[&'static Entry], lists: &'a [List]) -> Result<Vec<Row<'a>>> {
        let positions: usize = lists.iter().map(List::len).sum();
        let work = positions * self.stage.len() * entries.len();
        let bar = progress_bar("tracing {bar:40} {percent} %, {eta} left", work as u64);
        let mut rows = Vec::new();
        for list in lists {
            for &stage in &self.stage {
                for &entry in entries {
                    let row = self
                        .row(entry, list, stage, &|| bar.inc(1))
                        .with_context(|| format!("cannot trace {}", entry.card.id))?;
                    rows.push(row);
                }
            }
        }
        bar.finish_and_clear();
        Ok(rows)
    }

    fn row<'a>(
        &self,
        entry: &'static Entry,
        list: &'a List,
        stage: Stage,
        tick: &dyn Fn(),
    ) -> Result<Row<'a>> {
        let windows = list.windows.iter().flat_map(|windows| &windows.positions);
        let positions = list.sample.positions.iter().chain(windows);
        let untraced = |why| Row { entry, list, stage, traced: Err(why), modelled: None };
        let mut design = match entry.tried(&[stage], positions) {
            Ok(Ok(design)) => design,
            Ok(Err(feature)) => return Ok(untraced(Untraced::Lacks(feature))),
            // Other designs go on.
            Err(why) => return Ok(untraced(Untraced::Failed(format!("{why:#}")))),
        };
        let (design, address) = (&mut *design, entry_of(entry, stage));
        let traced = trace(address, design, stage, &list.sample, self.steps, tick)?;
        let modelled =
            list.windows.as_ref().map(|windows| model(address, design, stage, windows, tick));
        Ok(Row { entry, list, stage, traced: Ok(traced), modelled })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_powers_of_two_are_replayed() {
        assert_eq!([1, 64, 65_536].map(|k| power_of_two(&k.to_string())), [1, 64, 65_536].map(Ok));
        for text in ["0", "3", "131072", "-1", "", "x", "99999999999999999999"] {
            assert!(power_of_two(text).is_err(), "{text}");
        }
    }
}
