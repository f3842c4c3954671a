//! Reads mutated inputs with the readers of the program and fails on a panic, a hang or a wrong answer.
//!
//! ```text
//! cargo run --release -p raywalk --example mutate -- --inputs 10000000
//! cargo run --release -p raywalk --example mutate -- --seconds 60 --kind fen --kind epd
//! ```
//!
//! The readers are called in process, so that millions of inputs take minutes. A wrong answer is one of
//! these; the modules of [`kinds`] hold the checks:
//!
//! * an error that does not lead to exit code 2, or whose message is not one short line of plain text;
//! * an accepted text that does not survive being written and read again;
//! * an accepted position that cozy-chess rejects, or for which a design and cozy-chess find different
//!   moves;
//! * an accepted journal that cannot be judged, drawn and exported.
//!
//! The inputs depend on `--seed` and their numbers alone. A failure prints the flags that make its input
//! again. A stack overflow or a lack of memory ends the process at once, by a signal; `--first` and
//! `--inputs` then narrow down the input.

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use clap::builder::PossibleValuesParser;

mod distinct;
mod driver;
mod failure;
mod kinds;
mod mutation;

use driver::{Amount, Tally, Task, Watch};
use kinds::KINDS;

/// Read mutated inputs; exit code 1 after a panic, a hang or a wrong answer
#[derive(Parser)]
#[command(name = "mutate")]
struct Arguments {
    /// Number of inputs, divided equally among the kinds
    #[arg(long, value_name = "N", required_unless_present = "seconds")]
    inputs: Option<u64>,
    /// Read inputs for this time instead
    #[arg(long, value_name = "S", conflicts_with = "inputs")]
    seconds: Option<u64>,
    /// Seed of the mutations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Begin with this number in each kind
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 48))]
    first: u64,
    /// Only inputs of this kind; may be given several times
    #[arg(long, value_parser = PossibleValuesParser::new(KINDS.iter().map(|kind| kind.name)))]
    kind: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let selects =
        |name: &str| arguments.kind.is_empty() || arguments.kind.iter().any(|k| k == name);
    let kinds: Vec<_> = KINDS.iter().filter(|kind| selects(kind.name)).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let task = Task {
        kinds: kinds.clone(),
        seed: arguments.seed,
        first: arguments.first,
        amount: match (arguments.inputs, arguments.seconds) {
            (Some(inputs), _) => Amount::Inputs(inputs),
            (None, seconds) => Amount::Time(Duration::from_secs(seconds.unwrap_or_default())),
        },
        threads,
        watch: Watch::FIVE_SECONDS,
    };
    let began = Instant::now();
    match driver::run(task) {
        Ok(tallies) => {
            print_table(kinds.iter().map(|kind| kind.name).zip(tallies));
            let (seed, seconds) = (arguments.seed, began.elapsed().as_secs());
            println!(
                "no panic, no hang, no wrong answer: seed {seed}, {threads} threads, {seconds} s"
            );
            ExitCode::SUCCESS
        }
        Err(failure) => {
            println!("{failure}");
            match failure.save() {
                Ok(path) => println!("saved: {}", path.display()),
                Err(error) => println!("not saved: {error}"),
            }
            ExitCode::FAILURE
        }
    }
}

fn print_table(tallies: impl Iterator<Item = (&'static str, Tally)>) {
    let heads = ["inputs", "distinct", "accepted", "refused", "seconds"];
    println!("{:<8}{}", "kind", heads.map(|head| format!("{head:>12}")).concat());
    let row = |name: &str, tally: &Tally| {
        let Tally { accepted, refused, distinct, time } = tally;
        let (inputs, seconds) = (tally.inputs(), time.as_secs_f64());
        println!("{name:<8}{inputs:>12}{distinct:>12}{accepted:>12}{refused:>12}{seconds:>12.1}");
    };
    let mut total = Tally::default();
    for (name, tally) in tallies {
        row(name, &tally);
        total.add(tally);
    }
    row("total", &total);
}
