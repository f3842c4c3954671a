//! Writes the page of a synthetic session: to work on the page without measuring.
//!
//! `cargo run -p raywalk-reports --example fixture -- page.html [small|full|plain|both|many]`

use std::process::ExitCode;

#[path = "../tests/fixture/mod.rs"]
mod fixture;
use fixture::Recipe;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("say where the page should go: fixture PAGE [small|full|plain|both|many]");
        return ExitCode::FAILURE;
    };
    let many = Recipe { designs: 26, ..Recipe::FULL };
    let recipes = match arguments.next().as_deref() {
        None | Some("full") => vec![Recipe::FULL],
        Some("small") => vec![Recipe::SMALL],
        Some("plain") => vec![Recipe::PLAIN],
        Some("both") => vec![Recipe::FULL, Recipe::PLAIN],
        Some("many") => vec![many],
        Some(other) => {
            eprintln!("{other:?} is not one of small, full, plain, both, many");
            return ExitCode::FAILURE;
        }
    };
    let sessions: Vec<_> = recipes.into_iter().map(Recipe::results).collect();
    for summary in sessions.iter().flat_map(|results| {
        raywalk_reports::summary::summarise(results).into_iter().map(move |s| (results, s))
    }) {
        let mut text = String::new();
        if raywalk_reports::table::write(&mut text, summary.0, &summary.1).is_ok() {
            println!("{text}");
        }
    }
    let page = raywalk_reports::page(&sessions);
    match std::fs::write(&path, &page) {
        Ok(()) => {
            println!("{path}: {} bytes", page.len());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path} cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
