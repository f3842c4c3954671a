//! `raywalk workloads`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_measure::plan::Contents;
use raywalk_page::terminal::Screen;
use raywalk_page::terminal::text_table::{TextTable, number, text};
use raywalk_positions::Store;
use raywalk_positions::workload::{ALL, Description, Named, Order, Series, Workload};
use serde_json::{Value, json};

use crate::console::note;
use crate::output::{Format, screen, write_json};

/// List the workloads: name, order, number of positions, content
///
/// A workload is a list of positions in a fixed order. `raywalk run --workload NAME` and plan files
/// select it by its name. A file of positions (FEN or EPD, one per line, or PGN) is a workload as well,
/// named by its path.
///
/// The list shows only what is known without generating the positions. With names or paths, the positions are
/// generated or read, and counted: distinct ones, legal moves, checks, the digest, and the largest K of a
/// replay, at which a memorisation curve of these positions must end.
#[derive(clap::Args)]
pub(super) struct Workloads {
    /// Count the positions of these workloads: names, or paths of files; `-` is standard input
    #[arg(value_name = "NAME|FILE")]
    workloads: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Workloads {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let counted = self.counted()?;
        match self.format {
            Format::Table if self.workloads.is_empty() => {
                let mut text = screen();
                table(&mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Table => {
                for (_, workload) in counted {
                    writeln!(out, "{}", Contents::of(&workload))?;
                }
            }
            Format::Json if self.workloads.is_empty() => {
                write_json(out, &ALL.iter().map(row).collect::<Vec<_>>())?;
            }
            Format::Json => {
                let rows = counted.iter().map(|(named, workload)| counted_row(named, workload));
                write_json(out, &rows.collect::<Vec<_>>())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The named workloads with their positions. All names are checked before the first one is made.
    fn counted(&self) -> Result<Vec<(Named, Workload)>> {
        let named: Vec<Named> =
            self.workloads.iter().map(|word| Named::find(word)).collect::<Result<_, _>>()?;
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        let load = |named: Named| store.named(&named).map(|workload| (named, workload));
        Ok(named.into_iter().map(load).collect::<Result<_, _>>()?)
    }
}

fn table(out: &mut Screen) {
    let columns = [text("name"), text("order"), number("positions"), text("content")];
    let mut table = TextTable::new(columns);
    for one in ALL {
        let positions = one.positions().map_or_else(|| "–".to_owned(), |count| count.to_string());
        let mut about = one.about.to_owned();
        if let Some(series) = one.series {
            about.push_str(&format!(" [{} curve]", series.name()));
        }
        if !one.timed {
            about.push_str(" [not timed in the full plan]");
        }
        table.row([one.name.to_owned(), one.order.name().to_owned(), positions, about]);
    }
    table.write(out);
}

/// A row of the table, not counted. `docs/json.md` describes it.
fn row(one: &Description) -> Value {
    let period = match one.order {
        Order::Cyclic(period) => Some(period),
        _ => None,
    };
    let series = one.series.map(|series| {
        let Series::Memorisation { k } = series;
        json!({ "name": series.name(), "k": k })
    });
    json!({
        "name": one.name,
        "order": one.order.name(),
        "period": period,
        "positions": one.positions(),
        "series": series,
        "timed": one.timed,
        "about": one.about,
        "counted": null,
    })
}

/// A row with what was counted.
fn counted_row(named: &Named, workload: &Workload) -> Value {
    let mut found = match named {
        Named::Row(one) => row(one),
        Named::File(_) => json!({
            "name": workload.name,
            "order": workload.order.name(),
            "period": null,
            "series": null,
            "timed": null,
            "about": workload.about,
        }),
    };
    let contents = Contents::of(workload);
    found["positions"] = contents.positions.into();
    found["counted"] = json!({
        "distinct": contents.distinct,
        "moves": contents.moves,
        "captures": workload.totals.captures,
        "in_check": contents.in_check,
        "moves_per_position": contents.density(),
        "digest": contents.digest,
        "largest_replay": contents.distinct,
    });
    found
}
