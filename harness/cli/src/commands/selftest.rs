//! `raywalk selftest`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_measure::clock::HardwareClock;
use raywalk_measure::counters;
use raywalk_measure::machine::{self, affinity::Pinned};
use raywalk_measure::schedule::draw_seed;
use raywalk_page::terminal;
use raywalk_positions::Store;
use raywalk_results::schema::{self, Found, Trial};
use serde_json::{Value, json};

use crate::console::note;
use crate::folders;
use crate::output::{Format, screen, write_json};
use crate::registry;
use crate::selftest::{self as instruments, Effort, TestedParts, kernels};

mod criterion;
mod sessions;

/// Run the instruments on kernels with known answers; exit code 1 if an answer is wrong
///
/// Grades each instrument as usable or not usable on this machine. Missing instruments do not change the
/// exit code.
#[derive(clap::Args)]
pub(super) struct Selftest {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Approximate run time; at least one or two seconds are needed
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=600))]
    seconds: u16,
    /// Seed of all random bits and orders [default: drawn and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Instead run N complete sessions of each experiment with a known answer: a design against itself,
    /// and 0.5 % more work; half a minute for each N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    sessions: Option<u64>,
    /// Also run the experiments with criterion's change detection; needs cargo and the source tree. The
    /// build may take an hour, and each run of the benchmark ten minutes
    #[arg(long, requires = "sessions")]
    criterion: bool,
    /// Folder for the journals of the sessions [default: raywalk-results/selftest-TIME]
    #[arg(long, value_name = "DIR", requires = "sessions")]
    out: Option<PathBuf>,
}

/// Number of positions of `ab4` on which the overhead of the harness is measured. A fast design takes about
/// half a millisecond for them.
const POSITIONS: usize = 8_192;

impl Selftest {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let seed = self.seed.unwrap_or_else(draw_seed);
        if let Some(number) = self.sessions {
            return self.whole_sessions(number, seed, out);
        }
        note!("seed {seed}");
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        let positions = store.first("ab4", POSITIONS)?;
        let design = registry::named(registry::REFERENCE)?.built()?;
        // Without pinning the results are noisier, which the trials show.
        let _pinned = Pinned::to_one_processor();
        let mut kernels = kernels::of_this_machine();
        let results = instruments::run(
            TestedParts {
                clock: &HardwareClock::measure(),
                counters: &mut *counters::of_this_machine(),
                kernels: kernels.as_deref_mut(),
                caches: &machine::describe().caches,
                design: Some((design, &positions)),
            },
            Effort { seconds: f64::from(self.seconds), levels: usize::MAX, seed },
        );
        match self.format {
            Format::Table => {
                let mut text = screen();
                terminal::selftest::write(&mut text, &results);
                out.write_all(text.as_str().as_bytes())?;
            }
            Format::Json => write_json(out, &document(&results))?,
        }
        Ok(ExitCode::from(u8::from(results.failed().next().is_some())))
    }

    /// Returns exit code 1 if one of our own sessions gave a wrong answer; those of criterion do not count.
    fn whole_sessions(self, number: u64, seed: u64, out: &mut dyn Write) -> Result<ExitCode> {
        let folder = self.out.unwrap_or_else(|| folders::new_run("selftest"));
        // Built first, because it can fail at once and the sessions take minutes.
        let program = self.criterion.then(criterion::Program::build).transpose()?;
        sessions::prepare(number, &folder)?;
        note!("seed {seed}");
        let mut lines = sessions::all(number, seed, &folder)?;
        let wrong = lines.iter().map(sessions::Line::wrong).sum::<usize>();
        if let Some(program) = program {
            lines.extend(program.all(number, &folder)?);
        }
        match self.format {
            Format::Table => sessions::write(out, &lines)?,
            Format::Json => write_json(out, &sessions::Document::of(&lines, &folder))?,
        }
        Ok(ExitCode::from(u8::from(wrong > 0)))
    }
}

/// The record of the journal as JSON with every key. A journal leaves out those without a value.
/// docs/json.md documents it.
fn document(results: &schema::Selftest) -> Value {
    let found = |found: &Found| {
        json!({
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "unit": { "quantity": found.unit.quantity, "per": found.unit.per },
        })
    };
    let trial = |trial: &Trial| {
        json!({
            "instrument": trial.instrument,
            "kernel": trial.kernel,
            "expected": trial.expected,
            "found": trial.found.iter().map(found).collect::<Vec<_>>(),
            "grade": trial.grade,
            "why": trial.why,
        })
    };
    json!({
        "seconds": results.seconds,
        "trials": results.trials.iter().map(trial).collect::<Vec<_>>(),
        "knee": results.knee,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::schema::{Band, Grade, Knee, KneePoint, Per, Quantity, Unit};

    #[test]
    fn the_json_is_the_record_of_the_journal_with_every_key() {
        let found = |unit| Found { value: 2.0, low: 1.0, high: 3.0, unit };
        let trial = Trial {
            instrument: "clock".to_owned(),
            kernel: "a chain".to_owned(),
            expected: Band::at_most(4.0),
            found: vec![
                found(Unit::of(Quantity::ALL[0])),
                found(Unit::per(Quantity::ALL[0], Per::Branch)),
            ],
            grade: Grade::NotUsable,
            why: "A reason.".to_owned(),
        };
        let knee = Knee {
            branches: 1.0,
            low: 0.5,
            high: 2.0,
            learnt_ns: 0.25,
            fresh_ns: 4.0,
            curve: vec![KneePoint { period: 8, ns: 0.25 }],
        };
        let mut results = schema::Selftest { seconds: 8.0, trials: vec![trial], knee: Some(knee) };
        let back = |results: &schema::Selftest| {
            serde_json::from_value::<schema::Selftest>(document(results))
        };
        assert_eq!(back(&results).expect("the record"), results);
        results.knee = None;
        assert_eq!(back(&results).expect("the record"), results);
        let value = document(&results);
        assert_eq!(value.get("knee"), Some(&Value::Null));
        let found = &value["trials"][0]["found"];
        assert_eq!(found[0]["unit"].get("per"), Some(&Value::Null));
        assert_eq!(found[1]["unit"]["per"], "branch");
    }
}
