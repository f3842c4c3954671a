//! Entry point of the `raywalk` command.

use std::io::{self, Write};
use std::process::ExitCode;

use raywalk::commands::Cli;
use raywalk::console::{Output, fail};

fn main() -> ExitCode {
    let cli = Cli::of_process();
    let mut out = Output::new(io::stdout().lock());
    let result = cli.run(&mut out).and_then(|code| Ok(out.flush().map(|()| code)?));
    result.unwrap_or_else(|error| fail(&error))
}
