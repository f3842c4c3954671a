//! `raywalk completions`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap_complete::Shell;

/// Print the script that completes commands and flags in a shell
///
/// For example `raywalk completions bash > ~/.local/share/bash-completion/completions/raywalk`.
#[derive(clap::Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self, mut commands: clap::Command, out: &mut dyn Write) -> Result<ExitCode> {
        // Into memory first: clap_complete panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut commands, "raywalk", &mut script);
        out.write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
