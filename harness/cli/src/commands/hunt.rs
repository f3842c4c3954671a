//! `raywalk hunt`.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use raywalk_core::{Leaves, Position};
use raywalk_measure::design::Design;
use raywalk_page::terminal::{Screen, Tone};
use serde::Serialize;

use crate::arguments;
use crate::console::External;
use crate::divide::play;
use crate::output::{Format, screen, write_json};
use crate::registry;

mod engine;
#[cfg(test)]
mod planted;

use engine::Engine;

/// Bisect a wrong perft count, against a UCI engine or another design; exit code 1 if one is found
///
/// Both sides count the leaves below each root move. At the first move whose counts differ, hunt plays
/// that move and compares again, one ply less deep, until the move lists themselves differ. It prints the
/// path to that position, the position, and the extra and missing moves. If the lists agree although the
/// counts differ, a move is made or taken back wrongly: an error names the path.
///
/// An engine that cannot be started, exits, prints without end or does not answer in time is an error with
/// exit code 3.
///
/// `--format json` prints `{"depth": 3, "difference": null}`, or as difference an object with `path` (the
/// moves from the root), `fen`, `extra` (moves of the design alone) and `missing` (moves of the reference
/// alone).
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("reference").required(true).args(["engine", "against"]))]
pub(super) struct Hunt {
    /// Depth of the first comparison in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Reference: a UCI engine that supports `go perft`; its arguments go after `--`
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<OsString>,
    /// Reference: a design
    #[arg(long, value_name = "ID")]
    against: Option<String>,
    /// Longest time that the engine may take for one answer, such as `10s`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = arguments::timeout)]
    timeout: Duration,
    /// Root position; `startpos`, or `-` for a FEN on standard input
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Design to examine
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Arguments of the engine, passed as they are
    #[arg(last = true, value_name = "ARGUMENTS", conflicts_with = "against")]
    arguments: Vec<OsString>,
}

/// Output of `--format json`.
#[derive(Serialize)]
struct Answer<'a> {
    /// Depth of the first comparison.
    depth: u32,
    difference: Option<&'a Difference>,
}

/// Root moves with the leaves below each, sorted by name.
type Divide = Vec<(String, u64)>;

/// Counts the leaves below each root move.
trait Divider {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide>;
}

/// The first position whose move lists differ.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Difference {
    /// Moves from the root to the position.
    path: Vec<String>,
    #[serde(rename = "fen", serialize_with = "as_text")]
    position: Position,
    /// Moves of the examined design alone.
    extra: Vec<String>,
    /// Moves of the reference alone.
    missing: Vec<String>,
}

impl Hunt {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let position = arguments::position(&self.fen)?;
        let mut examined = DesignDivider(build(&self.design)?);
        let mut reference: Box<dyn Divider> = match (&self.engine, &self.against) {
            (Some(program), _) => Box::new(Engine::start(program, &self.arguments, self.timeout)?),
            (None, Some(id)) => Box::new(DesignDivider(build(id)?)),
            (None, None) => bail!("name a reference with --engine or --against"),
        };
        let difference = bisect(&mut examined, &mut *reference, position, self.depth)?;
        let answer = Answer { depth: self.depth, difference: difference.as_ref() };
        match self.format {
            Format::Table => {
                let mut text = screen();
                table(&answer, &mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => write_json(out, &answer)?,
        }
        Ok(ExitCode::from(u8::from(difference.is_some())))
    }
}

fn table(answer: &Answer<'_>, out: &mut Screen) {
    let Some(Difference { path, position, extra, missing }) = answer.difference else {
        return out.toned(format!("no difference to depth {}", answer.depth), Tone::Good);
    };
    out.toned("the move lists differ", Tone::Bad);
    let path = if path.is_empty() { "(at the root)".to_owned() } else { path.join(" ") };
    for (name, text) in [
        ("path", path),
        ("position", position.to_string()),
        ("extra", extra.join(" ")),
        ("missing", missing.join(" ")),
    ] {
        out.hanging_line(format!("{name:8}  {text}"), 10);
    }
}

fn as_text<S: serde::Serializer>(position: &Position, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(position)
}

fn build(id: &str) -> Result<Box<dyn Design>> {
    registry::named(id)?.built()
}

/// Finds the first position within `depth` whose move lists differ.
fn bisect(
    examined: &mut dyn Divider,
    reference: &mut dyn Divider,
    root: Position,
    depth: u32,
) -> Result<Option<Difference>> {
    // Moves are played by a design of known correctness, because engines only print them.
    let player = build(registry::REFERENCE)?;
    let (mut path, mut position) = (Vec::new(), root);
    for depth in (1..=depth).rev() {
        let found = examined.divide(&position, depth)?;
        let right = reference.divide(&position, depth)?;
        let (extra, missing) = (only_in(&found, &right), only_in(&right, &found));
        if !extra.is_empty() || !missing.is_empty() {
            return Ok(Some(Difference { path, position, extra, missing }));
        }
        let Some((wrong, _)) =
            found.iter().zip(&right).find(|(found, right)| found != right).map(|pair| pair.0)
        else {
            ensure!(
                path.is_empty(),
                "one side makes a move or takes one back wrongly, or is not deterministic: its counts below \
                 `{}` are wrong, and right once {position} is set up anew",
                path.join(" ")
            );
            return Ok(None);
        };
        ensure!(depth > 1, "{wrong} has a count other than 1 at depth 1 in {position}");
        path.push(wrong.clone());
        position = play(&*player, position, std::slice::from_ref(wrong))?;
    }
    // The loop returns or fails at depth 1 at the latest; clap rejects a depth of 0.
    bail!("no depth to compare {position} at")
}

/// Names of the moves of `these` that `those` lack.
fn only_in(these: &Divide, those: &Divide) -> Vec<String> {
    let lacks = |name: &&String| !those.iter().any(|(other, _)| other == *name);
    these.iter().map(|(name, _)| name).filter(lacks).cloned().collect()
}

struct DesignDivider(Box<dyn Design>);

impl Divider for DesignDivider {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide> {
        let rows = self.0.divide(position, depth, Leaves::Made);
        let mut rows: Divide =
            rows.into_iter().map(|(mv, nodes)| (mv.to_string(), nodes)).collect();
        rows.sort_unstable();
        Ok(rows)
    }
}

impl Divider for Engine {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide> {
        self.send(&format!("position fen {position}"))?;
        let lines = self.ask(&format!("go perft {depth}"), |line| line.starts_with(TOTAL))?;
        rows(&lines).map_err(|why| {
            External(format!("the engine answers `go perft {depth}` wrongly: {why}")).into()
        })
    }
}

/// How the last line of an answer begins.
const TOTAL: &str = "Nodes searched";

/// Extracts the lines `e2e4: 20` from an answer, sorted. Engines print other lines between them.
///
/// # Errors
/// A sentence about a count that is no number, a move that is counted twice, or a total that is not their sum.
fn rows(lines: &[String]) -> Result<Divide> {
    let row = |line: &String| {
        let (name, count) = line.split_once(':')?;
        let squares = name.get(..4)?.as_bytes();
        let square = |s: &[u8]| (b'a'..=b'h').contains(&s[0]) && (b'1'..=b'8').contains(&s[1]);
        let is_move = name.len() <= 5 && square(&squares[..2]) && square(&squares[2..]);
        is_move.then(|| (name.to_owned(), count.trim().to_owned()))
    };
    let read = |(name, count): (String, String)| {
        let leaves = count.parse();
        let leaves = leaves.with_context(|| format!("`{count}` of {name} is no number of leaves"));
        Ok((name, leaves?))
    };
    let mut rows: Divide = lines.iter().filter_map(row).map(read).collect::<Result<_>>()?;
    rows.sort_unstable();
    if let Some(pair) = rows.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        bail!("it counts {} twice", pair[0].0);
    }
    let sum = rows.iter().try_fold(0_u64, |sum, row| sum.checked_add(row.1));
    let total = lines.last().and_then(|line| line.strip_prefix(TOTAL)?.strip_prefix(':'));
    if let Some(total) = total.and_then(|total| total.trim().parse().ok())
        && sum != Some(total)
    {
        let sum = sum.map_or("more than 2^64".to_owned(), |sum| sum.to_string());
        bail!("its moves have {sum} leaves, and it counts {total}");
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::MoveKind;
    use raywalk_results::schema::Stage;

    /// Divides with a planted bug: never captures en passant.
    struct NoEnPassant(DesignDivider);

    impl Divider for NoEnPassant {
        fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide> {
            let mut total = Vec::new();
            for (name, _) in self.0.divide(position, 1)? {
                let player = build(registry::REFERENCE)?;
                let legal = player.legal(position, Stage::All);
                let mv = legal.iter().find(|mv| mv.to_string() == name).context("legal")?;
                if mv.kind() == MoveKind::EnPassant {
                    continue;
                }
                let child = play(&*player, *position, std::slice::from_ref(&name))?;
                let count = match depth {
                    1 => 1,
                    _ => self.divide(&child, depth - 1)?.iter().map(|row| row.1).sum(),
                };
                total.push((name, count));
            }
            Ok(total)
        }
    }

    fn reference() -> DesignDivider {
        DesignDivider(build(registry::REFERENCE).expect("the reference"))
    }

    #[test]
    fn a_planted_bug_is_found_with_its_path() {
        let root: Position =
            "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2".parse().expect("possible");
        let found = bisect(&mut NoEnPassant(reference()), &mut reference(), root, 3);
        let found = found.expect("no failure").expect("a difference");
        assert_eq!(found.path, ["d7d5"]);
        assert_eq!((found.extra, found.missing), (vec![], vec!["e5d6".to_owned()]));
        assert!(found.position.to_string().contains(" w KQkq d6 "), "{}", found.position);
    }

    #[test]
    fn equal_counts_give_no_difference() {
        let found =
            bisect(&mut reference(), &mut reference(), Position::default(), 3).expect("no failure");
        assert_eq!(found, None);
    }

    #[test]
    fn the_json_has_the_documented_shape() {
        let difference = Difference {
            path: vec!["e2e4".to_owned()],
            position: Position::default(),
            extra: Vec::new(),
            missing: vec!["a7a6".to_owned()],
        };
        let json = |difference| {
            let mut text = Vec::new();
            write_json(&mut text, &Answer { depth: 3, difference }).expect("written");
            serde_json::from_slice::<serde_json::Value>(&text).expect("JSON")
        };
        let expected = serde_json::json!({
            "depth": 3,
            "difference": {
                "path": ["e2e4"], "fen": Position::START, "extra": [], "missing": ["a7a6"],
            },
        });
        assert_eq!(json(Some(&difference)), expected);
        assert_eq!(json(None), serde_json::json!({ "depth": 3, "difference": null }));
    }

    #[test]
    fn counts_are_extracted_from_the_output_of_an_engine() {
        let lines = [
            "info string NNUE on",
            "a7b8q: 12",
            "e2e4: 20",
            "",
            "info depth: 3",
            "Nodes searched: 32",
        ]
        .map(str::to_owned);
        let found = rows(&lines).expect("two moves");
        assert_eq!(found, [("a7b8q".to_owned(), 12), ("e2e4".to_owned(), 20)]);
        for (lines, why) in [
            (["e2e4: 20", "a2a3: -1"], "`-1` of a2a3 is no number of leaves"),
            (["e2e4: 20", "e2e4: 20"], "it counts e2e4 twice"),
            (["e2e4: 20", "Nodes searched: 21"], "its moves have 20 leaves, and it counts 21"),
        ] {
            assert_eq!(rows(&lines.map(str::to_owned)).expect_err(why).to_string(), why);
        }
    }
}
