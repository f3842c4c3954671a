//! `raywalk man`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::CommandFactory;
use clap_mangen::Man;

use super::Cli;
use crate::folders;

/// Print a manual page, or write all of them to a folder
///
/// `raywalk man run | man -l -` shows the page of `raywalk run`; with `--out ~/.local/share/man/man1`,
/// `man raywalk-run` finds it.
#[derive(clap::Args)]
pub(super) struct Manual {
    /// The command whose page is printed [default: the page of raywalk itself]
    #[arg(conflicts_with = "out")]
    command: Option<String>,
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Manual {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let pages = pages(Cli::command())?;
        if let Some(folder) = self.out {
            for (name, page) in &pages {
                folders::write(&folder.join(format!("{name}.1")), page)?;
            }
            writeln!(out, "Wrote {} pages to {}.", pages.len(), folder.display())?;
            return Ok(ExitCode::SUCCESS);
        }
        let name =
            self.command.map_or("raywalk".to_owned(), |command| format!("raywalk-{command}"));
        let Some((_, page)) = pages.iter().find(|(other, _)| *other == name) else {
            let command = name.trim_start_matches("raywalk-");
            bail!("no command is called `{command}`; `raywalk help` lists the commands")
        };
        out.write_all(page.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Name and text of each page: the program, and every command that is not hidden.
fn pages(mut program: clap::Command) -> Result<Vec<(String, String)>> {
    // Adds the flags and the command `help` that clap provides.
    program.build();
    let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: Vec<clap::Command> = visible.cloned().collect();
    std::iter::once(program).chain(commands).map(page).collect()
}

fn page(command: clap::Command) -> Result<(String, String)> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut text = Vec::new();
    Man::new(command).render(&mut text).context("cannot format the manual page")?;
    Ok((name, String::from_utf8(text)?))
}
