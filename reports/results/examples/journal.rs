//! Writes a synthetic journal as large as that of a session of the full plan, to time what reads it.
//!
//! `cargo run -p raywalk-results --example journal -- FILE`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use raywalk_results::fixture::Recipe;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: journal FILE");
        return ExitCode::FAILURE;
    };
    match write(&path) {
        Ok(bytes) => {
            println!("{path}: {bytes} bytes");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path} cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(path: &str) -> std::io::Result<u64> {
    let mut file = BufWriter::new(File::create(path)?);
    for record in Recipe::PLAN.records() {
        serde_json::to_writer(&mut file, &record)?;
        file.write_all(b"\n")?;
    }
    file.flush()?;
    Ok(file.get_ref().metadata()?.len())
}
