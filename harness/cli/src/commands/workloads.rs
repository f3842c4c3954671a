//! `raywalk workloads`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_page::terminal::Screen;
use raywalk_page::terminal::text_table::{TextTable, number, text};
use raywalk_positions::workload::{ALL, Description, Order, Series};
use serde_json::json;

use crate::output::{Format, screen, write_json};

/// List the workloads: name, order, number of positions, content
///
/// A workload is a list of positions in a fixed order. `raywalk run --workload NAME` and plan files
/// select it by its name. A number that only making the positions would show is left out.
#[derive(clap::Args)]
pub(super) struct Workloads {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Workloads {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        match self.format {
            Format::Table => {
                let mut text = screen();
                table(&mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => write_json(out, &ALL.iter().map(row).collect::<Vec<_>>())?,
        }
        Ok(ExitCode::SUCCESS)
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

fn row(one: &Description) -> serde_json::Value {
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
    })
}
