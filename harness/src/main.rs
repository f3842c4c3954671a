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
        Err(error)
            if error.downcast_ref().map(std::io::Error::kind) == Some(ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("raywalk: {error:#}");
            ExitCode::from(2)
        }
    }
}
