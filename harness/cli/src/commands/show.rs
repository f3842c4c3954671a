//! `raywalk show`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::ValueEnum;
use raywalk_judge::summary::PanelSummary;
use raywalk_judge::{Judged, gap, leaves};
use raywalk_page::PlainTable;
use raywalk_page::export::summary_csv;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::pattern::is_match;
use raywalk_results::schema::{Panel, Stage};

use crate::output::screen;
use crate::{arguments, folders};

/// Print the tables of a stored result
///
/// The tables are those of the page. Without --workload, --stage and --table it is the headline table, as after
/// `raywalk run`. With --table it is another table of the page, of the panels that --workload and --stage select, or
/// of all panels.
#[derive(clap::Args)]
pub(super) struct Show {
    /// Journal, or folder that contains a `journal.jsonl`
    result: PathBuf,
    /// Only panels of these workloads: a name, or a pattern such as `cycle-*`
    #[arg(long, value_name = "NAME")]
    workload: Vec<String>,
    /// Only panels of these stages
    #[arg(long, value_parser = arguments::names(&Stage::ALL, Stage::name))]
    stage: Vec<Stage>,
    /// Show instead another table: `matrix`, with the ratios of designs on workloads, `calls`, `chains`, and so on;
    /// an unknown name prints all names
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Show instead why one design is faster than another: the parts of the gap between these two
    #[arg(long, num_args = 2, value_names = ["ID", "ID"], conflicts_with_all = ["workload", "stage", "table"])]
    gap: Vec<String>,
    /// Print instead a figure of the page, as an SVG file
    #[arg(long, value_name = "ID", conflicts_with_all = ["workload", "stage", "table", "gap"])]
    figure: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Table,
    /// Markdown, for a pull request
    Markdown,
    /// Comma-separated text: for panels one line per design with extra digits, for other tables the cells of the page
    Csv,
}

impl Show {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let results = folders::read_journal(&self.result)?;
        let judged = Judged::of(&results);
        if let Some(id) = &self.figure {
            out.write_all(self.drawn(&judged, id)?.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        if let [one, other] = &self.gap[..] {
            out.write_all(self.parts(&judged, one, other)?.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(name) = &self.table {
            out.write_all(self.named(judged, name)?.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let panels = self.panels(&judged);
        ensure!(
            !panels.is_empty(),
            "{} has no panel with rounds that matches --workload and --stage",
            self.result.display()
        );
        let text = match self.format {
            Format::Table => tables(screen(), &judged, &panels),
            Format::Markdown => tables(Screen::markdown(), &judged, &panels),
            Format::Csv => summary_csv(&judged, &panels),
        };
        out.write_all(text.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }

    /// A figure of the page.
    fn drawn(&self, judged: &Judged<'_>, id: &str) -> Result<String> {
        let figures = raywalk_page::figures(judged);
        let file = self.result.display();
        if figures.is_empty() {
            bail!("{file} has no figures");
        }
        let ids: Vec<&str> = figures.iter().map(|(id, _)| id.as_str()).collect();
        let ids = ids.join(", ");
        let found = figures.into_iter().find(|(known, _)| known == id);
        found.map(|(_, svg)| svg).with_context(|| format!("{file} has no figure `{id}`, but {ids}"))
    }

    /// The tables of the page with this name, of the selected panels.
    fn named(&self, mut judged: Judged<'_>, name: &str) -> Result<String> {
        let file = self.result.display();
        let has_panels = !judged.panels.is_empty();
        judged.keep(|panel| self.selects(panel));
        ensure!(
            !has_panels || !judged.panels.is_empty(),
            "{file} has no panel that matches --workload and --stage"
        );
        let all = raywalk_page::tables(&judged);
        let (found, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(known, _)| known == name);
        if found.is_empty() {
            let mut names: Vec<String> = others.into_iter().map(|(known, _)| known).collect();
            names.dedup();
            bail!("{file} has no table `{name}` of these panels, but {}", names.join(", "));
        }
        let tables = found.iter().map(|(_, table)| table);
        let mut text = match self.format {
            Format::Table => screen(),
            Format::Markdown => Screen::markdown(),
            // An empty line separates tables of several workloads.
            Format::Csv => return Ok(tables.map(PlainTable::csv).collect::<Vec<_>>().join("\n")),
        };
        for (place, table) in tables.enumerate() {
            if place > 0 {
                text.blank();
            }
            table.write(&mut text);
        }
        Ok(text.as_str().to_owned())
    }

    /// The parts of the gap between two designs.
    fn parts(&self, judged: &Judged<'_>, one: &str, other: &str) -> Result<String> {
        ensure!(one != other, "--gap needs two designs, and `{one}` is one");
        let file = self.result.display();
        let mut text = match self.format {
            Format::Table => screen(),
            Format::Markdown => Screen::markdown(),
            Format::Csv => bail!("--gap writes a table or Markdown, not CSV"),
        };
        let parts = gap::breakdown(judged).with_context(|| {
            format!(
                "{file} has no parts of a gap: they need the memorisation curve with its memory-matched control, \
                 traces, and a measured misprediction cost"
            )
        })?;
        let gap =
            parts.between(one, other).map_err(|id| anyhow!("{file} has no parts of `{id}`"))?;
        terminal::gap::write(&mut text, judged, &parts, &gap);
        Ok(text.as_str().to_owned())
    }

    /// The panels to show, in the order of the plan.
    fn panels<'a>(&self, judged: &'a Judged<'_>) -> Vec<&'a PanelSummary> {
        if self.workload.is_empty() && self.stage.is_empty() {
            return judged.headline().into_iter().collect();
        }
        let is_wanted =
            |summary: &&PanelSummary| !summary.rows.is_empty() && self.selects(&summary.panel);
        judged.panels.iter().filter(is_wanted).collect()
    }

    /// Whether --workload and --stage select a panel; without them, all.
    fn selects(&self, panel: &Panel) -> bool {
        let is_named = |name: &String| is_match(name, &panel.workload);
        let is_of_stage = |stage| self.stage.contains(&stage);
        (self.workload.is_empty() || self.workload.iter().any(is_named))
            && (self.stage.is_empty() || panel.call.stage().is_some_and(is_of_stage))
    }
}

/// The session in one line, then one table per panel.
fn tables(mut text: Screen, judged: &Judged<'_>, panels: &[&PanelSummary]) -> String {
    terminal::heading(&mut text, "session", judged);
    for panel in panels {
        text.blank();
        terminal::session::write(&mut text, judged, panel);
    }
    let is_shown = |id: &str| panels.iter().any(|panel| panel.panel.id == id);
    let mut perfts = leaves::tables(judged);
    perfts.retain(|table| table.panels.iter().all(|panel| is_shown(&panel.panel.id)));
    if !perfts.is_empty() {
        text.blank();
        terminal::leaves::write(&mut text, judged, &perfts);
    }
    text.as_str().to_owned()
}
