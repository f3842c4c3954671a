//! `raywalk hunt`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};
use raywalk_core::{Leaves, Position};
use raywalk_measure::design::Design;

use super::arguments;
use super::perft::play;
use crate::registry;

/// Bisect a wrong perft count, against a UCI engine or another design; exit code 1 if one is found
///
/// Both sides count the leaves below each root move. At the first move whose counts differ, hunt plays
/// that move and compares again, one ply less deep, until the move lists themselves differ. It prints the
/// path to that position, the position, and the extra and missing moves.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("reference").required(true).args(["engine", "against"]))]
pub(super) struct Hunt {
    /// Depth of the first comparison in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Reference: a UCI engine that supports `go perft`, with its arguments
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Reference: a design
    #[arg(long, value_name = "ID")]
    against: Option<String>,
    /// Root position
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// Design to examine
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
}

/// Root moves with the leaves below each, sorted by name.
type Divide = Vec<(String, u64)>;

/// Counts the leaves below each root move.
trait Divider {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide>;
}

/// The first position whose move lists differ.
#[derive(Debug, PartialEq, Eq)]
struct Difference {
    /// Moves from the root to the position.
    path: Vec<String>,
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
            (Some(command), _) => Box::new(Engine::start(command)?),
            (None, Some(id)) => Box::new(DesignDivider(build(id)?)),
            (None, None) => bail!("name a reference with --engine or --against"),
        };
        match bisect(&mut examined, &mut *reference, position, self.depth)? {
            None => {
                writeln!(out, "no difference to depth {}", self.depth)?;
                Ok(ExitCode::SUCCESS)
            }
            Some(Difference { path, position, extra, missing }) => {
                let path =
                    if path.is_empty() { "(at the root)".to_owned() } else { path.join(" ") };
                writeln!(out, "path      {path}\nposition  {position}")?;
                writeln!(out, "extra     {}\nmissing   {}", extra.join(" "), missing.join(" "))?;
                Ok(ExitCode::from(1))
            }
        }
    }
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
                "the counts differ above {position} and agree in it, so one side is not deterministic"
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

/// A UCI engine in its own process, killed on drop.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(command: &str) -> Result<Engine> {
        let mut words = command.split_whitespace();
        let program = words.next().context("--engine is empty; name a program")?;
        let mut process = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start the engine `{program}`"))?;
        let input = process.stdin.take().context("the engine has no input")?;
        let output = process.stdout.take().context("the engine has no output")?;
        let mut engine = Engine { process, input, output: BufReader::new(output) };
        engine.send("uci")?;
        engine.read_until(|line| line == "uciok")?;
        Ok(engine)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .context("the engine has exited")
    }

    /// Reads up to the line that ends an answer, and returns the lines before it.
    fn read_until(&mut self, ends: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let bytes =
                self.output.read_line(&mut line).context("cannot read the engine's output")?;
            ensure!(bytes > 0, "the engine exited in the middle of an answer");
            let line = line.trim();
            if ends(line) {
                return Ok(lines);
            }
            lines.push(line.to_owned());
        }
    }
}

impl Divider for Engine {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide> {
        self.send(&format!("position fen {position}"))?;
        self.send(&format!("go perft {depth}"))?;
        let lines = self.read_until(|line| line.starts_with("Nodes searched"))?;
        Ok(rows(&lines))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // All three fail if the engine has exited already.
        let _ = self.send("quit");
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Extracts the lines `e2e4: 20` from an answer, sorted. Engines print other lines between them.
fn rows(lines: &[String]) -> Divide {
    let row = |line: &String| {
        let (name, count) = line.split_once(':')?;
        let squares = name.get(..4)?.as_bytes();
        let square = |s: &[u8]| (b'a'..=b'h').contains(&s[0]) && (b'1'..=b'8').contains(&s[1]);
        let is_move = name.len() <= 5 && square(&squares[..2]) && square(&squares[2..]);
        is_move.then_some((name.to_owned(), count.trim().parse().ok()?))
    };
    let mut rows: Divide = lines.iter().filter_map(row).collect();
    rows.sort_unstable();
    rows
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
    fn counts_are_extracted_from_the_output_of_an_engine() {
        let lines = ["info string NNUE on", "a7b8q: 12", "e2e4: 20", "", "info depth: 3"]
            .map(str::to_owned);
        assert_eq!(rows(&lines), [("a7b8q".to_owned(), 12), ("e2e4".to_owned(), 20)]);
    }
}
