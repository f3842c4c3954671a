//! `raywalk selftest`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use raywalk_measure::clock::HardwareClock;
use raywalk_measure::counters;
use raywalk_measure::machine::{self, affinity::Pinned, emulation};
use raywalk_measure::schedule::draw_seed;
use raywalk_page::terminal;
use raywalk_positions::Store;
use raywalk_results::schema;
use serde_json::{Value, json};

use crate::arguments;
use crate::console::note;
use crate::folders;
use crate::output::{Format, screen, write_json};
use crate::registry;
use crate::selftest::{self as instruments, Effort, TestedParts, kernels};

mod coverage;
mod criterion;
mod experiments;
mod known_differences;
mod neighbour;
mod page;
mod pairs;
mod sessions;

use experiments::Harness;
use known_differences::Line;
use page::{Page, Provenance};
use pairs::Pairs;
use sessions::Setting;

/// Run the instruments on kernels with known answers; exit code 1 if an answer is wrong
///
/// Grades each instrument as usable or not usable on this machine. Missing instruments do not change the
/// exit code.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("tables").multiple(true)
    .args(["sessions", "components", "pairs", "of", "neighbour", "criterion"]))]
pub(super) struct Selftest {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Approximate run time; at least one or two seconds are needed
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=600))]
    seconds: u16,
    /// Seed of all random bits and orders [default: drawn and printed]
    #[arg(long, value_name = "N", value_parser = arguments::seed())]
    seed: Option<u64>,
    /// Instead run N complete sessions of each experiment with a known answer, and count how many intervals contain
    /// the true ratio; three to four minutes for each N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    sessions: Option<u64>,
    /// Let each session of a design against its copy link the program with N random section orders of its own, and
    /// measure all of them; needs cargo, the source tree, which must not change meanwhile, and the linker lld.
    /// Linking takes seconds, after a plain `cargo run` minutes for the first layout; it is stopped after an hour
    #[arg(long, value_name = "N", requires = "sessions",
        value_parser = clap::value_parser!(u64).range(1..=100))]
    layouts: Option<u64>,
    /// Take the components of variance of simulated sessions from the headline panels of these results
    /// [default: the sessions without a difference of --sessions]
    #[arg(long, value_name = "RESULT", num_args = 1..)]
    components: Vec<PathBuf>,
    /// Run N pairs of sessions of the quick plan, and count how often the two of a pair agree; two or three
    /// minutes for each N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pairs: Option<u64>,
    /// Time from the beginning of the first session of a pair to that of the second, such as `5m` or `90s`
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = humantime::parse_duration,
        requires = "pairs")]
    apart: Duration,
    /// Instead of running pairs, compare results that exist: the first with the second, the third with the
    /// fourth, and so on
    #[arg(long, value_name = "RESULT", num_args = 2.., conflicts_with = "pairs")]
    of: Vec<PathBuf>,
    /// Run N pairs of sessions of the quick plan, the second of each beside a neighbour that streams through
    /// memory, to measure how far it shifts ratios; two minutes for each N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    neighbour: Option<u64>,
    /// Run N sessions of each experiment with a known answer, each followed by one with criterion's change detection;
    /// needs cargo and the source tree. The build takes minutes and is stopped after an hour, and each N takes seven to
    /// eight minutes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    criterion: Option<u64>,
    /// Replace the tables of this Markdown file by the new ones, and write their numbers to a JSON file of the same
    /// name. docs/trust.md shows the markers of the tables
    #[arg(long, value_name = "FILE", requires = "tables")]
    write: Option<PathBuf>,
    /// Folder for the journals of the sessions; the same command with the same folder resumes where it was
    /// stopped [default: raywalk-results/selftest-TIME]
    #[arg(long, value_name = "DIR", requires = "tables")]
    out: Option<PathBuf>,
}

/// Number of positions of `ab4` on which the overhead of the harness is measured. A fast design takes about
/// half a millisecond for them.
const POSITIONS: usize = 8_192;

impl Selftest {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let seed = self.seed.unwrap_or_else(draw_seed);
        emulation::check()?;
        if !self.names().is_empty() {
            return self.tables(seed, out);
        }
        note!("seed {seed}");
        let store = Store::open_default().with_progress(|line| note!("{line}"));
        let positions = store.first("ab4", POSITIONS)?;
        let design = registry::named(registry::REFERENCE)?.built()?;
        // Without pinning the results are noisier, which the trials show.
        let pinned = Pinned::to_one_processor();
        let processor = pinned.as_ref().ok().map(|pinned| pinned.processor);
        let mut kernels = kernels::of_this_machine();
        let results = instruments::run(
            TestedParts {
                clock: &HardwareClock::measure(),
                counters: &mut *counters::of_this_machine(processor),
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
    fn tables(&self, seed: u64, out: &mut dyn Write) -> Result<ExitCode> {
        // Everything that can fail at once comes first, because sessions take minutes.
        let page = self.write.as_deref().map(|path| Page::open(path, &self.names())).transpose()?;
        let mut components = coverage::components_of(&self.components)?;
        let mut pairs = if self.of.is_empty() { None } else { Some(Pairs::read(&self.of)?) };
        let criterion = match self.criterion {
            Some(number) => Some((number, criterion::Program::build()?)),
            None => None,
        };
        let runs = [self.sessions, self.pairs, self.neighbour, self.criterion];
        let runs = runs.iter().any(Option::is_some);
        let folder = self.out.clone().unwrap_or_else(|| folders::new_run("selftest"));
        if runs {
            folders::create(&folder)?;
            note!("seed {seed}");
            note!("journals in {}; with this --out, the command resumes them", folder.display());
        }
        let mut tables = Vec::new();
        let mut lines = Vec::new();
        if let Some(number) = self.sessions {
            let layouts = self.layouts.unwrap_or(0);
            lines = sessions::all(number, &Setting { folder: &folder, seed, layouts })?;
            tables.push(known_differences::table("known-differences", &lines));
        }
        if self.makes_coverage() {
            if components.is_empty() {
                components = coverage::components_of_null(&lines);
            }
            tables.push(coverage::table(&components, &lines, seed));
        }
        if let Some(number) = self.pairs {
            let paths = pairs::run(number, self.apart, seed, &folder)?;
            pairs = Some(Pairs::read(&paths)?);
        }
        if let Some(pairs) = pairs {
            tables.push(pairs.table("pairs", "")?);
        }
        if let Some(number) = self.neighbour {
            let pairs = Pairs::read(&pairs::run_beside_a_neighbour(number, seed, &folder)?)?;
            tables.push(pairs.table("neighbour", ", the second beside a neighbour")?);
        }
        if let Some((number, program)) = criterion {
            let folder = folder.join("beside-criterion");
            let setting = Setting { folder: &folder, seed, layouts: 0 };
            let beside = sessions::beside_criterion(number, &setting, &program)?;
            tables.push(known_differences::table("criterion", &beside));
            lines.extend(beside.into_iter().filter(|line| line.harness == Harness::Raywalk));
        }
        let provenance = Provenance::of_this_command();
        match self.format {
            Format::Table => {
                for table in &tables {
                    writeln!(out, "{}:\n\n{}", table.name, table.text)?;
                }
            }
            Format::Json => write_json(out, &page::document(&tables, &provenance))?,
        }
        if let Some(page) = page {
            page.write(&tables, &provenance)?;
        }
        let wrong = lines.iter().map(Line::wrong).sum::<usize>();
        Ok(ExitCode::from(u8::from(wrong > 0)))
    }

    fn makes_coverage(&self) -> bool {
        self.sessions.is_some() || !self.components.is_empty()
    }

    /// The names of the tables that the flags select.
    fn names(&self) -> Vec<&'static str> {
        let asked = [
            ("known-differences", self.sessions.is_some()),
            ("coverage", self.makes_coverage()),
            ("pairs", self.pairs.is_some() || !self.of.is_empty()),
            ("neighbour", self.neighbour.is_some()),
            ("criterion", self.criterion.is_some()),
        ];
        asked.into_iter().filter(|(_, asked)| *asked).map(|(name, _)| name).collect()
    }
}

/// The record of the journal as JSON with every key. A journal leaves out those without a value.
/// docs/json.md documents it.
fn document(results: &schema::Selftest) -> Value {
    let mut value = json!(results);
    for (trial, record) in results.trials.iter().enumerate() {
        for (place, found) in record.found.iter().enumerate() {
            value["trials"][trial]["found"][place]["unit"]["per"] = json!(found.unit.per);
        }
    }
    value["knee"] = json!(results.knee);
    value["width"] = json!(results.width);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::schema::{
        ExpectedRange, Found, Grade, Knee, KneePoint, Per, Quantity, Trial, Unit,
    };

    #[test]
    fn the_json_is_the_record_of_the_journal_with_every_key() {
        let found = |unit| Found { value: 2.0, low: 1.0, high: 3.0, unit };
        let trial = Trial {
            instrument: "clock".to_owned(),
            kernel: "a chain".to_owned(),
            expected: ExpectedRange::at_most(4.0),
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
        let mut results = schema::Selftest {
            seconds: 8.0,
            trials: vec![trial],
            knee: Some(knee),
            width: Some(3.5),
        };
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
