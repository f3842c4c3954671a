//! `raywalk perftree`.
//!
//! The program perftree (<https://crates.io/crates/perftree-cli>) takes the path of one executable and
//! no arguments for it, so this command is also run by a link called `raywalk-perftree`.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use raywalk_core::Leaves;

use crate::arguments;
use crate::divide::{Style, divided, play, total, write_divide};
use crate::registry;

/// The name under which the program runs this command.
const LINK: &str = "raywalk-perftree";
/// Names the design where the caller cannot pass `--design`.
const DESIGN: &str = "RAYWALK_DESIGN";

/// Count leaves per root move for the program perftree, which calls it as DEPTH FEN [MOVES]
///
/// perftree takes one executable without arguments. Make a link to raywalk that is called `raywalk-perftree` and pass
/// its path: `perftree ./raywalk-perftree`. The environment variable RAYWALK_DESIGN then selects the design.
#[derive(clap::Args)]
pub(super) struct Perftree {
    /// Depth in plies, counted from the position after the moves
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Root position; `startpos`, or `-` for a FEN on standard input
    fen: String,
    /// Moves to play before counting, in coordinate notation; as one word or several
    moves: Vec<String>,
    /// Design that generates the moves [default: RAYWALK_DESIGN, or bitboard/hyperbola]
    #[arg(long)]
    design: Option<String>,
}

impl Perftree {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let design = match self.design {
            Some(id) => registry::named(&id),
            None => named_by_environment(std::env::var_os(DESIGN)),
        }?;
        let design = design.built()?;
        let moves: Vec<String> =
            self.moves.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
        let position = play(&*design, arguments::position(&self.fen)?, &moves)?;
        let rows = divided(&*design, &position, self.depth, Leaves::Made);
        write_divide(&rows, total(&rows, self.depth), Style::Perftree, out)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn named_by_environment(value: Option<OsString>) -> Result<&'static registry::Entry> {
    match value.filter(|value| !value.is_empty()) {
        Some(id) => registry::named(&id.to_string_lossy()).context(DESIGN),
        None => registry::named(registry::REFERENCE),
    }
}

/// The words of a command line. Under the name `raywalk-perftree` they are those of this command.
pub(super) fn words(line: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = line.into_iter().collect();
    let name = words.first().and_then(|program| Path::new(program).file_stem());
    if name.is_some_and(|name| name == LINK) {
        words.insert(1, "perftree".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_selects_the_command() {
        let of = |line: &[&str]| words(line.iter().map(OsString::from));
        for program in ["raywalk-perftree", "/usr/bin/raywalk-perftree", "./raywalk-perftree.exe"] {
            assert_eq!(of(&[program, "2", "startpos"])[1..], ["perftree", "2", "startpos"]);
        }
        for program in ["raywalk", "/opt/raywalk-perftree/raywalk", "perftree"] {
            assert_eq!(of(&[program, "list"])[1..], ["list"]);
        }
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn the_environment_names_a_design() {
        let id = |value: &str| named_by_environment(Some(value.into())).map(|entry| entry.card.id);
        assert_eq!(id("bell/steps").expect("a design"), "bell/steps");
        assert_eq!(id("").expect("the default"), registry::REFERENCE);
        let error = id("bell/step").expect_err("a misspelt id");
        assert!(format!("{error:#}").starts_with("RAYWALK_DESIGN: "), "{error:#}");
    }
}
