//! Entry point of the `raywalk` command.

use std::io::{self, Write};
use std::process::ExitCode;

use raywalk::commands::Cli;
use raywalk::console::{Output, answer_for_clap, fail};
use raywalk::processor;

fn main() -> ExitCode {
    // Before all other code, which may contain instructions of the extension.
    if let Some(extension) = processor::lacks() {
        eprintln!(
            "raywalk: the program was compiled for processors with {extension}, which this one lacks; see docs/installing.md"
        );
        return ExitCode::from(2);
    }
    let mut out = Output::new(io::stdout().lock());
    let result = match Cli::of_process() {
        Ok(cli) => cli.run(&mut out),
        Err(message) => answer_for_clap(&message, &mut out),
    };
    let flushed = result.and_then(|code| Ok(out.flush().map(|()| code)?));
    flushed.unwrap_or_else(|error| fail(&error))
}
