//! Journals. The records of an accepted journal are written and read again, and must be equal. Some
//! accepted journals are also judged, drawn and exported in every form that the commands have.

use raywalk_judge::compare::{Question, compare, unlike};
use raywalk_judge::{Judged, ranking};
use raywalk_page::{export, page, terminal};
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::{self, Results};
use raywalk_results::schema::{
    ExpectedRange, Found, Grade, Knee, KneePoint, Quantity, Trial, Unit,
};
use raywalk_results::schema::{Record, SchemaVersion, Selftest, Session};

use super::{Answer, Checked, refused};
use crate::mutation::Corpus;

/// One of so many accepted journals is drawn.
const DRAWN: u64 = 25;

/// A tag that must not reach the page as one.
const TAG: &str = "<img src=x>";

/// Synthetic journals: small ones, which leave little to chance, more often than large ones.
pub(super) fn journals() -> Corpus {
    let tiny = Recipe { designs: 2, rounds: 2, ..Recipe::SMALL };
    let judged = Recipe { designs: 2, rounds: 8, ..Recipe::SMALL };
    let plain = Recipe { instruments: false, ..tiny };
    let shared = Recipe { rounds: 6, shares: 3, layouts: 2, ..tiny };
    let whole = Recipe { small: false, ..tiny };
    let mut journals = vec![tiny.records(), plain.records(), shared.records(), whole.records()];
    journals.extend([rich(tiny), rich(tiny), rich(judged), stopped(tiny), newer(tiny)]);
    let mut seeds: Vec<String> = journals.iter().map(|records| fixture::text(records)).collect();
    // A crash in the middle of the last line.
    let cut = seeds[0].len() - 20;
    seeds.push(seeds[0][..cut].to_owned());
    seeds.push(format!("\u{feff}{}", seeds[0].replace('\n', "\r\n\n")));
    let future = "{\"record\":\"weather\",\"celsius\":20.5}\n";
    seeds.push(format!("{}{future}", fixture::text(&newer(tiny))));
    Corpus { seeds: seeds.into_iter().map(String::into_bytes).collect(), words: WORDS }
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "null", "true", "false", "[]", "{}", "\"\"", "0", "-1", "1e308", "{", "}", "[", "]", ",", ":",
    "\"", "\n", "\"record\":\"round\"", "\"record\":\"weather\"", "raywalk/3.11", "raywalk/3.12",
    "raywalk/1.0", "raywalk/2.0", "raywalk/3.4294967296", "\\ud800", "\\u0000", "\\u001b[2J",
    "\\n", "\\\"", TAG, "&amp;", "synthetic-alpha", "synthetic-beta", "A/A control", "ab4",
    "{\"record\":\"end\",\"finished\":\"\",\"rounds\":0}\n", "replay", "stream", "cold", "pressure",
    "context-switch", "captures", "all", "sliders", "\"blocks\":[1,2],", "\"period\":1,",
    "\"intensity\":{\"amount\":0,\"unit\":\"bytes\"},", "\"memorisation_curve\":true,", "measured",
];

/// A journal in which every optional part is present.
fn rich(recipe: Recipe) -> Vec<Record> {
    let mut records = recipe.records();
    for record in &mut records {
        match record {
            Record::Session(session) => fill(session),
            Record::Round(round) => {
                for sample in &mut round.samples {
                    let quarter = sample.ticks / 4;
                    sample.blocks = vec![quarter, quarter, quarter, sample.ticks - 3 * quarter];
                }
            }
            _ => {}
        }
    }
    let selftest = records.iter().position(|record| matches!(record, Record::Panel(_)));
    records.insert(selftest.expect("the fixture has panels"), Record::Selftest(tested()));
    records
}

fn fill(session: &mut Session) {
    session.processor = Some(1);
    session.siblings = vec![1, 3];
    session.load = Some([0.25, 0.1, 0.05]);
    session.plan_file = "rounds = 2\n".to_owned();
    session.machine.governor = Some("powersave".to_owned());
    session.machine.turbo = Some(true);
    session.machine.smt = Some(false);
}

fn tested() -> Selftest {
    let unit = Unit::of(Quantity::Nanoseconds);
    let found = Found { value: 1.25, low: 1.2, high: 1.3, unit };
    let trial = |found: Vec<Found>, grade, why: &str| Trial {
        instrument: "clock".to_owned(),
        kernel: "a chain of additions".to_owned(),
        expected: ExpectedRange::between(1.0, 1.5),
        found,
        grade,
        why: why.to_owned(),
    };
    let point = |period, ns| KneePoint { period, ns };
    Selftest {
        seconds: 2.5,
        trials: vec![
            trial(vec![found], Grade::Usable, ""),
            trial(Vec::new(), Grade::NotUsable, "This machine has no such counter."),
        ],
        knee: Some(Knee {
            branches: 4096.0,
            low: 4000.0,
            high: 4200.0,
            learnt_ns: 0.5,
            fresh_ns: 5.5,
            curve: vec![point(64, 0.5), point(4096, 3.0), point(65_536, 5.5)],
        }),
        width: Some(3.9),
    }
}

/// A session that was stopped: no last record.
fn stopped(recipe: Recipe) -> Vec<Record> {
    let mut records = recipe.records();
    records.retain(|record| !matches!(record, Record::End(_)));
    records
}

/// A stopped session of the next minor version.
fn newer(recipe: Recipe) -> Vec<Record> {
    let mut records = stopped(recipe);
    if let Some(Record::Session(session)) = records.first_mut() {
        let current = SchemaVersion::CURRENT;
        session.schema = SchemaVersion { minor: current.minor + 1, ..current };
    }
    records
}

pub(super) fn read(input: &[u8], number: u64) -> Checked {
    match journal::read(input) {
        Ok(results) => {
            check_round_trip(&results)?;
            if number.is_multiple_of(DRAWN) {
                check_drawings(&results)?;
            }
            Ok(Answer::Accepted)
        }
        Err(fault) => refused(&anyhow::Error::new(fault).context("mutated.jsonl")),
    }
}

fn check_round_trip(results: &Results) -> Result<(), String> {
    let records = records(results);
    let again = journal::read(fixture::text(&records).as_bytes())
        .map_err(|fault| format!("written as a journal, then refused: {fault}"))?;
    if again == (Results { truncated: false, skipped: 0, ..results.clone() }) {
        return Ok(());
    }
    let differ = |(one, other): &(Record, Record)| one != other;
    let difference = records.into_iter().zip(self::records(&again)).find(differ);
    Err(format!("written as a journal and read again, it differs: {difference:?}"))
}

/// The records of a journal in an order in which they can be read.
fn records(results: &Results) -> Vec<Record> {
    let Results {
        session,
        designs,
        selftest,
        codes,
        traces,
        fit,
        chains,
        processes,
        warm_ups,
        panels,
        dropped,
        ..
    } = results.clone();
    let mut records = vec![Record::Session(session)];
    records.extend(designs.into_iter().map(Record::Design));
    records.extend(selftest.into_iter().map(Record::Selftest));
    records.extend(codes.into_iter().map(Record::Code));
    records.extend(traces.into_iter().map(Record::Trace));
    records.extend(panels.iter().map(|panel| Record::Panel(panel.panel.clone())));
    records.extend(processes.into_iter().map(Record::Process));
    records.extend(warm_ups.into_iter().map(Record::WarmUp));
    records.extend(panels.into_iter().flat_map(|panel| panel.rounds).map(Record::Round));
    records.extend(dropped.into_iter().map(Record::Dropped));
    records.extend(results.counts.iter().cloned().map(Record::Count));
    records.extend(results.timings.iter().cloned().map(Record::Timing));
    records.extend(results.end.iter().cloned().map(Record::End));
    records.extend(fit.into_iter().map(Record::Fit));
    records.extend(chains.into_iter().map(Record::Chain));
    records
}

/// Judges, draws and exports a journal as `report`, `compare`, `ranking` and `export` do.
fn check_drawings(results: &Results) -> Result<(), String> {
    let judged = Judged::of(results);
    let mut screen = terminal::Screen::new(100, false);
    for panel in &judged.panels {
        terminal::session::write(&mut screen, &judged, panel);
    }
    for selftest in &results.selftest {
        terminal::selftest::write(&mut screen, selftest);
    }
    terminal::trust::write(&mut screen, &judged.trust);
    let pair = [judged.clone(), judged.clone()];
    terminal::ranking::write(&mut screen, &pair, &ranking::rank(&pair));
    let question = Question { selects: &|_| true, baseline: None, margin: 0.01 };
    let comparison = compare(results, results, &question);
    let unlike = unlike(results, results);
    terminal::compare::write(&mut screen, [&judged, &judged], &unlike, &comparison);
    check_screen(screen.as_str())?;
    check_page(&page(&[judged]))?;
    let sessions = [results.clone()];
    let table = export::table(&sessions);
    let mut csv = Vec::new();
    export::write_csv(&table, &mut csv).map_err(|error| format!("no CSV: {error}"))?;
    export::parquet::to_bytes(&table).map_err(|error| format!("no Parquet: {error}"))?;
    Ok(())
}

fn check_screen(text: &str) -> Result<(), String> {
    match text.lines().find(|line| line.contains(char::is_control)) {
        Some(line) => Err(format!("a line for the terminal has a control character: {line:?}")),
        None => Ok(()),
    }
}

fn check_page(page: &str) -> Result<(), String> {
    if page.contains(TAG) { Err(format!("the page has the tag {TAG}")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_does_not_survive_being_written_is_found() {
        let mut results = Recipe { designs: 2, rounds: 2, ..Recipe::SMALL }.results();
        assert_eq!(check_round_trip(&results), Ok(()));
        results.session.margin = f64::NAN; // written as null
        let error = check_round_trip(&results).expect_err("a value that JSON lacks");
        assert!(error.contains("then refused: line 1"), "{error}");
    }

    #[test]
    fn the_records_of_a_journal_are_complete() {
        for recipe in [Recipe::SMALL, Recipe { rounds: 8, ..Recipe::FULL }] {
            let (records, again) =
                (rich(recipe), records(&fixture::read(&fixture::text(&rich(recipe)))));
            assert_eq!(records.len(), again.len());
            assert!(records.iter().all(|record| again.contains(record)));
        }
    }

    #[test]
    fn text_that_controls_the_terminal_or_the_page_is_found() {
        assert!(check_screen("a line\nanother").is_ok() && check_screen("a\u{1b}[2J").is_err());
        assert!(
            check_page("<p>&lt;img src=x&gt;").is_ok() && check_page("<p><img src=x>").is_err()
        );
        let records = rich(Recipe { designs: 2, rounds: 8, ..Recipe::SMALL });
        assert_eq!(check_drawings(&fixture::read(&fixture::text(&records))), Ok(()));
    }
}
