//! Writes the page of a synthetic session, to work on the page without measuring.
//!
//! `cargo run -p raywalk-page --example fixture -- PAGE [small|full|plain|both|alike|many|explained|JOURNAL...]`

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

use raywalk_judge::Judged;
use raywalk_page::terminal;
use raywalk_results::fixture::{Recipe, explained};
use raywalk_results::journal::{self, Results};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: fixture PAGE [small|full|plain|both|alike|many|explained|JOURNAL...]");
        return ExitCode::FAILURE;
    };
    let names: Vec<String> = arguments.collect();
    let sessions = match sessions(&names) {
        Ok(sessions) => sessions,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let sessions: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    let mut screen = terminal::Screen::new(100, false);
    for judged in &sessions {
        for summary in &judged.panels {
            terminal::session::write(&mut screen, judged, summary);
            screen.blank();
        }
        terminal::trust::write(&mut screen, &judged.trust);
    }
    println!("{}", screen.as_str());
    let page = raywalk_page::page(&sessions);
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

/// The sessions of a recipe, or of journals.
fn sessions(names: &[String]) -> Result<Vec<Results>, Box<dyn std::error::Error>> {
    let recipes = match names.first().map_or("full", String::as_str) {
        "full" => vec![Recipe::FULL],
        "small" => vec![Recipe::SMALL],
        "plain" => vec![Recipe::PLAIN],
        "both" => vec![Recipe::FULL, Recipe::PLAIN],
        "alike" => vec![Recipe::FULL, Recipe { seed: 7, ..Recipe::FULL }],
        "many" => vec![Recipe { designs: 26, ..Recipe::FULL }],
        "explained" => return Ok(vec![explained(22.0)]),
        _ => {
            let read = |path: &String| Ok(journal::read(BufReader::new(File::open(path)?))?);
            return names.iter().map(read).collect();
        }
    };
    Ok(recipes.into_iter().map(Recipe::results).collect())
}
