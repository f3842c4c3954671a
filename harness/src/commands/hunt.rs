//! `raywalk hunt`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow, bail, ensure};
use raywalk_core::{Leaves, Position};

use super::perft::play;
use crate::design::Design;
use crate::registry;

/// Find the first move that a design gets wrong, by comparing divides with a UCI engine or another
/// design
///
/// Both count below each root move. Where they differ, the walk goes down that move, one ply less,
/// until the move lists themselves differ; path, position and the moves too many or too few are
/// printed. Exit code 1 if a difference was found.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("judge").required(true).args(["engine", "against"]))]
pub struct Hunt {
    /// Plies to begin with
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// A UCI engine whose `go perft` is taken as right, with its arguments
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// A design that is taken as right
    #[arg(long, value_name = "ID")]
    against: Option<String>,
    /// The position
    #[arg(long, default_value = Position::START)]
    fen: String,
    /// The design that is tried
    #[arg(long, default_value = registry::REFERENCE)]
    design: String,
}

/// Moves with the leaves below each, sorted by name.
type Divide = Vec<(String, u64)>;

/// Whoever can divide a position.
trait Judge {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide>;
}

/// Where the walk ended.
#[derive(Debug, PartialEq, Eq)]
struct Find {
    path: Vec<String>,
    position: Position,
    too_many: Vec<String>,
    too_few: Vec<String>,
}

impl Hunt {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let position = super::position(&self.fen)?;
        let mut design = Designed(build(&self.design)?);
        let mut judge: Box<dyn Judge> = match (&self.engine, &self.against) {
            (Some(command), _) => Box::new(Engine::start(command)?),
            (None, Some(id)) => Box::new(Designed(build(id)?)),
            (None, None) => bail!("name a judge with --engine or --against"),
        };
        match hunt(&mut design, &mut *judge, position, self.depth)? {
            None => {
                writeln!(out, "no difference to depth {}", self.depth)?;
                Ok(ExitCode::SUCCESS)
            }
            Some(find) => {
                let path = if find.path.is_empty() {
                    "(at the root)".to_owned()
                } else {
                    find.path.join(" ")
                };
                writeln!(out, "path      {path}\nposition  {}", find.position)?;
                writeln!(out, "too many  {}", find.too_many.join(" "))?;
                writeln!(out, "too few   {}", find.too_few.join(" "))?;
                Ok(ExitCode::from(1))
            }
        }
    }
}

fn build(id: &str) -> Result<Box<dyn Design>> {
    let entry = registry::named(id)?;
    entry.build().map_err(|feature| anyhow!("{} needs {feature}", entry.card.id))
}

/// Walks down to the first position whose move lists differ, if there is one within `depth`.
fn hunt(
    tried: &mut dyn Judge,
    judge: &mut dyn Judge,
    root: Position,
    depth: u32,
) -> Result<Option<Find>> {
    let reference = build(registry::REFERENCE)?;
    let (mut path, mut position) = (Vec::new(), root);
    for depth in (1..=depth).rev() {
        let (found, right) = (tried.divide(&position, depth)?, judge.divide(&position, depth)?);
        let alone = |these: &Divide, those: &Divide| -> Vec<String> {
            let unknown = |name: &&String| !those.iter().any(|(other, _)| other == *name);
            these.iter().map(|(name, _)| name).filter(unknown).cloned().collect()
        };
        let (too_many, too_few) = (alone(&found, &right), alone(&right, &found));
        if !too_many.is_empty() || !too_few.is_empty() {
            return Ok(Some(Find { path, position, too_many, too_few }));
        }
        let Some((wrong, _)) =
            found.iter().zip(&right).find(|(found, right)| found != right).map(|pair| pair.0)
        else {
            ensure!(
                path.is_empty(),
                "the counts differ above {position} and agree in it: one of the two errs at random"
            );
            return Ok(None);
        };
        ensure!(depth > 1, "{wrong} counts other than 1 at depth 1 in {position}");
        path.push(wrong.clone());
        position = play(&*reference, position, std::slice::from_ref(wrong))?;
    }
    bail!("the counts differ in {position} at depth 0, which cannot be")
}

struct Designed(Box<dyn Design>);

impl Judge for Designed {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide> {
        let rows = self.0.divide(position, depth, Leaves::Made);
        let mut rows: Divide =
            rows.into_iter().map(|(mv, nodes)| (mv.to_string(), nodes)).collect();
        rows.sort_unstable();
        Ok(rows)
    }
}

/// A UCI engine in a process of its own; killed when the hunt ends.
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
        engine.say("uci")?;
        engine.read_until(|line| line == "uciok")?;
        Ok(engine)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .context("the engine has ended")
    }

    /// The lines before the one that ends the answer.
    fn read_until(&mut self, ends: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let bytes =
                self.output.read_line(&mut line).context("the engine's output cannot be read")?;
            ensure!(bytes > 0, "the engine ended in the middle of an answer");
            let line = line.trim();
            if ends(line) {
                return Ok(lines);
            }
            lines.push(line.to_owned());
        }
    }
}

impl Judge for Engine {
    fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide> {
        self.say(&format!("position fen {position}"))?;
        self.say(&format!("go perft {depth}"))?;
        let lines = self.read_until(|line| line.starts_with("Nodes searched"))?;
        Ok(rows(&lines))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The lines `e2e4: 20` of an answer, sorted; engines print others between them.
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

    /// Right, but for one planted bug: it never captures en passant.
    struct Blind(Designed);

    impl Judge for Blind {
        fn divide(&mut self, position: &Position, depth: u32) -> Result<Divide> {
            let mut total = Vec::new();
            for (name, _) in self.0.divide(position, 1)? {
                let reference = build(registry::REFERENCE)?;
                let legal = reference.legal(position, raywalk_core::StageId::All);
                let mv = legal.iter().find(|mv| mv.to_string() == name).context("legal")?;
                if mv.kind() == raywalk_core::MoveKind::EnPassant {
                    continue;
                }
                let child = play(&*reference, *position, std::slice::from_ref(&name))?;
                let count = match depth {
                    1 => 1,
                    _ => self.divide(&child, depth - 1)?.iter().map(|row| row.1).sum(),
                };
                total.push((name, count));
            }
            Ok(total)
        }
    }

    fn designed() -> Designed {
        Designed(build(registry::REFERENCE).expect("the reference"))
    }

    #[test]
    fn a_planted_bug_is_found_at_the_end_of_its_path() {
        let root: Position =
            "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2".parse().expect("possible");
        let find = hunt(&mut Blind(designed()), &mut designed(), root, 3).expect("no failure");
        let find = find.expect("a difference");
        assert_eq!(find.path, ["d7d5"]);
        assert_eq!((find.too_many, find.too_few), (vec![], vec!["e5d6".to_owned()]));
        assert!(find.position.to_string().contains(" w KQkq d6 "), "{}", find.position);
    }

    #[test]
    fn equal_counts_end_the_hunt() {
        let found =
            hunt(&mut designed(), &mut designed(), Position::default(), 3).expect("no failure");
        assert_eq!(found, None);
    }

    #[test]
    fn the_rows_of_an_engine_are_read_among_its_other_lines() {
        let lines = ["info string NNUE on", "a7b8q: 12", "e2e4: 20", "", "info depth: 3"]
            .map(str::to_owned);
        assert_eq!(rows(&lines), [("a7b8q".to_owned(), 12), ("e2e4".to_owned(), 20)]);
    }
}
