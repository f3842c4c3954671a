//! `raywalk workloads`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_positions::workload::{ALL, Description, Order, Series};
use serde_json::json;

use super::output::{Format, write_json};

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
            Format::Table => table(out)?,
            Format::Json => write_json(out, &ALL.iter().map(row).collect::<Vec<_>>())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn table(out: &mut dyn Write) -> std::io::Result<()> {
    let width = ALL.iter().map(|one| one.name.len()).max().unwrap_or(0);
    writeln!(out, "{:<width$}  {:<9}  positions  content", "name", "order")?;
    for one in ALL {
        let positions = one.positions().map_or_else(|| "–".to_owned(), |count| count.to_string());
        let order = one.order.name();
        let mut notes = String::new();
        if let Some(series) = one.series {
            notes.push_str(&format!(" [{} curve]", series.name()));
        }
        if !one.timed {
            notes.push_str(" [not timed in the full plan]");
        }
        writeln!(out, "{:<width$}  {order:<9}  {positions:>9}  {}{notes}", one.name, one.about)?;
    }
    Ok(())
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
