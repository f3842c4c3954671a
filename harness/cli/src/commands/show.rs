//! `raywalk show`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use raywalk_judge::Judged;
use raywalk_judge::summary::PanelSummary;
use raywalk_page::export::summary_csv;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::schema::Stage;

use crate::output::screen;
use crate::{arguments, folders, registry};

/// Print the tables of a stored result
///
/// The tables are those of the page. Without --workload and --stage it is the headline table, as after
/// `raywalk run`.
#[derive(clap::Args)]
pub(super) struct Show {
    /// Journal, or folder that contains a `journal.jsonl`
    result: PathBuf,
    /// Only panels of these workloads: a name, or a pattern such as `cycle-*`
    #[arg(long, value_name = "NAME")]
    workload: Vec<String>,
    /// Only panels of these stages
    #[arg(long, value_parser = arguments::names(Stage::ALL, Stage::name))]
    stage: Vec<Stage>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Table,
    /// Markdown, for a pull request
    Markdown,
    /// Comma-separated text with more digits than are certain, one line per design and panel
    Csv,
}

impl Show {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let results = folders::read_journal(&self.result)?;
        let judged = Judged::of(&results);
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

    /// The panels to show, in the order of the plan.
    fn panels<'a>(&self, judged: &'a Judged<'_>) -> Vec<&'a PanelSummary> {
        if self.workload.is_empty() && self.stage.is_empty() {
            return judged.headline().into_iter().collect();
        }
        let is_wanted = |summary: &&PanelSummary| {
            let panel = &summary.panel;
            let is_named = |name: &String| registry::is_match(name, &panel.workload);
            let is_of_stage = |stage| self.stage.contains(&stage);
            !summary.rows.is_empty()
                && (self.workload.is_empty() || self.workload.iter().any(is_named))
                && (self.stage.is_empty() || panel.call.stage().is_some_and(is_of_stage))
        };
        judged.panels.iter().filter(is_wanted).collect()
    }
}

/// The session in one line, then one table per panel.
fn tables(mut text: Screen, judged: &Judged<'_>, panels: &[&PanelSummary]) -> String {
    terminal::heading(&mut text, "session", judged);
    for panel in panels {
        text.blank();
        terminal::session::write(&mut text, judged, panel);
    }
    text.as_str().to_owned()
}
