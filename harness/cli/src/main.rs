//! Entry point of the `raywalk` command.

use std::io::{self, Write};
use std::process::ExitCode;

use raywalk::commands::Cli;
use raywalk::console::{Output, answer_for_clap, fail};

fn main() -> ExitCode {
    let mut out = Output::new(io::stdout().lock());
    let result = match Cli::of_process() {
        Ok(cli) => cli.run(&mut out),
        Err(message) => answer_for_clap(&message, &mut out),
    };
    let flushed = result.and_then(|code| Ok(out.flush().map(|()| code)?));
    flushed.unwrap_or_else(|error| fail(&error))
}
