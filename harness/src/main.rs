//! The raywalk command.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use raywalk_harness::commands::Cli;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = std::io::stdout().lock();
    let answer = cli.run(&mut out).and_then(|code| Ok(out.flush().map(|()| code)?));
    match answer {
        Ok(code) => code,
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if error.chain().any(nobody_reads) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("raywalk: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether this is a pipe without a reader, written to directly or as JSON.
fn nobody_reads(cause: &(dyn std::error::Error + 'static)) -> bool {
    let direct = cause.downcast_ref().map(std::io::Error::kind);
    let kind = direct.or(cause.downcast_ref().and_then(serde_json::Error::io_error_kind));
    kind == Some(ErrorKind::BrokenPipe)
}
