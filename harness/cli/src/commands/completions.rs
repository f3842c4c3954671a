//! `raywalk completions`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;

/// Print the script that completes commands and flags in a shell
///
/// For example `raywalk completions bash > ~/.local/share/bash-completion/completions/raywalk`.
#[derive(clap::Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let program = Cli::command();
        // A new program, because the generators offer hidden commands as well.
        let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut commands = clap::Command::new("raywalk")
            .version(env!("CARGO_PKG_VERSION"))
            .subcommands(visible.cloned());
        // Into memory first: clap_complete panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut commands, "raywalk", &mut script);
        out.write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
